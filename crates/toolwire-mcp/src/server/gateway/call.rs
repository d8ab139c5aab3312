//! One call of a tool of a server, as a transport.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};

use tokio::sync::OnceCell;
use toolwire::lines::Trace;
use toolwire_host::{Control, HostError, Reply, Transport};

use super::Gateway;
use crate::client::ToolCall;
use crate::lock;
use crate::server::gate::{cancelled, told};

impl Gateway {
    /// A way to one of its tools, for one call of a principal.
    pub(in crate::server) fn call(
        &self,
        principal: &str,
        tool: &str,
        trace: Trace,
        parked: Parked,
    ) -> GatewayCall {
        GatewayCall {
            gateway: self.clone(),
            principal: principal.to_owned(),
            tool: tool.to_owned(),
            trace,
            parked,
            call: OnceCell::new(),
        }
    }

    /// Connects for a call, and looks at the tool on that connection.
    async fn begin(&self, principal: &str, tool: &str) -> Result<ToolCall, Refusal> {
        let link = self.link(principal);
        let later = |message: String| Refusal {
            message,
            transient: true,
        };
        let (call, seen) = self.admitted(&link).await.map_err(later)?;
        let is_there = seen.tools.iter().any(|other| other.name == tool);
        let why = match seen.refused {
            Err(why) => why,
            Ok(_) if !is_there => {
                let label = &self.label;
                format!("the server `{label}` has no tool `{tool}` any more; list the tools again")
            }
            Ok(mut refused) => match refused.remove(tool) {
                Some(why) => why,
                None => return Ok(call),
            },
        };
        Err(Refusal {
            message: format!("{why}; it was not called"),
            transient: false,
        })
    }
}

/// Why a call is not made.
struct Refusal {
    message: String,
    transient: bool,
}

/// One call of a tool of a server.
pub(in crate::server) struct GatewayCall {
    gateway: Gateway,
    principal: String,
    tool: String,
    trace: Trace,
    parked: Parked,
    call: OnceCell<ToolCall>,
}

/// Where a call is left that waits for answers, for a client that is asked by a result.
#[derive(Debug, Clone, Default)]
pub(in crate::server) struct Parked(Arc<Mutex<Option<String>>>);

impl Parked {
    /// What it takes to go on, if that was left.
    pub(in crate::server) fn get(&self) -> Option<String> {
        lock(&self.0).clone()
    }

    pub(in crate::server) fn set(&self, parked: Option<String>) {
        *lock(&self.0) = parked;
    }
}

impl Transport for GatewayCall {
    fn send<'a>(
        &'a self,
        document: &'a str,
        control: &'a Control,
    ) -> Pin<Box<dyn Future<Output = Result<Reply, HostError>> + Send + 'a>> {
        Box::pin(async move {
            let begin = async || {
                let begun = self.gateway.begin(&self.principal, &self.tool).await?;
                let begun = begun.in_trace(self.trace.clone());
                match self.parked.get() {
                    Some(parked) => begun.going_on(&parked).ok_or_else(|| Refusal {
                        message: "the server can't go on with this call; make it anew".to_owned(),
                        transient: false,
                    }),
                    None => Ok(begun),
                }
            };
            let call = tokio::select! {
                biased;
                () = control.cancelled() => return Ok(cancelled()),
                call = self.call.get_or_try_init(begin) => call,
            };
            match call {
                Ok(call) => {
                    let reply = call.send(document, control).await;
                    self.parked.set(call.parked());
                    reply
                }
                Err(Refusal { message, transient }) => Ok(told(&message, transient)),
            }
        })
    }
}
