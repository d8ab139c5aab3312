//! Two schemas that are held against each other.

use std::collections::HashMap;

use toolwire::Json;
use toolwire_schema::{CheckError, check_value};

use super::close::close;
use super::dialect::{Dialect, translate};
use super::engine::{Engine, Stop};
use super::graph::{Id, OBJECT};
use super::value::Value;
use super::words::Containment;

/// A schema as it is written, and whether it is closed before it is looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) schema: &'a Json,
    pub(super) closed: bool,
}

/// The question whether each value of `sub` is one of `sup`.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) engine: Engine,
    pub(super) sub: Id,
    pub(super) sup: Id,
    pub(super) sub_dialect: Dialect,
    pub(super) sup_dialect: Dialect,
    /// Both as the validator gets them.
    sub_schema: Json,
    sup_schema: Json,
    /// Whether the question is about objects alone, as of arguments and results.
    objects: bool,
    /// The second one as it is written, in 2020-12.
    literal: Json,
    literal_value: Value,
    /// What the validator has said of values.
    tried: HashMap<String, bool>,
    refused: HashMap<String, bool>,
    budget: u64,
    /// What is left for all changes together, and how much of it was lent for one.
    left: u64,
    lent: u64,
}

/// The most candidates that are shown to the validator for one question.
const TRIES: usize = 40;

impl Pair {
    /// The pair; the reason if no verdict is given on it.
    pub(super) fn new(sub: Side<'_>, sup: Side<'_>, budget: u64) -> Result<Pair, String> {
        let mut engine = Engine::new(budget);
        let (sub_dialect, _, sub_value) = prepare(sub)?;
        let (sup_dialect, literal, sup_value) = prepare(sup)?;
        let sub_schema = usable(&sub_value)?;
        let sup_schema = usable(&sup_value)?;
        let (sub, sup) = (engine.graph.add(&sub_value)?, engine.graph.add(&sup_value)?);
        Ok(Pair {
            engine,
            sub,
            sup,
            sub_dialect,
            sup_dialect,
            sub_schema,
            sup_schema,
            objects: false,
            literal: usable(&literal)?,
            literal_value: literal,
            tried: HashMap::new(),
            refused: HashMap::new(),
            budget,
            left: budget.saturating_mul(4),
            lent: 0,
        })
    }

    /// The pair as the question about objects alone.
    pub(super) fn of_objects(mut self) -> Pair {
        self.objects = true;
        self
    }

    /// The first schema, and what else is known of its values.
    pub(super) fn all_of_sub(&self, sub: Id) -> Vec<Id> {
        match self.objects {
            true => vec![OBJECT, sub],
            false => vec![sub],
        }
    }

    /// The answer for the whole.
    pub(super) fn answer(&mut self) -> Containment {
        self.answer_for(self.sup, false)
    }

    /// The answer for the second schema as it is written, and that schema. A witness is refused by the closed
    /// one, too.
    pub(super) fn literal_answer(&mut self) -> (Containment, Option<Id>) {
        match self.engine.graph.add(&self.literal_value) {
            Ok(literal) => (self.answer_for(literal, true), Some(literal)),
            Err(reason) => (Containment::Unknown(reason), None),
        }
    }

    fn answer_for(&mut self, sup: Id, literal: bool) -> Containment {
        self.engine.refill(self.budget);
        self.engine.obstacle = None;
        let sub = self.all_of_sub(self.sub);
        let stopped = match self.engine.contains(&sub, &[sup]) {
            Ok(true) => return Containment::Contained,
            Ok(false) => None,
            Err(stop) => Some(stop),
        };
        self.engine.refill(self.budget);
        let candidates = self.engine.candidates(&sub, &[sup], 0).unwrap_or_default();
        if let Some(witness) = self.confirmed(&candidates, literal)
            && (!literal || self.literal_refuses(&witness))
        {
            return Containment::Witness(witness);
        }
        let reason = stopped
            .map(Stop::reason)
            .or_else(|| self.engine.obstacle.clone());
        let reason = reason.unwrap_or_else(|| "neither a proof nor a witness was found".to_owned());
        Containment::Unknown(reason)
    }

    /// The first value that the validator takes with the one schema and refuses with the other; with
    /// `literal`, one that the other refuses as it is written is preferred.
    pub(super) fn confirmed(&mut self, values: &[Value], literal: bool) -> Option<Json> {
        // To read both schemas takes as long as a step for so many bytes of them.
        const BYTES: usize = 20;
        let cost =
            ((self.sub_schema.as_str().len() + self.sup_schema.as_str().len()) / BYTES) as u64;
        let mut found = None;
        for value in values.iter().take(TRIES) {
            if self.objects && value.members().is_none() {
                continue;
            }
            let Some(value) = value.to_json() else {
                continue;
            };
            if !self.tried.contains_key(value.as_str()) && self.engine.step(cost).is_err() {
                break;
            }
            if self.is_witness(&value) {
                if !literal || self.literal_refuses(&value) {
                    return Some(value);
                }
                found.get_or_insert(value);
            }
        }
        found
    }

    fn is_witness(&mut self, value: &Json) -> bool {
        if let Some(known) = self.tried.get(value.as_str()) {
            return *known;
        }
        let is = check_value(&self.sub_schema, value).is_ok()
            && matches!(
                check_value(&self.sup_schema, value),
                Err(CheckError::Mismatches(_))
            );
        self.tried.insert(value.as_str().to_owned(), is);
        is
    }

    /// Whether the second schema, as it is written, refuses a value.
    pub(super) fn literal_refuses(&mut self, value: &Json) -> bool {
        if let Some(known) = self.refused.get(value.as_str()) {
            return *known;
        }
        let refuses = matches!(
            check_value(&self.literal, value),
            Err(CheckError::Mismatches(_))
        );
        self.refused.insert(value.as_str().to_owned(), refuses);
        refuses
    }

    /// Gives steps for a further question about the pair, as long as there are some for all of them.
    pub(super) fn refill(&mut self) {
        let used = self.lent.saturating_sub(self.engine.left());
        self.left = self.left.saturating_sub(used);
        self.lent = self.left.min(self.budget / 4);
        self.engine.refill(self.lent);
    }
}

/// A schema as verdicts take it; the reason if none is given on it.
pub(super) fn closed(schema: &Json) -> Result<Json, String> {
    let (_, _, closed) = prepare(Side {
        schema,
        closed: true,
    })?;
    usable(&closed)
}

/// A schema in 2020-12, and closed if it is to be.
fn prepare(side: Side<'_>) -> Result<(Dialect, Value, Value), String> {
    let mut value = Value::read(side.schema)?;
    let dialect = translate(&mut value)?;
    let closed = if side.closed {
        close(&value)
    } else {
        value.clone()
    };
    Ok((dialect, value, closed))
}

/// The schema as the validator reads it; the reason if it can't.
fn usable(schema: &Value) -> Result<Json, String> {
    let schema = schema.to_json().ok_or("the schema is nested too deep")?;
    match check_value(&schema, &Json::from(false)) {
        Err(CheckError::BadSchema(error) | CheckError::OverBudget(error)) => {
            Err(error.message().to_owned())
        }
        _ => Ok(schema),
    }
}
