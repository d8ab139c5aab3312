//! Profiles are written, shown, compared, used, updated and removed.

use std::fs;
use std::path::PathBuf;

use crate::common::prompt::start_shell;
use crate::common::{self, Dir, Run, command, command_at_home, run_command};
use serde_json::{Value, json};

/// A server with two tools, written without any library.
const OFFERS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../toolwire-mcp/tests/servers/offers.py"
);

/// A home folder, with a workspace in it and a server that does as the file `way` says.
fn stage() -> Dir {
    let dir = Dir::new();
    fs::create_dir_all(dir.path().join("home/project/deep")).unwrap();
    let way = dir.path().join("way");
    fs::write(&way, "").unwrap();
    let calls = calls_of(&dir);
    let script = format!(
        "export OFFERS_CALLS='{}'\nexec {OFFERS} 2025-11-25 $(cat '{}')",
        calls.display(),
        way.display()
    );
    dir.program("server", &script);
    dir
}

/// The file with the names of the tools that were called.
fn calls_of(dir: &Dir) -> PathBuf {
    dir.path().join("calls")
}

/// Which tools were called since this was asked last.
fn called(dir: &Dir) -> String {
    let calls = fs::read_to_string(calls_of(dir)).unwrap_or_default();
    fs::write(calls_of(dir), "").unwrap();
    calls
}

fn server(dir: &Dir) -> String {
    dir.path().join("server").to_str().unwrap().to_owned()
}

fn way(dir: &Dir, way: &str) {
    fs::write(dir.path().join("way"), way).unwrap();
}

fn toolwire_with(dir: &Dir, args: &[&str], input: &str) -> Run {
    let home = dir.path().join("home");
    let command = command_at_home(&home, &home.join("project"), args);
    run_command(command, input.as_bytes())
}

fn toolwire(dir: &Dir, args: &[&str]) -> Run {
    toolwire_with(dir, args, "")
}

fn ok(dir: &Dir, args: &[&str]) -> Run {
    let ran = toolwire(dir, args);
    assert_eq!(ran.code, 0, "{args:?}: {ran:?}");
    ran
}

/// The folder of the user's profile.
fn folder(dir: &Dir, name: &str) -> PathBuf {
    let profiles = "home/.local/share/toolwire/profiles/mcp";
    dir.path().join(profiles).join(name)
}

fn json_of(dir: &Dir, file: &str) -> Value {
    let text = fs::read_to_string(folder(dir, "sums").join(file)).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Changes a file of the profile `sums`.
fn edit(dir: &Dir, file: &str, edit: &dyn Fn(&mut Value)) {
    let mut value = json_of(dir, file);
    edit(&mut value);
    fs::write(folder(dir, "sums").join(file), value.to_string()).unwrap();
}

/// Writes the profile `sums` of the server.
fn create(dir: &Dir) {
    let program = server(dir);
    let ran = ok(dir, &["profile", "create", "sums", "--", &program]);
    assert!(
        ran.stdout.starts_with("wrote `@sums` with 2 tools: "),
        "{ran:?}"
    );
}

/// The hash that JN's own code gives the tools of a source.
fn jn_hash_of(dir: &Dir, source: &[&str]) -> String {
    let listed = ok(dir, &[&["tools", "--json"], source].concat()).json();
    let tools = listed["tools"].to_string();
    toolwire_contract::fingerprint::jn_hash(&toolwire::Json::new(tools).unwrap()).unwrap()
}

#[test]
fn a_draft_is_a_profile_of_what_a_server_says() {
    let dir = stage();
    let program = server(&dir);
    let ran = ok(&dir, &["tools", "--draft", "--", &program]);
    let draft: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(draft["command"], program);
    assert_eq!(draft["transport"], "stdio");
    assert_eq!(
        draft["tools"]["add"]["parameters"]["a"],
        json!({ "type": "integer", "required": true })
    );
    assert_eq!(draft["tools"]["add"]["description"], "Adds two numbers.");
    let print = &draft["tools"]["add"]["fingerprints"]["contract"];
    assert!(print.as_str().unwrap().starts_with("sha256:"), "{draft}");
    for (member, length) in [("created", 10), ("schema_updated", 20)] {
        assert_eq!(draft[member].as_str().unwrap().len(), length, "{draft}");
    }
    // It is one that can be used as it is, and was not written anywhere.
    let words = ["profile", "create", "mine"];
    assert_eq!(toolwire_with(&dir, &words, &ran.stdout).code, 0);
    ok(&dir, &["profile", "validate", "mine", "--yes"]);
    let ran = ok(&dir, &["run", "--yes", "@mine/add?a=1&b=2"]);
    assert_eq!(ran.stdout, "3\n");

    let tool = dir.tool("tool", common::RENAME, "");
    let ran = toolwire(&dir, &["tools", "--draft", &tool]);
    assert!(
        ran.code == 1 && ran.stderr.contains("is a tool of Toolwire"),
        "{ran:?}"
    );
}

#[test]
fn a_profile_is_written_listed_shown_and_removed() {
    let dir = stage();
    let ran = ok(&dir, &["profile", "list"]);
    assert!(ran.stderr.contains("there are no profiles"), "{ran:?}");
    create(&dir);
    let files = |folder: PathBuf| {
        let all = fs::read_dir(folder).unwrap();
        let all = all.map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut all: Vec<String> = all.collect();
        all.sort();
        all
    };
    assert_eq!(
        files(folder(&dir, "sums")),
        ["_meta.json", "add.json", "where.json"]
    );
    // No lock and no temporary folder is left.
    assert_eq!(files(folder(&dir, "")), ["sums"]);

    // There is one: nothing is written.
    let minimal = format!(
        "{{\"command\": {:?}, \"description\": \"mine\\u001b[2J\"}}",
        server(&dir)
    );
    let ran = toolwire_with(&dir, &["profile", "create", "sums"], &minimal);
    assert!(
        ran.code == 2 && ran.stderr.contains("there is a profile `sums` already"),
        "{ran:?}"
    );
    let ran = toolwire_with(&dir, &["profile", "create", "bare", "--project"], &minimal);
    assert_eq!(ran.code, 0, "{ran:?}");
    let project = dir.path().join("home/project/.toolwire/profiles/mcp/bare");
    assert_eq!(files(project), ["_meta.json"]);

    // A broken one is a warning.
    let broken = folder(&dir, "broken");
    fs::create_dir_all(&broken).unwrap();
    fs::write(broken.join("_meta.json"), "{").unwrap();
    let ran = ok(&dir, &["profile", "list", "--type", "mcp"]);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(
        lines[0].starts_with("@bare  project  no tools  mine"),
        "{ran:?}"
    );
    assert!(lines[1].starts_with("@sums  user     2 tools"), "{ran:?}");
    assert!(ran.stderr.contains("`@broken`"), "{ran:?}");
    let all = format!("{}{}", ran.stdout, ran.stderr);
    assert!(!all.contains('\u{1b}'), "{all}");
    let told = ok(&dir, &["profile", "list", "--json"]).json();
    assert_eq!(told["profiles"][0]["name"], "bare");
    assert_eq!(told["profiles"][1]["tools"], 2);

    let ran = ok(&dir, &["profile", "info", "@sums"]);
    for part in ["mcp+exec://", "add    Adds two numbers.", "warn"] {
        assert!(ran.stdout.contains(part), "{part}: {ran:?}");
    }
    let told = ok(&dir, &["profile", "info", "sums", "--json"]).json();
    assert_eq!(told["profile"]["tools"]["add"]["tool"], "add");

    ok(&dir, &["profile", "remove", "sums"]);
    assert_eq!(files(folder(&dir, "")), ["broken"]);
    for args in [
        &["profile", "remove", "sums"][..],
        &["profile", "info", "sums"],
        &["profile", "info", "../broken"],
        &["profile", "info", "sums/add"],
        &["profile", "validate", "sums"],
    ] {
        assert_eq!(toolwire(&dir, args).code, 2, "{args:?}");
    }
    assert_eq!(
        toolwire_with(&dir, &["profile", "create", "p"], &minimal).code,
        0
    );
    let names = [
        "..",
        ".x",
        "a/b",
        "a?list=tools",
        "",
        "x.",
        "CON",
        "nul.txt",
        "P",
    ];
    for name in names {
        let ran = toolwire_with(&dir, &["profile", "create", name], &minimal);
        assert_eq!(ran.code, 2, "{name}: {ran:?}");
    }
    let ran = toolwire_with(&dir, &["profile", "create", "x"], "{\"command\": 3}");
    assert!(ran.code == 2 && ran.stderr.contains("/command"), "{ran:?}");
}

#[test]
fn a_profile_of_a_client_s_server_has_no_secret() {
    let dir = stage();
    let program = server(&dir);
    let file = json!({ "mcpServers": { "mine": { "command": program, "env": { "KEY": "s3cret-value" } } } });
    dir.file("home/project/servers.json", file.to_string());
    let ran = ok(
        &dir,
        &[
            "profile",
            "create",
            "sums",
            "--from",
            "mine",
            "--config",
            "servers.json",
            "--yes",
        ],
    );
    assert!(ran.stderr.contains("`/env/KEY`"), "{ran:?}");
    assert_eq!(json_of(&dir, "_meta.json")["env"]["KEY"], "${KEY}");
    let text = fs::read_to_string(folder(&dir, "sums").join("_meta.json")).unwrap();
    assert!(!text.contains("s3cret") && !format!("{ran:?}").contains("s3cret"));
}

#[test]
fn what_a_server_changed_is_found() {
    let dir = stage();
    create(&dir);
    // Nobody typed the command of a profile.
    let ran = toolwire(&dir, &["profile", "validate", "sums"]);
    assert!(
        ran.code == 2 && ran.stderr.contains("toolwire trust --server @sums"),
        "{ran:?}"
    );
    let ran = ok(&dir, &["profile", "validate", "sums", "--yes"]);
    assert_eq!(ran.stdout, "as `@sums` expects: 2 tools\n");
    let ran = ok(&dir, &["profile", "diff", "sums", "--yes"]);
    assert_eq!(ran.stdout, "same: 0 changes\n");

    way(&dir, "changed");
    let ran = toolwire(&dir, &["profile", "validate", "@sums", "--yes", "--json"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let told = ran.json();
    assert_eq!(told["valid"], false);
    let what: Vec<&str> = told["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["what"].as_str().unwrap())
        .collect();
    assert_eq!(what, ["contract", "text", "gone"]);

    let ran = toolwire(&dir, &["profile", "diff", "sums", "--yes"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    for part in [
        "parameter_renamed (a guess)",
        "| Adds [-two-]{+any+} numbers.",
        "breaking: ",
        "where",
    ] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    let told = toolwire(&dir, &["profile", "diff", "sums", "--yes", "--json"]).json();
    assert_eq!(told["diff"]["verdict"], "breaking");

    // What a tool may do is in no profile but as a fingerprint.
    way(&dir, "");
    let file = folder(&dir, "sums").join("add.json");
    let text = fs::read_to_string(&file).unwrap();
    let mut tool: Value = serde_json::from_str(&text).unwrap();
    tool["fingerprints"]["safety"] = format!("sha256:{}", "0".repeat(64)).into();
    fs::write(&file, tool.to_string()).unwrap();
    let ran = toolwire(&dir, &["profile", "diff", "sums", "--yes"]);
    assert!(
        ran.code == 1 && ran.stdout.contains("what it may do"),
        "{ran:?}"
    );
}

#[test]
fn a_profile_takes_over_what_has_changed_and_keeps_the_rest() {
    let dir = stage();
    create(&dir);
    edit(&dir, "add.json", &|tool| {
        tool["notes"] = "exact".into();
        tool["examples"] = json!([{ "input": { "a": 1, "b": 2 } }]);
    });
    edit(&dir, "_meta.json", &|meta| {
        meta["schema_hash"] = "0123456789abcdef0123456789abcdef".into();
        meta["owner"] = "me".into();
    });
    way(&dir, "changed");
    let before = json_of(&dir, "_meta.json");
    let ran = toolwire(&dir, &["profile", "update", "sums", "--yes"]);
    assert!(
        ran.code == 2 && ran.stderr.contains("--accept") && ran.stdout.contains("breaking"),
        "{ran:?}"
    );
    assert_eq!(json_of(&dir, "_meta.json"), before);

    let ran = ok(&dir, &["profile", "update", "sums", "--yes", "--accept"]);
    assert!(ran.stdout.contains("wrote `@sums` with 2 tools"), "{ran:?}");
    let add = json_of(&dir, "add.json");
    assert_eq!(add["notes"], "exact");
    assert_eq!(add["examples"][0]["input"]["a"], 1);
    assert_eq!(add["description"], "Adds any numbers.");
    assert_eq!(add["parameters"]["c"]["required"], true);
    assert!(!folder(&dir, "sums").join("where.json").exists());
    assert_eq!(json_of(&dir, "when.json")["tool"], "when");
    let meta = json_of(&dir, "_meta.json");
    assert_eq!(meta["owner"], "me");
    let hash = jn_hash_of(&dir, &["@sums", "--yes"]);
    assert_eq!(meta["schema_hash"], hash);
    ok(&dir, &["profile", "validate", "sums", "--yes"]);

    // Nothing to ask for.
    let text = fs::read_to_string(folder(&dir, "sums").join("add.json")).unwrap();
    ok(&dir, &["profile", "update", "sums", "--yes"]);
    let now = fs::read_to_string(folder(&dir, "sums").join("add.json")).unwrap();
    assert_eq!(now, text);
}

#[test]
fn a_person_is_asked_before_a_profile_changes() {
    for (answer, code, description) in [
        ("\r", "code=1", "Adds two numbers."),
        ("y\r", "code=0", "Adds any numbers."),
    ] {
        let dir = stage();
        create(&dir);
        way(&dir, "changed");
        let file = folder(&dir, "sums").join("add.json");
        let script = "cd home/project; export HOME=$(dirname $PWD); unset XDG_DATA_HOME; \
                      \"$TOOLWIRE\" profile update sums --yes; echo code=$?";
        let mut terminal = start_shell(dir, script);
        terminal.shows("Take this over into `@sums`? [y/N]");
        terminal.types(answer, code);
        let text = fs::read_to_string(file).unwrap();
        assert!(text.contains(description), "{text}");
    }
}

/// PROF-20, PROF-21.
#[test]
fn a_profile_is_compared_on_every_use() {
    let dir = stage();
    create(&dir);
    let ran = ok(&dir, &["run", "--yes", "@sums/add?a=1&b=2"]);
    assert!(ran.stderr.is_empty(), "{ran:?}");
    way(&dir, "changed");
    called(&dir);

    let call = ["run", "--yes", "@sums/add", "b=1", "c=2"];
    let differs = [
        "warning: the tools of `@sums` are not as its profile expects",
        "`add`: what it takes and gives has changed",
        "the server has no tool `where`",
        "toolwire profile update sums",
    ];
    let run = ["run", "--yes", "@sums/add", "b=1", "c=2"];
    let looks: [&[&str]; 7] = [
        &["tools", "@sums", "--yes"],
        &["run", "--yes", "@sums?list=tools"],
        &["run", "--yes", "@sums?list=prompts"],
        &["run", "--yes", "@sums?list=resources"],
        &["tools", "@sums", "add", "--schema", "--yes"],
        &["tools", "@sums", "--fingerprint", "--yes"],
        &["read", "@sums", "--list", "--yes"],
    ];
    let calls: [&[&str]; 4] = [
        &call,
        &run,
        &["read", "@sums", "notes://today", "--yes"],
        &["run", "--yes", "@sums?resource=notes%3A%2F%2Ftoday"],
    ];
    for args in looks.into_iter().chain(calls) {
        let ran = ok(&dir, args);
        for part in differs {
            assert!(ran.stderr.contains(part), "{args:?}: {part}: {ran:?}");
        }
        let ran = ok(
            &dir,
            &[&args[..1], &["--ignore-schema"], &args[1..]].concat(),
        );
        assert!(ran.stderr.is_empty(), "{args:?}: {ran:?}");
    }
    assert_eq!(called(&dir), "add\n".repeat(4));

    edit(&dir, "_meta.json", &|meta| {
        meta["schema_validation"] = "error".into();
    });
    let each = ["run", "--each", "--yes", "@sums/add"];
    for args in calls.into_iter().chain([&each[..]]) {
        let ran = toolwire_with(&dir, args, "{\"b\":1,\"c\":2}\n");
        assert_eq!((ran.code, &*ran.stdout), (1, ""), "{args:?}: {ran:?}");
        for part in &differs[1..] {
            assert!(ran.stderr.contains(part), "{args:?}: {part}: {ran:?}");
        }
    }
    assert_eq!(called(&dir), "");
    for args in looks {
        let ran = ok(&dir, args);
        assert!(ran.stderr.contains(differs[0]), "{args:?}: {ran:?}");
        assert!(!ran.stdout.is_empty(), "{args:?}: {ran:?}");
    }
    let ran = ok(
        &dir,
        &[&call[..1], &["--ignore-schema"], &call[1..]].concat(),
    );
    assert_eq!(ran.stdout, "3\n");

    edit(&dir, "_meta.json", &|meta| {
        meta["schema_validation"] = "ignore".into();
    });
    let ran = ok(&dir, &call);
    assert!(ran.stderr.is_empty(), "{ran:?}");

    // Where there is no profile, the option means nothing.
    let program = server(&dir);
    for verb in ["run", "tools", "read"] {
        let ran = toolwire(&dir, &[verb, "--ignore-schema", "--", &program]);
        assert!(
            ran.code == 2 && ran.stderr.contains("is for profiles"),
            "{ran:?}"
        );
    }
    let ran = toolwire(&dir, &["run", "--ignore-schema", "--", "true"]);
    assert_eq!(ran.code, 2, "{ran:?}");
}

/// The result of a call that was made before is not kept back.
#[test]
fn the_result_of_a_task_is_compared_and_given() {
    let dir = stage();
    let script = format!(
        "exec {OFFERS} 2026-07-28 $(cat '{}')",
        dir.path().join("way").display()
    );
    dir.program("server", &script);
    create(&dir);
    edit(&dir, "add.json", &|tool| {
        tool["output_format"] = "text/plain".into();
    });
    edit(&dir, "_meta.json", &|meta| {
        meta["schema_validation"] = "error".into();
    });
    let task = ["run", "--task", "one", "--yes", "@sums"];
    let ran = ok(&dir, &task);
    assert_eq!((&*ran.stdout, &*ran.stderr), ("{\"sum\":3}\n", ""));
    way(&dir, "changed");
    let differs = "the tools of `@sums` are not as its profile expects";
    let ran = ok(&dir, &task);
    assert_eq!(ran.stdout, "{\"sum\":3}\n");
    assert!(ran.stderr.contains(differs), "{ran:?}");
    let ran = ok(
        &dir,
        &[&task[..1], &["--ignore-schema"], &task[1..]].concat(),
    );
    assert_eq!(ran.stderr, "");

    // The tool of the call is known if the source names it.
    way(&dir, "");
    let named = ["run", "--task", "one", "--yes", "@sums/add?a=1&b=2"];
    let ran = ok(&dir, &named);
    assert_eq!(ran.stdout, "{\"sum\":3}\n");
    let told = "`add` answered with `application/json`, and `@sums` expects `text/plain`";
    assert!(ran.stderr.contains(told), "{ran:?}");
    let ran = toolwire(&dir, &[&task[..], &["add"]].concat());
    assert!(
        ran.code == 2 && ran.stderr.contains("leave `add` out"),
        "{ran:?}"
    );
}

#[test]
fn a_result_of_another_type_is_told() {
    let dir = stage();
    create(&dir);
    edit(&dir, "add.json", &|tool| {
        tool["output_format"] = "text/plain".into();
    });
    let call = ["run", "--yes", "@sums/add?a=1&b=2"];
    assert!(ok(&dir, &call).stderr.is_empty());
    way(&dir, "data");
    let told = "`add` answered with `application/json`, and `@sums` expects `text/plain`";
    let ran = ok(&dir, &call);
    assert!(ran.stderr.contains(told), "{ran:?}");
    let each = ["run", "--each", "--yes", "@sums/add"];
    let ran = toolwire_with(&dir, &each, "{\"a\":1,\"b\":2}\n{\"a\":3,\"b\":4}\n");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(ran.stderr.matches(told).count(), 1, "{ran:?}");
    assert_eq!(ran.stdout.lines().count(), 2, "{ran:?}");
    // An error has no type.
    way(&dir, "fails");
    let ran = toolwire(&dir, &call);
    assert!(ran.code == 1 && !ran.stderr.contains(told), "{ran:?}");
}

#[test]
fn examples_are_run_again() {
    let dir = stage();
    create(&dir);
    edit(&dir, "add.json", &|tool| {
        tool["examples"] = json!([
            { "input": { "a": 1, "b": 2 }, "output_sample": "3" },
            { "input": { "a": 5, "b": 2 } }
        ]);
    });
    edit(&dir, "where.json", &|tool| {
        tool["examples"] = json!([{ "input": {} }]);
    });
    edit(&dir, "_meta.json", &|meta| {
        meta["tested_with"] = json!({ "other": ["x"], "add": ["old"] });
    });
    let update = ["profile", "update", "sums", "--yes", "--accept"];
    called(&dir);
    let ran = ok(&dir, &update);
    let squeezed: Vec<String> = ran
        .stdout
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(
        squeezed[1..4],
        [
            "examples",
            "passed add {\"a\":1,\"b\":2}",
            "passed add {\"a\":5,\"b\":2}"
        ],
        "{ran:?}"
    );
    assert!(
        squeezed[4].starts_with("skipped where {}: it does not declare"),
        "{ran:?}"
    );
    assert_eq!(called(&dir), "add\nadd\n");
    let tested = |dir: &Dir| json_of(dir, "_meta.json")["tested_with"].clone();
    let both = json!({ "other": ["x"], "add": ["old", "1+2", "5+2"] });
    assert_eq!(tested(&dir), both);

    // The sample says what the type was; where nothing does, any is right.
    way(&dir, "data");
    let ran = toolwire(&dir, &[&update[..], &["--json"]].concat());
    assert_eq!(ran.code, 1, "{ran:?}");
    let told = ran.json();
    let states = |told: &Value| {
        let all = told["examples"].as_array().unwrap().iter();
        let all = all.map(|one| one["state"].as_str().unwrap().to_owned());
        all.collect::<Vec<_>>()
    };
    assert_eq!(states(&told), ["changed", "passed", "skipped"]);
    assert_eq!(
        told["examples"][0]["message"],
        "it is `application/json` now, not `text/plain`"
    );
    assert_eq!(tested(&dir), both);

    called(&dir);
    way(&dir, "fails");
    let ran = ok(&dir, &[&update[..], &["--no-examples"]].concat());
    assert!(!ran.stdout.contains("examples"), "{ran:?}");
    assert_eq!(called(&dir), "");
    let ran = toolwire(&dir, &[&update[..], &["--json"]].concat());
    assert_eq!(ran.code, 1, "{ran:?}");
    let told = ran.json();
    assert_eq!(states(&told), ["failed", "failed", "skipped"]);
    assert_eq!(told["examples"][0]["message"], "no numbers today");
    assert_eq!(tested(&dir), json!({ "other": ["x"], "add": ["old"] }));
}

#[test]
fn a_person_is_asked_before_the_examples_of_others_are_run() {
    for (answer, state, calls) in [
        ("y\r", "passed", "where\n"),
        ("\r", "you did not agree", ""),
    ] {
        let dir = stage();
        create(&dir);
        edit(&dir, "where.json", &|tool| {
            tool["examples"] = json!([{ "input": {} }]);
        });
        let script = "cd home/project; export HOME=$(dirname $PWD); unset XDG_DATA_HOME; \
                      \"$TOOLWIRE\" profile update sums --yes; echo code=$?";
        let log = calls_of(&dir);
        let mut terminal = start_shell(dir, script);
        terminal.shows("Run 1 example of `where` again");
        terminal.types(answer, state);
        terminal.shows("code=0");
        assert_eq!(fs::read_to_string(log).unwrap_or_default(), calls);
    }
}

/// PROF-1, PROF-3, PROF-13.
#[test]
fn profiles_of_jn_are_used_where_they_are() {
    let dir = stage();
    let program = server(&dir);
    let jn = dir.path().join("jn");
    // JN can hash its tools only when all of them take arguments.
    way(&dir, "changed");
    let hash = jn_hash_of(&dir, &["--", &program]);
    let profile = |home: PathBuf, about: &str| {
        let folder = home.join("profiles/mcp/calc");
        fs::create_dir_all(&folder).unwrap();
        let meta = format!(
            "{{\n  // how it starts\n  \"command\": {program:?},\n  \"transport\": \"stdio\",\n  \
             \"description\": \"{about}\",\n  \"schema_hash\": \"{}\"  // MD5\n}}\n",
            hash.as_str()
        );
        fs::write(folder.join("_meta.json"), meta).unwrap();
        let plus = "{\"tool\": \"add\", \"parameters\": {\n  \"b\": {\"type\": \"integer\", \"required\": true}, // first\n  \
                    \"c\": {\"type\": \"integer\", \"required\": true}}}";
        fs::write(folder.join("plus.json"), plus).unwrap();
    };
    profile(jn.clone(), "of JN");
    let home = jn.to_str().unwrap();
    assert_eq!(toolwire(&dir, &["profile", "info", "calc"]).code, 2);
    let ran = ok(&dir, &["profile", "list", "--jn-home", home]);
    assert_eq!(ran.stdout, "@calc  jn  1 tool  of JN\n");
    ok(&dir, &["profile", "info", "calc", "--jn-home", home]);
    let ran = ok(
        &dir,
        &["run", "--yes", "--jn-home", home, "@calc/plus?b=1&c=2"],
    );
    assert_eq!((&*ran.stdout, &*ran.stderr), ("3\n", ""));
    let ran = toolwire(&dir, &["tools", "@calc", "--jn-home", home]);
    let word = format!("`toolwire trust --server @calc --jn-home {home}`");
    assert!(ran.code == 2 && ran.stderr.contains(&word), "{ran:?}");
    let validate = ["profile", "validate", "calc", "--yes", "--jn-home", home];
    ok(&dir, &validate);
    let ran = ok(&dir, &["servers", "@calc", "--jn-home", "../../jn"]);
    assert!(ran.stdout.starts_with("mcp+exec://"), "{ran:?}");

    // The hash that JN has written is compared on each use, too.
    let file = jn.join("profiles/mcp/calc/_meta.json");
    let meta = fs::read_to_string(&file).unwrap();
    let old = meta.replace(hash.as_str(), &"0".repeat(32));
    fs::write(&file, old).unwrap();
    assert_eq!(toolwire(&dir, &validate).code, 1);
    let ran = ok(&dir, &["tools", "@calc", "--yes", "--jn-home", home]);
    assert!(ran.stderr.contains("their MD5 is"), "{ran:?}");

    let mut command = command(&["profile", "list"]);
    command.current_dir(dir.path()).env("JN_HOME", &jn);
    command.env("HOME", dir.path().join("home"));
    let ran = run_command(command, b"");
    assert!(ran.stdout.contains("@calc  jn"), "{ran:?}");

    // Its usual place; and one of ours goes before.
    profile(dir.path().join("home/.local/jn"), "in its usual place");
    let ran = ok(&dir, &["profile", "list"]);
    assert!(ran.stdout.contains("in its usual place"), "{ran:?}");
    let ours = format!("{{\"command\": {program:?}, \"description\": \"ours\"}}");
    let ran = toolwire_with(&dir, &["profile", "create", "calc"], &ours);
    assert_eq!(ran.code, 0, "{ran:?}");
    let ran = ok(&dir, &["profile", "list", "--jn-home", home]);
    assert_eq!(ran.stdout, "@calc  user  no tools  ours\n");
}

/// 29.4: `python` is the interpreter that there is.
#[test]
fn python_in_a_profile_is_the_interpreter_that_there_is() {
    let dir = stage();
    let mut asked = std::process::Command::new("python3");
    let python = asked.args(["-c", "import sys; print(sys.executable)"]);
    let python = python.output().unwrap();
    let python = String::from_utf8(python.stdout).unwrap();
    fs::create_dir_all(dir.path().join("bin")).unwrap();
    dir.program("bin/python3", &format!("exec {} \"$@\"", python.trim()));
    let uri = format!("mcp+python://{OFFERS}");
    ok(
        &dir,
        &["profile", "create", "sums", "--from", &uri, "--yes"],
    );
    assert_eq!(json_of(&dir, "_meta.json")["command"], "python");
    let mut command = command(&["run", "--yes", "@sums/add?a=1&b=2"]);
    let home = dir.path().join("home");
    command.current_dir(&home).env("HOME", &home);
    command.env_remove("XDG_DATA_HOME");
    command.env("PATH", dir.path().join("bin"));
    let ran = run_command(command, b"");
    assert_eq!((ran.code, &*ran.stdout), (0, "3\n"), "{ran:?}");
    // How it is started is as it was.
    assert!(ran.stderr.is_empty(), "{ran:?}");
}
