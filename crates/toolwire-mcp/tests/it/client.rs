//! A client and a server on stdio that is written without any library, in each revision.

use std::time::{Duration, Instant};

use crate::common::{self, Heard, REVISIONS, called, connect, plain, text};
use toolwire::Json;
use toolwire::call::Call;
use toolwire_host::{
    CallOptions, Command, Nobody, ProcessOptions, StopReason, call, call_until, list_tools,
};
use toolwire_mcp::client::{ClientOptions, Server};

/// The id of the only question of `greet`.
fn who(revision: &str) -> &'static str {
    match revision {
        "2026-07-28" => "who",
        _ => "elicitation-1",
    }
}

#[tokio::test]
async fn the_revision_is_agreed_upon_and_all_pages_are_read() {
    for revision in REVISIONS {
        let client = connect(&plain(revision), &ClientOptions::default()).await;
        assert_eq!(client.revision().as_str(), revision);
        let tools = client.tools().await.unwrap();
        assert_eq!(tools.len(), 21);
        assert_eq!(tools[0].title.as_deref(), Some("Add"));
        // The same list as a program would describe it.
        let described = list_tools(&client.call()).await.unwrap().tools.unwrap();
        assert_eq!(described.len(), tools.len());
        client.close().await;
    }
}

#[tokio::test]
async fn a_server_that_answers_a_discovery_without_versions_is_an_older_one() {
    for answer in [
        "{}",
        r#"{"supportedVersions":7}"#,
        r#"{"tools":[]}"#,
        "null",
    ] {
        let command = Command::new(common::script("plain.py"));
        let command = command.args(["2025-11-25", "60000", answer]);
        let server = Server::program(command, ProcessOptions::default());
        let client = connect(&server, &ClientOptions::default()).await;
        assert_eq!(client.revision().as_str(), "2025-11-25", "{answer}");
        assert_eq!(client.tools().await.unwrap().len(), 21);
        client.close().await;
    }
}

/// A package that is installed first, for instance.
#[tokio::test]
async fn a_newer_server_that_is_slow_to_start_is_no_older_one() {
    let folder = tempfile::tempdir().unwrap();
    let slow = format!("slow:{}", folder.path().join("started").display());
    let command = Command::new(common::script("plain.py"));
    let command = command.args(["2026-07-28", "60000", &slow]);
    let server = Server::program(command, ProcessOptions::default());
    let client = connect(&server, &ClientOptions::default()).await;
    assert_eq!(client.revision().as_str(), "2026-07-28");
    assert_eq!(client.tools().await.unwrap().len(), 21);
    client.close().await;
}

/// Nobody has to see what an older server says of `server/discover`.
#[tokio::test]
async fn a_complaint_about_the_first_request_is_dropped() {
    let complaint = "cannot validate `server/discover`\n".repeat(500);
    for (revision, text, shown) in [
        ("2025-11-25", complaint.as_str(), false),
        ("2025-11-25", "serving on stdio", true),
        ("2026-07-28", complaint.as_str(), true),
    ] {
        let heard = Heard::default();
        let command = Command::new(common::script("plain.py"));
        let command = command.args([revision, "60000", &format!("stderr:{text}")]);
        let server = Server::program(command, ProcessOptions::default());
        let client = connect(&server, &heard.options()).await;
        client.close().await;
        let start = Instant::now();
        while shown && heard.text().len() <= text.len() {
            assert!(start.elapsed() < Duration::from_secs(30), "{revision}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(!heard.text().is_empty(), shown, "{revision}");
    }
}

#[tokio::test]
async fn results_and_errors_are_envelopes() {
    for revision in REVISIONS {
        let client = connect(&plain(revision), &ClientOptions::default()).await;
        let sum = called(&client, "add", r#"{"a":1,"b":2}"#, &[]).await;
        let content = sum.parsed.structured_content().unwrap();
        assert_eq!(content.get("sum").unwrap().raw(), "3");

        let exact = r#"{"value":[123456789012345678901234567890.10,18446744073709551617,"é"]}"#;
        let echo = called(&client, "echo", exact, &[]).await;
        assert_eq!(echo.parsed.structured_content().unwrap().raw(), exact);

        let failed = called(&client, "fail", "{}", &[]).await;
        assert!(failed.parsed.is_error());
        assert_eq!(text(&failed), "it did not work");

        let broken = called(&client, "break", "{}", &[]).await;
        let meta = broken.parsed.meta().unwrap();
        let rpc = meta.get("dev.toolwire/rpc-error").unwrap();
        assert_eq!(rpc.get("code").unwrap().as_i64(), Some(-32603));
        assert_eq!(rpc.get("data").unwrap().raw(), r#"{"level": 3}"#);
        assert!(text(&broken).starts_with("the server `plain` refused the call: out of"));

        let unknown = called(&client, "nothing", "{}", &[]).await;
        assert!(unknown.parsed.is_error());
        client.close().await;
    }
}

#[tokio::test]
async fn a_result_is_held_against_its_output_schema() {
    for revision in REVISIONS {
        let client = connect(&plain(revision), &ClientOptions::default()).await;
        let sum = called(&client, "add", r#"{"a":1,"b":2}"#, &[]).await;
        assert_eq!(sum.report.output_mismatches, []);
        let lie = called(&client, "lie", "{}", &[]).await;
        assert!(!lie.parsed.is_error());
        let found = &lie.report.output_mismatches;
        let pointers: Vec<&str> = found.iter().map(|one| one.pointer.as_str()).collect();
        assert_eq!(pointers, ["/sum"]);
        client.close().await;
    }
}

#[tokio::test]
async fn an_outcome_is_unwrapped_only_if_that_is_wanted() {
    let success = r#"{"text":"{\"type\":\"success\",\"content\":\"done\"}"}"#;
    let denied = r#"{"text":"{\"type\":\"success\",\"content\":\"done\"}","error":true}"#;
    let failure = r#"{"text":"{\"type\":\"error\",\"message\":\"busy\",\"transient\":true}"}"#;
    for revision in REVISIONS {
        for legacy in [false, true] {
            let options = ClientOptions {
                legacy,
                ..ClientOptions::default()
            };
            let client = connect(&plain(revision), &options).await;
            let outcome = called(&client, "outcome", success, &[]).await;
            assert_eq!(text(&outcome) == "done", legacy);
            // What the server says of it wins.
            let outcome = called(&client, "outcome", denied, &[]).await;
            assert!(outcome.parsed.is_error() && text(&outcome).starts_with('{'));
            let outcome = called(&client, "outcome", failure, &[]).await;
            assert_eq!(outcome.parsed.is_error(), legacy);
            assert_eq!(outcome.parsed.transient(), legacy);
            let outcome = called(&client, "outcome", r#"{"text":"words"}"#, &[]).await;
            assert_eq!(text(&outcome), "words");
            client.close().await;
        }
    }
}

#[tokio::test]
async fn questions_are_asked_and_answered() {
    for revision in REVISIONS {
        let client = connect(&plain(revision), &ClientOptions::default()).await;
        let id = who(revision);
        let greeted = called(&client, "greet", "{}", &[(id, r#"{"name":"Ada"}"#)]).await;
        assert!(
            text(&greeted).starts_with("Hello, Ada!"),
            "{}",
            text(&greeted)
        );
        // The state comes back to the letter.
        let state = text(&greeted).ends_with("who \"\\u00e9\u{2028}\"");
        assert_eq!(state, revision == "2026-07-28", "{}", text(&greeted));
        assert_eq!(greeted.rounds, 2);

        for word in ["decline", "cancel"] {
            let greeted = called(&client, "greet", "{}", &[(id, word)]).await;
            assert_eq!(text(&greeted), format!("Hello, nobody: {word}"));
        }
        client.close().await;
    }
}

#[tokio::test]
async fn a_request_is_made_again_without_a_question_at_most_sixteen_times() {
    let client = connect(&plain("2026-07-28"), &ClientOptions::default()).await;
    let most = called(&client, "again", r#"{"rounds":16}"#, &[]).await;
    assert_eq!(text(&most), "after 16");
    assert_eq!(most.rounds, 1);
    let over = called(&client, "again", r#"{"rounds":17}"#, &[]).await;
    assert!(over.parsed.is_error());
    assert_eq!(
        text(&over),
        "the server `plain` asked 16 times for the same call without a question"
    );
    client.close().await;
}

#[tokio::test]
async fn an_older_server_may_ask_several_times_while_its_call_waits() {
    let client = connect(&plain("2025-11-25"), &ClientOptions::default()).await;
    let answers = [
        ("elicitation-1", r#"{"ok":true}"#),
        ("elicitation-2", r#"{"ok":false}"#),
    ];
    let outcome = called(&client, "wizard", "{}", &answers).await;
    let said = Json::new(text(&outcome)).unwrap();
    assert_eq!(said.at("/0/content/ok"), Some(Json::from(true)));
    assert_eq!(said.at("/1/content/ok"), Some(Json::from(false)));
    assert_eq!(outcome.rounds, 3);
    client.close().await;
}

#[tokio::test]
async fn a_page_is_opened_by_consent_alone() {
    let client = connect(&plain("2025-11-25"), &ClientOptions::default()).await;
    let opened = called(&client, "open", "{}", &[("elicitation-1", "open")]).await;
    let said = Json::new(text(&opened)).unwrap();
    assert_eq!(said.at("/action"), Some(Json::from("accept")));
    assert_eq!(said.at("/content"), None);
    let declined = called(&client, "open", "{}", &[("elicitation-1", "decline")]).await;
    assert!(text(&declined).contains(r#""action": "decline""#));

    // An error that asks for a page first: the call is made again once it was opened.
    let refused = called(&client, "opening", "{}", &[("elicitation-1", "decline")]).await;
    assert!(refused.parsed.is_error());
    assert!(text(&refused).ends_with("refused the call: open it first (-32042)"));
    client.close().await;

    let client = connect(&plain("2025-11-25"), &ClientOptions::default()).await;
    let began = Instant::now();
    let opening = called(&client, "opening", "{}", &[("elicitation-1", "open")]).await;
    assert_eq!(text(&opening), "opened");
    // The server has said that it is done, so nobody waited for the rest of the time.
    assert!(began.elapsed() < Duration::from_secs(20));
    client.close().await;
}

#[tokio::test]
async fn the_list_is_read_again_when_it_has_changed_or_is_over() {
    for revision in REVISIONS {
        let client = connect(&plain(revision), &ClientOptions::default()).await;
        assert_eq!(client.tools().await.unwrap().len(), 21);
        assert_eq!(client.tools().await.unwrap().len(), 21);
        assert_eq!(text(&called(&client, "lists", "{}", &[]).await), "2");
        called(&client, "change", "{}", &[]).await;
        assert_eq!(client.tools().await.unwrap().len(), 22);
        client.close().await;
    }
    let command = Command::new(common::script("plain.py")).args(["2026-07-28", "0"]);
    let server = Server::program(command, ProcessOptions::default());
    let client = connect(&server, &ClientOptions::default()).await;
    client.tools().await.unwrap();
    client.tools().await.unwrap();
    assert_eq!(text(&called(&client, "lists", "{}", &[]).await), "4");
    client.close().await;
}

#[tokio::test]
async fn a_newer_server_is_asked_to_tell_of_changes_if_it_can() {
    let server = || {
        let command = Command::new(common::script("plain.py"));
        let command = command.args(["2026-07-28", "600000", "listen"]);
        Server::program(command, ProcessOptions::default())
    };
    let client = connect(&server(), &ClientOptions::default()).await;
    // Once it is acknowledged, the list is read anew, and then not before it has changed.
    while text(&called(&client, "listening", "{}", &[]).await) == "False" {}
    assert_eq!(client.tools().await.unwrap().len(), 21);
    assert_eq!(client.tools().await.unwrap().len(), 21);
    let lists = text(&called(&client, "lists", "{}", &[]).await);
    client.tools().await.unwrap();
    assert_eq!(text(&called(&client, "lists", "{}", &[]).await), lists);
    called(&client, "change", "{}", &[]).await;
    assert_eq!(client.tools().await.unwrap().len(), 22);
    client.close().await;

    let options = ClientOptions {
        listen: false,
        ..ClientOptions::default()
    };
    let client = connect(&server(), &options).await;
    client.tools().await.unwrap();
    let listening = called(&client, "listening", "{}", &[]).await;
    assert_eq!(text(&listening), "False");
    client.close().await;
}

#[tokio::test]
async fn calls_at_once_are_not_mixed_up() {
    for revision in REVISIONS {
        let client = connect(&plain(revision), &ClientOptions::default()).await;
        let client = &client;
        let calls = (0..8).map(|n| async move {
            let answer = format!(r#"{{"name":"n{n}"}}"#);
            let greeted = called(client, "greet", "{}", &[(who(revision), &answer)]).await;
            assert!(text(&greeted).starts_with(&format!("Hello, n{n}!")));
        });
        let calls: Vec<_> = calls.map(Box::pin).collect();
        futures_util::future::join_all(calls).await;
    }
}

#[tokio::test]
async fn a_form_never_asks_for_a_password() {
    for revision in REVISIONS {
        let client = connect(&plain(revision), &ClientOptions::default()).await;
        let outcome = called(&client, "login", "{}", &[]).await;
        let said = Json::new(text(&outcome)).unwrap();
        assert_eq!(said.at("/action"), Some(Json::from("cancel")));
        assert_eq!(said.at("/content"), None);
        let codes = outcome.diagnostics.iter().map(|one| one.code.as_str());
        assert_eq!(codes.collect::<Vec<_>>(), ["secret_question"]);
        client.close().await;
    }
}

#[tokio::test]
async fn a_question_that_nobody_answers_ends_the_call_at_the_server_too() {
    let heard = Heard::default();
    let client = connect(&plain("2025-11-25"), &heard.options()).await;
    // `Nobody` makes it unavailable, which the server is told.
    let transport = client.call();
    let document = Call::new("greet", Json::new("{}").unwrap());
    let options = CallOptions::default();
    let outcome = call(&transport, document, &options, &mut Nobody).await;
    assert_eq!(text(&outcome.unwrap()), "Hello, nobody: cancel");

    // A call that is given up while its question waits is cancelled.
    let transport = client.call();
    let document = Call::new("greet", Json::new("{}").unwrap());
    let (conversation, driver) = toolwire_host::Conversation::new(
        std::sync::Arc::new(transport),
        document,
        CallOptions::default(),
    );
    let driving = tokio::spawn(driver);
    while !matches!(
        conversation.next().await,
        Some(toolwire_host::Event::Question(_))
    ) {}
    drop(conversation);
    driving.await.unwrap();
    // The connection is free for the next one.
    let sum = called(&client, "add", r#"{"a":1,"b":2}"#, &[]).await;
    assert!(!sum.parsed.is_error());
    client.close().await;
}

#[tokio::test]
async fn a_call_that_is_silent_for_too_long_is_cancelled() {
    for revision in REVISIONS {
        let heard = Heard::default();
        let options = ClientOptions {
            timeout: Some(Duration::from_millis(300)),
            ..heard.options()
        };
        let client = connect(&plain(revision), &options).await;
        let outcome = called(&client, "cancelled", "{}", &[]).await;
        assert_eq!(outcome.report.stopped, Some(StopReason::Timeout));
        assert!(outcome.parsed.transient());
        client.close().await;
        assert_eq!(heard.text(), "then came notifications/cancelled of True\n");
    }
}

#[tokio::test]
async fn progress_begins_the_time_anew_up_to_a_maximum() {
    let options = ClientOptions {
        timeout: Some(Duration::from_millis(1500)),
        max_timeout: Duration::from_millis(5500),
        ..ClientOptions::default()
    };
    for revision in REVISIONS {
        let client = connect(&plain(revision), &options).await;
        let worked = called(&client, "work", r#"{"steps":4,"pause":0.5}"#, &[]).await;
        assert_eq!(text(&worked), "worked");
        let endless = called(&client, "work", r#"{"steps":100,"pause":0.2}"#, &[]).await;
        assert_eq!(endless.report.stopped, Some(StopReason::Timeout));
        assert!(
            text(&endless).contains("within 5.5 s"),
            "{}",
            text(&endless)
        );
        client.close().await;
    }
}

#[tokio::test]
async fn cancelling_tells_the_server_and_waits_for_nothing() {
    for revision in REVISIONS {
        let heard = Heard::default();
        let client = connect(&plain(revision), &heard.options()).await;
        let transport = client.call();
        let document = Call::new("cancelled", Json::new("{}").unwrap());
        let soon = tokio::time::sleep(Duration::from_millis(300));
        let options = CallOptions::default();
        let outcome = call_until(&transport, document, &options, &mut Nobody, soon).await;
        let outcome = outcome.unwrap();
        assert!(outcome.cancelled());
        client.close().await;
        assert_eq!(heard.text(), "then came notifications/cancelled of True\n");
    }
}

#[tokio::test]
async fn a_server_that_ends_says_why() {
    let client = connect(&plain("2025-11-25"), &ClientOptions::default()).await;
    let outcome = called(&client, "die", "{}", &[]).await;
    assert!(outcome.parsed.is_error() && outcome.parsed.transient());
    assert_eq!(
        text(&outcome),
        "the server `plain` ended before it had answered"
    );
    let again = called(&client, "add", r#"{"a":1,"b":2}"#, &[]).await;
    assert!(again.parsed.is_error());
    client.close().await;
}

#[tokio::test]
async fn the_context_of_a_call_is_for_servers_that_know_toolwire() {
    for (send_context, expected) in [(false, "{}"), (true, r#"{"computer.jp/"#)] {
        let options = ClientOptions {
            send_context,
            ..ClientOptions::default()
        };
        let client = connect(&plain("2025-11-25"), &options).await;
        let mut document = Call::new("meta", Json::new("{}").unwrap());
        document.options = Json::new(r#"{"depth":12345678901234567890123}"#).unwrap();
        let transport = client.call();
        let outcome = call(&transport, document, &CallOptions::default(), &mut Nobody).await;
        let said = text(&outcome.unwrap());
        assert!(said.starts_with(expected), "{said}");
        assert_eq!(
            said.contains("12345678901234567890123"),
            send_context,
            "{said}"
        );
        client.close().await;
    }
}
