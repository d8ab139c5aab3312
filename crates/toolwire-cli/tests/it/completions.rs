//! Completions, as bash, zsh and fish show them and as the command gives them.

use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::prompt::{Terminal, start_shell};
use crate::common::{self, Dir, command, run_command, set_mode};

const DESCRIPTION: &str = r##"{"content":[],"structuredContent":{"toolwire":1,"tools":[
{"name":"hello","description":"Say hello.\n\u001b[2Jfiles","inputSchema":{"type":"object","required":["who"],
 "properties":{
  "who":{"type":"string","description":"whom to greet"},
  "mode":{"enum":["loud","two words","xx$(touch pwned)","a\nb","\u001b[2J"]},
  "dry_run":{"type":"boolean"},
  "tags":{"type":"array","items":{"enum":["red","green"]}},
  "deep":{"type":"object","properties":{"er":{"$ref":"#/$defs/level"}}},
  "$(touch pwned)":{"type":"string"},
  "`touch pwned`":{"type":"string"},
  "x;touch pwned":{"type":"string"},
  "-rf":{"type":"string"}
 },
 "$defs":{"level":{"anyOf":[{"const":"high"},{"enum":["low"]}]}}}},
{"name":"leave","inputSchema":{"type":"object"}}]}}"##;

const MANIFEST: &str = r#"
[tools.build]
description = "Build\tit."
command = ["make", "{target}"]
[tools.build.parameters]
target = { enum = ["all", "clean"] }

[tools.salute]
command = ["./greet"]
"#;

/// A folder with a manifest, a program that says what it takes, and one that does not.
fn folder() -> Dir {
    let dir = Dir::new();
    dir.file("toolwire.toml", MANIFEST);
    dir.file("describe.json", DESCRIPTION);
    let greet = "# toolwire-tool: 1\n\
                 call=$(cat); echo noise >&2; echo >> asked\n\
                 case $call in *'\"action\":\"describe\"'*) cat describe.json;; *) echo \"$call\";; esac";
    dir.program("greet", greet);
    dir.program("stranger", "echo >> asked; cat describe.json");
    std::fs::create_dir(dir.path().join("my folder")).unwrap();
    dir.file("notes1", "");
    dir
}

/// What the command answers the script of bash, without descriptions.
///
/// A program has a second to answer, which a busy machine may not give it: then it is asked again.
fn complete(dir: &Dir, words: &[&str]) -> Vec<String> {
    for _ in 0..10 {
        let start = Instant::now();
        let completed = complete_once(dir, words);
        if start.elapsed() < Duration::from_secs(1) {
            return completed;
        }
    }
    complete_once(dir, words)
}

/// The variable by which its user trusts a manifest whatever it says.
const TRUSTED: &str = "TOOLWIRE_TRUSTED_MANIFESTS";

fn complete_once(dir: &Dir, words: &[&str]) -> Vec<String> {
    completed(dir, words, &[(TRUSTED, dir.path())])
}

fn completed(dir: &Dir, words: &[&str], variables: &[(&str, &Path)]) -> Vec<String> {
    let mut asking = command(&["__complete", "bash", "toolwire"]);
    asking.args(words).current_dir(dir.path());
    asking.envs(variables.iter().copied());
    let ran = run_command(asking, b"");
    assert_eq!((ran.code, &*ran.stderr), (0, ""), "{words:?}");
    let lines = ran.stdout.lines().map(|line| {
        let parts: Vec<&str> = line.split('\t').collect();
        assert_eq!(parts.len(), 3, "{line:?}");
        match parts[0] {
            "word" => parts[1].to_owned(),
            "part" => format!("{}…", parts[1]),
            kind => format!("{kind}:{}", parts[1]),
        }
    });
    lines.collect()
}

fn was_asked(dir: &Dir) -> bool {
    dir.path().join("asked").exists()
}

/// The names in the files of MCP clients; nothing of them is started.
#[test]
fn servers_are_completed_by_their_names() {
    let dir = Dir::new();
    let server = dir.program("server", "echo >> asked");
    let entry = format!(r#"{{"mcpServers":{{"near":{{"command":{server:?}}}}}}}"#);
    dir.file(".mcp.json", entry);
    let home = dir.path().join("home");
    std::fs::create_dir_all(home.join(".cursor")).unwrap();
    let both = r#"{"mcpServers":{"near":{"command":"other"}}}"#;
    std::fs::create_dir_all(dir.path().join(".toolwire/profiles/mcp/sums")).unwrap();
    dir.file(
        ".toolwire/profiles/mcp/sums/_meta.json",
        r#"{"command":"sums","tools":{"plus":{"tool":"add","description":"Adds."}}}"#,
    );
    dir.file(
        "toolwire.lock",
        r#"{"lockVersion":1,"sources":{"held":{"tools":{}}}}"#,
    );
    dir.file("home/.cursor/mcp.json", both);
    for (words, expected) in [
        (&["run", ""][..], "near"),
        (&["run", "cur"], "cursor:near"),
        (&["tools", "cl"], "claude-code:near"),
        (&["tools", "n"], "near"),
        (&["servers", "n"], "near"),
        (&["profile", "info", "s"], "sums"),
        (&["run", "@s"], "@sums"),
        (&["run", "@sums/"], "@sums/plus\tAdds."),
        (&["tools", "@sums/p"], "@sums/plus"),
        (&["run", "@sums", ""], "add\tAdds."),
        (&["tools", "@sums", "a"], "add"),
        (&["read", "@"], "@sums"),
        (&["trust", "--server", ""], "@sums"),
        (&["trust", "--server", "n"], "near"),
        (&["trust", "--server=n"], "--server=near"),
        (&["profile", "create", "x", "--from", "@"], "@sums"),
        (&["profile", "update", ""], "sums"),
        (&["lock", "--update", "h"], "held"),
        (&["check", "h"], "held"),
        (&["check", "--lock", "toolwire.lock", "h"], "held"),
        (&["diff", "toolwire.lock#"], "toolwire.lock#held"),
        (&["tools", "--ig"], "--ignore-schema"),
        (&["servers", "near", "--to", "vs"], "vscode"),
        (&["run", "--json", ""], "near"),
        (&["diff", ""], "near"),
        (&["diff", "old.json", "n"], "near"),
        (&["lock", "--update", "cur"], "cursor:near"),
        (&["check", "other", ""], "near"),
    ] {
        let mut asking = command(&["__complete", "bash", "toolwire"]);
        asking
            .args(words)
            .current_dir(dir.path())
            .env("HOME", &home)
            .env("XDG_CONFIG_HOME", &home);
        let ran = run_command(asking, b"");
        assert!(ran.stdout.contains(expected), "{words:?}: {ran:?}");
    }
    assert_eq!(complete(&dir, &["run", "near", ""]), ["files:"]);
    assert_eq!(complete(&dir, &["diff", "a", "b", ""]), [""; 0]);
    assert!(!was_asked(&dir));
}

#[test]
fn each_word_is_completed_by_what_stands_before_it() {
    let dir = folder();
    let cases: &[(&[&str], &[&str])] = &[
        (&["ru"], &["run"]),
        (&["--color", ""], &["auto", "always", "never"]),
        (&["--color", "never", "too"], &["tools"]),
        (&["run", ""], &["build", "salute", "files:"]),
        (&["run", "--format", ""], &["model", "terminal", "json"]),
        (&["run", "--format=j"], &["--format=json"]),
        (&["run", "--form"], &["--format"]),
        (&["run", "--format", "json", "--form"], &[]),
        (&["run", "--cwd", ""], &["folders:"]),
        (&["run", "--args-file="], &["files:--args-file="]),
        (&["run", "build", ""], &["target=…"]),
        (
            &["run", "build", "target="],
            &["target=all", "target=clean"],
        ),
        (&["run", "salute", ""], &["hello", "leave"]),
        (
            &["run", "salute", "hello", ""],
            &["who=…", "deep.er=…", "dry_run=…", "mode=…", "tags=…"],
        ),
        (
            &[
                "run",
                "--timeout",
                "1s",
                "salute",
                "hello",
                "who=x",
                "tags=red",
                "deep.er=low",
                "",
            ],
            &["dry_run=…", "mode=…", "tags=…"],
        ),
        (
            &["run", "salute", "hello", "dry_run="],
            &["dry_run=true", "dry_run=false"],
        ),
        (
            &["run", "salute", "hello", "mode="],
            &["mode=loud", "mode=two words", "mode=xx$(touch pwned)"],
        ),
        (
            &["run", "salute", "hello", "deep.er="],
            &["deep.er=high", "deep.er=low"],
        ),
        (
            &["run", "salute", "hello", "tags="],
            &["tags=red", "tags=green"],
        ),
        (&["run", "salute", "hello", "who=not"], &["files:who="]),
        (&["run", "./greet", "leave", ""], &[]),
        (&["run", "'./greet'", "he"], &["hello"]),
        (&["run", "hello", "--", ""], &["files:"]),
        (&["serve", "--only", ""], &["build", "salute"]),
        (
            &["serve", "--only", "build,"],
            &["build,build", "build,salute"],
        ),
        (&["serve", "--except=s"], &["--except=salute"]),
        (&["serve", "./greet", "--only", "h"], &["hello"]),
        (&["tools", "./greet", ""], &["hello", "leave"]),
        (&["tools", "salute", "l"], &["leave"]),
        (&["run", "./greet", "h"], &["hello"]),
        (&["tools", "./stranger", ""], &[]),
        (
            &["run", "salute", "hello", "who=x", "--d"],
            &["--deep.er", "--dry-run"],
        ),
        (&["run", "salute", "hello", "--mode", "l"], &["loud"]),
        (&["run", "salute", "hello", "--mode=l"], &["--mode=loud"]),
        (&["run", "salute", "hello", "--dry-run", "m"], &["mode=…"]),
        (&["run", "./file", "x=a"], &["files:x="]),
        (&["run", "--inherit", "sta"], &["standard"]),
        (
            &["run", "--env", "CARGO_MANIFEST_D"],
            &["CARGO_MANIFEST_DIR=…"],
        ),
        (&["tools", ""], &["build", "salute", "files:"]),
        (&["tools", "build", ""], &["build"]),
        (&["completions", "z"], &["zsh"]),
        (&["parse", ""], &["files:"]),
        (&["run", "--nonsense", ""], &[]),
        (&[], &[]),
    ];
    for (words, expected) in cases {
        assert_eq!(complete(&dir, words), *expected, "{words:?}");
    }
}

#[test]
fn a_description_is_one_line_and_steers_nothing() {
    let dir = folder();
    let mut asking = command(&["__complete", "fish", "toolwire", "run", "salute", "h"]);
    asking.current_dir(dir.path()).env(TRUSTED, dir.path());
    assert_eq!(
        run_command(asking, b"").stdout,
        "word\thello\tSay hello. ␛[2Jfiles\n"
    );
}

/// Nobody has said yet that the program is to run.
#[test]
fn only_a_program_of_a_manifest_or_with_a_marker_is_asked() {
    let dir = folder();
    for words in [
        &["run", "./stranger", ""][..],
        &["run", "", "--", "./stranger"],
        &["tools", "./stranger", ""],
        &["run", "--call", "./stranger", ""],
        &["run", "--plain", "./greet", ""],
        &["run", "./greet"],
        &["run", "nothing-of-that-name", ""],
    ] {
        complete(&dir, words);
        assert!(!was_asked(&dir), "{words:?}");
    }
    // What others can write may be anything by now.
    set_mode(&dir.path().join("greet"), 0o777);
    assert_eq!(complete(&dir, &["run", "./greet", ""]), ["files:"]);
    assert!(!was_asked(&dir));
    set_mode(&dir.path().join("greet"), 0o755);
    assert_eq!(complete(&dir, &["run", "./greet", ""]), ["hello", "leave"]);
    assert!(was_asked(&dir));
}

#[test]
fn a_manifest_that_is_not_trusted_is_not_read() {
    let dir = folder();
    set_mode(&dir.path().join("toolwire.toml"), 0o666);
    assert_eq!(completed(&dir, &["run", ""], &[]), ["files:"]);
    assert_eq!(completed(&dir, &["run", "salute", ""], &[]), ["files:"]);
    assert!(!was_asked(&dir));
}

/// Who has a checkout of somebody else owns the manifest in it, and has not read it yet.
#[test]
fn a_manifest_of_ones_own_is_asked_for_only_if_it_is_trusted_as_it_is() {
    let dir = folder();
    let home = dir.path().join("home");
    let variables = [("XDG_CONFIG_HOME", &*home)];
    assert_eq!(completed(&dir, &["run", "sal"], &variables)[0], "salute");
    assert_eq!(
        completed(&dir, &["run", "salute", ""], &variables),
        ["files:"]
    );
    let mut trust = command(&["trust"]);
    trust.current_dir(dir.path()).env("XDG_CONFIG_HOME", &home);
    assert_eq!(run_command(trust, b"").code, 0);
    dir.file("toolwire.toml", format!("{MANIFEST}# changed\n"));
    assert_eq!(
        completed(&dir, &["run", "salute", ""], &variables),
        ["files:"]
    );
    assert!(!was_asked(&dir));
    dir.file("toolwire.toml", MANIFEST);
    assert_eq!(
        completed(&dir, &["run", "salute", ""], &variables),
        ["hello", "leave"]
    );
}

/// A person waits for it.
#[test]
fn a_program_that_does_not_answer_is_given_up_soon() {
    let dir = folder();
    dir.program("greet", "# toolwire-tool: 1\ntrap '' TERM; sleep 60");
    let start = Instant::now();
    assert_eq!(complete_once(&dir, &["run", "salute", ""]), ["files:"]);
    assert!(start.elapsed() < Duration::from_secs(40));
}

/// A shell that has read the script of the command, at its prompt.
struct Shell {
    name: &'static str,
    terminal: Terminal,
}

impl Shell {
    /// The shell, if it is installed; if not, whoever runs the tests is told.
    fn start(name: &'static str) -> Option<Shell> {
        let there = Command::new(name).args(["-c", "exit"]).status();
        if !there.is_ok_and(|status| status.success()) {
            // Past the test runner, which would keep it to itself.
            let mut stderr = std::io::stderr();
            let _ = writeln!(
                stderr,
                "\n*** SKIPPED: `{name}` is not installed, so its completions were not tested \
                 (Debian: `apt-get install {name}`) ***\n"
            );
            return None;
        }
        let (start, read) = match name {
            "bash" => (
                "PS1='$ ' exec bash --norc --noprofile -i",
                "eval \"$(toolwire completions bash)\"",
            ),
            "zsh" => (
                "PS1='$ ' exec zsh -f -i",
                "autoload -U compinit; compinit -u -D; eval \"$(toolwire completions zsh)\"",
            ),
            _ => (
                "exec fish --no-config -i",
                "function fish_prompt; echo '$ '; end; set -g fish_autosuggestion_enabled 0; \
                 toolwire completions fish | source",
            ),
        };
        let toolwire = common::toolwire();
        let bin = toolwire.parent().unwrap().display();
        let script =
            format!("PATH={bin}:$PATH; HOME=$PWD; {TRUSTED}=$PWD; export HOME {TRUSTED}; {start}");
        let mut terminal = start_shell(folder(), &script);
        terminal.until("a prompt", |screen| {
            screen.trim_end().ends_with(['$', '#', '>'])
        });
        terminal.types(&format!("{read}; echo rea''dy\r"), "\nready");
        let mut shell = Shell { name, terminal };
        shell.clear();
        Some(shell)
    }

    fn clear(&mut self) {
        // The end of the line, all before it away, a clear screen.
        self.terminal.types("\x05\x15\x0c", "");
        self.terminal.until("an empty line", |screen| {
            !screen.contains("toolwire") && !screen.contains("ready")
        });
    }

    /// Types the beginning of a command and Tab, and waits for what is to be seen then.
    fn completes(&mut self, typed: &str, shown: &str) {
        self.terminal.types(typed, typed.split(' ').next().unwrap());
        let what = format!("{shown:?} of {}", self.name);
        self.terminal.types("\t", "");
        self.terminal.until(&what, |screen| screen.contains(shown));
        self.clear();
    }
}

fn in_shell(name: &'static str) {
    let Some(mut shell) = Shell::start(name) else {
        return;
    };
    shell.completes("toolwire too", "$ toolwire tools ");
    shell.completes("toolwire run sal", "$ toolwire run salute ");
    shell.completes("toolwire run salute he", "$ toolwire run salute hello ");
    shell.completes(
        "toolwire run salute hello w",
        "toolwire run salute hello who=",
    );
    shell.completes("toolwire run salute hello mode=l", " mode=loud");
    shell.completes("toolwire run salute hello dry_run=t", " dry_run=true");
    shell.completes("toolwire run salute hello mode=tw", " mode=two\\ words");
    shell.completes("toolwire run salute hello deep.er=h", " deep.er=high");
    shell.completes("toolwire run salute hello who=not", " who=notes1");
    shell.completes("toolwire run salute hello who=my", " who=my\\ folder/");
    shell.completes("toolwire run --cwd my", " --cwd my\\ folder/");
    shell.completes("toolwire run --format=te", " --format=terminal");
    shell.completes("toolwire run ./gr", " ./greet");
    shell.completes("toolwire run salute hello --dr", " --dry-run");
    // What a tool made up reaches it as it is, and no shell runs it.
    let mut terminal = shell.terminal;
    let line = "toolwire run salute hello who=me mode=xx";
    terminal.types(line, "mode=xx");
    terminal.types("\t", "pwned");
    terminal.types("\r", r#""mode":"xx$(touch pwned)""#);
    assert!(!Path::new(&terminal.dir.path().join("pwned")).exists());
}

#[test]
fn in_bash() {
    in_shell("bash");
}

#[test]
fn in_zsh() {
    in_shell("zsh");
}

#[test]
fn in_fish() {
    in_shell("fish");
}

/// Two candidates are listed; bash has nobody to describe them to.
#[test]
fn several_candidates_are_listed_with_what_they_are() {
    for name in ["bash", "zsh", "fish"] {
        let Some(shell) = Shell::start(name) else {
            continue;
        };
        let mut terminal = shell.terminal;
        terminal.types("toolwire run salute hello ", "hello");
        terminal.types("\t", "");
        terminal.types("\t", "dry_run=");
        terminal.shows("who=");
        if name != "bash" {
            terminal.shows("whom to greet");
        }
        let screen = terminal.screen();
        assert!(
            !screen.contains("pwned") && !screen.contains("-rf"),
            "{screen}"
        );
    }
}
