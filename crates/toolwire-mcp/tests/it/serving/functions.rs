//! Functions of this program, served beside programs.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use toolwire::call::{Answer, AnswerSource, Call};
use toolwire::{FormatOptions, Json, format};
use toolwire_author::{
    Context, ContextError, Level, Program, Tool, arguments, boolean, log, progress, string,
};
use toolwire_host::{
    CallOptions, Command, InProcess, PendingQuestion, ProcessOptions, call as call_tool,
};
use toolwire_mcp::client::{self, ClientOptions};
use toolwire_mcp::server::{HttpOptions, HttpServer, Offer, ServeOptions, Server};

use super::client::{Client, NEW, OLD, Place, kit, text};

/// Nothing.
#[arguments]
struct Nothing {}

/// How often a function that waits has been told that nobody waits for it.
static GIVEN_UP: AtomicUsize = AtomicUsize::new(0);

fn greet(_: Nothing, ctx: &Context) -> Result<String, ContextError> {
    let shout = ctx.answer("shout", boolean("Loudly?"))?;
    let name = ctx.answer_or("name", string("What is your name?"), "nobody".into())?;
    Ok(format!("Hello {name}{}", if shout { "!" } else { "." }))
}

fn steps(_: Nothing, _: &Context) -> String {
    log(Level::Warning, "hot");
    for done in 1..=3 {
        progress(f64::from(done), Some(3.0), Some("step"));
    }
    "done".to_owned()
}

fn hold(_: Nothing, ctx: &Context) -> String {
    progress(1.0, None, None);
    while !ctx.is_cancelled() {
        thread::sleep(Duration::from_millis(5));
    }
    GIVEN_UP.fetch_add(1, Ordering::SeqCst);
    "given up".to_owned()
}

fn functions() -> InProcess {
    let program = Program::new()
        .tool(Tool::new("greet", greet))
        .tool(Tool::new("steps", steps))
        .tool(Tool::new("hold", hold))
        .tool(Tool::new("fall", |_: Nothing, _: &Context| -> String {
            panic!("over a stone")
        }));
    InProcess::blocking(move |call| {
        program
            .answer_to(call.document().as_bytes(), call.caller())
            .to_json()
    })
}

fn options(place: &Place, functions: Vec<InProcess>, programs: Vec<Command>) -> ServeOptions {
    let mut options = place.options(programs);
    options.offer.functions = functions;
    options
}

fn accept(value: impl Into<Value>) -> Value {
    json!({ "action": "accept", "content": { "answer": value.into() } })
}

#[tokio::test]
async fn functions_stand_beside_programs_in_every_revision() {
    let place = Place::new();
    let server = Server::start(options(&place, vec![functions()], vec![kit()]));
    for revision in [OLD[0], OLD[1], NEW] {
        let mut client = Client::speak(&server, revision, json!({ "elicitation": {} })).await;
        let list = client.request("tools/list", json!({})).await;
        let tools = list["result"]["tools"].as_array().unwrap();
        let names: Vec<_> = tools.iter().map(|tool| &tool["name"]).collect();
        for name in ["echo", "fall", "greet", "hold", "steps"] {
            assert!(names.contains(&&json!(name)), "{names:?}");
        }
        assert_eq!(text(&client.call("steps", json!({})).await), "done");
        assert!(text(&client.call("echo", json!({})).await).contains("arguments"));
        let wrong = client.call("steps", json!({ "more": 1 })).await;
        assert_eq!(wrong["result"]["isError"], true);
        client.leave().await.unwrap();
    }
}

#[tokio::test]
async fn a_function_asks_clients_of_the_older_revisions_by_requests() {
    let place = Place::new();
    let server = Server::start(options(&place, vec![functions()], vec![]));
    for revision in OLD {
        let mut client = Client::speak(&server, revision, json!({ "elicitation": {} })).await;
        // Whoever wants a text gets a number, which does not fit: the question is given up in the end.
        client.responses = vec![accept(true), accept(2), accept(2), accept(2)];
        assert_eq!(
            text(&client.call("greet", json!({})).await),
            "Hello nobody!"
        );
        assert_eq!(client.requested.len(), 4, "{revision}");
        client.leave().await.unwrap();
    }
}

#[tokio::test]
async fn a_question_of_a_function_is_sealed_and_answered_in_another_round() {
    let place = Place::new();
    let server = Server::start(options(&place, vec![functions()], vec![]));
    let mut client = Client::speak(&server, NEW, json!({ "elicitation": {} })).await;
    let first = client.call("greet", json!({})).await;
    let again = |last: &Value, responses: Value| {
        json!({ "name": "greet", "arguments": {}, "inputResponses": responses,
            "requestState": last["result"]["requestState"] })
    };
    let params = again(&first, json!({ "shout": accept(false) }));
    let second = client.request("tools/call", params).await;
    let params = again(&second, json!({ "name": { "action": "decline" } }));
    let last = client.request("tools/call", params).await;
    assert_eq!(text(&last), "Hello nobody.");
}

#[tokio::test]
async fn what_a_function_says_reaches_the_client() {
    let place = Place::new();
    let server = Server::start(options(&place, vec![functions()], vec![]));
    let mut client = Client::speak(&server, NEW, json!({})).await;
    let meta = json!({ "progressToken": 7, "io.modelcontextprotocol/logLevel": "warning" });
    let params = json!({ "name": "steps", "arguments": {}, "_meta": meta });
    assert_eq!(text(&client.request("tools/call", params).await), "done");
    let last = client.notified.iter().rev();
    let mut last = last.filter(|message| message["method"] == "notifications/progress");
    let expected = json!({ "progressToken": 7, "progress": 3.0, "total": 3.0, "message": "step" });
    assert_eq!(last.next().unwrap()["params"], expected);
    let said = client.notified("notifications/message").await;
    assert_eq!(said["params"]["data"], "hot");
    assert_eq!(said["params"]["logger"], "steps");
}

#[tokio::test]
async fn a_function_learns_that_its_call_was_given_up() {
    let place = Place::new();
    let mut all = options(&place, vec![functions()], vec![]);
    all.process.timeout = Some(Duration::from_millis(200));
    let impatient = Server::start(all);
    let mut client = Client::speak(&impatient, OLD[1], json!({})).await;
    let before = GIVEN_UP.load(Ordering::SeqCst);
    let answer = client.call("hold", json!({})).await;
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    assert!(
        text(&answer).contains("did not end within 0.2 s"),
        "{answer}"
    );
    assert_eq!(GIVEN_UP.load(Ordering::SeqCst), before + 1);

    let server = Server::start(options(&place, vec![functions()], vec![]));
    let mut client = Client::speak(&server, OLD[1], json!({})).await;
    let params = json!({ "name": "hold", "_meta": { "progressToken": 1 } });
    let id = client.begin("tools/call", params).await;
    client.notified("notifications/progress").await;
    let cancelled = json!({ "requestId": id, "reason": "enough" });
    client.notify("notifications/cancelled", cancelled).await;
    assert_eq!(text(&client.call("steps", json!({})).await), "done");
    client.leave().await.unwrap();
    assert_eq!(GIVEN_UP.load(Ordering::SeqCst), before + 2);
}

#[tokio::test]
async fn a_function_that_panics_or_says_nothing_disturbs_nobody() {
    let place = Place::new();
    let silent = InProcess::new(drop);
    let server = Server::start(options(&place, vec![functions(), silent], vec![]));
    let mut client = Client::speak(&server, NEW, json!({})).await;
    let answer = client.call("fall", json!({})).await;
    assert_eq!(answer["result"]["isError"], true);
    assert_eq!(text(&answer), "the tool panicked: over a stone");
    assert_eq!(text(&client.call("steps", json!({})).await), "done");
    let reported = place.reported.lock().unwrap().join("\n");
    let expected = "`this program` is not served: the program failed when it was asked for its tools: \
                    the tool ended without an answer";
    assert_eq!(reported, expected);
}

#[tokio::test]
async fn two_tools_of_one_name_are_refused() {
    let place = Place::new();
    let other = place.script(
        "other",
        r#"# toolwire-tool: 1
        echo '{"content":[],"structuredContent":{"toolwire":1,"tools":[{"name":"steps","inputSchema":{"type":"object"}}]}}'"#,
    );
    let both = options(&place, vec![functions()], vec![other]);
    let why = Server::start(both.clone()).ready().await.unwrap_err();
    let why = why.to_string();
    assert!(why.starts_with("both `this program` and `"), "{why}");
    // A prefix is for programs.
    let offer = Offer {
        prefix: true,
        ..both.offer.clone()
    };
    let server = Server::start(ServeOptions { offer, ..both });
    let mut client = Client::speak(&server, NEW, json!({})).await;
    let list = client.request("tools/list", json!({})).await.to_string();
    assert!(
        list.contains(r#""other_steps""#) && list.contains(r#""steps""#),
        "{list}"
    );
}

fn example() -> Command {
    // target/debug/deps/serving-…, and the examples beside `deps`.
    let mut path: PathBuf = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    Command::new(path.join("examples").join("serve_functions"))
}

async fn connect(name: &str, server: &client::Server) -> client::Client {
    let options = ClientOptions::default();
    client::Client::connect(name, server, &options)
        .await
        .unwrap()
}

/// An answer as the question wants it: a scalar may come as a form with the one field `answer`.
fn give(asked: &PendingQuestion, value: &str) -> Answer {
    let schema: Value = serde_json::from_str(asked.question.schema.as_str()).unwrap();
    let value = match schema["type"] == "object" {
        true => format!(r#"{{"answer":{value}}}"#),
        false => value.to_owned(),
    };
    Answer::accepted(Json::new(value).unwrap(), AnswerSource::User)
}

async fn add(client: &client::Client, numbers: &str) -> String {
    let mut yes = |asked: &PendingQuestion| give(asked, "true");
    let document = Call::new(
        "add",
        Json::new(format!(r#"{{"numbers":{numbers}}}"#)).unwrap(),
    );
    let options = CallOptions::default();
    let outcome = call_tool(&client.call(), document, &options, &mut yes).await;
    format(&outcome.unwrap().parsed, &FormatOptions::default()).unwrap()
}

#[tokio::test]
async fn the_example_is_served_over_stdio_and_what_it_prints_is_no_message() {
    let program = example().arg(kit().program().to_owned());
    let server = client::Server::program(program, ProcessOptions::default());
    let client = connect("example", &server).await;
    let tools = client.tools().await.unwrap();
    assert!(tools.iter().any(|tool| tool.name == "add"));
    assert!(tools.iter().any(|tool| tool.name == "echo"));
    assert_eq!(add(&client, "[1, 2.5]").await, "3.5");
    assert_eq!(add(&client, "[]").await, "0");
    client.close().await;
}

#[tokio::test]
async fn functions_are_served_over_http() {
    let place = Place::new();
    let program = Program::new().tool(Tool::new("greet", greet));
    let functions = InProcess::blocking(move |call| {
        program
            .answer_to(call.document().as_bytes(), call.caller())
            .to_json()
    });
    let server = Server::start(options(&place, vec![functions], vec![]));
    let address = "127.0.0.1:0".parse().unwrap();
    let http = HttpServer::bind(HttpOptions {
        no_token: true,
        ..HttpOptions::new(address)
    });
    let http = http.await.unwrap();
    let to = client::Server::http(http.url());
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving = tokio::spawn(async move {
        let stopped = async { drop(stopped.await) };
        http.serve(&server, stopped).await
    });
    let client = connect("here", &to).await;
    let mut answers = |asked: &PendingQuestion| match &*asked.question.id {
        "shout" => give(asked, "true"),
        _ => give(asked, r#""Ada""#),
    };
    let greet = Call::new("greet", Json::empty_object());
    let (call, options) = (client.call(), CallOptions::default());
    let outcome = call_tool(&call, greet, &options, &mut answers)
        .await
        .unwrap();
    let said = format(&outcome.parsed, &FormatOptions::default()).unwrap();
    assert_eq!(said, "Hello Ada!");
    client.close().await;
    drop(stop);
    serving.await.unwrap().unwrap();
}
