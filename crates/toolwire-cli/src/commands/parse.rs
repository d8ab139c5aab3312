//! `toolwire parse`: an output as a host reads it.

use toolwire::{Limits, Parsed, Severity, Status, Verdict};

use crate::args::ParseArgs;
use crate::exit::{Outcome, Result};
use crate::log;
use crate::output::{BOLD, DIM, GREEN, Out, RED, YELLOW};
use crate::preview;
use crate::record::Origin;
use crate::show::count;
use crate::terminal;

/// The most blocks that are listed.
const ROWS: usize = 100;

pub fn run(args: &ParseArgs, out: &mut Out) -> Result<Outcome> {
    let limits = super::limits(&args.limits)?;
    super::check_received(&args.files, Some(&args.lines), &args.received)?;
    if args.lines.lines {
        return run_lines(args, &limits, out);
    }
    let mut first = true;
    super::each_output(&args.files, &limits, out, |out, origin, bytes| {
        let parsed = super::read_received(bytes, &args.received, &limits)?;
        if args.json {
            out.json_object(&origin.head(), parsed.report())?;
        } else {
            if !first {
                out.line("")?;
            }
            first = false;
            write(out, origin, &parsed)?;
        }
        Ok(Outcome::of(parsed.verdict()))
    })
}

fn run_lines(args: &ParseArgs, limits: &Limits, out: &mut Out) -> Result<Outcome> {
    let options = &args.lines;
    let (outcome, summary) =
        log::each_output_alone(&args.files, limits, options, out, |out, origin, parsed| {
            if args.json && !options.summary {
                out.json_object(&origin.head(), parsed.report())?;
            } else if !options.summary {
                let found = parsed.diagnostics().iter();
                let findings: Vec<String> = found
                    .map(|d| {
                        let text = format!("{} {}", d.code, terminal::safe(&d.pointer));
                        text.trim_end().to_owned()
                    })
                    .collect();
                let colon = if findings.is_empty() { "" } else { ": " };
                let headline = headline(out, parsed);
                out.line(&format!(
                    "{}{headline}{colon}{}",
                    origin.prefix(),
                    findings.join(", ")
                ))?;
            }
            Ok(Outcome::of(parsed.verdict()))
        })?;
    let text = log::summary_text(&summary);
    log::write_summary(out, args.json, options.summary, &summary.to_json(), &text)?;
    Ok(outcome)
}

/// The verdict and what there is: `valid, 2 blocks`.
fn headline(out: &Out, parsed: &Parsed<'_>) -> String {
    let (style, word) = match parsed.verdict() {
        Verdict::Valid => (GREEN, "valid"),
        Verdict::Warnings => (YELLOW, "warnings"),
        Verdict::Raw
            if parsed
                .diagnostics()
                .iter()
                .any(|d| d.severity == Severity::Error) =>
        {
            (RED, "raw text")
        }
        Verdict::Raw => (BOLD, "raw text"),
    };
    let mut parts = vec![out.paint(style, word)];
    if parsed.is_raw() {
        parts.push(count(parsed.raw().len() as u64, "byte"));
    } else {
        parts.push(count(parsed.blocks().count() as u64, "block"));
        let skipped = parsed.skipped().count();
        if skipped > 0 {
            parts.push(format!("{skipped} skipped"));
        }
    }
    if parsed.is_error() {
        parts.push(out.paint(
            RED,
            if parsed.transient() {
                "transient error"
            } else {
                "error"
            },
        ));
    }
    if parsed.status() != Status::Stopped {
        parts.push(parsed.status().as_str().to_owned());
    }
    parts.join(", ")
}

fn write(out: &mut Out, origin: Origin<'_>, parsed: &Parsed<'_>) -> Result<()> {
    let headline = headline(out, parsed);
    out.line(&format!("{}{headline}", origin.prefix()))?;

    // Delivered blocks and skipped ones in the order of `content`. Plain raw text is previewed as it
    // is: the envelope that stands for it may be several times its size.
    let mut rows: Vec<(usize, &str, String)> = Vec::new();
    if parsed.is_raw() && !parsed.is_error() {
        rows.extend((!parsed.raw().is_empty()).then(|| (0, "text", preview::bytes(parsed.raw()))));
    } else {
        rows.extend(
            parsed
                .blocks()
                .map(|block| (block.index(), block.kind().as_str(), preview::block(&block))),
        );
        rows.extend(
            parsed
                .skipped()
                .map(|(index, node)| (index, "skipped", preview::text(node.raw()))),
        );
    }
    rows.sort_by_key(|(index, ..)| *index);
    let width = rows.last().map_or(1, |(index, ..)| index.to_string().len());
    let more = rows.len().saturating_sub(ROWS);
    rows.truncate(ROWS);
    for (index, kind, text) in rows {
        let kind = out.paint(
            if kind == "skipped" { YELLOW } else { BOLD },
            &format!("{kind:<13}"),
        );
        out.line(&format!("  {index:>width$}  {kind}  {text}"))?;
    }
    if more > 0 {
        out.line(&format!("  … and {more} more; `--json` has them all"))?;
    }
    if let Some(data) = parsed.structured_content() {
        let label = out.paint(BOLD, "structuredContent");
        out.line(&format!("  {label}  {}", preview::text(data.raw())))?;
    }
    for cause in parsed.trace() {
        let label = out.paint(DIM, "trace");
        out.line(&format!("  {label}  {}", preview::text(&cause)))?;
    }

    super::write_diagnostics(out, Origin::default(), parsed)
}
