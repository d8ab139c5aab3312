//! How values in a manifest are read.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::Deserialize;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{self, Deserializer, SeqAccess, Unexpected, Visitor};
use toolwire::Json;

use super::Words;
use super::template::{Part, Template};
use crate::{Environment, Who, parse_size, parse_time};

/// The schema of one argument, and whether it may be absent.
#[derive(Deserialize, Debug, Clone)]
#[serde(expecting = "a table: the JSON Schema of an argument")]
pub struct Parameter {
    /// Whether it may be absent; one with a `default` may too.
    #[serde(default)]
    pub optional: bool,
    /// The keywords of its JSON Schema.
    #[serde(flatten)]
    pub schema: BTreeMap<String, Value>,
}

/// A value of JSON, written in TOML. Dates and times are strings.
#[derive(Debug, Clone, PartialEq)]
pub struct Value(pub serde_json::Value);

impl Value {
    /// The value as JSON.
    #[must_use]
    pub fn to_json(&self) -> Json {
        // What serde_json wrote is strict JSON; only the limits of depth and size could refuse it,
        // and TOML's own are below them.
        Json::new(self.0.to_string()).unwrap_or_else(|_| Json::from(""))
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        type Read<T> = Result<T, &'static str>;
        fn convert(value: toml::Value) -> Read<serde_json::Value> {
            Ok(match value {
                toml::Value::String(text) => text.into(),
                toml::Value::Integer(number) => number.into(),
                toml::Value::Float(number) => serde_json::Number::from_f64(number)
                    .ok_or("infinity and `nan` are no numbers of JSON")?
                    .into(),
                toml::Value::Boolean(value) => value.into(),
                toml::Value::Datetime(time) => time.to_string().into(),
                toml::Value::Array(values) => {
                    let values: Read<Vec<_>> = values.into_iter().map(convert).collect();
                    values?.into()
                }
                toml::Value::Table(members) => {
                    let members = members.into_iter();
                    let members: Read<serde_json::Map<_, _>> = members
                        .map(|(name, value)| Ok((name, convert(value)?)))
                        .collect();
                    members?.into()
                }
            })
        }
        let value = toml::Value::deserialize(deserializer)?;
        convert(value).map(Value).map_err(de::Error::custom)
    }
}

pub(super) fn values<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, Json>, D::Error> {
    let values = BTreeMap::<String, Value>::deserialize(deserializer)?.into_iter();
    Ok(values
        .map(|(name, value)| (name, value.to_json()))
        .collect())
}

pub(super) fn object<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
    Json::from_value(&values(deserializer)?).map_err(de::Error::custom)
}

/// Who answers which question.
pub(super) fn questions<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, Who>, D::Error> {
    let answers = BTreeMap::<String, Answer>::deserialize(deserializer)?.into_iter();
    Ok(answers.map(|(id, Answer(who))| (id, who)).collect())
}

struct Answer(Who);

impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Value(written) = Value::deserialize(deserializer)?;
        serde_json::from_str(&written.to_string())
            .map(Answer)
            .map_err(|_| {
                de::Error::custom(
                    "must be `\"user\"`, `\"assistant\"`, `\"default\"`, `\"decline\"` or a value, as in `{ value = 3 }`",
                )
            })
    }
}

/// Reads the words of `inherit`.
pub(super) fn inherit<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Environment>, D::Error> {
    struct Reader;
    impl<'de> Visitor<'de> for Reader {
        type Value = Environment;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("`\"all\"`, `\"standard\"` or an array of names")
        }

        fn visit_str<E: de::Error>(self, word: &str) -> Result<Environment, E> {
            word.parse().map_err(E::custom)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, names: A) -> Result<Environment, A::Error> {
            let names = Vec::<String>::deserialize(SeqAccessDeserializer::new(names))?;
            Environment::from_names(names).map_err(de::Error::custom)
        }
    }
    deserializer.deserialize_any(Reader).map(Some)
}

pub(super) fn terminal_size<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<(u16, u16)>, D::Error> {
    let message = "must be columns and rows, each from 2 to 500, as in `[100, 30]`";
    let numbers = Vec::<i64>::deserialize(deserializer)?;
    let number = |number: &i64| {
        u16::try_from(*number)
            .ok()
            .filter(|n| (2..=500).contains(n))
    };
    match numbers
        .iter()
        .map(number)
        .collect::<Option<Vec<u16>>>()
        .as_deref()
    {
        Some(&[columns, rows]) => Ok(Some((columns, rows))),
        _ => Err(de::Error::custom(message)),
    }
}

pub(super) fn program<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Words>, D::Error> {
    let words = Vec::<String>::deserialize(deserializer)?;
    if words.first().is_none_or(String::is_empty) {
        return Err(de::Error::custom("name a program"));
    }
    Ok(Some(words.into()))
}

pub(super) fn duration<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Duration>, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse_time(&text).map(Some).map_err(de::Error::custom)
}

pub(super) fn size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    struct Reader;
    impl Visitor<'_> for Reader {
        type Value = usize;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a number of bytes, or a string such as \"1MB\"")
        }

        fn visit_i64<E: de::Error>(self, bytes: i64) -> Result<usize, E> {
            usize::try_from(bytes).map_err(|_| E::invalid_value(Unexpected::Signed(bytes), &self))
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<usize, E> {
            parse_size(text).map_err(E::custom)
        }
    }
    deserializer.deserialize_any(Reader).map(Some)
}

impl<'de> Deserialize<'de> for Template {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Template;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a program, or an array of a program and its arguments")
            }

            fn visit_str<E: de::Error>(self, program: &str) -> Result<Template, E> {
                Template::new(vec![Part::Word(program.to_owned())]).map_err(E::custom)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, parts: A) -> Result<Template, A::Error> {
                let parts = Vec::deserialize(SeqAccessDeserializer::new(parts))?;
                Template::new(parts).map_err(de::Error::custom)
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

impl<'de> Deserialize<'de> for Part {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Part;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string, or an array of strings that belong together")
            }

            fn visit_str<E: de::Error>(self, word: &str) -> Result<Part, E> {
                Ok(Part::Word(word.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, words: A) -> Result<Part, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(words)).map(Part::Group)
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

/// What the types above look like in JSON Schema.
#[cfg(test)]
pub mod schema {
    #![allow(dead_code)]

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    /// Who answers a question.
    #[derive(JsonSchema)]
    #[schemars(rename = "who", rename_all = "lowercase")]
    pub enum Answers {
        /// The person at the terminal.
        User,
        /// The program that is the assistant; without one, as if nothing were said.
        Assistant,
        /// The question's own default.
        Default,
        /// Nobody: it is declined.
        Decline,
        /// The manifest itself, with this value.
        Value(serde_json::Value),
    }

    /// A program, or a program and its arguments.
    #[derive(JsonSchema)]
    #[schemars(rename = "command", untagged)]
    pub enum Command {
        One(#[schemars(length(min = 1))] String),
        Words(#[schemars(length(min = 1))] Vec<Part>),
    }

    /// A word of the command, or words that belong together.
    #[derive(JsonSchema)]
    #[schemars(rename = "part", untagged)]
    pub enum Part {
        Word(String),
        Group(Vec<String>),
    }

    /// A program and its arguments.
    #[derive(JsonSchema)]
    #[schemars(rename = "program", transparent)]
    pub struct Program(#[schemars(length(min = 1))] Vec<String>);

    /// A time with its unit.
    #[derive(JsonSchema)]
    #[schemars(rename = "time", transparent)]
    pub struct Time(#[schemars(regex(pattern = r"^[0-9.]+(ms|s|m|h)$"))] String);

    /// A number of bytes, alone or with its unit.
    #[derive(JsonSchema)]
    #[schemars(rename = "size", untagged)]
    pub enum Size {
        Bytes(usize),
        Text(#[schemars(regex(pattern = r"^[0-9]+ *([KkMmGg]([Ii]?[Bb])?|[Bb])?$"))] String),
    }

    /// How a program is driven that knows nothing of sessions.
    #[derive(JsonSchema)]
    #[schemars(rename = "session", rename_all = "lowercase")]
    pub enum Session {
        Pty,
        Pipe,
    }

    /// Columns and rows.
    #[derive(JsonSchema)]
    #[schemars(rename = "terminalSize", transparent)]
    pub struct TerminalSize(
        #[schemars(length(min = 2, max = 2), inner(range(min = 2, max = 500)))] Vec<u16>,
    );

    /// Whether a call becomes a task.
    #[derive(JsonSchema)]
    #[schemars(rename = "task", rename_all = "lowercase")]
    pub enum Task {
        Never,
        Auto,
        Required,
    }

    /// What happens to a tool that is not as the lock says.
    #[derive(JsonSchema)]
    #[schemars(rename = "locked", rename_all = "lowercase")]
    pub enum Locked {
        Ignore,
        Warn,
        Refuse,
    }

    /// Which environment variables a program inherits.
    #[derive(JsonSchema)]
    #[schemars(rename = "inherit", untagged)]
    pub enum Inherit {
        Word(InheritWord),
        Only(Vec<String>),
    }

    /// All environment variables, or the standard ones.
    #[derive(JsonSchema)]
    #[schemars(rename = "inheritWord", rename_all = "lowercase")]
    pub enum InheritWord {
        All,
        Standard,
    }

    pub fn object(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object" })
    }

    pub fn parameters(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "additionalProperties": {
                "description": "A JSON Schema without `$ref`.",
                "type": "object",
                "properties": {
                    "optional": {
                        "description": "Whether it may be absent; one with a default may too.",
                        "type": "boolean"
                    },
                    "description": { "type": "string" },
                    "type": { "type": ["string", "array"] }
                }
            }
        })
    }
}
