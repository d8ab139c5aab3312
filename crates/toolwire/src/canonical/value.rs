//! JSON values by their canonical and their exact form.

use super::{canonicalize, exact_text};
use crate::{Json, Limits};

impl Json {
    /// The value in exact form (CANON-9), as Toolwire writes it: canonical, but for numbers that
    /// would become others, such as integers past 2^53.
    ///
    /// ```
    /// let value = toolwire::Json::new(r#"{"b": 1.0, "a": 9007199254740993}"#)?;
    /// assert_eq!(value.exact().as_str(), r#"{"a":9007199254740993,"b":1}"#);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn exact(&self) -> Json {
        Json::written(exact_text(self.as_str().to_owned()))
    }

    /// Whether both have the same exact form, so that integers past 2^53 are told from each other.
    pub(crate) fn is_exactly(&self, other: &Json) -> bool {
        self.as_str() == other.as_str() || self.exact().as_str() == other.exact().as_str()
    }
}

/// Two values are equal if their canonical forms are.
impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        let canonical = |json: &Json| {
            let text = json.as_str().as_bytes();
            canonicalize(text, &Limits::WIDEST).unwrap_or_else(|_| text.to_vec())
        };
        self.as_str() == other.as_str() || canonical(self) == canonical(other)
    }
}

impl Eq for Json {}
