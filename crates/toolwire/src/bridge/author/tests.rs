use super::*;
use crate::Json;

fn turn(answers: &str) -> Turn {
    let document = format!(
        r#"{{"tool":{{"name":"t","dev.toolwire/answers":{answers}}},"context":{{"action":"run"}}}}"#
    );
    open(document.as_bytes(), &["t"])
        .turn()
        .expect("a call of `t`")
}

fn boolean(text: &str) -> Ask {
    Ask::from_json("boolean", &format!(r#"{{"text":"{text}"}}"#)).unwrap()
}

#[test]
fn what_was_emitted_stands_before_each_question_in_its_place() {
    let mut turn = turn("{}");
    turn.emit(text_block("A".into())).unwrap();
    assert!(turn.ask("one", &boolean("One?")).unwrap().is_none());
    turn.emit(text_block("B".into())).unwrap();
    assert!(turn.ask("two", &boolean("Two?")).unwrap().is_none());
    let kinds: Vec<_> = turn
        .finish(Returned::Text("never seen".into()))
        .unwrap()
        .content;
    let kinds: Vec<_> = kinds
        .iter()
        .filter_map(Block::kind)
        .map(|k| k.as_str())
        .collect();
    assert_eq!(kinds, ["text", "question", "text", "question"]);
}

#[test]
fn a_pending_question_wins_over_a_failure_and_over_a_broken_envelope() {
    let mut turn = turn("{}");
    turn.ask("one", &boolean("One?")).unwrap();
    assert_eq!(
        turn.fail(Failure::new("swallowed")),
        turn.finish(Returned::Nothing).unwrap()
    );
    let broken = Returned::from_json("blocks", r#"[{"type":"text"}]"#).unwrap();
    assert!(turn.finish(broken).is_ok());
}

#[test]
fn the_same_question_is_asked_once_and_another_one_is_refused() {
    let mut turn = turn("{}");
    turn.ask("one", &boolean("One?")).unwrap();
    turn.ask("one", &boolean("One?")).unwrap();
    assert_eq!(turn.content.len(), 1);
    let error = turn.ask("one", &boolean("Two?")).unwrap_err();
    assert_eq!((error.code(), error.pointer()), (Code::BadArgument, "/id"));
}

#[test]
fn an_answered_question_cannot_be_required() {
    let document = br#"{"tool":{"name":"t","answers":{"one":null}},"context":{"action":"run"}}"#;
    let mut turn = open(document, &["t"]).turn().expect("a call of `t`");
    assert_eq!(
        turn.require("one", &boolean("One?")).unwrap_err().pointer(),
        "/id"
    );
    assert!(!turn.is_pending());
}

#[test]
fn a_failed_finish_can_still_be_told() {
    let mut turn = turn("{}");
    turn.emit(text_block("A".into())).unwrap();
    let broken = Returned::from_json("blocks", r#"[{"type":"text"}]"#).unwrap();
    let error = turn.finish(broken).unwrap_err();
    assert_eq!(error.pointer(), "/content/1/text");
    let failed = turn.fail(Failure::new(error.message()));
    assert_eq!(failed.content.len(), 2);
}

#[test]
fn an_envelope_keeps_all_that_it_has() {
    let given = r#"{"_meta":{"a.b/c":1},"content":[],"isError":true,"structuredContent":[1]}"#;
    let turn = turn("{}");
    let answer = turn
        .finish(Returned::from_json("envelope", given).unwrap())
        .unwrap();
    assert_eq!(answer.to_json(), given);
    assert_eq!(exit_status(&answer), 1);
}

#[test]
fn values_that_are_no_objects_are_wrapped() {
    let turn = turn("{}");
    for (kind, value, expected) in [
        ("value", "{}", "{}"),
        ("wrapped", "{}", r#"{"result":{}}"#),
        ("value", "null", r#"{"result":null}"#),
        ("value", "\"a\"", r#"{"result":"a"}"#),
    ] {
        let answer = turn
            .finish(Returned::from_json(kind, value).unwrap())
            .unwrap();
        assert_eq!(
            answer.structured_content,
            Some(Json::new(expected).unwrap())
        );
        assert!(answer.content.is_empty());
    }
}

#[test]
fn calls_that_are_none_get_an_answer() {
    for (document, words) in [
        (&b"hello"[..], "the call can't be read: "),
        (b"", "the call can't be read: "),
        (
            br#"{"tool":{"name":"t"},"context":{"action":"walk"}}"#,
            "`walk` is not an action",
        ),
        (
            br#"{"tool":{"name":"u"},"context":{"action":"describe"}}"#,
            "there is no tool `u`; there are `s` and `t`",
        ),
    ] {
        let Opened::Answered(answer) = open(document, &["s", "t"]) else {
            panic!("no call");
        };
        assert_eq!(exit_status(&answer), 1);
        assert!(answer.to_json().contains(words), "{answer}");
    }
}

#[test]
fn links_say_enough() {
    let text = |message: &str, name: &str| {
        let names = vec![name.to_owned()];
        let message = message.to_owned();
        Failure::from_chain(&[Link { message, names }]).message
    };
    assert_eq!(text("no such file: a", "OSError"), "no such file: a");
    assert_eq!(text(" 'a'\n", "KeyError"), "KeyError: 'a'");
    assert_eq!(text("", "StopIteration"), "StopIteration");
    assert_eq!(text("Nope", "Error"), "Nope");
    assert_eq!(text("", "Exception"), "the tool failed");
    assert_eq!(text("Nope", ""), "Nope");
}
