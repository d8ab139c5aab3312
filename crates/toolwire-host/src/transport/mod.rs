//! How a call reaches a tool and how its answer comes back.

pub(crate) mod control;
pub(crate) mod in_process;
pub(crate) mod lines;
pub mod process;
pub(crate) mod stopped;

use std::future::Future;
use std::pin::Pin;

pub use control::Control;
pub use in_process::{InProcess, OpenCall};
pub use lines::{LineWorkers, WarmProcess, WorkerOptions};

use crate::{HostError, Reply};

/// The way in which a call reaches a tool: a process that runs once, or anything else that answers one call
/// document with one envelope.
///
/// A transport does not handle questions and answers. It sends one document to the tool and brings
/// back one answer, each time it is asked to. What the tool writes meanwhile goes to the [`Control`], which
/// also says when to stop.
///
/// # Examples
///
/// ```
/// use std::{future::Future, pin::Pin};
/// use toolwire::{Json, Limits, call::Call, parse};
/// use toolwire_host::{CallOptions, Control, HostError, Nobody, Reply, Transport, block_on};
///
/// /// A tool inside of the host.
/// struct Clock;
///
/// impl Transport for Clock {
///     fn send<'a>(
///         &'a self,
///         _document: &'a str,
///         _control: &'a Control,
///     ) -> Pin<Box<dyn Future<Output = Result<Reply, HostError>> + Send + 'a>> {
///         Box::pin(async { Ok(Reply::new(parse(&b"12:00"[..], &Limits::default()))) })
///     }
/// }
///
/// let call = Call::new("now", Json::new("{}")?);
/// let outcome = block_on(toolwire_host::call(&Clock, call, &CallOptions::default(), &mut Nobody))?;
/// assert_eq!(outcome.parsed.raw(), b"12:00");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Transport: Send + Sync {
    /// Carries a call document to the tool and waits for its answer.
    ///
    /// It must end soon after [`Control::cancelled`] is done, with a reply whose
    /// [`stopped`](crate::RunReport::stopped) says why, and at once after [`Control::killed`] is done.
    ///
    /// # Errors
    ///
    /// Only what keeps the call from reaching the tool, or what the system does to the host itself.
    /// Whatever a tool does is a [`Reply`].
    fn send<'a>(
        &'a self,
        document: &'a str,
        control: &'a Control,
    ) -> Pin<Box<dyn Future<Output = Result<Reply, HostError>> + Send + 'a>>;

    /// Whether the tool gets the call document. One that does not can't be given an answer, so it is
    /// called once and its questions stay in its result.
    fn carries_calls(&self) -> bool {
        true
    }
}
