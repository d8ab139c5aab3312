//! An entry is put into a file, and the rest of it stays.

use std::fs;

use super::super::*;
use super::Stage;

fn server() -> OwnServer {
    let arguments = ["serve", "--manifest", "/home/me/tools/toolwire.toml"];
    OwnServer::program(
        "tools",
        "/usr/bin/toolwire",
        arguments.map(str::to_owned).to_vec(),
    )
}

/// For each client a file as people have it, and the same with the entry.
#[test]
fn nothing_else_in_a_file_changes() {
    let cases = [
        (
            Client::Claude,
            "{\n  \"globalShortcut\": \"\",\n  \"mcpServers\": {\n    \"git\": {\n      \"command\": \"uvx\",\n      \"args\": [\"mcp-server-git\"]\n    }\n  }\n}",
            "{\n  \"globalShortcut\": \"\",\n  \"mcpServers\": {\n    \"git\": {\n      \"command\": \"uvx\",\n      \"args\": [\"mcp-server-git\"]\n    },\n    \"tools\": {\n      \"command\": \"/usr/bin/toolwire\",\n      \"args\": [\"serve\", \"--manifest\", \"/home/me/tools/toolwire.toml\"]\n    }\n  }\n}",
        ),
        (
            Client::ClaudeCode,
            "{}\n",
            "{\n  \"mcpServers\": {\n    \"tools\": {\n      \"type\": \"stdio\",\n      \"command\": \"/usr/bin/toolwire\",\n      \"args\": [\"serve\", \"--manifest\", \"/home/me/tools/toolwire.toml\"]\n    }\n  }\n}\n",
        ),
        (
            Client::Cursor,
            "{\n\t// my servers\n\t\"mcpServers\": {\n\t\t\"git\": { \"url\": \"https://example.com\" }, // remote\n\t},\n}\n",
            "{\n\t// my servers\n\t\"mcpServers\": {\n\t\t\"git\": { \"url\": \"https://example.com\" }, // remote\n\t\t\"tools\": {\n\t\t\t\"command\": \"/usr/bin/toolwire\",\n\t\t\t\"args\": [\"serve\", \"--manifest\", \"/home/me/tools/toolwire.toml\"],\n\t\t},\n\t},\n}\n",
        ),
        (
            Client::Vscode,
            "{\r\n    \"inputs\": [],\r\n    \"servers\": {}\r\n}\r\n",
            "{\r\n    \"inputs\": [],\r\n    \"servers\": {\r\n        \"tools\": {\r\n            \"type\": \"stdio\",\r\n            \"command\": \"/usr/bin/toolwire\",\r\n            \"args\": [\"serve\", \"--manifest\", \"/home/me/tools/toolwire.toml\"]\r\n        }\r\n    }\r\n}\r\n",
        ),
        (
            Client::Zed,
            "// Zed settings\n//\n// see the documentation\n{\n  \"theme\": {\n    \"mode\": \"system\",   \"dark\": \"One Dark\"\n  },\n  \"ui_font_size\": 16.0 // big\n}\n",
            "// Zed settings\n//\n// see the documentation\n{\n  \"theme\": {\n    \"mode\": \"system\",   \"dark\": \"One Dark\"\n  },\n  \"ui_font_size\": 16.0, // big\n  \"context_servers\": {\n    \"tools\": {\n      \"source\": \"custom\",\n      \"command\": \"/usr/bin/toolwire\",\n      \"args\": [\"serve\", \"--manifest\", \"/home/me/tools/toolwire.toml\"]\n    }\n  }\n}\n",
        ),
        (
            Client::Windsurf,
            "",
            "{\n  \"mcpServers\": {\n    \"tools\": {\n      \"command\": \"/usr/bin/toolwire\",\n      \"args\": [\"serve\", \"--manifest\", \"/home/me/tools/toolwire.toml\"]\n    }\n  }\n}\n",
        ),
        (
            Client::Gemini,
            "{\n  /* theme */ \"theme\": \"Dracula\",\n  \"mcpServers\": {\n    \"tools\": {\n      \"command\": \"/old/toolwire\", // mine\n      \"args\": [\"serve\", \"--manifest\", \"/home/me/tools/toolwire.toml\"],\n      \"trust\": true\n    }\n  }\n}\n",
            "{\n  /* theme */ \"theme\": \"Dracula\",\n  \"mcpServers\": {\n    \"tools\": {\n      \"command\": \"/usr/bin/toolwire\", // mine\n      \"args\": [\"serve\", \"--manifest\", \"/home/me/tools/toolwire.toml\"],\n      \"trust\": true\n    }\n  }\n}\n",
        ),
        (
            Client::Codex,
            "# mine\nmodel = \"m\"   # fast\n\n[mcp_servers.git]\ncommand = 'uvx'\nargs = [\n  \"mcp-server-git\",\n]\n\n[tui]\ntheme = 'x'\n",
            "# mine\nmodel = \"m\"   # fast\n\n[mcp_servers.git]\ncommand = 'uvx'\nargs = [\n  \"mcp-server-git\",\n]\n\n[mcp_servers.tools]\ncommand = \"/usr/bin/toolwire\"\nargs = [\"serve\", \"--manifest\", \"/home/me/tools/toolwire.toml\"]\n\n[tui]\ntheme = 'x'\n",
        ),
        (
            Client::Codex,
            "[mcp_servers.tools]\n# keep\ncommand = 'old' # why\nenabled = false\n",
            "[mcp_servers.tools]\n# keep\ncommand = \"/usr/bin/toolwire\" # why\nenabled = false\nargs = [\"serve\", \"--manifest\", \"/home/me/tools/toolwire.toml\"]\n",
        ),
        (
            Client::Codex,
            "mcp_servers = { git = { command = 'a' } }\n",
            "mcp_servers = { git = { command = 'a' } , tools = { command = \"/usr/bin/toolwire\", args = [\"serve\", \"--manifest\", \"/home/me/tools/toolwire.toml\"] } }\n",
        ),
    ];
    for (client, before, after) in cases {
        let first = edit("file", before, client, &server()).unwrap();
        assert_eq!(first.text, after, "{client}\n{}", first.text);
        assert!(first.changed && !first.diff.is_empty());
        // Once more changes nothing.
        let again = edit("file", after, client, &server()).unwrap();
        assert_eq!(again.text, after, "{client}");
        assert!(!again.changed && again.diff.is_empty(), "{client}");
        // It is read back as it was meant.
        let stage = Stage::new();
        let surroundings = stage.surroundings();
        let place = surroundings.user_file(client).unwrap();
        fs::create_dir_all(place.path.parent().unwrap()).unwrap();
        write_text(&place.path, None, after, Scope::User, 1 << 20).unwrap();
        let entry = find("tools", &surroundings).unwrap().entry;
        let target = entry.resolve(&surroundings).unwrap().target;
        assert_eq!(target, server().target, "{client}");
    }
}

#[test]
fn a_byte_order_mark_stays() {
    let edit = edit("file", "\u{feff}{}", Client::Cursor, &server()).unwrap();
    assert!(edit.text.starts_with("\u{feff}{\n"), "{:?}", edit.text);
}

#[test]
fn a_url_takes_the_place_of_a_program() {
    let text =
        "{\"mcpServers\": {\"tools\": {\"command\": \"a\", \"args\": [], \"disabled\": true}}}";
    let url = OwnServer::url("tools", "http://127.0.0.1:8080/mcp");
    let changed = edit("file", text, Client::Windsurf, &url).unwrap().text;
    let value: serde_json::Value = serde_json::from_str(&changed).unwrap();
    let expected = serde_json::json!({"serverUrl": "http://127.0.0.1:8080/mcp", "disabled": true});
    assert_eq!(value["mcpServers"]["tools"], expected, "{changed}");
    let back = edit("file", &changed, Client::Windsurf, &server())
        .unwrap()
        .text;
    let value: serde_json::Value = serde_json::from_str(&back).unwrap();
    assert!(
        value["mcpServers"]["tools"].get("serverUrl").is_none(),
        "{back}"
    );
    let error = edit("file", "", Client::Claude, &url).unwrap_err();
    assert!(error.to_string().contains("takes no URLs"), "{error}");
}

#[test]
fn a_file_that_cannot_be_read_is_not_edited() {
    let cases = [
        (Client::Claude, "{ // no\n}", "file:1:3: "),
        (Client::Cursor, "{\"mcpServers\": []}", "file:1:16: "),
        (Client::Cursor, "[]", "file:1:1: it must be an object"),
        (
            Client::Cursor,
            "{\"mcpServers\": {\"tools\": 1}}",
            "`tools` must be an object",
        ),
        (
            Client::Cursor,
            "{\"a\": 1, \"a\": 2}",
            "`a` stands there twice",
        ),
        (Client::Codex, "mcp_servers = 1", "`mcp_servers` must be"),
        (Client::Codex, "a = ", "file:1:"),
    ];
    for (client, text, message) in cases {
        let error = edit("file", text, client, &server()).unwrap_err();
        assert_eq!(error.kind(), ClientErrorKind::BadFile);
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[test]
fn the_diff_is_that_of_the_tool() {
    let before = "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3,\n  \"d\": 4,\n  \"mcpServers\": {\n    \"tools\": {\n      \"command\": \"x\",\n      \"args\": []\n    }\n  },\n  \"e\": 5,\n  \"f\": 6\n}";
    let server = OwnServer::program("tools", "y", vec![]);
    let edit = edit("mcp.json", before, Client::Cursor, &server).unwrap();
    assert_eq!(
        edit.diff,
        "--- mcp.json\n+++ mcp.json\n@@ -5,7 +5,7 @@\n   \"d\": 4,\n   \"mcpServers\": {\n     \"tools\": {\n-      \"command\": \"x\",\n+      \"command\": \"y\",\n       \"args\": []\n     }\n   },\n"
    );
    let new = super::super::edit("mcp.json", "", Client::Cursor, &server).unwrap();
    assert!(
        new.diff
            .starts_with("--- mcp.json\n+++ mcp.json\n@@ -0,0 +1,8 @@\n+{\n"),
        "{}",
        new.diff
    );
}

#[test]
fn a_file_is_replaced_whole_and_only_as_it_was_read() {
    let stage = Stage::new();
    let path = stage.home().join("new/folder/mcp.json");
    assert_eq!(current_text(&path, 100).unwrap(), None);
    write_text(&path, None, "one", Scope::User, 100).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "one");
    for before in [None, Some("other")] {
        let error = write_text(&path, before, "two", Scope::User, 100).unwrap_err();
        assert!(
            error.to_string().contains("changed in the meantime"),
            "{error}"
        );
    }
    write_text(&path, Some("one"), "two", Scope::User, 100).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "two");
    // Nothing else is left there.
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let stage = Stage::new();
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let real = stage.file("dotfiles/mcp.json", "one");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    let link = stage.home().join("mcp.json");
    symlink(&real, &link).unwrap();
    write_text(&link, Some("one"), "two", Scope::User, 100).unwrap();
    assert_eq!(
        (fs::read_to_string(&real).unwrap().as_str(), mode(&real)),
        ("two", 0o640)
    );
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    // A checkout must not lead to a file elsewhere, but its own links are its own.
    let folder = stage
        .file(".cursor/other.json", "")
        .parent()
        .unwrap()
        .to_owned();
    let outer = folder.join("mcp.json");
    symlink(&real, &outer).unwrap();
    let outside = write_text(&outer, Some("two"), "three", Scope::Workspace, 100).unwrap_err();
    assert!(outside.to_string().contains("a link out of its folder"));
    let (inner, inside) = (
        stage.home().join("inner.json"),
        stage.file("real.json", "one"),
    );
    symlink(&inside, &inner).unwrap();
    write_text(&inner, Some("one"), "two", Scope::Workspace, 100).unwrap();
    assert_eq!(fs::read_to_string(&inside).unwrap(), "two");
    assert_eq!(fs::read_to_string(&real).unwrap(), "two");
    // A link that leads nowhere is no new file.
    fs::remove_file(&real).unwrap();
    for error in [
        current_text(&link, 100).unwrap_err(),
        write_text(&link, None, "two", Scope::User, 100).unwrap_err(),
    ] {
        assert!(
            error
                .to_string()
                .contains("a link to a file that does not exist"),
            "{error}"
        );
    }
    assert!(!real.exists());
    // What the user alone has may hold secrets.
    let new = stage.home().join("own.json");
    write_text(&new, None, "x", Scope::User, 100).unwrap();
    assert_eq!(mode(&new), 0o600);
}
