//! What was read, as text.

use toolwire::call::Call;
use toolwire::json::ObjectWriter;

use crate::exchange::answers;

/// A call as one JSON object, with what became of each question in one place:
/// `{"name","action","root","arguments","options","answers":[{"id","state","source","value"}]}`;
/// what is absent is left out.
#[must_use]
pub fn call_json(call: &Call) -> String {
    ObjectWriter::new()
        .optional("name", call.name.as_deref())
        .text("action", call.action.as_str())
        .optional("root", call.root.as_deref())
        .json("arguments", call.arguments.as_str())
        .json("options", call.options.as_str())
        .json("answers", answers(&call.answers))
        .end()
}

#[cfg(test)]
mod tests {
    use toolwire::Limits;

    use super::*;

    #[test]
    fn a_call_has_its_answers_in_one_place() {
        let text = br#"{"tool":{"name":"now","answers":{"ok":true}},"context":{"action":"run"}}"#;
        let call = Call::from_json(text, &Limits::default()).unwrap();
        assert_eq!(
            call_json(&call),
            r#"{"name":"now","action":"run","arguments":{},"options":{},"answers":[{"id":"ok","state":"accepted","value":true}]}"#,
        );
    }
}
