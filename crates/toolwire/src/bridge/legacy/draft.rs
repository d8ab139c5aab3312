//! The envelope that a legacy document becomes.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{Legacy, LegacyFormat, tag};
use crate::base::canonical::exact_text;
use crate::base::json::{Kind, Node, ObjectWriter, Place, array, string};
use crate::bridge::mcp::{Fate, LossReport};
use crate::{Error, Json, Limits, Status, parse};

/// The member of `_meta` with the members that an envelope has no place for (LEG-3).
pub(super) const KEY: &str = "dev.toolwire/legacy";

/// The members that the envelope has unchanged.
const KEPT: [&str; 6] = [
    "content",
    "message",
    "trace",
    "transient",
    "isError",
    "_meta",
];

/// An envelope that is being built.
#[derive(Default)]
pub(super) struct Draft {
    pub blocks: Vec<String>,
    pub is_error: bool,
    pub status: Option<Status>,
    /// The JSON text of `computer.jp/error`.
    error: Option<String>,
    /// The members of an MCP result around it.
    around: BTreeMap<String, Json>,
    meta: BTreeMap<String, Json>,
}

impl Draft {
    /// A text block of a string; an empty one has none.
    pub(super) fn text(&mut self, text: &Place<'_>) -> Result<(), Error> {
        match text.string()?.is_empty() {
            true => Ok(()),
            false => self.text_block(text),
        }
    }

    fn text_block(&mut self, text: &Place<'_>) -> Result<(), Error> {
        text.string()?;
        let mut block = ObjectWriter::new();
        block.json("text", text.node.raw()).text("type", "text");
        self.blocks.push(block.end());
        Ok(())
    }

    /// An error of `{message, trace, transient}`.
    pub(super) fn error(&mut self, place: &Place<'_>) -> Result<(), Error> {
        self.text_block(&place.required("message")?)?;
        let trace = place.optional("trace", Place::strings)?.unwrap_or_default();
        let transient = place.optional("transient", |transient| transient.flag())?;
        let mut out = ObjectWriter::new();
        out.json("trace", array(trace.iter().map(|line| string(line))))
            .flag("transient", transient.unwrap_or_default());
        self.error = Some(out.end());
        self.is_error = true;
        Ok(())
    }

    /// Takes the members beside `content` from the result that holds the document.
    pub(super) fn carry_over(&mut self, result: Node<'_>) {
        let json = |(name, node): (Cow<'_, str>, _)| (name.into_owned(), Json::from(node));
        for (name, node) in result.members() {
            match (name.as_ref(), node.kind()) {
                ("content" | "isError", _) => {}
                ("_meta", Kind::Object) => self.meta = node.members().map(json).collect(),
                ("_meta", _) => {}
                (name, _) => self.keep(name, Json::from(node)),
            }
        }
    }

    /// Keeps a member of the result around.
    pub(super) fn keep(&mut self, name: &str, value: Json) {
        self.around.insert(name.to_owned(), value);
    }

    /// The envelope of a document of which these members are used, beside the tag; `None` for all.
    pub(super) fn finish(
        mut self,
        format: LegacyFormat,
        root: &Place<'_>,
        used: Option<&[&str]>,
    ) -> Legacy {
        let mut report = LossReport::default();
        let mut rest = ObjectWriter::new();
        let mut has_rest = false;
        let tag = tag(root);
        for (name, member) in root.members() {
            let is_meta = name == "_meta" && member.node.kind() != Kind::Object;
            let (fate, reason) =
                if used.is_some_and(|used| name != tag && !used.contains(&name.as_ref())) {
                    rest.json(&name, member.node.raw());
                    has_rest = true;
                    (Fate::Moved, "an envelope has no such member")
                } else if is_meta || used.is_some() && !KEPT.contains(&name.as_ref()) {
                    (Fate::Approximated, "the members of the envelope say it")
                } else if used.is_none() && name == "content" {
                    (
                        Fate::Approximated,
                        "questions take the place of `input_text`",
                    )
                } else {
                    (Fate::Kept, "")
                };
            report.add(member.pointer(), fate, reason);
        }
        let mut legacy = ObjectWriter::new();
        legacy
            .text("format", format.as_str())
            .optional_json("rest", has_rest.then(|| rest.end()));
        let status = self.status.map(|status| string(status.as_str()));
        for (name, json) in [
            (KEY, Some(legacy.end())),
            ("computer.jp/error", self.error),
            ("computer.jp/status", status),
        ] {
            let json = json.map(|json| (name.to_owned(), Json::written(json)));
            self.meta.extend(json);
        }
        let meta = ObjectWriter::new().members(&self.meta).end();
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
            report: report.finished(),
        }
    }
}
