//! Changes in words for people, and what a caller has to do (28.7).

use toolwire::Json;
use toolwire::json::brief;

use super::types::{Change, Verdict, What};
use crate::hidden::find_hidden_in;

/// The most characters of a value that are quoted.
const QUOTED: usize = 60;

/// A change of a schema that holds no values yet.
pub(super) fn change(tool: &str, place: &str, what: What, verdict: Verdict) -> Change {
    let mut change = Change {
        tool: tool.to_owned(),
        place: place.to_owned(),
        what,
        verdict,
        old: None,
        new: None,
        witness: None,
        guess: false,
        message: message(what, place),
        advice: String::new(),
    };
    change.advice = advice(&change);
    change
}

/// Where a place is, as its readers call it.
fn subject(place: &str, what: What) -> String {
    let mut words = Vec::new();
    let mut steps = place.split('/').skip(2).peekable();
    while let Some(step) = steps.next() {
        match step {
            "properties" | "$defs" | "definitions" => {
                if let Some(name) = steps.next() {
                    words.push(toolwire::json::pointer::unescape(name).into_owned());
                }
            }
            "items" => words.push("[]".to_owned()),
            // As the last step it may be the keyword itself that has changed.
            "additionalProperties" if what != What::Members || steps.peek().is_some() => {
                words.push("*".to_owned());
            }
            "patternProperties" => {
                if let Some(pattern) = steps.next() {
                    words.push(format!("/{}/", toolwire::json::pointer::unescape(pattern)));
                }
            }
            "prefixItems" => {
                if let Some(index) = steps.next() {
                    words.push(format!("[{index}]"));
                }
            }
            // A name that is no step to a member.
            "dependentSchemas" => drop(steps.next()),
            _ => {}
        }
    }
    let name = words.join(".").replace(".[", "[");
    match (name.as_str(), place.starts_with("/outputSchema")) {
        ("", true) => "the result".to_owned(),
        ("", false) if place.starts_with("/inputSchema") => "the arguments object".to_owned(),
        ("", false) => "the tool".to_owned(),
        (name, _) => format!("`{}`", brief(name, QUOTED)),
    }
}

fn message(what: What, place: &str) -> String {
    let subject = subject(place, what);
    match what {
        What::ToolAdded => "the tool is new".to_owned(),
        What::ToolRemoved => "the tool is gone".to_owned(),
        What::ToolRenamed => "the tool has another name".to_owned(),
        What::ParameterAdded => format!("{subject} is new"),
        What::ParameterRemoved => format!("{subject} is gone"),
        What::ParameterRenamed => format!("{subject} seems to be a new name"),
        What::ParameterRequired => format!("{subject} has to be there now"),
        What::ParameterOptional => format!("{subject} can be left out now"),
        What::Type => format!("{subject} has another type"),
        What::Values => format!("{subject} has other values to choose from"),
        What::Bounds => format!("{subject} has other bounds"),
        What::Length => format!("{subject} has another length"),
        What::Items => format!("{subject} has other elements"),
        What::Members => format!("{subject} may have other members"),
        What::Alternatives => format!("{subject} has other alternatives or conditions"),
        What::Pattern => format!("{subject} has another pattern"),
        What::Format => format!("{subject} has another format"),
        What::Content => format!("{subject} has other encoded content"),
        What::Keyword => format!(
            "{subject} has a keyword that JSON Schema does not have, or another value of it"
        ),
        What::Schema => format!("the schema of {subject} has changed"),
        What::OutputAdded => "results have a schema now".to_owned(),
        What::OutputRemoved => "results have no schema any more".to_owned(),
        What::Default => format!("{subject} has another default"),
        What::Access => format!("{subject} can be read or written otherwise"),
        What::Title => format!("the title of {subject} has changed"),
        What::Description => format!("the description of {subject} has changed"),
        What::Remark => format!("remarks about {subject} have changed"),
        What::Annotation => "what the tool says of its own safety has changed".to_owned(),
        What::Execution => "how the tool is run has changed".to_owned(),
    }
}

/// What a caller has to do; nothing where nothing is to be done.
fn advice(change: &Change) -> String {
    let subject = subject(&change.place, change.what);
    let result = change.place.starts_with("/outputSchema");
    match (change.verdict, change.what) {
        (Verdict::Same | Verdict::Compatible, _) => String::new(),
        (_, What::Default) if result => String::new(),
        (_, What::Default) => format!("give {subject} a value if its old default is needed"),
        (_, What::ToolAdded | What::Title | What::Description | What::Remark) => {
            "read it before a model does".to_owned()
        }
        (_, What::Annotation | What::Execution) => {
            "check that the tool may still be called as it is".to_owned()
        }
        (_, What::Access) => {
            format!("check whether {subject} is still sent or read where it should be")
        }
        (Verdict::Unknown, _) if result => {
            format!("compare what reads {subject} with the new schema")
        }
        (Verdict::Unknown, _) => format!("compare what is sent as {subject} with the new schema"),
        (Verdict::Behaviour, _) => {
            format!("see to it that {subject} is ignored where it is not expected")
        }
        (_, What::ToolRemoved) => "call another tool, or stay with the old version".to_owned(),
        (_, What::ParameterRemoved) if result => format!("do without {subject}"),
        (_, What::ParameterRemoved) => format!("leave out {subject}"),
        (_, What::ParameterAdded | What::ParameterRequired) if !result => format!("send {subject}"),
        (_, What::ParameterOptional) if result => format!("expect that {subject} is missing"),
        (_, What::OutputRemoved) => "do not count on the members of results".to_owned(),
        _ if result => format!("expect other values of {subject}, as the witness shows"),
        _ => format!(
            "send only what the new schema allows for {subject}; the witness shows what it refuses now"
        ),
    }
}

fn quoted(value: Option<&Json>) -> Option<String> {
    value.map(|value| format!("`{}`", brief(value.as_str(), QUOTED)))
}

/// What has become of an annotation, and what the tool says by it, if MCP knows it.
fn annotation(name: &str, old: Option<&Json>, new: Option<&Json>) -> String {
    let name = toolwire::json::pointer::unescape(name);
    let value = |json: &Json| brief(json.as_str(), QUOTED).into_owned();
    let mut said = format!("`{}` ", brief(&name, QUOTED));
    said.push_str(&match (old, new) {
        (Some(old), Some(new)) => format!("changed from {} to {}", value(old), value(new)),
        (Some(old), None) => format!("removed, it was {}", value(old)),
        (None, new) => format!("added: {}", new.map(value).unwrap_or_default()),
    });
    let says = new.or(old).and_then(|json| meaning(&name, json));
    if let Some(says) = says {
        let how = if new.is_some() {
            "says"
        } else {
            "no longer says"
        };
        said.push_str(&format!("; the tool {how} that {says}"));
    }
    said
}

fn meaning(name: &str, value: &Json) -> Option<&'static str> {
    Some(match (name, value.as_str()) {
        ("readOnlyHint", "true") => "it only reads",
        ("readOnlyHint", "false") => "it may change something",
        ("destructiveHint", "true") => "it may delete or overwrite",
        ("destructiveHint", "false") => "it only adds",
        ("idempotentHint", "true") => "a repeated call changes nothing more",
        ("idempotentHint", "false") => "a repeated call may change more",
        ("openWorldHint", "true") => "it may reach beyond this machine",
        ("openWorldHint", "false") => "it reaches nothing outside",
        _ => return None,
    })
}

/// Adds to the message what stood there and what stands there now, where that is short.
pub(super) fn tell(change: &mut Change) {
    let is_read = matches!(change.what, What::Title | What::Description | What::Remark);
    let new = change.new.as_ref();
    if is_read && new.is_some_and(|new| !find_hidden_in(new).is_empty()) {
        let more = ": it hides something, and can tell a model to do something else";
        change.advice.push_str(more);
    }
    if let (What::Annotation, Some(name)) =
        (change.what, change.place.strip_prefix("/annotations/"))
    {
        change.message = annotation(name, change.old.as_ref(), change.new.as_ref());
        return;
    }
    let short = |value: Option<&Json>| value.is_none_or(|value| value.as_str().len() <= QUOTED);
    if !short(change.old.as_ref()) || !short(change.new.as_ref()) {
        return;
    }
    let (old, new) = (quoted(change.old.as_ref()), quoted(change.new.as_ref()));
    match (old, new) {
        (Some(old), Some(new)) => change.message.push_str(&format!(": {old} was, {new} is")),
        (Some(old), None) => change.message.push_str(&format!(": {old} is gone")),
        (None, Some(new)) => change.message.push_str(&format!(": {new} is new")),
        (None, None) => {}
    }
}

/// Says whether a member that is new or gone has to be there.
pub(super) fn tell_member(change: &mut Change, required: bool) {
    if (change.what, change.verdict, required) == (What::ParameterAdded, Verdict::Breaking, false) {
        // Something of this name could be sent before, or was not expected.
        change.advice = match change.place.starts_with("/outputSchema") {
            true => format!("expect {} in results", subject(&change.place, change.what)),
            false => format!(
                "send no other values of {} than the new schema allows",
                subject(&change.place, change.what)
            ),
        };
    }
    change.message.push_str(match (change.what, required) {
        (What::ParameterAdded, true) => ", and has to be there",
        (What::ParameterAdded, false) => ", and can be left out",
        (_, true) => "; it had to be there",
        (_, false) => "; it could be left out",
    });
}

/// Names a member that stands in `required` alone.
pub(super) fn undeclared(change: &mut Change, name: &str) {
    let parent = subject(&change.place, change.what);
    let name = format!("`{}`", brief(name, QUOTED));
    for text in [&mut change.message, &mut change.advice] {
        *text = text.replacen(&parent, &name, 1);
    }
}

/// Words for a guess.
pub(super) fn renamed(change: &mut Change, from: &str, to: &str) {
    let (from, to) = (brief(from, QUOTED), brief(to, QUOTED));
    change.message = format!("`{from}` seems to be called `{to}` now");
    let is_result = change.place.starts_with("/outputSchema");
    change.advice = match (change.verdict, is_result) {
        (Verdict::Compatible, _) => String::new(),
        (_, true) => format!("read `{to}` instead of `{from}`, if that is what was meant"),
        (_, false) => format!("send `{to}` instead of `{from}`, if that is what was meant"),
    };
}
