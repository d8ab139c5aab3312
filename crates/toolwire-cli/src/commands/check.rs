//! `toolwire check`: what changed since tools were locked.

use toolwire::json::{ObjectWriter, array};
use toolwire_contract::lock::{Launched, Lock};

use super::locked::{Looked, Workspace, tell};
use super::review;
use crate::args::CheckArgs;
use crate::baseline::{compare, to_json};
use crate::exit::{Failure, Outcome, Result};
use crate::output::Out;
use crate::show::lock_report::write_report;

pub fn run(args: &CheckArgs, out: &mut Out) -> Result<Outcome> {
    let workspace = Workspace::open(&args.place, &args.server.source, "check", out)?;
    let Some(lock) = &workspace.lock else {
        return Err(Failure::Io(format!(
            "there is no `{}`; write it with `toolwire lock`",
            workspace.file.path().display()
        )));
    };
    let names = args.sources.iter().map(|word| workspace.name(word));
    let names = names.collect::<Result<Vec<String>>>()?;
    let typed = !names.is_empty();
    let mut names = match names.is_empty() {
        true => [workspace.names(), workspace.of_manifest()].concat(),
        false => names,
    };
    names.sort();
    names.dedup();
    let mut worst = Outcome::Success;
    let mut now = Vec::new();
    let mut failed = Vec::new();
    for name in &names {
        // Whatever one that is not locked says, nothing is there to compare it with.
        if !lock.sources.contains_key(name) {
            now.push((name.clone(), Some(to_json(&Launched::default(), None)?)));
            continue;
        }
        match workspace.look(name, typed, &args.server, args.offline, out) {
            Looked::Now(json) => now.push((name.clone(), json)),
            // What could not be asked is not verified.
            Looked::Failed(launch, failure) => {
                failed.push((name, failure.message()));
                worst = worst.max(tell(name, failure, out)?);
                if launch.is_some() {
                    now.push((name.clone(), launch));
                }
            }
        }
    }
    let lock = Lock {
        sources: names
            .iter()
            .filter_map(|name| Some((name.clone(), lock.sources.get(name)?.clone())))
            .collect(),
        ..Lock::default()
    };
    let report = compare(&lock, &now, args.offline).map_err(|error| Failure::refused(&error))?;
    let users = workspace.users(&report.sources);
    match (args.json, args.markdown) {
        (true, _) => out.json(&users.beside(beside(report.to_json(), &failed)))?,
        (_, true) => review::write_markdown(&report, &users, &args.fail, out)?,
        _ if args.format.is_some() => {
            review::write_github(&report, &users, workspace.file.path(), &args.fail, out)?;
        }
        _ => write_report(&report, &users, out)?,
    }
    Ok(match review::fails(&report, &args.fail) {
        true => worst.max(Outcome::Negative),
        false => worst,
    })
}

/// A report, a JSON object, with `failed` as its last member: why sources could not be asked, if there are any.
fn beside(report: String, failed: &[(&String, String)]) -> String {
    let Some(open) = report.strip_suffix('}').filter(|_| !failed.is_empty()) else {
        return report;
    };
    let failed = array(failed.iter().map(|(name, why)| {
        ObjectWriter::new()
            .text("name", name.as_str())
            .text("message", why)
            .end()
    }));
    format!("{open},\"failed\":{failed}}}")
}
