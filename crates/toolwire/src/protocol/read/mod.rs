//! Reading what a tool says back: an envelope, or raw text and why (chapter 2, the READ rules).

pub(crate) mod base64;
mod batch;
mod block;
mod envelope;
mod finding;
mod parallel;
mod parse;
mod parsed;
mod reading;
mod receive;
mod report;
mod stderr;
mod view;

pub use batch::{Line, Summary, map_lines, parse_all_lines, parse_lines, summarize, summarize_on};
pub use parallel::{all_threads, in_order};
pub use parse::{Status, Verdict, parse, validate};
pub use parsed::Parsed;
pub use receive::{Exit, Output, receive};
pub use stderr::headline;
pub use view::{BlockKind, BlockView, QuestionView, Role};

pub(crate) use block::{is_priority, is_role, is_size, is_timestamp};
pub(crate) use envelope::{Shape, read_shape};
pub(crate) use finding::{Finding, Findings, IGNORED};
pub(crate) use reading::{Reading, own_document, raw_document, read};

/// The kind of a block that stands by itself; absent where a reader skips it.
pub(crate) fn kind_of(block: crate::base::json::Node<'_>) -> Option<BlockKind> {
    block::read_block(block, 0, &mut Findings::new(0))
}

/// A block that is delivered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Delivered {
    /// Its place in `content`.
    pub index: u32,
    /// Its place on the tape.
    pub node: u32,
    pub kind: BlockKind,
}

/// What was read of an envelope beside its blocks. Places are places on the tape.
#[derive(Debug, Clone, Default)]
pub(crate) struct Members {
    pub structured_content: Option<u32>,
    pub is_error: bool,
    pub status: Option<Status>,
    pub meta: Option<u32>,
    pub transient: bool,
    /// The array of a trace that was well-formed.
    pub trace: Option<u32>,
}
