//! The table of chapter 21 and its cases say the same: each cell has a case, whose last outcome is what the cell
//! says.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

const STATES: [&str; 5] = ["absent", "running", "waiting", "ending", "stopped"];

#[test]
fn each_cell_of_the_table_has_its_case() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("a file");
    let rows = rows(&read("spec/21-sessions.md"));
    assert_eq!(rows.len(), 20, "{rows:?}");
    let file: Value = serde_json::from_str(&read("conformance/cases/session-table.json")).unwrap();
    let cases = file["cases"].as_array().expect("cases");
    let mut left: BTreeMap<&str, &Value> = cases
        .iter()
        .map(|case| (case["id"].as_str().expect("an id"), case))
        .collect();
    for row in &rows {
        let event = row[0].replace(", ", "-").replace(' ', "-");
        for (state, cell) in STATES.iter().zip(&row[1..]) {
            let id = format!("session-{event}-{state}");
            let case = left
                .remove(&*id)
                .unwrap_or_else(|| panic!("there is no `{id}`"));
            let outcomes = case["expect"]["result"]["outcomes"]
                .as_array()
                .expect("outcomes");
            assert_eq!(
                said(outcomes.last().unwrap()),
                expected(cell, state),
                "{id}"
            );
        }
    }
    assert!(left.is_empty(), "no cell has these: {:?}", left.keys());
}

/// The rows of the table, the cells of each.
fn rows(chapter: &str) -> Vec<Vec<String>> {
    let lines = chapter
        .lines()
        .skip_while(|line| !line.starts_with("| event | absent |"));
    let rows = lines.skip(2).take_while(|line| line.starts_with('|'));
    rows.map(|line| {
        let cells = line.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().to_owned()).collect()
    })
    .collect()
}

/// The state, the effects and the code that a cell tells of.
fn expected(cell: &str, before: &str) -> Value {
    if let Some(code) = cell.strip_prefix('`') {
        return json!([before, [], code.trim_matches('`')]);
    }
    let (state, effects) = cell.split_once(": ").unwrap_or((cell, ""));
    let effects: Vec<&str> = effects
        .split(", ")
        .filter(|effect| !effect.is_empty())
        .collect();
    json!([state, effects, null])
}

/// Those that a case expects.
fn said(outcome: &Value) -> Value {
    let effects = outcome["effects"].as_array().expect("effects");
    let effects: Vec<&Value> = effects.iter().map(|effect| &effect["effect"]).collect();
    json!([outcome["state"], effects, outcome["refusal"]["code"]])
}
