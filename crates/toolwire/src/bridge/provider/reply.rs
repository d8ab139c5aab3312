//! What a model has answered: its calls, and its turn as it stands in the history of later requests.

use super::from_call::{FromCall, FromCallOptions, from_call};
use super::table::form;
use super::{Provider, Tools};
use crate::base::json::{Document, Kind, Node, ObjectWriter, array};
use crate::{Code, Error, Json, Limits};

/// A model's answer, read.
///
/// ```
/// use toolwire::Json;
/// use toolwire::provider::{Provider, from_reply};
///
/// let reply = Json::new(r#"{"stop_reason":"end_turn","content":[{"type":"text","text":"Done."}]}"#)?;
/// assert!(from_reply(&reply, Provider::Anthropic, None)?.calls.is_empty());
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct FromReply {
    /// The calls that the host answers, in their order.
    pub calls: Vec<FromCall>,
    /// The model's turn for later requests, with each call in a form that the provider takes again.
    pub history: Vec<Json>,
}

/// Where the parts of a response are.
struct ReplyForm {
    /// The members of which a response has one.
    known_by: &'static [&'static str],
    /// The message, in a response or by itself.
    message: &'static [&'static str],
    /// The member of it with the calls.
    list: &'static str,
    /// Whether that has nothing but calls.
    only_calls: bool,
    /// Why the model stopped.
    stop: &'static [&'static str],
    history: History,
}

/// What goes into the history.
enum History {
    /// The message.
    Message,
    /// The message with this role, of a response that has other members too.
    Assistant,
    /// The elements of the list.
    Items,
    /// The model's messages in this list of the response.
    Messages(&'static str),
}

const ANTHROPIC: ReplyForm = ReplyForm {
    known_by: &["content"],
    message: &[""],
    list: "content",
    only_calls: false,
    stop: &["/stop_reason"],
    history: History::Assistant,
};
const OPENAI: ReplyForm = ReplyForm {
    known_by: &["output"],
    list: "output",
    stop: &["/incomplete_details/reason", "/status"],
    history: History::Items,
    ..ANTHROPIC
};
const CHAT: ReplyForm = ReplyForm {
    known_by: &["choices", "role"],
    message: &["/choices/0/message", ""],
    list: "tool_calls",
    only_calls: true,
    stop: &["/choices/0/finish_reason"],
    history: History::Message,
};
const GEMINI: ReplyForm = ReplyForm {
    known_by: &["candidates", "promptFeedback", "parts"],
    message: &["/candidates/0/content", ""],
    list: "parts",
    stop: &["/candidates/0/finishReason"],
    only_calls: false,
    history: History::Message,
};
const BEDROCK: ReplyForm = ReplyForm {
    known_by: &["output", "role"],
    message: &["/output/message", ""],
    list: "content",
    stop: &["/stopReason"],
    ..GEMINI
};
const AI_SDK: ReplyForm = ReplyForm {
    known_by: &["toolCalls"],
    list: "toolCalls",
    only_calls: true,
    stop: &["/finishReason"],
    history: History::Messages("/response/messages"),
    ..ANTHROPIC
};

/// Reads a provider's whole response: its calls as [`from_call`] reads each, and its turn for later requests. A
/// response that was cut off has cut off its last call alone. For `ai_sdk` it is the result of `generateText`.
///
/// # Errors
///
/// `bad_argument` if it is no response of this provider, or the framework has a loop of its own.
///
/// # Examples
///
/// ```
/// use toolwire::Json;
/// use toolwire::provider::{Provider, from_reply};
///
/// let reply = Json::new(
///     r#"{"stop_reason":"tool_use","content":[{"type":"tool_use","id":"toolu_1","name":"now","input":{}}]}"#,
/// )?;
/// let read = from_reply(&reply, Provider::Anthropic, None)?;
/// assert_eq!(read.calls[0].call.name, "now");
/// assert_eq!(
///     read.history[0].as_str(),
///     r#"{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"now","input":{}}]}"#,
/// );
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn from_reply(
    reply: &Json,
    provider: Provider,
    tools: Option<&Tools>,
) -> Result<FromReply, Error> {
    let wrong = |message: String| Error::new(Code::BadArgument, "", None, message);
    let place = match provider {
        Provider::Anthropic => &ANTHROPIC,
        Provider::OpenAi => &OPENAI,
        Provider::OpenAiChat | Provider::Mistral => &CHAT,
        Provider::Gemini => &GEMINI,
        Provider::Bedrock => &BEDROCK,
        Provider::AiSdk => &AI_SDK,
        Provider::LangChain | Provider::PydanticAi | Provider::OpenAiAgents => {
            let message = format!(
                "`{provider}` has a loop of its own; read each of its calls with `from_call`"
            );
            return Err(wrong(message));
        }
    };
    let document = Document::of_bytes(reply.as_str().as_bytes(), &Limits::WIDEST)?;
    let root = document.root();
    if !place.known_by.iter().any(|name| root.get(name).is_some()) {
        let names = place.known_by.join("`, `");
        return Err(wrong(format!(
            "it is no response of `{provider}`, which has `{names}`"
        )));
    }
    let mut found = place.message.iter().filter_map(|at| root.at(at));
    let message = found.next().unwrap_or(root);
    let list = message.get(place.list);
    let elements: Vec<Node<'_>> = list.iter().flat_map(|list| list.elements()).collect();
    let is_call = |node: &Node<'_>| match place.only_calls {
        true => !is_true(node, "providerExecuted"),
        false => is_call(node, provider),
    };
    let last = elements.iter().rposition(&is_call);
    let text = |at: &&str| root.at(at).and_then(|stop| stop.as_str());
    let stop = place.stop.iter().find_map(text);
    let mut calls = Vec::new();
    let mut written = Vec::new();
    for (index, node) in elements.iter().enumerate() {
        if !is_call(node) {
            written.push(Json::from(*node));
            continue;
        }
        let options = FromCallOptions {
            stop_reason: stop.as_deref(),
            is_last: Some(index) == last,
            tools,
        };
        let read = from_call(&Json::from(*node), provider, &options)?;
        written.push(read.history.clone());
        calls.push(read);
    }
    let history = history(&place.history, root, message, place.list, written);
    Ok(FromReply { calls, history })
}

/// Whether an element is a call that the host answers.
fn is_call(node: &Node<'_>, provider: Provider) -> bool {
    let form = &form(provider, None).call;
    let (kind, usual) = form.kind;
    if kind.is_empty() {
        let call = node.get(form.holder);
        let kind = call.and_then(|call| call.get("type"));
        return call.is_some() && !kind.is_some_and(|kind| kind.is_str("server_tool_use"));
    }
    let given = node.get(kind).and_then(|kind| kind.as_str());
    given.is_some_and(|given| given == usual || form.is_custom(&given))
}

fn is_true(node: &Node<'_>, name: &str) -> bool {
    node.get(name).and_then(|flag| flag.as_bool()) == Some(true)
}

fn history(
    history: &History,
    root: Node<'_>,
    message: Node<'_>,
    list: &str,
    written: Vec<Json>,
) -> Vec<Json> {
    match history {
        History::Items => written,
        History::Messages(at) => {
            let messages = root.at(at);
            let all = messages.iter().flat_map(|messages| messages.elements());
            // The others answer calls, which is what the host does.
            let own = |node: &Node<'_>| {
                node.get("role")
                    .is_some_and(|role| role.is_str("assistant"))
            };
            all.filter(own).map(Json::from).collect()
        }
        // No provider takes a message without content again.
        History::Assistant if written.is_empty() => Vec::new(),
        History::Message if message.get("role").is_none() => Vec::new(),
        History::Assistant => {
            let mut out = ObjectWriter::new();
            out.text("role", "assistant")
                .json(list, array(written.iter().map(Json::as_str)));
            vec![Json::written(out.end())]
        }
        History::Message => {
            let mut out = ObjectWriter::new();
            for (name, value) in message.members() {
                if name == list {
                    if !written.is_empty() {
                        out.json(list, array(written.iter().map(Json::as_str)));
                    }
                } else if value.kind() != Kind::Null || name == "content" {
                    out.json(&name, value.raw());
                }
            }
            vec![Json::written(out.end())]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(provider: Provider, reply: &str) -> FromReply {
        from_reply(&Json::new(reply).unwrap(), provider, None).unwrap()
    }

    fn history(read: &FromReply) -> String {
        array(read.history.iter().map(Json::as_str))
    }

    #[test]
    fn each_provider_has_its_calls_and_its_turn() {
        let call = r#"{"id":"a","type":"function","function":{"name":"now","arguments":"{}"}}"#;
        for (provider, reply, turn) in [
            (
                Provider::OpenAi,
                r#"{"status":"completed","incomplete_details":null,"output":[{"type":"reasoning","id":"r"},{"type":"function_call","call_id":"a","name":"now","arguments":"{}"}]}"#.to_owned(),
                r#"[{"type":"reasoning","id":"r"},{"type":"function_call","call_id":"a","name":"now","arguments":"{}"}]"#.to_owned(),
            ),
            (
                Provider::OpenAiChat,
                format!(r#"{{"choices":[{{"finish_reason":"tool_calls","message":{{"role":"assistant","content":null,"refusal":null,"tool_calls":[{call}]}}}}]}}"#),
                r#"[{"role":"assistant","content":null,"tool_calls":[{"type":"function","id":"a","function":{"name":"now","arguments":"{}"}}]}]"#.to_owned(),
            ),
            (
                Provider::Gemini,
                r#"{"candidates":[{"finishReason":"STOP","content":{"role":"model","parts":[{"functionCall":{"id":"a","name":"now","args":{}},"thoughtSignature":"cw=="}]}}]}"#.to_owned(),
                r#"[{"role":"model","parts":[{"thoughtSignature":"cw==","functionCall":{"id":"a","name":"now","args":{}}}]}]"#.to_owned(),
            ),
            (
                Provider::Bedrock,
                r#"{"stopReason":"tool_use","output":{"message":{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"now","input":{}}}]}}}"#.to_owned(),
                r#"[{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"now","input":{}}}]}]"#.to_owned(),
            ),
            (
                Provider::AiSdk,
                r#"{"finishReason":"tool-calls","toolCalls":[{"type":"tool-call","toolCallId":"a","toolName":"now","input":{}},{"type":"tool-call","toolCallId":"b","toolName":"web","input":{},"providerExecuted":true}],"response":{"messages":[{"role":"assistant","content":[]},{"role":"tool","content":[]}]}}"#.to_owned(),
                r#"[{"role":"assistant","content":[]}]"#.to_owned(),
            ),
        ] {
            let read = read(provider, &reply);
            let names: Vec<&str> = read.calls.iter().map(|read| &*read.call.name).collect();
            assert_eq!(names, ["now"], "{provider}");
            assert!(read.calls[0].refusal.is_none(), "{provider}");
            assert_eq!(history(&read), turn, "{provider}");
        }
    }

    #[test]
    fn only_the_last_call_is_cut_off() {
        let call =
            |id: &str| format!(r#"{{"type":"tool_use","id":"{id}","name":"now","input":{{}}}}"#);
        let reply = format!(
            r#"{{"stop_reason":"max_tokens","content":[{},{},{{"type":"text","text":"…"}}]}}"#,
            call("a"),
            call("b")
        );
        let read = read(Provider::Anthropic, &reply);
        let refused: Vec<bool> = read
            .calls
            .iter()
            .map(|read| read.refusal.is_some())
            .collect();
        assert_eq!(refused, [false, true]);
    }

    #[test]
    fn what_has_no_call_is_a_turn_too() {
        let chat =
            r#"{"choices":[{"message":{"role":"assistant","content":"Hi.","tool_calls":[]}}]}"#;
        let read_chat = read(Provider::Mistral, chat);
        assert_eq!(
            history(&read_chat),
            r#"[{"role":"assistant","content":"Hi."}]"#
        );
        for (provider, nothing) in [
            (Provider::Anthropic, r#"{"role":"assistant","content":[]}"#),
            (
                Provider::Gemini,
                r#"{"promptFeedback":{"blockReason":"SAFETY"}}"#,
            ),
            (
                Provider::Gemini,
                r#"{"candidates":[{"finishReason":"STOP"}]}"#,
            ),
        ] {
            let read = read(provider, nothing);
            assert_eq!((read.calls.len(), read.history.len()), (0, 0), "{nothing}");
        }
    }

    #[test]
    fn another_providers_response_is_refused() {
        let reply = Json::new(r#"{"choices":[]}"#).unwrap();
        for provider in [Provider::Anthropic, Provider::Gemini, Provider::LangChain] {
            let error = from_reply(&reply, provider, None).unwrap_err();
            assert_eq!(error.code(), Code::BadArgument, "{provider}");
        }
    }
}
