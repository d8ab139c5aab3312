//! Work on several threads, with its results in order.

use std::collections::VecDeque;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// How many threads this machine can keep busy.
///
/// ```
/// assert!(toolwire::all_threads().get() >= 1);
/// ```
#[must_use]
pub fn all_threads() -> NonZero<usize> {
    thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

/// Does the jobs that `feed` hands over on up to so many threads, and hands the results to `take` in
/// the order of the jobs. `feed` waits while two jobs for each thread are unfinished or untaken, so
/// memory stays bounded. `feed` and `take` run on the caller's thread; with one thread all does.
///
/// # Errors
///
/// The first error of `take` or `feed`; later results are dropped.
///
/// # Examples
///
/// ```
/// use std::convert::Infallible;
///
/// let mut lengths = Vec::new();
/// let ended: Result<(), Infallible> = toolwire::in_order(
///     toolwire::all_threads(),
///     |hand_over| ["a", "bb", "ccc"].into_iter().try_for_each(hand_over),
///     |text| text.len(),
///     |length| {
///         lengths.push(length);
///         Ok(())
///     },
/// );
/// assert_eq!((ended, lengths), (Ok(()), vec![1, 2, 3]));
/// ```
pub fn in_order<J: Send, R: Send, E>(
    threads: NonZero<usize>,
    feed: impl FnOnce(&mut dyn FnMut(J) -> Result<(), E>) -> Result<(), E>,
    work: impl Fn(J) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    if threads.get() == 1 {
        return feed(&mut |job| take(work(job)));
    }
    let (jobs, waiting_jobs) = channel::<Job<J, R>>();
    let waiting_jobs = Mutex::new(waiting_jobs);
    thread::scope(|scope| {
        // The threads end when this is dropped, at the end of the closure.
        let jobs = jobs;
        let mut started = 0;
        let mut results = Results::new();
        feed(&mut |job| {
            if started < threads.get() {
                let thread = || keep_working(&waiting_jobs, &work);
                started += usize::from(thread::Builder::new().spawn_scoped(scope, thread).is_ok());
            }
            // The system may allow no more threads.
            if started == 0 {
                return take(work(job));
            }
            if results.len() == 2 * threads.get() {
                take_first(&mut results, &mut take)?;
            }
            let (done, result) = sync_channel(1);
            results.push_back(result);
            // It fails only where there is no thread.
            let _ = jobs.send((job, done));
            Ok(())
        })?;
        while !results.is_empty() {
            take_first(&mut results, &mut take)?;
        }
        Ok(())
    })
}

fn take_first<R, E>(
    results: &mut Results<R>,
    take: impl FnOnce(R) -> Result<(), E>,
) -> Result<(), E> {
    match results.pop_front().map(|result| result.recv()) {
        Some(Ok(Ok(result))) => take(result),
        Some(Ok(Err(panic))) => resume_unwind(panic),
        // Each job has its result.
        Some(Err(_)) | None => Ok(()),
    }
}

type Job<J, R> = (J, SyncSender<thread::Result<R>>);
type Results<R> = VecDeque<Receiver<thread::Result<R>>>;

fn keep_working<J, R>(jobs: &Mutex<Receiver<Job<J, R>>>, work: impl Fn(J) -> R) {
    loop {
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((job, done)) = next else { return };
        // A panic goes to the caller's thread. No caller waits for a result after an error.
        let _ = done.send(catch_unwind(AssertUnwindSafe(|| work(job))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn results_come_in_order_and_few_wait() {
        for threads in 1..5 {
            let threads = NonZero::new(threads).unwrap();
            let (fed, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let ended: Result<(), ()> = in_order(
                threads,
                |hand_over| {
                    for job in 0..500 {
                        let ahead = fed.load(Ordering::SeqCst) - taken.load(Ordering::SeqCst);
                        assert!(ahead <= 2 * threads.get(), "{ahead}");
                        hand_over(job)?;
                        fed.fetch_add(1, Ordering::SeqCst);
                    }
                    Ok(())
                },
                |job: usize| {
                    if job.is_multiple_of(7) {
                        thread::yield_now();
                    }
                    job
                },
                |job| {
                    assert_eq!(taken.fetch_add(1, Ordering::SeqCst), job);
                    Ok(())
                },
            );
            assert_eq!((ended, taken.into_inner()), (Ok(()), 500));
        }
    }

    #[test]
    fn an_error_ends_it() {
        for threads in 1..4 {
            let mut taken = 0;
            let ended = in_order(
                NonZero::new(threads).unwrap(),
                |hand_over| (0..).try_for_each(hand_over),
                |job| job,
                |job| {
                    taken += 1;
                    if job == 20 { Err(job) } else { Ok(()) }
                },
            );
            assert_eq!((ended, taken), (Err(20), 21));
        }
    }

    #[test]
    #[should_panic = "job < 5"]
    fn a_panic_is_passed_on() {
        let threads = NonZero::new(2).unwrap();
        let _: Result<(), ()> = in_order(
            threads,
            |hand_over| (0..9).try_for_each(hand_over),
            |job| assert!(job < 5),
            |()| Ok(()),
        );
    }
}
