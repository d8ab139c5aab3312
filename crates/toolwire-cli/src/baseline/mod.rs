//! What the tools of a source are held against: what was locked, and what a profile expects.

mod file;
mod lock;
mod profile;
mod seen;
mod served;

use toolwire::Parsed;
use toolwire::call::ToolDescription;
use toolwire_mcp::client::{Client, ClientError, ListedTool};
use toolwire_source::Source;

use crate::args::{ExpectArgs, LockedArg, ManifestArg};
use crate::exit::Result;
use crate::output::Out;
use crate::run::screen::Screen;
use lock::{Guard, Locks};
use profile::Expected;

pub use file::{absolute, compare, usual};
pub use profile::other_output;
pub use seen::{Seen, as_sent, callable, list, to_json};
pub use served::Served;

/// What the tools of a source are held against, as far as anything is known of them.
#[derive(Default)]
pub struct Baseline {
    locked: Option<Guard>,
    expected: Option<Expected>,
}

impl Baseline {
    /// What the profile that names a source expects of its server.
    pub fn of_profile(source: &Source, args: &ExpectArgs) -> Result<Baseline> {
        Ok(Baseline {
            locked: None,
            expected: Expected::of(source, args)?,
        })
    }

    /// With what was locked. A source that is not to be started is refused.
    pub fn with_lock(
        mut self,
        source: &Source,
        asked: &LockedArg,
        manifest: &ManifestArg,
        out: &mut Out,
    ) -> Result<Baseline> {
        let locks = Locks::find(asked, manifest)?;
        self.locked = locks.and_then(|locks| locks.guard(source));
        if let Some(guard) = &self.locked {
            guard.before_start(out)?;
        }
        Ok(self)
    }

    /// Whether there is something to say of a tool of each call.
    pub fn is_locked(&self) -> bool {
        self.locked.is_some()
    }

    /// The tools of a server of which a profile expects something; none where nothing is compared.
    pub async fn tools(
        &self,
        client: &Client,
    ) -> std::result::Result<Vec<ToolDescription>, ClientError> {
        match &self.expected {
            Some(expected) if expected.compares() => client.tools().await,
            _ => Ok(Vec::new()),
        }
    }

    /// Reports how the tools differ from what the profile expects.
    pub fn report(&self, tools: &[ToolDescription], out: &mut Out) -> Result<()> {
        let differences = match &self.expected {
            Some(expected) => expected.differences(tools)?,
            None => Vec::new(),
        };
        differences.iter().for_each(|line| out.complain(line));
        Ok(())
    }

    /// Refuses to use tools that are not as the profile expects, if it says so.
    pub fn refuse(&self, tools: &[ToolDescription]) -> Result<()> {
        match &self.expected {
            Some(expected) => expected.refuse(tools, "; nothing was called or read"),
            None => Ok(()),
        }
    }

    /// The same before a tool is called or a resource is read, and reports what is not refused.
    pub fn before_use(&self, tools: &[ToolDescription], out: &mut Out) -> Result<()> {
        self.refuse(tools)?;
        self.report(tools, out)
    }

    /// Reports or refuses what is not as it was locked of a tool that is about to be called; `None` if it does not say
    /// what it is.
    pub fn before_call(&self, tool: Option<&ListedTool>, out: &mut Out) -> Result<()> {
        let guard = self.locked.as_ref();
        guard.map_or(Ok(()), |guard| guard.before_call(tool, out))
    }

    /// The same before a call is continued, which can be one of any of these tools.
    pub fn before_task(&self, listed: &[ListedTool], out: &mut Out) -> Result<()> {
        let guard = self.locked.as_ref();
        guard.map_or(Ok(()), |guard| guard.before_task(listed, out))
    }

    /// The same between calls of one tool, for what its server says by now.
    pub fn between_calls(&self, name: &str, listed: &[ListedTool], screen: &Screen) -> Result<()> {
        let guard = self.locked.as_ref();
        guard.map_or(Ok(()), |guard| guard.between_calls(name, listed, screen))
    }

    /// That a result of a tool has another type than the profile expects.
    pub fn other_type(&self, tool: &str, result: &[u8]) -> Option<String> {
        self.expected.as_ref()?.other_type(tool, result)
    }

    /// Reports a result of another type than the profile expects.
    pub fn after_call(&self, tool: &str, parsed: &Parsed<'_>, out: &mut Out) {
        if let Some(warning) = self.other_type(tool, parsed.document()) {
            out.complain(&warning);
        }
    }
}
