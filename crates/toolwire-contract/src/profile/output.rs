//! The media types of a result, and whether they are what a profile expects.

use toolwire::json::{Document, Kind, Node};
use toolwire::{Error, Json};

use super::ProfileTool;

const JSON: &str = "application/json";
const TEXT: &str = "text/plain";

/// The media types of an envelope, each once, in the order of the blocks: those of its resources, images and
/// sounds; `text/plain` for a text, or `application/json` if the text is a JSON object or array; and
/// `application/json` for `structuredContent`.
///
/// # Errors
///
/// Those of [`Document::new`], for a document that is too large.
///
/// # Examples
///
/// ```
/// use toolwire::Json;
/// use toolwire_contract::profile::output_types;
///
/// let envelope = Json::new(r#"{"content":[{"type":"text","text":"BRAF V600E"}]}"#)?;
/// assert_eq!(output_types(&envelope)?, ["text/plain"]);
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn output_types(envelope: &Json) -> Result<Vec<String>, Error> {
    let document = Document::new(envelope.as_str())?;
    let root = document.root();
    let content = root.get("content");
    let blocks = content.iter().flat_map(Node::elements);
    let mut types: Vec<String> = Vec::new();
    let data = root
        .get("structuredContent")
        .filter(|data| data.kind() != Kind::Null);
    for kind in blocks
        .filter_map(block_type)
        .chain(data.map(|_| JSON.to_owned()))
    {
        if !types.contains(&kind) {
            types.push(kind);
        }
    }
    Ok(types)
}

fn block_type(block: Node<'_>) -> Option<String> {
    let text = |node: Option<Node<'_>>| Some(node?.as_str()?.into_owned());
    match text(block.get("type"))?.as_str() {
        "text" => {
            let text = text(block.get("text"))?;
            let is_json = text.trim_start().starts_with(['{', '[']) && Document::new(&text).is_ok();
            Some(if is_json { JSON } else { TEXT }.to_owned())
        }
        "resource" => {
            let resource = block.get("resource")?;
            let bare = match resource.get("text") {
                Some(_) => TEXT,
                None => "application/octet-stream",
            };
            Some(text(resource.get("mimeType")).map_or(bare.to_owned(), |kind| essence(&kind)))
        }
        "image" | "audio" | "resource_link" => {
            text(block.get("mimeType")).map(|kind| essence(&kind))
        }
        _ => None,
    }
}

/// A media type without its parameters.
fn essence(kind: &str) -> String {
    let kind = kind.split(';').next().unwrap_or_default();
    kind.trim().to_ascii_lowercase()
}

impl ProfileTool {
    /// The media types of a result, if none of them is what the profile expects: the tool answers in another
    /// form than when the profile was made. Nothing of an error result, or without `output_format`.
    ///
    /// # Errors
    ///
    /// Those of [`output_types`].
    ///
    /// ```
    /// # use toolwire::Json;
    /// # use toolwire_contract::profile::ProfileTool;
    /// let tool = ProfileTool::new("search", &Json::new(r#"{"output_format":"text/plain"}"#)?)?;
    /// let result = Json::new(r#"{"content":[{"type":"text","text":"{\"gene\":1}"}]}"#)?;
    /// assert_eq!(tool.other_output(&result)?, ["application/json"]);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    pub fn other_output(&self, envelope: &Json) -> Result<Vec<String>, Error> {
        let is_error = envelope
            .at("/isError")
            .is_some_and(|flag| flag == Json::from(true));
        let Some(format) = self.output_format().filter(|_| !is_error) else {
            return Ok(Vec::new());
        };
        let types = output_types(envelope)?;
        Ok(match types.iter().any(|kind| fits(kind, &format)) {
            true => Vec::new(),
            false => types,
        })
    }
}

/// Whether a type is what `output_format` says: the same; of the same kind if that ends in `/*`; or plain text
/// where another kind of text is expected, since a text block names no type.
fn fits(kind: &str, format: &str) -> bool {
    let format = match essence(format).as_str() {
        "text" => TEXT.to_owned(),
        "json" => JSON.to_owned(),
        other => other.to_owned(),
    };
    let general = format
        .strip_suffix('*')
        .filter(|start| start.ends_with('/'));
    kind == format
        || general.is_some_and(|start| kind.starts_with(start))
        || kind == TEXT && format.starts_with("text/")
}
