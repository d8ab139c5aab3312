//! The tables that map each rule of the specification, and each diagnostic code, to the cases that
//! show it.

use crate::case::{self, Case, expected_codes};
use crate::laws;
use crate::registry::Registry;
use crate::spec::{self, Rule};
use std::collections::BTreeMap;
use std::path::Path;

/// So many cases of a rule are named; the rest are counted.
const NAMED: usize = 6;

/// Prints the tables; `Ok(false)` if a rule is shown by nothing.
pub fn command(root: &Path) -> Result<bool, String> {
    let rules: Vec<Rule> = spec::load(&root.join("spec"))?
        .iter()
        .flat_map(spec::Chapter::rules)
        .collect();
    let cases = case::load_all(&root.join("conformance/cases"))?;
    let registry = Registry::load(&root.join("schema/diagnostics.json"))?;
    let (mut text, complaints) = table(&rules, &cases);
    text.push_str(&code_table(&registry, &cases));
    print!("{text}");
    for complaint in &complaints {
        eprintln!("{complaint}");
    }
    Ok(complaints.is_empty())
}

/// The rules that neither a case nor a law shows, in a sentence each.
pub fn complaints(rules: &[Rule], cases: &[Case]) -> Vec<String> {
    table(rules, cases).1
}

/// The text of the table, and what is wrong with the coverage.
fn table(rules: &[Rule], cases: &[Case]) -> (String, Vec<String>) {
    let mut by_rule: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for case in cases {
        for id in &case.spec {
            by_rule.entry(id).or_default().push(&case.id);
        }
    }
    let mut complaints = Vec::new();
    let mut text = String::from("# Coverage\n");
    let mut file = "";
    for rule in rules {
        if rule.file != file {
            file = &rule.file;
            text.push_str(&format!("\n## {file}\n\n| rule | shown by |\n|---|---|\n"));
        }
        let shown = by_rule.get(rule.id.as_str()).map_or(&[][..], Vec::as_slice);
        let law = laws::SHOWN.iter().find(|(id, _)| *id == rule.id);
        let cell = match (shown, law) {
            ([], Some((_, place))) => format!("law: {place}"),
            ([], None) => {
                complaints.push(format!("{} in spec/{file} has no case; add one", rule.id));
                "nothing".to_owned()
            }
            (ids, _) => name_cases(ids),
        };
        text.push_str(&format!("| {} | {} |\n", rule.id, cell.replace('|', "\\|")));
    }
    (text, complaints)
}

/// The text of the table of codes. That each has a case is checked by `lint`.
fn code_table(registry: &Registry, cases: &[Case]) -> String {
    let mut by_code: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for case in cases {
        for (code, _) in expected_codes(&case.expect) {
            let ids = by_code.entry(code).or_default();
            if ids.last() != Some(&case.id.as_str()) {
                ids.push(&case.id);
            }
        }
    }
    let mut text = String::from(
        "\n## Diagnostic codes\n\n| code | severity | effect | rule | provoked by |\n|---|---|---|---|---|\n",
    );
    for entry in registry.entries() {
        let ids = by_code
            .get(entry.code.as_str())
            .map_or(&[][..], Vec::as_slice);
        text.push_str(&format!(
            "| `{}` | {} | {} | {} | {} |\n",
            entry.code,
            entry.severity,
            entry.effect,
            entry.rule,
            name_cases(ids)
        ));
    }
    text
}

fn name_cases(ids: &[&str]) -> String {
    let named: Vec<String> = ids.iter().take(NAMED).map(|id| format!("`{id}`")).collect();
    let more = ids.len().saturating_sub(NAMED);
    let list = named.join(", ");
    if more == 0 {
        list
    } else {
        format!("{list} and {more} more")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(id: &str) -> Rule {
        Rule {
            id: id.to_owned(),
            file: "01-x.md".to_owned(),
        }
    }

    fn case_for(id: &str, rule: &str) -> Case {
        serde_json::from_value(serde_json::json!({
            "id": id, "spec": [rule], "about": "x", "op": "parse",
            "input": {"text": ""}, "expect": {"result": {}}
        }))
        .unwrap()
    }

    #[test]
    fn a_rule_needs_a_case_or_a_law() {
        let rules = [rule("X-1"), rule("X-2"), rule("FMT-1")];
        let (text, complaints) = table(&rules, &[case_for("one", "X-1")]);
        assert!(text.contains("| X-1 | `one` |") && text.contains("| FMT-1 | law: "));
        assert_eq!(complaints, ["X-2 in spec/01-x.md has no case; add one"]);
    }
}
