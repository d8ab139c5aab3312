//! Long results: the whole is kept for a while, and the model gets its beginning and a tool to read the rest.

mod search;
mod store;

use std::collections::HashMap;
use std::io;
use std::sync::Mutex;
use std::time::Duration;

use serde::Deserialize;
use toolwire::author::Failure;
use toolwire::call::{ToolAnnotations, ToolDescription};
use toolwire::json::{ObjectWriter, array};
use toolwire::{
    BlockKind, BlockView, Envelope, FormatOptions, IdentifyOptions, Json, Limits, MIN_BUDGET,
    Parsed, Role, build, format, identify, parse,
};

use crate::check_arguments;
use search::{From, Pattern, floor, receipt};
use store::Store;

/// The name of the tool that reads what is kept.
pub const KEPT_TOOL: &str = "kept_result";

/// A resource of fewer bytes is given again: a receipt would be as long.
const MIN_RECEIPT: u64 = 1024;

/// The maximum number of resources that are remembered for a session.
const MAX_SENT: usize = 1000;

/// The longest member of a result beside its content that a preview keeps, in bytes of JSON.
const MAX_MEMBER: usize = 4096;

/// From which size on a result is kept, and the limits.
///
/// ```
/// let options = toolwire_host::KeptOptions::default();
/// assert_eq!((options.over, options.preview), (32 * 1024, 4096));
/// ```
#[derive(Debug, Clone)]
pub struct KeptOptions {
    /// A result of more bytes of text, as JSON, is kept; default 32 KiB.
    pub over: usize,
    /// Maximum bytes of its beginning that the model gets; default 4 KiB.
    pub preview: usize,
    /// Maximum bytes that one answer of the tool holds; default 16 KiB.
    pub max_answer: usize,
    /// Maximum bytes of one text; of a longer one, so many are kept; default 16 MiB.
    pub max_one: usize,
    /// Maximum bytes of all texts; default 256 MiB.
    pub max_all: u64,
    /// Maximum number of texts; default 128.
    pub max_results: usize,
    /// How long a text is kept; default 1 hour.
    pub lifetime: Duration,
}

impl KeptOptions {
    /// The defaults, for results of more bytes than this.
    ///
    /// ```
    /// assert_eq!(toolwire_host::KeptOptions::over(1000).preview, 1000);
    /// ```
    #[must_use]
    pub fn over(bytes: usize) -> Self {
        let usual = KeptOptions::default();
        KeptOptions {
            over: bytes,
            preview: usual.preview.min(bytes),
            ..usual
        }
    }
}

impl Default for KeptOptions {
    fn default() -> Self {
        KeptOptions {
            over: 32 * 1024,
            preview: 4096,
            max_answer: 16 * 1024,
            max_one: 16 * 1024 * 1024,
            max_all: 256 * 1024 * 1024,
            max_results: 128,
            lifetime: Duration::from_secs(3600),
        }
    }
}

/// The results that a host keeps, for each principal apart. They are in files that nobody else can open, and gone with
/// this value.
///
/// All functions block while they write or read a file.
///
/// ```
/// use toolwire::{Json, Limits, parse};
/// use toolwire_host::{KeptOptions, KeptResults};
///
/// let kept = KeptResults::new(KeptOptions::default());
/// let long = parse("a line of text\n".repeat(20_000).into_bytes(), &Limits::default());
/// let short = kept.shorten("ada", None, "log", &long)?.expect("it is long");
/// let handle = short.split("handle=").nth(1).unwrap().split(' ').next().unwrap();
///
/// let ask = |lines: u32| Json::new(format!(r#"{{"handle":"{handle}","from_line":9000,"lines":{lines}}}"#)).unwrap();
/// assert!(kept.answer("ada", &ask(2)).to_json().contains("from line 9000"));
/// assert_eq!(kept.answer("bob", &ask(2)).is_error, Some(true));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct KeptResults {
    options: KeptOptions,
    store: Mutex<Store>,
}

/// The resources that a model has got in one session.
#[derive(Debug, Default)]
pub struct Sent(Mutex<Session>);

#[derive(Debug, Default)]
struct Session {
    calls: usize,
    /// By their URIs: the digest, and where the resource stood.
    resources: HashMap<String, (String, String)>,
}

impl KeptResults {
    /// Keeps nothing yet.
    #[must_use]
    pub fn new(options: KeptOptions) -> Self {
        KeptResults {
            options,
            store: Mutex::default(),
        }
    }

    /// Whether a result may have to be shortened, by its JSON; so that others need not be read.
    #[must_use]
    pub fn concerns(&self, json: &str) -> bool {
        json.len() > self.options.over
            || (json.len() as u64 > MIN_RECEIPT && json.contains("\"resource\""))
    }

    /// What the model gets instead of a result of a tool, as JSON: its beginning if it is too long, and receipts in the
    /// place of resources that it has got in this session. Nothing if it gets the result as it is.
    ///
    /// # Errors
    ///
    /// If it can't be kept.
    pub fn shorten(
        &self,
        principal: &str,
        sent: Option<&Sent>,
        tool: &str,
        result: &Parsed<'_>,
    ) -> io::Result<Option<String>> {
        let mut new = Vec::new();
        let receipts = match sent {
            Some(sent) => self.receipts(principal, sent, tool, result, &mut new)?,
            None => HashMap::new(),
        };
        let blocks = result.blocks().map(|block| {
            let receipt = receipts.get(&block.index()).cloned();
            (
                receipt.unwrap_or_else(|| json_of(&block)),
                is_carried(&block),
            )
        });
        let (carried, texts): (Vec<_>, Vec<_>) = blocks.partition(|(_, is_carried)| *is_carried);
        let structured = result.structured_content();
        let size = texts.iter().map(|(text, _)| text.len()).sum::<usize>();
        if size + structured.map_or(0, |value| value.raw().len()) > self.options.over {
            let texts = array(texts.into_iter().map(|(text, _)| text));
            let mut short =
                vec![self.preview(principal, &texts, structured.map(|value| value.raw()))?];
            short.extend(carried.into_iter().map(|(block, _)| block));
            return Ok(Some(with_content(result, array(short), true)));
        }
        if let Some(sent) = sent {
            let mut session = lock(&sent.0);
            for (uri, entry) in new {
                if session.resources.len() < MAX_SENT || session.resources.contains_key(&uri) {
                    session.resources.insert(uri, entry);
                }
            }
        }
        let content = || {
            result.blocks().map(|block| {
                receipts
                    .get(&block.index())
                    .cloned()
                    .unwrap_or_else(|| json_of(&block))
            })
        };
        Ok((!receipts.is_empty()).then(|| with_content(result, array(content()), false)))
    }

    /// The blocks that stand instead of resources that the session has got, by their indexes; `new` gets the others.
    fn receipts(
        &self,
        principal: &str,
        sent: &Sent,
        tool: &str,
        result: &Parsed<'_>,
        new: &mut Vec<(String, (String, String))>,
    ) -> io::Result<HashMap<usize, String>> {
        let mut session = lock(&sent.0);
        session.calls += 1;
        let place = format!(
            "the result of call {} of this session, of `{tool}`",
            session.calls
        );
        let mut receipts = HashMap::new();
        let identities = identify(result, &IdentifyOptions::default()).unwrap_or_default();
        for identity in identities
            .into_iter()
            .filter(|identity| identity.size >= MIN_RECEIPT)
        {
            let block = result
                .blocks()
                .find(|block| block.pointer() == identity.pointer);
            let Some((block, text)) = block.and_then(|block| Some((block, block.text()?))) else {
                continue;
            };
            match session.resources.get(&identity.uri) {
                Some((digest, place)) if *digest == identity.digest && !is_carried(&block) => {
                    let handle = lock(&self.store).keep(principal, &text, &self.options)?;
                    let text = receipt(&identity.uri, identity.size, place, KEPT_TOOL, &handle);
                    receipts.insert(block.index(), text_block(&text));
                }
                _ => new.push((identity.uri, (identity.digest, place.clone()))),
            }
        }
        Ok(receipts)
    }

    /// Keeps what blocks and structured content say, and returns a block with the beginning.
    fn preview(
        &self,
        principal: &str,
        texts: &str,
        structured: Option<&str>,
    ) -> io::Result<String> {
        let document = ObjectWriter::new().json("content", texts).end();
        let parsed = parse(document.into_bytes(), &Limits::WIDEST);
        let options = FormatOptions {
            header: true,
            ..FormatOptions::default()
        };
        let formatted =
            |options: &FormatOptions| format(&parsed, options).map_err(io::Error::other);
        let mut whole = formatted(&options)?;
        // What stands there as text already, as MCP asks for, is not kept twice.
        let structured = structured.filter(|value| whole.trim() != *value);
        let is_only = whole.is_empty();
        if let Some(value) = structured {
            whole = [&whole, value]
                .iter()
                .filter(|part| !part.is_empty())
                .copied()
                .collect::<Vec<_>>()
                .join("\n\n");
        }
        let (bytes, lines) = (whole.len(), whole.lines().count());
        let mut text = format!("[kept] The result has {bytes} bytes in {lines} lines");
        if bytes > self.options.max_one {
            whole.truncate(floor(&whole, self.options.max_one));
            text.push_str(&format!(
                ", of which the first {} bytes are kept",
                whole.len()
            ));
        }
        let handle = lock(&self.store).keep(principal, &whole, &self.options)?;
        let max_bytes = Some(self.options.preview.max(MIN_BUDGET));
        let beginning = match is_only {
            true => whole[..floor(&whole, self.options.preview)].to_owned(),
            false => formatted(&FormatOptions {
                max_bytes,
                ..options
            })?,
        };
        text.push_str(&format!(
            ". This is its beginning; read or search the rest by `{KEPT_TOOL}` with handle={handle} within {} minutes.\n\n",
            self.options.lifetime.as_secs().div_ceil(60)
        ));
        Ok(text_block(&(text + &beginning)))
    }

    /// The tool that reads what is kept.
    #[must_use]
    pub fn tool() -> ToolDescription {
        let about = "Reads or searches a long result of another tool, of which only the beginning was given. Without \
            `search`, it gives lines from `from_line` or `from_byte` on; with it, the lines in which that is found.";
        let mut tool = ToolDescription::new(KEPT_TOOL, schema());
        tool.description = Some(about.to_owned());
        tool.annotations = Some(ToolAnnotations {
            read_only: Some(true),
            open_world: Some(false),
            ..ToolAnnotations::default()
        });
        tool
    }

    /// Answers a call of that tool by a principal. A handle of somebody else is refused like one that never was.
    #[must_use]
    pub fn answer(&self, principal: &str, arguments: &Json) -> Envelope {
        self.look(principal, arguments)
            .unwrap_or_else(Failure::envelope)
    }

    fn look(&self, principal: &str, arguments: &Json) -> Result<Envelope, Failure> {
        check_arguments(KEPT_TOOL, &schema(), arguments)?;
        let asked: Asked = arguments
            .to_value()
            .map_err(|error| Failure::new(error.to_string()))?;
        let pattern = asked
            .search
            .as_deref()
            .map(|pattern| Pattern::new(pattern, asked.regex));
        let pattern = pattern.transpose().map_err(Failure::new)?;
        let read = lock(&self.store).read(principal, &asked.handle, &self.options);
        let text = read.ok_or_else(|| {
            Failure::new("nothing is kept under this handle, or not any more; call the tool again that gave it")
        })?;
        let text =
            text.map_err(|error| Failure::new(format!("the result can't be read: {error}")))?;
        let from = From {
            line: asked.from_line,
            byte: asked.from_byte,
        };
        let piece = match pattern {
            Some(pattern) => search::search(&text, &pattern, from, self.options.max_answer),
            None => search::read(&text, from, asked.lines, self.options.max_answer),
        };
        let block = build::text(piece, Default::default())
            .map_err(|error| Failure::new(error.to_string()))?;
        Ok(Envelope {
            content: vec![block],
            ..Envelope::default()
        })
    }
}

/// The arguments of the tool.
#[derive(Deserialize)]
struct Asked {
    handle: String,
    from_line: Option<usize>,
    from_byte: Option<usize>,
    lines: Option<usize>,
    search: Option<String>,
    #[serde(default)]
    regex: bool,
}

fn schema() -> Json {
    let schema = r#"{"type":"object","properties":{"handle":{"type":"string","description":"The handle that came with the beginning"},"from_line":{"type":"integer","minimum":1,"description":"The first line"},"from_byte":{"type":"integer","minimum":0,"description":"The first byte, instead of a line; each answer says where the next one begins"},"lines":{"type":"integer","minimum":1,"description":"How many lines at most"},"search":{"type":"string","description":"What to search for, verbatim"},"regex":{"type":"boolean","description":"Whether `search` is a regular expression"}},"required":["handle"],"additionalProperties":false}"#;
    // It is JSON, as the tests show.
    Json::new(schema).unwrap_or_else(|_| Json::empty_object())
}

/// Whether a block goes to the model as it is, or not to the model at all: only text is shortened.
fn is_carried(block: &BlockView<'_>) -> bool {
    let audience = block.audience().filter(|roles| !roles.is_empty());
    let is_for_others = audience.is_some_and(|roles| !roles.contains(&Role::Assistant));
    match block.kind() {
        BlockKind::Image | BlockKind::Audio | BlockKind::Question => true,
        BlockKind::Resource => is_for_others || block.text().is_none(),
        _ => is_for_others,
    }
}

fn json_of(block: &BlockView<'_>) -> String {
    block.node().raw().to_owned()
}

fn text_block(text: &str) -> String {
    ObjectWriter::new()
        .text("type", "text")
        .text("text", text)
        .end()
}

/// A result with other content, and without what is long beside it if it was cut.
fn with_content(result: &Parsed<'_>, content: String, is_cut: bool) -> String {
    let mut out = ObjectWriter::new();
    out.json("content", content);
    for (name, value) in result.root().members() {
        let is_long = *name == *"structuredContent" || value.raw().len() > MAX_MEMBER;
        if *name != *"content" && !(is_cut && is_long) {
            out.json(&name, value.raw());
        }
    }
    if result.is_error() && result.root().get("isError").is_none() {
        out.flag("isError", true);
    }
    out.end()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
