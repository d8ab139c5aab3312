//! Why an output was read as it was, told to a person.

mod hints;
mod position;

use serde::Serialize;

use crate::{BlockView, Code, Diagnostic, Parsed, Severity, Status, Verdict};
use position::Excerpt;
pub use position::{Locator, Position};

/// Maximum number of diagnostics that are told in full; of the others only the number is told.
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
            finding.write(&mut out, paint);
        }
        if let Some(more @ 1..) = self.diagnostics.len().checked_sub(MAX_FINDINGS) {
            out += &format!("\nand {more} more.\n");
        }
        for Guess { message, place, .. } in &self.hints {
            paint.item(&mut out, CYAN, "hint", message, place.as_ref(), "");
        }
        out + "\n" + &self.outcome + "\n"
    }
}

impl Finding<'_> {
    fn write(&self, out: &mut String, paint: Paint) {
        let Diagnostic { code, severity, .. } = self.diagnostic;
        let style = match severity {
            Severity::Error => RED,
            Severity::Warning => YELLOW,
            Severity::Note => CYAN,
        };
        let [message, pointer] = [&self.diagnostic.message, &self.diagnostic.pointer];
        let [shown, pointer] = [message, pointer].map(|text| position::visible_text(text));
        let label = format!("{severity}[{code}]");
        paint.item(out, style, &label, &shown, self.place.as_ref(), &pointer);
        let equals = paint.text(BLUE, "=");
        let rule = paint.text(BOLD, self.rule);
        // The summary is often all that the message says.
        let about = match self.summary {
            summary if summary == message => String::new(),
            summary => format!(": {summary}"),
        };
        *out += &format!(
            "  {equals} rule {rule}{about}\n  {equals} help: {}\n",
            self.help
        );
    }
}

/// The verdict in a sentence.
fn summary(parsed: &Parsed<'_>) -> String {
    let diagnostics = parsed.diagnostics();
    let reason = reason(diagnostics).map(|first| (first.code, first.severity));
    match (parsed.verdict(), reason) {
        (Verdict::Valid, _) => "This is a valid envelope.".to_owned(),
        (Verdict::Warnings, _) => {
            let is_warning = |d: &&Diagnostic| d.severity == Severity::Warning;
            let warnings = diagnostics.iter().filter(is_warning).count() as u64;
            let cut = Code::DiagnosticsTruncated;
            let is_cut = diagnostics.iter().any(|d| d.code == cut);
            let more = if is_cut { "more than " } else { "" };
            let warnings = count(warnings, "warning");
            format!("This is an envelope, with {more}{warnings}.")
        }
        (Verdict::Raw, None) => "This is raw text.".to_owned(),
        (Verdict::Raw, Some((Code::EmptyOutput, _))) => {
            "There is no output: it is empty or only whitespace.".to_owned()
        }
        (Verdict::Raw, Some((Code::PlainText, _))) => {
            "This is plain text, not an envelope.".to_owned()
        }
        (Verdict::Raw, Some((_, Severity::Error))) => {
            "This cannot be read as an envelope, so it is raw text.".to_owned()
        }
        (Verdict::Raw, Some(_)) => "This is JSON, but not an envelope.".to_owned(),
    }
}

/// The diagnostic that made an output raw text.
fn reason(diagnostics: &[Diagnostic]) -> Option<&Diagnostic> {
    let others = [Code::NonzeroExit, Code::Bom, Code::BigInteger];
    let mut rest = diagnostics.iter().filter(|d| !others.contains(&d.code));
    let is_error = |d: &&Diagnostic| d.severity == Severity::Error;
    rest.clone().find(is_error).or_else(|| rest.next())
}

/// What a host does with the output.
fn outcome(parsed: &Parsed<'_>) -> String {
    let mut sentences = Vec::new();
    if parsed.is_raw() {
        let bytes = count(parsed.raw().len() as u64, "byte");
        sentences.push(match std::str::from_utf8(parsed.raw()) {
            Ok("") => "A host takes it as an answer without text.".to_owned(),
            Ok(_) => format!("A host takes the whole output as text, {bytes}, as it is."),
            Err(_) => format!(
                "A host takes the whole output as text, {bytes}; what is not UTF-8 is shown as \
                 U+FFFD, and the bytes themselves stay reachable."
            ),
        });
    } else {
        sentences.push(delivered(parsed));
        let skipped: Vec<_> = parsed
            .skipped()
            .map(|(index, _)| format!("/content/{index}"))
            .collect();
        if !skipped.is_empty() {
            let blocks = count(skipped.len() as u64, "block");
            let more = if skipped.len() > 6 { ", …" } else { "" };
            let first = skipped[..skipped.len().min(6)].join(", ");
            let skips =
                format!("It skips {blocks} ({first}{more}); what was written there is kept.");
            sentences.push(skips);
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
    let what = match types[..] {
        [] => "no block".to_owned(),
        [(name, number)] => count(number, &format!("{name} block")),
        _ => {
            let total: u64 = types.iter().map(|(_, number)| number).sum();
            let types = types
                .iter()
                .map(|(name, number)| format!("{number} {name}"));
            format!("{total} blocks: {}", types.collect::<Vec<_>>().join(", "))
        }
    };
    format!("A host delivers {what}.")
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
        match self.color {
            true => format!("\x1b[{style}m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }

    /// A message under its label, with the line that it is about.
    fn item(
        self,
        out: &mut String,
        style: &str,
        label: &str,
        message: &str,
        place: Option<&Place>,
        pointer: &str,
    ) {
        *out += &format!("\n{}: {message}\n", self.text(style, label));
        let at = if pointer.is_empty() {
            String::new()
        } else {
            format!("at {pointer}")
        };
        let Some(Place {
            line,
            column,
            byte,
            excerpt,
        }) = place
        else {
            return out.push_str(&if at.is_empty() {
                at
            } else {
                format!("  {at}\n")
            });
        };
        let at = if at.is_empty() { at } else { format!(", {at}") };
        let (text, bar) = (&excerpt.text, self.text(BLUE, "|"));
        let (number, gutter) = (line.to_string(), " ".repeat(line.to_string().len()));
        let number = self.text(BLUE, &number);
        let (indent, caret) = (" ".repeat(excerpt.caret), self.text(style, "^"));
        *out += &format!(
            "  line {line}, column {column} (byte {byte}){at}\n  {number} {bar} {text}\n  \
             {gutter} {bar} {indent}{caret}\n"
        );
    }
}
