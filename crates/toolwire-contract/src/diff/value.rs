//! JSON values with exact numbers.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use toolwire::Json;
use toolwire::json::{Document, Kind, Node, ObjectWriter, array, string};

/// A JSON value. Equal values are equal, however they were written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Number(Decimal),
    Text(String),
    Array(Vec<Value>),
    Object(BTreeMap<String, Value>),
}

pub(super) type Members = BTreeMap<String, Value>;

impl Value {
    /// Reads a value; the reason if it has a number that is not kept exactly. With `loosely`, that is a text.
    pub(super) fn read(json: &Json, loosely: bool) -> Result<Value, String> {
        let document = Document::new(json.as_str()).map_err(|error| error.message().to_owned())?;
        Value::of(document.root(), loosely)
    }

    fn of(node: Node<'_>, loosely: bool) -> Result<Value, String> {
        Ok(match node.kind() {
            Kind::Null => Value::Null,
            Kind::Bool => Value::Bool(node.as_bool() == Some(true)),
            Kind::Number => match Decimal::read(node.raw()) {
                Some(number) => Value::Number(number),
                None if loosely => Value::Text(node.raw().to_owned()),
                None => {
                    let text = toolwire::json::brief(node.raw(), 40);
                    return Err(format!("programs round the number `{text}`"));
                }
            },
            Kind::String => Value::Text(node.as_str().unwrap_or_default().into_owned()),
            Kind::Array => {
                let parts = node.elements().map(|part| Value::of(part, loosely));
                Value::Array(parts.collect::<Result<_, _>>()?)
            }
            Kind::Object => {
                let members = node.members();
                let members =
                    members.map(|(name, part)| Ok((name.into_owned(), Value::of(part, loosely)?)));
                Value::Object(members.collect::<Result<_, String>>()?)
            }
        })
    }

    pub(super) fn to_text(&self) -> String {
        match self {
            Value::Null => "null".to_owned(),
            Value::Bool(value) => value.to_string(),
            Value::Number(number) => number.to_text(),
            Value::Text(text) => string(text),
            Value::Array(parts) => array(parts.iter().map(Value::to_text)),
            Value::Object(members) => {
                let mut object = ObjectWriter::new();
                for (name, part) in members {
                    object.json(name, part.to_text());
                }
                object.end()
            }
        }
    }

    /// The value as JSON text; nothing if it is nested too deep for that.
    pub(super) fn to_json(&self) -> Option<Json> {
        Json::new(self.to_text()).ok()
    }

    pub(super) fn members(&self) -> Option<&Members> {
        match self {
            Value::Object(members) => Some(members),
            _ => None,
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.members()?.get(name)
    }

    pub(super) fn remove(&mut self, name: &str) {
        if let Value::Object(members) = self {
            members.remove(name);
        }
    }

    pub(super) fn elements(&self) -> &[Value] {
        match self {
            Value::Array(parts) => parts,
            _ => &[],
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A limit such as that of `maxLength`. One that no value reaches is the greatest one.
    pub(super) fn limit(&self) -> Option<u64> {
        match self {
            Value::Number(number) if *number > Decimal::whole(i128::from(u64::MAX)) => {
                Some(u64::MAX)
            }
            Value::Number(number) => number.to_u64(),
            _ => None,
        }
    }

    pub(super) fn at(&self, pointer: &str) -> Option<&Value> {
        if pointer.is_empty() {
            return Some(self);
        }
        let mut steps = pointer.strip_prefix('/')?.split('/');
        steps.try_fold(self, |value, step| match value {
            Value::Object(members) => members.get(&*toolwire::json::pointer::unescape(step)),
            Value::Array(parts) => parts.get(step.parse::<usize>().ok()?),
            _ => None,
        })
    }
}

/// A decimal number, `digits · 10^exponent`, without zeros at the end of its digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Decimal {
    digits: i128,
    exponent: i32,
}

impl Decimal {
    pub(super) const ZERO: Decimal = Decimal {
        digits: 0,
        exponent: 0,
    };

    pub(super) fn whole(number: i128) -> Decimal {
        Decimal::new(number, 0)
    }

    /// A number such as `5 · 10^-1`.
    pub(super) fn new(mut digits: i128, mut exponent: i32) -> Decimal {
        if digits == 0 {
            return Decimal::ZERO;
        }
        while digits % 10 == 0 {
            digits /= 10;
            exponent += 1;
        }
        Decimal { digits, exponent }
    }

    /// Reads a JSON number; nothing if a program that reads it as a double, or as an integer of 64 bits,
    /// would hold another number than one that keeps its digits.
    fn read(text: &str) -> Option<Decimal> {
        let number = Decimal::parse(text)?;
        let is_integer = text.parse::<i64>().is_ok() || text.parse::<u64>().is_ok();
        if is_integer {
            return Some(number);
        }
        let double: f64 = text.parse().ok()?;
        (Decimal::parse(&format!("{double:e}"))? == number).then_some(number)
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

    fn to_text(self) -> String {
        let Decimal { digits, exponent } = self;
        if (0..=20).contains(&exponent) {
            let zeros = "0".repeat(exponent as usize);
            return format!("{digits}{zeros}");
        }
        let (sign, digits) = (
            if digits < 0 { "-" } else { "" },
            digits.unsigned_abs().to_string(),
        );
        match usize::try_from(-i64::from(exponent)) {
            Ok(places) if places < digits.len() => {
                let (whole, fraction) = digits.split_at(digits.len() - places);
                format!("{sign}{whole}.{fraction}")
            }
            Ok(places) if places < 20 => {
                let zeros = "0".repeat(places - digits.len());
                format!("{sign}0.{zeros}{digits}")
            }
            _ => format!("{sign}{digits}e{exponent}"),
        }
    }

    pub(super) fn negative(self) -> Decimal {
        Decimal {
            digits: -self.digits,
            ..self
        }
    }

    pub(super) fn is_whole(self) -> bool {
        self.exponent >= 0
    }

    pub(super) fn to_u64(self) -> Option<u64> {
        u64::try_from(self.to_i128()?).ok()
    }

    pub(super) fn to_i128(self) -> Option<i128> {
        let scale = 10_i128.checked_pow(u32::try_from(self.exponent).ok()?)?;
        self.digits.checked_mul(scale)
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

    pub(super) fn plus(self, other: Decimal) -> Option<Decimal> {
        let (left, right, exponent) = self.aligned(other)?;
        Some(Decimal::new(left.checked_add(right)?, exponent))
    }

    pub(super) fn minus(self, other: Decimal) -> Option<Decimal> {
        self.plus(other.negative())
    }

    /// Whether it is a whole multiple of another number; nothing if that is not known.
    pub(super) fn is_multiple_of(self, of: Decimal) -> Option<bool> {
        let (left, right, _) = self.aligned(of)?;
        (right != 0).then(|| left % right == 0)
    }

    /// The greatest multiple of a number above zero that is not greater than this.
    pub(super) fn floor(self, of: Decimal) -> Option<Decimal> {
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

/// Whether two values are the same, digit by digit.
pub(super) fn is_same(old: Option<&Json>, new: Option<&Json>) -> bool {
    match (old, new) {
        (Some(old), Some(new)) if old.as_str() != new.as_str() => {
            let read = |json| Value::read(json, false).ok();
            read(old).is_some_and(|old| read(new) == Some(old))
        }
        (old, new) => old.is_some() == new.is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Decimal {
        Decimal::read(text).unwrap()
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
    fn numbers_that_programs_round_are_not_read() {
        for text in [
            "9007199254740993.0",
            "18446744073709551616",
            "0.1000000000000000055",
        ] {
            assert_eq!(Decimal::read(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_written_as_they_are_read() {
        for text in [
            "0", "-15", "0.5", "-12.25", "100", "0.001", "1e300", "5e-324",
        ] {
            assert_eq!(number(text).to_text(), text);
        }
    }

    #[test]
    fn multiples_are_exact() {
        assert_eq!(number("0.3").is_multiple_of(number("0.1")), Some(true));
        assert_eq!(number("0.35").is_multiple_of(number("0.1")), Some(false));
        assert_eq!(number("7").floor(number("2.5")), Some(number("5")));
        assert_eq!(number("-1").floor(number("2")), Some(number("-2")));
        assert_eq!(number("0.5").plus(number("0.5")), Some(number("1")));
    }
}
