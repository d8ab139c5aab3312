//! A tool of a manifest, with all that its manifest says of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde::Deserialize;
use toolwire::Json;
use toolwire::call::{Call, ToolDescription, WARM_KEY};
use toolwire::schema::tidy_input;

#[cfg(test)]
use super::entry::schema;
use super::entry::{self, Parameter};
use super::template::Template;
use super::{ManifestTransport, Result, SessionKind, TaskPolicy, Words};
use crate::{
    Alternatives, Command, Environment, ExchangeOptions, HostError, HostErrorKind, ProcessOptions,
    Who, is_marked,
};

/// A tool of a manifest: what is run, and what the manifest says of it.
///
/// To call it, make the [`Call`] with [`call`](ManifestTool::call), the options of its questions with
/// [`exchange_options`](ManifestTool::exchange_options), and the way to it with
/// [`transport`](ManifestTool::transport).
///
/// # Examples
///
/// ```
/// use toolwire_host::manifest::Manifest;
/// use toolwire::Json;
/// use toolwire_host::{CallOptions, ExchangeOptions, Nobody, block_on, call};
///
/// # if cfg!(windows) { return Ok(()); }
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("toolwire.toml");
/// # std::fs::write(&path, "[tools.greet]\ncommand = ['echo', 'Hello', '{who}']\nparameters.who = { type = 'string' }\n")?;
/// let manifest = Manifest::read(&path)?;
/// let greet = manifest.tool("greet")?;
/// let exchange = greet.exchange_options(ExchangeOptions::default());
/// let options = CallOptions { exchange, ..CallOptions::default() };
/// let transport = greet.transport(greet.process_options());
/// let document = greet.call(&Json::new(r#"{"who":"Ada; it's $HOME"}"#)?)?;
/// let outcome = block_on(call(&transport, document, &options, &mut Nobody))?;
/// assert_eq!(outcome.parsed.block(0).unwrap().text().unwrap(), "Hello Ada; it's $HOME\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(
    default,
    deny_unknown_fields,
    rename_all = "kebab-case",
    expecting = "a table: a program, and how it is run"
)]
#[cfg_attr(
    test,
    derive(schemars::JsonSchema),
    schemars(
        rename = "tool",
        description = "A tool: a program, and how it is run.",
        extend("required" = ["command"])
    )
)]
#[non_exhaustive]
pub struct ManifestTool {
    /// Its name in the manifest.
    #[serde(skip)]
    pub name: String,
    /// The command as it is written, for people.
    #[serde(skip)]
    pub words: Vec<String>,
    /// The program with the arguments that every call has.
    #[serde(skip)]
    pub command: Command,
    /// The program and its arguments, never read by a shell. A relative path begins at the manifest's
    /// folder. `{name}` stands for an argument of the call, `{name?text}` for a text if a boolean is
    /// true, `{{` for a brace; what holds an argument that is absent is left out, and an array within
    /// the array is left out as a whole. A program in which none stands gets a call document.
    #[cfg_attr(test, schemars(with = "schema::Command"))]
    #[serde(rename = "command")]
    pub(super) template: Template,
    /// The tool of the program, if it holds several.
    pub tool: Option<String>,
    /// A title, in place of the tool's own.
    pub title: Option<String>,
    /// A description, in place of the tool's own.
    pub description: Option<String>,
    /// What the tool takes, by name: the JSON Schema of each. Without it the program is asked.
    #[cfg_attr(test, schemars(schema_with = "schema::parameters"))]
    pub(super) parameters: Option<BTreeMap<String, Parameter>>,
    /// What it takes, if the manifest says so: the JSON Schema of an object.
    #[serde(skip)]
    pub input_schema: Option<Json>,
    /// Arguments that are given if the caller gives no others.
    #[cfg_attr(test, schemars(schema_with = "schema::object"))]
    #[serde(deserialize_with = "entry::values")]
    pub arguments: BTreeMap<String, Json>,
    /// What is passed to the tool as its options, which a model does not see.
    #[cfg_attr(test, schemars(schema_with = "schema::object"))]
    #[serde(deserialize_with = "entry::object")]
    pub options: Json,
    /// Who answers which question, by its id; `*` stands for all others.
    #[cfg_attr(test, schemars(with = "BTreeMap<String, schema::Answers>"))]
    #[serde(deserialize_with = "entry::questions")]
    pub questions: BTreeMap<String, Who>,
    /// What people can do where a question that the tool can't do without has no answer, by its id;
    /// `*` stands for all others.
    pub refusals: BTreeMap<String, Alternatives>,
    /// The program that answers where an assistant is to, as an argument vector.
    #[serde(deserialize_with = "entry::program")]
    #[cfg_attr(test, schemars(with = "schema::Program"))]
    pub assistant: Option<Words>,
    /// How long the program may run each time, as in `500ms`, `10s`, `2m` or `1h`.
    #[serde(deserialize_with = "entry::duration")]
    #[cfg_attr(test, schemars(with = "schema::Time"))]
    pub timeout: Option<Duration>,
    /// The most bytes that the program may write, as a number or as in `64kB`, `1MB` or `64MiB`.
    #[serde(deserialize_with = "entry::size")]
    #[cfg_attr(test, schemars(with = "schema::Size"))]
    pub max_output: Option<usize>,
    /// The folder in which the program runs, from the manifest's; the caller's if not given.
    pub cwd: Option<PathBuf>,
    /// The root of the workspace that the tool is told, from the manifest's folder, which it is if
    /// not given.
    pub root: PathBuf,
    /// Environment variables that are set for the program.
    pub env: BTreeMap<String, String>,
    /// The environment variables that the program inherits: all; the standard ones, which hold no keys
    /// or tokens; or those with these names, among which `standard` stands for the standard ones. If not
    /// given, all for the command, the standard ones for a program that loads the manifest.
    #[serde(deserialize_with = "entry::inherit")]
    #[cfg_attr(test, schemars(with = "schema::Inherit"))]
    pub inherit: Option<Environment>,
    /// Whether the program knows nothing of calls, so that it is run once with nothing on its standard
    /// input; by default if an argument stands in the command.
    #[serde(rename = "plain")]
    pub(super) says_plain: Option<bool>,
    /// Whether the program gets no call.
    #[serde(skip)]
    pub plain: bool,
    /// Whether the program may be started to ask it what it takes, before anybody calls it. By default, only one
    /// that is marked as a tool may.
    #[serde(rename = "describe")]
    pub asked: bool,
    /// How the program is driven if it keeps running and knows nothing of sessions: in a pseudo-terminal, `pty`,
    /// or on plain pipes, `pipe`. Its tool then has all actions of a session.
    #[cfg_attr(test, schemars(with = "schema::Session"))]
    pub session: Option<SessionKind>,
    /// The columns and rows of its pseudo-terminal, each from 2 to 500; 80 and 24 if not given.
    #[serde(deserialize_with = "entry::terminal_size")]
    #[cfg_attr(test, schemars(with = "schema::TerminalSize"))]
    pub size: Option<(u16, u16)>,
    /// Whether a call becomes a task, for MCP clients that know tasks: `never`, `auto` if it takes long, or
    /// `required`, so that other clients can't call the tool. If not given, the server decides.
    #[cfg_attr(test, schemars(with = "schema::Task"))]
    pub task: Option<TaskPolicy>,
    /// Whether the program takes many calls in one process; by default as it says itself. `false` starts it for
    /// each call.
    pub warm: Option<bool>,
    /// The name of the tool of the program, once it was asked; all clones share it.
    #[serde(skip)]
    pub(super) known: Arc<OnceLock<String>>,
}

impl ManifestTool {
    /// Adds what follows from what its manifest says.
    pub(super) fn complete_in(&mut self, folder: &Path, name: &str) {
        for (name, parameter) in self.parameters.iter().flatten() {
            if let Some(default) = parameter.schema.get("default") {
                let argument = self.arguments.entry(name.clone());
                argument.or_insert_with(|| default.to_json());
            }
        }
        self.name = name.to_owned();
        self.words = self.template.to_words();
        self.command = Command::new(program_path(folder, self.template.program()))
            .args(self.template.arguments());
        self.input_schema = self.parameters.as_ref().and_then(input_schema);
        if self.options == Json::default() {
            self.options = Json::empty_object();
        }
        self.cwd = self.cwd.take().map(|cwd| folder.join(cwd));
        self.root = match self.root.as_os_str().is_empty() {
            true => folder.to_owned(),
            false => folder.join(&self.root),
        };
        self.plain = self.gets_no_call();
    }

    /// Whether the program gets no call document, by what the manifest says.
    pub(super) fn gets_no_call(&self) -> bool {
        let plain = self.says_plain;
        plain.unwrap_or_else(|| self.template.takes_arguments()) || self.session.is_some()
    }

    /// A program that no manifest names, of which nothing is known but its command. It has no root of its own.
    ///
    /// ```
    /// use toolwire_host::{Command, manifest::ManifestTool};
    ///
    /// let plain = ManifestTool::of_command("date", Command::new("date"), true);
    /// assert!(plain.contract().is_some());
    /// ```
    #[must_use]
    pub fn of_command(name: &str, command: Command, plain: bool) -> ManifestTool {
        let mut tool = ManifestTool {
            says_plain: Some(plain),
            ..ManifestTool::default()
        };
        tool.complete_in(Path::new(""), name);
        ManifestTool { command, ..tool }
    }

    /// The call of this tool with these arguments, an object, and with what the manifest gives beside.
    ///
    /// # Errors
    ///
    /// As [`complete`](ManifestTool::complete).
    pub fn call(&self, arguments: &Json) -> Result<Call> {
        self.complete(Call::new(&self.name, arguments.clone()))
    }

    /// A call of this tool with what the manifest gives where it says nothing: arguments, options, the
    /// root.
    ///
    /// # Errors
    ///
    /// `bad_argument` if its arguments or options are no object.
    pub fn complete(&self, mut call: Call) -> Result<Call> {
        type Members = BTreeMap<String, Json>;
        let read = |what: &str, json: &Json| {
            json.to_value::<Members>().map_err(|_| {
                let message = format!("the {what} of `{}` must be an object", self.name);
                HostError::new(HostErrorKind::BadArgument, message)
            })
        };
        let mut arguments = self.arguments.clone();
        arguments.extend(read("arguments", &call.arguments)?);
        let mut options = read("options", &self.options)?;
        options.extend(read("options", &call.options)?);
        call.name = Some(self.name.clone());
        call.arguments = object(&arguments);
        call.options = object(&options);
        if call.root.is_none() {
            // A path that is no text can't stand in a call.
            let root = std::path::absolute(&self.root).ok();
            call.root = root.and_then(|root| root.into_os_string().into_string().ok());
        }
        Ok(call)
    }

    /// The name by which its program knows it, as far as that was said or asked for.
    #[must_use]
    pub fn own_name(&self) -> &str {
        let known = self
            .tool
            .as_deref()
            .or(self.known.get().map(String::as_str));
        known.unwrap_or(&self.name)
    }

    /// How its questions are answered: as `given` says, then as the manifest says; all others are asked
    ///.
    #[must_use]
    pub fn exchange_options(&self, given: ExchangeOptions) -> ExchangeOptions {
        let mut options = given;
        let mut questions = self.questions.clone();
        questions.extend(std::mem::take(&mut options.questions));
        options.questions = questions;
        let mut refusals = self.refusals.clone();
        refusals.extend(std::mem::take(&mut options.refusals));
        options.refusals = refusals;
        options
    }

    /// The environment of its program: these variables, and those that the manifest sets.
    #[must_use]
    pub fn environment(&self, inherited: Environment) -> Environment {
        let set = self.env.iter();
        set.fold(inherited, |all, (name, value)| all.with(name, value))
    }

    /// How its program is run. It inherits the standard environment variables, if the manifest says
    /// nothing else.
    #[must_use]
    pub fn process_options(&self) -> ProcessOptions {
        let usual = ProcessOptions::default();
        ProcessOptions {
            cwd: self.cwd.clone(),
            environment: self.environment(self.inherit.clone().unwrap_or_default()),
            timeout: self.timeout,
            max_output: self.max_output.unwrap_or(usual.max_output),
            ..usual
        }
    }

    /// The way to the tool, whose program is run with these options.
    #[must_use]
    pub fn transport(&self, options: ProcessOptions) -> ManifestTransport {
        ManifestTransport::new(self.clone(), options)
    }

    /// The program with the arguments of a call, an object, in the places where the manifest has them.
    ///
    /// # Errors
    ///
    /// Why an argument can't be where it would, as a sentence.
    pub fn command_with(&self, arguments: &Json) -> Result<Command, String> {
        if !self.template.takes_arguments() {
            return Ok(self.command.clone());
        }
        let members: BTreeMap<String, Json> =
            arguments.to_value().map_err(|error| error.to_string())?;
        let vector = self.template.expand(&members)?;
        Ok(Command::new(self.command.program()).args(vector))
    }

    /// What the manifest says of the tool, under its name in the program, if that is all that is to be
    /// known: with its `parameters`, or where its program is plain. Otherwise the program must be asked.
    #[must_use]
    pub fn contract(&self) -> Option<ToolDescription> {
        let schema = match (&self.input_schema, self.plain) {
            (Some(schema), _) => schema.clone(),
            (None, true) => nothing(),
            (None, false) => return None,
        };
        let name = self.tool.as_deref().unwrap_or(&self.name);
        let mut tool = ToolDescription::new(name, schema);
        if let Some(session) = self.session {
            session.describe(&mut tool);
        }
        Some(tool)
    }

    /// What is known of the tool before anybody calls it, under its name in the program; nothing if its program is to
    /// be asked. A program is started to be asked only if the manifest says `describe = true`, or if it is
    /// [marked](is_marked): any other would do its job.
    ///
    /// # Errors
    ///
    /// `bad_description` if the program is not to be asked, and the manifest does not say what it is.
    pub fn unasked(&self, options: &ProcessOptions) -> Result<Option<ToolDescription>> {
        if let Some(contract) = self.contract() {
            return Ok(Some(contract));
        }
        if self.asked || is_marked(&self.command, options)? {
            return Ok(None);
        }
        if self.description.is_some() {
            let name = self.tool.as_deref().unwrap_or(&self.name);
            return Ok(Some(ToolDescription::new(
                name,
                Json::new(r#"{"type":"object"}"#).unwrap_or_else(|_| Json::empty_object()),
            )));
        }
        let message = format!(
            "`{}` was not started to ask what it takes, because its program is not marked as a tool: list its \
             arguments in `parameters` in the manifest, or set `plain = true` if it takes none, or \
             `describe = true` if it can be asked",
            self.name
        );
        Err(HostError::new(HostErrorKind::BadDescription, message))
    }

    /// Puts what the manifest says of the tool in place of what the program says of it: name, title,
    /// description, and whether it is warm.
    pub fn describe(&self, tool: &mut ToolDescription) {
        tool.name.clone_from(&self.name);
        if self.title.is_some() {
            tool.title.clone_from(&self.title);
        }
        if self.description.is_some() {
            tool.description.clone_from(&self.description);
        }
        match self.warm {
            Some(true) => drop(tool.meta.insert(WARM_KEY.to_owned(), Json::from(true))),
            Some(false) => drop(tool.meta.remove(WARM_KEY)),
            None => {}
        }
    }
}

/// The input schema that the parameters of a manifest make.
fn input_schema(parameters: &BTreeMap<String, Parameter>) -> Option<Json> {
    let mut properties = BTreeMap::new();
    let mut required = Vec::new();
    for (name, parameter) in parameters {
        let members = parameter.schema.iter();
        let schema: BTreeMap<&String, Json> =
            members.map(|(key, value)| (key, value.to_json())).collect();
        if !parameter.optional && !schema.contains_key(&"default".to_owned()) {
            required.push(name);
        }
        properties.insert(name, object(&schema));
    }
    let schema = BTreeMap::from([
        ("type", Json::from("object")),
        ("properties", object(&properties)),
        ("required", Json::from_value(&required).ok()?),
        ("additionalProperties", Json::from(false)),
    ]);
    Some(tidy_input(&object(&schema)))
}

/// The schema of a program that takes no arguments of a call.
fn nothing() -> Json {
    let schema = r#"{"type":"object","properties":{},"additionalProperties":false}"#;
    Json::new(schema).unwrap_or_else(|_| object(&BTreeMap::<&str, Json>::new()))
}

fn object<K: serde::Serialize>(members: &BTreeMap<K, Json>) -> Json {
    // What is in it is JSON; only the limits of depth and size could refuse it, and TOML's own are below
    // them.
    Json::from_value(members).unwrap_or_else(|_| Json::from(""))
}

/// A path begins at the manifest's folder, a name is looked up on the `PATH`.
fn program_path(folder: &Path, program: &str) -> PathBuf {
    if program.contains(std::path::is_separator) {
        folder.join(program)
    } else {
        PathBuf::from(program)
    }
}
