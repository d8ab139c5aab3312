//! JSON Schemas that are mostly well formed, with what generators of schemas write.

use crate::rng::Rng;

const NAMES: [&str; 6] = ["a", "b", "max_items", "title", "x y", "a/b"];
const TITLES: [&str; 5] = ["a", "A", "Max Items", "N", "Where to"];
const TYPES: [&str; 7] = [
    "string", "integer", "number", "boolean", "array", "object", "null",
];
const VALUES: [&str; 9] = [
    "null",
    "\"a\"",
    "1",
    "1.0",
    "2.5",
    "true",
    "[\"a\"]",
    "{\"a\":null}",
    "9007199254740993",
];
const REFERENCES: [&str; 12] = [
    "#",
    "#/$defs/a",
    "#/$defs/b",
    "#/$defs/N",
    "#/$defs/x y",
    "#/$defs/a~1b",
    "#/definitions/a",
    "#/properties/a",
    "#/anyOf/0",
    "#/$defs/a/items",
    "#n",
    "https://example.org/a",
];

/// The text of a schema.
pub fn schema(rng: &mut Rng) -> String {
    let mut out = String::new();
    write(rng, &mut out, 0);
    out
}

fn pick<'t>(rng: &mut Rng, from: &[&'t str]) -> &'t str {
    from[rng.usize(..from.len())]
}

fn write(rng: &mut Rng, out: &mut String, depth: usize) {
    if rng.u8(..30) == 0 {
        let odd = pick(rng, &["true", "false", "null", "[]", "1"]);
        return out.push_str(odd);
    }
    let mut members: Vec<(String, String)> = Vec::new();
    for _ in 0..rng.usize(..4) {
        let (name, value) = keyword(rng, depth);
        if !members.iter().any(|(own, _)| *own == name) {
            members.push((name, value));
        }
    }
    if depth == 0 && rng.bool() {
        let word = pick(rng, &["$defs", "$defs", "definitions"]);
        members.retain(|(name, _)| name != word);
        members.push((word.to_owned(), map(rng, 1)));
    }
    let members = members
        .iter()
        .map(|(name, value)| format!("{name:?}:{value}"));
    out.push_str(&format!("{{{}}}", members.collect::<Vec<_>>().join(",")));
}

fn inner(rng: &mut Rng, depth: usize) -> String {
    let mut out = String::new();
    write(rng, &mut out, depth + 1);
    out
}

fn map(rng: &mut Rng, depth: usize) -> String {
    let mut names: Vec<&str> = [NAMES.as_slice(), &["N"]].concat();
    rng.shuffle(&mut names);
    names.truncate(rng.usize(..4));
    let members = names
        .iter()
        .map(|name| format!("{name:?}:{}", inner(rng, depth)));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

fn list(rng: &mut Rng, depth: usize) -> String {
    let mut all: Vec<String> = (0..rng.usize(1..4)).map(|_| inner(rng, depth)).collect();
    if rng.u8(..3) == 0 {
        all.truncate(1);
        all.push("{\"type\":\"null\"}".to_owned());
    }
    format!("[{}]", all.join(","))
}

fn values(rng: &mut Rng) -> String {
    let all: Vec<&str> = (0..rng.usize(..4)).map(|_| pick(rng, &VALUES)).collect();
    format!("[{}]", all.join(","))
}

fn keyword(rng: &mut Rng, depth: usize) -> (String, String) {
    let nested = depth < 4;
    let (name, value) = match rng.u8(..if nested { 30 } else { 16 }) {
        0..=4 => ("type", format!("{:?}", pick(rng, &TYPES))),
        5 => (
            "type",
            format!("[{:?},{:?}]", pick(rng, &TYPES), pick(rng, &TYPES)),
        ),
        6 => ("enum", values(rng)),
        7 => ("const", pick(rng, &VALUES).to_owned()),
        8 | 9 => ("$ref", format!("{:?}", pick(rng, &REFERENCES))),
        10 => ("title", format!("{:?}", pick(rng, &TITLES))),
        11 => (
            "description",
            format!("{:?}", pick(rng, &[" a\n", "b", ""])),
        ),
        12 => ("default", pick(rng, &VALUES).to_owned()),
        13 => {
            let formats = ["int32", "uint8", "date", "email", "double", "odd"];
            ("format", format!("{:?}", pick(rng, &formats)))
        }
        14 => {
            let names = [
                "minimum",
                "maximum",
                "minLength",
                "maxLength",
                "minItems",
                "maxProperties",
            ];
            let numbers = ["0", "1", "2", "-9007199254740991", "9007199254740991"];
            return (pick(rng, &names).to_owned(), pick(rng, &numbers).to_owned());
        }
        15 => {
            let odd = [
                (
                    "$schema",
                    "\"https://json-schema.org/draft/2020-12/schema\"",
                ),
                ("$id", "\"https://example.org/n\""),
                ("$anchor", "\"n\""),
                ("required", "[\"b\",\"a\",\"b\"]"),
                ("required", "[]"),
                ("discriminator", "{\"propertyName\":\"a\"}"),
                ("propertyNames", "{\"type\":\"string\"}"),
                ("pattern", "\"^a\""),
                ("x-a", "{\"title\":\"x\"}"),
                ("dependentRequired", "{\"a\":[\"b\"]}"),
            ];
            let (name, value) = odd[rng.usize(..odd.len())];
            (name, value.to_owned())
        }
        16..=20 => ("properties", map(rng, depth)),
        21 | 22 => ("anyOf", list(rng, depth)),
        23 => ("oneOf", list(rng, depth)),
        24 => ("allOf", list(rng, depth)),
        25 => ("prefixItems", list(rng, depth)),
        26 => ("patternProperties", map(rng, depth)),
        27 => ("items", inner(rng, depth)),
        28 => ("additionalProperties", inner(rng, depth)),
        _ => {
            let names = [
                "not",
                "if",
                "then",
                "contains",
                "unevaluatedProperties",
                "items",
            ];
            return (pick(rng, &names).to_owned(), inner(rng, depth));
        }
    };
    (name.to_owned(), value)
}

#[cfg(test)]
mod tests {
    #[test]
    fn schemas_are_json() {
        for seed in 0..200 {
            let text = super::schema(&mut crate::rng::Rng::with_seed(seed));
            assert!(toolwire::Json::new(&text).is_ok(), "{text}");
        }
    }
}
