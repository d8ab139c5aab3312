//! Colour on a terminal: SGR sequences (`ESC [ … m`), and which of them are kept (FMT-42).

use super::text_table::SGR;
use crate::base::escape::{EscapeKind, EscapeSequence, read_escape};

/// Longest parameter text of a sequence that is one.
const MAX_PARAMETERS: usize = 64;

/// The SGR sequence that `text` begins with: its length in bytes, and whether it is kept.
pub(super) fn read(text: &str) -> Option<(usize, bool)> {
    let EscapeSequence { length, kind } = read_escape(text)?;
    match kind {
        EscapeKind::Control {
            parameters,
            last: Some('m'),
        } if parameters.len() <= MAX_PARAMETERS
            && parameters
                .bytes()
                .all(|b| matches!(b, b'0'..=b'9' | b';' | b':')) =>
        {
            Some((length, parameters.split(';').all(is_kept)))
        }
        _ => None,
    }
}

fn is_kept(parameter: &str) -> bool {
    // A parameter that is left out means 0.
    let digits = parameter.trim_start_matches('0');
    let number = if digits.is_empty() {
        Ok(0)
    } else {
        digits.parse()
    };
    number.is_ok_and(|number: u8| SGR.binary_search(&number).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_left_out_and_none_at_all() {
        for sequence in [
            "\x1b[m",
            "\x1b[0m",
            "\x1b[;m",
            "\x1b[1;31m",
            "\x1b[01;031m",
            "\x1b[97;39m",
        ] {
            assert_eq!(read(sequence), Some((sequence.len(), true)), "{sequence:?}");
        }
        for sequence in [
            "\x1b[8m",
            "\x1b[0;8m",
            "\x1b[5m",
            "\x1b[40m",
            "\x1b[100m",
            "\x1b[287m",
            "\x1b[38;5;196m",
            "\x1b[48;2;1;2;3m",
            "\x1b[38:2::1:2:3m",
            "\x1b[4:3m",
            "\x1b[:m",
        ] {
            assert_eq!(
                read(sequence),
                Some((sequence.len(), false)),
                "{sequence:?}"
            );
        }
        for sequence in [
            "\x1b[?1m",
            "\x1b[>4;1m",
            "\x1b[1 m",
            "\x1b[31",
            "\x1b[31H",
            "\x1bm",
            "\x1b(0",
            "\x1b[0\u{9b}m",
            "\x1b[",
        ] {
            assert_eq!(read(sequence), None, "{sequence:?}");
        }
        assert!(read(&format!("\x1b[{}m", "1;".repeat(32))).is_some());
        assert!(read(&format!("\x1b[{}1m", "1;".repeat(32))).is_none());
    }
}
