//! CFG-20 to CFG-33: servers that files of clients name, and entries that are written into them.

#![cfg(unix)]

mod common;

use std::fs;

use common::{Dir, Run, command, run_command};

/// A home folder with a workspace in it.
fn stage() -> Dir {
    let dir = Dir::new();
    fs::create_dir_all(dir.path().join("home/work")).unwrap();
    dir
}

fn toolwire(dir: &Dir, args: &[&str]) -> Run {
    let mut command = command(args);
    command
        .current_dir(dir.path().join("home/work"))
        .env("HOME", dir.path().join("home"))
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("CLAUDE_CONFIG_DIR")
        .env_remove("CODEX_HOME");
    run_command(command, b"")
}

fn approvals(dir: &Dir) -> String {
    fs::read_to_string(dir.path().join("home/.config/toolwire/servers")).unwrap_or_default()
}

#[test]
fn a_server_is_shown_and_approved_as_it_is() {
    let dir = stage();
    let text = "{\"mcpServers\": {\"one\": {\"command\": \"sh\", \"args\": [\"-c\", \"a\\u001b]0;b\\u202e\"]}}}";
    dir.file("home/work/.mcp.json", text);
    let run = toolwire(&dir, &["trust", "--server", "one"]);
    assert_eq!(run.code, 0, "{run:?}");
    for part in [
        "approved as it is:",
        "  program  \"sh\"",
        "  argument \"-c\"",
        "/work/.mcp.json:1",
    ] {
        assert!(run.stdout.contains(part), "{part}: {run:?}");
    }
    assert!(!run.stdout.contains(['\u{1b}', '\u{202e}']), "{run:?}");
    let first = approvals(&dir);
    assert!(
        first.starts_with("sha256:") && first.ends_with("/work/.mcp.json#one\n"),
        "{first}"
    );
    // It is another one with other arguments, and stands in the place of the first.
    dir.file("home/work/.mcp.json", &text.replace("-c", "-x"));
    toolwire(&dir, &["trust", "--server", "one"]);
    let second = approvals(&dir);
    assert!(first != second && second.lines().count() == 1, "{second}");
    let run = toolwire(&dir, &["trust", "--server", "one", "--remove", "--json"]).json();
    assert_eq!(
        (run["server"].as_str(), run["approved"].as_bool()),
        (Some("one"), Some(false))
    );
    assert_eq!(approvals(&dir), "");
    let run = toolwire(&dir, &["trust", "--server", "two"]);
    assert_eq!(run.code, 2, "{run:?}");
}
