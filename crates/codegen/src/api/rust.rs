//! The dispatch of functions and the readers of options, for `toolwire-ffi`.

use super::{Api, Function, OptionMember, Options, snake};
use crate::Output;
use std::fmt::Write;

const HEADER: &str = "// Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.\n";

pub fn outputs(api: &Api) -> Result<Vec<Output>, String> {
    Ok(vec![
        Output {
            path: "crates/toolwire-ffi/src/dispatch.rs".into(),
            text: crate::rust(HEADER, &dispatch(api)?)?,
        },
        Output {
            path: "crates/toolwire-ffi/src/readers.rs".into(),
            text: crate::rust(HEADER, &readers(api)?)?,
        },
    ])
}

fn dispatch(api: &Api) -> Result<String, String> {
    let (mut parameters, mut arms) = (String::new(), String::new());
    for (name, function) in api.called() {
        let kinds = function.args.iter().map(|(name, kind)| {
            let (crossing, _) = crossing(kind)?;
            Ok(format!(
                "(\"{name}\", Kind::{crossing}, {})",
                kind.ends_with('?')
            ))
        });
        let kinds = kinds.collect::<Result<Vec<_>, String>>()?.join(", ");
        let _ = writeln!(parameters, "\"{name}\" => &[{kinds}],");
        let _ = writeln!(arms, "\"{name}\" => {},", arm(api, function)?);
    }
    let mut builders = String::new();
    for (name, function) in api.of("toolwire").filter(|(_, one)| one.python.is_none()) {
        let args = function.args.iter().map(|(arg, _)| arg);
        let options = api.options_of(function).iter().map(|(option, _)| option);
        let names: Vec<_> = args
            .chain(options)
            .map(|name| format!("{name:?}"))
            .collect();
        let _ = writeln!(builders, "\"{name}\" => &[{}],", names.join(", "));
    }
    Ok(format!(
        "//! The functions of the API by their names.

        use toolwire::{{Error, Limits}};
        use crate::args::{{Args, Kind, Parameter}};
        use crate::readers;
        use crate::reply::{{IntoReply, Reply}};

        /// The parameters of a function.
        #[must_use]
        pub fn parameters(op: &str) -> Option<&'static [Parameter]> {{
            Some(match op {{ {parameters} _ => return None }})
        }}

        /// The arguments of a builder of a block.
        pub(crate) fn builder(kind: &str) -> Option<&'static [&'static str]> {{
            Some(match kind {{ {builders} _ => return None }})
        }}

        /// Calls a function; `options` is a JSON object.
        ///
        /// # Errors
        ///
        /// Those of its arguments, of its options and its own.
        pub fn call(op: &str, args: &Args<'_>, options: &str) -> Result<Reply, Error> {{
            match op {{ {arms} _ => Err(crate::args::unknown(op)) }}
        }}"
    ))
}

/// How an argument crosses, and how the dispatch takes it.
fn crossing(kind: &str) -> Result<(&'static str, &'static str), String> {
    Ok(match kind.split(':').next().unwrap_or_default() {
        "document" => ("Document", "&args.json(N)?"),
        "document?" => ("Document", "args.json_or_none(N)?.as_ref()"),
        "json" => ("Json", "&args.json(N)?"),
        "json?" => ("Json", "args.json_or_none(N)?.as_ref()"),
        "source" => ("Document", "&args.source(N)?"),
        "source?" => ("Document", "args.source_or_none(N)?.as_deref()"),
        "bytes" => ("Document", "args.bytes(N)?"),
        "output" => ("Output", "args.bytes(N)?"),
        "output text" => ("Output", "&args.source(N)?"),
        "readable" => ("Readable", "&args.parsed(N, &options.limits)?"),
        "text" | "ServerForm" | "LineSource" | "MessageProvider" => ("Text", "args.text(N)?"),
        "text[]" => ("Texts", "&args.texts(N)?"),
        "text[]?" => ("Texts", "&args.texts_or_none(N)?"),
        "document[]" => ("Documents", "args.text(N)?"),
        "result[]" => ("Results", "&args.results(N)?"),
        "Question" => ("Question", "&args.question(N)?"),
        "Question[]" => ("Questions", "&args.questions(N)?"),
        "Call" => ("Call", "&args.call(N)?"),
        "Answer" => ("Answer", "&args.answer(N)?"),
        other => return Err(format!("`schema/api.json`: no argument can be `{other}`")),
    })
}

fn arm(api: &Api, function: &Function) -> Result<String, String> {
    let mut given = Vec::new();
    let options = api.options_of(function);
    let has_limits = options.iter().any(|(name, _)| name == "limits");
    for (index, (_, kind)) in function.args.iter().enumerate() {
        let mut taken = crossing(kind)?.1.replace('N', &index.to_string());
        if !has_limits {
            taken = taken.replace("options.limits", "Limits::default()");
        }
        given.push(taken);
    }
    let mut read = String::new();
    if let Some(options) = &function.options {
        read = format!("let options = readers::{}(options)?;", snake(options));
        given.push("&options".to_owned());
    }
    Ok(format!(
        "{{ {read} {}({}).into_reply() }}",
        function.rust,
        given.join(", ")
    ))
}

fn readers(api: &Api) -> Result<String, String> {
    let mut out = String::from(
        "//! Options from JSON text: `null` means absent, and unknown names are refused (API-3, API-18).
        #![allow(clippy::single_match, unused_qualifications)] // Written alike for all options.

        use toolwire::Error;
        use crate::options::{self, Options, Unit, missing};
        ",
    );
    for (name, options) in &api.options.0 {
        match &options.rust {
            Some(path) => own(api, &mut out, name, path, options)?,
            None if api
                .called()
                .any(|(_, function)| function.options.as_ref() == Some(name))
                || api.jobs.0.iter().any(|(_, job)| job.options.contains(name)) =>
            {
                generated(api, &mut out, name, options)?;
            }
            None => {}
        }
    }
    for (name, job) in &api.jobs.0 {
        let mut known = Vec::new();
        for (name, _) in super::jobs::groups(api, name)? {
            known.push(format!("\"{name}\""));
        }
        let _ = writeln!(
            out,
            "/// {} The options are read by group.\npub(crate) fn {name}_job(text: &str, unit: Unit) -> Result<Options<'_>, Error> {{
                Options::read_in(text, &[{}], unit)
            }}\n",
            job.doc,
            known.join(", ")
        );
    }
    Ok(out)
}

/// A reader into a struct of a crate.
fn own(
    api: &Api,
    out: &mut String,
    name: &str,
    path: &str,
    options: &Options,
) -> Result<(), String> {
    let mut arms = String::new();
    for (member, option) in &options.members.0 {
        let field = option.field.clone().unwrap_or_else(|| snake(member));
        let (_, value, wrapped) = value(api, option)?;
        let value = if wrapped {
            format!("Some({value})")
        } else {
            value
        };
        let _ = writeln!(arms, "\"{member}\" => options.{field} = {value},");
    }
    let check = if options.check {
        "options.check()?;"
    } else {
        ""
    };
    let _ = write!(
        out,
        "{}pub fn {}(text: &str) -> Result<{path}, Error> {{
            {}_in(&Options::read(text, &[{}])?)
        }}

        /// Those of more options.
        pub(crate) fn {}_in(given: &Options<'_>) -> Result<{path}, Error> {{
            let mut options = <{path}>::default();
            for (member, value) in given.members() {{ match member.as_ref() {{ {arms} _ => {{}} }} }}
            {check}
            Ok(options)
        }}\n",
        head(name),
        snake(name),
        snake(name),
        names(options),
        snake(name),
    );
    Ok(())
}

/// A reader into a struct that is generated with it.
fn generated(api: &Api, out: &mut String, name: &str, options: &Options) -> Result<(), String> {
    let (mut fields, mut locals, mut arms, mut made) =
        <(String, String, String, String)>::default();
    for (member, option) in &options.members.0 {
        let field = option.field.clone().unwrap_or_else(|| snake(member));
        let (ty, value, _) = value(api, option)?;
        let is_plain = matches!(
            option.kind.as_str(),
            "flag" | "text[]" | "Limits" | "map<text>"
        ) || option.kind.starts_with("callback ");
        let doc = option.doc.replace('"', "'");
        let kept = if is_plain || option.required {
            ty.clone()
        } else {
            format!("Option<{ty}>")
        };
        let _ = writeln!(fields, "#[doc = \" {doc}\"] pub {field}: {kept},");
        let (start, value) = match is_plain {
            true if option.default == Some(true.into()) => ("true", value),
            true => ("Default::default()", value),
            false => ("None", format!("Some({value})")),
        };
        let local = if is_plain {
            ty
        } else {
            format!("Option<{ty}>")
        };
        let _ = writeln!(locals, "let mut {field}: {local} = {start};");
        let _ = writeln!(arms, "\"{member}\" => {field} = {value},");
        match option.required {
            true => drop(writeln!(
                made,
                "{field}: {field}.ok_or_else(|| missing(\"{member}\"))?,"
            )),
            false => drop(writeln!(made, "{field},")),
        }
    }
    let _ = write!(
        out,
        "/// What [`{reader}`] reads.
        pub struct {name} {{ {fields} }}
        {}pub fn {reader}(text: &str) -> Result<{name}, Error> {{
            {reader}_in(&Options::read(text, &[{}])?)
        }}

        /// Those of more options.
        pub(crate) fn {reader}_in(given: &Options<'_>) -> Result<{name}, Error> {{
            {locals}
            for (member, value) in given.members() {{ match member.as_ref() {{ {arms} _ => {{}} }} }}
            Ok({name} {{ {made} }})
        }}\n",
        head(name),
        names(options),
        reader = snake(name),
    );
    Ok(())
}

fn head(name: &str) -> String {
    format!(
        "/// Reads `{name}`.\n///\n/// # Errors\n///\n/// `bad_option` with a pointer to the first option that is unknown or has a wrong value.\n"
    )
}

fn names(options: &Options) -> String {
    let names = options
        .members
        .0
        .iter()
        .map(|(name, _)| format!("\"{name}\""));
    names.collect::<Vec<_>>().join(", ")
}

/// The type of an option in Rust, the expression that reads it, and whether it is put into `Some`.
fn value(api: &Api, option: &OptionMember) -> Result<(String, String, bool), String> {
    let (kind, optional) = match option.kind.strip_suffix('?') {
        Some(kind) => (kind, true),
        None => (option.kind.as_str(), false),
    };
    if let Some(path) = option.rust.as_ref().filter(|_| option.read.is_none()) {
        return Ok((
            path.clone(),
            "given.choice(&member, value)?".to_owned(),
            optional,
        ));
    }
    if let Some(read) = &option.read {
        let read = format!("options::{read}(value)?");
        let ty = option.rust.as_deref().unwrap_or("toolwire::Json");
        return Ok((ty.to_owned(), read, optional));
    }
    let max = option.max.unwrap_or(u64::from(u32::MAX));
    if kind == "map<text>" {
        let ty = "std::collections::BTreeMap<String, String>";
        return Ok((
            ty.to_owned(),
            "given.strings(&member, value)?".to_owned(),
            optional,
        ));
    }
    if kind.starts_with("callback ") {
        return Ok((
            "bool".to_owned(),
            "given.callback(&member, value)?".to_owned(),
            false,
        ));
    }
    if let Some(of) = kind
        .strip_prefix("map<")
        .and_then(|rest| rest.strip_suffix('>'))
    {
        let inner = api.options.get(of).and_then(|inner| inner.rust.as_deref());
        let inner =
            inner.ok_or_else(|| format!("`schema/api.json`: `{of}` has no type in Rust"))?;
        let ty = format!("std::collections::BTreeMap<String, {inner}>");
        return Ok((
            ty,
            format!("options::each(value, &member, self::{})?", snake(of)),
            optional,
        ));
    }
    let (ty, value) = match kind {
        "flag" => ("bool", "given.flag(&member, value)?".to_owned()),
        "count" => (
            "usize",
            format!("given.count(&member, value, {}..={max})?", option.min),
        ),
        "duration" => (
            "std::time::Duration",
            format!("given.duration(&member, value, {})?", option.min > 0),
        ),
        "path" => (
            "std::path::PathBuf",
            "given.path(&member, value)?".to_owned(),
        ),
        "json" => ("toolwire::Json", "toolwire::Json::from(value)".to_owned()),
        "text" => ("String", "given.owned(&member, value)?".to_owned()),
        "text[]" => ("Vec<String>", "given.texts(&member, value)?".to_owned()),
        "object" => {
            return Ok((
                "toolwire::Json".to_owned(),
                "given.object(&member, value)?".to_owned(),
                true,
            ));
        }
        "Limits" => ("toolwire::Limits", "self::limits(value.raw())?".to_owned()),
        word => match api.enums.get(word) {
            Some(words) => match &words.rust {
                Some(path) => {
                    return Ok((
                        path.clone(),
                        "given.choice(&member, value)?".to_owned(),
                        optional,
                    ));
                }
                None => {
                    let words: Vec<_> = words
                        .values
                        .iter()
                        .map(|word| format!("\"{word}\""))
                        .collect();
                    (
                        "String",
                        format!("given.word(&member, value, &[{}])?", words.join(", ")),
                    )
                }
            },
            None => return Err(format!("`schema/api.json`: no option can be `{word}`")),
        },
    };
    Ok((ty.to_owned(), value, optional))
}
