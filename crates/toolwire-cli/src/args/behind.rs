//! What stands behind the source of `toolwire run` and `session spawn`: options of the command, and words of
//! the tool.
//!
//! Which is which must be known before the tool has said what it takes, so it is told by the names that
//! the command has. What the words mean is for the core to say, by the tool's schema.

use std::ffi::{OsStr, OsString};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Args, Error};
use toolwire::nearest;

use super::{Command, RunArgs, SessionVerb, SpawnArgs};

/// A command that takes words of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    Run,
    /// `run` with a tool of an MCP server.
    RunAtServer,
    /// `session spawn`.
    Spawn,
}

impl Verb {
    pub fn as_str(self) -> &'static str {
        match self {
            Verb::Run | Verb::RunAtServer => "run",
            Verb::Spawn => "session spawn",
        }
    }

    /// The command of which it is a subcommand.
    const ABOVE_SPAWN: &str = "session";

    /// How many words are before those of the tool.
    fn words_before(self) -> usize {
        match self {
            Verb::Run | Verb::RunAtServer => 1,
            // The id.
            Verb::Spawn => 2,
        }
    }

    /// The names of the options that the command has, without dashes.
    pub fn own_options(self) -> Vec<String> {
        let options = options(self);
        let names = options.iter().filter_map(Arg::get_long);
        names.map(str::to_owned).collect()
    }
}

/// What was found behind the first word of such a command.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Behind {
    /// Words of the tool.
    words: Vec<OsString>,
    /// The names of the command's own options.
    own: Vec<String>,
    /// Which command it is, if it is one of these.
    verb: Option<Verb>,
}

impl Behind {
    /// Puts the words behind those that clap has read.
    pub fn add_to(self, command: &mut Command) {
        let (words, behind) = match command {
            Command::Run(args) => {
                let args: &mut RunArgs = args;
                (&mut args.words, &mut args.behind)
            }
            Command::Session(args) => match &mut args.verb {
                SessionVerb::Spawn(args) => (&mut args.words, &mut args.behind),
                _ => return,
            },
            _ => return,
        };
        words.extend(self.words);
        *behind = self.own;
    }

    /// What else may have been meant by a wrong value of an option behind the program.
    fn other_meaning(&self, error: &Error) -> Option<String> {
        let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else {
            return None;
        };
        let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue) else {
            return None;
        };
        let name = option.strip_prefix("--")?.split([' ', '=']).next()?;
        let is_behind = self.own.iter().any(|own| own == name);
        is_behind.then(|| format!("for an argument of the tool, write `{name}={value}`"))
    }

    /// Says of an option before the program where those of a tool stand.
    pub fn explain(&self, mut error: Error) -> Error {
        if let (ErrorKind::InvalidValue | ErrorKind::ValueValidation, Some(tip)) =
            (error.kind(), self.other_meaning(&error))
        {
            error.insert(
                ContextKind::Suggested,
                ContextValue::StyledStrs(vec![tip.into()]),
            );
            return error;
        }
        let unknown = error.kind() == ErrorKind::UnknownArgument;
        let named = error.get(ContextKind::InvalidArg);
        let (option, verb) = match (named, self.verb) {
            (Some(ContextValue::String(option)), Some(verb)) if unknown => (option.clone(), verb),
            _ => return error,
        };
        let own = verb.own_options();
        let near = |name: &str| nearest(name, own.iter().map(String::as_str)).is_some();
        if let Some(name) = option.strip_prefix("--").filter(|name| !near(name)) {
            // clap is quicker to see a likeness, and takes the program for a value.
            error.remove(ContextKind::SuggestedArg);
            let verb = verb.as_str();
            let start = format!("toolwire {verb} SOURCE");
            let tip = format!(
                "arguments of the tool come after the source: `{start} --{name} VALUE` or \
                 `{start} {name}=VALUE`"
            );
            error.insert(
                ContextKind::Suggested,
                ContextValue::StyledStrs(vec![tip.into()]),
            );
        }
        error
    }
}

/// Parts a command line into what clap reads and what is for the tool. Any other command is left as
/// it is.
pub fn split(line: impl IntoIterator<Item = OsString>) -> (Vec<OsString>, Behind) {
    let mut line = line.into_iter();
    let mut read: Vec<OsString> = line.next().into_iter().collect();
    let mut behind = Behind::default();
    // `--color` may stand before the command.
    let mut is_session = false;
    while let Some(word) = line.next() {
        let command = !is_dashed(&word) && (is_session || word != Verb::ABOVE_SPAWN);
        let color = word == "--color";
        behind.verb = match is_session {
            true => Some(Verb::Spawn).filter(|_| word == "spawn"),
            false => Some(Verb::Run).filter(|_| word == "run"),
        };
        is_session |= word == Verb::ABOVE_SPAWN;
        read.push(word);
        if color {
            read.extend(line.next());
        } else if command {
            break;
        }
    }
    let Some(verb) = behind.verb else {
        read.extend(line);
        return (read, behind);
    };
    let options = options(verb);
    let mut before = verb.words_before();
    while let Some(word) = line.next() {
        if word == "--" {
            read.push(word);
            break;
        }
        if let Some((name, takes_next)) = own(&options, &word) {
            read.push(word);
            if takes_next {
                read.extend(line.next());
            }
            if before == 0 {
                behind.own.push(name);
            }
        } else if before == 0 {
            behind.words.push(word);
        } else {
            before -= usize::from(!is_dashed(&word));
            read.push(word);
        }
    }
    read.extend(line);
    (read, behind)
}

/// The options of the command. Those that clap adds to it, and `--color`, are among them.
fn options(verb: Verb) -> Vec<Arg> {
    let command = clap::Command::new(verb.as_str());
    let command = match verb {
        Verb::Run | Verb::RunAtServer => RunArgs::augment_args(command),
        Verb::Spawn => SpawnArgs::augment_args(command),
    };
    let flag = |name: &'static str| Arg::new(name).long(name).action(clap::ArgAction::SetTrue);
    let added = [
        Arg::new("color").long("color"),
        flag("help").short('h'),
        flag("version").short('V'),
    ];
    let options = command.get_arguments().filter(|arg| !arg.is_positional());
    options.cloned().chain(added).collect()
}

/// The name of an option of the command, and whether its value is the next word.
fn own(options: &[Arg], word: &OsStr) -> Option<(String, bool)> {
    let word = word.to_str()?;
    let (name, has_value) = match word.split_once('=') {
        Some((name, _)) => (name, true),
        None => (word, false),
    };
    let long = name.strip_prefix("--");
    let is = |option: &&Arg| match long {
        Some(long) => {
            let aliases = option.get_all_aliases().unwrap_or_default();
            option.get_long() == Some(long) || aliases.contains(&long)
        }
        None => option.get_short().is_some_and(|c| name == format!("-{c}")),
    };
    let option = options.iter().find(is)?;
    let takes = option.get_action().takes_values() && !option.is_require_equals_set();
    let name = option.get_long().unwrap_or_default().to_owned();
    Some((name, takes && !has_value))
}

fn is_dashed(word: &OsStr) -> bool {
    word.as_encoded_bytes().starts_with(b"-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parted(line: &str) -> (String, String, String) {
        let (read, behind) = split(line.split(' ').map(OsString::from));
        let join = |words: &[OsString]| words.join(OsStr::new(" ")).into_string().unwrap();
        (join(&read), join(&behind.words), behind.own.join(" "))
    }

    #[test]
    fn own_options_are_told_from_the_words_of_the_tool() {
        for (line, read, words, own) in [
            ("toolwire list --json", "toolwire list --json", "", ""),
            (
                "toolwire run ./a t x=1 --folder /tmp --format json y=2",
                "toolwire run ./a --format json",
                "t x=1 --folder /tmp y=2",
                "format",
            ),
            (
                "toolwire --color never run --format json ./a --force",
                "toolwire --color never run --format json ./a",
                "--force",
                "",
            ),
            (
                "toolwire run ./a --color=never --n -3 --answer a=b -h",
                "toolwire run ./a --color=never --answer a=b -h",
                "--n -3",
                "color answer help",
            ),
            (
                "toolwire run t --timeout 1s -- ./a --format json",
                "toolwire run t --timeout 1s -- ./a --format json",
                "",
                "timeout",
            ),
            (
                "toolwire run t --folder /tmp -- ./a --b c",
                "toolwire run t -- ./a --b c",
                "--folder /tmp",
                "",
            ),
            (
                "toolwire --color never session spawn a --pty ./t x=1 --y z --wait 1s -3",
                "toolwire --color never session spawn a --pty ./t --wait 1s",
                "x=1 --y z -3",
                "wait",
            ),
            (
                "toolwire session fetch a --until --x",
                "toolwire session fetch a --until --x",
                "",
                "",
            ),
            // clap refuses what it does not know before the first word, which is `/tmp` here.
            (
                "toolwire run --folder /tmp ./a --b",
                "toolwire run --folder /tmp",
                "./a --b",
                "",
            ),
        ] {
            let found = parted(line);
            assert_eq!(
                (&*found.0, &*found.1, &*found.2),
                (read, words, own),
                "{line}"
            );
        }
    }
}
