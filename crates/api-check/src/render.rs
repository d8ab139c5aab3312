//! Signatures on one line, with every name written out.

use std::collections::{BTreeMap, HashSet};

use syn::visit_mut::{self, VisitMut};
use syn::{Generics, Ident, Item, PathArguments, PathSegment, Type, parse_quote};

use crate::names::{Definition, Meaning, Names, Space};
use crate::source::Inside;

/// Stands for the whole path of an item, where the syntax has room for one word only.
const NAME: &str = "NAME_OF_THE_ITEM";

/// The name of each item that can be named from outside.
pub type PublicNames = BTreeMap<Definition, Inside>;

pub struct Renderer<'a> {
    pub krate: &'a str,
    pub names: &'a Names<'a>,
    pub public: &'a PublicNames,
}

/// A place in the sources: a module, and the generic parameters that hold there.
#[derive(Clone)]
pub struct Scope<'a> {
    pub module: &'a Inside,
    parameters: HashSet<String>,
}

impl<'a> Scope<'a> {
    pub fn of(module: &'a Inside) -> Self {
        Scope {
            module,
            parameters: HashSet::new(),
        }
    }

    pub fn with(&self, generics: &Generics) -> Self {
        let mut scope = self.clone();
        let types = generics.type_params().map(|one| one.ident.to_string());
        scope.parameters.extend(types);
        scope
    }
}

impl Renderer<'_> {
    /// A path from outside, with the crate's name.
    pub fn path(&self, inside: &[String]) -> String {
        let words = std::iter::once(self.krate).chain(inside.iter().map(String::as_str));
        words.collect::<Vec<_>>().join("::")
    }

    pub fn function(&self, signature: &syn::Signature, scope: &Scope, path: &str) -> String {
        let mut signature = signature.clone();
        let scope = scope.with(&signature.generics);
        signature.ident = name();
        for input in &mut signature.inputs {
            match input {
                syn::FnArg::Receiver(receiver) => {
                    receiver.attrs.clear();
                    if receiver.reference.is_none() {
                        receiver.mutability = None;
                    }
                }
                syn::FnArg::Typed(typed) => {
                    typed.attrs.clear();
                    // How a parameter is taken apart is not for the caller.
                    match &mut *typed.pat {
                        syn::Pat::Ident(pattern) => {
                            pattern.mutability = None;
                            pattern.by_ref = None;
                        }
                        other => *other = parse_quote!(_),
                    }
                }
            }
        }
        self.item(parse_quote!(#signature {}), &scope, path)
    }

    pub fn ty(&self, ty: &Type, scope: &Scope) -> String {
        let name = name();
        let text = self.item(parse_quote!(type #name = #ty;), scope, "");
        text.trim_start_matches("type  = ").to_owned()
    }

    /// An item without what is inside of it, under this name.
    pub fn item(&self, mut item: Item, scope: &Scope, path: &str) -> String {
        let mut resolver = Resolver {
            renderer: self,
            scope,
        };
        resolver.visit_item_mut(&mut item);
        let file = syn::File {
            shebang: None,
            attrs: Vec::new(),
            items: vec![item],
        };
        let text = on_one_line(&prettyplease::unparse(&file));
        let text = text
            .trim_end_matches("{}")
            .trim_end()
            .trim_end_matches([';', ',']);
        text.replacen(NAME, path, 1)
    }
}

pub fn name() -> Ident {
    Ident::new(NAME, proc_macro2::Span::call_site())
}

/// Puts the full path of what is meant in the place of each name.
struct Resolver<'a, 'b> {
    renderer: &'a Renderer<'b>,
    scope: &'a Scope<'a>,
}

impl VisitMut for Resolver<'_, '_> {
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        visit_mut::visit_path_mut(self, path);
        let words: Inside = path
            .segments
            .iter()
            .map(|one| one.ident.to_string())
            .collect();
        if self.scope.parameters.contains(&words[0]) || words[0] == "Self" || words[0] == NAME {
            return;
        }
        let spaces = [Space::Type, Space::Value];
        let mut found = spaces.into_iter().filter_map(|space| {
            let names = self.renderer.names;
            names.resolve(self.scope.module, &words, space)
        });
        let (whole, used) = match found.next() {
            Some((Meaning::Own(definition), used)) => {
                let public = self.renderer.public.get(&definition);
                let inside = public.unwrap_or(&definition.path).clone();
                let krate = std::iter::once(self.renderer.krate.to_owned());
                (krate.chain(inside).collect(), used)
            }
            Some((Meaning::Foreign(whole), used)) => (whole, used),
            None => (words.clone(), words.len()),
        };
        let whole = of_std(whole);
        let arguments = path.segments[used - 1].arguments.clone();
        let rest: Vec<PathSegment> = path.segments.iter().skip(used).cloned().collect();
        path.leading_colon = None;
        path.segments = whole
            .iter()
            .map(|word| PathSegment {
                ident: syn::parse_str(word).unwrap_or_else(|_| name()),
                arguments: PathArguments::None,
            })
            .collect();
        if let Some(last) = path.segments.last_mut() {
            last.arguments = arguments;
        }
        path.segments.extend(rest);
    }
}

/// Names of the standard library that everybody has go without a path, others have one, so that an
/// item reads the same however it was imported.
fn of_std(mut path: Inside) -> Inside {
    const EVERYBODY: &[&str] = &[
        "AsRef",
        "Box",
        "Clone",
        "Copy",
        "Default",
        "Drop",
        "Eq",
        "From",
        "FromIterator",
        "Into",
        "IntoIterator",
        "Iterator",
        "Option",
        "Ord",
        "PartialEq",
        "PartialOrd",
        "Result",
        "Send",
        "String",
        "Sync",
        "ToString",
        "TryFrom",
        "TryInto",
        "Vec",
    ];
    const DERIVED: &[(&str, &[&str])] = &[
        ("Debug", &["std", "fmt", "Debug"]),
        ("Hash", &["std", "hash", "Hash"]),
    ];
    if matches!(path.first().map(String::as_str), Some("core" | "alloc")) {
        path[0] = "std".to_owned();
    }
    let last = path.last().cloned().unwrap_or_default();
    // A `Result` of another module, such as `std::io::Result`, is another type.
    let modules = [
        "option", "result", "string", "vec", "boxed", "clone", "marker", "default", "cmp",
        "convert", "iter", "ops",
    ];
    if let [root, module, _] = &path[..]
        && root == "std"
        && modules.contains(&module.as_str())
        && EVERYBODY.contains(&last.as_str())
    {
        return vec![last];
    }
    match DERIVED
        .iter()
        .find(|(name, _)| path.len() == 1 && *name == last)
    {
        Some((_, whole)) => whole.iter().map(|&word| word.to_owned()).collect(),
        None => path,
    }
}

/// What was laid out over lines, on one.
fn on_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for part in text.lines().map(str::trim) {
        let closes = part.starts_with([')', ']', '>']);
        if closes && line.ends_with(',') {
            line.pop();
        } else if !closes && !line.is_empty() && !line.ends_with(['(', '[', '<']) {
            line.push(' ');
        }
        line.push_str(part);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::on_one_line;

    #[test]
    fn what_was_broken_is_put_together() {
        let text =
            "fn f(\n    a: A<\n        B,\n    >,\n    c: C,\n) -> D\nwhere\n    A: E,\n{}\n";
        assert_eq!(on_one_line(text), "fn f(a: A<B>, c: C) -> D where A: E, {}");
    }
}
