//! What the functions take: bytes without a copy, text as its UTF-8 bytes, and options.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyEllipsis, PyMapping, PyMemoryView, PyString};
use toolwire::{Code, Limits};
use toolwire_ffi::readers;

use crate::error::{raise, refuse};
use crate::to_json::{LONE_SURROGATE, append};

/// From this size on a call lets other threads run; below, that would cost more than it gives.
pub const DETACH_FROM: usize = 32 * 1024;

/// Runs work of the core, and lets other threads run meanwhile if the input is long.
pub fn detached<T: Send>(py: Python<'_>, length: usize, work: impl FnOnce() -> T + Send) -> T {
    if length < DETACH_FROM {
        work()
    } else {
        py.detach(work)
    }
}

/// An argument where None is a value, so that leaving it out is told by `...`.
pub enum Given<'py> {
    Absent,
    Value(Bound<'py, PyAny>),
}

impl<'py> Given<'py> {
    pub fn value(&self) -> Option<&Bound<'py, PyAny>> {
        match self {
            Given::Absent => None,
            Given::Value(value) => Some(value),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Given<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.is(PyEllipsis::get(object.py())) {
            return Ok(Given::Absent);
        }
        Ok(Given::Value(object.to_owned()))
    }
}

/// The bytes of an output. `bytes` are used as they are; other bytes-like objects can change under
/// our hands, so they are copied.
pub fn bytes_of<'py>(
    data: &Bound<'py, PyAny>,
    name: &str,
    code: Code,
) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = data.cast::<PyBytes>() {
        return Ok(bytes.clone());
    }
    if let Ok(text) = data.cast::<PyString>() {
        // Half of a surrogate pair has no UTF-8; written out it is found as `invalid_utf8`.
        return text.encode_utf8().or_else(|_| {
            let bytes = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
            Ok(bytes.cast_into::<PyBytes>()?)
        });
    }
    let Ok(view) = PyMemoryView::from(data) else {
        let hint = match data {
            _ if is_path(data) => "; give `path.read_bytes()`",
            _ if data.is_instance_of::<PyDict>() => "; give `json.dumps(value)`",
            _ => "",
        };
        let expected = "bytes, another bytes-like object or str";
        return Err(wrong_type(data, name, code, expected, hint));
    };
    Ok(view.call_method0("tobytes")?.cast_into::<PyBytes>()?)
}

/// The bytes of binary content; a str is refused, since it would leave open whether it is base64.
pub fn content_of<'py>(data: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyBytes>> {
    let hint = match data {
        _ if data.is_instance_of::<PyString>() => {
            "; give `text.encode()`, or of base64 what `base64.b64decode` gives"
        }
        _ if is_path(data) => "; give `path.read_bytes()`",
        _ if PyMemoryView::from(data).is_ok() => {
            return bytes_of(data, name, Code::BadArgument);
        }
        _ => "",
    };
    let expected = "bytes or another bytes-like object";
    Err(wrong_type(data, name, Code::BadArgument, expected, hint))
}

/// The JSON text of a document that is given as a mapping, or as its text.
pub fn document_of<'py>(value: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyBytes>> {
    let text = value.is_instance_of::<PyString>()
        || value.is_instance_of::<PyBytes>()
        || PyMemoryView::from(value).is_ok();
    if text {
        return bytes_of(value, name, Code::BadArgument);
    }
    if !value.is_instance_of::<PyDict>() && value.cast::<PyMapping>().is_err() {
        let expected = "a dict, or its JSON text as str or bytes";
        return Err(wrong_type(value, name, Code::BadArgument, expected, ""));
    }
    let mut json = String::new();
    append(value, "", Code::BadArgument, &mut json)?;
    Ok(PyBytes::new(value.py(), json.as_bytes()))
}

/// The text of an argument. `name` is the argument's, in the JSON spelling; `code` is for where it
/// is refused.
pub fn text_of<'a>(value: &'a Bound<'_, PyAny>, name: &str, code: Code) -> PyResult<Cow<'a, str>> {
    let Ok(text) = value.cast::<PyString>() else {
        let hint = match name {
            "uri" if is_path(value) => {
                "; `file_uri(path)` gives a file's URI, and `resource_from_file(path)` its content too"
            }
            _ if is_path(value) => "; give `str(path)`",
            _ if value.is_instance_of::<PyBytes>() => "; give `value.decode()`",
            _ => "",
        };
        return Err(wrong_type(value, name, code, "a str", hint));
    };
    text.to_cow()
        .map_err(|_| refuse(value.py(), code, &format!("/{name}"), LONE_SURROGATE))
}

/// The exception for a value of another type: the argument, what it takes and what was given.
/// `name` is in the JSON spelling, as pointers are; the message has Python's. `hint` says what to do.
pub fn wrong_type(
    value: &Bound<'_, PyAny>,
    name: &str,
    code: Code,
    expected: &str,
    hint: &str,
) -> PyErr {
    let message = format!(
        "`{}` is {expected}, not {}{hint}",
        in_python(name),
        kind_of(value)
    );
    refuse(value.py(), code, &format!("/{name}"), &message)
}

/// The name of a value's class, for a message.
pub fn kind_of(value: &Bound<'_, PyAny>) -> String {
    match value.get_type().name() {
        _ if value.is_none() => "`None`".to_owned(),
        Ok(name) => format!("`{name}`"),
        Err(_) => "another object".to_owned(),
    }
}

/// A name of the specification as Python spells it.
pub fn in_python(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

/// Whether a value is an `os.PathLike` and no str.
fn is_path(value: &Bound<'_, PyAny>) -> bool {
    value.get_type().hasattr("__fspath__").unwrap_or(false)
}

/// What a path object stands for, as `os.fspath` gives it; other values stay what they are.
pub fn fspath<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if is_path(value) {
        value.call_method0("__fspath__")
    } else {
        Ok(value.clone())
    }
}

/// A keyword argument that may be missing; None counts as missing.
pub type Keyword<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// The JSON form of the options that were given, so that the core alone judges them; None if there
/// are none. Names are in the JSON spelling.
pub fn options_json(options: &[(&str, Keyword<'_, '_>)]) -> PyResult<Option<String>> {
    let mut json = String::new();
    for (name, value) in options {
        let Some(value) = value else { continue };
        json.push(if json.is_empty() { '{' } else { ',' });
        json.push_str(&format!("\"{name}\":"));
        append(value, &format!("/{name}"), Code::BadOption, &mut json)?;
    }
    if json.is_empty() {
        return Ok(None);
    }
    json.push('}');
    Ok(Some(json))
}

/// The limits of reading, in the JSON spelling.
const LIMITS: [&str; 5] = [
    "maxBytes",
    "maxDepth",
    "maxValues",
    "maxBlocks",
    "maxDiagnostics",
];

/// Reads the option `limits`.
pub fn read_limits(given: Keyword<'_, '_>) -> PyResult<Limits> {
    let Some(given) = given else {
        return Ok(Limits::default());
    };
    let given = limits_in(given)?;
    let mut json = String::new();
    append(&given, "", Code::BadOption, &mut json)?;
    readers::limits(&json).map_err(|error| raise(given.py(), &error))
}

/// The option `limits` with its names in the JSON spelling.
pub fn limits_in<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    members_of(given, "limits", &LIMITS, None)
}

/// The members of an option that is a dict, with their names in the JSON spelling; one that is None is left
/// out. An unknown one is refused at `entry`, or else at its own name.
pub fn members_of<'py>(
    given: &Bound<'py, PyAny>,
    option: &str,
    known: &[&str],
    entry: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = given.py();
    let Ok(mapping) = given.cast::<PyMapping>() else {
        let expected = format!("a dict, such as `{{'{}': …}}`", in_python(known[1]));
        return Err(wrong_type(given, option, Code::BadOption, &expected, ""));
    };
    let members = PyDict::new(py);
    for item in mapping.items()? {
        let (name, value) = item.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
        let name = text_of(&name, option, Code::BadOption)?;
        let Some(member) = known.iter().find(|member| in_python(member) == name) else {
            let known: Vec<_> = known.iter().map(|member| in_python(member)).collect();
            let message = format!(
                "`{option}` has no `{name}`; there are `{}`",
                known.join("`, `")
            );
            let own = toolwire::json::pointer::join("", &name);
            return Err(refuse(py, Code::BadOption, entry.unwrap_or(&own), &message));
        };
        if !value.is_none() {
            members.set_item(member, value)?;
        }
    }
    Ok(members.into_any())
}

/// The name of a member of a view.
pub fn member_name<'a>(name: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, str>> {
    text_of(name, "name", Code::BadArgument)
}

/// The error for a member that has no JSON text of its own.
pub fn no_member(py: Python<'_>, name: &str) -> PyErr {
    let message = format!("no member `{name}` has a JSON text of its own here");
    refuse(py, Code::BadArgument, "/name", &message)
}
