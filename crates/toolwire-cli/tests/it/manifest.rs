//! Tools by name, from the nearest `toolwire.toml`. What is wrong in one is shown in
//! the unit tests of the command; here it is seen from outside.

use std::fs;
use std::path::PathBuf;

use crate::common::{Dir, RENAME, Run, SEARCH, command, run_command};
use serde_json::{Value, json};

const MANIFEST: &str = r#"
[tools.ren]
description = "Rename one of ours."
command = ["./bin/files", "--quiet"]
tool = "rename"
arguments = { limit = 7 }
options = { dry = true }

[tools.files]
command = "bin/files"

[tools.show]
command = ["./bin/show", "{text}", ["-n", "{count}"], "{loud?-l}", "--", "{more}"]
timeout = "20s"
max-output = 1000
cwd = "bin"
env = { WHO = "manifest" }
inherit = ["PATH", "GIVEN"]
[tools.show.parameters]
text = { type = "string", minLength = 2, title = "Text", description = "what" }
count = { type = "integer", optional = true }
loud = { type = "boolean", default = false }
more = { type = "array", items = { type = "string" }, default = [] }

[tools.described]
command = "./bin/files"
root = "bin"
[tools.described.parameters]
path = { type = "string" }

[tools.date]
command = "date"
plain = true
"#;

/// A folder with a manifest, and one far below it.
fn stage() -> (Dir, PathBuf) {
    let dir = Dir::new();
    fs::create_dir_all(dir.path().join("bin")).unwrap();
    let below = dir.path().join("deep/deeper");
    fs::create_dir_all(&below).unwrap();
    dir.tool(
        "bin/files",
        &format!("{RENAME},{SEARCH}"),
        "echo \"$*\" >&2",
    );
    dir.program(
        "bin/show",
        "wc -c; pwd; echo \"$WHO|$GIVEN|$OTHER\"; printf '<%s>' \"$@\"",
    );
    dir.file("toolwire.toml", MANIFEST);
    (dir, below)
}

fn toolwire(folder: &PathBuf, args: &[&str]) -> Run {
    let mut command = command(args);
    command
        .current_dir(folder)
        .env("GIVEN", "given")
        .env("OTHER", "other");
    run_command(command, b"")
}

fn call(folder: &PathBuf, args: &[&str]) -> Value {
    let run = toolwire(folder, &[&["run", "--format", "json"], args].concat());
    assert_eq!(run.code, 0, "{args:?}: {run:?}");
    run.json()["structuredContent"].clone()
}

#[test]
fn tools_of_the_nearest_manifest_are_run_by_name() {
    let (dir, below) = stage();
    let call = call(&below, &["ren", "path=a"]);
    assert_eq!(call["tool"]["name"], "rename");
    assert_eq!(call["tool"]["arguments"], json!({"limit": 7, "path": "a"}));
    assert_eq!(call["tool"]["options"], json!({"dry": true}));
    let here = fs::canonicalize(dir.path()).unwrap();
    let root = PathBuf::from(call["context"]["root"].as_str().unwrap());
    assert_eq!(fs::canonicalize(root).unwrap(), here);
    let above = self::call(&below, &["ren", "path=a", "limit=1"]);
    assert_eq!(above["tool"]["arguments"]["limit"], 1);
    let named = self::call(&below, &["files", "search", "a=1"]);
    assert_eq!(named["tool"]["name"], "search");
    let run = toolwire(&below, &["run", "ren", "path=a"]);
    assert_eq!(run.stderr, "--quiet\n");
    // A nearer one is the one that counts.
    fs::write(
        below.join("toolwire.toml"),
        "[tools.other]\ncommand = 'date'\n",
    )
    .unwrap();
    let nearer = toolwire(&below, &["run", "ren", "path=a"]);
    assert_eq!(nearer.code, 2, "{nearer:?}");
    assert!(
        nearer
            .stderr
            .contains("there is no tool `ren`; there is `other`"),
        "{nearer:?}"
    );
    let file = dir.path().join("toolwire.toml");
    let chosen = toolwire(
        &below,
        &["run", "--manifest", file.to_str().unwrap(), "ren", "path=a"],
    );
    assert_eq!(chosen.code, 0, "{chosen:?}");
}

#[test]
fn what_is_no_name_of_the_manifest_is_told_both_ways() {
    let (dir, _) = stage();
    let folder = dir.path().to_owned();
    let echo = toolwire(&folder, &["run", "echo"]);
    assert_eq!((echo.code, &*echo.stdout), (2, ""), "{echo:?}");
    assert!(
        echo.stderr
            .contains("toolwire.toml: there is no tool `echo`; there are `")
            && echo.stderr.contains("run `toolwire run -- echo`"),
        "{echo:?}"
    );
    let behind = toolwire(&folder, &["run", "--", "echo"]);
    assert_eq!((behind.code, &*behind.stdout), (0, "\n"));
    let path = toolwire(&folder, &["run", "./bin/files", "search"]);
    assert_eq!(path.code, 0, "{path:?}");
    let named = ["run", "--manifest", "toolwire.toml", "renn"];
    let wrong = toolwire(&folder, &named);
    assert!(
        wrong.code == 2 && wrong.stderr.contains("did you mean `ren`?"),
        "{wrong:?}"
    );
    let other = toolwire(&folder, &["run", "ren", "search"]);
    assert!(
        other.code == 2 && other.stderr.contains("`rename`"),
        "{other:?}"
    );
    let missing = toolwire(&folder, &["run", "--manifest", "missing.toml", "ren"]);
    assert_eq!(missing.code, 5, "{missing:?}");
    // With a path nobody looks at a manifest, be it broken.
    dir.file("toolwire.toml", "broken");
    assert_eq!(toolwire(&folder, &["run", "./bin/files", "search"]).code, 0);
    assert_eq!(toolwire(&folder, &["run", "ren", "path=a"]).code, 2);
}

#[test]
fn arguments_become_words_of_the_program_and_meet_no_shell() {
    let (dir, below) = stage();
    let bin = fs::canonicalize(dir.path().join("bin")).unwrap();
    let head = format!("0\n{}\nmanifest|given|\n", bin.display());
    for (args, words) in [
        (&["text=$(a) \"b\" ; c"][..], "<$(a) \"b\" ; c><-->"),
        (&["text=ab", "count=3", "loud=true"], "<ab><-n><3><-l><-->"),
        (&["text=ab", "more=-x", "more=y z"], "<ab><--><-x><y z>"),
        (&["--args", r#"{"text":"ab","more":["c"]}"#], "<ab><--><c>"),
    ] {
        let (options, words_of_tool) = args.split_at(if args[0] == "--args" { 2 } else { 0 });
        let run = toolwire(
            &below,
            &[&["run"], options, &["show"], words_of_tool].concat(),
        );
        assert_eq!(
            run.stdout.trim_start(),
            format!("{head}{words}\n"),
            "{args:?}: {run:?}"
        );
    }
    for (args, word) in [
        (&["text=a"][..], "`text`"),
        (&["text=ab", "count=x"], "`count`"),
        (&["text=-rf"], "begins with `-`"),
        (&["count=1"], "`text` is missing"),
        (&["text=ab", "other=1"], "`other`"),
        (&["text"], "name=value"),
    ] {
        let run = toolwire(&below, &[&["run", "show"], args].concat());
        assert_eq!((run.code, &*run.stdout), (2, ""), "{args:?}: {run:?}");
        assert!(run.stderr.contains(word), "{args:?}: {run:?}");
    }
    // What the command line says stands above the manifest.
    let clean = [
        "run",
        "--env",
        "WHO=me",
        "--inherit",
        "standard",
        "--cwd",
        "/",
        "show",
        "text=ab",
    ];
    let run = toolwire(&below, &clean);
    assert_eq!(run.stdout.trim_start(), "0\n/\nme||\n<ab><-->\n");
}

#[test]
fn a_tool_that_the_manifest_describes_is_not_asked() {
    let (dir, below) = stage();
    let call = call(&below, &["described", "path=a"]);
    assert_eq!(call["tool"]["name"], "described");
    assert!(call["context"]["root"].as_str().unwrap().ends_with("/bin"));
    let wrong = toolwire(&below, &["run", "described", "pth=a"]);
    assert!(wrong.code == 2 && wrong.stderr.contains("pth"), "{wrong:?}");
    let shown = toolwire(&below, &["tools", "show"]);
    assert_eq!(
        shown.stdout,
        "show\n  text   string    required       what\n  count  integer\n  \
         loud   boolean   default false\n  more   string[]  default []\n"
    );
    let overridden = toolwire(&below, &["tools", "ren", "--json"]).json();
    assert_eq!(overridden["tools"].as_array().unwrap().len(), 1);
    assert_eq!(overridden["tools"][0]["name"], "ren");
    assert_eq!(overridden["tools"][0]["description"], "Rename one of ours.");
    assert_eq!(toolwire(&below, &["run", "date"]).code, 0);
    drop(dir);
}

#[test]
fn the_tools_are_listed() {
    let (dir, below) = stage();
    let list = toolwire(&below, &["tools"]);
    assert_eq!(
        list.stdout,
        "date       date\n\
         described  ./bin/files\n\
         files      bin/files\n\
         ren        Rename one of ours.\n\
         show       ./bin/show {text} -n {count} {loud?-l} -- {more}\n",
        "{list:?}"
    );
    let json = toolwire(&below, &["tools", "--json"]).json();
    assert!(
        json["manifest"]
            .as_str()
            .unwrap()
            .ends_with("/toolwire.toml")
    );
    let tools = json["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 5);
    let ren = &tools[3];
    assert_eq!(
        (
            &ren["name"],
            &ren["tool"],
            &ren["description"],
            &ren["command"]
        ),
        (
            &json!("ren"),
            &json!("rename"),
            &json!("Rename one of ours."),
            &json!(["./bin/files", "--quiet"])
        )
    );
    assert_eq!(ren["inputSchema"]["type"], "object", "{ren}");
    // A program with several tools needs `tool` in the manifest.
    assert_eq!(tools[2]["inputSchema"], Value::Null);
    let problems = json["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert_eq!(problems[0]["name"], "files");
    let schema = &tools[4]["inputSchema"];
    assert_eq!(schema["required"], json!(["text"]));
    // A title that only repeats the name is no help to anybody (AUTH-62).
    let text = json!({"type": "string", "minLength": 2, "description": "what"});
    assert_eq!(schema["properties"]["text"], text);
    let described = toolwire(&below, &["tools", "show", "--json"]).json();
    assert_eq!(&described["tools"][0]["inputSchema"], schema);
    dir.file("toolwire.toml", "");
    let empty = toolwire(&below, &["tools"]);
    assert!(
        empty.code == 0 && empty.stderr.contains("names no tools"),
        "{empty:?}"
    );
    let none = toolwire(&PathBuf::from("/"), &["tools"]);
    assert!(
        none.code == 5 && none.stderr.contains("no `toolwire.toml`"),
        "{none:?}"
    );
}

#[test]
fn a_mistake_is_told_with_file_line_column_and_key() {
    let (dir, below) = stage();
    dir.file("toolwire.toml", "[tools.log]\ncomand = 'x'\n");
    for args in [&["tools"][..], &["run", "log"], &["tools", "log"]] {
        let run = toolwire(&below, args);
        assert_eq!((run.code, &*run.stdout), (2, ""), "{args:?}: {run:?}");
        let expected = "toolwire.toml:2:1: `tools.log.comand`: there is no key `comand`; did you \
                        mean `command`?\n";
        assert!(run.stderr.ends_with(expected), "{args:?}: {run:?}");
    }
    // It is a text that may come from anywhere, like a tool's.
    dir.file(
        "toolwire.toml",
        "[tools.\"\\u001b]0;t\\u0007\"]\ncommand = 'x'\n",
    );
    let evil = toolwire(&below, &["tools"]);
    assert!(
        evil.code == 2 && !evil.stderr.contains(['\x1b', '\x07']),
        "{evil:?}"
    );
}
