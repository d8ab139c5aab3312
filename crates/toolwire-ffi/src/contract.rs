//! Contracts of tools (chapters 27 to 31 and 33), from text to text.

use std::collections::BTreeMap;

use toolwire::json::{Document, Kind, Node, ObjectWriter, array, pointer, string};
use toolwire::{Code, Diagnostic, Error, Json};
use toolwire_contract::convert::{self, ConvertOptions, Form};
use toolwire_contract::diff::{self, DiffOptions};
use toolwire_contract::fingerprint::{self, FingerprintOptions};
use toolwire_contract::hidden::{self, Hidden};
use toolwire_contract::launch::{self, Launch, ProfileWord};
use toolwire_contract::lock::{self, CheckOptions};
use toolwire_contract::profile::{self, Changed, Profile, ProfileTool};

use crate::options::{Options, wrong_member};

/// The largest whole number that all languages write alike.
const MOST: usize = (1 << 53) - 1;

/// `fingerprint` with `{"launch","maxSchemas"}`: `{"contract","text","safety"}`.
///
/// # Errors
///
/// Those of the options and of the function.
pub fn fingerprint(tool: &str, options: &str) -> Result<String, Error> {
    let options = fingerprint_options(options)?;
    let digests = fingerprint::fingerprint(&Json::new(tool)?, &options)?;
    Ok(digests.to_json().as_str().to_owned())
}

/// `project` with the same options: the three texts whose digests the fingerprints are, as strings.
///
/// # Errors
///
/// Those of the options and of the function.
pub fn project_tool(tool: &str, options: &str) -> Result<String, Error> {
    let found = fingerprint::project(&Json::new(tool)?, &fingerprint_options(options)?)?;
    Ok(ObjectWriter::new()
        .text("contract", found.contract.as_str())
        .text("text", found.text.as_str())
        .text("safety", found.safety.as_str())
        .end())
}

/// `jn_hash` of a list of tools: 32 hexadecimal digits.
///
/// # Errors
///
/// Those of the function.
pub fn jn_hash(tools: &str) -> Result<String, Error> {
    fingerprint::jn_hash(&Json::new(tools)?)
}

fn fingerprint_options(text: &str) -> Result<FingerprintOptions, Error> {
    let given = Options::read(text, &["launch", "maxSchemas"])?;
    let mut options = FingerprintOptions::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "launch" if value.kind() == Kind::Object => options.launch = Some(Json::from(value)),
            "launch" => {
                return Err(wrong_member("launch", "`launch` is an object".to_owned()));
            }
            _ => options.max_schemas = given.count(&name, value, 0..=MOST)?,
        }
    }
    Ok(options)
}

/// `diff_tools` with `{"open","budget"}`: `{"verdict","changes"}`.
///
/// # Errors
///
/// Those of the options and of the function.
pub fn diff_tools(old: &str, new: &str, options: &str) -> Result<String, Error> {
    let given = Options::read(options, &["open", "budget"])?;
    let mut options = DiffOptions::default();
    for (name, value) in given.members() {
        diff_option(&given, &name, value, &mut options)?;
    }
    let diff = diff::diff_tools(&Json::new(old)?, &Json::new(new)?, &options)?;
    Ok(diff.to_json().as_str().to_owned())
}

/// Reads `open` or `budget`.
fn diff_option(
    given: &Options<'_>,
    name: &str,
    value: Node<'_>,
    options: &mut DiffOptions,
) -> Result<(), Error> {
    match name {
        "open" => options.open = given.flag(name, value)?,
        _ => options.budget = given.count(name, value, 0..=MOST)? as u64,
    }
    Ok(())
}

/// `parse_launch_uri`: `{"launch","uri","command","facts","version"}`.
///
/// # Errors
///
/// Those of the function.
pub fn parse_launch_uri(uri: &str) -> Result<String, Error> {
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
    Ok(ObjectWriter::new()
        .json("launch", launch.to_json().as_str())
        .text("uri", launch::format_launch_uri(&launch)?)
        .json("command", or_null(command))
        .json("facts", facts.safety().as_str())
        .json("version", or_null(version))
        .end())
}

/// `format_launch_uri` of the JSON form of a launch.
///
/// # Errors
///
/// Those of reading it and of the function.
pub fn format_launch_uri(launch: &str) -> Result<String, Error> {
    launch::format_launch_uri(&Launch::from_json(&Json::new(launch)?)?)
}

/// `parse_profile_word`: `{"word","text"}`.
///
/// # Errors
///
/// Those of the function.
pub fn parse_profile_word(word: &str) -> Result<String, Error> {
    let word = launch::parse_profile_word(word)?;
    Ok(ObjectWriter::new()
        .json("word", word.to_json().as_str())
        .text("text", launch::format_profile_word(&word)?)
        .end())
}

/// `format_profile_word` of the JSON form of such a word.
///
/// # Errors
///
/// Those of reading it and of the function.
pub fn format_profile_word(word: &str) -> Result<String, Error> {
    launch::format_profile_word(&ProfileWord::from_json(&Json::new(word)?)?)
}

/// `find_hidden`: an array of findings.
#[must_use]
pub fn find_hidden(text: &str) -> String {
    array(hidden::find_hidden(text).iter().map(Hidden::to_json))
}

/// The text with everything that it hides made visible.
#[must_use]
pub fn show_hidden(text: &str) -> String {
    hidden::show(text)
}

/// `read_lock`: the lock as JSON text, and the warnings.
///
/// # Errors
///
/// Those of the function.
pub fn read_lock(text: &str) -> Result<(String, Vec<Diagnostic>), Error> {
    let read = lock::read_lock(text)?;
    Ok((lock::write_lock(&read.lock)?, read.diagnostics))
}

/// `write_lock` of a lock as JSON text.
///
/// # Errors
///
/// Those of reading it and of the function.
pub fn write_lock(lock: &str) -> Result<String, Error> {
    lock::write_lock(&lock::read_lock(lock)?.lock)
}

/// `update_lock` of a lock as JSON text: the text of its file afterwards.
///
/// # Errors
///
/// Those of reading it and of the function.
pub fn update_lock(lock: &str, name: &str, now: &str) -> Result<String, Error> {
    let mut lock = lock::read_lock(lock)?.lock;
    lock::update_lock(&mut lock, name, &Json::new(now)?)?;
    lock::write_lock(&lock)
}

/// `check_lock` of a lock as JSON text with `{"offline","open","budget"}`: the report.
///
/// # Errors
///
/// Those of the options, of reading the lock and of the function.
pub fn check_lock(lock: &str, now: &str, options: &str) -> Result<String, Error> {
    let given = Options::read(options, &["offline", "open", "budget"])?;
    let mut options = CheckOptions::default();
    for (name, value) in given.members() {
        match name.as_ref() {
            "offline" => options.offline = given.flag(&name, value)?,
            _ => diff_option(&given, &name, value, &mut options.diff)?,
        }
    }
    let report = lock::check_lock(&lock::read_lock(lock)?.lock, &Json::new(now)?, &options)?;
    Ok(report.to_json())
}

/// `read_profile` of one document: `{"text","launcher","launcherText","schemaValidation","tools","testedWith"}`, and
/// of a tool `{"name","tool","inputSchema","inputSchemaText"}`. A text is a string: the JSON to the letter.
///
/// # Errors
///
/// Those of the function, and of the parameters of its tools.
pub fn read_profile(text: &str) -> Result<String, Error> {
    profile_json(&profile::read_profile(text)?)
}

/// `read_profile_files` of an object with the texts of files: the same.
///
/// # Errors
///
/// Those of the function; `bad_argument` at a file that is no string.
pub fn read_profile_files(files: &str) -> Result<String, Error> {
    profile_json(&profile::read_profile_files(&texts(files)?)?)
}

fn profile_json(profile: &Profile) -> Result<String, Error> {
    let tools = profile.tools().iter().map(profile_tool);
    let mut tested = ObjectWriter::new();
    for tool in profile.tools() {
        let with = profile.tested_with(tool.name());
        if !with.is_empty() {
            tested.json(tool.name(), array(with.iter().map(Json::as_str)));
        }
    }
    Ok(ObjectWriter::new()
        .text("text", profile.to_json().as_str())
        .json("launcher", profile.launcher().as_str())
        .text("launcherText", profile.launcher().as_str())
        .text("schemaValidation", profile.schema_validation().as_str())
        .json("tools", array(tools.collect::<Result<Vec<_>, _>>()?))
        .json("testedWith", tested.end())
        .end())
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

/// `write_profile` of a profile that is one document, with the texts of the files there were: an object with the
/// texts of files.
///
/// # Errors
///
/// Those of reading and of writing it; `bad_argument` at a file that is no string.
pub fn write_profile(profile: &str, before: &str) -> Result<String, Error> {
    let files = profile::write_profile(&profile::read_profile(profile)?, &texts(before)?)?;
    let mut out = ObjectWriter::new();
    for (name, text) in &files {
        out.text(name, text);
    }
    Ok(out.end())
}

/// How the tools of a server differ from what a profile expects, with the options of [`fingerprint`]: an array.
///
/// # Errors
///
/// Those of the options, of reading the profile and of the comparison.
pub fn compare_profile(profile: &str, tools: &str, options: &str) -> Result<String, Error> {
    let options = fingerprint_options(options)?;
    let changed = profile::read_profile(profile)?.compare(&Json::new(tools)?, &options)?;
    let changed: Vec<_> = changed.iter().map(Changed::to_json).collect();
    Ok(array(changed.iter().map(Json::as_str)))
}

/// `convert_server` with `{"name","folder"}`: `{"entry","text","members","report"}`.
///
/// # Errors
///
/// Those of the options and of the function; `bad_option` at `/from` or `/to` for a form that there is not.
pub fn convert_server(server: &str, from: &str, to: &str, options: &str) -> Result<String, Error> {
    let given = Options::read(options, &["name", "folder"])?;
    let mut options = ConvertOptions::default();
    for (name, value) in given.members() {
        let text = Some(given.text(&name, value)?.into_owned());
        match name.as_ref() {
            "name" => options.name = text,
            _ => options.folder = text,
        }
    }
    let form = |word: &str, pointer: &str| {
        let form = word.parse::<Form>();
        form.map_err(|error| Error::new(error.code(), pointer, None, error.message()))
    };
    let (from, to) = (form(from, "/from")?, form(to, "/to")?);
    let converted = convert::convert_server(server, from, to, &options)?;
    Ok(converted.to_json().as_str().to_owned())
}

/// The texts of files by their names.
fn texts(files: &str) -> Result<BTreeMap<String, String>, Error> {
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

fn not_texts(pointer: String) -> Error {
    let message = "the files are an object of their texts by their names, each a string";
    Error::new(Code::BadArgument, pointer, None, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = r#"{"name":"find","inputSchema":{"properties":{"q":{"type":"string"}}}}"#;
    const NEW: &str = r#"{"name":"find","inputSchema":{"properties":{}}}"#;

    #[test]
    fn options_reach_the_functions() {
        let tools = fingerprint(OLD, "{}").unwrap();
        let launched = fingerprint(OLD, r#"{"launch":{"transport":"stdio"}}"#).unwrap();
        assert_ne!(tools, launched);
        let error = fingerprint(OLD, r#"{"maxSchemas":0}"#).unwrap_err();
        assert_eq!(error.code(), Code::LimitSchemas);
        let closed = diff_tools(OLD, NEW, "{}").unwrap();
        let open = diff_tools(OLD, NEW, r#"{"open":true}"#).unwrap();
        assert!(closed.starts_with(r#"{"verdict":"breaking""#), "{closed}");
        assert!(open.starts_with(r#"{"verdict":"compatible""#), "{open}");
        let lock =
            update_lock(r#"{"lockVersion":1,"sources":{}}"#, "s", r#"{"tools":[]}"#).unwrap();
        let report = check_lock(&lock, r#"{"sources":{}}"#, r#"{"offline":true}"#).unwrap();
        assert!(report.contains("not_verified"), "{report}");
    }

    #[test]
    fn wrong_options_are_named() {
        for (error, pointer) in [
            (fingerprint(OLD, r#"{"launch":"uvx"}"#), "/launch"),
            (fingerprint(OLD, r#"{"maxSchemas":-1}"#), "/maxSchemas"),
            (diff_tools(OLD, NEW, r#"{"open":1}"#), "/open"),
            (diff_tools(OLD, NEW, r#"{"budget":1.5}"#), "/budget"),
            (diff_tools(OLD, NEW, r#"{"offline":true}"#), "/offline"),
            (check_lock("{}", "{}", r#"{"offline":1}"#), "/offline"),
            (
                convert_server("{}", "mcpServers", "zed", r#"{"name":1}"#),
                "/name",
            ),
        ] {
            let error = error.unwrap_err();
            assert_eq!((error.code(), error.pointer()), (Code::BadOption, pointer));
        }
        let error = read_profile_files(r#"{"_meta.json":{}}"#).unwrap_err();
        let found = (error.code(), error.pointer());
        assert_eq!(found, (Code::BadArgument, "/_meta.json"));
    }
}
