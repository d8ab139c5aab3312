//! A law of the lines of an events file.

use crate::rng::Rng;
use toolwire::event::ToolEvent;

use super::{same, shown};
use crate::calls;

/// Values for the members of an event, good and bad.
const VALUES: [&str; 20] = [
    "0",
    "-0.0",
    "1",
    "-1",
    "3",
    "14",
    "0.1",
    "1e-7",
    "1e308",
    "1e400",
    "9007199254740993",
    "null",
    "true",
    "[]",
    r#""""#,
    r#""info""#,
    r#""warn""#,
    r#""progress""#,
    r#""log""#,
    r#""a\u0000\ud83d\ude00""#,
];

pub(super) fn reads_again(input: &[u8], salt: u64) -> Result<(), String> {
    let line = line(input, &mut Rng::with_seed(salt));
    let event = match calls::read_event(&line) {
        Ok(Some(event)) => event,
        Ok(None) => return Ok(()),
        Err(error) => {
            let inside = error.offset().is_some_and(|at| at <= line.len() as u64);
            let place = format!("`{}` at {:?}", error.pointer(), error.offset());
            return match inside {
                true => Ok(()),
                false => Err(format!("the error is nowhere in the line: {place}")),
            };
        }
    };
    if let ToolEvent::Progress(progress) = &event {
        let done = progress.done;
        let above = |total: f64| total.is_finite() && total > 0.0 && total >= done;
        let is_progress = done.is_finite() && done >= 0.0 && progress.total.is_none_or(above);
        if !is_progress {
            return Err(format!("no progress is so: {progress:?}"));
        }
    }
    let text = event.to_json();
    let canonical = toolwire::canonicalize(text.as_bytes(), &toolwire::Limits::default());
    let canonical =
        canonical.map_err(|error| format!("{} is no JSON: {error}", shown(text.as_bytes())))?;
    same(
        "it is not written in canonical form",
        text.as_bytes(),
        &canonical,
    )?;
    match calls::read_event(text.as_bytes()) {
        Ok(Some(again)) if again == event => Ok(()),
        other => Err(format!("{text} is {event:?}, and then {other:?}")),
    }
}

/// The input as it is, or a line that is nearly an event.
fn line(input: &[u8], rng: &mut Rng) -> Vec<u8> {
    if rng.u8(..4) == 0 {
        return input.to_vec();
    }
    let value = |rng: &mut Rng| VALUES[rng.usize(..VALUES.len())];
    let mut members = Vec::new();
    for (name, usual) in [
        ("type", [r#""progress""#, r#""log""#][rng.usize(..2)]),
        ("done", "3"),
        ("total", "14"),
        ("level", r#""info""#),
        ("message", r#""m""#),
        ("logger", r#""l""#),
    ] {
        let value = if rng.u8(..3) > 0 { usual } else { value(rng) };
        if rng.u8(..8) > 0 {
            members.push(format!("\"{name}\":{value}"));
        }
    }
    rng.shuffle(&mut members);
    let mut line = format!("{{{}}}", members.join(",")).into_bytes();
    // The input in the place of something.
    if rng.u8(..6) == 0 {
        let at = rng.usize(..=line.len());
        line.splice(at..at, input.iter().take(40).copied());
    }
    line
}
