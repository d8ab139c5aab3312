//! The walk over a schema that makes its projection.

use std::collections::{BTreeMap, BTreeSet};

use super::Loss;
use super::shape::{
    ANYTHING, STRUCTURE, TOLD, anything, closed, describe, is_simple, kinds_of, kinds_of_all,
    nullable, reference, resolve, set_types,
};
use crate::json::pointer;
use crate::schema::clash;
use crate::schema::inline::NOTES;
use crate::schema::provider::{MOST_OBJECTS, Provider};
use crate::schema::tree::{Members, Tree};

/// So many schemas may a projection have, since each reference copies what it refers to.
const MOST: usize = 1000;
/// So deep may schemas stand in one another, which bounds every walk over a projection too.
const DEEPEST: usize = 40;

pub(super) struct Work<'a> {
    root: &'a Tree,
    provider: Provider,
    /// The references that are being followed, as pointers.
    open: Vec<String>,
    /// What leads back to itself, with the name of its definition.
    pub(super) named: BTreeMap<String, String>,
    pub(super) definitions: Members,
    pub(super) losses: Vec<Loss>,
    left: usize,
    depth: usize,
    /// How many more objects may stand in this one.
    objects: usize,
}

/// The types of the values that a schema lists and its projection can't.
fn listed(flat: &Flat<'_>) -> Vec<String> {
    let values = flat.get("enum").and_then(Tree::array).unwrap_or_default();
    let values: Vec<Tree> = values.iter().chain(flat.get("const")).cloned().collect();
    match values.iter().all(is_simple) {
        true => kinds_of_all(&values),
        false => Vec::new(),
    }
}

/// Whether a schema says that it is one of objects.
fn is_object(schema: &Tree) -> bool {
    let kind = schema.object().and_then(|members| members.get("type"));
    kind.is_some_and(|kind| kind.is("\"object\""))
}

/// A schema with all that must hold together: its own keywords and those of `allOf`.
#[derive(Default)]
struct Flat<'a> {
    /// Keyword, value, and the pointer of the schema that has it.
    keywords: Vec<(&'a str, &'a Tree, String)>,
    properties: Vec<(&'a str, &'a Tree, String)>,
    required: BTreeSet<String>,
}

impl<'a> Flat<'a> {
    fn get(&self, name: &str) -> Option<&'a Tree> {
        let found = self.keywords.iter().find(|(own, _, _)| *own == name);
        found.map(|(_, value, _)| *value)
    }

    fn at(&self, name: &str) -> Option<(&'a Tree, String)> {
        let found = self.keywords.iter().find(|(own, _, _)| *own == name);
        found.map(|(_, value, pointer)| (*value, pointer::join(pointer, name)))
    }

    /// The types, if it names any.
    fn types(&self) -> Vec<String> {
        match self.get("type") {
            Some(Tree::Array(kinds)) => kinds.iter().filter_map(Tree::as_text).collect(),
            Some(kind) => kind.as_text().into_iter().collect(),
            None => Vec::new(),
        }
    }
}

impl<'a> Work<'a> {
    pub(super) fn new(root: &'a Tree, provider: Provider) -> Self {
        let objects = match provider {
            // The wrapper is one, too.
            Provider::OpenAiStrict => MOST_OBJECTS - 1,
            _ => usize::MAX,
        };
        Work {
            root,
            provider,
            objects,
            open: vec![String::new()],
            named: BTreeMap::new(),
            definitions: Members::default(),
            losses: Vec::new(),
            left: MOST,
            depth: 0,
        }
    }

    fn lose(&mut self, pointer: String, what: &str) {
        let what = what.to_owned();
        self.losses.push(Loss { pointer, what });
    }

    /// The projection of a schema at a pointer.
    pub(super) fn schema(&mut self, tree: &'a Tree, pointer: &str) -> Tree {
        if self.left == 0 || self.depth == DEEPEST {
            self.lose(pointer.to_owned(), "size");
            return anything(Members::default());
        }
        self.left -= 1;
        self.depth += 1;
        let projected = self.inside(tree, pointer);
        self.depth -= 1;
        projected
    }

    fn inside(&mut self, tree: &'a Tree, pointer: &str) -> Tree {
        let Some(members) = tree.object() else {
            self.lose(pointer.to_owned(), "any");
            return anything(Members::default());
        };
        if members.has("$ref") {
            return self.follow(members, pointer);
        }
        let mut flat = Flat::default();
        self.flatten(members, pointer, &mut flat, 0);
        self.build(&flat, pointer)
    }

    /// A schema that refers to another one. What stands beside the reference and is no note is lost.
    fn follow(&mut self, members: &'a Members, pointer: &str) -> Tree {
        for (keyword, _) in &members.all {
            if TOLD.contains(&keyword.as_str()) || STRUCTURE.contains(&keyword.as_str()) {
                self.lose(pointer::join(pointer, keyword), keyword);
            }
        }
        let target = members.text("$ref").and_then(|text| {
            Some((
                resolve(self.root, &text)?,
                text.strip_prefix('#')?.to_owned(),
            ))
        });
        let Some((target, place)) = target else {
            self.lose(format!("{pointer}/$ref"), "$ref");
            return anything(Members::default());
        };
        let again = self.open.contains(&place) || self.named.contains_key(&place);
        if again && !self.provider.recurses() {
            self.lose(format!("{pointer}/$ref"), "$ref");
            return anything(Members::default());
        }
        if again {
            return reference(&self.name(&place));
        }
        self.open.push(place.clone());
        let mut projected = self.schema(target, &place);
        self.open.pop();
        if let Some(name) = self.named.get(&place).cloned() {
            self.definitions.set(&name, projected);
            return reference(&name);
        }
        let own = members.text("description").filter(|own| !own.is_empty());
        if let (Some(own), Some(inner)) = (own, projected.object_mut()) {
            inner.set("description", Tree::text(&own));
        }
        projected
    }

    /// The name of a definition for what leads back to itself: the last step of its pointer.
    fn name(&mut self, place: &str) -> String {
        if let Some(name) = self.named.get(place) {
            return name.clone();
        }
        let step = place.rsplit('/').next().unwrap_or_default();
        let fits = |c: &char| c.is_ascii_alphanumeric() || *c == '_' || *c == '-';
        let step: String = step.chars().filter(fits).take(48).collect();
        let start = if step.is_empty() { "root" } else { &step };
        let mut name = start.to_owned();
        let mut number = 2;
        while self.named.values().any(|taken| *taken == name) {
            name = format!("{start}{number}");
            number += 1;
        }
        self.named.insert(place.to_owned(), name.clone());
        name
    }

    /// Collects what holds together. An element of `allOf` that meets a keyword which is there already
    /// is lost, but for properties of other names.
    fn flatten(&mut self, members: &'a Members, pointer: &str, flat: &mut Flat<'a>, depth: usize) {
        for (keyword, value) in &members.all {
            match keyword.as_str() {
                "properties" => {
                    let all = value.object().into_iter().flat_map(|m| &m.all);
                    let inside = |name: &str| pointer::join(&format!("{pointer}/properties"), name);
                    flat.properties
                        .extend(all.map(|(name, tree)| (name.as_str(), tree, inside(name))));
                }
                "required" => {
                    let names = value.array().unwrap_or_default();
                    flat.required.extend(names.iter().filter_map(Tree::as_text));
                }
                "allOf" => {}
                keyword => flat.keywords.push((keyword, value, pointer.to_owned())),
            }
        }
        let elements = members.get("allOf").and_then(Tree::array);
        for (index, element) in elements.unwrap_or_default().iter().enumerate() {
            let place = format!("{pointer}/allOf/{index}");
            match self.joined(element, flat) {
                Some(inner) if depth < 16 && index < 100 => {
                    self.flatten(inner, &place, flat, depth + 1);
                }
                _ => self.lose(place, "allOf"),
            }
        }
    }

    /// An element of `allOf`, behind its references, if it can join what is there.
    fn joined(&self, element: &'a Tree, flat: &Flat<'a>) -> Option<&'a Members> {
        let mut inner = element.object()?;
        for _ in 0..16 {
            let Some(text) = inner.text("$ref") else {
                break;
            };
            if inner
                .all
                .iter()
                .any(|(k, _)| k != "$ref" && !NOTES.contains(&k.as_str()))
            {
                return None;
            }
            inner = resolve(self.root, &text)?.object()?;
        }
        let outer = Members {
            all: flat
                .keywords
                .iter()
                .map(|(keyword, value, _)| ((*keyword).to_owned(), (*value).clone()))
                .collect(),
        };
        let same = |keyword: &str| outer.get(keyword) == inner.get(keyword);
        let odd = |(keyword, _): &(String, Tree)| {
            let joins = ["properties", "required", "allOf"].contains(&keyword.as_str());
            !joins
                && !NOTES.contains(&keyword.as_str())
                && !same(keyword)
                && clash(keyword, &outer, inner)
        };
        let known = |name: &str| flat.properties.iter().any(|(own, _, _)| *own == name);
        let mut names = inner.get("properties").and_then(Tree::object).into_iter();
        let again = names.any(|m| m.all.iter().any(|(name, _)| known(name)));
        let fits = !inner.has("$ref") && !again && !inner.all.iter().any(odd);
        fits.then_some(inner)
    }

    fn build(&mut self, flat: &Flat<'a>, pointer: &str) -> Tree {
        let mut out = Members::default();
        let mut told = Members::default();
        let mut labels = Vec::new();
        if let Some(title) = flat.get("title").filter(|title| title.as_text().is_some()) {
            out.set("title", title.clone());
        }
        for keyword in ["default", "examples"] {
            if let Some(value) = flat.get(keyword) {
                told.set(keyword, value.clone());
            }
        }
        for (keyword, value, place) in &flat.keywords {
            if !TOLD.contains(keyword) || told.has(keyword) {
                continue;
            }
            if self.provider.takes(keyword, value) {
                out.set(keyword, (*value).clone());
            } else {
                told.set(keyword, (*value).clone());
                self.lose(pointer::join(place, keyword), keyword);
            }
        }
        let mut used = "";
        if let Some((keyword, values)) = self.choices(flat, &mut labels) {
            used = keyword;
            set_types(&mut out, &kinds_of_all(&values));
            out.set("enum", Tree::Array(values));
        } else if let Some((keyword, all, place)) = self.alternatives(flat) {
            used = keyword;
            if keyword == "oneOf" {
                self.lose(place.clone(), keyword);
            }
            let all = all.iter().enumerate();
            let all = all.map(|(n, one)| self.schema(one, &format!("{place}/{n}")));
            out.set("anyOf", Tree::Array(all.collect()));
        } else {
            self.typed(flat, pointer, &mut out);
        }
        for keyword in ["enum", "const", "anyOf", "oneOf"] {
            if let (true, Some((value, place))) = (keyword != used, flat.at(keyword)) {
                told.set(keyword, value.clone());
                self.lose(place, keyword);
            }
        }
        describe(&mut out, flat.get("description"), &labels, told);
        Tree::Object(out)
    }

    /// The alternatives of a schema that says nothing else of its values, or only that they are objects, as each
    /// alternative does.
    fn alternatives(&self, flat: &Flat<'a>) -> Option<(&'static str, &'a [Tree], String)> {
        let types = flat.types();
        let bare = flat.properties.is_empty() && flat.required.is_empty();
        let keywords = ["anyOf", "oneOf"].iter();
        let (keyword, (all, place)) = keywords.copied().find_map(|k| Some((k, flat.at(k)?)))?;
        let all = all.array().filter(|all| bare && !all.is_empty())?;
        let objects = types == ["object"]
            && flat.get("additionalProperties").is_none()
            && all.iter().all(|one| self.is_of_objects(one));
        (types.is_empty() || objects).then_some((keyword, all, place))
    }

    /// Whether a schema, behind its references, is one of objects.
    fn is_of_objects(&self, schema: &'a Tree) -> bool {
        let mut schema = schema;
        for _ in 0..16 {
            let reference = schema.object().and_then(|members| members.text("$ref"));
            let Some(target) = reference.and_then(|text| resolve(self.root, &text)) else {
                break;
            };
            schema = target;
        }
        let members = schema.object();
        let untyped = |members: &Members| !members.has("type") && members.has("properties");
        is_object(schema) || members.is_some_and(untyped)
    }

    /// The values that a schema lists, if it lists any that a provider takes, and by which keyword.
    fn choices(
        &mut self,
        flat: &Flat<'a>,
        labels: &mut Vec<String>,
    ) -> Option<(&'static str, Vec<Tree>)> {
        let types = flat.types();
        let texts = self.provider == Provider::Google;
        let fits = |value: &Tree| {
            if texts && !["string", "null"].contains(&kinds_of(value)[0]) {
                return false;
            }
            let mut kinds = kinds_of(value).iter();
            is_simple(value)
                && (types.is_empty() || kinds.any(|kind| types.iter().any(|t| t == kind)))
        };
        if let Some((list, place)) = flat.at("enum") {
            let all = list.array().unwrap_or_default();
            let values: Vec<Tree> = all.iter().filter(|value| fits(value)).cloned().collect();
            // A part of them would forbid the others.
            if texts && !all.iter().all(fits) {
                return None;
            }
            if !values.is_empty() && !all.iter().all(is_simple) {
                self.lose(place, "enum");
            }
            return (!values.is_empty()).then_some(("enum", values));
        }
        if let Some(value) = flat.get("const") {
            return fits(value).then(|| ("const", vec![value.clone()]));
        }
        let mut values = Vec::new();
        let mut words = Vec::new();
        let alternatives = ["oneOf", "anyOf"].iter();
        let (keyword, all) = alternatives
            .copied()
            .find_map(|k| Some((k, flat.get(k)?)))?;
        for one in all.array()? {
            let one = one.object()?;
            let value = one.get("const")?;
            let known = ["const", "title", "description", "type"];
            let typed = one.get("type").and_then(Tree::as_text);
            let odd = typed.is_some_and(|typed| !kinds_of(value).contains(&typed.as_str()));
            if odd || !is_simple(value) || !one.all.iter().all(|(k, _)| known.contains(&k.as_str()))
            {
                return None;
            }
            let about = [one.text("title"), one.text("description")];
            let about: Vec<String> = about.into_iter().flatten().collect();
            if !about.is_empty() {
                words.push(format!("- {}: {}", value.to_json(), about.join(". ")));
            }
            values.push(value.clone());
        }
        if texts && !values.iter().all(fits) {
            return None;
        }
        values.retain(fits);
        labels.append(&mut words);
        (!values.is_empty()).then_some((keyword, values))
    }

    /// A schema by its types.
    fn typed(&mut self, flat: &Flat<'a>, pointer: &str, out: &mut Members) {
        let mut types = flat.types();
        if types.is_empty() {
            types = listed(flat);
        }
        if types.is_empty() {
            let has = |names: &[&str]| names.iter().any(|name| flat.get(name).is_some());
            let named = !flat.properties.is_empty() || !flat.required.is_empty();
            let kind =
                if named || has(&["additionalProperties", "patternProperties", "propertyNames"]) {
                    "object"
                } else if has(&["items", "prefixItems", "minItems", "maxItems"]) {
                    "array"
                } else if has(&["minLength", "maxLength", "pattern", "format"]) {
                    "string"
                } else if has(&[
                    "minimum",
                    "maximum",
                    "exclusiveMinimum",
                    "exclusiveMaximum",
                    "multipleOf",
                ]) {
                    "number"
                } else {
                    ""
                };
            if kind.is_empty() {
                self.lose(pointer.to_owned(), "any");
                types.extend(ANYTHING.map(str::to_owned));
            } else {
                types.push(kind.to_owned());
            }
        }
        let is_deep = self.objects == 0 && types.iter().any(|kind| kind == "object");
        if is_deep {
            self.lose(pointer.to_owned(), "size");
            types.retain(|kind| kind != "object");
            if types.is_empty() {
                types.extend(ANYTHING.map(str::to_owned));
            }
        }
        set_types(out, &types);
        if types.iter().any(|kind| kind == "array") {
            let items = self.items(flat, pointer);
            out.set("items", items);
        }
        if types.iter().any(|kind| kind == "object") {
            self.objects -= 1;
            let object = self.object(flat);
            self.objects += 1;
            let Tree::Object(object) = object else {
                return;
            };
            for (keyword, value) in object.all {
                if keyword != "type" {
                    out.set(&keyword, value);
                }
            }
        }
    }

    fn items(&mut self, flat: &Flat<'a>, pointer: &str) -> Tree {
        if let Some((prefix, place)) = flat.at("prefixItems") {
            let mut all = Vec::new();
            for (index, one) in prefix.array().unwrap_or_default().iter().enumerate() {
                let one = self.schema(one, &format!("{place}/{index}"));
                if !all.contains(&one) {
                    all.push(one);
                }
            }
            if let [one] = all.as_slice() {
                return one.clone();
            }
            if !all.is_empty() {
                let mut out = Members::default();
                out.set("anyOf", Tree::Array(all));
                return Tree::Object(out);
            }
        }
        match flat.at("items") {
            Some((items, place)) => self.schema(items, &place),
            None => {
                self.lose(pointer.to_owned(), "any");
                anything(Members::default())
            }
        }
    }

    fn object(&mut self, flat: &Flat<'a>) -> Tree {
        let other = flat.at("additionalProperties");
        let mut properties = Vec::new();
        let mut names = Vec::new();
        let mut known = BTreeSet::new();
        for (name, tree, place) in &flat.properties {
            if !known.insert((*name).to_owned()) {
                continue;
            }
            let projected = self.schema(tree, place);
            let needed = flat.required.contains(*name);
            let all = self.provider.requires_all();
            if needed || all {
                names.push((*name).to_owned());
            }
            let projected = if needed || !all {
                projected
            } else {
                nullable(projected)
            };
            properties.push(((*name).to_owned(), projected));
        }
        for name in &flat.required {
            if known.contains(name) {
                continue;
            }
            let projected = match &other {
                Some((tree, place)) if tree.object().is_some() => self.schema(tree, place),
                _ => anything(Members::default()),
            };
            names.push(name.clone());
            properties.push((name.clone(), projected));
        }
        if let Some((other, place)) = other
            && !other.is("false")
        {
            self.lose(place, "additionalProperties");
        }
        closed(properties, names)
    }
}
