//! A model's call of a session tool, held against the schema that the model is shown.

use toolwire::call::ToolDescription;
use toolwire::session::{ActionStyle, action_schema, read_command};
use toolwire::{Error, Json};
use toolwire_schema::check_value;

fn shown(tool: &str, style: ActionStyle) -> Json {
    action_schema(&ToolDescription::from_json(tool).unwrap(), style)
}

fn read(call: &str, tool: &str) -> Result<(), Error> {
    let tool = ToolDescription::from_json(tool)?;
    read_command(&Json::new(call)?, &tool).map(drop)
}

const OWN: [&str; 4] = [
    r##"{"type":"object","$defs":{"W":{"enum":["stage","commit"]}},"properties":{"command":{"$ref":"#/$defs/W"},"again":{"$ref":"#/properties/command"}},"additionalProperties":false}"##,
    r##"{"type":"object","definitions":{"W":{"enum":["stage","commit"]}},"properties":{"id":{"type":"integer"},"command":{"$ref":"#/definitions/W"},"again":{"$ref":"#/properties/command"}}}"##,
    r##"{"type":"object","properties":{"command":{"enum":["stage","commit"]},"again":{"allOf":[{"$ref":"#/properties/command"}]},"other":{"$ref":"#"}}}"##,
    r#"{"type":"object","patternProperties":{"^(command|again)$":{"enum":["stage","commit"]}},"additionalProperties":true}"#,
];

fn tool(own: &str, actions: &str) -> String {
    format!(
        r#"{{"name":"git","inputSchema":{own},"_meta":{{"dev.toolwire/actions":{actions},"dev.toolwire/screen":true}}}}"#
    )
}

/// Calls without nulls, of which some are wrong; the own arguments stand for `OWN`.
const CALLS: [(&str, bool); 19] = [
    (r#"{"action":"spawn","id":"a"OWN}"#, true),
    (r#"{"action":"spawn"OWN}"#, false),
    (r#"{"action":"spawn","id":7OWN}"#, false),
    (r#"{"id":"a"}"#, false),
    (r#"{"action":"fetch","id":"a"}"#, true),
    (
        r#"{"action":"fetch","id":"a","after":0,"wait":1.5,"until":"$","view":"new"}"#,
        true,
    ),
    (r#"{"action":"fetch","id":"a","after":-1}"#, false),
    (r#"{"action":"fetch","id":"a","wait":86401}"#, false),
    (r#"{"action":"fetch","id":"a","view":"all"}"#, false),
    (r#"{"action":"fetch","id":"a","input":"y"}"#, false),
    (
        r#"{"action":"apply","id":"a","input":"y","question":"q"}"#,
        true,
    ),
    (
        r#"{"action":"apply","id":"a","input":{"text":"y","enter":true}}"#,
        true,
    ),
    (
        r#"{"action":"apply","id":"a","input":{"size":[80,24]}}"#,
        true,
    ),
    (
        r#"{"action":"apply","id":"a","answer":{"state":"declined"}}"#,
        true,
    ),
    (
        r#"{"action":"apply","id":"a","answer":{"state":"perhaps"}}"#,
        false,
    ),
    (r#"{"action":"apply","id":"a","answer":{}}"#, false),
    (
        r#"{"action":"apply","id":"a","input":"y","answer":{"state":"declined"}}"#,
        false,
    ),
    (r#"{"action":"apply","id":"a"}"#, false),
    (r#"{"action":"end","id":"a"}"#, false),
];

#[test]
fn the_exact_schema_takes_what_is_read_and_no_more() {
    let all = r#"["spawn","fetch","apply","abort"]"#;
    for (nth, own) in OWN.iter().enumerate() {
        let tool = tool(own, all);
        let schema = shown(&tool, ActionStyle::OneOf);
        let flat = shown(&tool, ActionStyle::Flat);
        let given = r#""command":"stage","again":"commit""#;
        let given = match nth {
            0 => format!(",{given}"),
            _ => format!(r#","arguments":{{{given}}}"#),
        };
        for (call, right) in CALLS {
            let call = call.replace("OWN", &given);
            let value = Json::new(&call).unwrap();
            assert_eq!(read(&call, &tool).is_ok(), right, "{call}");
            assert_eq!(
                check_value(&schema, &value).is_ok(),
                right,
                "{call}, {schema}"
            );
            // The flat one can't say which action takes what.
            assert!(
                !right || check_value(&flat, &value).is_ok(),
                "{call}, {flat}"
            );
        }
        // What refers to another place still does.
        for schema in [&schema, &flat] {
            let wrong = CALLS[0].0.replace("OWN", &given.replace("commit", "push"));
            let wrong = Json::new(wrong).unwrap();
            assert!(check_value(schema, &wrong).is_err(), "{wrong}, {schema}");
        }
    }
}
