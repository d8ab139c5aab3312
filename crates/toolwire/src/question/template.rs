//! The text with which an editor begins, and what is read out of it (Q-12 to Q-15).

use crate::block::Question;
use crate::json::{Document, Kind, Node};
use crate::{Error, Json};

/// Nothing is written out deeper than this; `null` stands for it.
const MOST_DEPTH: usize = 8;

/// The text with which an editor begins: what is asked, in comments, and an answer to fill in.
///
/// # Examples
///
/// ```
/// use toolwire::question::{read_question, read_template, template};
///
/// let question = read_question(
///     r#"{"id":"q","text":"Which tags?","schema":{"type":"array"},"default":["a"]}"#,
/// )?;
/// let text = template(&question);
/// assert!(text.starts_with("// Which tags?\n"));
/// assert_eq!(read_template(&text)?.unwrap().as_str(), "[\n  \"a\"\n]");
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn template(question: &Question) -> String {
    let mut out = String::new();
    comment(&mut out, 0, &question.text);
    let schema = Document::new(question.schema.as_str());
    let schema = schema.as_ref().map(|document| document.root());
    let about = schema.ok().and_then(|schema| schema.get("description"));
    if let Some(about) = about.and_then(|about| about.as_str()) {
        comment(&mut out, 0, &about);
    }
    out.push_str(
        "//\n\
         // Answer in JSON. Lines that begin with // are left out.\n\
         // Save and close to answer. Leave nothing but such lines to cancel.\n",
    );
    let default = question
        .default
        .as_ref()
        .map(|json| Document::new(json.as_str()));
    match (default, schema) {
        (Some(Ok(default)), _) => pretty(&mut out, 0, default.root()),
        (_, Ok(schema)) => skeleton(&mut out, 0, schema, schema),
        _ => out.push_str("null"),
    }
    out.push('\n');
    out
}

/// The answer that stands in an edited template; nothing, if nothing is left but comments and white
/// space, which means to cancel.
///
/// # Errors
///
/// The code and the offset of the first place where it is not strict JSON.
///
/// # Examples
///
/// ```
/// use toolwire::question::read_template;
///
/// assert_eq!(read_template("// What?\n  // so\n 1")?.unwrap().as_str(), "1");
/// assert!(read_template("// What?\n\n")?.is_none());
/// assert_eq!(read_template("// What?\n[1,]").unwrap_err().offset(), Some(12));
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn read_template(text: &str) -> Result<Option<Json>, Error> {
    let mut json = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with("//") {
            // Blanks of the same length leave every other offset where it was.
            let end = line.trim_end_matches(['\n', '\r']).len();
            json.extend(std::iter::repeat_n(' ', end));
            json.push_str(&line[end..]);
        } else {
            json.push_str(line);
        }
    }
    if json.trim().is_empty() {
        return Ok(None);
    }
    Document::new(&json).map(|document| Some(Json::from(document.root())))
}

/// Lines of comment; a control character in them becomes a space.
fn comment(out: &mut String, indent: usize, text: &str) {
    for line in text.trim().lines() {
        let line: String = line
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        pad(out, indent);
        out.push_str("// ");
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

fn pad(out: &mut String, indent: usize) {
    out.extend(std::iter::repeat_n("  ", indent));
}

/// A value over several lines.
fn pretty(out: &mut String, indent: usize, node: Node<'_>) {
    let (open, close) = match node.kind() {
        Kind::Array => ('[', ']'),
        Kind::Object => ('{', '}'),
        _ => return out.push_str(node.raw()),
    };
    out.push(open);
    let mut first = true;
    let mut next = |out: &mut String| {
        out.push_str(if first { "\n" } else { ",\n" });
        first = false;
        pad(out, indent + 1);
    };
    for element in node.elements() {
        next(out);
        pretty(out, indent + 1, element);
    }
    for (name, value) in node.members() {
        next(out);
        crate::json::write_string(out, &name);
        out.push_str(": ");
        pretty(out, indent + 1, value);
    }
    if !node.is_empty() {
        out.push('\n');
        pad(out, indent);
    }
    out.push(close);
}

/// A value that a schema suggests.
fn skeleton(out: &mut String, indent: usize, schema: Node<'_>, root: Node<'_>) {
    let schema = super::target(schema, root);
    let listed = schema.get("enum").and_then(|all| all.elements().next());
    let given = schema.get("default").or(schema.get("const")).or(listed);
    if let Some(value) = given {
        return pretty(out, indent, value);
    }
    match kind_of(schema).as_str() {
        "string" => out.push_str("\"\""),
        "number" | "integer" => match schema.get("minimum") {
            Some(minimum) if minimum.kind() == Kind::Number => out.push_str(minimum.raw()),
            _ => out.push('0'),
        },
        "boolean" => out.push_str("false"),
        "array" => out.push_str("[]"),
        "object" if indent < MOST_DEPTH => object(out, indent, schema, root),
        "object" => out.push_str("{}"),
        _ => out.push_str("null"),
    }
}

/// An object with the properties that it needs; the others are told in comments.
fn object(out: &mut String, indent: usize, schema: Node<'_>, root: Node<'_>) {
    let properties = || {
        schema
            .get("properties")
            .into_iter()
            .flat_map(|p| p.members())
    };
    let required = |name: &str| {
        let names = schema.get("required");
        names.is_some_and(|names| names.elements().any(|other| other.is_str(name)))
    };
    if properties().next().is_none() {
        return out.push_str("{}");
    }
    out.push_str("{\n");
    let mut left = properties().filter(|(name, _)| required(name)).count();
    for (name, property) in properties() {
        let part = super::target(property, root);
        let about = ["description", "title"]
            .iter()
            .find_map(|keyword| property.get(keyword).or(part.get(keyword)))
            .and_then(|about| about.as_str())
            .unwrap_or_default();
        if required(&name) {
            comment(out, indent + 1, &about);
            pad(out, indent + 1);
            crate::json::write_string(out, &name);
            out.push_str(": ");
            skeleton(out, indent + 1, property, root);
            left -= 1;
            out.push_str(if left > 0 { ",\n" } else { "\n" });
        } else {
            let kind = match kind_of(part) {
                kind if kind.is_empty() => "any value".to_owned(),
                kind => kind,
            };
            let colon = if about.is_empty() { "" } else { ": " };
            let name = crate::json::string(&name);
            comment(
                out,
                indent + 1,
                &format!("It may have {name} ({kind}){colon}{about}"),
            );
        }
    }
    pad(out, indent);
    out.push('}');
}

/// The first type of a schema; empty if it has none.
fn kind_of(schema: Node<'_>) -> String {
    let types = schema.get("type");
    let first = types.and_then(|types| types.elements().next().or(Some(types)));
    first
        .and_then(|kind| kind.as_str())
        .unwrap_or_default()
        .into_owned()
}
