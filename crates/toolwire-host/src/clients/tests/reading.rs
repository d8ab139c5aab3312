//! What a file says.

use std::path::Path;

use serde_json::json;

use super::super::*;
use super::{Stage, name_of, with};

fn program(resolved: &Resolved) -> Vec<&str> {
    match &resolved.target {
        Target::Program {
            command, arguments, ..
        } => std::iter::once(command)
            .chain(arguments)
            .map(String::as_str)
            .collect(),
        Target::Url { url, .. } => vec![url],
    }
}

/// Real-looking files: where each is, what it says, and what is to be run for the server `one`.
#[test]
fn the_files_of_each_client_are_read() {
    let files: [(&str, &str, &[&str]); 11] = [
        (
            ".config/Claude/claude_desktop_config.json",
            r#"{"globalShortcut": "", "mcpServers": {"one": {"command": "npx", "args": ["-y", "x", "${HOME}"]}}}"#,
            &["npx", "-y", "x", "${HOME}"],
        ),
        (
            ".claude.json",
            r#"{"numStartups": 12, "mcpServers": {"one": {"type": "stdio", "command": "${BIN:-/opt/one}", "args": [], "env": {}}}}"#,
            &["/opt/one"],
        ),
        (
            "project/.mcp.json",
            r#"{"mcpServers": {"one": {"type": "http", "url": "https://${HOST}/mcp"}}}"#,
            &["https://api.example.com/mcp"],
        ),
        (
            ".cursor/mcp.json",
            "{\n  // mine\n  \"mcpServers\": {\"one\": {\"command\": \"${userHome}${/}bin${pathSeparator}one\", \"args\": [\"${env:HOST}\",],},},\n}",
            &["HOME/bin/one", "api.example.com"],
        ),
        (
            "project/.vscode/mcp.json",
            r#"{"inputs": [], "servers": {"one": {"type": "stdio", "command": "node", "args": ["${workspaceFolder}/one.js", "${workspaceFolderBasename}"]}}}"#,
            &["node", "HOME/project/one.js", "project"],
        ),
        (
            ".config/zed/settings.json",
            "// Zed settings\n{\"theme\": \"One Dark\", \"context_servers\": {\"one\": {\"source\": \"custom\", \"command\": \"one\", \"args\": [\"$HOST\"]}}}",
            &["one", "$HOST"],
        ),
        (
            "project/.zed/settings.json",
            r#"{"context_servers": {"one": {"command": {"path": "old", "args": ["a"], "env": null}, "settings": {}}}}"#,
            &["old", "a"],
        ),
        (
            ".codeium/windsurf/mcp_config.json",
            r#"{"mcpServers": {"one": {"serverUrl": "https://${env:HOST}/mcp", "headers": {"API_KEY": "value"}}}}"#,
            &["https://api.example.com/mcp"],
        ),
        (
            ".gemini/settings.json",
            "{\n  /* CLI */\n  \"mcpServers\": {\"one\": {\"command\": \"run\", \"args\": [\"$HOST\", \"${HOST}/x\", \"costs $5\"], \"trust\": false}}}",
            &["run", "api.example.com", "api.example.com/x", "costs $5"],
        ),
        (
            ".codex/config.toml",
            "model = \"m\"\n\n[mcp_servers.one]\ncommand = \"npx\"\nargs = [\"-y\", \"${HOST}\"]\n[mcp_servers.one.env]\nA = \"b\"\n",
            &["npx", "-y", "${HOST}"],
        ),
        (
            "elsewhere.json",
            "{\"mcpServers\": {\"one\": {\"command\": \"a\", \"args\": [\"${HOST}\"]}}}",
            &["a", "api.example.com"],
        ),
    ];
    for (path, text, expected) in files {
        let stage = Stage::new();
        let path = stage.file(path, text);
        let surroundings = with(stage.surroundings(), &[("HOST", "api.example.com")]);
        let home = name_of(&stage.home());
        let expected: Vec<String> = expected
            .iter()
            .map(|word| word.replace("HOME/", &format!("{home}/")))
            .collect();
        let named = read_file(&path, Some("one"), &surroundings).unwrap();
        let resolved = named.resolve(&surroundings).unwrap();
        assert_eq!(program(&resolved), expected, "{path:?}");
        assert_eq!(read_file(&path, None, &surroundings).unwrap().name, "one");
        if !path.ends_with("elsewhere.json") {
            let found = find("one", &surroundings).unwrap().entry;
            assert_eq!(
                found.resolve(&surroundings).unwrap().target,
                resolved.target_in(&found)
            );
        }
    }
}

impl Resolved {
    /// The same as it is for a file that was found, which differs in the folder of the user's files.
    fn target_in(&self, entry: &Entry) -> Target {
        let mut target = self.target.clone();
        if let Target::Program { cwd, .. } = &mut target
            && entry.scope == Some(Scope::User)
        {
            *cwd = None;
        }
        target
    }
}

#[test]
fn an_entry_may_say_something_to_toolwire() {
    let stage = Stage::new();
    for (own, expected) in [
        (r#"{"legacy": true}"#, Some((true, false))),
        (
            r#"{"context": true, "legacy": false, "x": 1}"#,
            Some((false, true)),
        ),
        ("{}", Some((false, false))),
        (r#"{"legacy": 1}"#, None),
        ("true", None),
    ] {
        let text =
            format!(r#"{{"mcpServers": {{"one": {{"command": "a", "dev.toolwire": {own}}}}}}}"#);
        let path = stage.file(".cursor/mcp.json", &text);
        let surroundings = stage.surroundings();
        let entry = read_file(&path, None, &surroundings).unwrap();
        let resolved = entry.resolve(&surroundings).ok();
        assert_eq!(
            resolved.map(|one| (one.legacy, one.context)),
            expected,
            "{own}"
        );
        assert!(
            entry
                .shown()
                .iter()
                .any(|line| line.starts_with("toolwire "))
        );
    }
}

#[test]
fn members_that_only_the_client_knows_are_kept() {
    let stage = Stage::new();
    let path = stage.file(
        ".cursor/mcp.json",
        r#"{"mcpServers": {"one": {"command": "a", "disabled": true, "autoApprove": ["x"], "timeout": 1e400}}}"#,
    );
    let entry = read_file(&path, None, &stage.surroundings()).unwrap();
    let more = json!({"disabled": true, "autoApprove": ["x"], "timeout": "1e400"});
    assert_eq!(serde_json::Value::from(entry.more), more);
}

#[test]
fn the_folder_of_a_program_is_that_of_its_workspace() {
    let stage = Stage::new();
    let text =
        r#"{"mcpServers": {"one": {"command": "./a"}, "two": {"command": "a", "cwd": "sub"}}}"#;
    stage.file("project/.mcp.json", text);
    let surroundings = stage.surroundings();
    for (name, folder) in [("one", "project"), ("two", "project/sub")] {
        let entry = find(name, &surroundings).unwrap().entry;
        let Target::Program { cwd, .. } = entry.resolve(&surroundings).unwrap().target else {
            panic!("it is a program");
        };
        assert_eq!(cwd.unwrap(), stage.home().join(folder));
    }
}

#[test]
fn headers_come_from_the_environment_where_the_file_says_so() {
    let stage = Stage::new();
    let path = stage.file(
        ".codex/config.toml",
        "[mcp_servers.one]\nurl = 'https://example.com/mcp'\nbearer_token_env_var = 'TOKEN'\n\
         http_headers = { A = 'b' }\nenv_http_headers = { C = 'SEE' }\n",
    );
    let entry = read_file(&path, None, &stage.surroundings()).unwrap();
    let error = entry.resolve(&stage.surroundings()).unwrap_err();
    assert_eq!(error.kind(), ClientErrorKind::Unresolved);
    assert!(error.to_string().contains("`TOKEN` is not set"), "{error}");
    let surroundings = with(stage.surroundings(), &[("TOKEN", "t0p"), ("SEE", "d")]);
    let resolved = entry.resolve(&surroundings).unwrap();
    let Target::Url { headers, .. } = &resolved.target else {
        panic!("it is a URL");
    };
    let headers: Vec<_> = headers.iter().map(|(a, b)| format!("{a}: {b}")).collect();
    assert_eq!(headers, ["A: b", "Authorization: Bearer t0p", "C: d"]);
    // A log of it has no secrets.
    assert!(!format!("{resolved:?}").contains("t0p"));
}

#[test]
fn variables_are_passed_on_where_the_file_says_so() {
    let stage = Stage::new();
    let path = stage.file(
        ".codex/config.toml",
        "[mcp_servers.one]\ncommand = 'a'\nenv = { A = 'b' }\nenv_vars = ['A', 'C', 'D']\n",
    );
    let entry = read_file(&path, None, &stage.surroundings()).unwrap();
    assert!(entry.shown().contains(&"variable C=$C".to_owned()));
    let surroundings = with(stage.surroundings(), &[("A", "other"), ("C", "d")]);
    let resolved = entry.resolve(&surroundings).unwrap();
    let Target::Program { env, .. } = &resolved.target else {
        panic!("it is a program");
    };
    let env: Vec<_> = env.iter().map(|(a, b)| format!("{a}={b}")).collect();
    // What is set wins, and what is not there is left out.
    assert_eq!(env, ["A=b", "C=d"]);
}

#[test]
fn what_cannot_be_resolved_is_said() {
    let cases = [
        (
            "project/.vscode/mcp.json",
            "servers",
            "${input:key}",
            "asks for the input `key`",
        ),
        (
            "project/.vscode/mcp.json",
            "servers",
            "${command:x}",
            "`${command:x}` has no value outside",
        ),
        (
            ".cursor/mcp.json",
            "mcpServers",
            "${env:NO}",
            "variable `NO` is not set",
        ),
        (
            ".mcp.json",
            "mcpServers",
            "${NO}",
            "variable `NO` is not set",
        ),
        (
            ".gemini/settings.json",
            "mcpServers",
            "$NO",
            "variable `NO` is not set",
        ),
        (
            ".codeium/windsurf/mcp_config.json",
            "mcpServers",
            "${file:/k}",
            "`${file:/k}` is not read",
        ),
    ];
    for (path, key, value, message) in cases {
        let stage = Stage::new();
        let servers = json!({ key: {"one": {"command": "a", "env": {"KEY": value}}} });
        let path = stage.file(path, &servers.to_string());
        let surroundings = stage.surroundings();
        let error = read_file(&path, None, &surroundings)
            .unwrap()
            .resolve(&surroundings);
        let error = error.unwrap_err();
        assert_eq!(error.kind(), ClientErrorKind::Unresolved);
        let text = error.to_string();
        assert!(
            text.starts_with(&name_of(&path)) && text.contains(message),
            "{text}"
        );
    }
}

#[test]
fn a_mistake_has_a_line_and_a_column() {
    let cases = [
        (
            ".mcp.json",
            "{\n // no\n}",
            ":2:2: comments are not allowed",
        ),
        (".mcp.json", "{\n  \"mcpServers\": {\"a\": {},},\n}", ":2:"),
        (
            ".cursor/mcp.json",
            "{\n\"mcpServers\": [\n]}",
            ":2:15: `mcpServers` must be an object",
        ),
        (
            ".cursor/mcp.json",
            "{\"mcpServers\": {\n\"é\": 1}}",
            ":2:6: `é`: it must be an object",
        ),
        (
            ".cursor/mcp.json",
            "{\"mcpServers\": {\n\"a\": {\"command\": 1}}}",
            ":2:18: `a.command`: it must be a string",
        ),
        (
            ".cursor/mcp.json",
            "{\"mcpServers\": {\"a\": {\"command\": \"\"}}}",
            "`a.command`: name a program",
        ),
        (
            ".cursor/mcp.json",
            "{\"mcpServers\": {\"a\": {\"command\": \"b\", \"args\": [\n1]}}}",
            ":2:1: `a.args`",
        ),
        (
            ".cursor/mcp.json",
            "{\"mcpServers\": {\"a\": {\"command\": \"b\", \"env\": {\"c\": []}}}}",
            ":1:52: `a.env`: it must be a string",
        ),
        (
            ".cursor/mcp.json",
            "{\"mcpServers\": {\"a\": {\"command\": \"b\",\n \"command\": \"c\"}}}",
            ":2:2: `command` stands there twice",
        ),
        (
            ".cursor/mcp.json",
            "{\"mcpServers\": {\"a\": {\"command\": \"b\", \"envFile\": \".env\"}}}",
            "`a.envFile`: a file of variables is not read",
        ),
        (
            ".cursor/mcp.json",
            "{\"mcpServers\": {\"a\": {}}}",
            "or a server's URL in `url`",
        ),
        (
            ".codex/config.toml",
            "[mcp_servers.a]\ncommand = 1\n",
            ":2:11: `a.command`: it must be a string",
        ),
        (".codex/config.toml", "[mcp_servers.a\n", ":1:15: "),
        (
            "other.json",
            "{\"a\": 1}",
            "has none of the members `mcpServers`",
        ),
    ];
    for (path, text, message) in cases {
        let stage = Stage::new();
        let path = stage.file(path, text);
        let error = read_file(&path, None, &stage.surroundings()).unwrap_err();
        assert_eq!(error.kind(), ClientErrorKind::BadFile, "{error}");
        let text = error.to_string();
        assert!(
            text.starts_with(&name_of(&path)) && text.contains(message),
            "{message}: {text}"
        );
    }
}

#[test]
fn a_file_has_limits() {
    let stage = Stage::new();
    let text = r#"{"mcpServers": {"one": {"command": "a"}}}"#;
    let path = stage.file("some.json", text);
    let mut surroundings = stage.surroundings();
    surroundings.max_bytes = text.len() as u64;
    assert!(read_file(&path, None, &surroundings).is_ok());
    surroundings.max_bytes -= 1;
    let error = read_file(&path, None, &surroundings).unwrap_err();
    assert!(
        error.to_string().contains("it is longer than 40 bytes"),
        "{error}"
    );
    let deep = |depth: usize| {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        format!(r#"{{"mcpServers": {{"one": {{"command": "a", "x": {open}{close}}}}}}}"#)
    };
    // Three objects and their members are around it.
    let surroundings = stage.surroundings();
    let path = stage.file("some.json", &deep(513 - 6));
    assert!(read_file(&path, None, &surroundings).is_ok());
    for depth in [513 - 5, 1_000_000] {
        let path = stage.file("some.json", &deep(depth));
        let error = read_file(&path, None, &surroundings).unwrap_err();
        assert!(error.to_string().contains("nesting depth"), "{error}");
    }
    let path = stage.file("some.toml", &format!("a = {}", "[".repeat(1_000_000)));
    assert!(read_file(&path, None, &surroundings).is_err());
    let path = stage.home();
    let error = read_file(&path, None, &surroundings).unwrap_err();
    assert_eq!(error.kind(), ClientErrorKind::System, "{error}");
    let error = read_file(Path::new("/no/such"), None, &surroundings).unwrap_err();
    assert_eq!(error.kind(), ClientErrorKind::System, "{error}");
}

#[test]
fn the_old_transport_is_told_apart() {
    let cases = [
        (
            ".cursor/mcp.json",
            r#"{"url": "http://a", "type": "sse"}"#,
            true,
        ),
        (
            ".cursor/mcp.json",
            r#"{"url": "http://a", "transport": "SSE"}"#,
            true,
        ),
        (".cursor/mcp.json", r#"{"url": "http://a"}"#, false),
        (".gemini/settings.json", r#"{"url": "http://a"}"#, true),
        (
            ".gemini/settings.json",
            r#"{"url": "http://a", "type": "http"}"#,
            false,
        ),
        (".gemini/settings.json", r#"{"httpUrl": "http://a"}"#, false),
    ];
    for (path, entry, expected) in cases {
        let stage = Stage::new();
        let path = stage.file(path, &format!(r#"{{"mcpServers": {{"one": {entry}}}}}"#));
        let entry = read_file(&path, None, &stage.surroundings()).unwrap();
        let Target::Url { sse, .. } = entry.target else {
            panic!("it is a URL");
        };
        assert_eq!(sse, expected, "{path:?}");
    }
}
