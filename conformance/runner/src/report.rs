//! What the run says: text for people, or a JSON object a line.

use crate::case::Case;
use crate::run::Outcome;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::Write;

/// An outcome and what is wrong with it, if anything is.
pub struct Report {
    pub outcome: Outcome,
    /// Set if this is not as expected; empty if the outcome says it all.
    pub complaint: Option<&'static str>,
}

/// Counts of outcomes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// The cases that were to be run.
    pub selected: usize,
    pub passed: usize,
    pub failed: usize,
    pub errored: usize,
    pub skipped: usize,
    /// Failures that the list expects; they are not counted as failed.
    pub expected_failures: usize,
    /// Cases that passed or were skipped, but should not have.
    pub surprises: usize,
    /// The run ended before all cases were run, or the harness did not end well.
    pub stopped: bool,
    /// For each operation, how many of its cases passed, and how many there were.
    pub by_operation: BTreeMap<String, (usize, usize)>,
}

impl Tally {
    pub fn count(&mut self, operation: &str, report: &Report) {
        let (passed, all) = self.by_operation.entry(operation.to_owned()).or_default();
        *passed += usize::from(report.outcome == Outcome::Passed);
        *all += 1;
        match (&report.outcome, report.complaint) {
            (Outcome::Passed, None) => self.passed += 1,
            (Outcome::Skipped(_), None) => self.skipped += 1,
            (Outcome::Failed(_) | Outcome::Errored(_), None) => self.expected_failures += 1,
            (Outcome::Failed(_), Some(_)) => self.failed += 1,
            (Outcome::Errored(_), Some(_)) => self.errored += 1,
            (Outcome::Passed | Outcome::Skipped(_), Some(_)) => self.surprises += 1,
        }
    }

    /// How many cases did not go as expected.
    pub fn unexpected(&self) -> usize {
        self.failed + self.errored + self.surprises
    }

    pub fn as_expected(&self) -> bool {
        self.unexpected() == 0 && !self.stopped
    }

    pub fn add(&mut self, other: &Tally) {
        self.selected += other.selected;
        self.passed += other.passed;
        self.failed += other.failed;
        self.errored += other.errored;
        self.skipped += other.skipped;
        self.expected_failures += other.expected_failures;
        self.surprises += other.surprises;
        self.stopped |= other.stopped;
        for (operation, (passed, all)) in &other.by_operation {
            let sum = self.by_operation.entry(operation.clone()).or_default();
            *sum = (sum.0 + passed, sum.1 + all);
        }
    }

    /// The sentence that a script reads.
    fn line(&self) -> String {
        format!(
            "{} passed, {} failed, {} skipped",
            self.passed,
            self.unexpected(),
            self.skipped
        )
    }

    fn json(&self) -> Value {
        json!({
            "passed": self.passed,
            "failed": self.failed,
            "errored": self.errored,
            "skipped": self.skipped,
            "expectedFailures": self.expected_failures,
            "surprises": self.surprises,
            "asExpected": self.as_expected(),
            "byOperation": self.by_operation.iter().map(|(operation, (passed, all))| {
                (operation.clone(), json!({"passed": passed, "cases": all}))
            }).collect::<Map<_, _>>(),
        })
    }

    /// How many of each operation's cases passed, in one line.
    fn operations(&self) -> String {
        let of = |(operation, (passed, all)): (&String, &(usize, usize))| {
            format!("{operation} {passed}/{all}")
        };
        let all: Vec<String> = self.by_operation.iter().map(of).collect();
        all.join(", ")
    }
}

/// Writes the report of a run.
pub struct Reporter<W> {
    out: W,
    json: bool,
}

impl<W: Write> Reporter<W> {
    pub fn new(out: W, json: bool) -> Self {
        Reporter { out, json }
    }

    /// An implementation's run begins.
    pub fn begin(&mut self, label: &str, cases: usize) -> Result<(), String> {
        if self.json {
            return Ok(());
        }
        self.line(&format!("{label}: {cases} cases"))
    }

    /// A case is done. In text, only what is not as expected is worth a line.
    pub fn case(&mut self, label: &str, case: &Case, report: &Report) -> Result<(), String> {
        if self.json {
            let (word, detail) = describe(&report.outcome);
            return self.line(
                &json!({
                    "implementation": label, "id": case.id, "op": case.op, "topic": case.topic,
                    "spec": case.spec, "outcome": word,
                    "asExpected": report.complaint.is_none(), "detail": detail,
                })
                .to_string(),
            );
        }
        let Some(complaint) = report.complaint else {
            return Ok(());
        };
        match &report.outcome {
            Outcome::Failed(differences) => {
                self.line(&format!("FAILED {}: {}", case.id, case.about))?;
                for difference in differences {
                    let at = if difference.pointer.is_empty() {
                        "/"
                    } else {
                        &difference.pointer
                    };
                    self.line(&format!("  {at}"))?;
                    self.line(&format!("    expected {}", cut(&difference.expected)))?;
                    self.line(&format!("    got      {}", cut(&difference.actual)))?;
                }
            }
            Outcome::Errored(reason) => {
                self.line(&format!("ERRORED {}: {}", case.id, case.about))?;
                self.line(&format!("  {reason}"))?;
            }
            Outcome::Passed | Outcome::Skipped(_) => {
                self.line(&format!("UNEXPECTED {} {complaint}", case.id))?;
            }
        }
        if matches!(report.outcome, Outcome::Failed(_) | Outcome::Errored(_)) {
            self.line(&format!("  input    {}", input_excerpt(case)))?;
            let spec = case.spec.join(", ");
            self.line(&format!(
                "  see      {spec}; conformance/{}.json",
                case.file()
            ))?;
        }
        Ok(())
    }

    /// An implementation's run ends.
    pub fn end(&mut self, label: &str, tally: &Tally) -> Result<(), String> {
        if self.json {
            return self.line(&json!({"implementation": label, "tally": tally.json()}).to_string());
        }
        self.line(&format!("{label}: {}", tally.operations()))?;
        self.line(&format!(
            "{label}: {} passed, {} failed, {} errored, {} skipped, {} failed as expected, {} unexpectedly not",
            tally.passed, tally.failed, tally.errored, tally.skipped,
            tally.expected_failures, tally.surprises
        ))
    }

    /// The run ends.
    pub fn finish(&mut self, total: &Tally) -> Result<(), String> {
        if self.json {
            return self.line(&json!({"total": total.json()}).to_string());
        }
        self.line(&total.line())
    }

    /// Something worth saying besides the cases.
    pub fn note(&mut self, text: &str) -> Result<(), String> {
        let line = if self.json {
            json!({"note": text}).to_string()
        } else {
            text.to_owned()
        };
        self.line(&line)
    }

    fn line(&mut self, text: &str) -> Result<(), String> {
        writeln!(self.out, "{text}").map_err(|error| format!("cannot write the report: {error}"))
    }
}

fn describe(outcome: &Outcome) -> (&'static str, Value) {
    match outcome {
        Outcome::Passed => ("passed", Value::Null),
        Outcome::Skipped(reason) => ("skipped", json!(reason)),
        Outcome::Errored(reason) => ("errored", json!(reason)),
        Outcome::Failed(differences) => (
            "failed",
            differences
                .iter()
                .map(|d| json!({"pointer": d.pointer, "expected": d.expected, "got": d.actual}))
                .collect(),
        ),
    }
}

/// What a person reads of a long text; `--json` has all of it.
fn cut(text: &str) -> String {
    const SHOWN: usize = 400;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
        None => text.to_owned(),
    }
}

/// The beginning of the input, so that a failure can be understood without opening a file.
fn input_excerpt(case: &Case) -> String {
    const SHOWN: usize = 160;
    match case.input.bytes() {
        Ok(bytes) => {
            let head = String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN)]).into_owned();
            let more = if bytes.len() > SHOWN { "…" } else { "" };
            format!("{}{more} ({} bytes)", json!(head), bytes.len())
        }
        Err(reason) => reason,
    }
}
