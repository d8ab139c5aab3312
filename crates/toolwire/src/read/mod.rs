//! Reading an envelope out of a strict document (READ-20 to READ-35).

mod block;
mod envelope;
mod finding;

pub(crate) use block::{is_priority, is_role, is_size, is_timestamp};
pub(crate) use envelope::{Shape, read_shape};
pub(crate) use finding::{Finding, Findings, IGNORED};

use crate::{BlockKind, Status};

/// The kind of a block that stands by itself; absent where a reader skips it.
pub(crate) fn kind_of(block: crate::json::Node<'_>) -> Option<BlockKind> {
    block::read_block(block, 0, &mut Findings::default())
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
