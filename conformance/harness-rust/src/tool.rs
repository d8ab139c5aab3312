//! The tools of `src/bin/parity.rs`, run as a process.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// The program that holds the tools, beside this one.
pub fn program() -> PathBuf {
    let name = format!("parity{}", std::env::consts::EXE_SUFFIX);
    std::env::current_exe()
        .expect("a path")
        .with_file_name(name)
}

/// What the tools answer to a call.
pub fn run(call: &[u8]) -> Value {
    let mut child = Command::new(program())
        .env("TOOLWIRE_CALL", "stdin")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program `parity` beside this one");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(call).expect("a tool that reads its call");
    drop(stdin);
    let output = child.wait_with_output().expect("an answer");
    let text = String::from_utf8_lossy(&output.stdout);
    json!({"text": text.strip_suffix('\n'), "exit": output.status.code()})
}
