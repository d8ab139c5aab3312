//! The text with which an editor begins, and the answer in the edited one (Q-12 to Q-16).

use std::borrow::Cow;
use std::collections::HashSet;

use super::target;
use crate::base::json::{Document, Kind, Node, string};
use crate::block::Question;
use crate::{Error, Json};

/// Maximum size of the question in comments, of the value, and of a schema that suggests one, in bytes (Q-16).
const MAX_BYTES: usize = 64 * 1024;
/// Maximum depth of suggested objects (Q-13).
const MAX_DEPTH: usize = 8;
/// Maximum number of suggested values, each of which can follow references (Q-16).
const MAX_SUGGESTED: usize = 1_000;

/// The text that an editor starts with: the question in comments, and an answer to fill in (Q-12).
///
/// It is never longer than 129 KiB: a long text is cut, and a value that would be too large is `null` (Q-16).
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
    let schema = Document::new(question.schema.as_str()).ok();
    let schema = schema.as_ref().map(Document::root);
    let about = schema
        .and_then(|schema| schema.get("description")?.as_str())
        .unwrap_or_default();
    let mut out = String::new();
    for line in comments(&question.text).chain(comments(&about)) {
        if out.len() + line.len() >= MAX_BYTES {
            out.push_str("// …\n");
            break;
        }
        out.push_str(&line);
        out.push('\n');
    }
    out.push_str(
        "//\n\
         // Write your answer as JSON. Lines that start with // are ignored.\n\
         // Save and close to answer. To cancel, delete everything but comments.\n",
    );
    let default = question.default.as_ref();
    let default = default.and_then(|json| Document::new(json.as_str()).ok());
    let mut writer = Writer {
        out: String::new(),
        root: schema,
        left: MAX_SUGGESTED,
    };
    let written = match (&default, schema) {
        (Some(default), _) => writer.value(0, default.root()),
        (None, Some(schema)) if schema.raw().len() <= MAX_BYTES => writer.suggestion(0, schema),
        _ => None,
    };
    out.push_str(written.map_or("null", |()| &writer.out));
    out.push('\n');
    out
}

/// The lines of a text as comments; control characters become spaces.
fn comments(text: &str) -> impl Iterator<Item = String> {
    let lines = text.trim().lines();
    lines.map(|line| format!("// {}", line.replace(char::is_control, " ").trim_end()))
}

/// Writes a value, and stops with `None` when it becomes too long.
struct Writer<'a> {
    out: String,
    root: Option<Node<'a>>,
    left: usize,
}

impl<'a> Writer<'a> {
    fn push(&mut self, text: &str) -> Option<()> {
        let fits = self.out.len() + text.len() <= MAX_BYTES;
        fits.then(|| self.out.push_str(text))
    }

    fn line(&mut self, indent: usize, text: &str) -> Option<()> {
        self.push(&format!("\n{:1$}{text}", "", 2 * indent))
    }

    fn value(&mut self, indent: usize, node: Node<'_>) -> Option<()> {
        let (open, close) = match node.kind() {
            Kind::Array => ("[", "]"),
            Kind::Object => ("{", "}"),
            _ => return self.push(node.raw()),
        };
        self.push(open)?;
        let elements = node.elements().map(|value| (String::new(), value));
        let members = node.members();
        let members = members.map(|(name, value)| (format!("{}: ", string(&name)), value));
        for (at, (name, value)) in elements.chain(members).enumerate() {
            self.push(if at > 0 { "," } else { "" })?;
            self.line(indent + 1, &name)?;
            self.value(indent + 1, value)?;
        }
        if !node.is_empty() {
            self.line(indent, "")?;
        }
        self.push(close)
    }

    /// The value that a schema suggests (Q-13).
    fn suggestion(&mut self, indent: usize, schema: Node<'a>) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        let schema = self.target(schema);
        let listed = || schema.get("enum")?.elements().next();
        let value = schema.get("default").or_else(|| schema.get("const"));
        if let Some(value) = value.or_else(listed) {
            return self.value(indent, value);
        }
        match first_type(schema).as_deref() {
            Some("string") => self.push("\"\""),
            Some("number" | "integer") => {
                let minimum = schema.get("minimum").filter(|n| n.kind() == Kind::Number);
                self.push(minimum.map_or("0", |minimum| minimum.raw()))
            }
            Some("boolean") => self.push("false"),
            Some("array") => self.push("[]"),
            Some("object") => match schema.get("properties") {
                Some(properties) if indent < MAX_DEPTH && !properties.is_empty() => {
                    self.object(indent, schema, properties)
                }
                _ => self.push("{}"),
            },
            _ => self.push("null"),
        }
    }

    /// Required properties as members, the others as comments.
    fn object(&mut self, indent: usize, schema: Node<'a>, properties: Node<'a>) -> Option<()> {
        let required = schema.get("required").into_iter();
        let required = required.flat_map(|names| names.elements());
        let required: HashSet<_> = required.filter_map(|name| name.as_str()).collect();
        let is_required = |(name, _): &(Cow<'_, str>, Node<'_>)| required.contains(name);
        let mut left = properties.members().filter(is_required).count();
        self.push("{")?;
        for (name, own) in properties.members() {
            let part = self.target(own);
            let of = |keyword| own.get(keyword).or_else(|| part.get(keyword));
            let about = of("description").or_else(|| of("title"));
            let about = about.and_then(|about| about.as_str()).unwrap_or_default();
            let is_required = required.contains(&name);
            if !is_required {
                let name = string(&name).replace(char::is_control, " ");
                let kind = first_type(part).unwrap_or("any value".into());
                self.line(indent + 1, &format!("// Optional: {name} ({kind})"))?;
            }
            for line in comments(&about) {
                self.line(indent + 1, &line)?;
            }
            if is_required {
                self.line(indent + 1, &format!("{}: ", string(&name)))?;
                self.suggestion(indent + 1, own)?;
                left -= 1;
                self.push(if left > 0 { "," } else { "" })?;
            }
        }
        self.line(indent, "}")
    }

    fn target(&self, schema: Node<'a>) -> Node<'a> {
        self.root.map_or(schema, |root| target(schema, root))
    }
}

fn first_type(schema: Node<'_>) -> Option<Cow<'_, str>> {
    let types = schema.get("type")?;
    let first = types.elements().next().unwrap_or(types).as_str()?;
    first
        .bytes()
        .all(|byte| byte.is_ascii_lowercase())
        .then_some(first)
}

/// The answer in an edited template; `None` if only comments and whitespace are left, which means to
/// cancel (Q-14, Q-15).
///
/// # Errors
///
/// The code and the offset of the first error in the JSON.
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
