//! Who answered what, in the result that a host passes on (CALL-24).

use std::collections::BTreeMap;

use super::Answer;
use super::answer::{KEY, record};
use crate::base::canonical::exact_text;
use crate::base::json::{Node, ObjectWriter};
use crate::{Parsed, Verdict};

impl Parsed<'_> {
    /// The result with what became of each question in its `_meta`, under `dev.toolwire/answers`, in
    /// place of what the tool may have written there itself. Without answers that is only removed,
    /// as it has to be wherever a tool's document is handed on. All else stays: the bytes that were
    /// read, the verdict, the diagnostics, and the values of all other members, verbatim.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use toolwire::{Json, Limits, parse};
    /// use toolwire::call::{Answer, AnswerSource};
    ///
    /// let yes = Answer::accepted(Json::from(true), AnswerSource::User);
    /// let answers = BTreeMap::from([("confirm".to_owned(), yes)]);
    /// let parsed = parse(&br#"{"content": []}"#[..], &Limits::default()).with_answers(&answers);
    /// assert_eq!(
    ///     parsed.root().raw(),
    ///     r#"{"content":[],"_meta":{"dev.toolwire/answers":{"confirm":{"source":"user","state":"accepted"}}}}"#,
    /// );
    /// ```
    #[must_use]
    pub fn with_answers(self, answers: &BTreeMap<String, Answer>) -> Parsed<'static> {
        let record = record(answers).map(exact_text);
        match self.document_with(record.as_deref()) {
            Some(document) => {
                let diagnostics = self.diagnostics().to_vec();
                let verdict: Verdict = self.verdict();
                Parsed::substituted(self.raw().to_vec(), document, verdict, diagnostics)
            }
            None => self.into_owned(),
        }
    }

    /// The document with this record in its `_meta`; `None` if it needs no change.
    fn document_with(&self, record: Option<&str>) -> Option<String> {
        let root = self.root();
        let meta = root.get("_meta");
        if record.is_none() && meta.is_none_or(|meta| meta.get(KEY).is_none()) {
            return None;
        }
        let mut own = ObjectWriter::new();
        let members = meta.iter().flat_map(Node::members);
        for (name, value) in members.filter(|(name, _)| name != KEY) {
            own.json(&name, value.raw());
        }
        let own = own.optional_json(KEY, record).end();
        let mut out = ObjectWriter::new();
        for (name, value) in root.members() {
            out.json(&name, if name == "_meta" { &own } else { value.raw() });
        }
        Some(
            out.optional_json("_meta", meta.is_none().then_some(own))
                .end(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::call::AnswerSource;
    use crate::{Code, Exit, Limits, Output, parse, receive};

    const RECORD: &str =
        r#"{"dev.toolwire/answers":{"q":{"source":"assistant","state":"declined"}}}"#;

    fn declined() -> BTreeMap<String, Answer> {
        let answer = Answer::declined(AnswerSource::Assistant);
        BTreeMap::from([("q".to_owned(), answer)])
    }

    fn written(text: &str, answers: &BTreeMap<String, Answer>) -> String {
        let parsed = parse(text.as_bytes(), &Limits::default()).with_answers(answers);
        assert_eq!(parsed.raw(), text.as_bytes());
        parsed.root().raw().to_owned()
    }

    #[test]
    fn the_record_takes_its_place_and_all_else_stays() {
        for (text, expected) in [
            (
                "{\"content\":[ ]\n}",
                format!("{{\"content\":[ ],\"_meta\":{RECORD}}}"),
            ),
            (
                r#"{"_meta":{},"content":[]}"#,
                format!(r#"{{"_meta":{RECORD},"content":[]}}"#),
            ),
            (
                r#"{"_meta": 5,"content":[]}"#,
                format!(r#"{{"_meta":{RECORD},"content":[]}}"#),
            ),
            (
                r#"{"content":[],"_meta":{"dev.toolwire/answers":{"q":{"state":"accepted","source":"user"}},"a":1.0}}"#,
                format!(r#"{{"content":[],"_meta":{{"a":1.0,{}}}"#, &RECORD[1..]),
            ),
            (
                "words",
                format!(r#"{{"content":[{{"text":"words","type":"text"}}],"_meta":{RECORD}}}"#),
            ),
        ] {
            assert_eq!(written(text, &declined()), expected);
        }
    }

    #[test]
    fn what_a_tool_says_of_answers_is_never_passed_on() {
        let none = BTreeMap::new();
        let claim = r#"{"content":[],"_meta":{"dev.toolwire/answers":{},"a":1}}"#;
        assert_eq!(written(claim, &none), r#"{"content":[],"_meta":{"a":1}}"#);
        for text in ["{\"content\": [ ]}", r#"{"content":[],"_meta":7}"#, "words"] {
            let parsed = parse(text.as_bytes(), &Limits::default());
            assert_eq!(written(text, &none), parsed.root().raw());
        }
    }

    #[test]
    fn verdict_and_diagnostics_are_those_of_the_reading() {
        let output = Output {
            stdout: br#"{"content":[{"type":"chart"}]}"#,
            result: None,
            exit: Exit::Code(3),
            stderr: b"",
        };
        let before = receive(&output, &Limits::default());
        let after = before.clone().with_answers(&declined());
        assert_eq!(after.diagnostics(), before.diagnostics());
        assert!(
            after.is_error()
                && after
                    .diagnostics()
                    .iter()
                    .any(|d| d.code == Code::NonzeroExit)
        );
        assert_eq!(after.verdict(), before.verdict());
        assert!(
            parse(&b"words"[..], &Limits::default())
                .with_answers(&declined())
                .is_raw()
        );
    }
}
