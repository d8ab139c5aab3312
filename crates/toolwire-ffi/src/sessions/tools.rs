//! Where the tools of a host come from.

use std::sync::Arc;

use toolwire::Error;
use toolwire::call::ToolDescription;
use toolwire::json::{array, string};
use toolwire_host::manifest::{Manifest, SessionKind};
use toolwire_host::{Command, Process, SessionTool, SessionTransport, Transport};
use toolwire_pty::{PipeSession, PtyOptions, PtySession};
use toolwire_source::{ToolsError, described, manifest_tool, program_tools};

use super::Sessions;
use super::driven::{Driven, Settings};
use crate::caller::Caller;
use crate::serving::Functions;
use crate::task::Task;

impl Sessions {
    /// Adds a program: as one tool that knows nothing of sessions, if the settings say how it is driven. Otherwise
    /// it is asked for its tools: those with session actions are sessions of a program that speaks lines, the
    /// others run once. The task ends with their names.
    ///
    /// # Errors
    ///
    /// `bad_option` at `/name` if it is to be one tool, and its program's name is no name for a tool.
    pub fn add_program(
        &self,
        command: Command,
        options: &str,
        caller: &Caller,
    ) -> Result<Task, Error> {
        let settings = Settings::read(options, caller)?;
        let process = Process::new(command, settings.process.options(None, caller));
        if let Some(driven) = settings.driven() {
            let description = driven.description(&process.command)?;
            let names = array([string(&description.name)]);
            let tool = driven_tool(process, driven, description);
            let (open, tool) = (Arc::clone(&self.0), settings.applied_to(tool));
            return Ok(self.spawn(async move {
                open.sessions.add(tool);
                Ok(names)
            }));
        }
        Ok(self.add(async { program_tools(process).await }, settings))
    }

    /// Adds the tools of a manifest: those with `session` are driven in a
    /// pseudo-terminal or on pipes, those whose programs describe session actions as sessions, and the others run
    /// once. The task ends with their names.
    ///
    /// # Errors
    ///
    /// `bad_option` if the settings say how a program is driven, which a manifest does itself.
    pub fn add_manifest(
        &self,
        manifest: &Manifest,
        options: &str,
        caller: &Caller,
    ) -> Result<Task, Error> {
        let settings = Settings::read(options, caller)?;
        settings.not_driven()?;
        let open = Arc::clone(&self.0);
        let tools = manifest.tools.values();
        let tools = tools.map(|tool| (tool.clone(), settings.process.options(Some(tool), caller)));
        let tools: Vec<_> = tools.collect();
        Ok(self.spawn(async move {
            let wanted = tools
                .into_iter()
                .filter(|(tool, _)| settings.takes(&tool.name));
            let mut ready = Vec::new();
            for (tool, options) in wanted {
                let made = manifest_tool(&tool, options).await?;
                ready.push(settings.applied_to(made).with_manifest(&tool));
            }
            // All of them or none.
            let mut names = Vec::new();
            for tool in ready {
                names.push(string(&tool.description.name));
                open.sessions.add(tool);
            }
            Ok(array(names))
        }))
    }

    /// Adds the functions of this program, whose calls [`Functions::next_call`] gives, as tools that run once.
    ///
    /// # Errors
    ///
    /// `bad_option` if the settings say how a program is driven.
    pub fn add_functions(
        &self,
        options: &str,
        caller: &Caller,
    ) -> Result<(Functions, Task), Error> {
        let settings = Settings::read(options, caller)?;
        settings.not_driven()?;
        let functions = Functions::new(&self.0.host);
        let transport: Arc<dyn Transport> = Arc::new(functions.in_process());
        let tools = async move {
            let described = described(&*transport).await?;
            let way = |description| SessionTool::one_shot(description, Arc::clone(&transport));
            Ok(described.into_iter().map(way).collect())
        };
        Ok((functions, self.add(tools, settings)))
    }

    fn add(
        &self,
        tools: impl Future<Output = Result<Vec<SessionTool>, ToolsError>> + Send + 'static,
        settings: Settings,
    ) -> Task {
        let open = Arc::clone(&self.0);
        self.spawn(async move {
            let mut names = Vec::new();
            for tool in tools.await? {
                if settings.takes(&tool.description.name) {
                    names.push(string(&tool.description.name));
                    open.sessions.add(settings.applied_to(tool));
                }
            }
            Ok(array(names))
        })
    }
}

/// A program that knows nothing of sessions.
fn driven_tool(process: Process, driven: &Driven, description: ToolDescription) -> SessionTool {
    let Process {
        command, options, ..
    } = process;
    let transport: Arc<dyn SessionTransport> = match driven.kind {
        SessionKind::Pty => {
            let mut terminal = PtyOptions::default();
            if let Some((columns, rows)) = driven.size {
                (terminal.columns, terminal.rows) = (columns, rows);
            }
            terminal.process = options;
            Arc::new(PtySession::new(command, terminal))
        }
        _ => Arc::new(PipeSession::new(command, options)),
    };
    SessionTool::new(description, transport)
}
