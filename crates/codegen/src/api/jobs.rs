//! The options of what runs in the background, for the Python package.

use super::{Api, OptionMember, snake, types::option_doc};
use crate::Output;
use std::fmt::Write;

/// `TYPES` stands for one class for each job, `FUNCTIONS` for one function for each.
const MODULE: &str = r#"# Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.
"""The options of what runs: their types, and functions that take them by name and give them as a dict."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from os import PathLike
    from typing import Any, Literal, TypedDict

    from typing_extensions import TypeAlias

    from ._toolwire import Message, PendingQuestion, Progress
    from .types import Limits, Unanswered

    Path: TypeAlias = "str | PathLike[str]"
    Command: TypeAlias = "Path | Sequence[Path]"
    Inherit: TypeAlias = 'Literal["all", "standard"] | Sequence[str]'
    Size: TypeAlias = "tuple[int, int]"
    # Where a function waits on an event loop, its callbacks can be asynchronous.
    Answerer: TypeAlias = Callable[[PendingQuestion], Any]
    Approver: TypeAlias = Callable[[dict[str, Any]], Any]
    OnStderr: TypeAlias = Callable[[bytes], object]
    OnProgress: TypeAlias = Callable[[Progress], object]
    OnLog: TypeAlias = Callable[[Message], object]
    OnHandleState: TypeAlias = Callable[[str, str], object]
    OnHandleProgress: TypeAlias = Callable[[str, Progress], object]
    OnHandleLog: TypeAlias = Callable[[str, Message], object]
    OnHandleStderr: TypeAlias = Callable[[str, bytes], object]
    OnServing: TypeAlias = "Callable[[str | None], object]"
TYPES
FUNCTIONS"#;

/// `_options.py`.
pub fn output(api: &Api) -> Result<Output, String> {
    let (mut types, mut functions) = (String::new(), String::new());
    for (name, job) in api.jobs.0.iter().filter(|(_, job)| !job.nested) {
        let members = members(api, name, "python")?;
        let _ = write!(
            types,
            "\n    class {}(TypedDict, total=False):\n        \"\"\"{}\"\"\"\n",
            job.class, job.doc
        );
        for (name, option) in &members {
            let unit = match option.kind.as_str() {
                "duration" => " In seconds.",
                _ => "",
            };
            let doc = option_doc(option);
            let ty = annotation(&option.kind);
            let name = snake(name);
            let _ = write!(
                types,
                "\n        # {doc}{unit}\n        {name}: '{ty} | None'\n"
            );
        }
        let names: Vec<_> = members
            .iter()
            .map(|(name, _)| format!("{}: \"Any\" = None", snake(name)))
            .collect();
        let _ = write!(
            functions,
            "\n\ndef {name}(*, {}) -> \"dict[str, Any]\":\n    return locals()\n",
            names.join(", ")
        );
    }
    Ok(Output {
        path: "bindings-python/python/toolwire/_options.py".into(),
        text: MODULE
            .replacen("TYPES\n", &types, 1)
            .replacen("FUNCTIONS", &functions, 1),
    })
}

/// `options.generated.cjs`: the names that Node's functions take.
pub fn names_in_node(api: &Api) -> Result<Output, String> {
    let mut text = String::from(
        "'use strict';\n// Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.\n\nmodule.exports = {\n",
    );
    for (name, _) in &api.jobs.0 {
        let members = members(api, name, "node")?;
        let names: Vec<_> = members
            .iter()
            .map(|(name, _)| format!("'{name}'"))
            .collect();
        let name = super::camel(name);
        let _ = writeln!(text, "  {name}: [{}],", names.join(", "));
    }
    text.push_str("};\n");
    Ok(Output {
        path: "bindings-node/lib/options.generated.cjs".into(),
        text,
    })
}

/// The options of the groups of a job.
pub fn groups<'a>(api: &'a Api, name: &str) -> Result<Vec<&'a (String, OptionMember)>, String> {
    let job = api.jobs.get(name);
    let job = job.ok_or_else(|| format!("`schema/api.json` has no job `{name}`"))?;
    let mut members = Vec::new();
    for group in &job.options {
        let group = api.options.get(group);
        let group = group.ok_or_else(|| format!("`{name}` has unknown options"))?;
        members.extend(&group.members.0);
    }
    Ok(members)
}

/// The options of a job that a language has.
fn members<'a>(
    api: &'a Api,
    name: &str,
    language: &str,
) -> Result<Vec<&'a (String, OptionMember)>, String> {
    let without = api.jobs.get(name).map_or(&[][..], |job| &job.without);
    let mut members = groups(api, name)?;
    members.retain(|(name, option)| {
        let other = option
            .language
            .as_ref()
            .is_some_and(|only| only != language);
        !other && !without.contains(name)
    });
    Ok(members)
}

/// What Python takes for a kind.
fn annotation(kind: &str) -> String {
    let kind = kind.trim_start_matches("callback ").trim_end_matches('?');
    match kind {
        // An address is text in Python.
        "text" | "json" => "str",
        "flag" => "bool",
        "count" => "int",
        "duration" => "float",
        "path" => "Path",
        "object" => "Mapping[str, Any]",
        "text[]" => "Sequence[str]",
        "map<text>" => "Mapping[str, str]",
        "map<Alternatives>" => "Mapping[str, Mapping[str, str]]",
        words if words.starts_with('\'') => {
            let words = words.replace('|', ", ").replace('\'', "\"");
            return format!("Literal[{words}]");
        }
        name => name,
    }
    .to_owned()
}
