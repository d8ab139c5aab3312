//! Which schema maps to which prompt (Q-1 to Q-10, Q-150, Q-160).

use std::collections::HashSet;

use serde::Serialize;

use super::form::{self, FormField};
use super::secret::find_declared;
use super::template::template;
use crate::base::json::{Document, Kind, Node, ObjectWriter, array, is_whole, to_text};
use crate::block::Question;
use crate::{Code, Error, Json, WebUrl};

/// How a question is presented to a person (Q-1).
///
/// ```
/// use toolwire::question::{Prompt, PromptKind, TextRange};
///
/// assert_eq!(Prompt::Text(TextRange::default()).kind(), PromptKind::Text);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Prompt {
    /// Yes or no.
    Boolean,
    /// One of several values.
    Select(Vec<Choice>),
    /// Any number of several values.
    MultiSelect {
        /// The choices.
        choices: Vec<Choice>,
        /// The minimum number of values.
        min_items: Option<u64>,
        /// The maximum number of values.
        max_items: Option<u64>,
    },
    /// A line of text.
    Text(TextRange),
    /// A number.
    Number(NumberRange),
    /// An object, asked field by field (Q-160).
    Form(Vec<FormField>),
    /// JSON, written in an editor that starts with the [`template`](super::template).
    Editor,
    /// A page, which the person agrees to open or not (Q-150). No value answers it.
    Url {
        /// The URL, which a [`WebUrl`] takes apart.
        url: String,
    },
}

/// The kinds of prompts.
///
/// ```
/// use toolwire::question::PromptKind;
///
/// assert_eq!(PromptKind::MultiSelect.as_str(), "multi_select");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PromptKind {
    /// Yes or no.
    Boolean,
    /// One of several values.
    Select,
    /// Any number of several values.
    MultiSelect,
    /// A line of text.
    Text,
    /// A number.
    Number,
    /// An object, asked field by field.
    Form,
    /// JSON, written in an editor.
    Editor,
    /// Consent to open a page.
    Url,
}

closed_words!(PromptKind, "a kind of prompt", {
    Boolean => "boolean",
    Select => "select",
    MultiSelect => "multi_select",
    Text => "text",
    Number => "number",
    Form => "form",
    Editor => "editor",
    Url => "url",
});

/// A choice.
///
/// ```
/// use toolwire::Json;
/// use toolwire::question::{Choice, Prompt};
///
/// let choice = Choice { value: Json::from("a"), label: "Alpha".into(), description: None };
/// assert!(Prompt::Select(vec![choice]).offers(&Json::from("a")));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// The value.
    pub value: Json,
    /// The text that a person sees.
    pub label: String,
    /// A longer explanation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// The constraints of a text that a prompt shows. The schema may have others.
///
/// ```
/// use toolwire::question::{Prompt, TextRange};
///
/// let range = TextRange { max_length: Some(72), ..TextRange::default() };
/// assert!(matches!(Prompt::Text(range), Prompt::Text(range) if range.pattern.is_none()));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextRange {
    /// The minimum number of characters.
    pub min_length: Option<u64>,
    /// The maximum number of characters.
    pub max_length: Option<u64>,
    /// A regular expression of ECMA-262.
    pub pattern: Option<String>,
    /// The name of a format, such as `email`.
    pub format: Option<String>,
}

/// The constraints of a number that a prompt shows.
///
/// ```
/// use toolwire::question::{NumberRange, Prompt};
///
/// let range = NumberRange { integer: true, ..NumberRange::default() };
/// assert!(!Prompt::Number(range).offers(&toolwire::Json::new("0.5")?));
/// # Ok::<(), toolwire::Error>(())
/// ```
///
/// The bounds are JSON numbers, as the schema has them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NumberRange {
    /// Whether the number must be an integer.
    pub integer: bool,
    /// The minimum.
    pub minimum: Option<Json>,
    /// The maximum.
    pub maximum: Option<Json>,
    /// The exclusive minimum.
    pub exclusive_minimum: Option<Json>,
    /// The exclusive maximum.
    pub exclusive_maximum: Option<Json>,
}

/// The prompt for a question (Q-1).
///
/// # Errors
///
/// `secret_question`, with a pointer into the question, if it declares a secret (Q-20).
///
/// # Examples
///
/// ```
/// use toolwire::Code;
/// use toolwire::question::{Prompt, prompt, read_question};
///
/// let ask = |schema: &str| {
///     prompt(&read_question(&format!(r#"{{"id":"q","text":"Which?","schema":{schema}}}"#))?)
/// };
/// assert_eq!(ask(r#"{"type":"boolean"}"#)?, Prompt::Boolean);
/// assert!(matches!(ask(r#"{"enum":["a","b"]}"#)?, Prompt::Select(choices) if choices.len() == 2));
/// let error = ask(r#"{"type":"string","format":"password"}"#).unwrap_err();
/// assert_eq!((error.code(), error.pointer()), (Code::SecretQuestion, "/schema/format"));
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn prompt(question: &Question) -> Result<Prompt, Error> {
    if let Some(url) = &question.url {
        return Ok(Prompt::Url { url: url.clone() });
    }
    refuse_declared(question)?;
    let document = Document::new(question.schema.as_str())?;
    let root = document.root();
    let schema = super::target(root, root);
    let prompt = simple(schema, root).or_else(|| form::fields(schema, root).map(Prompt::Form));
    Ok(prompt.unwrap_or(Prompt::Editor))
}

/// Refuses a question that declares a secret (Q-20).
pub(crate) fn refuse_declared(question: &Question) -> Result<(), Error> {
    let Some(found) = find_declared(question) else {
        return Ok(());
    };
    let message = format!(
        "the question `{}` asks for a secret, as its {} tells: let the person sign in, open a page, or \
         supply it in advance",
        question.id,
        found.reason.as_str().replace('_', " ")
    );
    Err(Error::new(
        Code::SecretQuestion,
        found.pointer,
        None,
        message,
    ))
}

/// The prompt of a schema that needs no editor.
pub(super) fn simple(schema: Node<'_>, root: Node<'_>) -> Option<Prompt> {
    if let Some(choices) = choices(schema) {
        return Some(Prompt::Select(choices));
    }
    let count = |name: &str| schema.get(name).and_then(|node| node.as_u64());
    let text = |name: &str| {
        let node = schema.get(name)?;
        node.as_str().map(std::borrow::Cow::into_owned)
    };
    let number = |name: &str| {
        let node = schema.get(name)?;
        (node.kind() == Kind::Number).then(|| Json::from(node))
    };
    match type_of(schema)?.as_ref() {
        "boolean" => Some(Prompt::Boolean),
        "array" => {
            let items = super::target(schema.get("items")?, root);
            Some(Prompt::MultiSelect {
                choices: choices(items)?,
                min_items: count("minItems"),
                max_items: count("maxItems"),
            })
        }
        "string" => Some(Prompt::Text(TextRange {
            min_length: count("minLength"),
            max_length: count("maxLength"),
            pattern: text("pattern"),
            format: text("format"),
        })),
        kind @ ("number" | "integer") => Some(Prompt::Number(NumberRange {
            integer: kind == "integer",
            minimum: number("minimum"),
            maximum: number("maximum"),
            exclusive_minimum: number("exclusiveMinimum"),
            exclusive_maximum: number("exclusiveMaximum"),
        })),
        _ => None,
    }
}

/// The one type of a schema.
pub(super) fn type_of(schema: Node<'_>) -> Option<std::borrow::Cow<'_, str>> {
    let types = schema.get("type")?;
    match types.len() {
        1 => types.elements().next()?.as_str(),
        _ => types.as_str(),
    }
}

/// The values that a schema lists, if it lists any and all are simple ones.
pub(crate) fn choices(schema: Node<'_>) -> Option<Vec<Choice>> {
    let mut choices = Vec::new();
    if let Some(values) = schema.get("enum") {
        let names = schema.get("enumNames").filter(|n| n.len() == values.len());
        let mut names = names.into_iter().flat_map(|names| names.elements());
        for value in values.elements() {
            choices.push(choice(value, names.next(), None)?);
        }
    } else if let Some(value) = schema.get("const") {
        choices.push(choice(value, schema.get("title"), None)?);
    } else {
        let branches = ["oneOf", "anyOf"]
            .iter()
            .find_map(|name| schema.get(name))?;
        for branch in branches.elements() {
            let (title, description) = (branch.get("title"), branch.get("description"));
            choices.push(choice(branch.get("const")?, title, description)?);
        }
    }
    let kind = type_of(schema);
    choices.retain(|choice| kind.as_deref().is_none_or(|kind| has_type(choice, kind)));
    (!choices.is_empty()).then_some(choices)
}

fn choice(
    value: Node<'_>,
    title: Option<Node<'_>>,
    description: Option<Node<'_>>,
) -> Option<Choice> {
    if matches!(value.kind(), Kind::Array | Kind::Object) {
        return None;
    }
    let text = |node: Node<'_>| node.as_str().map(std::borrow::Cow::into_owned);
    Some(Choice {
        value: Json::from(value),
        label: title
            .and_then(text)
            .or_else(|| text(value))
            .unwrap_or_else(|| value.raw().to_owned()),
        description: description.and_then(text),
    })
}

fn has_type(choice: &Choice, kind: &str) -> bool {
    match choice.value.as_str().as_bytes().first() {
        Some(b'"') => kind == "string",
        Some(b't' | b'f') => kind == "boolean",
        Some(b'n') => kind == "null",
        _ => kind == "number" || kind == "integer" && is_whole(choice.value.as_str()),
    }
}

/// The values of choices in exact form, as a set: there may be many.
fn listed(choices: &[Choice]) -> HashSet<String> {
    let values = choices.iter().map(|choice| choice.value.exact());
    values.map(|value| value.to_string()).collect()
}

impl Prompt {
    /// The kind of prompt.
    ///
    /// ```
    /// use toolwire::question::{Prompt, PromptKind};
    ///
    /// assert_eq!(Prompt::Boolean.kind(), PromptKind::Boolean);
    /// ```
    #[must_use]
    pub fn kind(&self) -> PromptKind {
        match self {
            Prompt::Boolean => PromptKind::Boolean,
            Prompt::Select(_) => PromptKind::Select,
            Prompt::MultiSelect { .. } => PromptKind::MultiSelect,
            Prompt::Text(_) => PromptKind::Text,
            Prompt::Number(_) => PromptKind::Number,
            Prompt::Form(_) => PromptKind::Form,
            Prompt::Editor => PromptKind::Editor,
            Prompt::Url { .. } => PromptKind::Url,
        }
    }

    /// Whether the prompt can produce this value. A default that it cannot produce is not offered (Q-10).
    /// Bounds and patterns are not considered.
    ///
    /// ```
    /// use toolwire::{Json, question::Prompt};
    ///
    /// assert!(Prompt::Boolean.offers(&Json::from(true)));
    /// assert!(!Prompt::Boolean.offers(&Json::from("yes")));
    /// ```
    #[must_use]
    pub fn offers(&self, value: &Json) -> bool {
        let first = value.as_str().as_bytes().first();
        match self {
            Prompt::Boolean => matches!(first, Some(b't' | b'f')),
            // No choice is a container.
            Prompt::Select(_) if matches!(first, Some(b'[' | b'{')) => false,
            Prompt::Select(choices) => listed(choices).contains(value.exact().as_str()),
            Prompt::MultiSelect { choices, .. } => {
                let Ok(document) = Document::new(value.as_str()) else {
                    return false;
                };
                let listed = listed(choices);
                let is_listed = |element: Node<'_>| {
                    !matches!(element.kind(), Kind::Array | Kind::Object)
                        && listed.contains(Json::from(element).exact().as_str())
                };
                first == Some(&b'[') && document.root().elements().all(is_listed)
            }
            Prompt::Text(_) => first == Some(&b'"'),
            Prompt::Number(range) => {
                matches!(first, Some(b'-' | b'0'..=b'9'))
                    && (!range.integer || is_whole(value.as_str()))
            }
            Prompt::Form(fields) => form::offers(fields, value),
            Prompt::Editor => true,
            Prompt::Url { .. } => false,
        }
    }

    /// The prompt of this question as a JSON object, with the default if the prompt can produce it. The
    /// template of an editor is written only here, so a host that does not ask does not pay for it.
    ///
    /// ```
    /// use toolwire::question::{prompt, read_question};
    ///
    /// let question = read_question(r#"{"id":"q","text":"Go?","schema":{"type":"boolean"}}"#)?;
    /// let json = prompt(&question)?.to_json(&question, Some(&toolwire::Json::from(true)));
    /// assert_eq!(json, r#"{"kind":"boolean","default":true}"#);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self, question: &Question, default: Option<&Json>) -> String {
        let mut out = ObjectWriter::new();
        self.write(&mut out, default);
        if matches!(self, Prompt::Form(_) | Prompt::Editor) {
            out.text("template", template(question));
        }
        out.end()
    }

    /// The members of the prompt, without the template.
    pub(super) fn write(&self, out: &mut ObjectWriter, default: Option<&Json>) {
        let count = |count: &Option<u64>| count.map(|count| count.to_string());
        let json = |value: &Option<Json>| value.as_ref().map(Json::to_string);
        out.text("kind", self.kind().as_str());
        match self {
            Prompt::Boolean | Prompt::Editor => &mut *out,
            Prompt::Select(choices) => out.json("choices", to_text(choices)),
            Prompt::MultiSelect {
                choices,
                min_items,
                max_items,
            } => out
                .json("choices", to_text(choices))
                .optional_json("minItems", count(min_items))
                .optional_json("maxItems", count(max_items)),
            Prompt::Text(range) => out
                .optional_json("minLength", count(&range.min_length))
                .optional_json("maxLength", count(&range.max_length))
                .optional("pattern", range.pattern.as_deref())
                .optional("format", range.format.as_deref()),
            Prompt::Number(range) => out
                .flag("integer", range.integer)
                .optional_json("minimum", json(&range.minimum))
                .optional_json("maximum", json(&range.maximum))
                .optional_json("exclusiveMinimum", json(&range.exclusive_minimum))
                .optional_json("exclusiveMaximum", json(&range.exclusive_maximum)),
            Prompt::Form(fields) => {
                out.json("fields", array(fields.iter().map(FormField::to_json)))
            }
            Prompt::Url { url } => out
                .text("url", url)
                .optional("host", WebUrl::new(url).as_ref().map(WebUrl::host)),
        };
        if let Some(default) = default.filter(|default| self.offers(default)) {
            out.json("default", default.as_str());
        }
    }
}
