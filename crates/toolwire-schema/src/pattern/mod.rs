//! Regular expressions in counted steps.
//!
//! The engines of other crates can only be bounded for one match, and say afterwards what it took.
//! Here their parsers are used, and their compiler; what they make is run here, so that each step is
//! taken from the allowance before it is done.

mod automaton;
mod backtrack;

use fancy_regex::Expr;
use regex_automata::nfa::thompson::{self, NFA, WhichCaptures};

use crate::budget::{Allowance, Stop};
use backtrack::Program;

/// The most bytes that one compiled regular expression may take (Q-42).
const BYTES: usize = 1024 * 1024;
/// To parse one byte of a pattern takes so many steps.
const PARSING: u64 = 8;
/// What the syntax tree of a pattern takes at most, for each of its bytes.
const TREE: usize = 400;
/// What a named class of characters takes beside, such as `\p{L}`, while a pattern is compiled.
const CLASS: usize = 32 * 1024;

/// A regular expression that can be matched.
#[derive(Debug)]
pub(crate) enum Pattern {
    /// One without look-around and references: all its states are followed at once.
    Automaton(Box<NFA>),
    /// Any other one: one way after the other is tried.
    Program(Program),
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
        let (made, bytes) = made?;
        allowance.hold(bytes)?;
        Ok(made)
    }

    fn make(pattern: &str, allowance: &mut Allowance) -> Result<(Self, usize), NoPattern> {
        let translated = jsonschema_regex::to_rust_regex(pattern).map_err(|()| NoPattern::Bad)?;
        let tree = Expr::parse_tree(&translated).map_err(|_| NoPattern::Bad)?;
        if !is_hard(&tree.expr)
            && let Ok(hir) = regex_syntax::parse(&translated)
        {
            let config = thompson::Config::new()
                .which_captures(WhichCaptures::None)
                .nfa_size_limit(Some(BYTES));
            let mut compiler = thompson::Compiler::new();
            let nfa = compiler.configure(config).build_from_hir(&hir);
            let nfa = nfa.map_err(|_| NoPattern::Bad)?;
            let bytes = nfa.memory_usage() + 256;
            allowance.step(bytes as u64 / 16)?;
            return Ok((Pattern::Automaton(Box::new(nfa)), bytes));
        }
        let program = Program::new(&tree.expr, BYTES).ok_or(NoPattern::Bad)?;
        let bytes = program.bytes();
        allowance.step(bytes as u64 / 16)?;
        Ok((Pattern::Program(program), bytes))
    }

    /// Whether it matches somewhere in a text; nothing if there are too many ways to try.
    pub(crate) fn matches(
        &self,
        text: &str,
        allowance: &mut Allowance,
    ) -> Result<Option<bool>, Stop> {
        match self {
            Pattern::Automaton(nfa) => automaton::matches(nfa, text, allowance).map(Some),
            Pattern::Program(program) => program.matches(text, allowance),
        }
    }
}

/// Whether there is something in it that no finite automaton does.
fn is_hard(expr: &Expr) -> bool {
    match expr {
        Expr::Empty
        | Expr::Any { .. }
        | Expr::Assertion(_)
        | Expr::Literal { .. }
        | Expr::Delegate { .. } => false,
        Expr::Concat(parts) | Expr::Alt(parts) => parts.iter().any(is_hard),
        Expr::Group(inner) => is_hard(inner),
        Expr::Repeat { child, .. } => is_hard(child),
        _ => true,
    }
}

#[cfg(test)]
mod tests;
