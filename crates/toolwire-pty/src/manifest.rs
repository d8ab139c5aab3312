//! Tools of a manifest.

use std::sync::Arc;

use toolwire_host::manifest::{ManifestTool, SessionKind};
use toolwire_host::{ProcessOptions, SessionTransport};

use crate::{PipeSession, PtyOptions, PtySession};

/// The way to a tool whose manifest says `session = "pty"` or `session = "pipe"`; nothing for any other.
/// The options are how its program is run, as [`ManifestTool::process_options`] gives them.
///
/// ```
/// use std::sync::Arc;
/// use toolwire_host::manifest::Manifest;
/// use toolwire_host::{SessionTool, Sessions, SessionsOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("toolwire.toml");
/// # std::fs::write(&path, "[tools.shell]\ncommand = 'bash'\nsession = 'pty'\n")?;
/// let manifest = Manifest::read(&path)?;
/// let shell = manifest.tool("shell")?;
/// let mut description = shell.contract().expect("all is known");
/// shell.describe(&mut description);
/// let transport = toolwire_pty::transport(shell, shell.process_options()).expect("a session");
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// let sessions = Sessions::new(SessionsOptions::default());
/// sessions.add(SessionTool::new(description, transport));
/// # });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn transport(
    tool: &ManifestTool,
    process: ProcessOptions,
) -> Option<Arc<dyn SessionTransport>> {
    let tool = tool.clone();
    match tool.session? {
        SessionKind::Pty => {
            let mut options = PtyOptions::default();
            if let Some((columns, rows)) = tool.size {
                (options.columns, options.rows) = (columns, rows);
            }
            if let Some(term) = tool.env.get("TERM") {
                options.term.clone_from(term);
            }
            options.process = process;
            Some(Arc::new(PtySession::of_tool(tool, options)))
        }
        SessionKind::Pipe => Some(Arc::new(PipeSession::of_tool(tool, process))),
        _ => None,
    }
}
