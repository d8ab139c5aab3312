//! What a request says of itself: its parameters, its client, and its revision.

use toolwire::Json;
use toolwire::event::Level;
use toolwire::json::ObjectWriter;
use toolwire::json::pointer::join;
use toolwire::lines::Trace;
use toolwire::mcp::Revision;
use toolwire_rpc::{Caller, Id, Message, RpcError};

use super::error::{INVALID_PARAMS, Refusal};
use crate::trace::of_request;

/// Members of `_meta`, as JSON Pointers and by their names.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// Code of an error: the version is not spoken.
const UNSUPPORTED_VERSION: i32 = -32022;

/// The members that the parameters of some method have.
const NAMES: [&str; 10] = [
    "_meta",
    "name",
    "arguments",
    "inputResponses",
    "requestState",
    "cursor",
    "taskId",
    "uri",
    "level",
    "notifications",
];

/// Those members of one request, verbatim.
#[derive(Debug, Default)]
pub(super) struct Params<'a>([Option<&'a str>; NAMES.len()]);

impl<'a> Params<'a> {
    pub(super) fn of(message: &'a Message) -> Result<Self, RpcError> {
        if message.body().is_none() {
            return Ok(Params::default());
        }
        let members = message.members(NAMES).map(Params);
        members.ok_or_else(|| bad_params(message.method()))
    }

    /// The same with another call.
    pub(super) fn with_call(mut self, name: Option<&'a str>, arguments: Option<&'a str>) -> Self {
        for (member, value) in [("name", name), ("arguments", arguments)] {
            if let Some(at) = NAMES.iter().position(|one| *one == member) {
                self.0[at] = value;
            }
        }
        self
    }

    pub(super) fn get(&self, name: &str) -> Option<&'a str> {
        let at = NAMES.iter().position(|one| *one == name)?;
        self.0[at]
    }
}

/// A parameter that is a string.
pub(super) fn text(value: Option<&str>) -> Option<String> {
    serde_json::from_str(value?).ok()
}

/// A parameter that is an object, if it is there.
pub(super) fn object(method: &str, value: Option<&str>) -> Result<Option<Json>, RpcError> {
    let Some(value) = value else {
        return Ok(None);
    };
    if !value.starts_with('{') {
        return Err(bad_params(method));
    }
    let read = Json::new(value).map_err(|error| {
        let message = format!("the parameters of `{method}` are not used: {error}");
        Refusal::BadParams.because(message)
    });
    read.map(Some)
}

pub(super) fn bad_params(method: &str) -> RpcError {
    let message = format!("the parameters are not those of `{method}`");
    Refusal::BadParams.because(message)
}

/// A client, as it has introduced itself.
#[derive(Debug, Clone)]
pub(super) struct Client {
    /// What it calls itself.
    pub name: Option<String>,
    pub capabilities: Json,
}

impl Client {
    pub(super) fn new(info: Option<&Json>, capabilities: Json) -> Self {
        let named = |pointer| info.and_then(|info| info.at(pointer)?.to_text());
        Client {
            name: named("/title").or_else(|| named("/name")),
            capabilities,
        }
    }

    pub(super) fn knows_tasks(&self) -> bool {
        let pointer = "/extensions/io.modelcontextprotocol~1tasks";
        self.capabilities.at(pointer).is_some()
    }
}

/// A request that may be answered: whose it is, and the way back.
#[derive(Debug)]
pub(super) struct Context {
    pub caller: Caller,
    pub revision: Revision,
    pub client: Client,
    /// Its id, as its client spelled it.
    pub id: Id,
    pub meta: Option<Json>,
}

impl Context {
    /// `hello` is what its client has said in its handshake.
    ///
    /// # Errors
    ///
    /// If it says too little of itself, or wants a revision that is not spoken.
    pub(super) fn new(
        hello: Option<(Revision, Client)>,
        caller: &Caller,
        message: &Message,
        params: &Params<'_>,
    ) -> Result<Self, RpcError> {
        let method = message.method();
        let meta = object(method, params.get("_meta"))?;
        let version = version(meta.as_ref());
        let revision = match &version {
            Some(version) => Some(version.parse().map_err(|_| unsupported(version))?),
            None => hello.as_ref().map(|(revision, _)| *revision),
        };
        let needs_all = method == "server/discover"
            || (revision.is_none() && method != "ping")
            || revision == Some(Revision::V2026_07_28);
        if let Some(error) = lacking(meta.as_ref()).filter(|_| needs_all) {
            return Err(error);
        }
        let of_meta = |pointer: &str| meta.as_ref().and_then(|meta| meta.at(pointer));
        let client = match (of_meta(&join("", CAPABILITIES)), hello) {
            (Some(declared), _) => {
                let info = of_meta("/io.modelcontextprotocol~1clientInfo");
                Client::new(info.as_ref(), declared)
            }
            (None, Some((_, client))) => client,
            (None, None) => Client::new(None, Json::empty_object()),
        };
        Ok(Context {
            caller: caller.clone(),
            revision: revision.unwrap_or(Revision::V2025_06_18),
            client,
            id: message.id().unwrap_or(caller.id()).clone(),
            meta,
        })
    }

    pub(super) fn trace(&self) -> Trace {
        self.meta.as_ref().map(of_request).unwrap_or_default()
    }

    /// The token with which the client wants to hear of progress.
    pub(super) fn progress_token(&self) -> Option<Json> {
        let token = self.meta.as_ref()?.at("/progressToken")?;
        let is_token = !token.as_str().starts_with(['{', '[', 't', 'f', 'n']);
        is_token.then_some(token)
    }

    /// From which level on the client wants the log, by what the request itself says.
    pub(super) fn log_level(&self) -> Option<Level> {
        let level = self
            .meta
            .as_ref()?
            .at("/io.modelcontextprotocol~1logLevel")?;
        level.to_text()?.parse().ok()
    }
}

/// The version that a request names itself.
pub(super) fn version(meta: Option<&Json>) -> Option<String> {
    meta?.at(&join("", VERSION))?.to_text()
}

/// What is wrong with the `_meta` of a request of 2026-07-28, which says all that an older revision agrees on before.
pub(super) fn lacking(meta: Option<&Json>) -> Option<RpcError> {
    let declared = meta.and_then(|meta| meta.at(&join("", CAPABILITIES)));
    let has_capabilities = declared.is_some_and(|declared| declared.as_str().starts_with('{'));
    let lacks = match (version(meta).is_some(), has_capabilities) {
        (true, true) => return None,
        (true, false) => format!("`{CAPABILITIES}`"),
        (false, true) => format!("`{VERSION}`"),
        (false, false) => format!("`{VERSION}` and `{CAPABILITIES}`"),
    };
    let message = format!("the `_meta` of the request needs {lacks}");
    Some(RpcError::new(INVALID_PARAMS, message))
}

/// The refusal of a version that is not spoken.
pub(super) fn unsupported(version: &str) -> RpcError {
    let data = ObjectWriter::new()
        .text("requested", version)
        .json("supported", supported_versions())
        .end();
    let spoken: Vec<&str> = Revision::ALL.iter().map(|one| one.as_str()).collect();
    let spoken = spoken.join(", ");
    let message = format!("the version `{version}` is not spoken here; use one of {spoken}");
    RpcError {
        data: Some(data),
        ..RpcError::new(UNSUPPORTED_VERSION, message)
    }
}

/// The revisions that are spoken, as JSON.
pub(super) fn supported_versions() -> String {
    let all = Revision::ALL.iter();
    toolwire::json::array(all.map(|revision| toolwire::json::string(revision.as_str())))
}
