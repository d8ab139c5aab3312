//! JSON values by their canonical and their exact form.

use super::{Order, canonicalize, exact_value, rewritten};
use crate::{Json, Limits};

impl Json {
    /// The value in exact form (CANON-9), as Toolwire writes it: its members keep their order and its numbers their
    /// decimal value, and all else is canonical.
    ///
    /// ```
    /// let value = toolwire::Json::new(r#"{"b": 1.0, "a": 9007199254740993}"#)?;
    /// assert_eq!(value.exact().as_str(), r#"{"b":1,"a":9007199254740993}"#);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn exact(&self) -> Json {
        Json::written(exact_value(self.as_str().to_owned()))
    }

    /// The exact form with all members sorted by name, the same for values that differ in nothing but order.
    ///
    /// ```
    /// let value = toolwire::Json::new(r#"{"b": 1.0, "a": 9007199254740993}"#)?;
    /// assert_eq!(value.sorted().as_str(), r#"{"a":9007199254740993,"b":1}"#);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn sorted(&self) -> Json {
        Json::written(rewritten(self.as_str().to_owned(), Order::Sorted))
    }

    /// Whether both have the same exact form but for order, so that integers past 2^53 differ.
    pub(crate) fn is_exactly(&self, other: &Json) -> bool {
        self.as_str() == other.as_str() || self.sorted().as_str() == other.sorted().as_str()
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
