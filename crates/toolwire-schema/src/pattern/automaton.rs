//! A finite automaton, all of whose states are followed at once.

use regex_automata::nfa::thompson::{NFA, State};
use regex_automata::util::primitives::StateID;

use crate::budget::{Allowance, Stop};

/// The states that an automaton is in, each once.
struct States {
    /// Where a state stands in the list, if it does.
    places: Vec<u32>,
    list: Vec<StateID>,
}

impl States {
    fn new(count: usize) -> Self {
        States {
            places: vec![0; count],
            list: Vec::with_capacity(count),
        }
    }

    fn insert(&mut self, state: StateID) -> bool {
        let place = self.places[state.as_usize()] as usize;
        if self.list.get(place) == Some(&state) {
            return false;
        }
        self.places[state.as_usize()] = self.list.len() as u32;
        self.list.push(state);
        true
    }
}

/// Whether an automaton finds a match anywhere in a text.
pub(super) fn matches(nfa: &NFA, text: &str, allowance: &mut Allowance) -> Result<bool, Stop> {
    let count = nfa.states().len();
    let bytes = 20 * count;
    allowance.hold(bytes)?;
    allowance.read(bytes)?;
    let found = run(nfa, text.as_bytes(), count, allowance);
    allowance.release(bytes);
    found
}

fn run(nfa: &NFA, text: &[u8], count: usize, allowance: &mut Allowance) -> Result<bool, Stop> {
    let (mut now, mut next) = (States::new(count), States::new(count));
    let mut waiting = Vec::new();
    // A match may begin at each place, or at the first only.
    let anchored = nfa.start_anchored();
    let always_anchored = nfa.is_always_start_anchored();
    for at in 0..=text.len() {
        if (at == 0 || !always_anchored)
            && reach(nfa, anchored, &mut now, &mut waiting, text, at, allowance)?
        {
            return Ok(true);
        }
        let Some(byte) = text.get(at) else { break };
        if now.list.is_empty() && always_anchored {
            break;
        }
        allowance.step(1 + now.list.len() as u64 / 2)?;
        for index in 0..now.list.len() {
            let to = match nfa.state(now.list[index]) {
                State::ByteRange { trans } => trans.matches_byte(*byte).then_some(trans.next),
                State::Sparse(sparse) => {
                    allowance.step(sparse.transitions.len() as u64 / 8)?;
                    sparse.matches_byte(*byte)
                }
                State::Dense(dense) => dense.matches_byte(*byte),
                _ => None,
            };
            if let Some(to) = to
                && reach(nfa, to, &mut next, &mut waiting, text, at + 1, allowance)?
            {
                return Ok(true);
            }
        }
        std::mem::swap(&mut now, &mut next);
        next.list.clear();
    }
    Ok(false)
}

/// Goes to a state and all that are reached from it without a byte; whether one is a match.
fn reach(
    nfa: &NFA,
    state: StateID,
    states: &mut States,
    waiting: &mut Vec<StateID>,
    text: &[u8],
    at: usize,
    allowance: &mut Allowance,
) -> Result<bool, Stop> {
    waiting.clear();
    waiting.push(state);
    while let Some(state) = waiting.pop() {
        if !states.insert(state) {
            continue;
        }
        match nfa.state(state) {
            State::Match { .. } => return Ok(true),
            State::Union { alternates } => {
                allowance.step(1 + alternates.len() as u64 / 2)?;
                waiting.extend_from_slice(alternates);
            }
            State::BinaryUnion { alt1, alt2 } => {
                allowance.step(1)?;
                waiting.extend([*alt1, *alt2]);
            }
            State::Capture { next, .. } => waiting.push(*next),
            State::Look { look, next } => {
                allowance.step(1)?;
                if nfa.look_matcher().matches(*look, text, at) {
                    waiting.push(*next);
                }
            }
            _ => {}
        }
    }
    Ok(false)
}
