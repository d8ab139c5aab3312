//! Laws of verdicts: what is said of two schemas or tools stands up to two validators.

use serde_json::Value;
use toolwire::Json;
use toolwire::json::ObjectWriter;
use toolwire_contract::diff::{Verdict, Witness};

use crate::calls;
use crate::generate::contract::{Relation, values};
use crate::trial::Trial;
use crate::validators::Validators;

/// The schema of an input, if it is one with members.
pub(super) fn schema_of(input: &[u8]) -> Option<Value> {
    let schema: Value = serde_json::from_slice(input).ok()?;
    schema.is_object().then_some(schema)
}

/// What is said of tools with these schemas stands up to the validators, for their arguments and for their results.
pub(super) fn tools(input: &[u8], salt: u64) -> Result<(), String> {
    let Some(trial) = schema_of(input).and_then(|base| Trial::of(&base, salt)) else {
        return Ok(());
    };
    // Of results a caller may expect what the old schema says: the new one is to be within it.
    let of_results = salt.is_multiple_of(3);
    let (old, new) = match of_results {
        true => (results(&trial.new), results(&trial.old)),
        false => (arguments(&trial.old), arguments(&trial.new)),
    };
    let wrong = |why: &str| Err(format!("{why}: {old} and {new}"));
    let diff = match calls::diff_tools(&old, &new, trial.open) {
        Ok(diff) => diff,
        Err(error) => return wrong(&format!("no difference, but {error}")),
    };
    if trial.relation == Relation::Wider && diff.verdict == Verdict::Breaking {
        return wrong("the new one is wider, and yet it is said to break");
    }
    // A result with a member that the old schema did not forbid is another behaviour (DIFF-41).
    let forbids = of_results.then(|| literal(&trial.new)).flatten();
    let forbidden = |value: &Value| {
        forbids
            .as_ref()
            .is_none_or(|old| old.allow(value) == Some(false))
    };
    for value in trial.counterexamples() {
        let least = if forbidden(value) {
            Verdict::Unknown
        } else {
            Verdict::Behaviour
        };
        if diff.verdict < least {
            return wrong(&format!("`{}`, but not for {value}", diff.verdict));
        }
    }
    let greatest = diff.changes.iter().map(|change| change.verdict).max();
    if greatest.unwrap_or(Verdict::Same) != diff.verdict {
        return wrong("the verdict is not that of the worst change");
    }
    for change in &diff.changes {
        let breaking = change.verdict == Verdict::Breaking;
        match (&change.witness, of_results) {
            (Some(Witness::Arguments(value)), false) | (Some(Witness::Result(value)), true)
                if breaking =>
            {
                trial.witness(value)?;
            }
            (None, _) if !breaking => {}
            _ => return wrong(&format!("a witness that is none: {}", change.to_json())),
        }
    }
    Ok(())
}

fn literal(schema: &Json) -> Option<Validators> {
    Validators::of(&serde_json::from_str(schema.as_str()).ok()?)
}

fn arguments(schema: &Json) -> Json {
    written(
        ObjectWriter::new()
            .text("name", "t")
            .json("inputSchema", schema.as_str()),
    )
}

fn results(schema: &Json) -> Json {
    let writer = &mut ObjectWriter::new();
    let writer = writer
        .text("name", "t")
        .json("inputSchema", r#"{"type":"object"}"#);
    written(writer.json("outputSchema", schema.as_str()))
}

fn written(object: &mut ObjectWriter) -> Json {
    Json::new(object.end()).unwrap_or_else(|_| Json::empty_object())
}

/// A closed schema allows nothing that the schema does not, and refuses only for a member too many.
pub(super) fn closing(input: &[u8], salt: u64) -> Result<(), String> {
    let Some(base) = schema_of(input) else {
        return Ok(());
    };
    let (Some(closed), Some(open)) = (close(&base), Validators::of(&base)) else {
        return Ok(());
    };
    let Some(once) = Validators::of(&closed) else {
        return Err(format!("no schema any more: {closed}"));
    };
    let mut rng = crate::rng::Rng::with_seed(salt);
    for value in values(&base, &closed, 16, &mut rng) {
        let wrong = match (open.allow(&value), once.allow(&value)) {
            (Some(false), Some(true)) => "allowed when closed",
            (Some(true), Some(false)) if !has_members(&value) => "refused without a member",
            _ => continue,
        };
        return Err(format!("{wrong}: {value} for {base}, closed {closed}"));
    }
    Ok(())
}

fn close(schema: &Value) -> Option<Value> {
    let schema = Json::new(schema.to_string()).ok()?;
    serde_json::from_str(toolwire_contract::diff::closed(&schema).ok()?.as_str()).ok()
}

fn has_members(value: &Value) -> bool {
    match value {
        Value::Object(members) => !members.is_empty(),
        Value::Array(list) => list.iter().any(has_members),
        _ => false,
    }
}
