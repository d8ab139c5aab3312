//! Options that arrive as JSON text, as bindings pass them (API-3).

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::{Document, Kind, Node, pointer};
use crate::{Code, Error, Limits, UnknownWord, words};

/// An object of options, read strictly.
pub(crate) struct Options {
    document: Document<'static>,
}

impl Options {
    /// Reads options of which only these names are known.
    pub(crate) fn read(text: &str, known: &[&str]) -> Result<Self, Error> {
        let document = Document::read(Cow::Owned(text.as_bytes().to_vec()), &Limits::default())
            .map_err(|fault| {
                Error::new(
                    Code::BadOption,
                    "",
                    None,
                    format!("the options are not JSON: {fault}"),
                )
            })?;
        if document.root().kind() != Kind::Object {
            return Err(Error::new(
                Code::BadOption,
                "",
                None,
                "the options are not an object",
            ));
        }
        let options = Options { document };
        for (name, _) in options.document.root().members() {
            if !known.contains(&name.as_ref()) {
                return Err(wrong(&name, format!("`{name}` is not an option here")));
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

    /// A whole number within a range.
    pub(crate) fn count(
        &self,
        name: &str,
        value: Node<'_>,
        range: RangeInclusive<usize>,
    ) -> Result<usize, Error> {
        let (least, most) = (*range.start(), *range.end());
        // `8.0` is a whole number too: some languages can't tell it from `8`.
        value
            .as_f64()
            .filter(|n| n.fract() == 0.0 && (least as f64..=most as f64).contains(n))
            .map(|n| n as usize)
            .ok_or_else(|| {
                wrong(
                    name,
                    format!(
                        "`{name}` is a whole number from {least} to {most}, not `{}`",
                        brief(value)
                    ),
                )
            })
    }

    pub(crate) fn text<'a>(&self, name: &str, value: Node<'a>) -> Result<Cow<'a, str>, Error> {
        value.as_str().ok_or_else(|| {
            wrong(
                name,
                format!("`{name}` is a string, not `{}`", brief(value)),
            )
        })
    }

    pub(crate) fn flag(&self, name: &str, value: Node<'_>) -> Result<bool, Error> {
        value.as_bool().ok_or_else(|| {
            wrong(
                name,
                format!("`{name}` is true or false, not `{}`", brief(value)),
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
            let known = words::choices(error.known());
            wrong(name, format!("`{name}` is {known}, not `{}`", brief(value)))
        })
    }
}

/// A `bad_option` error at the member `name` of the options.
pub(crate) fn wrong(name: &str, message: String) -> Error {
    Error::new(Code::BadOption, pointer::join("", name), None, message)
}

/// The value as it was written, shortened for a message.
fn brief(value: Node<'_>) -> Cow<'_, str> {
    crate::json::brief(value.raw(), 40)
}
