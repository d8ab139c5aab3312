//! Messages of the providers of models, from text to text.

use napi_derive::napi;
use toolwire_ffi::provider;

use crate::fault::{Result, told};
use crate::source::{How, read};

/// A tool's result as a provider's message, as a JSON object.
#[napi(catch_unwind)]
pub fn provider_message(data: &[u8], how: How<'_>, options: String) -> Result<String> {
    provider::to_message(&read(data, &how)?, &options).map_err(told)
}

/// Another of the functions, by its name.
#[napi(catch_unwind)]
pub fn provider_call(name: String, input: String, options: String) -> Result<String> {
    provider::call(&name, &input, &options).map_err(told)
}
