//! What is done with the requests of a server.

use std::sync::{Arc, OnceLock};

use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, CustomRequest, CustomResult, ElicitationCapability,
    ErrorData, FormElicitationCapability, Implementation, UrlElicitationCapability,
};
use rmcp::service::{RequestContext, RoleClient};
use serde_json::json;
use tokio::sync::oneshot;
use toolwire::mcp::Revision;

use super::wire::{ELICITATION, Said, Wire};

/// A question of a server of an older revision, which waits for its answer.
#[derive(Debug)]
pub(super) struct Asked {
    /// The parameters of `elicitation/create`.
    pub params: String,
    /// Takes the result as JSON, or why there is none. Dropped, the question is cancelled.
    pub answer: oneshot::Sender<Result<String, String>>,
}

/// Passes questions on to the call that runs, and refuses everything else.
pub(super) struct Handler {
    pub wire: Arc<Wire>,
    pub revision: Arc<OnceLock<Revision>>,
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let elicitation = ElicitationCapability::new()
            .with_form(FormElicitationCapability::default())
            .with_url(UrlElicitationCapability::default());
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(elicitation);
        let info =
            Implementation::new("toolwire", env!("CARGO_PKG_VERSION")).with_title("Toolwire");
        ClientConfig::new(capabilities, info)
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleClient>,
    ) -> Result<CustomResult, ErrorData> {
        let params = self.wire.take_question(&context.id);
        let older = self.revision.get() != Some(&Revision::V2026_07_28);
        let (true, true, Some(params)) = (older, request.method == ELICITATION, params) else {
            return Err(ErrorData::new(
                rmcp::model::ErrorCode::METHOD_NOT_FOUND,
                "Toolwire does not know this request",
                None,
            ));
        };
        let (answer, answered) = oneshot::channel();
        self.wire.tell(Said::Asked(Asked { params, answer }));
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
