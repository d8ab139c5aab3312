//! A tool as one process prepares it for another one that runs it.

use std::future::Future;
use std::pin::Pin;

use toolwire::Limits;
use toolwire::call::Call;
use toolwire_host::manifest::TaskPolicy;
use toolwire_host::{
    Command, Control, ExchangeOptions, HostError, Process, ProcessOptions, Reply, Transport,
};

/// All that is needed to run a tool where neither its manifest nor the environment of the server is known.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// The name that its program knows it by.
    pub own_name: String,
    pub process: ProcessOptions,
    pub plain: bool,
    /// How its questions are answered.
    pub exchange: ExchangeOptions,
    /// Whether a call becomes a task, if its manifest says so.
    pub task: Option<TaskPolicy>,
    /// What is started for this call.
    pub command: Command,
}

impl Prepared {
    /// Its program, run with these options.
    pub fn process(&self, options: ProcessOptions) -> Process {
        let mut process = Process::new(self.command.clone(), options);
        process.plain = self.plain;
        process
    }
}

/// A transport to a program that knows its tool by another name.
pub struct Renamed<T> {
    pub inner: T,
    pub name: String,
}

impl<T: Transport> Transport for Renamed<T> {
    fn send<'a>(
        &'a self,
        document: &'a str,
        control: &'a Control,
    ) -> Pin<Box<dyn Future<Output = Result<Reply, HostError>> + Send + 'a>> {
        Box::pin(async move {
            let Ok(mut call) = Call::from_json(document.as_bytes(), &Limits::WIDEST) else {
                return self.inner.send(document, control).await;
            };
            call.name = Some(self.name.clone());
            self.inner.send(&call.to_json(), control).await
        })
    }

    fn carries_calls(&self) -> bool {
        self.inner.carries_calls()
    }
}
