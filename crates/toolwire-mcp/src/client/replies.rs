//! The results that the client itself composes.

use toolwire::block::Question;
use toolwire::json::{Document, ObjectWriter, array, string};
use toolwire::question::write_question;
use toolwire::{Limits, Parsed, parse};
use toolwire_host::{Reply, StopReason};

/// An answer that asks these questions. Their schemas stay as they were written: the fields of a form are asked
/// in their order (Q-161).
pub(super) fn questions(questions: Vec<Question>) -> Reply {
    let blocks = questions.iter().map(|question| {
        ObjectWriter::new()
            .text("type", "question")
            .json("question", write_question(question))
            .end()
    });
    let document = ObjectWriter::new().json("content", array(blocks)).end();
    Reply::new(read(document))
}

/// An error: what is said of it, what is told beside it, and whether it may go well another time.
fn error(text: &str, trace: &[String], transient: bool, more: Option<(&str, String)>) -> Reply {
    let error = ObjectWriter::new()
        .json("trace", array(trace.iter().map(|line| string(line))))
        .flag("transient", transient)
        .end();
    let mut meta = ObjectWriter::new();
    meta.json("computer.jp/error", error);
    if let Some((name, json)) = more {
        meta.json(name, json);
    }
    let block = ObjectWriter::new()
        .text("text", text)
        .text("type", "text")
        .end();
    let document = ObjectWriter::new()
        .json("_meta", meta.end())
        .json("content", array([block]))
        .flag("isError", true)
        .end();
    Reply::new(read(document))
}

/// The error of a call that the client can't make.
pub(super) fn failed(text: &str) -> Reply {
    error(text, &[text.to_owned()], false, None)
}

/// The error of a server that is gone, with what it wrote to stderr last.
pub(super) fn lost(server: &str, why: &str, stderr: Vec<String>) -> Reply {
    let text = format!("the server `{server}` {why}");
    let mut trace = vec![text.clone()];
    trace.extend(stderr);
    error(&text, &trace, true, None)
}

/// The error that JSON-RPC has for a request: its message for the reader, and all of it beside.
pub(super) fn refused(server: &str, rpc: &str) -> Reply {
    let document = Document::new(rpc).ok();
    let root = document.as_ref().map(Document::root);
    let code = root.and_then(|root| root.get("code")?.as_i64());
    let message = root.and_then(|root| Some(root.get("message")?.as_str()?.into_owned()));
    let message = message.unwrap_or_else(|| "it gave no reason".to_owned());
    let code = code.map_or_else(String::new, |code| format!(" ({code})"));
    let text = format!("the server `{server}` refused the call: {message}{code}");
    let more = document
        .is_some()
        .then(|| ("dev.toolwire/rpc-error", rpc.to_owned()));
    let trace = [text];
    error(&trace[0], &trace, false, more)
}

/// The error of a call that was stopped; the sentence says why.
pub(super) fn stopped(reason: StopReason, text: &str) -> Reply {
    let transient = reason == StopReason::Timeout;
    let mut reply = error(text, &[text.to_owned()], transient, None);
    reply.report.stopped = Some(reason);
    reply
}

/// The error of a call that was cancelled.
pub(super) fn cancelled() -> Reply {
    stopped(StopReason::Cancelled, "the call was cancelled")
}

/// Reads what was composed here, whose size is bounded already.
fn read(document: String) -> Parsed<'static> {
    parse(document.into_bytes(), &Limits::WIDEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use toolwire::Json;

    #[test]
    fn a_question_is_asked_as_it_was_written() {
        let schema =
            r#"{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"number"}}}"#;
        let default = r#"{"z":"x","a":1.10}"#;
        let question = Question {
            default: Some(Json::new(default).unwrap()),
            id: "who".to_owned(),
            schema: Json::new(schema).unwrap(),
            text: "Who?".to_owned(),
            url: None,
            extra: BTreeMap::from([("hint".to_owned(), Json::from(true))]),
        };
        let reply = questions(vec![question]);
        assert!(reply.parsed.diagnostics().is_empty());
        let content = reply.parsed.root().get("content").unwrap();
        let asked = content.elements().next().unwrap().get("question").unwrap();
        assert_eq!(asked.get("schema").unwrap().raw(), schema);
        assert_eq!(asked.get("default").unwrap().raw(), default);
        assert_eq!(asked.get("hint").unwrap().raw(), "true");
    }
}
