//! One schema in normal form: its contract and its words (section 27.3).

use toolwire::json::{Kind, Node};
use toolwire::{Code, Error};

use super::bad_tool;
use super::canonical::{Members, write_text, write_value};
use super::keywords::dialect;
use super::merge::{Graph, Vertex};
use super::text::words;
use super::walk::Walk;

/// A schema in two halves, each as JSON text.
pub(super) struct Normal {
    pub contract: Vec<u8>,
    /// Nothing if it has no words.
    pub text: Option<Vec<u8>>,
}

/// The normal form of the schema that stands at `pointer`.
///
/// # Errors
///
/// `bad_tool` if it is neither an object nor a boolean; those of [`Walk::new`].
pub(super) fn normalize(root: Node<'_>, pointer: &str, most: usize) -> Result<Normal, Error> {
    if !matches!(root.kind(), Kind::Object | Kind::Bool) {
        let message = format!(
            "a schema is an object or a boolean, not {}",
            root.kind().name()
        );
        return Err(bad_tool(pointer, message));
    }
    let Some(dialect) = dialect_of(root) else {
        return to_the_letter(root, None);
    };
    let walk = Walk::new(root, most).map_err(|error| match error.code() {
        Code::LimitSchemas => Error::new(error.code(), pointer, None, error.message()),
        _ => error,
    })?;
    if walk.letter {
        return to_the_letter(root, Some(dialect));
    }
    let text = words(&walk, &walk.reached())?;
    let mut contract = Vec::new();
    let mut members = Members::new(&mut contract);
    write_text(members.member("dialect"), dialect);
    graph(walk).write(0, members.member("schemas"));
    members.end();
    Ok(Normal { contract, text })
}

/// The word for the dialect of a schema; nothing if it is none that the table of keywords has.
fn dialect_of(root: Node<'_>) -> Option<&'static str> {
    match root.get("$schema") {
        None => Some("2020-12"),
        Some(uri) => dialect(&uri.as_str()?),
    }
}

/// A schema that can't be taken apart. Its words are in its contract.
fn to_the_letter(root: Node<'_>, dialect: Option<&str>) -> Result<Normal, Error> {
    let mut contract = Vec::new();
    let mut members = Members::new(&mut contract);
    if let Some(dialect) = dialect {
        write_text(members.member("dialect"), dialect);
    }
    write_value(members.member("literal"), root)?;
    members.end();
    Ok(Normal {
        contract,
        text: None,
    })
}

fn graph(walk: Walk<'_>) -> Graph {
    let vertex = |place: &super::walk::Place| Vertex {
        label: place.label,
        edges: place.edges,
        alias: place.bare,
    };
    Graph {
        vertices: walk.places.iter().map(vertex).collect(),
        labels: walk.labels,
        edges: walk.edges.iter().map(|edge| edge.to).collect(),
    }
}
