//! Scripts: cases whose tool is the program `conformance/scripts/fake`. The runner gives it its steps, and then looks
//! at what it saw and what is left of it.

use crate::case::Case;
use crate::compare::Difference;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Processes and files of a run are gone after this time, on any machine.
const GONE: Duration = Duration::from_secs(5);

static NUMBER: AtomicUsize = AtomicUsize::new(0);

/// Whether an operation runs the fake tool.
pub fn is_script(op: &str) -> bool {
    op.starts_with("host_")
}

/// A script that is being run; its folder goes with it.
pub struct Script {
    folder: PathBuf,
}

impl Script {
    /// Writes the steps down, and replaces them in the options by the program that carries them out.
    pub fn prepare(root: &Path, case: &Case, options: &mut Value) -> Result<Self, String> {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("toolwire-script-{}-{number}", std::process::id());
        let script = Script {
            folder: std::env::temp_dir().join(name),
        };
        let failed = |error: std::io::Error| format!("cannot write the script: {error}");
        std::fs::create_dir_all(&script.folder).map_err(failed)?;
        let steps = script.folder.join("steps.json");
        let runs = case.options.get("script").cloned().unwrap_or_default();
        let text = json!({"runs": runs, "seen": script.seen_file()}).to_string();
        std::fs::write(&steps, text).map_err(failed)?;
        let members = options.as_object_mut().ok_or("the options are no object")?;
        members.remove("script");
        if !members.contains_key("program") {
            let fake = root.join("conformance/scripts/fake");
            let fake = std::path::absolute(fake).map_err(|error| error.to_string())?;
            let mut program = vec![json!("python3"), json!(fake)];
            if let Some(Value::Array(arguments)) = members.remove("args") {
                program.extend(arguments);
            }
            members.insert("program".to_owned(), Value::Array(program));
        }
        let env = members.entry("env").or_insert_with(|| json!({}));
        env["FAKE_SCRIPT"] = json!(steps);
        Ok(script)
    }

    fn seen_file(&self) -> PathBuf {
        self.folder.join("seen")
    }

    /// Adds what the tool saw to a response, one object for each run, and finds what was left behind.
    pub fn observe(&self, response: &mut Value) -> Vec<Difference> {
        let text = std::fs::read_to_string(self.seen_file()).unwrap_or_default();
        let records: Vec<Value> = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        if let Some(result) = response.get_mut("result").and_then(Value::as_object_mut) {
            result.insert("seen".to_owned(), Value::Array(runs(&records)));
        }
        let deadline = Instant::now() + GONE;
        let mut left = Vec::new();
        for record in &records {
            let processes = [&record["pid"], &record["child"]];
            for id in processes.into_iter().filter_map(Value::as_u64) {
                if !wait_until(deadline, || !is_alive(id)) {
                    left.push(Difference::new(
                        "/left",
                        "no process",
                        format!("process {id}"),
                    ));
                }
            }
            let files = record["files"].as_array().into_iter().flatten();
            for file in files.filter_map(Value::as_str) {
                if !wait_until(deadline, || std::fs::symlink_metadata(file).is_err()) {
                    left.push(Difference::new("/left", "no file", file));
                }
            }
        }
        left
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        // What can't be removed lies in the folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The records of each run, put together: of several records `line`, the member `lines` has all.
fn runs(records: &[Value]) -> Vec<Value> {
    let mut runs: Vec<Map<String, Value>> = Vec::new();
    for record in records {
        let run = record["run"].as_u64().unwrap_or_default() as usize;
        runs.resize_with(runs.len().max(run + 1), Map::new);
        for (name, value) in record.as_object().into_iter().flatten() {
            match name.as_str() {
                "run" | "pid" | "child" | "files" => {}
                "line" => {
                    let lines = runs[run].entry("lines").or_insert_with(|| json!([]));
                    lines.as_array_mut().expect("an array").push(value.clone());
                }
                _ => {
                    runs[run].insert(name.clone(), value.clone());
                }
            }
        }
    }
    runs.into_iter().map(Value::Object).collect()
}

/// Whether a process runs; a zombie that nobody has waited for does not.
fn is_alive(id: u64) -> bool {
    let output = Command::new("ps")
        .args(["-o", "stat=", "-p", &id.to_string()])
        .output();
    output.is_ok_and(|output| {
        let state = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        !state.is_empty() && !state.starts_with('Z')
    })
}

fn wait_until(deadline: Instant, done: impl Fn() -> bool) -> bool {
    while !done() {
        if Instant::now() > deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_records_of_a_run_are_put_together() {
        let records = [
            json!({"run": 0, "pid": 7, "files": []}),
            json!({"run": 0, "line": {"type": "hello"}}),
            json!({"run": 0, "line": null}),
            json!({"run": 1, "argv": ["a"]}),
        ];
        let expected = [
            json!({"lines": [{"type": "hello"}, null]}),
            json!({"argv": ["a"]}),
        ];
        assert_eq!(runs(&records), expected);
        assert!(is_alive(u64::from(std::process::id())) && !is_alive(u64::from(u32::MAX)));
    }
}
