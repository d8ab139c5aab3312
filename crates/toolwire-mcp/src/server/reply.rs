//! Results as a client gets them.

use toolwire::author::{Failure, Opened, misfit, open};
use toolwire::call::{Call, ToolDescription};
use toolwire::mcp::{ResultOptions, Revision, to_result, to_tool};
use toolwire::{Json, Limits, Parsed, parse};
use toolwire_host::{CheckError, check_value};

/// What a call is answered with, as JSON text: every digit stays as it is.
#[derive(Debug)]
pub(super) enum Response {
    /// The result of the tool.
    Complete(String),
    /// That more is needed.
    InputRequired(String),
    /// A task, which goes on.
    Task(String),
}

impl Response {
    /// The result of a call, for the revision.
    pub(super) fn complete(
        parsed: &Parsed<'_>,
        tool: &ToolDescription,
        revision: Revision,
    ) -> Response {
        let mut options = ResultOptions::new(revision);
        // Only an output schema is wrapped, and it takes longer to see than all the rest.
        options.wrapped = tool.output_schema.is_some() && to_tool(tool, revision).wrapped;
        Response::Complete(to_result(parsed, &options).json.as_str().to_owned())
    }

    /// The text of it.
    pub(super) fn into_text(self) -> String {
        match self {
            Response::Complete(text) | Response::InputRequired(text) | Response::Task(text) => text,
        }
    }
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

/// Why the structured content is not what the tool said it would be, if so.
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
