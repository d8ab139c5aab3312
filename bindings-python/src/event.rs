//! What a tool says while it runs: `Progress` and `Message` for hosts, `progress` and `log` for tools.

use std::borrow::Cow;

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use toolwire::event::{Level, Message, Progress};
use toolwire::{Code, UnknownWord};

use crate::error::refuse;
use crate::input::wrong_type;
use crate::serving::said;
use crate::view::View;

/// How far a tool has come. `run` passes it to `on_progress`.
///
/// >>> import toolwire
/// >>> progress = toolwire.wire.read_event(b'{"type": "progress", "done": 3, "total": 12, "message": "reading"}')
/// >>> progress.done, progress.total, progress.message, progress.fraction
/// (3.0, 12.0, 'reading', 0.25)
#[pyclass(frozen, module = "toolwire", name = "Progress")]
pub struct PyProgress(pub Progress);

impl PyProgress {
    pub fn core(&self) -> &Progress {
        &self.0
    }
}

impl View for PyProgress {
    fn text(&self) -> Cow<'_, str> {
        self.0.to_json().into()
    }

    fn shown(&self, _py: Python<'_>) -> PyResult<String> {
        Ok(match self.0.total {
            Some(total) => format!("<toolwire.Progress {} of {total}>", self.0.done),
            None => format!("<toolwire.Progress {}>", self.0.done),
        })
    }
}

/// A log message of a tool. `run` passes it to `on_log`.
///
/// >>> import toolwire
/// >>> message = toolwire.wire.read_event(b'{"type": "log", "level": "info", "message": "14 rows", "logger": "db"}')
/// >>> message.level, message.text, message.logger
/// ('info', '14 rows', 'db')
#[pyclass(frozen, module = "toolwire", name = "Message")]
pub struct PyMessage(pub Message);

impl PyMessage {
    pub fn core(&self) -> &Message {
        &self.0
    }
}

impl View for PyMessage {
    fn text(&self) -> Cow<'_, str> {
        self.0.to_json().into()
    }

    fn shown(&self, _py: Python<'_>) -> PyResult<String> {
        let text: String = self.0.text.chars().take(60).collect();
        Ok(format!("<toolwire.Message {} {text:?}>", self.0.level))
    }
}

/// Say how far your tool has come: `done` of `total`, in any unit, and what it does just now. It does
/// nothing if nobody listens, and it may be called as often as you like: reports that come faster than
/// anybody can read are left out.
///
/// >>> import toolwire
/// >>> files = ['a.txt', 'b.txt']
/// >>> for number, file in enumerate(files):
/// ...     toolwire.progress(number, len(files), file)
#[pyfunction]
#[pyo3(signature = (done, total=None, message=None))]
pub fn progress(
    done: &Bound<'_, PyAny>,
    total: Option<&Bound<'_, PyAny>>,
    message: Option<&Bound<'_, PyString>>,
) -> PyResult<()> {
    let total = total.map(number).transpose()?;
    let message = message.map(|message| message.to_string_lossy());
    let (py, done) = (done.py(), number(done)?);
    said(py, || {
        toolwire_author::progress(done, total, message.as_deref())
    })
}

/// A number as a double; one that is too large for it is none that anybody could show.
fn number(value: &Bound<'_, PyAny>) -> PyResult<f64> {
    match value.extract::<f64>() {
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => Ok(f64::INFINITY),
        number => number,
    }
}

/// Write a log message for whoever follows the call of your tool. It does nothing if nobody listens.
///
/// `level` is `'debug'`, `'info'`, `'notice'`, `'warning'`, `'error'`, `'critical'`, `'alert'` or
/// `'emergency'`; `logger` names a part of the tool.
///
/// >>> import toolwire
/// >>> toolwire.log('warning', 'the cache is cold', logger='db')
#[pyfunction]
#[pyo3(signature = (level, message, *, logger=None))]
pub fn log(
    level: &Bound<'_, PyAny>,
    message: &Bound<'_, PyString>,
    logger: Option<&Bound<'_, PyString>>,
) -> PyResult<()> {
    let word = level.cast::<PyString>().map_err(|_| {
        let expected = "a str such as `warning`";
        wrong_type(level, "level", Code::BadArgument, expected, "")
    })?;
    let read = word.to_string_lossy().parse::<Level>();
    let level = read.map_err(|error: UnknownWord| {
        refuse(level.py(), Code::BadArgument, "/level", &error.to_string())
    })?;
    let message = message.to_string_lossy();
    let logger = logger.map(|logger| logger.to_string_lossy());
    said(word.py(), || match logger {
        Some(logger) => toolwire_author::log_from(&logger, level, message),
        None => toolwire_author::log(level, message),
    })
}
