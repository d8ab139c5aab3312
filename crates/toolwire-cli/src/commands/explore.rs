//! `toolwire explore`: what a source offers.

use toolwire::Json;
use toolwire::call::ToolDescription;
use toolwire::json::{Document, ObjectWriter, array};
use toolwire_contract::fingerprint::{FingerprintOptions, fingerprint};
use toolwire_contract::hidden::{HiddenAt, find_hidden_in};
use toolwire_mcp::client::{ListedTool, Offer};
use toolwire_source::{Reached, Source};

use super::describe::{Described, described};
use super::observe::callable;
use super::profile::draft;
use super::schema;
use super::tools::{about, on_one_line, write_others};
use crate::args::{ExploreArgs, ServerArgs, parted};
use crate::call::expected::{self, Expected};
use crate::exit::{Failure, Outcome, Result};
use crate::output::{BOLD, Out};
use crate::{call, hidden, parameters, source, table, terminal};

/// So many digits of a digest are shown; `toolwire hash` shows all.
const DIGITS: usize = 12;

/// What a source offers.
struct Explored {
    server: String,
    transport: &'static str,
    tools: Vec<ToolDescription>,
    /// All that is listed, as it was sent.
    listed: Vec<ListedTool>,
    /// How it is reached, for the fingerprints.
    launch: Json,
    /// What only a server tells.
    more: Option<More>,
}

struct More {
    revision: &'static str,
    claimed_name: Option<String>,
    instructions: Option<String>,
    resources: Vec<Json>,
    templates: Vec<Json>,
    prompts: Vec<Json>,
}

pub fn run(args: &ExploreArgs, out: &mut Out) -> Result<Outcome> {
    let (word, rest) = parted(&args.words, &args.command);
    if let Some(surplus) = rest.first() {
        return Err(surplus_word("explore", surplus));
    }
    let source = source::find(word, &args.command, &args.server.source, "explore")?;
    let expected = Expected::of(&source, &args.expect)?;
    let (mut draft, mut launch) = (None, Json::empty_object());
    if args.draft {
        let places = &args.server.source;
        let profile = draft::server(&source, word, &args.command, None, places, out)?;
        launch = draft::launch_of(&profile, &source);
        draft = Some(profile);
    }
    let explored = match source.is_tool(args.server.process.cwd.as_deref()) {
        true => match of_tool(source, args, out)? {
            Ok(explored) => explored,
            Err(outcome) => return Ok(outcome),
        },
        false => of_server(source, args, out)?,
    };
    explored.warn(out);
    if let Some(expected) = expected {
        expected.tell(&explored.tools, out)?;
    }
    if let Some(mut profile) = draft {
        draft::add_tools(&mut profile, &explored.tools, &launch)?;
        schema::write(&profile.to_json(), out)?;
        return Ok(Outcome::Success);
    }
    match args.json {
        true => out.json(&explored.to_json())?,
        false => explored.write(out)?,
    }
    Ok(Outcome::Success)
}

/// That a command takes one source and nothing else.
pub fn surplus_word(verb: &str, surplus: &std::ffi::OsStr) -> Failure {
    let surplus = surplus.display();
    Failure::usage(format!(
        "`{verb}` takes one source, and `{surplus}` is a word too many; pass a program's own arguments after \
         `--`, as in `-- PROGRAM {surplus}`"
    ))
}

fn of_tool(
    source: Source,
    args: &ExploreArgs,
    out: &Out,
) -> Result<std::result::Result<Explored, Outcome>> {
    let server = source.label.clone();
    let launch = source.facts().safety();
    Ok(match described(source, &args.server.process, out)? {
        Described::Tools(tools) => Ok(Explored {
            server,
            transport: "process",
            listed: tools.iter().cloned().map(ListedTool::from).collect(),
            tools,
            launch,
            more: None,
        }),
        Described::Ended(outcome) => Err(outcome),
    })
}

fn of_server(source: Source, args: &ExploreArgs, out: &Out) -> Result<Explored> {
    let server = source.label.clone();
    let launch = source.facts().safety();
    let transport = match source.reached {
        Reached::Http { .. } => "http",
        _ => "stdio",
    };
    call::at_server(source, &args.server, out, async |client| {
        let listed = client.listing().await?;
        Ok(Explored {
            server,
            transport,
            tools: callable(&listed),
            listed,
            launch,
            more: Some(More {
                revision: client.revision().as_str(),
                claimed_name: client.claimed_name(),
                instructions: client.instructions(),
                resources: client.list(Offer::Resources).await?,
                templates: client.list(Offer::ResourceTemplates).await?,
                prompts: client.list(Offer::Prompts).await?,
            }),
        })
    })
}

impl Explored {
    /// Tells what is hidden in what the source says.
    fn warn(&self, out: &mut Out) {
        hidden::warn_of_listed(&self.listed, out);
        let Some(more) = &self.more else {
            return;
        };
        let says = ObjectWriter::new()
            .optional("claimedName", more.claimed_name.as_deref())
            .optional("instructions", more.instructions.as_deref())
            .end();
        if let Ok(says) = Json::new(says) {
            hidden::warn("the server", &says, out);
        }
        for (kind, list) in [
            ("resource", &more.resources),
            ("resource", &more.templates),
            ("prompt", &more.prompts),
        ] {
            for one in list {
                let name = member(one, "name").unwrap_or_default();
                hidden::warn(&format!("the {kind} `{name}`"), one, out);
            }
        }
    }

    /// The members of the seed first, then ours.
    fn to_json(&self) -> String {
        let tools = array(self.tools.iter().map(ToolDescription::to_json));
        let mut json = ObjectWriter::new();
        json.text("server", &self.server)
            .text("transport", self.transport)
            .json("tools", tools);
        let list = |all: &[Json]| array(all.iter().map(|one| one.as_str().to_owned()));
        match &self.more {
            None => {
                json.json("resources", "[]");
            }
            Some(more) => {
                json.json("resources", list(&more.resources))
                    .json("resourceTemplates", list(&more.templates))
                    .json("prompts", list(&more.prompts))
                    .text("revision", more.revision);
                if let Some(name) = &more.claimed_name {
                    json.text("claimedName", name);
                }
                if let Some(instructions) = &more.instructions {
                    json.text("instructions", instructions);
                }
            }
        }
        let options = self.options();
        let mut prints = ObjectWriter::new();
        for listed in &self.listed {
            // One that is too large for it has none.
            if let (Some(tool), Ok(print)) = (&listed.tool, fingerprint(&listed.json, &options)) {
                prints.json(&tool.name, print.to_json().as_str());
            }
        }
        json.json("fingerprints", prints.end());
        json.optional_json("hidden", self.hidden());
        write_others(&self.listed, &mut json);
        json.end()
    }

    /// What each tool hides, by the names of the tools; nothing if none hides anything.
    fn hidden(&self) -> Option<String> {
        let mut by_name = ObjectWriter::new();
        let mut any = false;
        for listed in &self.listed {
            let found = find_hidden_in(&listed.json);
            if !found.is_empty() {
                let name = listed.tool.as_ref().map_or(&listed.name, |tool| &tool.name);
                by_name.json(name, array(found.iter().map(HiddenAt::to_json)));
                any = true;
            }
        }
        any.then(|| by_name.end())
    }

    /// A tool as rows: what it is, what it takes and gives, and the beginning of the digest of its contract.
    fn rows_of_tool(&self, tool: &ToolDescription) -> Vec<Vec<String>> {
        let members = |what: &str, schema: &Json| {
            let members = parameters::on_one_line(schema);
            (!members.is_empty()).then(|| format!("{what} {members}"))
        };
        let mut listed = self.listed.iter();
        let listed = listed.find(|listed| listed.tool.as_ref() == Some(tool));
        let print = listed.and_then(|listed| fingerprint(&listed.json, &self.options()).ok());
        let print = print.and_then(|print| {
            let digest = print.contract.split_once(':')?.1.get(..DIGITS)?.to_owned();
            Some(format!("contract {digest}"))
        });
        let gives = tool.output_schema.as_ref();
        let below = [
            members("takes", &tool.input_schema),
            gives.and_then(|schema| members("gives", schema)),
            print,
        ];
        let mut rows = vec![vec![on_one_line(&tool.name), about(tool)]];
        rows.extend(
            below
                .into_iter()
                .flatten()
                .map(|text| vec![String::new(), text]),
        );
        rows
    }

    /// How its tools are fingerprinted.
    fn options(&self) -> FingerprintOptions {
        FingerprintOptions {
            launch: Some(self.launch.clone()),
            ..FingerprintOptions::default()
        }
    }

    fn write(&self, out: &mut Out) -> Result<()> {
        let width = terminal::width();
        let mut facts = vec![
            ("server", on_one_line(&self.server)),
            ("transport", self.transport.to_owned()),
        ];
        if let Some(more) = &self.more {
            facts.push(("revision", more.revision.to_owned()));
            let name = more.claimed_name.as_deref().map(on_one_line);
            facts.extend(name.map(|name| ("says it is", name)));
            let use_of_it = more.instructions.as_deref().map(on_one_line);
            facts.extend(use_of_it.map(|text| ("says", text)));
        }
        let facts: Vec<Vec<String>> = facts
            .into_iter()
            .map(|(name, value)| vec![name.to_owned(), value])
            .collect();
        for line in table::rows(&facts, 0, width) {
            out.line(&line)?;
        }
        let tools = self.tools.iter().flat_map(|tool| self.rows_of_tool(tool));
        section("tools", tools.collect(), width, out)?;
        if let Some(more) = &self.more {
            let resources = more.resources.iter().chain(&more.templates);
            let resources = resources.map(row_of_resource);
            section("resources", resources.collect(), width, out)?;
            let prompts = more.prompts.iter().map(row_of_prompt);
            section("prompts", prompts.collect(), width, out)?;
        }
        Ok(())
    }
}

/// Rows below a heading; nothing if there are none.
fn section(heading: &str, rows: Vec<Vec<String>>, width: usize, out: &mut Out) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    out.line(&out.paint(BOLD, heading))?;
    for line in table::rows(&rows, 2, width) {
        out.line(&line)?;
    }
    Ok(())
}

/// A resource, or a template of resources, as a row: its URI, and what it is.
pub fn row_of_resource(resource: &Json) -> Vec<String> {
    let uri = member(resource, "uri").or_else(|| member(resource, "uriTemplate"));
    let name = member(resource, "title").or_else(|| member(resource, "name"));
    let mut about = joined(&[name, member(resource, "description")]);
    if let Some(kind) = member(resource, "mimeType") {
        about.push_str(&format!(" ({kind})"));
    }
    vec![uri.unwrap_or_default(), about.trim_start().to_owned()]
}

/// A prompt as a row: its name, and what it is for.
fn row_of_prompt(prompt: &Json) -> Vec<String> {
    let about = joined(&[member(prompt, "title"), member(prompt, "description")]);
    vec![member(prompt, "name").unwrap_or_default(), about]
}

/// Writes the prompts that there are.
pub fn prompts(
    source: Source,
    expected: Option<Expected>,
    args: &ServerArgs,
    json: bool,
    out: &mut Out,
) -> Result<Outcome> {
    let (tools, prompts) = call::at_server(source, args, out, async |client| {
        let tools = expected::tools(expected.as_ref(), client).await?;
        Ok((tools, client.list(Offer::Prompts).await?))
    })?;
    if let Some(expected) = &expected {
        expected.tell(&tools, out)?;
    }
    if json {
        let all = array(prompts.iter().map(|one| one.as_str().to_owned()));
        out.json(&ObjectWriter::new().json("prompts", all).end())?;
        return Ok(Outcome::Success);
    }
    if prompts.is_empty() {
        out.complain("the server has no prompts");
    }
    let rows: Vec<Vec<String>> = prompts.iter().map(row_of_prompt).collect();
    for line in table::rows(&rows, 0, terminal::width()) {
        out.line(&line)?;
    }
    Ok(Outcome::Success)
}

fn joined(parts: &[Option<String>]) -> String {
    let parts: Vec<&str> = parts.iter().flatten().map(String::as_str).collect();
    parts.join(": ")
}

/// A text of an object of the server, on one line and safe for a terminal.
fn member(object: &Json, name: &str) -> Option<String> {
    let document = Document::new(object.as_str()).ok()?;
    let text = document.root().get(name)?.as_str()?.into_owned();
    Some(on_one_line(&text)).filter(|text| !text.is_empty())
}
