//! The Python types of the JSON shapes, for type checkers of Python 3.9 and later.

use crate::shapes::{Field, Kind, Shape, Type, wrap};
use std::fmt::Write;

const HEADER: &str = r#"# Generated from schema/. Do not edit: run `cargo xtask codegen`.
"""The JSON shapes of envelopes, blocks, diagnostics and identities, for type checkers.

They describe what ``json.loads`` makes of the documents. Objects may have members that no
schema names; those are kept. The package does not import this module by itself.

>>> from toolwire.types import TextBlock
>>> block: TextBlock = {"type": "text", "text": "Check succeeded."}
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from typing_extensions import Buffer, TypeAlias

    from . import _toolwire as _views
    from ._options import AddOptions as AddOptions
    from ._options import CallToolOptions as CallToolOptions
    from ._options import ConnectOptions as ConnectOptions
    from ._options import ListToolsOptions as ListToolsOptions
    from ._options import RunOptions as RunOptions
    from ._options import ServeOptions as ServeOptions
    from ._options import SessionsOptions as SessionsOptions

    # An output: text, or bytes.
    Output: TypeAlias = Union[str, Buffer]
    # A JSON value, or its text. All digits of the numbers in a text count.
    Document: TypeAlias = Union[Mapping[str, Any], Sequence[Any], Output]
    # An output, or what was read of one.
    Readable: TypeAlias = Union[_views.Parsed, _views.Envelope, Output]
    # What a tool answered a call with; None if it was not run.
    ResultInput: TypeAlias = Union[Readable, Mapping[str, Any], None]
    QuestionInput: TypeAlias = Union[_views.Question, Mapping[str, Any], Output]
    CallInput: TypeAlias = Union[_views.Call, Mapping[str, Any], Output]

"#;

/// The text of `types.py`.
pub fn generate(shapes: &[Shape]) -> String {
    let mut out = String::from(HEADER);
    out.push_str("__all__ = [\n");
    let mut names: Vec<_> = shapes.iter().map(|shape| &shape.name).collect();
    names.sort();
    for name in names {
        let _ = writeln!(out, "    \"{name}\",");
    }
    out.push_str("]\n");
    // An alias is evaluated where it stands, so it follows after all classes; their annotations are not.
    let (objects, aliases): (Vec<_>, Vec<_>) = shapes
        .iter()
        .partition(|shape| matches!(shape.kind, Kind::Object(_)));
    for shape in objects {
        if let Kind::Object(fields) = &shape.kind {
            write_object(&mut out, shape, fields);
        }
    }
    for shape in aliases {
        if let Kind::Alias(ty) = &shape.kind {
            out.push_str("\n\n");
            write_comment(&mut out, "", &shape.doc);
            let _ = writeln!(out, "{} = {}", shape.name, alias(ty));
        }
    }
    out
}

fn write_object(out: &mut String, shape: &Shape, fields: &[Field]) {
    if !fields.iter().all(|field| is_name(&field.name)) {
        return write_call(out, shape, fields);
    }
    let (required, optional): (Vec<_>, Vec<_>) = fields.iter().partition(|field| field.required);
    let mut base = "TypedDict".to_owned();
    // `NotRequired` is younger than Python 3.9, so the members that must be there form a base.
    if !required.is_empty() && !optional.is_empty() {
        base = format!("_{}Required", shape.name);
        let doc = format!("The members that every {} has.", shape.name);
        write_class(out, &base, "TypedDict", &doc, &required, shape.is_options);
    }
    let (total, own) = match (required.is_empty(), optional.is_empty()) {
        (_, true) => ("", required),
        _ => (", total=False", optional),
    };
    write_class(
        out,
        &shape.name,
        &format!("{base}{total}"),
        &shape.doc,
        &own,
        shape.is_options,
    );
}

fn write_class(
    out: &mut String,
    name: &str,
    bases: &str,
    doc: &str,
    fields: &[&Field],
    snake: bool,
) {
    let _ = write!(out, "\n\nclass {name}({bases}):\n");
    let lines = wrap(doc, 82);
    let _ = write!(out, "    \"\"\"{}", lines.join("\n    "));
    out.push_str(if lines.len() > 1 {
        "\n    \"\"\"\n"
    } else {
        "\"\"\"\n"
    });
    for field in fields {
        out.push('\n');
        write_comment(out, "    ", &field.doc);
        let name = if snake {
            crate::api::snake(&field.name)
        } else {
            field.name.clone()
        };
        let _ = writeln!(out, "    {name}: {}", annotation(&field.ty));
    }
}

/// An object with keys that are not names, which the class syntax can't write. All are optional.
fn write_call(out: &mut String, shape: &Shape, fields: &[Field]) {
    out.push_str("\n\n");
    write_comment(out, "", &shape.doc);
    let _ = writeln!(out, "{0} = TypedDict(\n    \"{0}\",\n    {{", shape.name);
    for field in fields {
        write_comment(out, "        ", &field.doc);
        let _ = writeln!(
            out,
            "        \"{}\": \"{}\",",
            field.name,
            annotation(&field.ty)
        );
    }
    out.push_str("    },\n    total=False,\n)\n");
}

fn write_comment(out: &mut String, indent: &str, doc: &str) {
    for line in wrap(doc, 86 - indent.len()) {
        let _ = writeln!(out, "{indent}# {line}");
    }
}

/// A type behind `Name =`; a long union stands one alternative a line.
fn alias(of: &Type) -> String {
    let (constructor, alternatives): (_, Vec<_>) = match of {
        Type::Literals(values) => (
            "Literal",
            values.iter().map(|value| format!("\"{value}\"")).collect(),
        ),
        Type::Union(types) => ("Union", types.iter().map(annotation).collect()),
        other => return annotation(other),
    };
    if alternatives.len() <= 3 {
        return format!("{constructor}[{}]", alternatives.join(", "));
    }
    format!("{constructor}[\n    {},\n]", alternatives.join(",\n    "))
}

/// A type where it is used.
pub fn annotation(of: &Type) -> String {
    match of {
        Type::Any | Type::Foreign | Type::Json => "Any".to_owned(),
        Type::Null => "None".to_owned(),
        Type::View(name) => format!("_views.{name}"),
        Type::AnyObject => "dict[str, Any]".to_owned(),
        Type::Flag => "bool".to_owned(),
        Type::Integer => "int".to_owned(),
        Type::Number => "float".to_owned(),
        Type::Text => "str".to_owned(),
        Type::Bytes => "bytes".to_owned(),
        Type::Named(name) => name.clone(),
        Type::Array(inner) => format!("list[{}]", annotation(inner)),
        Type::Map(inner) => format!("dict[str, {}]", annotation(inner)),
        Type::Literals(_) | Type::Union(_) => alias(of),
    }
}

fn is_name(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A type as the compiled module declares it.
pub fn in_stub(annotation: &str) -> String {
    annotation.replace("_views.", "").replace("bytes", "_Bytes")
}
