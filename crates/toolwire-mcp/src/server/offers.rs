//! What the servers of a gateway offer beside their tools, as one list of each kind: resources, templates of their
//! URIs, and prompts. Names and URIs are those of the servers, but where another server has the same one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use toolwire::json::{Document, Kind, Node, ObjectWriter, array};
use toolwire::mcp::Revision;
use toolwire_host::manifest::unknown;
use toolwire_rpc::{Answer, RpcError};

use super::catalog::prefix;
use super::context::{Context, Params, bad_params, text};
use super::error::{Refusal, internal, passed_on};
use super::gateway::Watch;
use super::listing::{self, Page};
use super::session::Handler;
use super::{Gateway, ServeOptions};
use crate::client::{NotPassed, Offer};

/// A resource of a server that a client has asked for.
struct Wanted<'a> {
    server: &'a Gateway,
    /// What its server calls it.
    own: String,
    /// What stands before the URIs of that server, if this one has it.
    before: Option<String>,
}

/// One that is listed, as clients see it.
struct Entry {
    /// Which server has it.
    at: usize,
    own: String,
    json: String,
}

/// The servers that are passed on, each with what tells its names apart.
pub(super) struct Servers<'a> {
    principal: &'a str,
    always: bool,
    servers: Vec<(&'a Gateway, String)>,
}

/// Whether there is a server whose resources and prompts are passed on.
pub(super) fn has_any(options: &ServeOptions) -> bool {
    options.offer.servers.iter().any(Gateway::is_whole)
}

/// Answers the request for a list.
pub(super) async fn list(
    handler: &Handler,
    context: &Context,
    what: Offer,
    params: &Params<'_>,
) -> Answer {
    let cursor = listing::cursor(what.method(), params)?;
    let entries = Servers::of(handler).list(what, true).await;
    let page = Page {
        what: what.as_str(),
        revision: context.revision,
        size: handler.shared.options.page_size,
        // Not every server says that its list has changed.
        ttl: Duration::ZERO,
    };
    page.of(&entries, cursor.as_deref(), |entry| entry.json.clone())
}

/// Answers `resources/read`.
pub(super) async fn read(handler: &Handler, context: &Context, params: &Params<'_>) -> Answer {
    let method = "resources/read";
    let uri = text(params.get("uri")).ok_or_else(|| bad_params(method))?;
    let servers = Servers::of(handler);
    let mut refused = None;
    for wanted in servers.wanted(&uri).await {
        let (server, about) = (wanted.server, ("uri", wanted.own.as_str()));
        let passed = server.pass(
            servers.principal,
            Offer::Resources,
            method,
            about,
            again(params),
            context.trace(),
        );
        match passed.await {
            None => {}
            Some(Ok(result)) => return answer(&result, context, Some(wanted.before.as_deref())),
            Some(Err(why)) => refused = refused.or(Some(why)),
        }
    }
    Err(refused.map_or_else(|| no_resource(&uri), not_passed))
}

/// Answers `prompts/get`.
pub(super) async fn prompt(handler: &Handler, context: &Context, params: &Params<'_>) -> Answer {
    let method = "prompts/get";
    let name = text(params.get("name")).ok_or_else(|| bad_params(method))?;
    let servers = Servers::of(handler);
    let mut prompts = servers.list(Offer::Prompts, false).await;
    if !prompts.contains_key(&name) {
        prompts = servers.list(Offer::Prompts, true).await;
    }
    let entry = prompts.get(&name).ok_or_else(|| {
        let names: Vec<&str> = prompts.keys().map(String::as_str).collect();
        Refusal::UnknownPrompt.because(unknown("prompt", &name, &names))
    })?;
    let server = servers.servers[entry.at].0;
    let mut more = again(params);
    more.extend(
        params
            .get("arguments")
            .map(|given| ("arguments", given.to_owned())),
    );
    let about = ("name", entry.own.as_str());
    let passed = server.pass(
        servers.principal,
        Offer::Prompts,
        method,
        about,
        more,
        context.trace(),
    );
    match passed.await {
        Some(Ok(result)) => answer(&result, context, None),
        Some(Err(why)) => Err(not_passed(why)),
        None => Err(Refusal::UnknownPrompt.because(format!("there is no prompt `{name}`"))),
    }
}

/// Follows the resource with this URI, for a client that subscribes to it.
pub(super) async fn watch(handler: &Handler, uri: &str) -> Result<Arc<Watch>, RpcError> {
    let servers = Servers::of(handler);
    let mut refused = None;
    for wanted in servers.wanted(uri).await {
        match wanted.server.watch(servers.principal, &wanted.own).await {
            Ok(watch) => return Ok(watch),
            Err(why) => refused = refused.or(Some(why)),
        }
    }
    Err(refused.map_or_else(|| no_resource(uri), not_passed))
}

fn no_resource(uri: &str) -> RpcError {
    let uri: String = uri.chars().take(200).collect();
    Refusal::UnknownResource.because(format!("there is no resource `{uri}`"))
}

fn not_passed(why: NotPassed) -> RpcError {
    match why {
        NotPassed::Refused(error) => passed_on(&error),
        NotPassed::Lost(why) => internal(why),
    }
}

/// What a request has that comes again with answers.
fn again<'a>(params: &Params<'_>) -> Vec<(&'a str, String)> {
    let names = ["inputResponses", "requestState"];
    let given = names
        .into_iter()
        .filter_map(|name| Some((name, params.get(name)?)));
    given
        .map(|(name, value)| (name, value.to_owned()))
        .collect()
}

/// The result of a server for a client of another revision; of a resource with what stands before its URIs.
fn answer(result: &str, context: &Context, resource: Option<Option<&str>>) -> Answer {
    let unusable = || internal("the server has answered with what is no result");
    let document = Document::new(result).map_err(|_| unusable())?;
    let root = document.root();
    let is_modern = context.revision >= Revision::V2026_07_28;
    let kind = root
        .get("resultType")
        .and_then(|kind| Some(kind.as_str()?.into_owned()));
    let kind = kind.unwrap_or_else(|| "complete".to_owned());
    if kind != "complete" && !is_modern {
        let message = "the server asks its user something, which a client of an older revision has no part in";
        return Err(internal(message));
    }
    let mut out = ObjectWriter::new();
    for (name, value) in root.members() {
        match (&*name, resource.flatten()) {
            ("resultType" | "ttlMs" | "cacheScope", _) => {}
            ("contents", Some(before)) => {
                let contents = value
                    .elements()
                    .map(|one| renamed(one, "uri", |uri| format!("{before}{uri}")));
                out.json("contents", array(contents));
            }
            (name, _) => drop(out.json(name, value.raw())),
        }
    }
    if is_modern {
        out.text("resultType", &kind);
        if resource.is_some() && kind == "complete" {
            out.number(
                "ttlMs",
                root.get("ttlMs").and_then(|ttl| ttl.as_u64()).unwrap_or(0),
            );
            out.text("cacheScope", "private");
        }
    }
    Ok(out.end())
}

/// An object with another text in one of its members, if it has it.
fn renamed(object: Node<'_>, member: &str, new: impl Fn(&str) -> String) -> String {
    if object.kind() != Kind::Object {
        return object.raw().to_owned();
    }
    let mut out = ObjectWriter::new();
    for (name, value) in object.members() {
        match value.as_str().filter(|_| name == member) {
            Some(text) => out.text(&name, new(&text)),
            None => out.json(&name, value.raw()),
        };
    }
    out.end()
}

impl<'a> Servers<'a> {
    fn of(handler: &'a Handler) -> Self {
        let offer = &handler.shared.options.offer;
        let mut servers: Vec<(&Gateway, String)> = Vec::new();
        for server in offer.servers.iter().filter(|server| server.is_whole()) {
            let mut word = prefix(server.label());
            let same = servers.iter().filter(|(_, other)| *other == word).count();
            if same > 0 {
                word = format!("{word}_{}", servers.len() + 1);
            }
            servers.push((server, word));
        }
        Servers {
            principal: &handler.session.principal,
            always: offer.prefix,
            servers,
        }
    }

    /// What all of them list, by the names and URIs that clients see. A server that can't be asked is left out: people
    /// are told by its tools.
    async fn list(&self, what: Offer, anew: bool) -> BTreeMap<String, Entry> {
        let asked = self
            .servers
            .iter()
            .map(|(server, _)| server.offers(self.principal, what, anew));
        let member = match what {
            Offer::Resources => "uri",
            Offer::ResourceTemplates => "uriTemplate",
            Offer::Prompts => "name",
        };
        let mut all: BTreeMap<String, Entry> = BTreeMap::new();
        for (at, listed) in join_all(asked).await.into_iter().enumerate() {
            for one in listed.iter().flat_map(|listed| listed.iter()) {
                let Some(own) = one.at(&format!("/{member}")).and_then(|own| own.to_text()) else {
                    continue;
                };
                let other = all.get(&own);
                if other.is_some_and(|other| other.at == at) {
                    continue;
                }
                let (mut name, mut json) = (own.clone(), one.as_str().to_owned());
                if self.always || other.is_some() {
                    name = format!("{}{own}", self.before(at, what));
                    if let Ok(document) = Document::new(one.as_str()) {
                        json = renamed(document.root(), member, |_| name.clone());
                    }
                }
                all.entry(name).or_insert(Entry { at, own, json });
            }
        }
        all
    }

    /// What stands before the names of a server where they would be those of another one.
    fn before(&self, at: usize, what: Offer) -> String {
        let word = &self.servers[at].1;
        match what {
            Offer::Prompts => format!("{word}_"),
            // A scheme has no underscore, and begins with a letter.
            _ => format!("mcp-{}+", word.replace('_', "-").to_ascii_lowercase()),
        }
    }

    /// The servers that may have a resource. Where its URI is listed, or begins as that of a server does, that is the
    /// only one; else those with a template that it begins as, or all.
    async fn wanted(&self, uri: &str) -> Vec<Wanted<'a>> {
        let wanted = |at: usize, own: &str| Wanted {
            server: self.servers[at].0,
            own: own.to_owned(),
            before: None,
        };
        if let ([_], false) = (&*self.servers, self.always) {
            return vec![wanted(0, uri)];
        }
        for at in 0..self.servers.len() {
            let before = self.before(at, Offer::Resources);
            if let Some(own) = uri.strip_prefix(&before) {
                let before = Some(before.clone());
                return vec![Wanted {
                    before,
                    ..wanted(at, own)
                }];
            }
        }
        if let Some(entry) = self.list(Offer::Resources, false).await.get(uri) {
            return vec![wanted(entry.at, uri)];
        }
        let templates = self.list(Offer::ResourceTemplates, false).await;
        let begins = |own: &str| {
            own.split('{')
                .next()
                .filter(|start| uri.starts_with(start))
                .map(str::len)
        };
        let fitting = templates
            .values()
            .filter_map(|entry| Some((begins(&entry.own)?, entry.at)));
        let mut fitting: Vec<(usize, usize)> = fitting.collect();
        fitting.sort_by_key(|(length, at)| (std::cmp::Reverse(*length), *at));
        let mut order: Vec<usize> = fitting.into_iter().map(|(_, at)| at).collect();
        order.extend(
            order
                .is_empty()
                .then_some(0..self.servers.len())
                .into_iter()
                .flatten(),
        );
        let mut seen = BTreeSet::new();
        order.retain(|at| seen.insert(*at));
        order.into_iter().map(|at| wanted(at, uri)).collect()
    }
}
