//! Running a tool for a person: what to run, with which arguments, who answers, what comes out.

pub mod arguments;
mod bar;
mod each;
pub mod given;
pub mod mode;
mod pick;
pub mod result;
pub mod router;
pub mod screen;
pub mod session;
mod signals;
mod suspend;
pub mod target;
mod tty;

use std::sync::Arc;

use toolwire::call::{Call, ToolDescription};
use toolwire::{BlockKind, Diagnostic, Parsed, Severity};
use toolwire_host::{
    CallMode, CallOutcome, End, ExchangeOptions, Process, Reply, RunReport, StopReason,
    output_mismatches,
};
use toolwire_source::Source;

use crate::args::RunArgs;
use crate::baseline::Baseline;
use crate::each::check_format;
use crate::exit::{Outcome, Result};
use crate::output::Out;
use arguments::{Members, Verb};
use given::Given;
use router::Router;

pub use pick::{AN_ARGUMENT, choose, pick};
pub use screen::Screen;
use session::Described;
pub use session::{Session, block_on, block_on_and_leave, inherited, process_options};
pub use signals::Signals;
pub use target::{Target, find as manifest, find_program, of_source, parted, source_word, text};

/// The name under which refusals speak of this command.
pub const HOST: &str = "Toolwire";

/// A run that was asked for.
struct Run<'a> {
    args: &'a RunArgs,
    target: Target,
    mode: CallMode,
    words: Vec<String>,
    given: Option<Members>,
    answers: Given,
    baseline: Baseline,
}

/// What comes of it.
struct Ran {
    parsed: Parsed<'static>,
    /// Whether a signal ended it.
    cancelled: bool,
    /// How its last run went.
    report: RunReport,
    /// Whether arguments did not reach the program.
    lost: bool,
}

impl From<Reply> for Ran {
    fn from(reply: Reply) -> Self {
        Ran {
            cancelled: reply.report.stopped == Some(StopReason::Cancelled),
            parsed: reply.parsed,
            report: reply.report,
            lost: false,
        }
    }
}

/// Runs a tool or a program.
pub fn with(source: Source, args: &RunArgs, out: &mut Out) -> Result<Outcome> {
    let manifest = &args.server.source.manifest;
    let baseline = Baseline::of_profile(&source, &args.expect)?;
    let baseline = baseline.with_lock(&source, &args.locked, manifest, out)?;
    let words = &args.words[usize::from(args.command.is_empty())..];
    let is_tool = source.is_tool(args.server.process.cwd.as_deref());
    let (target, words) = of_source(source, words, args.plain)?;
    if args.each.each {
        check_format(args.format)?;
    }
    let mut run = Run {
        args,
        target,
        mode: CallMode::Plain,
        words,
        given: arguments::given(&args.given)?,
        answers: Given::read(&args.answers.beforehand)?,
        baseline,
    };
    block_on(async {
        let mut session = Session::new(&run.target, &args.server.process, out.when)?;
        session.screen.show_from(args.log.log_level.0);
        if args.tty {
            tty::hand_over(&mut session)?;
        }
        run.mode = mode::decide(&run.target, is_tool, args, &run.words, &session.options)?;
        run.target.entry.plain = run.mode == CallMode::Plain;
        if args.each.each {
            return run.each(&session, out).await;
        }
        let label = run.target.label.clone();
        let advice = run
            .target
            .entry
            .plain
            .then(|| mode::how_to_answer(&run.target, args));
        let hint = mode::hint(&run.target, args);
        let ran = run.perform(&session, out).await?;
        tell_what_was_found(ran.parsed.diagnostics(), out);
        tell_output_mismatches(&ran.report, out);
        let failed = ran.parsed.is_error();
        if let Some(hint) = tty::hint(&ran.report).filter(|_| failed && !args.tty) {
            out.complain(hint);
        }
        let asked = advice.and_then(|advice| Some((mode::question(&ran.parsed)?, advice)));
        result::write(
            &ran.parsed,
            &ran.report,
            result::asked(args.format, args.json),
            out,
        )?;
        if let Some((id, advice)) = &asked {
            out.complain(&format!("`{label}` asks `{id}`, {advice}"));
        } else if let Some(hint) = hint.filter(|_| failed && mode::missed_json(&ran.report)) {
            out.complain(&hint);
        }
        let interrupted = match args.tty {
            true if session.signals.count() == 0 => tty::ended_by_person(&ran.report),
            _ => session.signals.outcome().filter(|_| ran.cancelled),
        };
        Ok(match interrupted {
            Some(outcome) => outcome,
            None if failed || ran.lost || asked.is_some() => Outcome::Negative,
            None => Outcome::Success,
        })
    })
}

impl Run<'_> {
    async fn perform(mut self, session: &Session, out: &mut Out) -> Result<Ran> {
        let described = match self.target.contract() {
            Some(contract) => Some(contract),
            None if self.mode == CallMode::Call => None,
            None => match self.describe(session).await? {
                Some(Described {
                    tools: Some(tools), ..
                }) => Some(pick(tools, &self.target)?),
                Some(list) => {
                    self.verify(None, out)?;
                    let lost = self.tell_what_was_lost(&list.reply, out);
                    return Ok(Ran {
                        lost,
                        ..list.reply.into()
                    });
                }
                None => None,
            },
        };
        self.verify(described.as_ref(), out)?;
        let schema = described.as_ref().map(|contract| &contract.input_schema);
        let arguments = arguments::compose(
            Verb::Run,
            self.target.arguments(),
            self.given.as_ref(),
            &self.words,
            schema,
        )?;
        let mut process = session.process(self.target.program(&arguments)?);
        process.plain = self.target.entry.plain;
        let output = described
            .as_ref()
            .and_then(|contract| contract.output_schema.clone());
        let named = described.map(|contract| contract.name);
        let name = named.or(self.target.entry.tool.take());
        let name = name.unwrap_or_else(|| self.target.label.clone());
        let mut call = Call::new(&name, arguments);
        call.options = self.target.entry.options.clone();
        call.root.clone_from(&session.root);
        let mut ran = self.converse(session, process, call, out).await?;
        let asks = ran
            .parsed
            .blocks()
            .any(|block| block.kind() == BlockKind::Question);
        if let Some(schema) = output.filter(|_| !asks) {
            ran.report.output_mismatches = output_mismatches(&ran.parsed, &schema);
        }
        Ok(ran)
    }

    /// Sees to it that the tool is as it was locked.
    fn verify(&self, described: Option<&ToolDescription>, out: &mut Out) -> Result<()> {
        self.baseline
            .before_call(self.target.listed(described).as_ref(), out)
    }

    /// What the program holds; nothing if it asks a question instead. What it said when asked that is
    /// shown only if it was its run: else it would say the same twice.
    async fn describe(&self, session: &Session) -> Result<Option<Described>> {
        session.screen.hold();
        let list = session.describe(&self.target).await;
        let hushed = match &list {
            Ok(Some(list)) => list.tools.is_some(),
            Ok(None) => true,
            Err(_) => false,
        };
        session.screen.release(!hushed);
        list
    }

    /// Calls the tool until it has no questions left.
    async fn converse(
        mut self,
        session: &Session,
        process: Process,
        call: Call,
        out: &mut Out,
    ) -> Result<Ran> {
        let options = ExchangeOptions {
            host: HOST.to_owned(),
            refusals: std::mem::take(&mut self.target.entry.refusals),
            ..ExchangeOptions::default()
        };
        let mut router = self.router(session, out)?;
        let outcome = session
            .call(Arc::new(process), call, options, &mut router)
            .await?;
        tell_what_was_not_used(&outcome, &router, out);
        Ok(Ran {
            cancelled: outcome.cancelled(),
            report: outcome.report,
            parsed: outcome.parsed,
            lost: false,
        })
    }

    /// Who answers the questions of the program.
    fn router(&mut self, session: &Session, out: &Out) -> Result<Router> {
        let given = std::mem::take(&mut self.answers);
        let (label, entry) = (&self.target.label, &mut self.target.entry);
        let questions = std::mem::take(&mut entry.questions);
        let usual = entry.assistant.as_ref();
        Ok(Router {
            questions,
            ..Router::of_run(label, session, self.args, given, usual, out)?
        })
    }

    /// Says what did not reach a program that did its job when it was asked to describe itself, and
    /// whether there was anything.
    fn tell_what_was_lost(&self, ended: &Reply, out: &mut Out) -> bool {
        let tool = self.target.entry.tool.iter().cloned();
        let given = self.given.iter().flatten().map(|(name, _)| name.clone());
        let lost: Vec<String> = tool
            .chain(self.words.iter().cloned())
            .chain(given)
            .collect();
        if lost.is_empty() {
            return false;
        }
        let (label, lost) = (&self.target.label, lost.join(", "));
        let what = match ended.parsed.is_error() {
            true => "failed when it was asked to describe itself",
            false => "did its usual work when it was asked to describe itself",
        };
        out.complain(&format!(
            "`{label}` {what}, so this did not reach it: {lost}; if it reads calls, use `--call`; for \
             plain arguments, use `--plain -- PROGRAM ARGUMENTS`"
        ));
        true
    }
}

/// Says what was wrong with questions and answers, and which answers were not used.
pub fn tell_what_was_not_used(outcome: &CallOutcome, router: &Router, out: &mut Out) {
    tell_what_was_found(&outcome.diagnostics, out);
    let assistant = router.assistant.iter();
    for failure in assistant.flat_map(|assistant| &assistant.failures) {
        out.complain(&format!("the assistant failed: {failure}"));
    }
    // A server is not known to go on as well without an answer; a tool that does has said so.
    for (id, advice) in &router.unasked {
        let is_end = matches!(&outcome.end, End::AnswerRequired(missing) if missing == id);
        if is_end || router.server.is_some() {
            out.complain(advice);
        }
    }
    for (id, meant) in router.given.unused() {
        // Only a secret is asked for and does not come to the router.
        out.complain(&match (outcome.answers.contains_key(id), meant) {
            (true, _) => {
                format!("`{id}` asks for a secret, so the answer given here was not used")
            }
            (false, None) => {
                format!("the question `{id}` was not asked, so its answer was not used")
            }
            (false, Some(meant)) => format!(
                "the question `{id}` was not asked, so its answer was not used; did you mean `{meant}`?"
            ),
        });
    }
}

/// The most findings of one kind that are told.
const FINDINGS: usize = 5;

/// Says where structured content is not what the tool says of it.
pub fn tell_output_mismatches(report: &RunReport, out: &mut Out) {
    for found in &report.output_mismatches {
        let place = match &*found.pointer {
            "" => String::new(),
            pointer => format!(" at `{pointer}`"),
        };
        out.complain(&format!(
            "warning: the structured content does not fit its output schema{place}: {}",
            found.message
        ));
    }
}

/// What is wrong with what the tool said, for its author.
pub fn tell_what_was_found(diagnostics: &[Diagnostic], out: &mut Out) {
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
