//! Where a projection is at the limit of what can be written (FP-11).

use toolwire::{Code, Json};
use toolwire_contract::diff::{DiffOptions, diff_tools};
use toolwire_contract::fingerprint::{FingerprintOptions, fingerprint, project};

/// A tool that is nested `depth` deep, at the place that `%` stands for in `schema`.
fn nested(schema: &str, depth: usize) -> Json {
    let outside = 2 + schema.matches(['{', '[']).count();
    let inside = depth - outside;
    let value = format!("{}{}", "[".repeat(inside), "]".repeat(inside));
    let schema = schema.replace('%', &value);
    Json::new(format!(
        r#"{{"name":"deep","title":"T","inputSchema":{{"type":"object","x":{schema}}}}}"#
    ))
    .unwrap()
}

#[test]
fn a_digest_is_of_what_could_be_written_and_of_nothing_else() {
    let options = FingerprintOptions::default();
    let (mut written, mut refused) = (0, 0);
    for schema in ["%", "{\"a\":%}", "[%]"] {
        for depth in 100..=128 {
            let tool = nested(schema, depth);
            let quick = fingerprint(&tool, &options);
            match (&quick, project(&tool, &options)) {
                (Ok(quick), Ok(slow)) => {
                    assert_eq!(*quick, slow.fingerprint());
                    written += 1;
                }
                (Err(quick), Err(slow)) => {
                    assert_eq!(
                        (quick.code(), slow.code()),
                        (Code::LimitDepth, Code::LimitDepth)
                    );
                    refused += 1;
                }
                (quick, slow) => panic!("{depth}: {quick:?} and {slow:?}"),
            }
        }
    }
    assert!(written > 60 && refused > 0, "{written} {refused}");
}

#[test]
fn deep_words_and_references_are_held_to_the_same_limit() {
    let options = FingerprintOptions::default();
    for keyword in ["examples", "$ref", "default", "description"] {
        for depth in 110..126 {
            let value = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            let tool = Json::new(format!(
                r#"{{"name":"deep","inputSchema":{{"{keyword}":{value}}}}}"#
            ))
            .unwrap();
            let quick = fingerprint(&tool, &options).map_err(|error| error.code());
            let slow = project(&tool, &options)
                .map(|slow| slow.fingerprint())
                .map_err(|error| error.code());
            assert_eq!(quick, slow, "`{keyword}` {depth} deep");
        }
    }
}

#[test]
fn launch_facts_are_held_to_it_too() {
    let tool = Json::new(r#"{"name":"t","inputSchema":{}}"#).unwrap();
    for depth in [10, 120, 126, 127, 128] {
        let inside = depth - 1;
        let launch = format!("{{\"a\":{}{}}}", "[".repeat(inside), "]".repeat(inside));
        let options = FingerprintOptions {
            launch: Some(Json::new(launch).unwrap()),
            ..FingerprintOptions::default()
        };
        let quick = fingerprint(&tool, &options).map_err(|error| error.code());
        let slow = project(&tool, &options)
            .map(|slow| slow.fingerprint())
            .map_err(|error| error.code());
        assert_eq!(quick, slow, "{depth} deep");
    }
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
