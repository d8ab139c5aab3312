//! The errors if a tool cannot be run at all.

use std::fmt;

use toolwire::closed_words;

use crate::Reply;

/// Why a tool could not be run.
///
/// ```
/// use toolwire_host::HostErrorKind;
///
/// assert_eq!(HostErrorKind::NotFound.as_str(), "tool_not_found");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HostErrorKind {
    /// There is no such program.
    NotFound,
    /// The program is a folder.
    IsDirectory,
    /// The file can't be run, and no interpreter is known for its extension.
    NotExecutable,
    /// The interpreter that the file's extension or its first line asks for is not there.
    NoInterpreter,
    /// The working directory is not there or is no folder.
    BadDirectory,
    /// An argument or a variable that no process can be given.
    BadArgument,
    /// A program's description of its tools is not as it should be (CALL-31).
    BadDescription,
    /// The program failed when it was asked for its tools (PROC-31).
    DescribeFailed,
    /// There is no manifest where one was named.
    ManifestNotFound,
    /// A mistake in a manifest; the message names the file, the line, the column and the keys.
    BadManifest,
    /// A manifest that others may have written and nobody trusts.
    UntrustedManifest,
    /// A manifest, or a program that it names, has no tool of that name.
    UnknownTool,
    /// The system refused a process, a pipe or a file.
    System,
}

// Stable words (PROC-4, PROC-31).
closed_words!(HostErrorKind, "a kind of error", {
    NotFound => "tool_not_found",
    IsDirectory => "tool_is_directory",
    NotExecutable => "tool_not_executable",
    NoInterpreter => "interpreter_not_found",
    BadDirectory => "bad_directory",
    BadArgument => "bad_argument",
    BadDescription => "bad_description",
    DescribeFailed => "describe_failed",
    ManifestNotFound => "manifest_not_found",
    BadManifest => "bad_manifest",
    UntrustedManifest => "untrusted_manifest",
    UnknownTool => "unknown_tool",
    System => "system_error",
});

/// A tool could not be run, the system ended the run, or a program did not say which tools it holds.
/// Whatever else a tool does itself is never an error of this type, but a [`Reply`].
///
/// ```
/// use toolwire_host::{Command, HostErrorKind, ProcessOptions, block_on, run};
///
/// let error = block_on(run(&Command::new("./no/such/tool"), &ProcessOptions::default())).unwrap_err();
/// assert_eq!(error.kind(), HostErrorKind::NotFound);
/// assert!(error.to_string().contains("`./no/such/tool`"));
/// ```
#[derive(Debug)]
pub struct HostError {
    kind: HostErrorKind,
    message: String,
    source: Option<std::io::Error>,
    reply: Option<Box<Reply>>,
}

impl HostError {
    pub(crate) fn new(kind: HostErrorKind, message: String) -> Self {
        HostError {
            kind,
            message,
            source: None,
            reply: None,
        }
    }

    /// The same with what the tool did.
    pub(crate) fn with_reply(self, reply: Reply) -> Self {
        HostError {
            reply: Some(Box::new(reply)),
            ..self
        }
    }

    /// The error if the system refuses something to the host: what failed, and why.
    #[must_use]
    pub fn system(what: &str, source: std::io::Error) -> Self {
        HostError {
            kind: HostErrorKind::System,
            message: format!("{what}: {source}"),
            source: Some(source),
            reply: None,
        }
    }

    /// Why the tool could not be run.
    ///
    /// ```
    /// use toolwire_host::{Command, HostErrorKind, ProcessOptions, block_on, run};
    ///
    /// let error = block_on(run(&Command::new("./"), &ProcessOptions::default())).unwrap_err();
    /// assert_eq!(error.kind(), HostErrorKind::IsDirectory);
    /// ```
    #[must_use]
    pub fn kind(&self) -> HostErrorKind {
        self.kind
    }

    /// What the program did when it was asked for its tools, its exit status and stderr among it; nothing
    /// if no program was run to its end.
    ///
    /// ```
    /// use toolwire::Exit;
    /// use toolwire_host::{Command, Process, block_on, list_tools};
    ///
    /// # if cfg!(windows) { return; }
    /// let broken = Command::new("sh").args(["-c", "echo 'no such module' >&2; exit 3"]);
    /// let error = block_on(list_tools(&Process::from(broken))).unwrap_err();
    /// assert_eq!(error.reply().unwrap().report.exit, Some(Exit::Code(3)));
    /// ```
    #[must_use]
    pub fn reply(&self) -> Option<&Reply> {
        self.reply.as_deref()
    }

    /// The same, where the error is not needed any more.
    #[must_use]
    pub fn into_reply(self) -> Option<Reply> {
        self.reply.map(|reply| *reply)
    }
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for HostError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}
