//! What a call has left, as JavaScript fetches it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use napi::bindgen_prelude::Buffer;
use napi_derive::napi;
use toolwire::call::{Answer, Tool};
use toolwire::{Diagnostic, Exit, Parsed, diagnostics_json};
use toolwire_host::{CallOutcome, Exchanged, Listed, Stop};

use crate::facts;
use crate::json::{Object, array};
use crate::source::Reading;

/// What is left of a call or an exchange. It is taken apart: each part is fetched once.
#[napi]
pub struct Left {
    told: String,
    facts: u32,
    raw: Vec<u8>,
    reading: Arc<toolwire::Reading>,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

#[napi]
impl Left {
    /// Everything but what is read, as a JSON object.
    #[napi(catch_unwind)]
    pub fn told(&self) -> &str {
        &self.told
    }

    /// The short answer about the result.
    #[napi(catch_unwind)]
    pub fn facts(&self) -> u32 {
        self.facts
    }

    /// The bytes that were read as the answer.
    #[napi(catch_unwind)]
    pub fn raw(&mut self) -> Buffer {
        std::mem::take(&mut self.raw).into()
    }

    /// How these bytes were read.
    #[napi(catch_unwind)]
    pub fn reading(&self) -> Reading {
        Reading::new(Arc::clone(&self.reading))
    }

    /// What the tool wrote to stdout.
    #[napi(catch_unwind)]
    pub fn stdout(&mut self) -> Buffer {
        std::mem::take(&mut self.stdout).into()
    }

    /// The end of what the tool wrote to stderr.
    #[napi(catch_unwind)]
    pub fn stderr(&mut self) -> Buffer {
        std::mem::take(&mut self.stderr).into()
    }
}

impl Left {
    fn new(parsed: Parsed<'static>, told: Object, output: (Vec<u8>, Vec<u8>)) -> Self {
        Left {
            told: told.end(),
            facts: facts(&parsed),
            raw: parsed.raw().to_vec(),
            reading: parsed.detach(),
            stdout: output.0,
            stderr: output.1,
        }
    }

    pub fn called(outcome: CallOutcome) -> Self {
        let told = Object::new();
        let told = questions(
            told,
            &outcome.answers,
            outcome.rounds,
            outcome.end.as_str(),
            &outcome.diagnostics,
        );
        let told = process(told, outcome.exit, outcome.stopped, outcome.elapsed)
            .flag("stderrTruncated", outcome.stderr_truncated)
            .flag("leftBehind", outcome.left_behind);
        Left::new(outcome.parsed, told, (outcome.stdout, outcome.stderr))
    }

    pub fn listed(listed: Listed) -> Self {
        let outcome = listed.outcome;
        let tools = listed
            .tools
            .map(|tools| array(tools.iter().map(Tool::to_json)));
        let told = Object::new().optional_raw("tools", tools);
        let told = questions(told, &BTreeMap::new(), 1, "answered", &[]);
        let told = process(told, outcome.exit, outcome.stopped, outcome.elapsed)
            .flag("stderrTruncated", outcome.stderr_truncated)
            .flag("leftBehind", outcome.left_behind);
        Left::new(outcome.parsed, told, (outcome.stdout, outcome.stderr))
    }

    pub fn exchanged(exchanged: Exchanged) -> Self {
        let end = exchanged.end.as_str();
        let told = questions(
            Object::new(),
            &exchanged.answers,
            exchanged.rounds,
            end,
            &exchanged.diagnostics,
        );
        Left::new(exchanged.parsed, told, (Vec::new(), Vec::new()))
    }
}

/// What became of the questions.
fn questions(
    told: Object,
    answers: &BTreeMap<String, Answer>,
    rounds: usize,
    end: &str,
    diagnostics: &[Diagnostic],
) -> Object {
    let answers = answers.iter().fold(Object::new(), |all, (id, answer)| {
        all.raw(id, &answer.to_json())
    });
    told.raw("answers", &answers.end())
        .number("rounds", rounds as f64)
        .text("end", end)
        .raw("diagnostics", &diagnostics_json(diagnostics))
}

/// How the process ended.
fn process(told: Object, exit: Exit, stopped: Option<Stop>, elapsed: Duration) -> Object {
    let told = match exit {
        Exit::Code(code) => told.number("exitCode", f64::from(code)),
        Exit::Signal(signal) => told.number("signal", f64::from(signal)),
    };
    told.optional("stopped", stopped.map(Stop::as_str))
        .number("elapsed", elapsed.as_secs_f64() * 1000.0)
}
