//! `schema/api.json`, the one description of the API, and what is made of it.

mod extension;
mod jobs;
mod kind;
mod names;
mod node;
mod python;
mod rust;
mod text;
mod types;
mod views;

pub use kind::parse;
pub use text::Text;

use crate::Output;
use crate::shapes::Shape;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::path::Path;

/// The whole description.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Api {
    pub modules: Ordered<Module>,
    pub enums: Ordered<Words>,
    pub types: Ordered<Named>,
    pub views: Ordered<View>,
    pub options: Ordered<Options>,
    pub jobs: Ordered<Job>,
    pub functions: Ordered<Function>,
    /// The names of the Python package, by the modules that they come from.
    pub exports: Ordered<Vec<String>>,
    pub names: Vec<Group>,
    #[serde(skip)]
    pub texts: BTreeMap<String, Text>,
}

/// A submodule of the packages.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Module {
    pub doc: String,
    /// Classes that stand beside the functions.
    #[serde(default)]
    pub classes: Vec<String>,
}

/// A closed set of words.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    pub doc: String,
    /// The type in Rust, if it has one.
    pub rust: Option<String>,
    pub values: Vec<String>,
}

/// A type of results or arguments: an object, another name for a type, or a group of options.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named {
    pub doc: String,
    pub members: Option<Ordered<Member>>,
    pub is: Option<String>,
    #[serde(default)]
    pub options: bool,
    /// Whether there can be other members.
    #[serde(default)]
    pub open: bool,
}

/// A member: its kind, perhaps with a sentence. That of a view may have the path in Rust, if it is not the name, or
/// `own` if the class in Rust computes it.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum Member {
    Kind(String),
    Documented(String, String),
    At(String, String, String),
}

/// What is read of the outputs of tools: a class in each language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct View {
    pub doc: String,
    /// The class in the extension for Python.
    pub python: String,
    /// Whether the members are fields in Rust, and not methods.
    #[serde(default)]
    pub fields: bool,
    /// The type of the whole as a document.
    pub document: Option<String>,
    pub operators: Vec<String>,
    /// The parameters of the constructor, if it has one.
    #[serde(default)]
    pub new: Vec<(String, String)>,
    pub members: Ordered<Member>,
}

/// Options that functions take together.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// The struct in Rust; without one, it is generated.
    pub rust: Option<String>,
    /// Whether that has a method `check`.
    #[serde(default)]
    pub check: bool,
    pub members: Ordered<OptionMember>,
}

/// Something that runs in the background, by its options.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The name of their type.
    #[serde(rename = "type")]
    pub class: String,
    pub doc: String,
    /// The groups that it takes together.
    pub options: Vec<String>,
    /// What it does not take of them.
    #[serde(default)]
    pub without: Vec<String>,
    /// Whether this is an option of another one.
    #[serde(default)]
    pub nested: bool,
}

/// An option.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionMember {
    pub kind: String,
    pub doc: String,
    #[serde(default)]
    pub required: bool,
    pub default: Option<serde_json::Value>,
    #[serde(default)]
    pub min: u64,
    pub max: Option<u64>,
    /// The field in Rust, if it has another name.
    pub field: Option<String>,
    /// The type of a word in Rust, if no enum names it.
    pub rust: Option<String>,
    /// The function of `toolwire_ffi::options` that reads it.
    pub read: Option<String>,
    /// The one language that has it.
    #[serde(rename = "in")]
    pub language: Option<String>,
}

/// A function.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Function {
    pub module: Option<String>,
    /// Whether only the packages themselves call it.
    #[serde(default)]
    pub internal: bool,
    /// The function in Rust; below `crate`, it adapts one. Those of the packages themselves have none.
    #[serde(default)]
    pub rust: String,
    /// The function in the extension for Python; without one, it is a builder.
    pub python: Option<String>,
    /// Whether that takes the options as the fields of a builder.
    #[serde(default)]
    pub fields: bool,
    /// Whether there are limits for reading, beside the other options.
    #[serde(default)]
    pub reads: bool,
    pub args: Vec<(String, String)>,
    pub options: Option<String>,
    pub returns: String,
    /// The command that does the same.
    #[serde(default)]
    pub cli: Option<String>,
}

/// Names that are written by hand, for the reference.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    pub title: String,
    pub rows: Vec<[String; 5]>,
}

/// An object whose members keep their order.
pub struct Ordered<T>(pub Vec<(String, T)>);

impl<T> Ordered<T> {
    pub fn get(&self, name: &str) -> Option<&T> {
        self.0
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Ordered<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
            type Value = Ordered<T>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Ordered(members))
            }
        }
        deserializer.deserialize_map(Members(PhantomData))
    }
}

impl Api {
    /// Reads the description and its texts.
    pub fn load(root: &Path) -> Result<Self, String> {
        let mut api: Api = serde_json::from_str(&crate::read(root, "schema/api.json")?)
            .map_err(|error| format!("`schema/api.json`: {error}"))?;
        let modules = api.modules.0.iter().map(|(module, _)| module.as_str());
        for module in modules.chain(["toolwire"]) {
            let path = format!("schema/api/{module}.md");
            api.texts.extend(text::read(&crate::read(root, &path)?)?);
        }
        Ok(api)
    }

    /// Checks that each name that is used exists, and each function has a text and only such.
    pub fn lint(&self, shapes: &[Shape]) -> Result<(), String> {
        let is_known = |name: &str| {
            self.enums.get(name).is_some()
                || self.types.get(name).is_some()
                || shapes.iter().any(|shape| shape.name == name)
        };
        let mut kinds: Vec<&str> = Vec::new();
        for (_, named) in &self.types.0 {
            kinds.extend(named.is.as_deref());
            let members = named.members.iter().flat_map(|members| &members.0);
            kinds.extend(members.map(|(_, member)| member.kind()));
        }
        for (_, view) in &self.views.0 {
            kinds.extend(view.members.0.iter().map(|(_, member)| member.kind()));
        }
        for (name, function) in &self.functions.0 {
            kinds.push(&function.returns);
            if let Some(options) = &function.options {
                let found = self.options.get(options);
                found.ok_or_else(|| format!("`{name}` has unknown options `{options}`"))?;
            }
            if function.internal == self.texts.contains_key(name) {
                return Err(format!(
                    "`{name}` needs a text below schema/api/ if it is public"
                ));
            }
        }
        if let Some(name) = self
            .texts
            .keys()
            .find(|name| self.functions.get(name).is_none())
        {
            return Err(format!(
                "schema/api/ has a text for `{name}`, which is no function"
            ));
        }
        for kind in kinds {
            for name in parse(kind)?.names() {
                if !is_known(&name) {
                    return Err(format!("`schema/api.json`: unknown type `{name}`"));
                }
            }
        }
        Ok(())
    }

    /// The functions that are called by their names.
    pub fn called(&self) -> impl Iterator<Item = &(String, Function)> {
        let functions = self.functions.0.iter();
        functions.filter(|(_, function)| function.module.as_deref() != Some("toolwire"))
    }

    /// The functions of a module.
    pub fn of<'a>(&'a self, module: &'a str) -> impl Iterator<Item = &'a (String, Function)> {
        let functions = self.functions.0.iter();
        functions.filter(move |(_, function)| function.module.as_deref() == Some(module))
    }

    /// The options of a function.
    pub fn options_of(&self, function: &Function) -> &[(String, OptionMember)] {
        let options = function.options.as_deref();
        let options = options.and_then(|options| self.options.get(options));
        options.map_or(&[], |options| &options.members.0)
    }

    /// The types as shapes, beside those of the schemas.
    pub fn shapes(&self) -> Result<Vec<Shape>, String> {
        types::shapes(self)
    }

    /// The files that are made of the description alone.
    pub fn outputs(&self, root: &Path) -> Result<Vec<Output>, String> {
        let mut outputs = rust::outputs(self)?;
        outputs.extend(views::outputs(self, root)?);
        outputs.extend(python::outputs(self)?);
        outputs.extend(node::outputs(self)?);
        outputs.extend(names::outputs(self));
        outputs.push(jobs::output(self)?);
        outputs.push(jobs::names_in_node(self)?);
        Ok(outputs)
    }
}

impl Member {
    pub fn kind(&self) -> &str {
        match self {
            Member::Kind(kind) | Member::Documented(kind, _) | Member::At(kind, ..) => kind,
        }
    }

    pub fn doc(&self) -> &str {
        match self {
            Member::Kind(_) => "",
            Member::Documented(_, doc) | Member::At(_, doc, _) => doc,
        }
    }

    pub fn path(&self) -> Option<&str> {
        match self {
            Member::At(_, _, path) => Some(path),
            _ => None,
        }
    }
}

/// A name in camelCase as Rust and Python spell it.
pub fn snake(name: &str) -> String {
    let mut out = String::new();
    for (index, letter) in name.chars().enumerate() {
        if letter.is_ascii_uppercase() && index > 0 {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

/// A name in snake_case as Node spells it.
pub fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let mut out = words.next().unwrap_or_default().to_owned();
    for word in words {
        let (first, rest) = word.split_at(word.len().min(1));
        out.push_str(&first.to_ascii_uppercase());
        out.push_str(rest);
    }
    out
}
