//! What a hostile answer can make a host do: bytes are counted in every run, time in the long one of
//! `cargo xtask fuzz --minutes N`, which judges 20,000 answers. It is a program of its own, whose allocator counts.

#![cfg(unix)]

use std::time::Duration;

use peak_alloc::PeakAlloc;
use rustix::time::{ClockId, clock_gettime};
use toolwire::call::{Answer, AnswerSource, Call};
use toolwire::question::template;
use toolwire::{Json, Limits, parse};
use toolwire_fuzz::generate::hostile;
use toolwire_fuzz::rng::Rng;
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

/// How long the processor has worked for this process. The machine has other work too.
fn busy() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// Has an exchange take an answer, and declines each question that is asked.
fn judge(text: &[u8]) -> Took {
    judge_within(text, &Limits::default())
}

fn judge_within(text: &[u8], limits: &Limits) -> Took {
    let call = Call::new("tool", Json::from("{}"));
    let mut exchange = Exchange::new(call, ExchangeOptions::default());
    let before = BYTES.current_usage();
    BYTES.reset_peak_usage();
    let begun = busy();
    let parsed = parse(text.to_vec(), limits);
    exchange.handle_result(parsed);
    while let Step::Ask(asked) = exchange.step() {
        let id = asked.question.id.clone();
        drop(template(&asked.question));
        drop(asked);
        let declined = Answer::declined(AnswerSource::User);
        exchange.handle_answer(&id, declined).expect("it is open");
    }
    drop(exchange.finish());
    Took {
        time: busy().saturating_sub(begun),
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
    for seed in 0..60 {
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
        let took = judge(&text);
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

/// What the audit found before work was counted, and what it takes now.
#[test]
#[ignore = "it measures time"]
fn what_the_audit_found_is_harmless() {
    warm_up();
    let limits = Limits {
        max_blocks: 1_000_000,
        max_values: 100_000_000,
        ..Limits::default()
    };
    for (name, text) in audit() {
        let took = judge_within(text.as_bytes(), &limits);
        println!(
            "{name}: {} bytes, {:.1?}, {} bytes held",
            text.len(),
            took.time,
            took.bytes
        );
        // A hundred thousand questions are an answer of several megabytes.
        let most = MOST_BYTES.max(20 * text.len());
        assert!(
            took.bytes < most && took.time < Duration::from_secs(5),
            "{name}"
        );
    }
}

fn audit() -> Vec<(&'static str, String)> {
    let ask = |id: &str, schema: &str, default: &str| {
        format!(
            r#"{{"type":"question","question":{{"id":"{id}","text":"?","schema":{schema},"default":{default}}}}}"#
        )
    };
    let answer = |questions: &[String]| format!(r#"{{"content":[{}]}}"#, questions.join(","));
    let one = |schema: &str, default: &str| answer(&[ask("q", schema, default)]);
    let join = |count: usize, part: &dyn Fn(usize) -> String| {
        (0..count).map(part).collect::<Vec<_>>().join(",")
    };
    let doubling = |steps: usize| {
        let defs = join(steps, &|n| {
            let next = format!(r##"{{"$ref":"#/$defs/a{}"}}"##, n + 1);
            format!(r#""a{n}":{{"allOf":[{next},{next}]}}"#)
        });
        format!(
            r##"{{"$ref":"#/$defs/a0","unevaluatedProperties":false,"$defs":{{{defs},"a{steps}":{{"properties":{{"a":{{}}}}}}}}}}"##
        )
    };
    let anchors = {
        let defs = join(18_000, &|n| {
            format!(r#""definition-{n}":{{"$anchor":"n{n}","title":"t"}}"#)
        });
        let refs = join(999, &|n| format!(r##"{{"$ref":"#n{}"}}"##, n + 17_000));
        format!(r#"{{"$defs":{{{defs}}},"allOf":[{refs}]}}"#)
    };
    let patterns = join(2_000, &|n| {
        format!(r#"{{"pattern":"^(?=(a+)+$)(a|aa)+b{n}$"}}"#)
    });
    let compiled = join(4_000, &|n| format!(r#"{{"pattern":"\\p{{L}}{{9}}{n}"}}"#));
    let long = format!("\"{}!\"", "a".repeat(60));
    let heavy: Vec<String> = (0..200)
        .map(|n| {
            ask(
                &format!("q{n}"),
                &format!(
                    r#"{{"anyOf":[{}]}}"#,
                    join(180, &|n| format!(
                        r#"{{"pattern":"^(?=(a+)+$)(a|aa)+b{n}$"}}"#
                    ))
                ),
                &long,
            )
        })
        .collect();
    let many = |count: usize| {
        let questions: Vec<String> = (0..count)
            .map(|n| ask(&format!("q{n}"), r#"{"type":"boolean"}"#, "true"))
            .collect();
        answer(&questions)
    };
    vec![
        (
            "unevaluatedProperties over doubling allOf",
            one(&doubling(20), r#"{"a":1}"#),
        ),
        ("anchors", one(&anchors, "1")),
        (
            "2,000 patterns",
            one(&format!(r#"{{"anyOf":[{patterns}]}}"#), &long),
        ),
        (
            "4,000 patterns to compile",
            one(&format!(r#"{{"anyOf":[{compiled}]}}"#), "\"x\""),
        ),
        ("200 questions", answer(&heavy)),
        ("25,000 questions", many(25_000)),
        ("100,000 questions", many(100_000)),
    ]
}
