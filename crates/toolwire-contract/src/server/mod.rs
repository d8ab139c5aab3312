//! How an MCP server is reached, in the words of those who start it: the clients that are known, the strings of
//! their entries with variables, and the neutral form that every way to name a server maps onto (chapter 31).

mod carry;
mod client;
mod credential;
mod entry;
mod secret;
mod spelled;
mod text;

pub use client::{Client, Syntax, Variables};
pub(crate) use client::{OldTransport, Row};
pub use credential::without_credentials;
pub(crate) use credential::without_user;
pub use entry::{Entry, Header, Server};
pub use spelled::{MEMBERS, Spelled, SpelledServer};
pub use text::{Part, Text};

pub(crate) use secret::variable_name;

#[cfg(test)]
mod tests;
