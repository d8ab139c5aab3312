//! The tools of the cases in cases/parity.json, in Rust. They are there in Python and Node too.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::process::ExitCode;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolwire::build::{ResourceOptions, resource};
use toolwire::call::AnswerState;
use toolwire_author::{
    Choice, Context, Error, Program, Structured, Tool, ToolError, arguments, form, integer, output,
    select, string,
};

#[arguments]
#[derive(Serialize)]
struct Author {
    /// The full name.
    name: String,
    age: Option<i64>,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Level {
    Low,
    High,
}

/// Take an argument of each type.
///
/// And give most of them back.
#[arguments]
struct Everything {
    /// Some text.
    text: String,
    author: Author,
    /// How often.
    #[serde(default = "one")]
    count: i64,
    #[serde(default = "half")]
    ratio: f64,
    #[serde(default)]
    loud: bool,
    /// How much.
    #[serde(default = "low")]
    #[expect(dead_code, reason = "only its schema counts")]
    level: Level,
    tags: Option<Vec<String>>,
    labels: Option<BTreeMap<String, i64>>,
    #[serde(default)]
    #[expect(dead_code, reason = "only its schema counts")]
    extra: Value,
}

fn one() -> i64 {
    1
}

fn half() -> f64 {
    0.5
}

fn low() -> Level {
    Level::Low
}

#[output]
struct Report {
    text: String,
    count: i64,
    ratio: f64,
    tags: Vec<String>,
    author: Author,
    labels: BTreeMap<String, i64>,
}

fn everything(args: Everything, _: &Context) -> Result<Structured<Report>, Error> {
    Ok(Structured(Report {
        text: match args.loud {
            true => args.text.to_uppercase(),
            false => args.text,
        },
        count: args.count,
        ratio: args.ratio,
        tags: args.tags.unwrap_or_default(),
        author: args.author,
        labels: args.labels.unwrap_or_default(),
    }))
}

/// Give a list.
#[arguments]
struct Squares {
    most: i64,
}

fn squares(args: Squares, _: &Context) -> Result<Structured<Vec<i64>>, Error> {
    Ok(Structured(
        (1..=args.most).map(|number| number * number).collect(),
    ))
}

/// Ask one thing after the other.
#[arguments]
struct Interview {}

fn interview(_: Interview, ctx: &Context) -> Result<String, Error> {
    ctx.emit("Some questions.")?;
    ctx.emit(resource(
        "file:///project/a.rs",
        "fn main() {}",
        ResourceOptions::default(),
    )?)?;
    let name = ctx.answer("name", string("Your name?").max_length(20))?;
    let sizes = [
        Choice::new("S").label("Small"),
        Choice::new("M").label("Medium").description("fits most"),
    ];
    let size = select("Which size?", sizes).default("M");
    let size = ctx.answer_or("size", size, "M".into())?;
    let copies = ctx.ask("copies", integer("How many?").minimum(1).maximum(5))?;
    let told = match (copies.state, copies.value) {
        (AnswerState::Accepted, Some(value)) => value.to_string(),
        (state, _) => state.as_str().to_owned(),
    };
    Ok(format!("{name}, {size}, {told}"))
}

/// Ask for an object.
#[arguments]
struct Release {}

#[arguments]
struct Notes {
    title: String,
    author: Author,
    #[serde(default)]
    breaking: bool,
}

fn release(_: Release, ctx: &Context) -> Result<String, Error> {
    let notes = ctx.answer("notes", form::<Notes>("Which notes?"))?;
    let breaking = if notes.breaking { ", breaking" } else { "" };
    Ok(format!(
        "{} by {}{breaking}",
        notes.title, notes.author.name
    ))
}

/// Fail.
#[arguments]
struct Failing {
    how: String,
}

#[derive(Debug)]
struct Page(io::Error);

impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the page can't be read")
    }
}

impl std::error::Error for Page {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

fn failing(args: Failing, _: &Context) -> Result<(), Error> {
    let cause = match args.how.as_str() {
        "expected" => return Err(ToolError::new("locked").transient(true).into()),
        "transient" => io::Error::new(io::ErrorKind::TimedOut, "no answer in 5 s"),
        _ => io::Error::other("no luck"),
    };
    Err(Page(cause).into())
}

fn main() -> ExitCode {
    let told = |args: Failing, _: &Context| format!("fail {}", args.how);
    Program::new()
        .tool(
            Tool::new("everything", everything)
                .title("Everything")
                .read_only(true),
        )
        .tool(Tool::new("squares", squares))
        .tool(Tool::new("interview", interview))
        .tool(Tool::new("release", release))
        .tool(
            Tool::new("failing", failing)
                .format_arguments(told)
                .destructive(false)
                .idempotent(true)
                .open_world(true),
        )
        .main()
}
