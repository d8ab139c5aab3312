//! The baseline of what is served, found again whenever tools are read: the lock may have changed with them.

use std::path::PathBuf;

use toolwire::call::ToolDescription;
use toolwire_host::manifest::LockPolicy;
use toolwire_mcp::server::Refused;
use toolwire_source::Source;

use super::lock::Locks;
use super::profile::Expected;
use crate::args::{LockedArg, ManifestArg, ServeArgs};
use crate::exit::{Failure, Result};
use crate::terminal;

/// How what is served is held against a lock and profiles.
#[derive(Clone)]
pub struct Served {
    locked: LockedArg,
    manifest: ManifestArg,
    expected: Option<Expected>,
}

impl Served {
    pub fn new(args: &ServeArgs) -> Served {
        Served {
            locked: args.locked.clone(),
            manifest: args.source.manifest.clone(),
            expected: None,
        }
    }

    /// The same of a server, which a profile may name. One that nobody has locked, or that is started in another way
    /// than it was, is refused if the lock says so.
    pub fn of_server(source: &Source, args: &ServeArgs) -> Result<Served> {
        let mut served = Served::new(args);
        if source.profile.is_some() {
            served.expected = Expected::of(source, &args.expect)?;
        }
        let guard = served.locks()?.and_then(|locks| locks.guard(source));
        match guard.and_then(|guard| guard.refuses_launch()) {
            Some(why) => Err(Failure::Refused(why)),
            None => Ok(served),
        }
    }

    fn locks(&self) -> Result<Option<Locks>> {
        Locks::find(&self.locked, &self.manifest)
    }

    /// Whether what is not as it was locked is refused, and the file that says what was; nothing without a lock.
    pub fn lock(&self) -> Result<Option<(bool, PathBuf)>> {
        let locks = self.locks()?;
        Ok(locks.map(|locks| (locks.policy == LockPolicy::Refuse, locks.path)))
    }

    /// Which tools are not served, or why none is; of others that changed, it warns.
    pub fn refused(
        &self,
        source: &Source,
        tools: &[ToolDescription],
    ) -> std::result::Result<Refused, String> {
        self.look(source, tools)
            .map_err(|failure| failure.message())
    }

    fn look(&self, source: &Source, tools: &[ToolDescription]) -> Result<Refused> {
        if let Some(expected) = &self.expected {
            expected.refuse(tools, "")?;
            let differences = expected.differences(tools)?;
            differences.iter().for_each(|line| terminal::complain(line));
        }
        let guard = self.locks()?.and_then(|locks| locks.guard(source));
        Ok(guard.map(|guard| guard.refused(tools)).unwrap_or_default())
    }
}
