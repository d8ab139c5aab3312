//! What is served, and how.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use toolwire_host::handles::Carrier;
use toolwire_host::manifest::{ManifestTool, TaskPolicy};
use toolwire_host::{Command, Environment, InProcess, KeptOptions, ProcessOptions, WorkerOptions};

use super::Beforehand;
use super::{Gateway, Guard, HandlesLink, ServeError, StateKeys, TaskLink};

/// Whose tools are served, and under which names.
///
/// ```
/// use toolwire_host::Command;
/// use toolwire_mcp::server::Offer;
///
/// let offer = Offer { programs: vec![Command::new("./search.py")], ..Offer::default() };
/// assert!(offer.manifest.is_none());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Offer {
    /// Functions of this program, which describe themselves as programs do.
    pub functions: Vec<InProcess>,
    /// Programs that describe themselves.
    pub programs: Vec<Command>,
    /// Tools of a manifest.
    pub manifest: Option<ManifestOffer>,
    /// MCP servers whose tools are served too.
    pub servers: Vec<Gateway>,
    /// If it is not empty, only these tools are served, by the names under which clients would see them, or by patterns
    /// of these: `*` stands for any characters, `?` for one.
    pub only: Vec<String>,
    /// These tools are not served, by the same names and patterns.
    pub except: Vec<String>,
    /// Whether each tool of a program or server has the name of that and `_` before its own name.
    pub prefix: bool,
}

/// Tools of a manifest.
///
/// ```
/// let nearest = toolwire_mcp::server::ManifestOffer::default();
/// assert!(nearest.path.is_none() && nearest.names.is_empty());
/// ```
#[derive(Debug, Clone, Default)]
pub struct ManifestOffer {
    /// The file; otherwise the nearest one that may be used.
    pub path: Option<PathBuf>,
    /// Which of its tools; all if it is empty.
    pub names: Vec<String>,
}

/// How programs are run. What is set here goes before what a manifest says.
///
/// ```
/// let settings = toolwire_mcp::server::ProcessSettings::default();
/// assert!(settings.root.is_none());
/// ```
#[derive(Debug, Clone, Default)]
pub struct ProcessSettings {
    /// The working folder.
    pub cwd: Option<PathBuf>,
    /// The root of the workspace, as tools are told.
    pub root: Option<String>,
    /// The variables that they inherit.
    pub inherit: Option<Environment>,
    /// The variables that they inherit where neither `inherit` nor a manifest says so.
    pub usual: Environment,
    /// Variables that are set for them.
    pub env: Vec<(String, String)>,
    /// How long each run may take, of functions of this program too.
    pub timeout: Option<Duration>,
    /// How long each run may write nothing, neither output nor progress.
    pub silence: Option<Duration>,
    /// The most bytes that each run may write.
    pub max_output: Option<usize>,
}

impl ProcessSettings {
    /// How a program is run, with what the manifest says of it.
    pub(super) fn options(&self, tool: Option<&ManifestTool>) -> ProcessOptions {
        let said = tool.and_then(|tool| tool.inherit.clone());
        let base = self.inherit.clone().or(said);
        let base = base.unwrap_or_else(|| self.usual.clone());
        let base = tool.map_or(base.clone(), |tool| tool.environment(base));
        let environment = self
            .env
            .iter()
            .fold(base, |base, (name, value)| base.with(name, value));
        let usual = ProcessOptions::default();
        ProcessOptions {
            cwd: self.cwd.clone().or_else(|| tool?.cwd.clone()),
            environment,
            timeout: self.timeout.or_else(|| tool?.timeout),
            silence: self.silence,
            max_output: self
                .max_output
                .or_else(|| tool?.max_output)
                .unwrap_or(usual.max_output),
            ..usual
        }
    }
}

/// Gets what people should know: a program that is left out, a manifest that is wrong.
///
/// ```
/// use toolwire_mcp::server::Reporter;
///
/// let reporter = Reporter::new(|message| eprintln!("{message}"));
/// # let _ = reporter;
/// ```
#[derive(Clone)]
pub struct Reporter(Arc<dyn Fn(&str) + Send + Sync>);

impl Reporter {
    /// A reporter that calls this function with each message, which may hold words of a tool.
    ///
    /// ```
    /// let silent = toolwire_mcp::server::Reporter::new(|_| ());
    /// # let _ = silent;
    /// ```
    #[must_use]
    pub fn new(function: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Reporter(Arc::new(function))
    }

    pub(super) fn report(&self, message: &str) {
        (self.0)(message);
    }
}

impl fmt::Debug for Reporter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reporter")
    }
}

/// How calls become tasks, for clients of 2026-07-28 that declare that they know them (`docs/reference/serving.md`).
///
/// ```
/// use toolwire_host::manifest::TaskPolicy;
/// use toolwire_mcp::server::TaskOptions;
///
/// let options = TaskOptions::default();
/// assert_eq!((options.policy, options.after.as_secs()), (TaskPolicy::Auto, 5));
/// ```
#[derive(Debug, Clone)]
pub struct TaskOptions {
    /// What counts where a manifest says nothing; default [`TaskPolicy::Auto`].
    pub policy: TaskPolicy,
    /// How long a client waits before a call becomes a task; default 5 seconds.
    pub after: Duration,
    /// How long a task is kept without a change or a request; default 1 hour.
    pub lifetime: Duration,
    /// How often a client should ask for a task; default 1 second.
    pub poll: Duration,
    /// The most tasks of a principal at once; default 256.
    pub max_tasks: usize,
    /// The most bytes of results that are kept for a principal; default 64 MiB.
    pub max_bytes: usize,
}

impl Default for TaskOptions {
    fn default() -> Self {
        TaskOptions {
            policy: TaskPolicy::default(),
            after: Duration::from_secs(5),
            lifetime: Duration::from_secs(3600),
            poll: Duration::from_secs(1),
            max_tasks: 256,
            max_bytes: 64 * 1024 * 1024,
        }
    }
}

/// How tools that keep running are offered: with actions, and with handles in their arguments.
///
/// ```
/// let options = toolwire_mcp::server::HandleOptions::default();
/// assert!(options.shared);
/// ```
#[derive(Debug, Clone)]
pub struct HandleOptions {
    /// Whether more than one client may use the server. Then a handle can't be guessed, and the id that a model
    /// gives is a label; otherwise it is the id of the handle. Default: yes.
    pub shared: bool,
    /// The most handles of a principal, the stopped ones included; default 256.
    pub max_handles: usize,
    /// How long nothing may happen to a handle before it ends; default 1 hour.
    pub idle: Option<Duration>,
    /// How long a tool may run in all; default 24 hours.
    pub session_time: Option<Duration>,
    /// How long a stopped handle can be fetched; default 10 minutes.
    pub keep: Duration,
    /// The way to programs in a pseudo-terminal or on pipes, such as the function `carry` of the crate
    /// `toolwire-pty`; without it, and without a link, tools of a manifest that want one are not served.
    pub carrier: Option<Carrier>,
    /// The way to handles outside of this process, so that the next server finds them; it is used only where they
    /// are not [`shared`](HandleOptions::shared). Without it, they end with the server.
    pub link: Option<HandlesLink>,
}

impl HandleOptions {
    /// The way to handles outside of this process, if they are there.
    pub(super) fn link(&self) -> Option<&HandlesLink> {
        self.link.as_ref().filter(|_| !self.shared)
    }

    /// The command by which a person takes part in a handle in a terminal, if there is one.
    pub(super) fn command_of_person(&self, id: &str) -> Option<String> {
        self.link()?.command_of_person(id)
    }
}

impl Default for HandleOptions {
    fn default() -> Self {
        HandleOptions {
            shared: true,
            max_handles: 256,
            idle: Some(Duration::from_secs(3600)),
            session_time: Some(Duration::from_secs(24 * 3600)),
            keep: Duration::from_secs(600),
            carrier: None,
            link: None,
        }
    }
}

/// How a server behaves. [`ServeOptions::new`] has the defaults.
///
/// ```
/// use toolwire_mcp::server::{Offer, ServeOptions};
///
/// let options = ServeOptions { page_size: 20, ..ServeOptions::new(Offer::default())? };
/// assert_eq!((options.jobs, options.queue), (32, 256));
/// # Ok::<(), toolwire_mcp::server::ServeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// Whose tools are served.
    pub offer: Offer,
    /// How programs are run.
    pub process: ProcessSettings,
    /// How the server is called in the handshake; default `toolwire`.
    pub name: String,
    /// What it says of itself to models, if anything.
    pub instructions: Option<String>,
    /// The most tools on a page of the list; default 100, from 1 to 1000.
    pub page_size: usize,
    /// How long a client may keep the list; default 60 seconds.
    pub ttl: Duration,
    /// How often programs and manifest are looked at for changes; default 2 seconds.
    pub poll: Duration,
    /// How long a program may take to describe its tools; default 30 seconds.
    pub describing: Duration,
    /// The most tools that run at once; default 32.
    pub jobs: usize,
    /// The most calls that wait for that; default 256.
    pub queue: usize,
    /// The limits of the workers that answer the calls of warm tools; without, each call starts its program.
    /// Default: those of [`WorkerOptions`].
    pub workers: Option<WorkerOptions>,
    /// The keys of `requestState`; default: one of this process alone.
    pub keys: StateKeys,
    /// How long a `requestState` may be used; default 10 minutes.
    pub state_lifetime: Duration,
    /// How calls become tasks; without it, none does, and tools that need one are not served.
    pub tasks: Option<TaskOptions>,
    /// The way to a process that keeps the tasks of a server over stdio; without it, they end with the server
    ///. Over HTTP it is not used.
    pub task_link: Option<TaskLink>,
    /// How tools that keep running are offered; without it, they are not.
    pub handles: Option<HandleOptions>,
    /// If more tools than this are served, clients are shown one to search them and one to call what was found, instead
    /// of all; default: however many there are, all are shown.
    pub search_above: Option<usize>,
    /// Whether clients are shown schemas without references and keywords of a dialect; what is lost is reported. Default:
    /// no, they are shown as they are.
    pub plain_schemas: bool,
    /// From which size on the whole of a result is kept, and its beginning given with a tool to read the rest; default:
    /// results are given whole.
    pub keep: Option<KeptOptions>,
    /// The longest message that is read; default 64 MiB.
    pub max_message: usize,
    /// What is answered without asking the client; default: nothing.
    pub answers: Beforehand,
    /// Says which tools are not served because they have changed; default: none.
    pub guard: Option<Guard>,
    /// Gets what people should know; default: nobody.
    pub reporter: Reporter,
}

impl ServeOptions {
    /// The defaults.
    ///
    /// # Errors
    ///
    /// If the operating system gives no randomness for a key.
    ///
    /// ```
    /// use toolwire_mcp::server::{Offer, ServeOptions};
    ///
    /// assert_eq!(ServeOptions::new(Offer::default())?.name, "toolwire");
    /// # Ok::<(), toolwire_mcp::server::ServeError>(())
    /// ```
    pub fn new(offer: Offer) -> Result<Self, ServeError> {
        Ok(ServeOptions {
            offer,
            process: ProcessSettings::default(),
            name: "toolwire".to_owned(),
            instructions: None,
            page_size: 100,
            ttl: Duration::from_secs(60),
            poll: Duration::from_secs(2),
            describing: Duration::from_secs(30),
            jobs: 32,
            queue: 256,
            workers: Some(WorkerOptions::default()),
            keys: StateKeys::random()?,
            state_lifetime: Duration::from_secs(600),
            tasks: Some(TaskOptions::default()),
            task_link: None,
            handles: Some(HandleOptions::default()),
            search_above: None,
            plain_schemas: false,
            keep: None,
            max_message: 64 * 1024 * 1024,
            answers: Beforehand::default(),
            guard: None,
            reporter: Reporter::new(|_| ()),
        })
    }
}
