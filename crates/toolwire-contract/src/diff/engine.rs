//! What a proof and a search share: the schemas of both sides, what is known of them, and the budget.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use toolwire::Json;
use toolwire::json::ObjectWriter;
use toolwire_schema::{Allowance, Budget, check_value_within};

use super::alternatives::Alternative;
use super::graph::{Graph, Id};
use super::value::Value;

/// Why nothing is decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stop {
    Budget,
    Unknown(String),
}

impl Stop {
    pub(super) fn reason(self) -> String {
        match self {
            Stop::Budget => "it takes more steps than the budget allows".to_owned(),
            Stop::Unknown(reason) => reason,
        }
    }
}

#[derive(Debug)]
pub(super) struct Engine {
    pub(super) graph: Graph,
    /// Steps that are left.
    left: u64,
    /// How many proofs, and how many schemas that are being written as alternatives, are in one another.
    pub(super) depth: usize,
    pub(super) alternatives: HashMap<(Id, bool), Rc<Vec<Alternative>>>,
    pub(super) together: HashMap<Vec<Id>, Rc<Vec<Alternative>>>,
    /// The schemas that are being written as alternatives.
    pub(super) active: BTreeSet<(Id, bool)>,
    /// Whether a text is allowed by a keyword such as `pattern`, as the validator says.
    texts: HashMap<(String, String, String), bool>,
    /// Small values of schemas, as far as they were looked for.
    pub(super) some: HashMap<Vec<Id>, Vec<Value>>,
    /// Pairs that are proven, if those before them are, in the order in which they were begun.
    pub(super) proven: Vec<(Vec<Id>, Vec<Id>)>,
    pub(super) known: BTreeSet<(Vec<Id>, Vec<Id>)>,
    pub(super) failed: BTreeSet<(Vec<Id>, Vec<Id>)>,
    /// The first thing that kept a proof from being one.
    pub(super) obstacle: Option<String>,
}

impl Engine {
    pub(super) fn new(budget: u64) -> Self {
        Engine {
            graph: Graph::new(),
            left: budget,
            depth: 0,
            alternatives: HashMap::new(),
            together: HashMap::new(),
            active: BTreeSet::new(),
            texts: HashMap::new(),
            some: HashMap::new(),
            proven: Vec::new(),
            known: BTreeSet::new(),
            failed: BTreeSet::new(),
            obstacle: None,
        }
    }

    pub(super) fn step(&mut self, steps: u64) -> Result<(), Stop> {
        match self.left.checked_sub(steps + self.graph.walked.take()) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                self.left = 0;
                Err(Stop::Budget)
            }
        }
    }

    /// Runs something one level deeper, unless that is too deep for the stack of any thread.
    pub(super) fn deeper<T>(
        &mut self,
        run: impl FnOnce(&mut Engine) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        const DEEP: usize = 60;
        if self.depth == DEEP {
            return Err(Stop::Unknown("its schemas are nested too deep".to_owned()));
        }
        self.depth += 1;
        let result = run(self);
        self.depth -= 1;
        result
    }

    /// Steps that are left.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Sets what is left.
    pub(super) fn refill(&mut self, budget: u64) {
        self.left = budget;
    }

    /// Whether a name matches a pattern, as the validator says.
    pub(super) fn matches(&mut self, pattern: &str, name: &str) -> bool {
        self.allows_text("pattern", pattern, name)
    }

    /// Whether the validator takes a text where a schema has only this keyword.
    pub(super) fn allows_text(&mut self, keyword: &str, value: &str, text: &str) -> bool {
        let key = (keyword.to_owned(), value.to_owned(), text.to_owned());
        if let Some(known) = self.texts.get(&key) {
            return *known;
        }
        let schema = ObjectWriter::new().text(keyword, value).end();
        let allows = Json::new(schema).is_ok_and(|schema| {
            let budget = Budget {
                steps: 200_000,
                ..Budget::default()
            };
            check_value_within(&schema, &Json::from(text), &mut Allowance::new(budget)).is_ok()
        });
        self.left = self.left.saturating_sub(10);
        self.texts.insert(key, allows);
        allows
    }
}
