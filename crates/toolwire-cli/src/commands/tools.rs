//! `toolwire tools`: what tools an MCP server has.

use toolwire::call::ToolDescription;

use super::describe::hints;
use crate::args::ToolsArgs;
use crate::exit::{Failure, Outcome, Result};
use crate::output::{BOLD, Out};
use crate::{call, table, terminal};

pub fn run(args: &ToolsArgs, out: &mut Out) -> Result<Outcome> {
    let word = args.server_word.as_deref();
    let surplus = match args.command.is_empty() {
        true => args.more.first().map(|more| more.as_os_str()),
        false => word,
    };
    if let Some(surplus) = surplus {
        let surplus = surplus.display();
        return Err(Failure::usage(format!(
            "`tools` takes one server, and `{surplus}` is a word too many; pass a program's own arguments \
             after `--`, as in `-- PROGRAM {surplus}`"
        )));
    }
    let tools = call::tools(word, &args.command, &args.server, out)?;
    if args.json {
        let tools: Vec<String> = tools.iter().map(ToolDescription::to_json).collect();
        out.json(&format!("{{\"tools\":[{}]}}", tools.join(",")))?;
        return Ok(Outcome::Success);
    }
    if tools.is_empty() {
        out.complain("the server has no tools");
    }
    let rows: Vec<Vec<String>> = tools
        .iter()
        .map(|tool| vec![on_one_line(&tool.name), about(tool)])
        .collect();
    for (name, line) in named_lines(&rows) {
        match name.and_then(|name| Some((name, line.strip_prefix(name)?))) {
            Some((name, rest)) => out.line(&format!("{}{rest}", out.paint(BOLD, name)))?,
            None => out.line(&line)?,
        }
    }
    Ok(Outcome::Success)
}

/// The lines of rows, each first one with the name that begins it.
fn named_lines(rows: &[Vec<String>]) -> Vec<(Option<&str>, String)> {
    let mut names = rows.iter().map(|row| row[0].as_str());
    table::rows(rows, 0, terminal::width())
        .into_iter()
        .map(|line| match line.starts_with(' ') {
            true => (None, line),
            false => (names.next(), line),
        })
        .collect()
}

/// Its title, the first line of its description, and what it says of its effects.
fn about(tool: &ToolDescription) -> String {
    let annotated = tool.annotations.as_ref();
    let title = tool.title.as_ref();
    let title = title.or_else(|| annotated.and_then(|annotations| annotations.title.as_ref()));
    let description = tool.description.as_deref().unwrap_or_default();
    let mut lines = description.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty());
    let parts: Vec<String> = title
        .map(String::as_str)
        .into_iter()
        .chain(first)
        .map(on_one_line)
        .collect();
    format!("{}{}", parts.join(": "), hints(tool))
}

/// A text of the server on one line, safe for a terminal.
fn on_one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    terminal::safe(&words.join(" "))
}
