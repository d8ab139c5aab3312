//! The text of a manifest, and where in it something stands.

use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};
use toolwire::Locator;

use super::{Result, advice};
use crate::{HostError, HostErrorKind};

/// A manifest as TOML. Not yet known is whether it says something.
pub struct Source {
    path: PathBuf,
    pub text: String,
}

impl Source {
    pub fn read(path: &Path, bytes: Vec<u8>) -> Result<Source> {
        let path = path.to_owned();
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Source { path, text }),
            Err(error) => {
                let offset = error.utf8_error().valid_up_to();
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                Err(Source { path, text }.refuse(Some(offset), &[], "it is not UTF-8"))
            }
        }
    }

    /// A mistake that the reader of TOML, or serde, found.
    pub fn refuse_toml(&self, error: &toml::de::Error) -> HostError {
        let offset = error.span().map(|span| span.start);
        let keys = match (offset, DeTable::parse(&self.text)) {
            (Some(offset), Ok(table)) => keys_at(table.get_ref(), offset).unwrap_or_default(),
            _ => Vec::new(),
        };
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        // The reader has advice on lines of their own.
        let message = error.message().replace('\n', "; ");
        let written = error.span().and_then(|span| self.text.get(span));
        let message = advice::about(&keys, written.unwrap_or_default(), &message);
        self.refuse(offset, &keys, &message)
    }

    /// The folder of the manifest.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// A mistake at a key, which is looked up in the text; at the nearest one above, if it has no
    /// place of its own.
    pub fn refuse_at(&self, keys: &[&str], message: &str) -> HostError {
        let table = DeTable::parse(&self.text).ok();
        let offset = table
            .as_ref()
            .and_then(|table| place(table.get_ref(), keys))
            .map(|span| span.start);
        self.refuse(offset, keys, message)
    }

    /// `toolwire.toml:3:7: tools.rename.timeout: …`
    fn refuse(&self, offset: Option<usize>, keys: &[&str], message: &str) -> HostError {
        let mut text = self.path.display().to_string();
        if let Some(offset) = offset {
            let place = Locator::new(self.text.as_bytes()).locate(offset as u64);
            text.push_str(&format!(":{}:{}", place.line, place.column));
        }
        if !keys.is_empty() {
            text.push_str(&format!(": `{}`", keys.join(".")));
        }
        HostError::new(HostErrorKind::BadManifest, format!("{text}: {message}"))
    }
}

/// Where the value of a key stands.
fn place(table: &DeTable<'_>, keys: &[&str]) -> Option<Range<usize>> {
    let (first, rest) = keys.split_first()?;
    let (key, value) = table
        .iter()
        .find(|(key, _)| key.get_ref().as_ref() == *first)?;
    if rest.is_empty() {
        return Some(key.span());
    }
    match value.get_ref() {
        DeValue::Table(table) => place(table, rest).or_else(|| Some(key.span())),
        _ => Some(value.span()),
    }
}

/// The keys that lead to what stands at an offset.
fn keys_at(table: &DeTable<'_>, offset: usize) -> Option<Vec<String>> {
    table.iter().find_map(|(key, value)| {
        let name = key.get_ref().to_string();
        if key.span().contains(&offset) {
            return Some(vec![name]);
        }
        if let DeValue::Table(table) = value.get_ref()
            && let Some(mut keys) = keys_at(table, offset)
        {
            keys.insert(0, name);
            return Some(keys);
        }
        value.span().contains(&offset).then(|| vec![name])
    })
}
