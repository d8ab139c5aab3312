//! Tools of a manifest, driven through the sessions of a host.

use std::fs;
use std::time::Duration;

use toolwire::Json;
use toolwire_host::manifest::Manifest;
use toolwire_host::{SessionTool, Sessions, SessionsOptions};

const MANIFEST: &str = r#"
[tools.ask]
command = ["sh", "-c", 'stty size; printf "name? "; read name; echo "$1, $name"; stty -echo; read word', "sh", "{greeting}"]
parameters.greeting = { type = "string" }
session = "pty"
size = [100, 30]
cwd = "."

[tools.sort]
command = "sort"
session = "pipe"

[tools.once]
command = "date"
plain = true
"#;

/// A model's calls, as a host hands them on.
#[tokio::test]
async fn a_model_drives_the_tools_of_a_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("toolwire.toml");
    fs::write(&path, MANIFEST).unwrap();
    let manifest = Manifest::read(&path).unwrap();
    let sessions = Sessions::new(SessionsOptions::default());
    for tool in manifest.tools.values() {
        let Some(transport) = toolwire_pty::transport(tool, tool.process_options()) else {
            assert_eq!(tool.name, "once");
            continue;
        };
        let mut description = tool.contract().expect("a contract");
        tool.describe(&mut description);
        sessions.add(SessionTool::new(description, transport));
    }
    let call = async |tool: &str, call: &str| {
        let envelope = sessions.handle(tool, &Json::new(call).unwrap()).await;
        envelope.to_string()
    };
    let mut said = call("ask", r#"{"action":"spawn","id":"a","greeting":"hello"}"#).await;
    // What is told at once does not come anew.
    if !said.contains("name?") {
        said = call(
            "ask",
            r#"{"action":"fetch","id":"a","until":"name?","wait":30}"#,
        )
        .await;
    }
    assert!(said.contains("name?"), "{said}");
    let said = call("ask", r#"{"action":"fetch","id":"a","view":"screen"}"#).await;
    assert!(
        said.contains("screen 100x30, cursor at row 2, column 7"),
        "{said}"
    );
    assert!(said.contains(r"\n30 100\nname?"), "{said}");
    let said = call(
        "ask",
        r#"{"action":"apply","id":"a","input":{"key":"entr"}}"#,
    )
    .await;
    assert!(said.contains("did you mean `enter`?"), "{said}");
    let ada = r#"{"action":"apply","id":"a","input":{"text":"Ada","enter":true}}"#;
    // What is printed at once comes back with the input.
    let mut said = call("ask", ada).await;
    if !said.contains("hello, Ada") {
        let fetch = r#"{"action":"fetch","id":"a","until":"hello, Ada","wait":30,"view":"new"}"#;
        said += &call("ask", fetch).await;
    }
    assert!(said.contains("hello, Ada"), "{said}");
    let mut tries = 0;
    while !call("ask", r#"{"action":"fetch","id":"a","view":"screen"}"#)
        .await
        .contains("only a person types here")
    {
        tries += 1;
        assert!(tries < 600);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    call("ask", r#"{"action":"abort","id":"a"}"#).await;

    call("sort", r#"{"action":"spawn","id":"s"}"#).await;
    let said = call(
        "sort",
        r#"{"action":"apply","id":"s","input":{"size":[80,24]}}"#,
    )
    .await;
    assert!(said.contains("no terminal"), "{said}");
    let text = r#"{"action":"apply","id":"s","input":{"text":"b\na","enter":true,"eof":true}}"#;
    let mut said = call("sort", text).await;
    let fetch = r#"{"action":"fetch","id":"s","until":"a\nb","wait":30}"#;
    said += &call("sort", fetch).await;
    assert!(said.contains(r"a\nb\n"), "{said}");
    sessions.close().await;
}
