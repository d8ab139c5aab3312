//! One of some values, or some of them; a list that is long is searched by typing.

use std::collections::{BTreeSet, HashMap};

use toolwire::Json;
use toolwire::question::Choice;

use super::frame::{Frame, Line, Size, Style, fit, one_line, width};
use super::gutter::{self, GUTTER};
use super::keys::Key;
use super::line::Typed;
use super::{Machine, Reaction};

/// A list with more entries than this is searched.
const SHORT: usize = 10;
/// The most entries that are shown at once.
const MOST_SHOWN: usize = 12;
/// The most lines of what did not fit beside an entry.
const MOST_DETAIL: usize = 3;
/// The most columns of a label, a description or a value that are looked at.
const MOST_COLUMNS: usize = 500;
/// The lines that the list itself should have before there are any of these.
const ENOUGH: usize = 6;

struct Entry {
    value: Json,
    label: String,
    about: String,
    /// What is searched, in lower case.
    words: String,
}

/// How many may be chosen, and which are.
struct Many {
    min: u64,
    max: Option<u64>,
    chosen: BTreeSet<usize>,
}

pub struct List {
    entries: Vec<Entry>,
    /// The entries that match what is searched.
    matching: Vec<usize>,
    /// The place in `matching` that keys act on.
    at: usize,
    search: Option<Typed>,
    many: Option<Many>,
}

impl List {
    /// One of the choices.
    pub fn one(choices: &[Choice], default: Option<&Json>) -> List {
        let mut list = List::new(choices);
        list.at = choices
            .iter()
            .position(|choice| Some(&choice.value) == default)
            .unwrap_or(0);
        list
    }

    /// Some of the choices.
    pub fn many(
        choices: &[Choice],
        min: Option<u64>,
        max: Option<u64>,
        default: Option<&Json>,
    ) -> List {
        let default: Vec<Json> = default
            .and_then(|default| default.to_value().ok())
            .unwrap_or_default();
        let chosen = choices.iter().enumerate();
        let chosen = chosen.filter(|(_, choice)| default.contains(&choice.value));
        let many = Many {
            min: min.unwrap_or(0),
            max,
            chosen: chosen.map(|(index, _)| index).collect(),
        };
        List {
            many: Some(many),
            ..List::new(choices)
        }
    }

    fn new(choices: &[Choice]) -> List {
        let labels: Vec<String> = choices.iter().map(|choice| short(&choice.label)).collect();
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for label in &labels {
            *counts.entry(label).or_default() += 1;
        }
        let entries: Vec<Entry> = choices
            .iter()
            .zip(&labels)
            .map(|(choice, label)| {
                let mut about = short(choice.description.as_deref().unwrap_or_default());
                // What looks the same must be told apart somehow.
                if label.is_empty() || counts[label.as_str()] > 1 {
                    about = format!("({}) {about}", short(choice.value.as_str()));
                }
                Entry {
                    words: format!("{label} {about} {}", choice.value.as_str()).to_lowercase(),
                    value: choice.value.clone(),
                    about: about.trim_end().to_owned(),
                    label: label.clone(),
                }
            })
            .collect();
        List {
            matching: (0..entries.len()).collect(),
            at: 0,
            search: (entries.len() > SHORT).then(Typed::default),
            many: None,
            entries,
        }
    }

    /// A list that is not searched if what is typed must not be seen.
    pub fn masked(mut self, masked: bool) -> List {
        if masked {
            self.search = None;
        }
        self
    }

    fn search_for(&mut self, key: &Key) {
        if self.search.as_mut().is_some_and(|search| search.key(key)) {
            self.filter();
        }
    }

    /// Leaves the entries that have each word that is typed.
    fn filter(&mut self) {
        let Some(search) = &self.search else { return };
        let before = self.matching.get(self.at).copied();
        let search = search.text().to_lowercase();
        let fits = |entry: &Entry| search.split_whitespace().all(|w| entry.words.contains(w));
        let all = self.entries.iter().enumerate();
        self.matching = all
            .filter(|(_, entry)| fits(entry))
            .map(|(i, _)| i)
            .collect();
        let kept = self
            .matching
            .iter()
            .position(|index| Some(*index) == before);
        self.at = kept.unwrap_or(0);
    }

    fn toggle(&mut self) -> Reaction {
        let (Some(many), Some(&index)) = (&mut self.many, self.matching.get(self.at)) else {
            return Reaction::Stay;
        };
        if many.chosen.remove(&index) {
            return Reaction::Stay;
        }
        if let Some(max) = many.max.filter(|max| many.chosen.len() as u64 >= *max) {
            return Reaction::Refuse(format!("no more than {max} can be chosen"));
        }
        many.chosen.insert(index);
        Reaction::Stay
    }

    /// Chooses all that match, or none of them if all are chosen.
    fn toggle_all(&mut self) -> Reaction {
        let Some(many) = &mut self.many else {
            return Reaction::Stay;
        };
        if self
            .matching
            .iter()
            .all(|index| many.chosen.contains(index))
        {
            many.chosen.retain(|index| !self.matching.contains(index));
            return Reaction::Stay;
        }
        let mut all = many.chosen.clone();
        all.extend(&self.matching);
        match many.max {
            Some(max) if all.len() as u64 > max => {
                Reaction::Refuse(format!("no more than {max} can be chosen"))
            }
            _ => {
                many.chosen = all;
                Reaction::Stay
            }
        }
    }

    fn enter(&self) -> Reaction {
        if let Some(many) = &self.many {
            if (many.chosen.len() as u64) < many.min {
                return Reaction::Refuse(format!("choose {} or more with the space bar", many.min));
            }
            let chosen = || many.chosen.iter().map(|index| &self.entries[*index]);
            let values: Vec<&str> = chosen().map(|entry| entry.value.as_str()).collect();
            let labels: Vec<&str> = chosen().map(|entry| entry.label.as_str()).collect();
            let told = match labels.is_empty() {
                true => "none".to_owned(),
                false => labels.join(", "),
            };
            let value = Json::new(format!("[{}]", values.join(",")));
            return value.map_or(Reaction::Stay, |value| Reaction::Answer(value, told));
        }
        match self.matching.get(self.at) {
            Some(index) => {
                let entry = &self.entries[*index];
                Reaction::Answer(entry.value.clone(), entry.label.clone())
            }
            None => Reaction::Refuse("nothing matches: change what you search for".to_owned()),
        }
    }

    /// Moves by some entries, no further than to the ends.
    fn step(&mut self, by: isize) {
        let last = self.matching.len().saturating_sub(1);
        self.at = self.at.saturating_add_signed(by).min(last);
    }

    fn line(&self, place: usize) -> Line {
        let index = self.matching[place];
        let entry = &self.entries[index];
        let here = place == self.at;
        let sign = if here { "❯ " } else { "  " };
        let mark = match &self.many {
            Some(many) if many.chosen.contains(&index) => "[x] ",
            Some(_) => "[ ] ",
            None => "",
        };
        let style = match here {
            true => Style::Chosen,
            false => Style::Plain,
        };
        let line = Line::new(style, format!("{sign}{mark}"))
            .with(Style::Plain, GUTTER)
            .with(style, &*entry.label);
        match entry.about.as_str() {
            "" => line,
            about => line.with(Style::Dim, format!("  {about}")),
        }
    }
}

/// A text of the tool on one line, as much as anybody reads there.
fn short(text: &str) -> String {
    fit(&one_line(text), MOST_COLUMNS)
}

impl Machine for List {
    fn key(&mut self, key: &Key) -> Reaction {
        let last = self.matching.len().saturating_sub(1);
        match key {
            Key::Enter => return self.enter(),
            Key::Up | Key::Ctrl('p') => {
                self.at = self.at.checked_sub(1).unwrap_or(last);
            }
            Key::Down | Key::Ctrl('n') => {
                self.at = if self.at < last { self.at + 1 } else { 0 };
            }
            Key::PageUp => self.step(1 - SHORT as isize),
            Key::PageDown => self.step(SHORT as isize - 1),
            Key::Char(' ') | Key::Tab if self.many.is_some() => return self.toggle(),
            Key::Ctrl('a') if self.many.is_some() => return self.toggle_all(),
            Key::Home => self.at = 0,
            Key::End => self.at = last,
            key if self.search.is_some() => self.search_for(key),
            Key::Char('k') => return self.key(&Key::Up),
            Key::Char('j') => return self.key(&Key::Down),
            _ => {}
        }
        Reaction::Stay
    }

    fn frame(&self, who: &str, size: Size) -> Frame {
        let mut lines = Vec::new();
        let mut cursor = None;
        if let Some(search) = &self.search {
            let head = format!("{who}Search: ");
            let (text, column) = search.window(size.columns.saturating_sub(width(&head)));
            cursor = Some((0, width(&head) + column));
            lines.push(Line::new(Style::Dim, head).with(Style::Plain, text));
        } else if size.rows > 1 {
            let count = if self.many.is_some() { "some" } else { "one" };
            let text = format!("{count} of these");
            lines.push(
                Line::new(Style::Dim, who)
                    .with(Style::Dim, text)
                    .fit(size.columns),
            );
        }
        // What is cut beside the entry stands below, if there is room.
        let mut detail = Vec::new();
        if let Some(index) = self.matching.get(self.at) {
            let entry = &self.entries[*index];
            if self.line(self.at).width() > size.columns {
                let text = format!("{}  {}", entry.label, entry.about);
                detail = gutter::rows(text.trim_end(), size.columns.saturating_sub(4));
                detail.truncate(MOST_DETAIL.min(size.rows.saturating_sub(lines.len() + ENOUGH)));
            }
        }
        let room = size.rows.saturating_sub(lines.len() + detail.len());
        let count = self.matching.len();
        let mut shown = count.min(MOST_SHOWN).min(room.max(1));
        let scrolls = count > shown;
        if scrolls && room > 4 {
            shown = shown.min(room - 2);
        }
        let start = self.at.saturating_sub(shown / 2).min(count - shown);
        let more = |sign: &str, count: usize| {
            let text = if count > 0 {
                format!("  {sign} {count} more")
            } else {
                String::new()
            };
            Line::new(Style::Dim, text)
        };
        let told = scrolls && room > 4;
        if told {
            lines.push(more("↑", start));
        }
        for place in start..start + shown {
            lines.push(self.line(place).fit(size.columns));
        }
        if told {
            lines.push(more("↓", count - start - shown));
        }
        if count == 0 {
            lines.push(Line::new(Style::Dim, "  nothing matches").fit(size.columns));
        }
        lines.extend(
            detail
                .into_iter()
                .map(|line| Line::new(Style::Dim, format!("    {line}"))),
        );
        Frame { lines, cursor }
    }

    fn hint(&self) -> Vec<String> {
        let search = self.search.is_some().then(|| "type to search".to_owned());
        let Some(many) = &self.many else {
            return search
                .into_iter()
                .chain(["↑/↓ and Enter".to_owned()])
                .collect();
        };
        let count = many.chosen.len();
        let chosen = match (many.min, many.max) {
            (0, None) => format!("{count} chosen"),
            (0, Some(max)) => format!("{count} chosen of at most {max}"),
            (min, None) => format!("{count} chosen of at least {min}"),
            (min, Some(max)) if min == max => format!("{count} chosen of {max}"),
            (min, Some(max)) => format!("{count} chosen of {min} to {max}"),
        };
        let keys = ["↑/↓ and Space", "Ctrl-A all", "Enter answers"].map(str::to_owned);
        [chosen].into_iter().chain(search).chain(keys).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size {
        columns: 40,
        rows: 20,
    };

    fn choices(labels: &[&str]) -> Vec<Choice> {
        let choice = |label: &&str| Choice {
            value: Json::from(*label),
            label: (*label).to_owned(),
            description: None,
        };
        labels.iter().map(choice).collect()
    }

    fn numbers(count: usize) -> Vec<Choice> {
        let labels: Vec<String> = (1..=count).map(|n| format!("entry {n}")).collect();
        choices(&labels.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn press(list: &mut List, keys: &[Key]) -> Reaction {
        keys.iter()
            .map(|key| list.key(key))
            .last()
            .unwrap_or(Reaction::Stay)
    }

    fn type_in(list: &mut List, text: &str) {
        for c in text.chars() {
            list.key(&Key::Char(c));
        }
    }

    fn texts(list: &List, size: Size) -> Vec<String> {
        list.frame("t asks › ", size)
            .lines
            .iter()
            .map(Line::text)
            .collect()
    }

    #[test]
    fn moving_goes_round() {
        use Key::{Char, Down, End, Enter, Home, Up};
        let of_three: &[(&[Key], &str)] = &[
            (&[Enter], "b"),
            (&[Down, Enter], "c"),
            (&[Down, Down, Enter], "a"),
            (&[Up, Up, Enter], "c"),
            (&[Home, Enter], "a"),
            (&[End, Enter], "c"),
            (&[Char('j'), Enter], "c"),
            (&[Char('k'), Enter], "a"),
            (&[Char(' '), Enter], "b"),
        ];
        for (keys, expected) in of_three {
            let mut list = List::one(&choices(&["a", "b", "c"]), Some(&Json::from("b")));
            let answer = Reaction::Answer(Json::from(*expected), (*expected).to_owned());
            assert_eq!(press(&mut list, keys), answer, "{keys:?}");
        }
    }

    #[test]
    fn what_must_not_be_seen_is_not_searched_for() {
        let mut list = List::one(&numbers(30), None).masked(true);
        let before = texts(&list, SIZE);
        type_in(&mut list, "hunter2");
        assert_eq!(texts(&list, SIZE), before);
        assert!(!list.hint().concat().contains("search"));
    }

    #[test]
    fn a_long_list_is_searched() {
        let mut list = List::one(&numbers(30), None);
        type_in(&mut list, "TRY 2");
        assert_eq!(list.matching.len(), 12);
        type_in(&mut list, "9");
        let answer = Reaction::Answer(Json::from("entry 29"), "entry 29".to_owned());
        assert_eq!(press(&mut list, &[Key::Enter]), answer);
        type_in(&mut list, "x");
        assert!(texts(&list, SIZE).contains(&"  nothing matches".to_owned()));
        assert!(matches!(
            press(&mut list, &[Key::Enter]),
            Reaction::Refuse(_)
        ));
        press(&mut list, &[Key::Ctrl('u')]);
        assert_eq!(list.matching.len(), 30);
    }

    #[test]
    fn a_long_list_scrolls_in_the_room_that_is_there() {
        let mut list = List::one(&numbers(30), None);
        for rows in 1..30 {
            for _ in 0..30 {
                let size = Size { columns: 20, rows };
                let lines = texts(&list, size);
                assert!(lines.len() <= rows.max(2), "{rows}: {lines:#?}");
                assert_eq!(
                    rows > 1 || list.search.is_some(),
                    lines[0].starts_with("t asks")
                );
                assert_eq!(lines.iter().filter(|l| l.starts_with('❯')).count(), 1);
                press(&mut list, &[Key::Down]);
            }
        }
        press(&mut list, &[Key::End]);
        let lines = texts(&list, SIZE);
        assert_eq!(lines[1], "  ↑ 18 more");
        assert_eq!(lines[13], "❯ │ entry 30");
    }

    #[test]
    fn some_are_chosen_within_bounds() {
        use Key::{Char, Ctrl, Down, Enter};
        let three = choices(&["a", "b", "c"]);
        let default = Json::new(r#"["c","a"]"#).unwrap();
        let mut list = List::many(&three, Some(1), Some(2), Some(&default));
        let answer =
            |json: &str, told: &str| Reaction::Answer(Json::new(json).unwrap(), told.to_owned());
        assert_eq!(press(&mut list, &[Enter]), answer(r#"["a","c"]"#, "a, c"));
        assert!(matches!(
            press(&mut list, &[Down, Char(' ')]),
            Reaction::Refuse(_)
        ));
        assert!(matches!(
            press(&mut list, &[Ctrl('a')]),
            Reaction::Refuse(_)
        ));
        press(&mut list, &[Down, Char(' ')]);
        assert_eq!(press(&mut list, &[Enter]), answer(r#"["a"]"#, "a"));
        press(&mut list, &[Down, Char(' ')]);
        assert!(matches!(press(&mut list, &[Enter]), Reaction::Refuse(_)));
        let mut free = List::many(&three, None, None, None);
        assert_eq!(press(&mut free, &[Enter]), answer("[]", "none"));
        assert_eq!(
            press(&mut free, &[Ctrl('a'), Enter]),
            answer(r#"["a","b","c"]"#, "a, b, c")
        );
        assert_eq!(press(&mut free, &[Ctrl('a'), Enter]), answer("[]", "none"));
        assert_eq!(
            texts(&free, SIZE),
            [
                "t asks › some of these",
                "❯ [ ] │ a",
                "  [ ] │ b",
                "  [ ] │ c"
            ]
        );
    }

    #[test]
    fn hostile_labels_stay_on_their_line_and_can_be_told_apart() {
        let mut all = choices(&["No", "No\n", "x\x1b[2J\r\n❯ fake\u{202e}", ""]);
        all[0].description = Some("what it\nsays".to_owned());
        let list = List::one(&all, None);
        let lines = texts(&list, SIZE);
        assert_eq!(
            lines[1..],
            [
                r#"❯ │ No  ("No") what it says"#,
                r#"  │ No  ("No\n")"#,
                "  │ x␛[2J ❯ fake<U+202E>",
                r#"  │   ("")"#,
            ]
        );
    }

    #[test]
    fn what_is_cut_stands_below() {
        let mut all = choices(&["main", "develop"]);
        all[0].description = Some("where everything ends up that is released".to_owned());
        let size = Size {
            columns: 24,
            rows: 12,
        };
        let lines = texts(&List::one(&all, None), size);
        assert_eq!(lines[1], "❯ │ main  where everyth…");
        assert_eq!(
            lines[3..],
            [
                "    │ main  where",
                "    │ everything ends up",
                "    │ that is released"
            ]
        );
    }
}
