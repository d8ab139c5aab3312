//! A client that stays sees what `toolwire serve` serves once its manifest has changed.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{Dir, command, toolwire};
use toolwire_host::{Command, ProcessOptions};
use toolwire_mcp::client::{Client, ClientOptions, Server};

/// Less than the minute for which a list may be used.
const PATIENCE: Duration = Duration::from_secs(45);

fn manifest(dir: &Dir, tools: &[&str]) {
    let tool = |name: &&str| format!("[tools.{name}]\ncommand = ['true']\nplain = true\n");
    let text: String = tools.iter().map(tool).collect();
    // In one step: half of a manifest is one, too.
    let new = dir.file("new", text);
    std::fs::rename(new, dir.path().join("toolwire.toml")).unwrap();
}

async fn names(client: &Client) -> Vec<String> {
    let tools = client.tools().await.unwrap();
    tools.into_iter().map(|tool| tool.name).collect()
}

async fn refreshes(dir: &Dir, server: &Server) {
    let client = Client::connect("s", server, &ClientOptions::default()).await;
    let client = client.unwrap();
    assert_eq!(client.revision().as_str(), "2026-07-28");
    assert_eq!(names(&client).await, ["one"]);
    let began = Instant::now();
    manifest(dir, &["one", "two"]);
    while names(&client).await != ["one", "two"] {
        assert!(began.elapsed() < PATIENCE, "waited in vain");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    client.close().await;
}

fn block_on(future: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build().unwrap();
    runtime.block_on(future);
}

#[test]
fn a_changed_manifest_is_seen_over_stdio() {
    let dir = Dir::new();
    manifest(&dir, &["one"]);
    let path = dir.path().join("toolwire.toml");
    let words = ["serve", "--poll", "100ms", "--manifest"];
    let command = Command::new(toolwire()).args(words).arg(path);
    let server = Server::program(command, ProcessOptions::default());
    block_on(refreshes(&dir, &server));
}

#[test]
fn a_changed_manifest_is_seen_over_http() {
    let dir = Dir::new();
    manifest(&dir, &["one"]);
    let words = [
        "serve",
        "--http",
        "127.0.0.1:0",
        "--no-token",
        "--poll",
        "100ms",
    ];
    let mut child = command(&words)
        .current_dir(dir.path())
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let line = lines.next().unwrap().unwrap();
    std::thread::spawn(move || lines.for_each(drop));
    let url = line.strip_prefix("toolwire: serving at ").unwrap();
    block_on(refreshes(&dir, &Server::http(url)));
    child.kill().unwrap();
    child.wait().unwrap();
}
