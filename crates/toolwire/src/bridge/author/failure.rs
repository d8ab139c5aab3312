//! How a tool failed, in the same words from every language (AUTH-30 to AUTH-34).

use std::fmt;

use serde::Deserialize;

use crate::protocol::build::{error_meta, text_block};
use crate::{Code, Envelope, EnvelopeMeta, Error, Json};

/// A failure: what the answer of a tool says that could not do its job.
///
/// ```
/// use toolwire::author::Failure;
///
/// assert!(!Failure::new("the server is gone").transient);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Failure {
    /// What went wrong, for a person and a model.
    pub message: String,
    /// The causes, from the nearest to the farthest.
    pub trace: Vec<String>,
    /// Whether the same call may succeed later.
    pub transient: bool,
}

/// One error of a chain, as a language gives it.
///
/// ```
/// use toolwire::author::{Failure, Link};
///
/// let link = Link { message: "'path'".into(), names: vec!["KeyError".into()] };
/// assert_eq!(Failure::from_chain(&[link]).message, "KeyError: 'path'");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Link {
    /// What it says itself.
    pub message: String,
    /// The names of its class and of the classes above, the nearest first; then its codes, such as
    /// `ECONNRESET` or `http:503`.
    #[serde(default)]
    pub names: Vec<String>,
}

/// Maximum number of reported errors of a chain, which could lead back to itself.
const MAX_LINKS: usize = 100;

impl Failure {
    /// A failure with a message and nothing else.
    ///
    /// ```
    /// assert_eq!(toolwire::author::Failure::new("no such file").message, "no such file");
    /// ```
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Failure {
            message: message.into(),
            ..Failure::default()
        }
    }

    /// The answer to a call of which there is nothing but this failure to tell.
    ///
    /// ```
    /// use toolwire::author::Failure;
    ///
    /// let answer = Failure::new("no such file").envelope().to_json();
    /// assert_eq!(answer, r#"{"content":[{"text":"no such file","type":"text"}],"isError":true}"#);
    /// ```
    #[must_use]
    pub fn envelope(self) -> Envelope {
        let error = error_meta(self.transient, self.trace);
        Envelope {
            content: vec![text_block(self.message)],
            is_error: Some(true),
            meta: error.map(|error| EnvelopeMeta {
                error: Some(error),
                ..EnvelopeMeta::default()
            }),
            ..Envelope::default()
        }
    }

    /// The failure of a tool that returned what is no answer, as [`Turn::finish`](super::Turn::finish)
    /// says it (AUTH-11).
    ///
    /// ```
    /// use toolwire::author::{Failure, Returned};
    ///
    /// let error = Returned::from_json("text", "7").unwrap_err();
    /// let message = Failure::no_answer(&error).message;
    /// assert!(message.starts_with("what the tool returned is no answer: "));
    /// ```
    #[must_use]
    pub fn no_answer(error: &Error) -> Self {
        let place = match error.pointer() {
            "" => String::new(),
            pointer => format!(" (at `{pointer}`)"),
        };
        let message = error.message();
        Failure::new(format!(
            "what the tool returned is no answer: {message}{place}"
        ))
    }

    /// The failure of a tool that ends its process with a status in place of an answer.
    ///
    /// ```
    /// assert_eq!(toolwire::author::Failure::exited(3).message, "the tool exited with status 3");
    /// ```
    #[must_use]
    pub fn exited(status: impl fmt::Display) -> Self {
        Failure::new(format!("the tool exited with status {status}"))
    }

    /// The failure that a chain of errors stands for, the outermost first: the first one is the
    /// message, the others are the trace, and it is transient if one of them is of such a kind.
    /// At most 100 errors are looked at.
    ///
    /// ```
    /// use toolwire::author::{Failure, Link};
    ///
    /// let link = |message: &str, name: &str| Link {
    ///     message: message.into(),
    ///     names: vec![name.into()],
    /// };
    /// let failure = Failure::from_chain(&[
    ///     link("the page can't be read", "FetchError"),
    ///     link("timed out", "TimeoutError"),
    /// ]);
    /// assert_eq!(failure.message, "the page can't be read");
    /// assert_eq!(failure.trace, ["timed out"]);
    /// assert!(failure.transient);
    /// ```
    #[must_use]
    pub fn from_chain(links: &[Link]) -> Self {
        let links = &links[..links.len().min(MAX_LINKS)];
        let mut texts: Vec<String> = links.iter().map(Link::text).collect();
        // A wrapper often repeats what it wraps.
        texts.dedup();
        let mut texts = texts.into_iter();
        Failure {
            message: texts.next().unwrap_or_else(|| FAILED.to_owned()),
            trace: texts.collect(),
            transient: links.iter().any(|link| transient_kind(&link.names)),
        }
    }

    /// Reads a failure, for a binding, in one of these forms:
    ///
    /// - `{"message","trace","transient"}`, of which the last two may be absent;
    /// - `{"chain":[{"message","names"}],"transient"}`, as [`Failure::from_chain`]; `transient`, if it
    ///   is there, has the last word;
    /// - `{"tool","mismatches":[{"pointer","message"}]}`, as [`bad_arguments`];
    /// - `{"exited"}` with a status, as [`Failure::exited`];
    /// - `{"returned":{"message","pointer"}}` with why that is no answer, as [`Failure::no_answer`].
    ///
    /// # Errors
    ///
    /// `bad_argument` at the first place that is not so; the code of the first place where the text is
    /// not strict JSON.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::author::Failure;
    ///
    /// let failure = Failure::from_json(
    ///     r#"{"chain":[{"message":"busy","names":["HTTPError","http:503"]}]}"#,
    /// )?;
    /// assert!(failure.transient);
    /// assert!(Failure::from_json(r#"{"chain":[]}"#).is_err());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn from_json(text: &str) -> Result<Self, Error> {
        let given: FailureInput = Json::new(text)?.to_value()?;
        let missing = |name: &str| {
            let message = format!("`{name}` is missing or empty");
            Error::new(Code::BadArgument, format!("/{name}"), None, message)
        };
        let mut failure = if let Some(chain) = given.chain {
            if chain.is_empty() {
                return Err(missing("chain"));
            }
            Failure::from_chain(&chain)
        } else if let Some(found) = given.mismatches {
            let found = found.into_iter().map(|it| (it.pointer, it.message));
            bad_arguments(&given.tool, &found.collect::<Vec<_>>())
        } else if let Some(status) = given.exited {
            Failure::exited(status)
        } else if let Some(Located { pointer, message }) = given.returned {
            Failure::no_answer(&Error::new(Code::BadArgument, pointer, None, message))
        } else {
            Failure {
                message: given.message.ok_or_else(|| missing("message"))?,
                trace: given.trace,
                transient: false,
            }
        };
        failure.transient = given.transient.unwrap_or(failure.transient);
        Ok(failure)
    }
}

/// A failure as a binding gives it.
#[derive(Deserialize)]
struct FailureInput {
    message: Option<String>,
    #[serde(default)]
    trace: Vec<String>,
    transient: Option<bool>,
    chain: Option<Vec<Link>>,
    #[serde(default)]
    tool: String,
    mismatches: Option<Vec<Located>>,
    exited: Option<Json>,
    returned: Option<Located>,
}

#[derive(Deserialize)]
struct Located {
    pointer: String,
    message: String,
}

/// What is said of an error that says nothing itself.
const FAILED: &str = "the tool failed";

impl Link {
    /// The message; with the name where the message alone says too little (AUTH-31).
    fn text(&self) -> String {
        let message = self.message.trim();
        let name = self.names.first().map(String::as_str).unwrap_or_default();
        let named = !name.is_empty() && !["Error", "Exception", "ToolError"].contains(&name);
        match message {
            "" if named => name.to_owned(),
            "" => FAILED.to_owned(),
            word if named && !word.contains(char::is_whitespace) => format!("{name}: {word}"),
            sentence => sentence.to_owned(),
        }
    }
}

/// The failure of a call whose arguments do not fit the tool's input schema: the one wording for it
/// (AUTH-34). Each mismatch is a JSON Pointer into the arguments and a message.
///
/// ```
/// use toolwire::author::bad_arguments;
///
/// let found = [("/limit".to_owned(), "`0` is less than 1".to_owned())];
/// assert_eq!(
///     bad_arguments("search", &found).message,
///     "the arguments of `search` do not fit: `/limit`: `0` is less than 1",
/// );
/// ```
#[must_use]
pub fn bad_arguments(tool: &str, mismatches: &[(String, String)]) -> Failure {
    misfit(&format!("the arguments of `{tool}` do"), mismatches)
}

/// The failure where something else does not fit, in the form of [`bad_arguments`].
///
/// ```
/// use toolwire::author::misfit;
///
/// let found = [(String::new(), "the value must be `1`, not `2`".to_owned())];
/// assert_eq!(
///     misfit("the answer to `n` does", &found).message,
///     "the answer to `n` does not fit: the value must be `1`, not `2`",
/// );
/// ```
#[must_use]
pub fn misfit(what: &str, mismatches: &[(String, String)]) -> Failure {
    let found: Vec<String> = mismatches
        .iter()
        .map(|(pointer, message)| match pointer.as_str() {
            "" => message.clone(),
            pointer => format!("`{pointer}`: {message}"),
        })
        .collect();
    Failure::new(match found.as_slice() {
        [] => format!("{what} not fit"),
        [one] => format!("{what} not fit: {one}"),
        all => format!("{what} not fit:\n- {}", all.join("\n- ")),
    })
}

/// Whether an error with these names and codes may go away by itself, so that the same call may succeed
/// later (the table of AUTH-33).
///
/// ```
/// use toolwire::author::transient_kind;
///
/// assert!(transient_kind(&["ConnectionResetError", "ConnectionError", "OSError"]));
/// assert!(transient_kind(&["http:429"]));
/// assert!(!transient_kind(&["FileNotFoundError", "OSError", "ENOENT"]));
/// ```
#[must_use]
pub fn transient_kind<S: AsRef<str>>(names: &[S]) -> bool {
    let is_transient = |name: &S| TRANSIENT.lines().any(|line| line == name.as_ref());
    names.iter().any(is_transient)
}

/// The table of AUTH-33, a name a line.
const TRANSIENT: &str = include_str!("transient.txt");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_that_of_the_specification() {
        let chapter = include_str!("../../../../../spec/13-authoring.md");
        let lists = chapter
            .lines()
            .skip_while(|line| !line.starts_with("| classes |"));
        let lists = lists.take_while(|line| line.starts_with('|'));
        let names: Vec<&str> = lists
            .flat_map(|line| line.split('`').skip(1).step_by(2))
            .collect();
        let table = TRANSIENT.lines().filter(|line| !line.starts_with('#'));
        assert_eq!(names, table.collect::<Vec<_>>());
    }
}
