//! Servers that files of clients name, and entries that are written into them.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::common::prompt::{Terminal, start_shell};
use crate::common::{Dir, Run, command_at_home, run_command, set_mode};
use serde_json::Value;

/// A home folder with a workspace in it.
fn stage() -> Dir {
    let dir = Dir::new();
    for folder in ["home/project/.cursor", "home/.config/zed", "home/.cursor"] {
        fs::create_dir_all(dir.path().join(folder)).unwrap();
    }
    dir
}

fn toolwire(dir: &Dir, args: &[&str]) -> Run {
    let home = dir.path().join("home");
    let command = command_at_home(&home, &home.join("project"), args);
    run_command(command, b"")
}

fn approvals(dir: &Dir) -> String {
    fs::read_to_string(dir.path().join("home/.config/toolwire/servers")).unwrap_or_default()
}

#[test]
fn a_server_is_shown_and_approved_as_it_is() {
    let dir = stage();
    let text = "{\"mcpServers\": {\"one\": {\"command\": \"sh\", \"args\": [\"-c\", \"a\\u001b]0;b\\u202e\"]}}}";
    dir.file("home/project/.mcp.json", text);
    let run = toolwire(&dir, &["trust", "--server", "one"]);
    assert_eq!(run.code, 0, "{run:?}");
    for part in [
        "approved as it is:",
        "  program  \"sh\"",
        "  argument \"-c\"",
        "/project/.mcp.json:1",
    ] {
        assert!(run.stdout.contains(part), "{part}: {run:?}");
    }
    assert!(!run.stdout.contains(['\u{1b}', '\u{202e}']), "{run:?}");
    let first = approvals(&dir);
    assert!(
        first.starts_with("sha256:") && first.contains("/project/.mcp.json#one#"),
        "{first}"
    );
    // It is another one with other arguments, and stands in the place of the first.
    dir.file("home/project/.mcp.json", text.replace("-c", "-x"));
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

#[test]
fn a_file_of_ones_own_comes_first_and_its_command_is_agreed_to_as_well() {
    let dir = stage();
    let text = r#"{"mcpServers": {"one": {"command": "sh"}}}"#;
    dir.file("home/.cursor/mcp.json", text);
    dir.file("home/project/.mcp.json", text);
    let run = toolwire(&dir, &["trust", "--server", "one"]);
    assert!(run.stdout.contains("/.cursor/mcp.json"), "{run:?}");
    assert!(approvals(&dir).contains("/.cursor/mcp.json#one#"));
    let run = toolwire(&dir, &["trust", "--server", "claude-code:one"]);
    assert!(run.stdout.contains("project/.mcp.json"), "{run:?}");
    // It is told once what there is, whoever names it, and of which client there is nothing.
    let run = toolwire(&dir, &["tools", "other-name"]);
    assert!(run.stderr.contains("there is `one`\n"), "{run:?}");
    let run = toolwire(&dir, &["tools", "gemini:one"]);
    assert!(
        run.stderr.contains("no configuration file of Gemini"),
        "{run:?}"
    );
    let run = toolwire(&dir, &["tools", "one", "--config", "nothing.json"]);
    assert!(
        run.stderr
            .ends_with("nothing.json`: there is no such file\n"),
        "{run:?}"
    );
}

const MANIFEST: &str = "[tools.hello]\ncommand = ['echo', 'hello']\nplain = true\n";

fn serving(dir: &Dir) {
    dir.file("home/project/toolwire.toml", MANIFEST);
}

/// It is a whole file, and has all that the command took from where it stood.
#[test]
fn an_entry_is_printed_for_each_client() {
    let dir = stage();
    serving(&dir);
    let project = fs::canonicalize(dir.path()).unwrap().join("home/project");
    let project = project.to_str().unwrap();
    for (client, key) in [
        ("claude", "mcpServers"),
        ("claude-code", "mcpServers"),
        ("cursor", "mcpServers"),
        ("vscode", "servers"),
        ("zed", "context_servers"),
        ("windsurf", "mcpServers"),
        ("gemini", "mcpServers"),
    ] {
        let run = toolwire(&dir, &["serve", "--print-config", client]);
        let entry = &run.json()[key]["project"];
        assert!(
            entry["command"].as_str().unwrap().starts_with('/'),
            "{run:?}"
        );
        let words: Vec<&str> = entry["args"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        assert_eq!(words[0], "serve");
        assert!(
            words.contains(&format!("--manifest={project}/toolwire.toml").as_str()),
            "{run:?}"
        );
        assert!(
            words.contains(&format!("--cwd={project}").as_str()),
            "{run:?}"
        );
        assert_eq!(run.code, 0);
    }
    let run = toolwire(
        &dir,
        &["serve", "--print-config", "codex", "--entry-name", "mine"],
    );
    assert!(
        run.stdout.starts_with("[mcp_servers.mine]\ncommand = \"/"),
        "{run:?}"
    );
    let run = toolwire(&dir, &["serve", "--print-config", "cursor", "./no/such"]);
    assert_eq!((run.code, run.stdout.as_str()), (5, ""), "{run:?}");
    let run = toolwire(
        &dir,
        &[
            "serve",
            "--print-config",
            "claude",
            "--install",
            "--workspace",
            "--yes",
        ],
    );
    assert!(
        run.code == 2 && run.stderr.contains("has no file for a workspace"),
        "{run:?}"
    );
    for (args, cure) in [
        (&["--install"][..], "add `--print-config CLIENT`"),
        (&["--workspace"], "which file `--install` writes"),
        (
            &["--workspace", "--print-config", "claude"],
            "which file `--install` writes",
        ),
    ] {
        let run = toolwire(&dir, &[&["serve"], args].concat());
        assert!(run.code == 2 && run.stderr.contains(cure), "{run:?}");
    }
}

/// What is installed starts, from any folder, and installing it again changes nothing.
#[test]
fn what_is_installed_serves() {
    let dir = stage();
    serving(&dir);
    let settings = "// mine\n{\n  \"theme\": \"dark\",\n}\n";
    let path = dir.file("home/.config/zed/settings.json", settings);
    let install = ["serve", "--print-config", "zed", "--install"];
    let run = toolwire(&dir, &install);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{run:?}");
    for part in [
        "+  \"context_servers\": {",
        "nobody is there to agree",
        "--yes",
    ] {
        assert!(run.stderr.contains(part), "{part}: {run:?}");
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), settings);
    let run = toolwire(&dir, &[&install[..], &["--yes"]].concat());
    assert!(
        run.code == 0 && run.stdout.starts_with("written: /"),
        "{run:?}"
    );
    let text = fs::read_to_string(&path).unwrap();
    assert!(
        text.starts_with("// mine\n{\n  \"theme\": \"dark\",\n  \"context_servers\""),
        "{text}"
    );
    let run = toolwire(&dir, &install);
    assert!(
        run.code == 0 && run.stdout.starts_with("nothing to change: /"),
        "{run:?}"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    let run = toolwire(&dir, &["serve", "--print-config", "claude"]);
    let entry = &run.json()["mcpServers"]["project"];
    let words = entry["args"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str);
    let mut server = Command::new(entry["command"].as_str().unwrap())
        .args(words)
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = server.stdin.take().unwrap();
    let lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
"#;
    stdin.write_all(hello.as_bytes()).unwrap();
    let tools = lines
        .map_while(Result::ok)
        .find(|line| line.contains("\"tools\":["));
    assert!(tools.is_some_and(|tools| tools.contains("hello")));
    drop(stdin);
    assert!(server.wait().unwrap().success());
}

fn install_on_a_terminal(dir: Dir) -> Terminal {
    serving(&dir);
    dir.file(
        "home/project/.cursor/mcp.json",
        "{\n\t// mine\n\t\"mcpServers\": {}\n}\n",
    );
    set_mode(&dir.path().join("home/project/.cursor/mcp.json"), 0o600);
    let script = "cd home/project; HOME=$(dirname $PWD) \"$TOOLWIRE\" serve --print-config cursor --install \
                  --workspace; echo code=$?";
    start_shell(dir, script)
}

/// A desktop starts it with another PATH, where another Python has none of the imports of the tool.
#[cfg(unix)]
#[test]
fn an_entry_starts_where_the_client_starts_it() {
    let dir = stage();
    let tools = r#"{"content":[],"structuredContent":{"toolwire":1,"tools":[{"name":"hello","inputSchema":{"type":"object"}}]}}"#;
    let script = format!(
        "#!/usr/bin/env of-the-shell\n# toolwire-tool: 1\ncat > /dev/null\nprintf '%s' '{tools}'\n"
    );
    dir.file("home/project/tool", script);
    set_mode(&dir.path().join("home/project/tool"), 0o755);
    let args = ["serve", "./tool", "--print-config", "claude-desktop"];
    let run = toolwire(&dir, &args);
    assert_eq!((run.code, &*run.stdout), (1, ""), "{run:?}");
    assert!(run.stderr.contains("of-the-shell"), "{run:?}");
    assert!(!run.stderr.contains('␊'), "{run:?}");
    let bin = dir.path().join("bin");
    fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink("/bin/sh", bin.join("of-the-shell")).unwrap();
    let home = dir.path().join("home");
    let mut command = command_at_home(&home, &home.join("project"), &args);
    command.env("PATH", format!("{}:/usr/bin:/bin", bin.display()));
    let run = run_command(command, b"");
    assert_eq!(run.code, 0, "{run:?}");
    assert!(
        run.stderr.contains("the client will see `hello`"),
        "{run:?}"
    );
    let path = &run.json()["mcpServers"]["tool"]["env"]["PATH"];
    assert!(
        path.as_str().unwrap().contains(bin.to_str().unwrap()),
        "{run:?}"
    );
}

/// A person sees what changes, and decides.
#[test]
fn a_person_decides() {
    for (keys, code, written) in [
        ("y\r", "code=0", true),
        ("\r", "code=1", false),
        ("n\r", "code=1", false),
    ] {
        let mut terminal = install_on_a_terminal(stage());
        terminal.shows("\"project\": {");
        terminal.shows("[y/N]");
        terminal.types(keys, code);
        let text =
            fs::read_to_string(terminal.dir.path().join("home/project/.cursor/mcp.json")).unwrap();
        assert_eq!(text.contains("\"project\": {"), written, "{text}");
        assert!(
            text.starts_with("{\n\t// mine\n\t\"mcpServers\": {"),
            "{text}"
        );
    }
}

/// What was installed stays, whoever else installs at the same time.
#[test]
fn what_is_installed_at_a_time_is_not_lost() {
    let dir = stage();
    serving(&dir);
    let install = |number: usize| {
        let name = format!("one{number}");
        let entry = ["serve", "--print-config", "zed", "--install", "--yes"];
        let ran = toolwire(&dir, &[&entry[..], &["--entry-name", &name]].concat());
        let lost = ran.stderr.contains("changed in the meantime");
        assert!(ran.code == 0 || lost, "{ran:?}");
        (ran.code == 0).then_some(name)
    };
    let installed: Vec<String> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..8)
            .map(|number| scope.spawn(move || install(number)))
            .collect();
        let all = all.into_iter().map(|one| one.join().unwrap());
        all.flatten().collect()
    });
    let text = fs::read_to_string(dir.path().join("home/.config/zed/settings.json")).unwrap();
    assert!(!installed.is_empty(), "{text}");
    for name in installed {
        assert!(text.contains(&format!("\"{name}\"")), "{name}: {text}");
    }
}

/// A workspace whose file names a server, and one call of it.
fn installed() -> Dir {
    let dir = stage();
    serving(&dir);
    let install = [
        "serve",
        "--print-config",
        "claude-code",
        "--install",
        "--workspace",
        "--yes",
    ];
    assert_eq!(toolwire(&dir, &install).code, 0);
    dir
}

/// Nothing of a workspace is started before somebody has seen it.
#[test]
fn a_server_of_a_workspace_is_not_started_unseen() {
    let dir = installed();
    let mark = dir.path().join("home/project/mark");
    let call = |dir: &Dir| toolwire(dir, &["run", "project", "hello"]);
    let run = call(&dir);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{run:?}");
    for part in [
        "  argument \"serve\"",
        "run `toolwire trust --server mcp:project`",
    ] {
        assert!(run.stderr.contains(part), "{part}: {run:?}");
    }
    toolwire(&dir, &["trust", "--server", "project"]);
    let run = call(&dir);
    assert_eq!((run.code, run.stdout.trim_end()), (0, "hello"), "{run:?}");
    // It is another one now.
    let path = dir.path().join("home/project/.mcp.json");
    let text = fs::read_to_string(&path).unwrap();
    let program = format!(
        "\"command\": \"touch\",\n      \"args\": [\"{}\"], \"was\": [",
        mark.display()
    );
    let start = text.find("\"command\"").unwrap();
    let end = text.find("\"args\": [").unwrap() + "\"args\": [".len();
    fs::write(
        &path,
        format!("{}{program}{}", &text[..start], &text[end..]),
    )
    .unwrap();
    let run = call(&dir);
    assert!(run.code == 2 && run.stderr.contains("argument"), "{run:?}");
    assert!(!mark.exists());
    // A file that is named says what nobody typed, too.
    fs::write(&path, text).unwrap();
    toolwire(&dir, &["trust", "--server", "project", "--remove"]);
    let named = ["run", "--config", ".mcp.json", "project", "hello"];
    let run = toolwire(&dir, &named);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{run:?}");
    let run = toolwire(&dir, &[&named[..1], &["--yes"], &named[1..]].concat());
    assert_eq!((run.code, run.stdout.trim_end()), (0, "hello"), "{run:?}");
}

/// A person at a terminal sees all of it, and decides once.
#[test]
fn a_person_approves_a_server_once() {
    let script = "cd home/project; export HOME=$(dirname $PWD); unset XDG_CONFIG_HOME; \
                  \"$TOOLWIRE\" run project hello; echo first=$?; \"$TOOLWIRE\" run project hello; echo code=$?";
    let mut terminal = start_shell(installed(), script);
    terminal.shows("Run it, now and from now on? [y/N]");
    terminal.types("y\r", "code=0");
    assert!(terminal.screen().contains("first=0"));
    let mut terminal = start_shell(installed(), script);
    terminal.shows("[y/N]");
    terminal.types("\r", "first=1");
    terminal.shows("`project` was not agreed to");
    assert!(!terminal.screen().contains("hello\n"));
}

/// What was agreed to in one checkout is nothing that another one can use, whatever links it has.
#[cfg(unix)]
#[test]
fn a_link_uses_no_agreement_of_another_folder() {
    use std::os::unix::fs::symlink;

    let dir = stage();
    let home = dir.path().join("home");
    let at = |folder: &str, args: &[&str]| {
        run_command(command_at_home(&home, &home.join(folder), args), b"")
    };
    let entry = r#"{"mcpServers": {"dev": {"command": "./mcp.sh"}}}"#;
    let profile = r#"{"command": "./mcp.sh", "cwd": "."}"#;
    for folder in ["good", "evil"] {
        fs::create_dir(home.join(folder)).unwrap();
        dir.program(
            &format!("home/{folder}/mcp.sh"),
            &format!("echo {folder} >> ../ran"),
        );
    }
    dir.file("home/good/.mcp.json", entry);
    fs::create_dir_all(home.join("good/.toolwire/profiles/mcp/dev")).unwrap();
    dir.file("home/good/.toolwire/profiles/mcp/dev/_meta.json", profile);
    for server in ["claude-code:dev", "@dev"] {
        let ran = at("good", &["trust", "--server", server]);
        assert_eq!(ran.code, 0, "{ran:?}");
    }
    symlink("../good/.mcp.json", home.join("evil/.mcp.json")).unwrap();
    symlink("../good/.toolwire", home.join("evil/.toolwire")).unwrap();
    for server in ["dev", "claude-code:dev", "@dev"] {
        let ran = at("evil", &["tools", server]);
        assert_eq!(ran.code, 2, "{server}: {ran:?}");
    }
    assert!(!home.join("ran").exists());
    // The file itself, named from elsewhere, starts the program of its own folder, and needs an agreement there.
    at("good", &["tools", "claude-code:dev"]);
    assert_eq!(fs::read_to_string(home.join("ran")).unwrap(), "good\n");
    // Nothing is written through a link, either.
    for args in [
        &["profile", "create", "new", "--project", "--", "./mcp.sh"][..],
        &["profile", "remove", "dev", "--yes"],
    ] {
        let ran = at("evil", args);
        assert_ne!(ran.code, 0, "{args:?}: {ran:?}");
    }
    let kept = fs::read_dir(home.join("good/.toolwire/profiles/mcp")).unwrap();
    let names = kept.map(|entry| entry.unwrap().file_name());
    assert!(names.into_iter().all(|name| name != "new"));
    assert!(
        home.join("good/.toolwire/profiles/mcp/dev/_meta.json")
            .exists()
    );
}
