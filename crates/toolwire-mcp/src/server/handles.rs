//! Tools that keep running, for clients that know nothing of that: tools with actions, and with handles among
//! their arguments (SRV-80 to SRV-87).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base64::Engine;
use rmcp::ErrorData;
use toolwire::block::Question;
use toolwire::call::{Answer, AnswerSource, Call, SessionAction, ToolDescription};
use toolwire::json::{Document, Node, ObjectWriter, array};
use toolwire::mcp::Revision;
use toolwire::question::{SecretContext, find_secret};
use toolwire::session::{ActionStyle, Applied, SessionCommand, action_schema, read_command};
use toolwire::{Json, Limits, parse};
use toolwire_host::{
    ExchangeOptions, FetchOptions, LineSession, SessionTool, SessionTransport, Sessions,
    SessionsOptions, SpawnOptions,
};

use super::call::{Came, Request};
use super::catalog::{Served, Way};
use super::keys::BASE64URL;
use super::reply::Response;
use super::state::{Open, State, expiry};
use super::{HandleOptions, ServeOptions, SessionCarrier, forms, rounds};

/// The bytes of randomness in a handle that others must not guess.
const HANDLE: usize = 24;

/// The handles of a server, for each principal apart: nobody can even ask for those of another.
#[derive(Debug)]
pub(super) struct Handles {
    options: HandleOptions,
    of: Mutex<HashMap<String, Sessions>>,
}

impl Handles {
    pub(super) fn new(options: HandleOptions) -> Self {
        Handles {
            options,
            of: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Sessions>> {
        self.of.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn of(&self, principal: &str) -> Sessions {
        let made = || Sessions::new(sessions_options(&self.options));
        let mut all = self.lock();
        all.entry(principal.to_owned()).or_insert_with(made).clone()
    }

    /// Ends all handles, and waits until nothing is left of their tools.
    pub(super) async fn close(&self) {
        let all: Vec<Sessions> = self.lock().values().cloned().collect();
        for sessions in all {
            sessions.close().await;
        }
    }
}

fn sessions_options(options: &HandleOptions) -> SessionsOptions {
    let mut sessions = SessionsOptions {
        max_handles: options.max_handles,
        keep: options.keep,
        secret_ids: options.shared,
        ..SessionsOptions::default()
    };
    sessions.rules.idle_time = options.idle;
    sessions.rules.session_time = options.session_time;
    // The client decides what its model may do.
    sessions.rules.approve.clear();
    sessions
}

/// The tool as clients are shown it: its actions, in one flat schema, and how long its handles last.
pub(super) fn shown(own: &ToolDescription, options: &HandleOptions) -> ToolDescription {
    let mut shown = own.clone();
    shown.input_schema = action_schema(own, ActionStyle::Flat);
    // What it says comes in pieces.
    shown.output_schema = None;
    let mut about = shown.description.take().unwrap_or_default();
    if !about.is_empty() {
        about.push_str("\n\n");
    }
    about
        .push_str("It keeps running: `spawn` starts it, and later calls name it by the same `id`.");
    if options.shared {
        about.push_str(
            " The `id` of a `spawn` is only a label: its answer says by which handle later calls name it.",
        );
    }
    let idle = options
        .idle
        .map(|idle| format!("ends when nothing happens for {}, and ", spoken(idle)));
    about.push_str(&format!(
        " A handle {}can be fetched for {} after it has stopped.",
        idle.unwrap_or_default(),
        spoken(options.keep)
    ));
    shown.description = Some(about);
    shown
}

/// A time for a reader: `90 seconds`, `10 minutes`, `1 hour`.
fn spoken(time: Duration) -> String {
    let seconds = time.as_secs();
    let (number, unit) = match seconds {
        0 => return format!("{} ms", time.as_millis()),
        _ if seconds.is_multiple_of(3600) => (seconds / 3600, "hour"),
        _ if seconds.is_multiple_of(60) => (seconds / 60, "minute"),
        _ => (seconds, "second"),
    };
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {unit}{plural}")
}

/// Answers a call of such a tool.
pub(super) async fn call(
    request: Arc<Request>,
    own: &ToolDescription,
    came: Came,
) -> Result<Response, ErrorData> {
    let shared = &request.handler.shared;
    let Some(handles) = &shared.handles else {
        return Err(ErrorData::internal_error("there are no handles", None));
    };
    let sessions = handles.of(&request.handler.session.principal);
    sessions.add(tool(&request, own, &shared.options));
    let calling = async {
        let command = read_command(&request.call.arguments, own);
        match command {
            Ok(SessionCommand::Spawn { id, arguments }) => {
                Ok(spawn(&request, &sessions, handles.options.shared, &id, arguments).await)
            }
            Ok(SessionCommand::Fetch { id, .. }) => {
                match ask(&request, &sessions, &id, came).await? {
                    Asked::Answered(envelope) => Ok(envelope),
                    Asked::Incomplete(response) => Err(Incomplete::Asks(response)),
                    Asked::Nothing => Ok(handle(&request, &sessions).await),
                }
            }
            _ => Ok(handle(&request, &sessions).await),
        }
    };
    let envelope = tokio::select! {
        envelope = calling => envelope,
        // Nobody waits for it any more; what the tool says is kept for the next fetch.
        () = request.context.ct.cancelled() => Ok(String::new()),
    };
    match envelope {
        Ok(envelope) => Ok(request.complete(&parse(
            with_questions(&envelope).into_bytes(),
            &Limits::WIDEST,
        ))),
        Err(Incomplete::Asks(response)) => Ok(response),
        Err(Incomplete::Refused(error)) => Err(error),
    }
}

/// Why a call has no envelope.
enum Incomplete {
    Asks(Response),
    Refused(ErrorData),
}

impl From<ErrorData> for Incomplete {
    fn from(error: ErrorData) -> Self {
        Incomplete::Refused(error)
    }
}

async fn handle(request: &Request, sessions: &Sessions) -> String {
    let name = &request.tool.description.name;
    sessions.handle(name, &request.call.arguments).await
}

/// The tool as it is reached now, since its files and its manifest may have changed.
fn tool(request: &Request, own: &ToolDescription, options: &ServeOptions) -> SessionTool {
    let transport: Arc<dyn SessionTransport> = match &request.tool.way {
        Way::Manifest(tool) => {
            let process = options.process.options(Some(tool));
            let carrier = options
                .handles
                .as_ref()
                .and_then(|handles| handles.carrier.as_ref());
            let carried = carrier.and_then(|carrier| carrier.carry(tool, process.clone()));
            carried.unwrap_or_else(|| Arc::new(LineSession::new(tool.command.clone(), process)))
        }
        Way::Program(command) => {
            let options = options.process.options(None);
            Arc::new(LineSession::new(command.clone(), options))
        }
        // Functions do not keep running.
        Way::Functions(_) | Way::Prepared(_) => {
            return SessionTool::one_shot(own.clone(), request.transport());
        }
    };
    let mut tool = SessionTool::new(own.clone(), transport);
    if let Way::Manifest(manifest) = &request.tool.way {
        tool.exchange = manifest.exchange_options(ExchangeOptions::default());
    }
    tool
}

/// Starts the tool. Where others use the server too, under a handle that they can't guess.
async fn spawn(
    request: &Request,
    sessions: &Sessions,
    shared: bool,
    id: &str,
    arguments: Json,
) -> String {
    let name = &request.tool.description.name;
    let mut call = Call::new(&request.tool.own_name, arguments);
    call.root.clone_from(&request.call.root);
    call.options.clone_from(&request.call.options);
    if let Way::Manifest(tool) = &request.tool.way {
        // It was completed before, so it can be; only the name is that of the manifest.
        if let Ok(completed) = tool.complete(call.clone()) {
            call = completed;
        }
        call.name = Some(tool.own_name().to_owned());
    }
    let mut handle = id.to_owned();
    let mut options = SpawnOptions::default();
    if shared {
        let mut bytes = [0; HANDLE];
        if getrandom::fill(&mut bytes).is_err() {
            return failed("the system gives no randomness for a handle");
        }
        handle = BASE64URL.encode(bytes);
        options.label = Some(id.to_owned());
    }
    let by = AnswerSource::Assistant;
    match sessions.spawn(&handle, name, call, by, &options).await {
        Ok(fetched) if shared && fetched.refusal.is_none() => {
            let told =
                format!("`{id}` has the handle `{handle}`: give that as the `id` of later calls");
            with_first(&fetched.envelope, &told)
        }
        Ok(fetched) => fetched.envelope,
        Err(error) => failed(&error.to_string()),
    }
}

/// What came of looking for a question that only a person may answer.
enum Asked {
    /// There is none, or nobody can be asked.
    Nothing,
    /// The person's answer was given; the envelope says what the tool said to it.
    Answered(String),
    Incomplete(Response),
}

/// Asks the client's user what the tool wants to know of a person alone, before anything is fetched: what is new
/// stays where it is. A model never answers it.
async fn ask(
    request: &Arc<Request>,
    sessions: &Sessions,
    id: &str,
    came: Came,
) -> Result<Asked, ErrorData> {
    let Some((question, context)) = sessions.question_for_person(id) else {
        return Ok(Asked::Nothing);
    };
    if !request.asked.can(&question) || !is_of(sessions, id, &request.tool) {
        return Ok(Asked::Nothing);
    }
    let answer = match request.revision {
        Revision::V2026_07_28 => match ask_by_result(request, &question, &context, came)? {
            Ok(answer) => answer,
            Err(response) => return Ok(Asked::Incomplete(response)),
        },
        _ => match forms::ask_once(request, &open(&question, &context)).await {
            Some(answer) => answer,
            None => return Ok(Asked::Nothing),
        },
    };
    let by = answer.source().unwrap_or(AnswerSource::User);
    let what = Applied::Answer(answer);
    let fetched = sessions
        .apply(id, what, Some(&question.id), by, &FetchOptions::default())
        .await;
    Ok(Asked::Answered(fetched.envelope))
}

/// The question, with what is suspected of it and of what the tool said before it.
fn open(question: &Question, said: &[String]) -> Open {
    let mut context = SecretContext::default();
    for text in said {
        context.add(text.as_str());
    }
    let secret = find_secret(question, &context);
    Open {
        suspected: secret.map(|secret| secret.about),
        ..Open::of(question)
    }
}

fn is_of(sessions: &Sessions, id: &str, tool: &Served) -> bool {
    let mut all = sessions.list().into_iter();
    all.any(|handle| handle.id == id && handle.tool == tool.description.name)
}

/// The answer to a question, from the responses of a call that comes again; or the result that asks it.
fn ask_by_result(
    request: &Arc<Request>,
    question: &Question,
    said: &[String],
    came: Came,
) -> Result<Result<Answer, Response>, ErrorData> {
    let options = &request.handler.shared.options;
    let fresh = || State {
        bound: request.bound.clone(),
        standing: Default::default(),
        questions: vec![open(question, said)],
        expires: expiry(options.state_lifetime),
    };
    let mut state = match &came.state {
        Some(sealed) => State::open(sealed, &options.keys, &request.bound)?,
        None => fresh(),
    };
    let is_open = state
        .questions
        .iter()
        .any(|open| open.question.id == question.id);
    if !is_open {
        // It has asked something else meanwhile.
        state = fresh();
    }
    let wrong = rounds::take(request, &mut state, came.responses.as_ref());
    match state.standing.answers.remove(&question.id) {
        Some(settled) => Ok(Ok(settled.answer)),
        None => rounds::ask(request, &state, &wrong).map(Err),
    }
}

/// An envelope whose questions stand in it as text too: a model sees nothing else, and answers them by `apply`.
fn with_questions(envelope: &str) -> String {
    let Ok(document) = Document::new(envelope) else {
        return envelope.to_owned();
    };
    let content = document.root().get("content");
    let blocks = content.iter().flat_map(|content| content.elements());
    let blocks = blocks.map(|block| match block.get("question") {
        Some(question) => text_block(&in_words(question)),
        None => block.raw().to_owned(),
    });
    rewritten(document.root(), array(blocks))
}

/// A question for a model.
fn in_words(question: Node<'_>) -> String {
    let text = |name: &str| question.get(name).and_then(|value| value.as_str());
    let schema = question.get("schema").map_or("{}", |schema| schema.raw());
    format!(
        "It waits for the answer to its question `{}`: {}\nThe answer fits this schema: {schema}",
        text("id").unwrap_or_default(),
        text("text").unwrap_or_default()
    )
}

/// An envelope with this text before everything else.
fn with_first(envelope: &str, text: &str) -> String {
    let Ok(document) = Document::new(envelope) else {
        return envelope.to_owned();
    };
    let content = document.root().get("content");
    let blocks = content.iter().flat_map(|content| content.elements());
    let blocks = blocks.map(|block| block.raw().to_owned());
    rewritten(
        document.root(),
        array(std::iter::once(text_block(text)).chain(blocks)),
    )
}

fn rewritten(root: Node<'_>, content: String) -> String {
    let mut out = ObjectWriter::new();
    for (name, value) in root.members() {
        match &*name {
            "content" => out.json("content", &content),
            name => out.json(name, value.raw()),
        };
    }
    out.end()
}

fn failed(text: &str) -> String {
    let mut out = ObjectWriter::new();
    out.json("content", array([text_block(text)]));
    out.flag("isError", true);
    out.end()
}

fn text_block(text: &str) -> String {
    let mut out = ObjectWriter::new();
    out.text("text", text).text("type", "text");
    out.end()
}

/// Whether there is something that carries a program that knows nothing of sessions, if it is one.
pub(super) fn can_be_carried(way: &Way, handles: &HandleOptions, options: &ServeOptions) -> bool {
    let Way::Manifest(tool) = way else {
        return true;
    };
    let carried = |carrier: &SessionCarrier| {
        let process = options.process.options(Some(tool));
        carrier.carry(tool, process).is_some()
    };
    tool.session.is_none() || handles.carrier.as_ref().is_some_and(carried)
}

/// Whether clients can drive it: one that is never spawned can't be.
pub(super) fn keeps_running(tool: &ToolDescription, way: &Way) -> bool {
    let functions = matches!(way, Way::Functions(_));
    !functions && tool.actions.contains(&SessionAction::Spawn)
}
