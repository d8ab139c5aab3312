//! `toolwire get`: one value of a JSON text, for tools that are written in a shell.

use toolwire::Json;

use crate::args::GetArgs;
use crate::exit::{Failure, Outcome, Result};
use crate::input::{self, Source};
use crate::output::Out;
use crate::record;

pub fn run(args: &GetArgs, out: &mut Out) -> Result<Outcome> {
    let limits = super::limits(&args.limits)?;
    if !args.pointer.is_empty() && !args.pointer.starts_with('/') {
        return Err(Failure::usage(format!(
            "`{0}` is not a JSON Pointer; it must begin with `/`, as in `/{0}`",
            args.pointer
        )));
    }
    if let Some(second) = args.more.first() {
        return Err(input::second_file("get", second));
    }
    let bytes = Source::open(args.file.as_deref())?.read_all(limits.max_bytes)?;
    // The strict check, with the limits that were asked for.
    let text = toolwire::canonicalize(&bytes, &limits).map(|_| {
        let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
        String::from_utf8_lossy(text).into_owned()
    });
    let whole = match text.and_then(Json::new) {
        Ok(whole) => whole,
        Err(error) if args.json => {
            out.json(&record::error(&error))?;
            return Ok(Outcome::Negative);
        }
        Err(error) => return Err(Failure::refused(&error)),
    };
    let found = whole.at(&args.pointer);
    match (
        found.filter(|value| args.default.is_none() || value.as_str() != "null"),
        &args.default,
    ) {
        (Some(value), _) => write(&value, args.json, out)?,
        (None, Some(default)) => write(&Json::from(default.as_str()), args.json, out)?,
        (None, None) => {
            return Err(Failure::Refused(format!(
                "there is no value at `{}`; use `--default` for a value that can be absent",
                args.pointer
            )));
        }
    }
    Ok(Outcome::Success)
}

/// A string as its text, anything else as JSON.
fn write(value: &Json, json: bool, out: &mut Out) -> Result<()> {
    match value.to_text().filter(|_| !json) {
        Some(text) if out.terminal => out.text(&text),
        Some(text) => out.line(&text),
        None => out.json(value.as_str()),
    }
}
