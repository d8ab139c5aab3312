//! `init`: a first tool, and the entry of a program that there is already.

use std::fs;

use crate::common::contracts::toolwire;
use crate::common::prompt::{DOWN, ENTER, start_shell};
use crate::common::{Dir, RENAME, SEARCH, command_at_home, run_command, says_all, set_mode};
use serde_json::json;

/// A script with argparse, click or another library prints its help, and otherwise what it was given.
const SCRIPT: &str = r#"#!/usr/bin/env python3
import argparse
parser = argparse.ArgumentParser(description="Resize photos.\nKeeps the \"originals\".")
parser.add_argument("folder", help="where they are")
parser.add_argument("more", nargs="*")
parser.add_argument("-s", "--size", type=int, default=800, help="longest side (default: %(default)s)")
parser.add_argument("-f", "--format", choices=["jpg", "png"], required=True, help="what comes out")
parser.add_argument("--tags", nargs="+")
parser.add_argument("-n", "--dry-run", action="store_true", help="change nothing")
open("started", "a").write("x")
print(vars(parser.parse_args()))
"#;

fn manifest(dir: &Dir) -> String {
    fs::read_to_string(dir.path().join("toolwire.toml")).unwrap()
}

#[test]
fn a_first_tool_runs() {
    let dir = Dir::new();
    let ran = toolwire(&dir, &["init", "--language", "sh", "--name", "salute"]);
    let told = "wrote ./salute.sh\nadded `salute` to toolwire.toml\ntry it: toolwire run salute name=Ada\n";
    assert_eq!((ran.code, &*ran.stdout, &*ran.stderr), (0, told, ""));
    let ran = toolwire(&dir, &["run", "salute", "name=Ada; $HOME"]);
    assert_eq!(ran.stdout, "Hello, Ada; $HOME!\n", "{ran:?}");
    // A folder below extends the same manifest.
    fs::create_dir(dir.path().join("below")).unwrap();
    let below = dir.path().join("below");
    let mut command = command_at_home(
        dir.path(),
        &below,
        &["init", "--yes", "--language", "sh", "--json"],
    );
    command.env_remove("VIRTUAL_ENV");
    let ran = run_command(command, b"");
    let path = dir.path().join("toolwire.toml");
    assert_eq!(
        ran.json(),
        json!({ "manifest": path, "tools": ["hello"], "file": "./hello.sh",
            "commands": ["toolwire run hello name=Ada"] })
    );
    let ran = toolwire(&dir, &["run", "hello", "name=Eve"]);
    assert_eq!(ran.stdout, "Hello, Eve!\n", "{ran:?}");
}

/// Python and Node need their package; a stand-in shows that the file is called as a tool.
#[test]
fn a_first_tool_in_python_and_node_is_written_and_says_what_is_missing() {
    let dir = Dir::new();
    fs::create_dir(dir.path().join("bin")).unwrap();
    dir.program(
        "bin/python3",
        "echo \"No module named 'toolwire'\" >&2; exit 1",
    );
    dir.program("bin/node", "echo 'Cannot find package' >&2; exit 1");
    for (language, file, needs) in [
        ("python", "./one.py", "run `pip install toolwire`"),
        ("node", "./one.mjs", "run `npm install toolwire`"),
    ] {
        let name = format!("{language}-one");
        let args = ["init", "--language", language, "--name", &name];
        let path = format!("{}/bin:/usr/bin:/bin", dir.path().display());
        let mut command = command_at_home(dir.path(), dir.path(), &args);
        command
            .env("PATH", path)
            .env_remove("VIRTUAL_ENV")
            .env_remove("CONDA_PREFIX");
        let ran = run_command(command, b"");
        says_all(&ran, 0, &["wrote ./", needs]);
        let file = file.replace("one", &name);
        let text = fs::read_to_string(dir.path().join(&file)).unwrap();
        assert!(text.contains(&name) && text.contains("import"), "{text}");
        assert!(manifest(&dir).contains(&format!("[tools.{name}]\ncommand = \"{file}\"\n")));
    }
}

#[test]
fn nothing_is_overwritten() {
    let dir = Dir::new();
    let before = "# mine\n[tools.a]\ncommand = 'date' # now\nplain = true";
    dir.file("toolwire.toml", before);
    dir.file("b.sh", "echo b\n");
    let init = |name: &str| toolwire(&dir, &["init", "--language", "sh", "--name", name]);
    for (name, told) in [
        ("a", "has a `a` already"),
        ("b", "`./b.sh` exists already"),
        ("../c", "no name for a tool"),
    ] {
        says_all(&init(name), 2, &[told]);
    }
    assert_eq!(manifest(&dir), before);
    assert_eq!(
        fs::read_to_string(dir.path().join("b.sh")).unwrap(),
        "echo b\n"
    );
    says_all(&init("d.e"), 0, &["added `d.e`"]);
    let after = manifest(&dir);
    assert!(
        after.starts_with(&format!("{before}\n\n[tools.\"d.e\"]\n")),
        "{after}"
    );
    says_all(
        &toolwire(&dir, &["run", "d.e", "name=x"]),
        0,
        &["Hello, x!"],
    );
    // What can't be extended stays.
    dir.file(
        "toolwire.toml",
        "tools = { a = { command = 'date', plain = true } }\n",
    );
    let ran = init("f");
    says_all(&ran, 2, &["toolwire.toml:3:"]);
    assert_eq!(
        manifest(&dir),
        "tools = { a = { command = 'date', plain = true } }\n"
    );
    assert!(!dir.path().join("f.sh").exists());
}

#[test]
fn a_script_gets_an_entry_by_its_help_and_its_arguments_reach_it() {
    let dir = Dir::new();
    dir.file("photos.py", SCRIPT);
    // Nobody has agreed to start it.
    let ran = toolwire(&dir, &["init", "./photos.py"]);
    says_all(&ran, 2, &["nobody is there to agree", "`--yes`"]);
    assert!(!dir.path().join("started").exists() && !dir.path().join("toolwire.toml").exists());

    let ran = toolwire(&dir, &["init", "--yes", "./photos.py"]);
    says_all(
        &ran,
        0,
        &["try it: toolwire run photos folder=VALUE format=jpg\n"],
    );
    let entry = manifest(&dir);
    assert!(ran.stdout.starts_with(&entry), "{ran:?}");
    assert_eq!(
        entry,
        r#"[tools.photos]
description = "Resize photos. Keeps the \"originals\"."
command = ["./photos.py", ["--size", "{size}"], ["--format", "{format}"], "{dry-run?--dry-run}", "{folder}", "{more}", ["--tags", "{tags}"]]

[tools.photos.parameters]
folder = { type = "string", description = "where they are" }
more = { type = "array", items = { type = "string" }, optional = true }
size = { type = "integer", optional = true, description = "longest side (default: 800)" }
format = { type = "string", enum = ["jpg", "png"], description = "what comes out" }
tags = { type = "array", items = { type = "string" }, optional = true }
dry-run = { type = "boolean", default = false, description = "change nothing" }
"#
    );
    let ran = toolwire(
        &dir,
        &[
            "run",
            "photos",
            "--folder",
            "a b",
            "format=png",
            "more=[\"x\"]",
            "tags=[\"t\",\"u\"]",
            "--dry-run",
        ],
    );
    let given = "{'folder': 'a b', 'more': ['x'], 'size': 800, 'format': 'png', 'tags': ['t', 'u'], 'dry_run': True}\n";
    assert_eq!(ran.stdout, given, "{ran:?}");
    let ran = toolwire(&dir, &["run", "photos", "folder=a", "format=gif"]);
    says_all(&ran, 2, &["format"]);
}

#[test]
fn what_has_commands_or_describes_itself_is_not_guessed() {
    let dir = Dir::new();
    dir.program("many", "echo 'Usage: many [OPTIONS] COMMAND [ARGS]...'; echo; echo 'Commands:'; echo '  add  Adds.'");
    let ran = toolwire(&dir, &["init", "--yes", "./many"]);
    says_all(
        &ran,
        2,
        &["has the commands `add`", "toolwire init -- ./many add"],
    );
    dir.program("fails", "echo broken >&2; exit 3");
    says_all(
        &toolwire(&dir, &["init", "--yes", "./fails"]),
        1,
        &["broken", "by hand"],
    );
    assert!(!dir.path().join("toolwire.toml").exists());
    // A marked program is asked, not started with `--help`.
    dir.tool("tool.sh", &format!("{},{}", RENAME, SEARCH), "");
    says_all(
        &toolwire(&dir, &["init", "--yes", "./tool.sh"]),
        0,
        &["added `rename`, `search`"],
    );
    let ran = toolwire(&dir, &["init", "--yes", "--name", "x", "./tool.sh"]);
    says_all(&ran, 2, &["has several with names of their own"]);
    assert!(
        manifest(&dir).contains("[tools.search]\ncommand = \"./tool.sh\"\ntool = \"search\"\n")
    );
}

#[test]
fn a_person_is_asked() {
    let dir = Dir::new();
    set_mode(dir.file("photos.py", SCRIPT).as_ref(), 0o755);
    let shell = "\"$TOOLWIRE\" init > out; echo first=$?; \"$TOOLWIRE\" init ./photos.py; echo second=$?; \
                 \"$TOOLWIRE\" init ./photos.py; echo code=$?";
    let mut terminal = start_shell(dir, shell);
    terminal.shows("In which language");
    terminal.types(&format!("{DOWN}{DOWN}{ENTER}"), "What is its name?");
    terminal.types(&format!("-again{ENTER}"), "first=0");
    terminal.shows("Start `./photos.py --help` to read what it takes? [y/N]");
    terminal.types("y\r", "Add this to");
    terminal.types("n\r", "second=1");
    terminal.until("third prompt", |screen| {
        screen.matches("Start `").count() == 2
    });
    let ended = terminal.ends("n\r");
    let started = fs::read_to_string(ended.dir.path().join("started")).unwrap();
    assert_eq!(started, "x");
    let manifest = fs::read_to_string(ended.dir.path().join("toolwire.toml")).unwrap();
    assert!(
        manifest.starts_with("[tools.hello-again]\n") && !manifest.contains("photos"),
        "{manifest}"
    );
}
