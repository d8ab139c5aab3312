//! Running the cases: stages, outcomes, expected failures, agreement between implementations.

use crate::case::Case;
use crate::compare::{self, Difference};
use crate::harness::{Fault, Harness};
use crate::laws;
use crate::registry::Registry;
use crate::report::{Report, Reporter, Tally};
use crate::script::{self, Script};
use crate::tool;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// A harness that breaks so often without an answer between is given up.
const MAX_FAULTS_IN_A_ROW: usize = 5;

/// What is to be run, and what is expected of it.
pub struct Plan {
    pub cases: Vec<Case>,
    pub registry: Registry,
    pub filter: Filter,
    pub timeout: Duration,
    pub expected_failures: Vec<String>,
    pub no_skips: bool,
    /// Whether values that the specification only recommends are compared too.
    pub exact: bool,
    /// What the upper bounds of times in scripts are multiplied by.
    pub slow: u32,
    /// The checkout, which has the program of the scripts.
    pub root: PathBuf,
}

/// Which cases are run: those that fit in every respect that is given.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Part of an id, topic or operation.
    pub part: Option<String>,
    pub ids: Vec<String>,
    pub topics: Vec<String>,
    pub ops: Vec<String>,
    pub rules: Vec<String>,
}

impl Filter {
    fn takes(&self, case: &Case) -> bool {
        let among = |list: &[String], values: &[&String]| {
            list.is_empty() || values.iter().any(|value| list.contains(value))
        };
        let fields = [&case.id, &case.topic, &case.op];
        self.part
            .as_ref()
            .is_none_or(|part| fields.iter().any(|field| field.contains(part.as_str())))
            && among(&self.ids, &[&case.id])
            && among(&self.topics, &[&case.topic])
            && among(&self.ops, &[&case.op])
            && among(&self.rules, &case.spec.iter().collect::<Vec<_>>())
    }
}

/// How a case went, by itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Passed,
    Failed(Vec<Difference>),
    Skipped(String),
    Errored(String),
}

/// The ids of a list of expected failures: one a line, `#` begins a comment.
pub fn parse_failure_list(text: &str) -> Vec<String> {
    text.lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim())
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Runs every selected case on every implementation; how each went.
///
/// The error tells that it could not run at all.
pub fn run<W: Write>(
    plan: &Plan,
    commands: &[Vec<String>],
    reporter: &mut Reporter<W>,
) -> Result<Vec<Tally>, String> {
    check_failure_list(plan)?;
    let selected: Vec<&Case> = select(plan);
    if selected.is_empty() {
        return Err("no case fits what was selected".to_owned());
    }
    let mut answers = Answers::default();
    let mut total = Tally::default();
    let mut tallies = Vec::new();
    for command in commands {
        let tally = Session::start(plan, command, &mut answers)?.run(&selected, reporter)?;
        total.add(&tally);
        tallies.push(tally);
    }
    reporter.finish(&total)?;
    Ok(tallies)
}

/// The cases that fit the filter, the smoke cases first.
fn select(plan: &Plan) -> Vec<&Case> {
    let taken = plan.cases.iter().filter(|case| plan.filter.takes(case));
    let (smoke, rest): (Vec<_>, Vec<_>) = taken.partition(|case| case.smoke);
    smoke.into_iter().chain(rest).collect()
}

fn check_failure_list(plan: &Plan) -> Result<(), String> {
    let ids: BTreeSet<_> = plan.cases.iter().map(|case| &case.id).collect();
    match plan.expected_failures.iter().find(|id| !ids.contains(id)) {
        Some(id) => Err(format!(
            "the list of expected failures names `{id}`, which no case has; take it off the list"
        )),
        None => Ok(()),
    }
}

/// Whether a pointer leads to a place or into what stands there.
fn within(pointer: &str, place: &str) -> bool {
    let rest = pointer.strip_prefix(place);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The first answer to each case and whose it was.
#[derive(Default)]
struct Answers {
    first: BTreeMap<String, (String, Value)>,
}

impl Answers {
    /// Where this answer differs from the one that another implementation gave.
    fn compare(&mut self, id: &str, label: &str, response: &Value) -> Vec<Difference> {
        let mut out = Vec::new();
        let mut answer = response.clone();
        if let Some(members) = answer.as_object_mut() {
            members.remove("seq");
        }
        match self.first.get(id) {
            None => {
                self.first.insert(id.to_owned(), (label.to_owned(), answer));
            }
            Some((other, first)) => {
                compare::same(first, &answer, "", &mut out);
                for difference in &mut out {
                    difference.expected = format!("{}, as {other} answers", difference.expected);
                }
            }
        }
        out
    }
}

/// One implementation's run through the cases.
struct Session<'a> {
    plan: &'a Plan,
    command: &'a [String],
    answers: &'a mut Answers,
    harness: Option<Harness>,
    label: String,
    ops: Vec<String>,
    lacks: Vec<String>,
    program: Vec<String>,
    faults_in_a_row: usize,
}

impl<'a> Session<'a> {
    fn start(
        plan: &'a Plan,
        command: &'a [String],
        answers: &'a mut Answers,
    ) -> Result<Self, String> {
        let harness = Harness::start(command, plan.timeout)?;
        let info = harness.info.clone();
        Ok(Session {
            plan,
            command,
            answers,
            harness: Some(harness),
            label: format!("{} ({} {})", info.language, info.name, info.version),
            ops: info.ops,
            lacks: info.lacks,
            program: info.program,
            faults_in_a_row: 0,
        })
    }

    fn run<W: Write>(
        mut self,
        selected: &[&Case],
        reporter: &mut Reporter<W>,
    ) -> Result<Tally, String> {
        let mut tally = Tally {
            selected: selected.len(),
            ..Tally::default()
        };
        reporter.begin(&self.label, selected.len())?;
        let smoke = selected.iter().take_while(|case| case.smoke).count();
        for (done, case) in selected.iter().enumerate() {
            if done == smoke && tally.unexpected() > 0 {
                let left = selected.len() - done;
                tally.stopped = true;
                reporter.note(&format!(
                    "{}: the smoke stage did not pass, so the other {left} cases were not run",
                    self.label
                ))?;
                break;
            }
            if self.faults_in_a_row >= MAX_FAULTS_IN_A_ROW {
                let left = selected.len() - done;
                tally.stopped = true;
                reporter.note(&format!(
                    "{}: given up after {MAX_FAULTS_IN_A_ROW} faults in a row, {left} cases were not run",
                    self.label
                ))?;
                break;
            }
            let outcome = self.run_case(case)?;
            let report = self.judge(case, outcome);
            tally.count(&case.op, &report);
            reporter.case(&self.label, case, &report)?;
        }
        if let Some(harness) = self.harness.take()
            && !harness.stop()
        {
            reporter.note(&format!(
                "{}: did not end with status 0 after `stop`",
                self.label
            ))?;
            tally.stopped = true;
        }
        reporter.end(&self.label, &tally)?;
        Ok(tally)
    }

    /// Runs one case; the error tells that the case or the runner is broken, not the harness.
    fn run_case(&mut self, case: &Case) -> Result<Outcome, String> {
        if case.op == tool::OP && !self.program.is_empty() {
            let in_case = |message: String| format!("case `{}`: {message}", case.id);
            let input = case.input.bytes().map_err(in_case)?;
            let options = case.wire_options().map_err(in_case)?;
            return match tool::run(&self.program, &input, &options) {
                Ok(response) => self.classify(case, &input, &response).map_err(in_case),
                Err(reason) => Ok(Outcome::Errored(reason)),
            };
        }
        if !self.ops.contains(&case.op) {
            return Ok(Outcome::Skipped(format!(
                "it has no operation `{}`",
                case.op
            )));
        }
        let in_case = |message: String| format!("case `{}`: {message}", case.id);
        let input = case.input.bytes().map_err(in_case)?;
        let mut request = case.request(&input).map_err(in_case)?;
        let script = match script::is_script(&case.op) {
            true if cfg!(unix) => {
                let options = &mut request["options"];
                Some(Script::prepare(&self.plan.root, case, options).map_err(in_case)?)
            }
            true => return Ok(Outcome::Skipped("scripts need POSIX".to_owned())),
            false => None,
        };
        let mut harness = match self.harness.take() {
            Some(harness) => harness,
            None => match Harness::start(self.command, self.plan.timeout) {
                Ok(harness) => harness,
                Err(reason) => {
                    self.faults_in_a_row += 1;
                    return Ok(Outcome::Errored(reason));
                }
            },
        };
        let again = laws::repeats(&case.op).then(|| request.clone());
        let responses = harness
            .ask(request)
            .and_then(|first| Ok((first, again.map(|again| harness.ask(again)).transpose()?)));
        let (mut response, again) = match responses {
            Ok(responses) => responses,
            Err(Fault(reason)) => {
                // The harness is dropped, which kills it; the next case starts another.
                self.faults_in_a_row += 1;
                return Ok(Outcome::Errored(reason));
            }
        };
        self.faults_in_a_row = 0;
        self.harness = Some(harness);
        if again.is_some_and(|again| again["result"] != response["result"]) {
            return Ok(Outcome::Errored(
                "the same request has two results".to_owned(),
            ));
        }
        let left = script.map_or_else(Vec::new, |script| script.observe(&mut response));
        let outcome = self.classify(case, &input, &response).map_err(in_case)?;
        Ok(match outcome {
            Outcome::Passed if !left.is_empty() => Outcome::Failed(left),
            other => other,
        })
    }

    fn classify(&mut self, case: &Case, input: &[u8], response: &Value) -> Result<Outcome, String> {
        let members: Vec<&str> = ["result", "error", "skipped", "errored"]
            .into_iter()
            .filter(|name| response.get(name).is_some())
            .collect();
        let reason = |name: &str| {
            response[name]
                .as_str()
                .unwrap_or("no reason given")
                .to_owned()
        };
        Ok(match members[..] {
            ["skipped"] => Outcome::Skipped(reason("skipped")),
            ["errored"] => Outcome::Errored(reason("errored")),
            ["result" | "error"] => {
                let expect = compare::stretched(&case.expect, self.plan.slow);
                let mut differences = compare::compare(&expect, response, input, self.plan.exact)?;
                differences.extend(laws::check(&case.op, input, response, &self.plan.registry));
                // Times and processes differ from run to run.
                let mut others = match script::is_script(&case.op) || case.op == tool::OP {
                    true => Vec::new(),
                    false => self.answers.compare(&case.id, &self.label, response),
                };
                if !self.plan.exact {
                    let free = compare::reference_pointers(&case.expect);
                    others.retain(|difference| {
                        !free.iter().any(|at| within(&difference.pointer, at))
                    });
                }
                differences.extend(others);
                if differences.is_empty() {
                    Outcome::Passed
                } else {
                    Outcome::Failed(differences)
                }
            }
            _ => Outcome::Errored(
                "the answer has not exactly one of `result`, `error`, `skipped` and `errored`"
                    .to_owned(),
            ),
        })
    }

    /// Weighs an outcome against the list of expected failures.
    fn judge(&self, case: &Case, outcome: Outcome) -> Report {
        let listed = self.plan.expected_failures.contains(&case.id);
        let complaint = match (&outcome, listed) {
            (Outcome::Passed, true) => {
                Some("passes, but is on the list of expected failures; take it off the list")
            }
            (Outcome::Skipped(_), true) => {
                Some("is skipped, but is on the list of expected failures; take it off the list")
            }
            (Outcome::Skipped(_), false)
                if self.plan.no_skips && !self.lacks.contains(&case.op) =>
            {
                Some("is skipped, which `--no-skips` forbids")
            }
            (Outcome::Failed(_) | Outcome::Errored(_), false) => Some(""),
            _ => None,
        };
        Report { outcome, complaint }
    }
}
