//! Programs that stay, and get their calls and answer them line by line (chapter 22).

mod job;
mod options;
mod pool;
mod program;
mod reader;
mod stamp;
mod warm;
mod worker;

pub use options::WorkerOptions;
pub(crate) use program::{Ended, HANDSHAKE, Hello, LineProgram, Spoke, line};
pub(crate) use reader::LineFault;
use reader::LineReader;
pub use warm::{LineWorkers, WarmProcess};
