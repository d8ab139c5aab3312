//! The tools of a program, as its language gives them, and the help that it prints for a person.

use crate::base::json::{Document, Kind, ObjectWriter, Place};
use crate::base::schema::{tidy_input, tidy_output};
use crate::protocol::call::ToolDescription;
use crate::{Code, Error, Json};

/// Reads the tools of a program from a JSON array of tools in MCP's shape, as a language generates them,
/// and makes them ready to be described: their schemas are tidied, and indentation is taken from their
/// descriptions (AUTH-50). `inputSchema` may be absent; members that are `null` are absent.
///
/// # Errors
///
/// `bad_description` at the first place that a reader of the description would refuse, with a pointer
/// into the array; the code of the first place where the text is not strict JSON.
///
/// # Examples
///
/// ```
/// use toolwire::author::read_tools;
///
/// let tools = read_tools(r#"[{"name":"now","description":"\n    Tell the time.\n    ","title":null}]"#)?;
/// assert_eq!(
///     tools[0].to_json(),
///     r#"{"description":"Tell the time.","inputSchema":{"additionalProperties":false,"properties":{},"type":"object"},"name":"now"}"#,
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn read_tools(text: &str) -> Result<Vec<ToolDescription>, Error> {
    tools(text).map_err(Error::placeless)
}

fn tools(text: &str) -> Result<Vec<ToolDescription>, Error> {
    let document = Document::new(text)?;
    let all = Place::new(document.root(), "", Code::BadDescription).array()?;
    let mut tools = Vec::new();
    for (index, place) in all.elements().enumerate() {
        let mut out = ObjectWriter::new();
        let mut input = Json::empty_object();
        for (name, member) in place.object()?.members() {
            let json = Json::from(member.node);
            match name.as_ref() {
                _ if member.node.kind() == Kind::Null => {}
                "inputSchema" => input = Json::from(member.object()?.node),
                "outputSchema" => {
                    out.json(&name, tidy_output(&json).0.as_str());
                }
                "description" => {
                    out.text(&name, unindented(&member.string()?));
                }
                name => {
                    out.json(name, json.as_str());
                }
            }
        }
        out.json("inputSchema", tidy_input(&input).as_str());
        let tool = ToolDescription::from_json(&out.end()).map_err(|error| {
            let pointer = format!("/{index}{}", error.pointer());
            Error::new(error.code(), pointer, None, error.message())
        })?;
        tools.push(tool);
    }
    Ok(tools)
}

/// A text without the indentation that all lines but the first have, and without white space around it.
fn unindented(text: &str) -> String {
    let indent = |line: &&str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let blank = |line: &&str| line.trim().is_empty();
    let behind = text.lines().skip(1).filter(|line| !blank(line));
    let least = behind.map(|line| indent(&line)).min().unwrap_or_default();
    let mut lines = text.lines();
    let mut out = lines.next().unwrap_or_default().trim_start().to_owned();
    for line in lines {
        out.push('\n');
        out.push_str(line.get(least..).unwrap_or_default());
    }
    out.trim().to_owned()
}

/// What a program tells a person who starts it without a call: its tools, and how to run one.
/// `program` is the file, as the person named it.
///
/// ```
/// use toolwire::author::{help, read_tools};
///
/// let tools = read_tools(
///     r#"[{"name":"now","description":"Tell the time.","inputSchema":{"required":["zone"]}}]"#,
/// )?;
/// assert_eq!(
///     help("./clock.py", &tools),
///     "./clock.py is called by a host, with a call on its stdin. Its tools:\n\n  \
///      now  Tell the time.\n\n\
///      Run one from a terminal:\n\n  toolwire run ./clock.py now zone=…\n",
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn help(program: &str, tools: &[ToolDescription]) -> String {
    let width = tools.iter().map(|tool| tool.name.len()).max().unwrap_or(0);
    let mut out =
        format!("{program} is called by a host, with a call on its stdin. Its tools:\n\n");
    for tool in tools {
        let line = format!("  {:width$}  {}", tool.name, tool.summary());
        out.push_str(line.trim_end());
        out.push('\n');
    }
    if let Some(tool) = tools.first() {
        out.push_str(&format!(
            "\nRun one from a terminal:\n\n  toolwire run {program} {}",
            tool.name
        ));
        for name in required(tool) {
            out.push_str(&format!(" {name}=…"));
        }
        out.push('\n');
    }
    out
}

fn required(tool: &ToolDescription) -> Vec<String> {
    let Ok(document) = Document::new(tool.input_schema.as_str()) else {
        return Vec::new();
    };
    let names = document.root().get("required");
    let names = names.into_iter().flat_map(|names| names.elements());
    names
        .filter_map(|name| name.as_str().map(std::borrow::Cow::into_owned))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indentation_goes_and_structure_stays() {
        assert_eq!(unindented("a\n    b\n\n      c\n  "), "a\nb\n\n  c");
        assert_eq!(unindented("\n\tOne.\n\t\tTwo.\n"), "One.\n\tTwo.");
        assert_eq!(unindented("  one"), "one");
        assert_eq!(unindented("a\n  é\n \u{3000}b"), "a\n é\n\u{3000}b");
        assert_eq!(unindented(""), "");
    }

    #[test]
    fn a_wrong_tool_is_told_by_its_place() {
        let error = read_tools(r#"[{"name":"a"},{"name":"b c"}]"#).unwrap_err();
        assert_eq!(
            (error.code(), error.pointer()),
            (Code::BadDescription, "/1/name")
        );
        let error = read_tools(r#"[{"name":"a","inputSchema":[]}]"#).unwrap_err();
        assert_eq!(error.pointer(), "/0/inputSchema");
    }
}
