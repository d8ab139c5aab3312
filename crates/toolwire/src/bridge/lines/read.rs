//! Reading a line, of either side.

use super::{HostLine, LineHead, MAX_LINE, ToolLine, Trace, VERSION};
use crate::base::json::{Document, Place};
use crate::protocol::call::{Answer, Call};
use crate::protocol::event::event_at;
use crate::protocol::question::question_at;
use crate::protocol::session::blocks_at;
use crate::{Code, Error, Json, Limits, MAX_DEPTH};

/// Reads a line with `read`, which is given its `type` and the whole; `None` for a blank line or an unknown type.
fn line<T>(
    text: &[u8],
    limits: &Limits,
    read: impl FnOnce(&str, &Place<'_>) -> Result<Option<T>, Error>,
) -> Result<Option<T>, Error> {
    // What stands in a line may be as large as it may be alone (LINE-15).
    let limits = Limits {
        max_depth: limits.max_depth.saturating_add(1).min(MAX_DEPTH),
        max_values: limits.max_values.saturating_add(16),
        ..*limits
    };
    let Some(document) = Document::of_line(text, &limits)? else {
        return Ok(None);
    };
    let line = Place::new(document.root(), "", Code::BadLine).object()?;
    read(&line.required("type")?.string()?, &line)
}

pub(super) fn host_line(text: &[u8], limits: &Limits) -> Result<Option<HostLine>, Error> {
    line(text, limits, |kind, line| {
        Ok(Some(match kind {
            "hello" => {
                marked(line)?;
                let versions = line.required("versions")?.array()?;
                HostLine::Hello {
                    versions: versions
                        .elements()
                        .map(|version| version.whole(1))
                        .collect::<Result<_, _>>()?,
                    max_line: whole_or(line, "maxLine", MAX_LINE)?,
                }
            }
            "call" => HostLine::Call {
                call: call(line)?,
                document: Box::new(Call::at(line.required("document")?.node, "/document")?),
                trace: line.given("trace").map_or(Ok(Trace::default()), trace)?,
                session: flag(line, "session")?,
            },
            "input" => HostLine::Input {
                call: call(line)?,
                input: Json::from(line.required("input")?.node),
            },
            "answer" => HostLine::Answer {
                call: call(line)?,
                id: line.required("id")?.filled()?,
                answer: Answer::at(line.required("answer")?)?,
            },
            "end" => HostLine::End {
                call: call(line)?,
                reason: line.required("reason")?.word()?,
            },
            _ => return Ok(None),
        }))
    })
}

pub(super) fn tool_line(text: &[u8], limits: &Limits) -> Result<Option<ToolLine>, Error> {
    line(text, limits, |kind, line| {
        Ok(Some(match kind {
            "hello" => {
                marked(line)?;
                ToolLine::Hello {
                    version: line.required("version")?.whole(1)?,
                    calls: whole_or(line, "calls", 1)?,
                    max_line: whole_or(line, "maxLine", MAX_LINE)?,
                }
            }
            "output" => ToolLine::Output {
                call: call(line)?,
                blocks: blocks_at(few(line.required("blocks")?, limits)?)?,
            },
            "question" => ToolLine::Question {
                call: call(line)?,
                question: Box::new(question_at(line.required("question")?)?),
                person: flag(line, "person")?,
            },
            "event" => {
                let call = call(line)?;
                let event = line.required("event")?.node;
                // An event of an unknown type is ignored, as in an events file (EVT-11).
                let event = event_at(Place::new(event, "/event", Code::BadEvent))?;
                return Ok(event.map(|event| ToolLine::Event { call, event }));
            }
            "stderr" => ToolLine::Stderr {
                call: call(line)?,
                text: line.required("text")?.string()?,
            },
            "result" => ToolLine::Result {
                call: call(line)?,
                envelope: Json::from(line.required("envelope")?.object()?.node),
            },
            _ => return Ok(None),
        }))
    })
}

/// Blocks of a line, as many as an envelope may have (LINE-17): each costs something where it is read.
fn few<'a>(blocks: Place<'a>, limits: &Limits) -> Result<Place<'a>, Error> {
    let most = limits.max_blocks;
    let blocks = blocks.array()?;
    // Elements have pointers, which cost something too.
    let over = (blocks.node.len() > most).then(|| blocks.elements().nth(most));
    match over.flatten() {
        Some(first) => {
            let message =
                format!("a line has at most {most} blocks; write the rest in further lines");
            Err(first.refuse_as(Code::LimitBlocks, message))
        }
        None => Ok(blocks),
    }
}

pub(super) fn head(text: &[u8]) -> Option<LineHead> {
    let document = Document::of_bytes(text, &Limits::WIDEST).ok()?;
    let line = Place::new(document.root(), "", Code::BadLine);
    Some(LineHead {
        kind: line.required("type").ok()?.string().ok()?,
        call: call(&line).ok()?,
    })
}

fn marked(line: &Place<'_>) -> Result<(), Error> {
    let mark = line.required("toolwire")?;
    match mark.whole(VERSION) {
        Ok(VERSION) => Ok(()),
        _ => Err(mark.expected("1")),
    }
}

fn call(line: &Place<'_>) -> Result<u64, Error> {
    line.required("call")?.whole(0)
}

fn whole_or(line: &Place<'_>, name: &str, default: u64) -> Result<u64, Error> {
    line.given(name)
        .map_or(Ok(default), |number| number.whole(1))
}

fn flag(line: &Place<'_>, name: &str) -> Result<bool, Error> {
    line.given(name).map_or(Ok(false), |flag| flag.flag())
}

fn trace(trace: Place<'_>) -> Result<Trace, Error> {
    let trace = trace.object()?;
    let text = |name| trace.given(name).map(|text| text.string()).transpose();
    Ok(Trace {
        traceparent: text("traceparent")?,
        tracestate: text("tracestate")?,
        baggage: text("baggage")?,
    })
}
