//! Merging what can't be told apart: the coarsest bisimulation of a graph, written as a numbered list
//! (FP-26).
//!
//! Vertices that lead into no cycle are merged by their label and the classes of their successors, from
//! the leaves up. The others are merged by partition refinement that always goes on with the smaller half
//! (Hopcroft 1971), so that all of it takes O(m log n) for m edges.

use std::collections::HashMap;

use super::refine::refine;

/// The byte of a label that stands for the number of a successor. It occurs in no UTF-8 text.
pub(super) const HOLE: u8 = 0xFF;

/// No vertex, or no class yet.
const NONE: u32 = u32::MAX;

/// Where the label of a vertex and its successors stand.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Vertex {
    pub label: (usize, usize),
    pub edges: (usize, usize),
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
        let (from, to) = self.vertices[vertex as usize].label;
        &self.labels[from..to]
    }

    fn edges(&self, vertex: u32) -> &[u32] {
        let (from, to) = self.vertices[vertex as usize].edges;
        &self.edges[from..to]
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
        out.push(b'[');
        let mut at = 0;
        while let Some(&vertex) = met.get(at) {
            if at > 0 {
                out.push(b',');
            }
            let mut label = self.label(vertex);
            for &target in self.edges(vertex) {
                let hole = label.iter().position(|byte| *byte == HOLE);
                let (before, behind) = label.split_at(hole.unwrap_or(label.len()));
                out.extend_from_slice(before);
                label = behind.get(1..).unwrap_or_default();
                let number = &mut numbers[classes.of[target as usize] as usize];
                if *number == NONE {
                    *number = met.len() as u32;
                    met.push(target);
                }
                out.extend_from_slice(number.to_string().as_bytes());
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
                at = self.edges[vertex.edges.0];
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
        // What tells a vertex from others, as far as the classes of its successors are known: how many
        // there are, those classes, and the label.
        let write_key = |key: &mut Vec<u8>, of: &[u32], vertex: u32| {
            let successors = self.edges(vertex);
            key.clear();
            key.extend_from_slice(&(successors.len() as u32).to_le_bytes());
            for target in successors {
                key.extend_from_slice(&of[*target as usize].to_le_bytes());
            }
            key.extend_from_slice(self.label(vertex));
        };

        let into = self.incoming(reached);
        let mut waits_for = vec![0; self.vertices.len()];
        let mut ready = Vec::new();
        for &vertex in reached {
            waits_for[vertex as usize] = self.edges(vertex).len();
            if self.edges(vertex).is_empty() {
                ready.push(vertex);
            }
        }
        let mut known: HashMap<Vec<u8>, u32> = HashMap::with_capacity(reached.len());
        let mut key = Vec::new();
        while let Some(vertex) = ready.pop() {
            write_key(&mut key, &of, vertex);
            of[vertex as usize] = match known.get(&key) {
                Some(class) => *class,
                None => {
                    let next = known.len() as u32;
                    known.insert(key.clone(), next);
                    next
                }
            };
            for &(_, from) in into.of(vertex) {
                waits_for[from as usize] -= 1;
                if waits_for[from as usize] == 0 {
                    ready.push(from);
                }
            }
        }
        let count = known.len() as u32;

        let on_cycles = |vertex: &u32| waits_for[*vertex as usize] > 0;
        let cyclic: Vec<u32> = reached.iter().copied().filter(on_cycles).collect();
        let keys = cyclic.iter().map(|vertex| {
            let mut key = Vec::new();
            write_key(&mut key, &of, *vertex);
            key
        });
        let blocks = refine(&cyclic, keys, &into, self.vertices.len());
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
        let mut starts = vec![0_u32; self.vertices.len() + 1];
        for &vertex in reached {
            for &target in self.edges(vertex) {
                starts[target as usize + 1] += 1;
            }
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut fill = starts.clone();
        let mut edges = vec![(0, 0); starts[self.vertices.len()] as usize];
        for &vertex in reached {
            for (position, &target) in self.edges(vertex).iter().enumerate() {
                edges[fill[target as usize] as usize] = (position as u32, vertex);
                fill[target as usize] += 1;
            }
        }
        Incoming { starts, edges }
    }
}

/// The class of each vertex that is reached.
struct Classes {
    of: Vec<u32>,
    count: u32,
}

/// The edges of a graph by what they lead to.
pub(super) struct Incoming {
    starts: Vec<u32>,
    edges: Vec<(u32, u32)>,
}

impl Incoming {
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
                label: (label, graph.labels.len()),
                edges: (edge, graph.edges.len()),
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
