//! How a refusal crosses to JavaScript.

use toolwire::Error;
use toolwire_ffi::caller::Failure;
use toolwire_ffi::servers::ServerError;
use toolwire_host::HostError;

use crate::json::{Object, array};

/// What every function that can refuse gives back.
pub type Result<T> = napi::Result<T>;

/// The error as an exception whose message is the JSON text of its finding and all diagnostics;
/// `lib/error.cjs` makes a `ToolwireError` of it.
pub fn told(error: Error) -> napi::Error {
    let finding = Object::new()
        .text("code", error.code().as_str())
        .text("severity", error.code().severity().as_str())
        .text("pointer", error.pointer())
        .optional_number("offset", error.offset().map(|offset| offset as f64))
        .text("message", error.message());
    let all = error.diagnostics().iter();
    refused(
        &finding.end(),
        &array(all.map(|diagnostic| diagnostic.to_json())),
    )
}

/// The error that kept a tool from being run, in the same form.
pub fn host(error: &HostError) -> napi::Error {
    alone(&finding(error))
}

/// The error that kept a server from being used, in the same form.
pub fn server(error: &ServerError) -> napi::Error {
    alone(&of_host(error.code, &error.message))
}

/// Why something did not begin, in the same form.
pub fn failure(failure: Failure) -> napi::Error {
    match failure {
        Failure::Refused(error) => told(error),
        Failure::Failed(error) => server(&error),
    }
}

/// What kept a tool from being run, as the JSON text of a finding.
pub fn finding(error: &HostError) -> String {
    of_host(error.kind().as_str(), &error.to_string())
}

fn of_host(code: &str, message: &str) -> String {
    Object::new()
        .text("code", code)
        .text("severity", "error")
        .text("pointer", "")
        .text("message", message)
        .end()
}

fn alone(finding: &str) -> napi::Error {
    refused(finding, &array([finding]))
}

fn refused(finding: &str, all: &str) -> napi::Error {
    let told = Object::new().raw("error", finding).raw("diagnostics", all);
    napi::Error::from_reason(told.end())
}
