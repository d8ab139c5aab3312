//! What a check has found in the forms that a review shows.

use std::env;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use toolwire_contract::diff::Verdict;
use toolwire_contract::lock::{LockReport, SourceReport, State, ToolReport};

use crate::args::FailArg;
use crate::exit::Result;
use crate::output::Out;
use crate::show::changes::{listed, visible};
use crate::show::lock_report::{
    by_changes, sum, write_instructions, write_launch, write_source, write_tools,
};
use crate::show::users::Users;

/// The fact of a launch that a project reviews elsewhere: a script of its own.
const EDIT: &str = "file";

/// Whether anything that was found fails.
pub fn fails(report: &LockReport, fail: &FailArg) -> bool {
    report.sources.iter().any(|source| {
        let is_whole = matches!(source.state, State::Added | State::Removed);
        is_whole && fail.fails(source.verdict, false)
            || launch_fails(source, fail)
            || source.instructions_diff.is_some() && fail.fails(Verdict::Text, false)
            || source.tools.iter().any(|tool| tool_fails(tool, fail))
    })
}

/// An edit is no matter of its own once somebody has looked at what it made of the tools.
fn launch_fails(source: &SourceReport, fail: &FailArg) -> bool {
    let seen = source.not_verified == 0 && source.instructions != State::NotVerified;
    let mut changes = source.launch_changes.iter();
    changes.any(|change| fail.fails(change.verdict, seen && change.member == EDIT))
}

/// The gravest verdict is not always the first that fails.
fn tool_fails(tool: &ToolReport, fail: &FailArg) -> bool {
    let changes = tool.changes.iter().map(|change| change.verdict);
    changes
        .chain([tool.verdict])
        .any(|verdict| fail.fails(verdict, false))
}

/// One thing that was found.
struct Finding {
    verdict: Verdict,
    fails: bool,
    /// The tool or tools, or what of the source it is.
    whose: String,
    is_tool: bool,
    source: String,
    /// What has changed, in words of ours only.
    what: String,
    /// As a terminal shows it.
    text: String,
}

fn findings(report: &LockReport, users: &Users, fail: &FailArg, out: &Out) -> Result<Vec<Finding>> {
    let text = |write: &dyn Fn(&mut Out) -> Result<()>| -> Result<String> {
        let mut page = Out::page(out.style().plain());
        write(&mut page)?;
        let text = page.into_bytes();
        Ok(String::from_utf8_lossy(&text).trim_end().to_owned())
    };
    let mut all = Vec::new();
    for source in &report.sources {
        let of = |verdict, fails, whose: &str, what: &str, text| Finding {
            verdict,
            fails,
            whose: whose.to_owned(),
            is_tool: false,
            source: visible(&source.name),
            what: what.to_owned(),
            text,
        };
        if let State::Added | State::Removed = source.state {
            let what = match source.state {
                State::Added => "not locked",
                _ => "gone",
            };
            let text = text(&|page| write_source(source, users, page))?;
            let fails = fail.fails(source.verdict, false);
            all.push(of(source.verdict, fails, "all of it", what, text));
            continue;
        }
        let launch = source.launch_changes.iter().map(|change| change.verdict);
        if let Some(verdict) = launch.max() {
            let members = source.launch_changes.iter();
            let members = members.map(|change| change.member.as_str());
            let what = members.collect::<Vec<_>>().join(", ");
            let text = text(&|page| write_launch(source, page))?;
            all.push(of(
                verdict,
                launch_fails(source, fail),
                "launch",
                &what,
                text,
            ));
        }
        if source.instructions_diff.is_some() {
            let text = text(&|page| write_instructions(source, page))?;
            let fails = fail.fails(Verdict::Text, false);
            all.push(of(Verdict::Text, fails, "instructions", "changed", text));
        }
        for tools in by_changes(source) {
            let text = text(&|page| write_tools(&tools, users, page))?;
            let tool = tools[0];
            let names = listed(tools.iter().map(|tool| &*tool.name));
            let mut found = of(
                tool.verdict,
                tool_fails(tool, fail),
                &names,
                &what(tool),
                text,
            );
            found.is_tool = true;
            all.push(found);
        }
    }
    Ok(all)
}

/// What has changed of a tool, in a few words.
fn what(tool: &ToolReport) -> String {
    let mut words: Vec<&str> = match tool.state {
        State::Added => vec!["new"],
        State::Removed => vec!["gone"],
        _ => tool
            .changes
            .iter()
            .map(|change| change.what.as_str())
            .collect(),
    };
    if tool.hidden_count > 0 {
        words.push("hidden text");
    }
    if tool.problem.is_some() {
        words.push("can't be compared");
    }
    words.dedup();
    words.join(", ").replace('_', " ")
}

/// A heading with the sum, a table, and what a terminal shows, folded, in fences that nothing in them ends.
pub fn write_markdown(
    report: &LockReport,
    users: &Users,
    fail: &FailArg,
    out: &mut Out,
) -> Result<()> {
    let findings = findings(report, users, fail, out)?;
    let mut page = format!(
        "### Tools: {}\n",
        sum(report, &Out::page(out.style().plain()))
    );
    if !findings.is_empty() {
        page.push_str("\n| verdict | of | source | what has changed |\n|---|---|---|---|\n");
    }
    for found in &findings {
        let verdict = match found.fails {
            true => format!("**{}**", found.verdict),
            false => found.verdict.to_string(),
        };
        let (whose, source) = (subject(found), code(&found.source));
        let _ = writeln!(page, "| {verdict} | {whose} | {source} | {} |", found.what);
    }
    for found in &findings {
        let runs = found.text.split(|c| c != '`').map(str::len);
        let fence = "`".repeat(runs.max().unwrap_or_default().max(2) + 1);
        let _ = write!(
            page,
            "\n<details><summary>{}: {} of {}</summary>\n\n{fence}text\n{}\n{fence}\n\n</details>\n",
            found.verdict,
            subject(found),
            code(&found.source),
            found.text
        );
    }
    out.line(page.trim_end())
}

fn subject(found: &Finding) -> String {
    match found.is_tool {
        true => code(&found.whose),
        false => found.whose.clone(),
    }
}

/// A name of others as code. Nothing in it is Markdown, HTML, the end of a cell or the name of a person to tell.
fn code(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        match c.is_alphanumeric() || c == ' ' {
            true => text.push(c),
            false => _ = write!(text, "&#{};", u32::from(c)),
        }
    }
    format!("<code>{text}</code>")
}

/// A workflow command of GitHub Actions for each thing that was found, and the sum.
pub fn write_github(
    report: &LockReport,
    users: &Users,
    lock: &Path,
    fail: &FailArg,
    out: &mut Out,
) -> Result<()> {
    let file = within_checkout(lock);
    for found in findings(report, users, fail, out)? {
        let level = if found.fails { "error" } else { "notice" };
        let title = format!("{}: {} of {}", found.verdict, found.whose, found.source);
        let (file, title) = (property(&file), property(&title));
        let message = message(found.text.trim_start());
        out.line(&format!("::{level} file={file},title={title}::{message}"))?;
    }
    let sum = sum(report, &Out::page(out.style().plain()));
    out.line(&sum)
}

/// The path that the checkout of a workflow has for a file.
fn within_checkout(file: &Path) -> String {
    let bases = [
        env::var_os("GITHUB_WORKSPACE").map(PathBuf::from),
        env::current_dir().ok(),
    ];
    let mut within = bases
        .iter()
        .flatten()
        .filter_map(|base| file.strip_prefix(base).ok());
    visible(&within.next().unwrap_or(file).to_string_lossy())
}

/// The message of a workflow command. No text in it ends it, and none is read as a command of the old form, which is
/// one wherever it stands in a line.
fn message(text: &str) -> String {
    let text = text
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A");
    text.replace("##[", "## [")
}

/// The value of a property of a workflow command.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}
