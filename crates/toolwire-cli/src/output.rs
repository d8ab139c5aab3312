//! Standard output: buffered, coloured or not, and safe for a terminal.

use std::cmp::Ordering;
use std::env;
use std::fmt::{self, Display, Write as _};
use std::io::{BufWriter, StdoutLock, Write};

use indicatif::ProgressBar;
use toolwire::{terminal_safe, terminal_safe_json};

use crate::args::ColorWhen;
use crate::exit::{Failure, Result};
use crate::terminal;

/// Styles as SGR parameters.
pub const BOLD: &str = "1";
pub const RED: &str = "1;31";
pub const GREEN: &str = "1;32";
pub const YELLOW: &str = "1;33";
pub const CYAN: &str = "1;36";
pub const DIM: &str = "2";

/// The most lines of a log about which there is a message of its own.
const COMPLAINTS: usize = 20;

pub struct Out {
    writer: Sink,
    pub terminal: bool,
    /// When there is to be colour, here and on standard error.
    pub when: ColorWhen,
    pub color: bool,
    /// What is drawn on standard error meanwhile, if anything.
    pub bar: ProgressBar,
    /// How many messages on lines of a log there were.
    complaints: usize,
}

/// Where what is written goes.
enum Sink {
    Stdout(BufWriter<StdoutLock<'static>>),
    /// It is kept, for the thread that writes to standard output.
    Page(Vec<u8>),
}

/// How standard output is written to, for pages that go there later.
#[derive(Clone, Copy)]
pub struct Style {
    terminal: bool,
    when: ColorWhen,
    color: bool,
}

impl Style {
    /// The same without colours.
    pub fn plain(self) -> Style {
        Style {
            color: false,
            ..self
        }
    }
}

impl Out {
    pub fn new(when: ColorWhen) -> Out {
        let (terminal, _) = terminal::are_terminals();
        Out {
            writer: Sink::Stdout(BufWriter::with_capacity(64 * 1024, terminal::output())),
            terminal,
            when,
            color: use_color(when, terminal),
            bar: ProgressBar::hidden(),
            complaints: 0,
        }
    }

    pub fn style(&self) -> Style {
        Style {
            terminal: self.terminal,
            when: self.when,
            color: self.color,
        }
    }

    /// One that keeps what is written.
    pub fn page(style: Style) -> Out {
        Out {
            writer: Sink::Page(Vec::new()),
            terminal: style.terminal,
            when: style.when,
            color: style.color,
            bar: ProgressBar::hidden(),
            complaints: 0,
        }
    }

    /// What was kept.
    pub fn into_bytes(self) -> Vec<u8> {
        match self.writer {
            Sink::Page(bytes) => bytes,
            Sink::Stdout(_) => Vec::new(),
        }
    }

    /// A line of text that is our own, or was made safe with [`crate::terminal::safe`].
    pub fn line(&mut self, text: &str) -> Result<()> {
        self.bytes(text.as_bytes())?;
        self.bytes(b"\n")
    }

    /// Bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        let written = match &mut self.writer {
            Sink::Stdout(writer) => writer.write_all(bytes),
            Sink::Page(page) => page.write_all(bytes),
        };
        written.map_err(|error| Failure::writing(&error))
    }

    /// A JSON text as one line. Strings of a strict text hold no line ends, so those that are there
    /// stand between values and may become spaces.
    pub fn json(&mut self, json: &str) -> Result<()> {
        if json.contains(['\n', '\r']) {
            return self.json(&json.replace(['\n', '\r'], " "));
        }
        if self.terminal {
            self.line(&terminal_safe_json(json))
        } else {
            self.line(json)
        }
    }

    /// A JSON object as one line, written piece by piece, with `head` in place of its brace.
    pub fn json_object(&mut self, head: &str, object: impl Display) -> Result<()> {
        let mut line = Line {
            out: self,
            head: Some(head),
            failure: None,
        };
        if write!(line, "{object}").is_err()
            && let Some(failure) = line.failure
        {
            return Err(failure);
        }
        self.bytes(b"\n")
    }

    /// A text, on a terminal without what could steer it, and with a line end behind it if it has none
    /// and is not empty.
    pub fn text(&mut self, text: &str) -> Result<()> {
        let safe = self.terminal.then(|| terminal_safe(text, self.color));
        let text = safe.as_deref().unwrap_or(text);
        self.bytes(text.as_bytes())?;
        match text.is_empty() || text.ends_with('\n') {
            true => Ok(()),
            false => self.bytes(b"\n"),
        }
    }

    /// Canonical bytes: exactly those, but on a terminal a line that can be read without danger.
    pub fn canonical(&mut self, bytes: &[u8]) -> Result<()> {
        if self.terminal {
            return self.line(&terminal_safe_json(&String::from_utf8_lossy(bytes)));
        }
        self.bytes(bytes)
    }

    /// Canonical bytes on a line of their own.
    pub fn canonical_line(&mut self, bytes: &[u8]) -> Result<()> {
        self.canonical(bytes)?;
        if self.terminal {
            Ok(())
        } else {
            self.bytes(b"\n")
        }
    }

    /// A message on standard error, behind what was written before it and beside a progress bar.
    pub fn complain(&mut self, message: &str) {
        if self.terminal {
            // If this fails, so does what is written next, and that is reported.
            let _ = self.flush();
        }
        self.bar.suspend(|| terminal::complain(message));
    }

    /// A message on a line of a log. After some of them there is no more to learn: the summary counts
    /// the others.
    pub fn complain_of_line(&mut self, message: &str) {
        match self.complaints.cmp(&COMPLAINTS) {
            Ordering::Less => self.complain(message),
            Ordering::Equal => self.complain("and more; `--json` has a message for each line"),
            Ordering::Greater => return,
        }
        self.complaints += 1;
    }

    pub fn paint(&self, style: &str, text: &str) -> String {
        if self.color {
            format!("\x1b[{style}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    /// Writes what is still in the buffer.
    pub fn flush(&mut self) -> Result<()> {
        match &mut self.writer {
            Sink::Stdout(writer) => writer.flush().map_err(|error| Failure::writing(&error)),
            Sink::Page(_) => Ok(()),
        }
    }
}

/// A JSON object on its way to the output.
struct Line<'o> {
    out: &'o mut Out,
    /// What the object begins with, as long as nothing was written.
    head: Option<&'o str>,
    failure: Option<Failure>,
}

impl fmt::Write for Line<'_> {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        let (head, rest) = match self.head.take() {
            Some(head) => (head, &piece[1..]),
            None => ("", piece),
        };
        let terminal = self.out.terminal;
        let mut write = |text: &str| match terminal {
            true => self.out.bytes(terminal_safe_json(text).as_bytes()),
            false => self.out.bytes(text.as_bytes()),
        };
        let mut written = write(head);
        for (index, text) in rest.split(['\n', '\r']).enumerate() {
            if index > 0 {
                written = written.and_then(|()| write(" "));
            }
            written = written.and_then(|()| write(text));
        }
        written.map_err(|failure| {
            self.failure = Some(failure);
            fmt::Error
        })
    }
}

/// Whether to colour: the option decides, then NO_COLOR, CLICOLOR_FORCE and the kind of terminal.
pub fn use_color(when: ColorWhen, terminal: bool) -> bool {
    let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    match when {
        ColorWhen::Always => true,
        ColorWhen::Never => false,
        ColorWhen::Auto if set("NO_COLOR") => false,
        ColorWhen::Auto
            if set("CLICOLOR_FORCE") && env::var_os("CLICOLOR_FORCE") != Some("0".into()) =>
        {
            true
        }
        ColorWhen::Auto => terminal && env::var_os("TERM").is_none_or(|term| term != "dumb"),
    }
}
