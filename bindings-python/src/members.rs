// Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.

//! The members of the classes, and what all of them can do.
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};
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
    fn whole(&self) -> String {
        View::text(self).into_owned()
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
    fn __str__(&self) -> String {
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
    fn whole(&self) -> String {
        View::text(self).into_owned()
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
    fn whole(&self) -> String {
        View::text(self).into_owned()
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
    fn member_json(&self, name: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        Ok(
            match &*member_name(name)? {
                "structured_content" => {
                    self.core().structured_content().member_text().map(str::to_owned)
                }
                other => return Err(no_member(name.py(), other)),
            },
        )
    }
    /// The JSON text: in exact form if it was made here, unchanged if it was read.
    #[getter(json)]
    fn whole(&self) -> String {
        View::text(self).into_owned()
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
    #[pyo3(
        signature = (value = Given::Absent, *, state = None, source = None),
        text_signature = "(value=..., *, state=None, source=None)"
    )]
    fn construct(
        py: Python<'_>,
        value: Given<'_>,
        state: Keyword<'_, '_>,
        source: Keyword<'_, '_>,
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
    fn member_json(&self, name: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        Ok(
            match &*member_name(name)? {
                "value" => self.core().value().member_text().map(str::to_owned),
                other => return Err(no_member(name.py(), other)),
            },
        )
    }
    /// The JSON text: in exact form if it was made here, unchanged if it was read.
    #[getter(json)]
    fn whole(&self) -> String {
        View::text(self).into_owned()
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
    fn member_json(&self, name: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        Ok(
            match &*member_name(name)? {
                "schema" => self.core().question.schema.member_text().map(str::to_owned),
                "default" => self.core().default.member_text().map(str::to_owned),
                "arguments" => self.core().arguments.member_text().map(str::to_owned),
                other => return Err(no_member(name.py(), other)),
            },
        )
    }
    /// The JSON text: in exact form if it was made here, unchanged if it was read.
    #[getter(json)]
    fn whole(&self) -> String {
        View::text(self).into_owned()
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
    fn member_json(&self, name: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        Ok(
            match &*member_name(name)? {
                "arguments" => self.core().arguments.member_text().map(str::to_owned),
                "options" => self.core().options.member_text().map(str::to_owned),
                "meta" => self.core().to_meta().member_text().map(str::to_owned),
                other => return Err(no_member(name.py(), other)),
            },
        )
    }
    /// The JSON text: in exact form if it was made here, unchanged if it was read.
    #[getter(json)]
    fn whole(&self) -> String {
        View::text(self).into_owned()
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
    fn __str__(&self) -> String {
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
    fn member_json(&self, name: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        Ok(
            match &*member_name(name)? {
                "structured_content" => {
                    self.core().structured_content().member_text().map(str::to_owned)
                }
                "meta" => self.core().meta().member_text().map(str::to_owned),
                other => return Err(no_member(name.py(), other)),
            },
        )
    }
    /// The whole as a dict, including unknown members.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        View::dict(self, py)
    }
    /// The JSON text: in exact form if it was made here, unchanged if it was read.
    #[getter(json)]
    fn whole(&self) -> String {
        View::text(self).into_owned()
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
    fn __str__(&self) -> String {
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
    fn member_json(&self, name: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        Ok(
            match &*member_name(name)? {
                "meta" => self.core().meta().member_text().map(str::to_owned),
                other => return Err(no_member(name.py(), other)),
            },
        )
    }
    /// The whole as a dict, including unknown members.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        View::dict(self, py)
    }
    /// The JSON text: in exact form if it was made here, unchanged if it was read.
    #[getter(json)]
    fn whole(&self) -> String {
        View::text(self).into_owned()
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
    fn __str__(&self) -> String {
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
    fn member_json(&self, name: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        Ok(
            match &*member_name(name)? {
                "schema" => self.core().schema.member_text().map(str::to_owned),
                "default" => self.core().default.member_text().map(str::to_owned),
                other => return Err(no_member(name.py(), other)),
            },
        )
    }
    /// The JSON text: in exact form if it was made here, unchanged if it was read.
    #[getter(json)]
    fn whole(&self) -> String {
        View::text(self).into_owned()
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
    #[pyo3(signature = (kind, arguments), text_signature = "(kind, arguments)")]
    fn construct(
        py: Python<'_>,
        kind: &Bound<'_, PyAny>,
        arguments: &Bound<'_, PyAny>,
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
    fn member_json(&self, name: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        Ok(
            match &*member_name(name)? {
                "schema" => self.core().schema.member_text().map(str::to_owned),
                "default" => self.core().default.member_text().map(str::to_owned),
                other => return Err(no_member(name.py(), other)),
            },
        )
    }
    /// The JSON text: in exact form if it was made here, unchanged if it was read.
    #[getter(json)]
    fn whole(&self) -> String {
        View::text(self).into_owned()
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
    fn whole(&self) -> String {
        View::text(self).into_owned()
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
