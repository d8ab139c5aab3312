//! What the words of a tool hide is said wherever they are shown.

use std::process::Stdio;

use crate::common::{Dir, command, run_command};

/// A server with a tool that hides a word in tag characters, and a letter of another script.
const OFFERS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../toolwire-mcp/tests/servers/offers.py"
);

/// A tool whose description ends in a character that nobody sees.
const HIDES: &str = r#"{"name":"rename","description":"Renames a file.\u200b","inputSchema":{"type":"object","properties":{"n\u200b":{"type":"string"}}}}"#;

#[test]
fn a_server_that_hides_something_is_told() {
    for more in [&[][..], &["--json"]] {
        let args = [&["tools"], more, &["--", OFFERS, "2025-11-25", "hides"]].concat();
        let ran = run_command(command(&args), b"");
        assert_eq!(ran.code, 0, "{ran:?}");
        for part in [
            "the tool `add` hides something from its reader: TAG CHARACTER at `/description`, byte 17; it \
             says `obey`",
            "CYRILLIC LETTER at `/inputSchema/properties/a/title`, byte 1; it says `paypal`",
        ] {
            assert!(ran.stderr.contains(part), "{part}: {ran:?}");
        }
    }
    let plain = ["tools", "--json", "--", OFFERS, "2025-11-25"];
    let ran = run_command(command(&plain), b"");
    assert!(ran.stderr.is_empty(), "{ran:?}");
}

#[test]
fn a_tool_that_hides_something_is_told() {
    let dir = Dir::new();
    let tool = dir.tool("tool", HIDES, "");
    let ran = run_command(command(&["tools", &tool]), b"");
    assert_eq!(ran.code, 0, "{ran:?}");
    for part in [
        "the tool `rename` hides something from its reader: ZERO WIDTH SPACE at `/description`, byte 15",
        "ZERO WIDTH SPACE in the name at `/inputSchema/properties/n<U+200B ZERO WIDTH SPACE>`, byte 1",
    ] {
        assert!(ran.stderr.contains(part), "{part}: {ran:?}");
    }
    assert!(!ran.stderr.contains('\u{200b}'), "{ran:?}");
}

#[test]
fn a_tool_that_is_served_is_looked_at_too() {
    let dir = Dir::new();
    let tool = dir.tool("tool", HIDES, "");
    let mut serve = command(&["serve", &tool]);
    serve.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = serve.stdout(Stdio::null()).spawn().unwrap();
    let stderr = child.stderr.take().unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(stderr));
    let said = lines.find(|line| {
        line.as_ref()
            .is_ok_and(|line| line.contains("hides something"))
    });
    drop(child.stdin.take());
    assert!(said.is_some(), "{:?}", child.wait());
    child.wait().unwrap();
}
