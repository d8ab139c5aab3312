//! How a question is presented to a person: the kinds of prompts, and the values that each can produce.

use std::collections::HashSet;

use serde::Serialize;

use super::template::template;
use crate::base::json::{Document, Kind, Node, ObjectWriter, array, is_whole, to_text};
use crate::block::Question;
use crate::{Json, WebUrl};

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

/// A field of a form.
///
/// ```
/// use toolwire::question::{Prompt, PromptKind, prompt, read_question};
///
/// let question = read_question(
///     r#"{"id":"who","text":"Who?","schema":{"type":"object","required":["name"],"properties":{
///         "name":{"type":"string","title":"Your name"},"age":{"type":"integer"}}}}"#,
/// )?;
/// let Prompt::Form(fields) = prompt(&question)? else { panic!() };
/// assert_eq!((fields[0].label(), fields[0].required), ("Your name", true));
/// assert_eq!((fields[1].label(), fields[1].prompt.kind()), ("age", PromptKind::Number));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct FormField {
    /// The name of the member.
    pub name: String,
    /// What a person sees instead of the name.
    pub title: Option<String>,
    /// A longer explanation.
    pub description: Option<String>,
    /// Whether the member must be there.
    pub required: bool,
    /// How the field is asked: never as a form, in an editor or as a page.
    pub prompt: Prompt,
    /// The value that the schema of the member suggests, if the prompt can produce it.
    pub default: Option<Json>,
    /// The schema of the member, in which references are as they stand in the question's schema.
    pub schema: Json,
}

impl FormField {
    /// What a person sees: the title or, if there is none, the name.
    ///
    /// ```
    /// use toolwire::{Json, question::{FormField, Prompt}};
    ///
    /// let field = FormField {
    ///     name: "ok".into(), title: None, description: None, required: true,
    ///     prompt: Prompt::Boolean, default: None, schema: Json::new("{}")?,
    /// };
    /// assert_eq!(field.label(), "ok");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn label(&self) -> &str {
        let title = self.title.as_deref();
        title
            .filter(|title| !title.trim().is_empty())
            .unwrap_or(&self.name)
    }

    fn to_json(&self) -> String {
        let mut prompt = ObjectWriter::new();
        self.prompt.write(&mut prompt, self.default.as_ref());
        ObjectWriter::new()
            .text("name", &self.name)
            .optional("title", self.title.as_deref())
            .optional("description", self.description.as_deref())
            .flag("required", self.required)
            .json("prompt", prompt.end())
            .end()
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
            Prompt::Form(fields) => offers(fields, value),
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
    fn write(&self, out: &mut ObjectWriter, default: Option<&Json>) {
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

/// Whether a form with these fields can produce a value (Q-10).
fn offers(fields: &[FormField], value: &Json) -> bool {
    let Ok(document) = Document::new(value.as_str()) else {
        return false;
    };
    let object = document.root();
    let known = |(name, part): (std::borrow::Cow<'_, str>, Node<'_>)| {
        let mut fields = fields.iter();
        let field = fields.find(|field| field.name == name);
        field.is_some_and(|field| field.prompt.offers(&Json::from(part)))
    };
    object.kind() == Kind::Object
        && object.members().all(known)
        && fields
            .iter()
            .all(|field| !field.required || object.get(&field.name).is_some())
}
