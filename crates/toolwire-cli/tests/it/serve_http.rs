//! `toolwire serve --http` as a process.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Dir, command, run_command, set_mode};

const PATIENCE: Duration = Duration::from_secs(60);

const MANIFEST: &str = "[tools.secrets]\ncommand = ['sh', '-c', 'env']\nplain = true\n\
                        [tools.brief]\ncommand = ['sh', '-c', 'touch started; sleep 1; echo finished']\nplain = true\n";

fn stage() -> Dir {
    let dir = Dir::new();
    dir.file("toolwire.toml", MANIFEST.replace("\\\n", "\n"));
    dir
}

fn serve(dir: &Dir, args: &[&str]) -> Command {
    let mut command = command(&[&["serve"], args].concat());
    command
        .current_dir(dir.path())
        .env_remove("TOOLWIRE_HTTP_TOKENS")
        .env("XDG_STATE_HOME", dir.path().join("state"));
    command
}

/// A server, and where it is.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(mut command: Command) -> Server {
        let mut child = command.stdin(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let line = lines.next().unwrap().unwrap();
        let url = line
            .strip_prefix("toolwire: serving at http://")
            .unwrap_or_else(|| panic!("{line}"));
        let address = url.strip_suffix("/mcp").unwrap().to_owned();
        // What it says later is not held up.
        std::thread::spawn(move || lines.for_each(drop));
        Server { child, address }
    }

    fn call(&self, tool: &str, token: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let meta = r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}"#;
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{{}},"_meta":{meta}}}}}"#
        );
        let head = format!(
            "POST /mcp HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\naccept: application/json, \
             text/event-stream\r\ncontent-type: application/json\r\nmcp-protocol-version: 2026-07-28\r\n\
             mcp-method: tools/call\r\nmcp-name: {tool}\r\nauthorization: Bearer {token}\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text);
        text
    }

    fn signal(&self) {
        let id = self.child.id().to_string();
        Command::new("kill").args(["-TERM", &id]).status().unwrap();
    }

    fn end(mut self) -> i32 {
        self.signal();
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code().unwrap_or(-1);
            }
            assert!(start.elapsed() < PATIENCE, "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn the_real_port_is_told_and_calls_may_finish() {
    let dir = stage();
    let server = Server::start(serve(&dir, &["--http", "127.0.0.1:0", "--no-token"]));
    assert!(!server.address.ends_with(":0"), "{}", server.address);
    assert!(server.call("secrets", "").contains("PATH="));
    let answer = std::thread::scope(|scope| {
        let calling = scope.spawn(|| server.call("brief", ""));
        while !dir.path().join("started").exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        server.signal();
        calling.join().unwrap()
    });
    assert!(answer.contains("finished"), "{answer}");
    assert_eq!(server.end(), 143);
}

#[test]
fn tokens_come_from_the_environment_or_a_file_and_reach_no_tool() {
    let dir = stage();
    let token = "0123456789abcdef";
    let mut from_environment = serve(&dir, &["--http", "0"]);
    from_environment.env("TOOLWIRE_HTTP_TOKENS", format!("anna: {token}"));
    let file = dir.file("tokens", format!("# team\nanna: {token}\n"));
    let from_file = serve(&dir, &["--http", "localhost:0", "--tokens", &file]);
    for command in [from_environment, from_file] {
        let server = Server::start(command);
        assert!(server.call("secrets", "wrong").starts_with("HTTP/1.1 401 "));
        let answer = server.call("secrets", token);
        assert!(
            answer.contains("PATH=") && !answer.contains(token),
            "{answer}"
        );
        assert_eq!(server.end(), 143);
    }
    set_mode(dir.path().join("tokens").as_path(), 0o666);
    let run = run_command(serve(&dir, &["--http", "0", "--tokens", &file]), b"");
    assert!(
        run.code == 5 && run.stderr.contains("everybody can write it"),
        "{run:?}"
    );
    fs::write(&file, "anna: short").unwrap();
    set_mode(dir.path().join("tokens").as_path(), 0o600);
    let run = run_command(serve(&dir, &["--http", "0", "--tokens", &file]), b"");
    assert!(
        run.code == 5 && run.stderr.contains("shorter than 16"),
        "{run:?}"
    );
}

#[test]
fn what_others_can_reach_needs_a_token_or_a_word() {
    let dir = stage();
    let run = run_command(serve(&dir, &["--http", "0.0.0.0:0"]), b"");
    assert!(
        run.code == 1 && run.stderr.contains("without a token"),
        "{run:?}"
    );
    for way in ["`--tokens FILE`", "`TOOLWIRE_HTTP_TOKENS`", "`--no-token`"] {
        assert!(run.stderr.contains(way), "{run:?}");
    }
    let server = Server::start(serve(&dir, &["--http", "0.0.0.0:0", "--no-token"]));
    assert!(server.call("secrets", "").contains("PATH="));
    assert_eq!(server.end(), 143);
    for args in [
        &["--http", "example.com:80"][..],
        &["--no-token"],
        &["--http", "70000"],
    ] {
        assert_eq!(run_command(serve(&dir, args), b"").code, 2, "{args:?}");
    }
}

/// A server that runs is named by its URL.
#[test]
fn the_entry_of_a_server_that_runs_is_its_url() {
    let dir = stage();
    let args = [
        "--http",
        "127.0.0.1:8080",
        "--print-config",
        "gemini",
        "--entry-name",
        "mine",
    ];
    let run = run_command(serve(&dir, &args), b"");
    let entry = &run.json()["mcpServers"]["mine"];
    assert_eq!(entry["httpUrl"], "http://127.0.0.1:8080/mcp", "{run:?}");
    let header = entry["headers"]["Authorization"].as_str().unwrap();
    // It is the same the next time, and in a private file.
    let again = run_command(serve(&dir, &args), b"");
    let name = "state/toolwire/http/127.0.0.1-8080";
    let kept = fs::read_to_string(dir.path().join(name)).unwrap();
    assert_eq!(again.stdout, run.stdout);
    assert_eq!(header, format!("Bearer {}", kept.trim()));
    let mut install = serve(&dir, &[&args[..], &["--install", "--yes"]].concat());
    install.env("HOME", dir.path());
    assert_eq!(run_command(install, b"").code, 0);
    let file = dir.path().join(".gemini/settings.json");
    assert!(fs::read_to_string(&file).unwrap().contains(header));
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    for (wrong, why) in [
        (
            ["--install", "--workspace", "--http", "8080"],
            "leave out `--workspace`",
        ),
        (["--install", "--yes", "--http", "0"], "name a port"),
    ] {
        let words = [&wrong[..], &["--print-config", "gemini"]].concat();
        let run = run_command(serve(&dir, &words), b"");
        assert!(run.code == 2 && run.stderr.contains(why), "{run:?}");
    }
}

/// A server of this user has a token that this user's clients find, and nobody else who listens at its port gets it.
#[test]
fn on_the_loopback_a_token_is_made_and_found_by_its_user() {
    let dir = stage();
    let server = Server::start(serve(&dir, &["--http", "127.0.0.1:0"]));
    assert!(server.call("secrets", "").starts_with("HTTP/1.1 401 "));
    let folder = dir.path().join("state/toolwire/http");
    let name = server.address.replace(':', "-");
    let (_, port) = server.address.rsplit_once(':').unwrap();
    let token = fs::read_to_string(folder.join(&name)).unwrap();
    assert!(server.call("secrets", token.trim()).contains("PATH="));
    for (path, mode) in [(folder.clone(), 0o700), (folder.join(&name), 0o600)] {
        let found = fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(found & 0o777, mode);
    }
    let tools = |url: &str, state: &str| {
        let mut command = command(&["tools", url]);
        command.current_dir(dir.path());
        command.env("XDG_STATE_HOME", dir.path().join(state));
        run_command(command, b"")
    };
    for host in ["127.0.0.1", "localhost"] {
        let found = tools(&format!("http://{host}:{port}/mcp"), "state");
        assert!(
            found.code == 0 && found.stdout.contains("brief"),
            "{found:?}"
        );
    }
    let url = format!("http://{}/mcp", server.address);
    let refused = tools(&url, "of-another-user");
    assert!(
        refused.code != 0 && refused.stderr.contains("401"),
        "{refused:?}"
    );
    let address = server.address.clone();
    assert_eq!(server.end(), 143);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    // The token of a port that stays, whose server does not run.
    fs::write(folder.join(&name), &token).unwrap();
    let somebody = TcpListener::bind(&address).unwrap();
    let heard = std::thread::spawn(move || {
        let (mut stream, _) = somebody.accept().unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut head = String::new();
        let mut lines = BufReader::new(&stream).lines();
        while let Some(Ok(line)) = lines
            .next()
            .filter(|line| line.as_ref().is_ok_and(|line| !line.is_empty()))
        {
            head += &line;
        }
        let _ = stream
            .write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        head.to_lowercase()
    });
    assert_ne!(tools(&url, "state").code, 0);
    let heard = heard.join().unwrap();
    assert!(
        heard.contains("host: ") && !heard.contains("authorization"),
        "{heard}"
    );
}
