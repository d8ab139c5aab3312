//! The examples of a profile, run again after an update.

use toolwire::call::ToolDescription;
use toolwire::json::{Document, ObjectWriter, array, brief};
use toolwire::{Json, Parsed};
use toolwire_contract::profile::{Example, Profile, ProfileTool};

use super::compare::Compared;
use super::word;
use crate::args::AskProfileArgs;
use crate::baseline::other_output;
use crate::call::several;
use crate::exit::{Failure, Outcome, Result};
use crate::output::{BOLD, GREEN, Out, RED, YELLOW};
use crate::show::changes::visible;
use crate::{source, table, terminal};

/// The most characters of an example's arguments, and of what is said of it, that are shown.
const MOST_INPUT: usize = 60;
const MOST_MESSAGE: usize = 300;

/// What came of an example.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Passed,
    /// Its result has another type.
    Changed,
    Failed,
    /// It was not run.
    Skipped,
}

impl State {
    fn as_str(self) -> &'static str {
        match self {
            State::Passed => "passed",
            State::Changed => "changed",
            State::Failed => "failed",
            State::Skipped => "skipped",
        }
    }
}

/// An example of a tool, and what came of it.
struct Tried {
    /// The name of the tool in the profile.
    tool: String,
    input: Json,
    state: State,
    /// Why it failed, how it changed, or why it was not run.
    message: String,
}

/// What came of all examples.
#[derive(Default)]
pub struct Examples(Vec<Tried>);

impl Examples {
    /// Runs the examples of the tools that only read, and those of others once a person agrees.
    pub fn run(
        compared: &Compared,
        profile: &Profile,
        args: &AskProfileArgs,
        out: &mut Out,
    ) -> Result<Examples> {
        let (mut tried, mut wanted) = (Vec::new(), Vec::new());
        for tool in profile.tools() {
            let examples = tool.examples();
            if examples.is_empty() {
                continue;
            }
            let name = tool.tool();
            let now = compared.tools.iter().find(|now| now.name == name);
            let why_not = why_not(tool.name(), examples.len(), now, out)?;
            for example in examples {
                tried.push(Tried {
                    tool: tool.name().to_owned(),
                    input: example.input.clone(),
                    state: State::Skipped,
                    message: why_not.unwrap_or_default().to_owned(),
                });
                if why_not.is_none() {
                    wanted.push((tried.len() - 1, tool, example));
                }
            }
        }
        if !wanted.is_empty() {
            let word = word(&compared.place);
            let places = &args.server.source;
            let source = source::find(Some(word.as_ref()), &[], places, "profile update")?;
            let calls = wanted.iter();
            let calls = calls.map(|(_, tool, example)| (tool.tool(), example.input.clone()));
            let calls: Vec<(String, Json)> = calls.collect();
            let results = several(source, &args.server, &calls, out)?;
            for ((at, tool, example), result) in wanted.iter().zip(&results) {
                let one = &mut tried[*at];
                (one.state, one.message) = judged(tool, example, result);
            }
        }
        Ok(Examples(tried))
    }

    /// Whether none failed or changed.
    pub fn outcome(&self) -> Outcome {
        let mut all = self.0.iter();
        match all.any(|one| matches!(one.state, State::Failed | State::Changed)) {
            true => Outcome::Negative,
            false => Outcome::Success,
        }
    }

    /// Writes into the profile what passed, in the place of what failed, as JN does: the values of the arguments
    /// with `+` between them.
    pub fn note(&self, profile: &mut Profile) -> Result<()> {
        let mut all = ObjectWriter::new();
        let tested = profile.get("tested_with").cloned();
        let tested = tested.unwrap_or_else(Json::empty_object);
        let document = Document::new(tested.as_str()).map_err(|error| Failure::refused(&error))?;
        let mut known = Vec::new();
        for (name, texts) in document.root().members() {
            let before = texts.elements().map(|text| text.raw().to_owned()).collect();
            all.json(&name, array(self.noted(&name, before)));
            known.push(name.into_owned());
        }
        for one in self.0.iter().filter(|one| one.state == State::Passed) {
            if !known.contains(&one.tool) {
                known.push(one.tool.clone());
                let noted = self.noted(&one.tool, Vec::new());
                if !noted.is_empty() {
                    all.json(&one.tool, array(noted));
                }
            }
        }
        let now = Json::new(all.end()).map_err(|error| Failure::refused(&error))?;
        if now == tested {
            return Ok(());
        }
        let set = profile.set("tested_with", Some(now));
        set.map_err(|error| Failure::refused(&error))
    }

    /// What a tool was tried with, each as JSON.
    fn noted(&self, tool: &str, mut noted: Vec<String>) -> Vec<String> {
        for one in self.0.iter().filter(|one| one.tool == tool) {
            let Some(text) = said(&one.input) else {
                continue;
            };
            match one.state {
                State::Passed if !noted.contains(&text) => noted.push(text),
                State::Failed => noted.retain(|other| *other != text),
                _ => {}
            }
        }
        noted
    }

    pub fn to_json(&self) -> String {
        array(self.0.iter().map(|one| {
            let mut json = ObjectWriter::new();
            json.text("tool", &one.tool)
                .json("input", one.input.as_str())
                .text("state", one.state.as_str());
            if !one.message.is_empty() {
                json.text("message", &one.message);
            }
            json.end()
        }))
    }

    /// A row for each.
    pub fn write(&self, out: &mut Out) -> Result<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        out.line(&out.paint(BOLD, "examples"))?;
        let rows = self.0.iter().map(|one| {
            let input = visible(one.input.as_str());
            let mut said = brief(&input, MOST_INPUT);
            if !one.message.is_empty() {
                let message = visible(&one.message);
                said = format!("{said}: {}", brief(&message, MOST_MESSAGE)).into();
            }
            vec![
                one.state.as_str().to_owned(),
                visible(&one.tool),
                said.into_owned(),
            ]
        });
        let rows: Vec<Vec<String>> = rows.collect();
        for line in table::rows(&rows, 2, terminal::width()) {
            let style = match line.split_whitespace().next() {
                Some("passed") => GREEN,
                Some("failed") => RED,
                _ => YELLOW,
            };
            let (margin, rest) = line.split_at(2);
            match rest.split_once(' ') {
                Some((state, rest)) if !state.is_empty() => {
                    let state = out.paint(style, state);
                    out.line(&format!("{margin}{state} {rest}"))?;
                }
                _ => out.line(&line)?,
            }
        }
        Ok(())
    }
}

/// Why the examples of a tool are not run; nothing if they are.
fn why_not(
    name: &str,
    number: usize,
    tool: Option<&ToolDescription>,
    out: &mut Out,
) -> Result<Option<&'static str>> {
    let Some(tool) = tool else {
        return Ok(Some("the server has no such tool"));
    };
    let hints = tool.annotations.as_ref();
    if hints.and_then(|hints| hints.read_only) == Some(true) {
        return Ok(None);
    }
    out.flush()?;
    let examples = crate::show::count(number as u64, "example");
    let name = visible(name);
    let question =
        format!("Run {examples} of `{name}` again, which does not declare that it only reads?");
    let agreed = terminal::confirm(&question)?;
    Ok(match agreed {
        Some(true) => None,
        Some(false) => Some("you did not agree"),
        None => Some("it does not declare that it only reads, and nobody can be asked"),
    })
}

/// What a result says of an example.
fn judged(tool: &ProfileTool, example: &Example, result: &Parsed<'_>) -> (State, String) {
    if result.is_error() {
        let texts = result
            .blocks()
            .find_map(|block| Some(block.text()?.into_owned()));
        return (State::Failed, texts.unwrap_or_default());
    }
    let mut expected = tool.clone();
    if expected.output_format().is_none() {
        // The sample says what it was.
        let format = example.output_sample.as_ref().map(type_of);
        let set = expected.set("output_format", format.map(Json::from));
        if set.is_err() {
            return (State::Passed, String::new());
        }
    }
    let types = other_output(&expected, result.document());
    if types.is_empty() {
        return (State::Passed, String::new());
    }
    let before = expected.output_format().unwrap_or_default();
    let message = format!("it is `{}` now, not `{before}`", types.join("`, `"));
    (State::Changed, message)
}

/// The media type of a sample: that of a text, or of JSON.
fn type_of(sample: &Json) -> &'static str {
    let is_data =
        |text: &str| text.trim_start().starts_with(['{', '[']) && Document::new(text).is_ok();
    match sample.to_text() {
        Some(text) if !is_data(&text) => "text/plain",
        Some(_) => "application/json",
        None if is_data(sample.as_str()) => "application/json",
        None => "text/plain",
    }
}

/// Arguments as JN notes them down, as JSON; nothing if there are none.
fn said(input: &Json) -> Option<String> {
    let document = Document::new(input.as_str()).ok()?;
    let values = document
        .root()
        .members()
        .map(|(_, value)| match value.as_str() {
            Some(text) => text.into_owned(),
            None => value.raw().to_owned(),
        });
    let values: Vec<String> = values.collect();
    (!values.is_empty()).then(|| toolwire::json::string(&values.join("+")))
}
