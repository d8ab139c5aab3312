//! The listing of a crate's API: a line for every public item, field, variant, method and impl.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use syn::{Fields, GenericArgument, GenericParam, Item, PathArguments, Type, parse_quote};

use crate::exports::{Exports, within};
use crate::names::{Definition, Meaning, Names, Space, named};
use crate::render::{Renderer, Scope, name};
use crate::source::{self, Crate, Inside, is_left_out, is_public, marks};

/// Lists the API of the crate with this root.
pub fn of_crate(krate: &str, root: &Path) -> Result<String, String> {
    let source = Crate::read(root)?;
    let names = Names::of(&source);
    let mut exports = Exports::default();
    exports.walk(&source, &names, &Inside::new(), &Inside::new());
    let public = exports.names();
    let renderer = Renderer {
        krate,
        names: &names,
        public: &public,
    };
    let mut listing = Listing {
        source: &source,
        renderer: &renderer,
        parts: BTreeMap::new(),
        foreign: BTreeSet::new(),
    };
    listing.items();
    listing.impls();
    Ok(listing.write(&exports))
}

/// The lines that are in one of two listings only, as a diff shows them.
pub fn changes(kept: &str, new: &str) -> String {
    let lines = |text: &str| -> BTreeSet<String> { text.lines().map(str::to_owned).collect() };
    let (kept, new) = (lines(kept), lines(new));
    let mut text = String::new();
    for line in kept.difference(&new) {
        let _ = writeln!(text, "  - {line}");
    }
    for line in new.difference(&kept) {
        let _ = writeln!(text, "  + {line}");
    }
    text
}

/// What is listed of one item.
#[derive(Default)]
struct Part {
    /// The item with its fields or variants, as they are written.
    item: Vec<String>,
    /// Methods and constants.
    associated: BTreeSet<String>,
    impls: BTreeSet<String>,
}

struct Listing<'a> {
    source: &'a Crate,
    renderer: &'a Renderer<'a>,
    parts: BTreeMap<Definition, Part>,
    /// Impls for what is not an item of this crate.
    foreign: BTreeSet<String>,
}

impl<'a> Listing<'a> {
    fn items(&mut self) {
        for (path, module) in &self.source.modules {
            for item in &module.items {
                let Some((name, space)) = named(item) else {
                    continue;
                };
                let definition = Definition {
                    path: within(path, &name),
                    space,
                };
                let Some(public) = self.renderer.public.get(&definition) else {
                    continue;
                };
                let shown = self.renderer.path(public);
                let mut part = self.parts.remove(&definition).unwrap_or_default();
                let before = format!("{}{}", module.conditions, marks(source::attributes(item)));
                self.item(item, &Scope::of(path), &before, &shown, &mut part);
                self.parts.insert(definition, part);
            }
        }
    }

    fn item(&self, item: &Item, scope: &Scope, before: &str, shown: &str, part: &mut Part) {
        let name = name();
        let mut head = |item: Item, scope: &Scope, after: &str| {
            let text = self.renderer.item(item, scope, shown);
            part.item.push(format!("{before}pub {text}{after}"));
        };
        match item {
            Item::Const(item) => {
                let ty = self.renderer.ty(&item.ty, scope);
                part.item.push(format!("{before}pub const {shown}: {ty}"));
            }
            Item::Static(item) => {
                let ty = self.renderer.ty(&item.ty, scope);
                part.item.push(format!("{before}pub static {shown}: {ty}"));
            }
            Item::Macro(_) => part.item.push(format!("{before}pub macro {shown}!")),
            Item::Fn(item) => {
                let text = self.renderer.function(&item.sig, scope, shown);
                part.item.push(format!("{before}pub {text}"));
            }
            Item::Type(item) => {
                let scope = scope.with(&item.generics);
                let mut item = item.clone();
                (item.attrs, item.vis, item.ident) = (Vec::new(), syn::Visibility::Inherited, name);
                head(item.into(), &scope, "");
            }
            Item::Struct(item) => {
                let scope = scope.with(&item.generics);
                let (generics, bounds) = (&item.generics, &item.generics.where_clause);
                head(
                    parse_quote!(struct #name #generics #bounds;),
                    &scope,
                    &self.rest_of_fields(&item.fields, &scope),
                );
                self.named_fields(&item.fields, &scope, shown, part);
                self.derives(&item.attrs, &item.generics, &scope, shown, part);
            }
            Item::Union(item) => {
                let scope = scope.with(&item.generics);
                let generics = &item.generics;
                head(parse_quote!(struct #name #generics;), &scope, " { .. }");
            }
            Item::Enum(item) => {
                let scope = scope.with(&item.generics);
                let (generics, bounds) = (&item.generics, &item.generics.where_clause);
                head(parse_quote!(enum #name #generics #bounds {}), &scope, "");
                for variant in &item.variants {
                    if is_left_out(&variant.attrs) {
                        continue;
                    }
                    let fields = self.fields_of_variant(&variant.fields, &scope);
                    let value = variant.discriminant.as_ref().map(|(_, value)| {
                        let item = parse_quote!(const #name: u8 = #value;);
                        let text = self.renderer.item(item, &scope, "");
                        text.replacen("const : u8", "", 1)
                    });
                    part.item.push(format!(
                        "{}{shown}::{}{fields}{}",
                        marks(&variant.attrs),
                        variant.ident,
                        value.unwrap_or_default()
                    ));
                }
                self.derives(&item.attrs, &item.generics, &scope, shown, part);
            }
            Item::Trait(item) => {
                let scope = scope.with(&item.generics);
                let mut empty = item.clone();
                (empty.attrs, empty.vis, empty.ident) =
                    (Vec::new(), syn::Visibility::Inherited, name);
                empty.items.clear();
                head(empty.into(), &scope, "");
                for item in &item.items {
                    part.associated.extend(self.in_trait(item, &scope, shown));
                }
            }
            _ => {}
        }
    }

    /// What stands behind the name of a struct: its places, or that there is more than can be named.
    fn rest_of_fields(&self, fields: &Fields, scope: &Scope) -> String {
        match fields {
            Fields::Named(fields) => {
                let mut fields = fields.named.iter();
                let hidden =
                    fields.any(|field| !is_public(&field.vis) || is_left_out(&field.attrs));
                if hidden { " { .. }" } else { "" }.to_owned()
            }
            Fields::Unnamed(fields) => {
                let fields = fields
                    .unnamed
                    .iter()
                    .map(|field| match is_public(&field.vis) {
                        true => format!("pub {}", self.renderer.ty(&field.ty, scope)),
                        false => "_".to_owned(),
                    });
                format!("({})", fields.collect::<Vec<_>>().join(", "))
            }
            Fields::Unit => ";".to_owned(),
        }
    }

    fn named_fields(&self, fields: &Fields, scope: &Scope, shown: &str, part: &mut Part) {
        let Fields::Named(fields) = fields else {
            return;
        };
        for field in &fields.named {
            if let Some(name) = &field.ident
                && is_public(&field.vis)
                && !is_left_out(&field.attrs)
            {
                let ty = self.renderer.ty(&field.ty, scope);
                let before = marks(&field.attrs);
                part.item.push(format!("{before}pub {shown}::{name}: {ty}"));
            }
        }
    }

    fn fields_of_variant(&self, fields: &Fields, scope: &Scope) -> String {
        let ty = |field: &syn::Field| self.renderer.ty(&field.ty, scope);
        match fields {
            Fields::Named(fields) => {
                let fields = fields.named.iter().map(|field| {
                    let name = field.ident.as_ref().map(ToString::to_string);
                    format!("{}: {}", name.unwrap_or_default(), ty(field))
                });
                format!(" {{ {} }}", fields.collect::<Vec<_>>().join(", "))
            }
            Fields::Unnamed(fields) => {
                let fields: Vec<String> = fields.unnamed.iter().map(ty).collect();
                format!("({})", fields.join(", "))
            }
            Fields::Unit => String::new(),
        }
    }

    fn derives(
        &self,
        attributes: &[syn::Attribute],
        generics: &syn::Generics,
        scope: &Scope,
        shown: &str,
        part: &mut Part,
    ) {
        let (_, arguments, bounds) = generics.split_for_impl();
        let name = name();
        for path in source::derived(attributes) {
            let mut generics = generics.clone();
            for parameter in generics.type_params_mut() {
                parameter.bounds.push(parse_quote!(#path));
            }
            let (parameters, ..) = generics.split_for_impl();
            let item: Item = parse_quote!(impl #parameters #path for #name #arguments #bounds {});
            part.impls.insert(self.renderer.item(item, scope, shown));
        }
    }

    fn in_trait(&self, item: &syn::TraitItem, scope: &Scope, shown: &str) -> Option<String> {
        let name = name();
        match item {
            syn::TraitItem::Fn(item) if !is_left_out(&item.attrs) => {
                let path = format!("{shown}::{}", item.sig.ident);
                let text = self.renderer.function(&item.sig, scope, &path);
                // Whoever implements the trait need not write what is provided.
                let after = if item.default.is_some() {
                    " { .. }"
                } else {
                    ""
                };
                Some(format!("{}pub {text}{after}", marks(&item.attrs)))
            }
            syn::TraitItem::Const(item) if !is_left_out(&item.attrs) => {
                let ty = self.renderer.ty(&item.ty, scope);
                let after = if item.default.is_some() { " = .." } else { "" };
                Some(format!("pub const {shown}::{}: {ty}{after}", item.ident))
            }
            syn::TraitItem::Type(item) if !is_left_out(&item.attrs) => {
                let path = format!("{shown}::{}", item.ident);
                let (generics, bounds) = (&item.generics, &item.bounds);
                let stand_in: Item = match bounds.is_empty() {
                    true => parse_quote!(trait #name #generics {}),
                    false => parse_quote!(trait #name #generics: #bounds {}),
                };
                let text = self.renderer.item(stand_in, scope, &path);
                Some(format!("pub {}", text.replacen("trait", "type", 1)))
            }
            _ => None,
        }
    }

    fn impls(&mut self) {
        for (path, module) in &self.source.modules {
            for item in &module.items {
                let Item::Impl(item) = item else { continue };
                let scope = Scope::of(path).with(&item.generics);
                let before = format!("{}{}", module.conditions, marks(&item.attrs));
                match &item.trait_ {
                    None => self.inherent(item, path, &scope, &before),
                    Some(_) => self.of_trait(item, path, &scope, &before),
                }
            }
        }
    }

    fn inherent(&mut self, item: &syn::ItemImpl, module: &Inside, scope: &Scope, before: &str) {
        let Some(definition) = self.of_type(&item.self_ty, module) else {
            return;
        };
        let Some(public) = self.renderer.public.get(&definition) else {
            return;
        };
        let shown = self.renderer.path(public);
        let after = match is_general(item) {
            true => String::new(),
            false => format!(" in {}", self.head(item, scope)),
        };
        let mut lines = Vec::new();
        for member in &item.items {
            match member {
                syn::ImplItem::Fn(item) if is_public(&item.vis) && !is_left_out(&item.attrs) => {
                    let path = format!("{shown}::{}", item.sig.ident);
                    let text = self.renderer.function(&item.sig, scope, &path);
                    let marks = marks(&item.attrs);
                    lines.push(format!("{before}{marks}pub {text}{after}"));
                }
                syn::ImplItem::Const(item) if is_public(&item.vis) && !is_left_out(&item.attrs) => {
                    let ty = self.renderer.ty(&item.ty, scope);
                    let marks = marks(&item.attrs);
                    let line = format!("{before}{marks}pub const {shown}::{}: {ty}", item.ident);
                    lines.push(line + &after);
                }
                _ => {}
            }
        }
        let part = self.parts.entry(definition).or_default();
        part.associated.extend(lines);
    }

    fn of_trait(&mut self, item: &syn::ItemImpl, module: &Inside, scope: &Scope, before: &str) {
        let Some((_, path, _)) = &item.trait_ else {
            return;
        };
        // What only the crate itself can name is no part of its API.
        if self.is_private(path, module) {
            return;
        }
        let types = item.items.iter().filter_map(|member| match member {
            syn::ImplItem::Type(item) => {
                let ty = self.renderer.ty(&item.ty, scope);
                Some(format!("type {} = {ty};", item.ident))
            }
            _ => None,
        });
        let types: Vec<String> = types.collect();
        let types = match types.is_empty() {
            true => String::new(),
            false => format!(" {{ {} }}", types.join(" ")),
        };
        let line = format!("{before}{}{types}", self.head(item, scope));
        match self.of_type(&item.self_ty, module) {
            Some(definition) if self.renderer.public.contains_key(&definition) => {
                let part = self.parts.entry(definition).or_default();
                part.impls.insert(line);
            }
            Some(_) => {}
            None if mentions_private(item, |path| self.is_private(path, module)) => {}
            None => {
                self.foreign.insert(line);
            }
        }
    }

    /// The first line of an impl.
    fn head(&self, item: &syn::ItemImpl, scope: &Scope) -> String {
        let mut empty = item.clone();
        empty.attrs.clear();
        empty.items.clear();
        self.renderer.item(empty.into(), scope, "")
    }

    /// The item of this crate that a type names, be it behind a reference.
    fn of_type(&self, ty: &Type, module: &Inside) -> Option<Definition> {
        match ty {
            Type::Reference(reference) => self.of_type(&reference.elem, module),
            Type::Paren(inner) => self.of_type(&inner.elem, module),
            Type::Path(path) if path.qself.is_none() => self.own(&path.path, module),
            _ => None,
        }
    }

    fn own(&self, path: &syn::Path, module: &Inside) -> Option<Definition> {
        let words: Inside = path
            .segments
            .iter()
            .map(|one| one.ident.to_string())
            .collect();
        match self.renderer.names.resolve(module, &words, Space::Type)? {
            (Meaning::Own(definition), _) => Some(definition),
            (Meaning::Foreign(_), _) => None,
        }
    }

    fn is_private(&self, path: &syn::Path, module: &Inside) -> bool {
        let own = self.own(path, module);
        own.is_some_and(|definition| !self.renderer.public.contains_key(&definition))
    }

    fn write(self, exports: &Exports) -> String {
        let krate = self.renderer.krate;
        let mut sorted: BTreeMap<(Inside, Space), Vec<String>> = BTreeMap::new();
        for (path, conditions) in &exports.modules {
            let line = format!("{conditions}pub mod {}", self.renderer.path(path));
            sorted
                .entry((path.clone(), Space::Type))
                .or_default()
                .push(line);
        }
        for (outside, path) in &exports.foreign {
            let (outside_text, path) = (self.renderer.path(outside), path.join("::"));
            let line = format!("pub use {path} as {outside_text}");
            sorted
                .entry((outside.clone(), Space::Type))
                .or_default()
                .push(line);
        }
        for (definition, paths) in &exports.own {
            let Some(main) = self.renderer.public.get(definition) else {
                continue;
            };
            for other in paths.iter().filter(|path| *path != main) {
                let (other_text, main) = (self.renderer.path(other), self.renderer.path(main));
                let line = format!("pub use {main} as {other_text}");
                sorted
                    .entry((other.clone(), definition.space))
                    .or_default()
                    .push(line);
            }
            if let Some(part) = self.parts.get(definition) {
                let lines = sorted.entry((main.clone(), definition.space)).or_default();
                lines.extend(part.item.iter().cloned());
                lines.extend(part.associated.iter().cloned());
                lines.extend(part.impls.iter().cloned());
            }
        }
        let mut text = format!(
            "# The API of `{krate}`, one item a line. Written by `cargo xtask api --write`; do not edit.\n\
             # A trait's method with `{{ .. }}` is provided, a struct with `{{ .. }}` has private fields.\n\
             # Not listed: what the compiler implements by itself, such as `Send`.\n"
        );
        for line in sorted.into_values().flatten().chain(self.foreign) {
            text.push_str(&line);
            text.push('\n');
        }
        text
    }
}

/// Whether an impl is for a type with whatever parameters.
fn is_general(item: &syn::ItemImpl) -> bool {
    let bounded = item.generics.where_clause.is_some()
        || item
            .generics
            .params
            .iter()
            .any(|parameter| match parameter {
                GenericParam::Type(parameter) => !parameter.bounds.is_empty(),
                GenericParam::Lifetime(parameter) => !parameter.bounds.is_empty(),
                GenericParam::Const(_) => false,
            });
    let Type::Path(path) = &*item.self_ty else {
        return false;
    };
    let arguments = path.path.segments.last().map(|segment| &segment.arguments);
    let plain = match arguments {
        Some(PathArguments::AngleBracketed(arguments)) => {
            arguments.args.iter().all(|one| match one {
                GenericArgument::Lifetime(lifetime) => lifetime.ident != "static",
                GenericArgument::Type(Type::Path(path)) => {
                    let mut parameters = item.generics.type_params();
                    parameters.any(|parameter| path.path.is_ident(&parameter.ident))
                }
                _ => false,
            })
        }
        _ => true,
    };
    plain && !bounded
}

/// Whether an impl names something that can't be named from outside.
fn mentions_private(item: &syn::ItemImpl, is_private: impl Fn(&syn::Path) -> bool) -> bool {
    use syn::visit_mut::{VisitMut, visit_path_mut};
    struct Seen<F>(F, bool);
    impl<F: Fn(&syn::Path) -> bool> VisitMut for Seen<F> {
        fn visit_path_mut(&mut self, path: &mut syn::Path) {
            self.1 |= (self.0)(path);
            visit_path_mut(self, path);
        }
    }
    let mut empty = item.clone();
    empty.attrs.clear();
    empty.items.clear();
    let mut seen = Seen(is_private, false);
    seen.visit_item_impl_mut(&mut empty);
    seen.1
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{changes, of_crate};

    const LISTING: &str = include_str!("../tests/sample/api.txt");

    #[test]
    fn a_crate_is_listed_as_it_is_seen_from_outside() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sample/src/lib.rs");
        let listing = of_crate("sample", &root).expect("the sample can be read");
        let changes = changes(&LISTING.replace("\r\n", "\n"), &listing);
        assert!(changes.is_empty(), "\n{changes}");
    }

    #[test]
    fn a_change_is_shown_as_lines_that_go_and_come() {
        let changes = changes("a\nb\nc\n", "a\nc\nd\n");
        assert_eq!(changes, "  - b\n  + d\n");
    }
}
