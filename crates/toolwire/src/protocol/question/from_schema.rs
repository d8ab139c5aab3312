//! Which schema maps to which prompt (Q-1 to Q-10, Q-150, Q-160 to Q-162).

use super::prompt::{Choice, FormField, NumberRange, Prompt, TextRange};
use super::secret::find_declared;
use crate::base::json::{Document, Kind, Node, type_of};
use crate::block::Question;
use crate::{Code, Error, Json};

/// Maximum number of fields of a form; an object with more of them is written in an editor.
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
    let prompt = simple_prompt(schema, root).or_else(|| fields(schema, root).map(Prompt::Form));
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
pub(crate) fn simple_prompt(schema: Node<'_>, root: Node<'_>) -> Option<Prompt> {
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
    match one_type(schema)?.as_ref() {
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
fn one_type(schema: Node<'_>) -> Option<std::borrow::Cow<'_, str>> {
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
    let kind = one_type(schema);
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
    let own = type_of(choice.value.as_str());
    own == kind || own == "integer" && kind == "number"
}

/// Maximum size of the schemas of all fields, each reference replaced: many fields can refer to one
/// long list.
const MAX_SCHEMAS_BYTES: usize = 1024 * 1024;

/// The fields of a schema that is a flat object; `None` if it is none.
fn fields(schema: Node<'_>, root: Node<'_>) -> Option<Vec<FormField>> {
    let (properties, required) = super::flat_object(schema, MAX_FIELDS)?;
    if properties.is_empty() {
        return None;
    }
    let size = |(_, own): (std::borrow::Cow<'_, str>, Node<'_>)| {
        let target = super::target(own, root);
        let items = target.get("items").map(|items| super::target(items, root));
        target.raw().len() + items.map_or(0, |items| items.raw().len())
    };
    if properties.members().map(size).sum::<usize>() > MAX_SCHEMAS_BYTES {
        return None;
    }
    let field = |(name, own): (std::borrow::Cow<'_, str>, Node<'_>)| {
        let target = super::target(own, root);
        let prompt = simple_prompt(target, root)?;
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
