//! What is started: a program and its arguments.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::{ProcessOptions, program};
use crate::HostError;

/// A program and its argument vector.
///
/// There is no shell: each argument reaches the program verbatim, whatever characters it holds
/// (PROC-1). A program without a path separator is looked up on the `PATH`; any other is a file,
/// relative to the host's own working directory (PROC-2). A file that the system can't run by itself
/// is run by its extension: `.py` with the Python of the active virtual environment or `python3`,
/// `.js`, `.mjs`, `.cjs`, `.ts`, `.mts` and `.cts` with `node`, `.sh` with `sh`, or with what
/// [`ProcessOptions::interpreters`](crate::ProcessOptions::interpreters) says.
///
/// ```
/// use toolwire_host::Command;
///
/// let tool = Command::new("./search.py").args(["--in", "my folder", "$(not a command)"]);
/// assert_eq!(tool.arguments().len(), 3);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
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

    /// The program and its arguments as texts, for people and for comparisons.
    ///
    /// ```
    /// use toolwire_host::Command;
    ///
    /// assert_eq!(Command::new("git").arg("log").words(), ["git", "log"]);
    /// ```
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let words = std::iter::once(&self.program).chain(&self.arguments);
        words
            .map(|word| word.to_string_lossy().into_owned())
            .collect()
    }

    /// The arguments that are the paths of files, as seen from a folder.
    ///
    /// ```
    /// use toolwire_host::Command;
    ///
    /// assert!(Command::new("git").arg("log").file_arguments(None).next().is_none());
    /// ```
    pub fn file_arguments<'a>(
        &'a self,
        folder: Option<&'a Path>,
    ) -> impl Iterator<Item = PathBuf> + 'a {
        let paths = self.arguments.iter().map(move |word| match folder {
            Some(folder) => folder.join(word),
            None => PathBuf::from(word),
        });
        paths.filter(|path| path.is_file())
    }

    /// The command that the system would be asked to start now: an absolute path, with the interpreter that the
    /// file needs before it (PROC-2). It is for another process that is to start it, where the current
    /// folder, the `PATH` and the virtual environment may be others.
    ///
    /// # Errors
    ///
    /// As [`run`](crate::run), if there is nothing to start.
    ///
    /// ```
    /// use toolwire_host::{Command, ProcessOptions};
    ///
    /// # if cfg!(windows) { return Ok(()); }
    /// let echo = Command::new("echo").arg("x").resolve(&ProcessOptions::default())?;
    /// assert!(std::path::Path::new(echo.program()).is_absolute());
    /// assert_eq!(echo.arguments(), ["x"]);
    /// # Ok::<(), toolwire_host::HostError>(())
    /// ```
    pub fn resolve(&self, options: &ProcessOptions) -> Result<Command, HostError> {
        let found = program::resolve(self, options)?;
        let path = std::path::absolute(&found.path)
            .map_err(|error| HostError::system("the program has no absolute path", error))?;
        Ok(Command::new(path)
            .args(found.prefix)
            .args(self.arguments.iter().cloned()))
    }
}
