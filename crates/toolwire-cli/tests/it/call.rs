//! The tools of MCP servers, from the command line.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::mcp::wait_for;
use crate::common::prompt::{CTRL_C, CTRL_D, start_shell};
use crate::common::{self, Dir, Run, SEARCH, command, run, run_command};
use serde_json::{Value, json};

/// The folder of the servers, which are written without any library.
const SERVERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../toolwire-mcp/tests/servers");

fn plain() -> String {
    format!("{SERVERS}/plain.py")
}

/// `toolwire run WORDS -- plain.py REVISION`.
fn call(revision: &str, words: &[&str]) -> Run {
    let plain = plain();
    let args = [&["run"], words, &["--", &plain, revision]].concat();
    run(&args, "")
}

#[test]
fn a_server_is_a_command_a_program_or_a_name() {
    let dir = Dir::new();
    let plain = plain();
    let entry = json!({ "mcpServers": { "sums": { "command": plain, "args": ["2025-06-18"] } } });
    let config = dir.file("servers.json", entry.to_string());
    let old =
        json!({ "mcpServers": { "old": { "type": "sse", "url": "http://127.0.0.1:1/sse" } } });
    let old = dir.file("old.json", old.to_string());
    for args in [
        &["run", "add", "a=1", "b=2", "--", &plain][..],
        &["run", "add", "a=1", "b=2", "--", &plain],
        &["run", "add", "--a", "1", "--b=2", "--", &plain],
        &["run", "--args", r#"{"a":1,"b":2}"#, "add", "--", &plain],
        &[
            "run", "--config", &config, "--yes", "sums", "add", "a=1", "b=2",
        ],
        &[
            "run", "--yes", "--config", &config, "sums", "add", "a=1", "b=2",
        ],
    ] {
        let ran = run(args, "");
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (0, "{\"sum\":3}\n"),
            "{args:?}: {ran:?}"
        );
        assert_eq!(ran.stderr, "", "{args:?}");
    }
    let json = run(&["run", "--json", "add", "a=1", "b=2", "--", &plain], "").json();
    assert_eq!(json["structuredContent"]["sum"], 3);

    for (args, code, part) in [
        (&["run"][..], 2, "name the source"),
        (
            &["call", "sums", "add", "a=1", "text=b c"],
            2,
            "`toolwire call` is `toolwire run` now: write `toolwire run sums add a=1 'text=b c'`",
        ),
        (&["run", "nobody", "x"], 2, "there is no server `nobody`"),
        (&["run", "./no/such", "x"], 5, "`./no/such`"),
        (
            &["run", "--args", "{}", "--", &plain],
            2,
            "has several tools; name one of `add`, ",
        ),
        (&["run", "ad", "a=1", "--", &plain], 2, "did you mean `add`"),
        (&["run", "add", "a=1", "--", &plain], 2, "`b` is missing"),
        (&["run", "add", "a=1", "b=x", "--", &plain], 2, "`b`"),
        (
            &["tools", "old", "--config", &old],
            1,
            "HTTP+SSE transport of 2024-11-05",
        ),
        (
            &["tools", "more", "--", &plain],
            2,
            "there is no tool `more`",
        ),
        (
            &["tools", "--", "false"],
            5,
            "ended before it was ready for calls",
        ),
        (
            &["run", "http://127.0.0.1:1/mcp", "x"],
            5,
            "connection refused",
        ),
    ] {
        let home = dir.path().to_str().unwrap();
        let mut command = command(args);
        command
            .env("HOME", home)
            .env("XDG_CONFIG_HOME", home)
            .current_dir(dir.path());
        let ran = run_command(command, b"");
        assert_eq!(ran.code, code, "{args:?}: {ran:?}");
        assert!(ran.stderr.contains(part), "{args:?}: {ran:?}");
    }
}

#[test]
fn the_tools_of_a_server_are_shown() {
    let shown = run(&["tools", "--", &plain(), "2026-07-28"], "");
    assert_eq!(shown.code, 0, "{shown:?}");
    let add = "Add: Adds two numbers. (read-only)\n";
    let mut lines = shown.stdout.split_inclusive('\n');
    let is_add = |line: &str| line.starts_with("add ") && line.ends_with(add);
    assert!(lines.next().is_some_and(is_add), "{shown:?}");
    assert_eq!(lines.filter(|line| !line.starts_with(' ')).count(), 20);
    let listed = run(&["tools", "--json", "--", &plain()], "").json();
    let first = &listed["tools"][0];
    assert_eq!(first["outputSchema"]["required"], json!(["sum"]));
    assert_eq!(first["inputSchema"]["required"], json!(["a", "b"]));

    let hostile = format!("{SERVERS}/hostile.py");
    for args in [
        &["tools", "--", &hostile, "escapes"][..],
        &["tools", "--json", "--", &hostile, "escapes"],
    ] {
        let shown = run(args, "");
        assert_eq!(shown.code, 0, "{shown:?}");
        let bad = |c: char| c == '\u{1b}' || c == '\u{7}';
        assert!(
            !shown.stdout.contains(bad) && !shown.stderr.contains(bad),
            "{shown:?}"
        );
    }
}

#[test]
fn errors_and_endings_have_the_codes_of_run() {
    for (words, code, part) in [
        (&["fail"][..], 1, "it did not work"),
        (&["break"], 1, "refused the call"),
        (&["die"], 1, "ended before it had answered"),
        (
            &["--timeout", "300ms", "hang"],
            1,
            "did not answer within 0.3 s",
        ),
    ] {
        let ran = call("2026-07-28", words);
        assert_eq!(ran.code, code, "{ran:?}");
        assert!(ran.stdout.contains(part), "{ran:?}");
    }
    let lies = call("2025-11-25", &["lie"]);
    assert_eq!((lies.code, lies.stdout.as_str()), (0, "{\"total\":1}\n"));
    assert!(
        lies.stderr.contains("does not fit its output schema"),
        "{lies:?}"
    );
    // That is no log message.
    let lies = call("2025-11-25", &["--log-level", "off", "lie"]);
    assert!(
        lies.stderr
            .contains("does not fit its output schema at `/sum`"),
        "{lies:?}"
    );
    for (level, shown, wanted) in [("debug", true, "debug"), ("error", false, "error")] {
        let logs = call("2026-07-28", &["--log-level", level, "log"]);
        assert_eq!(logs.stderr.contains("careful"), shown, "{logs:?}");
        assert!(
            logs.stderr.contains(&format!("wanted: {wanted}")),
            "{logs:?}"
        );
    }
    let quiet = call("2026-07-28", &["--log-level", "off", "log"]);
    assert!(!quiet.stderr.contains("wanted"), "{quiet:?}");
    let logs = call("2025-11-25", &["log"]);
    assert!(logs.stderr.contains("careful"), "{logs:?}");
    assert!(
        logs.stderr.contains("a line that is no message"),
        "{logs:?}"
    );
}

#[test]
fn an_outcome_is_unwrapped_for_a_call_or_a_server_of_a_file() {
    let outcome = r#"{"type":"success","content":"done"}"#;
    let text = format!("text={outcome}");
    let as_it_is = call("2025-11-25", &["outcome", &text]);
    assert_eq!(as_it_is.stdout, format!("{outcome}\n"));
    let unwrapped = call("2025-11-25", &["--legacy", "outcome", &text]);
    assert_eq!(unwrapped.stdout, "done\n");

    let dir = Dir::new();
    let own = json!({ "legacy": true });
    let entry = json!({ "mcpServers": { "old": { "command": plain(), "dev.toolwire": own } } });
    let config = dir.file("servers.json", entry.to_string());
    let named = ["run", "--config", &config, "--yes", "old", "outcome", &text];
    let named = run(&named, "");
    assert_eq!(named.stdout, "done\n", "{named:?}");
}

#[test]
fn a_program_that_is_no_server_is_run_or_told_of_run() {
    let dir = Dir::new();
    let tool = dir.tool("tool", common::RENAME, "");
    // One of Toolwire is spoken to as what it is.
    for words in [
        &["run", "--json", &tool, "rename", "path=a"][..],
        &["run", "--json", "rename", "path=a", "--", &tool],
    ] {
        let ran = run(words, "");
        let arguments = &ran.json()["structuredContent"]["tool"]["arguments"];
        assert_eq!(arguments["path"], "a", "{ran:?}");
    }
    let ends = dir.program("ends", "echo hello");
    let ran = run(&["run", "a=1", "--", &ends], "");
    assert_eq!(ran.code, 5, "{ran:?}");
    assert!(
        ran.stderr.contains("is run by `toolwire run -- COMMAND`"),
        "{ran:?}"
    );
}

#[test]
fn questions_are_answered_by_the_rules_of_run() {
    for (revision, id) in [
        ("2025-06-18", "elicitation-1"),
        ("2025-11-25", "elicitation-1"),
        ("2026-07-28", "who"),
    ] {
        let answer = format!("{id}.name=Ada");
        let greeted = call(revision, &["--answer", &answer, "greet"]);
        assert_eq!(greeted.code, 0, "{greeted:?}");
        assert!(greeted.stdout.starts_with("Hello, Ada!"), "{greeted:?}");

        let declined = call(revision, &["--non-interactive", "decline", "greet"]);
        assert_eq!(declined.stdout, "Hello, nobody: decline\n");

        let nobody = call(revision, &["greet"]);
        assert_eq!(nobody.code, 0, "{nobody:?}");
        assert_eq!(nobody.stdout, "Hello, nobody: cancel\n");
        let asks = format!("`plain: greet` asks `{id}`");
        assert!(nobody.stderr.contains(&asks), "{nobody:?}");

        let secret = format!("{}.password=x", if id == "who" { "login" } else { id });
        let login = call(revision, &["--answer", &secret, "login"]);
        assert!(login.stderr.contains("secret_question"), "{login:?}");
        assert!(!login.stdout.contains("accept"), "{login:?}");
    }
}

/// A question of one value travels as a form with the one field `answer`, and nobody has to know (ELI-46).
#[test]
fn a_question_of_one_value_is_one_on_both_sides() {
    let dir = Dir::new();
    let confirm = r#"{"content":[{"type":"question","question":{"id":"confirm","text":"Go on?","schema":{"type":"boolean"}}}]}"#;
    let ask = format!(r#"case $call in *'"confirm":true'*);; *) echo '{confirm}'; exit;; esac"#);
    let tool = dir.tool("tool.sh", SEARCH, &ask);
    let toolwire = common::toolwire();
    let toolwire = toolwire.to_str().unwrap();
    let serve = ["--", toolwire, "serve", &tool];
    let ran = run(
        &[&["run", "--answer", "confirm=true", "search"], &serve[..]].concat(),
        "",
    );
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.contains("confirm"), "{ran:?}");

    let command = format!("{toolwire} run search -- {toolwire} serve {tool}");
    let mut terminal = start_shell(dir, &format!("{command}; echo code $?"));
    terminal.shows("Go on?");
    terminal.types("y", "");
    terminal.shows("\u{2713} Yes");
    terminal.shows("code 0");
}

#[test]
fn an_assistant_answers_a_server_too() {
    let dir = Dir::new();
    let assistant = dir.program("assistant", r#"echo '{"answer":{"name":"Bob"}}'"#);
    let ran = call("2026-07-28", &["--assistant", &assistant, "greet"]);
    assert!(ran.stdout.starts_with("Hello, Bob!"), "{ran:?}");
}

#[test]
fn the_environment_is_what_was_said() {
    let dir = Dir::new();
    let server = dir.program(
        "server",
        &format!("echo \"A=$A B=$B\" >&2; exec {}", plain()),
    );
    let entry = json!({ "mcpServers": { "s": { "command": server, "env": { "B": "2" } } } });
    let config = dir.file("servers.json", entry.to_string());
    for (args, expected) in [
        (&["tools", "--", &server][..], "A=1 B=\n"),
        (
            &[
                "tools",
                "--inherit",
                "standard",
                "--env",
                "B=3",
                "--",
                &server,
            ],
            "A= B=3\n",
        ),
        (&["tools", "s", "--yes", "--config", &config], "A= B=2\n"),
        (
            &[
                "tools",
                "s",
                "--yes",
                "--config",
                &config,
                "--inherit",
                "all",
            ],
            "A=1 B=2\n",
        ),
    ] {
        let mut command = command(args);
        command.env("A", "1");
        let ran = run_command(command, b"");
        assert_eq!((ran.code, ran.stderr.as_str()), (0, expected), "{args:?}");
    }
}

/// A server on HTTP, which ends with this.
struct Http(Child, String);

impl Http {
    fn start(words: &[&str]) -> Http {
        let mut child = Command::new(format!("{SERVERS}/plain_http.py"))
            .args(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let url = format!("http://127.0.0.1:{}/mcp", line.trim());
        Http(child, url)
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn tokens_come_from_the_environment_or_from_a_file() {
    let server = Http::start(&["2026-07-28", "token=t0k"]);
    let url = server.1.as_str();
    let dir = Dir::new();
    let headers = json!({ "Authorization": "Bearer t0k" });
    let entry = json!({ "mcpServers": { "far": { "url": url, "headers": headers } } });
    let config = dir.file("servers.json", entry.to_string());
    for args in [
        &["run", "--header-env", "Authorization=T", url, "headers"][..],
        &["run", "--config", &config, "far", "headers"],
    ] {
        let mut command = command(args);
        command.env("T", "t0k");
        let ran = run_command(command, b"");
        let seen: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"));
        assert_eq!(seen["authorization"], "Bearer t0k");
    }
    let none = run(&["tools", url], "");
    assert_eq!(none.code, 5);
    assert!(none.stderr.contains("does not log in by OAuth"), "{none:?}");
    let unset = run(
        &["tools", url, "--header-env", "Authorization=NOT_SET_HERE"],
        "",
    );
    assert_eq!(unset.code, 2);
    assert!(
        unset.stderr.contains("`NOT_SET_HERE` is not set"),
        "{unset:?}"
    );
    let program = run(&["tools", "--header-env", "A=B", "--", &plain()], "");
    assert_eq!(program.code, 2);
}

#[test]
fn a_prompt_says_which_server_asks() {
    let command = format!("{} run greet -- {}", common::toolwire().display(), plain());
    let mut terminal = start_shell(Dir::new(), &format!("{command}; echo code $?"));
    terminal.shows("the tool `plain: greet` asks");
    terminal.types(CTRL_D, "");
    terminal.shows("Hello, nobody: decline");
    terminal.shows("code 0");
}

#[test]
fn the_bar_shows_the_tool() {
    let command = format!("toolwire run work steps=3 pause=0.5 -- {}", plain());
    let seen = common::on_terminal(&command, &[]);
    assert!(seen.contains("plain: work  "), "{seen:?}");
    assert!(seen.contains("1/3"), "{seen:?}");
}

/// The processes that have the server in their arguments.
fn processes(server: &str) -> Vec<String> {
    let listed = Command::new("ps").args(["-eo", "args"]).output().unwrap();
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let lines = listed.lines().filter(|line| line.contains(server));
    lines.map(str::to_owned).collect()
}

#[test]
fn ctrl_c_cancels_and_leaves_nothing() {
    for tool in ["hang", "greet"] {
        let dir = Dir::new();
        let server = dir.program("the-server", &format!("{} 2025-11-25; exit", plain()));
        let command = format!("{} run {tool} -- {server}", common::toolwire().display());
        let mut terminal = start_shell(dir, &format!("trap : INT; {command}; echo code $?"));
        match tool {
            "greet" => drop(terminal.shows("asks")),
            _ => {
                let server = || processes(&server);
                wait_for("the server", || {
                    server().iter().any(|line| !line.contains(" call "))
                });
                std::thread::sleep(Duration::from_millis(1500));
            }
        }
        terminal.types(CTRL_C, "");
        let began = Instant::now();
        terminal.shows("code 130");
        assert!(began.elapsed() < Duration::from_secs(60));
        assert_eq!(processes(&server), [""; 0], "{tool}");
    }
}
