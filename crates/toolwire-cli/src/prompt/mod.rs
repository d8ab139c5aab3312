//! Questions as prompts at the terminal, one for each kind of [`Prompt`] (CLI-70 to CLI-79).
//!
//! Each prompt is a [`Machine`] without input or output: keys go in, frames come out. Around it there
//! is one loop, with what all prompts have in common: cancelling, declining, checking the answer.

mod draft;
mod editor;
mod field;
mod frame;
mod keys;
mod line;
mod list;
mod person;
mod screen;
mod yes_no;

use std::io::{self, IsTerminal, Write};

use toolwire::block::Question;
use toolwire::call::{Answer, AnswerSource};
use toolwire::question::Prompt;
use toolwire::{
    Block, Envelope, FormatOptions, Json, Limits, Role, Target, format, parse, terminal_safe,
};

use field::Field;
use frame::{Frame, Line, Size, Style, one_line};
use keys::Key;
use list::List;
use screen::{Input, Out, Screen, Stop};
use yes_no::YesNo;

pub use draft::is_open as editor_is_open;
pub use frame::{fit, width as columns, wrap};
pub use person::ask_person;

/// The most bytes of context that are shown above a question.
const MOST_CONTEXT: usize = 32 * 1024;
/// The most lines of a question's text that are shown.
const MOST_TEXT: usize = 60;
/// The most lines of errors that are shown.
const MOST_ERRORS: usize = 8;
/// Lines are not wider than a person likes to read.
const MOST_COLUMNS: usize = 100;

/// A question that is put to a person.
struct Asked<'a> {
    /// The tool that asks.
    tool: Option<&'a str>,
    question: &'a Question,
    prompt: &'a Prompt,
    default: Option<&'a Json>,
    /// The blocks that stand before the question and were not shown yet.
    context: &'a [Block],
    /// Why what was answered before did not fit, if something was.
    errors: &'a [String],
}

/// Says why a value does not fit, if it does not.
type Check<'a> = &'a dyn Fn(&Json) -> Result<(), Vec<String>>;

/// Whether there is a terminal at which a person can be asked.
pub fn is_available() -> bool {
    io::stdin().is_terminal()
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        && Out::open().is_ok()
}

/// Asks a person at the terminal and waits for the answer.
///
/// The state is accepted with a value that fits as `check` says; declined for Ctrl-D; cancelled for
/// Esc, for Ctrl-C, and if `stop` withdraws the question. A question that declares a secret never comes
/// here.
///
/// # Errors
///
/// The terminal can't be read or written.
fn ask(asked: &Asked<'_>, color: bool, stop: &Stop, check: Check<'_>) -> io::Result<Answer> {
    introduce(asked, color)?;
    let given = asked.default;
    let mut errors: Vec<String> = asked.errors.iter().map(|error| safe_error(error)).collect();
    let mut machine: Box<dyn Machine> = match asked.prompt {
        Prompt::Boolean => Box::new(YesNo::new(given)),
        Prompt::Select(choices) => Box::new(List::one(choices, given)),
        Prompt::MultiSelect {
            choices,
            min_items,
            max_items,
        } => Box::new(List::many(choices, *min_items, *max_items, given)),
        Prompt::Text(range) => Box::new(Field::text(range, given)),
        Prompt::Number(range) => Box::new(Field::number(range, given)),
        Prompt::Editor(template) => {
            return editor::ask(asked, template, errors, color, stop, check);
        }
        _ => return Ok(Answer::unavailable(AnswerSource::Policy)),
    };
    let done = converse(machine.as_mut(), &mut errors, color, stop, check)?;
    conclude(done, color)
}

/// A prompt without input and output.
trait Machine {
    fn key(&mut self, key: &Key) -> Reaction;
    /// What is shown in this room. A frame that is higher is cut.
    fn frame(&self, size: Size) -> Frame;
    /// What the keys do, without those of all prompts.
    fn hint(&self) -> Vec<String>;
}

/// What a key leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Reaction {
    Stay,
    /// An answer, and how it is told in a line.
    Answer(Json, String),
    /// There is no answer yet, as a sentence says.
    Refuse(String),
    /// The editor is to be opened.
    Open,
}

/// How a prompt ended.
enum Done {
    Answered(Json, String),
    Open,
    Declined,
    Cancelled,
}

/// Shows a prompt until it has an answer that fits.
fn converse(
    machine: &mut dyn Machine,
    errors: &mut Vec<String>,
    color: bool,
    stop: &Stop,
    check: Check<'_>,
) -> io::Result<Done> {
    let mut screen = Screen::open(color)?;
    loop {
        screen.draw(&compose(machine, errors, screen::size()))?;
        let key = match screen.input(stop)? {
            Input::Key(key) => key,
            Input::Resized => continue,
            Input::Stopped => return Ok(Done::Cancelled),
        };
        errors.clear();
        match key {
            Key::Cancel => return Ok(Done::Cancelled),
            Key::Decline => return Ok(Done::Declined),
            key => match machine.key(&key) {
                Reaction::Stay => {}
                Reaction::Refuse(error) => errors.push(error),
                Reaction::Open => return Ok(Done::Open),
                Reaction::Answer(value, told) => match check(&value) {
                    Ok(()) => return Ok(Done::Answered(value, told)),
                    Err(misfits) => errors.extend(misfits.iter().map(|error| safe_error(error))),
                },
            },
        }
    }
}

/// The prompt with the errors and keys below it.
fn compose(machine: &dyn Machine, errors: &[String], size: Size) -> Frame {
    // The last column stays free, since terminals differ in what they do after writing there.
    let columns = size.columns.saturating_sub(1).clamp(1, MOST_COLUMNS);
    let mut below = Vec::new();
    for error in errors {
        for (nth, line) in wrap(error, columns.saturating_sub(2)).iter().enumerate() {
            let sign = if nth == 0 { "✗ " } else { "  " };
            below.push(Line::new(Style::Bad, format!("{sign}{line}")).fit(columns));
        }
    }
    // Where there is little room, what is asked is worth more than all that is said of it.
    let share = (size.rows / 3).max(1);
    if below.len() > share.min(MOST_ERRORS) {
        below.truncate(share.min(MOST_ERRORS));
        if let Some(last) = below.last_mut() {
            *last = std::mem::take(last).with(Style::Bad, " …");
        }
    }
    let mut hint = machine.hint();
    hint.extend(["Ctrl-D declines", "Esc cancels"].map(str::to_owned));
    let mut keys = row(&hint, columns.saturating_sub(2));
    while keys.len() > share {
        hint.remove(0);
        keys = row(&hint, columns.saturating_sub(2));
    }
    let key = |line| Line::new(Style::Dim, format!("  {line}"));
    below.extend(keys.into_iter().map(key));
    let room = size.rows.saturating_sub(below.len()).max(1);
    let mut frame = machine.frame(Size {
        columns,
        rows: room,
    });
    frame.lines.extend(below);
    frame.lines.truncate(size.rows.max(1));
    frame
}

/// Parts beside each other with a dot between, on as many lines as they need.
fn row(parts: &[String], most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if frame::width(line) + frame::width(part) + 3 <= most => {
                line.push_str(" · ");
                line.push_str(part);
            }
            _ => lines.extend(wrap(part, most)),
        }
    }
    lines
}

/// Writes what stands above the prompt and stays there: the context, who asks, and the question.
fn introduce(asked: &Asked<'_>, color: bool) -> io::Result<()> {
    let mut out = Out::open()?;
    let mut text = context(asked.context, color);
    let columns = screen::size()
        .columns
        .saturating_sub(1)
        .clamp(1, MOST_COLUMNS);
    let who = asked.tool.map_or("A tool".to_owned(), one_line);
    let line = Line::new(Style::Chosen, "? ").with(Style::Dim, format!("{who} asks"));
    text.push_str(&screen::painted(&line, color));
    text.push('\n');
    let question = terminal_safe(asked.question.text.trim(), false).replace('\t', "    ");
    let mut lines = wrap(&question, columns.saturating_sub(2));
    if lines.len() > MOST_TEXT {
        lines.truncate(MOST_TEXT);
        lines.push("…".to_owned());
    }
    for line in lines {
        text.push_str("  ");
        text.push_str(&screen::painted(&Line::new(Style::Bold, line), color));
        text.push('\n');
    }
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Blocks as the core shows them on a terminal.
fn context(blocks: &[Block], color: bool) -> String {
    if blocks.is_empty() {
        return String::new();
    }
    let envelope = Envelope {
        content: blocks.to_vec(),
        ..Envelope::default()
    };
    let parsed = parse(envelope.to_json().into_bytes(), &Limits::WIDEST);
    let options = FormatOptions {
        target: Target::Terminal,
        max_bytes: Some(MOST_CONTEXT),
        audience: Some(Role::User),
        color,
        ..FormatOptions::default()
    };
    match format(&parsed, &options) {
        Ok(text) if !text.is_empty() => format!("{text}\n\n"),
        _ => String::new(),
    }
}

/// Leaves a line that says what became of the question.
fn conclude(done: Done, color: bool) -> io::Result<Answer> {
    let (line, answer) = match done {
        Done::Answered(value, told) => {
            let columns = screen::size()
                .columns
                .saturating_sub(1)
                .clamp(1, MOST_COLUMNS);
            let told = if told.is_empty() {
                "(nothing)".to_owned()
            } else {
                one_line(&told)
            };
            let line = Line::new(Style::Good, "✓ ")
                .with(Style::Plain, told)
                .fit(columns);
            (line, Answer::accepted(value, AnswerSource::User))
        }
        Done::Declined => (
            Line::new(Style::Dim, "– declined"),
            Answer::declined(AnswerSource::User),
        ),
        Done::Cancelled | Done::Open => (
            Line::new(Style::Dim, "– cancelled"),
            Answer::cancelled(AnswerSource::User),
        ),
    };
    let mut out = Out::open()?;
    writeln!(out, "{}", screen::painted(&line, color))?;
    out.flush()?;
    Ok(answer)
}

/// An error may quote what a tool wrote in its schema.
fn safe_error(error: &str) -> String {
    one_line(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_there_is_little_room_the_answer_has_most_of_it() {
        let text = toolwire::question::TextRange::default();
        let field = Field::text(&text, Some(&Json::from("typed")));
        let errors = vec!["an error of many words that takes several lines".to_owned(); 9];
        for columns in 1..40 {
            for rows in 3..12 {
                let frame = compose(&field, &errors, Size { columns, rows });
                assert!(frame.lines.len() <= rows, "{frame:?}");
                assert!(frame.lines[0].text().starts_with('❯'), "{frame:?}");
            }
        }
        let frame = compose(
            &field,
            &errors,
            Size {
                columns: 20,
                rows: 6,
            },
        );
        let lines: Vec<String> = frame.lines.iter().map(Line::text).collect();
        let shown = [
            "❯ typed",
            "✗ an error of many",
            "  words that takes …",
            "  Ctrl-D declines",
            "  Esc cancels",
        ];
        assert_eq!(lines, shown);
    }
}
