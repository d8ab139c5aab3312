//! Commands, as JSON text.

use std::time::Duration;

use toolwire::call::{Answer, AnswerSource};
use toolwire::session::Applied;
use toolwire::{Code, Error, Json};
use toolwire_host::{FetchOptions, SpawnOptions, WaitFor};

use crate::options::{Unit, wrong_member};
use crate::readers::{self, CommandOptions};

/// A command, read.
#[derive(Debug)]
pub(super) enum Command {
    Handle {
        tool: String,
        arguments: Json,
    },
    Spawn {
        id: String,
        tool: String,
        arguments: Json,
        by: AnswerSource,
        options: SpawnOptions,
    },
    Fetch {
        id: String,
        by: AnswerSource,
        options: FetchOptions,
    },
    Apply {
        id: String,
        what: Applied,
        question: Option<String>,
        by: AnswerSource,
        options: FetchOptions,
    },
    Abort {
        id: String,
        by: AnswerSource,
        options: FetchOptions,
    },
    Wait {
        ids: Vec<String>,
        which: WaitFor,
        time: Duration,
    },
    List,
    Tools,
    Announcements,
    EndOfTurn,
    Close,
}

impl Command {
    /// Reads it; what is wrong is an argument.
    pub(super) fn read(text: &str, unit: Unit) -> Result<Self, Error> {
        Command::parse(text, unit).map_err(|error| {
            let code = match error.code() {
                Code::BadOption => Code::BadArgument,
                code => code,
            };
            Error::new(code, error.pointer(), None, error.message())
        })
    }

    fn parse(text: &str, unit: Unit) -> Result<Self, Error> {
        let given = readers::command_job(text, unit)?;
        let mut asked = readers::command_options_in(&given)?;
        // What a host does of its own accord is no person's doing.
        let by = asked.by.unwrap_or(AnswerSource::Policy);
        let arguments = asked.arguments.take().unwrap_or_else(Json::empty_object);
        let action = needed(&mut asked.action, "do")?;
        Ok(match action.as_str() {
            "handle" => Command::Handle {
                tool: needed(&mut asked.tool, "tool")?,
                arguments,
            },
            "spawn" => Command::Spawn {
                id: needed(&mut asked.id, "id")?,
                tool: needed(&mut asked.tool, "tool")?,
                arguments,
                by,
                options: SpawnOptions {
                    label: asked.label.take(),
                    reply: fetch_options(asked),
                },
            },
            "fetch" => Command::Fetch {
                id: needed(&mut asked.id, "id")?,
                by,
                options: fetch_options(asked),
            },
            "apply" => Command::Apply {
                id: needed(&mut asked.id, "id")?,
                // Null is input too.
                what: applied(given.get("input"), asked.answer.take(), by)?,
                question: asked.question.take(),
                by,
                options: fetch_options(asked),
            },
            "abort" => Command::Abort {
                id: needed(&mut asked.id, "id")?,
                by,
                options: fetch_options(asked),
            },
            "wait" => Command::Wait {
                ids: asked.ids,
                which: match asked.any {
                    true => WaitFor::Any,
                    false => WaitFor::All,
                },
                time: asked.time.unwrap_or(DAY),
            },
            "list" => Command::List,
            "tools" => Command::Tools,
            "announcements" => Command::Announcements,
            "end_of_turn" => Command::EndOfTurn,
            "close" => Command::Close,
            other => return Err(wrong_member("do", format!("there is no command `{other}`"))),
        })
    }
}

/// Nobody waits longer.
const DAY: Duration = Duration::from_secs(86_400);

fn needed(text: &mut Option<String>, name: &str) -> Result<String, Error> {
    let text = text.take();
    text.ok_or_else(|| wrong_member(name, format!("`{name}` is a string")))
}

fn fetch_options(asked: CommandOptions) -> FetchOptions {
    FetchOptions {
        after: asked.after.map(|number| number as u64),
        wait: asked.wait,
        until: asked.until,
        view: asked.view,
        ..FetchOptions::default()
    }
}

fn applied(input: Option<Json>, answer: Option<Json>, by: AnswerSource) -> Result<Applied, Error> {
    match (input, answer) {
        (Some(input), None) => Ok(Applied::Input(input)),
        (None, Some(answer)) => {
            let answer = Answer::from_json(answer.as_str())?;
            let (state, value) = (answer.state(), answer.value().cloned());
            Ok(Applied::Answer(Answer::new(state, Some(by), value)?))
        }
        _ => {
            let message = "`input` is given, or `answer`: exactly one of the two";
            Err(wrong_member("input", message.to_owned()))
        }
    }
}
