//! The tools of the server itself: to find and call others where there are more than a host wants to send, and to read
//! what is kept of long results.
//!
//! Found tools are called through one that is always listed. Adding them to the list does not reach the models of most
//! clients, which look at it once, and takes the cached beginning of a conversation from the others.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use tokio::sync::Semaphore;
use toolwire::call::ToolDescription;
use toolwire::json::{Document, ObjectWriter};
use toolwire::mcp::{ResultOptions, Revision, to_result, to_tool};
use toolwire::{Json, Limits, parse};
use toolwire_host::{KEPT_TOOL, KeptOptions, KeptResults, Sent, check_arguments};
use toolwire_rpc::{Answer, Message, RpcError};

use super::catalog::Catalog;
use super::context::{Context, Params, object, text};
use super::error::internal;
use super::shown::{CALL, SEARCH, shown};
use super::{ServeOptions, Shared};

/// How many tools a search gives if the client does not say.
const FOUND: usize = 5;

/// Maximum bytes of the tools that a search gives.
const MAX_FOUND: usize = 32 * 1024;

/// Maximum number of words of a query that are looked at; more would cost time and find nothing else.
const MAX_WORDS: usize = 32;

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

/// What becomes of a call: it is answered here, or it is one of a served tool.
pub(super) enum Taken<'a> {
    Answered(String),
    Call(Params<'a>),
}

/// Takes the calls of the server's own tools, of a principal.
pub(super) async fn take<'a>(
    shared: &Shared,
    principal: &str,
    context: &Context,
    params: Params<'a>,
) -> Result<Taken<'a>, RpcError> {
    let options = &shared.options;
    if options.search_above.is_none() && options.keep.is_none() {
        return Ok(Taken::Call(params));
    }
    let catalog = shared.catalog().await;
    let catalog = catalog.map_err(|error| internal(error.to_string()))?;
    let name = text(params.get("name")).unwrap_or_default();
    let Some(tool) = catalog.1.as_ref().and_then(|listed| listed.get(&name)) else {
        return Ok(Taken::Call(params));
    };
    if catalog.0.contains_key(&name) {
        return Ok(Taken::Call(params));
    }
    let arguments =
        object("tools/call", params.get("arguments"))?.unwrap_or_else(Json::empty_object);
    // What is kept checks its own.
    let checked = match &*name {
        KEPT_TOOL => Ok(()),
        _ => check_arguments(&name, &tool.input_schema, &arguments),
    };
    let answer = match checked {
        Err(failure) => failure.envelope().to_json(),
        Ok(()) => match (&*name, &shared.kept) {
            (CALL, _) => {
                let given = params.get("arguments").unwrap_or_default();
                let (name, arguments) = (member(given, "name"), member(given, "arguments"));
                return Ok(Taken::Call(params.with_call(name, arguments)));
            }
            (SEARCH, _) => found(&catalog, options, context.revision, &arguments),
            (_, Some(kept)) => {
                let principal = principal.to_owned();
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
    let words: Vec<String> = words(query).into_iter().take(MAX_WORDS).collect();
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

/// An answer to a principal in which a long result is a short one; `sent` is what its session has got.
pub(super) async fn shortened(
    shared: &Shared,
    principal: &str,
    sent: &Arc<Sent>,
    message: &Message,
    answer: Answer,
) -> Answer {
    let Some(kept) = &shared.kept else {
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
    let is_searched = shared.options.search_above.is_some();
    let tool = called(message, is_searched).unwrap_or_default();
    if tool == KEPT_TOOL || (is_searched && tool == SEARCH) {
        return answer;
    }
    let whole = Arc::new(answer?);
    let (principal, sent, text) = (principal.to_owned(), Arc::clone(sent), Arc::clone(&whole));
    let short = kept.with(move |kept| {
        let result = match is_task {
            true => member(&text, "result")?,
            false => &text,
        };
        member(result, "content")?;
        let parsed = parse(result.as_bytes().to_vec(), &Limits::WIDEST);
        // The result of a task can be asked for again, which is no second one.
        let sent = (!is_task).then_some(&*sent);
        let short = kept.shorten(&principal, sent, &tool, &parsed);
        short.transpose().map(|short| {
            short.map(|short| match is_task {
                true => with_result(&text, &short),
                false => short,
            })
        })
    });
    match short.await.flatten() {
        Some(Ok(short)) => return Ok(short),
        Some(Err(error)) => shared.options.reporter.report(&format!(
            "a long result is passed on whole, since it cannot be kept: {error}"
        )),
        None => {}
    }
    Ok(Arc::unwrap_or_clone(whole))
}

/// The name of the tool that a request calls.
fn called(message: &Message, is_searched: bool) -> Option<String> {
    let params = Params::of(message).ok()?;
    let name = text(params.get("name"))?;
    match &*name {
        CALL if is_searched => text(member(params.get("arguments")?, "name")),
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
