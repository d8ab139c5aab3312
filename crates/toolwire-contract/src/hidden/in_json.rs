//! What the texts of a JSON value hide.

use serde::Serialize;
use toolwire::Json;
use toolwire::json::{Document, Node, pointer};

use super::{Hidden, find_hidden};
use crate::json;

/// Something hidden in a text of a JSON value.
///
/// ```
/// use toolwire::Json;
/// use toolwire_contract::hidden::find_hidden_in;
///
/// let found = find_hidden_in(&Json::new(r#"{"title": "\u0430pple"}"#)?);
/// assert_eq!((found[0].pointer.as_str(), found[0].hidden.offset), ("/title", 0));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct HiddenAt {
    /// The place of the text, a JSON Pointer.
    pub pointer: String,
    /// Whether it is in the name of the member there and not in its value.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub in_name: bool,
    /// What it is; its offset is that in the text, not in the JSON.
    #[serde(flatten)]
    pub hidden: Hidden,
}

impl HiddenAt {
    /// The finding as a JSON object: that of [`Hidden`], with `pointer` and, if it is true, `inName`.
    ///
    /// ```
    /// use toolwire::Json;
    /// use toolwire_contract::hidden::find_hidden_in;
    ///
    /// let found = find_hidden_in(&Json::new(r#"["a\u200b"]"#)?);
    /// assert!(found[0].to_json().starts_with(r#"{"pointer":"/0","kind":"invisible","#));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        json(self).to_string()
    }
}

/// Maximum number of findings that are kept of a value (HID-40).
const MAX_FINDINGS: usize = 100;
/// Maximum bytes of the pointer of a finding.
const MAX_POINTER: usize = 1_000;

/// Finds what the strings of a JSON value hide, such as those of a tool, names of members too: the first 100
/// findings (HID-40). Where a pointer would be longer than 1,000 bytes, it is that of the nearest value around the
/// text that has a shorter one.
///
/// ```
/// use toolwire::Json;
/// use toolwire_contract::hidden::find_hidden_in;
///
/// let tool = Json::new(r#"{"name": "add", "inputSchema": {"properties": {"n\u200b": {"type": "number"}}}}"#)?;
/// let found = find_hidden_in(&tool);
/// assert_eq!((found[0].pointer.as_str(), found[0].in_name), ("/inputSchema/properties/n\u{200b}", true));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[must_use]
pub fn find_hidden_in(value: &Json) -> Vec<HiddenAt> {
    count_hidden_in(value).0
}

/// The findings of [`find_hidden_in`], and how many there are with those that are left out.
pub(crate) fn count_hidden_in(value: &Json) -> (Vec<HiddenAt>, usize) {
    let mut search = Search::default();
    if let Ok(document) = Document::new(value.as_str()) {
        search.walk(document.root(), false);
    }
    (search.found, search.count)
}

#[derive(Default)]
struct Search {
    pointer: String,
    found: Vec<HiddenAt>,
    count: usize,
}

impl Search {
    /// Looks through a value. If `is_cut`, the pointer leads to one around it only.
    fn walk(&mut self, node: Node<'_>, is_cut: bool) {
        if let Some(text) = node.as_str() {
            self.look(&text, false);
        }
        for (at, element) in node.elements().enumerate() {
            self.enter(&at.to_string(), is_cut, |search, is_cut| {
                search.walk(element, is_cut);
            });
        }
        for (name, value) in node.members() {
            self.enter(&name, is_cut, |search, is_cut| {
                search.look(&name, !is_cut);
                search.walk(value, is_cut);
            });
        }
    }

    /// Calls `look` with the pointer one step longer, if it may be.
    fn enter(&mut self, step: &str, is_cut: bool, look: impl FnOnce(&mut Self, bool)) {
        let length = self.pointer.len();
        let is_cut = is_cut || {
            pointer::push(&mut self.pointer, step);
            self.pointer.len() > MAX_POINTER
        };
        if is_cut {
            self.pointer.truncate(length);
        }
        look(self, is_cut);
        self.pointer.truncate(length);
    }

    fn look(&mut self, text: &str, in_name: bool) {
        let found = find_hidden(text);
        self.count += found.len();
        let room = MAX_FINDINGS - self.found.len();
        let found = found.into_iter().take(room).map(|hidden| HiddenAt {
            pointer: self.pointer.clone(),
            in_name,
            hidden,
        });
        self.found.extend(found);
    }
}
