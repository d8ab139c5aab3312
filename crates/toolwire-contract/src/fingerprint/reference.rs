//! What a reference within a schema leads to (FP-22).

use std::borrow::Cow;
use std::collections::HashMap;

use foldhash::fast::RandomState;
use toolwire::json::pointer::unescape;
use toolwire::json::{Kind, Node};

/// The members or elements of a container, by their step in a pointer.
type Steps<'a> = HashMap<Cow<'a, str>, Node<'a>, RandomState>;

/// A schema as a whole, in which pointers are followed. A container of many is indexed once, so that many
/// pointers into it take no time that grows with its square.
pub(super) struct Pointers<'a> {
    root: Node<'a>,
    indexed: HashMap<usize, Steps<'a>, RandomState>,
}

impl<'a> Pointers<'a> {
    pub(super) fn new(root: Node<'a>) -> Self {
        Pointers {
            root,
            indexed: HashMap::default(),
        }
    }

    /// The value to which a JSON Pointer leads.
    pub(super) fn find(&mut self, pointer: &str) -> Option<Node<'a>> {
        let mut at = self.root;
        for step in pointer.strip_prefix('/')?.split('/') {
            at = self.step(at, &unescape(step))?;
        }
        Some(at)
    }

    fn step(&mut self, at: Node<'a>, step: &str) -> Option<Node<'a>> {
        const FEW: usize = 8;
        if at.kind() == Kind::Object && at.len() <= FEW {
            return at.get(step);
        }
        let steps = self
            .indexed
            .entry(at.start())
            .or_insert_with(|| match at.kind() {
                Kind::Array => at
                    .elements()
                    .enumerate()
                    .map(|(index, element)| (Cow::Owned(index.to_string()), element))
                    .collect(),
                _ => at.members().collect(),
            });
        steps.get(step).copied()
    }
}

/// The fragment of a reference to the schema itself, without percent-encoding; nothing for a reference to
/// somewhere else, or one whose bytes are not UTF-8.
pub(super) fn fragment(reference: &str) -> Option<Cow<'_, str>> {
    let fragment = reference.strip_prefix('#')?;
    if !fragment.contains('%') {
        return Some(Cow::Borrowed(fragment));
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let [first, behind @ ..] = rest {
        let digit = |at: usize| {
            behind
                .get(at)
                .and_then(|byte| char::from(*byte).to_digit(16))
        };
        match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = &behind[2..];
            }
            // A sign that encodes nothing stands for itself.
            _ => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolwire::json::Document;

    #[test]
    fn pointers_lead_through_small_and_large_containers() {
        let many: Vec<String> = (0..20).map(|n| format!("\"m{n}\":[{n},\"{n}\"]")).collect();
        let text = format!(r##"{{"a/b":{{"~":1}},"large":{{{}}}}}"##, many.join(","));
        let document = Document::new(&text).unwrap();
        let mut pointers = Pointers::new(document.root());
        let mut find = |pointer: &str| pointers.find(pointer).map(|node| node.raw().to_owned());
        assert_eq!(find("/a~1b/~0").as_deref(), Some("1"));
        assert_eq!(find("/large/m17/1").as_deref(), Some("\"17\""));
        assert_eq!(find("/large/m17/01"), None);
        assert_eq!(find("/large/m20"), None);
        assert_eq!(find("/large/m1/0/x"), None);
        assert_eq!(find("large"), None);
    }

    #[test]
    fn fragments_lose_their_percent_encoding() {
        assert_eq!(fragment("#/a%20b%7E1").as_deref(), Some("/a b~1"));
        assert_eq!(fragment("#/%").as_deref(), Some("/%"));
        assert_eq!(fragment("#/%ff"), None);
        assert_eq!(fragment("#").as_deref(), Some(""));
        assert_eq!(fragment("other#/a"), None);
    }
}
