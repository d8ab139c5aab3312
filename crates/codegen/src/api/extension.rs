//! The functions of the compiled module for Python: how they are called, and how they are declared.

use super::{Api, Function, OptionMember, kind::qualified, python, snake};
use crate::python::{annotation, in_stub};
use std::fmt::Write;

/// A parameter: its name as the API has it, its kind, and whether it is an option.
pub struct Parameter<'a> {
    name: &'a str,
    kind: &'a str,
    is_option: bool,
}

impl Parameter<'_> {
    /// Whether None is a value, so that `...` stands for what is left out.
    fn takes_none(&self) -> bool {
        self.kind.ends_with("json...")
    }

    fn may_be_absent(&self) -> bool {
        self.is_option || self.kind.ends_with('?')
    }
}

/// The parameters of a constructor; those that may be absent are options.
pub fn of_constructor(parameters: &[(String, String)]) -> Vec<Parameter<'_>> {
    let all = parameters.iter().map(|(name, kind)| Parameter {
        name,
        kind,
        is_option: kind.ends_with('?'),
    });
    all.collect()
}

/// The parameters in the signature for PyO3, and in that of the Rust function.
pub fn signature(all: &[Parameter<'_>]) -> (String, String) {
    let (mut signature, mut types) = (Vec::new(), String::new());
    for parameter in all {
        let own = snake(parameter.name);
        if parameter.is_option && !signature.iter().any(|one: &String| one.starts_with('*')) {
            signature.push("*".to_owned());
        }
        let (star, ty, default) = match parameter.kind {
            "block..." => ("*", "&Bound<'py, PyTuple>", ""),
            _ if parameter.takes_none() => ("", "Given<'py>", " = Given::Absent"),
            _ if parameter.may_be_absent() => ("", "Keyword<'_, 'py>", " = None"),
            _ => ("", "&Bound<'py, PyAny>", ""),
        };
        signature.push(format!("{star}{own}{default}"));
        let _ = write!(types, ", {own}: {ty}");
    }
    (signature.join(", "), types)
}

/// The parameters as they are declared, without those that are a list of their own.
pub fn declared(all: &[Parameter<'_>]) -> Result<String, String> {
    let is_list = all.iter().any(|parameter| parameter.kind == "block...");
    let mut list: Vec<String> = Vec::new();
    for parameter in all.iter().filter(|parameter| parameter.kind != "block...") {
        let own = snake(parameter.name);
        if parameter.is_option && !is_list && !list.iter().any(|one| one == "*") {
            list.push("*".to_owned());
        }
        let ty = in_stub(&python::argument(parameter.kind.trim_end_matches('?'))?);
        list.push(match (parameter.takes_none(), parameter.may_be_absent()) {
            (true, _) => format!("{own}: {ty} = ..."),
            (_, true) => format!("{own}: {ty} | None = None"),
            _ => format!("{own}: {ty}"),
        });
    }
    Ok(list.join(", "))
}

fn parameters<'a>(api: &'a Api, function: &'a Function) -> Vec<Parameter<'a>> {
    let args = function.args.iter().map(|(name, kind)| Parameter {
        name,
        kind,
        is_option: false,
    });
    let mut all: Vec<_> = args.collect();
    let option = |(name, member): &'a (String, OptionMember)| Parameter {
        name,
        kind: &member.kind,
        is_option: true,
    };
    all.extend(api.options_of(function).iter().map(option));
    if function.reads {
        let limits = api.options.get("ReadOptions");
        all.extend(
            limits
                .iter()
                .flat_map(|group| group.members.0.iter().map(option)),
        );
    }
    all
}

/// The functions in Rust, and the registration of all classes and functions.
pub fn functions(api: &Api) -> String {
    let (mut out, mut register) = (String::new(), String::new());
    for (_, view) in &api.views.0 {
        let _ = writeln!(register, "module.add_class::<{}>()?;", view.python);
    }
    for (name, function) in api.of("toolwire") {
        out.push_str(&written(api, name, function));
        let _ = writeln!(
            register,
            "module.add_function(wrap_pyfunction!({name}, module)?)?;"
        );
    }
    format!(
        "{out}\n/// Adds the classes and the functions.
        pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {{ {register} Ok(()) }}\n"
    )
}

fn written(api: &Api, name: &str, function: &Function) -> String {
    let all = parameters(api, function);
    let (signature, types) = signature(&all);
    let (mut given, mut fields, mut options) = (Vec::new(), Vec::new(), Vec::new());
    for parameter in &all {
        let own = snake(parameter.name);
        let value = match parameter.kind {
            _ if parameter.takes_none() => format!("{own}.value()"),
            _ if parameter.may_be_absent() => own.clone(),
            _ => format!("Some({own})"),
        };
        let part = match parameter.kind {
            "text" | "Status" => "Text",
            "path" => "Path",
            "content" => "Content",
            _ => "Json",
        };
        if function.reads && parameter.is_option && parameter.name != "limits" {
            options.push(format!("(\"{}\", {value})", parameter.name));
            continue;
        }
        let field = format!("(\"{}\", Part::{part}, {value})", parameter.name);
        match (&function.python, function.fields && parameter.is_option) {
            (None, _) | (_, true) => fields.push(field),
            (Some(_), false) => given.push(own),
        }
    }
    let fields = format!("&[{}]", fields.join(", "));
    let call = match &function.python {
        None => format!("crate::build::block(py, \"{name}\", {fields})"),
        Some(path) => {
            given.extend(function.fields.then_some(fields));
            given.extend(function.reads.then(|| format!("&[{}]", options.join(", "))));
            format!("{path}({})", given.join(", "))
        }
    };
    let call = match function.returns.as_str() {
        "null" => format!("{call}?; Ok(py.None().into_bound(py))"),
        _ => format!("{call}?.into_bound_py_any(py)"),
    };
    let doc: String = python::docstring(api, name, function)
        .lines()
        .map(|line| format!("#[doc = {:?}]\n", format!(" {line}")))
        .collect();
    format!(
        "{doc}#[pyfunction]
        #[pyo3(signature = ({signature}))]
        fn {name}<'py>(py: Python<'py>{types}) -> PyResult<Bound<'py, PyAny>> {{ {call} }}\n"
    )
}

/// The declarations of the functions.
pub fn declarations(api: &Api) -> Result<String, String> {
    let mut out = String::new();
    for (name, function) in api.of("toolwire") {
        let all = parameters(api, function);
        let list = declared(&all)?;
        let returns = in_stub(&annotation(&qualified(&function.returns, "_types.")?.ty));
        if all.iter().any(|parameter| parameter.kind == "block...") {
            // One iterable is as good as many arguments.
            let _ = writeln!(
                out,
                "@overload\ndef {name}(*blocks: Block | _types.BlockDocument | str, {list}) -> {returns}: ..."
            );
            let _ = writeln!(
                out,
                "@overload\ndef {name}(blocks: Iterable[Block | _types.BlockDocument | str], /, *, {list}) -> {returns}: ..."
            );
        } else {
            let _ = writeln!(out, "def {name}({list}) -> {returns}: ...");
        }
    }
    Ok(out)
}
