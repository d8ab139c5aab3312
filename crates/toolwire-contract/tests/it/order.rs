//! The order of members, which authors choose, says nothing in a contract (CANON-9, CANON-10).

use toolwire::Json;
use toolwire_contract::diff::{DiffOptions, What, diff_tools};
use toolwire_contract::fingerprint::{FingerprintOptions, fingerprint};

fn json(text: &str) -> Json {
    Json::new(text).unwrap()
}

#[test]
fn the_order_of_launch_facts_makes_no_other_fingerprint() {
    let tool = json(r#"{"name":"t","inputSchema":{}}"#);
    let of = |launch: &str| {
        let options = FingerprintOptions {
            launch: Some(json(launch)),
            ..FingerprintOptions::default()
        };
        fingerprint(&tool, &options).unwrap().safety
    };
    assert_eq!(
        of(r#"{"launcher":"uvx","transport":"stdio"}"#),
        of(r#"{"transport":"stdio","launcher":"uvx"}"#)
    );
}

#[test]
fn a_renamed_tool_is_recognized_whatever_the_order_of_its_parameters() {
    let (a, b) = (r#""a":{"type":"string"}"#, r#""b":{"type":"integer"}"#);
    let tool = |name: &str, properties: &str| {
        format!(r#"{{"name":"{name}","inputSchema":{{"properties":{{{properties}}}}}}}"#)
    };
    let old = format!("[{}]", tool("find", &format!("{a},{b}")));
    let (near, same) = (tool("finda", a), tool("findb", &format!("{b},{a}")));
    let new = format!("[{near},{same}]");
    let diff = diff_tools(&json(&old), &json(&new), &DiffOptions::default()).unwrap();
    let mut changes = diff.changes.iter();
    let renamed = changes
        .find(|change| change.what == What::ToolRenamed)
        .unwrap();
    assert_eq!(renamed.new, Some(json(r#""findb""#)), "{renamed:?}");
}
