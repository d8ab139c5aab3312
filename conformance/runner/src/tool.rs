//! The operation `tool_run`, in which the runner is the host: it starts the program that the harness names in the
//! handshake, which holds the tools of `conformance/tools/`.

use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

pub const OP: &str = "tool_run";

/// The variables with which a host speaks to a tool.
const VARIABLES: [&str; 3] = ["TOOLWIRE_CALL", "TOOLWIRE_RESULT", "TOOLWIRE_EVENTS"];

/// Starts the program with these bytes on its stdin. `env` sets variables; `channel` is true for a result channel,
/// and `missing` for one that cannot be written.
pub fn run(program: &[String], input: &[u8], options: &Value) -> Result<Value, String> {
    let failed = |error: std::io::Error| format!("cannot run `{}`: {error}", program.join(" "));
    let mut command = Command::new(&program[0]);
    command.args(&program[1..]);
    for name in VARIABLES {
        command.env_remove(name);
    }
    for (name, value) in options["env"].as_object().into_iter().flatten() {
        command.env(name, value.as_str().unwrap_or_default());
    }
    let channel = std::env::temp_dir().join(format!("toolwire-channel-{}", std::process::id()));
    let _ = std::fs::remove_file(&channel);
    match &options["channel"] {
        Value::Bool(true) => {
            std::fs::write(&channel, "").map_err(failed)?;
            command.env("TOOLWIRE_RESULT", &channel);
        }
        Value::String(_) => {
            command.env("TOOLWIRE_RESULT", channel.join("missing"));
        }
        _ => {}
    }
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    // A program that does not read its stdin is no error, and the input is small.
    let _ = child.stdin.take().map(|mut stdin| stdin.write_all(input));
    let output = child.wait_with_output().map_err(failed)?;
    let written = std::fs::read(&channel).ok();
    let _ = std::fs::remove_file(&channel);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(json!({"result": {
        "stdout": text(&output.stdout),
        "stderr": text(&output.stderr),
        "exit": output.status.code(),
        "channel": written.map(|bytes| text(&bytes)),
    }}))
}
