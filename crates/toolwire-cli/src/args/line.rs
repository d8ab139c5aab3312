//! A command line as it was typed: its options come before the source, and everything after the source belongs to
//! the tool.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Args, ColorChoice, CommandFactory, Error, FromArgMatches};

use super::{Cli, Command, RunArgs, SessionVerb, SpawnArgs};
use crate::exit::{Failure, Result};

/// Commands that went, and those that do what they did.
const GONE: [(&str, &str); 10] = [
    ("call", "run"),
    ("convert", "servers"),
    ("describe", "tools"),
    ("digest", "canonicalize --digest"),
    ("discover", "servers"),
    ("explore", "tools"),
    ("hash", "tools --fingerprint"),
    ("list", "tools"),
    ("schema", "tools --schema"),
    ("uri", "identify --uri"),
];

/// Reads a command line.
pub fn read(
    line: &[OsString],
    color: ColorChoice,
) -> std::result::Result<(Cli, ArgMatches), Error> {
    let command = Cli::command().color(color);
    let matches = command.try_get_matches_from(line);
    let matches = matches.map_err(|error| explain(error, line))?;
    Ok((Cli::from_arg_matches(&matches)?, matches))
}

/// What to type, if the error is that a command is unknown that went.
pub fn instead(error: &Error, line: &[OsString]) -> Option<String> {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let (gone, now) = GONE.iter().find(|(gone, _)| gone == name)?;
    let is_unknown = error.kind() == ErrorKind::InvalidSubcommand;
    let words = line.iter().skip_while(|word| *word != gone).skip(1);
    let words = words.map(|word| format!(" {}", quoted(&word.to_string_lossy())));
    let line = format!("toolwire {now}{}", words.collect::<String>());
    is_unknown.then(|| format!("`toolwire {gone}` is `toolwire {now}` now: write `{line}`"))
}

/// Says of an option before the source that the command does not have where those of a tool stand.
fn explain(mut error: Error, line: &[OsString]) -> Error {
    let verb = line.iter().find_map(|word| match word.to_str() {
        Some("run") => Some("run SOURCE"),
        Some("spawn") => Some("session spawn ID SOURCE"),
        _ => None,
    });
    if let (ErrorKind::UnknownArgument, Some(verb)) = (error.kind(), verb)
        && let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg)
        && let Some(name) = option.strip_prefix("--")
    {
        let start = format!("toolwire {verb}");
        let tip = format!(
            "arguments of the tool come after the source: `{start} --{name} VALUE` or `{start} {name}=VALUE`"
        );
        let tip = ContextValue::StyledStrs(vec![tip.into()]);
        error.insert(ContextKind::Suggested, tip);
    }
    error
}

impl Command {
    /// Parts the words behind the source from a command that starts the source. They are the tool's, so an option of
    /// this command among them is refused with the line that was meant.
    pub fn part_words(&mut self, line: &[OsString]) -> Result<()> {
        let (command, words, behind) = match self {
            Command::Run(args) => {
                let args: &mut RunArgs = args;
                let command = RunArgs::augment_args(clap::Command::new("run"));
                (command, &mut args.words, &mut args.command)
            }
            Command::Session(args) => match &mut args.verb {
                SessionVerb::Spawn(args) | SessionVerb::Run(args) => {
                    let command = SpawnArgs::augment_args(clap::Command::new("spawn"));
                    (command, &mut args.words, &mut args.command)
                }
                _ => return Ok(()),
            },
            _ => return Ok(()),
        };
        let start = line.len() - words.len();
        // The parser leaves the first `--` out only if no word stands before it.
        if !words.is_empty() && line[start - 1] == "--" {
            *behind = std::mem::take(words);
        } else if let Some(at) = words.iter().position(|word| word == "--") {
            *behind = words.split_off(at + 1);
            words.pop();
        }
        refuse_options(&command, line, start, start + words.len())
    }
}

/// Refuses options of the command among the words from `start` to `end` of the line.
fn refuse_options(
    command: &clap::Command,
    line: &[OsString],
    start: usize,
    end: usize,
) -> Result<()> {
    // Whether a word is an option, and one whose value is the next word.
    let takes_next = |word: &OsStr| {
        let option = word.to_str()?.strip_prefix("--")?;
        let (name, has_value) = match option.split_once('=') {
            Some((name, _)) => (name, true),
            None => (option, false),
        };
        let known = command.get_opts().find(|one| one.get_long() == Some(name));
        match (known, name) {
            (Some(known), _) => {
                let takes = known.get_action().takes_values() && !known.is_require_equals_set();
                Some(takes && !has_value)
            }
            (None, "color") => Some(!has_value),
            (None, "help" | "version") => Some(false),
            (None, _) => None,
        }
    };
    let (mut options, mut others) = (Vec::new(), Vec::new());
    let mut words = line[start..end].iter();
    while let Some(word) = words.next() {
        match takes_next(word) {
            Some(takes) => {
                options.push(word);
                if takes {
                    options.extend(words.next());
                }
            }
            None => others.push(word),
        }
    }
    let Some(first) = options.first() else {
        return Ok(());
    };
    let name = first.to_string_lossy();
    let name = name
        .trim_start_matches("--")
        .split('=')
        .next()
        .unwrap_or_default();
    let meant = line[1..start]
        .iter()
        .chain(options.iter().copied())
        .chain(others);
    let meant = meant
        .chain(&line[end..])
        .map(|word| quoted(&word.to_string_lossy()));
    let meant = meant.collect::<Vec<String>>().join(" ");
    Err(Failure::Wrong(vec![format!(
        "`--{name}` stands behind the source, where all words are the tool's; write `toolwire {meant}`, or \
         `{name}=VALUE` for an argument of the tool"
    )]))
}

/// A word as it is typed in a shell, without quotes where it needs none.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-+.,:/@=%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), Cow::into_owned)
}
