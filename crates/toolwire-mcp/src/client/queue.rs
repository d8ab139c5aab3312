//! What a server says while a call runs, until the call takes it: bounded in number and in bytes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::mpsc;

use super::handler::Asked;

/// The most messages that wait for a call to take them.
const MOST: usize = 256;

/// The most bytes of them; a longer one is taken if nothing else waits.
pub(super) const MOST_BYTES: usize = 8 * 1024 * 1024;

/// What a server says while a call runs.
#[derive(Debug)]
pub(super) enum Said {
    /// The parameters of `notifications/progress`.
    Progress(String),
    /// The parameters of `notifications/message`.
    Log(String),
    /// A line that is no message.
    Noise(String),
    /// That what was opened by its URL is done: the id of the elicitation.
    Opened(String),
    /// A question, and where its answer goes.
    Asked(Asked),
}

impl Said {
    fn size(&self) -> usize {
        match self {
            Said::Progress(text) | Said::Log(text) | Said::Noise(text) | Said::Opened(text) => {
                text.len()
            }
            Said::Asked(asked) => asked.params.len(),
        }
    }
}

/// Where it is put.
#[derive(Debug, Clone)]
pub(super) struct Sender {
    sender: mpsc::Sender<(usize, Said)>,
    held: Arc<AtomicUsize>,
}

/// Where a call takes it.
#[derive(Debug)]
pub(super) struct Receiver {
    receiver: mpsc::Receiver<(usize, Said)>,
    held: Arc<AtomicUsize>,
}

pub(super) fn queue() -> (Sender, Receiver) {
    let (sender, receiver) = mpsc::channel(MOST);
    let held = Arc::<AtomicUsize>::default();
    let other = Arc::clone(&held);
    (
        Sender { sender, held },
        Receiver {
            receiver,
            held: other,
        },
    )
}

impl Sender {
    /// Puts it there, unless there is no room: a server that says more than anybody takes is not waited for.
    pub(super) fn offer(&self, said: Said) {
        let size = said.size();
        let held = self.held.load(Ordering::Relaxed);
        if held > 0 && held.saturating_add(size) > MOST_BYTES {
            return;
        }
        // Added first: it may be taken before this goes on.
        self.held.fetch_add(size, Ordering::Relaxed);
        if self.sender.try_send((size, said)).is_err() {
            self.held.fetch_sub(size, Ordering::Relaxed);
        }
    }
}

impl Receiver {
    pub(super) async fn recv(&mut self) -> Option<Said> {
        let taken = self.receiver.recv().await;
        self.taken(taken)
    }

    pub(super) fn try_recv(&mut self) -> Option<Said> {
        let taken = self.receiver.try_recv().ok();
        self.taken(taken)
    }

    fn taken(&self, taken: Option<(usize, Said)>) -> Option<Said> {
        let (size, said) = taken?;
        self.held.fetch_sub(size, Ordering::Relaxed);
        Some(said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(receiver: &mut Receiver) -> usize {
        std::iter::from_fn(|| receiver.try_recv()).count()
    }

    #[test]
    fn as_many_messages_and_bytes_are_kept_as_allowed_and_no_more() {
        let (sender, mut receiver) = queue();
        let log = |size: usize| Said::Log("x".repeat(size));
        for _ in 0..MOST + 10 {
            sender.offer(log(1));
        }
        assert_eq!(count(&mut receiver), MOST);
        for size in [MOST_BYTES / 2, MOST_BYTES / 2, 1] {
            sender.offer(log(size));
        }
        assert_eq!(count(&mut receiver), 2);
        // One that is too long is taken alone.
        sender.offer(log(MOST_BYTES + 1));
        sender.offer(log(1));
        assert_eq!(count(&mut receiver), 1);
        sender.offer(log(1));
        assert_eq!(count(&mut receiver), 1);
    }
}
