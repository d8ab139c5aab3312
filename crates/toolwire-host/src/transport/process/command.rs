//! What is started: a program and its arguments.

use std::ffi::{OsStr, OsString};

/// A program and its argument vector.
///
/// There is no shell: each argument reaches the program to the letter, whatever characters it holds
/// (PROC-1). A program without a path separator is looked up on the `PATH`; any other is a file,
/// relative to the host's own working directory (PROC-2). A file that the system can't run by itself
/// is run by its extension: `.py` with the Python of the active virtual environment or `python3`,
/// `.js`, `.mjs`, `.cjs`, `.ts`, `.mts` and `.cts` with `node`, `.sh` with `sh` (PROC-3), or with what
/// [`ProcessOptions::interpreters`](crate::ProcessOptions::interpreters) says.
///
/// ```
/// use toolwire_host::Command;
///
/// let tool = Command::new("./search.py").args(["--in", "my folder", "$(not a command)"]);
/// assert_eq!(tool.arguments().len(), 3);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Command {
    program: OsString,
    arguments: Vec<OsString>,
}

impl Command {
    /// A tool without arguments. Nothing is looked up before it is run.
    ///
    /// ```
    /// use toolwire_host::Command;
    ///
    /// assert_eq!(Command::new("git").program(), "git");
    /// ```
    #[must_use]
    pub fn new(program: impl Into<OsString>) -> Self {
        Command {
            program: program.into(),
            arguments: Vec::new(),
        }
    }

    /// Adds an argument.
    ///
    /// ```
    /// use toolwire_host::Command;
    ///
    /// assert_eq!(Command::new("git").arg("status").arguments(), ["status"]);
    /// ```
    #[must_use]
    pub fn arg(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Adds arguments.
    ///
    /// ```
    /// use toolwire_host::Command;
    ///
    /// assert_eq!(Command::new("git").args(["log", "-1"]).arguments(), ["log", "-1"]);
    /// ```
    #[must_use]
    pub fn args<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// The program as it was given.
    ///
    /// ```
    /// use toolwire_host::Command;
    ///
    /// assert_eq!(Command::new("./a.py").program(), "./a.py");
    /// ```
    #[must_use]
    pub fn program(&self) -> &OsStr {
        &self.program
    }

    /// The arguments, without the program.
    ///
    /// ```
    /// use toolwire_host::Command;
    ///
    /// assert!(Command::new("git").arguments().is_empty());
    /// ```
    #[must_use]
    pub fn arguments(&self) -> &[OsString] {
        &self.arguments
    }
}
