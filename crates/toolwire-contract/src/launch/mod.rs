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

mod command;
mod facts;
mod format;
mod model;
mod package;
mod parse;
mod path;
mod query;
mod recognize;
mod refusal;
mod word;

pub use format::format_launch_uri;
pub use model::{Argument, Launch, Launcher, Listing, ProfileWord, Request};
pub use parse::{MAX_BYTES, parse_launch_uri};
pub use recognize::version_probe;
pub use word::{format_profile_word, parse_profile_word};

#[cfg(test)]
mod tests;
