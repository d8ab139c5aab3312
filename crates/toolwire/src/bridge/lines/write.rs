//! Writing a line, of either side.

use std::borrow::Cow;

use super::{HostLine, ToolLine, Trace};
use crate::base::json::{ObjectWriter, array};
use crate::protocol::question::write_question;

pub(super) fn host_line(line: &HostLine) -> String {
    let mut out = ObjectWriter::new();
    match line {
        HostLine::Hello { versions, max_line } => out
            .text("type", "hello")
            .number("toolwire", 1)
            .json("versions", array(versions.iter().map(u64::to_string)))
            .number("maxLine", *max_line),
        HostLine::Call {
            call,
            document,
            trace,
            session,
        } => begin(&mut out, "call", *call)
            .json("document", document.to_json())
            .optional_json("trace", (!trace.is_empty()).then(|| trace.to_json()))
            .optional_json("session", session.then_some("true")),
        HostLine::Input { call, input } => {
            begin(&mut out, "input", *call).json("input", on_one_line(input.as_str()))
        }
        HostLine::Answer { call, id, answer } => begin(&mut out, "answer", *call)
            .text("id", id)
            .json("answer", on_one_line(&answer.to_json())),
        HostLine::End { call, reason } => {
            begin(&mut out, "end", *call).text("reason", reason.as_str())
        }
    };
    out.end()
}

pub(super) fn tool_line(line: &ToolLine) -> String {
    let mut out = ObjectWriter::new();
    match line {
        ToolLine::Hello {
            version,
            calls,
            max_line,
        } => out
            .text("type", "hello")
            .number("toolwire", 1)
            .number("version", *version)
            .number("calls", *calls)
            .number("maxLine", *max_line),
        ToolLine::Output { call, blocks } => {
            let blocks = blocks.iter().map(|block| on_one_line(block.as_str()));
            begin(&mut out, "output", *call).json("blocks", array(blocks))
        }
        ToolLine::Question {
            call,
            question,
            person,
        } => begin(&mut out, "question", *call)
            .json("question", on_one_line(&write_question(question)))
            .optional_json("person", person.then_some("true")),
        ToolLine::Event { call, event } => {
            begin(&mut out, "event", *call).json("event", event.to_json())
        }
        ToolLine::Stderr { call, text } => begin(&mut out, "stderr", *call).text("text", text),
        ToolLine::Result { call, envelope } => {
            begin(&mut out, "result", *call).json("envelope", on_one_line(envelope.as_str()))
        }
    };
    out.end()
}

fn begin<'a>(out: &'a mut ObjectWriter, kind: &str, call: u64) -> &'a mut ObjectWriter {
    out.text("type", kind).number("call", call)
}

pub(super) fn trace(trace: &Trace) -> String {
    ObjectWriter::new()
        .optional("traceparent", trace.traceparent.as_deref())
        .optional("tracestate", trace.tracestate.as_deref())
        .optional("baggage", trace.baggage.as_deref())
        .end()
}

/// JSON text without line ends between its values.
fn on_one_line(json: &str) -> Cow<'_, str> {
    match json.contains(['\n', '\r']) {
        true => Cow::Owned(json.replace(['\n', '\r'], " ")),
        false => Cow::Borrowed(json),
    }
}
