//! `toolwire tools`: the tools of a program as a table and as JSON.

use crate::common::{Dir, RENAME, Run, SEARCH, command, run_command};
use serde_json::Value;

fn describe(dir: &Dir, args: &[&str]) -> Run {
    let mut command = command(&[&["tools"], args].concat());
    command.current_dir(dir.path());
    run_command(command, b"")
}

#[test]
fn the_tools_are_shown_with_what_they_take() {
    let dir = Dir::new();
    dir.tool("two", &format!("{RENAME},{SEARCH}"), "");
    let rows = "rename  Rename a file. (destructive)\nsearch  Search\n";
    assert_eq!(describe(&dir, &["./two"]).stdout, rows);
    let behind = describe(&dir, &["--", "./two", "--quiet"]);
    assert_eq!(behind.stdout, rows);
    let table = describe(&dir, &["./two", "rename"]);
    assert_eq!(
        table.stdout,
        "rename  Rename a file. (destructive)\n  \
           path     string   required   the file\n  \
           deep     object\n  \
           deep.er  boolean\n  \
           limit    integer  default 3\n  \
           tags     (a|b)[]\n  \
           to       string\n",
        "{table:?}"
    );
    assert_eq!(table.code, 0);
}

#[test]
fn json_is_the_list_of_tools_that_mcp_has() {
    let dir = Dir::new();
    dir.tool("two", &format!("{RENAME},{SEARCH}"), "");
    let json = describe(&dir, &["./two", "--json"]).json();
    let expected: Value =
        serde_json::from_str(&format!(r#"{{"tools":[{RENAME},{SEARCH}]}}"#)).unwrap();
    assert_eq!(json, expected);
}

/// A tool of the manifest has the name by which it is run.
#[test]
fn a_tool_of_the_manifest_is_shown_by_its_name_there() {
    let dir = Dir::new();
    dir.tool("two", &format!("{RENAME},{SEARCH}"), "");
    dir.tool("one", SEARCH, "");
    dir.file(
        "toolwire.toml",
        r#"
        [tools.q]
        command = "./two"
        tool = "rename"
        description = "Say it."
        [tools.s]
        command = "./one"
        [tools.p]
        command = "./two"
        tool = "search"
        parameters = {}
        [tools.both]
        command = "./two"
        [tools.wrong]
        command = "./two"
        tool = "serch"
        "#,
    );
    let shown = |name: &str| describe(&dir, &[name]).stdout;
    assert!(shown("q").starts_with("q  Say it. (destructive)\n  path "));
    assert_eq!(
        (shown("s"), shown("p")),
        ("s  Search\n".into(), "p\n".into())
    );
    assert!(shown("both").contains("\nsearch  Search\n"));
    let json = describe(&dir, &["q", "--json"]).json();
    assert_eq!(json["tools"][0]["name"], "q");
    let wrong = describe(&dir, &["wrong"]);
    assert!(
        wrong.code == 2 && wrong.stderr.contains("did you mean `search`?"),
        "{wrong:?}"
    );
}

#[test]
fn a_program_that_does_not_describe_itself_was_run() {
    let dir = Dir::new();
    dir.program("hello", "# toolwire-tool: 1\necho hello");
    let hello = describe(&dir, &["./hello"]);
    assert_eq!((hello.code, &*hello.stdout), (1, ""));
    assert!(hello.stderr.contains("it did its usual work"), "{hello:?}");
    dir.program("fails", "# toolwire-tool: 1\necho why >&2; exit 3");
    let fails = describe(&dir, &["./fails"]);
    assert!(
        fails.code == 1 && fails.stderr.contains("(exit status 3): why"),
        "{fails:?}"
    );
    assert!(fails.stderr.contains("why"), "{fails:?}");
    dir.program("slow", "# toolwire-tool: 1\nsleep 60");
    let slow = describe(&dir, &["./slow", "--timeout", "100ms"]);
    assert!(slow.code == 1 && slow.stderr.contains("0.1 s"), "{slow:?}");
    assert_eq!(describe(&dir, &["./missing"]).code, 5);
}
