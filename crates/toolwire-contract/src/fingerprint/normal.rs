//! The normal form of a schema: what it accepts, and its annotations (sections 27.3 and 27.4).

use std::collections::HashMap;
use std::fmt::Write as _;

use foldhash::fast::RandomState;
use toolwire::Error;
use toolwire::json::{Kind, Node, ObjectWriter, array, string};

use super::bad_tool;
use super::keywords::{KeywordKind, dialect, keyword_kind};
use super::survey::Survey;

/// A schema in two halves, each as JSON text.
pub(super) struct Normal {
    pub contract: String,
    /// `None` if there are no annotations.
    pub text: Option<String>,
}

/// The normal form of the schema at `pointer`, a value in exact form.
///
/// # Errors
///
/// `bad_tool` if it is neither an object nor a boolean; `limit_schemas` as [`Survey::new`].
pub(super) fn normalize(
    root: Node<'_>,
    pointer: &str,
    max_schemas: usize,
) -> Result<Normal, Error> {
    if !matches!(root.kind(), Kind::Object | Kind::Bool) {
        let kind = root.kind().name();
        let message = format!("a schema is an object or a boolean, not {kind}");
        return Err(bad_tool(pointer, message));
    }
    let literal = |dialect: Option<&str>| Normal {
        contract: ObjectWriter::new()
            .optional("dialect", dialect)
            .json("literal", root.raw())
            .end(),
        text: None,
    };
    let dialect = match root.get("$schema") {
        None => Some("2020-12"),
        Some(uri) => uri.as_str().and_then(|uri| dialect(&uri)),
    };
    let Some(dialect) = dialect else {
        return Ok(literal(None));
    };
    let survey = Survey::new(root, max_schemas)
        .map_err(|error| Error::new(error.code(), pointer, None, error.message()))?;
    if survey.literal {
        return Ok(literal(Some(dialect)));
    }
    let mut writer = Writer {
        survey: &survey,
        entries: vec![root],
        numbers: HashMap::from_iter([(root.start(), 0)]),
        definitions: Vec::new(),
    };
    let schemas = writer.schemas(root.end() - root.start());
    let contract = ObjectWriter::new()
        .text("dialect", dialect)
        .json("schemas", schemas)
        .end();
    let text = writer.text();
    Ok(Normal { contract, text })
}

struct Writer<'s, 'a> {
    survey: &'s Survey<'a>,
    /// The whole schema, and those to which references lead in the order in which they are met.
    entries: Vec<Node<'a>>,
    /// The numbers of the entries, by offset.
    numbers: HashMap<usize, usize, RandomState>,
    /// The definitions in entries.
    definitions: Vec<Node<'a>>,
}

impl<'a> Writer<'_, 'a> {
    /// The entries of the contract.
    fn schemas(&mut self, capacity: usize) -> String {
        let mut out = String::with_capacity(capacity);
        let mut at = 0;
        while let Some(&entry) = self.entries.get(at) {
            out.push(if at == 0 { '[' } else { ',' });
            self.schema(entry, &mut out);
            at += 1;
        }
        out.push(']');
        out
    }

    /// Appends a schema without its annotations and definitions.
    fn schema(&mut self, schema: Node<'a>, out: &mut String) {
        match schema.as_bool() {
            Some(true) => return out.push_str("{}"),
            Some(false) => return out.push_str(r#"{"not":{}}"#),
            None if schema.kind() != Kind::Object => return out.push_str(schema.raw()),
            None => out.push('{'),
        }
        for (name, value) in schema.members() {
            let kind = keyword_kind(&name, value);
            match kind {
                KeywordKind::Annotation | KeywordKind::Anchor => continue,
                KeywordKind::Definitions => {
                    self.definitions
                        .extend(value.members().map(|(_, schema)| schema));
                    continue;
                }
                _ if name == "$schema" && schema.start() == self.survey.root.start() => continue,
                _ => push_name(out, &name),
            }
            match kind {
                KeywordKind::Schema => self.inner(value, out),
                KeywordKind::Schemas => {
                    out.push('[');
                    for schema in value.elements() {
                        push_comma(out);
                        self.inner(schema, out);
                    }
                    out.push(']');
                }
                KeywordKind::Named => {
                    out.push('{');
                    for (name, schema) in value.members() {
                        push_name(out, &name);
                        match schema.kind() {
                            Kind::Array => out.push_str(&array(set(schema))),
                            _ => self.inner(schema, out),
                        }
                    }
                    out.push('}');
                }
                KeywordKind::Set => match &set(value)[..] {
                    [only] if name == "type" => out.push_str(only),
                    all => out.push_str(&array(all)),
                },
                KeywordKind::Reference => {
                    let text = value.as_str().unwrap_or_default();
                    match self.survey.references.get(&text) {
                        Some(Some(target)) => self.push_number(*target, out),
                        _ => out.push_str(value.raw()),
                    }
                }
                _ if name == "$ref" => out.push_str(&array([value.raw()])),
                _ => out.push_str(value.raw()),
            }
        }
        out.push('}');
    }

    /// Appends a schema within another: a reference if it has an entry of its own.
    fn inner(&mut self, schema: Node<'a>, out: &mut String) {
        if self.survey.targets.contains(&schema.start()) {
            out.push_str(r#"{"$ref":"#);
            self.push_number(schema, out);
            out.push('}');
        } else {
            self.schema(schema, out);
        }
    }

    fn push_number(&mut self, target: Node<'a>, out: &mut String) {
        let next = self.entries.len();
        let number = *self.numbers.entry(target.start()).or_insert(next);
        if number == next {
            self.entries.push(target);
        }
        let _ = write!(out, "{number}");
    }

    /// What is only read, once the entries are known: annotations, names and unused definitions.
    fn text(&self) -> Option<String> {
        let mut text = ObjectWriter::new();
        let names = sorted(self.survey.names.iter().map(String::as_str));
        if !names.is_empty() {
            text.json("names", array(names));
        }
        let schemas: Vec<String> = self
            .entries
            .iter()
            .map(|entry| self.annotations(*entry))
            .collect();
        if schemas.iter().any(|schema| schema != "{}") {
            text.json("schemas", array(schemas));
        }
        let unused = self.definitions.iter();
        let unused = unused.filter(|definition| !self.numbers.contains_key(&definition.start()));
        let unused = sorted(unused.map(Node::raw));
        if !unused.is_empty() {
            text.json("unused", array(unused));
        }
        Some(text.end()).filter(|text| text != "{}")
    }

    /// A schema reduced to its annotations and those of the schemas in it; `{}` if there are none.
    fn annotations(&self, schema: Node<'a>) -> String {
        let mut found = ObjectWriter::new();
        for (name, value) in schema.members() {
            let inner = match keyword_kind(&name, value) {
                KeywordKind::Annotation => {
                    found.json(&name, value.raw());
                    continue;
                }
                KeywordKind::Schema => self.inner_annotations(value),
                KeywordKind::Schemas => {
                    let all = value
                        .elements()
                        .map(|schema| self.inner_annotations(schema));
                    let all: Vec<String> = all.collect();
                    match all.iter().all(|inner| inner == "{}") {
                        true => continue,
                        false => array(all),
                    }
                }
                KeywordKind::Named => {
                    let mut named = ObjectWriter::new();
                    for (name, schema) in value.members() {
                        let inner = self.inner_annotations(schema);
                        if inner != "{}" {
                            named.json(&name, inner);
                        }
                    }
                    named.end()
                }
                _ => continue,
            };
            if inner != "{}" {
                found.json(&name, inner);
            }
        }
        found.end()
    }

    fn inner_annotations(&self, schema: Node<'a>) -> String {
        match self.survey.targets.contains(&schema.start()) {
            true => "{}".to_owned(),
            false => self.annotations(schema),
        }
    }
}

fn push_comma(out: &mut String) {
    if !out.ends_with(['{', '[']) {
        out.push(',');
    }
}

fn push_name(out: &mut String, name: &str) {
    push_comma(out);
    out.push_str(&string(name));
    out.push(':');
}

/// The elements of an array as a set (FP-13).
fn set(array: Node<'_>) -> Vec<&str> {
    sorted(array.elements().map(|element| element.raw()))
}

/// Texts by their UTF-16 code units, each once.
fn sorted<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    let mut texts: Vec<&str> = texts.collect();
    texts.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
    texts.dedup();
    texts
}
