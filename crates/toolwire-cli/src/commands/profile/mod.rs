//! `toolwire profile`: servers and what is known of their tools, by a name.

mod compare;
mod create;
pub mod draft;
mod examples;
mod now;
mod show;
mod update;

use toolwire_contract::profile::Profile;
use toolwire_source::{ProfilePlace, StoredProfile};

use crate::args::{JnArg, ProfileArgs, ProfileVerb};
use crate::exit::{Outcome, Result};
use crate::output::Out;
use crate::terminal;

pub fn run(args: &ProfileArgs, out: &mut Out) -> Result<Outcome> {
    match &args.verb {
        ProfileVerb::List(args) => show::list(args, out),
        ProfileVerb::Info(args) => show::info(args, out),
        ProfileVerb::Create(args) => create::run(args, out),
        ProfileVerb::Validate(args) => compare::validate(args, out),
        ProfileVerb::Diff(args) => compare::diff(args, out),
        ProfileVerb::Update(args) => update::run(args, out),
        ProfileVerb::Remove(args) => show::remove(args, out),
    }
}

/// The profile with this name.
fn find(name: &str, jn: &JnArg) -> Result<(ProfilePlace, StoredProfile)> {
    let place = ProfilePlace::find(name, &jn.places())?;
    let stored = place.read()?;
    Ok((place, stored))
}

/// Where a profile lies, for messages.
fn shown(place: &ProfilePlace) -> String {
    terminal::safe(&place.folder.to_string_lossy())
}

/// The word by which the profile's server is a source.
fn word(place: &ProfilePlace) -> String {
    format!("@{}", place.name)
}

/// `no tools`, `1 tool`, `2 tools`.
fn tools(profile: &Profile) -> String {
    match profile.tools().len() {
        0 => "no tools".to_owned(),
        number => crate::show::count(number as u64, "tool"),
    }
}
