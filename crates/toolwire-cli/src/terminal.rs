//! Text that is safe for a terminal, and messages on standard error.

use std::io::{self, IsTerminal, Write};

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
