//! Payloads and questions beyond the tables, for the long run.

use std::time::{Duration, Instant};

/// Numbers that follow from a seed (splitmix64), so that a failure can be had again.
pub struct Random(u64);

impl Random {
    /// Those of `TOOLWIRE_HOSTILE_SEED`, or of the clock; the seed is printed.
    pub fn new() -> Random {
        let given = std::env::var("TOOLWIRE_HOSTILE_SEED").ok();
        let now = || {
            std::time::UNIX_EPOCH
                .elapsed()
                .map_or(0, |since| since.as_nanos() as u64)
        };
        let seed = given.and_then(|seed| seed.parse().ok()).unwrap_or_else(now);
        println!("TOOLWIRE_HOSTILE_SEED={seed}");
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, most: usize) -> usize {
        (self.next() % most as u64) as usize
    }

    pub fn pick<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }
}

/// Calls `again` until the time of the long run is over; not at all without one.
pub fn for_a_while(mut again: impl FnMut(&mut Random)) {
    let minutes = std::env::var("TOOLWIRE_HOSTILE_MINUTES").ok();
    let Some(minutes) = minutes.and_then(|minutes| minutes.parse::<u64>().ok()) else {
        return;
    };
    let (start, long) = (Instant::now(), Duration::from_secs(60 * minutes));
    let mut random = Random::new();
    while start.elapsed() < long {
        again(&mut random);
    }
}
