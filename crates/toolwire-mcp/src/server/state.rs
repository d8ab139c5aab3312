//! What stands in a sealed `requestState`.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use toolwire::block::Question;
use toolwire::call::{Answer, Call};
use toolwire::json::{Document, Node, ObjectWriter, array};
use toolwire::question::{RefusalAbout, read_question, write_question};
use toolwire::{Json, digest_bytes};
use toolwire_host::{Settled, Standing};
use toolwire_rpc::RpcError;

use super::{Refusal, ServeError, StateKeys};

/// The longest state that is given out: a client sends it back with every retry.
const MAX_STATE: usize = 1024 * 1024;

/// What a state belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bound {
    pub tool: String,
    pub principal: String,
    /// The digest of the tool's name and the arguments, in exact form: every digit counts.
    pub arguments: String,
}

impl Bound {
    pub(super) fn new(tool: &str, principal: &str, arguments: &Json) -> Self {
        let exact = Call::new(tool, arguments.clone()).to_json();
        Bound {
            tool: tool.to_owned(),
            principal: principal.to_owned(),
            arguments: digest_bytes(exact.as_bytes()),
        }
    }
}

/// A question that is open.
#[derive(Debug, Clone)]
pub(super) struct Open {
    pub question: Question,
    /// What stands before it in the tool's answer, for whoever is asked.
    pub before: String,
    /// How many answers did not fit.
    pub tries: usize,
    /// What secret it seems to ask for, if any.
    pub suspected: Option<RefusalAbout>,
}

/// A call that waits for answers.
#[derive(Debug)]
pub(super) struct State {
    pub bound: Bound,
    pub standing: Standing,
    pub questions: Vec<Open>,
    /// What it takes to go on with the call of a server's tool.
    pub parked: Option<String>,
    /// Until when it may be used, in seconds since 1970. Asking for what is missing does not renew it.
    pub expires: u64,
}

impl State {
    /// Seals it.
    pub(super) fn seal(&self, keys: &StateKeys) -> Result<String, ServeError> {
        let sealed = keys.seal(&self.to_json())?;
        match sealed.len() > MAX_STATE {
            true => Err(ServeError::new(
                "its questions and answers are too large to go on with later",
            )),
            false => Ok(sealed),
        }
    }

    /// Opens a state for the call that it came with.
    ///
    /// # Errors
    ///
    /// What a client is told: that it is not this server's, of another call, or too old.
    pub(super) fn open(sealed: &str, keys: &StateKeys, bound: &Bound) -> Result<Self, RpcError> {
        let forged = || {
            Refusal::BadRequestState.because(
                "the `requestState` is not as this server gave it; call the tool again without it",
            )
        };
        if sealed.len() > MAX_STATE {
            return Err(forged());
        }
        let text = keys.open(sealed).ok_or_else(forged)?;
        let state = State::read(&text).ok_or_else(forged)?;
        if state.bound != *bound {
            let message = "the `requestState` belongs to another call; send it with the tool and the arguments \
                           of the call that it answers";
            return Err(Refusal::RequestStateMismatch.because(message));
        }
        if now() > state.expires {
            let message = "the `requestState` is too old; call the tool again without it";
            return Err(Refusal::RequestStateExpired.because(message));
        }
        Ok(state)
    }

    fn to_json(&self) -> String {
        let mut answers = ObjectWriter::new();
        for (id, settled) in &self.standing.answers {
            let mut entry = ObjectWriter::new();
            entry.json("answer", settled.answer.to_json());
            entry.optional_json("schema", settled.schema.as_ref().map(Json::as_str));
            entry.flag("suspected", settled.suspected);
            answers.json(id, entry.end());
        }
        let questions = self.questions.iter().map(|open| {
            let mut entry = ObjectWriter::new();
            entry.json("question", write_question(&open.question));
            entry.text("before", &open.before);
            entry.number("tries", open.tries as u64);
            entry.optional("suspected", open.suspected.map(RefusalAbout::as_str));
            entry.end()
        });
        let mut out = ObjectWriter::new();
        out.text("tool", &self.bound.tool);
        out.text("principal", &self.bound.principal);
        out.text("arguments", &self.bound.arguments);
        out.number("expires", self.expires);
        out.number("rounds", self.standing.rounds as u64);
        out.json("answers", answers.end());
        out.json("questions", array(questions));
        out.optional("parked", self.parked.as_deref());
        out.end()
    }

    /// What [`State::to_json`] wrote. Nobody else can have written it, so what is wrong needs no words.
    fn read(text: &str) -> Option<Self> {
        let document = Document::new(text).ok()?;
        let root = document.root();
        let word = |name: &str| Some(root.get(name)?.as_str()?.into_owned());
        let number = |node: Node<'_>, name: &str| node.get(name)?.as_u64();
        let mut standing = Standing {
            rounds: usize::try_from(number(root, "rounds")?).ok()?,
            ..Standing::default()
        };
        for (id, entry) in root.get("answers")?.members() {
            let settled = Settled {
                answer: Answer::from_json(entry.get("answer")?.raw()).ok()?,
                schema: entry.get("schema").map(Json::from),
                suspected: entry.get("suspected")?.as_bool()?,
            };
            standing.answers.insert(id.into_owned(), settled);
        }
        let mut questions = Vec::new();
        for entry in root.get("questions")?.elements() {
            questions.push(Open {
                question: read_question(entry.get("question")?.raw()).ok()?,
                before: entry.get("before")?.as_str()?.into_owned(),
                tries: usize::try_from(number(entry, "tries")?).ok()?,
                suspected: match entry.get("suspected") {
                    Some(about) => Some(about.as_str()?.parse().ok()?),
                    None => None,
                },
            });
        }
        Some(State {
            bound: Bound {
                tool: word("tool")?,
                principal: word("principal")?,
                arguments: word("arguments")?,
            },
            standing,
            questions,
            parked: word("parked"),
            expires: number(root, "expires")?,
        })
    }
}

/// The end of a lifetime that begins now.
pub(super) fn expiry(lifetime: Duration) -> u64 {
    now().saturating_add(lifetime.as_secs())
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}
