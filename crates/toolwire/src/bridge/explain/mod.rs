//! Why an output was read as it was, for a person.

mod hints;
mod position;

use serde::Serialize;

use crate::{BlockView, Code, Diagnostic, Parsed, Severity, Status, Verdict};
use position::Excerpt;
pub use position::{Locator, Position};

/// Maximum number of diagnostics in full; the others are only counted.
const MAX_FINDINGS: usize = 10;

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
    message: &'static str,
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
        let finding = |diagnostic: &'p Diagnostic| {
            let offset = diagnostic.offset.filter(|_| !parsed.raw().is_empty());
            Finding {
                diagnostic,
                place: offset.map(&mut place),
                rule: diagnostic.code.rule(),
                summary: diagnostic.code.summary(),
                help: diagnostic.code.help(),
            }
        };
        let diagnostics = parsed.diagnostics().iter().map(finding).collect();
        let guess = |(message, at): hints::Hint| {
            let place = at.map(|at| place(at as u64));
            Guess {
                message,
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
        let mut severities = self.diagnostics.iter().map(|it| it.diagnostic.severity);
        let style = match self.verdict {
            Verdict::Valid => GREEN,
            Verdict::Warnings => YELLOW,
            Verdict::Raw if severities.all(|severity| severity == Severity::Note) => CYAN,
            Verdict::Raw => RED,
        };
        let mut out = format!("{}\n", paint.text(style, &self.summary));
        for finding in self.diagnostics.iter().take(MAX_FINDINGS) {
            let Diagnostic { code, severity, .. } = finding.diagnostic;
            let style = match severity {
                Severity::Error => RED,
                Severity::Warning => YELLOW,
                Severity::Note => CYAN,
            };
            let label = paint.text(style, &format!("{severity}[{code}]"));
            let message = position::visible_text(&finding.diagnostic.message);
            let pointer = position::visible_text(&finding.diagnostic.pointer);
            out += &format!("\n{label}: {message}\n");
            paint.place(&mut out, style, finding.place.as_ref(), &pointer);
            let (equals, rule) = (paint.text(BLUE, "="), paint.text(BOLD, finding.rule));
            // The summary is often all that the message says.
            let about = match finding.summary {
                summary if *summary == finding.diagnostic.message => String::new(),
                summary => format!(": {summary}"),
            };
            let help = finding.help;
            out += &format!("  {equals} rule {rule}{about}\n  {equals} help: {help}\n");
        }
        if let Some(more @ 1..) = self.diagnostics.len().checked_sub(MAX_FINDINGS) {
            out += &format!("\nand {more} more.\n");
        }
        for hint in &self.hints {
            out += &format!("\n{}: {}\n", paint.text(CYAN, "hint"), hint.message);
            paint.place(&mut out, CYAN, hint.place.as_ref(), "");
        }
        out + "\n" + &self.outcome + "\n"
    }
}

/// The verdict in a sentence.
fn summary(parsed: &Parsed<'_>) -> String {
    let diagnostics = parsed.diagnostics();
    let of = |severity| diagnostics.iter().filter(move |d| d.severity == severity);
    match parsed.verdict() {
        Verdict::Valid => "This is a valid envelope.".to_owned(),
        Verdict::Warnings => {
            let cut = Code::DiagnosticsTruncated;
            let is_cut = diagnostics.iter().any(|d| d.code == cut);
            let more = if is_cut { "more than " } else { "" };
            let warnings = count(of(Severity::Warning).count(), "warning");
            format!("This is an envelope, with {more}{warnings}.")
        }
        Verdict::Raw if of(Severity::Error).next().is_some() => {
            "This cannot be read as an envelope, so it is raw text.".to_owned()
        }
        Verdict::Raw => "This is raw text, not an envelope.".to_owned(),
    }
}

/// What a host does with the output.
fn outcome(parsed: &Parsed<'_>) -> String {
    let mut sentences = Vec::new();
    if parsed.is_raw() {
        let bytes = count(parsed.raw().len(), "byte");
        sentences.push(match std::str::from_utf8(parsed.raw()) {
            Ok(_) => format!("A host takes the whole output as text, {bytes}, as it is."),
            Err(_) => format!(
                "A host takes the whole output as text, {bytes}, with U+FFFD for what is not UTF-8."
            ),
        });
    } else {
        let mut types: Vec<(&'static str, usize)> = Vec::new();
        for block in parsed.blocks() {
            let name = BlockView::kind(&block).as_str();
            match types.iter_mut().find(|(known, _)| *known == name) {
                Some((_, number)) => *number += 1,
                None => types.push((name, 1)),
            }
        }
        let blocks = count(parsed.blocks().count(), "block");
        let types: Vec<String> = types
            .iter()
            .map(|(name, n)| format!("{n} {name}"))
            .collect();
        let types = types.join(", ");
        let colon = if types.is_empty() { "" } else { ": " };
        sentences.push(format!("A host delivers {blocks}{colon}{types}."));
        let skipped = parsed.skipped().count();
        if skipped > 0 {
            let blocks = count(skipped, "block");
            sentences.push(format!(
                "It skips {blocks}, and keeps what was written there."
            ));
        }
    }
    sentences.extend(match (parsed.is_error(), parsed.transient()) {
        (true, true) => {
            Some("The result is an error that may pass, so trying again makes sense.".to_owned())
        }
        (true, false) => Some("The result is an error.".to_owned()),
        (false, _) => None,
    });
    sentences.extend(match parsed.status() {
        Status::Running => Some("The tool is still running.".to_owned()),
        Status::Waiting => Some("The tool waits for an answer.".to_owned()),
        Status::Stopped => None,
    });
    sentences.join(" ")
}

fn count(number: usize, noun: &str) -> String {
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
        match self.color {
            true => format!("\x1b[{style}m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }

    /// The place of a message, with the line that it is about.
    fn place(self, out: &mut String, style: &str, place: Option<&Place>, pointer: &str) {
        let at = match pointer {
            "" => String::new(),
            pointer => format!("at {pointer}"),
        };
        let Some(Place {
            line,
            column,
            byte,
            excerpt,
        }) = place
        else {
            if !at.is_empty() {
                *out += &format!("  {at}\n");
            }
            return;
        };
        let comma = if at.is_empty() { "" } else { ", " };
        let gutter = " ".repeat(line.to_string().len());
        let (number, bar) = (self.text(BLUE, &line.to_string()), self.text(BLUE, "|"));
        let (indent, caret) = (" ".repeat(excerpt.caret), self.text(style, "^"));
        *out += &format!(
            "  line {line}, column {column} (byte {byte}){comma}{at}\n  {number} {bar} {}\n  \
             {gutter} {bar} {indent}{caret}\n",
            excerpt.text
        );
    }
}
