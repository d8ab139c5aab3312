//! The functions of the API for Node, and their declarations.

use super::{
    Api, Function, camel,
    kind::{qualified, qualify},
    text, types,
};
use crate::Output;
use crate::shapes::wrap;
use crate::typescript::{annotation, write_doc};
use std::fmt::Write;

const HEADER: &str = "// Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.\n";

/// What the declarations are made of that is declared by hand.
const IMPORTS: &str = "
import type { Answer, AskedQuestion, Call, Diagnostic, Envelope, Input, Json, JsonInput, Message, Parsed, Progress, QuestionInput } from './index.js';
import { Exchange as ExchangeClass, SessionMachine as SessionMachineClass } from './session.js';
import type * as types from './types.generated.js';

/** A JSON value, or its text. All digits of the numbers in a text count. */
export type Document = object | boolean | Input;

/** An output, or what was read of one. */
export type Readable = Input | Parsed | Envelope;
";

pub fn outputs(api: &Api) -> Result<Vec<Output>, String> {
    Ok(vec![
        Output {
            path: "bindings-node/lib/api.generated.cjs".into(),
            text: functions(api)?,
        },
        Output {
            path: "bindings-node/api.generated.d.ts".into(),
            text: declarations(api)?,
        },
    ])
}

fn functions(api: &Api) -> Result<String, String> {
    let mut out = format!("'use strict';\n{HEADER}\n");
    out.push_str("const to = require('./call.cjs');\n");
    for (module, of) in &api.modules.0 {
        let _ = write!(out, "\nmodule.exports.{module} = {{\n");
        for (name, function) in api.of(module) {
            let mut parameters: Vec<String> = function
                .args
                .iter()
                .map(|(arg, _)| parameter(arg))
                .collect();
            let args = function.args.iter().map(|(arg, kind)| argument(arg, kind));
            let args = args.collect::<Result<Vec<_>, _>>()?.join(", ");
            let mut options = "";
            if function.options.is_some() {
                parameters.push("options".to_owned());
                options = ", options";
            }
            let parameters = parameters.join(", ");
            let _ = writeln!(
                out,
                "  {}: ({parameters}) => to.call('{name}', [{args}]{options}),",
                camel(name)
            );
        }
        for class in &of.classes {
            let _ = writeln!(
                out,
                "  get {class}() {{ return require('./{}.cjs').{class}; }},",
                file_of(class)
            );
        }
        out.push_str("};\n");
    }
    Ok(out)
}

/// The file of a class, which is written by hand.
fn file_of(class: &str) -> &'static str {
    if class == "Exchange" {
        "exchange"
    } else {
        "session"
    }
}

/// The name of an argument, if it isn't a word of the language.
fn parameter(arg: &str) -> String {
    match arg {
        "arguments" => "args".to_owned(),
        "new" => "now".to_owned(),
        arg => camel(arg),
    }
}

/// The conversion of an argument.
fn argument(arg: &str, kind: &str) -> Result<String, String> {
    let (name, kind) = (parameter(arg), kind.split(':').next().unwrap_or_default());
    let (kind, optional) = match kind.strip_suffix('?') {
        Some(kind) => (kind, true),
        None => (kind, false),
    };
    let convert = match kind {
        "document" | "source" | "bytes" => "document",
        "text" | "ServerForm" | "LineSource" | "MessageProvider" => "text",
        "output text" => "output",
        "output" | "json" | "readable" => kind,
        "text[]" => "texts",
        "document[]" => "documents",
        "result[]" => "results",
        "Question" => "question",
        "Question[]" => "questions",
        "Call" => "callDocument",
        "Answer" => "answer",
        other => return Err(format!("`schema/api.json`: no argument can be `{other}`")),
    };
    let converted = format!("to.{convert}({name}, '{arg}')");
    Ok(if optional {
        format!("{name} == null ? null : {converted}")
    } else {
        converted
    })
}

fn declarations(api: &Api) -> Result<String, String> {
    let mut out = format!("{HEADER}{IMPORTS}");
    for (module, of) in &api.modules.0 {
        out.push('\n');
        write_doc(&mut out, "", &of.doc);
        let _ = writeln!(out, "export declare namespace {module} {{");
        for (name, function) in api.of(module) {
            declare(api, &mut out, name, function)?;
        }
        for class in &of.classes {
            let _ = writeln!(out, "  export {{ {class}Class as {class} }};");
        }
        out.push_str("}\n");
    }
    Ok(out)
}

fn declare(api: &Api, out: &mut String, name: &str, function: &Function) -> Result<(), String> {
    let text = &api.texts[name];
    out.push_str("\n  /**\n");
    for (index, paragraph) in text.paragraphs.iter().enumerate() {
        if index > 0 {
            out.push_str("   *\n");
        }
        for line in wrap(&text::in_node(api, paragraph), 110) {
            let _ = writeln!(out, "   * {line}");
        }
    }
    if !text.js.is_empty() {
        let lines: String = text
            .js
            .iter()
            .map(|line| format!("   * {line}\n"))
            .collect();
        let _ = write!(out, "   *\n   * ```js\n{lines}   * ```\n");
    }
    out.push_str("   */\n");
    let mut parameters = Vec::new();
    // What stands before something that is required cannot be left out, but may be undefined.
    let is_followed = api
        .options_of(function)
        .iter()
        .any(|(_, option)| option.required);
    for (arg, kind) in &function.args {
        let (optional, or_null) = match (kind.ends_with('?'), is_followed) {
            (false, _) => ("", ""),
            (true, false) => ("?", " | null"),
            (true, true) => ("", " | null | undefined"),
        };
        parameters.push(format!(
            "{}{optional}: {}{or_null}",
            parameter(arg),
            input(kind)?
        ));
    }
    if function.options.is_some() {
        parameters.push(options(api, function)?);
    }
    let returns = qualified(&function.returns, "types.")?;
    let ending = if returns.optional { " | undefined" } else { "" };
    let returned = annotation(&returns.ty);
    let _ = writeln!(
        out,
        "  export function {}({}): {returned}{ending};",
        camel(name),
        parameters.join(", ")
    );
    Ok(())
}

/// The options of a function, as the last parameter.
fn options(api: &Api, function: &Function) -> Result<String, String> {
    let fields = types::options(api, function.options.as_deref().unwrap_or_default())?;
    let required = fields.iter().any(|field| field.required);
    let mut out = format!("options{}: {{\n", if required { "" } else { "?" });
    for mut field in fields {
        write_doc(&mut out, "    ", &text::in_node(api, &field.doc));
        let ending = if field.required {
            ("", "")
        } else {
            ("?", " | null | undefined")
        };
        qualify(&mut field.ty, "types.");
        let ty = annotation(&field.ty);
        let _ = writeln!(out, "    {}{}: {ty}{};", field.name, ending.0, ending.1);
    }
    out.push_str("  }");
    Ok(out)
}

/// The type of an argument.
fn input(kind: &str) -> Result<String, String> {
    let (kind, named) = kind.split_once(": ").unwrap_or((kind, ""));
    Ok(match kind.trim_end_matches('?') {
        "document" | "source" | "bytes" => "Document".to_owned(),
        "output" | "output text" => "Input".to_owned(),
        "readable" => "Readable".to_owned(),
        "json" if named.is_empty() => "JsonInput".to_owned(),
        "json" => format!("types.{named}"),
        "Question" => "QuestionInput".to_owned(),
        "Question[]" => "readonly QuestionInput[]".to_owned(),
        "document[]" => "readonly Document[]".to_owned(),
        "result[]" => "readonly (Readable | object | null | undefined)[]".to_owned(),
        "text[]" => "readonly string[]".to_owned(),
        "Call" => "Call | Document".to_owned(),
        "Answer" => "Answer | JsonInput".to_owned(),
        kind => annotation(&qualified(kind, "types.")?.ty),
    })
}
