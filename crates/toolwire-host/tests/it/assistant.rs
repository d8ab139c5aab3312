//! A program that answers, as a real process.

use std::time::Duration;

use crate::common::{With, alive, blocking, call, eventually, misbehave, patient, sh, within};
use toolwire::Json;
use toolwire::call::{Answer, AnswerSource, AnswerState, Call};
use toolwire_host::{Assistant, Command, End, ProcessOptions};

const TEXT: &str = r#"{"content":[{"type":"text","text":"b exists"},{"type":"question","question":{"id":"to","text":"Where to?","schema":{"type":"string","maxLength":3},"default":"c"}}]}"#;

/// Asks the question until there is an answer, of whatever kind, and then gives back its call.
fn asker(question: &str) -> Command {
    let line = r#"call=$(cat); case "$call" in *dev.toolwire/answers*) printf %s "$call";; *) printf %s "$1";; esac"#;
    sh(line).arg("sh").arg(question)
}

fn assistant(line: &str) -> Assistant {
    Assistant {
        run: patient(),
        ..Assistant::new(sh(line))
    }
}

fn answer(assistant: &mut Assistant) -> Answer {
    let call = Call::new("rename", Json::new(r#"{"path":"a"}"#).expect("JSON"));
    let options = With {
        run: patient(),
        ..With::default()
    };
    let mut outcome = blocking::call(&asker(TEXT), call, &options, assistant).expect("runs");
    assert_eq!((outcome.rounds, outcome.end), (2, End::Answered));
    outcome.answers.remove("to").expect("an answer")
}

fn accepted(value: &str) -> Answer {
    Answer::accepted(Json::from(value), AnswerSource::Assistant)
}

fn without(state: AnswerState) -> Answer {
    Answer::new(state, Some(AnswerSource::Assistant), None).expect("a state without a value")
}

#[test]
fn it_gets_the_question_with_all_about_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("request");
    let line = format!(
        r#"cat > '{}'; env | grep TOOLWIRE >&2; echo '{{"answer":"bb"}}'"#,
        file.display()
    );
    let mut assistant = assistant(&line);
    assert_eq!(answer(&mut assistant), accepted("bb"));
    assert!(assistant.failures.is_empty(), "{:?}", assistant.failures);
    let request: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&file).expect("a file")).expect("JSON");
    let question = serde_json::json!({"type": "string", "maxLength": 3});
    assert_eq!(request["toolwire"], 1);
    assert_eq!(
        request["tool"],
        serde_json::json!({"name": "rename", "arguments": {"path": "a"}})
    );
    assert_eq!(
        request["question"],
        serde_json::json!({"id": "to", "text": "Where to?", "schema": question, "default": "c"})
    );
    assert_eq!(
        request["context"],
        serde_json::json!([{"type": "text", "text": "b exists"}])
    );
    assert_eq!(request["mismatches"], serde_json::json!([]));
    assert_eq!(request["schema"]["required"], serde_json::json!(["answer"]));
    assert_eq!(request["schema"]["properties"]["answer"]["type"], "string");
}

/// What a tool says to the person alone does not go to a provider of models.
#[test]
fn it_does_not_get_what_is_for_the_person_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("request");
    let line = format!(r#"cat > '{}'; echo '{{"answer":"bb"}}'"#, file.display());
    let text = |text: &str, audience: &str| {
        format!(r#"{{"type":"text","text":"{text}","annotations":{{"audience":{audience}}}}}"#)
    };
    let blocks = [
        text("secret", r#"["user"]"#),
        r#"{"type":"resource","resource":{"uri":"file:///secret","text":"x","annotations":{"audience":["user"]}}}"#.to_owned(),
        text("both", r#"["user","assistant"]"#),
        text("model", r#"["assistant"]"#),
        text("all", "[]"),
    ];
    let question = TEXT.replacen("[{", &format!("[{},{{", blocks.join(",")), 1);
    let call = Call::new("rename", Json::new("{}").expect("JSON"));
    let options = With::default();
    let outcome = blocking::call(&asker(&question), call, &options, &mut assistant(&line));
    assert_eq!(outcome.expect("runs").answers["to"], accepted("bb"));
    let request = std::fs::read_to_string(&file).expect("a file");
    assert!(!request.contains("secret"), "{request}");
    let request: serde_json::Value = serde_json::from_str(&request).expect("JSON");
    let context = request["context"].as_array().expect("an array");
    let texts: Vec<&str> = context
        .iter()
        .filter_map(|it| it["text"].as_str())
        .collect();
    assert_eq!(texts, ["both", "model", "all", "b exists"]);
}

#[test]
fn it_is_not_told_of_a_call_or_a_channel() {
    let line = r#"cat > /dev/null; if env | grep -q ^TOOLWIRE_; then echo '{"answer":"yes"}'; else echo '{"answer":"no"}'; fi"#;
    assert_eq!(answer(&mut assistant(line)), accepted("no"));
}

#[test]
fn it_may_have_no_answer() {
    for (printed, state) in [
        (r#"{"state":"declined"}"#, AnswerState::Declined),
        (r#" {"state": "unavailable"} "#, AnswerState::Unavailable),
    ] {
        let mut assistant = assistant(&format!("echo '{printed}'"));
        assert_eq!(answer(&mut assistant), without(state));
        assert!(assistant.failures.is_empty());
    }
}

#[test]
fn a_wrong_answer_is_asked_for_again_with_the_reason() {
    let line = r#"if grep -q 'at most 3 characters'; then echo '{"answer":"ok"}'; else echo '{"answer":"too long"}'; fi"#;
    assert_eq!(answer(&mut assistant(line)), accepted("ok"));
    let mut stubborn = assistant(r#"echo '{"answer":"too long"}'"#);
    assert_eq!(answer(&mut stubborn), without(AnswerState::Unavailable));
}

/// Providers of models want every property, so a model can only say null of what it leaves out.
#[test]
fn a_null_for_what_may_be_absent_is_left_out() {
    let schema = r#"{"type":"object","properties":{"n":{"type":"integer"},"why":{"type":"string"}},"required":["n"]}"#;
    let question = TEXT
        .replace(r#"{"type":"string","maxLength":3}"#, schema)
        .replace(r#","default":"c""#, "");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("request");
    let line = format!(
        r#"cat > '{}'; echo '{{"answer":{{"n":1,"why":null}}}}'"#,
        file.display()
    );
    let call = Call::new("rename", Json::new("{}").expect("JSON"));
    let options = With::default();
    let outcome = blocking::call(&asker(&question), call, &options, &mut assistant(&line));
    let answer = &outcome.expect("runs").answers["to"];
    assert_eq!(answer.value().map(Json::as_str), Some(r#"{"n":1}"#));
    let request = std::fs::read_to_string(&file).expect("a file");
    let request: serde_json::Value = serde_json::from_str(&request).expect("JSON");
    let inner = &request["schema"]["properties"]["answer"];
    assert_eq!(inner["required"], serde_json::json!(["n", "why"]));
}

#[test]
fn a_failed_try_is_repeated_with_the_reason() {
    let line = r#"if grep -q 'exited with status 3; no key'; then echo '{"answer":"ok"}'; else echo no key >&2; exit 3; fi"#;
    let mut assistant = assistant(line);
    assert_eq!(answer(&mut assistant), accepted("ok"));
    assert_eq!(
        assistant.failures,
        ["the program exited with status 3; no key"]
    );
}

#[test]
fn what_is_no_answer_is_a_failed_try() {
    for (line, told) in [
        ("echo yes", "not JSON"),
        ("true", "not JSON"),
        (r#"echo '{"answer":1}{"answer":2}'"#, "not JSON"),
        (r#"echo '"yes"'"#, "what was printed is not `{\"answer\""),
        (
            r#"echo '{"answer":"a","state":"declined"}'"#,
            "what was printed is not",
        ),
        (r#"echo '{"state":"accepted"}'"#, "what was printed is not"),
        (r#"echo '{"answer":"a"}'; exit 1"#, "exited with status 1"),
        (r#"echo '{"answer":"a"}'; kill -9 $$"#, "ended by signal 9"),
        (r"printf '\377'", "not JSON"),
    ] {
        let mut assistant = assistant(line);
        assistant.max_tries = 2;
        assert_eq!(
            answer(&mut assistant),
            without(AnswerState::Unavailable),
            "{line}"
        );
        assert_eq!(assistant.failures.len(), 2, "{line}");
        assert!(
            assistant.failures[0].contains(told),
            "{:?}",
            assistant.failures
        );
    }
}

#[test]
fn it_has_a_time_and_an_amount() {
    let mut slow = Assistant {
        run: within(300),
        max_tries: 1,
        ..Assistant::new(misbehave("sleep").arg("60"))
    };
    assert_eq!(answer(&mut slow), without(AnswerState::Unavailable));
    assert_eq!(
        slow.failures,
        ["the program did not end within 0.3 s and was stopped"]
    );
    let mut endless = Assistant {
        run: ProcessOptions {
            max_output: 1000,
            ..patient()
        },
        max_tries: 1,
        ..Assistant::new(misbehave("flood"))
    };
    assert_eq!(answer(&mut endless), without(AnswerState::Unavailable));
    assert_eq!(
        endless.failures,
        ["the program wrote more than 1000 bytes to stdout and was stopped"]
    );
}

#[test]
fn a_program_that_is_not_there_is_asked_once() {
    let mut missing = Assistant::new(Command::new("./no/such/assistant"));
    assert_eq!(answer(&mut missing), without(AnswerState::Unavailable));
    assert_eq!(missing.failures.len(), 1);
    assert!(missing.failures[0].contains("`./no/such/assistant`"));
}

#[test]
fn a_secret_never_reaches_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("asked");
    let mut assistant = assistant(&format!(
        "touch '{}'; echo '{{\"answer\":\"x\"}}'",
        file.display()
    ));
    let secret = TEXT.replace("Where to?", "Your password?");
    let call = Call::new("login", Json::new("{}").expect("JSON"));
    let outcome = blocking::call(&asker(&secret), call, &With::default(), &mut assistant);
    let outcome = outcome.expect("runs");
    let answer = &outcome.answers["to"];
    assert_eq!(
        (answer.state(), answer.source()),
        (AnswerState::Unavailable, Some(AnswerSource::Policy))
    );
    assert!(!file.exists());
}

#[tokio::test]
async fn it_is_killed_when_the_call_is_given_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("process");
    let line = format!("echo $$ > '{}'; exec sleep 60", file.display());
    let process = || -> Option<u32> {
        let text = std::fs::read_to_string(&file).ok()?;
        text.trim().parse().ok()
    };
    let mut assistant = assistant(&line);
    let (tool, options) = (asker(TEXT), With::default());
    let asked = Call::new("rename", Json::new("{}").expect("JSON"));
    tokio::select! {
        outcome = call(&tool, asked, &options, &mut assistant) => panic!("{outcome:?}"),
        () = async {
            while process().is_none() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        } => {}
    }
    let process = process().expect("a number");
    assert!(eventually(|| !alive(process)));
}
