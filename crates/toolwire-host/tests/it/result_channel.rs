//! The result channel (ENV-40, EXIT-1, PROC-13).

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::common::{self, misbehave, patient, run, texts};
use toolwire_host::{ProcessOptions, StopReason};

const ANSWER: &str = r#"{"content":[{"type":"text","text":"from the channel"}]}"#;

#[test]
fn the_answer_comes_from_the_channel_and_stdout_is_log() {
    let outcome = run(&misbehave("result").arg(ANSWER), &patient());
    assert_eq!(texts(&outcome), ["from the channel"]);
    assert_eq!(outcome.parsed.document(), ANSWER.as_bytes());
    assert_eq!(outcome.report.stdout, b"a log line\n");
    // The tool tells the path on stderr: the file is not there any more.
    let path = PathBuf::from(String::from_utf8(outcome.report.stderr).expect("a path"));
    assert!(path.is_absolute() && !path.exists(), "{}", path.display());
}

#[test]
fn an_empty_channel_leaves_stdout_as_the_answer() {
    let outcome = run(&misbehave("result").arg(""), &patient());
    assert_eq!(texts(&outcome), ["a log line\n"]);
}

#[test]
fn a_channel_that_was_not_offered_is_not_there() {
    let options = ProcessOptions {
        result_channel: false,
        ..patient()
    };
    let outcome = run(&misbehave("result").arg(ANSWER), &options);
    assert!(
        outcome.parsed.is_error(),
        "the tool has nowhere to write to"
    );
}

#[test]
fn too_much_in_the_channel_stops_the_tool() {
    let options = ProcessOptions {
        max_output: 20_000,
        ..patient()
    };
    let outcome = run(&misbehave("flood-result"), &options);
    assert_eq!(outcome.report.stopped, Some(StopReason::ResultLimit));
    assert!(outcome.report.elapsed < Duration::from_secs(60));
    assert_eq!(
        texts(&outcome),
        [
            "the tool wrote more than 20000 bytes to the result channel and was stopped",
            &"z".repeat(20_000)
        ]
    );
}

#[test]
fn the_limit_of_the_channel_is_exact() {
    let tool = |bytes: &str| misbehave("result-bytes").arg(bytes);
    let options = ProcessOptions {
        max_output: 1000,
        ..patient()
    };
    assert_eq!(run(&tool("1000"), &options).report.stopped, None);
    assert_eq!(
        run(&tool("1001"), &options).report.stopped,
        Some(StopReason::ResultLimit)
    );
    // The limit is checked while the tool runs, too.
    let goes_on = "head -c 1000 /dev/zero > \"$TOOLWIRE_RESULT\"; sleep 0.3";
    let outcome = run(&common::sh(goes_on), &options);
    assert_eq!(outcome.report.stopped, None);
}

/// Each tool says on stderr where its channel is.
#[cfg(unix)]
fn channel_of(stderr: &[u8]) -> PathBuf {
    let text = String::from_utf8_lossy(stderr).trim().to_owned();
    assert!(Path::new(&text).is_absolute(), "{text}");
    text.into()
}

#[cfg(unix)]
#[test]
fn whatever_a_tool_makes_of_the_file_nothing_stays() {
    let say = "printf %s \"$TOOLWIRE_RESULT\" >&2; echo log; ";
    for (what, line) in [
        ("removed", "rm \"$TOOLWIRE_RESULT\""),
        (
            "a folder",
            "rm \"$TOOLWIRE_RESULT\"; mkdir -p \"$TOOLWIRE_RESULT/deep\"; echo x > \"$TOOLWIRE_RESULT/deep/x\"",
        ),
        ("a link", "ln -sf /etc/passwd \"$TOOLWIRE_RESULT\""),
        (
            "a pipe",
            "rm \"$TOOLWIRE_RESULT\"; mkfifo \"$TOOLWIRE_RESULT\"",
        ),
    ] {
        let outcome = run(&common::sh(&format!("{say}{line}")), &patient());
        assert_eq!(outcome.report.stdout, b"log\n", "{what}");
        assert_eq!(texts(&outcome), ["log\n"], "{what}");
        let path = channel_of(&outcome.report.stderr);
        assert!(std::fs::symlink_metadata(path).is_err(), "{what}");
    }
    // Whether this process may read it all the same depends on who runs the tests.
    let line = format!("{say}echo x > \"$TOOLWIRE_RESULT\"; chmod 0 \"$TOOLWIRE_RESULT\"");
    let outcome = run(&common::sh(&line), &patient());
    assert!(!outcome.parsed.is_error() && !channel_of(&outcome.report.stderr).exists());
    // Written beside and moved into place, as careful programs write files.
    let line = format!(
        "{say} printf '%s' '{ANSWER}' > \"$TOOLWIRE_RESULT.tmp\"; mv \"$TOOLWIRE_RESULT.tmp\" \"$TOOLWIRE_RESULT\""
    );
    let outcome = run(&common::sh(&line), &patient());
    assert_eq!(texts(&outcome), ["from the channel"]);
}

#[cfg(unix)]
#[test]
fn the_channel_is_private() {
    let line = "ls -ld \"$TOOLWIRE_RESULT\" | cut -c1-10";
    let outcome = run(&common::sh(line), &patient());
    assert_eq!(outcome.report.stdout, b"-rw-------\n");
}
