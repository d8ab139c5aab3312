//! Several calls at once over one connection of an older revision, whose server says of no question which call
//! asks it.

use std::time::{Duration, Instant};

use crate::common::{called, connect, script, text};
use toolwire::Json;
use toolwire::call::Call;
use toolwire_host::{CallOptions, Command, Nobody, ProcessOptions, call};
use toolwire_mcp::client::{ClientOptions, Server};

fn busy() -> Server {
    Server::program(Command::new(script("busy.py")), ProcessOptions::default())
}

const ADA: (&str, &str) = ("elicitation-1", r#"{"name":"Ada"}"#);

#[tokio::test]
async fn tools_that_ask_nothing_run_beside_each_other() {
    let client = connect(&busy(), &ClientOptions::default()).await;
    called(&client, "meet", r#"{"calls":1}"#, &[]).await;
    let calls = (0..8).map(|_| Box::pin(called(&client, "meet", r#"{"calls":9}"#, &[])));
    for outcome in futures_util::future::join_all(calls).await {
        assert_eq!(text(&outcome), "met");
    }
    client.close().await;
}

#[tokio::test]
async fn tools_that_ask_wait_for_each_other() {
    let client = connect(&busy(), &ClientOptions::default()).await;
    let calls = ["Ada", "Bob", "Eve"].map(|name| {
        let client = &client;
        Box::pin(async move {
            let answer = format!(r#"{{"name":"{name}"}}"#);
            let answers = [("elicitation-1", answer.as_str())];
            let outcome = called(client, "greet", r#"{"who":true}"#, &answers).await;
            assert_eq!(text(&outcome), format!("Hello, {name}!"));
        })
    });
    futures_util::future::join_all(calls).await;
    client.close().await;
}

#[tokio::test]
async fn a_question_waits_until_only_one_call_can_have_asked_it() {
    let client = connect(&busy(), &ClientOptions::default()).await;
    // Both are seen to ask nothing.
    called(&client, "greet", "{}", &[]).await;
    called(&client, "stay", r#"{"asked":0}"#, &[]).await;
    let stays = called(&client, "stay", r#"{"asked":1}"#, &[]);
    let greets = called(&client, "greet", r#"{"who":true}"#, &[ADA]);
    let (stayed, greeted) = futures_util::future::join(Box::pin(stays), Box::pin(greets)).await;
    assert_eq!(text(&stayed), "stayed");
    assert_eq!(text(&greeted), "Hello, Ada!");
    client.close().await;
}

#[tokio::test]
async fn a_question_is_never_guessed_to_be_a_call_s() {
    let options = ClientOptions {
        question_wait: Duration::from_millis(400),
        ..ClientOptions::default()
    };
    let client = connect(&busy(), &options).await;
    called(&client, "greet", "{}", &[]).await;
    let began = Instant::now();
    // The first is refused, which leaves the other alone to ask; it may be refused by then, too.
    let calls = (0..2).map(|_| async {
        let document = Call::new("greet", Json::new(r#"{"who":true}"#).unwrap());
        let options = CallOptions::default();
        call(&client.call(), document, &options, &mut Nobody)
            .await
            .unwrap()
    });
    let calls: Vec<_> = calls.map(Box::pin).collect();
    let outcomes = futures_util::future::join_all(calls).await;
    assert!(began.elapsed() >= Duration::from_millis(400));
    let reason = "refused: several calls are open, and nothing says which of them asks this";
    assert!(outcomes.iter().any(|outcome| text(outcome) == reason));
    client.close().await;
}
