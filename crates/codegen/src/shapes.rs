//! The JSON shapes of the schemas, as little as TypeScript and Python need to write them down.

use crate::registry::Registry;
use serde_json::{Map, Value};

/// A type with a name.
pub struct Shape {
    pub name: String,
    pub doc: String,
    pub kind: Kind,
    /// Whether an object can have other members.
    pub is_open: bool,
    /// Whether these are options, whose names each language spells in its own way.
    pub is_options: bool,
}

/// What stands behind a name.
pub enum Kind {
    /// An object with these members, and unknown ones.
    Object(Vec<Field>),
    /// Another name for a type.
    Alias(Type),
}

/// A member of an object.
pub struct Field {
    pub name: String,
    pub doc: String,
    pub required: bool,
    pub ty: Type,
}

/// A type that is used somewhere.
#[derive(Clone)]
pub enum Type {
    Any,
    /// An object of somebody else's API, whose types are there.
    Foreign,
    /// Any JSON value.
    Json,
    Null,
    AnyObject,
    Flag,
    Integer,
    Number,
    Text,
    Bytes,
    Literals(Vec<String>),
    Named(String),
    /// A class of the packages.
    View(String),
    Array(Box<Type>),
    Map(Box<Type>),
    Union(Vec<Type>),
}

/// The shapes of some schemas: for each its definitions, then its own.
pub fn shapes(schemas: &[Value], registry: &Registry) -> Result<Vec<Shape>, String> {
    let mut shapes = Vec::new();
    for schema in schemas {
        let none = Map::new();
        let definitions = schema["$defs"].as_object().unwrap_or(&none);
        for definition in definitions.values().chain([schema]) {
            if let Some(name) = name_of(definition) {
                let kind = kind(definition, definitions)?;
                shapes.push(Shape {
                    name,
                    doc: text(&definition["description"]),
                    kind,
                    is_open: true,
                    is_options: false,
                });
            }
        }
    }
    for shape in shapes
        .iter_mut()
        .filter(|shape| shape.name == "DiagnosticCode")
    {
        let codes = registry
            .codes
            .iter()
            .map(|entry| entry.code.clone())
            .collect();
        shape.kind = Kind::Alias(Type::Literals(codes));
    }
    Ok(shapes)
}

/// The name of a type, if it has one. Restricted strings and opaque objects are written in place;
/// these few titles are what the libraries call their own classes.
fn name_of(definition: &Value) -> Option<String> {
    let title = definition["title"].as_str()?;
    let named = definition["properties"].is_object()
        || definition["enum"].is_array()
        || definition["oneOf"].is_array()
        || title == "DiagnosticCode";
    named.then(|| match title {
        "Envelope" | "Block" | "Call" | "Tool" => format!("{title}Document"),
        _ => title.to_owned(),
    })
}

fn kind(definition: &Value, definitions: &Map<String, Value>) -> Result<Kind, String> {
    let Some(properties) = definition["properties"].as_object() else {
        return ty(definition, definitions).map(Kind::Alias);
    };
    let required: Vec<_> = definition["required"]
        .as_array()
        .into_iter()
        .flatten()
        .collect();
    let fields = properties.iter().map(|(name, property)| {
        let required = required.iter().any(|other| *other == name);
        let mut doc = text(&property["description"]);
        if doc.is_empty() {
            doc = text(&target(property, definitions)?["description"]);
        }
        Ok(Field {
            name: name.clone(),
            doc,
            required,
            ty: ty(property, definitions)?,
        })
    });
    fields.collect::<Result<_, String>>().map(Kind::Object)
}

fn ty(schema: &Value, definitions: &Map<String, Value>) -> Result<Type, String> {
    if schema["$ref"].is_string() {
        let target = target(schema, definitions)?;
        return match name_of(target) {
            Some(name) => Ok(Type::Named(name)),
            None => ty(target, definitions),
        };
    }
    if let Some(one_of) = schema["oneOf"].as_array() {
        let types = one_of.iter().map(|schema| ty(schema, definitions));
        return types.collect::<Result<_, _>>().map(Type::Union);
    }
    if let Some(value) = schema["const"].as_str() {
        return Ok(Type::Literals(vec![value.to_owned()]));
    }
    if let Some(values) = schema["enum"].as_array() {
        return Ok(Type::Literals(values.iter().map(text).collect()));
    }
    Ok(match schema["type"].as_str() {
        Some("array") => Type::Array(Box::new(ty(&schema["items"], definitions)?)),
        Some("boolean") => Type::Flag,
        Some("integer") => Type::Integer,
        Some("number") => Type::Number,
        Some("object") => match schema.get("additionalProperties") {
            Some(values) => Type::Map(Box::new(ty(values, definitions)?)),
            None => Type::AnyObject,
        },
        Some("string") => Type::Text,
        _ => Type::Any,
    })
}

/// What a schema refers to; itself, if it refers to nothing.
fn target<'a>(schema: &'a Value, definitions: &'a Map<String, Value>) -> Result<&'a Value, String> {
    match schema["$ref"].as_str() {
        Some(target) => target
            .strip_prefix("#/$defs/")
            .and_then(|name| definitions.get(name))
            .ok_or_else(|| format!("`{target}` does not exist")),
        None => Ok(schema),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Breaks a text into lines of at most `width` characters.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
