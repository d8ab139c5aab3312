//! From the words of the command line to a source (`docs/reference/sources.md`), and a person's consent to what nobody typed.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use toolwire_host::Command;
use toolwire_source::{Pending, Places, Reached, Source, SourceError, SourceErrorKind};

use crate::args::SourceArgs;
use crate::exit::{Failure, Result};
use crate::prompt;
use crate::terminal::{self, Terminal};

/// The source of a command behind `--`, or of a word. `verb` is the command that wants it.
pub fn find(
    word: Option<&OsStr>,
    command: &[OsString],
    args: &SourceArgs,
    verb: &str,
) -> Result<Source> {
    if let [program, arguments @ ..] = command {
        let command = Command::new(program).args(arguments);
        return Ok(toolwire_source::command(command));
    }
    let places = Places {
        manifest: args.manifest.manifest.clone(),
        config: args.config.clone(),
        jn_home: args.jn.jn_home.clone(),
        verb: Some(format!("toolwire {verb}")),
    };
    let source = toolwire_source::resolve(word.unwrap_or_default(), &places)?;
    match LOOKING.contains(&verb) && !args.yes {
        true => startable(source, verb),
        false => Ok(source),
    }
}

/// The line with which the author of a script says that it reads calls.
pub const MARK: &str = "# toolwire-tool: 1";

/// The commands that look at a source, and start what it names only to do so.
const LOOKING: [&str; 9] = [
    "check",
    "diff",
    "explore",
    "hash",
    "lock",
    "profile create --from",
    "read",
    "schema",
    "tools",
];

/// Refuses to start a file for a look that nothing marks as a tool: it may be no MCP server either, and would do its
/// usual work (CALL-35).
fn startable(source: Source, verb: &str) -> Result<Source> {
    let Reached::Program(program) = &source.reached else {
        return Ok(source);
    };
    if !program.typed || !program.command.arguments().is_empty() || source.is_tool() {
        return Ok(source);
    }
    let path = program.command.program().display();
    if !Path::new(program.command.program()).is_file() {
        return Ok(source);
    }
    // Whoever has locked it has agreed to it.
    let agreement = source.agreement(&source.label);
    if agreement.is_some_and(|pending| pending.is_agreed().unwrap_or(false)) {
        return Ok(source);
    }
    let verb = verb.trim_end_matches(" --from");
    Err(Failure::Wrong(vec![
        format!(
            "`{path}` was not started: it is not marked as a tool, and a program that is no MCP server either would do \
             its usual work"
        ),
        format!(
            "if it is an MCP server, run `toolwire {verb}` with `--yes`, or name it in `toolwire.toml`; mark a script \
             that is a tool with the line `{MARK}`"
        ),
    ]))
}

/// The commands of this run to which a person has agreed, so that nobody is asked again for the same one under another
/// name.
static AGREED: Mutex<Vec<Vec<String>>> = Mutex::new(Vec::new());

/// All that a person sees of a command, without the name and the file by which it is known.
fn command_of(pending: &Pending) -> Vec<String> {
    let is_name = |line: &&String| line.starts_with("server ") || line.starts_with("file ");
    let lines = pending.shown.iter().filter(|line| !is_name(line));
    lines.cloned().collect()
}

fn note(pending: &Pending) {
    let mut agreed = AGREED.lock().unwrap_or_else(PoisonError::into_inner);
    agreed.push(command_of(pending));
}

/// Remembers that a person agrees to a source, if they have agreed to the same command in this run; says whether.
pub fn agree_to_same(source: &Source) -> Result<bool> {
    let agreed = AGREED.lock().unwrap_or_else(PoisonError::into_inner);
    match &source.consent {
        Some(pending) if agreed.contains(&command_of(pending)) => {
            pending.consent.give().map_err(SourceError::from)?;
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// Sees to it that a person agrees to a command that nobody typed, before it is started.
pub fn agree(source: &Source, args: &SourceArgs) -> Result<()> {
    let Some(pending) = source.consent.as_ref().filter(|_| !args.yes) else {
        return Ok(());
    };
    if pending.is_agreed()? {
        note(pending);
        return Ok(());
    }
    if agree_to_same(source)? {
        return Ok(());
    }
    let what = if pending.starts { "command" } else { "server" };
    let mut text = format!(
        "This {what} comes from {}:\n",
        terminal::safe(&pending.origin)
    );
    // A log may be read by others; a person who is asked sees all of it.
    let has_person = has_person(args);
    let shown = match has_person {
        true => &pending.shown,
        false => &pending.told,
    };
    for line in shown {
        text.push_str(&format!("  {}\n", terminal::safe(line)));
    }
    if !has_person {
        terminal::tell(&text, false);
        return Err(pending.refusal("or give `--yes`").into());
    }
    let question = match pending.starts {
        true => "Run it, now and from now on?",
        false => "Use it, now and from now on?",
    };
    let ask = || {
        let mut terminal = Terminal::open()?;
        terminal.tell(&text)?;
        terminal::confirm_at(&mut terminal, question)
    };
    let agreed = ask().map_err(|error| Failure::Io(error.to_string()))?;
    match agreed {
        true => {
            note(pending);
            Ok(pending.consent.give().map_err(SourceError::from)?)
        }
        false => Err(Failure::Refused(format!(
            "`{}` was not agreed to, so it was not started",
            source.label
        ))),
    }
}

/// Whether there is somebody to ask. What comes on standard input as an input, such as the records of
/// `--each`, says nothing of that, but a job in the background would wait for the terminal.
fn has_person(args: &SourceArgs) -> bool {
    match args.stdin_is_input {
        true => prompt::is_available_beside_stdin() && terminal::is_in_foreground(),
        false => prompt::is_available(),
    }
}

/// What a word that is no source means for a command.
impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Self {
        match error.kind() {
            SourceErrorKind::System => Failure::Io(error.to_string()),
            SourceErrorKind::Unsupported => Failure::Refused(error.to_string()),
            _ => Failure::Wrong(error.lines().to_vec()),
        }
    }
}
