//! `toolwire read`: the resources of a server.

use toolwire::Json;
use toolwire::json::{Document, ObjectWriter, array};
use toolwire_host::RunReport;
use toolwire_mcp::client::Offer;
use toolwire_source::{Request, Source};

use super::surplus_word;
use crate::args::{ReadArgs, ResultFormat, ServerArgs, parted};
use crate::baseline::Baseline;
use crate::exit::{Failure, Outcome, Result};
use crate::output::Out;
use crate::run::result;
use crate::terminal::on_one_line;
use crate::{call, hidden, run, source, table};

/// Everything that a server lists except tools.
const ALL: [Offer; 3] = [Offer::Resources, Offer::ResourceTemplates, Offer::Prompts];

pub fn run(args: &ReadArgs, out: &mut Out) -> Result<Outcome> {
    let (word, rest) = parted(&args.words, &args.command);
    let surplus = rest.get(usize::from(!args.list));
    if let Some(surplus) = surplus {
        return Err(surplus_word("read", "a source and a URI", surplus));
    }
    let uri = rest.first().map(|word| run::text(word)).transpose()?;
    let source = source::find(word, &args.command, &args.server.source, "read")?;
    if source.is_tool(args.server.process.cwd.as_deref()) {
        return Err(Failure::Wrong(vec![format!(
            "`{}` is a tool of Toolwire, which has no resources; only MCP servers have",
            source.label
        )]));
    }
    let baseline = Baseline::of_profile(&source, &args.expect)?;
    if args.list {
        return list(source, &baseline, &ALL, &args.server, args.json, out);
    }
    let named = match &source.request {
        Some(Request::Resource { uri }) => Some(uri.clone()),
        _ => None,
    };
    let Some(uri) = uri.or(named) else {
        return Err(Failure::usage(
            "name the URI of a resource; `--list` lists those that there are",
        ));
    };
    let format = result::asked(args.format, args.json);
    resource(source, &uri, &baseline, &args.server, format, out)
}

/// Writes the resource with this URI.
pub fn resource(
    source: Source,
    uri: &str,
    baseline: &Baseline,
    args: &ServerArgs,
    format: Option<ResultFormat>,
    out: &mut Out,
) -> Result<Outcome> {
    let (tools, parsed) = call::at_server(source, args, out, async |client| {
        let tools = baseline.tools(client).await?;
        if let Err(refused) = baseline.refuse(&tools) {
            return Ok(Err(refused));
        }
        Ok(Ok((tools, client.read_resource(uri).await?)))
    })??;
    baseline.report(&tools, out)?;
    run::tell_what_was_found(parsed.diagnostics(), out);
    result::write(&parsed, &RunReport::default(), format, out)?;
    Ok(match parsed.is_error() {
        true => Outcome::Negative,
        false => Outcome::Success,
    })
}

/// Writes what a server lists of these kinds.
pub fn list(
    source: Source,
    baseline: &Baseline,
    offers: &[Offer],
    args: &ServerArgs,
    json: bool,
    out: &mut Out,
) -> Result<Outcome> {
    let (tools, lists) = call::at_server(source, args, out, async |client| {
        let tools = baseline.tools(client).await?;
        let mut lists = Vec::new();
        for offer in offers {
            lists.push((offer.as_str(), client.list(*offer).await?));
        }
        Ok((tools, lists))
    })?;
    baseline.report(&tools, out)?;
    let all = || lists.iter().flat_map(|(_, list)| list);
    for one in all() {
        let (name, _) = row(one);
        hidden::warn(&format!("`{name}`"), one, out);
    }
    if json {
        let mut json = ObjectWriter::new();
        for (member, list) in &lists {
            json.json(
                member,
                array(list.iter().map(|one| one.as_str().to_owned())),
            );
        }
        out.json(&json.end())?;
        return Ok(Outcome::Success);
    }
    if all().next().is_none() {
        out.complain(&format!("the server has no {}", lists[0].0));
    }
    let rows = all().map(|one| <[String; 2]>::from(row(one)).to_vec());
    table::write(&rows.collect::<Vec<_>>(), 0, out)?;
    Ok(Outcome::Success)
}

/// The URI of a resource, its template, or the name of a prompt; and what it is.
fn row(offered: &Json) -> (String, String) {
    let uri = member(offered, "uri").or_else(|| member(offered, "uriTemplate"));
    let name = member(offered, "name");
    let title = member(offered, "title").or_else(|| name.clone().filter(|_| uri.is_some()));
    let parts = [title, member(offered, "description")];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let mut about = parts.join(": ");
    if let Some(kind) = member(offered, "mimeType") {
        about.push_str(&format!(" ({kind})"));
    }
    let about = match uri {
        Some(_) => about.trim_start().to_owned(),
        None => format!("prompt: {about}"),
    };
    (uri.or(name).unwrap_or_default(), about)
}

/// A text of an object of the server, on one line and safe for a terminal.
fn member(object: &Json, name: &str) -> Option<String> {
    let document = Document::new(object.as_str()).ok()?;
    let text = document.root().get(name)?.as_str()?.into_owned();
    Some(on_one_line(&text)).filter(|text| !text.is_empty())
}
