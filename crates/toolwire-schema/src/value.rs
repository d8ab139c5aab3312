//! Numbers and values as JSON Schema compares them: by what they mean, not how they are written.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

use serde_json::{Number, Value};

use crate::budget::{Allowance, Stop};

/// The order of two numbers, exactly.
pub(crate) fn compare(left: &Number, right: &Number) -> Option<Ordering> {
    match (integer(left), integer(right)) {
        (Some(left), Some(right)) => Some(left.cmp(&right)),
        (Some(left), None) => Some(beside(right.as_f64()?, left).reverse()),
        (None, Some(right)) => Some(beside(left.as_f64()?, right)),
        (None, None) => left.as_f64()?.partial_cmp(&right.as_f64()?),
    }
}

fn integer(number: &Number) -> Option<i128> {
    let unsigned = number.as_u64().map(i128::from);
    unsigned.or_else(|| number.as_i64().map(i128::from))
}

/// A float beside a whole number of at most 64 bits.
fn beside(float: f64, whole: i128) -> Ordering {
    /// Every float beyond this is beyond all whole numbers here, and every one within it fits `i128`.
    const FAR: f64 = 1e30;
    if float >= FAR {
        return Ordering::Greater;
    }
    if float <= -FAR {
        return Ordering::Less;
    }
    let rest = float.fract();
    let side = rest.partial_cmp(&0.0).unwrap_or(Ordering::Equal);
    (float.trunc() as i128).cmp(&whole).then(side)
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
    let (Some(value), Some(of)) = (decimal(value), decimal(of)) else {
        return false;
    };
    if value.digits == 0 {
        return true;
    }
    if of.digits == 0 {
        return false;
    }
    // value/of = v·10^a / w·10^b: where a is more than b the numerator gets the difference, else the
    // denominator does. Powers of ten are taken modulo the other side, so that nothing overflows.
    let (v, w) = (value.digits, of.digits);
    let gap = i64::from(value.exponent) - i64::from(of.exponent);
    if gap >= 0 {
        let mut rest = v % w;
        for _ in 0..gap {
            if rest == 0 {
                return true;
            }
            rest = rest * 10 % w;
        }
        return rest == 0;
    }
    // The denominator grows: more than 38 digits of it leave a fraction.
    let scale = u32::try_from(-gap)
        .ok()
        .and_then(|gap| 10_u128.checked_pow(gap));
    let whole = scale.and_then(|scale| w.checked_mul(scale));
    whole.is_some_and(|whole| v % whole == 0)
}

/// A number as digits and a power of ten.
struct Decimal {
    digits: u128,
    exponent: i32,
}

/// The shortest decimal number that is read as this one.
fn decimal(number: &Number) -> Option<Decimal> {
    let text = match integer(number) {
        Some(whole) => {
            return Some(Decimal {
                digits: whole.unsigned_abs(),
                exponent: 0,
            });
        }
        None => format!("{:e}", number.as_f64()?.abs()),
    };
    let (digits, exponent) = text.split_once('e')?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    Some(Decimal {
        digits: format!("{whole}{fraction}").parse().ok()?,
        exponent: exponent.parse::<i32>().ok()? - i32::try_from(fraction.len()).ok()?,
    })
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
