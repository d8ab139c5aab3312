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
mod base;
mod bridge;
mod protocol;

pub use base::canonical::{canonicalize, digest, digest_bytes};
pub use base::diagnostic::{Code, Diagnostic, Error, Severity};
pub use base::escape::{EscapeKind, EscapeSequence, read_escape};
pub use base::json::{Json, Limits, MAX_BYTES, MAX_DEPTH};
pub use base::nearest::nearest;
pub use base::uri::{WebUrl, file_uri, normalize_uri};
pub use base::{UnknownWord, json, schema};
pub use bridge::explain::{ExplainOptions, Explanation, Locator, Position, explain};
pub use bridge::{author, legacy, lines, mcp, provider};
pub use protocol::call::arguments::parse_arguments;
pub use protocol::envelope::{Block, Envelope, EnvelopeMeta, ErrorMeta, block};
pub use protocol::format::hidden::{is_hidden, is_mark, looks_like};
pub use protocol::format::{
    FormatOptions, MIN_BUDGET, Style, Target, format, mime, terminal_safe, terminal_safe_json,
};
pub use protocol::identity::{IdentifyOptions, Identity, Known, Receipt, identify};
pub use protocol::read::{
    BlockKind, BlockView, Exit, Line, Output, Parsed, QuestionView, Role, Status, Summary, Verdict,
    all_threads, headline, in_order, map_lines, parse, parse_all_lines, parse_lines, receive,
    summarize, summarize_on, validate,
};
pub use protocol::{build, call, event, question, session};

/// For [`closed_words!`] in crates that have no serde of their own.
#[doc(hidden)]
pub use serde as __serde;

/// The examples of the crate's page are tested like those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
