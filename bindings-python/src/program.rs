//! What is called, as Python gives it: a program, and the options of what runs.

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMapping, PyString};
use toolwire::Code;
use toolwire_ffi::caller::{Caller, FUNCTION, Failure, Unit};
use toolwire_host::Command;

use crate::error::{raise, raise_server, refuse};
use crate::exchange::alternatives;
use crate::input::{fspath, in_python, limits_in, wrong_type};
use crate::to_json::append;

/// The options that were given, by their names in Python, as JSON text: a path is its text, and a function is
/// [`FUNCTION`].
pub fn options_of(options: &Bound<'_, PyDict>) -> PyResult<String> {
    let mut json = String::from("{");
    for (name, value) in options {
        if value.is_none() {
            continue;
        }
        let name = in_json(&name.extract::<String>()?);
        let value = match &*name {
            "limits" => limits_in(&value)?,
            "refusals" => alternatives(&value)?,
            "rules" => rules_in(&value)?,
            _ => fspath(&value)?,
        };
        if json.len() > 1 {
            json.push(',');
        }
        json.push_str(&format!("\"{name}\":"));
        match value.is_callable() {
            true => json.push_str(FUNCTION),
            false => append(&value, &format!("/{name}"), Code::BadOption, &mut json)?,
        }
    }
    json.push('}');
    Ok(json)
}

/// Rules with their names in the JSON spelling; actions can be a set.
fn rules_in<'py>(rules: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let Ok(mapping) = rules.cast::<PyMapping>() else {
        return Err(wrong_type(rules, "rules", Code::BadOption, "a dict", ""));
    };
    let named = PyDict::new(rules.py());
    for item in mapping.items()? {
        let (name, value) = item.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
        let Ok(name) = name.extract::<String>() else {
            let expected = "a dict whose keys are str";
            return Err(wrong_type(&name, "rules", Code::BadOption, expected, ""));
        };
        let is_set = name == "approve" && !value.is_instance_of::<PyString>();
        let value = match value.try_iter() {
            Ok(actions) if is_set => {
                let actions = actions.collect::<PyResult<Vec<_>>>()?;
                pyo3::types::PyList::new(rules.py(), actions)?.into_any()
            }
            _ => value,
        };
        named.set_item(in_json(&name), value)?;
    }
    Ok(named.into_any())
}

/// A name of Python as the specification spells it.
fn in_json(name: &str) -> String {
    let mut words = name.split('_');
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        camel.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
    }
    camel
}

/// This process, whose signals with these numbers nobody handles.
pub fn caller(py: Python<'_>, signals: Vec<i32>) -> PyResult<Caller> {
    let interpreters = python(py)?.map(|python| ("py", python));
    Ok(Caller {
        unit: Unit::Seconds,
        signals,
        interpreters: interpreters.into_iter().collect(),
    })
}

/// The exception for what does not begin. A message names an option as Python spells it.
pub fn raise_failure(py: Python<'_>, failure: &Failure) -> PyErr {
    match failure {
        Failure::Failed(error) => raise_server(py, error),
        Failure::Refused(error) => raise(py, &spelled(error)),
    }
}

fn spelled(error: &toolwire::Error) -> toolwire::Error {
    let name = error.pointer().split('/').nth(1).unwrap_or_default();
    let message = error.message();
    let message = message.replacen(&format!("`{name}`"), &format!("`{}`", in_python(name)), 1);
    toolwire::Error::new(error.code(), error.pointer(), error.offset(), message)
}

/// The Python that runs this host; nothing if it is an application that has Python built in.
fn python(py: Python<'_>) -> PyResult<Option<PathBuf>> {
    let sys = py.import("sys")?;
    if sys.hasattr("frozen")? {
        return Ok(None);
    }
    let python: Option<PathBuf> = sys.getattr("executable")?.extract().unwrap_or(None);
    Ok(python.filter(|python| !python.as_os_str().is_empty()))
}

/// A program, or an argument vector.
pub fn command_of(program: &Bound<'_, PyAny>, name: &str) -> PyResult<Command> {
    let is_one = program.is_instance_of::<PyString>()
        || program.is_instance_of::<PyBytes>()
        || program.get_type().hasattr("__fspath__").unwrap_or(false);
    if is_one {
        return Ok(Command::new(path(program, name)?));
    }
    let Ok(items) = program.try_iter() else {
        let expected = "a str, a path, or a list of them: the program and its arguments";
        return Err(wrong_type(program, name, Code::BadArgument, expected, ""));
    };
    let mut words = Vec::new();
    for (index, item) in items.enumerate() {
        words.push(path(&item?, &format!("{name}/{index}"))?);
    }
    if words.is_empty() {
        let message = format!("`{name}` is empty; give at least the program");
        let (py, pointer) = (program.py(), format!("/{name}"));
        return Err(refuse(py, Code::BadArgument, &pointer, &message));
    }
    let program = words.remove(0);
    Ok(Command::new(program).args(words))
}

/// What the system is given for a str or a path.
fn path(value: &Bound<'_, PyAny>, name: &str) -> PyResult<OsString> {
    value
        .extract::<PathBuf>()
        .map(PathBuf::into_os_string)
        .map_err(|_| {
            let expected = "a str or an os.PathLike of str";
            wrong_type(value, name, Code::BadArgument, expected, "")
        })
}
