//! The operations of the companion on messages of providers.

use std::borrow::Cow;

use serde_json::{Map, Value, json};
use toolwire::Error;
use toolwire_ffi::{Arg, Args, Reply, call};

use crate::integers::{text_of, value_of};

pub const NAMES: [&str; 4] = ["to_message", "to_turn", "to_tools", "from_call"];

/// Runs one of them.
pub fn run(name: &str, input: &[u8], options: &Map<String, Value>) -> Result<Value, Error> {
    let mut options = options.clone();
    let mut taken = |name: &str| options.remove(name).unwrap_or_default();
    let text = |value: Value| Arg::Text(Cow::Owned(text_of(&value)));
    let provider = taken("provider");
    let mut args = match name {
        "to_message" => vec![Arg::Bytes(input), text(taken("call"))],
        "to_turn" => {
            let mut turn = value_of(&String::from_utf8_lossy(input));
            vec![text(turn["calls"].take()), text(turn["results"].take())]
        }
        _ => vec![Arg::Bytes(input)],
    };
    args.push(Arg::Text(provider.as_str().unwrap_or_default().into()));
    let Reply::Json(made) = call(name, &Args(args), &text_of(&Value::Object(options)))? else {
        return Ok(Value::Null);
    };
    let mut result = value_of(&made);
    without_reasons(&mut result["report"]);
    for report in result["reports"].as_array_mut().into_iter().flatten() {
        without_reasons(report);
    }
    // What a refusal says is wording.
    if let Some(refusal) = result.get_mut("refusal") {
        *refusal = json!(!refusal.is_null());
    }
    Ok(result)
}

/// A report without its reasons, which are wording.
fn without_reasons(report: &mut Value) {
    for entry in report.as_array_mut().into_iter().flatten() {
        entry.as_object_mut().expect("an entry").remove("reason");
    }
}
