//! `toolwire profile update`.

use toolwire::Json;
use toolwire::json::ObjectWriter;
use toolwire_contract::fingerprint::jn_hash;
use toolwire_contract::profile::{Profile, ProfileTool};

use super::compare::{Compared, ask};
use super::examples::Examples;
use super::now::now;
use super::{draft, shown, tools, word};
use crate::args::UpdateProfileArgs;
use crate::baseline::list;
use crate::exit::{Failure, Outcome, Result};
use crate::output::Out;
use crate::terminal;

/// What a profile takes over from the server; everything else in it stays.
const FROM_SERVER: [&str; 3] = ["description", "parameters", "fingerprints"];

pub fn run(args: &UpdateProfileArgs, out: &mut Out) -> Result<Outcome> {
    let compared = ask(&args.ask, "update", out)?;
    let json = args.ask.one.json;
    let word = word(&compared.place);
    let diff = compared.diff()?;
    let changes = !diff.changes.is_empty() || !compared.changed.is_empty();
    if changes {
        if !json {
            compared.write(&diff, out)?;
            out.flush()?;
        }
        let accepted = match args.accept {
            true => Some(true),
            false => terminal::confirm(&format!("Take this over into `{word}`?"))?,
        };
        match accepted {
            Some(true) => {}
            Some(false) => {
                return Err(Failure::Refused(format!("`{word}` stays as it was")));
            }
            None => {
                return Err(Failure::Wrong(vec![format!(
                    "nobody can be asked whether `{word}` takes this over; look at `toolwire profile diff {word}`, \
                     and give `--accept`"
                )]));
            }
        }
    }
    let (profile, lost_hash) = updated(&compared)?;
    compared.place.replace(&compared.stored, &profile)?;
    if let Some(why) = lost_hash {
        out.complain(&format!(
            "warning: `schema_hash` is left out: the tools have none any more: {why}"
        ));
    }
    if !json {
        let (tools, folder) = (tools(&profile), shown(&compared.place));
        out.line(&match changes {
            true => format!("wrote `{word}` with {tools}: {folder}"),
            false => format!("as `{word}` expects: {tools}"),
        })?;
    }
    let examples = match args.no_examples {
        true => Examples::default(),
        false => try_examples(&compared, &profile, args, out)?,
    };
    if json {
        let json = ObjectWriter::new()
            .text("name", &compared.place.name)
            .text("folder", compared.place.folder.to_string_lossy())
            .json("diff", diff.to_json().as_str())
            .flag("changed", changes)
            .json("examples", examples.to_json())
            .end();
        out.json(&json)?;
    } else {
        examples.write(out)?;
    }
    Ok(examples.outcome())
}

/// Runs the examples, once the profile is written, and notes down what passed.
fn try_examples(
    compared: &Compared,
    profile: &Profile,
    args: &UpdateProfileArgs,
    out: &mut Out,
) -> Result<Examples> {
    let examples = Examples::run(compared, profile, &args.ask, out)?;
    let written = compared.place.read()?;
    let mut noted = written.profile.clone();
    examples.note(&mut noted)?;
    if noted != written.profile {
        compared.place.replace(&written, &noted)?;
    }
    Ok(examples)
}

/// The profile with the tools as they are now, and why it has no MD5 any more.
fn updated(compared: &Compared) -> Result<(Profile, Option<String>)> {
    let refused = |error: toolwire::Error| Failure::refused(&error);
    let mut profile = compared.profile().clone();
    let mut known = Vec::new();
    for tool in compared.profile().tools() {
        let name = tool.tool();
        let now = compared.tools.iter().find(|now| now.name == name);
        known.push(name);
        let Some(now) = now else {
            profile.remove_tool(tool.name());
            continue;
        };
        let now = Json::new(now.to_json()).map_err(refused)?;
        let draft = draft::one(&now, &compared.launch)?;
        profile.put_tool(merged(tool, &draft).map_err(refused)?);
    }
    for tool in &compared.tools {
        if !known.contains(&tool.name) {
            let tool = Json::new(tool.to_json()).map_err(refused)?;
            profile.put_tool(draft::one(&tool, &compared.launch)?);
        }
    }
    let mut lost_hash = None;
    if profile.schema_hash().is_some() {
        let hash = jn_hash(&list(&compared.tools)?);
        let hash = hash.map_err(|error| lost_hash = Some(error.to_string()));
        let hash = hash.ok().map(|hash| Json::from(hash.as_str()));
        profile.set("schema_hash", hash).map_err(refused)?;
    }
    draft::set(&mut profile, "schema_updated", &now().1)?;
    Ok((profile, lost_hash))
}

/// A tool with what the server says of it now. What was there in other words, and means the same, stays.
fn merged(
    tool: &ProfileTool,
    draft: &ProfileTool,
) -> std::result::Result<ProfileTool, toolwire::Error> {
    let mut tool = tool.clone();
    for member in FROM_SERVER {
        let is_same = member == "parameters" && tool.input_schema()? == draft.input_schema()?;
        if !is_same {
            tool.set(member, draft.get(member).cloned())?;
        }
    }
    Ok(tool)
}
