//! An object, asked field by field, and shown as a whole before it is sent.

use std::collections::BTreeMap;

use toolwire::Json;
use toolwire::block::Question;
use toolwire::question::{FormField, SecretContext, find_secret};
use toolwire_host::{CheckError, check_value};

use super::frame::{Frame, Line, Size, Style, fit, one_line};
use super::gutter::{self, GUTTER};
use super::keys::Key;
use super::{Machine, Reaction, UNSEEN, machine};

/// The most columns of a title or of a value that are looked at.
const MOST_COLUMNS: usize = 500;
/// The most rows of a field's description.
const MOST_ABOUT: usize = 6;
/// What is shown of a value that nobody is to see.
const HIDDEN: &str = "••••";

pub struct Form {
    slots: Vec<Slot>,
    /// The field that keys act on; the review, behind the last one.
    at: usize,
    /// Whether every field had its turn, so that each one leads back to the review.
    reviewed: bool,
    /// The row of the review that keys act on: a field, or sending behind the last one.
    row: usize,
    /// What references in the fields refer to.
    definitions: BTreeMap<String, Json>,
}

/// A field, its prompt, and what was entered.
struct Slot {
    field: FormField,
    title: String,
    about: String,
    machine: Box<dyn Machine>,
    masked: bool,
    entered: Entered,
}

enum Entered {
    Nothing,
    LeftOut,
    Value(Json, String),
}

impl Form {
    /// `sign` is the place that makes the question suspected of asking for a secret, if it is. What is
    /// entered is hidden in the fields that look like one, or in all if the place is in none of them.
    pub fn new(
        question: &Question,
        fields: &[FormField],
        default: Option<&Json>,
        sign: Option<&str>,
    ) -> Form {
        let members = |json: &Json| json.to_value::<BTreeMap<String, Json>>();
        let given = default.and_then(|default| members(default).ok());
        let mut definitions = members(&question.schema).unwrap_or_default();
        definitions.retain(|name, _| ["$defs", "definitions"].contains(&name.as_str()));
        let everywhere = sign.is_some_and(|sign| !sign.starts_with("/schema/"));
        let slots = fields.iter().map(|field| {
            let masked = everywhere || sign.is_some() && is_suspected(field);
            let given = given.as_ref().and_then(|given| given.get(&field.name));
            let suggested = given.or(field.default.as_ref());
            // A secret has no default.
            let suggested = suggested.filter(|_| !masked);
            Some(Slot {
                machine: machine(&field.prompt, suggested, masked)?,
                title: fit(&one_line(field.label()), MOST_COLUMNS),
                about: one_line(field.description.as_deref().unwrap_or_default()),
                field: field.clone(),
                masked,
                entered: Entered::Nothing,
            })
        });
        let mut form = Form {
            slots: slots.flatten().collect(),
            at: 0,
            reviewed: false,
            row: fields.len(),
            definitions,
        };
        // The sign is in the schema, but in none of the fields.
        if sign.is_some() && !form.slots.iter().any(|slot| slot.masked) {
            for slot in &mut form.slots {
                slot.masked = true;
                if let Some(masked) = machine(&slot.field.prompt, None, true) {
                    slot.machine = masked;
                }
            }
        }
        form
    }

    fn go_on(&mut self, entered: Entered) -> Reaction {
        self.slots[self.at].entered = entered;
        self.at += 1;
        if self.reviewed || self.at == self.slots.len() {
            self.at = self.slots.len();
            self.row = self.slots.len();
            self.reviewed = true;
        }
        Reaction::Stay
    }

    fn field_key(&mut self, key: &Key) -> Reaction {
        let slot = &mut self.slots[self.at];
        let required = slot.field.required;
        match key {
            Key::BackTab if self.reviewed => self.at = self.slots.len(),
            Key::BackTab => self.at = self.at.saturating_sub(1),
            Key::Ctrl('x') if required => {
                return Reaction::Refuse("this field can't be left out".to_owned());
            }
            Key::Ctrl('x') => return self.go_on(Entered::LeftOut),
            Key::Enter if !required && slot.machine.is_empty() => {
                return self.go_on(Entered::LeftOut);
            }
            key => match slot.machine.key(key) {
                Reaction::Answer(value, told) => match self.misfits(&value) {
                    misfits if misfits.is_empty() => {
                        return self.go_on(Entered::Value(value, one_line(&told)));
                    }
                    misfits => return Reaction::Misfits(misfits),
                },
                other => return other,
            },
        }
        Reaction::Stay
    }

    /// What is wrong with a value of the field that has its turn. What can't be told of the field alone is
    /// told of the whole.
    fn misfits(&self, value: &Json) -> Vec<String> {
        let slot = &self.slots[self.at];
        let name = &slot.field.name;
        let object = |part: &Json| Json::from_value(&BTreeMap::from([(name, part)]));
        let mut schema = self.definitions.clone();
        let (Ok(properties), Ok(value)) = (object(&slot.field.schema), object(value)) else {
            return Vec::new();
        };
        schema.insert("properties".to_owned(), properties);
        let checked = Json::from_value(&schema).map(|schema| check_value(&schema, &value));
        match checked {
            Ok(Err(CheckError::Mismatches(_))) if slot.masked => vec![UNSEEN.to_owned()],
            Ok(Err(CheckError::Mismatches(found))) => {
                found.into_iter().map(|found| found.message).collect()
            }
            _ => Vec::new(),
        }
    }

    fn review_key(&mut self, key: &Key) -> Reaction {
        let last = self.slots.len();
        match key {
            Key::Up | Key::Char('k') => self.row = self.row.checked_sub(1).unwrap_or(last),
            Key::Down | Key::Char('j') => self.row = if self.row < last { self.row + 1 } else { 0 },
            Key::Home => self.row = 0,
            Key::End => self.row = last,
            Key::BackTab => self.at = last - 1,
            Key::Enter if self.row < last => self.at = self.row,
            Key::Enter => return self.answer(),
            _ => {}
        }
        Reaction::Stay
    }

    fn answer(&self) -> Reaction {
        let entered = self.slots.iter().filter_map(|slot| match &slot.entered {
            Entered::Value(value, _) => Some((slot.field.name.as_str(), value)),
            _ => None,
        });
        let value = Json::from_value(&entered.collect::<BTreeMap<&str, &Json>>());
        let told = self.slots.iter().filter_map(|slot| match &slot.entered {
            Entered::Value(..) => Some(format!("{}: {}", slot.title, slot.told())),
            _ => None,
        });
        let told = told.collect::<Vec<String>>().join(", ");
        value.map_or(Reaction::Stay, |value| Reaction::Answer(value, told))
    }

    /// A field: its title and what is said of it, then its prompt.
    fn field(&self, slot: &Slot, who: &str, size: Size) -> Frame {
        let wanted = slot.machine.frame(who, size).lines.len();
        let room = size.rows.saturating_sub(wanted.min(size.rows / 2 + 1));
        let title = gutter::rows(&slot.title, size.columns).into_iter();
        let mut head: Vec<Line> = title.map(|row| bold(&row)).collect();
        let need = if slot.field.required {
            "required"
        } else {
            "optional"
        };
        let place = format!("  {} of {}, {need}", self.at + 1, self.slots.len());
        head.push(Line::new(Style::Dim, place).fit(size.columns));
        if !slot.about.is_empty() {
            let rows = gutter::rows(&slot.about, size.columns);
            let more = rows.len() > MOST_ABOUT;
            let mut rows: Vec<Line> = rows
                .into_iter()
                .take(MOST_ABOUT)
                .map(|row| Line::new(Style::Dim, row))
                .collect();
            if let Some(last) = rows.last_mut().filter(|_| more) {
                *last = std::mem::take(last)
                    .fit(size.columns.saturating_sub(2))
                    .with(Style::Dim, " …");
            }
            head.extend(rows);
        }
        head.truncate(room);
        let below = Size {
            rows: size.rows - head.len(),
            ..size
        };
        let Frame { lines, cursor } = slot.machine.frame(who, below);
        Frame {
            cursor: cursor.map(|(line, column)| (line + head.len(), column)),
            lines: head.into_iter().chain(lines).collect(),
        }
    }

    /// All fields with what was entered, and the way to send it.
    fn review(&self, who: &str, size: Size) -> Frame {
        let mut lines = Vec::new();
        if size.rows > 1 {
            let head = Line::new(Style::Dim, who).with(Style::Dim, "your answers");
            lines.push(head.fit(size.columns));
        }
        let count = self.slots.len() + 1;
        let room = size.rows.saturating_sub(lines.len()).max(1);
        let shown = count.min(room);
        let start = self.row.saturating_sub(shown / 2).min(count - shown);
        for row in start..start + shown {
            let (sign, style) = match row == self.row {
                true => ("❯ ", Style::Chosen),
                false => ("  ", Style::Plain),
            };
            let line = match self.slots.get(row) {
                Some(slot) => Line::new(style, sign)
                    .with(Style::Plain, GUTTER)
                    .with(style, format!("{}: ", slot.title))
                    .with(Style::Plain, slot.told()),
                None => Line::new(style, format!("{sign}Send these answers")),
            };
            lines.push(line.fit(size.columns));
        }
        Frame {
            lines,
            cursor: None,
        }
    }
}

impl Slot {
    fn told(&self) -> String {
        match &self.entered {
            Entered::Value(..) if self.masked => HIDDEN.to_owned(),
            Entered::Value(_, told) => fit(told, MOST_COLUMNS),
            Entered::LeftOut | Entered::Nothing => "–".to_owned(),
        }
    }
}

/// A row of the tool's text, the mark before it plain.
fn bold(row: &str) -> Line {
    let text = row.strip_prefix(GUTTER).unwrap_or(row);
    Line::new(Style::Plain, GUTTER).with(Style::Bold, text)
}

/// Whether a field, as a question of its own, looks as if it asked for a secret.
fn is_suspected(field: &FormField) -> bool {
    let question = Question {
        id: field.name.clone(),
        text: String::new(),
        schema: field.schema.clone(),
        default: None,
        url: None,
        extra: BTreeMap::new(),
    };
    find_secret(&question, &SecretContext::default()).is_some()
}

impl Machine for Form {
    fn key(&mut self, key: &Key) -> Reaction {
        match self.at < self.slots.len() {
            true => self.field_key(key),
            false => self.review_key(key),
        }
    }

    fn frame(&self, who: &str, size: Size) -> Frame {
        match self.slots.get(self.at) {
            Some(slot) => self.field(slot, who, size),
            None => self.review(who, size),
        }
    }

    fn hint(&self) -> Vec<String> {
        let Some(slot) = self.slots.get(self.at) else {
            let enter = match self.row < self.slots.len() {
                true => "Enter changes it",
                false => "Enter sends them",
            };
            return vec![enter.to_owned(), "↑/↓ to change one".to_owned()];
        };
        let mut keys = slot.machine.hint();
        if !slot.field.required {
            keys.push("Ctrl-X leaves it out".to_owned());
        }
        if self.at > 0 || self.reviewed {
            keys.push("Shift-Tab goes back".to_owned());
        }
        keys
    }
}
