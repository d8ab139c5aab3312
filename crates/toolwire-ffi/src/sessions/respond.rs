//! Tools by whatever names them, their definitions for a model, and the answer to what it says.

use std::ffi::OsString;
use std::sync::Arc;

use toolwire::call::ToolDescription;
use toolwire::json::{ObjectWriter, array, string};
use toolwire::{Error, Json};
use toolwire_host::Command;

use super::Sessions;
use super::driven::Settings;
use crate::caller::Caller;
use crate::providers::named;
use crate::readers::{message_options, tools_options};
use crate::servers::ServerError;
use crate::task::{Ended, Task};

/// What is added.
#[derive(Debug)]
pub enum Added {
    /// What a word names: a path, a folder, a manifest, a URL, a launch URI, a profile or a name.
    Word(OsString),
    /// A program and its arguments.
    Command(Command),
}

impl Sessions {
    /// Adds what a word or a command names. The task ends with `{"names","warnings"}`.
    ///
    /// # Errors
    ///
    /// `bad_option`.
    pub fn add_source(&self, added: Added, options: &str, caller: &Caller) -> Result<Task, Error> {
        let options = Settings::of_source(options, caller)?;
        let open = Arc::clone(&self.0);
        Ok(self.spawn(async move {
            let added = match added {
                Added::Word(word) => open.tools.add(word, &options).await?,
                Added::Command(command) => open.tools.add_command(command, &options).await?,
            };
            let list = |texts: &[String]| array(texts.iter().map(|text| string(text)));
            Ok(ObjectWriter::new()
                .json("names", list(&added.names))
                .json("warnings", list(&added.warnings))
                .end())
        }))
    }

    /// The descriptions of the tools, as a JSON array.
    #[must_use]
    pub fn descriptions(&self) -> String {
        array(self.0.tools.list().iter().map(ToolDescription::to_json))
    }

    /// The definitions for a request, as `to_tools` gives them. It is over already.
    ///
    /// # Errors
    ///
    /// `bad_option`.
    pub fn definitions(&self, provider: &str, options: &str) -> Result<Task, Error> {
        let provider = named(provider)?;
        let defined = self.0.tools.definitions(provider, &tools_options(options)?);
        let defined: Ended = defined
            .map(|tools| tools.to_json())
            .map_err(ServerError::from);
        Ok(Task::over(defined))
    }

    /// Answers a model's whole response, with the options of a message. The task ends with
    /// `{"messages","calls","results","reports"}`.
    ///
    /// # Errors
    ///
    /// `bad_option`; `bad_json` for a response that is no JSON.
    pub fn respond(&self, provider: &str, reply: &str, options: &str) -> Result<Task, Error> {
        let (provider, options) = (named(provider)?, message_options(options)?);
        let reply = Json::new(reply)?;
        let open = Arc::clone(&self.0);
        Ok(self.spawn(async move {
            let response = open.tools.respond(provider, &reply, &options).await?;
            Ok(response.to_json())
        }))
    }
}
