//! Programs that keep running and know nothing of sessions.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use toolwire::Json;
use toolwire::call::{SessionAction, ToolDescription};

use crate::{UnknownWord, words};

/// Says in a description that the tool has a screen (SES-62).
const SCREEN: &str = "dev.toolwire/screen";

/// How a program that knows nothing of sessions is driven as one.
///
/// ```
/// use toolwire_host::manifest::SessionKind;
///
/// assert_eq!("pty".parse(), Ok(SessionKind::Pty));
/// let error = "tty".parse::<SessionKind>().unwrap_err();
/// assert_eq!(error.to_string(), "must be `pty` or `pipe`, not `tty`");
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
    /// All values.
    pub const ALL: [SessionKind; 2] = [SessionKind::Pty, SessionKind::Pipe];

    /// The word in a manifest: `pty` or `pipe`.
    ///
    /// ```
    /// assert_eq!(toolwire_host::manifest::SessionKind::Pipe.as_str(), "pipe");
    /// ```
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            SessionKind::Pty => "pty",
            SessionKind::Pipe => "pipe",
        }
    }

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

impl fmt::Display for SessionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for SessionKind {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        words::find(&SessionKind::ALL, SessionKind::as_str, word)
    }
}
