//! The tools of an MCP server, and the connection that carries their calls.

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use toolwire::call::ToolDescription;
use toolwire::json::array;
use toolwire::{Json, Limits, parse};
use toolwire_contract::profile::SchemaValidation;
use toolwire_host::{Control, HostError, Reply, SessionTool, Transport};
use toolwire_mcp::client::Client;

use super::{AddOptions, ToolsError};
use crate::{Expected, Folder, OpenFolder, Reached, Source};

/// A connection that the tools of a server share.
#[derive(Clone)]
pub(super) struct Connected(Arc<Shared>);

struct Shared {
    label: String,
    client: Mutex<Option<Client>>,
    /// There as long as the server's program.
    _folder: OpenFolder,
}

impl Connected {
    /// Connects to the server that a source is; with its tools and what there is to be warned of.
    pub(super) async fn open(
        source: Source,
        options: &AddOptions,
    ) -> Result<(Self, Vec<SessionTool>, Vec<String>), ToolsError> {
        let mut process = options.process.clone();
        process.timeout = None;
        let mut folder = Folder::Current.open()?;
        if let Reached::Program(program) = &source.reached {
            if !options.headers.is_empty() {
                let message = "`headers` are for servers with a URL; give a program its secrets in variables of its environment";
                return Err(ToolsError::new("bad_option", message));
            }
            for (name, value) in program.env.iter().chain(&options.env) {
                process.environment = process.environment.with(name.clone(), value.clone());
            }
            if process.cwd.is_none() {
                folder = program.folder.open()?;
                process.cwd = folder.path().map(PathBuf::from);
            }
        }
        let server = source.server(process, &options.headers)?;
        let mut reading = options.client.clone();
        reading.send_context |= source.context;
        reading.legacy |= source.legacy;
        reading.timeout = options.process.timeout.or(reading.timeout);
        let client = Client::connect(&source.label, &server, &reading).await?;
        let described = async {
            let tools = client.tools().await?;
            let warnings = compare(&source, &tools)?;
            Ok::<_, ToolsError>((tools, warnings))
        };
        let (tools, warnings) = match described.await {
            Ok(described) => described,
            Err(error) => {
                client.close().await;
                return Err(error);
            }
        };
        let connected = Connected(Arc::new(Shared {
            label: source.label,
            client: Mutex::new(Some(client)),
            _folder: folder,
        }));
        let tools = tools.into_iter().map(|tool| {
            let connected = connected.clone();
            SessionTool::each_call(tool, move || connected.call())
        });
        Ok((connected.clone(), tools.collect(), warnings))
    }

    fn call(&self) -> Arc<dyn Transport> {
        let client = self.0.client.lock();
        match &*client.unwrap_or_else(PoisonError::into_inner) {
            Some(client) => Arc::new(client.call()),
            None => Arc::new(Gone(self.0.label.clone())),
        }
    }

    pub(super) async fn close(&self) {
        let client = self.0.client.lock();
        let client = client.unwrap_or_else(PoisonError::into_inner).take();
        if let Some(client) = client {
            client.close().await;
        }
    }
}

/// What is not as a profile expects, or that the server is not used for it.
fn compare(source: &Source, tools: &[ToolDescription]) -> Result<Vec<String>, ToolsError> {
    let Some(expected) = Expected::of(source).filter(Expected::compares) else {
        return Ok(Vec::new());
    };
    let tools = Json::new(array(tools.iter().map(ToolDescription::to_json)))?;
    let differences = expected.differences(&tools)?;
    if differences.is_empty() {
        return Ok(differences);
    }
    let (says, advice) = (expected.says(), expected.advice());
    let message = format!("{says}: {}; {advice}", differences.join("; "));
    match expected.validation {
        SchemaValidation::Error => Err(ToolsError::new("unexpected_tools", message)),
        _ => Ok(vec![message]),
    }
}

/// A server whose connection was closed: what is called says so.
struct Gone(String);

impl Transport for Gone {
    fn send<'a>(
        &'a self,
        _document: &'a str,
        _control: &'a Control,
    ) -> Pin<Box<dyn Future<Output = Result<Reply, HostError>> + Send + 'a>> {
        let message = format!("the connection to the server `{}` is closed", self.0);
        let envelope = toolwire::build::error(&message, Default::default());
        let text = envelope.unwrap_or_default().to_json().into_bytes();
        Box::pin(async { Ok(Reply::new(parse(text, &Limits::default()))) })
    }
}
