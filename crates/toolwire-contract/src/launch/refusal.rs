//! What is said of a text that is no launch URI.

use toolwire::{Code, Error, is_hidden, terminal_safe};

/// Where something stands: what a refusal points to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// The code of what is being read.
    pub code: Code,
    /// The member of the JSON form (LAUNCH-60).
    pub pointer: &'static str,
    /// The byte where it begins.
    pub offset: usize,
}

impl Place {
    /// The same with another member.
    pub fn member(self, pointer: &'static str) -> Place {
        Place { pointer, ..self }
    }

    /// The same at another byte.
    pub fn at(self, offset: usize) -> Place {
        Place { offset, ..self }
    }

    pub fn refuse(self, message: impl Into<String>) -> Error {
        let offset = u64::try_from(self.offset).ok();
        Error::new(self.code, self.pointer, offset, message)
    }

    /// The text, if it has no character that a reader can't see (LAUNCH-7).
    pub fn visible(self, text: String) -> Result<String, Error> {
        match text.chars().find(|c| is_hidden(*c)) {
            None => Ok(text),
            Some(c) => Err(self.refuse(format!(
                "{} can't stand here, not even percent-encoded: leave it out",
                named(c)
            ))),
        }
    }
}

/// A text in a message: short, and safe on a terminal.
pub(super) fn show(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut shown: String = text
        .chars()
        .take(LONGEST)
        .map(|c| if matches!(c, '\n' | '\t') { ' ' } else { c })
        .collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    terminal_safe(&shown, false)
}

/// A hidden character by its number.
pub(super) fn named(c: char) -> String {
    let kind = if c.is_control() {
        "the control character"
    } else {
        "the invisible character"
    };
    format!("{kind} U+{:04X}", u32::from(c))
}
