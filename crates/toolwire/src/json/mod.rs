//! Strict JSON: one pass over the bytes that judges I-JSON (RFC 7493) and records where each value
//! stands, then views that decode only what is asked for.

mod document;
pub(crate) mod limits;
mod node;
mod number;
pub(crate) mod option;
mod scan;
pub(crate) mod strict;
mod string;
mod tape;
mod value;

pub(crate) use document::Document;
pub use limits::{Limits, MAX_BYTES, MAX_DEPTH};
pub use node::{Elements, Kind, Members, Node};
pub use value::Json;

pub(crate) use document::preamble;
pub(crate) use number::{canonical_number, exact_number, is_whole};
pub(crate) use scan::Fault;
pub(crate) use string::{brief, decode, inside, write_string};
pub(crate) use tape::Entry;
pub(crate) use value::{read_text, serialize_text};
