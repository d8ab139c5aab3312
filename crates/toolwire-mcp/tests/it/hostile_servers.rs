//! What a server may try, and that it comes to nothing.

use std::time::{Duration, Instant};

use crate::common::{called, connect, hostile, script, text};
use toolwire_host::{Command, ProcessOptions, StopReason};
use toolwire_mcp::client::{Client, ClientErrorKind, ClientOptions, Server};

fn quick() -> ClientOptions {
    ClientOptions {
        timeout: Some(Duration::from_secs(5)),
        connect_timeout: Duration::from_secs(50),
        max_message: 1024 * 1024,
        max_tools: 10,
        max_pages: 10,
        ..ClientOptions::default()
    }
}

async fn refused(way: &str, options: &ClientOptions) -> (ClientErrorKind, String) {
    match Client::connect("h", &hostile(way), options).await {
        Ok(client) => {
            let error = client.tools().await.unwrap_err();
            client.close().await;
            (error.kind(), error.to_string())
        }
        Err(error) => (error.kind(), error.to_string()),
    }
}

#[tokio::test]
async fn a_server_that_can_t_be_used_says_why() {
    use ClientErrorKind::{BadTools, NoCommonRevision, NotConnected, NotStarted, Timeout};
    let hasty = ClientOptions {
        connect_timeout: Duration::from_millis(700),
        ..quick()
    };
    for (way, options, kind, part) in [
        (
            "exits",
            quick(),
            NotConnected,
            "it said last: no such option",
        ),
        (
            "mute",
            hasty,
            Timeout,
            "was not ready for calls within 0.7 s",
        ),
        ("future", quick(), NoCommonRevision, "`2099-01-01`"),
        (
            "bad-initialize",
            quick(),
            NotConnected,
            "does not answer as a server of MCP does",
        ),
        ("endless-pages", quick(), BadTools, "more than 10 pages"),
        ("many-tools", quick(), BadTools, "more than 10 tools"),
        ("no-tools", quick(), BadTools, "it has no `tools`"),
        ("error-tools", quick(), BadTools, "no list"),
    ] {
        let (found, message) = refused(way, &options).await;
        assert_eq!(found, kind, "{way}: {message}");
        assert!(message.contains(part), "{way}: {message}");
    }
    let missing = Server::program(Command::new("./no/such"), ProcessOptions::default());
    let error = Client::connect("h", &missing, &quick()).await.unwrap_err();
    assert_eq!(error.kind(), NotStarted);
}

#[tokio::test]
async fn as_many_tools_and_pages_as_allowed_are_read() {
    let options = ClientOptions {
        max_tools: 11,
        ..quick()
    };
    let client = connect(&hostile("many-tools"), &options).await;
    assert_eq!(client.tools().await.unwrap().len(), 11);
    client.close().await;
}

#[tokio::test]
async fn tools_that_are_none_are_left_out() {
    let client = connect(&hostile("odd-tools"), &quick()).await;
    let tools = client.tools().await.unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["go"]);
    client.close().await;
}

#[tokio::test]
async fn what_is_no_answer_is_passed_over() {
    let patient = ClientOptions {
        timeout: Some(Duration::from_secs(60)),
        ..quick()
    };
    for way in [
        "garbage",
        "wrong-id",
        "twice",
        "flood-then-answer",
        "bad-question",
    ] {
        let client = connect(&hostile(way), &patient).await;
        let outcome = called(&client, "go", "{}", &[]).await;
        assert_eq!(text(&outcome), "done", "{way}");
        client.close().await;
    }
}

#[tokio::test]
async fn answers_that_are_no_results_are_errors_or_text() {
    for (way, error) in [
        ("bad-result", false),
        ("no-result", false),
        ("deep-result", false),
        ("number-result", false),
        ("odd-error", true),
        ("text-error", true),
    ] {
        let client = connect(&hostile(way), &quick()).await;
        let outcome = called(&client, "go", "{}", &[]).await;
        assert_eq!(outcome.parsed.is_error(), error, "{way}");
        assert!(error || outcome.parsed.is_raw(), "{way}");
        client.close().await;
    }
}

#[tokio::test]
async fn a_server_that_does_not_answer_or_never_stops_talking_is_cancelled() {
    for way in ["silent", "flood"] {
        let client = connect(&hostile(way), &quick()).await;
        let began = Instant::now();
        let outcome = called(&client, "go", "{}", &[]).await;
        // The flood's progress is for another request, so it does not count.
        assert_eq!(outcome.report.stopped, Some(StopReason::Timeout), "{way}");
        client.close().await;
        assert!(began.elapsed() < Duration::from_secs(60), "{way}");
    }
}

#[tokio::test]
async fn a_message_without_end_ends_the_connection() {
    let client = connect(&hostile("huge-line"), &quick()).await;
    let outcome = called(&client, "go", "{}", &[]).await;
    assert!(outcome.parsed.is_error());
    let said = text(&outcome);
    assert!(
        said.contains("a message of more than 1048576 bytes"),
        "{said}"
    );
    client.close().await;
}

#[tokio::test]
async fn secrets_models_and_folders_are_not_given() {
    let client = connect(&hostile("secret"), &quick()).await;
    let outcome = called(&client, "go", "{}", &[]).await;
    assert_eq!(text(&outcome), "cancel");
    client.close().await;

    let client = connect(&hostile("sampling"), &quick()).await;
    let outcome = called(&client, "go", "{}", &[]).await;
    let said = text(&outcome);
    assert!(said.starts_with("error "), "{said}");
    assert!(said.ends_with("error error"), "{said}");
    client.close().await;
}

#[tokio::test]
async fn a_server_that_asks_for_ever_is_ended() {
    let client = connect(&hostile("ask-forever"), &quick()).await;
    let ids: Vec<String> = (1..=15).map(|n| format!("elicitation-{n}")).collect();
    let answers: Vec<(&str, &str)> = ids
        .iter()
        .map(|id| (id.as_str(), r#"{"ok":true}"#))
        .collect();
    let outcome = called(&client, "go", "{}", &answers).await;
    assert!(outcome.parsed.is_error());
    assert_eq!(outcome.rounds, 16);
    client.close().await;
}

#[tokio::test]
async fn nothing_of_a_server_is_left() {
    let client = connect(&hostile("ignores-end"), &quick()).await;
    let outcome = called(&client, "go", "{}", &[]).await;
    assert_eq!(text(&outcome), "done");
    let began = Instant::now();
    client.close().await;
    // It does not end by itself, so it is ended after its time.
    assert!(began.elapsed() >= Duration::from_secs(2));
    assert!(began.elapsed() < Duration::from_secs(60));
    assert_eq!(children("ignores-end"), 0);

    let client = connect(&hostile("dropped"), &quick()).await;
    assert_eq!(children("dropped"), 1);
    drop(client);
    for _ in 0..1200 {
        if children("dropped") == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("a server is left");
}

/// How many processes are this server of this checkout.
fn children(way: &str) -> usize {
    let part = format!("{} {way}", script("hostile.py").display());
    let listed = std::process::Command::new("ps")
        .args(["-eo", "args"])
        .output()
        .unwrap();
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    listed.lines().filter(|line| line.contains(&part)).count()
}

#[tokio::test]
async fn texts_of_a_server_are_data() {
    let client = connect(&hostile("escapes"), &quick()).await;
    let tools = client.tools().await.unwrap();
    let name = tools[0].name.clone();
    // The name that a client shows and types is one that can be typed.
    assert!(!name.contains('\u{1b}'), "{name:?}");
    let outcome = called(&client, &name, "{}", &[]).await;
    assert!(outcome.parsed.is_error());
    let options = toolwire::FormatOptions {
        target: toolwire::Target::Terminal,
        ..toolwire::FormatOptions::default()
    };
    let shown = toolwire::format(&outcome.parsed, &options).unwrap();
    assert!(
        !shown.contains('\u{1b}') && !shown.contains('\u{202e}'),
        "{shown:?}"
    );
    client.close().await;
}
