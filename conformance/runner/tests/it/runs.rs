//! The runner, run as a user runs it, against harnesses that are bad on purpose.

use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

const RUNNER: &str = env!("CARGO_BIN_EXE_toolwire-conformance");
const BAD_HARNESS: &str = env!("CARGO_BIN_EXE_bad-harness");

/// A checkout with these cases and nothing else.
fn checkout(name: &str, cases: &[Value]) -> PathBuf {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(root.join("conformance/cases")).unwrap();
    std::fs::create_dir_all(root.join("schema")).unwrap();
    std::fs::write(
        root.join("conformance/cases/some.json"),
        json!({"cases": cases}).to_string(),
    )
    .unwrap();
    let codes = json!({"codes": [
        {"code": "plain_text", "severity": "note", "effect": "raw"},
        {"code": "bom", "severity": "warning", "effect": "none"},
    ]});
    std::fs::write(root.join("schema/diagnostics.json"), codes.to_string()).unwrap();
    root
}

fn case(id: &str, trouble: bool) -> Value {
    json!({
        "id": id, "spec": ["X-1"], "about": "a case", "op": "digest", "input": {"text": id},
        "options": {"trouble": trouble}, "expect": {"result": {"digest": "ok"}},
    })
}

/// One case without trouble, one with, one without.
fn three_cases() -> Vec<Value> {
    vec![
        case("before", false),
        case("trouble", true),
        case("after", false),
    ]
}

fn run(name: &str, cases: &[Value], habits: &[&str], more: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(RUNNER);
    command.arg("--root").arg(checkout(name, cases)).arg("run");
    for habit in habits {
        command
            .arg("--impl")
            .arg(json!([BAD_HARNESS, habit]).to_string());
    }
    let Output {
        status,
        stdout,
        stderr,
    } = command.args(more).output().unwrap();
    let text = String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap();
    (status.code(), text)
}

#[track_caller]
fn assert_has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
}

#[test]
fn a_good_harness_passes() {
    let (status, text) = run("good", &three_cases(), &["good"], &[]);
    assert_eq!(status, Some(0), "{text}");
    assert_eq!(text.lines().last(), Some("3 passed, 0 failed, 0 skipped"));
}

/// Each fault costs one case; the harness is started anew and the others pass.
#[test]
fn faults_are_errors_and_the_run_goes_on() {
    let faults = [
        ("wrong-seq", "the answer has the sequence number 1, not 3"),
        (
            "garbage",
            "the answer is not a line of JSON: `debugging is fun`",
        ),
        ("crash", "exit status: 3); its last words: the last words"),
        ("half-a-line", "the answer ends without a line feed"),
        ("two-answers", "not exactly one of"),
        ("errs", "out of luck"),
    ];
    for (habit, message) in faults {
        let (status, text) = run(habit, &three_cases(), &[habit], &[]);
        assert_eq!(status, Some(1), "{habit}: {text}");
        assert_has(
            &text,
            &[
                "ERRORED trouble",
                message,
                "2 passed, 0 failed, 1 errored",
                "\n2 passed, 1 failed, 0 skipped",
            ],
        );
    }
}

#[test]
fn a_harness_that_hangs_is_killed() {
    let begin = Instant::now();
    let (status, text) = run("hang", &three_cases(), &["hang"], &["--timeout", "3"]);
    assert_eq!(status, Some(1));
    assert_has(
        &text,
        &["no answer within 3 s", "2 passed, 1 failed, 0 skipped"],
    );
    assert!(begin.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_wrong_answer_is_shown_with_its_place() {
    let (status, text) = run("wrong-answer", &three_cases(), &["wrong-answer"], &[]);
    assert_eq!(status, Some(1));
    assert_has(
        &text,
        &[
            "FAILED trouble: a case",
            "/result/digest",
            "expected \"ok\"",
            "got      \"no\"",
            "X-1",
        ],
    );
}

#[test]
fn skips_are_counted_apart_and_can_be_forbidden() {
    let (status, text) = run("skips", &three_cases(), &["skips"], &[]);
    assert_eq!(status, Some(0), "{text}");
    assert_has(&text, &["\n2 passed, 0 failed, 1 skipped"]);
    let (status, text) = run("skips", &three_cases(), &["skips"], &["--no-skips"]);
    assert_eq!(status, Some(1));
    assert_has(&text, &["`--no-skips` forbids"]);
    let mut other = case("other", false);
    other["op"] = json!("format");
    let (_, text) = run("skips-op", &[other], &["good"], &[]);
    assert_has(&text, &["0 passed, 0 failed, 1 skipped"]);
}

/// What a harness says itself that it lacks is no surprise; what it says and has is a mistake.
#[test]
fn an_operation_that_is_said_to_be_lacking_may_be_skipped() {
    let (status, text) = run("lacks", &three_cases(), &["lacks"], &["--no-skips"]);
    assert_eq!(status, Some(0), "{text}");
    assert_has(&text, &["0 passed, 0 failed, 3 skipped"]);
    let (status, text) = run("lacks-both", &three_cases(), &["lacks-both"], &[]);
    assert_eq!(status, Some(2), "{text}");
    assert_has(&text, &["`digest` in `lacks` and in `ops`"]);
}

#[test]
fn a_harness_that_always_crashes_is_given_up() {
    let cases: Vec<Value> = (0..9).map(|n| case(&format!("case-{n}"), false)).collect();
    let (status, text) = run("always-crash", &cases, &["always-crash"], &[]);
    assert_eq!(status, Some(1));
    assert_has(
        &text,
        &["given up after 5 faults in a row, 4 cases were not run"],
    );
}

#[test]
fn a_failing_smoke_stage_ends_the_run() {
    let mut cases = three_cases();
    cases[1]["smoke"] = json!(true);
    let (status, text) = run("smoke", &cases, &["wrong-answer"], &[]);
    assert_eq!(status, Some(1));
    assert_has(
        &text,
        &[
            "the smoke stage did not pass, so the other 2 cases were not run",
            "\n0 passed, 1 failed",
        ],
    );
}

#[test]
fn the_list_of_expected_failures_is_strict_both_ways() {
    let list = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("list.txt");
    let path = list.display().to_string();
    let with = |text: &str, habit: &str| {
        std::fs::write(&list, text).unwrap();
        run(
            "list",
            &three_cases(),
            &[habit],
            &["--expect-failures", &path],
        )
    };
    let (status, text) = with("# known\ntrouble # since ever\n", "wrong-answer");
    assert_eq!(status, Some(0), "{text}");
    assert_has(
        &text,
        &["1 failed as expected", "\n2 passed, 0 failed, 0 skipped"],
    );
    let (status, text) = with("trouble\n", "good");
    assert_eq!(status, Some(1));
    assert_has(&text, &["UNEXPECTED trouble passes"]);
    let (status, text) = with("trouble\n", "skips");
    assert_eq!(status, Some(1));
    assert_has(&text, &["UNEXPECTED trouble is skipped"]);
    let (status, text) = with("no-such-case\n", "good");
    assert_eq!(status, Some(2));
    assert_has(&text, &["names `no-such-case`, which no case has"]);
}

#[test]
fn implementations_must_agree_even_where_the_case_is_silent() {
    let (status, text) = run("agree", &three_cases(), &["good", "other-opinion"], &[]);
    assert_eq!(status, Some(1));
    assert_has(
        &text,
        &[
            "/result/extra",
            "as good (bad 0) answers",
            "\n3 passed, 3 failed",
        ],
    );
}

#[test]
fn the_laws_of_a_reading_are_checked() {
    let mut case = case("law", false);
    case["op"] = json!("parse");
    let (status, text) = run("laws", &[case], &["lawless"], &[]);
    assert_eq!(status, Some(1));
    assert_has(
        &text,
        &[
            "/result/diagnostics/0/severity",
            "/result/diagnostics/1/code",
            "at least 3, the offset before it",
            "\"warnings\", by the diagnostics",
            "the input's own text",
        ],
    );
}

#[test]
fn a_harness_that_does_not_start_is_a_usage_error() {
    for (habit, message) in [
        ("old-protocol", "names protocol 0, not 1"),
        ("silent-start", "no answer within 3 s"),
    ] {
        let (status, text) = run(habit, &three_cases(), &[habit], &["--timeout", "3"]);
        assert_eq!(status, Some(2), "{text}");
        assert_has(&text, &["did not start", message]);
    }
    let (status, text) = run("ends-badly", &three_cases(), &["ends-badly"], &[]);
    assert_eq!(status, Some(1));
    assert_has(&text, &["did not end with status 0"]);
    let output = Command::new(RUNNER)
        .arg("--root")
        .arg(checkout("absent", &three_cases()))
        .args(["run", "--impl", "no-such-program-here --flag"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_has(
        &String::from_utf8_lossy(&output.stderr),
        &["cannot start `no-such-program-here --flag`"],
    );
}

#[test]
fn a_filter_and_json_output() {
    let (status, text) = run(
        "json",
        &three_cases(),
        &["good"],
        &["--json", "--filter", "aft"],
    );
    assert_eq!(status, Some(0), "{text}");
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["id"], "after");
    assert_eq!(lines[0]["outcome"], "passed");
    assert_eq!(lines.last().unwrap()["total"]["passed"], 1);
    let (status, text) = run("json", &three_cases(), &["good"], &["--filter", "nothing"]);
    assert_eq!(status, Some(2));
    assert_has(&text, &["no case fits what was selected"]);
}

/// The first harness that the README tells people to write works as it says.
#[cfg(unix)]
#[test]
fn the_harness_of_the_readme_works() {
    let readme = include_str!("../../../README.md");
    let (_, rest) = readme.split_once("```sh harness\n").unwrap();
    let (script, _) = rest.split_once("```").unwrap();
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("my-harness.sh");
    std::fs::write(&path, script).unwrap();
    let output = Command::new(RUNNER)
        .arg("--root")
        .arg(checkout("readme", &three_cases()))
        .args(["run", "--impl", &json!(["sh", path]).to_string()])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert_has(&text, &["sh (mine 0)", "0 passed, 0 failed, 3 skipped"]);
}

#[test]
fn cases_are_selected_by_operation_rule_topic_and_id() {
    let mut cases = three_cases();
    cases[0]["op"] = json!("parse_arguments");
    cases[2]["spec"] = json!(["X-1", "X-10"]);
    let tally = |options: &[&str]| {
        let (status, text) = run("selected", &cases, &["good"], options);
        assert_eq!(status, Some(0), "{text}");
        text.lines().last().unwrap().to_owned()
    };
    assert_eq!(tally(&["--op", "digest"]), "2 passed, 0 failed, 0 skipped");
    assert_eq!(tally(&["--rule", "X-10"]), "1 passed, 0 failed, 0 skipped");
    assert_eq!(
        tally(&["--id", "after", "--id", "before"]),
        "1 passed, 0 failed, 1 skipped"
    );
    assert_eq!(
        tally(&["--topic", "some", "--id", "after"]),
        "1 passed, 0 failed, 0 skipped"
    );
    for nothing in [
        &["--op", "parse"][..],
        &["--rule", "X"],
        &["--op", "digest", "--id", "before"],
    ] {
        let (status, text) = run("selected", &cases, &["good"], nothing);
        assert_eq!(status, Some(2), "{text}");
        assert_has(&text, &["no case fits what was selected"]);
    }
}

#[test]
fn json_tells_all_of_a_case_and_of_its_operation() {
    let long = "x".repeat(2000);
    let mut cases = three_cases();
    cases[0]["expect"] = json!({"result": {"digest": long}});
    let (status, text) = run("told", &cases, &["good"], &["--json"]);
    assert_eq!(status, Some(1), "{text}");
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let first = &lines[0];
    assert_eq!(
        (&first["op"], &first["topic"]),
        (&json!("digest"), &json!("some"))
    );
    assert_eq!(first["spec"], json!(["X-1"]));
    assert_eq!(first["detail"][0]["expected"], json!(format!("\"{long}\"")));
    let tally = &lines.last().unwrap()["total"]["byOperation"];
    assert_eq!(tally, &json!({"digest": {"passed": 2, "cases": 3}}));
    let (_, text) = run("told", &cases, &["good"], &[]);
    assert_has(&text, &["digest 2/3", "… (2002 bytes)"]);
}

#[test]
fn reference_wordings_count_only_when_asked() {
    let mut cases = three_cases();
    cases[0]["expect"] = json!({"result": {"digest": {"$reference": "okay", "contains": ["ok"]}}});
    let (status, text) = run("advice", &cases, &["good"], &[]);
    assert_eq!(status, Some(0), "{text}");
    let (status, text) = run("advice", &cases, &["good"], &["--reference"]);
    assert_eq!(status, Some(1), "{text}");
    for case in &mut cases {
        case["expect"] = json!({"result": {"$reference": {"digest": "ok"}}});
    }
    let both = ["good", "other-opinion"];
    let (status, text) = run("advice", &cases, &both, &[]);
    assert_eq!(status, Some(0), "{text}");
    let (status, text) = run("advice", &cases, &both, &["--reference"]);
    assert_eq!(status, Some(1), "{text}");
}
