//! Reading a line, of either side.

use std::borrow::Cow;

use super::{HostLine, LineHead, MAX_CALL, MAX_LINE, ToolLine, Trace};
use crate::call::{Answer, Call};
use crate::event::event_at;
use crate::json::{Document, Fault, Kind, Place};
use crate::question::question_at;
use crate::session::blocks_at;
use crate::{Code, Error, Json, Limits, MAX_DEPTH};

/// What tells this transport from others, and its value.
const MARK: &str = "toolwire";

pub(super) fn host_line(line: &[u8], limits: &Limits) -> Result<Option<HostLine>, Error> {
    let Some(document) = document(line, limits)? else {
        return Ok(None);
    };
    let line = Place::new(document.root(), "", Code::BadLine).object()?;
    Ok(Some(match line.required("type")?.string()?.as_str() {
        "hello" => {
            marked(&line)?;
            let mut versions = Vec::new();
            for version in line.required("versions")?.array()?.elements() {
                versions.push(whole(&version, 1, u64::MAX)?);
            }
            HostLine::Hello {
                versions,
                max_line: max_line(&line)?,
            }
        }
        "call" => HostLine::Call {
            call: call(&line)?,
            document: Box::new(Call::at(line.required("document")?.node, "/document")?),
            trace: trace(&line)?,
            session: flag(&line, "session")?,
        },
        "input" => HostLine::Input {
            call: call(&line)?,
            input: Json::from(line.required("input")?.node),
        },
        "answer" => HostLine::Answer {
            call: call(&line)?,
            id: line.required("id")?.filled()?,
            answer: Answer::at(line.required("answer")?)?,
        },
        "end" => HostLine::End {
            call: call(&line)?,
            reason: line.required("reason")?.word()?,
        },
        _ => return Ok(None),
    }))
}

pub(super) fn tool_line(line: &[u8], limits: &Limits) -> Result<Option<ToolLine>, Error> {
    let Some(document) = document(line, limits)? else {
        return Ok(None);
    };
    let line = Place::new(document.root(), "", Code::BadLine).object()?;
    Ok(Some(match line.required("type")?.string()?.as_str() {
        "hello" => {
            marked(&line)?;
            ToolLine::Hello {
                version: whole(&line.required("version")?, 1, u64::MAX)?,
                calls: match given(&line, "calls") {
                    Some(calls) => whole(&calls, 1, u64::MAX)?,
                    None => 1,
                },
                max_line: max_line(&line)?,
            }
        }
        "output" => ToolLine::Output {
            call: call(&line)?,
            blocks: blocks_at(few(line.required("blocks")?, limits)?)?,
        },
        "question" => ToolLine::Question {
            call: call(&line)?,
            question: Box::new(question_at(line.required("question")?)?),
            person: flag(&line, "person")?,
        },
        "event" => {
            let call = call(&line)?;
            let event = line.required("event")?.node;
            // An event of a type that is not known says nothing here, as in an events file (EVT-11).
            let Some(event) = event_at(Place::new(event, "/event", Code::BadEvent))? else {
                return Ok(None);
            };
            ToolLine::Event { call, event }
        }
        "stderr" => ToolLine::Stderr {
            call: call(&line)?,
            text: line.required("text")?.string()?,
        },
        "result" => ToolLine::Result {
            call: call(&line)?,
            envelope: Json::from(line.required("envelope")?.object()?.node),
        },
        _ => return Ok(None),
    }))
}

/// An array that has no more blocks than an envelope may have (LINE-17).
fn few<'a>(blocks: Place<'a>, limits: &Limits) -> Result<Place<'a>, Error> {
    let blocks = blocks.array()?;
    let most = limits.max_blocks;
    if blocks.node.len() > most
        && let Some(first) = blocks.elements().nth(most)
    {
        let message = format!("a line has at most {most} blocks; write the rest in further lines");
        return Err(first.refuse_as(Code::LimitBlocks, message));
    }
    Ok(blocks)
}
/// How many values a line has beside those of what stands in it.
const BESIDE: usize = 16;

fn document<'a>(line: &'a [u8], limits: &Limits) -> Result<Option<Document<'a>>, Error> {
    if line.iter().all(|byte| b" \t\r\n".contains(byte)) {
        return Ok(None);
    }
    // What stands in a line may be as large as it may be alone (LINE-15).
    let limits = Limits {
        max_depth: limits.max_depth.saturating_add(1).min(MAX_DEPTH),
        max_values: limits.max_values.saturating_add(BESIDE),
        ..*limits
    };
    let document = Document::read(Cow::Borrowed(line), &limits);
    document.map(Some).map_err(Fault::into_error)
}

pub(super) fn head(line: &[u8]) -> Option<LineHead> {
    let document = Document::read(Cow::Borrowed(line), &Limits::WIDEST).ok()?;
    let line = Place::new(document.root(), "", Code::BadLine)
        .object()
        .ok()?;
    Some(LineHead {
        kind: line.required("type").ok()?.string().ok()?,
        call: call(&line).ok()?,
    })
}

fn marked(line: &Place<'_>) -> Result<(), Error> {
    let mark = line.required(MARK)?;
    match mark.node.as_u64() {
        Some(1) => Ok(()),
        _ => Err(mark.expected("1")),
    }
}

fn call(line: &Place<'_>) -> Result<u64, Error> {
    whole(&line.required("call")?, 0, MAX_CALL)
}

fn max_line(line: &Place<'_>) -> Result<u64, Error> {
    match given(line, "maxLine") {
        Some(most) => whole(&most, 1, u64::MAX),
        None => Ok(MAX_LINE),
    }
}

fn whole(place: &Place<'_>, least: u64, most: u64) -> Result<u64, Error> {
    let number = place.node.as_u64();
    let number = number.filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| match most {
        u64::MAX => place.expected(&format!("a whole number, at least {least}")),
        _ => place.expected(&format!("a whole number from {least} to {most}")),
    })
}

fn trace(line: &Place<'_>) -> Result<Trace, Error> {
    let Some(trace) = given(line, "trace") else {
        return Ok(Trace::default());
    };
    let trace = trace.object()?;
    let text = |name| given(&trace, name).map(|text| text.string()).transpose();
    Ok(Trace {
        traceparent: text("traceparent")?,
        tracestate: text("tracestate")?,
        baggage: text("baggage")?,
    })
}

fn flag(line: &Place<'_>, name: &str) -> Result<bool, Error> {
    given(line, name).map_or(Ok(false), |flag| flag.flag())
}

/// A member that may be left out, or be null.
fn given<'a>(line: &Place<'a>, name: &str) -> Option<Place<'a>> {
    line.member(name)
        .filter(|place| place.node.kind() != Kind::Null)
}
