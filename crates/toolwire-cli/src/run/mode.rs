//! Whether the program gets calls, which is decided before it runs.

use std::borrow::Cow;
use std::ffi::OsStr;

use toolwire::Parsed;
use toolwire_host::{CallMode, Command, ProcessOptions, RunReport};
use toolwire_source::MARK;

use super::target::Target;
use crate::args::{RunArgs, quoted};
use crate::exit::{Failure, Result};

/// The most bytes of a command that is repeated in a message.
const LONG: usize = 80;

/// How the program is run. What was given and cannot reach it ends the command before it runs.
pub fn decide(
    target: &Target,
    is_tool: bool,
    args: &RunArgs,
    words: &[String],
    options: &ProcessOptions,
) -> Result<CallMode> {
    if target.entry.plain {
        // Arguments of records reach it, as those of the command line do.
        return match for_calls(args).filter(|option| *option != "--each") {
            Some(option) => Err(Failure::Wrong(vec![format!(
                "`{}` gets no call, because its manifest {}, so `{option}` can't reach it; leave `{option}` out",
                target.label,
                why_plain(target)
            )])),
            None => Ok(CallMode::Plain),
        };
    }
    if args.call {
        return Ok(CallMode::Call);
    }
    if target.in_manifest {
        return Ok(CallMode::Describe);
    }
    let is_file = args.command.is_empty();
    let has_arguments = target.entry.tool.is_some() || !words.is_empty() || has_json(args);
    let asked = for_calls(args).is_some()
        || args.answers.beforehand.non_interactive.is_some()
        || (has_arguments && !is_file);
    // Behind `--`, the script of an interpreter is looked at only if a call was asked for.
    if is_tool && asked {
        return Ok(CallMode::Describe);
    }
    let mode = CallMode::of(&target.entry.command, options, asked)
        .map_err(|error| Failure::Io(error.to_string()))?;
    match mode {
        CallMode::Plain | CallMode::Call if is_file && has_arguments => {
            Err(unreachable(target, words))
        }
        mode => Ok(mode),
    }
}

/// What in its manifest says that a tool gets no call.
fn why_plain(target: &Target) -> &'static str {
    match &target.entry {
        entry if entry.session.is_some() => "says `session`",
        entry if entry.input_schema.is_some() => "puts its arguments into `command`",
        _ => "says `plain = true`",
    }
}

/// The id of a question that a program asks which got no call, so that nobody can answer it.
pub fn question<'a>(parsed: &'a Parsed<'_>) -> Option<Cow<'a, str>> {
    let question = parsed.blocks().find_map(|block| block.question())?;
    Some(question.id)
}

/// What is to be said of such a question behind its id.
pub fn how_to_answer(target: &Target, args: &RunArgs) -> String {
    let how = if args.plain {
        "run it without `--plain`".to_owned()
    } else if target.in_manifest {
        "change its entry in the manifest so that it gets calls: without `plain`, and without \
         arguments in `command`"
            .to_owned()
    } else {
        let separator = if args.command.is_empty() { "" } else { "-- " };
        match spelt(&target.entry.command, &[]) {
            command if command.len() > LONG => "use `--call`".to_owned(),
            command => format!("run `toolwire run --call {separator}{command}`"),
        }
    };
    format!("but it was run without a call, so nobody can answer; {how}")
}

/// What may help where a file failed that got no call, as one does that looks for JSON on its stdin.
pub fn hint(target: &Target, args: &RunArgs) -> Option<String> {
    let is_guess =
        target.entry.plain && !args.plain && !target.in_manifest && args.command.is_empty();
    is_guess.then(|| {
        let program = target.entry.command.program().display();
        format!("`{program}` was run without a call; if it reads calls, use `--call`")
    })
}

/// Whether what a failed program wrote to stderr looks like that.
pub fn missed_json(report: &RunReport) -> bool {
    let stderr = report.stderr.to_ascii_lowercase();
    report.stopped.is_none() && stderr.windows(4).any(|word| word == b"json")
}

/// The first option that has a meaning only for a program that gets calls.
fn for_calls(args: &RunArgs) -> Option<&'static str> {
    let options = [
        (args.call, "--call"),
        (!args.answers.beforehand.answer.is_empty(), "--answer"),
        (args.answers.beforehand.answers.is_some(), "--answers"),
        (args.answers.assistant.is_some(), "--assistant"),
        (args.each.each, "--each"),
    ];
    let given = options.into_iter().find(|(given, _)| *given);
    given.map(|(_, option)| option)
}

pub fn has_json(args: &RunArgs) -> bool {
    args.given.args.is_some() || args.given.args_file.is_some() || args.each.each
}

/// Arguments for a file that may know nothing of calls.
fn unreachable(target: &Target, words: &[String]) -> Failure {
    let tool = &target.entry.tool;
    let words: Vec<&str> = tool.iter().chain(words).map(String::as_str).collect();
    let program = target.entry.command.program().display();
    let what = match &words[..] {
        [] => "its arguments".to_owned(),
        words => format!("`{}`", words.join(" ")),
    };
    let mut messages = vec![format!(
        "`{program}` was not run: nothing says that it reads calls, so {what} might not reach it"
    )];
    let command = spelt(&target.entry.command, &words);
    if words
        .iter()
        .any(|word| word.contains('=') && !word.starts_with('-'))
    {
        // Few programs read `name=value`, and nobody knows what this one wants instead.
        let program = spelt(&target.entry.command, &[]);
        messages.push(format!(
            "if it takes arguments of its own, write them as it expects them: `toolwire run -- {program} ARGUMENTS`; \
             `toolwire init {program}` gives it named ones in `toolwire.toml`"
        ));
    } else if !words.is_empty() {
        messages.push(format!(
            "if it takes plain arguments, run `toolwire run -- {command}`"
        ));
    }
    messages.push(format!(
        "if it reads calls, run `toolwire run --call {command}`{}; the author of a script can mark it \
         with the line `{MARK}`",
        if words.is_empty() { " with the same options" } else { "" }
    ));
    Failure::Wrong(messages)
}

/// A command as it is typed in a shell.
fn spelt(program: &Command, words: &[&str]) -> String {
    let first = std::iter::once(program.program());
    let own = program.arguments().iter().map(|word| word.as_os_str());
    let words = words.iter().map(|word| OsStr::new(*word));
    let all = first
        .chain(own)
        .chain(words)
        .map(|word| quoted(&word.to_string_lossy()));
    all.collect::<Vec<_>>().join(" ")
}
