//! Read, check, canonicalize, identify and format what a tool says back.
//!
//! A tool answers with an *envelope* of typed blocks: text, resources, questions, errors. This crate
//! is the one core of Toolwire: no I/O, no async, no printing. The rules that its documentation
//! names, such as READ-12, are those of the specification in `spec/`.
//!
//! ```
//! use toolwire::{Limits, parse};
//!
//! let parsed = parse(&br#"{"content":[{"type":"text","text":"ok"}]}"#[..], &Limits::default());
//! assert!(!parsed.is_raw());
//! ```

#![forbid(unsafe_code)]

mod arguments;
pub mod author;
mod base64;
mod batch;
pub mod block;
pub mod build;
pub mod call;
mod canonical;
mod diagnostic;
mod envelope;
mod error;
mod explain;
mod format;
mod generated;
mod identity;
pub mod json;
mod limits;
pub mod mime;
mod option;
mod parse;
mod parsed;
pub mod question;
mod read;
mod reading;
mod receive;
pub mod schema;
mod strict;
mod typed;
mod uri;
mod view;

pub use arguments::parse_arguments;
pub use batch::{Line, Summary, parse_lines, summarize};
pub use block::Block;
pub use canonical::{canonicalize, digest, digest_bytes};
pub use diagnostic::{Code, Diagnostic, Severity};
pub use envelope::{Envelope, EnvelopeMeta, ErrorMeta};
pub use error::Error;
pub use explain::{ExplainOptions, Locator, Position, explain, explain_json};
pub use format::{
    FormatOptions, MIN_BUDGET, Style, Target, format, terminal_safe, terminal_safe_json,
};
pub use generated::code::UnknownCode;
pub use identity::{IdentifyOptions, Identity, Known, Receipt, identify, identities_json};
pub use json::Json;
pub use limits::{Limits, MAX_BYTES, MAX_DEPTH};
pub use parse::{Status, Verdict, parse, validate};
pub use parsed::{Parsed, diagnostics_json};
pub use reading::Reading;
pub use receive::{Exit, Output, receive};
pub use uri::{file_uri, normalize_uri};
pub use view::{BlockKind, BlockView, QuestionView, Role};

/// The examples of the crate's page are tested like those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
