//! A draft of what a profile says of a tool, for a person or a model to complete.

use toolwire::json::{Document, Kind, ObjectWriter};
use toolwire::{Error, Json};

use super::parameters::parameters;
use super::{ProfileTool, bad, written};

/// What a server says of a tool, as a tool of a profile. `tool` is an element of what MCP's `tools/list` gives;
/// `fingerprints` is the object that [`ProfileTool::fingerprints`] gives, if they are known.
///
/// # Errors
///
/// `bad_profile` if the tool has no `name`.
///
/// # Examples
///
/// ```
/// use toolwire::Json;
/// use toolwire_contract::profile::draft_tool;
///
/// let schema = r#"{"type":"object","properties":{"gene":{"type":"string"}},"required":["gene"]}"#;
/// let tool = Json::new(format!(r#"{{"name":"search","inputSchema":{schema}}}"#))?;
/// assert_eq!(
///     draft_tool(&tool, None)?.to_json().as_str(),
///     r#"{"tool":"search","parameters":{"gene":{"type":"string","required":true}}}"#,
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn draft_tool(tool: &Json, fingerprints: Option<&Json>) -> Result<ProfileTool, Error> {
    let document = Document::new(tool.as_str())?;
    let root = document.root();
    let name = root.get("name").and_then(|name| name.as_str());
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        return Err(bad("/name", "the tool has no name"));
    };
    let mut out = ObjectWriter::new();
    out.text("tool", &name);
    let description = root.get("description").and_then(|text| text.as_str());
    out.optional("description", description);
    if let Some(schema) = root
        .get("inputSchema")
        .filter(|node| node.kind() == Kind::Object)
    {
        let schema = Json::from(schema);
        let parameters = parameters(&schema).unwrap_or(schema);
        out.json("parameters", parameters.as_str());
    }
    if root.get("outputSchema").is_some() {
        out.text("output_format", "application/json");
    }
    out.optional_json("fingerprints", fingerprints.map(Json::as_str));
    ProfileTool::new(&name, &written(out.end()))
}
