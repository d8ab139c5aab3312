//! The sources of a crate: all its modules, as they are written.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use syn::{Attribute, Item, ItemMod, Meta};

use crate::macros::Macro;

/// A path inside a crate, without the crate's name; the root is empty.
pub type Inside = Vec<String>;

pub struct Crate {
    pub modules: BTreeMap<Inside, Module>,
}

#[derive(Default)]
pub struct Module {
    /// Everything but modules, what is only for tests, and what is hidden from the documentation.
    pub items: Vec<Item>,
    /// The macros that are called in place of items.
    calls: Vec<syn::Macro>,
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
        found.expand()?;
        Ok(found)
    }

    /// Puts the items that macros make to the others.
    fn expand(&mut self) -> Result<(), String> {
        let items = self.modules.values().flat_map(|module| &module.items);
        let macros: BTreeMap<String, Macro> = items
            .filter_map(|item| match item {
                Item::Macro(item) => {
                    let rules = Macro::new(item.mac.tokens.clone());
                    Some((item.ident.as_ref()?.to_string(), rules))
                }
                _ => None,
            })
            .collect();
        for (path, module) in &mut self.modules {
            for call in std::mem::take(&mut module.calls) {
                let name = call.path.segments.last();
                let name = name.map_or(String::new(), |segment| segment.ident.to_string());
                // Variables of a thread or task are private wherever they are.
                if name == "thread_local" || name == "task_local" {
                    continue;
                }
                let made = macros
                    .get(&name)
                    .and_then(|known| known.expand(call.tokens));
                let made = made.and_then(|tokens| syn::parse2::<syn::File>(tokens).ok());
                match made.map(|file| file.items) {
                    Some(items) if items.iter().all(is_plain) => module.items.extend(items),
                    _ => {
                        return Err(format!(
                            "the macro `{name}!` in the module `{}` makes items that this listing \
                             can't see; write them out, or let the macro take single tokens",
                            path.join("::")
                        ));
                    }
                }
            }
        }
        Ok(())
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
                Item::Macro(item) if item.ident.is_none() => module.calls.push(item.mac),
                item => module.items.push(item),
            }
        }
        self.modules.insert(path, module);
        Ok(())
    }
}

/// Whether there is nothing behind an item that would have to be read or expanded in turn.
fn is_plain(item: &Item) -> bool {
    !matches!(item, Item::Mod(_) | Item::Macro(_) | Item::Verbatim(_))
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
