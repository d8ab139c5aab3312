//! Programs that ask on the terminal themselves.

use toolwire_host::{RunReport, Terminal};

use super::session::Session;
use crate::exit::{Failure, Outcome, Result};
use crate::terminal;

/// What programs say that wanted to ask on a terminal and have none, in lower case.
const SIGNS: [&str; 10] = [
    "/dev/tty",
    "a terminal is required",
    "could not read password",
    "could not read username",
    "host key verification failed",
    "inappropriate ioctl for device",
    "must be run from a terminal",
    "no tty present",
    "not a tty",
    "terminal prompts disabled",
];

/// What to do about a program that failed since it has no terminal, if it says so.
pub fn hint(report: &RunReport) -> Option<&'static str> {
    let said = String::from_utf8_lossy(&report.stderr).to_lowercase();
    SIGNS.iter().any(|sign| said.contains(sign)).then_some(
        "the tool seems to need a terminal, but tools run without one: set `GIT_ASKPASS` or \
         `SSH_ASKPASS`, use an agent, or give it yours with `--tty`",
    )
}

/// Has the tool run in the foreground of the terminal.
pub fn hand_over(session: &mut Session) -> Result<()> {
    if !terminal::is_in_foreground() {
        return Err(Failure::usage(
            "`--tty` needs a terminal, with this command in its foreground",
        ));
    }
    session.options.terminal = Terminal::Foreground;
    session.screen.hand_over();
    Ok(())
}

/// How the command ends where the person ended the tool on its own terminal, as with Ctrl-C: this
/// process did not get the signal.
pub fn ended_by_person(report: &RunReport) -> Option<Outcome> {
    match report.exit {
        Some(toolwire::Exit::Signal(2)) => Some(Outcome::Interrupted),
        _ => None,
    }
}
