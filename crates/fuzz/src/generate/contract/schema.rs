//! Schemas as tools have them for their arguments, with more composition than most.

use crate::rng::Rng;
use serde_json::{Map, Value, json};

use super::token;

const NAMES: [&str; 8] = ["a", "b", "c", "limit", "x y", "a/b", "ab", "title"];
const DEFS: [&str; 3] = ["N", "Item", "a/b"];
const WORDS: [&str; 4] = ["How many", "", "Where to look \u{e9}", "b"];
/// Patterns, each with a text that it takes.
pub(super) const PATTERNS: [(&str, &str); 3] =
    [("^a", "a1"), ("^[a-z]+$", "abc"), ("\\d{2}", "x12")];
/// Patterns of names.
const NAMED: [&str; 2] = ["^a", "b$"];
/// A name for each of them, if this is one.
pub(super) fn name_of(pattern: &str) -> Option<&'static str> {
    let index = NAMED.iter().position(|own| *own == pattern)?;
    Some(["a1", "xb"][index])
}
/// Whether a name matches such a pattern.
pub(super) fn is_named(pattern: &str, name: &str) -> bool {
    match pattern {
        "^a" => name.starts_with('a'),
        "b$" => name.ends_with('b'),
        _ => false,
    }
}
/// Formats, each with a text that it takes.
pub(super) const FORMATS: [(&str, &str); 3] = [
    ("date", "2025-01-31"),
    ("email", "a@example.org"),
    ("uuid", "123e4567-e89b-12d3-a456-426614174000"),
];

/// An object schema whose references all lead somewhere, and whose definitions are all reached.
pub fn tool_schema(rng: &mut Rng) -> Value {
    let mut maker = Maker {
        rng,
        wanted: Vec::new(),
    };
    let mut schema = maker.object(0);
    let mut defs = Map::new();
    while let Some(name) = maker.wanted.iter().find(|name| !defs.contains_key(**name)) {
        let name = *name;
        let target = maker.definition(name);
        defs.insert(name.to_owned(), target);
    }
    if !defs.is_empty() {
        schema["$defs"] = Value::Object(defs);
    }
    if maker.one_in(6) {
        schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    }
    schema
}

struct Maker<'r> {
    rng: &'r mut Rng,
    /// The definitions that are referred to.
    wanted: Vec<&'static str>,
}

impl Maker<'_> {
    fn one_in(&mut self, count: u8) -> bool {
        self.rng.u8(..count) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.rng.usize(..from.len())]
    }

    /// What a definition holds. It refers to itself only where a value may end.
    fn definition(&mut self, name: &str) -> Value {
        if self.rng.bool() {
            return self.scalar();
        }
        let mut schema = self.object(2);
        if self.rng.bool() {
            let reference = format!("#/$defs/{}", token(name));
            schema["properties"]["next"] = match self.rng.bool() {
                true => json!({ "$ref": reference }),
                false => json!({"type": "array", "items": {"$ref": reference}}),
            };
        }
        schema
    }

    fn any(&mut self, depth: usize) -> Value {
        let mut schema = match self.rng.u8(..if depth < 3 { 32 } else { 15 }) {
            0..=13 => self.scalar(),
            14 => match self.rng.u8(..4) {
                0 => json!(true),
                1 => json!({"type": "object"}),
                _ => json!({}),
            },
            15..=18 => self.array(depth),
            19..=21 => self.object(depth + 1),
            22..=24 => {
                let name = self.pick(&DEFS);
                self.wanted.push(name);
                json!({ "$ref": format!("#/$defs/{}", token(name)) })
            }
            25 | 26 => json!({"anyOf": [self.any(depth + 1), {"type": "null"}]}),
            27 => json!({"anyOf": [self.any(depth + 1), self.any(depth + 1)]}),
            28 => json!({"allOf": [self.any(depth + 1), self.scalar()]}),
            29 => self.tagged(depth),
            30 => json!({"allOf": [self.object(depth + 1), self.object(depth + 1)]}),
            _ => json!({"oneOf": [self.scalar(), self.scalar()]}),
        };
        if let Value::Object(members) = &mut schema {
            if self.one_in(4) {
                members.insert("description".to_owned(), json!(self.pick(&WORDS)));
            }
            if self.one_in(12) {
                members.insert("title".to_owned(), json!(self.pick(&WORDS)));
            }
            if self.one_in(8) {
                let value = self.literal();
                members.insert("default".to_owned(), value);
            }
        }
        schema
    }

    /// Objects that a member tells apart.
    fn tagged(&mut self, depth: usize) -> Value {
        let mut one = |tag: &str| {
            let mut schema = self.object(depth + 1);
            schema["properties"]["kind"] = json!({ "const": tag });
            match &mut schema["required"] {
                Value::Array(list) => list.push(json!("kind")),
                other => *other = json!(["kind"]),
            }
            schema
        };
        let both = json!([one("a"), one("b")]);
        match self.one_in(4) {
            true => json!({ "oneOf": both }),
            false => json!({ "anyOf": both }),
        }
    }

    fn literal(&mut self) -> Value {
        match self.rng.u8(..8) {
            0 => json!(null),
            1 => json!(true),
            2 | 3 => self.number(),
            4 => json!([1, "a"]),
            5 => json!({"title": 1}),
            _ => json!(self.pick(&["a", "b", "ab", "\u{e9}"])),
        }
    }

    fn number(&mut self) -> Value {
        let numbers = [
            json!(0),
            json!(1),
            json!(2),
            json!(3),
            json!(10),
            json!(-1),
            json!(1.0),
            json!(2.5),
            json!(-0.5),
            json!(9_007_199_254_740_991_i64),
            json!(9_007_199_254_740_992_i64),
            json!(9_007_199_254_740_993_i64),
            json!(-9_007_199_254_740_993_i64),
        ];
        numbers[self.rng.usize(..numbers.len())].clone()
    }

    fn scalar(&mut self) -> Value {
        match self.rng.u8(..14) {
            0..=3 => self.text(),
            4..=7 => self.numeric(),
            8 => json!({"type": "boolean"}),
            9 => json!({"type": ["string", "null"]}),
            10 => json!({"type": ["integer", "string"]}),
            11 => json!({ "const": self.literal() }),
            12 => {
                let mut all: Vec<Value> = Vec::new();
                for _ in 0..self.rng.usize(1..4) {
                    let value = self.literal();
                    if !all.contains(&value) {
                        all.push(value);
                    }
                }
                json!({ "enum": all })
            }
            _ => {
                let kind = self.pick(&["string", "integer", "number"]);
                json!({"type": kind, "not": self.forbidden()})
            }
        }
    }

    fn forbidden(&mut self) -> Value {
        match self.rng.u8(..3) {
            0 => json!({ "const": self.literal() }),
            1 => json!({"minimum": self.rng.i8(0..4)}),
            _ => json!({ "enum": [self.number(), "b"] }),
        }
    }

    fn text(&mut self) -> Value {
        let mut schema = json!({"type": "string"});
        match self.rng.u8(..8) {
            0 => schema["pattern"] = json!(self.pick(&PATTERNS).0),
            1 => schema["format"] = json!(self.pick(&FORMATS).0),
            2 => schema["enum"] = json!(["a", "b", "ab"][..self.rng.usize(1..4)]),
            _ => {}
        }
        if self.one_in(3) {
            schema["minLength"] = json!(self.rng.u8(..3));
        }
        if self.one_in(3) {
            schema["maxLength"] = json!(self.rng.u8(2..6));
        }
        if self.one_in(24) {
            // More than 64 bits hold: no text is so long.
            schema[self.pick(&["minLength", "maxLength"])] = json!(1e20);
        }
        schema
    }

    fn numeric(&mut self) -> Value {
        let mut schema = json!({ "type": self.pick(&["integer", "integer", "number"]) });
        if self.one_in(3) {
            let word = self.pick(&["minimum", "minimum", "exclusiveMinimum"]);
            schema[word] = self.number();
        }
        if self.one_in(3) {
            let word = self.pick(&["maximum", "maximum", "exclusiveMaximum"]);
            schema[word] = self.number();
        }
        if self.one_in(8) {
            schema["multipleOf"] = self.pick(&[2, 3, 6]).into();
        }
        schema
    }

    fn array(&mut self, depth: usize) -> Value {
        let mut schema = json!({"type": "array"});
        if !self.one_in(5) {
            schema["items"] = self.any(depth + 1);
        }
        if self.one_in(4) {
            schema["minItems"] = json!(self.rng.u8(..3));
        }
        if self.one_in(4) {
            schema["maxItems"] = json!(self.rng.u8(2..5));
        }
        match self.rng.u8(..10) {
            0 => schema["uniqueItems"] = json!(true),
            1 => schema["prefixItems"] = json!([self.any(depth + 1), self.scalar()]),
            2 => {
                let first = schema["items"].take();
                schema["prefixItems"] = match first {
                    Value::Null => json!([{}]),
                    first => json!([first]),
                };
                schema["items"] = json!(false);
            }
            3 => schema["contains"] = self.scalar(),
            4 => {
                schema["contains"] = self.scalar();
                let word = self.pick(&["minContains", "maxContains"]);
                schema[word] = json!(self.rng.u8(1..3));
            }
            _ => {}
        }
        schema
    }

    fn object(&mut self, depth: usize) -> Value {
        let mut names = NAMES.to_vec();
        self.rng.shuffle(&mut names);
        names.truncate(self.rng.usize(1..4));
        let mut properties = Map::new();
        let mut required = Vec::new();
        for name in &names {
            let inner = self.any(depth + 1);
            properties.insert((*name).to_owned(), inner);
            if self.one_in(3) {
                required.push(json!(name));
            }
        }
        let mut schema = json!({"type": "object", "properties": properties});
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        match self.rng.u8(..8) {
            0 | 1 => schema["additionalProperties"] = json!(false),
            2 => schema["additionalProperties"] = self.scalar(),
            3 => schema["additionalProperties"] = json!(true),
            _ => {}
        }
        let mut two = NAMES.to_vec();
        self.rng.shuffle(&mut two);
        let (one, other) = (two[0], two[1]);
        match self.rng.u8(..26) {
            0 => schema["patternProperties"] = json!({ (self.pick(&NAMED)): self.scalar() }),
            1 => schema["propertyNames"] = json!({"maxLength": self.rng.u8(1..5)}),
            2 => schema["minProperties"] = json!(self.rng.u8(1..3)),
            3 => schema["maxProperties"] = json!(self.rng.u8(1..4)),
            4 => schema["dependentRequired"] = json!({ one: [other] }),
            5 => {
                schema["if"] = json!({"required": [one]});
                schema["then"] = json!({"required": [other]});
                if self.rng.bool() {
                    schema["else"] = self.branch(other);
                }
            }
            6 => schema["anyOf"] = json!([{"required": [one]}, {"required": [other]}]),
            7 => schema["allOf"] = json!([self.branch(one), self.branch(other)]),
            8 => schema["anyOf"] = json!([self.branch(one), self.branch(other)]),
            9 => schema["oneOf"] = json!([self.branch(one), self.branch(other)]),
            10 => schema["dependentSchemas"] = json!({ one: self.branch(other) }),
            11 => schema["not"] = json!({"required": [one, other]}),
            12 => {
                schema["patternProperties"] = json!({ (self.pick(&NAMED)): false });
                schema["maxProperties"] = json!(self.rng.u8(..3));
            }
            13 => {
                let [mut first, mut last] =
                    NAMED.map(|names| json!({"patternProperties": {names: {}}}));
                if self.rng.bool() {
                    first["additionalProperties"] = json!(false);
                    last["additionalProperties"] = json!(false);
                }
                schema["anyOf"] = json!([first, last]);
            }
            _ => {}
        }
        schema
    }

    /// A schema of one member, for compositions.
    fn branch(&mut self, name: &str) -> Value {
        let mut schema = json!({"properties": {name: self.scalar()}});
        if self.rng.bool() {
            schema["required"] = json!([name]);
        }
        schema
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_is_written_and_every_reference_leads_somewhere() {
        let mut all = String::new();
        for seed in 0..2_000 {
            let schema = tool_schema(&mut Rng::with_seed(seed));
            let text = schema.to_string();
            let names = schema["$defs"].as_object().into_iter().flat_map(Map::keys);
            for name in names {
                let reference = format!("\"#/$defs/{}\"", token(name));
                assert!(
                    text.contains(&reference),
                    "nothing leads to {name} in {text}"
                );
            }
            for part in text.split("\"$ref\":\"#").skip(1) {
                let pointer = &part[..part.find('"').expect("a string")];
                assert!(schema.pointer(pointer).is_some(), "{pointer} in {text}");
            }
            all.push_str(&text);
        }
        for keyword in [
            "$ref",
            "additionalProperties",
            "allOf",
            "anyOf",
            "const",
            "contains",
            "dependentRequired",
            "dependentSchemas",
            "enum",
            "exclusiveMaximum",
            "exclusiveMinimum",
            "format",
            "if",
            "items",
            "maxItems",
            "maxLength",
            "maxProperties",
            "maximum",
            "minItems",
            "minLength",
            "minProperties",
            "minimum",
            "multipleOf",
            "not",
            "oneOf",
            "pattern",
            "patternProperties",
            "prefixItems",
            "propertyNames",
            "required",
            "uniqueItems",
        ] {
            assert!(all.contains(&format!("\"{keyword}\":")), "{keyword}");
        }
    }
}
