//! Options that arrive as JSON text, as bindings pass them (API-3).

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::str::FromStr;

use toolwire::json::{Document, Kind, Node, brief, pointer};
use toolwire::question::RefusalOptions;
use toolwire::{
    Code, Error, ExplainOptions, FormatOptions, IdentifyOptions, Known, Limits, MAX_BYTES,
    MAX_DEPTH, MIN_BUDGET, UnknownWord,
};

/// Reads limits, an object with any of `maxBytes`, `maxDepth`, `maxValues`, `maxBlocks` and
/// `maxDiagnostics`; the others keep their default.
///
/// # Errors
///
/// `bad_option` with a pointer to the member that is unknown or out of range (API-3).
pub fn limits(text: &str) -> Result<Limits, Error> {
    let options = Options::read(
        text,
        &[
            "maxBytes",
            "maxDepth",
            "maxValues",
            "maxBlocks",
            "maxDiagnostics",
        ],
    )?;
    let mut limits = Limits::default();
    for (name, value) in options.members() {
        match name.as_ref() {
            "maxBytes" => limits.max_bytes = options.count(&name, value, 0..=MAX_BYTES)?,
            "maxDepth" => limits.max_depth = options.count(&name, value, 0..=MAX_DEPTH)?,
            "maxValues" => limits.max_values = options.count(&name, value, 0..=MAX_BYTES)?,
            "maxBlocks" => limits.max_blocks = options.count(&name, value, 0..=MAX_BYTES)?,
            "maxDiagnostics" => {
                limits.max_diagnostics = options.count(&name, value, 0..=MAX_BYTES)?;
            }
            _ => {}
        }
    }
    Ok(limits)
}

/// Reads the options of `format`, an object with any of `target`, `style`, `header`, `maxBytes`,
/// `audience`, `nonce` and `color`.
///
/// # Errors
///
/// `bad_option` with a pointer to the member that is unknown or has a wrong value (API-3).
pub fn format(text: &str) -> Result<FormatOptions, Error> {
    let given = Options::read(
        text,
        &[
            "target", "style", "header", "maxBytes", "audience", "nonce", "color",
        ],
    )?;
    let mut options = FormatOptions::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "target" => options.target = given.choice(&name, value)?,
            "style" => options.style = given.choice(&name, value)?,
            "header" => options.header = given.flag(&name, value)?,
            "maxBytes" => {
                options.max_bytes = Some(given.count(&name, value, MIN_BUDGET..=MAX_BYTES)?);
            }
            "audience" => options.audience = Some(given.choice(&name, value)?),
            "nonce" => options.nonce = Some(given.text(&name, value)?.into_owned()),
            "color" => options.color = given.flag(&name, value)?,
            _ => {}
        }
    }
    options.check()?;
    Ok(options)
}

/// Reads the options of `explain`, an object with `color`.
///
/// # Errors
///
/// `bad_option` with a pointer to the member that is unknown or has another type (API-3).
pub fn explain(text: &str) -> Result<ExplainOptions, Error> {
    let options = Options::read(text, &["color"])?;
    let mut explain = ExplainOptions::default();
    for (name, value) in options.members() {
        // There is no other: reading has refused what it doesn't know.
        explain.color = options.flag(&name, value)?;
    }
    Ok(explain)
}

/// Reads the options of `identify`, `{"root","known":[{"uri","digest"}]}`; whatever else a known
/// identity holds is ignored, so a list of identities can be given as it is.
///
/// # Errors
///
/// `bad_option` with the pointer of an unknown option or of a value of the wrong type (API-3, ID-15).
pub fn identify(text: &str) -> Result<IdentifyOptions, Error> {
    let options = Options::read(text, &["root", "known"])?;
    let mut identify = IdentifyOptions::default();
    for (name, value) in options.members() {
        match name.as_ref() {
            "root" => identify.root = Some(options.text(&name, value)?.into_owned()),
            "known" => identify.known = read_known(value)?,
            _ => {}
        }
    }
    Ok(identify)
}

fn read_known(list: Node<'_>) -> Result<Vec<Known>, Error> {
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

/// Reads the options of `refusal`,
/// `{"host","tool","service","reason","about","oauth","url","upFront","appPasswords"}`.
///
/// # Errors
///
/// `bad_option` at an unknown option, at one with a wrong value, and at `/host` if it is missing or
/// empty.
pub fn refusal(text: &str) -> Result<RefusalOptions, Error> {
    let refusal = parts_of_refusal(text)?;
    refusal.check()?;
    Ok(refusal)
}

/// As [`refusal`], where the host is known from elsewhere.
pub(crate) fn parts_of_refusal(text: &str) -> Result<RefusalOptions, Error> {
    let options = Options::read(
        text,
        &[
            "host",
            "tool",
            "service",
            "reason",
            "about",
            "oauth",
            "url",
            "upFront",
            "appPasswords",
        ],
    )?;
    let mut refusal = RefusalOptions::default();
    for (name, value) in options.members() {
        let text = || {
            options
                .text(&name, value)
                .map(|text| Some(text.into_owned()))
        };
        match name.as_ref() {
            "host" => refusal.host = text()?.unwrap_or_default(),
            "tool" => refusal.tool = text()?,
            "service" => refusal.service = text()?,
            "oauth" => refusal.oauth = text()?,
            "url" => refusal.url = text()?,
            "upFront" => refusal.up_front = text()?,
            "appPasswords" => refusal.app_passwords = text()?,
            "reason" => refusal.reason = options.choice(&name, value)?,
            _ => refusal.about = options.choice(&name, value)?,
        }
    }
    Ok(refusal)
}

/// An object of options, read strictly.
pub(crate) struct Options<'a> {
    document: Document<'a>,
}

impl<'a> Options<'a> {
    /// Reads options of which only these names are known.
    pub(crate) fn read(text: &'a str, known: &[&str]) -> Result<Self, Error> {
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
        let options = Options { document };
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

/// The value as it was written, shortened for a message.
fn written(value: Node<'_>) -> Cow<'_, str> {
    brief(value.raw(), 40)
}

#[cfg(test)]
mod tests {
    use toolwire::Target;

    use super::*;

    #[test]
    fn what_is_given_is_read_and_null_is_not_given() {
        assert_eq!(limits(r#"{"maxDepth":8.0}"#).unwrap().max_depth, 8);
        let options = format(r#"{"target":"terminal","maxBytes":4096,"nonce":null}"#).unwrap();
        let found = (options.target, options.max_bytes, options.nonce);
        assert_eq!(found, (Target::Terminal, Some(4096), None));
        assert!(explain(r#"{"color":true}"#).unwrap().color);
        let options = identify(r#"{"root":"/project"}"#).unwrap();
        assert_eq!(options.root.as_deref(), Some("/project"));
        assert_eq!(refusal(r#"{"host":"Ada"}"#).unwrap().host, "Ada");
    }

    #[test]
    fn the_first_wrong_option_is_named() {
        let digest = toolwire::digest_bytes(b"");
        let known = format!(r#"{{"known":[{{"uri":"a:b","digest":"{digest}"}},{{"uri":"a:b"}}]}}"#);
        for (error, pointer) in [
            (limits(r#"{"maxDepth":-1}"#).unwrap_err(), "/maxDepth"),
            (limits("[]").unwrap_err(), ""),
            (limits("{").unwrap_err(), ""),
            (format(r#"{"target":"page"}"#).unwrap_err(), "/target"),
            (explain(r#"{"colour":true}"#).unwrap_err(), "/colour"),
            (explain(r#"{"color":1}"#).unwrap_err(), "/color"),
            (identify(&known).unwrap_err(), "/known/1/digest"),
            (identify(r#"{"known":[1]}"#).unwrap_err(), "/known/0"),
            (refusal("{}").unwrap_err(), "/host"),
        ] {
            let found = (error.code(), error.pointer());
            assert_eq!(found, (Code::BadOption, pointer), "{error}");
        }
    }

    #[test]
    fn a_wrong_budget_is_told_the_whole_range() {
        let range = "`maxBytes` is a whole number from 256 to 4294967295, not";
        for budget in ["0", "255", "4294967296", "\"1k\""] {
            let error = format(&format!("{{\"maxBytes\":{budget}}}")).unwrap_err();
            assert_eq!(error.message(), format!("{range} `{budget}`"));
        }
        for budget in [MIN_BUDGET, MAX_BYTES] {
            let options = format(&format!("{{\"maxBytes\":{budget}}}")).unwrap();
            assert_eq!(options.max_bytes, Some(budget));
        }
    }
}
