//! What running a tool costs over starting the same process and waiting for it.
//!
//! `cargo run --release -p toolwire-host --example overhead -- PROGRAM [RUNS]`, after
//! `cargo build --release -p toolwire-host --examples`; a good program is `misbehave` beside it.

use std::process::{self, ExitCode, Stdio};
use std::time::{Duration, Instant};

use toolwire_host::{Command, EventObserver, ProcessOptions};

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let Some(program) = args.next() else {
        eprintln!("name a program that does nothing, and how often to run it");
        return ExitCode::from(2);
    };
    let runs = args.next().and_then(|runs| runs.parse().ok());
    let runs: usize = runs.unwrap_or(500);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let tool = Command::new(&program).arg("nothing");
    let options = ProcessOptions::default();
    let bare = ProcessOptions {
        result_channel: false,
        ..ProcessOptions::default()
    };
    let listening = ProcessOptions {
        on_event: Some(EventObserver::new(|_| {})),
        ..ProcessOptions::default()
    };
    let (mut plain, mut without, mut whole) = (Vec::new(), Vec::new(), Vec::new());
    let (mut events, mut blocking) = (Vec::new(), Vec::new());
    // In turns, so that whatever else the machine does falls on all alike.
    for _ in 0..runs {
        plain.push(timed(|| {
            let mut command = process::Command::new(&program);
            command.arg("nothing").stdin(Stdio::null());
            command.stdout(Stdio::null()).stderr(Stdio::null());
            command.status().expect("the program runs");
        }));
        without.push(timed(|| {
            let outcome = runtime.block_on(toolwire_host::run(&tool, &bare));
            outcome.expect("the tool runs");
        }));
        whole.push(timed(|| {
            let outcome = runtime.block_on(toolwire_host::run(&tool, &options));
            outcome.expect("the tool runs");
        }));
        events.push(timed(|| {
            let outcome = runtime.block_on(toolwire_host::run(&tool, &listening));
            outcome.expect("the tool runs");
        }));
        blocking.push(timed(|| {
            let outcome = toolwire_host::block_on(toolwire_host::run(&tool, &options));
            outcome.expect("the tool runs");
        }));
    }
    let base = median(plain);
    println!("start and wait               {:>7} µs", base.as_micros());
    for (name, times) in [
        ("run, no result channel", without),
        ("run", whole),
        ("run, and listen to events", events),
        ("run on a runtime of its own", blocking),
    ] {
        let time = median(times);
        let over = time.saturating_sub(base);
        println!(
            "{name:<28} {:>7} µs  +{} µs",
            time.as_micros(),
            over.as_micros()
        );
    }
    ExitCode::SUCCESS
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
