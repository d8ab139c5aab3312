//! The command on a pseudo-terminal.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

const PATIENCE: Duration = Duration::from_secs(60);

/// How long until keys are pressed once more, if nothing came of them.
const AGAIN: Duration = Duration::from_secs(1);

/// The keys that answer what comes: when the words are on the screen, these are pressed.
pub type Keys<'a> = &'a [(&'a str, &'a str)];

/// Runs `toolwire ARGS` in a folder on a terminal; gives all that the terminal got.
///
/// # Panics
///
/// It does not end, or it panics.
pub fn run(folder: &Path, args: &[OsString], keys: Keys<'_>) -> Vec<u8> {
    let size = PtySize {
        rows: 40,
        cols: 100,
        ..PtySize::default()
    };
    let pair = native_pty_system().openpty(size).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_toolwire"));
    command.args(args);
    command.cwd(folder);
    for name in ["CLICOLOR_FORCE", "CLICOLOR"] {
        command.env_remove(name);
    }
    command.env("TERM", "xterm-256color");
    command.env("NO_COLOR", "1");
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let mut writer = pair.master.take_writer().unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let shared = Arc::clone(&seen);
    let reading = std::thread::spawn(move || {
        let mut buffer = [0; 65536];
        while let Ok(read @ 1..) = reader.read(&mut buffer) {
            shared.lock().unwrap().extend_from_slice(&buffer[..read]);
        }
    });
    let start = Instant::now();
    // The keys that are pressed now, and when they were pressed last.
    let (mut now, mut pressed) = ("", Instant::now());
    let mut keys = keys.iter().peekable();
    let mut from = 0;
    loop {
        if let Some((words, typed)) = keys.peek()
            && let Some(at) = find(&seen.lock().unwrap()[from..], words.as_bytes())
        {
            from += at + words.len();
            now = typed;
            keys.next();
            // What is typed before the prompt is drawn does not count.
            pressed = Instant::now() - AGAIN + Duration::from_millis(150);
        }
        // It may have been too early all the same.
        if !now.is_empty() && pressed.elapsed() > AGAIN {
            let _ = writer.write_all(now.as_bytes());
            pressed = Instant::now();
        }
        if child.try_wait().unwrap().is_some() {
            break;
        }
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            let seen = seen.lock().unwrap();
            panic!(
                "`toolwire {args:?}` did not end: {:?}",
                String::from_utf8_lossy(&seen)
            );
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(pair.master);
    drop(writer);
    reading.join().unwrap();
    let seen = std::mem::take(&mut *seen.lock().unwrap());
    let text = String::from_utf8_lossy(&seen);
    assert!(!text.contains("panicked at"), "`toolwire {args:?}`: {text}");
    seen
}

fn find(text: &[u8], words: &[u8]) -> Option<usize> {
    text.windows(words.len()).position(|window| window == words)
}
