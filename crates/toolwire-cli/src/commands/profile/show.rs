//! `toolwire profile list`, `info` and `remove`.

use toolwire::json::{ObjectWriter, array};
use toolwire_contract::convert::{ConvertOptions, Form, read_server, write_server};
use toolwire_contract::profile::Profile;
use toolwire_host::clients::Scope;
use toolwire_source::ProfilePlace;

use super::{find, shown, tools, word};
use crate::args::{ListProfilesArgs, StoredProfileArgs};
use crate::exit::{Outcome, Result};
use crate::output::{BOLD, Out};
use crate::structured::compact;
use crate::table;
use crate::terminal::on_one_line;

/// What there is. One that can't be used is a warning.
pub fn list(args: &ListProfilesArgs, out: &mut Out) -> Result<Outcome> {
    let (mut rows, mut objects) = (Vec::new(), Vec::new());
    let all = ProfilePlace::all(&args.jn.places());
    for place in &all {
        let stored = match place.read() {
            Ok(stored) => stored,
            Err(error) => {
                out.complain(&format!("warning: `{}`: {error}", word(place)));
                continue;
            }
        };
        let profile = &stored.profile;
        let about = profile.description().unwrap_or_default();
        rows.push(vec![
            on_one_line(&word(place)),
            scope(place).to_owned(),
            tools(profile),
            on_one_line(&about),
        ]);
        let mut json = ObjectWriter::new();
        json.text("name", &place.name)
            .text("type", "mcp")
            .text("scope", scope(place))
            .text("folder", place.folder.to_string_lossy())
            .number("tools", profile.tools().len() as u64)
            .optional("description", profile.description().as_deref());
        objects.push(json.end());
    }
    if args.json {
        out.json(&ObjectWriter::new().json("profiles", array(objects)).end())?;
        return Ok(Outcome::Success);
    }
    if all.is_empty() {
        out.complain(
            "there are no profiles; `toolwire profile create NAME --from SOURCE` writes one",
        );
    }
    table::write(&rows, 0, out)?;
    Ok(Outcome::Success)
}

/// What a profile says.
pub fn info(args: &StoredProfileArgs, out: &mut Out) -> Result<Outcome> {
    let (place, stored) = find(&args.one.name, &args.jn)?;
    let profile = &stored.profile;
    if args.one.json {
        let json = ObjectWriter::new()
            .text("name", &place.name)
            .text("type", "mcp")
            .text("scope", scope(&place))
            .text("folder", place.folder.to_string_lossy())
            .json("profile", compact(profile.to_json().as_str()))
            .end();
        out.json(&json)?;
        return Ok(Outcome::Success);
    }
    let mut facts = vec![("profile", word(&place)), ("folder", shown(&place))];
    let text = |name, text: Option<String>| text.map(|text| (name, on_one_line(&text)));
    facts.extend(text("server", profile.server()));
    facts.extend(text("about", profile.description()));
    facts.extend(text("reached by", reached(profile)));
    facts.extend(text("created", profile.created()));
    facts.extend(text("checked", profile.schema_updated()));
    facts.extend(text("JN's hash", profile.schema_hash()));
    facts.push(("if it differs", profile.schema_validation().to_string()));
    let facts: Vec<Vec<String>> = facts
        .into_iter()
        .map(|(name, value)| vec![name.to_owned(), value])
        .collect();
    table::write(&facts, 0, out)?;
    if profile.tools().is_empty() {
        return Ok(Outcome::Success);
    }
    out.line(&out.paint(BOLD, "tools"))?;
    let rows = profile.tools().iter().map(|tool| {
        let about = [tool.description(), tool.notes()];
        let mut about = about.into_iter().flatten().collect::<Vec<_>>().join("; ");
        if let Some(format) = tool.output_format() {
            about.push_str(&format!(" ({format})"));
        }
        vec![on_one_line(tool.name()), on_one_line(&about)]
    });
    table::write(&rows.collect::<Vec<_>>(), 2, out)?;
    Ok(Outcome::Success)
}

/// The launch URI of its server, or what comes nearest.
fn reached(profile: &Profile) -> Option<String> {
    let launcher = profile.launcher();
    let options = ConvertOptions::default();
    let (entry, _) = read_server(launcher.as_str(), Form::McpServers, &options).ok()?;
    let uri = write_server(&entry, Form::LaunchUri).ok();
    Some(uri.map_or_else(|| launcher.as_str().to_owned(), |uri| uri.text))
}

/// Removes a profile.
pub fn remove(args: &StoredProfileArgs, out: &mut Out) -> Result<Outcome> {
    let place = ProfilePlace::find(&args.one.name, &args.jn.places())?;
    place.remove()?;
    if args.one.json {
        let json = ObjectWriter::new()
            .text("name", &place.name)
            .text("folder", place.folder.to_string_lossy())
            .flag("removed", true)
            .end();
        out.json(&json)?;
        return Ok(Outcome::Success);
    }
    out.line(&format!("removed `{}`: {}", word(&place), shown(&place)))?;
    Ok(Outcome::Success)
}

fn scope(place: &ProfilePlace) -> &'static str {
    match place.scope {
        _ if place.of_jn => "jn",
        Scope::Workspace => "project",
        Scope::User => "user",
    }
}
