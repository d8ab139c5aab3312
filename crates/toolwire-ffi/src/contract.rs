//! Contracts of tools (chapters 27 to 31 and 33): what does not take and give JSON by itself.

use std::collections::BTreeMap;

use toolwire::json::{Document, Kind, ObjectWriter, array, pointer, string};
use toolwire::{Code, Error, Json};
use toolwire_contract::convert::{self, ConvertOptions, Form};
use toolwire_contract::fingerprint::FingerprintOptions;
use toolwire_contract::hidden::{self, Hidden};
use toolwire_contract::launch::{self, Launch, ProfileWord};
use toolwire_contract::lock::{self, CheckOptions};
use toolwire_contract::profile::{self, Changed, Profile, ProfileTool};

use crate::reply::{Reply, written};

/// `{"launch","uri","command","facts","version"}`.
pub(crate) fn parse_launch_uri(uri: &str) -> Result<Reply, Error> {
    let launch = launch::parse_launch_uri(uri)?;
    let facts = launch.facts();
    let command = launch
        .command()
        .map(|words| array(words.iter().map(|word| string(word))));
    let version = facts.asked_version().map(|(text, exact)| {
        ObjectWriter::new()
            .text("text", text)
            .flag("exact", exact)
            .end()
    });
    let or_null = |json: Option<String>| json.unwrap_or_else(|| "null".to_owned());
    let read = ObjectWriter::new()
        .json("launch", launch.to_json().as_str())
        .text("uri", launch::format_launch_uri(&launch)?)
        .json("command", or_null(command))
        .json("facts", facts.safety().as_str())
        .json("version", or_null(version))
        .end();
    Ok(written(read))
}

pub(crate) fn format_launch_uri(launch: &Json) -> Result<String, Error> {
    launch::format_launch_uri(&Launch::from_json(launch)?)
}

/// `{"word","text"}`.
pub(crate) fn parse_profile_word(word: &str) -> Result<Reply, Error> {
    let word = launch::parse_profile_word(word)?;
    let read = ObjectWriter::new()
        .json("word", word.to_json().as_str())
        .text("text", launch::format_profile_word(&word)?)
        .end();
    Ok(written(read))
}

pub(crate) fn format_profile_word(word: &Json) -> Result<String, Error> {
    launch::format_profile_word(&ProfileWord::from_json(word)?)
}

pub(crate) fn find_hidden(text: &str) -> Reply {
    let found = hidden::find_hidden(text);
    written(array(found.iter().map(Hidden::to_json)))
}

pub(crate) fn read_lock(text: &str) -> Result<Reply, Error> {
    let read = lock::read_lock(text)?;
    let lock = written(lock::write_lock(&read.lock)?);
    let diagnostics = Reply::Diagnostics(read.diagnostics);
    Ok(Reply::Record(vec![
        ("lock", lock),
        ("diagnostics", diagnostics),
    ]))
}

pub(crate) fn write_lock(lock: &str) -> Result<String, Error> {
    lock::write_lock(&lock::read_lock(lock)?.lock)
}

pub(crate) fn update_lock(lock: &str, name: &str, now: &Json) -> Result<String, Error> {
    let mut lock = lock::read_lock(lock)?.lock;
    lock::update_lock(&mut lock, name, now)?;
    lock::write_lock(&lock)
}

pub(crate) fn check_lock(lock: &str, now: &Json, options: &CheckOptions) -> Result<Reply, Error> {
    let report = lock::check_lock(&lock::read_lock(lock)?.lock, now, options)?;
    Ok(written(report.to_json()))
}

pub(crate) fn read_profile(text: &str) -> Result<Reply, Error> {
    profile_json(&profile::read_profile(text)?)
}

pub(crate) fn read_profile_files(files: &str) -> Result<Reply, Error> {
    profile_json(&profile::read_profile_files(&texts(files)?)?)
}

/// `{"text","launcher","launcherText","schemaValidation","tools","testedWith"}`; texts are verbatim.
fn profile_json(profile: &Profile) -> Result<Reply, Error> {
    let tools = profile.tools().iter().map(profile_tool);
    let mut tested = ObjectWriter::new();
    for tool in profile.tools() {
        let with = profile.tested_with(tool.name());
        if !with.is_empty() {
            tested.json(tool.name(), array(with.iter().map(Json::as_str)));
        }
    }
    let read = ObjectWriter::new()
        .text("text", profile.to_json().as_str())
        .json("launcher", profile.launcher().as_str())
        .text("launcherText", profile.launcher().as_str())
        .text("schemaValidation", profile.schema_validation().as_str())
        .json("tools", array(tools.collect::<Result<Vec<_>, _>>()?))
        .json("testedWith", tested.end())
        .end();
    Ok(written(read))
}

fn profile_tool(tool: &ProfileTool) -> Result<String, Error> {
    let schema = tool.input_schema()?;
    let mut out = ObjectWriter::new();
    out.text("name", tool.name()).text("tool", tool.tool());
    if let Some(schema) = &schema {
        out.json("inputSchema", schema.as_str())
            .text("inputSchemaText", schema.as_str());
    }
    Ok(out.end())
}

pub(crate) fn write_profile(profile: &str, before: Option<&str>) -> Result<Reply, Error> {
    let before = before.map(texts).transpose()?.unwrap_or_default();
    let files = profile::write_profile(&profile::read_profile(profile)?, &before)?;
    let mut out = ObjectWriter::new();
    for (name, text) in &files {
        out.text(name, text);
    }
    Ok(written(out.end()))
}

pub(crate) fn compare_profile(
    profile: &str,
    tools: &Json,
    options: &FingerprintOptions,
) -> Result<Reply, Error> {
    let changed = profile::read_profile(profile)?.compare(tools, options)?;
    let changed: Vec<_> = changed.iter().map(Changed::to_json).collect();
    Ok(written(array(changed.iter().map(Json::as_str))))
}

pub(crate) fn convert_server(
    server: &str,
    from: &str,
    to: &str,
    options: &ConvertOptions,
) -> Result<Json, Error> {
    let form = |word: &str, pointer: &str| {
        let form = word.parse::<Form>();
        form.map_err(|error| Error::new(error.code(), pointer, None, error.message()))
    };
    let (from, to) = (form(from, "/from")?, form(to, "/to")?);
    Ok(convert::convert_server(server, from, to, options)?.to_json())
}

/// The texts of files by their names.
fn texts(files: &str) -> Result<BTreeMap<String, String>, Error> {
    let not_texts = |pointer: String| {
        let message = "the files are an object of their texts by their names, each a string";
        Error::new(Code::BadArgument, pointer, None, message)
    };
    let document = Document::new(files)?;
    if document.root().kind() != Kind::Object {
        return Err(not_texts(String::new()));
    }
    let members = document.root().members();
    members
        .map(|(name, value)| match value.as_str() {
            Some(text) => Ok((name.into_owned(), text.into_owned())),
            None => Err(not_texts(pointer::join("", &name))),
        })
        .collect()
}
