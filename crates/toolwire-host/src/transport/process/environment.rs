//! Which environment variables a tool gets.

use std::ffi::{OsStr, OsString};

use tokio::process::Command;

/// What a program needs to find its way on this machine, and nothing that is likely to be a secret.
const STANDARD: &[&str] = &[
    "APPDATA",
    "COMSPEC",
    "HOME",
    "HOMEDRIVE",
    "HOMEPATH",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LC_MONETARY",
    "LC_NUMERIC",
    "LC_TIME",
    "LOCALAPPDATA",
    "LOGNAME",
    "PATH",
    "PATHEXT",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "SHELL",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TERM",
    "TMP",
    "TMPDIR",
    "TZ",
    "USER",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
];

/// The variable that names the file of the result channel (ENV-40).
const RESULT: &str = "TOOLWIRE_RESULT";

/// The variable that says where the call document is (CALL-11).
const CALL: &str = "TOOLWIRE_CALL";

/// The environment of a tool (PROC-5): an allow-list of the host's own variables, and others beside.
///
/// The default is [`Environment::standard`]. `TOOLWIRE_RESULT` and `TOOLWIRE_CALL` are set by a run,
/// where it offers a result channel and where it gives a call document, and never handed on.
///
/// ```
/// use toolwire_host::{Environment, ProcessOptions};
///
/// let environment = Environment::standard().with("GIT_PAGER", "cat");
/// let options = ProcessOptions { environment, ..ProcessOptions::default() };
/// # let _ = options;
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Environment {
    /// The names that are handed on; all of them if there is no list.
    allowed: Option<Vec<OsString>>,
    extra: Vec<(OsString, OsString)>,
}

impl Default for Environment {
    fn default() -> Self {
        Environment::standard()
    }
}

impl Environment {
    /// The variables that a program needs to find its way (`PATH`, `HOME`, the locale, folders for
    /// temporary files and the like): the host's keys and tokens stay with the host.
    ///
    /// ```
    /// use toolwire_host::Environment;
    ///
    /// assert_eq!(Environment::standard(), Environment::default());
    /// ```
    #[must_use]
    pub fn standard() -> Self {
        Environment::only(STANDARD.iter().copied())
    }

    /// All of the host's variables, as a program has them that a person starts.
    ///
    /// ```
    /// use toolwire_host::Environment;
    ///
    /// assert_ne!(Environment::all(), Environment::standard());
    /// ```
    #[must_use]
    pub fn all() -> Self {
        Environment {
            allowed: None,
            extra: Vec::new(),
        }
    }

    /// The variables with these names, as far as the host has them.
    ///
    /// ```
    /// use toolwire_host::Environment;
    ///
    /// let environment = Environment::only(["PATH", "HOME", "GITHUB_TOKEN"]);
    /// assert_ne!(environment, Environment::default());
    /// ```
    #[must_use]
    pub fn only<N: Into<OsString>>(names: impl IntoIterator<Item = N>) -> Self {
        Environment {
            allowed: Some(names.into_iter().map(Into::into).collect()),
            extra: Vec::new(),
        }
    }

    /// Sets a variable for the tool, in place of the host's if it has one of that name.
    ///
    /// ```
    /// use toolwire_host::Environment;
    ///
    /// assert_ne!(Environment::all().with("LANG", "C"), Environment::all());
    /// ```
    #[must_use]
    pub fn with(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.extra.push((name.into(), value.into()));
        self
    }

    /// Where programs are looked up: in the `PATH` that was set for the tool, else in the host's.
    pub(crate) fn path(&self) -> Option<OsString> {
        self.set_or_own("PATH")
    }

    /// The value of a variable that was set for the tool, else the host's own, also where the tool does
    /// not get it; nothing if it is empty.
    pub(crate) fn set_or_own(&self, name: &str) -> Option<OsString> {
        let is_it = |other: &OsStr| match cfg!(windows) {
            true => other.eq_ignore_ascii_case(name),
            false => other == name,
        };
        let mut extra = self.extra.iter().rev();
        let set = extra.find(|(name, _)| is_it(name));
        set.map(|(_, value)| value.clone())
            .or_else(|| std::env::var_os(name))
            .filter(|value| !value.is_empty())
    }

    /// The values that are set for the tool.
    pub(crate) fn values(&self) -> impl Iterator<Item = &OsString> {
        self.extra.iter().map(|(_, value)| value)
    }

    /// Whether all of the host's variables are handed on.
    pub(crate) fn inherits(&self) -> bool {
        self.allowed.is_none()
    }

    /// Sets the variables of a command; `result` is the file of its result channel, `call` tells that
    /// it gets a call document on stdin.
    pub(crate) fn apply(&self, command: &mut Command, result: Option<&OsStr>, call: bool) {
        if let Some(names) = &self.allowed {
            command.env_clear();
            for name in names {
                if let Some(value) = std::env::var_os(name) {
                    command.env(name, value);
                }
            }
        }
        for (name, value) in &self.extra {
            command.env(name, value);
        }
        // A host can itself be a tool; what it was given is not its tools'.
        let own = [
            (RESULT, result),
            (CALL, call.then_some(OsStr::new("stdin"))),
        ];
        for (name, value) in own {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
    }

    /// A name that no environment can hold, if there is one.
    pub(crate) fn bad_name(&self) -> Option<&OsStr> {
        let bad = |name: &OsStr| {
            name.is_empty()
                || name
                    .as_encoded_bytes()
                    .iter()
                    .any(|byte| matches!(byte, 0 | b'='))
        };
        let allowed = self.allowed.iter().flatten();
        let mut names = allowed.chain(self.extra.iter().map(|(name, _)| name));
        names.find(|name| bad(name)).map(OsString::as_os_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_that_of_the_specification() {
        let chapter = include_str!("../../../../../spec/12-processes.md");
        let mut lines = chapter
            .lines()
            .skip_while(|line| !line.contains("**PROC-8**"));
        let list = lines.nth(1).unwrap_or_default();
        let names: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
        assert_eq!(names, STANDARD);
    }
}
