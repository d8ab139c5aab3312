//! SECURITY.md says which test shows each rule that stops somebody; there has to be one of that name.

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn each_promise_names_tests_that_there_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("SECURITY.md")).unwrap();
    let sources = files(&root.join("crates"), "rs");
    let cases = files(&root.join("conformance/cases"), "json");
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

/// The files below a folder whose names end so, with their text.
fn files(folder: &Path, ending: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|one| one == ending) {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    found
}
