//! `parameters` of a profile, and the JSON Schema that they are (PROF-13).

use std::borrow::Cow;

use toolwire::json::{Document, Kind, Node, ObjectWriter, Place, array, string};
use toolwire::{Code, Error, Json};

use super::written;
use crate::unplaced;

/// The JSON Schema of the arguments that `parameters` describe: a schema for each name, in which
/// `"required": true` says that the argument must be given; or a JSON Schema already, which then stays.
///
/// # Errors
///
/// `bad_profile` with a pointer to what is neither a schema nor such an object.
///
/// # Examples
///
/// ```
/// use toolwire::Json;
/// use toolwire_contract::profile::input_schema;
///
/// let parameters = Json::new(r#"{"gene":{"type":"string","required":true},"n":{"type":"integer"}}"#)?;
/// assert_eq!(
///     input_schema(&parameters)?.as_str(),
///     r#"{"type":"object","properties":{"gene":{"type":"string"},"n":{"type":"integer"}},"required":["gene"]}"#,
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn input_schema(parameters: &Json) -> Result<Json, Error> {
    let document = Document::new(parameters.as_str())?;
    let node = document.root();
    let checked = check_parameters(Place::new(node, "", Code::BadProfile));
    checked.map_err(|error| unplaced(&error))?;
    if is_schema(node) {
        return Ok(written(lowered(node)));
    }
    let (properties, required) = properties(node);
    let mut out = ObjectWriter::new();
    out.text("type", "object").json("properties", properties);
    if !required.is_empty() {
        out.json("required", array(required.iter().map(|name| string(name))));
    }
    Ok(written(out.end()))
}

/// The other way: `parameters` in the form of profiles, if that says all that the schema does.
pub(super) fn parameters(schema: &Json) -> Option<Json> {
    let document = Document::new(schema.as_str()).ok()?;
    let root = document.root();
    let known = ["type", "properties", "required", "$schema", "title"];
    let plain = root
        .members()
        .all(|(name, _)| known.contains(&name.as_ref()));
    let is_object = root.get("type").is_some_and(|node| node.is_str("object"));
    if !plain || !is_object {
        return None;
    }
    let properties = root.get("properties");
    let has = |name: &str| properties.and_then(|all| all.get(name)).is_some();
    let required = root.get("required").map(texts).unwrap_or_default();
    if !required.iter().all(|name| has(name)) {
        return None;
    }
    let mut out = ObjectWriter::new();
    for (name, property) in properties.iter().flat_map(Node::members) {
        // What has a `required` of its own has no room for another.
        if property.kind() != Kind::Object || property.get("required").is_some() {
            return None;
        }
        let mut one = ObjectWriter::new();
        for (keyword, value) in property.members() {
            one.json(&keyword, value.raw());
        }
        if required.iter().any(|other| *other == name) {
            one.flag("required", true);
        }
        out.json(&name, one.end());
    }
    let parameters = written(out.end());
    let again = Document::new(parameters.as_str()).ok()?;
    (!is_schema(again.root())).then_some(parameters)
}

/// Whether all that stands there can be read.
pub(super) fn check_parameters(place: Place<'_>) -> Result<(), Error> {
    let place = place.object()?;
    if is_schema(place.node) {
        return Ok(());
    }
    let mut members = place.members();
    members.try_for_each(|(_, schema)| match schema.node.kind() {
        Kind::Object | Kind::Bool => Ok(()),
        _ => Err(schema.expected("the schema of a parameter")),
    })
}

/// Whether it is a JSON Schema as a whole: a parameter that is called like a keyword has an object for its
/// value, and the keyword has none.
fn is_schema(node: Node<'_>) -> bool {
    let is = |name: &str, kind: Kind| node.get(name).is_some_and(|value| value.kind() == kind);
    ["type", "$schema", "$ref"]
        .iter()
        .any(|name| is(name, Kind::String))
        || ["required", "anyOf", "oneOf", "allOf"]
            .iter()
            .any(|name| is(name, Kind::Array))
}

/// A schema in which `required` is a list of names, as JSON Schema has it.
fn lowered(node: Node<'_>) -> String {
    if node.kind() != Kind::Object {
        return node.raw().to_owned();
    }
    let inner = node
        .get("properties")
        .filter(|node| node.kind() == Kind::Object);
    let inner = inner.map(properties);
    let mut required = node.get("required").map(texts).unwrap_or_default();
    for name in inner.iter().flat_map(|(_, names)| names) {
        if !required.contains(name) {
            required.push(name.clone());
        }
    }
    let names = array(required.iter().map(|name| string(name)));
    let mut out = ObjectWriter::new();
    let mut said = false;
    for (keyword, value) in node.members() {
        match (keyword.as_ref(), value.kind(), &inner) {
            ("required", Kind::Bool, _) => {}
            ("required", Kind::Array, Some((_, lifted))) if !lifted.is_empty() => {
                said = true;
                out.json("required", &names);
            }
            ("properties", _, Some((properties, _))) => {
                out.json("properties", properties);
            }
            ("items", _, _) => {
                out.json("items", lowered(value));
            }
            _ => {
                out.json(&keyword, value.raw());
            }
        }
    }
    let lifts = inner.is_some_and(|(_, lifted)| !lifted.is_empty());
    if lifts && !said {
        out.json("required", names);
    }
    out.end()
}

/// The properties of an object without their own `required: true`, and the names of those that had it.
fn properties(node: Node<'_>) -> (String, Vec<String>) {
    let mut out = ObjectWriter::new();
    let mut required = Vec::new();
    for (name, schema) in node.members() {
        out.json(&name, lowered(schema));
        if schema.get("required").and_then(|node| node.as_bool()) == Some(true) {
            required.push(name.into_owned());
        }
    }
    (out.end(), required)
}

fn texts(node: Node<'_>) -> Vec<String> {
    node.elements()
        .filter_map(|node| node.as_str().map(Cow::into_owned))
        .collect()
}
