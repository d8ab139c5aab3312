//! Where a projection is at the limit of what can be written (FP-11).

use toolwire::{Code, Json};
use toolwire_contract::diff::{DiffOptions, diff_tools};
use toolwire_contract::fingerprint::{FingerprintOptions, fingerprint};

#[test]
fn a_tool_is_nested_as_deep_as_its_projections_can_be_written() {
    let refusals = ["examples", "$ref", "default", "enum"].map(|keyword| {
        let refused = |depth: &usize| {
            let value = format!("{}{}", "[".repeat(*depth), "]".repeat(*depth));
            let tool = format!(r#"{{"name":"deep","inputSchema":{{"{keyword}":{value}}}}}"#);
            let tool = Json::new(tool).unwrap();
            match fingerprint(&tool, &FingerprintOptions::default()) {
                Ok(_) => false,
                Err(error) => error.code() == Code::LimitDepth,
            }
        };
        (110..=126).find(refused)
    });
    assert_eq!(refusals, [Some(125), Some(124), Some(125), Some(125)]);
}

/// A million steps into one container take no million times a million.
#[test]
fn many_references_take_no_quadratic_time() {
    let count = 60_000;
    let of = |each: fn(usize) -> String| (0..count).map(each).collect::<Vec<_>>().join(",");
    let properties = of(|n| format!(r##""p{n}":{{"$ref":"#/$defs/d{n}"}}"##));
    let definitions = of(|n| format!(r##""d{n}":{{"$ref":"#/$defs/d{}"}}"##, n + 1));
    let schema = format!(r#"{{"properties":{{{properties}}},"$defs":{{{definitions}}}}}"#);
    let tool = Json::new(format!(r#"{{"name":"t","inputSchema":{schema}}}"#)).unwrap();
    let options = FingerprintOptions {
        max_schemas: usize::MAX,
        ..FingerprintOptions::default()
    };
    fingerprint(&tool, &options).unwrap();
}

/// The size of a stack that a host may give a thread.
const STACK: usize = 256 * 1024;

/// A schema of somebody else never ends the process, however it refers to itself.
#[test]
fn schemas_that_refer_to_themselves_end_no_process() {
    let element = |scalar: &str, more: &str| {
        format!(
            r##"{{"type":"object","properties":{{"l":{{"$ref":"#/$defs/E"}}}},"$defs":{{"E":{{"anyOf":[{{"type":"{scalar}"}},{{"type":"array","items":{{"$ref":"#/$defs/E"}}{more}}}]}}}}}}"##
        )
    };
    let unique = r#","uniqueItems":true"#;
    let mut pairs = vec![(element("string", unique), element("integer", unique))];
    for (old, new) in [(0, 2), (1, 2), (2, 1)] {
        let least = |least: u64| element("string", &format!(r#"{unique},"minItems":{least}"#));
        pairs.push((least(old), least(new)));
    }
    let prefix = |kind: &str| {
        let prefix = format!(r#"{unique},"prefixItems":[{{"type":"{kind}"}}]"#);
        element("string", &prefix)
    };
    pairs.push((prefix("string"), prefix("integer")));
    let contains = r##"{"$defs":{"C":{"contains":{"$ref":"#/$defs/C"},"uniqueItems":true,"minItems":2}},"$ref":"#/$defs/C"}"##;
    let needs = r##"{"$defs":{"O":{"type":"object","required":["o"],"properties":{"o":{"anyOf":[{"$ref":"#/$defs/O"},{"type":"integer"}]}}}},"$ref":"#/$defs/O"}"##;
    let not = r##"{"$defs":{"N":{"not":{"items":{"$ref":"#/$defs/N"},"uniqueItems":true}}},"$ref":"#/$defs/N"}"##;
    let names = r##"{"$defs":{"P":{"propertyNames":{"$ref":"#/$defs/P"},"minProperties":1,"additionalProperties":{"$ref":"#/$defs/P"}}},"$ref":"#/$defs/P"}"##;
    for one in [contains, needs, not, names] {
        let other = one.replace("integer", "boolean").replace(":2", ":3");
        pairs.push((one.to_owned(), other));
    }
    // Each level refers to the one within it.
    let level = r##"{"anyOf":[{"$ref":"#/items"},{"$ref":"#/items/items/items"}],"items":"##;
    pairs.push((
        format!("{}true{}", level.repeat(110), "}".repeat(110)),
        format!("{}false{}", level.repeat(110), "}".repeat(110)),
    ));
    for (open, close) in [
        (r#"{"items":"#, "}"),
        (r#"{"anyOf":["#, "]}"),
        (r#"{"not":"#, "}"),
        (r#"{"properties":{"a":"#, "}}"),
    ] {
        // As deep as JSON may be within a tool.
        let times = 110 / close.len();
        let deep = |leaf: &str| format!("{}{leaf}{}", open.repeat(times), close.repeat(times));
        pairs.push((deep(r#"{"type":"string"}"#), deep(r#"{"type":"integer"}"#)));
    }
    let all = move || {
        for (old, new) in pairs {
            let (old, new) = (Json::new(old).unwrap(), Json::new(new).unwrap());
            let options = DiffOptions::default();
            let tool = |schema: &Json| {
                Json::new(format!(r#"{{"name":"t","inputSchema":{schema}}}"#)).unwrap()
            };
            let list = |schema: &Json| Json::new(format!("[{}]", tool(schema))).unwrap();
            for (old, new) in [(&old, &new), (&new, &old)] {
                let _ = diff_tools(&list(old), &list(new), &options);
                let _ = fingerprint(&tool(old), &FingerprintOptions::default());
                for value in ["[[],[[]],[[],[[]]]]", r#"{"l":["a",["b"]],"o":{"o":1}}"#] {
                    let _ = toolwire_schema::check_value(old, &Json::new(value).unwrap());
                }
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(all);
    thread.unwrap().join().unwrap();
}
