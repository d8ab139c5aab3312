//! `toolwire trust`: a manifest that others could have written is used from now on, or a command that
//! nobody typed may be started.

use serde_json::json;
use toolwire_host::manifest;
use toolwire_source::SourceError;

use super::no_manifest;
use crate::args::{ManifestArg, SourceArgs, TrustArgs};
use crate::exit::{Failure, Outcome, Result};
use crate::output::Out;
use crate::{source, terminal};

pub fn run(args: &TrustArgs, out: &mut Out) -> Result<Outcome> {
    if let Some(name) = &args.server {
        return server(name, args, out);
    }
    let path = match &args.file {
        Some(path) => path.clone(),
        None => manifest::nearest()?.ok_or_else(no_manifest)?,
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

/// Agrees to a command, or takes that back. To name it here is consent; what it is, is shown nevertheless.
fn server(name: &str, args: &TrustArgs, out: &mut Out) -> Result<Outcome> {
    let places = SourceArgs {
        config: args.config.clone(),
        jn: args.jn.clone(),
        ..SourceArgs::of_manifest(&ManifestArg { manifest: None })
    };
    let source = source::find_any(Some(name.as_ref()), &[], &places, "trust --server")?;
    let word = source.agreement(name);
    let Some(pending) = source.consent.as_ref().or(word.as_ref()) else {
        return Err(Failure::Wrong(vec![format!(
            "`{name}` needs no approval: it starts no command that nobody typed"
        )]));
    };
    let done = match args.remove {
        true => pending.consent.take_back(),
        false => pending.consent.give(),
    };
    done.map_err(SourceError::from)?;
    let approved = !args.remove;
    if args.json {
        let json = json!({
            "server": source.label,
            "from": pending.origin,
            "command": pending.what,
            "approved": approved,
        });
        out.json(&json.to_string())?;
        return Ok(Outcome::Success);
    }
    out.line(match approved {
        true => "approved as it is:",
        false => "no longer approved:",
    })?;
    for line in &pending.shown {
        out.line(&format!("  {}", terminal::safe(line)))?;
    }
    Ok(Outcome::Success)
}
