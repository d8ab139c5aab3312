//! One module a command, and what they share.

pub mod canonicalize;
pub mod check;
mod client_check;
pub mod client_config;
pub mod completions;
pub mod diff;
mod elsewhere;
pub mod explain;
pub mod format;
mod gateway;
pub mod get;
pub mod identify;
pub mod init;
pub mod lock;
pub mod locked;
pub mod observe;
pub mod parse;
pub mod profile;
pub mod read;
mod review;
pub mod run;
pub mod serve;
pub mod servers;
mod started;
pub mod tools;
pub mod trust;
mod uri;
pub mod validate;

use std::ffi::OsStr;
use std::path::PathBuf;

use toolwire::{Diagnostic, Error, Exit, Limits, Locator, Output, Parsed, Severity, receive};

use crate::args::{Files, LimitArgs, LinesArgs, ReceivedArgs};
use crate::exit::{Failure, Outcome, Result};
use crate::input::{self, Source};
use crate::output::{CYAN, Out, RED, YELLOW};
use crate::record::Origin;
use crate::terminal;

/// That a command takes less than it was given.
fn surplus_word(verb: &str, takes: &str, surplus: &OsStr) -> Failure {
    let surplus = surplus.display();
    Failure::usage(format!(
        "`{verb}` takes {takes}, and `{surplus}` is a word too many; pass a program's own arguments after `--`, as in \
         `-- PROGRAM {surplus}`"
    ))
}

/// That there is no manifest.
fn no_manifest() -> Failure {
    Failure::Io(
        "there is no `toolwire.toml` in this folder or one above it; write one, or name it with \
         `--manifest`"
            .to_owned(),
    )
}

/// The limits that were set, checked.
fn limits(args: &LimitArgs) -> Result<Limits> {
    let limits = args.to_limits();
    limits.check().map_err(|error| {
        let option = match error.pointer() {
            "/maxBytes" => "--max-input",
            _ => "--max-depth",
        };
        usage(&error, option)
    })?;
    Ok(limits)
}

/// A refused option as a usage error, which names it as it is written here.
fn usage(error: &Error, option: &str) -> Failure {
    let name = error.pointer().trim_start_matches('/');
    Failure::Usage(
        error
            .message()
            .replacen(&format!("`{name}`"), &format!("`{option}`"), 1),
    )
}

/// Reads each input whole; one that can't be read does not keep the others from it.
fn each_output(
    files: &Files,
    limits: &Limits,
    out: &mut Out,
    mut each: impl FnMut(&mut Out, Origin<'_>, Vec<u8>) -> Result<Outcome>,
) -> Result<Outcome> {
    let several = files.files.len() > 1;
    let mut worst = Outcome::Success;
    for path in input::paths(&files.files) {
        let read = Source::open(path).and_then(|source| {
            let name = source.name();
            Ok((name, source.read_all(limits.max_bytes)?))
        });
        let ran = read.and_then(|(name, bytes)| {
            let name = terminal::safe(&name);
            let origin = Origin {
                file: several.then_some(name.as_str()),
                line: None,
            };
            each(out, origin, bytes)
        });
        match ran {
            Ok(outcome) => worst = worst.max(outcome),
            Err(Failure::Io(message)) => {
                out.complain(&message);
                worst = worst.max(Outcome::Io);
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(worst)
}

/// Reads an output as a host does that ran the tool, if the options say how it ended.
fn read_received(stdout: Vec<u8>, args: &ReceivedArgs, limits: &Limits) -> Result<Parsed<'static>> {
    if args.given().is_none() {
        return Ok(toolwire::parse(stdout, limits));
    }
    let file = |path: &Option<PathBuf>| {
        path.as_ref()
            .map(|path| input::read_file(path, limits.max_bytes))
            .transpose()
    };
    let (stderr, result) = (file(&args.stderr)?, file(&args.result)?);
    let exit = args.signal.or(args.exit_status).unwrap_or(Exit::Code(0));
    let output = Output {
        stdout: &stdout,
        result: result.as_deref(),
        exit,
        stderr: stderr.as_deref().unwrap_or_default(),
    };
    Ok(receive(&output, limits))
}

/// How a tool ended belongs to one output only.
fn check_received(files: &Files, lines: Option<&LinesArgs>, args: &ReceivedArgs) -> Result<()> {
    let Some(option) = args.given() else {
        return Ok(());
    };
    if lines.is_some_and(|lines| lines.lines) {
        return Err(Failure::usage(format!(
            "`{option}` cannot be used with `--lines`"
        )));
    }
    if files.files.len() > 1 {
        return Err(Failure::usage(format!(
            "`{option}` can be used with one output only"
        )));
    }
    Ok(())
}

/// A line for each diagnostic.
fn write_diagnostics(out: &mut Out, origin: Origin<'_>, parsed: &Parsed<'_>) -> Result<()> {
    let mut locator = Locator::new(parsed.raw());
    for diagnostic in parsed.diagnostics() {
        let at = diagnostic.offset.map(|offset| locator.locate(offset));
        let text = diagnostic_line(out, diagnostic);
        out.line(&format!("{}{text}", origin.place(at)))?;
    }
    Ok(())
}

/// A diagnostic as text on one line: `warning[no_body] /content/0/resource: …`.
fn diagnostic_line(out: &Out, diagnostic: &Diagnostic) -> String {
    let Diagnostic {
        code,
        severity,
        pointer,
        message,
        ..
    } = diagnostic;
    let style = match severity {
        Severity::Error => RED,
        Severity::Warning => YELLOW,
        Severity::Note => CYAN,
    };
    let label = out.paint(style, &format!("{severity}[{code}]"));
    let space = if pointer.is_empty() { "" } else { " " };
    format!(
        "{label}{space}{}: {}",
        terminal::safe(pointer),
        terminal::safe(message)
    )
}
