//! The lock file: what the tools of each source were when somebody looked at them (chapter 30).
//!
//! [`read_lock`] and [`write_lock`] are its two ways, [`check_lock`] says what has changed since, and
//! [`update_lock`] accepts that.

mod check;
mod launched;
mod observed;
mod read;
mod report;
mod write;

use std::collections::BTreeMap;

use toolwire::json::{Document, Kind, Node};
use toolwire::{Code, Error, Json, digest_bytes};

use crate::fingerprint::{Fingerprint, FingerprintOptions, fingerprint};

pub use crate::server::without_credentials;
pub use check::{CheckOptions, check_lock};
pub(crate) use launched::origin;
pub use launched::{LaunchChange, Launched};
pub use read::{ReadLock, read_lock};
pub use report::{LockReport, SourceReport, State, ToolReport};
pub use write::write_lock;

use observed::Observed;

/// The version of the format that is written, and the newest that is read (LOCK-2).
pub const LOCK_VERSION: u64 = 1;

/// What `toolwire.lock` says.
///
/// # Examples
///
/// ```
/// use toolwire::Json;
/// use toolwire_contract::lock::{Lock, read_lock, update_lock, write_lock};
///
/// let mut lock = Lock::default();
/// let seen = Json::new(r#"{
///     "launch": {"transport": "stdio", "launcher": "uvx", "package": "clock", "version": "1.0.0"},
///     "tools": [{"name": "now", "inputSchema": {"type": "object"}}]
/// }"#)?;
/// update_lock(&mut lock, "clock", &seen)?;
/// let text = write_lock(&lock)?;
/// assert_eq!(read_lock(&text)?.lock, lock);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lock {
    /// The sources by their names.
    pub sources: BTreeMap<String, LockedSource>,
    /// Members that this version does not know (LOCK-5).
    pub extra: BTreeMap<String, Json>,
}

/// What is locked of one source: a program or a server.
///
/// ```
/// use toolwire_contract::lock::LockedSource;
///
/// assert!(LockedSource::default().tools.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LockedSource {
    /// What it was started with.
    pub launch: Launched,
    /// What the server says about itself, for models to read.
    pub instructions: Option<String>,
    /// Its tools by their names.
    pub tools: BTreeMap<String, LockedTool>,
    /// Members that this version does not know.
    pub extra: BTreeMap<String, Json>,
}

/// What is locked of one tool.
///
/// ```
/// use toolwire::Json;
/// use toolwire_contract::lock::LockedSource;
///
/// let source = LockedSource::of(&Json::new(r#"{"tools": [{"name": "now", "inputSchema": {}}]}"#)?)?;
/// assert!(source.tools["now"].fingerprints.contract.starts_with("sha256:"));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockedTool {
    /// Its three fingerprints (chapter 27).
    pub fingerprints: Fingerprint,
    /// The tool as MCP's `tools/list` has it (LOCK-12).
    pub tool: Json,
    /// Members that this version does not know.
    pub extra: BTreeMap<String, Json>,
}

impl LockedSource {
    /// What is to be locked of a source as it is now (LOCK-10): an object with `launch`, `instructions` and
    /// `tools` as in [`check_lock`].
    ///
    /// # Errors
    ///
    /// As [`update_lock`].
    ///
    /// ```
    /// use toolwire::Json;
    /// use toolwire_contract::lock::LockedSource;
    ///
    /// let seen = Json::new(r#"{"tools": [{"name": "now", "inputSchema": {}}], "instructions": "Ask."}"#)?;
    /// let source = LockedSource::of(&seen)?;
    /// assert!(source.tools.contains_key("now"));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn of(now: &Json) -> Result<Self, Error> {
        LockedSource::seen(Observed::read(now)?)
    }

    fn seen(now: Observed) -> Result<Self, Error> {
        if let Some(problem) = now.problems.into_iter().next() {
            return Err(problem.error);
        }
        let launch = now.launch.unwrap_or_default();
        let options = launch.fingerprint_options();
        let mut tools = BTreeMap::new();
        for (name, (at, tool)) in now.tools.unwrap_or_default() {
            let tool = LockedTool::of(&tool, &options).map_err(|error| {
                let place = format!("/tools/{at}{}", error.pointer());
                Error::new(error.code(), place, None, error.message())
            })?;
            tools.insert(name, tool);
        }
        Ok(LockedSource {
            launch,
            instructions: now.instructions.flatten(),
            tools,
            extra: BTreeMap::new(),
        })
    }
}

impl LockedTool {
    fn of(tool: &Json, options: &FingerprintOptions) -> Result<Self, Error> {
        let tool = exact(tool)?;
        Ok(LockedTool {
            fingerprints: fingerprint(&tool, options)?,
            tool,
            extra: BTreeMap::new(),
        })
    }

    /// Whether the fingerprints are those of the tool beside them. They are not if the lock was edited by hand,
    /// or merged, or written by a version that computed them otherwise.
    ///
    /// ```
    /// use toolwire::Json;
    /// use toolwire_contract::lock::LockedSource;
    ///
    /// let seen = Json::new(r#"{"tools": [{"name": "now", "inputSchema": {}}]}"#)?;
    /// let mut source = LockedSource::of(&seen)?;
    /// let mut tool = source.tools.remove("now").unwrap();
    /// assert!(tool.is_consistent(&source.launch));
    /// tool.tool = Json::new(r#"{"name": "now", "title": "Now", "inputSchema": {}}"#)?;
    /// assert!(!tool.is_consistent(&source.launch));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn is_consistent(&self, launch: &Launched) -> bool {
        fingerprint(&self.tool, &launch.fingerprint_options()).as_ref() == Ok(&self.fingerprints)
    }
}

impl Launched {
    fn fingerprint_options(&self) -> FingerprintOptions {
        FingerprintOptions {
            launch: Some(self.safety()),
            ..FingerprintOptions::default()
        }
    }
}

/// Puts what a source is now in the place of what was locked of it (LOCK-30). Members that this version does not
/// know stay. The sources of others stay as they are.
///
/// # Errors
///
/// - `bad_argument` if `now` is not such an object, or two tools have one name; the pointer says where.
/// - What [`fingerprint`] refuses a tool for.
///
/// ```
/// use toolwire::Json;
/// use toolwire_contract::lock::{Lock, update_lock};
///
/// let mut lock = Lock::default();
/// let twice = Json::new(r#"{"tools": [{"name": "a", "inputSchema": {}}, {"name": "a", "inputSchema": {}}]}"#)?;
/// assert_eq!(update_lock(&mut lock, "x", &twice).unwrap_err().pointer(), "/tools/1/name");
/// assert!(lock.sources.is_empty());
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn update_lock(lock: &mut Lock, name: &str, now: &Json) -> Result<(), Error> {
    let mut source = LockedSource::of(now)?;
    if let Some(old) = lock.sources.remove(name) {
        source.extra = old.extra;
        for (name, old) in old.tools {
            if let Some(tool) = source.tools.get_mut(&name) {
                tool.extra = old.extra;
            }
        }
    }
    lock.sources.insert(name.to_owned(), source);
    Ok(())
}

/// A tool is nested no deeper than this, so that a lock with it can be read again (LOCK-12).
const MOST_DEPTH: usize = 120;

/// A tool in exact form.
fn exact(tool: &Json) -> Result<Json, Error> {
    let document = Document::new(tool.as_str())?;
    if !fits(document.root(), MOST_DEPTH) {
        let message = format!("a tool in a lock is nested at most {MOST_DEPTH} deep");
        return Err(Error::new(Code::LimitDepth, "", None, message));
    }
    Ok(tool.sorted())
}

/// Whether a value is nested no deeper than a number of arrays and objects.
fn fits(node: Node<'_>, depth: usize) -> bool {
    match node.kind() {
        Kind::Array => depth > 0 && node.elements().all(|one| fits(one, depth - 1)),
        Kind::Object => depth > 0 && node.members().all(|(_, one)| fits(one, depth - 1)),
        _ => true,
    }
}

/// The digest of instructions.
fn text_digest(text: &str) -> String {
    digest_bytes(text.as_bytes())
}

#[cfg(test)]
mod tests;
