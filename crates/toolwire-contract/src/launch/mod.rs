//! Launch URIs, which name a server and how it is started in one line (chapter 29).
//!
//! ```
//! use toolwire_contract::launch::{Request, parse_launch_uri};
//!
//! let launch = parse_launch_uri("mcp+uvx://biomcp-python/biomcp?command=run&tool=search&gene=BRAF")?;
//! assert_eq!(
//!     launch.command().unwrap(),
//!     ["uvx", "--from", "biomcp-python", "biomcp", "run"]
//! );
//! let Some(Request::Tool { name, .. }) = &launch.request else { panic!() };
//! assert_eq!(name, "search");
//! # Ok::<(), toolwire::Error>(())
//! ```
//!
//! Reading a launch URI starts nothing and looks nothing up.

mod asking;
mod command;
mod facts;
mod format;
mod json;
mod package;
mod parse;
mod path;
mod percent;
mod query;
mod refusal;
mod server;
mod usual;
mod word;

pub use asking::asking;
pub(crate) use facts::origin;
pub use facts::{LaunchFacts, Version};
pub use format::format_launch_uri;
pub use parse::{MAX_BYTES, parse_launch_uri};
pub use server::{
    Argument, Image, Launch, Launcher, Listing, Package, Program, Remote, Request, Server,
};
pub use word::{ProfileWord, format_profile_word, parse_profile_word};

#[cfg(test)]
mod tests;
