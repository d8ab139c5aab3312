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

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::Pin;
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use tokio::time::{sleep, timeout};
    use toolwire_host::{Control, HostError, Reply, SessionTool, Transport, block_on};

    use super::*;

    type Log = Arc<Mutex<Vec<String>>>;

    /// A tool that takes a moment, and notes when it begins and ends.
    struct Slow(Log);

    /// Notes that a call ended before it was over.
    struct Dropped(Log, bool);

    impl Drop for Dropped {
        fn drop(&mut self) {
            if !self.1 {
                self.0.lock().unwrap().push("dropped".to_owned());
            }
        }
    }

    impl Transport for Slow {
        fn send<'a>(
            &'a self,
            document: &'a str,
            _control: &'a Control,
        ) -> Pin<Box<dyn Future<Output = Result<Reply, HostError>> + Send + 'a>> {
            let name = Json::new(document).unwrap().at("/tool/name").unwrap();
            let name = name.to_text().unwrap();
            Box::pin(async move {
                let mut dropped = Dropped(Arc::clone(&self.0), false);
                self.0.lock().unwrap().push(format!("+{name}"));
                sleep(Duration::from_millis(50)).await;
                self.0.lock().unwrap().push(format!("-{name}"));
                dropped.1 = true;
                Ok(Reply::new(parse(name.into_bytes(), &Limits::default())))
            })
        }
    }

    fn tools() -> (Tools, Log) {
        let (tools, log) = (Tools::new(Default::default()), Log::default());
        for (name, reads) in [("a", true), ("b", true), ("x", false), ("y", false)] {
            let text = format!(
                r#"{{"name":"{name}","inputSchema":{{"type":"object"}},"annotations":{{"readOnlyHint":{reads}}}}}"#
            );
            let description = ToolDescription::from_json(&text).unwrap();
            let transport = Arc::new(Slow(Arc::clone(&log)));
            tools.add_tool(SessionTool::one_shot(description, transport));
        }
        (tools, log)
    }

    fn reply(stop: &str, calls: &[&str]) -> Json {
        let calls = calls.iter().enumerate().map(|(at, name)| {
            format!(r#"{{"type":"tool_use","id":"{at}","name":"{name}","input":{{}}}}"#)
        });
        let calls = array(calls);
        Json::new(format!(r#"{{"stop_reason":"{stop}","content":{calls}}}"#)).unwrap()
    }

    #[test]
    fn reads_run_side_by_side_and_all_others_alone() {
        let (tools, log) = tools();
        let reply = reply("tool_use", &["a", "b", "x", "y", "a"]);
        let options = MessageOptions::default();
        let response =
            block_on(async { Ok(tools.respond(Provider::Anthropic, &reply, &options).await) });
        let turns = response.unwrap().unwrap().turns;
        let results: Vec<&str> = turns.iter().map(|turn| &*turn.call.name).collect();
        assert_eq!(results, ["a", "b", "x", "y", "a"]);
        assert!(turns.iter().all(|turn| !turn.result.contains("isError")));
        let log = log.lock().unwrap();
        assert_eq!(log[..2], ["+a", "+b"]);
        assert_eq!(log[4..], ["+x", "-x", "+y", "-y", "+a", "-a"]);
    }

    #[test]
    fn at_most_so_many_run_at_a_time() {
        let (tools, log) = tools();
        let reply = reply("tool_use", &["a"; 12]);
        let options = MessageOptions::default();
        let response =
            block_on(async { Ok(tools.respond(Provider::Anthropic, &reply, &options).await) });
        assert_eq!(response.unwrap().unwrap().turns.len(), 12);
        let log = log.lock().unwrap();
        assert!(log[..MOST_AT_ONCE].iter().all(|one| one == "+a"));
        assert_eq!(log[MOST_AT_ONCE], "-a");
    }

    #[test]
    fn what_is_not_to_be_run_is_answered() {
        let (tools, log) = tools();
        let options = MessageOptions::default();
        let chat = Json::new(
            r#"{"choices":[{"finish_reason":"tool_calls","message":{"role":"assistant","tool_calls":[
            {"id":"1","type":"function","function":{"name":"x","arguments":"{\"path\":"}}]}}]}"#,
        )
        .unwrap();
        let all = block_on(async {
            let cut = reply("max_tokens", &["nope", "x"]);
            let cut = tools.respond(Provider::Anthropic, &cut, &options).await;
            let bad = tools.respond(Provider::OpenAiChat, &chat, &options).await;
            Ok([cut, bad])
        });
        let all: Vec<Response> = all.unwrap().into_iter().map(Result::unwrap).collect();
        let turns: Vec<&Turn> = all.iter().flat_map(|response| &response.turns).collect();
        for (turn, says) in turns.iter().zip([
            "there is no tool `nope`; there is `a`",
            "ended (`max_tokens`)",
            "not valid JSON",
        ]) {
            assert!(turn.result.contains(says), "{}", turn.result);
            assert!(turn.result.contains(r#""isError":true"#));
        }
        assert!(log.lock().unwrap().is_empty());
    }

    #[test]
    fn a_turn_that_is_dropped_cancels_its_calls() {
        let (tools, log) = tools();
        let reply = reply("tool_use", &["a", "b", "x"]);
        let options = MessageOptions::default();
        let done = block_on(async {
            let turn = tools.respond(Provider::Anthropic, &reply, &options);
            let late = timeout(Duration::from_millis(20), turn).await.is_err();
            sleep(Duration::from_millis(100)).await;
            Ok(late)
        });
        assert!(done.unwrap());
        assert_eq!(*log.lock().unwrap(), ["+a", "+b", "dropped", "dropped"]);
    }

    #[test]
    fn mistakes_of_the_host_are_errors_and_run_nothing() {
        let (tools, log) = tools();
        let reply = reply("tool_use", &["x"]);
        let codes = block_on(async {
            let mut small = MessageOptions::default();
            small.max_bytes = Some(1);
            let small = tools.respond(Provider::Anthropic, &reply, &small).await;
            tools.close().await;
            let options = MessageOptions::default();
            let closed = tools.respond(Provider::Anthropic, &reply, &options).await;
            let defined = tools.definitions(Provider::Anthropic, &Default::default());
            Ok([
                small.unwrap_err().code,
                closed.unwrap_err().code,
                defined.unwrap_err().code,
            ])
        });
        assert_eq!(
            codes.unwrap(),
            ["bad_option", "not_connected", "not_connected"]
        );
        assert!(log.lock().unwrap().is_empty());
    }
}
