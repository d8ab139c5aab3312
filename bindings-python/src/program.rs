//! What is called, as Python gives it: a program, how it is run, and the call itself.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyMapping, PyString};
use toolwire::call::Call;
use toolwire::{Code, Limits};
use toolwire_host::manifest::ManifestTool;
use toolwire_host::{Command, Environment, Process, ProcessOptions};

use crate::error::{raise, refuse};
use crate::input::{Keyword, document_of, fspath, in_python, read_limits, wrong_type};

/// The arguments of `run`, by their names.
pub struct Arguments<'a, 'py>(pub &'a Bound<'py, PyDict>);

impl<'py> Arguments<'_, 'py> {
    /// One of them, unless it is None.
    pub fn get(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let value = self.0.get_item(name)?;
        Ok(value.filter(|value| !value.is_none()))
    }

    /// The program and how it is run.
    pub fn process(&self) -> PyResult<Process> {
        let options = self.process_options(None)?;
        let Some(program) = self.0.get_item("program")? else {
            let message = "give the program that is called";
            return Err(refuse(self.0.py(), Code::BadArgument, "/program", message));
        };
        Ok(Process::new(command_of(&program, "program")?, options))
    }

    /// How the program is run: as these arguments say, then as the manifest says of the tool.
    pub fn process_options(&self, tool: Option<&ManifestTool>) -> PyResult<ProcessOptions> {
        let mut options = tool.map_or_else(ProcessOptions::default, ManifestTool::process_options);
        if let Some(inherit) = self.get("inherit")? {
            let inherited = inherited(&inherit)?;
            options.environment = match tool {
                Some(tool) => tool.environment(inherited),
                None => inherited,
            };
        }
        if let Some(python) = python(self.0.py())? {
            options.interpreters.insert("py".to_owned(), python);
        }
        options.environment = with_variables(options.environment, self.get("env")?.as_ref())?;
        if let Some(cwd) = self.get("cwd")? {
            options.cwd = Some(PathBuf::from(path(&cwd, "cwd", Code::BadOption)?));
        }
        if let Some(timeout) = self.seconds("timeout")? {
            options.timeout = Some(timeout);
        }
        if let Some(most) = self.get("max_output")? {
            let wrong = |_| unfit(&most, "maxOutput", "a whole number of bytes");
            options.max_output = most.extract().map_err(wrong)?;
        }
        if let Some(limits) = self.get("limits")? {
            options.limits = read_limits(Some(&limits))?;
        }
        Ok(options)
    }

    /// A time that is given in seconds.
    pub fn seconds(&self, name: &str) -> PyResult<Option<Duration>> {
        let Some(given) = self.get(name)? else {
            return Ok(None);
        };
        let seconds = given.extract::<f64>().ok().filter(|time| *time > 0.0);
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let wrong = || unfit(&given, name, "a number of seconds above 0");
        Ok(Some(time.ok_or_else(wrong)?))
    }

    /// The call of a tool of this program.
    pub fn call(&self, command: &Command) -> PyResult<Call> {
        let py = self.0.py();
        let (tool, context) = (PyDict::new(py), PyDict::new(py));
        let action = self.get("action")?;
        let name = self.get("tool")?;
        match name {
            Some(name) => tool.set_item("name", name)?,
            // Who asks for a description and names no tool, asks for all of them.
            None if matches!(&action, Some(action) if action.eq("describe")?) => {}
            None => {
                let stem = Path::new(command.program()).file_stem();
                tool.set_item("name", stem.unwrap_or_default().to_string_lossy())?;
            }
        }
        for name in ["arguments", "options"] {
            let value = self.get(name)?;
            tool.set_item(name, value.unwrap_or_else(|| PyDict::new(py).into_any()))?;
        }
        context.set_item(
            "action",
            action.unwrap_or(PyString::new(py, "run").into_any()),
        )?;
        if let Some(root) = self.get("root")? {
            context.set_item("root", fspath(&root)?)?;
        }
        let document = PyDict::new(py);
        document.set_item("tool", tool)?;
        document.set_item("context", context)?;
        let document = document_of(&document, "call")?;
        Call::from_json(document.as_bytes(), &Limits::default()).map_err(|error| raise(py, &error))
    }
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
        return Ok(Command::new(path(program, name, Code::BadArgument)?));
    }
    let Ok(items) = program.try_iter() else {
        let expected = "a str, a path, or a list of them: the program and its arguments";
        return Err(wrong_type(program, name, Code::BadArgument, expected, ""));
    };
    let mut words = Vec::new();
    for (index, item) in items.enumerate() {
        words.push(path(&item?, &format!("{name}/{index}"), Code::BadArgument)?);
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
fn path(value: &Bound<'_, PyAny>, name: &str, code: Code) -> PyResult<OsString> {
    value
        .extract::<PathBuf>()
        .map(PathBuf::into_os_string)
        .map_err(|_| wrong_type(value, name, code, "a str or an os.PathLike of str", ""))
}

/// Refuses an option by its value: of a number that says more than its class.
fn unfit(value: &Bound<'_, PyAny>, name: &str, expected: &str) -> PyErr {
    match value.extract::<f64>() {
        Ok(number) => {
            let message = format!("`{}` is {expected}, not `{number}`", in_python(name));
            refuse(value.py(), Code::BadOption, &format!("/{name}"), &message)
        }
        Err(_) => wrong_type(value, name, Code::BadOption, expected, ""),
    }
}

/// Which of this process's variables the tool inherits: a word, or names.
pub fn inherited(inherit: &Bound<'_, PyAny>) -> PyResult<Environment> {
    let expected = "'all', 'standard' or a list of variable names";
    let wrong = || wrong_type(inherit, "inherit", Code::BadOption, expected, "");
    let read = match inherit.extract::<String>() {
        Ok(word) => word.parse(),
        Err(_) if inherit.is_instance_of::<PyDict>() || inherit.is_instance_of::<PyBytes>() => {
            return Err(wrong());
        }
        Err(_) => {
            let items = inherit.try_iter().map_err(|_| wrong())?;
            let names = items.map(|item| item?.extract::<OsString>().map_err(|_| wrong()));
            Environment::from_names(names.collect::<PyResult<Vec<_>>>()?)
        }
    };
    read.map_err(|error| {
        let message = format!("`inherit`: {error}");
        refuse(inherit.py(), Code::BadOption, "/inherit", &message)
    })
}

/// An environment with the variables that are set beside what is inherited.
fn with_variables(mut environment: Environment, env: Keyword<'_, '_>) -> PyResult<Environment> {
    let Some(env) = env else {
        return Ok(environment);
    };
    for (name, value) in pairs_of::<OsString>(env, "env")? {
        environment = environment.with(name, value);
    }
    Ok(environment)
}

/// A dict of strings.
pub fn strings_of(arguments: &Arguments<'_, '_>, name: &str) -> PyResult<Vec<(String, String)>> {
    match arguments.get(name)? {
        Some(dict) => pairs_of(&dict, name),
        None => Ok(Vec::new()),
    }
}

fn pairs_of<'py, T>(dict: &Bound<'py, PyAny>, name: &str) -> PyResult<Vec<(T, T)>>
where
    T: for<'a> FromPyObject<'a, 'py>,
{
    let expected = "a dict of str to str";
    let wrong = |it: &Bound<'_, PyAny>| wrong_type(it, name, Code::BadOption, expected, "");
    if !dict.is_instance_of::<PyDict>() && dict.cast::<PyMapping>().is_err() {
        return Err(wrong(dict));
    }
    let mut pairs = Vec::new();
    for item in dict.call_method0("items")?.try_iter()? {
        let (key, value) = item?.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
        let text = |it: &Bound<'py, PyAny>| it.extract::<T>().map_err(|_| wrong(it));
        pairs.push((text(&key)?, text(&value)?));
    }
    Ok(pairs)
}
