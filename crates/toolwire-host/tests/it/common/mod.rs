//! What the tests share: the tool that misbehaves, and looking at processes.

#![cfg_attr(not(target_os = "linux"), allow(dead_code))]

#[cfg(unix)]
pub mod shell;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use std::future::Future;

use toolwire::call::Call;
use toolwire_host::{
    Answerer, CallOptions, CallOutcome, Command, ExchangeOptions, HostError, Process,
    ProcessOptions, Reply, ToolList,
};

/// The tool of `tests/tool`, told how to behave.
pub fn misbehave(how: &str) -> Command {
    Command::new(misbehave_path()).arg(how)
}

pub fn misbehave_path() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    let target = test.ancestors().nth(2).expect("the folder of all targets");
    let name = format!("misbehave{}", std::env::consts::EXE_SUFFIX);
    let path = target.join("examples").join(name);
    assert!(
        path.exists(),
        "the tool of the tests is not built: run `cargo build -p toolwire-host --examples`"
    );
    path
}

/// A line for `sh`, where that says best what a tool does.
pub fn sh(line: &str) -> Command {
    Command::new("sh").args(["-c", line])
}

/// Enough for what ends by itself, and an end for what does not.
pub fn patient() -> ProcessOptions {
    ProcessOptions {
        timeout: Some(Duration::from_secs(60)),
        ..ProcessOptions::default()
    }
}

pub fn within(milliseconds: u64) -> ProcessOptions {
    ProcessOptions {
        timeout: Some(Duration::from_millis(milliseconds)),
        grace: Duration::from_millis(300),
        linger: Duration::from_millis(200),
        ..ProcessOptions::default()
    }
}

pub fn run(tool: &Command, options: &ProcessOptions) -> Reply {
    blocking::run(tool, options).expect("the tool is run")
}

/// How a process is called.
#[derive(Default, Clone)]
pub struct With {
    pub run: ProcessOptions,
    pub exchange: ExchangeOptions,
}

pub async fn call(
    tool: &Command,
    call: Call,
    with: &With,
    answerer: &mut impl Answerer,
) -> Result<CallOutcome, HostError> {
    call_until(tool, call, with, answerer, std::future::pending()).await
}

pub async fn call_until(
    tool: &Command,
    call: Call,
    with: &With,
    answerer: &mut impl Answerer,
    cancel: impl Future<Output = ()>,
) -> Result<CallOutcome, HostError> {
    let process = Process::new(tool.clone(), with.run.clone());
    let options = CallOptions {
        exchange: with.exchange.clone(),
        ..CallOptions::default()
    };
    toolwire_host::call_until(&process, call, &options, answerer, cancel).await
}

pub async fn list_tools(tool: &Command, options: &ProcessOptions) -> Result<ToolList, HostError> {
    toolwire_host::list_tools(&Process::new(tool.clone(), options.clone())).await
}

/// The same for tests that are not asynchronous.
pub mod blocking {
    use super::*;
    use toolwire_host::block_on;

    pub fn run(tool: &Command, options: &ProcessOptions) -> Result<Reply, HostError> {
        block_on(toolwire_host::run(tool, options))
    }

    pub fn run_until(
        tool: &Command,
        options: &ProcessOptions,
        cancel: impl Future<Output = ()>,
    ) -> Result<Reply, HostError> {
        block_on(toolwire_host::run_until(tool, options, cancel))
    }

    pub fn call(
        tool: &Command,
        call: Call,
        with: &With,
        answerer: &mut impl Answerer,
    ) -> Result<CallOutcome, HostError> {
        block_on(super::call(tool, call, with, answerer))
    }

    pub fn call_until(
        tool: &Command,
        call: Call,
        with: &With,
        answerer: &mut impl Answerer,
        cancel: impl Future<Output = ()>,
    ) -> Result<CallOutcome, HostError> {
        block_on(super::call_until(tool, call, with, answerer, cancel))
    }

    pub fn list_tools(tool: &Command, options: &ProcessOptions) -> Result<ToolList, HostError> {
        block_on(super::list_tools(tool, options))
    }
}

/// The texts of the result's text blocks.
pub fn texts(outcome: &Reply) -> Vec<String> {
    let blocks = outcome.parsed.blocks();
    blocks
        .filter_map(|block| block.text().map(|text| text.into_owned()))
        .collect()
}

/// Waits until a condition holds; false if it does not within a minute.
pub fn eventually(mut condition: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(60) {
        if condition() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    false
}

/// Whether a process runs; one that is dead and only waits to be looked after does not.
#[cfg(target_os = "linux")]
pub fn alive(id: u32) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{id}/stat")) else {
        return false;
    };
    // The state follows the name, which stands in parentheses and may hold any character.
    let state = stat.rsplit(')').next().unwrap_or_default().trim_start();
    !state.starts_with(['Z', 'X'])
}

#[cfg(all(unix, not(target_os = "linux")))]
pub fn alive(id: u32) -> bool {
    let ps = std::process::Command::new("ps")
        .args(["-o", "stat=", "-p", &id.to_string()])
        .output()
        .expect("ps runs");
    let state = String::from_utf8_lossy(&ps.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

/// How many children this process has, the dead ones that nobody looked after included; not the one
/// that ends tools when this process is killed (PROC-27).
#[cfg(target_os = "linux")]
pub fn children() -> usize {
    all_children().iter().filter(|id| !is_guardian(id)).count()
}

/// Whether this process has the one that ends tools when it is killed.
#[cfg(target_os = "linux")]
pub fn has_guardian() -> bool {
    all_children().iter().any(|id| is_guardian(id))
}

#[cfg(target_os = "linux")]
fn is_guardian(id: &str) -> bool {
    let line = std::fs::read_to_string(format!("/proc/{id}/cmdline"));
    line.is_ok_and(|line| line.contains("toolwire-guardian"))
}

#[cfg(target_os = "linux")]
fn all_children() -> Vec<String> {
    let tasks = std::fs::read_dir("/proc/self/task").expect("the threads of this process");
    tasks
        .filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("children")).ok())
        .flat_map(|children| {
            let ids = children.split_whitespace().map(str::to_owned);
            ids.collect::<Vec<_>>()
        })
        .collect()
}

/// Runs a test in a process of its own, which no other test disturbs; false in that process, which goes on.
///
/// The name of the test is `concat!(module_path!(), "::", …)`.
pub fn ran_alone(test: &str) -> bool {
    const ALONE: &str = "TOOLWIRE_TEST_ALONE";
    let (_, test) = test.split_once("::").expect("the name of a test");
    if std::env::var(ALONE).as_deref() == Ok(test) {
        return false;
    }
    let this = std::env::current_exe().expect("this program");
    let ran = std::process::Command::new(this)
        .args(["--exact", test, "--nocapture"])
        .env(ALONE, test)
        .output()
        .expect("the test runs");
    let told = [ran.stdout, ran.stderr].concat();
    let told = String::from_utf8_lossy(&told);
    println!("{told}");
    assert!(
        ran.status.success() && told.contains("1 passed"),
        "see above"
    );
    true
}
