//! One form for the schemas that pydantic, zod, schemars and type hints make of the same types.

use super::inline::{NOTES, inline};
use super::mend::mend_tree;
use super::tree::{Members, Tree};
use super::{LISTS, clash, each_inside, each_reference, wrap_as};
use crate::Json;
use crate::json::{Document, pointer};

/// A schema in the one form that all languages give (AUTH-60 to AUTH-67): without `$schema`, without
/// titles, formats and bounds that only a generator has put there, in exact form. It takes the same
/// values, but for whole numbers that JSON cannot carry safely. Doing it twice changes nothing more.
///
/// ```
/// use toolwire::{Json, schema::tidy};
///
/// let pydantic = Json::new(
///     r#"{"anyOf":[{"type":"integer","format":"int32"},{"type":"null"}],"default":null,"title":"A"}"#,
/// )?;
/// assert_eq!(tidy(&pydantic).as_str(), r#"{"type":["integer","null"]}"#);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn tidy(schema: &Json) -> Json {
    Json::written(whole(schema).to_json())
}

/// The input schema of a tool, tidied, as MCP and models need it (AUTH-68): an object that names its
/// properties, and takes no others unless it says so.
///
/// ```
/// use toolwire::{Json, schema::tidy_input};
///
/// let none = tidy_input(&Json::new("{}")?);
/// assert_eq!(none.as_str(), r#"{"additionalProperties":false,"properties":{},"type":"object"}"#);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn tidy_input(schema: &Json) -> Json {
    let mut root = whole(schema);
    if root.object().is_none() {
        root = Tree::Object(Members::default());
    }
    if let Some(members) = root.object_mut() {
        members.set("type", Tree::text("object"));
        if !OPEN.iter().any(|keyword| members.has(keyword)) {
            members.set("additionalProperties", Tree::flag(false));
        }
        if !members.has("properties") {
            members.set("properties", Tree::Object(Members::default()));
        }
    }
    Json::written(root.to_json())
}

/// The output schema of a tool, tidied, and whether its values are the member `result` of
/// `structuredContent` (AUTH-69): that is so unless the schema is that of an object.
///
/// ```
/// use toolwire::{Json, schema::tidy_output};
///
/// let (schema, wrapped) = tidy_output(&Json::new(r#"{"type":"integer","format":"int32"}"#)?);
/// assert!(wrapped);
/// assert_eq!(
///     schema.as_str(),
///     r#"{"properties":{"result":{"type":"integer"}},"required":["result"],"type":"object"}"#,
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn tidy_output(schema: &Json) -> (Json, bool) {
    let root = whole(schema);
    let object = root
        .object()
        .and_then(|members| members.get("type"))
        .is_some_and(|kind| kind.is("\"object\""));
    let root = if object {
        root
    } else {
        wrap_as(root, "result")
    };
    (Json::written(root.to_json()), !object)
}

/// Keywords beside which `additionalProperties` would forbid what they allow.
const OPEN: [&str; 10] = [
    "additionalProperties",
    "patternProperties",
    "unevaluatedProperties",
    "$ref",
    "$dynamicRef",
    "allOf",
    "anyOf",
    "oneOf",
    "if",
    "dependentSchemas",
];

fn whole(schema: &Json) -> Tree {
    let Ok(document) = Document::new(schema.as_str()) else {
        return Tree::Object(Members::default());
    };
    let mut root = Tree::of(document.root());
    mend_tree(&mut root);
    order_properties(&mut root);
    rename_definitions(&mut root);
    // What one rule changes may be what another one waits for; schemas that a generator makes take two
    // rounds.
    for _ in 0..MOST_ROUNDS {
        let before = root.clone();
        round(&mut root);
        if root == before {
            break;
        }
    }
    root
}

const MOST_ROUNDS: usize = 16;

/// The place of a property among those beside it, where a generator sorts them by name.
const ORDER: &str = "dev.toolwire/order";

/// Puts properties into the order that generators say, and removes what they say.
fn order_properties(schema: &mut Tree) {
    let Some(members) = schema.object_mut() else {
        return;
    };
    each_inside(members, &mut |_, _, inside| order_properties(inside));
    let Some(Tree::Object(properties)) = members.get_mut("properties") else {
        return;
    };
    let mut places = Vec::new();
    for (name, property) in std::mem::take(&mut properties.all) {
        let mut property = property;
        let place = property.object_mut().and_then(|own| own.remove(ORDER));
        let place = match place {
            Some(Tree::Leaf(number)) => number.parse::<u32>().ok(),
            _ => None,
        };
        places.push((place.unwrap_or(u32::MAX), (name, property)));
    }
    places.sort_by_key(|(place, _)| *place);
    properties.all = places.into_iter().map(|(_, property)| property).collect();
}

fn round(root: &mut Tree) {
    if root.is("true") {
        *root = Tree::Object(Members::default());
    }
    if let Some(members) = root.object_mut() {
        members.remove("$schema");
        members.remove("title");
        each_inside(members, &mut |keyword, name, inside| {
            if keyword == "$defs" {
                drop_generated_title(inside, name);
            }
        });
    }
    expand(root);
    inline(root);
    // A reference into a list would lead elsewhere if the list were folded.
    let mut fixed = false;
    each_reference(root, &mut |reference| {
        let text = reference.as_text().unwrap_or_default();
        fixed |= LISTS.iter().any(|list| text.contains(&format!("/{list}/")));
    });
    tidy_schema(root, fixed);
}

/// `definitions` of earlier drafts at the top become `$defs`.
fn rename_definitions(root: &mut Tree) {
    let Some(members) = root.object_mut() else {
        return;
    };
    if members.has("$defs") {
        return;
    }
    let Some(definitions) = members.remove("definitions") else {
        return;
    };
    members.set("$defs", definitions);
    each_reference(root, &mut |reference| {
        let text = reference.as_text().unwrap_or_default();
        if let Some(rest) = behind(&text, "#/definitions") {
            *reference = Tree::text(&format!("#/$defs{rest}"));
        }
    });
}

/// What follows a beginning of a reference, if that ends a step of its pointer.
fn behind<'a>(reference: &'a str, start: &str) -> Option<&'a str> {
    let rest = reference.strip_prefix(start)?;
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

/// A root that is nothing but a reference to a definition becomes that definition, and references to it
/// refer to the root.
fn expand(root: &mut Tree) {
    while let Some(start) = expand_once(root) {
        each_reference(root, &mut |reference| {
            let text = reference.as_text().unwrap_or_default();
            if let Some(rest) = behind(&text, &start) {
                *reference = Tree::text(&format!("#{rest}"));
            }
        });
    }
}

/// The reference that was followed. Each time there is one definition less, so that this ends.
fn expand_once(root: &mut Tree) -> Option<String> {
    let members = root.object_mut()?;
    let alone = |(name, _): &(String, Tree)| {
        ["$ref", "$defs", "$schema"].contains(&name.as_str()) || NOTES.contains(&name.as_str())
    };
    let reference = members.text("$ref")?;
    let name = reference.strip_prefix("#/$defs/")?;
    let name = pointer::unescape(name);
    if !members.all.iter().all(alone) {
        return None;
    }
    let (_, definitions) = members.all.iter_mut().find(|(name, _)| name == "$defs")?;
    let definitions = definitions.object_mut()?;
    let target = definitions.get(&name)?.object()?.clone();
    if ["$id", "$defs"].iter().any(|keyword| target.has(keyword)) {
        return None;
    }
    definitions.remove(&name);
    if definitions.all.is_empty() {
        members.remove("$defs");
    }
    members.remove("$ref");
    for (keyword, value) in target.all {
        if !members.has(&keyword) {
            members.set(&keyword, value);
        }
    }
    Some(reference)
}

fn tidy_schema(schema: &mut Tree, fixed: bool) {
    let Some(members) = schema.object_mut() else {
        return;
    };
    each_inside(members, &mut |keyword, name, inside| {
        if keyword == "properties" {
            drop_generated_title(inside, name);
        }
        if keyword != "additionalProperties" && inside.is("true") {
            *inside = Tree::Object(Members::default());
        }
        tidy_schema(inside, fixed);
    });
    for keyword in ["title", "description"] {
        if let Some(text) = members.text(keyword) {
            members.set(keyword, Tree::text(text.trim()));
        }
    }
    if !fixed {
        fold_all_of(members);
        fold_null(members);
    }
    tidy_type(members);
    if members.get("default").is_some_and(|d| d.is("null")) {
        members.remove("default");
    }
    let format = members.text("format");
    if format.is_some_and(|format| NUMBER_FORMATS.contains(&format.as_str())) {
        members.remove("format");
    }
    for (keyword, bound) in [
        ("minimum", "-9007199254740991"),
        ("maximum", "9007199254740991"),
    ] {
        if members.get(keyword).is_some_and(|b| b.is(bound)) {
            members.remove(keyword);
        }
    }
    if let Some(other) = members.get("additionalProperties")
        && other.object().is_some_and(|other| other.all.is_empty())
    {
        members.set("additionalProperties", Tree::flag(true));
    }
    let names = members.get("propertyNames").and_then(Tree::object);
    if names
        .is_some_and(|m| matches!(m.all.as_slice(), [(k, v)] if k == "type" && v.is("\"string\"")))
    {
        members.remove("propertyNames");
    }
    members.remove("discriminator");
    tidy_required(members);
}

fn drop_generated_title(schema: &mut Tree, name: Option<&str>) {
    if let (Some(name), Some(members)) = (name, schema.object_mut()) {
        let title = members.text("title");
        if title.is_some_and(|title| is_generated(&title, name)) {
            members.remove("title");
        }
    }
}

/// Formats that tell how a language keeps a number.
const NUMBER_FORMATS: [&str; 14] = [
    "int8", "int16", "int32", "int64", "int128", "int", "uint8", "uint16", "uint32", "uint64",
    "uint128", "uint", "float", "double",
];

/// Whether a title says no more than the name beside it: the name itself, or in title case, as pydantic
/// writes it.
fn is_generated(title: &str, name: &str) -> bool {
    let mut cased = String::new();
    let mut inside = false;
    for c in name.chars() {
        if inside {
            cased.extend(c.to_lowercase());
        } else {
            cased.extend(c.to_uppercase());
        }
        inside = c.is_alphabetic();
    }
    title == name || title == cased.replace('_', " ").trim()
}

/// `allOf` with one element, of which nothing stands beside it too, is that element.
fn fold_all_of(members: &mut Members) {
    let Some([Tree::Object(one)]) = members.get("allOf").and_then(Tree::array) else {
        return;
    };
    let one = one.clone();
    if one.has("$id")
        || one
            .all
            .iter()
            .any(|(keyword, _)| clash(keyword, members, &one))
    {
        return;
    }
    members.remove("allOf");
    members.all.extend(one.all);
}

/// A schema or null is one schema with two types.
fn fold_null(members: &mut Members) {
    for keyword in ["anyOf", "oneOf"] {
        let Some([first, second]) = members.get(keyword).and_then(Tree::array) else {
            continue;
        };
        let is_null = |tree: &Tree| {
            tree.object().is_some_and(
                |m| matches!(m.all.as_slice(), [(k, v)] if k == "type" && v.is("\"null\"")),
            )
        };
        let other = match (is_null(first), is_null(second)) {
            (false, true) => first,
            (true, false) => second,
            _ => continue,
        };
        let Some(mut other) = other.object().cloned() else {
            continue;
        };
        let Some(kind) = other.text("type").filter(|kind| kind != "null") else {
            continue;
        };
        let odd = |(own, _): &(String, Tree)| {
            clash(own, members, &other) || !own.starts_with("x-") && !PLAIN.contains(&own.as_str())
        };
        if other.all.iter().any(odd) {
            continue;
        }
        other.set(
            "type",
            Tree::Array(vec![Tree::text(&kind), Tree::text("null")]),
        );
        if let Some((_, Tree::Array(values))) = other.all.iter_mut().find(|(k, _)| k == "enum") {
            let null = Tree::Leaf("null".to_owned());
            if !values.contains(&null) {
                values.push(null);
            }
        }
        members.remove(keyword);
        members.all.extend(other.all);
        return;
    }
}

/// Keywords that mean the same beside a second type `null`; `enum` gets null as a value.
const PLAIN: [&str; 28] = [
    "type",
    "enum",
    "title",
    "description",
    "examples",
    "deprecated",
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "contentEncoding",
    "contentMediaType",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "uniqueItems",
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "minProperties",
    "maxProperties",
];

/// Several types stand in the order of the alphabet, null last; one type stands alone.
fn tidy_type(members: &mut Members) {
    let Some(Tree::Array(kinds)) = members.get("type") else {
        return;
    };
    let mut kinds = kinds.clone();
    kinds.sort_by_key(|kind| (kind.is("\"null\""), kind.to_json()));
    kinds.dedup();
    match kinds.as_slice() {
        [] => {}
        [one] => members.set("type", one.clone()),
        _ => members.set("type", Tree::Array(kinds)),
    }
}

/// Required names stand in the order of the canonical form, in which properties stand too.
fn tidy_required(members: &mut Members) {
    let Some(Tree::Array(names)) = members.get("required") else {
        return;
    };
    let mut names = names.clone();
    let properties = members.get("properties").and_then(Tree::object);
    names.sort_by_cached_key(|name| {
        let name = name.as_text().unwrap_or_default();
        let mut declared = properties
            .into_iter()
            .flat_map(|properties| &properties.all);
        let place = declared.position(|(own, _)| *own == name);
        (
            place.unwrap_or(usize::MAX),
            name.encode_utf16().collect::<Vec<u16>>(),
        )
    });
    names.dedup();
    if names.is_empty() {
        members.remove("required");
    } else {
        members.set("required", Tree::Array(names));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What it makes of schemas that must not be changed in meaning, and that a second time changes
    /// nothing.
    #[test]
    fn what_would_change_the_meaning_is_left() {
        for schema in [
            r#"{"allOf":[{"additionalProperties":false}],"properties":{"a":{}}}"#,
            r#"{"additionalProperties":false,"allOf":[{"properties":{"a":{}}}]}"#,
            r#"{"anyOf":[{"items":{},"type":"array"},{"type":"null"}],"prefixItems":[{}]}"#,
            r#"{"anyOf":[{"const":"a","type":"string"},{"type":"null"}]}"#,
            r##"{"anyOf":[{"$ref":"#/$defs/A"},{"type":"null"}]}"##,
            r##"{"$ref":"#/$defs/A","minProperties":2,"$defs":{"A":{"minProperties":1}}}"##,
            r#"{"properties":{"default":{"type":"null"},"title":{"type":"string"}}}"#,
            r#"{"default":{"default":null,"title":"a"},"examples":[{"$schema":"x"}]}"#,
            r##"{"anyOf":[{"type":"string"},{"type":"null"}],"items":{"$ref":"#/anyOf/0"}}"##,
        ] {
            let given = Json::new(schema).unwrap();
            assert_eq!(tidy(&given), given, "{schema}");
        }
    }

    #[test]
    fn references_follow_their_targets() {
        let recursive = Json::new(
            r##"{"$ref":"#/$defs/Node","$defs":{"Node":{"title":"Node","type":"object","properties":
                {"next":{"$ref":"#/$defs/Node"}}}}}"##,
        );
        assert_eq!(
            tidy(&recursive.unwrap()).as_str(),
            r##"{"properties":{"next":{"$ref":"#"}},"type":"object"}"##,
        );
        let list = Json::new(r##"{"type":"array","items":{"$ref":"#"}}"##).unwrap();
        assert_eq!(
            tidy_output(&list).0.as_str(),
            r##"{"properties":{"result":{"items":{"$ref":"#/properties/result"},"type":"array"}},"required":["result"],"type":"object"}"##,
        );
        let circle = Json::new(
            r##"{"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/B"},"B":{"$ref":"#/$defs/A"}}}"##,
        );
        assert_eq!(tidy(&circle.unwrap()).as_str(), r##"{"$ref":"#"}"##);
    }

    #[test]
    fn definitions_are_put_in_place_as_long_as_that_ends() {
        let tidied = |text: &str| tidy(&Json::new(text).unwrap()).as_str().to_owned();
        assert_eq!(
            tidied(
                r##"{"$defs":{"Color":{"enum":["red"],"title":"Color","type":"string"}},
                    "properties":{"a":{"$ref":"#/$defs/Color","description":"First"},
                    "b":{"anyOf":[{"$ref":"#/$defs/Color"},{"type":"null"}],"default":null}}}"##
            ),
            r#"{"properties":{"a":{"description":"First","enum":["red"],"type":"string"},"b":{"enum":["red",null],"type":["string","null"]}}}"#,
        );
        let circular =
            r##"{"$defs":{"A":{"items":{"$ref":"#/$defs/A"}}},"items":{"$ref":"#/$defs/A"}}"##;
        assert_eq!(tidied(circular), circular);
        let mut doubling = String::from(r#"{"$defs":{"A0":{}"#);
        for n in 1..30 {
            let inner = format!(r##"{{"$ref":"#/$defs/A{}"}}"##, n - 1);
            doubling.push_str(&format!(r#","A{n}":{{"prefixItems":[{inner},{inner}]}}"#));
        }
        doubling.push_str(r##"},"items":{"$ref":"#/$defs/A29"}}"##);
        assert_eq!(tidied(&doubling), tidied(&tidied(&doubling)));
        assert!(tidied(&doubling).contains("A15"));
    }

    #[test]
    fn generated_titles_are_known() {
        for (title, name) in [
            ("Max Items", "max_items"),
            ("Maxitems", "maxItems"),
            ("A1B", "a1b"),
            ("Node", "Node"),
            ("path", "path"),
        ] {
            assert!(is_generated(title, name), "{title}");
        }
        assert!(!is_generated("Where to", "to"));
    }
}
