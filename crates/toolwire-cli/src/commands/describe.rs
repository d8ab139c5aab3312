//! `toolwire describe`: what tools a program holds, and what they take.

use toolwire::call::{ToolAnnotations, ToolDescription};
use toolwire_host::StopReason;
use toolwire_source::Source;

use crate::args::{DescribeArgs, ProcessArgs};
use crate::call::expected::Expected;
use crate::exit::{Failure, Outcome, Result};
use crate::output::{BOLD, Out};
use crate::run::{Session, Target, block_on, of_source, pick};
use crate::{call, hidden, parameters, source, table, terminal};

pub fn run(args: &DescribeArgs, out: &mut Out) -> Result<Outcome> {
    if let Some(more) = args.more.first() {
        return Err(Failure::usage(format!(
            "`describe` takes one program, and `{0}` is a second word; pass the program's own \
             arguments after `--`, as in `-- PROGRAM {0}`",
            more.display()
        )));
    }
    if let (Some(program), [_, ..]) = (&args.program, &args.command[..]) {
        return Err(Failure::usage(format!(
            "`describe` takes one program, either `{}` or the one after `--`",
            program.display()
        )));
    }
    let word = args.program.as_deref();
    let source = source::find(word, &args.command, &args.server.source, "describe")?;
    let expected = Expected::of(&source, &args.expect)?;
    let tools = match source.is_tool(args.server.process.cwd.as_deref()) {
        false => call::tools(source, &args.server, out)?,
        true => match described(source, &args.server.process, out)? {
            Described::Tools(tools) => tools,
            Described::Ended(outcome) => return Ok(outcome),
        },
    };
    if let Some(expected) = expected {
        expected.tell(&tools, out)?;
    }
    hidden::warn_of_tools(&tools, out);
    if args.json {
        let tools: Vec<String> = tools.iter().map(ToolDescription::to_json).collect();
        out.json(&format!("{{\"tools\":[{}]}}", tools.join(",")))?;
    } else {
        write(&tools, out)?;
    }
    Ok(Outcome::Success)
}

/// What came of asking a program for its tools.
pub enum Described {
    Tools(Vec<ToolDescription>),
    /// This process was told to end meanwhile.
    Ended(Outcome),
}

/// The tools of a program, or a tool of a manifest.
pub fn described(source: Source, process: &ProcessArgs, out: &Out) -> Result<Described> {
    let (target, _) = of_source(source, &[], false)?;
    let mut tools = match target.unasked()? {
        Some(contract) => vec![contract],
        None => {
            let described = block_on(async {
                let session = Session::new(&target, process, out.when)?;
                let described = session.describe(&target).await?;
                Ok((described, session.signals.outcome()))
            });
            let (Some(list), signal) = described? else {
                return Err(Failure::Refused(format!(
                    "`{}` does not describe itself: it asked a question instead",
                    target.label
                )));
            };
            let cancelled = list.reply.report.stopped == Some(StopReason::Cancelled);
            match (list.tools, signal) {
                (Some(tools), _) => tools,
                (None, Some(outcome)) if cancelled => return Ok(Described::Ended(outcome)),
                (None, _) => {
                    return Err(Failure::Refused(no_tools(&target, list.failure.as_deref())));
                }
            }
        }
    };
    if target.tool.is_some() {
        tools = vec![pick(tools, &target)?];
    }
    if let [tool] = &mut tools[..] {
        target.describe(tool);
    }
    Ok(Described::Tools(tools))
}

/// Why a program has no tools.
fn no_tools(target: &Target, failure: Option<&str>) -> String {
    let label = &target.label;
    match (failure, &target.manifest) {
        (Some(failure), _) => format!("`{label}`: {failure}"),
        (None, None) => {
            format!("`{label}` does not describe itself: it did its usual work instead")
        }
        (None, Some(_)) => format!(
            "`{label}` does not describe itself: it did its usual work instead; if it knows nothing of calls, give it \
             `plain = true` in the manifest"
        ),
    }
}

fn write(tools: &[ToolDescription], out: &mut Out) -> Result<()> {
    let width = terminal::width();
    if tools.is_empty() {
        out.complain("the program has no tools");
    }
    for (nth, tool) in tools.iter().enumerate() {
        if nth > 0 {
            out.line("")?;
        }
        let name = terminal::safe(&tool.name);
        let about = tool.description.as_ref().or(tool.title.as_ref());
        let about = about.map_or("", String::as_str);
        // The first paragraph says what the tool is; the rest is for those who use it.
        let about = about.trim().split("\n\n").next().unwrap_or_default();
        let row = vec![name.clone(), format!("{}{}", safe(about), hints(tool))];
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
    Ok(())
}

/// What the tool says of its effects, and whether it keeps running.
pub fn hints(tool: &ToolDescription) -> String {
    let says = |hint: fn(&ToolAnnotations) -> Option<bool>| {
        tool.annotations.as_ref().and_then(hint) == Some(true)
    };
    let hints = [
        (!tool.actions.is_empty(), "keeps running"),
        (says(|all| all.read_only), "read-only"),
        (says(|all| all.destructive), "destructive"),
        (says(|all| all.idempotent), "idempotent"),
        (says(|all| all.open_world), "open world"),
    ];
    let hints: Vec<&str> = hints
        .iter()
        .filter(|(so, _)| *so)
        .map(|(_, hint)| *hint)
        .collect();
    match hints.is_empty() {
        true => String::new(),
        false => format!(" ({})", hints.join(", ")),
    }
}

/// A text of the tool on one line, safe for a terminal.
fn safe(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    terminal::safe(&words.join(" "))
}
