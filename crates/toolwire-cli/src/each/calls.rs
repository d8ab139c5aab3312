//! One call of many: what it says is shown, its questions are answered one at a time, and it is ended when
//! this process is told to end.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::{Mutex, MutexGuard, watch};
use toolwire::block::Question;
use toolwire::call::{Answer, AnswerSource, AnswerState, Call};
use toolwire::question::Prompt;
use toolwire_host::{
    CallOptions, CallOutcome, Conversation, Event, ExchangeOptions, PendingQuestion, Transport,
};

use crate::exit::{Failure, Result, reason};
use crate::prompt;
use crate::run::router::Router;
use crate::run::session::Answers;
use crate::run::session::Session;

/// The most bytes of a line of stderr that wait for its end.
const MOST_LINE: usize = 64 * 1024;

/// Who may use the terminal: one question at a time, and nobody writes there meanwhile.
pub struct Floor<'s> {
    session: &'s Session,
    /// Since when calls are made.
    began: Instant,
    held: Mutex<Holder>,
}

/// What the one who has the floor works with.
pub struct Holder {
    pub router: Router,
    /// Questions that a person has answered for all records.
    for_all: Vec<(Question, Answer)>,
}

impl<'s> Floor<'s> {
    pub fn new(session: &'s Session, router: Router) -> Floor<'s> {
        let held = Mutex::new(Holder {
            router,
            for_all: Vec::new(),
        });
        session.screen.start();
        Floor {
            session,
            began: Instant::now(),
            held,
        }
    }

    /// The floor, unless somebody has it.
    pub fn if_free(&self) -> Option<MutexGuard<'_, Holder>> {
        self.held.try_lock().ok()
    }

    /// The answer to a question of the call of this record.
    async fn answer(&self, asking: &PendingQuestion, record: u64) -> Result<Option<Answer>> {
        let mut holder = self.held.lock().await;
        let known = holder
            .for_all
            .iter()
            .position(|(question, _)| *question == asking.question);
        match known {
            Some(at) if asking.mismatches.is_empty() => {
                return Ok(Some(holder.for_all[at].1.clone()));
            }
            // It does not fit here after all.
            Some(at) => drop(holder.for_all.remove(at)),
            None => {}
        }
        let screen = &self.session.screen;
        let mut named = asking.clone();
        named.tool = Some(match &asking.tool {
            Some(tool) => format!("{tool} (record {record})"),
            None => format!("record {record}"),
        });
        screen.pause();
        let said = holder.put(&named).await;
        screen.start_from(self.began);
        said
    }
}

impl Holder {
    async fn put(&mut self, asking: &PendingQuestion) -> Result<Option<Answer>> {
        let said = self.router.answer(asking).await?;
        let Some(answer) = &said else {
            return Ok(None);
        };
        let settles = matches!(
            answer.state(),
            AnswerState::Accepted | AnswerState::Declined
        );
        let by_person = answer.source() == Some(AnswerSource::User);
        // A secret is not kept, and a page is opened by whoever is asked.
        let lasts = asking.secret.is_none() && asking.question.url.is_none();
        if settles && by_person && lasts && self.is_for_all().await? {
            self.for_all.push((asking.question.clone(), answer.clone()));
        }
        Ok(said)
    }

    async fn is_for_all(&self) -> Result<bool> {
        let text = "The same answer for the records that follow?";
        let no = Some(false.into());
        let said = own(&self.router, text, Prompt::Boolean, no).await?;
        Ok(said.is_some_and(|said| said.as_str() == "true"))
    }
}

/// A question of this command itself. Ctrl-C ends the command.
pub async fn own(
    router: &Router,
    text: &str,
    prompt: Prompt,
    default: Option<toolwire::Json>,
) -> Result<Option<toolwire::Json>> {
    match prompt::ask_own(text, prompt, default, router.color).await {
        Ok(said) => Ok(said),
        Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {
            router.signals.interrupt();
            // Whoever hears of it withdraws the question.
            std::future::pending().await
        }
        Err(error) => Err(Failure::Io(format!(
            "cannot ask a question at the terminal: {}",
            reason(&error)
        ))),
    }
}

/// A call that is to be made.
pub struct Made {
    pub transport: Arc<dyn Transport>,
    pub call: Call,
    pub exchange: ExchangeOptions,
}

/// Carries out the call of a record. It is cancelled at the first signal, or when `halted` says so, and
/// killed at the second signal.
pub async fn carry_out(
    made: Made,
    record: u64,
    floor: &Floor<'_>,
    mut halted: watch::Receiver<bool>,
) -> Result<CallOutcome> {
    let session = floor.session;
    let options = CallOptions {
        exchange: made.exchange,
        stderr_events: true,
        tool_events: true,
        ..CallOptions::default()
    };
    let (conversation, driver) = Conversation::new(made.transport, made.call, options);
    tokio::spawn(driver);
    let (mut failure, mut told, mut halts) = (None, 0, false);
    let mut line = Vec::new();
    loop {
        let event = tokio::select! {
            biased;
            event = conversation.next() => event,
            () = session.signals.nth(told + 1) => {
                told += 1;
                match told {
                    1 => conversation.cancel(),
                    _ => conversation.kill(),
                }
                continue;
            }
            () = is_halted(&mut halted), if !halts => {
                halts = true;
                conversation.cancel();
                continue;
            }
        };
        match event {
            Some(Event::Stderr(piece)) => show_lines(floor, &mut line, &piece).await,
            Some(Event::Message(message)) => {
                let _floor = floor.held.lock().await;
                session.screen.message(&message);
            }
            Some(Event::Log(stdout)) => {
                let _floor = floor.held.lock().await;
                session.screen.log(&stdout);
            }
            Some(Event::Question(question)) => {
                let answering: Pin<Box<dyn Future<Output = Result<Option<Answer>>>>> =
                    Box::pin(floor.answer(&question, record));
                let said = tokio::select! {
                    biased;
                    () = session.signals.nth(told + 1) => continue,
                    said = answering => said,
                };
                let id = &question.question.id;
                match said {
                    Ok(Some(answer)) => conversation.answer(id, answer),
                    Ok(None) => conversation.fail(id),
                    Err(why) => {
                        failure = Some(why);
                        conversation.cancel();
                    }
                }
            }
            Some(Event::Done(outcome)) => {
                if !line.is_empty() {
                    let _floor = floor.held.lock().await;
                    line.push(b'\n');
                    session.screen.write(&line);
                }
                return match failure {
                    Some(failure) => Err(failure),
                    None => outcome
                        .map(|outcome| *outcome)
                        .map_err(|error| Failure::Io(error.to_string())),
                };
            }
            // How far one of many calls is says little.
            _ => {}
        }
    }
}

async fn is_halted(halted: &mut watch::Receiver<bool>) {
    if halted.wait_for(|halted| *halted).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Shows the lines that have ended: those of calls side by side must not get into each other.
async fn show_lines(floor: &Floor<'_>, line: &mut Vec<u8>, piece: &[u8]) {
    line.extend_from_slice(piece);
    let whole = memchr::memrchr(b'\n', line).map_or(0, |end| end + 1);
    let whole = if line.len() > MOST_LINE {
        line.len()
    } else {
        whole
    };
    if whole > 0 {
        let _floor = floor.held.lock().await;
        floor.session.screen.write(&line[..whole]);
        line.drain(..whole);
    }
}
