//! Taking turns: everybody runs in every round, so that what else the machine does hits all alike.

use cpu_time::ThreadTime;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// A time of one peer for one task on one input: what each language's half of the run prints.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Sample {
    /// `Rust`, `Python` or `Node`.
    pub language: String,
    /// `verdict` or `canonical`.
    pub task: String,
    /// Name of the input.
    pub input: String,
    /// Who ran.
    pub peer: String,
    /// Median CPU time per document, in microseconds.
    pub micros: f64,
}

/// What a contender does in its turn: documents in, the number of them that it took out.
type Turn<'a> = dyn FnMut(&[&[u8]]) -> usize + 'a;

/// Somebody who can do the task: documents in, the number that it took out.
pub struct Contender<'a> {
    /// Its name in the tables.
    pub peer: &'static str,
    /// Runs over all documents once.
    pub run: Box<Turn<'a>>,
}

impl<'a> Contender<'a> {
    /// A contender that treats each document by itself.
    pub fn new(peer: &'static str, mut one: impl FnMut(&[u8]) -> bool + 'a) -> Self {
        let run =
            move |documents: &[&[u8]]| documents.iter().filter(|document| one(document)).count();
        Self {
            peer,
            run: Box::new(run),
        }
    }
}

/// How long to measure.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Rounds in which everybody runs.
    pub rounds: usize,
    /// What one turn should take at least; short tasks are repeated in it.
    pub turn: Duration,
}

/// The median time per document of each contender, in microseconds, and whether it took every
/// document.
pub fn race(
    documents: &[&[u8]],
    contenders: &mut [Contender<'_>],
    effort: Effort,
) -> Vec<(f64, bool)> {
    race_by(
        || ThreadTime::now().as_duration(),
        documents,
        contenders,
        effort,
    )
}

/// The same by the clock on the wall, for those who use several cores. What else the machine does is
/// in these times.
pub fn race_on_the_wall(
    documents: &[&[u8]],
    contenders: &mut [Contender<'_>],
    effort: Effort,
) -> Vec<(f64, bool)> {
    let start = Instant::now();
    race_by(|| start.elapsed(), documents, contenders, effort)
}

fn race_by(
    now: impl Fn() -> Duration,
    documents: &[&[u8]],
    contenders: &mut [Contender<'_>],
    effort: Effort,
) -> Vec<(f64, bool)> {
    let mut plans = Vec::new();
    for contender in contenders.iter_mut() {
        // The first run warms up and tells how often to repeat.
        let begun = now();
        let taken = (contender.run)(documents);
        let once = (now() - begun).max(Duration::from_nanos(100));
        let repeats = (effort.turn.as_secs_f64() / once.as_secs_f64())
            .ceil()
            .max(1.0) as usize;
        plans.push((repeats, taken == documents.len(), Vec::new()));
    }
    for round in 0..effort.rounds {
        for turn in 0..contenders.len() {
            let at = (round + turn) % contenders.len();
            let (repeats, _, times) = &mut plans[at];
            let begun = now();
            for _ in 0..*repeats {
                std::hint::black_box((contenders[at].run)(std::hint::black_box(documents)));
            }
            let each = (now() - begun).as_secs_f64() * 1e6 / (*repeats * documents.len()) as f64;
            times.push(each);
        }
    }
    plans
        .into_iter()
        .map(|(_, all, times)| (median(times), all))
        .collect()
}

/// The middle one of some times; of an even number the lower of the two.
pub fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times
        .get(times.len().saturating_sub(1) / 2)
        .copied()
        .unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_one() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.0);
        assert!(median(Vec::new()).is_nan());
    }

    #[test]
    fn everybody_runs_and_refusals_are_noticed() {
        let mut contenders = [
            Contender::new("all", |_| true),
            Contender::new("some", |document| document != b"b"),
        ];
        let effort = Effort {
            rounds: 3,
            turn: Duration::from_micros(10),
        };
        let results = race(&[b"a", b"b"], &mut contenders, effort);
        assert_eq!(
            results.iter().map(|r| r.1).collect::<Vec<_>>(),
            [true, false]
        );
        assert!(results.iter().all(|r| r.0 > 0.0));
    }
}
