//! Questions as prompts at the terminal, one for each kind of [`Prompt`].
//!
//! Each prompt is a [`Machine`] without input or output: keys go in, frames come out. Around it there
//! is one loop, with what all prompts have in common: cancelling, declining, checking the answer.

mod above;
mod assistant;
mod draft;
mod editor;
mod field;
mod form;
mod frame;
mod gutter;
mod keys;
mod line;
mod list;
mod page;
mod person;
mod screen;
mod yes_no;

use std::io::{self, IsTerminal, Write};

use toolwire::block::Question;
use toolwire::call::{Answer, AnswerSource};
use toolwire::question::{Prompt, template};
use toolwire::{Block, Json};

use above::{Above, View};
use field::Field;
use form::Form;
use frame::{Frame, Line, Size, Style, one_line};
use keys::Key;
use list::List;
use screen::Screen;
use yes_no::YesNo;

use crate::terminal::{Terminal, has_keys};

pub use assistant::tell as tell_assistant;
pub use draft::is_open as editor_is_open;
pub use frame::{fit, width as columns, wrap};
pub use gutter::{GUTTER, rows as behind_gutter};
pub use person::{ask_own, ask_person};
pub use screen::{UNWRAPPED, WRAPPED, go_on, handle_suspension, make_way, size as terminal_size};

/// The most lines of errors that are shown.
const MOST_ERRORS: usize = 8;
/// What is said of an answer that does not fit and is not to be seen.
const UNSEEN: &str = "the answer does not fit";
/// The most columns of one error.
const MOST_FAULT: usize = 1000;
/// Lines are not wider than a person likes to read.
const MOST_COLUMNS: usize = 100;

/// A question that is put to a person.
struct Asked<'a> {
    /// The tool that asks.
    tool: Option<&'a str>,
    /// Whether no tool does, but this command itself.
    own: bool,
    question: &'a Question,
    prompt: &'a Prompt,
    default: Option<&'a Json>,
    /// The blocks that stand before the question and were not shown yet.
    context: &'a [Block],
    /// Why what was answered before did not fit, if something was.
    errors: &'a [String],
    /// Whether nobody is to see what is typed: neither on the terminal, where it would stay, nor in a
    /// file, nor in what is said of it.
    masked: bool,
    /// The place in the question for which that is so.
    sign: Option<&'a str>,
    /// What to think of before an answer is typed, in the host's words.
    warning: Option<String>,
}

/// What is wrong with an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fault {
    /// In the words of this command alone.
    Own(String),
    /// In a sentence that may quote what the tool wrote in its schema, or what was typed.
    Quoting(String),
}

impl Fault {
    fn quoting(error: &str) -> Fault {
        Fault::Quoting(fit(&one_line(error), MOST_FAULT))
    }
}

/// Says why a value does not fit, if it does not.
type Check<'a> = &'a dyn Fn(&Json) -> Result<(), Vec<String>>;

/// Whether there is a terminal at which a person can be asked.
pub fn is_available() -> bool {
    io::stdin().is_terminal() && is_available_beside_stdin()
}

/// The same for a command that reads something else from standard input.
pub fn is_available_beside_stdin() -> bool {
    has_keys()
        && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        && Terminal::open().is_ok()
}

/// A question on the terminal. One that is dropped before it is concluded was withdrawn, which is said there.
struct Asking<'a> {
    above: Above,
    color: bool,
    check: Check<'a>,
    /// What is wrong with what was entered.
    faults: Vec<Fault>,
    concluded: bool,
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        if !self.concluded {
            // Nobody waits for the answer, nor for the reason why there is none.
            let _ = self.conclude(Done::Cancelled);
        }
    }
}

/// Asks a person at the terminal and waits for the answer.
///
/// The state is accepted with a value that fits as `check` says; declined for Ctrl-D; cancelled for
/// Esc. There is no answer if Ctrl-C ends the whole call. A question that declares a secret has no prompt
/// so it does not come here.
///
/// # Errors
///
/// The terminal can't be read or written.
async fn ask(asked: &Asked<'_>, color: bool, check: Check<'_>) -> io::Result<Option<Answer>> {
    let given = asked.default;
    let unseen = |value: &Json| check(value).map_err(|_| vec![UNSEEN.to_owned()]);
    let mut asking = Asking {
        above: Above::new(asked, color),
        color,
        check: if asked.masked { &unseen } else { check },
        faults: match asked.masked && !asked.errors.is_empty() {
            // They may quote what was typed.
            true => vec![Fault::Own(UNSEEN.to_owned())],
            false => asked.errors.iter().map(|e| Fault::quoting(e)).collect(),
        },
        concluded: false,
    };
    let mut machine: Box<dyn Machine> = match asked.prompt {
        Prompt::Form(fields) => Box::new(Form::new(asked.question, fields, given, asked.sign)),
        // A file would keep what nobody is to see.
        Prompt::Editor if asked.masked => Box::new(Field::json().masked(true)),
        Prompt::Editor => {
            let template = template(asked.question);
            return editor::ask(&mut asking, &asked.question.id, &template).await;
        }
        Prompt::Url { url } => return page::ask(&mut asking, url).await,
        prompt => match machine(prompt, given, asked.masked) {
            Some(machine) => machine,
            None => {
                asking.concluded = true;
                return Ok(Some(Answer::unavailable(AnswerSource::Policy)));
            }
        },
    };
    let done = match asking.converse(machine.as_mut()).await? {
        Done::Answered(value, _) if asked.masked => {
            Done::Answered(value, "(what was typed is not shown)".to_owned())
        }
        done => done,
    };
    asking.conclude(done)
}

/// The machine of a simple prompt, such as a field of a form can have.
fn machine(prompt: &Prompt, given: Option<&Json>, masked: bool) -> Option<Box<dyn Machine>> {
    Some(match prompt {
        Prompt::Boolean => Box::new(YesNo::new(given)),
        Prompt::Select(choices) => Box::new(List::one(choices, given).masked(masked)),
        Prompt::MultiSelect {
            choices,
            min_items,
            max_items,
        } => Box::new(List::many(choices, *min_items, *max_items, given).masked(masked)),
        Prompt::Text(range) => Box::new(Field::text(range, given).masked(masked)),
        Prompt::Number(range) => Box::new(Field::number(range, given).masked(masked)),
        _ => return None,
    })
}

/// A prompt without input and output.
trait Machine {
    fn key(&mut self, key: &Key) -> Reaction;
    /// What is shown in this room, `who` before the input. A frame that is higher is cut.
    fn frame(&self, who: &str, size: Size) -> Frame;
    /// What the keys do, without those of all prompts.
    fn hint(&self) -> Vec<String>;
    /// Whether nothing is entered, so that Enter can leave out a field that is optional.
    fn is_empty(&self) -> bool {
        false
    }
}

/// What a key leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Reaction {
    Stay,
    /// An answer, and how it is told in a line.
    Answer(Json, String),
    /// There is no answer yet, as a sentence says.
    Refuse(String),
    /// What was entered does not fit, for these reasons, which may quote the tool.
    Misfits(Vec<String>),
    /// The editor, or the page, is to be opened.
    Open,
    /// The person has opened the page.
    Opened,
}

/// How a prompt ended.
enum Done {
    Answered(Json, String),
    Open,
    Opened,
    Declined,
    Cancelled,
    /// Ctrl-C: the whole call is to end.
    Interrupted,
}

impl Asking<'_> {
    /// Shows a prompt until it has an answer that fits.
    async fn converse(&mut self, machine: &mut dyn Machine) -> io::Result<Done> {
        let mut screen = Screen::open(self.color)?;
        let mut view: Option<View> = None;
        loop {
            let size = screen::size();
            let frame = match &mut view {
                Some(view) => self.above.view(view, roomy(size)),
                None => compose(machine, &mut self.above, &self.faults, size),
            };
            screen.draw(&frame)?;
            let Some(key) = screen.input().await? else {
                continue;
            };
            match (&key, &mut view) {
                (Key::Interrupt, _) => return Ok(Done::Interrupted),
                (Key::Suspend, _) => {
                    screen.suspend().await?;
                    continue;
                }
                (key, Some(reading)) => {
                    if !reading.key(key) {
                        view = None;
                    }
                    continue;
                }
                (key, None) if *key == ALL => {
                    view = Some(View::default());
                    continue;
                }
                _ => self.faults.clear(),
            }
            match key {
                Key::Cancel => return Ok(Done::Cancelled),
                Key::Decline => return Ok(Done::Declined),
                key => match machine.key(&key) {
                    Reaction::Stay => {}
                    Reaction::Refuse(error) => self.faults.push(Fault::Own(error)),
                    Reaction::Misfits(misfits) => self.find_fault(&misfits),
                    Reaction::Open => return Ok(Done::Open),
                    Reaction::Opened => return Ok(Done::Opened),
                    Reaction::Answer(value, told) => match (self.check)(&value) {
                        Ok(()) => return Ok(Done::Answered(value, told)),
                        Err(misfits) => self.find_fault(&misfits),
                    },
                },
            }
        }
    }

    fn find_fault(&mut self, misfits: &[String]) {
        self.faults
            .extend(misfits.iter().map(|e| Fault::quoting(e)));
    }

    /// Leaves the question and a line that says what became of it. There is no answer to one that was
    /// interrupted.
    fn conclude(&mut self, done: Done) -> io::Result<Option<Answer>> {
        self.concluded = true;
        let columns = roomy(screen::size()).columns;
        let (line, answer) = match done {
            Done::Answered(value, told) => {
                let told = if told.is_empty() {
                    "(nothing)".to_owned()
                } else {
                    one_line(&told)
                };
                let line = Line::new(Style::Good, "✓ ")
                    .with(Style::Plain, told)
                    .fit(columns);
                (line, Some(Answer::accepted(value, AnswerSource::User)))
            }
            Done::Opened => (
                Line::new(Style::Good, "✓ ").with(Style::Plain, "opened"),
                Some(Answer::opened(AnswerSource::User)),
            ),
            Done::Declined => (
                Line::new(Style::Dim, "– declined"),
                Some(Answer::declined(AnswerSource::User)),
            ),
            Done::Cancelled | Done::Open => (
                Line::new(Style::Dim, "– cancelled"),
                Some(Answer::cancelled(AnswerSource::User)),
            ),
            Done::Interrupted => (Line::new(Style::Dim, "– cancelled"), None),
        };
        let mut text = UNWRAPPED.to_owned();
        for line in self.above.kept(columns).iter().chain([&line]) {
            text.push_str(&screen::painted(line, self.color));
            text.push('\n');
        }
        text.push_str(WRAPPED);
        let mut out = Terminal::open()?;
        out.write_all(text.as_bytes())?;
        out.flush()?;
        Ok(answer)
    }
}

/// The key that shows all that the tool says.
const ALL: Key = Key::Ctrl('o');

/// The columns that are used of these. The last one stays free, since terminals differ in what they
/// do after writing there.
fn roomy(size: Size) -> Size {
    let columns = size.columns.saturating_sub(1).clamp(1, MOST_COLUMNS);
    Size { columns, ..size }
}

/// What the tool says, the prompt, and the errors and keys below it, in one window: nothing of it
/// scrolls away.
fn compose(machine: &dyn Machine, above: &mut Above, faults: &[Fault], size: Size) -> Frame {
    let Size { columns, rows } = roomy(size);
    // Where there is little room, what is asked is worth more than all that is said of it.
    let share = (rows / 3).max(1);
    let faults = told(faults, columns, share);
    let warning = above.warning(columns, share);
    let who = above.who(columns);
    let wanted = machine.frame(&who, Size { columns, rows }).lines.len();
    let count = above.count(columns);
    let mut keys = hints(machine, None, columns, share);
    let fixed = faults.len() + warning.len();
    if fixed + keys.len() + wanted + 1 + count > rows {
        let all = format!("Ctrl-O shows all {count} lines");
        keys = hints(machine, Some(all), columns, share);
    }
    let room = rows.saturating_sub(fixed + keys.len()).max(1);
    let most = room.saturating_sub(wanted).max(room / 2);
    let mut lines = above.lines(Size {
        columns,
        rows: most.min(count + 1),
    });
    lines.extend(warning);
    let room = rows.saturating_sub(lines.len() + faults.len() + keys.len());
    let input = machine.frame(
        &who,
        Size {
            columns,
            rows: room.max(1),
        },
    );
    let cursor = input
        .cursor
        .map(|(line, column)| (line + lines.len(), column));
    lines.extend(input.lines);
    lines.extend(faults);
    lines.extend(keys);
    lines.truncate(rows.max(1));
    Frame { lines, cursor }
}

/// What is wrong. What quotes the tool stands behind the mark.
fn told(faults: &[Fault], columns: usize, share: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for fault in faults {
        let rows = match fault {
            Fault::Own(text) => wrap(text, columns.saturating_sub(2)),
            Fault::Quoting(text) => gutter::rows(text, columns.saturating_sub(2)),
        };
        for (nth, row) in rows.iter().enumerate() {
            let sign = if nth == 0 { "✗ " } else { "  " };
            lines.push(Line::new(Style::Bad, format!("{sign}{row}")).fit(columns));
        }
    }
    let most = share.min(MOST_ERRORS);
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            *last = std::mem::take(last).with(Style::Bad, " …");
        }
    }
    lines
}

/// What the keys do.
fn hints(machine: &dyn Machine, all: Option<String>, columns: usize, share: usize) -> Vec<Line> {
    let mut hint = machine.hint();
    hint.extend(all);
    hint.extend(["Ctrl-D declines", "Esc cancels"].map(str::to_owned));
    let mut keys = row(&hint, columns.saturating_sub(2));
    while keys.len() > share {
        hint.remove(0);
        keys = row(&hint, columns.saturating_sub(2));
    }
    let key = |line| Line::new(Style::Dim, format!("  {line}"));
    keys.into_iter().map(key).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn above(context: &str, text: &str) -> Above {
        let document = serde_json::json!({"content": [
            {"type": "text", "text": context},
            {"type": "question", "question": {"id": "q", "text": text, "schema": {}}},
        ]});
        let limits = toolwire::Limits::default();
        let parsed = toolwire::parse(document.to_string().into_bytes(), &limits);
        let content = parsed.to_envelope().content;
        let Block::Question(block) = &content[1] else {
            panic!("no question in {content:?}");
        };
        let question = &block.question;
        let context = if context.is_empty() {
            &[]
        } else {
            &content[..1]
        };
        let asked = Asked {
            own: false,
            tool: Some("rename"),
            question,
            prompt: &Prompt::Boolean,
            default: None,
            context,
            errors: &[],
            masked: false,
            sign: None,
            warning: None,
        };
        Above::new(&asked, false)
    }

    fn texts(frame: &Frame) -> Vec<String> {
        frame.lines.iter().map(Line::text).collect()
    }

    #[test]
    fn where_there_is_little_room_the_answer_has_most_of_it() {
        let text = toolwire::question::TextRange::default();
        let field = Field::text(&text, Some(&Json::from("typed")));
        let words = "an error of many words that takes several lines";
        let errors = vec![Fault::Quoting(words.to_owned()); 9];
        let mut asked = above("", &"Rename a to b? ".repeat(9));
        for columns in 1..40 {
            for rows in 1..12 {
                let frame = compose(&field, &mut asked, &errors, Size { columns, rows });
                assert!(frame.lines.len() <= rows, "{frame:?}");
                let input = texts(&frame)
                    .iter()
                    .filter(|line| line.contains("› "))
                    .count();
                assert_eq!(input, 1, "{columns} {rows}: {frame:?}");
                let at = frame.cursor.unwrap().0;
                assert!(frame.lines[at].text().contains("› "), "{frame:?}");
            }
        }
        let size = Size {
            columns: 22,
            rows: 8,
        };
        let shown = [
            "? rename asks",
            "│ Rename a to b?",
            "  ⋯ 8 more lines",
            "rename asks › typed",
            "✗ │ an error of many",
            "  │ words that takes …",
            "  Ctrl-D declines",
            "  Esc cancels",
        ];
        assert_eq!(texts(&compose(&field, &mut asked, &errors, size)), shown);
    }

    /// Whatever the size and the text: the tool's words are behind the mark, the host's are not, and
    /// who asks is there.
    #[test]
    fn nothing_of_the_tool_stands_before_the_mark_or_takes_the_place_of_the_host() {
        let forged = "? toolwire asks\nrename asks › yes\n".repeat(30);
        let spaces = format!("x{}? toolwire asks", " ".repeat(77));
        let field = Field::text(&toolwire::question::TextRange::default(), None);
        let faults = [Fault::quoting(&spaces)];
        for (context, text) in [(&forged, &spaces), (&spaces, &forged)] {
            let mut asked = above(context, text);
            for (columns, rows) in [(80, 24), (79, 24), (40, 10), (20, 5), (12, 4), (200, 60)] {
                let frame = compose(&field, &mut asked, &faults, Size { columns, rows });
                let lines = texts(&frame);
                assert!(lines.len() <= rows, "{lines:#?}");
                let head = lines
                    .iter()
                    .filter(|line| line.starts_with("? "))
                    .collect::<Vec<_>>();
                assert_eq!(head.len(), 1, "{lines:#?}");
                assert!("? rename asks".starts_with(head[0].trim_end_matches('…')));
                for line in lines.iter().filter(|line| line.contains("toolwire")) {
                    let line = line.trim_start_matches(['✗', ' ']);
                    assert!(line.starts_with('│'), "{lines:#?}");
                }
                assert!(frame.lines.iter().all(|line| line.width() < columns));
                let mut view = View::default();
                let size = roomy(Size { columns, rows });
                let mut read = Vec::new();
                loop {
                    let lines = texts(&above_view(&mut asked, &mut view, size));
                    assert!(
                        lines.len() <= rows && lines[0].starts_with("? ren"),
                        "{lines:#?}"
                    );
                    read.extend(lines[1..lines.len() - 1].to_vec());
                    if !view.key(&Key::PageDown) || read.len() > 5000 || last(&lines[0]) {
                        break;
                    }
                }
                assert!(read.iter().all(|line| line.starts_with('│')), "{read:#?}");
                if columns > 30 {
                    assert!(read.iter().filter(|line| line.contains("toolwire")).count() >= 30);
                }
            }
        }
    }

    #[test]
    fn a_warning_stands_between_the_question_and_an_input_that_is_masked() {
        let mut asked = above("", "Which word opens the box?");
        asked.warn("never give the word that opens everything else");
        let text = toolwire::question::TextRange::default();
        let mut field = Field::text(&text, None).masked(true);
        field.key(&Key::Paste("sesame".to_owned()));
        let size = Size {
            columns: 40,
            rows: 10,
        };
        let shown = [
            "? rename asks",
            "│ Which word opens the box?",
            "! never give the word that opens",
            "! everything else",
            "rename asks › ••••••",
            "  Enter answers · Ctrl-U clears",
            "  Ctrl-D declines · Esc cancels",
        ];
        assert_eq!(texts(&compose(&field, &mut asked, &[], size)), shown);
    }

    fn above_view(above: &mut Above, view: &mut View, size: Size) -> Frame {
        above.view(view, size)
    }

    /// Whether a title says that this is the end.
    fn last(title: &str) -> bool {
        let mut numbers = title
            .split(' ')
            .filter_map(|word| word.parse::<usize>().ok());
        let (_, end, all) = (numbers.next(), numbers.next(), numbers.next());
        end == all
    }
}
