//! What a provider of models would reject of a tool's schema (Q-79).

use std::collections::BTreeSet;

use super::project::{Loss, project, resolve};
use super::provider::{MAX_OBJECTS, Provider};
use super::tree::{Members, Tree};
use super::{LISTS, MAPS, SINGLE, each_inside, place_inside};
use crate::base::json::pointer;
use crate::{Code, Diagnostic, Error, Json};

/// Maximum number of findings.
const MAX_FINDINGS: usize = 100;

/// Maximum sizes of a whole schema, in the order in which they are counted.
const MAX_SIZES: [(Provider, usize, &str); 5] = [
    (Provider::OpenAiStrict, 5_000, "properties"),
    (Provider::OpenAiStrict, 1_000, "values in `enum`"),
    (
        Provider::OpenAiStrict,
        120_000,
        "characters of names and values",
    ),
    (
        Provider::AnthropicStrict,
        24,
        "properties that can be left out",
    ),
    (Provider::AnthropicStrict, 16, "unions of types"),
];

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
    let mut lint = Lint {
        provider,
        found: Vec::new(),
        sizes: [0; 5],
    };
    let mut root = Tree::read(schema);
    lint.root(&root);
    lint.schema(&mut root, "", 0);
    if !provider.is_free() {
        let losses = project(schema, provider).losses.into_iter();
        // The projection is that of a mended schema, which may have references of its own.
        let is_given = |loss: &Loss| resolve(&root, &format!("#{}", loss.pointer)).is_some();
        for loss in losses.filter(|loss| loss.what == "$ref" && is_given(loss)) {
            let why = "takes no reference that leads nowhere or back to itself";
            lint.refuse(loss.pointer, why);
        }
    }
    for (found, (of, maximum, what)) in lint.sizes.into_iter().zip(MAX_SIZES) {
        if of == provider && found > maximum {
            lint.refuse(
                String::new(),
                &format!("takes at most {maximum} {what}, not {found}"),
            );
        }
    }
    lint.found.truncate(MAX_FINDINGS);
    lint.found
}

struct Lint {
    provider: Provider,
    found: Vec<Diagnostic>,
    sizes: [usize; 5],
}

impl Lint {
    fn refuse(&mut self, pointer: String, why: &str) {
        // One more than is reported, for the walk to end.
        let known = !pointer.is_empty() && self.found.iter().any(|found| found.pointer == pointer);
        if !known && self.found.len() <= MAX_FINDINGS {
            let message = format!("`{}` {why}", self.provider);
            let error = Error::new(Code::SchemaRefused, pointer, None, message);
            self.found.extend(error.diagnostics().iter().cloned());
        }
    }

    fn root(&mut self, root: &Tree) {
        let Some(members) = root.object() else {
            return self.refuse(String::new(), "takes only an object schema");
        };
        if !root.has_type("object") {
            let why = "takes only the type `object` at the root";
            self.refuse("/type".to_owned(), why);
        }
        let refused = self.provider.refused_at_root().iter();
        for keyword in refused.filter(|keyword| members.has(keyword)) {
            let why = format!("takes no `{keyword}` at the root");
            self.refuse(format!("/{keyword}"), &why);
        }
        if self.found.is_empty() && self.provider.is_openai() && !members.has("properties") {
            let why = "wants `properties` in the schema of an object, even if there are none";
            self.refuse("/properties".to_owned(), why);
        }
        for (name, _) in members.map("properties") {
            if !self.provider.takes_name(name) {
                let place = pointer::join("/properties", name);
                self.refuse(place, "takes only short names of plain letters at the root");
            }
        }
    }

    fn schema(&mut self, schema: &mut Tree, place: &str, mut objects: usize) {
        if self.found.len() > MAX_FINDINGS {
            return;
        }
        let free = self.provider.is_free();
        let Some(members) = schema.object_mut() else {
            let is_bool = schema.is("true") || schema.is("false");
            if !(is_bool && free) {
                self.refuse(place.to_owned(), "wants a schema here, which is an object");
            }
            return;
        };
        let types = members.types();
        if !free && (types.is_empty() && members.has("properties") || is(&types, "object")) {
            objects += 1;
        }
        if self.provider == Provider::OpenAiStrict && objects > MAX_OBJECTS {
            let why = format!("takes at most {MAX_OBJECTS} nested objects");
            return self.refuse(place.to_owned(), &why);
        }
        for (keyword, value) in &members.all {
            let wants = match keyword.as_str() {
                keyword if MAPS.contains(&keyword) && value.object().is_none() => "an object",
                keyword if LISTS.contains(&keyword) && value.array().is_none() => {
                    "a list of schemas"
                }
                keyword if SINGLE.contains(&keyword) && value.array().is_some() => "one schema",
                "required" if !is_names(value) => "a list of names",
                keyword if !self.provider.takes(keyword, value) => "another or no value",
                _ => continue,
            };
            let why = format!("wants {wants} in `{keyword}`");
            self.refuse(pointer::join(place, keyword), &why);
        }
        self.together(members, &types, place);
        each_inside(members, &mut |keyword, name, inside| {
            if keyword != "additionalProperties" {
                self.schema(inside, &place_inside(place, keyword, name), objects);
            }
        });
    }

    /// What keywords require of those beside them.
    fn together(&mut self, members: &Members, types: &[String], place: &str) {
        let provider = self.provider;
        let (free, google) = (provider.is_free(), provider == Provider::Google);
        let has = |keyword: &str| members.has(keyword);
        let object = !free && (types.is_empty() && has("properties") || is(types, "object"));
        let required = members.list("required").iter().filter_map(Tree::as_text);
        let required: BTreeSet<String> = required.collect();
        let properties = members.map("properties").iter();
        let properties: BTreeSet<String> = properties.map(|(name, _)| name.clone()).collect();
        let optional = properties.difference(&required).count();
        let requires_all = provider.requires_all();
        let is_closed = members.get("additionalProperties") == Some(&Tree::flag(false));
        let is_alone = members.all.len() == 1;
        let typed: &[&str] = match google {
            true => &["anyOf"],
            false => &["enum", "const", "anyOf", "allOf", "oneOf", "$ref"],
        };
        let is_untyped = !free && types.is_empty() && !typed.iter().any(|keyword| has(keyword));
        let needs_items = is(types, "array") && (google || provider.is_openai());
        let names_others = requires_all && optional > 0 || !required.is_subset(&properties);
        let texts = |values: &Tree| types == ["string"] && is_names(values);
        let is_mixed = members.get("enum").is_some_and(|values| !texts(values));
        for (keyword, how, is_wrong) in [
            ("items", "", needs_items && !has("items")),
            (
                "additionalProperties",
                " false",
                object && provider.closes() && !is_closed,
            ),
            (
                "required",
                " with its properties alone",
                object && names_others,
            ),
            ("type", "", is_untyped),
            ("$ref", " alone", requires_all && has("$ref") && !is_alone),
            ("anyOf", " alone", google && has("anyOf") && !is_alone),
            ("enum", " of strings alone", google && is_mixed),
        ] {
            if is_wrong {
                self.refuse(
                    format!("{place}/{keyword}"),
                    &format!("requires `{keyword}`{how} here"),
                );
            }
        }
        if object {
            self.sizes[3] += optional;
        }
        let values = members.list("enum");
        let names = ["properties", "$defs", "definitions"].map(|keyword| members.map(keyword));
        let names = names.into_iter().flatten().map(|(name, _)| name.clone());
        let texts = values.iter().chain(members.get("const"));
        let texts = names.chain(texts.filter_map(Tree::as_text));
        self.sizes[0] += properties.len();
        self.sizes[1] += values.len();
        self.sizes[2] += texts.map(|text| text.chars().count()).sum::<usize>();
        self.sizes[4] += usize::from(has("anyOf") || types.len() > 1);
    }
}

fn is(types: &[String], kind: &str) -> bool {
    types.iter().any(|own| own == kind)
}

fn is_names(value: &Tree) -> bool {
    let names = value.array();
    names.is_some_and(|names| names.iter().all(|name| name.as_text().is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::schema::project;

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
