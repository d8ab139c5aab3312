//! The verdict on one place: proven, shown by a value for the whole, or unknown.

use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::Value;
use toolwire::Json;

use super::contain::Candidates;
use super::lower::{Lower, Type};
use super::pair::{Answer, Pair, Side, object};
use super::types::{Direction, Verdict};
use super::value::elements;

/// How a value is reached in the one that it is a part of.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Member(String),
    Element(usize),
    /// It is the same value.
    Here,
}

/// What is known of two schemas of a tool, and where in them a question is asked.
#[derive(Debug)]
pub(super) struct Judge<'s> {
    pub(super) pair: &'s Pair<'s>,
    pub(super) direction: Direction,
    /// Whether the whole is proven, so that no change can be more than compatible.
    pub(super) contained: bool,
    /// Whether it is proven that what callers knew, as it was written, allows all results.
    pub(super) harmless: bool,
    /// From the root to here: the schema whose values are asked about, and the way on.
    pub(super) frames: Vec<(&'s Value, Step)>,
    budget: u64,
    /// What is left for all changes together.
    left: u64,
}

pub(super) type Judged = (Verdict, Option<Json>);

impl<'s> Judge<'s> {
    /// The judge, and the answer for the whole.
    pub(super) fn new(
        pair: &'s Pair<'s>,
        direction: Direction,
        is_same: bool,
        budget: u64,
    ) -> (Self, Answer) {
        let whole = if is_same {
            Answer::Contained
        } else {
            pair.answer(false)
        };
        let contained = matches!(whole, Answer::Contained);
        let mut judge = Judge {
            pair,
            direction,
            contained,
            harmless: false,
            frames: Vec::new(),
            budget,
            left: budget.saturating_mul(4),
        };
        // What callers knew as it was written, if the results are not those of before.
        if contained || direction == Direction::Input || !pair.sup.is_closed {
            return (judge, whole);
        }
        pair.meter.refill(budget);
        let literally = pair.answer(true);
        judge.harmless = matches!(literally, Answer::Contained);
        (judge, literally)
    }

    fn sides(&self) -> (&'s Side, &'s Side) {
        (self.pair.sub, self.pair.sup)
    }

    /// Old and new in the order of the question.
    pub(super) fn directed<T>(&self, old: T, new: T) -> (T, T) {
        match self.direction {
            Direction::Input => (old, new),
            Direction::Output => (new, old),
        }
    }

    /// Whether the values of one place are those of another, or of some of its keywords.
    pub(super) fn place(&mut self, sub: &'s Value, sup: &Value, keywords: &[&str]) -> Judged {
        if keywords.is_empty() {
            let closed = self.sides().1.place(sup);
            return self.values(sub, &closed, sup);
        }
        let some = match sup {
            Value::Object(all) => {
                let some = all
                    .iter()
                    .filter(|(name, _)| keywords.contains(&name.as_str()));
                Value::Object(
                    some.map(|(name, value)| (name.clone(), value.clone()))
                        .collect(),
                )
            }
            other => other.clone(),
        };
        let closed = self.sides().1.part(&some);
        self.values(sub, &closed, &some)
    }

    /// The same with a second schema in two forms: closed, and verbatim.
    pub(super) fn values(&mut self, sub: &'s Value, closed: &Value, literal: &Value) -> Judged {
        let sub = self.sides().0.place(sub);
        let mut all = vec![&*sub];
        if self
            .frames
            .iter()
            .all(|(_, step)| matches!(step, Step::Here))
        {
            all.push(object());
        }
        self.weighed(|pair, literally| {
            let sup = if literally { literal } else { closed };
            pair.prover().contain(&all, &[sup], 0)
        })
    }

    /// Whether a member may still have the values that it may have, if it may be there.
    pub(super) fn member(&mut self, name: &str, sub: &'s Value, sup: &Value) -> Judged {
        let (of_sub, of_sup) = self.sides();
        let (sub, closed) = (of_sub.place(sub), of_sup.place(sup));
        self.weighed(|pair, literally| {
            let sup = if literally { sup } else { &*closed };
            pair.prover().contain_member(&sub, sup, name)
        })
    }

    /// Whether it breaks anything that a member has to be there.
    pub(super) fn requirement(&mut self, name: &str, sub: &'s Value, sup: &Value) -> Judged {
        let needs = |schema: &Value| {
            let names = schema.get("required").map_or(&[][..], elements);
            names.iter().any(|needed| needed.as_str() == Some(name))
        };
        if !needs(sup) || needs(sub) {
            return (Verdict::Compatible, None);
        }
        let sub = self.sides().0.place(sub);
        self.weighed(|pair, _| pair.prover().contain_required(&sub, name))
    }

    fn weighed(&mut self, ask: impl Fn(&Pair<'s>, bool) -> Result<(), Candidates>) -> Judged {
        if self.contained {
            return (Verdict::Compatible, None);
        }
        let lent = self.left.min(self.budget / 4);
        self.pair.meter.refill(lent);
        let judged = self.weigh(ask);
        self.left -= lent - self.pair.meter.left.get();
        judged
    }

    /// A witness is one of results only if what callers knew refuses it as it was written, too: that a result has a
    /// further member is another behaviour (DIFF-41).
    fn weigh(&self, ask: impl Fn(&Pair<'s>, bool) -> Result<(), Candidates>) -> Judged {
        let is_result = self.direction == Direction::Output;
        let Err(candidates) = ask(self.pair, false) else {
            return (Verdict::Compatible, None);
        };
        if is_result && (self.harmless || ask(self.pair, true).is_ok()) {
            return (Verdict::Behaviour, None);
        }
        let whole = self.wrapped(candidates);
        match self.pair.confirmed(&whole, is_result) {
            Some(witness) => (Verdict::Breaking, Some(witness)),
            None if is_result && self.pair.confirmed(&whole, false).is_some() => {
                (Verdict::Behaviour, None)
            }
            None => (Verdict::Unknown, None),
        }
    }

    /// Values for the whole in which these stand here.
    fn wrapped(&self, mut values: Candidates) -> Candidates {
        const FEW: usize = 24;
        let around: Vec<Rc<Value>> = self
            .frames
            .iter()
            .map(|(schema, _)| self.sides().0.place(schema))
            .collect();
        let prover = self.pair.prover();
        for (around, (_, step)) in around.iter().zip(&self.frames).rev() {
            values.truncate(FEW);
            values = values
                .iter()
                .flat_map(|value| prover.lower.around(around, step, value))
                .collect();
        }
        values
    }

    /// The types that a schema of one of the documents allows, and whether its numbers are whole.
    pub(super) fn kinds(lower: &Lower<'s>, schema: &'s Value) -> BTreeSet<(Type, bool)> {
        let branches = lower.branches(&[schema], false, 0);
        let all = branches.iter().flat_map(|all| all.iter());
        all.flat_map(|one| {
            let whole = one.is_integer();
            let kinds = one.types().into_iter();
            kinds.map(move |kind| (kind, whole && kind == Type::Number))
        })
        .collect()
    }

    /// The members that a schema declares, itself or in a part.
    pub(super) fn declared(lower: &Lower<'s>, schema: &'s Value) -> BTreeSet<&'s str> {
        let branches = lower.branches(&[schema], false, 0);
        let all = branches.iter().flat_map(|all| all.iter());
        all.flat_map(|one| one.names("properties")).collect()
    }
}

impl<'a> Lower<'a> {
    /// Values of a schema in which a part has a value.
    fn around(&self, schema: &'a Value, step: &Step, value: &Value) -> Vec<Value> {
        let branches = self.branches(&[schema], false, 0);
        let branches = branches.iter().flat_map(|all| all.iter()).take(8);
        let around = branches.flat_map(|branch| match step {
            Step::Member(name) => self.with_member(branch, name, std::slice::from_ref(value), 0),
            Step::Element(index) => self.with_element(branch, *index, value, 0),
            Step::Here => {
                // What stands beside may need more.
                let members = value.as_object();
                let objects = members.map(|members| {
                    let objects = self.objects(branch, 0).into_iter();
                    objects.map(|object| {
                        Value::Object(object.into_iter().chain(members.clone()).collect())
                    })
                });
                objects
                    .into_iter()
                    .flatten()
                    .chain([value.clone()])
                    .collect()
            }
        });
        around.collect()
    }
}
