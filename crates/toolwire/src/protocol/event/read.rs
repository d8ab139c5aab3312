//! Reading a line of an events file.

use super::{LOG, Message, PROGRESS, Progress, ToolEvent};
use crate::base::json::{Document, Place};
use crate::{Code, Error, Limits};

/// Reads a line of an events file (EVT-10 to EVT-14): `None` for an empty one, and for a type of event that is
/// not known here.
///
/// # Errors
///
/// `bad_event` at the first place that is wrong; for what is not strict JSON, the code that the reading of an
/// envelope gives it.
///
/// # Examples
///
/// ```
/// use toolwire::{Code, Limits, event::{Progress, ToolEvent, read_event}};
///
/// let read = |line: &str| read_event(line.as_bytes(), &Limits::default());
/// let event = read(r#"{"type":"progress","done":3,"total":14}"#)?;
/// assert_eq!(event, Some(ToolEvent::Progress(Progress::new(3.0, Some(14.0), None))));
/// assert_eq!(read(r#"{"type":"heartbeat"}"#)?, None);
///
/// let error = read(r#"{"type":"log","level":"warn","message":"hm"}"#).unwrap_err();
/// assert_eq!((error.code(), error.pointer()), (Code::BadEvent, "/level"));
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn read_event(line: &[u8], limits: &Limits) -> Result<Option<ToolEvent>, Error> {
    let Some(document) = Document::of_line(line, limits)? else {
        return Ok(None);
    };
    event_at(Place::new(document.root(), "", Code::BadEvent))
}

/// The event at a place of a document.
pub(crate) fn event_at(place: Place<'_>) -> Result<Option<ToolEvent>, Error> {
    let event = place.object()?;
    Ok(match event.required("type")?.string()?.as_str() {
        PROGRESS => Some(ToolEvent::Progress(progress_at(&event)?)),
        LOG => Some(ToolEvent::Message(message(&event)?)),
        _ => None,
    })
}

pub(crate) fn progress_at(event: &Place<'_>) -> Result<Progress, Error> {
    let number = |place: Place<'_>| match place.node.as_f64() {
        Some(number) => Ok(number),
        None => Err(place.expected("a number")),
    };
    let place = event.required("done")?;
    let done = number(place.clone())?;
    if done < 0.0 {
        return Err(place.expected("a number that is not below zero"));
    }
    let total = event.given("total").map(number).transpose()?;
    Ok(Progress::new(done, total, text(event, "message")?))
}

fn message(event: &Place<'_>) -> Result<Message, Error> {
    Ok(Message {
        level: event.required("level")?.word()?,
        text: event.required("message")?.string()?,
        logger: text(event, "logger")?,
    })
}

fn text(event: &Place<'_>, name: &str) -> Result<Option<String>, Error> {
    event.given(name).map(|text| text.string()).transpose()
}
