//! Which schemas are found to contain each other, which are shown not to, and which are left undecided.

use toolwire::Json;
use toolwire_contract::diff::{Diff, DiffOptions, Verdict, What, Witness, closed, diff_tools};
use toolwire_schema::check_value;

/// What is found of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Is {
    Contained,
    Refuted,
    Unknown,
}
use Is::{Contained, Refuted, Unknown};

fn diff(old: &Json, new: &Json, options: &DiffOptions) -> Diff {
    let tool = |schema| Json::new(format!(r#"{{"name":"t","inputSchema":{schema}}}"#)).unwrap();
    diff_tools(&tool(old), &tool(new), options).unwrap()
}

/// What is found of two schemas of arguments. Annotations say nothing about values.
fn found(old: &str, new: &str, options: &DiffOptions) -> Is {
    let (old, new) = (Json::new(old).unwrap(), Json::new(new).unwrap());
    let mut changes = diff(&old, &new, options).changes;
    changes.retain(|change| !matches!(change.what, What::Title | What::Remark | What::Default));
    for change in &changes {
        let Some(Witness::Arguments(value)) = &change.witness else {
            continue;
        };
        let meant = |schema: &Json| match options.open {
            true => schema.clone(),
            false => closed(schema).unwrap(),
        };
        assert!(check_value(&meant(&old), value).is_ok(), "{old} {value}");
        assert!(check_value(&meant(&new), value).is_err(), "{new} {value}");
    }
    match changes.iter().map(|change| change.verdict).max() {
        None | Some(Verdict::Compatible) => Contained,
        Some(Verdict::Breaking) => Refuted,
        _ => Unknown,
    }
}

fn check(rows: &[(&str, &str, Is)]) {
    let mut wrong = Vec::new();
    for (old, new, expected) in rows {
        let is = found(old, new, &DiffOptions::default());
        if is != *expected {
            wrong.push(format!("{is:?} and not {expected:?}\n  {old}\n  {new}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The same of the values of a member.
fn check_values(rows: &[(&str, &str, Is)]) {
    let of = |schema: &str| format!(r#"{{"properties":{{"v":{schema}}}}}"#);
    let rows: Vec<_> = rows
        .iter()
        .map(|(old, new, is)| (of(old), of(new), *is))
        .collect();
    let rows: Vec<_> = rows
        .iter()
        .map(|(old, new, is)| (&**old, &**new, *is))
        .collect();
    check(&rows);
}

#[test]
fn types_and_values() {
    check_values(&[
        (r#"{"type":"integer"}"#, r#"{"type":"number"}"#, Contained),
        (r#"{"type":"number"}"#, r#"{"type":"integer"}"#, Refuted),
        (
            r#"{"type":"number"}"#,
            r#"{"type":["integer","number"]}"#,
            Contained,
        ),
        (
            r#"{"type":"string"}"#,
            r#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#,
            Contained,
        ),
        (
            r#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#,
            r#"{"type":["null","string"]}"#,
            Contained,
        ),
        (
            r#"{"type":["string","null"]}"#,
            r#"{"type":"string"}"#,
            Refuted,
        ),
        (
            r#"{"enum":["a","b"]}"#,
            r#"{"enum":["b","a","c"]}"#,
            Contained,
        ),
        (
            r#"{"enum":["a","b"]}"#,
            r#"{"anyOf":[{"const":"a"},{"const":"b"}]}"#,
            Contained,
        ),
        (
            r#"{"enum":["a","b"]}"#,
            r#"{"type":"string","minLength":1}"#,
            Contained,
        ),
        (
            r#"{"enum":["a",""]}"#,
            r#"{"type":"string","minLength":1}"#,
            Refuted,
        ),
        (
            r#"{"type":"boolean"}"#,
            r#"{"enum":[true,false]}"#,
            Contained,
        ),
        (r#"{"const":1.0}"#, r#"{"const":1}"#, Contained),
        (
            r#"{"const":{"a":[1,{"b":null}]}}"#,
            r#"{"const":{"a":[1.0,{"b":null}]}}"#,
            Contained,
        ),
        (r#"{"type":"string"}"#, r#"{"enum":["a"]}"#, Refuted),
        ("true", "{}", Contained),
        ("false", r#"{"type":"string"}"#, Contained),
        (r#"{"type":"string"}"#, "false", Refuted),
    ]);
}

#[test]
fn numbers() {
    check_values(&[
        (
            r#"{"type":"integer","exclusiveMaximum":10}"#,
            r#"{"type":"integer","maximum":9}"#,
            Contained,
        ),
        (
            r#"{"type":"number","exclusiveMaximum":10}"#,
            r#"{"type":"number","maximum":9}"#,
            Refuted,
        ),
        (
            r#"{"type":"integer","minimum":0.5}"#,
            r#"{"type":"integer","minimum":1}"#,
            Contained,
        ),
        (
            r#"{"type":"number","maximum":0.1}"#,
            r#"{"type":"number","maximum":0.3}"#,
            Contained,
        ),
        (
            r#"{"type":"number","maximum":9007199254740993}"#,
            r#"{"type":"number","maximum":9007199254740992}"#,
            Refuted,
        ),
        (
            r#"{"type":"integer","minimum":-9223372036854775808}"#,
            r#"{"type":"integer","minimum":-9223372036854775807}"#,
            Refuted,
        ),
        (
            r#"{"type":"number","multipleOf":0.1}"#,
            r#"{"type":"number","multipleOf":0.05}"#,
            Contained,
        ),
        (
            r#"{"type":"number","multipleOf":0.05}"#,
            r#"{"type":"number","multipleOf":0.1}"#,
            Refuted,
        ),
        (
            r#"{"type":"number","multipleOf":3}"#,
            r#"{"type":"integer"}"#,
            Contained,
        ),
        (
            r#"{"type":"integer"}"#,
            r#"{"type":"number","multipleOf":0.25}"#,
            Contained,
        ),
        (
            r#"{"type":"integer","minimum":1,"maximum":3}"#,
            r#"{"enum":[1,2,3,4]}"#,
            Unknown,
        ),
        (
            r#"{"type":"integer","minimum":0,"maximum":60,"multipleOf":30}"#,
            r#"{"enum":[0,30,60]}"#,
            Unknown,
        ),
        (
            r#"{"type":"number","exclusiveMinimum":0}"#,
            r#"{"type":"number","minimum":0}"#,
            Contained,
        ),
        (
            r#"{"type":"number","minimum":0}"#,
            r#"{"type":"number","exclusiveMinimum":0}"#,
            Refuted,
        ),
        (
            r#"{"type":"number","maximum":0.1000000000000000055}"#,
            r#"{"type":"number"}"#,
            Unknown,
        ),
    ]);
}

#[test]
fn arrays_and_texts() {
    check_values(&[
        (
            r#"{"type":"string","maxLength":5}"#,
            r#"{"type":"string","maxLength":6}"#,
            Contained,
        ),
        (
            r#"{"type":"string","maxLength":6}"#,
            r#"{"type":"string","maxLength":5}"#,
            Refuted,
        ),
        (
            r#"{"type":"array","items":{"type":"integer"}}"#,
            r#"{"type":"array","items":{"type":"number"}}"#,
            Contained,
        ),
        (
            r#"{"type":"array","items":{"type":"number"}}"#,
            r#"{"type":"array","items":{"type":"integer"}}"#,
            Refuted,
        ),
        (
            r#"{"type":"array"}"#,
            r#"{"type":"array","uniqueItems":true}"#,
            Refuted,
        ),
        (
            r#"{"type":"array","maxItems":1}"#,
            r#"{"type":"array","uniqueItems":true}"#,
            Contained,
        ),
        (
            r#"{"prefixItems":[{"type":"string"}],"items":false,"type":"array"}"#,
            r#"{"type":"array","maxItems":1}"#,
            Contained,
        ),
        (
            r#"{"type":"array","items":{"type":"string"},"minItems":1}"#,
            r#"{"type":"array","contains":{"type":"string"}}"#,
            Unknown,
        ),
        (
            r#"{"type":"array","items":{"type":"string"}}"#,
            r#"{"type":"array","contains":{"type":"string"}}"#,
            Refuted,
        ),
        (
            r#"{"type":"array","items":{"type":"string"}}"#,
            r#"{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":["string","null"]}}"#,
            Contained,
        ),
    ]);
}

#[test]
fn objects() {
    check(&[
        (
            r#"{"properties":{"a":{"type":"string"}}}"#,
            r#"{"properties":{"a":{"type":"string"},"b":{}}}"#,
            Contained,
        ),
        (
            r#"{"properties":{"a":{}}}"#,
            r#"{"properties":{"b":{}}}"#,
            Refuted,
        ),
        (
            r#"{"properties":{"a":{}}}"#,
            r#"{"properties":{"a":{}},"required":["a"]}"#,
            Refuted,
        ),
        (
            r#"{"properties":{"a":{}},"required":["a"]}"#,
            r#"{"properties":{"a":{}}}"#,
            Contained,
        ),
        (
            r#"{"properties":{"a":{},"b":{}}}"#,
            r#"{"properties":{"a":{},"b":{}},"maxProperties":1}"#,
            Refuted,
        ),
        (
            r#"{"properties":{"a":{},"b":{}},"type":"object"}"#,
            r#"{"properties":{"a":{},"b":{}},"maxProperties":2}"#,
            Unknown,
        ),
        (
            r#"{"additionalProperties":{"type":"integer"}}"#,
            r#"{"additionalProperties":{"type":"number"}}"#,
            Contained,
        ),
        (
            r#"{"properties":{"o":{"type":"object"}}}"#,
            r#"{"properties":{"o":{"type":"object","properties":{"a":{}}}}}"#,
            Refuted,
        ),
        (
            r#"{"patternProperties":{"^x":{"type":"integer"}},"additionalProperties":false}"#,
            r#"{"patternProperties":{"^x":{"type":"number"}},"additionalProperties":false}"#,
            Contained,
        ),
        (
            r#"{"properties":{"xa":{"type":"integer"}}}"#,
            r#"{"patternProperties":{"^x":{"type":"number"}},"additionalProperties":false}"#,
            Contained,
        ),
        (
            r#"{"additionalProperties":{}}"#,
            r#"{"additionalProperties":{},"propertyNames":{"type":"string"}}"#,
            Contained,
        ),
        (
            r#"{"properties":{"ab":{}},"type":"object"}"#,
            r#"{"properties":{"ab":{}},"propertyNames":{"maxLength":2}}"#,
            Unknown,
        ),
        (
            r#"{"properties":{"a":{},"b":{}},"dependentRequired":{"a":["b"]}}"#,
            r#"{"properties":{"a":{},"b":{}}}"#,
            Contained,
        ),
        (
            r#"{"properties":{"a":{},"b":{}}}"#,
            r#"{"properties":{"a":{},"b":{}},"dependentRequired":{"a":["b"]}}"#,
            Refuted,
        ),
    ]);
}

#[test]
fn composition_is_closed_once() {
    check(&[
        (
            r#"{"allOf":[{"properties":{"a":{}}},{"properties":{"b":{}}}]}"#,
            r#"{"properties":{"a":{},"b":{}}}"#,
            Contained,
        ),
        (
            r#"{"properties":{"a":{},"b":{}}}"#,
            r#"{"allOf":[{"properties":{"a":{}}},{"properties":{"b":{}}}]}"#,
            Contained,
        ),
        (
            r##"{"$ref":"#/$defs/A","properties":{"b":{}},"$defs":{"A":{"properties":{"a":{}}}}}"##,
            r#"{"properties":{"a":{},"b":{}}}"#,
            Contained,
        ),
        // Both alternatives may hold at once, and declare then what either does.
        (
            r#"{"properties":{"a":{"type":"string"},"b":{}}}"#,
            r#"{"anyOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"b":{}}}]}"#,
            Unknown,
        ),
        (
            r#"{"anyOf":[{"properties":{"a":{}}},{"properties":{"b":{}}}]}"#,
            r#"{"anyOf":[{"properties":{"a":{}},"required":["a"]},{"properties":{"b":{}},"required":["b"]}]}"#,
            Refuted,
        ),
        // An alternative that says nothing of members takes all of them.
        (
            r#"{"properties":{"o":{"anyOf":[{"type":"object","properties":{"a":{}}},{"type":"object"}]}}}"#,
            r#"{"properties":{"o":{"type":"object","properties":{"a":{}}}}}"#,
            Refuted,
        ),
        (
            r#"{"if":{"properties":{"a":{"const":1}}},"then":{},"else":{"properties":{"b":{}}},"properties":{"a":{}}}"#,
            r#"{"properties":{"a":{},"b":{}}}"#,
            Contained,
        ),
        // What only the other branch declares is not declared by this one.
        (
            r#"{"if":{"required":["a"]},"then":{},"else":{"properties":{"b":{}}},"properties":{"a":{},"b":{}}}"#,
            r#"{"if":{"required":["a"]},"then":{},"else":{"properties":{"b":{}}},"properties":{"a":{}}}"#,
            Refuted,
        ),
    ]);
}

#[test]
fn alternatives() {
    let tagged = r#"{"properties":{"x":{"oneOf":[
        {"type":"object","properties":{"t":{"const":"a"},"n":{"type":"integer"}},"required":["t"]},
        {"type":"object","properties":{"t":{"const":"b"},"s":{"type":"string"}},"required":["t"]}]}}}"#;
    let wider = tagged.replace("integer", "number");
    let merged = r#"{"properties":{"x":{"type":"object","properties":{"t":{"enum":["a","b"]}},"required":["t"]}}}"#;
    check(&[
        (tagged, tagged, Contained),
        (tagged, &wider, Contained),
        (&wider, tagged, Refuted),
        (merged, tagged, Unknown),
        (
            r#"{"oneOf":[{"type":"string"},{"minLength":3}]}"#,
            r#"{"oneOf":[{"type":"string"},{"minLength":3}]}"#,
            Contained,
        ),
        (
            r#"{"type":"string","oneOf":[{"maxLength":4},{"minLength":3}]}"#,
            r#"{"type":"string"}"#,
            Contained,
        ),
    ]);
    check_values(&[
        (
            r#"{"not":{"type":"string"}}"#,
            r#"{"not":{"type":"string"}}"#,
            Contained,
        ),
        ("{}", r#"{"not":{"type":"string"}}"#, Refuted),
        (
            r#"{"type":"integer"}"#,
            r#"{"not":{"type":"string"}}"#,
            Unknown,
        ),
    ]);
}

#[test]
fn formats_of_numbers_are_ranges() {
    let of = |kind: &str, format: &str| format!(r#"{{"type":"{kind}","format":"{format}"}}"#);
    for (from, to) in [
        ("uint8", "uint16"),
        ("uint32", "uint64"),
        ("uint32", "int64"),
        ("int", "int64"),
    ] {
        check_values(&[(&of("integer", from), &of("integer", to), Contained)]);
    }
    check_values(&[
        (&of("number", "float"), &of("number", "double"), Contained),
        // No validator refuses a number for them.
        (&of("number", "double"), &of("number", "float"), Unknown),
        (&of("integer", "uint64"), &of("integer", "uint32"), Unknown),
        (&of("integer", "int32"), &of("integer", "uint32"), Unknown),
        (
            r#"{"type":"integer","minimum":0,"maximum":255}"#,
            &of("integer", "uint8"),
            Contained,
        ),
    ]);
}

#[test]
fn a_new_branch_of_a_union_breaks_nobody() {
    let union = |kinds: &[&str]| {
        let branches: Vec<String> = kinds
            .iter()
            .map(|kind| format!(r##"{{"$ref":"#/$defs/{kind}"}}"##))
            .collect();
        let mapping: Vec<String> = kinds
            .iter()
            .map(|kind| format!(r##""{kind}":"#/$defs/{kind}""##))
            .collect();
        let defs: Vec<String> = kinds.iter().map(|kind| {
            format!(r#""{kind}":{{"type":"object","properties":{{"kind":{{"const":"{kind}","type":"string"}},"n":{{"type":"integer","default":1}}}},"required":["kind"]}}"#)
        }).collect();
        format!(
            r#"{{"properties":{{"shape":{{"oneOf":[{}],"discriminator":{{"propertyName":"kind","mapping":{{{}}}}}}}}},"$defs":{{{}}}}}"#,
            branches.join(","),
            mapping.join(","),
            defs.join(",")
        )
    };
    let (two, three) = (
        union(&["Circle", "Square"]),
        union(&["Circle", "Square", "Line"]),
    );
    check(&[(&two, &three, Contained), (&three, &two, Refuted)]);
    let json = |text: &str| Json::new(text).unwrap();
    let verdict = diff(&json(&two), &json(&three), &DiffOptions::default()).verdict;
    assert_eq!(verdict, Verdict::Compatible);
}

#[test]
fn a_schema_may_be_a_place_and_a_part() {
    let child = |extra: &str| {
        format!(
            r##"{{"properties":{{"name":{{"type":"string"}},"child":{{"allOf":[{{"$ref":"#"}}],"properties":{{"extra":{{"type":"{extra}"}}}}}}}}}}"##
        )
    };
    let beside = |extra: &str| {
        format!(
            r##"{{"properties":{{"a":{{"properties":{{"x":{{"type":"string"}}}}}},"b":{{"$ref":"#/properties/a","properties":{{"y":{{"type":"{extra}"}}}}}}}}}}"##
        )
    };
    check(&[
        (&child("string"), &child("integer"), Refuted),
        (&child("integer"), &child("number"), Contained),
        (&beside("string"), &beside("integer"), Refuted),
        (&beside("integer"), &beside("number"), Contained),
    ]);
}

#[test]
fn true_and_an_empty_schema_are_the_same() {
    let of = |rest: &str| Json::new(format!(r#"{{"additionalProperties":{rest}}}"#)).unwrap();
    let found = diff(&of("{}"), &of("true"), &DiffOptions::default());
    assert_eq!(found.verdict, Verdict::Same, "{found:?}");
}

#[test]
fn recursion() {
    let tree = |leaf: &str, name: &str| {
        format!(
            r##"{{"$ref":"#/$defs/{name}","$defs":{{"{name}":{{"type":"object","properties":{{
            "value":{leaf},"next":{{"anyOf":[{{"$ref":"#/$defs/{name}"}},{{"type":"null"}}]}}}}}}}}}}"##
        )
    };
    let (whole, any) = (
        tree(r#"{"type":"integer"}"#, "A"),
        tree(r#"{"type":"number"}"#, "B"),
    );
    let twice = r##"{"$ref":"#/$defs/A","$defs":{
        "A":{"type":"object","properties":{"value":{"type":"integer"},"next":{"anyOf":[{"$ref":"#/$defs/B"},{"type":"null"}]}}},
        "B":{"type":"object","properties":{"value":{"type":"integer"},"next":{"anyOf":[{"$ref":"#/$defs/A"},{"type":"null"}]}}}}}"##;
    check(&[
        (&whole, &any, Contained),
        (&any, &whole, Refuted),
        (&whole, twice, Contained),
        (twice, &whole, Contained),
        (r##"{"allOf":[{"$ref":"#"}]}"##, "{}", Unknown),
    ]);
}

#[test]
fn what_is_not_decided() {
    check_values(&[
        (
            r#"{"type":"string"}"#,
            r#"{"type":"string","pattern":"[\\s\\S]|^$"}"#,
            Unknown,
        ),
        (
            r#"{"type":"string","pattern":"^a"}"#,
            r#"{"type":"string"}"#,
            Contained,
        ),
        (
            r#"{"type":"string","pattern":"^a"}"#,
            r#"{"type":"string","pattern":"^a","maxLength":9}"#,
            Refuted,
        ),
        (
            r#"{"const":"a"}"#,
            r#"{"const":"a","pattern":"^a"}"#,
            Contained,
        ),
        (
            r#"{"type":"string"}"#,
            r#"{"type":"string","format":"date"}"#,
            Refuted,
        ),
        (
            r#"{"type":"string"}"#,
            r#"{"type":"string","format":"binary"}"#,
            Unknown,
        ),
        (
            r#"{"type":"string","format":"date"}"#,
            r#"{"type":"string"}"#,
            Contained,
        ),
        (
            r#"{"type":"string"}"#,
            r#"{"type":"string","contentEncoding":"base64"}"#,
            Unknown,
        ),
        (
            r#"{"type":"string"}"#,
            r#"{"type":"string","x-mine":1}"#,
            Unknown,
        ),
        (
            r#"{"type":"boolean"}"#,
            r#"{"type":"boolean","x-mine":1}"#,
            Unknown,
        ),
        (
            r#"{"type":"string","x-mine":1}"#,
            r#"{"type":"string"}"#,
            Contained,
        ),
        (
            r#"{"type":"string","x-mine":{"a":1}}"#,
            r#"{"type":"string","x-mine":{"a":1.0}}"#,
            Contained,
        ),
    ]);
    check(&[
        (
            r#"{"unevaluatedProperties":false}"#,
            r#"{"unevaluatedProperties":false,"title":"t"}"#,
            Contained,
        ),
        (r#"{"unevaluatedProperties":false}"#, "{}", Unknown),
        (
            r##"{"$dynamicRef":"#a","$dynamicAnchor":"a"}"##,
            "{}",
            Unknown,
        ),
        (
            r#"{"properties":{"a":{"$id":"https://example.com/a"}}}"#,
            r#"{"properties":{"a":{}}}"#,
            Unknown,
        ),
        (r#"{"type":"text"}"#, "{}", Unknown),
        (r##"{"$ref":"#/$defs/a"}"##, "{}", Unknown),
        (r#"{"$ref":"https://example.com/a"}"#, "{}", Unknown),
    ]);
}

#[test]
fn older_dialects() {
    let draft7 = r#""$schema":"http://json-schema.org/draft-07/schema#""#;
    let tuple = format!(
        r#"{{{draft7},"type":"array","items":[{{"type":"string"}}],"additionalItems":false}}"#
    );
    let beside = format!(
        r##"{{{draft7},"properties":{{"a":{{"$ref":"#/definitions/A","maxLength":1}}}},"definitions":{{"A":{{"type":"string"}}}}}}"##
    );
    check(&[
        (
            &tuple,
            r#"{"type":"array","prefixItems":[{"type":"string"}],"items":false}"#,
            Contained,
        ),
        // Beside a reference, nothing had a meaning.
        (
            &beside,
            r#"{"properties":{"a":{"type":"string","maxLength":1}}}"#,
            Refuted,
        ),
        (
            r#"{"$schema":"http://json-schema.org/draft-04/schema#"}"#,
            "{}",
            Unknown,
        ),
        // In 2020-12 it may be a keyword or none.
        (r#"{"dependencies":{"a":["b"]}}"#, "{}", Contained),
        ("{}", r#"{"dependencies":{"a":["b"]}}"#, Unknown),
        (
            &format!(
                r#"{{{draft7},"properties":{{"a":{{}},"b":{{}}}},"dependencies":{{"a":["b"]}}}}"#
            ),
            r#"{"properties":{"a":{},"b":{}}}"#,
            Contained,
        ),
    ]);
}

#[test]
fn the_budget_is_kept() {
    let of = |budget| {
        let options = DiffOptions {
            budget,
            ..DiffOptions::default()
        };
        let (old, new) = (
            r#"{"properties":{"a":{"type":"integer"}}}"#,
            r#"{"properties":{"a":{"type":"number"}}}"#,
        );
        found(old, new, &options)
    };
    let least = (0..100).find(|budget| of(*budget) == Contained);
    let least = least.expect("a small budget is enough");
    assert!(least > 0);
    assert_eq!(of(least - 1), Unknown);
}

#[test]
fn open_schemas_are_taken_to_the_letter() {
    let open = DiffOptions {
        open: true,
        ..DiffOptions::default()
    };
    let (old, new) = (
        r#"{"type":"object"}"#,
        r#"{"type":"object","properties":{"a":{"type":"string"}}}"#,
    );
    assert_eq!(found(old, new, &DiffOptions::default()), Contained);
    assert_eq!(found(old, new, &open), Refuted);
    assert_eq!(found(new, old, &open), Contained);
}

#[test]
fn of_many_parameters_each_that_has_to_be_there_is_shown() {
    let names: Vec<String> = (0..300).map(|index| format!("p{index}")).collect();
    let members: Vec<String> = names
        .iter()
        .map(|name| format!(r#""{name}":{{"type":"string"}}"#))
        .collect();
    let members = format!(r#""type":"object","properties":{{{}}}"#, members.join(","));
    let required: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    let tool =
        |schema: &str| Json::new(format!(r#"{{"name":"t","inputSchema":{{{schema}}}}}"#)).unwrap();
    let (old, new) = (
        tool(&members),
        tool(&format!(r#"{members},"required":[{}]"#, required.join(","))),
    );
    let diff = diff_tools(&old, &new, &DiffOptions::default()).unwrap();
    assert_eq!(diff.changes.len(), 300);
    for change in &diff.changes {
        assert_eq!(change.verdict, Verdict::Breaking, "{}", change.place);
    }
}

#[test]
fn messages_name_the_place_that_has_changed() {
    let tool =
        |schema: &str| Json::new(format!(r#"{{"name":"t","inputSchema":{schema}}}"#)).unwrap();
    for (old, new, name) in [
        (
            r#"{"properties":{"a":{"patternProperties":{"^x":{"type":"string"}}}}}"#,
            r#"{"properties":{"a":{"patternProperties":{"^x":{"type":"null"}}}}}"#,
            "`a./^x/`",
        ),
        (
            r#"{"properties":{"a":{"additionalProperties":{"type":"string"}}}}"#,
            r#"{"properties":{"a":{"additionalProperties":{"type":"null"}}}}"#,
            "`a.*`",
        ),
        (
            r#"{"properties":{"a":{"prefixItems":[{},{"type":"string"}]}}}"#,
            r#"{"properties":{"a":{"prefixItems":[{},{"type":"null"}]}}}"#,
            "`a[1]`",
        ),
        (
            r#"{"additionalProperties":{"type":"string"}}"#,
            r#"{"additionalProperties":{"type":"string"},"required":["z"]}"#,
            "`z`",
        ),
    ] {
        let diff = diff_tools(&tool(old), &tool(new), &DiffOptions::default()).unwrap();
        let [change] = &diff.changes[..] else {
            panic!("{:?}", diff.changes)
        };
        assert!(change.message.contains(name), "{}", change.message);
        assert!(change.advice.contains(name), "{}", change.advice);
    }
}
