//! `toolwire diff`: what changed between two versions of tools.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use toolwire::Json;
use toolwire::json::{Document, Kind, array};
use toolwire_contract::diff::{Diff, DiffOptions, diff_tools};
use toolwire_contract::lock::{Lock, read_lock};

use super::observe::observe;
use crate::args::DiffArgs;
use crate::baseline::{as_sent, usual};
use crate::exit::{Failure, Outcome, Result};
use crate::output::Out;
use crate::show::changes::{painted, write_by_tool};
use crate::show::users::Users;
use crate::{input, run, source};

/// The most bytes of a file with tools or a lock.
const MOST_BYTES: usize = 64 * 1024 * 1024;

pub fn run(args: &DiffArgs, out: &mut Out) -> Result<Outcome> {
    // A side that is only read is read first: no program runs for a mistake in it.
    let new_word = args.new.as_deref();
    let old = file(&args.old)?;
    let new = new_word.map(file).transpose()?.flatten();
    let old = of(Some(&args.old), &[], old, args, out)?;
    let new = of(new_word, &args.command, new, args, out)?;
    let options = DiffOptions {
        open: args.open,
        ..DiffOptions::default()
    };
    let diff = diff_tools(&old, &new, &options).map_err(|error| {
        let new = new_word.or(args.command.first().map(OsString::as_os_str));
        let (side, pointer) = match error.pointer().strip_prefix("/old") {
            Some(pointer) => (args.old.as_os_str(), pointer),
            None => {
                let pointer = error.pointer();
                let side = new.unwrap_or_default();
                (side, pointer.strip_prefix("/new").unwrap_or(pointer))
            }
        };
        let error = toolwire::Error::new(error.code(), pointer, None, error.message());
        wrong(side, &placed(&error))
    })?;
    let users = users(&diff, args);
    if args.json {
        out.json(&users.beside(diff.to_json().as_str().to_owned()))?;
    } else {
        write_by_tool(&diff.changes, &users, out)?;
        let verdict = painted(diff.verdict, out);
        let count = crate::show::count(diff.changes.len() as u64, "change");
        out.line(&format!("{verdict}: {count}"))?;
    }
    let mut verdicts = diff.changes.iter().map(|change| change.verdict);
    Ok(
        match verdicts.any(|verdict| args.fail.fails(verdict, false)) {
            true => Outcome::Negative,
            false => Outcome::Success,
        },
    )
}

/// Who names what the changes remove. A manifest or a lock that can't be used is nobody's matter here.
fn users(diff: &Diff, args: &DiffArgs) -> Users {
    let named = &args.server.source.manifest;
    let manifest = run::manifest(named).ok().flatten();
    let file = usual(named).ok();
    let lock = file.and_then(|file| file.read().ok().flatten());
    let lock = lock.as_ref().map(|read| &read.lock);
    Users::find(diff.changes.iter(), manifest.as_ref(), lock)
}

/// The tools of a side: what was read, or what the source says.
fn of(
    word: Option<&OsStr>,
    command: &[OsString],
    read: Option<Json>,
    args: &DiffArgs,
    out: &Out,
) -> Result<Json> {
    if let Some(tools) = read {
        return Ok(tools);
    }
    let source = source::find(word, command, &args.server.source, "diff")?;
    let named = source.tool().map(str::to_owned);
    let label = source.label.clone();
    let seen = observe(source, &args.server, out)?;
    match named {
        Some(name) => {
            let (listed, _) = run::choose(&seen.listed, Some(&name), &label, "")?;
            Ok(listed.json.clone())
        }
        None => as_sent(&seen.listed),
    }
}

/// What a file says, if the word names one: by its ending, as an entry of a lock, or as standard input.
fn file(word: &OsStr) -> Result<Option<Json>> {
    let Some(text) = word.to_str() else {
        return Ok(None);
    };
    if let Some((path, entry)) = text.split_once('#')
        && (path.ends_with(".lock") || path.ends_with(".json"))
        && Path::new(path).is_file()
    {
        return entry_of(&lock(path, word)?, entry, word).map(Some);
    }
    let is_file = text == "-" || text.ends_with(".json") || text.ends_with(".lock");
    if !is_file || text.contains("://") {
        return Ok(None);
    }
    let content = read(text)?;
    let document = Document::new(&content).map_err(|error| unread(word, &error))?;
    let root = document.root();
    if root.get("lockVersion").is_some() {
        let lock = lock(text, word)?;
        return match &lock.sources.keys().collect::<Vec<_>>()[..] {
            [name] => entry_of(&lock, name, word).map(Some),
            names => Err(wrong(word, &choices(names.iter().map(|name| &***name)))),
        };
    }
    // The whole response to `tools/list` is taken for what it holds.
    let result = root.get("result").filter(|_| root.get("tools").is_none());
    let held = result.filter(|result| result.get("tools").is_some());
    let tools = held.unwrap_or(root);
    if !matches!(tools.kind(), Kind::Array | Kind::Object) {
        return Err(wrong(
            word,
            "it holds no tools: give MCP's list, a tool, or what `toolwire tools --json` writes",
        ));
    }
    Ok(Some(Json::from(tools)))
}

fn read(path: &str) -> Result<String> {
    let bytes = input::read_file(Path::new(path), MOST_BYTES)?;
    let text = String::from_utf8(bytes);
    text.map_err(|_| Failure::Refused(format!("`{path}` is not UTF-8")))
}

fn lock(path: &str, word: &OsStr) -> Result<Lock> {
    let read = read_lock(&read(path)?);
    let read = read.map_err(|error| wrong(word, &placed(&error)))?;
    Ok(read.lock)
}

/// The tools of one source of a lock, or one of its tools, as in `NAME/TOOL`.
fn entry_of(lock: &Lock, entry: &str, word: &OsStr) -> Result<Json> {
    if let Some(source) = lock.sources.get(entry) {
        let tools = source.tools.values().map(|tool| tool.tool.as_str());
        return Json::new(array(tools)).map_err(|error| Failure::refused(&error));
    }
    // Both names may have a slash in them.
    let parted = entry.match_indices('/').find_map(|(at, _)| {
        let source = lock.sources.get(&entry[..at])?;
        source.tools.get(&entry[at + 1..])
    });
    match parted {
        Some(tool) => Ok(tool.tool.clone()),
        None => Err(wrong(
            word,
            &choices(lock.sources.keys().map(String::as_str)),
        )),
    }
}

/// That a source of a lock has to be named.
fn choices<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`#{name}`")).collect();
    match names.is_empty() {
        true => "nothing is locked in it".to_owned(),
        false => format!("name one of what is locked in it: {}", names.join(", ")),
    }
}

fn wrong(word: &OsStr, message: &str) -> Failure {
    Failure::Wrong(vec![format!("`{}`: {message}", word.display())])
}

/// That a file is no JSON.
fn unread(word: &OsStr, error: &toolwire::Error) -> Failure {
    Failure::Refused(format!("`{}`: {}", word.display(), placed(error)))
}

/// What is wrong, behind its place.
fn placed(error: &toolwire::Error) -> String {
    match error.pointer() {
        "" => error.message().to_owned(),
        pointer => format!("{pointer}: {}", error.message()),
    }
}
