//! What a provider of models would reject of a tool's schema (Q-79).

use std::collections::{BTreeMap, BTreeSet};

use super::project::resolve;
use super::provider::{MOST_OBJECTS, Provider};
use super::tree::{Members, Tree};
use super::{LISTS, MAPS, SINGLE};
use crate::json::{Document, pointer};
use crate::{Code, Diagnostic, Error, Json};

/// So many findings are told.
const MOST: usize = 100;

/// So many values are looked at, to see whether references lead back to themselves; a schema of which that can't be
/// seen is not reported.
const MOST_VALUES: usize = 1_000_000;

/// What OpenAI takes of a schema with `strict`: properties, values of enumerations, and characters of names and
/// values.
const OPENAI: [usize; 3] = [5_000, 1_000, 120_000];

/// How many properties that can be left out, and how many unions, Anthropic takes with `strict`.
const ANTHROPIC: [usize; 2] = [24, 16];

/// Finds what a provider of models would reject of the schema of a tool's arguments: `schema_refused` at each place,
/// at most 100. If there is nothing, the provider takes it.
///
/// What a provider asks of all tools of a request together is not known here.
///
/// ```
/// use toolwire::Json;
/// use toolwire::schema::{Provider, lint_schema, project};
///
/// let schema = Json::new(r#"{"type":"object","oneOf":[{"required":["a"]},{"required":["b"]}]}"#)?;
/// let found = lint_schema(&schema, Provider::Anthropic);
/// assert_eq!(found[0].pointer, "/oneOf");
///
/// let projection = project(&schema, Provider::Anthropic);
/// assert!(lint_schema(&projection.schema, Provider::Anthropic).is_empty());
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn lint_schema(schema: &Json, provider: Provider) -> Vec<Diagnostic> {
    let Ok(document) = Document::new(schema.as_str()) else {
        return Vec::new();
    };
    let root = Tree::of(document.root());
    let mut lint = Lint {
        root: &root,
        definitions: definitions(&root),
        provider,
        found: Vec::new(),
        properties: 0,
        values: 0,
        characters: 0,
        optional: 0,
        unions: 0,
        left: MOST_VALUES,
    };
    lint.root();
    lint.schema(&root, "", 0);
    lint.sizes();
    lint.found.truncate(MOST);
    lint.found
}

struct Lint<'a> {
    root: &'a Tree,
    /// What `$defs` has, by its names as they stand in references.
    definitions: BTreeMap<String, &'a Tree>,
    provider: Provider,
    found: Vec<Diagnostic>,
    properties: usize,
    values: usize,
    characters: usize,
    optional: usize,
    unions: usize,
    /// How many values more are looked at for references.
    left: usize,
}

impl<'a> Lint<'a> {
    fn refuse(&mut self, pointer: String, why: &str) {
        // One more than is told, for the walk to end.
        let told = !pointer.is_empty() && self.found.iter().any(|found| found.pointer == pointer);
        if !told && self.found.len() <= MOST {
            let message = format!("`{}` {why}", self.provider);
            let error = Error::new(Code::SchemaRefused, pointer, None, message);
            self.found.extend(error.diagnostics().iter().cloned());
        }
    }

    fn root(&mut self) {
        let Some(members) = self.root.object() else {
            return self.refuse(String::new(), "takes only an object schema");
        };
        if !members
            .get("type")
            .is_some_and(|kind| kind.is("\"object\""))
        {
            self.refuse(
                "/type".to_owned(),
                "takes only the type `object` at the root",
            );
        }
        let mut refused = vec!["oneOf", "anyOf", "allOf"];
        if self.provider.is_openai() {
            refused.extend(["enum", "const", "not"]);
        }
        for keyword in refused {
            if members.has(keyword) {
                self.refuse(
                    format!("/{keyword}"),
                    &format!("takes no `{keyword}` at the root"),
                );
            }
        }
        if self.found.is_empty() && self.provider.is_openai() && !members.has("properties") {
            let why = "wants `properties` in the schema of an object, even if there are none";
            self.refuse("/properties".to_owned(), why);
        }
        for (name, _) in properties(members) {
            if !self.provider.takes_name(name) {
                let place = pointer::join("/properties", name);
                self.refuse(place, "takes only short names of plain letters at the root");
            }
        }
    }

    fn schema(&mut self, schema: &'a Tree, place: &str, objects: usize) {
        if self.found.len() > MOST {
            return;
        }
        let Some(members) = schema.object() else {
            let is_bool = schema.is("true") || schema.is("false");
            match is_bool {
                true if self.provider.is_free() => {}
                true => self.refuse(place.to_owned(), "takes no schema that is true or false"),
                false => self.refuse(place.to_owned(), "wants a schema here, which is an object"),
            }
            return;
        };
        self.shapes(members, place);
        let kinds = kinds(members);
        let is = |kind: &str| kinds.iter().any(|own| own == kind);
        if self.provider.is_openai() && is("array") && !members.has("items") {
            self.refuse(
                format!("{place}/items"),
                "wants `items` in the schema of an array",
            );
        }
        let mut objects = objects;
        if !self.provider.is_free() {
            let object = is("object") || kinds.is_empty() && members.has("properties");
            if object {
                objects += 1;
                self.object(members, place);
            }
            if self.provider == Provider::OpenAiStrict && object && objects > MOST_OBJECTS {
                let why = format!("takes at most {MOST_OBJECTS} objects in one another");
                self.refuse(place.to_owned(), &why);
                return;
            }
            self.keywords(members, place);
            self.kinds(members, &kinds, place);
            self.reference(members, place);
            self.count(members, &kinds);
        }
        for (keyword, value) in &members.all {
            if MAPS.contains(&keyword.as_str()) {
                for (name, inside) in value.object().into_iter().flat_map(|all| &all.all) {
                    let place = pointer::join(&format!("{place}/{keyword}"), name);
                    self.schema(inside, &place, objects);
                }
            } else if LISTS.contains(&keyword.as_str()) {
                for (index, inside) in value.array().unwrap_or_default().iter().enumerate() {
                    self.schema(inside, &format!("{place}/{keyword}/{index}"), objects);
                }
            } else if SINGLE.contains(&keyword.as_str()) && keyword != "additionalProperties" {
                self.schema(value, &format!("{place}/{keyword}"), objects);
            }
        }
    }

    /// What no provider takes: values that are no JSON Schema of 2020-12.
    fn shapes(&mut self, members: &Members, place: &str) {
        for (keyword, value) in &members.all {
            let wants = match keyword.as_str() {
                keyword if MAPS.contains(&keyword) && value.object().is_none() => "an object",
                keyword if LISTS.contains(&keyword) && value.array().is_none() => {
                    "a list of schemas"
                }
                keyword if SINGLE.contains(&keyword) && value.array().is_some() => "one schema",
                "required" if !is_names(value) => "a list of names",
                _ => continue,
            };
            let why = format!("wants {wants} in `{keyword}`");
            self.refuse(pointer::join(place, keyword), &why);
        }
    }

    fn object(&mut self, members: &Members, place: &str) {
        let closed = members.get("additionalProperties");
        if self.provider.closes() && !closed.is_some_and(|closed| closed.is("false")) {
            let place = format!("{place}/additionalProperties");
            self.refuse(place, "wants `additionalProperties` false in each object");
        }
        let required = members.get("required").and_then(Tree::array);
        let required: BTreeSet<String> = required
            .unwrap_or_default()
            .iter()
            .filter_map(Tree::as_text)
            .collect();
        let names: BTreeSet<&str> = properties(members).map(|(name, _)| name).collect();
        let left_out = names.iter().filter(|name| !required.contains(**name));
        let left_out = left_out.count();
        self.optional += left_out;
        if self.provider.requires_all() && left_out > 0 {
            let place = format!("{place}/required");
            self.refuse(place, "wants all properties in `required`");
        }
        if required.iter().any(|name| !names.contains(name.as_str())) {
            let place = format!("{place}/required");
            self.refuse(place, "takes only names of properties in `required`");
        }
    }

    fn keywords(&mut self, members: &Members, place: &str) {
        for (keyword, value) in &members.all {
            if !self.provider.takes(keyword, value) {
                let place = pointer::join(place, keyword);
                self.refuse(place, &format!("takes no such `{keyword}`"));
            }
        }
    }

    fn kinds(&mut self, members: &Members, kinds: &[String], place: &str) {
        let google = self.provider == Provider::Google;
        let other = ["enum", "const", "anyOf", "allOf", "oneOf", "$ref"];
        let other = other.iter().any(|keyword| members.has(keyword));
        if kinds.is_empty() && (!other || google && !members.has("anyOf")) {
            self.refuse(format!("{place}/type"), "wants a type");
        }
        if !google {
            return;
        }
        if matches!(members.get("type"), Some(Tree::Array(_))) {
            self.refuse(
                format!("{place}/type"),
                "takes one type, and `nullable` beside it",
            );
        } else if kinds.iter().any(|kind| kind == "null") {
            self.refuse(
                format!("{place}/type"),
                "takes `nullable` instead of the type `null`",
            );
        }
        if members.has("anyOf") && members.all.len() > 1 {
            self.refuse(format!("{place}/anyOf"), "takes `anyOf` only alone");
        }
        let values = members.get("enum").and_then(Tree::array);
        let texts = values.is_some_and(|all| all.iter().all(|value| value.as_text().is_some()));
        if members.has("enum") && !(texts && kinds == ["string"]) {
            self.refuse(format!("{place}/enum"), "takes `enum` only of strings");
        }
        if kinds == ["array"] && !members.has("items") {
            self.refuse(
                format!("{place}/items"),
                "wants `items` in the schema of an array",
            );
        }
    }

    fn reference(&mut self, members: &Members, place: &str) {
        let Some(reference) = members.text("$ref") else {
            return;
        };
        let place = format!("{place}/$ref");
        if self.target(&reference).is_none() {
            self.refuse(place, "takes only references to places in the schema");
        } else if members.all.len() > 1 && self.provider != Provider::AnthropicStrict {
            self.refuse(place, "takes `$ref` only alone");
        } else if !self.provider.recurses() && self.leads_back(&reference) {
            self.refuse(place, "takes no schema that refers back to itself");
        }
    }

    fn target(&self, reference: &str) -> Option<&'a Tree> {
        let known = self.definitions.get(reference).copied();
        known.or_else(|| resolve(self.root, reference))
    }

    /// Whether what a reference leads to refers to it again.
    fn leads_back(&mut self, start: &str) -> bool {
        let mut seen = BTreeSet::new();
        let mut next = vec![start.to_owned()];
        while let Some(reference) = next.pop() {
            let Some(target) = self.target(&reference) else {
                continue;
            };
            let mut inside = Vec::new();
            references(target, &mut inside, &mut self.left);
            // What stands around a reference refers to it, too.
            let around = |other: &String| {
                start
                    .strip_prefix(other.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            if inside.iter().any(around) {
                return true;
            }
            for other in inside {
                if seen.insert(other.clone()) {
                    next.push(other);
                }
            }
        }
        false
    }

    fn count(&mut self, members: &Members, kinds: &[String]) {
        let mut sized = |text: &str| self.characters += text.chars().count();
        for (name, _) in properties(members) {
            self.properties += 1;
            sized(name);
        }
        let definitions = ["$defs", "definitions"].map(|keyword| members.get(keyword));
        for all in definitions.into_iter().flatten().filter_map(Tree::object) {
            all.all.iter().for_each(|(name, _)| sized(name));
        }
        let values = members
            .get("enum")
            .and_then(Tree::array)
            .unwrap_or_default();
        self.values += values.len();
        let constant = members.get("const");
        for value in values.iter().chain(constant).filter_map(Tree::as_text) {
            sized(&value);
        }
        let union = members.has("anyOf") || kinds.len() > 1;
        self.unions += usize::from(union);
    }

    fn sizes(&mut self) {
        let found = [self.properties, self.values, self.characters];
        let words = [
            "properties",
            "values in `enum`",
            "characters of names and values",
        ];
        let openai = self.provider == Provider::OpenAiStrict;
        for ((found, most), what) in found.into_iter().zip(OPENAI).zip(words) {
            if openai && found > most {
                let why = format!("takes at most {most} {what}, not {found}");
                self.refuse(String::new(), &why);
            }
        }
        let found = [self.optional, self.unions];
        let words = ["properties that can be left out", "unions of types"];
        let anthropic = self.provider == Provider::AnthropicStrict;
        for ((found, most), what) in found.into_iter().zip(ANTHROPIC).zip(words) {
            if anthropic && found > most {
                let why = format!("takes at most {most} {what}, not {found}");
                self.refuse(String::new(), &why);
            }
        }
    }
}

fn definitions(root: &Tree) -> BTreeMap<String, &Tree> {
    let all = root.object().and_then(|root| root.get("$defs"));
    let all = all
        .and_then(Tree::object)
        .into_iter()
        .flat_map(|all| &all.all);
    all.map(|(name, schema)| (pointer::join("#/$defs", name), schema))
        .collect()
}

fn properties(members: &Members) -> impl Iterator<Item = (&str, &Tree)> {
    let all = members.get("properties").and_then(Tree::object);
    let all = all.into_iter().flat_map(|all| &all.all);
    all.map(|(name, schema)| (name.as_str(), schema))
}

fn kinds(members: &Members) -> Vec<String> {
    match members.get("type") {
        Some(Tree::Array(kinds)) => kinds.iter().filter_map(Tree::as_text).collect(),
        Some(kind) => kind.as_text().into_iter().collect(),
        None => Vec::new(),
    }
}

/// All references in a schema, as far as values are left to look at.
fn references(schema: &Tree, found: &mut Vec<String>, left: &mut usize) {
    *left = left.saturating_sub(1);
    if *left == 0 {
        return;
    }
    match schema {
        Tree::Object(members) => {
            found.extend(members.text("$ref"));
            members
                .all
                .iter()
                .for_each(|(_, inside)| references(inside, found, left));
        }
        Tree::Array(all) => all
            .iter()
            .for_each(|inside| references(inside, found, left)),
        Tree::Leaf(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::project;

    const SCHEMAS: [&str; 16] = [
        "true",
        "{}",
        r#"{"type":"object"}"#,
        r#"{"type":["object","null"],"properties":{"a":{"type":["string","integer","null"],"maxLength":3,"minimum":1,"description":"A"}}}"#,
        r#"{"type":"object","properties":{"a b":{"type":"integer"}},"required":["c"],"additionalProperties":true}"#,
        r#"{"type":"object","oneOf":[{"properties":{"a":{"const":1}},"required":["a"]},{"type":"object","properties":{"b":{"enum":["x",null]}}}]}"#,
        r##"{"type":"object","oneOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],"$defs":{"A":{"type":"object"},"B":{"properties":{"b":{}}}}}"##,
        r##"{"type":"object","properties":{"next":{"$ref":"#"},"all":{"type":"array","items":{"$ref":"#/properties/all"}}}}"##,
        r#"{"anyOf":[{"type":"string","pattern":"^a(?=b)"},{"anyOf":[{"type":"null"},{"type":"number","multipleOf":2}]}],"description":"D","title":"T"}"#,
        r#"{"enum":[1,"a",null,true]}"#,
        r#"{"enum":["a","b",null],"description":"E"}"#,
        r#"{"oneOf":[{"const":1,"title":"one"},{"const":2}]}"#,
        r#"{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"minItems":2,"uniqueItems":true}"#,
        r#"{"type":"object","properties":{"a":{"type":"string","format":"uri","minLength":1,"default":"x","examples":["y"]},"b":{"type":"string","format":"date-time"}}}"#,
        r#"{"type":"object","properties":{"a":{"type":"array"},"b":{"type":["array","string"]},"c":{"type":"null"},"d":{"anyOf":[{"type":"null"}]}}}"#,
        r#"{"allOf":[{"type":"object","properties":{"a":{"type":"boolean"}}},{"required":["a"]}],"if":{},"then":{"not":{}}}"#,
    ];

    #[test]
    fn each_provider_takes_its_projection() {
        let mut deep = r#"{"type":"string"}"#.to_owned();
        for _ in 0..30 {
            deep = format!(r#"{{"type":"object","properties":{{"in":{deep}}},"required":["in"]}}"#);
        }
        for provider in Provider::ALL {
            for schema in SCHEMAS.into_iter().chain([deep.as_str()]) {
                let schema = Json::new(schema).unwrap();
                let projected = project(&schema, *provider).schema;
                let found = lint_schema(&projected, *provider);
                assert_eq!(found, [], "{provider}: {schema} became {projected}");
            }
        }
    }

    #[test]
    fn what_is_taken_is_not_what_another_provider_takes() {
        let found = |schema: &str, provider| -> Vec<String> {
            let found = lint_schema(&Json::new(schema).unwrap(), provider);
            found.into_iter().map(|found| found.pointer).collect()
        };
        let schema = r#"{"type":"object","properties":{"a":{"type":["string","null"],"minLength":1}},"required":["a"],"additionalProperties":false}"#;
        let none: [&str; 0] = [];
        assert_eq!(found(schema, Provider::OpenAi), none);
        assert_eq!(found(schema, Provider::Anthropic), none);
        assert_eq!(
            found(schema, Provider::OpenAiStrict),
            ["/properties/a/minLength"]
        );
        assert_eq!(
            found(schema, Provider::Google),
            ["/additionalProperties", "/properties/a/type"]
        );
    }
}

fn is_names(value: &Tree) -> bool {
    let names = value.array();
    names.is_some_and(|names| names.iter().all(|name| name.as_text().is_some()))
}
