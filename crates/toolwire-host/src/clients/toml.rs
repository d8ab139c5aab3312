//! TOML as clients write it.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Result;
use super::tree::{Member, Node, Value, mistake};

/// Reads a text.
pub fn read(name: &str, text: &str) -> Result<Node> {
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        mistake(name, text, at, &error.message().replace('\n', "; "))
    })?;
    let members = members(table.get_ref());
    Ok(Node {
        at: 0,
        value: Value::Table(members),
    })
}

fn members(table: &DeTable<'_>) -> Vec<Member> {
    let members = table.iter().map(|(key, value)| Member {
        name: key.get_ref().to_string(),
        at: key.span().start,
        node: node(value),
    });
    members.collect()
}

fn node(value: &Spanned<DeValue<'_>>) -> Node {
    let at = value.span().start;
    let value = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Boolean(yes) => Value::Bool(*yes),
        DeValue::Integer(number) => Value::Number(number.to_string()),
        DeValue::Float(number) => Value::Number(number.to_string()),
        DeValue::Datetime(time) => Value::Number(time.to_string()),
        DeValue::Array(array) => Value::List(array.iter().map(node).collect()),
        DeValue::Table(table) => Value::Table(members(table)),
    };
    Node { at, value }
}
