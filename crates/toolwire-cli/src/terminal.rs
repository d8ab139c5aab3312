//! What may reach a terminal: the handles of the standard streams and of the terminal, and text that is
//! safe for them. No other module names such a handle; a test of the workspace sees to it.

use std::fs::File;
use std::io::{self, IsTerminal, Read as _, Stderr, StdoutLock, Write};

use indicatif::ProgressDrawTarget;

use toolwire::{Locator, Position, terminal_safe};

use crate::exit::{Failure, Result};

/// A text on one line without anything that could steer a terminal or deceive a reader.
pub fn safe(text: &str) -> String {
    let text = terminal_safe(text, false);
    if text.contains(['\n', '\t']) {
        text.replace('\n', "␊").replace('\t', "␉")
    } else {
        text
    }
}

/// The same with the white space between words as single spaces.
pub fn on_one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    safe(&words.join(" "))
}

/// A message on standard error, safe as it must be: it may name a file or quote an input.
pub fn complain(message: &str) {
    // There is nowhere left to say that standard error can't be written.
    let _ = writeln!(io::stderr(), "toolwire: {}", safe(message));
}

/// Text of several lines on standard error, made safe; its colours stay if `color` says so.
pub fn tell(text: &str, color: bool) {
    let _ = write!(io::stderr(), "{}", terminal_safe(text, color));
}

/// Where prompts are written: never to standard output, which is for the result.
pub enum Terminal {
    Stderr(Stderr),
    Other(File),
}

impl Terminal {
    /// Standard error, or the controlling terminal if that goes elsewhere.
    pub fn open() -> io::Result<Terminal> {
        if io::stderr().is_terminal() {
            return Ok(Terminal::Stderr(io::stderr()));
        }
        let name = if cfg!(windows) { "CONOUT$" } else { "/dev/tty" };
        let file = File::options().read(true).write(true).open(name)?;
        Ok(Terminal::Other(file))
    }

    /// Text of several lines, made safe.
    pub fn tell(&mut self, text: &str) -> io::Result<()> {
        self.write_all(terminal_safe(text, false).as_bytes())
    }

    /// The same as a file, for another process to write to.
    pub fn into_file(self) -> io::Result<File> {
        let file = match self {
            Terminal::Other(file) => file,
            #[cfg(unix)]
            Terminal::Stderr(stderr) => {
                File::from(std::os::fd::AsFd::as_fd(&stderr).try_clone_to_owned()?)
            }
            #[cfg(windows)]
            Terminal::Stderr(stderr) => {
                File::from(std::os::windows::io::AsHandle::as_handle(&stderr).try_clone_to_owned()?)
            }
        };
        Ok(file)
    }
}

impl Write for Terminal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Terminal::Stderr(stderr) => stderr.write(bytes),
            Terminal::Other(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Terminal::Stderr(stderr) => stderr.flush(),
            Terminal::Other(file) => file.flush(),
        }
    }
}

/// Whether this process is in the foreground of a terminal, so that it can hand it over.
#[cfg(unix)]
pub fn is_in_foreground() -> bool {
    use rustix::{process::getpgrp, termios::tcgetpgrp};
    let terminal = File::open("/dev/tty").ok();
    terminal.is_some_and(|terminal| tcgetpgrp(terminal).is_ok_and(|group| group == getpgrp()))
}

/// There every program has the console of the one that started it.
#[cfg(not(unix))]
pub fn is_in_foreground() -> bool {
    io::stdin().is_terminal()
}

/// The terminal from which prompts read keys: standard input, or the controlling terminal if that is none.
#[cfg(unix)]
pub fn keys() -> io::Result<File> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        return Ok(File::from(
            std::os::fd::AsFd::as_fd(&stdin).try_clone_to_owned()?,
        ));
    }
    File::options().read(true).write(true).open("/dev/tty")
}

/// Whether a person can be asked although standard input is for something else.
#[cfg(unix)]
pub fn has_keys() -> bool {
    keys().is_ok()
}

/// There keys come from the console, whatever standard input is.
#[cfg(not(unix))]
pub fn has_keys() -> bool {
    Terminal::open().is_ok()
}

/// Puts on standard error what is safe for a terminal already, or stays to the letter.
pub fn put(bytes: &[u8]) {
    let mut stderr = io::stderr();
    let _ = stderr.write_all(bytes).and_then(|()| stderr.flush());
}

/// Puts on standard output what a program that has the terminal for its own writes there.
pub fn put_raw(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout();
    stdout.write_all(bytes)?;
    stdout.flush()
}

/// What is typed, as the terminal sends it.
pub fn read_keys(piece: &mut [u8]) -> io::Result<usize> {
    io::stdin().lock().read(piece)
}

/// Standard output, for the one who writes results there.
pub fn output() -> StdoutLock<'static> {
    io::stdout().lock()
}

/// Writes what is still buffered. Rust does that when its own `main` ends, which the command may not
/// have.
pub fn finish() {
    // Whoever writes a result flushes it and sees the error; what is left is help.
    let _ = io::stdout().flush();
}

/// Whether there is a terminal on standard output, and on standard error.
pub fn are_terminals() -> (bool, bool) {
    (io::stdout().is_terminal(), io::stderr().is_terminal())
}

/// The number of columns of standard output.
pub fn width() -> usize {
    width_of(io::stdout())
}

/// The width where there is no terminal, and the most where there is one: longer lines are hard to read.
const USUAL: usize = 100;

fn width_of(stream: impl IsTerminal) -> usize {
    let size = stream.is_terminal().then(crossterm::terminal::size);
    match size {
        Some(Ok((columns @ 1.., _))) => usize::from(columns).clamp(20, USUAL),
        _ => USUAL,
    }
}

/// Where a bar is drawn that shows how far a command is.
pub fn bar() -> ProgressDrawTarget {
    ProgressDrawTarget::stderr()
}

/// Tells a person why nothing happens, when a command reads what is typed.
pub fn invite(why: &str) {
    if io::stdin().is_terminal() {
        complain(why);
    }
}

/// Asks a person at the terminal for a yes; nothing if there is none on standard input and standard error.
/// Whatever is not a yes is a no.
pub fn confirm(question: &str) -> Result<Option<bool>> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(None);
    }
    let asked = Terminal::open().and_then(|mut terminal| confirm_at(&mut terminal, question));
    let said = asked.map_err(|error| Failure::Io(error.to_string()))?;
    Ok(Some(said))
}

/// The same at this terminal. The answer is read from there and nowhere else: what is on standard input may be the
/// input of a call.
pub fn confirm_at(terminal: &mut Terminal, question: &str) -> io::Result<bool> {
    let mut typed = typed()?;
    forget_typed(&typed)?;
    write!(terminal, "{} [y/N] ", safe(question))?;
    terminal.flush()?;
    let mut line = Vec::new();
    let mut byte = [0];
    // Byte by byte: what follows the line is for whoever reads next.
    while typed.read(&mut byte)? == 1 && byte[0] != b'\n' {
        line.push(byte[0]);
    }
    let line = String::from_utf8_lossy(&line).trim().to_lowercase();
    Ok(line == "y" || line == "yes")
}

/// The controlling terminal, to read a line from; standard input only where it is a terminal and there is no other.
#[cfg(unix)]
fn typed() -> io::Result<File> {
    let controlling = File::options().read(true).write(true).open("/dev/tty");
    controlling.or_else(|error| match io::stdin().is_terminal() {
        true => keys(),
        false => Err(error),
    })
}

#[cfg(not(unix))]
fn typed() -> io::Result<File> {
    File::options().read(true).write(true).open("CONIN$")
}

/// What was typed before a question stood there does not answer it.
#[cfg(unix)]
fn forget_typed(terminal: &File) -> io::Result<()> {
    use rustix::termios::{QueueSelector, tcflush};
    Ok(tcflush(terminal, QueueSelector::IFlush)?)
}

#[cfg(not(unix))]
fn forget_typed(_: &File) -> io::Result<()> {
    Ok(())
}

/// The place of one byte of an input.
pub fn locate(input: &[u8], offset: u64) -> Position {
    Locator::new(input).locate(offset)
}
