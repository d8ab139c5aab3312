//! How what a session has said is written: as the result of `run` is (CLI-184).

use toolwire::{Limits, parse};
use toolwire_host::RunReport;
use toolwire_session_host::Fetched;

use crate::args::{ResultFormat, ShownArgs};
use crate::exit::{Outcome, Result};
use crate::output::Out;
use crate::run::result;

/// Writes the answer to a command, and says on stderr in which state the handle is.
pub fn write(id: &str, fetched: &Fetched, args: &ShownArgs, out: &mut Out) -> Result<Outcome> {
    let format = result::asked(args.format, args.json);
    let envelope = fetched.envelope.as_str();
    let parsed = parse(envelope.as_bytes().to_vec(), &Limits::WIDEST);
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
    if text("/code").as_deref() == Some("person_only") {
        message.push_str("; a person does it with `toolwire session attach`");
    }
    Some(message)
}

fn state(id: &str, fetched: &Fetched) -> String {
    let place = "/_meta/dev.toolwire~1session";
    let member = |name: &str| fetched.envelope.at(&format!("{place}/{name}"));
    let last = member("last").map_or_else(String::new, |last| format!(", last block {last}"));
    let how = match (fetched.state.as_str(), member("end/status"), member("end/reason")) {
        ("waiting", ..) => "waits for an answer".to_owned(),
        ("running", ..) => "is running".to_owned(),
        ("ending", ..) => "is ending".to_owned(),
        ("stopped", Some(status), Some(reason)) if reason.to_text().as_deref() == Some("exited") => {
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
