//! Blocks as plain data.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::typed::{self, Typed};
pub use super::types::{
    Annotations, AudioBlock, ImageBlock, Question, QuestionBlock, Resource, ResourceBlock,
    ResourceLinkBlock, TextBlock,
};
use crate::base::json::{Node, serialize_text};
use crate::protocol::read::kind_of;
use crate::{BlockKind, Error, Json};

/// One block of an envelope. `type` tells which it is.
///
/// A block that a reader skips, because its type is not known or because it is malformed, is
/// [`Block::Other`], verbatim. So is nothing lost when an envelope is read and written again.
///
/// # Examples
///
/// ```
/// use toolwire::Block;
///
/// let block = Block::from_json(r#"{"type":"text","text":"ok","x":1.0}"#)?;
/// let Block::Text(text) = &block else { panic!() };
/// assert_eq!(text.text, "ok");
/// assert_eq!(text.extra["x"].as_str(), "1.0");
/// assert_eq!(block.to_json(), r#"{"text":"ok","type":"text","x":1}"#);
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Block {
    /// Text that the tool has formatted itself.
    Text(TextBlock),
    /// A resource with its content.
    Resource(ResourceBlock),
    /// A question.
    Question(QuestionBlock),
    /// A picture.
    Image(ImageBlock),
    /// A sound.
    Audio(AudioBlock),
    /// A resource without its content.
    ResourceLink(ResourceLinkBlock),
    /// A block that is skipped: of unknown type, or malformed.
    Other(Json),
}

impl Block {
    /// Reads a block. Any JSON value is one, if only [`Block::Other`].
    ///
    /// # Errors
    ///
    /// The code and offset of the place where the text is not strict JSON.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::Block;
    ///
    /// assert!(matches!(Block::from_json(r#"{"type":"video"}"#)?, Block::Other(_)));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn from_json(text: &str) -> Result<Self, Error> {
        crate::base::json::Document::new(text).map(|document| Block::from(document.root()))
    }

    /// The JSON text, in exact form.
    ///
    /// ```
    /// let block = toolwire::Block::from_json(r#"{ "type": "text", "text": "ok" }"#)?;
    /// assert_eq!(block.to_json(), r#"{"text":"ok","type":"text"}"#);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        typed::exact(self)
    }

    /// Which block it is; absent for one that is skipped.
    ///
    /// ```
    /// use toolwire::{Block, BlockKind};
    ///
    /// let block = Block::from_json(r#"{"type":"text","text":"ok"}"#)?;
    /// assert_eq!(block.kind(), Some(BlockKind::Text));
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn kind(&self) -> Option<BlockKind> {
        Some(match self {
            Block::Text(_) => BlockKind::Text,
            Block::Resource(_) => BlockKind::Resource,
            Block::Question(_) => BlockKind::Question,
            Block::Image(_) => BlockKind::Image,
            Block::Audio(_) => BlockKind::Audio,
            Block::ResourceLink(_) => BlockKind::ResourceLink,
            Block::Other(_) => return None,
        })
    }
}

impl From<Node<'_>> for Block {
    /// A block of a document. The reader's own judgement decides which block is skipped.
    fn from(node: Node<'_>) -> Self {
        let known = kind_of(node).and_then(|kind| match kind {
            BlockKind::Text => TextBlock::read(node).map(Block::Text),
            BlockKind::Resource => ResourceBlock::read(node).map(Block::Resource),
            BlockKind::Question => QuestionBlock::read(node).map(Block::Question),
            BlockKind::Image => ImageBlock::read(node).map(Block::Image),
            BlockKind::Audio => AudioBlock::read(node).map(Block::Audio),
            BlockKind::ResourceLink => ResourceLinkBlock::read(node).map(Block::ResourceLink),
        });
        known.unwrap_or_else(|| Block::Other(Json::from(node)))
    }
}

impl Typed for Block {
    fn read(node: Node<'_>) -> Option<Self> {
        Some(Block::from(node))
    }

    fn write(&self, out: &mut String) {
        match self {
            Block::Text(block) => block.write(out),
            Block::Resource(block) => block.write(out),
            Block::Question(block) => block.write(out),
            Block::Image(block) => block.write(out),
            Block::Audio(block) => block.write(out),
            Block::ResourceLink(block) => block.write(out),
            Block::Other(json) => json.write(out),
        }
    }
}

impl fmt::Display for Block {
    /// The JSON text, in exact form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_json())
    }
}

impl From<&Block> for Json {
    fn from(value: &Block) -> Self {
        Json::written(value.to_json())
    }
}

impl Serialize for Block {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_text(self.to_json(), serializer)
    }
}

impl<'de> Deserialize<'de> for Block {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        Block::from_json(json.as_str()).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_optional_members_are_kept_beside_the_others() {
        let text = r#"{"_meta":5,"annotations":{"audience":["user","cat"],"priority":2,"q":1},"text":"","type":"text"}"#;
        let block = Block::from_json(text).unwrap();
        let Block::Text(inner) = &block else {
            panic!("{block:?}")
        };
        assert_eq!(inner.meta, None);
        assert_eq!(inner.extra["_meta"].as_str(), "5");
        let annotations = inner.annotations.as_ref().unwrap();
        assert_eq!((&annotations.audience, annotations.priority), (&None, None));
        assert_eq!(annotations.extra.len(), 3);
        assert_eq!(block.to_json(), text);
    }

    #[test]
    fn null_is_a_value_for_default_only() {
        let text =
            r#"{"question":{"default":null,"id":"q","schema":{},"text":"?"},"type":"question"}"#;
        let block = Block::from_json(text).unwrap();
        let Block::Question(inner) = &block else {
            panic!("{block:?}")
        };
        assert_eq!(
            inner.question.default.as_ref().map(Json::as_str),
            Some("null")
        );
        assert_eq!(block.to_json(), text);

        let absent = text.replace("\"default\":null,", "");
        let Ok(Block::Question(inner)) = Block::from_json(&absent) else {
            panic!()
        };
        assert_eq!(inner.question.default, None);
    }

    #[test]
    fn what_the_reader_skips_is_other() {
        for text in [
            "5",
            r#"{"type":"text"}"#,
            r#"{"type":"image","data":"!","mimeType":"a/b"}"#,
            r#"{"type":"resource","resource":{"uri":"a:b","text":"","blob":""}}"#,
            r#"{"type":"video","x":[1.0]}"#,
        ] {
            let block = Block::from_json(text).unwrap();
            assert!(
                matches!(&block, Block::Other(json) if json.as_str() == text),
                "{block:?}"
            );
        }
    }
}
