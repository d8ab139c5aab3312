//! What counts as asking for a secret (Q-21 to Q-26).

use super::words::{
    ABOUT, ABOUT_OF, ARTICLES, FILLERS, FORMATS, HARMLESS_TOKENS, NAMES, NEGATIONS, TERMS,
};
use crate::block::Question;
use crate::json::{Kind, Node, read_text};
use crate::strict::escape;

/// Why a question counts as one for a secret.
///
/// ```
/// assert_eq!(toolwire::question::SecretReason::Wording.as_str(), "wording");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SecretReason {
    /// Its schema has `writeOnly`.
    WriteOnly,
    /// Its schema has a `format` for secrets.
    Format,
    /// Its id, or the name of a property, is that of a secret.
    Name,
    /// Its text, or a title or description, asks for a secret.
    Wording,
}

impl SecretReason {
    /// The word that stands in JSON.
    ///
    /// ```
    /// assert_eq!(toolwire::question::SecretReason::WriteOnly.as_str(), "write_only");
    /// ```
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            SecretReason::WriteOnly => "write_only",
            SecretReason::Format => "format",
            SecretReason::Name => "name",
            SecretReason::Wording => "wording",
        }
    }
}

/// The first sign that a question asks for a secret.
///
/// ```
/// use toolwire::question::{find_secret, read_question};
///
/// let question = read_question(r#"{"id":"pin","text":"?","schema":{"type":"string"}}"#)?;
/// assert_eq!(find_secret(&question).unwrap().pointer, "/id");
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret {
    /// The place in the question, as a JSON Pointer such as `/schema/format`.
    pub pointer: String,
    /// What the sign is.
    pub reason: SecretReason,
}

/// Whether a question asks for a secret, and by which sign one can tell. Such a question is never
/// asked in a form (Q-20).
///
/// # Examples
///
/// ```
/// use toolwire::{Json, block::Question};
/// use toolwire::question::{SecretReason, find_secret};
///
/// let question = |id: &str, text: &str, schema: &str| -> Result<Question, toolwire::Error> {
///     Ok(Question {
///         id: id.into(),
///         text: text.into(),
///         schema: Json::new(schema)?,
///         default: None,
///         extra: Default::default(),
///     })
/// };
/// let asked = question("login", "Your password, please", r#"{"type":"string"}"#)?;
/// assert_eq!(find_secret(&asked).unwrap().reason, SecretReason::Wording);
/// let asked = question("reset_password", "Reset the password?", r#"{"type":"boolean"}"#)?;
/// assert_eq!(find_secret(&asked), None);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn find_secret(question: &Question) -> Option<Secret> {
    let Ok(document) = read_text(question.schema.as_str()) else {
        return None;
    };
    let root = document.root();
    marked(root, "/schema").or_else(|| {
        let asks = any_free(root, root);
        let sign = |found: bool, pointer: &str, reason| {
            (asks && found).then(|| Secret {
                pointer: pointer.to_owned(),
                reason,
            })
        };
        sign(names_secret(&question.id), "/id", SecretReason::Name)
            .or_else(|| {
                sign(
                    asks_for_secret(&question.text),
                    "/text",
                    SecretReason::Wording,
                )
            })
            .or_else(|| told(root, root, "/schema"))
    })
}

/// Whether a name is that of a secret.
fn names_secret(name: &str) -> bool {
    let mut words = name_words(name);
    if let Some(last) = words.last_mut() {
        let end = last.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        if end > 0 {
            last.truncate(end);
        }
    }
    while words.len() > 1 && words.last().is_some_and(|w| FILLERS.contains(&w.as_str())) {
        words.pop();
    }
    let harmless = match words.as_slice() {
        [.., before, last] => last == "token" && HARMLESS_TOKENS.contains(&before.as_str()),
        _ => false,
    };
    !harmless
        && (1..=3).any(|count| {
            words.len() >= count && {
                let tail = words[words.len() - count..].join(" ");
                TERMS.contains(&tail.as_str()) || NAMES.contains(&tail.as_str())
            }
        })
        || holds_unspaced(name)
}

/// Whether a sentence asks for a secret.
fn asks_for_secret(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let counts = |at: usize, length: usize| {
        let about = words
            .get(at + length)
            .is_some_and(|next| ABOUT.contains(next));
        let warned = words[at.saturating_sub(3)..at]
            .iter()
            .any(|word| NEGATIONS.contains(word));
        let mut before = &words[..at];
        while let [rest @ .., last] = before
            && ARTICLES.contains(last)
        {
            before = rest;
        }
        let about_of = matches!(before, [.., what, "of" | "for" | "to"] if ABOUT_OF.contains(what));
        !(about || warned || about_of)
    };
    TERMS.iter().any(|term| {
        let parts: Vec<&str> = term.split(' ').collect();
        words
            .windows(parts.len())
            .enumerate()
            .any(|(at, window)| window == parts && counts(at, parts.len()))
    }) || holds_unspaced(&lower)
}

/// Whether a text in a script without spaces holds a term.
fn holds_unspaced(text: &str) -> bool {
    let unspaced = |term: &str| term.chars().all(|c| c >= '\u{3000}');
    TERMS
        .iter()
        .any(|term| unspaced(term) && text.contains(term))
}

/// The words of a name in snake_case, kebab-case or camelCase, in lower case.
fn name_words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let chars: Vec<char> = name.chars().collect();
    for (index, c) in chars.iter().enumerate() {
        let before = index.checked_sub(1).map(|i| chars[i]);
        let after = chars.get(index + 1);
        let hump = c.is_uppercase()
            && (before.is_some_and(|b| b.is_lowercase() || b.is_numeric())
                || before.is_some_and(char::is_uppercase)
                    && after.is_some_and(|a| a.is_lowercase()));
        if hump || !c.is_alphanumeric() {
            words.push(String::new());
        }
        if let (true, Some(word)) = (c.is_alphanumeric(), words.last_mut()) {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The keywords whose values are schemas of the answer or of a part of it, in an object.
const MAPS: [&str; 5] = [
    "properties",
    "patternProperties",
    "dependentSchemas",
    "$defs",
    "definitions",
];
/// The same, in an array.
const LISTS: [&str; 4] = ["prefixItems", "allOf", "anyOf", "oneOf"];
/// The same, one schema.
const SINGLE: [&str; 8] = [
    "items",
    "additionalProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contains",
    "if",
    "then",
    "else",
];

/// A schema inside of another one: its pointer, and its name if it is a property.
struct Part<'a> {
    node: Node<'a>,
    pointer: String,
    property: Option<String>,
}

/// The schemas right inside of a schema, in the order of the document.
fn parts<'a>(schema: Node<'a>, pointer: &str) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    for (keyword, value) in schema.members() {
        let keyword = keyword.as_ref();
        let inside = format!("{pointer}/{}", escape(keyword));
        if MAPS.contains(&keyword) {
            for (name, node) in value.members() {
                parts.push(Part {
                    node,
                    pointer: format!("{inside}/{}", escape(&name)),
                    property: (keyword == "properties").then(|| name.into_owned()),
                });
            }
        } else if LISTS.contains(&keyword) {
            for (index, node) in value.elements().enumerate() {
                parts.push(Part {
                    node,
                    pointer: format!("{inside}/{index}"),
                    property: None,
                });
            }
        } else if SINGLE.contains(&keyword) {
            parts.push(Part {
                node: value,
                pointer: inside,
                property: None,
            });
        }
    }
    parts
}

/// The first schema that says itself that it is for a secret.
fn marked(schema: Node<'_>, pointer: &str) -> Option<Secret> {
    let sign = |keyword: &str, reason| Secret {
        pointer: format!("{pointer}/{keyword}"),
        reason,
    };
    if schema.get("writeOnly").and_then(|w| w.as_bool()) == Some(true) {
        return Some(sign("writeOnly", SecretReason::WriteOnly));
    }
    let format = schema.get("format").and_then(|format| format.as_str());
    if format.is_some_and(|format| FORMATS.contains(&format.to_lowercase().as_str())) {
        return Some(sign("format", SecretReason::Format));
    }
    let mut inside = parts(schema, pointer).into_iter();
    inside.find_map(|part| marked(part.node, &part.pointer))
}

/// The first name or sentence in a schema that asks for a secret.
fn told(schema: Node<'_>, root: Node<'_>, pointer: &str) -> Option<Secret> {
    if is_free(schema, root, &mut { STEPS }) {
        for keyword in ["title", "description"] {
            let sentence = schema.get(keyword).and_then(|text| text.as_str());
            if sentence.is_some_and(|sentence| asks_for_secret(&sentence)) {
                return Some(Secret {
                    pointer: format!("{pointer}/{keyword}"),
                    reason: SecretReason::Wording,
                });
            }
        }
    }
    parts(schema, pointer).into_iter().find_map(|part| {
        let named = part.property.as_deref().is_some_and(names_secret);
        if named && any_free(part.node, root) {
            return Some(Secret {
                pointer: part.pointer,
                reason: SecretReason::Name,
            });
        }
        told(part.node, root, &part.pointer)
    })
}

/// Whether anything in an answer can be typed freely.
fn any_free(schema: Node<'_>, root: Node<'_>) -> bool {
    is_free(schema, root, &mut { STEPS })
        || parts(schema, "")
            .iter()
            .any(|part| any_free(part.node, root))
}

/// So many schemas are looked into for one decision; what is left then counts as free.
const STEPS: usize = 100;

/// Whether a schema takes a string or a number that is not one of a few given ones (Q-23).
fn is_free(schema: Node<'_>, root: Node<'_>, steps: &mut usize) -> bool {
    if schema.kind() != Kind::Object {
        return schema.as_bool() == Some(true);
    }
    let Some(left) = steps.checked_sub(1) else {
        return true;
    };
    *steps = left;
    if schema.get("enum").is_some() || schema.get("const").is_some() {
        return false;
    }
    let typed = |name: Node<'_>| {
        ["string", "number", "integer"]
            .iter()
            .any(|t| name.is_str(t))
    };
    if let Some(types) = schema.get("type") {
        return typed(types) || types.elements().any(typed);
    }
    if let Some(reference) = schema.get("$ref") {
        let target = reference
            .as_str()
            .and_then(|reference| super::resolve(root, &reference));
        return target.is_none_or(|target| is_free(target, root, steps));
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(branches) = schema.get(keyword) {
            return branches
                .elements()
                .any(|branch| is_free(branch, root, steps));
        }
    }
    if let Some(branches) = schema.get("allOf") {
        return branches
            .elements()
            .all(|branch| is_free(branch, root, steps));
    }
    ["properties", "items", "prefixItems"]
        .iter()
        .all(|keyword| schema.get(keyword).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_into_words() {
        assert_eq!(
            name_words("bskyAPIKey_2-x"),
            ["bsky", "api", "key", "2", "x"]
        );
        assert!(name_words("--").is_empty());
    }

    #[test]
    fn a_schema_that_refers_to_itself_ends() {
        let all = vec![r##"{"$ref":"#"}"##; 1000].join(",");
        let text = format!(r#"{{"allOf":[{all}]}}"#);
        let document = read_text(&text).unwrap();
        assert!(is_free(document.root(), document.root(), &mut { STEPS }));
    }
}
