//! The entry by which a client starts a server of ours.

use std::collections::BTreeMap;

use super::Result;
use super::entry::Target;
use super::error::{ClientError, ClientErrorKind};
use super::tree::Node;
use toolwire_contract::server::Client;

/// A server of ours, as clients are to start it or to connect to it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OwnServer {
    /// Its name in the file.
    pub name: String,
    /// How it is reached; all paths are absolute.
    pub target: Target,
}

impl OwnServer {
    /// A server that is started with these words.
    #[must_use]
    pub fn program(name: &str, command: &str, arguments: Vec<String>) -> OwnServer {
        OwnServer {
            name: name.to_owned(),
            target: Target::Program {
                command: command.to_owned(),
                arguments,
                env: BTreeMap::new(),
                cwd: None,
            },
        }
    }

    /// A server that runs and has this address.
    #[must_use]
    pub fn url(name: &str, url: &str) -> OwnServer {
        OwnServer {
            name: name.to_owned(),
            target: Target::Url {
                url: url.to_owned(),
                headers: BTreeMap::new(),
                sse: false,
            },
        }
    }

    /// Its members in a file of this client, in the order in which they are written.
    pub(super) fn members(&self, client: Client) -> Result<Vec<(String, Node)>> {
        let further = client.further_members();
        let mut members = Vec::new();
        let mut put = |name: &str, node: Node| members.push((name.to_owned(), node));
        let texts = |table: &BTreeMap<String, String>| {
            let texts = table.iter();
            Node::table(texts.map(|(name, text)| (name.clone(), Node::text(text))))
        };
        match &self.target {
            Target::Program {
                command,
                arguments,
                env,
                ..
            } => {
                if let Some((name, value)) = further[0] {
                    put(name, Node::text(value));
                }
                put("command", Node::text(command));
                put("args", Node::list(arguments));
                if !env.is_empty() {
                    put("env", texts(env));
                }
            }
            Target::Url { url, headers, .. } => {
                let Some(key) = client.url_members().first() else {
                    let message = format!(
                        "the file of {} takes no URLs; add the server in its settings",
                        client.title()
                    );
                    return Err(ClientError::new(ClientErrorKind::BadFile, message));
                };
                if let Some((name, value)) = further[1] {
                    put(name, Node::text(value));
                }
                put(key, Node::text(url));
                if !headers.is_empty() {
                    put("headers", texts(headers));
                }
            }
        }
        Ok(members)
    }

    /// The members that would contradict it in an entry that is there already.
    pub(super) fn contradicting(&self, client: Client) -> Vec<&'static str> {
        let urls = ["url", "httpUrl", "serverUrl", "headers", "http_headers"];
        match &self.target {
            Target::Program { .. } => urls.to_vec(),
            Target::Url { .. } => {
                let mut names = vec!["command", "args", "env", "cwd"];
                let own = client.url_members().first();
                names.extend(urls[..3].iter().filter(|name| Some(*name) != own));
                names
            }
        }
    }
}
