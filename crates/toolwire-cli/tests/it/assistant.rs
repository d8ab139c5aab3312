//! The example that asks a model: against a server that speaks as the API of one does.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::common::{Dir, Run, command, on_terminal, run_command};
use serde_json::{Value, json};

const SCRIPT: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../examples/assistant/ask_model.py"
);

/// A server with this answer for each request in turn, the last one for all that follow: a status and
/// a body.
struct Api {
    address: String,
    requests: Arc<Mutex<Vec<Value>>>,
}

impl Api {
    fn start(answers: Vec<(u16, Value)>) -> Api {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/v1/", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        thread::spawn(move || {
            for (number, stream) in listener.incoming().enumerate() {
                let (status, body) = &answers[number.min(answers.len() - 1)];
                serve(stream.unwrap(), *status, &body.to_string(), &seen);
            }
        });
        Api { address, requests }
    }

    fn requests(&self) -> Vec<Value> {
        self.requests.lock().unwrap().clone()
    }
}

fn serve(stream: TcpStream, status: u16, body: &str, seen: &Mutex<Vec<Value>>) {
    let mut reader = BufReader::new(stream);
    let (mut head, mut length) = (Vec::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let line = line.trim_end().to_owned();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length: ") {
            length = value.parse().unwrap();
        }
        head.push(line);
    }
    let mut request = vec![0; length];
    reader.read_exact(&mut request).unwrap();
    assert_eq!(head[0], "POST /v1/chat/completions HTTP/1.1");
    assert!(
        head.contains(&"Authorization: Bearer key".to_owned()),
        "{head:?}"
    );
    seen.lock()
        .unwrap()
        .push(serde_json::from_slice(&request).unwrap());
    let answer = format!(
        "HTTP/1.1 {status} Status\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    );
    reader.get_mut().write_all(answer.as_bytes()).unwrap();
}

/// What the API says when the model calls a function.
fn calls(name: &str, arguments: &str) -> (u16, Value) {
    let call = json!({"id": "call_1", "type": "function",
        "function": {"name": name, "arguments": arguments}});
    let message = json!({"role": "assistant", "content": null, "tool_calls": [call]});
    (
        200,
        json!({"id": "chatcmpl-1", "object": "chat.completion", "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}),
    )
}

const QUESTION: &str = r#"{"content":[{"type":"text","text":"b exists already.\u001b]0;title\u0007"},
{"type":"question","question":{"id":"q","text":"Replace \u001b[2Jb?","schema":{"type":"string","maxLength":5}}}]}"#;

/// A tool that asks, and then says with what it was called.
fn asking() -> Dir {
    let dir = Dir::new();
    dir.file("question.json", QUESTION);
    dir.program(
        "tool",
        "call=$(cat); case $call in *dev.toolwire/answers*) echo \"$call\";; *) cat question.json;; esac",
    );
    dir
}

fn run_with(dir: &Dir, api: &Api) -> Run {
    let assistant = format!("python3 {SCRIPT} 'Replace nothing.'");
    let args = ["run", "--call", "--format", "model", "./tool", "path=a"];
    let mut run = command(&[&args[..1], &["--assistant", &assistant], &args[1..]].concat());
    run.current_dir(dir.path())
        .env("OPENAI_API_KEY", "key")
        .env("OPENAI_MODEL", "m")
        .env("OPENAI_BASE_URL", &api.address);
    run_command(run, b"")
}

fn answers(run: &Run) -> Value {
    run.json()["tool"]["dev.toolwire/answers"]["q"].clone()
}

#[test]
fn the_model_gets_the_question_and_its_answer_reaches_the_tool() {
    let (dir, api) = (
        asking(),
        Api::start(vec![calls("answer", r#"{"answer":"yes"}"#)]),
    );
    let run = run_with(&dir, &api);
    assert_eq!(
        answers(&run),
        json!({"state": "accepted", "source": "assistant"})
    );
    assert_eq!(run.json()["tool"]["answers"]["q"], "yes");
    let requests = api.requests();
    let [request] = &requests[..] else {
        panic!("{requests:#?}");
    };
    assert_eq!(
        (&request["model"], &request["tool_choice"]),
        (&json!("m"), &json!("required"))
    );
    let functions = &request["tools"];
    assert_eq!(functions[0]["function"]["name"], "answer");
    assert_eq!(
        functions[0]["function"]["parameters"]["properties"]["answer"]["type"],
        "string"
    );
    assert_eq!(functions[1]["function"]["name"], "decline");
    let system = request["messages"][0]["content"].as_str().unwrap();
    assert!(
        system.ends_with("What the person wants: Replace nothing."),
        "{system}"
    );
    let user = request["messages"][1]["content"].as_str().unwrap();
    let user: Value = serde_json::from_str(user).unwrap();
    assert_eq!(user["question"]["id"], "q");
    assert_eq!(user["tool"]["arguments"]["path"], "a");
    assert!(
        user["context"][0]["text"]
            .as_str()
            .unwrap()
            .starts_with("b exists already.")
    );
}

#[test]
fn the_model_can_decline() {
    let (dir, api) = (asking(), Api::start(vec![calls("decline", "{}")]));
    assert_eq!(
        answers(&run_with(&dir, &api)),
        json!({"state": "declined", "source": "assistant"})
    );
}

/// An answer that does not fit, words in place of a call, and a server that is busy.
#[test]
fn the_model_is_asked_again_and_told_why() {
    let words = json!({"choices": [{"message": {"role": "assistant", "content": "Sure!"}}]});
    let api = Api::start(vec![
        calls("answer", r#"{"answer":"too long"}"#),
        (200, words),
        (503, json!({"error": {"message": "overloaded"}})),
        calls("answer", r#"{"answer":"yes"}"#),
    ]);
    let dir = asking();
    let run = run_with(&dir, &api);
    assert_eq!(run.json()["tool"]["answers"]["q"], "yes", "{run:?}");
    let requests = api.requests();
    assert_eq!(requests.len(), 4);
    let told = |number: usize| {
        let messages = requests[number]["messages"].as_array().unwrap();
        messages.last().unwrap()["content"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert!(
        told(1).contains("did not fit") && told(1).contains('5'),
        "{}",
        told(1)
    );
    assert!(told(2).contains("called neither"), "{}", told(2));
}

#[test]
fn a_key_that_is_refused_is_not_tried_again() {
    let refused = (401, json!({"error": {"message": "Incorrect API key"}}));
    let (dir, api) = (asking(), Api::start(vec![refused]));
    let run = run_with(&dir, &api);
    assert_eq!(answers(&run)["state"], "unavailable");
    assert_eq!(api.requests().len(), 1);
    assert!(run.stderr.contains("Incorrect API key"), "{}", run.stderr);
    // And one that is not set.
    let mut unset = command(&["run", "--call", "--format", "model"]);
    unset
        .args(["--assistant", &format!("python3 {SCRIPT}"), "./tool"])
        .current_dir(dir.path())
        .env_remove("OPENAI_API_KEY")
        .env("OPENAI_MODEL", "m");
    let run = run_command(unset, b"");
    assert_eq!(answers(&run)["state"], "unavailable");
    assert!(run.stderr.contains("OPENAI_API_KEY"), "{}", run.stderr);
}

/// What a terminal shows where an assistant prints this for each question.
fn shown(dir: &Dir, printed: &str) -> String {
    dir.program("assistant", &format!("printf '%s' '{printed}'"));
    let path = dir.path().display();
    let script = format!(
        "cd {path}; toolwire run --call --assistant ./assistant ./tool > out; echo code=$?"
    );
    on_terminal(&script, &[("NO_COLOR", "1")])
        .replace("\x1b[?7l", "")
        .replace("\x1b[?7h", "")
}

#[test]
fn what_it_answered_is_shown_at_a_terminal() {
    let asked = "│ b exists already.␛]0;title␇\r\n? tool asks\r\n│ Replace ␛[2Jb?\r\n";
    for (printed, told) in [
        (r#"{"answer":"yes"}"#, "✓ the assistant: yes\r\n"),
        (r#"{"answer":"\u001b[2J"}"#, "✓ the assistant: ␛[2J\r\n"),
        (r#"{"state":"declined"}"#, "– the assistant declined\r\n"),
        (
            r#"{"state":"unavailable"}"#,
            "– the assistant has no answer\r\n",
        ),
        (
            r#"{"answer":"too long"}"#,
            "✗ the assistant gave an answer that does not fit: too long\r\n",
        ),
    ] {
        let dir = asking();
        let seen = shown(&dir, printed);
        assert!(
            seen.contains(&format!("{asked}{told}")),
            "{printed}: {seen:?}"
        );
        assert!(
            !seen.contains("\x1b]") && !seen.contains("\x1b[2J\x1b"),
            "{seen:?}"
        );
    }
}

/// It is what a person would have seen chosen.
#[test]
fn a_choice_is_shown_by_its_label() {
    for (schema, printed, told) in [
        (
            r#"{"type":"boolean"}"#,
            r#"{"answer":false}"#,
            "✓ the assistant: No\r\n",
        ),
        (
            r#"{"oneOf":[{"const":1,"title":"One"},{"const":2,"title":"Two"}]}"#,
            r#"{"answer":2}"#,
            "✓ the assistant: Two\r\n",
        ),
        (
            r#"{"type":"array","items":{"enum":["a","b","c"]}}"#,
            r#"{"answer":["a","c"]}"#,
            "✓ the assistant: a, c\r\n",
        ),
    ] {
        let dir = asking();
        let question = format!(
            r#"{{"content":[{{"type":"question","question":{{"id":"q","text":"Which?","schema":{schema}}}}}]}}"#
        );
        dir.file("question.json", question);
        let seen = shown(&dir, printed);
        assert!(seen.contains(told), "{schema}: {seen:?}");
    }
}

/// A question that seems to ask for a secret is no assistant's, and nothing of an answer is shown.
#[test]
fn a_secret_reaches_no_assistant_and_no_terminal() {
    let dir = asking();
    let question = r#"{"content":[{"type":"question","question":{"id":"password","text":"Your password?","schema":{"type":"string","format":"password"}}}]}"#;
    dir.file("question.json", question);
    let seen = shown(&dir, r#"{"answer":"hunter2"}"#);
    assert!(
        !seen.contains("hunter2") && !seen.contains("the assistant:"),
        "{seen:?}"
    );
}
