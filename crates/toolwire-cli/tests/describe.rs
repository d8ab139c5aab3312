//! `toolwire describe`: the tools of a program as a table and as JSON.

#![cfg(unix)]

mod common;

use common::{Dir, RENAME, Run, SEARCH, command, run_command};
use serde_json::Value;

fn describe(dir: &Dir, args: &[&str]) -> Run {
    let mut command = command(&[&["describe"], args].concat());
    command.current_dir(dir.path());
    run_command(command, b"")
}

#[test]
fn the_tools_are_shown_with_what_they_take() {
    let dir = Dir::new();
    dir.tool("two", &format!("{RENAME},{SEARCH}"), "");
    let table = describe(&dir, &["./two"]);
    assert_eq!(
        table.stdout,
        "rename  Rename a file. (can destroy)\n  \
           path   string   required   the file\n  \
           deep   object\n  \
           limit  integer  default 3\n  \
           tags   (a|b)[]\n  \
           to     string\n\
         \n\
         search  Search\n",
        "{table:?}"
    );
    assert_eq!(table.code, 0);
    let behind = describe(&dir, &["--", "sh", "./two"]);
    assert_eq!(behind.stdout, table.stdout);
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

#[test]
fn a_program_that_does_not_describe_itself_was_run() {
    let dir = Dir::new();
    dir.program("hello", "echo hello");
    let hello = describe(&dir, &["./hello"]);
    assert_eq!((hello.code, &*hello.stdout), (1, ""));
    assert!(hello.stderr.contains("it did its job"), "{hello:?}");
    dir.program("fails", "echo why >&2; exit 3");
    let fails = describe(&dir, &["./fails"]);
    assert!(
        fails.code == 1 && fails.stderr.contains("it failed"),
        "{fails:?}"
    );
    assert!(fails.stderr.contains("why"), "{fails:?}");
    dir.program("slow", "sleep 60");
    let slow = describe(&dir, &["./slow", "--timeout", "100ms"]);
    assert!(slow.code == 1 && slow.stderr.contains("0.1 s"), "{slow:?}");
    assert_eq!(describe(&dir, &["./missing"]).code, 5);
}
