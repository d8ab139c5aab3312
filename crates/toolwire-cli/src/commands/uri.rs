//! `toolwire uri`: the canonical form of URIs and paths.

use std::io::{self, BufRead};

use toolwire::{Code, normalize_uri};

use crate::args::UriArgs;
use crate::exit::{Failure, Outcome, Result, reason};
use crate::output::Out;
use crate::record::{self, quote};
use crate::terminal;

pub fn run(args: &UriArgs, out: &mut Out) -> Result<Outcome> {
    let mut worst = Outcome::Success;
    if !args.uris.is_empty() {
        for uri in &args.uris {
            worst = worst.max(one(uri, args, out)?);
        }
        return Ok(worst);
    }
    terminal::invite();
    for line in io::stdin().lock().split(b'\n') {
        let line = line.map_err(|error| {
            Failure::Io(format!("cannot read standard input: {}", reason(&error)))
        })?;
        // A URI that is not UTF-8 gets a replacement character, which is then refused or encoded.
        let line = String::from_utf8_lossy(&line);
        let uri = line.trim_end_matches('\r');
        if !uri.is_empty() {
            worst = worst.max(one(uri, args, out)?);
        }
    }
    Ok(worst)
}

fn one(uri: &str, args: &UriArgs, out: &mut Out) -> Result<Outcome> {
    match (normalize_uri(uri, args.root.as_deref()), args.json) {
        (Ok(normal), true) => {
            out.json(&format!(
                "{{\"input\":{},\"uri\":{}}}",
                quote(uri),
                quote(&normal)
            ))?;
        }
        (Ok(normal), false) => out.line(&terminal::safe(&normal))?,
        (Err(error), _) if error.code() == Code::BadOption => {
            return Err(super::usage(&error, "--root"));
        }
        (Err(error), true) => {
            let body = record::error(&error);
            out.json(&format!("{{\"input\":{},{}", quote(uri), &body[1..]))?;
            return Ok(Outcome::Negative);
        }
        (Err(error), false) => {
            out.complain(&error.to_string());
            return Ok(Outcome::Negative);
        }
    }
    Ok(Outcome::Success)
}
