//! A program that answers, so that a model can.

use std::time::Duration;

use serde_json::Value;
use toolwire::call::{Answer, AnswerSource};
use toolwire::json::{ObjectWriter, array};
use toolwire::schema::{Projection, Provider, project_answer};
use toolwire::{Block, Exit, Json, Limits, Role, parse};

use crate::transport::control::{EndSwitch, Outputs};
use crate::transport::process::run_with;
use crate::{Answerer, Command, Mismatch, PendingQuestion, ProcessOptions, Reply};

/// An [`Answerer`] that runs a program, so that any model can answer. The program gets a question as JSON on
/// stdin, with the part of its context that is for a model and the schema of the answer in the form that
/// model providers accept. It prints an answer as JSON.
///
/// The program prints `{"answer": value}`, `{"state": "declined"}` or `{"state": "unavailable"}`.
/// Anything else is a failed try, after which it is asked again. After too many of them, the question is
/// unavailable.
///
/// # Examples
///
/// ```
/// use toolwire::{Json, call::{AnswerSource, Call}};
/// use toolwire_host::{Assistant, CallOptions, Command, Process, block_on, call};
///
/// # if cfg!(windows) { return Ok(()); }
/// let script = r#"grep -q '"ok":true' && echo Renamed. ||
///     echo '{"content":[{"type":"question","question":{"id":"ok","text":"Rename?","schema":{"type":"boolean"}}}]}'"#;
/// let tool = Process::from(Command::new("sh").args(["-c", script]));
/// let mut assistant = Assistant::new(Command::new("echo").arg(r#"{"answer": true}"#));
/// let document = Call::new("rename", Json::new("{}")?);
/// let outcome = block_on(call(&tool, document, &CallOptions::default(), &mut assistant))?;
/// assert_eq!(outcome.answers["ok"].source(), Some(AnswerSource::Assistant));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Assistant {
    /// The program.
    pub program: Command,
    /// How it is run; `stdin` and `result_channel` are ignored. The default is a time limit of 2 minutes and
    /// 1 MiB of output.
    pub run: ProcessOptions,
    /// Maximum number of failed tries for one question; default 3, at least one.
    pub max_tries: usize,
    /// Why tries have failed so far, in order.
    pub failures: Vec<String>,
}

impl Assistant {
    /// An assistant with the defaults.
    ///
    /// ```
    /// use toolwire_host::{Assistant, Command};
    ///
    /// let assistant = Assistant::new(Command::new("./ask-a-model.py"));
    /// assert_eq!((assistant.max_tries, assistant.failures.len()), (3, 0));
    /// ```
    #[must_use]
    pub fn new(program: Command) -> Self {
        Assistant {
            program,
            run: ProcessOptions {
                timeout: Some(Duration::from_secs(120)),
                max_output: 1024 * 1024,
                ..ProcessOptions::default()
            },
            max_tries: 3,
            failures: Vec::new(),
        }
    }

    async fn try_all(&mut self, asking: &PendingQuestion) -> Answer {
        let unavailable = || Answer::unavailable(AnswerSource::Assistant);
        let options = ProcessOptions {
            result_channel: false,
            ..self.run.clone()
        };
        let projection = project_answer(&asking.question.schema, Provider::Common);
        let mut mismatches = asking.mismatches.clone();
        for _ in 0..self.max_tries.max(1) {
            let request = request(asking, &projection, &mismatches);
            let control = EndSwitch::default().control(Outputs::default());
            let outcome = match run_with(
                &self.program,
                &options,
                request.as_bytes(),
                false,
                &control,
            )
            .await
            {
                Ok(outcome) => outcome,
                Err(error) => {
                    self.failures.push(error.to_string());
                    return unavailable();
                }
            };
            match read(&outcome, &projection) {
                Ok(answer) => return answer,
                Err(why) => {
                    mismatches = vec![Mismatch {
                        pointer: String::new(),
                        message: why.clone(),
                    }];
                    self.failures.push(why);
                }
            }
        }
        unavailable()
    }
}

impl Answerer for Assistant {
    async fn answer(&mut self, question: &PendingQuestion) -> Answer {
        // What seems to ask for a secret is for a person, and so is consent (Q-110, Q-152).
        if question.secret.is_some() || question.question.url.is_some() {
            return Answer::unavailable(AnswerSource::Policy);
        }
        self.try_all(question).await
    }
}

/// What the program gets.
fn request(asking: &PendingQuestion, projection: &Projection, mismatches: &[Mismatch]) -> String {
    let tool = ObjectWriter::new()
        .optional("name", asking.tool.as_deref())
        .json("arguments", asking.arguments.as_str())
        .end();
    let question = ObjectWriter::new()
        .text("id", &asking.question.id)
        .text("text", &asking.question.text)
        .json("schema", asking.question.schema.as_str())
        .optional_json("default", asking.default.as_ref().map(Json::as_str))
        .end();
    let context = asking.context.iter().map(Block::to_json);
    ObjectWriter::new()
        .number("toolwire", 1)
        .json("tool", tool)
        .json("question", question)
        .json(
            "context",
            array(context.filter(|block| is_for_models(block))),
        )
        .json("schema", projection.schema.as_str())
        .json(
            "mismatches",
            array(mismatches.iter().map(Mismatch::to_json)),
        )
        .end()
}

/// Whether a block is for the assistant too, as FMT-23 says. Whom a block is for, a reading tells:
/// the annotations of a resource can stand in two places.
fn is_for_models(block: &str) -> bool {
    let document = format!(r#"{{"content":[{block}]}}"#);
    let parsed = parse(document.into_bytes(), &Limits::WIDEST);
    let audience = parsed.block(0).and_then(|block| block.audience());
    audience.is_none_or(|roles| roles.is_empty() || roles.contains(&Role::Assistant))
}

/// Why a program gave no answer: how it ended, and the last line of its stderr.
fn why(outcome: &Reply) -> String {
    let stderr = String::from_utf8_lossy(&outcome.report.stderr);
    let last = stderr.lines().map(str::trim).rfind(|line| !line.is_empty());
    let trace = outcome.parsed.trace();
    let mut parts: Vec<&str> = trace.iter().map(|line| line.as_ref()).collect();
    parts.extend(last.filter(|last| !parts.contains(last)));
    match parts.join("; ").as_str() {
        "" => "the program failed".to_owned(),
        parts => parts.replacen("the tool", "the program", 1),
    }
}

/// The answer that the program printed; why it is none, if it is none.
fn read(outcome: &Reply, projection: &Projection) -> Result<Answer, String> {
    if outcome.report.stopped.is_some() || outcome.report.exit != Some(Exit::Code(0)) {
        return Err(why(outcome));
    }
    let not_json = |why: &dyn std::fmt::Display| format!("what was printed is not JSON: {why}");
    let text = std::str::from_utf8(&outcome.report.stdout).map_err(|error| not_json(&error))?;
    let printed = Json::new(text).map_err(|error| not_json(&error))?;
    let expected = || {
        let forms = r#"`{"answer": …}`, `{"state": "declined"}` or `{"state": "unavailable"}`"#;
        format!("what was printed is not {forms}")
    };
    let members: Value = printed.to_value().map_err(|_| expected())?;
    let only = |name: &str| {
        let members = members.as_object().filter(|members| members.len() == 1)?;
        members.get(name)
    };
    if only("answer").is_some() {
        // A model says null where the form that it was given leaves it no way to say nothing.
        let value = projection.unwrap_value(&printed).map_err(|_| expected())?;
        return Ok(Answer::accepted(value, AnswerSource::Assistant));
    }
    let state = match only("state").and_then(Value::as_str) {
        Some("declined") => Answer::declined,
        Some("unavailable") => Answer::unavailable,
        _ => return Err(expected()),
    };
    Ok(state(AnswerSource::Assistant))
}
