//! Python values to JSON text, by hand: what JSON can't say is refused with its place, never bent.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};
use toolwire::Code;

use crate::error::refuse;

/// What to say of a `str` that can't be written as UTF-8.
pub const LONE_SURROGATE: &str = "a string holds half of a surrogate pair; \
    decode the bytes that it came from with the right encoding";

/// The levels that an argument may have: with the object of the arguments around them, so many as a
/// reader takes by default.
const LEVELS: usize = 127;

/// Why a value has no JSON form. The path is collected on the way out of the nesting, so that the
/// good case pays nothing for it.
enum Refusal {
    Value { message: String, path: Vec<String> },
    Deep(Nesting),
    Python(PyErr),
}

/// A way down that goes too deep: the innermost object, and each one around it with the step that
/// was taken from there, the innermost first. Objects are told apart by their addresses: all of them
/// were alive at once.
struct Nesting {
    innermost: usize,
    around: Vec<(usize, String)>,
}

impl Refusal {
    fn new(message: impl Into<String>) -> Self {
        Refusal::Value {
            message: message.into(),
            path: Vec::new(),
        }
    }

    fn inside(mut self, container: &Bound<'_, PyAny>, step: impl FnOnce() -> String) -> Self {
        match &mut self {
            Refusal::Value { path, .. } => path.push(step()),
            Refusal::Deep(nesting) => nesting.around.push((address(container), step())),
            Refusal::Python(_) => {}
        }
        self
    }
}

impl Nesting {
    /// The place to name and what to say of it.
    fn told(self, pointer: &str) -> (String, String) {
        let mut places = vec![pointer.to_owned()];
        let mut seen = Vec::new();
        for (container, step) in self.around.iter().rev() {
            seen.push(*container);
            let place = places.last().map_or("", String::as_str);
            let below = toolwire::json::pointer::join(place, step);
            places.push(below);
        }
        seen.push(self.innermost);
        for (inner, place) in places.iter().enumerate() {
            if let Some(outer) = seen[..inner].iter().position(|it| *it == seen[inner]) {
                let whole = &places[outer];
                let message =
                    format!("the value at `{whole}` holds itself, and JSON has no cycles");
                return (place.clone(), message);
            }
        }
        let message =
            format!("the value is nested deeper than {LEVELS} levels, as no reader takes it");
        (pointer.to_owned(), message)
    }
}

fn address(object: &Bound<'_, PyAny>) -> usize {
    object.as_ptr() as usize
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
    append_within(LEVELS, value, pointer, code, out)
}

/// The JSON text of a value that stands alone, so that it may have a level more.
pub fn alone(value: &Bound<'_, PyAny>, pointer: &str, code: Code) -> PyResult<String> {
    let mut out = String::new();
    append_within(LEVELS + 1, value, pointer, code, &mut out)?;
    Ok(out)
}

fn append_within(
    levels: usize,
    value: &Bound<'_, PyAny>,
    pointer: &str,
    code: Code,
    out: &mut String,
) -> PyResult<()> {
    write(value, out, levels).map_err(|refusal| match refusal {
        Refusal::Python(error) => error,
        Refusal::Deep(nesting) => {
            let (place, message) = nesting.told(pointer);
            refuse(value.py(), code, &place, &message)
        }
        Refusal::Value { message, path } => {
            let mut place = pointer.to_owned();
            for step in path.iter().rev() {
                toolwire::json::pointer::push(&mut place, step);
            }
            refuse(value.py(), code, &place, &message)
        }
    })
}

fn write(value: &Bound<'_, PyAny>, out: &mut String, levels: usize) -> Result<(), Refusal> {
    if let Ok(text) = value.cast::<PyString>() {
        write_str(text, out)
    } else if let Ok(dict) = value.cast::<PyDict>() {
        // A snapshot: the dict may be changed by another thread meanwhile.
        write_members(value, &dict.items(), out, levels)
    } else if let Ok(list) = value.cast::<PyList>() {
        write_items(value, list.iter(), out, levels)
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
        write_items(value, tuple.iter(), out, levels)
    } else if let Ok(mapping) = value.cast::<PyMapping>() {
        write_members(value, &mapping.items()?, out, levels)
    } else {
        let kind = value.get_type().name()?;
        let hint = instead(value);
        Err(Refusal::new(format!(
            "a value of type `{kind}` has no JSON form; give {hint}"
        )))
    }
}

/// What to give in place of a value, by what its class can do.
fn instead(value: &Bound<'_, PyAny>) -> &'static str {
    let class = value.get_type();
    let has = |name: &str| class.hasattr(name).unwrap_or(false);
    let called = |name: &str| class.name().is_ok_and(|class| class == name);
    match () {
        // NumPy: a scalar has `tolist` too.
        () if has("tolist") && !has("__iter__") => "`value.item()`",
        () if has("tolist") => "`value.tolist()`",
        () if has("isoformat") => "`value.isoformat()`",
        () if has("__dataclass_fields__") => "`dataclasses.asdict(value)`",
        () if has("to_dict") => "`value.to_dict()`",
        () if has("isdisjoint") => "`sorted(value)` or `list(value)`",
        () if has("__members__") => "`value.value`",
        () if has("decode") || called("memoryview") => {
            "its text, or its base64: `base64.b64encode(value).decode()`"
        }
        () if has("total_seconds") => "`value.total_seconds()`",
        () if has("__fspath__") || has("__cause__") => "`str(value)`",
        () if ["Decimal", "Fraction", "UUID"].into_iter().any(called) => "`str(value)`",
        () if has("__await__") => "what it gives: await it first",
        () if has("__iter__") => "`list(value)`",
        () => "None, bool, int, float, str, list, tuple or a mapping",
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

fn write_members(
    owner: &Bound<'_, PyAny>,
    items: &Bound<'_, PyList>,
    out: &mut String,
    levels: usize,
) -> Result<(), Refusal> {
    let levels = below(owner, levels)?;
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
        write_str(name, out).map_err(|refusal| refusal.inside(owner, step))?;
        out.push(':');
        write(&member, out, levels).map_err(|refusal| refusal.inside(owner, step))?;
    }
    out.push('}');
    Ok(())
}

fn write_items<'py>(
    owner: &Bound<'py, PyAny>,
    items: impl Iterator<Item = Bound<'py, PyAny>>,
    out: &mut String,
    levels: usize,
) -> Result<(), Refusal> {
    let levels = below(owner, levels)?;
    out.push('[');
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(&item, out, levels).map_err(|refusal| refusal.inside(owner, || index.to_string()))?;
    }
    out.push(']');
    Ok(())
}

/// The levels that are left inside of a container.
fn below(container: &Bound<'_, PyAny>, levels: usize) -> Result<usize, Refusal> {
    levels.checked_sub(1).ok_or_else(|| {
        Refusal::Deep(Nesting {
            innermost: address(container),
            around: Vec::new(),
        })
    })
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
