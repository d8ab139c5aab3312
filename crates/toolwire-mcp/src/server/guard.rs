//! Whether tools are as somebody has locked them, asked before they are served.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use toolwire::call::ToolDescription;
use toolwire_host::Command;
use toolwire_host::manifest::ManifestTool;

/// Whose tools are about to be served.
///
/// ```
/// use toolwire_host::Command;
/// use toolwire_mcp::server::Guarded;
///
/// let command = Command::new("./search.py");
/// assert!(matches!(Guarded::Program(&command), Guarded::Program(_)));
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Guarded<'a> {
    /// A program that describes itself.
    Program(&'a Command),
    /// A tool of a manifest.
    Manifest(&'a ManifestTool),
}

/// Why tools are not served, by the names that their program knows them by.
pub type Refused = BTreeMap<String, String>;

type Check = dyn Fn(Guarded<'_>, &[ToolDescription]) -> Result<Refused, String> + Send + Sync;

/// Says which tools are not to be served, whenever they are read: those that have changed since somebody looked at
/// them.
///
/// ```
/// use std::collections::BTreeMap;
/// use toolwire_mcp::server::Guard;
///
/// let none = Guard::new(|_, tools| {
///     Ok(tools.iter().map(|tool| (tool.name.clone(), "nobody has looked at it".to_owned())).collect())
/// });
/// # let _ = none;
/// ```
#[derive(Clone)]
pub struct Guard {
    check: Arc<Check>,
    /// A file by which it decides: when it changes, the tools are looked at again.
    pub file: Option<PathBuf>,
    /// Whether tools that can't be looked at again are not served any longer, instead of staying as they were.
    pub strict: bool,
}

impl Guard {
    /// A guard that calls this function with what a program or a tool of a manifest says of itself. An error is that
    /// of the whole list.
    ///
    /// ```
    /// let all = toolwire_mcp::server::Guard::new(|_, _| Ok(Default::default()));
    /// assert!(!all.strict);
    /// ```
    #[must_use]
    pub fn new(
        check: impl Fn(Guarded<'_>, &[ToolDescription]) -> Result<Refused, String>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Guard {
            check: Arc::new(check),
            file: None,
            strict: false,
        }
    }

    pub(super) fn refused(
        &self,
        whose: Guarded<'_>,
        tools: &[ToolDescription],
    ) -> Result<Refused, String> {
        (self.check)(whose, tools)
    }
}

impl fmt::Debug for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard")
            .field("file", &self.file)
            .field("strict", &self.strict)
            .finish_non_exhaustive()
    }
}
