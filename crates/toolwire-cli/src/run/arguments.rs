//! The arguments of a call, from the manifest, from JSON and from words.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use toolwire::{Error, Json, nearest, parse_arguments};
use toolwire_host::{CheckError, check_foreign};

use crate::args::{GivenArgs, Verb};
use crate::exit::{Failure, Result};
use crate::{input, terminal};

/// The most bytes of a file of arguments or answers.
const MAX_BYTES: usize = 64 * 1024 * 1024;

pub type Members = BTreeMap<String, Json>;

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
        let typed = typed(verb, words, &all, schema)?;
        all.extend(typed);
    }
    let all = Json::from_value(&all).map_err(wrong)?;
    match schema.map_or(Ok(()), |schema| check(verb, schema, &all)) {
        Ok(()) => Ok(all),
        Err(failure) => Err(failure),
    }
}

/// Arguments as words, where others may follow that take precedence: what is missing is not looked at.
pub fn from_words(verb: Verb, words: &[String], schema: Option<&Json>) -> Result<Members> {
    if words.is_empty() {
        return Ok(Members::new());
    }
    let required = schema.and_then(|schema| schema.to_value::<Members>().ok());
    let required = required.and_then(|keywords| keywords.get("required")?.to_value().ok());
    let names: Vec<String> = required.unwrap_or_default();
    let there = names.into_iter().map(|name| (name, Json::empty_object()));
    typed(verb, words, &there.collect(), schema)
}

/// The arguments that words give, of which those in `there` need not be among them.
fn typed(verb: Verb, words: &[String], there: &Members, schema: Option<&Json>) -> Result<Members> {
    let wrong = |error: Error| Failure::Wrong(vec![error.message().to_owned()]);
    let schema = match schema {
        Some(schema) => without_required(schema, there).map_err(wrong)?,
        None => Json::from_value(&Map::new()).map_err(wrong)?,
    };
    let typed = parse_arguments(words, &schema)
        .map_err(|error| Failure::Wrong(vec![refusal(verb, &error, words)]))?;
    typed.to_value().map_err(wrong)
}

/// What is wrong with a word. One that looks like an option may be a misspelt one of the command.
fn refusal(verb: Verb, error: &Error, words: &[String]) -> String {
    let message = error.message();
    let options = words.iter().filter_map(|word| word.strip_prefix("--"));
    let mut names = options.map(|option| option.split('=').next().unwrap_or_default());
    let Some(name) = names.find(|name| message.starts_with(&format!("`--{name}` "))) else {
        return message.to_owned();
    };
    let own = verb.own_options();
    match nearest(name, own.iter().map(String::as_str)) {
        Some(near) if near != name => {
            let verb = verb.as_str();
            format!("{message}; `toolwire {verb}` has the option `--{near}`")
        }
        _ => message.to_owned(),
    }
}

/// Refuses an option of the command behind the program, if the tool has an argument of the same name:
/// nobody can tell which one was meant.
pub fn refuse_ambiguous(
    verb: Verb,
    behind: &[String],
    schema: Option<&Json>,
    tool: &str,
) -> Result<()> {
    let Some(names) = schema.and_then(|schema| schema.to_value::<Members>().ok()) else {
        return Ok(());
    };
    let properties = names.get("properties").map(Json::to_value::<Members>);
    let Some(Ok(properties)) = properties else {
        return Ok(());
    };
    // How a name is spelt is the core's to say. Of these properties nothing matters but the names.
    let any: Map<String, Value> = properties
        .keys()
        .map(|name| (name.clone(), true.into()))
        .collect();
    let any = serde_json::json!({ "properties": any });
    let Ok(any) = Json::new(any.to_string()) else {
        return Ok(());
    };
    for option in behind {
        let read = parse_arguments(&[format!("--{option}=1")], &any);
        let argument = read.and_then(|read| read.to_value::<Members>());
        if let Some(name) = argument.ok().and_then(|read| read.into_keys().next()) {
            let command = verb.as_str();
            return Err(Failure::Wrong(vec![format!(
                "`--{option}` is an option of `toolwire {command}`, and `{tool}` has the argument \
                 `{name}`: write `{name}=VALUE` for the argument, or put `--{option}` before the \
                 source"
            )]));
        }
    }
    Ok(())
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
