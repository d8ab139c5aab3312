//! The laws on the inputs that proptest makes: a short run with the same inputs each time, and a long one with others,
//! which is that of `cargo xtask fuzz --minutes N`.

use std::time::{Duration, Instant};

use proptest::collection::vec;
use proptest::prelude::{TestCaseError, any};
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use toolwire_fuzz::corpus::Corpus;
use toolwire_fuzz::generate::input;
use toolwire_fuzz::laws::{Feed, hold};
use toolwire_fuzz::rng::Rng;

use crate::on_a_deep_stack;

/// What the laws are fed with, and how many inputs an unoptimized build judges in about ten seconds.
const FEEDS: [(Feed, u32); 10] = [
    (Feed::Document, 3_600),
    (Feed::Number, 1_500),
    (Feed::Uri, 2_200),
    (Feed::Log, 700),
    (Feed::Schema, 1_500),
    (Feed::Contract, 125),
    (Feed::Format, 4_700),
    (Feed::Profile, 200),
    (Feed::Lock, 200),
    (Feed::Launch, 400),
];

/// Tries so many inputs; tells of the smallest that breaks a law.
fn try_laws(feed: Feed, cases: u32, corpus: &Corpus, rng: TestRng) -> Result<(), String> {
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..Config::default()
    };
    let decisions = (vec(any::<u8>(), 0..1_500), any::<u64>());
    let judged = TestRunner::new_with_rng(config, rng).run(&decisions, |(bytes, salt)| {
        let text = input(feed, corpus, &mut Rng::of(&bytes));
        hold(feed, &text, salt).map_err(TestCaseError::fail)
    });
    judged.map_err(|error| match error {
        TestError::Fail(why, _) => why.message().to_owned(),
        TestError::Abort(why) => why.message().to_owned(),
    })
}

#[test]
fn all_laws_hold_for_the_same_inputs() {
    let corpus = Corpus::read();
    let broken = on_a_deep_stack(|| {
        FEEDS.map(|(feed, cases)| {
            let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
            try_laws(feed, cases, &corpus, rng).err()
        })
    });
    let broken: Vec<String> = broken.into_iter().flatten().collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
#[ignore = "it takes minutes"]
fn all_laws_hold_for_other_inputs() {
    let minutes = std::env::var("TOOLWIRE_FUZZ_MINUTES").ok();
    let minutes = minutes.map_or(1, |minutes| minutes.parse().expect("minutes"));
    let end = Instant::now() + Duration::from_secs(60 * minutes);
    let corpus = Corpus::read();
    on_a_deep_stack(|| {
        while Instant::now() < end {
            for (feed, cases) in FEEDS {
                let seed: [u8; 32] = std::array::from_fn(|_| fastrand::u8(..));
                let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
                try_laws(feed, cases, &corpus, rng).unwrap_or_else(|why| panic!("{why}"));
            }
        }
    });
}
