//! `toolwire format`: what a model, or a person at a terminal, gets to see.

use toolwire::{FormatOptions, Role, Style, Target};

use crate::args::{FormatArgs, RoleArg, StyleArg, TargetArg};
use crate::exit::{Failure, Outcome, Result};
use crate::input::{self, Source};
use crate::output::Out;
use crate::record::{self, quote};

pub fn run(args: &FormatArgs, out: &mut Out) -> Result<Outcome> {
    let limits = super::limits(&args.limits)?;
    let nonce = match &args.untrusted {
        None => None,
        Some(Some(nonce)) => Some(nonce.clone()),
        Some(None) => Some(random_nonce()?),
    };
    let options = FormatOptions {
        target: match args.target {
            TargetArg::Model => Target::Model,
            TargetArg::Terminal => Target::Terminal,
        },
        style: match args.style {
            StyleArg::Fence => Style::Fence,
            StyleArg::Xml => Style::Xml,
        },
        header: args.header,
        max_bytes: args.max_bytes,
        audience: args.audience.map(|role| match role {
            RoleArg::User => Role::User,
            RoleArg::Assistant => Role::Assistant,
        }),
        nonce: nonce.clone(),
        color: out.color,
    };
    options
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
    let bytes = Source::open(args.file.as_deref())?.read_all(limits.max_bytes)?;
    let parsed = super::read_received(bytes, &args.received, &limits)?;
    let text = match toolwire::format(&parsed, &options) {
        Ok(text) => text,
        Err(error) if args.json => {
            out.json(&record::error(&error))?;
            return Ok(Outcome::Negative);
        }
        Err(error) => return Err(Failure::refused(&error)),
    };
    if args.json {
        let nonce = nonce.map_or_else(String::new, |nonce| format!(",\"nonce\":{}", quote(&nonce)));
        out.json(&format!("{{\"text\":{}{nonce}}}", quote(&text)))?;
    } else {
        out.text(&text)?;
    }
    Ok(Outcome::Success)
}

/// 128 bits that no content could have foreseen.
fn random_nonce() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::Io(format!("cannot get random bytes: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
