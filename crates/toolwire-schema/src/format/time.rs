//! Dates, times and durations (RFC 3339).

/// `full-date`.
pub(super) fn is_date(text: &str) -> bool {
    let &[a, b, c, d, b'-', e, f, b'-', g, h] = text.as_bytes() else {
        return false;
    };
    let (Some(century), Some(year), Some(month), Some(day)) =
        (two(a, b), two(c, d), two(e, f), two(g, h))
    else {
        return false;
    };
    // A century is a leap year only if it divides by 400.
    let leap = if year == 0 { century } else { year };
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + i32::from(leap % 4 == 0),
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// `full-time`, with a leap second only at the end of a day in UTC.
pub(super) fn is_time(text: &str) -> bool {
    let [a, b, b':', c, d, b':', e, f, rest @ ..] = text.as_bytes() else {
        return false;
    };
    let (Some(hour), Some(minute), Some(second)) = (two(*a, *b), two(*c, *d), two(*e, *f)) else {
        return false;
    };
    let zone = match rest {
        [b'.', fraction @ ..] => {
            let digits = fraction.iter().take_while(|b| b.is_ascii_digit()).count();
            if digits == 0 {
                return false;
            }
            &fraction[digits..]
        }
        _ => rest,
    };
    let Some(offset) = offset(zone) else {
        return false;
    };
    let is_last_minute = || (hour * 60 + minute - offset).rem_euclid(24 * 60) == 24 * 60 - 1;
    hour < 24 && minute < 60 && (second < 60 || second == 60 && is_last_minute())
}

/// `date-time`.
pub(super) fn is_date_time(text: &str) -> bool {
    text.split_once(['T', 't'])
        .is_some_and(|(date, time)| is_date(date) && is_time(time))
}

/// `duration` of appendix A: weeks alone, or units of which none is left out between two others.
pub(super) fn is_duration(text: &str) -> bool {
    let Some(text) = text.strip_prefix('P') else {
        return false;
    };
    if let Some(weeks) = text.strip_suffix('W') {
        return !weeks.is_empty() && weeks.bytes().all(|b| b.is_ascii_digit());
    }
    match text.split_once('T') {
        Some((date, time)) => has_units(date, "YMD") && has_units(time, "HMS") && !time.is_empty(),
        None => has_units(text, "YMD") && !text.is_empty(),
    }
}

/// Whether a text is numbers, each with its unit; no text at all is, too.
fn has_units(text: &str, units: &str) -> bool {
    let is_unit = |c: char| !c.is_ascii_digit();
    let found: String = text.chars().filter(|&c| is_unit(c)).collect();
    let mut numbers = text.split_inclusive(is_unit);
    units.contains(&found) && numbers.all(|part| part.len() > 1 && part.ends_with(is_unit))
}

/// The minutes by which a zone is ahead of UTC.
fn offset(zone: &[u8]) -> Option<i32> {
    match *zone {
        [b'Z' | b'z'] => Some(0),
        [sign @ (b'+' | b'-'), a, b, b':', c, d] => {
            let (hours, minutes) = (two(a, b)?, two(c, d)?);
            let ahead = hours * 60 + minutes;
            (hours < 24 && minutes < 60).then_some(if sign == b'+' { ahead } else { -ahead })
        }
        _ => None,
    }
}

/// A number of two digits.
fn two(tens: u8, ones: u8) -> Option<i32> {
    let digit = |byte: u8| byte.is_ascii_digit().then(|| i32::from(byte - b'0'));
    Some(digit(tens)? * 10 + digit(ones)?)
}
