//! Prompts of `toolwire run` in a real pseudo-terminal.

use std::fs;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::os::unix::fs::PermissionsExt;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use serde_json::{Value, json};

use super::Dir;

/// Long enough for the slowest machine; nothing waits so long but a test that fails.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub const CTRL_C: &str = "\x03";
pub const CTRL_D: &str = "\x04";
pub const CTRL_U: &str = "\x15";
pub const ESC: &str = "\x1b";
pub const ENTER: &str = "\r";
pub const UP: &str = "\x1b[A";
pub const DOWN: &str = "\x1b[B";
pub const RIGHT: &str = "\x1b[C";

/// What the pseudo-terminal shows, and all that was ever written to it.
pub struct Seen {
    pub screen: vt100::Parser,
    pub bytes: Vec<u8>,
}

/// `toolwire run` on a terminal, its standard output in a file.
pub struct Terminal {
    pub dir: Dir,
    pub seen: Arc<Mutex<Seen>>,
    pub keys: Box<dyn Write + Send>,
    pub master: Box<dyn MasterPty + Send>,
    pub child: Box<dyn Child + Send + Sync>,
}

/// How a run ended.
pub struct Ended {
    /// What became of the question, as the tool is told.
    pub call: Value,
    pub code: String,
    /// All that the terminal ever showed.
    pub bytes: String,
    /// The screen at the end.
    pub screen: String,
    /// All lines that a person can scroll back to.
    pub history: Vec<String>,
    pub dir: Dir,
}

impl Ended {
    pub fn value(&self) -> &Value {
        &self.call["tool"]["answers"]["q"]
    }

    pub fn state(&self) -> &str {
        let record = &self.call["tool"]["dev.toolwire/answers"]["q"];
        assert_eq!(record["source"], "user", "{:#}", self.call);
        record["state"].as_str().unwrap()
    }
}

/// Asks a question as a tool that tells then what it was called with.
pub fn ask(question: &Value) -> Terminal {
    ask_with(question, &[], "")
}

/// Asks with blocks before the question, and an editor that is a shell script.
pub fn ask_with(question: &Value, context: &[Value], editor: &str) -> Terminal {
    let mut question = question.clone();
    question["id"] = json!("q");
    let mut content = context.to_vec();
    content.push(json!({"type": "question", "question": question}));
    let dir = Dir::new();
    dir.file("question.json", json!({"content": content}).to_string());
    script(
        &dir,
        "tool",
        "echo $PPID > pid; call=$(cat)\n\
         case $call in\n\
           *'\"q\":'*) printf '%s' \"$call\" ;;\n\
           *) cat question.json ;;\n\
         esac",
    );
    script(&dir, "an editor", editor);
    start(dir, "")
}

/// Runs the tool of a folder.
pub fn start(dir: Dir, redirect: &str) -> Terminal {
    // The shell stays until the end, whatever the keys, and tells how the terminal was left.
    let script = format!(
        "trap : INT; stty -g > before; \
         \"$TOOLWIRE\" run --call --format model ./tool > out {redirect}; \
         code=$?; stty -g > after; cmp before after && echo code=$code"
    );
    start_shell(dir, &script)
}

/// Runs a shell script on a terminal; it ends with `echo code=…`.
pub fn start_shell(dir: Dir, script: &str) -> Terminal {
    let size = PtySize {
        rows: 30,
        cols: 80,
        ..PtySize::default()
    };
    let pair = native_pty_system().openpty(size).unwrap();
    let mut command = CommandBuilder::new("sh");
    command.cwd(dir.path());
    command.args(["-c", script]);
    command.env("TOOLWIRE", super::toolwire());
    command.env("TERM", "xterm-256color");
    command.env("TMPDIR", dir.path());
    command.env("VISUAL", format!("'{}/an editor' -x", dir.path().display()));
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR"] {
        command.env_remove(name);
    }
    let mut reader = pair.master.try_clone_reader().unwrap();
    let child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let seen = Arc::new(Mutex::new(Seen {
        screen: parser(30, 80),
        bytes: Vec::new(),
    }));
    let shared = seen.clone();
    thread::spawn(move || {
        let mut piece = [0; 4096];
        while let Ok(length @ 1..) = reader.read(&mut piece) {
            let mut seen = shared.lock().unwrap();
            seen.screen.process(&piece[..length]);
            seen.bytes.extend(&piece[..length]);
        }
    });
    Terminal {
        dir,
        seen,
        keys: pair.master.take_writer().unwrap(),
        master: pair.master,
        child,
    }
}

fn parser(rows: u16, columns: u16) -> vt100::Parser {
    vt100::Parser::new(size(rows), size(columns), 1000)
}

fn size(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).unwrap()
}

pub fn script(dir: &Dir, name: &str, commands: &str) {
    let path = dir.file(name, format!("#!/bin/sh\n{commands}\n"));
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

impl Terminal {
    pub fn screen(&self) -> String {
        self.seen.lock().unwrap().screen.screen().contents()
    }

    /// Waits until the screen is as it should be, and gives it.
    pub fn until(&self, what: &str, holds: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if holds(&screen) {
                return screen;
            }
            assert!(start.elapsed() < PATIENCE, "no {what} in:\n{screen}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn shows(&self, text: &str) -> String {
        self.until(text, |screen| screen.contains(text))
    }

    /// Types keys, and waits for a text on the screen.
    pub fn types(&mut self, keys: &str, text: &str) -> String {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
        self.shows(text)
    }

    pub fn resize(&self, rows: u16, cols: u16) {
        self.seen
            .lock()
            .unwrap()
            .screen
            .screen_mut()
            .set_size(size(rows), size(cols));
        self.tell_size(rows, cols);
    }

    fn tell_size(&self, rows: u16, cols: u16) {
        let size = PtySize {
            rows,
            cols,
            ..PtySize::default()
        };
        self.master.resize(size).unwrap();
    }

    /// Makes the window as large as this, as terminals do that fill it anew: what is too wide goes on in
    /// the next row, and rows that had been scrolled out of the window are taken back into it.
    ///
    /// Returns when the prompt has been drawn anew: what is still on its way to a window of another size
    /// would erase other rows than it was meant for.
    pub fn reflow(&self, rows: u16, cols: u16) {
        self.drawn(0);
        let mut seen = self.seen.lock().unwrap();
        let before = seen.bytes.len();
        let (lines, cursor) = lines(&mut seen.screen);
        let mut screen = parser(rows, cols);
        let columns = usize::from(cols);
        let height = |line: &String| line.chars().count().saturating_sub(1) / columns;
        let below: usize = lines[cursor.0 + 1..]
            .iter()
            .map(|line| height(line) + 1)
            .sum();
        let up =
            below + height(&lines[cursor.0]) - (cursor.1 / columns).min(height(&lines[cursor.0]));
        screen.process(lines.join("\r\n").as_bytes());
        if up > 0 {
            screen.process(format!("\x1b[{up}A").as_bytes());
        }
        screen.process(format!("\x1b[{}G", cursor.1 % columns + 1).as_bytes());
        screen.process(seen.screen.screen().input_mode_formatted().as_bytes());
        if seen.screen.screen().hide_cursor() {
            screen.process(b"\x1b[?25l");
        }
        seen.screen = screen;
        drop(seen);
        self.tell_size(rows, cols);
        self.drawn(before + 1);
    }

    /// Waits until so many bytes have come at least, and the last of them end a frame.
    fn drawn(&self, bytes: usize) {
        self.until("whole frame", |_| {
            let seen = self.seen.lock().unwrap();
            seen.bytes.len() >= bytes && seen.bytes.ends_with(b"\x1b[?25h")
        });
    }

    /// All lines that a person can scroll back to, and those in the window.
    pub fn history(&self) -> Vec<String> {
        lines(&mut self.seen.lock().unwrap().screen).0
    }

    /// Types the last keys and waits for the end. The modes of the terminal are as before.
    pub fn ends(mut self, keys: &str) -> Ended {
        let screen = self.types(keys, "code=");
        self.child.wait().unwrap();
        let out = fs::read_to_string(self.dir.path().join("out")).unwrap();
        let history = self.history();
        let seen = self.seen.lock().unwrap();
        assert!(!seen.screen.screen().hide_cursor(), "the cursor is hidden");
        assert!(!seen.screen.screen().bracketed_paste());
        let code = screen.rsplit("code=").next().unwrap();
        Ended {
            call: serde_json::from_str(&out).unwrap_or(Value::String(out)),
            code: code.trim().to_owned(),
            bytes: String::from_utf8_lossy(&seen.bytes).into_owned(),
            screen: screen.clone(),
            history,
            dir: self.dir,
        }
    }
}

/// The lines of a terminal, those that were scrolled out of the window too, without the empty ones below
/// the cursor; and the line and column of the cursor.
fn lines(screen: &mut vt100::Parser) -> (Vec<String>, (usize, usize)) {
    let (rows, columns) = screen.screen().size();
    let (rows, columns) = (rows.get(), columns.get());
    let screen = screen.screen_mut();
    screen.set_scrollback(usize::MAX);
    let mut all = Vec::new();
    for back in (1..=screen.scrollback()).rev() {
        screen.set_scrollback(back);
        let row = screen.rows(0, columns).next().unwrap();
        all.push((row, screen.row_wrapped(0)));
    }
    screen.set_scrollback(0);
    let (row, column) = screen.cursor_position();
    let at = all.len() + usize::from(row);
    for (number, row) in (0..rows).zip(screen.rows(0, columns)) {
        all.push((row, screen.row_wrapped(number)));
    }
    let mut lines = vec![String::new()];
    let mut cursor = (0, 0);
    for (number, (row, wrapped)) in all.iter().enumerate() {
        let line = lines.last_mut().unwrap();
        if number == at {
            let before = line.chars().count();
            cursor = (lines.len() - 1, before + usize::from(column));
        }
        lines.last_mut().unwrap().push_str(row);
        if !wrapped {
            lines.push(String::new());
        }
    }
    while lines.len() > cursor.0 + 1 && lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    (lines, cursor)
}

/// Each row of the screen is the host's or has the mark, behind which alone the tool speaks.
pub fn nothing_is_forged(screen: &str) {
    for row in screen.lines() {
        let own = row.trim_start_matches(['❯', '✗', ' ']).starts_with('│')
            || row.starts_with("? tool asks")
            || row.starts_with("? tool says")
            || row.starts_with("tool asks ›")
            || row.starts_with("✓ ")
            || row.starts_with("! ")
            || row.starts_with("  ")
            || row.is_empty();
        assert!(
            own && (!row.contains("toolwire") || row.contains('│')),
            "{row:?} in:\n{screen}"
        );
    }
}
