//! The lock of a workspace, and how what is locked in it is reached.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use toolwire::Json;
use toolwire_contract::lock::{Lock, LockedSource, ReadLock, SourceReport, update_lock};
use toolwire_host::manifest::Manifest;
use toolwire_source::{LockFile, SourceError};

use super::observe::observe;
use super::started;
use crate::args::{LockArg, ServerArgs, SourceArgs};
use crate::baseline::{absolute, to_json, usual};
use crate::exit::{Failure, Outcome, Result};
use crate::output::Out;
use crate::show::users::Users;
use crate::{run, source, terminal};

/// A lock, and where the names in it are looked up.
pub struct Workspace<'a> {
    pub file: LockFile,
    /// What the file says; nothing if there is none.
    pub lock: Option<Lock>,
    pub manifest: Option<Manifest>,
    base: PathBuf,
    args: &'a SourceArgs,
    verb: &'static str,
}

impl<'a> Workspace<'a> {
    pub fn open(
        place: &LockArg,
        args: &'a SourceArgs,
        verb: &'static str,
        out: &mut Out,
    ) -> Result<Workspace<'a>> {
        let file = match &place.lock {
            Some(path) => LockFile::new(absolute(path)?),
            None => usual(&args.manifest)?,
        };
        let path = file.path().to_owned();
        let lock = file.read()?.map(
            |ReadLock {
                 lock, diagnostics, ..
             }| {
                for found in diagnostics {
                    out.complain(&format!("{}: {}", path.display(), found.message));
                }
                lock
            },
        );
        Ok(Workspace {
            file,
            lock,
            manifest: run::manifest(&args.manifest)?,
            base: path.parent().unwrap_or(Path::new(".")).to_owned(),
            args,
            verb,
        })
    }

    /// What is locked under a name.
    pub fn locked(&self, name: &str) -> Option<&LockedSource> {
        self.lock.as_ref()?.sources.get(name)
    }

    /// The names of all that is locked.
    pub fn names(&self) -> Vec<String> {
        let sources = self.lock.iter().flat_map(|lock| lock.sources.keys());
        sources.cloned().collect()
    }

    /// The names of the tools and servers of the manifest.
    pub fn of_manifest(&self) -> Vec<String> {
        let all = self.manifest.iter();
        let names = all.flat_map(|all| all.tools.keys().chain(all.servers.keys()));
        names.cloned().collect()
    }

    /// The name under which the source stands in the lock that a word means: a name in it, or a source.
    pub fn name(&self, word: &OsStr) -> Result<String> {
        if let Some(word) = word.to_str().filter(|word| self.locked(word).is_some()) {
            return Ok(word.to_owned());
        }
        let source = source::find(Some(word), &[], self.args, self.verb)?;
        Ok(source.lock_name(&self.base)?)
    }

    /// The name under which a command stands in the lock. Whoever types it agrees to it, for the checks to come
    ///.
    pub fn name_of_command(&self, command: &[OsString]) -> Result<String> {
        let name = source::find(None, command, self.args, self.verb)?.lock_name(&self.base)?;
        let again = source::find_any(Some(name.as_ref()), &[], self.args, self.verb)?;
        if let Some(pending) = again.consent {
            pending.consent.give().map_err(SourceError::from)?;
        }
        Ok(name)
    }

    /// Who names what changes of these sources remove; the lock is what they are compared with.
    pub fn users(&self, reports: &[SourceReport]) -> Users {
        let tools = reports.iter().flat_map(|source| &source.tools);
        let changes = tools.flat_map(|tool| &tool.changes);
        Users::find(changes, self.manifest.as_ref(), None)
    }

    /// What the source is now that has a name in the lock; the user has `typed` it or not. Offline, nothing is started
    /// or reached.
    pub fn look(
        &self,
        name: &str,
        typed: bool,
        args: &ServerArgs,
        offline: bool,
        out: &Out,
    ) -> Looked {
        let places = self.args.places(self.verb);
        let manifest = self.manifest.as_ref();
        let mut source = match toolwire_source::locked(name, &self.base, manifest, &places) {
            Ok(Some(source)) => source,
            Ok(None) => return Looked::Now(None),
            Err(error) => return Looked::Failed(None, error.into()),
        };
        let mut launched = source.launched(&self.base);
        let launch = match to_json(&launched, None) {
            Ok(launch) => launch,
            Err(failure) => return Looked::Failed(None, failure),
        };
        if offline {
            return Looked::Now(Some(launch));
        }
        // Whoever types a path or a URL agrees to it, and whoever locks it, for the checks to come.
        if let Some(pending) = source
            .consent
            .take_if(|pending| typed && pending.is_word)
            .filter(|_| self.verb == "lock")
            && let Err(error) = pending.consent.give()
        {
            return Looked::Failed(Some(launch), SourceError::from(error).into());
        }
        let seen = match observe(source.clone(), args, out) {
            Ok(seen) => seen,
            Err(failure) => return Looked::Failed(Some(launch), failure),
        };
        if let Err(failure) = started::add(&mut launched, source, args, out) {
            return Looked::Failed(Some(launch), failure);
        }
        // A tool that can't be locked is told with its source, and keeps no other from it; `check` reports it (LOCK-71).
        let now = to_json(&launched, Some(&seen)).and_then(|now| {
            if self.verb == "lock" {
                let tried = update_lock(&mut Lock::default(), name, &now);
                tried.map_err(|error| Failure::refused(&error))?;
            }
            Ok(now)
        });
        match now {
            Ok(now) => Looked::Now(Some(now)),
            Err(failure) => Looked::Failed(Some(launch), failure),
        }
    }
}

/// What came of looking at a source.
pub enum Looked {
    /// What it is now, as [`to_json`] gives it; nothing if it is gone.
    Now(Option<Json>),
    /// It could not be asked; perhaps it is known how it would be started.
    Failed(Option<Json>, Failure),
}

/// Says why a source could not be looked at, unless nothing more is to be done.
pub fn tell(name: &str, failure: Failure, out: &mut Out) -> Result<Outcome> {
    let (messages, outcome) = match failure {
        Failure::Wrong(messages) => (messages, Outcome::Usage),
        Failure::Refused(message) => (vec![message], Outcome::Negative),
        Failure::Io(message) => (vec![message], Outcome::Io),
        other => return Err(other),
    };
    for message in messages {
        out.complain(&format!("{}: {message}", terminal::safe(name)));
    }
    Ok(outcome)
}
