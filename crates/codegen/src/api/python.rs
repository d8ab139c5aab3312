//! The functions of the API as modules of the Python package.

use super::{Api, Function, camel, kind::qualified, snake, text, types::option_doc};
use crate::Output;
use crate::python::annotation;
use crate::shapes::wrap;
use std::fmt::Write;

const WIDTH: usize = 108;

/// The package, without its lists: `NAMES` stands for what is imported at once, `MODULES` for the submodules, `LATE` for
/// where the other names come from, `TYPES` for the same as imports, and `ALL` for all names.
const PACKAGE: &str = r#"# Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.
"""Write, read and run tools with typed results that every host and language reads the same way.

Write an answer:

>>> import toolwire as tw
>>> print(tw.envelope(tw.text('3 files checked'), structured_content={'files': 3}))
{"content":[{"text":"3 files checked","type":"text"}],"structuredContent":{"files":3}}

Read any output of a tool:

>>> parsed = tw.parse('not an envelope')
>>> parsed.verdict, parsed.envelope.content[0].text
('raw', 'not an envelope')
"""

import os as _os

# Nothing else is imported here: a tool is a process, so import time is part of every call.
from ._toolwire import (
NAMES)

if _os.environ.get("TOOLWIRE_CALL") == "lines":
    # Before anybody keeps the streams as they are, as `logging` does.
    from ._printed import attribute as _attribute

    _attribute()

# What only tools need, or only hosts, is imported when it is named.
_LATE = {
LATE}
_MODULES = (MODULES)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import MODULES_AS_NAMES
TYPES
__all__ = [
ALL]

if not TYPE_CHECKING:
    # A type checker must not see this, or it would believe in any name.
    def __getattr__(name):
        if name not in _LATE and name not in _MODULES:
            raise AttributeError(f"module 'toolwire' has no attribute '{name}'")
        if name in _MODULES:
            return __import__(f"toolwire.{name}", fromlist=("__doc__",))
        module = __import__(f"toolwire.{_LATE[name]}", fromlist=(name,))
        found = globals()[name] = getattr(module, name)
        return found

    def __dir__():
        return sorted({*globals(), *__all__, *_MODULES})
"#;

fn package(api: &Api) -> Output {
    let line = |name: &String| format!("    {name},\n");
    let quoted = |name: &String| format!("    \"{name}\",\n");
    let (mut names, mut late, mut types) = (String::new(), String::new(), String::new());
    let mut all: Vec<String> = Vec::new();
    for (module, exported) in &api.exports.0 {
        all.extend(exported.iter().cloned());
        if module == "_toolwire" {
            names = exported.iter().map(line).collect();
            continue;
        }
        for name in exported {
            let _ = writeln!(late, "    \"{name}\": \"{module}\",");
        }
        let _ = writeln!(types, "    from .{module} import {}", exported.join(", "));
    }
    all.sort_unstable();
    let mut modules: Vec<&str> = api
        .modules
        .0
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    modules.push("types");
    modules.sort_unstable();
    let words: Vec<_> = modules.iter().map(|name| format!("\"{name}\"")).collect();
    let text = PACKAGE
        .replacen("NAMES", &names, 1)
        .replacen("LATE}", &format!("{late}}}"), 1)
        .replace("MODULES_AS_NAMES", &modules.join(", "))
        .replacen("(MODULES)", &format!("({})", words.join(", ")), 1)
        .replacen("TYPES\n", &types, 1)
        .replacen(
            "ALL]",
            &format!("{}]", all.iter().map(quoted).collect::<String>()),
            1,
        );
    Output {
        path: "bindings-python/python/toolwire/__init__.py".into(),
        text,
    }
}

/// What annotations are made of.
const IMPORTS: &str = "\
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Union

    from . import _toolwire as _views
    from . import types as _types
";

pub fn outputs(api: &Api) -> Result<Vec<Output>, String> {
    let modules = api.modules.0.iter().map(|(name, module)| {
        let mut functions = String::new();
        let mut public: Vec<&str> = module.classes.iter().map(String::as_str).collect();
        for (name, function) in api.of(name) {
            functions.push_str(&write(api, name, function)?);
            public.push(name);
        }
        public.sort_unstable();
        let public: Vec<_> = public
            .iter()
            .map(|name| format!("    \"{name}\",\n"))
            .collect();
        let classes: Vec<_> = module
            .classes
            .iter()
            .map(|class| format!("{class}, "))
            .collect();
        let text = format!(
            "# Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.\n\
             \"\"\"{}\"\"\"\n\nfrom __future__ import annotations\n\n\
             from ._toolwire import {}call as _call\n\n{IMPORTS}\n\
             __all__ = [\n{}]\n{functions}",
            wrap(&module.doc, WIDTH).join("\n"),
            classes.concat(),
            public.concat(),
        );
        Ok(Output {
            path: format!("bindings-python/python/toolwire/{name}.py").into(),
            text,
        })
    });
    modules.chain([Ok(package(api))]).collect()
}

/// The annotation of an argument or an option.
pub fn argument(kind: &str) -> Result<String, String> {
    let (kind, named) = kind.split_once(": ").unwrap_or((kind, ""));
    let (kind, optional) = match kind.strip_suffix('?') {
        Some(kind) => (kind, " | None"),
        None => (kind, ""),
    };
    let ty = match kind {
        "document" | "source" | "bytes" => "_types.Document".to_owned(),
        "output" | "output text" => "_types.Output".to_owned(),
        "readable" => "_types.Readable".to_owned(),
        "digestible" => "_types.Readable | _views.Block".to_owned(),
        "path" => "str | PathLike[str]".to_owned(),
        "content" => "Buffer".to_owned(),
        "signal" => "int | str".to_owned(),
        "message" => "str | BaseException".to_owned(),
        "known" => "_types.Identity | tuple[str, str] | Mapping[str, Any]".to_owned(),
        "json..." => "Any".to_owned(),
        "object" => "Mapping[str, Any]".to_owned(),
        "result" | "Question" | "Call" => format!("_types.{}Input", camel(&format!("_{kind}"))),
        "known[]" | "Question[]" | "document[]" | "result[]" | "text[]" => {
            format!("Iterable[{}]", argument(kind.trim_end_matches("[]"))?)
        }
        "json" if !named.is_empty() => format!("_types.{named}"),
        kind => annotation(&qualified(kind, "_types.")?.ty),
    };
    Ok(ty + optional)
}

fn write(api: &Api, name: &str, function: &Function) -> Result<String, String> {
    let options = api.options_of(function);
    let mut parameters = Vec::new();
    for (arg, kind) in &function.args {
        let default = if kind.ends_with('?') { " = None" } else { "" };
        parameters.push(format!("{}: {}{default}", snake(arg), argument(kind)?));
    }
    if !options.is_empty() {
        parameters.push("*".to_owned());
    }
    for (option, member) in options {
        let ty = argument(&member.kind)?;
        let ending = if member.required {
            ""
        } else {
            " | None = None"
        };
        parameters.push(format!("{}: {ty}{ending}", snake(option)));
    }
    let returns = qualified(&function.returns, "_types.")?;
    let ending = if returns.optional { " | None" } else { "" };
    let returned = annotation(&returns.ty) + ending;
    let args: Vec<_> = function
        .args
        .iter()
        .map(|(arg, _)| format!("{},", snake(arg)))
        .collect();
    let given: Vec<_> = options
        .iter()
        .map(|(option, _)| format!("\"{option}\": {}", snake(option)))
        .collect();
    let given = if given.is_empty() {
        String::new()
    } else {
        format!(", {{{}}}", given.join(", "))
    };
    Ok(format!(
        "\n\ndef {name}({}) -> {returned}:\n    \"\"\"{}\n    \"\"\"\n    return _call(\"{name}\", ({}){given})\n",
        parameters.join(", "),
        // The examples have escapes of their own.
        docstring(api, name, function)
            .replace('\\', "\\\\")
            .replace('\n', "\n    ")
            .replace("    \n", "\n"),
        args.join(" "),
    ))
}

pub fn docstring(api: &Api, name: &str, function: &Function) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut paragraph = |text: &str| {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(wrap(text, WIDTH));
    };
    let text = &api.texts[name];
    for one in &text.paragraphs {
        paragraph(&text::in_python(one));
    }
    // The texts of the package's own functions tell of their options.
    let options = api.options_of(function).iter();
    for (option, member) in options.filter(|_| !function.rust.is_empty()) {
        paragraph(&format!("`{}`: {}", snake(option), option_doc(member)));
    }
    lines.push(String::new());
    lines.extend(text.python.iter().cloned());
    lines.join("\n")
}
