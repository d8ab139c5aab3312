//! What holds of single keywords, without the schemas in them (28.3).

use serde_json::{Value, json};

use super::branch::{Branch, Keyword, Type, bounds};
use super::dialect::is_annotation;
use super::value::{Decimal, Members};
use super::witness::of_format;

/// The keywords that belong to another one.
pub(super) fn group(keyword: &str) -> &'static [&'static str] {
    match keyword {
        "if" => &["then", "else"],
        "contains" => &["minContains", "maxContains"],
        "additionalProperties" => &["properties", "patternProperties"],
        "items" => &["prefixItems"],
        _ => &[],
    }
}

/// Adds the keywords of limits that are not kept, where other keywords leave at least and at most so many.
pub(super) fn limits<'a>(
    one: &Branch<'a>,
    other: &Branch<'a>,
    [least, most]: [&'static str; 2],
    left: (u64, u64),
    broken: &mut Vec<Keyword<'a>>,
) {
    let (own, limits) = (one.limits(least, most), other.limits(least, most));
    if own.0.max(left.0) < limits.0 {
        broken.extend(other.with(least));
    }
    if own.1.min(left.1) > limits.1 {
        broken.extend(other.with(most));
    }
}

/// Adds the keywords of numbers that are not kept.
pub(super) fn numbers<'a>(one: &Branch<'a>, other: &Branch<'a>, broken: &mut Vec<Keyword<'a>>) {
    for upper in [true, false] {
        let is_in = match (one.bound(upper), other.bound(upper)) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some((own, open)), Some((bound, excluded))) => {
                own < bound || own == bound && (open || !excluded)
            }
        };
        if !is_in {
            broken.extend(
                bounds(upper)
                    .into_iter()
                    .flat_map(|keyword| other.with(keyword)),
            );
        }
    }
    if !one.is_integer() {
        broken.extend(other.integers());
    }
    let whole = one.is_integer().then(|| Decimal::whole(1));
    let divides = |of: Decimal| {
        let mut own = one.multiples().chain(whole);
        own.any(|own| own.is_multiple_of(of))
    };
    if !other.multiples().all(divides) {
        broken.extend(other.with("multipleOf"));
    }
    let is_of = |format: &str| {
        let own: Vec<&str> = one.all("format").filter_map(Value::as_str).collect();
        let nested = |(least, most): (i128, i128)| {
            let within = |upper, most: i128| {
                let bound = one.bound(upper).filter(|_| one.is_integer());
                bound.is_some_and(|(bound, _)| bound <= Decimal::whole(most))
            };
            let mut ranges = own.iter().filter_map(|own| integers(own));
            ranges.any(|own| least <= own.0 && own.1 <= most)
                || within(true, most) && within(false, -least)
        };
        own.iter()
            .any(|own| *own == format || (*own, format) == ("float", "double"))
            || integers(format).map_or(!matches!(format, "float" | "double"), nested)
    };
    if !other.all("format").filter_map(Value::as_str).all(is_of) {
        broken.extend(other.with("format"));
    }
}

/// The least and the greatest integer of a format such as `uint32`.
fn integers(format: &str) -> Option<(i128, i128)> {
    let (bits, signed) = match format.strip_prefix("uint") {
        Some(bits) => (bits, false),
        None => (format.strip_prefix("int")?, true),
    };
    let bits: u32 = if bits.is_empty() {
        64
    } else {
        bits.parse().ok()?
    };
    let most = matches!(bits, 8 | 16 | 32 | 64).then(|| 1_i128 << (bits - u32::from(signed)))?;
    Some((if signed { -most } else { 0 }, most - 1))
}

/// Whether the validator holds values against a keyword that no rule is for.
pub(super) fn is_checked(part: &Value, keyword: &str, kind: Type) -> bool {
    match keyword {
        "contains" | "dependentRequired" | "dependentSchemas" | "if" | "not" | "pattern"
        | "propertyNames" => true,
        "format" => {
            let format = part.get("format").and_then(Value::as_str);
            kind == Type::Text && format.is_some_and(|format| of_format(format).is_some())
        }
        _ => false,
    }
}

/// The keywords of a part about values of a type that no rule is for.
pub(super) fn opaque(part: &Value, kind: Type) -> impl Iterator<Item = &str> {
    let is_opaque = move |keyword: &&str| match *keyword {
        "$ref" | "allOf" | "anyOf" | "oneOf" | "const" | "enum" | "type" => false,
        "additionalProperties"
        | "maxProperties"
        | "minProperties"
        | "patternProperties"
        | "properties"
        | "required"
        | "unevaluatedProperties" => false,
        "exclusiveMaximum" | "exclusiveMinimum" | "maximum" | "minimum" | "multipleOf" => false,
        "items" | "maxItems" | "minItems" | "prefixItems" | "uniqueItems" => false,
        "maxLength" | "minLength" => false,
        // They belong to `if` and `contains`.
        "then" | "else" | "minContains" | "maxContains" => false,
        "format" if kind == Type::Number => {
            let format = part.get("format").and_then(Value::as_str);
            format.is_some_and(|format| {
                integers(format).is_none() && !matches!(format, "float" | "double")
            })
        }
        "format" | "contentEncoding" | "contentMediaType" | "contentSchema" | "pattern" => {
            kind == Type::Text
        }
        "contains" => kind == Type::Array,
        // Names are strings anyway.
        "propertyNames" if part.get(*keyword) == Some(&json!({"type": "string"})) => false,
        "propertyNames" => kind == Type::Object,
        "dependentRequired" | "dependentSchemas" => kind == Type::Object,
        keyword => !is_annotation(keyword),
    };
    let names = part.as_object().into_iter().flat_map(Members::keys);
    names.map(String::as_str).filter(is_opaque)
}
