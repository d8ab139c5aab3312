//! A program that tries one way after the other, for patterns with look-around and references.

use std::collections::HashMap;

use fancy_regex::{Assertion, Expr, LookAround};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

use crate::budget::{Allowance, Stop};

/// How often one match may step back and try another way.
const STEPS_BACK: u32 = 100_000;
/// So many instructions are paid for at once.
const FUEL: u64 = 64;

#[derive(Debug)]
enum Op {
    /// A character of a class.
    Class(u32),
    Any,
    AnyInLine,
    /// Two ways, of which the first is tried first.
    Split(usize, usize),
    Jump(usize),
    /// The place in the text is kept.
    Save(usize),
    /// Goes on only if the place is another one than was kept here.
    Moved(usize),
    Assert(Assertion),
    Backref {
        group: usize,
        casei: bool,
    },
    /// The program up to the `Done` before `end` has to match, or must not.
    Look {
        behind: bool,
        negative: bool,
        end: usize,
    },
    /// The same, and the text that it matches is taken; no other way in it is tried.
    Atomic {
        end: usize,
    },
    Done,
}

/// A compiled pattern.
#[derive(Debug)]
pub(crate) struct Program {
    ops: Vec<Op>,
    classes: Vec<ClassUnicode>,
    slots: usize,
    bytes: usize,
}

struct Builder {
    program: Program,
    limit: usize,
    known: HashMap<(String, bool), u32>,
    groups: usize,
    /// The next slot that is no group's.
    spare: usize,
}

fn groups(expr: &Expr) -> usize {
    let own = usize::from(matches!(expr, Expr::Group(_)));
    own + expr.children_iter().map(groups).sum::<usize>()
}

impl Program {
    /// Compiles a syntax tree into at most so many bytes; nothing if it is too large, or if there is
    /// something in it that is not of ECMA-262.
    pub(super) fn new(expr: &Expr, limit: usize) -> Option<Self> {
        let count = groups(expr);
        let mut builder = Builder {
            program: Program {
                ops: Vec::new(),
                classes: Vec::new(),
                slots: 0,
                bytes: 0,
            },
            limit,
            known: HashMap::new(),
            groups: 0,
            spare: 2 * (count + 1),
        };
        builder.add(expr, count)?;
        builder.op(Op::Done)?;
        builder.program.slots = builder.spare;
        builder.program.bytes += 16 * builder.spare;
        Some(builder.program)
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether it matches somewhere; nothing if that takes too many steps back.
    pub(super) fn matches(
        &self,
        text: &str,
        allowance: &mut Allowance,
    ) -> Result<Option<bool>, Stop> {
        let mut run = Run {
            program: self,
            text,
            slots: vec![None; self.slots],
            undo: Vec::new(),
            back: 0,
            fuel: 0,
            held: 0,
            allowance,
        };
        let mut found = Ok(false);
        for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
            match run.from(0, at, None) {
                Ok(None) => {}
                Ok(Some(_)) => {
                    found = Ok(true);
                    break;
                }
                Err(end) => {
                    found = Err(end);
                    break;
                }
            }
            run.back += 1;
        }
        let held = run.held;
        allowance.release(held);
        match found {
            Ok(found) => Ok(Some(found)),
            Err(End::TooLong) => Ok(None),
            Err(End::Stop(stop)) => Err(stop),
        }
    }
}

impl Builder {
    fn take(&mut self, bytes: usize) -> Option<()> {
        self.program.bytes += bytes;
        (self.program.bytes <= self.limit).then_some(())
    }

    fn op(&mut self, op: Op) -> Option<usize> {
        self.take(2 * size_of::<Op>())?;
        self.program.ops.push(op);
        Some(self.program.ops.len() - 1)
    }

    fn here(&self) -> usize {
        self.program.ops.len()
    }

    fn class(&mut self, text: &str, casei: bool) -> Option<()> {
        let key = (text.to_owned(), casei);
        let index = match self.known.get(&key) {
            Some(index) => *index,
            None => {
                let mut parser = ParserBuilder::new().case_insensitive(casei).build();
                let class = class_of(parser.parse(text).ok()?.kind())?;
                self.take(64 + 2 * text.len() + 8 * class.ranges().len())?;
                let index = u32::try_from(self.program.classes.len()).ok()?;
                self.program.classes.push(class);
                self.known.insert(key, index);
                index
            }
        };
        self.op(Op::Class(index)).map(drop)
    }

    fn add(&mut self, expr: &Expr, count: usize) -> Option<()> {
        match expr {
            Expr::Empty => {}
            Expr::Any { newline: true, .. } => drop(self.op(Op::Any)?),
            Expr::Any { crlf: false, .. } => drop(self.op(Op::AnyInLine)?),
            Expr::Assertion(assertion) => drop(self.op(Op::Assert(*assertion))?),
            Expr::Literal { val, casei } => {
                for character in val.chars() {
                    let mut text = String::new();
                    regex_syntax::escape_into(character.encode_utf8(&mut [0; 4]), &mut text);
                    self.class(&text, *casei)?;
                }
            }
            Expr::Delegate { inner, casei } => self.class(inner, *casei)?,
            Expr::Concat(parts) => {
                for part in parts {
                    self.add(part, count)?;
                }
            }
            Expr::Alt(parts) => {
                let mut jumps = Vec::new();
                for (index, part) in parts.iter().enumerate() {
                    if index + 1 == parts.len() {
                        self.add(part, count)?;
                        break;
                    }
                    let split = self.op(Op::Split(0, 0))?;
                    self.add(part, count)?;
                    jumps.push(self.op(Op::Jump(0))?);
                    self.program.ops[split] = Op::Split(split + 1, self.here());
                }
                for jump in jumps {
                    self.program.ops[jump] = Op::Jump(self.here());
                }
            }
            Expr::Group(inner) => {
                self.groups += 1;
                let group = self.groups;
                self.op(Op::Save(2 * group))?;
                self.add(inner, count)?;
                self.op(Op::Save(2 * group + 1))?;
            }
            Expr::LookAround(inner, kind) => {
                let look = self.op(Op::Done)?;
                self.add(inner, count)?;
                self.op(Op::Done)?;
                self.program.ops[look] = Op::Look {
                    behind: matches!(kind, LookAround::LookBehind | LookAround::LookBehindNeg),
                    negative: matches!(kind, LookAround::LookAheadNeg | LookAround::LookBehindNeg),
                    end: self.here(),
                };
            }
            Expr::AtomicGroup(inner) => {
                let atomic = self.op(Op::Done)?;
                self.add(inner, count)?;
                self.op(Op::Done)?;
                self.program.ops[atomic] = Op::Atomic { end: self.here() };
            }
            Expr::Repeat {
                child,
                lo,
                hi,
                greedy,
            } => self.repeat(child, *lo, *hi, *greedy, count)?,
            Expr::Backref { group, casei } if (1..=count).contains(group) => {
                self.op(Op::Backref {
                    group: *group,
                    casei: *casei,
                })?;
            }
            _ => return None,
        }
        Some(())
    }

    fn repeat(
        &mut self,
        child: &Expr,
        lo: usize,
        hi: usize,
        greedy: bool,
        count: usize,
    ) -> Option<()> {
        let (groups, own) = (self.groups, groups(child));
        let split = |to: usize, past: usize| match greedy {
            true => Op::Split(to, past),
            false => Op::Split(past, to),
        };
        // What is repeated has the same groups each time.
        for _ in 0..lo {
            self.groups = groups;
            // Nothing in it: a loop of nothing is still counted.
            self.take(1)?;
            self.add(child, count)?;
        }
        if hi == usize::MAX {
            let slot = self.spare;
            self.spare += 1;
            self.take(16)?;
            let start = self.op(Op::Done)?;
            self.op(Op::Save(slot))?;
            self.groups = groups;
            self.add(child, count)?;
            self.op(Op::Moved(slot))?;
            self.op(Op::Jump(start))?;
            self.program.ops[start] = split(start + 1, self.here());
            self.groups = groups + own;
            return Some(());
        }
        let mut splits = Vec::new();
        for _ in lo..hi {
            splits.push(self.op(Op::Done)?);
            self.groups = groups;
            self.add(child, count)?;
        }
        for start in splits {
            self.program.ops[start] = split(start + 1, self.here());
        }
        self.groups = groups + own;
        Some(())
    }
}

/// The class of one character that this is, if it is.
fn class_of(kind: &HirKind) -> Option<ClassUnicode> {
    match kind {
        HirKind::Class(Class::Unicode(class)) => Some(class.clone()),
        HirKind::Class(Class::Bytes(class)) => class.to_unicode_class(),
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0).ok()?;
            let mut characters = text.chars();
            let (character, None) = (characters.next()?, characters.next()) else {
                return None;
            };
            Some(ClassUnicode::new([ClassUnicodeRange::new(
                character, character,
            )]))
        }
        _ => None,
    }
}

/// Why a run has no result.
enum End {
    TooLong,
    Stop(Stop),
}

impl From<Stop> for End {
    fn from(stop: Stop) -> Self {
        End::Stop(stop)
    }
}

/// Another way that can be tried.
struct Branch {
    op: usize,
    at: usize,
    /// How many of the changes to the slots had been made.
    undo: usize,
}

struct Run<'a> {
    program: &'a Program,
    text: &'a str,
    slots: Vec<Option<usize>>,
    /// What stood in the slots before they were changed.
    undo: Vec<(usize, Option<usize>)>,
    back: u32,
    fuel: u64,
    held: usize,
    allowance: &'a mut Allowance,
}

impl Run<'_> {
    /// Runs from an instruction and a place in the text to `Done`; the place where that is, which has
    /// to be this one if one is given.
    fn from(&mut self, op: usize, at: usize, to: Option<usize>) -> Result<Option<usize>, End> {
        let mut branches: Vec<Branch> = Vec::new();
        let (mut op, mut at) = (op, at);
        loop {
            if self.fuel == 0 {
                self.allowance.step(FUEL)?;
                self.fuel = FUEL;
            }
            self.fuel -= 1;
            let goes_on = match &self.program.ops[op] {
                Op::Done if to.is_none_or(|to| to == at) => return Ok(Some(at)),
                Op::Done => None,
                Op::Split(first, second) => {
                    self.room(&mut branches)?;
                    branches.push(Branch {
                        op: *second,
                        at,
                        undo: self.undo.len(),
                    });
                    Some((*first, at))
                }
                Op::Jump(to) => Some((*to, at)),
                Op::Save(slot) => {
                    self.save(*slot, Some(at))?;
                    Some((op + 1, at))
                }
                Op::Moved(slot) => (self.slots[*slot] != Some(at)).then_some((op + 1, at)),
                Op::Assert(assertion) => holds(*assertion, self.text, at).then_some((op + 1, at)),
                Op::Look {
                    behind,
                    negative,
                    end,
                } => {
                    let undo = self.undo.len();
                    let found = self.look(op + 1, at, *behind)?;
                    if !found || *negative {
                        self.restore(undo);
                    }
                    (found != *negative).then_some((*end, at))
                }
                Op::Atomic { end } => self.from(op + 1, at, None)?.map(|at| (*end, at)),
                Op::Backref { group, casei } => {
                    self.repeated(*group, *casei, at)?.map(|at| (op + 1, at))
                }
                single => self.character(single, at).map(|at| (op + 1, at)),
            };
            match goes_on {
                Some(place) => (op, at) = place,
                None => {
                    let Some(branch) = branches.pop() else {
                        return Ok(None);
                    };
                    self.back += 1;
                    if self.back > STEPS_BACK {
                        return Err(End::TooLong);
                    }
                    self.restore(branch.undo);
                    (op, at) = (branch.op, branch.at);
                }
            }
        }
    }

    fn look(&mut self, op: usize, at: usize, behind: bool) -> Result<bool, End> {
        if !behind {
            return Ok(self.from(op, at, None)?.is_some());
        }
        for start in (0..=at).rev() {
            self.allowance.step(1)?;
            if self.text.is_char_boundary(start) && self.from(op, start, Some(at))?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes one character.
    fn character(&self, op: &Op, at: usize) -> Option<usize> {
        let character = self.text[at..].chars().next()?;
        let fits = match op {
            Op::Any => true,
            Op::AnyInLine => character != '\n',
            Op::Class(class) => {
                let ranges = self.program.classes[*class as usize].ranges();
                let index = ranges.partition_point(|range| range.end() < character);
                ranges
                    .get(index)
                    .is_some_and(|range| range.start() <= character)
            }
            _ => false,
        };
        fits.then_some(at + character.len_utf8())
    }

    /// Takes the text of a group again.
    fn repeated(&mut self, group: usize, casei: bool, at: usize) -> Result<Option<usize>, End> {
        let (Some(start), Some(end)) = (self.slots[2 * group], self.slots[2 * group + 1]) else {
            return Ok(None);
        };
        let text: &str = self.text;
        let Some(before) = text.get(start..end) else {
            return Ok(None);
        };
        self.allowance.read(before.len())?;
        if !casei {
            return Ok(text[at..].starts_with(before).then_some(at + before.len()));
        }
        self.allowance.step(4 * before.len() as u64)?;
        let mut at = at;
        for character in before.chars() {
            let Some(other) = text[at..].chars().next() else {
                return Ok(None);
            };
            if other != character && !other.to_lowercase().eq(character.to_lowercase()) {
                return Ok(None);
            }
            at += other.len_utf8();
        }
        Ok(Some(at))
    }

    fn save(&mut self, slot: usize, at: Option<usize>) -> Result<(), End> {
        if self.undo.len() == self.undo.capacity() {
            let more = self.undo.capacity().max(64);
            self.take(3 * more * size_of::<(usize, Option<usize>)>())?;
            self.undo.reserve_exact(more);
        }
        self.undo.push((slot, self.slots[slot]));
        self.slots[slot] = at;
        Ok(())
    }

    fn restore(&mut self, to: usize) {
        while self.undo.len() > to {
            if let Some((slot, at)) = self.undo.pop() {
                self.slots[slot] = at;
            }
        }
    }

    /// Makes room for one more branch. Old and new room are there at once for a moment.
    fn room(&mut self, branches: &mut Vec<Branch>) -> Result<(), End> {
        if branches.len() == branches.capacity() {
            let more = branches.capacity().max(64);
            self.take(3 * more * size_of::<Branch>())?;
            branches.reserve_exact(more);
        }
        Ok(())
    }

    fn take(&mut self, bytes: usize) -> Result<(), End> {
        self.allowance.hold(bytes)?;
        self.held += bytes;
        Ok(())
    }
}

fn holds(assertion: Assertion, text: &str, at: usize) -> bool {
    let before = || text[..at].chars().next_back();
    let after = || text[at..].chars().next();
    let is_word = |character: Option<char>| {
        character.is_some_and(|character| {
            regex_syntax::try_is_word_character(character).unwrap_or(false)
        })
    };
    match assertion {
        Assertion::StartText => at == 0,
        Assertion::EndText => at == text.len(),
        Assertion::StartLine { .. } | Assertion::StartLineOniguruma { .. } => {
            before().is_none_or(|character| character == '\n')
        }
        Assertion::EndLine { .. } => after().is_none_or(|character| character == '\n'),
        Assertion::EndTextIgnoreTrailingNewlines { .. } => {
            text[at..].bytes().all(|byte| byte == b'\n')
        }
        Assertion::WordBoundary => is_word(before()) != is_word(after()),
        Assertion::NotWordBoundary => is_word(before()) == is_word(after()),
        Assertion::LeftWordBoundary => !is_word(before()) && is_word(after()),
        Assertion::RightWordBoundary => is_word(before()) && !is_word(after()),
        Assertion::LeftWordHalfBoundary => !is_word(before()),
        Assertion::RightWordHalfBoundary => !is_word(after()),
    }
}
