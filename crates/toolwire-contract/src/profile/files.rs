//! A profile as the files of a folder: `_meta.json`, and one for each tool (PROF-5 to PROF-7).

use std::borrow::Cow;
use std::collections::BTreeMap;

use percent_encoding::percent_decode_str;
use toolwire::json::pointer;
use toolwire::{Code, Error};

use super::read::{object, read_meta, read_tools};
use super::tool::ProfileTool;
use super::{Profile, bad, written};
use crate::pretty::indented;

/// The file that says how the server is reached.
const META: &str = "_meta.json";

/// The longest name of a file, so that every file system takes it.
const MAX_NAME: usize = 200;

/// Reads a profile that is a folder: the texts of its files by their names. Files that do not end in `.json`
/// are no part of it.
///
/// # Errors
///
/// Those of [`super::read_profile`], with the name of the file as the first step of the pointer;
/// `bad_profile` if there is no `_meta.json`, or if two files, or a file and `tools` of `_meta.json`, are about
/// one tool.
///
/// # Examples
///
/// ```
/// use std::collections::BTreeMap;
/// use toolwire_contract::profile::read_profile_files;
///
/// let files = BTreeMap::from([
///     ("_meta.json".to_owned(), r#"{"command":"biomcp"}"#.to_owned()),
///     ("search.json".to_owned(), r#"{"notes":"prose"}"#.to_owned()),
/// ]);
/// assert_eq!(read_profile_files(&files)?.tools()[0].name(), "search");
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn read_profile_files(files: &BTreeMap<String, String>) -> Result<Profile, Error> {
    let Some(meta) = files.get(META) else {
        return Err(bad(
            "",
            "there is no `_meta.json`, which says how the server is reached",
        ));
    };
    let (members, tools) = read_meta(meta).map_err(|error| within(META, &error))?;
    let tools = tools.map(|tools| read_tools(&tools)).transpose();
    let tools = tools.map_err(|error| within(META, &error))?;
    let mut profile = Profile {
        members,
        tools: tools.unwrap_or_default(),
    };
    for (file, text) in files {
        let Some(stem) = file.strip_suffix(".json").filter(|_| file != META) else {
            continue;
        };
        if file.contains(['/', '\\']) {
            return Err(bad(
                "",
                format!("`{file}` is no file of the profile's folder itself"),
            ));
        }
        let place = pointer::join("", file);
        let name = tool_name(stem);
        let members = object(text).map_err(|error| within(file, &error))?;
        let tool = ProfileTool::of_members(&name, members, &place)?;
        if profile.tool(&name).is_some() {
            let message = format!("the tool `{name}` is described twice; keep one of the two");
            return Err(bad(place, message));
        }
        profile.tools.push(tool);
    }
    Ok(profile)
}

/// The files of a profile: `_meta.json` and one for each tool. A file of `before` that says the same as the new
/// one keeps its text, comments and all; those that are not among the result are no longer part of the
/// profile if they end in `.json`.
///
/// # Errors
///
/// `bad_profile` if the name of a tool is too long for a file.
///
/// # Examples
///
/// ```
/// use std::collections::BTreeMap;
/// use toolwire_contract::profile::{read_profile, write_profile};
///
/// let profile = read_profile(r#"{"command":"biomcp","tools":{"search":{"notes":"prose"}}}"#)?;
/// let files = write_profile(&profile, &BTreeMap::new())?;
/// assert_eq!(files["_meta.json"], "{\n  \"command\": \"biomcp\"\n}\n");
/// assert_eq!(files["search.json"], "{\n  \"notes\": \"prose\"\n}\n");
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn write_profile(
    profile: &Profile,
    before: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, String>, Error> {
    let mut files = BTreeMap::from([(META.to_owned(), profile.members.to_json())]);
    for (tool, file) in profile.tools().iter().zip(file_names(profile.tools())) {
        if file.len() > MAX_NAME {
            let message = format!(
                "the name of the tool is too long for a file; give it a shorter one and the server's in `tool`: \
                 `{}`",
                toolwire::json::brief(tool.name(), 60)
            );
            return Err(bad(pointer::join("/tools", tool.name()), message));
        }
        files.insert(file, tool.to_json().as_str().to_owned());
    }
    for (file, text) in &mut files {
        *text = match before.get(file).filter(|old| says(old, text)) {
            Some(old) => old.clone(),
            None => indented(&written(std::mem::take(text))),
        };
    }
    Ok(files)
}

/// Whether a file says this, each digit the same.
fn says(file: &str, text: &str) -> bool {
    let members = |text: &str| object(text).ok().map(|members| members.to_json());
    members(file).is_some_and(|old| members(text) == Some(old))
}

/// Names that are devices on Windows, whatever follows the point.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Whether a name is that of a device on Windows, so that no file or folder there can have it.
///
/// ```
/// use toolwire_contract::profile::is_device;
///
/// assert!(is_device("CON") && is_device("nul.txt") && is_device("com1"));
/// assert!(!is_device("console") && !is_device("com"));
/// ```
#[must_use]
pub fn is_device(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let stem = lower.split('.').next().unwrap_or_default();
    let numbered = stem.strip_suffix(|c: char| c.is_ascii_digit());
    DEVICES.contains(&stem) || matches!(numbered, Some("com" | "lpt"))
}

/// The names of the files of tools (PROF-6).
fn file_names(tools: &[ProfileTool]) -> Vec<String> {
    let names = tools.iter().map(|tool| {
        let name = tool.name();
        // Some file systems do not tell `Search` from `search`.
        let clashes = tools
            .iter()
            .any(|other| other.name() != name && other.name().eq_ignore_ascii_case(name));
        let device = is_device(name);
        let mut file = String::new();
        for (at, byte) in name.bytes().enumerate() {
            let plain = match byte {
                b'A'..=b'Z' if clashes => false,
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => !(device && at == 0),
                b'-' => true,
                b'_' => at > 0,
                b'.' => at > 0 && at + 1 < name.len(),
                _ => false,
            };
            match plain {
                true => file.push(char::from(byte)),
                false => file.push_str(&format!("%{byte:02x}")),
            }
        }
        file.push_str(".json");
        file
    });
    names.collect()
}

/// The name of the tool that a file is about; a `%` that begins no such byte is meant to the letter.
fn tool_name(stem: &str) -> String {
    let name = percent_decode_str(stem).decode_utf8();
    name.map_or_else(|_| stem.to_owned(), Cow::into_owned)
}

/// The same error about a file of the folder.
fn within(file: &str, error: &Error) -> Error {
    let mut place = pointer::join("", file);
    place.push_str(error.pointer());
    let code = error.code();
    let message = match code {
        Code::BadProfile => error.message().to_owned(),
        _ => format!("`{file}`: {}", error.message()),
    };
    Error::new(code, place, error.offset(), message)
}
