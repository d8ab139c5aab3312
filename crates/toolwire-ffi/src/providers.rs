//! Messages of the providers of models.

use toolwire::json::Document;
use toolwire::provider::{
    self, FromCall, MessageOptions, ModelCall, Provider, Tools, ToolsOptions,
};
use toolwire::{Code, Error, Json, Parsed, UnknownWord};

use crate::readers::FromCallOptions;
use crate::reply::{Reply, written};

/// A tool's result as the message that answers a call.
pub(crate) fn to_message(
    parsed: &Parsed<'_>,
    call: &Json,
    provider: &str,
    options: &MessageOptions,
) -> Result<Reply, Error> {
    let call = ModelCall::from_json(call.as_str())?;
    let message = provider::to_message(parsed, &call, named(provider)?, options)?;
    Ok(written(message.to_json()))
}

/// The messages that answer all calls of a response; a call without a result was not run.
pub(crate) fn to_turn(
    calls: &str,
    results: &[Option<Parsed<'_>>],
    provider: &str,
    options: &MessageOptions,
) -> Result<Reply, Error> {
    let document = Document::new(calls)?;
    let calls = document.root().elements();
    let calls = calls.map(|call| ModelCall::from_json(call.raw()));
    let calls = calls.collect::<Result<Vec<_>, _>>()?;
    let results: Vec<_> = results.iter().map(Option::as_ref).collect();
    let turn = provider::to_turn(&calls, &results, named(provider)?, options)?;
    Ok(written(turn.to_json()))
}

/// Definitions for a request.
pub(crate) fn to_tools(
    tools: &Json,
    provider: &str,
    options: &ToolsOptions,
) -> Result<Reply, Error> {
    let tools: Tools = provider::to_tools(tools, named(provider)?, options)?;
    Ok(written(tools.to_json()))
}

/// What a model has called.
pub(crate) fn from_call(
    call: &Json,
    provider: &str,
    given: &FromCallOptions,
) -> Result<Reply, Error> {
    let provider = named(provider)?;
    let mut definitions = ToolsOptions::default();
    definitions.family = given.family;
    definitions.strict = given.strict;
    let tools = given.tools.as_ref();
    let tools = tools.map(|tools| provider::to_tools(tools, provider, &definitions));
    let tools = tools.transpose()?;
    let mut options = provider::FromCallOptions::default();
    options.stop_reason = given.stop_reason.as_deref();
    options.is_last = given.is_last;
    options.tools = tools.as_ref();
    let read: FromCall = provider::from_call(call, provider, &options)?;
    Ok(written(read.to_json()))
}

/// A call in the history of a provider.
pub(crate) fn to_history(call: &Json, provider: &str) -> Result<Json, Error> {
    let call = ModelCall::from_json(call.as_str())?;
    Ok(provider::to_history(&call, named(provider)?))
}

pub(crate) fn named(provider: &str) -> Result<Provider, Error> {
    provider.parse().map_err(|error: UnknownWord| {
        let message = format!("`provider` is {}, not `{provider}`", error.choices());
        Error::new(Code::BadOption, "/provider", None, message)
    })
}
