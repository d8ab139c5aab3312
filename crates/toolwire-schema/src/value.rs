//! Numbers and values as JSON Schema compares them: by what they mean, not how they are written.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

use serde_json::{Number, Value};

use crate::budget::{Allowance, Stop};
use crate::decimal::Decimal;

/// The order of two numbers, exactly.
pub(crate) fn compare(left: &Number, right: &Number) -> Option<Ordering> {
    match (integer(left), integer(right)) {
        (Some(left), Some(right)) => Some(left.cmp(&right)),
        (None, None) => left.as_f64()?.partial_cmp(&right.as_f64()?),
        _ => Some(Decimal::of(left)?.cmp(&Decimal::of(right)?)),
    }
}

fn integer(number: &Number) -> Option<i128> {
    let unsigned = number.as_u64().map(i128::from);
    unsigned.or_else(|| number.as_i64().map(i128::from))
}

/// Whether a number is whole, as `1.0` is.
pub(crate) fn is_whole(number: &Number) -> bool {
    integer(number).is_some() || number.as_f64().is_some_and(|float| float.fract() == 0.0)
}

/// A limit such as that of `maxLength`; `None` if it is none.
pub(crate) fn limit(value: &Value) -> Option<u64> {
    let number = value.as_number()?;
    if let Some(limit) = number.as_u64() {
        return Some(limit);
    }
    let float = number.as_f64()?;
    (float >= 0.0 && float.fract() == 0.0).then_some(float as u64)
}

/// Whether a number is a multiple of another that is more than zero.
pub(crate) fn is_multiple(value: &Number, of: &Number) -> bool {
    if let (Some(value), Some(of)) = (integer(value), integer(of)) {
        return of != 0 && value % of == 0;
    }
    if let (None, true, Some(float), Some(of)) =
        (integer(value), is_whole(of), value.as_f64(), of.as_f64())
    {
        return float.fract() == 0.0 && float % of == 0.0;
    }
    let decimals = Decimal::of(value).zip(Decimal::of(of));
    decimals.is_some_and(|(value, of)| value.is_multiple_of(of))
}

/// Whether two values are the same.
pub(crate) fn equal(left: &Value, right: &Value, allowance: &mut Allowance) -> Result<bool, Stop> {
    allowance.step(1)?;
    Ok(match (left, right) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::Number(left), Value::Number(right)) => {
            compare(left, right) == Some(Ordering::Equal)
        }
        (Value::String(left), Value::String(right)) => {
            left.len() == right.len() && {
                allowance.read(left.len())?;
                left == right
            }
        }
        (Value::Array(left), Value::Array(right)) => {
            if left.len() != right.len() {
                return Ok(false);
            }
            for (left, right) in left.iter().zip(right) {
                if !equal(left, right, allowance)? {
                    return Ok(false);
                }
            }
            true
        }
        (Value::Object(left), Value::Object(right)) => {
            if left.len() != right.len() {
                return Ok(false);
            }
            for (name, left) in left {
                allowance.step(1)?;
                allowance.read(name.len())?;
                match right.get(name) {
                    Some(right) if equal(left, right, allowance)? => {}
                    _ => return Ok(false),
                }
            }
            true
        }
        _ => false,
    })
}

/// Whether no two of the values are the same.
pub(crate) fn are_different(values: &[Value], allowance: &mut Allowance) -> Result<bool, Stop> {
    const ENTRY: usize = 96;
    // A few are compared without further ado.
    if values.len() <= 8 {
        for (at, value) in values.iter().enumerate() {
            for other in &values[..at] {
                if equal(value, other, allowance)? {
                    return Ok(false);
                }
            }
        }
        return Ok(true);
    }
    let bytes = ENTRY * values.len();
    allowance.hold(bytes)?;
    let state = RandomState::new();
    let mut seen: HashMap<u64, Vec<&Value>> = HashMap::with_capacity(values.len());
    let mut different = true;
    'values: for value in values {
        let mut hasher = state.build_hasher();
        hash(value, &mut hasher, allowance)?;
        let alike = seen.entry(hasher.finish()).or_default();
        for other in alike.iter() {
            if equal(value, other, allowance)? {
                different = false;
                break 'values;
            }
        }
        alike.push(value);
    }
    allowance.release(bytes);
    Ok(different)
}

/// Equal values have equal hashes.
fn hash(value: &Value, hasher: &mut impl Hasher, allowance: &mut Allowance) -> Result<(), Stop> {
    allowance.step(2)?;
    match value {
        Value::Null => hasher.write_u8(0),
        Value::Bool(value) => hasher.write_u8(1 + u8::from(*value)),
        Value::Number(number) => {
            // `-0.0` and `0` are the same.
            let float = number.as_f64().unwrap_or_default() + 0.0;
            hasher.write_u8(3);
            hasher.write_u64(float.to_bits());
        }
        Value::String(text) => {
            allowance.read(text.len())?;
            hasher.write_u8(4);
            hasher.write(text.as_bytes());
        }
        Value::Array(elements) => {
            hasher.write_u8(5);
            for element in elements {
                hash(element, hasher, allowance)?;
            }
        }
        // The members stand in the order of their names.
        Value::Object(members) => {
            hasher.write_u8(6);
            for (name, member) in members {
                allowance.read(name.len())?;
                hasher.write(name.as_bytes());
                hasher.write_u8(0xff);
                hash(member, hasher, allowance)?;
            }
        }
    }
    Ok(())
}
