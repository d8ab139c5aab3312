//! Asks a source for its tools and for what it says of its use.

use toolwire::Json;
use toolwire::call::ToolDescription;
use toolwire::json::{ObjectWriter, array};
use toolwire_contract::lock::Launched;
use toolwire_host::StopReason;
use toolwire_mcp::client::ListedTool;
use toolwire_source::Source;

use crate::args::{ProcessArgs, ServerArgs};
use crate::call;
use crate::exit::{Failure, Result};
use crate::output::Out;
use crate::run::{Session, Target, block_on, of_source, pick};

/// What a source says.
pub struct Seen {
    /// Its tools, as they are listed (LOCK-72).
    pub listed: Vec<ListedTool>,
    /// What a server says of its use.
    pub instructions: Option<String>,
}

impl Seen {
    /// The tools that can be called.
    pub fn tools(&self) -> Vec<ToolDescription> {
        callable(&self.listed)
    }
}

/// The tools that can be called, of those that are listed.
pub fn callable(listed: &[ListedTool]) -> Vec<ToolDescription> {
    let tools = listed.iter().filter_map(|listed| listed.tool.as_ref());
    tools.cloned().collect()
}

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

/// The tools as a JSON array.
pub fn list(tools: &[ToolDescription]) -> Result<Json> {
    let list = array(tools.iter().map(ToolDescription::to_json));
    Json::new(list).map_err(|error| Failure::refused(&error))
}

/// What is listed as a JSON array, as it was sent.
pub fn as_sent(listed: &[ListedTool]) -> Result<Json> {
    let list = array(listed.iter().map(|listed| listed.json.as_str()));
    Json::new(list).map_err(|error| Failure::refused(&error))
}

/// What a source is now, as a lock has it (LOCK-10): how it is started, and what it says, if it was asked.
pub fn to_json(launched: &Launched, seen: Option<&Seen>) -> Result<Json> {
    let mut out = ObjectWriter::new();
    out.json("launch", launched.to_json().as_str());
    if let Some(seen) = seen {
        out.json("tools", as_sent(&seen.listed)?.as_str())
            .optional("instructions", seen.instructions.as_deref());
    }
    Json::new(out.end()).map_err(|error| Failure::refused(&error))
}
