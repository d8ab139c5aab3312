//! MCP servers whose tools `toolwire serve` serves.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Command;

use crate::common::mcp::{Server, wait_for};
use crate::common::{self, Dir, Run, command_at_home, run_command};
use serde_json::{Value, json};

const SERVER: &str = include_str!("../servers/gateway.py");

/// A home folder with a server and a tool.
fn stage() -> Dir {
    let dir = Dir::new();
    let path = dir.file("server.py", SERVER);
    common::set_mode(path.as_ref(), 0o755);
    dir.tool("tool.sh", common::RENAME, "");
    dir
}

fn with_home(dir: &Dir, args: &[&str]) -> Command {
    command_at_home(dir.path(), dir.path(), args)
}

fn toolwire(dir: &Dir, args: &[&str]) -> Run {
    run_command(with_home(dir, args), b"")
}

fn serve(dir: &Dir, args: &[&str]) -> Server {
    let all = [&["serve", "--poll", "10ms"], args].concat();
    Server::of(with_home(dir, &all), dir.path())
}

/// The same server as a command, of a revision.
fn of(revision: &str) -> [&str; 3] {
    ["--", "./server.py", revision]
}

/// Makes it a client of 2025-11-25.
fn shake_hands(server: &mut Server) {
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} },
        "clientInfo": { "name": "old", "version": "1" } });
    let sent = json!({ "jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": params });
    server.send(&sent);
    hear(server, |message| message["id"] == "hello");
    server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
}

/// Sends a call of an older revision.
fn call_old(server: &mut Server, tool: &str, more: Value) {
    let mut params = json!({ "name": tool, "arguments": {} });
    for (name, value) in more.as_object().unwrap() {
        params[name] = value.clone();
    }
    server.send(&json!({ "jsonrpc": "2.0", "id": tool, "method": "tools/call", "params": params }));
}

/// The first message that is so.
fn hear(server: &mut Server, is: impl Fn(&Value) -> bool) -> Value {
    loop {
        let line = server.lines.next().expect("the server has ended").unwrap();
        let message: Value = serde_json::from_str(&line).unwrap();
        if is(&message) {
            return message;
        }
    }
}

fn text(answer: &Value) -> String {
    let content = answer["result"]["content"].as_array();
    let content = content.unwrap_or_else(|| panic!("{answer}"));
    content[0]["text"].as_str().unwrap().to_owned()
}

fn lines(dir: &Dir, name: &str) -> Vec<String> {
    let read = fs::read_to_string(dir.path().join(name)).unwrap_or_default();
    read.lines().map(str::to_owned).collect()
}

/// Whether one of the processes of the server is there.
fn any_alive(dir: &Dir) -> bool {
    let alive = |pid: &String| {
        let asked = Command::new("ps").args(["-o", "stat=", "-p", pid]).output();
        let state = asked.unwrap().stdout;
        !state.trim_ascii().is_empty() && !state.trim_ascii().starts_with(b"Z")
    };
    lines(dir, "starts").iter().any(alive)
}

#[test]
fn tools_of_a_server_stand_beside_those_of_a_program() {
    for revision in ["2025-11-25", "2026-07-28"] {
        let dir = stage();
        let mut server = serve(&dir, &[&["./tool.sh"], &of(revision)[..]].concat());
        let listed = server.request("tools/list", json!({}));
        let tools = listed["result"]["tools"].as_array().unwrap();
        assert_eq!(tools.len(), 9, "{listed}");
        let whole = tools.iter().find(|tool| tool["name"] == "whole").unwrap();
        let own = json!({
            "name": "whole",
            "title": "The whole",
            "description": "Answers with everything.",
            "inputSchema": { "type": "object",
                "properties": { "n": { "type": "number", "exclusiveMinimum": 0 } } },
            "outputSchema": { "type": "object", "properties": { "id": { "type": "integer" } } },
            "annotations": { "readOnlyHint": true, "title": "Other title" },
            "_meta": { "example.org/of": "tool" },
        });
        assert_eq!(*whole, own);

        // Digits stay, both ways; what the server says of its arguments is its own.
        let id = server.begin(
            "tools/call",
            json!({ "name": "whole", "arguments": { "n": -1 } }),
        );
        let line = loop {
            let line = server.lines.next().unwrap().unwrap();
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == id {
                break line;
            }
        };
        assert!(line.contains("1234567890123456789"), "{line}");
        let answer: Value = serde_json::from_str(&line).unwrap();
        let start = SERVER.find("RESULT = (").unwrap();
        let end = start + SERVER[start..].find("\n)").unwrap();
        let written: String = SERVER[start..end].split('\'').skip(1).step_by(2).collect();
        let mut written: Value = serde_json::from_str(&written).unwrap();
        written["resultType"] = "complete".into();
        assert_eq!(answer["result"], written);
        assert_eq!(lines(&dir, "arguments"), [r#"{"n": -1}"#]);

        // Nor is a result held against the output schema.
        let unlike = server.call("unlike", json!({}));
        assert_eq!(unlike["result"]["structuredContent"], json!({ "here": 1 }));
        assert!(unlike["result"]["isError"].is_null(), "{unlike}");
        let failed = server.call("fail", json!({}));
        assert_eq!(failed["result"]["isError"], true, "{failed}");
        assert!(text(&failed).contains("there is no such thing"), "{failed}");
        let rpc = &failed["result"]["_meta"]["dev.toolwire/rpc-error"];
        assert_eq!(rpc["data"], json!({ "a": 1 }), "{failed}");
        let renamed = server.call("rename", json!({ "path": "a" }));
        assert!(renamed["result"]["isError"].is_null(), "{renamed}");
        assert_eq!(lines(&dir, "starts").len(), 1);
        assert_eq!(server.end(), (Some(0), String::new()), "{revision}");
        assert!(!any_alive(&dir));
    }
}

/// Which tools and names there are, and what is refused.
#[test]
fn a_source_is_served_as_it_is_named() {
    let dir = stage();
    let path = dir.path().join("server.py");
    let path = path.to_str().unwrap();
    let uri = format!("mcp+exec://{path}?command=2025-11-25");
    let manifest = format!("[servers.mine]\ncommand = ['{path}', '2025-11-25']\n");
    dir.file("toolwire.toml", manifest);
    let entry = json!({ "command": path, "args": ["2025-11-25"] });
    let entries = json!({ "mcpServers": { "theirs": entry } });
    dir.file("servers.json", entries.to_string());
    let one = format!("{uri}&tool=whole");
    let few = ["--only", "whole,fail"];
    let prefixed = ["--prefix", "--only", "mine_whole"];
    for (args, names) in [
        (&[&one, "--yes"][..], &["whole"][..]),
        (&["mine", few[0], few[1]], &["fail", "whole"]),
        (
            &["manifest:mine", prefixed[0], prefixed[1], prefixed[2]],
            &["mine_whole"],
        ),
        (
            &[
                "theirs",
                "--config",
                "servers.json",
                "--yes",
                few[0],
                few[1],
            ],
            &["fail", "whole"],
        ),
        (
            &[
                "./tool.sh",
                "mine",
                "--except",
                "ask,change,die,environment,fail,slow,unlike",
            ],
            &["rename", "whole"],
        ),
    ] {
        let mut server = serve(&dir, args);
        assert_eq!(server.names(), names, "{args:?}");
        assert_eq!(server.end(), (Some(0), String::new()), "{args:?}");
    }
    let mut server = serve(&dir, &[&prefixed[..], &["mine"]].concat());
    let answer = server.call("mine_whole", json!({}));
    assert_eq!(
        answer["result"]["structuredContent"]["half"], 0.5,
        "{answer}"
    );
    server.end();
    assert!(!any_alive(&dir));

    fs::remove_file(dir.path().join("starts")).unwrap();
    let listing = format!("{uri}&list=tools");
    let arguments = format!("{one}&n=1");
    let missing = format!("{uri}&tool=hole");
    dir.program("stranger.sh", "echo hello");
    for (args, code, parts) in [
        (
            &[uri.as_str()][..],
            2,
            &["was never agreed to here", path, "`--yes`"][..],
        ),
        (
            &["theirs", "--config", "servers.json"],
            2,
            &["was never agreed to here", path],
        ),
        (&[&listing, "--yes"], 2, &["asks for a list or a resource"]),
        (&[&arguments, "--yes"], 2, &["gives arguments to a tool"]),
        (
            &["mine", "--ignore-schema"],
            2,
            &["`--ignore-schema` is for profiles"],
        ),
        (&["nobody"], 2, &["nobody"]),
        (
            &["--", "./stranger.sh"],
            1,
            &[
                "can't be used",
                "if it is a tool, add the line `# toolwire-tool: 1`",
            ],
        ),
    ] {
        let (ended, stderr) = serve(&dir, args).ended();
        assert_eq!(ended, Some(code), "{args:?}: {stderr}");
        for part in parts {
            assert!(stderr.contains(part), "{args:?}: {part}: {stderr}");
        }
    }
    assert!(lines(&dir, "starts").is_empty(), "nothing was started");
    for (args, part) in [
        (&[missing.as_str(), "--yes"][..], "did you mean `whole`"),
        (&["mine", "--", path, "2025-11-25"], "use `--prefix`"),
    ] {
        let (ended, stderr) = serve(&dir, args).ended();
        assert_eq!(ended, Some(1), "{args:?}: {stderr}");
        assert!(stderr.contains(part), "{args:?}: {stderr}");
    }
    // Once somebody has agreed, it needs no option.
    let agreed = toolwire(&dir, &["trust", "--server", &uri]);
    assert_eq!(agreed.code, 0, "{agreed:?}");
    let mut server = serve(&dir, &[&one]);
    assert_eq!(server.names(), ["whole"]);
    server.end();
}

/// Questions, for a client of 2025-11-25.
#[test]
fn what_a_server_says_and_asks_reaches_an_older_client() {
    for revision in ["2025-11-25", "2026-07-28"] {
        let dir = stage();
        let mut server = serve(&dir, &of(revision));
        shake_hands(&mut server);
        call_old(&mut server, "ask", json!({}));
        let asked = hear(&mut server, |message| {
            message["method"] == "elicitation/create"
        });
        assert!(
            asked["params"]["message"]
                .to_string()
                .contains("Who are you?"),
            "{asked}"
        );
        let answer = json!({ "action": "accept", "content": { "name": "Ada" } });
        server.send(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": answer }));
        let answered = hear(&mut server, |message| message["id"] == "ask");
        assert_eq!(
            serde_json::from_str::<Value>(&text(&answered)).unwrap(),
            answer
        );

        let level = json!({ "level": "info" });
        server.send(
            &json!({ "jsonrpc": "2.0", "id": "l", "method": "logging/setLevel", "params": level }),
        );
        call_old(
            &mut server,
            "slow",
            json!({ "_meta": { "progressToken": "p" } }),
        );
        let told = hear(&mut server, |message| {
            message["method"] == "notifications/progress"
        });
        assert_eq!(told["params"]["progressToken"], "p");
        assert_eq!(told["params"]["total"].as_f64(), Some(2.0), "{told}");
        let said = hear(&mut server, |message| {
            message["method"] == "notifications/message" && message["params"]["level"] == "warning"
        });
        assert_eq!(said["params"]["logger"], "slow", "{said}");
        assert_eq!(said["params"]["data"], "slowly", "{said}");
        let cancel = json!({ "requestId": "slow" });
        server.send(
            &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel }),
        );
        wait_for("the end of the call", || {
            !lines(&dir, "cancelled").is_empty()
        });
        assert_eq!(server.end().0, Some(0));
        assert!(!any_alive(&dir));
    }
}

/// Questions, for a client of 2026-07-28.
#[test]
fn a_call_that_asks_goes_on_where_its_server_can() {
    let dir = stage();
    let params = json!({ "name": "ask", "arguments": {} });
    let mut server = serve(&dir, &of("2026-07-28"));
    let asked = server.request("tools/call", params.clone());
    let result = &asked["result"];
    assert_eq!(result["resultType"], "input_required", "{asked}");
    assert!(
        !result.to_string().contains("state of the server"),
        "it is sealed: {asked}"
    );
    assert!(result["inputRequests"]["who"].is_object(), "{asked}");
    let mut again = params.clone();
    again["requestState"] = result["requestState"].clone();
    // One that does not fit is asked again, with what the server gave still there.
    again["inputResponses"] = json!({ "who": { "action": "accept", "content": { "name": 7 } } });
    let asked = server.request("tools/call", again.clone());
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    again["requestState"] = asked["result"]["requestState"].clone();
    let answer = json!({ "action": "accept", "content": { "name": "Ada" } });
    again["inputResponses"] = json!({ "who": answer });
    let done = server.request("tools/call", again);
    assert_eq!(serde_json::from_str::<Value>(&text(&done)).unwrap(), answer);
    assert_eq!(lines(&dir, "state"), ["state of the server"]);
    // Answers that come at once are taken too.
    let mut at_once = params.clone();
    at_once["inputResponses"] = json!({ "who": answer });
    let done = server.request("tools/call", at_once);
    assert_eq!(serde_json::from_str::<Value>(&text(&done)).unwrap(), answer);
    server.end();

    let dir = stage();
    let mut server = serve(&dir, &of("2025-11-25"));
    let refused = server.request("tools/call", params);
    assert_eq!(refused["result"]["isError"], true, "{refused}");
    assert!(
        text(&refused).contains("waits for an answer on its connection"),
        "{refused}"
    );
    // The server is there for others.
    wait_for("the next call", || {
        server.call("whole", json!({}))["result"]["structuredContent"].is_object()
    });
    server.end();
}

#[test]
fn a_change_of_the_list_is_passed_on() {
    let dir = stage();
    let mut server = serve(&dir, &of("2025-11-25"));
    shake_hands(&mut server);
    let tools = json!([{ "name": "other", "inputSchema": { "type": "object" } }]).to_string();
    call_old(
        &mut server,
        "change",
        json!({ "arguments": { "tools": tools } }),
    );
    hear(&mut server, |message| {
        message["method"] == "notifications/tools/list_changed"
    });
    server.send(&json!({ "jsonrpc": "2.0", "id": "t", "method": "tools/list" }));
    let listed = hear(&mut server, |message| message["id"] == "t");
    assert_eq!(listed["result"]["tools"][0]["name"], "other", "{listed}");
    assert_eq!(server.end(), (Some(0), String::new()));
}

/// A server that ends.
#[test]
fn a_server_that_has_ended_is_started_again() {
    let dir = stage();
    let mut server = serve(&dir, &of("2025-11-25"));
    assert!(server.call("whole", json!({}))["result"]["isError"].is_null());
    let lost = server.call("die", json!({}));
    assert_eq!(lost["result"]["isError"], true, "{lost}");
    assert!(text(&lost).contains("the server `server` ended"), "{lost}");
    let error = &lost["result"]["_meta"]["computer.jp/error"];
    assert_eq!(error["transient"], true, "{lost}");
    // At once, and then not at once.
    let again = server.call("whole", json!({}));
    assert!(again["result"]["isError"].is_null(), "{again}");
    assert_eq!(lines(&dir, "starts").len(), 2);
    server.call("die", json!({}));
    let mut told = false;
    wait_for("the next start", || {
        let answer = server.call("whole", json!({}));
        let failed = answer["result"]["isError"] == true;
        told |= failed && text(&answer).contains("is not started again within");
        !failed
    });
    // A slow machine may need longer than the pause.
    let starts = lines(&dir, "starts").len();
    assert!(told || starts == 3, "{starts}");
    assert_eq!(server.end().0, Some(0));
    assert!(!any_alive(&dir));
}

/// Nothing of it is left, whatever it does.
#[test]
fn a_signal_ends_the_servers_too() {
    for (signal, code) in [("-TERM", 143), ("-INT", 130)] {
        let dir = stage();
        let mut server = serve(&dir, &of("2025-11-25"));
        server.begin("tools/call", json!({ "name": "slow", "arguments": {} }));
        wait_for("the call", || !lines(&dir, "slow").is_empty());
        server.signal(signal);
        let (ended, stderr) = server.ended();
        assert_eq!(ended, Some(code), "{stderr}");
        wait_for("the server's end", || !any_alive(&dir));
    }
}

/// Over HTTP, a connection for each principal.
#[test]
fn each_principal_has_a_connection() {
    let dir = stage();
    let token = |name: &str| format!("a-token-of-{name}-for-tests");
    let tokens = format!("ada:{}\nbob:{}", token("ada"), token("bob"));
    let mut with = with_home(
        &dir,
        &[
            "serve",
            "--http",
            "127.0.0.1:0",
            "--",
            "./server.py",
            "2025-11-25",
        ],
    );
    with.env("TOOLWIRE_HTTP_TOKENS", tokens);
    let mut server = Server::of(with, dir.path());
    let mut told = String::new();
    let stderr = server.child.stderr.take().unwrap();
    let mut stderr = BufReader::new(stderr);
    stderr.read_line(&mut told).unwrap();
    let url = told.trim().rsplit(' ').next().unwrap().to_owned();
    for (name, starts) in [("ada", 2), ("bob", 3), ("ada", 3)] {
        let call = [
            "run",
            "--header-env",
            "Authorization=TOKEN",
            "--json",
            &url,
            "whole",
        ];
        let mut call = with_home(&dir, &call);
        call.env("TOKEN", token(name));
        let ran = run_command(call, b"");
        assert_eq!(
            ran.json()["structuredContent"]["half"],
            0.5,
            "{told}: {ran:?}"
        );
        assert_eq!(lines(&dir, "starts").len(), starts, "{name}");
    }
    server.signal("-TERM");
    wait_for("the end", || server.child.try_wait().unwrap().is_some());
    wait_for("the servers' end", || !any_alive(&dir));
}

/// What reaches its program.
#[test]
fn a_server_gets_its_environment_and_the_trace_of_a_call() {
    let dir = stage();
    let path = dir.path().join("server.py");
    let uri = format!("mcp+exec://{}?command=2025-11-25", path.display());
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    for (args, seen) in [
        (&["--", "./server.py", "2025-11-25"][..], "secret none none"),
        (&[uri.as_str(), "--yes"], "none none none"),
        (&[&uri, "--yes", "--env", "MORE=more"], "none more none"),
        (
            &[&uri, "--yes", "--inherit", "standard,MINE"],
            "secret none none",
        ),
    ] {
        let mut command = with_home(&dir, &[&["serve"], args].concat());
        command.env("MINE", "secret");
        command.env("TOOLWIRE_STATE_KEYS", "00".repeat(32));
        let mut server = Server::of(command, dir.path());
        let names = json!({ "names": ["MINE", "MORE", "TOOLWIRE_STATE_KEYS"] });
        let params = json!({ "name": "environment", "arguments": names,
            "_meta": { "traceparent": parent } });
        let answer = server.request("tools/call", params);
        assert_eq!(text(&answer), format!("{seen} {parent}"), "{args:?}");
        server.end();
    }
}

/// What a launcher starts is not looked for in the folder that an entry for a client names.
#[test]
fn a_server_runs_where_its_source_says() {
    let dir = stage();
    let here = fs::canonicalize(dir.path()).unwrap();
    fs::create_dir(dir.path().join("bin")).unwrap();
    fs::create_dir(dir.path().join("sub")).unwrap();
    let script = here.join("server.py");
    let script = script.to_str().unwrap();
    dir.program("bin/npx", &format!("exec '{script}' 2025-11-25"));
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", here.join("bin").display());
    let exec = format!("mcp+exec://{script}?command=2025-11-25");
    let typed = ["--root", "sub", "--", script, "2025-11-25"];
    let sub = here.join("sub").to_str().unwrap().to_owned();
    let own = here.to_str().unwrap();
    for (args, folder) in [
        (&["mcp+npx://files", "--yes", "--cwd", "sub"][..], None),
        (&[&exec, "--yes", "--cwd", "sub"], Some(sub.as_str())),
        (&[&exec, "--yes", "--root", "sub"], Some(own)),
        (&typed, Some(&sub)),
    ] {
        let mut command = with_home(&dir, &[&["serve"], args].concat());
        command.env("PATH", &path);
        let mut server = Server::of(command, dir.path());
        let answer = server.call("environment", json!({ "names": ["."] }));
        let said = text(&answer);
        let seen = said.strip_suffix(" none").unwrap();
        match folder {
            Some(folder) => assert_eq!(seen, folder, "{args:?}"),
            None => {
                assert!(seen.contains("/.cache/toolwire/"), "{seen}");
                server.end();
                assert!(!Path::new(seen).exists(), "it is removed");
            }
        }
    }
}

fn find(description: &str) -> Value {
    json!([{ "name": "find", "description": description, "inputSchema": { "type": "object" } },
        { "name": "change", "inputSchema": { "type": "object" } }])
}

fn tools_file(dir: &Dir, tools: &Value) {
    fs::write(dir.path().join("tools.json"), tools.to_string()).unwrap();
}

#[test]
fn tools_are_held_against_the_lock_on_their_connection() {
    let dir = stage();
    tools_file(&dir, &find("Finds it."));
    let manifest = "[servers.mine]\ncommand = ['./server.py', '2025-11-25']\ncwd = '.'\n";
    dir.file("toolwire.toml", manifest);
    let locked = toolwire(&dir, &["lock", "mine"]);
    assert_eq!(locked.code, 0, "{locked:?}");
    let mut server = serve(&dir, &["--locked", "mine"]);
    assert_eq!(server.names(), ["change", "find"]);
    let found = find("Finds all.").to_string();
    let changed = server.call("change", json!({ "tools": found }));
    assert_eq!(text(&changed), "changed");
    // The notice may come after the call: then the list was the old one, and nothing was called.
    wait_for("the change", || server.names() == ["change"]);
    assert_eq!(server.call("find", json!({}))["error"]["code"], -32602);
    let (code, told) = server.end();
    assert_eq!(code, Some(0), "{told}");
    assert!(
        told.contains("`find` is not served: `find` of `mine` is not as it was locked"),
        "{told}"
    );

    // With `warn` it is told and served.
    let mut server = serve(&dir, &["mine"]);
    assert_eq!(server.names(), ["change", "find"]);
    let (_, told) = server.end();
    assert!(
        told.contains("warning: `find` of `mine` is not as it was locked"),
        "{told}"
    );

    // Another launch, or none that was locked, is not started.
    fs::remove_file(dir.path().join("starts")).unwrap();
    dir.file(
        "toolwire.toml",
        manifest.replace("'./server.py'", "'python3', './server.py'"),
    );
    for (args, part) in [
        (&["--locked", "mine"][..], "is not as it was locked"),
        (
            &["--locked", "--", "./server.py", "2025-11-25"],
            "is not locked",
        ),
    ] {
        let (ended, stderr) = serve(&dir, args).ended();
        assert_eq!(ended, Some(1), "{args:?}: {stderr}");
        assert!(stderr.contains(part), "{args:?}: {stderr}");
    }
    assert!(!Path::new(&dir.path().join("starts")).exists());
}

/// Also where the list was not read again yet.
#[test]
fn a_call_that_finds_a_change_is_not_made() {
    let dir = stage();
    tools_file(&dir, &find("Finds it."));
    let manifest = "[servers.mine]\ncommand = ['./server.py', '2025-11-25']\ncwd = '.'\n";
    dir.file("toolwire.toml", manifest);
    assert_eq!(toolwire(&dir, &["lock", "mine"]).code, 0);
    let args = ["serve", "--poll", "1h", "--locked", "mine"];
    let mut server = Server::of(with_home(&dir, &args), dir.path());
    let found = find("Finds all.").to_string();
    let changed = server.call("change", json!({ "tools": found }));
    assert_eq!(text(&changed), "changed");
    wait_for("the notice", || {
        let answer = server.call("find", json!({}));
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        let said = text(&answer);
        said.contains("is not as it was locked") && said.contains("it was not called")
    });
    assert_eq!(server.end().0, Some(0));
}

#[test]
fn tools_are_held_against_the_profile() {
    let dir = stage();
    tools_file(&dir, &find("Finds it."));
    let path = dir.path().join("server.py");
    let path = path.to_str().unwrap();
    let created = ["profile", "create", "docs", "--yes", "--from"];
    let uri = format!("mcp+exec://{path}?command=2025-11-25");
    let created = toolwire(&dir, &[&created[..], &[&uri]].concat());
    assert_eq!(created.code, 0, "{created:?}");
    let mut server = serve(&dir, &["@docs", "--yes"]);
    assert_eq!(server.names(), ["change", "find"]);
    assert_eq!(server.end(), (Some(0), String::new()));
    let mut server = serve(&dir, &["@docs/find", "--yes"]);
    assert_eq!(server.names(), ["find"]);
    assert_eq!(server.end(), (Some(0), String::new()));

    let hidden = json!([{ "name": "find", "description": "Finds\u{200b} it.",
        "inputSchema": { "type": "object", "properties": { "new": { "type": "string" } },
            "required": ["new"] } }]);
    tools_file(&dir, &hidden);
    let mut server = serve(&dir, &["@docs", "--yes"]);
    assert_eq!(server.names(), ["find"]);
    let (_, told) = server.end();
    assert!(
        told.contains("warning: the tools of `@docs` are not as its profile expects"),
        "{told}"
    );
    assert!(
        told.contains("the tool `find`") && told.contains("ZERO WIDTH SPACE"),
        "{told}"
    );

    let folder = dir
        .path()
        .join(".local/share/toolwire/profiles/mcp/docs/_meta.json");
    let mut meta: Value = serde_json::from_slice(&fs::read(&folder).unwrap()).unwrap();
    meta["schema_validation"] = "error".into();
    fs::write(&folder, meta.to_string()).unwrap();
    let (ended, told) = serve(&dir, &["@docs", "--yes"]).ended();
    assert_eq!(ended, Some(1), "{told}");
    assert!(
        told.contains("`docs` is not served: the tools of `@docs` are not as"),
        "{told}"
    );
    let mut server = serve(&dir, &["@docs", "--yes", "--ignore-schema"]);
    assert_eq!(server.names(), ["find"]);
    server.end();
    // While it is served: the call that finds the change is not made.
    tools_file(&dir, &find("Finds it."));
    let mut server = serve(&dir, &["@docs", "--yes"]);
    assert_eq!(server.names(), ["change", "find"]);
    server.call("change", json!({ "tools": hidden.to_string() }));
    wait_for("the change", || server.names().is_empty());
    server.end();
    assert!(!any_alive(&dir));
}
