//! A workspace with a session host of its own.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Dir, Run, command, run_command, set_mode};

/// Long enough for the slowest machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A tool that runs on, by the line transport: it says what it is given, and where it runs. `ask` makes it ask,
/// `secret` asks for a PIN, `end` ends it. Its process writes its id into `pid`.
pub const ECHO: &str = r#"#!/bin/sh
# toolwire-tool: 1
if [ "$TOOLWIRE_CALL" != lines ]; then
    cat > /dev/null
    printf '%s' '{"content":[],"structuredContent":{"toolwire":1,"tools":[{"name":"echo","inputSchema":{"type":"object","additionalProperties":false,"properties":{"word":{"type":"string"}}},"_meta":{"dev.toolwire/actions":["spawn","fetch","apply","abort"]}}]}}'
    exit
fi
echo $$ >> pid
say() { printf '{"type":"output","call":1,"blocks":[{"type":"text","text":"%s"}]}\n' "$1"; }
while read -r line; do
    case $line in
    *'"type":"hello"'*) echo '{"type":"hello","toolwire":1,"version":1,"calls":1}' ;;
    *'"type":"call"'*) say "began in $PWD with $SHADE" ;;
    *'"input":"ask"'*) echo '{"type":"question","call":1,"question":{"id":"ok","text":"Go on?","schema":{"type":"boolean"}}}' ;;
    *'"input":"secret"'*) echo '{"type":"question","call":1,"question":{"id":"pin","text":"Enter your PIN","schema":{"type":"string"}}}' ;;
    *'"input":"end"'*) exit ;;
    *'"type":"input"'*) x=${line#*'"input":"'}; say "heard ${x%%'"'*}" ;;
    *'"type":"answer"'*) case $line in *true*) say 'said yes' ;; *) say 'said no' ;; esac ;;
    *'"type":"end"'*) exit ;;
    esac
done
"#;

pub struct Workspace {
    pub dir: Dir,
    pub root: PathBuf,
    pub runtime: PathBuf,
}

impl Workspace {
    pub fn new() -> Workspace {
        let dir = Dir::new();
        let path = fs::canonicalize(dir.path()).unwrap();
        let (root, runtime) = (path.join("work"), path.join("run"));
        for folder in [&root, &runtime] {
            fs::create_dir(folder).unwrap();
            set_mode(folder, 0o700);
        }
        let workspace = Workspace { dir, root, runtime };
        workspace.program("echo", ECHO);
        workspace
    }

    pub fn program(&self, name: &str, script: &str) {
        let path = self.root.join(name);
        fs::write(&path, script).unwrap();
        set_mode(&path, 0o755);
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = command(&["session"]);
        command
            .args(args)
            .current_dir(&self.root)
            .env("XDG_RUNTIME_DIR", &self.runtime)
            // A host of which nothing is needed lives on until the next command of a test.
            .env("TOOLWIRE_SESSION_IDLE", "5s")
            .env_remove("SHADE");
        command
    }

    /// Runs `toolwire session ARGS`.
    pub fn run(&self, args: &[&str]) -> Run {
        let mut command = self.command(args);
        command.stdin(Stdio::piped());
        run_command(command, b"")
    }

    /// Runs a script of the shell, with the variables that `run` has.
    pub fn script(&self, path: &str) -> Run {
        let mut shell = Command::new("sh");
        shell
            .arg(path)
            .current_dir(&self.root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        for (name, value) in self.command(&[]).get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        run_command(shell, b"")
    }

    /// The same, where it has to succeed.
    pub fn done(&self, args: &[&str]) -> Run {
        let ran = self.run(args);
        assert_eq!(ran.code, 0, "{args:?}: {ran:?}");
        ran
    }

    pub fn json(&self, args: &[&str]) -> Value {
        let args = [&args[..1], &["--json"], &args[1..]].concat();
        self.run(&args).json()
    }

    /// The host's processes, by what they were started with.
    pub fn hosts(&self) -> Vec<u32> {
        let runtime = self.runtime.to_str().unwrap();
        processes(|words| words.contains("__session-host") && words.contains(runtime))
    }

    pub fn host(&self) -> u32 {
        let hosts = self.hosts();
        assert_eq!(hosts.len(), 1, "one host: {hosts:?}");
        hosts[0]
    }

    /// The file of the host with this extension.
    pub fn file(&self, extension: &str) -> PathBuf {
        let files = self.files();
        let is_it = |path: &&PathBuf| path.extension().is_some_and(|one| one == extension);
        let found = files.iter().find(is_it);
        found
            .unwrap_or_else(|| panic!("no {extension} in {files:?}"))
            .clone()
    }

    /// What hosts have in their folder.
    pub fn files(&self) -> Vec<PathBuf> {
        let Ok(files) = fs::read_dir(self.runtime.join("toolwire")) else {
            return Vec::new();
        };
        files.map(|file| file.unwrap().path()).collect()
    }

    /// The processes of the tool that the test has written.
    pub fn tools(&self) -> Vec<u32> {
        let text = fs::read_to_string(self.root.join("pid")).unwrap_or_default();
        text.lines().map(|line| line.parse().unwrap()).collect()
    }

    /// Ends everything, and sees that nothing is left.
    pub fn end(self) {
        for host in self.hosts() {
            signal(host, "TERM");
        }
        self.nothing_is_left();
    }

    pub fn nothing_is_left(&self) {
        until(|| self.hosts().is_empty());
        for tool in self.tools() {
            until(|| !is_alive(tool));
        }
        until(|| self.files().is_empty());
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        // After a failed test.
        for host in self.hosts() {
            signal(host, "TERM");
        }
    }
}

/// Waits until it is so.
#[track_caller]
pub fn until(mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "it never became so");
        thread::sleep(Duration::from_millis(20));
    }
}

pub fn signal(process: u32, name: &str) {
    let status = Command::new("kill")
        .args(["-s", name, &process.to_string()])
        .status();
    assert!(status.is_ok());
}

/// Whether a process runs; one that has ended and was not waited for does not.
pub fn is_alive(process: u32) -> bool {
    let state = Command::new("ps")
        .args(["-o", "stat=", "-p", &process.to_string()])
        .output()
        .unwrap();
    let state = String::from_utf8_lossy(&state.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

/// The processes whose command line is like that.
pub fn processes(is_it: impl Fn(&str) -> bool) -> Vec<u32> {
    let all = Command::new("ps")
        .args(["-axww", "-o", "pid=,stat=,args="])
        .output()
        .unwrap();
    let all = String::from_utf8_lossy(&all.stdout).into_owned();
    let found = all.lines().filter_map(|line| {
        let (id, rest) = line.trim_start().split_once(' ')?;
        let (state, words) = rest.trim_start().split_once(' ')?;
        (!state.starts_with('Z') && is_it(words)).then(|| id.parse().ok())?
    });
    found.collect()
}

/// The text of the blocks of an envelope.
pub fn text(envelope: &Value) -> String {
    let blocks = envelope["content"].as_array().into_iter().flatten();
    blocks.filter_map(|block| block["text"].as_str()).collect()
}
