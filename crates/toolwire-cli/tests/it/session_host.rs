//! The session host: its start, its end, and what it leaves (`docs/reference/sessions.md`).

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::process::Stdio;
use std::thread;

use crate::common::session::{PATIENCE, Workspace, is_alive, signal, text, until};
use crate::common::{self, run_command, set_mode};
use serde_json::Value;

#[test]
fn twenty_starts_at_once_make_one_host() {
    let here = Workspace::new();
    thread::scope(|scope| {
        for number in 0..20 {
            let here = &here;
            scope.spawn(move || {
                let spawned = here.json(&["spawn", &format!("a{number}"), "./echo"]);
                assert!(text(&spawned).contains("began"), "{spawned}");
            });
        }
    });
    assert_eq!(here.hosts().len(), 1);
    assert_eq!(
        here.json(&["list"])["handles"].as_array().unwrap().len(),
        20
    );
    here.end();
}

#[test]
fn a_signal_ends_the_tools_and_leaves_nothing() {
    for name in ["INT", "TERM", "HUP"] {
        let here = Workspace::new();
        here.json(&["spawn", "a", "./echo"]);
        here.json(&["spawn", "b", "./echo"]);
        assert_eq!(here.tools().len(), 2);
        signal(here.host(), name);
        here.nothing_is_left();
        let gone = here.run(&["fetch", "a"]);
        assert_eq!(gone.code, 1, "{gone:?}");
    }
}

#[test]
fn somebody_who_waits_learns_that_the_host_has_ended() {
    let here = Workspace::new();
    here.json(&["spawn", "a", "./echo"]);
    let mut waiting = here.command(&["wait", "a"]);
    waiting.stdin(Stdio::null());
    let waiting = waiting.spawn().unwrap();
    // It has asked: the next client is served after it was.
    here.json(&["list"]);
    signal(here.host(), "TERM");
    let ended = waiting.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    // Or it came too late, and there is nothing to wait for.
    assert!(
        (ended.status.code(), said.contains("has ended")) == (Some(5), true)
            || (ended.status.code(), said.contains("no handle")) == (Some(1), true)
            || ended.status.success(),
        "{ended:?}"
    );
    here.nothing_is_left();
}

/// A tool that does not end with its input.
const STUBBORN: &str = "#!/bin/sh\necho $$ >> pid\ntrap '' HUP\nwhile :; do sleep 1; done\n";

#[test]
fn a_host_that_is_killed_leaves_no_tool() {
    let here = Workspace::new();
    here.program("stubborn", STUBBORN);
    here.done(&["spawn", "a", "--pipe", "--wait", "10ms", "--", "./stubborn"]);
    here.done(&["spawn", "b", "--pty", "--wait", "10ms", "--", "./stubborn"]);
    here.json(&["spawn", "c", "./echo"]);
    until(|| here.tools().len() == 3);
    let tools = here.tools();
    signal(here.host(), "KILL");
    until(|| !tools.iter().any(|tool| is_alive(*tool)));
    here.json(&["spawn", "d", "./echo"]);
    assert_eq!(here.json(&["list"])["handles"].as_array().unwrap().len(), 1);
    here.end();
}

#[test]
fn a_folder_that_is_not_the_users_alone_is_refused() {
    let here = Workspace::new();
    let folder = here.runtime.join("toolwire");
    let refused = |why: &str| {
        let ran = here.run(&["spawn", "a", "./echo"]);
        assert_eq!(ran.code, 5, "{ran:?}");
        assert!(ran.stderr.contains(why), "{ran:?}");
        assert!(here.hosts().is_empty());
    };
    let elsewhere = here.root.join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    set_mode(&elsewhere, 0o700);
    std::os::unix::fs::symlink(&elsewhere, &folder).unwrap();
    refused("it is a link");
    fs::remove_file(&folder).unwrap();
    fs::write(&folder, "").unwrap();
    refused("it is no folder");
    fs::remove_file(&folder).unwrap();
    fs::create_dir(&folder).unwrap();
    set_mode(&folder, 0o750);
    refused("others can enter it");
    set_mode(&folder, 0o700);
    // Only root can give it to somebody else.
    if std::os::unix::fs::chown(&folder, Some(65_534), None).is_ok() {
        refused("it belongs to the user 65534");
    }
    fs::remove_dir(&folder).unwrap();
    here.json(&["spawn", "a", "./echo"]);
    assert!(!here.hosts().is_empty());
    here.end();
}

#[test]
fn a_runtime_folder_of_others_or_with_a_long_path_is_not_used() {
    let here = Workspace::new();
    let long = here.runtime.join("x".repeat(120));
    let open = here.runtime.join("open");
    let temporary = here.runtime.join("tmp");
    for folder in [&long, &open, &temporary] {
        fs::create_dir(folder).unwrap();
        set_mode(folder, 0o700);
    }
    set_mode(&open, 0o777);
    for runtime in [long.as_path(), &open, std::path::Path::new("relative")] {
        let mut command = here.command(&["spawn", "a", "./echo"]);
        command
            .env("XDG_RUNTIME_DIR", runtime)
            .env("TMPDIR", &temporary)
            .stdin(Stdio::piped());
        let spawned = run_command(command, b"");
        assert_eq!(spawned.code, 0, "{spawned:?}");
        let user = fs::read_dir(&temporary).unwrap().next().unwrap().unwrap();
        let name = user.file_name().into_string().unwrap();
        assert!(name.starts_with("toolwire-"), "{name}");
        signal(here.host(), "TERM");
        until(|| here.hosts().is_empty());
    }
    here.end();
}

#[test]
fn a_workspace_with_a_long_path_has_a_host() {
    let here = Workspace::new();
    let mut deep = here.root.clone();
    for _ in 0..10 {
        deep.push("d".repeat(90));
    }
    fs::create_dir_all(&deep).unwrap();
    let mut command = here.command(&[
        "spawn",
        "a",
        "--json",
        here.root.join("echo").to_str().unwrap(),
    ]);
    command.current_dir(&deep).stdin(Stdio::piped());
    let spawned = run_command(command, b"").json();
    assert!(text(&spawned).contains("began"), "{spawned}");
    here.end();
}

#[test]
fn a_host_of_another_version_is_left_alone_and_named() {
    let here = Workspace::new();
    here.json(&["spawn", "a", "./echo"]);
    let own = here.file("life");
    let name = own.file_name().unwrap().to_str().unwrap();
    let digits = name.split('-').next().unwrap();
    let other = own.with_file_name(format!("{digits}-9.9.9.life"));
    let listed = || here.done(&["list"]).stderr;
    // One that has ended leaves a file that nobody holds.
    drop(toolwire_host::store::Lock::take(&other).unwrap());
    assert_eq!(listed(), "");
    let held = toolwire_host::store::Lock::take(&other).unwrap();
    let told = listed();
    assert!(
        told.contains("toolwire 9.9.9 has handles of this"),
        "{told}"
    );
    drop(held);
    here.end();
}

#[test]
fn what_is_no_request_hurts_nobody() {
    let here = Workspace::new();
    here.json(&["spawn", "a", "./echo"]);
    for bytes in [
        &b"\xff\xfe\n"[..],
        b"{}\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"{\"request\":1",
    ] {
        let mut stream = UnixStream::connect(here.file("sock")).unwrap();
        stream.write_all(bytes).unwrap();
    }
    let mut stream = UnixStream::connect(here.file("sock")).unwrap();
    let fetch = request(3, "fetch", r#"{"id":"a","by":"assistant","options":{}}"#);
    let unknown = request(2, "retire", "{}");
    write!(stream, "{{\"request\":1}}\n{unknown}{fetch}").unwrap();
    let mut lines = BufReader::new(stream).lines().map(|line| line.unwrap());
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap()).unwrap();
    assert_eq!(next()["error"]["code"], -32600);
    assert_eq!(next()["error"]["code"], -32601);
    let fetched = next();
    assert_eq!(fetched["id"], 3, "{fetched}");
    assert_eq!(fetched["result"]["state"], "running", "{fetched}");
    assert_eq!(here.json(&["list"])["handles"][0]["state"], "running");
    here.end();
}

#[test]
fn a_client_that_does_not_read_holds_up_nobody() {
    let here = Workspace::new();
    here.json(&["spawn", "a", "./echo"]);
    let mut slow = UnixStream::connect(here.file("sock")).unwrap();
    slow.set_nonblocking(true).unwrap();
    for number in 0..20_000 {
        let line = request(number, "list", r#"{"ids":[]}"#);
        // Once its replies are not taken, its requests are not either.
        if slow.write_all(line.as_bytes()).is_err() {
            break;
        }
    }
    assert_eq!(here.json(&["list"])["handles"][0]["id"], "a");
    here.end();
}

#[test]
fn the_host_keeps_no_file_of_whoever_starts_it() {
    let here = Workspace::new();
    // A script that waits for the end of its pipe waits for nobody else.
    let script = "exec 7>&1; \"$0\" session spawn a ./echo > out 2>&1 3>&1; echo done";
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", script])
        .arg(common::toolwire())
        .current_dir(&here.root)
        .env("XDG_RUNTIME_DIR", &here.runtime)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let ran = run_command(command, b"");
    assert_eq!(ran.stdout, "done\n", "{ran:?}");
    assert_eq!(here.json(&["list"])["handles"][0]["state"], "running");
    here.end();
}

#[test]
fn a_host_that_nobody_can_reach_any_more_ends() {
    let here = Workspace::new();
    here.json(&["spawn", "a", "./echo"]);
    fs::remove_dir_all(here.runtime.join("toolwire")).unwrap();
    here.nothing_is_left();
}

/// Says these lines to the host in one write, and gives what it answers.
fn say(here: &Workspace, lines: &str) -> (UnixStream, impl Iterator<Item = Value> + use<>) {
    let stream = UnixStream::connect(here.file("sock")).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut write = stream.try_clone().unwrap();
    write.write_all(lines.as_bytes()).unwrap();
    let read = BufReader::new(stream.try_clone().unwrap()).lines();
    let answers = read.map(|line| serde_json::from_str(&line.unwrap()).unwrap());
    (stream, answers)
}

/// A request to the host, as a line.
fn request(id: u64, method: &str, params: &str) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\",\"params\":{params}}}\n")
}

#[test]
fn what_is_typed_at_once_after_attaching_is_not_lost() {
    let here = Workspace::new();
    here.done(&["spawn", "a", "--pty", "--", "cat"]);
    let attach = request(1, "attach", r#"{"id":"a","columns":80,"rows":24}"#);
    // "typed", and Enter.
    let typed = request(2, "type", r#"{"terminal":1,"bytes":"dHlwZWQN"}"#);
    let leave = request(3, "leave", r#"{"terminal":1}"#);
    let left = |answer: Value| answer["id"] == 3 && answer["result"].is_null();
    for _ in 0..10 {
        let (_stream, mut answers) = say(&here, &format!("{attach}{leave}"));
        assert!(answers.any(left));
    }
    let (_stream, mut answers) = say(&here, &format!("{attach}{typed}{leave}"));
    assert!(answers.any(left));
    let seen = here.done(&[
        "fetch", "a", "--until", "typed", "--wait", "60s", "--screen",
    ]);
    assert!(seen.stdout.contains("typed"), "{seen:?}");
    here.end();
}

#[test]
fn a_spawn_that_nobody_waits_for_leaves_a_handle_that_prints() {
    let here = Workspace::new();
    let mut command = here.command(&["spawn", "a", "--pipe", "--wait", "1h", "--", "cat"]);
    let mut waits = command.spawn().unwrap();
    until(|| here.run(&["list"]).stdout.starts_with("a "));
    signal(waits.id(), "INT");
    assert_eq!(waits.wait().unwrap().code(), Some(130));
    let fetch = request(1, "fetch", r#"{"id":"a","by":"user","options":{}}"#);
    let (_stream, mut answers) = say(&here, &fetch);
    let fetched = answers.next().unwrap();
    assert_eq!(fetched["result"]["prints"], true, "{fetched}");
    here.end();
}
