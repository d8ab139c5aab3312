//! From a tool to what its three fingerprints are the digests of (section 27.1).

use toolwire::json::{Document, Kind, Node};
use toolwire::{Code, Error};

use super::canonical::{Members, sorted_members, write_value};
use super::schema::{Normal, normalize};
use super::{FingerprintOptions, Projections, bad_tool, written};

/// The version of this normalization, which each projection holds under its own name (FP-5).
const VERSION: &[u8] = b"1";

/// The parts of a tool. A member that is null is not there.
#[derive(Default)]
struct Tool<'a> {
    name: Option<Node<'a>>,
    title: Option<Node<'a>>,
    description: Option<Node<'a>>,
    icons: Option<Node<'a>>,
    input: Option<Normal>,
    output: Option<Normal>,
    annotations: Option<Node<'a>>,
    execution: Option<Node<'a>>,
    meta: Option<Node<'a>>,
    others: Vec<(String, Node<'a>)>,
}

/// The projections of a tool, not yet held to any limit.
pub(super) struct Texts {
    pub contract: Vec<u8>,
    pub text: Vec<u8>,
    pub safety: Vec<u8>,
}

impl Texts {
    pub(super) fn written(self) -> Result<Projections, Error> {
        Ok(Projections {
            contract: written(self.contract)?,
            text: written(self.text)?,
            safety: written(self.safety)?,
        })
    }
}

/// The texts of the projections of a tool.
pub(super) fn texts(tool: Node<'_>, options: &FingerprintOptions) -> Result<Texts, Error> {
    let tool = read(tool, options.max_schemas)?;
    Ok(Texts {
        contract: contract(&tool)?,
        text: text(&tool)?,
        safety: safety(&tool, options)?,
    })
}

fn read(node: Node<'_>, most: usize) -> Result<Tool<'_>, Error> {
    if node.kind() != Kind::Object {
        return Err(bad_tool(
            "",
            format!("a tool is an object, not {}", node.kind().name()),
        ));
    }
    let mut tool = Tool::default();
    for (name, value) in sorted_members(node) {
        if value.kind() == Kind::Null {
            continue;
        }
        match name.as_ref() {
            "name" => tool.name = Some(value),
            "title" => tool.title = Some(value),
            "description" => tool.description = Some(value),
            "icons" => tool.icons = Some(value),
            "inputSchema" => tool.input = Some(normalize(value, "/inputSchema", most)?),
            "outputSchema" => tool.output = Some(normalize(value, "/outputSchema", most)?),
            "annotations" => tool.annotations = Some(value),
            "execution" => tool.execution = Some(value),
            "_meta" => tool.meta = Some(value),
            _ => tool.others.push((name.into_owned(), value)),
        }
    }
    if tool.name.is_none_or(|name| name.kind() != Kind::String) {
        return Err(bad_tool("/name", "a tool has a `name`, a string"));
    }
    if tool.input.is_none() {
        return Err(bad_tool("/inputSchema", "a tool has an `inputSchema`"));
    }
    Ok(tool)
}

fn contract(tool: &Tool<'_>) -> Result<Vec<u8>, Error> {
    let size = |schema: &Option<Normal>| schema.as_ref().map_or(0, |schema| schema.contract.len());
    let mut out = Vec::with_capacity(size(&tool.input) + size(&tool.output) + 256);
    let mut members = Members::new(&mut out);
    members.member("contract").extend_from_slice(VERSION);
    if let Some(schema) = &tool.input {
        members.member("input").extend_from_slice(&schema.contract);
    }
    if let Some(name) = tool.name {
        write_value(members.member("name"), name)?;
    }
    if let Some(schema) = &tool.output {
        members.member("output").extend_from_slice(&schema.contract);
    }
    members.end();
    Ok(out)
}

fn text(tool: &Tool<'_>) -> Result<Vec<u8>, Error> {
    let size = |schema: &Option<Normal>| {
        let words = schema.as_ref().and_then(|schema| schema.text.as_ref());
        words.map_or(0, Vec::len)
    };
    let mut out = Vec::with_capacity(size(&tool.input) + size(&tool.output) + 1024);
    let mut members = Members::new(&mut out);
    let titles = tool
        .annotations
        .and_then(|annotations| annotations.get("title"));
    if let Some(title) = titles.filter(|title| title.kind() != Kind::Null) {
        let mut annotations = Members::new(members.member("annotations"));
        write_value(annotations.member("title"), title)?;
        annotations.end();
    }
    for (name, value) in [("description", tool.description), ("icons", tool.icons)] {
        if let Some(value) = value {
            write_value(members.member(name), value)?;
        }
    }
    for (name, schema) in [("input", &tool.input), ("output", &tool.output)] {
        if let Some(words) = schema.as_ref().and_then(|schema| schema.text.as_ref()) {
            members.member(name).extend_from_slice(words);
        }
    }
    members.member("text").extend_from_slice(VERSION);
    if let Some(title) = tool.title {
        write_value(members.member("title"), title)?;
    }
    members.end();
    Ok(out)
}

fn safety(tool: &Tool<'_>, options: &FingerprintOptions) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    let mut members = Members::new(&mut out);
    if let Some(annotations) = tool.annotations {
        write_annotations(&mut members, annotations)?;
    }
    if let Some(execution) = tool.execution.filter(says_something) {
        write_value(members.member("execution"), execution)?;
    }
    if let Some(launch) = &options.launch {
        let document = Document::new(launch.as_str())?;
        if document.root().kind() != Kind::Object {
            let message = "`launch` is an object of facts, such as `{\"transport\":\"stdio\"}`";
            return Err(Error::new(Code::BadOption, "/launch", None, message));
        }
        write_value(members.member("launch"), document.root())?;
    }
    if let Some(meta) = tool.meta.filter(says_something) {
        write_value(members.member("meta"), meta)?;
    }
    if !tool.others.is_empty() {
        let mut others = Members::new(members.member("other"));
        for (name, value) in &tool.others {
            write_value(others.member(name), *value)?;
        }
        others.end();
    }
    members.member("safety").extend_from_slice(VERSION);
    members.end();
    Ok(out)
}

/// All annotations but the title.
fn write_annotations(members: &mut Members<'_>, annotations: Node<'_>) -> Result<(), Error> {
    if annotations.kind() != Kind::Object {
        return write_value(members.member("annotations"), annotations);
    }
    let mut hints = sorted_members(annotations);
    hints.retain(|(name, value)| name != "title" && value.kind() != Kind::Null);
    if hints.is_empty() {
        return Ok(());
    }
    let mut inside = Members::new(members.member("annotations"));
    for (name, value) in hints {
        write_value(inside.member(&name), value)?;
    }
    inside.end();
    Ok(())
}

fn says_something(value: &Node<'_>) -> bool {
    value.kind() != Kind::Object || !value.is_empty()
}
