//! Regular expressions in bounded time.
//!
//! Those without look-around and references take linear time. Others try one way after the other, up to a
//! limit. An engine does not say what a match took, so it is paid for beforehand, by the shape of the
//! pattern and the length of the text.

use fancy_regex::{Assertion, Expr, Regex, RegexBuilder};

use crate::budget::{Allowance, Stop};

/// Maximum size of one compiled regular expression in bytes (Q-42).
const BYTES: usize = 1024 * 1024;
/// Steps to parse one byte of a pattern.
const PARSING: u64 = 8;
/// Maximum bytes of the syntax tree of a pattern, for each of its bytes.
const TREE: usize = 400;
/// Bytes of a named class of characters, such as `\p{L}`, while a pattern is compiled.
const CLASS: usize = 32 * 1024;
/// Bytes of a compiled state.
const STATE: u64 = 64;
/// States of a class of characters such as `[a-z]`, and of one with a name.
const PLAIN_CLASS: u64 = 16;
const NAMED_CLASS: u64 = 600;
/// States that are visited in one step.
const STATES_A_STEP: u64 = 64;
/// How often a match may step back and try another way, and what it costs in steps to try so long. Most
/// matches take fewer ways than `FEW_WAYS`; the maximum is that of Q-42.
const FEW_WAYS: usize = 1_000;
const MAX_WAYS: usize = 100_000;
const TRYING_FEW: u64 = 200;
const TRYING_ALL: u64 = 20_000;
/// Bytes of an engine without states.
const ENGINE: usize = 16 * 1024;
/// Bytes that an engine holds for a way that is not tried yet, and the maximum number of these.
const WAY: u64 = 24;
const HELD_WAYS: u64 = 1_000_000;

/// A regular expression that can be matched.
#[derive(Debug)]
pub(crate) struct Pattern {
    /// The expression in the syntax of the engine.
    text: String,
    /// It tries few ways only.
    engine: Regex,
    shape: Shape,
}

/// Why there is no such pattern.
#[derive(Debug)]
pub(crate) enum NoPattern {
    /// It is no regular expression, or takes too much room.
    Bad,
    Stop(Stop),
}

impl From<Stop> for NoPattern {
    fn from(stop: Stop) -> Self {
        NoPattern::Stop(stop)
    }
}

impl Pattern {
    /// Compiles a pattern in the syntax of ECMA-262. The bytes that it takes are held.
    pub(crate) fn new(pattern: &str, allowance: &mut Allowance) -> Result<Self, NoPattern> {
        // Each class such as `\d`, and each `\c`, is replaced with a pass of its own.
        let pairs = pattern.as_bytes().windows(2);
        let passes = 3 + pairs
            .filter(|pair| pair[0] == b'\\' && b"cdDsSwW".contains(&pair[1]))
            .count();
        let length = 16 + pattern.len() as u64;
        allowance.step(PARSING.saturating_mul(length).saturating_mul(passes as u64))?;
        let classes = pattern.matches(r"\p").count() + pattern.matches(r"\P").count();
        let tree = (TREE * pattern.len()).saturating_add(CLASS * classes) + 2 * BYTES;
        allowance.hold(tree)?;
        // A compiler that looks at its size goes a little over the limit at most.
        allowance.step(classes as u64 * 1_000)?;
        let made = Self::make(pattern, allowance);
        allowance.release(tree);
        let made = made?;
        allowance.hold(made.shape.bytes())?;
        Ok(made)
    }

    fn make(pattern: &str, allowance: &mut Allowance) -> Result<Self, NoPattern> {
        let translated = jsonschema_regex::to_rust_regex(pattern).map_err(|()| NoPattern::Bad)?;
        let tree = Expr::parse_tree(&translated).map_err(|_| NoPattern::Bad)?;
        let mut shape = Shape::of(&tree.expr).ok_or(NoPattern::Bad)?;
        allowance.read(shape.bytes())?;
        if shape.is_hard && !is_anchored(&tree.expr) {
            shape.loops += 1;
        }
        shape.loops = shape.loops.max(1);
        let engine = compile(&translated, FEW_WAYS).ok_or(NoPattern::Bad)?;
        Ok(Pattern {
            text: translated.into_owned(),
            engine,
            shape,
        })
    }

    /// Whether it matches somewhere in a text; `None` if there are too many ways to try.
    pub(crate) fn matches(
        &self,
        text: &str,
        allowance: &mut Allowance,
    ) -> Result<Option<bool>, Stop> {
        let length = 1 + text.len() as u64;
        let visits = length.saturating_pow(self.shape.loops);
        let visits = visits.saturating_mul(self.shape.states);
        allowance.step(visits / STATES_A_STEP)?;
        if !self.shape.is_hard {
            return Ok(self.engine.is_match(text).ok());
        }
        let bytes = (WAY * visits.min(HELD_WAYS)) as usize;
        allowance.hold(bytes)?;
        allowance.step(TRYING_FEW)?;
        let mut found = self.engine.is_match(text).ok();
        if found.is_none() {
            allowance.step(TRYING_ALL)?;
            let engine = compile(&self.text, MAX_WAYS);
            found = engine.and_then(|engine| engine.is_match(text).ok());
        }
        allowance.release(bytes);
        Ok(found)
    }
}

fn compile(text: &str, ways: usize) -> Option<Regex> {
    let mut builder = RegexBuilder::new(text);
    builder.backtrack_limit(ways).delegate_size_limit(BYTES);
    builder.build().ok()
}

/// What the work of a pattern depends on.
#[derive(Debug)]
struct Shape {
    /// The number of states, repetitions written out.
    states: u64,
    /// How many loops over the text can be inside one another without a step back.
    loops: u32,
    /// Whether there is something in it that is tried one way after the other.
    is_hard: bool,
}

impl Shape {
    /// `None` if a part is of a kind that is not known here.
    fn of(expr: &Expr) -> Option<Self> {
        let (states, is_hard) = match expr {
            Expr::Literal { val, .. } => (val.len() as u64, false),
            Expr::Delegate { inner, .. } if inner.contains(r"\p") || inner.contains(r"\P") => {
                (NAMED_CLASS, false)
            }
            Expr::Delegate { .. } => (PLAIN_CLASS, false),
            Expr::Empty | Expr::Any { .. } | Expr::Group(_) | Expr::Repeat { .. } => (1, false),
            Expr::Concat(_) | Expr::Alt(_) => (1, false),
            Expr::Assertion(Assertion::StartText | Assertion::EndText) => (1, false),
            Expr::Assertion(Assertion::StartLine { .. } | Assertion::EndLine { .. }) => (1, false),
            // The engine tries boundaries of words itself.
            Expr::Assertion(_) | Expr::Backref { .. } => (1, true),
            Expr::LookAround(..) | Expr::AtomicGroup(_) => (1, true),
            _ => return None,
        };
        let mut shape = Shape {
            states,
            loops: 0,
            is_hard,
        };
        for inner in expr.children_iter() {
            let inner = Shape::of(inner)?;
            shape.states = shape.states.saturating_add(inner.states);
            shape.loops = shape.loops.max(inner.loops);
            shape.is_hard |= inner.is_hard;
        }
        if let Expr::Repeat { lo, hi, .. } = expr {
            let is_endless = *hi == usize::MAX;
            let times = if is_endless { *lo } else { *hi };
            shape.states = shape.states.saturating_mul(1 + times as u64);
            shape.loops = match (is_endless, shape.is_hard) {
                (false, _) => shape.loops,
                (true, true) => shape.loops + 1,
                (true, false) => 1,
            };
        }
        Some(shape)
    }

    fn bytes(&self) -> usize {
        (self.states.saturating_mul(STATE) as usize).min(BYTES) + ENGINE
    }
}

/// Whether a match can only begin where the text does.
fn is_anchored(expr: &Expr) -> bool {
    match expr {
        Expr::Assertion(Assertion::StartText) => true,
        Expr::Concat(parts) => parts.first().is_some_and(is_anchored),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
