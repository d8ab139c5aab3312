//! The walk over a schema that makes its projection.

use std::collections::{BTreeMap, BTreeSet};

use super::Loss;
use super::shape::{
    ANYTHING, any_of, anything, closed, constrains, describe, is_described, is_simple, kinds_of,
    kinds_of_all, nullable, reference, resolve,
};
use crate::base::json::pointer;
use crate::base::schema::inline::NOTES;
use crate::base::schema::provider::{MAX_OBJECTS, Provider};
use crate::base::schema::tree::{Members, Tree, types};
use crate::base::schema::{OF_TYPE, clash};

/// Maximum number of schemas of a projection, since each reference copies what it refers to.
const MAX_SCHEMAS: usize = 1000;
/// Maximum depth, which bounds every walk over a projection too.
const MAX_DEPTH: usize = 40;
/// Maximum length of a chain of references.
const MAX_STEPS: usize = 16;

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

/// A keyword or a property with its value and its pointer.
type Part<'a> = (&'a str, &'a Tree, String);

/// A schema with all that must hold together: its own keywords and those of `allOf`.
#[derive(Default)]
struct Flat<'a> {
    keywords: Vec<Part<'a>>,
    properties: Vec<Part<'a>>,
    required: BTreeSet<String>,
}

impl<'a> Flat<'a> {
    fn at(&self, name: &str) -> Option<&Part<'a>> {
        self.keywords.iter().find(|(own, _, _)| *own == name)
    }

    fn get(&self, name: &str) -> Option<&'a Tree> {
        self.at(name).map(|(_, value, _)| *value)
    }

    /// The types, if it names any.
    fn types(&self) -> Vec<String> {
        types(self.get("type"))
    }

    fn has_fields(&self) -> bool {
        !self.properties.is_empty() || !self.required.is_empty()
    }

    /// The types of the values that it lists and its projection can't, or the one that its keywords imply.
    fn implied(&self) -> Vec<Tree> {
        let values = self.get("enum").and_then(Tree::array).unwrap_or_default();
        let values = values.iter().chain(self.get("const"));
        if values.clone().next().is_some() && values.clone().all(is_simple) {
            return kinds_of_all(values);
        }
        let has = |keyword: &&str| self.at(keyword).is_some();
        let mut of_type = OF_TYPE.iter();
        let implied = match self.has_fields() {
            true => Some("object"),
            false => of_type
                .find(|(_, keywords)| keywords.iter().any(has))
                .map(|(kind, _)| *kind),
        };
        implied.into_iter().map(Tree::text).collect()
    }
}

impl<'a> Work<'a> {
    pub(super) fn new(root: &'a Tree, provider: Provider) -> Self {
        let objects = match provider {
            // The wrapper is one, too.
            Provider::OpenAiStrict => MAX_OBJECTS - 1,
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
            left: MAX_SCHEMAS,
            depth: 0,
        }
    }

    fn lose(&mut self, pointer: &str, what: &str) {
        let (pointer, what) = (pointer.to_owned(), what.to_owned());
        self.losses.push(Loss { pointer, what });
    }

    fn lose_all(&mut self, pointer: &str, what: &str) -> Tree {
        self.lose(pointer, what);
        anything()
    }

    /// The projection of a schema at a pointer.
    pub(super) fn schema(&mut self, tree: &'a Tree, pointer: &str) -> Tree {
        if self.left == 0 || self.depth == MAX_DEPTH {
            return self.lose_all(pointer, "size");
        }
        let Some(members) = tree.object() else {
            self.left -= 1;
            return self.lose_all(pointer, "any");
        };
        self.left -= 1;
        self.depth += 1;
        let projected = if members.has("$ref") {
            self.follow(members, pointer)
        } else {
            let mut flat = Flat::default();
            self.flatten(members, pointer, &mut flat, 0);
            self.build(&flat, pointer)
        };
        self.depth -= 1;
        projected
    }

    /// A schema that refers to another one. What stands beside the reference and is no note is lost.
    fn follow(&mut self, members: &'a Members, pointer: &str) -> Tree {
        for (keyword, _) in &members.all {
            if constrains(keyword) {
                self.lose(&pointer::join(pointer, keyword), keyword);
            }
        }
        let text = members.text("$ref").unwrap_or_default();
        let target = resolve(self.root, &text).zip(text.strip_prefix('#'));
        let again = target.is_some_and(|(_, place)| {
            self.open.iter().any(|open| open == place) || self.named.contains_key(place)
        });
        let (Some((target, place)), false) = (target, again && !self.provider.recurses()) else {
            return self.lose_all(&format!("{pointer}/$ref"), "$ref");
        };
        if again {
            return reference(&self.name(place));
        }
        self.open.push(place.to_owned());
        let mut projected = self.schema(target, place);
        self.open.pop();
        if let Some(name) = self.named.get(place) {
            self.definitions.set(name, projected);
            return reference(name);
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
        let numbered = (2..).map(|number| format!("{start}{number}"));
        let mut names = std::iter::once(start.to_owned()).chain(numbered);
        let is_free = |name: &String| !self.named.values().any(|taken| taken == name);
        let name = names.find(is_free).unwrap_or_default();
        self.named.insert(place.to_owned(), name.clone());
        name
    }

    /// Collects what holds together. An element of `allOf` that meets a keyword which is there already
    /// is lost, but for properties of other names.
    fn flatten(&mut self, members: &'a Members, pointer: &str, flat: &mut Flat<'a>, depth: usize) {
        for (keyword, value) in &members.all {
            let place = pointer::join(pointer, keyword);
            match keyword.as_str() {
                "properties" => {
                    let all = members.map("properties").iter();
                    let all = all.map(|(name, tree)| (&**name, tree, pointer::join(&place, name)));
                    flat.properties.extend(all);
                }
                "required" => {
                    let names = members.list("required").iter();
                    flat.required.extend(names.filter_map(Tree::as_text));
                }
                "allOf" => {}
                keyword => flat.keywords.push((keyword, value, place)),
            }
        }
        for (index, element) in members.list("allOf").iter().enumerate() {
            let place = format!("{pointer}/allOf/{index}");
            match self.joined(element, flat) {
                Some(inner) if depth < MAX_STEPS && index < 100 => {
                    self.flatten(inner, &place, flat, depth + 1);
                }
                _ => self.lose(&place, "allOf"),
            }
        }
    }

    /// An element of `allOf`, behind its references, if it can join what is there.
    fn joined(&self, element: &'a Tree, flat: &Flat<'a>) -> Option<&'a Members> {
        let is_note = |keyword: &str| NOTES.contains(&keyword);
        let mut inner = element.object()?;
        for _ in 0..MAX_STEPS {
            let Some(text) = inner.text("$ref") else {
                break;
            };
            if !inner.all.iter().all(|(k, _)| k == "$ref" || is_note(k)) {
                return None;
            }
            inner = resolve(self.root, &text)?.object()?;
        }
        let outer = |keyword: &str| flat.at(keyword).is_some();
        let fits = |(keyword, value): &(String, Tree)| match keyword.as_str() {
            "properties" => {
                let mut known = flat.properties.iter();
                !known.any(|(name, _, _)| value.get(name).is_some())
            }
            "required" | "allOf" => true,
            "$ref" => false,
            keyword if is_note(keyword) || flat.get(keyword) == Some(value) => true,
            keyword => !clash(keyword, &outer, inner),
        };
        inner.all.iter().all(fits).then_some(inner)
    }

    fn build(&mut self, flat: &Flat<'a>, pointer: &str) -> Tree {
        let mut out = Members::default();
        let mut described = Members::default();
        let mut labels = Vec::new();
        if let Some(title) = flat.get("title").filter(|title| title.as_text().is_some()) {
            out.set("title", title.clone());
        }
        for keyword in ["default", "examples"] {
            if let Some(value) = flat.get(keyword) {
                described.set(keyword, value.clone());
            }
        }
        for (keyword, value, place) in &flat.keywords {
            if !is_described(keyword) || described.has(keyword) {
                continue;
            }
            if self.provider.takes(keyword, value) {
                out.set(keyword, (*value).clone());
            } else {
                described.set(keyword, (*value).clone());
                self.lose(place, keyword);
            }
        }
        let mut used = "";
        if let Some((keyword, values)) = self.choices(flat, &mut labels) {
            used = keyword;
            out.set_types(kinds_of_all(values.iter()));
            out.set("enum", Tree::Array(values));
        } else if let Some((keyword, all, place)) = self.alternatives(flat) {
            used = keyword;
            if keyword == "oneOf" {
                self.lose(place, keyword);
            }
            let all = all.iter().enumerate();
            let all = all.map(|(n, one)| self.schema(one, &format!("{place}/{n}")));
            out.set("anyOf", Tree::Array(all.collect()));
        } else {
            self.typed(flat, pointer, &mut out);
        }
        for keyword in ["enum", "const", "anyOf", "oneOf"] {
            if let (true, Some((_, value, place))) = (keyword != used, flat.at(keyword)) {
                described.set(keyword, (*value).clone());
                self.lose(place, keyword);
            }
        }
        describe(&mut out, flat.get("description"), &labels, described);
        Tree::Object(out)
    }

    /// The alternatives of a schema that says nothing else of its values, or only that they are objects, as each
    /// alternative does.
    fn alternatives<'f>(&self, flat: &'f Flat<'a>) -> Option<(&'a str, &'a [Tree], &'f str)> {
        let types = flat.types();
        let (keyword, all, place) = flat.at("anyOf").or_else(|| flat.at("oneOf"))?;
        let all = all
            .array()
            .filter(|all| !all.is_empty() && !flat.has_fields())?;
        let objects = types == ["object"]
            && flat.get("additionalProperties").is_none()
            && all.iter().all(|one| self.is_of_objects(one));
        (types.is_empty() || objects).then_some((*keyword, all, place.as_str()))
    }

    /// Whether a schema, behind its references, is one of objects.
    fn is_of_objects(&self, mut schema: &'a Tree) -> bool {
        for _ in 0..MAX_STEPS {
            let reference = schema.get("$ref").and_then(Tree::as_text);
            let Some(target) = reference.and_then(|text| resolve(self.root, &text)) else {
                break;
            };
            schema = target;
        }
        let untyped = schema.get("type").is_none() && schema.get("properties").is_some();
        schema.has_type("object") || untyped
    }

    /// The values that a schema lists, if it lists any that a provider takes, and by which keyword.
    fn choices(
        &mut self,
        flat: &Flat<'a>,
        labels: &mut Vec<String>,
    ) -> Option<(&'a str, Vec<Tree>)> {
        let types = flat.types();
        let texts = self.provider == Provider::Google;
        let fits = |value: &&Tree| {
            let kinds = kinds_of(value);
            is_simple(value)
                && (!texts || ["string", "null"].contains(&kinds[0]))
                && (types.is_empty() || kinds.iter().any(|kind| types.iter().any(|t| t == kind)))
        };
        let keywords = ["enum", "const", "oneOf", "anyOf"].iter();
        let (keyword, list, place) = keywords.copied().find_map(|keyword| flat.at(keyword))?;
        let mut words = Vec::new();
        let all: Vec<&Tree> = match *keyword {
            "enum" => list.array().unwrap_or_default().iter().collect(),
            "const" => vec![list],
            _ => {
                let all = list.array()?.iter();
                let all = all.map(|one| constant(one, &mut words));
                all.collect::<Option<_>>()?
            }
        };
        // A part of them would forbid the others.
        if texts && !all.iter().all(fits) {
            return None;
        }
        let values: Vec<Tree> = all.iter().copied().filter(fits).cloned().collect();
        if values.is_empty() {
            return None;
        }
        if !all.iter().all(|value| is_simple(value)) {
            self.lose(place, keyword);
        }
        labels.append(&mut words);
        Some((*keyword, values))
    }

    /// A schema by its types.
    fn typed(&mut self, flat: &Flat<'a>, pointer: &str, out: &mut Members) {
        let mut types: Vec<Tree> = flat.types().iter().map(|kind| Tree::text(kind)).collect();
        if types.is_empty() {
            types = flat.implied();
        }
        let mut lost = if types.is_empty() { "any" } else { "" };
        let object = Tree::text("object");
        if self.objects == 0 && types.contains(&object) {
            lost = "size";
            types.retain(|kind| *kind != object);
        }
        if !lost.is_empty() {
            self.lose(pointer, lost);
        }
        if types.is_empty() {
            types.extend(ANYTHING.map(Tree::text));
        }
        let has_items = types.contains(&Tree::text("array"));
        let has_members = types.contains(&object);
        out.set_types(types);
        if has_items {
            let items = self.items(flat, pointer);
            out.set("items", items);
        }
        if has_members {
            self.objects -= 1;
            let members = self.object(flat);
            self.objects += 1;
            out.all.extend(members.all);
        }
    }

    fn items(&mut self, flat: &Flat<'a>, pointer: &str) -> Tree {
        if let Some((_, prefix, place)) = flat.at("prefixItems") {
            let mut all = Vec::new();
            for (index, one) in prefix.array().unwrap_or_default().iter().enumerate() {
                let one = self.schema(one, &format!("{place}/{index}"));
                if !all.contains(&one) {
                    all.push(one);
                }
            }
            match all.len() {
                0 => {}
                1 => return all.remove(0),
                _ => return any_of(all),
            }
        }
        match flat.at("items") {
            Some((_, items, place)) => self.schema(items, place),
            None => self.lose_all(pointer, "any"),
        }
    }

    fn object(&mut self, flat: &Flat<'a>) -> Members {
        let all = self.provider.requires_all();
        let mut properties = Members::default();
        let mut names = Vec::new();
        let mut known = BTreeSet::new();
        for (name, tree, place) in &flat.properties {
            if !known.insert(*name) {
                continue;
            }
            let mut projected = self.schema(tree, place);
            let needed = flat.required.contains(*name);
            if !needed && all {
                projected = nullable(projected);
            }
            if needed || all {
                names.push((*name).to_owned());
            }
            properties.all.push(((*name).to_owned(), projected));
        }
        let other = flat.at("additionalProperties");
        for name in &flat.required {
            if known.contains(name.as_str()) {
                continue;
            }
            let projected = match other {
                Some((_, tree, place)) if tree.object().is_some() => self.schema(tree, place),
                _ => anything(),
            };
            names.push(name.clone());
            properties.all.push((name.clone(), projected));
        }
        if let Some((keyword, other, place)) = other
            && !other.is("false")
        {
            self.lose(place, keyword);
        }
        closed(properties, names)
    }
}

/// The value of an alternative that only names one, and the words about it.
fn constant<'a>(one: &'a Tree, words: &mut Vec<String>) -> Option<&'a Tree> {
    let one = one.object()?;
    let value = one.get("const").filter(|value| is_simple(value))?;
    let known = ["const", "title", "description", "type"];
    let typed = one.text("type");
    let odd = typed.is_some_and(|typed| !kinds_of(value).contains(&typed.as_str()));
    if odd || !one.all.iter().all(|(k, _)| known.contains(&k.as_str())) {
        return None;
    }
    let about = [one.text("title"), one.text("description")];
    let about: Vec<String> = about.into_iter().flatten().collect();
    if !about.is_empty() {
        words.push(format!("- {}: {}", value.to_json(), about.join(". ")));
    }
    Some(value)
}
