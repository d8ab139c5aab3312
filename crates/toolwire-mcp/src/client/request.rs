//! What requests to a server carry.

use toolwire::json::ObjectWriter;
use toolwire::mcp::Revision;
use toolwire_rpc::{Ask, Closed, Peer, Pending};

use crate::headers::encoded;

/// A request to a server.
#[derive(Debug, Default)]
pub(super) struct Request<'a> {
    pub method: &'a str,
    /// The parameter that says what it is about, which becomes a header in 2026-07-28.
    pub about: Option<(&'a str, &'a str)>,
    /// Further parameters, as JSON.
    pub params: Vec<(&'a str, String)>,
    /// Members of `_meta`, as JSON.
    pub meta: Vec<(String, String)>,
    /// Further headers.
    pub headers: Vec<(String, String)>,
    /// Whether it is the call of a tool: it gets progress, log and questions.
    pub is_call: bool,
}

impl Request<'_> {
    /// Queues it in a version of MCP.
    pub(super) async fn send(
        self,
        peer: &Peer,
        version: &str,
        tasks: bool,
    ) -> Result<Pending, Closed> {
        let is_modern = version == Revision::V2026_07_28.as_str();
        let mut labels = self.headers;
        if is_modern {
            let mut label =
                |name: &str, value: &str| labels.push((name.to_owned(), encoded(value)));
            label("mcp-protocol-version", version);
            label("mcp-method", self.method);
            if let Some((_, name)) = self.about {
                label("mcp-name", name);
            }
        }
        let ask = Ask {
            method: self.method,
            labels,
            hears: self.is_call,
            ..Ask::default()
        };
        let sent = peer.request(ask, |id| {
            let mut meta = ObjectWriter::new();
            if self.is_call {
                meta.number("progressToken", id);
            }
            if is_modern {
                meta.text("io.modelcontextprotocol/protocolVersion", version)
                    .json("io.modelcontextprotocol/clientInfo", client_info())
                    .json(
                        "io.modelcontextprotocol/clientCapabilities",
                        capabilities(tasks),
                    );
            }
            for (name, value) in &self.meta {
                meta.json(name, value);
            }
            let mut params = ObjectWriter::new();
            let meta = meta.end();
            if meta != "{}" {
                params.json("_meta", meta);
            }
            if let Some((name, value)) = self.about {
                params.text(name, value);
            }
            for (name, value) in &self.params {
                params.json(name, value);
            }
            params.end()
        });
        sent.await
    }
}

/// What Toolwire calls itself.
pub(super) fn client_info() -> String {
    ObjectWriter::new()
        .text("name", "toolwire")
        .text("title", "Toolwire")
        .text("version", env!("CARGO_PKG_VERSION"))
        .end()
}

/// What it declares.
pub(super) fn capabilities(tasks: bool) -> String {
    let mut all = ObjectWriter::new();
    all.json("elicitation", r#"{"form":{},"url":{}}"#);
    if tasks {
        all.json("extensions", r#"{"io.modelcontextprotocol/tasks":{}}"#);
    }
    all.end()
}
