//! What a profile says of one tool (PROF-12).

use toolwire::json::{Document, Place};
use toolwire::{Code, Error, Json};

use super::members::Members;
use super::parameters::{check_parameters, input_schema};
use super::written;
use crate::unplaced;

/// What a profile says of one tool.
///
/// ```
/// use toolwire::Json;
/// use toolwire_contract::profile::ProfileTool;
///
/// let tool = ProfileTool::new("search", &Json::new(r#"{"output_format":"text/plain"}"#)?)?;
/// assert_eq!((tool.name(), tool.tool()), ("search", "search".to_owned()));
/// assert_eq!(tool.output_format().as_deref(), Some("text/plain"));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ProfileTool {
    name: String,
    members: Members,
}

/// A call of a tool that its author has seen work.
///
/// ```
/// use toolwire::Json;
/// use toolwire_contract::profile::ProfileTool;
///
/// let text = r#"{"examples":[{"input":{"gene":"BRAF"},"output_sample":"BRAF V600E"}]}"#;
/// let tool = ProfileTool::new("search", &Json::new(text)?)?;
/// assert_eq!(tool.examples()[0].input.as_str(), r#"{"gene":"BRAF"}"#);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// The arguments, an object.
    pub input: Json,
    /// What the tool answered, or the beginning of it.
    pub output_sample: Option<Json>,
}

impl ProfileTool {
    /// The tool with this name in the profile, and what is said of it.
    ///
    /// # Errors
    ///
    /// `bad_profile` with a pointer to the first member that can't have its value (PROF-12).
    ///
    /// ```
    /// use toolwire::Json;
    /// use toolwire_contract::profile::ProfileTool;
    ///
    /// let error = ProfileTool::new("search", &Json::new(r#"{"notes":1}"#)?).unwrap_err();
    /// assert_eq!(error.pointer(), "/notes");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn new(name: &str, tool: &Json) -> Result<ProfileTool, Error> {
        let document = Document::new(tool.as_str())?;
        read(name, Place::new(document.root(), "", Code::BadProfile))
    }

    /// Its name in the profile.
    ///
    /// ```
    /// # use toolwire::Json;
    /// # use toolwire_contract::profile::ProfileTool;
    /// assert_eq!(ProfileTool::new("find", &Json::empty_object())?.name(), "find");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The server's name for it: `tool`, or the name that the profile gives it.
    ///
    /// ```
    /// # use toolwire::Json;
    /// # use toolwire_contract::profile::ProfileTool;
    /// let tool = ProfileTool::new("find", &Json::new(r#"{"tool":"search"}"#)?)?;
    /// assert_eq!(tool.tool(), "search");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn tool(&self) -> String {
        self.members
            .text("tool")
            .unwrap_or_else(|| self.name.clone())
    }

    /// What it does.
    ///
    /// ```
    /// # use toolwire::Json;
    /// # use toolwire_contract::profile::ProfileTool;
    /// let tool = ProfileTool::new("find", &Json::new(r#"{"description":"Finds genes"}"#)?)?;
    /// assert_eq!(tool.description().as_deref(), Some("Finds genes"));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn description(&self) -> Option<String> {
        self.members.text("description")
    }

    /// The JSON Schema of its arguments, if the profile has `parameters` (PROF-13).
    ///
    /// # Errors
    ///
    /// None for a tool that was read; those of [`input_schema`].
    ///
    /// ```
    /// # use toolwire::Json;
    /// # use toolwire_contract::profile::ProfileTool;
    /// let text = r#"{"parameters":{"gene":{"type":"string","required":true}}}"#;
    /// let schema = ProfileTool::new("find", &Json::new(text)?)?.input_schema()?.unwrap();
    /// assert_eq!(schema.at("/required/0").unwrap().to_text().as_deref(), Some("gene"));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn input_schema(&self) -> Result<Option<Json>, Error> {
        self.members.get("parameters").map(input_schema).transpose()
    }

    /// The media type of its results.
    ///
    /// ```
    /// # use toolwire::Json;
    /// # use toolwire_contract::profile::ProfileTool;
    /// assert_eq!(ProfileTool::new("find", &Json::empty_object())?.output_format(), None);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn output_format(&self) -> Option<String> {
        self.members.text("output_format")
    }

    /// What was noticed about it.
    ///
    /// ```
    /// # use toolwire::Json;
    /// # use toolwire_contract::profile::ProfileTool;
    /// let tool = ProfileTool::new("find", &Json::new(r#"{"notes":"prose, not data"}"#)?)?;
    /// assert_eq!(tool.notes().as_deref(), Some("prose, not data"));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn notes(&self) -> Option<String> {
        self.members.text("notes")
    }

    /// Calls that worked.
    ///
    /// ```
    /// # use toolwire::Json;
    /// # use toolwire_contract::profile::ProfileTool;
    /// let tool = ProfileTool::new("find", &Json::new(r#"{"examples":[{"input":{}}]}"#)?)?;
    /// assert_eq!(tool.examples()[0].output_sample, None);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn examples(&self) -> Vec<Example> {
        let examples = self.members.get("examples");
        let examples = examples.and_then(|examples| examples.to_value::<Vec<Json>>().ok());
        let examples = examples.unwrap_or_default().into_iter();
        let examples = examples.map(|example| Example {
            input: example.at("/input").unwrap_or_else(Json::empty_object),
            output_sample: example.at("/output_sample"),
        });
        examples.collect()
    }

    /// The three fingerprints that the tool had when the profile was made: an object with `contract`, `text`
    /// and `safety`.
    ///
    /// ```
    /// # use toolwire::Json;
    /// # use toolwire_contract::profile::ProfileTool;
    /// let text = r#"{"fingerprints":{"contract":"sha256:00"}}"#;
    /// let tool = ProfileTool::new("find", &Json::new(text)?)?;
    /// assert!(tool.fingerprints().unwrap().at("/contract").is_some());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn fingerprints(&self) -> Option<&Json> {
        self.members.get("fingerprints")
    }

    /// The member with this name, known or not.
    ///
    /// ```
    /// # use toolwire::Json;
    /// # use toolwire_contract::profile::ProfileTool;
    /// let tool = ProfileTool::new("find", &Json::new(r#"{"rate":1.0}"#)?)?;
    /// assert_eq!(tool.get("rate").unwrap().as_str(), "1.0");
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
    /// `bad_profile` if the member can't have this value; the tool is then as it was.
    ///
    /// ```
    /// # use toolwire::Json;
    /// # use toolwire_contract::profile::ProfileTool;
    /// let mut tool = ProfileTool::new("find", &Json::empty_object())?;
    /// tool.set("notes", Some("slow".into()))?;
    /// assert_eq!(tool.to_json().as_str(), r#"{"notes":"slow"}"#);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn set(&mut self, name: &str, value: Option<Json>) -> Result<(), Error> {
        let mut members = self.members.clone();
        match value {
            Some(value) => members.set(name, value),
            None => {
                members.remove(name);
            }
        }
        check(&members, "")?;
        self.members = members;
        Ok(())
    }

    /// What is said of it, as an object.
    ///
    /// ```
    /// # use toolwire::Json;
    /// # use toolwire_contract::profile::ProfileTool;
    /// let text = r#"{"x":1e2,"tool":"search"}"#;
    /// assert_eq!(ProfileTool::new("find", &Json::new(text)?)?.to_json().as_str(), text);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> Json {
        written(self.members.to_json())
    }

    pub(super) fn of_members(name: &str, members: Members, place: &str) -> Result<Self, Error> {
        check(&members, place)?;
        let name = name.to_owned();
        Ok(ProfileTool { name, members })
    }
}

/// Reads what stands at a place of a profile.
pub(super) fn read(name: &str, place: Place<'_>) -> Result<ProfileTool, Error> {
    let place = place.object().map_err(|error| unplaced(&error))?;
    ProfileTool::of_members(name, Members::of(place.node), place.pointer())
}

fn check(members: &Members, pointer: &str) -> Result<(), Error> {
    members.check(pointer, |name, place| match name {
        "tool" => place.filled().map(drop),
        "description" | "output_format" | "notes" => place.string().map(drop),
        "parameters" => check_parameters(place),
        "examples" => place.array()?.elements().try_for_each(|example| {
            let input = example.object()?.member("input");
            input.map_or(Ok(()), |input| input.object().map(drop))
        }),
        "fingerprints" => {
            let mut members = place.object()?.members();
            members.try_for_each(|(_, member)| member.string().map(drop))
        }
        _ => Ok(()),
    })
}
