//! What clients are shown of the tools: all or two to find and call them, as they are described or in a plain form, and
//! one to read what is kept.

use std::collections::BTreeMap;

use toolwire::Json;
use toolwire::call::{ToolAnnotations, ToolDescription};
use toolwire::schema::{Provider, project, tidy};
use toolwire_host::KeptResults;

use super::{ServeError, ServeOptions};

pub(super) const SEARCH: &str = "search_tools";
pub(super) const CALL: &str = "call_tool";

/// What clients are shown, if that is not what is served, as it is described.
///
/// # Errors
///
/// If a tool has the name of one of the server itself.
pub(super) fn listed(
    tools: &[&ToolDescription],
    options: &ServeOptions,
) -> Result<Option<BTreeMap<String, ToolDescription>>, ServeError> {
    let is_searched = options.search_above.is_some_and(|most| tools.len() > most);
    let mut own = Vec::new();
    if is_searched {
        own.extend([search_tool(tools.len()), call_tool()]);
    }
    if options.keep.is_some() {
        own.push(KeptResults::tool());
    }
    if own.is_empty() && !options.plain_schemas {
        return Ok(None);
    }
    let mut listed = BTreeMap::new();
    if !is_searched {
        let shown = tools
            .iter()
            .map(|tool| (tool.name.clone(), shown(tool, options)));
        listed.extend(shown);
    }
    for tool in own {
        let name = tool.name.clone();
        if tools.iter().any(|tool| tool.name == name) {
            return Err(ServeError::new(format!(
                "a tool has the name of one of the server itself, `{name}`; use `--prefix`, or leave it out with \
                 `--except`"
            )));
        }
        listed.insert(name, tool);
    }
    report_plain(tools, options);
    Ok(Some(listed))
}

/// A tool as clients are shown it.
pub(super) fn shown(tool: &ToolDescription, options: &ServeOptions) -> ToolDescription {
    let mut shown = tool.clone();
    if options.plain_schemas {
        shown.input_schema = plain(&tool.input_schema).0;
        shown.output_schema.take_if(|schema| has_dialect(schema));
    }
    // The beginning of a result does not fit it, and clients refuse a result that does not.
    if options.keep.is_some() {
        shown.output_schema = None;
    }
    shown
}

/// Reports what clients are not shown of the schemas.
fn report_plain(tools: &[&ToolDescription], options: &ServeOptions) {
    for tool in tools.iter().filter(|_| options.plain_schemas) {
        let (schema, lost) = plain(&tool.input_schema);
        let name = &tool.name;
        let say = |what: &str| {
            options
                .reporter
                .report(&format!("the schema of `{name}` {what}"))
        };
        if !lost.is_empty() {
            say(&format!("is shown without {}", lost.join(", ")));
        } else if has_dialect(&schema) {
            say("cannot be shown in a plain form, and is shown as it is");
        } else if schema != tool.input_schema {
            say("is shown in a plain form");
        }
        if tool.output_schema.as_ref().is_some_and(has_dialect) {
            say("of results is not shown: it has no plain form");
        }
    }
}

/// A schema without references and keywords of a dialect, and what that can't say.
fn plain(schema: &Json) -> (Json, Vec<String>) {
    let tidied = tidy(schema);
    if !has_dialect(&tidied) {
        return (tidied, Vec::new());
    }
    // What refers to itself ends somewhere.
    let projected = project(schema, Provider::Google);
    if projected.wrapped {
        return (schema.clone(), Vec::new());
    }
    let losses = projected.losses.iter();
    let losses = losses.map(|loss| format!("`{}` at `{}`", loss.what, loss.pointer));
    (projected.schema, losses.collect())
}

/// Whether a schema has references, or keywords that only some readers know. A property of such a name counts as one.
fn has_dialect(schema: &Json) -> bool {
    let words = [
        "$ref",
        "$defs",
        "$schema",
        "$id",
        "$anchor",
        "$dynamicRef",
        "$dynamicAnchor",
        "$recursiveRef",
        "definitions",
    ];
    let text = schema.as_str();
    words
        .iter()
        .any(|word| text.contains(&format!("\"{word}\":")))
}

fn search_tool(count: usize) -> ToolDescription {
    let schema = r#"{"type":"object","properties":{"query":{"type":"string","maxLength":1000,"description":"Words for what the tool should do, or its name"},"limit":{"type":"integer","minimum":1,"maximum":20}},"required":["query"],"additionalProperties":false}"#;
    let about = format!(
        "Finds tools. This server has {count}, which are not listed: find the one that fits, then call it by `{CALL}`."
    );
    own_tool(SEARCH, schema, about, Some(true))
}

fn call_tool() -> ToolDescription {
    let schema = r#"{"type":"object","properties":{"name":{"type":"string"},"arguments":{"type":"object","description":"As the tool's inputSchema says"}},"required":["name"],"additionalProperties":false}"#;
    let about = format!("Calls a tool that `{SEARCH}` has found.");
    own_tool(CALL, schema, about, None)
}

fn own_tool(name: &str, schema: &str, about: String, read_only: Option<bool>) -> ToolDescription {
    // It is JSON, as the tests show.
    let schema = Json::new(schema).unwrap_or_else(|_| Json::empty_object());
    let mut tool = ToolDescription::new(name, schema);
    tool.description = Some(about);
    tool.annotations = read_only.map(|read_only| ToolAnnotations {
        read_only: Some(read_only),
        ..ToolAnnotations::default()
    });
    tool
}
