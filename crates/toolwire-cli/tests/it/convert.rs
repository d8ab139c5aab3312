//! Servers in other forms, and those that clients know.

use std::fs;

use crate::common::{Dir, Run, command_at_home, run_command};
use serde_json::{Value, json};

const SECRET: &str = "sk-ant-0123456789abcdefghij0123456789abcdef";

/// A home folder with a workspace in it.
fn stage() -> Dir {
    let dir = Dir::new();
    for folder in ["home/project/.cursor", "home/.cursor", "home/.codex"] {
        fs::create_dir_all(dir.path().join(folder)).unwrap();
    }
    dir
}

fn toolwire(dir: &Dir, args: &[&str]) -> Run {
    let home = dir.path().join("home");
    let command = command_at_home(&home, &home.join("project"), args);
    run_command(command, b"")
}

/// What is written, where nothing is lost.
fn converted(dir: &Dir, args: &[&str]) -> String {
    let ran = toolwire(dir, &[&["servers"], args].concat());
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (0, ""),
        "{args:?}: {ran:?}"
    );
    ran.stdout
}

#[test]
fn a_server_goes_from_form_to_form_and_back() {
    let dir = stage();
    let uri = "mcp+npx://@upstash/context7-mcp@1.0.0?env=API_KEY";
    let at = |name: &str| dir.path().join("home/project").join(name);
    for (to, file, key) in [
        ("mcpServers", "any.json", "mcpServers"),
        ("claude-code", ".mcp.json", "mcpServers"),
        ("cursor", ".cursor/mcp.json", "mcpServers"),
        ("vscode", "vscode.json", "servers"),
        ("manifest", "toolwire.toml", "[servers.docs]"),
        ("codex", "codex.toml", "[mcp_servers.docs]"),
    ] {
        let text = converted(&dir, &[uri, "--to", to, "--name", "docs"]);
        assert!(text.contains(key) && text.contains("API_KEY"), "{text}");
        fs::write(at(file), &text).unwrap();
        // The only server of a file need not be named.
        for word in [format!("{file}#docs"), format!("./{file}")] {
            assert_eq!(
                converted(&dir, &[&word, "--to", "uri"]),
                format!("{uri}\n"),
                "{to}: {text}"
            );
        }
    }
    // That of the nearest manifest goes by its name.
    let ran = toolwire(&dir, &["servers", "docs"]);
    assert!(
        ran.code == 2 && ran.stderr.contains("write `manifest:docs`"),
        "{ran:?}"
    );
    assert_eq!(converted(&dir, &["manifest:docs"]), format!("{uri}\n"));
    let profile = converted(&dir, &[uri, "--to", "profile", "--name", "docs"]);
    fs::write(at("profile.json"), &profile).unwrap();
    assert_eq!(converted(&dir, &["profile.json"]), format!("{uri}\n"));
    let folder = at(".toolwire/profiles/mcp/docs");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("_meta.json"), &profile).unwrap();
    assert_eq!(converted(&dir, &["@docs"]), format!("{uri}\n"));
    // A name in the file of a client, a URL, and a command.
    assert_eq!(converted(&dir, &["cursor:docs"]), format!("{uri}\n"));
    assert_eq!(
        converted(&dir, &["docs", "--config", "vscode.json"]),
        format!("{uri}\n")
    );
    assert_eq!(
        converted(&dir, &["https://example.org/mcp"]),
        "mcp+https://example.org/mcp\n"
    );
    assert_eq!(
        converted(&dir, &["--", "uvx", "mcp-server-time", "--local"]),
        "mcp+uvx://mcp-server-time?command=--local\n"
    );
}

#[test]
fn no_secret_comes_along_and_what_is_lost_is_said() {
    let dir = stage();
    let file = json!({ "mcpServers": { "gh": {
        "command": "gh-mcp", "args": ["--token", SECRET], "env": { "KEY": SECRET }, "autoApprove": ["x"]
    } } });
    dir.file("home/project/servers.json", file.to_string());
    for to in [
        "mcpServers",
        "profile",
        "zed",
        "codex",
        "manifest",
        "gemini",
    ] {
        for more in [&[][..], &["--json"]] {
            let ran = toolwire(
                &dir,
                &[&["servers", "servers.json#gh", "--to", to], more].concat(),
            );
            assert_eq!(ran.code, 0, "{to}: {ran:?}");
            assert!(!format!("{ran:?}").contains(SECRET), "{to}: {ran:?}");
            if !more.is_empty() {
                assert!(ran.stderr.is_empty(), "{ran:?}");
                let told = ran.json();
                let lost = if to == "zed" {
                    "dropped"
                } else {
                    "approximated"
                };
                let fate = |pointer: &str| -> Value {
                    let report = told["report"].as_array().unwrap();
                    let one = report.iter().find(|one| one["pointer"] == pointer);
                    one.map(|one| one["fate"].clone()).unwrap_or_default()
                };
                assert_eq!(fate("/env/KEY"), lost, "{told}");
                assert_eq!(fate("/autoApprove"), "dropped", "{told}");
                assert_eq!(told["entry"]["env"]["KEY"], "KEY");
                continue;
            }
            for part in ["`/env/KEY` is ", "`/autoApprove` is left out"] {
                assert!(ran.stderr.contains(part), "{to}: {part}: {ran:?}");
            }
        }
    }
}

/// LAUNCH-4.
#[test]
fn what_has_no_other_form_is_refused() {
    let dir = stage();
    dir.file(
        "home/project/servers.json",
        r#"{"mcpServers": {"a": {"command": "a"}, "b": {"command": "b"}, "c": {}}}"#,
    );
    for (args, code, part) in [
        (&["mcp://biomcp?tool=search"][..], 2, "write"),
        (
            &["mcp://biomcp?launcher=uvx&package=biomcp-python"],
            2,
            "mcp+uvx://",
        ),
        (&["https://example.org/mcp", "--to", "claude"], 1, "URL"),
        (
            &["servers.json"],
            2,
            "name one of its servers: `a`, `b`, `c`",
        ),
        (&["servers.json#c"], 2, "servers.json"),
        (&["servers.json#d"], 2, "there is no server `d`"),
        (&["missing.json#d"], 2, "there is no"),
        (&["mcp+uvx://x", "more"], 2, "a word too many"),
        (&["mcp+uvx://x", "--to", "jar"], 2, "mcpServers"),
    ] {
        let ran = toolwire(&dir, &[&["servers"], args].concat());
        assert_eq!(ran.code, code, "{args:?}: {ran:?}");
        assert!(ran.stderr.contains(part), "{args:?}: {ran:?}");
        assert!(ran.stdout.is_empty(), "{ran:?}");
    }
}

#[test]
fn what_clients_know_is_listed() {
    let dir = stage();
    let ran = toolwire(&dir, &["servers"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{ran:?}");
    assert!(ran.stderr.contains("no file of an MCP client"), "{ran:?}");

    let servers = json!({ "mcpServers": {
        "docs": { "command": "npx", "args": ["-y", "@upstash/context7-mcp"], "env": { "KEY": SECRET } },
        "far": { "url": "https://example.org/mcp" },
        "key": { "command": "gh-mcp", "args": [format!("--token={SECRET}")] },
        "bad": { "command": 3 },
    } });
    dir.file("home/.cursor/mcp.json", servers.to_string());
    dir.file("home/.codex/config.toml", "[mcp_servers.x\n");
    dir.file(
        "home/project/.mcp.json",
        r#"{"mcpServers": {"here": {"command": "./here\u001b[2J"}}}"#,
    );
    let ran = toolwire(&dir, &["servers"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    for part in [
        "Cursor  ",
        "docs  stdio  mcp+npx://@upstash/context7-mcp?env=KEY\n",
        "far   http   mcp+https://example.org/mcp\n",
        "Claude Code  ",
        "here  stdio",
        "key   stdio\n",
    ] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    for part in ["`bad.command`", "config.toml:1"] {
        assert!(ran.stderr.contains(part), "{part}: {ran:?}");
    }
    let all = format!("{}{}", ran.stdout, ran.stderr);
    assert!(!all.contains(SECRET) && !all.contains('\u{1b}'), "{all}");

    let told = toolwire(&dir, &["servers", "--json"]).json();
    let docs = &told["servers"][0];
    for (member, value) in [
        ("client", "cursor"),
        ("name", "docs"),
        ("transport", "stdio"),
        ("scope", "user"),
        ("uri", "mcp+npx://@upstash/context7-mcp?env=KEY"),
    ] {
        assert_eq!(docs[member], value, "{docs}");
    }
    assert_eq!(docs["line"], 1);
    assert_eq!(told["servers"][3]["client"], "claude-code");
    assert_eq!(told["servers"][3]["scope"], "workspace");
    assert_eq!(told["warnings"].as_array().unwrap().len(), 2);
}
