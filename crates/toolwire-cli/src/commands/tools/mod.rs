//! `toolwire tools`: what a source or the manifest offers, in the detail that is asked for.

mod manifest;

use toolwire::Json;
use toolwire::call::{ToolAnnotations, ToolDescription};
use toolwire::json::{ObjectWriter, array};
use toolwire_contract::fingerprint::{FingerprintOptions, fingerprint};
use toolwire_host::Selection;
use toolwire_mcp::client::ListedTool;
use toolwire_source::Source;

use super::observe::observe;
use super::profile::draft;
use super::surplus_word;
use crate::args::{ServerArgs, ToolsArgs, parted};
use crate::baseline::{Baseline, Seen};
use crate::exit::{Failure, Outcome, Result};
use crate::output::{BOLD, Out};
use crate::structured::write_over_lines;
use crate::terminal::on_one_line;
use crate::{hidden, parameters, run, source, table};

pub fn run(args: &ToolsArgs, out: &mut Out) -> Result<Outcome> {
    let (word, rest) = parted(&args.words, &args.command);
    if word.is_none() && args.command.is_empty() {
        if let Some(option) = args.needs_source() {
            let message =
                format!("`{option}` is for one source; name it, as in `toolwire tools ./tool.py`");
            return Err(Failure::Usage(message));
        }
        return manifest::write(args, out);
    }
    if let Some(surplus) = rest.get(1) {
        return Err(surplus_word("tools", "a source and a tool", surplus));
    }
    let named = rest.first().map(|word| run::text(word)).transpose()?;
    let source = source::find(word, &args.command, &args.server.source, "tools")?;
    let baseline = Baseline::of_profile(&source, &args.expect)?;
    let named = named.or_else(|| source.tool().map(str::to_owned));
    let places = &args.server.source;
    let draft = match args.draft {
        true => Some(draft::server(
            &source,
            word,
            &args.command,
            None,
            places,
            out,
        )?),
        false => None,
    };
    let launch = match &draft {
        Some(profile) => draft::launch_of(profile, &source),
        None => source.facts().safety(),
    };
    let mut listing = Listing::of(source, &baseline, &args.server, out)?;
    listing.select(&args.chosen.selection(), out)?;
    if named.is_some() || args.schema {
        listing.choose(named.as_deref())?;
    }
    if let Some(mut profile) = draft {
        draft::add_tools(&mut profile, &listing.seen.tools(), &launch)?;
        write_over_lines(&profile.to_json(), out)?;
    } else if args.schema {
        for tool in listing.seen.tools() {
            write_over_lines(&tool.input_schema, out)?;
        }
    } else if args.fingerprint {
        listing.write_fingerprints(launch, args.json, out)?;
    } else {
        listing.write(args.json, out)?;
    }
    Ok(Outcome::Success)
}

/// The tools of a source.
pub struct Listing {
    label: String,
    seen: Seen,
}

impl Listing {
    /// Asks a source for its tools. What they hide, and how they differ from what a profile expects, is reported.
    pub fn of(
        source: Source,
        baseline: &Baseline,
        args: &ServerArgs,
        out: &mut Out,
    ) -> Result<Listing> {
        let label = source.label.clone();
        let seen = observe(source, args, out)?;
        hidden::warn_of_listed(&seen.listed, out);
        if let Some(instructions) = &seen.instructions {
            hidden::warn("the server", &Json::from(instructions.as_str()), out);
        }
        baseline.report(&seen.tools(), out)?;
        Ok(Listing { label, seen })
    }

    /// Leaves the tools that are selected.
    fn select(&mut self, selection: &Selection<'_>, out: &mut Out) -> Result<()> {
        let names: Vec<&str> = self.seen.listed.iter().map(name_of).collect();
        complain_of_unmatched(selection, &names, out)?;
        let listed = &mut self.seen.listed;
        listed.retain(|listed| selection.takes(name_of(listed)));
        Ok(())
    }

    /// Leaves the tool that is meant alone.
    fn choose(&mut self, named: Option<&str>) -> Result<()> {
        let (chosen, _) = run::choose(&self.seen.listed, named, &self.label, "")?;
        self.seen.listed = vec![chosen.clone()];
        Ok(())
    }

    /// Writes a row for each tool, a single one with its arguments, or MCP's list as JSON.
    pub fn write(&self, json: bool, out: &mut Out) -> Result<()> {
        if json {
            return out.json(&self.to_json());
        }
        let tools = self.seen.tools();
        if tools.is_empty() {
            out.complain(&format!("`{}` has no tools", self.label));
        }
        let rows = tools
            .iter()
            .map(|tool| vec![on_one_line(&tool.name), about(tool)]);
        table::write_named(&rows.collect::<Vec<_>>(), out)?;
        if let [tool] = &tools[..] {
            let rows = parameters::rows(&tool.input_schema);
            table::write(&rows, 2, out)?;
        }
        Ok(())
    }

    /// Beside the tools, `listedAs` has the names that the server gives tools that are called otherwise, and
    /// `problems` what can't be called or told apart.
    fn to_json(&self) -> String {
        let (mut names, mut renamed) = (ObjectWriter::new(), false);
        let mut problems = Vec::new();
        for one in &self.seen.listed {
            if let Some(tool) = one.tool.as_ref().filter(|tool| tool.name != one.name) {
                names.text(&tool.name, &one.name);
                renamed = true;
            }
            if let Some(problem) = &one.problem {
                let mut json = ObjectWriter::new();
                problems.push(json.text("name", &one.name).text("problem", problem).end());
            }
        }
        let tools = self.seen.tools();
        ObjectWriter::new()
            .json("tools", array(tools.iter().map(ToolDescription::to_json)))
            .optional_json("listedAs", renamed.then(|| names.end()))
            .optional_json("problems", (!problems.is_empty()).then(|| array(problems)))
            .optional("instructions", self.seen.instructions.as_deref())
            .end()
    }

    /// Writes the fingerprints of each tool, as it was listed.
    fn write_fingerprints(&self, launch: Json, json: bool, out: &mut Out) -> Result<()> {
        let options = FingerprintOptions {
            launch: Some(launch),
            ..FingerprintOptions::default()
        };
        let mut by_name = ObjectWriter::new();
        for listed in &self.seen.listed {
            let Some(tool) = &listed.tool else { continue };
            let name = on_one_line(&tool.name);
            let print = fingerprint(&listed.json, &options).map_err(|error| {
                Failure::Refused(format!("`{name}` has no fingerprint: {error}"))
            })?;
            if json {
                by_name.json(&tool.name, print.to_json().as_str());
                continue;
            }
            out.line(&out.paint(BOLD, &name))?;
            out.line(&format!("  contract  {}", print.contract))?;
            out.line(&format!("  text      {}", print.text))?;
            out.line(&format!("  safety    {}", print.safety))?;
        }
        match json {
            true => out.json(
                &ObjectWriter::new()
                    .text("server", &self.label)
                    .json("fingerprints", by_name.end())
                    .end(),
            ),
            false => Ok(()),
        }
    }
}

/// The name by which a tool is called, or else the one that it is listed by.
fn name_of(listed: &ListedTool) -> &str {
    listed.tool.as_ref().map_or(&listed.name, |tool| &tool.name)
}

/// Reports patterns of names that no tool has; a name that none has is refused.
fn complain_of_unmatched(selection: &Selection<'_>, names: &[&str], out: &mut Out) -> Result<()> {
    let unmatched = selection.check(names);
    for message in unmatched.map_err(|message| Failure::Wrong(vec![message]))? {
        out.complain(&message);
    }
    Ok(())
}

/// Its title, the first line of its description, and what it says of its effects.
fn about(tool: &ToolDescription) -> String {
    let annotated = tool.annotations.as_ref();
    let title = tool.title.as_ref();
    let title = title.or_else(|| annotated.and_then(|annotations| annotations.title.as_ref()));
    let description = tool.description.as_deref().unwrap_or_default();
    let mut lines = description.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty());
    let parts: Vec<String> = title
        .map(String::as_str)
        .into_iter()
        .chain(first)
        .map(on_one_line)
        .collect();
    format!("{}{}", parts.join(": "), hints(tool))
}

/// What the tool says of its effects, and whether it keeps running.
fn hints(tool: &ToolDescription) -> String {
    let says = |hint: fn(&ToolAnnotations) -> Option<bool>| {
        tool.annotations.as_ref().and_then(hint) == Some(true)
    };
    let hints = [
        (!tool.actions.is_empty(), "keeps running"),
        (says(|all| all.read_only), "read-only"),
        (says(|all| all.destructive), "destructive"),
        (says(|all| all.idempotent), "idempotent"),
        (says(|all| all.open_world), "open world"),
    ];
    let hints: Vec<&str> = hints
        .iter()
        .filter(|(so, _)| *so)
        .map(|(_, hint)| *hint)
        .collect();
    match hints.is_empty() {
        true => String::new(),
        false => format!(" ({})", hints.join(", ")),
    }
}
