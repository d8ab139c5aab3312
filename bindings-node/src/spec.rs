//! Who calls and what is called, as JavaScript says it.

use std::path::PathBuf;

use napi_derive::napi;
use toolwire_ffi::caller::{Caller, Unit};
use toolwire_ffi::connection::Server;
use toolwire_host::Command;

/// What JavaScript knows of its process.
#[napi(object)]
pub struct Here {
    /// The signals that nobody handles, by their numbers.
    pub signals: Vec<i32>,
    /// What runs files in JavaScript and TypeScript.
    pub node: Option<String>,
}

impl Here {
    /// The caller that this is.
    pub fn caller(self) -> Caller {
        let node = self.node.map(PathBuf::from);
        let extensions = ["js", "mjs", "cjs", "ts", "mts", "cts"].into_iter();
        Caller {
            unit: Unit::Milliseconds,
            signals: self.signals,
            interpreters: extensions
                .filter_map(|extension| Some((extension, node.clone()?)))
                .collect(),
        }
    }
}

/// A program and its arguments.
pub fn command(words: Vec<String>) -> Command {
    let mut words = words.into_iter();
    Command::new(words.next().unwrap_or_default()).args(words)
}

/// A server: a program and its arguments, or one word.
pub fn server<'a>(word: Option<&'a str>, words: Vec<String>) -> Server<'a> {
    match word {
        Some(word) => Server::Word(word),
        None => Server::Command(command(words)),
    }
}
