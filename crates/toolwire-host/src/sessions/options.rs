//! What a host sets for tools that keep running (HOST-13, HOST-33).

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use toolwire::call::SessionAction;
use toolwire::event::{Message, Progress};
use toolwire::session::{SessionState, SessionView};

use super::{SessionAnswerer, SessionApprover};

/// What becomes of a handle that still runs at the end of a turn (HOST-40).
///
/// ```
/// use std::time::Duration;
/// use toolwire_host::TurnEnd;
///
/// assert_ne!(TurnEnd::Keep, TurnEnd::Wait(Duration::from_secs(30)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TurnEnd {
    /// It ends.
    Abort,
    /// The host waits so long for it to stop; then it ends.
    Wait(Duration),
    /// It goes on.
    Keep,
    /// The answerer is asked. If it does not say, the handle ends.
    Ask,
}

/// How the handles of a tool are bound.
///
/// ```
/// use toolwire::call::SessionAction;
/// use toolwire_host::SessionRules;
///
/// let rules = SessionRules::default();
/// assert!(rules.approve.contains(&SessionAction::Spawn) && rules.approve.len() == 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRules {
    /// What becomes of a handle at the end of a turn. Default: it ends.
    pub turn: TurnEnd,
    /// The actions for which the approver is asked, unless a person does them. Default: `spawn`.
    pub approve: BTreeSet<SessionAction>,
    /// How long a tool may run. Default: as long as it likes.
    pub session_time: Option<Duration>,
    /// How long nothing may happen; it does not run while a question is open. Default: as long as it likes.
    pub idle_time: Option<Duration>,
    /// How long a tool that was asked to end may take before it gets a signal, and then again before it
    /// is killed. Default: 2 seconds.
    pub grace: Duration,
    /// The most blocks that are kept for a reader (SES-43). Default: 10,000.
    pub max_blocks: usize,
    /// The most bytes of their JSON texts. Default: 1,048,576.
    pub max_bytes: usize,
    /// The most questions of a tool that wait. Default: 16.
    pub max_questions: usize,
}

impl Default for SessionRules {
    fn default() -> Self {
        SessionRules {
            turn: TurnEnd::Abort,
            approve: [SessionAction::Spawn].into(),
            session_time: None,
            idle_time: None,
            grace: Duration::from_secs(2),
            max_blocks: 10_000,
            max_bytes: 1_048_576,
            max_questions: 16,
        }
    }
}

/// What a host sets for all of its handles.
///
/// ```
/// use toolwire_host::SessionsOptions;
///
/// let options = SessionsOptions { max_handles: 8, ..SessionsOptions::default() };
/// assert_eq!(options.keep.as_secs(), 600);
/// ```
#[derive(Debug, Clone)]
pub struct SessionsOptions {
    /// The rules for tools that have none of their own.
    pub rules: SessionRules,
    /// The most handles, the stopped ones included. Default: 256.
    pub max_handles: usize,
    /// The most bytes of the buffers of all handles together; each counts as much as it may hold. Default: 256
    /// MiB.
    pub max_memory: usize,
    /// How long a stopped handle can be fetched, at least (SES-37). Default: 10 minutes.
    pub keep: Duration,
    /// How long a spawn, and something that is applied, waits for what the tool says to it. Default: 1 second.
    pub first_wait: Duration,
    /// When nothing was said for so long, what was said is taken to be all for now. Default: 100 ms.
    pub quiet: Duration,
    /// Whether an id is a secret that whoever spawned the handle alone has: then no refusal names another one.
    /// Default: no.
    pub secret_ids: bool,
    /// The most bytes of blocks that a fetch hands over, if it does not say otherwise; a longer block is handed over
    /// alone. Default: 65,536.
    pub max_reply: usize,
    /// The longest time that a model can make the host wait. Default: 60 seconds.
    pub max_wait: Duration,
    /// Who answers questions that are for a person, and what becomes of handles at the end of a turn. Without
    /// one, they wait for somebody to apply an answer.
    pub answerer: Option<SessionAnswerer>,
    /// Who approves what a model does. Default: nobody needs to.
    pub approver: Option<SessionApprover>,
    /// The observer of events.
    pub observer: Option<SessionObserver>,
}

impl Default for SessionsOptions {
    fn default() -> Self {
        SessionsOptions {
            rules: SessionRules::default(),
            max_handles: 256,
            max_memory: 256 * 1_048_576,
            keep: Duration::from_secs(600),
            first_wait: Duration::from_secs(1),
            quiet: Duration::from_millis(100),
            secret_ids: false,
            max_reply: 65_536,
            max_wait: Duration::from_secs(60),
            answerer: None,
            approver: None,
            observer: None,
        }
    }
}

/// How a handle is spawned.
///
/// ```
/// use toolwire_host::SpawnOptions;
///
/// let options = SpawnOptions { label: Some("the dev server".into()), ..SpawnOptions::default() };
/// assert!(options.reply.wait.is_none());
/// ```
#[derive(Debug, Clone, Default)]
pub struct SpawnOptions {
    /// What people call it, if that is not its id.
    pub label: Option<String>,
    /// How it is fetched for the first time.
    pub reply: FetchOptions,
}

/// How a handle is fetched.
///
/// ```
/// use std::time::Duration;
/// use toolwire_host::FetchOptions;
///
/// let options = FetchOptions { wait: Some(Duration::from_secs(5)), until: Some("$ ".into()), ..FetchOptions::default() };
/// assert_eq!(options.after, None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FetchOptions {
    /// The last block that the reader has (SES-40).
    pub after: Option<u64>,
    /// How long to wait for something new. Default: a fetch does not wait, and a spawn, and something that is
    /// applied, waits for [`SessionsOptions::first_wait`].
    pub wait: Option<Duration>,
    /// A text for which to wait, in what is new.
    pub until: Option<String>,
    /// The most bytes of blocks that are handed over. Default: [`SessionsOptions::max_reply`].
    pub max_bytes: Option<usize>,
    /// Of what is new, the most bytes of blocks that are kept: those before are dropped. Default: all are kept.
    pub tail: Option<usize>,
    /// What is wanted of a screen. Default: the screen if the program draws on all of it, and has changed it;
    /// otherwise what is new.
    pub view: Option<SessionView>,
}

/// Something that happens to a handle while nobody fetches.
///
/// ```
/// use toolwire_host::SessionNotice;
///
/// assert!(matches!(SessionNotice::Stderr(b"compiling"), SessionNotice::Stderr(b"compiling")));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum SessionNotice<'a> {
    /// It is in another state.
    State(SessionState),
    /// Its tool said how far it has come.
    Progress(&'a Progress),
    /// Its tool wrote a log message.
    Message(&'a Message),
    /// Its tool wrote this to stderr.
    Stderr(&'a [u8]),
}

type Notify = dyn Fn(&str, &SessionNotice<'_>) + Send + Sync;

/// A function that gets the id of a handle and an event. It must not block, and must not use the
/// handle.
///
/// ```
/// use toolwire_host::SessionObserver;
///
/// let observer = SessionObserver::new(|id, notice| eprintln!("{id}: {notice:?}"));
/// # let _ = observer;
/// ```
#[derive(Clone)]
pub struct SessionObserver(Arc<Notify>);

impl SessionObserver {
    /// Calls this function.
    pub fn new(notify: impl Fn(&str, &SessionNotice<'_>) + Send + Sync + 'static) -> Self {
        SessionObserver(Arc::new(notify))
    }

    pub(super) fn tell(&self, id: &str, notice: &SessionNotice<'_>) {
        (self.0)(id, notice);
    }
}

impl fmt::Debug for SessionObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionObserver")
    }
}
