//! The operations of the protocol, each a call of the public interface.

use crate::author;
use crate::exchange;
use crate::host;
use crate::integers::{text_of, value_of};
use crate::reading::reading;
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Map, Value, json};
use toolwire::call::Call;
use toolwire::json::array;
use toolwire::{Envelope, Error, Exit, Identity, Limits, Output, parse, receive};
use toolwire_ffi::readers;

/// What the harness offers in the handshake.
pub const NAMES: &[&str] = &[
    "parse",
    "receive",
    "validate",
    "canonicalize",
    "digest",
    "format",
    "identify",
    "normalize_uri",
    "summarize",
    "read_envelope",
    "build",
    "read_call",
    "check_answer",
    "exchange",
    "author",
    "ask",
    "tidy_schema",
    "tool",
    "session",
    "host_run",
    "host_list",
    "host_lines",
    "host_session",
    "to_message",
    "to_turn",
    "to_tools",
    "from_call",
];

/// Runs one request.
pub fn run(request: &Value) -> Result<Value, Error> {
    let input = bytes(&request["input"]).unwrap_or_default();
    let mut options = request["options"].clone();
    let limits = match options
        .as_object_mut()
        .and_then(|options| options.remove("limits"))
    {
        Some(limits) => readers::limits(&limits.to_string())?,
        None => Limits::default(),
    };
    Ok(match request["op"].as_str().unwrap_or_default() {
        "parse" => reading(&parse(input, &limits)),
        "receive" => {
            let exit = match options["signal"].as_i64() {
                Some(signal) => Exit::from_signal(signal)?,
                None => Exit::from_code(options["exitCode"].as_i64().unwrap_or(0))?,
            };
            let (stderr, result) = (bytes(&options["stderr"]), bytes(&options["result"]));
            let output = Output {
                stdout: &input,
                result: result.as_deref(),
                exit,
                stderr: stderr.as_deref().unwrap_or_default(),
            };
            reading(&receive(&output, &limits))
        }
        "validate" => toolwire::validate(&input, &limits).map(|()| json!({}))?,
        "canonicalize" => {
            json!({"text": String::from_utf8_lossy(&toolwire::canonicalize(&input, &limits)?)})
        }
        "digest" => json!({"digest": toolwire::digest(&input, &limits)?}),
        "format" => {
            let options = readers::format_options(&options.to_string())?;
            json!({"text": toolwire::format(&parse(input, &limits), &options)?})
        }
        "identify" => {
            let options = readers::identify_options(&options.to_string())?;
            let identities = toolwire::identify(&parse(input, &limits), &options)?;
            json!({"identities": value_of(&array(identities.iter().map(Identity::to_json)))})
        }
        "normalize_uri" => {
            json!({"uri": toolwire::normalize_uri(&text(&input), options["root"].as_str())?})
        }
        "read_envelope" => {
            json!({"text": Envelope::from_json(&text(&input))?.to_json()})
        }
        "read_call" => read_call(&input, &options, &limits)?,
        "check_answer" => exchange::check(&text(&input), &options)?,
        "exchange" => exchange::exchange(&input, &options, &limits)?,
        "author" => author::turn(&input, &options)?,
        "ask" => author::ask_text(&text(&input), &options)?,
        "tidy_schema" => author::tidy_schema(&text(&input), &options)?,
        "session" => crate::session::session(&options)?,
        "tool" => crate::tool::run(&input),
        op @ ("host_run" | "host_list" | "host_lines" | "host_session") => host::run(op, &options)?,
        name if crate::provider::NAMES.contains(&name) => {
            crate::provider::run(name, &input, options.as_object().unwrap_or(&Map::new()))?
        }
        "build" => json!({"text": build(&options["calls"])?}),
        "summarize" => value_of(&toolwire::summarize(&input, &limits).to_json()),
        other => crate::called::run(other, &input, &request["options"])?,
    })
}

/// A call as it is read, and as both carriers have it when it is written.
fn read_call(input: &[u8], options: &Value, limits: &Limits) -> Result<Value, Error> {
    let call = match options["carrier"].as_str() {
        Some("meta") => Call::from_meta(input, limits)?,
        _ => Call::from_json(input, limits)?,
    };
    let mut result = value_of(&toolwire_ffi::reports::call_json(&call));
    result["text"] = call.to_json().into();
    result["meta"] = call.to_meta().into();
    Ok(result)
}

/// Blocks from all calls but the last, which takes them.
fn build(calls: &Value) -> Result<String, Error> {
    let mut made = Vec::new();
    for call in calls.as_array().expect("calls") {
        let (name, mut args) = (call["fn"].as_str().expect("a name"), call["args"].clone());
        if name == "envelope" {
            args["content"] = made.iter().map(|block: &String| value_of(block)).collect();
        }
        let bytes = bytes(&args["bytes"]);
        if bytes.is_some() {
            args.as_object_mut().expect("an object").remove("bytes");
        }
        made.push(toolwire_ffi::build::from_json(
            name,
            &text_of(&args),
            bytes.as_deref(),
        )?);
    }
    Ok(made.pop().expect("at least one call"))
}

/// The input of an operation that takes text.
fn text(input: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(input)
}

fn bytes(base64: &Value) -> Option<Vec<u8>> {
    base64
        .as_str()
        .and_then(|text| BASE64_STANDARD.decode(text).ok())
}
