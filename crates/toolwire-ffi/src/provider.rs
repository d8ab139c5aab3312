//! The functions of the companion on messages of providers, from text to text.

use toolwire::json::{Document, Kind, Node};
use toolwire::provider::{
    self, FromCallOptions, MessageOptions, ModelCall, Provider, Tools, ToolsOptions,
};
use toolwire::{Code, Error, Json, Limits, MAX_BYTES, MIN_BUDGET, Parsed, parse};

use crate::options::{Options, wrong_member};

/// `to_message` with `{"provider","call"}` and the options of a message: `{"message","companion","report"}`.
///
/// # Errors
///
/// `bad_option`, and `bad_call` of the call.
pub fn to_message(parsed: &Parsed<'_>, options: &str) -> Result<String, Error> {
    let given = Options::read(options, &MESSAGE)?;
    let call = given.members().find(|(name, _)| name == "call");
    let Some((_, call)) = call else {
        return Err(wrong_member("call", "`call` is missing".to_owned()));
    };
    let call = ModelCall::from_json(call.raw())?;
    let message = provider::to_message(parsed, &call, word(&given)?, &message_options(&given)?)?;
    Ok(message.to_json())
}

/// `to_turn` of `{"calls","results"}`, with `{"provider"}` and the options of a message: `{"messages","reports"}`.
/// A result is a tool's output as a string, an envelope, or null for a call that was not run.
///
/// # Errors
///
/// `bad_option`; `bad_argument` if there are no such arrays, and `bad_call` of a call.
pub fn to_turn(turn: &str, options: &str) -> Result<String, Error> {
    let given = Options::read(options, &MESSAGE)?;
    let document = Document::new(turn)?;
    let list = |name: &str| {
        let list = document.root().get(name);
        let list = list.filter(|list| list.kind() == Kind::Array);
        let message = format!("`{name}` is an array");
        list.ok_or_else(|| Error::new(Code::BadArgument, format!("/{name}"), None, message))
    };
    let calls = list("calls")?.elements();
    let calls = calls.map(|call| ModelCall::from_json(call.raw()));
    let calls = calls.collect::<Result<Vec<_>, _>>()?;
    let output = |result: Node<'_>| match result.kind() {
        Kind::Null => None,
        Kind::String => result.as_str().map(|text| text.into_owned().into_bytes()),
        _ => Some(result.raw().as_bytes().to_vec()),
    };
    let results = list("results")?.elements().map(output);
    let results = results.map(|bytes| bytes.map(|bytes| parse(bytes, &Limits::default())));
    let results: Vec<Option<Parsed<'_>>> = results.collect();
    let results: Vec<Option<&Parsed<'_>>> = results.iter().map(Option::as_ref).collect();
    let turn = provider::to_turn(&calls, &results, word(&given)?, &message_options(&given)?)?;
    Ok(turn.to_json())
}

/// `to_tools` with `{"provider","family","strict","cache","outputSchemas"}`: `{"tools","names","report"}`.
///
/// # Errors
///
/// `bad_option`, and those of the function.
pub fn to_tools(tools: &str, options: &str) -> Result<String, Error> {
    let given = Options::read(options, &TOOLS)?;
    Ok(defined(&Json::new(tools)?, &given)?.to_json())
}

/// `from_call` with `{"provider","stopReason","isLast","tools"}`, and the options of `to_tools` if there are tools:
/// `{"call","refusal","history","report"}`.
///
/// # Errors
///
/// `bad_option`, and those of the function.
pub fn from_call(call: &str, options: &str) -> Result<String, Error> {
    let known = [
        "provider",
        "stopReason",
        "isLast",
        "tools",
        "family",
        "strict",
    ];
    let given = Options::read(options, &known)?;
    let mut tools = None;
    let mut stop = None;
    let mut is_last = true;
    for (name, value) in given.members() {
        match name.as_ref() {
            "tools" => tools = Some(defined(&Json::from(value), &given)?),
            "stopReason" => stop = Some(given.text(&name, value)?),
            "isLast" => is_last = given.flag(&name, value)?,
            _ => {}
        }
    }
    let mut options = FromCallOptions::default();
    options.stop_reason = stop.as_deref();
    options.is_last = is_last;
    options.tools = tools.as_ref();
    Ok(provider::from_call(&Json::new(call)?, word(&given)?, &options)?.to_json())
}

/// `to_history` of a call, with `{"provider"}`: the call in the provider's form.
///
/// # Errors
///
/// `bad_option`, and `bad_call` of the call.
pub fn to_history(call: &str, options: &str) -> Result<String, Error> {
    let provider = word(&Options::read(options, &["provider"])?)?;
    let history = provider::to_history(&ModelCall::from_json(call)?, provider);
    Ok(history.as_str().to_owned())
}

/// One of the functions from text to text by its name, for bindings.
///
/// # Errors
///
/// Those of the function.
pub fn call(name: &str, input: &str, options: &str) -> Result<String, Error> {
    match name {
        "to_turn" => to_turn(input, options),
        "to_tools" => to_tools(input, options),
        "from_call" => from_call(input, options),
        _ => to_history(input, options),
    }
}

pub(crate) const TOOLS: [&str; 5] = ["provider", "family", "strict", "cache", "outputSchemas"];

pub(crate) const MESSAGE: [&str; 9] = [
    "provider",
    "call",
    "family",
    "structured",
    "resources",
    "maxBytes",
    "companion",
    "cache",
    "outputSchema",
];

/// The option `provider`, which has no default.
pub(crate) fn word(given: &Options<'_>) -> Result<Provider, Error> {
    match given.members().find(|(name, _)| name == "provider") {
        Some((name, value)) => given.choice(&name, value),
        None => Err(wrong_member("provider", "`provider` is missing".to_owned())),
    }
}

pub(crate) fn message_options(given: &Options<'_>) -> Result<MessageOptions, Error> {
    let mut options = MessageOptions::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "family" => options.family = Some(given.choice(&name, value)?),
            "structured" => options.structured = given.choice(&name, value)?,
            "resources" => options.resources = given.choice(&name, value)?,
            "maxBytes" => {
                let range = MIN_BUDGET as u64..=MAX_BYTES as u64;
                options.max_bytes = Some(given.count(&name, value, range)?);
            }
            "companion" => options.companion = given.flag(&name, value)?,
            "cache" => options.cache = given.flag(&name, value)?,
            "outputSchema" => options.output_schema = given.flag(&name, value)?,
            _ => {}
        }
    }
    Ok(options)
}

fn defined(tools: &Json, given: &Options<'_>) -> Result<Tools, Error> {
    provider::to_tools(tools, word(given)?, &tools_options(given)?)
}

pub(crate) fn tools_options(given: &Options<'_>) -> Result<ToolsOptions, Error> {
    let mut options = ToolsOptions::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "family" => options.family = Some(given.choice(&name, value)?),
            "strict" => options.strict = given.flag(&name, value)?,
            "cache" => options.cache = given.flag(&name, value)?,
            "outputSchemas" => options.output_schemas = given.flag(&name, value)?,
            _ => {}
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_options_are_named() {
        let parsed = parse(&b"12:00"[..], &Limits::default());
        for (options, pointer) in [
            ("{}", "/call"),
            (r#"{"call":{"name":"now"}}"#, "/provider"),
            (
                r#"{"call":{"name":"now"},"provider":"openrouter"}"#,
                "/provider",
            ),
            (
                r#"{"call":{"name":"now"},"provider":"openai","maxBytes":9}"#,
                "/maxBytes",
            ),
            (
                r#"{"call":{"name":"now"},"provider":"openai","model":"x"}"#,
                "/model",
            ),
        ] {
            let error = to_message(&parsed, options).unwrap_err();
            assert_eq!((error.code(), error.pointer()), (Code::BadOption, pointer));
        }
        let error = to_turn("{}", r#"{"provider":"openai"}"#).unwrap_err();
        assert_eq!(
            (error.code(), error.pointer()),
            (Code::BadArgument, "/calls")
        );
        let error = from_call("{}", r#"{"provider":"openai","isLast":1}"#).unwrap_err();
        assert_eq!(error.pointer(), "/isLast");
    }
}
