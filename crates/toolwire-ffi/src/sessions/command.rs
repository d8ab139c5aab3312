//! Commands, as JSON text.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;
use toolwire::call::{Answer, AnswerSource};
use toolwire::session::Applied;
use toolwire::{Code, Error, Json};
use toolwire_host::{FetchOptions, SpawnOptions, WaitFor};

/// A command, read.
#[derive(Debug)]
pub(super) enum Command {
    Handle {
        tool: String,
        arguments: Json,
    },
    Spawn {
        id: String,
        tool: String,
        arguments: Json,
        by: AnswerSource,
        options: SpawnOptions,
    },
    Fetch {
        id: String,
        by: AnswerSource,
        options: FetchOptions,
    },
    Apply {
        id: String,
        what: Applied,
        question: Option<String>,
        by: AnswerSource,
        options: FetchOptions,
    },
    Abort {
        id: String,
        by: AnswerSource,
        options: FetchOptions,
    },
    Wait {
        ids: Vec<String>,
        which: WaitFor,
        time: Duration,
    },
    List,
    Tools,
    Announcements,
    EndOfTurn,
    Close,
}

impl Command {
    pub(super) fn read(text: &str) -> Result<Self, Error> {
        let members = Members(Json::new(text)?.to_value()?);
        let id = || members.required("id");
        // What a host does of its own accord is no person's doing.
        let by = members.word("by")?.unwrap_or(AnswerSource::Policy);
        Ok(match members.required("do")?.as_str() {
            "handle" => Command::Handle {
                tool: members.required("tool")?,
                arguments: members.object("arguments")?,
            },
            "spawn" => Command::Spawn {
                id: id()?,
                tool: members.required("tool")?,
                arguments: members.object("arguments")?,
                by,
                options: SpawnOptions {
                    label: members.text("label")?,
                    reply: members.fetch_options()?,
                },
            },
            "fetch" => Command::Fetch {
                id: id()?,
                by,
                options: members.fetch_options()?,
            },
            "apply" => Command::Apply {
                id: id()?,
                what: members.applied(by)?,
                question: members.text("question")?,
                by,
                options: members.fetch_options()?,
            },
            "abort" => Command::Abort {
                id: id()?,
                by,
                options: members.fetch_options()?,
            },
            "wait" => Command::Wait {
                ids: members.texts("ids", "a list of ids")?.unwrap_or_default(),
                which: match members.flag("any")? {
                    true => WaitFor::Any,
                    false => WaitFor::All,
                },
                time: members.seconds("time")?.unwrap_or(DAY),
            },
            "list" => Command::List,
            "tools" => Command::Tools,
            "announcements" => Command::Announcements,
            "end_of_turn" => Command::EndOfTurn,
            "close" => Command::Close,
            other => {
                let message = format!("there is no command `{other}`");
                return Err(Error::new(Code::BadArgument, "/do", None, message));
            }
        })
    }
}

/// Nobody waits longer.
const DAY: Duration = Duration::from_secs(86_400);

/// The longest time that an option can have, in seconds.
const MAX_SECONDS: f64 = 1e9;

/// The members of a JSON object, verbatim; null means absent.
struct Members(BTreeMap<String, Json>);

impl Members {
    fn get(&self, name: &str) -> Option<&Json> {
        self.0.get(name).filter(|value| value.as_str() != "null")
    }

    fn wrong(&self, name: &str, expected: &str) -> Error {
        let message = format!("`{name}` is {expected}");
        Error::new(Code::BadArgument, format!("/{name}"), None, message)
    }

    fn read<T>(
        &self,
        name: &str,
        expected: &str,
        read: impl Fn(&Value) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        let value = value.to_value().ok();
        let value = value.and_then(|value| read(&value));
        value.map(Some).ok_or_else(|| self.wrong(name, expected))
    }

    fn texts(&self, name: &str, expected: &str) -> Result<Option<Vec<String>>, Error> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        self.read(name, expected, |value| {
            value.as_array()?.iter().map(text).collect()
        })
    }

    fn text(&self, name: &str) -> Result<Option<String>, Error> {
        self.read(name, "a string", |value| value.as_str().map(str::to_owned))
    }

    fn required(&self, name: &str) -> Result<String, Error> {
        self.text(name)?.ok_or_else(|| self.wrong(name, "a string"))
    }

    fn flag(&self, name: &str) -> Result<bool, Error> {
        Ok(self
            .read(name, "true or false", Value::as_bool)?
            .unwrap_or_default())
    }

    fn word<T: std::str::FromStr<Err: std::fmt::Display>>(
        &self,
        name: &str,
    ) -> Result<Option<T>, Error> {
        let word = self.text(name)?;
        let read = word.map(|word| word.parse::<T>()).transpose();
        read.map_err(|error| {
            let message = format!("`{name}`: {error}");
            Error::new(Code::BadArgument, format!("/{name}"), None, message)
        })
    }

    fn seconds(&self, name: &str) -> Result<Option<Duration>, Error> {
        let expected = "a number of seconds, 0 or more";
        let seconds = self.read(name, expected, Value::as_f64)?;
        let read = |seconds: f64| match (0.0..=MAX_SECONDS).contains(&seconds) {
            true => Ok(Duration::from_secs_f64(seconds)),
            false => Err(self.wrong(name, expected)),
        };
        seconds.map(read).transpose()
    }

    /// An object, verbatim.
    fn object(&self, name: &str) -> Result<Json, Error> {
        match self.get(name) {
            None => Ok(Json::empty_object()),
            Some(value) if value.as_str().starts_with('{') => Ok(value.clone()),
            Some(_) => Err(self.wrong(name, "an object")),
        }
    }

    fn fetch_options(&self) -> Result<FetchOptions, Error> {
        let expected = "the number of a block, or 0";
        let after = self.read("after", expected, Value::as_f64)?;
        let after = match after {
            Some(number) if number.fract() == 0.0 && (0.0..=9e15).contains(&number) => {
                Some(number as u64)
            }
            Some(_) => return Err(self.wrong("after", expected)),
            None => None,
        };
        Ok(FetchOptions {
            after,
            wait: self.seconds("wait")?,
            until: self.text("until")?,
            view: self.word("view")?,
            ..FetchOptions::default()
        })
    }

    fn applied(&self, by: AnswerSource) -> Result<Applied, Error> {
        // Null is input too.
        match (self.0.get("input"), self.get("answer")) {
            (Some(input), None) => Ok(Applied::Input(input.clone())),
            (None, Some(answer)) => {
                let answer = Members(
                    answer
                        .to_value()
                        .map_err(|_| self.wrong("answer", "an object with `state`"))?,
                );
                let state = answer
                    .word("state")?
                    .ok_or_else(|| answer.wrong("state", "a state"))?;
                let value = answer.0.get("value").cloned();
                Ok(Applied::Answer(Answer::new(state, Some(by), value)?))
            }
            _ => Err(self.wrong("input", "given, or `answer`: exactly one of the two")),
        }
    }
}
