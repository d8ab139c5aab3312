//! What a process gets, its limits, its standard error.

use std::fs;
use std::time::{Duration, Instant};

use crate::common::{Dir, Run, command, run_command};
use serde_json::Value;

fn run_in(dir: &Dir, args: &[&str]) -> Run {
    let mut command = command(&[&["run"], args].concat());
    command.current_dir(dir.path());
    for (name, value) in [
        ("SECRET_KEY", "s3cret"),
        ("LANG", "C"),
        ("TOOLWIRE_CALL", "stdin"),
        ("HTTPS_PROXY", "http://ada:p@ss@proxy:3128"),
        ("all_proxy", "http://ada:p/ss@proxy:3128"),
        ("NO_PROXY", "localhost,ada@x"),
    ] {
        command.env(name, value);
    }
    run_command(command, b"")
}

const ANY: &str = r#"{"name":"any","inputSchema":{"type":"object"}}"#;

#[test]
fn the_environment_is_all_or_what_is_needed() {
    let dir = Dir::new();
    let script = "echo \"$SECRET_KEY|$LANG|$A|${TOOLWIRE_CALL-none}|${PATH:+path}\"";
    dir.program("env", script);
    for (args, expected) in [
        (&[][..], "s3cret|C||none|path\n"),
        (&["--env", "A=b=c"], "s3cret|C|b=c|none|path\n"),
        (&["--env", "A="], "s3cret|C||none|path\n"),
        (&["--inherit", "all"], "s3cret|C||none|path\n"),
        (&["--inherit", "standard"], "|C||none|path\n"),
        (
            &["--inherit", "standard,SECRET_KEY"],
            "s3cret|C||none|path\n",
        ),
        (
            &["--inherit", "PATH", "--inherit", "SECRET_KEY,MISSING"],
            "s3cret|||none|path\n",
        ),
        (
            &[
                "--inherit",
                "standard",
                "--env",
                "A=1",
                "--env",
                "A=2",
                "--env",
                "LANG=de",
            ],
            "|de|2|none|path\n",
        ),
    ] {
        let run = run_in(&dir, &[args, &["--plain", "./env"]].concat());
        assert_eq!(run.stdout, expected, "{args:?}: {run:?}");
    }
    // A tool that gets a call is told where it is, whatever this process was told.
    let called = run_in(&dir, &["--call", "./env"]);
    assert_eq!(called.stdout, "s3cret|C||stdin|path\n");
}

/// A tool gets the address of a proxy, without its credentials.
#[test]
fn the_standard_environment_holds_no_credentials_of_a_proxy() {
    let dir = Dir::new();
    let script = "echo \"${HTTPS_PROXY-none} ${all_proxy-none} ${NO_PROXY-none}\"";
    dir.program("env", script);
    for (inherit, expected) in [
        ("standard", "http://proxy:3128 none localhost,ada@x\n"),
        (
            "standard,all_proxy",
            "http://proxy:3128 http://ada:p/ss@proxy:3128 localhost,ada@x\n",
        ),
        (
            "all",
            "http://ada:p@ss@proxy:3128 http://ada:p/ss@proxy:3128 localhost,ada@x\n",
        ),
    ] {
        let run = run_in(&dir, &["--inherit", inherit, "--plain", "./env"]);
        assert_eq!(run.stdout, expected, "{inherit}: {run:?}");
    }
}

#[test]
fn wrong_words_for_the_environment_are_refused() {
    let dir = Dir::new();
    dir.program("env", "touch ran");
    for (args, word) in [
        (["--inherit", "standart"], "did you mean `standard`?"),
        (["--inherit", "all,HOME"], "`all` stands for every variable"),
        (["--inherit", ""], "can't be the name of a variable"),
        (["--env", "HOME"], "`--inherit standard,HOME`"),
        (["--env", "=x"], "the name before `=` is missing"),
    ] {
        let run = run_in(&dir, &[&args[..], &["--plain", "./env"]].concat());
        assert_eq!((run.code, &*run.stdout), (2, ""), "{args:?}: {run:?}");
        assert!(run.stderr.contains(word), "{args:?}: {run:?}");
    }
    assert!(!dir.path().join("ran").exists());
}

#[test]
fn the_folder_and_the_root_are_those_that_were_asked_for() {
    let dir = Dir::new();
    fs::create_dir(dir.path().join("sub")).unwrap();
    dir.tool("tool", ANY, "pwd >&2");
    let here = fs::canonicalize(dir.path())
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned();
    let sub = format!("{here}/sub");
    for (args, cwd, root) in [
        (&[][..], &here, &here),
        (&["--cwd", "sub"], &sub, &here),
        (&["--cwd", "sub", "--root", "sub"], &sub, &sub),
        (
            &["--root", "file:///project"],
            &here,
            &"file:///project".to_owned(),
        ),
    ] {
        let run = run_in(&dir, &[args, &["--format", "json", "./tool"]].concat());
        assert_eq!(run.stderr.trim(), cwd, "{args:?}: {run:?}");
        let told = &run.json()["structuredContent"]["context"]["root"];
        let told = fs::canonicalize(told.as_str().unwrap());
        let told = told.map_or("file:///project".to_owned(), |path| {
            path.to_str().unwrap().into()
        });
        assert_eq!(&told, root, "{args:?}");
    }
    let missing = run_in(&dir, &["--cwd", "missing", "./tool"]);
    assert!(
        missing.code == 5 && missing.stderr.contains("missing"),
        "{missing:?}"
    );
}

#[test]
fn a_time_out_ends_each_run() {
    let dir = Dir::new();
    dir.tool("slow", ANY, "echo begun; sleep 60");
    let start = Instant::now();
    let run = run_in(&dir, &["--timeout", "5s", "--format", "json", "./slow"]);
    assert!(start.elapsed() < Duration::from_secs(50));
    assert_eq!(run.code, 1, "{run:?}");
    let result = run.json();
    assert_eq!(result["_meta"]["computer.jp/error"]["transient"], true);
    assert_eq!(result["content"][1]["text"], "begun\n");
    let sentence = result["content"][0]["text"].as_str().unwrap();
    assert!(
        sentence.starts_with("no output or progress came for 5 s"),
        "{sentence}"
    );
}

/// One time limits silence, the other the whole.
#[test]
fn what_is_written_ends_a_silence_and_not_the_whole_time() {
    let dir = Dir::new();
    let script = "i=0; while [ $i -lt $TIMES ]; do sleep 1; WRITE; i=$((i+1)); done; echo done";
    for (name, write) in [
        ("out", "echo more"),
        ("err", "echo more >&2"),
        (
            "event",
            r#"echo '{"type":"progress","done":1}' >> "$TOOLWIRE_EVENTS""#,
        ),
    ] {
        dir.program(name, &script.replace("WRITE", write));
        let program = format!("./{name}");
        let run = run_in(
            &dir,
            &["--env", "TIMES=8", "--timeout", "5s", "--plain", &program],
        );
        assert!(run.code == 0 && run.stdout.ends_with("done\n"), "{run:?}");
    }
    let args = [
        "--env",
        "TIMES=60",
        "--timeout",
        "30s",
        "--max-time",
        "4s",
        "--plain",
        "./out",
    ];
    let run = run_in(&dir, &args);
    let sentence = "the tool did not end within 4 s and was stopped";
    assert!(run.code == 1 && run.stdout.contains(sentence), "{run:?}");
}

#[test]
fn a_limit_ends_what_writes_without_end() {
    let dir = Dir::new();
    dir.program("yes", "yes");
    let run = run_in(&dir, &["--max-output", "1000", "--format", "json", "./yes"]);
    assert_eq!(run.code, 1, "{run:?}");
    let text = run.json()["content"][0]["text"].clone();
    assert!(
        text.as_str().unwrap().contains("more than 1000 bytes"),
        "{text}"
    );
}

#[test]
fn standard_error_is_passed_on_to_the_letter_and_apart_from_the_result() {
    let dir = Dir::new();
    dir.program(
        "noisy",
        "cat > /dev/null; printf 'a\\033[2Jb\\377\\rc' >&2; echo out",
    );
    let run = run_in(&dir, &["./noisy"]);
    assert_eq!(run.stdout, "out\n");
    assert_eq!(run.stderr, "a\x1b[2Jb\u{fffd}\rc");
}

/// It comes while the tool runs, not at its end.
#[test]
fn standard_error_is_live() {
    let dir = Dir::new();
    let script = "echo first >&2; i=0
        while [ ! -e go ] && [ $i -lt 600 ]; do sleep 0.05; i=$((i+1)); done; [ -e go ] && echo went";
    dir.program("tool", script);
    let mut command = command(&["run", "--plain", "./tool"]);
    let mut child = command.current_dir(dir.path()).spawn().unwrap();
    let mut stderr = std::io::BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut stderr, &mut line).unwrap();
    assert_eq!(line, "first\n");
    dir.file("go", "");
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "went\n");
}

/// What an author prints for debugging is log, if the answer is in the result channel.
#[test]
fn the_result_channel_is_the_answer() {
    let dir = Dir::new();
    let script = r#"echo debugging; printf '%s' '{"content":[{"type":"text","text":"real"}]}' > "$TOOLWIRE_RESULT""#;
    dir.program("tool", script);
    for args in [&["./tool"][..], &["--plain", "./tool"]] {
        let run = run_in(&dir, args);
        assert_eq!((&*run.stdout, &*run.stderr), ("real\n", "debugging\n"));
    }
    // The output of a tool that does not use the channel is its answer, not log as well.
    dir.program("prints", "echo answer");
    let prints = run_in(&dir, &["./prints"]);
    assert_eq!((&*prints.stdout, &*prints.stderr), ("answer\n", ""));
    // Of a tool that was stopped it is the only trace of what it did.
    dir.program("slow", &format!("{script}; sleep 60"));
    let slow = run_in(&dir, &["--timeout", "5s", "./slow"]);
    assert!(slow.code == 1 && slow.stderr == "debugging\n", "{slow:?}");
    assert!(slow.stdout.contains("real"), "{slow:?}");
}

/// It is asked what it takes, and then called: it says twice what it says at its start.
#[test]
fn what_a_tool_says_while_it_describes_itself_is_not_shown() {
    let dir = Dir::new();
    let script = r#"# toolwire-tool: 1
call=$(cat); echo loading >&2; echo printed
case $call in
    *'"action":"describe"'*) answer='{"toolwire":1,"tools":[TOOLS]}';;
    *) answer='{"ran":true}';;
esac
printf '{"content":[],"structuredContent":%s}' "$answer" > "$TOOLWIRE_RESULT""#;
    dir.program("tool", &script.replace("TOOLS", ANY));
    let run = run_in(&dir, &["./tool"]);
    assert_eq!(
        (run.code, &*run.stderr),
        (0, "loading\nprinted\n"),
        "{run:?}"
    );
    let unknown = run_in(&dir, &["./tool", "zap"]);
    assert!(
        unknown.code == 2 && !unknown.stderr.contains("loading"),
        "{unknown:?}"
    );
    let described = run_command(
        {
            let mut command = command(&["tools", "./tool"]);
            command.current_dir(dir.path());
            command
        },
        b"",
    );
    assert_eq!(described.stderr, "loading\nprinted\n", "{described:?}");
    // Whoever looks for what is wrong needs it.
    dir.program("broken", &script.replace("TOOLS", "3"));
    dir.program("fails", "echo loading >&2; echo printed >&2; exit 3");
    for program in ["./broken", "./fails"] {
        let run = run_in(&dir, &[program]);
        assert_eq!(run.code, 1, "{run:?}");
        assert!(run.stderr.starts_with("loading\nprinted\n"), "{run:?}");
    }
}

/// A program that does its job instead of describing itself may take long; what it says is shown
/// before its end.
#[test]
fn what_is_held_back_is_shown_in_time() {
    let dir = Dir::new();
    let script = "# toolwire-tool: 1
        echo first >&2; i=0
        while [ ! -e go ] && [ $i -lt 600 ]; do sleep 0.05; i=$((i+1)); done; [ -e go ] && echo went";
    dir.program("job", script);
    let mut command = command(&["run", "./job"]);
    let mut child = command.current_dir(dir.path()).spawn().unwrap();
    let mut stderr = std::io::BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    std::io::BufRead::read_line(&mut stderr, &mut line).unwrap();
    assert_eq!(line, "first\n");
    dir.file("go", "");
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "went\n");
}

/// Tools in the languages that are there: the same file, named without its interpreter.
#[test]
fn tools_in_other_languages_run_by_their_extension() {
    let there = |program: &str| {
        let mut version = std::process::Command::new(program);
        version
            .arg("--version")
            .output()
            .is_ok_and(|output| output.status.success())
    };
    let dir = Dir::new();
    dir.file(
        "tool.py",
        r#"# toolwire-tool: 1
import json, sys
call = json.load(sys.stdin)
tools = [{"name": "add", "inputSchema": {"type": "object", "properties": {"a": {"type": "integer"}}}}]
if call["context"]["action"] == "describe":
    print(json.dumps({"content": [], "structuredContent": {"toolwire": 1, "tools": tools}}))
else:
    print(json.dumps({"content": [], "structuredContent": {"sum": call["tool"]["arguments"]["a"] + 1}}))
"#,
    );
    dir.file(
        "tool.mjs",
        r#"// toolwire-tool: 1
import { readFileSync } from 'node:fs';
const call = JSON.parse(readFileSync(0, 'utf8'));
const tools = [{ name: 'add', inputSchema: { type: 'object', properties: { a: { type: 'integer' } } } }];
const structuredContent = call.context.action === 'describe'
  ? { toolwire: 1, tools }
  : { sum: call.tool.arguments.a + 1 };
console.log(JSON.stringify({ content: [], structuredContent }));
"#,
    );
    for (program, file) in [("python3", "./tool.py"), ("node", "./tool.mjs")] {
        if there(program) {
            let run = run_in(&dir, &["--format", "json", file, "a=2"]);
            assert_eq!(
                run.json()["structuredContent"]["sum"],
                Value::from(3),
                "{run:?}"
            );
        }
    }
}
