//! What counts as asking for a secret (Q-21 to Q-23, Q-120).

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::collections::HashSet;

use super::freedom::Freedom;
use super::refusal::RefusalAbout;
use super::secret_table::FORMATS;
use super::wording::{Kind as TextKind, asks, is_declared, is_marked, speaks_of_password, word_of};
use crate::base::json::{Document, Kind, Node, ObjectWriter, array, pointer};
use crate::block::Question;
use crate::{Json, Limits};

/// The kind of sign that a question asks for a secret.
///
/// ```
/// assert_eq!(toolwire::question::SecretReason::Wording.as_str(), "wording");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SecretReason {
    /// Its schema has `writeOnly`.
    WriteOnly,
    /// Its schema has a `format` for secrets.
    Format,
    /// Its id, or a name in its schema, is the name of a secret.
    Name,
    /// Its text, a text in its schema, or a block before it seems to ask for a secret.
    Wording,
}

closed_words!(SecretReason, "a sign of a secret", {
    WriteOnly => "write_only",
    Format => "format",
    Name => "name",
    Wording => "wording",
});

/// How certain it is that a question asks for a secret.
///
/// ```
/// assert_eq!(toolwire::question::SecretTier::Suspected.as_str(), "suspected");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SecretTier {
    /// Its schema, its id or a name in its schema says so. It is never asked in a form (Q-20).
    Declared,
    /// Its wording suggests it. It is asked of a person only, with a warning (Q-110).
    Suspected,
}

closed_words!(SecretTier, "a tier of secrets", {
    Declared => "declared",
    Suspected => "suspected",
});

/// The first sign that a question asks for a secret.
///
/// ```
/// use toolwire::question::{SecretContext, find_secret, read_question};
///
/// let question = read_question(r#"{"id":"password","text":"?","schema":{"type":"string"}}"#)?;
/// assert_eq!(find_secret(&question, &SecretContext::default()).unwrap().pointer, "/id");
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret {
    /// The place in the question, as a JSON Pointer such as `/schema/format`, or in the texts before it:
    /// `/context/0` for the first one.
    pub pointer: String,
    /// The kind of sign.
    pub reason: SecretReason,
    /// What the secret is: a password if the question mentions one, even if another sign was found first
    /// (Q-102), or another secret. It is never [`RefusalAbout::Input`].
    pub about: RefusalAbout,
    /// Whether the question declares the secret or is only suspected.
    pub tier: SecretTier,
    /// The words that ask for it, in lower case, if it is known by words.
    pub word: Option<String>,
    /// The fields that seem to ask for it, if the question is an object of which the rest does not (Q-131).
    pub fields: Vec<String>,
}

impl Secret {
    /// Whether a value can be given to the question without giving the secret (Q-131): it is an object without the
    /// fields that seem to ask for it.
    ///
    /// ```
    /// use toolwire::Json;
    /// use toolwire::question::{SecretContext, find_secret, read_question};
    ///
    /// let schema = r#"{"properties":{"size":{"type":"integer"},"x":{"type":"string","title":"Your PIN"}}}"#;
    /// let question = read_question(&format!(r#"{{"id":"q","text":"?","schema":{schema}}}"#))?;
    /// let secret = find_secret(&question, &SecretContext::default()).unwrap();
    /// assert_eq!((&*secret.fields, secret.word.as_deref()), (&["x".to_owned()][..], Some("pin")));
    /// assert!(secret.spares(&Json::new(r#"{"size":1}"#)?));
    /// assert!(!secret.spares(&Json::new(r#"{"size":1,"x":"1"}"#)?));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn spares(&self, value: &Json) -> bool {
        let Some(document) = read(value) else {
            return false;
        };
        let has = |name: &String| document.root().get(name).is_some();
        document.root().kind() == Kind::Object
            && !self.fields.is_empty()
            && !self.fields.iter().any(has)
    }

    /// The sign as a JSON object, `{"about","pointer","reason","tier"}`.
    ///
    /// ```
    /// use toolwire::question::{SecretContext, find_secret, read_question};
    ///
    /// let question = read_question(r#"{"id":"q","text":"Your password?","schema":{"type":"string"}}"#)?;
    /// let secret = find_secret(&question, &SecretContext::default()).unwrap();
    /// assert_eq!(
    ///     secret.to_json(),
    ///     r#"{"about":"password","pointer":"/text","reason":"wording","tier":"suspected"}"#,
    /// );
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        ObjectWriter::new()
            .text("about", self.about.as_str())
            .text("pointer", &self.pointer)
            .text("reason", self.reason.as_str())
            .text("tier", self.tier.as_str())
            .end()
    }
}

/// Maximum size of the texts before questions that are judged, in bytes.
const MAX_CONTEXT: usize = 2 * 1024 * 1024;

/// The texts before a question. Each is judged once, however many questions follow, and only when a
/// question needs it.
///
/// ```
/// use toolwire::question::{SecretContext, find_secret, read_question};
///
/// let question = read_question(r#"{"id":"q","text":"Continue","schema":{"type":"string"}}"#)?;
/// let context: SecretContext = ["Signing in.", "Enter your password below."].into_iter().collect();
/// assert_eq!(find_secret(&question, &context).unwrap().pointer, "/context/1");
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct SecretContext<'a> {
    texts: Vec<Cow<'a, str>>,
    /// How many of them are judged, and of how many bytes they are.
    judged: Cell<usize>,
    bytes: Cell<usize>,
    /// The first of these that seems to ask for a secret, and for what.
    asking: Cell<Option<(usize, RefusalAbout)>>,
}

impl<'a> SecretContext<'a> {
    /// Adds the next text. Add an empty text for a block without text, so that the indexes in pointers are
    /// those of the blocks.
    ///
    /// ```
    /// use toolwire::question::{SecretContext, find_secret, read_question};
    ///
    /// let question = read_question(r#"{"id":"q","text":"Continue","schema":{"type":"string"}}"#)?;
    /// let mut context = SecretContext::default();
    /// context.add("The deployment took 12 seconds.");
    /// assert_eq!(find_secret(&question, &context), None);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn add(&mut self, text: impl Into<Cow<'a, str>>) {
        self.texts.push(text.into());
    }

    fn asking(&self) -> Option<(usize, RefusalAbout)> {
        while self.asking.get().is_none()
            && let at = self.judged.get()
            && let Some(text) = self.texts.get(at)
        {
            let bytes = self.bytes.get() + text.len();
            // What is not judged may ask for anything.
            let about = match bytes > MAX_CONTEXT {
                true => Some(RefusalAbout::Secret),
                false => asks(text, TextKind::Context),
            };
            self.asking.set(about.map(|about| (at, about)));
            self.judged.set(at + 1);
            self.bytes.set(bytes);
        }
        self.asking.get()
    }
}

impl<'a, T: Into<Cow<'a, str>>> FromIterator<T> for SecretContext<'a> {
    fn from_iter<I: IntoIterator<Item = T>>(texts: I) -> Self {
        SecretContext {
            texts: texts.into_iter().map(Into::into).collect(),
            ..SecretContext::default()
        }
    }
}

/// Whether a question asks for a secret, which sign shows it, and how certain it is. `context` holds the
/// texts before the question, or is [`SecretContext::default`].
///
/// A question that declares a secret is never asked in a form (Q-20). One that is only suspected is asked
/// of a person only (Q-110). No word list can stop a tool that lies.
///
/// # Examples
///
/// ```
/// use toolwire::{Json, block::Question};
/// use toolwire::question::{SecretContext, SecretTier, find_secret};
///
/// let tier = |id: &str, text: &str, schema: &str| -> Result<_, toolwire::Error> {
///     let question = Question {
///         id: id.into(),
///         text: text.into(),
///         schema: Json::new(schema)?,
///         default: None,
///         url: None,
///         extra: Default::default(),
///     };
///     Ok(find_secret(&question, &SecretContext::default()).map(|secret| secret.tier))
/// };
/// let text = r#"{"type":"string"}"#;
/// assert_eq!(tier("api_key", "For the weather", text)?, Some(SecretTier::Declared));
/// assert_eq!(tier("login", "Your password, please", text)?, Some(SecretTier::Suspected));
/// assert_eq!(tier("reset_password", "Reset the password?", r#"{"type":"boolean"}"#)?, None);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn find_secret(question: &Question, context: &SecretContext<'_>) -> Option<Secret> {
    let mut secret = find(question, Some(context))?;
    if secret.tier == SecretTier::Suspected {
        secret.fields = fields(question, context).unwrap_or_default();
    }
    Some(secret)
}

/// The fields that are suspected, if the rest of the question is not.
fn fields(question: &Question, context: &SecretContext<'_>) -> Option<Vec<String>> {
    let alone = SecretContext::default();
    let document = read(&question.schema)?;
    let root = document.root();
    let (mut found, mut kept) = (Vec::new(), ObjectWriter::new());
    for (name, schema) in root.get("properties")?.members() {
        let field = Question {
            id: name.clone().into_owned(),
            text: String::new(),
            schema: Json::from(schema),
            default: None,
            url: None,
            extra: Default::default(),
        };
        match find(&field, Some(&alone)) {
            Some(_) => found.push(name.into_owned()),
            None => _ = kept.json(&name, schema.raw()),
        }
    }
    let is_found = |name: &Node<'_>| {
        name.as_str()
            .is_some_and(|name| found.iter().any(|one| *one == name))
    };
    let mut rest = ObjectWriter::new();
    for (keyword, value) in root.members() {
        match &*keyword {
            "properties" => rest.json("properties", kept.end()),
            "required" => {
                let names = value.elements().filter(|name| !is_found(name));
                rest.json("required", array(names.map(|name| name.raw())))
            }
            _ => rest.json(&keyword, value.raw()),
        };
    }
    let rest = Question {
        schema: Json::written(rest.end()),
        ..question.clone()
    };
    find(&rest, Some(context)).is_none().then_some(found)
}

/// Whether a text shows how the secrets of some service begin, such as `ghp_`.
///
/// ```
/// use toolwire::question::shows_secret;
///
/// assert!(shows_secret("--header=token ghp_0123456789"));
/// assert!(!shows_secret("1password-mcp"));
/// ```
#[must_use]
pub fn shows_secret(text: &str) -> bool {
    is_marked(text)
}

/// The sign by which a question declares a secret itself.
pub(super) fn find_declared(question: &Question) -> Option<Secret> {
    find(question, None)
}

/// Without a context, only what is declared is looked for.
fn find(question: &Question, context: Option<&SecretContext<'_>>) -> Option<Secret> {
    // What is entered on a page never passes through the host (Q-151).
    if question.url.is_some() {
        return None;
    }
    let document = read(&question.schema)?;
    let schemas = Schemas::new(&document);
    let ((pointer, reason, about), tier) = match declared(question, &schemas) {
        Some(sign) => (sign, SecretTier::Declared),
        None => {
            let sign = suspected(question, &schemas, context?)?;
            (sign, SecretTier::Suspected)
        }
    };
    let password = about == RefusalAbout::Password
        || speaks_of_password(&question.id)
        || speaks_of_password(&question.text)
        || schemas
            .each_text(|_, text, _| speaks_of_password(text).then_some(()))
            .is_some();
    Some(Secret {
        word: word(question, &pointer),
        pointer,
        reason,
        about: self::about(password),
        tier,
        fields: Vec::new(),
    })
}

/// The words at the place of a sign.
fn word(question: &Question, pointer: &str) -> Option<String> {
    match pointer {
        "/id" => return word_of(&question.id, TextKind::Name),
        "/text" => return word_of(&question.text, TextKind::Asking),
        _ => {}
    }
    let place = pointer.strip_prefix("/schema")?;
    let named = || {
        let name = place.rsplit('/').next()?;
        word_of(&pointer::unescape(name), TextKind::Name)
    };
    let text = question.schema.at(place).and_then(|text| text.to_text());
    text.and_then(|text| word_of(&text, TextKind::Asking))
        .or_else(named)
}

fn read(json: &Json) -> Option<Document<'_>> {
    // The question was read within its reader's limits.
    let text = Cow::Borrowed(json.as_str().as_bytes());
    Document::read(text, &Limits::WIDEST).ok()
}

/// A sign: where it is, what it is, and what the secret is.
type Sign = (String, SecretReason, RefusalAbout);

fn about(password: bool) -> RefusalAbout {
    match password {
        true => RefusalAbout::Password,
        false => RefusalAbout::Secret,
    }
}

fn place(prefix: &str, document: &Document<'_>, node: Node<'_>) -> String {
    let offset = u32::try_from(node.start()).unwrap_or(u32::MAX);
    format!("{prefix}{}", document.pointer_at(offset))
}

/// A mark in the schema, or a name (Q-21).
fn declared(question: &Question, schemas: &Schemas<'_>) -> Option<Sign> {
    if let Some((node, reason)) = mark(schemas.root) {
        let password = node
            .as_str()
            .is_some_and(|text| text.eq_ignore_ascii_case("password"));
        return Some((schemas.pointer(node), reason, about(password)));
    }
    let sign = |pointer, name: &str| (pointer, SecretReason::Name, about(speaks_of_password(name)));
    // What can't be typed can't be given away.
    schemas.is_free().then_some(())?;
    if is_declared(&question.id) {
        return Some(sign("/id".to_owned(), &question.id));
    }
    schemas.each_text(|node, text, kind| {
        let declared = kind == TextKind::Name && is_declared(text);
        declared.then(|| sign(schemas.pointer(node), text))
    })
}

/// A text that asks for a secret (Q-120).
fn suspected(
    question: &Question,
    schemas: &Schemas<'_>,
    context: &SecretContext<'_>,
) -> Option<Sign> {
    schemas.is_free().then_some(())?;
    let sign = |pointer, text: &str, kind| {
        let reason = match kind {
            TextKind::Name => SecretReason::Name,
            _ => SecretReason::Wording,
        };
        Some((pointer, reason, asks(text, kind)?))
    };
    let in_schema = || {
        schemas.each_text(|node, text, kind| {
            let (_, reason, about) = sign(String::new(), text, kind)?;
            Some((schemas.pointer(node), reason, about))
        })
    };
    let in_default = || {
        let default = read(question.default.as_ref()?)?;
        each_string(default.root(), &mut |node, text| {
            let about = asks(text, TextKind::Value)?;
            let pointer = place("/default", &default, node);
            Some((pointer, SecretReason::Wording, about))
        })
    };
    let in_context = || {
        let (text, about) = context.asking()?;
        Some((format!("/context/{text}"), SecretReason::Wording, about))
    };
    sign("/id".to_owned(), &question.id, TextKind::Name)
        .or_else(|| sign("/text".to_owned(), &question.text, TextKind::Asking))
        .or_else(in_schema)
        .or_else(in_default)
        .or_else(in_context)
}

/// Visits the strings of a value until there is a result.
fn each_string<'a, T>(
    value: Node<'a>,
    visit: &mut impl FnMut(Node<'a>, &str) -> Option<T>,
) -> Option<T> {
    // Values can be deeper than the stack of a thread.
    let mut left = vec![value];
    while let Some(node) = left.pop() {
        let result = node.as_str().and_then(|text| visit(node, &text));
        if result.is_some() {
            return result;
        }
        let first = left.len();
        left.extend(node.elements());
        left.extend(node.members().map(|(_, part)| part));
        left[first..].reverse();
    }
    None
}

/// The parts of a schema that tell what can be typed.
struct Schemas<'a> {
    document: &'a Document<'a>,
    root: Node<'a>,
    freedom: Freedom<'a>,
    /// The names of all properties.
    properties: OnceCell<HashSet<Cow<'a, str>>>,
}

impl<'a> Schemas<'a> {
    fn new(document: &'a Document<'a>) -> Self {
        let root = document.root();
        Schemas {
            document,
            root,
            freedom: Freedom::new(root),
            properties: OnceCell::new(),
        }
    }

    /// Whether the answer as a whole is free.
    fn is_free(&self) -> bool {
        self.freedom.is_free(self.root)
    }

    fn pointer(&self, node: Node<'_>) -> String {
        place("/schema", self.document, node)
    }

    /// Visits the names and texts of what can be typed until there is a result.
    fn each_text<T>(
        &self,
        mut visit: impl FnMut(Node<'a>, &str, TextKind) -> Option<T>,
    ) -> Option<T> {
        let mut left = vec![Part::Schema(self.root)];
        let mut parts = Vec::new();
        while let Some(part) = left.pop() {
            let result = match part {
                Part::Name(node, name) => visit(node, &name, TextKind::Name),
                Part::Value(value) => {
                    each_string(value, &mut |node, text| visit(node, text, TextKind::Value))
                }
                Part::Schema(node) => {
                    match node.kind() {
                        Kind::Array => parts.extend(node.elements().map(Part::Schema)),
                        Kind::Object if self.freedom.is_free(node) => {
                            self.parts(node, &mut parts);
                        }
                        _ => {}
                    }
                    let text = node.as_str();
                    text.and_then(|text| visit(node, &text, TextKind::Asking))
                }
            };
            if result.is_some() {
                return result;
            }
            left.extend(parts.drain(..).rev());
        }
        None
    }

    /// What is to be looked at inside of a schema, in the order of the document.
    fn parts(&self, schema: Node<'a>, parts: &mut Vec<Part<'a>>) {
        for (keyword, value) in schema.members() {
            let is_map = value.kind() == Kind::Object;
            match keyword.as_ref() {
                "properties" | "patternProperties" | "dependentSchemas" if is_map => {
                    for (name, part) in value.members() {
                        if self.freedom.is_free(part) {
                            parts.extend([Part::Name(part, name), Part::Schema(part)]);
                        }
                    }
                }
                "$defs" | "definitions" if is_map => {
                    parts.extend(value.members().map(|(_, part)| Part::Schema(part)));
                }
                "required" | "dependentRequired" | "dependencies" | "propertyNames" => {
                    self.other_names(value, parts);
                }
                "enum" | "const" | "default" | "examples" => parts.push(Part::Value(value)),
                "pattern" => {
                    let shows = value.as_str().is_some_and(|pattern| is_marked(&pattern));
                    parts.extend(shows.then_some(Part::Value(value)));
                }
                "$ref" | "$dynamicRef" | "$schema" | "$id" | "$anchor" | "$dynamicAnchor"
                | "type" | "format" => {}
                _ => parts.push(Part::Schema(value)),
            }
        }
    }

    /// The names in other keywords than `properties`, without those of properties, which count
    /// where they stand.
    fn other_names(&self, value: Node<'a>, parts: &mut Vec<Part<'a>>) {
        let properties = self.properties.get_or_init(|| properties(self.root));
        let mut tell = |node, name: Cow<'a, str>| {
            if !properties.contains(&name) {
                parts.push(Part::Name(node, name));
            }
        };
        for (name, part) in value.members() {
            tell(part, name);
        }
        let _: Option<()> = each_string(value, &mut |node, name| {
            tell(node, Cow::Owned(name.to_owned()));
            None
        });
    }
}

/// The names of all properties that a schema and those inside of it have.
fn properties(schema: Node<'_>) -> HashSet<Cow<'_, str>> {
    let mut names = HashSet::new();
    let mut left = vec![schema];
    while let Some(node) = left.pop() {
        let properties = node.get("properties").into_iter();
        names.extend(
            properties
                .flat_map(|all| all.members())
                .map(|(name, _)| name),
        );
        left.extend(node.elements());
        left.extend(node.members().map(|(_, part)| part));
    }
    names
}

/// What is looked at for names and texts.
enum Part<'a> {
    /// A schema, a list of schemas, or a text.
    Schema(Node<'a>),
    /// The name of a property, and its place.
    Name(Node<'a>, Cow<'a, str>),
    /// A value that a schema holds.
    Value(Node<'a>),
}

/// The first place in a schema, and in those inside of it, with `writeOnly` or the format of a secret.
fn mark(schema: Node<'_>) -> Option<(Node<'_>, SecretReason)> {
    let mut left = vec![schema];
    while let Some(node) = left.pop() {
        let hidden = node.get("writeOnly");
        if let Some(hidden) = hidden.filter(|hidden| hidden.as_bool() == Some(true)) {
            return Some((hidden, SecretReason::WriteOnly));
        }
        let format = node.get("format").filter(|format| {
            let name = format.as_str();
            name.is_some_and(|name| FORMATS.contains(&name.to_lowercase().as_str()))
        });
        if let Some(format) = format {
            return Some((format, SecretReason::Format));
        }
        let first = left.len();
        left.extend(node.elements());
        for (keyword, value) in node.members() {
            match keyword.as_ref() {
                "enum" | "const" | "default" | "examples" => {}
                "properties" | "patternProperties" | "dependentSchemas" | "dependencies"
                | "$defs" | "definitions" => {
                    left.extend(value.members().map(|(_, part)| part));
                }
                _ => left.push(value),
            }
        }
        left[first..].reverse();
    }
    None
}

#[cfg(test)]
mod tests;
