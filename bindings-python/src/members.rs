// Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.

//! The members of the classes, what all of them can do, and the functions.
#![allow(clippy::too_many_arguments)]
use std::borrow::Cow;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple, PyType};
use crate::build::Part;
use crate::input::{Given, Keyword, member_name, no_member};
use crate::to_python::JsonMember;
use crate::view::{Pickle, View};
#[pymethods]
impl crate::diagnostic::PyDiagnostic {
    /// A code from the registry, such as `missing_field`.
    #[getter]
    fn code<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().code.as_str().into_bound_py_any(py)
    }
    /// `error`, `warning` or `note`.
    #[getter]
    fn severity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().severity.as_str().into_bound_py_any(py)
    }
    /// The place as a JSON Pointer into the document; empty for the whole.
    #[getter]
    fn pointer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().pointer).into_bound_py_any(py)
    }
    /// The place as a byte offset into the output, or None.
    #[getter]
    fn offset<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().offset).into_bound_py_any(py)
    }
    /// A sentence for a person.
    #[getter]
    fn message<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().message).into_bound_py_any(py)
    }
    /// The unchanged JSON text of a block that was skipped, or None.
    #[getter]
    fn raw<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().raw).into_bound_py_any(py)
    }
    /// What to do about it.
    #[getter]
    fn help<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().code.help().into_bound_py_any(py)
    }
    /// The id of the rule in the specification.
    #[getter]
    fn rule<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().code.rule().into_bound_py_any(py)
    }
    /// The JSON text: in exact form if it was made here, unchanged if it was read.
    #[getter(json)]
    fn whole(&self) -> Cow<'_, str> {
        View::text(self)
    }
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        View::shown(self, py)
    }
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
    fn __eq__(&self, py: Python<'_>, other: PyRef<'_, Self>) -> PyResult<bool> {
        View::equals(self, py, &other)
    }
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyBytes::new(py, &View::key(self, py)?).hash()
    }
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        Ok((py.get_type::<Self>().getattr("_restore")?, Pickle::pickled(self, py)?))
    }
    #[classmethod]
    #[pyo3(signature = (*state))]
    fn _restore(
        _class: &Bound<'_, PyType>,
        state: &Bound<'_, PyTuple>,
    ) -> PyResult<Self> {
        Pickle::restore(state)
    }
    fn __str__(&self) -> Cow<'_, str> {
        View::printed(self)
    }
}
#[pymethods]
impl crate::event::PyProgress {
    /// How much is done, in any unit. It can go back, for example where a tool begins its next step.
    #[getter]
    fn done<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().done).into_bound_py_any(py)
    }
    /// How much there is to do, or None if that is not known.
    #[getter]
    fn total<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().total).into_bound_py_any(py)
    }
    /// What the tool does just now, or None. It is untrusted text.
    #[getter]
    fn message<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().message).into_bound_py_any(py)
    }
    /// The share that is done, from 0 to 1; None if the total is not known.
    #[getter]
    fn fraction<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().fraction().into_bound_py_any(py)
    }
    /// The JSON text: in exact form if it was made here, unchanged if it was read.
    #[getter(json)]
    fn whole(&self) -> Cow<'_, str> {
        View::text(self)
    }
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        View::shown(self, py)
    }
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
    fn __eq__(&self, py: Python<'_>, other: PyRef<'_, Self>) -> PyResult<bool> {
        View::equals(self, py, &other)
    }
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyBytes::new(py, &View::key(self, py)?).hash()
    }
}
#[pymethods]
impl crate::event::PyMessage {
    /// How serious it is: a level of syslog and MCP, from `debug` to `emergency`.
    #[getter]
    fn level<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().level.as_str().into_bound_py_any(py)
    }
    /// What the tool says. It is untrusted text.
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().text).into_bound_py_any(py)
    }
    /// The part of the tool that says it, or None. The host's own remarks are from `toolwire`.
    #[getter]
    fn logger<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().logger).into_bound_py_any(py)
    }
    /// The JSON text: in exact form if it was made here, unchanged if it was read.
    #[getter(json)]
    fn whole(&self) -> Cow<'_, str> {
        View::text(self)
    }
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        View::shown(self, py)
    }
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
    fn __eq__(&self, py: Python<'_>, other: PyRef<'_, Self>) -> PyResult<bool> {
        View::equals(self, py, &other)
    }
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyBytes::new(py, &View::key(self, py)?).hash()
    }
}
#[pymethods]
impl crate::parsed::PyParsed {
    /// `valid`, `warnings` (something in it was skipped or ignored) or `raw` (it is not an envelope).
    #[getter]
    fn verdict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.get_verdict(py)?.into_bound_py_any(py)
    }
    /// Whether the output is raw text and not an envelope, which is not an error.
    #[getter]
    fn is_raw<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().is_raw().into_bound_py_any(py)
    }
    /// The unchanged output.
    #[getter]
    fn raw<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.get_raw(py)?.into_bound_py_any(py)
    }
    /// The envelope. For raw text, it has a single text block.
    #[getter]
    fn envelope<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.get_envelope(py)?.into_bound_py_any(py)
    }
    /// The diagnostics, in the order of the output.
    #[getter]
    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.get_diagnostics(py)?.into_bound_py_any(py)
    }
    /// Whether the result is an error.
    #[getter]
    fn is_error<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().is_error().into_bound_py_any(py)
    }
    /// `running`, `waiting` or `stopped`; stopped if the output does not say.
    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().status().as_str().into_bound_py_any(py)
    }
    /// Whether the tool says that a retry may help.
    #[getter]
    fn transient<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().transient().into_bound_py_any(py)
    }
    /// The messages of the causes of an error, nearest first.
    #[getter]
    fn trace<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().trace().into_bound_py_any(py)
    }
    /// The structured content; None if it is null or absent.
    #[getter]
    fn structured_content<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().structured_content().member_value(py)
    }
    /// The blocks that were skipped: dicts with their `index` in `content` and their unchanged `json` text.
    #[getter]
    fn skipped<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.get_skipped(py)?.into_bound_py_any(py)
    }
    /// The JSON text of a member, unchanged, by its name; None if it is absent.
    fn member_json<'py>(
        &self,
        name: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyString>>> {
        let py = name.py();
        Ok(
            match &*member_name(name)? {
                "structured_content" => {
                    self.core()
                        .structured_content()
                        .member_text()
                        .map(|text| PyString::new(py, text))
                }
                other => return Err(no_member(py, other)),
            },
        )
    }
    /// The JSON text: in exact form if it was made here, unchanged if it was read.
    #[getter(json)]
    fn whole(&self) -> Cow<'_, str> {
        View::text(self)
    }
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        View::shown(self, py)
    }
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
    fn __eq__(&self, py: Python<'_>, other: PyRef<'_, Self>) -> PyResult<bool> {
        View::equals(self, py, &other)
    }
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyBytes::new(py, &View::key(self, py)?).hash()
    }
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        Ok((py.get_type::<Self>().getattr("_restore")?, Pickle::pickled(self, py)?))
    }
    #[classmethod]
    #[pyo3(signature = (*state))]
    fn _restore(
        _class: &Bound<'_, PyType>,
        state: &Bound<'_, PyTuple>,
    ) -> PyResult<Self> {
        Pickle::restore(state)
    }
}
#[pymethods]
impl crate::answer::PyAnswer {
    #[new]
    #[pyo3(signature = (value = Given::Absent, *, state = None, source = None))]
    fn construct<'py>(
        py: Python<'py>,
        value: Given<'py>,
        state: Keyword<'_, 'py>,
        source: Keyword<'_, 'py>,
    ) -> PyResult<Self> {
        Self::make(py, value, state, source)
    }
    /// `accepted`, `opened`, `declined`, `cancelled` or `unavailable`.
    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().state().as_str().into_bound_py_any(py)
    }
    /// `user`, `assistant`, `default` or `policy`; None if it is not known.
    #[getter]
    fn source<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().source().map(|word| word.as_str()).into_bound_py_any(py)
    }
    /// Whether there is a value.
    #[getter]
    fn accepted<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().value().is_some().into_bound_py_any(py)
    }
    /// The value; None if it is null or if there is none.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().value().member_value(py)
    }
    /// The JSON text of a member, unchanged, by its name; None if it is absent.
    fn member_json<'py>(
        &self,
        name: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyString>>> {
        let py = name.py();
        Ok(
            match &*member_name(name)? {
                "value" => {
                    self.core().value().member_text().map(|text| PyString::new(py, text))
                }
                other => return Err(no_member(py, other)),
            },
        )
    }
    /// The JSON text: in exact form if it was made here, unchanged if it was read.
    #[getter(json)]
    fn whole(&self) -> Cow<'_, str> {
        View::text(self)
    }
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        View::shown(self, py)
    }
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
    fn __eq__(&self, py: Python<'_>, other: PyRef<'_, Self>) -> PyResult<bool> {
        View::equals(self, py, &other)
    }
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyBytes::new(py, &View::key(self, py)?).hash()
    }
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        Ok((py.get_type::<Self>().getattr("_restore")?, Pickle::pickled(self, py)?))
    }
    #[classmethod]
    #[pyo3(signature = (*state))]
    fn _restore(
        _class: &Bound<'_, PyType>,
        state: &Bound<'_, PyTuple>,
    ) -> PyResult<Self> {
        Pickle::restore(state)
    }
}
#[pymethods]
impl crate::exchange::PyPendingQuestion {
    /// The question's id.
    #[getter]
    fn id<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().question.id).into_bound_py_any(py)
    }
    /// The short text to show.
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().question.text).into_bound_py_any(py)
    }
    /// The JSON Schema of the answer.
    #[getter]
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().question.schema.member_value(py)
    }
    /// The default, if it fits the schema; None if it is null or if there is none.
    #[getter]
    fn default<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().default.member_value(py)
    }
    /// Whether there is a default that fits; it may be null.
    #[getter]
    fn has_default<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().default.is_some().into_bound_py_any(py)
    }
    /// The page where the person answers, if not in a form; otherwise None. The only answer with which a person agrees to open it is `Answer(state='opened')`.
    #[getter]
    fn url<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().question.url).into_bound_py_any(py)
    }
    /// How a person is asked, as returned by `prompt`.
    #[getter]
    fn prompt<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.get_prompt(py)?.into_bound_py_any(py)
    }
    /// The question as the tool asks it.
    #[getter]
    fn question<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.get_question(py)?.into_bound_py_any(py)
    }
    /// The blocks before it, which explain it.
    #[getter]
    fn context<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.get_context(py)?.into_bound_py_any(py)
    }
    /// How many of the blocks of `context` were already the context of the previous question.
    #[getter]
    fn shown<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().shown).into_bound_py_any(py)
    }
    /// The places where the previous answer does not fit, each a dict with `pointer` and `message`. Empty at first.
    #[getter]
    fn mismatches<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.get_mismatches(py)?.into_bound_py_any(py)
    }
    /// The tool that asks, or None.
    #[getter]
    fn tool<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().tool).into_bound_py_any(py)
    }
    /// The arguments that the tool was called with.
    #[getter]
    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().arguments.member_value(py)
    }
    /// The sign that the question seems to ask for a secret, as returned by `find_secret`, or None. Such a question is for a person only: only an answer from the source `user` is accepted, and the input must be neither shown nor stored.
    #[getter]
    fn secret<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.get_secret(py)?.into_bound_py_any(py)
    }
    /// The warning to show above such a question, or None.
    #[getter]
    fn warning<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().warning).into_bound_py_any(py)
    }
    /// Who should answer, if a manifest says so: `user` or `assistant`, else None. Only a person can answer a question for the user.
    #[getter]
    fn who<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.get_who(py)?.into_bound_py_any(py)
    }
    /// The number of calls of the tool so far; 1 at the first question.
    #[getter]
    fn round<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().round).into_bound_py_any(py)
    }
    /// The JSON text of a member, unchanged, by its name; None if it is absent.
    fn member_json<'py>(
        &self,
        name: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyString>>> {
        let py = name.py();
        Ok(
            match &*member_name(name)? {
                "schema" => {
                    self.core()
                        .question
                        .schema
                        .member_text()
                        .map(|text| PyString::new(py, text))
                }
                "default" => {
                    self.core().default.member_text().map(|text| PyString::new(py, text))
                }
                "arguments" => {
                    self.core()
                        .arguments
                        .member_text()
                        .map(|text| PyString::new(py, text))
                }
                other => return Err(no_member(py, other)),
            },
        )
    }
    /// The JSON text: in exact form if it was made here, unchanged if it was read.
    #[getter(json)]
    fn whole(&self) -> Cow<'_, str> {
        View::text(self)
    }
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        View::shown(self, py)
    }
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
}
#[pymethods]
impl crate::call::PyCall {
    /// The tool; None if a program is asked to describe all of its tools.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().name).into_bound_py_any(py)
    }
    /// `run`, `format_arguments` or `describe`.
    #[getter]
    fn action<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().action.as_str().into_bound_py_any(py)
    }
    /// The root of the workspace, an absolute path or a `file:` URI, or None.
    #[getter]
    fn root<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().root).into_bound_py_any(py)
    }
    /// The arguments.
    #[getter]
    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().arguments.member_value(py)
    }
    /// The settings that the host passes to this tool.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().options.member_value(py)
    }
    /// The answers to questions so far, by id.
    #[getter]
    fn answers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.get_answers(py)?.into_bound_py_any(py)
    }
    /// The two members of `_meta` that hold the call in an MCP request.
    #[getter]
    fn meta<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().to_meta().member_value(py)
    }
    /// The JSON text of a member, unchanged, by its name; None if it is absent.
    fn member_json<'py>(
        &self,
        name: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyString>>> {
        let py = name.py();
        Ok(
            match &*member_name(name)? {
                "arguments" => {
                    self.core()
                        .arguments
                        .member_text()
                        .map(|text| PyString::new(py, text))
                }
                "options" => {
                    self.core().options.member_text().map(|text| PyString::new(py, text))
                }
                "meta" => {
                    self.core()
                        .to_meta()
                        .member_text()
                        .map(|text| PyString::new(py, text))
                }
                other => return Err(no_member(py, other)),
            },
        )
    }
    /// The JSON text: in exact form if it was made here, unchanged if it was read.
    #[getter(json)]
    fn whole(&self) -> Cow<'_, str> {
        View::text(self)
    }
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        View::shown(self, py)
    }
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, View::text(self).as_bytes())
    }
    fn __eq__(&self, py: Python<'_>, other: PyRef<'_, Self>) -> PyResult<bool> {
        View::equals(self, py, &other)
    }
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyBytes::new(py, &View::key(self, py)?).hash()
    }
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        Ok((py.get_type::<Self>().getattr("_restore")?, Pickle::pickled(self, py)?))
    }
    #[classmethod]
    #[pyo3(signature = (*state))]
    fn _restore(
        _class: &Bound<'_, PyType>,
        state: &Bound<'_, PyTuple>,
    ) -> PyResult<Self> {
        Pickle::restore(state)
    }
    fn __str__(&self) -> Cow<'_, str> {
        View::printed(self)
    }
}
#[pymethods]
impl crate::envelope::PyEnvelope {
    /// The blocks, in order. Malformed and unknown blocks are in `skipped`.
    #[getter]
    fn content<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.get_content(py)?.into_bound_py_any(py)
    }
    /// The blocks that were skipped: dicts with their `index` in `content` and their `json` text.
    #[getter]
    fn skipped<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.get_skipped(py)?.into_bound_py_any(py)
    }
    /// The structured content; None if it is null or absent.
    #[getter]
    fn structured_content<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().structured_content().member_value(py)
    }
    /// Whether there is structured content; it may be null.
    #[getter]
    fn has_structured_content<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.core().structured_content().is_some().into_bound_py_any(py)
    }
    /// Whether the tool reports an error.
    #[getter]
    fn is_error<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().is_error().into_bound_py_any(py)
    }
    /// `running`, `waiting` or `stopped`; stopped if the envelope does not say.
    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().status().as_str().into_bound_py_any(py)
    }
    /// Whether the tool says that a retry may help.
    #[getter]
    fn transient<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().transient().into_bound_py_any(py)
    }
    /// The messages of the causes of an error, nearest first.
    #[getter]
    fn trace<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().trace().into_bound_py_any(py)
    }
    /// The member `_meta`, or None.
    #[getter]
    fn meta<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().meta().member_value(py)
    }
    /// The JSON text of a member, unchanged, by its name; None if it is absent.
    fn member_json<'py>(
        &self,
        name: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyString>>> {
        let py = name.py();
        Ok(
            match &*member_name(name)? {
                "structured_content" => {
                    self.core()
                        .structured_content()
                        .member_text()
                        .map(|text| PyString::new(py, text))
                }
                "meta" => {
                    self.core().meta().member_text().map(|text| PyString::new(py, text))
                }
                other => return Err(no_member(py, other)),
            },
        )
    }
    /// The whole as a dict, including unknown members.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        View::dict(self, py)
    }
    /// The JSON text: in exact form if it was made here, unchanged if it was read.
    #[getter(json)]
    fn whole(&self) -> Cow<'_, str> {
        View::text(self)
    }
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        View::shown(self, py)
    }
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, View::text(self).as_bytes())
    }
    fn __eq__(&self, py: Python<'_>, other: PyRef<'_, Self>) -> PyResult<bool> {
        View::equals(self, py, &other)
    }
    /// Read a JSON text, which must be one. Raises `ToolwireError` if it is not. To read any output of a tool, use `parse`.
    ///
    /// >>> import toolwire
    /// >>> toolwire.Envelope.from_json('{"content": []}')
    /// <toolwire.Envelope 0 blocks>
    #[classmethod]
    fn from_json(_class: &Bound<'_, PyType>, data: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::read(data)
    }
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyBytes::new(py, &View::key(self, py)?).hash()
    }
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        Ok((py.get_type::<Self>().getattr("_restore")?, Pickle::pickled(self, py)?))
    }
    #[classmethod]
    #[pyo3(signature = (*state))]
    fn _restore(
        _class: &Bound<'_, PyType>,
        state: &Bound<'_, PyTuple>,
    ) -> PyResult<Self> {
        Pickle::restore(state)
    }
    fn __str__(&self) -> Cow<'_, str> {
        View::printed(self)
    }
}
#[pymethods]
impl crate::block::PyBlock {
    /// `text`, `resource`, `question`, `image`, `audio` or `resource_link`.
    #[getter]
    fn r#type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().kind().as_str().into_bound_py_any(py)
    }
    /// Its index in the `content` of the envelope, counting skipped blocks; 0 for a block that was built.
    #[getter]
    fn index<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().index().into_bound_py_any(py)
    }
    /// Its place as a JSON Pointer.
    #[getter]
    fn pointer<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().pointer().into_bound_py_any(py)
    }
    /// The text of a text block, or of a resource with text. A question has its own `text`.
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().text().into_bound_py_any(py)
    }
    /// The URI of a resource or resource link.
    #[getter]
    fn uri<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().uri().into_bound_py_any(py)
    }
    /// The MIME type.
    #[getter]
    fn mime_type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().mime_type().into_bound_py_any(py)
    }
    /// The name of a resource or resource link.
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().name().into_bound_py_any(py)
    }
    /// The title of a resource or resource link.
    #[getter]
    fn title<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().title().into_bound_py_any(py)
    }
    /// The description of a resource or resource link.
    #[getter]
    fn description<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().description().into_bound_py_any(py)
    }
    /// How the tool wants a resource to be shown; never part of its identity.
    #[getter]
    fn formatted<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().formatted().into_bound_py_any(py)
    }
    /// The size in bytes, as given by a resource link.
    #[getter]
    fn size<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().size().into_bound_py_any(py)
    }
    /// The decoded bytes of an image, an audio or a resource with a blob.
    #[getter]
    fn bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().bytes().map(|bytes| PyBytes::new(py, &bytes)).into_bound_py_any(py)
    }
    /// The content as bytes, for text and binary blocks. Digests are computed from it.
    #[getter]
    fn content_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        PyBytes::new(py, &self.core().content_bytes()).into_bound_py_any(py)
    }
    /// The intended readers: a list of `user` and `assistant`.
    #[getter]
    fn audience<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core()
            .audience()
            .map(|words| words.iter().map(|word| word.as_str()).collect::<Vec<_>>())
            .into_bound_py_any(py)
    }
    /// The priority, from 0 to 1.
    #[getter]
    fn priority<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().priority().into_bound_py_any(py)
    }
    /// When it was last changed, as an RFC 3339 date and time.
    #[getter]
    fn last_modified<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().last_modified().into_bound_py_any(py)
    }
    /// The question of a question block.
    #[getter]
    fn question<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.get_question(py)?.into_bound_py_any(py)
    }
    /// The member `_meta`.
    #[getter]
    fn meta<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().meta().member_value(py)
    }
    /// The JSON text of a member, unchanged, by its name; None if it is absent.
    fn member_json<'py>(
        &self,
        name: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyString>>> {
        let py = name.py();
        Ok(
            match &*member_name(name)? {
                "meta" => {
                    self.core().meta().member_text().map(|text| PyString::new(py, text))
                }
                other => return Err(no_member(py, other)),
            },
        )
    }
    /// The whole as a dict, including unknown members.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        View::dict(self, py)
    }
    /// The JSON text: in exact form if it was made here, unchanged if it was read.
    #[getter(json)]
    fn whole(&self) -> Cow<'_, str> {
        View::text(self)
    }
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        View::shown(self, py)
    }
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
    fn __eq__(&self, py: Python<'_>, other: PyRef<'_, Self>) -> PyResult<bool> {
        View::equals(self, py, &other)
    }
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyBytes::new(py, &View::key(self, py)?).hash()
    }
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        Ok((py.get_type::<Self>().getattr("_restore")?, Pickle::pickled(self, py)?))
    }
    #[classmethod]
    #[pyo3(signature = (*state))]
    fn _restore(
        _class: &Bound<'_, PyType>,
        state: &Bound<'_, PyTuple>,
    ) -> PyResult<Self> {
        Pickle::restore(state)
    }
    fn __str__(&self) -> Cow<'_, str> {
        View::printed(self)
    }
}
#[pymethods]
impl crate::block::PyQuestion {
    /// The id, which its answer refers to.
    #[getter]
    fn id<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().id).into_bound_py_any(py)
    }
    /// The short text to show.
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().text).into_bound_py_any(py)
    }
    /// The JSON Schema of the answer.
    #[getter]
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().schema.member_value(py)
    }
    /// The default answer; None if it is null or absent.
    #[getter]
    fn default<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().default.member_value(py)
    }
    /// Whether there is a default; it may be null.
    #[getter]
    fn has_default<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().default.is_some().into_bound_py_any(py)
    }
    /// The page where the person answers, if not in a form; otherwise None.
    #[getter]
    fn url<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().url).into_bound_py_any(py)
    }
    /// The JSON text of a member, unchanged, by its name; None if it is absent.
    fn member_json<'py>(
        &self,
        name: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyString>>> {
        let py = name.py();
        Ok(
            match &*member_name(name)? {
                "schema" => {
                    self.core().schema.member_text().map(|text| PyString::new(py, text))
                }
                "default" => {
                    self.core().default.member_text().map(|text| PyString::new(py, text))
                }
                other => return Err(no_member(py, other)),
            },
        )
    }
    /// The JSON text: in exact form if it was made here, unchanged if it was read.
    #[getter(json)]
    fn whole(&self) -> Cow<'_, str> {
        View::text(self)
    }
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        View::shown(self, py)
    }
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
    fn __eq__(&self, py: Python<'_>, other: PyRef<'_, Self>) -> PyResult<bool> {
        View::equals(self, py, &other)
    }
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyBytes::new(py, &View::key(self, py)?).hash()
    }
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        Ok((py.get_type::<Self>().getattr("_restore")?, Pickle::pickled(self, py)?))
    }
    #[classmethod]
    #[pyo3(signature = (*state))]
    fn _restore(
        _class: &Bound<'_, PyType>,
        state: &Bound<'_, PyTuple>,
    ) -> PyResult<Self> {
        Pickle::restore(state)
    }
}
#[pymethods]
impl crate::ask::PyAsk {
    #[new]
    #[pyo3(signature = (kind, arguments))]
    fn construct<'py>(
        py: Python<'py>,
        kind: &Bound<'py, PyAny>,
        arguments: &Bound<'py, PyAny>,
    ) -> PyResult<Self> {
        Self::make(py, kind, arguments)
    }
    /// The short text to show.
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().text).into_bound_py_any(py)
    }
    /// The JSON Schema of the answer.
    #[getter]
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().schema.member_value(py)
    }
    /// The answer that is suggested; None if it is null or absent.
    #[getter]
    fn default<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().default.member_value(py)
    }
    /// Whether there is a default, be it null.
    #[getter]
    fn has_default<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.core().default.is_some().into_bound_py_any(py)
    }
    /// The page where the person answers, if not in a form.
    #[getter]
    fn url<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().url).into_bound_py_any(py)
    }
    /// The JSON text of a member, unchanged, by its name; None if it is absent.
    fn member_json<'py>(
        &self,
        name: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyString>>> {
        let py = name.py();
        Ok(
            match &*member_name(name)? {
                "schema" => {
                    self.core().schema.member_text().map(|text| PyString::new(py, text))
                }
                "default" => {
                    self.core().default.member_text().map(|text| PyString::new(py, text))
                }
                other => return Err(no_member(py, other)),
            },
        )
    }
    /// The JSON text: in exact form if it was made here, unchanged if it was read.
    #[getter(json)]
    fn whole(&self) -> Cow<'_, str> {
        View::text(self)
    }
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        View::shown(self, py)
    }
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
    fn __eq__(&self, py: Python<'_>, other: PyRef<'_, Self>) -> PyResult<bool> {
        View::equals(self, py, &other)
    }
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyBytes::new(py, &View::key(self, py)?).hash()
    }
}
#[pymethods]
impl crate::batch::PyLine {
    /// The number of the line, from 1, counting blank lines.
    #[getter]
    fn number<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().number).into_bound_py_any(py)
    }
    /// The byte offset of the line in the log. Offsets in its diagnostics count from there.
    #[getter]
    fn offset<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        (&self.core().offset).into_bound_py_any(py)
    }
    /// The result of reading the line.
    #[getter]
    fn parsed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.get_parsed(py)?.into_bound_py_any(py)
    }
    /// The JSON text: in exact form if it was made here, unchanged if it was read.
    #[getter(json)]
    fn whole(&self) -> Cow<'_, str> {
        View::text(self)
    }
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        View::shown(self, py)
    }
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }
    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }
    fn __eq__(&self, py: Python<'_>, other: PyRef<'_, Self>) -> PyResult<bool> {
        View::equals(self, py, &other)
    }
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyBytes::new(py, &View::key(self, py)?).hash()
    }
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        Ok((py.get_type::<Self>().getattr("_restore")?, Pickle::pickled(self, py)?))
    }
    #[classmethod]
    #[pyo3(signature = (*state))]
    fn _restore(
        _class: &Bound<'_, PyType>,
        state: &Bound<'_, PyTuple>,
    ) -> PyResult<Self> {
        Pickle::restore(state)
    }
}
/// Read the output of a tool. Never fails because of what the tool wrote: if it is not an envelope, it is raw
/// text.
///
/// `data` is bytes, another bytes-like object, or a str, which is read as its UTF-8 bytes. `bytes` are not
/// copied, and values are decoded only when they are accessed. `limits` is a dict with any of `max_bytes` (64
/// MiB), `max_depth` (128), `max_values` (10,000,000), `max_blocks` (100,000) and `max_diagnostics` (100).
///
/// >>> import toolwire
/// >>> parsed = toolwire.parse(b'{"content": [{"type": "text", "text": "hello"}]}')
/// >>> parsed
/// <toolwire.Parsed valid: 1 block>
/// >>> toolwire.parse(b'\xff\xfe').diagnostics
/// [<toolwire.Diagnostic error invalid_utf8 byte 0>]
/// >>> toolwire.parse(b'{"content": []}', limits={'max_bytes': 5}).verdict
/// 'raw'
#[pyfunction]
#[pyo3(signature = (data, *, limits = None))]
fn parse<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    limits: Keyword<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    crate::functions::parse(data, limits)?.into_bound_py_any(py)
}
/// Check that an output, or a `Parsed`, is a valid envelope. Returns None, or raises `ToolwireError` for the
/// first diagnostic that is not a note; its `diagnostics` holds all of them.
///
/// >>> import toolwire
/// >>> toolwire.validate(b'{"content": []}')
/// >>> toolwire.validate(b'{"content": [{"type": "chart"}]}')
/// Traceback (most recent call last):
///     ...
/// toolwire.ToolwireError: ...
#[pyfunction]
#[pyo3(signature = (data, *, limits = None))]
fn validate<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    limits: Keyword<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    crate::functions::validate(data, limits)?;
    Ok(py.None().into_bound(py))
}
/// The canonical bytes (RFC 8785) of any strict JSON text, or of a `Parsed`, `Envelope` or `Block`.
///
/// >>> import toolwire
/// >>> toolwire.canonicalize('{"b": 1.0, "a": "\\u00e9"}')
/// b'{"a":"\xc3\xa9","b":1}'
#[pyfunction]
#[pyo3(signature = (data, *, limits = None))]
fn canonicalize<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    limits: Keyword<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    crate::functions::canonicalize(data, limits)?.into_bound_py_any(py)
}
/// The digest of the canonical bytes: `'sha256:…'`.
///
/// >>> import toolwire
/// >>> toolwire.digest('{"a":1.0}') == toolwire.digest(b'{ "a": 1 }')
/// True
#[pyfunction]
#[pyo3(signature = (data, *, limits = None))]
fn digest<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    limits: Keyword<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    crate::functions::digest(data, limits)?.into_bound_py_any(py)
}
/// The text for a model, or with `target='terminal'` for a person.
///
/// `data` is a `Parsed`, an `Envelope` or an output. `style` is `'fence'` or `'xml'`. `header` puts a line with
/// the URI above each resource. `max_bytes` limits the text, which is cut at a character boundary and says so.
/// `audience` (`'user'` or `'assistant'`) leaves out blocks for others. `nonce` wraps the text in a fence that
/// its content cannot close. `color` keeps colours at a terminal. The other limits are those of `parse`, for an
/// output that was not read before.
///
/// >>> import toolwire
/// >>> block = toolwire.resource('file:///a.rs', text='fn main() {}', mime_type='text/rust')
/// >>> toolwire.format(toolwire.envelope(block)).splitlines()
/// ['```rs', 'fn main() {}', '```']
#[pyfunction]
#[pyo3(
    signature = (
        data,
        *,
        target = None,
        style = None,
        header = None,
        max_bytes = None,
        audience = None,
        nonce = None,
        color = None,
        limits = None
    )
)]
fn format<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    target: Keyword<'_, 'py>,
    style: Keyword<'_, 'py>,
    header: Keyword<'_, 'py>,
    max_bytes: Keyword<'_, 'py>,
    audience: Keyword<'_, 'py>,
    nonce: Keyword<'_, 'py>,
    color: Keyword<'_, 'py>,
    limits: Keyword<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    crate::show::format(
            data,
            limits,
            &[
                ("target", target),
                ("style", style),
                ("header", header),
                ("maxBytes", max_bytes),
                ("audience", audience),
                ("nonce", nonce),
                ("color", color),
            ],
        )?
        .into_bound_py_any(py)
}
/// A text for a person that explains why an output was read as it was: which rule, where, and what to do. The
/// limits are those of `parse`, for an output that was not read before.
///
/// >>> import toolwire
/// >>> 'NaN' in toolwire.explain('{"content": [], "n": NaN}')
/// True
#[pyfunction]
#[pyo3(signature = (data, *, color = None, limits = None))]
fn explain<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    color: Keyword<'_, 'py>,
    limits: Keyword<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    crate::show::explain(data, limits, &[("color", color)])?.into_bound_py_any(py)
}
/// The identity of each resource: its canonical URI and the digest of its raw content.
///
/// `root` is the workspace against which relative URIs are resolved: an absolute path or a `file:` URI. `known`
/// holds what the reader already has: identities from an earlier call, or pairs of a URI and a digest. The
/// limits are those of `parse`, for an output that was not read before.
///
/// >>> import toolwire
/// >>> answer = toolwire.envelope(toolwire.resource('file:///a/../b.txt', text='x'))
/// >>> [found] = toolwire.identify(answer)
/// >>> found['uri'], found['size'], found['status']
/// ('file:///b.txt', 1, 'new')
/// >>> toolwire.identify(answer, known=[found])[0]['status']
/// 'repeat'
#[pyfunction]
#[pyo3(signature = (data, *, root = None, known = None, limits = None))]
fn identify<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    root: Keyword<'_, 'py>,
    known: Keyword<'_, 'py>,
    limits: Keyword<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    crate::identity::identify(data, limits, &[("root", root), ("known", known)])?
        .into_bound_py_any(py)
}
/// The canonical form of a URI, or of a path: the same for every spelling of the same file.
///
/// A relative one is resolved against `root`: an absolute path or a `file:` URI.
///
/// >>> import toolwire
/// >>> toolwire.normalize_uri('FILE://localhost/a/./b/../%7Ec')
/// 'file:///a/~c'
/// >>> toolwire.normalize_uri('src/main.rs', root='file:///project')
/// 'file:///project/src/main.rs'
#[pyfunction]
#[pyo3(signature = (uri, *, root = None))]
fn normalize_uri<'py>(
    py: Python<'py>,
    uri: &Bound<'py, PyAny>,
    root: Keyword<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    crate::identity::normalize_uri(uri, root)?.into_bound_py_any(py)
}
/// The `file:` URI of a path. A relative path is resolved against the current directory.
///
/// >>> import toolwire, pathlib
/// >>> toolwire.file_uri(pathlib.PurePosixPath('/tmp/100% #1.txt'))
/// 'file:///tmp/100%25%20%231.txt'
/// >>> toolwire.file_uri('a.txt') == toolwire.file_uri(pathlib.Path.cwd() / 'a.txt')
/// True
#[pyfunction]
#[pyo3(signature = (path))]
fn file_uri<'py>(
    py: Python<'py>,
    path: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    crate::file::file_uri(path)?.into_bound_py_any(py)
}
/// Read the result of a process: its stdout, its exit status, the end of its stderr and, if it had one, the
/// content of its result channel.
///
/// An exit status other than 0 makes the result an error, whatever the envelope says. `exit_code` can be a
/// return code of `subprocess`, where a negative number means a signal. `signal` is a number or a name such as
/// `'SIGTERM'`.
///
/// >>> import toolwire
/// >>> parsed = toolwire.receive(b'', exit_code=2, stderr=b'no such file: a.txt')
/// >>> parsed.is_error, parsed.envelope.content[0].text, parsed.trace
/// (True, 'no such file: a.txt', ['the tool exited with status 2'])
#[pyfunction]
#[pyo3(
    signature = (
        stdout,
        *,
        exit_code = None,
        signal = None,
        stderr = None,
        result = None,
        limits = None
    )
)]
fn receive<'py>(
    py: Python<'py>,
    stdout: &Bound<'py, PyAny>,
    exit_code: Keyword<'_, 'py>,
    signal: Keyword<'_, 'py>,
    stderr: Keyword<'_, 'py>,
    result: Keyword<'_, 'py>,
    limits: Keyword<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    crate::receive::receive(stdout, exit_code, signal, stderr, result, limits)?
        .into_bound_py_any(py)
}
/// Read each line of a log (NDJSON) as a separate output. Blank lines are skipped.
///
/// >>> import toolwire
/// >>> log = b'{"content": []}\n\nplain words\n'
/// >>> [(line.number, line.offset, line.parsed.verdict) for line in toolwire.parse_lines(log)]
/// [(1, 0, 'valid'), (3, 17, 'raw')]
#[pyfunction]
#[pyo3(signature = (data, *, limits = None))]
fn parse_lines<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    limits: Keyword<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    crate::batch::parse_lines(data, limits)?.into_bound_py_any(py)
}
/// Read a whole log and count its lines by verdict, and its diagnostics by code: a dict, as `types.Summary`
/// describes it.
///
/// >>> import toolwire
/// >>> summary = toolwire.summarize(b'{"content": []}\nplain words\n')
/// >>> summary['valid'], summary['raw'], summary['byCode']
/// (1, 1, {'plain_text': 1})
#[pyfunction]
#[pyo3(signature = (data, *, limits = None))]
fn summarize<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    limits: Keyword<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    crate::batch::summarize(data, limits)?.into_bound_py_any(py)
}
/// A block of text, which a model gets unchanged.
///
/// >>> import toolwire
/// >>> toolwire.text('3 files checked')
/// <toolwire.Block text '3 files checked'>
/// >>> toolwire.text('only for people', annotations={'audience': ['user']}).audience
/// ['user']
#[pyfunction]
#[pyo3(signature = (text, *, annotations = None, meta = None))]
fn text<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyAny>,
    annotations: Keyword<'_, 'py>,
    meta: Keyword<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    crate::build::block(
            py,
            "text",
            &[
                ("text", Part::Text, Some(text)),
                ("annotations", Part::Json, annotations),
                ("meta", Part::Json, meta),
            ],
        )?
        .into_bound_py_any(py)
}
/// Content with a URI: `text`, or bytes as `blob`. Its MIME type decides how it is shown to a model, unless
/// `formatted` is given.
///
/// >>> import toolwire
/// >>> toolwire.resource('file:///src/main.rs', text='fn main() {}', mime_type='text/rust')
/// <toolwire.Block resource file:///src/main.rs text/rust 12 bytes>
/// >>> toolwire.resource('file:///logo.png', blob=b'\x89PNG').bytes
/// b'\x89PNG'
#[pyfunction]
#[pyo3(
    signature = (
        uri,
        *,
        text = None,
        blob = None,
        mime_type = None,
        name = None,
        title = None,
        description = None,
        formatted = None,
        annotations = None,
        meta = None
    )
)]
fn resource<'py>(
    py: Python<'py>,
    uri: &Bound<'py, PyAny>,
    text: Keyword<'_, 'py>,
    blob: Keyword<'_, 'py>,
    mime_type: Keyword<'_, 'py>,
    name: Keyword<'_, 'py>,
    title: Keyword<'_, 'py>,
    description: Keyword<'_, 'py>,
    formatted: Keyword<'_, 'py>,
    annotations: Keyword<'_, 'py>,
    meta: Keyword<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    crate::build::block(
            py,
            "resource",
            &[
                ("uri", Part::Text, Some(uri)),
                ("text", Part::Text, text),
                ("blob", Part::Content, blob),
                ("mimeType", Part::Text, mime_type),
                ("name", Part::Text, name),
                ("title", Part::Text, title),
                ("description", Part::Text, description),
                ("formatted", Part::Text, formatted),
                ("annotations", Part::Json, annotations),
                ("meta", Part::Json, meta),
            ],
        )?
        .into_bound_py_any(py)
}
/// A resource from the bytes of a file: text if they are UTF-8 without NUL, otherwise a blob. The name of the
/// file decides the MIME type. `path` is an absolute path (a `str` or an `os.PathLike`) or a URI.
///
/// >>> import toolwire
/// >>> block = toolwire.resource_from_bytes('/src/main.rs', b'fn main() {}')
/// >>> block.uri, block.mime_type, block.text
/// ('file:///src/main.rs', 'text/rust', 'fn main() {}')
#[pyfunction]
#[pyo3(
    signature = (
        path,
        bytes,
        *,
        mime_type = None,
        name = None,
        title = None,
        description = None,
        formatted = None,
        annotations = None,
        meta = None
    )
)]
fn resource_from_bytes<'py>(
    py: Python<'py>,
    path: &Bound<'py, PyAny>,
    bytes: &Bound<'py, PyAny>,
    mime_type: Keyword<'_, 'py>,
    name: Keyword<'_, 'py>,
    title: Keyword<'_, 'py>,
    description: Keyword<'_, 'py>,
    formatted: Keyword<'_, 'py>,
    annotations: Keyword<'_, 'py>,
    meta: Keyword<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    crate::build::block(
            py,
            "resource_from_bytes",
            &[
                ("path", Part::Path, Some(path)),
                ("bytes", Part::Content, Some(bytes)),
                ("mimeType", Part::Text, mime_type),
                ("name", Part::Text, name),
                ("title", Part::Text, title),
                ("description", Part::Text, description),
                ("formatted", Part::Text, formatted),
                ("annotations", Part::Json, annotations),
                ("meta", Part::Json, meta),
            ],
        )?
        .into_bound_py_any(py)
}
/// A resource from a file, with its content, its `file:` URI and the MIME type of its name. Raises `OSError` if
/// the file cannot be read.
///
/// >>> import toolwire, tempfile, pathlib
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     path = pathlib.Path(folder, 'main.rs')
/// ...     _ = path.write_text('fn main() {}')
/// ...     block = toolwire.resource_from_file(path)
/// >>> block.uri.endswith('/main.rs'), block.mime_type, block.text
/// (True, 'text/rust', 'fn main() {}')
#[pyfunction]
#[pyo3(
    signature = (
        path,
        *,
        uri = None,
        mime_type = None,
        name = None,
        title = None,
        description = None,
        formatted = None,
        annotations = None,
        meta = None
    )
)]
fn resource_from_file<'py>(
    py: Python<'py>,
    path: &Bound<'py, PyAny>,
    uri: Keyword<'_, 'py>,
    mime_type: Keyword<'_, 'py>,
    name: Keyword<'_, 'py>,
    title: Keyword<'_, 'py>,
    description: Keyword<'_, 'py>,
    formatted: Keyword<'_, 'py>,
    annotations: Keyword<'_, 'py>,
    meta: Keyword<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    crate::build::resource_from_file(
            path,
            &[
                ("uri", Part::Text, uri),
                ("mimeType", Part::Text, mime_type),
                ("name", Part::Text, name),
                ("title", Part::Text, title),
                ("description", Part::Text, description),
                ("formatted", Part::Text, formatted),
                ("annotations", Part::Json, annotations),
                ("meta", Part::Json, meta),
            ],
        )?
        .into_bound_py_any(py)
}
/// An image from its bytes.
///
/// >>> import toolwire
/// >>> toolwire.image(b'\x89PNG', 'image/png')
/// <toolwire.Block image image/png 4 bytes>
#[pyfunction]
#[pyo3(signature = (data, mime_type, *, annotations = None, meta = None))]
fn image<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    mime_type: &Bound<'py, PyAny>,
    annotations: Keyword<'_, 'py>,
    meta: Keyword<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    crate::build::block(
            py,
            "image",
            &[
                ("data", Part::Content, Some(data)),
                ("mimeType", Part::Text, Some(mime_type)),
                ("annotations", Part::Json, annotations),
                ("meta", Part::Json, meta),
            ],
        )?
        .into_bound_py_any(py)
}
/// A sound from its bytes.
///
/// >>> import toolwire
/// >>> toolwire.audio(b'RIFF', 'audio/wav').bytes
/// b'RIFF'
#[pyfunction]
#[pyo3(signature = (data, mime_type, *, annotations = None, meta = None))]
fn audio<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    mime_type: &Bound<'py, PyAny>,
    annotations: Keyword<'_, 'py>,
    meta: Keyword<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    crate::build::block(
            py,
            "audio",
            &[
                ("data", Part::Content, Some(data)),
                ("mimeType", Part::Text, Some(mime_type)),
                ("annotations", Part::Json, annotations),
                ("meta", Part::Json, meta),
            ],
        )?
        .into_bound_py_any(py)
}
/// A link to content elsewhere, without the content.
///
/// >>> import toolwire
/// >>> toolwire.resource_link('https://example.org/log', 'the log', size=1024).size
/// 1024
#[pyfunction]
#[pyo3(
    signature = (
        uri,
        name,
        *,
        title = None,
        description = None,
        mime_type = None,
        size = None,
        annotations = None,
        meta = None
    )
)]
fn resource_link<'py>(
    py: Python<'py>,
    uri: &Bound<'py, PyAny>,
    name: &Bound<'py, PyAny>,
    title: Keyword<'_, 'py>,
    description: Keyword<'_, 'py>,
    mime_type: Keyword<'_, 'py>,
    size: Keyword<'_, 'py>,
    annotations: Keyword<'_, 'py>,
    meta: Keyword<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    crate::build::block(
            py,
            "resource_link",
            &[
                ("uri", Part::Text, Some(uri)),
                ("name", Part::Text, Some(name)),
                ("title", Part::Text, title),
                ("description", Part::Text, description),
                ("mimeType", Part::Text, mime_type),
                ("size", Part::Json, size),
                ("annotations", Part::Json, annotations),
                ("meta", Part::Json, meta),
            ],
        )?
        .into_bound_py_any(py)
}
/// A question to a person or a model. `schema` is a JSON Schema for the answer. `default` is the suggested
/// answer; None is a value, so leave the argument out if there is no default. With `url`, the person answers on
/// that page and no value answers the question, so `schema` is `{}`.
///
/// >>> import toolwire
/// >>> branches = {'type': 'string', 'enum': ['main', 'develop']}
/// >>> toolwire.question('branch', 'Merge into which branch?', branches, default='main')
/// <toolwire.Block question 'Merge into which branch?'>
#[pyfunction]
#[pyo3(
    signature = (
        id,
        text,
        schema,
        *,
        default = Given::Absent,
        url = None,
        annotations = None,
        meta = None
    )
)]
fn question<'py>(
    py: Python<'py>,
    id: &Bound<'py, PyAny>,
    text: &Bound<'py, PyAny>,
    schema: &Bound<'py, PyAny>,
    default: Given<'py>,
    url: Keyword<'_, 'py>,
    annotations: Keyword<'_, 'py>,
    meta: Keyword<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    crate::build::block(
            py,
            "question",
            &[
                ("id", Part::Text, Some(id)),
                ("text", Part::Text, Some(text)),
                ("schema", Part::Json, Some(schema)),
                ("default", Part::Json, default.value()),
                ("url", Part::Text, url),
                ("annotations", Part::Json, annotations),
                ("meta", Part::Json, meta),
            ],
        )?
        .into_bound_py_any(py)
}
/// A tool's answer, ready to be printed.
///
/// The blocks are arguments, or one iterable of them. A dict in the JSON form is a block too.
/// `structured_content` is the result for programs; None is a value, so leave the argument out if there is
/// none. `status` is for tools that keep running: `'running'`, `'waiting'` or `'stopped'`. `error` is
/// `{'transient': bool, 'trace': [str]}`. `meta` holds other members of `_meta`.
///
/// >>> import toolwire
/// >>> print(toolwire.envelope(toolwire.text('done'), structured_content={'b': 1.0, 'a': None}))
/// {"content":[{"text":"done","type":"text"}],"structuredContent":{"b":1,"a":null}}
/// >>> toolwire.envelope([toolwire.text('one'), {'type': 'text', 'text': 'two'}, 'three'])
/// <toolwire.Envelope 3 blocks: text, text, text>
#[pyfunction]
#[pyo3(
    signature = (
        *blocks,
        structured_content = Given::Absent,
        is_error = None,
        status = None,
        error = None,
        meta = None
    )
)]
fn envelope<'py>(
    py: Python<'py>,
    blocks: &Bound<'py, PyTuple>,
    structured_content: Given<'py>,
    is_error: Keyword<'_, 'py>,
    status: Keyword<'_, 'py>,
    error: Keyword<'_, 'py>,
    meta: Keyword<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    crate::build::envelope(
            blocks,
            &[
                ("structuredContent", Part::Json, structured_content.value()),
                ("isError", Part::Json, is_error),
                ("status", Part::Text, status),
                ("error", Part::Json, error),
                ("meta", Part::Json, meta),
            ],
        )?
        .into_bound_py_any(py)
}
/// An error as an answer, from a message or from an exception. From an exception it takes the message with its
/// notes and, as the trace, the messages of its causes and of the exceptions in a group. `transient` says that
/// a retry may help.
///
/// >>> import toolwire
/// >>> try:
/// ...     try:
/// ...         int('3o')
/// ...     except ValueError as cause:
/// ...         raise RuntimeError('the settings are wrong') from cause
/// ... except RuntimeError as problem:
/// ...     answer = toolwire.error(problem)
/// >>> answer.content[0].text, answer.trace
/// ('the settings are wrong', ["invalid literal for int() with base 10: '3o'"])
/// >>> print(toolwire.error('busy', transient=True))
/// {"_meta":{"computer.jp/error":{"transient":true}},"content":[{"text":"busy","type":"text"}],"isError":true}
#[pyfunction]
#[pyo3(signature = (message, *, transient = None, trace = None, meta = None))]
fn error<'py>(
    py: Python<'py>,
    message: &Bound<'py, PyAny>,
    transient: Keyword<'_, 'py>,
    trace: Keyword<'_, 'py>,
    meta: Keyword<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    crate::build::error(
            message,
            &[
                ("transient", Part::Json, transient),
                ("trace", Part::Json, trace),
                ("meta", Part::Json, meta),
            ],
        )?
        .into_bound_py_any(py)
}
/// Adds the classes and the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<crate::diagnostic::PyDiagnostic>()?;
    module.add_class::<crate::event::PyProgress>()?;
    module.add_class::<crate::event::PyMessage>()?;
    module.add_class::<crate::parsed::PyParsed>()?;
    module.add_class::<crate::answer::PyAnswer>()?;
    module.add_class::<crate::exchange::PyPendingQuestion>()?;
    module.add_class::<crate::call::PyCall>()?;
    module.add_class::<crate::envelope::PyEnvelope>()?;
    module.add_class::<crate::block::PyBlock>()?;
    module.add_class::<crate::block::PyQuestion>()?;
    module.add_class::<crate::ask::PyAsk>()?;
    module.add_class::<crate::batch::PyLine>()?;
    module.add_function(wrap_pyfunction!(parse, module)?)?;
    module.add_function(wrap_pyfunction!(validate, module)?)?;
    module.add_function(wrap_pyfunction!(canonicalize, module)?)?;
    module.add_function(wrap_pyfunction!(digest, module)?)?;
    module.add_function(wrap_pyfunction!(format, module)?)?;
    module.add_function(wrap_pyfunction!(explain, module)?)?;
    module.add_function(wrap_pyfunction!(identify, module)?)?;
    module.add_function(wrap_pyfunction!(normalize_uri, module)?)?;
    module.add_function(wrap_pyfunction!(file_uri, module)?)?;
    module.add_function(wrap_pyfunction!(receive, module)?)?;
    module.add_function(wrap_pyfunction!(parse_lines, module)?)?;
    module.add_function(wrap_pyfunction!(summarize, module)?)?;
    module.add_function(wrap_pyfunction!(text, module)?)?;
    module.add_function(wrap_pyfunction!(resource, module)?)?;
    module.add_function(wrap_pyfunction!(resource_from_bytes, module)?)?;
    module.add_function(wrap_pyfunction!(resource_from_file, module)?)?;
    module.add_function(wrap_pyfunction!(image, module)?)?;
    module.add_function(wrap_pyfunction!(audio, module)?)?;
    module.add_function(wrap_pyfunction!(resource_link, module)?)?;
    module.add_function(wrap_pyfunction!(question, module)?)?;
    module.add_function(wrap_pyfunction!(envelope, module)?)?;
    module.add_function(wrap_pyfunction!(error, module)?)?;
    Ok(())
}
