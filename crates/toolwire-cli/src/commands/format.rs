//! `toolwire format`: what a model, or a person at a terminal, gets to see.

use toolwire::mcp::Fate;
use toolwire::provider::{MessageOptions, ModelCall, Provider, to_message};
use toolwire::{FormatOptions, Limits, Parsed, Style, Target};

use crate::args::{Files, FormatArgs, TargetArg};
use crate::exit::{Failure, Outcome, Result};
use crate::input::{self, Source};
use crate::log;
use crate::output::Out;
use crate::record::{self, Origin, quote};
use crate::structured::write_over_lines;

pub fn run(args: &FormatArgs, out: &mut Out) -> Result<Outcome> {
    let limits = super::limits(&args.limits)?;
    if let TargetArg::Message(provider) = args.target {
        let is_xml = args.style == Style::Xml;
        if is_xml || args.header || args.audience.is_some() || args.untrusted.is_some() {
            return Err(Failure::usage(format!(
                "`--style`, `--header`, `--audience` and `--untrusted` are for text, not for `--for {provider}`"
            )));
        }
    }
    options(args, out)?
        .check()
        .map_err(|error| super::usage(&error, "--untrusted"))?;
    if let [second, others @ ..] = &args.more[..] {
        return Err(match (&args.untrusted, &args.file) {
            (Some(None), Some(nonce)) if others.is_empty() => Failure::usage(format!(
                "`format` takes one file; if `{0}` is the nonce, write `--untrusted={0}`",
                nonce.display()
            )),
            _ => input::second_file("format", second),
        });
    }
    let files = Files {
        files: args.file.iter().cloned().collect(),
    };
    super::check_received(&files, Some(&args.lines), &args.received)?;
    if args.lines.lines {
        return run_lines(args, &files, &limits, out);
    }
    let bytes = Source::open(args.file.as_deref())?.read_all(limits.max_bytes)?;
    let parsed = super::read_received(bytes, &args.received, &limits)?;
    write(args, out, Origin::default(), &parsed)
}

/// One text for each output of a log, with a blank line between two.
fn run_lines(args: &FormatArgs, files: &Files, limits: &Limits, out: &mut Out) -> Result<Outcome> {
    let mut first = true;
    let lines = &args.lines;
    let (outcome, summary) = log::each_output(files, limits, lines, out, |out, origin, parsed| {
        if lines.summary {
            return Ok(Outcome::Success);
        }
        if !first && !args.json {
            out.line("")?;
        }
        first = false;
        write(args, out, origin, parsed)
    })?;
    let text = log::summary_text(&summary);
    log::write_summary(out, args.json, lines.summary, &summary.to_json(), &text)?;
    Ok(outcome)
}

fn write(
    args: &FormatArgs,
    out: &mut Out,
    origin: Origin<'_>,
    parsed: &Parsed<'_>,
) -> Result<Outcome> {
    if let TargetArg::Message(provider) = args.target {
        return write_message(args, out, origin, parsed, provider);
    }
    let options = options(args, out)?;
    let text = match toolwire::format(parsed, &options) {
        Ok(text) => text,
        Err(error) if args.json => {
            out.json(&origin.put_before(&record::error(&error)))?;
            return Ok(Outcome::Negative);
        }
        Err(error) if origin.line.is_some() => {
            out.complain_of_line(&format!("{}{error}", origin.prefix()));
            return Ok(Outcome::Negative);
        }
        Err(error) => return Err(Failure::refused(&error)),
    };
    if args.json {
        let nonce = options.nonce.as_deref();
        let nonce = nonce.map_or_else(String::new, |nonce| format!(",\"nonce\":{}", quote(nonce)));
        out.json(&origin.put_before(&format!("{{\"text\":{}{nonce}}}", quote(&text))))?;
    } else {
        out.text(&text)?;
    }
    Ok(Outcome::Success)
}

/// The message that answers a call, then its companion; what has been lost is reported on stderr.
fn write_message(
    args: &FormatArgs,
    out: &mut Out,
    origin: Origin<'_>,
    parsed: &Parsed<'_>,
    provider: Provider,
) -> Result<Outcome> {
    let mut options = MessageOptions::default();
    options.max_bytes = args.max_bytes;
    let call = ModelCall::new("call_1", "tool");
    let written = to_message(parsed, &call, provider, &options);
    let written = written.map_err(|error| Failure::refused(&error))?;
    if args.json {
        out.json(&origin.put_before(&written.to_json()))?;
        return Ok(Outcome::Success);
    }
    write_over_lines(&written.message, out)?;
    if let Some(companion) = &written.companion {
        write_over_lines(companion, out)?;
    }
    for entry in &written.report.entries {
        if entry.fate != Fate::Kept {
            let prefix = origin.prefix();
            out.complain(&format!(
                "{prefix}{}: {}: {}",
                entry.pointer, entry.fate, entry.reason
            ));
        }
    }
    Ok(Outcome::Success)
}

/// How an output is presented. Each has a random nonce of its own.
fn options(args: &FormatArgs, out: &Out) -> Result<FormatOptions> {
    Ok(FormatOptions {
        target: match args.target {
            TargetArg::Text(target) => target,
            TargetArg::Message(_) => Target::Model,
        },
        style: args.style,
        header: args.header,
        max_bytes: args.max_bytes,
        audience: args.audience,
        nonce: match &args.untrusted {
            None => None,
            Some(Some(nonce)) => Some(nonce.clone()),
            Some(None) => Some(random_nonce()?),
        },
        color: out.color,
    })
}

/// 128 bits that no content could have foreseen.
fn random_nonce() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::Io(format!("cannot get random bytes: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
