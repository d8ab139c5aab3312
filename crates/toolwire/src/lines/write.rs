//! Writing a line, of either side.

use std::borrow::Cow;

use super::{HostLine, ToolLine, Trace};
use crate::json::{ObjectWriter, array};
use crate::question::write_question;

pub(super) fn host_line(line: &HostLine) -> String {
    let mut out = ObjectWriter::new();
    match line {
        HostLine::Hello { versions, max_line } => {
            let versions = versions.iter().map(u64::to_string);
            out.text("type", "hello").number("toolwire", 1);
            out.json("versions", array(versions));
            out.number("maxLine", *max_line);
        }
        HostLine::Call {
            call,
            document,
            trace,
            session,
        } => {
            begin(&mut out, "call", *call);
            out.json("document", document.to_json());
            if !trace.is_empty() {
                out.json("trace", trace.to_json());
            }
            if *session {
                out.flag("session", true);
            }
        }
        HostLine::Input { call, input } => {
            begin(&mut out, "input", *call);
            out.json("input", on_one_line(input.as_str()));
        }
        HostLine::Answer { call, id, answer } => {
            begin(&mut out, "answer", *call);
            out.text("id", id);
            out.json("answer", on_one_line(&answer.to_json()));
        }
        HostLine::End { call, reason } => {
            begin(&mut out, "end", *call);
            out.text("reason", reason.as_str());
        }
    }
    out.end()
}

pub(super) fn tool_line(line: &ToolLine) -> String {
    let mut out = ObjectWriter::new();
    match line {
        ToolLine::Hello {
            version,
            calls,
            max_line,
        } => {
            out.text("type", "hello").number("toolwire", 1);
            out.number("version", *version).number("calls", *calls);
            out.number("maxLine", *max_line);
        }
        ToolLine::Output { call, blocks } => {
            begin(&mut out, "output", *call);
            let blocks = blocks.iter().map(|block| on_one_line(block.as_str()));
            out.json("blocks", array(blocks));
        }
        ToolLine::Question {
            call,
            question,
            person,
        } => {
            begin(&mut out, "question", *call);
            out.json("question", on_one_line(&write_question(question)));
            if *person {
                out.flag("person", true);
            }
        }
        ToolLine::Event { call, event } => {
            begin(&mut out, "event", *call);
            out.json("event", event.to_json());
        }
        ToolLine::Stderr { call, text } => {
            begin(&mut out, "stderr", *call);
            out.text("text", text);
        }
        ToolLine::Result { call, envelope } => {
            begin(&mut out, "result", *call);
            out.json("envelope", on_one_line(envelope.as_str()));
        }
    }
    out.end()
}

fn begin(out: &mut ObjectWriter, kind: &str, call: u64) {
    out.text("type", kind).number("call", call);
}

pub(super) fn trace(trace: &Trace) -> String {
    ObjectWriter::new()
        .optional("traceparent", trace.traceparent.as_deref())
        .optional("tracestate", trace.tracestate.as_deref())
        .optional("baggage", trace.baggage.as_deref())
        .end()
}

/// JSON without line ends: outside of strings they are white space, and inside of them they are escaped.
fn on_one_line(json: &str) -> Cow<'_, str> {
    match json.contains(['\n', '\r']) {
        true => Cow::Owned(json.replace(['\n', '\r'], " ")),
        false => Cow::Borrowed(json),
    }
}
