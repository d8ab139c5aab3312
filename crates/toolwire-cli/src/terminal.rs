//! What may reach a terminal: the handles of the standard streams, and text that is safe for them. No
//! other module has such a handle, but for the one that draws prompts; a test of the workspace sees to
//! it.

use std::io::{self, IsTerminal, StdoutLock, Write};

use indicatif::ProgressDrawTarget;

use toolwire::{Diagnostic, Locator, Position, Severity, terminal_safe};

use crate::output::{CYAN, Out, RED, YELLOW};

/// A text on one line without anything that could steer a terminal or deceive a reader.
pub fn safe(text: &str) -> String {
    let text = terminal_safe(text, false);
    if text.contains(['\n', '\t']) {
        text.replace('\n', "␊").replace('\t', "␉")
    } else {
        text
    }
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

/// Standard output, for the one who writes results there.
pub fn output() -> StdoutLock<'static> {
    io::stdout().lock()
}

/// Whether there is a terminal on standard output, and on standard error.
pub fn are_terminals() -> (bool, bool) {
    (io::stdout().is_terminal(), io::stderr().is_terminal())
}

/// So many columns standard output has.
pub fn width() -> usize {
    crate::table::width(io::stdout())
}

/// Where a bar is drawn that shows how far a command is.
pub fn bar() -> ProgressDrawTarget {
    ProgressDrawTarget::stderr()
}

/// Tells a person why nothing happens, when a command waits for what is typed.
pub fn invite() {
    if io::stdin().is_terminal() {
        complain("reading from the terminal; end with Ctrl-D");
    }
}

/// The place of one byte of an input.
pub fn locate(input: &[u8], offset: u64) -> Position {
    Locator::new(input).locate(offset)
}

/// A diagnostic as text on one line: `warning[no_body] /content/0/resource: …`.
pub fn diagnostic(out: &Out, diagnostic: &Diagnostic) -> String {
    let Diagnostic {
        code,
        severity,
        pointer,
        message,
        ..
    } = diagnostic;
    let style = match severity {
        Severity::Error => RED,
        Severity::Warning => YELLOW,
        Severity::Note => CYAN,
    };
    let label = out.paint(style, &format!("{severity}[{code}]"));
    let space = if pointer.is_empty() { "" } else { " " };
    format!("{label}{space}{}: {}", safe(pointer), safe(message))
}
