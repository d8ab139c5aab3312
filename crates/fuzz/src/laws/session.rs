//! A law of sessions: whatever happens, in whatever order, a handle stays within the table of the specification,
//! and a reader that acknowledges gets each block once.

use crate::rng::Rng;
use toolwire::Json;
use toolwire::call::{AnswerSource, SessionAction};
use toolwire::session::{
    Effect, SessionEvent, SessionMachine, SessionMachineOptions, SessionOutcome, SessionState,
};

use crate::calls;

/// Events that hold no block, by a byte of the input.
const EVENTS: [&str; 29] = [
    r#"{"event":"spawn","by":"assistant"}"#,
    r#"{"event":"spawn","by":"user"}"#,
    r#"{"event":"apply","by":"assistant","input":true}"#,
    r#"{"event":"apply","by":"user","input":true}"#,
    r#"{"event":"apply","by":"user","input":"y"}"#,
    r#"{"event":"apply","by":"policy","answer":{"state":"accepted","value":false}}"#,
    r#"{"event":"apply","by":"assistant","answer":{"state":"declined"}}"#,
    r#"{"event":"apply","by":"user","answer":{"state":"opened"}}"#,
    r#"{"event":"apply","by":"user","answer":{"state":"cancelled"},"question":"a"}"#,
    r#"{"event":"abort","by":"assistant"}"#,
    r#"{"event":"abort","by":"user"}"#,
    r#"{"event":"progress","done":1}"#,
    r#"{"event":"question","question":{"id":"a","text":"Go on?","schema":{"type":"boolean"}}}"#,
    r#"{"event":"question","question":{"id":"b","text":"And now?","schema":{"type":"boolean"}}}"#,
    r#"{"event":"question","question":{"id":"c","text":"Sure?","schema":{"type":"boolean"}},"person":true}"#,
    r#"{"event":"question","question":{"id":"d","text":"PIN?","schema":{"type":"string","format":"password"}}}"#,
    r##"{"event":"question","question":{"id":"e","text":"?","schema":{"$ref":"#/nowhere"}}}"##,
    r#"{"event":"question","question":{"id":"f","text":"Sign in","schema":{},"url":"https://example.org/"}}"#,
    r#"{"event":"exit","status":0}"#,
    r#"{"event":"crash","message":"ended by signal 9"}"#,
    r#"{"event":"timeout","of":"session"}"#,
    r#"{"event":"timeout","of":"idle"}"#,
    r#"{"event":"end_of_turn","policy":"abort"}"#,
    r#"{"event":"end_of_turn","policy":"wait"}"#,
    r#"{"event":"end_of_turn","policy":"ask"}"#,
    r#"{"event":"host_exit"}"#,
    r#"{"event":"expire"}"#,
    r#"{"event":"gate","person":true}"#,
    r#"{"event":"gate","person":false}"#,
];

pub(super) fn stays_in_the_table(input: &[u8], salt: u64) -> Result<(), String> {
    let mut rng = Rng::with_seed(salt);
    let mut options = SessionMachineOptions::default();
    options.actions = SessionAction::ALL
        .iter()
        .copied()
        .filter(|_| rng.u8(..4) > 0)
        .collect();
    options.max_blocks = rng.usize(1..6);
    options.max_questions = rng.usize(1..4);
    let made = SessionMachine::new("a", options);
    let mut machine = made.map_err(|error| format!("there is no machine: {error}"))?;
    let mut reader = Reader {
        acknowledges: rng.bool(),
        ..Reader::default()
    };
    let mut asked = Vec::new();
    let mut gated = false;
    for byte in input.iter().take(128) {
        let before = machine.state();
        // Documents have few of the bytes that there are.
        let byte = match salt % 2 {
            0 => *byte,
            _ => rng.u8(..),
        };
        let (event, name) = reader.event(byte, &mut rng)?;
        let blocks = match &event {
            SessionEvent::Output { blocks, .. } => blocks.len() as u64,
            _ => 0,
        };
        let gate = match &event {
            SessionEvent::Gate { person } => Some(*person),
            _ => None,
        };
        let by_person =
            matches!(&event, SessionEvent::Apply { by, .. } if *by == AnswerSource::User);
        let outcome = calls::session(&mut machine, event);
        let told = format!("`{name}` in `{before}` gave {}", outcome.to_json());
        if outcome.state != machine.state() {
            return Err(format!("{told}, but it is `{}`", machine.state()));
        }
        if !may_follow(before, name, &outcome) {
            return Err(format!("{told}, which the table does not have"));
        }
        if gated && !by_person && outcome.effects.iter().any(is_input) {
            return Err(format!("{told}, while only a person may type"));
        }
        // It is over when the tool is told to end, and for the next one.
        let lasts = matches!(outcome.state, SessionState::Running | SessionState::Waiting);
        gated = lasts && gate.unwrap_or(gated);
        questions(&mut asked, &outcome).map_err(|why| format!("{told}: {why}"))?;
        if (outcome.state == SessionState::Waiting) == asked.is_empty() {
            return Err(format!("{told}, with {} questions open", asked.len()));
        }
        reader
            .take(blocks, &outcome, &mut rng)
            .map_err(|why| format!("{told}: {why}"))?;
    }
    Ok(())
}

fn is_input(effect: &Effect) -> bool {
    matches!(effect, Effect::Input { .. })
}

/// Whether the table has a way from one state to another at such an event. What is refused goes nowhere.
fn may_follow(before: SessionState, name: &str, outcome: &SessionOutcome) -> bool {
    use SessionState::{Absent, Ending, Running, Stopped, Waiting};
    let answers = |effect: &Effect| matches!(effect, Effect::Answer { .. });
    if outcome.refusal.is_some() {
        return outcome.state == before && outcome.effects.iter().all(answers);
    }
    let after = outcome.state;
    match (before, name) {
        (Absent | Stopped, "spawn") => after == Running,
        (Stopped, "expire") => after == Absent,
        (Running | Waiting, "question") => after == Waiting,
        (Running, "apply") => after == Running,
        (Waiting, "apply") => matches!(after, Running | Waiting),
        (Running | Waiting | Ending, "exit" | "crash") => after == Stopped,
        (Running | Waiting, "abort" | "host_exit") => after == Ending,
        (Running | Waiting, "timeout" | "end_of_turn") => after == before || after == Ending,
        (Absent, "fetch" | "apply" | "abort") => false,
        (Absent | Stopped, "output" | "progress" | "question" | "gate") => false,
        (Ending | Stopped, "apply") => false,
        (Running | Waiting | Ending, "spawn") => false,
        _ => after == before,
    }
}

/// Each question that opens is answered or withdrawn, once, before another one opens.
fn questions(open: &mut Vec<String>, outcome: &SessionOutcome) -> Result<(), String> {
    for effect in &outcome.effects {
        match effect {
            Effect::Open { id, .. } if open.is_empty() => open.push(id.clone()),
            Effect::Open { .. } => return Err(format!("`{}` was open", open.concat())),
            // Questions that never opened are withdrawn and answered too.
            Effect::Withdraw { id } | Effect::Answer { id, .. } => open.retain(|other| other != id),
            _ => {}
        }
    }
    Ok(())
}

/// Somebody who fetches, over a line that loses envelopes if the reader acknowledges.
#[derive(Default)]
struct Reader {
    acknowledges: bool,
    /// The last block that was written, that was handed over, and that arrived.
    written: u64,
    handed: u64,
    has: u64,
}

impl Reader {
    /// What a byte stands for.
    fn event(&self, byte: u8, rng: &mut Rng) -> Result<(SessionEvent, &'static str), String> {
        let (text, name) = match byte % 64 {
            at if usize::from(at) < EVENTS.len() => {
                let text = EVENTS[usize::from(at)];
                let name = text.split('"').nth(3).unwrap_or_default();
                (text.to_owned(), name)
            }
            at if at % 2 == 0 => {
                let blocks = (1..=rng.u64(1..4)).map(|nth| block(self.written + nth));
                let blocks = toolwire::json::array(blocks);
                (
                    format!(r#"{{"event":"output","blocks":{blocks}}}"#),
                    "output",
                )
            }
            _ => {
                let by = AnswerSource::User;
                let after = self.acknowledges.then_some(self.has);
                let max_bytes = rng.bool().then(|| rng.usize(1..120));
                let fetch = SessionEvent::Fetch {
                    by,
                    after,
                    max_bytes,
                };
                return Ok((fetch, "fetch"));
            }
        };
        let event = SessionEvent::from_json(&text);
        event
            .map(|event| (event, name))
            .map_err(|error| format!("{text} is no event: {error}"))
    }

    fn take(&mut self, blocks: u64, outcome: &SessionOutcome, rng: &mut Rng) -> Result<(), String> {
        if outcome.refusal.is_none() {
            self.written += blocks;
        }
        for effect in &outcome.effects {
            match effect {
                Effect::Reply { envelope } => {
                    let lost = self.acknowledges && rng.u8(..3) == 0;
                    self.read(envelope, lost)?;
                }
                // What was handed over and did not arrive is forgotten now (SES-21).
                Effect::Start => self.has = self.written,
                Effect::Forget { dropped } => {
                    let last = dropped
                        .as_ref()
                        .and_then(|dropped| number(dropped, "/last"));
                    let expected = (self.written > self.handed).then_some(self.written);
                    if last != expected {
                        return Err(format!("{last:?} is said to be lost, not {expected:?}"));
                    }
                    // Whoever is spawned under the id afterwards begins at 1 (SES-40).
                    (self.written, self.handed, self.has) = (0, 0, 0);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn read(&mut self, envelope: &Json, lost: bool) -> Result<(), String> {
        let session =
            |member: &str| number(envelope, &format!("/_meta/dev.toolwire~1session/{member}"));
        let last = session("last").ok_or("no last block is named")?;
        let left = session("left/blocks").unwrap_or_default();
        if last + left != self.written {
            let written = self.written;
            return Err(format!(
                "{last} and {left} blocks were written, not {written}"
            ));
        }
        self.handed = self.handed.max(last);
        if lost {
            return Ok(());
        }
        let dropped = (session("dropped/first"), session("dropped/last"));
        // The note of what was dropped stands before the blocks.
        let notes = usize::from(dropped.0.is_some());
        if let (Some(from), Some(to)) = dropped {
            if from > self.has + 1 {
                return Err(format!(
                    "{} is missing, and {from} is said to be",
                    self.has + 1
                ));
            }
            self.has = self.has.max(to);
        }
        let Some(first) = session("first") else {
            return match self.has == last {
                true => Ok(()),
                false => Err(format!("nothing after {} came", self.has)),
            };
        };
        if first > self.has + 1 {
            return Err(format!("{} is missing", self.has + 1));
        }
        if !self.acknowledges && first <= self.has {
            return Err(format!("{first} came twice"));
        }
        for (index, nth) in (notes..).zip(first..=last) {
            let given = envelope.at(&format!("/content/{index}"));
            if given.as_ref().map(Json::as_str) != Some(block(nth).as_str()) {
                return Err(format!("this is not block {nth}: {given:?}"));
            }
        }
        self.has = last;
        Ok(())
    }
}

/// A block that says which one it is.
fn block(nth: u64) -> String {
    format!(r#"{{"type":"text","text":"{nth}"}}"#)
}

fn number(json: &Json, pointer: &str) -> Option<u64> {
    json.at(pointer)?.as_str().parse().ok()
}
