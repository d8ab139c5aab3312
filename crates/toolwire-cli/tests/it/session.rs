//! `toolwire session`, as a script drives it (`docs/reference/command.md`).

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::session::{Workspace, text};
use crate::common::{self, run_command, set_mode};

#[test]
fn a_tool_runs_on_between_commands() {
    let here = Workspace::new();
    assert_eq!(here.json(&["list"])["handles"].as_array().unwrap().len(), 0);
    assert!(here.hosts().is_empty(), "a list starts no host");
    let spawned = here.json(&["spawn", "a", "./echo", "word=x"]);
    assert!(text(&spawned).contains("began in"), "{spawned}");
    assert_eq!(spawned["_meta"]["computer.jp/status"], "running");
    // As text, with the state beside it.
    let applied = here.done(&["apply", "a", "one"]);
    assert!(applied.stdout.contains("heard one"), "{applied:?}");
    assert!(
        applied
            .stderr
            .contains("toolwire: `a`: running, last block 2\n"),
        "{applied:?}"
    );
    let again = here.json(&["fetch", "a", "--after", "0"]);
    assert!(
        text(&again).contains("heard one"),
        "nobody has acknowledged it: {again}"
    );
    let nothing = here.json(&["fetch", "a"]);
    assert!(text(&nothing).contains("nothing new"), "{nothing}");
    let asks = here.json(&["apply", "a", "ask"]);
    assert_eq!(asks["content"][0]["question"]["id"], "ok", "{asks}");
    let list = here.done(&["list"]);
    let how = "a  echo  waits for an answer: Go on?, started ";
    assert!(list.stdout.starts_with(how), "{list:?}");
    let answered = here.json(&["apply", "a", "--answer", "ok=yes"]);
    assert!(text(&answered).contains("yes"), "{answered}");
    here.done(&["apply", "a", "ask"]);
    let declined = here.json(&["apply", "a", "--decline"]);
    assert!(text(&declined).contains("no"), "{declined}");
    here.done(&["apply", "a", "end"]);
    let waited = here.json(&["wait", "a", "--timeout", "30s"]);
    assert_eq!(waited["ready"][0]["state"], "stopped", "{waited}");
    here.json(&["fetch", "a"]);
    // Nothing is left to fetch, so the host ends by itself.
    here.nothing_is_left();
}

#[test]
fn what_was_not_acknowledged_is_written_again() {
    let here = Workspace::new();
    here.json(&["spawn", "a", "./echo"]);
    let all = here.json(&["fetch", "a", "--after", "0"]);
    let last = all["_meta"]["dev.toolwire/session"]["last"]
        .as_u64()
        .unwrap();
    let acknowledged = last.to_string();
    here.run(&["apply", "a", "one"]);
    let mut seen = String::new();
    while !seen.contains("heard one") {
        seen = text(&here.json(&["fetch", "a", "--after", &acknowledged, "--wait", "5s"]));
    }
    let again = here.json(&["fetch", "a", "--after", &acknowledged]);
    assert_eq!(text(&again), seen);
    here.end();
}

#[test]
fn a_tool_that_runs_once_is_spawned_and_asked_as_well() {
    let here = Workspace::new();
    here.program(
        "once",
        "#!/bin/sh\n# toolwire-tool: 1\ncall=$(cat)\ncase $call in\n\
         *'\"action\":\"describe\"'*) echo '{\"content\":[],\"structuredContent\":{\"toolwire\":1,\"tools\":[{\"name\":\"once\",\"inputSchema\":{\"type\":\"object\"}}]}}' ;;\n\
         *'\"ok\":true'*) echo done ;;\n\
         *) echo '{\"content\":[{\"type\":\"question\",\"question\":{\"id\":\"ok\",\"text\":\"Go on?\",\"schema\":{\"type\":\"boolean\"}}}]}' ;;\nesac\n",
    );
    here.json(&["spawn", "a", "./once"]);
    assert_eq!(here.run(&["wait", "a", "--timeout", "30s"]).code, 7);
    assert_eq!(here.json(&["list"])["handles"][0]["question"]["id"], "ok");
    let done = here.json(&["apply", "a", "--answer", "ok=true", "--wait", "30s"]);
    assert!(text(&done).contains("done"), "{done}");
    here.end();
}

#[test]
fn the_callers_environment_and_folder_are_those_of_the_tool() {
    let here = Workspace::new();
    // The host is started with another environment, elsewhere.
    let spawned = |shade: Option<&str>, id: &str| {
        let folder = here.root.join(id);
        fs::create_dir(&folder).unwrap();
        let mut command = here.command(&["spawn", id, "--json", "--root", "..", "../echo"]);
        command.current_dir(&folder).stdin(Stdio::piped());
        if let Some(shade) = shade {
            command.env("SHADE", shade);
        }
        text(&run_command(command, b"").json())
    };
    let folder = |id: &str| here.root.join(id).display().to_string();
    assert_eq!(
        spawned(Some("red"), "a"),
        format!("began in {} with red", folder("a"))
    );
    assert_eq!(
        spawned(None, "b"),
        format!("began in {} with ", folder("b"))
    );
    assert_eq!(here.json(&["list"])["handles"].as_array().unwrap().len(), 2);
    assert_eq!(here.hosts().len(), 1);
    here.end();
}

/// It outlives whoever starts it.
#[cfg(target_os = "linux")]
#[test]
fn the_host_has_the_standard_variables_alone() {
    let here = Workspace::new();
    let mut command = here.command(&["spawn", "a", "--json", "./echo"]);
    command.env("SHADE", "red").env("API_TOKEN", "secret");
    command.env("HTTPS_PROXY", "http://me:password@proxy.example:3128");
    command.stdin(Stdio::piped());
    // The tool has what its caller has.
    let spawned = text(&run_command(command, b"").json());
    assert!(spawned.ends_with("with red"), "{spawned}");
    let variables = fs::read(format!("/proc/{}/environ", here.host())).unwrap();
    let variables = String::from_utf8_lossy(&variables).into_owned();
    for secret in ["SHADE", "API_TOKEN", "password", "TOOLWIRE"] {
        assert!(!variables.contains(secret), "{secret}");
    }
    assert!(variables.contains("PATH=") && variables.contains("proxy.example"));
    here.end();
}

#[test]
fn ids_belong_to_a_workspace() {
    let here = Workspace::new();
    let inner = here.root.join("inner");
    fs::create_dir(&inner).unwrap();
    here.json(&["spawn", "a", "./echo"]);
    let mut command = here.command(&["list", "--json"]);
    command.current_dir(&inner).stdin(Stdio::piped());
    assert_eq!(
        run_command(command, b"").json()["handles"]
            .as_array()
            .unwrap()
            .len(),
        0
    );
    // A manifest makes its folder the workspace of all below.
    fs::write(
        here.root.join("toolwire.toml"),
        "[tools.echo]\ncommand = './echo'\n",
    )
    .unwrap();
    set_mode(&here.root.join("toolwire.toml"), 0o644);
    let mut command = here.command(&["list", "--json"]);
    command.current_dir(&inner).stdin(Stdio::piped());
    let listed = run_command(command, b"").json();
    assert_eq!(listed["handles"][0]["id"], "a", "{listed}");
    let spawned = here.json(&["spawn", "b", "echo", "word=x"]);
    assert!(text(&spawned).contains("began"), "{spawned}");
    // A link to it is the same one.
    std::os::unix::fs::symlink(&here.root, here.root.with_extension("link")).unwrap();
    let link = here.root.with_extension("link");
    let listed = here.json(&["list", "--root", link.to_str().unwrap()]);
    assert_eq!(listed["handles"].as_array().unwrap().len(), 2);
    here.end();
}

#[test]
fn a_manifest_of_others_starts_nothing() {
    let here = Workspace::new();
    let manifest = here.root.join("toolwire.toml");
    fs::write(&manifest, "[tools.echo]\ncommand = './echo'\n").unwrap();
    set_mode(&manifest, 0o666);
    let refused = here.run(&["spawn", "a", "echo"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.stderr.contains("toolwire trust"), "{refused:?}");
    assert!(here.tools().is_empty() && here.hosts().is_empty());
}

#[test]
fn a_question_for_a_person_is_not_answered_by_a_script() {
    let here = Workspace::new();
    here.json(&["spawn", "a", "./echo"]);
    here.json(&["apply", "a", "secret"]);
    for args in [
        &["apply", "a", "1234"][..],
        &["apply", "a", "--answer", "pin=1234"],
    ] {
        let refused = here.run(args);
        assert_eq!(refused.code, 1, "{refused:?}");
        assert!(
            refused.stderr.contains("toolwire session attach"),
            "{refused:?}"
        );
    }
    let refused = here.json(&["apply", "a", "1234"]);
    assert_eq!(
        refused["_meta"]["dev.toolwire/session"]["refusal"]["code"],
        "person_only"
    );
    assert_eq!(here.json(&["list"])["handles"][0]["person"], true);
    here.end();
}

#[test]
fn two_clients_use_a_handle_at_once() {
    let here = Workspace::new();
    here.json(&["spawn", "a", "./echo"]);
    let mut waiting = here.command(&[
        "fetch",
        "a",
        "--after",
        "1",
        "--until",
        "heard you",
        "--wait",
        "60s",
        "--json",
    ]);
    waiting.stdin(Stdio::null());
    let waiting = waiting.spawn().unwrap();
    let mut both = here.command(&["wait", "a", "--timeout", "60s", "--json"]);
    both.stdin(Stdio::null());
    let both = both.spawn().unwrap();
    here.json(&["apply", "a", "you"]);
    let fetched = waiting.wait_with_output().unwrap();
    assert!(fetched.status.success());
    here.json(&["apply", "a", "ask"]);
    let waited = both.wait_with_output().unwrap();
    let waited: serde_json::Value = serde_json::from_slice(&waited.stdout).unwrap();
    assert_eq!(waited["ready"][0]["state"], "waiting", "{waited}");
    here.end();
}

#[test]
fn waiting_for_any_and_for_all_has_an_end() {
    let here = Workspace::new();
    for id in ["a", "b"] {
        here.json(&["spawn", id, "./echo"]);
    }
    here.json(&["apply", "a", "ask"]);
    let any = here.json(&["wait", "a", "b", "--any", "--timeout", "60s"]);
    assert_eq!(
        (any["ready"].as_array().unwrap().len(), &any["over"]),
        (1, &false.into())
    );
    let all = here.run(&["wait", "a", "b", "--timeout", "50ms", "--json"]);
    // One needs somebody, and that is more than that the time is over.
    assert_eq!((all.code, &all.json()["over"]), (7, &true.into()));
    let late = here.run(&["wait", "b", "--timeout", "0"]);
    assert_eq!(late.code, 6, "{late:?}");
    assert!(all.stderr.contains("before `b` stopped"), "{all:?}");
    here.done(&["abort", "a", "b"]);
    let aborted = here.run(&["wait", "a", "b"]);
    assert_eq!(
        aborted.stdout,
        "a  echo  stopped: aborted\nb  echo  stopped: aborted\n"
    );
    assert_eq!(aborted.code, 1, "they did not end by themselves");
    here.end();
}

#[test]
fn aborting_ends_one_or_all() {
    let here = Workspace::new();
    for id in ["a", "b", "c"] {
        here.json(&["spawn", id, "./echo"]);
    }
    // What it says while it ends is written, as it is of a fetch.
    let aborted = here.done(&["abort", "a"]);
    assert!(
        aborted.stderr.contains("`a`: stopped: aborted"),
        "{aborted:?}"
    );
    let all = here.done(&["abort", "--all", "--json"]);
    let ended = all.json_lines();
    assert_eq!(ended.len(), 2);
    assert_eq!(
        ended[0]["_meta"]["computer.jp/status"], "stopped",
        "{ended:?}"
    );
    here.nothing_is_left();
}

#[test]
fn tools_that_do_not_want_to_end_are_ended_side_by_side() {
    let here = Workspace::new();
    let many: Vec<String> = (10..22).map(|number| format!("t{number}")).collect();
    let deaf = "trap '' HUP INT TERM; while :; do sleep 1; done";
    for id in &many {
        here.done(&["spawn", id, "--pipe", "--", "sh", "-c", deaf]);
    }
    let begun = Instant::now();
    let ended = here.done(&["abort", "--all", "--json"]).json_lines();
    // Each takes 4 seconds.
    assert!(
        begun.elapsed() < Duration::from_secs(40),
        "{:?}",
        begun.elapsed()
    );
    let ids: Vec<&str> = ended
        .iter()
        .filter_map(|one| one["_meta"]["dev.toolwire/session"]["id"].as_str())
        .collect();
    assert_eq!(ids, many);
    here.end();
}

#[test]
fn only_what_is_new_is_waited_for() {
    let here = Workspace::new();
    let script = "echo one; while read line; do sleep 0.3; echo \"<$line>\"; done";
    let ready = here.done(&[
        "spawn", "a", "--pty", "--until", "one", "--wait", "60s", "--", "sh", "-c", script,
    ]);
    assert_eq!(ready.stdout, "one\n");
    // It was written before, so it does not come.
    let never = here.run(&["fetch", "a", "--until", "one", "--wait", "50ms"]);
    assert_eq!((never.code, &*never.stdout), (6, ""), "{never:?}");
    assert!(
        never.stderr.contains("`one` has not come in time"),
        "{never:?}"
    );
    let json = here.run(&["fetch", "a", "--until", "one", "--wait", "0", "--json"]);
    assert_eq!(json.code, 6);
    assert_eq!(json.json()["_meta"]["dev.toolwire/session"]["found"], false);
    // The echo of what is typed is not what is waited for.
    let apply = ["apply", "a", "two", "--enter", "--until", "two"];
    let applied = here.done(&[&apply[..], &["--wait", "60s"]].concat());
    assert_eq!(applied.stdout, "two\n<two>\n");
    here.done(&["apply", "a", "--input-json", r#"{"eof":true}"#]);
    assert_eq!(here.run(&["wait", "a"]).code, 0);
    let ended = here.run(&["fetch", "a", "--until", "three", "--wait", "60s"]);
    assert_eq!(ended.code, 6, "{ended:?}");
    assert!(ended.stderr.contains("`three` has not come\n"), "{ended:?}");
    here.nothing_is_left();
}

#[test]
fn waiting_says_how_each_tool_has_ended() {
    let here = Workspace::new();
    let run = |id: &str, script: &str| {
        here.run(&[
            "spawn", id, "--pipe", "--wait", "0", "--", "sh", "-c", script,
        ]);
    };
    run("well", "exit 0");
    run("badly", "exit 3");
    run("killed", "kill -9 $$");
    here.done(&["wait", "well"]);
    for (id, how) in [
        ("badly", "stopped: exit status 3"),
        ("killed", "stopped: it was ended by SIGKILL"),
    ] {
        let waited = here.run(&["wait", id]);
        assert_eq!(waited.code, 1, "{waited:?}");
        assert_eq!(waited.stdout, format!("{id}  sh  {how}\n"));
    }
    assert_eq!(here.run(&["wait", "well", "badly"]).code, 1);
    let json = here.run(&["wait", "badly", "--json"]);
    let expected = serde_json::json!({"reason": "exited", "status": 3});
    assert_eq!(json.json()["ready"][0]["end"], expected);
    // A person is needed at the prompt of a password.
    let asks = "stty -echo; printf Password:; read x";
    here.run(&["spawn", "asks", "--pty", "--", "sh", "-c", asks]);
    let waited = here.run(&["wait", "asks", "--timeout", "60s"]);
    assert_eq!(waited.code, 7, "{waited:?}");
    assert!(
        waited
            .stdout
            .contains("running, waits for a person to type"),
        "{waited:?}"
    );
    let refused = here.run(&["apply", "asks", "1234", "--enter"]);
    assert_eq!(refused.code, 1, "{refused:?}");
    // Whoever may not type there can end it.
    here.run(&["apply", "asks", "--key", "ctrl-c"]);
    let ended = here.run(&["wait", "asks", "--timeout", "60s"]);
    assert!(
        ended
            .stdout
            .contains("it was ended by SIGINT, as by ctrl-c"),
        "{ended:?}"
    );
    here.end();
}

/// Runs a script to its end, of which nothing is taken: whoever acknowledges gets it all later.
fn run_to_end(here: &Workspace, id: &str, script: &str) {
    // By then, what is applied has been answered.
    let script = format!("read x; sleep 1; {script}");
    here.done(&[
        "spawn", id, "--pipe", "--wait", "0", "--", "sh", "-c", &script,
    ]);
    here.done(&["fetch", id, "--after", "0"]);
    here.done(&["apply", id, "--enter", "--wait", "0"]);
    here.done(&["wait", id]);
}

#[test]
fn what_a_program_prints_is_one_text() {
    let here = Workspace::new();
    let script = "printf on; sleep 0.3; echo e; sleep 0.3; printf err >&2; sleep 0.3; \
                  printf '10%%\\r50%%'; sleep 0.3; printf '\\r100%%\\n'; exit 0";
    run_to_end(&here, "a", script);
    let all = here.json(&["fetch", "a", "--after", "0"]);
    let blocks = all["content"].as_array().unwrap();
    assert_eq!(blocks[0]["text"], "one\n", "{all}");
    assert_eq!(blocks[1]["_meta"]["dev.toolwire/stream"], "stderr");
    assert_eq!(blocks[2]["text"], "10%\r50%\r100%\n", "bytes stay bytes");
    let text = here.done(&["fetch", "a", "--after", "0"]);
    assert_eq!(text.stdout, "one\nerr\n100%\n");
    assert_eq!(
        text.stderr,
        "toolwire: `a`: stopped: exit status 0, last block 3\n"
    );
    let model = here.done(&["fetch", "a", "--after", "0", "--format", "model", "-q"]);
    assert!(model.stdout.contains("last block 3"), "{model:?}");
    assert_eq!(model.stderr, "");
    here.end();
}

#[test]
fn an_answer_is_bounded() {
    let here = Workspace::new();
    run_to_end(&here, "a", "seq -w 30000");
    let (mut all, mut parts) = (String::new(), 0);
    loop {
        let part = here.json(&["fetch", "a", "--max-bytes", "20K"]);
        let said = text(&part);
        let session = &part["_meta"]["dev.toolwire/session"];
        let left = !session["left"].is_null();
        assert!(serde_json::to_string(&part).unwrap().len() < 24 * 1024);
        parts += 1;
        match left {
            true => {
                let note = part["content"].as_array().unwrap().last().unwrap();
                let note = note["text"].as_str().unwrap();
                all.push_str(said.strip_suffix(note).unwrap());
            }
            false => {
                all.push_str(&said);
                break;
            }
        }
    }
    let expected: String = (1..=30000).map(|number| format!("{number:05}\n")).collect();
    let is_all = all == expected;
    let (told, expected) = (all.len(), expected.len());
    assert!(
        is_all && parts > 8,
        "{told} of {expected} bytes in {parts} parts"
    );
    here.nothing_is_left();
    // By default it is 64 KiB.
    run_to_end(&here, "b", "seq -w 30000");
    let part = here.done(&["fetch", "b", "-q"]);
    assert!(
        (40_000..=65_536).contains(&part.stdout.len()),
        "{}",
        part.stdout.len()
    );
    assert!(
        part.stderr.contains("bytes are left: fetch again"),
        "{part:?}"
    );
    here.end();
}

/// The lines of the README, as a script that is run again after a change that breaks the tests.
#[test]
fn a_script_never_takes_an_earlier_run_for_its_own() {
    let twice = "toolwire session spawn tests --pipe -- sh ./t.sh\ntoolwire session wait tests && echo DEPLOYED\n";
    let once = "toolwire session run tests --pipe -- sh ./t.sh && echo DEPLOYED\n";
    let unstarted = "toolwire session spawn tests --pipe -- ./gone.sh\ntoolwire session wait tests && echo DEPLOYED\n";
    for (script, stops) in [
        (twice, "set -e"),
        (twice, ":"),
        (once, "set -e"),
        (once, ":"),
    ] {
        let (here, toolwire) = (Workspace::new(), common::toolwire());
        let deploys = |tests: &str, script: &str| {
            fs::write(here.root.join("t.sh"), tests).unwrap();
            let script = format!(
                "{stops}\n{}",
                script.replace("toolwire", toolwire.to_str().unwrap())
            );
            fs::write(here.root.join("deploy.sh"), script).unwrap();
            here.script("./deploy.sh").stdout.contains("DEPLOYED")
        };
        assert!(deploys("exit 0", script), "{script}");
        assert!(!deploys("exit 3", script), "{script}");
        assert!(deploys("exit 0", script), "{script}");
        assert!(!deploys("exit 0", unstarted), "an earlier run has passed");
        // One that still runs is another one, too, however it ends.
        here.done(&[
            "spawn", "tests", "--pipe", "--wait", "0", "--", "sleep", "5",
        ]);
        assert!(!deploys("exit 0", script), "{script}");
        // With `set -e`, the script has not come to its `wait`, which would have failed.
        here.run(&["wait", "tests"]);
        here.done(&["wait", "tests"]);
    }
}

#[test]
fn the_end_of_a_flood_is_fetched_alone() {
    let here = Workspace::new();
    run_to_end(&here, "a", "seq -w 100000");
    let ran = here.done(&["fetch", "a", "--tail", "16K"]);
    assert!(ran.stdout.ends_with("099999\n100000\n"), "{ran:?}");
    assert!(ran.stdout.len() <= 16 * 1024, "{}", ran.stdout.len());
    assert!(
        ran.stderr.contains("bytes before this were skipped"),
        "{ran:?}"
    );
    let again = here.done(&["fetch", "a"]);
    assert_eq!(again.stdout, "");
    // An answer is never larger than what was asked for.
    assert_eq!(here.run(&["fetch", "a", "--max-bytes", "1"]).code, 2);
    here.end();
}

#[test]
fn a_text_that_was_waited_for_is_written() {
    let here = Workspace::new();
    here.done(&[
        "spawn",
        "a",
        "--pipe",
        "--",
        "sh",
        "-c",
        "read -r go; seq -w 40000; read -r go",
    ]);
    let ran = here.done(&["apply", "a", "--enter", "--until", "39999", "--wait", "60s"]);
    assert!(ran.stdout.contains("39999"), "{}", ran.stderr);
    here.done(&["abort", "a", "--quiet"]);
    here.end();
}

#[test]
fn a_quiet_abort_is_quiet() {
    let here = Workspace::new();
    run_to_end(&here, "a", "seq 10000");
    let ran = here.done(&["abort", "a", "--quiet"]);
    assert_eq!((&*ran.stdout, &*ran.stderr), ("", ""));
    here.end();
}

#[test]
fn to_abort_what_has_stopped_changes_and_writes_nothing() {
    let here = Workspace::new();
    run_to_end(&here, "a", "seq 10000");
    let ran = here.done(&["abort", "a"]);
    let told = "toolwire: `a`: stopped: exit status 0, before it was aborted\n";
    assert_eq!((&*ran.stdout, &*ran.stderr), ("", told));
    let ran = here.done(&["fetch", "a", "--max-bytes", "1M"]);
    assert!(ran.stdout.ends_with("10000\n"), "{ran:?}");
    here.end();
}

#[test]
fn a_terminal_is_resized_without_a_person() {
    let here = Workspace::new();
    here.done(&["spawn", "a", "--pty", "--", "sh"]);
    here.done(&["resize", "a", "101x33"]);
    let size = here.done(&["apply", "a", "stty size", "--enter", "--until", "33 101"]);
    assert!(size.stdout.contains("33 101"), "{size:?}");
    let list = here.done(&["list"]);
    assert!(list.stdout.contains("running, started "), "{list:?}");
    assert!(list.stdout.ends_with(" s ago: sh\n"), "{list:?}");
    here.done(&["abort", "a"]);
    assert_eq!(here.run(&["resize", "a", "80x24"]).code, 1);
    here.end();
}

#[test]
fn a_text_answers_a_question_as_an_option_does() {
    let here = Workspace::new();
    here.json(&["spawn", "a", "./echo"]);
    for yes in ["yes", "true", "y"] {
        here.json(&["apply", "a", "ask"]);
        let answered = here.done(&["apply", "a", yes, "--enter"]);
        assert_eq!(answered.stdout, "said yes\n", "{yes}");
        here.json(&["apply", "a", "ask"]);
        let answer = format!("ok={yes}");
        let answered = here.done(&["apply", "a", "--answer", &answer]);
        assert_eq!(answered.stdout, "said yes\n", "{yes}");
    }
    here.json(&["apply", "a", "ask"]);
    let waited = here.run(&["wait", "a"]);
    assert_eq!(waited.code, 7);
    assert_eq!(waited.stdout, "a  echo  waits for an answer: Go on?\n");
    assert_eq!(here.done(&["apply", "a", "n"]).stdout, "said no\n");
    here.end();
}

#[test]
fn json_is_one_text_whatever_happens() {
    let here = Workspace::new();
    for args in [
        &["fetch", "a"][..],
        &["apply", "a", "x"],
        &["wait", "a"],
        &["abort", "a"],
        &["spawn", "a", "nothing"],
        &["apply", "a", "--input-json", "{"],
    ] {
        let ran = here.run(&[&args[..1], &["--json"], &args[1..]].concat());
        assert!(ran.code != 0, "{args:?}: {ran:?}");
        assert_eq!(ran.json()["isError"], true, "{args:?}: {ran:?}");
    }
    here.json(&["spawn", "b", "./echo"]);
    for args in [
        &["fetch", "a"][..],
        &["wait", "a"],
        &["apply", "a", "--answer", "ok=yes"],
        &["fetch", "b", "--screen"],
    ] {
        let ran = here.run(&[&args[..1], &["--json"], &args[1..]].concat());
        assert_eq!(ran.json()["isError"], true, "{args:?}: {ran:?}");
    }
    here.end();
}

#[test]
fn what_is_wrong_is_said_and_nothing_is_done() {
    let here = Workspace::new();
    for (args, code, message) in [
        (&["spawn"][..], 2, "<ID>"),
        (&["spawn", "a"], 2, "name the program that `a` is to run"),
        (
            &["spawn", "a", "cat"],
            2,
            "toolwire session spawn ID -- cat",
        ),
        (&["spawn", "a", "./missing"], 5, "./missing"),
        (&["spawn", "a", "./echo", "wort=x"], 2, "word"),
        (&["spawn", "a", "--pty", "--pipe", "./echo"], 2, "--pipe"),
        (&["spawn", "a", "--size", "80", "./echo"], 2, "120x40"),
        (
            &["spawn", "a", "--pty", "--size", "1x1", "--", "sh"],
            2,
            "from 2 to 500",
        ),
        (&["spawn", "a", "--size", "80x24", "./echo"], 2, "--pty"),
        (
            &["spawn", "a", "--pipe", "--size", "80x24", "--", "sh"],
            2,
            "--pipe",
        ),
        (&["apply", "a", "--key", "foo"], 2, "there is no key `foo`"),
        (&["apply", "a", "--key", "foo"], 2, "given without `--key`"),
        (&["spawn", "", "./echo"], 2, "id"),
        (&["fetch"], 2, "<ID>"),
        (&["fetch", "a"], 1, "there is no handle `a`"),
        (&["fetch", "a", "--wait", "5"], 2, "5s"),
        (&["fetch", "a", "--screen", "--new"], 2, "--new"),
        (&["apply", "a"], 2, "say what to apply"),
        (&["apply", "a", "x", "--key", "up"], 2, "--key"),
        (&["apply", "a", "--input-json", "{"], 2, "not JSON"),
        (&["apply", "a", "--answer", "ok=x"], 1, "there is no handle"),
        (&["apply", "a", "x"], 1, "there is no handle `a`"),
        (&["abort"], 2, "<ID>"),
        (&["abort", "a"], 1, "there is no handle `a`"),
        (&["wait"], 2, "<ID>"),
        (&["wait", "a"], 1, "there is no handle `a`"),
        (&["list", "--root", "./missing"], 2, "is no folder"),
        (
            &["spawn", "a", "--timeout", "1s", "--", "cat"],
            2,
            "limit its whole time with `--max-time`",
        ),
        (&["attach", "a"], 1, "there is no handle `a`"),
        (&["attach", "a", "--detach-key", "x"], 2, "ctrl-a"),
        (&["spwan"], 2, "spawn"),
    ] {
        let ran = here.run(args);
        assert_eq!(ran.code, code, "{args:?}: {ran:?}");
        assert!(ran.stderr.contains(message), "{args:?}: {ran:?}");
    }
    here.json(&["spawn", "a", "./echo"]);
    for (args, code, message) in [
        (
            &["spawn", "a", "./echo"][..],
            1,
            "`a` is in use; choose another id; possible now: `fetch`, `apply`, `abort`",
        ),
        (&["fetch", "b"], 1, "there is `a`"),
        (
            &["fetch", "a", "--after", "99"],
            2,
            "`--after` is at most 1",
        ),
        (&["fetch", "a", "--screen"], 2, "no pseudo-terminal"),
        (&["fetch", "a", "--max-bytes", "0"], 2, "--max-bytes"),
        (
            &["apply", "a", "--answer", "ok=true"],
            1,
            "no question of `a` is open",
        ),
        (&["apply", "a", "--decline"], 1, "question"),
        (
            &["wait", "a", "b", "--timeout", "1s"],
            1,
            "there is no handle `b`",
        ),
        (&["attach", "a"], 1, "no terminal on standard input"),
    ] {
        let ran = here.run(args);
        assert_eq!(ran.code, code, "{args:?}: {ran:?}");
        assert!(ran.stderr.contains(message), "{args:?}: {ran:?}");
    }
    here.json(&["apply", "a", "ask"]);
    for (args, code, message) in [
        (&["apply", "a", "--answer", "ok=perhaps"][..], 2, "true"),
        (&["apply", "a", "--answer", "ko=true"], 2, "`ok`"),
        (&["apply", "a", "perhaps"], 2, "`true` or `false`"),
        (
            &["apply", "a", "--input-json", "7"],
            2,
            "must be true or false",
        ),
    ] {
        let ran = here.run(args);
        assert_eq!(ran.code, code, "{args:?}: {ran:?}");
        assert!(ran.stderr.contains(message), "{args:?}: {ran:?}");
    }
    here.end();
}

#[test]
fn ids_are_completed() {
    let here = Workspace::new();
    let complete = |words: &[&str]| {
        let mut command = std::process::Command::new(common::toolwire());
        command
            .args(["__complete", "fish", "toolwire", "session"])
            .args(words)
            .current_dir(&here.root)
            .env("XDG_RUNTIME_DIR", &here.runtime)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        run_command(command, b"").stdout
    };
    let verbs = complete(&[""]);
    for verb in ["spawn", "fetch", "apply", "abort", "list", "wait", "attach"] {
        assert!(verbs.contains(&format!("word\t{verb}\t")), "{verbs}");
    }
    assert!(complete(&["fetch", "--"]).contains("--until"));
    assert_eq!(complete(&["fetch", ""]), "");
    assert!(here.hosts().is_empty());
    here.json(&["spawn", "building", "./echo"]);
    for before in ["fetch", "apply", "abort", "wait", "attach"] {
        let ids = complete(&[before, ""]);
        assert!(ids.contains("\tbuilding\techo, running"), "{before}: {ids}");
    }
    assert!(complete(&["wait", "building", "b"]).contains("building"));
    assert!(!complete(&["apply", "building", ""]).contains("building"));
    assert_ne!(complete(&["spawn", "x", "./e"]), "");
    here.end();
}

/// The example of the README, in a repository with three hunks of which two have the word.
#[test]
fn git_add_patch_is_driven_by_a_script() {
    let here = Workspace::new();
    let git = |args: &[&str]| {
        let mut command = std::process::Command::new("git");
        let user = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
        command.args(user).args(args).current_dir(&here.root);
        let ran = command.output().unwrap();
        assert!(ran.status.success(), "{args:?}: {ran:?}");
        String::from_utf8(ran.stdout).unwrap()
    };
    let story = |lines: [&str; 3]| {
        let mut all: Vec<String> = (1..60).map(|number| format!("line {number}")).collect();
        for (place, line) in [5, 30, 55].into_iter().zip(lines) {
            all[place] = line.to_owned();
        }
        fs::write(here.root.join("story.txt"), all.join("\n") + "\n").unwrap();
    };
    story(["one", "two", "three"]);
    git(&["init", "--quiet"]);
    git(&["add", "story.txt"]);
    git(&["commit", "--quiet", "-m", "begin"]);
    story(["a gate", "a fence", "another gate"]);
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/shell/stage-hunks.sh"
    );
    let toolwire = common::toolwire();
    let path = format!(
        "{}:{}",
        toolwire.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    let mut command = std::process::Command::new("sh");
    command
        .args([script, "gate"])
        .current_dir(&here.root)
        .env("PATH", path)
        .env("XDG_RUNTIME_DIR", &here.runtime)
        .env("TOOLWIRE_SESSION_IDLE", "5s")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let ran = run_command(command, b"");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.stdout.starts_with("hunk 1: y\nhunk 2: n\nhunk 3: y\n"),
        "{ran:?}"
    );
    let staged = git(&["diff", "--cached"]);
    assert!(
        staged.contains("+a gate") && staged.contains("+another gate"),
        "{staged}"
    );
    assert!(!staged.contains("fence"), "{staged}");
    assert!(git(&["diff"]).contains("+a fence"));
    here.nothing_is_left();
}

#[test]
fn a_manifest_says_that_a_program_has_a_terminal() {
    let here = Workspace::new();
    let manifest = here.root.join("toolwire.toml");
    let tool = "[tools.shell]\ncommand = ['sh', '-c', 'test -t 0 && echo terminal; read x']\nsession = 'pty'\n";
    fs::write(&manifest, tool).unwrap();
    set_mode(&manifest, 0o644);
    for words in [&["tools"][..], &["tools", "shell"]] {
        let mut command = common::command(words);
        command.current_dir(&here.root).stdin(Stdio::piped());
        let shown = run_command(command, b"");
        assert!(shown.stdout.contains("(keeps running)"), "{shown:?}");
    }
    here.done(&[
        "spawn", "a", "--until", "terminal", "--wait", "60s", "shell",
    ]);
    let fetched = here.done(&["fetch", "a", "--screen"]);
    assert!(fetched.stdout.contains("terminal"), "{fetched:?}");
    assert_eq!(here.json(&["list"])["handles"][0]["terminal"], true);
    here.done(&["apply", "a", "--key", "enter"]);
    here.done(&["wait", "a", "--timeout", "30s"]);
    here.end();
}

/// With the handles that the examples name.
#[test]
fn every_example_of_the_help_works() {
    let here = Workspace::new();
    let tool = here.dir.tool("tool.sh", common::RENAME, "");
    let confirm = r#"{"content":[{"type":"question","question":{"id":"confirm","text":"Go on?","schema":{"type":"boolean"}}}]}"#;
    let ask = format!(r#"case $call in *'"confirm":true'*) ;; *) echo '{confirm}'; exit ;; esac"#);
    let asks = here.dir.tool("asks.sh", common::SEARCH, &ask);
    fs::copy(tool, here.root.join("tool.sh")).unwrap();
    let manifest = here.root.join("toolwire.toml");
    let greet = "[tools.greet]\ncommand = ['echo', '{name}']\nparameters.name.type = 'string'\n";
    fs::write(&manifest, greet).unwrap();
    set_mode(&manifest, 0o644);
    let toolwire = common::toolwire();
    let path = format!(
        "{}:{}",
        toolwire.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    for verb in [
        "", "spawn", "run", "fetch", "apply", "wait", "list", "resize", "abort",
    ] {
        if !["", "spawn"].contains(&verb) {
            here.done(&["spawn", "words", "--pipe", "--", "cat"]);
            here.done(&["spawn", "shell", "--pty", "--", "sh"]);
            here.done(&["spawn", "asking", &asks]);
            assert_eq!(here.run(&["wait", "asking", "--timeout", "60s"]).code, 7);
            here.done(&["spawn", "done", "--pipe", "--", "true"]);
            here.done(&["wait", "done"]);
        }
        let help = here.done(&[verb, "--help"].as_slice()[usize::from(verb.is_empty())..]);
        assert!(help.stdout.contains("Exit codes:"), "{verb}");
        assert!(
            help.stdout.lines().all(|line| line.chars().count() <= 100),
            "{}",
            help.stdout
        );
        let (_, examples) = help.stdout.split_once("Examples:\n").unwrap();
        let examples: Vec<&str> = examples
            .lines()
            .take_while(|line| line.starts_with("  "))
            .collect();
        assert!(examples.len() >= 3, "{verb}: {examples:?}");
        for example in examples {
            let mut command = std::process::Command::new("sh");
            command
                .args(["-e", "-c", example])
                .current_dir(&here.root)
                .env("PATH", &path)
                .env("XDG_RUNTIME_DIR", &here.runtime)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            let ran = run_command(command, b"");
            assert_eq!(ran.code, 0, "`{example}`: {ran:?}");
        }
        for handle in here.json(&["list"])["handles"].as_array().unwrap() {
            let id = handle["id"].as_str().unwrap();
            here.run(&["abort", id]);
            here.run(&["fetch", id]);
        }
    }
    here.end();
}
