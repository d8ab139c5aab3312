//! What a server asks during a call, as questions, and the way back.

use std::collections::{BTreeMap, HashSet};

use toolwire::block::Question;
use toolwire::call::{Answer, AnswerSource, Call};
use toolwire::json::{Document, Node, ObjectWriter, array};
use toolwire::mcp::{Revision, answer_to_elicit_result, from_elicitation};
use toolwire::{Error, Json};
use toolwire_rpc::{Incoming, RpcError};

/// The code of an error: the parameters can't be used.
const INVALID_PARAMS: i32 = -32602;

/// How often the ids of one call's questions have been used.
#[derive(Debug, Default)]
pub(super) struct Ids {
    used: BTreeMap<String, usize>,
    asked: usize,
}

/// One thing that a server wants to know.
#[derive(Debug)]
pub(super) struct Input {
    /// What the server calls it, where it calls it anything.
    pub key: String,
    /// The parameters of the elicitation.
    params: Json,
    /// The id of the question that stands for it.
    id: String,
}

/// A request of the server that waits for the answer to a question.
#[derive(Debug)]
pub(super) struct Open {
    input: Input,
    asked: Incoming,
}

/// What an incomplete result of 2026-07-28 asks for.
#[derive(Debug)]
pub(super) struct Required {
    pub inputs: Vec<Input>,
    pub questions: Vec<Question>,
    /// The state to send back, as JSON.
    pub state: Option<String>,
}

impl Required {
    /// What it takes to make the request again with the answers, where nobody holds the call, as JSON.
    pub(super) fn park(inputs: &[Input], state: Option<&str>, ids: &Ids) -> String {
        let mut used = ObjectWriter::new();
        for (id, times) in &ids.used {
            used.number(id, *times as u64);
        }
        let inputs = inputs.iter().map(|input| {
            ObjectWriter::new()
                .text("key", &input.key)
                .json("params", input.params.as_str())
                .text("id", &input.id)
                .end()
        });
        ObjectWriter::new()
            .json("inputs", array(inputs))
            .json("used", used.end())
            .number("asked", ids.asked as u64)
            .optional_json("state", state)
            .end()
    }

    /// The inputs, the state and the ids that were parked. Nobody else can have written them.
    pub(super) fn unpark(text: &str) -> Option<(Vec<Input>, Option<String>, Ids)> {
        let document = Document::new(text).ok()?;
        let root = document.root();
        let count = |node: Node<'_>| usize::try_from(node.as_u64()?).ok();
        let mut inputs = Vec::new();
        for input in root.get("inputs")?.elements() {
            inputs.push(Input {
                key: input.get("key")?.as_str()?.into_owned(),
                params: Json::from(input.get("params")?),
                id: input.get("id")?.as_str()?.into_owned(),
            });
        }
        let mut ids = Ids {
            used: BTreeMap::new(),
            asked: count(root.get("asked")?)?,
        };
        for (id, times) in root.get("used")?.members() {
            ids.used.insert(id.into_owned(), count(times)?);
        }
        let state = root.get("state").map(|state| state.raw().to_owned());
        Some((inputs, state, ids))
    }
}

impl Ids {
    /// The question that an elicitation is. Each of one call has an id of its own: one that a server uses
    /// again is another question.
    fn question(&mut self, params: &Json, id: &str) -> Result<Question, Error> {
        let mut question = from_elicitation(params, id)?.question;
        let used = self.used.entry(question.id.clone()).or_default();
        *used += 1;
        if *used > 1 {
            question.id = format!("{}-{used}", question.id);
        }
        Ok(question)
    }

    /// The question that a request of an older revision is, and where its answer goes; the request is
    /// refused if it can't be asked.
    pub(super) fn ask(&mut self, asked: Incoming) -> Option<(Question, Open)> {
        self.asked += 1;
        let id = format!("elicitation-{}", self.asked);
        let params = asked.message().body();
        let read = Json::new(params.as_deref().unwrap_or("{}"))
            .and_then(|params| Ok((self.question(&params, &id)?, params)));
        match read {
            Ok((question, params)) => {
                let input = Input {
                    key: id,
                    params,
                    id: question.id.clone(),
                };
                Some((question, Open { input, asked }))
            }
            Err(error) => {
                asked.respond(Err(RpcError::new(INVALID_PARAMS, error.message())));
                None
            }
        }
    }

    /// What has to be opened at URLs before a call can be made (-32042); nothing if that is not said.
    pub(super) fn open_first(&mut self, error: &str) -> Option<(Vec<Input>, Vec<Question>)> {
        let document = Document::new(error).ok()?;
        let elicitations = document.root().get("data")?.get("elicitations")?;
        let (mut inputs, mut questions) = (Vec::new(), Vec::new());
        for elicitation in elicitations.elements() {
            let params = Json::from(elicitation);
            let key = elicitation.get("elicitationId")?.as_str()?.into_owned();
            self.asked += 1;
            let id = format!("elicitation-{}", self.asked);
            let question = self.question(&params, &id).ok()?;
            inputs.push(Input {
                key,
                params,
                id: question.id.clone(),
            });
            questions.push(question);
        }
        (!inputs.is_empty()).then_some((inputs, questions))
    }

    /// What a result asks for, if it is an incomplete one.
    ///
    /// # Errors
    ///
    /// A sentence about what can't be asked.
    pub(super) fn required(&mut self, result: &str) -> Result<Option<Required>, String> {
        let Ok(document) = Document::new(result) else {
            return Ok(None);
        };
        let root = document.root();
        let kind = root.get("resultType");
        if !kind.is_some_and(|kind| kind.is_str("input_required")) {
            return Ok(None);
        }
        let mut required = Required {
            inputs: Vec::new(),
            questions: Vec::new(),
            state: root.get("requestState").map(|state| state.raw().to_owned()),
        };
        (required.inputs, required.questions) = self.requests(root, &HashSet::new())?;
        Ok(Some(required))
    }

    /// What a result asks for, but for these keys.
    ///
    /// # Errors
    ///
    /// A sentence about what can't be asked.
    pub(super) fn requests(
        &mut self,
        root: Node<'_>,
        seen: &HashSet<String>,
    ) -> Result<(Vec<Input>, Vec<Question>), String> {
        let (mut inputs, mut questions) = (Vec::new(), Vec::new());
        let requests = root.get("inputRequests");
        for (key, request) in requests.iter().flat_map(|requests| requests.members()) {
            if seen.contains(&*key) {
                continue;
            }
            let method = request.get("method").and_then(|method| method.as_str());
            let params = request.get("params").map(Json::from);
            let (Some("elicitation/create"), Some(params)) = (method.as_deref(), params) else {
                let method = method.unwrap_or_default();
                return Err(format!(
                    "the server wants `{method}` of its client, which Toolwire does not do"
                ));
            };
            let question = self.question(&params, &key).map_err(|error| {
                format!(
                    "the server asks `{key}`, which can't be asked: {}",
                    error.message()
                )
            })?;
            inputs.push(Input {
                key: key.into_owned(),
                params,
                id: question.id.clone(),
            });
            questions.push(question);
        }
        Ok((inputs, questions))
    }
}

impl Input {
    /// The answer that a call has for it. One that nobody gave is cancelled.
    pub(super) fn answer(&self, call: &Call) -> Answer {
        let answer = call.answers.get(&self.id).cloned();
        answer.unwrap_or_else(|| Answer::cancelled(AnswerSource::Policy))
    }

    fn result(&self, call: &Call, revision: Revision) -> Json {
        answer_to_elicit_result(&self.params, &self.answer(call), revision)
    }
}

impl Open {
    /// Sends the server the answer that the call has.
    pub(super) fn answer(self, call: &Call, revision: Revision) {
        let result = self.input.result(call, revision);
        self.asked.respond(Ok(result.to_string()));
    }
}

/// The answers that a call has, by the keys of what was asked.
pub(super) fn by_key(inputs: &[Input], call: &Call) -> String {
    let mut out = ObjectWriter::new();
    for input in inputs {
        let result = input.result(call, Revision::V2026_07_28);
        out.json(&input.key, result.as_str());
    }
    out.end()
}

/// The members of a request that answers what was required.
pub(super) fn responses(
    inputs: &[Input],
    state: Option<String>,
    call: &Call,
) -> Vec<(&'static str, String)> {
    let mut members = Vec::new();
    if !inputs.is_empty() {
        members.push(("inputResponses", by_key(inputs, call)));
    }
    members.extend(state.map(|state| ("requestState", state)));
    members
}
