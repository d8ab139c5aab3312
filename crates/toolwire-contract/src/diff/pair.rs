//! Two schemas that are compared, in one document with their closed forms.

use std::cell::Cell;

use serde_json::{Value, json};
use toolwire::Json;
use toolwire::schema::mend;
use toolwire_schema::{CheckError, check_value};

use super::close::{self, Parts, parts};
use super::dialect::{dialect, encode_references, prepare};
use super::value::{Members, read, write};

/// A schema that is compared.
#[derive(Debug)]
pub(super) struct Side {
    /// The schema as one of 2020-12.
    pub(super) document: Value,
    pub(super) dialect: &'static str,
    pub(super) is_closed: bool,
    pub(super) parts: Parts,
    /// The same prepared, and the same closed.
    literal: Value,
    closed: Value,
    closed_json: Json,
}

impl Side {
    /// The reason if the schema gets no verdict.
    pub(super) fn new(schema: &Json, is_closed: bool) -> Result<Side, String> {
        let dialect = dialect(schema)?;
        let document = match dialect {
            "2020-12" => read(schema)?,
            _ => read(&mend(schema))?,
        };
        let mut literal = document.clone();
        let parts = parts(prepare(&mut literal)?);
        let defines = |name: &String| literal.pointer(&format!("/$defs/{name}")).is_some();
        if let Some(name) = parts.values().find(|name| defines(name)) {
            return Err(format!("the name of the definition `{name}` is reserved"));
        }
        let closed = match is_closed {
            true => close::closed(&literal, &parts),
            false => literal.clone(),
        };
        let closed_json = usable(&closed)?;
        Ok(Side {
            document,
            dialect,
            is_closed,
            parts,
            literal,
            closed,
            closed_json,
        })
    }
}

/// The schema as the validator reads it; the reason if it can't.
fn usable(schema: &Value) -> Result<Json, String> {
    let mut schema = schema.clone();
    encode_references(&mut schema, "");
    let schema = write(&schema).ok_or("the schema is nested too deep")?;
    match check_value(&schema, &Json::from(false)) {
        Err(CheckError::BadSchema(error) | CheckError::OverBudget(error)) => {
            Err(error.message().to_owned())
        }
        _ => Ok(schema),
    }
}

/// A schema as verdicts take it; the reason if none is given on it.
pub(super) fn closed(schema: &Json) -> Result<Json, String> {
    Side::new(schema, true).map(|side| side.closed_json)
}

/// Where the forms of both schemas stand in the document of a pair: old, new, and each closed.
pub(super) const ROOTS: [&str; 4] = [OLD, NEW, OLD_CLOSED, NEW_CLOSED];
pub(super) const OLD: &str = "/$defs/old";
pub(super) const NEW: &str = "/$defs/new";
pub(super) const OLD_CLOSED: &str = "/$defs/oldClosed";
pub(super) const NEW_CLOSED: &str = "/$defs/newClosed";

/// A document with both schemas, and both closed.
pub(super) fn document(old: &Side, new: &Side) -> Value {
    let forms = [&old.literal, &new.literal, &old.closed, &new.closed];
    let mut all = Members::new();
    for (root, form) in ROOTS.into_iter().zip(forms) {
        let mut form = form.clone();
        if let Value::Object(members) = &mut form {
            members.remove("$id");
        }
        encode_references(&mut form, root);
        all.insert(root.replace("/$defs/", ""), form);
    }
    json!({"$defs": all})
}

/// What is left of the work for a pair, and why it was given up.
#[derive(Debug)]
pub(super) struct Meter {
    left: Cell<u64>,
    pub(super) stopped: Cell<Option<&'static str>>,
}

impl Meter {
    pub(super) fn new(steps: u64) -> Self {
        Meter {
            left: Cell::new(steps),
            stopped: Cell::new(None),
        }
    }

    /// Allows some steps for another question, and says why the one before was given up.
    pub(super) fn refill(&self, steps: u64) -> Option<&'static str> {
        self.left.set(steps);
        self.stopped.take()
    }

    /// Pays for some steps; false if there are not so many left.
    pub(super) fn step(&self, steps: u64) -> bool {
        let left = self.left.get().checked_sub(steps);
        self.left.set(left.unwrap_or(0));
        left.is_some() || self.stop("it takes more steps than the budget has")
    }

    pub(super) fn stop(&self, why: &'static str) -> bool {
        self.stopped.set(self.stopped.get().or(Some(why)));
        false
    }
}
