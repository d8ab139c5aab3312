//! Reading a profile that is one document (PROF-1 to PROF-4).

use toolwire::json::{Document, Kind, Place};
use toolwire::{Code, Error, Json};

use super::comments::without_comments;
use super::members::Members;
use super::tool::{self, ProfileTool};
use super::{LAUNCHER, Profile, SchemaValidation, bad};
use crate::unplaced;

/// Reads a profile that is one document: the launcher in the document itself or under `launcher`, and tools
/// or none. Comments are taken for white space.
///
/// # Errors
///
/// The code and offset of the first place that is not strict JSON; `bad_profile` with a pointer to the first
/// member that can't have its value, or if nothing says how the server is reached.
///
/// # Examples
///
/// ```
/// use toolwire_contract::profile::read_profile;
///
/// let profile = read_profile(r#"{"command":"uvx","args":["biomcp"],"transport":"stdio"}"#)?;
/// assert_eq!(profile.get("args").unwrap().as_str(), r#"["biomcp"]"#);
/// let error = read_profile(r#"{"command":"uvx","args":"biomcp"}"#).unwrap_err();
/// assert_eq!(error.pointer(), "/args");
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn read_profile(text: &str) -> Result<Profile, Error> {
    let (mut members, tools) = read_meta(text)?;
    let tools = match tools {
        Some(tools) => read_tools(&tools)?,
        None => Vec::new(),
    };
    members.remove("tools");
    Ok(Profile { members, tools })
}

/// The members of a document or of `_meta.json`, checked, and its `tools`.
pub(super) fn read_meta(text: &str) -> Result<(Members, Option<Json>), Error> {
    let mut members = object(text)?;
    check(&members)?;
    let tools = members.remove("tools");
    Ok((members, tools))
}

/// The members of the object that a text with comments is.
pub(super) fn object(text: &str) -> Result<Members, Error> {
    let plain = without_comments(text);
    let document = Document::new(&plain)?;
    let root = Place::new(document.root(), "", Code::BadProfile).object();
    Ok(Members::of(root.map_err(|error| unplaced(&error))?.node))
}

/// The tools of a document, by their names.
pub(super) fn read_tools(tools: &Json) -> Result<Vec<ProfileTool>, Error> {
    let document = Document::new(tools.as_str())?;
    let tools = Place::new(document.root(), "/tools", Code::BadProfile).members();
    tools.map(|(name, tool)| tool::read(&name, tool)).collect()
}

/// Whether the members of a profile can have their values (PROF-2).
pub(super) fn check(members: &Members) -> Result<(), Error> {
    members.check("", |name, place| match name {
        "server" | "description" | "schema_hash" | "schema_updated" | "created" => {
            place.string().map(drop)
        }
        "schema_validation" => place.word::<SchemaValidation>().map(drop),
        "tested_with" => {
            let mut tools = place.object()?.members();
            tools.try_for_each(|(_, tried)| tried.array().map(drop))
        }
        "tools" => place.object().map(drop),
        "launcher" => launcher(place),
        _ => launcher_member(name, place),
    })?;
    let has = |name: &str| members.get(name).is_some();
    if has("launcher") {
        return match LAUNCHER.iter().find(|name| has(name)) {
            Some(name) => Err(bad(
                format!("/{name}"),
                format!(
                    "`{name}` stands beside `launcher`; put it in there, or take `launcher` away"
                ),
            )),
            None => Ok(()),
        };
    }
    one_way(has("command"), has("url"), "")
}

fn launcher(place: Place<'_>) -> Result<(), Error> {
    let place = place.object()?;
    for (name, member) in place.members() {
        launcher_member(&name, member)?;
    }
    let has = |name: &str| place.member(name).is_some();
    one_way(has("command"), has("url"), place.pointer())
}

fn one_way(program: bool, elsewhere: bool, place: &str) -> Result<(), Error> {
    match (program, elsewhere) {
        (true, false) | (false, true) => Ok(()),
        (true, true) => Err(bad(
            place,
            "it has both `command` and `url`; keep one of them",
        )),
        (false, false) => Err(bad(
            place,
            "nothing says how the server is reached; name a program in `command` or an address in `url`",
        )),
    }
}

/// Checks a member of a launcher; others may be anything.
/// Checks a member of a launcher; others may be anything.
fn launcher_member(name: &str, place: Place<'_>) -> Result<(), Error> {
    match name {
        "command" | "url" => place.filled().map(drop),
        "cwd" | "transport" => place.string().map(drop),
        "args" => place.strings().map(drop),
        "env" | "headers" => {
            let mut members = place.object()?.members();
            members.try_for_each(|(_, value)| match value.node.kind() {
                Kind::String => Ok(()),
                // Its value may be a secret.
                kind => Err(value.refuse(format!("it must be a string, not {}", kind.name()))),
            })
        }
        _ => Ok(()),
    }
}
