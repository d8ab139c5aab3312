//! Where servers are found, and which need consent.

use std::path::{Path, PathBuf};

use super::super::*;
use super::{Stage, with};

const ONE: &str = r#"{"mcpServers": {"one": {"command": "a"}}}"#;
const OTHER: &str = r#"{"mcpServers": {"one": {"command": "b"}}}"#;

#[test]
fn each_system_has_its_places() {
    let home = Path::new("/h");
    let file = |system, client: Client| {
        let surroundings = Surroundings::new(system, home, Path::new("/w"));
        surroundings.user_file(client).unwrap().path
    };
    let cases = [
        (
            System::Linux,
            Client::Claude,
            "/h/.config/Claude/claude_desktop_config.json",
        ),
        (
            System::MacOs,
            Client::Claude,
            "/h/Library/Application Support/Claude/claude_desktop_config.json",
        ),
        (
            System::Windows,
            Client::Claude,
            "/h/AppData/Roaming/Claude/claude_desktop_config.json",
        ),
        (System::MacOs, Client::Zed, "/h/.config/zed/settings.json"),
        (
            System::Linux,
            Client::Vscode,
            "/h/.config/Code/User/mcp.json",
        ),
        (System::Linux, Client::Codex, "/h/.codex/config.toml"),
    ];
    for (system, client, path) in cases {
        assert_eq!(file(system, client), PathBuf::from(path));
    }
    let moved = [
        ("XDG_CONFIG_HOME", Client::Zed, "/x/zed/settings.json"),
        ("CODEX_HOME", Client::Codex, "/x/config.toml"),
        ("CLAUDE_CONFIG_DIR", Client::ClaudeCode, "/x/.claude.json"),
    ];
    for (variable, client, path) in moved {
        let plain = Surroundings::new(System::Linux, home, Path::new("/w"));
        let surroundings = with(plain.clone(), &[(variable, "/x")]);
        assert_eq!(
            surroundings.user_file(client).unwrap().path,
            Path::new(path)
        );
        // A relative path is none.
        let surroundings = with(plain.clone(), &[(variable, "x")]);
        assert_eq!(surroundings.user_file(client), plain.user_file(client));
    }
}

#[test]
fn the_nearest_file_of_a_workspace_is_found_and_the_home_folder_is_none() {
    let stage = Stage::new();
    stage.file(".cursor/mcp.json", ONE);
    let surroundings = stage.surroundings();
    let entry = find("one", &surroundings).unwrap().entry;
    assert_eq!(entry.scope, Some(Scope::User));
    let path = stage.file("project/.cursor/mcp.json", OTHER);
    let entry = find("cursor:one", &surroundings);
    assert_eq!(entry.unwrap_err().kind(), ClientErrorKind::AmbiguousServer);
    std::fs::remove_file(stage.home().join(".cursor/mcp.json")).unwrap();
    let entry = find("one", &surroundings).unwrap().entry;
    assert_eq!(
        (entry.scope, entry.path.clone()),
        (Some(Scope::Workspace), path)
    );
    let nearer = stage.file("project/below/.cursor/mcp.json", ONE);
    assert_eq!(find("one", &surroundings).unwrap().entry.path, nearer);
}

#[test]
fn a_name_in_several_places_is_refused_with_forms_that_work() {
    let stage = Stage::new();
    let surroundings = stage.surroundings();
    stage.file(".cursor/mcp.json", ONE);
    stage.file(".codeium/windsurf/mcp_config.json", ONE);
    // The same server in two files is one.
    assert!(find("one", &surroundings).is_ok());
    stage.file(".codeium/windsurf/mcp_config.json", OTHER);
    let error = find("one", &surroundings).unwrap_err();
    assert_eq!(error.kind(), ClientErrorKind::AmbiguousServer);
    let text = error.to_string();
    assert!(
        text.contains("write `cursor:one` (") && text.contains("or `windsurf:one` ("),
        "{text}"
    );
    for (form, command) in [("cursor:one", "a"), ("windsurf:one", "b")] {
        let Target::Program { command: found, .. } =
            find(form, &surroundings).unwrap().entry.target
        else {
            panic!("it is a program");
        };
        assert_eq!(found, command);
    }
    // Two files of one client are told apart by their paths.
    stage.file("project/.cursor/mcp.json", OTHER);
    let text = find("cursor:one", &surroundings).unwrap_err().to_string();
    let path = stage.home().join("project/.cursor/mcp.json");
    assert!(
        text.contains(&format!("`--config {} one`", path.display())),
        "{text}"
    );
    assert!(read_file(&path, Some("one"), &surroundings).is_ok());
}

#[test]
fn a_server_that_nobody_names_is_said_to_be_unknown() {
    let stage = Stage::new();
    let surroundings = stage.surroundings();
    let text = find("one", &surroundings).unwrap_err().to_string();
    assert!(text.contains("with `--config`"), "{text}");
    stage.file(".cursor/mcp.json", ONE);
    stage.file(".gemini/settings.json", "{");
    let error = find("onee", &surroundings).unwrap_err();
    assert_eq!(error.kind(), ClientErrorKind::UnknownServer);
    let text = error.to_string();
    assert!(
        text.contains("`one`") && text.contains("settings.json:1:"),
        "{text}"
    );
    // A broken file of one client does not stand in the way of another's.
    let found = find("one", &surroundings).unwrap();
    assert_eq!(found.notes.len(), 1, "{:?}", found.notes);
    assert_eq!(list(&surroundings), [(Client::Cursor, "one".to_owned())]);
}

#[test]
fn claude_code_has_servers_for_a_folder() {
    let stage = Stage::new();
    let folder = stage.home().join("project");
    let text = serde_json::json!({
        "mcpServers": {"one": {"command": "a"}, "two": {"command": "c"}},
        "projects": {folder.to_str().unwrap(): {"mcpServers": {"one": {"command": "b"}}}},
    });
    stage.file(".claude.json", &text.to_string());
    for (name, command) in [("one", "b"), ("two", "c")] {
        let entry = find(name, &stage.surroundings()).unwrap().entry;
        assert!(matches!(entry.target, Target::Program { command: found, .. } if found == command));
    }
}

#[test]
fn a_program_needs_consent_and_a_url_of_the_workspace_too() {
    let stage = Stage::new();
    let surroundings = stage.surroundings();
    let path = stage.file("project/.mcp.json", ONE);
    let of_workspace = find("one", &surroundings).unwrap().entry.consent();
    // Whoever names the file has not typed what it says.
    let named = read_file(&path, None, &surroundings).unwrap().consent();
    assert!(of_workspace.is_some() && of_workspace == named);
    stage.file(".cursor/mcp.json", ONE);
    let of_user = find("one", &surroundings).unwrap().entry.consent();
    assert!(of_user.is_some() && of_user != of_workspace);

    let far = r#"{"mcpServers": {"far": {"url": "http://127.0.0.1:1/mcp"}}}"#;
    let path = stage.file("project/.mcp.json", far);
    assert!(
        find("far", &surroundings)
            .unwrap()
            .entry
            .consent()
            .is_some()
    );
    assert!(
        read_file(&path, None, &surroundings)
            .unwrap()
            .consent()
            .is_none()
    );
}

#[test]
fn all_of_it_is_shown() {
    let stage = Stage::new();
    let text = r#"{"mcpServers": {"one": {"command": "sh", "args": ["-c", "a\u001b[2J; b"], "env": {"LD_PRELOAD": "/x"}}}}"#;
    stage.file("project/.mcp.json", text);
    let shown = find("one", &stage.surroundings()).unwrap().entry.shown();
    let text = shown.join("\n");
    for part in [
        "program  \"sh\"",
        "argument \"-c\"",
        "argument \"a\\u001b[2J; b\"",
        "variable LD_PRELOAD=\"/x\"",
        "/project",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_of_the_workspace_that_others_can_write_is_not_used() {
    use std::os::unix::fs::PermissionsExt as _;
    let stage = Stage::new();
    let path = stage.file("project/.mcp.json", ONE);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o666)).unwrap();
    let surroundings = stage.surroundings();
    let text = find("one", &surroundings).unwrap_err().to_string();
    assert!(
        text.contains("is not used: everybody can write it"),
        "{text}"
    );
    assert!(read_file(&path, None, &surroundings).is_ok());
}
