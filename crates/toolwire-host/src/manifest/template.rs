//! The command of a manifest, in which arguments of the call stand.
//!
//! It is a vector and stays one: a value is put into an element, or is elements of its own. No text is
//! ever split, quoted or read by a shell.

use std::collections::{BTreeMap, BTreeSet};

use toolwire::Json;

/// A program and its arguments, with places for those of the call.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Template {
    program: String,
    groups: Vec<Vec<Word>>,
}

/// A part of the command as it is written: a word, or words that belong together.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    Word(String),
    Group(Vec<String>),
}

/// An element of the argument vector.
type Word = Vec<Piece>;

#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Text(String),
    /// `{name}`: the value.
    Value(String),
    /// `{name?text}`: a text if the value is true.
    If(String, String),
}

impl Piece {
    fn name(&self) -> Option<&str> {
        match self {
            Piece::Text(_) => None,
            Piece::Value(name) | Piece::If(name, _) => Some(name),
        }
    }
}

impl Template {
    /// Reads the command; the first part is the program, which no argument can choose.
    pub fn new(parts: Vec<Part>) -> Result<Template, String> {
        let mut parts = parts.into_iter();
        let program = match parts.next() {
            Some(Part::Word(program)) if !program.is_empty() => read(&program)?,
            Some(Part::Group(_)) => return Err("begin with the program, a string".to_owned()),
            _ => return Err("name a program".to_owned()),
        };
        let [Piece::Text(program)] = &program[..] else {
            return Err("an argument can't be the program, or a part of its name".to_owned());
        };
        let groups = parts.map(|part| {
            let words = match part {
                Part::Word(word) => vec![word],
                Part::Group(words) => words,
            };
            words.iter().map(|word| read(word)).collect()
        });
        Ok(Template {
            program: program.clone(),
            groups: groups.collect::<Result<_, _>>()?,
        })
    }

    /// The program, as it is written.
    #[must_use]
    pub fn program(&self) -> &str {
        &self.program
    }

    /// The program, if nothing stands behind it.
    pub fn only_program(&self) -> Option<&str> {
        self.groups.is_empty().then_some(self.program.as_str())
    }

    /// Whether an argument of the call stands in it.
    pub fn takes_arguments(&self) -> bool {
        !self.names().is_empty()
    }

    /// The arguments that stand in it.
    pub fn names(&self) -> BTreeSet<&str> {
        let pieces = self.groups.iter().flatten().flatten();
        pieces.filter_map(Piece::name).collect()
    }

    /// The arguments that have to be true or false.
    pub fn conditions(&self) -> impl Iterator<Item = &str> {
        let pieces = self.groups.iter().flatten().flatten();
        pieces.filter_map(|piece| match piece {
            Piece::If(name, _) => Some(name.as_str()),
            _ => None,
        })
    }

    /// The arguments of the program, where none of the call stand among them.
    pub fn arguments(&self) -> Vec<String> {
        self.expand(&BTreeMap::new()).unwrap_or_default()
    }

    /// As it is written, for a list.
    pub fn to_words(&self) -> Vec<String> {
        let words = self.groups.iter().flatten().map(|word| {
            let pieces = word.iter().map(|piece| match piece {
                Piece::Text(text) => text.replace('{', "{{").replace('}', "}}"),
                Piece::Value(name) => format!("{{{name}}}"),
                Piece::If(name, text) => format!("{{{name}?{text}}}"),
            });
            pieces.collect()
        });
        std::iter::once(self.program.clone()).chain(words).collect()
    }

    /// The arguments of the program, for those of a call that fit the parameters.
    ///
    /// An error names the argument that can't stand where it would.
    pub fn expand(&self, arguments: &BTreeMap<String, Json>) -> Result<Vec<String>, String> {
        let mut vector = Vec::new();
        let mut options_end = false;
        for group in &self.groups {
            let mut names = group.iter().flatten().filter_map(Piece::name);
            if names.any(|name| !arguments.contains_key(name)) {
                continue;
            }
            for word in group {
                for text in expand(word, arguments)? {
                    let given = matches!(&word[..], [Piece::Value(name), ..]
                        if may_be_text(&arguments[name]));
                    if given && text.starts_with('-') && !options_end {
                        let name = word[0].name().unwrap_or_default();
                        return Err(format!(
                            "`{name}` begins with `-`, so `{}` could take it for an option; give \
                             `./{text}` if it is a file, or put `\"--\"` before it in the manifest",
                            self.program
                        ));
                    }
                    options_end |= word[..] == [Piece::Text("--".to_owned())];
                    vector.push(text);
                }
            }
        }
        Ok(vector)
    }
}

/// A negative number begins with `-` too, but is no danger.
fn may_be_text(value: &Json) -> bool {
    match elements(value) {
        Some(values) => values.iter().any(may_be_text),
        None => value.as_str().starts_with('"'),
    }
}

/// The elements, if it is an array.
fn elements(value: &Json) -> Option<Vec<Json>> {
    let array = value.as_str().starts_with('[');
    array.then(|| value.to_value().unwrap_or_default())
}

/// The elements that a word stands for: one, or as many as an array in it has.
fn expand(word: &Word, arguments: &BTreeMap<String, Json>) -> Result<Vec<String>, String> {
    let mut texts = vec![String::new()];
    let mut only_a_condition = true;
    let mut array = None;
    for piece in word {
        match piece {
            Piece::Text(text) => {
                only_a_condition = false;
                texts.iter_mut().for_each(|whole| whole.push_str(text));
            }
            Piece::If(name, text) => {
                if arguments[name].as_str() == "true" {
                    only_a_condition = false;
                    texts.iter_mut().for_each(|whole| whole.push_str(text));
                }
            }
            Piece::Value(name) => {
                only_a_condition = false;
                match elements(&arguments[name]) {
                    Some(values) => {
                        if let Some(other) = array.replace(name) {
                            return Err(format!(
                                "`{other}` and `{name}` are both arrays and stand in one word; \
                                 give each a word of its own in the manifest"
                            ));
                        }
                        let values = values.iter().map(spell);
                        let whole = texts.swap_remove(0);
                        texts = values.map(|value| format!("{whole}{value}")).collect();
                    }
                    None => {
                        let value = spell(&arguments[name]);
                        texts.iter_mut().for_each(|whole| whole.push_str(&value));
                    }
                }
            }
        }
    }
    // `{all?--all}` alone is no empty argument where it is false.
    if only_a_condition && !word.is_empty() {
        texts.clear();
    }
    Ok(texts)
}

/// A string to the letter, anything else as JSON, a number with all its digits.
fn spell(value: &Json) -> String {
    value
        .to_text()
        .unwrap_or_else(|| value.exact().as_str().to_owned())
}

/// Reads the pieces of a word.
fn read(word: &str) -> Result<Word, String> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut rest = word;
    while let Some(at) = rest.find(['{', '}']) {
        text.push_str(&rest[..at]);
        let brace = &rest[at..at + 1];
        rest = &rest[at + 1..];
        if rest.starts_with(brace) {
            text.push_str(brace);
            rest = &rest[1..];
            continue;
        }
        let Some(end) = rest.find('}').filter(|_| brace == "{") else {
            return Err(format!(
                "a brace in `{word}` has no counterpart; write `{brace}{brace}` for a literal brace"
            ));
        };
        let inner = &rest[..end];
        rest = &rest[end + 1..];
        let (name, then) = match inner.split_once('?') {
            Some((name, then)) => (name, Some(then)),
            None => (inner, None),
        };
        if name.is_empty() || name.contains(['{', ' ']) {
            return Err(format!(
                "`{{{inner}}}` is not an argument; write `{{name}}`, and `{{{{` for a literal brace"
            ));
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut text)));
        }
        pieces.push(match then {
            Some(then) => Piece::If(name.to_owned(), then.to_owned()),
            None => Piece::Value(name.to_owned()),
        });
    }
    text.push_str(rest);
    if !text.is_empty() || pieces.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Ok(pieces)
}
