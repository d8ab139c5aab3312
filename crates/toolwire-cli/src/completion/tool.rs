//! The tools of a manifest and of programs, and what they take.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use toolwire::call::ToolDescription;
use toolwire_host::manifest::{is_trusted, nearest, others};
use toolwire_host::{CallMode, ProcessOptions};

use super::candidates::Candidates;
use crate::args::{ColorWhen, Command, ManifestArg, ProcessArgs, RunArgs, SourceArgs};
use crate::parameters::{self, spell};
use crate::run::{Session, Target, block_on, find_program, manifest, of_source, source_word};

/// How long a program may take to say what it takes. A person waits for it with a finger on the key.
const PATIENCE: Duration = Duration::from_secs(1);
/// And how long it has then to end.
const GRACE: Duration = Duration::from_millis(100);
/// How deep members of members are offered, as in `a.b.c=`.
const DEPTH: usize = 4;

/// Offers the words behind the source of `run`: a tool, arguments.
pub fn words(args: &RunArgs, current: &str, to: &mut Candidates) {
    let Some((target, given)) = target(args) else {
        return to.files("");
    };
    let Some(tools) = tools(args, &target) else {
        // Which words it takes is known to nobody.
        let end = current.find('=').map_or(0, |at| at + 1);
        return to.files(&current[..end]);
    };
    match chosen(&tools, &target) {
        Some(tool) => arguments(tool, &given, current, to),
        None => {
            for tool in &tools {
                to.name("", &tool.name, "", about(tool));
            }
        }
    }
}

/// Offers the arguments of the tool as options (CALL-60).
pub fn options(args: &RunArgs, to: &mut Candidates) {
    for_each(args, |name, member, given| {
        let is_given = given.iter().any(|word| {
            let name_of = |word: &str| word.split('=').next().map(dashed);
            name_of(word.strip_prefix("--").unwrap_or(word)).as_ref() == Some(&name)
        });
        if !is_given || member.is("array") {
            to.name("--", &name, "", &member.help());
        }
    });
}

/// Offers the values of an argument that is written as an option; whether it is one that takes any.
pub fn option_values(args: &RunArgs, option: &str, behind: &str, to: &mut Candidates) -> bool {
    let mut found = false;
    for_each(args, |name, member, _| {
        // Without `=`, what follows a flag is another word (CALL-61).
        let takes_one = !behind.is_empty() || !member.is("boolean");
        if option.strip_prefix("--") == Some(&name) && takes_one {
            values(member, behind, DEPTH, to);
            found = true;
        }
    });
    found
}

/// Looks at each argument of the tool that is to be run: its name as an option, its schema, and the
/// words that are given.
fn for_each(args: &RunArgs, mut look: impl FnMut(String, Schema<'_>, &[String])) {
    let Some((target, given)) = target(args) else {
        return;
    };
    let tools = tools(args, &target).unwrap_or_default();
    let Some(tool) = chosen(&tools, &target) else {
        return;
    };
    let schema: Value = tool.input_schema.to_value().unwrap_or_default();
    let root = Schema {
        root: &schema,
        value: &schema,
    };
    for (path, member) in members(root, "", DEPTH) {
        look(dashed(&path), member, &given);
    }
}

/// The name of an argument as CALL-60 spells it for an option.
fn dashed(name: &str) -> String {
    let mut spelt = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !spelt.is_empty() && !spelt.ends_with(['-', '.']) {
            spelt.push('-');
        }
        spelt.push(match c {
            '_' => '-',
            c => c.to_ascii_lowercase(),
        });
    }
    spelt
}

/// The tool that is meant, of those of a program.
fn chosen<'a>(tools: &'a [ToolDescription], target: &Target) -> Option<&'a ToolDescription> {
    match (&target.entry.tool, tools) {
        (_, [tool]) => Some(tool),
        (Some(name), tools) => tools.iter().find(|tool| tool.name == *name),
        (None, _) => None,
    }
}

/// Offers the names of the manifest.
pub fn named(arg: &ManifestArg, to: &mut Candidates) {
    // One that is not trusted is not read.
    let Ok(Some(manifest)) = manifest(arg) else {
        return;
    };
    for (name, entry) in &manifest.tools {
        let help = entry.description.as_ref().or(entry.title.as_ref());
        to.name("", name, "", help.map_or("", String::as_str));
    }
}

/// Offers the tools that `serve` would serve: the names of the manifest, or the tools of the programs that are named.
pub fn served(given: &Option<Command>, behind: &str, to: &mut Candidates) {
    let Some(Command::Serve(args)) = given else {
        return;
    };
    if args.programs.is_empty()
        && let Ok(Some(manifest)) = manifest(&args.source.manifest)
    {
        for name in manifest.tools.keys() {
            to.name(behind, name, "", "");
        }
    }
    for word in &args.programs {
        of_program(word, &args.source, &args.process, behind, to);
    }
}

/// Offers the tools of a program, or of a tool of the manifest, if it may be asked.
pub fn of_program(
    word: &OsStr,
    source: &SourceArgs,
    process: &ProcessArgs,
    behind: &str,
    to: &mut Candidates,
) {
    let found = find_program(Some(&at_home(word)), &[], source, "run");
    let Ok((target, _)) = found.and_then(|found| of_source(found, &[], false)) else {
        return;
    };
    let tools = match target.contract() {
        Some(contract) => vec![contract],
        None => described(&target, process, &source.manifest).unwrap_or_default(),
    };
    for tool in &tools {
        to.name(behind, &tool.name, "", about(tool));
    }
}

/// What is to be run, and the words behind it that are arguments.
fn target(args: &RunArgs) -> Option<(Target, Vec<String>)> {
    let mut words = args.words.clone();
    if let Some(first) = words.first_mut() {
        *first = at_home(first);
    }
    let word = source_word(&words, &args.command);
    let source = find_program(word, &args.command, &args.server.source, "run").ok()?;
    of_source(source, &words[usize::from(word.is_some())..], args.plain).ok()
}

/// A path below `~`, which no shell has expanded yet.
fn at_home(word: &OsStr) -> OsString {
    let below = word.to_str().and_then(|word| word.strip_prefix("~/"));
    match (below, std::env::home_dir()) {
        (Some(below), Some(home)) => home.join(below).into_os_string(),
        _ => word.to_owned(),
    }
}

/// The tools of a program: what the manifest says of them, or what the program says itself, if it may
/// be asked.
fn tools(args: &RunArgs, target: &Target) -> Option<Vec<ToolDescription>> {
    if let Some(contract) = target.contract() {
        return Some(vec![contract]);
    }
    if args.call || args.plain {
        return None;
    }
    described(target, &args.server.process, &args.server.source.manifest)
}

/// What a program says itself, if it may be asked.
fn described(
    target: &Target,
    process: &ProcessArgs,
    manifest: &ManifestArg,
) -> Option<Vec<ToolDescription>> {
    let described = block_on(async {
        let mut session = Session::new(target, process, ColorWhen::Never)?;
        session.options.timeout = Some(PATIENCE);
        session.options.grace = GRACE;
        match may_be_asked(target, &session.options, manifest) {
            true => {
                // Nobody is to see what it says meanwhile.
                session.screen.hold();
                let list = session.describe(target).await;
                session.screen.release(false);
                list.map(|list| list.and_then(|list| list.tools))
            }
            false => Ok(None),
        }
    });
    let tools = described.ok()??;
    match &target.entry.tool {
        Some(name) if target.in_manifest => Some(
            tools
                .into_iter()
                .filter(|tool| tool.name == *name)
                .collect(),
        ),
        _ => Some(tools),
    }
}

/// Whether a program may be run to ask it what it takes, though nobody has said yet that it is to run
///: one that a manifest lets be asked, if the user trusts what that says; or a file with a marker,
/// if nobody but the user and root can have written it.
fn may_be_asked(target: &Target, options: &ProcessOptions, manifest: &ManifestArg) -> bool {
    if target.in_manifest {
        let file = manifest.manifest.clone();
        let file = file.or_else(|| nearest().ok().flatten());
        let trusted = file.is_some_and(|file| is_trusted(&file).unwrap_or(false));
        return trusted && target.unasked().is_ok_and(|known| known.is_none());
    }
    let path = Path::new(target.entry.command.program());
    let is_own = path.is_file()
        && File::open(path)
            .and_then(|file| others(path, &file))
            .is_ok_and(|others| others.is_none());
    is_own && CallMode::of(&target.entry.command, options, false).ok() == Some(CallMode::Describe)
}

/// Offers the arguments of a tool, and behind a `=` the values of one.
fn arguments(tool: &ToolDescription, given: &[String], current: &str, to: &mut Candidates) {
    let schema: Value = tool.input_schema.to_value().unwrap_or_default();
    let root = Schema {
        root: &schema,
        value: &schema,
    };
    let all = members(root, "", DEPTH);
    if let Some((name, _)) = current.split_once('=') {
        if let Some((_, member)) = all.iter().find(|(path, _)| path == name) {
            values(*member, &format!("{name}="), DEPTH, to);
        }
        return;
    }
    for (path, member) in &all {
        let given = given
            .iter()
            .any(|word| word.split('=').next() == Some(path));
        if !given || member.is("array") {
            to.name("", path, "=", &member.help());
        }
    }
}

/// A schema within another one, in which its references begin.
#[derive(Clone, Copy)]
struct Schema<'a> {
    root: &'a Value,
    value: &'a Value,
}

impl<'a> Schema<'a> {
    fn of(self, value: &'a Value) -> Schema<'a> {
        let value = parameters::target(self.root, value);
        Schema { value, ..self }
    }

    fn is(self, kind: &str) -> bool {
        match self.value.get("type") {
            Some(Value::String(name)) => name == kind,
            Some(Value::Array(names)) => names.iter().any(|name| name == kind),
            _ => false,
        }
    }

    fn help(self) -> String {
        let text = ["description", "title"]
            .iter()
            .find_map(|key| self.value.get(*key)?.as_str());
        text.unwrap_or_default().to_owned()
    }
}

/// The members of an object and of the objects in it, by the words that name them. What has to be given
/// comes first.
fn members<'a>(schema: Schema<'a>, before: &str, depth: usize) -> Vec<(String, Schema<'a>)> {
    let mut found = Vec::new();
    for (name, value, _) in parameters::properties(schema.value) {
        let member = schema.of(value);
        let path = format!("{before}{name}");
        match depth > 1 && parameters::has_properties(member.value) {
            true => found.extend(members(member, &format!("{path}."), depth - 1)),
            false => found.push((path, member)),
        }
    }
    found
}

/// Offers the values that a schema names; files for a text, which may be one's name.
fn values(schema: Schema<'_>, behind: &str, depth: usize, to: &mut Candidates) {
    // A schema can name itself.
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    let mut either = parameters::alternatives(schema.value).peekable();
    if let Some(values) = schema.value.get("enum").and_then(Value::as_array) {
        for value in values {
            to.value(behind, &spell(value), "");
        }
    } else if let Some(value) = schema.value.get("const") {
        to.value(behind, &spell(value), &schema.help());
    } else if either.peek().is_some() {
        either.for_each(|other| values(schema.of(other), behind, depth, to));
    } else if schema.is("boolean") {
        to.value(behind, "true", "");
        to.value(behind, "false", "");
    } else if let Some(items) = schema.value.get("items").filter(|_| schema.is("array")) {
        values(schema.of(items), behind, depth, to);
    } else if schema.is("string") {
        to.files(behind);
    }
}

fn about(tool: &ToolDescription) -> &str {
    let about = tool.description.as_ref().or(tool.title.as_ref());
    about.map_or("", String::as_str)
}
