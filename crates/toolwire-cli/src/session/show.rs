//! How what a session has said is written: as the result of `run` is (CLI-184).

use toolwire::json::{Document, ObjectWriter, array};
use toolwire::{Limits, parse};
use toolwire_host::RunReport;
use toolwire_session_host::Fetched;

use crate::args::{ResultFormat, ShownArgs};
use crate::exit::{Outcome, Result};
use crate::output::Out;
use crate::run::result;
use crate::terminal;

/// Writes the answer to a command, and says on stderr in which state the handle is.
pub fn write(id: &str, fetched: &Fetched, args: &ShownArgs, out: &mut Out) -> Result<Outcome> {
    let format = result::asked(args.format, args.json);
    let envelope = fetched.envelope.as_str();
    let joined = match format {
        Some(ResultFormat::Json) => None,
        _ if fetched.stream => joined(envelope),
        _ => None,
    };
    let envelope = joined.unwrap_or_else(|| envelope.to_owned());
    let parsed = parse(envelope.into_bytes(), &Limits::WIDEST);
    if let Some(message) = refusal(fetched).filter(|_| format != Some(ResultFormat::Json)) {
        out.complain(&message);
        return Ok(Outcome::Negative);
    }
    result::write(&parsed, &RunReport::default(), format, out)?;
    if fetched.refusal.is_some() {
        return Ok(Outcome::Negative);
    }
    if format != Some(ResultFormat::Json) {
        out.complain(&state(id, fetched));
    }
    Ok(match parsed.is_error() {
        true => Outcome::Negative,
        false => Outcome::Success,
    })
}

/// The envelope in which the pieces of what a program printed are one text for each stream, as a person sees it.
/// Nothing if there is nothing to join.
fn joined(envelope: &str) -> Option<String> {
    let document = Document::new(envelope).ok()?;
    let root = document.root();
    let session = root.get("_meta")?.get("dev.toolwire/session")?;
    let number = |name: &str| session.get(name)?.as_u64();
    let pieces = number("last")?.checked_sub(number("first")?)? + 1;
    let before = usize::from(session.get("dropped").is_some());
    let pieces = before..before + usize::try_from(pieces).ok()?;
    let mut blocks: Vec<(String, Option<String>)> = Vec::new();
    for (index, block) in root.get("content")?.elements().enumerate() {
        let text = block.get("text").and_then(|text| text.as_str());
        let plain = block.len() == 2 && block.get("type").is_some_and(|one| one.is_str("text"));
        match text.filter(|_| plain && pieces.contains(&index)) {
            Some(text) => match blocks.last_mut() {
                Some((_, Some(before))) => before.push_str(&text),
                _ => blocks.push((String::new(), Some(text.into_owned()))),
            },
            None => blocks.push((block.raw().to_owned(), None)),
        }
    }
    let blocks = blocks.into_iter().map(|(raw, text)| match text {
        Some(text) => ObjectWriter::new()
            .text("text", text)
            .text("type", "text")
            .end(),
        None => raw,
    });
    let mut all = ObjectWriter::new();
    for (name, value) in root.members().filter(|(name, _)| name != "content") {
        all.json(&name, value.raw());
    }
    Some(all.json("content", array(blocks)).end())
}

/// Why a command was refused, and what is possible instead.
pub fn refusal(fetched: &Fetched) -> Option<String> {
    let refusal = fetched.refusal.as_ref()?;
    let text = |name: &str| refusal.at(name).and_then(|value| value.to_text());
    let mut message = text("/message").unwrap_or_else(|| "it was refused".to_owned());
    for index in 0.. {
        let Some(mismatch) = text(&format!("/mismatches/{index}/message")) else {
            break;
        };
        message.push_str("; ");
        message.push_str(&mismatch);
    }
    let code = text("/code");
    match code.as_deref() {
        Some("person_only") => {
            message.push_str("; a person does it with `toolwire session attach`");
        }
        Some("handle_exists") => message.push_str("; choose another id"),
        _ => {}
    }
    let possible = (0..).map_while(|index| text(&format!("/possible/{index}")));
    let possible: Vec<String> = possible.collect();
    if !possible.is_empty() {
        message.push_str(&format!("; possible now: `{}`", possible.join("`, `")));
    }
    Some(message)
}

/// That the text that was waited for is not in what is written, if it is not. `is_over` tells that all the time was
/// waited.
pub fn missing(text: &str, fetched: &Fetched, is_over: bool) -> Option<String> {
    // On a screen, it may be in a row that has not changed.
    let may_be_there = !is_over && fetched.state == "running";
    if fetched.refusal.is_some() || may_be_there {
        return None;
    }
    let document = Document::new(fetched.envelope.as_str()).ok()?;
    let blocks = document.root().get("content")?;
    let mut said = String::new();
    for block in blocks.elements() {
        if let Some(text) = block.get("text").and_then(|text| text.as_str()) {
            said.push_str(&text);
        }
    }
    let shown = terminal::safe(text);
    match (said.contains(text), is_over) {
        (true, _) => None,
        (false, true) => Some(format!("`{shown}` did not come in time")),
        (false, false) => Some(format!("`{shown}` is not in what is new")),
    }
}

fn state(id: &str, fetched: &Fetched) -> String {
    let place = "/_meta/dev.toolwire~1session";
    let member = |name: &str| fetched.envelope.at(&format!("{place}/{name}"));
    let last = member("last").map_or_else(String::new, |last| format!(", last block {last}"));
    let how = match (
        fetched.state.as_str(),
        member("end/status"),
        member("end/reason"),
    ) {
        ("waiting", ..) => "waits for an answer".to_owned(),
        ("running", ..) => "is running".to_owned(),
        ("ending", ..) => "is ending".to_owned(),
        ("stopped", Some(status), Some(reason))
            if reason.to_text().as_deref() == Some("exited") =>
        {
            format!("has stopped with exit status {status}")
        }
        ("stopped", _, Some(reason)) => {
            let reason = reason.to_text().unwrap_or_default();
            format!("has stopped: {}", reason.replace('_', " "))
        }
        (state, ..) => format!("is {state}"),
    };
    format!("`{id}` {how}{last}")
}
