//! `toolwire profile validate` and `diff`.

use toolwire::Json;
use toolwire::call::ToolDescription;
use toolwire::json::{ObjectWriter, array, string};
use toolwire_contract::diff::{Diff, DiffOptions, diff_tools};
use toolwire_contract::fingerprint::FingerprintOptions;
use toolwire_contract::profile::{Changed, Deviation, Profile};
use toolwire_source::{ProfilePlace, StoredProfile};

use super::{find, tools, word};
use crate::args::AskProfileArgs;
use crate::baseline::list;
use crate::commands::observe::observe;
use crate::exit::{Failure, Outcome, Result};
use crate::output::Out;
use crate::show::changes::{is_harmless, painted, visible, write_by_tool};
use crate::show::count;
use crate::show::users::Users;
use crate::{hidden, source};

/// A profile, and what its server says now.
pub struct Compared {
    pub place: ProfilePlace,
    pub stored: StoredProfile,
    pub tools: Vec<ToolDescription>,
    /// How the server is reached, for fingerprints.
    pub launch: Json,
    /// What is not as the profile expects it.
    pub changed: Vec<Changed>,
}

/// Asks the server of a profile for its tools.
pub fn ask(args: &AskProfileArgs, verb: &str, out: &mut Out) -> Result<Compared> {
    let (place, stored) = find(&args.one.name, &args.server.source.jn)?;
    let word = word(&place);
    let verb = format!("profile {verb}");
    let source = source::find(Some(word.as_ref()), &[], &args.server.source, &verb)?;
    let launch = source.facts().safety();
    let seen = observe(source, &args.server, out)?;
    hidden::warn_of_tools(&seen.tools(), out);
    let options = FingerprintOptions {
        launch: Some(launch.clone()),
        ..FingerprintOptions::default()
    };
    let changed = stored.profile.compare(&list(&seen.tools())?, &options);
    Ok(Compared {
        place,
        stored,
        tools: seen.tools(),
        launch,
        changed: changed.map_err(|error| Failure::refused(&error))?,
    })
}

pub fn validate(args: &AskProfileArgs, out: &mut Out) -> Result<Outcome> {
    let compared = ask(args, "validate", out)?;
    let changed = &compared.changed;
    let outcome = match changed.is_empty() {
        true => Outcome::Success,
        false => Outcome::Negative,
    };
    if args.one.json {
        let changes = changed.iter().map(|one| one.to_json().to_string());
        let json = ObjectWriter::new()
            .text("profile", &compared.place.name)
            .flag("valid", changed.is_empty())
            .json("changes", array(changes))
            .end();
        out.json(&json)?;
        return Ok(outcome);
    }
    let word = word(&compared.place);
    for one in changed {
        let what = out.paint(crate::output::YELLOW, one.what.as_str());
        out.line(&format!("{what}  {}", visible(&one.message)))?;
    }
    out.line(&match changed.len() {
        0 => format!("as `{word}` expects: {}", tools(&compared.stored.profile)),
        number => format!(
            "not as `{word}` expects: {}; `toolwire profile diff {word}` tells more",
            count(number as u64, "difference")
        ),
    })?;
    Ok(outcome)
}

pub fn diff(args: &AskProfileArgs, out: &mut Out) -> Result<Outcome> {
    let compared = ask(args, "diff", out)?;
    let diff = compared.diff()?;
    let more = compared.more();
    if args.one.json {
        let more = array(more.iter().map(|message| string(message)));
        let json = ObjectWriter::new()
            .text("profile", &compared.place.name)
            .json("diff", diff.to_json().as_str())
            .json("more", more)
            .end();
        out.json(&json)?;
    } else {
        compared.write(&diff, out)?;
    }
    Ok(match is_harmless(diff.verdict) && more.is_empty() {
        true => Outcome::Success,
        false => Outcome::Negative,
    })
}

impl Compared {
    pub fn profile(&self) -> &Profile {
        &self.stored.profile
    }

    /// What has changed, from what the profile says of its tools to what they are.
    pub fn diff(&self) -> Result<Diff> {
        let refused = |error: toolwire::Error| Failure::refused(&error);
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let mut described = Vec::new();
        for tool in self.profile().tools() {
            let name = tool.tool();
            let now = self.tools.iter().find(|now| now.name == name);
            let is = |what: Deviation| {
                let mut all = self.changed.iter();
                all.any(|one| one.what == what && one.tool.as_deref() == Some(tool.name()))
            };
            // What has the same fingerprint has not changed, however the profile spells it.
            let known = tool.fingerprints().is_some() && !is(Deviation::Unknown);
            let same = |what: Deviation| known && !is(what);
            let schema = now.map(|now| now.input_schema.as_str().to_owned());
            let old_schema = match same(Deviation::Contract) {
                true => None,
                false => tool.input_schema().map_err(refused)?,
            };
            let old_schema = old_schema.map(|schema| schema.as_str().to_owned());
            let old_schema = old_schema.or_else(|| schema.clone());
            let old_text = tool.description().filter(|_| !same(Deviation::Text));
            let sketch = |schema: Option<&str>, text: Option<&str>| {
                ObjectWriter::new()
                    .text("name", &name)
                    .optional("description", text)
                    .json("inputSchema", schema.unwrap_or(r#"{"type":"object"}"#))
                    .end()
            };
            before.push(sketch(old_schema.as_deref(), old_text.as_deref()));
            if let Some(now) = now {
                // What the profile does not say is not compared.
                let text = now.description.as_deref().filter(|_| old_text.is_some());
                after.push(sketch(schema.as_deref(), text));
            }
            described.push(name);
        }
        let more = self
            .tools
            .iter()
            .filter(|tool| !described.contains(&tool.name));
        after.extend(more.map(ToolDescription::to_json));
        let list = |tools: Vec<String>| Json::new(array(tools)).map_err(refused);
        diff_tools(&list(before)?, &list(after)?, &DiffOptions::default()).map_err(refused)
    }

    /// What the fingerprints tell that the profile itself does not say.
    pub fn more(&self) -> Vec<String> {
        let told = |one: &&Changed| {
            let tool = one
                .tool
                .as_deref()
                .and_then(|name| self.profile().tool(name));
            match one.what {
                Deviation::Gone => true,
                Deviation::Contract => tool.is_some_and(|tool| tool.get("parameters").is_some()),
                Deviation::Text => tool.is_some_and(|tool| tool.description().is_some()),
                _ => false,
            }
        };
        let more = self.changed.iter().filter(|one| !told(one));
        more.map(|one| one.message.clone()).collect()
    }

    /// Shows what has changed.
    pub fn write(&self, diff: &Diff, out: &mut Out) -> Result<()> {
        write_by_tool(&diff.changes, &Users::default(), out)?;
        for message in self.more() {
            out.line(&visible(&message))?;
        }
        let verdict = painted(diff.verdict, out);
        let number = count(diff.changes.len() as u64, "change");
        out.line(&format!("{verdict}: {number}"))
    }
}
