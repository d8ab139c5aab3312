//! A law of the lines of the line transport.

use crate::rng::Rng;

use super::{same, shown};
use crate::calls;

/// Values for the members of a line, good and bad.
const VALUES: [&str; 22] = [
    "0",
    "1",
    "-1",
    "1.0",
    "9007199254740991",
    "9007199254740992",
    "null",
    "true",
    "[]",
    "[1, 2]",
    "{}",
    r#""""#,
    r#""aborted""#,
    "\"a\\n\\u0000\u{1f600}\"",
    r#"{"state":"accepted","value":[1.50]}"#,
    r#"{"state":"declined","source":"user"}"#,
    r#"{"id":"q","text":"?","schema":{"type":"boolean"}}"#,
    r#"{"type":"progress","done":1e-7}"#,
    r#"[{"type":"text","text":"a"}]"#,
    "{\"content\":[],\n\"x\" : [1,\r\n2]}",
    r#"{"tool":{"name":"t"},"context":{"action":"run"}}"#,
    r#"{"traceparent":"00-1-2-3","later":1}"#,
];

/// The types, each with the members that belong to it.
const TYPES: [(&str, &[&str]); 11] = [
    (
        "hello",
        &["toolwire", "versions", "version", "calls", "maxLine"],
    ),
    ("call", &["call", "document", "trace", "session"]),
    ("input", &["call", "input"]),
    ("answer", &["call", "id", "answer"]),
    ("end", &["call", "reason"]),
    ("output", &["call", "blocks"]),
    ("question", &["call", "question", "person"]),
    ("event", &["call", "event"]),
    ("stderr", &["call", "text"]),
    ("result", &["call", "envelope"]),
    ("later", &["call"]),
];

pub(super) fn reads_again(input: &[u8], salt: u64) -> Result<(), String> {
    let mut rng = Rng::with_seed(salt);
    let line = line(input, &mut rng);
    let of_host = rng.bool();
    let text = match calls::read_line(of_host, &line) {
        Ok(Some(text)) => text,
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
    if text.contains(['\n', '\r']) {
        return Err(format!(
            "it is more than one line: {}",
            shown(text.as_bytes())
        ));
    }
    match calls::read_line(of_host, text.as_bytes()) {
        Ok(Some(again)) => same(
            "it is written in two ways",
            again.as_bytes(),
            text.as_bytes(),
        ),
        other => Err(format!(
            "{} is a line, and then {other:?}",
            shown(text.as_bytes())
        )),
    }
}

/// The input as it is, or a line that is nearly one.
fn line(input: &[u8], rng: &mut Rng) -> Vec<u8> {
    if rng.u8(..4) == 0 {
        return input.to_vec();
    }
    let (kind, names) = TYPES[rng.usize(..TYPES.len())];
    let mut members = vec![format!("\"type\":\"{kind}\"")];
    for name in names {
        let usual = match *name {
            "call" | "toolwire" | "version" | "calls" | "maxLine" => VALUES[1],
            "versions" => VALUES[9],
            "document" => VALUES[20],
            "trace" => VALUES[21],
            "session" | "person" => VALUES[7],
            "id" | "text" => VALUES[13],
            "reason" => VALUES[12],
            "answer" => VALUES[14 + rng.usize(..2)],
            "question" => VALUES[16],
            "event" => VALUES[17],
            "blocks" => VALUES[18],
            _ => VALUES[19],
        };
        let value = match rng.u8(..5) {
            0 => VALUES[rng.usize(..VALUES.len())],
            _ => usual,
        };
        if rng.u8(..10) > 0 {
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
