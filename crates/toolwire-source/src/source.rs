//! How a tool or a server is reached.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use toolwire::call::find_marker;
use toolwire_contract::launch::{Launch, Launcher, Request};
use toolwire_contract::lock::Launched;
use toolwire_contract::profile::Profile;
use toolwire_host::manifest::ManifestTool;
use toolwire_host::{CallMode, Command, Environment, ProcessOptions};
use toolwire_mcp::client::{Header, Server};

use crate::pending::quoted;
use crate::script::{script, spelled};
use crate::{Folder, Pending, SourceError, SourceErrorKind};

/// What a word means: how the tool or the server is reached, and what has to be seen to before.
#[derive(Clone)]
#[non_exhaustive]
pub struct Source {
    /// What messages and prompts call it: the name by which the user named it.
    pub label: String,
    /// The word that names it; nothing for a command.
    pub word: Option<String>,
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
/// How a source is reached.
#[derive(Clone)]
#[non_exhaustive]
pub enum Reached {
    /// A tool of a manifest.
    Tool(Box<ManifestTool>),
    /// A program: a tool, a plain program or an MCP server, as [`Source::kind`] says.
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
/// What a source is to whoever uses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A tool of Toolwire.
    Tool,
    /// A program that gets no calls: `toolwire run` runs it once, and nothing else starts it.
    Plain,
    /// An MCP server.
    Server,
}

/// What names a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A path that the user typed.
    Path,
    /// A command that the user typed.
    Command,
    /// A file or a launch URI.
    Entry,
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
    /// What names it.
    pub origin: Origin,
}

/// Whether a script that imports a library of Toolwire is an MCP server: it calls `serve` and not `main`, or imports
/// what the library has for servers of other SDKs.
fn serves_itself(script: &Path) -> bool {
    let mut text = Vec::new();
    let read = File::open(script).and_then(|file| file.take(MOST_SCRIPT).read_to_end(&mut text));
    let text = String::from_utf8(text).unwrap_or_default();
    let calls = |name: &str| {
        text.match_indices(name).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            before.is_none_or(|c| !c.is_alphanumeric() && c != '_')
        })
    };
    let serves = (calls("serve(") || calls("serve_sync(")) && !calls("main(");
    read.is_ok()
        && (serves
            || ["mcp_sdk", "toolwire/mcp-sdk"]
                .iter()
                .any(|own| text.contains(own)))
}

/// The most bytes of a script that are looked at.
const MOST_SCRIPT: u64 = 65_536;

/// The line with which the author of a script says that it reads calls (CALL-51).
pub const MARK: &str = "# toolwire-tool: 1";

impl Program {
    /// Whether it, or the script that its interpreter runs, is marked as a tool.
    fn is_marked(&self, cwd: Option<&Path>) -> Result<bool, SourceError> {
        let options = ProcessOptions {
            cwd: cwd.map(Path::to_owned),
            ..ProcessOptions::default()
        };
        let file = match CallMode::of(&self.command, &options, false)? {
            CallMode::Describe => Some(PathBuf::from(self.command.program())),
            _ => {
                let script = script(&spelled(&self.command), cwd.unwrap_or(Path::new("")));
                let open = script.as_ref().and_then(|path| File::open(path).ok());
                script.filter(|_| open.is_some_and(|file| matches!(find_marker(file), Ok(Some(_)))))
            }
        };
        Ok(file.is_some_and(|file| !serves_itself(&file)))
    }

    /// A program that the user typed.
    pub(crate) fn typed(command: Command, origin: Origin) -> Program {
        Program {
            command,
            written: None,
            env: BTreeMap::new(),
            named: Vec::new(),
            inherits: None,
            folder: Folder::Current,
            names_folder: false,
            origin,
        }
    }
}

/// Without variables, headers and the profile, in which secrets may stand.
impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Source").field(&self.label).finish()
    }
}

impl Source {
    pub(crate) fn new(label: String, reached: Reached) -> Source {
        Source {
            label,
            word: None,
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

    pub(crate) fn url(url: &str) -> Source {
        let reached = Reached::Http {
            url: url.to_owned(),
            headers: BTreeMap::new(),
        };
        Source::new(Server::http(url).label(), reached)
    }

    pub(crate) fn program(command: Command, origin: Origin) -> Source {
        let label = Server::program(command.clone(), ProcessOptions::default()).label();
        let program = Program::typed(command, origin);
        Source::new(label, Reached::Program(Box::new(program)))
    }

    /// The same, of which a file says `word` and not whoever uses it.
    pub(crate) fn named_by(mut self, word: &str) -> Source {
        self.consent = self.agreement(word).or(self.consent);
        self.word = Some(word.to_owned());
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

    /// What it is, without starting it: a file that was typed is a tool if it is marked (CALL-51 to CALL-53), and
    /// otherwise a plain program; a command starts a tool if its program or script is marked, and otherwise a server.
    /// `cwd` is the folder in which it would start, if it is another one than the current folder.
    #[must_use]
    pub fn kind(&self, cwd: Option<&Path>) -> Kind {
        let program = match &self.reached {
            Reached::Tool(_) => return Kind::Tool,
            Reached::Http { .. } => return Kind::Server,
            Reached::Program(program) => program,
        };
        match program.origin {
            Origin::Entry => Kind::Server,
            _ if program.is_marked(cwd).unwrap_or(false) => Kind::Tool,
            Origin::Path => Kind::Plain,
            Origin::Command => Kind::Server,
        }
    }

    /// Whether it is a tool of Toolwire.
    #[must_use]
    pub fn is_tool(&self, cwd: Option<&Path>) -> bool {
        self.kind(cwd) == Kind::Tool
    }

    /// Refuses a plain program, for `verb`, the command that wants the source, or for a library: it would do its usual
    /// work if it were started to find out what it is (CALL-35).
    ///
    /// # Errors
    ///
    /// `BadWord` for a plain program; `System` if it can't be started at all.
    pub fn refuse_plain(&self, verb: Option<&str>) -> Result<(), SourceError> {
        let (Kind::Plain, Reached::Program(program)) = (self.kind(None), &self.reached) else {
            return Ok(());
        };
        program.is_marked(None)?;
        let path = quoted([&program.command.program().to_string_lossy().into_owned()]);
        let server = match verb {
            Some(verb) => format!("write `{verb} -- {path}`"),
            None => format!("give a list: `[\"{path}\"]`"),
        };
        let message = format!("`{path}` is not marked as a Toolwire tool, so it was not started");
        let error = SourceError::new(SourceErrorKind::BadWord, message);
        Err(error.with(format!(
            "if it is a tool, add the line `{MARK}` to it; if it is an MCP server, {server}"
        )))
    }

    /// What is known of how it is reached without reaching it, as fingerprints and locks have it.
    #[must_use]
    pub fn facts(&self) -> Launched {
        let words = match &self.reached {
            Reached::Http { url, .. } => return Launch::new(Launcher::Http, url).facts(),
            Reached::Tool(tool) => tool.words.to_vec(),
            Reached::Program(program) => program.command.words(),
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
    /// `Unsupported` for a tool, which is no server; those of [`Source::refuse_plain`]; `Unresolved` if a header is
    /// needed that was not given.
    pub fn server(
        &self,
        options: ProcessOptions,
        headers: &[Header],
    ) -> Result<Server, SourceError> {
        self.refuse_plain(None)?;
        let is_tool = self.is_tool(options.cwd.as_deref());
        match &self.reached {
            Reached::Program(program) if !is_tool => {
                Ok(Server::program(program.command.clone(), options))
            }
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
                let mut server = Server::http(url);
                if let Server::Http { headers: all, .. } = &mut server {
                    let given = given.iter().filter(|(name, _)| !has(name));
                    all.extend(given.map(|(name, value)| Header::new(name, value)));
                    all.extend(headers.iter().cloned());
                }
                Ok(server)
            }
            Reached::Tool(_) | Reached::Program(_) => {
                let message = format!(
                    "`{}` is a tool of Toolwire, not an MCP server; call it as a tool",
                    self.label
                );
                Err(SourceError::new(SourceErrorKind::Unsupported, message))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_is_is_known_before_it_starts() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        for (name, text) in [
            ("tool.sh", "# toolwire-tool: 1\n"),
            ("plain.sh", "echo tool\n"),
            ("serves.sh", "import toolwire as tw\ntw.serve_sync(f)\n"),
            ("both.sh", "import toolwire as tw\nserve(f) or tw.main()\n"),
            ("observes.sh", "import toolwire as tw\nobserve(f)\n"),
            (
                "sdk.sh",
                "import toolwire\nfrom toolwire import mcp_sdk\nmain()\n",
            ),
        ] {
            std::fs::write(path(name), text).unwrap();
        }
        for (name, typed, interpreted) in [
            ("tool.sh", Kind::Tool, Kind::Tool),
            ("plain.sh", Kind::Plain, Kind::Server),
            ("serves.sh", Kind::Plain, Kind::Server),
            ("both.sh", Kind::Tool, Kind::Tool),
            ("observes.sh", Kind::Tool, Kind::Tool),
            ("sdk.sh", Kind::Plain, Kind::Server),
        ] {
            let file = Source::program(Command::new(path(name)), Origin::Path);
            let command = Command::new("sh").args(["-u", &path(name)]);
            let command = Source::program(command, Origin::Command);
            assert_eq!(file.kind(None), typed, "{name}");
            assert_eq!(command.kind(None), interpreted, "{name}");
        }
        // Its arguments may be tools of something else.
        let command = Command::new("cat").arg(path("tool.sh"));
        let command = Source::program(command, Origin::Command);
        assert_eq!(command.kind(None), Kind::Server);
    }
}
