//! How what a session has said is written: the blocks to standard output, and to standard error one line that says
//! how the handle stands.

use toolwire::json::{Document, Node, ObjectWriter, array};
use toolwire::session::SessionState;
use toolwire::{Code, Json, Limits, parse};
use toolwire_host::{Fetched, RunReport};

use super::state;
use crate::args::{ResultFormat, ShownArgs};
use crate::exit::{Failure, Outcome, Result};
use crate::output::Out;
use crate::run::result;
use crate::terminal;

/// Where an envelope says what it is about.
const PLACE: &str = "/_meta/dev.toolwire~1session";

/// The texts that stand in place of a screen, and of blocks that are no news.
const UNCHANGED: &str = "screen unchanged";

/// Writes the answer to a command. `until` is the text that was waited for.
pub fn write(
    id: &str,
    fetched: &Fetched,
    args: &ShownArgs,
    until: Option<&str>,
    out: &mut Out,
) -> Result<Outcome> {
    let dropped = "were dropped, because nobody fetched them";
    write_after(dropped, id, fetched, args, until, out)
}

/// The same, with the words for what became of the output before it.
pub fn write_after(
    before: &str,
    id: &str,
    fetched: &Fetched,
    args: &ShownArgs,
    until: Option<&str>,
    out: &mut Out,
) -> Result<Outcome> {
    let outcome = outcome(fetched);
    let envelope = fetched.envelope.as_str();
    match result::asked(args.format, args.json) {
        Some(ResultFormat::Json) => {
            out.json(envelope)?;
            return Ok(outcome);
        }
        _ if fetched.refusal.is_some() => {
            out.complain(&refusal(fetched).unwrap_or_default());
            return Ok(outcome);
        }
        // For whoever shows it to a model, which sees the content alone.
        format @ Some(ResultFormat::Model) => {
            let text = rewritten(envelope, fetched.prints, true);
            put(text.unwrap_or_else(|| envelope.to_owned()), format, out)?;
        }
        format => match rewritten(envelope, fetched.prints, false) {
            Some(blocks) => put(blocks, format, out)?,
            None => put(envelope.to_owned(), format, out)?,
        },
    }
    let notes = notes(fetched, until, before);
    if !args.quiet || !notes.is_empty() {
        let how = [vec![stands(id, fetched)], notes].concat();
        out.complain(&how.join("; "));
    }
    Ok(outcome)
}

/// What a command ends with.
fn outcome(fetched: &Fetched) -> Outcome {
    let is =
        |pointer: &str, text: &str| at(fetched, pointer).is_some_and(|flag| flag.as_str() == text);
    match fetched.refusal.as_ref().map(|refusal| refusal.code) {
        // What does not fit is a mistake of whoever wrote the command, wherever it is found.
        Some(Code::AnswerMismatch | Code::BadArgument) => Outcome::Usage,
        Some(_) => Outcome::Negative,
        None if is("/isError", "true") => Outcome::Negative,
        None if is(&format!("{PLACE}/found"), "false") => Outcome::Late,
        None => Outcome::Success,
    }
}

fn put(envelope: String, format: Option<ResultFormat>, out: &mut Out) -> Result<()> {
    let parsed = parse(envelope.into_bytes(), &Limits::WIDEST);
    match parsed.blocks().next() {
        Some(_) => result::write(&parsed, &RunReport::default(), format, out),
        None => Ok(()),
    }
}

/// The envelope with the pieces of what a program printed as one text. With `all` false, only what the tool has said
/// is left of it: its blocks and its question, or its screen.
fn rewritten(envelope: &str, stream: bool, all: bool) -> Option<String> {
    let document = Document::new(envelope).ok()?;
    let root = document.root();
    let session = root.get("_meta")?.get("dev.toolwire/session")?;
    let number = |name: &str| session.get(name).and_then(|number| number.as_u64());
    let before = usize::from(session.get("dropped").is_some());
    let said = match (number("first"), number("last")) {
        _ if session.get("view").is_some() => 1,
        (Some(first), Some(last)) => usize::try_from((last + 1).saturating_sub(first)).ok()?,
        _ => 0,
    };
    let said = before..before + said;
    let mut content = Vec::new();
    let mut printed: Option<Printed> = None;
    for (index, block) in root.get("content")?.elements().enumerate() {
        let text = block.get("text").and_then(|text| text.as_str());
        let is_said = said.contains(&index);
        let asks = block
            .get("type")
            .is_some_and(|kind| kind.is_str("question"));
        let pieces = stream && is_said && !says_unchanged(block);
        match text.filter(|_| pieces && block.get("type").is_some_and(is_text)) {
            Some(text) => {
                let stream = block.get("_meta").map(|meta| meta.raw().to_owned());
                printed.get_or_insert_default().add(&text, stream);
            }
            None if all || is_said && !says_unchanged(block) || asks => {
                content.extend(printed.take().map(Printed::block));
                content.push(block.raw().to_owned());
            }
            None => {}
        }
    }
    content.extend(printed.take().map(Printed::block));
    let mut out = ObjectWriter::new();
    if all {
        for (name, value) in root.members().filter(|(name, _)| name != "content") {
            out.json(&name, value.raw());
        }
    }
    Some(out.json("content", array(content)).end())
}

fn is_text(kind: Node<'_>) -> bool {
    kind.is_str("text")
}

fn says_unchanged(block: Node<'_>) -> bool {
    block.get("text").is_some_and(|text| text.is_str(UNCHANGED))
}

/// What a program has printed to both of its outputs, in the order in which it came.
#[derive(Default)]
struct Printed {
    text: String,
    stream: Option<String>,
}

impl Printed {
    fn add(&mut self, piece: &str, stream: Option<String>) {
        // A line of one output does not go on in the other.
        let begins = self.stream != stream && !self.text.is_empty();
        if begins && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.stream = stream;
        self.text.push_str(piece);
    }

    fn block(self) -> String {
        ObjectWriter::new()
            .text("text", overwritten(&self.text))
            .text("type", "text")
            .end()
    }
}

/// A text as a terminal shows it whose lines are written anew after a carriage return, as progress bars do.
fn overwritten(text: &str) -> String {
    if !text.contains('\r') {
        return text.to_owned();
    }
    let line = |line: &str| {
        let (line, end) = match line.strip_suffix('\n') {
            Some(line) => (line, "\n"),
            None => (line, ""),
        };
        let line = line.trim_end_matches('\r');
        let shown = line.rsplit('\r').next().unwrap_or_default();
        format!("{shown}{end}")
    };
    text.split_inclusive('\n').map(line).collect()
}

/// Why a command was refused, and what is possible instead.
pub fn refusal(fetched: &Fetched) -> Option<String> {
    let refusal = fetched.refusal.as_ref()?;
    let mut message = refusal.message.clone();
    for (_, mismatch) in &refusal.mismatches {
        message.push_str("; ");
        message.push_str(mismatch);
    }
    match refusal.code {
        Code::PersonOnly => {
            message.push_str("; a person does it with `toolwire session attach`");
        }
        Code::HandleExists => message.push_str("; choose another id"),
        // It speaks of members of JSON.
        Code::BadArgument => {
            message = message
                .replace("`after`", "`--after`")
                .replace("use `text`, `enter` or `eof`", "give a text or `--enter`");
        }
        _ => {}
    }
    let possible: Vec<&str> = refusal.possible.iter().map(|one| one.as_str()).collect();
    if !possible.is_empty() {
        message.push_str(&format!("; possible now: `{}`", possible.join("`, `")));
    }
    Some(message)
}

/// An answer that says why there is none: the one JSON text of a command that failed.
pub fn failed(failure: &Failure) -> Option<String> {
    if matches!(failure, Failure::Ended(_) | Failure::Closed) {
        return None;
    }
    let block = ObjectWriter::new()
        .text("type", "text")
        .text("text", failure.message())
        .end();
    let mut envelope = ObjectWriter::new();
    envelope
        .json("content", array([block]))
        .flag("isError", true);
    Some(envelope.end())
}

/// What somebody must know even if they do not want to hear how the handle stands.
fn notes(fetched: &Fetched, until: Option<&str>, before: &str) -> Vec<String> {
    let number = |name: &str| -> Option<u64> { member(fetched, name)?.as_str().parse().ok() };
    let mut notes = Vec::new();
    if let Some(bytes) = number("dropped/bytes") {
        notes.push(format!("{bytes} bytes before this {before}"));
    }
    if let Some(bytes) = number("left/bytes") {
        notes.push(format!("{bytes} bytes are left: fetch again"));
    }
    let came = member(fetched, "found").is_none_or(|found| found.as_str() == "true");
    if let Some(text) = until.filter(|_| !came) {
        let text = terminal::safe(text);
        notes.push(match fetched.state {
            SessionState::Running | SessionState::Ending => {
                format!("`{text}` has not come in time")
            }
            _ => format!("`{text}` has not come"),
        });
    }
    notes
}

/// A member of what the envelope says of its handle (SES-50).
pub fn member(fetched: &Fetched, name: &str) -> Option<Json> {
    at(fetched, &format!("{PLACE}/{name}"))
}

fn at(fetched: &Fetched, pointer: &str) -> Option<Json> {
    Json::new(fetched.envelope.as_str()).ok()?.at(pointer)
}

/// How the handle stands.
fn stands(id: &str, fetched: &Fetched) -> String {
    let is_true = |json: Option<Json>| json.is_some_and(|json| json.as_str() == "true");
    let (end, progress) = (member(fetched, "end"), member(fetched, "progress"));
    let how = state::of(&state::Standing {
        state: fetched.state,
        person: is_true(member(fetched, "person")),
        end: end.as_ref(),
        progress: progress.as_ref(),
    });
    let id = terminal::safe(id);
    let mut line = format!("`{id}`: {how}");
    if let Some(asks) = &fetched.asks {
        line.push_str(&format!(" to `{}`", terminal::safe(&asks.question.id)));
    }
    if let Some(last) = member(fetched, "last") {
        line.push_str(&format!(", last block {last}"));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::{Printed, overwritten};

    #[test]
    fn a_line_that_is_written_anew_is_shown_once() {
        assert_eq!(overwritten("10%\r20%\r100%\ndone\r\n"), "100%\ndone\n");
        assert_eq!(overwritten("wait\r"), "wait");
        assert_eq!(overwritten("a\r\r\n"), "a\n");
    }

    #[test]
    fn the_lines_of_two_outputs_do_not_run_into_each_other() {
        let mut printed = Printed::default();
        for (piece, stream) in [
            ("on", None),
            ("e\ntw", None),
            ("err", Some("stderr")),
            ("o\n", None),
        ] {
            printed.add(piece, stream.map(str::to_owned));
        }
        assert_eq!(printed.text, "one\ntw\nerr\no\n");
    }
}
