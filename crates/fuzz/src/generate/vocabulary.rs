//! Words, names and numbers that texts are made of, from `corpus/vocabulary.json`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

static VOCABULARY: LazyLock<BTreeMap<String, Vec<&str>>> = LazyLock::new(|| {
    let read: BTreeMap<String, Vec<String>> =
        serde_json::from_str(include_str!("../../corpus/vocabulary.json")).expect("lists of texts");
    let kept = |list: Vec<String>| list.into_iter().map(|text| &*text.leak()).collect();
    read.into_iter()
        .map(|(name, list)| (name, kept(list)))
        .collect()
});

/// A list of the vocabulary.
pub(super) fn words(list: &str) -> &'static [&'static str] {
    &VOCABULARY[list]
}
