//! Headers that repeat what a request of 2026-07-28 says, and `x-mcp-header`: arguments of a tool that become headers.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use toolwire::Json;
use toolwire::json::{Document, Kind, Node, pointer};

/// The keyword of a schema.
const KEYWORD: &str = "x-mcp-header";

/// What stands around a value that is encoded.
const ENCODED: (&str, &str) = ("=?base64?", "?=");

/// A value as a header has it: what no header may hold, or what looks encoded, is encoded.
pub(crate) fn encoded(value: &str) -> String {
    let (before, after) = ENCODED;
    let is_plain = value.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        && value.trim() == value
        && !(value.starts_with(before) && value.ends_with(after));
    match is_plain {
        true => value.to_owned(),
        false => format!("{before}{}{after}", BASE64_STANDARD.encode(value)),
    }
}

/// The value of a header; nothing if it is encoded in another way.
pub(crate) fn decoded(header: &str) -> Option<String> {
    let inner = header.strip_prefix(ENCODED.0);
    match inner.and_then(|inner| inner.strip_suffix(ENCODED.1)) {
        Some(inner) => String::from_utf8(BASE64_STANDARD.decode(inner).ok()?).ok(),
        None => Some(header.to_owned()),
    }
}

/// The headers that a schema names, each with the value that it has in a call with these arguments.
pub(crate) fn of_call(schema: &Json, arguments: &Json) -> Vec<(String, Option<String>)> {
    let named = named(schema).unwrap_or_default().into_iter();
    let headers = named.map(|(pointer, name)| {
        let value = arguments
            .at(&pointer)
            .filter(|value| !matches!(value.as_str().as_bytes(), [b'{' | b'[', ..] | b"null"));
        let text = value.map(|value| value.to_text().unwrap_or_else(|| value.to_string()));
        (format!("mcp-param-{name}"), text)
    });
    headers.collect()
}

/// Whether a schema names headers as MCP says.
pub(crate) fn is_valid(schema: &Json) -> bool {
    named(schema).is_some()
}

/// The arguments that become headers, as JSON Pointers, and the names of these; nothing if the schema is not as MCP
/// says.
fn named(schema: &Json) -> Option<Vec<(String, String)>> {
    let document = Document::new(schema.as_str()).ok()?;
    let mut all = Vec::new();
    collect(document.root(), Some(""), &mut all)?;
    let mut names: Vec<String> = all
        .iter()
        .map(|(_, name)| name.to_ascii_lowercase())
        .collect();
    names.sort();
    names.dedup();
    (names.len() == all.len()).then_some(all)
}

/// Collects what a schema names. It has a pointer if it is reached through `properties` alone, as it must be to name
/// a header.
fn collect(schema: Node<'_>, at: Option<&str>, all: &mut Vec<(String, String)>) -> Option<()> {
    for (key, value) in schema.members() {
        match &*key {
            KEYWORD => {
                let name = value.as_str().filter(|name| is_token(name))?;
                let kind = schema.get("type").and_then(|kind| kind.as_str())?;
                let is_plain = matches!(&*kind, "string" | "integer" | "boolean");
                let at = at.filter(|at| is_plain && !at.is_empty())?;
                all.push((at.to_owned(), name.into_owned()));
            }
            "properties" => {
                for (name, schema) in value.members() {
                    let at = at.map(|at| pointer::join(at, &name));
                    collect(schema, at.as_deref(), all)?;
                }
            }
            // The names in these are not keywords.
            "$defs" | "definitions" | "dependencies" | "dependentSchemas" | "patternProperties" => {
                for (_, schema) in value.members() {
                    collect(schema, None, all)?;
                }
            }
            "default" | "const" | "enum" | "examples" | "dependentRequired" => {}
            _ if value.kind() == Kind::Object => collect(value, None, all)?,
            _ => {
                for schema in value.elements() {
                    collect(schema, None, all)?;
                }
            }
        }
    }
    Some(())
}

/// Whether a text may be the name of a header.
fn is_token(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema(properties: &str) -> Json {
        Json::new(format!(r#"{{"type":"object","properties":{properties}}}"#)).unwrap()
    }

    #[test]
    fn plain_arguments_become_headers() {
        let schema = schema(
            r#"{"a":{"type":"string","x-mcp-header":"A"},"n":{"type":"integer","x-mcp-header":"N"},
                "o":{"type":"object","properties":{"b/c":{"type":"boolean","x-mcp-header":"B"}}},
                "z":{"type":"string","x-mcp-header":"Z"}}"#,
        );
        let arguments =
            Json::new(r#"{"a":"Zürich","n":12345678901234567890,"o":{"b/c":true},"z":null}"#);
        let header = |name: &str, value: Option<&str>| {
            (format!("mcp-param-{name}"), value.map(str::to_owned))
        };
        let expected = [
            header("A", Some("Zürich")),
            header("N", Some("12345678901234567890")),
            header("B", Some("true")),
            header("Z", None),
        ];
        assert_eq!(of_call(&schema, &arguments.unwrap()), expected);
    }

    #[test]
    fn what_is_encoded_is_decoded() {
        for (value, header) in [
            ("plain", "plain"),
            ("Zürich", "=?base64?WsO8cmljaA==?="),
            (" a", "=?base64?IGE=?="),
            ("=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="),
        ] {
            assert_eq!(encoded(value), header);
            assert_eq!(decoded(header).as_deref(), Some(value));
        }
        assert_eq!(decoded("=?base64?!?="), None);
    }

    #[test]
    fn what_names_headers_in_another_way_is_not_valid() {
        for (properties, valid) in [
            (r#"{"a":{"type":"string","x-mcp-header":"A"}}"#, true),
            (r#"{"x-mcp-header":{"type":"string"}}"#, true),
            (r#"{"a":{"default":{"x-mcp-header":1}}}"#, true),
            (r#"{"a":{"type":"number","x-mcp-header":"A"}}"#, false),
            (r#"{"a":{"x-mcp-header":"A"}}"#, false),
            (r#"{"a":{"type":"string","x-mcp-header":""}}"#, false),
            (r#"{"a":{"type":"string","x-mcp-header":"A b"}}"#, false),
            (r#"{"a":{"type":"string","x-mcp-header":7}}"#, false),
            (
                r#"{"a":{"items":{"type":"string","x-mcp-header":"A"}}}"#,
                false,
            ),
            (
                r#"{"a":{"anyOf":[{"type":"string","x-mcp-header":"A"}]}}"#,
                false,
            ),
            (
                r#"{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}"#,
                false,
            ),
        ] {
            assert_eq!(is_valid(&schema(properties)), valid, "{properties}");
        }
        let root = Json::new(r#"{"type":"string","x-mcp-header":"A"}"#).unwrap();
        assert!(!is_valid(&root));
    }
}
