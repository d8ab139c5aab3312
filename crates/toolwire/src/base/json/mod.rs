//! Strict JSON: one pass over the bytes that judges I-JSON (RFC 7493) and records where each value
//! stands, then views that decode only what is asked for.

mod document;
mod entry;
mod escape;
mod fault;
mod finite;
mod frame;
pub(crate) mod limits;
mod names;
mod node;
mod number;
mod place;
mod plain;
pub mod pointer;
mod scan;
mod specials;
mod string;
mod tape;
mod value;
mod write;

pub use document::Document;
pub use limits::{Limits, MAX_BYTES, MAX_DEPTH};
pub use node::{Elements, Kind, Members, Node};
pub use place::Place;

pub use value::Json;
pub use write::{ObjectWriter, array, string};

pub(crate) use document::preamble;
pub(crate) use entry::Entry;
pub(crate) use fault::Fault;
pub(crate) use number::{canonical_number, exact_number, is_whole, type_of};
pub(crate) use scan::ScanMode;
pub use string::brief;
pub(crate) use string::{decode, inside, write_string};
pub(crate) use tape::Tape;
pub(crate) use value::{serialize_text, to_text};
