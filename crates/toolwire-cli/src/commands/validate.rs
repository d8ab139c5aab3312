//! `toolwire validate`: yes or no, and what is wrong.

use toolwire::json::array;
use toolwire::{Diagnostic, Limits, Parsed, Verdict};

use crate::args::ValidateArgs;
use crate::exit::{Outcome, Result};
use crate::log;
use crate::output::{GREEN, Out};

pub fn run(args: &ValidateArgs, out: &mut Out) -> Result<Outcome> {
    let limits = super::limits(&args.limits)?;
    if args.lines.lines {
        return run_lines(args, &limits, out);
    }
    super::each_output(&args.files, &limits, out, |out, origin, bytes| {
        let parsed = toolwire::parse(bytes, &limits);
        let outcome = judge(&parsed, args.allow_warnings);
        if args.json {
            out.json(&origin.put_before(&to_json(&parsed, outcome)))?;
        } else if !args.quiet {
            if outcome == Outcome::Success {
                let verdict = out.paint(GREEN, parsed.verdict().as_str());
                out.line(&format!("{}{verdict}", origin.prefix()))?;
            }
            super::write_diagnostics(out, origin, &parsed)?;
        }
        Ok(outcome)
    })
}

fn run_lines(args: &ValidateArgs, limits: &Limits, out: &mut Out) -> Result<Outcome> {
    let options = &args.lines;
    let (outcome, summary) =
        log::each_output_alone(&args.files, limits, options, out, |out, origin, parsed| {
            let outcome = judge(parsed, args.allow_warnings);
            if options.summary || args.quiet {
                return Ok(outcome);
            }
            if args.json {
                out.json(&origin.put_before(&to_json(parsed, outcome)))?;
            } else if outcome != Outcome::Success {
                super::write_diagnostics(out, origin, parsed)?;
            }
            Ok(outcome)
        })?;
    if !args.quiet {
        let text = log::summary_text(&summary);
        log::write_summary(out, args.json, options.summary, &summary.to_json(), &text)?;
    }
    Ok(outcome)
}

fn judge(parsed: &Parsed<'_>, allow_warnings: bool) -> Outcome {
    match parsed.verdict() {
        Verdict::Valid => Outcome::Success,
        Verdict::Warnings if allow_warnings => Outcome::Success,
        Verdict::Warnings | Verdict::Raw => Outcome::Negative,
    }
}

fn to_json(parsed: &Parsed<'_>, outcome: Outcome) -> String {
    format!(
        "{{\"valid\":{},\"verdict\":\"{}\",\"diagnostics\":{}}}",
        outcome == Outcome::Success,
        parsed.verdict().as_str(),
        array(parsed.diagnostics().iter().map(Diagnostic::to_json)),
    )
}
