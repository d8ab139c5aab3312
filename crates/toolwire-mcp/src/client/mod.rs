//! Calls the tools of an MCP server: another [`Transport`](toolwire_host::Transport).
//!
//! A [`Client`] is a connection to a server: it lists the tools, and each call of one is a [`ToolCall`], which is
//! driven like that of any other tool, so that its questions are answered by the same rules.
//! `docs/reference/calling-servers.md` describes how it behaves.
//!
//! ```no_run
//! use toolwire::{Json, call::Call};
//! use toolwire_host::{CallOptions, Command, Nobody, ProcessOptions, call};
//! use toolwire_mcp::client::{Client, ClientOptions, Server};
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let command = Command::new("npx").args(["-y", "@modelcontextprotocol/server-everything"]);
//! let server = Server::program(command, ProcessOptions::default());
//! let client = Client::connect("everything", &server, &ClientOptions::default()).await?;
//! for tool in client.tools().await? {
//!     println!("{}", tool.name);
//! }
//! let sum = Call::new("get-sum", Json::new(r#"{"a":1,"b":2}"#)?);
//! let outcome = call(&client.call(), sum, &CallOptions::default(), &mut Nobody).await?;
//! println!("{}", toolwire::format(&outcome.parsed, &toolwire::FormatOptions::default())?);
//! client.close().await;
//! # Ok(())
//! # }
//! ```

mod call;
mod changes;
mod connect;
mod error;
mod events;
mod handshake;
mod http;
mod inputs;
mod listed;
mod lists;
mod notices;
mod offers;
mod options;
mod replies;
mod request;
mod router;
mod running;
mod shared;
mod stderr;
mod tasks;
mod tools;
mod turns;

pub use call::ToolCall;
pub(crate) use changes::Watched;
pub use connect::Client;
pub use error::{ClientError, ClientErrorKind};
pub use listed::ListedTool;
pub(crate) use offers::NotPassed;
pub use offers::Offer;
pub use options::{ClientOptions, Header, Server};
pub(crate) use router::{Change, OnChange};
pub use tasks::TaskWatcher;
