//! What has come for a session and has not been taken yet.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use toolwire::Json;
use toolwire::call::Answer;
use toolwire::session::EndReason;

/// When so many inputs, or so many bytes of them, wait for a tool that does not take them, more of them are lost. To
/// let the host wait instead would keep the answers and the end that come behind them from the tool.
const INPUTS: usize = 10_000;
const BYTES: usize = 16 * 1024 * 1024;

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
    bytes: usize,
    /// The questions that were asked, and the answers that have not been taken.
    asked: BTreeMap<String, Option<Answer>>,
    ending: Option<EndReason>,
    /// Whether there was no room for an input.
    has_lost: bool,
}

impl State {
    fn is_full(&self) -> bool {
        self.inputs.len() >= INPUTS || self.bytes >= BYTES
    }
}

impl Mailbox {
    /// Puts input in; tells whether it is the first that is lost because there is no room.
    pub(crate) fn input(&self, input: Json) -> bool {
        let mut state = self.lock();
        if state.is_full() {
            return !std::mem::replace(&mut state.has_lost, true);
        }
        state.bytes += input.as_str().len();
        state.inputs.push_back(input);
        self.changed.notify_all();
        false
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
            state.bytes -= input.as_str().len();
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
    use super::*;

    const SOON: Duration = Duration::from_millis(1);

    /// Whether one more input has to wait for room.
    fn is_full(mailbox: &Mailbox) -> bool {
        mailbox.lock().is_full()
    }

    #[test]
    fn inputs_wait_in_order_and_what_has_no_room_is_lost() {
        let mailbox = Mailbox::default();
        assert_eq!(mailbox.recv(Some(SOON)), Ok(None));
        for nth in 0..INPUTS {
            assert!(!is_full(&mailbox), "{nth}");
            assert!(!mailbox.input(Json::from(nth.to_string().as_str())));
        }
        assert!(is_full(&mailbox));
        assert!(mailbox.input(Json::from("lost")), "it is told");
        assert!(!mailbox.input(Json::from("lost")), "and only once");
        assert_eq!(mailbox.recv(None), Ok(Some(Json::from("0"))));
        mailbox.input(Json::from("more"));
        for nth in 1..INPUTS {
            let input = Json::from(nth.to_string().as_str());
            assert_eq!(mailbox.recv(None), Ok(Some(input)));
        }
        assert_eq!(mailbox.recv(None), Ok(Some(Json::from("more"))));
        assert_eq!(mailbox.recv(Some(SOON)), Ok(None));
    }

    #[test]
    fn bytes_fill_it_too_but_one_input_has_always_room() {
        let mailbox = Mailbox::default();
        mailbox.input(Json::from("a".repeat(BYTES - 3).as_str()));
        assert!(!is_full(&mailbox));
        mailbox.input(Json::from(""));
        assert!(is_full(&mailbox));
        assert!(mailbox.recv(None).is_ok() && !is_full(&mailbox));
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
        mailbox.input(Json::from("too late"));
        mailbox.end(EndReason::Aborted);
        mailbox.end(EndReason::HostEnded);
        assert_eq!(mailbox.ending(), Some(EndReason::Aborted));
        assert_eq!(mailbox.recv(None), Err(Ending));
        assert_eq!(mailbox.sleep(Duration::MAX), Err(Ending));
        mailbox.expect("a");
        assert_eq!(mailbox.answered("a"), Err(Ending));
    }
}
