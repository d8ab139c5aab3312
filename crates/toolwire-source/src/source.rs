//! How a tool or a server is reached.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::Path;

use toolwire_contract::launch::{Launch, Launcher, Request};
use toolwire_contract::lock::Launched;
use toolwire_contract::profile::Profile;
use toolwire_host::manifest::ManifestTool;
use toolwire_host::{CallMode, Command, Environment, ProcessOptions};
use toolwire_mcp::client::{Header, Server};

use crate::{Folder, Pending, SourceError, SourceErrorKind};

/// What a word means: how the tool or the server is reached, and what has to be seen to before.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Source {
    /// What messages and prompts call it: the name by which the user named it.
    pub label: String,
    /// How it is reached.
    pub reached: Reached,
    /// What the source itself asks for: a tool with arguments, a list or a resource.
    pub request: Option<Request>,
    /// The profile that names it, which says what is expected of the server (PROF-21).
    pub profile: Option<UsedProfile>,
    /// Whether it is a tool or server of the manifest, which calls it `label`.
    pub in_manifest: bool,
    /// Headers that a server needs and whose values the user gives.
    pub needed_headers: Vec<String>,
    /// What a person has to agree to, if nobody typed the command.
    pub consent: Option<Pending>,
    /// Whether its results may be an `Outcome`.
    pub legacy: bool,
    /// Whether a server gets the context of calls, although it does not declare that it knows Toolwire.
    pub context: bool,
}

/// A profile that a word has named.
#[derive(Clone)]
#[non_exhaustive]
pub struct UsedProfile {
    /// Its name, without the `@`.
    pub name: String,
    /// What it says.
    pub profile: Profile,
}

/// Without what it says, which may have values of variables.
impl fmt::Debug for UsedProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("UsedProfile").field(&self.name).finish()
    }
}

/// How a source is reached.
#[derive(Clone)]
#[non_exhaustive]
pub enum Reached {
    /// A tool of a manifest.
    Tool(Box<ManifestTool>),
    /// A program: a tool of Toolwire or an MCP server, as [`Source::is_tool`] says.
    Program(Box<Program>),
    /// A server that is reached by Streamable HTTP.
    Http {
        /// Its URL.
        url: String,
        /// Headers of each request.
        headers: BTreeMap<String, String>,
    },
}

/// Without the values of headers, which may be secrets.
impl fmt::Debug for Reached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reached::Tool(tool) => f.debug_tuple("Tool").field(&tool.name).finish(),
            Reached::Program(program) => f.debug_tuple("Program").field(program).finish(),
            Reached::Http { url, headers } => f
                .debug_struct("Http")
                .field("url", url)
                .field("headers", &headers.keys())
                .finish(),
        }
    }
}

/// A program that is started.
#[derive(Clone)]
#[non_exhaustive]
pub struct Program {
    /// The program and its arguments.
    pub command: Command,
    /// The same as a file writes it, with the names of variables in the place of their values; nothing if no file
    /// does.
    pub written: Option<Vec<String>>,
    /// Variables that are set for it.
    pub env: BTreeMap<String, String>,
    /// The names of those of them that its entry or URI sets; the others are those of its launcher.
    pub named: Vec<String>,
    /// The variables that it inherits, unless the user says otherwise; nothing for what is usual.
    pub inherits: Option<Environment>,
    /// The folder in which it starts.
    pub folder: Folder,
    /// Whether its file or URI says in which.
    pub names_folder: bool,
    /// Whether the user typed it.
    pub typed: bool,
}

/// Without the values of variables, which may be secrets.
impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program")
            .field("command", &self.command)
            .field("env", &self.env.keys())
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

impl Program {
    /// A program that the user typed.
    pub(crate) fn typed(command: Command) -> Program {
        Program {
            command,
            written: None,
            env: BTreeMap::new(),
            named: Vec::new(),
            inherits: None,
            folder: Folder::Current,
            names_folder: false,
            typed: true,
        }
    }
}

impl Source {
    pub(crate) fn new(label: String, reached: Reached) -> Source {
        Source {
            label,
            reached,
            request: None,
            profile: None,
            in_manifest: false,
            needed_headers: Vec::new(),
            consent: None,
            legacy: false,
            context: false,
        }
    }

    pub(crate) fn program(command: Command) -> Source {
        let label = Server::program(command.clone(), ProcessOptions::default()).label();
        Source::new(label, Reached::Program(Box::new(Program::typed(command))))
    }

    /// The same, of which a file says `word` and not whoever uses it.
    pub(crate) fn named_by(mut self, word: &str) -> Source {
        self.consent = self.agreement(word).or(self.consent);
        self
    }

    /// What somebody has to agree to if only a file names this program or URL, by a word, such as a lock;
    /// nothing for what has an agreement of its own, or stands in a manifest.
    ///
    /// ```
    /// use toolwire_source::{Places, resolve};
    ///
    /// let source = resolve("https://example.org/mcp".as_ref(), &Places::default())?;
    /// assert_eq!(source.agreement("x").unwrap().what, "https://example.org/mcp");
    /// # Ok::<(), toolwire_source::SourceError>(())
    /// ```
    #[must_use]
    pub fn agreement(&self, word: &str) -> Option<Pending> {
        if self.consent.is_some() || self.in_manifest {
            return None;
        }
        match &self.reached {
            Reached::Program(program) => {
                // The same from wherever it is named.
                let path = Path::new(program.command.program());
                let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
                Some(Pending::of_word(&path.to_string_lossy(), true, word))
            }
            Reached::Http { url, .. } => Some(Pending::of_word(url, false, word)),
            Reached::Tool(_) => None,
        }
    }

    /// Whether it is a tool of Toolwire, and no MCP server: one of a manifest, or a program that the user named
    /// without arguments and that carries the marker of CALL-50.
    #[must_use]
    pub fn is_tool(&self) -> bool {
        match &self.reached {
            Reached::Tool(_) => true,
            Reached::Program(program) => {
                let usual = ProcessOptions::default();
                let bare = program.typed && program.command.arguments().is_empty();
                bare && matches!(
                    CallMode::of(&program.command, &usual, false),
                    Ok(CallMode::Describe)
                )
            }
            Reached::Http { .. } => false,
        }
    }

    /// Whether it is an MCP server, whatever is done with it: any other program that the user named can be run
    /// as it is, too.
    #[must_use]
    pub fn is_server(&self) -> bool {
        match &self.reached {
            Reached::Tool(_) => false,
            Reached::Program(program) => !program.typed,
            Reached::Http { .. } => true,
        }
    }

    /// What is known of how it is reached without reaching it, as fingerprints and locks have it.
    #[must_use]
    pub fn facts(&self) -> Launched {
        let words = match &self.reached {
            Reached::Http { url, .. } => return Launch::new(Launcher::Http, url).facts(),
            Reached::Tool(tool) => tool.words.to_vec(),
            Reached::Program(program) => {
                let command = &program.command;
                let words = std::iter::once(command.program());
                let words = words.chain(command.arguments().iter().map(OsString::as_os_str));
                let words = words.map(|word| word.to_string_lossy().into_owned());
                words.collect()
            }
        };
        Launched::of_command(&words).unwrap_or_else(|| Launch::new(Launcher::Exec, "").facts())
    }

    /// The tool that the source itself names.
    #[must_use]
    pub fn tool(&self) -> Option<&str> {
        match &self.request {
            Some(Request::Tool { name, .. }) => Some(name),
            _ => None,
        }
    }

    /// Arguments that the source itself gives, as words `name=value`.
    #[must_use]
    pub fn arguments(&self) -> Vec<String> {
        self.request
            .as_ref()
            .map(Request::words)
            .unwrap_or_default()
    }

    /// The MCP server that it is to a client. The program runs as `options` say, and `headers` are sent to a URL
    /// in the place of those of the same names that a file gives.
    ///
    /// # Errors
    ///
    /// `Unsupported` for a tool of a manifest, which is no server; `Unresolved` if a header is needed that was
    /// not given.
    pub fn server(
        &self,
        options: ProcessOptions,
        headers: &[Header],
    ) -> Result<Server, SourceError> {
        match &self.reached {
            Reached::Tool(tool) => {
                let message = format!("`{}` is a tool of a manifest and no MCP server", tool.name);
                Err(SourceError::new(SourceErrorKind::Unsupported, message))
            }
            Reached::Program(program) => Ok(Server::program(program.command.clone(), options)),
            Reached::Http {
                url,
                headers: given,
            } => {
                let has = |name: &str| {
                    let mut all = headers.iter();
                    all.any(|header| header.name.eq_ignore_ascii_case(name))
                };
                if let Some(name) = self.needed_headers.iter().find(|name| !has(name)) {
                    let message = format!(
                        "the server `{}` needs the header `{name}`: put its value into an environment variable, \
                         and name that as the value of the header",
                        self.label
                    );
                    return Err(SourceError::new(SourceErrorKind::Unresolved, message));
                }
                let replaced = |name: &str| {
                    let mut more = headers.iter();
                    more.any(|header| header.name.eq_ignore_ascii_case(name))
                };
                let mut server = Server::http(url);
                if let Server::Http { headers: all, .. } = &mut server {
                    let given = given.iter().filter(|(name, _)| !replaced(name));
                    all.extend(given.map(|(name, value)| Header::new(name, value)));
                    all.extend(headers.iter().cloned());
                }
                Ok(server)
            }
        }
    }
}
