//! Programs that keep running and know nothing of sessions.

use std::collections::BTreeSet;

use toolwire::Json;
use toolwire::call::{SessionAction, ToolDescription};
use toolwire::closed_words;

/// Says in a description that the tool has a screen (SES-62).
const SCREEN: &str = "dev.toolwire/screen";

/// How a program that knows nothing of sessions is driven as one.
///
/// ```
/// use toolwire_host::manifest::SessionKind;
///
/// assert_eq!("pty".parse(), Ok(SessionKind::Pty));
/// let error = "tty".parse::<SessionKind>().unwrap_err();
/// assert_eq!(error.to_string(), "`tty` is not a kind of session: use `pty` or `pipe`");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SessionKind {
    /// In a pseudo-terminal.
    Pty,
    /// On plain pipes.
    Pipe,
}

impl SessionKind {
    /// Says in the description of such a tool what it can: all actions, and whether it has a screen.
    ///
    /// ```
    /// use toolwire::{Json, call::ToolDescription};
    /// use toolwire_host::manifest::SessionKind;
    ///
    /// let mut shell = ToolDescription::new("shell", Json::new(r#"{"type":"object"}"#)?);
    /// SessionKind::Pty.describe(&mut shell);
    /// assert_eq!(shell.actions.len(), 4);
    /// assert!(shell.meta.contains_key("dev.toolwire/screen"));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn describe(self, tool: &mut ToolDescription) {
        tool.actions = BTreeSet::from([
            SessionAction::Spawn,
            SessionAction::Fetch,
            SessionAction::Apply,
            SessionAction::Abort,
        ]);
        if self == SessionKind::Pty {
            tool.meta.insert(SCREEN.to_owned(), Json::from(true));
        }
    }
}

closed_words!(SessionKind, "a kind of session", {
    Pty => "pty",
    Pipe => "pipe",
});
