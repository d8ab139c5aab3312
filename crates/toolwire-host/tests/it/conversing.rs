//! A call as a conversation: its events, and what ends it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::common::{misbehave, patient, sh, within};
use toolwire::call::{Answer, AnswerSource, Call};
use toolwire::{Exit, Json};
use toolwire_host::{
    CallOptions, CallOutcome, Command, Conversation, Conversations, End, Event, HostError,
    MAX_WAITING_STDERR, Process, ProcessOptions, Settled, StopReason,
};

fn a_call() -> Call {
    Call::new("tool", Json::new("{}").expect("JSON"))
}

fn watched() -> CallOptions {
    CallOptions {
        stderr_events: true,
        ..CallOptions::default()
    }
}

fn begin(tool: Command, options: ProcessOptions) -> Conversation {
    let process = Arc::new(Process::new(tool, options));
    let (conversation, driver) = Conversation::new(process, a_call(), watched());
    tokio::spawn(driver);
    conversation
}

/// All of stderr, and the end.
async fn all(conversation: &Conversation) -> (Vec<u8>, Result<Box<CallOutcome>, HostError>) {
    let mut stderr = Vec::new();
    loop {
        match conversation.next().await.expect("an event before the end") {
            Event::Stderr(piece) => stderr.extend(piece),
            Event::Done(outcome) => return (stderr, outcome),
            _ => {}
        }
    }
}

#[tokio::test]
async fn events_come_in_order_and_end() {
    let tool = sh("echo one >&2; sleep 0.1; echo two >&2; echo three");
    let conversation = begin(tool, patient());
    let (stderr, outcome) = all(&conversation).await;
    assert_eq!(stderr, b"one\ntwo\n");
    assert_eq!(outcome.expect("it runs").report.stdout, b"three\n");
    assert!(conversation.is_over() && conversation.next().await.is_none());
}

#[tokio::test]
async fn what_is_printed_beside_the_result_channel_is_log() {
    let conversation = begin(misbehave("result").arg("{\"content\":[]}"), patient());
    let mut log = Vec::new();
    while let Some(event) = conversation.next().await {
        if let Event::Log(piece) = event {
            log.extend(piece);
        }
    }
    assert_eq!(log, b"a log line\n");
}

#[tokio::test]
async fn a_question_waits_for_the_answer_to_it_and_no_other() {
    let conversation = begin(misbehave("ask").arg("1"), patient());
    let yes = || Answer::accepted(Json::from(true), AnswerSource::User);
    loop {
        match conversation.next().await.expect("an event") {
            Event::Question(asked) => {
                conversation.answer("another", yes());
                tokio::time::sleep(Duration::from_millis(50)).await;
                assert!(conversation.try_next().is_none(), "it still waits");
                conversation.answer(&asked.question.id, yes());
            }
            Event::Done(outcome) => {
                let outcome = outcome.expect("it runs");
                assert_eq!((outcome.rounds, outcome.end), (2, End::Answered));
                return;
            }
            _ => {}
        }
    }
}

/// Nobody reads stderr: the tool waits, and its time-out comes nevertheless.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_that_does_not_come_delays_no_time_out_and_loses_nothing_that_fits() {
    let conversation = begin(misbehave("flood-stderr"), within(2000));
    tokio::time::sleep(Duration::from_secs(10)).await;
    let (stderr, outcome) = all(&conversation).await;
    let outcome = outcome.expect("it runs");
    assert_eq!(outcome.report.stopped, Some(StopReason::Timeout));
    assert!(outcome.report.elapsed < Duration::from_secs(10));
    assert!(
        !stderr.is_empty() && stderr.len() <= 2 * MAX_WAITING_STDERR,
        "{}",
        stderr.len()
    );
}

/// What a tool wrote last arrives, even if it has ended before somebody reads.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_words_of_a_tool_are_kept_for_a_reader_that_comes_late() {
    let tool = sh("head -c 1100000 /dev/zero >&2; echo last >&2");
    let conversation = begin(tool, patient());
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let (stderr, outcome) = all(&conversation).await;
    let outcome = outcome.expect("it runs");
    // Its end does not wait for the reader.
    assert!(!outcome.report.left_behind);
    assert_eq!(stderr.len(), 1_100_005);
    assert!(stderr.ends_with(b"last\n"));
}

/// A slow reader gets everything, since the tool waits for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_reader_makes_the_tool_wait_and_gets_everything() {
    let tool = sh("head -c 5000000 /dev/zero >&2; echo done");
    let conversation = begin(tool, patient());
    let mut read = 0;
    while let Some(event) = conversation.next().await {
        match event {
            Event::Stderr(piece) => {
                // When the tool has ended, its last words have as much room again.
                assert!(piece.len() <= 2 * MAX_WAITING_STDERR);
                read += piece.len();
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Event::Done(outcome) => {
                assert_eq!(outcome.expect("it runs").report.exit, Some(Exit::Code(0)));
            }
            _ => {}
        }
    }
    assert_eq!(read, 5_000_000);
}

#[tokio::test]
async fn cancelling_asks_and_killing_does_not() {
    let line = "trap 'echo bye; exit 4' TERM; echo ready >&2; while :; do sleep 0.05; done";
    for kill in [false, true] {
        let options = ProcessOptions {
            grace: Duration::from_secs(600),
            ..patient()
        };
        let line = if kill {
            line.replace("echo bye; exit 4", "")
        } else {
            line.to_owned()
        };
        let conversation = begin(sh(&line), options);
        while !matches!(conversation.next().await, Some(Event::Stderr(_))) {}
        match kill {
            true => conversation.kill(),
            false => conversation.cancel(),
        }
        let (_, outcome) = all(&conversation).await;
        let outcome = outcome.expect("it runs");
        assert!(outcome.cancelled());
        assert!(outcome.report.elapsed < Duration::from_secs(100));
        let expected = if kill { Exit::Signal(9) } else { Exit::Code(4) };
        assert_eq!(outcome.report.exit, Some(expected));
    }
}

#[tokio::test]
async fn a_call_that_is_cancelled_before_it_begins_starts_nothing() {
    let process = Arc::new(Process::new(Command::new("./no/such/tool"), patient()));
    let (conversation, driver) = Conversation::new(process, a_call(), watched());
    conversation.cancel();
    tokio::spawn(driver);
    let (_, outcome) = all(&conversation).await;
    let outcome = outcome.expect("nothing was started");
    assert!(outcome.end == End::Cancelled && outcome.rounds == 0);
}

#[tokio::test]
async fn a_dropped_driver_says_so() {
    let process = Arc::new(Process::new(Command::new("true"), patient()));
    let (conversation, driver) = Conversation::new(process, a_call(), watched());
    drop(driver);
    let (_, outcome) = all(&conversation).await;
    assert_eq!(
        outcome.expect_err("no call").kind().as_str(),
        "system_error"
    );
}

#[test]
fn a_thread_can_wait_and_be_told() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("a runtime");
    let process = Arc::new(Process::new(sh("sleep 2; echo a >&2"), patient()));
    let (conversation, driver) = Conversation::new(process, a_call(), watched());
    let told = Arc::new(AtomicUsize::new(0));
    conversation.on_event({
        let told = Arc::clone(&told);
        move || {
            told.fetch_add(1, Ordering::SeqCst);
        }
    });
    runtime.spawn(driver);
    assert!(
        conversation
            .next_timeout(Duration::from_millis(1))
            .is_none()
    );
    assert!(!conversation.is_over() && !conversation.is_forked());
    let mut events = 0;
    while !conversation.is_over() {
        events += usize::from(conversation.next_timeout(Duration::from_secs(60)).is_some());
    }
    assert_eq!(events, 2);
    assert!((1..=2).contains(&told.load(Ordering::SeqCst)));
}

/// One that goes away, one that is asked in vain: the end of a host has an end.
#[test]
fn all_calls_end_together() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    let all = Conversations::default();
    let tools = [
        sh("trap 'exit 0' TERM; echo >&2; while :; do sleep 0.05; done"),
        sh("trap '' TERM; echo >&2; while :; do sleep 0.05; done"),
    ];
    let options = ProcessOptions {
        grace: Duration::from_millis(500),
        ..patient()
    };
    let begun: Vec<Conversation> = tools
        .into_iter()
        .map(|tool| {
            let process = Arc::new(Process::new(tool, options.clone()));
            let (conversation, driver) = all.start(process, a_call(), watched());
            runtime.spawn(driver);
            conversation
        })
        .collect();
    for conversation in &begun {
        let ready = conversation.next_timeout(Duration::from_secs(60));
        assert!(matches!(ready, Some(Event::Stderr(_))));
    }
    let time = Instant::now();
    all.shutdown();
    assert!(time.elapsed() < Duration::from_secs(40));
    for conversation in &begun {
        while let Some(event) = conversation.try_next() {
            if let Event::Done(outcome) = event {
                assert!(outcome.expect("it ran").cancelled());
            }
        }
        assert!(conversation.is_over(), "it still goes on");
    }
}

#[tokio::test]
async fn a_call_stops_at_its_questions_and_goes_on_with_all_answers() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    let questions: Vec<String> = ["a", "b"]
        .map(|id| format!(r#"{{"type":"question","question":{{"id":"{id}","text":"?","schema":{{"type":"boolean"}}}}}}"#))
        .into();
    let asks = format!(r#"{{"content":[{}]}}"#, questions.join(","));
    let script = format!(
        r#"echo >> '{}'; grep -q '"a":true' && echo done || echo '{asks}'"#,
        runs.display()
    );
    let begin = |standing| {
        let tool = Process::from(Command::new("sh").args(["-c", &script]));
        let call = Call::new("t", Json::new("{}").unwrap());
        let options = CallOptions {
            suspends: true,
            standing,
            ..CallOptions::default()
        };
        let (conversation, driver) = Conversation::new(Arc::new(tool), call, options);
        tokio::spawn(driver);
        conversation
    };
    let outcome = async |conversation: Conversation| match conversation.next().await {
        Some(Event::Done(outcome)) => outcome.unwrap(),
        event => panic!("{event:?}"),
    };
    let first = outcome(begin(None)).await;
    let suspended = *first.suspended.expect("it asks");
    let ids: Vec<_> = suspended
        .questions
        .iter()
        .map(|asked| &asked.question.id)
        .collect();
    assert_eq!(
        (ids, suspended.standing.rounds),
        (vec![&"a".to_owned(), &"b".to_owned()], 1)
    );

    let mut standing = suspended.standing;
    for asked in &suspended.questions {
        let settled = Settled {
            answer: Answer::accepted(Json::from(true), AnswerSource::User),
            schema: Some(asked.question.schema.clone()),
            suspected: false,
        };
        standing.answers.insert(asked.question.id.clone(), settled);
    }
    let second = outcome(begin(Some(standing))).await;
    assert!(second.suspended.is_none());
    assert_eq!(second.parsed.raw(), b"done\n");
    assert_eq!((second.rounds, second.answers.len()), (2, 2));
    let count = std::fs::read_to_string(&runs).unwrap().lines().count();
    assert_eq!(count, 2, "no round is repeated");
}
