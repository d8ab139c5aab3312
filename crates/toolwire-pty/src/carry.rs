//! Programs that a keeper of handles starts.

use std::sync::Arc;

use toolwire_host::SessionTransport;
use toolwire_host::handles::{How, Spawn};

use crate::{PipeSession, PtyOptions, PtySession};

/// The way to a program in a pseudo-terminal or on pipes, as it is to be spawned: the `Carrier` of
/// [`LocalHandles`](toolwire_host::handles::LocalHandles).
///
/// ```
/// use toolwire_host::SessionsOptions;
/// use toolwire_host::handles::LocalHandles;
///
/// let handles = LocalHandles::new(SessionsOptions::default(), Some(toolwire_pty::carry));
/// assert_eq!(handles.needed(), 0);
/// ```
#[must_use]
pub fn carry(spawn: &Spawn) -> Arc<dyn SessionTransport> {
    let (command, process) = (spawn.command(), spawn.process());
    if spawn.how != How::Pty {
        return Arc::new(PipeSession::new(command, process));
    }
    let mut options = PtyOptions::default();
    if let Some((columns, rows)) = spawn.size {
        (options.columns, options.rows) = (columns, rows);
    }
    if let Some(term) = &spawn.term {
        options.term.clone_from(term);
    }
    options.process = process;
    Arc::new(PtySession::new(command, options))
}
