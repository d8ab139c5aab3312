//! Programs that stay, and get their calls and answer them line by line (chapter 22).

mod program;
mod reader;

pub(crate) use program::{Ended, HANDSHAKE, Hello, LineParts, LineProgram, handshake};
pub(crate) use reader::LineReader;
