//! `toolwire identify`: which resources an output holds, and which of them are known.

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Deserializer, Value};
use toolwire::json::array;
use toolwire::{
    Error, IdentifyOptions, Identity, Known, Limits, Parsed, Receipt, identify, normalize_uri,
};

use crate::args::IdentifyArgs;
use crate::exit::{Failure, Outcome, Result};
use crate::input;
use crate::log;
use crate::output::{DIM, GREEN, Out, YELLOW};
use crate::record::Origin;
use crate::show::count;
use crate::terminal;

pub fn run(args: &IdentifyArgs, out: &mut Out) -> Result<Outcome> {
    if args.uri {
        return super::uri::run(args, out);
    }
    let limits = super::limits(&args.limits)?;
    let mut seen = Seen::read(args, &limits)?;
    if args.lines.lines {
        return run_lines(args, &limits, &mut seen, out);
    }
    super::each_output(&args.files, &limits, out, |out, origin, bytes| {
        let parsed = toolwire::parse(bytes, &limits);
        let identities = seen.identify(&parsed)?;
        if !args.json && identities.is_empty() && out.terminal {
            let headline = if parsed.is_raw() {
                "raw text has no resources"
            } else {
                "no resources"
            };
            out.line(&format!("{}{headline}", origin.prefix()))?;
        }
        write(out, origin, &parsed, &identities, args.json)?;
        Ok(Outcome::Success)
    })
}

fn run_lines(
    args: &IdentifyArgs,
    limits: &Limits,
    seen: &mut Seen,
    out: &mut Out,
) -> Result<Outcome> {
    let (mut new, mut repeat, mut changed) = (0, 0, 0);
    let options = &args.lines;
    let (outcome, summary) =
        log::each_output(&args.files, limits, options, out, |out, origin, parsed| {
            let identities = seen.identify(parsed)?;
            for identity in &identities {
                match identity.status {
                    Receipt::New => new += 1,
                    Receipt::Repeat => repeat += 1,
                    Receipt::Changed => changed += 1,
                }
            }
            if !options.summary {
                write(out, origin, parsed, &identities, args.json)?;
            }
            Ok(Outcome::Success)
        })?;
    let json = summary.to_json();
    let json = format!(
        "{},\"new\":{new},\"repeat\":{repeat},\"changed\":{changed}}}",
        &json[..json.len() - 1]
    );
    let total = count(new + repeat + changed, "resource");
    let text = format!(
        "{total}: {new} new, {repeat} repeated, {changed} changed\n{}",
        log::summary_text(&summary)
    );
    log::write_summary(out, args.json, options.summary, &json, &text)?;
    Ok(outcome)
}

fn write(
    out: &mut Out,
    origin: Origin<'_>,
    parsed: &Parsed<'_>,
    identities: &[Identity],
    json: bool,
) -> Result<()> {
    if json {
        let verdict = parsed.verdict().as_str();
        let identities = array(identities.iter().map(Identity::to_json));
        let body = format!("{{\"verdict\":\"{verdict}\",\"identities\":{identities}}}");
        return out.json(&origin.put_before(&body));
    }
    for identity in identities {
        let style = match identity.status {
            Receipt::New => GREEN,
            Receipt::Repeat => DIM,
            Receipt::Changed => YELLOW,
        };
        let status = out.paint(style, &format!("{:<7}", identity.status.as_str()));
        let uri = terminal::safe(&identity.uri);
        let note = if identity.normalized {
            ""
        } else {
            "  (no canonical form, as written)"
        };
        let line = format!(
            "{}{status}  {}  {uri}{note}",
            origin.prefix(),
            identity.digest
        );
        out.line(&line)?;
    }
    Ok(())
}

/// What the model has: the known identities, and those of the outputs that were read before.
struct Seen {
    root: Option<String>,
    /// The last digest of each canonical URI.
    digests: HashMap<String, String>,
}

impl Seen {
    fn read(args: &IdentifyArgs, limits: &Limits) -> Result<Seen> {
        let mut seen = Seen {
            root: args.root.as_deref().map(input::root),
            digests: HashMap::new(),
        };
        // An empty answer shows whether the root is right, before anything is read or written.
        seen.identify(&toolwire::parse(&b""[..], limits))?;
        if let Some(path) = &args.known {
            for Known { uri, digest } in read_known(path, limits)? {
                let uri = normalize_uri(&uri, seen.root.as_deref()).unwrap_or(uri);
                seen.digests.insert(uri, digest);
            }
        }
        Ok(seen)
    }

    /// The identities of one output, which are known from then on.
    fn identify(&mut self, parsed: &Parsed<'_>) -> Result<Vec<Identity>> {
        let judge = |known| {
            let options = IdentifyOptions {
                root: self.root.clone(),
                known,
            };
            identify(parsed, &options).map_err(|error| refuse_option(&error))
        };
        let mut identities = judge(Vec::new())?;
        // Of a long session only what concerns this output is handed over.
        let known: Vec<Known> = identities
            .iter()
            .filter_map(|Identity { uri, .. }| {
                let digest = self.digests.get(uri)?.clone();
                Some(Known {
                    uri: uri.clone(),
                    digest,
                })
            })
            .collect();
        if !known.is_empty() {
            identities = judge(known)?;
        }
        for Identity { uri, digest, .. } in &identities {
            self.digests.insert(uri.clone(), digest.clone());
        }
        Ok(identities)
    }
}

fn refuse_option(error: &Error) -> Failure {
    match error.pointer() {
        "/root" => super::usage(error, "--root"),
        pointer => Failure::Refused(format!("{error}, at {pointer}")),
    }
}

/// Known identities in each form that is at hand: what `identify --json` wrote, one or many lines of
/// it, or an array of objects with `uri` and `digest`.
fn read_known(path: &Path, limits: &Limits) -> Result<Vec<Known>> {
    let bytes = input::read_file(path, limits.max_bytes)?;
    let refuse = |why: String| {
        Failure::Refused(format!(
            "cannot use `{}` as known identities: {why}",
            path.display()
        ))
    };
    let mut known = Vec::new();
    for value in Deserializer::from_slice(&bytes).into_iter::<Value>() {
        let value = value.map_err(|_| {
            refuse("it is not JSON; give what `toolwire identify --json` wrote".to_owned())
        })?;
        match value {
            Value::Array(identities) => known.extend(identities),
            Value::Object(mut members) => match members.remove("identities") {
                Some(Value::Array(identities)) => known.extend(identities),
                _ if members.contains_key("summary") => {}
                _ => known.push(Value::Object(members)),
            },
            _ => {
                return Err(refuse(
                    "each must be an object with `uri` and `digest`".to_owned(),
                ));
            }
        }
    }
    let read = |(i, identity): (usize, Value)| {
        let (Some(uri), Some(digest)) = (identity["uri"].as_str(), identity["digest"].as_str())
        else {
            let message = "an identity must be an object with the strings `uri` and `digest`";
            return Err(refuse(format!("{message}, at /known/{i}")));
        };
        Known::new(uri, digest)
            .map_err(|error| refuse(format!("{error}, at /known/{i}{}", error.pointer())))
    };
    known.into_iter().enumerate().map(read).collect()
}
