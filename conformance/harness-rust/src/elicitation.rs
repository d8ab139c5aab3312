//! The operations of chapter 16.

use serde_json::{Value, json};
use toolwire::Error;
use toolwire_ffi::elicitation as mcp;

use crate::integers::{text_of, value_of};

pub const NAMES: [&str; 8] = [
    "to_elicitation",
    "to_input_required",
    "answer_from_elicit_result",
    "from_elicitation",
    "answer_to_elicit_result",
    "without_elicitation",
    "can_elicit",
    "required_capabilities",
];

/// Runs one of them.
pub fn run(name: &str, input: &str, options: &Value) -> Result<Value, Error> {
    let mut options = options.clone();
    let mut take = |name: &str| {
        let members = options.as_object_mut()?;
        members.remove(name).map(|value| text_of(&value))
    };
    Ok(match name {
        "to_elicitation" => {
            let mapped = mcp::to_elicitation(input, &text_of(&options))?;
            json!({"params": value_of(&mapped.json), "report": value_of(&mapped.report)})
        }
        "to_input_required" => {
            let mapped = mcp::to_input_required(input, &text_of(&options))?;
            json!({"result": value_of(&mapped.json), "report": value_of(&mapped.report)})
        }
        "answer_from_elicit_result" => {
            let question = take("question").unwrap_or_default();
            let answer = mcp::answer_from_elicit_result(&question, input, &text_of(&options))?;
            value_of(&answer)
        }
        "from_elicitation" => {
            let id = options["id"].as_str().unwrap_or_default();
            let mapped = mcp::from_elicitation(input, id)?;
            json!({"question": value_of(&mapped.json), "report": value_of(&mapped.report)})
        }
        "answer_to_elicit_result" => {
            let answer = take("answer").unwrap_or_default();
            let result = mcp::answer_to_elicit_result(input, &answer, &text_of(&options))?;
            json!({"result": value_of(&result)})
        }
        "without_elicitation" => {
            let (told, has_way) = mcp::without_elicitation(input, &text_of(&options))?;
            let told = value_of(&told);
            json!({
                "text": told["content"][0]["text"],
                "isError": told["isError"],
                "hasWay": has_way,
            })
        }
        "can_elicit" => json!({"can": mcp::can_elicit(input, &text_of(&options))?}),
        _ => json!({"required": value_of(&mcp::required_capabilities(input)?)}),
    })
}
