//! Python values to JSON text, by hand: what JSON can't say is refused with its place, never bent.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};
use toolwire::Code;

use crate::error::refuse;
use crate::input::LONE_SURROGATE;

/// Nesting at which a value is refused; a value that holds itself ends here too. The core's own
/// limits are lower, this only guards the stack.
const DEPTH: usize = 1024;

/// Why a value has no JSON form. The path is collected on the way out of the nesting, so that the
/// good case pays nothing for it.
enum Refusal {
    Value { message: String, path: Vec<String> },
    Python(PyErr),
}

impl Refusal {
    fn new(message: impl Into<String>) -> Self {
        Refusal::Value {
            message: message.into(),
            path: Vec::new(),
        }
    }

    fn inside(mut self, step: impl FnOnce() -> String) -> Self {
        if let Refusal::Value { path, .. } = &mut self {
            path.push(step());
        }
        self
    }
}

impl From<PyErr> for Refusal {
    fn from(error: PyErr) -> Self {
        Refusal::Python(error)
    }
}

/// Appends the JSON text of a value. One that has none is refused with `code`, at `pointer`, such as
/// `/meta`, and the path inside of the value.
pub fn append(
    value: &Bound<'_, PyAny>,
    pointer: &str,
    code: Code,
    out: &mut String,
) -> PyResult<()> {
    write(value, out, DEPTH).map_err(|refusal| match refusal {
        Refusal::Python(error) => error,
        Refusal::Value { message, path } => {
            let mut place = pointer.to_owned();
            for step in path.iter().rev() {
                place.push('/');
                place.push_str(&step.replace('~', "~0").replace('/', "~1"));
            }
            refuse(value.py(), code, &place, &message)
        }
    })
}

fn write(value: &Bound<'_, PyAny>, out: &mut String, depth: usize) -> Result<(), Refusal> {
    if depth == 0 {
        return Err(Refusal::new(
            "the value is nested too deeply; perhaps it holds itself",
        ));
    }
    if let Ok(text) = value.cast::<PyString>() {
        write_str(text, out)
    } else if let Ok(dict) = value.cast::<PyDict>() {
        // A snapshot: the dict may be changed by another thread meanwhile.
        write_members(&dict.items(), out, depth)
    } else if let Ok(list) = value.cast::<PyList>() {
        write_items(list.iter(), out, depth)
    } else if value.is_none() {
        out.push_str("null");
        Ok(())
    } else if let Ok(flag) = value.cast::<PyBool>() {
        out.push_str(if flag.is_true() { "true" } else { "false" });
        Ok(())
    } else if let Ok(number) = value.cast::<PyInt>() {
        write_int(number, out)
    } else if let Ok(number) = value.cast::<PyFloat>() {
        write_float(number.value(), out)
    } else if let Ok(tuple) = value.cast::<PyTuple>() {
        write_items(tuple.iter(), out, depth)
    } else if let Ok(mapping) = value.cast::<PyMapping>() {
        write_members(&mapping.items()?, out, depth)
    } else {
        let kind = value.get_type().name()?;
        Err(Refusal::new(format!(
            "a value of type `{kind}` has no JSON form; \
                 give None, bool, int, float, str, list, tuple or a mapping"
        )))
    }
}

fn write_str(text: &Bound<'_, PyString>, out: &mut String) -> Result<(), Refusal> {
    let Ok(text) = text.to_cow() else {
        return Err(Refusal::new(LONE_SURROGATE));
    };
    quote(&text, out);
    Ok(())
}

/// Appends a JSON string.
pub fn quote(text: &str, out: &mut String) {
    out.push('"');
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.push_str(&text[plain..at]);
        plain = at + 1;
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            _ => out.push_str(&format!("\\u{byte:04x}")),
        }
    }
    out.push_str(&text[plain..]);
    out.push('"');
}

fn write_members(items: &Bound<'_, PyList>, out: &mut String, depth: usize) -> Result<(), Refusal> {
    out.push('{');
    for (index, item) in items.iter().enumerate() {
        let (key, member) = item.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
        let Ok(name) = key.cast::<PyString>() else {
            return Err(Refusal::new(format!(
                "a key of type `{}` has no JSON form; give keys of type str",
                key.get_type().name()?
            )));
        };
        if index > 0 {
            out.push(',');
        }
        let step = || name.to_string_lossy().into_owned();
        write_str(name, out).map_err(|refusal| refusal.inside(step))?;
        out.push(':');
        write(&member, out, depth - 1).map_err(|refusal| refusal.inside(step))?;
    }
    out.push('}');
    Ok(())
}

fn write_items<'py>(
    items: impl Iterator<Item = Bound<'py, PyAny>>,
    out: &mut String,
    depth: usize,
) -> Result<(), Refusal> {
    out.push('[');
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(&item, out, depth - 1).map_err(|refusal| refusal.inside(|| index.to_string()))?;
    }
    out.push(']');
    Ok(())
}

fn write_int(number: &Bound<'_, PyInt>, out: &mut String) -> Result<(), Refusal> {
    if let Ok(small) = number.extract::<i64>() {
        out.push_str(&small.to_string());
        return Ok(());
    }
    // The digits by `int` itself, since a subclass such as an enum may print something else.
    let digits = number
        .py()
        .get_type::<PyInt>()
        .call_method1("__repr__", (number,));
    let digits = digits.and_then(|text| text.extract::<String>());
    match digits {
        Ok(digits) if digits.parse::<f64>().is_ok_and(f64::is_finite) => {
            out.push_str(&digits);
            Ok(())
        }
        // Python refuses to print integers of more than some thousand digits.
        _ => Err(Refusal::new(
            "an integer is too large for a double; write it as a string",
        )),
    }
}

fn write_float(number: f64, out: &mut String) -> Result<(), Refusal> {
    if !number.is_finite() {
        return Err(Refusal::new(format!(
            "`{number}` is not JSON; give None or a string"
        )));
    }
    // Rust's text has enough digits to be the same double again, and is a JSON number.
    out.push_str(&format!("{number:?}"));
    Ok(())
}
