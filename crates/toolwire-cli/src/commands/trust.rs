//! `toolwire trust`: a manifest that others could have written is used from now on (MAN-32).

use serde_json::json;
use toolwire_host::manifest;

use super::list;
use crate::args::TrustArgs;
use crate::exit::{Outcome, Result};
use crate::output::Out;
use crate::terminal;

pub fn run(args: &TrustArgs, out: &mut Out) -> Result<Outcome> {
    let path = match &args.file {
        Some(path) => path.clone(),
        None => manifest::nearest()?.ok_or_else(list::none)?,
    };
    let (path, digest) = match args.remove {
        true => (manifest::distrust(&path)?, None),
        false => {
            let trusted = manifest::trust(&path)?;
            if let Some(note) = &trusted.note {
                out.complain(note);
            }
            (trusted.path, Some(trusted.digest))
        }
    };
    let path = path.to_string_lossy();
    if args.json {
        let trusted = digest.is_some();
        out.json(&json!({ "manifest": path, "digest": digest, "trusted": trusted }).to_string())?;
        return Ok(Outcome::Success);
    }
    let path = terminal::safe(&path);
    out.line(&match digest {
        Some(digest) => format!("trusted as it is: {path} ({digest})"),
        None => format!("no longer trusted: {path}"),
    })?;
    Ok(Outcome::Success)
}
