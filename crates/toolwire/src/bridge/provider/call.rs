//! A model's call as every provider's calls are read, and the way back into a provider's history.

use std::collections::BTreeMap;

use super::Provider;
use super::form::Form;
use super::name::{provider_id, provider_name};
use super::table::form;
use crate::base::json::{Document, ObjectWriter, Place};
use crate::{Code, Error, Json, Limits};

/// A call that a model has made.
///
/// ```
/// use toolwire::provider::ModelCall;
///
/// let call = ModelCall::new("call_1", "list_files");
/// assert_eq!(call.to_json(), r#"{"id":"call_1","name":"list_files"}"#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelCall {
    /// Correlates the result; Gemini may leave it out.
    pub id: Option<String>,
    /// The name of the tool.
    pub name: String,
    /// The namespace of the name, at OpenAI.
    pub namespace: Option<String>,
    /// The arguments, an object; absent if they could not be read.
    pub arguments: Option<Json>,
    /// What the model wrote instead of an object.
    pub invalid: Option<String>,
    /// Other members of the provider's call, such as a signature: they go into the history unchanged.
    pub echo: BTreeMap<String, Json>,
}

impl ModelCall {
    /// A call with nothing but an id and a name, as far as a result needs it.
    ///
    /// ```
    /// assert_eq!(toolwire::provider::ModelCall::new("1", "now").name, "now");
    /// ```
    #[must_use]
    pub fn new(id: &str, name: &str) -> Self {
        ModelCall {
            id: Some(id.to_owned()),
            name: name.to_owned(),
            ..ModelCall::default()
        }
    }

    /// Reads a call as [`to_json`](Self::to_json) writes it.
    ///
    /// # Errors
    ///
    /// `bad_call` at the first member that is unknown or has another type.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::provider::ModelCall;
    ///
    /// let text = r#"{"id":"1","name":"now","arguments":{}}"#;
    /// assert_eq!(ModelCall::from_json(text)?.to_json(), text);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let document = Document::new(text)?;
        let place = Place::new(document.root(), "", Code::BadCall).object()?;
        place.only(&["id", "name", "namespace", "arguments", "invalid", "echo"])?;
        let string = |place: Place<'_>| place.string();
        let object = |place: Place<'_>| place.object().map(|place| Json::from(place.node));
        let echo = |place: Place<'_>| place.object().map(|place| place.rest(&[]));
        Ok(ModelCall {
            id: place.optional("id", string)?,
            name: place.required("name")?.string()?,
            namespace: place.optional("namespace", string)?,
            arguments: place.optional("arguments", object)?,
            invalid: place.optional("invalid", string)?,
            echo: place.optional("echo", echo)?.unwrap_or_default(),
        })
    }

    /// The call as a JSON object: `{"id","name","namespace","arguments","invalid","echo"}`, without what is absent.
    ///
    /// ```
    /// assert_eq!(toolwire::provider::ModelCall::default().to_json(), r#"{"name":""}"#);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = ObjectWriter::new();
        out.optional("id", self.id.as_deref())
            .text("name", &self.name)
            .optional("namespace", self.namespace.as_deref())
            .optional_json("arguments", self.arguments.as_ref().map(Json::as_str))
            .optional("invalid", self.invalid.as_deref());
        if !self.echo.is_empty() {
            let mut echo = ObjectWriter::new();
            out.json("echo", echo.members(&self.echo).end());
        }
        out.end()
    }
}

/// The call as it stands in a provider's history (PROV-54, PROV-55): `from_call` reads the same from it.
/// Names and ids that the provider does not take are mapped.
///
/// ```
/// use toolwire::provider::{ModelCall, Provider, to_history};
///
/// let call = ModelCall::new("call_1", "list_files");
/// let history = to_history(&call, Provider::Bedrock);
/// assert_eq!(history.as_str(), r#"{"toolUse":{"toolUseId":"call_1","name":"list_files","input":{}}}"#);
/// ```
#[must_use]
pub fn to_history(call: &ModelCall, provider: Provider) -> Json {
    Json::written(written(call, form(provider, None)))
}

fn written(call: &ModelCall, line: &Form) -> String {
    let form = &line.call;
    let (kind, usual) = form.kind;
    let given = call.echo.get(kind).and_then(Json::to_text);
    let is_custom = given.is_some_and(|given| form.is_custom(&given));
    let holder = if is_custom {
        form.custom.1
    } else {
        form.holder
    };
    let (mut root, mut inner) = (ObjectWriter::new(), ObjectWriter::new());
    let is_invalid = call.arguments.is_none() && call.invalid.is_some();
    if !kind.is_empty() && !call.echo.contains_key(kind) {
        let has_own = is_invalid && !form.invalid_kind.is_empty();
        root.text(kind, if has_own { form.invalid_kind } else { usual });
    }
    let at = if form.id_inside {
        &mut inner
    } else {
        &mut root
    };
    at.optional(
        form.id,
        call.id.as_deref().map(|id| provider_id(id, line.id)),
    );
    inner.text(form.name, provider_name(&call.name, &line.name));
    match (&call.arguments, &call.invalid) {
        (Some(arguments), _) if is_custom => {
            let input = arguments.at("/input").unwrap_or_else(|| Json::from(""));
            inner.json("input", input.as_str());
        }
        (Some(arguments), _) if form.as_text => {
            inner.text(form.arguments, arguments.as_str());
        }
        (Some(arguments), _) => {
            inner.json(form.arguments, arguments.as_str());
        }
        (None, Some(invalid)) if form.as_text || !form.invalid_kind.is_empty() => {
            inner.text(form.arguments, invalid);
        }
        (None, Some(invalid)) => {
            let held = ObjectWriter::new().text(form.invalid, invalid).end();
            inner.json(form.arguments, held);
        }
        (None, None) => {
            let nothing = if form.as_text { "\"{}\"" } else { "{}" };
            inner.json(form.arguments, nothing);
        }
    }
    inner.optional("namespace", call.namespace.as_deref());
    for (name, value) in &call.echo {
        if holder.is_empty() || name != holder {
            root.json(name, value.as_str());
        } else if let Ok(document) = Document::of_bytes(value.as_str().as_bytes(), &Limits::WIDEST)
        {
            for (name, value) in document.root().members() {
                inner.json(&name, value.raw());
            }
        }
    }
    if holder.is_empty() {
        let (mut first, second) = (root.end(), inner.end());
        first.pop();
        let comma = if first.len() > 1 { "," } else { "" };
        return format!("{first}{comma}{}", &second[1..]);
    }
    root.json(holder, inner.end()).end()
}
