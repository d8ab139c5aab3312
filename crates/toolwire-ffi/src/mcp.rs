//! The functions of chapter 15 from text to text.

use toolwire::call::{Call, ToolDescription};
use toolwire::json::ObjectWriter;
use toolwire::mcp::{self, ResultOptions, Revision};
use toolwire::{Error, Json, Limits};

use crate::options::{Options, wrong_member};

/// Reads `{"revision","mirror","wrapped"}`.
///
/// # Errors
///
/// `bad_option` at an unknown option, at one with a wrong value, and at `/revision` if it is missing.
pub fn result_options(text: &str) -> Result<ResultOptions, Error> {
    let given = Options::read(text, &["revision", "mirror", "wrapped"])?;
    let mut options = ResultOptions::new(revision(&given)?);
    for (name, value) in given.members() {
        match name.as_ref() {
            "mirror" => options.mirror = given.flag(&name, value)?,
            "wrapped" => options.wrapped = given.flag(&name, value)?,
            _ => {}
        }
    }
    Ok(options)
}

/// `to_tool` with `{"revision"}`: `{"tool","wrapped","report"}`.
///
/// # Errors
///
/// Those of the options; those of [`ToolDescription::from_json`].
pub fn to_tool(tool: &str, options: &str) -> Result<String, Error> {
    let revision = revision(&Options::read(options, &["revision"])?)?;
    let mapped = mcp::to_tool(&ToolDescription::from_json(tool)?, revision);
    Ok(ObjectWriter::new()
        .json("tool", mapped.json.as_str())
        .flag("wrapped", mapped.wrapped)
        .json("report", mapped.report.to_json())
        .end())
}

/// `from_tool`: `{"tool","name","wrapped","report"}`.
///
/// # Errors
///
/// Those of the function.
pub fn from_tool(listed: &str) -> Result<String, Error> {
    let read = mcp::from_tool(&Json::new(listed)?)?;
    Ok(ObjectWriter::new()
        .json("tool", read.tool.to_json())
        .text("name", read.name)
        .flag("wrapped", read.wrapped)
        .json("report", read.report.to_json())
        .end())
}

/// `call_to_meta` of a call document.
///
/// # Errors
///
/// Those of [`Call::from_json`].
pub fn call_to_meta(document: &[u8]) -> Result<Option<String>, Error> {
    let call = Call::from_json(document, &Limits::WIDEST)?;
    Ok(mcp::call_to_meta(&call).map(|meta| meta.as_str().to_owned()))
}

/// `call_from_meta`, each as JSON text but for the name.
///
/// # Errors
///
/// Those of the function.
pub fn call_from_meta(name: &str, arguments: &str, meta: Option<&str>) -> Result<Call, Error> {
    let meta = meta.map(Json::new).transpose()?;
    mcp::call_from_meta(name, &Json::new(arguments)?, meta.as_ref())
}

/// The option `revision`, which has no default.
pub(crate) fn revision(given: &Options<'_>) -> Result<Revision, Error> {
    match given.members().find(|(name, _)| name == "revision") {
        Some((name, value)) => given.choice(&name, value),
        None => Err(wrong_member("revision", "`revision` is missing".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use toolwire::Code;

    use super::*;

    #[test]
    fn wrong_options_are_named() {
        for (options, pointer) in [
            ("{}", "/revision"),
            (r#"{"revision":"2024-11-05"}"#, "/revision"),
            (r#"{"revision":"2026-07-28","mirror":1}"#, "/mirror"),
            (r#"{"revision":"2026-07-28","wrap":true}"#, "/wrap"),
        ] {
            let error = result_options(options).unwrap_err();
            assert_eq!((error.code(), error.pointer()), (Code::BadOption, pointer));
        }
    }
}
