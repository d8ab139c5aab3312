//! The arguments of a call, from the manifest, from JSON and from words.

use std::collections::BTreeMap;

use serde_json::Map;
use toolwire::{Error, Json, parse_arguments};
use toolwire_host::{CheckError, check_foreign};

use crate::args::GivenArgs;
use crate::exit::{Failure, Result};
use crate::{input, terminal};

/// The most bytes of a file of arguments or answers.
const MAX_BYTES: usize = 64 * 1024 * 1024;

pub type Members = BTreeMap<String, Json>;

/// What takes the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    Run,
    /// `run` with a tool of an MCP server.
    RunAtServer,
    /// `session spawn`.
    Spawn,
}

/// The arguments that are given as JSON.
pub fn given(args: &GivenArgs) -> Result<Option<Members>> {
    match (&args.args, &args.args_file) {
        (Some(text), _) => {
            let read = Json::new(text).and_then(|json| members(&json));
            let wrong = |error| Failure::Wrong(vec![not_an_object("`--args`", &error)]);
            read.map(Some).map_err(wrong)
        }
        (None, Some(path)) => object_file(path).map(Some),
        (None, None) => Ok(None),
    }
}

/// A file with a JSON object.
pub fn object_file(path: &std::path::Path) -> Result<Members> {
    let bytes = input::read_file(path, MAX_BYTES)?;
    let name = format!("`{}`", path.display());
    object(&bytes, &name)
}

/// A text that is to be an object of arguments, which messages call `name`.
pub fn object(bytes: &[u8], name: &str) -> Result<Members> {
    let text = std::str::from_utf8(bytes)
        .map_err(|_| Failure::Wrong(vec![format!("{name} is not UTF-8")]))?;
    Json::new(text)
        .and_then(|json| members(&json))
        .map_err(|error| Failure::Wrong(vec![not_an_object(name, &error)]))
}

fn members(json: &Json) -> std::result::Result<Members, Error> {
    match json.as_str().starts_with('{') {
        true => json.to_value(),
        false => Err(Error::new(
            toolwire::Code::BadArgument,
            "",
            None,
            "it is not an object",
        )),
    }
}

fn not_an_object(name: &str, error: &Error) -> String {
    let place = error
        .offset()
        .map_or_else(String::new, |at| format!(", at byte {at}"));
    // The core speaks of what a tool wrote.
    let message = match error.message().strip_prefix("the output ") {
        Some(rest) => format!("it {rest}"),
        None => error.message().to_owned(),
    };
    format!("{name} is not a JSON object: {message}{place}")
}

/// All arguments together, those of `defaults` below those of `given` below the words; they fit the
/// schema, if there is one.
pub fn compose(
    verb: Verb,
    defaults: Option<&Members>,
    given: Option<&Members>,
    words: &[String],
    schema: Option<&Json>,
) -> Result<Json> {
    let wrong = |error: Error| Failure::Wrong(vec![error.message().to_owned()]);
    let mut all = defaults.cloned().unwrap_or_default();
    all.extend(
        given
            .into_iter()
            .flatten()
            .map(|(name, value)| (name.clone(), value.clone())),
    );
    if !words.is_empty() || (all.is_empty() && schema.is_some()) {
        let typed = typed(words, &all, schema)?;
        all.extend(typed);
    }
    let all = Json::from_value(&all).map_err(wrong)?;
    schema.map_or(Ok(()), |schema| check(verb, schema, &all))?;
    Ok(all)
}

/// Arguments as words, where others may follow that take precedence: what is missing is not looked at.
pub fn from_words(words: &[String], schema: Option<&Json>) -> Result<Members> {
    if words.is_empty() {
        return Ok(Members::new());
    }
    let required = schema.and_then(|schema| schema.to_value::<Members>().ok());
    let required = required.and_then(|keywords| keywords.get("required")?.to_value().ok());
    let names: Vec<String> = required.unwrap_or_default();
    let there = names.into_iter().map(|name| (name, Json::empty_object()));
    typed(words, &there.collect(), schema)
}

/// The arguments that words give, of which those in `there` need not be among them.
fn typed(words: &[String], there: &Members, schema: Option<&Json>) -> Result<Members> {
    let wrong = |error: Error| Failure::Wrong(vec![error.message().to_owned()]);
    let schema = match schema {
        Some(schema) => without_required(schema, there).map_err(wrong)?,
        None => Json::from_value(&Map::new()).map_err(wrong)?,
    };
    let typed = parse_arguments(words, &schema).map_err(wrong)?;
    typed.to_value().map_err(wrong)
}

fn check(verb: Verb, schema: &Json, arguments: &Json) -> Result<()> {
    let unchecked = |error: Error| {
        let message =
            format!("the arguments can't be checked with the tool's input schema: {error}");
        match verb {
            // A server looks at what it is given itself.
            Verb::RunAtServer => {
                terminal::complain(&format!("warning: {message}"));
                Ok(())
            }
            Verb::Run => Err(Failure::Refused(format!(
                "{message}; `--call` runs it without this check"
            ))),
            Verb::Spawn => Err(Failure::Refused(message)),
        }
    };
    match check_foreign(schema, arguments) {
        Ok(()) => Ok(()),
        Err(CheckError::BadSchema(error) | CheckError::OverBudget(error)) => unchecked(error),
        Err(CheckError::Mismatches(found)) => {
            let messages = found.into_iter().map(|one| one.message);
            Err(Failure::Wrong(messages.collect()))
        }
    }
}

/// The schema in which those are not required that are there already: words alone are looked at by
/// whoever reads them.
fn without_required(schema: &Json, there: &Members) -> std::result::Result<Json, Error> {
    if there.is_empty() {
        return Ok(schema.clone());
    }
    let mut keywords: Members = schema.to_value()?;
    let required = keywords.get("required").map(Json::to_value::<Vec<String>>);
    if let Some(Ok(mut names)) = required {
        names.retain(|name| !there.contains_key(name));
        keywords.insert("required".to_owned(), Json::from_value(&names)?);
    }
    Json::from_value(&keywords)
}
