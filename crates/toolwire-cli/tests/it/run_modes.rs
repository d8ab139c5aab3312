//! Which programs get calls, known before they run.

use crate::common::{self, Dir, Run, SEARCH, command, run_command, set_mode};

/// A program that takes words of its own, and notes each time that it runs.
const CLEAN: &str = "echo ran >> runs; printf '%s|' \"${TOOLWIRE_CALL-none}\" \"$@\"; wc -c";

/// A program that reads calls and asks, but does not know `describe`.
const ASKS: &str = r#"echo ran >> runs
case $(cat) in
    *'"confirm":true'*) echo done;;
    *) echo '{"content":[{"type":"question","question":{"id":"confirm","text":"Really?","schema":{"type":"boolean"}}}]}';;
esac"#;

fn toolwire(dir: &Dir, args: &[&str]) -> Run {
    let mut command = command(args);
    command.current_dir(dir.path());
    run_command(command, b"")
}

/// How often the program of a folder has run.
fn runs(dir: &Dir) -> usize {
    let runs = std::fs::read_to_string(dir.path().join("runs")).unwrap_or_default();
    runs.lines().count()
}

#[test]
fn arguments_that_cannot_reach_a_file_stop_it_before_it_runs() {
    let dir = Dir::new();
    dir.program("clean.sh", CLEAN);
    for words in [
        &["./clean.sh", "dry_run=true"][..],
        &["./clean.sh", "clean"],
        &["./clean.sh", "clean", "dry_run=true"],
        &["--args", r#"{"dry_run":true}"#, "./clean.sh"],
        &["--answer", "a=b", "./clean.sh", "dry_run=true"],
        &["--non-interactive", "fail", "./clean.sh", "dry_run=true"],
    ] {
        let run = toolwire(&dir, &[&["run"], words].concat());
        assert_eq!((run.code, &*run.stdout), (2, ""), "{words:?}: {run:?}");
        assert!(
            run.stderr.contains("toolwire run --call ./clean.sh"),
            "{run:?}"
        );
        assert!(run.stderr.contains("# toolwire-tool: 1"), "{run:?}");
    }
    let both = toolwire(&dir, &["run", "./clean.sh", "dry_run=true", "to=a b"]);
    let ways = [
        "write them as it expects them: `toolwire run -- ./clean.sh ARGUMENTS`; `toolwire init ./clean.sh` gives",
        "run `toolwire run --call ./clean.sh dry_run=true 'to=a b'`",
    ];
    assert!(ways.iter().all(|way| both.stderr.contains(way)), "{both:?}");
    let options = toolwire(&dir, &["run", "./clean.sh", "--dry-run", "a b"]);
    let way = "run `toolwire run -- ./clean.sh --dry-run 'a b'`";
    assert!(options.stderr.contains(way), "{options:?}");
    assert_eq!(runs(&dir), 0);
    let plain = toolwire(&dir, &["run", "--", "./clean.sh", "dry_run=true", "to=a b"]);
    assert_eq!(plain.stdout.trim(), "none|dry_run=true|to=a b|0");
    let call = toolwire(&dir, &["run", "--call", "./clean.sh", "dry_run=true"]);
    assert!(call.stdout.starts_with("stdin|"), "{call:?}");
    assert_eq!(runs(&dir), 2);
}

#[test]
fn each_sign_of_a_call_is_one_and_nothing_else_is() {
    let dir = Dir::new();
    dir.program("clean.sh", CLEAN);
    let got = |args: &[&str]| {
        let run = toolwire(&dir, &[&["run"], args].concat());
        assert_eq!(run.code, 0, "{args:?}: {run:?}");
        run.stdout.split('|').next().unwrap_or_default().to_owned()
    };
    let answers = dir.file("answers.json", "{}");
    for options in [
        &["--call"][..],
        &["--answer", "a=b"],
        &["--answers", &answers],
        &["--non-interactive", "fail"],
        &["--assistant", "true"],
    ] {
        assert_eq!(got(&[options, &["./clean.sh"]].concat()), "stdin");
        assert_eq!(got(&[options, &["--", "./clean.sh"]].concat()), "stdin");
    }
    for words in [&["a=b"][..], &["tool"], &["--args", "{}"]] {
        let call = [&["--call"], words, &["--", "./clean.sh"]].concat();
        assert_eq!(got(&call), "stdin");
    }
    for args in [
        &["./clean.sh"][..],
        &["--", "./clean.sh"],
        &["--", "./clean.sh", "--call", "a=b"],
        &["--format", "model", "--timeout", "10s", "./clean.sh"],
        &["--plain", "./clean.sh"],
    ] {
        assert_eq!(got(args), "none", "{args:?}");
    }
    dir.program("marked.sh", &format!("# toolwire-tool: 1\n{CLEAN}"));
    assert_eq!(got(&["./marked.sh"]), "stdin");
    assert_eq!(got(&["--", "./marked.sh", "x"]), "stdin");
    assert_eq!(got(&["--plain", "./marked.sh"]), "none");
    // A mention is no marker.
    dir.program("mentions.sh", &format!(": 'toolwire-tool: 1'\n{CLEAN}"));
    assert_eq!(got(&["./mentions.sh"]), "none");
}

/// A person has named it, or its author has: nothing else may be asked to describe itself (CALL-35).
#[test]
fn only_a_manifest_or_a_marker_allows_to_describe() {
    let dir = Dir::new();
    dir.program("clean.sh", CLEAN);
    let run = toolwire(&dir, &["tools", "./clean.sh"]);
    assert_eq!((run.code, runs(&dir)), (2, 0), "{run:?}");
    let called = toolwire(&dir, &["run", "--call", "./clean.sh", "a=b"]);
    assert_eq!((called.code, runs(&dir)), (0, 1), "{called:?}");
    // It holds what `tool` prints for `describe`, but nothing says so.
    let tool = dir.tool("tool", SEARCH, "");
    let text = std::fs::read_to_string(&tool).unwrap();
    dir.file("bare", text.replace("# toolwire-tool: 1\n", ""));
    set_mode(&dir.path().join("bare"), 0o755);
    assert_eq!(toolwire(&dir, &["tools", "./bare"]).code, 2);
    dir.file("toolwire.toml", "[tools.named]\ncommand = './bare'\n");
    assert_eq!(toolwire(&dir, &["tools", "named"]).code, 1);
    let described = "[tools.named]\ncommand = './bare'\ndescribe = true\n";
    dir.file("toolwire.toml", described);
    assert_eq!(toolwire(&dir, &["tools", "named"]).code, 0);
    assert_eq!(toolwire(&dir, &["tools", "./tool"]).code, 0);
    assert_eq!(toolwire(&dir, &["tools", "--", "./tool"]).code, 0);
}

#[test]
fn a_program_that_asks_but_does_not_describe_itself_is_asked_answered_and_run_again() {
    let dir = Dir::new();
    dir.file("asks.sh", ASKS);
    let answered = toolwire(
        &dir,
        &["run", "--answer", "confirm=true", "--", "sh", "asks.sh"],
    );
    assert_eq!(
        (answered.code, &*answered.stdout),
        (0, "done\n"),
        "{answered:?}"
    );
    assert_eq!((&*answered.stderr, runs(&dir)), ("", 2));
    let file = toolwire(&dir, &["run", "--answer", "confirm=true", "./asks.sh"]);
    assert_eq!((file.code, &*file.stdout), (0, "done\n"), "{file:?}");
    // One that is marked is asked to describe itself first, and answers with a question.
    dir.file("marked.sh", format!("# toolwire-tool: 1\n{ASKS}"));
    let marked = toolwire(
        &dir,
        &["run", "--answer", "confirm=true", "./marked.sh", "x=1"],
    );
    assert_eq!((marked.code, &*marked.stdout), (0, "done\n"), "{marked:?}");
    let described = toolwire(&dir, &["tools", "./marked.sh"]);
    assert!(
        described.code == 1 && described.stderr.contains("asked a question"),
        "{described:?}"
    );
}

/// The question is shown, and the code and a message tell that nobody answered.
#[test]
fn a_question_of_a_program_that_was_run_plain_is_an_error() {
    let dir = Dir::new();
    dir.program("asks.sh", ASKS);
    dir.file(
        "toolwire.toml",
        "[tools.asks]\ncommand = './asks.sh'\nplain = true\n",
    );
    for (args, advice) in [
        (
            &["run", "./asks.sh"][..],
            "run `toolwire run --call ./asks.sh`",
        ),
        (
            &["run", "--", "./asks.sh"],
            "run `toolwire run --call -- ./asks.sh`",
        ),
        (&["run", "--plain", "./asks.sh"], "without `--plain`"),
        (&["run", "asks"], "without `plain`"),
    ] {
        let run = toolwire(&dir, args);
        assert!(
            run.code == 1 && run.stdout.contains("Really?"),
            "{args:?}: {run:?}"
        );
        assert!(run.stderr.contains("asks `confirm`"), "{args:?}: {run:?}");
        assert!(run.stderr.contains(advice), "{args:?}: {run:?}");
    }
    let json = toolwire(&dir, &["run", "--format", "json", "./asks.sh"]);
    assert_eq!((json.code, json.json()["isError"].as_bool()), (1, None));
}

/// A bare name is not looked up on the `PATH`.
#[test]
fn a_bare_name_is_a_name_of_the_manifest() {
    let dir = Dir::new();
    let run = toolwire(&dir, &["run", "true"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(
        run.stderr.contains("has a `toolwire.toml`") && run.stderr.contains("toolwire run -- true"),
        "{run:?}"
    );
    let describe = toolwire(&dir, &["tools", "true"]);
    assert!(
        describe.stderr.contains("toolwire tools -- true"),
        "{describe:?}"
    );
    dir.program("here", "echo here");
    let here = toolwire(&dir, &["run", "here"]);
    assert!(
        here.code == 2 && here.stderr.contains("toolwire run ./here"),
        "{here:?}"
    );
    dir.file("toolwire.toml", "[tools.trues]\ncommand = 'true'\n");
    for args in [
        &["run", "true"][..],
        &["run", "--plain", "true"],
        &["run", "--call", "true"],
    ] {
        let named = toolwire(&dir, args);
        assert!(
            named.code == 2 && named.stderr.contains("did you mean `trues`?"),
            "{named:?}"
        );
    }
    assert_eq!(toolwire(&dir, &["run", "--", "true"]).code, 0);
    assert_eq!(toolwire(&dir, &["run", "trues"]).code, 0);
}

/// A marked program that does its job when it is asked to describe itself.
#[test]
fn what_did_not_reach_a_program_is_told_and_fails() {
    let dir = Dir::new();
    dir.program(
        "hello",
        "# toolwire-tool: 1\necho ran >> runs; echo hello; exit 0$CODE",
    );
    let plain = toolwire(&dir, &["run", "./hello"]);
    assert_eq!((plain.code, &*plain.stdout), (0, "hello\n"), "{plain:?}");
    let lost = toolwire(
        &dir,
        &["run", "--args", r#"{"c":1}"#, "./hello", "tool", "a=b"],
    );
    assert_eq!((lost.code, &*lost.stdout), (1, "hello\n"), "{lost:?}");
    assert!(
        lost.stderr.contains("did not reach it: tool, a=b, c;"),
        "{lost:?}"
    );
    assert_eq!(runs(&dir), 2);
    dir.program("fails", "# toolwire-tool: 1\nexit 3");
    let failed = toolwire(&dir, &["run", "./fails", "a=b"]);
    assert!(
        failed.code == 1 && failed.stderr.contains("`fails` failed when"),
        "{failed:?}"
    );
}

#[test]
fn what_is_for_calls_is_refused_for_plain_tools() {
    let dir = Dir::new();
    dir.program("clean.sh", CLEAN);
    dir.file(
        "toolwire.toml",
        "[tools.plain]\ncommand = './clean.sh'\nplain = true\n\
         [tools.calls]\ncommand = './clean.sh'\narguments = { a = 1 }\n",
    );
    for options in [
        &["--call"][..],
        &["--answer", "a=b"],
        &["--assistant", "true"],
    ] {
        for name in [&["plain"][..], &["--plain", "./clean.sh"]] {
            let run = toolwire(&dir, &[&["run"], options, name].concat());
            assert_eq!((run.code, runs(&dir)), (2, 0), "{options:?}: {run:?}");
            assert!(run.stderr.contains(options[0]), "{run:?}");
        }
    }
    let plain = toolwire(&dir, &["run", "--non-interactive", "fail", "plain"]);
    assert_eq!(plain.code, 0, "{plain:?}");
    let forced = toolwire(&dir, &["run", "--plain", "calls"]);
    assert_eq!(forced.stdout.trim(), "none|0", "{forced:?}");
}

/// A program that fails for want of a call gets a hint.
#[test]
fn a_file_that_fails_without_its_call_gets_a_hint() {
    let dir = Dir::new();
    dir.file("reads.py", "import json, sys\njson.load(sys.stdin)\n");
    let reads = toolwire(&dir, &["run", "./reads.py"]);
    assert!(
        reads.code == 1 && reads.stderr.contains("use `--call`"),
        "{reads:?}"
    );
    dir.file("fails.py", "import sys\nsys.exit('no such file')\n");
    for args in [
        &["run", "./fails.py"][..],
        &["run", "--plain", "./reads.py"],
        &["run", "--", "./reads.py"],
    ] {
        let other = toolwire(&dir, args);
        assert!(
            other.code != 0 && !other.stderr.contains("--call"),
            "{other:?}"
        );
    }
}

/// The Python of the active virtual environment, also where the tool does not get the variable.
#[test]
fn a_python_file_is_run_by_the_active_virtual_environment() {
    let dir = Dir::new();
    std::fs::create_dir_all(dir.path().join("venv/bin")).unwrap();
    std::fs::create_dir_all(dir.path().join("conda/bin")).unwrap();
    dir.program("venv/bin/python", "echo venv ${1##*/}");
    dir.program("conda/bin/python", "echo conda ${1##*/}");
    dir.file("tool.py", "print('python3')\n");
    let said = |set: &[(&str, &str)], args: &[&str]| {
        let mut command = command(&[&["run"], args, &["./tool.py"]].concat());
        command.current_dir(dir.path());
        command.env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX");
        for (name, folder) in set {
            command.env(name, dir.path().join(folder));
        }
        run_command(command, b"").stdout
    };
    let (venv, conda) = (("VIRTUAL_ENV", "venv"), ("CONDA_PREFIX", "conda"));
    assert_eq!(said(&[venv, conda], &[]), "venv tool.py\n");
    assert_eq!(said(&[venv], &["--inherit", "PATH"]), "venv tool.py\n");
    assert_eq!(said(&[conda], &[]), "conda tool.py\n");
    assert_eq!(
        said(&[("VIRTUAL_ENV", "gone"), conda], &[]),
        "conda tool.py\n"
    );
    assert_eq!(said(&[("VIRTUAL_ENV", "gone")], &[]), "python3\n");
    assert_eq!(said(&[], &[]), "python3\n");
}

/// An error that says which version can, not Node's syntax error.
#[test]
fn typescript_on_a_node_that_cannot_run_it_names_the_versions_that_can() {
    let asked = std::process::Command::new("node").arg("--version").output();
    let Ok(asked) = asked else { return };
    let version = String::from_utf8(asked.stdout).unwrap();
    let version = version.trim().trim_start_matches('v');
    let major: u32 = version.split('.').next().unwrap().parse().unwrap();
    let dir = Dir::new();
    dir.file(
        "tool.ts",
        "const text: string = 'typed'; console.log(text);\n",
    );
    let run = |env: Option<&str>| {
        let mut command = command(&["run", "./tool.ts"]);
        command.current_dir(dir.path()).env_remove("NODE_OPTIONS");
        command.envs(env.map(|options| ("NODE_OPTIONS", options)));
        run_command(command, b"")
    };
    let ran = run(None);
    if major >= 24 {
        assert_eq!((ran.code, &*ran.stdout), (0, "typed\n"), "{ran:?}");
    } else if major < 22 {
        assert_eq!((ran.code, &*ran.stdout), (5, ""), "{ran:?}");
        let message = ["`./tool.ts` is TypeScript", "22.18", "23.6", version];
        assert!(
            message.iter().all(|part| ran.stderr.contains(part)),
            "{ran:?}"
        );
        // With options of its own Node may load it in another way, so it is left to try.
        let tried = run(Some("--no-warnings"));
        assert!(
            tried.code == 1 && tried.stderr.contains("SyntaxError"),
            "{tried:?}"
        );
    }
}

/// CALL-53: a program that looks for the string of binaries does not hold it, so it is no tool itself.
#[test]
fn the_command_carries_no_marker() {
    let file = std::fs::File::open(common::toolwire()).unwrap();
    assert_eq!(toolwire::call::find_marker(file).unwrap(), None);
}
