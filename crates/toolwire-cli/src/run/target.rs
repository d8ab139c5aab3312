//! What is to be run: a program, or a tool of the manifest.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use toolwire::Json;
use toolwire::call::ToolDescription;
use toolwire_host::Command;
use toolwire_host::manifest::{Manifest, ManifestTool};
use toolwire_mcp::client::ListedTool;
use toolwire_source::{Kind, Origin, Reached, Source};

use super::arguments::Members;
use crate::args::{ManifestArg, SourceArgs};
use crate::exit::{Failure, Result};
use crate::source;

/// What is to be run, and how.
pub struct Target {
    /// What messages call it.
    pub label: String,
    /// What is run, and what is known of it.
    pub entry: ManifestTool,
    /// Whether a manifest says so.
    pub in_manifest: bool,
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
            let mut target = Target {
                label: tool.name.clone(),
                entry: *tool,
                in_manifest: true,
            };
            if plain && !target.entry.plain {
                // What the manifest says of its calls is of no use.
                target.in_manifest = false;
                target.entry.plain = true;
                target.entry.tool = None;
                target.entry.input_schema = None;
            }
            target
        }
        _ => return Err(Failure::Refused(format!("`{}` can't be run", source.label))),
    };
    let (tool, texts) = parted(words)?;
    if let Some(name) = tool {
        if let Some(fixed) = &target.entry.tool {
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
        target.entry.tool = Some(name);
    }
    Ok((target, texts))
}

/// The word that names the source, unless a command does.
pub fn source_word<'w>(words: &'w [OsString], command: &[OsString]) -> Option<&'w OsStr> {
    let first = words.first().filter(|_| command.is_empty());
    first.map(OsString::as_os_str)
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
        let label = name_of(&program);
        Target {
            entry: ManifestTool::of_command(&label, program, plain),
            label,
            in_manifest: false,
        }
    }

    /// Arguments that the manifest gives if nobody gives others.
    pub fn arguments(&self) -> Option<&Members> {
        Some(&self.entry.arguments).filter(|_| self.in_manifest)
    }

    /// What is said of what the tool takes, without its program.
    pub fn contract(&self) -> Option<ToolDescription> {
        self.entry.contract()
    }

    /// What is known of the tool without starting its program; nothing if that is to be asked.
    pub fn unasked(&self) -> Result<Option<ToolDescription>> {
        if !self.in_manifest {
            return Ok(self.contract());
        }
        let known = self.entry.unasked(&self.entry.process_options());
        known.map_err(|error| Failure::Refused(error.to_string()))
    }

    /// Puts what the manifest says of a tool in place of what it says of itself, its name too.
    pub fn describe(&self, contract: &mut ToolDescription) {
        if self.in_manifest {
            self.entry.describe(contract);
        }
    }

    /// The tool as its source lists it, if it says what it is. What is known of a program that is run once and has no
    /// manifest is not what it says.
    pub fn listed(&self, described: Option<&ToolDescription>) -> Option<ListedTool> {
        let said = described.filter(|_| !self.entry.plain || self.in_manifest);
        let mut tool = said?.clone();
        self.describe(&mut tool);
        Some(tool.into())
    }

    /// The program with its arguments, those of the call put in where the manifest says.
    pub fn program(&self, arguments: &Json) -> Result<Command> {
        if !self.in_manifest {
            return Ok(self.entry.command.clone());
        }
        let command = self.entry.command_with(arguments);
        command.map_err(|message| Failure::Wrong(vec![message]))
    }
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
