//! Completions for a shell: the script that a shell reads at its start, and what the command answers
//! when that script asks it.

mod candidates;
mod source;
mod tool;
mod words;

use std::ffi::OsString;

use candidates::Candidates;

use crate::args::{Cli, ColorWhen};
use crate::output::Out;

/// The first argument with which a script asks. Script and command are of one version, so what they say
/// to each other is nobody else's.
pub const ASKED: &str = "__complete";

pub const BASH: &str = include_str!("toolwire.bash");
pub const ZSH: &str = include_str!("toolwire.zsh");
pub const FISH: &str = include_str!("toolwire.fish");

/// What a script asks for, if it is a script that asks: its shell, and the words of the command line up
/// to the cursor.
pub fn asked(arguments: &[OsString]) -> Option<&[OsString]> {
    match arguments {
        [_, first, asked @ ..] if first == ASKED => Some(asked),
        _ => None,
    }
}

/// Writes what can stand in place of the last word. Whatever fails, there is just nothing to offer.
pub fn answer(asked: &[OsString]) {
    let words: Option<Vec<String>> = asked.iter().map(text).collect();
    let Some([shell, before @ .., current]) = words.as_deref() else {
        return;
    };
    // The others have taken quotes and backslashes away.
    let before: Vec<String> = match shell == "bash" {
        true => before.iter().map(|word| unquoted(word)).collect(),
        false => before.to_vec(),
    };
    let mut candidates = Candidates::default();
    words::complete(&before, current, &mut candidates);
    let mut out = Out::new(ColorWhen::Never);
    // A shell that does not read needs no message.
    let _ = out.bytes(candidates.to_lines(current).as_bytes());
    let _ = out.flush();
}

fn text(word: &OsString) -> Option<String> {
    word.to_str().map(str::to_owned)
}

/// A word as bash would read it, but that nothing in it is expanded.
fn unquoted(word: &str) -> String {
    match shlex::split(word).as_deref() {
        Some([word]) => word.clone(),
        _ => word.to_owned(),
    }
}

/// The command that is completed.
fn command() -> clap::Command {
    let mut command = <Cli as clap::CommandFactory>::command();
    command.build();
    command
}
