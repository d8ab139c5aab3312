//! Numbers: their syntax, their range and their canonical text.

use super::scan::Fault;
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
