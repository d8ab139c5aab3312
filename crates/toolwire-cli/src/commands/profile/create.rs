//! `toolwire profile create`.

use std::path::Path;

use toolwire::json::ObjectWriter;
use toolwire_contract::profile::{Profile, read_profile};
use toolwire_source::ProfilePlace;

use super::{draft, shown, tools, word};
use crate::args::CreateProfileArgs;
use crate::commands::observe::observe;
use crate::exit::{Failure, Outcome, Result};
use crate::output::Out;
use crate::{hidden, input, source, terminal};

/// The most bytes of a profile that is given.
const MOST_BYTES: usize = 16 * 1024 * 1024;

pub fn run(args: &CreateProfileArgs, out: &mut Out) -> Result<Outcome> {
    let place = ProfilePlace::new(&args.one.name, args.project)?;
    let profile = match args.from.is_some() || !args.command.is_empty() {
        true => asked(args, &place, out)?,
        false => given()?,
    };
    place.create(&profile)?;
    // Whoever has just agreed to the command is not asked for it again.
    let own = source::find(
        Some(word(&place).as_ref()),
        &[],
        &args.server.source,
        "profile create",
    );
    if let Ok(own) = own {
        source::agree_to_same(&own)?;
    }
    if args.one.json {
        let json = ObjectWriter::new()
            .text("name", &place.name)
            .text("folder", place.folder.to_string_lossy())
            .number("tools", profile.tools().len() as u64)
            .end();
        out.json(&json)?;
        return Ok(Outcome::Success);
    }
    let (word, tools) = (word(&place), tools(&profile));
    out.line(&format!("wrote `{word}` with {tools}: {}", shown(&place)))?;
    Ok(Outcome::Success)
}

/// The profile on standard input.
fn given() -> Result<Profile> {
    terminal::invite(
        "reading a profile from the terminal; end with Ctrl-D, or name a server with `--from`",
    );
    let bytes = input::read_file(Path::new("-"), MOST_BYTES)?;
    let wrong = |message: String| Failure::Wrong(vec![format!("the profile on stdin: {message}")]);
    let text = String::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8".to_owned()))?;
    read_profile(&text).map_err(|error| {
        wrong(match error.pointer() {
            "" => error.message().to_owned(),
            pointer => format!("{pointer}: {}", error.message()),
        })
    })
}

/// A profile of a server that is asked for its tools.
fn asked(args: &CreateProfileArgs, place: &ProfilePlace, out: &mut Out) -> Result<Profile> {
    let from = args.from.as_deref();
    let places = &args.server.source;
    let source = source::find(from, &args.command, places, "profile create --from")?;
    let name = Some(place.name.as_str());
    let mut profile = draft::server(&source, from, &args.command, name, places, out)?;
    let launch = draft::launch_of(&profile, &source);
    let seen = observe(source, &args.server, out)?;
    hidden::warn_of_tools(&seen.tools(), out);
    draft::add_tools(&mut profile, &seen.tools(), &launch)?;
    Ok(profile)
}
