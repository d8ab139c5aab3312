//! The words of a command in a form that may have no variables (CONV-14).

use std::collections::BTreeMap;

use toolwire::Error;
use toolwire::json::{ObjectWriter, pointer};
use toolwire::mcp::{Fate, LossReport};

use super::{Header, Part, Text, Variables, cannot};

/// Writes the texts of an entry in one form.
pub(super) struct Words<'a> {
    /// What the form is called in messages, with its article if it needs one.
    pub form: &'a str,
    pub variables: Variables,
    pub report: &'a mut LossReport,
}

impl Words<'_> {
    /// A text without which there is no server.
    pub fn needed(&mut self, place: &str, text: &Text) -> Result<String, Error> {
        match self.text(text) {
            Ok((text, None)) => Ok(text),
            Ok((text, Some(reason))) => {
                self.report.add(place, Fate::Approximated, &reason);
                Ok(text)
            }
            Err(reason) => Err(cannot(place, reason)),
        }
    }

    /// A text that is left out if it can't be said.
    pub fn optional(&mut self, place: &str, text: &Text) -> Option<String> {
        match self.text(text) {
            Ok((text, None)) => Some(text),
            Ok((text, Some(reason))) => {
                self.report.add(place, Fate::Approximated, &reason);
                Some(text)
            }
            Err(reason) => {
                self.report.add(place, Fate::Dropped, &reason);
                None
            }
        }
    }

    /// The arguments. If one is left out that follows an option, which would take the next one for its value,
    /// the option is left out, too.
    pub fn arguments(&mut self, args: &[Text]) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        // Whether the last of `words` is the argument right before.
        let mut beside = false;
        for (at, arg) in args.iter().enumerate() {
            match self.optional(&format!("/args/{at}"), arg) {
                Some(word) => {
                    words.push(word);
                    beside = true;
                }
                None => {
                    let value = !matches!(&arg.parts[..], [Part::Literal(text), ..] if text.starts_with('-'));
                    let option = words
                        .last()
                        .is_some_and(|last| last.starts_with('-') && !last.contains('='));
                    if value && beside && option {
                        words.pop();
                        let reason = "its value can't be said, and without it the option would take the next argument";
                        self.report
                            .add(format!("/args/{}", at - 1), Fate::Dropped, reason);
                    }
                    beside = false;
                }
            }
        }
        words
    }

    /// The variables of a program as a JSON object, each with a variable for its value; nothing if none is left.
    pub fn environment(&mut self, env: &BTreeMap<String, String>) -> Option<String> {
        let texts = env
            .iter()
            .map(|(name, variable)| (name, Text::variable(variable)));
        self.table("/env", texts)
    }

    /// The headers in the same way.
    pub fn headers(&mut self, headers: &BTreeMap<String, Header>) -> Option<String> {
        self.table(
            "/headers",
            headers.iter().map(|(name, header)| (name, header.text())),
        )
    }

    fn table<'t>(
        &mut self,
        place: &str,
        texts: impl Iterator<Item = (&'t String, Text)>,
    ) -> Option<String> {
        let mut out = ObjectWriter::new();
        let mut any = false;
        for (name, text) in texts {
            if let Some(text) = self.optional(&pointer::join(place, name), &text) {
                out.text(name, text);
                any = true;
            }
        }
        any.then(|| out.end())
    }

    /// The text, and what is lost; or why it can't be said.
    fn text(&self, text: &Text) -> Result<(String, Option<String>), String> {
        if let Some(text) = text.write(self.variables) {
            return Ok((text, None));
        }
        let mut bare = text.clone();
        let mut lost = None;
        for part in &mut bare.parts {
            if let Part::Variable {
                name,
                default: default @ Some(_),
            } = part
            {
                lost = Some(format!(
                    "{} has nothing that stands in for `{name}`; set the variable",
                    self.form
                ));
                *default = None;
            }
        }
        if let (Some(reason), Some(text)) = (lost, bare.write(self.variables)) {
            return Ok((text, Some(reason)));
        }
        let form = self.form;
        Err(
            match text
                .parts
                .iter()
                .find(|part| !matches!(part, Part::Literal(_)))
            {
                Some(Part::Variable { name, .. }) if self.variables == Variables::None => {
                    format!("{form} has no variables; write the value of `{name}` there yourself")
                }
                Some(Part::Client(name)) => {
                    format!(
                        "{form} does not know the variable `${{{name}}}`; write its value there yourself"
                    )
                }
                _ => format!("{form} would take a part of it for a variable"),
            },
        )
    }
}
