//! What happens to handles while nobody fetches, until the program takes it.

use std::collections::{BTreeMap, VecDeque};

use toolwire::event::{Level, Message, Progress};
use toolwire::session::SessionState;
use toolwire_host::SessionNotice;

/// Maximum number of queued notices, of all handles together.
const MOST: usize = 1024;

/// Maximum bytes of queued log messages and stderr.
const MOST_BYTES: usize = 1_048_576;

/// Something that has happened to a handle.
#[derive(Debug, Clone, PartialEq)]
pub enum Notice {
    /// It is in another state.
    State(SessionState),
    /// Its tool said how far it has come.
    Progress(Progress),
    /// Its tool wrote a log message.
    Message(Message),
    /// Its tool wrote this to stderr.
    Stderr(Vec<u8>),
}

impl Notice {
    /// What the program takes of it; nothing of what is of no kind that is known here.
    pub(super) fn of(notice: &SessionNotice<'_>) -> Option<Self> {
        Some(match notice {
            SessionNotice::State(state) => Notice::State(*state),
            SessionNotice::Progress(progress) => Notice::Progress((*progress).clone()),
            SessionNotice::Message(message) => Notice::Message((*message).clone()),
            SessionNotice::Stderr(piece) => Notice::Stderr(piece.to_vec()),
            _ => return None,
        })
    }

    fn bytes(&self) -> usize {
        match self {
            Notice::State(_) | Notice::Progress(_) => 0,
            Notice::Message(message) => message.text.len(),
            Notice::Stderr(piece) => piece.len(),
        }
    }

    /// Whether only the newest of this kind is of interest.
    fn replaces(&self, other: &Notice) -> bool {
        matches!(
            (self, other),
            (Notice::State(_), Notice::State(_)) | (Notice::Progress(_), Notice::Progress(_))
        )
    }
}

/// Those that wait, each with the id of its handle.
#[derive(Debug, Default)]
pub(super) struct Notices {
    queue: VecDeque<(String, Notice)>,
    bytes: usize,
    /// How many of each handle were left out.
    left_out: BTreeMap<String, u64>,
}

impl Notices {
    pub(super) fn put(&mut self, id: &str, notice: Notice) {
        let is_old = |(of, old): &(String, Notice)| of == id && notice.replaces(old);
        self.queue.retain(|one| !is_old(one));
        self.bytes += notice.bytes();
        self.queue.push_back((id.to_owned(), notice));
        while self.queue.len() > MOST || self.bytes > MOST_BYTES {
            let Some((of, oldest)) = self.queue.pop_front() else {
                return;
            };
            self.bytes -= oldest.bytes();
            if self.left_out.len() < MOST || self.left_out.contains_key(&of) {
                *self.left_out.entry(of).or_default() += 1;
            }
        }
    }

    pub(super) fn take(&mut self) -> Option<(String, Notice)> {
        if let Some((id, count)) = self.left_out.pop_first() {
            let text = format!("{count} notices of it were left out: nobody took them in time");
            let message = Message::new(Level::Warning, text).by("toolwire");
            return Some((id, Notice::Message(message)));
        }
        let (id, notice) = self.queue.pop_front()?;
        self.bytes -= notice.bytes();
        Some((id, notice))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty() && self.left_out.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> Notice {
        Notice::Message(Message::new(Level::Info, text.to_owned()))
    }

    fn texts(notices: &mut Notices) -> Vec<String> {
        let text = |(id, notice)| match notice {
            Notice::Message(message) => format!("{id} {}", message.text),
            other => format!("{id} {other:?}"),
        };
        std::iter::from_fn(|| notices.take()).map(text).collect()
    }

    #[test]
    fn of_progress_and_states_the_newest_of_each_handle_waits() {
        let mut notices = Notices::default();
        notices.put("a", Notice::State(SessionState::Running));
        for done in [1.0, 2.0] {
            notices.put("a", Notice::Progress(Progress::new(done, None, None)));
            notices.put("b", Notice::Progress(Progress::new(done, None, None)));
        }
        notices.put("a", message("one"));
        notices.put("a", message("two"));
        notices.put("a", Notice::State(SessionState::Stopped));
        let took: Vec<_> = std::iter::from_fn(|| notices.take()).collect();
        assert_eq!(took.len(), 5);
        assert_eq!(
            took[0],
            (
                "a".to_owned(),
                Notice::Progress(Progress::new(2.0, None, None))
            )
        );
        assert_eq!(
            took[4],
            ("a".to_owned(), Notice::State(SessionState::Stopped))
        );
    }

    #[test]
    fn what_has_no_room_is_left_out_the_oldest_first_and_counted() {
        let mut notices = Notices::default();
        for number in 0..MOST {
            notices.put("a", message(&number.to_string()));
        }
        assert!(notices.left_out.is_empty(), "so many have room");
        notices.put("b", message("one more"));
        let took = texts(&mut notices);
        assert_eq!(took.len(), MOST + 1);
        assert_eq!(
            took[0],
            "a 1 notices of it were left out: nobody took them in time"
        );
        assert_eq!(took[1], "a 1");
        assert_eq!(took[MOST], "b one more");
        assert!(notices.is_empty() && notices.bytes == 0);
    }

    #[test]
    fn bytes_count_too() {
        let mut notices = Notices::default();
        notices.put("a", Notice::Stderr(vec![b'x'; MOST_BYTES / 2]));
        notices.put("a", Notice::Stderr(vec![b'x'; MOST_BYTES / 2]));
        assert!(notices.left_out.is_empty(), "so much has room");
        notices.put("a", Notice::Stderr(vec![b'x']));
        assert_eq!((notices.queue.len(), notices.left_out["a"]), (2, 1));
        assert_eq!(notices.bytes, MOST_BYTES / 2 + 1);
    }
}
