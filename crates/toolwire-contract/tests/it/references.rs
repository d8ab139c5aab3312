//! The same by other programs: chapter 27 in Python, written from its text, and the function of JN as it
//! is. Both need `python3`.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use toolwire::Json;
use toolwire::json::{Document, Kind, array, string};
use toolwire_contract::fingerprint::{FingerprintOptions, jn_hash, project};

/// What a script beside this file says of each text: strings, null, or arrays of them.
fn ask(script: &str, texts: &[String]) -> Vec<Vec<Option<String>>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(script);
    let mut child = Command::new("python3")
        .arg(path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 is needed");
    let mut stdin = child.stdin.take().unwrap();
    stdin
        .write_all(array(texts.iter().map(|text| string(text))).as_bytes())
        .unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{script} failed");
    let answer = String::from_utf8(output.stdout).unwrap();
    let document = Document::new(&answer).unwrap();
    let found: Vec<_> = document
        .root()
        .elements()
        .map(|answer| match answer.kind() {
            Kind::Array => answer
                .elements()
                .map(|text| text.as_str().map(Into::into))
                .collect(),
            _ => vec![answer.as_str().map(Into::into)],
        })
        .collect();
    assert_eq!(found.len(), texts.len());
    found
}

/// Numbers that look random (Marsaglia's xorshift), the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }

    fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u64) as usize]
    }

    /// An object of some of the members that `make` gives, each name once.
    fn object(&mut self, most: u64, mut make: impl FnMut(&mut Self) -> (String, String)) -> String {
        let mut members: Vec<(String, String)> = Vec::new();
        for _ in 0..self.below(most + 1) {
            let (name, value) = make(self);
            if members.iter().all(|(other, _)| *other != name) {
                members.push((name, value));
            }
        }
        let members: Vec<String> = members
            .iter()
            .map(|(name, value)| format!("{}:{value}", string(name)))
            .collect();
        format!("{{{}}}", members.join(","))
    }

    fn array(&mut self, most: u64, mut make: impl FnMut(&mut Self) -> String) -> String {
        let count = self.below(most + 1);
        array((0..count).map(|_| make(self)))
    }
}

const TEXTS: [&str; 14] = [
    "a",
    "b",
    "B",
    "ab",
    "",
    "é",
    "\u{e000}",
    "😀",
    "\u{7f}",
    "a\"\\\n\u{1}",
    "title",
    "type",
    "a/b",
    "~",
];

const NUMBERS: [&str; 26] = [
    "0",
    "-0",
    "-0.0",
    "1",
    "1.0",
    "10e-1",
    "-1",
    "2",
    "1.5",
    "0.1",
    "1e2",
    "100",
    "1e15",
    "1E16",
    "1e22",
    "1e-4",
    "1e-5",
    "1e-7",
    "-2.5e-10",
    "9007199254740992",
    "9007199254740993",
    "9007199254740993.0",
    "123456789012345678901",
    "1e-400",
    "1.7e308",
    "0.30000000000000004",
];

/// Any JSON value.
fn value(random: &mut Random, depth: u64) -> String {
    match random.below(if depth == 0 { 5 } else { 7 }) {
        0 => random.of(&["null", "true", "false"]).to_owned(),
        1 | 2 => random.of(&NUMBERS).to_owned(),
        3 | 4 => string(random.of(&TEXTS)),
        5 => random.array(3, |random| value(random, depth - 1)),
        _ => random.object(3, |random| {
            (random.of(&TEXTS).to_owned(), value(random, depth - 1))
        }),
    }
}

#[test]
fn a_hash_of_jn_is_that_of_its_function() {
    let mut random = Random(0x0123_4567_89AB_CDEF);
    let texts: Vec<String> = (0..10_000).map(|_| tools(&mut random)).collect();
    let (mut hashes, mut refusals) = (0, 0);
    for (text, theirs) in texts.iter().zip(ask("jn_reference.py", &texts)) {
        match jn_hash(&Json::new(text).unwrap()) {
            Ok(ours) => {
                hashes += 1;
                assert_eq!(Some(ours), theirs[0], "{text}");
            }
            Err(error) => {
                refusals += 1;
                assert_eq!(error.code().as_str(), "no_jn_hash", "{text}");
            }
        }
    }
    assert!(
        hashes > 2000 && refusals > 2000,
        "{hashes} hashes, {refusals} refusals"
    );
}

/// A list of tools that may be none.
fn tools(random: &mut Random) -> String {
    if random.one_in(40) {
        return value(random, 2);
    }
    random.array(3, |random| {
        if random.one_in(60) {
            return value(random, 1);
        }
        let schema = match random.below(50) {
            0 => value(random, 1),
            _ => input_schema(random),
        };
        let name = match random.below(12) {
            0 => value(random, 2),
            _ => string(random.of(&TEXTS)),
        };
        match random.below(60) {
            0 => format!(r#"{{"inputSchema":{schema}}}"#),
            1 => format!(r#"{{"name":{name}}}"#),
            _ => format!(r#"{{"description":"d","name":{name},"inputSchema":{schema}}}"#),
        }
    })
}

fn input_schema(random: &mut Random) -> String {
    let properties = match random.below(40) {
        0 => value(random, 1),
        _ => random.object(4, |random| {
            let kind = match random.below(6) {
                0 => value(random, 2),
                _ => string(random.of(&["string", "integer", "object", "number"])),
            };
            let schema = match random.below(40) {
                0 => value(random, 1),
                1 => r#"{"anyOf":[]}"#.to_owned(),
                _ => format!(r#"{{"title":"t","type":{kind}}}"#),
            };
            (random.of(&TEXTS).to_owned(), schema)
        }),
    };
    let required = match random.below(12) {
        0 => value(random, 3),
        1 => random.array(4, |random| value(random, 2)),
        2 => random.array(4, |random| random.of(&NUMBERS).to_owned()),
        3 => random.array(3, |random| random.array(3, |random| value(random, 1))),
        _ => random.array(4, |random| string(random.of(&TEXTS))),
    };
    match random.below(20) {
        0 => format!(r#"{{"required":{required}}}"#),
        1..=5 => format!(r#"{{"properties":{properties}}}"#),
        _ => format!(r#"{{"type":"object","properties":{properties},"required":{required}}}"#),
    }
}

#[test]
fn a_program_written_from_the_chapter_gives_the_same_projections() {
    let mut random = Random(0xFEDC_BA98_7654_3210);
    let texts: Vec<String> = (0..2_500).map(|_| tool(&mut random)).collect();
    let options = FingerprintOptions::default();
    let (mut referring, mut literal, mut annotated) = (0, 0, 0);
    for (text, theirs) in texts.iter().zip(ask("fingerprint_reference.py", &texts)) {
        let ours = match project(&Json::new(text).unwrap(), &options) {
            Ok(found) => {
                referring += u32::from(found.contract.as_str().contains("\"$ref\":1"));
                literal += u32::from(found.contract.as_str().contains("\"literal\""));
                annotated += u32::from(found.text.as_str().contains("\"schemas\""));
                vec![
                    Some(found.contract.to_string()),
                    Some(found.text.to_string()),
                    Some(found.safety.to_string()),
                ]
            }
            Err(error) => vec![Some(error.code().as_str().to_owned())],
        };
        assert_eq!(ours, theirs, "{text}");
    }
    assert!(
        referring > 200 && literal > 100 && annotated > 300,
        "{referring} {literal} {annotated}"
    );
}

fn tool(random: &mut Random) -> String {
    let root = schema(random, 4);
    let mut text = format!(
        r#"{{"name":{},"inputSchema":{root}"#,
        string(random.of(&TEXTS))
    );
    for (name, rarely) in [
        ("title", 4),
        ("annotations", 4),
        ("execution", 8),
        ("_meta", 8),
        ("icons", 12),
        ("x", 12),
    ] {
        if random.one_in(rarely) {
            let value = match random.below(2) {
                0 => random.object(3, |random| (random.of(&TEXTS).to_owned(), value(random, 1))),
                _ => value(random, 2),
            };
            text.push_str(&format!(",\"{name}\":{value}"));
        }
    }
    if random.one_in(4) {
        text.push_str(&format!(",\"outputSchema\":{}", schema(random, 2)));
    }
    text + "}"
}

/// References that lead to many places of the schemas that `schema` makes.
const REFERENCES: [&str; 24] = [
    "#",
    "#/$defs/a",
    "#/$defs/b",
    "#/$defs/c",
    "#/definitions/a",
    "#/definitions/b",
    "#/properties/a",
    "#/properties/b",
    "#/items",
    "#/%24defs/a",
    "#/$defs/a/items",
    "#/$defs/b/properties/a",
    "#/$defs/c/$defs/a",
    "#/allOf/0",
    "#/x",
    "#/enum/0",
    "#/default",
    "#one",
    "#two",
    "#/nowhere",
    "https://example.com/s",
    "#/%ff",
    "#/$defs",
    "#/properties",
];

fn schema(random: &mut Random, depth: u64) -> String {
    if random.one_in(12) {
        return random.of(&["true", "false", "{}"]).to_owned();
    }
    if random.one_in(60) {
        return value(random, 1);
    }
    let most = if depth == 0 { 2 } else { 5 };
    random.object(most, |random| keyword(random, depth))
}

fn keyword(random: &mut Random, depth: u64) -> (String, String) {
    let inner = depth.saturating_sub(1);
    let name = match random.below(if depth == 0 { 10 } else { 22 }) {
        0 => random.of(&["title", "description", "$comment", "deprecated"]),
        1 => random.of(&["examples", "default", "const", "x", "readOnly"]),
        2 => random.of(&["type", "required", "enum"]),
        3 => random.of(&["minimum", "maxLength", "multipleOf"]),
        4..=7 => "$ref",
        8 => random.of(&[
            "dependentRequired",
            "dependencies",
            "$anchor",
            "$dynamicAnchor",
        ]),
        9 => match random.below(40) {
            0 => random.of(&["$id", "$dynamicRef", "$recursiveRef", "$recursiveAnchor"]),
            1 => "$schema",
            _ => "pattern",
        },
        10..=12 => "properties",
        13 | 14 => "$defs",
        15 => "definitions",
        16 => "items",
        17 => random.of(&["allOf", "anyOf", "oneOf", "prefixItems"]),
        18 => random.of(&["patternProperties", "dependentSchemas", "dependencies"]),
        _ => random.of(&[
            "items",
            "not",
            "if",
            "then",
            "additionalProperties",
            "unevaluatedItems",
            "contentSchema",
        ]),
    };
    let text = match name {
        _ if random.one_in(40) => value(random, 2),
        "$ref" => string(random.of(&REFERENCES)),
        "type" | "required" | "enum" => {
            random.array(3, |random| string(random.of(&["string", "a", "b", "null"])))
        }
        "$anchor" | "$dynamicAnchor" => string(random.of(&["one", "two", "three", "four", "five"])),
        "$schema" => string(random.of(&[
            "https://json-schema.org/draft/2020-12/schema",
            "http://json-schema.org/draft-07/schema#",
            "http://json-schema.org/draft-04/schema#",
        ])),
        "dependentRequired" => random.object(2, |random| {
            let names = random.array(3, |random| string(random.of(&TEXTS)));
            (random.of(&["a", "b"]).to_owned(), names)
        }),
        "properties" | "$defs" | "definitions" | "patternProperties" | "dependentSchemas"
        | "dependencies" => {
            let sets = name == "dependencies" && random.one_in(2);
            random.object(3, |random| {
                let value = if sets {
                    random.array(3, |random| string(random.of(&TEXTS)))
                } else {
                    schema(random, inner)
                };
                (
                    random.of(&["a", "b", "c", "title", "$ref"]).to_owned(),
                    value,
                )
            })
        }
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => {
            random.array(3, |random| schema(random, inner))
        }
        "items" if random.one_in(6) => random.array(2, |random| schema(random, inner)),
        "items"
        | "not"
        | "if"
        | "then"
        | "additionalProperties"
        | "unevaluatedItems"
        | "contentSchema" => schema(random, inner),
        "title" | "description" | "$comment" | "pattern" | "$id" | "$dynamicRef" => {
            string(random.of(&TEXTS))
        }
        _ => value(random, 2),
    };
    (name.to_owned(), text)
}
