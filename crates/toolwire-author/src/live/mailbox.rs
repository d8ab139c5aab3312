//! What has come for a session and has not been taken yet.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use toolwire::Json;
use toolwire::call::Answer;
use toolwire::session::EndReason;

use super::room::{Lost, Room};

/// The session is to end, so that nothing more comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ending;

#[derive(Debug, Default)]
pub(crate) struct Mailbox {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    inputs: VecDeque<Json>,
    room: Room,
    /// The questions that were asked, and the answers that have not been taken.
    asked: BTreeMap<String, Option<Answer>>,
    ending: Option<EndReason>,
}

impl Mailbox {
    /// Puts input in.
    pub(crate) fn input(&self, input: Json) -> Result<(), Lost> {
        let mut state = self.lock();
        state.room.take(input.as_str().len())?;
        state.inputs.push_back(input);
        self.changed.notify_all();
        Ok(())
    }

    /// Puts an answer in. One that nobody waits for is dropped.
    pub(crate) fn answer(&self, id: &str, answer: Answer) {
        if let Some(place) = self.lock().asked.get_mut(id) {
            place.get_or_insert(answer);
        }
        self.changed.notify_all();
    }

    /// Tells the tool to end. The first reason counts.
    pub(crate) fn end(&self, reason: EndReason) {
        self.lock().ending.get_or_insert(reason);
        self.changed.notify_all();
    }

    pub(crate) fn ending(&self) -> Option<EndReason> {
        self.lock().ending
    }

    /// The next input; nothing if none comes in the time, where there is one.
    pub(crate) fn recv(&self, time: Option<Duration>) -> Result<Option<Json>, Ending> {
        self.wait(time, |state| {
            let input = state.inputs.pop_front()?;
            state.room.free(input.as_str().len());
            Some(input)
        })
    }

    /// Makes room for the answer to a question; tells whether there is none yet that somebody waits for.
    pub(crate) fn expect(&self, id: &str) -> bool {
        let mut state = self.lock();
        let is_new = !state.asked.contains_key(id);
        state.asked.entry(id.to_owned()).or_default();
        is_new
    }

    /// The answer to a question that was expected.
    pub(crate) fn answered(&self, id: &str) -> Result<Answer, Ending> {
        let found = self.wait(None, |state| state.asked.get_mut(id)?.take());
        self.forget(id);
        found.and_then(|answer| answer.ok_or(Ending))
    }

    /// Nobody waits for the answer to this question any more.
    pub(crate) fn forget(&self, id: &str) {
        self.lock().asked.remove(id);
    }

    /// Waits until the session is to end, or the time is over.
    pub(crate) fn sleep(&self, time: Duration) -> Result<(), Ending> {
        self.wait(Some(time), |_| None::<()>).map(|_| ())
    }

    fn wait<T>(
        &self,
        time: Option<Duration>,
        take: impl Fn(&mut State) -> Option<T>,
    ) -> Result<Option<T>, Ending> {
        // A time that no clock can show is none.
        let until = time.and_then(|time| Instant::now().checked_add(time));
        let mut state = self.lock();
        loop {
            if state.ending.is_some() {
                return Err(Ending);
            }
            if let Some(taken) = take(&mut state) {
                return Ok(Some(taken));
            }
            state = match until {
                None => self
                    .changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner),
                Some(until) => {
                    let left = until.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return Ok(None);
                    }
                    let waited = self.changed.wait_timeout(state, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::room::INPUTS;
    use super::*;

    const SOON: Duration = Duration::from_millis(1);

    #[test]
    fn inputs_wait_in_order_and_what_has_no_room_is_lost() {
        let mailbox = Mailbox::default();
        assert_eq!(mailbox.recv(Some(SOON)), Ok(None));
        for nth in 0..INPUTS {
            let input = Json::from(nth.to_string().as_str());
            assert_eq!(mailbox.input(input), Ok(()), "{nth}");
        }
        assert!(mailbox.input(Json::from("lost")).is_err());
        assert_eq!(mailbox.recv(None), Ok(Some(Json::from("0"))));
        assert_eq!(mailbox.input(Json::from("more")), Ok(()));
        for nth in 1..INPUTS {
            let input = Json::from(nth.to_string().as_str());
            assert_eq!(mailbox.recv(None), Ok(Some(input)));
        }
        assert_eq!(mailbox.recv(None), Ok(Some(Json::from("more"))));
        assert_eq!(mailbox.recv(Some(SOON)), Ok(None));
    }

    #[test]
    fn an_answer_reaches_its_question_and_no_other() {
        let mailbox = Mailbox::default();
        assert!(mailbox.expect("a") && mailbox.expect("b") && !mailbox.expect("a"));
        let answer =
            |text: &str| Answer::accepted(Json::from(text), toolwire::call::AnswerSource::User);
        mailbox.answer("c", answer("for nobody"));
        mailbox.answer("b", answer("b"));
        mailbox.answer("b", answer("twice"));
        mailbox.answer("a", answer("a"));
        assert_eq!(mailbox.answered("a"), Ok(answer("a")));
        assert_eq!(mailbox.answered("b"), Ok(answer("b")));
        assert!(mailbox.expect("a"), "it can be asked again");
    }

    #[test]
    fn whoever_waits_is_told_of_the_end() {
        let mailbox = Mailbox::default();
        mailbox.input(Json::from("too late")).unwrap();
        mailbox.end(EndReason::Aborted);
        mailbox.end(EndReason::HostEnded);
        assert_eq!(mailbox.ending(), Some(EndReason::Aborted));
        assert_eq!(mailbox.recv(None), Err(Ending));
        assert_eq!(mailbox.sleep(Duration::MAX), Err(Ending));
        mailbox.expect("a");
        assert_eq!(mailbox.answered("a"), Err(Ending));
    }
}
