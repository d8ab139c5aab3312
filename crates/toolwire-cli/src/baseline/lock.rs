//! Whether a tool is as `toolwire.lock` says, before it is called or served.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use toolwire::call::ToolDescription;
use toolwire_contract::diff::Verdict;
use toolwire_contract::lock::{Launched, Lock, LockedSource, SourceReport};
use toolwire_host::manifest::LockPolicy;
use toolwire_mcp::client::ListedTool;
use toolwire_mcp::server::Refused;
use toolwire_source::{LockFile, Source, SourceErrorKind, is_path};

use super::file::{compare, usual};
use super::seen::{Seen, to_json};
use crate::args::{LockedArg, ManifestArg, quoted};
use crate::exit::{Failure, Result};
use crate::output::Out;
use crate::run::screen::Screen;
use crate::run::target;
use crate::show::changes::{is_harmless, visible};
use crate::show::lock_report::write_source;
use crate::show::users::Users;
use crate::terminal;

/// The most changes that are told in a line.
const MOST_TOLD: usize = 4;

/// The lock of this place, and what follows from it.
pub struct Locks {
    pub policy: LockPolicy,
    /// The lock, which need not be there.
    pub path: PathBuf,
    lock: Lock,
}

impl Locks {
    /// Nothing if no tool is held against a lock here. What keeps the lock from being read is told if nobody has asked
    /// for it: what needs no manifest works without one, unless there is a lock.
    pub fn find(asked: &LockedArg, manifest: &ManifestArg) -> Result<Option<Locks>> {
        if asked.locked == Some(LockPolicy::Ignore) {
            return Ok(None);
        }
        let file = match usual(manifest) {
            Ok(file) => file,
            Err(failure) if asked.locked.is_some() => return Err(failure),
            // There is no current folder.
            Err(_) => return Ok(None),
        };
        let path = file.path().to_owned();
        let is_there = path.exists();
        let not_read = |failure: &Failure| {
            let path = path.display();
            format!("warning: `{path}` is not used: {}", failure.message())
        };
        let of_manifest = match target::find(manifest) {
            Ok(manifest) => manifest.and_then(|manifest| manifest.locked),
            Err(failure)
                if asked.locked == Some(LockPolicy::Refuse) || manifest.manifest.is_some() =>
            {
                return Err(failure);
            }
            Err(_) if !is_there => return Ok(None),
            // Whoever can break the manifest must not make a refusal of it a warning; the lock of a stranger has no say.
            Err(failure) if asked.locked.is_none() && !is_strangers(&path) => {
                return Err(Failure::Wrong(vec![format!(
                    "`{}` says what was locked, and the manifest that says what follows from it can't be used: {}; \
                     mend it, or say what follows with `--locked=warn` or `--locked=ignore`",
                    path.display(),
                    failure.message()
                )]));
            }
            Err(failure) => {
                terminal::complain(&not_read(&failure));
                return Ok(None);
            }
        };
        let policy = asked.locked.or(of_manifest).unwrap_or_default();
        let strict = policy == LockPolicy::Refuse;
        if policy == LockPolicy::Ignore || !(is_there || strict) {
            return Ok(None);
        }
        let lock = match file.read() {
            Ok(read) => read.map(|read| read.lock).unwrap_or_default(),
            Err(error) if strict => return Err(error.into()),
            Err(error) => {
                terminal::complain(&not_read(&error.into()));
                return Ok(None);
            }
        };
        Ok(Some(Locks { policy, path, lock }))
    }

    /// What a source is held against; nothing if one that is not locked may be used.
    pub fn guard(&self, source: &Source) -> Option<Guard> {
        let base = self.path.parent().unwrap_or(Path::new("."));
        let name = source.lock_name(base).map_err(|error| error.to_string());
        let locked = name
            .as_ref()
            .ok()
            .and_then(|name| self.lock.sources.get(name));
        if locked.is_none() && self.policy != LockPolicy::Refuse {
            return None;
        }
        Some(Guard {
            strict: self.policy == LockPolicy::Refuse,
            locked: locked.cloned(),
            is_command: source.word.is_none()
                && name.as_ref().is_ok_and(|name| is_path(name.as_ref())),
            launched: source.launched(base),
            label: source.label.clone(),
            name,
            last: RefCell::default(),
        })
    }
}

/// Whether others could have written a lock.
fn is_strangers(path: &Path) -> bool {
    let read = LockFile::found(path).read();
    read.is_err_and(|error| error.kind() == SourceErrorKind::Untrusted)
}

/// What a source is held against.
pub struct Guard {
    /// Whether what is not as it was locked is refused.
    strict: bool,
    /// The name in the lock, or why it can have none.
    name: std::result::Result<String, String>,
    /// What messages call it.
    label: String,
    locked: Option<LockedSource>,
    /// Whether it is a command whose name in the lock is its path.
    is_command: bool,
    launched: Launched,
    /// What was looked at last, of a tool that is called many times.
    last: RefCell<Option<ListedTool>>,
}

/// What is not as it was locked.
pub struct Finding {
    /// What it is, and what to do, on one line.
    pub message: String,
    report: Option<SourceReport>,
}

impl Guard {
    /// Refuses a source that is not to be started.
    pub fn before_start(&self, out: &mut Out) -> Result<()> {
        match self.of_launch().filter(|_| self.strict) {
            Some(finding) => Err(self.refuse(finding, out)?),
            None => Ok(()),
        }
    }

    /// Why the source is not to be started.
    pub fn refuses_launch(&self) -> Option<String> {
        let finding = self.of_launch().filter(|_| self.strict);
        finding.map(|finding| finding.message)
    }

    /// The tools that are not to be used, each with the reason; of others that changed, it warns.
    pub fn refused(&self, tools: &[ToolDescription]) -> Refused {
        let mut refused = Refused::new();
        for tool in tools {
            match self.of_tool(&tool.clone().into()) {
                Some(finding) if self.strict => {
                    refused.insert(tool.name.clone(), finding.message);
                }
                Some(finding) => terminal::complain(&format!("warning: {}", finding.message)),
                None => {}
            }
        }
        refused
    }

    /// What is known before the source is started.
    fn of_launch(&self) -> Option<Finding> {
        match &self.locked {
            None => Some(self.not_locked(&self.label)),
            Some(locked) => self.against(locked, None),
        }
    }

    /// What is not as it was locked of a tool.
    fn of_tool(&self, listed: &ListedTool) -> Option<Finding> {
        let Some(locked) = &self.locked else {
            return Some(self.not_locked(&self.label));
        };
        if let Some(problem) = &listed.problem {
            let (name, label) = (visible(&listed.name), visible(&self.label));
            return Some(Finding {
                message: format!(
                    "nobody knows whether `{name}` of `{label}` is as it was locked: {}",
                    visible(problem)
                ),
                report: None,
            });
        }
        // Another tool that has taken the name of one that is locked.
        let is_locked = |name: &str| locked.tools.contains_key(name);
        let own_name = listed
            .tool
            .as_ref()
            .is_some_and(|tool| is_locked(&tool.name));
        if !is_locked(&listed.name) && (self.strict || own_name) {
            return Some(self.not_locked(&listed.name));
        }
        self.against(locked, Some(listed))
    }

    /// Compares the launch and one tool; nobody calls the others, or reads here what a server says of itself.
    fn against(&self, locked: &LockedSource, tool: Option<&ListedTool>) -> Option<Finding> {
        match self.report(locked, tool) {
            Ok(report) => report
                .filter(|report| !is_harmless(report.verdict))
                .map(|report| self.changed(report)),
            Err(failure) => Some(Finding {
                message: self.not_compared(&failure.message()),
                report: None,
            }),
        }
    }

    fn report(
        &self,
        locked: &LockedSource,
        tool: Option<&ListedTool>,
    ) -> Result<Option<SourceReport>> {
        let name = self.name.clone().unwrap_or_default();
        let mut alone = LockedSource {
            launch: locked.launch.clone(),
            ..LockedSource::default()
        };
        let both = tool.and_then(|tool| Some((tool, locked.tools.get(&tool.name)?)));
        let seen = both.map(|(tool, old)| {
            alone.tools.insert(tool.name.clone(), old.clone());
            Seen {
                listed: vec![tool.clone()],
                instructions: None,
            }
        });
        let now = to_json(&self.launched, seen.as_ref())?;
        let mut lock = Lock::default();
        lock.sources.insert(name.clone(), alone);
        let report = compare(&lock, &[(name, Some(now))], false);
        let report = report.map_err(|error| Failure::refused(&error))?;
        Ok(report.sources.into_iter().next())
    }

    /// That nobody can say whether something has changed.
    fn not_compared(&self, why: &str) -> String {
        let (label, why) = (visible(&self.label), visible(why));
        format!("`{label}` can't be held against what was locked: {why}")
    }

    /// That something has changed.
    fn changed(&self, report: SourceReport) -> Finding {
        let problem = report.tools.iter().find_map(|tool| tool.problem.clone());
        if let Some(problem) = problem {
            return Finding {
                message: self.not_compared(&problem),
                report: Some(report),
            };
        }
        let told = |what: &str, verdict: Verdict| format!("{} ({verdict})", visible(what));
        let mut parts = Vec::new();
        for change in &report.launch_changes {
            parts.push(told(&format!("launch {}", change.member), change.verdict));
        }
        for tool in &report.tools {
            for change in &tool.changes {
                parts.push(told(change.what.as_str(), change.verdict));
            }
            if tool.changes.is_empty() {
                parts.push(told(&tool.fingerprints.join(", "), tool.verdict));
            }
        }
        parts.dedup();
        let more = parts.len().saturating_sub(MOST_TOLD);
        parts.truncate(MOST_TOLD);
        let more = match more {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let what = match report.tools.first() {
            Some(tool) => format!("`{}` of `{}`", visible(&tool.name), visible(&self.label)),
            None => format!("`{}`", visible(&self.label)),
        };
        let word = quoted(&visible(&report.name));
        Finding {
            message: format!(
                "{what} is not as it was locked: {}{more}; `toolwire check {word}` shows it, and \
                 `toolwire lock --update {word}` accepts it",
                parts.join(", ")
            ),
            report: Some(report),
        }
    }

    /// That nobody has locked it.
    fn not_locked(&self, what: &str) -> Finding {
        let what = visible(what);
        let message = match &self.name {
            Ok(name) => {
                let update = match (&self.locked, self.is_command) {
                    (Some(_), _) => "--update ",
                    (None, true) => "-- ",
                    (None, false) => "",
                };
                let word = quoted(&visible(name));
                format!("`{what}` is not locked; `toolwire lock {update}{word}` locks it")
            }
            Err(why) => format!("`{what}` is not locked: {}", visible(why)),
        };
        Finding {
            message,
            report: None,
        }
    }

    /// Tells or refuses what was found of a tool that is about to be called; `None` if it does not say what it is.
    pub fn before_call(&self, tool: Option<&ListedTool>, out: &mut Out) -> Result<()> {
        let found = match tool {
            Some(tool) => self.of_tool(tool),
            None => self.of_launch(),
        };
        self.last.replace(tool.cloned());
        match found {
            Some(finding) if self.strict => Err(self.refuse(finding, out)?),
            Some(finding) => {
                out.complain(&format!("warning: {}", finding.message));
                Ok(())
            }
            None if tool.is_none() && self.strict => Err(Failure::Refused(format!(
                "`{}` is not asked what it is, so nobody knows whether it is as it was locked, and it was not called",
                visible(&self.label)
            ))),
            None => Ok(()),
        }
    }

    /// The same before a call is continued, which can be one of any of these tools.
    pub fn before_task(&self, listed: &[ListedTool], out: &mut Out) -> Result<()> {
        let tools = || listed.iter().filter(|listed| listed.tool.is_some());
        let changed = tools().find(|tool| self.of_tool(tool).is_some());
        match changed.or(tools().next()) {
            Some(tool) => self.before_call(Some(tool), out),
            None => Ok(()),
        }
    }

    /// The same between calls of one tool, for what its server says by now.
    pub fn between_calls(&self, name: &str, listed: &[ListedTool], screen: &Screen) -> Result<()> {
        let is_it =
            |listed: &&ListedTool| listed.tool.as_ref().is_some_and(|tool| tool.name == name);
        let Some(tool) = listed.iter().find(is_it) else {
            let (name, label) = (visible(name), visible(&self.label));
            let message = format!("`{label}` has no tool `{name}` any more");
            return Err(Failure::Refused(message));
        };
        if self.last.borrow().as_ref() == Some(tool) {
            return Ok(());
        }
        if let Some(finding) = self.of_tool(tool) {
            if self.strict {
                return Err(Failure::Refused(finding.message + NOT_CALLED));
            }
            let message = format!("warning: {}", finding.message);
            screen.suspended(|| terminal::complain(&message));
        }
        self.last.replace(Some(tool.clone()));
        Ok(())
    }

    /// Shows what has changed, and says that nothing was called.
    fn refuse(&self, finding: Finding, out: &mut Out) -> Result<Failure> {
        if let Some(report) = &finding.report {
            let mut page = Out::page(out.style());
            write_source(report, &Users::default(), &mut page)?;
            let color = out.color && terminal::are_terminals().1;
            terminal::tell(&String::from_utf8_lossy(&page.into_bytes()), color);
        }
        Ok(Failure::Refused(finding.message + NOT_CALLED))
    }
}

/// What follows for the call.
const NOT_CALLED: &str = "; it was not called";
