//! Run a tool as a process, get its questions answered, and read its result.
//!
//! A tool is any program. [`run`] starts it from an argument vector, never through a shell. It writes the
//! call document to the tool's stdin, reads its output in bounded memory, stops it after a time-out, and
//! always returns a [`toolwire::Parsed`]. When it returns, and also when its future is dropped, nothing of
//! the tool's process group is left. The ids in this documentation, such as PROC-7 and Q-28, are rules of
//! `spec/12-processes.md` and `spec/11-questions.md`.
//!
//! [`call()`] runs the tool again each time that it asks: an [`Answerer`] gives the answers, and an
//! [`Exchange`] implements the rules of the loop. [`check_value`] validates a value against a JSON Schema.
//!
//! ```
//! use toolwire_host::{ProcessOptions, Command};
//!
//! # if cfg!(windows) { return Ok(()); }
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
//! # runtime.block_on(async {
//! let outcome = toolwire_host::run(&Command::new("echo").arg("$HOME; it's"), &ProcessOptions::default()).await?;
//! let text = outcome.parsed.blocks().next().and_then(|block| block.text()).unwrap();
//! assert_eq!(text, "$HOME; it's\n"); // verbatim: there is no shell
//! # Ok::<(), toolwire_host::HostError>(())
//! # })?;
//! # Ok::<(), toolwire_host::HostError>(())
//! ```

#![forbid(unsafe_code)]

mod answerer;
mod assistant;
mod call;
pub mod clients;
mod conversation;
mod descriptors;
mod error;
mod exchange;
pub mod handles;
mod kept;
mod later;
pub mod manifest;
mod reply;
mod runtime;
mod selection;
mod sessions;
pub mod store;
mod transport;
mod units;

pub use answerer::{Answerer, Nobody};
pub use assistant::Assistant;
pub use call::{ToolList, block_on, call, call_until, list_tools};
pub use conversation::{
    CallOptions, CallOutcome, Conversation, Conversations, Driver, Event, MAX_WAITING_MESSAGES,
    MAX_WAITING_STDERR,
};
pub use descriptors::raise_descriptor_limit;
pub use error::{HostError, HostErrorKind};
pub use exchange::{
    Alternatives, End, Exchange, ExchangeOptions, ExchangeOutcome, PendingQuestion,
    QuestionContext, Settled, Standing, Step, Suspended, Unanswered, Who,
};
pub use kept::{KEPT_TOOL, KeptOptions, KeptResults, Sent};
pub use reply::{Reply, RunReport, StopReason, check_arguments, output_mismatches};
pub use runtime::build_runtime;
pub use selection::Selection;
pub use sessions::{
    Announcement, Approval, ApprovalRequest, Attached, FetchOptions, Fetched, LineSession, OneShot,
    OpenQuestion, ResultParts, Running, Screen, ScreenText, ScreenView, SessionAnswerer,
    SessionApprover, SessionEnd, SessionInfo, SessionNotice, SessionObserver, SessionRules,
    SessionStart, SessionTool, SessionTransport, Sessions, SessionsOptions, SpawnOptions,
    ToolRequest, ToolRequestReceiver, ToolRequestSender, ToolUpdate, TurnEnd, Typed, WaitFor,
};
pub use toolwire_schema::{
    Allowance, Budget, CheckError, Mismatch, check_answer, check_answer_within, check_foreign,
    check_question, check_question_within, check_value, check_value_within,
};
pub use transport::process::{
    CallMode, Child, Command, Environment, EventLimits, EventObserver, Observer, Process,
    ProcessOptions, Said, Terminal, after_fork, is_marked, run, run_until, suspended,
};
pub use transport::{
    Control, InProcess, LineWorkers, OpenCall, Transport, WarmProcess, WorkerOptions,
};
pub use units::{parse_size, parse_time};

/// The examples of the crate's page are tested like those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
