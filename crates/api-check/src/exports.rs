//! What can be named from outside a crate, and how.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use syn::Item;

use crate::names::{Definition, Meaning, Names, Space, named};
use crate::render::PublicNames;
use crate::source::{Crate, Inside, is_public};

/// Under which names things can be reached from outside.
#[derive(Default)]
pub struct Exports {
    pub own: BTreeMap<Definition, BTreeSet<Inside>>,
    /// What is of other crates: the name here, and the path there.
    pub foreign: BTreeSet<(Inside, Inside)>,
    pub modules: BTreeMap<Inside, String>,
    walked: HashSet<(Inside, Inside)>,
}

impl Exports {
    /// Adds what is public in a module, which itself can be reached as `outside`.
    pub fn walk(&mut self, source: &Crate, names: &Names, outside: &Inside, module: &Inside) {
        if !self.walked.insert((outside.clone(), module.clone())) {
            return;
        }
        let Some(found) = source.modules.get(module) else {
            return;
        };
        for name in &found.public_modules {
            let inner = Definition {
                path: within(module, name),
                space: Space::Type,
            };
            self.add(source, names, within(outside, name), Meaning::Own(inner));
        }
        for item in &found.items {
            match item {
                Item::Macro(item) if item.ident.is_some() => {
                    let exported = item
                        .attrs
                        .iter()
                        .any(|one| one.path().is_ident("macro_export"));
                    if let (true, Some((name, space))) =
                        (exported, named(&Item::Macro(item.clone())))
                    {
                        let path = within(module, &name);
                        let paths = self.own.entry(Definition { path, space }).or_default();
                        paths.insert(vec![name]);
                    }
                }
                item if is_public_item(item) => {
                    if let Some((name, space)) = named(item) {
                        let path = within(module, &name);
                        let paths = self.own.entry(Definition { path, space }).or_default();
                        paths.insert(within(outside, &name));
                    }
                }
                _ => {}
            }
        }
        for import in names.imports(module).iter().filter(|import| import.public) {
            for meaning in names.meanings(module, import) {
                match (&import.name, meaning) {
                    (Some(name), meaning) => {
                        self.add(source, names, within(outside, name), meaning);
                    }
                    (None, Meaning::Own(found)) if names.is_module(&found) => {
                        self.walk(source, names, outside, &found.path);
                    }
                    (None, Meaning::Own(found)) => {
                        self.foreign.insert((within(outside, "*"), found.path));
                    }
                    (None, Meaning::Foreign(path)) => {
                        self.foreign.insert((within(outside, "*"), path));
                    }
                }
            }
        }
    }

    fn add(&mut self, source: &Crate, names: &Names, outside: Inside, meaning: Meaning) {
        match meaning {
            Meaning::Own(found) if names.is_module(&found) => {
                let conditions = source.modules[&found.path].conditions.clone();
                self.modules.insert(outside.clone(), conditions);
                self.walk(source, names, &outside, &found.path);
            }
            Meaning::Own(found) => {
                self.own.entry(found).or_default().insert(outside);
            }
            Meaning::Foreign(path) => {
                self.foreign.insert((outside, path));
            }
        }
    }

    /// The shortest name of each item, the first of several in the alphabet.
    pub fn names(&self) -> PublicNames {
        let named = self.own.iter().filter_map(|(definition, paths)| {
            let shortest = paths.iter().min_by_key(|path| (path.len(), *path))?;
            Some((definition.clone(), shortest.clone()))
        });
        named.collect()
    }
}

fn is_public_item(item: &Item) -> bool {
    match item {
        Item::Const(item) => is_public(&item.vis),
        Item::Enum(item) => is_public(&item.vis),
        Item::Fn(item) => is_public(&item.vis),
        Item::Static(item) => is_public(&item.vis),
        Item::Struct(item) => is_public(&item.vis),
        Item::Trait(item) => is_public(&item.vis),
        Item::Type(item) => is_public(&item.vis),
        Item::Union(item) => is_public(&item.vis),
        _ => false,
    }
}

/// The path of what has this name in a module.
pub fn within(module: &[String], name: &str) -> Inside {
    module.iter().cloned().chain([name.to_owned()]).collect()
}
