//! A program with a tool for each thing that a tool can do; the tests run it as a process.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::{Command, ExitCode, Stdio};

use anyhow::Context as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolwire_author::toolwire::build::{self, BlockOptions, ResourceOptions};
use toolwire_author::toolwire::{Block, Envelope, Json};
use toolwire_author::{
    Context, Error, Level, Program, Structured, Tool, ToolError, boolean, form, integer, log,
    log_from, multi_select, progress, select, string,
};

/// Nothing.
#[derive(Deserialize, JsonSchema)]
struct Nothing {}

/// Rename a file.
///
/// Asks before it does.
#[derive(Deserialize, JsonSchema)]
struct Rename {
    /// The file.
    path: String,
    /// Its new name.
    to: String,
}

fn rename(args: Rename, ctx: &Context) -> Result<String, Error> {
    let question = boolean(format!("Rename {} to {}?", args.path, args.to)).default(true);
    if !ctx.answer("confirm", question)? {
        return Ok("Left as it was.".into());
    }
    std::fs::rename(&args.path, &args.to)?;
    Ok(format!("Renamed {} to {}.", args.path, args.to))
}

fn preview(args: Rename, _: &Context) -> String {
    format!("{} → {}", args.path, args.to)
}

/// Words and how often they come.
#[derive(Serialize, JsonSchema)]
struct Counted {
    words: BTreeMap<String, u32>,
    total: usize,
}

#[derive(Deserialize, JsonSchema)]
struct Count {
    text: String,
    /// Words of at least so many characters.
    #[serde(default = "one")]
    least: usize,
}

fn one() -> usize {
    1
}

fn count(args: Count, _: &Context) -> Result<Structured<Counted>, Error> {
    let words = args.text.split_whitespace();
    let mut counted = Counted {
        words: BTreeMap::new(),
        total: 0,
    };
    for word in words.filter(|word| word.chars().count() >= args.least) {
        *counted.words.entry(word.to_owned()).or_default() += 1;
        counted.total += 1;
    }
    Ok(Structured(counted))
}

fn squares(_: Nothing, _: &Context) -> Result<Structured<Vec<u32>>, Error> {
    Ok(Structured(vec![1, 4, 9]))
}

fn noisy(_: Nothing, _: &Context) -> Result<String, Error> {
    println!("a print of the author's");
    Command::new("echo").arg("a child's").status()?;
    Ok("clean".into())
}

/// It says how far it is, and so does a child of it.
fn says(_: Nothing, _: &Context) -> Result<String, Error> {
    progress(1.0, Some(2.0), Some("half"));
    progress(f64::NAN, None, None);
    log(Level::Info, "one\ntwo");
    log_from("db", Level::Warning, "cold");
    let line = r#"printf '{"type":"progress","done":2}\n' >> "${TOOLWIRE_EVENTS:-/dev/null}""#;
    Command::new("sh").args(["-c", line]).status()?;
    Ok("said".into())
}

#[derive(Deserialize, JsonSchema)]
struct Failing {
    how: String,
}

#[derive(Debug)]
struct Wrapper(std::io::Error);

impl std::fmt::Display for Wrapper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the page can't be read")
    }
}

impl std::error::Error for Wrapper {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

fn failing(args: Failing, ctx: &Context) -> Result<Vec<Block>, Error> {
    ctx.emit("Began.")?;
    match args.how.as_str() {
        "panic" => panic!("no luck today"),
        "timeout" => Err(Wrapper(std::io::Error::new(
            std::io::ErrorKind::TimedOut,
            "no answer in 5 s",
        ))
        .into()),
        "missing" => Err(std::fs::read("/no/such/file").unwrap_err().into()),
        "own" => Err(Error::new("the printer is on fire")),
        _ => Ok(vec![build::text("fine", BlockOptions::default())?]),
    }
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Address {
    street: String,
    city: Option<String>,
}

fn interview(_: Nothing, ctx: &Context) -> Result<String, Error> {
    ctx.emit("Some questions.")?;
    let colours = multi_select("Which colours?", ["red", "green"]).at_least(1);
    ctx.announce("colours", &colours)?;
    let name = ctx.answer("name", string("Your name?").max_length(20))?;
    let colours = ctx.answer("colours", colours)?;
    let size = ctx.answer_or("size", select("Which size?", ["S", "M"]), "M".into())?;
    let copies = ctx.ask("copies", integer("How many?").minimum(1).maximum(5))?;
    let address = ctx.answer("address", form::<Address>("Where to?"))?;
    Ok(format!(
        "{name}, {colours:?}, {size}, {} {:?}, {} {:?}",
        copies.state.as_str(),
        copies.value,
        address.street,
        address.city
    ))
}

fn resource(_: Nothing, ctx: &Context) -> Result<Envelope, Error> {
    let uri = format!("file://{}/a.rs", ctx.root().unwrap_or("/project"));
    let block = build::resource(&uri, "fn main() {}", ResourceOptions::default())?;
    Ok(build::envelope(
        vec![block],
        build::EnvelopeOptions::default(),
    )?)
}

#[derive(Deserialize)]
struct Options {
    endpoint: String,
}

fn endpoint(_: Nothing, ctx: &Context) -> Result<String, Box<dyn std::error::Error>> {
    Ok(ctx.options::<Options>()?.endpoint)
}

fn anyhow(_: Nothing, ctx: &Context) -> anyhow::Result<String> {
    if !ctx.answer("go", boolean("Go on?"))? {
        let busy = std::io::Error::new(std::io::ErrorKind::TimedOut, "busy");
        return Err(busy.into());
    }
    let file = "/no/such/file";
    std::fs::read_to_string(file).with_context(|| format!("`{file}` can't be read"))
}

fn boxed(_: Nothing, ctx: &Context) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
    if !ctx.answer("go", boolean("Go on?"))? {
        return Err(Error::new("busy").transient(true).into());
    }
    other_box().map_err(|error| error.to_string().into())
}

fn other_box() -> Result<String, Box<dyn std::error::Error>> {
    Ok(std::fs::read_to_string("/no/such/file")?)
}

/// Starts this program again, with all that a child gets, and with a call on its stdin.
fn starts(_: Nothing, _: &Context) -> Result<String, Error> {
    let mut child = Command::new(std::env::current_exe()?)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let call = r#"{"tool":{"name":"squares"},"context":{"action":"run"}}"#;
    write!(child.stdin.take().expect("a pipe"), "{call}")?;
    let output = child.wait_with_output()?;
    let inherited = ["TOOLWIRE_CALL", "TOOLWIRE_RESULT"].map(|name| std::env::var(name).ok());
    Ok(format!(
        "{inherited:?} {}",
        String::from_utf8_lossy(&output.stdout).trim()
    ))
}

/// Give back a row of a database.
#[derive(Deserialize, Serialize, JsonSchema)]
struct Row {
    id: i64,
    most: u64,
    wide: i128,
    any: serde_json::Number,
    #[schemars(with = "serde_json::Value")]
    exact: Json,
}

fn row(row: Row, _: &Context) -> Result<Structured<Row>, Error> {
    Ok(Structured(row))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "they are shown by their `Debug`")]
struct Notes {
    title: String,
    #[serde(default)]
    breaking: bool,
    by: Option<Author>,
    #[serde(default)]
    change: Change,
}

/// One that keeps what it does not know.
#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "they are shown by their `Debug`")]
struct Author {
    name: String,
    #[serde(flatten)]
    more: BTreeMap<String, serde_json::Value>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(dead_code, reason = "they are shown by their `Debug`")]
enum Change {
    #[default]
    None,
    Text {
        lines: u32,
    },
    Moved(Moved),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "they are shown by their `Debug`")]
struct Moved {
    to: Option<String>,
}

fn notes(args: Notes, _: &Context) -> String {
    format!("{args:?}")
}

fn asks_notes(_: Nothing, ctx: &Context) -> Result<String, Error> {
    Ok(format!(
        "{:?}",
        ctx.answer("notes", form::<Notes>("Which notes?"))?
    ))
}

fn refuses(args: Failing, _: &Context) -> anyhow::Result<()> {
    match args.how.as_str() {
        "busy" => Err(ToolError::new("busy").transient(true).into()),
        "wrapped" => Err(ToolError::new("locked").transient(true)).context("nothing is committed"),
        _ => Err(ToolError::new("there is no such branch").into()),
    }
}

fn main() -> ExitCode {
    if std::env::var_os("NEVER_ANSWERS").is_some() {
        let _program = Program::new().tool(Tool::new("squares", squares));
        return ExitCode::SUCCESS;
    }
    let _thread = std::env::var_os("WITH_A_THREAD")
        .map(|_| std::thread::spawn(|| std::thread::sleep(std::time::Duration::from_secs(60))));
    Program::new()
        .tool(
            Tool::new("rename", rename)
                .format_arguments(preview)
                .destructive(true)
                .title("Rename"),
        )
        .tool(
            Tool::new("count", count)
                .description("Count words.")
                .read_only(true),
        )
        .tool(Tool::new("squares", squares))
        .tool(Tool::new("row", row))
        .tool(Tool::new("noisy", noisy))
        .tool(Tool::new("says", says))
        .tool(
            Tool::new("failing", failing)
                .open_world(true)
                .idempotent(true),
        )
        .tool(Tool::new("interview", interview))
        .tool(Tool::new("resource", resource))
        .tool(Tool::new("endpoint", endpoint))
        .tool(Tool::new("starts", starts))
        .tool(Tool::new("anyhow", anyhow))
        .tool(Tool::new("boxed", boxed))
        .tool(Tool::new("notes", notes))
        .tool(Tool::new("asks_notes", asks_notes))
        .tool(Tool::new("refuses", refuses))
        .main()
}
