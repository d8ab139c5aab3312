//! Whether calls of a tool become tasks, and what happens to one that has changed.

use toolwire::closed_words;

/// Whether a call becomes a task, for MCP clients that know tasks.
///
/// ```
/// use toolwire_host::manifest::TaskPolicy;
///
/// assert_eq!("required".parse(), Ok(TaskPolicy::Required));
/// let error = "often".parse::<TaskPolicy>().unwrap_err();
/// assert_eq!(error.to_string(), "`often` is not a task policy: use `never`, `auto` or `required`");
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

closed_words!(TaskPolicy, "a task policy", {
    Never => "never",
    Auto => "auto",
    Required => "required",
});

/// What happens to a tool that is not as the lock says.
///
/// ```
/// use toolwire_host::manifest::LockPolicy;
///
/// assert_eq!("refuse".parse(), Ok(LockPolicy::Refuse));
/// let error = "error".parse::<LockPolicy>().unwrap_err();
/// assert_eq!(error.to_string(), "`error` is not a lock policy: use `ignore`, `warn` or `refuse`");
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

closed_words!(LockPolicy, "a lock policy", {
    Ignore => "ignore",
    Warn => "warn",
    Refuse => "refuse",
});
