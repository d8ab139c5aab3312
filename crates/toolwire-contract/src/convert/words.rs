//! The words of a command in a form that may have no variables.

use toolwire::Error;
use toolwire::json::{ObjectWriter, pointer};
use toolwire::mcp::{Fate, LossReport};

use super::{Part, Text, Variables, cannot};

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
        self.say(place, text)
            .map_err(|reason| cannot(place, reason))
    }

    /// A text that is left out if it can't be said.
    pub fn optional(&mut self, place: &str, text: &Text) -> Option<String> {
        let said = self.say(place, text);
        said.map_err(|reason| self.report.add(place, Fate::Dropped, &reason))
            .ok()
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

    /// Reports a part that is not converted verbatim.
    pub fn approximate(&mut self, place: &str, reason: &str) {
        self.report.add(place, Fate::Approximated, reason);
    }

    /// Reports a part for which the form has no place; the reason goes on from its name.
    pub fn drop(&mut self, place: &str, reason: &str) {
        let reason = format!("{} {reason}", self.form);
        self.report.add(place, Fate::Dropped, &reason);
    }

    /// A JSON object of texts; `None` if none is left.
    pub fn table<'t>(
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

    /// The text, without default values of variables if the form has none; or why the form can't express it.
    fn say(&mut self, place: &str, text: &Text) -> Result<String, String> {
        if let Some(text) = text.write(self.variables) {
            return Ok(text);
        }
        let form = self.form;
        let mut bare = text.clone();
        let mut lost = None;
        for part in &mut bare.parts {
            if let Part::Variable { name, default } = part
                && default.take().is_some()
            {
                lost = Some(format!(
                    "{form} has nothing that stands in for `{name}`; set the variable"
                ));
            }
        }
        if let (Some(reason), Some(text)) = (lost, bare.write(self.variables)) {
            self.report.add(place, Fate::Approximated, &reason);
            return Ok(text);
        }
        let mut parts = text.parts.iter();
        Err(match parts.find(|part| !matches!(part, Part::Literal(_))) {
            Some(Part::Variable { name, .. }) if self.variables == Variables::None => {
                format!("{form} has no variables; write the value of `{name}` there yourself")
            }
            Some(Part::Client(name)) => format!(
                "{form} does not know the variable `${{{name}}}`; write its value there yourself"
            ),
            _ => format!("{form} would take a part of it for a variable"),
        })
    }
}
