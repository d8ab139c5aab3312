//! The operations of the protocol, each a call of the public interface.

use crate::author;
use crate::elicitation;
use crate::exchange;
use crate::host;
use crate::integers::{text_of, value_of};
use crate::mcp;
use crate::reading::reading;
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use toolwire::call::{Call, Marker, describe, find_marker, read_description};
use toolwire::event::read_event;
use toolwire::json::array;
use toolwire::legacy::{Legacy, read_legacy, unwrap_outcome};
use toolwire::lines::{HostLine, ToolLine};
use toolwire::question::{
    SecretContext, find_secret, prompt, read_question, read_template, refusal,
};
use toolwire::{Envelope, Error, Exit, Identity, Json, Limits, Output, parse, receive};

/// What the harness offers in the handshake.
pub const NAMES: &[&str] = &[
    "parse",
    "receive",
    "validate",
    "canonicalize",
    "digest",
    "format",
    "identify",
    "fingerprint",
    "project_tool",
    "jn_hash",
    "normalize_uri",
    "summarize",
    "read_envelope",
    "build",
    "read_call",
    "describe",
    "find_marker",
    "find_secret",
    "prompt",
    "read_template",
    "refusal",
    "parse_arguments",
    "check_answer",
    "exchange",
    "author",
    "ask",
    "tidy_schema",
    "project_schema",
    "lint_schema",
    "read_legacy",
    "unwrap_outcome",
    "tool",
    "to_result",
    "from_result",
    "to_tool",
    "from_tool",
    "call_to_meta",
    "call_from_meta",
    "read_event",
    "read_line",
    "to_elicitation",
    "to_input_required",
    "answer_from_elicit_result",
    "from_elicitation",
    "answer_to_elicit_result",
    "without_elicitation",
    "can_elicit",
    "required_capabilities",
    "session",
    "terminal_input",
    "read_command",
    "action_schema",
    "parse_launch_uri",
    "format_launch_uri",
    "parse_profile_word",
    "format_profile_word",
    "read_profile",
    "write_profile",
    "compare_profile",
    "diff_tools",
    "find_hidden",
    "read_lock",
    "check_lock",
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
        Some(limits) => toolwire_ffi::options::limits(&limits.to_string())?,
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
            let options = toolwire_ffi::options::format(&options.to_string())?;
            json!({"text": toolwire::format(&parse(input, &limits), &options)?})
        }
        "identify" => {
            let options = toolwire_ffi::options::identify(&options.to_string())?;
            let identities = toolwire::identify(&parse(input, &limits), &options)?;
            json!({"identities": value_of(&array(identities.iter().map(Identity::to_json)))})
        }
        name if crate::fingerprint::NAMES.contains(&name) => {
            crate::fingerprint::run(name, &input, &options)?
        }
        "normalize_uri" => {
            json!({"uri": toolwire::normalize_uri(&text(&input), options["root"].as_str())?})
        }
        "read_envelope" => {
            json!({"text": Envelope::from_json(&text(&input))?.to_json()})
        }
        "read_call" => read_call(&input, &options, &limits)?,
        "describe" => match read_description(&parse(input, &limits))? {
            Some(tools) => json!({
                "tools": tools.iter().map(|tool| value_of(&tool.to_json())).collect::<Vec<_>>(),
                "text": describe(&tools)?.to_json(),
            }),
            None => json!({}),
        },
        "find_marker" => {
            let marker = find_marker(&input[..]).map_err(|error| {
                Error::new(toolwire::Code::BadCall, "", None, error.to_string())
            })?;
            json!({"marker": marker.map(Marker::as_str)})
        }
        "find_secret" => {
            let context = options["context"].as_array().into_iter().flatten();
            let context: SecretContext = context.filter_map(Value::as_str).collect();
            match find_secret(&read_question(&text(&input))?, &context) {
                Some(found) => value_of(&found.to_json()),
                None => json!({}),
            }
        }
        "prompt" => {
            let question = read_question(&text(&input))?;
            value_of(&prompt(&question)?.to_json(&question, question.default.as_ref()))
        }
        "read_template" => {
            let answer = read_template(&text(&input))?;
            json!({"value": answer.map(|answer| answer.as_str().to_owned())})
        }
        "refusal" => {
            json!({"text": refusal(&toolwire_ffi::options::refusal(&options.to_string())?)?.to_json()})
        }
        "parse_arguments" => {
            let words = options["words"].as_array().into_iter().flatten();
            let words: Vec<&str> = words.filter_map(Value::as_str).collect();
            let given = toolwire::parse_arguments(&words, &Json::new(text(&input))?)?;
            json!({"text": given.as_str()})
        }
        "check_answer" => exchange::check(&text(&input), &options)?,
        "exchange" => exchange::exchange(&input, &options, &limits)?,
        "author" => author::turn(&input, &options)?,
        "ask" => author::ask_text(&text(&input), &options)?,
        "project_schema" => author::project_schema(&text(&input), &options)?,
        "lint_schema" => author::lint_schema(&text(&input), &options)?,
        "tidy_schema" => author::tidy_schema(&text(&input), &options)?,
        "read_legacy" => legacy(read_legacy(&input, &limits)?),
        "unwrap_outcome" => legacy(unwrap_outcome(&parse(input, &limits))),
        "terminal_input" => crate::session::terminal_input(&text(&input), &options)?,
        "session" => crate::session::session(&options)?,
        "read_command" => crate::session::command(&text(&input), &options)?,
        "action_schema" => crate::session::schema(&text(&input), &options)?,
        name if crate::launch::NAMES.contains(&name) => crate::launch::run(name, &input)?,
        "diff_tools" => crate::differences::diff(&text(&input), &options)?,
        "find_hidden" => crate::locks::find_hidden(&text(&input)),
        "read_lock" => crate::locks::read(&text(&input), &options)?,
        "check_lock" => crate::locks::check(&text(&input), &options)?,
        "tool" => crate::tool::run(&input),
        op @ ("host_run" | "host_list" | "host_lines" | "host_session") => host::run(op, &options)?,
        name if crate::provider::NAMES.contains(&name) => {
            crate::provider::run(name, &input, &options, &limits)?
        }
        name if mcp::NAMES.contains(&name) => mcp::run(name, &input, &options, &limits)?,
        "read_event" => match read_event(&input, &limits)? {
            Some(event) => json!({"text": event.to_json()}),
            None => json!({}),
        },
        "read_line" => json!({"text": read_line(&input, &options, &limits)?}),
        name if crate::profile::NAMES.contains(&name) => {
            crate::profile::run(name, &text(&input), &options)?
        }
        name if elicitation::NAMES.contains(&name) => {
            elicitation::run(name, &text(&input), &options)?
        }
        "build" => json!({"text": build(&options["calls"])?}),
        "summarize" => value_of(&toolwire::summarize(&input, &limits).to_json()),
        other => unreachable!("the runner sends only what OPS names, not `{other}`"),
    })
}

/// A line of either side as it is written again.
fn read_line(input: &[u8], options: &Value, limits: &Limits) -> Result<Option<String>, Error> {
    Ok(match options["from"].as_str() {
        Some("host") => HostLine::from_json(input, limits)?.map(|line| line.to_json()),
        _ => ToolLine::from_json(input, limits)?.map(|line| line.to_json()),
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

/// What a document in a legacy format has become; its reasons are wording.
fn legacy(read: Option<Legacy>) -> Value {
    let Some(legacy) = read else {
        return json!({});
    };
    let entries = legacy.report.entries.iter();
    let report = entries.map(|one| json!({"pointer": one.pointer, "fate": one.fate.as_str()}));
    json!({
        "format": legacy.format.as_str(),
        "document": String::from_utf8_lossy(legacy.parsed.document()),
        "report": report.collect::<Vec<_>>(),
    })
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
