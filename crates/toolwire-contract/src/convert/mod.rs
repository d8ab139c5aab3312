//! A server in other words: launch URI, profile, entry of a client's file, entry of a manifest (chapter 31).
//!
//! [`read_server`] takes any of them to the neutral [`Entry`], [`write_server`] gives any of them, and
//! [`convert_server`] does both; each says in a report what became of every part. Nothing here passes on the
//! value of an environment variable or of a header.

mod form;
mod launch;
mod members;
mod read;
mod toml;
mod words;

use crate::server::SpelledServer;
pub use crate::server::{Client, Entry, Header, Part, Server, Spelled, Syntax, Text, Variables};
pub use form::Form;

use crate::written;
use toolwire::json::ObjectWriter;
use toolwire::mcp::LossReport;
use toolwire::{Code, Error, Json};

/// What a conversion depends on besides the server itself.
///
/// ```
/// use toolwire_contract::convert::ConvertOptions;
///
/// let options = ConvertOptions { name: Some("biomcp".to_owned()), ..ConvertOptions::default() };
/// assert_eq!(options.folder, None);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConvertOptions {
    /// What the server is called; without it, as its source calls it, or as its program.
    pub name: Option<String>,
    /// The folder in which relative paths of a launch URI begin. Without it they stay relative.
    pub folder: Option<String>,
}

/// A server in another form.
///
/// ```
/// use toolwire_contract::convert::{Client, ConvertOptions, Form, convert_server};
///
/// let options = ConvertOptions { name: Some("docs".to_owned()), ..ConvertOptions::default() };
/// let entry = r#"{"url":"https://example.org/mcp"}"#;
/// let to = Form::Client(Client::Windsurf);
/// let converted = convert_server(entry, Form::McpServers, to, &options)?;
/// assert_eq!(converted.members.as_str(), r#"{"serverUrl":"https://example.org/mcp"}"#);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Converted {
    /// The server without any form.
    pub entry: Entry,
    /// What a person writes down: the URI, the profile, or a whole file that has only this server.
    pub text: String,
    /// The members of the entry or the profile as an object; of a launch URI, that string.
    pub members: Json,
    /// What became of each part.
    pub report: LossReport,
}

impl Converted {
    /// As JSON: `entry`, `text`, `members` and `report`.
    ///
    /// ```
    /// use toolwire_contract::convert::{ConvertOptions, Form, convert_server};
    ///
    /// let entry = r#"{"command":"uvx","args":["biomcp-python"]}"#;
    /// let options = ConvertOptions::default();
    /// let converted = convert_server(entry, Form::McpServers, Form::LaunchUri, &options)?;
    /// assert!(converted.to_json().at("/report").is_some());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> Json {
        let mut out = ObjectWriter::new();
        out.json("entry", self.entry.to_json().as_str());
        out.text("text", &self.text);
        out.json("members", self.members.as_str());
        out.json("report", self.report.to_json());
        written(out.end())
    }
}

/// Reads a server: a launch URI, a profile that is one document, or the members of an entry as a JSON object,
/// whatever the syntax of its file. The report says what did not come along.
///
/// # Errors
///
/// Those of the form: of [`crate::launch::parse_launch_uri`], [`crate::profile::read_profile`] and
/// [`Spelled::read`].
///
/// # Examples
///
/// ```
/// use toolwire_contract::convert::{ConvertOptions, Form, read_server};
///
/// let profile = r#"{"server":"biomcp","command":"biomcp","args":["run"]}"#;
/// let (entry, _) = read_server(profile, Form::Profile, &ConvertOptions::default())?;
/// assert_eq!(entry.name.as_deref(), Some("biomcp"));
/// assert_eq!(entry.words().unwrap(), ["biomcp", "run"]);
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn read_server(
    input: &str,
    from: Form,
    options: &ConvertOptions,
) -> Result<(Entry, LossReport), Error> {
    match from {
        Form::LaunchUri => launch::read(input, options),
        Form::Profile => read::profile(input, options),
        Form::Manifest => read::manifest(input, options),
        Form::McpServers => read::entry(input, None, options),
        Form::Client(client) => read::entry(input, Some(client), options),
    }
}

/// Writes a server in a form. The report has what the form can't say.
///
/// # Errors
///
/// `cannot_convert` if the form has no way to say how the server is reached; those of
/// [`crate::launch::format_launch_uri`].
///
/// # Examples
///
/// ```
/// use toolwire_contract::convert::{Client, Entry, Form, write_server};
///
/// let entry = Entry::program("gh", "gh-mcp", &["stdio"]);
/// let codex = write_server(&entry, Form::Client(Client::Codex))?;
/// assert_eq!(
///     codex.text,
///     "[mcp_servers.gh]\ncommand = \"gh-mcp\"\nargs = [\"stdio\"]\n",
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn write_server(entry: &Entry, to: Form) -> Result<Converted, Error> {
    let mut report = LossReport::default();
    let (text, members) = match to {
        Form::LaunchUri => launch::write(entry, &mut report)?,
        _ => members::write(entry, to, &mut report)?,
    };
    Ok(Converted {
        entry: entry.clone(),
        text,
        members,
        report: report.finished(),
    })
}

/// Reads a server in one form and writes it in another.
///
/// # Errors
///
/// Those of [`read_server`] and [`write_server`].
///
/// # Examples
///
/// ```
/// use toolwire_contract::convert::{Client, ConvertOptions, Form, convert_server};
///
/// let entry = r#"{"command":"uvx","args":["biomcp-python"],"env":{"KEY":"s3cret"}}"#;
/// let options = ConvertOptions::default();
/// let from = Form::Client(Client::Claude);
/// let converted = convert_server(entry, from, Form::LaunchUri, &options)?;
/// assert_eq!(converted.text, "mcp+uvx://biomcp-python?env=KEY");
/// assert!(!converted.report.is_lossless());
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn convert_server(
    input: &str,
    from: Form,
    to: Form,
    options: &ConvertOptions,
) -> Result<Converted, Error> {
    let (entry, mut report) = read_server(input, from, options)?;
    let mut converted = write_server(&entry, to)?;
    report.entries.append(&mut converted.report.entries);
    converted.report = report.finished();
    Ok(converted)
}

fn cannot(pointer: &str, message: impl Into<String>) -> Error {
    Error::new(Code::CannotConvert, pointer, None, message)
}

#[cfg(test)]
mod tests;
