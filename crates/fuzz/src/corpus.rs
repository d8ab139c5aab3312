//! Where mutation starts: every input of the conformance cases, and a few whole documents.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::laws::Feed;
use crate::rng::Rng;

/// Larger inputs are for the cases themselves; here they would only be slow.
const MAX_BYTES: usize = 64 * 1024;

/// Inputs, each with its kind.
pub struct Corpus(Vec<(Feed, Vec<u8>)>);

impl Corpus {
    /// The inputs of every case in this checkout, and those in `corpus/`.
    ///
    /// # Panics
    ///
    /// If a file of cases can't be read.
    pub fn read() -> Self {
        let stored = |feed, text: &str| (feed, text.as_bytes().to_vec());
        let mut all = vec![
            stored(Feed::Document, include_str!("../corpus/every-block.json")),
            stored(Feed::Document, include_str!("../corpus/error.json")),
            stored(Feed::Profile, include_str!("../corpus/profile.json")),
            stored(Feed::Lock, include_str!("../corpus/lock.json")),
        ];
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/cases");
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .expect("the cases")
            .map(|entry| entry.expect("a file").path())
            .filter(|path| path.extension().is_some_and(|end| end == "json"))
            .collect();
        // The order of a folder decides nothing.
        files.sort();
        for file in files {
            let text = std::fs::read(&file).expect("a file of cases");
            let read: Value = serde_json::from_slice(&text).expect("JSON");
            for case in read["cases"].as_array().expect("cases") {
                let feed = match case["op"].as_str().unwrap_or_default() {
                    "normalize_uri" => Feed::Uri,
                    "parse_launch_uri" | "parse_profile_word" => Feed::Launch,
                    "read_profile" => Feed::Profile,
                    "read_lock" | "check_lock" => Feed::Lock,
                    "tidy_schema" | "project_schema" | "parse_arguments" => Feed::Schema,
                    _ => Feed::Document,
                };
                all.extend(bytes(&case["input"]).map(|bytes| (feed, bytes)));
            }
        }
        Corpus(all)
    }

    /// One of the inputs of a kind; an empty one where there is none.
    pub fn choose(&self, feed: Feed, rng: &mut Rng) -> &[u8] {
        let own: Vec<&[u8]> = self.of(feed).collect();
        own.get(rng.usize(..own.len().max(1)))
            .copied()
            .unwrap_or_default()
    }

    /// The inputs of a kind.
    pub fn of(&self, feed: Feed) -> impl Iterator<Item = &[u8]> {
        let own = self.0.iter().filter(move |(kind, _)| *kind == feed);
        own.map(|(_, bytes)| bytes.as_slice())
    }
}

/// The bytes of a case's input, or nothing if they are too many.
fn bytes(input: &Value) -> Option<Vec<u8>> {
    let bytes = if let Some(text) = input["text"].as_str() {
        text.as_bytes().to_vec()
    } else if let Some(encoded) = input["base64"].as_str() {
        STANDARD.decode(encoded).ok()?
    } else if let Some(text) = input["repeat"].as_str() {
        let times = usize::try_from(input["times"].as_u64()?).ok()?;
        if text.len().saturating_mul(times) > MAX_BYTES {
            return None;
        }
        text.repeat(times).into_bytes()
    } else {
        let parts = input["concat"].as_array()?.iter().map(bytes);
        parts.collect::<Option<Vec<_>>>()?.concat()
    };
    (bytes.len() <= MAX_BYTES).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn inputs_of_every_form_become_bytes() {
        assert_eq!(bytes(&json!({"base64": "/w=="})), Some(vec![0xff]));
        let parts = json!({"concat": [{"text": "a"}, {"repeat": "bc", "times": 2}]});
        assert_eq!(bytes(&parts), Some(b"abcbc".to_vec()));
        assert_eq!(bytes(&json!({"repeat": "x", "times": 1_000_000_000})), None);
    }

    #[test]
    fn the_cases_of_this_checkout_are_read() {
        let corpus = Corpus::read();
        for (feed, least) in [(Feed::Document, 100), (Feed::Uri, 50), (Feed::Schema, 50)] {
            assert!(corpus.of(feed).count() > least, "{feed:?}");
        }
    }
}
