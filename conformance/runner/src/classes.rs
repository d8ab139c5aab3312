//! The classes of conformance: which operations each has, and what a run of one is called in a README.

use crate::case::Case;
use serde::Deserialize;
use std::path::Path;

/// `conformance/classes.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Classes {
    version: u32,
    classes: Vec<Class>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Class {
    name: String,
    title: String,
    /// The class that this one is an addition to.
    of: Option<String>,
    operations: Vec<String>,
}

/// The classes that a run is about.
#[derive(Debug, PartialEq)]
pub struct Claim {
    /// The claim without its result, such as `Toolwire 1: Reader+identity`.
    pub name: String,
    pub operations: Vec<String>,
}

impl Classes {
    pub fn load(root: &Path) -> Result<Self, String> {
        let path = root.join("conformance/classes.json");
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
        serde_json::from_str(&text).map_err(|error| format!("`{}`: {error}", path.display()))
    }

    /// What `--class reader+identity` asks for; each text is a class and its additions.
    pub fn claim(&self, wanted: &[String]) -> Result<Claim, String> {
        let mut titles = Vec::new();
        let mut operations = Vec::new();
        for text in wanted {
            let mut base: Option<&Class> = None;
            for name in text.split('+') {
                let class = self.find(name)?;
                match (base, &class.of) {
                    (None, None) => titles.push(class.title.clone()),
                    (Some(base), Some(of)) if base.name == *of => {
                        *titles.last_mut().expect("a base comes first") += &format!("+{name}");
                    }
                    (_, Some(of)) => {
                        return Err(format!("`{name}` is an addition: write `{of}+{name}`"));
                    }
                    (Some(_), None) => {
                        return Err(format!("`{name}` is a class: give `--class` again"));
                    }
                }
                base = base.or(Some(class));
                operations.extend(class.operations.iter().cloned());
            }
        }
        Ok(Claim {
            name: format!("Toolwire {}: {}", self.version, titles.join(", ")),
            operations,
        })
    }

    fn find(&self, name: &str) -> Result<&Class, String> {
        let names = || {
            let names = self.classes.iter().map(|class| class.name.as_str());
            names.collect::<Vec<_>>().join(", ")
        };
        self.classes
            .iter()
            .find(|class| class.name == name)
            .ok_or_else(|| format!("there is no class `{name}`; use one of {}", names()))
    }

    /// What is wrong with the classes: each operation of a case is in one of them and described on the page of
    /// operations.
    pub fn complaints(&self, cases: &[Case], page: &str) -> Vec<String> {
        let mut complaints = Vec::new();
        let mut operations: Vec<&str> = cases.iter().map(|case| case.op.as_str()).collect();
        operations.sort_unstable();
        operations.dedup();
        for operation in operations {
            let classes = self.classes.iter();
            let having = classes.filter(|class| class.operations.iter().any(|op| op == operation));
            if having.count() != 1 {
                complaints.push(format!(
                    "classes.json: `{operation}` has to be in one class"
                ));
            }
            if !page.contains(&format!("\n| `{operation}` |")) {
                complaints.push(format!("operations.md: `{operation}` is missing"));
            }
        }
        complaints
    }
}

impl Claim {
    /// The line for a README.
    pub fn line(&self, passed: usize, all: usize) -> String {
        format!("{} {}/{}", self.name, grouped(passed), grouped(all))
    }

    /// The line as an image.
    pub fn badge(&self, passed: usize, all: usize) -> String {
        let text = self.line(passed, all).replace('&', "&amp;");
        let width = 7 * text.chars().count() + 16;
        let colour = if passed == all { "#2a7d2e" } else { "#a33" };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"20\" role=\"img\">\
             <title>{text}</title><rect width=\"{width}\" height=\"20\" rx=\"3\" fill=\"{colour}\"/>\
             <text x=\"8\" y=\"14\" fill=\"#fff\" font-family=\"monospace\" font-size=\"11\">{text}</text></svg>\n"
        )
    }
}

/// A number with commas between its thousands.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes() -> Classes {
        let text = r#"{"version": 1, "classes": [
            {"name": "reader", "title": "Reader", "operations": ["parse", "digest"]},
            {"name": "identity", "title": "identity", "of": "reader", "operations": ["identify"]},
            {"name": "host", "title": "Host", "operations": ["prompt"]}]}"#;
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_claim_has_classes_with_their_additions() {
        let claim = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            classes().claim(&words)
        };
        let both = claim(&["reader+identity", "host"]).unwrap();
        assert_eq!(
            both.line(1140, 1149),
            "Toolwire 1: Reader+identity, Host 1,140/1,149"
        );
        assert_eq!(both.operations, ["parse", "digest", "identify", "prompt"]);
        assert!(both.badge(3, 3).contains("Host 3/3</text>"));
        for (wrong, part) in [
            ("raeder", "use one of reader, identity, host"),
            ("identity", "write `reader+identity`"),
            ("reader+host", "give `--class` again"),
        ] {
            let message = claim(&[wrong]).unwrap_err();
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn each_operation_is_in_one_class_and_on_the_page() {
        let case = |op: &str| -> Case {
            serde_json::from_value(serde_json::json!({
                "id": "a", "spec": ["X-1"], "about": "x", "op": op,
                "input": {"text": ""}, "expect": {"result": {}}
            }))
            .unwrap()
        };
        let cases = [case("parse"), case("format")];
        let complaints = classes().complaints(&cases, "# Page\n| `parse` | x |\n");
        assert_eq!(complaints.len(), 2, "{complaints:?}");
    }
}
