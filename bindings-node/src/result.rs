//! What a call comes to, as JavaScript takes it.

use std::collections::BTreeMap;
use std::sync::Arc;

use napi::bindgen_prelude::Buffer;
use napi_derive::napi;
use toolwire::call::{Answer, ToolDescription};
use toolwire::{Diagnostic, Exit, Parsed};
use toolwire_host::{CallOutcome, End, ExchangeOutcome, RunReport, StopReason, ToolList};

use crate::facts;
use crate::fault;
use crate::json::{Object, array};
use crate::source::Reading;

/// The result of a call or an exchange. It is taken apart: each part is taken once.
#[napi]
pub struct CallResult {
    told: String,
    facts: u32,
    raw: Vec<u8>,
    parsed: Arc<Parsed<'static>>,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

#[napi]
impl CallResult {
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
        Reading::new(Arc::clone(&self.parsed))
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

impl CallResult {
    fn new(parsed: Parsed<'static>, told: Object, report: RunReport) -> Self {
        CallResult {
            told: told.end(),
            facts: facts(&parsed),
            raw: parsed.raw().to_vec(),
            parsed: Arc::new(parsed),
            stdout: report.stdout,
            stderr: report.stderr,
        }
    }

    pub fn of_call(outcome: CallOutcome) -> Self {
        let told = call(&outcome);
        CallResult::new(outcome.parsed, told, outcome.report)
    }

    /// The result of a call that asked a program for its tools, with these, or with why there are none.
    pub fn of_list(outcome: CallOutcome) -> Self {
        let told = call(&outcome);
        let told = match ToolList::tools_in(&outcome) {
            Ok(tools) => {
                let tools = tools.map(|tools| array(tools.iter().map(ToolDescription::to_json)));
                told.optional_raw("tools", tools)
            }
            Err(error) => told.raw("failure", &fault::finding(&error)),
        };
        CallResult::new(outcome.parsed, told, outcome.report)
    }

    pub fn of_exchange(outcome: ExchangeOutcome) -> Self {
        let told = questions(
            &outcome.answers,
            outcome.rounds,
            &outcome.end,
            &outcome.diagnostics,
        );
        CallResult::new(outcome.parsed, told, RunReport::default())
    }
}

/// What became of a call beside its result.
fn call(outcome: &CallOutcome) -> Object {
    let report = &outcome.report;
    let told = questions(
        &outcome.answers,
        outcome.rounds,
        &outcome.end,
        &outcome.diagnostics,
    );
    let told = match report.exit {
        Some(Exit::Code(code)) => told.number("exitCode", code as f64),
        Some(Exit::Signal(signal)) => told.number("signal", f64::from(signal)),
        None => told,
    };
    told.optional("stopped", report.stopped.map(StopReason::as_str))
        .number("elapsed", outcome.elapsed.as_secs_f64() * 1000.0)
        .flag("stderrTruncated", report.stderr_truncated)
        .flag("leftBehind", report.left_behind)
}

/// What became of the questions.
fn questions(
    answers: &BTreeMap<String, Answer>,
    rounds: usize,
    end: &End,
    diagnostics: &[Diagnostic],
) -> Object {
    let answers = answers.iter().fold(Object::new(), |all, (id, answer)| {
        all.raw(id, &answer.to_json())
    });
    Object::new()
        .raw("answers", &answers.end())
        .number("rounds", rounds as f64)
        .text("end", end.as_str())
        .raw(
            "diagnostics",
            &array(diagnostics.iter().map(Diagnostic::to_json)),
        )
}
