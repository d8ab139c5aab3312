//! Whether calls of a tool become tasks, and what happens to one that has changed.

use std::fmt;
use std::str::FromStr;

use crate::{UnknownWord, words};

/// Whether a call becomes a task, for MCP clients that know tasks.
///
/// ```
/// use toolwire_host::manifest::TaskPolicy;
///
/// assert_eq!("required".parse(), Ok(TaskPolicy::Required));
/// let error = "often".parse::<TaskPolicy>().unwrap_err();
/// assert_eq!(error.to_string(), "must be `never`, `auto` or `required`, not `often`");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum TaskPolicy {
    /// It never does: the client waits for the result.
    Never,
    /// It does if it takes long.
    #[default]
    Auto,
    /// It always does, so that clients without tasks can't call the tool.
    Required,
}

impl TaskPolicy {
    /// All values.
    pub const ALL: [TaskPolicy; 3] = [TaskPolicy::Never, TaskPolicy::Auto, TaskPolicy::Required];

    /// The word in a manifest: `never`, `auto` or `required`.
    ///
    /// ```
    /// assert_eq!(toolwire_host::manifest::TaskPolicy::Auto.as_str(), "auto");
    /// ```
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            TaskPolicy::Never => "never",
            TaskPolicy::Auto => "auto",
            TaskPolicy::Required => "required",
        }
    }
}

impl fmt::Display for TaskPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for TaskPolicy {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        words::find(&TaskPolicy::ALL, TaskPolicy::as_str, word)
    }
}

/// What happens to a tool that is not as the lock says.
///
/// ```
/// use toolwire_host::manifest::LockPolicy;
///
/// assert_eq!("refuse".parse(), Ok(LockPolicy::Refuse));
/// let error = "error".parse::<LockPolicy>().unwrap_err();
/// assert_eq!(error.to_string(), "must be `ignore`, `warn` or `refuse`, not `error`");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum LockPolicy {
    /// The lock is not read.
    Ignore,
    /// It is used, and what has changed is said.
    #[default]
    Warn,
    /// It is not used, nor is one that is not locked.
    Refuse,
}

impl LockPolicy {
    /// All values.
    pub const ALL: [LockPolicy; 3] = [LockPolicy::Ignore, LockPolicy::Warn, LockPolicy::Refuse];

    /// The word in a manifest: `ignore`, `warn` or `refuse`.
    ///
    /// ```
    /// assert_eq!(toolwire_host::manifest::LockPolicy::Warn.as_str(), "warn");
    /// ```
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            LockPolicy::Ignore => "ignore",
            LockPolicy::Warn => "warn",
            LockPolicy::Refuse => "refuse",
        }
    }
}

impl fmt::Display for LockPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for LockPolicy {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        words::find(&LockPolicy::ALL, LockPolicy::as_str, word)
    }
}
