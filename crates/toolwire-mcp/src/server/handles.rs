//! Tools that keep running, for clients that know nothing of that: tools with actions, and with handles among
//! their arguments.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use toolwire::author::{Failure, bad_arguments};
use toolwire::call::{Answer, AnswerSource, Call, ToolDescription};
use toolwire::json::{Document, Node, ObjectWriter, array};
use toolwire::mcp::Revision;
use toolwire::session::{Applied, Refusal, SessionCommand, read_command};
use toolwire::{Code, Json, Limits, parse};
use toolwire_host::handles::{Apply, Fetch, HandlesError, How, Listed, LocalHandles, Spawn};
use toolwire_host::manifest::SessionKind;
use toolwire_host::{
    CheckError, FetchOptions, Fetched, OpenQuestion, SessionsOptions, check_value, handles,
};
use toolwire_rpc::RpcError;

use super::error::internal;
use super::keys::random_id;
use super::reply::Response;
use super::request::{Came, Request};
use super::served::Way;
use super::state::{Open, State, expiry};
use super::{HandleOptions, forms, rounds};

/// The longest time that a model can make the server wait (HOST-13).
const MAX_WAIT: Duration = Duration::from_secs(60);

/// The handles of a server, for each principal apart: nobody can even ask for those of another.
#[derive(Debug)]
pub(super) struct Handles {
    options: HandleOptions,
    /// Those of this process.
    of: Mutex<HashMap<String, Arc<LocalHandles>>>,
}

impl Handles {
    pub(super) fn new(options: HandleOptions) -> Self {
        Handles {
            options,
            of: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<LocalHandles>>> {
        self.of.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The handles of a principal. Those of another process are nothing if that does not run, unless it is to be
    /// started.
    async fn reach(
        &self,
        principal: &str,
        start: bool,
    ) -> Result<Option<Arc<dyn handles::Handles>>, HandlesError> {
        if let Some(link) = self.options.link() {
            return link.reach(start).await;
        }
        let HandleOptions {
            max_handles,
            keep,
            shared: secret_ids,
            carrier,
            ..
        } = self.options;
        let made = || {
            let options = SessionsOptions {
                max_handles,
                keep,
                secret_ids,
                ..SessionsOptions::default()
            };
            Arc::new(LocalHandles::new(options, carrier))
        };
        let mut all = self.lock();
        let own = all.entry(principal.to_owned()).or_insert_with(made);
        Ok(Some(Arc::clone(own) as _))
    }

    /// Ends all handles of this process, and waits until nothing is left of their tools.
    pub(super) async fn close(&self) {
        let all: Vec<_> = self.lock().values().cloned().collect();
        for handles in all {
            handles.close().await;
        }
    }
}

/// Answers a call of such a tool.
pub(super) async fn call(
    request: Arc<Request>,
    own: &ToolDescription,
    came: Came,
) -> Result<Response, RpcError> {
    let shared = &request.handler.shared;
    let Some(handles) = &shared.handles else {
        return Err(internal("there are no handles"));
    };
    let using = Using {
        request: &request,
        own,
        handles,
    };
    tokio::select! {
        answered = using.answer(came) => answered,
        // Nobody waits for it any more; what the tool says is kept for the next fetch.
        () = request.context.caller.cancelled() => Ok(using.envelope("")),
    }
}

/// A call of a tool that keeps running, and the handles of its server.
struct Using<'a> {
    request: &'a Arc<Request>,
    own: &'a ToolDescription,
    handles: &'a Handles,
}

impl Using<'_> {
    async fn answer(&self, came: Came) -> Result<Response, RpcError> {
        let arguments = &self.request.call.arguments;
        let command = match read_command(arguments, self.own) {
            Ok(command) => command,
            Err(error) => {
                let id = arguments.at("/id").and_then(|id| id.to_text());
                let mistaken = Fetched::mistaken(&id.unwrap_or_default(), &error);
                return Ok(self.envelope(&mistaken.envelope));
            }
        };
        if let SessionCommand::Spawn { id, arguments } = command {
            return Ok(self.envelope(&self.spawn(&id, arguments).await));
        }
        let id = command.id().to_owned();
        let handles = match self.reach(false).await {
            Ok(Some(handles)) => handles,
            Ok(None) => return Ok(self.envelope(&Fetched::unknown(&id, &[]).envelope)),
            Err(error) => return Ok(self.envelope(&unusable(&error))),
        };
        let found = match handles.list(&[&id]).await {
            Ok(found) => found.into_iter().next(),
            Err(error) => return Ok(self.envelope(&unusable(&error))),
        };
        let name = &self.request.tool.description.name;
        if let Some(other) = found.as_ref().filter(|found| found.tool != *name) {
            let refused = self.of_another(&id, other).await;
            return Ok(self.envelope(&refused.envelope));
        }
        let is_fetch = matches!(command, SessionCommand::Fetch { .. });
        if let Some(asks) = found.and_then(|found| found.asks).filter(|_| is_fetch) {
            match self.ask(&*handles, &id, asks, came).await? {
                Asked::Answered(envelope) => return Ok(self.envelope(&envelope)),
                Asked::Incomplete(response) => return Ok(response),
                Asked::Nothing => {}
            }
        }
        let done = carry_out(&*handles, &id, command).await;
        Ok(self.envelope(&self.shown(&id, done)))
    }

    async fn reach(&self, start: bool) -> Result<Option<Arc<dyn handles::Handles>>, HandlesError> {
        let principal = &self.request.handler.session.principal;
        self.handles.reach(principal, start).await
    }

    /// The refusal of a handle that is of another tool than the called one (HOST-3).
    async fn of_another(&self, id: &str, handle: &Listed) -> Fetched {
        let catalog = self.request.handler.shared.catalog().await;
        let is_served = catalog.is_ok_and(|catalog| catalog.0.contains_key(&handle.tool));
        let instead = match is_served {
            true => ": call that one",
            false => ", which is not served here; choose another id",
        };
        let message = format!("`{id}` is a handle of the tool `{}`{instead}", handle.tool);
        let refusal = Refusal::new(Code::UnknownHandle, message, Vec::new());
        Fetched::refused(id, handle.state, refusal)
    }

    fn envelope(&self, envelope: &str) -> Response {
        let parsed = parse(envelope.as_bytes().to_vec(), &Limits::WIDEST);
        self.request.complete(&parsed)
    }

    /// Starts the tool. Where others use the server too, under a handle that they can't guess.
    async fn spawn(&self, id: &str, arguments: Json) -> String {
        let call = match self.own_call(arguments) {
            Ok(call) => call,
            Err(failure) => return failure.envelope().to_json(),
        };
        let mut handle = id.to_owned();
        if self.handles.options.shared {
            handle = match random_id() {
                Ok(handle) => handle,
                Err(error) => return Failure::new(error.to_string()).envelope().to_json(),
            };
        }
        let spawned = match self.to_spawn(&handle, call) {
            Ok(spawn) => self.start(spawn).await,
            Err(error) => Err(error),
        };
        let is_told = spawned
            .as_ref()
            .is_ok_and(|spawned| spawned.refusal.is_none());
        let envelope = self.shown(&handle, spawned);
        if !self.handles.options.shared || !is_told {
            return envelope;
        }
        let told =
            format!("`{id}` has the handle `{handle}`: give that as the `id` of later calls");
        with_texts(&envelope, Some(told), None, |_| None)
    }

    async fn start(&self, spawn: Spawn) -> Result<Fetched, HandlesError> {
        match self.reach(true).await? {
            Some(handles) => handles.spawn(spawn).await,
            None => Ok(Fetched::unknown(&spawn.id, &[])),
        }
    }

    /// The call of the tool itself, if its arguments fit.
    fn own_call(&self, arguments: Json) -> Result<Call, Failure> {
        let request = self.request;
        let mut call = Call::new(&request.tool.own_name, arguments);
        call.root.clone_from(&request.call.root);
        call.options.clone_from(&request.call.options);
        if let Way::Manifest(tool) = &request.tool.way {
            let completed = tool.complete(call);
            call = completed.map_err(|error| Failure::new(error.to_string()))?;
            call.name = Some(tool.own_name().to_owned());
        }
        let name = &request.tool.description.name;
        match check_value(&self.own.input_schema, &call.arguments) {
            Ok(()) => Ok(call),
            Err(CheckError::Mismatches(found)) => {
                let found = found.into_iter().map(|one| (one.pointer, one.message));
                Err(bad_arguments(name, &found.collect::<Vec<_>>()))
            }
            Err(CheckError::BadSchema(error) | CheckError::OverBudget(error)) => Err(Failure::new(
                format!("the arguments of `{name}` can't be checked: {error}"),
            )),
        }
    }

    /// The tool as it is reached now, since its files and its manifest may have changed.
    fn to_spawn(&self, handle: &str, call: Call) -> Result<Spawn, HandlesError> {
        let settings = &self.request.handler.shared.options.process;
        let (tool, program) = match &self.request.tool.way {
            Way::Manifest(tool) => (Some(tool), &tool.command),
            Way::Program(command) => (None, command),
            Way::Functions(_) | Way::Server(_) | Way::Prepared(_) => {
                let message = "functions do not keep running".to_owned();
                return Err(HandlesError::Refused(message));
            }
        };
        let how = match tool.and_then(|tool| tool.session) {
            Some(SessionKind::Pty) => How::Pty,
            Some(_) => How::Pipe,
            None => How::Lines,
        };
        let command = match tool.filter(|_| how != How::Lines) {
            Some(tool) => tool.command_with(&call.arguments),
            // Its arguments are in its call.
            None => Ok(program.clone()),
        };
        let command = command.map_err(HandlesError::Refused)?;
        let process = settings.options(tool.map(|tool| &**tool));
        let by = AnswerSource::Assistant;
        let spawn = Spawn::new(handle, by, how, self.own, &call, &command, &process);
        let mut spawn = spawn.map_err(|error| HandlesError::Refused(error.to_string()))?;
        if let Some(tool) = tool {
            spawn.size = tool.size;
            spawn.term = tool.env.get("TERM").cloned();
            spawn.questions.clone_from(&tool.questions);
            spawn.refusals.clone_from(&tool.refusals);
        }
        spawn.idle = self.handles.options.idle;
        spawn.session_time = self.handles.options.session_time;
        Ok(spawn)
    }

    /// What was answered for a handle, as a model sees it: it sees nothing but the texts.
    fn shown(&self, id: &str, done: Result<Fetched, HandlesError>) -> String {
        let fetched = match done {
            Ok(fetched) => fetched,
            Err(error) => return unusable(&error),
        };
        let types = Document::new(&fetched.envelope).is_ok_and(|document| {
            let session = document
                .root()
                .get("_meta")
                .and_then(|meta| meta.get("dev.toolwire/session"));
            let person = session.and_then(|session| session.get("person")?.as_bool());
            person == Some(true)
        });
        let last = types
            .then(|| self.handles.options.command_of_person(id))
            .flatten();
        let last = last.map(|command| format!("A person types by `{command}`."));
        with_texts(&fetched.envelope, None, last, |question| {
            Some(self.in_words(id, question, fetched.asks.as_ref()))
        })
    }

    /// A question for a model; or that a person has to answer it.
    fn in_words(&self, id: &str, question: Node<'_>, asks: Option<&OpenQuestion>) -> String {
        let text = |name: &str| question.get(name).and_then(|value| value.as_str());
        let (name, said) = (
            text("id").unwrap_or_default(),
            text("text").unwrap_or_default(),
        );
        let asks = asks.filter(|asks| asks.question.id == name);
        let Some(asks) = asks.filter(|asks| asks.person) else {
            let schema = question.get("schema").map_or("{}", |schema| schema.raw());
            return format!(
                "It waits for the answer to its question `{name}`: {said}\nThe answer fits this schema: {schema}"
            );
        };
        let how = match (
            self.request.asked.can(&asks.question),
            self.handles.options.command_of_person(id),
        ) {
            (true, _) => "a `fetch` asks them".to_owned(),
            (false, Some(command)) => format!("they do it by `{command}`"),
            (false, None) => "this client can't ask one".to_owned(),
        };
        format!(
            "It waits for the answer to its question `{name}`: {said}\nOnly a person may answer that, not you: {how}."
        )
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

impl Using<'_> {
    /// Asks the client's user what the tool wants to know of a person alone, before anything is fetched: what is new
    /// stays where it is. A model never answers it.
    async fn ask(
        &self,
        handles: &dyn handles::Handles,
        id: &str,
        asks: OpenQuestion,
        came: Came,
    ) -> Result<Asked, RpcError> {
        if !asks.person || !self.request.asked.can(&asks.question) {
            return Ok(Asked::Nothing);
        }
        let question = asks.question.id.clone();
        let open = Open {
            suspected: asks.suspected,
            ..Open::of(&asks.question)
        };
        let answer = match self.request.context.revision {
            Revision::V2026_07_28 => match self.ask_by_result(open, came)? {
                Ok(answer) => answer,
                Err(response) => return Ok(Asked::Incomplete(response)),
            },
            _ => match self.ask_by_request(open).await {
                Some(answer) => answer,
                None => return Ok(Asked::Nothing),
            },
        };
        let apply = Apply {
            id: id.to_owned(),
            by: answer.source().unwrap_or(AnswerSource::User),
            what: Applied::Answer(answer),
            question: Some(question),
            options: FetchOptions::default(),
        };
        Ok(match handles.apply(apply).await {
            // Somebody else was faster.
            Ok(Fetched {
                refusal: Some(refusal),
                ..
            }) if refusal.code == Code::NoQuestion => Asked::Nothing,
            applied => Asked::Answered(self.shown(id, applied)),
        })
    }

    /// The answer to a question, by requests of the server: one that does not fit is asked again. Nothing is
    /// said where the client has no answer.
    async fn ask_by_request(&self, open: Open) -> Option<Answer> {
        let id = open.question.id.clone();
        let (mut state, mut wrong) = (self.state(open), Vec::new());
        loop {
            let open = state.questions.first()?;
            let response = forms::ask_once(self.request, open, &wrong).await?;
            let responses =
                Json::new(ObjectWriter::new().json(&id, response.as_str()).end()).ok()?;
            wrong = rounds::take(self.request, &mut state, Some(&responses));
            if let Some(settled) = state.standing.answers.remove(&id) {
                return Some(settled.answer);
            }
        }
    }

    /// The answer to a question, from the responses of a call that comes again; or the result that asks it.
    fn ask_by_result(&self, open: Open, came: Came) -> Result<Result<Answer, Response>, RpcError> {
        let request = self.request;
        let id = open.question.id.clone();
        let mut state = match &came.state {
            Some(sealed) => {
                State::open(sealed, &request.handler.shared.options.keys, &request.bound)?
            }
            None => self.state(open.clone()),
        };
        // It may have asked something else meanwhile.
        if state.questions.iter().all(|open| open.question.id != id) {
            state = self.state(open);
        }
        let wrong = rounds::take(request, &mut state, came.responses.as_ref());
        match state.standing.answers.remove(&id) {
            Some(settled) => Ok(Ok(settled.answer)),
            None => rounds::ask(request, &state, &wrong).map(Err),
        }
    }

    fn state(&self, open: Open) -> State {
        State {
            bound: self.request.bound.clone(),
            standing: Default::default(),
            questions: vec![open],
            parked: None,
            expires: expiry(self.request.handler.shared.options.state_lifetime),
        }
    }
}

/// The envelope with these texts before and after everything else, and with the text that `words` finds for a
/// question in its place.
fn with_texts(
    envelope: &str,
    first: Option<String>,
    last: Option<String>,
    words: impl Fn(Node<'_>) -> Option<String>,
) -> String {
    let Ok(document) = Document::new(envelope) else {
        return envelope.to_owned();
    };
    let content = document.root().get("content");
    let blocks = content.iter().flat_map(|content| content.elements());
    let blocks = blocks.map(|block| match block.get("question").and_then(&words) {
        Some(text) => text_block(&text),
        None => block.raw().to_owned(),
    });
    let text = |text: Option<String>| text.map(|text| text_block(&text));
    let content = array(text(first).into_iter().chain(blocks).chain(text(last)));
    let mut out = ObjectWriter::new();
    for (name, value) in document.root().members() {
        match &*name {
            "content" => out.json("content", &content),
            name => out.json(name, value.raw()),
        };
    }
    out.end()
}

async fn carry_out(
    handles: &dyn handles::Handles,
    id: &str,
    command: SessionCommand,
) -> Result<Fetched, HandlesError> {
    let by = AnswerSource::Assistant;
    let mut fetch = Fetch::new(id, by);
    match command {
        SessionCommand::Fetch {
            after,
            wait,
            until,
            view,
            ..
        } => {
            // Whoever waits for a text has not said how long, and means it to come.
            let wait = wait.or(until.is_some().then_some(MAX_WAIT));
            fetch.options = FetchOptions {
                after,
                wait: wait.map(|wait| wait.min(MAX_WAIT)),
                until,
                view,
                ..FetchOptions::default()
            };
            handles.fetch(fetch).await
        }
        SessionCommand::Apply { what, question, .. } => {
            let Fetch { id, by, options } = fetch;
            let apply = Apply {
                id,
                by,
                what,
                question,
                options,
            };
            handles.apply(apply).await
        }
        _ => handles.abort(id, by).await,
    }
}

fn unusable(error: &HandlesError) -> String {
    Failure::new(error.to_string()).envelope().to_json()
}

fn text_block(text: &str) -> String {
    let mut out = ObjectWriter::new();
    out.text("text", text).text("type", "text");
    out.end()
}
