//! Runs the built command as a process, as a person or a script would.

// `hostile` uses a part of this.
#![allow(dead_code)]

#[cfg(unix)]
pub mod contracts;
#[cfg(unix)]
pub mod mcp;
#[cfg(unix)]
pub mod prompt;
#[cfg(unix)]
pub mod session;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

pub const VALID: &str = r#"{"content":[{"type":"text","text":"hello"}]}"#;
pub const WARNING: &str =
    r#"{"content":[{"type":"text","text":"hello"},{"type":"chart","points":[1,2]}]}"#;
pub const RESOURCE: &str = r#"{"content":[{"type":"resource","resource":{"uri":"file:///p/./a.rs","mimeType":"text/rust","text":"fn a() {}"}}]}"#;
pub const BROKEN: &str = "{\n  \"content\": [],\n}\n";

/// What a run of the command gave.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
    pub bytes: Vec<u8>,
}

impl Run {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|_| panic!("not one JSON text: {self:?}"))
    }

    /// Each line of standard output as JSON.
    pub fn json_lines(&self) -> Vec<Value> {
        let parse =
            |line| serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON: {line}"));
        self.stdout.lines().map(parse).collect()
    }
}

/// The command that is tested: the one that cargo built, or the one at the path in
/// `TOOLWIRE_COMMAND`, such as that of an installed package.
pub fn toolwire() -> PathBuf {
    let installed = std::env::var_os("TOOLWIRE_COMMAND").map(PathBuf::from);
    installed.unwrap_or_else(|| env!("CARGO_BIN_EXE_toolwire").into())
}

pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(toolwire());
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR"] {
        command.env_remove(name);
    }
    // A host that a test has started does not outlive it for long.
    command.env("TOOLWIRE_SESSION_IDLE", "5s");
    command
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .stdin(Stdio::piped());
    command
}

/// Runs `toolwire ARGS` with `input` on standard input.
pub fn run(args: &[&str], input: impl AsRef<[u8]>) -> Run {
    run_command(command(args), input.as_ref())
}

/// The command in a folder of a user with this home folder: it reads no file of whoever runs the tests.
pub fn command_at_home(home: &Path, folder: &Path, args: &[&str]) -> Command {
    let mut command = command(args);
    command.current_dir(folder).env("HOME", home);
    for name in [
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "JN_HOME",
    ] {
        command.env_remove(name);
    }
    command
}

pub fn run_command(mut command: Command, input: &[u8]) -> Run {
    let mut child = command.spawn().expect("the command starts");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // The command need not read all of it.
        let _ = stdin.write_all(&input);
    });
    let Output {
        status,
        stdout,
        stderr,
    } = child.wait_with_output().expect("the command ends");
    writer.join().expect("the writer does not panic");
    Run {
        code: status
            .code()
            .expect("the command was not ended by a signal"),
        stdout: String::from_utf8_lossy(&stdout).into_owned(),
        stderr: String::from_utf8_lossy(&stderr).into_owned(),
        bytes: stdout,
    }
}

/// Holds what a run wrote against what it has to say.
pub fn says_all(ran: &Run, code: i32, parts: &[&str]) {
    assert_eq!(ran.code, code, "{ran:?}");
    let all = format!("{}{}", ran.stdout, ran.stderr);
    for part in parts {
        assert!(all.contains(part), "{part:?} is missing:\n{all}");
    }
}

/// What a shell command writes to a terminal of 100 columns.
#[cfg(unix)]
pub fn on_terminal(script: &str, env: &[(&str, &str)]) -> String {
    use std::io::Read;

    use portable_pty::{CommandBuilder, PtySize, native_pty_system};
    let pty = native_pty_system();
    let size = PtySize {
        rows: 40,
        cols: 100,
        ..PtySize::default()
    };
    let pair = pty.openpty(size).unwrap();
    let mut command = CommandBuilder::new("sh");
    let toolwire = toolwire();
    let folder = toolwire.parent().unwrap();
    command.env(
        "PATH",
        format!("{}:{}", folder.display(), std::env::var("PATH").unwrap()),
    );
    command.args(["-c", script]);
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR"] {
        command.env_remove(name);
    }
    command.env("TERM", "xterm-256color");
    for (name, value) in env {
        command.env(name, value);
    }
    let mut reader = pair.master.try_clone_reader().unwrap();
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let reading = std::thread::spawn(move || {
        let mut seen = Vec::new();
        // The end of a pseudo-terminal is an error on Linux.
        let _ = reader.read_to_end(&mut seen);
        String::from_utf8_lossy(&seen).into_owned()
    });
    child.wait().unwrap();
    reading.join().unwrap()
}

#[cfg(unix)]
pub fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::Permissions::from_mode(mode);
    fs::set_permissions(path, mode).expect("the mode can be set");
}

#[cfg(not(unix))]
pub fn set_mode(_: &Path, _: u32) {}

/// A directory of its own for a test, removed with the value.
pub struct Dir(PathBuf);

impl Dir {
    pub fn new() -> Dir {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("toolwire-{}-{number}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).expect("a directory can be made");
        // A manifest in it is the user's own, whatever `umask` says.
        set_mode(&path, 0o755);
        Dir(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file and gives its path.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        fs::write(&path, content).expect("a file can be written");
        set_mode(&path, 0o644);
        path.to_str().expect("the path is UTF-8").to_owned()
    }

    /// Writes a shell script that can be run, and gives its path.
    #[cfg(unix)]
    pub fn program(&self, name: &str, script: &str) -> String {
        let path = self.file(name, format!("#!/bin/sh\n{script}\n"));
        set_mode(Path::new(&path), 0o755);
        path
    }

    /// A program that holds these tools and answers each call with the call itself, as structured
    /// content. `before` is run first, with the call in `$call`.
    #[cfg(unix)]
    pub fn tool(&self, name: &str, tools: &str, before: &str) -> String {
        let script = r#"# toolwire-tool: 1
call=$(cat)
case $call in *'"action":"describe"'*)
    printf '%s' '{"content":[],"structuredContent":{"toolwire":1,"tools":[TOOLS]}}'
    exit;;
esac
BEFORE
printf '{"content":[],"structuredContent":%s}' "$call""#;
        let script = script.replace("TOOLS", tools).replace("BEFORE", before);
        self.program(name, &script)
    }
}

/// A tool that takes a path and some more.
pub const RENAME: &str = r#"{"name":"rename","description":"Rename a file.","annotations":{"destructiveHint":true},"inputSchema":{"type":"object","additionalProperties":false,"properties":{"path":{"type":"string","description":"the file"},"to":{"type":"string"},"limit":{"type":"integer","minimum":1,"default":3},"deep":{"type":"object","properties":{"er":{"type":"boolean"}}},"tags":{"type":"array","items":{"enum":["a","b"]}}},"required":["path"]}}"#;

/// A tool that takes anything.
pub const SEARCH: &str = r#"{"name":"search","title":"Search","inputSchema":{"type":"object"}}"#;

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
