//! What a source says now, as its caller hands it in (LOCK-10).

use std::collections::BTreeMap;

use toolwire::json::{Document, Kind, Node};
use toolwire::{Code, Error, Json};

use super::launched::Launched;
use super::read::launched;

/// What is known of a source now. What nobody looked at is `None`.
#[derive(Default)]
pub(super) struct Observed {
    pub(super) launch: Option<Launched>,
    /// `Some(None)` if the server gives none.
    pub(super) instructions: Option<Option<String>>,
    /// The tools by their names, with their places in the list.
    pub(super) tools: Option<BTreeMap<String, (usize, Json)>>,
    /// The tools that can't be told apart from others, or have no name.
    pub(super) problems: Vec<Problem>,
}

/// A tool that can't be locked, or compared.
pub(super) struct Problem {
    /// Its name; empty if it has none.
    pub(super) name: String,
    /// The tools that are meant.
    pub(super) tools: Vec<Json>,
    pub(super) error: Error,
}

impl Observed {
    pub(super) fn read(now: &Json, place: &str) -> Result<Self, Error> {
        let document = Document::new(now.as_str())?;
        Observed::of(document.root(), place)
    }

    pub(super) fn of(node: Node<'_>, place: &str) -> Result<Self, Error> {
        if node.kind() != Kind::Object {
            return Err(bad(
                place,
                "a source is an object with `launch`, `instructions` and `tools`",
            ));
        }
        let mut now = Observed::default();
        for (name, value) in node.members() {
            let at = format!("{place}/{name}");
            match &*name {
                "launch" => {
                    let mut ignored = Vec::new();
                    let facts = launched(value, &at, Code::BadArgument, &mut ignored)?;
                    now.launch = Some(facts.locked());
                }
                "instructions" if value.kind() == Kind::Null => now.instructions = Some(None),
                "instructions" => match value.as_str() {
                    Some(text) => now.instructions = Some(Some(text.into_owned())),
                    None => return Err(bad(&at, "`instructions` is a string or `null`")),
                },
                "tools" => {
                    let (tools, problems) = tools(value, &at)?;
                    (now.tools, now.problems) = (Some(tools), problems);
                }
                _ => {}
            }
        }
        // A server that was asked for its tools and gave no instructions has none.
        if now.tools.is_some() {
            now.instructions.get_or_insert(None);
        }
        Ok(now)
    }
}

/// Tools by their names, with their places in the list.
type Named = BTreeMap<String, (usize, Json)>;

fn tools(node: Node<'_>, place: &str) -> Result<(Named, Vec<Problem>), Error> {
    if node.kind() != Kind::Array {
        return Err(bad(
            place,
            "`tools` is an array of tools as `tools/list` has them",
        ));
    }
    let mut tools = Named::new();
    let mut problems: Vec<Problem> = Vec::new();
    for (at, tool) in node.elements().enumerate() {
        let place = format!("{place}/{at}/name");
        let name = tool.get("name").and_then(|name| name.as_str());
        let name = name.unwrap_or_default().into_owned();
        let json = Json::from(tool);
        if name.is_empty() {
            problems.push(Problem {
                name,
                tools: vec![json],
                error: bad(&place, "a tool has a `name`, a string that is not empty"),
            });
        } else if let Some(known) = problems.iter_mut().find(|other| other.name == name) {
            known.tools.push(json);
        } else if let Some((_, first)) = tools.remove(&name) {
            problems.push(Problem {
                name,
                tools: vec![first, json],
                error: bad(
                    &place,
                    "two tools have this name; the server has to be mended",
                ),
            });
        } else {
            tools.insert(name, (at, json));
        }
    }
    Ok((tools, problems))
}

pub(super) fn bad(place: &str, message: &str) -> Error {
    Error::new(Code::BadArgument, place, None, message)
}
