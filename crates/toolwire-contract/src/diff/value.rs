//! JSON values as schemas have them.

use serde_json::{Map, Value};
use toolwire::Json;
pub(super) use toolwire_schema::Decimal;

pub(super) type Members = Map<String, Value>;

/// Reads a value in which equal numbers are written alike; the reason if programs round one of them.
pub(super) fn read(json: &Json) -> Result<Value, String> {
    let value = read_loosely(json);
    match write(&value).is_some_and(|read| is_same(Some(&read), Some(json))) {
        true => Ok(value),
        false => Err("programs round a number in it, or it is nested too deep".to_owned()),
    }
}

/// The same with all numbers as programs round them.
pub(super) fn read_loosely(json: &Json) -> Value {
    json.sorted().to_value().unwrap_or_default()
}

/// The value in exact form; `None` if it is nested too deep for that.
pub(super) fn write(value: &Value) -> Option<Json> {
    Json::from_value(value).ok().map(|json| json.sorted())
}

/// Whether two values are the same, digit by digit.
pub(super) fn is_same(old: Option<&Json>, new: Option<&Json>) -> bool {
    match (old, new) {
        (Some(old), Some(new)) => old.sorted().as_str() == new.sorted().as_str(),
        (old, new) => old.is_some() == new.is_some(),
    }
}

pub(super) fn elements(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

pub(super) fn decimal(value: &Value) -> Option<Decimal> {
    Decimal::of(value.as_number()?)
}

/// A limit such as that of `maxLength`. One that no value reaches is the greatest one.
pub(super) fn limit(value: &Value) -> Option<u64> {
    let number = value.as_number()?;
    number.as_u64().or_else(|| {
        let float = number.as_f64()?;
        (float >= 0.0 && float.fract() == 0.0).then_some(float as u64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_programs_round_are_not_read() {
        for text in [
            "9007199254740993.0",
            "18446744073709551616",
            "0.1000000000000000055",
        ] {
            assert!(read(&Json::new(text).unwrap()).is_err(), "{text}");
        }
    }
}
