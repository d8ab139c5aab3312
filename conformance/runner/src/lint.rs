//! The cases are checked like code: a case that nobody can trust is worse than none.

use crate::case::{self, Case, expected_codes};
use crate::classes::Classes;
use crate::compare::sha256_hex;
use crate::coverage;
use crate::registry::Registry;
use crate::spec::{self, Chapter, Rule};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The smoke stage is a handful, or it is no smoke stage.
const SMOKE: std::ops::RangeInclusive<usize> = 3..=30;

/// The rule of the codes that only functions outside of the specification give.
const OUTSIDE: &str = "DIAG-50";

/// Checks everything and prints what is wrong; `Ok(false)` if something is.
pub fn command(root: &Path) -> Result<bool, String> {
    let schema_path = root.join("conformance/case.schema.json");
    let schema = read_json(&schema_path)?;
    let dir = root.join("conformance/cases");
    let mut complaints = Vec::new();
    let mut cases = Vec::new();
    let validator = jsonschema::validator_for(&schema)
        .map_err(|error| format!("`{}` is not a schema: {error}", schema_path.display()))?;
    for path in case::json_files(&dir)? {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let file = read_json(&path)?;
        let before = complaints.len();
        for error in validator.iter_errors(&file) {
            let at = error.instance_path().to_string();
            let id = case_id_at(&file, &at);
            complaints.push(format!("{name}: {id}{at}: {error}"));
        }
        // Only a file that fits the schema can be read into cases.
        if complaints.len() == before {
            cases.extend(case::load(&path)?);
        }
    }
    let chapters = spec::load(&root.join("spec"))?;
    let registry = Registry::load(&root.join("schema/diagnostics.json"))?;
    complaints.extend(check_cases(&cases, &registry));
    complaints.extend(check_spec(&chapters, &cases));
    let page = std::fs::read_to_string(root.join("conformance/operations.md"))
        .map_err(|error| format!("cannot read `conformance/operations.md`: {error}"))?;
    complaints.extend(Classes::load(root)?.complaints(&cases, &page));
    let rules: Vec<Rule> = chapters.iter().flat_map(Chapter::rules).collect();
    complaints.extend(coverage::complaints(&rules, &cases));
    for complaint in &complaints {
        println!("{complaint}");
    }
    let smoke = cases.iter().filter(|case| case.smoke).count();
    println!(
        "{} cases ({smoke} smoke), {} complaints",
        cases.len(),
        complaints.len()
    );
    Ok(complaints.is_empty())
}

fn read_json(path: &Path) -> Result<Value, String> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("`{}`: {error}", path.display()))
}

/// The id of the case that a pointer such as `/cases/3/expect` leads into.
fn case_id_at(file: &Value, pointer: &str) -> String {
    let index = pointer
        .split('/')
        .nth(2)
        .and_then(|token| token.parse::<usize>().ok());
    index
        .and_then(|index| file["cases"][index]["id"].as_str())
        .map_or(String::new(), |id| format!("`{id}` "))
}

/// Ids, duplicates, codes: what a schema can't see.
fn check_cases(cases: &[Case], registry: &Registry) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut ids: BTreeMap<&str, &str> = BTreeMap::new();
    let mut inputs: BTreeMap<String, &str> = BTreeMap::new();
    let mut provoked = BTreeSet::new();
    for case in cases {
        let mut complain =
            |text: String| complaints.push(format!("{}: `{}` {text}", case.topic, case.id));
        if let Some(topic) = ids.insert(&case.id, &case.topic) {
            complain(format!("has an id that is taken in {topic}"));
        }
        match fingerprint(case) {
            Err(message) => complain(format!("cannot be sent: {message}")),
            Ok(fingerprint) => {
                if let Some(other) = inputs.insert(fingerprint, &case.id) {
                    complain(format!("asks the same as `{other}`"));
                }
            }
        }
        for (code, severity) in expected_codes(&case.expect) {
            match registry.get(code) {
                None => complain(format!(
                    "expects the code `{code}`, which is not in the registry"
                )),
                Some(entry) => {
                    if severity.is_some_and(|severity| severity != entry.severity) {
                        complain(format!(
                            "expects `{code}` with another severity than the registry's"
                        ));
                    }
                    provoked.insert(code);
                }
            }
        }
    }
    for entry in registry
        .entries()
        .filter(|entry| entry.rule != OUTSIDE && !provoked.contains(entry.code.as_str()))
    {
        complaints.push(format!("the code `{}` is provoked by no case", entry.code));
    }
    let smoke = cases.iter().filter(|case| case.smoke).count();
    if !SMOKE.contains(&smoke) {
        complaints.push(format!(
            "{smoke} cases are smoke cases; there should be {} to {}",
            SMOKE.start(),
            SMOKE.end()
        ));
    }
    complaints
}

/// Rule numbers: defined once, referred to only if defined, and none missing.
fn check_spec(chapters: &[Chapter], cases: &[Case]) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut defined: BTreeMap<String, String> = BTreeMap::new();
    for chapter in chapters {
        for Rule { id, file, .. } in chapter.rules() {
            if let Some(other) = defined.insert(id.clone(), file.clone()) {
                complaints.push(format!("spec/{file}: {id} is defined in {other} too"));
            }
        }
        for id in chapter.rules_without_key_word() {
            complaints.push(format!(
                "spec/{}: {id} says neither MUST, SHOULD nor MAY",
                chapter.file
            ));
        }
        let long = chapter.long_rules().into_iter();
        for (id, words) in long.filter(|_| chapter.is_standard()) {
            complaints.push(format!("spec/{}: {id} has {words} words", chapter.file));
        }
        for line in chapter.unnumbered_musts() {
            complaints.push(format!(
                "spec/{}:{line}: a MUST without a number",
                chapter.file
            ));
        }
    }
    for case in cases {
        for id in case.spec.iter().filter(|id| !defined.contains_key(*id)) {
            complaints.push(format!(
                "{}: `{}` names {id}, which is not in the specification",
                case.topic, case.id
            ));
        }
    }
    complaints
}

/// What makes two cases ask the same.
fn fingerprint(case: &Case) -> Result<String, String> {
    let input = sha256_hex(&case.input.bytes()?);
    Ok(json!([case.op, input, case.wire_options()?]).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registry() -> Registry {
        Registry::parse(
            r#"{"codes":[{"code":"bom","severity":"warning","effect":"none"},
                {"code":"never","severity":"note","effect":"none"}]}"#,
        )
        .unwrap()
    }

    fn make(id: &str, text: &str, expect: Value) -> Case {
        serde_json::from_value(json!({
            "id": id, "spec": ["X-1"], "about": "x", "op": "parse",
            "input": {"text": text}, "expect": expect
        }))
        .unwrap()
    }

    #[test]
    fn bad_cases_are_found() {
        let code = |code: &str| json!({"result": {"diagnostics": [{"code": code}]}});
        let cases = [
            make("a", "1", code("bom")),
            make("a", "2", code("bom")),
            make("c", "2", code("invented")),
            make(
                "d",
                "3",
                json!({"error": {"code": "bom", "severity": "error"}}),
            ),
        ];
        let complaints = check_cases(&cases, &registry()).join("\n");
        for part in [
            "`a` has an id that is taken",
            "`c` asks the same as `a`",
            "`c` expects the code `invented`",
            "`d` expects `bom` with another severity",
            "the code `never` is provoked by no case",
            "0 cases are smoke cases",
        ] {
            assert!(complaints.contains(part), "{part} is not in:\n{complaints}");
        }
    }

    #[test]
    fn bad_rule_numbers_are_found() {
        let chapter = |file: &str, text: &str| Chapter {
            file: file.to_owned(),
            text: text.to_owned(),
        };
        let chapters = [
            chapter("01-a.md", "**Y-1** One.\n\nThat MUST be so."),
            chapter("02-b.md", "**Y-1** It SHOULD be.\n- **Y-2** It is."),
        ];
        let complaints = check_spec(&chapters, &[make("a", "1", json!({}))]).join("\n");
        for part in [
            "02-b.md: Y-1 is defined",
            "01-a.md: Y-1 says neither MUST",
            "02-b.md: Y-2 says neither MUST",
            "01-a.md:3: a MUST",
            "`a` names X-1",
        ] {
            assert!(complaints.contains(part), "{part} is not in:\n{complaints}");
        }
    }

    /// The written schema accepts what the readers accept, and refuses common slips.
    #[test]
    fn the_schema_of_cases_works() {
        let schema: Value = serde_json::from_str(include_str!("../../case.schema.json")).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let file = |case: Value| json!({"cases": [case]});
        let good = json!({
            "id": "a-1", "spec": ["X-1"], "about": "what it shows", "op": "parse",
            "input": {"concat": [{"text": "a"}, {"repeat": "b", "times": 3}]},
            "expect": {"result": {"diagnostics": [{"code": "bom", "pointer": "", "offset": 0}]}}
        });
        assert!(validator.is_valid(&file(good.clone())));
        let slips = [
            ("/id", json!("A 1")),
            ("/spec", json!([])),
            ("/op", json!("parze")),
            ("/input", json!("text")),
            ("/input", json!({"text": "a", "base64": ""})),
            ("/expect", json!({})),
            ("/expect/result/diagnostics/0", json!({"code": "bom"})),
        ];
        for (pointer, value) in slips {
            let mut bad = good.clone();
            *bad.pointer_mut(pointer).unwrap() = value.clone();
            assert!(
                !validator.is_valid(&file(bad)),
                "{pointer} = {value} is accepted"
            );
        }
        let mut surplus = good;
        surplus["smoek"] = json!(true);
        assert!(!validator.is_valid(&file(surplus)));
    }
}
