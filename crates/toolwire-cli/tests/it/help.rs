//! The help of each command has examples, and each example works.

use std::process::Command;

use crate::common::{self, Dir, RENAME, RESOURCE, SEARCH, VALID, run};

const COMMANDS: [&str; 10] = [
    "parse",
    "validate",
    "canonicalize",
    "get",
    "format",
    "explain",
    "identify",
    "completions",
    "trust",
    "servers",
];

/// Those whose exit codes tell signals too. The examples of `session` are run with its own tests.
const RUNNING: [&str; 9] = [
    "run", "serve", "tools", "read", "diff", "lock", "check", "profile", "init",
];

/// Those that have commands of their own, whose examples are run in this order.
const BELOW: [[&str; 2]; 7] = [
    ["profile", "list"],
    ["profile", "info"],
    ["profile", "create"],
    ["profile", "validate"],
    ["profile", "diff"],
    ["profile", "update"],
    ["profile", "remove"],
];

/// The example lines of a help text.
fn examples(help: &str) -> Vec<String> {
    help.lines()
        .skip_while(|line| !line.starts_with("Examples:"))
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .map(|line| {
            line.trim()
                .split("     ")
                .next()
                .unwrap_or_default()
                .to_owned()
        })
        .collect()
}

/// A directory with everything that the examples name.
fn stage() -> Dir {
    let dir = Dir::new();
    dir.file("answer.json", VALID);
    dir.file("answer2.json", RESOURCE);
    dir.file("calls.ndjson", format!("{VALID}\n{RESOURCE}\n"));
    dir.file("errors.txt", "cannot open x\n");
    dir.program("my-tool", &format!("echo '{VALID}'"));
    // Not every system has this one, and what it does is not what is tested.
    dir.program("sha256sum", "cat");
    let confirm = r#"{"content":[{"type":"question","question":{"id":"confirm","text":"Go on?","schema":{"type":"boolean"},"default":true}}]}"#;
    let ask = format!(
        r#"case $call in *'"name":"search"'*|*'"confirm":true'*);; *) echo '{confirm}'; exit;; esac"#
    );
    dir.tool("tool.py", &format!("{RENAME},{SEARCH}"), &ask);
    dir.tool("tool.sh", RENAME, "");
    dir.tool("other.sh", RENAME, "");
    dir.file("records.ndjson", "{\"a\":1}\n{\"a\":2}\n");
    dir.file("keys.txt", "01".repeat(32));
    dir.program("git", "echo log");
    let servers = concat!(env!("CARGO_MANIFEST_DIR"), "/../toolwire-mcp/tests/servers");
    for (name, file) in [
        ("npx", "plain.py"),
        ("server.py", "plain.py"),
        ("notes.py", "offers.py"),
    ] {
        dir.program(name, &format!("exec {servers}/{file}"));
    }
    let command = dir.path().join("server.py");
    let files = format!(r#"{{"mcpServers":{{"files":{{"command":{command:?}}}}}}}"#);
    dir.file("servers.json", &files);
    dir.file("profile.json", format!(r#"{{"command":{command:?}}}"#));
    dir.file(".mcp.json", files);
    let help = "echo 'usage: x [-h] [--size SIZE] file'; echo; echo 'options:'; echo '  --size SIZE  how large'";
    for name in ["resize.py", "many.py"] {
        dir.program(name, help);
    }
    dir.program("assistant", "echo '{\"answer\":true}'");
    let greet = "command = ['echo', '{name}']\nparameters.name.type = 'string'\n";
    dir.file("toolwire.toml", format!("[tools.greet]\n{greet}"));
    let server = dir.path().join("server.py");
    let tools = run(&["tools", "--json", "--", server.to_str().unwrap()], "");
    for name in ["old.json", "new.json"] {
        dir.file(name, &tools.stdout);
    }
    let lock = dir.path().join("toolwire.lock");
    let manifest = dir.path().join("toolwire.toml");
    let (lock, manifest) = (lock.to_str().unwrap(), manifest.to_str().unwrap());
    let ran = run(&["lock", "--lock", lock, "--manifest", manifest], "");
    assert_eq!(ran.code, 0, "{ran:?}");
    dir
}

#[test]
fn every_example_works() {
    let dir = stage();
    let exe = common::toolwire();
    let path = std::env::var("PATH").unwrap();
    let path = format!(
        "{}:{}:{path}",
        dir.path().display(),
        exe.parent().unwrap().display()
    );
    let ready = "toolwire profile create docs -- ./server.py && toolwire trust --server @docs";
    let ready = Command::new("sh")
        .args(["-e", "-c", ready])
        .current_dir(dir.path())
        .env("PATH", &path)
        .env("XDG_CONFIG_HOME", dir.path())
        .env("XDG_DATA_HOME", dir.path())
        .output();
    assert!(ready.unwrap().status.success());
    let mut checked = 0;
    for command in [&[][..]]
        .into_iter()
        .chain(COMMANDS.iter().chain(&RUNNING).map(std::slice::from_ref))
        .chain(BELOW.iter().map(<[&str; 2]>::as_slice))
    {
        let args = [command, &["--help"]].concat();
        let help = run(&args, "");
        assert_eq!(help.code, 0, "{args:?}");
        assert!(
            help.stdout.contains("Exit codes:"),
            "{args:?} tells no exit codes"
        );
        let examples = examples(&help.stdout);
        assert!(
            examples.len() >= 3,
            "{args:?} has too few examples: {examples:?}"
        );
        // No server is reached from here.
        let local = examples.iter().filter(|example| !example.contains("://"));
        for example in local {
            let output = Command::new("sh")
                .args(["-e", "-c", example])
                .current_dir(dir.path())
                .env("PATH", &path)
                .env("XDG_CONFIG_HOME", dir.path())
                .env("XDG_DATA_HOME", dir.path())
                .output()
                .unwrap();
            assert!(output.status.success(), "`{example}` failed: {output:?}");
            assert!(
                output.stderr.is_empty()
                    || example.contains("--lines")
                    || example.contains("--each")
                    || example.contains("--print-config")
                    // Its package may not be installed.
                    || example.contains("--language python"),
                "{example}: {output:?}"
            );
            checked += 1;
        }
    }
    assert!(checked > 40, "only {checked} examples");
}

#[test]
fn both_kinds_of_help_and_the_version() {
    for command in COMMANDS {
        assert_eq!(run(&[command, "-h"], "").code, 0);
        let long = run(&["help", command], "");
        assert!(long.stdout.contains("Examples:"), "{command}");
    }
    let version = run(&["--version"], "").stdout;
    assert_eq!(version, format!("toolwire {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn no_line_of_help_is_broken_by_a_terminal_of_100_columns() {
    let commands = COMMANDS.iter().chain(&RUNNING).map(std::slice::from_ref);
    for command in commands.chain(BELOW.iter().map(<[&str; 2]>::as_slice)) {
        let help = run(&[command, &["--help"]].concat(), "").stdout;
        for line in help.lines() {
            assert!(line.chars().count() <= 100, "{command:?}: {line}");
        }
    }
}

/// A line of the source that is longer than the terminal would leave its last word alone.
#[test]
fn no_line_of_the_help_of_sessions_is_a_word_alone() {
    for verb in [
        "", "spawn", "run", "fetch", "apply", "resize", "abort", "list", "wait", "attach",
    ] {
        let mut args = vec!["session", verb, "--help"];
        args.retain(|word| !word.is_empty());
        let help = run(&args, "").stdout;
        for line in help.lines() {
            let is_alone = !line.is_empty() && !line.contains(' ') && !line.ends_with(':');
            assert!(!is_alone, "{args:?}: {line}");
        }
    }
    let spawn = run(&["session", "spawn", "--help"], "").stdout;
    assert!(
        !spawn.contains("assistant") && !spawn.contains("each run"),
        "{spawn}"
    );
}

#[test]
fn the_usage_of_format_shows_that_it_takes_one_file() {
    let help = run(&["format", "--help"], "").stdout;
    assert!(
        help.contains("toolwire format [OPTIONS] [FILE]\n"),
        "{help}"
    );
    assert!(!help.contains("..."), "{help}");
}

/// `docs/reference/cli.md` is the help of every command. `UPDATE=1` writes it anew.
#[test]
fn the_reference_has_the_help_of_every_command() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/cli.md");
    let mut page = "<!-- Generated from the help texts by a test of toolwire-cli. Do not edit: run it with `UPDATE=1`. -->\n\n\
        # Commands and options\n\n\
        What `toolwire COMMAND --help` prints. [How the command behaves](command.md) says what several commands share.\n"
        .to_owned();
    add_help(&mut page, &[]);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    let there = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        there == page,
        "docs/reference/cli.md is stale: run this test with `UPDATE=1`"
    );
}

/// The help of a command and of those below it, each under a heading of its own.
fn add_help(page: &mut String, command: &[&str]) {
    let help = run(&[command, &["--help"]].concat(), "").stdout;
    let title = [&["toolwire"], command].concat().join(" ");
    page.push_str(&format!(
        "\n## {title}\n\n```text\n{}\n```\n",
        help.trim_end()
    ));
    let listed = help.lines().take_while(|line| *line != "Options:");
    let names = listed
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|row| row.starts_with(|c: char| c.is_ascii_lowercase()))
        .filter_map(|row| row.split_whitespace().next());
    for name in names.filter(|name| *name != "help") {
        add_help(page, &[command, &[name]].concat());
    }
}
