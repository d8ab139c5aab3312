//! What is done with the requests of a server.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, CustomRequest, CustomResult, ElicitationCapability,
    ErrorData, FormElicitationCapability, Implementation, TASKS_EXTENSION_ID,
    UrlElicitationCapability,
};
use rmcp::service::{RequestContext, RoleClient};
use serde_json::json;
use tokio::sync::oneshot;
use tokio::time::timeout;
use toolwire::mcp::Revision;

use super::queue::Said;
use super::wire::{ELICITATION, Wire};

/// A question of a server of an older revision, which waits for its answer.
#[derive(Debug)]
pub(super) struct Asked {
    /// The parameters of `elicitation/create`.
    pub params: String,
    /// Whether the server says which call asks it.
    pub told: bool,
    /// Takes the result as JSON, or why there is none. Dropped, the question is cancelled.
    pub answer: oneshot::Sender<Result<String, String>>,
}

/// Passes questions on to the call that runs, and refuses everything else.
pub(super) struct Handler {
    pub wire: Arc<Wire>,
    pub revision: Arc<OnceLock<Revision>>,
    /// How long a question waits until it is known which call asks it.
    pub held: Duration,
    /// Whether calls may become tasks.
    pub tasks: bool,
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let elicitation = ElicitationCapability::new()
            .with_form(FormElicitationCapability::default())
            .with_url(UrlElicitationCapability::default());
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(elicitation);
        if self.tasks {
            let tasks = (TASKS_EXTENSION_ID.to_owned(), Default::default());
            capabilities.extensions = Some([tasks].into_iter().collect());
        }
        let info =
            Implementation::new("toolwire", env!("CARGO_PKG_VERSION")).with_title("Toolwire");
        ClientConfig::new(capabilities, info)
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleClient>,
    ) -> Result<CustomResult, ErrorData> {
        let posed = self.wire.take_question(&context.id);
        let older = self.revision.get() != Some(&Revision::V2026_07_28);
        let (true, true, Some(posed)) = (older, request.method == ELICITATION, posed) else {
            return Err(ErrorData::new(
                rmcp::model::ErrorCode::METHOD_NOT_FOUND,
                "Toolwire does not know this request",
                None,
            ));
        };
        let owner = tokio::select! {
            owner = timeout(self.held, self.wire.owner(&posed)) => owner,
            () = context.ct.cancelled() => return Ok(cancelled()),
        };
        let Ok(owner) = owner else {
            let message = "several calls are open, and nothing says which of them asks this";
            return Err(ErrorData::invalid_request(message, None));
        };
        let (answer, answered) = oneshot::channel();
        if let Some(owner) = owner {
            let asked = Asked {
                params: posed.params,
                told: posed.told,
                answer,
            };
            self.wire.ask(owner, Said::Asked(asked));
        } else {
            drop(answer);
        }
        let result = tokio::select! {
            result = answered => result,
            // The server does not want to know any more.
            () = context.ct.cancelled() => return Ok(cancelled()),
        };
        match result {
            Ok(Ok(result)) => Ok(CustomResult::new(self.wire.with_result(result))),
            Ok(Err(message)) => Err(ErrorData::invalid_params(message, None)),
            // No call runs that could ask it, or the call was given up.
            Err(_) => Ok(cancelled()),
        }
    }
}

fn cancelled() -> CustomResult {
    CustomResult::new(json!({ "action": "cancel" }))
}
