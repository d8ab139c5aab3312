//! What is set for the tools that are added.

use toolwire::call::ToolDescription;
use toolwire::{Error, Json};
use toolwire_host::manifest::SessionKind;
use toolwire_host::{Command, ExchangeOptions, SessionRules, SessionTool};

use crate::caller::Caller;
use crate::options::{Options, wrong};
use crate::readers::{self, AddOptions, ProcessOptions};
use crate::settings::{client, headers, rules_of, stem, text as text_of};

/// What is set for the tools of a program.
pub(super) struct Settings {
    given: AddOptions,
    rules: Option<SessionRules>,
    driven: Option<Driven>,
    pub(super) exchange: ExchangeOptions,
    pub(super) process: ProcessOptions,
}

impl Settings {
    pub(super) fn read(text: &str, caller: &Caller) -> Result<Self, Error> {
        Settings::of(&readers::add_job(text, caller.unit)?, caller)
    }

    fn of(given: &Options<'_>, caller: &Caller) -> Result<Self, Error> {
        let exchange = readers::exchange_options_in(given)?;
        let process = readers::process_options_in(given)?;
        let mut given = readers::add_options_in(given)?;
        let rules = given.rules.take();
        let rules = rules
            .map(|rules| rules_of(&rules, caller.unit))
            .transpose()?;
        let driven = Driven::of(&mut given)?;
        Ok(Settings {
            given,
            rules,
            driven,
            exchange,
            process,
        })
    }

    /// The same for a source of `Tools`.
    pub(super) fn of_source(
        text: &str,
        caller: &Caller,
    ) -> Result<toolwire_source::AddOptions, Error> {
        let given = readers::source_job(text, caller.unit)?;
        let settings = Settings::of(&given, caller)?;
        let server = readers::server_options_in(&given)?;
        let mut options = toolwire_source::AddOptions::default();
        options.process = settings.process.options(None, caller);
        options.env.clone_from(&settings.process.env);
        options.client = client(&server, &options.process);
        options.headers = headers(&server);
        options.trust = server.trust;
        options.places.config = server.config;
        options.lock = readers::source_options_in(&given)?.lock;
        options.exchange = settings.exchange;
        options.rules = settings.rules;
        options.only = settings.given.only;
        if let Some(given) = settings.given.options {
            options.options = given;
        }
        options.root = settings.given.root.map(text_of);
        Ok(options)
    }

    pub(super) fn not_driven(&self) -> Result<(), Error> {
        match &self.driven {
            None => Ok(()),
            Some(_) => {
                let message = "`session` is for programs; a manifest says it of its tools";
                Err(wrong("/session", message))
            }
        }
    }

    pub(super) fn driven(&self) -> Option<&Driven> {
        self.driven.as_ref()
    }

    pub(super) fn takes(&self, tool: &str) -> bool {
        let only = self.given.only.as_ref();
        only.is_none_or(|only| only.iter().any(|name| name == tool))
    }

    pub(super) fn applied_to(&self, mut tool: SessionTool) -> SessionTool {
        tool.rules.clone_from(&self.rules);
        tool.exchange = self.exchange.clone();
        tool.options = self
            .given
            .options
            .clone()
            .unwrap_or_else(Json::empty_object);
        tool.root = self.given.root.clone().map(text_of);
        tool
    }
}

/// How a program that knows nothing of sessions is driven as one tool.
#[derive(Debug)]
pub(super) struct Driven {
    pub(super) kind: SessionKind,
    pub(super) size: Option<(u16, u16)>,
    name: Option<String>,
    about: Option<String>,
}

impl Driven {
    /// None if the program is asked for its tools.
    fn of(given: &mut AddOptions) -> Result<Option<Self>, Error> {
        let Some(kind) = given.session else {
            let others = [
                ("size", given.size.is_some()),
                ("name", given.name.is_some()),
                ("description", given.description.is_some()),
            ];
            return match others.into_iter().find(|(_, is_given)| *is_given) {
                Some((name, _)) => Err(wrong(
                    format!("/{name}"),
                    format!("`{name}` is for a program that is driven; set `session` too"),
                )),
                None => Ok(None),
            };
        };
        if given.size.is_some() && kind != SessionKind::Pty {
            let message = "`size` is that of a pseudo-terminal: set `session` to `pty`";
            return Err(wrong("/size", message));
        }
        if given.name.as_ref().is_some_and(|name| !is_tool_name(name)) {
            return Err(wrong("/name", format!("`name` is {TOOL_NAME}")));
        }
        Ok(Some(Driven {
            kind,
            size: given.size,
            name: given.name.take(),
            about: given.description.take(),
        }))
    }

    /// What the tool is, for a model.
    pub(super) fn description(&self, command: &Command) -> Result<ToolDescription, Error> {
        let stem = Some(stem(command)).filter(|stem| is_tool_name(stem));
        let name = self.name.clone().or(stem).ok_or_else(|| {
            let message =
                format!("`name` is needed, since the program's is none for a tool: {TOOL_NAME}");
            wrong("/name", message)
        })?;
        let nothing = r#"{"type":"object","properties":{},"additionalProperties":false}"#;
        let mut tool = ToolDescription::new(&name, Json::new(nothing)?);
        tool.description.clone_from(&self.about);
        self.kind.describe(&mut tool);
        Ok(tool)
    }
}

/// What can be the name of a tool.
const TOOL_NAME: &str = "1 to 128 ASCII letters, digits, `_`, `-` and `.`";

fn is_tool_name(name: &str) -> bool {
    let fits = |letter: u8| letter.is_ascii_alphanumeric() || b"_-.".contains(&letter);
    (1..=128).contains(&name.len()) && name.bytes().all(fits)
}
