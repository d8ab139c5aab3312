//! The envelope that a legacy document becomes.

use std::collections::BTreeMap;

use super::{Legacy, LegacyFormat};
use crate::canonical::exact_text;
use crate::json::{Kind, Node, ObjectWriter, Place, array, string};
use crate::mcp::{Fate, LossReport};
use crate::{Error, Json, Limits, Status, parse};

/// Where the members are kept that an envelope has no place for (LEG-3).
pub(super) const KEY: &str = "dev.toolwire/legacy";

/// The members of an error.
pub(super) const ERROR_MEMBERS: [&str; 3] = ["message", "trace", "transient"];

/// An envelope in the making, and what became of the members that were read so far.
#[derive(Default)]
pub(super) struct Draft {
    blocks: Vec<String>,
    pub is_error: bool,
    status: Option<Status>,
    /// The JSON text of `computer.jp/error`.
    error: Option<String>,
    /// What an envelope has no member for.
    rest: BTreeMap<String, Json>,
    /// The members of an MCP result around it.
    around: BTreeMap<String, Json>,
    meta: BTreeMap<String, Json>,
    pub report: LossReport,
}

impl Draft {
    pub(super) fn block(&mut self, json: String) {
        self.blocks.push(json);
    }

    /// A text block of a string, unless there is nothing in it.
    pub(super) fn text(&mut self, place: &Place<'_>, name: &str) -> Result<(), Error> {
        let Some(place) = place.member(name) else {
            return Ok(());
        };
        let pointer = place.pointer().to_owned();
        if place.node.kind() == Kind::Null {
            self.report
                .add(pointer, Fate::Dropped, "`null` says that there is none");
            return Ok(());
        }
        let text = place.string()?;
        if text.is_empty() {
            self.report
                .add(pointer, Fate::Dropped, "an empty text has no block");
            return Ok(());
        }
        let mut out = ObjectWriter::new();
        out.json("text", place.node.raw()).text("type", "text");
        self.blocks.push(out.end());
        self.report.add(pointer, Fate::Kept, "");
        Ok(())
    }

    pub(super) fn status(&mut self, status: Status) {
        self.status = Some(status);
    }

    /// An error of `{message, trace, transient}` inside of the document.
    pub(super) fn inner_error(&mut self, place: &Place<'_>) -> Result<(), Error> {
        self.error(place)?;
        for (name, member) in place.members() {
            if !ERROR_MEMBERS.contains(&name.as_ref()) {
                let reason = "an error has no such member";
                self.report.add(member.pointer(), Fate::Dropped, reason);
            }
        }
        Ok(())
    }

    /// An error of `{message, trace, transient}`.
    pub(super) fn error(&mut self, place: &Place<'_>) -> Result<(), Error> {
        let message = place.required("message")?;
        let mut out = ObjectWriter::new();
        out.text("text", message.string()?).text("type", "text");
        self.blocks.push(out.end());
        self.report.add(message.pointer(), Fate::Kept, "");
        let mut trace = Vec::new();
        if let Some(place) = place.member("trace") {
            for line in place.clone().array()?.elements() {
                trace.push(string(&line.string()?));
            }
            self.report.add(place.pointer(), Fate::Kept, "");
        }
        let mut transient = false;
        if let Some(place) = place.member("transient") {
            transient = place.flag()?;
            self.report.add(place.pointer(), Fate::Kept, "");
        }
        let mut out = ObjectWriter::new();
        out.json("trace", array(trace)).flag("transient", transient);
        self.error = Some(out.end());
        self.is_error = true;
        Ok(())
    }

    /// Keeps the members that are none of these in `_meta` (LEG-3).
    pub(super) fn keep_rest(&mut self, place: &Place<'_>, known: &[&str]) {
        for (name, member) in place.members() {
            if !known.contains(&name.as_ref()) {
                self.report.add(
                    member.pointer(),
                    Fate::Moved,
                    "an envelope has no such member",
                );
                self.rest.insert(name.into_owned(), Json::from(member.node));
            }
        }
    }

    /// Says that a value has its counterpart in the envelope, apart from what else is said of its members.
    pub(super) fn kept(&mut self, place: &Place<'_>) {
        self.report.add(place.pointer(), Fate::Kept, "");
    }

    /// Takes what stands beside `content` in the result that holds the document, to the letter.
    pub(super) fn carry_over(&mut self, result: Node<'_>) {
        for (name, node) in result.members() {
            match name.as_ref() {
                "content" | "isError" => {}
                "_meta" if node.kind() != Kind::Object => {}
                "_meta" => {
                    let members = node.members();
                    self.meta = members
                        .map(|(name, node)| (name.into_owned(), Json::from(node)))
                        .collect();
                }
                name => self.beside(name, node),
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
            let mut rest = ObjectWriter::new();
            legacy.json("rest", rest.members(&self.rest).end());
        }
        let mut meta = self.meta;
        let mut set = |name: &str, json: String| meta.insert(name.to_owned(), Json::written(json));
        set(KEY, legacy.end());
        if let Some(error) = self.error {
            set("computer.jp/error", error);
        }
        if let Some(status) = self.status {
            set("computer.jp/status", string(status.as_str()));
        }
        let mut members = self.around;
        let mut out = ObjectWriter::new();
        members.insert("_meta".to_owned(), Json::written(out.members(&meta).end()));
        members.insert("content".to_owned(), Json::written(array(&self.blocks)));
        if self.is_error {
            members.insert("isError".to_owned(), Json::from(true));
        }
        let mut out = ObjectWriter::new();
        let document = exact_text(out.members(&members).end());
        Legacy {
            format,
            // The caller's limits judged the document that this was made of.
            parsed: parse(document.into_bytes(), &Limits::WIDEST),
            report: self.report.finished(),
        }
    }
}
