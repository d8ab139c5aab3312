//! Puts the parts together: blank lines between them, the fence around untrusted content, and the
//! byte budget (FMT-2, FMT-24 to FMT-30).

use super::marker::Marker;
use super::part::Part;
use super::{FormatOptions, Style};

/// What stands around the parts.
pub(super) struct Layout<'a> {
    style: Style,
    /// What stands first, outside of the wrapper; empty if there is nothing to say.
    head: String,
    nonce: Option<&'a str>,
}

impl<'a> Layout<'a> {
    pub(super) fn new(head: String, options: &'a FormatOptions) -> Self {
        Layout {
            style: options.style,
            head,
            nonce: options.nonce.as_deref(),
        }
    }

    /// The result within `max_bytes`, which is at least [`MIN_BUDGET`](super::MIN_BUDGET).
    pub(super) fn assemble(&self, parts: &[Part<'_>], max_bytes: Option<usize>) -> String {
        let mut body = String::new();
        let Some(budget) = max_bytes else {
            parts
                .iter()
                .for_each(|part| push_part(&mut body, &part.render()));
            return self.finish(body, None);
        };
        // FMT-25: where each part ends in the body, as far as the budget may reach.
        let mut ends = vec![0];
        for part in parts {
            if body.len() > budget {
                break;
            }
            push_part(&mut body, &part.render());
            ends.push(body.len());
        }
        if ends.len() == parts.len() + 1 && self.length(&body, None) <= budget {
            return self.finish(body, None);
        }
        let fits = |body: &str, notice: &str| self.length(body, Some(notice)) <= budget;
        // FMT-26: as many whole parts as fit, with the notice that then stands at the end.
        let mut whole = ends.len() - 1;
        while whole > 0
            && !fits(
                &body[..ends[whole]],
                &self.notice(None, parts.len() - whole),
            )
        {
            whole -= 1;
        }
        body.truncate(ends[whole]);
        let after = parts.len() - whole;
        if let Some((cut, notice)) = self.cut(&body, &parts[whole..], budget) {
            push_part(&mut body, &cut);
            return self.finish(body, Some(&notice));
        }
        self.finish(body, Some(&self.notice(None, after)))
    }

    /// The longest beginning of the first of `parts` that fits behind `body`, and its notice.
    fn cut(&self, body: &str, parts: &[Part<'_>], budget: usize) -> Option<(String, String)> {
        let part = parts.first()?;
        let text = part.cuttable()?;
        let attempt = |upto: usize| {
            let notice = self.notice(Some((part, text.len() - upto, text.len())), parts.len() - 1);
            let mut whole = body.to_owned();
            push_part(&mut whole, &part.cut(upto));
            (self.length(&whole, Some(&notice)) <= budget).then_some(notice)
        };
        // Longer beginnings never make a shorter result, so the search can halve.
        let (mut low, mut high) = (0, text.len().min(budget) + 1);
        while high - low > 1 {
            let middle = low.midpoint(high);
            if attempt(part.boundary(middle)).is_some() {
                low = middle;
            } else {
                high = middle;
            }
        }
        let upto = part.boundary(low);
        let notice = if upto == 0 || upto == text.len() {
            None
        } else {
            attempt(upto)
        }?;
        Some((part.cut(upto), notice))
    }

    /// FMT-28: what was cut: the block, how many bytes of how many, and how many parts are missing.
    fn notice(&self, cut: Option<(&Part<'_>, usize, usize)>, omitted: usize) -> String {
        let mut marker = Marker::new("truncated");
        if let Some((part, bytes, of)) = cut {
            marker = marker
                .with("block", part.pointer.as_str())
                .with("bytes", bytes.to_string())
                .with("of", of.to_string());
        }
        if omitted > 0 {
            marker = marker.with("omitted", omitted.to_string());
        }
        marker.line(self.style)
    }

    /// FMT-29: the text before and after the body if there is a nonce.
    fn wrapper(&self) -> (String, String) {
        match (self.nonce, self.style) {
            (None, _) => (String::new(), String::new()),
            (Some(nonce), Style::Fence) => (
                format!("[untrusted nonce={nonce}]\n"),
                format!("[end nonce={nonce}]"),
            ),
            (Some(nonce), Style::Xml) => (
                format!("<untrusted-{nonce}>\n"),
                format!("</untrusted-{nonce}>"),
            ),
        }
    }

    fn finish(&self, body: String, notice: Option<&str>) -> String {
        let (start, end) = self.wrapper();
        let mut wrapped = start;
        wrapped.push_str(&body);
        if self.nonce.is_some() && !wrapped.ends_with('\n') {
            wrapped.push('\n');
        }
        wrapped.push_str(&end);
        let mut out = self.head.clone();
        push_part(&mut out, &wrapped);
        push_part(&mut out, notice.unwrap_or_default());
        out
    }

    /// The length of what [`finish`](Self::finish) makes, without making it.
    fn length(&self, body: &str, notice: Option<&str>) -> usize {
        let (start, end) = self.wrapper();
        let mut wrapped = start.len() + body.len() + end.len();
        if self.nonce.is_some() && !body.is_empty() && !body.ends_with('\n') {
            wrapped += 1;
        }
        let mut length = self.head.len();
        if wrapped > 0 {
            length += missing_line_feeds(&self.head) + wrapped;
        }
        if let Some(notice) = notice {
            let last = match (self.nonce, wrapped) {
                (Some(_), _) => &end,
                (None, 0) => self.head.as_str(),
                (None, _) => body,
            };
            length += missing_line_feeds(last) + notice.len();
        }
        length
    }
}

/// FMT-2: one blank line between parts; a part without a character is none.
pub(crate) fn push_part(out: &mut String, part: &str) {
    if part.is_empty() {
        return;
    }
    for _ in 0..missing_line_feeds(out) {
        out.push('\n');
    }
    out.push_str(part);
}

/// How many line feeds `text` needs to end with a blank line; none if nothing stands before it.
fn missing_line_feeds(text: &str) -> usize {
    match text {
        "" => 0,
        _ if text.ends_with("\n\n") => 0,
        _ if text.ends_with('\n') => 1,
        _ => 2,
    }
}
