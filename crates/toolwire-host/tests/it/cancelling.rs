//! Cancelling a run, gently and by dropping it (PROC-23).

use std::future::pending;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::common::{self, alive, blocking, eventually, misbehave, patient, ran_alone, sh};
use tokio::sync::oneshot;
use toolwire::Exit;
use toolwire_host::{ProcessOptions, StopReason, run, run_until};

fn processes(file: &Path) -> Vec<u32> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.split_whitespace()
        .filter_map(|id| id.parse().ok())
        .collect()
}

#[test]
fn a_cancelled_tool_may_say_goodbye() {
    let (cancel, cancelled) = oneshot::channel::<()>();
    let folder = tempfile::tempdir().expect("a folder");
    let ready = folder.path().join("ready");
    let line =
        r#"trap 'echo bye; exit 4' TERM; echo ready; : > "$1"; while :; do sleep 0.05; done"#;
    let tool = sh(line).arg("sh").arg(&ready);
    let thread = std::thread::spawn(move || {
        assert!(eventually(|| ready.exists()), "the tool does not start");
        cancel.send(())
    });
    let options = ProcessOptions {
        grace: Duration::from_secs(50),
        ..patient()
    };
    let outcome = blocking::run_until(&tool, &options, async {
        let _ = cancelled.await;
    })
    .expect("the tool is run");
    thread
        .join()
        .expect("the thread ends")
        .expect("somebody listens");
    assert!(
        outcome.report.stopped == Some(StopReason::Cancelled)
            && outcome.report.stopped != Some(StopReason::Timeout)
    );
    assert_eq!(outcome.report.exit, Some(Exit::Code(4)));
    assert_eq!(
        common::texts(&outcome),
        [
            "the call was cancelled and the tool was stopped",
            "ready\nbye\n"
        ]
    );
    assert!(outcome.parsed.is_error() && !outcome.parsed.transient());
}

#[test]
fn a_call_that_is_cancelled_already_ends_at_once() {
    let outcome = blocking::run_until(&misbehave("sleep").arg("60"), &patient(), async {});
    assert!(outcome.expect("the tool is run").report.stopped == Some(StopReason::Cancelled));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_future_stops_the_tool_and_removes_all() {
    if ran_alone(concat!(
        module_path!(),
        "::a_dropped_future_stops_the_tool_and_removes_all"
    )) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let ids = folder.path().join("ids");
    let channel = folder.path().join("channel");
    // The trap shows that it is killed if it does not end.
    let line = "trap '' TERM; printf %s \"$TOOLWIRE_RESULT\" > \"$1\"; exec \"$2\" tree \"$3\"";
    let tool = sh(line)
        .arg("sh")
        .arg(&channel)
        .arg(common::misbehave_path())
        .arg(&ids);
    let options = ProcessOptions {
        grace: Duration::from_millis(200),
        ..ProcessOptions::default()
    };
    let running = tokio::spawn(async move { run(&tool, &options).await });
    let begun = Instant::now();
    while processes(&ids).len() < 2 {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "the tool does not start"
        );
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let channel = PathBuf::from(std::fs::read_to_string(&channel).expect("a path"));
    assert!(channel.exists());
    let all = processes(&ids);
    assert!(all.iter().all(|&id| alive(id)));

    running.abort();
    assert!(running.await.expect_err("it was aborted").is_cancelled());
    for id in all {
        assert!(eventually(|| !alive(id)), "{id} lives on");
    }
    assert!(eventually(|| !channel.exists()));
    #[cfg(target_os = "linux")]
    assert!(
        eventually(|| common::children() == 0),
        "a dead child is left"
    );
}

#[tokio::test]
async fn a_dropped_tool_may_clean_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let (ready, cleaned) = (folder.path().join("ready"), folder.path().join("cleaned"));
    // It writes more than a pipe holds before it is done.
    let line = "trap 'sleep 0.2; head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2; echo x > \"$2\"; echo late > \"$TOOLWIRE_RESULT\"; exit' TERM; \
                echo \"$TOOLWIRE_RESULT\" > \"$1.new\"; mv \"$1.new\" \"$1\"; \
                while :; do sleep 0.05; done";
    let tool = sh(line).arg("sh").arg(&ready).arg(&cleaned);
    let options = ProcessOptions::default();
    tokio::select! {
        _ = run(&tool, &options) => unreachable!("it does not end by itself"),
        () = async {
            while !ready.exists() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        } => {}
    }
    let channel = std::fs::read_to_string(&ready).expect("a path");
    let channel = Path::new(channel.trim());
    for _ in 0..2000 {
        if cleaned.exists() && !channel.exists() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(cleaned.exists(), "the tool was killed without being asked");
    panic!("the result channel is left");
}

#[tokio::test]
async fn a_time_out_from_outside_is_dropping_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let ids = folder.path().join("ids");
    let tool = misbehave("tree").arg(&ids);
    let options = ProcessOptions::default();
    let timed = tokio::time::timeout(Duration::from_secs(8), run(&tool, &options)).await;
    assert!(timed.is_err());
    assert_eq!(processes(&ids).len(), 2);
    for id in processes(&ids) {
        while alive(id) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

/// A host moves runs between threads.
#[test]
fn the_future_can_be_sent() {
    fn sendable<T: Send>(_: T) {}
    let (tool, options) = (misbehave("nothing"), ProcessOptions::default());
    sendable(run(&tool, &options));
    sendable(run_until(&tool, &options, pending()));
}

/// PROC-23: a tool that had already ended was not cancelled.
#[tokio::test]
async fn a_tool_that_has_ended_is_not_cancelled() {
    // Nothing else runs in this thread, so that its end is noticed no earlier.
    let late = async { std::thread::sleep(Duration::from_secs(3)) };
    let outcome = run_until(&misbehave("nothing"), &patient(), late).await;
    assert_eq!(outcome.expect("the tool is run").report.stopped, None);
}
