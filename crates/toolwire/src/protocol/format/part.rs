//! A part of the result: what one block, or the trace, is written as, whole or cut.

use std::borrow::Cow;

use super::{terminal, xml};

/// One part, and where in the document it comes from.
pub(crate) struct Part<'a> {
    pub(crate) pointer: String,
    body: Body<'a>,
}

enum Body<'a> {
    /// Something that is written whole or not at all.
    Whole(String),
    /// Content in a frame, which can be cut.
    Content {
        text: Cow<'a, str>,
        colored: bool,
        frame: Frame,
    },
}

/// The text around content.
#[derive(Default)]
pub(super) struct Frame {
    pub(super) before: String,
    pub(super) after: String,
    /// Whether content that is not empty ends its last line, as in a code fence.
    pub(super) ends_line: bool,
    /// For XML, whether the content stands in a CDATA section, which does not depend on cuts.
    pub(super) cdata: Option<bool>,
}

impl Frame {
    fn is_empty(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }
}

/// Content that was made fit for target and style.
pub(super) struct Prepared<'a> {
    pub(super) text: Cow<'a, str>,
    /// Whether colours have to be reset behind it.
    pub(super) colored: bool,
}

impl Prepared<'_> {
    /// The whole, with colours reset.
    pub(super) fn finish(&self) -> String {
        let mut out = String::with_capacity(self.text.len() + terminal::RESET.len());
        push_text(&mut out, &self.text, self.colored);
        out
    }
}

/// FMT-44: colours are reset before the line feeds at the end.
fn push_text(out: &mut String, text: &str, colored: bool) {
    if !colored {
        out.push_str(text);
        return;
    }
    let body = text.trim_end_matches('\n');
    out.push_str(body);
    out.push_str(terminal::RESET);
    out.push_str(&text[body.len()..]);
}

impl<'a> Part<'a> {
    pub(super) fn whole(pointer: String, text: String) -> Self {
        Part {
            pointer,
            body: Body::Whole(text),
        }
    }

    pub(super) fn content(pointer: String, content: Prepared<'a>, frame: Frame) -> Self {
        let Prepared { text, colored } = content;
        Part {
            pointer,
            body: Body::Content {
                text,
                colored,
                frame,
            },
        }
    }

    /// Whether there is nothing to write.
    pub(super) fn is_empty(&self) -> bool {
        match &self.body {
            Body::Whole(text) => text.is_empty(),
            Body::Content { text, frame, .. } => text.is_empty() && frame.is_empty(),
        }
    }

    /// Whether there is nothing but white space to write.
    pub(crate) fn is_blank(&self) -> bool {
        match &self.body {
            Body::Whole(text) => text.trim().is_empty(),
            Body::Content { text, frame, .. } => text.trim().is_empty() && frame.is_empty(),
        }
    }

    /// The whole part.
    pub(crate) fn render(&self) -> Cow<'_, str> {
        match &self.body {
            Body::Whole(text) => Cow::Borrowed(text),
            Body::Content {
                text,
                colored: false,
                frame,
            } if frame.is_empty() => Cow::Borrowed(text),
            Body::Content { text, .. } => Cow::Owned(self.cut(text.len())),
        }
    }

    /// A text in no frame.
    pub(crate) fn plain(pointer: &str, text: String) -> Self {
        let text = Cow::Owned(text);
        let content = Prepared {
            text,
            colored: false,
        };
        Part::content(pointer.to_owned(), content, Frame::default())
    }

    /// The whole part as text, which is not copied if nothing stands around it.
    pub(crate) fn into_text(self) -> Cow<'a, str> {
        match self.body {
            Body::Content {
                text,
                colored: false,
                frame,
            } if frame.is_empty() => text,
            body => Cow::Owned(Part { body, ..self }.render().into_owned()),
        }
    }

    /// The longest beginning within so many bytes, how much of the content it has, and how much there is.
    pub(crate) fn within(&self, max: usize) -> Option<(String, usize, usize)> {
        let text = self.cuttable()?;
        // What stands around the content, with a line feed that a cut may need.
        let around = self.render().len() - text.len() + 1;
        let upto = self.boundary(max.checked_sub(around)?);
        (upto > 0).then(|| (self.cut(upto), upto, text.len()))
    }

    /// The content that can be cut, if there is any.
    pub(super) fn cuttable(&self) -> Option<&str> {
        match &self.body {
            Body::Content { text, .. } if !text.is_empty() => Some(text),
            _ => None,
        }
    }

    /// The last position at or before `at` where the content can be cut.
    pub(super) fn boundary(&self, at: usize) -> usize {
        let Some(text) = self.cuttable() else {
            return 0;
        };
        let mut at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        match &self.body {
            Body::Content { colored: true, .. } => terminal::outside_sequence(text, at),
            _ => at,
        }
    }

    /// The part with only the first `upto` bytes of its content.
    pub(super) fn cut(&self, upto: usize) -> String {
        let Body::Content {
            text,
            colored,
            frame,
        } = &self.body
        else {
            return self.render().into_owned();
        };
        let kept = &text[..upto];
        let mut out = String::with_capacity(upto + 64);
        out.push_str(&frame.before);
        match frame.cdata {
            // FMT-45: there are no colours in XML.
            Some(cdata) => xml::push_content(&mut out, kept, cdata),
            None => push_text(&mut out, kept, *colored),
        }
        if frame.ends_line && !kept.is_empty() && !kept.ends_with('\n') {
            out.push('\n');
        }
        out.push_str(&frame.after);
        out
    }
}
