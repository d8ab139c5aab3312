//! The result channel (ENV-40, EXIT-1, PROC-13).

use std::path::{Path, PathBuf};

use crate::common::{self, misbehave, patient, run, texts};
use toolwire_host::ProcessOptions;

const ANSWER: &str = r#"{"content":[{"type":"text","text":"from the channel"}]}"#;

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
