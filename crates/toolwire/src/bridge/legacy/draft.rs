//! The envelope that a legacy document becomes.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{Legacy, LegacyFormat};
use crate::base::canonical::exact_text;
use crate::base::json::{Kind, Node, ObjectWriter, Place, array, string};
use crate::bridge::mcp::{Fate, LossReport};
use crate::{Error, Json, Limits, Status, parse};

/// Where the members are kept that an envelope has no place for (LEG-3).
pub(super) const KEY: &str = "dev.toolwire/legacy";

/// The members of an error.
pub(super) const ERROR_MEMBERS: [&str; 3] = ["message", "trace", "transient"];

/// An envelope in the making, and what became of the members that were read so far.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) blocks: Vec<String>,
    pub is_error: bool,
    status: Option<Status>,
    /// The JSON text of `computer.jp/error`.
    error: Option<String>,
    /// What an envelope has no member for.
    rest: BTreeMap<String, Json>,
    /// The members of an MCP result around it.
    around: BTreeMap<String, Json>,
    meta: BTreeMap<String, Json>,
    report: LossReport,
}

impl Draft {
    pub(super) fn block(&mut self, block: &mut ObjectWriter) {
        self.blocks.push(block.end());
    }

    /// Reports what becomes of a member.
    pub(super) fn note(&mut self, place: &Place<'_>, fate: Fate, reason: &str) {
        self.report.add(place.pointer(), fate, reason);
    }

    /// Reports that a value has its counterpart in the envelope, apart from what else is reported of its members.
    pub(super) fn kept(&mut self, place: &Place<'_>) {
        self.note(place, Fate::Kept, "");
    }

    /// A member, unless it is null.
    pub(super) fn given<'a>(&mut self, place: &Place<'a>, name: &str) -> Option<Place<'a>> {
        let member = place.member(name)?;
        if member.node.kind() == Kind::Null {
            self.note(&member, Fate::Dropped, "`null` says that there is none");
            return None;
        }
        Some(member)
    }

    /// A text block of a string, unless there is nothing in it.
    pub(super) fn text(&mut self, place: &Place<'_>, name: &str) -> Result<(), Error> {
        let Some(text) = self.given(place, name) else {
            return Ok(());
        };
        if text.string()?.is_empty() {
            self.note(&text, Fate::Dropped, "an empty text has no block");
        } else {
            self.text_block(&text);
        }
        Ok(())
    }

    fn text_block(&mut self, text: &Place<'_>) {
        self.block(
            ObjectWriter::new()
                .json("text", text.node.raw())
                .text("type", "text"),
        );
        self.kept(text);
    }

    pub(super) fn status(&mut self, status: Status) {
        self.status = Some(status);
    }

    /// An error of `{message, trace, transient}` inside of the document.
    pub(super) fn inner_error(&mut self, place: &Place<'_>) -> Result<(), Error> {
        self.error(place)?;
        self.drop_rest(place, &ERROR_MEMBERS, "an error has no such member");
        Ok(())
    }

    /// An error of `{message, trace, transient}`.
    pub(super) fn error(&mut self, place: &Place<'_>) -> Result<(), Error> {
        let message = place.required("message")?;
        message.string()?;
        self.text_block(&message);
        let mut trace = Vec::new();
        if let Some(place) = place.member("trace") {
            for line in place.clone().array()?.elements() {
                trace.push(string(&line.string()?));
            }
            self.kept(&place);
        }
        let mut transient = false;
        if let Some(place) = place.member("transient") {
            transient = place.flag()?;
            self.kept(&place);
        }
        let mut out = ObjectWriter::new();
        out.json("trace", array(trace)).flag("transient", transient);
        self.error = Some(out.end());
        self.is_error = true;
        Ok(())
    }

    /// Keeps the members that are none of these in `_meta` (LEG-3).
    pub(super) fn keep_rest(&mut self, place: &Place<'_>, known: &[&str]) {
        for (name, member) in place
            .members()
            .filter(|(name, _)| !known.contains(&&**name))
        {
            self.note(&member, Fate::Moved, "an envelope has no such member");
            self.rest.insert(name.into_owned(), Json::from(member.node));
        }
    }

    /// Reports that the members that are none of these are lost.
    pub(super) fn drop_rest(&mut self, place: &Place<'_>, known: &[&str], reason: &str) {
        for (_, member) in place
            .members()
            .filter(|(name, _)| !known.contains(&&**name))
        {
            self.note(&member, Fate::Dropped, reason);
        }
    }

    /// Takes what stands beside `content` in the result that holds the document, to the letter.
    pub(super) fn carry_over(&mut self, result: Node<'_>) {
        let json = |(name, node): (Cow<'_, str>, _)| (name.into_owned(), Json::from(node));
        for (name, node) in result.members() {
            match (name.as_ref(), node.kind()) {
                ("content" | "isError", _) => {}
                ("_meta", Kind::Object) => self.meta = node.members().map(json).collect(),
                ("_meta", _) => {}
                (name, _) => self.beside(name, node),
            }
        }
    }

    /// A member of the result around, to the letter.
    pub(super) fn beside(&mut self, name: &str, node: Node<'_>) {
        self.around.insert(name.to_owned(), Json::from(node));
    }

    pub(super) fn finish(self, format: LegacyFormat) -> Legacy {
        let mut legacy = ObjectWriter::new();
        legacy.text("format", format.as_str());
        if !self.rest.is_empty() {
            legacy.json("rest", ObjectWriter::new().members(&self.rest).end());
        }
        let status = self.status.map(|status| string(status.as_str()));
        let mut meta = self.meta;
        for (name, json) in [
            (KEY, Some(legacy.end())),
            ("computer.jp/error", self.error),
            ("computer.jp/status", status),
        ] {
            meta.extend(json.map(|json| (name.to_owned(), Json::written(json))));
        }
        let meta = ObjectWriter::new().members(&meta).end();
        let mut members = self.around;
        members.insert("_meta".to_owned(), Json::written(meta));
        members.insert("content".to_owned(), Json::written(array(&self.blocks)));
        if self.is_error {
            members.insert("isError".to_owned(), Json::from(true));
        }
        let document = exact_text(ObjectWriter::new().members(&members).end());
        Legacy {
            format,
            // The caller's limits judged the document that this was made of.
            parsed: parse(document.into_bytes(), &Limits::WIDEST),
            report: self.report.finished(),
        }
    }
}
