//! One form for the schemas that pydantic, zod, schemars and type hints make of the same types.

use super::inline::{NOTES, inline};
use super::mend::mend_tree;
use super::tree::{Members, Tree};
use super::{LISTS, OF_TYPE, clash, each_inside, each_reference, wrap_as};
use crate::Json;
use crate::base::json::pointer;

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
        root = Tree::from([]);
    }
    if let Some(members) = root.object_mut() {
        members.set("type", Tree::text("object"));
        if !OPEN.iter().any(|keyword| members.has(keyword)) {
            members.set("additionalProperties", Tree::flag(false));
        }
        if !members.has("properties") {
            members.set("properties", Tree::from([]));
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
    let wrapped = !root.has_type("object");
    let root = match wrapped {
        true => wrap_as(root, "result"),
        false => root,
    };
    (Json::written(root.to_json()), wrapped)
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
    let mut root = Tree::read(schema);
    mend_tree(&mut root);
    order_properties(&mut root);
    rename_definitions(&mut root);
    // What one rule changes may be what another one waits for; schemas that a generator makes take two
    // rounds.
    for _ in 0..MAX_ROUNDS {
        let before = root.clone();
        round(&mut root);
        if root == before {
            break;
        }
    }
    root
}

const MAX_ROUNDS: usize = 16;

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
        *root = Tree::from([]);
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
    redirect(root, "#/definitions", "#/$defs");
}

/// Lets the references that begin with `start`, at the end of a step, begin with `place` instead.
fn redirect(root: &mut Tree, start: &str, place: &str) {
    each_reference(root, &mut |reference| {
        let text = reference.as_text().unwrap_or_default();
        if pointer::holds(start, &text) {
            *reference = Tree::text(&format!("{place}{}", &text[start.len()..]));
        }
    });
}

/// A root that is nothing but a reference to a definition becomes that definition, and references to it
/// refer to the root.
fn expand(root: &mut Tree) {
    while let Some(start) = expand_once(root) {
        redirect(root, &start, "#");
    }
}

/// The reference that was followed. Each time there is one definition less, so that this ends.
fn expand_once(root: &mut Tree) -> Option<String> {
    let members = root.object_mut()?;
    let alone = |(name, _): &(String, Tree)| {
        ["$ref", "$defs", "$schema"].contains(&name.as_str()) || NOTES.contains(&name.as_str())
    };
    let reference = members.text("$ref")?;
    let name = pointer::unescape(reference.strip_prefix("#/$defs/")?);
    if !members.all.iter().all(alone) {
        return None;
    }
    let definitions = members.get_mut("$defs")?.object_mut()?;
    let target = definitions.get(&name)?.object()?.clone();
    if ["$id", "$defs"].iter().any(|keyword| target.has(keyword)) {
        return None;
    }
    definitions.remove(&name);
    if definitions.all.is_empty() {
        members.remove("$defs");
    }
    members.remove("$ref");
    members.fill(target);
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
            *inside = Tree::from([]);
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
    if let Some(Tree::Array(kinds)) = members.get("type") {
        members.set_types(kinds.clone());
    }
    let number = members.text("format");
    let number = number.is_some_and(|format| NUMBER_FORMATS.contains(&format.as_str()));
    // What says nothing, by keyword.
    let nothing = |(keyword, value): &(String, Tree)| match keyword.as_str() {
        "default" => value.is("null"),
        "format" => number,
        "minimum" => value.is("-9007199254740991"),
        "maximum" => value.is("9007199254740991"),
        "propertyNames" => *value == just("string"),
        "discriminator" => true,
        _ => false,
    };
    members.all.retain(|member| !nothing(member));
    if let Some(other) = members.get_mut("additionalProperties")
        && *other == Tree::from([])
    {
        *other = Tree::flag(true);
    }
    tidy_required(members);
}

/// A schema that only names a type.
fn just(kind: &str) -> Tree {
    Tree::from([("type", Tree::text(kind))])
}

fn drop_generated_title(schema: &mut Tree, name: &str) {
    let title = schema.object().and_then(|members| members.text("title"));
    if let (Some(title), Some(members)) = (title, schema.object_mut())
        && is_generated(&title, name)
    {
        members.remove("title");
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
    let [Tree::Object(one)] = members.list("allOf") else {
        return;
    };
    let one = one.clone();
    let outer = |keyword: &str| members.has(keyword);
    let mut keywords = one.all.iter();
    if one.has("$id") || keywords.any(|(keyword, _)| clash(keyword, &outer, &one)) {
        return;
    }
    members.remove("allOf");
    members.all.extend(one.all);
}

/// A schema or null is one schema with two types.
fn fold_null(members: &mut Members) {
    for keyword in ["anyOf", "oneOf"] {
        let other = match members.list(keyword) {
            [other, null] | [null, other] if *null == just("null") => other,
            _ => continue,
        };
        let Some(mut other) = other.object().cloned() else {
            continue;
        };
        let Some(kind) = other.text("type").filter(|kind| kind != "null") else {
            continue;
        };
        let outer = |keyword: &str| members.has(keyword);
        let odd = |(own, _): &(String, Tree)| {
            let mut plain = OF_TYPE
                .iter()
                .flat_map(|(_, keywords)| *keywords)
                .chain(&PLAIN);
            let moves = own.starts_with("x-") || plain.any(|plain| plain == own);
            !moves || clash(own, &outer, &other)
        };
        if other.all.iter().any(odd) {
            continue;
        }
        other.set_types(vec![Tree::text(&kind), Tree::text("null")]);
        if let Some(Tree::Array(values)) = other.get_mut("enum")
            && !values.contains(&Tree::null())
        {
            values.push(Tree::null());
        }
        members.remove(keyword);
        members.all.extend(other.all);
        return;
    }
}

/// Keywords that mean the same beside a second type `null`, as those of one type do; `enum` gets null as a value.
const PLAIN: [&str; 9] = [
    "type",
    "enum",
    "title",
    "description",
    "examples",
    "deprecated",
    "contentEncoding",
    "contentMediaType",
    "uniqueItems",
];

/// Required names stand in the order of the properties, and names of none behind.
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
        let units: Vec<u16> = name.encode_utf16().collect();
        (place.unwrap_or(usize::MAX), units)
    });
    names.dedup();
    match names.is_empty() {
        true => drop(members.remove("required")),
        false => members.set("required", Tree::Array(names)),
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
