//! `toolwire identify --uri`: the canonical form of URIs and paths.

use toolwire::{Code, Error, normalize_uri};

use crate::args::IdentifyArgs;
use crate::exit::{Outcome, Result};
use crate::input::{self, Source};
use crate::lines::{self, Line};
use crate::output::Out;
use crate::record::{self, quote};
use crate::terminal;

/// The longest line that is taken for a URI, in bytes.
const MAX_LINE: usize = 1024 * 1024;

pub fn run(args: &IdentifyArgs, out: &mut Out) -> Result<Outcome> {
    let mut worst = Outcome::Success;
    if !args.files.files.is_empty() {
        for word in &args.files.files {
            let uri = crate::run::text(word.as_os_str())?;
            worst = worst.max(one(&uri, args, out)?);
        }
        return Ok(worst);
    }
    let mut source = Source::open(None)?;
    let each = |line: Line<'_>| {
        let outcome = match std::str::from_utf8(line.bytes) {
            Ok(uri) if uri.len() <= MAX_LINE => one(uri, args, out)?,
            Ok(_) => refuse(None, &unusable(&line, "is too long for a URI"), args, out)?,
            Err(_) => refuse(None, &unusable(&line, "is not valid UTF-8"), args, out)?,
        };
        worst = worst.max(outcome);
        Ok(())
    };
    lines::for_each(&mut source, MAX_LINE, each, |_| ())?;
    Ok(worst)
}

fn one(uri: &str, args: &IdentifyArgs, out: &mut Out) -> Result<Outcome> {
    let root = args.root.as_deref().map(input::root);
    match normalize_uri(uri, root.as_deref()) {
        Ok(normal) if args.json => {
            out.json(&format!(
                "{{\"input\":{},\"uri\":{}}}",
                quote(uri),
                quote(&normal)
            ))?;
        }
        Ok(normal) => out.line(&terminal::safe(&normal))?,
        Err(error) if error.code() == Code::BadOption => {
            return Err(super::usage(&error, "--root"));
        }
        Err(error) => return refuse(Some(uri), &error, args, out),
    }
    Ok(Outcome::Success)
}

/// A line that can't be a URI at all.
fn unusable(line: &Line<'_>, why: &str) -> Error {
    Error::new(
        Code::BadUri,
        "",
        None,
        format!("line {} {why}", line.number),
    )
}

fn refuse(
    input: Option<&str>,
    error: &Error,
    args: &IdentifyArgs,
    out: &mut Out,
) -> Result<Outcome> {
    if args.json {
        let input = input.map_or_else(String::new, |uri| format!("\"input\":{},", quote(uri)));
        out.json(&format!("{{{input}{}", &record::error(error)[1..]))?;
    } else {
        out.complain(&error.to_string());
    }
    Ok(Outcome::Negative)
}
