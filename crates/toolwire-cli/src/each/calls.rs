//! One call of many: what it says is shown, its questions are answered one at a time, and it is ended when
//! this process is told to end.

use std::sync::Arc;
use std::time::Instant;

use tokio::sync::{Mutex, MutexGuard, watch};
use toolwire::block::Question;
use toolwire::call::{Answer, AnswerSource, AnswerState, Call};
use toolwire::question::Prompt;
use toolwire_host::{CallOutcome, Event, ExchangeOptions, PendingQuestion, Transport};

use crate::exit::{Failure, Result, reason};
use crate::prompt;
use crate::run::router::Router;
use crate::run::screen::Screen;
use crate::run::session::{Follows, Later, Session};

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

/// The call of one record.
pub struct Caller<'f> {
    floor: &'f Floor<'f>,
    record: u64,
    /// Says when the call is to be cancelled.
    halted: watch::Receiver<bool>,
    /// The line of stderr that the tool has begun.
    line: Vec<u8>,
}

impl<'f> Caller<'f> {
    pub fn new(floor: &'f Floor<'f>, record: u64, halted: watch::Receiver<bool>) -> Caller<'f> {
        Caller {
            floor,
            record,
            halted,
            line: Vec::new(),
        }
    }

    /// Carries out the call.
    pub async fn call(
        mut self,
        transport: Arc<dyn Transport>,
        call: Call,
        exchange: ExchangeOptions,
    ) -> Result<CallOutcome> {
        let session = self.floor.session;
        let outcome = session
            .carry_out(transport, call, exchange, &mut self)
            .await;
        if !self.line.is_empty() {
            let _floor = self.floor.held.lock().await;
            self.line.push(b'\n');
            session.screen.write(&self.line);
        }
        outcome
    }

    /// The lines that have ended with this piece: those of calls side by side must not get into each other.
    fn lines(&mut self, piece: &[u8]) -> Vec<u8> {
        self.line.extend_from_slice(piece);
        let whole = match self.line.len() > MOST_LINE {
            true => self.line.len(),
            false => memchr::memrchr(b'\n', &self.line).map_or(0, |end| end + 1),
        };
        self.line.drain(..whole).collect()
    }
}

impl Follows for Caller<'_> {
    fn answer<'a>(
        &'a mut self,
        question: &'a PendingQuestion,
    ) -> Later<'a, Result<Option<Answer>>> {
        Box::pin(self.floor.answer(question, self.record))
    }

    fn show<'a>(&'a mut self, screen: &'a Screen, event: Event) -> Later<'a, ()> {
        Box::pin(async {
            let event = match event {
                // How far one of many calls is says little.
                Event::Progress(_) => return,
                Event::Stderr(piece) => match self.lines(&piece) {
                    lines if lines.is_empty() => return,
                    lines => Event::Stderr(lines),
                },
                event => event,
            };
            let _floor = self.floor.held.lock().await;
            screen.show(event);
        })
    }

    fn halted(&mut self) -> Later<'_, ()> {
        Box::pin(async {
            if self.halted.wait_for(|halted| *halted).await.is_err() {
                std::future::pending::<()>().await;
            }
        })
    }
}
