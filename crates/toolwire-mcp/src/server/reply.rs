//! Results as a client gets them (SRV-7, SRV-11, SRV-12).

use rmcp::ErrorData;
use rmcp::model::{CallToolResponse, CallToolResult, Extensions, InputRequiredResult};
use toolwire::author::{Failure, Opened, misfit, open};
use toolwire::call::{Call, ToolDescription};
use toolwire::mcp::{ResultOptions, Revision, to_result, to_tool};
use toolwire::{Json, Limits, Parsed, parse};
use toolwire_host::{CheckError, check_value};

use super::exact;

/// The result of a call, for the revision.
pub(super) fn complete(
    extensions: &Extensions,
    parsed: &Parsed<'_>,
    tool: &ToolDescription,
    revision: Revision,
) -> Result<CallToolResponse, ErrorData> {
    let mut options = ResultOptions::new(revision);
    options.wrapped = to_tool(tool, revision).wrapped;
    let result = to_result(parsed, &options).json;
    let held = || CallToolResult::success(Vec::new());
    let result = exact::answer(extensions, result.as_str().to_owned(), held)?;
    Ok(CallToolResponse::Complete(result))
}

/// That more is needed, as JSON text.
pub(super) fn input_required(
    extensions: &Extensions,
    result: String,
) -> Result<CallToolResponse, ErrorData> {
    if extensions.get::<super::Exact>().is_some() {
        let held = || CallToolResult::success(Vec::new());
        let result = exact::answer(extensions, result, held)?;
        return Ok(CallToolResponse::Complete(result));
    }
    let held = || InputRequiredResult::from_request_state("");
    let result = exact::answer(extensions, result, held)?;
    Ok(CallToolResponse::InputRequired(result))
}

/// The answer of a tool that was not run, or whose answer can't be passed on.
pub(super) fn failed(call: &Call, failure: Failure) -> Parsed<'static> {
    let name = call.name.as_deref().unwrap_or_default();
    let answer = match open(call.to_json().as_bytes(), &[name]) {
        Opened::Turn(turn) => turn.fail(failure),
        Opened::Answered(answer) => *answer,
    };
    parse(answer.to_json().into_bytes(), &Limits::WIDEST)
}

/// Why the structured content is not what the tool said it would be, if so (SRV-12).
pub(super) fn unlike_schema(parsed: &Parsed<'_>, tool: &ToolDescription) -> Option<Failure> {
    let schema = tool.output_schema.as_ref().filter(|_| !parsed.is_error())?;
    let name = &tool.name;
    let Some(content) = parsed.structured_content() else {
        return Some(Failure::new(format!(
            "the result of `{name}` has no structured content, though its output schema asks for it"
        )));
    };
    match check_value(schema, &Json::from(content)) {
        Ok(()) => None,
        Err(CheckError::Mismatches(found)) => {
            let found = found.into_iter().map(|one| (one.pointer, one.message));
            let what = format!("the structured content of `{name}` does");
            Some(misfit(&what, &found.collect::<Vec<_>>()))
        }
        Err(CheckError::BadSchema(error) | CheckError::OverBudget(error)) => Some(Failure::new(
            format!("the result of `{name}` can't be checked against its output schema: {error}"),
        )),
    }
}
