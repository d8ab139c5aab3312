//! A tool of a host, and how it is reached.

use std::sync::Arc;

use toolwire::call::{Call, ToolDescription};
use toolwire::session::{SessionMachine, SessionMachineOptions};
use toolwire::{Error, Json};

use super::{OneShot, SessionRules, SessionTransport, SessionsOptions};
use crate::manifest::ManifestTool;
use crate::{ExchangeOptions, Transport};

/// A tool that a host offers: one that keeps running, or one that runs once.
///
/// ```
/// use std::sync::Arc;
/// use toolwire::{Json, call::ToolDescription};
/// use toolwire_host::{Command, Process, SessionTool};
///
/// let date = ToolDescription::new("date", Json::new(r#"{"type":"object"}"#)?);
/// let tool = SessionTool::one_shot(date, Arc::new(Process::from(Command::new("date"))));
/// assert_eq!(tool.description.name, "date");
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SessionTool {
    /// What it says of itself. A model drives its handles only by the actions that stand in it.
    pub description: ToolDescription,
    /// The rules for its handles; those of the host if there are none.
    pub rules: Option<SessionRules>,
    /// Who answers its questions. In a session, `max_rounds` means nothing, and
    /// [`Unanswered::Fail`](crate::Unanswered::Fail) leaves a question unavailable.
    pub exchange: ExchangeOptions,
    /// What the host is configured to pass to it, an object.
    pub options: Json,
    /// The root of the workspace.
    pub root: Option<String>,
    /// The program and its arguments, for people; empty if nobody says.
    pub command: Vec<String>,
    pub(super) way: Way,
    /// What a manifest says of it.
    manifest: Option<Arc<ManifestTool>>,
}

#[derive(Clone)]
pub(super) enum Way {
    Session(Arc<dyn SessionTransport>),
    /// Makes the transport of each call.
    Once(Arc<dyn Fn() -> Arc<dyn Transport> + Send + Sync>),
}

impl std::fmt::Debug for Way {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Way::Session(_) => "Session",
            Way::Once(_) => "Once",
        })
    }
}

impl SessionTool {
    /// A tool that keeps running.
    #[must_use]
    pub fn new(description: ToolDescription, transport: Arc<dyn SessionTransport>) -> Self {
        SessionTool::with(description, Way::Session(transport))
    }

    /// A tool that runs once. A model calls it as it calls any tool; the host can still spawn it.
    #[must_use]
    pub fn one_shot(description: ToolDescription, transport: Arc<dyn Transport>) -> Self {
        SessionTool::each_call(description, move || Arc::clone(&transport))
    }

    /// The same with a transport for each call: one that keeps something from round to round, such as
    /// a call of an MCP server's tool.
    #[must_use]
    pub fn each_call(
        description: ToolDescription,
        transport: impl Fn() -> Arc<dyn Transport> + Send + Sync + 'static,
    ) -> Self {
        SessionTool::with(description, Way::Once(Arc::new(transport)))
    }

    fn with(description: ToolDescription, way: Way) -> Self {
        SessionTool {
            description,
            rules: None,
            exchange: ExchangeOptions::default(),
            options: Json::empty_object(),
            root: None,
            command: Vec::new(),
            way,
            manifest: None,
        }
    }

    /// The same tool with what a manifest says of it: who answers its questions, and what its calls have
    /// where the host says nothing.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use toolwire_host::manifest::Manifest;
    /// use toolwire_host::SessionTool;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("toolwire.toml");
    /// # std::fs::write(&path, "[tools.today]\ncommand = 'date'\nplain = true\n")?;
    /// let manifest = Manifest::read(&path)?;
    /// let today = manifest.tool("today")?;
    /// let description = today.contract().expect("the manifest says all");
    /// let transport = Arc::new(today.transport(today.process_options()));
    /// let tool = SessionTool::one_shot(description, transport).with_manifest(today);
    /// assert_eq!(tool.description.name, "today");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_manifest(mut self, tool: &ManifestTool) -> Self {
        self.exchange = tool.exchange_options(self.exchange);
        self.manifest = Some(Arc::new(tool.clone()));
        self
    }

    /// A call of it.
    pub(super) fn call(&self, arguments: Json) -> Call {
        let mut call = Call::new(&self.description.name, arguments);
        call.options = self.options.clone();
        call.root.clone_from(&self.root);
        let Some(tool) = &self.manifest else {
            return call;
        };
        // The arguments of a call are an object, whoever makes it.
        let mut call = tool.complete(call.clone()).unwrap_or(call);
        call.name = Some(tool.own_name().to_owned());
        call
    }

    /// Whether a model drives it by actions.
    pub(super) fn has_actions(&self) -> bool {
        !self.description.actions.is_empty()
    }

    pub(super) fn session(&self) -> Arc<dyn SessionTransport> {
        match &self.way {
            Way::Session(transport) => Arc::clone(transport),
            Way::Once(transport) => {
                let mut adapter = OneShot::new(transport());
                adapter.exchange = self.exchange.clone();
                Arc::new(adapter)
            }
        }
    }

    /// The rules for its handles in a host with these options.
    pub(super) fn rules_in<'a>(&'a self, options: &'a SessionsOptions) -> &'a SessionRules {
        self.rules.as_ref().unwrap_or(&options.rules)
    }

    /// A handle of it that is not spawned yet.
    pub(super) fn machine(&self, id: &str, rules: &SessionRules) -> Result<SessionMachine, Error> {
        SessionMachine::new(id, self.limits(rules))
    }

    /// What binds a handle of it.
    pub(super) fn limits(&self, rules: &SessionRules) -> SessionMachineOptions {
        let mut options = SessionMachineOptions::default();
        options.actions.clone_from(&self.description.actions);
        options.max_blocks = rules.max_blocks;
        options.max_bytes = rules.max_bytes;
        options.max_questions = rules.max_questions;
        options
    }
}
