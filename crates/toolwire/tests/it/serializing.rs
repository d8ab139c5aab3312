//! What people store is the same text, whether they ask for JSON or let serde write it.

use serde::Serialize;
use toolwire::call::{Answer, AnswerSource, Call, ToolDescription};
use toolwire::{IdentifyOptions, Json, Limits, identify, parse, summarize};

fn same(value: &impl Serialize, json: &str) {
    assert_eq!(serde_json::to_string(value).expect("JSON"), json);
}

#[test]
fn serde_writes_what_to_json_writes() {
    let schema = Json::new(r#"{"type":"object","maximum":12345678901234567890.0}"#).unwrap();
    let mut tool = ToolDescription::new("now", schema);
    tool.title = Some("The \"time\"".into());
    same(&tool, &tool.to_json());

    let mut call = Call::new("now", Json::new(r#"{"id":1234567890123456789}"#).unwrap());
    let answer = Answer::accepted(Json::from(true), AnswerSource::User);
    call.answers.insert("utc".into(), answer.clone());
    same(&call, &call.to_json());
    same(&answer, &answer.to_json());

    let summary = summarize(b"one\n{\"content\":[]}\n", &Limits::default());
    same(&summary, &summary.to_json());

    let envelope = br#"{"content":[{"type":"text"},
        {"type":"resource","resource":{"uri":"file:///a.txt","text":"a"}}]}"#;
    let parsed = parse(&envelope[..], &Limits::default());
    let [diagnostic] = parsed.diagnostics() else {
        panic!("{:?}", parsed.diagnostics());
    };
    same(diagnostic, &diagnostic.to_json());
    let identities = identify(&parsed, &IdentifyOptions::default()).unwrap();
    same(&identities[0], &identities[0].to_json());
}
