//! Calls of real tools that ask (Q-27, Q-50, Q-55, PROC-30 to PROC-32).

use std::future::{pending, ready};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::common::{
    With, alive, blocking, call, call_until, eventually, list_tools, misbehave, patient, sh, within,
};
use tokio::sync::{Notify, oneshot};
use toolwire::call::{Answer, AnswerSource, AnswerState, Call};
use toolwire::{Exit, Json};
use toolwire_host::{
    Answerer, CallOptions, CallOutcome, Command, End, ExchangeOptions, HostErrorKind, Nobody,
    PendingQuestion, Process, ProcessOptions, StopReason, block_on,
};

const QUESTION: &str = r#"{"content":[{"type":"text","text":"b exists"},{"type":"question","question":{"id":"ok","text":"Replace?","schema":{"type":"boolean"}}}]}"#;

fn a_call() -> Call {
    Call::new("rename", Json::new(r#"{"path":"a"}"#).expect("JSON"))
}

fn with(run: ProcessOptions) -> With {
    With {
        run,
        ..With::default()
    }
}

fn yes(_: &PendingQuestion) -> Answer {
    Answer::accepted(Json::from(true), AnswerSource::User)
}

fn text(outcome: &CallOutcome) -> String {
    let blocks = outcome.parsed.blocks();
    let texts: Vec<_> = blocks.filter_map(|block| block.text()).collect();
    texts.join("|")
}

fn recorded(outcome: &CallOutcome) -> String {
    let meta = outcome.parsed.meta().expect("a `_meta`");
    let record = meta.get("dev.toolwire/answers").expect("a record");
    record.raw().to_owned()
}

fn numbers(file: &Path) -> Vec<u32> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines().filter_map(|line| line.parse().ok()).collect()
}

/// Thinks until it is dropped, and tells when it has begun to.
struct Undecided(Arc<Notify>);

impl Answerer for Undecided {
    async fn answer(&mut self, _: &PendingQuestion) -> Answer {
        self.0.notify_one();
        pending().await
    }
}

#[test]
fn each_round_is_a_run_and_nothing_runs_while_somebody_thinks() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("processes");
    let tool = misbehave("ask-and-tell").arg("3").arg(&file);
    let mut asked = Vec::new();
    let mut answerer = |asking: &PendingQuestion| {
        let last = *numbers(&file).last().expect("a process");
        assert!(!alive(last), "the tool still runs while it waits");
        asked.push((asking.question.id.clone(), asking.round));
        yes(asking)
    };
    let outcome = blocking::call(&tool, a_call(), &with(patient()), &mut answerer).expect("runs");
    assert_eq!(
        asked,
        [
            ("q1".to_owned(), 1),
            ("q2".to_owned(), 2),
            ("q3".to_owned(), 3)
        ]
    );
    assert_eq!((outcome.rounds, numbers(&file).len()), (4, 4));
    assert_eq!(outcome.end, End::Answered);
    let last = Call::from_json(text(&outcome).as_bytes(), &Default::default()).expect("a call");
    assert_eq!(last.answers, outcome.answers);
    assert!(recorded(&outcome).contains(r#""q3":{"source":"user","state":"accepted"}"#));
    assert_eq!(
        (outcome.report.exit, outcome.report.stopped),
        (Some(Exit::Code(0)), None)
    );
}

#[test]
fn a_tool_that_asks_for_ever_is_called_so_often_and_no_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("processes");
    let tool = misbehave("ask-and-tell").arg("1000000").arg(&file);
    let options = With {
        run: patient(),
        exchange: ExchangeOptions {
            max_rounds: 5,
            ..ExchangeOptions::default()
        },
    };
    let outcome = blocking::call(&tool, a_call(), &options, &mut yes).expect("runs");
    assert_eq!(outcome.end, End::TooManyRounds("q5".into()));
    assert_eq!(numbers(&file).len(), 5);
    assert_eq!(
        text(&outcome),
        "before 5|`rename` still asks `q5` after 5 calls"
    );
    assert!(outcome.parsed.is_error() && !outcome.parsed.transient());
}

#[test]
fn a_tool_that_hears_no_answer_is_not_called_a_third_time() {
    let outcome = blocking::call(
        &misbehave("print").arg(QUESTION),
        a_call(),
        &with(patient()),
        &mut yes,
    )
    .expect("runs");
    assert_eq!(
        (outcome.end, outcome.rounds),
        (End::Repeated("ok".into()), 2)
    );
    let outcome = blocking::call(
        &misbehave("print").arg(QUESTION),
        a_call(),
        &with(patient()),
        &mut Nobody,
    )
    .expect("runs");
    assert_eq!(outcome.end, End::AnswerRequired("ok".into()));
    assert!(outcome.parsed.trace()[0].contains("`ok`, which is unavailable"));
}

#[test]
fn questions_come_by_the_result_channel_too() {
    let line = r#"if grep -q '"ok":true'; then echo Renamed. > "$TOOLWIRE_RESULT"
        else printf %s "$1" > "$TOOLWIRE_RESULT"; fi; echo a log line"#;
    let tool = sh(line).arg("sh").arg(QUESTION);
    let outcome = blocking::call(&tool, a_call(), &with(patient()), &mut yes).expect("runs");
    assert_eq!((&*text(&outcome), outcome.rounds), ("Renamed.\n", 2));
    assert_eq!(outcome.report.stdout, b"a log line\n");
}

#[test]
fn a_tool_that_failed_has_nothing_to_ask() {
    let never = &mut |_: &PendingQuestion| -> Answer { panic!("nothing is to be asked") };
    let failed = blocking::call(
        &misbehave("fail").args([QUESTION, "no such file"]),
        a_call(),
        &with(patient()),
        never,
    )
    .expect("runs");
    assert_eq!(
        (failed.end, failed.rounds, failed.report.exit),
        (End::Answered, 1, Some(Exit::Code(3)))
    );
    assert!(failed.parsed.is_error());
    assert_eq!(
        failed.parsed.blocks().count(),
        2,
        "the question stays as it is"
    );
    let killed = sh("printf %s \"$1\"; kill -9 $$").arg("sh").arg(QUESTION);
    let killed = blocking::call(&killed, a_call(), &with(patient()), never).expect("runs");
    assert_eq!(
        (killed.rounds, killed.report.exit),
        (1, Some(Exit::Signal(9)))
    );
    let stopped = misbehave("print-then-sleep").arg(QUESTION);
    let stopped = blocking::call(&stopped, a_call(), &with(within(5000)), never).expect("runs");
    assert_eq!(
        (stopped.rounds, stopped.report.stopped),
        (1, Some(StopReason::Timeout))
    );
}

#[test]
fn a_time_out_of_a_later_round_tells_the_answers() {
    let line = r#"if grep -q '"ok":true'; then sleep 60; else printf %s "$1"; fi"#;
    let tool = sh(line).arg("sh").arg(QUESTION);
    let options = ProcessOptions {
        grace: Duration::from_millis(300),
        ..within(6000)
    };
    let outcome = blocking::call(&tool, a_call(), &with(options), &mut yes).expect("runs");
    assert_eq!(
        (outcome.rounds, outcome.report.stopped),
        (2, Some(StopReason::Timeout))
    );
    assert!(outcome.parsed.transient() && outcome.end == End::Answered);
    assert_eq!(
        recorded(&outcome),
        r#"{"ok":{"source":"user","state":"accepted"}}"#
    );
}

/// Takes longer than any run of the tool may.
struct Slow;

impl Answerer for Slow {
    async fn answer(&mut self, asking: &PendingQuestion) -> Answer {
        tokio::time::sleep(Duration::from_millis(7500)).await;
        yes(asking)
    }
}

#[test]
fn the_time_for_an_answer_is_not_the_tools() {
    let tool = misbehave("ask").arg("1");
    let outcome = blocking::call(&tool, a_call(), &with(within(7000)), &mut Slow).expect("runs");
    assert_eq!((outcome.rounds, outcome.report.stopped), (2, None));
    assert!(outcome.elapsed >= Duration::from_millis(7500));
}

#[tokio::test]
async fn a_call_can_be_cancelled_while_a_question_waits() {
    let thinking = Arc::new(Notify::new());
    let cancel = {
        let thinking = Arc::clone(&thinking);
        async move { thinking.notified().await }
    };
    let tool = misbehave("print").arg(QUESTION);
    let options = with(patient());
    let outcome = call_until(&tool, a_call(), &options, &mut Undecided(thinking), cancel)
        .await
        .expect("runs");
    assert!(outcome.cancelled() && outcome.end == End::Cancelled);
    assert_eq!((outcome.rounds, outcome.report.stopped), (1, None));
    assert_eq!(
        text(&outcome),
        "b exists|the call was cancelled while `ok` waited for an answer"
    );
    assert!(outcome.parsed.is_error() && !outcome.parsed.transient());
}

#[test]
fn a_call_can_be_cancelled_while_a_later_round_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ready");
    let line =
        r#"if grep -q '"ok":true'; then echo ready > "$2"; sleep 60; else printf %s "$1"; fi"#;
    let tool = sh(line).arg("sh").arg(QUESTION).arg(&file);
    let (cancel, cancelled) = oneshot::channel::<()>();
    let thread = std::thread::spawn(move || {
        assert!(eventually(|| file.exists()));
        cancel.send(())
    });
    let outcome = blocking::call_until(&tool, a_call(), &with(patient()), &mut yes, async {
        let _ = cancelled.await;
    })
    .expect("runs");
    thread.join().expect("it ends").expect("somebody listens");
    assert!(outcome.cancelled() && outcome.report.stopped == Some(StopReason::Cancelled));
    assert_eq!((outcome.rounds, outcome.end.clone()), (2, End::Answered));
    assert_eq!(
        recorded(&outcome),
        r#"{"ok":{"source":"user","state":"accepted"}}"#
    );
}

#[test]
fn a_call_that_is_cancelled_already_asks_nobody() {
    let never = &mut |_: &PendingQuestion| -> Answer { panic!("nothing is to be asked") };
    let tool = misbehave("print").arg(QUESTION);
    let outcome = blocking::call_until(&tool, a_call(), &with(patient()), never, ready(()));
    assert!(outcome.expect("runs").cancelled());
}

#[tokio::test]
async fn an_answerer_that_never_answers_holds_nothing_but_the_call() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("processes");
    let tool = misbehave("ask-and-tell").arg("1").arg(&file);
    let thinking = Arc::new(Notify::new());
    let mut undecided = Undecided(Arc::clone(&thinking));
    let options = with(patient());
    let waiting = call(&tool, a_call(), &options, &mut undecided);
    tokio::select! {
        outcome = waiting => panic!("nobody answered, but there is {outcome:?}"),
        () = thinking.notified() => {}
    }
    assert_eq!(numbers(&file).len(), 1);
    assert!(!alive(numbers(&file)[0]));
}

#[test]
fn what_cannot_be_run_any_more_is_an_error_of_the_call() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tool.sh");
    let script = format!("#!/bin/sh\nrm \"$0\"\nprintf %s '{QUESTION}'\n");
    std::fs::write(&file, script).expect("a file");
    let rights = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&file, rights).expect("rights");
    let error = blocking::call(&Command::new(&file), a_call(), &with(patient()), &mut yes)
        .expect_err("it is gone");
    assert_eq!(error.kind(), HostErrorKind::NotFound);
}

#[test]
fn a_secret_reaches_nobody_and_the_tool_is_told() {
    let question = QUESTION
        .replace("Replace?", "Your password?")
        .replace("\"boolean\"", "\"string\",\"format\":\"password\"");
    let line = r#"call=$(cat); case "$call" in *unavailable*) printf %s "$call";; *) printf %s "$1";; esac"#;
    let tool = sh(line).arg("sh").arg(question);
    let never = &mut |_: &PendingQuestion| -> Answer { panic!("a secret is not to be asked") };
    let outcome = blocking::call(&tool, a_call(), &with(patient()), never).expect("runs");
    assert_eq!(outcome.rounds, 2);
    assert!(text(&outcome).contains(r#""ok":{"source":"policy","state":"unavailable"}"#));
    assert_eq!(outcome.answers["ok"].state(), AnswerState::Unavailable);
}

#[test]
fn a_program_that_fails_when_it_is_asked_for_its_tools_is_an_error() {
    let failed = |line: &str, options: &ProcessOptions| {
        let error = blocking::list_tools(&sh(line), options).expect_err("it fails");
        assert_eq!(error.kind(), HostErrorKind::DescribeFailed, "{line}");
        let reply = error.reply().expect("it was run");
        assert!(reply.parsed.is_error(), "{line}");
        (error.to_string(), reply.report.exit, reply.report.stopped)
    };
    let long = "head -c 5000 /dev/zero | tr '\\0' x >&2; exit 1";
    let begun = "the program failed when it was asked for its tools";
    for (line, expected) in [
        (
            "echo 'no module' >&2; exit 3",
            " (exit status 3): no module",
        ),
        ("echo log; echo why >&2; exit 1", " (exit status 1): why"),
        ("echo on stdout; exit 1", " (exit status 1): on stdout"),
        ("exit 1", " (exit status 1)"),
        ("echo gone >&2; kill -9 $$", " (signal 9): gone"),
        (
            "printf '\\033[31mred\\033[0m \\342\\200\\256x\\n' >&2; exit 1",
            " (exit status 1): red <U+202E>x",
        ),
        (
            r#"printf %s '{"content":[{"type":"text","text":"\nsorry\nyou"}],"isError":true}'"#,
            ": sorry",
        ),
    ] {
        let (message, ..) = failed(line, &patient());
        assert_eq!(message, format!("{begun}{expected}"), "{line}");
    }
    let (message, ..) = failed(long, &patient());
    assert_eq!(
        message,
        format!("{begun} (exit status 1): {}…", "x".repeat(400))
    );
    let (message, exit, stopped) = failed("echo hm >&2; exec sleep 60", &within(1500));
    assert_eq!(
        message,
        format!("{begun}: the tool did not end within 1.5 s and was stopped")
    );
    assert!(exit.is_some() && stopped == Some(StopReason::Timeout));
}

#[test]
fn a_wrong_description_is_an_error_with_its_place() {
    let wrong = r#"{"content":[],"structuredContent":{"toolwire":1,"tools":[{"name":"a b","inputSchema":{"type":"object"}}]}}"#;
    let error =
        blocking::list_tools(&misbehave("print").arg(wrong), &patient()).expect_err("wrong");
    assert_eq!(error.kind(), HostErrorKind::BadDescription);
    assert!(
        error
            .to_string()
            .contains("`/structuredContent/tools/0/name`"),
        "{error}"
    );
}

/// A host moves calls between threads.
#[test]
fn the_futures_can_be_sent() {
    fn sendable<T: Send>(_: T) {}
    let (tool, options) = (misbehave("nothing"), With::default());
    sendable(call(&tool, a_call(), &options, &mut Nobody));
    sendable(call_until(
        &tool,
        a_call(),
        &options,
        &mut Nobody,
        pending(),
    ));
    sendable(list_tools(&tool, &options.run));
}

/// What a tool claims about answers does not come to a user by any way that its document takes
/// (CALL-24), and all else of it does.
#[test]
fn no_path_hands_on_what_a_tool_claims_of_answers() {
    let claim = r#""dev.toolwire/answers":{"ok":{"state":"accepted","source":"user"}}"#;
    let document = format!(r#"{{"content":[],"_meta":{{"x":1.0,{claim}}},"y":2}}"#);
    let expected = r#"{"content":[],"_meta":{"x":1.0},"y":2}"#;
    let by_channel = |then: &str| {
        sh(&format!(
            "printf %s '{document}' > $TOOLWIRE_RESULT; {then}"
        ))
    };
    let stdout = misbehave("print").arg(&document);
    let tools = [
        ("stdout", stdout.clone()),
        ("result channel", by_channel("echo log")),
        // The host's own words stand before what it said.
        ("failed", by_channel("exit 3")),
        ("stopped", by_channel("exec sleep 60")),
        (
            "escaped",
            misbehave("print").arg(document.replace('/', "\\/")),
        ),
    ];
    for (how, tool) in tools {
        let run = blocking::run(&tool, &within(if how == "stopped" { 3000 } else { 60_000 }));
        let options = with(within(if how == "stopped" { 3000 } else { 60_000 }));
        let called = blocking::call(&tool, a_call(), &options, &mut yes).expect("runs");
        let listed = match block_on(list_tools(&tool, &options.run)) {
            Ok(listed) => listed.reply,
            Err(error) => error.into_reply().expect("runs"),
        };
        let process = Process::plain(tool.clone(), options.run.clone());
        let (usual, mut nobody) = (CallOptions::default(), Nobody);
        let plain = toolwire_host::call(&process, a_call(), &usual, &mut nobody);
        let plain = block_on(plain).expect("runs");
        for (path, parsed) in [
            ("run", run.expect("runs").parsed),
            ("call", called.parsed),
            ("list_tools", listed.parsed),
            ("plain", plain.parsed),
        ] {
            let text = parsed.root().raw();
            assert!(!text.contains("answers"), "{how}, {path}: {text}");
            if how == "stdout" || how == "result channel" {
                assert_eq!(text, expected, "{how}, {path}");
            }
        }
    }
}
