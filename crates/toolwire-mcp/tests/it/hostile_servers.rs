//! What a server may try, and that it comes to nothing.

use std::time::{Duration, Instant};

use crate::common::{Heard, called, connect, hostile, script, text};
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
            "prints",
            quick(),
            NotConnected,
            "it printed: usage: server [--port PORT]",
        ),
        (
            "mute",
            hasty,
            Timeout,
            "was not ready for calls within 0.7 s",
        ),
        (
            "prompts",
            ClientOptions {
                connect_timeout: Duration::from_secs(3),
                ..quick()
            },
            Timeout,
            "within 3 s; it printed: Enter the key:",
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
        ("no-result", true),
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
async fn an_answer_that_can_t_be_used_ends_its_call_at_once() {
    for (way, part) in [
        ("nan", r#""mean": NaN"#),
        ("nan-last", "-Infinity"),
        ("cut", "is cut off"),
        ("cut-early", "is cut off"),
        ("batch", "a batch of messages"),
        ("no-result", "neither `result` nor `error`"),
        ("nobody", "what is this? (-32600)"),
    ] {
        let client = connect(&hostile(way), &ClientOptions::default()).await;
        let outcome = called(&client, "go", "{}", &[]).await;
        assert!(
            outcome.parsed.is_error() && !outcome.parsed.transient(),
            "{way}"
        );
        assert!(text(&outcome).contains(part), "{way}: {}", text(&outcome));
        client.close().await;
    }
}

#[tokio::test]
async fn an_answer_is_known_however_it_is_spelled() {
    for way in ["text-id", "float-id", "mark", "glued"] {
        let client = connect(&hostile(way), &quick()).await;
        let outcome = called(&client, "go", "{}", &[]).await;
        assert_eq!(text(&outcome), "done", "{way}");
        client.close().await;
    }
}

#[tokio::test]
async fn requests_without_end_end_the_connection() {
    let client = connect(&hostile("pings"), &ClientOptions::default()).await;
    let outcome = called(&client, "go", "{}", &[]).await;
    let said = text(&outcome);
    assert!(said.contains("does not read the answers"), "{said}");
    client.close().await;
}

#[tokio::test]
async fn a_version_that_a_refusal_names_is_tried() {
    for version in ["2025-06-18", "2025-03-26", "2024-11-05"] {
        let client = connect(&hostile(&format!("only-{version}")), &quick()).await;
        assert_eq!(client.revision().as_str(), "2025-06-18");
        assert_eq!(client.tools().await.unwrap().len(), 1);
        client.close().await;
    }
    let (kind, message) = refused("only-2099-01-01", &quick()).await;
    assert_eq!(kind, ClientErrorKind::NotConnected);
    assert!(message.contains("bad version (-32602)"), "{message}");
}

#[tokio::test]
async fn a_server_need_not_declare_its_tools_nor_have_any() {
    for (way, tools) in [("undeclared", 1), ("toolless", 0)] {
        let client = connect(&hostile(way), &quick()).await;
        assert_eq!(client.tools().await.unwrap().len(), tools, "{way}");
        client.close().await;
    }
}

#[tokio::test]
async fn a_cursor_that_came_before_ends_the_list() {
    for (way, tools, warns) in [
        ("same-page", 1, true),
        ("round", 1, true),
        ("empty-cursor", 2, false),
    ] {
        let heard = Heard::default();
        let client = connect(&hostile(way), &heard.options()).await;
        assert_eq!(client.tools().await.unwrap().len(), tools, "{way}");
        let listing = client.listing().await.unwrap();
        assert!(listing.iter().all(|tool| tool.problem.is_none()), "{way}");
        let warning = "warning: the server `plain` lists its tools without an end";
        assert_eq!(
            heard.text().contains(warning),
            warns,
            "{way}: {}",
            heard.text()
        );
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
    assert_eq!(text(&outcome), "-32601 -32601 -32601 {}");
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
