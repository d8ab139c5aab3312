//! `toolwire lock`: writes down what tools are, and accepts what has changed.

use toolwire::Json;
use toolwire::json::{ObjectWriter, array};
use toolwire_contract::lock::{Lock, LockedSource, State, update_lock};

use super::locked::{Looked, Workspace, tell};
use crate::args::LockArgs;
use crate::baseline::compare;
use crate::exit::{Failure, Outcome, Result};
use crate::output::Out;
use crate::show::changes::visible;
use crate::show::lock_report::write_source;
use crate::{table, terminal};

/// What became of a source.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Became {
    /// It was not locked, and is now.
    Added,
    /// It is as it was locked.
    Same,
    /// It has changed, and what was locked stays.
    Changed,
    /// It has changed, and that was accepted.
    Updated,
    /// It is gone, and that was accepted.
    Removed,
    /// It could not be asked.
    Failed,
}

impl Became {
    fn as_str(self) -> &'static str {
        match self {
            Became::Added => "added",
            Became::Same => "same",
            Became::Changed => "changed",
            Became::Updated => "updated",
            Became::Removed => "removed",
            Became::Failed => "failed",
        }
    }
}

/// What is written of a source: what was locked when it was looked at, and what it is now.
struct Write {
    name: String,
    old: Option<LockedSource>,
    now: Option<Json>,
}

pub fn run(args: &LockArgs, out: &mut Out) -> Result<Outcome> {
    let workspace = Workspace::open(&args.place, &args.server.source, "lock", out)?;
    let names = args.sources.iter().map(|word| workspace.name(word));
    let mut names = names.collect::<Result<Vec<String>>>()?;
    if !args.command.is_empty() {
        names.push(workspace.name_of_command(&args.command)?);
    }
    let typed = !names.is_empty();
    if !typed {
        names = match (args.update, &workspace.manifest) {
            (true, _) => workspace.names(),
            (false, Some(_)) => workspace.of_manifest(),
            (false, None) => return Err(super::no_manifest()),
        };
    }
    names.sort();
    names.dedup();
    let mut worst = Outcome::Success;
    let (mut became, mut writes) = (Vec::new(), Vec::new());
    for name in names {
        let now = match workspace.look(&name, typed, &args.server, false, out) {
            Looked::Now(now) => now,
            Looked::Failed(_, failure) => {
                worst = worst.max(tell(&name, failure, out)?);
                became.push((name, Became::Failed));
                continue;
            }
        };
        let old = workspace.locked(&name).cloned();
        if old.is_none() && now.is_none() {
            let failure = Failure::Wrong(vec![format!("there is no `{}`", visible(&name))]);
            worst = worst.max(tell(&name, failure, out)?);
            became.push((name, Became::Failed));
            continue;
        }
        let what = decide(&workspace, &name, old.as_ref(), now.as_ref(), args, out)?;
        match what {
            Became::Changed => worst = worst.max(Outcome::Negative),
            Became::Added | Became::Updated | Became::Removed => writes.push(Write {
                name: name.clone(),
                old,
                now,
            }),
            Became::Same | Became::Failed => {}
        }
        became.push((name, what));
    }
    if !writes.is_empty() || workspace.lock.is_none() {
        write(&workspace, &writes)?;
    }
    tell_all(&workspace, &became, args.json, out)?;
    Ok(worst)
}

/// What is to become of a source. A change is shown and asked about, if it may be accepted at all.
fn decide(
    workspace: &Workspace<'_>,
    name: &str,
    old: Option<&LockedSource>,
    now: Option<&Json>,
    args: &LockArgs,
    out: &mut Out,
) -> Result<Became> {
    let Some(old) = old else {
        return Ok(Became::Added);
    };
    let lock = Lock {
        sources: [(name.to_owned(), old.clone())].into(),
        ..Lock::default()
    };
    let report = compare(&lock, &[(name.to_owned(), now.cloned())], false);
    let report = report.map_err(|error| Failure::refused(&error))?;
    let Some(source) = report.sources.first() else {
        return Ok(Became::Same);
    };
    // What nobody says of a launch is no change.
    if [State::Same, State::NotVerified].contains(&source.state) {
        return Ok(Became::Same);
    }
    if !args.update {
        out.complain(&format!(
            "{name}: it is not as it was locked, which stays; `toolwire check` shows what has changed, and \
             `toolwire lock --update` accepts it"
        ));
        return Ok(Became::Changed);
    }
    // What is asked about stands where it is asked.
    let mut page = Out::page(out.style());
    let users = workspace.users(std::slice::from_ref(source));
    write_source(source, &users, &mut page)?;
    out.flush()?;
    let color = out.color && terminal::are_terminals().1;
    terminal::tell(&String::from_utf8_lossy(&page.into_bytes()), color);
    let accepted = match args.server.source.yes {
        true => Some(true),
        false => {
            let question = format!("Accept this of `{}`?", visible(name));
            terminal::confirm(&question)?
        }
    };
    match (accepted, now) {
        (Some(true), Some(_)) => Ok(Became::Updated),
        (Some(true), None) => Ok(Became::Removed),
        (Some(false), _) => Ok(Became::Changed),
        (None, _) => Err(Failure::Wrong(vec![
            "there is nobody to ask whether this is accepted, so nothing was written; give `--yes` once you have \
             looked at it"
                .to_owned(),
        ])),
    }
}

/// Writes what was decided, unless another process has locked something else meanwhile.
fn write(workspace: &Workspace<'_>, writes: &[Write]) -> Result<()> {
    let written = workspace.file.update(|lock| {
        let other = writes
            .iter()
            .find(|write| lock.sources.get(&write.name) != write.old.as_ref());
        if let Some(write) = other {
            return Ok(Err(format!(
                "`{}` was locked by another process meanwhile, so nothing was written; try again",
                write.name
            )));
        }
        let unchanged = lock.clone();
        for write in writes {
            let done = match &write.now {
                Some(now) => update_lock(lock, &write.name, now),
                None => {
                    lock.sources.remove(&write.name);
                    Ok(())
                }
            };
            if let Err(error) = done {
                *lock = unchanged;
                return Ok(Err(error.to_string()));
            }
        }
        Ok(Ok(()))
    });
    written?.map_err(Failure::Refused)
}

fn tell_all(
    workspace: &Workspace<'_>,
    became: &[(String, Became)],
    json: bool,
    out: &mut Out,
) -> Result<()> {
    let path = workspace.file.path().to_string_lossy();
    if json {
        let sources = array(became.iter().map(|(name, what)| {
            ObjectWriter::new()
                .text("name", name)
                .text("state", what.as_str())
                .end()
        }));
        let json = ObjectWriter::new()
            .text("lock", &*path)
            .json("sources", sources)
            .end();
        return out.json(&json);
    }
    let rows: Vec<Vec<String>> = became
        .iter()
        .map(|(name, what)| vec![what.as_str().to_owned(), visible(name)])
        .collect();
    table::write_named(&rows, out)
}
