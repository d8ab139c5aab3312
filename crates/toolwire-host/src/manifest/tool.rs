//! A tool of a manifest, with all that its manifest says of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use toolwire::Json;
use toolwire::call::{Call, ToolDescription, WARM_KEY};
use toolwire::schema::tidy_input;

use super::entry::Entry;
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
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ManifestTool {
    /// Its name in the manifest.
    pub name: String,
    /// The command as it is written, for people.
    pub words: Vec<String>,
    /// The program with the arguments that every call has.
    pub command: Command,
    /// The tool of the program, if the manifest names one.
    pub tool: Option<String>,
    /// The title, in place of the tool's own.
    pub title: Option<String>,
    /// The description, in place of the tool's own.
    pub description: Option<String>,
    /// What it takes, if the manifest says so: the JSON Schema of an object.
    pub input_schema: Option<Json>,
    /// Arguments that are given if the caller gives no others, by name.
    pub arguments: BTreeMap<String, Json>,
    /// The options of the call: an object.
    pub options: Json,
    /// Who answers which question, by its id; `*` for all others.
    pub questions: BTreeMap<String, Who>,
    /// What people can do where a question has no answer, by its id; `*` for all others.
    pub refusals: BTreeMap<String, Alternatives>,
    /// The program that answers where an assistant is to. Only a command runs it; in a library, the host
    /// answers.
    pub assistant: Option<Words>,
    /// Whether the program gets no call.
    pub plain: bool,
    /// Whether its program may be asked what it takes though it carries no marker.
    pub asked: bool,
    /// How its program is driven, if it keeps running and knows nothing of sessions. A transport for that
    /// is in the crate `toolwire-pty`.
    pub session: Option<SessionKind>,
    /// The columns and rows of its pseudo-terminal, if the manifest says so.
    pub size: Option<(u16, u16)>,
    /// Whether a call becomes a task, if the manifest says so.
    pub task: Option<TaskPolicy>,
    /// Whether its program takes many calls in one process, if the manifest says so.
    pub warm: Option<bool>,
    /// How long each run may take.
    pub timeout: Option<Duration>,
    /// The most bytes that each run may write.
    pub max_output: Option<usize>,
    /// The folder in which it runs; that of the host if there is none.
    pub cwd: Option<PathBuf>,
    /// The root of the workspace that it is told.
    pub root: PathBuf,
    /// Environment variables that are set for it.
    pub env: BTreeMap<String, String>,
    /// The environment variables that it inherits, if the manifest says so.
    pub inherit: Option<Environment>,
    /// How arguments of the call become words of the command.
    pub(super) template: Option<Template>,
    /// The name of the tool of the program, once it was asked; all clones share it.
    pub(super) known: Arc<OnceLock<String>>,
}

impl ManifestTool {
    pub(super) fn new(folder: &Path, name: String, entry: Entry) -> Self {
        let mut arguments = BTreeMap::new();
        for (name, parameter) in entry.parameters.iter().flatten() {
            if let Some(default) = parameter.schema.get("default") {
                arguments.insert(name.clone(), default.to_json());
            }
        }
        let given = entry.arguments.iter();
        arguments.extend(given.map(|(name, value)| (name.clone(), value.to_json())));
        let options = entry.options.iter();
        let options: BTreeMap<&String, Json> = options
            .map(|(name, value)| (name, value.to_json()))
            .collect();
        let plain = entry.is_plain();
        let takes_arguments = entry.command.takes_arguments();
        ManifestTool {
            words: entry.command.to_words(),
            command: Command::new(program_path(folder, entry.command.program()))
                .args(entry.command.arguments()),
            input_schema: input_schema(&entry),
            arguments,
            options: object(&options),
            cwd: entry.cwd.as_ref().map(|cwd| folder.join(cwd)),
            root: match &entry.root {
                Some(root) => folder.join(root),
                None => folder.to_owned(),
            },
            name,
            tool: entry.tool,
            title: entry.title,
            description: entry.description,
            questions: entry
                .questions
                .into_iter()
                .map(|(id, answer)| (id, answer.0))
                .collect(),
            refusals: entry.refusals,
            assistant: entry.assistant,
            plain,
            asked: entry.describe == Some(true),
            task: entry.task,
            warm: entry.warm,
            session: entry.session,
            size: entry.size,
            timeout: entry.timeout,
            max_output: entry.max_output,
            env: entry.env,
            inherit: entry.inherit,
            template: takes_arguments.then_some(entry.command),
            known: Arc::default(),
        }
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
        let entry = Entry {
            plain: Some(plain),
            ..Entry::default()
        };
        ManifestTool {
            command,
            root: PathBuf::new(),
            ..ManifestTool::new(Path::new(""), name.to_owned(), entry)
        }
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
        let Some(template) = &self.template else {
            return Ok(self.command.clone());
        };
        let members: BTreeMap<String, Json> =
            arguments.to_value().map_err(|error| error.to_string())?;
        let vector = template.expand(&members)?;
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
fn input_schema(entry: &Entry) -> Option<Json> {
    let parameters = entry.parameters.as_ref()?;
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
