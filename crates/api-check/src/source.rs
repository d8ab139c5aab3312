//! The sources of a crate: all its modules, as they are written.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use syn::{Attribute, Item, ItemMacro, ItemMod, Meta};

/// A path inside a crate, without the crate's name; the root is empty.
pub type Inside = Vec<String>;

pub struct Crate {
    pub modules: BTreeMap<Inside, Module>,
}

#[derive(Default)]
pub struct Module {
    /// Everything but modules, what is only for tests, and what is hidden from the documentation.
    pub items: Vec<Item>,
    /// The modules in it that are public, by their names.
    pub public_modules: Vec<String>,
    /// The conditions under which the module is compiled.
    pub conditions: String,
}

impl Crate {
    /// Reads a crate from the file of its root.
    pub fn read(root: &Path) -> Result<Crate, String> {
        let mut found = Crate {
            modules: BTreeMap::new(),
        };
        let folder = root.parent().unwrap_or(root);
        found.add(Vec::new(), String::new(), items_of(root)?, folder)?;
        Ok(found)
    }

    /// Adds a module and those in it; `folder` is where their files are.
    fn add(
        &mut self,
        path: Inside,
        conditions: String,
        items: Vec<Item>,
        folder: &Path,
    ) -> Result<(), String> {
        let mut module = Module {
            conditions: conditions.clone(),
            ..Module::default()
        };
        for item in items {
            if is_left_out(attributes(&item)) {
                continue;
            }
            match item {
                Item::Mod(inner) => {
                    let name = inner.ident.to_string();
                    if is_public(&inner.vis) {
                        module.public_modules.push(name.clone());
                    }
                    let conditions = format!("{conditions}{}", conditions_of(&inner.attrs));
                    let within: Inside = path.iter().cloned().chain([name.clone()]).collect();
                    let items = content(inner, folder)?;
                    self.add(within, conditions, items, &folder.join(name))?;
                }
                Item::Macro(item) if item.ident.is_none() => {
                    let name = item.mac.path.segments.last();
                    let name = name.map(|segment| segment.ident.to_string());
                    // A thread's own variables are private wherever they are.
                    if name.as_deref() == Some("closed_words") {
                        module.items.extend(closed_words(&item)?);
                    } else if name.as_deref() != Some("thread_local") {
                        return Err(format!(
                            "the macro `{}!` in `{}` makes items, which this listing can't see; \
                             write them out",
                            name.unwrap_or_default(),
                            folder.display()
                        ));
                    }
                }
                item => module.items.push(item),
            }
        }
        self.modules.insert(path, module);
        Ok(())
    }
}

/// What is in a module, be it written in place or in a file of its own.
fn content(module: ItemMod, folder: &Path) -> Result<Vec<Item>, String> {
    if let Some((_, items)) = module.content {
        return Ok(items);
    }
    let name = module.ident.to_string();
    let file = folder.join(format!("{name}.rs"));
    let file = match file.exists() {
        true => file,
        false => folder.join(name).join("mod.rs"),
    };
    items_of(&file)
}

fn items_of(file: &Path) -> Result<Vec<Item>, String> {
    let shown = file.display();
    let text =
        fs::read_to_string(file).map_err(|error| format!("cannot read `{shown}`: {error}"))?;
    let parsed = syn::parse_file(&text).map_err(|error| format!("`{shown}`: {error}"))?;
    Ok(parsed.items)
}

/// Whether something is public for other crates.
pub fn is_public(visibility: &syn::Visibility) -> bool {
    matches!(visibility, syn::Visibility::Public(_))
}

/// Whether something is only there for tests, or hidden from the documentation.
pub fn is_left_out(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let text = inner_text(attribute);
        match name_of(attribute).as_str() {
            "cfg" => ["test", "doctest", "doc"].contains(&text.as_str()),
            "doc" => text == "hidden",
            _ => false,
        }
    })
}

/// What has to be known of something beside its signature, as it is written before it.
pub fn marks(attributes: &[Attribute]) -> String {
    let marks = attributes.iter().filter_map(|attribute| {
        let name = name_of(attribute);
        match name.as_str() {
            "non_exhaustive" | "deprecated" => Some(format!("#[{name}] ")),
            _ => None,
        }
    });
    let marks: String = marks.collect();
    conditions_of(attributes) + &marks
}

fn conditions_of(attributes: &[Attribute]) -> String {
    let conditions = attributes.iter().filter(|one| name_of(one) == "cfg");
    conditions
        .map(|one| format!("#[cfg({})] ", inner_text(one)))
        .collect()
}

fn name_of(attribute: &Attribute) -> String {
    let name = attribute.path().get_ident();
    name.map(ToString::to_string).unwrap_or_default()
}

/// What stands in the parentheses of an attribute.
fn inner_text(attribute: &Attribute) -> String {
    match &attribute.meta {
        Meta::List(list) => list.tokens.to_string(),
        _ => String::new(),
    }
}

/// The traits that are derived, as they are written.
pub fn derived(attributes: &[Attribute]) -> Vec<syn::Path> {
    use syn::{Token, punctuated::Punctuated};
    let lists = attributes.iter().filter(|one| name_of(one) == "derive");
    lists
        .filter_map(|one| {
            let parser = Punctuated::<syn::Path, Token![,]>::parse_terminated;
            one.parse_args_with(parser).ok()
        })
        .flatten()
        .collect()
}

pub fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// What the core's macro `closed_words!` makes for a type, which it names first; the bodies are not
/// listed, so they are not here either.
fn closed_words(item: &ItemMacro) -> Result<Vec<Item>, String> {
    let name = item.mac.tokens.clone().into_iter().next();
    let name = name.ok_or("`closed_words!` names no type")?.to_string();
    let source = "
        impl TYPE {
            pub const ALL: &'static [Self] = &[];
            pub const fn as_str(self) -> &'static str {}
        }
        impl std::fmt::Display for TYPE {}
        impl std::str::FromStr for TYPE {
            type Err = crate::UnknownWord;
        }
        impl serde::Serialize for TYPE {}
        impl<'de> serde::Deserialize<'de> for TYPE {}
    ";
    let file = syn::parse_file(&source.replace("TYPE", &name));
    file.map(|file| file.items)
        .map_err(|error| format!("`closed_words!` of `{name}`: {error}"))
}
