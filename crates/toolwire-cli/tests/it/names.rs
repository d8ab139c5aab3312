//! The table of functions in the reference of names: every command that it names exists.

use crate::common::run;

#[test]
fn each_command_of_the_table_exists() {
    let page = include_str!("../../../../docs/reference/names.md");
    let mut rows = page
        .lines()
        .skip_while(|line| !line.starts_with("| Function |"));
    let header = rows.next().expect("the page has the table of functions");
    let column = header
        .split('|')
        .position(|cell| cell.trim() == "Command")
        .expect("a column Command");
    let mut checked = 0;
    for row in rows.take_while(|line| line.starts_with('|')) {
        let cell = row
            .split('|')
            .nth(column)
            .unwrap_or_default()
            .trim()
            .trim_matches('`');
        let Some(words) = cell.strip_prefix("toolwire ") else {
            continue;
        };
        let mut words = words.split_whitespace();
        let command = words.next().unwrap_or_default();
        let help = run(&[command, "--help"], "");
        assert_eq!(help.code, 0, "there is no `{cell}`");
        for option in words.filter(|word| word.starts_with("--")) {
            assert!(help.stdout.contains(option), "there is no `{cell}`");
        }
        checked += 1;
    }
    assert!(checked >= 8, "only {checked} commands in the table");
}
