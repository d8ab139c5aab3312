//! What a check of a lock has found (LOCK-20).

use toolwire::Json;
use toolwire::json::{ObjectWriter, array, string};

use super::launched::LaunchChange;
use crate::diff::{Change, Verdict, What};
use crate::hidden::{HiddenAt, TextDiff, diff_text};
use crate::json;

/// How something is, compared with the lock.
///
/// ```
/// use toolwire_contract::lock::State;
///
/// assert_eq!(State::NotVerified.to_string(), "not_verified");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// As it was locked.
    Same,
    /// Other than it was locked.
    Changed,
    /// Not in the lock.
    Added,
    /// In the lock only.
    Removed,
    /// Nobody looked.
    NotVerified,
}

toolwire::closed_words!(State, "a state", {
    Same => "same",
    Changed => "changed",
    Added => "added",
    Removed => "removed",
    NotVerified => "not_verified",
});

/// What a check has found; [`check_lock`](super::check_lock) has an example.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LockReport {
    /// The gravest of what was found.
    pub verdict: Verdict,
    /// Whether everything in the lock was looked at.
    pub is_verified: bool,
    /// The sources by their names.
    pub sources: Vec<SourceReport>,
}

/// What was found of one source.
///
/// ```
/// use toolwire::Json;
/// use toolwire_contract::lock::{CheckOptions, Lock, State, check_lock, update_lock};
///
/// let mut lock = Lock::default();
/// update_lock(&mut lock, "clock", &Json::new(r#"{"launch": {"version": "1.0.0"}, "tools": []}"#)?)?;
/// let now = Json::new(r#"{"sources": {"clock": {"tools": []}}}"#)?;
/// let source = check_lock(&lock, &now, &CheckOptions::default())?.sources.remove(0);
/// // Nobody looked at the launch.
/// assert_eq!((source.state, source.launch), (State::NotVerified, State::NotVerified));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourceReport {
    /// Its name.
    pub name: String,
    /// How it is as a whole; `not_verified` if nothing has changed of what was looked at, but not all was.
    pub state: State,
    /// The gravest of what was found.
    pub verdict: Verdict,
    /// How the launch facts are.
    pub launch: State,
    /// What of them is another.
    pub launch_changes: Vec<LaunchChange>,
    /// Which of them only the launcher or the interpreter knows, and nobody has asked it (LOCK-26).
    pub launch_not_verified: Vec<&'static str>,
    /// How the server's instructions are.
    pub instructions: State,
    /// The instructions in the lock and those of now, word by word, if they differ.
    pub instructions_diff: Option<TextDiff>,
    /// The tools that are not as they were locked, in the order of their names; none of those that nobody looked
    /// at.
    pub tools: Vec<ToolReport>,
    /// How many tools are as they were locked.
    pub same: usize,
    /// How many tools nobody looked at.
    pub not_verified: usize,
}

/// What was found of one tool.
///
/// ```
/// use toolwire::Json;
/// use toolwire_contract::lock::{CheckOptions, Lock, State, check_lock, update_lock};
///
/// let mut lock = Lock::default();
/// update_lock(&mut lock, "clock", &Json::new(r#"{"launch": {"version": "1.0.0"}, "tools": []}"#)?)?;
/// let now = Json::new(r#"{"sources": {"clock": {"tools": [{"name": "now", "inputSchema": {}}]}}}"#)?;
/// let source = check_lock(&lock, &now, &CheckOptions::default())?.sources.remove(0);
/// assert_eq!((source.tools[0].name.as_str(), source.tools[0].state), ("now", State::Added));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolReport {
    /// Its name.
    pub name: String,
    /// `changed`, `added` or `removed`.
    pub state: State,
    /// What it means for callers.
    pub verdict: Verdict,
    /// Which fingerprints are others: `contract`, `text`, `safety`.
    pub fingerprints: Vec<&'static str>,
    /// What has changed.
    pub changes: Vec<Change>,
    /// What its texts hide from their reader, if they are not as they were locked: the first 100 findings (HID-40).
    pub hidden: Vec<HiddenAt>,
    /// How many findings there are.
    pub hidden_count: usize,
    /// Why it can't be compared with what was locked, or locked, if it can't (LOCK-71).
    pub problem: Option<String>,
}

impl LockReport {
    /// The report as a JSON object.
    ///
    /// ```
    /// use toolwire::Json;
    /// use toolwire_contract::lock::{CheckOptions, Lock, check_lock};
    ///
    /// let now = Json::new(r#"{"sources": {}}"#)?;
    /// let report = check_lock(&Lock::default(), &now, &CheckOptions::default())?;
    /// assert_eq!(report.to_json(), r#"{"verdict":"same","verified":true,"sources":[]}"#);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        ObjectWriter::new()
            .text("verdict", self.verdict.as_str())
            .flag("verified", self.is_verified)
            .json(
                "sources",
                array(self.sources.iter().map(SourceReport::to_json)),
            )
            .end()
    }
}

impl SourceReport {
    /// The report as a JSON object.
    ///
    /// ```
    /// use toolwire::Json;
    /// use toolwire_contract::lock::{CheckOptions, Lock, check_lock};
    ///
    /// let now = Json::new(r#"{"sources": {"clock": {"tools": []}}}"#)?;
    /// let report = check_lock(&Lock::default(), &now, &CheckOptions::default())?;
    /// assert!(report.sources[0].to_json().contains(r#""state":"added""#));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut launch = ObjectWriter::new();
        launch
            .text("state", self.launch.as_str())
            .json("changes", json(&self.launch_changes).as_str());
        if !self.launch_not_verified.is_empty() {
            launch.json("notVerified", json(&self.launch_not_verified).as_str());
        }
        let launch = launch.end();
        let diff = self.instructions_diff.as_ref();
        let instructions = ObjectWriter::new()
            .text("state", self.instructions.as_str())
            .optional("diff", diff.map(TextDiff::to_string))
            .end();
        ObjectWriter::new()
            .text("name", &self.name)
            .text("state", self.state.as_str())
            .text("verdict", self.verdict.as_str())
            .json("launch", launch)
            .json("instructions", instructions)
            .json("tools", array(self.tools.iter().map(ToolReport::to_json)))
            .number("same", self.same as u64)
            .number("notVerified", self.not_verified as u64)
            .end()
    }
}

impl ToolReport {
    pub(super) fn new(name: &str, state: State) -> Self {
        ToolReport {
            name: name.to_owned(),
            state,
            verdict: Verdict::Same,
            fingerprints: Vec::new(),
            changes: Vec::new(),
            hidden: Vec::new(),
            hidden_count: 0,
            problem: None,
        }
    }

    /// The report as a JSON object. A change of a text has it also as `diff`, word by word.
    ///
    /// ```
    /// use toolwire::Json;
    /// use toolwire_contract::lock::{CheckOptions, Lock, check_lock, update_lock};
    ///
    /// let mut lock = Lock::default();
    /// update_lock(&mut lock, "clock", &Json::new(r#"{"tools": []}"#)?)?;
    /// let now = r#"{"sources": {"clock": {"tools": [{"name": "now", "inputSchema": {"type": "object"}}]}}}"#;
    /// let report = check_lock(&lock, &Json::new(now)?, &CheckOptions::default())?;
    /// assert!(report.sources[0].tools[0].to_json().starts_with(r#"{"name":"now","state":"added","#));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = ObjectWriter::new();
        out.text("name", &self.name)
            .text("state", self.state.as_str())
            .text("verdict", self.verdict.as_str())
            .json("fingerprints", json(&self.fingerprints).as_str())
            .json("changes", array(self.changes.iter().map(change)))
            .json("hidden", json(&self.hidden).as_str());
        if self.hidden_count > self.hidden.len() {
            out.number("hiddenCount", self.hidden_count as u64);
        }
        out.optional("problem", self.problem.as_deref()).end()
    }

    /// What changed of a text, word by word; nothing if the change is of no text.
    ///
    /// ```
    /// use toolwire::Json;
    /// use toolwire_contract::diff::{DiffOptions, diff_tools};
    /// use toolwire_contract::lock::ToolReport;
    ///
    /// let of = |text: &str| Json::new(format!(r#"{{"name":"now","description":"{text}","inputSchema":{{}}}}"#));
    /// let diff = diff_tools(&of("the time")?, &of("the date")?, &DiffOptions::default())?;
    /// for change in &diff.changes {
    ///     let text = ToolReport::text_diff(change).unwrap();
    ///     assert_eq!(text.to_string(), "the [-time-]{+date+}");
    /// }
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn text_diff(change: &Change) -> Option<TextDiff> {
        if !matches!(change.what, What::Title | What::Description) {
            return None;
        }
        let text = |value: &Option<Json>| match value {
            Some(value) => value.to_text(),
            None => Some(String::new()),
        };
        Some(diff_text(&text(&change.old)?, &text(&change.new)?))
    }
}

fn change(change: &Change) -> String {
    let json = change.to_json().to_string();
    match (ToolReport::text_diff(change), json.strip_suffix('}')) {
        (Some(diff), Some(members)) => {
            format!("{members},\"diff\":{}}}", string(&diff.to_string()))
        }
        _ => json,
    }
}
