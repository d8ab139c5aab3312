//! How a comparison with a lock is written for people (CLI-256).

use toolwire::Json;
use toolwire_contract::diff::{Change, Verdict};
use toolwire_contract::lock::{LockReport, SourceReport, State, ToolReport};

use super::changes::{painted, short, visible, write, write_text};
use super::count;
use super::users::Users;
use crate::exit::Result;
use crate::output::{BOLD, CYAN, Out};

/// The most of what a tool hides that is shown (CLI-350).
const MOST_HIDDEN: usize = 5;

/// All of it, with a last line that sums it up.
pub fn write_report(report: &LockReport, users: &Users, out: &mut Out) -> Result<()> {
    for source in &report.sources {
        write_source(source, users, out)?;
    }
    let number = |state: State| {
        let all = report.sources.iter();
        all.filter(|source| source.state == state).count() as u64
    };
    let mut parts = Vec::new();
    for (state, what) in [
        (State::Same, "as locked"),
        (State::Changed, "changed"),
        (State::Added, "not locked"),
        (State::Removed, "gone"),
        (State::NotVerified, "not verified"),
    ] {
        if number(state) > 0 {
            parts.push(format!("{} {what}", number(state)));
        }
    }
    let sum = match parts.is_empty() {
        true => "nothing is locked".to_owned(),
        false => parts.join(", "),
    };
    out.line(&format!("{}: {sum}", painted(report.verdict, out)))
}

/// What was found of one source.
pub fn write_source(source: &SourceReport, users: &Users, out: &mut Out) -> Result<()> {
    let name = out.paint(BOLD, &visible(&source.name));
    let state = said(source.state);
    let tools = (source.same + source.not_verified) as u64;
    match source.state {
        State::NotVerified if source.not_verified == 0 => {
            let facts = source.launch_not_verified.join(", ");
            let tools = count(tools, "tool");
            return out.line(&format!("{name}  {tools} as locked  {state}: {facts}"));
        }
        State::Same | State::NotVerified => {
            return out.line(&format!("{name}  {state}  {}", count(tools, "tool")));
        }
        State::Added | State::Removed => {
            let verdict = painted(source.verdict, out);
            out.line(&format!("{name}  {state}  {verdict}"))?;
            let quoted = visible(&source.name);
            return out.line(&match source.state {
                State::Added => format!("  to do: lock it by `toolwire lock {quoted}`"),
                _ => {
                    format!("  to do: take it out of the lock by `toolwire lock --update {quoted}`")
                }
            });
        }
        State::Changed => {}
    }
    let verdict = painted(source.verdict, out);
    out.line(&format!("{name}  {state}  {verdict}"))?;
    for change in &source.launch_changes {
        let verdict = painted(change.verdict, out);
        let member = out.paint(CYAN, change.member);
        let (old, new) = (value(&change.old), value(&change.new));
        out.line(&format!("  {verdict}  launch  {member}  {old} -> {new}"))?;
    }
    if let Some(diff) = &source.instructions_diff {
        let verdict = painted(Verdict::Text, out);
        out.line(&format!(
            "  {verdict}  instructions  {}",
            said(source.instructions)
        ))?;
        write_text(diff, 6, out)?;
    }
    for tool in &source.tools {
        write_tool(tool, users, out)?;
    }
    if source.same > 0 {
        out.line(&format!(
            "  {} as locked",
            count(source.same as u64, "tool")
        ))?;
    }
    if source.not_verified > 0 {
        let tools = count(source.not_verified as u64, "tool");
        out.line(&format!("  {tools} not verified"))?;
    }
    if !source.launch_not_verified.is_empty() {
        let facts = source.launch_not_verified.join(", ");
        out.line(&format!("  launch not verified: {facts}"))?;
    }
    Ok(())
}

fn write_tool(tool: &ToolReport, users: &Users, out: &mut Out) -> Result<()> {
    let verdict = painted(tool.verdict, out);
    let name = out.paint(BOLD, &visible(&tool.name));
    let prints = match tool.fingerprints.is_empty() {
        true => String::new(),
        false => format!("  ({})", tool.fingerprints.join(", ")),
    };
    out.line(&format!(
        "  {verdict}  {name}  {}{prints}",
        said(tool.state)
    ))?;
    // That it is new or gone stands there already.
    let is_said = |change: &&Change| change.place.is_empty() && tool.state != State::Changed;
    let changes: Vec<Change> = tool
        .changes
        .iter()
        .filter(|change| !is_said(change))
        .cloned()
        .collect();
    write(&changes, 4, users, out)?;
    if let Some(problem) = &tool.problem {
        out.line(&format!("      {}", visible(problem)))?;
    }
    for found in tool.hidden.iter().take(MOST_HIDDEN) {
        let part = if found.in_name { "the name of " } else { "" };
        let place = short(&found.pointer);
        let says = match &found.hidden.says {
            Some(says) => format!(", which says \"{}\"", visible(says)),
            None => String::new(),
        };
        let name = visible(&found.hidden.name);
        out.line(&format!("    hidden in {part}{place}: {name}{says}"))?;
    }
    if tool.hidden_count > MOST_HIDDEN {
        let more = tool.hidden_count - MOST_HIDDEN;
        out.line(&format!("    hidden: {more} more like these"))?;
    }
    Ok(())
}

/// A fact of a launch, as JSON.
fn value(value: &Json) -> String {
    visible(value.as_str())
}

/// A state in words.
fn said(state: State) -> &'static str {
    match state {
        State::NotVerified => "not verified",
        State::Added => "not locked",
        State::Removed => "gone",
        other => other.as_str(),
    }
}
