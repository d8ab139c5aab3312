//! A program that is to be started where neither its folder, its environment nor its manifest is known.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use toolwire::Json;
use toolwire::call::{AnswerSource, Call, ToolDescription};

use crate::{
    Alternatives, Command, Environment, ExchangeOptions, FetchOptions, HostError, HostErrorKind,
    ProcessOptions, Who,
};

/// A tool is to begin, with all that it is started with: nothing is taken from the process that starts it
///.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Spawn {
    /// The id of the handle.
    pub id: String,
    /// Who wants it.
    pub by: AnswerSource,
    /// The description of the tool (CALL-31), under the name that clients see.
    pub tool: Json,
    /// The call document (CALL-1), which is complete.
    pub call: Json,
    /// How the program is talked to.
    pub how: How,
    /// The program: an absolute path.
    pub program: Word,
    /// Its arguments.
    pub arguments: Vec<Word>,
    /// All of its environment variables.
    pub environment: Vec<(Word, Word)>,
    /// The folder in which it runs, an absolute path.
    pub cwd: Word,
    /// The columns and rows of its pseudo-terminal.
    pub size: Option<(u16, u16)>,
    /// Its `TERM` in that.
    pub term: Option<String>,
    /// Who answers its questions.
    pub questions: BTreeMap<String, Who>,
    /// What people can do if a question has no answer.
    pub refusals: BTreeMap<String, Alternatives>,
    /// How long it may run in all.
    pub session_time: Option<Duration>,
    /// How long nothing may happen to the handle.
    pub idle: Option<Duration>,
    /// The most bytes of the answer of a tool that runs once.
    pub max_output: usize,
    /// How it is fetched for the first time.
    pub first: FetchOptions,
}

/// How a program is talked to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum How {
    /// By the line transport (chapter 22).
    Lines,
    /// In a pseudo-terminal.
    Pty,
    /// By its standard streams.
    Pipe,
    /// It runs once for a call, and is run again with the answers to its questions.
    Once,
    /// It runs once, and gets no call.
    Plain,
}

impl Spawn {
    /// A program as it would be started here and now.
    ///
    /// # Errors
    ///
    /// As [`Command::resolve`]; `bad_argument` if description or call are no JSON.
    pub fn new(
        id: &str,
        by: AnswerSource,
        how: How,
        tool: &ToolDescription,
        call: &Call,
        command: &Command,
        process: &ProcessOptions,
    ) -> Result<Self, HostError> {
        let refuse = |message: String| HostError::new(HostErrorKind::BadArgument, message);
        let json = |text: String| Json::new(text).map_err(|error| refuse(error.to_string()));
        let command = command.resolve(process)?;
        let cwd = match &process.cwd {
            Some(cwd) => std::path::absolute(cwd),
            None => std::env::current_dir(),
        };
        let cwd =
            cwd.map_err(|error| refuse(format!("cannot tell the current folder: {error}")))?;
        let word = |word: &OsString| Word::from(word.as_os_str());
        let variables = process.environment.to_variables();
        Ok(Spawn {
            id: id.to_owned(),
            by,
            tool: json(tool.to_json())?,
            call: json(call.to_json())?,
            how,
            program: Word::from(command.program()),
            arguments: command.arguments().iter().map(word).collect(),
            environment: variables
                .iter()
                .map(|(name, value)| (word(name), word(value)))
                .collect(),
            cwd: Word::from(cwd.as_os_str()),
            size: None,
            term: None,
            questions: BTreeMap::new(),
            refusals: BTreeMap::new(),
            session_time: process.timeout,
            idle: None,
            max_output: process.max_output,
            first: FetchOptions::default(),
        })
    }

    /// What is started.
    #[must_use]
    pub fn command(&self) -> Command {
        Command::new(&self.program).args(self.arguments.iter().map(OsString::from))
    }

    /// How it is started.
    #[must_use]
    pub fn process(&self) -> ProcessOptions {
        let none = Environment::only([""; 0]);
        let variables = self.environment.iter();
        ProcessOptions {
            cwd: Some(OsString::from(&self.cwd).into()),
            environment: variables.fold(none, |all, (name, value)| all.with(name, value)),
            max_output: self.max_output,
            ..ProcessOptions::default()
        }
    }

    /// Who answers its questions.
    pub(super) fn exchange(&self) -> ExchangeOptions {
        ExchangeOptions {
            questions: self.questions.clone(),
            refusals: self.refusals.clone(),
            ..ExchangeOptions::default()
        }
    }
}

/// A word of a command, a path or a variable: text, or the bytes of what is no text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Word {
    /// It is Unicode.
    Text(String),
    /// It is not, which only Unix knows.
    Bytes(Vec<u8>),
}

impl From<&OsStr> for Word {
    fn from(word: &OsStr) -> Self {
        match word.to_str() {
            Some(text) => Word::Text(text.to_owned()),
            None => Word::Bytes(word.as_encoded_bytes().to_vec()),
        }
    }
}

impl From<&Word> for OsString {
    fn from(word: &Word) -> Self {
        match word {
            Word::Text(text) => text.into(),
            #[cfg(unix)]
            Word::Bytes(bytes) => std::os::unix::ffi::OsStringExt::from_vec(bytes.clone()),
            #[cfg(not(unix))]
            Word::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned().into(),
        }
    }
}
