//! What a name means where it is written: through `use` to the item itself.

use std::collections::HashMap;

use syn::{Item, UseTree, Visibility};

use crate::source::{Crate, Inside, is_public};

/// Types, values and macros have names apart from each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    Type,
    Value,
    Macro,
}

/// An item of the crate, by the place where it is written.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Definition {
    pub path: Inside,
    pub space: Space,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    Own(Definition),
    /// Something of another crate, by its path there.
    Foreign(Inside),
}

/// A `use`, or one of its names.
pub struct Import {
    /// The name that it gives; nothing where it gives all names of a module.
    pub name: Option<String>,
    pub path: Inside,
    pub public: bool,
    /// Whether only the module itself and those in it see the name.
    private: bool,
}

pub struct Names<'a> {
    source: &'a Crate,
    imports: HashMap<&'a Inside, Vec<Import>>,
}

/// What is being looked up at the moment, so that a `use` isn't explained by itself.
type Open = Vec<(Inside, String, Space)>;

impl<'a> Names<'a> {
    pub fn of(source: &'a Crate) -> Self {
        let imports = source.modules.iter().map(|(path, module)| {
            let mut imports = Vec::new();
            for item in &module.items {
                if let Item::Use(item) = item {
                    collect(&item.tree, Vec::new(), &item.vis, &mut imports);
                }
            }
            (path, imports)
        });
        Names {
            source,
            imports: imports.collect(),
        }
    }

    pub fn imports(&self, module: &Inside) -> &[Import] {
        self.imports.get(module).map_or(&[], Vec::as_slice)
    }

    pub fn is_module(&self, definition: &Definition) -> bool {
        definition.space == Space::Type && self.source.modules.contains_key(&definition.path)
    }

    /// What a path means in a module, and how many of its segments name that. Nothing for what is
    /// neither in the crate nor imported, such as `String`.
    pub fn resolve(
        &self,
        from: &Inside,
        path: &[String],
        space: Space,
    ) -> Option<(Meaning, usize)> {
        self.follow(from, path, space, &mut Open::new())
    }

    /// What a `use` means in each space.
    pub fn meanings(&self, from: &Inside, import: &Import) -> Vec<Meaning> {
        let mut open = Open::new();
        if let Some(name) = &import.name {
            for space in SPACES {
                open.push((from.clone(), name.clone(), space));
            }
        }
        let own = SPACES.into_iter().filter_map(|space| {
            let (meaning, used) = self.follow(from, &import.path, space, &mut open)?;
            // What stands in an enum is listed with it.
            (used == import.path.len()).then_some(meaning)
        });
        let mut meanings: Vec<Meaning> = own.collect();
        meanings.dedup();
        if meanings.is_empty() {
            meanings.push(Meaning::Foreign(import.path.clone()));
        }
        meanings
    }

    fn follow(
        &self,
        from: &Inside,
        path: &[String],
        space: Space,
        open: &mut Open,
    ) -> Option<(Meaning, usize)> {
        let mut at = from.clone();
        let mut used = 0;
        while let Some(word) = path.get(used) {
            match word.as_str() {
                "crate" => at.clear(),
                "self" => {}
                "super" => drop(at.pop()),
                _ => break,
            }
            used += 1;
        }
        while let Some(name) = path.get(used) {
            used += 1;
            let last = used == path.len();
            let wanted = if last { space } else { Space::Type };
            match self.lookup(from, &at, name, wanted, open)? {
                Meaning::Foreign(mut whole) => {
                    whole.extend(path[used..].iter().cloned());
                    return Some((Meaning::Foreign(whole), path.len()));
                }
                Meaning::Own(found) if self.is_module(&found) && !last => at = found.path,
                own => return Some((own, used)),
            }
        }
        let module = Definition {
            path: at,
            space: Space::Type,
        };
        (space == Space::Type).then_some((Meaning::Own(module), used))
    }

    fn lookup(
        &self,
        from: &Inside,
        module: &Inside,
        name: &str,
        space: Space,
        open: &mut Open,
    ) -> Option<Meaning> {
        let key = (module.clone(), name.to_owned(), space);
        if let Some(found) = self.item(module, name, space) {
            return Some(Meaning::Own(found));
        }
        if open.contains(&key) {
            return None;
        }
        open.push(key);
        let found = self.imported(from, module, name, space, open);
        open.pop();
        found
    }

    /// An item that is written in the module itself.
    fn item(&self, module: &Inside, name: &str, space: Space) -> Option<Definition> {
        let path: Inside = module.iter().cloned().chain([name.to_owned()]).collect();
        let mut items = self.source.modules.get(module)?.items.iter();
        let there = space == Space::Type && self.source.modules.contains_key(&path)
            || items.any(|item| named(item).is_some_and(|found| found == (name.into(), space)));
        there.then_some(Definition { path, space })
    }

    fn imported(
        &self,
        from: &Inside,
        module: &Inside,
        name: &str,
        space: Space,
        open: &mut Open,
    ) -> Option<Meaning> {
        let seen = |import: &&Import| !import.private || from.starts_with(module);
        let imports = self.imports(module).iter().filter(seen);
        for import in imports
            .clone()
            .filter(|one| one.name.as_deref() == Some(name))
        {
            match self.follow(module, &import.path, space, open) {
                Some((meaning, used)) if used == import.path.len() => return Some(meaning),
                Some(_) => {}
                None if self.begins_here(module, &import.path, open) => {}
                None => return Some(Meaning::Foreign(import.path.clone())),
            }
        }
        for glob in imports.filter(|import| import.name.is_none()) {
            if let Some((Meaning::Own(found), used)) =
                self.follow(module, &glob.path, Space::Type, open)
                && used == glob.path.len()
                && let Some(meaning) = self.lookup(module, &found.path, name, space, open)
            {
                return Some(meaning);
            }
        }
        None
    }

    /// Whether a path begins in the crate, so that it is of no other one.
    fn begins_here(&self, module: &Inside, path: &[String], open: &mut Open) -> bool {
        let first = path.first().map_or("", String::as_str);
        ["crate", "self", "super"].contains(&first)
            || self
                .follow(module, &path[..1], Space::Type, open)
                .is_some_and(|(meaning, _)| matches!(meaning, Meaning::Own(_)))
    }
}

const SPACES: [Space; 3] = [Space::Type, Space::Value, Space::Macro];

/// The name that an item has, and where it counts.
pub fn named(item: &Item) -> Option<(String, Space)> {
    let (ident, space) = match item {
        Item::Const(item) => (&item.ident, Space::Value),
        Item::Enum(item) => (&item.ident, Space::Type),
        Item::Fn(item) => (&item.sig.ident, Space::Value),
        Item::Macro(item) => (item.ident.as_ref()?, Space::Macro),
        Item::Static(item) => (&item.ident, Space::Value),
        Item::Struct(item) => (&item.ident, Space::Type),
        Item::Trait(item) => (&item.ident, Space::Type),
        Item::Type(item) => (&item.ident, Space::Type),
        Item::Union(item) => (&item.ident, Space::Type),
        _ => return None,
    };
    Some((ident.to_string(), space))
}

fn collect(tree: &UseTree, mut path: Inside, visibility: &Visibility, imports: &mut Vec<Import>) {
    let (name, path) = match tree {
        UseTree::Path(tree) => {
            path.push(tree.ident.to_string());
            return collect(&tree.tree, path, visibility, imports);
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                collect(tree, path.clone(), visibility, imports);
            }
            return;
        }
        UseTree::Glob(_) => (None, path),
        UseTree::Name(tree) => {
            if tree.ident != "self" {
                path.push(tree.ident.to_string());
            }
            (path.last().cloned(), path)
        }
        UseTree::Rename(tree) => {
            if tree.ident != "self" {
                path.push(tree.ident.to_string());
            }
            (Some(tree.rename.to_string()), path)
        }
    };
    imports.push(Import {
        name,
        path,
        public: is_public(visibility),
        private: matches!(visibility, Visibility::Inherited),
    });
}
