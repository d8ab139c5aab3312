//! A client and a server on Streamable HTTP that is written without any library.

use std::time::{Duration, Instant};

use crate::common::{Http, REVISIONS, called, connect, text};
use toolwire::Json;
use toolwire_host::StopReason;
use toolwire_mcp::client::{Client, ClientErrorKind, ClientOptions, Header, Server};

/// Each revision, with answers as JSON and as streams.
fn servers() -> impl Iterator<Item = (&'static str, &'static str, Http)> {
    let pairs = REVISIONS
        .into_iter()
        .flat_map(|revision| [(revision, "json"), (revision, "sse")]);
    pairs.map(|(revision, kind)| (revision, kind, Http::start(&[revision, kind])))
}

fn with_token(server: &Http, header: &str, value: &str) -> Server {
    let mut server = server.server();
    if let Server::Http { headers, .. } = &mut server {
        headers.push(Header::new(header, value));
    }
    server
}

#[tokio::test]
async fn tools_are_listed_called_and_ask() {
    for (revision, kind, server) in servers() {
        let client = connect(&server.server(), &ClientOptions::default()).await;
        assert_eq!(client.revision().as_str(), revision);
        assert_eq!(client.tools().await.unwrap().len(), 8, "{kind}");

        let exact = r#"{"value":123456789012345678901234567890.10}"#;
        let echo = called(&client, "echo", exact, &[]).await;
        assert_eq!(echo.parsed.structured_content().unwrap().raw(), exact);

        let id = match revision {
            "2026-07-28" => "who",
            _ => "elicitation-1",
        };
        let greeted = called(&client, "greet", "{}", &[(id, r#"{"name":"Ada"}"#)]).await;
        assert!(text(&greeted).starts_with("Hello, Ada!"));

        let failed = called(&client, "fail", "{}", &[]).await;
        assert!(text(&failed).ends_with("refused the call: not like that (-32602)"));
        client.close().await;
    }
}

#[tokio::test]
async fn headers_are_those_of_the_revision() {
    for (revision, _, server) in servers() {
        let client = connect(&server.server(), &ClientOptions::default()).await;
        let outcome = called(&client, "headers", r#"{"region":"Zürich"}"#, &[]).await;
        let seen = Json::new(text(&outcome)).unwrap();
        let seen = |name: &str| seen.at(name).and_then(|value| value.to_text());
        assert_eq!(seen("/mcp-protocol-version").as_deref(), Some(revision));
        let modern = revision == "2026-07-28";
        assert_eq!(seen("/mcp-session-id").is_none(), modern);
        assert_eq!(
            seen("/mcp-method").as_deref(),
            modern.then_some("tools/call")
        );
        assert_eq!(seen("/mcp-name").as_deref(), modern.then_some("headers"));
        let region = seen("/mcp-param-region");
        assert_eq!(
            region.as_deref(),
            modern.then_some("=?base64?WsO8cmljaA==?=")
        );
        client.close().await;
    }
}

#[tokio::test]
async fn a_call_is_cancelled_as_the_revision_says() {
    let options = ClientOptions {
        timeout: Some(Duration::from_secs(2)),
        ..ClientOptions::default()
    };
    for (revision, _, server) in servers() {
        let client = connect(&server.server(), &options).await;
        let outcome = called(&client, "hang", "{}", &[]).await;
        assert_eq!(outcome.report.stopped, Some(StopReason::Timeout));
        client.close().await;
        let last = match revision {
            "2026-07-28" => "closed\n",
            _ => "deleted\n",
        };
        let seen = server.seen_by(last);
        match revision {
            // The stream of the answer is closed, and nothing is sent.
            "2026-07-28" => assert_eq!(seen, last),
            _ => assert!(
                seen.starts_with("cancelled ") && seen.ends_with(last),
                "{seen}"
            ),
        }
    }
}

#[tokio::test]
async fn calls_at_once_are_told_apart_by_their_streams() {
    for revision in &REVISIONS[..2] {
        let server = Http::start(&[revision, "sse"]);
        let client = connect(&server.server(), &ClientOptions::default()).await;
        let id = "elicitation-1";
        // It is seen to ask on the streams of its calls, so others run beside it from now on.
        called(&client, "greet", "{}", &[(id, r#"{"name":"n"}"#)]).await;
        let client = &client;
        let calls = (0..4).map(|n| async move {
            let answer = format!(r#"{{"name":"n{n}"}}"#);
            let greeted = called(client, "greet", r#"{"together":5}"#, &[(id, &answer)]).await;
            assert_eq!(text(&greeted), format!("Hello, n{n}!"));
        });
        let calls: Vec<_> = calls.map(Box::pin).collect();
        futures_util::future::join_all(calls).await;
    }
}

#[tokio::test]
async fn the_rest_of_a_stream_is_asked_for_a_few_times() {
    let options = ClientOptions::default();
    let server = Http::start(&["2025-11-25", "sse"]);
    let client = connect(&server.server(), &options).await;
    let began = Instant::now();
    let outcome = called(&client, "resume", "{}", &[]).await;
    assert_eq!(text(&outcome), "resumed");
    assert!(began.elapsed() >= Duration::from_millis(200));
    // One that breaks off is not asked for at once, either.
    let began = Instant::now();
    let outcome = called(&client, "resume", r#"{"breaks":4}"#, &[]).await;
    assert_eq!(text(&outcome), "resumed");
    assert!(began.elapsed() >= Duration::from_millis(200 + 4 * 250));
    // The first and four more are in vain, so there is one left.
    let outcome = called(&client, "resume", r#"{"fails":4}"#, &[]).await;
    assert_eq!(text(&outcome), "resumed");
    let outcome = called(&client, "resume", r#"{"fails":5}"#, &[]).await;
    assert!(outcome.parsed.is_error() && outcome.parsed.transient());
    client.close().await;
    assert_eq!(
        server.seen().matches("resumed after").count(),
        1 + 5 + 5 + 5
    );

    // It is done away with in 2026-07-28.
    let server = Http::start(&["2026-07-28", "sse"]);
    let client = connect(&server.server(), &options).await;
    let outcome = called(&client, "resume", "{}", &[]).await;
    assert!(outcome.parsed.is_error() && outcome.parsed.transient());
    client.close().await;
    assert_eq!(server.seen(), "");
}

#[tokio::test]
async fn a_stream_of_events_is_read_as_its_standard_says() {
    for revision in REVISIONS {
        let server = Http::start(&[revision]);
        let client = connect(&server.server(), &ClientOptions::default()).await;
        for shape in ["unknown", "prime", "cr"] {
            let outcome = called(&client, "shape", &format!(r#"{{"shape":"{shape}"}}"#), &[]).await;
            assert_eq!(text(&outcome), "über", "{shape}");
        }
        client.close().await;
    }
}

#[tokio::test]
async fn what_holds_no_answer_ends_its_call_at_once() {
    for revision in REVISIONS {
        let server = Http::start(&[revision]);
        let client = connect(&server.server(), &ClientOptions::default()).await;
        for (shape, part) in [
            ("nothing", "ended without a result"),
            ("nan", "NaN"),
            ("accepted", "HTTP 202"),
            ("html", "<h1>Welcome</h1>"),
            ("other", "notifications/unknown"),
            ("cut", "is cut off"),
        ] {
            let outcome = called(&client, "shape", &format!(r#"{{"shape":"{shape}"}}"#), &[]).await;
            assert!(outcome.parsed.is_error(), "{shape}");
            assert!(text(&outcome).contains(part), "{shape}: {}", text(&outcome));
        }
        client.close().await;
    }
}

#[tokio::test]
async fn a_version_that_a_status_400_names_is_tried() {
    let server = Http::start(&["2025-06-18", "refuses=Bad Request: want 2025-06-18"]);
    let client = connect(&server.server(), &ClientOptions::default()).await;
    assert_eq!(client.revision().as_str(), "2025-06-18");
    client.close().await;
}

#[tokio::test]
async fn a_session_that_is_over_is_opened_again() {
    let server = Http::start(&["2025-11-25", "forgets"]);
    let client = connect(&server.server(), &ClientOptions::default()).await;
    for _ in 0..3 {
        let echo = called(&client, "echo", r#"{"value":1}"#, &[]).await;
        assert!(!echo.parsed.is_error(), "{}", text(&echo));
    }
    client.close().await;
    assert_eq!(server.seen(), "initialized\ninitialized\ndeleted\n");
}

#[tokio::test]
async fn an_answer_may_be_as_long_as_the_limit_and_no_longer() {
    let options = ClientOptions {
        max_message: 50_000,
        ..ClientOptions::default()
    };
    for (_, kind, server) in servers() {
        let client = connect(&server.server(), &options).await;
        let fits = called(&client, "big", r#"{"size":49000}"#, &[]).await;
        assert!(!fits.parsed.is_error(), "{kind}");
        let over = called(&client, "big", r#"{"size":50001}"#, &[]).await;
        assert!(over.parsed.is_error());
        assert!(text(&over).contains("50000 bytes"), "{}", text(&over));
        client.close().await;
    }
}

#[tokio::test]
async fn a_server_that_wants_a_login_is_told_what_to_do() {
    for revision in REVISIONS {
        let server = Http::start(&[revision, "token=secret"]);
        let options = ClientOptions::default();
        let error = Client::connect("h", &server.server(), &options).await;
        let error = error.unwrap_err();
        assert_eq!(error.kind(), ClientErrorKind::Unauthorized);
        let message = error.to_string();
        assert!(message.contains("does not log in by OAuth"), "{message}");
        assert!(message.contains("--header-env"), "{message}");

        let known = with_token(&server, "Authorization", "Bearer secret");
        let client = connect(&known, &options).await;
        assert_eq!(client.tools().await.unwrap().len(), 8);
        client.close().await;
    }
}

#[tokio::test]
async fn headers_never_reach_another_origin() {
    // `localhost` and `127.0.0.1` are two origins, and so are two ports.
    for status in ["301", "302", "303", "307", "308"] {
        let other = Http::start(&["2026-07-28"]);
        let to = format!("redirect={}", other.url());
        let server = Http::start(&["2026-07-28", &to, &format!("status={status}")]);
        let known = with_token(&server, "X-Token", "secret");
        let error = Client::connect("h", &known, &ClientOptions::default()).await;
        let message = error.unwrap_err().to_string();
        assert!(message.contains("it redirects to"), "{message}");
        assert_eq!(other.seen(), "", "nothing was asked of it");
    }
}

#[tokio::test]
async fn addresses_that_can_t_be_meant_are_refused() {
    for (url, kind) in [
        ("ftp://example.org/", ClientErrorKind::BadOption),
        ("http://me:secret@127.0.0.1:1/", ClientErrorKind::BadOption),
        ("http://", ClientErrorKind::BadOption),
        (
            "http://127.0.0.1:1/mcp?key=secret",
            ClientErrorKind::NotConnected,
        ),
    ] {
        let error = Client::connect("h", &Server::http(url), &ClientOptions::default()).await;
        let error = error.unwrap_err();
        assert_eq!(error.kind(), kind, "{url}");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}
