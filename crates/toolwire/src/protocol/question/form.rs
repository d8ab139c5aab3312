//! Objects that are asked field by field (Q-160 to Q-162).

use super::prompt::{Prompt, simple, type_of};
use crate::Json;
use crate::base::json::{Document, Kind, Node, ObjectWriter};

/// The most fields of a form; an object with more of them is written in an editor.
///
/// ```
/// use toolwire::question::{MAX_FIELDS, PromptKind, prompt, read_question};
///
/// let fields: Vec<String> = (0..=MAX_FIELDS).map(|n| format!(r#""f{n}":{{"type":"string"}}"#)).collect();
/// let schema = format!(r#"{{"type":"object","properties":{{{}}}}}"#, fields.join(","));
/// let question = read_question(&format!(r#"{{"id":"q","text":"?","schema":{schema}}}"#))?;
/// assert_eq!(prompt(&question)?.kind(), PromptKind::Editor);
/// # Ok::<(), toolwire::Error>(())
/// ```
pub const MAX_FIELDS: usize = 100;

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

    pub(super) fn to_json(&self) -> String {
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

/// The most bytes of the schemas of all fields, each reference replaced: many fields can refer to one
/// long list.
const MOST_BYTES: usize = 1024 * 1024;

/// Keywords with which more than the fields decides what fits (Q-160).
const NOT_FLAT: [&str; 9] = [
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "patternProperties",
    "dependentSchemas",
    "dependencies",
    "$dynamicRef",
];

/// The fields of a schema that is a flat object; nothing if it is none.
pub(super) fn fields(schema: Node<'_>, root: Node<'_>) -> Option<Vec<FormField>> {
    if type_of(schema)? != "object" || NOT_FLAT.iter().any(|name| schema.get(name).is_some()) {
        return None;
    }
    let others = schema.get("additionalProperties");
    if others.is_some_and(|others| others.kind() != Kind::Bool) {
        return None;
    }
    let properties = schema.get("properties")?;
    if !(1..=MAX_FIELDS).contains(&properties.members().count()) {
        return None;
    }
    let required = schema.get("required").into_iter();
    let required: Vec<_> = required
        .flat_map(|names| names.elements())
        .take(MAX_FIELDS + 1)
        .filter_map(|name| name.as_str())
        .collect();
    if required.len() > MAX_FIELDS || !required.iter().all(|name| properties.get(name).is_some()) {
        return None;
    }
    let size = |(_, own): (std::borrow::Cow<'_, str>, Node<'_>)| {
        let target = super::target(own, root);
        let items = target.get("items").map(|items| super::target(items, root));
        target.raw().len() + items.map_or(0, |items| items.raw().len())
    };
    if properties.members().map(size).sum::<usize>() > MOST_BYTES {
        return None;
    }
    let field = |(name, own): (std::borrow::Cow<'_, str>, Node<'_>)| {
        let target = super::target(own, root);
        let prompt = simple(target, root)?;
        let text = |keyword: &str| {
            let found = [own, target]
                .into_iter()
                .find_map(|schema| schema.get(keyword).and_then(|text| text.as_str()));
            found.map(std::borrow::Cow::into_owned)
        };
        let default = own.get("default").or_else(|| target.get("default"));
        let default = default.map(Json::from);
        Some(FormField {
            required: required.contains(&name),
            title: text("title"),
            description: text("description"),
            default: default.filter(|default| prompt.offers(default)),
            prompt,
            schema: Json::from(own),
            name: name.into_owned(),
        })
    };
    properties.members().map(field).collect()
}

/// Whether a form with these fields can produce a value (Q-10).
pub(super) fn offers(fields: &[FormField], value: &Json) -> bool {
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
