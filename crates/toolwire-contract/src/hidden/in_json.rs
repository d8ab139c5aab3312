//! What the texts of a JSON value hide.

use toolwire::Json;
use toolwire::json::{Document, Node, ObjectWriter, pointer};

use super::{Hidden, find_hidden};

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
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HiddenAt {
    /// The place of the text, a JSON Pointer.
    pub pointer: String,
    /// Whether it is in the name of the member there and not in its value.
    pub in_name: bool,
    /// What it is; its offset is that in the text, not in the JSON.
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
        let mut out = ObjectWriter::new();
        out.text("pointer", &self.pointer);
        if self.in_name {
            out.flag("inName", true);
        }
        let head = out.end();
        let hidden = self.hidden.to_json();
        format!("{},{}", head.trim_end_matches('}'), &hidden[1..])
    }
}

/// The most findings that are kept of a value (HID-40).
const MOST: usize = 100;
/// The most bytes of the pointer of a finding.
const MOST_POINTER: usize = 1_000;

/// Finds what the strings of a JSON value hide, such as those of a tool, names of members too (HID-32): the first 100
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
        search.walk(document.root(), &Place::default());
    }
    (search.found, search.count)
}

/// Where a text stands, as far as that can be told.
#[derive(Default)]
struct Place {
    pointer: String,
    /// Whether it is only what is around it.
    is_cut: bool,
}

impl Place {
    fn inside(&self, step: &str) -> Place {
        if self.is_cut || self.pointer.len() + step.len() > MOST_POINTER {
            return self.cut();
        }
        let pointer = pointer::join(&self.pointer, step);
        match pointer.len() > MOST_POINTER {
            true => self.cut(),
            false => Place {
                pointer,
                is_cut: false,
            },
        }
    }

    fn cut(&self) -> Place {
        Place {
            pointer: self.pointer.clone(),
            is_cut: true,
        }
    }
}

#[derive(Default)]
struct Search {
    found: Vec<HiddenAt>,
    count: usize,
}

impl Search {
    fn walk(&mut self, node: Node<'_>, place: &Place) {
        if let Some(text) = node.as_str() {
            self.look(&text, place, false);
        }
        for (at, element) in node.elements().enumerate() {
            self.walk(element, &place.inside(&at.to_string()));
        }
        for (name, value) in node.members() {
            let place = place.inside(&name);
            self.look(&name, &place, !place.is_cut);
            self.walk(value, &place);
        }
    }

    fn look(&mut self, text: &str, place: &Place, in_name: bool) {
        let found = find_hidden(text);
        self.count += found.len();
        let room = MOST - self.found.len();
        self.found
            .extend(found.into_iter().take(room).map(|hidden| HiddenAt {
                pointer: place.pointer.clone(),
                in_name,
                hidden,
            }));
    }
}
