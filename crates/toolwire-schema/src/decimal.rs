//! Exact decimal numbers.

use std::cmp::Ordering;

use serde_json::{Number, Value};

/// A decimal number, `digits · 10^exponent`, without zeros at the end of its digits.
///
/// ```
/// use toolwire_schema::Decimal;
///
/// let (tenth, third) = (Decimal::new(1, -1), Decimal::new(3, -1));
/// assert!(third.is_multiple_of(tenth) && tenth < third);
/// assert_eq!(Decimal::whole(7).floor(Decimal::new(25, -1)), Some(Decimal::whole(5)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Decimal {
    digits: i128,
    exponent: i32,
}

impl Decimal {
    /// Zero.
    pub const ZERO: Decimal = Decimal {
        digits: 0,
        exponent: 0,
    };

    /// A whole number.
    #[must_use]
    pub fn whole(number: i128) -> Decimal {
        Decimal::new(number, 0)
    }

    /// A number such as `5 · 10^-1`.
    #[must_use]
    pub fn new(mut digits: i128, mut exponent: i32) -> Decimal {
        if digits == 0 {
            return Decimal::ZERO;
        }
        while digits % 10 == 0 {
            digits /= 10;
            exponent += 1;
        }
        Decimal { digits, exponent }
    }

    /// The shortest decimal number that is read as this one; `None` if its exponent is out of bounds.
    #[must_use]
    pub fn of(number: &Number) -> Option<Decimal> {
        Decimal::parse(&number.to_string())
    }

    fn parse(text: &str) -> Option<Decimal> {
        let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let fraction = fraction.trim_end_matches('0');
        let exponent: i32 = exponent.parse().ok()?;
        let places = i32::try_from(fraction.len()).ok()?;
        let digits: i128 = format!("{whole}{fraction}").parse().ok()?;
        Some(Decimal::new(digits, exponent.checked_sub(places)?))
    }

    /// The number with its sign turned.
    #[must_use]
    pub fn negative(self) -> Decimal {
        Decimal {
            digits: -self.digits,
            ..self
        }
    }

    /// Whether it has no fraction.
    #[must_use]
    pub fn is_whole(self) -> bool {
        self.exponent >= 0
    }

    /// The number as programs hold it.
    #[must_use]
    pub fn to_value(self) -> Value {
        let scale = u32::try_from(self.exponent).ok();
        let scale = scale.and_then(|exponent| 10_i128.checked_pow(exponent));
        let whole = scale.and_then(|scale| Number::from_i128(self.digits.checked_mul(scale)?));
        whole.map_or_else(
            || {
                format!("{}e{}", self.digits, self.exponent)
                    .parse()
                    .map_or(Value::Null, f64::into)
            },
            Value::Number,
        )
    }

    /// Both numbers as digits of one exponent; nothing if they are too far apart.
    fn aligned(self, other: Decimal) -> Option<(i128, i128, i32)> {
        let exponent = self.exponent.min(other.exponent);
        let scaled = |number: Decimal| {
            let places = u32::try_from(number.exponent - exponent).ok()?;
            number.digits.checked_mul(10_i128.checked_pow(places)?)
        };
        match (self.digits, other.digits) {
            (0, _) => Some((0, other.digits, other.exponent)),
            (_, 0) => Some((self.digits, 0, self.exponent)),
            _ => Some((scaled(self)?, scaled(other)?, exponent)),
        }
    }

    /// The sum; `None` if the numbers are too far apart.
    #[must_use]
    pub fn plus(self, other: Decimal) -> Option<Decimal> {
        let (left, right, exponent) = self.aligned(other)?;
        Some(Decimal::new(left.checked_add(right)?, exponent))
    }

    /// The difference; `None` if the numbers are too far apart.
    #[must_use]
    pub fn minus(self, other: Decimal) -> Option<Decimal> {
        self.plus(other.negative())
    }

    /// Whether it is a whole multiple of another number. Of zero, only zero is.
    #[must_use]
    pub fn is_multiple_of(self, of: Decimal) -> bool {
        let (v, w) = (self.digits.unsigned_abs(), of.digits.unsigned_abs());
        if v == 0 || w == 0 {
            return v == 0;
        }
        // self/of = v·10^a / w·10^b: where a is more than b the numerator gets the difference, else the denominator
        // does. Powers of ten are taken modulo the other side, so that nothing overflows.
        let gap = i64::from(self.exponent) - i64::from(of.exponent);
        if gap >= 0 {
            let rest = (0..gap).try_fold(v % w, |rest, _| match rest {
                0 => Err(true),
                rest => rest.checked_mul(10).map(|rest| rest % w).ok_or(false),
            });
            return rest.map_or_else(|known| known, |rest| rest == 0);
        }
        // The denominator grows: more than 38 digits of it leave a fraction.
        let scale = u32::try_from(-gap).ok();
        let scale = scale.and_then(|gap| 10_u128.checked_pow(gap));
        let whole = scale.and_then(|scale| w.checked_mul(scale));
        whole.is_some_and(|whole| v % whole == 0)
    }

    /// The greatest multiple of a number above zero that is not greater than this; `None` if the numbers are too far
    /// apart.
    #[must_use]
    pub fn floor(self, of: Decimal) -> Option<Decimal> {
        let (left, right, exponent) = self.aligned(of)?;
        let times = (right > 0).then(|| left.div_euclid(right))?;
        Some(Decimal::new(times.checked_mul(right)?, exponent))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Decimal) -> Ordering {
        let signs = self.digits.signum().cmp(&other.digits.signum());
        if signs.is_ne() || self.digits == 0 {
            return signs;
        }
        let size = |number: &Decimal| {
            i64::from(number.digits.unsigned_abs().ilog10()) + i64::from(number.exponent)
        };
        let sizes = size(self).cmp(&size(other));
        let sizes = sizes.then_with(|| {
            // Of one size, their digits differ by few places.
            let aligned = self.aligned(*other);
            aligned.map_or(Ordering::Equal, |(left, right, _)| {
                left.unsigned_abs().cmp(&right.unsigned_abs())
            })
        });
        if self.digits < 0 {
            sizes.reverse()
        } else {
            sizes
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Decimal) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Decimal {
        Decimal::of(&text.parse().unwrap()).unwrap()
    }

    #[test]
    fn numbers_are_compared_exactly() {
        let ascending = [
            "-1e300",
            "-9007199254740993",
            "-9007199254740992",
            "-1.5",
            "-0.1",
            "0",
            "1e-300",
            "0.1",
            "0.30000000000000004",
            "1",
            "9007199254740992",
            "9007199254740993",
            "18446744073709551615",
            "1e300",
        ];
        let numbers = ascending.map(number);
        assert!(numbers.is_sorted_by(|left, right| left < right));
        assert_eq!(number("1.50e1"), number("15"));
        assert_eq!(number("-0"), Decimal::ZERO);
    }

    #[test]
    fn numbers_are_written_as_they_are_read() {
        for text in [
            "0", "-15", "0.5", "-12.25", "100", "0.001", "1e300", "5e-324",
        ] {
            assert_eq!(
                number(text).to_value().to_string().parse(),
                text.parse::<f64>()
            );
        }
    }

    #[test]
    fn multiples_are_exact() {
        assert!(number("0.3").is_multiple_of(number("0.1")));
        assert!(!number("0.35").is_multiple_of(number("0.1")));
        assert!(number("1e300").is_multiple_of(number("1e-300")));
        assert_eq!(number("7").floor(number("2.5")), Some(number("5")));
        assert_eq!(number("-1").floor(number("2")), Some(number("-2")));
        assert_eq!(number("0.5").plus(number("0.5")), Some(number("1")));
    }
}
