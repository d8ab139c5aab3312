//! What is derived from a question takes time and memory by its size alone (Q-16).

use std::time::{Duration, Instant};

use toolwire::question::{Prompt, PromptKind, prompt, read_question, read_template, template};

/// Enough for a megabyte in a debug build on a busy machine; what grows by the square takes minutes.
const LONG: Duration = Duration::from_secs(100);

/// No template is longer (Q-16).
const MOST: usize = 130 * 1024;

fn list(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect::<Vec<_>>().join(",")
}

/// Checks a question, and gives the kind of its prompt.
fn held(shape: &str, schema: &str, default: Option<&str>) -> PromptKind {
    let default = default.map_or_else(String::new, |value| format!(r#","default":{value}"#));
    let text = format!(r#"{{"id":"q","text":"Which?","schema":{schema}{default}}}"#);
    let question = read_question(&text).unwrap();

    let start = Instant::now();
    let written = template(&question);
    assert!(start.elapsed() < LONG, "{shape}: {:?}", start.elapsed());
    assert!(written.len() < MOST, "{shape}: {} bytes", written.len());
    assert!(matches!(read_template(&written), Ok(Some(_))), "{shape}");

    let start = Instant::now();
    let prompt = prompt(&question).unwrap();
    assert!(start.elapsed() < LONG, "{shape}: {:?}", start.elapsed());

    let start = Instant::now();
    let json = prompt.to_json(&question, question.default.as_ref());
    assert!(start.elapsed() < LONG, "{shape}: {:?}", start.elapsed());
    assert!(json.len() < 8 * text.len() + 2 * MOST, "{shape}");
    prompt.kind()
}

#[test]
fn references_that_lead_back_do_not_multiply() {
    for k in [2, 3, 4, 12, 200] {
        let names = list(k, |i| format!(r#""{i}""#));
        let members = list(k, |i| format!(r##""{i}":{{"$ref":"#"}}"##));
        let schema =
            format!(r#"{{"type":"object","required":[{names}],"properties":{{{members}}}}}"#);
        assert_eq!(held("back", &schema, None), PromptKind::Editor);
    }
}

#[test]
fn an_editor_has_no_template_before_it_is_written() {
    let question = read_question(r#"{"id":"q","text":"Which?","schema":{}}"#).unwrap();
    assert_eq!(prompt(&question), Ok(Prompt::Editor));
}

#[test]
fn many_members_take_time_by_their_number() {
    let count = 15_000;
    let names = list(count, |i| format!(r#""m{i}""#));
    for value in ["{}", r#"{"type":"null"}"#, r##"{"$ref":"#/$defs/d14999"}"##] {
        let members = list(count, |i| format!(r#""m{i}":{value}"#));
        let defs = list(count, |i| {
            format!(r##""d{i}":{{"$ref":"#/$defs/d{}"}}"##, i + 1)
        });
        for required in ["", &names] {
            let schema = format!(
                r#"{{"type":"object","required":[{required}],"properties":{{{members}}},"$defs":{{{defs}}}}}"#
            );
            held("members", &schema, None);
        }
    }
    // Each refers to another one, far back in an array.
    let members = list(count, |i| {
        format!(r##""m{i}":{{"$ref":"#/allOf/{}"}}"##, count - i)
    });
    let all = list(count, |_| "{}".to_owned());
    let schema = format!(
        r#"{{"type":"object","properties":{{{members}}},"allOf":[{all}],"required":[{names}]}}"#
    );
    held("elements", &schema, None);
}

#[test]
fn one_schema_that_many_refer_to_is_read_once() {
    let count = 9_000;
    let names = list(count, |i| format!(r#""m{i}""#));
    let members = list(count, |i| format!(r##""m{i}":{{"$ref":"#/$defs/x"}}"##));
    let blank = " ".repeat(200_000);
    for x in [
        format!(r#"{{"description":"{blank}"}}"#),
        format!(r#"{{"description":"a\n{blank}\n"}}"#),
        format!(r#"{{"type":"{blank}\n"}}"#),
        format!(r#"{{{}}}"#, list(20_000, |i| format!(r#""x{i}":0"#))),
        format!(
            r#"{{"type":"object","required":[{}]}}"#,
            list(20_000, |i| format!(r#""x{i}""#))
        ),
        format!(
            r#"{{"type":"object","properties":{{{}}}}}"#,
            list(20_000, |i| format!(r#""x{i}":0"#))
        ),
        format!(r#"{{"const":"{}"}}"#, "x".repeat(200_000)),
        format!(r##"{{"$ref":"#/$defs/{blank}"}}"##),
        format!(r#"{{"enum":[{}]}}"#, list(40_000, |i| i.to_string())),
    ] {
        for required in ["", &names] {
            let schema = format!(
                r#"{{"type":"object","required":[{required}],"properties":{{{members}}},"$defs":{{"x":{x},"{blank}":{{}}}}}}"#
            );
            held(&x[..30], &schema, None);
        }
    }
}

#[test]
fn choices_and_defaults_take_time_by_their_sum() {
    let count = 20_000;
    let values = list(count, |i| format!(r#""v{i}""#));
    let numbers = list(count, |i| format!("{i}.50"));
    let same = list(count, |i| format!("{i}.5"));
    let long = format!(r#""{}""#, "x".repeat(500_000));
    let branches = list(count / 4, |i| format!(r#"{{"const":"v{i}","title":"V"}}"#));
    let select = |values: &str| format!(r#"{{"enum":[{values}]}}"#);
    let many = |values: &str| format!(r#"{{"type":"array","items":{{"enum":[{values}]}}}}"#);
    let all = |values: &str| format!("[{values}]");
    for (schema, default, kind) in [
        (many(&values), all(&values), PromptKind::MultiSelect),
        (many(&numbers), all(&same), PromptKind::MultiSelect),
        (many(&numbers), all(&long), PromptKind::MultiSelect),
        (many(&values), all(&all(&values)), PromptKind::MultiSelect),
        (select(&values), all(&values), PromptKind::Select),
        (select(&values), long.clone(), PromptKind::Select),
        (
            select(&numbers),
            format!("{}.500", count - 1),
            PromptKind::Select,
        ),
        (
            format!(r#"{{"oneOf":[{branches}]}}"#),
            r#""v9""#.to_owned(),
            PromptKind::Select,
        ),
        (
            r#"{"type":"string"}"#.to_owned(),
            long.clone(),
            PromptKind::Text,
        ),
        (
            r#"{"type":"integer"}"#.to_owned(),
            format!("0.{}", "1".repeat(1_000_000)),
            PromptKind::Number,
        ),
        ("{}".to_owned(), all(&numbers), PromptKind::Editor),
        (
            "{}".to_owned(),
            format!("{}{numbers}{}", "[".repeat(120), "]".repeat(120)),
            PromptKind::Editor,
        ),
    ] {
        assert_eq!(held(kind.as_str(), &schema, Some(&default)), kind);
    }
}
