//! The types of the description as shapes, which are written as those of the schemas.

use super::{Api, kind::parse};
use crate::shapes::{Field, Kind, Shape, Type};

/// The enums, the types, and those options that are types of their own.
pub fn shapes(api: &Api) -> Result<Vec<Shape>, String> {
    let mut shapes = Vec::new();
    for (name, words) in &api.enums.0 {
        shapes.push(shape(
            name,
            &words.doc,
            Kind::Alias(Type::Literals(words.values.clone())),
        ));
    }
    for (name, named) in &api.types.0 {
        let kind = match (&named.members, &named.is) {
            (Some(members), None) => {
                let members = members.0.iter().map(|(name, member)| {
                    let kind = parse(member.kind())?;
                    Ok(Field {
                        name: name.trim_end_matches('?').to_owned(),
                        doc: member.doc().to_owned(),
                        required: !name.ends_with('?'),
                        ty: kind.ty,
                    })
                });
                Kind::Object(members.collect::<Result<_, String>>()?)
            }
            (None, Some(is)) => Kind::Alias(parse(is)?.ty),
            (None, None) if named.options => Kind::Object(options(api, name)?),
            _ => return Err(format!("`schema/api.json`: `{name}` has no members")),
        };
        let mut made = shape(name, &named.doc, kind);
        made.is_open = named.open;
        made.is_options = named.options;
        shapes.push(made);
    }
    Ok(shapes)
}

fn shape(name: &str, doc: &str, kind: Kind) -> Shape {
    Shape {
        name: name.to_owned(),
        doc: doc.to_owned(),
        kind,
        is_open: false,
        is_options: false,
    }
}

/// The options of a group as members that may all be left out.
pub fn options(api: &Api, name: &str) -> Result<Vec<Field>, String> {
    let group = api.options.get(name);
    let group = group.ok_or_else(|| format!("`schema/api.json` has no options `{name}`"))?;
    let fields = group.members.0.iter().map(|(name, option)| {
        Ok(Field {
            name: name.clone(),
            doc: option_doc(option),
            required: option.required,
            ty: parse(&option.kind)?.ty,
        })
    });
    fields.collect()
}

/// The documentation of an option, with its default.
pub fn option_doc(option: &super::OptionMember) -> String {
    let doc = option.doc.trim_end_matches('.');
    match &option.default {
        None => option.doc.clone(),
        Some(serde_json::Value::Number(number)) => {
            format!("{doc} (default: {}).", grouped(&number.to_string()))
        }
        Some(serde_json::Value::String(word)) => format!("{doc} (default: `{word}`)."),
        Some(other) => format!("{doc} (default: {other})."),
    }
}

/// A number with commas between its thousands.
fn grouped(digits: &str) -> String {
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
