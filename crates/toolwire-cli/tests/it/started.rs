//! LOCK-26: a lock says what was really started. The launchers of the registries are those of
//! `conformance/mcp/test_sources.py`; here stands one in their place that can fail.

use std::fs;
use std::process::Command;

use crate::common::contracts::{self, says};
use crate::common::session::is_alive;
use crate::common::{Dir, Run, command_at_home, run_command, says_all, set_mode};
use serde_json::{Value, json};

/// A launcher that starts the server, and does what stands in `answer` where it is asked.
const LAUNCHER: &str = r#"#!/bin/sh
case " $* " in
*" --offline "*)
    cat > HERE/program
    { pwd; ls -A | wc -l; printf '%s\n' "$@" "token=$SOME_TOKEN"; } > HERE/asked
    . HERE/answer ;;
*) exec python3 HERE/server.py ;;
esac
"#;

const CLOCK: &str = "mcp+uvx://clock";

fn stage() -> Dir {
    let dir = contracts::stage();
    let now = json!({ "name": "now", "inputSchema": { "type": "object", "properties": {} } });
    says(&dir, &json!({ "tools": [now] }));
    let here = fs::canonicalize(dir.path()).unwrap();
    fs::create_dir(here.join("programs")).unwrap();
    let launcher = LAUNCHER.replace("HERE", here.to_str().unwrap());
    set_mode(dir.file("programs/uvx", launcher).as_ref(), 0o755);
    dir
}

fn toolwire(dir: &Dir, args: &[&str]) -> Run {
    let path = std::env::var("PATH").unwrap();
    let mut command = command_at_home(dir.path(), dir.path(), args);
    command.env("SOME_TOKEN", "hunter2").env(
        "PATH",
        format!("{}:{path}", dir.path().join("programs").display()),
    );
    run_command(command, b"")
}

fn answers(dir: &Dir, what: &str) {
    let _ = fs::remove_file(dir.path().join("asked"));
    dir.file("answer", what);
}

fn launch(dir: &Dir, name: &str) -> Value {
    let lock = fs::read_to_string(dir.path().join("toolwire.lock")).unwrap();
    let lock: Value = serde_json::from_str(&lock).unwrap();
    lock["sources"][name]["launch"].clone()
}

/// The Python of this machine, as a lock has it.
fn python() -> String {
    let script = "import sys; print('python %d.%d' % sys.version_info[:2])";
    let ran = Command::new("python3").args(["-c", script]).output();
    String::from_utf8(ran.unwrap().stdout)
        .unwrap()
        .trim()
        .to_owned()
}

#[test]
fn the_version_that_was_started_is_locked_and_compared() {
    let dir = stage();
    answers(
        &dir,
        r#"echo '{"version":"1.2.3","interpreter":"python 3.9"}'"#,
    );
    says_all(&toolwire(&dir, &["lock", CLOCK, "--yes"]), 0, &["added"]);
    assert_eq!(
        launch(&dir, CLOCK),
        json!({ "transport": "stdio", "launcher": "uvx", "package": "clock", "program": "clock",
            "requested": "*", "version": "1.2.3", "interpreter": "python 3.9" })
    );
    // It was asked in the environment of the launch.
    let asked = fs::read_to_string(dir.path().join("asked")).unwrap();
    let mut lines = asked.lines();
    let folder = lines.next().unwrap();
    assert!(folder.contains("/.cache/toolwire/"), "{asked}");
    assert!(!fs::exists(folder).unwrap(), "{asked}");
    assert_eq!(lines.next().unwrap().trim(), "0", "{asked}");
    let words: Vec<&str> = lines.collect();
    assert_eq!(
        words,
        [
            "--offline",
            "--from",
            "clock",
            "python",
            "-I",
            "-",
            "clock",
            "token="
        ]
    );
    let program = fs::read_to_string(dir.path().join("program")).unwrap();
    assert!(program.contains("importlib.metadata"), "{program}");

    let same = toolwire(&dir, &["check", "--yes"]);
    says_all(&same, 0, &["same  1 tool\n"]);
    answers(
        &dir,
        r#"echo '{"version":"1.3.0","interpreter":"python 3.9"}'"#,
    );
    // Offline, and before a call, nobody is asked.
    says_all(
        &toolwire(&dir, &["check", "--offline"]),
        0,
        &["not verified  1 tool\n"],
    );
    let called = toolwire(&dir, &["run", "--locked", "--yes", CLOCK, "now"]);
    assert_eq!((called.code, called.stderr.as_str()), (0, ""), "{called:?}");
    assert!(!dir.path().join("asked").exists());
    let check = toolwire(&dir, &["check", "--yes"]);
    says_all(
        &check,
        1,
        &[
            "  behaviour  launch  version  \"1.2.3\" -> \"1.3.0\"\n",
            "behaviour: 1 tool as locked, 1 source with another launch\n",
        ],
    );
    says_all(
        &toolwire(&dir, &["lock", "--update", "--yes"]),
        0,
        &["updated"],
    );
    assert_eq!(launch(&dir, CLOCK)["version"], "1.3.0");
}

/// LOCK-26: no answer is no error and no change.
#[test]
fn a_launcher_that_says_nothing_leaves_it_open() {
    let dir = stage();
    answers(
        &dir,
        r#"echo '{"version":"1.2.3","interpreter":"python 3.9"}'"#,
    );
    says_all(&toolwire(&dir, &["lock", CLOCK, "--yes"]), 0, &["added"]);
    let locked = launch(&dir, CLOCK);
    for answer in [
        "echo no JSON",
        "echo '{\"version\": \"\\u001b[2J\"}'",
        "exit 3",
        "kill -9 $$",
        // More than is read of it.
        "yes '{}'",
    ] {
        answers(&dir, answer);
        let ran = toolwire(&dir, &["check", "--yes"]);
        let facts = "1 tool as locked  not verified: interpreter, version\n";
        says_all(
            &ran,
            0,
            &[
                facts,
                "same: 1 tool as locked, 1 source not verified in full\n",
            ],
        );
        assert!(dir.path().join("asked").exists(), "{answer}");
        let ran = toolwire(&dir, &["lock", CLOCK, "--yes"]);
        says_all(&ran, 0, &["same"]);
        assert_eq!(launch(&dir, CLOCK), locked, "{answer}");
    }
    let report = toolwire(&dir, &["check", "--yes", "--json"]).json();
    assert_eq!(report["verified"], false);
    assert_eq!(
        report["sources"][0]["launch"],
        json!({ "state": "not_verified", "changes": [], "notVerified": ["interpreter", "version"] })
    );
    // Also one that never comes back; what it has started ends with it.
    answers(
        &dir,
        "echo $$ > HERE/asks; sleep 600"
            .replace("HERE", dir.path().to_str().unwrap())
            .as_str(),
    );
    let ran = toolwire(&dir, &["check", "--yes", "--connect-timeout", "15s"]);
    says_all(&ran, 0, &["not verified: interpreter, version\n"]);
    let asks = fs::read_to_string(dir.path().join("asks")).unwrap();
    assert!(!is_alive(asks.trim().parse().unwrap()));

    // What was never known is not in the lock.
    fs::remove_file(dir.path().join("toolwire.lock")).unwrap();
    answers(&dir, "exit 3");
    says_all(&toolwire(&dir, &["lock", CLOCK, "--yes"]), 0, &["added"]);
    assert_eq!(launch(&dir, CLOCK)["version"], Value::Null);
    says_all(&toolwire(&dir, &["check", "--yes"]), 0, &["same"]);
}

#[test]
fn the_interpreter_of_a_script_is_locked() {
    let dir = stage();
    dir.file(
        "toolwire.toml",
        "[tools.find]\ncommand = './tool.py'\n\n[servers.clock]\ncommand = ['python3', './server.py']\n\n\
         [tools.greet]\ncommand = ['echo', 'hello']\nplain = true\n",
    );
    let script = "mcp+python://./server.py";
    says_all(&toolwire(&dir, &["lock"]), 0, &["added  clock\n"]);
    says_all(
        &toolwire(&dir, &["lock", script, "--yes", "--", "./server.py"]),
        0,
        &[],
    );
    let python = python();
    for name in ["find", "clock", "./server.py", script] {
        assert_eq!(launch(&dir, name)["interpreter"], python, "{name}");
    }
    assert_eq!(launch(&dir, "greet")["interpreter"], Value::Null);
    let path = dir.path().join("toolwire.lock");
    let lock = fs::read_to_string(&path).unwrap();
    assert!(!lock.contains(dir.path().to_str().unwrap()), "{lock}");
    says_all(
        &toolwire(&dir, &["check", "--yes"]),
        0,
        &["tools as locked\n"],
    );
    fs::write(&path, lock.replace(&python, "python 2.7")).unwrap();
    let ran = toolwire(&dir, &["check", "find"]);
    let told = format!("  behaviour  launch  interpreter  \"python 2.7\" -> \"{python}\"\n");
    says_all(&ran, 1, &[&told]);
    says_all(
        &toolwire(&dir, &["check", "--offline"]),
        0,
        &["find  not verified  1 tool\n"],
    );
}
