//! The answers that are given beforehand.

use std::collections::BTreeSet;

use toolwire::block::Question;
use toolwire::question::Prompt;
use toolwire::{Error, Json, nearest, parse_arguments};

use super::arguments::{Members, object_file};
use crate::args::{BeforehandArgs, quoted};
use crate::exit::{Failure, Result};

/// Answers by the ids of their questions. What they are is known when the question is.
#[derive(Default)]
pub struct Given {
    /// Names and texts of `--answer`, in their order. A name is an id, or leads into an answer.
    texts: Vec<(String, String)>,
    values: Members,
    /// The names that were used, and the ids of all questions.
    used: BTreeSet<String>,
    asked: BTreeSet<String>,
}

impl Given {
    pub fn read(args: &BeforehandArgs) -> Result<Given> {
        let mut given = Given::default();
        for answer in &args.answer {
            let named = answer.split_once('=').filter(|(id, _)| !id.is_empty());
            let Some((id, text)) = named else {
                return Err(Failure::Wrong(vec![format!(
                    "`{answer}` is not an answer: write `--answer id=value`"
                )]));
            };
            given.texts.push((id.to_owned(), text.to_owned()));
        }
        if let Some(path) = &args.answers {
            given.values = object_file(path)?;
        }
        Ok(given)
    }

    /// The value that was given for a question, if there is one.
    ///
    /// An error is a sentence that says what was expected.
    pub fn answer(&mut self, question: &Question) -> std::result::Result<Option<Json>, String> {
        let id = &question.id;
        self.asked.insert(id.clone());
        let names = self.texts.iter().map(|(name, _)| name);
        let names = names.filter(|name| concerns(question, name));
        self.used.extend(names.chain([id]).cloned());
        self.value(question)
    }

    /// The same, without using it.
    pub fn value(&self, question: &Question) -> std::result::Result<Option<Json>, String> {
        let texts = self.texts.iter();
        let texts = texts.filter(|(name, _)| concerns(question, name));
        let texts: Vec<&(String, String)> = texts.collect();
        if texts.is_empty() {
            return Ok(self.values.get(&question.id).cloned());
        }
        match typed(question, &texts) {
            Ok(value) => Ok(value),
            Err(error) => Err(error.message().to_owned()),
        }
    }

    /// The members of the answer to a question that were given, if nothing else was. Others may be lacking.
    pub fn members(&self, question: &Question) -> Option<Json> {
        let id = question.id.as_str();
        let inside = |name: &str| name.strip_prefix(id).map(|rest| rest.starts_with('.'));
        let texts = self
            .texts
            .iter()
            .filter(|(name, _)| inside(name) == Some(true));
        let texts: Vec<&(String, String)> = texts.collect();
        if texts.is_empty() || self.texts.iter().any(|(name, _)| name == id) {
            return None;
        }
        let mut schema: Members = question.schema.to_value().ok()?;
        schema.remove("required");
        let question = Question {
            schema: Json::from_value(&schema).ok()?,
            ..question.clone()
        };
        typed(&question, &texts).ok()?
    }

    /// The names of the answers that were not used, each with the question that was probably meant.
    pub fn unused(&self) -> Vec<(&str, Option<String>)> {
        let given = self.texts.iter().map(|(name, _)| name);
        let given: BTreeSet<&String> = given.chain(self.values.keys()).collect();
        let asked = || self.asked.iter().map(String::as_str);
        let unused = given.into_iter().filter(|name| !self.used.contains(*name));
        let meant = |name: &str| {
            let (head, rest) = name.split_at(name.find('.').unwrap_or(name.len()));
            let whole = nearest(name, asked()).map(str::to_owned);
            whole.or_else(|| Some(format!("{}{rest}", nearest(head, asked())?)))
        };
        unused.map(|name| (name.as_str(), meant(name))).collect()
    }
}

/// Whether a name is that of an answer to a question, or leads into it.
fn concerns(question: &Question, name: &str) -> bool {
    let inside = name.strip_prefix(question.id.as_str());
    inside.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Reads the texts as if they were those of an argument that has the question's schema.
fn typed(
    question: &Question,
    texts: &[&(String, String)],
) -> std::result::Result<Option<Json>, Error> {
    let schema: Members = question.schema.to_value()?;
    let mut whole = Members::new();
    // A reference such as `#/$defs/a` finds its place in the schema around the question's too.
    for name in ["$defs", "definitions"] {
        whole.extend(schema.get(name).map(|defs| (name.to_owned(), defs.clone())));
    }
    // An id with dots, or one that looks like an option, would be taken apart.
    let id = match question.id.contains('.') || question.id.starts_with("--") {
        true => "answer",
        false => &question.id,
    };
    let properties = Members::from([(id.to_owned(), question.schema.clone())]);
    whole.insert("properties".to_owned(), Json::from_value(&properties)?);
    let words: Vec<String> = texts
        .iter()
        .map(|(name, text)| format!("{id}{}={text}", &name[question.id.len()..]))
        .collect();
    let read = parse_arguments(&words, &Json::from_value(&whole)?)?;
    Ok(read.to_value::<Members>()?.remove(id))
}

/// An option that answers a question, for somebody who does not know how.
pub fn example(question: &Question, prompt: &Prompt) -> String {
    let value = match prompt {
        Prompt::Boolean => "true".to_owned(),
        Prompt::Select(choices) | Prompt::MultiSelect { choices, .. } => {
            let first = choices.first().map(|choice| &choice.value);
            first.map_or_else(|| "VALUE".to_owned(), spelt)
        }
        Prompt::Text(_) => "TEXT".to_owned(),
        Prompt::Number(range) => {
            let bound = range.minimum.as_ref().or(range.maximum.as_ref());
            bound.map_or_else(|| "1".to_owned(), spelt)
        }
        _ => match members(question) {
            Some(options) => return options,
            None => "JSON".to_owned(),
        },
    };
    let answer = format!("{}={value}", question.id);
    match answer.contains('\0') {
        true => "--answers FILE".to_owned(),
        false => format!("--answer {}", quoted(&answer)),
    }
}

/// Options for the members that an object must have, if they are few.
fn members(question: &Question) -> Option<String> {
    let schema: Members = question.schema.to_value().ok()?;
    let required: Vec<String> = schema.get("required")?.to_value().ok()?;
    let plain = |text: &String| {
        text.chars()
            .all(|c| c.is_alphanumeric() || "_-".contains(c))
    };
    let few = (1..=3).contains(&required.len());
    if !few || !required.iter().chain([&question.id]).all(plain) {
        return None;
    }
    let options = required
        .iter()
        .map(|name| format!("--answer {}.{name}=VALUE", question.id));
    Some(options.collect::<Vec<_>>().join(" "))
}

fn spelt(value: &Json) -> String {
    value
        .to_value::<String>()
        .unwrap_or_else(|_| value.to_string())
}
