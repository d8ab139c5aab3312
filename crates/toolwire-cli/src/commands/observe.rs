//! Asks a source for its tools and for what it says of its use.

use toolwire::call::ToolDescription;
use toolwire_host::StopReason;
use toolwire_mcp::client::ListedTool;
use toolwire_source::Source;

use crate::args::{ProcessArgs, ServerArgs};
use crate::baseline::Seen;
use crate::call;
use crate::exit::{Failure, Result};
use crate::output::Out;
use crate::run::{Session, Target, block_on, of_source, pick};

/// Asks a source, once a person has agreed to what nobody typed.
pub fn observe(source: Source, args: &ServerArgs, out: &Out) -> Result<Seen> {
    if source.is_tool(args.process.cwd.as_deref()) {
        let tools = described(source, &args.process, out)?;
        return Ok(Seen {
            listed: tools.into_iter().map(ListedTool::from).collect(),
            instructions: None,
        });
    }
    call::at_server(source, args, out, async |client| {
        Ok(Seen {
            listed: client.listing().await?,
            instructions: client.instructions(),
        })
    })
}

/// The tools of a program, or a tool of a manifest.
pub fn described(source: Source, process: &ProcessArgs, out: &Out) -> Result<Vec<ToolDescription>> {
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
                (None, Some(outcome)) if cancelled => return Err(Failure::Ended(Some(outcome))),
                (None, _) => {
                    return Err(Failure::Refused(no_tools(&target, list.failure.as_deref())));
                }
            }
        }
    };
    if target.entry.tool.is_some() {
        tools = vec![pick(tools, &target)?];
    }
    if let [tool] = &mut tools[..] {
        target.describe(tool);
    }
    Ok(tools)
}

/// Why a program has no tools.
fn no_tools(target: &Target, failure: Option<&str>) -> String {
    let label = &target.label;
    match (failure, target.in_manifest) {
        (Some(failure), _) => format!("`{label}`: {failure}"),
        (None, false) => {
            format!("`{label}` does not describe itself: it did its usual work instead")
        }
        (None, true) => format!(
            "`{label}` does not describe itself: it did its usual work instead; if it knows nothing of calls, give it \
             `plain = true` in the manifest"
        ),
    }
}
