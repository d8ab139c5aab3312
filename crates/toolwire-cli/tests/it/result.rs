//! What stands on standard output when a tool has ended.

use crate::common::{Dir, Run, command, on_terminal, run, run_command};

fn stage(envelope: &str) -> Dir {
    let dir = Dir::new();
    dir.program("plain", &format!("printf '%s' '{envelope}'"));
    dir
}

fn run_in(dir: &Dir, args: &[&str]) -> Run {
    let mut command = command(&[&["run", "--plain"], args, &["./plain"]].concat());
    command.current_dir(dir.path());
    run_command(command, b"")
}

fn seen(dir: &Dir, args: &str) -> String {
    let script = format!(
        "cd {} && toolwire run --plain {args} ./plain 2>/dev/null",
        dir.path().display()
    );
    on_terminal(&script, &[]).replace("\r\n", "\n")
}

#[test]
fn text_ends_with_a_line_end_and_what_is_to_the_byte_does_not() {
    let text = r#"{"content":[{"type":"text","text":"a"}]}"#;
    let dir = stage(text);
    assert_eq!(run_in(&dir, &[]).stdout, "a\n");
    assert_eq!(run_in(&dir, &["--format", "model"]).stdout, "a\n");
    assert_eq!(run_in(&dir, &["--format", "terminal"]).stdout, "a\n");
    assert_eq!(run(&["format"], text).stdout, "a\n");
    let ended = text.replace(r#""a""#, r#""a\n\n""#);
    assert_eq!(run(&["format"], &ended).stdout, "a\n\n");
    assert_eq!(run(&["format"], r#"{"content":[]}"#).stdout, "");
    assert_eq!(run(&["get", "/content/0/text"], text).stdout, "a\n");
    assert_eq!(
        run(&["format", "--json"], text).stdout,
        "{\"text\":\"a\"}\n"
    );
    assert_eq!(run(&["canonicalize"], "[1]").stdout, "[1]");
    assert_eq!(run_in(&stage("raw"), &[]).stdout, "raw\n");
}

const DATA: &str =
    r#"{"total": 12345678901234567890, "rows": [ {"id": 1, "who": "Ada \u001b[2J"} ]}"#;

#[test]
fn structured_content_is_compact_json_where_no_terminal_is() {
    let compact =
        "{\"total\":12345678901234567890,\"rows\":[{\"id\":1,\"who\":\"Ada \\u001b[2J\"}]}\n";
    let quoted = serde_json::Value::from(DATA).to_string();
    for envelope in [
        format!(r#"{{"content":[],"structuredContent":{DATA}}}"#),
        // MCP has the same as text beside it.
        format!(r#"{{"content":[{{"type":"text","text":{quoted}}}],"structuredContent":{DATA}}}"#),
    ] {
        let dir = Dir::new();
        let file = dir.file("envelope.json", &envelope);
        dir.program("plain", &format!("cat '{file}'"));
        assert_eq!(run_in(&dir, &[]).stdout, compact);
        let table = run_in(&dir, &["--format", "terminal"]).stdout;
        assert_eq!(
            table,
            "total  12345678901234567890\nrows\n  id  who\n   1  Ada ␛[2J\n"
        );
        let shown = seen(&dir, "");
        assert!(
            shown.contains("\x1b[1mtotal\x1b[0m  \x1b[1;36m1234567"),
            "{shown:?}"
        );
        assert!(!shown.contains("\x1b[2J"), "{shown:?}");
        assert!(!seen(&dir, "--color never").contains('\x1b'));
        assert_eq!(
            run_in(&dir, &["--json"]).json()["structuredContent"]["rows"][0]["id"],
            1
        );
    }
    let dir = Dir::new();
    let envelope = format!(r#"{{"content":[],"structuredContent":{DATA}}}"#);
    let file = dir.file("envelope.json", envelope);
    dir.program("plain", &format!("cat '{file}'"));
    let model = run_in(&dir, &["--format", "model"]).stdout;
    assert!(model.starts_with("```json\n{\"total\": 123"), "{model}");
}

/// What a tool says in words stands for its data.
#[test]
fn words_and_errors_are_presented_as_they_are() {
    let words = r#"{"content":[{"type":"text","text":"two rows"}],"structuredContent":{"rows":2}}"#;
    assert_eq!(run_in(&stage(words), &[]).stdout, "two rows\n");
    let other =
        r#"{"content":[{"type":"text","text":"{\"rows\":3}"}],"structuredContent":{"rows":2}}"#;
    assert_eq!(run_in(&stage(other), &[]).stdout, "{\"rows\":3}\n");
    let error = r#"{"content":[],"structuredContent":{"rows":2},"isError":true}"#;
    let failed = run_in(&stage(error), &[]);
    assert_eq!(failed.code, 1);
    assert!(failed.stdout.starts_with("[error]\n"), "{failed:?}");
}

#[test]
fn results_fit_the_terminal() {
    let rows: Vec<String> = (0..3)
        .map(|n| {
            format!(
                r#"{{"id":{n},"text":"{}","more":"{}"}}"#,
                "wort ".repeat(40),
                "日本".repeat(30)
            )
        })
        .collect();
    let dir = Dir::new();
    let envelope = format!(
        r#"{{"content":[],"structuredContent":{{"result":[{}]}}}}"#,
        rows.join(",")
    );
    let file = dir.file("envelope.json", envelope);
    dir.program("plain", &format!("cat '{file}'"));
    let shown = seen(&dir, "--color never");
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 4, "{shown}");
    for line in lines {
        assert!(unicode_width::UnicodeWidthStr::width(line) <= 100, "{line}");
    }
}
