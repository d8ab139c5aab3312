//! The state machine of chapter 21.

use serde_json::{Value, json};
use toolwire::Error;
use toolwire_ffi::session::{handle, machine};

use crate::integers::{text_of, value_of};

/// What comes of each event, without the wording of refusals.
pub fn session(options: &Value) -> Result<Value, Error> {
    let mut options = options.clone();
    let mut take = |name: &str| {
        options
            .as_object_mut()
            .and_then(|members| members.remove(name))
    };
    let (id, events) = (take("id"), take("events"));
    let id = id.as_ref().and_then(Value::as_str).unwrap_or("staging");
    let mut machine = machine(id, &options.to_string())?;
    let mut outcomes = Vec::new();
    for event in events.iter().filter_map(Value::as_array).flatten() {
        let mut outcome = value_of(&handle(&mut machine, text_of(event).as_bytes())?);
        if let Some(refusal) = outcome.get_mut("refusal").and_then(Value::as_object_mut) {
            refusal.remove("message");
            let mismatches = refusal.get_mut("mismatches").and_then(Value::as_array_mut);
            for one in mismatches.into_iter().flatten() {
                *one = json!({"pointer": one["pointer"]});
            }
        }
        outcomes.push(outcome);
    }
    Ok(json!({"outcomes": outcomes, "question": machine.question().map(|question| &question.id)}))
}
