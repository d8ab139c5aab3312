//! The tools of a host under one object: from whatever names them to the messages that answer a model.

mod add;
mod error;
mod locked;
mod named;
mod programs;
mod respond;
mod server;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use toolwire::Json;
use toolwire::call::ToolDescription;
use toolwire::json::array;
use toolwire::provider::{self, Provider, ToolsOptions, to_tools};
use toolwire_host::{SessionTool, Sessions, SessionsOptions};

pub use add::{AddOptions, Added};
pub use error::ToolsError;
pub use named::sources;
pub use programs::{described, manifest_tool, program_tools};
pub use respond::{Response, Turn};

use server::Connected;

/// The tools of a host, whatever names them: programs, manifests, folders, MCP servers, launch URIs, profiles and tools
/// of the host's own. It defines them for a provider of models and answers what a model says.
///
/// Clones share the tools. It is used on a tokio runtime with its timers and I/O enabled.
///
/// # Examples
///
/// A turn of a loop, with a response that stands for the model:
///
/// ```
/// use toolwire::Json;
/// use toolwire::provider::{MessageOptions, Provider};
/// use toolwire_host::SessionsOptions;
/// use toolwire_source::{AddOptions, Tools};
///
/// # let folder = tempfile::tempdir()?;
/// # let file = folder.path().join("toolwire.toml");
/// # std::fs::write(&file, "[tools.say]\ncommand = ['echo', '12:00']\nplain = true\n")?;
/// # let file = file.to_str().unwrap();
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// let tools = Tools::new(SessionsOptions::default());
/// tools.add(file, &AddOptions::default()).await?;
/// let definitions = tools.definitions(Provider::Anthropic, &Default::default())?;
/// assert!(definitions.json.as_str().contains(r#""name":"say""#));
///
/// let reply = Json::new(
///     r#"{"stop_reason":"tool_use","content":[{"type":"tool_use","id":"a","name":"say","input":{}}]}"#,
/// )?;
/// let response = tools.respond(Provider::Anthropic, &reply, &MessageOptions::default()).await?;
/// // The model's turn, and the results.
/// assert_eq!(response.messages.len(), 2);
/// assert!(response.messages[1].as_str().contains("12:00"));
/// tools.close().await;
/// # Ok::<(), toolwire_source::ToolsError>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Tools(Arc<Shared>);

struct Shared {
    sessions: Sessions,
    servers: Mutex<Vec<Connected>>,
    /// What each provider was given last.
    defined: Mutex<BTreeMap<&'static str, Arc<Defined>>>,
    closed: AtomicBool,
}

/// The definitions that a provider was given.
struct Defined {
    tools: provider::Tools,
    options: ToolsOptions,
}

impl std::fmt::Debug for Tools {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tools").finish_non_exhaustive()
    }
}

impl Tools {
    /// No tools. The options have the answerer, who approves, and limits.
    #[must_use]
    pub fn new(options: SessionsOptions) -> Self {
        Tools::of(Sessions::new(options))
    }

    /// Those of these sessions, which go on to be used.
    #[must_use]
    pub fn of(sessions: Sessions) -> Self {
        Tools(Arc::new(Shared {
            sessions,
            servers: Mutex::default(),
            defined: Mutex::default(),
            closed: AtomicBool::new(false),
        }))
    }

    /// The handles of tools that keep running: what a host does itself beside a model's calls.
    #[must_use]
    pub fn sessions(&self) -> &Sessions {
        &self.0.sessions
    }

    /// Adds a tool of the host's own, or replaces the one of that name.
    pub fn add_tool(&self, tool: SessionTool) {
        self.0.sessions.add(tool);
    }

    /// The descriptions of the tools, by name.
    #[must_use]
    pub fn list(&self) -> Vec<ToolDescription> {
        self.0.sessions.tools()
    }

    /// Calls a tool as a model does, and gives the JSON text of its envelope, whatever happens.
    pub async fn call(&self, tool: &str, arguments: &Json) -> String {
        self.0.sessions.handle(tool, arguments).await
    }

    /// The definitions for a request. Their names are remembered, so that [`respond`](Tools::respond) knows which tool
    /// a call means.
    ///
    /// # Errors
    ///
    /// `not_connected` once it is closed.
    pub fn definitions(
        &self,
        provider: Provider,
        options: &ToolsOptions,
    ) -> Result<provider::Tools, ToolsError> {
        self.check_open()?;
        Ok(self.define(provider, options)?.tools.clone())
    }

    fn define(
        &self,
        provider: Provider,
        options: &ToolsOptions,
    ) -> Result<Arc<Defined>, ToolsError> {
        let tools = Json::new(array(self.list().iter().map(ToolDescription::to_json)))?;
        let defined = Arc::new(Defined {
            tools: to_tools(&tools, provider, options)?,
            options: *options,
        });
        lock(&self.0.defined).insert(provider.as_str(), Arc::clone(&defined));
        Ok(defined)
    }

    /// What a provider was given last; what it would be given, if that was nothing.
    fn defined(&self, provider: Provider) -> Result<Arc<Defined>, ToolsError> {
        let defined = lock(&self.0.defined).get(provider.as_str()).cloned();
        match defined {
            Some(defined) => Ok(defined),
            None => self.define(provider, &ToolsOptions::default()),
        }
    }

    /// Ends all sessions and connections; nothing of their programs is left.
    pub async fn close(&self) {
        self.0.closed.store(true, Ordering::SeqCst);
        self.0.sessions.close().await;
        let servers = std::mem::take(&mut *lock(&self.0.servers));
        for server in servers {
            server.close().await;
        }
    }

    fn check_open(&self) -> Result<(), ToolsError> {
        match self.0.closed.load(Ordering::SeqCst) {
            true => Err(ToolsError::new(
                "not_connected",
                "these tools are closed; make others",
            )),
            false => Ok(()),
        }
    }
}

/// A panic elsewhere leaves nothing half done here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
