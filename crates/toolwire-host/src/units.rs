//! Times and sizes as people write them.

use std::time::Duration;

/// A time with its unit: `ms`, `s`, `m` or `h`. A number alone could be seconds or milliseconds, so it
/// is refused.
///
/// # Errors
///
/// A phrase that says what to write.
///
/// ```
/// use std::time::Duration;
/// use toolwire_host::parse_time;
///
/// assert_eq!(parse_time("1.5s"), Ok(Duration::from_millis(1500)));
/// assert_eq!(
///     parse_time("30"),
///     Err("give the unit too: `30s` for seconds, `30ms` for milliseconds".to_owned())
/// );
/// ```
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let refuse = || "give a time with its unit, such as 500ms, 10s, 2m or 1h".to_owned();
    let number = |text: &str| {
        let plain = text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.');
        text.parse::<f64>().ok().filter(|_| plain)
    };
    let Some(unit_at) = text.find(|c: char| c.is_ascii_alphabetic()) else {
        return Err(match number(text) {
            Some(_) => {
                format!("give the unit too: `{text}s` for seconds, `{text}ms` for milliseconds")
            }
            None => refuse(),
        });
    };
    let (text, unit) = text.split_at(unit_at);
    let seconds = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(refuse()),
    };
    let number = number(text).ok_or_else(refuse)?;
    let time = Duration::try_from_secs_f64(number * seconds).map_err(|_| refuse())?;
    match time.is_zero() {
        true => Err("give a time that is greater than zero".to_owned()),
        false => Ok(time),
    }
}

/// A number of bytes, alone or with a unit, in any letter case: `B`; `kB`, `MB`, `GB` of 1000; `k`, `M`,
/// `G`, and `KiB`, `MiB`, `GiB`, of 1024. These are the units of GNU's tools.
///
/// # Errors
///
/// A phrase that says what to write, if the text is anything else, or more than a `usize` holds.
///
/// ```
/// use toolwire_host::parse_size;
///
/// assert_eq!(parse_size("65536"), Ok(65_536));
/// assert_eq!(parse_size("1MB"), Ok(1_000_000));
/// assert_eq!(parse_size("64MiB"), Ok(64 * 1024 * 1024));
/// assert_eq!(parse_size("2k"), Ok(2048));
/// assert_eq!(
///     parse_size("2 pages"),
///     Err("give a number of bytes, alone or with a unit such as kB, KiB, MB or MiB".to_owned())
/// );
/// ```
pub fn parse_size(text: &str) -> Result<usize, String> {
    let refuse =
        || "give a number of bytes, alone or with a unit such as kB, KiB, MB or MiB".to_owned();
    let end = text.find(|c: char| !c.is_ascii_digit());
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let factor: u64 = match unit.trim_start_matches(' ').to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kb" => 1000,
        "mb" => 1000_u64.pow(2),
        "gb" => 1000_u64.pow(3),
        "k" | "kib" => 1024,
        "m" | "mib" => 1024_u64.pow(2),
        "g" | "gib" => 1024_u64.pow(3),
        _ => return Err(refuse()),
    };
    let digits = !number.is_empty();
    let size = number.parse::<u64>().ok().filter(|_| digits);
    let Some(size) = size.and_then(|size| size.checked_mul(factor)) else {
        return Err(match digits {
            true => "give a smaller number of bytes".to_owned(),
            false => refuse(),
        });
    };
    usize::try_from(size).map_err(|_| "give a smaller number of bytes".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_to_the_edge() {
        for (text, size) in [
            ("0", Some(0)),
            ("512B", Some(512)),
            ("3kb", Some(3000)),
            ("3 KiB", Some(3072)),
            ("1g", Some(1 << 30)),
            ("2GB", Some(2_000_000_000)),
            ("18446744073709551615", Some(usize::MAX)),
            ("18446744073709551616", None),
            ("18446744073709551615k", None),
            ("", None),
            ("k", None),
            ("-1", None),
            ("1.5MB", None),
            ("1 M B", None),
            ("1_000", None),
            ("٣", None),
        ] {
            assert_eq!(parse_size(text).ok(), size, "{text}");
        }
    }
}
