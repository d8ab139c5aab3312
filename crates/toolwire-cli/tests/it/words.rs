//! Words of the tool, options, answers, sizes and times.

use crate::common::{Dir, RENAME, Run, SEARCH, command, run, run_command};
use serde_json::{Value, json};

const CLEAN: &str = r#"{"name":"clean","inputSchema":{"type":"object","additionalProperties":false,"properties":{"folder":{"type":"string"},"dry_run":{"type":"boolean"},"maxDepth":{"type":"integer"},"format":{"type":"string"},"author":{"type":"object","additionalProperties":false,"properties":{"name":{"type":"string"}}}}}}"#;

fn run_in(dir: &Dir, args: &[&str]) -> Run {
    let mut command = command(&[&["run"], args].concat());
    command.current_dir(dir.path());
    run_command(command, b"")
}

/// The arguments that reached the tool.
fn given(dir: &Dir, args: &[&str]) -> Value {
    let run = run_in(dir, args);
    assert_eq!(run.code, 0, "{args:?}: {run:?}");
    run.json()["tool"]["arguments"].clone()
}

fn refused(dir: &Dir, args: &[&str]) -> String {
    let run = run_in(dir, args);
    assert_eq!((run.code, &*run.stdout), (2, ""), "{args:?}: {run:?}");
    run.stderr
}

#[test]
fn options_behind_the_program_are_arguments_of_the_tool() {
    let dir = Dir::new();
    dir.tool("one", CLEAN, "");
    dir.tool("two", &format!("{CLEAN},{SEARCH}"), "");
    let both = json!({"folder": "/tmp", "dry_run": true});
    for args in [
        &["./one", "--folder", "/tmp", "--dry-run"][..],
        &["./one", "clean", "--folder=/tmp", "dry_run=yes"],
        &["--timeout", "9s", "./one", "--dry-run", "--folder", "/tmp"],
        &[
            "--timeout",
            "9s",
            "--color=never",
            "./two",
            "clean",
            "--dry_run",
            "--folder",
            "/tmp",
        ],
        &["clean", "--folder", "/tmp", "--dry-run", "--", "./two"],
    ] {
        assert_eq!(given(&dir, args), both, "{args:?}");
    }
    let args = [
        "./one",
        "--max-depth",
        "-1",
        "--no-dry-run",
        "--author.name",
        "Ada",
    ];
    let all = json!({"maxDepth": -1, "dry_run": false, "author": {"name": "Ada"}});
    assert_eq!(given(&dir, &args), all);
    // Behind `--` all is the program's.
    let plain = run_in(
        &dir,
        &["--plain", "--", "echo", "--folder", "/tmp", "--format"],
    );
    assert_eq!(plain.stdout, "--folder /tmp --format\n", "{plain:?}");
}

#[test]
fn an_option_that_nobody_knows_is_told_with_what_was_meant() {
    let dir = Dir::new();
    dir.tool("one", CLEAN, "touch ran");
    dir.tool("open", SEARCH, "touch ran");
    for (args, words) in [
        (
            &["./one", "--foldr", "/tmp"][..],
            "did you mean `--folder`?",
        ),
        (&["./one", "foldr=/tmp"], "did you mean `folder`?"),
        (&["./one", "author.nam=x"], "did you mean `author.name`?"),
        (
            &["./one", "--timeot", "9s"],
            "`--timeot` is not an argument",
        ),
        (
            &["./one", "--author.nam", "x"],
            "did you mean `--author.name`?",
        ),
        (
            &["./one", "--dry-run", "false"],
            "`false` is not an argument: write `name=value`",
        ),
        (&["./one", "-f", "/tmp"], "`-f` is not an argument"),
        (&["./one", "clea", "x=1"], "did you mean `clean`?"),
        (&["./open", "--folder", "/tmp"], "write `folder=/tmp`"),
        (
            &["--call", "./one", "--folder", "/tmp"],
            "write `folder=/tmp`",
        ),
    ] {
        let message = refused(&dir, args);
        assert!(message.contains(words), "{args:?}: {message}");
    }
    assert!(!dir.path().join("ran").exists());
    // Before the program an option is the command's.
    let before = refused(&dir, &["--folder", "/tmp", "./one"]);
    assert!(
        before.contains("`toolwire run SOURCE --folder VALUE`"),
        "{before}"
    );
    assert!(!before.contains("use '-- --folder'"), "{before}");
    let near = refused(&dir, &["--timeot", "9s", "./one"]);
    assert!(near.contains("'--timeout'"), "{near}");
}

#[test]
fn an_option_of_the_command_is_refused_behind_the_source() {
    let dir = Dir::new();
    dir.tool("one", CLEAN, "touch ran");
    for (args, meant) in [
        (
            &[
                "--yes",
                "./one",
                "dry_run=yes",
                "--format",
                "json",
                "folder=a b",
            ][..],
            "`toolwire run --yes --format json ./one dry_run=yes 'folder=a b'`, or `format=VALUE` for",
        ),
        (
            &["clean", "--format=json", "--", "./one", "--format=x"],
            "`toolwire run --format=json clean -- ./one --format=x`",
        ),
        (&["./one", "--locked"], "`toolwire run --locked ./one`"),
        (
            &["./one", "--color", "never"],
            "`toolwire run --color never ./one`",
        ),
        (&["./one", "--help"], "`toolwire run --help ./one`"),
    ] {
        let message = refused(&dir, args);
        assert!(message.contains(meant), "{args:?}: {message}");
    }
    assert!(!dir.path().join("ran").exists());
    let before = run_in(&dir, &["--format", "json", "./one", "format=x"]).json();
    let call = &before["structuredContent"]["tool"];
    assert_eq!(call["arguments"], json!({"format": "x"}));
}

#[test]
fn json_is_short_for_the_format() {
    let dir = Dir::new();
    dir.tool("one", RENAME, "");
    let long = run_in(&dir, &["--format", "json", "./one", "path=a"]);
    let short = run_in(&dir, &["--json", "./one", "path=a"]);
    assert!(short.json()["structuredContent"].is_object(), "{short:?}");
    assert_eq!(short.stdout, long.stdout);
    refused(&dir, &["--json", "--format", "json", "./one", "path=a"]);
}

#[test]
fn sizes_and_times_have_units_everywhere() {
    let dir = Dir::new();
    dir.program("long", "head -c 1010 /dev/zero | tr '\\0' x");
    for (size, code) in [
        ("1kB", 1),
        ("1010", 0),
        ("1009B", 1),
        ("1k", 0),
        ("1KiB", 0),
    ] {
        let run = run_in(&dir, &["--plain", "--max-output", size, "./long"]);
        assert_eq!(run.code, code, "{size}: {run:?}");
    }
    let manifest = |line: &str| {
        dir.file(
            "toolwire.toml",
            format!("[tools.long]\ncommand = './long'\nplain = true\n{line}\n"),
        );
        run_in(&dir, &["long"])
    };
    assert_eq!(manifest("max-output = '1kB'").code, 1);
    assert_eq!(manifest("max-output = '1 KiB'").code, 0);
    assert_eq!(manifest("max-output = 1009").code, 1);
    let wrong = manifest("max-output = '1 page'");
    assert!(
        wrong.code == 2 && wrong.stderr.contains("such as kB"),
        "{wrong:?}"
    );
    assert_eq!(manifest("max-output = -1").code, 2);
    let number = run_in(&dir, &["--plain", "--timeout", "30", "./long"]);
    assert!(
        number.code == 2 && number.stderr.contains("`30s`"),
        "{number:?}"
    );
    let number = manifest("timeout = '30'");
    assert!(
        number.code == 2 && number.stderr.contains("30s"),
        "{number:?}"
    );
    let text = format!(
        "{{\"content\":[{{\"type\":\"text\",\"text\":\"{}\"}}]}}",
        "x".repeat(5000)
    );
    let cut = run(&["format", "--max-bytes", "1k"], &text).stdout;
    assert!((1000..=1025).contains(&cut.len()), "{}", cut.len());
    assert_eq!(run(&["validate", "--max-input", "5kB"], &text).code, 1);
    assert_eq!(run(&["validate", "--max-input", "1MiB"], &text).code, 0);
}

const NOTES: &str = r#"{"id":"notes","text":"Notes?","schema":{"type":"object","additionalProperties":false,"required":["title"],"properties":{"title":{"type":"string"},"breaking":{"type":"boolean"},"tags":{"type":"array","items":{"type":"string"}}}}}"#;

/// A tool that asks for notes.
fn asking(dir: &Dir, question: &str) {
    let ask = format!(
        r#"case $call in *'"dev.toolwire/answers"'*);; *) echo '{{"content":[{{"type":"question","question":{question}}}]}}'; exit;; esac"#
    );
    dir.tool("one", SEARCH, &ask);
}

#[test]
fn answers_nest_as_arguments_do() {
    let dir = Dir::new();
    asking(&dir, NOTES);
    let answer = |args: &[&str]| {
        let run = run_in(&dir, &[args, &["./one"]].concat());
        assert_eq!(run.code, 0, "{args:?}: {run:?}");
        assert_eq!(run.stderr, "", "{args:?}");
        run.json()["tool"]["answers"].clone()
    };
    let notes = json!({"notes": {"title": "1", "breaking": true, "tags": ["a", "b"]}});
    let args = [
        "--answer",
        "notes.title=1",
        "--answer",
        "notes.breaking=yes",
        "--answer",
        "notes.tags=a",
        "--answer",
        "notes.tags=b",
    ];
    assert_eq!(answer(&args), notes);
    let whole = [r#"--answer=notes={"title":"1","breaking":true,"tags":["a","b"]}"#];
    assert_eq!(answer(&whole), notes);
    for (args, words) in [
        (
            &["--answer", "notes.titel=x"][..],
            "did you mean `notes.title`?",
        ),
        (
            &["--answer", "notes.breaking=yes"],
            "`notes.title` is missing",
        ),
        (
            &["--answer", "notes.title=x", "--answer", "notes.breaking=3"],
            "`notes.breaking` must be",
        ),
        (
            &["--answer", "notes.title=x", "--answer", "notes={}"],
            "given twice",
        ),
    ] {
        let message = refused(&dir, &[args, &["./one"]].concat());
        assert!(message.contains(words), "{args:?}: {message}");
    }
}

#[test]
fn ids_that_look_like_paths_and_options_are_answered_too() {
    for id in ["a.b", "--x", "..", "a.b.c"] {
        let dir = Dir::new();
        asking(
            &dir,
            &NOTES.replace(r#""id":"notes""#, &format!(r#""id":"{id}""#)),
        );
        let option = format!("--answer={id}.title=x");
        let run = run_in(&dir, &[&option, "./one"]);
        assert_eq!(run.code, 0, "{id}: {run:?}");
        assert_eq!(
            run.json()["tool"]["answers"][id],
            json!({"title": "x"}),
            "{id}"
        );
    }
}

#[test]
fn an_answer_to_a_misspelt_question_is_told() {
    let dir = Dir::new();
    asking(
        &dir,
        r#"{"id":"confirm","text":"Sure?","schema":{"type":"boolean"}}"#,
    );
    let args = [
        "--answer",
        "confrm=yes",
        "--non-interactive",
        "decline",
        "./one",
    ];
    let run = run_in(&dir, &args);
    assert!(
        run.stderr.contains("the question `confrm` was not asked"),
        "{run:?}"
    );
    assert!(run.stderr.contains("did you mean `confirm`?"), "{run:?}");
    let notes = Dir::new();
    asking(&notes, NOTES);
    let run = run_in(
        &notes,
        &[
            "--non-interactive=fail",
            "--answer",
            "nots.title=x",
            "./one",
        ],
    );
    assert!(
        run.stderr.contains("did you mean `notes.title`?"),
        "{run:?}"
    );
    assert!(
        run.stderr.contains("`--answer notes.title=VALUE`"),
        "{run:?}"
    );
    let yes = run_in(&dir, &["--answer", "confirm=Yes", "./one"]);
    assert_eq!(
        yes.json()["tool"]["answers"],
        json!({"confirm": true}),
        "{yes:?}"
    );
}
