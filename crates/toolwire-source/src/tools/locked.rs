//! Whether what is added is as a lock says.

use std::path::{Path, PathBuf};

use toolwire::Json;
use toolwire::call::ToolDescription;
use toolwire::json::{ObjectWriter, array};
use toolwire_contract::diff::Verdict;
use toolwire_contract::lock::{CheckOptions, Lock, LockedSource, check_lock};
use toolwire_host::SessionTool;

use super::ToolsError;
use crate::{LockFile, Source};

/// What a source is held against.
pub(super) struct Guard {
    /// Its name in the lock.
    name: String,
    label: String,
    locked: LockedSource,
    /// How it is reached now.
    launch: String,
}

impl Guard {
    /// What a lock has of a source; the launch is compared at once, so that nothing is started that is another.
    ///
    /// # Errors
    ///
    /// `bad_lock`, and `not_locked` for a source that is not as it was locked.
    pub(super) fn of(path: &Path, source: &Source) -> Result<Self, ToolsError> {
        let path = std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path));
        let read = LockFile::new(&path).read()?.ok_or_else(|| {
            let message = format!(
                "there is no lock `{}`; `toolwire lock` writes one",
                path.display()
            );
            ToolsError::new("bad_lock", message)
        })?;
        let base = path.parent().unwrap_or(Path::new("."));
        let name = source.lock_name(base)?;
        let Some(locked) = read.lock.sources.get(&name) else {
            return Err(not_locked(&source.label, "lock", &name));
        };
        let guard = Guard {
            label: source.label.clone(),
            locked: locked.clone(),
            launch: source.launched(base).to_json().to_string(),
            name,
        };
        guard.compare(&[])?;
        Ok(guard)
    }

    /// Compares the tools.
    ///
    /// # Errors
    ///
    /// `not_locked` for one that is not as it was locked.
    pub(super) fn check(&self, tools: &[SessionTool]) -> Result<(), ToolsError> {
        let tools: Vec<&ToolDescription> = tools.iter().map(|tool| &tool.description).collect();
        let new = tools
            .iter()
            .find(|tool| !self.locked.tools.contains_key(&tool.name));
        match new {
            Some(tool) => Err(not_locked(&tool.name, "lock --update", &self.name)),
            None => self.compare(&tools),
        }
    }

    /// Only what is added counts: nobody calls the others.
    fn compare(&self, tools: &[&ToolDescription]) -> Result<(), ToolsError> {
        let mut alone = self.locked.clone();
        alone.instructions = None;
        alone
            .tools
            .retain(|name, _| tools.iter().any(|tool| tool.name == *name));
        let mut lock = Lock::default();
        lock.sources.insert(self.name.clone(), alone);
        let now = ObjectWriter::new()
            .json("launch", &self.launch)
            .json("tools", array(tools.iter().map(|tool| tool.to_json())))
            .end();
        let now = ObjectWriter::new().json(&self.name, now).end();
        let now = Json::new(ObjectWriter::new().json("sources", now).end())?;
        let report = check_lock(&lock, &now, &CheckOptions::default())?;
        if report.verdict <= Verdict::Compatible {
            return Ok(());
        }
        let name = quoted(&self.name);
        let message = format!(
            "`{}` is not as it was locked; `toolwire check {name}` shows it, and `toolwire lock --update {name}` accepts it",
            self.label
        );
        Err(ToolsError::new("not_locked", message))
    }
}

fn not_locked(what: &str, how: &str, name: &str) -> ToolsError {
    let name = quoted(name);
    let message = format!("`{what}` is not locked; `toolwire {how} {name}` locks it");
    ToolsError::new("not_locked", message)
}

fn quoted(name: &str) -> String {
    let quoted = shlex::try_quote(name);
    quoted.map_or_else(|_| name.to_owned(), |quoted| quoted.into_owned())
}
