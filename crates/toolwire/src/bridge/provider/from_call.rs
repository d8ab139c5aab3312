//! What a model has called, read from a provider's response (PROV-50 to PROV-58).

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::call::{ModelCall, to_history};
use super::form::CallForm;
use super::media::short_digest;
use super::table::form;
use super::{Provider, Tools};
use crate::base::json::{Document, Kind, Node, ObjectWriter, Place, brief};
use crate::bridge::mcp::{Fate, LossReport};
use crate::build::{ErrorOptions, error};
use crate::{Code, Envelope, Error, Json, Limits};

/// What is known of a call beside the call itself.
///
/// ```
/// use toolwire::provider::FromCallOptions;
///
/// assert!(FromCallOptions::default().is_last);
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct FromCallOptions<'a> {
    /// Why the model stopped, in the provider's word, such as `max_tokens` or `length`.
    pub stop_reason: Option<&'a str>,
    /// Whether it is the last call of its message: only that one can be cut off. True by default.
    pub is_last: bool,
    /// The definitions that the model was given, so that names and arguments are mapped back.
    pub tools: Option<&'a Tools>,
}

impl Default for FromCallOptions<'_> {
    fn default() -> Self {
        FromCallOptions {
            stop_reason: None,
            is_last: true,
            tools: None,
        }
    }
}

/// A call, and what has to be known about it.
///
/// ```
/// use toolwire::Json;
/// use toolwire::provider::{FromCallOptions, Provider, from_call};
///
/// let call = Json::new(r#"{"toolUse":{"toolUseId":"1","name":"now","input":{}}}"#)?;
/// let read = from_call(&call, Provider::Bedrock, &FromCallOptions::default())?;
/// assert!(read.refusal.is_none());
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct FromCall {
    /// The call.
    pub call: ModelCall,
    /// The error to answer with instead of running the tool.
    pub refusal: Option<Envelope>,
    /// The call as it stands in the history of later requests.
    pub history: Json,
    /// What was repaired: entries with pointers into the provider's call.
    pub report: LossReport,
}

impl FromCall {
    /// The whole as a JSON object: `{"call","refusal","history","report"}`.
    ///
    /// ```
    /// use toolwire::Json;
    /// use toolwire::provider::{FromCallOptions, Provider, from_call};
    ///
    /// let call = Json::new(r#"{"toolUse":{"toolUseId":"1","name":"now","input":{}}}"#)?;
    /// let read = from_call(&call, Provider::Bedrock, &FromCallOptions::default())?;
    /// assert!(read.to_json().starts_with(r#"{"call":{"id":"1","name":"now","arguments":{}},"refusal":null,"#));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let refusal = self.refusal.as_ref().map(Envelope::to_json);
        ObjectWriter::new()
            .json("call", self.call.to_json())
            .json("refusal", refusal.as_deref().unwrap_or("null"))
            .json("history", self.history.as_str())
            .json("report", self.report.to_json())
            .end()
    }
}

/// Why a model stopped before its last call was whole, in the words of the providers.
const CUT_OFF: [&str; 10] = [
    "max_tokens",
    "length",
    "incomplete",
    "max_output_tokens",
    "model_context_window_exceeded",
    "model_length",
    "content_filter",
    "safety",
    "malformed_function_call",
    "malformed_tool_use",
];

/// The most characters of bad arguments that a refusal repeats.
const EXCERPT: usize = 200;

/// Reads a call of a provider's response: a `tool_use` block of Anthropic, an item of OpenAI Responses, an element of
/// `tool_calls`, a part of Gemini, and so on.
///
/// A call that was cut off, or whose arguments can't be read, is not to be run: [`FromCall::refusal`] is the result
/// to send back.
///
/// # Errors
///
/// `bad_argument` if it is no call that the host answers; the pointer leads to what is missing or wrong.
///
/// # Examples
///
/// ```
/// use toolwire::Json;
/// use toolwire::provider::{FromCallOptions, Provider, from_call};
///
/// let call = Json::new(r#"{"type":"tool_use","id":"toolu_1","name":"rm","input":{"path":"/var"}}"#)?;
/// let mut options = FromCallOptions::default();
/// assert_eq!(from_call(&call, Provider::Anthropic, &options)?.call.name, "rm");
/// options.stop_reason = Some("max_tokens");
/// assert!(from_call(&call, Provider::Anthropic, &options)?.refusal.is_some());
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn from_call(
    call: &Json,
    provider: Provider,
    options: &FromCallOptions<'_>,
) -> Result<FromCall, Error> {
    let line = form(provider, None);
    // A history is nested deeper than the arguments in it.
    let document = Document::of_bytes(call.as_str().as_bytes(), &Limits::WIDEST)?;
    let root = Place::new(document.root(), "", Code::BadArgument).object()?;
    let mut report = LossReport::default();
    let mut read = Reading::members(&line.call, &root)?;
    if read
        .call
        .id
        .as_deref()
        .is_none_or(|id| id.is_empty() || id == "null")
    {
        read.call.id = None;
        if provider != Provider::Gemini {
            // The same text gives the same id, so the history and the result agree.
            read.call.id = Some(format!("call_{}", short_digest(call.as_str(), 24)));
            report.add(
                &*read.id_at,
                Fate::Approximated,
                "it has no id, so it got one",
            );
        }
    }
    let mut problem = read.arguments(&line.call, &mut report);
    let wire = read.call.clone();
    if let Some(tool) = options.tools.and_then(|tools| tools.find(&wire.name)) {
        read.call.name.clone_from(&tool.tool);
        if let (None, Some(arguments)) = (&problem, &read.call.arguments) {
            match tool.projection.unwrap_value(arguments) {
                Ok(meant) => read.call.arguments = Some(meant),
                Err(error) => problem = Some(error.message().to_owned()),
            }
        }
    }
    let stop = options.stop_reason.filter(|_| options.is_last);
    if let Some(reason) = stop.filter(|reason| is_cut_off(reason)) {
        problem = Some(format!(
            "the response ended (`{}`) before the call was whole; call again, with shorter arguments",
            brief(reason, 40)
        ));
    }
    let refusal = problem.map(|problem| {
        let name = brief(&read.call.name, 128);
        let message = format!("`{name}` was not run: {problem}");
        // The message is text, which is never refused.
        error(&message, ErrorOptions::default()).unwrap_or_default()
    });
    Ok(FromCall {
        history: to_history(&wire, provider),
        call: read.call,
        refusal,
        report: report.finished(),
    })
}

fn is_cut_off(reason: &str) -> bool {
    let plain = reason.to_ascii_lowercase().replace('-', "_");
    CUT_OFF.contains(&plain.as_str())
}

/// A call that is being read.
struct Reading<'a> {
    call: ModelCall,
    input: Option<Node<'a>>,
    input_at: String,
    id_at: String,
    is_custom: bool,
}

impl<'a> Reading<'a> {
    fn members(form: &CallForm, root: &Place<'a>) -> Result<Self, Error> {
        let (kind, usual) = form.kind;
        let given = root.given(kind).map(|place| place.string()).transpose()?;
        let is_custom = given.as_deref().is_some_and(|given| form.is_custom(given));
        let is_usual = |given: &String| given == usual || *given == form.invalid_kind;
        let is_plain = given.as_ref().is_none_or(is_usual);
        if !is_custom && !is_plain {
            let message = format!("`{kind}` is `{usual}`, or it is no call that the host answers");
            return Err(root.required(kind)?.refuse(message));
        }
        let holder = if is_custom {
            form.custom.1
        } else {
            form.holder
        };
        let inner = match holder {
            "" => root.clone(),
            holder => root.required(holder)?.object()?,
        };
        if inner
            .given("type")
            .is_some_and(|place| place.node.is_str("server_tool_use"))
        {
            return Err(inner.refuse("it is a call that the server answers, not the host"));
        }
        let input_name = if is_custom { "input" } else { form.arguments };
        let at = if form.id_inside { &inner } else { root };
        let text = |place: &Place<'a>, name: &str| {
            place.given(name).map(|place| place.string()).transpose()
        };
        let mut call = ModelCall {
            id: text(at, form.id)?,
            name: inner.required(form.name)?.string()?,
            namespace: text(&inner, "namespace")?,
            ..ModelCall::default()
        };
        let own = [form.id, form.name, input_name, "namespace"];
        let unknown = |place: &Place<'_>, known: &[&str]| -> BTreeMap<String, Json> {
            let mut rest = place.rest(known);
            rest.retain(|_, value| value.as_str() != "null");
            rest
        };
        if holder.is_empty() {
            call.echo = unknown(root, &own);
        } else {
            call.echo = unknown(root, &[holder, if form.id_inside { "" } else { form.id }]);
            let inside: &[&str] = if form.id_inside { &own } else { &own[1..] };
            let inside = unknown(&inner, inside);
            if !inside.is_empty() {
                let held = ObjectWriter::new().members(&inside).end();
                call.echo.insert(holder.to_owned(), Json::written(held));
            }
        }
        if !is_custom {
            call.echo.remove(kind);
        }
        let under = |place: &Place<'_>, name: &str| format!("{}/{name}", place.pointer());
        Ok(Reading {
            call,
            input: inner.node.get(input_name),
            input_at: under(&inner, input_name),
            id_at: under(at, form.id),
            is_custom,
        })
    }

    /// Reads the arguments; returns what is wrong with them.
    fn arguments(&mut self, form: &CallForm, report: &mut LossReport) -> Option<String> {
        let at = &*self.input_at;
        let mut repaired = |what: &str| report.add(at, Fate::Approximated, what);
        let Some(input) = self.input.filter(|input| input.kind() != Kind::Null) else {
            self.call.arguments = Some(Json::empty_object());
            return None;
        };
        if self.is_custom {
            let text = ObjectWriter::new().json("input", input.raw()).end();
            self.call.arguments = Some(Json::written(text));
            return None;
        }
        if input.kind() == Kind::Object {
            let held = input.get(form.invalid).filter(|_| input.len() == 1);
            match held.and_then(|held| held.as_str()) {
                Some(text) if !form.invalid.is_empty() => return self.refused(&text),
                _ => self.call.arguments = Some(Json::from(input)),
            }
            return None;
        }
        let Some(text) = input.as_str() else {
            return self.refused(input.raw());
        };
        if text.trim().is_empty() {
            repaired("empty text is read as no arguments");
            self.call.arguments = Some(Json::empty_object());
            return None;
        }
        let inside = without_fence(&text);
        let value = Json::new(inside);
        let twice = value.as_ref().ok().and_then(Json::to_text);
        let value = match &twice {
            Some(twice) => Json::new(twice),
            None => value,
        };
        match value {
            Ok(value) if value.as_str().starts_with('{') => {
                if !form.as_text {
                    repaired("the arguments are an object in a text");
                } else if twice.is_some() {
                    repaired("the arguments are encoded twice");
                } else if inside.len() != text.trim().len() {
                    repaired("the arguments are in a code fence");
                }
                self.call.arguments = Some(value);
                None
            }
            _ => self.refused(&text),
        }
    }

    /// The arguments are no object.
    fn refused(&mut self, text: &str) -> Option<String> {
        self.call.invalid = Some(text.to_owned());
        let why = match Json::new(text) {
            Err(error) => format!("its arguments are not valid JSON ({})", error.message()),
            Ok(_) => "its arguments are not an object".to_owned(),
        };
        Some(format!(
            "{why}; call again with a JSON object instead of `{}`",
            brief(text, EXCERPT)
        ))
    }
}

/// The text inside of a Markdown code fence, if all of it stands in one.
fn without_fence(text: &str) -> &str {
    let trimmed = text.trim();
    let inside = || {
        let body = trimmed.strip_prefix("```")?.strip_suffix("```")?;
        let (language, body) = body.split_once('\n')?;
        let is_word = language.trim().chars().all(|c| c.is_ascii_alphanumeric());
        is_word.then(|| body.trim())
    };
    inside().unwrap_or(trimmed)
}

/// What stands in a message for a call that was not run.
pub(super) const NOT_RUN: Cow<'static, [u8]> =
    Cow::Borrowed(br#"{"content":[{"type":"text","text":"the call was not run"}],"isError":true}"#);
