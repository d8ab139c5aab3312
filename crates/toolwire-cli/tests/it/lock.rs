//! Chapter 30: what is locked, and how a change of it is accepted.

use std::fs;

use crate::common::contracts::{
    MANIFEST, TOOL, find, lock_json, lock_text, says, stage, toolwire, toolwire_with,
};
use crate::common::prompt::start_shell;
use crate::common::{self, command, run_command, says_all};
use serde_json::json;

#[test]
fn what_is_locked_says_the_same_wherever_the_folder_lies() {
    let dir = stage();
    dir.file("toolwire.toml", MANIFEST);
    let ran = toolwire(&dir, &["lock"]);
    says_all(&ran, 0, &["added  find\nadded  greet\n"]);
    fs::create_dir_all(dir.path().join("below")).unwrap();
    let mut below = command(&["lock", "--", "../server.py"]);
    below
        .current_dir(dir.path().join("below"))
        .env("HOME", dir.path());
    says_all(&run_command(below, b""), 0, &["added  ./server.py\n"]);
    let lock = lock_json(&dir);
    let names: Vec<&String> = lock["sources"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["./server.py", "find", "greet"]);
    let server = &lock["sources"]["./server.py"];
    assert_eq!(server["instructions"]["text"], "Ask first.");
    assert_eq!(server["launch"]["program"], "./server.py");
    assert_eq!(server["tools"].as_object().unwrap().len(), 2);
    assert_eq!(
        lock["sources"]["greet"]["launch"]["environment"],
        json!(["GREETING"])
    );
    assert_eq!(
        lock["sources"]["find"]["tools"]["find"]["tool"]["description"],
        "Finds it."
    );
    let text = lock_text(&dir);
    assert!(!text.contains(dir.path().to_str().unwrap()), "{text}");
    // What did not change is not written again.
    let again = toolwire(&dir, &["lock", "--json"]);
    assert_eq!(again.code, 0, "{again:?}");
    assert_eq!(
        again.json()["sources"],
        json!([{ "name": "find", "state": "same" }, { "name": "greet", "state": "same" }])
    );
    assert_eq!(lock_text(&dir), text);
    // Fingerprints are those that `tools` writes.
    let hash = toolwire(&dir, &["tools", "find", "--fingerprint", "--json"]).json();
    assert_eq!(
        lock["sources"]["find"]["tools"]["find"]["fingerprints"],
        hash["fingerprints"]["find"]
    );
}

/// A command is locked as a launch URI, by which `check` starts it without asking.
#[test]
fn a_command_is_locked_as_what_starts_the_same() {
    let dir = stage();
    let ran = toolwire(
        &dir,
        &["lock", "--", "python3", "./server.py", "--zone", "UTC"],
    );
    says_all(&ran, 0, &["added  mcp+python://./server.py?"]);
    let ran = toolwire(&dir, &["lock", "--", "./server.py"]);
    says_all(&ran, 0, &["added  ./server.py\n"]);
    says_all(&toolwire(&dir, &["check"]), 0, &["same"]);
    let ran = toolwire(
        &dir,
        &["lock", "--", "python3", "./server.py", "--token", "hunter2"],
    );
    says_all(&ran, 2, &["never enters a lock"]);
    assert!(!lock_text(&dir).contains("hunter2"));
}

/// LOCK-13: what is secret is in the environment, the arguments, headers and URLs, and nowhere in the lock.
#[test]
fn credentials_never_enter_the_lock() {
    let dir = stage();
    let server = dir.path().join("server.py");
    let servers = json!({ "mcpServers": {
        "keyed": {
            "command": server,
            "args": ["--token", "hunter2-token", "--url=https://me:hunter2-user@db.example/", "--zone", "UTC"],
            "env": { "API_KEY": "hunter2-key" },
        },
        "remote": {
            "url": "https://me.example/mcp?api_key=hunter2-query",
            "headers": { "Authorization": "Bearer hunter2-header" },
        },
    } });
    fs::create_dir_all(dir.path().join(".cursor")).unwrap();
    dir.file(".cursor/mcp.json", servers.to_string());
    dir.file("toolwire.toml", MANIFEST);
    says_all(
        &toolwire(&dir, &["lock", "find", "greet", "keyed", "--yes"]),
        0,
        &["added  mcp:keyed\n"],
    );
    let text = lock_text(&dir);
    assert!(!text.contains("hunter2"), "{text}");
    let launch = &lock_json(&dir)["sources"]["mcp:keyed"]["launch"];
    assert_eq!(
        launch["arguments"],
        json!([
            "--token",
            "***",
            "--url=https://***@db.example/",
            "--zone",
            "UTC"
        ])
    );
    assert_eq!(launch["environment"], json!(["API_KEY"]));
    // What would be the name of the source is no way in either.
    for word in [
        "https://me.example/mcp?api_key=hunter2-word",
        "https://me:hunter2-word@me.example/mcp",
        "mcp+npx://clock?command=--token&command=hunter2-word",
    ] {
        let ran = toolwire(&dir, &["lock", word, "--yes"]);
        says_all(&ran, 2, &["never enters a lock"]);
        assert!(!ran.stderr.contains("hunter2"), "{ran:?}");
    }
    assert_eq!(lock_text(&dir), text);
    // Another secret is no change, another zone is one.
    let secret = servers.to_string().replace("hunter2", "hunter3");
    dir.file(".cursor/mcp.json", &secret);
    says_all(
        &toolwire(&dir, &["check", "mcp:keyed", "--yes"]),
        0,
        &["same: 2 tools as locked\n"],
    );
    dir.file(".cursor/mcp.json", secret.replace("UTC", "CET"));
    let ran = toolwire(&dir, &["check", "--offline", "mcp:keyed"]);
    says_all(
        &ran,
        1,
        &[
            "  behaviour  launch  arguments  [\"--token\",\"***\",",
            "\"CET\"]\n",
            "2 tools not verified",
        ],
    );
}

/// LOCK-13: a server of the manifest is locked with it, and the values of variables are not.
#[test]
fn servers_of_the_manifest_are_locked_without_the_values_of_variables() {
    let dir = stage();
    let manifest = "[servers.keyed]\ncommand = ['./server.py', '--auth', '${AUTH_WORD}', 'in ${AUTH_WORD}']\n\
        env = { API_KEY = '${AUTH_WORD}' }\n";
    dir.file("toolwire.toml", format!("{MANIFEST}{manifest}"));
    let secret = [("AUTH_WORD", "hunter2")];
    let ran = toolwire_with(&dir, &["lock"], &secret);
    says_all(&ran, 0, &["added  find\nadded  greet\nadded  keyed\n"]);
    let text = lock_text(&dir);
    assert!(!text.contains("hunter2"), "{text}");
    let launch = &lock_json(&dir)["sources"]["keyed"]["launch"];
    assert_eq!(
        launch["arguments"],
        json!(["--auth", "${AUTH_WORD}", "in ${AUTH_WORD}"])
    );
    assert_eq!(launch["environment"], json!(["API_KEY"]));
    let ran = toolwire_with(&dir, &["check", "keyed"], &[("AUTH_WORD", "another")]);
    says_all(&ran, 0, &["keyed  same  2 tools\n"]);
    // Also from another folder.
    fs::create_dir_all(dir.path().join("below")).unwrap();
    let mut below = command(&["check"]);
    below
        .current_dir(dir.path().join("below"))
        .env("HOME", dir.path())
        .envs(secret);
    says_all(&run_command(below, b""), 0, &["same: 4 tools as locked\n"]);
}

/// What changed is accepted by nobody but a person, or by `--yes`.
#[test]
fn a_change_is_accepted_once_it_was_shown() {
    let dir = stage();
    says_all(
        &toolwire(&dir, &["lock", "--", "./server.py"]),
        0,
        &["added  ./server.py\n"],
    );
    let before = lock_text(&dir);
    says(
        &dir,
        &json!({ "tools": [find("Finds all.", "text")], "instructions": "Never ask." }),
    );
    let ran = toolwire(&dir, &["lock", "--", "./server.py"]);
    says_all(
        &ran,
        1,
        &[
            "changed  ./server.py\n",
            "`toolwire lock --update` accepts it",
        ],
    );
    let ran = toolwire(&dir, &["lock", "--update", "./server.py"]);
    says_all(
        &ran,
        2,
        &[
            "| Finds [-it-]{+all+}.\n",
            "| [-Ask first-]{+Never ask+}.\n",
            "count  gone",
            "nobody to ask",
            "--yes",
        ],
    );
    assert_eq!(lock_text(&dir), before);
    dir.file("before", &before);
    let script = "export HOME=\"$PWD\"; unset XDG_CONFIG_HOME XDG_DATA_HOME; \
        \"$TOOLWIRE\" lock --update; echo first=$?; cmp toolwire.lock before && echo kept; \
        \"$TOOLWIRE\" lock --update; echo code=$?";
    let mut terminal = start_shell(dir, script);
    terminal.shows("Accept this of `./server.py`? [y/N]");
    terminal.types("n\r", "first=1");
    terminal.shows("kept");
    terminal.until("second prompt", |screen| {
        screen.matches("Accept this").count() == 2 || screen.ends_with("[y/N]")
    });
    terminal.types("y\r", "code=0");
    terminal.shows("updated  ./server.py");
    let dir = terminal.dir;
    assert_ne!(lock_text(&dir), before);
    says_all(
        &toolwire(&dir, &["check"]),
        0,
        &["same: 1 tool as locked\n"],
    );
    // What is gone leaves the lock in the same way.
    fs::remove_file(dir.path().join("server.py")).unwrap();
    says_all(
        &toolwire(&dir, &["check"]),
        1,
        &[
            "./server.py  gone  breaking\n  to do: take it out of the lock by `toolwire lock --update ./server.py`\n",
            "breaking: 1 source gone\n",
        ],
    );
    says_all(
        &toolwire(&dir, &["lock", "--update", "--yes"]),
        0,
        &["removed  ./server.py\n"],
    );
    assert_eq!(lock_json(&dir)["sources"], json!({}));
}

#[test]
fn a_manifest_stays_as_it_was_written() {
    let dir = stage();
    let by_hand = format!("# Ours.\n\n{MANIFEST}\n  # Not yet:\n# [tools.more]");
    dir.file("toolwire.toml", &by_hand);
    let update = ["lock", "--update", "--yes"];
    let all: [&[&str]; 6] = [
        &["lock"],
        &["check"],
        &update,
        &["run", "greet", "who=you"],
        &["trust", "toolwire.toml"],
        &["servers", "mcp+uvx://clock", "--to", "manifest"],
    ];
    for args in all {
        says_all(&toolwire(&dir, args), 0, &[]);
    }
    dir.file("tools.json", json!([find("Finds all.", "q")]).to_string());
    says_all(&toolwire(&dir, &update), 0, &["updated  find\n"]);
    let text = fs::read_to_string(dir.path().join("toolwire.toml")).unwrap();
    assert_eq!(text, by_hand);
}

/// Whoever writes at the same time loses nothing.
#[test]
fn sources_that_are_locked_at_a_time_are_all_locked() {
    let dir = stage();
    let names: Vec<String> = (0..8).map(|nth| format!("./tool{nth}.py")).collect();
    for name in &names {
        let path = dir.file(name, TOOL);
        common::set_mode(path.as_ref(), 0o755);
    }
    std::thread::scope(|scope| {
        for name in &names {
            let dir = &dir;
            scope.spawn(move || says_all(&toolwire(dir, &["lock", name]), 0, &["added  ./tool"]));
        }
    });
    assert_eq!(lock_json(&dir)["sources"].as_object().unwrap().len(), 8);
}

/// LOCK-2.
#[test]
fn a_lock_that_cannot_be_read_is_left_as_it_is() {
    let dir = stage();
    for (text, part) in [
        (r#"{"lockVersion":2,"sources":{}}"#, "version 2"),
        (r#"{"lockVersion":1}"#, "`sources` is missing"),
        ("<<<<<<< ours", "resolve its merge conflicts"),
    ] {
        dir.file("toolwire.lock", text);
        for args in [
            &["lock", "--", "./server.py"][..],
            &["check"],
            &["lock", "--update", "--yes"],
        ] {
            says_all(&toolwire(&dir, args), 2, &[part]);
            assert_eq!(lock_text(&dir), text);
        }
    }
}

/// Security: who answers, and what else is set for a tool, is locked too.
#[test]
fn who_answers_and_what_is_set_is_locked() {
    let dir = stage();
    let entry = |more: &str| format!("[tools.find]\ncommand = ['./tool.py']\n{more}");
    let first = "questions = { confirm = 'user' }\narguments = { a = 1 }\nenv = { LEVEL = 'low', API_TOKEN = 'hunter2' }\n";
    dir.file("toolwire.toml", entry(first));
    assert_eq!(toolwire(&dir, &["lock"]).code, 0);
    assert!(!lock_text(&dir).contains("hunter2"));
    assert_eq!(toolwire(&dir, &["check"]).code, 0);
    for (from, to, member) in [
        ("'user'", "'assistant'", "questions"),
        (
            "questions",
            "assistant = ['./evil.sh']\nquestions",
            "questions",
        ),
        ("a = 1", "a = 2", "settings"),
        ("'low'", "'high'", "settings"),
        ("env", "inherit = 'all'\nenv", "settings"),
        ("env", "options = { deep = true }\nenv", "settings"),
    ] {
        dir.file("toolwire.toml", entry(&first.replacen(from, to, 1)));
        let ran = toolwire(&dir, &["check", "--json"]);
        assert_eq!(ran.code, 1, "{to}: {ran:?}");
        let changes = &ran.json()["sources"][0]["launch"]["changes"];
        assert_eq!(changes[0]["member"], member, "{to}: {ran:?}");
        assert_eq!(changes[0]["verdict"], "safety", "{to}");
    }
    // The value of a credential may be another tomorrow.
    dir.file("toolwire.toml", entry(&first.replace("hunter2", "hunter3")));
    assert_eq!(toolwire(&dir, &["check"]).code, 0);
}
