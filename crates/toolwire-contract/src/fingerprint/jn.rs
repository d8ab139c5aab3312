//! The MD5 of a list of tools that profiles of JN hold (section 27.6).

use md5::{Digest as _, Md5};
use toolwire::json::pointer::join;
use toolwire::json::{Document, Kind, Node};
use toolwire::{Code, Error, Json};

use super::python::{Value, dumps, sorted};

/// The `schema_hash` of profiles that JN wrote: what its `calculate_schema_hash` gives for a list of
/// tools, 32 hexadecimal digits. It is for old profiles only: an optional parameter that is added changes
/// it, and a bound or an output schema that changes does not; [`fingerprint`](super::fingerprint) is what
/// to compare.
///
/// # Errors
///
/// `no_jn_hash` where that function raises an exception, with the pointer of what makes it do so: a tool
/// without `name`, `inputSchema` or `properties`, a parameter without `type`, a schema `true`, a
/// `required` that can't be sorted.
///
/// # Examples
///
/// ```
/// use toolwire::{Code, Json};
/// use toolwire_contract::fingerprint::jn_hash;
///
/// let tools = Json::new(r#"[{"name":"now","inputSchema":{"properties":{"zone":{"type":"string"}}}}]"#)?;
/// assert_eq!(jn_hash(&tools)?, "3a21efc553743e10e87c7a5e6efd9143");
/// let tools = Json::new(r#"[{"name":"now","inputSchema":{"properties":{"zone":{}}}}]"#)?;
/// let error = jn_hash(&tools).unwrap_err();
/// assert_eq!((error.code(), error.pointer()), (Code::NoJnHash, "/0/inputSchema/properties/zone/type"));
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn jn_hash(tools: &Json) -> Result<String, Error> {
    let document = Document::new(tools.as_str())?;
    let root = document.root();
    let mut lines = String::new();
    for (index, signature) in signatures(root)?.iter().enumerate() {
        if index > 0 {
            lines.push('\n');
        }
        dumps(signature, &mut lines);
    }
    let digest = Md5::digest(lines.as_bytes());
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// What the function calls `tool_sig`, of each tool in the order of the names.
fn signatures(root: Node<'_>) -> Result<Vec<Value>, Error> {
    // `sorted` takes whatever it can go through; what it finds in an object or a string is no tool.
    match root.kind() {
        Kind::Array => {}
        Kind::Object if root.is_empty() => {}
        Kind::String if root.is_str("") => {}
        _ => return Err(raises("", "a list of tools is an array of objects")),
    }
    let mut tools = Vec::new();
    for (index, tool) in root.elements().enumerate() {
        let place = format!("/{index}");
        let name = member(tool, &place, "name")?;
        tools.push((place, tool, Value::from(name)));
    }
    let places: Vec<String> = tools.iter().map(|(place, ..)| place.clone()).collect();
    let tools = sorted(tools, |(_, _, name)| name).map_err(|(a, b)| {
        let place = join(&places[a.max(b)], "name");
        raises(&place, "the names of two tools have no order")
    })?;
    tools
        .into_iter()
        .map(|(place, tool, name)| signature(&place, tool, name))
        .collect()
}

fn signature(place: &str, tool: Node<'_>, name: Value) -> Result<Value, Error> {
    let schema = member(tool, place, "inputSchema")?;
    let place = join(place, "inputSchema");
    if schema.kind() != Kind::Object {
        return Err(raises(&place, "the schema of a tool is an object"));
    }
    let required = match schema.get("required") {
        None => Vec::new(),
        Some(names) => required(names, &join(&place, "required"))?,
    };
    let properties = member(schema, &place, "properties")?;
    let place = join(&place, "properties");
    if properties.kind() != Kind::Object {
        return Err(raises(&place, "`properties` is an object"));
    }
    let mut types = Vec::new();
    for (parameter, schema) in properties.members() {
        let kind = member(schema, &join(&place, &parameter), "type")?;
        types.push((parameter.into_owned(), Value::from(kind)));
    }
    Ok(Value::Dict(vec![
        ("name".to_owned(), name),
        ("required".to_owned(), Value::List(required)),
        ("types".to_owned(), Value::Dict(types)),
    ]))
}

/// `sorted(…)` of what `required` is: an array, but also the names of an object or the characters of a
/// string.
fn required(names: Node<'_>, place: &str) -> Result<Vec<Value>, Error> {
    let values: Vec<Value> = match Value::from(names) {
        Value::List(values) => values,
        Value::Dict(members) => members
            .into_iter()
            .map(|(name, _)| Value::Str(name))
            .collect(),
        Value::Str(text) => text.chars().map(|c| Value::Str(c.to_string())).collect(),
        _ => return Err(raises(place, "`required` is an array of names")),
    };
    sorted(values, |value| value).map_err(|(a, b)| {
        let place = join(place, &a.max(b).to_string());
        raises(&place, "two elements of `required` have no order")
    })
}

/// `value[name]`.
fn member<'a>(value: Node<'a>, place: &str, name: &str) -> Result<Node<'a>, Error> {
    if value.kind() != Kind::Object {
        let message = format!(
            "this has to be an object with `{name}`, not {}",
            value.kind().name()
        );
        return Err(raises(place, message));
    }
    value
        .get(name)
        .ok_or_else(|| raises(&join(place, name), format!("`{name}` is missing")))
}

fn raises(pointer: &str, message: impl AsRef<str>) -> Error {
    let message = format!(
        "{}, so JN's function raises an exception and there is no hash",
        message.as_ref()
    );
    Error::new(Code::NoJnHash, pointer, None, message)
}
