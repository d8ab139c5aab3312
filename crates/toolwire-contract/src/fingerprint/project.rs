//! From a tool to what its three fingerprints are the digests of (section 27.1).

use toolwire::json::{Document, Kind, Node, ObjectWriter};
use toolwire::{Code, Error, Json};

use super::normal::normalize;
use super::{FingerprintOptions, Projections, bad_tool, within_limits};

/// The version of the rules, which each projection holds under its own name (FP-5).
const VERSION: &str = "1";

/// The members that a projection has in a place of its own.
const KNOWN: [&str; 9] = [
    "name",
    "title",
    "description",
    "icons",
    "inputSchema",
    "outputSchema",
    "annotations",
    "execution",
    "_meta",
];

/// The projections of a tool.
pub(super) fn project(tool: &Json, options: &FingerprintOptions) -> Result<Projections, Error> {
    // Sorted and exact, all values are written as a projection has them.
    let sorted = tool.sorted();
    let document = Document::new(sorted.as_str())?;
    let tool = document.root();
    if tool.kind() != Kind::Object {
        let message = format!("a tool is an object, not {}", tool.kind().name());
        return Err(bad_tool("", message));
    }
    let Some(name) = member(tool, "name").filter(|name| name.kind() == Kind::String) else {
        return Err(bad_tool("/name", "a tool has a `name`, a string"));
    };
    let schema = |name, pointer| {
        let schema = member(tool, name);
        schema
            .map(|schema| normalize(schema, pointer, options.max_schemas))
            .transpose()
    };
    let Some(input) = schema("inputSchema", "/inputSchema")? else {
        return Err(bad_tool("/inputSchema", "a tool has an `inputSchema`"));
    };
    let (output_contract, output_text) = match schema("outputSchema", "/outputSchema")? {
        Some(output) => (Some(output.contract), output.text),
        None => (None, None),
    };
    let contract = ObjectWriter::new()
        .json("contract", VERSION)
        .json("input", input.contract)
        .json("name", name.raw())
        .optional_json("output", output_contract)
        .end();
    let raw = |name| member(tool, name).map(|value| value.raw());
    let title = member(tool, "annotations").and_then(|annotations| member(annotations, "title"));
    let title = title.map(|title| ObjectWriter::new().json("title", title.raw()).end());
    let text = ObjectWriter::new()
        .optional_json("annotations", title)
        .optional_json("description", raw("description"))
        .optional_json("icons", raw("icons"))
        .optional_json("input", input.text)
        .optional_json("output", output_text)
        .json("text", VERSION)
        .optional_json("title", raw("title"))
        .end();
    Ok(Projections {
        contract: within_limits(contract)?,
        text: within_limits(text)?,
        safety: within_limits(safety(tool, options)?)?,
    })
}

fn safety(tool: Node<'_>, options: &FingerprintOptions) -> Result<String, Error> {
    let launch = options.launch.as_ref().map(Json::sorted);
    if launch
        .as_ref()
        .is_some_and(|launch| !launch.as_str().starts_with('{'))
    {
        let message = "`launch` is an object of facts, such as `{\"transport\":\"stdio\"}`";
        return Err(Error::new(Code::BadOption, "/launch", None, message));
    }
    let annotations = member(tool, "annotations").map(|annotations| match annotations.kind() {
        Kind::Object => members_but(annotations, &["title"]),
        _ => annotations.raw().to_owned(),
    });
    let raw = |name| member(tool, name).map(|value| value.raw());
    let unless_empty = |value: &&str| *value != "{}";
    let others = members_but(tool, &KNOWN);
    Ok(ObjectWriter::new()
        .optional_json("annotations", annotations.as_deref().filter(unless_empty))
        .optional_json("execution", raw("execution").filter(unless_empty))
        .optional_json("launch", launch.as_ref().map(Json::as_str))
        .optional_json("meta", raw("_meta").filter(unless_empty))
        .optional_json("other", Some(&*others).filter(unless_empty))
        .json("safety", VERSION)
        .end())
}

/// A member that is not null.
fn member<'a>(object: Node<'a>, name: &str) -> Option<Node<'a>> {
    object.get(name).filter(|value| value.kind() != Kind::Null)
}

/// An object without these members and those that are null.
fn members_but(object: Node<'_>, names: &[&str]) -> String {
    let mut out = ObjectWriter::new();
    for (name, value) in object.members() {
        if value.kind() != Kind::Null && !names.contains(&&*name) {
            out.json(&name, value.raw());
        }
    }
    out.end()
}
