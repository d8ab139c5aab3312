//! The words by which a question for a secret is known, `schema/secrets.json`, as arrays of the core.

use crate::Output;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

/// Where the words lie in the checkout.
pub const PATH: &str = "schema/secrets.json";

const HEADER: &str = "\
// Generated from schema/secrets.json. Do not edit: run `cargo xtask codegen`.
";

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Data {
    #[serde(rename = "$comment")]
    _comment: Option<String>,
    version: u32,
    formats: Vec<String>,
    names: Vec<String>,
    likely_names: Vec<String>,
    fillers: Vec<String>,
    marks: Vec<String>,
    lookalikes: BTreeMap<String, String>,
    languages: BTreeMap<String, BTreeMap<String, Vec<String>>>,
}

/// The lists of a language, and what they are lists of.
const LISTS: [(&str, &str); 14] = [
    ("passwords", "Names of passwords."),
    ("secrets", "Names of other secrets."),
    ("unclear", "Names of secrets that mean other things too."),
    ("vague", "Names of secrets that mean much else."),
    ("requests", "What asks to be given something."),
    ("owners", "What says whose it is, or where it goes."),
    ("insists", "What asks for what was named before."),
    ("before", "What stands before a term that is not asked for."),
    ("after", "What stands behind one."),
    ("negations", "What says that a term is not to be given."),
    ("breaks", "What ends the reach of one."),
    (
        "earlier",
        "What stands somewhere before one, in the same sentence.",
    ),
    (
        "later",
        "What stands somewhere behind one, in the same sentence.",
    ),
    ("skip", "What changes nothing beside a term."),
];

/// Makes `question/secret_table.rs` from the words below `root`, after checking what would never be
/// found, or would mean two things.
pub fn generate(root: &Path) -> Result<Output, String> {
    let text = crate::read(root, PATH)?;
    let data: Data = serde_json::from_str(&text).map_err(|error| format!("`{PATH}`: {error}"))?;
    let source = source(&data).map_err(|error| format!("`{PATH}`: {error}"))?;
    Ok(Output {
        path: "crates/toolwire/src/protocol/question/secret_table.rs".into(),
        text: crate::rust(HEADER, &source)?,
    })
}

fn source(data: &Data) -> Result<String, String> {
    if data.version != 1 {
        return Err(format!("version {} is not known", data.version));
    }
    let mut letters = BTreeMap::new();
    for (letter, alike) in &data.lookalikes {
        for c in alike.chars() {
            if letters.insert(c, letter).is_some() {
                return Err(format!("`{c}` looks like two letters"));
            }
        }
    }
    let mut lists: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (language, all) in &data.languages {
        for (name, phrases) in all {
            if !LISTS.iter().any(|(list, _)| list == name) {
                return Err(format!("`{language}` has an unknown list `{name}`"));
            }
            for phrase in phrases {
                check(phrase).map_err(|why| format!("`{language}`, `{name}`: {why}"))?;
                lists.entry(name).or_default().insert(phrase);
            }
        }
    }

    let mut out = String::from("//! The words by which a question for a secret is known.\n\n");
    let list = |out: &mut String, name: &str, about: &str, texts: &[&str]| {
        let _ = writeln!(
            out,
            "/// {about}\npub(super) static {name}: &[&str] = &{texts:?};"
        );
    };
    let plain = [
        ("FORMATS", "Formats of secrets.", &data.formats),
        ("NAMES", "How names of secrets end.", &data.names),
        (
            "LIKELY_NAMES",
            "Names that are likely those of secrets.",
            &data.likely_names,
        ),
        (
            "FILLERS",
            "What may stand behind the name of a secret.",
            &data.fillers,
        ),
        ("MARKS", "How secrets begin.", &data.marks),
    ];
    for (name, about, texts) in plain {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        list(&mut out, name, about, &texts);
    }
    for (name, about) in LISTS {
        // One text of lines, since thousands of texts would be as many relocations when it is loaded.
        let texts: Vec<&str> = lists.entry(name).or_default().iter().copied().collect();
        let (name, text) = (name.to_uppercase(), texts.join("\n"));
        let _ = writeln!(
            out,
            "/// {about} One a line.\npub(super) static {name}: &str = {text:?};"
        );
    }
    let letters: Vec<(&char, &&String)> = letters.iter().collect();
    let _ = writeln!(
        out,
        "/// Characters, sorted, and the letters that they look like.\n\
         pub(super) static LOOKALIKES: &[(char, &str)] = &{letters:?};"
    );
    Ok(out)
}

/// A phrase is words with single spaces between them, and a `*` where a word may go on.
fn check(phrase: &str) -> Result<(), String> {
    let inner = phrase.strip_prefix('*').unwrap_or(phrase);
    let inner = inner.strip_suffix('*').unwrap_or(inner);
    let has_letters = |word: &str| word.chars().any(char::is_alphanumeric);
    if inner.contains('*') || !inner.split(' ').all(has_letters) {
        return Err(format!("`{phrase}` is no phrase"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(lookalikes: &str, languages: &str) -> Result<String, String> {
        let text = format!(
            r#"{{"version":1,"formats":[],"names":[],"likelyNames":[],"fillers":[],"marks":[],
                "lookalikes":{lookalikes},"languages":{languages}}}"#
        );
        source(&serde_json::from_str(&text).unwrap())
    }

    #[test]
    fn what_could_not_be_found_is_refused() {
        for languages in [
            r#"{"en":{"nouns":["a"]}}"#,
            r#"{"en":{"secrets":[""]}}"#,
            r#"{"en":{"secrets":["*"]}}"#,
            r#"{"en":{"secrets":["a * b"]}}"#,
            r#"{"en":{"secrets":["a  b"]}}"#,
        ] {
            assert!(made("{}", languages).is_err(), "{languages}");
        }
        assert!(made(r#"{"a":"x","b":"x"}"#, "{}").is_err());
        assert!(made(r#"{"a":"x"}"#, r#"{"en":{"secrets":["*a b*"]}}"#).is_ok());
    }

    #[test]
    fn there_are_twenty_languages_at_least() {
        let data = crate::json(&crate::checkout(), PATH).unwrap();
        assert!(data["languages"].as_object().unwrap().len() >= 20);
    }
}
