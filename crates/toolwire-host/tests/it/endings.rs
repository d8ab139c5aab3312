//! How tools end, with real processes (PROC-6, PROC-10 to PROC-12, PROC-20 to PROC-26).

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::{self, misbehave, patient, run, texts, within};
use toolwire::{Exit, Verdict};
use toolwire_host::{Observer, ProcessOptions, StopReason};

#[test]
fn an_envelope_is_read() {
    let answer = r#"{"content":[{"type":"text","text":"ok"}]}"#;
    let outcome = run(&misbehave("print").arg(answer), &patient());
    assert_eq!(outcome.parsed.verdict(), Verdict::Valid);
    assert_eq!(outcome.report.exit, Some(Exit::Code(0)));
    assert_eq!(outcome.report.stdout, answer.as_bytes());
    assert_eq!(
        (outcome.report.stopped, outcome.report.left_behind),
        (None, false)
    );
    assert!(outcome.report.stderr.is_empty() && !outcome.report.stderr_truncated);
    assert!(outcome.report.elapsed > Duration::ZERO);
}

#[test]
fn plain_text_is_read() {
    let outcome = run(&misbehave("print").arg("just text\n"), &patient());
    assert_eq!(outcome.parsed.verdict(), Verdict::Raw);
    assert_eq!(texts(&outcome), ["just text\n"]);
    assert!(!outcome.parsed.is_error());
}

#[test]
fn binary_is_kept_to_the_byte() {
    let outcome = run(&misbehave("binary"), &patient());
    assert_eq!(outcome.report.stdout, [0, 159, 146, 150, 255, 10]);
    assert_eq!(outcome.parsed.raw(), outcome.report.stdout);
}

#[test]
fn a_status_that_is_not_zero_is_an_error() {
    let outcome = run(&misbehave("fail").args(["so far", "no luck\n"]), &patient());
    assert_eq!(outcome.report.exit, Some(Exit::Code(3)));
    assert!(outcome.parsed.is_error() && outcome.report.stopped.is_none());
    assert_eq!(texts(&outcome), ["so far"]);
    assert_eq!(
        outcome.parsed.trace(),
        ["the tool exited with status 3", "no luck"]
    );
    assert_eq!(outcome.report.stderr, b"no luck\n");
}

#[cfg(unix)]
#[test]
fn an_end_by_a_signal_is_an_error() {
    let outcome = run(&common::sh("kill -9 $$"), &patient());
    assert_eq!(outcome.report.exit, Some(Exit::Signal(9)));
    assert_eq!(
        texts(&outcome),
        ["the tool was ended by signal 9 and wrote no output"]
    );
    assert!(outcome.report.stopped.is_none(), "it was not the host");

    let outcome = run(&misbehave("abort"), &patient());
    assert_eq!(outcome.report.exit, Some(Exit::Signal(6)));
    assert!(outcome.parsed.is_error());
}

#[test]
fn stdin_arrives_whole() {
    // More than the pipes hold, so that writing and reading have to take turns.
    let input: Vec<u8> = (0..3_000_000_u32).map(|n| n.to_le_bytes()[0]).collect();
    let options = ProcessOptions {
        stdin: input.clone(),
        ..patient()
    };
    assert!(run(&misbehave("echo"), &options).report.stdout == input);
}

#[test]
fn a_tool_need_not_read_stdin() {
    let options = ProcessOptions {
        stdin: vec![b'a'; 3_000_000],
        ..patient()
    };
    // It ends at once, so that the host's write fails.
    let outcome = run(&misbehave("print").arg("done"), &options);
    assert_eq!(
        (texts(&outcome), outcome.report.exit),
        (vec!["done".to_owned()], Some(Exit::Code(0)))
    );
    // It lives on and never reads.
    let outcome = run(&misbehave("sleep").arg("0.2"), &options);
    assert_eq!(outcome.report.exit, Some(Exit::Code(0)));
}

#[cfg(unix)]
#[test]
fn a_tool_may_close_stdin_early() {
    let options = ProcessOptions {
        stdin: vec![b'a'; 3_000_000],
        ..patient()
    };
    let outcome = run(
        &common::sh("exec 0<&-; sleep 0.1; echo still here"),
        &options,
    );
    assert_eq!(outcome.report.stdout, b"still here\n");
    assert_eq!(outcome.report.exit, Some(Exit::Code(0)));
}

#[cfg(unix)]
#[test]
fn a_tool_can_end_well_when_it_is_asked_to() {
    let line =
        "trap 'echo bye; echo late >&2; exit 0' TERM; echo ready; while :; do sleep 0.05; done";
    let options = ProcessOptions {
        grace: Duration::from_secs(60),
        ..within(5000)
    };
    let outcome = run(&common::sh(line), &options);
    assert!(outcome.report.stopped == Some(StopReason::Timeout));
    assert_eq!(outcome.report.exit, Some(Exit::Code(0)));
    assert_eq!(outcome.report.stdout, b"ready\nbye\n");
    assert_eq!(
        outcome.parsed.trace().last().map(|line| line.as_ref()),
        Some("late")
    );
    assert!(
        outcome.report.elapsed < Duration::from_secs(40),
        "the grace is not waited out"
    );
}

#[cfg(unix)]
#[test]
fn a_child_that_holds_nothing_is_ended_too() {
    let line = "sleep 600 </dev/null >/dev/null 2>&1 & echo $!";
    let outcome = run(&common::sh(line), &patient());
    let child: u32 = texts(&outcome)[0].trim().parse().expect("a number");
    assert!(!outcome.report.left_behind);
    assert!(
        common::eventually(|| !common::alive(child)),
        "the child lives on"
    );
}

#[cfg(unix)]
#[test]
fn grandchildren_are_ended_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ids");
    let outcome = run(&misbehave("tree").arg(&file), &within(8000));
    assert!(outcome.report.stopped == Some(StopReason::Timeout));
    let ids = std::fs::read_to_string(&file).expect("the numbers of the processes");
    assert_eq!(ids.split_whitespace().count(), 2, "{ids}");
    for id in ids.split_whitespace() {
        let id = id.parse().expect("a number");
        assert!(common::eventually(|| !common::alive(id)), "{id} lives on");
    }
}

#[test]
fn a_tool_that_writes_without_end_is_stopped() {
    let options = ProcessOptions {
        max_output: 100_000,
        ..patient()
    };
    let outcome = run(&misbehave("flood"), &options);
    assert_eq!(outcome.report.stopped, Some(StopReason::StdoutLimit));
    assert_eq!(outcome.report.stdout, vec![b'x'; 100_000]);
    assert!(outcome.parsed.is_error() && !outcome.parsed.transient());
    let texts = texts(&outcome);
    assert_eq!(
        texts[0],
        "the tool wrote more than 100000 bytes to stdout and was stopped; \
         the first 65536 of the 100000 bytes that were read follow"
    );
    assert_eq!(texts[1], "x".repeat(65_536));
    assert!(outcome.report.elapsed < Duration::from_secs(40));
}

#[test]
fn only_the_end_of_stderr_is_kept_and_all_is_seen() {
    let seen = Arc::new(Mutex::new(0_usize));
    let options = ProcessOptions {
        stderr_tail: 1000,
        on_stderr: Some(Observer::new({
            let seen = Arc::clone(&seen);
            move |piece| *seen.lock().unwrap() += piece.len()
        })),
        ..within(4000)
    };
    let outcome = run(&misbehave("flood-stderr"), &options);
    assert!(outcome.report.stopped == Some(StopReason::Timeout) && outcome.report.stderr_truncated);
    assert_eq!(outcome.report.stderr, vec![b'y'; 1000]);
    assert!(*seen.lock().unwrap() > 100_000);
}

/// The tool waits for what the observer does with its first line.
#[cfg(unix)]
#[test]
fn stderr_is_seen_live() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("seen");
    let seen = Arc::new(Mutex::new(Vec::new()));
    let options = ProcessOptions {
        on_stderr: Some(Observer::new({
            let (seen, file) = (Arc::clone(&seen), file.clone());
            move |piece| {
                seen.lock().unwrap().extend_from_slice(piece);
                std::fs::write(&file, "").expect("a file");
            }
        })),
        ..patient()
    };
    let line = r#"echo one >&2; until [ -e "$1" ]; do sleep 0.05; done; echo two >&2"#;
    let outcome = run(&common::sh(line).arg("sh").arg(&file), &options);
    assert_eq!(outcome.report.stopped, None, "it is seen at the end");
    assert_eq!(*seen.lock().unwrap(), b"one\ntwo\n");
}

#[test]
fn the_words_of_the_host_are_read_whatever_the_limits() {
    let options = ProcessOptions {
        limits: toolwire::Limits {
            max_bytes: 0,
            max_depth: 0,
            max_values: 0,
            max_blocks: 0,
            max_diagnostics: 0,
        },
        ..within(5000)
    };
    let outcome = run(&misbehave("print-then-sleep").arg("é"), &options);
    assert_eq!(texts(&outcome).len(), 2);
    assert!(outcome.parsed.is_error() && outcome.parsed.transient());
}
