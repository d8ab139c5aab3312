//! The command's page shows what the command really writes.

use crate::common::run;

#[test]
fn the_explanation_on_the_page_is_the_real_one() {
    let readme = include_str!("../../README.md");
    let shown = readme
        .split("$ printf '{\"content\": [],}' | toolwire explain\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next())
        .expect("the page shows an explanation");
    assert_eq!(run(&["explain"], "{\"content\": [],}").stdout, shown);
}

#[test]
fn the_exit_codes_on_the_page_are_those_of_the_reference() {
    let readme = include_str!("../../README.md");
    let reference = include_str!("../../../../docs/reference/exit-status.md");
    let meaning = |text: &str, code: &str| {
        let row = text
            .lines()
            .find(|line| line.starts_with(&format!("| {code} | ")));
        row.expect("a row for each code").to_owned()
    };
    for code in ["0", "1", "2", "3", "4", "5", "6", "7", "129, 130, 143"] {
        assert_eq!(meaning(readme, code), meaning(reference, code));
    }
}
