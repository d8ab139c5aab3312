//! A program of several tools as a host sees it: a process with a call on its stdin.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use toolwire_author::toolwire::{self, Limits};

fn program() -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.join("examples")
        .join(format!("several{}", std::env::consts::EXE_SUFFIX))
}

fn start(stdin: &str, set: impl FnOnce(&mut Command)) -> Output {
    let mut command = Command::new(program());
    command
        .env_remove("TOOLWIRE_RESULT")
        .env("TOOLWIRE_CALL", "stdin")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    set(&mut command);
    let mut child = command.spawn().unwrap();
    // A program that prints help need not read its stdin.
    let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
    child.wait_with_output().unwrap()
}

fn document(tool: &str, arguments: &str, rest: &str) -> String {
    format!(
        r#"{{"tool":{{"name":"{tool}","arguments":{arguments}{rest}}},"context":{{"action":"run","root":"/project"}}}}"#
    )
}

/// The answer's text, which is all that stdout may hold, and the exit status.
fn call(tool: &str, arguments: &str, rest: &str) -> (String, i32) {
    let output = start(&document(tool, arguments, rest), |_| {});
    let text = String::from_utf8(output.stdout).unwrap();
    let line = text.strip_suffix('\n').expect("one line").to_owned();
    assert!(
        toolwire::validate(line.as_bytes(), &Limits::default()).is_ok(),
        "{line}"
    );
    (line, output.status.code().unwrap())
}

#[test]
fn an_answer_is_one_line_in_the_order_of_its_type() {
    assert_eq!(
        call("count", r#"{"text":"a bb a","least":1}"#, ""),
        (
            r#"{"content":[],"structuredContent":{"words":{"a":2,"bb":1},"total":3}}"#.into(),
            0
        )
    );
    assert_eq!(
        call("squares", "{}", "").0,
        r#"{"content":[],"structuredContent":{"result":[1,4,9]}}"#
    );
    assert!(
        call("resource", "{}", "")
            .0
            .contains("file:///project/a.rs")
    );
}

#[test]
fn what_is_printed_goes_to_stderr_children_included() {
    let output = start(&document("noisy", "{}", ""), |_| {});
    let answer = r#"{"content":[{"text":"clean","type":"text"}]}"#;
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        format!("{answer}\n")
    );
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(
        log.contains("a print of the author's") && log.contains("a child's"),
        "{log}"
    );
}

#[test]
fn with_a_result_channel_stdout_is_log() {
    let file = std::env::temp_dir().join(format!("toolwire-author-{}", std::process::id()));
    std::fs::write(&file, "what was there before is not part of the answer").unwrap();
    let output = start(&document("noisy", "{}", ""), |command| {
        command.env("TOOLWIRE_RESULT", &file);
    });
    let answer = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(answer, r#"{"content":[{"text":"clean","type":"text"}]}"#);
    let log = String::from_utf8(output.stdout).unwrap();
    assert!(
        log.contains("a print of the author's") && log.contains("a child's"),
        "{log}"
    );
}

/// What it says, and what a program that it starts says; nothing of it is in the answer.
#[cfg(unix)]
#[test]
fn what_a_tool_says_is_in_the_file_of_events() {
    let name = format!("toolwire-author-events-{}", std::process::id());
    let file = std::env::temp_dir().join(name);
    std::fs::write(&file, "").unwrap();
    let answer = |events: &std::path::Path| {
        let output = start(&document("says", "{}", ""), |command| {
            command.env("TOOLWIRE_EVENTS", events);
        });
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let said = "{\"content\":[{\"text\":\"said\",\"type\":\"text\"}]}\n";
    assert_eq!(answer(&file), said);
    let lines = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(
        lines.lines().collect::<Vec<_>>(),
        [
            r#"{"done":1,"message":"half","total":2,"type":"progress"}"#,
            r#"{"level":"info","message":"one\ntwo","type":"log"}"#,
            r#"{"level":"warning","logger":"db","message":"cold","type":"log"}"#,
            r#"{"type":"progress","done":2}"#,
        ]
    );
    // Nothing to write to: that is not the tool's affair, and a file that is gone is not made anew.
    for nowhere in ["", "/", "/no/such/folder/events"] {
        assert_eq!(answer(nowhere.as_ref()), said, "{nowhere:?}");
    }
    assert_eq!(call("says", "{}", "").0, said.trim_end());
}

/// A child that is itself such a program would answer into the channel of its parent.
#[test]
fn a_program_that_a_tool_starts_is_not_called_by_its_host() {
    let expected = r#"{"content":[{"text":"[None, None] {\"content\":[],\"structuredContent\":{\"result\":[1,4,9]}}","type":"text"}]}"#;
    assert_eq!(call("starts", "{}", "").0, expected);
    let file = std::env::temp_dir().join(format!("toolwire-author-child-{}", std::process::id()));
    let output = start(&document("starts", "{}", ""), |command| {
        command.env("TOOLWIRE_RESULT", &file);
    });
    assert_eq!(std::fs::read_to_string(&file).unwrap(), expected);
    assert!(output.stdout.is_empty() && output.stderr.is_empty());
    // Where the environment can't be changed any more, it is told, and the answer stands.
    if cfg!(target_os = "linux") {
        let output = start(&document("starts", "{}", ""), |command| {
            command
                .env("WITH_A_THREAD", "1")
                .env("TOOLWIRE_RESULT", &file);
        });
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains("call `Program::main` before"), "{told}");
        let answer = std::fs::read_to_string(&file).unwrap();
        assert!(answer.contains("Some"), "{answer}");
    }
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn failures_are_envelopes_and_statuses() {
    let (panicked, status) = call("failing", r#"{"how":"panic"}"#, "");
    assert_eq!(
        panicked,
        r#"{"content":[{"text":"Began.","type":"text"},{"text":"the tool panicked: no luck today","type":"text"}],"isError":true}"#
    );
    assert_eq!(status, 1);
    assert_eq!(
        call("failing", r#"{"how":"timeout"}"#, "").0,
        r#"{"_meta":{"computer.jp/error":{"trace":["no answer in 5 s"],"transient":true}},"content":[{"text":"Began.","type":"text"},{"text":"the page can't be read","type":"text"}],"isError":true}"#
    );
    let (missing, _) = call("failing", r#"{"how":"missing"}"#, "");
    assert!(
        missing.contains("No such file or directory") && !missing.contains("transient"),
        "{missing}"
    );
    assert!(
        call("failing", r#"{"how":"own"}"#, "")
            .0
            .contains("the printer is on fire")
    );
}

#[test]
fn arguments_that_do_not_fit_are_named() {
    for (arguments, message) in [
        ("{}", "`text` is missing"),
        (r#"{"text":1}"#, "`/text`: `text` must be a string, not `1`"),
        (
            r#"{"text":"a","last":1}"#,
            "`/last`: `last` is not expected",
        ),
    ] {
        let (answer, status) = call("count", arguments, "");
        assert!(answer.contains(message), "{answer}");
        assert_eq!(status, 1);
    }
}

#[test]
fn asking_ends_the_run_and_the_answer_comes_back() {
    let arguments = r#"{"path":"/no/such","to":"/no/other"}"#;
    let (asked, status) = call("rename", arguments, "");
    assert_eq!(
        asked,
        r#"{"content":[{"question":{"default":true,"id":"confirm","schema":{"type":"boolean"},"text":"Rename /no/such to /no/other?"},"type":"question"}]}"#
    );
    assert_eq!(status, 0);
    let (answer, _) = call("rename", arguments, r#","answers":{"confirm":false}"#);
    assert!(answer.contains("Left as it was."));
    // Declined: the question again, so that the host ends the call.
    let declined =
        r#","answers":{},"dev.toolwire/answers":{"confirm":{"state":"declined","source":"user"}}"#;
    assert_eq!(call("rename", arguments, declined).0, asked);
    let (wrong, _) = call("rename", arguments, r#","answers":{"confirm":"yes"}"#);
    assert!(
        wrong.contains("the answer to `confirm` does not fit"),
        "{wrong}"
    );
}

/// With `anyhow` and with boxed errors: a question is a question, a failure has its causes.
#[test]
fn functions_fail_with_the_errors_of_their_choice() {
    for tool in ["anyhow", "boxed"] {
        let (asked, status) = call(tool, "{}", "");
        assert!(asked.contains(r#""type":"question""#), "{asked}");
        assert_eq!(status, 0);
        let (failed, status) = call(tool, "{}", r#","answers":{"go":true}"#);
        assert!(failed.contains("No such file or directory"), "{failed}");
        assert_eq!(status, 1);
        let (busy, _) = call(tool, "{}", r#","answers":{"go":false}"#);
        let expected = r#"{"_meta":{"computer.jp/error":{"transient":true}},"content":[{"text":"busy","type":"text"}],"isError":true}"#;
        assert_eq!(busy, expected);
    }
    let (failed, _) = call("anyhow", "{}", r#","answers":{"go":true}"#);
    assert_eq!(
        failed,
        r#"{"_meta":{"computer.jp/error":{"trace":["No such file or directory (os error 2)"]}},"content":[{"text":"`/no/such/file` can't be read","type":"text"}],"isError":true}"#
    );
}

#[test]
fn several_questions_are_asked_together_and_states_are_told() {
    let (asked, _) = call("interview", "{}", "");
    let parsed = toolwire::parse(asked.as_bytes().to_vec(), &Limits::default());
    let ids: Vec<String> = parsed
        .blocks()
        .filter_map(|block| block.question().map(|question| question.id.into_owned()))
        .collect();
    assert_eq!(ids, ["colours", "name"]);
    let answers = r#","answers":{"name":"Ada","colours":["red"],"address":{"street":"Main"}},
        "dev.toolwire/answers":{"size":{"state":"unavailable"},"copies":{"state":"cancelled"}}"#;
    assert_eq!(
        call("interview", "{}", answers).0,
        r#"{"content":[{"text":"Some questions.","type":"text"},{"text":"Ada, [\"red\"], M, cancelled None, Main None","type":"text"}]}"#
    );
}

#[test]
fn options_come_from_the_host() {
    let given = r#","options":{"endpoint":"https://example.org"}"#;
    assert!(
        call("endpoint", "{}", given)
            .0
            .contains("https://example.org")
    );
    assert!(
        call("endpoint", "{}", "")
            .0
            .contains("the options do not fit")
    );
}

#[test]
fn other_actions_do_not_do_the_job() {
    let formatted = r#"{"tool":{"name":"rename","arguments":{"path":"a","to":"b"}},"context":{"action":"format_arguments"}}"#;
    let output = start(formatted, |_| {});
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "{\"content\":[{\"text\":\"a → b\",\"type\":\"text\"}]}\n"
    );
    let formatted = formatted.replace("rename", "noisy");
    let output = start(&formatted, |_| {});
    assert_eq!(output.stdout, b"{\"content\":[]}\n");
    assert!(output.stderr.is_empty());
}

#[test]
fn tools_describe_themselves() {
    let output = start(r#"{"tool":{},"context":{"action":"describe"}}"#, |_| {});
    let parsed = toolwire::parse(output.stdout, &Limits::default());
    let tools = toolwire::call::read_description(&parsed).unwrap().unwrap();
    assert_eq!(tools.len(), 16);
    assert_eq!(
        tools[0].to_json(),
        r#"{"_meta":{"dev.toolwire/warm":true},"annotations":{"destructiveHint":true},"description":"Rename a file.\n\nAsks before it does.","inputSchema":{"additionalProperties":false,"properties":{"path":{"description":"The file.","type":"string"},"to":{"description":"Its new name.","type":"string"}},"required":["path","to"],"type":"object"},"name":"rename","title":"Rename"}"#
    );
    let count = tools[1].to_json();
    assert!(count.contains(r#""least":{"default":1,"description":"Words of at least so many characters.","minimum":0,"type":"integer"}"#), "{count}");
    assert!(count.contains(r#""outputSchema":{"#), "{count}");
    let squares = tools[2].to_json();
    assert!(squares.contains(r#""properties":{"result":{"items":{"minimum":0,"type":"integer"},"type":"array"}},"required":["result"]"#), "{squares}");
}

#[test]
fn without_a_call_a_person_is_told_how_to_run_it() {
    let output = start(" \n", |command| {
        command.env_remove("TOOLWIRE_CALL");
    });
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let help = String::from_utf8(output.stderr).unwrap();
    assert!(
        help.contains("toolwire run") && help.contains("rename path=… to=…"),
        "{help}"
    );
    // A host that sets no variable is answered all the same.
    let output = start(&document("squares", "{}", ""), |command| {
        command.env_remove("TOOLWIRE_CALL");
    });
    assert_eq!(output.status.code(), Some(0));
    // Nor do words count that nobody agreed on, nor an empty path of a result channel.
    let output = start(" \n", |command| {
        command.env("TOOLWIRE_CALL", "file");
    });
    assert_eq!(output.status.code(), Some(2));
    let output = start(&document("squares", "{}", ""), |command| {
        command.env("TOOLWIRE_RESULT", "");
    });
    assert!(output.stdout.starts_with(b"{") && output.stdout.ends_with(b"\n"));
    // A host that says that there is a call, and gives none, is told so.
    let output = start("", |_| {});
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("the call can't be read")
    );
}

#[test]
fn an_answer_that_nobody_reads_is_told_on_stderr() {
    let output = start(&document("squares", "{}", ""), |command| {
        command.env("TOOLWIRE_RESULT", "/no/such/folder/answer");
    });
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("the answer can't be written")
    );
}

#[test]
fn integers_keep_their_digits_and_are_told_on_stderr() {
    let row = concat!(
        r#"{"id":-1234567890123456789,"most":18446744073709551615,"#,
        r#""wide":-12345678901234567890123,"any":18446744073709551615,"#,
        r#""exact":123456789012345678901234567890}"#
    );
    let output = start(&document("row", row, ""), |_| {});
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        format!("{{\"content\":[],\"structuredContent\":{row}}}\n")
    );
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        stderr.contains(
            "toolwire: the number `-1234567890123456789` is past 2^53, at `/structuredContent/id`"
        ),
        "{stderr}"
    );
}

/// AUTH-73, AUTH-34, AUTH-26: a misspelt name is reported, and not dropped.
#[test]
fn a_misspelt_member_is_refused_at_every_level() {
    let text = |tool: &str, arguments: &str, rest: &str| {
        let (answer, _) = call(tool, arguments, rest);
        let answer = toolwire::Envelope::from_json(&answer).unwrap();
        let toolwire::Block::Text(block) = &answer.content[0] else {
            panic!("{answer:?}");
        };
        block.text.clone()
    };
    let fine = r#"{"title":"Hey","breaking":true,"by":{"name":"Ada","age":36},"change":{"kind":"moved","to":"b"}}"#;
    let read = text("notes", fine, "");
    assert!(
        read.contains("breaking: true") && read.contains(r#""age": Number(36)"#),
        "{read}"
    );
    for (arguments, misfit) in [
        (
            r#"{"title":"Hey","braking":true}"#,
            "`/braking`: `braking` is not expected; did you mean `breaking`?",
        ),
        (
            r#"{"title":"Hey","change":{"kind":"text","lines":1,"lnes":2}}"#,
            "`/change/lnes`: `change.lnes` is not expected",
        ),
        (
            r#"{"title":"Hey","change":{"kind":"moved","too":"b"}}"#,
            "`/change/too`: `change.too` is not expected; did you mean `to`?",
        ),
    ] {
        let told = text("notes", arguments, "");
        assert_eq!(
            told,
            format!("the arguments of `notes` do not fit: {misfit}")
        );
        let told = text(
            "asks_notes",
            "{}",
            &format!(r#","answers":{{"notes":{arguments}}}"#),
        );
        assert_eq!(
            told,
            format!("the answer to `notes` does not fit: {misfit}")
        );
    }
}

#[test]
fn what_is_expected_to_go_wrong_is_told_as_it_is() {
    let answer = |how: &str| call("refuses", &format!(r#"{{"how":"{how}"}}"#), "").0;
    assert_eq!(
        answer("no branch"),
        r#"{"content":[{"text":"there is no such branch","type":"text"}],"isError":true}"#
    );
    assert_eq!(
        answer("busy"),
        r#"{"_meta":{"computer.jp/error":{"transient":true}},"content":[{"text":"busy","type":"text"}],"isError":true}"#
    );
    assert_eq!(
        answer("wrapped"),
        r#"{"_meta":{"computer.jp/error":{"trace":["locked"],"transient":true}},"content":[{"text":"nothing is committed","type":"text"}],"isError":true}"#
    );
    let output = start(&document("refuses", r#"{"how":"busy"}"#, ""), |_| {});
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

/// A program that never calls `main` reports that, and prints no help.
#[test]
fn a_program_that_never_answers_says_so() {
    let said = "toolwire: the program has tools and never calls `Program::main`; return what it gives from `main`\n";
    let output = start(&document("squares", "{}", ""), |command| {
        command.env("NEVER_ANSWERS", "1");
    });
    assert_eq!(String::from_utf8(output.stderr).unwrap(), said);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    let output = start("", |command| {
        command
            .env("NEVER_ANSWERS", "1")
            .env_remove("TOOLWIRE_CALL");
    });
    assert_eq!(String::from_utf8(output.stderr).unwrap(), said);
    assert_eq!(output.status.code(), Some(0));
}

/// A host sees what the program is before it starts it, symbols or not.
#[test]
fn the_program_carries_the_marker_of_binaries() {
    use toolwire::call::{Marker, find_marker};
    let of = |path: &std::path::Path| find_marker(std::fs::File::open(path).unwrap()).unwrap();
    assert_eq!(of(&program()), Some(Marker::Binary));
    // This test uses the library too, but does not answer calls.
    assert_eq!(of(&std::env::current_exe().unwrap()), None);
    let stripped = std::env::temp_dir().join(format!("toolwire-stripped-{}", std::process::id()));
    let strip = Command::new("strip")
        .arg("-o")
        .arg(&stripped)
        .arg(program())
        .status();
    if strip.is_ok_and(|status| status.success()) {
        let marker = of(&stripped);
        let _ = std::fs::remove_file(&stripped);
        assert_eq!(marker, Some(Marker::Binary));
    }
}
