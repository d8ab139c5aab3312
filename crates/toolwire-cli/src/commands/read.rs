//! `toolwire read`: the resources of a server.

use toolwire::Json;
use toolwire::json::{ObjectWriter, array};
use toolwire_host::RunReport;
use toolwire_mcp::client::Offer;
use toolwire_source::{Request, Source};

use super::explore::{row_of_resource, surplus_word};
use crate::args::{ReadArgs, ResultFormat, ServerArgs, parted};
use crate::call::expected::{self, Expected};
use crate::exit::{Failure, Outcome, Result};
use crate::output::Out;
use crate::run::result;
use crate::{call, run, source, table, terminal};

pub fn run(args: &ReadArgs, out: &mut Out) -> Result<Outcome> {
    let (word, rest) = parted(&args.words, &args.command);
    let surplus = rest.get(usize::from(!args.list));
    if let Some(surplus) = surplus {
        return Err(surplus_word("read", surplus));
    }
    let uri = rest.first().map(|word| run::text(word)).transpose()?;
    let source = source::find(word, &args.command, &args.server.source, "read")?;
    if source.is_tool(args.server.process.cwd.as_deref()) {
        return Err(Failure::Wrong(vec![format!(
            "`{}` is a tool of Toolwire, which has no resources; only MCP servers have",
            source.label
        )]));
    }
    let expected = Expected::of(&source, &args.expect)?;
    if args.list {
        return list(source, expected, &args.server, args.json, out);
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
    resource(source, &uri, expected, &args.server, format, out)
}

/// Writes the resource with this URI.
pub fn resource(
    source: Source,
    uri: &str,
    expected: Option<Expected>,
    args: &ServerArgs,
    format: Option<ResultFormat>,
    out: &mut Out,
) -> Result<Outcome> {
    let (tools, parsed) = call::at_server(source, args, out, async |client| {
        let tools = expected::tools(expected.as_ref(), client).await?;
        if let Some(Err(refused)) = expected.as_ref().map(|expected| expected.refuse(&tools)) {
            return Ok(Err(refused));
        }
        Ok(Ok((tools, client.read_resource(uri).await?)))
    })??;
    if let Some(expected) = &expected {
        expected.tell(&tools, out)?;
    }
    run::tell_what_was_found(parsed.diagnostics(), out);
    result::write(&parsed, &RunReport::default(), format, out)?;
    Ok(match parsed.is_error() {
        true => Outcome::Negative,
        false => Outcome::Success,
    })
}

/// Writes the resources and the templates that there are.
pub fn list(
    source: Source,
    expected: Option<Expected>,
    args: &ServerArgs,
    json: bool,
    out: &mut Out,
) -> Result<Outcome> {
    let (tools, resources, templates) = call::at_server(source, args, out, async |client| {
        let tools = expected::tools(expected.as_ref(), client).await?;
        let resources = client.list(Offer::Resources).await?;
        Ok((
            tools,
            resources,
            client.list(Offer::ResourceTemplates).await?,
        ))
    })?;
    if let Some(expected) = &expected {
        expected.tell(&tools, out)?;
    }
    if json {
        let all = |list: &[Json]| array(list.iter().map(|one| one.as_str().to_owned()));
        let json = ObjectWriter::new()
            .json("resources", all(&resources))
            .json("resourceTemplates", all(&templates))
            .end();
        out.json(&json)?;
        return Ok(Outcome::Success);
    }
    if resources.is_empty() && templates.is_empty() {
        out.complain("the server has no resources");
    }
    let all = resources.iter().chain(&templates);
    let rows: Vec<Vec<String>> = all.map(row_of_resource).collect();
    for line in table::rows(&rows, 0, terminal::width()) {
        out.line(&line)?;
    }
    Ok(Outcome::Success)
}
