//! Schemas that somebody else wrote.

use toolwire::Json;
use toolwire_schema::{CheckError, check_foreign};

fn fits(schema: &str, value: &str) -> bool {
    match check_foreign(&Json::new(schema).unwrap(), &Json::new(value).unwrap()) {
        Ok(()) => true,
        Err(CheckError::Mismatches(_)) => false,
        Err(error) => panic!("{schema}: {error}"),
    }
}

#[test]
fn older_dialects_are_read_as_they_are_meant() {
    let tuple = r#"{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"},{"type":"integer"}],"additionalItems":false}"#;
    assert!(fits(tuple, r#"["a",1]"#));
    assert!(!fits(tuple, r#"[1,"a"]"#) && !fits(tuple, r#"["a",1,2]"#));
    let over = r#"{"minimum":1,"exclusiveMinimum":true,"maximum":3,"exclusiveMaximum":false}"#;
    assert!(fits(over, "3") && !fits(over, "1"));
    let beside = r##"{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":"#/definitions/n","minimum":5}},"definitions":{"n":{"type":"integer"}}}"##;
    assert!(fits(beside, r#"{"a":1}"#) && !fits(beside, r#"{"a":"x"}"#));
    let tree = r##"{"$schema":"https://json-schema.org/draft/2019-09/schema","properties":{"n":{"type":"integer"},"c":{"$recursiveRef":"#"}}}"##;
    assert!(fits(tree, r#"{"c":{"n":1}}"#) && !fits(tree, r#"{"c":{"n":"x"}}"#));
}

#[test]
fn what_libraries_write_for_nothing_is_nothing() {
    for schema in [
        r#"{"type":"object","properties":null,"required":null,"description":null}"#,
        r#"{"type":"object","properties":[],"required":[],"$defs":[]}"#,
        r#"{"properties":{"a":null,"b":[],"c":{"type":"string","enum":null,"default":null}},"required":["a",1,"a"]}"#,
        r#"{"properties":{"a":{"required":true,"items":null,"anyOf":null}}}"#,
    ] {
        assert!(fits(schema, r#"{"a":1}"#), "{schema}");
    }
    assert!(!fits(r#"{"properties":null,"required":["a",null]}"#, "{}"));
    // What nobody can know stays a mistake.
    let text = Json::new(r#"{"type":"text"}"#).unwrap();
    let error = check_foreign(&text, &Json::from(true)).unwrap_err();
    assert!(matches!(error, CheckError::BadSchema(_)));
}
