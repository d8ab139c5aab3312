//! `toolwire explain`: why an output was read as it was.

use toolwire::{ExplainOptions, Explanation, Limits, Parsed};

use crate::args::ExplainArgs;
use crate::exit::{Outcome, Result};
use crate::log;
use crate::output::{BOLD, Out};
use crate::record::Origin;

pub fn run(args: &ExplainArgs, out: &mut Out) -> Result<Outcome> {
    let limits = super::limits(&args.limits)?;
    super::check_received(&args.files, Some(&args.lines), &args.received)?;
    if args.lines.lines {
        return run_lines(args, &limits, out);
    }
    let mut first = true;
    super::each_output(&args.files, &limits, out, |out, origin, bytes| {
        let parsed = super::read_received(bytes, &args.received, &limits)?;
        write(out, origin, &parsed, args.json, &mut first)?;
        Ok(Outcome::of(parsed.verdict()))
    })
}

fn run_lines(args: &ExplainArgs, limits: &Limits, out: &mut Out) -> Result<Outcome> {
    let mut first = true;
    let options = &args.lines;
    let (outcome, summary) =
        log::each_output(&args.files, limits, options, out, |out, origin, parsed| {
            if !options.summary {
                write(out, origin, parsed, args.json, &mut first)?;
            }
            Ok(Outcome::of(parsed.verdict()))
        })?;
    let text = log::summary_text(&summary);
    log::write_summary(out, args.json, options.summary, &summary.to_json(), &text)?;
    Ok(outcome)
}

fn write(
    out: &mut Out,
    origin: Origin<'_>,
    parsed: &Parsed<'_>,
    json: bool,
    first: &mut bool,
) -> Result<()> {
    if json {
        return out.json(&origin.put_before(&Explanation::of(parsed).to_json()));
    }
    let heading = match (origin.file, origin.line) {
        (None, None) => None,
        (Some(file), None) => Some(format!("{file}:")),
        (None, Some((number, _))) => Some(format!("line {number}:")),
        (Some(file), Some((number, _))) => Some(format!("{file}, line {number}:")),
    };
    if let Some(heading) = heading {
        if !*first {
            out.line("")?;
        }
        let heading = out.paint(BOLD, &heading);
        out.line(&heading)?;
    }
    *first = false;
    // The text is safe for a terminal as it is.
    out.bytes(toolwire::explain(parsed, &ExplainOptions { color: out.color }).as_bytes())
}
