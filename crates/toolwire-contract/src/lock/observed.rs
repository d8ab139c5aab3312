//! What a source says now, as its caller hands it in (LOCK-10).

use std::collections::BTreeMap;

use toolwire::json::{Document, Kind, Place};
use toolwire::{Code, Error, Json};

use super::launched::Launched;
use super::read::launched;
use crate::unplaced;

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
    pub(super) fn read(now: &Json) -> Result<Self, Error> {
        let document = Document::new(now.as_str())?;
        Observed::of(Place::new(document.root(), "", Code::BadArgument))
    }

    pub(super) fn of(source: Place<'_>) -> Result<Self, Error> {
        read(source).map_err(|error| unplaced(&error))
    }
}

fn read(source: Place<'_>) -> Result<Observed, Error> {
    let source = source.object()?;
    let launch = source.optional("launch", |launch| launched(launch, &mut Vec::new()))?;
    let instructions = source.optional("instructions", |text| match text.node.kind() {
        Kind::Null => Ok(None),
        _ => text.string().map(Some),
    })?;
    let mut now = Observed {
        launch: launch.map(Launched::locked),
        instructions,
        ..Observed::default()
    };
    if let Some(list) = source.member("tools") {
        let (tools, problems) = tools(&list.array()?);
        (now.tools, now.problems) = (Some(tools), problems);
        // A server that was asked for its tools and gave no instructions has none.
        now.instructions.get_or_insert(None);
    }
    Ok(now)
}

/// Tools by their names, with their places in the list.
type Named = BTreeMap<String, (usize, Json)>;

fn tools(list: &Place<'_>) -> (Named, Vec<Problem>) {
    let mut tools = Named::new();
    let mut problems: Vec<Problem> = Vec::new();
    for (at, tool) in list.elements().enumerate() {
        let name = tool.node.get("name").and_then(|name| name.as_str());
        let name = name.unwrap_or_default().into_owned();
        let json = Json::from(tool.node);
        let problem = |tools: Vec<Json>, message: &str| Problem {
            name: name.clone(),
            tools,
            error: unplaced(&tool.lacks("name", message)),
        };
        if name.is_empty() {
            let message = "a tool has a `name`, a string that is not empty";
            problems.push(problem(vec![json], message));
        } else if let Some(known) = problems.iter_mut().find(|other| other.name == name) {
            known.tools.push(json);
        } else if let Some((_, first)) = tools.remove(&name) {
            let message = "two tools have this name; the server has to be mended";
            problems.push(problem(vec![first, json], message));
        } else {
            tools.insert(name, (at, json));
        }
    }
    (tools, problems)
}
