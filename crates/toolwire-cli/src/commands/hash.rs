//! `toolwire hash`: the fingerprints of tools.

use toolwire::Json;
use toolwire::call::ToolDescription;
use toolwire::json::{ObjectWriter, array};
use toolwire_contract::fingerprint::{Fingerprint, FingerprintOptions, fingerprint, jn_hash};
use toolwire_mcp::client::ListedTool;

use super::explore::surplus_word;
use super::observe::{Observed, callable, observe};
use super::tools::on_one_line;
use crate::args::{HashArgs, parted};
use crate::call::expected::Expected;
use crate::exit::{Failure, Outcome, Result};
use crate::output::{BOLD, Out};
use crate::{call, run, source};

pub fn run(args: &HashArgs, out: &mut Out) -> Result<Outcome> {
    let (word, rest) = parted(&args.words, &args.command);
    if let Some(surplus) = rest.get(usize::from(!args.jn)) {
        return Err(surplus_word("hash", surplus));
    }
    let named = rest.first().map(|word| run::text(word)).transpose()?;
    let source = source::find(word, &args.command, &args.server.source, "hash")?;
    let expected = Expected::of(&source, &args.expect)?;
    let named = named.or_else(|| source.tool().map(str::to_owned));
    let label = source.label.clone();
    let options = FingerprintOptions {
        launch: Some(source.facts().safety()),
        ..FingerprintOptions::default()
    };
    let seen = match observe(source, &args.server, out)? {
        Observed::Seen(seen) => seen,
        Observed::Ended(outcome) => return Ok(outcome),
    };
    let listed = seen.listed;
    let tools = callable(&listed);
    if let Some(expected) = expected {
        expected.tell(&tools, out)?;
    }
    if args.jn {
        return jn(&tools, args.json, out);
    }
    let (all, tools) = match named {
        Some(name) => (false, vec![call::pick(&listed, Some(&name), &label, "")?]),
        None => (true, tools),
    };
    let prints = tools
        .iter()
        .map(|tool| Ok((tool.name.as_str(), fingerprint_of(tool, &listed, &options)?)));
    let prints = prints.collect::<Result<Vec<_>>>()?;
    if args.json {
        let mut by_name = ObjectWriter::new();
        for (name, print) in &prints {
            by_name.json(name, print.to_json().as_str());
        }
        let json = ObjectWriter::new()
            .text("server", &label)
            .json("fingerprints", by_name.end())
            .end();
        out.json(&json)?;
        return Ok(Outcome::Success);
    }
    for (name, print) in &prints {
        let indent = match all {
            true => {
                out.line(&out.paint(BOLD, &on_one_line(name)))?;
                "  "
            }
            false => "",
        };
        out.line(&format!("{indent}contract  {}", print.contract))?;
        out.line(&format!("{indent}text      {}", print.text))?;
        out.line(&format!("{indent}safety    {}", print.safety))?;
    }
    Ok(Outcome::Success)
}

/// The fingerprints of a tool, as it was listed.
fn fingerprint_of(
    tool: &ToolDescription,
    listed: &[ListedTool],
    options: &FingerprintOptions,
) -> Result<Fingerprint> {
    let listed = listed.iter().find(|one| one.tool.as_ref() == Some(tool));
    let json = listed.map_or_else(Json::empty_object, |one| one.json.clone());
    fingerprint(&json, options).map_err(|error| {
        let name = on_one_line(&tool.name);
        Failure::Refused(format!("`{name}` has no fingerprint: {error}"))
    })
}

/// The MD5 that old profiles have, over the whole list.
fn jn(tools: &[ToolDescription], as_json: bool, out: &mut Out) -> Result<Outcome> {
    let list = array(tools.iter().map(ToolDescription::to_json));
    let hash = Json::new(list).and_then(|list| jn_hash(&list));
    let hash = hash.map_err(|error| Failure::refused(&error))?;
    match as_json {
        true => out.json(&ObjectWriter::new().text("jn", &hash).end())?,
        false => out.line(&hash)?,
    }
    Ok(Outcome::Success)
}
