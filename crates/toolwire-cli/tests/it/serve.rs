//! `toolwire serve` as a process, as an MCP client starts it.

use std::fs;
use std::process::Command;

use crate::common::mcp::{Server, wait_for};
use crate::common::{self, Dir, RENAME, SEARCH, command};
use serde_json::json;

fn alive(pid: &str) -> bool {
    let asked = Command::new("ps").args(["-o", "stat=", "-p", pid]).output();
    let state = asked.unwrap().stdout;
    !state.trim_ascii().is_empty() && !state.trim_ascii().starts_with(b"Z")
}

/// A tool that writes down the process of its child, and waits for it.
fn waiting(dir: &Dir) {
    let tool = r#"{"name":"wait","inputSchema":{"type":"object"}}"#;
    dir.tool("wait.sh", tool, "sleep 60 & echo $! > pid; wait");
}

fn pid(dir: &Dir) -> String {
    let file = dir.path().join("pid");
    wait_for("the tool", || {
        fs::read_to_string(&file).is_ok_and(|pid| pid.ends_with('\n'))
    });
    fs::read_to_string(file).unwrap().trim().to_owned()
}

#[test]
fn a_program_is_served_in_the_root_with_its_environment() {
    let dir = Dir::new();
    let tool = r#"{"name":"where","inputSchema":{"type":"object"}}"#;
    let tells = r#"printf '{"content":[{"type":"text","text":"%s %s %s"}],"structuredContent":%s}' "$PWD" "$MORE" "${LESS-none}" "$call"; exit"#;
    dir.tool("where.sh", tool, tells);
    fs::create_dir(dir.path().join("sub")).unwrap();
    let args = [
        "--root",
        "sub",
        "--env",
        "MORE=more",
        "--inherit",
        "standard",
        "../where.sh",
    ];
    let path = fs::canonicalize(dir.path()).unwrap().join("sub");
    let absolute = fs::canonicalize(dir.path().join("where.sh")).unwrap();
    let mut args = args.map(str::to_owned);
    args[6] = absolute.to_str().unwrap().to_owned();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut with = command(&[&["serve"], &args[..]].concat());
    with.env("LESS", "less");
    let mut server = Server::of(with, dir.path());
    let answer = server.call("where", json!({ "a": 1 }));
    let result = &answer["result"];
    let path = path.to_str().unwrap();
    assert_eq!(
        result["content"][0]["text"],
        format!("{path} more none"),
        "{answer}"
    );
    let context = &result["structuredContent"]["context"];
    assert!(
        context["root"].as_str().unwrap().ends_with("/sub"),
        "{context}"
    );
    assert_eq!(
        result["structuredContent"]["tool"]["arguments"],
        json!({ "a": 1 })
    );
    assert_eq!(server.end(), (Some(0), String::new()));
}

#[test]
fn a_manifest_is_served_and_what_is_chosen_of_it() {
    let dir = Dir::new();
    dir.tool("files.sh", &format!("{RENAME},{SEARCH}"), "");
    dir.file(
        "toolwire.toml",
        "[tools.rename]\ncommand = './files.sh'\ntool = 'rename'\noptions.deep = true\n\
         [tools.find]\ncommand = './files.sh'\ntool = 'search'\n\
         [tools.day]\ncommand = 'date'\nplain = true\n",
    );
    assert_eq!(Server::start(&dir, &[]).names(), ["day", "find", "rename"]);
    assert_eq!(
        Server::start(&dir, &["find", "day"]).names(),
        ["day", "find"]
    );
    assert_eq!(
        Server::start(&dir, &["--except", "day,find"]).names(),
        ["rename"]
    );
    let mut server = Server::start(
        &dir,
        &["--only", "rename", "./files.sh", "--prefix", "rename"],
    );
    assert_eq!(server.names(), ["rename"]);
    let answer = server.call("rename", json!({ "path": "a" }));
    let call = &answer["result"]["structuredContent"];
    assert_eq!(call["tool"]["options"], json!({ "deep": true }), "{answer}");
    let folder = fs::canonicalize(dir.path()).unwrap();
    let root = fs::canonicalize(call["context"]["root"].as_str().unwrap()).unwrap();
    assert_eq!(root, folder);
}

#[test]
fn many_tools_and_long_results_are_made_smaller() {
    let dir = Dir::new();
    dir.tool(
        "files.sh",
        &format!("{RENAME},{SEARCH}"),
        "head -c 300000 /dev/zero | tr '\\0' x; exit",
    );
    let mut server = Server::start(
        &dir,
        &[
            "--search-above",
            "1",
            "--keep-results",
            "2kB",
            "--schemas",
            "plain",
            "./files.sh",
        ],
    );
    assert_eq!(server.names(), ["call_tool", "kept_result", "search_tools"]);
    let found = server.call("search_tools", json!({ "query": "rename" }));
    assert!(found.to_string().contains("inputSchema"), "{found}");
    let call = json!({ "name": "rename", "arguments": { "path": "a" } });
    let answer = server.call("call_tool", call);
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert!(
        text.len() < 3000 && text.contains("300000 bytes"),
        "{answer}"
    );
    let (_, handle) = text.split_once("handle=").unwrap();
    let read = json!({ "handle": &handle[..32], "from_byte": 299_990 });
    let read = server.call("kept_result", read);
    let text = read["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.ends_with("]\nxxxxxxxxxx"), "{read}");
    assert_eq!(server.end().0, Some(0));
    assert_eq!(
        Server::start(&dir, &["--only", "re*", "./files.sh"]).names(),
        ["rename"]
    );
}

#[test]
fn a_script_behind_its_interpreter_is_served_if_it_is_marked() {
    let dir = Dir::new();
    dir.tool("files.sh", &format!("{RENAME},{SEARCH}"), "");
    let mut server = Server::start(&dir, &["--", "sh", "-u", "files.sh"]);
    assert_eq!(server.names(), ["rename", "search"]);
    let answer = server.call("rename", json!({ "path": "a" }));
    assert_eq!(
        answer["result"]["structuredContent"]["tool"]["arguments"],
        json!({ "path": "a" }),
        "{answer}"
    );
    assert_eq!(server.end(), (Some(0), String::new()));
    // Only the first file counts, and a program that is marked nowhere is a server or of no use.
    dir.program("stranger.sh", "echo hello");
    for (args, reason) in [
        (
            &["--", "sh", "stranger.sh", "files.sh"][..],
            "if it is a tool, add the line `# toolwire-tool: 1` to its script",
        ),
        (
            &["--", "sh", "-c", "true"],
            "ended before it was ready for calls",
        ),
    ] {
        let (code, stderr) = Server::start(&dir, args).ended();
        assert_eq!(code, Some(1), "{stderr}");
        assert!(stderr.contains(reason), "{stderr}");
    }
}

/// From whoever calls, over a server, to the tool.
#[test]
fn trace_context_is_passed_on() {
    let dir = Dir::new();
    let tool = r#"{"name":"where","inputSchema":{"type":"object"}}"#;
    dir.tool(
        "where.sh",
        tool,
        r#"echo "$TRACEPARENT $TRACESTATE $BAGGAGE"; exit"#,
    );
    let program = common::toolwire();
    let server = [
        "--",
        "env",
        "-u",
        "TRACEPARENT",
        "-u",
        "TRACESTATE",
        "-u",
        "BAGGAGE",
    ];
    let serve = [program.to_str().unwrap(), "serve", "./where.sh"];
    let mut call = command(&[&["run", "where"], &server[..], &serve].concat());
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    call.current_dir(dir.path()).env("TRACEPARENT", parent);
    call.env("TRACESTATE", "a=1").env("BAGGAGE", "user=2");
    let ran = common::run_command(call, b"");
    assert_eq!(ran.stdout, format!("{parent} a=1 user=2\n"), "{ran:?}");
}

#[test]
fn what_can_not_be_served_ends_with_a_status_and_a_reason() {
    let dir = Dir::new();
    dir.tool("a.sh", RENAME, "");
    dir.tool("b.sh", RENAME, "");
    dir.program("stranger.sh", "echo hello");
    dir.file("bad.toml", "tools = 7");
    dir.file("keys", "hunter2");
    for (args, code, reason) in [
        (&["./a.sh", "./b.sh"][..], 1, "use `--prefix`"),
        (
            &["./stranger.sh"],
            2,
            "if it is an MCP server, write `toolwire serve -- ./stranger.sh`",
        ),
        (&["./a.sh", "--only", "renam"], 1, "did you mean `rename`"),
        (&[], 5, "there is no `toolwire.toml`"),
        (&["--manifest", "bad.toml"], 2, "bad.toml:1"),
        (&["a.sh"], 2, "run `toolwire serve ./a.sh`"),
        (
            &["./a.sh", "--state-keys", "keys"],
            5,
            "keys: key 1 is not 32 bytes",
        ),
        (&["./a.sh", "--state-keys", "missing"], 5, "missing"),
        (&["./a.sh", "--root", "missing"], 5, "missing` is no folder"),
        (&["./a.sh", "--jobs", "0"], 2, "give a whole number from 1"),
        (&["./a.sh", "--page-size", "1001"], 2, "from 1 to 1000"),
    ] {
        // Stdin stays open: it ends for this reason.
        let (ended, stderr) = Server::start(&dir, args).ended();
        assert_eq!(ended, Some(code), "{args:?}: {stderr}");
        assert!(stderr.contains(reason), "{args:?}: {stderr}");
        assert!(!stderr.contains("hunter2"));
    }
}

#[test]
fn a_signal_ends_everything() {
    for (signal, code) in [("-TERM", 143), ("-INT", 130), ("-HUP", 129)] {
        let dir = Dir::new();
        waiting(&dir);
        let mut server = Server::start(&dir, &["./wait.sh"]);
        server.begin("tools/call", json!({ "name": "wait" }));
        let tool = pid(&dir);
        server.signal(signal);
        assert_eq!(server.ended(), (Some(code), String::new()), "{signal}");
        assert!(!alive(&tool), "{signal}");

        let mut server = Server::start(&dir, &["./wait.sh"]);
        assert_eq!(server.names(), ["wait"]);
        server.signal(signal);
        assert_eq!(server.ended(), (Some(code), String::new()), "{signal}");
    }
}

#[test]
fn the_end_of_stdin_ends_everything() {
    let dir = Dir::new();
    waiting(&dir);
    let mut server = Server::start(&dir, &["./wait.sh"]);
    server.begin("tools/call", json!({ "name": "wait" }));
    let tool = pid(&dir);
    drop(server.stdin.take());
    let mut status = None;
    wait_for("the end", || {
        status = server.child.try_wait().unwrap();
        status.is_some()
    });
    assert_eq!(status.unwrap().code(), Some(0));
    assert!(!alive(&tool));
}

#[test]
fn servers_with_the_same_keys_take_each_others_states() {
    let dir = Dir::new();
    let asks = r#"{"content":[{"type":"question","question":{"id":"ok","text":"Go on?","schema":{"type":"boolean"}}}]}"#;
    let tool = r#"{"name":"ask","inputSchema":{"type":"object"}}"#;
    let before = format!(
        r#"[ -z "$TOOLWIRE_STATE_KEYS" ] || exit 9; case $call in *'"ok":true'*);; *) echo '{asks}'; exit;; esac"#
    );
    dir.tool("ask.sh", tool, &before);
    let keys = format!("{} # old\n", "01".repeat(32));
    dir.file("keys", format!("{} # new\n{keys}", "02".repeat(32)));
    let mut first = command(&["serve", "./ask.sh"]);
    first.env("TOOLWIRE_STATE_KEYS", "01".repeat(32));
    let mut first = Server::of(first, dir.path());
    let asked = first.call("ask", json!({}));
    let state = &asked["result"]["requestState"];
    assert!(state.is_string(), "{asked}");

    let responses = json!({ "ok": { "action": "accept", "content": { "answer": true } } });
    let again = json!({ "name": "ask", "requestState": state, "inputResponses": responses });
    let mut second = Server::start(&dir, &["--state-keys", "keys", "./ask.sh"]);
    let answer = second.request("tools/call", again.clone());
    assert_eq!(
        answer["result"]["structuredContent"]["tool"]["answers"],
        json!({ "ok": true }),
        "{answer}"
    );

    // Without keys, each process has its own.
    let mut third = Server::start(&dir, &["./ask.sh"]);
    let answer = third.request("tools/call", again);
    assert_eq!(answer["error"]["data"]["code"], "bad_request_state");
}

#[test]
fn questions_are_answered_beforehand() {
    let dir = Dir::new();
    let question = r#"{"id":"ok","text":"Go on?","schema":{"type":"boolean"}}"#;
    let asks = format!(r#"{{"content":[{{"type":"question","question":{question}}}]}}"#);
    let tool = r#"{"name":"ask","inputSchema":{"type":"object"}}"#;
    let before = format!(r#"case $call in *'"ok":{{"s'*);; *) echo '{asks}'; exit;; esac"#);
    dir.tool("ask.sh", tool, &before);
    for (args, state) in [
        (&["--answer", "ok=true"][..], "accepted"),
        (&["--non-interactive", "decline"], "declined"),
        (&["--non-interactive", "fail"], "unavailable"),
        // What does not fit is not used.
        (
            &["--answer", "ok=7", "--non-interactive", "decline"],
            "declined",
        ),
    ] {
        let mut server = Server::start(&dir, &[&["./ask.sh"], args].concat());
        let answer = server.call("ask", json!({}));
        let answers = &answer["result"]["_meta"]["dev.toolwire/answers"];
        assert_eq!(answers["ok"]["state"], state, "{args:?}: {answer}");
    }
}
