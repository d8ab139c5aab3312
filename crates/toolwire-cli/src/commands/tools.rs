//! `toolwire tools`: the tools of a source, and what they take.

use toolwire::call::ToolDescription;
use toolwire::json::{ObjectWriter, array};
use toolwire_mcp::client::ListedTool;

use super::describe::{Described, described, hints};
use super::observe::callable;
use crate::args::ToolsArgs;
use crate::call::expected::Expected;
use crate::exit::{Failure, Outcome, Result};
use crate::output::{BOLD, Out};
use crate::{call, hidden, parameters, source, table, terminal};

pub fn run(args: &ToolsArgs, out: &mut Out) -> Result<Outcome> {
    let word = args.source_word.as_deref();
    let surplus = match args.command.is_empty() {
        true => args.more.first().map(|more| more.as_os_str()),
        false => word,
    };
    if let Some(surplus) = surplus {
        let surplus = surplus.display();
        return Err(Failure::usage(format!(
            "`tools` takes one source, and `{surplus}` is a word too many; pass a program's own arguments \
             after `--`, as in `-- PROGRAM {surplus}`"
        )));
    }
    let source = source::find(word, &args.command, &args.server.source, "tools")?;
    let expected = Expected::of(&source, &args.expect)?;
    let label = source.label.clone();
    let listed = match source.is_tool(args.server.process.cwd.as_deref()) {
        true => match described(source, &args.server.process, out)? {
            Described::Tools(tools) => tools.into_iter().map(ListedTool::from).collect(),
            Described::Ended(outcome) => return Ok(outcome),
        },
        false => call::listing(source, &args.server, out)?,
    };
    if let Some(expected) = expected {
        expected.tell(&callable(&listed), out)?;
    }
    write(&label, &listed, args.json, out)
}

/// Writes a list of tools.
pub fn write(label: &str, listed: &[ListedTool], json: bool, out: &mut Out) -> Result<Outcome> {
    hidden::warn_of_listed(listed, out);
    let tools = callable(listed);
    if json {
        let mut json = ObjectWriter::new();
        json.json("tools", array(tools.iter().map(ToolDescription::to_json)));
        write_others(listed, &mut json);
        out.json(&json.end())?;
        return Ok(Outcome::Success);
    }
    if tools.is_empty() {
        out.complain(&format!("`{label}` has no tools"));
    }
    let width = terminal::width();
    for (nth, tool) in tools.iter().enumerate() {
        if nth > 0 {
            out.line("")?;
        }
        let name = on_one_line(&tool.name);
        let row = vec![name.clone(), about(tool)];
        for (nth, line) in table::rows(&[row], 0, width).iter().enumerate() {
            match line.strip_prefix(&name).filter(|_| nth == 0) {
                Some(rest) => out.line(&format!("{}{rest}", out.paint(BOLD, &name)))?,
                None => out.line(line)?,
            }
        }
        for line in table::rows(&parameters::rows(&tool.input_schema), 2, width) {
            out.line(&line)?;
        }
    }
    Ok(Outcome::Success)
}

/// Adds what a list of descriptions does not say: `listedAs`, the names that the server gives tools that are called
/// otherwise, and `problems`, what can't be called or told apart.
pub fn write_others(listed: &[ListedTool], json: &mut ObjectWriter) {
    let mut names = ObjectWriter::new();
    let mut others = listed
        .iter()
        .filter_map(|one| Some((&one.tool.as_ref()?.name, &one.name)))
        .filter(|(name, given)| name != given)
        .peekable();
    let any = others.peek().is_some();
    for (name, given) in others {
        names.text(name, given);
    }
    json.optional_json("listedAs", any.then(|| names.end()));
    let problems: Vec<String> = listed
        .iter()
        .filter_map(|one| {
            let problem = one.problem.as_deref()?;
            let mut json = ObjectWriter::new();
            Some(json.text("name", &one.name).text("problem", problem).end())
        })
        .collect();
    json.optional_json(
        "problems",
        (!problems.is_empty()).then(|| array(problems.iter())),
    );
}

/// Its title, the first line of its description, and what it says of its effects.
pub fn about(tool: &ToolDescription) -> String {
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
pub fn on_one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    terminal::safe(&words.join(" "))
}
