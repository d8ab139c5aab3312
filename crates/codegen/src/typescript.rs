//! The TypeScript types of the JSON shapes.

use crate::shapes::{Kind, Shape, Type, wrap};
use std::fmt::Write;

const HEADER: &str = "\
// Generated from schema/. Do not edit: run `cargo xtask codegen`.
//
// The JSON shapes of envelopes, blocks, diagnostics and identities. Objects may have members that
// no schema names; those are kept, and are `unknown` here.

import type { Answer, AskedQuestion, Block, Call, Envelope, Json, Message, Parsed, Progress } from './index.js';
";

/// The text of `types.generated.d.ts`.
pub fn generate(shapes: &[Shape]) -> String {
    let mut out = String::from(HEADER);
    for shape in shapes {
        out.push('\n');
        write_doc(&mut out, "", &shape.doc);
        match &shape.kind {
            Kind::Alias(ty) => {
                let _ = writeln!(out, "export type {} ={};", shape.name, alias(ty));
            }
            Kind::Object(fields) => {
                let _ = writeln!(out, "export interface {} {{", shape.name);
                for field in fields {
                    write_doc(&mut out, "  ", &field.doc);
                    let optional = if field.required { "" } else { "?" };
                    let absent = if shape.is_options {
                        " | null | undefined"
                    } else {
                        ""
                    };
                    let _ = writeln!(
                        out,
                        "  {}{optional}: {}{absent};",
                        key(&field.name),
                        annotation(&field.ty)
                    );
                }
                out.push_str(if shape.is_open {
                    "  [member: string]: unknown;\n}\n"
                } else {
                    "}\n"
                });
            }
        }
    }
    out
}

/// Writes a text as JSDoc, if there is one.
pub fn write_doc(out: &mut String, indent: &str, doc: &str) {
    if doc.is_empty() {
        return;
    }
    let lines = wrap(doc, 94 - indent.len());
    if let [line] = &lines[..] {
        let _ = writeln!(out, "{indent}/** {line} */");
    } else {
        let _ = writeln!(out, "{indent}/**");
        for line in lines {
            let _ = writeln!(out, "{indent} * {line}");
        }
        let _ = writeln!(out, "{indent} */");
    }
}

/// A type behind `type Name =`; a long union stands one alternative a line.
fn alias(of: &Type) -> String {
    let alternatives = match of {
        Type::Literals(values) => values.iter().map(|value| format!("'{value}'")).collect(),
        Type::Union(types) => types.iter().map(annotation).collect(),
        other => vec![annotation(other)],
    };
    if alternatives.len() <= 3 {
        return format!(" {}", alternatives.join(" | "));
    }
    alternatives
        .iter()
        .map(|alternative| format!("\n  | {alternative}"))
        .collect()
}

/// A type where it is used.
pub fn annotation(of: &Type) -> String {
    match of {
        Type::Any => "unknown".to_owned(),
        Type::Foreign => "any".to_owned(),
        Type::Json => "Json".to_owned(),
        Type::Null => "null".to_owned(),
        Type::View(name) if name == "Question" => "AskedQuestion".to_owned(),
        Type::View(name) => name.clone(),
        Type::AnyObject => "{ [member: string]: unknown }".to_owned(),
        Type::Flag => "boolean".to_owned(),
        Type::Integer | Type::Number => "number".to_owned(),
        Type::Text => "string".to_owned(),
        Type::Bytes => "Buffer".to_owned(),
        Type::Named(name) => name.clone(),
        Type::Array(inner) => match &**inner {
            simple @ (Type::Named(_)
            | Type::View(_)
            | Type::Json
            | Type::Foreign
            | Type::Text
            | Type::Flag
            | Type::Number
            | Type::Integer) => {
                format!("{}[]", annotation(simple))
            }
            other => format!("Array<{}>", annotation(other)),
        },
        Type::Map(inner) => format!("{{ [member: string]: {} }}", annotation(inner)),
        Type::Literals(_) | Type::Union(_) => alias(of).trim_start().to_owned(),
    }
}

fn key(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if plain {
        name.to_owned()
    } else {
        format!("'{name}'")
    }
}
