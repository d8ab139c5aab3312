//! The events of one-shot tools: the file, its limits, and tools that mistreat it (EVT rules).

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::common::{patient, run, sh, within};
use tokio::task::JoinHandle;
use toolwire::event::{Level, Message, Progress, ToolEvent};
use toolwire::{Json, call::Call};
use toolwire_host::{
    CallOptions, Command, Conversation, Environment, Event, EventLimits, EventObserver,
    MAX_WAITING_MESSAGES, Process, ProcessOptions, Reply, StopReason,
};

fn progress(done: f64, total: f64) -> ToolEvent {
    ToolEvent::Progress(Progress::new(done, Some(total), None))
}

fn info(text: &str) -> ToolEvent {
    ToolEvent::Message(Message::new(Level::Info, text))
}

/// Runs a tool and takes down what it says, with the time.
fn told(tool: &Command, options: ProcessOptions) -> (Reply, Vec<(Instant, ToolEvent)>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let observer = EventObserver::new({
        let seen = Arc::clone(&seen);
        move |event| {
            let event = (Instant::now(), event.clone());
            seen.lock().expect("no panic").push(event);
        }
    });
    let options = ProcessOptions {
        on_event: Some(observer),
        ..options
    };
    let reply = run(tool, &options);
    let seen = std::mem::take(&mut *seen.lock().expect("no panic"));
    (reply, seen)
}

fn said(line: &str, options: ProcessOptions) -> Vec<ToolEvent> {
    let (_, seen) = told(&sh(line), options);
    seen.into_iter().map(|(_, event)| event).collect()
}

/// The warnings of the host itself.
fn warnings(events: &[ToolEvent]) -> Vec<String> {
    let own = |event: &ToolEvent| match event {
        ToolEvent::Message(message) if message.logger.as_deref() == Some("toolwire") => {
            assert_eq!(message.level, Level::Warning);
            Some(message.text.clone())
        }
        _ => None,
    };
    events.iter().filter_map(own).collect()
}

fn limited(events: EventLimits) -> ProcessOptions {
    ProcessOptions {
        events,
        ..patient()
    }
}

/// The tool waits for what the observer does with each.
#[test]
fn what_a_tool_says_arrives_while_it_runs() {
    let line = r#"
        printf '{"type":"progress","done":1,"total":2}\n' >> "$TOOLWIRE_EVENTS"
        until [ -e "$1/1" ]; do sleep 0.05; done
        printf '{"type":"log","level":"info","message":"half"}\n' >> "$TOOLWIRE_EVENTS"
        until [ -e "$1/2" ]; do sleep 0.05; done
        printf '{"type":"progress","done":2,"total":2}\n' >> "$TOOLWIRE_EVENTS""#;
    let folder = tempfile::tempdir().expect("a folder");
    let seen = Arc::new(Mutex::new(Vec::new()));
    let observer = EventObserver::new({
        let (seen, folder) = (Arc::clone(&seen), folder.path().to_owned());
        move |event| {
            let mut seen = seen.lock().expect("no panic");
            seen.push(event.clone());
            std::fs::write(folder.join(seen.len().to_string()), "").expect("a file");
        }
    });
    let options = ProcessOptions {
        on_event: Some(observer),
        ..patient()
    };
    let reply = run(&sh(line).arg("sh").arg(folder.path()), &options);
    assert_eq!(reply.report.stopped, None, "it came late");
    assert_eq!(
        *seen.lock().expect("no panic"),
        [progress(1.0, 2.0), info("half"), progress(2.0, 2.0)]
    );
    assert!(!reply.parsed.is_error() && reply.report.stdout.is_empty());
}

/// Nobody listens: there is no file, and the host's own is not handed down.
#[test]
fn there_is_a_file_only_if_somebody_listens() {
    let show = sh(r#"printf %s "${TOOLWIRE_EVENTS-none}""#);
    assert_eq!(run(&show, &patient()).report.stdout, b"none");
    let (reply, _) = told(&show, patient());
    let path = String::from_utf8(reply.report.stdout).expect("a path");
    assert!(Path::new(&path).is_absolute() && path.ends_with("/events"));
    assert!(!Path::new(&path).exists(), "it is gone after the run");

    // A host that is a tool itself does not hand down its own.
    let environment = Environment::all().with("TOOLWIRE_EVENTS", "/tmp/of-the-host");
    let options = ProcessOptions {
        environment,
        ..patient()
    };
    assert_eq!(run(&show, &options).report.stdout, b"none");
}

#[test]
fn the_file_is_private() {
    let (reply, _) = told(&sh(r#"ls -l "$TOOLWIRE_EVENTS""#), patient());
    assert!(reply.report.stdout.starts_with(b"-rw-------"));
}

/// Without a line end, and written right before the end: the rest is read before there is a result.
#[test]
fn the_rest_is_read_at_the_end() {
    let line = r#"for i in 1 2 3; do echo "{\"type\":\"log\",\"level\":\"info\",\"message\":\"$i\"}"; done >> "$TOOLWIRE_EVENTS"
        printf '{"type":"progress","done":1,"total":2}' >> "$TOOLWIRE_EVENTS""#;
    assert_eq!(
        said(line, patient()),
        [info("1"), info("2"), info("3"), progress(1.0, 2.0)]
    );
}

#[test]
fn a_tool_that_is_stopped_has_said_what_it_said() {
    let line = r#"echo '{"type":"progress","done":1,"total":2}' >> "$TOOLWIRE_EVENTS"; sleep 60"#;
    let (reply, seen) = told(&sh(line), within(5000));
    assert_eq!(reply.report.stopped, Some(StopReason::Timeout));
    assert_eq!(seen.len(), 1);
}

#[test]
fn the_example_in_a_shell_says_how_far_it_is() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/shell");
    let tool = Command::new(folder.join("checksums.sh"))
        .arg(folder.join("checksums.sh"))
        .arg("no such file");
    let (reply, seen) = told(&tool, patient());
    let mut events: Vec<_> = seen.into_iter().map(|(_, event)| event).collect();
    // Reported only if the host reads the file before the next event replaces it.
    events.retain(|event| *event != progress(0.0, 2.0));
    let warning = Message::new(Level::Warning, "argument 2 is not a file");
    let warning = ToolEvent::Message(warning);
    assert_eq!(events, [progress(1.0, 2.0), warning, progress(2.0, 2.0)]);
    assert!(!reply.parsed.is_error(), "{:?}", reply.report);
    assert!(!run(&tool, &patient()).parsed.is_error());
}

/// A line is whole, whoever else writes at the same time.
#[test]
fn many_may_write_at_once() {
    let line = r#"
        say() { for i in $(seq 200); do printf '{"type":"log","level":"info","message":"%s %0999d"}\n' "$1" "$i"; done >> "$TOOLWIRE_EVENTS"; }
        say a & say b & say c & say d & wait"#;
    let events = said(line, patient());
    assert!(warnings(&events).is_empty(), "{:?}", warnings(&events));
    assert_eq!(events.len(), 800);
}

/// A torn line is put together, however slowly it comes.
#[test]
fn a_line_may_come_in_pieces() {
    let line = r#"
        printf '{"type":"log","level":"in' >> "$TOOLWIRE_EVENTS"; sleep 0.2
        printf 'fo","message":"\303' >> "$TOOLWIRE_EVENTS"; sleep 0.2
        printf '\244"}\n' >> "$TOOLWIRE_EVENTS"; sleep 0.2"#;
    assert_eq!(said(line, patient()), [info("ä")]);
}

#[test]
fn wrong_lines_are_skipped_and_told_once() {
    let line = r#"{
        echo '{"type":"heartbeat","of":"a later version"}'
        echo
        echo '{"type":"log","level":"warn","message":"m"}'
        printf '{"type":"log","level":"info","message":"\377"}\n'
        echo '{"type":"progress","done":NaN}'
        echo '{"type":"progress","done":-1}'
        echo '{"type":"log","level":"info","message":"good"}'
        } >> "$TOOLWIRE_EVENTS""#;
    let events = said(line, patient());
    assert_eq!(events[0], info("good"));
    let warnings = warnings(&events);
    assert_eq!((events.len(), warnings.len()), (2, 1));
    assert!(
        warnings[0].starts_with(
            "4 lines of the events file were ignored, the first is line 3: `level` is"
        ),
        "{}",
        warnings[0]
    );
}

#[test]
fn a_line_has_a_limit() {
    let events = EventLimits {
        max_line: 60,
        ..EventLimits::default()
    };
    // 45 bytes beside the message.
    let of = |length: usize| {
        let text = "x".repeat(length);
        format!(
            r#"echo '{{"type":"log","level":"info","message":"{text}"}}' >> "$TOOLWIRE_EVENTS""#
        )
    };
    let beside = r#"{"type":"log","level":"info","message":""}"#.len();
    let fits = said(&of(60 - beside), limited(events));
    assert_eq!(fits, [info(&"x".repeat(60 - beside))]);
    let over = said(&of(61 - beside), limited(events));
    assert_eq!(
        warnings(&over),
        ["a line of the events file was ignored, line 1: it is longer than 60 bytes"]
    );
    assert_eq!(over.len(), 1);
}

#[test]
fn all_lines_have_a_limit_together() {
    let one = r#"{"type":"log","level":"info","message":"m"}"#.len() as u64 + 1;
    let line = r#"for i in 1 2 3; do echo '{"type":"log","level":"info","message":"m"}'; done >> "$TOOLWIRE_EVENTS""#;
    let most = |max_bytes| {
        limited(EventLimits {
            max_bytes,
            ..EventLimits::default()
        })
    };
    assert_eq!(said(line, most(3 * one)), [info("m"), info("m"), info("m")]);
    let events = said(line, most(2 * one));
    assert_eq!(events[..2], [info("m"), info("m")]);
    let text = format!(
        "the tool wrote more than {} bytes of events; the rest was not read",
        2 * one
    );
    assert_eq!(warnings(&events), [text]);
    assert_eq!(events.len(), 3);
}

#[test]
fn progress_comes_no_more_often_than_it_may() {
    let line = r#"for i in $(seq 20000); do echo "{\"type\":\"progress\",\"done\":$i,\"total\":20000}" >> "$TOOLWIRE_EVENTS"; done; sleep 0.3"#;
    let began = Instant::now();
    let (_, seen) = told(&sh(line), patient());
    assert_eq!(
        seen.last().map(|(_, event)| event),
        Some(&progress(20000.0, 20000.0))
    );
    // 50 milliseconds apart: a busy machine may tell one late, but not more of them. The last two may be at once.
    let time = seen
        .last()
        .map_or(began.elapsed(), |(when, _)| *when - began);
    let most = time.as_millis() / 50 + 2;
    assert!(
        seen.len() as u128 <= most,
        "{} in {time:?}, at most {most}",
        seen.len()
    );
    // It may go back.
    let line = r#"for i in 9 1; do echo "{\"type\":\"progress\",\"done\":$i,\"total\":9}" >> "$TOOLWIRE_EVENTS"; sleep 0.2; done"#;
    assert_eq!(
        said(line, patient()),
        [progress(9.0, 9.0), progress(1.0, 9.0)]
    );
    // Between messages, all of it is told, in order.
    let line = r#"for i in 1 2 3; do
        echo "{\"type\":\"progress\",\"done\":$i,\"total\":3}"
        echo "{\"type\":\"log\",\"level\":\"info\",\"message\":\"$i\"}"; done >> "$TOOLWIRE_EVENTS""#;
    let three = [1.0, 2.0, 3.0].map(|i| [progress(i, 3.0), info(&i.to_string())]);
    assert_eq!(said(line, patient()), three.concat());
}

/// `>` in place of `>>`, and files that are put in the place of this one.
#[test]
fn a_mistreated_file_hurts_nobody() {
    let line = r#"
        echo '{"type":"log","level":"info","message":"the first one"}' > "$TOOLWIRE_EVENTS"; sleep 2
        echo '{"type":"log","level":"info","message":"next"}' > "$TOOLWIRE_EVENTS"; sleep 0.3"#;
    assert_eq!(said(line, patient()), [info("the first one"), info("next")]);
    let before = r#"echo '{"type":"log","level":"info","message":"a"}' >> "$TOOLWIRE_EVENTS"; "#;
    for then in [
        r#"rm "$TOOLWIRE_EVENTS"; mkfifo "$TOOLWIRE_EVENTS""#,
        r#"ln -sf /etc/passwd "$TOOLWIRE_EVENTS""#,
        r#"rm "$TOOLWIRE_EVENTS"; mkdir -p "$TOOLWIRE_EVENTS/a""#,
        r#"chmod 0 "$TOOLWIRE_EVENTS""#,
        r#"truncate -s 10G "$TOOLWIRE_EVENTS""#,
        r#"rm "$TOOLWIRE_EVENTS""#,
    ] {
        let show = r#"printf %s "$TOOLWIRE_EVENTS""#;
        let begun = Instant::now();
        let (reply, seen) = told(
            &sh(&format!("{before} {then}; sleep 0.2; {show}")),
            patient(),
        );
        assert_eq!(seen[0].1, info("a"), "{then}");
        assert!(begun.elapsed() < Duration::from_secs(60), "{then}");
        let path = String::from_utf8(reply.report.stdout).expect("a path");
        assert!(std::fs::symlink_metadata(path).is_err(), "{then}");
    }
}

/// Whoever writes without end does not keep the host from ending it.
#[test]
fn endless_writing_ends_with_the_tool() {
    let line = r#"while :; do echo '{"type":"log","level":"info","message":"m"}'; done >> "$TOOLWIRE_EVENTS""#;
    let begun = Instant::now();
    let events = EventLimits {
        max_bytes: 100_000,
        ..EventLimits::default()
    };
    let options = ProcessOptions {
        events,
        ..within(500)
    };
    let (reply, seen) = told(&sh(line), options);
    assert_eq!(reply.report.stopped, Some(StopReason::Timeout));
    assert!(begun.elapsed() < Duration::from_secs(60));
    assert!(seen.len() < 100_000 / 40);

    // Nor does it fill the disk: what nobody reads is cut off, and who appends goes on.
    let line = r#"cut() { until [ "$(wc -c < "$TOOLWIRE_EVENTS")" -eq 100000 ]; do sleep 0.05; done; }
        head -c 5000000 /dev/zero >> "$TOOLWIRE_EVENTS"; cut
        echo more >> "$TOOLWIRE_EVENTS"; cut; wc -c < "$TOOLWIRE_EVENTS""#;
    let (reply, seen) = told(&sh(line), limited(events));
    assert_eq!(reply.report.stdout.trim_ascii(), b"100000");
    let text = "the tool wrote more than 100000 bytes of events; the rest was not read";
    let events: Vec<_> = seen.into_iter().map(|(_, event)| event).collect();
    assert_eq!(warnings(&events).last().map(String::as_str), Some(text));
}

fn begin(line: &str, tool_events: bool) -> (Conversation, JoinHandle<()>) {
    let process = Arc::new(Process::new(sh(line), patient()));
    let call = Call::new("tool", Json::new("{}").expect("an object"));
    let options = CallOptions {
        tool_events,
        ..CallOptions::default()
    };
    let (conversation, driver) = Conversation::new(process, call, options);
    (conversation, tokio::spawn(driver))
}

#[tokio::test]
async fn a_conversation_gives_them_if_it_is_asked_to() {
    let line = r#"cat > /dev/null; printf '{"type":"progress","done":1}\n{"type":"log","level":"error","message":"m","logger":"l"}\n' >> "${TOOLWIRE_EVENTS:-/dev/null}""#;
    let (conversation, _) = begin(line, true);
    let mut events = Vec::new();
    while let Some(event) = conversation.next().await {
        events.push(event);
    }
    let [
        Event::Progress(progress),
        Event::Message(message),
        Event::Done(Ok(_)),
    ] = &events[..]
    else {
        panic!("{events:?}");
    };
    assert_eq!(*progress, Progress::new(1.0, None, None));
    assert_eq!(*message, Message::new(Level::Error, "m").by("l"));

    let (conversation, _) = begin(line, false);
    assert!(matches!(
        conversation.next().await,
        Some(Event::Done(Ok(_)))
    ));
}

/// Nobody takes them: the tool does not wait, the host does not grow, and the last words are there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_takes_is_bounded() {
    let line = r#"cat > /dev/null
        awk 'BEGIN { for (i = 1; i <= 30000; i++) printf "{\"type\":\"progress\",\"done\":%d}\n{\"type\":\"log\",\"level\":\"info\",\"message\":\"%0100d\"}\n", i, i }' >> "$TOOLWIRE_EVENTS""#;
    let (conversation, driver) = begin(line, true);
    driver.await.expect("the end of the call");
    let (mut bytes, mut progress, mut messages) = (0, 0, Vec::new());
    while let Some(event) = conversation.next().await {
        match event {
            Event::Progress(last) => {
                progress += 1;
                assert_eq!(last.done, 30000.0);
            }
            Event::Message(message) => {
                bytes += message.text.len();
                messages.push(message.text);
            }
            Event::Done(outcome) => assert!(!outcome.expect("it runs").parsed.is_error()),
            _ => {}
        }
    }
    assert_eq!(progress, 1, "only the latest waits");
    assert!(bytes <= MAX_WAITING_MESSAGES);
    let missing = 30001 - messages.len();
    assert_eq!(
        messages[0],
        format!("{missing} log messages were left out here: they came faster than they were taken")
    );
    assert!(messages.last().expect("some").ends_with("30000"));
}
