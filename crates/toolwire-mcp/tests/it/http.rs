//! Streamable HTTP, spoken byte by byte.

mod stage;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use stage::{Stage, call, initialize, options};
use toolwire_host::KeptOptions;
use toolwire_mcp::server::{HttpOptions, HttpServer, Tokens};

const TOKENS: &str = "anna: 0123456789abcdef\nben: fedcba9876543210\n";

#[test]
fn a_call_without_a_session_is_answered_to_the_letter() {
    let stage = Stage::new();
    let server = stage.serve(options());
    let arguments = r#"{"x":12345678901234567890123,"y":1.10}"#;
    let answer = server.post(&[], &call("echo", arguments));
    assert_eq!(answer.status, 200, "{answer:?}");
    // All digits have come to the tool and back.
    let back = r#""structuredContent":{"x":12345678901234567890123,"y":1.1}"#;
    assert!(answer.body.contains(back), "{answer:?}");
    assert!(answer.header("mcp-session-id").is_none());
    let result = &answer.message()["result"];
    assert_eq!(result["resultType"], "complete", "{answer:?}");
}

#[test]
fn an_older_revision_has_a_session() {
    let stage = Stage::new();
    let server = stage.serve(options());
    let hello = server.post(&[], &initialize("2025-11-25"));
    assert_eq!(
        hello.message()["result"]["protocolVersion"],
        "2025-11-25",
        "{hello:?}"
    );
    let session = hello.header("mcp-session-id").unwrap().to_owned();
    let headers = [
        ("mcp-session-id", session.as_str()),
        ("mcp-protocol-version", "2025-11-25"),
    ];
    let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    assert_eq!(server.post(&headers, ready).status, 202);
    let request = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"x":12345678901234567890123}}}"#;
    let answer = server.post(&headers, request);
    let back = r#""structuredContent":{"x":12345678901234567890123}"#;
    assert!(answer.body.contains(back), "{answer:?}");
    let list = r#"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#;
    assert!(server.post(&headers, list).body.contains("\"echo\""));
    // Without its session it has nothing.
    assert_eq!(server.post(&headers[1..], list).status, 400);
    let other = [
        ("mcp-session-id", "11111111-1111-4111-8111-111111111111"),
        headers[1],
    ];
    assert_eq!(server.post(&other, list).status, 404);
    assert_eq!(server.send("DELETE", "/mcp", &headers, "").status, 202);
    assert_eq!(server.post(&headers, list).status, 404);
}

/// The answers of the two older revisions too.
#[test]
fn answers_keep_every_digit() {
    let stage = Stage::new();
    let server = stage.serve(options());
    let request = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"numbers","arguments":{}}}"#;
    let given = r#"{"action":"accept","content":{"n":12345678901234567890123,"x":1.10}}"#;
    for version in ["2025-06-18", "2025-11-25"] {
        let session = server.session(version);
        let headers = session
            .each_ref()
            .map(|(name, value)| (*name, value.as_str()));
        let read = server.converse(&headers, request, &[given]);
        let got = r#""structuredContent":{"n":12345678901234567890123,"x":1.1}"#;
        assert!(read.contains(got), "{version}: {read}");
    }
}

#[test]
fn headers_have_to_agree_with_the_request() {
    let stage = Stage::new();
    let server = stage.serve(options());
    let body = call("echo", "{}");
    let mismatch = |headers: &[(&str, &str)]| {
        let answer = server.send_only("POST", "/mcp", headers, &body);
        let code = answer.message()["error"]["code"].clone();
        assert_eq!(
            (answer.status, code),
            (400, json!(-32020)),
            "{headers:?}: {answer:?}"
        );
    };
    let version = ("mcp-protocol-version", "2026-07-28");
    let method = ("mcp-method", "tools/call");
    let base = [
        ("accept", "application/json, text/event-stream"),
        ("content-type", "application/json"),
    ];
    for more in [
        &[version, method][..],
        &[version, method, ("mcp-name", "other")],
        &[version, ("mcp-method", "tools/list"), ("mcp-name", "echo")],
        &[
            ("mcp-protocol-version", "2025-11-25"),
            method,
            ("mcp-name", "echo"),
        ],
    ] {
        mismatch(&[&base[..], more].concat());
    }
    // An argument that is in a header, too.
    let tenant = [("mcp-param-tenant", "a")];
    let answer = server.post(&tenant, &call("tenant", r#"{"tenant":"a"}"#));
    assert_eq!(answer.status, 200, "{answer:?}");
    let answer = server.post(&tenant, &call("tenant", r#"{"tenant":"b"}"#));
    assert_eq!(answer.message()["error"]["code"], -32020, "{answer:?}");
}

/// A page of the web can't reach the server by a name of its own.
#[test]
fn a_host_or_an_origin_of_others_is_refused() {
    let stage = Stage::new();
    let mut more = options();
    more.hosts.push("tools.example.com".to_owned());
    more.origins.push("https://app.example.com".to_owned());
    let server = stage.serve(more);
    let body = call("echo", "{}");
    let status = |name: &str, value: &str| server.post(&[(name, value)], &body).status;
    let port = server.address.port();
    for (host, expected) in [
        (format!("127.0.0.1:{port}"), 200),
        (format!("localhost:{port}"), 200),
        ("tools.example.com".to_owned(), 200),
        ("evil.example.com".to_owned(), 403),
        (format!("127.0.0.1.evil.com:{port}"), 403),
        ("evil@localhost".to_owned(), 403),
        ("localhost\r\nhost: localhost".to_owned(), 403),
    ] {
        assert_eq!(status("host", &host), expected, "{host}");
    }
    for (origin, expected) in [
        (format!("http://localhost:{port}"), 200),
        ("https://app.example.com".to_owned(), 200),
        ("http://localhost:1".to_owned(), 403),
        ("http://app.example.com".to_owned(), 403),
        ("https://app.example.com:444".to_owned(), 403),
        (
            "https://app.example.com\r\norigin: https://app.example.com".to_owned(),
            403,
        ),
        ("null".to_owned(), 403),
    ] {
        assert_eq!(status("origin", &origin), expected, "{origin}");
    }
    let whole = server.send("POST", "http://localhost/mcp", &[], &body);
    assert_eq!(whole.status, 403);
}

#[test]
fn limits_hold_at_their_edges() {
    let stage = Stage::new();
    let body = call("echo", r#"{"x":"yyyyyyyyyy"}"#);
    let mut limited = options();
    limited.max_body = body.len();
    limited.max_head = 8192;
    limited.max_headers = 20;
    let server = stage.serve(limited);
    assert_eq!(server.post(&[], &body).status, 200);
    assert_eq!(server.post(&[], &format!("{body} ")).status, 413);
    // In pieces, without a length before them.
    let chunked = format!("{:x}\r\n{body}\r\n1\r\n \r\n0\r\n\r\n", body.len());
    let headers = [("transfer-encoding", "chunked")];
    assert_eq!(server.post(&headers, &chunked).status, 413);
    let long = "x".repeat(9000);
    assert_eq!(server.post(&[("x-long", &long)], &body).status, 431);
    let names: Vec<String> = (0..30).map(|at| format!("x-{at}")).collect();
    let many = |count: usize| {
        let headers: Vec<(&str, &str)> = names[..count]
            .iter()
            .map(|name| (name.as_str(), "1"))
            .collect();
        server.post(&headers, &body).status
    };
    // Eight are there already.
    assert_eq!((many(12), many(13)), (200, 431));
}

#[test]
fn who_is_idle_is_disconnected() {
    let stage = Stage::new();
    let mut limited = options();
    limited.idle = Duration::from_millis(1500);
    limited.body_time = Duration::from_millis(1500);
    let server = stage.serve(limited);
    let start = Instant::now();
    // Nothing, half a head, and a head whose body never comes.
    let body = "POST /mcp HTTP/1.1\r\nhost: localhost\r\naccept: application/json, text/event-stream\r\n\
                content-type: application/json\r\ncontent-length: 10\r\n\r\n{";
    for text in ["", "POST /mcp HTTP/1.1\r\nhost: loc", body] {
        let read = server.write_and_wait(text);
        assert!(!read.contains("200 OK"), "{read}");
    }
    // One that was answered and then says nothing more.
    let answer = call("echo", "{}");
    let text = server
        .request("POST", "/mcp", &[], &answer)
        .replace("connection: close\r\n", "");
    assert!(server.write_and_wait(&text).contains("200 OK"));
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn connections_beyond_the_limit_wait() {
    let stage = Stage::new();
    let mut limited = options();
    limited.max_connections = 1;
    limited.idle = Duration::from_secs(3);
    let server = stage.serve(limited);
    let first = server.connect();
    let start = Instant::now();
    // It is answered when the first one has been idle for too long.
    assert_eq!(server.post(&[], &call("echo", "{}")).status, 200);
    assert!(
        start.elapsed() >= Duration::from_secs(1),
        "{:?}",
        start.elapsed()
    );
    drop(first);
}

#[test]
fn sessions_have_a_limit() {
    let stage = Stage::new();
    let mut limited = options();
    limited.max_sessions = 2;
    let server = stage.serve(limited);
    let statuses = [0; 3].map(|_| server.post(&[], &initialize("2025-06-18")).status);
    assert_eq!(statuses, [200, 200, 503]);
    // Nor do requests at once get more than the limit.
    let server = stage.serve(HttpOptions {
        max_sessions: 2,
        ..options()
    });
    let address = server.address;
    let begin = move || stage::post(address, &[], &initialize("2025-06-18")).status;
    let begun = [(); 16].map(|()| std::thread::spawn(begin));
    let begun = begun.map(|begun| begun.join().unwrap());
    assert_eq!(
        begun.iter().filter(|status| **status == 200).count(),
        2,
        "{begun:?}"
    );
    assert_eq!(begun.iter().filter(|status| **status == 503).count(), 14);
    // What has no session goes on.
    assert_eq!(server.post(&[], &call("echo", "{}")).status, 200);
}

#[test]
fn a_token_lets_in_and_tells_who_calls() {
    let stage = Stage::new();
    let mut guarded = options();
    guarded.tokens = Tokens::parse(TOKENS).unwrap();
    let server = stage.serve(guarded);
    let body = call("echo", "{}");
    let with = |value: &str| server.post(&[("authorization", value)], &body);
    assert_eq!(with("Bearer 0123456789abcdef").status, 200);
    assert_eq!(with("bearer fedcba9876543210").status, 200);
    for wrong in [
        "Bearer 0123456789abcdee",
        "Bearer ",
        "Bearer",
        "Basic 0123456789abcdef",
        "",
    ] {
        let answer = with(wrong);
        assert_eq!(
            (answer.status, answer.header("www-authenticate")),
            (401, Some("Bearer")),
            "{wrong}"
        );
    }
    let twice = [("authorization", "Bearer 0123456789abcdef"); 2];
    assert_eq!(server.post(&twice, &body).status, 401);
    assert_eq!(server.post(&[], &body).status, 401);
    // A session belongs to whoever began it.
    let anna = ("authorization", "Bearer 0123456789abcdef");
    let ben = ("authorization", "Bearer fedcba9876543210");
    let hello = server.post(&[anna], &initialize("2025-11-25"));
    let session = hello.header("mcp-session-id").unwrap().to_owned();
    let list = r#"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#;
    let list = |who| {
        let headers = [
            who,
            ("mcp-session-id", session.as_str()),
            ("mcp-protocol-version", "2025-11-25"),
        ];
        server.post(&headers, list).status
    };
    assert_eq!((list(ben), list(anna)), (404, 200));
}

/// Found tools are called by any request, and what is kept for one principal is not there for another.
#[test]
fn a_kept_result_is_bound_to_its_principal() {
    let stage = Stage::new();
    let mut guarded = options();
    guarded.tokens = Tokens::parse(TOKENS).unwrap();
    let server = stage.serve_with(guarded, |options| {
        options.search_above = Some(0);
        options.keep = Some(KeptOptions::over(1000));
    });
    let anna = [("authorization", "Bearer 0123456789abcdef")];
    let ben = [("authorization", "Bearer fedcba9876543210")];
    let arguments = format!(
        r#"{{"name":"echo","arguments":{{"x":"{}"}}}}"#,
        "a".repeat(2000)
    );
    let short = server.post(&anna, &call("call_tool", &arguments)).message();
    let text = short["result"]["content"][0]["text"].as_str().unwrap();
    let (_, handle) = text
        .split_once("handle=")
        .unwrap_or_else(|| panic!("{short}"));
    let read = call(
        "kept_result",
        &format!(r#"{{"handle":"{}"}}"#, &handle[..32]),
    );
    let own = server.post(&anna, &read).message();
    assert!(
        own["result"]["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains("aaaa"),
        "{own}"
    );
    let others = server.post(&ben, &read).message();
    assert_eq!(others["result"]["isError"], true, "{others}");
    assert!(!others.to_string().contains("aaaa"));
}

/// What is sealed for one principal is of no use to another.
#[test]
fn a_sealed_state_is_bound_to_its_principal() {
    let stage = Stage::new();
    let mut guarded = options();
    guarded.tokens = Tokens::parse(TOKENS).unwrap();
    let server = stage.serve(guarded);
    let anna = [("authorization", "Bearer 0123456789abcdef")];
    let ben = [("authorization", "Bearer fedcba9876543210")];
    let asked = server.post(&anna, &call("ask", "{}")).message();
    let result = &asked["result"];
    assert_eq!(result["resultType"], "input_required", "{asked}");
    let mut again: Value = serde_json::from_str(&call("ask", "{}")).unwrap();
    again["params"]["requestState"] = result["requestState"].clone();
    let requests = result["inputRequests"].as_object().unwrap();
    let answers = requests.keys().map(|key| {
        (
            key.clone(),
            json!({"action": "accept", "content": {"answer": true}}),
        )
    });
    again["params"]["inputResponses"] = Value::Object(answers.collect());
    let again = again.to_string();
    let refused = server.post(&ben, &again).message();
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    assert_eq!(
        refused["error"]["data"]["code"], "request_state_mismatch",
        "{refused}"
    );
    let done = server.post(&anna, &again).message();
    assert_eq!(done["result"]["resultType"], "complete", "{done}");
}

/// Each answer belongs to its request, whoever else asks.
#[test]
fn calls_at_once_are_not_mixed_up() {
    let stage = Stage::new();
    let server = stage.serve(options());
    let hello = server.post(&[], &initialize("2025-11-25"));
    let session = hello.header("mcp-session-id").unwrap().to_owned();
    let older = [
        ("mcp-session-id", session.as_str()),
        ("mcp-protocol-version", "2025-11-25"),
    ];
    server.post(
        &older,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    );
    let (server, older) = (&server, &older);
    std::thread::scope(|scope| {
        for worker in 0..16 {
            scope.spawn(move || {
                for at in 0..8 {
                    let (number, id) = (1000 * worker + at, 100 * worker + at + 10);
                    let arguments = format!(r#"{{"x":{number}}}"#);
                    let answer = match at % 2 {
                        0 => server.post(&[], &call("echo", &arguments)),
                        _ => server.post(
                            older,
                            &format!(
                                r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"echo","arguments":{arguments}}}}}"#
                            ),
                        ),
                    };
                    let back = format!(r#""structuredContent":{arguments}"#);
                    assert!(answer.body.contains(&back), "{number}: {answer:?}");
                }
            });
        }
    });
}

/// Whoever hangs up does not want the answer, unless the revision is an older one.
#[test]
fn a_closed_stream_ends_the_call_only_without_a_session() {
    let stage = Stage::new();
    let server = stage.serve(options());
    server.hang_up("POST", &[], &call("slow", "{}"), || stage.has("started"));
    stage.until("the tool is stopped", || stage.has("stopped"));
    stage.forget(&["started", "stopped"]);
    let hello = server.post(&[], &initialize("2025-11-25"));
    let session = hello.header("mcp-session-id").unwrap().to_owned();
    let headers = [
        ("mcp-session-id", session.as_str()),
        ("mcp-protocol-version", "2025-11-25"),
    ];
    server.post(
        &headers,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    );
    let request = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"brief","arguments":{}}}"#;
    server.hang_up("POST", &headers, request, || stage.has("started"));
    stage.until("the tool has finished", || stage.has("finished"));
}

/// With the session of an older revision its calls end, and nobody waits for them.
#[test]
fn the_end_of_a_session_ends_its_calls() {
    let stage = Stage::new();
    let server = stage.serve(options());
    let hello = server.post(&[], &initialize("2025-06-18"));
    let session = hello.header("mcp-session-id").unwrap().to_owned();
    let headers = [
        ("mcp-session-id", session.as_str()),
        ("mcp-protocol-version", "2025-06-18"),
    ];
    server.post(
        &headers,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    );
    let request =
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slow","arguments":{}}}"#;
    server.hang_up("POST", &headers, request, || stage.has("started"));
    std::thread::sleep(Duration::from_millis(200));
    assert!(!stage.has("stopped"));
    assert_eq!(server.send("DELETE", "/mcp", &headers, "").status, 202);
    stage.until("the tool is stopped", || stage.has("stopped"));
}

/// Who has lost the stream of a call can have the rest of it.
#[test]
fn a_lost_stream_is_taken_up_again() {
    let stage = Stage::new();
    let server = stage.serve(options());
    let hello = server.post(&[], &initialize("2025-11-25"));
    let session = hello.header("mcp-session-id").unwrap().to_owned();
    let headers = [
        ("mcp-session-id", session.as_str()),
        ("mcp-protocol-version", "2025-11-25"),
    ];
    server.post(
        &headers,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    );
    let request = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"brief","arguments":{}}}"#;
    let first = server.hang_up("POST", &headers, request, || stage.has("started"));
    let event = first
        .lines()
        .find_map(|line| line.strip_prefix("id: "))
        .unwrap();
    let more = [headers[0], headers[1], ("last-event-id", event)];
    let read = server.read_until(&server.request("GET", "/mcp", &more, ""), "finished");
    assert!(read.contains(r#""id":2,"result""#), "{read}");
}

/// The result of a call that has ended meanwhile is kept for a while.
#[test]
fn a_lost_stream_that_has_ended_is_taken_up_again() {
    let stage = Stage::new();
    let server = stage.serve(options());
    let session = server.session("2025-11-25");
    let headers = session
        .each_ref()
        .map(|(name, value)| (*name, value.as_str()));
    let request = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"brief","arguments":{}}}"#;
    let first = server.hang_up("POST", &headers, request, || stage.has("started"));
    stage.until("the tool has finished", || stage.has("finished"));
    std::thread::sleep(Duration::from_millis(500));
    let event = first.lines().find_map(|line| line.strip_prefix("id: "));
    let more = [headers[0], headers[1], ("last-event-id", event.unwrap())];
    let rest = server.send("GET", "/mcp", &more, "");
    assert!(rest.body.contains(r#""id":2,"result""#), "{rest:?}");
    // What was never there is an empty stream, so that nobody asks again and again.
    let unknown = [headers[0], headers[1], ("last-event-id", "99-1")];
    let rest = server.send("GET", "/mcp", &unknown, "");
    assert_eq!((rest.status, &*rest.body), (200, ""));
}

#[test]
fn what_is_no_message_is_refused() {
    let stage = Stage::new();
    let server = stage.serve(options());
    for (body, code) in [
        ("nope", -32700),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"n\":NaN}}",
            -32700,
        ),
        ("[]", -32600),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
            -32600,
        ),
        ("{\"id\":1,\"method\":\"ping\"}", -32600),
    ] {
        let answer = server.post(&[], body);
        let error = answer.message()["error"]["code"].clone();
        assert_eq!(
            (answer.status, error),
            (400, json!(code)),
            "{body}: {answer:?}"
        );
    }
}

/// A call may finish, but not for ever.
#[test]
fn the_end_leaves_calls_their_time() {
    let stage = Stage::new();
    let mut server = stage.serve(options());
    let address = server.address;
    let waiting = std::thread::spawn(move || stage::post(address, &[], &call("brief", "{}")));
    stage.until("the tool runs", || stage.has("started"));
    server.stop();
    let answer = waiting.join().unwrap();
    assert!(
        answer.status == 200 && answer.body.contains("finished"),
        "{answer:?}"
    );
    assert!(std::net::TcpStream::connect(address).is_err());
    let mut hurried = options();
    hurried.grace = Duration::from_millis(200);
    let mut server = stage.serve(hurried);
    stage.forget(&["started", "stopped"]);
    let address = server.address;
    let waiting = std::thread::spawn(move || stage::try_post(address, &[], &call("slow", "{}")));
    stage.until("the tool runs", || stage.has("started"));
    let start = Instant::now();
    server.stop();
    assert!(
        start.elapsed() < Duration::from_secs(40),
        "{:?}",
        start.elapsed()
    );
    stage.until("the tool is stopped", || stage.has("stopped"));
    let _ = waiting.join();
}

#[test]
fn only_one_path_and_the_methods_of_the_transport_are_served() {
    let stage = Stage::new();
    let server = stage.serve(options());
    assert_eq!(
        server.send("POST", "/", &[], &call("echo", "{}")).status,
        404
    );
    assert_eq!(server.send("PUT", "/mcp", &[], "{}").status, 405);
    let version = [("mcp-protocol-version", "2026-07-28")];
    assert_eq!(server.send("GET", "/mcp", &version, "").status, 405);
}

/// What 2026-07-28 has removed is no method there, whatever its parameters.
#[test]
fn removed_methods_are_unknown_in_the_newest_revision() {
    let stage = Stage::new();
    let server = stage.serve(options());
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let info = json!({ "name": "test", "version": "1" });
    let whole = json!({ "protocolVersion": "2026-07-28", "capabilities": {}, "clientInfo": info });
    for (method, params) in [
        ("initialize", json!({})),
        ("initialize", whole),
        ("logging/setLevel", json!({})),
        ("logging/setLevel", json!({ "level": "info" })),
        ("ping", json!({})),
    ] {
        let mut params = params;
        params["_meta"] = meta.clone();
        let body = json!({ "jsonrpc": "2.0", "id": "a", "method": method, "params": params });
        let headers = [
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", method),
        ];
        let answer = server.post(&headers, &body.to_string());
        let message = answer.message();
        assert_eq!(
            (answer.status, &message["error"]["code"], &message["id"]),
            (404, &json!(-32601), &json!("a")),
            "{method}: {answer:?}"
        );
    }
}

#[test]
fn others_are_not_let_in_without_a_token_by_mistake() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let open = |change: fn(&mut HttpOptions)| {
            let mut options = HttpOptions::new("0.0.0.0:0".parse().unwrap());
            change(&mut options);
            HttpServer::bind(options)
        };
        let error = open(|_| {}).await.unwrap_err().to_string();
        for word in ["without a token", "`--tokens FILE`", "`--no-token`"] {
            assert!(error.contains(word), "{error}");
        }
        assert!(open(|options| options.no_token = true).await.is_ok());
        assert!(
            open(|options| options.tokens = Tokens::parse(TOKENS).unwrap())
                .await
                .is_ok()
        );
    });
}
