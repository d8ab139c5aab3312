//! What is to be run: a program, or a tool of the manifest (CLI-40, CLI-41).

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value, json};
use toolwire::Json;
use toolwire::call::ToolDescription;
use toolwire::schema::tidy_input;
use toolwire_host::manifest::{self, Entry, Manifest, Template, Who, Words};
use toolwire_host::{Alternatives, Command, Environment};

use crate::args::ManifestArg;
use crate::exit::{Failure, Result};

/// What is to be run, and how.
pub struct Target {
    /// What messages call it.
    pub label: String,
    /// Whether that is its name in the manifest.
    pub in_manifest: bool,
    pub program: Command,
    /// The tool of the program, if it was named.
    pub tool: Option<String>,
    /// How the arguments become words of the program's own, if they do.
    pub template: Option<Template>,
    /// What the manifest says that it takes.
    pub parameters: Option<Json>,
    /// Title and description of the manifest.
    pub title: Option<String>,
    pub description: Option<String>,
    /// Arguments that are given if nobody gives others.
    pub arguments: Map<String, Value>,
    pub options: Json,
    pub questions: BTreeMap<String, Who>,
    pub refusals: BTreeMap<String, Alternatives>,
    pub assistant: Option<Words>,
    /// Whether the program knows nothing of calls.
    pub plain: bool,
    /// The manifest in which there is no tool of that name, if there was one to look at.
    pub not_in: Option<PathBuf>,
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

/// Finds what is to be run; the words that it does not need are its arguments.
pub fn resolve(
    words: &[OsString],
    command: &[OsString],
    named: &ManifestArg,
    plain: bool,
) -> Result<(Target, Vec<String>)> {
    let mut words = words.iter();
    let mut target = match command {
        [program, arguments @ ..] => {
            let program = Command::new(program).args(arguments);
            Target::of_program(program, plain)
        }
        [] => {
            let first = words.next().map_or(OsStr::new(""), OsString::as_os_str);
            first_word(first, named, plain)?
        }
    };
    let mut texts = words.map(|word| text(word)).collect::<Result<Vec<_>>>()?;
    let is_name = |word: &String| !word.contains('=') && !word.starts_with('-');
    if texts.first().is_some_and(is_name) {
        let name = texts.remove(0);
        if let Some(fixed) = &target.tool {
            return Err(Failure::Wrong(vec![format!(
                "`{}` is the tool `{fixed}` of its program, so `{name}` can't be another; an \
                 argument is `name=value`",
                target.label
            )]));
        }
        if target.plain || target.parameters.is_some() {
            return Err(Failure::Wrong(vec![format!(
                "`{name}` is not an argument: write `name=value`"
            )]));
        }
        target.tool = Some(name);
    }
    Ok((target, texts))
}

/// The manifest that was named, or the nearest one, if there is one.
pub fn find(named: &ManifestArg) -> Result<Option<Manifest>> {
    Ok(match &named.manifest {
        Some(path) => Some(Manifest::read(path)?),
        None => Manifest::find()?,
    })
}

fn first_word(word: &OsStr, named: &ManifestArg, plain: bool) -> Result<Target> {
    let is_path = word
        .as_encoded_bytes()
        .iter()
        .any(|byte| std::path::is_separator(char::from(*byte)));
    if word.to_str().is_some_and(|word| word.contains('=')) && !is_path {
        return Err(Failure::Wrong(vec![format!(
            "`{}` is an argument; name the program before it",
            word.display()
        )]));
    }
    let file = match is_path || plain {
        true => None,
        false => find(named)?,
    };
    let Some(manifest) = file else {
        return Ok(Target::of_program(Command::new(word), plain));
    };
    match word
        .to_str()
        .and_then(|name| manifest.tools.get_key_value(name))
    {
        Some((name, entry)) => Ok(Target::of_entry(&manifest, name, entry)),
        // Whoever named a manifest means what is in it.
        None if named.manifest.is_some() => {
            let names: Vec<&str> = manifest.tools.keys().map(String::as_str).collect();
            let message = manifest::unknown("tool", &word.to_string_lossy(), &names);
            let path = manifest.path.display();
            Err(Failure::Wrong(vec![format!("{path}: {message}")]))
        }
        None => Ok(Target {
            not_in: Some(manifest.path),
            ..Target::of_program(Command::new(word), plain)
        }),
    }
}

impl Target {
    fn of_program(program: Command, plain: bool) -> Target {
        Target {
            label: name_of(&program),
            in_manifest: false,
            program,
            tool: None,
            template: None,
            parameters: None,
            title: None,
            description: None,
            arguments: Map::new(),
            options: empty_object(),
            questions: BTreeMap::new(),
            refusals: BTreeMap::new(),
            assistant: None,
            plain,
            not_in: None,
            settings: Settings::default(),
        }
    }

    pub fn of_entry(manifest: &Manifest, name: &str, entry: &Entry) -> Target {
        let folder = manifest.folder();
        let mut arguments = Map::new();
        for (name, parameter) in entry.parameters.iter().flatten() {
            if let Some(default) = parameter.schema.get("default") {
                arguments.insert(name.clone(), default.0.clone());
            }
        }
        for (name, value) in &entry.arguments {
            arguments.insert(name.clone(), value.0.clone());
        }
        let options: Map<String, Value> = entry
            .options
            .iter()
            .map(|(name, value)| (name.clone(), value.0.clone()))
            .collect();
        Target {
            label: name.to_owned(),
            in_manifest: true,
            program: Command::new(program_path(folder, entry.command.program()))
                .args(entry.command.arguments()),
            tool: entry.tool.clone(),
            template: entry
                .command
                .takes_arguments()
                .then(|| entry.command.clone()),
            parameters: schema(entry),
            title: entry.title.clone(),
            description: entry.description.clone(),
            arguments,
            options: Json::new(Value::from(options).to_string()).unwrap_or_else(|_| empty_object()),
            questions: entry.questions.clone(),
            refusals: entry.refusals.clone(),
            assistant: entry.assistant.clone(),
            plain: entry.is_plain(),
            not_in: None,
            settings: Settings {
                timeout: entry.timeout,
                max_output: entry.max_output,
                cwd: entry.cwd.as_ref().map(|cwd| folder.join(cwd)),
                root: Some(match &entry.root {
                    Some(root) => folder.join(root),
                    None => folder.to_owned(),
                }),
                env: entry.env.clone(),
                inherit: entry.inherit.clone(),
            },
        }
    }

    /// The tool as the manifest describes it, if it does.
    pub fn contract(&self) -> Option<ToolDescription> {
        let schema = match (&self.parameters, self.plain) {
            (Some(schema), _) => schema.clone(),
            (None, true) => nothing(),
            (None, false) => return None,
        };
        let name = self.tool.as_deref().unwrap_or(&self.label);
        Some(ToolDescription::new(name, schema))
    }

    /// Puts what the manifest says of a tool in place of what it says of itself, its name too.
    pub fn describe(&self, contract: &mut ToolDescription) {
        if self.in_manifest {
            contract.name.clone_from(&self.label);
        }
        if self.title.is_some() {
            contract.title.clone_from(&self.title);
        }
        if self.description.is_some() {
            contract.description.clone_from(&self.description);
        }
    }
}

/// The input schema that the parameters of a manifest make.
fn schema(entry: &Entry) -> Option<Json> {
    let parameters = entry.parameters.as_ref()?;
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, parameter) in parameters {
        let members = parameter.schema.iter();
        let schema: Map<String, Value> = members
            .map(|(key, value)| (key.clone(), value.0.clone()))
            .collect();
        if !parameter.optional && !schema.contains_key("default") {
            required.push(name.clone());
        }
        properties.insert(name.clone(), schema.into());
    }
    let schema = json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    let schema = Json::new(schema.to_string()).ok()?;
    Some(tidy_input(&schema))
}

/// The schema of a program that takes no arguments of a call.
fn nothing() -> Json {
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

/// A path begins at the manifest's folder, a name is looked up on the `PATH`.
fn program_path(folder: &Path, program: &str) -> PathBuf {
    if program.contains(std::path::is_separator) {
        folder.join(program)
    } else {
        PathBuf::from(program)
    }
}

fn text(word: &OsStr) -> Result<String> {
    let refuse = || {
        Failure::Wrong(vec![format!(
            "`{}` is not Unicode, as arguments are",
            word.display()
        )])
    };
    word.to_str().map(str::to_owned).ok_or_else(refuse)
}
