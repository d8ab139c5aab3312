//! Schemas that take only what they declare (DIFF-11).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::dialect::{each_reference, each_schema, last_keyword};
use super::value::{Members, elements, limit};

/// What closes the places of one prepared schema.
struct Closing<'a> {
    root: &'a Value,
    parts: &'a Parts,
}

/// Places that references lead to, and the name of the definition that stands for each as a part.
pub(super) type Parts = BTreeMap<String, String>;

/// The places among what references lead to.
pub(super) fn parts(targets: BTreeSet<String>) -> Parts {
    let is_place = |at: &String| {
        let keyword = last_keyword(at);
        at.is_empty()
            || matches!(
                keyword.as_deref(),
                Some(
                    "additionalProperties"
                        | "items"
                        | "patternProperties"
                        | "prefixItems"
                        | "properties"
                )
            )
    };
    let names = targets.into_iter().filter(is_place).enumerate();
    let names = names.map(|(index, at)| (at, format!("toolwire.part{index}")));
    names.collect()
}

/// The whole schema, closed: each place in it that declares members takes no others, unless the schema itself says
/// which.
pub(super) fn closed(root: &Value, parts: &Parts) -> Value {
    let closing = Closing { root, parts };
    let mut closed = root.clone();
    closing.lead(&mut closed);
    closing.close(&mut closed, true);
    if closed == Value::Bool(true) {
        closed = json!({"unevaluatedProperties": false});
    }
    let mut definitions = Members::new();
    for (at, name) in parts {
        let Some(mut part) = root.pointer(at).cloned() else {
            continue;
        };
        if at.is_empty() {
            remove(&mut part, &["$defs", "definitions"]);
        }
        each_schema(&mut part, &mut String::new(), &mut |schema, _| {
            remove(schema, &["$anchor", "$id"]);
        });
        closing.lead(&mut part);
        closing.part(&mut part, false);
        definitions.insert(name.clone(), part);
    }
    if let (Value::Object(members), false) = (&mut closed, definitions.is_empty()) {
        let defs = members.entry("$defs".to_owned());
        if let Value::Object(all) = defs.or_insert_with(|| Value::Object(Members::new())) {
            all.extend(definitions);
        }
    }
    closed
}

impl<'a> Closing<'a> {
    /// Makes references to a place, which is closed there, lead to the same as a part.
    fn lead(&self, schema: &mut Value) {
        each_reference(
            schema,
            &mut |reference| match self.parts.get(&reference[1..]) {
                Some(name) => format!("#/$defs/{name}"),
                None => reference.to_owned(),
            },
        );
    }

    /// A schema that a value of its own is held against.
    fn close(&self, schema: &mut Value, is_root: bool) {
        let declares = is_root || self.declares(schema, true);
        self.part(schema, false);
        if let (true, Value::Object(members)) = (declares, schema) {
            let rest = members.entry("unevaluatedProperties".to_owned());
            rest.or_insert(Value::Bool(false));
        }
    }

    /// A schema as a part of what is said of a value; `beside` tells whether what it stands beside declares members.
    fn part(&self, schema: &mut Value, beside: bool) {
        let beside = beside || self.declares(schema, false);
        let Value::Object(members) = schema else {
            return;
        };
        for (keyword, inner) in members {
            match (keyword.as_str(), inner) {
                ("properties" | "patternProperties", Value::Object(all)) => {
                    all.values_mut().for_each(|inner| self.close(inner, false));
                }
                ("additionalProperties" | "items", inner) => self.close(inner, false),
                ("prefixItems", Value::Array(all)) => {
                    all.iter_mut().for_each(|inner| self.close(inner, false));
                }
                ("allOf", Value::Array(all)) => {
                    all.iter_mut().for_each(|inner| self.part(inner, beside));
                }
                ("anyOf" | "oneOf", Value::Array(all)) => {
                    for inner in all {
                        self.part(inner, beside);
                        if !beside && self.is_free(inner, 0) {
                            open(inner);
                        }
                    }
                }
                ("then" | "else", inner) => self.part(inner, beside),
                ("dependentSchemas", Value::Object(all)) => {
                    all.values_mut().for_each(|inner| self.part(inner, beside));
                }
                ("$defs" | "definitions", Value::Object(all)) => {
                    all.values_mut().for_each(|inner| self.part(inner, false));
                }
                _ => {}
            }
        }
    }

    /// Whether an alternative allows objects and says nothing of their members.
    fn is_free(&self, schema: &Value, depth: usize) -> bool {
        let Value::Object(members) = schema else {
            return *schema == Value::Bool(true);
        };
        let takes_objects = members.get("type").is_none_or(|kind| {
            let is_object = |kind: &Value| kind.as_str() == Some("object");
            is_object(kind) || elements(kind).iter().any(is_object)
        });
        let mut said = members
            .iter()
            .filter(|(keyword, value)| is_of_members(members, keyword, value));
        match (said.next(), said.next()) {
            (None, _) => takes_objects,
            // What it refers to may say nothing either.
            (Some((keyword, _)), None) if keyword == "$ref" && depth < 16 => {
                let target = self.target(members);
                takes_objects && target.is_some_and(|target| self.is_free(target, depth + 1))
            }
            _ => false,
        }
    }

    fn target(&self, members: &Members) -> Option<&'a Value> {
        let reference = members.get("$ref")?.as_str()?;
        let name = reference[1..].strip_prefix("/$defs/");
        let part = self
            .parts
            .iter()
            .find(|(_, own)| Some(own.as_str()) == name);
        self.root
            .pointer(part.map_or(&reference[1..], |(at, _)| at))
    }

    /// Whether a schema, or a part of it, has `properties`; with or without alternatives and conditions.
    fn declares(&self, schema: &Value, alternatives: bool) -> bool {
        let mut open = vec![schema];
        let mut seen = BTreeSet::new();
        while let Some(schema) = open.pop() {
            let Value::Object(members) = schema else {
                continue;
            };
            if members.contains_key("properties") {
                return true;
            }
            let target = self.target(members);
            open.extend(target.filter(|target| seen.insert(std::ptr::from_ref(*target))));
            let lists: &[&str] = match alternatives {
                true => &["allOf", "anyOf", "oneOf"],
                false => &["allOf"],
            };
            let lists = lists.iter().filter_map(|keyword| members.get(*keyword));
            open.extend(lists.flat_map(elements));
            if alternatives {
                if members.contains_key("if") {
                    open.extend(
                        ["then", "else"]
                            .iter()
                            .filter_map(|name| members.get(*name)),
                    );
                }
                let dependent = members.get("dependentSchemas").and_then(Value::as_object);
                open.extend(dependent.into_iter().flat_map(Members::values));
            }
        }
        false
    }
}

fn remove(schema: &mut Value, names: &[&str]) {
    if let Value::Object(members) = schema {
        members.retain(|name, _| !names.contains(&name.as_str()));
    }
}

/// Lets an alternative take all members.
fn open(schema: &mut Value) {
    if *schema == Value::Bool(true) {
        *schema = Value::Object(Members::new());
    }
    if let Value::Object(members) = schema {
        members.insert("additionalProperties".to_owned(), Value::Bool(true));
    }
}

/// Whether a keyword says something of the members of an object: it is there, and allows less than all.
fn is_of_members(all: &Members, keyword: &str, value: &Value) -> bool {
    match (keyword, value) {
        ("required", names) => !elements(names).is_empty(),
        ("minProperties", least) => limit(least) != Some(0),
        ("dependentRequired" | "dependentSchemas" | "patternProperties", Value::Object(all)) => {
            !all.is_empty()
        }
        ("if", _) => all.contains_key("then") || all.contains_key("else"),
        ("then" | "else", _) => all.contains_key("if"),
        _ => matches!(
            keyword,
            "$ref"
                | "additionalProperties"
                | "allOf"
                | "anyOf"
                | "const"
                | "dependentRequired"
                | "dependentSchemas"
                | "enum"
                | "maxProperties"
                | "not"
                | "oneOf"
                | "patternProperties"
                | "properties"
                | "propertyNames"
        ),
    }
}
