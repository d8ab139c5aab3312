//! Profiles that were read, changed and written, and results that are not as expected.

use std::collections::BTreeMap;

use super::*;

/// The profile that a model designs in the seed.
const DESIGNED: &str = r#"{
  "server": "biomcp",
  "description": "BioMCP: Biomedical data for clinical trials and genomics",
  "launcher": {
    "command": "uv",
    "args": ["run", "--with", "biomcp-python", "biomcp", "run"],
    "transport": "stdio"
  },
  "tools": {
    "search": {
      "description": "General biomedical search. Returns text summaries.",
      "parameters": {
        "gene": {"type": "string", "required": true, "description": "Gene symbol (e.g., BRAF)"},
        "disease": {"type": "string", "description": "Filter by disease name"}
      },
      "output_format": "text/plain",
      "notes": "Returns prose description, not structured JSON. Good for LLM consumption."
    },
    "trial_search": {"description": "Search clinical trials by gene/disease/phase"}
  },
  "schema_hash": "a3f5b8c2...",  // MD5 of tool schemas
  "created": "2025-11-12",
  "tested_with": {
    "search": ["BRAF", "BRAF+melanoma", "EGFR"],
    "trial_search": ["BRAF+PHASE3"]
  }
}"#;

#[test]
fn the_files_of_a_profile_are_the_profile() {
    let profile = read_profile(DESIGNED).unwrap();
    let files = write_profile(&profile, &BTreeMap::new()).unwrap();
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names, ["_meta.json", "search.json", "trial_search.json"]);
    let again = read_profile_files(&files).unwrap();
    assert_eq!(again.to_json(), profile.to_json());
    assert_eq!(write_profile(&again, &files).unwrap(), files);
}

#[test]
fn names_of_tools_survive_their_files() {
    let pieces = [
        "a", "A", "_meta", ".", "..", "%", "%25", "/", "\\", "con", "COM1", "é", " ", "\0",
    ];
    let mut profile = read_profile(r#"{"command":"a"}"#).unwrap();
    for first in pieces {
        for second in pieces {
            let tool = ProfileTool::new(&format!("{first}{second}"), &Json::empty_object());
            profile.put_tool(tool.unwrap());
        }
    }
    let files = write_profile(&profile, &BTreeMap::new()).unwrap();
    let mut folded: Vec<String> = files.keys().map(|name| name.to_lowercase()).collect();
    folded.sort_unstable();
    folded.dedup();
    assert_eq!(folded.len(), profile.tools().len() + 1);
    let again = read_profile_files(&files).unwrap();
    assert_eq!(again.to_json(), profile.to_json());
}

#[test]
fn what_can_not_be_set_changes_nothing() {
    let mut profile = read_profile(DESIGNED).unwrap();
    let before = profile.clone();
    for (name, value) in [
        ("args", "[]"),
        ("launcher", "null"),
        ("schema_validation", "\"loud\""),
        ("tools", "{}"),
        ("created", "1"),
    ] {
        let error = profile
            .set(name, Some(Json::new(value).unwrap()))
            .unwrap_err();
        assert_eq!(error.code(), Code::BadProfile, "{name}");
        assert_eq!(profile, before);
    }
    assert!(profile.set("launcher", None).is_err());
    profile.set("created", None).unwrap();
    assert_eq!(profile.created(), None);
}

#[test]
fn a_draft_says_what_the_schema_says() {
    for (schema, parameters) in [
        (
            r#"{"type":"object","properties":{"a":{"type":"string"},"b":{}},"required":["a"]}"#,
            Some(r#"{"a":{"type":"string","required":true},"b":{}}"#),
        ),
        (
            r#"{"type":"object","title":"x","properties":{"type":{"type":"string"}}}"#,
            Some(r#"{"type":{"type":"string"}}"#),
        ),
        (r#"{"type":"object"}"#, Some("{}")),
        (r#"{"type":"object","properties":{"a":true}}"#, None),
        (r#"{"type":"object","required":["a"]}"#, None),
        (r#"{"type":"object","additionalProperties":false}"#, None),
        (
            r#"{"type":"object","properties":{"a":{"required":["x"]}}}"#,
            None,
        ),
        (r#"{"properties":{}}"#, None),
    ] {
        let tool = Json::new(format!(r#"{{"name":"t","inputSchema":{schema}}}"#)).unwrap();
        let draft = draft_tool(&tool, None).unwrap();
        let expected = Json::new(parameters.unwrap_or(schema)).unwrap();
        assert_eq!(draft.get("parameters"), Some(&expected), "{schema}");
    }
    let tool = Json::new(r#"{"name":"t","description":"d","outputSchema":{}}"#).unwrap();
    let fingerprints = Json::new(r#"{"text":"sha256:00"}"#).unwrap();
    assert_eq!(
        draft_tool(&tool, Some(&fingerprints))
            .unwrap()
            .to_json()
            .as_str(),
        r#"{"tool":"t","description":"d","output_format":"application/json","fingerprints":{"text":"sha256:00"}}"#,
    );
    assert!(draft_tool(&Json::empty_object(), None).is_err());
}

#[test]
fn a_result_of_another_type_is_told() {
    let text = |text: &str| {
        format!(
            r#"{{"content":[{{"type":"text","text":{}}}]}}"#,
            toolwire::json::string(text)
        )
    };
    let resource = r#"{"content":[{"type":"resource","resource":{"uri":"x:y","mimeType":"Text/CSV; charset=utf-8","text":"a,b"}}]}"#;
    let data = r#"{"content":[],"structuredContent":{"a":1}}"#;
    let none: &[&str] = &[];
    for (format, result, other) in [
        ("text/plain", text("prose"), none),
        ("text/plain", text("{\"a\":1}"), &["application/json"]),
        ("text/plain", text("{not json}"), none),
        ("text", text("prose"), none),
        ("text/markdown", text("# prose"), none),
        ("application/json", text("[1]"), none),
        ("json", text("prose"), &["text/plain"]),
        ("application/json", data.to_owned(), none),
        ("text/plain", data.to_owned(), &["application/json"]),
        ("text/csv", resource.to_owned(), none),
        ("text/*", resource.to_owned(), none),
        ("image/*", resource.to_owned(), &["text/csv"]),
        ("*", text("prose"), &["text/plain"]),
        ("text/csv", r#"{"content":[]}"#.to_owned(), none),
    ] {
        let tool = format!(r#"{{"output_format":"{format}"}}"#);
        let tool = ProfileTool::new("t", &Json::new(tool).unwrap()).unwrap();
        let found = tool.other_output(&Json::new(&result).unwrap()).unwrap();
        assert_eq!(found, other, "{format} {result}");
    }
    let tool = Json::new(r#"{"output_format":"application/json"}"#).unwrap();
    let tool = ProfileTool::new("t", &tool).unwrap();
    let failed = r#"{"isError":true,"content":[{"type":"text","text":"no"}]}"#;
    assert!(
        tool.other_output(&Json::new(failed).unwrap())
            .unwrap()
            .is_empty()
    );
}
