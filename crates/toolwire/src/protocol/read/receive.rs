//! What a host makes of a tool that has ended: its output, its exit status and its stderr (EXIT rules).

use std::ops::RangeInclusive;

use super::reading::text_content;
use super::stderr::{headline_and_others, last_lines};
use crate::base::json::{ObjectWriter, array, string};
use crate::{Code, Diagnostic, Error, Limits, Parsed, Verdict, parse};

/// How a tool ended.
///
/// ```
/// use toolwire::{Exit, Limits, Output, receive};
///
/// let output = Output { stdout: b"", result: None, exit: Exit::Signal(9), stderr: b"" };
/// assert_eq!(receive(&output, &Limits::default()).trace(), ["the tool was ended by signal 9"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// It ended by itself with this status. Windows has statuses past 2^31.
    Code(i64),
    /// It was ended by this signal.
    Signal(i32),
}

/// The exit statuses that systems give (EXIT-30).
const CODES: RangeInclusive<i64> = -0x8000_0000..=0xFFFF_FFFF;
/// The signals that a status can tell of (EXIT-30).
const SIGNALS: RangeInclusive<i64> = 1..=127;

impl Exit {
    /// An end with this status.
    ///
    /// # Errors
    ///
    /// `bad_option` at `/exitCode` if no system has such a status (EXIT-30).
    ///
    /// ```
    /// use toolwire::Exit;
    ///
    /// assert_eq!(Exit::from_code(0xC000_0005).unwrap(), Exit::Code(3_221_225_477));
    /// assert_eq!(Exit::from_code(1 << 32).unwrap_err().pointer(), "/exitCode");
    /// ```
    pub fn from_code(code: i64) -> Result<Exit, Error> {
        match CODES.contains(&code) {
            true => Ok(Exit::Code(code)),
            false => Err(out_of_range("exitCode", CODES, code)),
        }
    }

    /// An end by the signal with this number.
    ///
    /// # Errors
    ///
    /// `bad_option` at `/signal` if there can be no such signal (EXIT-30).
    ///
    /// ```
    /// use toolwire::Exit;
    ///
    /// assert_eq!(Exit::from_signal(9).unwrap(), Exit::Signal(9));
    /// assert_eq!(Exit::from_signal(0).unwrap_err().pointer(), "/signal");
    /// ```
    pub fn from_signal(signal: i64) -> Result<Exit, Error> {
        match i32::try_from(signal) {
            Ok(number) if SIGNALS.contains(&signal) => Ok(Exit::Signal(number)),
            _ => Err(out_of_range("signal", SIGNALS, signal)),
        }
    }

    fn is_success(self) -> bool {
        self == Exit::Code(0)
    }

    fn sentence(self) -> String {
        match self {
            Exit::Code(code) => format!("the tool exited with status {code}"),
            Exit::Signal(signal) => format!("the tool was ended by signal {signal}"),
        }
    }
}

fn out_of_range(name: &str, range: RangeInclusive<i64>, given: i64) -> Error {
    let (first, last) = range.into_inner();
    let message = format!("`{name}` must be from {first} to {last}, not `{given}`");
    Error::new(Code::BadOption, format!("/{name}"), None, message)
}

/// All that a tool leaves behind.
///
/// ```
/// use toolwire::{Exit, Limits, Output, receive};
///
/// let answer = br#"{"content":[]}"#;
/// let output = Output { stdout: b"log", result: Some(answer), exit: Exit::Code(0), stderr: b"" };
/// assert!(!receive(&output, &Limits::default()).is_raw());
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Output<'a> {
    /// What it wrote to stdout.
    pub stdout: &'a [u8],
    /// What it wrote to the result channel, the file that `TOOLWIRE_RESULT` names, where the host
    /// offered one. If it is not empty, it is the answer, and stdout is log (EXIT-1).
    pub result: Option<&'a [u8]>,
    /// How it ended.
    pub exit: Exit,
    /// What it wrote to stderr, or the last part of it.
    pub stderr: &'a [u8],
}

/// Reads what a tool left behind. An exit status that is not zero means that the result is an
/// error, whatever the envelope says; without an envelope the output becomes an error envelope with
/// the tail of stderr in its trace. Where there is no output, the headline of stderr stands for it
/// ([`headline`](crate::headline)).
///
/// # Examples
///
/// ```
/// use toolwire::{Exit, Limits, Output, receive};
///
/// let output = Output { stdout: b"", result: None, exit: Exit::Code(2), stderr: b"no such file\n" };
/// let parsed = receive(&output, &Limits::default());
/// assert!(parsed.is_error());
/// assert_eq!(parsed.block(0).and_then(|block| block.text()).unwrap(), "no such file");
/// assert_eq!(parsed.trace(), ["the tool exited with status 2"]);
/// ```
#[must_use]
pub fn receive(output: &Output<'_>, limits: &Limits) -> Parsed<'static> {
    let result = output.result.filter(|result| !result.is_empty());
    let answer = result.unwrap_or(output.stdout);
    let parsed = parse(answer, limits);
    if output.exit.is_success() {
        return parsed.into_owned();
    }
    let mut diagnostics = parsed.diagnostics().to_vec();
    diagnostics.push(Diagnostic {
        code: Code::NonzeroExit,
        severity: Code::NonzeroExit.severity(),
        pointer: String::new(),
        offset: None,
        message: output.exit.sentence(),
        raw: None,
    });
    let (verdict, document) = match parsed.verdict() {
        Verdict::Raw => (Verdict::Raw, error_document(&parsed, output)),
        verdict => (verdict, with_error_flag(&parsed)),
    };
    Parsed::substituted(answer.to_vec(), document, verdict, diagnostics)
}

/// The document with `isError` set to true and all else verbatim (EXIT-2).
fn with_error_flag(parsed: &Parsed<'_>) -> String {
    let root = parsed.root();
    let text = root.raw();
    match root.get("isError") {
        Some(flag) => {
            let (start, end) = (flag.start() - root.start(), flag.end() - root.start());
            format!("{}true{}", &text[..start], &text[end..])
        }
        None => {
            // An envelope has a `content`, so there is always a member before this one.
            let body = text.strip_suffix('}').unwrap_or(text);
            let last = body.trim_end_matches([' ', '\t', '\n', '\r']).len();
            format!("{},\"isError\":true{}}}", &text[..last], &body[last..])
        }
    }
}

/// The error envelope for a tool that failed without an envelope (EXIT-3), in canonical form.
fn error_document(parsed: &Parsed<'_>, output: &Output<'_>) -> String {
    let sentence = output.exit.sentence();
    let mut found = parsed.diagnostics().iter();
    let is_empty = found.any(|found| found.code == Code::EmptyOutput);
    let text = parsed.blocks().next().and_then(|block| block.text());
    let (text, lines) = match text {
        Some(text) if !is_empty => (text.into_owned(), last_lines(output.stderr)),
        _ => said_instead(output, &sentence),
    };
    let trace = std::iter::once(sentence).chain(lines);
    let error = ObjectWriter::new()
        .json("trace", array(trace.map(|line| string(&line))))
        .flag("transient", false)
        .end();
    let meta = ObjectWriter::new().json("computer.jp/error", error).end();
    ObjectWriter::new()
        .json("_meta", meta)
        .json("content", text_content(&text))
        .flag("isError", true)
        .end()
}

/// The text of an error that has no output, and the lines of stderr that are not in it: a program that
/// ended by itself has reported there why.
fn said_instead(output: &Output<'_>, sentence: &str) -> (String, Vec<String>) {
    let found = match output.exit {
        Exit::Code(_) => headline_and_others(output.stderr),
        Exit::Signal(_) => None,
    };
    found.unwrap_or_else(|| {
        let text = format!("{sentence} and wrote no output");
        (text, last_lines(output.stderr))
    })
}
