//! The texts of functions, from `schema/api/*.md`.

use super::{Api, camel, snake};

/// What is said of a function.
#[derive(Default)]
pub struct Text {
    pub paragraphs: Vec<String>,
    /// The lines of the example in Python and in Node.
    pub python: Vec<String>,
    pub js: Vec<String>,
}

/// Reads a file: a section for each function.
pub fn read(page: &str) -> Result<Vec<(String, Text)>, String> {
    let mut sections: Vec<(String, Text)> = Vec::new();
    let mut fence: Option<&str> = None;
    let mut is_new = true;
    for line in page.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            sections.push((name.to_owned(), Text::default()));
            is_new = true;
            continue;
        }
        let Some((_, text)) = sections.last_mut() else {
            continue;
        };
        if let Some(language) = line.strip_prefix("```") {
            fence = match fence {
                None if ["python", "js"].contains(&language) => Some(language),
                None => return Err(format!("schema/api/: a fence of `{language}`")),
                Some(_) => None,
            };
            is_new = true;
            continue;
        }
        match fence {
            Some("python") => text.python.push(line.to_owned()),
            Some(_) => text.js.push(line.to_owned()),
            None if line.is_empty() => is_new = true,
            None if is_new => {
                text.paragraphs.push(line.to_owned());
                is_new = false;
            }
            None => {
                if let Some(last) = text.paragraphs.last_mut() {
                    last.push(' ');
                    last.push_str(line);
                }
            }
        }
    }
    Ok(sections)
}

/// A text as Python spells it: `{none}` is the value that means absent.
pub fn in_python(text: &str) -> String {
    text.replace("{none}", "None")
}

/// A text as Node spells it, with the names of functions and options in camelCase.
pub fn in_node(api: &Api, text: &str) -> String {
    let options = api
        .options
        .0
        .iter()
        .flat_map(|(_, options)| &options.members.0);
    let options: Vec<String> = options.map(|(name, _)| snake(name)).collect();
    let mut out = String::new();
    for (index, part) in text.replace("{none}", "undefined").split('`').enumerate() {
        if index > 0 {
            out.push('`');
        }
        let is_name = api.functions.get(part).is_some() || options.iter().any(|name| name == part);
        out.push_str(&if index % 2 == 1 && is_name {
            camel(part)
        } else {
            part.to_owned()
        });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_has_its_text_and_its_examples() {
        let page =
            "# m\n\n## f\n\nOne\ntwo.\n\n```python\n>>> 1\n1\n```\n\n```js\nf();\n```\n\nThree.\n";
        let [(name, text)] = &read(page).unwrap()[..] else {
            panic!("one section");
        };
        assert_eq!(
            (name.as_str(), &text.paragraphs[..]),
            ("f", &["One two.".to_owned(), "Three.".to_owned()][..])
        );
        assert_eq!(
            (text.python.len(), &text.js[..]),
            (2, &["f();".to_owned()][..])
        );
        assert!(read("## f\n```sh\n```\n").is_err());
    }
}
