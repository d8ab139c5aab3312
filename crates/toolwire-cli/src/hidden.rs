//! What a source says that its reader would not see, told on standard error.

use toolwire::Json;
use toolwire::call::ToolDescription;
use toolwire_contract::hidden::say_hidden;
use toolwire_mcp::client::ListedTool;

use crate::output::Out;
use crate::show::changes::visible;

/// Warns of what tools hide in their names, titles, descriptions and schemas.
pub fn warn_of_tools(tools: &[ToolDescription], out: &mut Out) {
    for tool in tools {
        if let Ok(json) = Json::new(tool.to_json()) {
            warn(&format!("the tool `{}`", tool.name), &json, out);
        }
    }
}

/// The same of what is listed, as it was sent, and of what can't be called or told apart.
pub fn warn_of_listed(listed: &[ListedTool], out: &mut Out) {
    for one in listed {
        warn(&format!("the tool `{}`", one.name), &one.json, out);
        if let Some(problem) = &one.problem {
            let name = visible(&one.name);
            out.complain(&format!("warning: the tool `{name}`: {}", visible(problem)));
        }
    }
}

/// Warns of what a value hides.
pub fn warn(whose: &str, value: &Json, out: &mut Out) {
    for warning in say_hidden(whose, value) {
        out.complain(&format!("warning: {warning}"));
    }
}
