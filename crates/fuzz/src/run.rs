//! A run: inputs in order, each tried under all laws that take such an input.

use crate::corpus::Corpus;
use crate::generate::{self, Generator};
use crate::laws::{Feed, LAWS, Law};
use crate::minimize::minimize;
use crate::mutate::mutate;
use crate::report::Failure;
use crate::subject::Subject;
use fastrand::Rng;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// How many checks cutting one failure down may take.
const MINIMIZE_TRIES: usize = 3_000;

/// How much of a run there is.
#[derive(Debug, Clone, Copy)]
pub enum Length {
    /// Until the time is over.
    Time(Duration),
    /// So many inputs.
    Inputs(u64),
}

/// What a run has done.
#[derive(Debug, Default)]
pub struct Tally {
    /// Inputs made.
    pub inputs: u64,
    /// Laws tried on them.
    pub checks: u64,
    /// The check that took longest.
    pub slowest: Option<Slow>,
}

/// A check that took long.
#[derive(Debug)]
pub struct Slow {
    /// How long.
    pub took: Duration,
    /// The law's name.
    pub law: &'static str,
    /// The input.
    pub input: Vec<u8>,
    /// The salt.
    pub salt: u64,
}

thread_local! {
    /// Where and why the last panic of this thread was.
    static PANIC: Cell<Option<String>> = const { Cell::new(None) };
}

/// Keeps the words of a caught panic for the report instead of printing each one.
pub fn keep_panics() {
    std::panic::set_hook(Box::new(|info| PANIC.set(Some(info.to_string()))));
}

/// Tries one law on one input; a panic breaks it too.
pub fn attempt(law: &Law, subject: &dyn Subject, input: &[u8], salt: u64) -> Result<(), String> {
    catch_unwind(AssertUnwindSafe(|| (law.check)(subject, input, salt))).unwrap_or_else(|_| {
        let words = PANIC.take().unwrap_or_else(|| "no words".to_string());
        Err(format!("it panics: {words}"))
    })
}

/// The input that belongs to a seed and a number, and its kind.
pub fn input_of(seed: u64, iteration: u64, corpus: &Corpus, only: Option<Feed>) -> (Feed, Vec<u8>) {
    // Neighbouring numbers give unrelated inputs.
    let mut rng = Rng::with_seed(
        seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ iteration.wrapping_mul(0xd134_2543_de82_ef95),
    );
    let feed = only.unwrap_or_else(|| match rng.u8(..16) {
        0 | 1 => Feed::Number,
        2..=4 => Feed::Uri,
        5 => Feed::Log,
        6 | 7 => Feed::Schema,
        // A pair takes as long as a hundred documents.
        8 if rng.u8(..6) == 0 => Feed::Contract,
        9 => [Feed::Launch, Feed::Launch, Feed::Profile, Feed::Lock][rng.usize(..4)],
        10 => Feed::Format,
        _ => Feed::Document,
    });
    let stored = match feed {
        Feed::Uri => &corpus.uris,
        Feed::Launch => &corpus.launches,
        Feed::Profile => &corpus.profiles,
        Feed::Lock => &corpus.locks,
        Feed::Schema => &corpus.schemas,
        _ => &corpus.documents,
    };
    let choose = |rng: &mut Rng| {
        if stored.is_empty() {
            Vec::new()
        } else {
            stored[rng.usize(..stored.len())].clone()
        }
    };
    let mut input = match feed {
        Feed::Number => Generator::new(&mut rng).number_document(),
        Feed::Uri if rng.u8(..3) > 0 => generate::uri(&mut rng).into_bytes(),
        Feed::Uri => choose(&mut rng),
        Feed::Log => Generator::new(&mut rng).log(),
        Feed::Schema if rng.u8(..8) > 0 => generate::schema(&mut rng).into_bytes(),
        Feed::Schema => choose(&mut rng),
        Feed::Launch if rng.u8(..3) > 0 => generate::launch(&mut rng).into_bytes(),
        Feed::Launch | Feed::Profile | Feed::Lock => choose(&mut rng),
        Feed::Contract => generate::contract::tool_schema(&mut rng)
            .to_string()
            .into_bytes(),
        Feed::Format => generate::format(&mut rng).into_bytes(),
        Feed::Document => match rng.u8(..8) {
            0 | 1 => choose(&mut rng),
            2 => Generator::new(&mut rng).json(),
            _ => Generator::new(&mut rng).document(),
        },
    };
    // A mutated schema is seldom a pair, and damage leaves little of a format.
    if !matches!(feed, Feed::Contract | Feed::Format) && rng.u8(..5) < 2 {
        let other = choose(&mut rng);
        mutate(&mut rng, &mut input, &other);
    }
    (feed, input)
}

/// Runs until `length` is over. Each failure is cut down and handed to `failed` once for each law;
/// that law is left out from then on. `progress` is called now and then.
pub fn run(
    subject: &dyn Subject,
    corpus: &Corpus,
    seed: u64,
    length: Length,
    only: Option<&'static Law>,
    mut progress: impl FnMut(&Tally),
    mut failed: impl FnMut(Failure),
) -> Tally {
    let begun = Instant::now();
    let mut tally = Tally::default();
    let mut broken: Vec<&str> = Vec::new();
    loop {
        let over = match length {
            Length::Time(time) => begun.elapsed() >= time,
            Length::Inputs(count) => tally.inputs >= count,
        };
        if over {
            return tally;
        }
        let iteration = tally.inputs;
        let (feed, input) = input_of(seed, iteration, corpus, only.map(|law| law.feed));
        for law in LAWS.iter().filter(|law| law.feed == feed) {
            if only.is_some_and(|only| only.name != law.name) || broken.contains(&law.name) {
                continue;
            }
            let salt = seed ^ iteration;
            let started = Instant::now();
            let result = attempt(law, subject, &input, salt);
            let took = started.elapsed();
            if tally
                .slowest
                .as_ref()
                .is_none_or(|slowest| took > slowest.took)
            {
                let (law, input) = (law.name, input.clone());
                tally.slowest = Some(Slow {
                    took,
                    law,
                    input,
                    salt,
                });
            }
            tally.checks += 1;
            if result.is_err() {
                broken.push(law.name);
                failed(cut_down(law, subject, &input, salt, (seed, iteration)));
            }
        }
        tally.inputs += 1;
        progress(&tally);
    }
}

fn cut_down(
    law: &'static Law,
    subject: &dyn Subject,
    input: &[u8],
    salt: u64,
    from: (u64, u64),
) -> Failure {
    let smallest = minimize(input, MINIMIZE_TRIES, |text| {
        attempt(law, subject, text, salt).is_err()
    });
    let message = attempt(law, subject, &smallest, salt)
        .err()
        .unwrap_or_else(|| {
            "broken once, but not again: the code under test is not deterministic".to_string()
        });
    Failure {
        law: law.name,
        op: law.op,
        message,
        input: smallest,
        salt,
        seed: from.0,
        iteration: from.1,
    }
}

/// Runs `work` on a thread whose stack is deep enough for the other readers, which recurse.
///
/// # Panics
///
/// When `work` does, or when there is no memory for the thread.
pub fn on_a_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(512 << 20)
            .spawn_scoped(scope, work);
        match thread.expect("a thread").join() {
            Ok(value) => value,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
