//! Running a tool for a person: what to run, with which arguments, who answers, what comes out.

mod arguments;
mod given;
mod router;
mod screen;
mod session;
mod signals;
mod target;

use serde_json::{Map, Value};
use toolwire::build::{ErrorOptions, error};
use toolwire::call::{Call, Tool as Contract};
use toolwire::{
    Diagnostic, FormatOptions, Json, Limits, Parsed, Severity, Target as Reader, parse,
};
use toolwire_host::{Assistant, CallOptions, Environment, ExchangeOptions, Tool, call_until};

use crate::args::{NonInteractive, ResultFormat, RunArgs};
use crate::exit::{Failure, Outcome, Result};
use crate::manifest;
use crate::output::{Out, use_color};
use crate::prompt;
use arguments::Members;
use given::Given;
use router::{Ended, Ending, Router};

pub use session::{Described, Session, block_on};
pub use target::{Target, resolve};

/// The name under which refusals speak of this command.
const HOST: &str = "Toolwire";

/// A run that was asked for.
struct Run<'a> {
    args: &'a RunArgs,
    target: Target,
    words: Vec<String>,
    given: Option<Members>,
    answers: Given,
}

/// What comes of it.
struct Ran {
    parsed: Parsed<'static>,
    /// Whether a signal ended it.
    cancelled: bool,
}

/// Runs what the arguments say and writes the result.
pub fn run(args: &RunArgs, out: &mut Out) -> Result<Outcome> {
    let (target, words) = resolve(&args.words, &args.command, &args.manifest, args.plain)?;
    let run = Run {
        args,
        target,
        words,
        given: arguments::given(&args.given)?,
        answers: Given::read(&args.answers)?,
    };
    block_on(async {
        let session = Session::new(&run.target, &args.process, out.when)?;
        let ran = run.perform(&session, out).await?;
        tell_what_was_found(ran.parsed.diagnostics(), out);
        write(&ran.parsed, args.format, out)?;
        Ok(match session.signals.outcome().filter(|_| ran.cancelled) {
            Some(outcome) => outcome,
            None if ran.parsed.is_error() => Outcome::Negative,
            None => Outcome::Success,
        })
    })
}

impl Run<'_> {
    async fn perform(mut self, session: &Session, out: &mut Out) -> Result<Ran> {
        let described = match self.target.contract() {
            Some(contract) => Some(contract),
            None if self.args.no_describe => None,
            None => match session.describe(&self.target).await? {
                Described::Tools(tools) => Some(pick(tools, &self.target)?),
                Described::Ran(ended) => {
                    self.tell_what_was_lost(out);
                    let cancelled = ended.cancelled();
                    return Ok(Ran {
                        parsed: ended.parsed,
                        cancelled,
                    });
                }
            },
        };
        let schema = described.as_ref().map(|contract| &contract.input_schema);
        let arguments = arguments::compose(
            &self.target.arguments,
            self.given.as_ref(),
            &self.words,
            schema,
        )?;
        let program = self.program(&arguments)?;
        if self.target.plain {
            let ended = session.once(&program, Vec::new()).await?;
            let cancelled = ended.cancelled();
            return Ok(Ran {
                parsed: ended.parsed,
                cancelled,
            });
        }
        let named = described.map(|contract| contract.name);
        let name = named.or(self.target.tool.take());
        let name = name.unwrap_or_else(|| self.target.label.clone());
        let mut call = Call::new(&name, arguments);
        call.options = self.target.options.clone();
        call.root.clone_from(&session.root);
        self.converse(session, &program, call, out).await
    }

    /// The program with its arguments, those of the call put in where the manifest says.
    fn program(&self, arguments: &Json) -> Result<Tool> {
        let Some(template) = &self.target.template else {
            return Ok(self.target.program.clone());
        };
        let wrong = |message: String| Failure::Wrong(vec![message]);
        let members: Map<String, Value> = arguments
            .to_value()
            .map_err(|error| wrong(error.to_string()))?;
        let vector = template.expand(&members).map_err(wrong)?;
        Ok(Tool::new(self.target.program.program()).args(vector))
    }

    /// Calls the tool until it has no questions left.
    async fn converse(
        mut self,
        session: &Session,
        program: &Tool,
        call: Call,
        out: &mut Out,
    ) -> Result<Ran> {
        let ending = Ending::default();
        let options = CallOptions {
            run: session.options.clone(),
            exchange: ExchangeOptions {
                host: HOST.to_owned(),
                ..ExchangeOptions::default()
            },
        };
        let mut router = Router {
            given: std::mem::take(&mut self.answers),
            questions: std::mem::take(&mut self.target.questions),
            assistant: self.assistant(session),
            nobody: self
                .args
                .answers
                .non_interactive
                .or_else(|| (!prompt::is_available()).then_some(NonInteractive::Fail)),
            screen: session.screen.clone(),
            // Prompts are on a terminal wherever the output goes.
            color: use_color(out.when, true),
            end: ending.clone(),
        };
        let cancel = async {
            tokio::select! {
                () = session.signals.nth(1) => {}
                () = ending.reached() => {}
            }
        };
        let called = call_until(program, call, &options, &mut router, cancel);
        let called = session.watch(called).await?;
        if let Some(ended) = ending.take() {
            return give_up(ended, &self.target.label, out);
        }
        tell_what_was_found(&called.diagnostics, out);
        for failure in router
            .assistant
            .iter()
            .flat_map(|assistant| &assistant.failures)
        {
            out.complain(&format!("the assistant failed: {failure}"));
        }
        for id in router.given.unused() {
            // Only a secret is asked for and does not come to the router.
            out.complain(&match called.answers.contains_key(id) {
                true => format!("`{id}` asks for a secret, so the answer given here was not used"),
                false => format!("nobody asked `{id}`, so its answer was not used"),
            });
        }
        let cancelled = called.cancelled();
        Ok(Ran {
            parsed: called.parsed,
            cancelled,
        })
    }

    /// The program that answers, which gets all of the environment: its keys are there.
    fn assistant(&self, session: &Session) -> Option<Assistant> {
        let words = self.args.answers.assistant.as_ref();
        let words = words.or(self.target.assistant.as_ref())?;
        let (program, arguments) = words.split_first()?;
        let mut assistant = Assistant::new(Tool::new(program).args(arguments));
        assistant
            .run
            .on_stderr
            .clone_from(&session.options.on_stderr);
        assistant.run.environment = Environment::all();
        Some(assistant)
    }

    /// What was said to a program that can't be spoken to.
    fn tell_what_was_lost(&self, out: &mut Out) {
        let tool = self.target.tool.iter().cloned();
        let given = self.given.iter().flatten().map(|(name, _)| name.clone());
        let lost: Vec<String> = tool
            .chain(self.words.iter().cloned())
            .chain(given)
            .collect();
        if !lost.is_empty() {
            out.complain(&format!(
                "`{}` does not say what it takes, so this did not reach it: {}; give words of its \
                 own behind `--`",
                self.target.label,
                lost.join(", ")
            ));
        }
    }
}

/// The tool that is meant, of those that a program holds.
fn pick(mut tools: Vec<Contract>, target: &Target) -> Result<Contract> {
    let label = &target.label;
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
    let at = match &target.tool {
        Some(name) => names
            .iter()
            .position(|other| other == name)
            .ok_or_else(|| {
                let message = manifest::unknown("tool", name, &names);
                let hint = "an argument is written `name=value`";
                Failure::Wrong(vec![format!("`{label}`: {message} ({hint})")])
            })?,
        None if names.len() == 1 => 0,
        None if names.is_empty() => {
            return Err(Failure::Refused(format!("`{label}` holds no tools")));
        }
        None => {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let names = names.join(", ");
            let message = format!("`{label}` holds several tools; name one of {names}");
            return Err(Failure::Wrong(vec![message]));
        }
    };
    Ok(tools.swap_remove(at))
}

/// A question ended the call: says why, and gives a result where there is one to give.
fn give_up(ended: Ended, label: &str, out: &mut Out) -> Result<Ran> {
    match ended {
        Ended::Wrong(messages) => Err(Failure::Wrong(messages)),
        Ended::Terminal(reason) => Err(Failure::Io(format!(
            "cannot ask a question at the terminal: {reason}"
        ))),
        Ended::Unanswered {
            tool,
            id,
            text,
            option,
        } => {
            let label = tool.as_deref().unwrap_or(label);
            out.complain(&format!(
                "`{label}` asks `{id}`: {text} (nobody is there to answer; give `{option}`, or say \
                 with `--non-interactive` what else to do)"
            ));
            let text = format!("`{label}` asked `{id}`, and nobody was there to answer: {text}");
            let envelope =
                error(&text, ErrorOptions::default()).map_err(|error| Failure::refused(&error))?;
            let parsed = parse(envelope.to_json().into_bytes(), &Limits::WIDEST);
            Ok(Ran {
                parsed,
                cancelled: false,
            })
        }
    }
}

/// The most findings of one kind that are told.
const FINDINGS: usize = 5;

/// What is wrong with what the tool said, for its author (CLI-55).
fn tell_what_was_found(diagnostics: &[Diagnostic], out: &mut Out) {
    let found = diagnostics
        .iter()
        .filter(|one| one.severity != Severity::Note);
    let found: Vec<&Diagnostic> = found.collect();
    for one in found.iter().take(FINDINGS) {
        let space = if one.pointer.is_empty() { "" } else { " " };
        out.complain(&format!(
            "{}[{}]{space}{}: {}",
            one.severity, one.code, one.pointer, one.message
        ));
    }
    if found.len() > FINDINGS {
        out.complain(&format!("and {} more like these", found.len() - FINDINGS));
    }
}

/// Writes a result for its reader (CLI-51).
fn write(parsed: &Parsed<'_>, format: Option<ResultFormat>, out: &mut Out) -> Result<()> {
    let usual = if out.terminal {
        ResultFormat::Terminal
    } else {
        ResultFormat::Model
    };
    let reader = match format.unwrap_or(usual) {
        ResultFormat::Json => return out.json(&String::from_utf8_lossy(parsed.document())),
        ResultFormat::Model => Reader::Model,
        ResultFormat::Terminal => Reader::Terminal,
    };
    let options = FormatOptions {
        target: reader,
        color: out.color,
        ..FormatOptions::default()
    };
    let text = toolwire::format(parsed, &options).map_err(|error| Failure::refused(&error))?;
    out.text(&text)
}
