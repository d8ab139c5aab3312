//! Warm workers, with a real program (LINE-50 to LINE-55).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::common::ran_alone;
use tokio::task::{JoinHandle, JoinSet};
use toolwire::call::Call;
use toolwire::lines::Trace;
use toolwire::{Json, Parsed};
use toolwire_host::{
    CallOptions, CallOutcome, Command, Conversation, Environment, Event, LineWorkers, Nobody,
    Process, ProcessOptions, StopReason, WarmProcess, WorkerOptions, call,
};

/// Longer than anything takes that works, on any machine.
const PATIENCE: Duration = Duration::from_secs(50);

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.worker_threads(2).enable_all().build().unwrap();
    let value = runtime.block_on(async { tokio::time::timeout(PATIENCE * 2, future).await });
    value.expect("it hangs")
}

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tool/warm.py")
}

/// The program, which takes so many calls side by side.
fn program(side_by_side: u32) -> Process {
    let command = Command::new("python3")
        .arg(script())
        .arg(side_by_side.to_string());
    let options = ProcessOptions {
        grace: Duration::from_secs(3),
        ..ProcessOptions::default()
    };
    Process::new(command, options)
}

/// Options under which nothing is retired, and every call waits for a worker.
fn patient() -> WorkerOptions {
    WorkerOptions {
        max_workers: 1,
        max_wait: PATIENCE,
        handshake: PATIENCE,
        ..WorkerOptions::default()
    }
}

/// Arguments with which a call makes a file as soon as the program has it, and that file.
fn with_file(arguments: &str) -> (String, tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("begun");
    let arguments = arguments.replacen('{', &format!(r#"{{"begun":{file:?},"#), 1);
    (arguments, folder, file)
}

/// A call that the program has.
async fn begun(tool: &WarmProcess, arguments: &str) -> JoinHandle<CallOutcome> {
    let (arguments, _folder, file) = with_file(arguments);
    let tool = tool.clone();
    let call = tokio::spawn(async move { outcome(&tool, &arguments).await });
    until("the program has the call", || file.exists()).await;
    call
}

async fn outcome(tool: &WarmProcess, arguments: &str) -> CallOutcome {
    let document = Call::new("t", Json::new(arguments).unwrap());
    call(tool, document, &CallOptions::default(), &mut Nobody)
        .await
        .unwrap()
}

/// What a call was answered with.
async fn answer(tool: &WarmProcess, arguments: &str) -> serde_json::Value {
    content(&outcome(tool, arguments).await.parsed)
}

fn content(parsed: &Parsed<'_>) -> serde_json::Value {
    let content = parsed.structured_content();
    let content = content.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(parsed.raw())));
    serde_json::from_str(content.raw()).unwrap()
}

async fn process(tool: &WarmProcess) -> u64 {
    answer(tool, "{}").await["pid"].as_u64().unwrap()
}

fn is_alive(process: u64) -> bool {
    let state = fs::read_to_string(format!("/proc/{process}/stat"));
    state.is_ok_and(|stat| !stat.contains(") Z "))
}

async fn until(what: &str, happens: impl Fn() -> bool) {
    let late = Instant::now() + PATIENCE;
    while !happens() {
        assert!(Instant::now() < late, "{what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[test]
fn calls_share_a_process_and_carry_their_root_and_trace() {
    block_on(async {
        let workers = LineWorkers::new(patient());
        let mut tool = workers.process(program(1));
        let mut processes = BTreeSet::new();
        for count in 1..=5 {
            let parent = format!("00-0af7651916cd43dd8448eb211c80319c-b7ad6b716920333{count}-01");
            tool.trace = Trace {
                traceparent: Some(parent.clone()),
                ..Trace::default()
            };
            let mut document = Call::new("t", Json::new("{}").unwrap());
            document.root = Some(format!("/project/{count}"));
            let outcome = call(&tool, document, &CallOptions::default(), &mut Nobody)
                .await
                .unwrap();
            assert!(!outcome.parsed.is_error() && outcome.report.stopped.is_none());
            let content = content(&outcome.parsed);
            assert_eq!(content["had"], count);
            assert_eq!(content["root"], format!("/project/{count}"));
            assert_eq!(content["trace"]["traceparent"], parent);
            assert!(content["traceparent"].is_null() && content["way"] == "lines");
            processes.insert(content["pid"].as_u64());
        }
        assert_eq!((processes.len(), workers.processes()), (1, 1));
        workers.close().await;
        assert_eq!(workers.processes(), 0);
        assert!(!is_alive(processes.pop_first().unwrap().unwrap()));
        // There are no workers any more, and calls all the same.
        assert_eq!(answer(&tool, "{}").await["way"], "stdin");
    });
}

/// Makes so many calls at once; in how many processes they were.
async fn at_once(tool: &WarmProcess, calls: usize, seconds: u32) -> usize {
    let mut running = JoinSet::new();
    for _ in 0..calls {
        let tool = tool.clone();
        let arguments = format!(r#"{{"sleep":{seconds}}}"#);
        running.spawn(async move { answer(&tool, &arguments).await["pid"].as_u64() });
    }
    running
        .join_all()
        .await
        .into_iter()
        .collect::<BTreeSet<_>>()
        .len()
}

#[test]
fn calls_are_side_by_side_if_the_program_says_so_and_else_in_a_limited_number_of_workers() {
    block_on(async {
        let options = WorkerOptions {
            max_workers: 2,
            ..patient()
        };
        let workers = LineWorkers::new(options);
        assert_eq!(at_once(&workers.process(program(1)), 4, 1).await, 2);
        assert_eq!(at_once(&workers.process(program(4)), 4, 1).await, 1);
        // The host has a limit of its own.
        let workers = LineWorkers::new(WorkerOptions {
            max_workers: 3,
            max_open: 2,
            ..patient()
        });
        assert_eq!(at_once(&workers.process(program(100)), 5, 3).await, 3);
    });
}

#[test]
fn a_worker_is_retired_after_so_many_calls() {
    block_on(async {
        let workers = LineWorkers::new(WorkerOptions {
            max_calls: 3,
            ..patient()
        });
        let tool = workers.process(program(1));
        let mut processes = Vec::new();
        for _ in 0..6 {
            processes.push(process(&tool).await);
        }
        assert!(
            processes[..3]
                .iter()
                .all(|process| *process == processes[0])
        );
        assert!(
            processes[3..]
                .iter()
                .all(|process| *process == processes[3])
        );
        assert_ne!(processes[0], processes[3]);
        until("a retired worker goes", || !is_alive(processes[0])).await;
    });
}

#[cfg(target_os = "linux")]
#[test]
fn a_worker_is_retired_when_it_has_too_much_memory() {
    block_on(async {
        let limit = 300_000_000;
        let workers = LineWorkers::new(WorkerOptions {
            max_memory: limit,
            ..patient()
        });
        let tool = workers.process(program(1));
        let first = process(&tool).await;
        // It is not looked after every call.
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(answer(&tool, r#"{"grow":150000000}"#).await["pid"], first);
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(answer(&tool, r#"{"grow":150000000}"#).await["pid"], first);
        assert_ne!(process(&tool).await, first);
    });
}

#[test]
fn a_worker_without_calls_is_retired_after_a_time() {
    block_on(async {
        let workers = LineWorkers::new(WorkerOptions {
            max_idle: Duration::from_secs(3),
            ..patient()
        });
        let tool = workers.process(program(1));
        // A call is no idleness, however long it takes.
        let first = answer(&tool, r#"{"sleep":1}"#).await["pid"]
            .as_u64()
            .unwrap();
        assert!(is_alive(first));
        until("an idle worker goes", || !is_alive(first)).await;
        until("it is counted no more", || workers.processes() == 0).await;
        assert_ne!(process(&tool).await, first);
    });
}

#[test]
fn a_worker_is_retired_when_its_file_changes() {
    block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("tool.py");
        fs::copy(script(), &copy).unwrap();
        let workers = LineWorkers::new(patient());
        let mut program = program(4);
        program.command = Command::new("python3").args(["tool.py", "4"]);
        program.options.cwd = Some(folder.path().to_owned());
        let tool = workers.process(program);
        let first = process(&tool).await;
        assert_eq!(process(&tool).await, first);
        // A call that is open is answered by the one that it was sent to.
        let long = begun(&tool, r#"{"sleep":3}"#).await;
        let text = fs::read_to_string(&copy).unwrap();
        fs::write(
            &copy,
            text.replace("\"echo\": given.get(\"echo\")", "\"echo\": \"changed\""),
        )
        .unwrap();
        let next = answer(&tool, "{}").await;
        assert!(next["echo"] == "changed" && next["pid"] != first, "{next}");
        let long = content(&long.await.unwrap().parsed);
        assert_eq!(long["pid"], first);
        until("the old worker goes", || !is_alive(first)).await;
    });
}

#[test]
fn a_crash_loses_the_calls_of_its_worker_and_no_others() {
    block_on(async {
        let workers = LineWorkers::new(patient());
        let tool = workers.process(program(2));
        let first = process(&tool).await;
        let beside = begun(&tool, r#"{"sleep":100}"#).await;
        let crashes = begun(&tool, r#"{"stderr":"out of cheese\n","sleep":1,"exit":7}"#).await;
        // There is no room for this one, so it waits.
        let waits = tokio::spawn({
            let tool = tool.clone();
            async move { outcome(&tool, r#"{"echo":"waits"}"#).await }
        });
        let (beside, crashes) = (beside.await.unwrap(), crashes.await.unwrap());
        for lost in [&beside, &crashes] {
            assert!(lost.parsed.is_error() && lost.parsed.transient());
            let text = lost.parsed.block(0).unwrap().text().unwrap().into_owned();
            assert_eq!(text, "the tool exited with status 7");
        }
        assert!(
            crashes
                .parsed
                .trace()
                .iter()
                .any(|line| line == "out of cheese")
        );
        assert!(
            beside
                .parsed
                .trace()
                .iter()
                .all(|line| line != "out of cheese")
        );
        let waits = content(&waits.await.unwrap().parsed);
        assert!(waits["echo"] == "waits" && waits["pid"] != first, "{waits}");

        // Its last words are its call's, also those that no library knows of.
        let alone = workers.process(program(1));
        let crash = outcome(&alone, r#"{"print":"out of paper\n","exit":8}"#).await;
        let trace = crash.parsed.trace();
        assert!(trace.iter().any(|line| line == "out of paper"), "{trace:?}");

        let broken = outcome(&tool, r#"{"garbage":true}"#).await;
        assert!(broken.parsed.is_error() && broken.parsed.transient());
        let text = broken.parsed.block(0).unwrap().text().unwrap().into_owned();
        assert!(text.contains("none of the line transport"), "{text}");
        assert_eq!(answer(&tool, r#"{"echo":1}"#).await["echo"], 1);
    });
}

#[test]
fn a_line_that_is_wrong_inside_fails_its_call_and_not_the_program() {
    block_on(async {
        let workers = LineWorkers::new(patient());
        let tool = workers.process(program(4));
        let first = process(&tool).await;
        let slow = {
            let tool = tool.clone();
            tokio::spawn(async move { process_after(&tool, 1).await })
        };
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        for (line, what) in [
            (
                r#"{"type":"result","call":%d,"envelope":[]}"#.to_owned(),
                "`/envelope`",
            ),
            (
                format!(
                    r#"{{"type":"result","call":%d,"envelope":{{"content":[],"deep":{deep}}}}}"#
                ),
                "deep",
            ),
            (
                r#"{"type":"event","call":%d,"event":{"type":"log","level":"loud","message":""}}"#
                    .to_owned(),
                "`/event/level`",
            ),
            (r#"{"type":"stderr","call":%d}"#.to_owned(), "`/text`"),
        ] {
            let arguments = serde_json::json!({ "line": line }).to_string();
            let outcome = outcome(&tool, &arguments).await;
            let text = String::from_utf8_lossy(outcome.parsed.raw()).into_owned();
            assert!(outcome.parsed.is_error() && text.contains(what), "{text}");
            assert!(text.contains(r#""transient":false"#), "{text}");
        }
        assert_eq!(process(&tool).await, first);
        assert_eq!(slow.await.unwrap(), first);
    });
}

async fn process_after(tool: &WarmProcess, seconds: u32) -> u64 {
    let arguments = format!(r#"{{"sleep":{seconds}}}"#);
    answer(tool, &arguments).await["pid"].as_u64().unwrap()
}

#[test]
fn a_call_that_was_not_sent_goes_to_another_worker() {
    block_on(async {
        let workers = LineWorkers::new(patient());
        let tool = workers.process(program(1));
        // It lives on, and reads no more.
        let first = answer(&tool, r#"{"close":true}"#).await["pid"]
            .as_u64()
            .unwrap();
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_ne!(process(&tool).await, first);
        until("nobody needs the first one", || !is_alive(first)).await;
    });
}

/// More than a pipe holds.
fn large() -> String {
    format!(r#"{{"echo":"{}"}}"#, "x".repeat(90_000))
}

#[test]
fn a_call_that_was_sent_in_part_goes_to_another_worker_if_its_own_breaks() {
    block_on(async {
        let workers = LineWorkers::new(patient());
        let tool = workers.process(program(1));
        let first = answer(&tool, r#"{"break":true}"#).await["pid"]
            .as_u64()
            .unwrap();
        let second = answer(&tool, &large()).await["pid"].as_u64().unwrap();
        assert_ne!(second, first);
    });
}

#[test]
fn a_call_that_is_cancelled_before_it_is_sent_is_not_sent_and_a_line_is_never_cut() {
    block_on(async {
        let workers = LineWorkers::new(patient());
        let mut program = program(3);
        program.options.grace = PATIENCE;
        let tool = workers.process(program);
        let first = answer(&tool, r#"{"deaf":8}"#).await["pid"]
            .as_u64()
            .unwrap();
        let other = tool.clone();
        let sent_in_part = tokio::spawn(async move {
            let while_it_is_written = tokio::time::sleep(Duration::from_millis(4500));
            cancelled_by(&other, &large(), while_it_is_written).await
        });
        tokio::time::sleep(Duration::from_millis(1500)).await;
        let while_it_waits = tokio::time::sleep(Duration::from_millis(1500));
        let stopped = cancelled_by(&tool, "{}", while_it_waits).await;
        assert_eq!(stopped.report.stopped, Some(StopReason::Cancelled));
        let stopped = sent_in_part.await.unwrap();
        assert_eq!(stopped.report.stopped, Some(StopReason::Cancelled));
        let content = answer(&tool, "{}").await;
        assert!(content["pid"] == first && content["had"] == 3, "{content}");
    });
}

#[test]
fn the_limit_of_a_line_is_exact() {
    block_on(async {
        let workers = LineWorkers::new(patient());
        let tool = workers.process(program(1));
        let echo = |length: u64| format!(r#"{{"echo":"{}"}}"#, "x".repeat(length as usize));
        let rest = answer(&tool, &echo(0)).await["length"].as_u64().unwrap();
        let whole = answer(&tool, &echo(100_000 - rest)).await;
        assert_eq!(whole["length"], 100_000);
        let longer = outcome(&tool, &echo(100_001 - rest)).await;
        assert!(longer.parsed.is_error());
    });
}

/// Its grace is not waited out.
#[test]
fn a_worker_whose_call_is_killed_is_asked_to_end_at_once() {
    block_on(async {
        let workers = LineWorkers::new(patient());
        let mut program = program(1);
        program.options.grace = PATIENCE * 10;
        let tool = workers.process(program);
        let first = process(&tool).await;
        let (arguments, _folder, file) = with_file(r#"{"sleep":1000,"stubborn":true}"#);
        let call = Call::new("t", Json::new(arguments).unwrap());
        let (conversation, driver) =
            Conversation::new(Arc::new(tool), call, CallOptions::default());
        tokio::spawn(driver);
        until("the program has the call", || file.exists()).await;
        conversation.kill();
        until("it is ended", || !is_alive(first)).await;
    });
}

#[test]
fn a_call_that_is_too_long_for_the_program_is_an_error_of_its_own() {
    block_on(async {
        let workers = LineWorkers::new(patient());
        let tool = workers.process(program(1));
        let first = process(&tool).await;
        let long = outcome(&tool, &format!(r#"{{"echo":"{}"}}"#, "x".repeat(100_000))).await;
        let text = long.parsed.block(0).unwrap().text().unwrap().into_owned();
        assert!(long.parsed.is_error() && !long.parsed.transient());
        assert_eq!(
            text,
            "the call is longer than the 100000 bytes that the tool reads"
        );
        assert_eq!(process(&tool).await, first);
    });
}

/// Begins a call, and cancels it when the program has it.
async fn cancelled(tool: &WarmProcess, arguments: &str) -> CallOutcome {
    let (arguments, _folder, file) = with_file(arguments);
    let has = until("the program has the call", || file.exists());
    cancelled_by(tool, &arguments, has).await
}

async fn cancelled_by(
    tool: &WarmProcess,
    arguments: &str,
    cancel: impl Future<Output = ()>,
) -> CallOutcome {
    let document = Call::new("t", Json::new(arguments).unwrap());
    let options = CallOptions::default();
    toolwire_host::call_until(tool, document, &options, &mut Nobody, cancel)
        .await
        .unwrap()
}

#[test]
fn a_call_that_is_cancelled_may_still_answer_and_the_worker_stays() {
    block_on(async {
        let workers = LineWorkers::new(patient());
        let tool = workers.process(program(2));
        let first = process(&tool).await;
        let stopped = cancelled(&tool, r#"{"sleep":100}"#).await;
        assert_eq!(stopped.report.stopped, Some(StopReason::Cancelled));
        assert!(stopped.parsed.is_error() && !stopped.parsed.transient());
        // It has said what it had.
        let kept = stopped
            .parsed
            .block(1)
            .unwrap()
            .text()
            .unwrap()
            .into_owned();
        assert!(kept.contains(r#""ended": "aborted""#), "{kept}");
        assert_eq!(process(&tool).await, first);

        let mut late = tool.clone();
        late.process.options.timeout = Some(Duration::from_millis(1500));
        let stopped = outcome(&late, r#"{"sleep":100}"#).await;
        assert_eq!(stopped.report.stopped, Some(StopReason::Timeout));
        assert!(stopped.parsed.transient());
        assert_eq!(process(&tool).await, first);
    });
}

#[test]
fn a_worker_whose_call_does_not_end_is_killed_after_its_other_calls() {
    block_on(async {
        let workers = LineWorkers::new(patient());
        let tool = workers.process(program(2));
        let first = process(&tool).await;
        let beside = begun(&tool, r#"{"sleep":10,"echo":"beside"}"#).await;
        let stopped = cancelled(&tool, r#"{"sleep":100,"stubborn":true}"#).await;
        assert_eq!(stopped.report.stopped, Some(StopReason::Cancelled));
        assert!(is_alive(first), "the other call goes on");
        let second = process(&tool).await;
        assert_ne!(second, first, "the next calls are answered elsewhere");
        let beside = content(&beside.await.unwrap().parsed);
        assert!(beside["pid"] == first && beside["echo"] == "beside");
        until("the stubborn one is killed", || !is_alive(first)).await;
    });
}

/// Whoever writes without end, and has left the group so that nothing ends it, holds up neither an answer nor the
/// end of a call that was cancelled.
#[test]
fn a_flood_keeps_no_call_from_its_end() {
    let flooded = async {
        let workers = LineWorkers::new(patient());
        let tool = workers.process(program(1));
        let answered = answer(&tool, r#"{"flood":2,"echo":"it"}"#).await;
        assert_eq!(answered["echo"], "it");
        workers.close().await;

        let workers = LineWorkers::new(patient());
        let tool = workers.process(program(2));
        let first = process(&tool).await;
        let stopped = cancelled(&tool, r#"{"flood":1,"sleep":100,"stubborn":true}"#).await;
        assert_eq!(stopped.report.stopped, Some(StopReason::Cancelled));
        until("the stubborn one is killed", || !is_alive(first)).await;
        assert_ne!(process(&tool).await, first);
        workers.close().await;
    };
    // Much more than it needs, and less than it took when the flood was read on.
    block_on(async { tokio::time::timeout(PATIENCE / 2, flooded).await }).expect("it is held up");
}

#[test]
fn a_call_that_waits_can_be_cancelled_and_one_that_is_dropped_ends() {
    block_on(async {
        let workers = LineWorkers::new(patient());
        let tool = workers.process(program(1));
        let first = process(&tool).await;
        let dropped = begun(&tool, r#"{"sleep":100}"#).await;
        let while_it_waits = tokio::time::sleep(Duration::from_millis(500));
        let stopped = cancelled_by(&tool, "{}", while_it_waits).await;
        assert_eq!(stopped.report.stopped, Some(StopReason::Cancelled));
        dropped.abort();
        let content = answer(&tool, "{}").await;
        assert!(content["pid"] == first && content["had"] == 3, "{content}");
    });
}

#[test]
fn what_calls_say_is_not_mixed() {
    block_on(async {
        let workers = LineWorkers::new(patient());
        let tool = workers.process(program(8));
        let mut running = JoinSet::new();
        for number in 0..8 {
            let tool = tool.clone();
            running.spawn(async move {
                let arguments = format!(
                    r#"{{"echo":{number},"progress":{number},"stderr":"stderr {number}\n","sleep":0.3}}"#
                );
                let document = Call::new("t", Json::new(&arguments).unwrap());
                let options = CallOptions { tool_events: true,
                    stderr_events: true, ..CallOptions::default() };
                let (conversation, driver) = Conversation::new(Arc::new(tool), document, options);
                tokio::spawn(driver);
                let (mut progress, mut log, mut stderr) = (Vec::new(), Vec::new(), Vec::new());
                loop {
                    match conversation.next().await {
                        Some(Event::Progress(told)) => progress.push(told.done),
                        Some(Event::Message(told)) => log.push(told.text),
                        Some(Event::Stderr(piece)) => stderr.extend_from_slice(&piece),
                        Some(Event::Done(outcome)) => {
                            assert_eq!(content(&outcome.unwrap().parsed)["echo"], number);
                            break;
                        }
                        other => panic!("{other:?}"),
                    }
                }
                assert_eq!(progress, [f64::from(number)]);
                assert_eq!(log, [number.to_string()]);
                assert_eq!(String::from_utf8_lossy(&stderr), format!("stderr {number}\n"));
            });
        }
        running.join_all().await;

        // What a program prints past its library is of its only call, or of none.
        let alone = workers.process(program(1));
        for number in 0..20 {
            let arguments = format!(r#"{{"print":"printed {number}\n"}}"#);
            let outcome = outcome(&alone, &arguments).await;
            assert_eq!(
                String::from_utf8_lossy(&outcome.report.stderr),
                format!("printed {number}\n")
            );
        }
        let outcome = outcome(&tool, r#"{"print":"whose?\n"}"#).await;
        assert_eq!(outcome.report.stderr, b"");
    });
}

#[test]
fn workers_are_for_one_environment_folder_and_principal() {
    block_on(async {
        let workers = LineWorkers::new(patient());
        let tool = workers.process(program(1));
        let first = process(&tool).await;
        let mut others = vec![tool.clone(), tool.clone(), tool.clone(), tool.clone()];
        others[0].principal = Some("ada".into());
        others[1].principal = Some("grace".into());
        others[2].process.options.environment = Environment::standard().with("COLOR", "red");
        others[3].process.options.cwd = Some("/tmp".into());
        let mut processes = BTreeSet::from([first]);
        for other in &others {
            let content = answer(other, "{}").await;
            assert_eq!(
                content["color"] == "red",
                other.process.options.environment != tool.process.options.environment
            );
            processes.insert(content["pid"].as_u64().unwrap());
        }
        assert_eq!(processes.len(), 5);
        // They stay apart, and each is there again.
        assert_eq!(process(&tool).await, first);
        assert!(processes.contains(&process(&others[0]).await));
        assert_eq!(workers.processes(), 5);
    });
}

#[test]
fn there_are_only_so_many_processes_for_all_programs() {
    block_on(async {
        let workers = LineWorkers::new(WorkerOptions {
            max_processes: 2,
            ..patient()
        });
        let tools = ["a", "b", "c"].map(|principal| {
            let mut tool = workers.process(program(1));
            tool.principal = Some(principal.into());
            tool
        });
        let [first, second, third] = &tools;
        let (a, b) = (process(first).await, process(second).await);
        let c = process(third).await;
        assert!(
            !is_alive(a) && is_alive(b) && is_alive(c),
            "the one that was idle for longest has to go"
        );
        assert_eq!(workers.processes(), 2);
        assert_eq!(process(second).await, b);
    });
}

#[test]
fn a_call_that_waits_for_too_long_has_a_process_of_its_own() {
    block_on(async {
        let workers = LineWorkers::new(WorkerOptions {
            max_wait: Duration::from_millis(200),
            ..patient()
        });
        let tool = workers.process(program(1));
        let first = process(&tool).await;
        let long = begun(&tool, r#"{"sleep":100}"#).await;
        let content = answer(&tool, "{}").await;
        assert!(
            content["way"] == "stdin" && content["pid"] != first,
            "{content}"
        );
        long.abort();
    });
}

/// What the host says of a call that is answered by a process of its own.
async fn warning(tool: &WarmProcess) -> Option<String> {
    let document = Call::new("t", Json::new("{}").unwrap());
    let options = CallOptions {
        tool_events: true,
        ..CallOptions::default()
    };
    let (conversation, driver) = Conversation::new(Arc::new(tool.clone()), document, options);
    tokio::spawn(driver);
    let mut warning = None;
    while let Some(event) = conversation.next().await {
        match event {
            Event::Message(message) => warning = Some(message.text),
            Event::Done(outcome) => {
                assert_eq!(content(&outcome.unwrap().parsed)["way"], "stdin");
            }
            _ => {}
        }
    }
    warning
}

#[test]
fn a_program_that_speaks_no_lines_is_started_for_each_call() {
    block_on(async {
        let workers = LineWorkers::new(patient());
        let mut program = program(1);
        program.command = program.command.arg("silent");
        let tool = workers.process(program);
        let first = warning(&tool).await.expect("it is said why");
        assert!(first.contains("without saying `hello`"), "{first}");
        // It is not tried again at once, but after a time.
        assert_eq!(warning(&tool).await, None);
        assert_eq!(workers.processes(), 0);
        let impatient = LineWorkers::new(WorkerOptions {
            retry_after: Duration::ZERO,
            ..patient()
        });
        let tool = impatient.process(tool.process.clone());
        for _ in 0..2 {
            assert!(warning(&tool).await.is_some());
        }

        let none = workers.process(Process::new(
            Command::new("/no/such/tool"),
            ProcessOptions::default(),
        ));
        let document = Call::new("t", Json::new("{}").unwrap());
        let error = call(&none, document, &CallOptions::default(), &mut Nobody)
            .await
            .unwrap_err();
        assert!(error.to_string().contains("`/no/such/tool`"));
    });
}

#[test]
fn many_calls_get_their_own_answers_and_nothing_is_left() {
    if ran_alone(concat!(
        module_path!(),
        "::many_calls_get_their_own_answers_and_nothing_is_left"
    )) {
        return;
    }
    block_on(async {
        let before = descriptors();
        let options = WorkerOptions {
            max_workers: 3,
            max_calls: 50,
            ..patient()
        };
        let workers = LineWorkers::new(options);
        let tools = [workers.process(program(1)), workers.process(program(4))];
        let mut running = JoinSet::new();
        for lane in 0..16 {
            let tool = tools[lane % 2].clone();
            running.spawn(async move {
                for number in 0..30 {
                    let echo = format!("{lane}/{number}");
                    let content = answer(&tool, &format!(r#"{{"echo":"{echo}"}}"#)).await;
                    assert_eq!(content["echo"], echo);
                }
            });
        }
        running.join_all().await;
        workers.close().await;
        assert_eq!(workers.processes(), 0);
        drop((workers, tools));
        until("descriptors are closed", || descriptors() <= before + 2).await;
    });
}

fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}

#[test]
fn workers_that_are_dropped_end() {
    block_on(async {
        let workers = LineWorkers::default();
        let tool = workers.process(program(1));
        let first = process(&tool).await;
        drop(workers);
        assert!(is_alive(first), "the tool still has them");
        drop(tool);
        until("nobody needs the worker", || !is_alive(first)).await;
    });
    // A runtime that ends takes its workers along.
    let workers = LineWorkers::default();
    let tool = workers.process(program(1));
    let first = block_on(process(&tool));
    let second = block_on(process(&tool));
    assert!(first != second && !is_alive(first));
}
