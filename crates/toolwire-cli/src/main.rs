//! The `toolwire` command: the core's functions for a terminal and for shell scripts. It parses
//! arguments, reads, writes and counts; every rule of the protocol is in the core.

mod args;
mod commands;
mod exit;
mod help;
mod input;
mod lines;
mod log;
mod output;
mod preview;
mod prompt;
mod record;
mod run;
mod table;
mod terminal;

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{ColorChoice, CommandFactory, FromArgMatches};

use args::{Cli, ColorWhen, Command};
use exit::{Failure, Outcome};
use output::Out;

fn main() -> ExitCode {
    let color = help_color();
    let read = Cli::command()
        .color(choice(color))
        .try_get_matches()
        .and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (cli, matches) = match read {
        Ok(read) => read,
        Err(error) => exit_with(&error, color),
    };
    let mut out = Out::new(cli.color);
    let ran = input::check(&cli.command.inputs()).and_then(|()| match &cli.command {
        Command::Run(args) => commands::run::run(args, &mut out),
        Command::Describe(args) => commands::describe::run(args, &mut out),
        Command::List(args) => commands::list::run(args, &mut out),
        Command::Trust(args) => commands::trust::run(args, &mut out),
        Command::Parse(args) => commands::parse::run(args, &mut out),
        Command::Validate(args) => commands::validate::run(args, &mut out),
        Command::Canonicalize(args) => commands::canonicalize::run(args, &mut out),
        Command::Digest(args) => commands::digest::run(args, &mut out),
        Command::Get(args) => commands::get::run(args, &mut out),
        Command::Format(args) => commands::format::run(args, &mut out),
        Command::Explain(args) => commands::explain::run(args, &mut out),
        Command::Identify(args) => commands::identify::run(args, &mut out),
        Command::Uri(args) => commands::uri::run(args, &mut out),
        Command::Completions(args) => commands::completions::run(args, &mut out),
    });
    // What was written before a failure is worth reading, so it goes out before the message.
    let finished = out.flush();
    let outcome = match ran.and_then(|outcome| finished.map(|()| outcome)) {
        Ok(outcome) => outcome,
        Err(failure) => report(&failure, matches.subcommand_name(), cli.color),
    };
    ExitCode::from(outcome as u8)
}

/// Says why a command could not go on. A usage error ends the process here, as clap's own do.
fn report(failure: &Failure, subcommand: Option<&str>, color: ColorWhen) -> Outcome {
    match failure {
        Failure::Usage(message) => {
            let mut command = Cli::command().color(choice(color));
            command.build();
            let named = subcommand
                .and_then(|name| command.find_subcommand(name))
                .cloned();
            let error = named
                .unwrap_or(command)
                .error(ErrorKind::ArgumentConflict, message);
            exit_with(&error, color)
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
    }
}

/// Ends the process with the help that was asked for, or with a usage error. That may quote an
/// argument, and with `*` on the command line an argument may be any file's name, so it is made safe.
fn exit_with(error: &clap::Error, color: ColorWhen) -> ! {
    if !error.use_stderr() {
        error.exit();
    }
    let color = output::use_color(color, terminal::are_terminals().1);
    let text = if color {
        error.render().ansi().to_string()
    } else {
        error.render().to_string()
    };
    terminal::tell(&text, color);
    std::process::exit(error.exit_code())
}

/// The colour of help and usage errors, which are written before the arguments are known.
fn help_color() -> ColorWhen {
    let mut args = std::env::args_os().skip(1);
    while let Some(arg) = args.next() {
        let value = match arg.to_str() {
            Some("--color") => args.next().and_then(|value| value.into_string().ok()),
            Some(arg) => arg.strip_prefix("--color=").map(str::to_owned),
            None => None,
        };
        match value.as_deref() {
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
