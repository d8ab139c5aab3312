//! A call for each line of standard input.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::Child;

use crate::common::mcp::wait_for;
use crate::common::prompt::{CTRL_C, DOWN, ENTER, Ended, Terminal, start_shell};
use crate::common::{self, Dir, Run, command, run_command};
use serde_json::{Value, json};

/// A server without any library, with what must be repeated to succeed. Its state is in the folder.
const SERVER: &str = include_str!("../servers/flaky.py");

/// A tool that takes anything and gives back its arguments. `before` is run first, with the call in `$call`.
fn tool(dir: &Dir, hints: &str, before: &str) {
    let tools = format!(
        r#"{{"name":"work","annotations":{{{hints}}},"inputSchema":{{"type":"object","properties":{{"n":{{"type":"integer"}}}}}}}}"#
    );
    dir.tool("tool", &tools, before);
}

fn in_folder(dir: &Dir, args: &[&str], input: &str) -> Run {
    let mut command = command(args);
    command.current_dir(dir.path());
    run_command(command, input.as_bytes())
}

fn run(dir: &Dir, args: &[&str], input: &str) -> Run {
    in_folder(
        dir,
        &[&["run", "--each"], args, &["./tool"]].concat(),
        input,
    )
}

/// The arguments that the tool got, line by line.
fn arguments(lines: &[Value]) -> Vec<Value> {
    let of = |line: &Value| line["structuredContent"]["tool"]["arguments"].clone();
    lines.iter().map(of).collect()
}

fn numbers(ran: &Run) -> Vec<i64> {
    let lines = ran.json_lines();
    let of = |line: &Value| line["structuredContent"]["tool"]["arguments"]["n"].as_i64();
    lines.iter().map(|line| of(line).unwrap_or(-1)).collect()
}

fn exists(dir: &Dir, name: &str) -> bool {
    dir.path().join(name).exists()
}

fn waits(dir: &Dir, name: &str) {
    wait_for(name, || exists(dir, name));
}

/// A run that is still going on, with all of its input.
fn start(dir: &Dir, args: &[&str], input: &str) -> Child {
    let mut command = command(&[&["run", "--each"], args, &["./tool"]].concat());
    let mut child = command.current_dir(dir.path()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    child
}

fn signal(child: &Child, signal: &str) {
    let id = child.id().to_string();
    let sent = std::process::Command::new("kill")
        .args([signal, &id])
        .status();
    assert!(sent.unwrap().success());
}

/// The first record waits until the second one has been called.
const FIRST_WAITS: &str = "case $call in *'\"n\":1'*) until [ -e go ]; do sleep 0.01; done ;;\n\
                           *'\"n\":2'*) : > go ;; esac";

#[test]
fn lines_are_in_order_or_as_calls_end() {
    let dir = Dir::new();
    tool(&dir, "", FIRST_WAITS);
    let input = "{\"n\":1}\n\n{\"n\":2}\n";
    let ordered = run(&dir, &["--jobs", "2"], input);
    assert_eq!((ordered.code, numbers(&ordered)), (0, vec![1, 2]));
    assert_eq!(ordered.stderr, "2 records: 2 ended, 0 failed\n");
    assert_eq!(ordered.json_lines()[0]["_meta"], Value::Null);

    fs::remove_file(dir.path().join("go")).unwrap();
    // The second one ends as soon as the first one can, and writes before: the first one looks again.
    let slow = FIRST_WAITS.replace(": > go", "true");
    tool(&dir, "", &slow);
    let mut child = start(&dir, &["--jobs", "2", "--unordered"], input);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || -> Value { serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap() };
    assert_eq!(next()["_meta"]["dev.toolwire/record"], 3);
    dir.file("go", "");
    assert_eq!(next()["_meta"]["dev.toolwire/record"], 1);
    assert!(child.wait().unwrap().success());
}

#[test]
fn arguments_of_a_record_are_put_over_those_for_all() {
    let dir = Dir::new();
    tool(&dir, "", "");
    let ran = in_folder(
        &dir,
        &[
            "run",
            "--each",
            "--args",
            r#"{"n":1,"a":1}"#,
            "./tool",
            "a=2",
            "b=x",
        ],
        "{}\n{\"a\":3,\"big\":12345678901234567890.0}\n",
    );
    assert_eq!(ran.code, 0, "{ran:?}");
    let lines = ran.json_lines();
    assert_eq!(arguments(&lines)[0], json!({ "n": 1, "a": 2, "b": "x" }));
    assert_eq!(arguments(&lines)[1]["a"], 3);
    assert!(ran.stdout.contains("\"big\":12345678901234567890.0"));
    let none = run(&dir, &[], "");
    assert_eq!((none.code, none.stdout.as_str()), (0, ""));
    assert_eq!(none.stderr, "0 records: 0 ended, 0 failed\n");
}

#[test]
fn a_record_that_cannot_be_called_has_its_line() {
    let dir = Dir::new();
    tool(&dir, "", "");
    let long = format!("\"{}\"", "x".repeat(16 * 1024 * 1024 - 1));
    let most = format!("{{\"s\":\"{}\"}}", "x".repeat(16 * 1024 * 1024 - 8));
    let input = format!("{{\"n\":1}}\n[1]\n{{\"n\":\"x\"}}\n{{\"n\":\n{long}\n{most}\n{{\"n\":2}}");
    let ran = run(&dir, &["--jobs", "3"], &input);
    assert_eq!(ran.code, 1);
    let lines = ran.json_lines();
    let parts = [
        "",
        "line 2 of the input is not a JSON object",
        "`n`",
        "line 4",
        "line 5 of the input is longer than 16777216 bytes",
        "",
        "",
    ];
    assert_eq!(lines.len(), parts.len());
    for (line, part) in lines.iter().zip(parts) {
        assert_eq!(line["isError"] == true, !part.is_empty());
        let text = line["content"][0]["text"].as_str().unwrap_or_default();
        assert!(text.contains(part), "{text:.200} has no {part}");
    }
    assert_eq!(ran.stderr, "7 records: 3 ended, 4 failed\n");
}

#[test]
fn what_makes_no_sense_is_refused_before_anything_runs() {
    let dir = Dir::new();
    tool(&dir, "", ": > called");
    dir.program("unmarked", ": > called");
    let cases = [
        (
            &["run", "--each", "--format", "model", "./tool"][..],
            "no other `--format`",
        ),
        (&["run", "--jobs", "2", "./tool"], "--each"),
        (
            &["run", "--each", "--jobs", "257", "./tool"],
            "from 1 to 256",
        ),
        (
            &["run", "--each", "--unknown", "skip", "./tool"],
            "--resume",
        ),
        (
            &["run", "--each", "--args-file", "-", "./tool"],
            "read only once",
        ),
        (
            &["run", "--each", "--plain", "./tool"],
            "cannot be used with",
        ),
        (
            &["run", "--each", "--retry", "1", "./tool"],
            "`--retry-unsafe`",
        ),
        (
            &["run", "--each", "./unmarked"],
            "nothing says that it reads calls",
        ),
    ];
    for (args, part) in cases {
        let ran = in_folder(&dir, args, "{}\n");
        assert_eq!(ran.code, 2, "{args:?}: {ran:?}");
        assert!(ran.stderr.contains(part), "{args:?}: {}", ran.stderr);
    }
    assert!(!exists(&dir, "called"));
    assert_eq!(run(&dir, &["--format", "json"], "{}\n").code, 0);
}

/// A tool that counts its calls, and in which the second record waits until there is `go`.
fn second_waits(dir: &Dir) {
    let before = "echo x >> calls; case $call in *'\"n\":2'*) : > waits; \
                  until [ -e go ]; do sleep 0.01; done ;; esac";
    tool(dir, "", before);
}

fn calls(dir: &Dir) -> usize {
    fs::read_to_string(dir.path().join("calls"))
        .unwrap()
        .lines()
        .count()
}

const THREE: &str = "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n";

/// A run that was killed while the second record was called.
fn killed() -> Dir {
    let dir = Dir::new();
    second_waits(&dir);
    let mut child = start(&dir, &["--resume", "journal"], THREE);
    waits(&dir, "waits");
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.next().unwrap().unwrap();
    let ended = || journal(&dir).contains("\"ended\"");
    wait_for("the end of the first record", ended);
    // Another one with the same journal is refused meanwhile.
    let other = run(&dir, &["--resume", "journal"], THREE);
    assert_eq!(other.code, 1);
    assert!(other.stderr.contains("another process"), "{}", other.stderr);
    signal(&child, "-KILL");
    child.wait().unwrap();
    dir.file("go", "");
    dir
}

fn journal(dir: &Dir) -> String {
    fs::read_to_string(dir.path().join("journal")).unwrap()
}

#[test]
fn after_a_crash_nothing_is_repeated_that_may_have_been_done() {
    let dir = killed();
    let before = calls(&dir);
    let ran = run(&dir, &["--resume", "journal"], THREE);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{ran:?}");
    assert!(ran.stderr.contains("record 2 ended"), "{}", ran.stderr);
    assert!(ran.stderr.contains("--unknown skip"), "{}", ran.stderr);
    assert_eq!(calls(&dir), before);

    // A line that the crash has cut counts as not written.
    let whole = journal(&dir);
    dir.file("journal", format!("{whole}{{\"record\":3,\"dig"));
    let ran = run(&dir, &["--resume", "journal", "--unknown", "skip"], THREE);
    assert_eq!((ran.code, numbers(&ran)), (0, vec![3]), "{ran:?}");
    assert_eq!(ran.json_lines()[0]["_meta"]["dev.toolwire/record"], 3);
    assert_eq!(ran.stderr, "3 records: 1 ended, 0 failed, 2 passed over\n");
    let again = run(&dir, &["--resume", "journal"], THREE);
    assert_eq!((again.code, again.stdout.as_str()), (0, ""), "{again:?}");
    assert_eq!(
        again.stderr,
        "3 records: 0 ended, 0 failed, 3 passed over\n"
    );
    // The input may have become longer.
    let longer = run(
        &dir,
        &["--resume", "journal"],
        &format!("{THREE}{{\"n\":4}}\n"),
    );
    assert_eq!((longer.code, numbers(&longer)), (0, vec![4]), "{longer:?}");
}

#[test]
fn what_is_unknown_is_repeated_if_that_is_said() {
    let dir = killed();
    let ran = run(&dir, &["--resume", "journal", "--unknown", "repeat"], THREE);
    assert_eq!((ran.code, numbers(&ran)), (0, vec![2, 3]), "{ran:?}");
}

#[test]
fn a_journal_is_for_one_input_one_tool_and_the_same_arguments() {
    let dir = Dir::new();
    tool(&dir, "", "echo x >> calls");
    assert_eq!(run(&dir, &["--resume", "journal"], THREE).code, 0);
    let before = (calls(&dir), journal(&dir));
    let other = "{\"n\":1}\n{\"n\":5}\n{\"n\":3}\n";
    dir.file("mine.txt", "{\"my\":\"data\"}\n");
    dir.file("begun.txt", "my data");
    dir.file("newer", "{\"toolwireEach\":2}\n");
    let damaged = format!("{}{{\"record\":9}}\n", journal(&dir));
    dir.file("damaged", damaged);
    let cases: [(&[&str], &str, &str); 8] = [
        (&["--resume", "journal"], other, "its line 2 differs"),
        (
            &["--resume", "journal"],
            "{\"n\":1}\n",
            "it ends before line 3",
        ),
        (
            &["--resume", "journal"],
            "{\"n\":1}\n\n{\"n\":3}\n{\"n\":3}\n",
            "it lacks some of the lines",
        ),
        (
            &["--resume", "journal", "--args", r#"{"b":1}"#],
            THREE,
            "other arguments for all records",
        ),
        (&["--resume", "mine.txt"], THREE, "no journal of `--each`"),
        (&["--resume", "begun.txt"], THREE, "no journal of `--each`"),
        (&["--resume", "newer"], THREE, "a newer `toolwire`"),
        (
            &["--resume", "damaged"],
            THREE,
            "line 8 of `damaged` is damaged",
        ),
    ];
    for (args, input, part) in cases {
        let ran = run(&dir, args, input);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (2, ""),
            "{args:?}: {ran:?}"
        );
        assert!(ran.stderr.contains(part), "{args:?}: {}", ran.stderr);
    }
    fs::copy(dir.path().join("tool"), dir.path().join("other")).unwrap();
    let ran = in_folder(
        &dir,
        &["run", "--each", "--resume", "journal", "./other"],
        THREE,
    );
    assert!(ran.stderr.contains("is of the source `tool`"), "{ran:?}");
    assert_eq!((calls(&dir), journal(&dir)), before);
    assert_eq!(
        fs::read_to_string(dir.path().join("mine.txt")).unwrap(),
        "{\"my\":\"data\"}\n"
    );
    assert_eq!(
        fs::read_to_string(dir.path().join("begun.txt")).unwrap(),
        "my data"
    );
}

/// A record for which nothing was called comes again, as it is now.
#[test]
fn what_was_refused_is_called_once_that_is_mended() {
    let dir = Dir::new();
    tool(&dir, "", "echo x >> calls");
    let first = "{\"n\":1}\n{\"n\":\"no\"}\nno JSON\n{\"n\":4}\n";
    let ran = run(&dir, &["--resume", "journal"], first);
    assert_eq!((ran.code, calls(&dir)), (1, 2), "{ran:?}");
    assert_eq!(ran.stderr, "4 records: 2 ended, 2 failed\n");
    assert_eq!(ran.json_lines().len(), 4);
    assert_eq!(journal(&dir).matches("\"refused\"").count(), 2);
    assert_eq!(journal(&dir).matches("\"begun\"").count(), 2);

    // Nothing was mended: they are refused again, and the others are not called again.
    let ran = run(&dir, &["--resume", "journal"], first);
    assert_eq!((ran.code, calls(&dir)), (1, 2), "{ran:?}");
    assert_eq!(ran.stderr, "4 records: 0 ended, 2 failed, 2 passed over\n");

    let mended = "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n{\"n\":4}\n";
    let ran = run(&dir, &["--resume", "journal"], mended);
    assert_eq!((ran.code, numbers(&ran)), (0, vec![2, 3]), "{ran:?}");
    let lines = ran.json_lines();
    let records = lines
        .iter()
        .map(|line| &line["_meta"]["dev.toolwire/record"]);
    assert_eq!(records.collect::<Vec<_>>(), [2, 3]);
    assert_eq!(calls(&dir), 4);

    // From now on they are what they were when they were called.
    let ran = run(&dir, &["--resume", "journal"], first);
    assert!(ran.stderr.contains("its line 2 differs"), "{ran:?}");
    let ran = run(&dir, &["--resume", "journal"], mended);
    assert_eq!((ran.code, &*ran.stdout), (0, ""), "{ran:?}");
    assert_eq!(calls(&dir), 4);
}

fn server(dir: &Dir, args: &[&str], input: &str) -> Run {
    let path = dir.file("server.py", SERVER);
    common::set_mode(Path::new(&path), 0o755);
    in_folder(
        dir,
        &[&["run", "--each"], args, &["--", "./server.py"]].concat(),
        input,
    )
}

#[test]
fn a_transient_error_is_repeated_where_that_does_no_harm() {
    let dir = Dir::new();
    let few = server(&dir, &["--retry", "1", "flaky"], "{\"n\":1}\n");
    assert_eq!(few.code, 1, "{few:?}");
    assert_eq!(calls(&dir), 2);
    fs::remove_file(dir.path().join("calls")).unwrap();
    let enough = server(&dir, &["--retry", "2", "flaky"], "{\"n\":1}\n{\"n\":2}\n");
    assert_eq!((enough.code, calls(&dir)), (0, 4), "{enough:?}");
    let starts = fs::read_to_string(dir.path().join("starts")).unwrap();
    assert_eq!(starts.lines().count(), 2, "a connection for each run");
    // One that does not say that it only reads.
    fs::remove_file(dir.path().join("calls")).unwrap();
    let refused = server(&dir, &["--retry", "2", "write"], "{\"n\":1}\n");
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.stderr.contains("`--retry-unsafe`"), "{refused:?}");
    assert!(!exists(&dir, "calls"));
    let unsafely = server(
        &dir,
        &["--retry", "2", "--retry-unsafe", "write"],
        "{\"n\":1}\n",
    );
    assert_eq!((unsafely.code, calls(&dir)), (0, 3), "{unsafely:?}");
}

#[test]
fn a_server_that_is_gone_is_reached_again_or_ends_the_run() {
    let dir = Dir::new();
    let gone = server(
        &dir,
        &["--resume", "journal", "die"],
        "{\"n\":1}\n{\"n\":2}\n",
    );
    assert_eq!((gone.code, gone.stdout.as_str()), (5, ""), "{gone:?}");
    assert!(
        gone.stderr.contains("was lost during the call of record 1"),
        "{gone:?}"
    );
    assert!(
        gone.stderr
            .contains("1 record: 0 ended, 0 failed, 1 cut off"),
        "{gone:?}"
    );
    assert_eq!(journal(&dir).lines().count(), 2);
    fs::remove_file(dir.path().join("died")).unwrap();
    let again = server(&dir, &["--retry", "3", "die"], "{\"n\":1}\n{\"n\":2}\n");
    assert_eq!((again.code, again.json_lines().len()), (0, 2), "{again:?}");
}

/// A run on a terminal whose standard input is a file.
fn on_terminal(dir: Dir, options: &str) -> Terminal {
    dir.file("in", THREE);
    let script =
        format!("trap : INT; \"$TOOLWIRE\" run --each {options} ./tool < in > out; echo code=$?");
    start_shell(dir, &script)
}

fn asking() -> Dir {
    let dir = Dir::new();
    let question = json!({ "content": [{ "type": "question", "question": {
        "id": "q", "text": "Which colour?", "schema": { "type": "string" }
    } }] });
    dir.file("question.json", question.to_string());
    let before = "case $call in *'\"q\":'*) ;; *) cat question.json; exit ;; esac";
    tool(&dir, "", before);
    dir
}

fn answers(ended: &Ended) -> Vec<Value> {
    let out = fs::read_to_string(ended.dir.path().join("out")).unwrap();
    let of = |line| -> Value { serde_json::from_str(line).unwrap() };
    let lines = out.lines().map(of);
    lines
        .map(|line| line["structuredContent"]["tool"]["answers"]["q"].clone())
        .collect()
}

#[test]
fn questions_are_asked_at_the_terminal_and_once_for_all() {
    let mut terminal = on_terminal(asking(), "--jobs 3");
    terminal.shows("Which colour?");
    terminal.types("red\r", "The same answer for the records that follow?");
    terminal.shows("toolwire asks");
    // No is what Enter says.
    terminal.types(ENTER, "No");
    terminal.until("the next question", |screen| {
        screen.matches("Which colour?").count() > 1
    });
    terminal.types("blue\r", "blue");
    terminal.until("whether it is for all", |screen| {
        screen
            .matches("The same answer for the records that follow?")
            .count()
            > 1
    });
    let ended = terminal.ends("y");
    assert_eq!(ended.code, "0");
    let mut answers: Vec<String> = answers(&ended).iter().map(Value::to_string).collect();
    answers.sort();
    assert_eq!(answers, ["\"blue\"", "\"blue\"", "\"red\""]);
    assert!(
        ended.screen.contains("3 records: 3 ended, 0 failed"),
        "{}",
        ended.screen
    );
}

#[test]
fn an_editor_gets_the_terminal_and_not_the_records() {
    let dir = asking();
    let question = fs::read_to_string(dir.path().join("question.json")).unwrap();
    let lists = r#"{"type":"array","items":{"type":"array"}}"#;
    dir.file(
        "question.json",
        question.replace(r#"{"type":"string"}"#, lists),
    );
    dir.program("an editor", "test -t 0 || exit 9\necho '[[1]]' > \"$2\"");
    let mut terminal = on_terminal(dir, "");
    terminal.shows("Enter opens the editor");
    terminal.types(ENTER, "The same answer for the records that follow?");
    let ended = terminal.ends("y");
    assert_eq!(ended.code, "0", "{}", ended.screen);
    assert_eq!(answers(&ended), vec![json!([[1]]); 3]);
}

#[test]
fn what_is_unknown_is_asked_at_the_terminal() {
    let dir = killed();
    let terminal = on_terminal(dir, "--resume journal");
    terminal.shows("The call of record 2 was begun, and nobody knows how it ended");
    terminal.shows("Pass over it");
    let ended = terminal.ends(&format!("{}{ENTER}", DOWN));
    assert_eq!(ended.code, "0");
    assert!(
        ended
            .screen
            .contains("3 records: 1 ended, 0 failed, 2 passed over"),
        "{}",
        ended.screen
    );
}

#[test]
fn an_answer_that_does_not_fit_fails_the_record_alone() {
    let dir = asking();
    let question = fs::read_to_string(dir.path().join("question.json")).unwrap();
    dir.file(
        "question.json",
        question.replace("\"string\"", "\"integer\""),
    );
    let before = "case $call in *'\"q\":'*|*'\"n\":3'*) ;; *) cat question.json; exit ;; esac";
    tool(&dir, "", before);
    let ran = run(&dir, &["--answer", "q=red", "--answer", "p=1"], THREE);
    assert_eq!(ran.code, 1, "{ran:?}");
    let lines = ran.json_lines();
    assert_eq!(lines.len(), 3);
    let text = lines[0]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("the answer to `q` does not fit"), "{text}");
    assert_eq!(numbers(&ran)[2], 3);
    assert!(
        ran.stderr.contains("3 records: 1 ended, 2 failed"),
        "{ran:?}"
    );
    assert!(ran.stderr.contains("`p` was not asked"), "{ran:?}");
}

#[test]
fn not_more_than_64_records_wait_for_an_earlier_line() {
    let dir = Dir::new();
    let before = "echo x >> calls; case $call in *'\"n\":0'*) \
                  until [ -e go ]; do sleep 0.01; done ;; esac";
    tool(&dir, "", before);
    let records = (0..70).map(|n| format!("{{\"n\":{n}}}\n"));
    let mut child = start(&dir, &["--jobs", "2"], &records.collect::<String>());
    wait_for("64 calls", || exists(&dir, "calls") && calls(&dir) >= 64);
    // Nothing tells that no other call is going to come.
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(calls(&dir), 64);
    dir.file("go", "");
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let of =
        |line: std::io::Result<String>| -> Value { serde_json::from_str(&line.unwrap()).unwrap() };
    let numbers: Vec<i64> = arguments(&lines.map(of).collect::<Vec<_>>())
        .iter()
        .map(|arguments| arguments["n"].as_i64().unwrap())
        .collect();
    assert_eq!(numbers, (0..70).collect::<Vec<_>>());
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_terminal_shows_how_far_the_calls_are() {
    let run = "\"$TOOLWIRE\" run --each ./tool";
    for (run, shown) in [
        (format!("{run} < in > out"), "━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌  33 % "),
        (format!("cat in | {run} > out"), "tool  1  "),
    ] {
        let dir = Dir::new();
        second_waits(&dir);
        dir.file("in", THREE);
        let terminal = start_shell(dir, &format!("{run}; echo code=$?"));
        terminal.shows("│ 1 record");
        terminal.shows(shown);
        terminal.dir.file("go", "");
        terminal.shows("3 records: 3 ended, 0 failed");
        terminal.shows("code=0");
    }
}

#[test]
fn ctrl_c_in_a_question_ends_all() {
    let terminal = on_terminal(asking(), "--jobs 2");
    terminal.shows("Which colour?");
    let ended = terminal.ends(CTRL_C);
    assert_eq!(ended.code, "130");
    assert!(answers(&ended).is_empty());
}

#[test]
fn a_signal_cuts_calls_off_and_lines_of_others_are_written() {
    let dir = Dir::new();
    second_waits(&dir);
    let mut child = start(&dir, &["--jobs", "2", "--resume", "journal"], THREE);
    waits(&dir, "waits");
    // The third one has ended, but waits for the second one.
    wait_for("the third record", || calls(&dir) == 3);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains("\"n\":1"));
    signal(&child, "-INT");
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert!(rest.iter().all(|line| line.contains("\"n\":3")), "{rest:?}");
    let mut stderr = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut stderr).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(stderr.contains("cut off"), "{stderr}");
    assert!(!journal(&dir).contains("\"record\":2,\"state\":\"ended\""));
}

/// A tool of a manifest whose arguments stand in its command.
#[test]
fn arguments_of_records_reach_a_plain_tool_of_a_manifest() {
    let dir = Dir::new();
    dir.file(
        "toolwire.toml",
        "[tools.say]\ncommand = ['echo', '-n', '{what}', '{loud?!}']\nparameters.what.type = 'string'\n\
         parameters.loud = { type = 'boolean', default = false }\n",
    );
    let records = "{\"what\":\"a b\"}\n{\"what\":\"c\",\"loud\":true}\n";
    let ran = in_folder(&dir, &["run", "--each", "say"], records);
    assert_eq!(ran.code, 0, "{ran:?}");
    let texts: Vec<Value> = ran
        .json_lines()
        .iter()
        .map(|line| line["content"][0]["text"].clone())
        .collect();
    assert_eq!(texts, [json!("a b"), json!("c !")]);
    let ran = in_folder(&dir, &["run", "--answer", "b=c", "say", "what=a"], "");
    let why =
        "`say` gets no call, because its manifest puts its arguments into `command`, so `--answer`";
    assert!(ran.code == 2 && ran.stderr.contains(why), "{ran:?}");
}
