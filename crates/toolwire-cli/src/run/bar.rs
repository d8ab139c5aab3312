//! The row that shows how far a tool is.

use toolwire::event::Progress;

use crate::prompt::{GUTTER, columns as width, fit};
use crate::terminal;

/// How wide the bar is, and how wide the terminal must be for it; in a narrow one it is half as wide.
const BAR: usize = 20;
const WIDE: usize = 60;
const NARROW: usize = 40;

/// The fewest columns in which a message says anything.
const LEAST: usize = 8;

/// The most of a message that is looked at.
const MESSAGE: usize = 1000;

/// The largest number that is written out beside the bar.
const LARGEST: f64 = 999_999.0;

/// The row, at most `columns` wide: the command's own words first, then the tool's message behind the gutter.
pub fn row(sign: char, label: &str, progress: &Progress, seconds: u64, columns: usize) -> String {
    let mut row = format!("{sign} {label}  ");
    match (progress.fraction(), progress.total) {
        (Some(fraction), Some(total)) => {
            let wide = match columns {
                WIDE.. => BAR,
                NARROW.. => BAR / 2,
                _ => 0,
            };
            row.push_str(&bar(fraction, wide));
            // It is all done only when it is.
            row.push_str(&format!("{:>3} %", (fraction * 100.0).floor()));
            if is_short(progress.done) && is_short(total) {
                row.push_str(&format!("  {}/{total}", progress.done));
            }
        }
        _ => row.push_str(&number(progress.done)),
    }
    row.push_str(&format!("  {seconds} s"));
    let left = columns.saturating_sub(width(&row) + 1 + width(GUTTER));
    let message: String = progress
        .message
        .iter()
        .flat_map(|text| text.chars())
        .take(MESSAGE)
        .collect();
    let message = terminal::safe(message.trim());
    if !message.is_empty() && left >= LEAST {
        row.push(' ');
        row.push_str(GUTTER);
        row.push_str(&fit(&message, left));
    }
    fit(&row, columns)
}

fn bar(fraction: f64, wide: usize) -> String {
    if wide == 0 {
        return String::new();
    }
    let filled = (fraction * wide as f64).floor() as usize;
    format!("{}{} ", "━".repeat(filled), "╌".repeat(wide - filled))
}

fn is_short(value: f64) -> bool {
    value.fract() == 0.0 && value <= LARGEST
}

/// A number in few characters.
fn number(value: f64) -> String {
    match value {
        whole if is_short(whole) => whole.to_string(),
        small if small < 1000.0 => format!("{small:.2}"),
        large => format!("{large:.3e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(done: f64, total: Option<f64>, message: &str, columns: usize) -> String {
        let progress = Progress::new(done, total, Some(message.to_owned()));
        row('*', "build", &progress, 7, columns)
    }

    #[test]
    fn it_shows_what_there_is_room_for() {
        let row = |columns| of(3.0, Some(12.0), "reading a.txt", columns);
        let bar = "━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌";
        let wide = format!("* build  {bar}  25 %  3/12  7 s");
        assert_eq!(row(79), format!("{wide} │ reading a.txt"));
        assert_eq!(row(60), format!("{wide} │ reading a.…"));
        assert_eq!(
            row(52),
            "* build  ━━╌╌╌╌╌╌╌╌  25 %  3/12  7 s │ reading a.txt"
        );
        assert_eq!(row(39), "* build   25 %  3/12  7 s │ reading a.…");
        assert_eq!(row(35), "* build   25 %  3/12  7 s");
        assert_eq!(row(12), "* build   2…");
        assert_eq!(row(1), "…");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(of(3.0, None, "", 79), "* build  3  7 s");
        assert_eq!(of(0.25, None, "", 79), "* build  0.25  7 s");
        assert_eq!(of(1e300, None, "", 79), "* build  1.000e300  7 s");
        assert_eq!(
            of(1e9, Some(2e9), "", 79),
            format!("* build  {}{}  50 %  7 s", "━".repeat(10), "╌".repeat(10))
        );
        assert!(of(999.0, Some(1000.0), "", 79).contains(" 99 %  999/1000"));
        assert!(of(1000.0, Some(1000.0), "", 79).contains("━ 100 %"));
    }

    #[test]
    fn a_message_is_safe_and_stays_on_its_row() {
        let row = of(1.0, None, "a\x1b[2Jb\r\n? toolwire asks\u{202e}", 79);
        assert_eq!(row, "* build  1  7 s │ a␛[2Jb␊? toolwire asks<U+202E>");
        assert!(width(&of(1.0, None, &"日本".repeat(1000), 79)) <= 79);
    }
}
