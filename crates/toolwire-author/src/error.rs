//! The errors with which a tool's function ends.

use std::error::Error as StdError;
use std::fmt;

use toolwire::author::{Failure, Link};

/// The error of a tool's function. `?` converts every error to it and keeps the causes.
///
/// It does not implement `std::error::Error`, because it could then not be converted from every error. A
/// function can also return an `anyhow::Error` or a `Box<dyn Error>`.
///
/// ```
/// use toolwire_author::Error;
///
/// fn read() -> Result<String, Error> {
///     Ok(std::fs::read_to_string("/no/such/file")?)
/// }
/// assert!(read().is_err());
///
/// fn always() -> Result<(), Error> {
///     Err(Error::new("the printer is on fire"))
/// }
/// assert!(always().is_err());
/// ```
pub struct Error(Failure);

impl Error {
    /// An expected failure without a cause. The message is for people and models.
    ///
    /// ```
    /// let error = toolwire_author::Error::new("the printer is on fire");
    /// ```
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Error(Failure::new(message))
    }

    /// Wraps an error that `?` does not convert, such as an `anyhow::Error`.
    ///
    /// ```
    /// use toolwire_author::Error;
    ///
    /// fn work() -> Result<(), Box<dyn std::error::Error>> {
    ///     Err("no luck".into())
    /// }
    /// let result: Result<(), Error> = work().map_err(Error::wrap);
    /// assert!(result.is_err());
    /// ```
    #[must_use]
    pub fn wrap<M>(error: impl IntoFailure<M>) -> Self {
        Error(error.into_failure())
    }

    /// Sets whether the same call may succeed later (AUTH-33). Errors of the operating system that usually pass
    /// do not need this.
    ///
    /// ```
    /// let error = toolwire_author::Error::new("the server is busy").transient(true);
    /// ```
    #[must_use]
    pub fn transient(mut self, transient: bool) -> Self {
        self.0.transient = transient;
        self
    }
}

impl<E: StdError + 'static> From<E> for Error {
    fn from(error: E) -> Self {
        Error(failure_of(&error))
    }
}

impl From<Error> for Box<dyn StdError> {
    fn from(error: Error) -> Self {
        Box::new(ToolError(error.0))
    }
}

impl From<Error> for Box<dyn StdError + Send + Sync> {
    fn from(error: Error) -> Self {
        Box::new(ToolError(error.0))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

/// An expected failure that is not a bug in the tool, such as a missing file or a busy server (AUTH-36).
/// Unlike [`Error`], it implements `std::error::Error`, for functions that return an `anyhow::Error`, a
/// `Box<dyn Error>` or an error type of their own.
///
/// ```
/// use toolwire_author::{Context, ToolError, arguments};
///
/// #[arguments]
/// struct Show {
///     branch: String,
/// }
///
/// fn show(args: Show, _: &Context) -> anyhow::Result<String> {
///     match args.branch.as_str() {
///         "main" => Ok("9736582".into()),
///         "busy" => Err(ToolError::new("the repository is locked").transient(true).into()),
///         other => Err(ToolError::new(format!("there is no branch `{other}`")).into()),
///     }
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolError(Failure);

impl ToolError {
    /// An expected failure with a message for people and models.
    ///
    /// ```
    /// let error = toolwire_author::ToolError::new("there is no branch `mian`");
    /// ```
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        ToolError(Failure::new(message))
    }

    /// Sets whether the same call may succeed later (AUTH-33).
    ///
    /// ```
    /// let error = toolwire_author::ToolError::new("the server is busy").transient(true);
    /// ```
    #[must_use]
    pub fn transient(mut self, transient: bool) -> Self {
        self.0.transient = transient;
        self
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl StdError for ToolError {}

/// The error of a [`Context`](crate::Context): a question is pending or the tool is to end, so that the function should
/// return; or an argument is wrong. Return it with `?`, like any other error.
///
/// ```
/// use toolwire_author::{Context, ContextError, boolean};
///
/// fn sure(ctx: &Context) -> Result<bool, ContextError> {
///     ctx.answer("sure", boolean("Remove them?"))
/// }
/// ```
#[derive(Debug)]
pub struct ContextError(Why);

/// What it says where the session is to end. By this it is known where it has become a failure.
pub(crate) const ENDING: &str = "the session is to end";

#[derive(Debug)]
enum Why {
    Pending,
    Ending,
    Failed(Failure),
}

impl ContextError {
    /// The turn holds the question.
    pub(crate) const PENDING: ContextError = ContextError(Why::Pending);

    /// The session is to end.
    pub(crate) const ENDING: ContextError = ContextError(Why::Ending);

    pub(crate) fn failed(message: impl Into<String>) -> Self {
        ContextError(Why::Failed(Failure::new(message)))
    }

    /// Whether a question is pending. Ignoring the error changes nothing: the question is asked all the same
    /// (AUTH-21).
    ///
    /// ```
    /// use toolwire_author::{Context, ContextError, boolean};
    ///
    /// fn tidy_up(ctx: &Context) -> Result<bool, ContextError> {
    ///     let sure = ctx.answer("sure", boolean("Remove them?"));
    ///     if sure.as_ref().is_err_and(ContextError::is_pending) {
    ///         eprintln!("waiting for an answer");
    ///     }
    ///     sure
    /// }
    /// ```
    #[must_use]
    pub fn is_pending(&self) -> bool {
        matches!(self.0, Why::Pending)
    }

    /// Whether the session is to end, so that nothing more comes. Clean up and return this error: it is no
    /// failure then.
    ///
    /// ```
    /// use toolwire_author::{Context, ContextError};
    ///
    /// fn serve(ctx: &Context) -> Result<(), ContextError> {
    ///     let stopped: Result<String, _> = ctx.recv();
    ///     if stopped.as_ref().is_err_and(ContextError::is_ending) {
    ///         eprintln!("closing the connections");
    ///     }
    ///     stopped.map(|_| ())
    /// }
    /// ```
    #[must_use]
    pub fn is_ending(&self) -> bool {
        matches!(self.0, Why::Ending)
    }
}

impl fmt::Display for ContextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Why::Pending => f.write_str("a question waits for its answer"),
            Why::Ending => f.write_str(ENDING),
            Why::Failed(failure) => f.write_str(&failure.message),
        }
    }
}

impl StdError for ContextError {}

impl From<toolwire::Error> for ContextError {
    fn from(error: toolwire::Error) -> Self {
        ContextError(Why::Failed(failure_of(&error)))
    }
}

impl From<Failure> for ContextError {
    fn from(failure: Failure) -> Self {
        ContextError(Why::Failed(failure))
    }
}

/// The failure that an error stands for, with its causes (AUTH-30). While a question is pending, the
/// turn takes no notice of it.
pub(crate) fn failure_of(error: &(dyn StdError + 'static)) -> Failure {
    let mut links = Vec::new();
    let mut transient = None;
    let mut next = Some(error);
    // The core looks at 100 errors; a chain that leads back to itself must end.
    while let Some(error) = next.filter(|_| links.len() < 100) {
        match told(error) {
            Some(failure) => {
                let texts = std::iter::once(&failure.message).chain(&failure.trace);
                links.extend(texts.map(|text| link(text.clone(), Vec::new())));
                transient = Some(failure.transient);
            }
            None => links.push(link(error.to_string(), names(error))),
        }
        next = error.source();
    }
    let mut failure = Failure::from_chain(&links);
    failure.transient = transient.unwrap_or(failure.transient);
    failure
}

/// What is known already of an error that is one of ours.
fn told<'a>(error: &'a (dyn StdError + 'static)) -> Option<&'a Failure> {
    if let Some(ToolError(failure)) = error.downcast_ref() {
        return Some(failure);
    }
    match error.downcast_ref() {
        Some(ContextError(Why::Failed(failure))) => Some(failure),
        _ => None,
    }
}

fn link(message: String, names: Vec<String>) -> Link {
    Link { message, names }
}

/// The kind of an error of the system: that is all that can be known of an error here.
fn names(error: &(dyn StdError + 'static)) -> Vec<String> {
    let system = error.downcast_ref::<std::io::Error>();
    // The empty name is that of its type, which no message needs.
    let kind = |error: &std::io::Error| vec![String::new(), format!("{:?}", error.kind())];
    system.map(kind).unwrap_or_default()
}

/// The types that a tool's function can return as an error: an [`Error`], any error, an `anyhow::Error`, a
/// `Box<dyn Error>` of either kind, or a text. The compiler infers `M`.
pub trait IntoFailure<M> {
    /// Converts it to the form from which the answer is made.
    fn into_failure(self) -> Failure;
}

/// How an error is looked at: the type tells which of the ways of [`IntoFailure`] is meant.
#[doc(hidden)]
pub struct Way<const N: u8>;

impl IntoFailure<Way<0>> for Error {
    fn into_failure(self) -> Failure {
        self.0
    }
}

impl<E: StdError + 'static> IntoFailure<Way<1>> for E {
    fn into_failure(self) -> Failure {
        failure_of(&self)
    }
}

/// `anyhow::Error` and `eyre::Report`, of which only this shows what they were made of; and boxes.
impl<E: AsRef<dyn StdError + Send + Sync>> IntoFailure<Way<2>> for E {
    fn into_failure(self) -> Failure {
        failure_of(self.as_ref())
    }
}

impl IntoFailure<Way<3>> for Box<dyn StdError> {
    fn into_failure(self) -> Failure {
        failure_of(self.as_ref())
    }
}

impl IntoFailure<Way<4>> for String {
    fn into_failure(self) -> Failure {
        Failure::new(self)
    }
}
