//! Sessions over the line transport, with real programs that behave as badly as programs do (LINE-20 to LINE-46).

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::common::ran_alone;
use tokio::time::timeout;
use toolwire::Json;
use toolwire::call::{Answer, AnswerSource, Call};
use toolwire::session::EndReason;
use toolwire_host::{
    Command, LineSession, ProcessOptions, Running, SessionStart, SessionTransport, ToolRequest,
    ToolUpdate,
};

/// Longer than anything takes that works, on any machine.
const PATIENCE: Duration = Duration::from_secs(50);

/// What every script begins with.
const HELLO: &str =
    r#"read -r hello; echo '{"type":"hello","toolwire":1,"version":1}'; read -r call;"#;

fn sh(script: &str) -> LineSession {
    let command = Command::new("sh").args(["-c", script]);
    LineSession::new(command, ProcessOptions::default())
}

/// A script that has said hello and read its call.
fn greeted(script: &str) -> LineSession {
    sh(&format!("{HELLO}{script}"))
}

fn python(script: &str) -> LineSession {
    let command = Command::new("python3").args(["-c", script]);
    LineSession::new(command, ProcessOptions::default())
}

fn start(session: &LineSession, grace: Duration) -> Running {
    let mut arguments = SessionStart::new(Call::new("t", Json::new("{}").unwrap()));
    arguments.grace = grace;
    session.start(arguments)
}

/// Runs a future where several threads can.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(future)
}

/// Runs a session while the host does something with it.
fn run<T>(session: &LineSession, host: impl AsyncFnOnce(&mut Running) -> T) -> T {
    run_with(session, Duration::from_secs(2), host)
}

fn run_with<T>(
    session: &LineSession,
    grace: Duration,
    host: impl AsyncFnOnce(&mut Running) -> T,
) -> T {
    block_on(async {
        let mut running = start(session, grace);
        let driver = std::mem::replace(&mut running.driver, Box::pin(async {}));
        let driver = tokio::spawn(driver);
        let value = timeout(PATIENCE, host(&mut running))
            .await
            .expect("it hangs");
        drop(running);
        timeout(PATIENCE, driver)
            .await
            .expect("the driver hangs")
            .unwrap();
        value
    })
}

async fn next(running: &mut Running) -> ToolUpdate {
    running.updates.recv().await.expect("more is told")
}

/// All that is told up to the end, and the end.
async fn rest(running: &mut Running) -> (Vec<ToolUpdate>, ToolUpdate) {
    let mut all = Vec::new();
    loop {
        match next(running).await {
            end @ (ToolUpdate::Exit(_) | ToolUpdate::Crash(_)) => {
                assert!(
                    running.updates.recv().await.is_none(),
                    "something follows the end"
                );
                return (all, end);
            }
            told => all.push(told),
        }
    }
}

fn texts(told: &[ToolUpdate]) -> Vec<String> {
    let outputs = told.iter().filter_map(|told| match told {
        ToolUpdate::Output(blocks) => Some(blocks),
        _ => None,
    });
    let text = |block: &Json| block.at("/text").unwrap().to_value().unwrap();
    outputs.flatten().map(text).collect()
}

fn crash(end: ToolUpdate) -> String {
    match end {
        ToolUpdate::Crash(why) => why,
        other => panic!("no crash: {other:?}"),
    }
}

fn is_exit(end: &ToolUpdate, status: i64) -> bool {
    matches!(end, ToolUpdate::Exit(other) if *other == status)
}

/// Whether a process is there. One that has ended and waits for whoever started it is not.
fn is_alive(process: &str) -> bool {
    let state = fs::read_to_string(format!("/proc/{process}/stat"));
    state.is_ok_and(|stat| !stat.contains(") Z "))
}

fn dies(process: &str) {
    let until = Instant::now() + PATIENCE;
    while is_alive(process) {
        assert!(Instant::now() < until, "{process} is left");
        std::thread::sleep(Duration::from_millis(10));
    }
}

const BLOCK: &str = r#"{"type":"output","call":1,"blocks":[{"type":"text","text":"hello"}]}"#;

#[test]
fn a_session_says_things_asks_gets_answers_and_input_and_ends_with_a_result() {
    let session = python(
        r#"
import json, os, sys
def say(**line): print(json.dumps(line), flush=True)
assert json.loads(input())["versions"] == [1]
assert os.environ["TOOLWIRE_CALL"] == "lines"
assert "TOOLWIRE_RESULT" not in os.environ and "TOOLWIRE_EVENTS" not in os.environ
say(type="hello", toolwire=1, version=1)
call = json.loads(input())
assert call["session"] is True and call["call"] == 1
assert call["document"]["tool"]["name"] == "t"
say(type="event", call=1, event={"type": "progress", "done": 1})
say(type="stderr", call=1, text="printed\n")
say(type="later", call=1)
say(type="question", call=1, question={"id": "q", "text": "Go on?", "schema": {"type": "boolean"}}, person=True)
answer = json.loads(input())
assert answer == {"type": "answer", "call": 1, "id": "q", "answer": {"state": "accepted", "source": "user", "value": True}}, answer
assert json.loads(input()) == {"type": "input", "call": 1, "input": {"text": "a\nb"}}
say(type="output", call=1, blocks=[{"type": "text", "text": "one"}])
say(type="output", call=7, blocks=[{"type": "text", "text": "of another call"}])
say(type="result", call=1, envelope={"content": [{"type": "text", "text": "two"}, {"type": "question", "id": "q", "text": "?", "schema": {}}], "isError": True})
sys.stdin.read()
"#,
    );
    run(&session, async |running| {
        assert!(matches!(next(running).await, ToolUpdate::Event(_)));
        assert!(matches!(next(running).await, ToolUpdate::Stderr(text) if text == b"printed\n"));
        let ToolUpdate::Question { question, person } = next(running).await else {
            panic!("it asks");
        };
        assert!(question.id == "q" && person);
        let answer = Answer::accepted(Json::from(true), AnswerSource::User);
        let id = question.id;
        running
            .requests
            .send(ToolRequest::Answer { id, answer })
            .await
            .unwrap();
        let input = Json::new(r#"{"text":"a\nb"}"#).unwrap();
        running
            .requests
            .send(ToolRequest::Input(input))
            .await
            .unwrap();
        let (told, end) = rest(running).await;
        assert_eq!(texts(&told), ["one", "two"]);
        assert!(is_exit(&end, 1), "{end:?}");
    });
}

#[test]
fn a_session_may_end_without_a_result_and_its_status_counts() {
    for (script, status) in [(format!("echo '{BLOCK}'"), 0), ("exit 3".to_owned(), 3)] {
        let (told, end) = run(&greeted(&script), async |running| rest(running).await);
        assert_eq!(told.len(), usize::from(status == 0));
        assert!(is_exit(&end, status), "{end:?}");
    }
    let (_, end) = run(&greeted("kill -s SEGV $$"), async |running| {
        rest(running).await
    });
    assert_eq!(crash(end), "the tool was ended by signal 11");
}

#[test]
fn a_tool_that_fails_is_told_with_its_last_words() {
    let words = |told: &[ToolUpdate]| texts(told).join("|");
    let full = "echo 'fatal: the disk is full' >&2";
    let (told, end) = run(
        &greeted(&format!("echo '{BLOCK}'; {full}; exit 3")),
        async |running| rest(running).await,
    );
    assert!(is_exit(&end, 3), "{end:?}");
    assert_eq!(
        words(&told),
        "hello|its last words on stderr:\nfatal: the disk is full"
    );
    // A crash, and a program that does not even say hello.
    for script in [
        greeted(&format!("{full}; kill -9 $$")),
        sh(&format!("{full}; exit 1")),
    ] {
        let (told, end) = run(&script, async |running| rest(running).await);
        crash(end);
        assert!(words(&told).ends_with("the disk is full"), "{told:?}");
    }
    // Only the end is kept, from the begin of a line.
    let flood = "i=0; while [ $i -lt 2000 ]; do echo line $i >&2; i=$((i+1)); done; exit 1";
    let (told, _) = run(&greeted(flood), async |running| rest(running).await);
    let said = words(&told);
    assert!(said.len() < 5000 && said.ends_with("\nline 1999"), "{said}");
    assert!(said.contains("stderr:\nline 1"), "{said}");
    // One that succeeds, and one that has said itself what went wrong, is not told so.
    let result = r#"{"type":"result","call":1,"envelope":{"content":[],"isError":true}}"#;
    for script in [full.to_owned(), format!("{full}; echo '{result}'")] {
        let (told, _) = run(&greeted(&script), async |running| rest(running).await);
        assert_eq!(words(&told), "");
    }
}

#[test]
fn a_tool_that_dies_in_the_middle_of_a_line_has_said_what_came_before() {
    let script = format!("echo '{BLOCK}'; printf '{{\"type\":\"output\",\"ca'; kill -9 $$");
    let (told, end) = run(&greeted(&script), async |running| rest(running).await);
    assert_eq!(texts(&told), ["hello"]);
    assert_eq!(crash(end), "the tool was ended by signal 9");
}

#[test]
fn a_line_without_an_end_is_read_up_to_the_limit() {
    let mut session =
        greeted("echo $$ >&2; while :; do printf aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done");
    session.options.max_output = 100_000;
    let (told, end) = run(&session, async |running| rest(running).await);
    assert_eq!(
        crash(end),
        "the tool wrote a line of more than 100000 bytes"
    );
    let ToolUpdate::Stderr(process) = &told[0] else {
        panic!("it says its number");
    };
    dies(String::from_utf8_lossy(process).trim());
}

#[test]
fn a_tool_that_floods_waits_while_nobody_takes_what_it_says() {
    if ran_alone(concat!(
        module_path!(),
        "::a_tool_that_floods_waits_while_nobody_takes_what_it_says"
    )) {
        return;
    }
    let session = python(
        r#"
import json, sys
input(); print('{"type":"hello","toolwire":1,"version":1}', flush=True); input()
text = "x" * 100_000
for number in range(2_000):
    print(json.dumps({"type": "output", "call": 1, "blocks": [{"type": "text", "text": text}]}), flush=True)
    print(number, file=sys.stderr, flush=True)
"#,
    );
    run(&session, async |running| {
        // 200 MB would take a second or two.
        let before = memory();
        tokio::time::sleep(Duration::from_secs(3)).await;
        let grown = memory().saturating_sub(before);
        assert!(
            grown < 20_000_000,
            "{grown} bytes wait for a host that reads nothing"
        );
        let mut outputs = 0;
        while outputs < 2_000 {
            match next(running).await {
                ToolUpdate::Output(_) => outputs += 1,
                ToolUpdate::Stderr(_) => {}
                other => panic!("{other:?}"),
            }
        }
        assert!(is_exit(&rest(running).await.1, 0));
    });
}

/// The bytes of memory that this process has.
fn memory() -> usize {
    let Ok(pages) = fs::read_to_string("/proc/self/statm") else {
        return 0;
    };
    let resident = pages.split(' ').nth(1).unwrap();
    resident.parse::<usize>().unwrap() * 4096
}

#[test]
fn a_tool_that_never_reads_is_given_a_bounded_number_of_things_and_can_be_ended() {
    let session = greeted("exec sleep 1000");
    run_with(&session, Duration::from_millis(200), async |running| {
        let long = || ToolRequest::Input(Json::from("x".repeat(50_000).as_str()));
        let mut taken = 0;
        // What is refused now is refused for ever: nobody reads.
        let mut refusals = 0;
        while refusals < 20 {
            assert!(taken < 1_000, "everything is taken");
            match running.requests.try_send(long()) {
                Ok(()) => taken += 1,
                Err(_) => {
                    refusals += 1;
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }
        }
        running
            .requests
            .try_send(ToolRequest::End(EndReason::Aborted))
            .unwrap();
        assert_eq!(
            crash(rest(running).await.1),
            "the tool was ended by signal 15"
        );
    });
}

#[test]
fn a_child_that_outlives_its_tool_is_ended_with_it() {
    let script = format!("sleep 1000 & echo $! >&2; echo '{BLOCK}'");
    let (told, end) = run(&greeted(&script), async |running| rest(running).await);
    assert!(is_exit(&end, 0), "{end:?}");
    assert_eq!(texts(&told), ["hello"]);
    let child = told.iter().find_map(|told| match told {
        ToolUpdate::Stderr(number) => Some(String::from_utf8_lossy(number).trim().to_owned()),
        _ => None,
    });
    dies(&child.unwrap());
}

/// A program that has left the group of its tool can't be ended; it can't keep the session from its end either.
#[test]
fn whoever_writes_on_after_the_tool_is_not_read_for_ever() {
    let other = r#"{"type":"stderr","call":7,"text":"x"}"#;
    for flood in [format!("yes '{other}'"), "yes >&2".to_owned()] {
        let script = format!(
            "setsid sh -c 'echo $$ >&2; exec \"$@\"' sh sh -c {} & sleep 0.3; echo '{BLOCK}'",
            quoted(&flood)
        );
        let (told, end) = run(&greeted(&script), async |running| {
            let mut all = Vec::new();
            loop {
                match next(running).await {
                    end @ (ToolUpdate::Exit(_) | ToolUpdate::Crash(_)) => return (all, end),
                    ToolUpdate::Stderr(_) if !all.is_empty() => {}
                    told => all.push(told),
                }
            }
        });
        assert!(is_exit(&end, 0), "{end:?}");
        let ToolUpdate::Stderr(begin) = &told[0] else {
            panic!("it says its number: {told:?}");
        };
        let begin = String::from_utf8_lossy(begin);
        // Nobody reads what it writes, which ends it.
        dies(begin.lines().next().unwrap());
    }
}

/// A word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Many blocks are told in parts, and too many are no line (LINE-17).
#[test]
fn a_line_has_at_most_so_many_blocks() {
    let script = |blocks: usize| {
        python(&format!(
            r#"
import json
input(); print('{{"type":"hello","toolwire":1,"version":1}}', flush=True); input()
print(json.dumps({{"type": "output", "call": 1, "blocks": [{{"type": "text", "text": "x"}}] * {blocks}}}))
"#
        ))
    };
    let (told, end) = run(&script(2_500), async |running| rest(running).await);
    assert!(is_exit(&end, 0), "{end:?}");
    assert_eq!(texts(&told).len(), 2_500);
    assert!(told.len() >= 3, "they are told in parts");
    for many in [100_001, 500_000] {
        let (told, end) = run(&script(many), async |running| rest(running).await);
        assert!(texts(&told).is_empty());
        let why = crash(end);
        assert!(why.contains("at most 100000 blocks"), "{why}");
    }
    // A result with more is raw text, as that of a tool that runs once.
    let mut session = greeted(&format!(
        r#"echo '{{"type":"result","call":1,"envelope":{{"content":[{}]}}}}'"#,
        [r#"{"type":"text","text":"x"}"#; 3].join(",")
    ));
    session.options.limits.max_blocks = 2;
    let (told, end) = run(&session, async |running| rest(running).await);
    assert!(is_exit(&end, 0), "{end:?}");
    let told = texts(&told);
    assert!(told.len() == 1 && told[0].contains("content"), "{told:?}");
}

#[test]
fn a_tool_is_told_to_end_asked_by_a_signal_and_killed() {
    // It ends when it is told.
    let polite = greeted(
        r#"echo >&2; read -r end; case $end in '{"type":"end","call":1,"reason":"aborted"}') ;; *) exit 9 ;; esac
        echo '{"type":"result","call":1,"envelope":{"content":[{"type":"text","text":"tidied up"}]}}'; exec sleep 1000 <&-"#,
    );
    let (told, end) = run_with(&polite, Duration::from_secs(10), async |running| {
        next(running).await;
        running
            .requests
            .send(ToolRequest::End(EndReason::Aborted))
            .await
            .unwrap();
        // Once is enough.
        running
            .requests
            .send(ToolRequest::End(EndReason::Idle))
            .await
            .unwrap();
        rest(running).await
    });
    assert_eq!(
        (texts(&told), is_exit(&end, 0)),
        (vec!["tidied up".to_owned()], true)
    );

    // It ends when it is asked by a signal, and still says something.
    let slow = greeted(&format!(
        "finish() {{ echo '{BLOCK}'; exit 5; }}; trap finish TERM; echo >&2; while :; do sleep 0.01; done"
    ));
    let (told, end) = run_with(&slow, Duration::from_secs(5), async |running| {
        assert!(
            matches!(next(running).await, ToolUpdate::Stderr(_)),
            "it has its trap"
        );
        running
            .requests
            .send(ToolRequest::End(EndReason::HostEnded))
            .await
            .unwrap();
        rest(running).await
    });
    assert_eq!(
        (texts(&told), is_exit(&end, 5)),
        (vec!["hello".to_owned()], true)
    );

    // It never ends by itself.
    let stubborn = greeted("trap '' TERM; echo $$ >&2; while :; do sleep 1; done");
    let (process, end) = run_with(&stubborn, Duration::from_millis(300), async |running| {
        let ToolUpdate::Stderr(process) = next(running).await else {
            panic!("it says its number");
        };
        running
            .requests
            .send(ToolRequest::End(EndReason::TimedOut))
            .await
            .unwrap();
        (process, rest(running).await.1)
    });
    assert_eq!(crash(end), "the tool was ended by signal 9");
    dies(String::from_utf8_lossy(&process).trim());
}

#[test]
fn a_tool_is_told_to_end_once() {
    let session = greeted(
        "exec 3<&0; echo >&2; read -r end; echo >&2; { read -r again <&3 && kill -9 $$; } & sleep 2; exit 0",
    );
    let end = run_with(&session, PATIENCE, async |running| {
        for _ in 0..2 {
            next(running).await;
            let end = ToolRequest::End(EndReason::Aborted);
            running.requests.send(end).await.unwrap();
        }
        rest(running).await.1
    });
    assert!(is_exit(&end, 0), "{end:?}");
}

#[test]
fn a_tool_is_killed_at_once_if_the_host_wants_it() {
    let stubborn = greeted("trap '' TERM; echo $$ >&2; while :; do sleep 1; done");
    let began = Instant::now();
    let end = run_with(&stubborn, PATIENCE, async |running| {
        next(running).await;
        running.requests.try_send(ToolRequest::Kill).unwrap();
        rest(running).await.1
    });
    assert_eq!(crash(end), "the tool was ended by signal 9");
    assert!(began.elapsed() < PATIENCE);
}

#[test]
fn a_driver_that_is_dropped_leaves_nothing() {
    let session = greeted("echo $$ >&2; while :; do sleep 1; done");
    let process = block_on(async {
        let mut running = start(&session, Duration::from_millis(100));
        let driver = tokio::spawn(running.driver);
        let Some(ToolUpdate::Stderr(process)) = running.updates.recv().await else {
            panic!("it says its number");
        };
        driver.abort();
        let _ = driver.await;
        let process = String::from_utf8_lossy(&process).trim().to_owned();
        let until = Instant::now() + PATIENCE;
        while is_alive(&process) && Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        process
    });
    dies(&process);
}

#[test]
fn a_tool_that_closes_its_stdout_may_end_soon_and_is_stopped_otherwise() {
    let quick = greeted("exec >&-; sleep 0.1; exit 4");
    let (_, end) = run_with(&quick, PATIENCE, async |running| rest(running).await);
    assert!(is_exit(&end, 4), "{end:?}");

    let lives = greeted("echo $$ >&2; exec >&- 2>&-; while :; do sleep 1; done");
    let (told, end) = run_with(&lives, Duration::from_millis(200), async |running| {
        rest(running).await
    });
    assert!(crash(end).starts_with("the tool closed its stdout"));
    let ToolUpdate::Stderr(process) = &told[0] else {
        panic!("it says its number");
    };
    dies(String::from_utf8_lossy(process).trim());
}

#[test]
fn a_tool_that_was_stopped_goes_on_and_can_be_ended_while_it_is_stopped() {
    let signal = |signal: &str, process: &str| {
        let sent = std::process::Command::new("kill")
            .args(["-s", signal, process])
            .status();
        assert!(sent.unwrap().success());
    };
    let script = format!("echo $$ >&2; read -r line; echo '{BLOCK}'; read -r line; echo '{BLOCK}'");
    let (told, end) = run(&greeted(&script), async |running| {
        let process = number(next(running).await);
        signal("STOP", &process);
        running
            .requests
            .send(ToolRequest::Input(Json::from("a")))
            .await
            .unwrap();
        let nothing = timeout(Duration::from_millis(300), running.updates.recv()).await;
        assert!(nothing.is_err(), "{nothing:?}");
        signal("CONT", &process);
        assert!(matches!(next(running).await, ToolUpdate::Output(_)));
        running
            .requests
            .send(ToolRequest::Input(Json::from("b")))
            .await
            .unwrap();
        rest(running).await
    });
    assert!(texts(&told) == ["hello"] && is_exit(&end, 0), "{end:?}");

    let end = run_with(
        &greeted(&script),
        Duration::from_millis(200),
        async |running| {
            let process = number(next(running).await);
            signal("STOP", &process);
            running
                .requests
                .send(ToolRequest::End(EndReason::Aborted))
                .await
                .unwrap();
            let end = rest(running).await.1;
            dies(&process);
            end
        },
    );
    assert_eq!(crash(end), "the tool was ended by signal 9");
}

fn number(told: ToolUpdate) -> String {
    match told {
        ToolUpdate::Stderr(process) => String::from_utf8_lossy(&process).trim().to_owned(),
        other => panic!("it says its number: {other:?}"),
    }
}

#[test]
fn what_is_no_line_ends_the_tool() {
    for (line, why) in [
        (
            "Listening on port 3000",
            "that is none of the line transport",
        ),
        (r#"{"call":1}"#, "`type` is missing"),
        (
            r#"{"type":"output","call":"1","blocks":[]}"#,
            "`call` is a whole number",
        ),
        (
            r#"{"type":"output","call":1,"blocks":[],"blocks":[]}"#,
            "two members with the same name",
        ),
        (
            r#"{"type":"event","call":1,"event":{"type":"progress"}}"#,
            "`done` is missing",
        ),
    ] {
        let script = format!("echo '{BLOCK}'; echo '{line}'; echo '{BLOCK}'; exec sleep 1000");
        let (told, end) = run(&greeted(&script), async |running| rest(running).await);
        let crash = crash(end);
        assert!(crash.contains(why), "{line}: {crash}");
        assert_eq!(
            texts(&told),
            ["hello"],
            "what comes after it does not count"
        );
    }
}

#[test]
fn a_tool_must_say_hello_in_a_version_that_both_speak() {
    let hello = r#"{"type":"hello","toolwire":1,"version":2}"#;
    for (script, why) in [
        (
            format!("echo '{hello}'; exec sleep 1000"),
            "speaks version 2",
        ),
        (
            format!("echo '{BLOCK}'; exec sleep 1000"),
            "is not its `hello`",
        ),
        (
            "echo usage: tool; exec sleep 1000".to_owned(),
            "none of the line transport",
        ),
        (
            "exit 3".to_owned(),
            "without saying `hello`; the tool exited with status 3",
        ),
        (
            "exec >&-; exec sleep 1000".to_owned(),
            "without saying `hello`",
        ),
        (
            r#"echo '{"type":"hello","toolwire":2,"version":1}'; exec sleep 1000"#.to_owned(),
            "`toolwire` is 1",
        ),
    ] {
        let (told, end) = run(&sh(&script), async |running| rest(running).await);
        let crash = crash(end);
        assert!(told.is_empty() && crash.contains(why), "{script}: {crash}");
    }
}

#[test]
fn a_tool_that_says_nothing_has_the_time_of_the_handshake() {
    let mut session = sh("while :; do sleep 1; echo busy >&2; done");
    assert_eq!(session.handshake, Duration::from_secs(10));
    session.handshake = Duration::from_millis(300);
    let (_, end) = run(&session, async |running| rest(running).await);
    let why = crash(end);
    assert!(
        why.starts_with("the tool did not say `hello` within 0.3 s"),
        "{why}"
    );

    // Who is told to end before has not to wait for it.
    session.handshake = PATIENCE * 10;
    let end = run(&session, async |running| {
        running
            .requests
            .try_send(ToolRequest::End(EndReason::Aborted))
            .unwrap();
        rest(running).await.1
    });
    assert_eq!(crash(end), "the tool was ended by signal 9");
}

#[test]
fn a_tool_gets_no_line_that_is_longer_than_it_reads() {
    let session = sh(
        r#"read -r hello; echo '{"type":"hello","toolwire":1,"version":1,"maxLine":200}'; read -r call
        read -r line; case $line in *short*) exit 0 ;; *) exit 1 ;; esac"#,
    );
    let (told, end) = run(&session, async |running| {
        let long = Json::from("x".repeat(200).as_str());
        running
            .requests
            .send(ToolRequest::Input(long))
            .await
            .unwrap();
        running
            .requests
            .send(ToolRequest::Input(Json::from("short")))
            .await
            .unwrap();
        rest(running).await
    });
    assert!(is_exit(&end, 0), "{end:?}");
    assert!(matches!(&told[..], [ToolUpdate::Event(_)]), "{told:?}");
}

#[test]
fn a_program_that_is_not_there_is_told() {
    let session = LineSession::new(Command::new("/no/such/tool"), ProcessOptions::default());
    assert!(!Path::new("/no/such/tool").exists());
    let (_, end) = run(&session, async |running| rest(running).await);
    assert!(crash(end).contains("`/no/such/tool`"));
}
