//! How changes of tools are written for people (CLI-251).

use toolwire::Json;
use toolwire::json::brief;
use toolwire_contract::diff::{Change, Verdict, Witness};
use toolwire_contract::hidden::{TextDiff, show};
use toolwire_contract::lock::ToolReport;

use super::tools::on_one_line;
use super::users::Users;
use crate::exit::Result;
use crate::output::{BOLD, CYAN, DIM, GREEN, Out, RED, YELLOW};

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

/// The changes tool by tool, below the name of each.
pub fn write_by_tool(changes: &[Change], users: &Users, out: &mut Out) -> Result<()> {
    for group in changes.chunk_by(|one, other| one.tool == other.tool) {
        let worst = group.iter().map(|change| change.verdict).max();
        let worst = worst.unwrap_or(Verdict::Same);
        let name = out.paint(BOLD, &visible(&group[0].tool));
        let verdict = painted(worst, out);
        out.line(&format!("{name}  {verdict}"))?;
        write(group, 2, users, out)?;
    }
    Ok(())
}

/// The changes of one tool, each with its place, what changed, what shows it, who is concerned and what a caller has
/// to do.
pub fn write(changes: &[Change], indent: usize, users: &Users, out: &mut Out) -> Result<()> {
    let margin = " ".repeat(indent);
    for change in changes {
        let verdict = painted(change.verdict, out);
        let place = match &*change.place {
            "" => String::new(),
            place => format!("  {}", short(place)),
        };
        let guess = if change.guess { " (a guess)" } else { "" };
        let what = out.paint(CYAN, change.what.as_str());
        out.line(&format!("{margin}{verdict}  {what}{guess}{place}"))?;
        let margin = format!("{margin}    ");
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

/// How grave a verdict is for the exit status (CLI-252).
pub fn is_harmless(verdict: Verdict) -> bool {
    verdict <= Verdict::Compatible
}
