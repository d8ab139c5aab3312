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
    #[serde(default)]
    pub rule: String,
}

/// All codes, in the registry's order.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    entries: Vec<Entry>,
    by_code: BTreeMap<String, usize>,
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
        let entries = file.codes;
        let by_code = entries
            .iter()
            .enumerate()
            .map(|(index, entry)| (entry.code.clone(), index))
            .collect();
        Ok(Registry { entries, by_code })
    }

    pub fn get(&self, code: &str) -> Option<&Entry> {
        self.by_code.get(code).map(|index| &self.entries[*index])
    }

    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }
}
