//! Why a tool's function ended without a value.

use std::error::Error;
use std::fmt;

use toolwire::author::{Failure, Link};

/// Why a tool's function ended without a value: a question waits for its answer, or it failed.
///
/// Every error becomes one through `?`, with its causes; it is no error itself, as otherwise it could
/// not be made of every other.
///
/// ```
/// use toolwire_author::Stop;
///
/// fn read() -> Result<String, Stop> {
///     Ok(std::fs::read_to_string("/no/such/file")?)
/// }
/// assert!(read().is_err());
///
/// fn always() -> Result<(), Stop> {
///     Err(Stop::failed("the printer is on fire"))
/// }
/// assert!(always().is_err());
/// ```
pub struct Stop(pub(crate) Why);

pub(crate) enum Why {
    /// The turn holds the question.
    Asked,
    Failed(Failure),
}

impl Stop {
    pub(crate) const ASKED: Stop = Stop(Why::Asked);

    /// A failure that no other error caused. The message is for a person and a model.
    ///
    /// ```
    /// let stop = toolwire_author::Stop::failed("the printer is on fire");
    /// ```
    #[must_use]
    pub fn failed(message: impl Into<String>) -> Self {
        Stop(Why::Failed(Failure::new(message)))
    }

    /// A failure of which only a reference to the error is there, such as that in an `anyhow::Error`.
    ///
    /// ```
    /// use toolwire_author::Stop;
    ///
    /// fn work() -> Result<(), Box<dyn std::error::Error>> {
    ///     Err("no luck".into())
    /// }
    /// let stopped: Result<(), Stop> = work().map_err(|error| Stop::caused_by(error.as_ref()));
    /// assert!(stopped.is_err());
    /// ```
    #[must_use]
    pub fn caused_by(error: &(dyn Error + 'static)) -> Self {
        let mut links = Vec::new();
        let mut next = Some(error);
        // The core looks at 100 errors; a chain that leads back to itself must end.
        while let Some(error) = next.filter(|_| links.len() < 100) {
            links.push(Link {
                message: error.to_string(),
                names: names(error),
            });
            next = error.source();
        }
        Stop(Why::Failed(Failure::from_chain(&links)))
    }

    /// Says whether the same call may succeed later (AUTH-33). Errors of the system that are known to
    /// pass need not be marked. A question is not changed by it.
    ///
    /// ```
    /// let stop = toolwire_author::Stop::failed("the server is busy").transient(true);
    /// ```
    #[must_use]
    pub fn transient(mut self, transient: bool) -> Self {
        if let Why::Failed(failure) = &mut self.0 {
            failure.transient = transient;
        }
        self
    }
}

/// The kind of an error of the system: that is all that can be known of an error here.
fn names(error: &(dyn Error + 'static)) -> Vec<String> {
    let system = error.downcast_ref::<std::io::Error>();
    // The empty name is that of its type, which no message needs.
    let kind = |error: &std::io::Error| vec![String::new(), format!("{:?}", error.kind())];
    system.map(kind).unwrap_or_default()
}

impl<E: Error + 'static> From<E> for Stop {
    fn from(error: E) -> Self {
        Stop::caused_by(&error)
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Why::Asked => f.write_str("a question waits for its answer"),
            Why::Failed(failure) => f.write_str(&failure.message),
        }
    }
}
