//! Two schemas that are held against each other.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use serde_json::{Value, json};
use toolwire::Json;
use toolwire::schema::mend;
use toolwire_schema::{CheckError, check_value};

use super::close::{Closing, Parts, parts};
use super::contain::{FEW, Prover};
use super::dialect::{dialect, prepare, without_letters};
use super::lower::{Lower, Meter};
use super::value::{read, write};

/// The letters of the references of the two sides.
pub(super) const SUB: [char; 2] = ['a', 'b'];
pub(super) const SUP: [char; 2] = ['c', 'd'];

/// A schema that is compared.
#[derive(Debug)]
pub(super) struct Side {
    /// The schema as one of 2020-12.
    pub(super) document: Value,
    pub(super) dialect: &'static str,
    /// The same, and the same closed, each with a letter of its own in its references.
    pub(super) literal: Value,
    closed: Value,
    pub(super) is_closed: bool,
    parts: Parts,
    letters: [char; 2],
    literal_json: Json,
    closed_json: Json,
    /// Schemas of the document that were closed as places.
    places: RefCell<HashMap<*const Value, Rc<Value>>>,
}

impl Side {
    /// The reason if the schema gets no verdict.
    pub(super) fn new(schema: &Json, is_closed: bool, letters: [char; 2]) -> Result<Side, String> {
        let dialect = dialect(schema)?;
        let document = match dialect {
            "2020-12" => read(schema)?,
            _ => read(&mend(schema))?,
        };
        let mut literal = document.clone();
        let parts = parts(prepare(&mut literal, letters[0])?);
        let defines = |name: &String| literal.pointer(&format!("/$defs/{name}")).is_some();
        if let Some(name) = parts.values().find(|name| defines(name)) {
            return Err(format!("the name of the definition `{name}` is reserved"));
        }
        let closed = match is_closed {
            true => Closing::new(&literal, &parts, letters[1]).whole(),
            false => literal.clone(),
        };
        let closed_json = usable(&closed)?;
        let literal_json = written(&literal)?;
        Ok(Side {
            document,
            dialect,
            literal,
            closed,
            is_closed,
            parts,
            letters,
            literal_json,
            closed_json,
            places: RefCell::default(),
        })
    }

    /// A schema of the document as questions have it: closed as a place.
    pub(super) fn place(&self, schema: &Value) -> Rc<Value> {
        let key = std::ptr::from_ref(schema);
        let known = self.places.borrow().get(&key).cloned();
        known.unwrap_or_else(|| {
            let closed = Rc::new(self.closed(schema));
            let mut places = self.places.borrow_mut();
            places.insert(key, Rc::clone(&closed));
            closed
        })
    }

    /// The same of a schema that is made for a question, and of which nothing may be kept.
    pub(super) fn closed(&self, schema: &Value) -> Value {
        if !self.is_closed {
            return schema.clone();
        }
        let is_root = std::ptr::eq(schema, &self.literal);
        Closing::new(&self.literal, &self.parts, self.letters[1]).place(schema, is_root)
    }

    /// The same as a part of a place.
    pub(super) fn part(&self, schema: &Value) -> Value {
        if !self.is_closed {
            return schema.clone();
        }
        Closing::new(&self.literal, &self.parts, self.letters[1]).as_part(schema, true)
    }
}

fn written(schema: &Value) -> Result<Json, String> {
    let schema = write(&without_letters(schema.clone()));
    schema.ok_or_else(|| "the schema is nested too deep".to_owned())
}

/// The schema as the validator reads it; the reason if it can't.
fn usable(schema: &Value) -> Result<Json, String> {
    let schema = written(schema)?;
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
    /// The verdicts of the validator on values: whether each is a witness, and whether it is one for the verbatim second
    /// schema.
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
            let Some(json) = write(value).filter(|_| value.is_object()) else {
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
            let is_found = if literally { is_literal } else { is_witness };
            if is_found {
                return Some(json);
            }
        }
        None
    }
}

/// What allows every object: what holds of arguments and results.
pub(super) fn object() -> &'static Value {
    static OBJECT: std::sync::LazyLock<Value> =
        std::sync::LazyLock::new(|| json!({"type": "object"}));
    &OBJECT
}
