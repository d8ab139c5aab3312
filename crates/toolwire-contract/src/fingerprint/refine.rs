//! Partition refinement: the coarsest partition of some vertices in which those of one block have
//! successors in the same blocks.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::merge::Incoming;

/// No place.
const NONE: u32 = u32::MAX;

/// The block of each of `vertices`. Vertices with different keys are in different blocks; those with
/// equal ones have as many successors among `vertices`, at the same positions. `into` has the edges of a
/// graph of `count` vertices.
pub(super) fn refine(vertices: &[u32], keys: &[u32], into: &Incoming, count: usize) -> Vec<u32> {
    let mut place_of = vec![NONE; count];
    for (place, &vertex) in vertices.iter().enumerate() {
        place_of[vertex as usize] = place as u32;
    }
    let mut partition = Partition::new(keys);
    let mut waiting: Vec<u32> = (0..partition.blocks.len() as u32).collect();
    let mut edges = Vec::new();
    while let Some(splitter) = waiting.pop() {
        edges.clear();
        for &member in partition.members(splitter) {
            let edges_to = into.of(vertices[member as usize]).iter();
            edges.extend(edges_to.map(|(position, from)| (*position, place_of[*from as usize])));
        }
        edges.sort_unstable();
        for same_position in edges.chunk_by(|a, b| a.0 == b.0) {
            for &(_, from) in same_position {
                partition.mark(from);
            }
            // Whatever the block that is split waits for, its smaller half is enough: it was, or is to be,
            // looked at as a whole.
            partition.split_marked(|smaller| waiting.push(smaller));
        }
    }
    partition.block_of
}

/// A range of `order`; the first `marked` of it are marked.
struct Block {
    from: u32,
    to: u32,
    marked: u32,
}

struct Partition {
    /// The members, those of a block side by side.
    order: Vec<u32>,
    /// Where each member stands in `order`.
    at: Vec<u32>,
    block_of: Vec<u32>,
    blocks: Vec<Block>,
    /// The blocks with marked members.
    touched: Vec<u32>,
}

impl Partition {
    fn new(keys: &[u32]) -> Self {
        let mut numbers: HashMap<u32, u32, RandomState> = HashMap::default();
        let mut block_of = Vec::with_capacity(keys.len());
        for key in keys {
            let next = numbers.len() as u32;
            block_of.push(*numbers.entry(*key).or_insert(next));
        }
        let mut order: Vec<u32> = (0..block_of.len() as u32).collect();
        order.sort_by_key(|member| block_of[*member as usize]);
        let mut blocks: Vec<Block> = Vec::with_capacity(numbers.len());
        let mut at = vec![0; order.len()];
        for (place, &member) in order.iter().enumerate() {
            let place = place as u32;
            at[member as usize] = place;
            match blocks.get_mut(block_of[member as usize] as usize) {
                Some(block) => block.to = place + 1,
                None => blocks.push(Block {
                    from: place,
                    to: place + 1,
                    marked: 0,
                }),
            }
        }
        Partition {
            order,
            at,
            block_of,
            blocks,
            touched: Vec::new(),
        }
    }

    fn members(&self, block: u32) -> &[u32] {
        let block = &self.blocks[block as usize];
        &self.order[block.from as usize..block.to as usize]
    }

    /// Marks a member that is not marked.
    fn mark(&mut self, member: u32) {
        let number = self.block_of[member as usize];
        let block = &mut self.blocks[number as usize];
        let (here, there) = (self.at[member as usize], block.from + block.marked);
        let other = self.order[there as usize];
        self.order.swap(here as usize, there as usize);
        self.at[member as usize] = there;
        self.at[other as usize] = here;
        block.marked += 1;
        if block.marked == 1 {
            self.touched.push(number);
        }
    }

    /// Splits the blocks of which some members are marked, gives the smaller half of each, and takes all
    /// marks away.
    fn split_marked(&mut self, mut smaller_half: impl FnMut(u32)) {
        for number in std::mem::take(&mut self.touched) {
            let next = self.blocks.len() as u32;
            let block = &mut self.blocks[number as usize];
            let marked = std::mem::take(&mut block.marked);
            let (from, middle, to) = (block.from, block.from + marked, block.to);
            if middle == to {
                continue;
            }
            let half = if marked <= to - middle {
                block.from = middle;
                (from, middle)
            } else {
                block.to = middle;
                (middle, to)
            };
            self.blocks.push(Block {
                from: half.0,
                to: half.1,
                marked: 0,
            });
            for &member in &self.order[half.0 as usize..half.1 as usize] {
                self.block_of[member as usize] = next;
            }
            smaller_half(next);
        }
    }
}
