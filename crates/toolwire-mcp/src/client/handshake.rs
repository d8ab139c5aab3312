//! Agrees with a server on a revision.

use std::time::Duration;

use tokio::time::timeout;
use toolwire::Json;
use toolwire::json::{Document, Kind, Node, string};
use toolwire::mcp::Revision;
use toolwire_rpc::{Closed, Damage, Failure, Part, Peer};

use super::request::{Request, capabilities, client_info};
use super::router::Router;

/// How long the answer to the first request is waited for. A server that does not know it need not answer.
const PROBE: Duration = Duration::from_secs(10);

/// The versions of MCP that can be spoken, the newest first. The last two are parts of 2025-06-18.
const VERSIONS: [&str; 5] = [
    "2026-07-28",
    "2025-11-25",
    "2025-06-18",
    "2025-03-26",
    "2024-11-05",
];

/// What a server says of itself.
#[derive(Debug, Default)]
pub(super) struct About {
    pub name: Option<String>,
    pub instructions: Option<String>,
    pub tools: Declared,
    pub resources: Declared,
    pub prompts: Declared,
    /// Whether it knows what Toolwire adds to calls.
    pub knows_toolwire: bool,
}

/// What a server declares of one kind of what it offers.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Declared {
    pub is_there: bool,
    /// Whether it tells of changes of the list.
    pub tells: bool,
}

/// Why there is no agreement.
#[derive(Debug)]
pub(super) enum Refused {
    /// It wants an authorization.
    Unauthorized,
    /// It speaks none of the versions; the one that it speaks, if it says so.
    NoCommonRevision(Option<String>),
    /// A sentence about it.
    Unusable(String),
    Closed(Closed),
}

/// Agrees on a revision: each version is asked for at most once, those that an error names included.
pub(super) async fn agree(
    peer: &Peer,
    router: &Router,
    tasks: bool,
) -> Result<(Revision, About), Refused> {
    let newest = VERSIONS[0];
    let mut tried = Vec::new();
    let mut version = newest;
    // A package that is installed first, for instance, is slow to answer, and no older server for that.
    let mut was_slow = false;
    // Some refuse a version that they list as supported, and take it the next time.
    let mut asked_again = false;
    loop {
        tried.push(version);
        let is_newest = version == newest;
        let answer = match is_newest {
            true => {
                let request = Request {
                    method: "server/discover",
                    ..Request::default()
                };
                let mut pending = request
                    .send(peer, version, tasks)
                    .await
                    .map_err(Refused::Closed)?;
                let limit = if was_slow { Duration::MAX } else { PROBE };
                match timeout(limit, pending.answer()).await {
                    Ok(answer) => answer,
                    Err(_) => {
                        pending.forget();
                        was_slow = true;
                        version = VERSIONS[1];
                        continue;
                    }
                }
            }
            false => initialize(peer, version).await,
        };
        let refused = match answer {
            Ok(result) if is_newest => match supported(&result) {
                // An older server may answer every request with an empty result.
                None => None,
                Some(versions) if versions.iter().any(|one| one == newest) => {
                    router.agree(Revision::V2026_07_28, newest);
                    return Ok((Revision::V2026_07_28, About::of(&result)));
                }
                Some(versions) => {
                    let common = VERSIONS
                        .iter()
                        .find(|one| versions.iter().any(|other| other == *one));
                    version = common.ok_or(Refused::NoCommonRevision(versions.first().cloned()))?;
                    continue;
                }
            },
            Ok(result) => return initialized(peer, router, &result).await,
            Err(Failure::Closed(why)) => return Err(Refused::Closed(why)),
            Err(Failure::Unusable(damage)) if damage.code == 401 => {
                return Err(Refused::Unauthorized);
            }
            Err(Failure::Unusable(damage)) if damage.code == 0 => {
                return Err(Refused::Unusable(damage.to_string()));
            }
            Err(failure) => Some(failure),
        };
        let words = match &refused {
            Some(Failure::Refused(error)) => error.to_string(),
            Some(Failure::Unusable(damage)) => damage.to_string(),
            _ => String::new(),
        };
        if is_newest && !asked_again && lists(refused.as_ref(), version) {
            asked_again = true;
            continue;
        }
        if was_slow && !is_newest && words.contains(newest) {
            tried.retain(|one| *one != newest);
        }
        let named = VERSIONS
            .into_iter()
            .find(|one| words.contains(one) && !tried.contains(one));
        let fallback = Some(VERSIONS[1]).filter(|older| is_newest && !tried.contains(older));
        version = match (named.or(fallback), refused) {
            (Some(next), _) => next,
            (None, Some(Failure::Refused(error))) => {
                return Err(Refused::Unusable(refusal(&error)));
            }
            (None, Some(Failure::Unusable(damage))) => {
                return Err(Refused::Unusable(unusable(&damage)));
            }
            (None, _) => return Err(Refused::Unusable(NO_SERVER.to_owned())),
        };
    }
}

const NO_SERVER: &str = "it does not answer as a server of MCP does";

async fn initialize(peer: &Peer, version: &str) -> Result<Part, Failure> {
    let request = Request {
        method: "initialize",
        params: vec![
            ("protocolVersion", string(version)),
            // No older revision has the extensions that are declared.
            ("capabilities", capabilities(false)),
            ("clientInfo", client_info()),
        ],
        ..Request::default()
    };
    let mut pending = request
        .send(peer, version, false)
        .await
        .map_err(Failure::Closed)?;
    pending.answer().await
}

async fn initialized(
    peer: &Peer,
    router: &Router,
    result: &Part,
) -> Result<(Revision, About), Refused> {
    let version = Document::new(result).ok();
    let version = version
        .as_ref()
        .and_then(|result| result.root().get("protocolVersion")?.as_str());
    let Some(version) = version else {
        return Err(Refused::Unusable(NO_SERVER.to_owned()));
    };
    let revision = match &*version {
        "2025-03-26" | "2024-11-05" => Ok(Revision::V2025_06_18),
        version => version.parse(),
    };
    let Ok(revision) = revision else {
        return Err(Refused::NoCommonRevision(Some(version.into_owned())));
    };
    router.agree(revision, &version);
    let sent = peer.notify("notifications/initialized", "{}").await;
    sent.map_err(Refused::Closed)?;
    Ok((revision, About::of(result)))
}

/// The versions that the answer to `server/discover` names.
fn supported(result: &str) -> Option<Vec<String>> {
    let document = Document::new(result).ok()?;
    let root = document.root();
    if root
        .get("capabilities")
        .is_some_and(|all| all.kind() != Kind::Object)
    {
        return None;
    }
    let versions = root
        .get("supportedVersions")
        .filter(|all| all.kind() == Kind::Array)?;
    let texts = versions
        .elements()
        .filter_map(|one| Some(one.as_str()?.into_owned()));
    Some(texts.collect())
}

/// Whether an error lists a version as supported.
fn lists(refused: Option<&Failure>, version: &str) -> bool {
    let Some(Failure::Refused(error)) = refused else {
        return false;
    };
    Document::new(error).is_ok_and(|error| {
        let supported = error
            .root()
            .get("data")
            .and_then(|data| data.get("supported"));
        let mut versions = supported.into_iter().flat_map(|all| all.elements());
        versions.any(|one| one.is_str(version))
    })
}

/// What a server says that refuses `initialize`.
fn refusal(error: &str) -> String {
    let error = Json::new(error).ok();
    let get = |pointer: &str| error.as_ref().and_then(|error| error.at(pointer));
    let message = get("/message")
        .and_then(|message| message.to_text())
        .unwrap_or_default();
    let code = get("/code").map_or_else(String::new, |code| format!(" ({code})"));
    format!("it refused to be initialized: {message}{code}")
}

/// What is wrong with an answer, and what it is.
fn unusable(damage: &Damage) -> String {
    match damage.code {
        0.. => damage.to_string(),
        _ => format!("its answer can't be used: it {damage}"),
    }
}

impl About {
    fn of(result: &str) -> About {
        let Ok(document) = Document::new(result) else {
            return About::default();
        };
        let root = document.root();
        let text = |node: Option<Node<'_>>| node.and_then(|node| Some(node.as_str()?.into_owned()));
        let meta = root.get("_meta");
        let server = root
            .get("serverInfo")
            .or_else(|| meta?.get("io.modelcontextprotocol/serverInfo"));
        let all = root.get("capabilities");
        let has = |name: &str| all.and_then(|all| all.get(name));
        let declares = |name: &str| {
            has(name)
                .and_then(|list| list.get("dev.toolwire"))
                .is_some()
        };
        let declared = |name: &str| Declared {
            is_there: has(name).is_some(),
            tells: has(name).and_then(|list| list.get("listChanged")?.as_bool()) == Some(true),
        };
        About {
            name: text(
                server.and_then(|server| server.get("title").or_else(|| server.get("name"))),
            ),
            instructions: text(root.get("instructions")),
            tools: declared("tools"),
            resources: declared("resources"),
            prompts: declared("prompts"),
            knows_toolwire: declares("experimental") || declares("extensions"),
        }
    }
}
