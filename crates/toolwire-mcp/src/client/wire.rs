//! What stands on the wire, to the letter, beside rmcp's reading of it.
//!
//! rmcp reads messages into types and numbers of 64 bits. A result, an error and a question are taken off the
//! wire here as text, so that the core reads what the server wrote; rmcp gets the rest of the message, and what
//! it would not read at all no longer keeps it from seeing that a request was answered. On the way out,
//! arguments and answers are put in place of what rmcp would write.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rmcp::model::{ClientJsonRpcMessage, RequestId};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tokio::sync::Notify;
use toolwire::json::ObjectWriter;

use super::discovery;
use super::queue::{self, MOST_BYTES, Said};

/// The name under which a message on its way out says what is to be put into it.
const RAW: &str = "dev.toolwire/raw";

/// The method that rmcp sees in place of `elicitation/create`, whose parameters it would read in its own way.
pub(super) const ELICITATION: &str = "dev.toolwire/elicitation";

/// The most questions of a server that wait to be asked.
const WAITING: usize = 256;

/// The answer to a request, as the server wrote it.
#[derive(Debug, PartialEq)]
pub(super) enum Answered {
    Result(String),
    Error(String),
}

/// What is done with a message.
#[derive(Debug, PartialEq)]
pub(super) enum Passed {
    /// rmcp reads it as it is.
    Whole,
    /// rmcp reads this in its place.
    Instead(String),
    /// rmcp should read it as it is, too; if it can't, this in its place.
    Both(String),
    /// It has been dealt with.
    Taken,
    /// It is no message.
    Noise,
}

/// The parts of messages that do not go through rmcp, and the calls that listen.
#[derive(Debug, Default)]
pub(super) struct Wire {
    state: Mutex<State>,
    next: AtomicU64,
    /// Whether the server said that its tools are others now.
    changed: AtomicBool,
    /// Tells that a call asks nothing any more.
    fewer: Notify,
}

/// A question of the server.
#[derive(Debug)]
pub(super) struct Posed {
    pub params: String,
    /// The calls that may have asked it.
    candidates: Vec<u64>,
    /// Whether the server says which one it was.
    pub told: bool,
}

#[derive(Debug, Default)]
struct State {
    /// The requests whose answers are kept, and whether they are lists of tools.
    awaited: HashMap<String, bool>,
    answers: HashMap<String, Answered>,
    /// The server's questions that nobody has been asked yet.
    questions: HashMap<String, Posed>,
    /// What is to be put into messages on their way out.
    raw: HashMap<u64, Raw>,
    listeners: BTreeMap<u64, Listener>,
    failure: Option<String>,
    handshake: Handshake,
}

/// The request by which a revision is agreed upon.
#[derive(Debug, Default)]
struct Handshake {
    /// The request for a discovery, while it is not answered.
    discover: Option<String>,
    /// Whether it took so long that an older revision is spoken. rmcp takes its answer for that to the
    /// request after it.
    given_up: bool,
}

#[derive(Debug)]
struct Listener {
    /// The id of its request, from when it is sent until it is answered.
    request: Option<String>,
    token: Option<String>,
    /// The id of the last event of its stream.
    event: Option<String>,
    sender: queue::Sender,
}

/// What takes the place of a message's own members.
#[derive(Debug)]
enum Raw {
    /// The whole result.
    Result(String),
    /// Members of the parameters, members of their `_meta`, and the listener that follows the progress.
    Params {
        members: Vec<(&'static str, String)>,
        meta: Vec<(String, String)>,
        listener: u64,
    },
}

impl Listener {
    /// Whether it waits for the answer to this request.
    fn is_open(&self, request: &str) -> bool {
        self.request.as_deref() == Some(request)
    }
}

impl State {
    /// That a request has been answered, or that nobody waits for it.
    fn closed(&mut self, request: &str) {
        let mut all = self.listeners.values_mut();
        if let Some(listener) = all.find(|listener| listener.is_open(request)) {
            listener.request = None;
            listener.event = None;
        }
    }
}

impl Wire {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why nothing more can be read, for who is told that the connection is closed.
    pub(super) fn fail(&self, reason: String) {
        self.state().failure.get_or_insert(reason);
    }

    pub(super) fn failure(&self) -> Option<String> {
        self.state().failure.clone()
    }

    /// Whether the tools have changed since this was asked last.
    pub(super) fn take_change(&self) -> bool {
        self.changed.swap(false, Ordering::Relaxed)
    }

    /// Whether they have, without taking note of it.
    pub(super) fn has_changed(&self) -> bool {
        self.changed.load(Ordering::Relaxed)
    }

    /// That the tools may be others now.
    pub(super) fn change(&self) {
        self.changed.store(true, Ordering::Relaxed);
    }

    /// Listens to what the server says, until [`Wire::deafen`].
    pub(super) fn listen(&self) -> (u64, queue::Receiver) {
        let (sender, receiver) = queue::queue();
        let key = self.next.fetch_add(1, Ordering::Relaxed);
        let listener = Listener {
            request: None,
            token: None,
            event: None,
            sender,
        };
        self.state().listeners.insert(key, listener);
        (key, receiver)
    }

    pub(super) fn deafen(&self, key: u64) {
        self.state().listeners.remove(&key);
        self.fewer.notify_waiters();
    }

    /// Tells the call on whose stream it came, or else the one that has run for longest. What it does not
    /// take in time is left out.
    pub(super) fn tell(&self, said: Said, from: Option<&str>) {
        let state = self.state();
        let mut all = state.listeners.values();
        let first = all.clone().next();
        if let Some(listener) = all
            .find(|one| from.is_some_and(|id| one.is_open(id)))
            .or(first)
        {
            listener.sender.offer(said);
        }
    }

    /// Asks the call that this listener belongs to.
    pub(super) fn ask(&self, listener: u64, said: Said) {
        if let Some(listener) = self.state().listeners.get(&listener) {
            listener.sender.offer(said);
        }
    }

    /// Waits until only one of the calls that may have asked a question is left; nothing if none is.
    pub(super) async fn owner(&self, posed: &Posed) -> Option<u64> {
        loop {
            let mut fewer = std::pin::pin!(self.fewer.notified());
            fewer.as_mut().enable();
            let left: Vec<u64> = {
                let state = self.state();
                let open = |key: &&u64| {
                    let listener = state.listeners.get(key);
                    listener.is_some_and(|listener| listener.request.is_some())
                };
                posed.candidates.iter().filter(open).copied().collect()
            };
            if left.len() < 2 {
                return left.first().copied();
            }
            fewer.await;
        }
    }

    /// Remembers the id of an event on the stream of a request.
    pub(super) fn saw_event(&self, from: &str, event: &str) {
        let mut state = self.state();
        let mut all = state.listeners.values_mut();
        if let Some(listener) = all.find(|listener| listener.is_open(from)) {
            listener.event = Some(event.to_owned());
        }
    }

    /// The request whose stream goes on after this event.
    pub(super) fn resumed(&self, event: &str) -> Option<String> {
        let state = self.state();
        let mut all = state.listeners.values();
        let found = all.find(|listener| listener.event.as_deref() == Some(event));
        found?.request.clone()
    }

    fn tell_progress(&self, params: &str) {
        let token = member(params, "progressToken");
        let state = self.state();
        let mut listeners = state.listeners.values();
        let follows = |listener: &&Listener| listener.token.is_some() && listener.token == token;
        if let Some(listener) = listeners.find(follows) {
            listener.sender.offer(Said::Progress(params.to_owned()));
        }
    }

    /// Tells every call: the ids of elicitations are the server's own.
    fn tell_opened(&self, id: &str) {
        for listener in self.state().listeners.values() {
            listener.sender.offer(Said::Opened(id.to_owned()));
        }
    }

    /// Keeps a question until rmcp hands its request on; one that there is no room for is refused then.
    fn pose(&self, id: &str, params: &str, from: Option<&str>) {
        let mut state = self.state();
        let held: usize = state.questions.values().map(|one| one.params.len()).sum();
        let full = held > 0 && held + params.len() > MOST_BYTES;
        if full || state.questions.len() >= WAITING {
            return;
        }
        let of_stream = |one: &&u64| {
            let listener = state.listeners.get(one);
            from.is_some_and(|id| listener.is_some_and(|listener| listener.is_open(id)))
        };
        let told = state.listeners.keys().find(of_stream).copied();
        let open = state.listeners.iter();
        let open = open.filter(|(_, listener)| listener.request.is_some());
        let posed = Posed {
            params: params.to_owned(),
            candidates: told.map_or_else(|| open.map(|(key, _)| *key).collect(), |key| vec![key]),
            told: told.is_some(),
        };
        state.questions.insert(id.to_owned(), posed);
    }

    /// Looks at a message of the server before rmcp does. `from` is the request on whose stream it came.
    pub(super) fn pass(&self, text: &str, from: Option<&str>) -> Passed {
        let Ok(message) = serde_json::from_str::<HashMap<String, &RawValue>>(text) else {
            return Passed::Noise;
        };
        let get = |name: &str| message.get(name).map(|value| value.get());
        let method = get("method").and_then(|name| serde_json::from_str::<String>(name).ok());
        let params = get("params").unwrap_or("{}");
        let id = get("id");
        match (method.as_deref(), id) {
            (Some("elicitation/create"), Some(id)) => {
                self.pose(id, params, from);
                Passed::Instead(format!(
                    r#"{{"jsonrpc":"2.0","id":{id},"method":"{ELICITATION}"}}"#
                ))
            }
            (Some(_), Some(_)) => Passed::Whole,
            (Some("notifications/message"), None) => {
                self.tell(Said::Log(params.to_owned()), from);
                Passed::Taken
            }
            (Some("notifications/progress"), None) => {
                self.tell_progress(params);
                Passed::Taken
            }
            (Some("notifications/elicitation/complete"), None) => {
                let id = member(params, "elicitationId");
                if let Some(id) = id.and_then(|id| serde_json::from_str::<String>(&id).ok()) {
                    self.tell_opened(&id);
                }
                Passed::Taken
            }
            (Some("notifications/tools/list_changed"), None) => {
                self.change();
                Passed::Taken
            }
            // The list may have changed before the server began to tell.
            (Some("notifications/subscriptions/acknowledged"), None) => {
                self.change();
                Passed::Taken
            }
            // The only one that rmcp has to know: that a question needs no answer any more.
            (Some("notifications/cancelled"), None) => Passed::Whole,
            (Some(_), None) => Passed::Taken,
            (None, Some(id)) => {
                let mut state = self.state();
                if state.handshake.discover.as_deref() == Some(id) {
                    state.handshake.discover = None;
                    return match state.handshake.given_up {
                        true => Passed::Taken,
                        false => match get("result") {
                            Some(result) => discovery::read(id, result),
                            None => Passed::Whole,
                        },
                    };
                }
                let Some(lists) = state.awaited.remove(id) else {
                    // No request has a text as its id, and rmcp would take `"1"` for `1`.
                    return match id.starts_with('"') {
                        true => Passed::Taken,
                        false => Passed::Whole,
                    };
                };
                let answer = match (get("result"), get("error")) {
                    (Some(result), None) => Answered::Result(result.to_owned()),
                    (_, Some(error)) => Answered::Error(error.to_owned()),
                    (None, None) => Answered::Result(String::new()),
                };
                state.closed(id);
                self.fewer.notify_waiters();
                let is_result = matches!(answer, Answered::Result(_));
                state.answers.insert(id.to_owned(), answer);
                let instead = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
                match lists && is_result {
                    true => Passed::Both(instead),
                    false => Passed::Instead(instead),
                }
            }
            (None, None) => match get("error") {
                Some(_) => Passed::Whole,
                None => Passed::Noise,
            },
        }
    }

    /// The answer to a request that has been answered.
    pub(super) fn take_answer(&self, id: &RequestId) -> Option<Answered> {
        self.state().answers.remove(&spelt(id))
    }

    /// That nobody waits for the answer to a request any more.
    pub(super) fn forget(&self, id: &RequestId) {
        let (id, mut state) = (spelt(id), self.state());
        state.awaited.remove(&id);
        state.answers.remove(&id);
        state.closed(&id);
        self.fewer.notify_waiters();
    }

    /// A question of the server.
    pub(super) fn take_question(&self, id: &RequestId) -> Option<Posed> {
        self.state().questions.remove(&spelt(id))
    }

    /// What has to stand in the `_meta` of a request for these members to be put into its parameters and
    /// into their `_meta`. The listener gets the progress of that request.
    pub(super) fn with_params(
        &self,
        listener: u64,
        members: Vec<(&'static str, String)>,
        meta: Vec<(String, String)>,
    ) -> (String, Value) {
        let raw = Raw::Params {
            members,
            meta,
            listener,
        };
        (RAW.to_owned(), self.put(raw))
    }

    /// The result for which this is sent.
    pub(super) fn with_result(&self, result: String) -> Value {
        let mut marked = Map::new();
        marked.insert(RAW.to_owned(), self.put(Raw::Result(result)));
        Value::Object(marked)
    }

    fn put(&self, raw: Raw) -> Value {
        let key = self.next.fetch_add(1, Ordering::Relaxed);
        self.state().raw.insert(key, raw);
        key.into()
    }

    /// The text of a message on its way to the server.
    pub(super) fn write(&self, message: &ClientJsonRpcMessage) -> serde_json::Result<String> {
        let mut value = serde_json::to_value(message)?;
        let key = value
            .pointer_mut("/params/_meta")
            .and_then(Value::as_object_mut)
            .and_then(|meta| meta.remove(RAW))
            .or_else(|| value.get("result")?.get(RAW).cloned());
        let (mut state, mut older) = (self.state(), false);
        if let (ClientJsonRpcMessage::Request(_), Some(method), Some(id)) = (
            message,
            value.get("method").and_then(Value::as_str),
            value.get("id"),
        ) {
            match method {
                "tools/call"
                | "tools/list"
                | "tasks/get"
                | "tasks/update"
                | "tasks/cancel"
                | "resources/list"
                | "resources/templates/list"
                | "resources/read"
                | "prompts/list" => {
                    state.awaited.insert(id.to_string(), method == "tools/list");
                }
                "server/discover" => state.handshake.discover = Some(id.to_string()),
                "initialize" => {
                    state.handshake.given_up = true;
                    older = true;
                }
                _ => {}
            }
        }
        let raw = key.and_then(|key| state.raw.remove(&key.as_u64()?));
        drop(state);
        // No older revision has the extensions that are declared.
        let capabilities = value.pointer_mut("/params/capabilities").filter(|_| older);
        if let Some(capabilities) = capabilities.and_then(Value::as_object_mut) {
            capabilities.remove("extensions");
        }
        let Some(raw) = raw else {
            return Ok(value.to_string());
        };
        let (name, text) = match raw {
            Raw::Result(text) => ("result", text),
            Raw::Params {
                mut members,
                meta,
                listener,
            } => {
                let present = value.pointer("/params/_meta");
                let token = present.and_then(|meta| meta.get("progressToken"));
                if let Some(listener) = self.state().listeners.get_mut(&listener) {
                    listener.token = token.map(Value::to_string);
                    listener.request = value.get("id").map(Value::to_string);
                }
                if !meta.is_empty() {
                    members.push(("_meta", with_members(present, &meta)));
                }
                ("params", with_members(value.get("params"), &members))
            }
        };
        Ok(with_members(Some(&value), &[(name, text)]))
    }
}

/// An object with these members in place of its own of the same names.
fn with_members(object: Option<&Value>, members: &[(impl AsRef<str>, String)]) -> String {
    let mut out = ObjectWriter::new();
    for (name, value) in object.and_then(Value::as_object).into_iter().flatten() {
        if !members.iter().any(|(other, _)| other.as_ref() == name) {
            out.json(name, value.to_string());
        }
    }
    for (name, text) in members {
        out.json(name.as_ref(), text);
    }
    out.end()
}

/// An id as it stands in a message.
pub(super) fn spelt(id: &RequestId) -> String {
    serde_json::to_string(id).unwrap_or_default()
}

/// A member of an object, to the letter.
pub(super) fn member(object: &str, name: &str) -> Option<String> {
    let members = serde_json::from_str::<HashMap<String, &RawValue>>(object).ok()?;
    members.get(name).map(|value| value.get().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientRequest, RequestMetaObject};

    fn call(wire: &Wire, members: Vec<(&'static str, String)>) -> String {
        let (name, key) = wire.with_params(0, members, Vec::new());
        let mut meta = RequestMetaObject::default();
        meta.0.0.insert(name, key);
        let mut params = CallToolRequestParams::new("add");
        params.meta = Some(meta);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let message = ClientJsonRpcMessage::request(request, RequestId::Number(7));
        wire.write(&message).unwrap()
    }

    #[test]
    fn numbers_of_any_length_pass_both_ways() {
        let wire = Wire::default();
        let digits = "123456789012345678901234567890.10";
        let text = call(&wire, vec![("arguments", format!(r#"{{"n":{digits}}}"#))]);
        assert!(
            text.contains(&format!(r#""arguments":{{"n":{digits}}}"#)),
            "{text}"
        );
        assert!(!text.contains(RAW), "{text}");

        let answer = format!(r#"{{"jsonrpc":"2.0","id":7,"result":{{"n":{digits}}}}}"#);
        let instead = r#"{"jsonrpc":"2.0","id":7,"result":{}}"#.to_owned();
        assert_eq!(wire.pass(&answer, None), Passed::Instead(instead));
        let kept = Answered::Result(format!(r#"{{"n":{digits}}}"#));
        assert_eq!(wire.take_answer(&RequestId::Number(7)), Some(kept));
        // A second answer to the same request is nobody's.
        assert_eq!(wire.pass(&answer, None), Passed::Whole);
        assert_eq!(wire.take_answer(&RequestId::Number(7)), None);
    }

    #[test]
    fn what_is_no_message_is_told_apart() {
        let wire = Wire::default();
        for noise in ["starting", "[]", "1", "{", "{}", r#"{"jsonrpc":"2.0"}"#] {
            assert_eq!(wire.pass(noise, None), Passed::Noise, "{noise}");
        }
    }
}
