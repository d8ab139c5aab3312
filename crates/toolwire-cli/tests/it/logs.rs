//! Logs with one output a line.

use std::io::{Read, Write};

use crate::common::{self, Dir, RESOURCE, VALID, WARNING, command, run};
use serde_json::{Value, json};

fn log() -> String {
    format!("{VALID}\n\n{WARNING}\r\nplain words\n{{\"content\":[],}}\n{VALID}")
}

#[test]
fn parse_gives_a_record_for_each_line_and_a_summary() {
    let run = run(&["parse", "--lines", "--json"], log());
    assert_eq!(run.code, 4);
    assert!(run.stderr.starts_with("5 lines: 2 valid"), "{run:?}");
    let records = run.json_lines();
    let lines: Vec<u64> = records.iter().filter_map(|r| r["line"].as_u64()).collect();
    assert_eq!(lines, [1, 3, 4, 5, 6]);
    let verdicts: Vec<&str> = records
        .iter()
        .filter_map(|r| r["verdict"].as_str())
        .collect();
    assert_eq!(verdicts, ["valid", "warnings", "raw", "raw", "valid"]);
    let offset = records[1]["offset"].as_u64().unwrap() as usize;
    assert!(log()[offset..].starts_with(WARNING));
    assert_eq!(records.len(), 5, "the summary is no record");
    let summary = ["parse", "--lines", "--json", "--summary"];
    assert_eq!(
        common::run(&summary, log()).json(),
        json!({"summary": {"lines": 5, "valid": 2, "warnings": 1, "raw": 2, "errors": 0,
            "transient": 0,
            "byCode": {"json_syntax": 1, "plain_text": 1, "unknown_block_type": 1}}}),
    );
}

#[test]
fn text_goes_to_stdout_and_the_summary_to_stderr() {
    let run = run(&["parse", "--lines"], log());
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 5, "{run:?}");
    assert!(lines[0].starts_with("1: valid, 1 block"), "{run:?}");
    assert!(
        lines[1].contains("unknown_block_type /content/1"),
        "{run:?}"
    );
    assert!(
        run.stderr
            .starts_with("5 lines: 2 valid, 1 with warnings, 2 raw text\n"),
        "{run:?}"
    );
    assert!(run.stderr.contains("1  plain_text"), "{run:?}");
}

#[test]
fn the_summary_alone() {
    let text = run(&["parse", "--lines", "--summary"], log());
    assert!(text.stdout.starts_with("5 lines: 2 valid"), "{text:?}");
    assert_eq!(text.stderr, "");
    for command in ["parse", "validate", "identify"] {
        let run = run(&[command, "--lines", "--summary", "--json"], log());
        assert_eq!(run.json()["summary"]["raw"], 2, "{command:?}: {run:?}");
    }
    for command in [&["canonicalize"][..], &["canonicalize", "--digest"]] {
        let args = [command, &["--lines", "--summary", "--json"]].concat();
        let run = run(&args, log());
        assert_eq!(run.json()["summary"]["written"], 3, "{command:?}: {run:?}");
        assert_eq!(run.json()["summary"]["failed"], 2, "{command:?}: {run:?}");
        assert_eq!(run.code, 1);
    }
}

#[test]
fn validate_names_line_and_column_of_the_log() {
    let run = run(&["validate", "--lines"], log());
    assert_eq!(run.code, 1);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(lines[0].starts_with("3:"), "{run:?}");
    assert!(lines[0].contains("warning[unknown_block_type]"), "{run:?}");
    assert!(lines[1].starts_with("4:1: note[plain_text]"), "{run:?}");
    assert!(lines[2].starts_with("5:15: error[json_syntax]"), "{run:?}");
    let quiet = common::run(&["validate", "--lines", "--quiet"], log());
    assert_eq!(
        (quiet.code, quiet.stdout.as_str(), quiet.stderr.as_str()),
        (1, "", "")
    );
    let good = common::run(&["validate", "--lines"], format!("{VALID}\n{VALID}\n"));
    assert_eq!((good.code, good.stdout.as_str()), (0, ""));
}

#[test]
fn canonicalize_and_digest_leave_out_what_they_refuse() {
    let canonical = run(
        &["canonicalize", "--lines"],
        "{\"b\":1,\"a\":2}\nnope\n[1.0]\n",
    );
    assert_eq!(canonical.stdout, "{\"a\":2,\"b\":1}\n[1]\n");
    assert!(canonical.stderr.contains("2: "), "{canonical:?}");
    assert_eq!(canonical.code, 1);
    let digests = run(
        &["canonicalize", "--digest", "--lines", "--json"],
        "[1]\nnope\n[1.0]\n",
    )
    .json_lines();
    assert_eq!(digests[0]["digest"], digests[2]["digest"]);
    assert_eq!(digests[1]["line"], 2);
    assert_eq!(digests[1]["error"]["code"], "json_syntax");
}

#[test]
fn identify_knows_the_lines_before() {
    let other = RESOURCE.replace("fn a() {}", "fn b() {}");
    let log = format!("{RESOURCE}\n{RESOURCE}\n{other}\n{VALID}\n");
    let run = run(&["identify", "--lines", "--json"], &log);
    let records = run.json_lines();
    let status: Vec<&Value> = records
        .iter()
        .filter_map(|r| r["identities"].get(0))
        .map(|i| &i["status"])
        .collect();
    assert_eq!(status, ["new", "repeat", "changed"], "{run:?}");
    let summary = ["identify", "--lines", "--json", "--summary"];
    let summary = &common::run(&summary, &log).json()["summary"];
    assert_eq!(
        (&summary["new"], &summary["repeat"], &summary["changed"]),
        (&json!(1), &json!(1), &json!(1))
    );
}

#[test]
fn the_summary_counts_errors() {
    let error = r#"{"content":[],"isError":true}"#;
    let transient =
        r#"{"content":[],"isError":true,"_meta":{"computer.jp/error":{"transient":true}}}"#;
    let log = format!("{VALID}\n{error}\n{transient}\n{error}\n");
    let summary = run(&["parse", "--lines", "--summary"], &log).stdout;
    assert_eq!(
        summary,
        "4 lines: 4 valid, 0 with warnings, 0 raw text; 3 errors, 1 transient\n"
    );
    let summary = run(&["parse", "--lines", "--summary", "--json"], &log).json();
    assert_eq!(summary["summary"]["errors"], 3);
    assert_eq!(summary["summary"]["transient"], 1);
}

#[test]
fn explain_reads_each_line() {
    let explained = run(&["explain", "--lines"], log());
    assert_eq!(explained.code, 4, "{explained:?}");
    let headings = explained
        .stdout
        .lines()
        .filter(|line| line.starts_with("line "));
    let headings: Vec<&str> = headings.collect();
    assert_eq!(
        headings,
        ["line 1:", "line 3:", "line 4:", "line 5:", "line 6:"]
    );
    assert!(explained.stdout.contains("json_syntax"), "{explained:?}");
    assert!(explained.stderr.starts_with("5 lines: "), "{explained:?}");
    let records = run(&["explain", "--lines", "--json"], log()).json_lines();
    assert_eq!(records.len(), 5);
    assert_eq!(records[1]["line"], 3);
    assert_eq!(records[1]["verdict"], "warnings", "{records:?}");
    let refused = run(&["explain", "--lines", "--exit-status", "1"], log());
    assert_eq!(refused.code, 2, "{refused:?}");
}

#[test]
fn format_presents_each_line() {
    let log = format!("{VALID}\n{RESOURCE}\nwords\n");
    let text = run(&["format", "--lines"], &log);
    assert_eq!(
        text.stdout, "hello\n\n```rs\nfn a() {}\n```\n\nwords\n",
        "{text:?}"
    );
    assert!(text.stderr.starts_with("3 lines: "), "{text:?}");
    let records = run(&["format", "--lines", "--json", "--untrusted"], &log).json_lines();
    assert_eq!(records.len(), 3);
    assert_eq!(
        (&records[2]["line"], &records[2]["offset"]),
        (&json!(3), &json!(log.find("words").unwrap()))
    );
    assert_ne!(
        records[0]["nonce"], records[1]["nonce"],
        "each has a nonce of its own"
    );
    let nonce = "0123456789abcdef";
    let log = format!("{VALID}\n{nonce}\n{VALID}\n");
    let clash = run(
        &["format", "--lines", &format!("--untrusted={nonce}")],
        &log,
    );
    assert_eq!(clash.code, 1, "{clash:?}");
    assert!(clash.stderr.contains("2: the nonce"), "{clash:?}");
    assert_eq!(clash.stdout.matches("hello").count(), 2, "{clash:?}");
    let refused = run(&["format", "--lines", "--signal", "9"], VALID);
    assert_eq!(refused.code, 2, "{refused:?}");
}

#[test]
fn several_logs_are_one_run_with_their_own_lines() {
    let dir = Dir::new();
    let (one, two) = (dir.file("one.ndjson", log()), dir.file("two.ndjson", VALID));
    let run = run(&["parse", "--lines", "--json", &one, &two], "");
    let records = run.json_lines();
    assert_eq!(records[5]["file"], two.as_str());
    assert_eq!(records[5]["line"], 1);
    assert_eq!(records.len(), 6);
    assert!(run.stderr.starts_with("6 lines: "), "{run:?}");
}

/// READ-40: only spaces, tabs and carriage returns make a line blank, here as in the library.
#[test]
fn a_form_feed_is_not_a_blank_line() {
    let run = run(
        &["parse", "--lines", "--summary", "--json"],
        " \t\r\r\n\u{c}\n\u{b}\n\n",
    );
    assert_eq!(run.json()["summary"]["lines"], 2, "{run:?}");
}

#[test]
fn a_closed_standard_error_is_no_failure() {
    let mut child = command(&["parse", "--lines"]).spawn().unwrap();
    drop(child.stderr.take());
    child
        .stdin
        .take()
        .unwrap()
        .write_all(log().as_bytes())
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(4));
}

#[test]
fn an_empty_log_is_no_failure() {
    for command in [
        "parse",
        "validate",
        "canonicalize",
        "identify",
        "format",
        "explain",
    ] {
        let none = run(&[command, "--lines", "--json"], "\n  \n");
        assert_eq!((none.code, &*none.stdout), (0, ""), "{command}: {none:?}");
        let summary = run(&[command, "--lines", "--json", "--summary"], "\n  \n");
        assert_eq!(
            summary.json()["summary"]["lines"],
            0,
            "{command}: {summary:?}"
        );
    }
}

#[test]
fn a_closed_pipe_ends_the_command_quietly() {
    let dir = Dir::new();
    let log = dir.file("long.ndjson", format!("{WARNING}\n").repeat(50_000));
    for args in [
        &["parse", "--lines", "--json", &log][..],
        &["parse", "--lines", &log],
    ] {
        let mut child = command(args).spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut [0; 10]).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
        assert!(
            output.status.code().is_some(),
            "{args:?} was ended by a signal"
        );
    }
}

/// A line without an end stays within the limit, and so does a log that is longer than memory.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_bounded() {
    let exe = env!("CARGO_BIN_EXE_toolwire");
    let dir = Dir::new();
    let line = format!(
        "{{\"content\":[{{\"type\":\"text\",\"text\":\"{}\"}}]}}\n",
        "x".repeat(50_000)
    );
    let log = dir.file("log.ndjson", line.repeat(2_000));
    for (source, verdict, number) in [
        (format!("cat {log}"), "valid", 2_000),
        ("head -c 100000000 /dev/zero".into(), "raw", 1),
    ] {
        let script = format!(
            "{source} | (ulimit -v 80000; \"{exe}\" parse --lines --summary --json --max-input 1000000)"
        );
        let output = std::process::Command::new("sh")
            .args(["-c", &script])
            .output()
            .unwrap();
        let summary: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{source}: {output:?}"));
        assert_eq!(summary["summary"][verdict], number, "{source}");
    }
}

#[test]
fn messages_on_lines_end_after_some() {
    let run = run(
        &["canonicalize", "--digest", "--lines"],
        "nope\n".repeat(1000),
    );
    assert_eq!(run.stderr.matches("json_syntax)").count(), 20, "{run:?}");
    assert!(run.stderr.contains("and more"), "{run:?}");
    assert!(run.stderr.contains("1000  json_syntax"), "{run:?}");
}
