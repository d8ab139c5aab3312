//! The MD5 of a list of tools that profiles of JN hold (section 27.6).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use md5::{Digest as _, Md5};
use toolwire::json::pointer::join;
use toolwire::json::{Document, Kind, Node, string};
use toolwire::{Code, Error, Json};

/// The `schema_hash` of profiles that JN wrote: what its `calculate_schema_hash` returns for a list of
/// tools, 32 hexadecimal digits. It is for old profiles only: an optional parameter that is added changes
/// it, and a bound or an output schema that changes does not; [`fingerprint`](super::fingerprint) is what
/// to compare.
///
/// # Errors
///
/// `no_jn_hash` for tools without `name`, `inputSchema` or `properties`, for a parameter without `type`,
/// and for names that are no strings and types that hold numbers, booleans or null. The pointer leads to the
/// value that is wrong or missing.
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
    expect(document.root(), "", Kind::Array)?;
    let mut signatures = Vec::new();
    for (index, tool) in document.root().elements().enumerate() {
        signatures.push(signature(tool, &format!("/{index}"))?);
    }
    signatures.sort_by(|(a, _), (b, _)| a.cmp(b));
    let lines: Vec<String> = signatures.into_iter().map(|(_, line)| line).collect();
    let digest = Md5::digest(lines.join("\n").as_bytes());
    Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The name of a tool, and what the function hashes of it.
fn signature<'a>(tool: Node<'a>, pointer: &str) -> Result<(Cow<'a, str>, String), Error> {
    let (name, at) = member(tool, pointer, "name")?;
    expect(name, &at, Kind::String)?;
    let (schema, pointer) = member(tool, pointer, "inputSchema")?;
    let (properties, at) = member(schema, &pointer, "properties")?;
    expect(properties, &at, Kind::Object)?;
    let mut types = BTreeMap::new();
    for (parameter, schema) in properties.members() {
        let (kind, at) = member(schema, &join(&at, &parameter), "type")?;
        let message = "a type is made of strings, arrays and objects";
        types.insert(parameter, dumps(kind).ok_or_else(|| no_hash(&at, message))?);
    }
    let mut required = Vec::new();
    if let Some(names) = schema.get("required") {
        let at = join(&pointer, "required");
        expect(names, &at, Kind::Array)?;
        for (index, name) in names.elements().enumerate() {
            expect(name, &join(&at, &index.to_string()), Kind::String)?;
            required.extend(name.as_str());
        }
    }
    required.sort();
    let name = name.as_str().unwrap_or_default();
    let required: Vec<String> = required.iter().map(|name| ascii(name)).collect();
    let (required, types) = (required.join(", "), object(types));
    let line = format!(
        r#"{{"name": {}, "required": [{required}], "types": {types}}}"#,
        ascii(&name)
    );
    Ok((name, line))
}

/// `json.dumps(value, sort_keys=True)`; `None` for what has numbers, booleans or null in it.
fn dumps(value: Node<'_>) -> Option<String> {
    match value.kind() {
        Kind::String => value.as_str().map(|text| ascii(&text)),
        Kind::Array => {
            let elements: Option<Vec<String>> = value.elements().map(dumps).collect();
            Some(format!("[{}]", elements?.join(", ")))
        }
        Kind::Object => {
            let members = value
                .members()
                .map(|(name, value)| Some((name, dumps(value)?)));
            members.collect::<Option<_>>().map(object)
        }
        _ => None,
    }
}

fn object(members: BTreeMap<Cow<'_, str>, String>) -> String {
    let members = members.iter();
    let members = members.map(|(name, value)| format!("{}: {value}", ascii(name)));
    format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
}

/// A string with `ensure_ascii`.
fn ascii(text: &str) -> String {
    let mut out = String::new();
    for unit in string(text).encode_utf16() {
        match u8::try_from(unit) {
            Ok(byte @ b' '..=b'~') => out.push(char::from(byte)),
            _ => {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out
}

/// A member and its pointer.
fn member<'a>(value: Node<'a>, pointer: &str, name: &str) -> Result<(Node<'a>, String), Error> {
    expect(value, pointer, Kind::Object)?;
    let pointer = join(pointer, name);
    match value.get(name) {
        Some(member) => Ok((member, pointer)),
        None => Err(no_hash(&pointer, &format!("`{name}` is missing"))),
    }
}

fn expect(value: Node<'_>, pointer: &str, kind: Kind) -> Result<(), Error> {
    if value.kind() == kind {
        return Ok(());
    }
    let (expected, found) = (kind.name(), value.kind().name());
    Err(no_hash(
        pointer,
        &format!("this has to be {expected}, not {found}"),
    ))
}

fn no_hash(pointer: &str, message: &str) -> Error {
    let message = format!("{message}, so JN has no hash of these tools");
    Error::new(Code::NoJnHash, pointer, None, message)
}
