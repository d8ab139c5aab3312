//! The words of a schema, by where they stand (FP-30, FP-31).

use super::canonical::{Members, canonical, order, write_sorted, write_text};
use super::merge::{Graph, HOLE, Incoming, Span, Vertex};
use super::walk::Walk;
use toolwire::Error;

/// The words of a schema, or nothing if there are none.
pub(super) fn words(walk: &Walk<'_>, reached: &[bool]) -> Result<Option<Vec<u8>>, Error> {
    let names = names(walk, reached);
    let unused = unused(walk, reached)?;
    let spoken = leads_to_words(walk);
    if names.is_empty() && unused.is_empty() && !spoken[0] {
        return Ok(None);
    }
    let mut out = Vec::new();
    let mut members = Members::new(&mut out);
    if !names.is_empty() {
        write_sorted(members.member("names"), names);
    }
    if spoken[0] {
        graph(walk, &spoken).write(0, members.member("schemas"));
    }
    if !unused.is_empty() {
        write_sorted(members.member("unused"), unused);
    }
    members.end();
    Ok(Some(out))
}

/// The names of definitions and anchors.
fn names(walk: &Walk<'_>, reached: &[bool]) -> Vec<Vec<u8>> {
    let definitions = walk
        .definitions
        .iter()
        .map(|definition| (&definition.owner, &definition.name));
    let anchors = walk.anchors.iter().map(|(name, owner)| (owner, name));
    let mut texts = Vec::new();
    for (owner, name) in definitions.chain(anchors) {
        if reached[*owner as usize] {
            let mut text = Vec::new();
            write_text(&mut text, name);
            texts.push(text);
        }
    }
    texts
}

/// The definitions that nothing leads to: they are there for readers alone.
fn unused(walk: &Walk<'_>, reached: &[bool]) -> Result<Vec<Vec<u8>>, Error> {
    walk.definitions
        .iter()
        .filter(|unused| reached[unused.owner as usize] && !reached[unused.place as usize])
        .map(|unused| canonical(unused.node))
        .collect()
}

/// Which places have words, or lead to some that have.
fn leads_to_words(walk: &Walk<'_>) -> Vec<bool> {
    let steps_of = |number: u32| {
        let steps = walk.edges_of(number as usize).iter();
        steps.map(move |edge| (edge.to, (0, number)))
    };
    let count = walk.places.len();
    let into = Incoming::new(count, || (0..count as u32).flat_map(steps_of));
    let mut leads: Vec<bool> = walk
        .places
        .iter()
        .map(|place| !place.words.is_empty())
        .collect();
    let mut waiting: Vec<u32> = (0..count as u32)
        .filter(|number| leads[*number as usize])
        .collect();
    while let Some(number) = waiting.pop() {
        for &(_, from) in into.of(number) {
            if !std::mem::replace(&mut leads[from as usize], true) {
                waiting.push(from);
            }
        }
    }
    leads
}

/// The places with their words, and the steps that lead to words.
fn graph(walk: &Walk<'_>, spoken: &[bool]) -> Graph {
    let mut graph = Graph {
        labels: Vec::with_capacity(walk.words.len() + walk.words.len() / 2),
        edges: Vec::with_capacity(walk.edges.len()),
        vertices: Vec::with_capacity(walk.places.len()),
    };
    let mut edges = Vec::new();
    for (number, place) in walk.places.iter().enumerate() {
        let (label, first) = (graph.labels.len(), graph.edges.len());
        edges.clear();
        let steps = walk.edges_of(number).iter();
        edges.extend(steps.filter(|edge| spoken[edge.to as usize]));
        edges.sort_unstable_by(|a, b| order(walk.pointer(a), walk.pointer(b)));
        let words = &walk.words[place.words.range()];
        let mut members = Members::new(&mut graph.labels);
        if !edges.is_empty() {
            let mut inside = Members::new(members.member("in"));
            for edge in &edges {
                inside.member(walk.pointer(edge)).push(HOLE);
                graph.edges.push(edge.to);
            }
            inside.end();
        }
        if !words.is_empty() {
            let out = members.member("words");
            out.push(b'{');
            out.extend_from_slice(words);
            out.push(b'}');
        }
        members.end();
        let alias =
            words.is_empty() && matches!(edges[..], [only] if walk.pointer(only) == "/$ref");
        graph.vertices.push(Vertex {
            label: Span::new(label, graph.labels.len()),
            edges: Span::new(first, graph.edges.len()),
            alias,
        });
    }
    graph
}
