//! `x-mcp-header` of 2026-07-28: arguments of a tool that become headers.

use toolwire::Json;
use toolwire::json::{Document, Kind, Node, pointer};

use super::request::header;

/// The keyword of a schema.
const KEYWORD: &str = "x-mcp-header";

/// The headers of a call with these arguments.
pub(super) fn of_call(schema: &Json, arguments: &Json) -> Vec<(String, String)> {
    let named = named(schema).unwrap_or_default().into_iter();
    let headers = named.filter_map(|(pointer, name)| {
        let value = arguments.at(&pointer)?;
        let text = match value.as_str().as_bytes() {
            [b'{' | b'[', ..] | b"null" => return None,
            _ => value.to_text().unwrap_or_else(|| value.to_string()),
        };
        Some((format!("mcp-param-{name}"), header(&text)))
    });
    headers.collect()
}

/// Whether a schema names headers as MCP says.
pub(super) fn is_valid(schema: &Json) -> bool {
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
        let header = |name: &str, value: &str| (format!("mcp-param-{name}"), value.to_owned());
        let expected = [
            header("A", "=?base64?WsO8cmljaA==?="),
            header("N", "12345678901234567890"),
            header("B", "true"),
        ];
        assert_eq!(of_call(&schema, &arguments.unwrap()), expected);
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
