//! Numbers: their syntax, their range and their canonical text.

use super::fault::Fault;
use super::string::{HIGH, ONES, word_at};
use crate::Code;

/// The largest integer up to which every integer is a double of its own: 2^53 − 1.
const MAX_SAFE: u64 = (1 << 53) - 1;

/// What a number's scan found.
pub(super) struct Number {
    pub end: usize,
    /// An integer, written without fraction and exponent, past 2^53 − 1 (READ-13).
    pub big_integer: bool,
}

/// Scans the number that begins at `start` with a digit or a minus sign.
#[inline(always)]
pub(super) fn scan_number(text: &[u8], start: usize) -> Result<Number, Fault> {
    let mut at = start;
    if text[at] == b'-' {
        at += 1;
    }
    let first_digit = at;
    match text.get(at) {
        Some(b'0') => at += 1,
        Some(b'1'..=b'9') => at = digits(text, at),
        Some(b'I') if text[at..].starts_with(b"Infinity") => {
            return Err(Fault {
                code: Code::NonFinite,
                offset: start,
            });
        }
        _ => return Err(Fault::unexpected(text, at)),
    }
    let integer_digits = at - first_digit;
    let mut plain = true;
    if text.get(at) == Some(&b'.') {
        plain = false;
        at = some_digits(text, at + 1)?;
    }
    let mut exponent = false;
    if matches!(text.get(at), Some(b'e' | b'E')) {
        plain = false;
        exponent = true;
        at += 1;
        if matches!(text.get(at), Some(b'+' | b'-')) {
            at += 1;
        }
        at = some_digits(text, at)?;
    }
    // Without an exponent a number overflows only when it is longer than the largest double.
    if (exponent || integer_digits > 308) && !in_range(&text[start..at]) {
        return Err(Fault {
            code: Code::NumberRange,
            offset: start,
        });
    }
    let big_integer = plain && integer_digits > 15 && is_big(&text[first_digit..at]);
    Ok(Number {
        end: at,
        big_integer,
    })
}

/// The place behind the digits that begin at `at`.
#[inline(always)]
fn digits(text: &[u8], mut at: usize) -> usize {
    while let Some(word) = word_at(text, at) {
        let value = word ^ (ONES * u64::from(b'0'));
        let other = (((value & !HIGH) + ONES * 0x76) | value) & HIGH;
        if other != 0 {
            return at + (other.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while matches!(text.get(at), Some(b'0'..=b'9')) {
        at += 1;
    }
    at
}

#[inline(always)]
fn some_digits(text: &[u8], at: usize) -> Result<usize, Fault> {
    let end = digits(text, at);
    if end == at {
        Err(Fault::unexpected(text, at))
    } else {
        Ok(end)
    }
}

/// Whether an integer of more than 15 digits is past 2^53 − 1.
#[cold]
fn is_big(digits: &[u8]) -> bool {
    digits.len() > 16 || digits.iter().fold(0, |n, d| n * 10 + u64::from(d - b'0')) > MAX_SAFE
}

#[cold]
fn in_range(number: &[u8]) -> bool {
    value(number).is_finite()
}

fn value(number: &[u8]) -> f64 {
    str::from_utf8(number)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(f64::NAN)
}

/// Appends a number's canonical text: what ECMAScript's `Number::toString` gives for the double
/// (RFC 8785, 3.2.2.3).
pub(crate) fn canonical_number(out: &mut Vec<u8>, number: &[u8]) {
    // An integer of up to 15 digits is its own canonical text; so most numbers are only copied.
    let integer = number.len() <= 15
        && number
            .iter()
            .all(|byte| byte.is_ascii_digit() || *byte == b'-')
        && number != b"-0";
    if integer {
        out.extend_from_slice(number);
    } else {
        let mut buffer = ryu_js::Buffer::new();
        out.extend_from_slice(buffer.format(value(number)).as_bytes());
    }
}

/// Appends a number's exact text (CANON-9): the canonical one if it denotes the same number, else the
/// number verbatim, and so an integer past 2^53 − 1, which many languages can only tell from a
/// fraction by its spelling.
pub(crate) fn exact_number(out: &mut Vec<u8>, number: &[u8]) {
    let plain = number
        .iter()
        .all(|byte| byte.is_ascii_digit() || *byte == b'-');
    // An integer up to there is its own canonical text, and one past it is kept.
    if plain && number != b"-0" {
        out.extend_from_slice(number);
        return;
    }
    let start = out.len();
    canonical_number(out, number);
    if !same_number(&out[start..], number) {
        out.truncate(start);
        out.extend_from_slice(number);
    }
}

/// Whether two JSON numbers denote the same number, whatever a double makes of them.
fn same_number(one: &[u8], other: &[u8]) -> bool {
    let (one, other) = (Decimal::of(one), Decimal::of(other));
    match (one, other) {
        (Some(one), Some(other)) => one == other,
        // An exponent past 64 bits is that of no number that a double can hold.
        _ => false,
    }
}

/// The type of a value in JSON Schema, by its JSON text; a whole number is an `integer`.
pub(crate) fn type_of(json: &str) -> &'static str {
    match json.as_bytes().first() {
        Some(b'"') => "string",
        Some(b't' | b'f') => "boolean",
        Some(b'n') => "null",
        Some(b'[') => "array",
        Some(b'{') => "object",
        _ if is_whole(json) => "integer",
        _ => "number",
    }
}

/// Whether a JSON number is a whole one, also where a double would have lost its fraction.
pub(crate) fn is_whole(number: &str) -> bool {
    Decimal::of(number.as_bytes()).is_some_and(|number| number.exponent >= 0)
}

/// A number as its digits, without zeros at either end, times a power of ten.
#[derive(PartialEq)]
struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    exponent: i64,
}

impl Decimal {
    /// The number of a JSON text; `None` if its exponent is past all bounds.
    fn of(number: &[u8]) -> Option<Self> {
        let negative = number.first() == Some(&b'-');
        let unsigned = &number[usize::from(negative)..];
        let e = unsigned.iter().position(|byte| matches!(byte, b'e' | b'E'));
        let (mantissa, exponent) = unsigned.split_at(e.unwrap_or(unsigned.len()));
        let point = mantissa.iter().position(|byte| *byte == b'.');
        let fraction = point.map_or(0, |point| mantissa.len() - point - 1);
        let mut digits: Vec<u8> = mantissa.iter().copied().filter(|d| *d != b'.').collect();
        let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
        digits.drain(..zeros);
        if digits.is_empty() {
            // Zero has one sign and one power of ten.
            return Some(Decimal {
                negative: false,
                digits,
                exponent: 0,
            });
        }
        let mut power = match exponent {
            [] => 0,
            [_, power @ ..] => str::from_utf8(power).ok()?.parse::<i64>().ok()?,
        };
        power = power.checked_sub(i64::try_from(fraction).ok()?)?;
        while digits.last() == Some(&b'0') {
            digits.pop();
            power = power.checked_add(1)?;
        }
        Some(Decimal {
            negative,
            digits,
            exponent: power,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(number: &str) -> String {
        let mut out = Vec::new();
        exact_number(&mut out, number.as_bytes());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_number_is_canonical_where_it_stays_the_same_number() {
        for (number, text) in [
            ("0", "0"),
            ("-0", "0"),
            ("-0.0e5", "0"),
            ("0e99999999999999999999", "0"),
            ("1.50", "1.5"),
            ("-1E2", "-100"),
            ("100.0e-2", "1"),
            ("0.00001e5", "1"),
            ("1E21", "1e+21"),
            ("1.0e20", "100000000000000000000"),
            ("0.1", "0.1"),
            ("1e-7", "1e-7"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ] {
            assert_eq!(exact(number), text, "{number}");
        }
    }

    #[test]
    fn a_whole_number_has_no_fraction_in_any_spelling() {
        for whole in [
            "0",
            "-0.0",
            "1",
            "1.0",
            "1e3",
            "100e-2",
            "9007199254740993.0",
            "1.5e300",
        ] {
            assert!(is_whole(whole), "{whole}");
        }
        for other in [
            "0.5",
            "1e-1",
            "9007199254740993.5",
            "1e-400",
            "1e-99999999999999999999",
        ] {
            assert!(!is_whole(other), "{other}");
        }
    }

    #[test]
    fn a_number_that_would_be_another_is_kept_to_the_letter() {
        for number in [
            "9007199254740993",
            "-1234567890123456789",
            "18446744073709551616",
            "123456789012345678901234567890",
            // Canonical it would be the same number, but no integer to most languages any more.
            "100000000000000000000000",
            "9007199254740993.0",
            "0.1234567890123456789",
            "0.1000000000000000055511151231257827",
            "1e-400",
            "-1e-99999999999999999999",
            "1.7976931348623158e308",
        ] {
            assert_eq!(exact(number), number);
        }
    }
}
