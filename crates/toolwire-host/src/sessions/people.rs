//! Who answers and approves, for handles that run side by side.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use tokio::sync::Mutex;
use toolwire::Json;
use toolwire::call::{Answer, AnswerSource, SessionAction};

use crate::{Answerer, PendingQuestion};

type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// An [`Answerer`] whose type is not known.
trait AnyAnswerer: Send {
    fn answer<'a>(&'a mut self, question: &'a PendingQuestion) -> Boxed<'a, Answer>;
}

impl<A: Answerer> AnyAnswerer for A {
    fn answer<'a>(&'a mut self, question: &'a PendingQuestion) -> Boxed<'a, Answer> {
        Box::pin(Answerer::answer(self, question))
    }
}

/// The one answerer of all handles: questions of several come to it one at a time.
///
/// ```
/// use toolwire_host::{Nobody, SessionAnswerer, SessionsOptions};
///
/// let options = SessionsOptions { answerer: Some(SessionAnswerer::new(Nobody)), ..SessionsOptions::default() };
/// # let _ = options;
/// ```
#[derive(Clone)]
pub struct SessionAnswerer(Arc<Mutex<dyn AnyAnswerer>>);

impl SessionAnswerer {
    /// Asks this answerer.
    pub fn new(answerer: impl Answerer + 'static) -> Self {
        SessionAnswerer(Arc::new(Mutex::new(answerer)))
    }

    pub(super) async fn answer(&self, question: &PendingQuestion) -> Answer {
        self.0.lock().await.answer(question).await
    }
}

impl Answerer for SessionAnswerer {
    async fn answer(&mut self, question: &PendingQuestion) -> Answer {
        SessionAnswerer::answer(self, question).await
    }
}

impl fmt::Debug for SessionAnswerer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionAnswerer")
    }
}

/// What somebody is asked to approve.
///
/// ```
/// use toolwire_host::{Approval, ApprovalRequest, SessionApprover};
///
/// let careful = SessionApprover::new(|request: ApprovalRequest| async move {
///     match request.tool.as_str() {
///         "git" => Approval::Granted,
///         _ => Approval::Declined(None),
///     }
/// });
/// # let _ = careful;
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ApprovalRequest {
    /// The tool.
    pub tool: String,
    /// The handle; none for a tool that runs once.
    pub id: Option<String>,
    /// What is to be done.
    pub action: SessionAction,
    /// Who wants it.
    pub by: AnswerSource,
    /// With what: the arguments of a spawn, or what is applied.
    pub arguments: Option<Json>,
}

impl ApprovalRequest {
    pub(super) fn new(tool: &str, action: SessionAction, by: AnswerSource) -> Self {
        ApprovalRequest {
            tool: tool.to_owned(),
            id: None,
            action,
            by,
            arguments: None,
        }
    }
}

/// What they say to it.
///
/// ```
/// use toolwire_host::Approval;
///
/// assert_ne!(Approval::Granted, Approval::Declined(Some("not on a Friday".into())));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Approval {
    /// It may be done.
    Granted,
    /// It may not be done, and why, for whoever wanted it.
    Declined(Option<String>),
}

type Approve = dyn Fn(ApprovalRequest) -> Boxed<'static, Approval> + Send + Sync;

/// Approves what a model wants to do, such as a person at a prompt.
#[derive(Clone)]
pub struct SessionApprover(Arc<Approve>);

impl SessionApprover {
    /// Asks this function, which may be called while it still waits.
    pub fn new<F>(approve: impl Fn(ApprovalRequest) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Approval> + Send + 'static,
    {
        SessionApprover(Arc::new(move |request| Box::pin(approve(request))))
    }

    pub(super) async fn approve(&self, request: ApprovalRequest) -> Approval {
        (self.0)(request).await
    }
}

impl fmt::Debug for SessionApprover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionApprover")
    }
}
