//! `toolwire canonicalize`: RFC 8785 bytes.

use toolwire::{Error, Limits, digest_bytes};

use crate::args::CanonicalizeArgs;
use crate::exit::{Failure, Outcome, Result};
use crate::input;
use crate::log;
use crate::output::Out;
use crate::record::{self, Origin, quote};
use crate::terminal;

pub fn run(args: &CanonicalizeArgs, out: &mut Out) -> Result<Outcome> {
    let limits = super::limits(&args.limits)?;
    if args.lines.lines {
        return run_lines(args, &limits, out);
    }
    let bytes = input::only("canonicalize", &args.files.files)?.read_all(limits.max_bytes)?;
    match toolwire::canonicalize(&bytes, &limits) {
        Ok(canonical) if args.json => out.json(&to_json(&canonical))?,
        Ok(canonical) => out.canonical(&canonical)?,
        Err(error) => return refuse(out, Origin::default(), &bytes, &error, args.json),
    }
    Ok(Outcome::Success)
}

fn run_lines(args: &CanonicalizeArgs, limits: &Limits, out: &mut Out) -> Result<Outcome> {
    log::each_written(
        (&args.files, &args.lines, args.json),
        limits.max_bytes,
        out,
        |line| toolwire::canonicalize(line, limits),
        |out, origin, line, canonical| {
            match canonical {
                Err(error) => return refuse(out, origin, line, &error, args.json),
                Ok(canonical) if args.json => out.json(&origin.put_before(&to_json(&canonical)))?,
                Ok(canonical) => out.canonical_line(&canonical)?,
            }
            Ok(Outcome::Success)
        },
    )
}

fn to_json(canonical: &[u8]) -> String {
    format!(
        "{{\"canonical\":{},\"bytes\":{},\"digest\":\"{}\"}}",
        quote(&String::from_utf8_lossy(canonical)),
        canonical.len(),
        digest_bytes(canonical),
    )
}

/// Says that an input has no canonical form: as JSON in its place, else on standard error.
pub fn refuse(
    out: &mut Out,
    origin: Origin<'_>,
    input: &[u8],
    error: &Error,
    json: bool,
) -> Result<Outcome> {
    if json {
        out.json(&origin.put_before(&record::error(error)))?;
        return Ok(Outcome::Negative);
    }
    let at = error.offset().map(|offset| terminal::locate(input, offset));
    let code = error.code();
    if origin.line.is_none() && origin.file.is_none() {
        let place = at.map_or_else(String::new, |at| {
            format!(", line {}, column {}, byte {}", at.line, at.column, at.byte)
        });
        return Err(Failure::Refused(format!("{error} ({code}{place})")));
    }
    let message = format!("{}{error} ({code})", origin.place(at));
    if origin.line.is_some() {
        out.complain_of_line(&message);
    } else {
        out.complain(&message);
    }
    Ok(Outcome::Negative)
}
