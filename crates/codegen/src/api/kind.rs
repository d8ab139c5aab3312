//! Kind expressions: `text?`, `Change[]`, `map<json>`, `A|B`, `'word'`.

use crate::shapes::Type;

/// What is read of the outputs of tools, with classes of their own in each language.
const VIEWS: [&str; 11] = [
    "Parsed",
    "Envelope",
    "Block",
    "Question",
    "Answer",
    "Call",
    "Diagnostic",
    "Progress",
    "Message",
    "Line",
    "PendingQuestion",
];

/// A kind that may be absent.
pub struct Kind {
    pub ty: Type,
    pub optional: bool,
}

impl Kind {
    /// The names of types that it uses.
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        collect(&self.ty, &mut names);
        names
    }
}

fn collect(ty: &Type, names: &mut Vec<String>) {
    match ty {
        Type::Named(name) => names.push(name.clone()),
        Type::Array(inner) | Type::Map(inner) => collect(inner, names),
        Type::Union(all) => all.iter().for_each(|one| collect(one, names)),
        _ => {}
    }
}

/// Reads an expression.
pub fn parse(text: &str) -> Result<Kind, String> {
    let (text, optional) = match text.strip_suffix('?') {
        Some(text) => (text, true),
        None => (text, false),
    };
    let ty = union(text)?;
    Ok(Kind { ty, optional })
}

/// Reads an expression whose named types stand in a module.
pub fn qualified(text: &str, module: &str) -> Result<Kind, String> {
    let mut kind = parse(text)?;
    qualify(&mut kind.ty, module);
    Ok(kind)
}

/// Puts the name of their module before named types.
pub fn qualify(ty: &mut Type, module: &str) {
    match ty {
        Type::Named(name) => name.insert_str(0, module),
        Type::Array(inner) | Type::Map(inner) => qualify(inner, module),
        Type::Union(all) => all.iter_mut().for_each(|one| qualify(one, module)),
        _ => {}
    }
}

fn union(text: &str) -> Result<Type, String> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '<' => depth += 1,
            ')' | '>' => depth -= 1,
            '|' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    match &parts[..] {
        [one] => single(one),
        all => all
            .iter()
            .map(|part| single(part))
            .collect::<Result<_, _>>()
            .map(Type::Union),
    }
}

fn single(text: &str) -> Result<Type, String> {
    if let Some(inner) = text.strip_suffix("[]") {
        return Ok(Type::Array(Box::new(single(inner)?)));
    }
    if let Some(inner) = text
        .strip_prefix("map<")
        .and_then(|rest| rest.strip_suffix('>'))
    {
        return Ok(Type::Map(Box::new(union(inner)?)));
    }
    if let Some(inner) = text
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
    {
        return union(inner);
    }
    if let Some(word) = text
        .strip_prefix('\'')
        .and_then(|rest| rest.strip_suffix('\''))
    {
        return Ok(Type::Literals(vec![word.to_owned()]));
    }
    Ok(match text {
        "text" => Type::Text,
        "bytes" => Type::Bytes,
        "flag" => Type::Flag,
        "count" => Type::Integer,
        "number" => Type::Number,
        "json" => Type::Json,
        "foreign" => Type::Foreign,
        "object" => Type::Map(Box::new(Type::Json)),
        "null" => Type::Null,
        view if VIEWS.contains(&view) => Type::View(view.to_owned()),
        name if name.starts_with(|c: char| c.is_ascii_uppercase()) => Type::Named(name.to_owned()),
        other => return Err(format!("`schema/api.json`: `{other}` is no kind")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read() {
        let kind = parse("(Progress|Message)?").unwrap();
        assert!(kind.optional && matches!(kind.ty, Type::Union(all) if all.len() == 2));
        let kind = parse("map<json[]>").unwrap();
        assert!(
            !kind.optional
                && matches!(kind.ty, Type::Map(inner) if matches!(*inner, Type::Array(_)))
        );
        assert_eq!(parse("Change[]").unwrap().names(), ["Change"]);
        assert!(parse("string").is_err());
    }
}
