//! The functions of chapter 16 from text to text.

use std::collections::BTreeMap;

use toolwire::block::Question;
use toolwire::call::Answer;
use toolwire::json::{Document, Kind, Node, ObjectWriter, pointer};
use toolwire::mcp::{self, ElicitOptions};
use toolwire::question::{RefusalOptions, SecretContext, read_question, write_question};
use toolwire::{Error, Json};

use crate::mcp::revision;
use crate::options::{Options, parts_of_refusal, wrong};

/// A document, and the report of how it was mapped.
#[derive(Debug)]
pub struct Mapped {
    /// The JSON text of the document.
    pub json: String,
    /// The JSON text of the report.
    pub report: String,
}

/// The options that say who asks, and what is better than to answer.
const ABOUT: [&str; 6] = ["tool", "service", "oauth", "url", "upFront", "appPasswords"];

/// `to_elicitation` with `{"revision","context","client","elicitationId"}` and the options of the warning: the
/// params.
///
/// # Errors
///
/// `bad_option` at an unknown option, at one with a wrong value, and at `/revision` if it is missing; those of
/// the question and of the function.
pub fn to_elicitation(question: &str, options: &str) -> Result<Mapped, Error> {
    let question = read_question(question)?;
    let given = Given::read(options, &["revision", "elicitationId"])?;
    let revision = revision(&given.all)?;
    let request = mcp::to_elicitation(&question, revision, &given.options())?;
    Ok(Mapped {
        json: request.params.as_str().to_owned(),
        report: request.report.to_json(),
    })
}

/// `to_input_required` of an array of questions, with `{"state","context","client"}` and the options of the
/// warning: the result.
///
/// # Errors
///
/// As [`to_elicitation`], with the place of the question.
pub fn to_input_required(questions: &str, options: &str) -> Result<Mapped, Error> {
    let questions = read_questions(questions)?;
    let given = Given::read(options, &["state"])?;
    let asks = mcp::to_input_required(&questions, given.state.as_deref(), &given.options())?;
    Ok(Mapped {
        json: asks.json.as_str().to_owned(),
        report: asks.report.to_json(),
    })
}

/// What a server says besides questions.
struct Given<'a> {
    all: Options<'a>,
    context: SecretContext<'a>,
    about: RefusalOptions,
    elicitation_id: Option<String>,
    state: Option<String>,
}

impl<'a> Given<'a> {
    /// Reads the options that all functions have, and those that this one has.
    fn read(options: &'a str, own: &[&str]) -> Result<Self, Error> {
        let known: Vec<&str> = ["context", "client"]
            .iter()
            .chain(own)
            .chain(&ABOUT)
            .copied()
            .collect();
        let all = Options::read(options, &known)?;
        let mut context = SecretContext::default();
        let mut about = ObjectWriter::new();
        let mut client = String::new();
        let (mut elicitation_id, mut state) = (None, None);
        for (name, value) in all.members() {
            match name.as_ref() {
                "revision" => {}
                "context" => texts(value)?.into_iter().for_each(|text| context.add(text)),
                "client" => client = all.text(&name, value)?.into_owned(),
                "elicitationId" => elicitation_id = Some(all.text(&name, value)?.into_owned()),
                "state" => state = Some(all.text(&name, value)?.into_owned()),
                _ => {
                    about.json(&name, value.raw());
                }
            }
        }
        let mut about = parts_of_refusal(&about.end())?;
        about.host = client;
        Ok(Given {
            all,
            context,
            about,
            elicitation_id,
            state,
        })
    }

    fn options(&'a self) -> ElicitOptions<'a> {
        ElicitOptions {
            context: Some(&self.context),
            elicitation_id: self.elicitation_id.clone(),
            about: self.about.clone(),
            ..ElicitOptions::default()
        }
    }
}

/// `answer_from_elicit_result` with `{"revision"}`: `{"state","source","value"}`.
///
/// # Errors
///
/// As [`to_elicitation`].
pub fn answer_from_elicit_result(
    question: &str,
    result: &str,
    options: &str,
) -> Result<String, Error> {
    let question = read_question(question)?;
    let revision = revision(&Options::read(options, &["revision"])?)?;
    let result = Json::new(result)?;
    mcp::answer_from_elicit_result(&question, revision, &result).map(|answer| answer.to_json())
}

/// `from_elicitation`: the question.
///
/// # Errors
///
/// Those of the function.
pub fn from_elicitation(params: &str, id: &str) -> Result<Mapped, Error> {
    let asked = mcp::from_elicitation(&Json::new(params)?, id)?;
    Ok(Mapped {
        json: write_question(&asked.question),
        report: asked.report.to_json(),
    })
}

/// `answer_to_elicit_result` with `{"revision"}`; `answer` is `{"state","source","value"}`.
///
/// # Errors
///
/// As [`to_elicitation`]; those of [`Answer::from_json`].
pub fn answer_to_elicit_result(params: &str, answer: &str, options: &str) -> Result<String, Error> {
    let revision = revision(&Options::read(options, &["revision"])?)?;
    let answer = Answer::from_json(answer)?;
    let result = mcp::answer_to_elicit_result(&Json::new(params)?, &answer, revision);
    Ok(result.as_str().to_owned())
}

/// `without_elicitation` with `{"client","tool","refusals"}`: the envelope, and whether there is another way.
///
/// # Errors
///
/// `bad_option` at an unknown option, at one with a wrong value, and in `refusals` at the entry; those of the
/// questions.
pub fn without_elicitation(questions: &str, options: &str) -> Result<(String, bool), Error> {
    let questions = read_questions(questions)?;
    let given = Options::read(options, &["client", "tool", "refusals"])?;
    let (mut client, mut tool) = (None, None);
    let mut refusals = BTreeMap::new();
    for (name, value) in given.members() {
        match name.as_ref() {
            "client" => client = Some(given.text(&name, value)?.into_owned()),
            "tool" => tool = Some(given.text(&name, value)?.into_owned()),
            _ => refusals = ways(value)?,
        }
    }
    let told = mcp::without_elicitation(&questions, client.as_deref(), tool.as_deref(), &refusals)?;
    Ok((told.envelope.to_json(), told.has_way))
}

/// `can_elicit` with `{"revision","elicitation"}`.
///
/// # Errors
///
/// As [`to_elicitation`].
pub fn can_elicit(question: &str, options: &str) -> Result<bool, Error> {
    let question = read_question(question)?;
    let given = Options::read(options, &["revision", "elicitation"])?;
    let declared = given.members().find(|(name, _)| name == "elicitation");
    let declared = declared.map(|(_, value)| Json::from(value));
    Ok(mcp::can_elicit(
        &question,
        revision(&given)?,
        declared.as_ref(),
    ))
}

/// `required_capabilities` of an array of questions.
///
/// # Errors
///
/// Those of the questions.
pub fn required_capabilities(questions: &str) -> Result<String, Error> {
    let required = mcp::required_capabilities(&read_questions(questions)?);
    Ok(required.as_str().to_owned())
}

fn texts(list: Node<'_>) -> Result<Vec<String>, Error> {
    let texts = list.elements().map(|text| text.as_str().map(Into::into));
    let texts: Option<Vec<String>> = texts.collect();
    texts
        .filter(|_| list.kind() == Kind::Array)
        .ok_or_else(|| wrong("/context", "`context` is an array of strings"))
}

/// The ways by the ids of questions.
fn ways(entries: Node<'_>) -> Result<BTreeMap<String, RefusalOptions>, Error> {
    if entries.kind() != Kind::Object {
        return Err(wrong("/refusals", "`refusals` is an object"));
    }
    let read = |(id, ways): (std::borrow::Cow<'_, str>, Node<'_>)| {
        let at_entry = |message: &str| wrong(pointer::join("/refusals", &id), message);
        let unknown = ways
            .members()
            .find(|(name, _)| !ABOUT[1..].contains(&name.as_ref()));
        if let Some((name, _)) = unknown {
            return Err(at_entry(&format!("`{name}` is not an option here")));
        }
        let ways = parts_of_refusal(ways.raw()).map_err(|error| at_entry(error.message()))?;
        Ok((id.clone().into_owned(), ways))
    };
    entries.members().map(read).collect()
}

fn read_questions(text: &str) -> Result<Vec<Question>, Error> {
    let document = Document::new(text)?;
    let root = document.root();
    if root.kind() != Kind::Array {
        let message = "the questions are an array";
        return Err(Error::new(toolwire::Code::BadArgument, "", None, message));
    }
    let each = root.elements().enumerate();
    each.map(|(index, question)| {
        read_question(question.raw()).map_err(|error| {
            let place = format!("/{index}{}", error.pointer());
            Error::new(error.code(), place, None, error.message())
        })
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use toolwire::Code;

    use super::*;

    const QUESTION: &str = r#"{"id":"n","text":"How many?","schema":{"type":"integer"}}"#;

    #[test]
    fn wrong_options_are_named() {
        for (options, pointer) in [
            ("{}", "/revision"),
            (r#"{"revision":"2024-11-05"}"#, "/revision"),
            (r#"{"revision":"2026-07-28","context":["a",1]}"#, "/context"),
            (r#"{"revision":"2026-07-28","host":"Ada"}"#, "/host"),
        ] {
            let error = to_elicitation(QUESTION, options).unwrap_err();
            assert_eq!((error.code(), error.pointer()), (Code::BadOption, pointer));
        }
        let error = without_elicitation("[]", r#"{"refusals":{"a":{"pin":"1"}}}"#).unwrap_err();
        assert_eq!(
            (error.code(), error.pointer()),
            (Code::BadOption, "/refusals/a")
        );
        let error = without_elicitation(r#"[{"id":""}]"#, "{}").unwrap_err();
        assert_eq!(
            (error.code(), error.pointer()),
            (Code::BadArgument, "/0/id")
        );
    }
}
