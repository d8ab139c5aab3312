//! Tools that keep running: the state machine of a handle, the delivery of its blocks, and a model's call
//! (chapter 21, the SES rules).
//!
//! Nothing here runs a tool, waits or reads a clock. A host tells what happens as events, and carries out the
//! effects that come back.

mod buffer;
mod command;
mod event;
mod input;
mod key;
mod machine;
mod members;
mod outcome;
mod pending;
mod reply;
mod schema;

pub use command::{SessionCommand, SessionView, read_command};
pub(crate) use event::blocks_at;
pub use event::{Applied, SessionEvent, Timer, TurnPolicy};
pub use input::{TerminalInput, TerminalModes, is_interrupt};
pub use key::Key;
pub use machine::{SessionMachine, SessionMachineOptions};
pub use outcome::{Checker, Effect, EndReason, NoQuestions, Refusal, SessionOutcome, SessionState};
pub use schema::{ActionStyle, action_schema};
