//! Two schemas that are held against each other.

use std::cell::RefCell;
use std::collections::HashMap;

use toolwire::Json;
use toolwire_schema::{CheckError, check_value};

use super::close::Closing;
use super::contain::{FEW, Prover};
use super::dialect::{Dialect, translate, without_letters};
use super::lower::{Lower, Meter};
use super::value::{Members, Value};

/// The letters of the references of the two sides.
pub(super) const SUB: [char; 2] = ['a', 'b'];
pub(super) const SUP: [char; 2] = ['c', 'd'];

/// A schema that is compared.
#[derive(Debug)]
pub(super) struct Side {
    /// The schema as it was given.
    pub(super) document: Value,
    pub(super) dialect: Dialect,
    /// The schema in 2020-12, and the same closed, each with a letter of its own in its references.
    pub(super) literal: Value,
    closed: Value,
    pub(super) is_closed: bool,
    letters: [char; 2],
    literal_json: Json,
    closed_json: Json,
}

impl Side {
    /// The reason if the schema gets no verdict.
    pub(super) fn new(schema: &Json, is_closed: bool, letters: [char; 2]) -> Result<Side, String> {
        let document = Value::read(schema)?;
        let mut literal = document.clone();
        let dialect = translate(&mut literal, letters[0])?;
        let closed = match is_closed {
            true => Closing::new(&literal, letters[1]).whole(),
            false => literal.clone(),
        };
        let closed_json = usable(&closed)?;
        let literal_json = match is_closed {
            true => usable(&literal)?,
            false => closed_json.clone(),
        };
        Ok(Side {
            document,
            dialect,
            literal,
            closed,
            is_closed,
            letters,
            literal_json,
            closed_json,
        })
    }

    /// A schema of the document as questions have it: closed as a place, or else as a part.
    pub(super) fn place(&self, schema: &Value) -> Value {
        let is_root = std::ptr::eq(schema, &self.literal);
        let closing = Closing::new(&self.literal, self.letters[1]);
        self.is_closed
            .then(|| closing.place(schema, is_root))
            .unwrap_or_else(|| schema.clone())
    }

    pub(super) fn part(&self, schema: &Value) -> Value {
        let closing = Closing::new(&self.literal, self.letters[1]);
        self.is_closed
            .then(|| closing.as_part(schema, true))
            .unwrap_or_else(|| schema.clone())
    }
}

/// The schema as the validator reads it; the reason if it can't.
fn usable(schema: &Value) -> Result<Json, String> {
    let schema = without_letters(schema.clone()).to_json();
    let schema = schema.ok_or("the schema is nested too deep")?;
    match check_value(&schema, &Json::from(false)) {
        Err(CheckError::BadSchema(error) | CheckError::OverBudget(error)) => {
            Err(error.message().to_owned())
        }
        _ => Ok(schema),
    }
}

/// A schema as verdicts take it; the reason if none is given on it.
pub(super) fn closed(schema: &Json) -> Result<Json, String> {
    Side::new(schema, true, SUB).map(|side| side.closed_json)
}

/// The question whether each value of `sub` is one of `sup`.
#[derive(Debug)]
pub(super) struct Pair<'s> {
    pub(super) sub: &'s Side,
    pub(super) sup: &'s Side,
    pub(super) meter: Meter,
    /// What the validator has said of values: whether each is a witness, and one for the second schema to the letter.
    tried: RefCell<HashMap<String, (bool, bool)>>,
}

/// What is found of a question.
#[derive(Debug)]
pub(super) enum Answer {
    Contained,
    Witness(Json),
    Unknown,
}

impl<'s> Pair<'s> {
    pub(super) fn new(sub: &'s Side, sup: &'s Side, budget: u64) -> Self {
        Pair {
            sub,
            sup,
            meter: Meter::new(budget),
            tried: RefCell::default(),
        }
    }

    pub(super) fn prover<'a>(&'a self) -> Prover<'a> {
        let roots = |side: &'a Side| {
            let [literal, closed] = side.letters;
            [(literal, &side.literal), (closed, &side.closed)]
        };
        let ([one, two], [three, four]) = (roots(self.sub), roots(self.sup));
        Prover::new(Lower::new([one, two, three, four], &self.meter))
    }

    /// The answer for the whole, or for the second schema as it is written. Arguments and results are objects.
    pub(super) fn answer(&self, literally: bool) -> Answer {
        let sup = if literally {
            &self.sup.literal
        } else {
            &self.sup.closed
        };
        match self
            .prover()
            .contain(&[object(), &self.sub.closed], &[sup], 0)
        {
            Ok(()) => Answer::Contained,
            Err(found) => self
                .confirmed(&found, literally)
                .map_or(Answer::Unknown, Answer::Witness),
        }
    }

    /// The first value that the validator takes with the one schema and refuses with the other.
    pub(super) fn confirmed(&self, values: &[Value], literally: bool) -> Option<Json> {
        // To read both schemas takes as long as a step for so many bytes of them.
        const BYTES: usize = 20;
        let length = self.sub.closed_json.as_str().len() + self.sup.closed_json.as_str().len();
        for value in values.iter().take(FEW) {
            let Some(json) = value.to_json().filter(|_| value.members().is_some()) else {
                continue;
            };
            let known = self.tried.borrow().get(json.as_str()).copied();
            let (is_witness, is_literal) = match known {
                Some(known) => known,
                None if !self.meter.step((length / BYTES) as u64) => return None,
                None => {
                    let refuses = |schema| {
                        matches!(check_value(schema, &json), Err(CheckError::Mismatches(_)))
                    };
                    let is_witness = check_value(&self.sub.closed_json, &json).is_ok()
                        && refuses(&self.sup.closed_json);
                    let found = (is_witness, is_witness && refuses(&self.sup.literal_json));
                    self.tried
                        .borrow_mut()
                        .insert(json.as_str().to_owned(), found);
                    found
                }
            };
            if if literally { is_literal } else { is_witness } {
                return Some(json);
            }
        }
        None
    }
}

/// What allows every object: what holds of arguments and results.
pub(super) fn object() -> &'static Value {
    static OBJECT: std::sync::LazyLock<Value> = std::sync::LazyLock::new(|| {
        let kind = ("type".to_owned(), Value::Text("object".to_owned()));
        Value::Object(Members::from([kind]))
    });
    &OBJECT
}
