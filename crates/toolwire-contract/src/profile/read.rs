//! Reading a profile that is one document (PROF-1 to PROF-4).

use toolwire::json::{Document, Kind, Node, pointer};
use toolwire::{Error, Json};

use super::comments::without_comments;
use super::members::{Members, string, table, with, wrong};
use super::tool::{self, ProfileTool};
use super::{LAUNCHER, Profile, SchemaValidation, bad};

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
    let root = document.root();
    if root.kind() != Kind::Object {
        return Err(bad(
            "",
            format!("it must be an object, not {}", root.kind().name()),
        ));
    }
    Ok(Members::of(root))
}

/// The tools of a document, by their names.
pub(super) fn read_tools(tools: &Json) -> Result<Vec<ProfileTool>, Error> {
    with(tools, |node| {
        let tools = node.members().map(|(name, tool)| {
            let place = pointer::join("/tools", &name);
            tool::read(&name, tool, &place)
        });
        tools.collect()
    })
}

/// Whether the members of a profile can have their values (PROF-2).
pub(super) fn check(members: &Members) -> Result<(), Error> {
    for (name, value) in members.iter() {
        let place = pointer::join("", name);
        with(value, |node| match name {
            "server" | "description" | "schema_hash" | "schema_updated" | "created" => {
                string(node, &place)
            }
            "schema_validation" => {
                string(node, &place)?;
                let word = node.as_str().unwrap_or_default();
                let known = word.parse::<SchemaValidation>();
                known
                    .map(drop)
                    .map_err(|error| bad(&place, error.message()))
            }
            "tested_with" => table(node, &place, |node, place| match node.kind() {
                Kind::Array => Ok(()),
                _ => Err(wrong(
                    node,
                    place,
                    "an array of what the tool was tried with",
                )),
            }),
            "tools" => table(node, &place, |_, _| Ok(())),
            "launcher" => launcher(node, &place),
            _ if LAUNCHER.contains(&name) => launcher_member(name, node, &place),
            _ => Ok(()),
        })?;
    }
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

fn launcher(node: Node<'_>, place: &str) -> Result<(), Error> {
    if node.kind() != Kind::Object {
        return Err(wrong(node, place, "an object"));
    }
    for (name, value) in node.members() {
        launcher_member(&name, value, &pointer::join(place, &name))?;
    }
    one_way(
        node.get("command").is_some(),
        node.get("url").is_some(),
        place,
    )
}

/// A server is either a program or somewhere else.
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
fn launcher_member(name: &str, node: Node<'_>, place: &str) -> Result<(), Error> {
    match name {
        "command" | "url" => match node.as_str() {
            Some(text) if !text.is_empty() => Ok(()),
            _ => Err(wrong(node, place, "a string that is not empty")),
        },
        "cwd" | "transport" => string(node, place),
        "args" => {
            if node.kind() != Kind::Array {
                return Err(wrong(node, place, "an array of strings"));
            }
            let mut all = node.elements().enumerate();
            all.try_for_each(|(at, node)| string(node, &format!("{place}/{at}")))
        }
        "env" | "headers" => table(node, place, string),
        _ => Ok(()),
    }
}
