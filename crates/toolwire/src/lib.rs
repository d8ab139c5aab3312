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

#[macro_use]
mod words;

pub mod author;
pub mod build;
pub mod call;
mod canonical;
mod diagnostic;
mod envelope;
mod escape;
pub mod event;
mod explain;
mod format;
mod identity;
pub mod json;
pub mod legacy;
pub mod lines;
pub mod mcp;
mod nearest;
pub mod question;
mod read;
pub mod schema;
pub mod session;
mod uri;

pub use call::arguments::parse_arguments;
pub use canonical::{canonicalize, digest, digest_bytes};
pub use diagnostic::{Code, Diagnostic, Error, Severity};
pub use envelope::{Block, Envelope, EnvelopeMeta, ErrorMeta, block};
pub use escape::{EscapeKind, EscapeSequence, read_escape};
pub use explain::{ExplainOptions, Explanation, Locator, Position, explain};
pub use format::hidden::{is_hidden, is_mark, looks_like};
pub use format::{
    FormatOptions, MIN_BUDGET, Style, Target, format, mime, terminal_safe, terminal_safe_json,
};
pub use identity::{IdentifyOptions, Identity, Known, Receipt, identify};
pub use json::{Json, Limits, MAX_BYTES, MAX_DEPTH};
pub use nearest::nearest;
pub use read::{
    BlockKind, BlockView, Exit, Line, Output, Parsed, QuestionView, Role, Status, Summary, Verdict,
    all_threads, headline, in_order, map_lines, parse, parse_all_lines, parse_lines, receive,
    summarize, summarize_on, validate,
};
pub use uri::{WebUrl, file_uri, normalize_uri};
pub use words::UnknownWord;

/// For [`closed_words!`] in crates that have no serde of their own.
#[doc(hidden)]
pub use serde as __serde;

/// The examples of the crate's page are tested like those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
