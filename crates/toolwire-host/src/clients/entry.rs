//! A server as a file describes it, and with values in the place of variables.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use toolwire_contract::convert::Form;
use toolwire_contract::lock::without_credentials;
use toolwire_contract::server::{Client, Header, Variables};

use super::Result;
use super::error::{ClientError, ClientErrorKind};
use super::places::{Scope, Surroundings};
use super::tree::Node;

/// A server as a file describes it; variables are not replaced yet.
#[derive(Clone)]
#[non_exhaustive]
pub struct Entry {
    /// Its name in the file.
    pub name: String,
    /// The client whose file it is, if that is known.
    pub client: Option<Client>,
    /// Whose file it is; nothing for a file that was named.
    pub scope: Option<Scope>,
    /// The file.
    pub path: PathBuf,
    /// The line in which it begins, from 1.
    pub line: u64,
    /// How it is reached.
    pub target: Target,
    /// The members that only its client knows, as they are.
    pub more: serde_json::Map<String, serde_json::Value>,
    /// The folder of the workspace.
    pub(super) folder: PathBuf,
    pub(super) node: Node,
    /// How it is written there.
    pub(super) form: Form,
    pub(super) variables: Variables,
    /// Headers whose values are in the environment.
    pub(super) environment_headers: BTreeMap<String, Header>,
    /// Variables that the program gets as they are here.
    pub(super) passed_on: Vec<String>,
}

/// How a server is reached.
#[derive(Clone, PartialEq, Eq)]
pub enum Target {
    /// A program that is started.
    Program {
        /// The program.
        command: String,
        /// Its arguments.
        arguments: Vec<String>,
        /// Variables that are set for it.
        env: BTreeMap<String, String>,
        /// The folder in which it runs.
        cwd: Option<PathBuf>,
    },
    /// A server elsewhere.
    Url {
        /// Its address.
        url: String,
        /// Headers of each request.
        headers: BTreeMap<String, String>,
        /// Whether it speaks the old transport of two endpoints.
        sse: bool,
    },
}

/// A server, ready to be started or connected to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resolved {
    /// Its name.
    pub name: String,
    /// How it is reached; all variables are replaced.
    pub target: Target,
    /// Whether its results may be an `Outcome`, which came before envelopes.
    pub legacy: bool,
    /// Whether it gets the context of calls, although it does not declare that it knows Toolwire.
    pub context: bool,
}

/// The member of an entry that is for Toolwire.
const OWN: &str = "dev.toolwire";

/// Without the values of variables and headers, which may be secrets.
impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Program {
                command,
                arguments,
                env,
                cwd,
            } => f
                .debug_struct("Program")
                .field("command", command)
                .field("arguments", arguments)
                .field("env", &env.keys())
                .field("cwd", cwd)
                .finish(),
            Target::Url { url, headers, sse } => f
                .debug_struct("Url")
                .field("url", url)
                .field("headers", &headers.keys())
                .field("sse", sse)
                .finish(),
        }
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("name", &self.name)
            .field("path", &self.path)
            .field("line", &self.line)
            .field("target", &self.target)
            .finish_non_exhaustive()
    }
}

impl Entry {
    /// Where it stands, for messages: `/home/me/.cursor/mcp.json:12`.
    #[must_use]
    pub fn place(&self) -> String {
        format!("{}:{}", self.path.display(), self.line)
    }

    /// The same with values in the place of variables, and with the folder in which a program
    /// of a workspace runs.
    ///
    /// # Errors
    ///
    /// `Unresolved` if a variable has no value here; the message says which and what to do.
    pub fn resolve(&self, surroundings: &Surroundings) -> Result<Resolved> {
        let expand = |text: &str| {
            let value = super::variables::expand(text, self.variables, surroundings, &self.folder);
            value.map_err(|message| self.unresolved(&message))
        };
        let table = |table: &BTreeMap<String, String>| -> Result<BTreeMap<String, String>> {
            let values = table.iter();
            let values = values.map(|(name, value)| Ok((name.clone(), expand(value)?)));
            values.collect()
        };
        let target = match &self.target {
            Target::Program {
                command,
                arguments,
                env,
                cwd,
            } => {
                let cwd = match cwd.as_ref().and_then(|cwd| cwd.to_str()) {
                    Some(cwd) => Some(self.folder.join(expand(cwd)?)),
                    // Clients start the servers of a workspace there.
                    None => (self.scope != Some(Scope::User)).then(|| self.folder.clone()),
                };
                let arguments = arguments.iter().map(|text| expand(text));
                let mut env = table(env)?;
                for name in &self.passed_on {
                    // As its client does, one that is not set is left out.
                    if let Some(value) = surroundings.variables.get(name) {
                        env.entry(name.clone()).or_insert_with(|| value.clone());
                    }
                }
                Target::Program {
                    command: expand(command)?,
                    arguments: arguments.collect::<Result<_>>()?,
                    env,
                    cwd,
                }
            }
            Target::Url { url, headers, sse } => {
                let mut headers = table(headers)?;
                for (name, Header { before, variable }) in &self.environment_headers {
                    let Some(value) = surroundings.variables.get(variable) else {
                        return Err(self.unresolved(&format!(
                            "the environment variable `{variable}` is not set; set it and try again"
                        )));
                    };
                    headers.insert(name.clone(), format!("{before}{value}"));
                }
                Target::Url {
                    url: expand(url)?,
                    headers,
                    sse: *sse,
                }
            }
        };
        Ok(Resolved {
            name: self.name.clone(),
            target,
            legacy: self.own("legacy")?,
            context: self.own("context")?,
        })
    }

    /// What the entry says to Toolwire.
    fn own(&self, name: &str) -> Result<bool> {
        match self.more.get(OWN) {
            None => Ok(false),
            Some(serde_json::Value::Object(own)) => match own.get(name) {
                None => Ok(false),
                Some(serde_json::Value::Bool(set)) => Ok(*set),
                Some(_) => Err(self.unresolved(&format!("`{OWN}.{name}` must be true or false"))),
            },
            Some(_) => Err(self.unresolved(&format!("`{OWN}` must be an object"))),
        }
    }

    fn unresolved(&self, message: &str) -> ClientError {
        let message = format!("{}: `{}`: {message}", self.place(), self.name);
        ClientError::new(ClientErrorKind::Unresolved, message)
    }

    /// What would be started or connected to, a line for each part, as the file writes it: to be shown
    /// before it is approved. The text is the file's: make it safe for a terminal.
    #[must_use]
    pub fn shown(&self) -> Vec<String> {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let mut lines = vec![format!("server   {}", quoted(&self.name))];
        lines.push(format!("file     {}", self.place()));
        if let Some(own) = self.more.get(OWN) {
            lines.push(format!("toolwire {own}"));
        }
        match &self.target {
            Target::Program {
                command,
                arguments,
                env,
                cwd,
            } => {
                lines.push(format!("program  {}", quoted(command)));
                lines.extend(
                    arguments
                        .iter()
                        .map(|text| format!("argument {}", quoted(text))),
                );
                let set = env.iter();
                lines.extend(set.map(|(name, value)| format!("variable {name}={}", quoted(value))));
                let passed_on = self.passed_on.iter();
                lines.extend(passed_on.map(|name| format!("variable {name}=${name}")));
                let folder = cwd.as_deref().unwrap_or(&self.folder);
                lines.push(format!("folder   {}", folder.display()));
            }
            Target::Url { url, headers, .. } => {
                lines.push(format!("url      {}", quoted(url)));
                let set = headers.iter();
                lines
                    .extend(set.map(|(name, value)| format!("header   {name}: {}", quoted(value))));
                for (name, Header { before, variable }) in &self.environment_headers {
                    lines.push(format!("header   {name}: {before}${variable}"));
                }
            }
        }
        lines
    }

    /// The same without the values of variables and headers, and without credentials (LOCK-13): for a log.
    #[must_use]
    pub fn told(&self) -> Vec<String> {
        let mut told = self.clone();
        match &mut told.target {
            Target::Program {
                command,
                arguments,
                env,
                ..
            } => {
                let words: Vec<String> = std::iter::once(&*command)
                    .chain(&*arguments)
                    .cloned()
                    .collect();
                *arguments = without_credentials(&words).split_off(1);
                env.values_mut().for_each(|value| *value = "***".to_owned());
            }
            Target::Url { url, headers, .. } => {
                *url = without_credentials(std::slice::from_ref(url)).concat();
                headers
                    .values_mut()
                    .for_each(|value| *value = "***".to_owned());
            }
        }
        told.shown()
    }
}
