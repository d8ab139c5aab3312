//! Runs the steps of the tests side by side, each as a process whose output goes to a file, and reports
//! progress.

use std::fs::File;
use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::failure::{Failure, Outcome, at};
use crate::passed::Passed;
use crate::runner::{Runner, clock, empty};

/// One step of the tests.
#[derive(Clone, Copy)]
pub struct Step {
    pub name: &'static str,
    /// The steps whose results it uses.
    pub needs: &'static [&'static str],
    /// The steps that it waits for if they run too: they would compete for a lock.
    pub after: &'static [&'static str],
    pub run: fn(&Runner) -> Outcome,
}

/// More than there are cores: most steps wait for processes and for the network.
const SIDE_BY_SIDE: usize = 3;
/// The interval of status lines if stdout is no terminal.
const HEARTBEAT: Duration = Duration::from_secs(30);

enum State {
    Waiting,
    Running(Child, Instant),
    Done {
        took: Duration,
        passed: bool,
    },
    /// A step before it failed.
    LeftOut,
    /// It has passed with the same files.
    Before,
}

struct Entry<'a> {
    step: &'a Step,
    log: PathBuf,
    state: State,
    began: Duration,
}

/// Runs the steps in this order as far as those before them allow, and goes on after a failure. Unless `again`,
/// tests that have passed with the same files are not repeated; what others need is.
pub fn run<'a>(runner: &Runner, steps: &[&'a Step], again: bool) -> Outcome {
    let passed = Passed::new(runner)?;
    let before = |step: &Step| {
        let needed = steps.iter().any(|other| other.needs.contains(&step.name));
        !again && !needed && passed.holds(step.name)
    };
    let logs = runner.target("test-logs");
    empty(&logs)?;
    let entry = |step: &&'a Step| Entry {
        step,
        log: logs.join(format!("{}.log", step.name)),
        state: match before(step) {
            true => State::Before,
            false => State::Waiting,
        },
        began: Duration::ZERO,
    };
    let mut entries: Vec<Entry> = steps.iter().map(entry).collect();
    let mut reported = Instant::now();
    println!(
        "{} steps: {}",
        entries.len(),
        names(&entries, |_| true).join(", ")
    );
    while entries
        .iter()
        .any(|entry| matches!(entry.state, State::Waiting | State::Running(..)))
    {
        let ended = end(runner, &mut entries, &passed)?;
        begin(runner, &mut entries)?;
        let status = status(runner, &entries);
        if std::io::stdout().is_terminal() {
            clear_line();
            print!("{status}");
            let _ = std::io::stdout().flush();
        } else if ended || reported.elapsed() > HEARTBEAT {
            println!("{status}");
            reported = Instant::now();
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    table(runner, &entries)
}

/// Removes the status from a terminal.
fn clear_line() {
    if std::io::stdout().is_terminal() {
        print!("\r\x1b[2K");
    }
}

/// Notes which steps have ended, and shows what one wrote that failed.
fn end(runner: &Runner, entries: &mut [Entry], before: &Passed) -> Result<bool, Failure> {
    let mut any = false;
    for entry in entries.iter_mut() {
        let State::Running(child, since) = &mut entry.state else {
            continue;
        };
        let name = entry.step.name;
        let status = child
            .try_wait()
            .map_err(|error| Failure(format!("step {name}: {error}")))?;
        let Some(status) = status else { continue };
        let took = since.elapsed();
        let passed = status.success();
        entry.state = State::Done { took, passed };
        before.note(name, passed);
        any = true;
        clear_line();
        if passed {
            runner.say(&format!("{name} passed in {}", clock(took)));
        } else {
            let written = std::fs::read(&entry.log).unwrap_or_default();
            println!("{}", String::from_utf8_lossy(&written));
            runner.say(&format!(
                "{name} failed after {}; its output is above, and in {}",
                clock(took),
                entry.log.display()
            ));
        }
    }
    Ok(any)
}

/// Starts the steps whose turn it is.
fn begin(runner: &Runner, entries: &mut [Entry]) -> Outcome {
    for index in 0..entries.len() {
        if !matches!(entries[index].state, State::Waiting) {
            continue;
        }
        let any = |names: &[&str], state: fn(&State) -> bool| {
            let named = |entry: &&Entry| names.contains(&entry.step.name);
            let mut named = entries.iter().filter(named);
            named.any(|entry| state(&entry.state))
        };
        let Step { needs, after, .. } = entries[index].step;
        if any(needs, |state| {
            matches!(state, State::LeftOut | State::Done { passed: false, .. })
        }) {
            entries[index].state = State::LeftOut;
            continue;
        }
        let goes_on = |state: &State| matches!(state, State::Waiting | State::Running(..));
        let running = |entry: &&Entry| matches!(entry.state, State::Running(..));
        if entries.iter().filter(running).count() >= SIDE_BY_SIDE
            || any(needs, goes_on)
            || any(after, goes_on)
        {
            continue;
        }
        let entry = &mut entries[index];
        let failed = |error| Failure(format!("step {}: {error}", entry.step.name));
        let log = File::create(&entry.log).map_err(at(&entry.log))?;
        let mut command = Command::new(std::env::current_exe().map_err(failed)?);
        command.args(["step", entry.step.name]).stdin(Stdio::null());
        command.stdout(log.try_clone().map_err(failed)?).stderr(log);
        let child = command.spawn().map_err(failed)?;
        entry.began = runner.elapsed();
        entry.state = State::Running(child, Instant::now());
    }
    Ok(())
}

/// One line: what runs, since when, and what is left.
fn status(runner: &Runner, entries: &[Entry]) -> String {
    let running = entries.iter().filter_map(|entry| match &entry.state {
        State::Running(_, since) => Some(format!("{} {}", entry.step.name, clock(since.elapsed()))),
        _ => None,
    });
    let running: Vec<String> = running.collect();
    let waiting = names(entries, |state| matches!(state, State::Waiting));
    let then = match waiting.is_empty() {
        true => String::new(),
        false => format!("; then: {}", waiting.join(", ")),
    };
    let done = entries.len() - running.len() - waiting.len();
    format!(
        "    [{}] {done} of {} done; running: {}{then}",
        clock(runner.elapsed()),
        entries.len(),
        running.join(", ")
    )
}

fn names<'a>(entries: &'a [Entry], which: impl Fn(&State) -> bool) -> Vec<&'a str> {
    let chosen = entries.iter().filter(|entry| which(&entry.state));
    chosen.map(|entry| entry.step.name).collect()
}

/// The steps and their times, and how many failed.
fn table(runner: &Runner, entries: &[Entry]) -> Outcome {
    clear_line();
    println!("\n{:<14}{:>7}{:>8}", "step", "began", "took");
    for entry in entries {
        let (took, how) = match &entry.state {
            State::Done { took, passed: true } => (clock(*took), ""),
            State::Done { took, .. } => (clock(*took), "  failed"),
            State::Before => ("".to_owned(), "  passed before with the same files"),
            _ => ("".to_owned(), "  left out, since a step before it failed"),
        };
        let began = clock(entry.began);
        println!("{:<14}{began:>7}{took:>8}{how}", entry.step.name);
    }
    println!("{:<14}{:>15}", "all", clock(runner.elapsed()));
    let failed = names(entries, |state| {
        !matches!(state, State::Done { passed: true, .. } | State::Before)
    });
    println!(
        "\nsteps: {} passed, {} failed",
        entries.len() - failed.len(),
        failed.len()
    );
    match failed.is_empty() {
        true => Ok(()),
        false => Err(Failure(format!("failed: {}", failed.join(", ")))),
    }
}
