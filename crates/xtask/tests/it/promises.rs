//! SECURITY.md says which test shows each rule that stops somebody; there has to be one of that name. Comments
//! cite rules, and those have to be in the specification.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn each_promise_names_tests_that_there_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("SECURITY.md")).unwrap();
    let sources = texts(&root.join("crates"), "rs");
    let cases = texts(&root.join("conformance/cases"), "json");
    let (mut rows, mut missing) = (0, Vec::new());
    for row in rows_on_tests(&page) {
        rows += 1;
        let (tests, ids) = named(row);
        if tests.is_empty() && ids.is_empty() {
            missing.push(format!("no test: {row}"));
        }
        for (file, name) in tests {
            let there = sources
                .iter()
                .any(|(path, text)| path.ends_with(&file) && text.contains(&format!("fn {name}(")));
            if !there {
                missing.push(format!("`{file}` has no `{name}`: {row}"));
            }
        }
        for id in ids {
            let id = format!("\"id\": \"{id}\"");
            if !cases.iter().any(|(_, text)| text.contains(&id)) {
                missing.push(format!("no case with {id}: {row}"));
            }
        }
    }
    assert!(rows > 60, "only {rows} rows were found");
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn comments_cite_rules_that_there_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let chapters = texts(&root.join("spec"), "md");
    let is_rule = |id: &str| {
        let bold = format!("**{id}**");
        chapters.iter().any(|(_, text)| text.contains(&bold))
    };
    let mut missing = BTreeSet::new();
    let sources = texts(&root.join("crates"), "rs");
    for (path, text) in &sources {
        let comments = text.lines().filter_map(|line| line.split_once("//"));
        for id in comments.flat_map(|(_, comment)| rule_ids(comment)) {
            if !is_rule(id) {
                missing.insert(format!("{}: {id}", path.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// The words of a text that have the form of a rule's id, such as `READ-7`.
fn rule_ids(text: &str) -> impl Iterator<Item = &str> {
    const OTHER: [&str; 3] = ["UTF", "ECMA", "SHA"];
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-')
        .filter(|word| {
            word.split_once('-').is_some_and(|(chapter, number)| {
                chapter.bytes().all(|byte| byte.is_ascii_uppercase())
                    && !chapter.is_empty()
                    && !OTHER.contains(&chapter)
                    && !number.is_empty()
                    && number.bytes().all(|byte| byte.is_ascii_digit())
            })
        })
}

/// The rows of the tables whose last column is the test.
fn rows_on_tests(page: &str) -> impl Iterator<Item = &str> {
    page.split("\n\n")
        .filter(|block| {
            block.starts_with('|')
                && block
                    .lines()
                    .next()
                    .is_some_and(|head| head.ends_with("| test |"))
        })
        .flat_map(|table| table.lines().skip(2))
}

/// The tests of a row, each with its file, and the ids of its cases.
fn named(row: &str) -> (Vec<(String, String)>, Vec<String>) {
    let last = row
        .trim_end_matches(" |")
        .rsplit(" | ")
        .next()
        .unwrap_or_default();
    let (mut tests, mut ids) = (Vec::new(), Vec::new());
    for part in last.split("; ") {
        let words: Vec<String> = part
            .split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect();
        match words.split_first() {
            Some((file, names)) if file.ends_with(".rs") => {
                tests.extend(names.iter().map(|name| (file.clone(), name.clone())));
            }
            Some(_) => ids.extend(words),
            None => {}
        }
    }
    (tests, ids)
}

/// The files below a folder with an extension, with their text.
fn texts(folder: &Path, extension: &str) -> Vec<(PathBuf, String)> {
    let files = crate::files(folder, extension).into_iter();
    files
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            (path, text)
        })
        .collect()
}
