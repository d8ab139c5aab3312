//! What to write instead of a value that its type refuses.

use std::path::Path;

/// The message about a value, which says what to write where that is known: `keys` lead to it, `written` is its text,
/// and `message` what the reader says.
pub fn about(keys: &[&str], written: &str, message: &str) -> String {
    if let Some(rest) = message.strip_prefix("unknown field ") {
        let mut names = rest.split('`').skip(1).step_by(2);
        let field = names.next().unwrap_or_default();
        return unknown("key", field, &names.collect::<Vec<_>>());
    }
    instead(keys, written, message).unwrap_or_else(|| message.to_owned())
}

/// That there is no such name, and what was probably meant.
///
/// ```
/// use toolwire_host::manifest::unknown;
///
/// let message = unknown("tool", "renam", &["log", "rename"]);
/// assert_eq!(message, "there is no tool `renam`; did you mean `rename`?");
/// ```
#[must_use]
pub fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    match toolwire::nearest(name, known.iter().copied()) {
        Some(best) => format!("there is no {what} `{name}`; did you mean `{best}`?"),
        None => {
            let names: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
            match names.len() {
                0 => format!("there is no {what} `{name}`"),
                1 => format!("there is no {what} `{name}`; there is {}", names.join("")),
                2..20 => format!(
                    "there is no {what} `{name}`; there are {}",
                    names.join(", ")
                ),
                _ => format!("there is no {what} `{name}`"),
            }
        }
    }
}

fn instead(keys: &[&str], written: &str, message: &str) -> Option<String> {
    let text = written.strip_prefix(['"', '\'']);
    let text = text.and_then(|text| text.strip_suffix(['"', '\'']));
    let is_scalar = text.is_none() && !written.starts_with(['[', '{']);
    let (key, above) = keys.split_last()?;
    match (*key, above.last(), text) {
        ("timeout", ..) if is_number(text.unwrap_or(written)) => {
            let number = text.unwrap_or(written);
            Some(format!(
                "must have a unit: write `timeout = \"{number}s\"` for seconds"
            ))
        }
        ("inherit", _, Some("none" | "nothing" | "")) => Some(inherit("[]")),
        ("inherit", _, Some(name)) => Some(inherit(&format!("[\"standard\", {}]", quoted(name)))),
        ("inherit", ..) if written == "true" => Some(inherit("\"all\"")),
        ("inherit", ..) if written == "false" => Some(inherit("[]")),
        (id, Some(&"questions"), _) if !written.starts_with('{') => Some(format!(
            "must be `\"user\"`, `\"assistant\"`, `\"default\"`, `\"decline\"` or a value: write \
             `{} = {{ value = {written} }}` to give it as the answer",
            bare(id)
        )),
        (_, _, Some(line)) if message.contains("expected a sequence") => {
            Some(format!("must be an array: write `{key} = {}`", words(line)))
        }
        (_, _, Some(word @ ("true" | "false"))) => {
            Some(format!("must be a boolean: write `{key} = {word}`"))
        }
        (name, Some(&"env"), _) if is_scalar => Some(format!(
            "must be a string: write `{} = {}`",
            bare(name),
            quoted(written)
        )),
        _ if is_scalar && message.contains("expected a string") => {
            Some(format!("must be a string: write `{}`", quoted(written)))
        }
        _ => None,
    }
}

fn inherit(instead: &str) -> String {
    format!("must be `\"all\"`, `\"standard\"` or an array of names: write `inherit = {instead}`")
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// The array to write for a program that must be meant as one with its arguments: there is white space in its name,
/// and no such file.
pub fn split(program: Option<&str>, folder: &Path) -> Option<String> {
    let program = program.filter(|program| program.trim().contains(char::is_whitespace))?;
    let is_there = match program.contains(std::path::is_separator) {
        true => folder.join(program).exists(),
        false => which::which(program).is_ok(),
    };
    (!is_there).then(|| words(program))
}

/// The array to write for a command line.
fn words(line: &str) -> String {
    let words = shlex::split(line);
    let words = words.unwrap_or_else(|| line.split_whitespace().map(str::to_owned).collect());
    let quoted: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    format!("[{}]", quoted.join(", "))
}

/// A string as TOML writes it.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A key as TOML writes it.
fn bare(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    match !name.is_empty() && name.bytes().all(is_plain) {
        true => name.to_owned(),
        false => quoted(name),
    }
}
