//! The Rust structs of the envelope and its blocks: typify makes them, and for each a reader and a
//! writer is added that keeps opaque JSON verbatim, which serde's derive cannot do beside
//! `flatten`.

use crate::lower::{self, BY_HAND};
use quote::quote;
use serde_json::{Map, Value};
use syn::{Attribute, Field, Fields, File, Item, ItemStruct};
use typify::{TypeSpace, TypeSpaceSettings};

const HEADER: &str = "\
// Generated from schema/envelope.schema.json. Do not edit: run `cargo xtask codegen`.
";

/// Names that say more than those which typify makes of a key.
const FIELD_NAMES: &[(&str, &str)] = &[
    ("computer.jp/error", "error"),
    ("computer.jp/status", "status"),
    ("", "extra"),
];

/// The text of `envelope/types.rs`.
pub fn generate(schema: &Value) -> Result<String, String> {
    let file = structs(&lower::lower(schema)?)?;
    let mut items = Vec::new();
    for item in file.items {
        if let Item::Struct(mut item) = item {
            let members = tidy(&mut item, schema)?;
            let accessors = accessors(&item, &members, schema)?;
            items.push(quote! { #item #accessors });
        }
    }
    let source = quote! {
        //! The envelope and its blocks, as plain data.

        use crate::{Block, Json, Role, Status};
        use crate::base::json::Node;
        use super::typed::{self, Fields, Typed};
        use std::collections::BTreeMap;

        #(#items)*
    };
    crate::rust(HEADER, &source.to_string())
}

/// What typify makes of the lowered schema.
fn structs(lowered: &Value) -> Result<File, String> {
    let mut settings = TypeSpaceSettings::default();
    settings.with_map_type("BTreeMap");
    for (name, path) in BY_HAND {
        let title = crate::registry::camel(name);
        settings.with_replacement(title, path, std::iter::empty());
    }
    let schema = serde_json::from_value(lowered.clone())
        .map_err(|error| format!("the lowered schema is not a schema: {error}"))?;
    let mut types = TypeSpace::new(&settings);
    types
        .add_root_schema(schema)
        .map_err(|error| format!("typify: {error}"))?;
    syn::parse2(types.to_stream()).map_err(|error| format!("typify's output: {error}"))
}

/// A member of a struct.
struct Member {
    /// Its name in JSON; empty for the unknown members.
    json: String,
    /// Its name in Rust.
    rust: syn::Ident,
    /// Whether it may be absent.
    optional: bool,
}

/// Leaves of a struct what is its own: documentation, names and types.
fn tidy(item: &mut ItemStruct, schema: &Value) -> Result<Vec<Member>, String> {
    let definition = definition(schema, &item.ident.to_string())?;
    let required: Vec<_> = definition["required"]
        .as_array()
        .into_iter()
        .flatten()
        .collect();
    let Fields::Named(fields) = &mut item.fields else {
        return Err(format!("`{}` is not a struct with fields", item.ident));
    };
    let mut members = Vec::new();
    let mut empty_by_default = true;
    for field in &mut fields.named {
        let mut member = tidy_field(field)?;
        let ty = &field.ty;
        // typify drops the difference between an absent and an empty array.
        if !member.json.is_empty()
            && !member.optional
            && !required.contains(&&member.json.clone().into())
        {
            field.ty = syn::parse_quote!(Option<#ty>);
            member.optional = true;
        } else if !member.json.is_empty() && !member.optional {
            empty_by_default &= quote!(#ty).to_string().starts_with("Vec");
        }
        members.push(member);
    }
    let mut docs = first_paragraph(&item.attrs) + "\n\n As JSON:\n\n ```json\n";
    for example in definition["examples"].as_array().into_iter().flatten() {
        docs += &format!(" {example}\n");
    }
    docs += " ```";
    let default = empty_by_default.then(|| quote!(, Default));
    item.attrs = docs
        .lines()
        .map(|line| syn::parse_quote!(#[doc = #line]))
        .collect();
    item.attrs
        .push(syn::parse_quote!(#[derive(Debug, Clone, PartialEq #default)]));
    Ok(members)
}

fn tidy_field(field: &mut Field) -> Result<Member, String> {
    let ident = field.ident.clone().ok_or("a field has no name")?;
    let serde: String = field
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("serde"))
        .map(|attribute| quote!(#attribute).to_string())
        .collect();
    let json = if serde.contains("flatten") {
        String::new()
    } else {
        let renamed = serde
            .split("rename = \"")
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        renamed.map_or_else(|| ident.to_string(), str::to_owned)
    };
    let rust = match FIELD_NAMES.iter().find(|(name, _)| *name == json) {
        Some((_, name)) => syn::Ident::new(name, ident.span()),
        None => ident,
    };
    let docs = if json.is_empty() {
        " Every other member, and those whose value was malformed, verbatim.".to_owned()
    } else {
        first_paragraph(&field.attrs)
    };
    shorten(&mut field.ty);
    field.attrs = vec![syn::parse_quote!(#[doc = #docs])];
    field.ident = Some(rust.clone());
    let ty = &field.ty;
    let optional = quote!(#ty).to_string().starts_with("Option");
    Ok(Member {
        json,
        rust,
        optional,
    })
}

/// The words of the doc comment, without the copy of the schema that typify adds.
fn first_paragraph(attributes: &[Attribute]) -> String {
    let mut text = String::new();
    for attribute in attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("doc"))
    {
        if let syn::Meta::NameValue(pair) = &attribute.meta
            && let syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Str(line),
                ..
            }) = &pair.value
        {
            text.push_str(&line.value());
            text.push('\n');
        }
    }
    let text = text.split("<details>").next().unwrap_or_default();
    format!(" {}", text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// `::std::option::Option<crate::Json>` as `Option<Json>`: the file imports what it names.
fn shorten(ty: &mut syn::Type) {
    let syn::Type::Path(path) = ty else { return };
    if let Some(last) = path.path.segments.last().cloned() {
        path.path = last.into();
    }
    for segment in &mut path.path.segments {
        if let syn::PathArguments::AngleBracketed(arguments) = &mut segment.arguments {
            for argument in &mut arguments.args {
                if let syn::GenericArgument::Type(inner) = argument {
                    shorten(inner);
                }
            }
        }
    }
}

/// The reader and the writer of a struct.
fn accessors(
    item: &ItemStruct,
    members: &[Member],
    schema: &Value,
) -> Result<proc_macro2::TokenStream, String> {
    let name = &item.ident;
    let definition = definition(schema, &name.to_string())?;
    let definitions = schema["$defs"]
        .as_object()
        .ok_or("the schema has no `$defs`")?;
    let known: Vec<_> = members
        .iter()
        .filter(|member| !member.json.is_empty())
        .collect();

    let mut reads = Vec::new();
    let mut writes = Vec::new();
    let tag = definition["properties"]["type"]["const"].as_str();
    if let Some(tag) = tag {
        reads.push(quote! { fields.tag(); });
        writes.push(quote! { object.text("type", #tag); });
    }
    for member in &known {
        let (json, rust) = (&member.json, &member.rust);
        let read = reader(&definition["properties"][json], definitions);
        if member.optional {
            reads.push(quote! { let #rust = fields.optional(#json, #read); });
            writes.push(quote! { object.optional(#json, self.#rust.as_ref()); });
        } else {
            reads.push(quote! { let #rust = fields.required(#json, #read)?; });
            writes.push(quote! { object.member(#json, &self.#rust); });
        }
    }
    let names = known.iter().map(|member| &member.rust);
    Ok(quote! {
        impl Typed for #name {
            fn read(node: Node<'_>) -> Option<Self> {
                let mut fields = Fields::of(node)?;
                #(#reads)*
                Some(Self { #(#names,)* extra: fields.rest() })
            }

            fn write(&self, out: &mut String) {
                let mut object = typed::Object::open(out);
                #(#writes)*
                object.rest(&self.extra);
            }
        }
    })
}

/// The function that reads a member, with the restrictions that lowering took out of the type.
fn reader(property: &Value, definitions: &Map<String, Value>) -> proc_macro2::TokenStream {
    if let Some(name) = property["$ref"]
        .as_str()
        .and_then(|target| target.strip_prefix("#/$defs/"))
    {
        let definition = &definitions[name];
        if name == "timestamp" {
            return quote!(typed::timestamp);
        }
        return if definition["properties"].is_object() || definition["type"] != "object" {
            quote!(Typed::read)
        } else {
            reader(definition, definitions)
        };
    }
    match property["type"].as_str() {
        Some("object") => quote!(typed::object),
        Some("integer") => quote!(typed::size),
        Some("number") => quote!(typed::priority),
        _ => quote!(Typed::read),
    }
}

/// The part of the canonical schema that a struct was made from.
fn definition<'a>(schema: &'a Value, title: &str) -> Result<&'a Value, String> {
    let definitions = schema["$defs"]
        .as_object()
        .into_iter()
        .flat_map(|map| map.values());
    std::iter::once(schema)
        .chain(definitions)
        .find(|definition| definition["title"] == title)
        .ok_or_else(|| format!("no schema has the title `{title}`"))
}
