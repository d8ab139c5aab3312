//! Who answers a question.

use std::borrow::Cow;
use std::collections::BTreeMap;

use toolwire::Json;
use toolwire::block::Question;
use toolwire::call::{Answer, AnswerSource};
use toolwire::question::PromptKind;
use toolwire_host::manifest::Words;
use toolwire_host::{Answerer, Assistant, Command, PendingQuestion, Who, check_answer};

use super::given::{Given, example};
use super::screen::Screen;
use super::session::{Follows, Later, Session, assistant_environment};
use super::signals::Signals;
use crate::args::{AnswerArgs, NonInteractive, RunArgs};
use crate::exit::{Failure, Result};
use crate::output::{Out, use_color};
use crate::prompt::{self, fit};
use crate::terminal;

/// The most columns that the name of a server takes in that of its tool.
const MOST_SERVER: usize = 26;

/// Puts each question to the one who is to answer it.
pub struct Router {
    /// What messages call the tool.
    pub label: String,
    /// What the user calls the server that asks, if it is one of MCP.
    pub server: Option<String>,
    pub given: Given,
    pub questions: BTreeMap<String, Who>,
    pub assistant: Option<Assistant>,
    /// What happens to a question for a person; nothing if there is one.
    pub nobody: Option<NonInteractive>,
    /// The questions that nobody was there to answer, with what to do about each.
    pub unasked: BTreeMap<String, String>,
    pub screen: Screen,
    pub signals: Signals,
    pub color: bool,
}

/// How to have a question answered where nobody is asked.
fn cure(asking: &PendingQuestion) -> String {
    match &asking.question.url {
        Some(url) => format!("run this at a terminal, and open {url}"),
        None => {
            let option = example(&asking.question, &asking.prompt);
            format!("answer `{}` in advance with `{option}`", asking.question.id)
        }
    }
}

impl Follows for Router {
    fn answer<'a>(
        &'a mut self,
        question: &'a PendingQuestion,
    ) -> Later<'a, Result<Option<Answer>>> {
        Box::pin(async {
            self.screen.pause();
            let said = self.route(question).await;
            self.screen.start();
            said
        })
    }
}

impl Router {
    /// Asks a person, if there is one and `args` do not say otherwise; standard input may be for something else.
    pub fn new(
        label: &str,
        session: &Session,
        args: &AnswerArgs,
        beside_stdin: bool,
        out: &Out,
    ) -> Router {
        let available = match beside_stdin {
            true => prompt::is_available_beside_stdin(),
            false => prompt::is_available(),
        };
        let asked = args.beforehand.non_interactive;
        Router {
            label: label.to_owned(),
            server: None,
            given: Given::default(),
            questions: BTreeMap::new(),
            assistant: None,
            nobody: asked.or((!available).then_some(NonInteractive::Unavailable)),
            unasked: BTreeMap::new(),
            screen: session.screen.clone(),
            signals: session.signals.clone(),
            // Prompts are on a terminal wherever the output goes.
            color: use_color(out.when, true),
        }
    }

    /// For the calls that `run` makes, with what was answered beforehand and the program that answers otherwise, which
    /// inherits the environment, where its keys are, unless `--inherit` says otherwise.
    pub fn of_run(
        label: &str,
        session: &Session,
        args: &RunArgs,
        given: Given,
        usual: Option<&Words>,
        out: &Out,
    ) -> Result<Router> {
        let words = args.answers.assistant.as_ref().or(usual);
        let assistant = match words.and_then(|words| words.split_first()) {
            Some((program, arguments)) => {
                let mut assistant = Assistant::new(Command::new(program).args(arguments));
                assistant.run.on_stderr = Some(session.screen.observer());
                assistant.run.environment = assistant_environment(&args.server.process)?;
                Some(assistant)
            }
            None => None,
        };
        Ok(Router {
            given,
            assistant,
            ..Router::new(label, session, &args.answers, args.each.each, out)
        })
    }

    /// The answer to a question, of whoever is to give it.
    async fn route(&mut self, asking: &PendingQuestion) -> Result<Option<Answer>> {
        let question = &asking.question;
        if let Some(secret) = &asking.secret {
            let given = self.given.value(question);
            if !given.is_ok_and(|given| given.is_some_and(|value| secret.spares(&value))) {
                return self.ask_for_secret(asking).await;
            }
        }
        let given = self.given.answer(question);
        if let Some(begun) = self.begun(asking) {
            let mut asking = asking.clone();
            asking.default = Some(begun);
            return self.ask_person(&asking).await;
        }
        match given {
            // It is asked again because the value did not fit.
            Ok(Some(_)) if !asking.mismatches.is_empty() => return Err(wrong(asking)),
            Ok(Some(value)) => return Ok(Some(Answer::accepted(value, AnswerSource::Policy))),
            Ok(None) => {}
            Err(message) => {
                let message = format!("the answer to `{}` does not fit: {message}", question.id);
                return Err(Failure::Wrong(vec![message]));
            }
        }
        match self.who(&question.id) {
            Some(Who::Value(_)) if !asking.mismatches.is_empty() => Err(wrong(asking)),
            Some(Who::Value(value)) => {
                Ok(Some(Answer::accepted(value.clone(), AnswerSource::Policy)))
            }
            Some(Who::Default) => Ok(Some(default(asking))),
            Some(Who::Decline) => Ok(Some(declined())),
            Some(Who::User) => self.ask_person(asking).await,
            // Only a person can agree to open a page.
            Some(_) | None if question.url.is_some() => self.ask_person(asking).await,
            Some(_) | None => match &mut self.assistant {
                Some(assistant) => {
                    self.screen.start();
                    let answer = assistant.answer(asking).await;
                    self.screen.pause();
                    prompt::tell_assistant(asking, &answer, self.color);
                    Ok(Some(answer))
                }
                None => self.ask_person(asking).await,
            },
        }
    }

    /// The fields of a form that were given, if a person is to enter the others.
    fn begun(&self, asking: &PendingQuestion) -> Option<Json> {
        if asking.prompt.kind() != PromptKind::Form || self.nobody.is_some() {
            return None;
        }
        let begun = self.given.members(&asking.question)?;
        check_answer(&asking.question, &begun)
            .is_err()
            .then_some(begun)
    }

    /// Who answers a question, as the manifest says.
    fn who(&self, id: &str) -> Option<&Who> {
        self.questions.get(id).or_else(|| self.questions.get("*"))
    }

    /// The answer to a question that seems to ask for a secret: a person's, or nobody's.
    async fn ask_for_secret(&mut self, asking: &PendingQuestion) -> Result<Option<Answer>> {
        match (self.who(&asking.question.id), self.nobody) {
            (Some(Who::Decline), _) | (_, Some(_)) => {
                Ok(Some(Answer::unavailable(AnswerSource::Policy)))
            }
            (_, None) => self.ask_person(asking).await,
        }
    }

    /// The question with the server that asks it, which the user has named, where the tool's name stands.
    fn beside_server<'q>(&self, asking: &'q PendingQuestion) -> Cow<'q, PendingQuestion> {
        let Some(server) = &self.server else {
            return Cow::Borrowed(asking);
        };
        let mut asking = asking.clone();
        // The server comes first, where nothing that it writes itself can push it out of sight.
        asking.tool = Some(match asking.tool {
            Some(tool) => format!("{}: {tool}", fit(server, MOST_SERVER)),
            None => server.clone(),
        });
        Cow::Owned(asking)
    }

    /// What to do about a question that nobody is there to answer, and what it asks.
    fn advice(&self, asking: &PendingQuestion) -> String {
        let asking = self.beside_server(asking);
        let label = asking.tool.as_deref().unwrap_or(&self.label);
        let Question { id, text, .. } = &asking.question;
        format!(
            "`{label}` asks `{id}`: {text} (there is no terminal to ask at; {}, or choose with `--non-interactive`)",
            cure(&asking)
        )
    }

    async fn ask_person(&mut self, asking: &PendingQuestion) -> Result<Option<Answer>> {
        match self.nobody {
            None => match prompt::ask_person(&self.beside_server(asking), self.color).await {
                Ok(Some(answer)) => Ok(Some(answer)),
                Ok(None) => {
                    self.signals.interrupt();
                    // Whoever hears of it withdraws the question.
                    std::future::pending().await
                }
                Err(error) => Err(Failure::Io(format!(
                    "cannot ask a question at the terminal: {}",
                    crate::exit::reason(&error)
                ))),
            },
            Some(NonInteractive::Defaults) => Ok(Some(default(asking))),
            Some(NonInteractive::Decline) => Ok(Some(declined())),
            Some(NonInteractive::Fail) => {
                // The result says what was asked.
                terminal::complain(&cure(asking));
                Ok(None)
            }
            Some(NonInteractive::Unavailable) => {
                let advice = self.advice(asking);
                self.unasked.insert(asking.question.id.clone(), advice);
                Ok(Some(Answer::unavailable(AnswerSource::Policy)))
            }
        }
    }
}

fn wrong(asking: &PendingQuestion) -> Failure {
    let id = &asking.question.id;
    let found = asking.mismatches.iter();
    let messages = found.map(|one| format!("the answer to `{id}` does not fit: {}", one.message));
    Failure::Wrong(messages.collect())
}

fn default(asking: &PendingQuestion) -> Answer {
    match &asking.default {
        Some(value) => Answer::accepted(value.clone(), AnswerSource::Default),
        None => Answer::unavailable(AnswerSource::Policy),
    }
}

fn declined() -> Answer {
    Answer::declined(AnswerSource::Policy)
}
