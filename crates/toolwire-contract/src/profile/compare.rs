//! Whether the tools of a server are as a profile expects them (PROF-21).

use std::borrow::Cow;

use serde::Serialize;
use toolwire::json::{Document, Node};
use toolwire::{Error, Json};

use super::Profile;
use crate::fingerprint::{FingerprintOptions, fingerprint, jn_hash};
use crate::json;

/// What is not as a profile expects it.
///
/// ```
/// use toolwire_contract::profile::Deviation;
///
/// assert_eq!(Deviation::Gone.as_str(), "gone");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Deviation {
    /// The server has no such tool.
    Gone,
    /// The fingerprint of its contract is another one.
    Contract,
    /// That of what it says of itself is.
    Text,
    /// That of what it may do is.
    Safety,
    /// It can't be fingerprinted, so that nobody knows.
    Unknown,
    /// The MD5 over all tools is another one.
    Hash,
    /// There is no MD5 over these tools.
    NoHash,
}

toolwire::closed_words!(Deviation, "a deviation", {
    Gone => "gone",
    Contract => "contract",
    Text => "text",
    Safety => "safety",
    Unknown => "unknown",
    Hash => "hash",
    NoHash => "no_hash",
});

/// Something that is not as a profile expects it.
///
/// ```
/// use toolwire_contract::profile::{Changed, Deviation};
///
/// let changed = Changed {
///     tool: Some("search".to_owned()),
///     what: Deviation::Gone,
///     message: "the server has no tool `search`".to_owned(),
/// };
/// assert_eq!(
///     changed.to_json().as_str(),
///     r#"{"tool":"search","what":"gone","message":"the server has no tool `search`"}"#,
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Changed {
    /// The name of the tool in the profile; nothing for what is about all tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// What it is.
    pub what: Deviation,
    /// The same for a person.
    pub message: String,
}

impl Changed {
    /// As JSON: `tool`, `what` and `message`.
    ///
    /// ```
    /// # use toolwire_contract::profile::{Changed, Deviation};
    /// let changed = Changed { tool: None, what: Deviation::Hash, message: "m".to_owned() };
    /// assert_eq!(changed.to_json().as_str(), r#"{"what":"hash","message":"m"}"#);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> Json {
        json(self)
    }
}

impl Profile {
    /// Compares the tools that a server has now with what the profile expects: the tools that it describes, their
    /// fingerprints where it has them, and the MD5 over all tools if it has that. Nothing if all is as expected,
    /// or if the profile expects nothing. What follows from a difference, [`Profile::schema_validation`] says.
    ///
    /// `tools` is the array of tools of MCP's `tools/list`.
    ///
    /// # Errors
    ///
    /// Those of [`Document::new`], for a document that is too large.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::Json;
    /// use toolwire_contract::fingerprint::FingerprintOptions;
    /// use toolwire_contract::profile::{Deviation, read_profile};
    ///
    /// let profile = read_profile(r#"{"command":"biomcp","tools":{"search":{},"fetch":{}}}"#)?;
    /// let tools = Json::new(r#"[{"name":"search","inputSchema":{"type":"object"}}]"#)?;
    /// let changed = profile.compare(&tools, &FingerprintOptions::default())?;
    /// assert_eq!(changed[0].tool.as_deref(), Some("fetch"));
    /// assert_eq!(changed[0].what, Deviation::Gone);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn compare(
        &self,
        tools: &Json,
        options: &FingerprintOptions,
    ) -> Result<Vec<Changed>, Error> {
        let document = Document::new(tools.as_str())?;
        let mut changed = Vec::new();
        for tool in self.tools() {
            let mut add = |what: Deviation, message: String| {
                let tool = Some(tool.name().to_owned());
                changed.push(Changed {
                    tool,
                    what,
                    message,
                });
            };
            let name = tool.tool();
            let mut all = document.root().elements();
            let Some(now) = all.find(|now| is_called(*now, &name)) else {
                add(Deviation::Gone, format!("the server has no tool `{name}`"));
                continue;
            };
            let Some(expected) = tool.fingerprints() else {
                continue;
            };
            let now = match fingerprint(&Json::from(now), options) {
                Ok(now) => now,
                Err(error) => {
                    let message = format!("`{name}` can't be fingerprinted: {error}");
                    add(Deviation::Unknown, message);
                    continue;
                }
            };
            for (now, what, part) in [
                (now.contract, Deviation::Contract, "what it takes and gives"),
                (now.text, Deviation::Text, "what it says of itself"),
                (
                    now.safety,
                    Deviation::Safety,
                    "what it may do, or how it is started,",
                ),
            ] {
                let expected = expected.at(&format!("/{what}"));
                if expected
                    .and_then(|text| text.to_text())
                    .is_some_and(|text| text != now)
                {
                    let message =
                        format!("`{name}`: {part} has changed since the profile was made");
                    add(what, message);
                }
            }
        }
        if let Some(expected) = self.schema_hash() {
            let (what, message) = match jn_hash(tools) {
                Ok(now) if now == expected => return Ok(changed),
                Ok(now) => (
                    Deviation::Hash,
                    format!(
                        "the tools have changed since the profile was made: their MD5 is `{now}`, not `{expected}`; \
                         an optional parameter that is new changes it, too"
                    ),
                ),
                Err(error) => (
                    Deviation::NoHash,
                    format!("the tools have no MD5 to be compared: {error}"),
                ),
            };
            let tool = None;
            changed.push(Changed {
                tool,
                what,
                message,
            });
        }
        Ok(changed)
    }
}

fn is_called(tool: Node<'_>, name: &str) -> bool {
    let own = tool.get("name").and_then(|own| own.as_str());
    own == Some(Cow::Borrowed(name))
}
