//! A draft of a profile, from what a server says.

use std::ffi::{OsStr, OsString};

use toolwire::Json;
use toolwire::call::ToolDescription;
use toolwire::mcp::LossReport;
use toolwire_contract::convert::{Entry, Form, write_server};
use toolwire_contract::fingerprint::{FingerprintOptions, fingerprint};
use toolwire_contract::lock::Launched;
use toolwire_contract::profile::{Profile, ProfileTool, draft_tool};
use toolwire_source::{Places, Source, read_command, read_word};

use super::now::now;
use crate::args::SourceArgs;
use crate::commands::servers::tell_losses;
use crate::exit::{Failure, Result};
use crate::output::Out;
use crate::run;

/// A profile without any tools: how a source is reached. What can't be said is told.
pub fn server(
    source: &Source,
    word: Option<&OsStr>,
    command: &[OsString],
    name: Option<&str>,
    args: &SourceArgs,
    out: &mut Out,
) -> Result<Profile> {
    if source.is_tool(None) {
        return Err(Failure::Refused(format!(
            "`{}` is a tool of Toolwire and no MCP server; a profile is for servers, and a manifest for tools",
            source.label
        )));
    }
    let (mut entry, mut report) = match word {
        Some(word) => {
            let places = Places {
                verb: None,
                ..args.places("")
            };
            let (entry, report) = read_word(word, name, &places)?;
            // What only a profile has is about tools, which are asked anew.
            let is_profile = word.to_string_lossy().starts_with('@');
            (
                entry,
                if is_profile {
                    LossReport::default()
                } else {
                    report
                },
            )
        }
        None => {
            let words = command.iter().map(|word| run::text(word));
            read_command(&words.collect::<Result<Vec<String>>>()?, name)?
        }
    };
    entry.name.get_or_insert_with(|| source.label.clone());
    let written = write_server(&entry, Form::Profile).map_err(|error| Failure::refused(&error))?;
    report.entries.extend(written.report.entries);
    tell_losses(&report.finished(), out);
    let mut profile =
        Profile::minimal(&written.members).map_err(|error| Failure::refused(&error))?;
    set(&mut profile, "created", &now().0)?;
    Ok(profile)
}

/// Puts the drafts of tools into a profile.
pub fn add_tools(profile: &mut Profile, tools: &[ToolDescription], launch: &Json) -> Result<()> {
    for tool in tools {
        let tool = Json::new(tool.to_json()).map_err(|error| Failure::refused(&error))?;
        profile.put_tool(one(&tool, launch)?);
    }
    set(profile, "schema_updated", &now().1)
}

/// The draft of a tool.
pub fn one(tool: &Json, launch: &Json) -> Result<ProfileTool> {
    let options = FingerprintOptions {
        launch: Some(launch.clone()),
        ..FingerprintOptions::default()
    };
    // One that is too large for it has none.
    let print = fingerprint(tool, &options).ok();
    let print = print.map(|print| print.to_json());
    draft_tool(tool, print.as_ref()).map_err(|error| Failure::refused(&error))
}

/// How the server of a profile is reached, as fingerprints have it: the profile is what is used from now on.
pub fn launch_of(profile: &Profile, source: &Source) -> Json {
    let members = profile.launcher();
    let entry = toolwire_contract::convert::read_server(
        members.as_str(),
        Form::McpServers,
        &Default::default(),
    );
    let words = entry.ok().and_then(|(entry, _): (Entry, _)| entry.words());
    let facts = words.and_then(|words| Launched::of_command(&words));
    facts.unwrap_or_else(|| source.facts()).safety()
}

/// Sets a text of a profile.
pub fn set(profile: &mut Profile, name: &str, text: &str) -> Result<()> {
    let set = profile.set(name, Some(text.into()));
    set.map_err(|error| Failure::refused(&error))
}
