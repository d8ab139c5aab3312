//! How tools are added.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::PathBuf;

use toolwire::Json;
use toolwire_host::{Command, ExchangeOptions, Process, ProcessOptions, SessionRules, SessionTool};
use toolwire_mcp::client::{ClientOptions, Header};

use super::locked::Guard;
use super::server::Connected;
use super::{Tools, ToolsError, lock, manifest_tool, program_tools, sources};
use crate::{Kind, Places, Reached, Source, command};

/// How the tools of a source are added.
///
/// ```
/// use toolwire_source::AddOptions;
///
/// let mut options = AddOptions::default();
/// options.only = Some(vec!["search".to_owned()]);
/// assert!(!options.trust);
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct AddOptions {
    /// The tools that are added; all by default.
    pub only: Option<Vec<String>>,
    /// Where names are looked up.
    pub places: Places,
    /// Whether the caller agrees to a command that comes from a launch URI or a client's file.
    pub trust: bool,
    /// The lock that the source and its tools have to be as; without it, none.
    pub lock: Option<PathBuf>,
    /// How programs are run. A manifest says it of its own tools itself.
    pub process: ProcessOptions,
    /// Variables that are set for a server's program, on top of those of a file.
    pub env: BTreeMap<String, String>,
    /// Headers for a URL, on top of those of a file.
    pub headers: Vec<Header>,
    /// How servers are connected to.
    pub client: ClientOptions,
    /// Who answers the questions of the tools.
    pub exchange: ExchangeOptions,
    /// The rules for their handles; those of the host if there are none.
    pub rules: Option<SessionRules>,
    /// What the host is configured to pass to them, an object.
    pub options: Json,
    /// The root of the workspace.
    pub root: Option<String>,
}

impl Default for AddOptions {
    fn default() -> Self {
        AddOptions {
            only: None,
            places: Places::default(),
            trust: false,
            lock: None,
            process: ProcessOptions::default(),
            env: BTreeMap::new(),
            headers: Vec::new(),
            client: ClientOptions::default(),
            exchange: ExchangeOptions::default(),
            rules: None,
            options: Json::empty_object(),
            root: None,
        }
    }
}

impl AddOptions {
    fn applied_to(&self, mut tool: SessionTool) -> SessionTool {
        tool.rules.clone_from(&self.rules);
        tool.exchange = self.exchange.clone();
        tool.options = self.options.clone();
        tool.root.clone_from(&self.root);
        tool
    }
}

/// What was added.
///
/// ```
/// assert!(toolwire_source::Added::default().names.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Added {
    /// The names of the tools.
    pub names: Vec<String>,
    /// What there is to be warned of: tools that are not as a profile expects.
    pub warnings: Vec<String>,
}

impl Tools {
    /// Adds what a word names, as [`sources`] reads it: all of its tools or, with an error, none.
    ///
    /// # Errors
    ///
    /// Those of [`sources`]; `untrusted_server` for a command that nobody has agreed to; `not_locked` for what is not
    /// as the lock says; those of a program or server that does not say what it takes; `bad_option` if another source
    /// has a tool of the same name.
    pub async fn add(
        &self,
        word: impl AsRef<OsStr>,
        options: &AddOptions,
    ) -> Result<Added, ToolsError> {
        self.add_sources(sources(word.as_ref(), &options.places)?, options)
            .await
    }

    /// Adds the tools of a command: those that its program describes if that, or its script, is marked as a tool, and
    /// otherwise those of the MCP server that it starts.
    ///
    /// # Errors
    ///
    /// Those of [`Tools::add`].
    pub async fn add_command(
        &self,
        program: Command,
        options: &AddOptions,
    ) -> Result<Added, ToolsError> {
        self.add_sources(vec![command(program)], options).await
    }

    async fn add_sources(
        &self,
        sources: Vec<Source>,
        options: &AddOptions,
    ) -> Result<Added, ToolsError> {
        self.check_open()?;
        let (mut ready, mut servers, mut added) = (Vec::new(), Vec::new(), Added::default());
        for source in sources {
            let one = source.tool().map(str::to_owned);
            let loaded = load(source, options, &mut servers, &mut added.warnings).await;
            let loaded = match loaded.and_then(|loaded| self.checked(loaded, &ready, one, options))
            {
                Ok(loaded) => loaded,
                Err(error) => {
                    for server in servers {
                        server.close().await;
                    }
                    return Err(error);
                }
            };
            ready.extend(loaded);
        }
        lock(&self.0.servers).extend(servers);
        for tool in ready {
            added.names.push(tool.description.name.clone());
            self.add_tool(tool);
        }
        Ok(added)
    }

    /// The wanted ones, unless one of them would take the place of another tool.
    fn checked(
        &self,
        (mut tools, guard): (Vec<SessionTool>, Option<Guard>),
        ready: &[SessionTool],
        one: Option<String>,
        options: &AddOptions,
    ) -> Result<Vec<SessionTool>, ToolsError> {
        let only = options.only.as_deref();
        tools.retain(|tool| {
            let name = &tool.description.name;
            only.is_none_or(|only| only.contains(name))
                && one.as_ref().is_none_or(|one| one == name)
        });
        guard.map_or(Ok(()), |guard| guard.check(&tools))?;
        let mut taken: BTreeSet<String> = self.list().into_iter().map(|tool| tool.name).collect();
        taken.extend(ready.iter().map(|tool| tool.description.name.clone()));
        let twice = tools
            .iter()
            .find(|tool| !taken.insert(tool.description.name.clone()));
        match twice {
            Some(tool) => Err(ToolsError::new(
                "bad_option",
                format!(
                    "another tool is called `{}` too; choose the tools to add with `only`",
                    tool.description.name
                ),
            )),
            None => Ok(tools),
        }
    }
}

/// The tools of a source, and what they are held against.
async fn load(
    source: Source,
    options: &AddOptions,
    servers: &mut Vec<Connected>,
    warnings: &mut Vec<String>,
) -> Result<(Vec<SessionTool>, Option<Guard>), ToolsError> {
    if let Some(pending) = source.consent.as_ref().filter(|_| !options.trust)
        && !pending.is_agreed()?
    {
        return Err(pending.refusal("or agree with the option `trust`").into());
    }
    let guard = options.lock.as_deref();
    let guard = guard.map(|lock| Guard::of(lock, &source)).transpose()?;
    let is_tool = source.kind(options.process.cwd.as_deref()) == Kind::Tool;
    let tools = match &source.reached {
        Reached::Tool(tool) => {
            let mut process = tool.process_options();
            process
                .interpreters
                .extend(options.process.interpreters.clone());
            process.timeout = options.process.timeout.or(process.timeout);
            let made = manifest_tool(tool, process).await?;
            vec![options.applied_to(made).with_manifest(tool)]
        }
        Reached::Program(program) if is_tool => {
            let process = Process::new(program.command.clone(), options.process.clone());
            let tools = program_tools(process).await.map_err(|error| {
                let message = format!("`{}`: {}", source.label, error.message);
                ToolsError::new(error.code, message)
            })?;
            tools
                .into_iter()
                .map(|tool| options.applied_to(tool))
                .collect()
        }
        _ => {
            let (server, tools, warned) = Connected::open(source, options).await?;
            servers.push(server);
            warnings.extend(warned);
            tools
                .into_iter()
                .map(|tool| options.applied_to(tool))
                .collect()
        }
    };
    Ok((tools, guard))
}
