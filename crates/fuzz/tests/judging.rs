//! What a hostile answer can make a host do: bytes are counted in every run, time in the long one,
//! `cargo test --release -p toolwire-fuzz --test judging -- --ignored --nocapture`.

use std::time::{Duration, Instant};

use fastrand::Rng;
use peak_alloc::PeakAlloc;
use toolwire::call::{Answer, AnswerSource, Call};
use toolwire::{Json, Limits, parse};
use toolwire_fuzz::generate::hostile;
use toolwire_host::{Exchange, ExchangeOptions, Step};

#[global_allocator]
static BYTES: PeakAlloc = PeakAlloc;

/// The most bytes that a host holds beyond the answer itself.
const MOST_BYTES: usize = 64 * 1024 * 1024;

/// What one answer took.
struct Took {
    time: Duration,
    bytes: usize,
}

/// Has an exchange take an answer and gives an answer to each question that is asked.
fn judge(text: &[u8]) -> Took {
    let call = Call::new("tool", Json::from("{}"));
    let mut exchange = Exchange::new(call, ExchangeOptions::default());
    let before = BYTES.current_usage();
    BYTES.reset_peak_usage();
    let begun = Instant::now();
    let parsed = parse(text.to_vec(), &Limits::default());
    let (t1, b1) = (begun.elapsed(), BYTES.peak_usage().saturating_sub(before));
    exchange.handle_result(parsed);
    let (t2, b2) = (begun.elapsed(), BYTES.peak_usage().saturating_sub(before));
    while let Step::Ask(asked) = exchange.step() {
        let id = asked.question.id.clone();
        drop(asked);
        let declined = Answer::declined(AnswerSource::User);
        exchange.handle_answer(&id, declined).expect("it is open");
    }
    let (t3, b3) = (begun.elapsed(), BYTES.peak_usage().saturating_sub(before));
    drop(exchange.finish());
    if t3 > Duration::from_millis(300) || b3 > MOST_BYTES {
        eprintln!(
            "parse {t1:.1?} {b1}, judge {t2:.1?} {b2}, ask {t3:.1?} {b3}, end {:.1?}",
            begun.elapsed()
        );
    }
    Took {
        time: begun.elapsed(),
        bytes: BYTES.peak_usage().saturating_sub(before + text.len()),
    }
}

/// The answer of a seed.
fn answer(seed: u64) -> Vec<u8> {
    hostile(&mut Rng::with_seed(seed))
}

/// What is made once for all calls of a process is no answer's.
fn warm_up() {
    for format in [
        "date",
        "email",
        "hostname",
        "uri",
        "iri",
        "uri-template",
        "regex",
        "uuid",
        "duration",
    ] {
        let text = format!(
            r#"{{"content":[{{"type":"question","question":{{"id":"q","text":"?","schema":{{"format":"{format}"}},"default":"x"}}}}]}}"#
        );
        judge(text.as_bytes());
    }
}

#[test]
fn no_hostile_answer_takes_many_bytes() {
    warm_up();
    for seed in 0..150 {
        let text = answer(seed);
        let took = judge(&text);
        assert!(took.bytes < MOST_BYTES, "seed {seed}: {} bytes", took.bytes);
    }
}

#[test]
#[ignore = "it takes minutes, and measures time"]
fn no_hostile_answer_takes_long() {
    warm_up();
    let count = std::env::var("TOOLWIRE_FUZZ_ANSWERS").ok();
    let count = count.and_then(|count| count.parse().ok()).unwrap_or(20_000);
    let (mut slowest, mut largest, mut sum) = ((Duration::ZERO, 0), (0, 0), Duration::ZERO);
    let mut over = Vec::new();
    let from = std::env::var("TOOLWIRE_FUZZ_FROM")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(0);
    for seed in from..from + count {
        let text = answer(seed);
        let mut took = judge(&text);
        if took.time > Duration::from_millis(300) {
            // The machine has other work too.
            took.time = took.time.min(judge(&text).time);
        }
        sum += took.time;
        slowest = slowest.max((took.time, seed));
        largest = largest.max((took.bytes, seed));
        if took.bytes >= MOST_BYTES || took.time >= Duration::from_secs(1) {
            println!(
                "{seed}: {} bytes, {:.1?}, {} held",
                text.len(),
                took.time,
                took.bytes
            );
            println!(
                "  {}",
                String::from_utf8_lossy(&text[..text.len().min(300)])
            );
            over.push((seed, text.len(), took.time, took.bytes));
        }
    }
    println!("{count} answers in {sum:.1?}; slowest {slowest:.1?}, largest {largest:?}");
    assert!(over.is_empty(), "{over:?}");
}
