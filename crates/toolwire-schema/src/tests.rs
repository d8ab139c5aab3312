use super::*;

fn check(schema: &str, value: &str) -> Result<(), CheckError> {
    check_value(&Json::new(schema).unwrap(), &Json::new(value).unwrap())
}

fn told(schema: &str, value: &str) -> Vec<(String, String)> {
    match check(schema, value) {
        Ok(()) => Vec::new(),
        Err(CheckError::Mismatches(found)) => found
            .into_iter()
            .map(|found| (found.pointer, found.message))
            .collect(),
        Err(error) => panic!("{error}"),
    }
}

fn refused(schema: &str, value: &str) -> (String, String) {
    match check(schema, value) {
        Err(CheckError::BadSchema(error)) => {
            assert_eq!(error.code(), Code::BadSchema);
            (error.pointer().to_owned(), error.message().to_owned())
        }
        other => panic!("{other:?}"),
    }
}

fn over_budget(schema: &str, value: &str) -> bool {
    matches!(check(schema, value), Err(CheckError::OverBudget(error)) if error.code() == Code::OverBudget)
}

#[test]
fn messages_say_what_was_expected() {
    for (schema, value, expected) in [
        (
            r#"{"type":"integer"}"#,
            "1.5",
            "the value must be a whole number, not `1.5`",
        ),
        (
            r#"{"type":["string","null"]}"#,
            "[]",
            "the value must be null or a string, not an array",
        ),
        (
            r#"{"enum":["a","b"]}"#,
            "\"c\"",
            "the value must be `\"a\"` or `\"b\"`, not `\"c\"`",
        ),
        (r#"{"const":1}"#, "2", "the value must be `1`, not `2`"),
        (
            r#"{"minLength":2}"#,
            "\"é\"",
            "the value must have at least 2 characters, not 1",
        ),
        (
            r#"{"maxItems":1}"#,
            "[1,2]",
            "the value must have at most 1 element, not 2",
        ),
        (
            r#"{"exclusiveMaximum":5}"#,
            "5",
            "the value must be less than 5, not `5`",
        ),
        (
            r#"{"format":"email"}"#,
            "\"x\"",
            "the value must be an e-mail address, not `\"x\"`",
        ),
        ("false", "1", "the value is not expected"),
    ] {
        assert_eq!(
            told(schema, value),
            [(String::new(), expected.to_owned())],
            "{schema}"
        );
    }
}

#[test]
fn places_are_those_that_a_person_would_look_at() {
    let schema = r#"{"type":"object","required":["b","a"],"additionalProperties":false,
        "properties":{"a":{},"b":{},"c":{"items":{"properties":{"d/e":{"type":"string"}}}}}}"#;
    let found = told(schema, r#"{"x":1,"c":[{},{"d/e":1}]}"#);
    assert_eq!(
        found,
        [
            ("/a".to_owned(), "`a` is missing".to_owned()),
            ("/b".to_owned(), "`b` is missing".to_owned()),
            (
                "/c/1/d~1e".to_owned(),
                "`c[1].d/e` must be a string, not `1`".to_owned()
            ),
            ("/x".to_owned(), "`x` is not expected".to_owned()),
        ]
    );
}

#[test]
fn of_alternatives_the_one_that_is_meant_is_told() {
    let schema =
        r#"{"anyOf":[{"type":"object","properties":{"n":{"type":"integer"}}},{"type":"null"}]}"#;
    assert_eq!(told(schema, r#"{"n":"x"}"#)[0].0, "/n");
    assert_eq!(
        told(schema, "3")[0].1,
        "the value fits none of the alternatives"
    );
}

#[test]
fn no_huge_value_is_quoted_and_no_endless_list_is_made() {
    let long = format!("\"{}\"", "x".repeat(100_000));
    let found = told(r#"{"type":"integer"}"#, &long);
    assert!(found[0].1.len() < 200, "{}", found[0].1);
    let many = format!("[{}]", vec!["\"a\""; 50_000].join(","));
    assert_eq!(
        told(r#"{"items":{"type":"integer"}}"#, &many).len(),
        MAX_MISMATCHES
    );
}

#[test]
fn schemas_that_cannot_be_used_are_refused_with_their_place() {
    for (schema, pointer) in [
        ("5", ""),
        (
            r#"{"properties":{"a":{"type":"text"}}}"#,
            "/properties/a/type",
        ),
        (r#"{"items":[{}]}"#, "/items"),
        (r#"{"pattern":"("}"#, "/pattern"),
        (r#"{"$ref":"other.json"}"#, "/$ref"),
        (r##"{"$ref":"#/$defs/x y","$defs":{"x y":{}}}"##, "/$ref"),
        (
            r#"{"not":{"$ref":"https://json-schema.org/draft/2020-12/schema"}}"#,
            "/not/$ref",
        ),
        (
            r##"{"anyOf":[{},{"$ref":"#/$defs/none"}]}"##,
            "/anyOf/1/$ref",
        ),
        (
            r#"{"$defs":{"a":{"$id":"https://example.com/a"}}}"#,
            "/$defs/a/$id",
        ),
    ] {
        assert_eq!(
            refused(schema, "1").0,
            pointer,
            "{schema}: {:?}",
            refused(schema, "1")
        );
    }
}

#[test]
fn references_inside_of_the_document_are_followed() {
    for schema in [
        r##"{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/a","definitions":{"a":{"type":"integer"}}}"##,
        r##"{"$id":"https://example.com/x","$ref":"#n","$defs":{"a":{"$anchor":"n","type":"integer"}}}"##,
        r##"{"$ref":"#/$defs/a%25b","$defs":{"a%b":{"type":"integer"}}}"##,
        r##"{"$dynamicRef":"#n","$defs":{"a":{"$dynamicAnchor":"n","type":"integer"}}}"##,
    ] {
        assert!(check(schema, "1").is_ok(), "{schema}");
        assert_eq!(told(schema, "\"x\"").len(), 1, "{schema}");
    }
    let tree =
        r##"{"type":"object","properties":{"child":{"$ref":"#"}},"additionalProperties":false}"##;
    assert!(check(tree, r#"{"child":{"child":{}}}"#).is_ok());
    assert_eq!(
        told(tree, r#"{"child":{"child":{"x":1}}}"#)[0].0,
        "/child/child/x"
    );
}

#[test]
fn what_never_ends_or_nearly_never_is_refused() {
    for schema in [
        r##"{"$ref":"#"}"##,
        r##"{"allOf":[{"$ref":"#"}]}"##,
        r##"{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##,
    ] {
        assert!(
            refused(schema, "1").1.contains("takes too long"),
            "{schema}"
        );
    }
    // Twice as much work with each of 60 references.
    let mut schema = String::from(r##"{"$ref":"#/$defs/a0","$defs":{"a60":{}"##);
    for n in 0..60 {
        let next = format!(r##"{{"$ref":"#/$defs/a{}"}}"##, n + 1);
        schema.push_str(&format!(r#","a{n}":{{"allOf":[{next},{next}]}}"#));
    }
    schema.push_str("}}");
    assert!(over_budget(&schema, "1"));
    // Twice as much with each step into the value.
    let schema =
        r##"{"allOf":[{"properties":{"a":{"$ref":"#"}}},{"properties":{"a":{"$ref":"#"}}}]}"##;
    assert!(check(schema, r#"{"a":{"a":{"a":{}}}}"#).is_ok());
    let deep = format!("{}1{}", r#"{"a":"#.repeat(100), "}".repeat(100));
    assert!(over_budget(schema, &deep));
}

#[test]
fn a_pattern_that_tries_for_ever_gives_up() {
    let schema = r#"{"pattern":"^(?=(a+)+$)(a|aa)+b$"}"#;
    let value = format!("\"{}!\"", "a".repeat(60));
    assert_eq!(told(schema, &value).len(), 1);
}

#[test]
fn long_chains_and_deep_values_neither_overflow_nor_panic() {
    let worker = std::thread::Builder::new().stack_size(2 * 1024 * 1024);
    let checked = worker.spawn(|| {
        let mut schema = String::from(r##"{"$ref":"#/$defs/a0","$defs":{"a990":{}"##);
        for n in 0..990 {
            schema.push_str(&format!(r##","a{n}":{{"$ref":"#/$defs/a{}"}}"##, n + 1));
        }
        schema.push_str("}}");
        assert!(refused(&schema, "1").1.contains("takes too long"));

        let deep = format!("{}1{}", "[".repeat(120), "]".repeat(120));
        assert!(check(r##"{"items":{"$ref":"#"}}"##, &deep).is_ok());
        let deeper = format!("{}1{}", "[".repeat(128), "]".repeat(128));
        assert_eq!(told("{}", &deeper).len(), 1);
        let nested = format!("{}{{}}{}", r#"{"not":"#.repeat(120), "}".repeat(120));
        assert_eq!(refused(&nested, "1").0, "");
        let nested = format!("{}{{}}{}", r#"{"not":"#.repeat(99), "}".repeat(99));
        assert!(check(&nested, "1").is_err());
    });
    checked.unwrap().join().unwrap();
}

#[test]
fn schemas_that_lead_far_down_need_no_room_of_the_callers() {
    let (open, close) = (
        r#"{"patternProperties":{"^x":{}},"unevaluatedProperties":"#,
        "}",
    );
    let chain = |hops: usize| {
        let mut schema = format!(r##"{{"$ref":"#/$defs/a0","$defs":{{"a{hops}":{{}}"##);
        for n in 0..hops {
            let next = format!(r##"{{"$ref":"#/$defs/a{}"}}"##, n + 1);
            let (open, close) = (open.repeat(40), close.repeat(40));
            schema.push_str(&format!(r#","a{n}":{open}{next}{close}"#));
        }
        schema + "}}"
    };
    let worker = std::thread::Builder::new().stack_size(512 * 1024);
    let checked = worker.spawn(move || {
        assert!(check(&chain(115), "1").is_ok());
        assert!(check(&chain(130), "1").is_ok());
    });
    checked.unwrap().join().unwrap();
}

#[test]
fn a_default_has_to_fit() {
    let question = |text: &str| toolwire::question::read_question(text).unwrap();
    let good =
        question(r#"{"id":"q","text":"?","schema":{"type":["null","string"]},"default":null}"#);
    assert_eq!(check_question(&good), []);
    let bad = question(r#"{"id":"q","text":"?","schema":{"type":"string"},"default":null}"#);
    let found = check_question(&bad);
    assert_eq!(
        (found.len(), found[0].code, &*found[0].pointer),
        (1, Code::DefaultMismatch, "/default")
    );
    let broken = question(r#"{"id":"q","text":"?","schema":{"type":"text"},"default":null}"#);
    assert_eq!(
        (
            check_question(&broken)[0].code,
            &*check_question(&broken)[0].pointer
        ),
        (Code::BadSchema, "/schema/type")
    );
}

#[test]
fn an_anchor_in_a_value_is_none() {
    let schema = r##"{"$defs":{"a":{"enum":[{"$anchor":"x","type":"null"}]},
        "b":{"properties":{"enum":{"$anchor":"y","type":"null"}}},"c":{"$anchor":"x","type":"string"}},
        "properties":{"v":{"$ref":"#x"},"w":{"$ref":"#y"}}}"##;
    assert_eq!(told(schema, r#"{"v":"a","w":null}"#), []);
    assert_eq!(told(schema, r#"{"v":null}"#).len(), 1);
}

fn json(text: impl Into<String>) -> Json {
    Json::new(text.into()).unwrap()
}

/// How many steps a check takes, and whether it comes to an end, with so much of a budget.
fn steps(schema: &Json, value: &Json, budget: Budget) -> (u64, bool) {
    let mut allowance = Allowance::new(budget);
    let checked = check_value_within(schema, value, &mut allowance);
    let ends = !matches!(checked, Err(CheckError::OverBudget(_)));
    (budget.steps - allowance.steps(), ends)
}

/// A schema in which each step leads to the next one twice.
fn doubling(steps: usize, keyword: &str, more: &str, leaf: &str) -> Json {
    let step = |n: usize| {
        let next = format!(r##"{{"$ref":"#/$defs/a{}"}}"##, n + 1);
        format!(r#""a{n}":{{"{keyword}":[{next},{next}]{more}}},"#)
    };
    let defs: String = (0..steps).map(step).collect();
    json(format!(
        r##"{{"$ref":"#/$defs/a0","$defs":{{{defs}"a{steps}":{leaf}}}{more}}}"##
    ))
}

#[test]
fn a_budget_is_enough_or_one_step_too_small() {
    for (schema, value) in [
        ("{}".to_owned(), "1".to_owned()),
        (
            r#"{"items":{"enum":["a","b"]},"uniqueItems":true}"#.to_owned(),
            r#"["a","b"]"#.to_owned(),
        ),
        (
            r#"{"pattern":"^(a|b)*$"}"#.to_owned(),
            format!("\"{}\"", "ab".repeat(500)),
        ),
        (
            r#"{"pattern":"^(?=a)(a|b)*$"}"#.to_owned(),
            format!("\"{}\"", "ab".repeat(500)),
        ),
        (
            r#"{"properties":{"a":{}},"unevaluatedProperties":false}"#.to_owned(),
            r#"{"a":1,"b":2}"#.to_owned(),
        ),
        (
            doubling(6, "allOf", "", "{}").as_str().to_owned(),
            "1".to_owned(),
        ),
    ] {
        let (schema, value) = (json(schema), json(value));
        let (taken, ends) = steps(&schema, &value, Budget::default());
        assert!(ends && taken < 100_000, "{taken}");
        // An allowance of a pattern's program is drawn in small portions.
        let enough = Budget {
            steps: taken,
            ..Budget::default()
        };
        assert!(steps(&schema, &value, enough).1, "{}", schema.as_str());
        let short = Budget {
            steps: taken - 1,
            ..Budget::default()
        };
        assert!(!steps(&schema, &value, short).1, "{}", schema.as_str());
    }
}

#[test]
fn bytes_are_counted_and_come_back() {
    let schema = json(r#"{"properties":{"a":{"type":"integer"}},"unevaluatedProperties":false}"#);
    let value = json(r#"{"a":1}"#);
    let ends = |bytes: u64| {
        steps(
            &schema,
            &value,
            Budget {
                bytes,
                ..Budget::default()
            },
        )
        .1
    };
    let least = (0..1_000_000).find(|bytes| ends(bytes * 64)).unwrap();
    assert!(ends(least * 64) && !ends((least - 1) * 64));
    let mut allowance = Allowance::new(Budget {
        bytes: least * 64,
        ..Budget::default()
    });
    for _ in 0..10 {
        assert!(check_value_within(&schema, &value, &mut allowance).is_ok());
    }
}

/// What took gigabytes or many seconds before its work was counted.
#[test]
fn what_is_too_much_work_is_over_the_budget() {
    let looked = r#","unevaluatedProperties":false"#;
    let patterns: Vec<String> = (0..2_000)
        .map(|n| format!(r#"{{"pattern":"^(?=(a+)+$)(a|aa)+b{n}$"}}"#))
        .collect();
    let classes = r#"{"pattern":"\\p{L}{100}"}"#;
    for (schema, value) in [
        (
            doubling(24, "allOf", looked, r#"{"properties":{"a":{}}}"#),
            r#"{"a":1}"#.to_owned(),
        ),
        (
            doubling(24, "anyOf", r#","unevaluatedItems":false"#, "{}"),
            "[1]".to_owned(),
        ),
        (
            json(format!(r#"{{"anyOf":[{}]}}"#, patterns.join(","))),
            format!("\"{}!\"", "a".repeat(40)),
        ),
        (
            json(format!(
                r#"{{"anyOf":[{}]}}"#,
                vec![classes; 3_000].join(",").replace("100", "1000")
            )),
            "\"x\"".to_owned(),
        ),
        (
            json(format!(r#"{{"pattern":"{}"}}"#, r"\\p{L}".repeat(14_000))),
            "\"x\"".to_owned(),
        ),
    ] {
        assert!(schema.as_str().len() < 200_000, "{}", schema.as_str().len());
        // A tenth of the usual steps, which an unoptimized build takes long for.
        let mut allowance = Allowance::new(Budget {
            steps: 1_000_000,
            ..Budget::default()
        });
        let checked = check_value_within(&schema, &json(value), &mut allowance);
        let name = &schema.as_str()[..60];
        assert!(
            !matches!(checked, Ok(()) | Err(CheckError::Mismatches(_))),
            "{name}: {checked:?}"
        );
    }
}

#[test]
fn anchors_are_found_at_once() {
    let defs: Vec<String> = (0..16_000)
        .map(|n| format!(r#""a-long-name-of-a-definition-{n}":{{"$anchor":"n{n}"}}"#))
        .collect();
    let refs: Vec<String> = (15_001..16_000)
        .map(|n| format!(r##"{{"$ref":"#n{n}"}}"##))
        .collect();
    let schema = json(format!(
        r#"{{"$defs":{{{}}},"allOf":[{}]}}"#,
        defs.join(","),
        refs.join(",")
    ));
    assert!(schema.as_str().len() > 900_000);
    let (taken, ends) = steps(&schema, &json("1"), Budget::default());
    assert!(ends && taken < 1_000_000, "{taken}");
}

#[test]
fn what_programs_write_is_far_below_the_budget() {
    let members: Vec<String> = (0..2_000)
        .map(|n| {
            format!(
                r##""property{n}":{{"type":["string","null"],"description":"The property {n}.","pattern":"^[a-z]*$","$ref":"#/$defs/text"}}"##
            )
        })
        .collect();
    let members = members[..990].join(",");
    let schema = json(format!(
        r#"{{"type":"object","properties":{{{members}}},"$defs":{{"text":{{"maxLength":2000}}}},"additionalProperties":false}}"#
    ));
    let values: Vec<String> = (0..990)
        .map(|n| format!(r#""property{n}":"{}""#, "x".repeat(1_000)))
        .collect();
    let value = json(format!("{{{}}}", values.join(",")));
    assert!(schema.as_str().len() > 100_000 && value.as_str().len() > 1_000_000);
    let (taken, ends) = steps(&schema, &value, Budget::default());
    assert!(ends && taken < 5_000_000, "{taken}");
    let numbers = json(format!("[{}]", vec!["1"; 500_000].join(",")));
    let (taken, ends) = steps(
        &json(r#"{"items":{"type":"integer","minimum":0}}"#),
        &numbers,
        Budget::default(),
    );
    assert!(ends && taken < 5_000_000, "{taken}");
}

#[test]
fn an_interrupt_ends_a_check() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    let asked = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&asked);
    let interrupt = move || count.fetch_add(1, Ordering::Relaxed) == 3;
    let endless = Budget {
        steps: u64::MAX,
        ..Budget::default()
    };
    let mut allowance = Allowance::new(endless).with_interrupt(Arc::new(interrupt));
    let checked = check_value_within(&doubling(60, "allOf", "", "{}"), &json("1"), &mut allowance);
    assert!(matches!(checked, Err(CheckError::OverBudget(_))));
    assert!(allowance.is_used_up() && asked.load(Ordering::Relaxed) == 4);
}

#[test]
fn a_wrong_tag_of_a_union_is_told_with_its_values() {
    let schema = r##"{"oneOf":[{"$ref":"#/$defs/create"},{"type":"null"},
        {"properties":{"action":{"enum":["delete","drop"]},"id":{}},"required":["action"]}],
        "$defs":{"create":{"properties":{"name":{"const":"x"},"action":{"const":"create"}},"required":["action"]}}}"##;
    let told = |value: &str| {
        let error = check_value(&Json::new(schema).unwrap(), &Json::new(value).unwrap());
        error.unwrap_err().to_string()
    };
    assert_eq!(
        told(r#"{"action":"destroy"}"#),
        r#"`action` must be `"create"` or `"delete"` or `"drop"`, not `"destroy"`"#
    );
    let missing = told("{}");
    assert!(
        missing.starts_with(r#"`action` is missing: it is `"create"`"#),
        "{missing}"
    );
}
