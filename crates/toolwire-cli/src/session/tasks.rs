//! The tasks of servers over stdin and stdout, in the session host of their workspace.

use std::ffi::OsString;
use std::future::Future;
use std::pin::Pin;

use toolwire::session::SessionState;
use toolwire_host::handles::Listed;
use toolwire_mcp::server::{TaskKeeper, TaskLink};
use toolwire_session_host::{KeepTasks, TaskReader, TaskWriter};

use super::host_of;

/// The way from a server to the host of the workspace with this root, if one was given. `program` is how this process
/// was started, which starts the host.
pub fn link(program: OsString, root: Option<String>) -> TaskLink {
    TaskLink::new(move |start| {
        let host = host_of(root.as_deref(), &program);
        async move {
            let host = host.map_err(|failure| failure.message())?;
            let found = host.tasks(start).await;
            found.map_err(|error| error.to_string())
        }
    })
}

/// What a host keeps beside handles.
#[derive(Debug, Default)]
pub struct Tasks(TaskKeeper);

impl KeepTasks for Tasks {
    fn serve(
        &self,
        read: TaskReader,
        write: TaskWriter,
    ) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(self.0.serve(read, write))
    }

    fn list(&self) -> Vec<Listed> {
        let tasks = self.0.list().into_iter();
        let listed = tasks.map(|task| Listed {
            id: task.id,
            tool: task.tool,
            command: Vec::new(),
            started: None,
            state: match task.status {
                "working" => SessionState::Running,
                "input_required" => SessionState::Waiting,
                _ => SessionState::Stopped,
            },
            asks: None,
            person: false,
            terminal: false,
            task: true,
            progress: None,
            end: None,
        });
        listed.collect()
    }

    fn cancel(&self, id: &str) -> bool {
        self.0.cancel(id)
    }

    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(self.0.close())
    }
}
