//! `toolwire canonicalize`: RFC 8785 bytes, or their digest.

use toolwire::{Error, digest_bytes};

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
        return log::each_written(
            (&args.files, &args.lines, args.json),
            limits.max_bytes,
            out,
            |line| toolwire::canonicalize(line, &limits),
            |out, origin, line, canonical| write(out, origin, line, canonical, args),
        );
    }
    if args.digest {
        return super::each_output(&args.files, &limits, out, |out, origin, bytes| {
            let canonical = toolwire::canonicalize(&bytes, &limits);
            write(out, origin, &bytes, canonical, args)
        });
    }
    let bytes = input::only("canonicalize", &args.files.files)?.read_all(limits.max_bytes)?;
    let canonical = toolwire::canonicalize(&bytes, &limits);
    write(out, Origin::default(), &bytes, canonical, args)
}

fn write(
    out: &mut Out,
    origin: Origin<'_>,
    input: &[u8],
    canonical: std::result::Result<Vec<u8>, Error>,
    args: &CanonicalizeArgs,
) -> Result<Outcome> {
    let canonical = match canonical {
        Ok(canonical) => canonical,
        Err(error) => return refuse(out, origin, input, &error, args.json),
    };
    let digest = digest_bytes(&canonical);
    match (args.digest, origin.file) {
        (true, _) if args.json => {
            out.json(&origin.put_before(&format!("{{\"digest\":\"{digest}\"}}")))?;
        }
        // As sha256sum writes it, so that the digests stand in a column.
        (true, Some(file)) => out.line(&format!("{digest}  {file}"))?,
        (true, None) => out.line(&digest)?,
        (false, _) if args.json => {
            out.json(&origin.put_before(&to_json(&canonical, &digest)))?;
        }
        (false, _) if origin.line.is_some() => out.canonical_line(&canonical)?,
        (false, _) => out.canonical(&canonical)?,
    }
    Ok(Outcome::Success)
}

fn to_json(canonical: &[u8], digest: &str) -> String {
    format!(
        "{{\"canonical\":{},\"bytes\":{},\"digest\":\"{digest}\"}}",
        quote(&String::from_utf8_lossy(canonical)),
        canonical.len(),
    )
}

/// Says that an input has no canonical form: as JSON in its place, else on standard error.
fn refuse(
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
