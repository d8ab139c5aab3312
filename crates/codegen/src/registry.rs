//! The registry of diagnostic codes, `schema/diagnostics.json`.

use serde::Deserialize;
use std::path::Path;

/// Where the registry lies in the checkout.
pub const PATH: &str = "schema/diagnostics.json";

/// The whole registry, in its own order.
#[derive(Deserialize)]
pub struct Registry {
    /// One entry per code.
    pub codes: Vec<Entry>,
}

/// What the registry says about one code.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The code itself, in snake_case.
    pub code: String,
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// `raw`, `skip`, `ignore`, `none` or `refuse`.
    pub effect: String,
    /// Whether the JSON Schema rejects such a document too.
    pub schema: bool,
    /// The rule of the spec that it reports.
    pub rule: String,
    /// What is wrong, in one clause.
    pub summary: String,
    /// What to do about it.
    pub help: String,
}

impl Entry {
    /// The code in UpperCamelCase, as Rust names it.
    pub fn variant(&self) -> String {
        camel(&self.code)
    }
}

/// Reads the registry and checks what serde cannot.
pub fn load(root: &Path) -> Result<Registry, String> {
    let text = crate::read(root, PATH)?;
    let registry: Registry =
        serde_json::from_str(&text).map_err(|error| format!("`{PATH}`: {error}"))?;
    for (index, entry) in registry.codes.iter().enumerate() {
        if registry.codes[..index]
            .iter()
            .any(|other| other.code == entry.code)
        {
            return Err(format!("`{PATH}`: `{}` is there twice", entry.code));
        }
    }
    Ok(registry)
}

/// `snake_case` in UpperCamelCase.
pub fn camel(name: &str) -> String {
    name.split('_')
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map_or_else(String::new, |first| {
                first.to_ascii_uppercase().to_string() + letters.as_str()
            })
        })
        .collect()
}
