//! What a person at a terminal sees of a tool that runs.

use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::common::{self, Dir, on_terminal};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};

const PATIENCE: Duration = Duration::from_secs(60);

/// A shell command on a terminal that can be typed on.
struct Terminal {
    seen: Arc<Mutex<Vec<u8>>>,
    keys: Box<dyn Write + Send>,
    reading: std::thread::JoinHandle<()>,
    child: Box<dyn portable_pty::Child + Send + Sync>,
    _master: Box<dyn portable_pty::MasterPty + Send>,
}

impl Terminal {
    fn start(dir: &Dir, script: &str) -> Terminal {
        let size = PtySize {
            rows: 30,
            cols: 80,
            ..PtySize::default()
        };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new("sh");
        command.args(["-c", script]);
        command.cwd(dir.path());
        let toolwire = common::toolwire();
        let folder = toolwire.parent().unwrap();
        let path = std::env::var("PATH").unwrap();
        command.env("PATH", format!("{}:{path}", folder.display()));
        command.env("TERM", "xterm-256color");
        let child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&seen);
        let reading = std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(read @ 1..) = reader.read(&mut buffer) {
                shared.lock().unwrap().extend_from_slice(&buffer[..read]);
            }
        });
        let keys = pair.master.take_writer().unwrap();
        Terminal {
            seen,
            keys,
            reading,
            child,
            _master: pair.master,
        }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.seen.lock().unwrap()).into_owned()
    }

    fn wait_for(&self, words: &str) {
        let start = Instant::now();
        while !self.text().contains(words) {
            assert!(
                start.elapsed() < PATIENCE,
                "no {words:?} in {:?}",
                self.text()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits for the end of the script, which tells the exit code of the command.
    fn end(mut self) -> String {
        self.wait_for("code=");
        self.child.wait().unwrap();
        self.reading.join().unwrap();
        String::from_utf8_lossy(&self.seen.lock().unwrap()).into_owned()
    }
}

#[test]
fn a_tool_that_takes_its_time_has_a_sign_with_seconds() {
    let dir = Dir::new();
    dir.program("slow", "sleep 2.5; echo done");
    let path = dir.path().display();
    let seen = on_terminal(&format!("cd {path}; toolwire run ./slow"), &[]);
    assert!(
        seen.contains("slow  0 s") && seen.contains("slow  1 s"),
        "{seen:?}"
    );
    // It is taken back before the result is written.
    assert!(seen.ends_with("\r\x1b[2Kdone\r\n"), "{seen:?}");
    for (script, env) in [
        ("toolwire run ./slow 2>/dev/null", &[][..]),
        ("toolwire run ./slow", &[("TERM", "dumb")]),
    ] {
        let seen = on_terminal(&format!("cd {path}; {script}"), env);
        assert_eq!(seen, "done\r\n", "{script}");
    }
    dir.program("quick", "echo done");
    // A busy machine makes one slow now and then, but not all of them.
    let quick = format!("cd {path}; toolwire run ./quick");
    assert!((0..20).any(|_| on_terminal(&quick, &[]) == "done\r\n"));
    // The result goes elsewhere; the sign is still for whoever waits.
    let seen = on_terminal(&format!("cd {path}; toolwire run ./slow > out"), &[]);
    assert!(
        seen.contains("slow  1 s") && !seen.contains("done"),
        "{seen:?}"
    );
}

#[test]
fn what_the_tool_says_is_shown_safely_and_the_sign_makes_way() {
    let dir = Dir::new();
    let script = r"cat > /dev/null
        printf 'one\033]0;title\007\n' >&2; sleep 0.6
        printf 'half' >&2; sleep 0.4; printf ' a line\n10%%\r20%%' >&2; sleep 0.3
        printf '\r30%%\n' >&2; sleep 2; printf 'end' >&2; echo result";
    dir.program("noisy", script);
    let seen = on_terminal(
        &format!("cd {}; toolwire run --call ./noisy", dir.path().display()),
        &[],
    );
    assert!(seen.contains("│ one␛]0;title␇\r\n"), "{seen:?}");
    assert!(
        !seen.contains("\x1b]0;") && !seen.contains('\x07'),
        "{seen:?}"
    );
    // A line that is not complete is shown where the sign would be, and then as a whole.
    assert!(seen.contains("\r\x1b[2K│ half"), "{seen:?}");
    assert!(seen.contains("\r\x1b[2K│ half a line\r\n"), "{seen:?}");
    assert!(seen.contains("\r\x1b[2K│ 20%"), "{seen:?}");
    assert!(
        seen.contains("\r\x1b[2K│ 30%\r\n") && !seen.contains("10%\r\n"),
        "{seen:?}"
    );
    assert!(seen.contains("noisy  "), "{seen:?}");
    assert!(seen.ends_with("│ end\r\nresult\r\n"), "{seen:?}");
    // The sign never stands on a line with the tool's words.
    for line in seen.split("\r\n") {
        for part in line
            .split("\x1b[2K")
            .filter(|part| part.contains("noisy  "))
        {
            assert!(!part.contains("half") && !part.contains('%'), "{seen:?}");
        }
    }
}

/// What is printed beside the result channel, of each run, before the question that it ended with.
#[test]
fn what_the_tool_prints_beside_its_answer_is_shown_safely() {
    let dir = Dir::new();
    let script = r#"call=$(cat); printf 'one\033]0;title\007\ntwo'
printf '{"content":[{"type":"text","text":"real"}]}' > "$TOOLWIRE_RESULT""#;
    dir.program("tool", script);
    let path = dir.path().display();
    let seen = on_terminal(&format!("cd {path}; toolwire run --call ./tool"), &[]);
    let unmarked = seen.replace("\x1b[?7l", "").replace("\x1b[?7h", "");
    assert_eq!(unmarked, "│ one␛]0;title␇\r\n│ two\r\nreal\r\n");
    let seen = on_terminal(&format!("cd {path}; toolwire run ./tool > out"), &[]);
    let unmarked = seen.replace("\x1b[?7l", "").replace("\x1b[?7h", "");
    assert_eq!(unmarked, "│ one␛]0;title␇\r\n│ two\r\n");
}

#[test]
fn colours_of_the_tool_stay_unless_there_are_to_be_none() {
    let dir = Dir::new();
    dir.program(
        "red",
        "printf '\\033[31mred\\033[0m\\n' >&2; cat > /dev/null",
    );
    let script = format!(
        "cd {}; toolwire run ./red > /dev/null",
        dir.path().display()
    );
    assert!(on_terminal(&script, &[]).contains("\x1b[31mred"));
    let plain = on_terminal(&script, &[("NO_COLOR", "1")]);
    assert!(
        !plain.contains("\x1b[31m") && plain.contains("red"),
        "{plain:?}"
    );
}

#[test]
fn ctrl_c_cancels_the_tool() {
    let dir = Dir::new();
    dir.program("slow", "echo begun; echo $$ > pid; sleep 60");
    let mut terminal = Terminal::start(&dir, "trap : INT; toolwire run ./slow > out; echo code=$?");
    terminal.wait_for("slow  1 s");
    terminal.press("\x03");
    let seen = terminal.end();
    assert!(seen.contains("code=130"), "{seen:?}");
    let out = std::fs::read_to_string(dir.path().join("out")).unwrap();
    assert!(out.contains("cancelled") && out.contains("begun"), "{out}");
}

/// What is asked, and how, is shown in tests/it/prompts.rs; here only that a person is asked at all.
#[test]
fn a_question_is_put_to_the_person() {
    let question = r#"{"id":"q","text":"Go on?","schema":{"type":"boolean"},"default":true}"#;
    let dir = Dir::new();
    let before = format!(
        r#"case $call in *'"q":{{"source"'*) sleep 2.5;; *)
    printf '%s' '{{"content":[{{"type":"text","text":"What is above."}},{{"type":"question","question":{question}}}]}}'
    exit;;
esac"#
    );
    dir.tool(
        "ask",
        r#"{"name":"ask","inputSchema":{"type":"object"}}"#,
        &before,
    );
    let script = "toolwire run --format json ./ask > out; echo code=$?";
    let mut terminal = Terminal::start(&dir, script);
    terminal.wait_for("Go on?");
    std::thread::sleep(Duration::from_millis(700));
    let before = terminal.text();
    assert!(before.contains("What is above."), "{before:?}");
    // No sign while somebody thinks.
    let (_, asked) = before.split_once("Go on?").expect("the question");
    assert!(
        !asked.contains(" s\x1b") && !asked.contains("ask  "),
        "{before:?}"
    );
    terminal.press("n");
    terminal.press("\r");
    let seen = terminal.end();
    assert!(seen.contains("code=0"), "{seen:?}");
    // It counts anew when the tool runs again.
    let after = seen.strip_prefix(&before).expect("what came after it");
    assert!(after.contains("ask  0 s"), "{seen:?}");
    let out = std::fs::read_to_string(dir.path().join("out")).unwrap();
    assert!(
        out.contains(r#""q":{"source":"user","state":"accepted"}"#),
        "{out}"
    );
    assert!(out.contains(r#""answers":{"q":false}"#), "{out}");

    // Esc cancels the question, not the call: the tool is told. Ctrl-C ends the call (prompt_keys.rs).
    let mut terminal = Terminal::start(&dir, script);
    terminal.wait_for("Go on?");
    std::thread::sleep(Duration::from_millis(300));
    terminal.press("\x1b");
    let seen = terminal.end();
    assert!(seen.contains("code=0"), "{seen:?}");
    let out = std::fs::read_to_string(dir.path().join("out")).unwrap();
    assert!(
        out.contains(r#""q":{"source":"user","state":"cancelled"}"#),
        "{out}"
    );

    // Nobody can type where standard input is no terminal, and the tool goes on without an answer.
    let piped = "cat /dev/null | toolwire run --format json ./ask > out; echo code=$?";
    let seen = Terminal::start(&dir, piped).end();
    assert!(seen.contains("code=0"), "{seen:?}");
    let out = std::fs::read_to_string(dir.path().join("out")).unwrap();
    assert!(
        out.contains(r#""q":{"source":"policy","state":"unavailable"}"#),
        "{out}"
    );
    let piped = "cat /dev/null | toolwire run --non-interactive fail ./ask > out; echo code=$?";
    let seen = Terminal::start(&dir, piped).end();
    assert!(
        seen.contains("code=1") && seen.contains("--answer q=true"),
        "{seen:?}"
    );
}

#[test]
fn a_signal_withdraws_a_question_and_gives_the_terminal_back() {
    for (signal, code) in [("-TERM", "143"), ("-QUIT", "131"), ("-ALRM", "142")] {
        withdraws(signal, code);
    }
}

fn withdraws(signal: &str, code: &str) {
    let dir = Dir::new();
    let question = r#"{"content":[{"type":"question","question":{"id":"q","text":"Go on?","schema":{"type":"boolean"}}}]}"#;
    let tool = r#"{"name":"x","inputSchema":{"type":"object"}}"#;
    dir.tool("ask", tool, &format!("printf '%s' '{question}'; exit"));
    let script = "toolwire run ./ask > out & echo $! > pid; fg > /dev/null; \
                  echo code=$?; stty -a | grep -c -- ' icanon'";
    let terminal = Terminal::start(&dir, &format!("set -m; {script}"));
    terminal.wait_for("Go on?");
    std::thread::sleep(Duration::from_millis(300));
    let pid = std::fs::read_to_string(dir.path().join("pid")).unwrap();
    let sent = std::process::Command::new("kill")
        .args([signal, pid.trim()])
        .status()
        .unwrap();
    assert!(sent.success());
    let seen = terminal.end();
    assert!(
        seen.contains(&format!("code={code}\r\n1\r\n")),
        "{signal}: {seen:?}"
    );
}

#[test]
fn results_are_for_the_terminal_on_one() {
    let dir = Dir::new();
    let result = r#"{"content":[{"type":"text","text":"**bold**\u001b]0;t\u0007"}]}"#;
    dir.program("tool", &format!("printf '%s' '{result}'"));
    let path = dir.path().display();
    for format in ["", "--format model", "--format terminal", "--format json"] {
        let seen = on_terminal(&format!("cd {path}; toolwire run {format} ./tool"), &[]);
        assert!(seen.contains("**bold**"), "{seen:?}");
        assert!(
            !seen.contains("\x1b]0;") && !seen.contains('\x07'),
            "{format}: {seen:?}"
        );
    }
}

#[test]
fn tables_fit_the_terminal() {
    let dir = Dir::new();
    let words = "many words about it ".repeat(20);
    let tool = format!(
        r#"{{"name":"tool","description":"{words}","inputSchema":{{"type":"object","properties":{{"argument":{{"type":"string","description":"{words}"}}}}}}}}"#
    );
    dir.tool("tool", &tool, "");
    dir.file(
        "toolwire.toml",
        format!("[tools.tool]\ncommand = './tool'\ndescription = '{words}'\n"),
    );
    let path = dir.path().display();
    for columns in [30, 60, 100] {
        for command in ["tools ./tool", "tools"] {
            let script = format!("cd {path}; stty cols {columns}; toolwire {command}");
            let seen = on_terminal(&script, &[("NO_COLOR", "1")]);
            assert!(seen.contains("many words"), "{seen}");
            for line in seen.lines() {
                assert!(line.chars().count() <= columns, "{columns}: {line:?}");
            }
        }
    }
}

/// Asks for a name where `ssh`, `sudo` and `git` ask for passwords.
const ASKS: &str =
    "cat > /dev/null; printf 'Name: ' > /dev/tty && read name < /dev/tty && echo \"hello $name\"";

/// It would stop behind a sign that turns for ever.
#[test]
fn a_tool_that_asks_on_the_terminal_fails_at_once_and_says_what_to_do() {
    let dir = Dir::new();
    dir.program("asks", ASKS);
    let script = "toolwire run --call --format json ./asks > out; echo code=$?";
    let start = Instant::now();
    let seen = Terminal::start(&dir, script).end();
    assert!(start.elapsed() < Duration::from_secs(60));
    assert!(
        seen.contains("code=1") && !seen.contains("Name: "),
        "{seen:?}"
    );
    assert!(
        seen.contains("GIT_ASKPASS") && seen.contains("--tty"),
        "{seen:?}"
    );
    let out = std::fs::read_to_string(dir.path().join("out")).unwrap();
    assert!(out.contains("/dev/tty"), "{out}");
    // One that fails for another reason is not told so.
    dir.program("fails", "cat > /dev/null; echo 'no such file' >&2; exit 1");
    let seen = Terminal::start(&dir, "toolwire run --call ./fails; echo code=$?").end();
    assert!(
        seen.contains("code=1") && !seen.contains("--tty"),
        "{seen:?}"
    );
}

/// What is left of a tool can't type an answer: it has no terminal to type it on.
#[test]
fn what_a_tool_leaves_behind_has_no_terminal() {
    let dir = Dir::new();
    let left = "import os, sys, time
if os.fork(): sys.exit()
os.setpgid(0, 0)
os.closerange(0, 3)
time.sleep(0.5)
try: said = os.open('/dev/tty', os.O_RDWR) and 'a terminal'
except OSError as error: said = error.strerror
with open('left.new', 'w') as file: file.write(said)
os.rename('left.new', 'left')";
    dir.file("leave.py", left);
    dir.program("tool", "cat > /dev/null; python3 leave.py; echo done");
    let wait = "while ! test -e left; do sleep 0.1; done";
    let script = format!("toolwire run --call ./tool; {wait}; echo code=$?");
    let seen = Terminal::start(&dir, &script).end();
    assert!(seen.contains("done"), "{seen:?}");
    let left = std::fs::read_to_string(dir.path().join("left")).unwrap();
    assert_eq!(left, "No such device or address");
}

/// It is the tool's alone, and then the command's again.
#[test]
fn a_terminal_that_is_handed_over_is_the_tools() {
    let dir = Dir::new();
    dir.program("asks", ASKS);
    let script = "toolwire run --tty --call ./asks; echo ended=$?; read line; echo code=$line";
    let mut terminal = Terminal::start(&dir, script);
    terminal.wait_for("Name: ");
    std::thread::sleep(Duration::from_millis(800));
    assert!(terminal.text().ends_with("Name: "), "{:?}", terminal.text());
    terminal.press("Ada\n");
    terminal.wait_for("ended=0");
    terminal.press("mine\n");
    let seen = terminal.end();
    assert!(
        seen.contains("hello Ada") && seen.contains("code=mine"),
        "{seen:?}"
    );

    // What it writes to standard error is there at once, to the letter, and kept.
    dir.program(
        "says",
        "cat > /dev/null; printf '\\033[1mName: ' >&2; read name < /dev/tty; printf '\\nwhy' >&2; exit 3",
    );
    let script = "toolwire run --tty --call --format json ./says; echo code=$?";
    let mut terminal = Terminal::start(&dir, script);
    terminal.wait_for("\x1b[1mName: ");
    terminal.press("Ada\n");
    let seen = terminal.end();
    assert!(
        seen.contains(r#""\u001b[1mName:"]"#)
            && seen.contains(r#""text":"why""#)
            && seen.contains("code=1"),
        "{seen:?}"
    );
}

#[test]
fn ctrl_c_ends_a_tool_that_has_the_terminal_and_its_modes_with_it() {
    let dir = Dir::new();
    let script = "cat > /dev/null; stty -icanon -echo < /dev/tty; echo ready > /dev/tty; sleep 60";
    dir.program("raw", script);
    let script = "trap : INT; toolwire run --tty --call ./raw > out; echo ended=$?; \
                  echo code=$(stty -a | grep -c -- ' icanon')";
    let mut terminal = Terminal::start(&dir, script);
    terminal.wait_for("ready");
    terminal.press("\x03");
    let seen = terminal.end();
    assert!(
        seen.contains("ended=130") && seen.contains("code=1"),
        "{seen:?}"
    );
}

#[test]
fn ctrl_z_stops_the_command_with_the_tool() {
    let dir = Dir::new();
    dir.program("asks", ASKS);
    let script = "set -m; toolwire run --tty --call ./asks; echo stopped=$?; fg; echo code=$?";
    let mut terminal = Terminal::start(&dir, script);
    terminal.wait_for("Name: ");
    terminal.press("\x1a");
    terminal.wait_for("stopped=1");
    // What is typed before the tool has the terminal again may be lost.
    let start = Instant::now();
    while !terminal.text().contains("hello Ada") && start.elapsed() < PATIENCE {
        terminal.press("Ada\n");
        std::thread::sleep(Duration::from_millis(500));
    }
    let seen = terminal.end();
    assert!(
        seen.contains("hello Ada") && seen.contains("code=0"),
        "{seen:?}"
    );
}

#[test]
fn a_command_that_has_no_terminal_can_not_hand_it_over() {
    let dir = Dir::new();
    dir.program("tool", "echo ran");
    let script = "set -m; toolwire run --tty ./tool & wait $!; echo code=$?";
    let seen = Terminal::start(&dir, script).end();
    assert!(
        seen.contains("code=2") && seen.contains("--tty") && !seen.contains("ran"),
        "{seen:?}"
    );
}

/// What a person has read while the tool ran does not come again with the result.
#[test]
fn what_was_shown_of_stderr_is_not_written_again() {
    let dir = Dir::new();
    dir.program("quiet", "echo loading >&2; echo 'no such day' >&2; exit 3");
    dir.program("both", "echo partial; echo 'no such day' >&2; exit 3");
    dir.program("mute", "exit 3");
    dir.program("slow", "echo 'no such day' >&2; exec sleep 60");
    dir.program("says", r#"echo 'no such day' >&2; printf '%s' '{"content":[{"type":"text","text":"no such day"}],"isError":true}'"#);
    let path = dir.path().display();
    let run = |words: &str| {
        let script = format!("cd {path}; toolwire run {words}");
        let seen = on_terminal(&script, &[("NO_COLOR", "1")]);
        let seen = seen.replace("\r\n", "\n");
        // A sign has no line feed, and is taken back.
        let mut parts: Vec<&str> = seen.split("\r\x1b[2K").collect();
        let last = parts.pop().unwrap_or_default();
        parts.retain(|part| part.contains('\n'));
        parts.concat() + last
    };
    let shown = "│ no such day\n";
    let status = "the tool exited with status 3";
    assert_eq!(
        run("--plain ./quiet"),
        format!("│ loading\n{shown}[error]\n\n{status}\n")
    );
    assert_eq!(
        run("--plain ./both"),
        format!("{shown}[error]\n\npartial\n\n[trace]\n```\n{status}\n```\n")
    );
    assert_eq!(
        run("--plain ./mute"),
        format!("[error]\n\n{status} and wrote no output\n")
    );
    assert_eq!(
        run("--plain --max-time 4s ./slow"),
        format!(
            "{shown}[error transient=true]\n\nthe tool did not end within 4 s and was stopped\n"
        )
    );
    // What a tool says of itself is its answer.
    assert_eq!(
        run("--plain ./says"),
        format!("{shown}[error]\n\nno such day\n")
    );
    // Who reads it elsewhere has not read it yet, and reads it once.
    let model = format!("[error]\n\nno such day\n\n[trace]\n```\n{status}\nloading\n```");
    assert_eq!(
        run("--plain --format model ./quiet"),
        format!("│ loading\n{shown}{model}\n")
    );
    assert_eq!(
        run("--plain ./quiet > out; cat out"),
        format!("│ loading\n{shown}{model}\n")
    );
    assert_eq!(run("--plain ./quiet 2> err"), format!("{model}\n"));
    let json = run("--plain --format json ./quiet");
    assert_eq!(json.matches("no such day").count(), 2, "{json}");
}
