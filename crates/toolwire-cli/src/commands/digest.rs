//! `toolwire digest`: `sha256:` and the hexadecimal digest of the canonical bytes.

use toolwire::Error;

use super::canonicalize::refuse;
use crate::args::DigestArgs;
use crate::exit::{Outcome, Result};
use crate::log;
use crate::output::Out;
use crate::record::Origin;

type Digested = std::result::Result<String, Error>;

pub fn run(args: &DigestArgs, out: &mut Out) -> Result<Outcome> {
    let limits = super::limits(&args.limits)?;
    if !args.lines.lines {
        return super::each_output(&args.files, &limits, out, |out, origin, bytes| {
            write(
                out,
                origin,
                &bytes,
                toolwire::digest(&bytes, &limits),
                args.json,
            )
        });
    }
    log::each_written(
        (&args.files, &args.lines, args.json),
        limits.max_bytes,
        out,
        |line| toolwire::digest(line, &limits),
        |out, origin, line, digested| write(out, origin, line, digested, args.json),
    )
}

fn write(
    out: &mut Out,
    origin: Origin<'_>,
    input: &[u8],
    result: Digested,
    json: bool,
) -> Result<Outcome> {
    match (result, origin.file) {
        (Err(error), _) => return refuse(out, origin, input, &error, json),
        (Ok(digest), _) if json => {
            out.json(&origin.put_before(&format!("{{\"digest\":\"{digest}\"}}")))?;
        }
        // As sha256sum writes it, so that the digests stand in a column.
        (Ok(digest), Some(file)) => out.line(&format!("{digest}  {file}"))?,
        (Ok(digest), None) => out.line(&digest)?,
    }
    Ok(Outcome::Success)
}
