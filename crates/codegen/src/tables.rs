//! Sorted tables that the crates search: characters of `schema/text.json` and `schema/hidden.json`, and the words of
//! `schema/secrets.json` by which a question for a secret is known.

use crate::Output;
use crate::api::snake;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

/// Ranges of characters in `schema/text.json`, and what they are.
const TEXT: &str = "\
invisible: Characters that reorder or hide text (FMT-5).
marks: Characters drawn in the column of the one before (FMT-48).
wide: Characters that take two columns of a terminal.";

/// Ranges of characters in `schema/hidden.json`, and what they are.
const HIDDEN: &str = "\
emoji: Characters that can be emoji (HID-21).
rightToLeft: What is written from right to left (HID-25).
joining: Characters behind which joiners choose a form (HID-20).
unspaced: Scripts without spaces between words (HID-22).
mongolian: Characters that have Mongolian variants (HID-23).
ideographs: Characters that have ideographic variants (HID-23).
blank: Characters with nothing to see that are no spaces (HID-26).
varied: Others that have standardized variants (HID-23).";

const SCRIPTS: &str = "Latin Greek Cyrillic Armenian Cherokee Lisu Coptic";

/// Lists in `schema/secrets.json`, and what they are.
const SECRETS: &str = "\
formats: Formats of secrets.
names: How names of secrets end.
likelyNames: Names that are likely those of secrets.
fillers: What may stand behind the name of a secret.
marks: How secrets begin.";

/// The lists of a language, and what they are.
const PHRASES: &str = "\
passwords: Names of passwords.
secrets: Names of other secrets.
unclear: Names of secrets that mean other things too.
vague: Names of secrets that mean much else.
requests: What asks to be given something.
owners: What says whose it is, or where it goes.
insists: What asks for what was named before.
before: What stands before a term that is not asked for.
after: What stands behind one.
negations: What says that a term is not to be given.
breaks: What ends the reach of one.
earlier: What stands somewhere before one, in the same sentence.
later: What stands somewhere behind one, in the same sentence.
skip: What changes nothing beside a term.";

type Source = fn(&Map<String, Value>) -> Result<String, String>;

/// The tables below `root`, each in the crate that searches it.
pub fn generate(root: &Path) -> Result<Vec<Output>, String> {
    let tables: [(&str, &'static str, Source); 3] = [
        (
            "text",
            "crates/toolwire/src/protocol/format/text_table.rs",
            text,
        ),
        (
            "hidden",
            "crates/toolwire-contract/src/hidden/table.rs",
            hidden,
        ),
        (
            "secrets",
            "crates/toolwire/src/protocol/question/secret_table.rs",
            secrets,
        ),
    ];
    let made = tables.map(|(name, path, source)| {
        let file = format!("schema/{name}.json");
        let header = format!("// Generated from {file}. Do not edit: run `cargo xtask codegen`.\n");
        let data = crate::json(root, &file)?;
        let data = data.as_object().ok_or(format!("`{file}` is no object"))?;
        let source = source(data).map_err(|error| format!("`{file}`: {error}"))?;
        Ok(Output {
            path: path.into(),
            text: crate::rust(&header, &source)?,
        })
    });
    made.into_iter().collect()
}

fn text(data: &Map<String, Value>) -> Result<String, String> {
    expect(data, &[TEXT], "lookalikes sgr")?;
    let mut out = String::from("//! Characters, and the SGR parameters that a terminal gets.\n\n");
    write_ranges(&mut out, data, TEXT)?;
    let letter = |text: &String| text.chars().next().unwrap_or_default();
    let letters: Vec<(char, char)> = lookalikes(data)?
        .into_iter()
        .map(|(c, like)| (c, letter(&like)))
        .collect();
    let kept = data["sgr"].as_array().into_iter().flatten();
    let kept: Vec<u64> = kept
        .filter_map(|entry| entry["parameter"].as_u64())
        .collect();
    if !kept.is_sorted_by(|one, next| one < next) {
        return Err("the SGR parameters do not ascend".to_owned());
    }
    let _ = writeln!(
        out,
        "/// Letters, and the Latin ones that they look like (HID-14). Sorted.\n\
         pub(super) static LOOKALIKES: &[(char, char)] = &{letters:?};\n\
         /// The SGR parameters that are kept (FMT-42), sorted.\n\
         pub(super) static SGR: &[u8] = &{kept:?};"
    );
    Ok(out)
}

fn hidden(data: &Map<String, Value>) -> Result<String, String> {
    expect(data, &[HIDDEN], "scripts names")?;
    let mut out = String::from("//! What is ordinary in a text, scripts, and names.\n\n");
    write_ranges(&mut out, data, HIDDEN)?;
    let scripts = data["scripts"]
        .as_object()
        .ok_or("`scripts` is no object")?;
    expect(scripts, &[], SCRIPTS)?;
    out.push_str(
        "/// Scripts by their names, each with its letters (HID-14).\n\
         pub(super) static SCRIPTS: &[(&str, &[(u32, u32)])] = &[",
    );
    for name in SCRIPTS.split(' ') {
        let _ = write!(
            out,
            "({:?}, &[{}]),",
            name.to_uppercase(),
            pairs(&scripts[name])?
        );
    }
    let mut names = BTreeMap::new();
    for (digits, name) in data["names"].as_object().into_iter().flatten() {
        names.insert(code(digits)?, name.as_str().unwrap_or_default());
    }
    let names: String = names
        .iter()
        .map(|(code, name)| format!("(0x{code:04X}, {name:?}),"))
        .collect();
    let _ = writeln!(
        out,
        "];\n/// The names of hidden characters, by their code. Sorted.\n\
         pub(super) static NAMES: &[(u32, &str)] = &[{names}];"
    );
    Ok(out)
}

fn secrets(data: &Map<String, Value>) -> Result<String, String> {
    expect(data, &[SECRETS], "version lookalikes languages")?;
    if data["version"] != 1 {
        return Err(format!("version {} is not known", data["version"]));
    }
    let letters: Vec<(char, String)> = lookalikes(data)?.into_iter().collect();
    let mut lists: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (language, all) in data["languages"].as_object().into_iter().flatten() {
        let all = all.as_object().ok_or("a language is no object")?;
        for (name, phrases) in all {
            if !entries(PHRASES).any(|(list, _)| list == name) {
                return Err(format!("`{language}` has an unknown list `{name}`"));
            }
            for phrase in texts(phrases)? {
                check(phrase).map_err(|why| format!("`{language}`, `{name}`: {why}"))?;
                lists.entry(name).or_default().insert(phrase);
            }
        }
    }
    let mut out = String::from("//! The words by which a question for a secret is known.\n\n");
    for (name, about) in entries(SECRETS) {
        let texts = texts(&data[name])?;
        let name = snake(name).to_uppercase();
        let _ = writeln!(
            out,
            "/// {about}\npub(super) static {name}: &[&str] = &{texts:?};"
        );
    }
    for (name, about) in entries(PHRASES) {
        // One text of lines, since thousands of texts would be as many relocations when it is loaded.
        let texts: Vec<&str> = lists.entry(name).or_default().iter().copied().collect();
        let (name, text) = (name.to_uppercase(), texts.join("\n"));
        let _ = writeln!(
            out,
            "/// {about} One a line.\npub(super) static {name}: &str = {text:?};"
        );
    }
    let _ = writeln!(
        out,
        "/// Characters, sorted, and the letters that they look like.\n\
         pub(super) static LOOKALIKES: &[(char, &str)] = &{letters:?};"
    );
    Ok(out)
}

/// The names in a list, with what they are.
fn entries(list: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    list.lines().filter_map(|line| line.split_once(": "))
}

/// Refuses members that are missing or not known.
fn expect(data: &Map<String, Value>, lists: &[&'static str], others: &str) -> Result<(), String> {
    let mut known: BTreeSet<&str> = others.split(' ').collect();
    known.extend(
        lists
            .iter()
            .flat_map(|list| entries(list))
            .map(|(name, _)| name),
    );
    let found: BTreeSet<&str> = data.keys().map(String::as_str).collect();
    let found = &found - &BTreeSet::from(["$comment"]);
    match found.symmetric_difference(&known).next() {
        Some(name) => Err(format!("`{name}` is missing or not known")),
        None => Ok(()),
    }
}

fn texts(list: &Value) -> Result<Vec<&str>, String> {
    let texts = list.as_array().into_iter().flatten().map(Value::as_str);
    let texts: Option<Vec<&str>> = texts.collect();
    texts.ok_or_else(|| "a list of texts holds something else".to_owned())
}

/// Characters and what they look like.
fn lookalikes(data: &Map<String, Value>) -> Result<BTreeMap<char, String>, String> {
    let mut letters = BTreeMap::new();
    for (letter, alike) in data["lookalikes"].as_object().into_iter().flatten() {
        for c in alike.as_str().unwrap_or_default().chars() {
            if letters.insert(c, letter.clone()).is_some() {
                return Err(format!("`{c}` looks like two letters"));
            }
        }
    }
    Ok(letters)
}

fn write_ranges(
    out: &mut String,
    data: &Map<String, Value>,
    list: &'static str,
) -> Result<(), String> {
    for (name, about) in entries(list) {
        let ranges = pairs(&data[name]).map_err(|error| format!("{name}: {error}"))?;
        let _ = writeln!(
            out,
            "/// {about} Sorted; both ends belong to a range.\n\
             pub(super) static {}: &[(u32, u32)] = &[{ranges}];",
            snake(name).to_uppercase()
        );
    }
    Ok(())
}

/// Ranges of code points as they are written in Rust.
fn pairs(list: &Value) -> Result<String, String> {
    let ranges = ranges(&texts(list)?)?;
    let pairs = ranges
        .iter()
        .map(|(first, last)| format!("(0x{first:04X}, 0x{last:04X})"));
    Ok(pairs.collect::<Vec<_>>().join(", "))
}

fn code(digits: &str) -> Result<u32, String> {
    u32::from_str_radix(digits, 16).map_err(|error| format!("`{digits}`: {error}"))
}

/// Ranges of code points, which must ascend and not touch.
fn ranges(texts: &[&str]) -> Result<Vec<(u32, u32)>, String> {
    let mut found: Vec<(u32, u32)> = Vec::new();
    for text in texts {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let (first, last) = (code(first)?, code(last)?);
        let after = found.last().map_or(0, |(_, before)| before + 1);
        if first > last || first <= after || last > u32::from(char::MAX) {
            return Err(format!("`{text}` does not follow what stands before it"));
        }
        found.push((first, last));
    }
    Ok(found)
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
        secrets(&serde_json::from_str(&text).unwrap())
    }

    #[test]
    fn what_could_not_be_found_is_refused() {
        for languages in [
            r#"{"en":{"nouns":["a"]}}"#,
            r#"{"en":{"secrets":[""]}}"#,
            r#"{"en":{"secrets":["*"]}}"#,
            r#"{"en":{"secrets":["a * b"]}}"#,
            r#"{"en":{"secrets":["a  b"]}}"#,
            r#"{"en":{"secrets":[1]}}"#,
        ] {
            assert!(made("{}", languages).is_err(), "{languages}");
        }
        assert!(made(r#"{"a":"x","b":"x"}"#, "{}").is_err());
        assert!(made(r#"{"a":"x"}"#, r#"{"en":{"secrets":["*a b*"]}}"#).is_ok());
    }

    #[test]
    fn there_are_twenty_languages_at_least() {
        let data = crate::json(&crate::checkout(), "schema/secrets.json").unwrap();
        assert!(data["languages"].as_object().unwrap().len() >= 20);
    }

    #[test]
    fn ranges_must_ascend_and_not_touch() {
        assert_eq!(
            ranges(&["00AD", "115F-1160"]),
            Ok(vec![(0xAD, 0xAD), (0x115F, 0x1160)])
        );
        for wrong in [
            &["00AD", "00AE"][..],
            &["0300", "00AD"],
            &["0301-0300"],
            &["x"],
            &["110000"],
        ] {
            assert!(ranges(wrong).is_err(), "{wrong:?}");
        }
    }
}
