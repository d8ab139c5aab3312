//! Many runs and endless outputs leave nothing behind and stay within their memory (PROC-10,
//! PROC-27). One process for all, so one test: what others open would be counted too.

use crate::common::{self, With, misbehave, within};
use toolwire::Json;
use toolwire::call::{Answer, AnswerSource, Call};
use toolwire_host::{Environment, EventObserver, PendingQuestion, ProcessOptions, StopReason};

/// The memory of this process in bytes.
fn memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("the state of this process");
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<usize>().ok());
    kilobytes.expect("the memory in use") * 1024
}

fn open_files() -> usize {
    std::fs::read_dir("/proc/self/fd")
        .expect("the open files")
        .count()
}

#[test]
fn nothing_is_left_behind() {
    // Everything temporary goes to a folder of its own, where it can be counted. Nothing else runs
    // in this process that could be looking at the variable.
    let folder = tempfile::tempdir().expect("a folder");
    let line = format!("{}", folder.path().display());
    if std::env::var("TMPDIR").as_deref() != Ok(line.as_str())
        && std::env::var_os("LEAKS_INSIDE").is_none()
    {
        let this = std::env::current_exe().expect("this test");
        let status = std::process::Command::new(this)
            .args(["--exact", "leaks::nothing_is_left_behind", "--nocapture"])
            .env("TMPDIR", folder.path())
            .env("LEAKS_INSIDE", "1")
            .status()
            .expect("the test runs");
        assert!(status.success(), "see above");
        return;
    }
    let temporary = std::env::temp_dir();
    let files = || std::fs::read_dir(&temporary).expect("the folder").count();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let run = |how: &str, options: &ProcessOptions| {
        runtime
            .block_on(toolwire_host::run(&misbehave(how), options))
            .expect("the tool is run")
    };
    let options = ProcessOptions {
        environment: Environment::all(),
        on_event: Some(EventObserver::new(|_| {})),
        ..ProcessOptions::default()
    };

    // What is made once and kept is not a leak.
    for _ in 0..50 {
        run("nothing", &options);
    }
    let (files_before, open_before, memory_before) = (files(), open_files(), memory());
    for _ in 0..1000 {
        assert!(run("nothing", &options).report.stopped.is_none());
    }
    assert_eq!(files(), files_before, "temporary files are left");
    assert_eq!(open_files(), open_before, "open files are left");
    assert_eq!(common::children(), 0, "processes are left");
    let grown = memory().saturating_sub(memory_before);
    assert!(grown < 2_000_000, "a thousand runs take {grown} bytes");

    // A call with a question: two runs, and an answer between them.
    let calls = With {
        run: options.clone(),
        ..With::default()
    };
    let mut yes = |_: &PendingQuestion| Answer::accepted(Json::from(true), AnswerSource::User);
    let mut call = || {
        let call = Call::new("ask", Json::new("{}").expect("JSON"));
        let tool = misbehave("ask").arg("1");
        let outcome = runtime
            .block_on(common::call(&tool, call, &calls, &mut yes))
            .expect("the tool is run");
        assert_eq!((outcome.rounds, outcome.answers.len()), (2, 1));
    };
    for _ in 0..50 {
        call();
    }
    let memory_before_calls = memory();
    for _ in 0..1000 {
        call();
    }
    assert_eq!(files(), files_before, "temporary files are left");
    assert_eq!(open_files(), open_before, "open files are left");
    assert_eq!(common::children(), 0, "processes are left");
    let grown = memory().saturating_sub(memory_before_calls);
    assert!(grown < 2_000_000, "a thousand calls take {grown} bytes");

    // Gigabytes could be written in this time.
    let flood = ProcessOptions {
        max_output: 1_000_000,
        ..within(800)
    };
    let stderr = run("flood-stderr", &flood);
    assert!(stderr.report.stopped == Some(StopReason::Timeout));
    let events = run(
        "flood-events",
        &ProcessOptions {
            on_event: options.on_event.clone(),
            ..within(800)
        },
    );
    assert!(events.report.stopped == Some(StopReason::Timeout));
    let stdout = run("flood", &flood);
    assert_eq!(stdout.report.stdout.len(), 1_000_000);
    let grown = memory().saturating_sub(memory_before);
    assert!(grown < 16_000_000, "three floods take {grown} bytes");
    drop((stderr, stdout));
    assert_eq!(
        (files(), open_files(), common::children()),
        (files_before, open_before, 0)
    );

    // What ends tools when this process is killed goes when there are none.
    assert!(common::has_guardian());
    let there = || common::has_guardian();
    runtime.block_on(async {
        while there() {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    });
    assert!(open_files() < open_before);
}
