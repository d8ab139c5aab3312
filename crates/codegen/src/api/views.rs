//! The members of views, as a class of Python has them, and the declarations of the compiled module.

use super::{Api, View, extension, kind::parse, kind::qualified, snake, text::in_python};
use crate::Output;
use crate::python::{annotation, in_stub};
use crate::shapes::Type;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

const HEADER: &str = "// Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.\n";

const STUB: &str = "# Generated from schema/api.json and bindings-python/native.pyi. Do not edit: run `cargo xtask codegen`.\n";

pub fn outputs(api: &Api, root: &Path) -> Result<Vec<Output>, String> {
    let mut members = String::from(
        "//! The members of the classes, what all of them can do, and the functions.
        #![allow(clippy::too_many_arguments)] // Keyword arguments are how Python names options.
        use std::borrow::Cow;
        use pyo3::IntoPyObjectExt;
        use pyo3::prelude::*;
        use pyo3::types::{PyBytes, PyString, PyTuple, PyType};
        use crate::build::Part;
        use crate::input::{Given, Keyword, member_name, no_member};
        use crate::to_python::JsonMember;
        use crate::view::{Pickle, View};
        ",
    );
    let mut stub = String::new();
    for (name, view) in &api.views.0 {
        members.push_str(&class(view)?);
        stub.push_str(&declaration(name, view)?);
    }
    members.push_str(&extension::functions(api));
    stub.push_str(&extension::declarations(api)?);
    Ok(vec![
        Output {
            path: "bindings-python/src/members.rs".into(),
            text: crate::rust(HEADER, &members)?,
        },
        Output {
            path: "bindings-python/python/toolwire/_toolwire.pyi".into(),
            text: whole_stub(&crate::read(root, "bindings-python/native.pyi")?, &stub),
        },
    ])
}

/// The methods of a class; PyO3 wants them in one block.
fn class(view: &View) -> Result<String, String> {
    let mut methods = String::new();
    if !view.new.is_empty() {
        methods.push_str(&constructor(&view.new));
    }
    let mut texts = String::new();
    for (name, member) in &view.members.0 {
        let name = snake(name);
        let kind = parse(member.kind())?;
        let path = member.path();
        let is_own = path == Some("own") || has_view(&kind.ty);
        let default = if view.fields {
            name.clone()
        } else {
            format!("{name}()")
        };
        let path = path.unwrap_or(&default);
        let is_json = matches!(&kind.ty, Type::Json | Type::Map(_)) && !is_own;
        if is_json {
            let _ = writeln!(
                texts,
                "\"{name}\" => self.core().{path}.member_text().map(|text| PyString::new(py, text)),"
            );
        }
        let value = match &kind.ty {
            _ if is_own => format!("self.get_{name}(py)?.into_bound_py_any(py)"),
            _ if is_json => format!("self.core().{path}.member_value(py)"),
            // Whether a member is there.
            Type::Flag if member.path().is_some() => {
                format!("self.core().{path}.is_some().into_bound_py_any(py)")
            }
            Type::Bytes if kind.optional => format!(
                "self.core().{path}.map(|bytes| PyBytes::new(py, &bytes)).into_bound_py_any(py)"
            ),
            Type::Bytes => format!("PyBytes::new(py, &self.core().{path}).into_bound_py_any(py)"),
            Type::Named(_) if kind.optional => {
                format!("self.core().{path}.map(|word| word.as_str()).into_bound_py_any(py)")
            }
            Type::Named(_) => format!("self.core().{path}.as_str().into_bound_py_any(py)"),
            Type::Array(inner) if matches!(**inner, Type::Named(_)) => format!(
                "self.core().{path}.map(|words| words.iter().map(|word| word.as_str()).collect::<Vec<_>>())
                    .into_bound_py_any(py)"
            ),
            _ if path.ends_with(')') => format!("self.core().{path}.into_bound_py_any(py)"),
            _ => format!("(&self.core().{path}).into_bound_py_any(py)"),
        };
        let function = if name == "type" { "r#type" } else { &name };
        let _ = write!(
            methods,
            "#[doc = {:?}] #[getter]
            fn {function}<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {{ {value} }}\n",
            format!(" {}", in_python(member.doc()))
        );
    }
    if !texts.is_empty() {
        let _ = write!(
            methods,
            "/// The JSON text of a member, unchanged, by its name; None if it is absent.
            fn member_json<'py>(&self, name: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyString>>> {{
                let py = name.py();
                Ok(match &*member_name(name)? {{ {texts} other => return Err(no_member(py, other)) }})
            }}\n"
        );
    }
    if view.document.is_some() {
        methods.push_str(
            "/// The whole as a dict, including unknown members.
            fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> { View::dict(self, py) }\n",
        );
    }
    methods.push_str(
        "/// The JSON text: in exact form if it was made here, unchanged if it was read.
        #[getter(json)] fn whole(&self) -> Cow<'_, str> { View::text(self) }
        fn __repr__(&self, py: Python<'_>) -> PyResult<String> { View::shown(self, py) }
        fn __copy__(slf: Py<Self>) -> Py<Self> { slf }
        fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> { slf }\n",
    );
    for operator in &view.operators {
        methods.push_str(match operator.as_str() {
            "bytes" => {
                "fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> { PyBytes::new(py, View::text(self).as_bytes()) }\n"
            }
            "eq" => {
                "fn __eq__(&self, py: Python<'_>, other: PyRef<'_, Self>) -> PyResult<bool> { View::equals(self, py, &other) }\n"
            }
            "from_json" => {
                "/// Read a JSON text, which must be one. Raises `ToolwireError` if it is not. To read any output of a tool, use `parse`.
                ///
                /// >>> import toolwire
                /// >>> toolwire.Envelope.from_json('{\"content\": []}')
                /// <toolwire.Envelope 0 blocks>
                #[classmethod]
                fn from_json(_class: &Bound<'_, PyType>, data: &Bound<'_, PyAny>) -> PyResult<Self> { Self::read(data) }\n"
            }
            "hash" => "fn __hash__(&self, py: Python<'_>) -> PyResult<isize> { PyBytes::new(py, &View::key(self, py)?).hash() }\n",
            "pickle" => {
                "fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
                    Ok((py.get_type::<Self>().getattr(\"_restore\")?, Pickle::pickled(self, py)?))
                }
                #[classmethod]
                #[pyo3(signature = (*state))]
                fn _restore(_class: &Bound<'_, PyType>, state: &Bound<'_, PyTuple>) -> PyResult<Self> { Pickle::restore(state) }\n"
            }
            "text" => "fn __str__(&self) -> Cow<'_, str> { View::printed(self) }\n",
            other => return Err(format!("`schema/api.json`: there is no operator `{other}`")),
        });
    }
    Ok(format!(
        "#[pymethods] impl {} {{ {methods} }}\n",
        view.python
    ))
}

fn has_view(ty: &Type) -> bool {
    match ty {
        Type::View(_) => true,
        Type::Array(inner) | Type::Map(inner) => has_view(inner),
        _ => false,
    }
}

fn constructor(parameters: &[(String, String)]) -> String {
    let (signature, types) = extension::signature(&extension::of_constructor(parameters));
    let names: Vec<_> = parameters.iter().map(|(name, _)| name.as_str()).collect();
    format!(
        "#[new]
        #[pyo3(signature = ({signature}))]
        fn construct<'py>(py: Python<'py>{types}) -> PyResult<Self> {{ Self::make(py, {}) }}\n",
        names.join(", "),
    )
}

fn declaration(name: &str, view: &View) -> Result<String, String> {
    let mut out = format!(
        "@final\nclass {name}:\n    \"\"\"{}\"\"\"\n\n",
        in_python(&view.doc)
    );
    if !view.new.is_empty() {
        let parameters = extension::declared(&extension::of_constructor(&view.new))?;
        let _ = writeln!(out, "    def __new__(cls, {parameters}) -> Self: ...");
    }
    let mut texts = Vec::new();
    for (member, of) in &view.members.0 {
        let (member, kind) = (snake(member), qualified(of.kind(), "_types.")?);
        let optional = if kind.optional && !matches!(kind.ty, Type::Json) {
            " | None"
        } else {
            ""
        };
        let _ = writeln!(
            out,
            "    @property\n    def {member}(self) -> {}{optional}:\n        \"\"\"{}\"\"\"",
            in_stub(&annotation(&kind.ty)),
            in_python(of.doc())
        );
        if matches!(&kind.ty, Type::Json | Type::Map(_))
            && !has_view(&kind.ty)
            && of.path() != Some("own")
        {
            texts.push(format!("\"{member}\""));
        }
    }
    if !texts.is_empty() {
        let _ = writeln!(
            out,
            "    def member_json(self, name: Literal[{}]) -> str | None: ...",
            texts.join(", ")
        );
    }
    if let Some(document) = &view.document {
        let _ = writeln!(out, "    def to_dict(self) -> _types.{document}: ...");
    }
    out.push_str("    @property\n    def json(self) -> str: ...\n    def __copy__(self) -> Self: ...\n    def __deepcopy__(self, _memo: Any) -> Self: ...\n");
    for operator in &view.operators {
        out.push_str(match operator.as_str() {
            "bytes" => "    def __bytes__(self) -> _Bytes: ...\n",
            "eq" => "    def __eq__(self, other: object, /) -> bool: ...\n",
            "from_json" => {
                "    @classmethod\n    def from_json(cls, data: _types.Output) -> Self: ...\n"
            }
            "hash" => "    def __hash__(self) -> int: ...\n",
            _ => "",
        });
    }
    out.push('\n');
    Ok(out)
}

/// What is written by hand, with the classes of the views, and the list of all names.
fn whole_stub(native: &str, views: &str) -> String {
    let both = native.replacen("# The views.\n", views, 1);
    let names = both.lines().filter_map(|line| {
        let rest = line.strip_prefix("class ").or(line.strip_prefix("def "))?;
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        Some(&rest[..end.unwrap_or(rest.len())])
    });
    let names: BTreeSet<&str> = names
        .filter(|name| !name.starts_with('_'))
        .chain(["__version__"])
        .collect();
    let list: String = names
        .iter()
        .map(|name| format!("    \"{name}\",\n"))
        .collect();
    format!("{STUB}{}", both.replacen("ALL", &list, 1))
}
