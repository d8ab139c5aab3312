//! How what was found is written for people, whichever command has found it.

pub mod changes;
pub mod lock_report;
pub mod users;

/// `1 block`, `2 blocks`.
pub fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
