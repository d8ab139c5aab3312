//! What is to be run: a program, or a tool of the manifest.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Map;
use toolwire::Json;
use toolwire::call::ToolDescription;
use toolwire_host::manifest::{Manifest, ManifestTool, Words};
use toolwire_host::{Alternatives, Command, Environment, Who};
use toolwire_source::{Kind, Origin, Reached, Source};

use super::arguments::Members;
use crate::args::{ManifestArg, SourceArgs};
use crate::exit::{Failure, Result};
use crate::source;

/// What is to be run, and how.
pub struct Target {
    /// What messages call it.
    pub label: String,
    /// What the manifest says of it, if it is a tool of one.
    pub manifest: Option<Box<ManifestTool>>,
    pub program: Command,
    /// The tool of the program, if it was named.
    pub tool: Option<String>,
    pub options: Json,
    pub questions: BTreeMap<String, Who>,
    pub refusals: BTreeMap<String, Alternatives>,
    pub assistant: Option<Words>,
    /// Whether the program knows nothing of calls.
    pub plain: bool,
    pub settings: Settings,
}

/// How the manifest wants the program to be run.
#[derive(Default)]
pub struct Settings {
    pub timeout: Option<Duration>,
    pub max_output: Option<usize>,
    pub cwd: Option<PathBuf>,
    pub root: Option<PathBuf>,
    pub env: BTreeMap<String, String>,
    /// Which variables it inherits, if the manifest says so.
    pub inherit: Option<Environment>,
}

/// Finds what is to be run. `verb` is the command that wants it, which can do nothing with a server.
pub fn find_program(
    word: Option<&OsStr>,
    command: &[OsString],
    named: &SourceArgs,
    verb: &str,
) -> Result<Source> {
    let source = source::find_any(word, command, named, verb)?;
    let typed =
        matches!(&source.reached, Reached::Program(program) if program.origin != Origin::Entry);
    if !typed && source.kind(None) == Kind::Server {
        return Err(Failure::Wrong(vec![format!(
            "`{}` is an MCP server, which `toolwire {verb}` can do nothing with; run its tools with `toolwire run`",
            source.label
        )]));
    }
    Ok(source)
}

/// What is to be run, and its arguments.
pub fn of_source(source: Source, words: &[OsString], plain: bool) -> Result<(Target, Vec<String>)> {
    let mut target = match source.reached {
        Reached::Program(program) => Target::of_program(program.command, plain),
        Reached::Tool(tool) => {
            let mut target = Target::of_manifest(&tool);
            if plain && !target.plain {
                // What the manifest says of its calls is of no use.
                (target.plain, target.manifest, target.tool) = (true, None, None);
            }
            target
        }
        _ => return Err(Failure::Refused(format!("`{}` can't be run", source.label))),
    };
    let (tool, texts) = parted(words)?;
    if let Some(name) = tool {
        if let Some(fixed) = &target.tool {
            return Err(Failure::Wrong(vec![format!(
                "`{}` always runs the tool `{fixed}`, so `{name}` cannot name another; an \
                 argument is written `name=value`",
                target.label
            )]));
        }
        if target.contract().is_some() {
            return Err(Failure::Wrong(vec![format!(
                "`{name}` is not an argument: write `name=value`"
            )]));
        }
        target.tool = Some(name);
    }
    Ok((target, texts))
}

/// The tool that the words behind a source name, and their arguments.
pub fn parted(words: &[OsString]) -> Result<(Option<String>, Vec<String>)> {
    let texts = words.iter().map(|word| text(word));
    let mut texts = texts.collect::<Result<Vec<String>>>()?;
    let is_name = |word: &String| !word.contains('=') && !word.starts_with('-');
    let tool = texts.first().is_some_and(is_name).then(|| texts.remove(0));
    Ok((tool, texts))
}

/// The manifest that was named, or the nearest one, if there is one.
pub fn find(named: &ManifestArg) -> Result<Option<Manifest>> {
    Ok(match &named.manifest {
        Some(path) => Some(Manifest::read(path)?),
        None => Manifest::find()?,
    })
}

impl Target {
    pub fn of_program(program: Command, plain: bool) -> Target {
        Target {
            label: name_of(&program),
            manifest: None,
            program,
            tool: None,
            options: empty_object(),
            questions: BTreeMap::new(),
            refusals: BTreeMap::new(),
            assistant: None,
            plain,
            settings: Settings::default(),
        }
    }

    pub fn of_manifest(tool: &ManifestTool) -> Target {
        Target {
            label: tool.name.clone(),
            program: tool.command.clone(),
            tool: tool.tool.clone(),
            options: tool.options.clone(),
            questions: tool.questions.clone(),
            refusals: tool.refusals.clone(),
            assistant: tool.assistant.clone(),
            plain: tool.plain,
            settings: Settings {
                timeout: tool.timeout,
                max_output: tool.max_output,
                cwd: tool.cwd.clone(),
                root: Some(tool.root.clone()),
                env: tool.env.clone(),
                inherit: tool.inherit.clone(),
            },
            manifest: Some(Box::new(tool.clone())),
        }
    }

    /// Arguments that the manifest gives if nobody gives others.
    pub fn arguments(&self) -> Option<&Members> {
        Some(&self.manifest.as_ref()?.arguments)
    }

    /// What the manifest says that the tool takes, if it does.
    pub fn contract(&self) -> Option<ToolDescription> {
        match &self.manifest {
            Some(tool) => tool.contract(),
            None => self
                .plain
                .then(|| ToolDescription::new(&self.label, nothing())),
        }
    }

    /// What is known of the tool without starting its program; nothing if that is to be asked.
    pub fn unasked(&self) -> Result<Option<ToolDescription>> {
        let Some(tool) = &self.manifest else {
            return Ok(self.contract());
        };
        let known = tool.unasked(&tool.process_options());
        known.map_err(|error| Failure::Refused(error.to_string()))
    }

    /// Puts what the manifest says of a tool in place of what it says of itself, its name too.
    pub fn describe(&self, contract: &mut ToolDescription) {
        if let Some(tool) = &self.manifest {
            tool.describe(contract);
        }
    }

    /// The tool as its source lists it, if it says what it is. What is known of a program that is run once and has no
    /// manifest is not what it says.
    pub fn listed(&self, described: Option<&ToolDescription>) -> Option<ToolDescription> {
        let said = described.filter(|_| !self.plain || self.manifest.is_some());
        let mut tool = said?.clone();
        self.describe(&mut tool);
        Some(tool)
    }

    /// The program with its arguments, those of the call put in where the manifest says.
    pub fn program(&self, arguments: &Json) -> Result<Command> {
        match &self.manifest {
            Some(tool) => tool
                .command_with(arguments)
                .map_err(|message| Failure::Wrong(vec![message])),
            None => Ok(self.program.clone()),
        }
    }
}

/// The schema of a program that takes no arguments of a call.
pub fn nothing() -> Json {
    let schema = r#"{"type":"object","properties":{},"additionalProperties":false}"#;
    Json::new(schema).unwrap_or_else(|_| empty_object())
}

pub fn empty_object() -> Json {
    Json::from_value(&Map::new()).unwrap_or_else(|_| Json::from(""))
}

/// The file without its folder and extension, as CALL-32 names a program that says nothing of itself.
fn name_of(program: &Command) -> String {
    let path = Path::new(program.program());
    let name = path.file_stem().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

pub fn text(word: &OsStr) -> Result<String> {
    let refuse = || {
        Failure::Wrong(vec![format!(
            "`{}` is not valid Unicode, so it cannot be an argument",
            word.display()
        )])
    };
    word.to_str().map(str::to_owned).ok_or_else(refuse)
}
