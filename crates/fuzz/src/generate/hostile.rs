//! Answers of a tool that want to keep a host busy: questions whose schemas are small to write and
//! much work to judge.

use super::vocabulary::words;
use crate::rng::Rng;

/// The most bytes of such an answer.
const MOST: usize = 1_000_000;

/// The text of an answer with at least one question, of at most a megabyte.
pub fn hostile(rng: &mut Rng) -> Vec<u8> {
    // Small ones are as dangerous as large ones.
    let most = 1 << rng.u32(8..20);
    let most = most.min(MOST - 1_000);
    let mut out = String::from(r#"{"content":["#);
    let mut id = 0;
    let share = match rng.u8(..4) {
        0 => 1,
        1 => rng.usize(1..10),
        2 => rng.usize(1..300),
        _ => 100_000,
    };
    loop {
        let room = (most / share).max(60);
        let (schema, default) = question(rng, room);
        let mut text = format!(
            r#"{{"type":"question","question":{{"id":"q{id}","text":"?","schema":{schema}"#
        );
        if let Some(default) = default {
            text.push_str(r#","default":"#);
            text.push_str(&default);
        }
        text.push_str("}},");
        if id > 0 && (out.len() + text.len() > most || id >= share) {
            break;
        }
        if out.len() + text.len() + 20 < MOST {
            out.push_str(&text);
        } else {
            out.push_str(r#"{"type":"question","question":{"id":"q","text":"?","schema":{}}},"#);
            break;
        }
        if rng.u8(..20) == 0 {
            out.push_str(r#"{"type":"text","text":"x"},"#);
        }
        id += 1;
    }
    out.pop();
    out.push_str("]}");
    out.into_bytes()
}

/// A schema of about so many bytes, and a default for it.
fn question(rng: &mut Rng, room: usize) -> (String, Option<String>) {
    let kind = rng.u8(..21);
    let count = |each: usize| (room / each).max(1);
    let many = |count: usize, one: &mut dyn FnMut(usize) -> String| {
        let parts: Vec<String> = (0..count).map(one).collect();
        parts.join(",")
    };
    let pattern =
        |rng: &mut Rng| words("hostile_patterns")[rng.usize(..words("hostile_patterns").len())];
    match kind {
        // What doubles at each step, and asks what was looked at.
        0 | 1 => {
            let steps = count(90).min(300);
            let word = ["allOf", "anyOf", "oneOf"][rng.usize(..3)];
            let rest = ["unevaluatedProperties", "unevaluatedItems", "maxLength"][rng.usize(..3)];
            let value = if rest == "maxLength" { "0" } else { "false" };
            let defs = many(steps, &mut |n| {
                let next = format!(r##"{{"$ref":"#/$defs/a{}"}}"##, n + 1);
                format!(r#""a{n}":{{"{word}":[{next},{next}],"{rest}":{value}}}"#)
            });
            let leaf = format!(r#""a{steps}":{{"properties":{{"a":{{}}}},"prefixItems":[{{}}]}}"#);
            let schema =
                format!(r##"{{"$ref":"#/$defs/a0","$defs":{{{defs},{leaf}}},"{rest}":{value}}}"##);
            let default = ["{\"a\":1,\"b\":2}", "[1,2]", "1"][rng.usize(..3)];
            (schema, Some(default.to_owned()))
        }
        // What doubles at each step into the value.
        2 => {
            let steps = rng.usize(1..60);
            let schema = r##"{"allOf":[{"properties":{"a":{"$ref":"#"}}},{"additionalProperties":{"$ref":"#"}}],"not":{"items":{"$ref":"#"},"minItems":1}}"##;
            let default = format!("{}1{}", "{\"a\":[".repeat(steps), "]}".repeat(steps));
            (schema.to_owned(), Some(default))
        }
        3 => {
            let anchors = count(60).min(20_000);
            let defs = many(anchors, &mut |n| format!(r#""d{n}":{{"$anchor":"n{n}"}}"#));
            let refs = many(anchors.min(999), &mut |n| {
                format!(r##"{{"$ref":"#n{}"}}"##, anchors - 1 - n)
            });
            (
                format!(r#"{{"$defs":{{{defs}}},"allOf":[{refs}]}}"#),
                Some("1".to_owned()),
            )
        }
        4 | 5 => {
            let length = rng.usize(1..=room);
            let text =
                ["a", "b", "ab", "x", "a!", "é", "a-"][rng.usize(..7)].repeat(length / 2 + 1);
            let branches = many(count(60), &mut |n| {
                format!(
                    r#"{{"pattern":"{}{}"}}"#,
                    pattern(rng),
                    if n % 3 == 0 {
                        String::new()
                    } else {
                        n.to_string()
                    }
                )
            });
            let tail = if rng.bool() { "!" } else { "" };
            (
                format!(r#"{{"anyOf":[{branches}]}}"#),
                Some(format!("\"{text}{tail}\"")),
            )
        }
        6 => {
            let part = [
                "\\\\p{L}", "\\\\d", "(?:", "[a-z", "\\\\cA", "a{9}", "(", "[^", "(?=a)", "\\\\1",
            ][rng.usize(..10)];
            (
                format!(r#"{{"pattern":"{}"}}"#, part.repeat(count(part.len()))),
                Some("\"aaaa\"".to_owned()),
            )
        }
        7 => {
            let members = many(count(20), &mut |n| {
                format!(r#""{}{n}":{{}}"#, "a".repeat(n % 9))
            });
            let pattern = pattern(rng);
            (
                format!(r#"{{"propertyNames":{{"pattern":"{pattern}"}},"maxProperties":5}}"#),
                Some(format!("{{{members}}}")),
            )
        }
        8 => {
            let patterns = many(count(80), &mut |n| {
                format!(r##""{}{n}":{{"$ref":"#"}}"##, pattern(rng))
            });
            let members = many(count(20), &mut |n| format!(r#""aab{n}":{{"a":{n}}}"#));
            let rest = ["additionalProperties", "unevaluatedProperties"][rng.usize(..2)];
            (
                format!(r#"{{"patternProperties":{{{patterns}}},"{rest}":false}}"#),
                Some(format!("{{{members}}}")),
            )
        }
        9 => {
            let options = many(count(30), &mut |n| format!(r#"{{"a":[{},"{n}"]}}"#, n / 2));
            let default = many(count(30), &mut |n| format!(r#"{{"a":[{n},"x"]}}"#));
            (
                format!(r#"{{"items":{{"enum":[{options}]}},"uniqueItems":true}}"#),
                Some(format!("[{default}]")),
            )
        }
        10 => {
            let names = many(count(40), &mut |n| {
                format!(r##""k{n}":{{"$ref":"#","required":["k{}"]}}"##, n + 1)
            });
            let members = many(count(40).min(200), &mut |n| format!(r#""k{n}":{n}"#));
            (
                format!(r#"{{"dependentSchemas":{{{names}}}}}"#),
                Some(format!("{{{members}}}")),
            )
        }
        11 => {
            let names = many(count(10), &mut |n| format!(r#""n{n}""#));
            (
                format!(r#"{{"required":[{names}],"allOf":[{{"required":["x"]}}]}}"#),
                Some("{}".to_owned()),
            )
        }
        12 => {
            let deep = rng.usize(1..99);
            let (open, close) = [
                ("{\"not\":", "}"),
                ("{\"items\":", "}"),
                ("{\"allOf\":[", "]}"),
                ("{\"properties\":{\"a\":", "}}"),
            ][rng.usize(..4)];
            let schema = format!("{}{{}}{}", open.repeat(deep), close.repeat(deep));
            let values = rng.usize(1..120);
            (
                schema,
                Some(format!("{}1{}", "[".repeat(values), "]".repeat(values))),
            )
        }
        13 => {
            let branches = many(count(60), &mut |n| {
                format!(r#"{{"properties":{{"t":{{"const":"{n}"}}}},"required":["t","v{n}"]}}"#)
            });
            (
                format!(r#"{{"oneOf":[{branches}],"unevaluatedProperties":false}}"#),
                Some(r#"{"t":"x","v":1}"#.to_owned()),
            )
        }
        14 => {
            let part = [
                "{\"\":0}",
                "[]",
                "{}",
                "1",
                "1e300",
                "\"\"",
                "{\"a\":{\"a\":{}}}",
                "[[[[]]]]",
            ][rng.usize(..8)];
            let values = many(count(part.len() + 1), &mut |_| part.to_owned());
            let schema = [
                r#"{"uniqueItems":true}"#,
                r#"{"items":{"type":"integer","multipleOf":0.01}}"#,
                r#"{"contains":{"not":{}},"minContains":0,"maxContains":9,"unevaluatedItems":false}"#,
                r##"{"items":{"$ref":"#"},"additionalProperties":{"$ref":"#"}}"##,
                "{}",
            ][rng.usize(..5)];
            (schema.to_owned(), Some(format!("[{values}]")))
        }
        15 => {
            let format = words("hostile_formats")[rng.usize(..words("hostile_formats").len())];
            let part = [
                "a", "1", ".", "a.", "xn--", "a@", "%41", "/", "{a}", "(", "[a-z]", "é", "1-", ":",
                "~0",
            ][rng.usize(..15)];
            (
                format!(r#"{{"format":"{format}"}}"#),
                Some(format!("\"{}\"", part.repeat(count(part.len())))),
            )
        }
        16 => {
            let name = "n".repeat(room / 4);
            let values = many(400, &mut |_| "\"x\"".to_owned());
            (
                format!(r#"{{"properties":{{"{name}":{{"items":{{"type":"integer"}}}}}}}}"#),
                Some(format!(r#"{{"{name}":[{values}]}}"#)),
            )
        }
        17 => {
            // Schemas that lead from one to the next.
            let steps = count(40).min(900);
            let defs = many(steps, &mut |n| {
                format!(r##""a{n}":{{"$ref":"#/$defs/a{}"}}"##, n + 1)
            });
            let refs = many(90.min(steps), &mut |_| {
                r##"{"$ref":"#/$defs/a0"}"##.to_owned()
            });
            (
                format!(r#"{{"$defs":{{{defs},"a{steps}":{{}}}},"allOf":[{refs}]}}"#),
                Some("[1]".to_owned()),
            )
        }
        18 => {
            // Many required members of a schema that holds itself: the template of an editor grows.
            let members = rng.usize(1..20);
            let names = many(members, &mut |n| format!(r#""m{n}""#));
            let properties = many(members, &mut |n| format!(r##""m{n}":{{"$ref":"#"}}"##));
            (
                format!(
                    r#"{{"type":"object","required":[{names}],"properties":{{{properties}}}}}"#
                ),
                None,
            )
        }
        19 => {
            // Texts in which one word after the other may be that of a secret.
            let words = [
                "password ",
                "the ",
                "key ",
                "密码",
                "p a s s ",
                "\u{200b}токен ",
            ];
            let text: String = (0..count(8))
                .map(|_| words[rng.usize(..words.len())])
                .collect();
            (format!(r#"{{"type":"string","title":"{text}"}}"#), None)
        }
        _ => (
            format!(r#"{{"type":["string","null"],"maxLength":{room}}}"#),
            None,
        ),
    }
}
