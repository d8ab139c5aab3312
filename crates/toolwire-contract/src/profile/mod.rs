//! Profiles: a server, its tools and what was learnt of them (chapter 31).
//!
//! [`read_profile`] takes one document, [`read_profile_files`] the files of a folder, and [`write_profile`]
//! gives the files of that folder. Nothing here touches a disk.

mod comments;
mod compare;
mod draft;
mod files;
mod members;
mod output;
mod parameters;
mod read;
mod tool;

pub use compare::{Changed, Deviation};
pub use draft::draft_tool;
pub use files::{is_device, read_profile_files, write_profile};
pub use output::output_types;
pub use parameters::input_schema;
pub use read::read_profile;
pub use tool::{Example, ProfileTool};

use toolwire::json::{ObjectWriter, pointer};
use toolwire::{Code, Error, Json};

use crate::written;
use members::Members;

/// A server, its tools, and what was learnt of them. Every member that was read stays, to the letter, whether
/// it is known or not (PROF-4).
///
/// # Examples
///
/// ```
/// use toolwire_contract::profile::read_profile;
///
/// let profile = read_profile(
///     r#"{
///         "command": "uv",
///         "args": ["run", "--with", "biomcp-python", "biomcp", "run"],
///         "schema_validation": "warn",  // "warn", "error", "ignore"
///         "tools": {"search": {"parameters": {"gene": {"type": "string", "required": true}}}}
///     }"#,
/// )?;
/// let search = profile.tool("search").unwrap();
/// assert_eq!(
///     search.input_schema()?.unwrap().as_str(),
///     r#"{"type":"object","properties":{"gene":{"type":"string"}},"required":["gene"]}"#,
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// Those of the document but `tools`, or those of `_meta.json`.
    members: Members,
    tools: Vec<ProfileTool>,
}

/// What happens if the tools of the server are not as the profile expects them (PROF-20).
///
/// ```
/// use toolwire_contract::profile::SchemaValidation;
///
/// assert_eq!("error".parse(), Ok(SchemaValidation::Error));
/// assert_eq!(SchemaValidation::default(), SchemaValidation::Warn);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SchemaValidation {
    /// A warning; the call goes on.
    #[default]
    Warn,
    /// The call is refused.
    Error,
    /// Nothing is compared.
    Ignore,
}

toolwire::closed_words!(SchemaValidation, "a kind of validation", {
    Warn => "warn",
    Error => "error",
    Ignore => "ignore",
});

impl Profile {
    /// A profile that says of a server how it is reached and nothing else. `launcher` is an object with
    /// `command` or `url` and what else [`read_profile`] takes beside them.
    ///
    /// # Errors
    ///
    /// `bad_profile` if it is no such object.
    ///
    /// ```
    /// use toolwire::Json;
    /// use toolwire_contract::profile::Profile;
    ///
    /// let profile = Profile::minimal(&Json::new(r#"{"command":"uvx","args":["biomcp"]}"#)?)?;
    /// assert!(profile.tools().is_empty());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn minimal(launcher: &Json) -> Result<Profile, Error> {
        read_profile(launcher.as_str())
    }

    /// What the profile calls its server.
    ///
    /// ```
    /// use toolwire_contract::profile::read_profile;
    ///
    /// let profile = read_profile(r#"{"server":"biomcp","command":"biomcp"}"#)?;
    /// assert_eq!(profile.server().as_deref(), Some("biomcp"));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn server(&self) -> Option<String> {
        self.members.text("server")
    }

    /// What the server is for.
    ///
    /// ```
    /// # use toolwire_contract::profile::read_profile;
    /// let profile = read_profile(r#"{"description":"Genes","command":"biomcp"}"#)?;
    /// assert_eq!(profile.description().as_deref(), Some("Genes"));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn description(&self) -> Option<String> {
        self.members.text("description")
    }

    /// How the server is reached: an object with those of [`LAUNCHER`] that the profile has, wherever they
    /// stand in it.
    ///
    /// ```
    /// # use toolwire_contract::profile::read_profile;
    /// let profile = read_profile(r#"{"launcher":{"command":"biomcp"},"created":"2025-11-12"}"#)?;
    /// assert_eq!(profile.launcher().as_str(), r#"{"command":"biomcp"}"#);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn launcher(&self) -> Json {
        match self.members.get("launcher") {
            Some(launcher) => launcher.clone(),
            None => {
                let mut out = ObjectWriter::new();
                for name in LAUNCHER {
                    out.optional_json(name, self.members.get(name).map(Json::as_str));
                }
                written(out.end())
            }
        }
    }

    /// The MD5 over the tools that the server had when the profile was made (FP-40).
    ///
    /// ```
    /// # use toolwire_contract::profile::read_profile;
    /// let profile = read_profile(r#"{"command":"biomcp","schema_hash":"a3f5b8c2"}"#)?;
    /// assert_eq!(profile.schema_hash().as_deref(), Some("a3f5b8c2"));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn schema_hash(&self) -> Option<String> {
        self.members.text("schema_hash")
    }

    /// When the tools were last found to be as expected.
    ///
    /// ```
    /// # use toolwire_contract::profile::read_profile;
    /// let profile = read_profile(r#"{"command":"biomcp","schema_updated":"2025-11-12T10:30:00Z"}"#)?;
    /// assert_eq!(profile.schema_updated().as_deref(), Some("2025-11-12T10:30:00Z"));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn schema_updated(&self) -> Option<String> {
        self.members.text("schema_updated")
    }

    /// What happens if the tools are not as expected; a warning if the profile does not say.
    ///
    /// ```
    /// # use toolwire_contract::profile::{SchemaValidation, read_profile};
    /// let profile = read_profile(r#"{"command":"biomcp"}"#)?;
    /// assert_eq!(profile.schema_validation(), SchemaValidation::Warn);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn schema_validation(&self) -> SchemaValidation {
        let word = self.members.text("schema_validation");
        word.and_then(|word| word.parse().ok()).unwrap_or_default()
    }

    /// When the profile was made.
    ///
    /// ```
    /// # use toolwire_contract::profile::read_profile;
    /// let profile = read_profile(r#"{"command":"biomcp","created":"2025-11-12"}"#)?;
    /// assert_eq!(profile.created().as_deref(), Some("2025-11-12"));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn created(&self) -> Option<String> {
        self.members.text("created")
    }

    /// What a tool was tried with, as its author noted it down.
    ///
    /// ```
    /// # use toolwire_contract::profile::read_profile;
    /// let profile = read_profile(r#"{"command":"biomcp","tested_with":{"search":["BRAF"]}}"#)?;
    /// assert_eq!(profile.tested_with("search")[0].to_text().as_deref(), Some("BRAF"));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn tested_with(&self, tool: &str) -> Vec<Json> {
        let tested = self.members.get("tested_with");
        let tested = tested.and_then(|tested| tested.at(&pointer::join("", tool)));
        tested
            .and_then(|tested| tested.to_value().ok())
            .unwrap_or_default()
    }

    /// The tools that it describes; none if it is minimal.
    ///
    /// ```
    /// # use toolwire_contract::profile::read_profile;
    /// let profile = read_profile(r#"{"command":"biomcp","tools":{"b":{},"a":{}}}"#)?;
    /// assert_eq!(profile.tools()[0].name(), "b");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn tools(&self) -> &[ProfileTool] {
        &self.tools
    }

    /// The tool with this name.
    ///
    /// ```
    /// # use toolwire_contract::profile::read_profile;
    /// let profile = read_profile(r#"{"command":"biomcp","tools":{"search":{"tool":"find"}}}"#)?;
    /// assert_eq!(profile.tool("search").unwrap().tool(), "find");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&ProfileTool> {
        self.tools.iter().find(|tool| tool.name() == name)
    }

    /// Puts a tool in the place of one with the same name, or behind all others.
    ///
    /// ```
    /// # use toolwire::Json;
    /// # use toolwire_contract::profile::{ProfileTool, read_profile};
    /// let mut profile = read_profile(r#"{"command":"biomcp"}"#)?;
    /// profile.put_tool(ProfileTool::new("search", &Json::new(r#"{"notes":"prose"}"#)?)?);
    /// assert_eq!(profile.tool("search").unwrap().notes().as_deref(), Some("prose"));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn put_tool(&mut self, tool: ProfileTool) {
        match self.tools.iter_mut().find(|old| old.name() == tool.name()) {
            Some(old) => *old = tool,
            None => self.tools.push(tool),
        }
    }

    /// Takes a tool out; nothing if there is none of this name.
    ///
    /// ```
    /// # use toolwire_contract::profile::read_profile;
    /// let mut profile = read_profile(r#"{"command":"biomcp","tools":{"search":{}}}"#)?;
    /// assert!(profile.remove_tool("search").is_some() && profile.tools().is_empty());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn remove_tool(&mut self, name: &str) -> Option<ProfileTool> {
        let at = self.tools.iter().position(|tool| tool.name() == name)?;
        Some(self.tools.remove(at))
    }

    /// The member with this name, known or not; `tools` is none.
    ///
    /// ```
    /// # use toolwire_contract::profile::read_profile;
    /// let profile = read_profile(r#"{"command":"biomcp","owner":{"team":"bio"}}"#)?;
    /// assert_eq!(profile.get("owner").unwrap().as_str(), r#"{"team":"bio"}"#);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.members.get(name)
    }

    /// Gives a member its value, where it stands or behind all others; nothing takes it away.
    ///
    /// # Errors
    ///
    /// `bad_profile` if the member can't have this value (PROF-2); the profile is then as it was.
    ///
    /// ```
    /// # use toolwire::Json;
    /// # use toolwire_contract::profile::read_profile;
    /// let mut profile = read_profile(r#"{"command":"biomcp","schema_hash":"old"}"#)?;
    /// profile.set("schema_hash", Some("new".into()))?;
    /// assert_eq!(profile.to_json().as_str(), r#"{"command":"biomcp","schema_hash":"new"}"#);
    /// assert!(profile.set("schema_validation", Some("loud".into())).is_err());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn set(&mut self, name: &str, value: Option<Json>) -> Result<(), Error> {
        if name == "tools" {
            return Err(bad("/tools", "tools are put in and taken out one by one"));
        }
        let mut members = self.members.clone();
        match value {
            Some(value) => members.set(name, value),
            None => {
                members.remove(name);
            }
        }
        read::check(&members)?;
        self.members = members;
        Ok(())
    }

    /// The profile as one document.
    ///
    /// ```
    /// # use toolwire_contract::profile::read_profile;
    /// let text = r#"{"command":"biomcp","tools":{"search":{"notes":"prose"}},"x":1}"#;
    /// assert_eq!(
    ///     read_profile(text)?.to_json().as_str(),
    ///     r#"{"command":"biomcp","x":1,"tools":{"search":{"notes":"prose"}}}"#,
    /// );
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> Json {
        let mut out = ObjectWriter::new();
        for (name, value) in self.members.iter() {
            out.json(name, value.as_str());
        }
        if !self.tools.is_empty() {
            let mut tools = ObjectWriter::new();
            for tool in &self.tools {
                tools.json(tool.name(), tool.to_json().as_str());
            }
            out.json("tools", tools.end());
        }
        written(out.end())
    }
}

/// The members of a profile that say how its server is reached (PROF-10).
///
/// ```
/// assert!(toolwire_contract::profile::LAUNCHER.contains(&"command"));
/// ```
pub const LAUNCHER: [&str; 7] = [
    "command",
    "args",
    "transport",
    "url",
    "headers",
    "env",
    "cwd",
];

fn bad(pointer: impl Into<String>, message: impl Into<String>) -> Error {
    Error::new(Code::BadProfile, pointer, None, message)
}

#[cfg(test)]
mod tests;
