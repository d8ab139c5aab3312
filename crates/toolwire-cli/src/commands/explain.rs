//! `toolwire explain`: why an output was read as it was.

use toolwire::ExplainOptions;

use crate::args::ExplainArgs;
use crate::exit::{Outcome, Result};
use crate::output::{BOLD, Out};

pub fn run(args: &ExplainArgs, out: &mut Out) -> Result<Outcome> {
    let limits = super::limits(&args.limits)?;
    super::check_received(&args.files, None, &args.received)?;
    let mut first = true;
    super::each_output(&args.files, &limits, out, |out, origin, bytes| {
        let parsed = super::read_received(bytes, &args.received, &limits)?;
        if args.json {
            out.json(&origin.put_before(&toolwire::Explanation::of(&parsed).to_json()))?;
            return Ok(Outcome::of(parsed.verdict()));
        }
        if let Some(file) = origin.file {
            if !first {
                out.line("")?;
            }
            let heading = out.paint(BOLD, &format!("{file}:"));
            out.line(&heading)?;
        }
        first = false;
        // The text is safe for a terminal as it is.
        out.bytes(toolwire::explain(&parsed, &ExplainOptions { color: out.color }).as_bytes())?;
        Ok(Outcome::of(parsed.verdict()))
    })
}
