//! The value in a template: a default, or what a schema suggests.

use std::collections::HashSet;

use super::target;
use crate::base::json::{Kind, Node, string};

/// Maximum depth of suggested objects.
const MAX_DEPTH: usize = 8;

/// Maximum number of values in a template.
const MAX_VALUES: usize = 10_000;

/// Maximum number of values that a schema suggests.
const MAX_SUGGESTED: usize = 1_000;

/// Maximum size of a schema that suggests a value. It bounds the time that its references take.
const MAX_SCHEMA: usize = 64 * 1024;

/// Maximum size of a value, comments included.
const MAX_BYTES: usize = 256 * 1024;

const TYPES: [&str; 7] = [
    "array", "boolean", "integer", "null", "number", "object", "string",
];

/// A value on several lines; `None` if it is too large.
pub(super) fn of_value(value: Node<'_>) -> Option<String> {
    let mut writer = Writer::new(value, MAX_VALUES);
    writer.value(0, value)?;
    Some(writer.out)
}

/// The value that a schema suggests; `None` if it is too large.
pub(super) fn of_schema(schema: Node<'_>) -> Option<String> {
    let mut writer = Writer::new(schema, MAX_SUGGESTED);
    let small = schema.raw().len() <= MAX_SCHEMA;
    small.then(|| writer.suggestion(0, schema))??;
    Some(writer.out)
}

/// Writes a value, and stops with `None` where it becomes too large.
struct Writer<'a> {
    out: String,
    root: Node<'a>,
    /// Values that may still be written.
    left: usize,
}

impl<'a> Writer<'a> {
    fn new(root: Node<'a>, left: usize) -> Self {
        let out = String::new();
        Writer { out, root, left }
    }

    fn push(&mut self, text: &str) -> Option<()> {
        let fits = self.out.len() + text.len() <= MAX_BYTES;
        fits.then(|| self.out.push_str(text))
    }

    /// Begins a line.
    fn line(&mut self, indent: usize, text: &str) -> Option<()> {
        self.push(&format!("\n{:1$}{text}", "", 2 * indent))
    }

    fn count(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        Some(())
    }

    fn value(&mut self, indent: usize, node: Node<'a>) -> Option<()> {
        self.count()?;
        let (open, close) = match node.kind() {
            Kind::Array => ("[", "]"),
            Kind::Object => ("{", "}"),
            _ => return self.push(node.raw()),
        };
        self.push(open)?;
        let elements = node.elements().map(|value| (String::new(), value));
        let members = node.members();
        let members = members.map(|(name, value)| (format!("{}: ", string(&name)), value));
        for (at, (name, value)) in elements.chain(members).enumerate() {
            self.push(if at > 0 { "," } else { "" })?;
            self.line(indent + 1, &name)?;
            self.value(indent + 1, value)?;
        }
        if !node.is_empty() {
            self.line(indent, "")?;
        }
        self.push(close)
    }

    fn suggestion(&mut self, indent: usize, schema: Node<'a>) -> Option<()> {
        let schema = target(schema, self.root);
        let listed = || schema.get("enum")?.elements().next();
        let value = schema
            .get("default")
            .or_else(|| schema.get("const"))
            .or_else(listed);
        if let Some(value) = value {
            return self.value(indent, value);
        }
        self.count()?;
        match first_type(schema) {
            Some("string") => self.push("\"\""),
            Some("number" | "integer") => {
                let minimum = schema
                    .get("minimum")
                    .filter(|node| node.kind() == Kind::Number);
                self.push(minimum.map_or("0", |minimum| minimum.raw()))
            }
            Some("boolean") => self.push("false"),
            Some("array") => self.push("[]"),
            Some("object") => match schema.get("properties") {
                Some(properties) if indent < MAX_DEPTH && !properties.is_empty() => {
                    self.object(indent, schema, properties)
                }
                _ => self.push("{}"),
            },
            _ => self.push("null"),
        }
    }

    /// Required properties as members, the others in comments.
    fn object(&mut self, indent: usize, schema: Node<'a>, properties: Node<'a>) -> Option<()> {
        let required = schema.get("required").into_iter();
        let required = required.flat_map(|names| names.elements());
        let required: HashSet<_> = required.filter_map(|name| name.as_str()).collect();
        let is_required = |name: &str| required.contains(name);
        let mut left = properties
            .members()
            .filter(|(name, _)| is_required(name))
            .count();
        self.push("{")?;
        for (name, own) in properties.members() {
            let part = target(own, self.root);
            let of = |keyword| own.get(keyword).or_else(|| part.get(keyword));
            let about = of("description").or_else(|| of("title"));
            let about = about.and_then(|about| about.as_str()).unwrap_or_default();
            let mut lines: Vec<String> = comment(&about).collect();
            if !is_required(&name) {
                let kind = first_type(part).unwrap_or("any value");
                let name = string(&name).replace(char::is_control, " ");
                let first = match lines.is_empty() {
                    true => String::new(),
                    false => format!(": {}", lines.remove(0)),
                };
                lines.insert(0, format!("Optional: {name} ({kind}){first}"));
            }
            for line in lines {
                self.line(indent + 1, &format!("// {line}"))?;
            }
            if is_required(&name) {
                self.line(indent + 1, &format!("{}: ", string(&name)))?;
                self.suggestion(indent + 1, own)?;
                left -= 1;
                self.push(if left > 0 { "," } else { "" })?;
            }
        }
        self.line(indent, "}")
    }
}

fn first_type(schema: Node<'_>) -> Option<&'static str> {
    let types = schema.get("type")?;
    let first = types.elements().next().unwrap_or(types);
    TYPES.into_iter().find(|kind| first.is_str(kind))
}

/// The lines of a comment; a control character in them becomes a space.
pub(super) fn comment(text: &str) -> impl Iterator<Item = String> {
    text.trim().lines().map(|line| {
        let mut line = line.replace(char::is_control, " ");
        line.truncate(line.trim_end().len());
        line
    })
}
