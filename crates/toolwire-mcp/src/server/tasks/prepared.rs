//! A tool as one process prepares it for another one that runs it.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use toolwire::Limits;
use toolwire::call::Call;
use toolwire_host::handles::{How, Spawn};
use toolwire_host::manifest::TaskPolicy;
use toolwire_host::{
    Control, ExchangeOptions, HostError, Process, ProcessOptions, Reply, Transport,
};

/// All that is needed to run a tool where neither its manifest nor the environment of the server is known.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Prepared {
    /// The name that its program knows it by.
    pub own_name: String,
    /// Whether a call becomes a task, if its manifest says so: the word for it.
    pub task: Option<String>,
    /// How long it may write nothing.
    pub silence: Option<Duration>,
    /// What is started for this call.
    pub spawn: Spawn,
}

impl Prepared {
    pub fn task(&self) -> Option<TaskPolicy> {
        self.task.as_deref()?.parse().ok()
    }

    /// How its program is run.
    pub fn options(&self) -> ProcessOptions {
        ProcessOptions {
            timeout: self.spawn.session_time,
            silence: self.silence,
            ..self.spawn.process()
        }
    }

    /// Its program, run with these options.
    pub fn process(&self, options: ProcessOptions) -> Process {
        let mut process = Process::new(self.spawn.command(), options);
        process.plain = self.spawn.how == How::Plain;
        process
    }

    /// How its questions are answered.
    pub fn exchange(&self, usual: ExchangeOptions) -> ExchangeOptions {
        ExchangeOptions {
            questions: self.spawn.questions.clone(),
            refusals: self.spawn.refusals.clone(),
            ..usual
        }
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
