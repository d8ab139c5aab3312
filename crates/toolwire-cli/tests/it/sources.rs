//! What a word means, who agrees to a command that nobody typed, and what a
//! source offers.

use std::fs;
use std::path::Path;

use crate::common::prompt::start_shell;
use crate::common::{self, Dir, Run, command_at_home, run_command};
use serde_json::{Value, json};

/// A server with resources, templates and prompts, written without any library.
const OFFERS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../toolwire-mcp/tests/servers/offers.py"
);

const MANIFEST: &str = "[tools.files]\ncommand = ['echo', 'of', 'the', 'manifest', '{text?}']\n\
    parameters.text = { type = 'boolean', default = false }\n";

/// A home folder, with a workspace in it and a server `files` of a client.
fn stage() -> Dir {
    let dir = Dir::new();
    for folder in ["home/project/bin", "home/.cursor"] {
        fs::create_dir_all(dir.path().join(folder)).unwrap();
    }
    client_file(
        &dir,
        json!({ "files": { "command": OFFERS, "args": ["2025-11-25"] } }),
    );
    dir
}

fn client_file(dir: &Dir, servers: Value) {
    let text = json!({ "mcpServers": servers }).to_string();
    dir.file("home/.cursor/mcp.json", text);
}

fn toolwire_with(dir: &Dir, args: &[&str], variables: &[(&str, &str)]) -> Run {
    let home = dir.path().join("home");
    let path = std::env::var("PATH").unwrap();
    let programs = home.join("project/bin");
    let mut command = command_at_home(&home, &home.join("project"), args);
    command.env("PATH", format!("{}:{path}", programs.display()));
    command.envs(variables.iter().copied());
    run_command(command, b"")
}

fn toolwire(dir: &Dir, args: &[&str]) -> Run {
    toolwire_with(dir, args, &[])
}

#[test]
fn a_name_in_several_places_is_refused_with_the_forms_that_are_not() {
    let dir = stage();
    dir.file("home/project/toolwire.toml", MANIFEST);
    for verb in ["run", "tools", "read", "serve", "diff", "lock"] {
        let both = [verb, "files", "files"];
        let ran = toolwire(&dir, &both[..if verb == "diff" { 3 } else { 2 }]);
        assert_eq!(ran.code, 2, "{verb}: {ran:?}");
        for part in [
            "`files` stands in several places",
            "`manifest:files` (",
            "/project/toolwire.toml)",
            "`mcp:files` (",
            "/.cursor/mcp.json:1)",
        ] {
            assert!(ran.stderr.contains(part), "{verb}: {part}: {ran:?}");
        }
    }
    let file = dir.path().join("home/.cursor/mcp.json");
    let file = file.to_str().unwrap();
    for (args, shown) in [
        (&["run", "manifest:files"][..], "of the manifest\n"),
        (&["run", "manifest:files"], "of the manifest\n"),
        (
            &["run", "--manifest", "toolwire.toml", "files"],
            "of the manifest\n",
        ),
        (&["run", "--yes", "mcp:files", "add", "a=1", "b=2"], "3\n"),
        (
            &["run", "--yes", "cursor:files", "add", "a=1", "b=2"],
            "3\n",
        ),
        (&["run", "--yes", "mcp:files", "add", "a=1", "b=2"], "3\n"),
        (
            &[
                "run", "--yes", "--config", file, "files", "add", "a=1", "b=2",
            ],
            "3\n",
        ),
    ] {
        let ran = toolwire(&dir, args);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (0, shown),
            "{args:?}: {ran:?}"
        );
    }
    let both = [
        "run",
        "--manifest",
        "toolwire.toml",
        "--config",
        file,
        "files",
    ];
    let ran = toolwire(&dir, &both);
    assert!(ran.code == 2 && ran.stderr.contains("not both"), "{ran:?}");
    // Where only one of them has it, the name is enough.
    fs::remove_file(file).unwrap();
    let ran = toolwire(&dir, &["run", "files"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (0, "of the manifest\n"),
        "{ran:?}"
    );
}

#[test]
fn a_name_that_is_nowhere_is_told_with_what_was_meant() {
    let dir = stage();
    dir.file("home/project/toolwire.toml", MANIFEST);
    dir.file("home/project/file", "");
    for (args, parts) in [
        (&["run", "filles"][..], &["did you mean `files`?"][..]),
        (
            &["tools", "file"],
            &[
                "toolwire: no tool or server is named `file`; for the file in this folder, run `toolwire tools ./file`\n",
            ],
        ),
        (
            &["tools", "manifest:x"],
            &["toolwire.toml: there is no tool `x`"],
        ),
        (&["tools", "mcp:x"], &["there is no server `x`"]),
        (
            &["tools", "localhost:8080"],
            &["write `http://localhost:8080/mcp`"],
        ),
        (&["run", "ftp://x"], &["one with `http` or `https`"]),
        (&["run", "mcp://preset"], &["mcp+"]),
    ] {
        let ran = toolwire(&dir, args);
        assert_eq!(ran.code, 2, "{args:?}: {ran:?}");
        for part in parts {
            assert!(ran.stderr.contains(part), "{args:?}: {part}: {ran:?}");
        }
    }
    // No advice that fails: the first line is the cure, or there is such a program.
    let ran = toolwire(&dir, &["run", "file"]);
    assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
    let ran = toolwire(&dir, &["run", "filles"]);
    assert!(!ran.stderr.contains("on the PATH"), "{ran:?}");
    let ran = toolwire(&dir, &["lock", "cat"]);
    assert!(ran.stderr.contains("run `toolwire lock -- cat`"), "{ran:?}");
}

/// What it is decides how it is spoken to, and not the command.
#[test]
fn every_command_reaches_a_source_in_the_same_way() {
    let dir = stage();
    dir.file(
        "home/project/toolwire.toml",
        MANIFEST.replace("files", "hello"),
    );
    let tool = dir.tool("home/project/tool", common::RENAME, "");
    {
        let verb = "run";
        let ran = toolwire(&dir, &[verb, "--json", &tool, "rename", "path=a"]);
        let arguments = &ran.json()["structuredContent"]["tool"]["arguments"];
        assert_eq!(arguments["path"], "a", "{verb}: {ran:?}");
        let ran = toolwire(&dir, &[verb, "hello"]);
        assert_eq!(ran.stdout, "of the manifest\n", "{verb}: {ran:?}");
        let ran = toolwire(&dir, &[verb, "--yes", "files", "add", "a=1", "b=2"]);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (0, "3\n"),
            "{verb}: {ran:?}"
        );
        let ran = toolwire(&dir, &[verb, "--yes", "files", "add", "a=1"]);
        assert!(
            ran.code == 2 && ran.stderr.contains("`b` is missing"),
            "{verb}: {ran:?}"
        );
    }
    for (source, name) in [
        (tool.as_str(), "rename"),
        ("hello", "hello"),
        ("files", "add"),
    ] {
        let ran = toolwire(&dir, &["tools", source, "--json", "--yes"]);
        assert_eq!(ran.json()["tools"][0]["name"], name, "{source}: {ran:?}");
    }
    for (args, part) in [
        (
            &["run", "--plain", "--yes", "files", "add"][..],
            "`--plain` is for tools of Toolwire",
        ),
        (
            &["run", "--task", "x", "hello"],
            "`--task` is for MCP servers",
        ),
        (
            &["run", "--header-env", "A=B", &tool, "rename"],
            "`--header-env` is for MCP servers",
        ),
        (&["read", "hello", "a:b"], "which has no resources"),
        (&["serve", "files"], "was never agreed to here"),
        (&["session", "spawn", "x", "files"], "is an MCP server"),
    ] {
        let ran = toolwire(&dir, args);
        assert!(
            ran.code == 2 && ran.stderr.contains(part),
            "{args:?}: {ran:?}"
        );
    }
}

/// A server that leaves a mark when it is started.
fn marked(dir: &Dir) -> String {
    let mark = dir.path().join("home/mark");
    let script = format!("touch '{}'; exec {OFFERS} \"$@\"", mark.display());
    dir.program("home/project/bin/marked", &script)
}

#[test]
fn a_command_that_nobody_typed_is_agreed_to_as_it_is() {
    let dir = stage();
    let program = marked(&dir);
    let server =
        |more: &str| json!({ "files": { "command": program, "args": ["2025-11-25", more] } });
    client_file(&dir, server(""));
    let file = dir.path().join("home/.cursor/mcp.json");
    let file = file.to_str().unwrap();
    let call = |more: &[&str]| {
        toolwire(
            &dir,
            &[&["run"], more, &["files", "add", "a=1", "b=2"]].concat(),
        )
    };
    for words in [
        &["run", "files", "add", "a=1", "b=2"][..],
        &["run", "--config", file, "files", "add", "a=1", "b=2"],
        &["tools", "files"],
        &["tools", "files", "add", "--schema"],
        &["read", "files", "--list"],
    ] {
        let (verb, ran) = (words[0], toolwire(&dir, words));
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{verb}: {ran:?}");
        for part in [
            &format!("program  \"{program}\""),
            "argument \"2025-11-25\"",
            "was never agreed to here",
            &format!("{program} 2025-11-25"),
            "run `toolwire trust --server ",
            "or give `--yes`",
        ] {
            assert!(ran.stderr.contains(part), "{verb}: {part}: {ran:?}");
        }
    }
    let mark = dir.path().join("home/mark");
    assert!(!mark.exists());

    // A log has no credentials, and neither has the list of agreements.
    let secret = json!({ "secret": { "command": program, "args": ["--token", "-hunter2"],
        "env": { "API_KEY": "hunter2" } } });
    client_file(&dir, secret);
    let ran = toolwire(&dir, &["tools", "secret"]);
    assert!(
        ran.code == 2 && ran.stderr.contains("variable API_KEY=\"***\""),
        "{ran:?}"
    );
    assert!(!ran.stderr.contains("hunter2"), "{ran:?}");
    let uri = format!("mcp+exec://{program}?command=--token&command=hunter2");
    let ran = toolwire(&dir, &["tools", &uri]);
    assert!(ran.code == 2 && ran.stderr.contains("--token"), "{ran:?}");
    assert!(!ran.stderr.contains("hunter2"), "{ran:?}");
    let ran = toolwire(&dir, &["trust", "--server", &uri]);
    assert!(ran.code == 0 && ran.stdout.contains("hunter2"), "{ran:?}");
    let list = fs::read_to_string(dir.path().join("home/.config/toolwire/servers")).unwrap();
    assert!(
        list.contains("--token") && !list.contains("hunter2"),
        "{list}"
    );
    let other = uri.replace("hunter2", "hunter3");
    assert_eq!(toolwire(&dir, &["tools", &other]).code, 2);
    client_file(&dir, server(""));

    // For once, and without a word.
    let ran = call(&["--yes"]);
    assert_eq!(
        (ran.stdout.as_str(), ran.stderr.as_str()),
        ("3\n", ""),
        "{ran:?}"
    );
    assert!(mark.exists());
    assert_eq!(call(&[]).code, 2);

    let ran = toolwire(&dir, &["trust", "--server", "files"]);
    assert!(ran.code == 0 && ran.stdout.contains(&program), "{ran:?}");
    assert_eq!(call(&[]).stdout, "3\n");
    // The same file says it, whether it was found or named.
    assert_eq!(call(&["--config", file]).stdout, "3\n");
    client_file(&dir, server("other"));
    assert_eq!(call(&[]).code, 2);
    client_file(&dir, server(""));
    assert_eq!(call(&[]).stdout, "3\n");
    let ran = toolwire(&dir, &["trust", "--server", "files", "--remove", "--json"]);
    assert_eq!(ran.json()["approved"], false);
    assert_eq!(call(&[]).code, 2);
    let ran = toolwire(&dir, &["trust", "--server", "files", "--config", file]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(call(&[]).stdout, "3\n");
    // What is typed needs no agreement, but a lock may name it later.
    for typed in [program.as_str(), "http://127.0.0.1:1/mcp"] {
        let ran = toolwire(&dir, &["trust", "--server", typed]);
        assert_eq!(ran.code, 0, "{ran:?}");
    }
}

/// A person sees all of it and decides once.
#[test]
fn a_person_agrees_once() {
    let script = |dir: &Dir| {
        let uri = format!("mcp+exec://{}?command=2025-11-25", OFFERS);
        dir.file("uri", uri);
        "cd home/project; export HOME=$(dirname $PWD); unset XDG_CONFIG_HOME; uri=$(cat ../../uri); \
         \"$TOOLWIRE\" run \"$uri\" add a=1 b=2; echo first=$?; \"$TOOLWIRE\" run \"$uri\" add a=1 b=2; echo code=$?"
    };
    let dir = stage();
    let text = script(&dir);
    let mut terminal = start_shell(dir, text);
    terminal.shows("This command comes from the launch URI");
    terminal.shows("Run it, now and from now on? [y/N]");
    terminal.types("y\r", "code=0");
    assert!(terminal.screen().contains("first=0"));
    let dir = stage();
    let text = script(&dir);
    let mut terminal = start_shell(dir, text);
    terminal.shows("[y/N]");
    terminal.types("\r", "first=1");
    terminal.shows("was not agreed to");
}

/// Nobody is asked twice for the same command, under whichever name it comes.
#[test]
fn a_person_agrees_once_to_a_command_of_several_names() {
    let dir = stage();
    dir.file("uri", format!("mcp+exec://{OFFERS}?command=2025-11-25"));
    let shell = "cd home/project; export HOME=$(dirname $PWD); unset XDG_CONFIG_HOME XDG_DATA_HOME; \
                 uri=$(cat ../../uri); \"$TOOLWIRE\" profile create sums --from \"$uri\"; echo first=$?; \
                 \"$TOOLWIRE\" run @sums add a=1 b=2; echo second=$?; \
                 \"$TOOLWIRE\" profile create other --from @sums --yes; \
                 \"$TOOLWIRE\" run @other add a=1 b=2 < /dev/null; echo code=$?";
    let mut terminal = start_shell(dir, shell);
    terminal.shows("Run it, now and from now on? [y/N]");
    terminal.types("y\r", "second=0");
    // What `--yes` agrees to is not remembered.
    let screen = terminal.shows("code=2");
    assert!(screen.contains("first=0"), "{screen}");
    assert_eq!(terminal.screen().matches("[y/N]").count(), 1);
}

/// The answer comes from the terminal, wherever stdin and stderr are, and what is agreed to is shown there.
#[test]
fn a_person_is_asked_at_the_terminal() {
    let start = |line: &str| {
        let dir = stage();
        dir.file("uri", format!("mcp+exec://{OFFERS}?command=2025-11-25"));
        let script = format!(
            "cd home/project; export HOME=$(dirname $PWD); unset XDG_CONFIG_HOME; uri=$(cat ../../uri); {line}"
        );
        start_shell(dir, &script)
    };
    let records = "printf '{\"a\":1,\"b\":2}\\n{\"a\":3,\"b\":4}\\n'";
    let each = "\"$TOOLWIRE\" run --each --format json \"$uri\" add";
    // A `y` among the records agrees to nothing.
    for (line, answer, shows) in [
        (
            format!("{records} | {each} > out 2> err; echo code=$?; cat out"),
            "y\r",
            "code=0",
        ),
        (
            format!("(echo y; {records}) | {each} > out 2> err; echo code=$?"),
            "\r",
            "code=1",
        ),
        (
            "echo '{\"a\":1,\"b\":2}' | \"$TOOLWIRE\" run --args-file - \"$uri\" add; echo code=$?"
                .to_owned(),
            "y\r",
            "code=0",
        ),
        (
            "\"$TOOLWIRE\" tools \"$uri\" 2> err; echo code=$?".to_owned(),
            "y\r",
            "code=0",
        ),
    ] {
        let mut terminal = start(&line);
        terminal.shows("This command comes from the launch URI");
        terminal.shows("argument \"2025-11-25\"");
        terminal.shows("Run it, now and from now on? [y/N]");
        terminal.types(answer, shows);
        if line.contains("cat out") {
            terminal.shows("\"text\":\"7\"");
        }
    }
    // Elsewhere what comes on stdin says that nobody is there, and a job in the background asks nobody.
    for line in [
        "echo y | \"$TOOLWIRE\" tools \"$uri\"; echo code=$?".to_owned(),
        format!("set -m; {records} | {each} & wait $!; echo code=$?"),
    ] {
        let terminal = start(&line);
        let screen = terminal.shows("code=2");
        assert!(!screen.contains("[y/N]"), "{screen}");
    }
}

/// A launch URI is a command, a tool and arguments.
#[test]
fn a_launch_uri_is_called() {
    let dir = stage();
    let program = marked(&dir);
    let uri = format!("mcp+exec://{program}?command=2025-11-25&tool=add&a=1&b=2");
    let ran = toolwire(&dir, &["run", &uri]);
    let command = format!("{program} 2025-11-25");
    assert!(ran.code == 2 && ran.stderr.contains(&command), "{ran:?}");
    assert!(!dir.path().join("home/mark").exists());
    let call = |more: &[&str]| toolwire(&dir, &[&["run", "--yes", uri.as_str()], more].concat());
    assert_eq!(call(&[]).stdout, "3\n");
    // The words beside it win.
    assert_eq!(call(&["b=40"]).stdout, "41\n");
    let ran = call(&["where"]);
    assert!(
        ran.code == 2 && ran.stderr.contains("names the tool `add`"),
        "{ran:?}"
    );
    let ran = call(&["a=x"]);
    assert!(ran.code == 2 && ran.stderr.contains("`a`"), "{ran:?}");
    assert_eq!(toolwire(&dir, &["run", "--yes", &uri]).stdout, "3\n");
    for (query, shown) in [
        ("list=tools", "Adds two numbers."),
        ("list=resources", "notes://{day}"),
        ("list=prompts", "Reviews the notes."),
        ("resource=notes://today", "# Today"),
    ] {
        let uri = format!("mcp+exec://{OFFERS}?{query}");
        let ran = toolwire(&dir, &["run", "--yes", &uri]);
        assert!(
            ran.code == 0 && ran.stdout.contains(shown),
            "{query}: {ran:?}"
        );
        let ran = toolwire(&dir, &["run", "--yes", &uri, "a=1"]);
        assert!(
            ran.code == 2 && ran.stderr.contains("a word too many"),
            "{query}: {ran:?}"
        );
    }
    let ran = toolwire(&dir, &["tools", &uri, "--yes", "--json"]);
    assert_eq!(ran.json()["tools"][0]["name"], "add", "{ran:?}");

    // An agreement is to the command: another call needs no other one.
    let bare = format!("mcp+exec://{program}?command=2025-11-25");
    let ran = toolwire(&dir, &["trust", "--server", &bare]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(call(&[]).stdout, "3\n");
    let other = uri.replace("2025-11-25", "2026-07-28");
    assert_eq!(toolwire(&dir, &["run", &other]).code, 2);
    let with_variable = format!("{uri}&env=HOME");
    assert_eq!(toolwire(&dir, &["run", &with_variable]).code, 2);
}

/// The same words are another program in another folder.
#[test]
fn a_relative_script_is_agreed_to_where_it_is() {
    let dir = stage();
    fs::copy(OFFERS, dir.path().join("home/project/server.py")).unwrap();
    fs::create_dir(dir.path().join("home/other")).unwrap();
    fs::copy(OFFERS, dir.path().join("home/other/server.py")).unwrap();
    let uri = "mcp+python://./server.py?tool=add&a=1&b=2";
    let at = |folder: &str, args: &[&str]| {
        let home = dir.path().join("home");
        run_command(command_at_home(&home, &home.join(folder), args), b"")
    };
    let ran = at("project", &["trust", "--server", uri]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(at("project", &["run", uri]).stdout, "3\n");
    let ran = at("other", &["run", uri]);
    assert!(
        ran.code == 2 && ran.stderr.contains("other/server.py"),
        "{ran:?}"
    );
}

#[test]
fn a_launcher_starts_in_an_empty_folder_without_keys() {
    let dir = stage();
    // It stands in for the one that fetches packages.
    dir.program("home/project/bin/uvx", &format!("exec {OFFERS}"));
    dir.program("home/project/bin/npx", &format!("exec {OFFERS}"));
    let variables = [
        ("OFFERS_KEY", "k"),
        ("OFFERS_SECRET", "s"),
        ("UV_CACHE_DIR", "/cache"),
        ("UV_PUBLISH_TOKEN", "t"),
        ("UV_INDEX_URL", "https://me:secret@127.0.0.1:1/simple"),
        ("npm_config_registry", "http://127.0.0.1:1/"),
    ];
    let ask = |args: &[&str]| -> Value {
        let ran = toolwire_with(&dir, &[&["run", "--yes"], args].concat(), &variables);
        serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{args:?}: {ran:?}"))
    };
    let project = fs::canonicalize(dir.path().join("home/project")).unwrap();
    let told = ask(&["mcp+uvx://package/command?tool=where&env=OFFERS_KEY"]);
    assert_eq!(told["environment"], json!(["OFFERS_KEY", "UV_CACHE_DIR"]));
    assert_eq!(told["files"], json!([]));
    let folder = told["cwd"].as_str().unwrap();
    assert!(
        !Path::new(folder).starts_with(&project) && !Path::new(folder).exists(),
        "{folder}"
    );

    let told = ask(&["mcp+npx://package?tool=where"]);
    assert_eq!(told["environment"], json!(["npm_config_registry"]));
    for args in [
        &["--cwd", ".", "mcp+npx://package?tool=where"][..],
        &["mcp+npx://package?tool=where&cwd=."],
    ] {
        assert_eq!(ask(args)["cwd"], project.to_str().unwrap(), "{args:?}");
    }
    let inherits = [
        "--inherit",
        "standard,OFFERS_SECRET",
        "mcp+npx://package?tool=where",
    ];
    assert_eq!(
        ask(&inherits)["environment"],
        json!(["OFFERS_SECRET", "npm_config_registry"])
    );
    // A server of a client's file gets the variables of its launcher, too.
    client_file(
        &dir,
        json!({ "files": { "command": "npx", "args": ["x"], "env": { "OFFERS_OWN": "1" } } }),
    );
    let told = ask(&["files", "where"]);
    assert_eq!(
        told["environment"],
        json!(["OFFERS_OWN", "npm_config_registry"])
    );

    let ran = toolwire(
        &dir,
        &["run", "--yes", "mcp+uvx://p?env=OFFERS_UNSET", "where"],
    );
    assert!(
        ran.code == 2 && ran.stderr.contains("`OFFERS_UNSET`, which is not set"),
        "{ran:?}"
    );
}

/// What was agreed to is the program that the name stood for.
#[test]
fn another_program_of_the_same_name_is_agreed_to_anew() {
    let dir = stage();
    dir.program("home/project/bin/uvx", &format!("exec {OFFERS}"));
    let uri = "mcp+uvx://package?tool=add&a=1&b=2";
    assert_eq!(toolwire(&dir, &["trust", "--server", uri]).code, 0);
    assert_eq!(toolwire(&dir, &["run", uri]).stdout, "3\n");
    fs::create_dir(dir.path().join("first")).unwrap();
    dir.program("first/uvx", "touch ../../ran");
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", dir.path().join("first").display());
    let ran = toolwire_with(&dir, &["run", uri], &[("PATH", &path)]);
    assert!(
        ran.code == 2 && ran.stderr.contains("was never agreed to"),
        "{ran:?}"
    );
    assert!(!dir.path().join("ran").exists());
}

#[test]
fn a_server_of_a_manifest_is_a_source() {
    let dir = stage();
    client_file(&dir, json!({}));
    dir.program("home/project/bin/uvx", &format!("exec {OFFERS}"));
    fs::create_dir(dir.path().join("home/project/below")).unwrap();
    fs::copy(OFFERS, dir.path().join("home/project/below/offers.py")).unwrap();
    dir.file(
        "home/project/toolwire.toml",
        "[servers.sums]\ncommand = ['below/offers.py', '${REVISION:-2025-11-25}']\ncwd = 'below'\n\
         inherit = ['standard', 'OFFERS_SECRET']\nenv = { OFFERS_KEY = '${KEY}' }\n\
         [servers.fetched]\ncommand = ['uvx', 'offers']\n\
         [servers.away]\nurl = 'http://127.0.0.1:1/'\nheaders = { Authorization = 'Bearer abc' }\n",
    );
    let variables = [("KEY", "k"), ("OFFERS_SECRET", "s"), ("OFFERS_OTHER", "o")];
    let ask = |args: &[&str]| toolwire_with(&dir, args, &variables);
    // Nobody has to agree to it.
    for word in ["sums", "manifest:sums"] {
        assert_eq!(ask(&["run", word, "add", "a=1", "b=2"]).stdout, "3\n");
    }
    let told = ask(&["run", "sums", "where"]).json();
    assert_eq!(told["environment"], json!(["OFFERS_KEY", "OFFERS_SECRET"]));
    assert!(told["cwd"].as_str().unwrap().ends_with("/below"), "{told}");
    let told = ask(&["run", "fetched", "where"]).json();
    assert_eq!(
        (&told["environment"], &told["files"]),
        (&json!([]), &json!([]))
    );
    // Without a value for the variable it is not started.
    let ran = toolwire(&dir, &["tools", "sums"]);
    assert!(
        ran.code == 2 && ran.stderr.contains("`KEY` is not set"),
        "{ran:?}"
    );

    let ran = ask(&["tools"]);
    assert!(
        ran.stdout.contains("MCP server: uvx offers") && !ran.stdout.contains("abc"),
        "{ran:?}"
    );
    let servers = &ask(&["tools", "--json"]).json()["servers"];
    assert_eq!(
        servers[0],
        json!({ "name": "away", "url": "http://127.0.0.1:1/" })
    );
    assert_eq!(servers[1]["command"], json!(["uvx", "offers"]));
    let ran = ask(&["tools", "sum"]);
    assert!(
        ran.code == 2 && ran.stderr.contains("did you mean `sums`?"),
        "{ran:?}"
    );
    client_file(&dir, json!({ "sums": { "command": OFFERS } }));
    let ran = ask(&["tools", "sums"]);
    assert!(
        ran.code == 2 && ran.stderr.contains("`manifest:sums` ("),
        "{ran:?}"
    );
}

#[test]
fn a_profile_is_a_source() {
    let dir = stage();
    let user = "home/.local/share/toolwire/profiles/mcp/sums";
    let project = "home/project/.toolwire/profiles/mcp/sums";
    fs::create_dir_all(dir.path().join(user)).unwrap();
    // Comments stand in profiles of old.
    dir.file(
        &format!("{user}/_meta.json"),
        format!("{{\n  // mine\n  \"command\": {OFFERS:?}, \"args\": [\"2025-11-25\"], \"transport\": \"stdio\"\n}}"),
    );
    dir.file(&format!("{user}/plus.json"), r#"{"tool": "add"}"#);
    let ran = toolwire(&dir, &["run", "@sums/plus?a=1&b=2"]);
    assert!(
        ran.code == 2 && ran.stderr.contains("run `toolwire trust --server @sums`"),
        "{ran:?}"
    );
    assert_eq!(toolwire(&dir, &["trust", "--server", "@sums"]).code, 0);
    for word in [
        "@sums/plus?a=1&b=2",
        "@sums/add?a=1&b=2",
        "@sums?tool=add&a=1&b=2",
    ] {
        assert_eq!(toolwire(&dir, &["run", word]).stdout, "3\n", "{word}");
    }
    assert_eq!(
        toolwire(&dir, &["run", "@sums/plus", "a=2", "b=2"]).stdout,
        "4\n"
    );
    let ran = toolwire(&dir, &["run", "@sums?list=tools"]);
    assert!(ran.stdout.contains("Adds two numbers."), "{ran:?}");
    let ran = toolwire(&dir, &["run", "@sums?resource=notes://today"]);
    assert!(ran.stdout.contains("# Today"), "{ran:?}");
    let ran = toolwire(&dir, &["tools", "@sums", "--fingerprint", "--json"]);
    assert_eq!(ran.json()["server"], "sums", "{ran:?}");
    let ran = toolwire(&dir, &["tools", "@nobody"]);
    assert!(
        ran.code == 2
            && ran.stderr.contains(
                "there is no profile `nobody`; `toolwire profile list` lists those that are found here"
            ),
        "{ran:?}"
    );
    let ran = toolwire(&dir, &["tools", "@sumz"]);
    assert!(
        ran.stderr
            .contains("there is no profile `sumz`; did you mean `@sums`?"),
        "{ran:?}"
    );

    // That of a project comes first, is another command, and starts `uvx` where nothing lies around.
    fs::create_dir_all(dir.path().join(project)).unwrap();
    dir.program("home/project/bin/uvx", &format!("exec {OFFERS}"));
    dir.file(
        &format!("{project}/_meta.json"),
        r#"{"launcher": {"command": "uvx", "args": ["x"]}}"#,
    );
    let refused = toolwire(&dir, &["run", "@sums/add?a=1&b=2"]);
    assert!(
        refused.code == 2 && refused.stderr.contains("  folder   an empty one\n"),
        "{refused:?}"
    );
    let ran = toolwire(&dir, &["run", "--yes", "@sums/where"]);
    assert!(ran.stdout.contains(r#""files": []"#), "{ran:?}");
    common::set_mode(&dir.path().join(project).join("_meta.json"), 0o666);
    let ran = toolwire(&dir, &["run", "--yes", "@sums/where"]);
    assert!(
        ran.code == 2 && ran.stderr.contains("is not used"),
        "{ran:?}"
    );
}

#[test]
fn a_source_is_shown_in_the_detail_that_is_asked_for() {
    let dir = stage();
    let shown = |args: &[&str]| toolwire(&dir, &[args, &["--", OFFERS]].concat());
    let all = shown(&["tools"]);
    let rows = "add    Adds two numbers. (read-only)\nwhere\n";
    assert_eq!((all.code, &*all.stdout), (0, rows), "{all:?}");
    let one = shown(&["tools", "add"]).stdout;
    let rows =
        "add  Adds two numbers. (read-only)\n  a  integer  required\n  b  integer  required\n";
    assert_eq!(one, rows);
    let told = toolwire(&dir, &["tools", "files", "--yes", "--json"]).json();
    assert_eq!(
        told["tools"][0]["inputSchema"]["required"],
        json!(["b", "a"])
    );
    assert_eq!(told["tools"][0]["annotations"]["readOnlyHint"], true);
    assert_eq!(told["instructions"], "Read before you write.");
    let told = toolwire(&dir, &["tools", "files", "where", "--yes", "--json"]).json();
    assert_eq!(told["tools"].as_array().unwrap().len(), 1);

    let tool = dir.tool("tool", common::RENAME, "");
    let ran = toolwire(&dir, &["tools", &tool, "rename", "more"]);
    assert!(
        ran.code == 2 && ran.stderr.contains("a word too many"),
        "{ran:?}"
    );
    for option in ["--schema", "--fingerprint", "--draft"] {
        let ran = toolwire(&dir, &["tools", option]);
        let part = format!("`{option}` is for one source");
        assert!(ran.code == 2 && ran.stderr.contains(&part), "{ran:?}");
    }
}

#[test]
fn tools_are_chosen_by_names_and_patterns() {
    let dir = stage();
    let shown = |args: &[&str]| toolwire(&dir, &[&["tools"], args, &["--", OFFERS]].concat());
    let chosen = shown(&["--only", "a*,w?ere", "--except", "add", "--except", "x*"]);
    assert_eq!((chosen.code, &*chosen.stdout), (0, "where\n"), "{chosen:?}");
    assert_eq!(chosen.stderr, "toolwire: no tool has a name like `x*`\n");
    let unknown = shown(&["--except", "ad"]);
    let message = "there is no tool `ad`; did you mean `add`?";
    assert!(
        unknown.code == 2 && unknown.stderr.contains(message),
        "{unknown:?}"
    );

    dir.file(
        "home/project/toolwire.toml",
        "[tools.day]\ncommand = 'date'\n[tools.date]\ncommand = 'date'\n",
    );
    let all = toolwire(&dir, &["tools", "--only", "d*", "--except", "day"]);
    assert_eq!((all.code, &*all.stdout), (0, "date  date\n"), "{all:?}");
}

/// What went is answered with the line to type now.
#[test]
fn a_command_that_went_is_answered() {
    for (words, now) in [
        (&["list", "--json"][..], "toolwire tools --json"),
        (&["explore", "./a b"], "toolwire tools './a b'"),
        (&["schema", "x", "add"], "toolwire tools --schema x add"),
        (&["hash", "x"], "toolwire tools --fingerprint x"),
        (&["discover"], "toolwire servers"),
        (&["digest", "x"], "toolwire canonicalize --digest x"),
        (&["uri", "x"], "toolwire identify --uri x"),
        (
            &["convert", "x", "--to", "zed"],
            "toolwire servers x --to zed",
        ),
    ] {
        let ran = common::run(words, "");
        assert!(
            ran.code == 2 && ran.stderr.ends_with(&format!("write `{now}`\n")),
            "{ran:?}"
        );
    }
}

#[test]
fn the_schema_of_a_tool_keeps_its_order() {
    let dir = stage();
    let ran = toolwire(&dir, &["tools", "add", "--schema", "--", OFFERS]);
    let expected = "{\n  \"type\": \"object\",\n  \"properties\": {\n    \"b\": {\n      \"type\": \"integer\"\n    },\n    \
                    \"a\": {\n      \"type\": \"integer\"\n    }\n  },\n  \"required\": [\n    \"b\",\n    \"a\"\n  ]\n}\n";
    assert_eq!((ran.code, ran.stdout.as_str()), (0, expected), "{ran:?}");
    let ran = toolwire(&dir, &["tools", "--schema", "--", OFFERS]);
    assert!(
        ran.code == 2 && ran.stderr.contains("has several tools"),
        "{ran:?}"
    );
    let ran = toolwire(&dir, &["tools", "ad", "--schema", "--", OFFERS]);
    assert!(
        ran.code == 2 && ran.stderr.contains("did you mean `add`"),
        "{ran:?}"
    );
}

#[test]
fn tools_have_fingerprints() {
    let dir = stage();
    let all = toolwire(
        &dir,
        &["tools", "files", "--yes", "--fingerprint", "--json"],
    )
    .json();
    let prints = &all["fingerprints"]["add"];
    for part in ["contract", "text", "safety"] {
        assert!(
            prints[part].as_str().unwrap().starts_with("sha256:"),
            "{all}"
        );
    }
    let one = toolwire(&dir, &["tools", "files", "add", "--fingerprint", "--yes"]);
    let expected = ["contract", "text", "safety"]
        .map(|part| format!("  {part:8}  {}\n", prints[part].as_str().unwrap()));
    let expected = format!("add\n{}", expected.concat());
    assert_eq!((one.code, one.stdout), (0, expected));
    // How it is reached is part of what is safe, and of nothing else.
    let copy = dir.path().join("home/project/copy.py");
    fs::copy(OFFERS, &copy).unwrap();
    let copy = copy.to_str().unwrap();
    let other = toolwire(&dir, &["tools", "--fingerprint", "--json", "--", copy]).json();
    let other = &other["fingerprints"]["add"];
    assert_eq!(
        (&other["contract"], &other["text"]),
        (&prints["contract"], &prints["text"])
    );
    assert_ne!(other["safety"], prints["safety"]);
}

/// A plain program would do its usual work.
#[test]
fn a_plain_program_is_started_by_run_alone() {
    let dir = stage();
    let job = dir.program("job.sh", "#!/bin/sh\necho ran >> ran\n");
    let job = job.as_str();
    for words in [
        &["tools", job][..],
        &["tools", "--schema", job],
        &["read", job],
        &["lock", "--yes", job],
        &["serve", job],
        &["diff", job, job],
        &["profile", "create", "job", "--from", job],
    ] {
        let ran = toolwire(&dir, words);
        let verb = match words[0] {
            "profile" => "profile create",
            verb => verb,
        };
        let cures = format!(
            "toolwire: `{job}` is not marked as a Toolwire tool, so it was not started\n\
             toolwire: if it is a tool, add the line `# toolwire-tool: 1` to it; if it is an MCP server, write \
             `toolwire {verb} -- {job}`\n"
        );
        assert_eq!((ran.code, ran.stderr), (2, cures), "{words:?}");
    }
    assert!(!dir.path().join("ran").exists());
    assert_eq!(toolwire(&dir, &["run", job]).code, 0);
}

/// Words before `--` belong to the tool of the marked script or server that the command starts.
#[test]
fn words_before_a_command_are_for_the_tool_that_it_starts() {
    let dir = Dir::new();
    dir.tool("tool.sh", common::SEARCH, "");
    for words in [
        &["run", "text=a", "--", "sh", "./tool.sh"][..],
        &["run", "search", "text=a", "--", "sh", "./tool.sh"],
        &["run", "--args", r#"{"text":"a"}"#, "--", "./tool.sh"],
    ] {
        let mut command = common::command(words);
        command.current_dir(dir.path());
        let ran = run_command(command, b"");
        assert_eq!(ran.code, 0, "{ran:?}");
        assert_eq!(ran.json()["tool"]["name"], "search", "{ran:?}");
        assert_eq!(ran.json()["tool"]["arguments"]["text"], "a", "{ran:?}");
    }
    let ran = toolwire(&stage(), &["run", "add", "a=1", "b=2", "--", OFFERS]);
    assert_eq!((ran.code, &*ran.stdout), (0, "3\n"), "{ran:?}");
    // Without them, a command is a program like any other.
    let mut command = common::command(&["run", "--", "cat", "./tool.sh"]);
    command.current_dir(dir.path());
    assert!(run_command(command, b"").stdout.starts_with("#!/bin/sh"));
}

#[test]
fn resources_are_listed_and_read() {
    let dir = stage();
    let ran = toolwire(&dir, &["read", "--list", "--", OFFERS]);
    let uris: Vec<&str> = ran
        .stdout
        .lines()
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(
        uris,
        ["notes://today", "notes://exact", "notes://{day}", "review"],
        "{ran:?}"
    );
    let lists = toolwire(&dir, &["read", "--list", "--json", "--", OFFERS]).json();
    assert_eq!(lists["resources"].as_array().map(Vec::len), Some(2));
    assert_eq!(lists["resourceTemplates"].as_array().map(Vec::len), Some(1));
    assert_eq!(lists["prompts"][0]["name"], "review");

    let ran = toolwire(&dir, &["read", "notes://today", "--", OFFERS]);
    assert!(ran.code == 0 && ran.stdout.contains("# Today"), "{ran:?}");
    let ran = toolwire(&dir, &["read", "notes://exact", "--json", "--", OFFERS]);
    assert!(ran.stdout.contains("123456789012345678901.10"), "{ran:?}");
    let ran = toolwire(&dir, &["read", "other://x", "--", OFFERS]);
    assert!(
        ran.code == 1 && ran.stdout.contains("there is no `other://x`"),
        "{ran:?}"
    );
    let uri = format!("mcp+exec://{OFFERS}?resource=notes://today");
    let ran = toolwire(&dir, &["read", &uri, "--yes"]);
    assert!(ran.code == 0 && ran.stdout.contains("# Today"), "{ran:?}");
    let ran = toolwire(&dir, &["read", "--", OFFERS]);
    assert!(
        ran.code == 2 && ran.stderr.contains("`--list` lists"),
        "{ran:?}"
    );
}

#[test]
fn what_a_server_says_does_not_steer_a_terminal() {
    let dir = stage();
    let bad = |c: char| c == '\u{1b}' || c == '\u{7}';
    for args in [
        &["tools", "--", OFFERS, "2025-11-25", "escapes"][..],
        &["read", "--list", "--", OFFERS, "2025-11-25", "escapes"],
        &["tools", "--json", "--", OFFERS, "2025-11-25", "escapes"],
    ] {
        let ran = toolwire(&dir, args);
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(
            !ran.stdout.contains(bad) && !ran.stderr.contains(bad),
            "{ran:?}"
        );
    }
}
