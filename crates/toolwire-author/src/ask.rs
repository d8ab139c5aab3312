//! What a tool asks for, with the type of the answer.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde_json::{Map, Value};
use toolwire::Error;
use toolwire::json::ObjectWriter;

use crate::schema::schema_of;

/// A question without its id; `T` is the type of its answer (AUTH-23).
///
/// ```
/// use toolwire_author::string;
///
/// let question = string("What is it called?").max_length(72).default("untitled");
/// ```
#[derive(Debug, Clone)]
pub struct Ask<T> {
    kind: &'static str,
    /// The values are JSON.
    arguments: BTreeMap<&'static str, String>,
    answer: PhantomData<fn() -> T>,
}

impl<T> Ask<T> {
    fn new(kind: &'static str, text: impl Into<String>) -> Self {
        let ask = Ask {
            kind,
            arguments: BTreeMap::new(),
            answer: PhantomData,
        };
        ask.with("text", text.into())
    }

    fn with(self, name: &'static str, value: impl Into<Value>) -> Self {
        self.with_json(name, value.into().to_string())
    }

    fn with_json(mut self, name: &'static str, json: String) -> Self {
        self.arguments.insert(name, json);
        self
    }

    /// The question as the core has it. Refuses what its kind does not take, with `bad_argument`.
    pub(crate) fn to_core(&self) -> Result<toolwire::author::Ask, Error> {
        let mut arguments = ObjectWriter::new();
        for (name, json) in &self.arguments {
            arguments.json(name, json);
        }
        toolwire::author::Ask::from_json(self.kind, &arguments.end())
    }
}

/// Asks for yes or no.
///
/// ```
/// let question = toolwire_author::boolean("Go on?").default(true);
/// ```
#[must_use]
pub fn boolean(text: impl Into<String>) -> Ask<bool> {
    Ask::new("boolean", text)
}

impl Ask<bool> {
    /// The suggested answer.
    ///
    /// ```
    /// let question = toolwire_author::boolean("Go on?").default(true);
    /// ```
    #[must_use]
    pub fn default(self, value: bool) -> Self {
        self.with("default", value)
    }
}

/// A choice for [`select`] and [`multi_select`]. A plain string is one too.
///
/// ```
/// use toolwire_author::{Choice, select};
///
/// let main = Choice::new("main").label("The main branch").description("is protected");
/// let question = select("Merge into which branch?", [main, Choice::new("develop")]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    value: String,
    label: Option<String>,
    description: Option<String>,
}

impl Choice {
    /// A choice that is shown as its value.
    ///
    /// ```
    /// let choice = toolwire_author::Choice::new("main");
    /// ```
    #[must_use]
    pub fn new(value: impl Into<String>) -> Self {
        Choice {
            value: value.into(),
            label: None,
            description: None,
        }
    }

    /// The text that a person sees instead of the value.
    ///
    /// ```
    /// let choice = toolwire_author::Choice::new("main").label("The main branch");
    /// ```
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// A longer explanation.
    ///
    /// ```
    /// let choice = toolwire_author::Choice::new("main").description("is protected");
    /// ```
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    fn to_value(&self) -> Value {
        if self.label.is_none() && self.description.is_none() {
            return Value::from(self.value.as_str());
        }
        let mut all = Map::new();
        all.insert("value".into(), self.value.as_str().into());
        all.insert("label".into(), self.label.clone().into());
        all.insert("description".into(), self.description.clone().into());
        Value::Object(all)
    }
}

impl From<&str> for Choice {
    fn from(value: &str) -> Self {
        Choice::new(value)
    }
}

impl From<String> for Choice {
    fn from(value: String) -> Self {
        Choice::new(value)
    }
}

fn values<C: Into<Choice>>(choices: impl IntoIterator<Item = C>) -> Value {
    let choices = choices.into_iter().map(|choice| choice.into().to_value());
    Value::Array(choices.collect())
}

/// Asks for one of several texts.
///
/// ```
/// let question = toolwire_author::select("Which branch?", ["main", "develop"]).default("main");
/// ```
#[must_use]
pub fn select<C: Into<Choice>>(
    text: impl Into<String>,
    choices: impl IntoIterator<Item = C>,
) -> Ask<String> {
    Ask::new("select", text).with("choices", values(choices))
}

/// Asks for any number of several texts.
///
/// ```
/// let question = toolwire_author::multi_select("Which files?", ["a.rs", "b.rs"]).at_least(1);
/// ```
#[must_use]
pub fn multi_select<C: Into<Choice>>(
    text: impl Into<String>,
    choices: impl IntoIterator<Item = C>,
) -> Ask<Vec<String>> {
    Ask::new("multi_select", text).with("choices", values(choices))
}

impl Ask<Vec<String>> {
    /// The minimum number of texts.
    ///
    /// ```
    /// let question = toolwire_author::multi_select("Which?", ["a", "b"]).at_least(1);
    /// ```
    #[must_use]
    pub fn at_least(self, count: u64) -> Self {
        self.with("minItems", count)
    }

    /// The maximum number of texts.
    ///
    /// ```
    /// let question = toolwire_author::multi_select("Which?", ["a", "b", "c"]).at_most(2);
    /// ```
    #[must_use]
    pub fn at_most(self, count: u64) -> Self {
        self.with("maxItems", count)
    }

    /// The suggested answer.
    ///
    /// ```
    /// let question = toolwire_author::multi_select("Which?", ["a", "b"]).default(["a"]);
    /// ```
    #[must_use]
    pub fn default<S: Into<String>>(self, texts: impl IntoIterator<Item = S>) -> Self {
        let texts = texts.into_iter().map(|text| Value::from(text.into()));
        self.with("default", Value::Array(texts.collect()))
    }
}

/// Asks for text.
///
/// ```
/// let question = toolwire_author::string("What is it called?").max_length(72);
/// ```
#[must_use]
pub fn string(text: impl Into<String>) -> Ask<String> {
    Ask::new("string", text)
}

impl Ask<String> {
    /// The suggested answer.
    ///
    /// ```
    /// let question = toolwire_author::string("What is it called?").default("untitled");
    /// ```
    #[must_use]
    pub fn default(self, text: impl Into<String>) -> Self {
        self.with("default", text.into())
    }

    /// The minimum number of characters; only for [`string`].
    ///
    /// ```
    /// let question = toolwire_author::string("What is it called?").min_length(1);
    /// ```
    #[must_use]
    pub fn min_length(self, count: u64) -> Self {
        self.with("minLength", count)
    }

    /// The maximum number of characters; only for [`string`].
    ///
    /// ```
    /// let question = toolwire_author::string("What is it called?").max_length(72);
    /// ```
    #[must_use]
    pub fn max_length(self, count: u64) -> Self {
        self.with("maxLength", count)
    }

    /// A regular expression of ECMA-262; only for [`string`].
    ///
    /// ```
    /// let question = toolwire_author::string("Which version?").pattern("^[0-9]+\\.[0-9]+$");
    /// ```
    #[must_use]
    pub fn pattern(self, pattern: impl Into<String>) -> Self {
        self.with("pattern", pattern.into())
    }

    /// The name of a JSON Schema format, such as `email`; only for [`string`].
    ///
    /// ```
    /// let question = toolwire_author::string("Who is it for?").format("email");
    /// ```
    #[must_use]
    pub fn format(self, format: impl Into<String>) -> Self {
        self.with("format", format.into())
    }
}

/// Asks for a number.
///
/// ```
/// let question = toolwire_author::number("How long, in seconds?").minimum(0.5).default(2.0);
/// ```
#[must_use]
pub fn number(text: impl Into<String>) -> Ask<f64> {
    Ask::new("number", text)
}

/// Asks for an integer.
///
/// ```
/// let question = toolwire_author::integer("How many?").minimum(1).maximum(10).default(3);
/// ```
#[must_use]
pub fn integer(text: impl Into<String>) -> Ask<i64> {
    Ask::new("integer", text)
}

/// The types of numbers that can be asked for.
pub trait Number: Into<Value> {}

impl Number for f64 {}

impl Number for i64 {}

impl<N: Number> Ask<N> {
    /// The suggested answer.
    ///
    /// ```
    /// let question = toolwire_author::number("How long, in seconds?").default(2.0);
    /// ```
    #[must_use]
    pub fn default(self, number: N) -> Self {
        self.with("default", number)
    }

    /// The minimum.
    ///
    /// ```
    /// let question = toolwire_author::integer("How many?").minimum(1);
    /// ```
    #[must_use]
    pub fn minimum(self, number: N) -> Self {
        self.with("minimum", number)
    }

    /// The maximum.
    ///
    /// ```
    /// let question = toolwire_author::integer("How many?").maximum(10);
    /// ```
    #[must_use]
    pub fn maximum(self, number: N) -> Self {
        self.with("maximum", number)
    }
}

/// Asks for a value of any other type. The schema is that of the type, and the answer is deserialized into
/// it. A person writes the answer in an editor.
///
/// ```
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Address {
///     street: String,
///     city: String,
/// }
///
/// let question = toolwire_author::form::<Address>("Where shall it go?");
/// ```
#[must_use]
pub fn form<T: JsonSchema>(text: impl Into<String>) -> Ask<T> {
    let schema = toolwire::schema::tidy(&schema_of::<T>());
    Ask::new("form", text).with_json("schema", schema.as_str().to_owned())
}

/// Asks for a value that a schema describes, for schemas that are known only at run time.
///
/// ```
/// use serde_json::json;
///
/// let columns = ["name", "age"];
/// let schema = json!({"type": "array", "items": {"enum": columns}, "minItems": 1});
/// let question = toolwire_author::form_of::<Vec<String>>("Which columns?", schema);
/// ```
#[must_use]
pub fn form_of<T>(text: impl Into<String>, schema: Value) -> Ask<T> {
    Ask::new("form", text).with("schema", schema)
}

/// Asks a person to open a page, for example to sign in, so that the host never sees what is entered there.
/// The host opens it only if the person agrees; the state of the answer is then
/// [`AnswerState::Opened`](toolwire::call::AnswerState::Opened), and its value `true`. Look for yourself whether
/// the person is done, and use [`Context::ask_again`](crate::Context::ask_again) if not.
///
/// ```
/// let question = toolwire_author::page("Sign in", "https://example.org/login");
/// ```
#[must_use]
pub fn page(text: impl Into<String>, url: impl Into<String>) -> Ask<bool> {
    Ask::new("page", text).with("url", url.into())
}
