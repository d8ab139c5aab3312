//! The example tools that are called with arguments, and that ask.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::stage::{Stage, Tool, output};
use crate::step::{Failure, Runner, clear, folder};

pub fn check(runner: &Runner, stage: &Stage) -> Result<(), Failure> {
    runner.say("examples: `commit` answers with the same bytes in Python, Node and Rust");
    same_in_all_languages(runner, stage)?;
    runner.say("examples: `commit` as a host runs it, in four languages");
    committed(runner, stage)?;
    runner.say("examples: the tool of the page is as the page says");
    page(runner, stage)?;
    runner
        .say("examples: `countdown` says the same in Node and Rust, called once and as a session");
    countdown(stage)?;
    runner.say("examples: search, query, fetch");
    search(runner, stage)?;
    query(runner, stage)?;
    fetch(runner, stage)
}

/// The tool that keeps running, called once, and as a host has it keep running.
fn countdown(stage: &Stage) -> Result<(), Failure> {
    let node = || {
        let mut command = Command::new(&stage.node);
        command.arg(stage.app.join("countdown.mjs"));
        command
    };
    let rust = || Command::new(executable(stage, "countdown"));
    let once = r#"{"tool":{"name":"countdown","arguments":{"from":2,"step":0},"answers":{"launch":true}},"context":{"action":"run"}}"#;
    for call in [CALLS[0], once] {
        let answered = |mut command: Command| {
            command
                .env("TOOLWIRE_CALL", "stdin")
                .env_remove("TOOLWIRE_RESULT");
            answer(command, call)
        };
        same_countdown(call, &answered(node())?, &answered(rust())?)?;
    }
    let (node, rust) = (launched(node())?, launched(rust())?);
    same_countdown("a session", &node, &rust)?;
    match node.contains(r#""text":"Lift-off.""#) {
        true => Ok(()),
        false => Err(Failure(format!("`countdown` does not lift off: {node}"))),
    }
}

fn same_countdown(call: &str, node: &str, rust: &str) -> Result<(), Failure> {
    match node == rust {
        true => Ok(()),
        false => Err(Failure(format!(
            "`countdown` differs for {call}:\nNode: {node}\nRust: {rust}"
        ))),
    }
}

/// What a session of `countdown` says from its first block on, if its question is answered.
fn launched(mut command: Command) -> Result<String, Failure> {
    let broken = |error: std::io::Error| Failure(format!("`countdown` as a session: {error}"));
    command
        .env("TOOLWIRE_CALL", "lines")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn().map_err(broken)?;
    let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(Failure("`countdown` has no pipes".to_owned()));
    };
    let hello = r#"{"type":"hello","toolwire":1,"versions":[1],"maxLine":67108864}"#;
    let call = r#"{"type":"call","call":1,"document":{"tool":{"name":"countdown","arguments":{"from":3,"step":0}},"context":{"action":"run"}},"session":true}"#;
    stdin
        .write_all(format!("{hello}\n{call}\n").as_bytes())
        .map_err(broken)?;
    let mut said = String::new();
    // The first line is the greeting, in which each language says how many calls it takes.
    for line in BufReader::new(stdout).lines().skip(1) {
        let line = line.map_err(broken)?;
        if line.contains(r#""type":"question""#) {
            let answer = r#"{"type":"answer","call":1,"id":"launch","answer":{"state":"accepted","source":"user","value":true}}"#;
            stdin
                .write_all(format!("{answer}\n").as_bytes())
                .map_err(broken)?;
        }
        said.push_str(&line);
        said.push('\n');
    }
    child.wait().map_err(broken)?;
    Ok(said)
}

/// What a host calls the tool with, in this order; the third call is made before anything is staged.
const CALLS: [&str; 10] = [
    r#"{"tool":{},"context":{"action":"describe"}}"#,
    r#"{"tool":{"name":"commit","arguments":{"message":"Mend"}},"context":{"action":"format_arguments"}}"#,
    r#"{"tool":{"name":"commit"},"context":{"action":"run"}}"#,
    r#"{"tool":{"name":"commit"},"context":{"action":"run"}}"#,
    r#"{"tool":{"name":"commit","dev.toolwire/answers":{"message":{"state":"declined"}}},"context":{"action":"run"}}"#,
    r#"{"tool":{"name":"commit","answers":{"message":"Mend"}},"context":{"action":"run"}}"#,
    r#"{"tool":{"name":"commit","answers":{"message":"Mend","confirm":false}},"context":{"action":"run"}}"#,
    r#"{"tool":{"name":"commit","arguments":{"mesage":"Mend"}},"context":{"action":"run"}}"#,
    r#"{"tool":{"name":"comit"},"context":{"action":"run"}}"#,
    r#"{"tool":{"name":"commit","arguments":{"message":"Mend"},"answers":{"confirm":true}},"context":{"action":"run"}}"#,
];

fn same_in_all_languages(runner: &Runner, stage: &Stage) -> Result<(), Failure> {
    let mut answers: Vec<(&str, Vec<String>)> = Vec::new();
    for (language, program) in [
        (
            "Python",
            vec![
                stage.python.clone(),
                runner.path("examples/python/commit.py"),
            ],
        ),
        (
            "Node",
            vec![stage.node.clone(), stage.app.join("commit.mjs")],
        ),
        ("Rust", vec![executable(stage, "commit")]),
    ] {
        let repository = repository(runner, "same")?;
        let mut all = Vec::new();
        for (index, call) in CALLS.iter().enumerate() {
            if index == 3 {
                git(&repository, &["add", "a.txt"])?;
            }
            let mut command = Command::new(&program[0]);
            command
                .args(&program[1..])
                .current_dir(&repository)
                .env("TOOLWIRE_CALL", "stdin")
                .env_remove("TOOLWIRE_RESULT");
            settle(&mut command);
            stage.find_packages(&mut command);
            all.push(answer(command, call)?);
        }
        answers.push((language, all));
    }
    let (first, expected) = &answers[0];
    for (language, all) in &answers[1..] {
        for ((call, one), other) in CALLS.iter().zip(expected).zip(all) {
            if one != other {
                return Err(Failure(format!(
                    "`commit` differs for {call}:\n{first}: {one}\n{language}: {other}"
                )));
            }
        }
    }
    for (answer, part) in expected.iter().zip([
        r#""outputSchema":{"properties":{"committed""#,
        "git -C . commit -m “Mend”",
        "nothing is staged",
        r#""id":"message""#,
        r#""id":"message""#,
        r#""id":"confirm""#,
        r#""committed":false"#,
        "`mesage` is not expected",
        "there is only `commit`",
        r#""committed":true"#,
    ]) {
        if !answer.contains(part) {
            return Err(Failure(format!("{part} is not in the answer: {answer}")));
        }
    }
    Ok(())
}

/// The same tool through `toolwire run`, with its questions answered on the command line.
fn committed(runner: &Runner, stage: &Stage) -> Result<(), Failure> {
    for program in [
        runner.path("examples/python/commit.py"),
        stage.app.join("commit.mjs"),
        executable(stage, "commit"),
        runner.path("examples/shell/commit.sh"),
    ] {
        let repository = repository(runner, "run")?;
        git(&repository, &["add", "a.txt"])?;
        let program = program.to_string_lossy();
        let mut tool = stage.toolwire(
            runner,
            &[
                "run",
                &program,
                "--answer",
                "message=Mend the fence",
                "--answer",
                "confirm=true",
            ],
        );
        tool.command.current_dir(&repository);
        settle(&mut tool.command);
        expect(tool, &["1 file changed", "Committed as"])?;
        let log = git(&repository, &["log", "--format=%s"])?;
        if log.trim() != "Mend the fence" {
            return Err(Failure(format!("`{program}` did not commit: {log}")));
        }
    }
    Ok(())
}

/// The first tool of README.md, and the session below it.
fn page(runner: &Runner, stage: &Stage) -> Result<(), Failure> {
    let page = runner.path("README.md");
    let page = fs::read_to_string(&page)
        .map_err(|error| Failure(format!("`{}`: {error}", page.display())))?;
    let fence = |language: &str| {
        let (_, rest) = page.split_once(&format!("```{language}\n"))?;
        Some(rest.split_once("```")?.0)
    };
    let (Some(tool), Some(session)) = (fence("python"), fence("console")) else {
        return Err(Failure("README.md has no tool, or no session".into()));
    };
    let place = runner.target("examples").join("page");
    clear(&place)?;
    folder(&place)?;
    write(&place.join("tool.py"), tool)?;
    write(&place.join("a"), "")?;
    let run = |args: &[&str]| {
        let mut tool = stage.toolwire(runner, args);
        tool.command.current_dir(&place);
        said(tool)
    };
    for answer in [
        run(&["tools", "./tool.py"])?,
        run(&[
            "run",
            "./tool.py",
            "rename",
            "path=a",
            "to=b",
            "--answer",
            "confirm=true",
        ])?,
    ] {
        if !session.contains(answer.trim_end()) {
            return Err(Failure(format!("README.md does not show this: {answer}")));
        }
    }
    if !place.join("b").exists() {
        let message = "the tool of README.md did not rename the file";
        return Err(Failure(message.into()));
    }
    runner.say("examples: the manifest of the page is as the page says");
    manifest(runner, stage, &page, &place)
}

/// The manifest of README.md, beside its tool: at the terminal, and in a host.
fn manifest(runner: &Runner, stage: &Stage, page: &str, place: &Path) -> Result<(), Failure> {
    let (_, section) = page
        .split_once("\n## A manifest for a folder\n")
        .ok_or_else(|| Failure("README.md has no section on the manifest".into()))?;
    let fence = |language: &str| {
        let (_, rest) = section.split_once(&format!("```{language}\n"))?;
        Some(rest.split_once("```")?.0)
    };
    let (Some(toml), Some(host)) = (fence("toml"), fence("python")) else {
        return Err(Failure(
            "README.md has no manifest, or no host of it".into(),
        ));
    };
    write(&place.join("toolwire.toml"), toml)?;
    git(place, &["init", "--quiet"])?;
    git(place, &["add", "toolwire.toml"])?;
    git(place, &["commit", "--quiet", "-m", "Name the tools"])?;
    for (args, part) in [
        (&["list"][..], "Show the latest commits."),
        (&["run", "log", "limit=1"], "Name the tools"),
        (
            &[
                "run",
                "rename",
                "path=b",
                "to=c",
                "--answer",
                "confirm=true",
            ],
            "Renamed b to c.",
        ),
    ] {
        let mut tool = stage.toolwire(runner, args);
        tool.command.current_dir(place);
        expect(tool, &[part])?;
    }
    let host = format!("import toolwire as tw\n{host}print(len(tools), tw.format(result.parsed))");
    let mut command = runner.command(&stage.python);
    command.args(["-c", &host]).current_dir(place);
    // The tool of the page has no `#!` line, so it is run by the Python that is first on the path.
    stage.find_packages(&mut command);
    let line = "the host of the manifest in README.md".to_owned();
    expect(Tool { line, command }, &["2 ", "Name the tools"])
}

fn search(runner: &Runner, stage: &Stage) -> Result<(), Failure> {
    let program = executable(stage, "search");
    let program = program.to_string_lossy();
    let here = runner.path("");
    let here = here.to_string_lossy();
    expect(
        stage.toolwire(
            runner,
            &[
                "run",
                &program,
                "--root",
                &here,
                "--format",
                "json",
                "pattern=^# Examples$",
                "path=examples",
            ],
        ),
        &[
            "One place:",
            "/examples/README.md#L1-3",
            r##""text":"# Examples\n"##,
        ],
    )?;
    expect(
        stage.toolwire(runner, &["run", &program, "--root", &here, "pattern=("]),
        &["unclosed group"],
    )
}

fn query(runner: &Runner, stage: &Stage) -> Result<(), Failure> {
    let place = runner.target("examples");
    folder(&place)?;
    let people = place.join("people.csv");
    write(
        &people,
        "name,city,age\nAda,London,36\nGrace,\"New York\",85\nAlan,London,41\n",
    )?;
    let file = format!("file={}", people.display());
    let program = runner.path("examples/python/query.py");
    let program = program.to_string_lossy();
    expect(
        stage.toolwire(
            runner,
            &[
                "run",
                &program,
                &file,
                "sql=select city, avg(age) as age from people group by city",
                "--format",
                "json",
            ],
        ),
        &[
            "| London | 38.5 |",
            r#""structuredContent":{"columns":["city","age"],"rows":[["London",38.5],["New York",85"#,
        ],
    )?;
    expect(
        stage.toolwire(
            runner,
            &[
                "run",
                &program,
                &file,
                "sql=select * from people",
                "limit=1",
            ],
        ),
        &["| Ada | London | 36 |", "There are more than 1 rows."],
    )?;
    for (sql, said) in [
        ("delete from people", "not authorized"),
        ("select salary from people", "no such column"),
    ] {
        expect(
            stage.toolwire(runner, &["run", &program, &file, &format!("sql={sql}")]),
            &[said],
        )?;
    }
    expect(
        stage.toolwire(
            runner,
            &["run", &program, &format!("file={program}"), "sql=select 1"],
        ),
        &["neither a CSV file nor an SQLite database"],
    )
}

fn fetch(runner: &Runner, stage: &Stage) -> Result<(), Failure> {
    let server = Server::start()?;
    let program = stage.app.join("fetch.mjs");
    let program = program.to_string_lossy();
    for (path, parts) in [
        (
            "page",
            &[r#""mimeType":"text/html""#, r#""text":"<h1>Hello</h1>""#][..],
        ),
        ("picture", &[r#""blob":"#, r#""mimeType":"image/png""#]),
        (
            "busy",
            &["503", r#""transient":true"#, "tried again after 7"],
        ),
        ("cut", &[r#""transient":true"#, r#""isError":true"#]),
        ("large", &["more than 1000000 bytes"]),
    ] {
        let url = format!("url=http://127.0.0.1:{}/{path}", server.port);
        expect(
            stage.toolwire(runner, &["run", &program, &url, "--format", "json"]),
            parts,
        )?;
    }
    let url = format!("url=http://127.0.0.1:{}/nothing", server.port);
    let gone = said(stage.toolwire(runner, &["run", &program, &url, "--format", "json"]))?;
    if !gone.contains("404") || gone.contains("transient") {
        return Err(Failure(format!("a page that is not there: {gone}")));
    }
    Ok(())
}

/// A server for a handful of requests, on this machine alone.
struct Server {
    port: u16,
}

impl Server {
    fn start() -> Result<Self, Failure> {
        let broken = |error: std::io::Error| Failure(format!("no server for the test: {error}"));
        let listener = TcpListener::bind("127.0.0.1:0").map_err(broken)?;
        let port = listener.local_addr().map_err(broken)?.port();
        // The thread ends with the process; it has nothing to tidy up.
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that is gone is its own affair.
                let _ = reply(stream);
            }
        });
        Ok(Server { port })
    }
}

fn reply(mut stream: std::net::TcpStream) -> std::io::Result<()> {
    let mut request = [0; 4096];
    let read = stream.read(&mut request)?;
    let request = String::from_utf8_lossy(&request[..read]).into_owned();
    let path = request.split(' ').nth(1).unwrap_or_default();
    let (status, headers, body) = match path {
        "/page" => (
            "200 OK",
            "content-type: text/html; charset=utf-8\r\n",
            b"<h1>Hello</h1>".to_vec(),
        ),
        "/picture" => (
            "200 OK",
            "content-type: image/png\r\n",
            vec![0x89, b'P', b'N', b'G', 0],
        ),
        "/busy" => ("503 Service Unavailable", "retry-after: 7\r\n", Vec::new()),
        "/large" => ("200 OK", "", vec![b'a'; 1_000_001]),
        "/cut" => return Ok(()),
        _ => ("404 Not Found", "", Vec::new()),
    };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n"
    )?;
    stream.write_all(&body)
}

fn executable(stage: &Stage, name: &str) -> PathBuf {
    stage
        .rust
        .join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// A fresh repository with a file that is not staged.
pub fn repository(runner: &Runner, name: &str) -> Result<PathBuf, Failure> {
    let place = runner.target("examples").join(name);
    clear(&place)?;
    folder(&place)?;
    git(&place, &["init", "--quiet"])?;
    write(&place.join("a.txt"), "a fence\n")?;
    Ok(place)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| Failure(format!("`{}`: {error}", path.display())))
}

pub fn git(repository: &Path, args: &[&str]) -> Result<String, Failure> {
    let mut command = Command::new("git");
    command.args(args).current_dir(repository);
    settle(&mut command);
    let ran = command
        .output()
        .map_err(|error| Failure(format!("git can't be started: {error}; install it")))?;
    if !ran.status.success() {
        return Err(Failure(format!(
            "git: {}",
            String::from_utf8_lossy(&ran.stderr)
        )));
    }
    Ok(String::from_utf8_lossy(&ran.stdout).into_owned())
}

/// Makes commits the same wherever and whenever they are made.
pub fn settle(command: &mut Command) {
    for (name, value) in [
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_AUTHOR_NAME", "Ada"),
        ("GIT_AUTHOR_EMAIL", "ada@example.org"),
        ("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z"),
        ("GIT_COMMITTER_NAME", "Ada"),
        ("GIT_COMMITTER_EMAIL", "ada@example.org"),
        ("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z"),
        ("LC_ALL", "C"),
    ] {
        command.env(name, value);
    }
}

/// What a tool answers to a call.
fn answer(mut command: Command, call: &str) -> Result<String, Failure> {
    let broken = |error: std::io::Error| Failure(format!("{call}: {error}"));
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().map_err(broken)?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(call.as_bytes()).map_err(broken)?;
    }
    let output = child.wait_with_output().map_err(broken)?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn said(tool: Tool) -> Result<String, Failure> {
    Ok(String::from_utf8_lossy(&output(tool)?).into_owned())
}

fn expect(tool: Tool, parts: &[&str]) -> Result<(), Failure> {
    let line = tool.line.clone();
    let said = said(tool)?;
    match parts.iter().find(|part| !said.contains(**part)) {
        None => Ok(()),
        Some(part) => Err(Failure(format!(
            "`{line}` did not answer with {part}:\n{said}"
        ))),
    }
}
