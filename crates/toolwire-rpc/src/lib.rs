//! A JSON-RPC peer: messages as text with the places of their members, requests in both directions, bounded
//! queues, and the reason why a connection closed.
//!
//! Nothing is spawned here: [`peer`] gives a handle and a future that its caller runs.

#![forbid(unsafe_code)]

mod connection;
mod driver;
mod lines;
mod message;
mod peer;
mod state;

pub use connection::{Came, Closed, Connection, Outgoing, Sink, Source};
pub use driver::peer;
pub use lines::{LineSink, LineSource, lines, strict_lines};
pub use message::{Answer, Damage, Id, Kind, Message, Part, RpcError};
pub use peer::{Arrived, Ask, Caller, Event, Hook, Incoming, Options, Peer, Pending};
pub use state::{Bound, Failure, Places};
