//! A model's call, and the envelope to send back (HOST-1 to HOST-3).

use toolwire::call::{AnswerSource, Call, SessionAction};
use toolwire::session::{Refusal, SessionCommand, SessionState, read_command};
use toolwire::{Code, Json};

use super::fetched::{Fetched, error_envelope};
use super::handle::Handle;
use super::registry::Sessions;
use super::tool::Way;
use super::{ApprovalRequest, FetchOptions, SessionAnswerer, SessionTool, SpawnOptions};
use crate::{CallOptions, HostError, Nobody};

impl Sessions {
    /// Takes a model's call of a tool, and gives the JSON text of the envelope to send back. What is refused, and a
    /// tool that can't be run, is an error envelope that says what is possible instead.
    ///
    /// A tool whose description has session actions is driven by the actions of chapter 21. Any other is called as
    /// [`call`](Sessions::call) does, and `action`, `id` and `input` are its own.
    pub async fn handle(&self, tool: &str, arguments: &Json) -> String {
        match self.answer(tool, arguments).await {
            Ok(envelope) => envelope,
            Err(error) => error_envelope(&error.to_string()),
        }
    }

    async fn answer(&self, name: &str, arguments: &Json) -> Result<String, HostError> {
        let tool = self.tool(name)?;
        if !tool.has_actions() {
            return self
                .call(name, tool.call(arguments.clone()), AnswerSource::Assistant)
                .await;
        }
        Ok(match read_command(arguments, &tool.description) {
            Ok(command) => self.carry_out(&tool, command).await.envelope,
            Err(error) => {
                let id = arguments.at("/id").and_then(|id| id.to_text());
                Fetched::mistaken(&id.unwrap_or_default(), &error).envelope
            }
        })
    }

    async fn carry_out(
        &self,
        tool: &std::sync::Arc<SessionTool>,
        command: SessionCommand,
    ) -> Fetched {
        let by = AnswerSource::Assistant;
        if let SessionCommand::Spawn { id, arguments } = command {
            let call = tool.call(arguments);
            return self
                .spawn_tool(&id, tool, call, by, &SpawnOptions::default())
                .await;
        }
        let id = command.id().to_owned();
        let handle = match self.0.find(&id) {
            // A handle of another tool is none of this one.
            Some(handle) if handle.tool().description.name == tool.description.name => handle,
            Some(handle) => return of_another(&handle),
            None => return self.unknown_of(&id, tool),
        };
        match command {
            SessionCommand::Fetch {
                after,
                wait,
                until,
                view,
                ..
            } => {
                // Whoever waits for a text has not said how long, and means it to come.
                let wait = wait.or(until.is_some().then_some(self.0.options.max_wait));
                let options = FetchOptions {
                    after,
                    wait: wait.map(|wait| wait.min(self.0.options.max_wait)),
                    until,
                    view,
                    ..FetchOptions::default()
                };
                self.fetch_handle(&handle, by, &options).await
            }
            SessionCommand::Apply { what, question, .. } => {
                let options = FetchOptions::default();
                self.apply_handle(&handle, what, question.as_deref(), by, &options)
                    .await
            }
            _ => {
                self.abort_handle(&handle, by, &FetchOptions::default())
                    .await
            }
        }
    }

    fn unknown_of(&self, id: &str, tool: &SessionTool) -> Fetched {
        let mut fetched = self.unknown(id);
        let spawns = tool.description.actions.contains(&SessionAction::Spawn);
        if let Some(refusal) = &mut fetched.refusal
            && !spawns
        {
            refusal.possible.clear();
            return Fetched::refused(id, SessionState::Absent, refusal.clone());
        }
        fetched
    }

    /// Calls a tool as one that runs once, without a handle, and gives the JSON text of its envelope. A tool that
    /// runs once is called as [`call()`](crate::call()) calls it; one that keeps running is started, its questions
    /// go to the answerer, and what it says until it has stopped is the result.
    ///
    /// # Errors
    ///
    /// `unknown_tool`, and those of [`call()`](crate::call()).
    pub async fn call(
        &self,
        tool: &str,
        call: Call,
        by: AnswerSource,
    ) -> Result<String, HostError> {
        let tool = self.tool(tool)?;
        let mut request = ApprovalRequest::new(&tool.description.name, SessionAction::Spawn, by);
        request.arguments = Some(call.arguments.clone());
        if let Some(refusal) = self.disapproved(&tool, request).await {
            return Ok(error_envelope(&refusal.message));
        }
        match &tool.way {
            Way::Session(_) => Ok(self.run_to_end(&tool, call).await),
            Way::Once(transport) => {
                let transport = transport();
                let options = CallOptions {
                    exchange: tool.exchange.clone(),
                    ..CallOptions::default()
                };
                let answerer = self.0.options.answerer.clone();
                let mut answerer = answerer.unwrap_or_else(|| SessionAnswerer::new(Nobody));
                let outcome = crate::call(&*transport, call, &options, &mut answerer).await?;
                Ok(String::from_utf8_lossy(outcome.parsed.document()).into_owned())
            }
        }
    }
}

/// The refusal of a handle that is of another tool than the called one (HOST-3).
fn of_another(handle: &Handle) -> Fetched {
    let (id, tool) = (&handle.id, handle.tool());
    let name = &tool.description.name;
    let message = format!("`{id}` is a handle of the tool `{name}`: call that one");
    let refusal = Refusal::new(Code::UnknownHandle, message, Vec::new());
    Fetched::refused(id, handle.state(), refusal)
}
