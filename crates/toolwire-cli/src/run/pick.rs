//! Which tool is meant, of several.

use toolwire::call::ToolDescription;
use toolwire_host::manifest;
use toolwire_mcp::client::ListedTool;

use super::target::Target;
use crate::exit::{Failure, Result};

/// What is said where a word is no tool.
pub const AN_ARGUMENT: &str = " (an argument is written `name=value`)";

/// The tool that is meant, of those that a program holds.
pub fn pick(tools: Vec<ToolDescription>, target: &Target) -> Result<ToolDescription> {
    let advice = match target.in_manifest {
        true => "",
        false => AN_ARGUMENT,
    };
    let listed: Vec<ListedTool> = tools.into_iter().map(ListedTool::from).collect();
    let (_, tool) = choose(&listed, target.entry.tool.as_deref(), &target.label, advice)?;
    Ok(tool.clone())
}

/// The tool that is meant, as it is listed and as it is called. `advice` is added where there is none of this name.
pub fn choose<'l>(
    listed: &'l [ListedTool],
    named: Option<&str>,
    source: &str,
    advice: &str,
) -> Result<(&'l ListedTool, &'l ToolDescription)> {
    let all: Vec<_> = listed
        .iter()
        .filter_map(|listed| Some((listed, listed.tool.as_ref()?)))
        .collect();
    let names = || all.iter().map(|(_, tool)| tool.name.as_str());
    let found = match named {
        // The name that the server gives it will do, where no other tool is called so.
        Some(name) => all
            .iter()
            .find(|(_, tool)| tool.name == name)
            .or_else(|| all.iter().find(|(given, _)| given.name == name))
            .ok_or_else(|| {
                let message = manifest::unknown("tool", name, &names().collect::<Vec<_>>());
                Failure::Wrong(vec![format!("`{source}`: {message}{advice}")])
            })?,
        None => match &all[..] {
            [one] => one,
            [] => return Err(Failure::Refused(format!("`{source}` has no tools"))),
            _ => {
                let first: Vec<String> = names()
                    .take(NAMED)
                    .map(|name| format!("`{name}`"))
                    .collect();
                let more = match all.len().saturating_sub(NAMED) {
                    0 => String::new(),
                    more => format!(" or {more} more, which `toolwire tools` lists"),
                };
                return Err(Failure::Wrong(vec![format!(
                    "`{source}` has several tools; name one of {}{more}",
                    first.join(", ")
                )]));
            }
        },
    };
    Ok(*found)
}

/// Maximum number of tools that are named where one has to be chosen.
const NAMED: usize = 10;
