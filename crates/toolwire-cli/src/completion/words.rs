//! Which option, value or word can stand at the cursor.

use std::ffi::OsString;

use clap::{Arg, ArgAction, ColorChoice, Command, ValueHint};

use super::candidates::Candidates;
use super::{command, source, tool};
use crate::args::{self, Command as Given, ProfileVerb, RunArgs, SessionVerb};
use crate::session;

/// Offers what can stand in place of `current`, behind the words before it, of which the first is the
/// name of this command.
pub fn complete(before: &[String], current: &str, to: &mut Candidates) {
    let words: Vec<&str> = before.iter().skip(1).map(String::as_str).collect();
    let words = &words[..];
    let whole = command();
    let (mut command, mut rest) = chosen(&whole, words);
    // `session` has subcommands of its own.
    if command.has_subcommands() && !std::ptr::eq(command, &whole) {
        match chosen(command, rest) {
            (below, _) if std::ptr::eq(below, command) => {}
            below => (command, rest) = below,
        }
    }
    let (command, rest) = (command, rest);
    // Behind it stands a program with words of its own.
    if rest.contains(&"--") {
        return to.files("");
    }
    match given(before) {
        Some(Given::Run(args)) if !args.words.is_empty() => {
            return behind_source(&args, before, current, to);
        }
        Some(Given::Session(args)) if args.is_behind_source() => return,
        _ => {}
    }
    let waiting = rest.last().and_then(|word| option(command, word));
    if let Some(option) = waiting.filter(|option| takes_value(option)) {
        return value(option, "", before, current, to);
    }
    if let Some(end) = current.find('=').filter(|_| current.starts_with("--")) {
        let (name, behind) = (&current[..end], &current[..=end]);
        match option(command, name) {
            Some(option) if takes_value(option) => value(option, behind, before, current, to),
            _ => {}
        }
        return;
    }
    if current.starts_with('-') {
        return options(command, words, to);
    }
    if command.has_subcommands() {
        let commands = command.get_subcommands().filter(|one| !one.is_hide_set());
        for one in commands {
            to.name("", one.get_name(), "", &help(one.get_about()));
        }
        return;
    }
    // `read` is no command line without a source; this stands for the one at the cursor.
    let and_one = [before, &[".".to_owned()]].concat();
    if let Some(Given::Profile(args)) = given(&and_one) {
        return match args.verb {
            ProfileVerb::List(_) | ProfileVerb::Create(_) => {}
            _ => source::profiles("", to),
        };
    }
    match command.get_name() {
        "run" => {
            if let Some(Given::Run(args)) = given(before) {
                source::begins(&args.server.source.manifest, current, to);
            }
        }
        "fetch" | "apply" | "abort" | "wait" | "attach" => {
            if let Some(Given::Session(args)) = given(&and_one) {
                handles(&args.verb, to);
            }
        }
        "spawn" => {
            if let Some(Given::Session(args)) = given(&and_one)
                && let SessionVerb::Spawn(args) | SessionVerb::Run(args) = &args.verb
                && args.words.len() == 1
            {
                tool::named(&args.manifest, to);
                to.files("");
            }
        }
        "tools" => {
            if let Some(Given::Tools(args)) = given(&and_one)
                && args.command.is_empty()
            {
                match &args.words[..] {
                    [_] => source::begins(&args.server.source.manifest, current, to),
                    [word, _] => source::tools(&word.to_string_lossy(), &args.server, to),
                    _ => {}
                }
            }
        }
        "read" => {
            if let Some(Given::Read(args)) = given(&and_one)
                && args.command.is_empty()
                && args.words.len() == 1
            {
                source::begins(&args.server.source.manifest, current, to);
            }
        }
        "servers" => {
            if let Some(Given::Servers(args)) = given(&and_one)
                && args.words.len() == 1
            {
                source::servers(current, to);
                to.files("");
            }
        }
        "diff" => {
            // Both words are needed, the one at the cursor and perhaps another.
            let and_two = [&and_one[..], &[".".to_owned()]].concat();
            if let Some(Given::Diff(args)) = given(&and_one).or_else(|| given(&and_two)) {
                source::begins(&args.server.source.manifest, current, to);
                source::entries(current, to);
            }
        }
        "lock" | "check" => {
            let given = given(before);
            let (place, server) = match &given {
                Some(Given::Lock(args)) => (&args.place, &args.server),
                Some(Given::Check(args)) => (&args.place, &args.server),
                _ => return,
            };
            source::locked(place, &server.source.manifest, to);
            source::begins(&server.source.manifest, current, to);
        }
        "serve" => {
            if let Some(Given::Serve(args)) = given(&and_one) {
                source::begins(&args.source.manifest, current, to);
            }
        }
        _ => {
            let mut positionals = command.get_positionals();
            if let Some(argument) = positionals.find(|one| !one.is_hide_set()) {
                value(argument, "", before, current, to);
            }
        }
    }
}

/// The handles of the workspace, where another one can be named. No host is started for them.
fn handles(verb: &SessionVerb, to: &mut Candidates) {
    // The word at the cursor counts as one.
    let (more, workspace) = match verb {
        SessionVerb::Fetch(args) => (true, &args.workspace),
        SessionVerb::Apply(args) => (args.input.is_none(), &args.workspace),
        SessionVerb::Abort(args) => (true, &args.workspace),
        SessionVerb::Wait(args) => (true, &args.workspace),
        SessionVerb::Resize(args) => (true, &args.workspace),
        SessionVerb::Attach(args) => (true, &args.workspace),
        _ => return,
    };
    for handle in more
        .then(|| session::known(workspace))
        .into_iter()
        .flatten()
    {
        to.value(
            "",
            &handle.id,
            &format!("{}, {}", handle.tool, handle.state),
        );
    }
}

/// The command line so far, if it is one.
fn given(before: &[String]) -> Option<Given> {
    let line: Vec<OsString> = before.iter().map(Into::into).collect();
    let (mut cli, _) = args::read(&line, ColorChoice::Never).ok()?;
    cli.command.part_words(&line).ok()?;
    Some(cli.command)
}

/// Offers what is the tool's behind the source of `run`.
fn behind_source(args: &RunArgs, before: &[String], current: &str, to: &mut Candidates) {
    if let Some(end) = current.find('=').filter(|_| current.starts_with("--")) {
        tool::option_values(args, &current[..end], &current[..=end], to);
        return;
    }
    if current.starts_with('-') {
        return tool::options(args, to);
    }
    // An option may wait for its value.
    if let Some((last, before)) = before.split_last()
        && last.starts_with("--")
        && !last.contains('=')
        && let Some(Given::Run(args)) = given(before)
        && tool::option_values(&args, last, "", to)
    {
        return;
    }
    // A server's tools may be known without it.
    if let [word] = &args.words[..] {
        source::tools_of_server(&word.to_string_lossy(), &args.server, to);
    }
    if to.is_empty() {
        tool::words(args, current, to);
    }
}

/// The subcommand that is named, and the words behind its name.
fn chosen<'a, 'w>(whole: &'a Command, words: &'w [&'w str]) -> (&'a Command, &'w [&'w str]) {
    let mut words = words;
    while let Some((first, rest)) = words.split_first() {
        if let Some(command) = whole.find_subcommand(first) {
            return (command, rest);
        }
        // The value of an option that stands before the subcommand, if there is one.
        let skips = option(whole, first).is_some_and(takes_value) && !rest.is_empty();
        if !first.starts_with('-') {
            break;
        }
        words = if skips { &rest[1..] } else { rest };
        if words.is_empty() {
            // It may be that value which is completed.
            return (
                whole,
                if skips {
                    words
                } else {
                    std::slice::from_ref(first)
                },
            );
        }
    }
    (whole, words)
}

fn option<'a>(command: &'a Command, word: &str) -> Option<&'a Arg> {
    let name = word.strip_prefix("--")?;
    command
        .get_arguments()
        .find(|argument| argument.get_long() == Some(name))
}

fn takes_value(option: &Arg) -> bool {
    matches!(option.get_action(), ArgAction::Set | ArgAction::Append)
        && !option.is_require_equals_set()
}

/// Offers the options that were not given yet, or can be given again.
fn options(command: &Command, words: &[&str], to: &mut Candidates) {
    for option in command.get_arguments().filter(|one| !one.is_hide_set()) {
        let Some(long) = option.get_long() else {
            continue;
        };
        let name = format!("--{long}");
        let again = matches!(option.get_action(), ArgAction::Append);
        let is_given = |word: &&str| word.split('=').next() == Some(&name);
        if again || !words.iter().any(is_given) {
            to.name("--", long, "", &help(option.get_help()));
        }
    }
}

/// Offers the values of an option or argument, behind a part of the word that stays.
fn value(argument: &Arg, behind: &str, before: &[String], current: &str, to: &mut Candidates) {
    let values = argument.get_possible_values();
    if !values.is_empty() {
        for value in values.iter().filter(|value| !value.is_hide_set()) {
            to.value(behind, value.get_name(), &help(value.get_help()));
        }
        return;
    }
    let named = argument.get_value_names().and_then(|names| names.first());
    let named = named.map(|name| name.as_str());
    match (argument.get_id().as_str(), argument.get_value_hint(), named) {
        ("env", _, _) => variables(behind, "=", to),
        ("inherit", _, _) => {
            to.name(behind, "all", "", "every variable");
            to.name(
                behind,
                "standard",
                "",
                "what programs need, without keys and tokens",
            );
            variables(behind, "", to);
        }
        ("from", _, _) => {
            source::servers(&current[behind.len()..], to);
            to.files(behind);
        }
        ("server", _, _) => source::waiting(behind, to),
        ("only" | "except", _, _) => {
            // What stands before the last comma stays.
            let behind = current.rfind(',').map_or(behind, |end| &current[..=end]);
            tool::served(&without_last(before), behind, to);
        }
        (_, ValueHint::DirPath, _) | (_, _, Some("DIR")) => to.folders(behind),
        (_, ValueHint::FilePath, _) | (_, _, Some("FILE")) => to.files(behind),
        // A program to start.
        ("assistant", _, _) if !current.contains(' ') => to.files(behind),
        _ => {}
    }
}

/// The command line without an option that waits for its value.
fn without_last(before: &[String]) -> Option<Given> {
    let waits = before.last().is_some_and(|word| word.starts_with("--"));
    let end = before.len() - usize::from(waits);
    given(&before[..end])
}

/// Offers the names of the environment's variables.
fn variables(behind: &str, after: &str, to: &mut Candidates) {
    let mut names: Vec<_> = std::env::vars_os().map(|(name, _)| name).collect();
    names.sort();
    for name in names.iter().filter_map(|name| name.to_str()) {
        to.name(behind, name, after, "");
    }
}

fn help(text: Option<&clap::builder::StyledStr>) -> String {
    text.map_or_else(String::new, ToString::to_string)
}
