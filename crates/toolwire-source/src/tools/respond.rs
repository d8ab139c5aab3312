//! What a host sends back to a model.

use tokio::task::JoinSet;
use toolwire::call::ToolDescription;
use toolwire::json::{ObjectWriter, array, string};
use toolwire::mcp::LossReport;
use toolwire::provider::{
    self, FromCall, MessageOptions, ModelCall, Provider, from_reply, to_turn,
};
use toolwire::{Envelope, Json, Limits, Parsed, build, parse};

use super::{Tools, ToolsError};

/// Maximum number of calls that run at a time.
const MOST_AT_ONCE: usize = 8;

/// Maximum number of tools that an error names.
const MOST_NAMED: usize = 16;

/// A call of a turn and what has become of it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Turn {
    /// The call, with the name and arguments that the tool has.
    pub call: ModelCall,
    /// The JSON text of the result's envelope.
    pub result: String,
    /// What was repaired in the call, then what became of the result.
    pub report: LossReport,
}

/// The answer to a model's response.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Response {
    /// What the next request has behind the messages of this one: the model's turn, then the results.
    pub messages: Vec<Json>,
    /// The calls in their order; none if the model has called nothing.
    pub turns: Vec<Turn>,
}

impl Response {
    /// The whole as a JSON object: `{"messages","calls","results","reports"}`. A result is the JSON text of an envelope,
    /// as a string.
    #[must_use]
    pub fn to_json(&self) -> String {
        let turns = || self.turns.iter();
        ObjectWriter::new()
            .json("messages", array(self.messages.iter().map(Json::as_str)))
            .json("calls", array(turns().map(|turn| turn.call.to_json())))
            .json("results", array(turns().map(|turn| string(&turn.result))))
            .json("reports", array(turns().map(|turn| turn.report.to_json())))
            .end()
    }
}

impl Tools {
    /// Answers a model's whole response: reads its calls, runs them and joins the results. Calls of tools that only
    /// read (`readOnlyHint`) run side by side, all others one by one in their order. Dropped before its end, it cancels
    /// all of them.
    ///
    /// Whatever the model wrote, and whatever a tool does, is a result that the model can read: a tool that there is
    /// not, arguments that can't be read, a call that was cut off, a crash, a timeout.
    ///
    /// # Errors
    ///
    /// `not_connected` once it is closed; those of [`from_reply`] and [`to_turn`].
    pub async fn respond(
        &self,
        provider: Provider,
        reply: &Json,
        options: &MessageOptions,
    ) -> Result<Response, ToolsError> {
        self.check_open()?;
        let defined = self.defined(provider)?;
        let mut options = options.clone();
        options.family = options.family.or(defined.options.family);
        let read = from_reply(reply, provider, Some(&defined.tools))?;
        if read.calls.is_empty() {
            return Ok(Response {
                messages: read.history,
                turns: Vec::new(),
            });
        }
        // Wrong options are refused before anything runs.
        to_turn(&[], &[], provider, &options)?;
        let results = self.run(&read.calls, &defined.tools).await;
        let parsed: Vec<Parsed<'_>> = results
            .iter()
            .map(|result| parse(result.as_bytes(), &Limits::WIDEST))
            .collect();
        let parsed: Vec<Option<&Parsed<'_>>> = parsed.iter().map(Some).collect();
        let calls: Vec<ModelCall> = read.calls.iter().map(|read| read.call.clone()).collect();
        let answer = to_turn(&calls, &parsed, provider, &options)?;
        let mut messages = read.history;
        messages.extend(answer.messages);
        let turns = read.calls.into_iter().zip(results).zip(answer.reports);
        let turns = turns.map(|((mut read, result), report)| {
            read.report.entries.extend(report.entries);
            Turn {
                call: read.call,
                result,
                report: read.report,
            }
        });
        Ok(Response {
            messages,
            turns: turns.collect(),
        })
    }

    /// The results of the calls, as the JSON text of envelopes.
    async fn run(&self, calls: &[FromCall], defined: &provider::Tools) -> Vec<String> {
        let tools = self.list();
        let only_reads = |name: &str| {
            let tool = tools.iter().find(|tool| tool.name == name);
            tool.is_some_and(|tool| tool.actions.is_empty() && is_read_only(tool))
        };
        let mut results = vec![None; calls.len()];
        let mut running = JoinSet::new();
        for (index, read) in calls.iter().enumerate() {
            let name = read.call.name.clone();
            if let Some(refusal) = &read.refusal {
                results[index] = Some(refusal.to_json());
                continue;
            }
            if !defined.names.iter().any(|known| known.tool == name) {
                results[index] = Some(unknown(&name, defined));
                continue;
            }
            let is_alone = !only_reads(&name);
            let room = if is_alone { 1 } else { MOST_AT_ONCE };
            finish(&mut running, &mut results, room - 1).await;
            let tools = self.clone();
            let arguments = read.call.arguments.clone();
            let arguments = arguments.unwrap_or_else(Json::empty_object);
            running.spawn(async move { (index, tools.call(&name, &arguments).await) });
            if is_alone {
                finish(&mut running, &mut results, 0).await;
            }
        }
        finish(&mut running, &mut results, 0).await;
        let failed = || error("the host failed while it ran this call");
        results
            .into_iter()
            .map(|result| result.unwrap_or_else(failed))
            .collect()
    }
}

/// Waits until at most so many calls run.
async fn finish(
    running: &mut JoinSet<(usize, String)>,
    results: &mut [Option<String>],
    most: usize,
) {
    while running.len() > most {
        if let Some(Ok((index, result))) = running.join_next().await {
            results[index] = Some(result);
        }
    }
}

fn is_read_only(tool: &ToolDescription) -> bool {
    let hints = tool.annotations.as_ref();
    hints.is_some_and(|hints| hints.read_only == Some(true))
}

/// That the model was not given such a tool, with the names that it knows.
fn unknown(name: &str, defined: &provider::Tools) -> String {
    let mut names: Vec<&str> = defined.names.iter().map(|tool| &*tool.name).collect();
    let more = names.len().saturating_sub(MOST_NAMED);
    names.truncate(MOST_NAMED);
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    let name: String = name.chars().take(128).collect();
    error(&match names.as_slice() {
        [] => format!("there is no tool `{name}`, nor any other"),
        names => format!(
            "there is no tool `{name}`; there is `{}`{more}",
            names.join("`, `")
        ),
    })
}

fn error(message: &str) -> String {
    // The message is text, which is never refused.
    let envelope: Envelope = build::error(message, Default::default()).unwrap_or_default();
    envelope.to_json()
}
