//! The operations that are functions of the API, called by their names as a binding calls them.

use serde_json::{Map, Value, json};
use toolwire::event::ToolEvent;
use toolwire::json::array;
use toolwire::{Diagnostic, Error, Json};
use toolwire_ffi::{Arg, Args, Kind, Reply, call, parameters};

use crate::integers::{text_of, value_of};

/// The operations whose reply is a text, and the member that it is in.
const TEXTS: [(&str, &str); 10] = [
    ("jn_hash", "hash"),
    ("format_launch_uri", "uri"),
    ("format_profile_word", "text"),
    ("find_marker", "marker"),
    ("read_line", "text"),
    ("refusal", "text"),
    ("parse_arguments", "text"),
    ("call_to_meta", "text"),
    ("call_from_meta", "text"),
    ("read_template", "value"),
];

/// The operations whose reply is a value, and the member that it is in.
const VALUES: [(&str, &str); 7] = [
    ("required_capabilities", "required"),
    ("can_elicit", "can"),
    ("answer_to_elicit_result", "result"),
    ("action_schema", "schema"),
    ("write_profile", "files"),
    ("check_lock", "report"),
    ("compare_profile", "changed"),
];

/// The other operations that are one function.
const PLAIN: [&str; 22] = [
    "fingerprint",
    "project_tool",
    "parse_launch_uri",
    "parse_profile_word",
    "find_secret",
    "prompt",
    "terminal_input",
    "lint_schema",
    "project_schema",
    "read_command",
    "read_event",
    "read_legacy",
    "unwrap_outcome",
    "to_result",
    "from_result",
    "to_tool",
    "from_tool",
    "to_elicitation",
    "to_input_required",
    "answer_from_elicit_result",
    "from_elicitation",
    "without_elicitation",
];

/// The operations that are several.
const OTHERS: [&str; 5] = [
    "diff_tools",
    "find_hidden",
    "read_lock",
    "read_profile",
    "describe",
];

/// What is offered in the handshake.
pub fn names() -> impl Iterator<Item = &'static str> {
    let wrapped = TEXTS.iter().chain(&VALUES).map(|(name, _)| *name);
    wrapped.chain(PLAIN).chain(OTHERS)
}

/// Runs an operation.
pub fn run(op: &str, input: &[u8], options: &Value) -> Result<Value, Error> {
    let mut own = options.as_object().cloned().unwrap_or_default();
    Ok(match op {
        "diff_tools" => differences(input, &mut own)?,
        "find_hidden" => json!({
            "findings": value(function("find_hidden", input, &mut own)?),
            "text": text(function("show_hidden", input, &mut own)?),
        }),
        "read_lock" => read_lock(input, own)?,
        "read_profile" => {
            let is_folder = own.remove("files") == Some(true.into());
            let name = if is_folder { "read_profile_files" } else { op };
            profile(value(function(name, input, &mut own)?))
        }
        "describe" => match function("read_description", input, &mut own)? {
            Reply::Json(tools) => {
                let described = call("describe", &Args(vec![Arg::Text((&*tools).into())]), "{}")?;
                json!({"tools": value_of(&tools), "text": text(described)})
            }
            _ => json!({}),
        },
        _ => {
            let given = own.remove("given");
            let reply = function(op, input, &mut own)?;
            let mut result = shaped(op, reply);
            if let Some(given) = given {
                let args = vec![Arg::Bytes(input), Arg::Text(text_of(&given).into())];
                result["value"] = text(call("unwrap_value", &Args(args), &text_of(&own.into()))?);
            }
            result
        }
    })
}

/// Calls a function: one argument is the input, the others are taken out of the options.
fn function(name: &str, input: &[u8], own: &mut Map<String, Value>) -> Result<Reply, Error> {
    let parameters = parameters(name).expect("a function of the API");
    let of_input = match name {
        "answer_from_elicit_result" | "parse_arguments" => 1,
        "call_from_meta" => 2,
        _ => 0,
    };
    let mut args = Vec::new();
    for (index, (parameter, kind, optional)) in parameters.iter().enumerate() {
        let given = own.remove(if *parameter == "source" {
            "from"
        } else {
            parameter
        });
        args.push(match given {
            _ if index == of_input && *optional && input.is_empty() => Arg::Absent,
            _ if index == of_input && *kind == Kind::Text => {
                Arg::Text(String::from_utf8_lossy(input))
            }
            _ if index == of_input => Arg::Bytes(input),
            None | Some(Value::Null) => Arg::Absent,
            Some(Value::String(text)) if *kind == Kind::Text => Arg::Text(text.into()),
            // A document can be its text.
            Some(Value::String(text)) if *kind == Kind::Document => Arg::Text(text.into()),
            Some(value) => Arg::Text(text_of(&value).into()),
        });
    }
    call(name, &Args(args), &text_of(&own.clone().into()))
}

/// The result as the protocol has it, without what is wording.
fn shaped(op: &str, reply: Reply) -> Value {
    if let Some((_, member)) = TEXTS.iter().find(|(name, _)| *name == op) {
        return json!({*member: text(reply)});
    }
    if let Some((_, member)) = VALUES.iter().find(|(name, _)| *name == op) {
        let mut result = value(reply);
        match op {
            "check_lock" => checked(&mut result),
            "compare_profile" => kept(&mut result, &["tool", "what"]),
            _ => {}
        }
        return json!({*member: result});
    }
    match (op, reply) {
        ("read_event", Reply::Event(event)) => json!({"text": text(Reply::Event(event))}),
        ("read_command", Reply::Json(command)) => {
            let command = Json::new(command).expect("the core writes JSON");
            json!({"text": command.sorted().as_str()})
        }
        ("lint_schema", reply) => json!({"diagnostics": value(reply)}),
        ("without_elicitation", reply) => {
            let result = value(reply);
            let envelope = value_of(result["envelope"].as_str().unwrap_or("{}"));
            json!({"text": envelope["content"][0]["text"], "isError": envelope["isError"], "hasWay": result["hasWay"]})
        }
        (_, Reply::Null) => json!({}),
        (_, Reply::Record(members)) => record(op, members),
        (_, reply) => value(reply),
    }
}

fn record(op: &str, members: Vec<(&'static str, Reply)>) -> Value {
    let mut result = Map::new();
    for (name, member) in members {
        match (name, member) {
            ("tool", Reply::Json(tool)) => drop(result.insert("text".to_owned(), tool.into())),
            ("result", Reply::Json(_)) if op == "to_result" => {}
            ("parsed", Reply::Parsed(parsed)) => {
                let document = String::from_utf8_lossy(parsed.document());
                result.insert("document".to_owned(), document.into());
                if op == "from_result" {
                    result.insert("verdict".to_owned(), parsed.verdict().as_str().into());
                }
            }
            (name, member) => drop(result.insert(name.to_owned(), value(member))),
        }
    }
    // The reasons of the elicitation of MCP are in its rules, and others are wording.
    if let Some(report) = result
        .get_mut("report")
        .filter(|_| !op.contains("elicit") && op != "to_input_required")
    {
        kept(report, &["pointer", "fate"]);
    }
    result.into()
}

fn value(reply: Reply) -> Value {
    match reply {
        Reply::Flag(flag) => flag.into(),
        Reply::Json(json) => value_of(&json),
        Reply::Answer(answer) => value_of(&answer.to_json()),
        Reply::Diagnostics(found) => {
            let mut found = value_of(&array(found.iter().map(Diagnostic::to_json)));
            kept(&mut found, &["code", "severity", "pointer", "offset"]);
            found
        }
        Reply::Question(question) => value_of(&toolwire::question::write_question(&question)),
        Reply::Record(members) => record("", members),
        reply => text(reply),
    }
}

fn text(reply: Reply) -> Value {
    match reply {
        Reply::Text(text) | Reply::Json(text) | Reply::Envelope(text) => text.into(),
        Reply::Answer(answer) => answer.value().map(Json::as_str).into(),
        Reply::Call(call) => call.to_json().into(),
        Reply::Event(ToolEvent::Progress(event)) => event.to_json().into(),
        Reply::Event(ToolEvent::Message(event)) => event.to_json().into(),
        _ => Value::Null,
    }
}

/// Leaves these members of each object of a list.
fn kept(list: &mut Value, names: &[&str]) {
    for one in list.as_array_mut().into_iter().flatten() {
        let members = names.iter().filter(|name| one.get(**name).is_some());
        *one = members
            .map(|name| ((*name).to_owned(), one[*name].clone()))
            .collect();
    }
}

/// Without the wording of changes, and which witness was found.
fn differences(input: &[u8], own: &mut Map<String, Value>) -> Result<Value, Error> {
    let both = Json::new(String::from_utf8_lossy(input))?;
    let side = |name| {
        Arg::Text(
            both.at(name)
                .expect("an old and a new side")
                .as_str()
                .to_owned()
                .into(),
        )
    };
    let args = Args(vec![side("/old"), side("/new")]);
    let mut diff = value(call("diff_tools", &args, &text_of(&own.clone().into()))?);
    for change in diff["changes"].as_array_mut().into_iter().flatten() {
        let members = change.as_object_mut().expect("an object");
        members.remove("message");
        members.remove("advice");
        if let Some(Value::Object(witness)) = members.remove("witness") {
            let kind = witness.keys().next().expect("one member").clone();
            members.insert("witness".to_owned(), kind.into());
        }
    }
    Ok(diff)
}

/// A lock as it is written again, after an update if one is asked for.
fn read_lock(input: &[u8], mut own: Map<String, Value>) -> Result<Value, Error> {
    let update = own.remove("update");
    let Reply::Record(members) = function("read_lock", input, &mut own)? else {
        return Ok(Value::Null);
    };
    let found = members.into_iter().find(|(name, _)| *name == "diagnostics");
    let Some((_, Reply::Diagnostics(found))) = found else {
        return Ok(Value::Null);
    };
    let written = match update {
        None => function("write_lock", input, &mut own)?,
        Some(Value::Object(mut update)) => function("update_lock", input, &mut update)?,
        Some(_) => Reply::Null,
    };
    let found = value_of(&array(found.iter().map(Diagnostic::to_json)));
    Ok(json!({"text": text(written), "diagnostics": found}))
}

/// Without the wording of changes.
fn checked(report: &mut Value) {
    let sources = report["sources"].as_array_mut().into_iter().flatten();
    for tool in sources
        .filter_map(|source| source["tools"].as_array_mut())
        .flatten()
    {
        kept(&mut tool["changes"], &["tool", "place", "what", "verdict"]);
    }
}

/// Texts in place of values, and how many trials there are of each tool.
fn profile(mut read: Value) -> Value {
    for tool in read["tools"].as_array_mut().into_iter().flatten() {
        tool["inputSchema"] = tool["inputSchemaText"].take();
        tool.as_object_mut()
            .expect("an object")
            .remove("inputSchemaText");
    }
    for trials in read["testedWith"]
        .as_object_mut()
        .into_iter()
        .flat_map(Map::values_mut)
    {
        *trials = trials.as_array().map_or(0, Vec::len).into();
    }
    read["launcher"] = read["launcherText"].take();
    read.as_object_mut()
        .expect("an object")
        .remove("launcherText");
    read
}
