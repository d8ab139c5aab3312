//! Why an output was read as it was, told to a person.

mod hints;
mod position;

use serde::Serialize;

use crate::{BlockView, Code, Diagnostic, Parsed, Severity, Status, Verdict};
use hints::Hint;
use position::Excerpt;
pub use position::{Locator, Position};

/// Diagnostics that are told in full; of the others only the number is told.
const TOLD: usize = 10;

/// How to explain.
///
/// ```
/// let options = toolwire::ExplainOptions { color: true };
/// assert_ne!(options, toolwire::ExplainOptions::default());
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExplainOptions {
    /// Colour the text with SGR escape sequences, for a terminal. Off by default.
    pub color: bool,
}

/// Explains to a person why the output was read as it was: the verdict, for each diagnostic the
/// rule, the line, column and byte with an excerpt, and what to do; and what a host does with it.
///
/// The text holds nothing of the input that could steer a terminal; its wording is not contract.
/// Lines and columns count from 1 and columns in characters, bytes from 0.
///
/// # Examples
///
/// ```
/// use toolwire::{ExplainOptions, Limits, explain, parse};
///
/// let parsed = parse(&br#"{"content": [],}"#[..], &Limits::default());
/// let text = explain(&parsed, &ExplainOptions::default());
/// assert!(text.contains("line 1, column 16 (byte 15)"), "{text}");
/// assert!(text.contains("READ-8"), "{text}");
/// assert!(text.contains("no trailing commas"), "{text}");
/// ```
#[must_use]
pub fn explain(parsed: &Parsed<'_>, options: &ExplainOptions) -> String {
    Explanation::of(parsed).to_text(options.color)
}

/// What [`explain`] says, as data.
///
/// # Examples
///
/// ```
/// use toolwire::{Explanation, Limits, parse};
///
/// let json = Explanation::of(&parse(&b"hello"[..], &Limits::default())).to_json();
/// assert!(json.starts_with(r#"{"verdict":"raw","summary":"#), "{json}");
/// assert!(json.contains(r#""line":1,"column":1,"#), "{json}");
/// ```
#[derive(Debug, Clone, Serialize)]
pub struct Explanation<'p> {
    verdict: Verdict,
    summary: String,
    diagnostics: Vec<Finding<'p>>,
    hints: Vec<Guess>,
    outcome: String,
}

#[derive(Debug, Clone, Serialize)]
struct Finding<'p> {
    #[serde(flatten)]
    diagnostic: &'p Diagnostic,
    #[serde(flatten)]
    place: Option<Place>,
    rule: &'static str,
    summary: &'static str,
    help: &'static str,
}

#[derive(Debug, Clone, Serialize)]
struct Guess {
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    #[serde(flatten)]
    place: Option<Place>,
}

#[derive(Debug, Clone, Serialize)]
struct Place {
    line: u64,
    column: u64,
    #[serde(skip)]
    byte: u64,
    excerpt: Excerpt,
}

impl<'p> Explanation<'p> {
    /// Explains how an output was read.
    ///
    /// ```
    /// use toolwire::{Explanation, Limits, parse};
    ///
    /// let parsed = parse(&br#"{"content":[]}"#[..], &Limits::default());
    /// let json = Explanation::of(&parsed).to_json();
    /// assert!(json.contains(r#""summary":"This is a valid envelope.""#), "{json}");
    /// ```
    #[must_use]
    pub fn of(parsed: &'p Parsed<'_>) -> Self {
        let mut locator = Locator::new(parsed.raw());
        let mut place = |offset: u64| {
            let Position { line, column, byte } = locator.locate(offset);
            Place {
                line,
                column,
                byte,
                excerpt: locator.excerpt(),
            }
        };
        let finding = |diagnostic: &'p Diagnostic| Finding {
            diagnostic,
            place: diagnostic
                .offset
                .filter(|_| !parsed.raw().is_empty())
                .map(&mut place),
            rule: diagnostic.code.rule(),
            summary: diagnostic.code.summary(),
            help: diagnostic.code.help(),
        };
        let diagnostics = parsed.diagnostics().iter().map(finding).collect();
        let guess = |hint: Hint| {
            let place = hint.at.map(|at| place(at as u64));
            Guess {
                message: hint.message,
                offset: place.as_ref().map(|place| place.byte),
                place,
            }
        };
        let hints = hints::hints(parsed).into_iter().map(guess).collect();
        Explanation {
            verdict: parsed.verdict(),
            summary: summary(parsed),
            diagnostics,
            hints,
            outcome: outcome(parsed),
        }
    }

    /// The explanation as a JSON object: `verdict`, `summary`, `diagnostics` (each with `line`,
    /// `column`, `rule`, `help` and an `excerpt` where it has a place), `hints` and `outcome`.
    ///
    /// ```
    /// use toolwire::{Explanation, Limits, parse};
    ///
    /// let json = Explanation::of(&parse(&b""[..], &Limits::default())).to_json();
    /// assert!(json.contains(r#""code":"empty_output""#), "{json}");
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        // Strings, numbers and words are always written.
        serde_json::to_string(self).unwrap_or_default()
    }

    fn to_text(&self, color: bool) -> String {
        let paint = Paint { color };
        let style = match self.verdict {
            Verdict::Valid => GREEN,
            Verdict::Warnings => YELLOW,
            Verdict::Raw
                if self
                    .diagnostics
                    .iter()
                    .all(|finding| finding.diagnostic.severity == Severity::Note) =>
            {
                CYAN
            }
            Verdict::Raw => RED,
        };
        let mut out = paint.text(style, &self.summary);
        out.push('\n');
        for finding in self.diagnostics.iter().take(TOLD) {
            out.push('\n');
            finding.write(&mut out, paint);
        }
        if self.diagnostics.len() > TOLD {
            out.push_str(&format!("\nand {} more.\n", self.diagnostics.len() - TOLD));
        }
        for Guess { message, place, .. } in &self.hints {
            out.push_str(&format!("\n{}: {}\n", paint.text(CYAN, "hint"), message));
            if let Some(place) = place {
                place.write(&mut out, "", CYAN, paint);
            }
        }
        out.push_str(&format!("\n{}\n", self.outcome));
        out
    }
}

impl Finding<'_> {
    fn write(&self, out: &mut String, paint: Paint) {
        let Diagnostic {
            code,
            severity,
            pointer,
            message,
            ..
        } = self.diagnostic;
        let style = match severity {
            Severity::Error => RED,
            Severity::Warning => YELLOW,
            Severity::Note => CYAN,
        };
        let label = paint.text(style, &format!("{severity}[{code}]"));
        out.push_str(&format!("{label}: {}\n", position::visible_text(message)));
        let pointer = position::visible_text(pointer);
        match &self.place {
            Some(place) => place.write(out, &pointer, style, paint),
            None if !pointer.is_empty() => out.push_str(&format!("  at {pointer}\n")),
            None => {}
        }
        let equals = paint.text(BLUE, "=");
        let rule = paint.text(BOLD, code.rule());
        // The summary is often all that the message says.
        if message == code.summary() {
            out.push_str(&format!("  {equals} rule {rule}\n"));
        } else {
            out.push_str(&format!("  {equals} rule {rule}: {}\n", code.summary()));
        }
        out.push_str(&format!("  {equals} help: {}\n", code.help()));
    }
}

impl Place {
    fn write(&self, out: &mut String, pointer: &str, style: &str, paint: Paint) {
        let Place {
            line, column, byte, ..
        } = self;
        let at = if pointer.is_empty() {
            String::new()
        } else {
            format!(", at {pointer}")
        };
        out.push_str(&format!(
            "  line {line}, column {column} (byte {byte}){at}\n"
        ));
        let number = line.to_string();
        let bar = paint.text(BLUE, "|");
        out.push_str(&format!(
            "  {} {bar} {}\n",
            paint.text(BLUE, &number),
            self.excerpt.text
        ));
        let gutter = " ".repeat(number.len());
        let indent = " ".repeat(self.excerpt.caret);
        out.push_str(&format!(
            "  {gutter} {bar} {indent}{}\n",
            paint.text(style, "^")
        ));
    }
}

/// The verdict in a sentence.
fn summary(parsed: &Parsed<'_>) -> String {
    let diagnostics = parsed.diagnostics();
    match parsed.verdict() {
        Verdict::Valid => "This is a valid envelope.".to_owned(),
        Verdict::Warnings => {
            let warnings = diagnostics
                .iter()
                .filter(|d| d.severity == Severity::Warning)
                .count() as u64;
            let cut = diagnostics
                .iter()
                .any(|d| d.code == Code::DiagnosticsTruncated);
            let more = if cut { "more than " } else { "" };
            format!(
                "This is an envelope, with {more}{}.",
                count(warnings, "warning")
            )
        }
        Verdict::Raw => {
            let Some(first) = reason(diagnostics) else {
                return "This is raw text.".to_owned();
            };
            match first.code {
                Code::EmptyOutput => "There is no output: it is empty or only whitespace.".into(),
                Code::PlainText => "This is plain text, not an envelope.".into(),
                _ if first.severity == Severity::Error => {
                    "This cannot be read as an envelope, so it is raw text.".into()
                }
                _ => "This is JSON, but not an envelope.".into(),
            }
        }
    }
}

/// The diagnostic that made an output raw text.
fn reason(diagnostics: &[Diagnostic]) -> Option<&Diagnostic> {
    let rest = || {
        diagnostics
            .iter()
            .filter(|d| !matches!(d.code, Code::NonzeroExit | Code::Bom | Code::BigInteger))
    };
    rest()
        .find(|d| d.severity == Severity::Error)
        .or_else(|| rest().next())
}

/// What a host does with the output.
fn outcome(parsed: &Parsed<'_>) -> String {
    let mut sentences = Vec::new();
    if parsed.is_raw() {
        let bytes = count(parsed.raw().len() as u64, "byte");
        sentences.push(if parsed.raw().is_empty() {
            "A host takes it as an answer without text.".to_owned()
        } else if std::str::from_utf8(parsed.raw()).is_ok() {
            format!("A host takes the whole output as text, {bytes}, as it is.")
        } else {
            format!(
                "A host takes the whole output as text, {bytes}; what is not UTF-8 is shown as \
                 U+FFFD, and the bytes themselves stay reachable."
            )
        });
    } else {
        sentences.push(delivered(parsed));
        let skipped: Vec<String> = parsed
            .skipped()
            .take(6)
            .map(|(index, _)| format!("/content/{index}"))
            .collect();
        let number = parsed.skipped().count();
        if number > 0 {
            let more = if number > skipped.len() { ", …" } else { "" };
            sentences.push(format!(
                "It skips {} ({}{more}); what was written there is kept.",
                count(number as u64, "block"),
                skipped.join(", "),
            ));
        }
    }
    if parsed.is_error() {
        let again = if parsed.transient() {
            " that may pass, so trying again makes sense"
        } else {
            ""
        };
        sentences.push(format!("The result is an error{again}."));
    }
    match parsed.status() {
        Status::Running => sentences.push("The tool is still running.".to_owned()),
        Status::Waiting => sentences.push("The tool waits for an answer.".to_owned()),
        Status::Stopped => {}
    }
    sentences.join(" ")
}

/// How many blocks of which type reach the model or the person.
fn delivered(parsed: &Parsed<'_>) -> String {
    let mut types: Vec<(&'static str, u64)> = Vec::new();
    for block in parsed.blocks() {
        let name = BlockView::kind(&block).as_str();
        match types.iter_mut().find(|(known, _)| *known == name) {
            Some((_, number)) => *number += 1,
            None => types.push((name, 1)),
        }
    }
    let total: u64 = types.iter().map(|(_, number)| number).sum();
    if total == 0 {
        return "A host delivers no block.".to_owned();
    }
    if let [(name, number)] = types[..] {
        return format!(
            "A host delivers {}.",
            count(number, &format!("{name} block"))
        );
    }
    let list: Vec<String> = types
        .iter()
        .map(|(name, number)| format!("{number} {name}"))
        .collect();
    format!("A host delivers {total} blocks: {}.", list.join(", "))
}

fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

const BOLD: &str = "1";
const RED: &str = "1;31";
const GREEN: &str = "1;32";
const YELLOW: &str = "1;33";
const BLUE: &str = "34";
const CYAN: &str = "1;36";

#[derive(Clone, Copy)]
struct Paint {
    color: bool,
}

impl Paint {
    fn text(self, style: &str, text: &str) -> String {
        if self.color {
            format!("\x1b[{style}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}
