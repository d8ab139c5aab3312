//! From the words of the command line to a source (`docs/reference/sources.md`), and a person's consent to what nobody typed.

use std::ffi::{OsStr, OsString};
use std::sync::{Mutex, PoisonError};

use toolwire_host::Command;
use toolwire_source::{Pending, Source, SourceError, SourceErrorKind};

use crate::args::SourceArgs;
use crate::exit::{Failure, Result};
use crate::prompt;
use crate::terminal::{self, Terminal};

/// The source of a command behind `--`, or of a word. `verb` is the command that wants it, which has no use for a plain
/// program.
pub fn find(
    word: Option<&OsStr>,
    command: &[OsString],
    args: &SourceArgs,
    verb: &str,
) -> Result<Source> {
    let source = find_any(word, command, args, verb)?;
    let verb = verb.trim_end_matches(" --from");
    source.refuse_plain(Some(&format!("toolwire {verb}")))?;
    Ok(source)
}

/// The same for a command that runs plain programs.
pub fn find_any(
    word: Option<&OsStr>,
    command: &[OsString],
    args: &SourceArgs,
    verb: &str,
) -> Result<Source> {
    if let [program, arguments @ ..] = command {
        let command = Command::new(program).args(arguments);
        return Ok(toolwire_source::command(command));
    }
    let word = word.unwrap_or_default();
    Ok(toolwire_source::resolve(word, &args.places(verb))?)
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
