//! Over stdin and stdout: what a server has spawned lives in the user's session host.

use std::fs;
use std::thread;
use std::time::Duration;

use crate::common::mcp::Server;
use crate::common::session::{Workspace, is_alive, signal, until};
use crate::common::{self, command, set_mode};
use serde_json::{Value, json};

/// A server in a workspace, with its session host.
fn serve(here: &Workspace, args: &[&str]) -> Server {
    let mut command = command(&[&["serve"], args].concat());
    command
        .env("XDG_RUNTIME_DIR", &here.runtime)
        .env("TOOLWIRE_SESSION_IDLE", "5s")
        .env_remove("SHADE");
    Server::of(command, &here.root)
}

fn act(server: &mut Server, tool: &str, arguments: Value) -> Value {
    server.call(tool, arguments)["result"].clone()
}

fn said(result: &Value) -> String {
    common::session::text(result)
}

fn status(result: &Value) -> &str {
    let status = result["_meta"]["computer.jp/status"].as_str();
    status.unwrap_or_else(|| panic!("{result}"))
}

/// The handles as a person sees them.
fn list(here: &Workspace) -> Vec<(String, String)> {
    let listed = here.json(&["list"]);
    let handles = listed["handles"].as_array().unwrap().iter();
    let word = |one: &Value, name: &str| one[name].as_str().unwrap().to_owned();
    handles
        .map(|one| (word(one, "id"), word(one, "state")))
        .collect()
}

fn stage(here: &Workspace, manifest: &str) {
    let path = here.root.join("toolwire.toml");
    fs::write(&path, manifest).unwrap();
    set_mode(&path, 0o644);
}

#[test]
fn the_next_server_finds_what_one_has_spawned() {
    for is_killed in [false, true] {
        let here = Workspace::new();
        let mut first = serve(&here, &["--env", "SHADE=dark", "./echo"]);
        let begun = act(
            &mut first,
            "echo",
            json!({"action": "spawn", "id": "a", "word": "x"}),
        );
        let place = here.root.to_str().unwrap();
        assert_eq!(
            (said(&begun), status(&begun)),
            (format!("began in {place} with dark"), "running")
        );
        if is_killed {
            first.signal("-KILL");
            let _ = first.ended();
        } else {
            assert_eq!(first.end().0, Some(0));
        }
        assert!(is_alive(here.tools()[0]), "it outlives the server");
        let running = [("a".to_owned(), "running".to_owned())];
        assert_eq!(list(&here), running);

        let mut second = serve(&here, &["./echo"]);
        let fetched = act(&mut second, "echo", json!({"action": "fetch", "id": "a"}));
        assert_eq!(status(&fetched), "running", "{fetched}");
        let fed = act(
            &mut second,
            "echo",
            json!({"action": "apply", "id": "a", "input": "hi"}),
        );
        assert_eq!(said(&fed), "heard hi");
        let taken = act(
            &mut second,
            "echo",
            json!({"action": "spawn", "id": "a", "word": "x"}),
        );
        assert_eq!(taken["isError"], true, "{taken}");
        let ended = act(&mut second, "echo", json!({"action": "abort", "id": "a"}));
        assert_eq!(status(&ended), "stopped");
        assert_eq!(second.end().0, Some(0));
        here.nothing_is_left();
    }
}

#[test]
fn two_servers_and_a_person_share_a_handle() {
    let here = Workspace::new();
    let (mut one, mut other) = (serve(&here, &["./echo"]), serve(&here, &["./echo"]));
    here.done(&["spawn", "mine", "./echo", "word=x"]);
    let fed = json!({"action": "apply", "id": "mine", "input": "hi"});
    assert_eq!(said(&act(&mut one, "echo", fed)), "heard hi");
    let spawn = json!({"action": "spawn", "id": "theirs", "word": "x"});
    act(&mut one, "echo", spawn);
    let fed = json!({"action": "apply", "id": "theirs", "input": "ho"});
    assert_eq!(said(&act(&mut other, "echo", fed)), "heard ho");
    here.done(&["abort", "theirs", "mine"]);
    let gone = act(
        &mut one,
        "echo",
        json!({"action": "fetch", "id": "neither"}),
    );
    assert!(
        said(&gone).contains("there is no handle `neither`; there are `mine`, `theirs`"),
        "{gone}"
    );
    drop((one.end(), other.end()));
    here.nothing_is_left();
}

#[test]
fn a_handle_of_another_tool_is_refused_with_the_right_one() {
    let here = Workspace::new();
    stage(
        &here,
        "[tools.one]\ncommand = 'cat'\nsession = 'pipe'\n[tools.two]\ncommand = 'cat'\nsession = 'pipe'\n",
    );
    let mut server = serve(&here, &[]);
    act(&mut server, "one", json!({"action": "spawn", "id": "a"}));
    here.done(&["spawn", "b", "--wait", "10ms", "--", "cat"]);
    for action in ["fetch", "abort"] {
        let refused = act(&mut server, "two", json!({"action": action, "id": "a"}));
        assert_eq!(refused["isError"], true, "{refused}");
        assert_eq!(
            said(&refused),
            "`a` is a handle of the tool `one`: call that one"
        );
        let refused = act(&mut server, "two", json!({"action": action, "id": "b"}));
        assert_eq!(
            said(&refused),
            "`b` is a handle of the tool `cat`, which is not served here; choose another id"
        );
    }
    let fed = json!({"action": "apply", "id": "a", "input": {"text": "still here", "enter": true}});
    assert_eq!(said(&act(&mut server, "one", fed)), "still here\n");
    here.done(&["abort", "--all"]);
    server.end();
    here.nothing_is_left();
}

#[test]
fn what_is_for_a_person_is_asked_through_the_client_or_in_a_terminal() {
    let here = Workspace::new();
    let mut server = serve(&here, &["./echo"]);
    let spawn = json!({"action": "spawn", "id": "a b", "word": "x"});
    act(&mut server, "echo", spawn);
    let ask = json!({"action": "apply", "id": "a b", "input": "secret"});
    let asks = act(&mut server, "echo", ask.clone());
    assert_eq!(status(&asks), "waiting");
    let words = said(&asks);
    assert!(
        words.contains("Only a person may answer that, not you: a `fetch` asks them.")
            && !words.contains("schema"),
        "{words}"
    );
    let answer =
        json!({"action": "apply", "id": "a b", "answer": {"state": "accepted", "value": "1"}});
    let refused = act(&mut server, "echo", answer);
    assert_eq!(
        refused["isError"], true,
        "a model does not answer: {refused}"
    );

    let fetch = json!({"action": "fetch", "id": "a b"});
    let asked = act(&mut server, "echo", fetch.clone());
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let message = asked["inputRequests"]["pin"]["params"]["message"].as_str();
    assert!(message.unwrap().contains("PIN"), "{asked}");
    let params = json!({
        "name": "echo", "arguments": fetch, "requestState": asked["requestState"],
        "inputResponses": {"pin": {"action": "accept", "content": {"answer": "1234"}}},
    });
    let answered = server.request("tools/call", params)["result"].clone();
    assert_eq!(
        (said(&answered), status(&answered)),
        ("said no".to_owned(), "running")
    );

    // A client that can't ask is told what a person can do.
    let mute = json!({"io.modelcontextprotocol/clientCapabilities": {}});
    let params = json!({"name": "echo", "arguments": ask, "_meta": mute});
    let asks = server.request("tools/call", params)["result"].clone();
    let root = here.root.to_str().unwrap();
    let told = format!("they do it by `toolwire session attach --root {root} 'a b'`");
    assert!(said(&asks).contains(&told), "{asks}");
    let abort = json!({"action": "abort", "id": "a b"});
    act(&mut server, "echo", abort);
    server.end();
    here.nothing_is_left();
}

#[test]
fn a_manifest_says_who_answers_in_the_session_host_too() {
    let here = Workspace::new();
    stage(
        &here,
        "[tools.user]\ncommand = './echo'\nquestions = { ok = 'user' }\n\
         [tools.value]\ncommand = './echo'\nquestions = { ok = { value = true } }\n",
    );
    let mut server = serve(&here, &[]);
    for tool in ["user", "value"] {
        act(
            &mut server,
            tool,
            json!({"action": "spawn", "id": tool, "word": "x"}),
        );
    }
    let ask = |tool: &str| json!({"action": "apply", "id": tool, "input": "ask"});
    let asks = act(&mut server, "user", ask("user"));
    assert!(said(&asks).contains("Only a person may answer"), "{asks}");
    let answer =
        json!({"action": "apply", "id": "user", "answer": {"state": "accepted", "value": true}});
    assert_eq!(act(&mut server, "user", answer)["isError"], true);
    assert_eq!(said(&act(&mut server, "value", ask("value"))), "said yes");
    // So it is for a tool that a person spawns.
    here.done(&["spawn", "by-hand", "value", "word=x"]);
    let asked = here.json(&["apply", "by-hand", "ask"]);
    assert_eq!(said(&asked), "said yes");
    here.done(&["abort", "--all"]);
    server.end();
    here.nothing_is_left();
}

/// A program whose screen has another size than usual, and that asks for a password.
const TERMINAL: &str = r#"#!/bin/sh
stty size
printf 'ready> '
read -r line
stty -echo
printf 'Password: '
read -r secret
stty echo
echo "done with $line"
"#;

#[test]
fn a_terminal_is_driven_in_the_session_host() {
    let here = Workspace::new();
    here.program("terminal", TERMINAL);
    stage(
        &here,
        "[tools.shell]\ncommand = './terminal'\nsession = 'pty'\nsize = [100, 40]\n",
    );
    let mut server = serve(&here, &[]);
    act(&mut server, "shell", json!({"action": "spawn", "id": "a"}));
    let fetch =
        json!({"action": "fetch", "id": "a", "view": "screen", "until": "ready>", "wait": 5});
    let screen = said(&act(&mut server, "shell", fetch));
    assert!(screen.contains("40 100"), "{screen}");
    let typed = json!({"action": "apply", "id": "a", "input": {"text": "line", "enter": true}});
    let mut words = said(&act(&mut server, "shell", typed));
    for _ in 0..20 {
        if words.contains("A person types by") {
            break;
        }
        let fetch = json!({"action": "fetch", "id": "a", "wait": 2});
        words += &said(&act(&mut server, "shell", fetch));
    }
    assert!(
        words.contains("A person types by `toolwire session attach"),
        "{words}"
    );
    let typed = json!({"action": "apply", "id": "a", "input": {"text": "1234", "enter": true}});
    let refused = act(&mut server, "shell", typed);
    assert_eq!(refused["isError"], true, "{refused}");
    act(&mut server, "shell", json!({"action": "abort", "id": "a"}));
    server.end();
    here.nothing_is_left();
}

#[test]
fn a_fetch_that_is_cancelled_takes_nothing_away() {
    let here = Workspace::new();
    here.program(
        "late",
        "#!/bin/sh\nwhile [ ! -e go ]; do sleep 0.05; done\necho gone\nexec cat\n",
    );
    stage(
        &here,
        "[tools.late]\ncommand = './late'\nsession = 'pipe'\n",
    );
    let mut server = serve(&here, &[]);
    act(&mut server, "late", json!({"action": "spawn", "id": "a"}));
    let wait = json!({"action": "fetch", "id": "a", "wait": 50});
    let id = server.begin("tools/call", json!({"name": "late", "arguments": wait}));
    thread::sleep(Duration::from_millis(300));
    let params = json!({"requestId": id});
    server.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}));
    assert_eq!(server.names(), ["late"]);
    fs::write(here.root.join("go"), "").unwrap();
    // So long, one that still waited would have taken it.
    thread::sleep(Duration::from_secs(1));
    let fetch = json!({"action": "fetch", "id": "a", "until": "gone", "wait": 30});
    assert_eq!(said(&act(&mut server, "late", fetch)), "gone\n");
    act(&mut server, "late", json!({"action": "abort", "id": "a"}));
    server.end();
    here.nothing_is_left();
}

#[test]
fn a_handle_of_which_nothing_is_heard_ends() {
    let here = Workspace::new();
    let mut server = serve(&here, &["--handle-idle", "300ms", "./echo"]);
    let spawn = json!({"action": "spawn", "id": "a", "word": "x"});
    act(&mut server, "echo", spawn);
    assert_eq!(server.end().0, Some(0));
    let tool = here.tools()[0];
    until(|| !is_alive(tool));
    let mut server = serve(&here, &["./echo"]);
    let ended = act(&mut server, "echo", json!({"action": "fetch", "id": "a"}));
    let reason = &ended["_meta"]["dev.toolwire/session"]["end"]["reason"];
    assert_eq!((status(&ended), reason), ("stopped", &json!("idle")));
    server.end();
    here.nothing_is_left();
}

#[test]
fn without_a_session_host_handles_end_with_the_server() {
    let here = Workspace::new();
    let mut server = serve(&here, &["--no-session-host", "./echo"]);
    let spawn = json!({"action": "spawn", "id": "a", "word": "x"});
    assert_eq!(status(&act(&mut server, "echo", spawn)), "running");
    assert_eq!(here.hosts(), [0; 0]);
    let tool = here.tools()[0];
    assert_eq!(server.end().0, Some(0));
    assert!(!is_alive(tool));
}

#[test]
fn a_session_host_that_cannot_be_used_is_an_error_that_says_what_to_do() {
    let here = Workspace::new();
    let folder = here.runtime.join("toolwire");
    fs::create_dir(&folder).unwrap();
    set_mode(&folder, 0o755);
    let mut server = serve(&here, &["./echo"]);
    let spawn = json!({"action": "spawn", "id": "a", "word": "x"});
    let failed = act(&mut server, "echo", spawn);
    assert_eq!(failed["isError"], true);
    let words = said(&failed);
    assert!(
        words.contains("others can enter it") && words.contains("`--no-session-host`"),
        "{words}"
    );
    assert_eq!(server.end().0, Some(0));
    fs::remove_dir(&folder).unwrap();
    here.nothing_is_left();
}

#[test]
fn a_session_host_that_was_killed_is_replaced() {
    let here = Workspace::new();
    let mut server = serve(&here, &["./echo"]);
    let spawn = json!({"action": "spawn", "id": "a", "word": "x"});
    act(&mut server, "echo", spawn.clone());
    signal(here.host(), "KILL");
    until(|| here.hosts().is_empty());
    let lost = act(&mut server, "echo", json!({"action": "fetch", "id": "a"}));
    assert!(said(&lost).contains("there is no handle `a`"), "{lost}");
    assert_eq!(status(&act(&mut server, "echo", spawn)), "running");
    act(&mut server, "echo", json!({"action": "abort", "id": "a"}));
    server.end();
    here.nothing_is_left();
}
