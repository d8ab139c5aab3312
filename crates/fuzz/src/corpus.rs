//! Where mutation starts: every input of the conformance cases, and a few whole envelopes.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Larger inputs are for the cases themselves; here they would only be slow.
const MAX_BYTES: usize = 64 * 1024;

/// Starting points by what they are.
#[derive(Default)]
pub struct Corpus {
    /// Documents: whole outputs of tools, broken ones as well.
    pub documents: Vec<Vec<u8>>,
    /// URIs, as people and tools write them.
    pub uris: Vec<Vec<u8>>,
    /// Launch URIs and profile words.
    pub launches: Vec<Vec<u8>>,
    /// Profiles of servers.
    pub profiles: Vec<Vec<u8>>,
    /// Lock files.
    pub locks: Vec<Vec<u8>>,
    /// JSON Schemas.
    pub schemas: Vec<Vec<u8>>,
}

#[derive(Deserialize)]
struct CaseFile {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    op: String,
    #[serde(default)]
    input: Option<Input>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Input {
    Concat { concat: Vec<Input> },
    Repeat { repeat: String, times: usize },
    Text { text: String },
    Base64 { base64: String },
}

impl Input {
    /// The bytes, or nothing if they are too many or not base64.
    fn bytes(&self) -> Option<Vec<u8>> {
        let bytes = match self {
            Input::Text { text } => text.clone().into_bytes(),
            Input::Base64 { base64 } => STANDARD.decode(base64).ok()?,
            Input::Repeat { repeat, times } if repeat.len().saturating_mul(*times) <= MAX_BYTES => {
                repeat.repeat(*times).into_bytes()
            }
            Input::Repeat { .. } => return None,
            Input::Concat { concat } => {
                let parts: Option<Vec<Vec<u8>>> = concat.iter().map(Input::bytes).collect();
                parts?.concat()
            }
        };
        (bytes.len() <= MAX_BYTES).then_some(bytes)
    }
}

/// The folder of the conformance cases in this checkout.
pub fn cases_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/cases")
}

impl Corpus {
    /// What needs no file.
    pub fn builtin() -> Self {
        let documents = [
            include_str!("../corpus/every-block.json"),
            include_str!("../corpus/error.json"),
            "plain text\nof two lines",
            r#"{"content":[]}"#,
            r#"{"content":[1,2],"total":2}"#,
            "",
        ];
        let uris = [
            "file:///home/a/../b%7E.rs#L10-20",
            "C:\\Users\\me\\x.txt",
            "https://Example.com:443/%7Ea/./b?q",
        ];
        Corpus {
            documents: documents.iter().map(|d| d.as_bytes().to_vec()).collect(),
            uris: uris.iter().map(|u| u.as_bytes().to_vec()).collect(),
            launches: vec![b"mcp+uvx://biomcp-python/biomcp?command=run&tool=search".to_vec()],
            profiles: vec![include_bytes!("../corpus/profile.json").to_vec()],
            locks: vec![include_bytes!("../corpus/lock.json").to_vec()],
            schemas: vec![br#"{"type":"object","properties":{"a":{"type":"string"}}}"#.to_vec()],
        }
    }

    /// The built-in inputs and those of every case file in `folder`.
    ///
    /// # Errors
    ///
    /// A folder or file that cannot be read, or a case file that is not one, named in the text.
    pub fn with_cases(folder: &Path) -> Result<Self, String> {
        let mut corpus = Self::builtin();
        let entries = std::fs::read_dir(folder)
            .map_err(|e| format!("cannot read {}: {e}", folder.display()))?;
        let mut files: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
        // The order of a directory is no part of a seed.
        files.sort();
        for file in files
            .iter()
            .filter(|f| f.extension().is_some_and(|e| e == "json"))
        {
            let text =
                std::fs::read(file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
            let cases: CaseFile = serde_json::from_slice(&text)
                .map_err(|e| format!("{} is not a file of cases: {e}", file.display()))?;
            for case in cases.cases {
                let Some(bytes) = case.input.as_ref().and_then(Input::bytes) else {
                    continue;
                };
                match case.op.as_str() {
                    "normalize_uri" => corpus.uris.push(bytes),
                    "parse_launch_uri" | "parse_profile_word" => corpus.launches.push(bytes),
                    "read_profile" => corpus.profiles.push(bytes),
                    "read_lock" | "check_lock" => corpus.locks.push(bytes),
                    "tidy_schema" | "project_schema" | "parse_arguments" => {
                        corpus.schemas.push(bytes);
                    }
                    _ => corpus.documents.push(bytes),
                }
            }
        }
        Ok(corpus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_of_every_form_become_bytes() {
        let read = |text: &str| {
            serde_json::from_str::<Input>(text)
                .ok()
                .and_then(|i| i.bytes())
        };
        assert_eq!(read(r#"{"text":"a"}"#), Some(b"a".to_vec()));
        assert_eq!(read(r#"{"base64":"/w=="}"#), Some(vec![0xff]));
        assert_eq!(
            read(r#"{"concat":[{"text":"a"},{"repeat":"bc","times":2}]}"#),
            Some(b"abcbc".to_vec())
        );
        assert_eq!(read(r#"{"repeat":"x","times":1000000000}"#), None);
    }

    #[test]
    fn the_cases_of_this_checkout_are_read() {
        let corpus = Corpus::with_cases(&cases_folder()).expect("the cases");
        assert!(
            corpus.documents.len() > 100,
            "{} documents",
            corpus.documents.len()
        );
        assert!(corpus.uris.len() > 50, "{} URIs", corpus.uris.len());
        assert!(
            corpus.schemas.len() > 50,
            "{} schemas",
            corpus.schemas.len()
        );
    }
}
