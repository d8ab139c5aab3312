//! What a host sends and reads that runs programs in its own way.

use toolwire::call::{self, Call, Marker, ToolDescription, find_marker as marker_of};
use toolwire::event::{ToolEvent, read_event as event_of};
use toolwire::json::{ObjectWriter, array};
use toolwire::lines::{HostLine, ToolLine};
use toolwire::session::{self, ActionStyle, TerminalInput, TerminalModes};
use toolwire::{Code, Envelope, Error, Json, Limits, Parsed};

use crate::readers::{ActionSchemaOptions, ReadCallOptions, ReadOptions, TerminalOptions};
use crate::reply::{Reply, written};

pub(crate) fn read_call(data: &[u8], options: &ReadCallOptions) -> Result<Call, Error> {
    let read = match options.carrier.as_deref() {
        Some("meta") => Call::from_meta,
        _ => Call::from_json,
    };
    read(data, &options.limits)
}

pub(crate) fn describe(tools: &str) -> Result<Envelope, Error> {
    call::describe(&call::read_listed(tools)?)
}

pub(crate) fn read_description(
    parsed: &Parsed<'_>,
    _: &ReadOptions,
) -> Result<Option<Reply>, Error> {
    let tools = call::read_description(parsed)?;
    Ok(tools.map(|tools| written(array(tools.iter().map(ToolDescription::to_json)))))
}

pub(crate) fn read_event(line: &[u8]) -> Result<Option<Reply>, Error> {
    let event = event_of(line, &Limits::default())?;
    let known =
        event.filter(|event| matches!(event, ToolEvent::Progress(_) | ToolEvent::Message(_)));
    Ok(known.map(Reply::Event))
}

/// The marker of a program, from the bytes of its file (CALL-53).
pub(crate) fn find_marker(file: &[u8]) -> Option<String> {
    // Bytes can be read.
    let marker = marker_of(file).ok().flatten();
    marker.map(|marker| Marker::as_str(marker).to_owned())
}

/// A line of the line transport as Toolwire writes it; nothing if it is of an unknown type (LINE-10).
pub(crate) fn read_line(line: &[u8], source: &str) -> Result<Option<String>, Error> {
    let limits = Limits::default();
    Ok(match source {
        "host" => HostLine::from_json(line, &limits)?.map(|line| line.to_json()),
        "tool" => ToolLine::from_json(line, &limits)?.map(|line| line.to_json()),
        other => {
            let message = format!("`source` is `host` or `tool`, not `{other}`");
            return Err(Error::new(Code::BadArgument, "/source", None, message));
        }
    })
}

/// What a terminal is sent for an input, and what is written to a program on pipes (TERM-2 to TERM-7).
pub(crate) fn terminal_input(input: &Json, options: &TerminalOptions) -> Result<Reply, Error> {
    let input = TerminalInput::read(input)?;
    let mut out = ObjectWriter::new();
    if let TerminalInput::Size { columns, rows } = input {
        out.json("size", array([columns.to_string(), rows.to_string()]));
        return Ok(written(out.end()));
    }
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let modes = TerminalModes::new(options.application_cursor, options.bracketed_paste);
    out.text("typed", text(input.typed(modes)));
    if let Ok((bytes, eof)) = input.piped() {
        out.text("piped", text(bytes)).flag("eof", eof);
    }
    Ok(written(out.end()))
}

/// What a model's call asks for (SES-60).
pub(crate) fn read_command(arguments: &Json, tool: &str) -> Result<Reply, Error> {
    let tool = ToolDescription::from_json(tool)?;
    Ok(written(session::read_command(arguments, &tool)?.to_json()))
}

/// The schema of a model's call of a tool (SES-70, SES-71).
pub(crate) fn action_schema(tool: &str, options: &ActionSchemaOptions) -> Result<Json, Error> {
    let style = options.style.unwrap_or(ActionStyle::Flat);
    Ok(session::action_schema(
        &ToolDescription::from_json(tool)?,
        style,
    ))
}
