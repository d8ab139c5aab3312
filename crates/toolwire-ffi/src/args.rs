//! The arguments of functions, as bindings hand them over.

use std::borrow::Cow;

use toolwire::block::Question;
use toolwire::call::{Answer, Call};
use toolwire::json::{Document, Kind as JsonKind};
use toolwire::question::read_question;
use toolwire::{Code, Error, Json, Limits, Parsed};

/// A parameter of a function: its name, how its argument crosses, and whether it can be left out.
pub type Parameter = (&'static str, Kind, bool);

/// How an argument crosses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Bytes, or text as its bytes.
    Output,
    /// The JSON text of a value, or a text or bytes that are one.
    Document,
    /// The JSON text of a value.
    Json,
    /// Text.
    Text,
    /// A JSON array of texts.
    Texts,
    /// A JSON array of documents.
    Documents,
    /// Bytes, or what was read before.
    Readable,
    /// The JSON text of a question.
    Question,
    /// A JSON array of these.
    Questions,
    /// The JSON text of a call.
    Call,
    /// A result in a list: null, an output as a JSON string, or the JSON text of an envelope.
    Result,
    /// A JSON array of these.
    Results,
    /// The JSON text of an answer: `{"state","source","value"}`.
    Answer,
}

/// An argument.
#[derive(Debug)]
pub enum Arg<'a> {
    /// It was left out.
    Absent,
    /// Text, or the JSON text of a value.
    Text(Cow<'a, str>),
    /// Bytes of which nothing is known.
    Bytes(&'a [u8]),
    /// What was read before.
    Parsed(&'a Parsed<'a>),
}

/// The arguments of a call, in order.
#[derive(Debug)]
pub struct Args<'a>(pub Vec<Arg<'a>>);

impl Args<'_> {
    /// Bytes; those of a text are in UTF-8.
    pub(crate) fn bytes(&self, index: usize) -> Result<&[u8], Error> {
        match self.0.get(index) {
            Some(Arg::Bytes(bytes)) => Ok(bytes),
            Some(Arg::Text(text)) => Ok(text.as_bytes()),
            Some(Arg::Parsed(parsed)) => Ok(parsed.raw()),
            _ => Err(missing(index)),
        }
    }

    /// Text that was checked to be text.
    pub(crate) fn text(&self, index: usize) -> Result<&str, Error> {
        match self.0.get(index) {
            Some(Arg::Text(text)) => Ok(text),
            _ => Err(missing(index)),
        }
    }

    /// Text of which nothing is known; if the bytes are none, the core finds at which byte.
    pub(crate) fn source(&self, index: usize) -> Result<Cow<'_, str>, Error> {
        let bytes = match self.0.get(index) {
            Some(Arg::Text(text)) => return Ok(Cow::Borrowed(text)),
            _ => self.bytes(index)?,
        };
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Cow::Borrowed(text)),
            Err(_) => {
                let canonical = toolwire::canonicalize(bytes, &Limits::WIDEST)?;
                Ok(String::from_utf8_lossy(&canonical).into_owned().into())
            }
        }
    }

    pub(crate) fn source_or_none(&self, index: usize) -> Result<Option<Cow<'_, str>>, Error> {
        self.given(index).then(|| self.source(index)).transpose()
    }

    /// A JSON value.
    pub(crate) fn json(&self, index: usize) -> Result<Json, Error> {
        Json::new(self.source(index)?)
    }

    pub(crate) fn json_or_none(&self, index: usize) -> Result<Option<Json>, Error> {
        self.given(index).then(|| self.json(index)).transpose()
    }

    /// A list of texts.
    pub(crate) fn texts(&self, index: usize) -> Result<Vec<String>, Error> {
        self.json(index)?.to_value()
    }

    pub(crate) fn texts_or_none(&self, index: usize) -> Result<Vec<String>, Error> {
        let texts = self.given(index).then(|| self.texts(index)).transpose()?;
        Ok(texts.unwrap_or_default())
    }

    /// What was read before, or is read now.
    pub(crate) fn parsed(&self, index: usize, limits: &Limits) -> Result<Parsed<'_>, Error> {
        match self.0.get(index) {
            Some(Arg::Parsed(parsed)) => Ok(parsed.lend()),
            _ => Ok(toolwire::parse(self.bytes(index)?, limits)),
        }
    }

    /// What tools wrote, read now; `None` for what did not run.
    pub(crate) fn results(&self, index: usize) -> Result<Vec<Option<Parsed<'static>>>, Error> {
        let text = self.source(index)?;
        let document = Document::new(&text)?;
        let results = document.root().elements().map(|result| {
            let output = match result.as_str() {
                _ if result.kind() == JsonKind::Null => return None,
                Some(text) => text.into_owned().into_bytes(),
                None => result.raw().as_bytes().to_vec(),
            };
            Some(toolwire::parse(output, &Limits::default()))
        });
        Ok(results.collect())
    }

    pub(crate) fn question(&self, index: usize) -> Result<Question, Error> {
        read_question(&self.source(index)?)
    }

    pub(crate) fn questions(&self, index: usize) -> Result<Vec<Question>, Error> {
        let text = self.source(index)?;
        let document = Document::new(&text)?;
        let each = document.root().elements().enumerate();
        each.map(|(index, question)| {
            read_question(question.raw()).map_err(|error| {
                let place = format!("/{index}{}", error.pointer());
                Error::new(error.code(), place, None, error.message())
            })
        })
        .collect()
    }

    pub(crate) fn call(&self, index: usize) -> Result<Call, Error> {
        Call::from_json(self.bytes(index)?, &Limits::WIDEST)
    }

    pub(crate) fn answer(&self, index: usize) -> Result<Answer, Error> {
        Answer::from_json(&self.source(index)?)
    }

    fn given(&self, index: usize) -> bool {
        !matches!(self.0.get(index), None | Some(Arg::Absent))
    }
}

fn missing(index: usize) -> Error {
    let message = format!("argument {index} is missing");
    Error::new(Code::BadArgument, "", None, message)
}

/// There is no such function.
pub(crate) fn unknown(op: &str) -> Error {
    let message = format!("there is no function `{op}`");
    Error::new(Code::BadArgument, "", None, message)
}
