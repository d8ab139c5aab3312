//! Options that arrive as JSON text, read strictly (API-3), and those whose form is their own.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use toolwire::call::SessionAction;
use toolwire::json::{Document, Kind, Node, brief, pointer};
use toolwire::mcp::Revision;
use toolwire::question::RefusalOptions;
use toolwire::session::TerminalInput;
use toolwire::{Code, Error, Json, Known, UnknownWord};
use toolwire_host::manifest::SessionKind;
use toolwire_host::{Environment, TurnEnd, Unanswered};

/// In what a language gives times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
}

/// What crosses in place of a function.
pub const FUNCTION: &str = r#"{"function":true}"#;

/// The longest time that an option can have, in seconds: more than 30 years.
const MAX_SECONDS: f64 = 1e9;

/// Identities that were seen before, `[{"uri","digest"}]`; other members are ignored, so that a list of identities can
/// be given as it is.
pub(crate) fn known(list: Node<'_>) -> Result<Vec<Known>, Error> {
    if list.kind() != Kind::Array {
        return Err(wrong("/known", "`known` is an array of objects"));
    }
    let read = |(i, known): (usize, Node<'_>)| {
        let place = |rest: &str| format!("/known/{i}{rest}");
        if known.kind() != Kind::Object {
            let message = "a known identity is an object with `uri` and `digest`";
            return Err(wrong(place(""), message));
        }
        let Some(uri) = known.get("uri").and_then(|uri| uri.as_str()) else {
            return Err(wrong(place("/uri"), "`uri` is a string"));
        };
        let digest = known.get("digest").and_then(|digest| digest.as_str());
        Known::new(uri, digest.unwrap_or_default())
            .map_err(|error| wrong(place(error.pointer()), error.message()))
    };
    list.elements().enumerate().map(read).collect()
}

/// What a server knows besides its questions.
#[derive(Default)]
pub struct Asked {
    /// The revision that the client speaks.
    pub revision: Option<Revision>,
    /// The texts before the question.
    pub context: Vec<String>,
    /// The id of a page that is to be opened.
    pub elicitation_id: Option<String>,
    /// The `requestState` that the client returns.
    pub state: Option<String>,
    /// Who asks, and the alternatives.
    pub about: RefusalOptions,
}

/// What is read of each entry of an object, such as the alternatives for each question.
pub(crate) fn each<T>(
    entries: Node<'_>,
    name: &str,
    read: fn(&str) -> Result<T, Error>,
) -> Result<BTreeMap<String, T>, Error> {
    if entries.kind() != Kind::Object {
        return Err(wrong_member(name, format!("`{name}` is an object")));
    }
    let read = |(id, entry): (Cow<'_, str>, Node<'_>)| {
        let entry = read(entry.raw()).map_err(|error| {
            let place = pointer::join(&pointer::join("", name), &id);
            wrong(place, format!("`{id}` in `{name}`: {}", error.message()))
        })?;
        Ok((id.into_owned(), entry))
    };
    entries.members().map(read).collect()
}

/// Answers that are known beforehand, by question id.
pub(crate) fn given(answers: Node<'_>) -> Result<BTreeMap<String, Json>, Error> {
    if answers.kind() != Kind::Object {
        return Err(wrong("/given", "`given` is an object"));
    }
    let answers = answers.members();
    Ok(answers
        .map(|(id, value)| (id.into_owned(), Json::from(value)))
        .collect())
}

/// What happens to questions without an answer that is known beforehand.
pub(crate) fn unanswered(word: Node<'_>) -> Result<Unanswered, Error> {
    let word = word.as_str().and_then(|word| word.parse().ok());
    word.ok_or_else(|| {
        let message = "`unanswered` is `ask`, `defaults`, `decline` or `fail`";
        wrong("/unanswered", message)
    })
}

/// The name of a host, which is not empty.
pub(crate) fn host(name: Node<'_>) -> Result<String, Error> {
    let name = name.as_str().filter(|name| !name.trim().is_empty());
    name.map(Cow::into_owned)
        .ok_or_else(|| wrong("/host", "`host` is a string that is not empty"))
}

/// Actions of a tool that keeps running.
pub(crate) fn actions<T: FromIterator<SessionAction>>(words: Node<'_>) -> Result<T, Error> {
    let actions = words.elements().map(|word| word.as_str()?.parse().ok());
    let actions: Option<T> = actions.collect();
    actions
        .filter(|_| words.kind() == Kind::Array)
        .ok_or_else(|| {
            wrong(
                "/actions",
                "`actions` is an array of `spawn`, `fetch`, `apply` and `abort`",
            )
        })
}

/// Which variables of this process a program inherits: a word, or names.
pub(crate) fn inherit(given: Node<'_>) -> Result<Environment, Error> {
    let read = match (given.as_str(), given.kind()) {
        (Some(word), _) => word.parse(),
        (None, Kind::Array) => {
            let mut names = Vec::new();
            for (index, name) in given.elements().enumerate() {
                let place = format!("/inherit/{index}");
                let name = name.as_str();
                let name =
                    name.ok_or_else(|| wrong(place, "`inherit` is a list of variable names"))?;
                names.push(name.into_owned());
            }
            Environment::from_names(names)
        }
        _ => {
            let message = "`inherit` is `all`, `standard` or a list of variable names";
            return Err(wrong("/inherit", message));
        }
    };
    read.map_err(|error| wrong("/inherit", format!("`inherit`: {error}")))
}

/// What becomes of a handle at the end of a turn.
pub(crate) fn turn(word: Node<'_>) -> Result<TurnEnd, Error> {
    Ok(match word.as_str().as_deref() {
        Some("abort") => TurnEnd::Abort,
        Some("wait") => TurnEnd::Wait(Duration::from_secs(60)),
        Some("keep") => TurnEnd::Keep,
        Some("ask") => TurnEnd::Ask,
        _ => return Err(wrong("/turn", "`turn` is `abort`, `wait`, `keep` or `ask`")),
    })
}

/// The actions that need approval.
pub(crate) fn approve(words: Node<'_>) -> Result<BTreeSet<SessionAction>, Error> {
    actions(words).map_err(|_| {
        let message = "`approve` is a list of `spawn`, `fetch`, `apply` and `abort`";
        wrong("/approve", message)
    })
}

/// How a program that knows nothing of sessions is driven.
pub(crate) fn session(word: Node<'_>) -> Result<SessionKind, Error> {
    let word = word.as_str().unwrap_or_default();
    word.parse()
        .map_err(|error| wrong("/session", format!("`session`: {error}")))
}

/// The columns and rows of a terminal.
pub(crate) fn size(given: Node<'_>) -> Result<(u16, u16), Error> {
    let input = Json::new(format!(r#"{{"size":{}}}"#, given.raw()))?;
    match TerminalInput::read(&input) {
        Ok(TerminalInput::Size { columns, rows }) => Ok((columns, rows)),
        Ok(_) => Err(wrong("/size", "`size` is two numbers")),
        Err(error) => Err(wrong("/size", error.message())),
    }
}

/// An object of options, read strictly.
pub(crate) struct Options<'a> {
    document: Document<'a>,
    unit: Unit,
}

impl<'a> Options<'a> {
    /// Reads options of which only these names are known.
    pub(crate) fn read(text: &'a str, known: &[&str]) -> Result<Self, Error> {
        Options::read_in(text, known, Unit::Seconds)
    }

    /// The same with times in this unit.
    pub(crate) fn read_in(text: &'a str, known: &[&str], unit: Unit) -> Result<Self, Error> {
        let document = Document::new(text).map_err(|error| {
            let byte = error.offset().unwrap_or_default();
            wrong(
                "",
                format!("the options are not JSON: {error} (byte {byte})"),
            )
        })?;
        if document.root().kind() != Kind::Object {
            return Err(wrong("", "the options are not an object"));
        }
        let options = Options { document, unit };
        for (name, _) in options.document.root().members() {
            if !known.contains(&name.as_ref()) {
                return Err(wrong_member(
                    &name,
                    format!("`{name}` is not an option here"),
                ));
            }
        }
        Ok(options)
    }

    /// The options that were given; `null` stands for an option that was not given.
    pub(crate) fn members(&self) -> impl Iterator<Item = (Cow<'_, str>, Node<'_>)> {
        self.document
            .root()
            .members()
            .filter(|(_, value)| value.kind() != Kind::Null)
    }

    /// A member verbatim, even if it is null.
    pub(crate) fn get(&self, name: &str) -> Option<Json> {
        self.document.root().get(name).map(Json::from)
    }

    /// A time. One that no clock reaches is the longest.
    pub(crate) fn duration(
        &self,
        name: &str,
        value: Node<'_>,
        above_zero: bool,
    ) -> Result<Duration, Error> {
        let (unit, scale) = match self.unit {
            Unit::Seconds => ("seconds", 1.0),
            Unit::Milliseconds => ("milliseconds", 1000.0),
        };
        let least = if above_zero {
            "greater than 0"
        } else {
            "0 or more"
        };
        let time = value.as_f64().map(|time| time / scale);
        let time = time.filter(|time| {
            if above_zero {
                *time > 0.0
            } else {
                *time >= 0.0
            }
        });
        let time = time.ok_or_else(|| {
            let message = format!(
                "`{name}` is a number of {unit}, {least}, not `{}`",
                written(value)
            );
            wrong_member(name, message)
        })?;
        Ok(Duration::from_secs_f64(time.min(MAX_SECONDS)))
    }

    /// A path, which is not empty.
    pub(crate) fn path<T: From<String>>(&self, name: &str, value: Node<'_>) -> Result<T, Error> {
        let text = self.text(name, value)?;
        match text.is_empty() {
            true => Err(wrong_member(name, format!("`{name}` is empty"))),
            false => Ok(text.into_owned().into()),
        }
    }

    /// A function of the caller's, which crosses as [`FUNCTION`].
    pub(crate) fn callback(&self, name: &str, value: Node<'_>) -> Result<bool, Error> {
        match value.raw() == FUNCTION {
            true => Ok(true),
            false => Err(wrong_member(
                name,
                format!("`{name}` is a function, not `{}`", written(value)),
            )),
        }
    }

    /// An object of strings.
    pub(crate) fn strings(
        &self,
        name: &str,
        value: Node<'_>,
    ) -> Result<BTreeMap<String, String>, Error> {
        if value.kind() != Kind::Object {
            return Err(wrong_member(
                name,
                format!("`{name}` is an object of strings"),
            ));
        }
        let place = pointer::join("", name);
        let each = value.members().map(|(key, text)| match text.as_str() {
            Some(text) => Ok((key.into_owned(), text.into_owned())),
            None => {
                let message = format!("`{key}` in `{name}` is a string, not `{}`", written(text));
                Err(wrong(pointer::join(&place, &key), message))
            }
        });
        each.collect()
    }

    /// A whole number within a range.
    pub(crate) fn count<T: TryFrom<u64>>(
        &self,
        name: &str,
        value: Node<'_>,
        range: RangeInclusive<u64>,
    ) -> Result<T, Error> {
        let (least, most) = (*range.start(), *range.end());
        // `8.0` is a whole number too: some languages can't tell it from `8`.
        value
            .as_f64()
            .filter(|n| n.fract() == 0.0 && (least as f64..=most as f64).contains(n))
            .and_then(|n| T::try_from(n as u64).ok())
            .ok_or_else(|| {
                wrong_member(
                    name,
                    format!(
                        "`{name}` is a whole number from {least} to {most}, not `{}`",
                        written(value)
                    ),
                )
            })
    }

    pub(crate) fn text<'v>(&self, name: &str, value: Node<'v>) -> Result<Cow<'v, str>, Error> {
        value.as_str().ok_or_else(|| {
            wrong_member(
                name,
                format!("`{name}` is a string, not `{}`", written(value)),
            )
        })
    }

    /// A string for a field that has one, or may have one.
    pub(crate) fn owned<T: From<String>>(&self, name: &str, value: Node<'_>) -> Result<T, Error> {
        Ok(self.text(name, value)?.into_owned().into())
    }

    /// A list of strings.
    pub(crate) fn texts(&self, name: &str, value: Node<'_>) -> Result<Vec<String>, Error> {
        let message = format!("`{name}` is an array of strings");
        if value.kind() != Kind::Array {
            return Err(wrong_member(name, message));
        }
        let texts = value.elements().enumerate().map(|(index, text)| {
            let text = text.as_str().map(Cow::into_owned);
            text.ok_or_else(|| wrong(format!("{}/{index}", pointer::join("", name)), &*message))
        });
        texts.collect()
    }

    /// An object that is kept as it is.
    pub(crate) fn object(&self, name: &str, value: Node<'_>) -> Result<Json, Error> {
        match value.kind() {
            Kind::Object => Ok(Json::from(value)),
            _ => Err(wrong_member(name, format!("`{name}` is an object"))),
        }
    }

    /// One of a few words that have no type in Rust.
    pub(crate) fn word(
        &self,
        name: &str,
        value: Node<'_>,
        known: &[&str],
    ) -> Result<String, Error> {
        let word = self.text(name, value)?;
        match known.contains(&&*word) {
            true => Ok(word.into_owned()),
            false => {
                let known = known.join("` or `");
                Err(wrong_member(
                    name,
                    format!("`{name}` is `{known}`, not `{word}`"),
                ))
            }
        }
    }

    pub(crate) fn flag(&self, name: &str, value: Node<'_>) -> Result<bool, Error> {
        value.as_bool().ok_or_else(|| {
            wrong_member(
                name,
                format!("`{name}` is true or false, not `{}`", written(value)),
            )
        })
    }

    /// One of a closed set of words.
    pub(crate) fn choice<T: FromStr<Err = UnknownWord>>(
        &self,
        name: &str,
        value: Node<'_>,
    ) -> Result<T, Error> {
        let word = value.as_str().unwrap_or_default();
        word.parse().map_err(|error: UnknownWord| {
            let known = error.choices();
            wrong_member(
                name,
                format!("`{name}` is {known}, not `{}`", written(value)),
            )
        })
    }
}

/// A `bad_option` error.
pub(crate) fn wrong(pointer: impl Into<String>, message: impl Into<String>) -> Error {
    Error::new(Code::BadOption, pointer, None, message)
}

/// A `bad_option` error at the member `name` of the options.
pub(crate) fn wrong_member(name: &str, message: String) -> Error {
    wrong(pointer::join("", name), message)
}

/// An option without a default was left out.
pub(crate) fn missing(name: &str) -> Error {
    wrong_member(name, format!("`{name}` is missing"))
}

/// The value as it was written, shortened for a message.
fn written(value: Node<'_>) -> Cow<'_, str> {
    brief(value.raw(), 40)
}

#[cfg(test)]
mod tests {
    use toolwire::{MAX_BYTES, MIN_BUDGET, Target};

    use super::*;
    use crate::readers;

    #[test]
    fn what_is_given_is_read_and_null_is_not_given() {
        assert_eq!(readers::limits(r#"{"maxDepth":8.0}"#).unwrap().max_depth, 8);
        let options =
            readers::format_options(r#"{"target":"terminal","maxBytes":4096,"nonce":null}"#)
                .unwrap();
        let found = (options.target, options.max_bytes, options.nonce);
        assert_eq!(found, (Target::Terminal, Some(4096), None));
        assert!(readers::explain_options(r#"{"color":true}"#).unwrap().color);
        let options = readers::identify_options(r#"{"root":"/project"}"#).unwrap();
        assert_eq!(options.root.as_deref(), Some("/project"));
        assert_eq!(
            readers::refusal_options(r#"{"host":"Ada"}"#).unwrap().host,
            "Ada"
        );
    }

    #[test]
    fn the_first_wrong_option_is_named() {
        let digest = toolwire::digest_bytes(b"");
        let known = format!(r#"{{"known":[{{"uri":"a:b","digest":"{digest}"}},{{"uri":"a:b"}}]}}"#);
        for (error, pointer) in [
            (
                readers::limits(r#"{"maxDepth":-1}"#).unwrap_err(),
                "/maxDepth",
            ),
            (readers::limits("[]").unwrap_err(), ""),
            (readers::limits("{").unwrap_err(), ""),
            (
                readers::format_options(r#"{"target":"page"}"#).unwrap_err(),
                "/target",
            ),
            (
                readers::explain_options(r#"{"colour":true}"#).unwrap_err(),
                "/colour",
            ),
            (
                readers::explain_options(r#"{"color":1}"#).unwrap_err(),
                "/color",
            ),
            (
                readers::identify_options(&known).unwrap_err(),
                "/known/1/digest",
            ),
            (
                readers::identify_options(r#"{"known":[1]}"#).unwrap_err(),
                "/known/0",
            ),
            (readers::refusal_options("{}").unwrap_err(), "/host"),
        ] {
            let found = (error.code(), error.pointer());
            assert_eq!(found, (Code::BadOption, pointer), "{error}");
        }
    }

    #[test]
    fn a_wrong_budget_is_told_the_whole_range() {
        let range = "`maxBytes` is a whole number from 256 to 4294967295, not";
        for budget in ["0", "255", "4294967296", "\"1k\""] {
            let error = readers::format_options(&format!("{{\"maxBytes\":{budget}}}")).unwrap_err();
            assert_eq!(error.message(), format!("{range} `{budget}`"));
        }
        for budget in [MIN_BUDGET, MAX_BYTES] {
            let options = readers::format_options(&format!("{{\"maxBytes\":{budget}}}")).unwrap();
            assert_eq!(options.max_bytes, Some(budget));
        }
    }
}
