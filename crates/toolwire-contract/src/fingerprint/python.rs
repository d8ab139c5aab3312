//! Values as Python has them: how it orders them, and how its `json.dumps` writes them (FP-41).

use std::cmp::Ordering;
use std::fmt::Write as _;

use toolwire::json::{Kind, Node};

/// What Python's `json.loads` makes of a value.
#[derive(Debug, Clone)]
pub(super) enum Value {
    None,
    Bool(bool),
    /// The digits of an `int`, whatever their number.
    Int(String),
    Float(f64),
    Str(String),
    List(Vec<Value>),
    Dict(Vec<(String, Value)>),
}

impl From<Node<'_>> for Value {
    fn from(node: Node<'_>) -> Self {
        match node.kind() {
            Kind::Null => Value::None,
            Kind::Bool => Value::Bool(node.as_bool() == Some(true)),
            Kind::Number if node.raw().contains(['.', 'e', 'E']) => {
                Value::Float(node.as_f64().unwrap_or_default())
            }
            Kind::Number if node.raw() == "-0" => Value::Int("0".to_owned()),
            Kind::Number => Value::Int(node.raw().to_owned()),
            Kind::String => Value::Str(node.as_str().unwrap_or_default().into_owned()),
            Kind::Array => Value::List(node.elements().map(Value::from).collect()),
            Kind::Object => {
                let members = node.members();
                Value::Dict(
                    members
                        .map(|(name, value)| (name.into_owned(), value.into()))
                        .collect(),
                )
            }
        }
    }
}

/// Sorts as Python's `sorted` does. If it would raise, because two of the values have no order, gives the
/// places of two such in `values`.
///
/// A sort compares all values that end up side by side, and where two values anywhere have no order, so
/// have two that are side by side: which ones Python compares therefore does not matter.
pub(super) fn sorted<T>(
    values: Vec<T>,
    key: impl Fn(&T) -> &Value,
) -> Result<Vec<T>, (usize, usize)> {
    let mut places: Vec<(usize, T)> = values.into_iter().enumerate().collect();
    places.sort_by(|(_, a), (_, b)| order(key(a), key(b)));
    for pair in places.windows(2) {
        let [(first, a), (second, b)] = pair else {
            continue;
        };
        if !have_order(key(a), key(b)) {
            return Err((*first, *second));
        }
    }
    Ok(places.into_iter().map(|(_, value)| value).collect())
}

/// Whether `a < b` raises nothing.
fn have_order(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Str(_), Value::Str(_)) => true,
        (Value::List(a), Value::List(b)) => a
            .iter()
            .zip(b)
            .find(|(a, b)| order(a, b).is_ne())
            .is_none_or(|(a, b)| have_order(a, b)),
        _ => is_number(a) && is_number(b),
    }
}

fn is_number(value: &Value) -> bool {
    matches!(value, Value::Bool(_) | Value::Int(_) | Value::Float(_))
}

/// A total order that is Python's where that has one, and under which values are equal that `==` says are.
fn order(a: &Value, b: &Value) -> Ordering {
    let rank = |value: &Value| match value {
        Value::None => 0,
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => 1,
        Value::Str(_) => 2,
        Value::List(_) => 3,
        Value::Dict(_) => 4,
    };
    match (a, b) {
        (Value::Str(a), Value::Str(b)) => a.cmp(b),
        (Value::List(a), Value::List(b)) => {
            let differ = a
                .iter()
                .zip(b)
                .map(|(a, b)| order(a, b))
                .find(|order| order.is_ne());
            differ.unwrap_or_else(|| a.len().cmp(&b.len()))
        }
        (Value::Dict(a), Value::Dict(b)) => {
            let (a, b) = (by_name(a), by_name(b));
            let members = a.iter().zip(&b);
            let differ = members
                .map(|(a, b)| a.0.cmp(&b.0).then_with(|| order(&a.1, &b.1)))
                .find(|order| order.is_ne());
            differ.unwrap_or_else(|| a.len().cmp(&b.len()))
        }
        _ if is_number(a) && is_number(b) => Whole::of(a).cmp(&Whole::of(b)),
        _ => rank(a).cmp(&rank(b)),
    }
}

fn by_name(members: &[(String, Value)]) -> Vec<&(String, Value)> {
    let mut members: Vec<_> = members.iter().collect();
    members.sort_by(|a, b| a.0.cmp(&b.0));
    members
}

/// A number as a whole one of any size, and what is behind its point.
struct Whole {
    negative: bool,
    digits: String,
    fraction: f64,
}

impl Whole {
    fn of(number: &Value) -> Self {
        let (text, fraction) = match number {
            Value::Int(digits) => (digits.clone(), 0.0),
            // A whole double is written with all of its digits; negative zero becomes zero.
            Value::Float(float) => (format!("{:.0}", float.trunc()), float.fract() + 0.0),
            other => (
                u8::from(matches!(other, Value::Bool(true))).to_string(),
                0.0,
            ),
        };
        let digits = text.trim_start_matches('-');
        Whole {
            negative: text.starts_with('-') && digits != "0",
            digits: digits.to_owned(),
            fraction,
        }
    }

    fn cmp(&self, other: &Whole) -> Ordering {
        let size = |a: &Whole, b: &Whole| {
            a.digits
                .len()
                .cmp(&b.digits.len())
                .then_with(|| a.digits.cmp(&b.digits))
        };
        let whole = match (self.negative, other.negative) {
            (false, false) => size(self, other),
            (true, true) => size(other, self),
            (mine, theirs) => theirs.cmp(&mine),
        };
        whole.then_with(|| self.fraction.total_cmp(&other.fraction))
    }
}

/// `json.dumps(value, sort_keys=True)`.
pub(super) fn dumps(value: &Value, out: &mut String) {
    match value {
        Value::None => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Int(digits) => out.push_str(digits),
        Value::Float(float) => repr(*float, out),
        Value::Str(text) => write_str(text, out),
        Value::List(values) => {
            out.push('[');
            for (index, value) in values.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                dumps(value, out);
            }
            out.push(']');
        }
        Value::Dict(members) => {
            out.push('{');
            for (index, (name, value)) in by_name(members).into_iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_str(name, out);
                out.push_str(": ");
                dumps(value, out);
            }
            out.push('}');
        }
    }
}

/// A string with `ensure_ascii`.
fn write_str(text: &str, out: &mut String) {
    out.push('"');
    for unit in text.encode_utf16() {
        match unit {
            0x22 => out.push_str("\\\""),
            0x5C => out.push_str("\\\\"),
            0x0A => out.push_str("\\n"),
            0x0D => out.push_str("\\r"),
            0x09 => out.push_str("\\t"),
            0x0C => out.push_str("\\f"),
            0x08 => out.push_str("\\b"),
            0x20..=0x7E => out.push(char::from(unit as u8)),
            _ => {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out.push('"');
}

/// `float.__repr__`: the shortest digits, with an exponent outside of 1e-4 to 1e16.
fn repr(float: f64, out: &mut String) {
    let scientific = format!("{float:e}");
    let (significand, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let plain = format!("{float}");
        out.push_str(&plain);
        if !plain.contains('.') {
            out.push_str(".0");
        }
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        let _ = write!(out, "{significand}e{sign}{:02}", exponent.abs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolwire::json::Document;

    fn value(text: &str) -> Value {
        Document::new(text).unwrap().root().into()
    }

    #[test]
    fn numbers_of_all_kinds_have_one_order() {
        let ascending = [
            "-1e300",
            "-9007199254740993",
            "-9007199254740992.0",
            "-1.5",
            "-1",
            "-0.5",
            "0",
            "5e-324",
            "0.5",
            "true",
            "1.5",
            "2",
            "9007199254740992.0",
            "9007199254740993",
            "1e22",
            "10000000000000000000001",
            "1e300",
        ];
        for (i, a) in ascending.iter().enumerate() {
            for (j, b) in ascending.iter().enumerate() {
                assert_eq!(order(&value(a), &value(b)), i.cmp(&j), "{a} {b}");
            }
        }
        for (a, b) in [
            ("0", "-0.0"),
            ("1", "true"),
            ("false", "0.0"),
            ("10000000000000000000000", "1e22"),
        ] {
            assert!(order(&value(a), &value(b)).is_eq(), "{a} {b}");
        }
    }

    #[test]
    fn lists_have_an_order_up_to_where_they_differ() {
        let raises = |text: &str| match value(text) {
            Value::List(values) => sorted(values, |value| value).is_err(),
            _ => panic!("a list"),
        };
        assert!(
            raises(r#"[1,"a"]"#) && raises("[null,null]") && raises("[{},{}]") && raises("[[1],1]")
        );
        assert!(raises(r#"[[1,"x"],[2,0],[1,5]]"#));
        assert!(
            !raises(r#"[[1,"x"],[2,0]]"#)
                && !raises("[[null,1],[null,2]]")
                && !raises("[[{}],[{}]]")
        );
        assert!(!raises("[null]") && !raises("[true,0.5,2]"));
    }
}
