//! A tool as it is served, and how it is reached.

use toolwire::call::ToolDescription;
use toolwire_host::manifest::{ManifestTool, TaskPolicy};
use toolwire_host::{Command, InProcess};

use super::Gateway;
use super::tasks::prepared::Prepared;

/// How a tool is reached.
#[derive(Debug, Clone)]
pub(super) enum Way {
    Functions(InProcess),
    Program(Command),
    Manifest(Box<ManifestTool>),
    Server(Box<Gateway>),
    /// As another process has prepared it.
    Prepared(Box<Prepared>),
}

impl Way {
    /// Whether a call becomes a task, if the manifest says so.
    pub(super) fn task(&self) -> Option<TaskPolicy> {
        match self {
            Way::Manifest(tool) => tool.task,
            Way::Prepared(tool) => tool.task(),
            // Whoever keeps tasks elsewhere does not have the connection.
            Way::Server(_) => Some(TaskPolicy::Never),
            Way::Functions(_) | Way::Program(_) => None,
        }
    }
}

/// A tool as it is served.
#[derive(Debug)]
pub(super) struct Served {
    /// What it is, under the name that clients see.
    pub description: ToolDescription,
    /// The name that its program knows it by.
    pub own_name: String,
    pub way: Way,
    /// What it says of itself, if it keeps running and clients are shown its actions instead.
    pub session: Option<ToolDescription>,
}
