//! Which environment variables a tool gets.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::str::FromStr;

use tokio::process::Command;

use super::proxy;

/// The variables that a program needs to start, to find its files and modules, and to reach the
/// network; none that is likely to hold a secret or to grant access to something.
const STANDARD: &[&str] = &[
    "ALL_PROXY",
    "APPDATA",
    "CARGO_HOME",
    "COMSPEC",
    "CONDA_PREFIX",
    "CURL_CA_BUNDLE",
    "FTP_PROXY",
    "GEM_HOME",
    "GEM_PATH",
    "GOPATH",
    "GOROOT",
    "HOME",
    "HOMEDRIVE",
    "HOMEPATH",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "JAVA_HOME",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LC_MONETARY",
    "LC_NUMERIC",
    "LC_TIME",
    "LD_LIBRARY_PATH",
    "LOCALAPPDATA",
    "LOGNAME",
    "NODE_EXTRA_CA_CERTS",
    "NODE_PATH",
    "NO_PROXY",
    "PATH",
    "PATHEXT",
    "PERL5LIB",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PYTHONHOME",
    "PYTHONPATH",
    "REQUESTS_CA_BUNDLE",
    "RUBYLIB",
    "RUSTUP_HOME",
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
    "VIRTUAL_ENV",
    "WINDIR",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_DIRS",
    "XDG_CONFIG_HOME",
    "XDG_DATA_DIRS",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
    "all_proxy",
    "ftp_proxy",
    "http_proxy",
    "https_proxy",
    "no_proxy",
];

/// The variable that names the file of the result channel (ENV-40).
const RESULT: &str = "TOOLWIRE_RESULT";

/// The variable that names the events file (EVT-1).
const EVENTS: &str = "TOOLWIRE_EVENTS";

/// The variable that says where the call document is (CALL-11).
const CALL: &str = "TOOLWIRE_CALL";

/// The variables with the keys of a server's `requestState` and the tokens of its clients,
/// which no tool gets.
const SECRETS: [&str; 2] = ["TOOLWIRE_STATE_KEYS", "TOOLWIRE_HTTP_TOKENS"];

/// The word for all variables of the host.
const ALL_WORD: &str = "all";

/// The word for the standard variables, alone or in a list of names.
const STANDARD_WORD: &str = "standard";

/// The environment of a tool (PROC-5): which of the host's own variables it inherits, and others that
/// are set beside.
///
/// The default is [`Environment::standard`]. `TOOLWIRE_RESULT`, `TOOLWIRE_EVENTS` and `TOOLWIRE_CALL` are set by
/// a run, where it offers a result channel, listens to events, or gives a call document, and never inherited.
///
/// The words that users write are read here for every command and language: `all` and `standard` by
/// [`FromStr`], a list of names by [`Environment::from_names`].
///
/// ```
/// use toolwire_host::{Environment, ProcessOptions};
///
/// let environment = Environment::standard().with("GIT_PAGER", "cat");
/// let options = ProcessOptions { environment, ..ProcessOptions::default() };
/// # let _ = options;
/// assert_eq!("all".parse(), Ok(Environment::all()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Environment {
    inherited: Inherited,
    extra: Vec<(OsString, OsString)>,
}

/// Which of the host's variables a tool gets.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Inherited {
    All,
    /// The standard ones, if `standard` says so, and those with these names.
    Some {
        standard: bool,
        names: Vec<OsString>,
    },
}

impl Default for Environment {
    fn default() -> Self {
        Environment::standard()
    }
}

impl FromStr for Environment {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        match word {
            ALL_WORD => Ok(Environment::all()),
            STANDARD_WORD => Ok(Environment::standard()),
            other => Err(format!(
                "must be `all`, `standard` or a list of variable names, not `{other}`"
            )),
        }
    }
}

impl Environment {
    /// What is inherited, as the manifest writes it: `all`, or `standard` and names.
    ///
    /// ```
    /// use toolwire_host::Environment;
    ///
    /// assert_eq!(Environment::standard().inherited(), ["standard"]);
    /// ```
    #[must_use]
    pub fn inherited(&self) -> Vec<String> {
        match &self.inherited {
            Inherited::All => vec![ALL_WORD.to_owned()],
            Inherited::Some { standard, names } => {
                let names = names.iter().map(|name| name.to_string_lossy().into_owned());
                standard
                    .then(|| STANDARD_WORD.to_owned())
                    .into_iter()
                    .chain(names)
                    .collect()
            }
        }
    }

    /// The words that [`FromStr`] reads.
    pub const WORDS: [&str; 2] = [ALL_WORD, STANDARD_WORD];

    /// The variables that a program needs to start, to find its files and modules, and to reach the
    /// network. The host's keys and tokens stay with the host: of a proxy's URL the user name
    /// and password are taken out.
    ///
    /// ```
    /// use toolwire_host::Environment;
    ///
    /// assert_eq!(Environment::standard(), Environment::default());
    /// ```
    #[must_use]
    pub fn standard() -> Self {
        Environment::some(true, Vec::new())
    }

    /// All of the host's variables, as a program gets them that a person starts.
    ///
    /// ```
    /// use toolwire_host::Environment;
    ///
    /// assert_ne!(Environment::all(), Environment::standard());
    /// ```
    #[must_use]
    pub fn all() -> Self {
        Environment {
            inherited: Inherited::All,
            extra: Vec::new(),
        }
    }

    /// The variables with these names, as far as the host has them. No name means more than itself.
    ///
    /// ```
    /// use toolwire_host::Environment;
    ///
    /// let environment = Environment::only(["PATH", "HOME", "GITHUB_TOKEN"]);
    /// assert_ne!(environment, Environment::default());
    /// ```
    #[must_use]
    pub fn only<N: Into<OsString>>(names: impl IntoIterator<Item = N>) -> Self {
        Environment::some(false, names.into_iter().map(Into::into).collect())
    }

    /// The variables that a list names in which the element `standard` stands for the standard ones, as
    /// users write it.
    ///
    /// # Errors
    ///
    /// If `all` is an element, if an element looks like a misspelt `standard`, and if one can't be the
    /// name of a variable.
    ///
    /// ```
    /// use toolwire_host::Environment;
    ///
    /// let environment = Environment::from_names(["standard", "GITHUB_TOKEN"])?;
    /// assert_ne!(environment, Environment::only(["standard", "GITHUB_TOKEN"]));
    /// let error = Environment::from_names(["standart"]).unwrap_err();
    /// assert_eq!(error.to_string(), "`standart` is unknown; did you mean `standard`?");
    /// # Ok::<(), String>(())
    /// ```
    pub fn from_names<N: Into<OsString>>(
        names: impl IntoIterator<Item = N>,
    ) -> Result<Self, String> {
        let mut standard = false;
        let mut list = Vec::new();
        for name in names {
            let name = name.into();
            if name == STANDARD_WORD {
                standard = true;
                continue;
            }
            check_name(&name)?;
            list.push(name);
        }
        Ok(Environment::some(standard, list))
    }

    fn some(standard: bool, names: Vec<OsString>) -> Self {
        Environment {
            inherited: Inherited::Some { standard, names },
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

    /// Whether all of the host's variables are inherited.
    pub(crate) fn inherits_all(&self) -> bool {
        self.inherited == Inherited::All
    }

    /// Sets the variables of a command; `result` is the file of its result channel, `events` that of its
    /// events, `call` the way in which it gets calls.
    pub(crate) fn apply(
        &self,
        command: &mut Command,
        result: Option<&Path>,
        events: Option<&Path>,
        call: Option<&str>,
    ) {
        if let Inherited::Some { standard, names } = &self.inherited {
            command.env_clear();
            for name in STANDARD.iter().filter(|_| *standard) {
                if let Some(value) = std::env::var_os(name)
                    && let Some(value) = proxy::without_credentials(name, value)
                {
                    command.env(name, value);
                }
            }
            // One that is named is handed on as it is.
            for name in names {
                if let Some(value) = std::env::var_os(name) {
                    command.env(name, value);
                }
            }
        }
        for (name, value) in &self.extra {
            command.env(name, value);
        }
        for name in SECRETS {
            command.env_remove(name);
        }
        // A host can itself be a tool; what it was given is not its tools'.
        let own = [
            (RESULT, result.map(Path::as_os_str)),
            (EVENTS, events.map(Path::as_os_str)),
            (CALL, call.map(OsStr::new)),
        ];
        for (name, value) in own {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
    }

    /// All variables that a tool gets if it is started now, for another process that is to start it. Those that a
    /// run sets itself, such as `TOOLWIRE_RESULT`, are not among them.
    ///
    /// ```
    /// use toolwire_host::Environment;
    ///
    /// let variables = Environment::only([""; 0]).with("LANG", "C").to_variables();
    /// assert_eq!(variables, [("LANG".into(), "C".into())].into());
    /// ```
    #[must_use]
    pub fn to_variables(&self) -> BTreeMap<OsString, OsString> {
        let mut command = Command::new("");
        self.apply(&mut command, None, None, None);
        let mut variables = BTreeMap::new();
        if self.inherits_all() {
            variables.extend(std::env::vars_os());
        }
        for (name, value) in command.as_std().get_envs() {
            match value {
                Some(value) => variables.insert(name.to_owned(), value.to_owned()),
                None => variables.remove(name),
            };
        }
        variables
    }

    /// A name that no environment can hold, if there is one.
    pub(crate) fn bad_name(&self) -> Option<&OsStr> {
        let inherited = match &self.inherited {
            Inherited::All => &[][..],
            Inherited::Some { names, .. } => names,
        };
        let mut names = inherited
            .iter()
            .chain(self.extra.iter().map(|(name, _)| name));
        names.find(|name| is_bad(name)).map(OsString::as_os_str)
    }
}

fn is_bad(name: &OsStr) -> bool {
    let bytes = name.as_encoded_bytes();
    bytes.is_empty() || bytes.iter().any(|byte| matches!(byte, 0 | b'='))
}

/// Refuses an element of a list that can't be meant as the name of a variable.
fn check_name(name: &OsStr) -> Result<(), String> {
    let shown = name.to_string_lossy();
    if name == ALL_WORD {
        return Err("`all` stands for every variable, so it must be the only element".to_owned());
    }
    if is_bad(name) {
        return Err(format!("`{shown}` can't be the name of a variable"));
    }
    // Names of variables that look like the word are written in capitals.
    let small = shown.chars().any(|c| c.is_ascii_lowercase());
    if small && toolwire::nearest(&shown, [STANDARD_WORD]).is_some() {
        return Err(format!(
            "`{shown}` is unknown; did you mean `{STANDARD_WORD}`?"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_that_of_the_reference() {
        let page = include_str!("../../../../../docs/reference/environment.md");
        let mut lines = page.lines();
        let list = lines.find(|line| line.starts_with("`ALL_PROXY`"));
        let list = list.unwrap_or_default();
        let names: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
        assert_eq!(names, STANDARD);
    }

    #[test]
    fn the_words_are_read_and_misspelt_ones_refused() {
        assert_eq!("all".parse(), Ok(Environment::all()));
        assert_eq!("standard".parse(), Ok(Environment::standard()));
        let error = "HOME".parse::<Environment>().unwrap_err().to_string();
        assert_eq!(
            error,
            "must be `all`, `standard` or a list of variable names, not `HOME`"
        );
        let read = |names: &[&str]| Environment::from_names(names.iter().copied());
        assert_eq!(read(&["standard"]), Ok(Environment::standard()));
        assert_eq!(read(&[]), Ok(Environment::only([""; 0])));
        assert_eq!(read(&["A", "b"]), Ok(Environment::only(["A", "b"])));
        assert_eq!(
            read(&["A", "standard"]),
            Ok(Environment::some(true, vec!["A".into()]))
        );
        assert_eq!(read(&["STANDARD"]), Ok(Environment::only(["STANDARD"])));
        for (name, word) in [
            ("all", "must be the only element"),
            ("standart", "did you mean `standard`?"),
            ("Standard", "did you mean `standard`?"),
            ("standrad", "did you mean `standard`?"),
            ("", "`` can't be the name"),
            ("A=b", "`A=b` can't be the name"),
            ("A\0", "can't be the name"),
        ] {
            let error = read(&["HOME", name]).unwrap_err().to_string();
            assert!(error.contains(word), "{name}: {error}");
        }
    }
}
