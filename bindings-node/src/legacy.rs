//! The formats that came before envelopes, as envelopes.

use std::sync::Arc;

use napi::bindgen_prelude::Buffer;
use napi_derive::napi;
use toolwire::Parsed;
use toolwire::legacy::Legacy;

use crate::facts;
use crate::fault::{Result, told};
use crate::json::Object;
use crate::source::{How, Reading, limits, read};

/// A document in a legacy format, as an envelope.
#[napi]
pub struct LegacyResult {
    told: String,
    parsed: Arc<Parsed<'static>>,
}

#[napi]
impl LegacyResult {
    /// The format and the report, as a JSON object.
    #[napi(catch_unwind)]
    pub fn told(&self) -> &str {
        &self.told
    }

    /// The short answer about the envelope.
    #[napi(catch_unwind)]
    pub fn facts(&self) -> u32 {
        facts(&self.parsed)
    }

    /// The bytes of the envelope.
    #[napi(catch_unwind)]
    pub fn raw(&self) -> Buffer {
        self.parsed.raw().to_vec().into()
    }

    /// How these bytes were read.
    #[napi(catch_unwind)]
    pub fn reading(&self) -> Reading {
        Reading::new(Arc::clone(&self.parsed))
    }
}

impl From<Legacy> for LegacyResult {
    fn from(legacy: Legacy) -> Self {
        LegacyResult {
            told: Object::new()
                .text("format", legacy.format.as_str())
                .raw("report", &legacy.report.to_json())
                .end(),
            parsed: Arc::new(legacy.parsed),
        }
    }
}

/// A document in a legacy format; nothing if it is in none.
#[napi(catch_unwind)]
pub fn read_legacy(data: &[u8], how: Option<String>) -> Result<Option<LegacyResult>> {
    let limits = limits(how.as_deref())?;
    let read = toolwire::legacy::read_legacy(data, &limits).map_err(told)?;
    Ok(read.map(LegacyResult::from))
}

/// The outcome in the result of an MCP tool, if it is unwrapped.
#[napi(catch_unwind)]
pub fn unwrap_outcome(data: &[u8], how: How<'_>) -> Result<Option<LegacyResult>> {
    let parsed = read(data, &how)?;
    Ok(toolwire::legacy::unwrap_outcome(&parsed).map(LegacyResult::from))
}
