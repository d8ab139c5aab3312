//! The registry of diagnostic codes, `schema/diagnostics.json`.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// What the runner needs to know of a code.
#[derive(Clone, Debug, Deserialize)]
pub struct Entry {
    pub code: String,
    pub severity: String,
    pub effect: String,
}

/// All codes, by name.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    entries: BTreeMap<String, Entry>,
}

impl Registry {
    pub fn load(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
        Self::parse(&text)
            .map_err(|error| format!("`{}` is not the registry: {error}", path.display()))
    }

    pub fn parse(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct File {
            codes: Vec<Entry>,
        }
        let file: File = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let entries = file
            .codes
            .into_iter()
            .map(|entry| (entry.code.clone(), entry))
            .collect();
        Ok(Registry { entries })
    }

    pub fn get(&self, code: &str) -> Option<&Entry> {
        self.entries.get(code)
    }

    pub fn codes(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }
}
