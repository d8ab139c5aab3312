//! The closed sets of words of this crate.

use std::fmt;

/// A word that is none of a closed set.
///
/// ```
/// let error = "soon".parse::<toolwire_host::StopReason>().unwrap_err();
/// assert_eq!(error.to_string(), "must be `timeout`, `cancelled`, `stdout_limit` or `result_limit`, not `soon`");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownWord(String);

impl UnknownWord {
    pub(crate) fn new(message: String) -> Self {
        UnknownWord(message)
    }
}

impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UnknownWord {}

/// The one that has this word.
pub(crate) fn find<T: Copy>(
    all: &[T],
    as_str: fn(T) -> &'static str,
    word: &str,
) -> Result<T, UnknownWord> {
    let found = all.iter().copied().find(|one| as_str(*one) == word);
    found.ok_or_else(|| {
        let words: Vec<String> = all
            .iter()
            .map(|one| format!("`{}`", as_str(*one)))
            .collect();
        let (last, others) = words.split_last().expect("a set has words");
        UnknownWord(format!(
            "must be {} or {last}, not `{word}`",
            others.join(", ")
        ))
    })
}
