//! What is sent, and what has to come back, whatever the transport.

use serde_json::{Value, json};

/// The revisions, the newest of which has neither sessions nor requests of the server.
pub const REVISIONS: [&str; 3] = ["2025-06-18", "2025-11-25", "2026-07-28"];

pub fn is_new(revision: &str) -> bool {
    revision == REVISIONS[2]
}

pub fn request(id: u64, method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
}

pub fn initialize(revision: &str) -> String {
    let info = json!({ "name": "soak", "version": "1" });
    let capabilities = json!({ "elicitation": {} });
    let params =
        json!({ "protocolVersion": revision, "capabilities": capabilities, "clientInfo": info });
    request(0, "initialize", &params)
}

pub const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

fn asks(number: u64) -> bool {
    number.is_multiple_of(10)
}

/// Different in each call, and of different lengths.
fn text(number: u64) -> String {
    format!("{:x}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).repeat(1 + number as usize % 40)
}

fn answer(number: u64) -> String {
    format!("colour-{number}")
}

/// A call, whose id is its number.
pub fn call(number: u64, revision: &str) -> Value {
    let arguments = json!({ "number": number, "text": text(number), "ask": asks(number) });
    let mut params = json!({ "name": "repeat", "arguments": arguments });
    if is_new(revision) {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": revision,
            "io.modelcontextprotocol/clientInfo": { "name": "soak", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
        });
    }
    params
}

/// What a message of the server asks of the client.
#[derive(Debug)]
pub enum Next {
    /// The call with this number has the result that it has to have.
    Done(u64),
    /// The call with this number is made again, with these parameters.
    Again(u64, Value),
    /// This response is sent: it answers the question of the call with this number.
    Respond(u64, String),
    /// Nothing.
    Nothing,
}

/// Looks whether a message is one that has to come.
pub fn read(text: &str, revision: &str) -> Next {
    let message: Value =
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let result = &message["result"];
    match message["method"].as_str() {
        Some("elicitation/create") => {
            let number = asked(&message["params"], text);
            let result = accepted(number);
            let response = json!({ "jsonrpc": "2.0", "id": message["id"], "result": result });
            Next::Respond(number, response.to_string())
        }
        Some(method) => {
            assert!(message.get("id").is_none(), "nobody expects {method}");
            Next::Nothing
        }
        None if result["resultType"] == "input_required" => {
            let number = id(&message);
            let input = &result["inputRequests"]["colour"];
            assert_eq!(
                asked(&input["params"], text),
                number,
                "a question is mixed up"
            );
            let mut params = call(number, revision);
            params["requestState"] = result["requestState"].clone();
            params["inputResponses"] = json!({ "colour": accepted(number) });
            Next::Again(number, params)
        }
        None => {
            let number = id(&message);
            let told = match asks(number) {
                true => answer(number),
                false => "none".to_owned(),
            };
            let expected = format!("{number} {} {told}", self::text(number));
            let got = result["content"][0]["text"].as_str();
            assert_eq!(got, Some(expected.as_str()), "a result is mixed up: {text}");
            assert_ne!(result["isError"], true, "{text}");
            Next::Done(number)
        }
    }
}

fn id(message: &Value) -> u64 {
    let id = message["id"].as_u64();
    id.unwrap_or_else(|| panic!("an answer to nothing: {message}"))
}

/// The number of the call that a question is about.
fn asked(params: &Value, text: &str) -> u64 {
    let message = params["message"].as_str().unwrap_or_default();
    let number = message.strip_prefix("Which colour has ");
    let number = number.and_then(|rest| rest.strip_suffix('?')?.parse().ok());
    number.unwrap_or_else(|| panic!("not the question of the tool: {text}"))
}

fn accepted(number: u64) -> Value {
    json!({ "action": "accept", "content": { "answer": answer(number) } })
}
