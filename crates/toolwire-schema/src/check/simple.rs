//! Keywords that are not about other schemas.

use serde_json::Value;

use super::{Check, Fits, TOO_LONG, elements};
use crate::format;
use crate::value::{are_different, compare, equal, is_multiple, is_whole, limit};
use crate::words::predicate;

impl<'s> Check<'s, '_> {
    /// A keyword that is not about other schemas.
    pub(super) fn simple(&mut self, name: &str, keyword: &'s Value, value: &Value) -> Fits {
        let holds = match (name, value) {
            ("type", _) => match keyword {
                Value::Array(names) => names.iter().any(|name| has_type(name, value)),
                name => has_type(name, value),
            },
            ("const", _) => equal(keyword, value, self.allowance)?,
            ("enum", _) => {
                let mut found = false;
                for option in elements(keyword) {
                    if equal(option, value, self.allowance)? {
                        found = true;
                        break;
                    }
                }
                found
            }
            ("minimum", Value::Number(number)) => bound(number, keyword, |order| order.is_ge()),
            ("maximum", Value::Number(number)) => bound(number, keyword, |order| order.is_le()),
            ("exclusiveMinimum", Value::Number(number)) => {
                bound(number, keyword, |order| order.is_gt())
            }
            ("exclusiveMaximum", Value::Number(number)) => {
                bound(number, keyword, |order| order.is_lt())
            }
            ("multipleOf", Value::Number(number)) => {
                self.allowance.step(400)?;
                keyword.as_number().is_none_or(|of| is_multiple(number, of))
            }
            ("minLength" | "maxLength", Value::String(text)) => {
                self.allowance.read(text.len())?;
                within(name, text.chars().count(), keyword)
            }
            ("minItems" | "maxItems", Value::Array(parts)) => within(name, parts.len(), keyword),
            ("minProperties" | "maxProperties", Value::Object(parts)) => {
                within(name, parts.len(), keyword)
            }
            ("uniqueItems", Value::Array(parts)) => {
                *keyword != Value::Bool(true) || are_different(parts, self.allowance)?
            }
            ("pattern", Value::String(text)) => {
                match self.matches(keyword.as_str().unwrap_or_default(), text)? {
                    Some(matches) => matches,
                    None => return self.no(None, TOO_LONG),
                }
            }
            ("format", Value::String(text)) => {
                format::holds(keyword.as_str().unwrap_or_default(), text, self.allowance)?
            }
            _ => true,
        };
        if let (false, Some(report)) = (holds, &mut self.report) {
            if let Value::String(text) = value {
                self.allowance.read(text.len())?;
            }
            let (about, predicate) = predicate(name, keyword, value);
            report.tell(None, about, &predicate, self.allowance)?;
        }
        Ok(holds)
    }
}

fn bound(
    number: &serde_json::Number,
    keyword: &Value,
    holds: impl Fn(std::cmp::Ordering) -> bool,
) -> bool {
    let order = keyword.as_number().and_then(|bound| compare(number, bound));
    order.is_none_or(holds)
}

fn within(name: &str, count: usize, keyword: &Value) -> bool {
    limit(keyword).is_none_or(|limit| match name.starts_with("min") {
        true => count as u64 >= limit,
        false => count as u64 <= limit,
    })
}

fn has_type(name: &Value, value: &Value) -> bool {
    match (name.as_str(), value) {
        (Some("array"), Value::Array(_))
        | (Some("boolean"), Value::Bool(_))
        | (Some("null"), Value::Null)
        | (Some("number"), Value::Number(_))
        | (Some("object"), Value::Object(_))
        | (Some("string"), Value::String(_)) => true,
        (Some("integer"), Value::Number(number)) => is_whole(number),
        _ => false,
    }
}
