//! The cases that stand in the specification become case files.

use crate::case::{self, Case};
use crate::spec::{self, Chapter};
use serde_json::{Value, json};
use std::path::Path;

const PREFIX: &str = "spec-";

/// Writes or checks `conformance/cases/spec-*.json`; `Ok(false)` if a check finds a stale file.
pub fn command(root: &Path, check: bool) -> Result<bool, String> {
    let dir = root.join("conformance/cases");
    let mut wanted = Vec::new();
    for chapter in spec::load(&root.join("spec"))? {
        if let Some(text) = extract(&chapter)? {
            wanted.push((format!("{PREFIX}{}.json", chapter.name()), text));
        }
    }
    let mut fresh = true;
    for (name, text) in &wanted {
        let path = dir.join(name);
        if std::fs::read_to_string(&path).ok().as_deref() == Some(text) {
            continue;
        }
        if check {
            fresh = false;
            println!(
                "stale: {}; run `toolwire-conformance extract`",
                path.display()
            );
        } else {
            std::fs::write(&path, text)
                .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
            println!("wrote {}", path.display());
        }
    }
    for path in case::json_files(&dir)? {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if name.starts_with(PREFIX) && !wanted.iter().any(|(wanted, _)| *wanted == name) {
            if check {
                fresh = false;
                println!(
                    "stale: {}; the chapter has no cases any more",
                    path.display()
                );
            } else {
                std::fs::remove_file(&path)
                    .map_err(|error| format!("cannot remove `{}`: {error}", path.display()))?;
                println!("removed {}", path.display());
            }
        }
    }
    Ok(fresh)
}

/// The text of a chapter's case file, or none if it has no cases.
fn extract(chapter: &Chapter) -> Result<Option<String>, String> {
    let mut cases = Vec::new();
    for fence in chapter.case_fences()? {
        let at = |error: String| format!("spec/{}:{}: {error}", chapter.file, fence.line);
        let value: Value =
            serde_json::from_str(&fence.text).map_err(|error| at(error.to_string()))?;
        // The fence must hold a case; how it is written is then made uniform.
        let case: Case = serde_json::from_value(value)
            .map_err(|error| at(format!("the fence does not hold a case: {error}")))?;
        cases.push(case);
    }
    if cases.is_empty() {
        return Ok(None);
    }
    let file = json!({
        "$generated": format!(
            "from spec/{} by `toolwire-conformance extract`; edit the chapter, not this file",
            chapter.file
        ),
        "cases": cases,
    });
    let text = serde_json::to_string_pretty(&file).map_err(|error| error.to_string())?;
    Ok(Some(text + "\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_become_a_case_file_that_names_its_source() {
        let chapter = Chapter {
            file: "03-canonical.md".to_owned(),
            text: "```json case\n{\"id\":\"a\",\"spec\":[\"CANON-1\"],\"about\":\"x\",\"op\":\"digest\",\
                \"input\":{\"text\":\"1\"},\"expect\":{\"result\":{}}}\n```\n"
                .to_owned(),
        };
        let text = extract(&chapter).unwrap().unwrap();
        let file: Value = serde_json::from_str(&text).unwrap();
        assert!(
            file["$generated"]
                .as_str()
                .unwrap()
                .contains("spec/03-canonical.md")
        );
        assert_eq!(file["cases"][0]["id"], "a");
    }

    #[test]
    fn a_fence_that_is_no_case_is_named_by_its_line() {
        let chapter = Chapter {
            file: "03-canonical.md".to_owned(),
            text: "x\n\n```json case\n{\"id\":\"a\"}\n```\n".to_owned(),
        };
        let message = extract(&chapter).unwrap_err();
        assert!(message.starts_with("spec/03-canonical.md:4: "), "{message}");
    }
}
