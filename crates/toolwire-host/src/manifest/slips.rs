//! Likely slips of the pen, each with what to write instead.
//!
//! The types would refuse these values too, but could only say what they expect.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Result;
use super::source::Source;

type Place<'a> = (&'a [&'a str], &'a Spanned<DeValue<'a>>);

/// Refuses the first slip in a tool's table; `at` are the keys that lead to it, `folder` is the manifest's.
pub fn check(source: &Source, folder: &Path, at: &[&str], tool: &DeTable<'_>) -> Result<()> {
    for (key, value) in tool.iter() {
        let key = key.get_ref().as_ref();
        let keys = [at, &[key]].concat();
        let place = (&keys[..], value);
        match key {
            "command" => command(source, folder, place)?,
            "timeout" => timeout(source, place)?,
            "inherit" => inherit(source, place)?,
            "env" => members(source, place, variable)?,
            "questions" => members(source, place, question)?,
            "assistant" => program(source, place)?,
            "describe" | "plain" => flag(source, place)?,
            _ => {}
        }
    }
    Ok(())
}

/// Refuses the first slip in a server's table.
pub fn server(source: &Source, at: &[&str], server: &DeTable<'_>) -> Result<()> {
    for (key, value) in server.iter() {
        let key = key.get_ref().as_ref();
        let keys = [at, &[key]].concat();
        let place = (&keys[..], value);
        match key {
            "command" => program(source, place)?,
            "inherit" => inherit(source, place)?,
            "env" => members(source, place, variable)?,
            _ => {}
        }
    }
    Ok(())
}

/// A program and its arguments, in an array.
pub fn program(source: &Source, (keys, value): Place<'_>) -> Result<()> {
    match value.get_ref() {
        DeValue::String(text) => {
            let key = keys.last().copied().unwrap_or_default();
            let words = words(text);
            let message = format!("must be an array: write `{key} = {words}`");
            Err(source.refuse_value(value.span(), keys, &message))
        }
        DeValue::Array(words) => words
            .iter()
            .try_for_each(|word| string(source, (keys, word))),
        _ => Ok(()),
    }
}

fn command(source: &Source, folder: &Path, (keys, value): Place<'_>) -> Result<()> {
    let program = match value.get_ref() {
        DeValue::String(text) => Some((text.as_ref(), value)),
        DeValue::Array(parts) => {
            for part in parts.iter() {
                match part.get_ref() {
                    DeValue::Array(words) => words
                        .iter()
                        .try_for_each(|word| string(source, (keys, word)))?,
                    _ => string(source, (keys, part))?,
                }
            }
            let first = parts.first().filter(|_| parts.len() == 1);
            first.and_then(|part| Some((part.get_ref().as_str()?, part)))
        }
        _ => None,
    };
    match program {
        Some((text, place)) if is_split(folder, text) => {
            let message = format!(
                "there is no program `{text}`, and a string is not split at spaces: write `command = {}`",
                words(text)
            );
            Err(source.refuse_value(place.span(), keys, &message))
        }
        _ => Ok(()),
    }
}

/// Whether a program's name must be meant as a program and its arguments: there is white space in it, and
/// no such file.
fn is_split(folder: &Path, program: &str) -> bool {
    let is_path = program.contains(std::path::is_separator);
    program.trim().contains(char::is_whitespace)
        && match is_path {
            true => !folder.join(program).exists(),
            false => which::which(program).is_err(),
        }
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

fn timeout(source: &Source, (keys, value): Place<'_>) -> Result<()> {
    let number = match value.get_ref() {
        DeValue::Integer(_) | DeValue::Float(_) => source.text_at(value.span()),
        DeValue::String(text) => text.as_ref(),
        _ => return Ok(()),
    };
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    if !is_number {
        return Ok(());
    }
    let message = format!("must have a unit: write `timeout = \"{number}s\"` for seconds");
    Err(source.refuse_value(value.span(), keys, &message))
}

fn inherit(source: &Source, (keys, value): Place<'_>) -> Result<()> {
    let instead = match value.get_ref() {
        DeValue::String(word) => match word.as_ref() {
            "none" | "nothing" | "" => "[]".to_owned(),
            "all" | "standard" => return Ok(()),
            name => format!("[\"standard\", {}]", quoted(name)),
        },
        DeValue::Boolean(true) => "\"all\"".to_owned(),
        DeValue::Boolean(false) => "[]".to_owned(),
        DeValue::Array(names) => {
            return names
                .iter()
                .try_for_each(|name| string(source, (keys, name)));
        }
        _ => return Ok(()),
    };
    let message = format!(
        "must be `\"all\"`, `\"standard\"` or an array of names: write `inherit = {instead}`"
    );
    Err(source.refuse_value(value.span(), keys, &message))
}

fn variable(source: &Source, (keys, value): Place<'_>) -> Result<()> {
    let name = keys.last().copied().unwrap_or_default();
    match scalar(source, value) {
        Some(text) => {
            let message = format!("must be a string: write `{} = {}`", key(name), quoted(text));
            Err(source.refuse_value(value.span(), keys, &message))
        }
        None => Ok(()),
    }
}

fn question(source: &Source, (keys, value): Place<'_>) -> Result<()> {
    let written = source.text_at(value.span());
    let id = key(keys.last().copied().unwrap_or_default());
    let is_word = |text: &str| ["user", "assistant", "default", "decline"].contains(&text);
    let instead = match value.get_ref() {
        DeValue::String(word) if is_word(word) => return Ok(()),
        DeValue::Table(_) => return Ok(()),
        _ => format!("{{ value = {written} }}"),
    };
    let message = format!(
        "must be `\"user\"`, `\"assistant\"`, `\"default\"`, `\"decline\"` or a value: write \
         `{id} = {instead}` to give it as the answer"
    );
    Err(source.refuse_value(value.span(), keys, &message))
}

fn flag(source: &Source, (keys, value): Place<'_>) -> Result<()> {
    match value.get_ref() {
        DeValue::String(word) if matches!(word.as_ref(), "true" | "false") => {
            let message = format!("must be a boolean: write `plain = {word}`");
            Err(source.refuse_value(value.span(), keys, &message))
        }
        _ => Ok(()),
    }
}

/// Refuses a number or a boolean where a string must stand.
fn string(source: &Source, (keys, value): Place<'_>) -> Result<()> {
    match scalar(source, value) {
        Some(text) => {
            let message = format!("must be a string: write `{}`", quoted(text));
            Err(source.refuse_value(value.span(), keys, &message))
        }
        None => Ok(()),
    }
}

/// A number, boolean or time as it is written.
fn scalar<'a>(source: &'a Source, value: &Spanned<DeValue<'_>>) -> Option<&'a str> {
    match value.get_ref() {
        DeValue::Integer(_) | DeValue::Float(_) | DeValue::Boolean(_) | DeValue::Datetime(_) => {
            Some(source.text_at(value.span()))
        }
        _ => None,
    }
}

/// A key as TOML writes it.
fn key(name: &str) -> String {
    let is_bare = !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    match is_bare {
        true => name.to_owned(),
        false => quoted(name),
    }
}

/// Looks at each member of a table.
fn members(
    source: &Source,
    (keys, value): Place<'_>,
    look: fn(&Source, Place<'_>) -> Result<()>,
) -> Result<()> {
    let DeValue::Table(table) = value.get_ref() else {
        return Ok(());
    };
    for (name, value) in table.iter() {
        let keys = [keys, &[name.get_ref().as_ref()]].concat();
        look(source, (&keys, value))?;
    }
    Ok(())
}
