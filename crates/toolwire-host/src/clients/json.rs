//! JSON as clients write it, comments and trailing commas where they take them.

use jsonc_parser::ast;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::Result;
use super::tree::{Member, Node, Value, mistake};
use toolwire_contract::server::Syntax;

/// What a syntax takes beyond JSON.
pub fn options(syntax: Syntax) -> ParseOptions {
    ParseOptions {
        allow_comments: syntax != Syntax::Json,
        allow_loose_object_property_names: false,
        allow_trailing_commas: syntax == Syntax::Jsonc,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

/// Reads a text; one that holds nothing but white space and comments says nothing.
pub fn read(name: &str, text: &str, syntax: Syntax) -> Result<Option<Node>> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options(syntax));
    let parsed = parsed.map_err(|error| {
        let kind = error.kind().to_string();
        let mut message = kind.chars();
        let first = message.next().map(|first| first.to_ascii_lowercase());
        let message: String = first.into_iter().chain(message).collect();
        mistake(name, text, error.range().start, &message)
    })?;
    parsed
        .value
        .map(|value| node(name, text, &value))
        .transpose()
}

fn node(name: &str, text: &str, value: &ast::Value<'_>) -> Result<Node> {
    use jsonc_parser::common::Ranged;
    let at = value.range().start;
    let value = match value {
        ast::Value::NullKeyword(_) => Value::Null,
        ast::Value::BooleanLit(lit) => Value::Bool(lit.value),
        ast::Value::NumberLit(lit) => Value::Number(lit.value.to_owned()),
        ast::Value::StringLit(lit) => Value::Text(lit.value.to_string()),
        ast::Value::Array(array) => {
            let nodes = array.elements.iter();
            Value::List(
                nodes
                    .map(|value| node(name, text, value))
                    .collect::<Result<_>>()?,
            )
        }
        ast::Value::Object(object) => {
            let mut names = std::collections::BTreeSet::new();
            let mut members = Vec::new();
            for property in &object.properties {
                let at = property.range.start;
                let key = property.name.as_str().to_owned();
                // Two readers would take one or the other, and one of them is not what was approved.
                if !names.insert(key.clone()) {
                    let message = format!("`{key}` stands there twice; remove one of them");
                    return Err(mistake(name, text, at, &message));
                }
                members.push(Member {
                    name: key,
                    at,
                    node: node(name, text, &property.value)?,
                });
            }
            Value::Table(members)
        }
    };
    Ok(Node { at, value })
}
