//! Strict JSON: one pass over the bytes that judges I-JSON (RFC 7493) and records where each value
//! stands, then views that decode only what is asked for.

mod document;
mod escape;
mod frame;
pub(crate) mod limits;
mod names;
mod node;
mod number;
pub(crate) mod option;
mod plain;
mod scan;
mod specials;
pub(crate) mod strict;
mod string;
mod tape;
mod value;

pub(crate) use document::Document;
pub use limits::{Limits, MAX_BYTES, MAX_DEPTH};
pub use node::{Elements, Kind, Members, Node};
pub use value::Json;

pub(crate) use document::preamble;
pub(crate) use number::canonical_number;
pub(crate) use scan::{Extent, Fault};
pub(crate) use string::{brief, decode, inside, write_string};
pub(crate) use tape::{Entry, Tape};
pub(crate) use value::{read_text, serialize_text};
