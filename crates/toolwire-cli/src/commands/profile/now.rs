//! The time, as profiles have it.

use std::time::{SystemTime, UNIX_EPOCH};

/// The present day and second in UTC: `2026-11-23` and `2026-11-23T18:04:51Z`.
pub fn now() -> (String, String) {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    of(since.map_or(0, |since| since.as_secs()))
}

fn of(seconds: u64) -> (String, String) {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March here, so that a leap day is the last of its year.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    let date = format!("{year:04}-{month:02}-{day:02}");
    let (hour, minute) = (second / 3_600, second / 60 % 60);
    let time = format!("{date}T{hour:02}:{minute:02}:{:02}Z", second % 60);
    (date, time)
}

#[cfg(test)]
mod tests {
    #[test]
    fn seconds_are_days() {
        for (seconds, time) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_762_943_400, "2025-11-12T10:30:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(super::of(seconds).1, time);
        }
    }
}
