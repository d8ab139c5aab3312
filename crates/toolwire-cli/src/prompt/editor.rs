//! What is no simple prompt: JSON in a person's own editor, until it fits.

use std::env;
use std::io;

use toolwire::call::Answer;
use toolwire::question::read_template;
use toolwire::{Error, Locator};

use super::draft::{Draft, Edited, name};
use super::frame::{Frame, Line, Size, Style, fit, one_line};
use super::keys::Key;
use super::{Asking, Done, Fault, Machine, Reaction};

/// What begins a line that tells an error at the top of the file.
const NOTE: &str = "//!";

/// What is typed in an editor; the text that it began with tells whether anything was.
struct Typed<'s> {
    draft: Draft,
    start: &'s str,
}

impl Drop for Typed<'_> {
    fn drop(&mut self) {
        // There is nobody to tell if the terminal is gone.
        let _ = self.draft.end(|text| without_notes(text) != self.start);
    }
}

/// Asks with an editor. It opens when the person wants it to, and opens again with the errors on top
/// until the answer fits. Who saves the same again, or nothing, is asked what to do.
pub async fn ask(asking: &mut Asking<'_>, id: &str, start: &str) -> io::Result<Option<Answer>> {
    let command = choose(
        |name| env::var(name).ok(),
        |name| which::which(name).is_ok(),
    );
    let mistakes = |notes: &[Fault]| {
        let text = |note: &Fault| match note {
            Fault::Own(text) | Fault::Quoting(text) => text.clone(),
        };
        notes.iter().map(text).collect::<Vec<String>>()
    };
    let text = with_notes(start, &mistakes(&asking.faults));
    let mut typed = Typed {
        draft: Draft::new(id, &text),
        start,
    };
    let draft = &mut typed.draft;
    loop {
        let words = match &command {
            Ok(words) => words.as_slice(),
            Err(why) => {
                asking.faults.push(Fault::Own(why.clone()));
                &[]
            }
        };
        let mut pane = Pane {
            name: words.first().map(|word| name(word)),
            file: draft.place(),
        };
        let done = asking.converse(&mut pane).await?;
        if !matches!(done, Done::Open) {
            return asking.conclude(done);
        }
        // Until there is something to decide, the editor simply opens again.
        loop {
            let before = without_notes(draft.text()).to_owned();
            let why = match draft.edit(words).await? {
                Edited::Saved => None,
                Edited::Unsaved => Some("nothing was saved, so there is no answer".to_owned()),
                Edited::Failed(why) => Some(one_line(&why)),
            };
            if let Some(why) = why {
                asking.faults.push(Fault::Own(why));
                break;
            }
            let text = without_notes(draft.text()).to_owned();
            let misfits = match read_template(&text) {
                Ok(None) => {
                    draft.remove();
                    return asking.conclude(Done::Cancelled);
                }
                Ok(Some(value)) => match (asking.check)(&value) {
                    Ok(()) => {
                        draft.remove();
                        let told = one_line(value.as_str());
                        return asking.conclude(Done::Answered(value, told));
                    }
                    Err(misfits) => misfits,
                },
                Err(error) => vec![syntax(&text, &error)],
            };
            let misfits: Vec<Fault> = misfits.iter().map(|e| Fault::quoting(e)).collect();
            draft.set(with_notes(&text, &mistakes(&misfits)));
            if text == before {
                asking.faults = misfits;
                break;
            }
        }
    }
}

/// What a person sees between one opening of the editor and the next.
struct Pane {
    name: Option<String>,
    /// Where the text is, if it was written already.
    file: Option<String>,
}

impl Machine for Pane {
    fn key(&mut self, key: &Key) -> Reaction {
        match (key, &self.name) {
            (Key::Enter, Some(_)) => Reaction::Open,
            (Key::Enter, None) => {
                let how = "there is no editor: set EDITOR, or answer with --answer or --answers";
                Reaction::Refuse(how.to_owned())
            }
            _ => Reaction::Stay,
        }
    }

    fn frame(&self, who: &str, size: Size) -> Frame {
        let text = match &self.name {
            Some(name) => format!("❯ Answer in {name}"),
            None => "❯ Answer in an editor".to_owned(),
        };
        let line = Line::new(Style::Dim, who).with(Style::Chosen, text);
        let mut lines = vec![line.fit(size.columns)];
        if let Some(file) = &self.file {
            let room = size.columns.saturating_sub(2);
            // The end of a path tells more than its beginning, but a path that is cut is no path.
            let parts = super::frame::wrap(file, room);
            lines.extend(
                parts
                    .iter()
                    .map(|part| Line::new(Style::Dim, format!("  {}", fit(part, room)))),
            );
        }
        Frame {
            lines,
            cursor: None,
        }
    }

    fn hint(&self) -> Vec<String> {
        let key = match (&self.name, &self.file) {
            (None, _) => "there is no editor",
            (_, None) => "Enter opens the editor",
            (_, Some(_)) => "Enter opens it again, or accepts what was saved in the meantime",
        };
        vec![key.to_owned()]
    }
}

/// The words of the editor's command: `$VISUAL`, `$EDITOR`, or what most systems have.
fn choose(
    variable: impl Fn(&str) -> Option<String>,
    exists: impl Fn(&str) -> bool,
) -> Result<Vec<String>, String> {
    for name in ["VISUAL", "EDITOR"] {
        let value = variable(name).filter(|value| !value.trim().is_empty());
        if let Some(value) = value {
            return split(&value).ok_or_else(|| {
                format!("the command in `{name}` can't be read: a quote in it is not closed")
            });
        }
    }
    let usual: &[&str] = match cfg!(windows) {
        true => &["notepad"],
        false => &["sensible-editor", "nano", "vim", "vi"],
    };
    let found = usual.iter().find(|name| exists(name));
    found
        .map(|name| vec![(*name).to_owned()])
        .ok_or_else(|| "no editor was found: set EDITOR to the command of one".to_owned())
}

/// Splits a command into words as a shell does, but nothing in it is expanded or run.
#[cfg(not(windows))]
fn split(command: &str) -> Option<Vec<String>> {
    shlex::split(command)
}

/// Splits a command into words. A backslash is part of a path here, and only double quotes quote.
#[cfg(windows)]
fn split(command: &str) -> Option<Vec<String>> {
    let parts: Vec<&str> = command.split('"').collect();
    if parts.len() % 2 == 0 {
        return None;
    }
    let mut words = Vec::new();
    for (nth, part) in parts.iter().enumerate() {
        if nth % 2 == 1 {
            words.push((*part).to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    Some(words)
}

/// A text with errors as comments on top.
fn with_notes(text: &str, errors: &[String]) -> String {
    if errors.is_empty() {
        return text.to_owned();
    }
    let mut noted = format!("{NOTE} This does not fit yet:\n");
    for error in errors {
        noted.push_str(&format!("{NOTE} - {error}\n"));
    }
    noted + text
}

/// The text below the errors that are on top of it.
fn without_notes(text: &str) -> &str {
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    while rest.starts_with(NOTE) {
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
    }
    rest
}

/// An error of the syntax, with its place in the file as it will be opened: below the lines that tell
/// the error.
fn syntax(text: &str, error: &Error) -> String {
    let Some(offset) = error.offset() else {
        return error.message().to_owned();
    };
    let place = Locator::new(text.as_bytes()).locate(offset);
    let above = with_notes("", &[String::new()]).lines().count() as u64;
    let (line, column) = (place.line + above, place.column);
    format!("line {line}, column {column}: {}", error.message())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_editor_is_the_one_that_is_set() {
        let chosen = |visual: Option<&str>, editor: Option<&str>, there: &[&str]| {
            let variable = |name: &str| match name {
                "VISUAL" => visual.map(str::to_owned),
                _ => editor.map(str::to_owned),
            };
            choose(variable, |name| there.contains(&name))
        };
        let words = |words: &[&str]| Ok(words.iter().map(|&word| word.to_owned()).collect());
        assert_eq!(
            chosen(Some("code --wait"), Some("vi"), &[]),
            words(&["code", "--wait"])
        );
        assert_eq!(chosen(Some(" "), Some("vi"), &[]), words(&["vi"]));
        assert_eq!(
            chosen(None, Some("'a b' -x \"$HOME;id\""), &[]),
            words(&["a b", "-x", "$HOME;id"])
        );
        if cfg!(unix) {
            assert_eq!(chosen(None, None, &["vi", "nano"]), words(&["nano"]));
        }
        assert!(
            chosen(None, Some("'vi"), &["vi"])
                .unwrap_err()
                .contains("`EDITOR`")
        );
        assert!(chosen(None, None, &[]).unwrap_err().contains("set EDITOR"));
    }

    #[test]
    fn notes_come_and_go() {
        let text = "// What?\n{}\n";
        let noted = with_notes(text, &["one".to_owned(), "two".to_owned()]);
        assert_eq!(
            noted,
            "//! This does not fit yet:\n//! - one\n//! - two\n// What?\n{}\n"
        );
        assert_eq!(without_notes(&noted), text);
        assert_eq!(without_notes(text), text);
        assert_eq!(without_notes("//! only"), "");
        assert_eq!(with_notes(text, &[]), text);
    }

    #[test]
    fn the_line_of_an_error_is_that_of_the_file_as_it_will_be_opened() {
        let text = "// What?\n{\"a\":\n}\n";
        let error = read_template(text).unwrap_err();
        let note = syntax(text, &error);
        let file = with_notes(text, std::slice::from_ref(&note));
        let line: usize = note["line ".len()..]
            .split(',')
            .next()
            .unwrap()
            .parse()
            .unwrap();
        assert_eq!(file.lines().nth(line - 1), Some("}"), "{note}");
    }
}
