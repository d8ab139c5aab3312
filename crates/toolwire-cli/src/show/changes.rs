//! How changes of tools are written for people.

use toolwire::Json;
use toolwire::json::{Document, brief, pointer};
use toolwire_contract::diff::{Change, Verdict, What, Witness};
use toolwire_contract::hidden::{HiddenAt, TextDiff, find_hidden_in, show};
use toolwire_contract::lock::ToolReport;

use super::users::Users;
use crate::exit::Result;
use crate::output::{BOLD, CYAN, DIM, GREEN, Out, RED, YELLOW};
use crate::terminal::on_one_line;

/// The most bytes of a witness that are shown; `--json` has all of it.
const MOST_WITNESS: usize = 400;

/// A verdict in its colour.
pub fn painted(verdict: Verdict, out: &Out) -> String {
    let style = match verdict {
        Verdict::Same => DIM,
        Verdict::Compatible => GREEN,
        Verdict::Text | Verdict::Behaviour => YELLOW,
        Verdict::Safety | Verdict::Unknown | Verdict::Breaking => RED,
    };
    out.paint(style, verdict.as_str())
}

/// The changes tool by tool, below the name of each, with what is hidden in them.
pub fn write_by_tool(changes: &[Change], users: &Users, out: &mut Out) -> Result<()> {
    let groups = changes.chunk_by(|one, other| one.tool == other.tool);
    for alike in alike(groups, |group| group) {
        let group = alike[0];
        let worst = group.iter().map(|change| change.verdict).max();
        let worst = worst.unwrap_or(Verdict::Same);
        let names = alike.iter().map(|group| &*group[0].tool);
        let name = out.paint(BOLD, &listed(names));
        let verdict = painted(worst, out);
        out.line(&format!("{name}  {verdict}"))?;
        write(group, 2, users, out)?;
        let hidden: Vec<HiddenAt> = group.iter().flat_map(hidden_in).collect();
        write_hidden(&hidden, hidden.len(), 2, out)?;
    }
    Ok(())
}

/// Groups of what has the same changes, if these are of annotations only: what many tools say of their safety is told
/// once. Everything else is a group of its own.
pub fn alike<T>(all: impl Iterator<Item = T>, changes: impl Fn(&T) -> &[Change]) -> Vec<Vec<T>> {
    let mut groups: Vec<Vec<T>> = Vec::new();
    for one in all {
        let alike = groups
            .iter_mut()
            .find(|group| is_alike(changes(&group[0]), changes(&one)));
        match alike {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    groups
}

fn is_alike(one: &[Change], other: &[Change]) -> bool {
    let same = |(one, other): (&Change, &Change)| {
        one.place.starts_with("/annotations")
            && one.message == other.message
            && (&one.place, &one.old, &one.new) == (&other.place, &other.old, &other.new)
    };
    !one.is_empty() && one.len() == other.len() && one.iter().zip(other).all(same)
}

/// Names of others on one line.
pub fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names.map(visible).collect::<Vec<_>>().join(", ")
}

/// What is hidden in what a change brings.
fn hidden_in(change: &Change) -> Vec<HiddenAt> {
    let mut found = change.new.as_ref().map(find_hidden_in).unwrap_or_default();
    for one in &mut found {
        one.pointer.insert_str(0, &change.place);
    }
    found
}

/// The most of what a tool hides that is shown.
const MOST_HIDDEN: usize = 5;

/// What the texts of a tool hide from their reader.
pub fn write_hidden(hidden: &[HiddenAt], count: usize, indent: usize, out: &mut Out) -> Result<()> {
    let margin = " ".repeat(indent);
    for found in hidden.iter().take(MOST_HIDDEN) {
        let part = if found.in_name { "the name of " } else { "" };
        let place = short(&found.pointer);
        let says = match &found.hidden.says {
            Some(says) => format!(", which says \"{}\"", visible(says)),
            None => String::new(),
        };
        let name = visible(&found.hidden.name);
        out.line(&format!("{margin}hidden in {part}{place}: {name}{says}"))?;
    }
    if count > MOST_HIDDEN {
        let more = count - MOST_HIDDEN;
        out.line(&format!("{margin}hidden: {more} more like these"))?;
    }
    Ok(())
}

/// The most arguments of a new tool that are shown.
const MOST_ARGUMENTS: usize = 100;

/// A tool that is new: what it says, what it takes, and what it says of its safety.
pub fn write_new(change: &Change, indent: usize, out: &mut Out) -> Result<()> {
    let margin = " ".repeat(indent);
    let mut words = change.words();
    let document = change.new.as_ref().map(|new| Document::new(new.as_str()));
    let Some(Ok(document)) = document else {
        return Ok(());
    };
    let root = document.root();
    let schema = root.get("inputSchema");
    let properties = schema.and_then(|schema| schema.get("properties"));
    let arguments: Vec<_> = properties
        .into_iter()
        .flat_map(|all| all.members())
        .collect();
    let base = |name: &str| pointer::join("/inputSchema/properties", name);
    let mut own = Vec::new();
    for (name, argument) in &arguments {
        let base = base(name);
        let (within, rest) = words.into_iter().partition(|word| {
            word.place
                .strip_prefix(&base)
                .is_some_and(|rest| rest.starts_with('/'))
        });
        words = rest;
        own.push((name, argument, base, within));
    }
    write_words(&words, "", indent, out)?;
    let required = schema.and_then(|schema| schema.get("required"));
    for (name, argument, base, words) in own.iter().take(MOST_ARGUMENTS) {
        let kind = match argument.get("type").and_then(|kind| kind.as_str()) {
            Some(kind) => visible(&kind),
            None => brief(&visible(argument.raw()), 100).into_owned(),
        };
        let is_required = required.is_some_and(|all| {
            all.elements()
                .any(|one| one.as_str().as_ref() == Some(name))
        });
        let must = if is_required { ", required" } else { "" };
        let name = out.paint(CYAN, &short(name));
        out.line(&format!("{margin}argument  {name}  {kind}{must}"))?;
        write_words(words, base, indent + 2, out)?;
    }
    if arguments.len() > MOST_ARGUMENTS {
        let more = arguments.len() - MOST_ARGUMENTS;
        out.line(&format!("{margin}arguments: {more} more like these"))?;
    }
    let hints = root
        .get("annotations")
        .into_iter()
        .flat_map(|all| all.members());
    for (name, value) in hints.filter(|(name, _)| name != "title") {
        let value = brief(&visible(value.raw()), 100).into_owned();
        out.line(&format!("{margin}annotation  {}: {value}", short(&name)))?;
    }
    Ok(())
}

/// What something new says; a description without its place, which is that of what it describes.
fn write_words(words: &[Change], base: &str, indent: usize, out: &mut Out) -> Result<()> {
    let margin = " ".repeat(indent);
    for word in words {
        let place = word.place.strip_prefix(base).unwrap_or(&word.place);
        let said = ToolReport::text_diff(word);
        let value = match (&said, &word.new) {
            (None, Some(new)) => format!("  {}", brief(&visible(new.as_str()), MOST_WITNESS)),
            _ => String::new(),
        };
        if place != "/description" {
            out.line(&format!("{margin}{}{value}", short(place)))?;
        }
        if let Some(diff) = said {
            write_text(&diff, indent, out)?;
        }
    }
    Ok(())
}

/// The changes of one tool, each with its place, what changed, what shows it, who is concerned and what a caller has
/// to do.
pub fn write(changes: &[Change], indent: usize, users: &Users, out: &mut Out) -> Result<()> {
    let margin = " ".repeat(indent);
    for change in changes {
        let verdict = painted(change.verdict, out);
        if change.what == What::Annotation {
            out.line(&format!("{margin}{verdict}  {}", visible(&change.message)))?;
            continue;
        }
        let place = match &*change.place {
            "" => String::new(),
            place => format!("  {}", short(place)),
        };
        let guess = if change.guess { " (a guess)" } else { "" };
        let what = out.paint(CYAN, change.what.as_str());
        out.line(&format!("{margin}{verdict}  {what}{guess}{place}"))?;
        let margin = format!("{margin}    ");
        if change.what == What::ToolAdded {
            write_new(change, indent + 4, out)?;
            continue;
        }
        // The message of a text that changed says less than the difference.
        match ToolReport::text_diff(change) {
            Some(diff) => write_text(&diff, indent + 4, out)?,
            None => out.line(&format!("{margin}{}", visible(&change.message)))?,
        }
        // What something new says, unless it is a change of its own.
        for word in change.words() {
            if changes.iter().any(|other| other.place == word.place) {
                continue;
            }
            match ToolReport::text_diff(&word) {
                Some(diff) => write_text(&diff, indent + 4, out)?,
                None => out.line(&format!("{margin}{}", visible(&word.message)))?,
            }
        }
        let witness = change.witness.as_ref().and_then(shown);
        if let Some(witness) = witness {
            out.line(&format!("{margin}for example {witness}"))?;
        }
        if let by @ [_, ..] = users.of(change) {
            out.line(&format!("{margin}used by {}", visible(&by.join(", "))))?;
        }
        if !change.advice.is_empty() {
            out.line(&format!("{margin}to do: {}", visible(&change.advice)))?;
        }
    }
    Ok(())
}

/// What shows that a change is breaking. That a name is gone needs no example.
fn shown(witness: &Witness) -> Option<String> {
    let (what, value): (&str, &Json) = match witness {
        Witness::Arguments(value) => ("the arguments", value),
        Witness::Result(value) => ("the result", value),
        Witness::Name(_) => return None,
    };
    let json = toolwire::terminal_safe_json(value.as_str());
    Some(format!("{what} {}", brief(&json, MOST_WITNESS)))
}

/// A text with what was removed and added in it, and with everything hidden made visible.
pub fn write_text(diff: &TextDiff, indent: usize, out: &mut Out) -> Result<()> {
    let text = diff.to_string();
    if text.is_empty() {
        return Ok(());
    }
    for line in text.lines() {
        let line = toolwire::terminal_safe(line, false);
        out.line(&format!("{}{BAR}{line}", " ".repeat(indent)))?;
    }
    Ok(())
}

/// Stands before each line of a text of others, so that none of them passes for a line of ours.
const BAR: &str = "| ";

/// A text of others on one line, with everything hidden made visible.
pub fn visible(text: &str) -> String {
    on_one_line(&show(text))
}

/// The most bytes of a place that are shown; `--json` has all of it.
const MOST_PLACE: usize = 400;

/// A place, which stands before each thing that is told of it, in a bounded form.
pub fn short(place: &str) -> String {
    brief(&visible(place), MOST_PLACE).into_owned()
}

/// How grave a verdict is for the exit status.
pub fn is_harmless(verdict: Verdict) -> bool {
    verdict <= Verdict::Compatible
}
