//! Numbers as exact decimals (FP-12).

/// The most digits of an exponent, without leading zeros.
const EXPONENT_DIGITS: usize = 18;

/// Appends the decimal value of a JSON number, laid out as ECMAScript lays out a double (CANON-5), but
/// with all of its digits. False, and nothing appended, if its exponent is too long.
pub(super) fn write_number(out: &mut Vec<u8>, number: &[u8]) -> bool {
    // Most are short integers, which are written as they stand.
    let short = number.len() <= 15 && number.iter().all(u8::is_ascii_digit);
    if short {
        out.extend_from_slice(number);
        return true;
    }
    let Some(decimal) = Decimal::of(number) else {
        return false;
    };
    decimal.write(out);
    true
}

/// The digits of a number, the first and the last of which are not zero, behind a decimal point that is
/// then moved: `0.DIGITS × 10^point`. Zero has no digits.
struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    point: i64,
}

impl Decimal {
    fn of(number: &[u8]) -> Option<Self> {
        let negative = number.first() == Some(&b'-');
        let unsigned = &number[usize::from(negative)..];
        let e = unsigned.iter().position(|byte| matches!(byte, b'e' | b'E'));
        let (significand, exponent) = unsigned.split_at(e.unwrap_or(unsigned.len()));
        let point = significand.iter().position(|byte| *byte == b'.');
        let whole = point.unwrap_or(significand.len());
        let mut digits: Vec<u8> = significand
            .iter()
            .copied()
            .filter(u8::is_ascii_digit)
            .collect();
        let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
        digits.drain(..zeros);
        while digits.last() == Some(&b'0') {
            digits.pop();
        }
        if digits.is_empty() {
            return Some(Decimal {
                negative: false,
                digits,
                point: 0,
            });
        }
        let written = i64::try_from(whole).ok()? - i64::try_from(zeros).ok()?;
        Some(Decimal {
            negative,
            digits,
            point: written + power(exponent)?,
        })
    }

    fn write(&self, out: &mut Vec<u8>) {
        let count = i64::try_from(self.digits.len()).unwrap_or(i64::MAX);
        if count == 0 {
            out.push(b'0');
            return;
        }
        if self.negative {
            out.push(b'-');
        }
        let zeros = |out: &mut Vec<u8>, count: i64| (0..count).for_each(|_| out.push(b'0'));
        match self.point {
            point if count <= point && point <= 21 => {
                out.extend_from_slice(&self.digits);
                zeros(out, point - count);
            }
            point @ 1..=21 => {
                let (whole, fraction) = self.digits.split_at(point as usize);
                out.extend_from_slice(whole);
                out.push(b'.');
                out.extend_from_slice(fraction);
            }
            point @ -5..=0 => {
                out.extend_from_slice(b"0.");
                zeros(out, -point);
                out.extend_from_slice(&self.digits);
            }
            point => {
                let (first, rest) = self.digits.split_at(1);
                out.extend_from_slice(first);
                if !rest.is_empty() {
                    out.push(b'.');
                    out.extend_from_slice(rest);
                }
                out.extend_from_slice(format!("e{:+}", point - 1).as_bytes());
            }
        }
    }
}

/// The value of `e…`, or 0 for nothing.
fn power(exponent: &[u8]) -> Option<i64> {
    let [_, power @ ..] = exponent else {
        return Some(0);
    };
    let (negative, digits) = match power {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    let digits = &digits[zeros..];
    if digits.len() > EXPONENT_DIGITS {
        return None;
    }
    let value = digits
        .iter()
        .fold(0, |value, digit| value * 10 + i64::from(digit - b'0'));
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(number: &str) -> Option<String> {
        let mut out = Vec::new();
        write_number(&mut out, number.as_bytes()).then(|| String::from_utf8(out).unwrap())
    }

    #[test]
    fn spellings_of_one_number_are_one() {
        for (spellings, text) in [
            (
                &[
                    "0",
                    "-0",
                    "0.0",
                    "0e5",
                    "-0.00E-7",
                    "0e99999999999999999999",
                ][..],
                "0",
            ),
            (
                &["1", "1.0", "10e-1", "0.1e1", "1E0", "1e+0", "100e-0002"],
                "1",
            ),
            (&["-1.50", "-15e-1", "-0.15e1"], "-1.5"),
            (&["100", "1e2", "0.001e5"], "100"),
            (
                &["9007199254740993", "9007199254740993.0"],
                "9007199254740993",
            ),
            (&["100000000000000000000", "1e20"], "100000000000000000000"),
            (&["1000000000000000000000", "1e21"], "1e+21"),
            (&["1234567890123456789012"], "1.234567890123456789012e+21"),
            (&["0.000001", "1e-6"], "0.000001"),
            (&["0.0000001", "1e-7", "0.1e-6"], "1e-7"),
            (&["0.00000012", "12e-8"], "1.2e-7"),
            (&["0.1234567890123456789"], "0.1234567890123456789"),
            (&["123456789012345678901.5"], "123456789012345678901.5"),
            (&["1e-400", "0.1e-399"], "1e-400"),
            (&["1e-999999999999999999"], "1e-999999999999999999"),
        ] {
            for spelling in spellings {
                assert_eq!(exact(spelling).as_deref(), Some(text), "{spelling}");
            }
            assert_eq!(exact(text).as_deref(), Some(text));
        }
    }

    #[test]
    fn an_exponent_has_at_most_eighteen_digits() {
        assert!(exact("1e-000999999999999999999").is_some());
        assert!(exact("1e-1000000000000000000").is_none());
        assert!(exact("0e-1000000000000000000").is_some());
    }

    #[test]
    fn what_a_double_has_exactly_is_written_as_in_canonical_form() {
        for number in [
            "0.5",
            "1e300",
            "-2.5e-10",
            "4503599627370496",
            "1e22",
            "5e-324",
        ] {
            let canonical = toolwire::canonicalize(number.as_bytes(), &toolwire::Limits::default());
            assert_eq!(
                exact(number).unwrap().as_bytes(),
                canonical.unwrap(),
                "{number}"
            );
        }
    }
}
