//! Whether calls of a tool become tasks (TASK-2).

use std::fmt;
use std::str::FromStr;

use crate::{UnknownWord, words};

/// Whether a call becomes a task, for MCP clients that know tasks (TASK-2).
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
