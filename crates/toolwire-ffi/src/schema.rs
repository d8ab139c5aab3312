//! Schemas: values checked with them, and the forms that providers of models accept.

use toolwire::block::Question;
use toolwire::json::array;
use toolwire::schema::{self, Projection, project, project_answer};
use toolwire::{Diagnostic, Error, Json};
use toolwire_schema::CheckError;

use crate::readers::{LintOptions, ProjectOptions};
use crate::reply::{Reply, written};

pub(crate) fn check_value(schema: &Json, value: &Json) -> Result<Reply, Error> {
    mismatches(toolwire_schema::check_value(schema, value))
}

pub(crate) fn check_answer(question: &Question, value: &Json) -> Result<Reply, Error> {
    mismatches(toolwire_schema::check_answer(question, value))
}

/// The places where a value does not fit; a schema that cannot be used is an error.
fn mismatches(checked: Result<(), CheckError>) -> Result<Reply, Error> {
    match checked {
        Ok(()) => Ok(written("[]")),
        Err(CheckError::Mismatches(found)) => {
            Ok(written(array(found.iter().map(|one| one.to_json()))))
        }
        Err(CheckError::BadSchema(error) | CheckError::OverBudget(error)) => Err(error),
    }
}

fn projection(schema: &Json, options: &ProjectOptions) -> Projection {
    let project = if options.answer {
        project_answer
    } else {
        project
    };
    project(schema, options.provider.unwrap_or_default())
}

pub(crate) fn project_schema(schema: &Json, options: &ProjectOptions) -> Reply {
    let projection = projection(schema, options);
    let losses = projection.losses.iter();
    let losses = losses.map(|loss| {
        toolwire::json::ObjectWriter::new()
            .text("pointer", &loss.pointer)
            .text("what", &loss.what)
            .end()
    });
    Reply::Record(vec![
        ("schema", written(projection.schema.as_str())),
        ("text", Reply::Text(projection.schema.as_str().to_owned())),
        ("wrapped", Reply::Flag(projection.wrapped)),
        ("losses", written(array(losses))),
    ])
}

pub(crate) fn unwrap_value(
    schema: &Json,
    value: &Json,
    options: &ProjectOptions,
) -> Result<Json, Error> {
    projection(schema, options).unwrap_value(value)
}

pub(crate) fn lint_schema(schema: &Json, options: &LintOptions) -> Vec<Diagnostic> {
    schema::lint_schema(schema, options.provider.unwrap_or_default())
}

/// An output schema in the common form, and whether values are wrapped for it.
pub(crate) fn tidy_output(schema: &Json) -> Reply {
    let (schema, wrapped) = schema::tidy_output(schema);
    Reply::Record(vec![
        ("schema", written(schema.as_str())),
        ("wrapped", Reply::Flag(wrapped)),
    ])
}
