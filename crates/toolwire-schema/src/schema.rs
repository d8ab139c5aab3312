//! A schema that can be checked with: 2020-12, self-contained, within bounds.

use std::collections::BTreeSet;

use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::Value;
use toolwire::{Code, Error, Json};

use crate::cost::Cost;
use crate::keywords::{MANY, NAMED, ONE, REFERRING, target};
use crate::{CheckError, MOST, Mismatch, plain, words};

/// The most bytes of a schema.
const BYTES: usize = 1024 * 1024;
/// The most arrays and objects in one another.
const DEPTH: usize = 100;
/// The most references.
const REFERENCES: usize = 1000;
/// The most arrays and objects in one another, of the schema and of all that it refers to together.
const LEVELS: usize = 5000;
/// How often a regular expression may try another way on one text.
const BACKTRACKS: usize = 100_000;
/// The most bytes that one compiled regular expression may take.
const REGEX_BYTES: usize = 1024 * 1024;

pub(crate) struct Schema {
    root: Value,
    /// Nothing as long as the schema is plain and no value needs it.
    validator: Option<Validator>,
}

impl Schema {
    /// Reads a schema; `bad_schema` at the first place where it can't be used.
    pub(crate) fn read(schema: &Json) -> Result<Self, Error> {
        if schema.as_str().len() > BYTES {
            return Err(bad("", format!("the schema has more than {BYTES} bytes")));
        }
        let too_deep = || {
            let message =
                format!("the schema has more than {DEPTH} arrays and objects in one another");
            bad("", message)
        };
        let mut root: Value = schema.to_value().map_err(|_| too_deep())?;
        if depth(&root) > DEPTH {
            return Err(too_deep());
        }
        if let Value::Object(members) = &mut root {
            // Whatever it calls itself, it is read as 2020-12, and nothing is asked for elsewhere.
            members.remove("$schema");
            members.remove("$id");
        }
        let mut walk = Walk {
            root: &root,
            references: 0,
            targets: BTreeSet::new(),
        };
        walk.schema(&root, &mut String::new())?;
        walk.levels()?;
        let validator = match plain::is_plain(&root) {
            true => None,
            false => Some(compile(&root)?),
        };
        Ok(Schema { root, validator })
    }

    pub(crate) fn check(&self, value: &Value) -> Result<(), CheckError> {
        if !Cost::new(&self.root).allows(value) {
            let message = "the schema takes too long to check this value with".to_owned();
            return Err(CheckError::BadSchema(bad("", message)));
        }
        let compiled;
        let validator = match &self.validator {
            Some(validator) => validator,
            None if plain::takes(&self.root, value) => return Ok(()),
            None => {
                compiled = compile(&self.root).map_err(CheckError::BadSchema)?;
                &compiled
            }
        };
        if validator.is_valid(value) {
            return Ok(());
        }
        let mut found: Vec<Mismatch> = Vec::new();
        for error in validator.iter_errors(value).take(10 * MOST) {
            words::tell(&self.root, &error, &mut found);
        }
        found.sort();
        found.dedup();
        found.truncate(MOST);
        Err(CheckError::Mismatches(found))
    }
}

pub(crate) fn compile(root: &Value) -> Result<Validator, Error> {
    let regexes = PatternOptions::fancy_regex()
        .backtrack_limit(BACKTRACKS)
        .size_limit(REGEX_BYTES)
        .dfa_size_limit(REGEX_BYTES);
    let options = jsonschema::options()
        .with_draft(Draft::Draft202012)
        .with_pattern_options(regexes)
        .should_validate_formats(true);
    options.build(root).map_err(|error| {
        let mut found = Vec::new();
        words::tell(&Value::Null, &error, &mut found);
        let Mismatch { pointer, message } = found.swap_remove(0);
        bad(&pointer, format!("the schema can't be used: {message}"))
    })
}

fn bad(pointer: &str, message: String) -> Error {
    Error::new(Code::BadSchema, pointer, None, message)
}

fn depth(value: &Value) -> usize {
    let deepest = match value {
        Value::Array(elements) => elements.iter().map(depth).max(),
        Value::Object(members) => members.values().map(depth).max(),
        _ => return 0,
    };
    1 + deepest.unwrap_or(0)
}

/// Looks at every place of a schema where a schema stands.
struct Walk<'a> {
    root: &'a Value,
    references: usize,
    /// What is referred to.
    targets: BTreeSet<String>,
}

impl Walk<'_> {
    /// Refuses what would lead a validator too far down.
    fn levels(&self) -> Result<(), Error> {
        let targets = self.targets.iter();
        let schemas = targets.filter_map(|reference| target(self.root, reference));
        let levels = schemas.map(depth).sum::<usize>() + depth(self.root);
        if levels > LEVELS {
            let message = format!(
                "the schema has more than {LEVELS} arrays and objects in one another, those that it \
                 refers to included"
            );
            return Err(bad("", message));
        }
        Ok(())
    }

    fn schema(&mut self, schema: &Value, pointer: &mut String) -> Result<(), Error> {
        let Value::Object(members) = schema else {
            // What is neither an object nor true or false, the metaschema finds.
            return Ok(());
        };
        for (name, value) in members {
            let length = pointer.len();
            toolwire::json::pointer::push(pointer, name);
            if REFERRING.contains(&name.as_str()) {
                self.reference(value, pointer)?;
            } else if name == "$id" {
                let message =
                    "the schema can't be used: only its root can have an `$id`".to_owned();
                return Err(bad(pointer, message));
            } else if ONE.contains(&name.as_str()) {
                self.schema(value, pointer)?;
            } else if MANY.contains(&name.as_str()) {
                for (index, element) in value.as_array().into_iter().flatten().enumerate() {
                    let length = pointer.len();
                    toolwire::json::pointer::push(pointer, &index.to_string());
                    self.schema(element, pointer)?;
                    pointer.truncate(length);
                }
            } else if NAMED.contains(&name.as_str()) {
                for (name, element) in value.as_object().into_iter().flatten() {
                    let length = pointer.len();
                    toolwire::json::pointer::push(pointer, name);
                    self.schema(element, pointer)?;
                    pointer.truncate(length);
                }
            }
            pointer.truncate(length);
        }
        Ok(())
    }

    fn reference(&mut self, value: &Value, pointer: &str) -> Result<(), Error> {
        self.references += 1;
        if self.references > REFERENCES {
            let message = format!("the schema has more than {REFERENCES} references");
            return Err(bad(pointer, message));
        }
        let Some(reference) = value.as_str() else {
            return Ok(());
        };
        let refuse = |why: &str| {
            let reference = words::brief(reference, 80);
            bad(
                pointer,
                format!("the schema can't be used: `{reference}` {why}"),
            )
        };
        if !reference.starts_with('#') {
            return Err(refuse("leads out of it"));
        }
        match target(self.root, reference) {
            Some(_) => {
                self.targets.insert(reference.to_owned());
                Ok(())
            }
            None => Err(refuse("leads to nothing in it")),
        }
    }
}
