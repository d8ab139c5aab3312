//! The tools of published servers are cases too, one a row: the verdict on it is the one that stands
//! beside it (`conformance/published/README.md`).

use crate::case::{self, Case, PUBLISHED, Source};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use std::path::Path;

#[derive(Deserialize)]
struct Published {
    tools: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    name: String,
    expected: String,
    why: String,
    // Raw, so that their numbers stay as they are written.
    old: Box<RawValue>,
    new: Box<RawValue>,
}

/// The rows of `conformance/published/*.json` as cases of `diff_tools`, none if there is no such folder.
pub fn load(root: &Path) -> Result<Vec<Case>, String> {
    let dir = root.join("conformance/published");
    if !dir.is_dir() {
        return Ok(Vec::new());
    }
    let mut cases = Vec::new();
    for path in case::json_files(&dir)? {
        let bad = |error: String| format!("`{}`: {error}", path.display());
        let text = std::fs::read_to_string(&path).map_err(|error| bad(error.to_string()))?;
        let file: Published =
            serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let rows = file.tools.iter().enumerate();
        cases.extend(rows.map(|(number, row)| case_of(&name, number, row)));
    }
    Ok(cases)
}

fn case_of(file: &str, number: usize, row: &Row) -> Case {
    let (old, new) = (list(&row.old), list(&row.new));
    Case {
        id: slug(&format!("{PUBLISHED}{file} {number} {}", row.name)),
        spec: vec!["DIFF-1".to_owned()],
        about: row.why.trim_end_matches('.').to_owned(),
        op: "diff_tools".to_owned(),
        input: Source::Text {
            text: format!("{{\"old\":{old},\"new\":{new}}}"),
        },
        options: Map::new(),
        expect: json!({"result": {"verdict": verdict(&row.expected)}}),
        smoke: false,
        topic: format!("{PUBLISHED}{file}"),
    }
}

/// The verdict that is expected: how much is proven is only recommended, so *unknown* will do as well.
fn verdict(expected: &str) -> Value {
    match expected {
        "same" | "unknown" => json!(expected),
        other => json!({"$reference": other, "or": ["unknown"]}),
    }
}

/// A list of the one tool, or of none.
fn list(tool: &RawValue) -> String {
    match tool.get() {
        "null" => "[]".to_owned(),
        tool => format!("[{tool}]"),
    }
}

/// The text as a part of an id: letters and digits in lower case, and hyphens.
fn slug(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    words.join("-").to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_case_with_an_id_of_its_own() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let cases = load(&root).unwrap();
        let ids: std::collections::BTreeSet<_> = cases.iter().map(|case| &case.id).collect();
        assert_eq!(ids.len(), cases.len());
        assert!(cases.len() >= 200, "{}", cases.len());
        let verdicts = [
            "same",
            "compatible",
            "text",
            "behaviour",
            "safety",
            "unknown",
            "breaking",
        ];
        for case in &cases {
            let verdict = &case.expect["result"]["verdict"];
            let verdict = verdict.get("$reference").unwrap_or(verdict).as_str();
            assert!(
                verdict.is_some_and(|word| verdicts.contains(&word)),
                "{}",
                case.id
            );
        }
    }

    #[test]
    fn numbers_and_missing_tools_stay_as_they_are() {
        let text = r#"{"tools": [{"name": "Do_it", "expected": "compatible",
            "why": "The tool is new.", "old": null, "new": {"name": "Do_it", "maximum": 1.50}}]}"#;
        let file: Published = serde_json::from_str(text).unwrap();
        let case = case_of("s-0.9-1.0", 0, &file.tools[0]);
        let input = String::from_utf8(case.input.bytes().unwrap()).unwrap();
        assert_eq!(case.id, "published-s-0-9-1-0-0-do-it");
        assert_eq!(case.file(), "published/s-0.9-1.0");
        assert_eq!(case.about, "The tool is new");
        assert_eq!(
            input,
            r#"{"old":[],"new":[{"name": "Do_it", "maximum": 1.50}]}"#
        );
    }
}
