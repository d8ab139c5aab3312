//! A client of rmcp, the official SDK for Rust, that carries out a plan (`clients/README.md`), and with
//! `serve FILE` a server that answers with results from a file (`servers/README.md`).

// Older revisions have logging, which the newest deprecates.
#![allow(deprecated)]

mod server;

use std::collections::VecDeque;
use std::error::Error;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, ClientConfig, CustomNotification, ElicitRequestParams, ElicitResult,
    ErrorData, LoggingMessageNotificationParam, ProgressNotificationParam, ProtocolVersion,
};
use rmcp::service::{
    ClientLifecycleMode, NotificationContext, RequestContext, RunningService, ServiceError,
    serve_client_with_lifecycle,
};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientHandler, RoleClient};
use serde_json::{Value, json};

/// What is left to answer, and what has been seen.
#[derive(Default)]
struct Seen {
    answers: VecDeque<Value>,
    elicitations: Vec<Value>,
    completed: Vec<Value>,
    logs: Vec<Value>,
    progress: Vec<Value>,
}

struct Peer {
    config: ClientConfig,
    seen: Arc<Mutex<Seen>>,
}

impl Peer {
    fn seen(&self) -> std::sync::MutexGuard<'_, Seen> {
        self.seen
            .lock()
            .unwrap_or_else(|broken| broken.into_inner())
    }
}

fn written(value: impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

impl ClientHandler for Peer {
    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let mut seen = self.seen();
        seen.elicitations.push(written(&request));
        let answer = seen.answers.pop_front();
        let answer = answer.unwrap_or_else(|| json!({"action": "cancel"}));
        serde_json::from_value(answer)
            .map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }

    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        self.seen().progress.push(written(&params));
    }

    async fn on_custom_notification(
        &self,
        notification: CustomNotification,
        _context: NotificationContext<RoleClient>,
    ) {
        if notification.method == "notifications/elicitation/complete" {
            self.seen().completed.extend(notification.params);
        }
    }

    async fn on_logging_message(
        &self,
        params: LoggingMessageNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        self.seen().logs.push(written(&params));
    }

    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    if let Some(file) = std::env::args_os().nth(2) {
        return runtime.block_on(server::serve(&std::fs::read_to_string(file)?));
    }
    let plan: Value = serde_json::from_reader(std::io::stdin())?;
    println!("{}", runtime.block_on(carry_out(&plan))?);
    Ok(())
}

async fn carry_out(plan: &Value) -> Result<Value, Box<dyn Error>> {
    let seen = Arc::new(Mutex::new(Seen {
        answers: list(&plan["answers"]).into(),
        ..Seen::default()
    }));
    let revision: ProtocolVersion = serde_json::from_value(plan["revision"].clone())?;
    let capabilities = if plan["elicitation"].as_bool() == Some(true) {
        json!({"elicitation": {"form": {}, "url": {}}})
    } else {
        json!({})
    };
    let config: ClientConfig = serde_json::from_value(json!({
        "protocolVersion": revision,
        "capabilities": capabilities,
        "clientInfo": {"name": "rmcp", "version": "1"},
    }))?;
    let lifecycle = if revision >= ProtocolVersion::V_2026_07_28 {
        ClientLifecycleMode::Discover {
            preferred_versions: vec![revision],
        }
    } else {
        ClientLifecycleMode::Initialize
    };
    let peer = Peer {
        config,
        seen: Arc::clone(&seen),
    };
    let server = &plan["server"];
    let timeout = Duration::from_millis(plan["timeout"].as_u64().unwrap_or(120_000));
    let (revision, tools, calls) = if let Some(url) = server["url"].as_str() {
        // An error would mean that there is one already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut config = StreamableHttpClientTransportConfig::with_uri(url);
        if let Some(token) = server["token"].as_str() {
            config = config.auth_header(token);
        }
        let transport = StreamableHttpClientTransport::from_config(config);
        let session = serve_client_with_lifecycle(peer, transport, lifecycle).await?;
        call_all(session, plan, timeout, &seen).await?
    } else {
        let mut command = tokio::process::Command::new(text(&server["command"]));
        for arg in list(&server["args"]) {
            command.arg(text(&arg));
        }
        for (name, value) in server["env"].as_object().into_iter().flatten() {
            command.env(name, text(value));
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let pipes = (child.stdout.take(), child.stdin.take());
        let (Some(out), Some(input)) = pipes else {
            return Err("the server has no pipes".into());
        };
        let session = serve_client_with_lifecycle(peer, (out, input), lifecycle).await?;
        let report = call_all(session, plan, timeout, &seen).await?;
        child.wait().await?;
        report
    };
    let seen = seen.lock().unwrap_or_else(|broken| broken.into_inner());
    Ok(json!({
        "client": "rmcp",
        "revision": revision,
        "tools": tools,
        "calls": calls,
        "elicitations": seen.elicitations,
        "completed": seen.completed,
        "logs": seen.logs,
    }))
}

type Report = (Value, Value, Vec<Value>);

async fn call_all(
    session: RunningService<RoleClient, Peer>,
    plan: &Value,
    timeout: Duration,
    seen: &Mutex<Seen>,
) -> Result<Report, Box<dyn Error>> {
    let revision = session
        .peer_info()
        .map(|info| info.protocol_version.clone());
    let tools = written(session.list_all_tools().await?);
    let modern = revision
        .as_ref()
        .is_some_and(|spoken| *spoken >= ProtocolVersion::V_2026_07_28);
    if let Some(level) = plan.get("logLevel").filter(|_| !modern) {
        let level = serde_json::from_value(json!({"level": level}))?;
        session.set_level(level).await?;
    }
    let mut calls = Vec::new();
    for call in list(&plan["calls"]) {
        let mut params = CallToolRequestParams::new(text(&call["name"]));
        params.arguments = call["arguments"].as_object().cloned();
        if call["_meta"].is_object() {
            params.meta = Some(serde_json::from_value(call["_meta"].clone())?);
        }
        let mut entry = json!({"name": call["name"]});
        match tokio::time::timeout(timeout, session.call_tool(params)).await {
            Ok(Ok(result)) => entry["result"] = written(&result),
            Ok(Err(ServiceError::McpError(error))) => entry["error"] = written(&error),
            Ok(Err(error)) => entry["error"] = json!({"message": error.to_string()}),
            Err(_) => entry["error"] = json!({"message": "timed out"}),
        }
        let mut seen = seen.lock().unwrap_or_else(|broken| broken.into_inner());
        entry["progress"] = std::mem::take(&mut seen.progress).into();
        calls.push(entry);
    }
    session.cancel().await?;
    Ok((written(revision), tools, calls))
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
