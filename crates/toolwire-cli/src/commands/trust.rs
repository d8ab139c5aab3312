//! `toolwire trust`: a manifest that others could have written is used from now on (MAN-32), or a server
//! that a file of the workspace names may be started (CFG-21).

use serde_json::json;
use toolwire_host::clients::{self, Scope, Surroundings};
use toolwire_host::manifest;

use super::list;
use crate::args::TrustArgs;
use crate::exit::{Failure, Outcome, Result};
use crate::output::Out;
use crate::terminal;

pub fn run(args: &TrustArgs, out: &mut Out) -> Result<Outcome> {
    if let Some(name) = &args.server {
        return server(name, args, out);
    }
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

/// Approves a server, or takes that back. To name it here is consent; what it is, is shown nevertheless.
fn server(name: &str, args: &TrustArgs, out: &mut Out) -> Result<Outcome> {
    let entry = clients::find(name, &Surroundings::current())?.entry;
    if entry.scope == Some(Scope::User) && !args.remove {
        return Err(Failure::Wrong(vec![format!(
            "`{name}` needs no approval: a file of your own names it, {}; for that of another client, write \
             `CLIENT:{}`",
            entry.place(),
            entry.name
        )]));
    }
    match args.remove {
        true => entry.disapprove()?,
        false => entry.approve()?,
    }
    let approved = !args.remove;
    if args.json {
        let path = entry.path.to_string_lossy();
        let json = json!({ "server": entry.name, "file": path, "approved": approved });
        out.json(&json.to_string())?;
        return Ok(Outcome::Success);
    }
    out.line(match approved {
        true => "approved as it is:",
        false => "no longer approved:",
    })?;
    for line in entry.shown() {
        out.line(&format!("  {}", terminal::safe(&line)))?;
    }
    Ok(Outcome::Success)
}
