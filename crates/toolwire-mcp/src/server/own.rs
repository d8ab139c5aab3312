//! The tools of the server itself: to find and call others where there are more than a host wants to send, and to read
//! what is kept of long results.
//!
//! Found tools are called through one that is always listed. Adding them to the list does not reach the models of most
//! clients, which look at it once, and takes the cached beginning of a conversation from the others.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use tokio::sync::Semaphore;
use toolwire::author::{Failure, bad_arguments};
use toolwire::call::{ToolAnnotations, ToolDescription};
use toolwire::json::{Document, ObjectWriter};
use toolwire::mcp::{ResultOptions, Revision, to_result, to_tool};
use toolwire::schema::{Provider, project, tidy};
use toolwire::{Json, Limits, parse};
use toolwire_host::{CheckError, KEPT_TOOL, KeptOptions, KeptResults, check_value};
use toolwire_rpc::{Answer, Message, RpcError};

use super::catalog::Catalog;
use super::context::{Context, Params, object, text};
use super::dispatch::{Handler, no_tools};
use super::{ServeError, ServeOptions};

const SEARCH: &str = "search_tools";
const CALL: &str = "call_tool";

/// How many tools a search gives if the client does not say.
const FOUND: usize = 5;

/// Maximum bytes of the tools that a search gives.
const MAX_FOUND: usize = 32 * 1024;

/// How many long results are written, read and searched at once, since each may be in memory meanwhile.
const AT_ONCE: usize = 2;

/// What is kept of long results.
#[derive(Debug)]
pub(super) struct Kept {
    results: KeptResults,
    at_once: Semaphore,
}

impl Kept {
    pub(super) fn new(options: KeptOptions) -> Arc<Self> {
        Arc::new(Kept {
            results: KeptResults::new(options),
            at_once: Semaphore::new(AT_ONCE),
        })
    }

    /// Does what blocks.
    async fn with<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&KeptResults) -> T + Send + 'static,
    ) -> Option<T> {
        let _permit = self.at_once.acquire().await.ok()?;
        let kept = Arc::clone(self);
        tokio::task::spawn_blocking(move || work(&kept.results))
            .await
            .ok()
    }
}

/// What clients are shown, if that is not what is served, as it is described.
///
/// # Errors
///
/// If a tool has the name of one of the server itself.
pub(super) fn listed(
    catalog: &Catalog,
    options: &ServeOptions,
) -> Result<Option<BTreeMap<String, ToolDescription>>, ServeError> {
    let is_searched = options
        .search_above
        .is_some_and(|most| catalog.0.len() > most);
    let mut own = Vec::new();
    if is_searched {
        own.extend([search_tool(catalog.0.len()), call_tool()]);
    }
    if options.keep.is_some() {
        own.push(KeptResults::tool());
    }
    if own.is_empty() && !options.plain_schemas {
        return Ok(None);
    }
    let mut listed = BTreeMap::new();
    if !is_searched {
        let tools = catalog.0.iter();
        listed.extend(tools.map(|(name, tool)| (name.clone(), shown(&tool.description, options))));
    }
    for tool in own {
        let name = tool.name.clone();
        if catalog.0.contains_key(&name) {
            return Err(ServeError::new(format!(
                "a tool has the name of one of the server itself, `{name}`; use `--prefix`, or leave it out with \
                 `--except`"
            )));
        }
        listed.insert(name, tool);
    }
    report_plain(catalog, options);
    Ok(Some(listed))
}

/// A tool as clients are shown it.
fn shown(tool: &ToolDescription, options: &ServeOptions) -> ToolDescription {
    let mut shown = tool.clone();
    if options.plain_schemas {
        shown.input_schema = plain(&tool.input_schema).0;
        shown.output_schema.take_if(|schema| has_dialect(schema));
    }
    // The beginning of a result does not fit it, and clients refuse a result that does not.
    if options.keep.is_some() {
        shown.output_schema = None;
    }
    shown
}

/// Reports what clients are not shown of the schemas.
fn report_plain(catalog: &Catalog, options: &ServeOptions) {
    let tools = catalog.0.values().filter(|_| options.plain_schemas);
    for (tool, (schema, lost)) in
        tools.map(|tool| (&tool.description, plain(&tool.description.input_schema)))
    {
        let name = &tool.name;
        let say = |what: &str| {
            options
                .reporter
                .report(&format!("the schema of `{name}` {what}"))
        };
        if !lost.is_empty() {
            say(&format!("is shown without {}", lost.join(", ")));
        } else if has_dialect(&schema) {
            say("cannot be shown in a plain form, and is shown as it is");
        } else if schema != tool.input_schema {
            say("is shown in a plain form");
        }
        if tool.output_schema.as_ref().is_some_and(has_dialect) {
            say("of results is not shown: it has no plain form");
        }
    }
}

/// A schema without references and keywords of a dialect, and what that can't say.
fn plain(schema: &Json) -> (Json, Vec<String>) {
    let tidied = tidy(schema);
    if !has_dialect(&tidied) {
        return (tidied, Vec::new());
    }
    // What refers to itself ends somewhere.
    let projected = project(schema, Provider::Google);
    if projected.wrapped {
        return (schema.clone(), Vec::new());
    }
    let losses = projected.losses.iter();
    let losses = losses.map(|loss| format!("`{}` at `{}`", loss.what, loss.pointer));
    (projected.schema, losses.collect())
}

/// Whether a schema has references, or keywords that only some readers know. A property of such a name counts as one.
fn has_dialect(schema: &Json) -> bool {
    let words = [
        "$ref",
        "$defs",
        "$schema",
        "$id",
        "$anchor",
        "$dynamicRef",
        "$dynamicAnchor",
        "$recursiveRef",
        "definitions",
    ];
    let text = schema.as_str();
    words
        .iter()
        .any(|word| text.contains(&format!("\"{word}\":")))
}

fn search_tool(count: usize) -> ToolDescription {
    let schema = r#"{"type":"object","properties":{"query":{"type":"string","description":"Words for what the tool should do, or its name"},"limit":{"type":"integer","minimum":1,"maximum":20}},"required":["query"],"additionalProperties":false}"#;
    let about = format!(
        "Finds tools. This server has {count}, which are not listed: find the one that fits, then call it by `{CALL}`."
    );
    own_tool(SEARCH, schema, about, Some(true))
}

fn call_tool() -> ToolDescription {
    let schema = r#"{"type":"object","properties":{"name":{"type":"string"},"arguments":{"type":"object","description":"As the tool's inputSchema says"}},"required":["name"],"additionalProperties":false}"#;
    let about = format!("Calls a tool that `{SEARCH}` has found.");
    own_tool(CALL, schema, about, None)
}

fn own_tool(name: &str, schema: &str, about: String, read_only: Option<bool>) -> ToolDescription {
    // It is JSON, as the tests show.
    let schema = Json::new(schema).unwrap_or_else(|_| Json::empty_object());
    let mut tool = ToolDescription::new(name, schema);
    tool.description = Some(about);
    tool.annotations = read_only.map(|read_only| ToolAnnotations {
        read_only: Some(read_only),
        ..ToolAnnotations::default()
    });
    tool
}

/// What becomes of a call: it is answered here, or it is one of a served tool.
pub(super) enum Taken<'a> {
    Answered(String),
    Call(Params<'a>),
}

/// Takes the calls of the server's own tools.
pub(super) async fn take<'a>(
    handler: &Handler,
    context: &Context,
    params: Params<'a>,
) -> Result<Taken<'a>, RpcError> {
    let options = &handler.shared.options;
    if options.search_above.is_none() && options.keep.is_none() {
        return Ok(Taken::Call(params));
    }
    let catalog = handler.shared.catalog().await.map_err(no_tools)?;
    let name = text(params.get("name")).unwrap_or_default();
    let Some(tool) = catalog.1.as_ref().and_then(|listed| listed.get(&name)) else {
        return Ok(Taken::Call(params));
    };
    if catalog.0.contains_key(&name) {
        return Ok(Taken::Call(params));
    }
    let arguments =
        object("tools/call", params.get("arguments"))?.unwrap_or_else(Json::empty_object);
    let answer = match misfit(tool, &arguments) {
        Some(failure) => failure.envelope().to_json(),
        None => match (&*name, &handler.shared.kept) {
            (CALL, _) => {
                let given = params.get("arguments").unwrap_or_default();
                let (name, arguments) = (member(given, "name"), member(given, "arguments"));
                return Ok(Taken::Call(params.with_call(name, arguments)));
            }
            (SEARCH, _) => found(&catalog, options, context.revision, &arguments),
            (_, Some(kept)) => {
                let principal = handler.session.principal.clone();
                let answer = kept.with(move |kept| kept.answer(&principal, &arguments).to_json());
                answer.await.unwrap_or_default()
            }
            (_, None) => String::new(),
        },
    };
    let parsed = parse(answer.into_bytes(), &Limits::WIDEST);
    let result = to_result(&parsed, &ResultOptions::new(context.revision));
    Ok(Taken::Answered(result.json.as_str().to_owned()))
}

fn misfit(tool: &ToolDescription, arguments: &Json) -> Option<Failure> {
    match check_value(&tool.input_schema, arguments) {
        Ok(()) => None,
        Err(CheckError::Mismatches(found)) => {
            let found = found.into_iter().map(|one| (one.pointer, one.message));
            Some(bad_arguments(&tool.name, &found.collect::<Vec<_>>()))
        }
        Err(CheckError::BadSchema(error) | CheckError::OverBudget(error)) => {
            Some(Failure::new(error.to_string()))
        }
    }
}

/// A member of an object, verbatim.
fn member<'a>(object: &'a str, name: &str) -> Option<&'a str> {
    let document = Document::new(object).ok()?;
    let value = document.root().get(name)?;
    object.get(value.start()..value.end())
}

/// The tools that a search finds, as a list has them.
fn found(
    catalog: &Catalog,
    options: &ServeOptions,
    revision: Revision,
    arguments: &Json,
) -> String {
    let query = arguments.at("/query").and_then(|query| query.to_text());
    let limit = arguments
        .at("/limit")
        .and_then(|limit| limit.to_value().ok());
    let names = ranked(catalog, &query.unwrap_or_default());
    let mut tools = String::new();
    let mut others = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let tool = shown(&catalog.0[*name].description, options);
        let tool = to_tool(&tool, revision).json;
        if at < limit.unwrap_or(FOUND) && tools.len() + tool.as_str().len() <= MAX_FOUND {
            let _ = writeln!(tools, "{}", tool.as_str());
        } else {
            others.push(format!("`{name}`"));
        }
    }
    others.truncate(20);
    let said = match (names.is_empty(), others.is_empty()) {
        (true, _) => "No tool has these words in its name or description; try others.".to_owned(),
        (false, true) => tools,
        (false, false) => format!(
            "{tools}Less like it, to be searched for by name: {}\n",
            others.join(", ")
        ),
    };
    let block = ObjectWriter::new()
        .text("type", "text")
        .text("text", said)
        .end();
    ObjectWriter::new()
        .json("content", format!("[{block}]"))
        .end()
}

/// The names of the tools that have words of a query, the best first. A word counts more the fewer tools have it, and in
/// a name more than elsewhere.
fn ranked<'a>(catalog: &'a Catalog, query: &str) -> Vec<&'a str> {
    let words = words(query);
    let tools: Vec<_> = catalog
        .0
        .iter()
        .map(|(name, tool)| (name.as_str(), weights(&tool.description)))
        .collect();
    let weight = |weights: &BTreeMap<String, u32>, word: &str| {
        // The beginning of a word finds it, so that a plural finds its singular too.
        let alike = |other: &String| {
            other.starts_with(word) || (other.len() > 2 && word.starts_with(other.as_str()))
        };
        let alike = weights.iter().filter(|(other, _)| alike(other));
        alike
            .map(|(other, weight)| if other == word { 2 * weight } else { *weight })
            .max()
            .unwrap_or(0)
    };
    let mut scores = vec![0.0; tools.len()];
    for word in &words {
        let of_word: Vec<u32> = tools
            .iter()
            .map(|(_, weights)| weight(weights, word))
            .collect();
        let having = of_word.iter().filter(|weight| **weight > 0).count().max(1);
        let rarity = (1.0 + tools.len() as f64 / having as f64).ln();
        for (score, weight) in scores.iter_mut().zip(of_word) {
            *score += f64::from(weight) * rarity;
        }
    }
    let mut found: Vec<(f64, &str)> = scores
        .into_iter()
        .zip(tools.iter().map(|(name, _)| *name))
        .collect();
    found.retain(|(score, _)| *score > 0.0);
    found.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(other.1)));
    found.into_iter().map(|(_, name)| name).collect()
}

/// The words that a tool is found by, with what they count.
fn weights(tool: &ToolDescription) -> BTreeMap<String, u32> {
    let schema = tool.input_schema.at("/properties");
    let document = schema
        .as_ref()
        .and_then(|schema| Document::new(schema.as_str()).ok());
    let properties = document
        .iter()
        .flat_map(|document| document.root().members());
    let properties: Vec<String> = properties.map(|(name, _)| name.into_owned()).collect();
    let texts = [
        (1, properties.join(" ")),
        (2, tool.description.clone().unwrap_or_default()),
        (4, tool.title.clone().unwrap_or_default()),
        (6, tool.name.clone()),
    ];
    let mut all = BTreeMap::new();
    for (weight, text) in texts {
        all.extend(words(&text).into_iter().map(|word| (word, weight)));
    }
    all
}

/// The words of a text in lower case; `getUser` and `get_user` have two.
fn words(text: &str) -> BTreeSet<String> {
    let mut spaced = String::new();
    let mut before = ' ';
    for c in text.chars() {
        if c.is_uppercase() && before.is_lowercase() {
            spaced.push(' ');
        }
        spaced.extend(c.to_lowercase());
        before = c;
    }
    let words = spaced.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// An answer in which a long result is a short one.
pub(super) async fn shortened(handler: &Handler, message: &Message, answer: Answer) -> Answer {
    let Some(kept) = &handler.shared.kept else {
        return answer;
    };
    let is_task = message.method() == "tasks/get";
    let is_result = is_task || message.method() == "tools/call";
    if !is_result
        || !answer
            .as_ref()
            .is_ok_and(|answer| kept.results.concerns(answer))
    {
        return answer;
    }
    let tool = called(message).unwrap_or_default();
    if [SEARCH, KEPT_TOOL].contains(&&*tool) {
        return answer;
    }
    let whole = Arc::new(answer?);
    let (session, text) = (Arc::clone(&handler.session), Arc::clone(&whole));
    let short = kept.with(move |kept| {
        let result = match is_task {
            true => member(&text, "result")?,
            false => &text,
        };
        member(result, "content")?;
        let parsed = parse(result.as_bytes().to_vec(), &Limits::WIDEST);
        // The result of a task can be asked for again, which is no second one.
        let sent = (!is_task).then_some(&session.sent);
        let short = kept.shorten(&session.principal, sent, &tool, &parsed);
        short.transpose().map(|short| {
            short.map(|short| match is_task {
                true => with_result(&text, &short),
                false => short,
            })
        })
    });
    match short.await.flatten() {
        Some(Ok(short)) => return Ok(short),
        Some(Err(error)) => handler.shared.options.reporter.report(&format!(
            "a long result is passed on whole, since it cannot be kept: {error}"
        )),
        None => {}
    }
    Ok(Arc::unwrap_or_clone(whole))
}

/// The name of the tool that a request calls.
fn called(message: &Message) -> Option<String> {
    let params = Params::of(message).ok()?;
    let name = text(params.get("name"))?;
    match &*name {
        CALL => text(member(params.get("arguments")?, "name")),
        _ => Some(name),
    }
}

fn with_result(task: &str, result: &str) -> String {
    let mut out = ObjectWriter::new();
    if let Ok(document) = Document::new(task) {
        for (name, value) in document.root().members() {
            out.json(
                &name,
                if *name == *"result" {
                    result
                } else {
                    value.raw()
                },
            );
        }
    }
    out.end()
}
