//! Tools of published servers, before and after: the verdict on each is the one that was written down by
//! hand (`conformance/published/README.md`).

use std::collections::BTreeMap;
use std::path::Path;

use toolwire::Json;
use toolwire_contract::diff::{DiffOptions, Verdict, Witness, closed, diff_tools};
use toolwire_schema::check_value;

struct Row {
    name: String,
    expected: String,
    old: Json,
    new: Json,
}

fn rows() -> Vec<Row> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/published");
    let mut rows = Vec::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let document = Json::new(std::fs::read_to_string(&path).unwrap()).unwrap();
        let tools: Vec<BTreeMap<String, Json>> = document.at("/tools").unwrap().to_value().unwrap();
        for tool in tools {
            let list = |side: &str| match tool[side].as_str() {
                "null" => Json::new("[]").unwrap(),
                tool => Json::new(format!("[{tool}]")).unwrap(),
            };
            let file = path.file_stem().unwrap().to_string_lossy().into_owned();
            rows.push(Row {
                name: format!("{file} {}", tool["name"]),
                expected: tool["expected"].to_text().unwrap(),
                old: list("old"),
                new: list("new"),
            });
        }
    }
    rows
}

#[test]
fn verdicts_on_published_tools_are_those_of_people() {
    let (mut changed, mut unknown) = (0, 0);
    let mut wrong = Vec::new();
    for row in rows() {
        let diff = diff_tools(&row.old, &row.new, &DiffOptions::default()).unwrap();
        if diff.verdict.as_str() != row.expected {
            wrong.push(format!(
                "{}: {} and not {}",
                row.name, diff.verdict, row.expected
            ));
        }
        changed += usize::from(row.old.as_str() != "[]" && row.new.as_str() != "[]");
        unknown += usize::from(diff.verdict == Verdict::Unknown);
        for change in &diff.changes {
            assert_eq!(
                change.witness.is_some(),
                change.verdict == Verdict::Breaking,
                "{change:?}"
            );
            assert!(!change.message.is_empty(), "{change:?}");
            let (schema, value, is_arguments) = match &change.witness {
                Some(Witness::Arguments(value)) => ("/0/inputSchema", value, true),
                Some(Witness::Result(value)) => ("/0/outputSchema", value, false),
                _ => continue,
            };
            let closed =
                |list: &Json| closed(&list.at(schema).unwrap_or_else(Json::empty_object)).unwrap();
            let (allows, refuses) = match is_arguments {
                true => (closed(&row.old), closed(&row.new)),
                false => (closed(&row.new), closed(&row.old)),
            };
            let is_free = row.new.at(schema).is_none();
            assert!(
                is_free || check_value(&allows, value).is_ok(),
                "{}: {change:?}",
                row.name
            );
            assert!(
                check_value(&refuses, value).is_err(),
                "{}: {change:?}",
                row.name
            );
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(changed >= 200, "{changed}");
    assert!(unknown * 20 <= changed, "{unknown} of {changed}");
}
