//! What a host sets for the questions of a call.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde_json::Value;
use toolwire::{Code, Error, Json};

use super::Alternatives;
use crate::{UnknownWord, words};

/// What becomes of a question that has no given answer (Q-53).
///
/// ```
/// use toolwire_host::Unanswered;
///
/// assert_eq!(Unanswered::default().as_str(), "ask");
/// assert_eq!("fail".parse(), Ok(Unanswered::Fail));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Unanswered {
    /// It is asked.
    #[default]
    Ask,
    /// Its default is the answer; without one that fits it is unavailable.
    Defaults,
    /// It is declined.
    Decline,
    /// It ends the call with an error that names it.
    Fail,
}

impl Unanswered {
    /// All of them.
    pub const ALL: [Unanswered; 4] = [
        Unanswered::Ask,
        Unanswered::Defaults,
        Unanswered::Decline,
        Unanswered::Fail,
    ];

    /// The word that stands in JSON: `ask`, `defaults`, `decline` or `fail`.
    ///
    /// ```
    /// assert_eq!(toolwire_host::Unanswered::Defaults.as_str(), "defaults");
    /// ```
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Unanswered::Ask => "ask",
            Unanswered::Defaults => "defaults",
            Unanswered::Decline => "decline",
            Unanswered::Fail => "fail",
        }
    }
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Unanswered {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        words::find(&Unanswered::ALL, Unanswered::as_str, word)
    }
}

/// How the questions of a call are answered.
///
/// ```
/// use toolwire_host::{ExchangeOptions, Unanswered};
///
/// let options = ExchangeOptions { unanswered: Unanswered::Defaults, ..ExchangeOptions::default() };
/// assert_eq!((options.max_rounds, options.max_tries), (16, 3));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeOptions {
    /// The name of the host, as people know it, for the texts of chapter 11.5; `Toolwire` by default
    /// and where it is empty.
    pub host: String,
    /// The most calls of the tool for one result; 16 by default, and at least one (Q-27).
    pub max_rounds: usize,
    /// How often an answer to one question may be wrong; 3 by default, and at least one (Q-29).
    pub max_tries: usize,
    /// Answers that are known beforehand, by the ids of their questions (Q-52).
    pub given: BTreeMap<String, Json>,
    /// What becomes of all other questions.
    pub unanswered: Unanswered,
    /// What people are told to do where the tool can't go on without an answer, by the ids of questions;
    /// `*` is for those that are not named (Q-88).
    pub refusals: BTreeMap<String, Alternatives>,
}

impl Default for ExchangeOptions {
    fn default() -> Self {
        ExchangeOptions {
            host: "Toolwire".to_owned(),
            max_rounds: 16,
            max_tries: 3,
            given: BTreeMap::new(),
            unanswered: Unanswered::Ask,
            refusals: BTreeMap::new(),
        }
    }
}

impl ExchangeOptions {
    /// The name of the host in texts.
    pub(super) fn host(&self) -> &str {
        match self.host.trim() {
            "" => "Toolwire",
            host => host,
        }
    }

    /// What is known of the ways around a question.
    pub(super) fn ways(&self, id: &str) -> Alternatives {
        let ways = self.refusals.get(id).or_else(|| self.refusals.get("*"));
        ways.cloned().unwrap_or_default()
    }

    /// Reads `{"host","maxRounds","maxTries","given":{id: value},"unanswered","refusals":{id:
    /// {"service","oauth","url","upFront","appPasswords"}}}`; what is absent or null keeps its default.
    ///
    /// # Errors
    ///
    /// `bad_option` at an unknown option and at one with a wrong value; in `refusals` at the entry.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire_host::{ExchangeOptions, Unanswered};
    ///
    /// let options = ExchangeOptions::from_json(r#"{"given":{"confirm":true},"unanswered":"fail"}"#)?;
    /// assert_eq!(options.given["confirm"].as_str(), "true");
    /// assert_eq!(options.unanswered, Unanswered::Fail);
    /// let options = ExchangeOptions::from_json(r#"{"refusals":{"*":{"service":"Example"}}}"#)?;
    /// assert_eq!(options.refusals["*"].service.as_deref(), Some("Example"));
    /// assert_eq!(ExchangeOptions::from_json(r#"{"maxRounds":0}"#).unwrap_err().pointer(), "/maxRounds");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let wrong = |name: &str, message: String| Error::new(Code::BadOption, name, None, message);
        let members: BTreeMap<String, Json> = Json::new(text)
            .and_then(|json| json.to_value())
            .map_err(|error| wrong("", format!("the options are no JSON object: {error}")))?;
        let mut options = ExchangeOptions::default();
        for (name, value) in members {
            let pointer = format!("/{}", escaped(&name));
            let simple: Value = value.to_value().unwrap_or_default();
            if simple.is_null() && value.as_str() == "null" {
                continue;
            }
            let expected = |what: &str| wrong(&pointer, format!("`{name}` must be {what}"));
            let count = || {
                // `8.0` is a whole number too: some languages can't tell it from `8`.
                let count = simple.as_f64().filter(|n| n.fract() == 0.0);
                let count = count.filter(|n| (1.0..=1_000_000.0).contains(n));
                count
                    .map(|n| n as usize)
                    .ok_or_else(|| expected("a whole number from 1 to 1000000"))
            };
            match name.as_str() {
                "host" => match simple.as_str().filter(|text| !text.trim().is_empty()) {
                    Some(text) => options.host = text.to_owned(),
                    None => return Err(expected("a string that is not empty")),
                },
                "maxRounds" => options.max_rounds = count()?,
                "maxTries" => options.max_tries = count()?,
                "given" => {
                    options.given = value.to_value().map_err(|_| expected("an object"))?;
                }
                "unanswered" => {
                    let word = simple.as_str().and_then(|word| word.parse().ok());
                    options.unanswered =
                        word.ok_or_else(|| expected("`ask`, `defaults`, `decline` or `fail`"))?;
                }
                "refusals" => {
                    let entries: BTreeMap<String, Json> =
                        value.to_value().map_err(|_| expected("an object"))?;
                    for (id, entry) in entries {
                        let pointer = format!("{pointer}/{}", escaped(&id));
                        let ways = entry
                            .to_value()
                            .map_err(|_| "is an object of strings".to_owned())
                            .and_then(|members| {
                                Alternatives::of(members)
                                    .map_err(|name| format!("has no option `{name}`"))
                            })
                            .map_err(|why| wrong(&pointer, format!("`{id}` in `{name}` {why}")))?;
                        options.refusals.insert(id, ways);
                    }
                }
                _ => return Err(wrong(&pointer, format!("`{name}` is not an option here"))),
            }
        }
        Ok(options)
    }
}

/// A step of a JSON Pointer.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
