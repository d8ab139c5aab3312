//! Asks a program of Toolwire for its tools.

use toolwire::call::{ToolAnnotations, ToolDescription};
use toolwire_host::StopReason;
use toolwire_source::Source;

use crate::args::ProcessArgs;
use crate::exit::{Failure, Outcome, Result};
use crate::output::Out;
use crate::run::{Session, Target, block_on, of_source, pick};

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
