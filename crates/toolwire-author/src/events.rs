//! What a tool says while it runs: progress and log messages, the same for every language.

use std::cell::RefCell;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use toolwire::author::Caller;
use toolwire::event::{Level, Message, Progress};

/// The variable that names the events file (EVT-1).
const EVENTS: &str = "TOOLWIRE_EVENTS";

/// Maximum number of reports of progress in a burst; then one each [`PAUSE`].
const BURST: u32 = 20;
const PAUSE: Duration = Duration::from_millis(50);

/// Says how far the tool has come: `done` of `total`, in any unit, and what it does just now.
///
/// It costs next to nothing if nobody listens, and may be called as often as is handy: of reports that come
/// faster than anybody can read, some are left out. It never fails.
///
/// ```
/// let files = ["a", "b", "c"];
/// for (nth, file) in files.iter().enumerate() {
///     toolwire_author::progress(nth as f64, Some(files.len() as f64), Some(file));
/// }
/// ```
pub fn progress(done: f64, total: Option<f64>, message: Option<&str>) {
    let caller = caller();
    if !done.is_finite() || (caller.is_none() && file().is_none()) {
        return;
    }
    let progress = Progress::new(done, total, message.map(str::to_owned));
    if let Some(caller) = caller {
        // It keeps only the latest, so nothing has to be left out here.
        return caller.progress(&progress);
    }
    let Some(path) = file() else { return };
    // Where another thread has it, or had it when this process was forked, this is one report more.
    let may = match THROTTLE.try_lock() {
        Ok(mut throttle) => throttle.may(&progress, Instant::now()),
        Err(_) => true,
    };
    if may {
        append(path, progress.to_json());
    }
}

/// Writes a log message to whoever follows the call. It never fails.
///
/// ```
/// use toolwire_author::{Level, log};
///
/// log(Level::Warning, "the cache is cold");
/// ```
pub fn log(level: Level, message: impl AsRef<str>) {
    say(|| Message::new(level, message.as_ref()));
}

/// Writes a log message of a part of the tool, such as `db`, as [`log`] does.
///
/// ```
/// use toolwire_author::{Level, log_from};
///
/// log_from("db", Level::Debug, "14 rows");
/// ```
pub fn log_from(logger: &str, level: Level, message: impl AsRef<str>) {
    say(|| Message::new(level, message.as_ref()).by(logger));
}

fn say(message: impl FnOnce() -> Message) {
    if let Some(caller) = caller() {
        caller.message(&message());
    } else if let Some(path) = file() {
        append(path, message().to_json());
    }
}

thread_local! {
    /// Whoever has called the function that runs in this thread, if that was in this process.
    static CALLER: RefCell<Option<Arc<dyn Caller>>> = const { RefCell::new(None) };
}

/// Whoever has called the one function that runs in this process.
static ONLY: Mutex<Option<Arc<dyn Caller>>> = Mutex::new(None);

fn caller() -> Option<Arc<dyn Caller>> {
    let of_thread = CALLER.try_with(|caller| caller.borrow().clone());
    // In a fork it may be locked for ever.
    let only = || ONLY.try_lock().ok()?.clone();
    of_thread.ok().flatten().or_else(only)
}

/// Lets this caller hear what is said in this thread while the function runs.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use toolwire::author::Caller;
/// use toolwire::event::{Message, Progress};
/// use toolwire_author::{heard_by, progress};
///
/// #[derive(Debug, Default)]
/// struct Bar(Mutex<f64>);
///
/// impl Caller for Bar {
///     fn progress(&self, progress: &Progress) {
///         *self.0.lock().unwrap() = progress.done;
///     }
///     fn message(&self, _: &Message) {}
///     fn is_cancelled(&self) -> bool {
///         false
///     }
/// }
///
/// let bar = Arc::new(Bar::default());
/// heard_by(&(bar.clone() as Arc<dyn Caller>), || progress(3.0, None, None));
/// assert_eq!(*bar.0.lock().unwrap(), 3.0);
/// ```
pub fn heard_by<T>(caller: &Arc<dyn Caller>, function: impl FnOnce() -> T) -> T {
    /// Puts back what was there, whatever becomes of the function.
    struct Before(Option<Arc<dyn Caller>>);

    impl Drop for Before {
        fn drop(&mut self) {
            let before = self.0.take();
            let _ = CALLER.try_with(|caller| caller.replace(before));
        }
    }

    let _before = Before(CALLER.replace(Some(Arc::clone(caller))));
    function()
}

/// Lets this caller hear what is said in any thread while the function runs, which is the only one of the process.
pub(crate) fn only_heard_by<T>(caller: &Arc<dyn Caller>, function: impl FnOnce() -> T) -> T {
    let set = |caller| {
        *ONLY
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner) = caller
    };
    set(Some(Arc::clone(caller)));
    let done = heard_by(caller, function);
    set(None);
    done
}

/// The events file, if anybody listens.
fn file() -> Option<&'static Path> {
    static FILE: OnceLock<Option<PathBuf>> = OnceLock::new();
    let found = || std::env::var_os(EVENTS).filter(|path| !path.is_empty());
    FILE.get_or_init(|| found().map(PathBuf::from)).as_deref()
}

/// Appends a line in one piece, so that lines of several processes do not mix. The file is opened each time:
/// a descriptor that is kept could come to mean another file, in a fork that closes all it does not know. One
/// that the host has removed is not made anew.
fn append(path: &Path, mut line: String) {
    line.push('\n');
    let Ok(mut file) = File::options().append(true).open(path) else {
        return;
    };
    // There is nobody to tell if it fails.
    let _ = file.write(line.as_bytes());
}

static THROTTLE: Mutex<Throttle> = Mutex::new(Throttle::NEW);

/// Leaves out progress that comes too fast, but never the end of a step or the beginning of the next. A
/// process that answers many calls has one for each.
///
/// ```
/// use std::time::Instant;
/// use toolwire_author::Throttle;
/// use toolwire_author::toolwire::event::Progress;
///
/// let (mut throttle, now) = (Throttle::default(), Instant::now());
/// let may = (0..100).filter(|nth| throttle.may(&Progress::new(f64::from(*nth), Some(100.0), None), now));
/// assert_eq!(may.count(), 20);
/// ```
#[derive(Debug)]
pub struct Throttle {
    /// How many reports may be written now, as counted at a time.
    left: u32,
    since: Option<Instant>,
    /// What was done and the total, last time.
    last: Option<(f64, Option<f64>)>,
}

impl Default for Throttle {
    fn default() -> Self {
        Throttle::NEW
    }
}

impl Throttle {
    const NEW: Throttle = Throttle {
        left: BURST,
        since: None,
        last: None,
    };

    /// Whether this report may be written now.
    ///
    /// ```
    /// # use toolwire_author::{Throttle, toolwire::event::Progress};
    /// let first = Progress::new(0.0, None, None);
    /// assert!(Throttle::default().may(&first, std::time::Instant::now()));
    /// ```
    pub fn may(&mut self, progress: &Progress, now: Instant) -> bool {
        let since = *self.since.get_or_insert(now);
        let more = now.saturating_duration_since(since).as_millis() / PAUSE.as_millis();
        let more = u32::try_from(more).unwrap_or(BURST).min(BURST);
        if more > 0 {
            self.left = (self.left + more).min(BURST);
            self.since = Some(now);
        }
        let next_step = self
            .last
            .is_some_and(|(done, total)| progress.done < done || progress.total != total);
        let ended = progress.total == Some(progress.done);
        self.last = Some((progress.done, progress.total));
        if self.left == 0 {
            return next_step || ended;
        }
        self.left -= 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_too_fast_is_left_out_but_no_end_and_no_beginning() {
        let mut throttle = Throttle::NEW;
        let begun = Instant::now();
        let mut may = |done: f64, total: f64, after: u64| {
            let progress = Progress::new(done, Some(total), None);
            throttle.may(&progress, begun + Duration::from_millis(after))
        };
        let written = (0..100).filter(|nth| may(f64::from(*nth), 100.0, 0));
        assert_eq!(written.count(), 20);
        assert!(may(100.0, 100.0, 0), "the end");
        assert!(may(0.0, 100.0, 0), "the next step, by what is done");
        assert!(may(0.0, 50.0, 0), "the next step, by its total");
        assert!(!may(1.0, 50.0, 49));
        assert!(may(1.0, 50.0, 50) && !may(1.0, 50.0, 50));
        let written = (0..100).filter(|_| may(2.0, 50.0, 100_000));
        assert_eq!(written.count(), 20, "no more than a burst is saved up");
    }
}
