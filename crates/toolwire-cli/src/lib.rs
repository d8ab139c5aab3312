//! The `toolwire` command: the core's functions for a terminal and for shell scripts. It parses
//! arguments, reads, writes and counts; every rule of the protocol is in the core.
//!
//! This library exists so that the packages for Python and Node can bring the command. It is not an
//! API: [`main`] may change in any version. To use Toolwire from Rust, see the crates `toolwire`,
//! `toolwire-host` and `toolwire-author`.

mod args;
mod baseline;
mod call;
mod commands;
mod completion;
mod each;
mod exit;
mod help;
mod hidden;
mod input;
mod lines;
mod log;
mod output;
mod own_path;
mod parameters;
mod preview;
mod prompt;
mod record;
mod run;
mod session;
mod show;
mod source;
mod structured;
mod table;
mod terminal;

use std::ffi::{OsStr, OsString};
use std::panic::{AssertUnwindSafe, catch_unwind};

use clap::error::ErrorKind;
use clap::{ArgMatches, ColorChoice, CommandFactory};

use args::{Cli, ColorWhen, Command};
use exit::{Failure, Outcome};
use output::Out;

/// What Rust itself ends with after a panic.
const PANICKED: u8 = 101;

/// Runs the command with these arguments, the first of which is its own name, and returns the exit
/// code. It reads this process's stdin, writes to its stdout and stderr, and handles its signals, so
/// there is nothing else for the process to do but to end with that code.
///
/// A panic is reported on stderr and ends here, so that a caller in another language is safe.
#[must_use]
pub fn main(arguments: &[OsString]) -> u8 {
    let code = catch_unwind(AssertUnwindSafe(|| command(arguments))).unwrap_or(PANICKED);
    terminal::finish();
    code
}

fn command(arguments: &[OsString]) -> u8 {
    if let Some(words) = completion::asked(arguments) {
        completion::answer(words);
        return Outcome::Success as u8;
    }
    if let Some(code) = session::host(arguments) {
        return code;
    }
    let color = help_color(arguments);
    let (mut cli, matches) = match args::read(arguments, choice(color)) {
        Ok(read) => read,
        Err(error) => {
            if let Some(message) = args::instead(&error, arguments) {
                terminal::complain(&message);
                return Outcome::Usage as u8;
            }
            return tell(&error, color);
        }
    };
    if let Err(failure) = cli.command.part_words(arguments) {
        return report(&failure, &matches, cli.color);
    }
    cli.command.note_stdin();
    let program = arguments
        .first()
        .map_or(OsStr::new("toolwire"), OsString::as_os_str);
    if let Command::Serve(args) = &cli.command
        && args.client.print_config.is_none()
    {
        // A server writes to standard output itself, which `Out` would hold.
        return match commands::serve::run(args, program) {
            Ok(outcome) => outcome as u8,
            Err(failure) => report(&failure, &matches, cli.color),
        };
    }
    let mut out = Out::new(cli.color);
    let ran = input::check(&cli.command.inputs()).and_then(|()| match &cli.command {
        Command::Run(args) => commands::run::run(args, &mut out),
        Command::Serve(args) => {
            let given = matches.subcommand().map_or(&matches, |(_, given)| given);
            commands::client_config::run(args, given, program, &mut out)
        }
        Command::Session(args) => session::run(args, program, &mut out),
        Command::Init(args) => commands::init::run(args, &mut out),
        Command::Trust(args) => commands::trust::run(args, &mut out),
        Command::Tools(args) => commands::tools::run(args, &mut out),
        Command::Read(args) => commands::read::run(args, &mut out),
        Command::Servers(args) => commands::servers::run(args, &mut out),
        Command::Profile(args) => commands::profile::run(args, &mut out),
        Command::Diff(args) => commands::diff::run(args, &mut out),
        Command::Lock(args) => commands::lock::run(args, &mut out),
        Command::Check(args) => commands::check::run(args, &mut out),
        Command::Parse(args) => commands::parse::run(args, &mut out),
        Command::Validate(args) => commands::validate::run(args, &mut out),
        Command::Canonicalize(args) => commands::canonicalize::run(args, &mut out),
        Command::Get(args) => commands::get::run(args, &mut out),
        Command::Format(args) => commands::format::run(args, &mut out),
        Command::Explain(args) => commands::explain::run(args, &mut out),
        Command::Identify(args) => commands::identify::run(args, &mut out),
        Command::Completions(args) => commands::completions::run(args, &mut out),
    });
    // What was written before a failure is worth reading, so it goes out before the message.
    let finished = out.flush();
    match ran.and_then(|outcome| finished.map(|()| outcome)) {
        Ok(outcome) => outcome as u8,
        Err(failure) => report(&failure, &matches, cli.color),
    }
}

/// Says why a command could not go on, and returns the exit code for that.
fn report(failure: &Failure, matches: &ArgMatches, color: ColorWhen) -> u8 {
    let outcome = match failure {
        Failure::Usage(message) => {
            let mut command = Cli::command().color(choice(color));
            command.build();
            let mut matches = matches;
            while let Some((name, inner)) = matches.subcommand() {
                let Some(named) = command.find_subcommand(name) else {
                    break;
                };
                (command, matches) = (named.clone(), inner);
            }
            let error = command.error(ErrorKind::ArgumentConflict, message);
            return tell(&error, color);
        }
        Failure::Wrong(messages) => {
            for message in messages {
                terminal::complain(message);
            }
            Outcome::Usage
        }
        Failure::Refused(message) => {
            terminal::complain(message);
            Outcome::Negative
        }
        Failure::Io(message) => {
            terminal::complain(message);
            Outcome::Io
        }
        Failure::Ended(outcome) => outcome.unwrap_or(Outcome::Interrupted),
        Failure::Closed => Outcome::Success,
    };
    outcome as u8
}

/// Writes the help that was asked for, or a usage error, and returns the exit code. An error may quote
/// an argument, and with `*` on the command line an argument may be any file's name, so it is made safe.
fn tell(error: &clap::Error, color: ColorWhen) -> u8 {
    let code = u8::try_from(error.exit_code()).unwrap_or(Outcome::Usage as u8);
    if !error.use_stderr() {
        // As clap itself does: where help cannot be written, there is nobody to tell.
        let _ = error.print();
        return code;
    }
    let color = output::use_color(color, terminal::are_terminals().1);
    let text = if color {
        error.render().ansi().to_string()
    } else {
        error.render().to_string()
    };
    terminal::tell(&text, color);
    code
}

/// The colour of help and usage errors, which are written before the arguments are known.
fn help_color(arguments: &[OsString]) -> ColorWhen {
    let mut args = arguments.iter().skip(1);
    while let Some(arg) = args.next() {
        let value = match arg.to_str() {
            Some("--color") => args.next().and_then(|value| value.to_str()),
            Some(arg) => arg.strip_prefix("--color="),
            None => None,
        };
        match value {
            Some("always") => return ColorWhen::Always,
            Some("never") => return ColorWhen::Never,
            _ => {}
        }
    }
    ColorWhen::Auto
}

fn choice(when: ColorWhen) -> ColorChoice {
    match when {
        ColorWhen::Auto => ColorChoice::Auto,
        ColorWhen::Always => ColorChoice::Always,
        ColorWhen::Never => ColorChoice::Never,
    }
}
