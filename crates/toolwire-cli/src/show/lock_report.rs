//! How a comparison with a lock is written for people.

use toolwire::Json;
use toolwire_contract::diff::Verdict;
use toolwire_contract::lock::{LockReport, SourceReport, State, ToolReport};

use super::changes::{alike, listed, painted, visible, write, write_hidden, write_new, write_text};
use super::count;
use super::users::Users;
use crate::exit::Result;
use crate::output::{BOLD, CYAN, Out};

/// All of it, with a last line that sums it up.
pub fn write_report(report: &LockReport, users: &Users, out: &mut Out) -> Result<()> {
    for source in &report.sources {
        write_source(source, users, out)?;
    }
    let sum = sum(report, out);
    out.line(&sum)
}

/// The gravest verdict, and the number of tools in each state, with what else there is of their sources.
pub fn sum(report: &LockReport, out: &Out) -> String {
    let all = || report.sources.iter();
    let tools = |state| {
        let tools = all().flat_map(|source| &source.tools);
        tools.filter(|tool| tool.state == state).count()
    };
    let sources = |is: &dyn Fn(&SourceReport) -> bool| all().filter(|source| is(source)).count();
    let parts: Vec<String> = [
        (tools(State::Changed), "tool", "changed"),
        (tools(State::Added), "tool", "new"),
        (tools(State::Removed), "tool", "gone"),
        (all().map(|source| source.same).sum(), "tool", "as locked"),
        (
            all().map(|source| source.not_verified).sum(),
            "tool",
            "not verified",
        ),
        (
            sources(&|one| one.launch == State::Changed),
            "source",
            "with another launch",
        ),
        (
            sources(&|one| one.instructions_diff.is_some()),
            "source",
            "with other instructions",
        ),
        (
            sources(&|one| one.state == State::NotVerified && one.not_verified == 0),
            "source",
            "not verified in full",
        ),
        (
            sources(&|one| one.state == State::Added),
            "source",
            "not locked",
        ),
        (
            sources(&|one| one.state == State::Removed),
            "source",
            "gone",
        ),
    ]
    .into_iter()
    .filter(|(number, ..)| *number > 0)
    .map(|(number, noun, what)| format!("{} {what}", count(number as u64, noun)))
    .collect();
    let sum = match parts.is_empty() {
        true if report.sources.is_empty() => "nothing is locked".to_owned(),
        true => "no tools".to_owned(),
        false => parts.join(", "),
    };
    format!("{}: {sum}", painted(report.verdict, out))
}

/// What was found of one source.
pub fn write_source(source: &SourceReport, users: &Users, out: &mut Out) -> Result<()> {
    let name = out.paint(BOLD, &visible(&source.name));
    let state = match source.state {
        State::Added => "not locked",
        other => said(other),
    };
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
    write_launch(source, out)?;
    write_instructions(source, out)?;
    for tools in by_changes(source) {
        write_tools(&tools, users, out)?;
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

/// What of its launch is another.
pub fn write_launch(source: &SourceReport, out: &mut Out) -> Result<()> {
    for change in &source.launch_changes {
        let verdict = painted(change.verdict, out);
        let member = out.paint(CYAN, &change.member);
        let (old, new) = (value(&change.old), value(&change.new));
        out.line(&format!("  {verdict}  launch  {member}  {old} -> {new}"))?;
    }
    Ok(())
}

/// What of its instructions is another.
pub fn write_instructions(source: &SourceReport, out: &mut Out) -> Result<()> {
    let Some(diff) = &source.instructions_diff else {
        return Ok(());
    };
    let verdict = painted(Verdict::Text, out);
    let state = said(source.instructions);
    out.line(&format!("  {verdict}  instructions  {state}"))?;
    write_text(diff, 6, out)
}

/// The tools that are not as they were locked; those that say the same anew of their safety are together.
pub fn by_changes(source: &SourceReport) -> Vec<Vec<&ToolReport>> {
    alike(source.tools.iter(), |tool| &tool.changes)
}

/// Tools with the same changes.
pub fn write_tools(tools: &[&ToolReport], users: &Users, out: &mut Out) -> Result<()> {
    let tool = tools[0];
    let verdict = painted(tool.verdict, out);
    let name = out.paint(BOLD, &listed(tools.iter().map(|tool| &*tool.name)));
    let prints = match tool.fingerprints.is_empty() {
        true => String::new(),
        false => format!("  ({})", tool.fingerprints.join(", ")),
    };
    let state = said(tool.state);
    out.line(&format!("  {verdict}  {name}  {state}{prints}"))?;
    // That it is new or gone stands there already, and what is new has its words.
    let whole = tool.changes.iter().find(|change| change.place.is_empty());
    match whole.filter(|_| tool.state != State::Changed) {
        Some(new) if tool.state == State::Added => write_new(new, 4, out)?,
        Some(_) => {}
        None => write(&tool.changes, 4, users, out)?,
    }
    if let Some(problem) = &tool.problem {
        out.line(&format!("      {}", visible(problem)))?;
    }
    for tool in tools {
        write_hidden(&tool.hidden, tool.hidden_count, 4, out)?;
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
        State::Added => "new",
        State::Removed => "gone",
        other => other.as_str(),
    }
}
