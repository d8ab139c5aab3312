//! Merging what can't be told apart: the coarsest bisimulation of a graph, written as a numbered list
//! (FP-26).
//!
//! Vertices that lead into no cycle are merged by their label and the classes of their successors, from
//! the leaves up. The others are merged by partition refinement that always goes on with the smaller half
//! (Hopcroft 1971), so that all of it takes O(m log n) for m edges.

use std::collections::HashMap;
use std::ops::Range;

use foldhash::fast::RandomState;
use memchr::memchr;

use super::refine::refine;

/// The byte of a label that stands for the number of a successor. It occurs in no UTF-8 text.
pub(super) const HOLE: u8 = 0xFF;

/// No vertex, or no class yet.
const NONE: u32 = u32::MAX;

/// A part of a buffer. None is as long as 4 GiB, since a JSON text has at most 64 MiB.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Span {
    from: u32,
    to: u32,
}

impl Span {
    pub(super) fn new(from: usize, to: usize) -> Self {
        Span {
            from: from as u32,
            to: to as u32,
        }
    }

    pub(super) fn range(self) -> Range<usize> {
        self.from as usize..self.to as usize
    }

    pub(super) fn is_empty(self) -> bool {
        self.from == self.to
    }
}

/// Where the label of a vertex and its successors stand.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Vertex {
    pub label: Span,
    pub edges: Span,
    /// It stands for its one successor.
    pub alias: bool,
}

/// A graph whose vertices have a text as a label, with a hole for each successor.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub labels: Vec<u8>,
    pub edges: Vec<u32>,
    pub vertices: Vec<Vertex>,
}

impl Graph {
    fn label(&self, vertex: u32) -> &[u8] {
        &self.labels[self.vertices[vertex as usize].label.range()]
    }

    fn edges(&self, vertex: u32) -> &[u32] {
        &self.edges[self.vertices[vertex as usize].edges.range()]
    }

    /// Appends the classes of all that `root` leads to, as a JSON array: that of `root` first, then each
    /// in the order in which it is first met in those before it.
    pub(super) fn write(mut self, root: u32, out: &mut Vec<u8>) {
        let root = self.without_aliases()[root as usize];
        let reached = self.reached(root);
        let classes = self.classes(&reached);
        let mut numbers = vec![NONE; classes.count as usize];
        let mut met = vec![root];
        numbers[classes.of[root as usize] as usize] = 0;
        out.reserve(self.labels.len() + 4 * self.edges.len());
        out.push(b'[');
        let mut at = 0;
        while let Some(&vertex) = met.get(at) {
            if at > 0 {
                out.push(b',');
            }
            let mut label = self.label(vertex);
            for &target in self.edges(vertex) {
                let hole = memchr(HOLE, label);
                let (before, behind) = label.split_at(hole.unwrap_or(label.len()));
                out.extend_from_slice(before);
                label = behind.get(1..).unwrap_or_default();
                let number = &mut numbers[classes.of[target as usize] as usize];
                if *number == NONE {
                    *number = met.len() as u32;
                    met.push(target);
                }
                write_index(out, *number);
            }
            out.extend_from_slice(label);
            at += 1;
        }
        out.push(b']');
    }

    /// Leads all edges past aliases, and gives the vertex for which each one stands. Of aliases that lead
    /// to each other alone, one stays a vertex, and leads to itself.
    fn without_aliases(&mut self) -> Vec<u32> {
        let mut stands_for = vec![NONE; self.vertices.len()];
        let mut path = Vec::new();
        for start in 0..self.vertices.len() as u32 {
            let mut at = start;
            let end = loop {
                if stands_for[at as usize] != NONE {
                    break stands_for[at as usize];
                }
                let vertex = self.vertices[at as usize];
                if !vertex.alias {
                    break at;
                }
                // A vertex on the path stands for itself until the path has come to its end.
                stands_for[at as usize] = at;
                path.push(at);
                at = self.edges[vertex.edges.range().start];
            };
            stands_for[end as usize] = end;
            path.drain(..)
                .for_each(|passed| stands_for[passed as usize] = end);
        }
        for target in &mut self.edges {
            *target = stands_for[*target as usize];
        }
        stands_for
    }

    fn reached(&self, root: u32) -> Vec<u32> {
        let mut seen = vec![false; self.vertices.len()];
        seen[root as usize] = true;
        let mut reached = vec![root];
        let mut at = 0;
        while let Some(&vertex) = reached.get(at) {
            for &target in self.edges(vertex) {
                if !std::mem::replace(&mut seen[target as usize], true) {
                    reached.push(target);
                }
            }
            at += 1;
        }
        reached
    }

    fn classes(&self, reached: &[u32]) -> Classes {
        let mut of = vec![NONE; self.vertices.len()];
        let mut states = States::new(reached.len());
        let into = self.incoming(reached);
        let mut waits_for = vec![0; self.vertices.len()];
        let mut ready = Vec::new();
        for &vertex in reached {
            waits_for[vertex as usize] = self.edges(vertex).len();
            if self.edges(vertex).is_empty() {
                ready.push(vertex);
            }
        }
        while let Some(vertex) = ready.pop() {
            of[vertex as usize] = states.of(self.label(vertex), self.edges(vertex), &of);
            for &(_, from) in into.of(vertex) {
                waits_for[from as usize] -= 1;
                if waits_for[from as usize] == 0 {
                    ready.push(from);
                }
            }
        }

        let on_cycles = |vertex: &u32| waits_for[*vertex as usize] > 0;
        let cyclic: Vec<u32> = reached.iter().copied().filter(on_cycles).collect();
        let keys: Vec<u32> = cyclic
            .iter()
            .map(|vertex| states.of(self.label(*vertex), self.edges(*vertex), &of))
            .collect();
        let count = states.count;
        let blocks = refine(&cyclic, &keys, &into, self.vertices.len());
        for (vertex, block) in cyclic.iter().zip(&blocks) {
            of[*vertex as usize] = count + block;
        }
        let more = blocks.iter().max().map_or(0, |last| last + 1);
        Classes {
            of,
            count: count + more,
        }
    }

    fn incoming(&self, reached: &[u32]) -> Incoming {
        let edges_of = |vertex: &u32| {
            let targets = self.edges(*vertex).iter().zip(0..);
            let from = *vertex;
            targets.map(move |(to, position)| (*to, (position, from)))
        };
        Incoming::new(self.vertices.len(), || reached.iter().flat_map(edges_of))
    }
}

/// What tells vertices from each other, as far as the classes of their successors are known: a number for
/// each label, and one for each pair of such a number and the class of the next successor. A label says
/// how many successors there are.
struct States<'g> {
    labels: HashMap<&'g [u8], u32, RandomState>,
    pairs: HashMap<(u32, u32), u32, RandomState>,
    count: u32,
}

impl<'g> States<'g> {
    fn new(vertices: usize) -> Self {
        States {
            labels: HashMap::with_capacity_and_hasher(vertices / 2, RandomState::default()),
            pairs: HashMap::with_capacity_and_hasher(vertices / 2, RandomState::default()),
            count: 0,
        }
    }

    /// The number of a vertex with this label and these successors, where `of` has their classes.
    fn of(&mut self, label: &'g [u8], successors: &[u32], of: &[u32]) -> u32 {
        let count = &mut self.count;
        let mut next = || {
            *count += 1;
            *count - 1
        };
        let label = *self.labels.entry(label).or_insert_with(&mut next);
        successors.iter().fold(label, |state, successor| {
            let pair = (state, of[*successor as usize]);
            *self.pairs.entry(pair).or_insert_with(&mut next)
        })
    }
}

/// The class of each vertex that is reached, a number below `count`.
struct Classes {
    of: Vec<u32>,
    count: u32,
}

/// Appends a number in decimal.
fn write_index(out: &mut Vec<u8>, number: u32) {
    let mut digits = [0; 10];
    let (mut at, mut rest) = (digits.len(), number);
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

/// The edges of a graph by what they lead to.
pub(super) struct Incoming {
    starts: Vec<u32>,
    edges: Vec<(u32, u32)>,
}

impl Incoming {
    /// Of a graph of `count` vertices, whose edges `all` gives: what each leads to, its position among those
    /// of the vertex that it comes from, and that.
    pub(super) fn new<E: Iterator<Item = (u32, (u32, u32))>>(
        count: usize,
        all: impl Fn() -> E,
    ) -> Self {
        let mut starts = vec![0_u32; count + 1];
        for (to, _) in all() {
            starts[to as usize] += 1;
        }
        let mut before = 0;
        for start in &mut starts {
            before += std::mem::replace(start, before);
        }
        let mut edges = vec![(0, 0); before as usize];
        for (to, edge) in all() {
            let place = &mut starts[to as usize];
            edges[*place as usize] = edge;
            *place += 1;
        }
        // Each has moved on to where the next one begins.
        starts.rotate_right(1);
        starts[0] = 0;
        Incoming { starts, edges }
    }

    /// The edges to a vertex: their positions among those of the vertex that they come from, and that.
    pub(super) fn of(&self, vertex: u32) -> &[(u32, u32)] {
        let (from, to) = (
            self.starts[vertex as usize],
            self.starts[vertex as usize + 1],
        );
        &self.edges[from as usize..to as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A graph of vertices that are given as a letter and their successors.
    fn graph(vertices: &[(char, &[u32])]) -> Graph {
        let mut graph = Graph::default();
        for (letter, successors) in vertices {
            let (label, edge) = (graph.labels.len(), graph.edges.len());
            graph
                .labels
                .extend_from_slice(letter.to_string().as_bytes());
            graph.labels.extend(successors.iter().map(|_| HOLE));
            graph.edges.extend_from_slice(successors);
            graph.vertices.push(Vertex {
                label: Span::new(label, graph.labels.len()),
                edges: Span::new(edge, graph.edges.len()),
                alias: *letter == '=',
            });
        }
        graph
    }

    fn merged(vertices: &[(char, &[u32])], root: u32) -> String {
        let mut out = Vec::new();
        graph(vertices).write(root, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_is_equal_from_the_leaves_up_is_one() {
        assert_eq!(
            merged(
                &[
                    ('a', &[1, 2]),
                    ('b', &[3]),
                    ('b', &[4]),
                    ('c', &[]),
                    ('c', &[])
                ],
                0
            ),
            "[a11,b2,c]"
        );
        assert_eq!(
            merged(&[('a', &[1, 2]), ('b', &[]), ('c', &[])], 0),
            "[a12,b,c]"
        );
    }

    #[test]
    fn cycles_of_any_length_are_their_shortest() {
        assert_eq!(merged(&[('a', &[0])], 0), "[a0]");
        assert_eq!(merged(&[('a', &[1]), ('a', &[2]), ('a', &[0])], 0), "[a0]");
        assert_eq!(
            merged(&[('a', &[1]), ('b', &[2]), ('a', &[3]), ('b', &[0])], 0),
            "[a1,b0]"
        );
        // A way into a cycle that goes along it first.
        assert_eq!(
            merged(&[('a', &[1]), ('b', &[2]), ('a', &[1])], 0),
            "[a1,b0]"
        );
        // Two cycles that look alike until their last vertex.
        assert_eq!(
            merged(
                &[
                    ('r', &[1, 4]),
                    ('a', &[2]),
                    ('a', &[3]),
                    ('x', &[1]),
                    ('a', &[5]),
                    ('a', &[6]),
                    ('y', &[4])
                ],
                0
            ),
            "[r12,a3,a4,a5,a6,x1,y2]"
        );
    }

    #[test]
    fn aliases_are_what_they_stand_for() {
        assert_eq!(merged(&[('=', &[1]), ('=', &[2]), ('a', &[0])], 0), "[a0]");
        // Those that stand for each other alone.
        assert_eq!(
            merged(&[('a', &[1, 2]), ('=', &[2]), ('=', &[1])], 0),
            "[a11,=1]"
        );
    }

    #[test]
    fn what_the_root_does_not_lead_to_is_left_out() {
        assert_eq!(merged(&[('a', &[]), ('b', &[0])], 0), "[a]");
    }

    /// Classes by comparing all pairs until nothing changes.
    fn slow(graph: &Graph) -> Vec<Vec<bool>> {
        let count = graph.vertices.len() as u32;
        let alike = |a, b| graph.label(a) == graph.label(b);
        let mut same: Vec<Vec<bool>> = (0..count)
            .map(|a| (0..count).map(|b| alike(a, b)).collect())
            .collect();
        loop {
            let mut changed = false;
            for a in 0..count {
                for b in 0..count {
                    let pairs = graph.edges(a).iter().zip(graph.edges(b));
                    if same[a as usize][b as usize]
                        && pairs
                            .into_iter()
                            .any(|(x, y)| !same[*x as usize][*y as usize])
                    {
                        same[a as usize][b as usize] = false;
                        changed = true;
                    }
                }
            }
            if !changed {
                return same;
            }
        }
    }

    #[test]
    fn random_graphs_have_the_classes_that_comparing_all_pairs_finds() {
        // A generator of random numbers is all that is needed (Marsaglia's xorshift).
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut random = |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % below
        };
        let (mut merges, mut cycles) = (0, 0);
        for _ in 0..3000 {
            let count = 1 + random(9);
            let letters = 1 + random(2);
            let vertices: Vec<(char, Vec<u32>)> = (0..count)
                .map(|_| {
                    let letter = random(letters);
                    let successors = (0..letter + random(2))
                        .map(|_| random(count) as u32)
                        .collect();
                    (if letter == 0 { 'a' } else { 'b' }, successors)
                })
                .collect();
            let borrowed: Vec<(char, &[u32])> =
                vertices.iter().map(|(c, to)| (*c, &to[..])).collect();
            let graph = graph(&borrowed);
            let all: Vec<u32> = (0..count as u32).collect();
            let classes = graph.classes(&all);
            let same = slow(&graph);
            for &a in &all {
                for &b in &all {
                    let alike = classes.of[a as usize] == classes.of[b as usize];
                    assert_eq!(
                        alike, same[a as usize][b as usize],
                        "{vertices:?}: {a} and {b}"
                    );
                    merges += u32::from(alike && a != b);
                }
            }
            cycles += u32::from(classes.of.iter().all(|class| *class != NONE));
        }
        assert!(merges > 1000 && cycles == 3000, "{merges} {cycles}");
    }

    #[test]
    fn a_long_chain_into_a_cycle_takes_no_time_that_grows_with_its_square() {
        let count = 200_000;
        let mut successors: Vec<[u32; 1]> = (1..count).map(|next| [next]).collect();
        successors.push([0]);
        let letter = |at: usize| if at == 100_000 { 'x' } else { 'a' };
        let vertices: Vec<(char, &[u32])> = successors
            .iter()
            .enumerate()
            .map(|(at, to)| (letter(at), &to[..]))
            .collect();
        let mut out = Vec::new();
        graph(&vertices).write(0, &mut out);
        assert_eq!(
            out.iter().filter(|byte| **byte == b'a').count(),
            count as usize - 1
        );
    }
}
