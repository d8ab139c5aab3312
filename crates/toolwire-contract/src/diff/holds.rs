//! Whether a value fits a schema, and which keywords only the validator knows.

use serde_json::Value;

use super::dialect::is_annotation;
use super::lower::{Branch, DEEP, Lower, Name, Type, named};
use super::value::{Decimal, Members, elements};

/// Whether a keyword says something of values of a type.
fn is_about(keyword: &str, kind: Type) -> bool {
    match keyword {
        "format" => matches!(kind, Type::Text | Type::Number),
        "contentEncoding" | "contentMediaType" | "contentSchema" | "pattern" => kind == Type::Text,
        "contains" => kind == Type::Array,
        "dependentSchemas" => kind == Type::Object,
        _ => true,
    }
}

/// The keywords of a part about values of a type that no rule is for.
pub(super) fn opaque(part: &Members, kind: Type) -> impl Iterator<Item = &str> {
    let is_opaque = move |keyword: &&str| match *keyword {
        "$ref"
        | "additionalProperties"
        | "allOf"
        | "anyOf"
        | "const"
        | "dependentRequired"
        | "enum"
        | "exclusiveMaximum"
        | "exclusiveMinimum"
        | "items"
        | "maxItems"
        | "maxLength"
        | "maxProperties"
        | "maximum"
        | "minItems"
        | "minLength"
        | "minProperties"
        | "minimum"
        | "multipleOf"
        | "oneOf"
        | "patternProperties"
        | "prefixItems"
        | "properties"
        | "propertyNames"
        | "required"
        | "type"
        | "unevaluatedProperties"
        | "uniqueItems" => false,
        // They belong to `if` and `contains`.
        "then" | "else" | "minContains" | "maxContains" => false,
        "format" if kind == Type::Number => {
            let format = part.get("format").and_then(Value::as_str);
            format.is_some_and(|format| !is_number_format(format))
        }
        keyword => !is_annotation(keyword) && is_about(keyword, kind),
    };
    part.keys().map(String::as_str).filter(is_opaque)
}

/// Whether a format is one of numbers that generators write, and that no validator checks.
fn is_number_format(format: &str) -> bool {
    integers(format).is_some() || matches!(format, "float" | "double")
}

/// The least and the greatest integer of a format such as `uint32`.
pub(super) fn integers(format: &str) -> Option<(i128, i128)> {
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

/// Texts in a format, and what is nearly so.
pub(super) fn of_format(format: &str) -> &'static [&'static str] {
    match format {
        "date" => &["2020-01-31", "2020-13-01"],
        "date-time" => &["2020-01-31T12:00:00Z", "2020-01-31"],
        "time" => &["12:00:00Z", "25:00:00Z"],
        "duration" => &["P1D", "1D"],
        "email" | "idn-email" => &["a@example.com", "a@"],
        "hostname" | "idn-hostname" => &["example.com", "-a"],
        "ipv4" => &["192.0.2.1", "192.0.2.256"],
        "ipv6" => &["2001:db8::1", "2001:db8::g"],
        "uri" | "iri" | "url" => &["https://example.com/a", "a b"],
        "uri-reference" | "iri-reference" => &["/a", "a b"],
        "uri-template" => &["/a/{b}", "/a/{"],
        "uuid" => &["123e4567-e89b-12d3-a456-426614174000", "123e4567"],
        "json-pointer" => &["/a", "a"],
        "relative-json-pointer" => &["1/a", "/a"],
        "regex" => &["a+", "("],
        _ => &[],
    }
}

/// `false` if one is, else `None` if one is not known.
fn all(of: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = Some(true);
    for next in of {
        match next {
            Some(true) => {}
            Some(false) => return next,
            None => all = None,
        }
    }
    all
}

impl<'a> Lower<'a> {
    /// Whether a value fits schemas that all hold; `None` if that is not known.
    pub(super) fn fits(&self, value: &Value, schemas: &[&'a Value], depth: usize) -> Option<bool> {
        if let [Value::Bool(true)] | [] = schemas {
            return Some(true);
        }
        let branches = self.branches(schemas, true, depth + 1)?;
        let fits = branches
            .iter()
            .map(|one| self.holds(value, one, false, depth + 1).map(|holds| !holds));
        all(fits).map(|none| !none)
    }

    /// Whether a value fits a branch; `None` if that is not known. With `trusted`, what no rule is for holds.
    pub(super) fn holds(
        &self,
        value: &Value,
        branch: &Branch<'a>,
        trusted: bool,
        depth: usize,
    ) -> Option<bool> {
        let kind = Type::of(value);
        if depth > DEEP || !self.meter.step(1) {
            return None;
        }
        if !branch.types().contains(&kind)
            || branch.values(kind).is_some_and(|all| !all.contains(&value))
        {
            return Some(false);
        }
        // Of `oneOf`, a branch has one alternative, and another one may hold, too.
        let one_of = branch.all("oneOf").any(|all| {
            let fits = |inner: &&'a Value| self.fits(value, &[inner], depth) == Some(true);
            elements(all).iter().filter(fits).nth(1).is_some()
        });
        if one_of {
            return Some(false);
        }
        let by_kind = match value {
            Value::Number(number) => self.number_holds(Decimal::of(number)?, branch),
            Value::String(text) => self.text_holds(text, branch),
            Value::Array(elements) => self.array_holds(elements, branch, depth),
            Value::Object(members) => self.object_holds(members, branch, depth),
            _ => Some(true),
        };
        let is_known = |part: &&Members| {
            opaque(part, kind).all(|keyword| {
                let known = part
                    .get(keyword)
                    .and_then(Value::as_str)
                    .is_some_and(|format| {
                        keyword == "pattern" || keyword == "format" && !of_format(format).is_empty()
                    });
                known && kind == Type::Text
            })
        };
        let sure = trusted || branch.undivided.is_empty() && branch.parts.iter().all(is_known);
        all([by_kind, sure.then_some(true)].into_iter())
    }

    fn number_holds(&self, number: Decimal, branch: &Branch<'a>) -> Option<bool> {
        let within = [true, false].into_iter().all(|upper| {
            let number = if upper { number } else { number.negative() };
            branch
                .bound(upper)
                .is_none_or(|(bound, excluded)| number < bound || number == bound && !excluded)
        });
        if !within || branch.is_integer() && !number.is_whole() {
            return Some(false);
        }
        let multiples = branch.multiples().map(|of| Some(number.is_multiple_of(of)));
        let formats = branch.all("format").filter_map(Value::as_str);
        let ranges = formats
            .filter(|format| is_number_format(format))
            .map(|format| {
                let (least, most) = integers(format)?;
                (Decimal::whole(least) <= number && number <= Decimal::whole(most)).then_some(true)
            });
        all(multiples.chain(ranges))
    }

    fn text_holds(&self, text: &str, branch: &Branch<'a>) -> Option<bool> {
        let (least, most) = branch.limits("minLength", "maxLength");
        let takes = |keyword| {
            let mut texts = branch.all(keyword).filter_map(Value::as_str);
            texts.all(|value| self.takes(keyword, value, text))
        };
        let length = text.chars().count() as u64;
        Some((least..=most).contains(&length) && takes("pattern") && takes("format"))
    }

    fn array_holds(&self, elements: &[Value], branch: &Branch<'a>, depth: usize) -> Option<bool> {
        let (least, most) = branch.limits("minItems", "maxItems");
        let unique = branch
            .all("uniqueItems")
            .any(|unique| *unique == Value::Bool(true));
        let repeats = |index: usize| elements[..index].contains(&elements[index]);
        if !(least..=most).contains(&(elements.len() as u64))
            || unique && (0..elements.len()).any(repeats)
        {
            return Some(false);
        }
        let elements = elements.iter().enumerate();
        all(elements.map(|(index, value)| self.fits(value, &branch.element(index), depth)))
    }

    fn object_holds(&self, members: &Members, branch: &Branch<'a>, depth: usize) -> Option<bool> {
        let (least, most) = branch.limits("minProperties", "maxProperties");
        let is_there = |name: &str| members.contains_key(name);
        let depends = branch
            .parts
            .iter()
            .flat_map(|part| named(part, "dependentRequired"));
        let mut depends = depends.filter(|(name, _)| is_there(name));
        if !(least..=most).contains(&(members.len() as u64))
            || !branch.required().into_iter().all(is_there)
            || depends.any(|(_, needed)| {
                let mut needed = elements(needed).iter().filter_map(Value::as_str);
                !needed.all(is_there)
            })
        {
            return Some(false);
        }
        all(members.iter().map(|(name, value)| {
            let (own, named) = (Name::Known(name), Value::String(name.clone()));
            let names = branch
                .all("propertyNames")
                .map(|names| self.fits(&named, &[names], depth));
            let fits = match self.strict_member(branch, &own, true) {
                Some(schemas) => self.fits(value, &schemas, depth),
                // Another branch may declare it that holds at once.
                None if !branch.undivided.is_empty() => None,
                None => self.member(branch, &own).map_or(Some(false), |_| None),
            };
            all(names.chain([fits]))
        }))
    }
}
