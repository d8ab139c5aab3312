//! A schema that can be checked with: 2020-12, self-contained, within bounds.

use std::collections::{BTreeSet, HashMap, HashSet};

use percent_encoding::percent_decode_str;
use serde_json::Value;
use toolwire::json::brief;
use toolwire::json::pointer::push;
use toolwire::{Code, Error, Json};

use crate::budget::{Allowance, Stop};
use crate::keywords::{self, Form};
use crate::pattern::{NoPattern, Pattern};

/// Maximum size of a schema, in bytes.
const BYTES: usize = 1024 * 1024;
/// Maximum depth of arrays and objects.
const DEPTH: usize = 100;
/// Maximum number of references.
pub(crate) const REFERENCES: usize = 1000;

/// Why a schema can't be used.
#[derive(Debug)]
pub(crate) enum NoSchema {
    Bad(Error),
    Stop(Stop),
}

impl From<Stop> for NoSchema {
    fn from(stop: Stop) -> Self {
        NoSchema::Stop(stop)
    }
}

/// Reads a schema; its root has lost what says nothing.
pub(crate) fn read(schema: &Json, allowance: &mut Allowance) -> Result<Value, NoSchema> {
    let text = schema.as_str();
    if text.len() > BYTES {
        let message = format!("the schema has more than {BYTES} bytes");
        return Err(NoSchema::Bad(bad("", message)));
    }
    let weight = weight(text, allowance)?;
    allowance.hold(weight)?;
    let too_deep = || {
        let message = format!("the schema has more than {DEPTH} nested arrays and objects");
        NoSchema::Bad(bad("", message))
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
    Ok(root)
}

/// Maximum number of bytes that a text takes as values. An object takes a node of its map at once.
pub(crate) fn weight(text: &str, allowance: &mut Allowance) -> Result<usize, Stop> {
    const OBJECT: usize = 700;
    const ARRAY: usize = 160;
    const PART: usize = 120;
    allowance.read(2 * text.len())?;
    let mut weight = 2 * text.len();
    for byte in text.bytes() {
        weight += match byte {
            b'{' => OBJECT,
            b'[' => ARRAY,
            b',' => PART,
            _ => 0,
        };
    }
    Ok(weight)
}

pub(crate) fn bad(pointer: &str, message: String) -> Error {
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

/// A schema of which everything is known that a check looks up: it is valid, what it refers to is
/// there, its patterns are compiled.
#[derive(Debug)]
pub(crate) struct Schema<'a> {
    pub(crate) root: &'a Value,
    targets: HashMap<&'a str, &'a Value>,
    patterns: HashMap<&'a str, Pattern>,
}

impl<'a> Schema<'a> {
    /// Compiles what was read, with so many references at most; `bad_schema` at the first place where it can't be used.
    pub(crate) fn compile(
        root: &'a Value,
        allowance: &mut Allowance,
        references: usize,
    ) -> Result<Self, NoSchema> {
        let mut compiler = Compiler {
            schema: Schema {
                root,
                targets: HashMap::new(),
                patterns: HashMap::new(),
            },
            anchors: None,
            references,
            seen: HashSet::new(),
            waiting: Vec::new(),
            allowance,
        };
        compiler.schema(root, &mut String::new())?;
        while let Some((schema, pointer)) = compiler.waiting.pop() {
            compiler.schema(schema, &mut pointer.to_owned())?;
        }
        Ok(compiler.schema)
    }

    /// What a reference leads to.
    pub(crate) fn target(&self, reference: &str) -> Option<&'a Value> {
        self.targets.get(reference).copied()
    }

    pub(crate) fn pattern(&self, pattern: &str) -> Option<&Pattern> {
        self.patterns.get(pattern)
    }
}

struct Compiler<'a, 'b> {
    schema: Schema<'a>,
    /// The schemas that have an anchor, by its name; looked for once.
    anchors: Option<HashMap<&'a str, &'a Value>>,
    /// How many more references there may be.
    references: usize,
    /// The schemas that were looked at.
    seen: HashSet<*const Value>,
    /// What is referred to and was not looked at, with the pointer of the reference.
    waiting: Vec<(&'a Value, String)>,
    allowance: &'b mut Allowance,
}

/// What one entry of a table of addresses takes.
const ENTRY: usize = 48;

impl<'a> Compiler<'a, '_> {
    fn schema(&mut self, schema: &'a Value, pointer: &mut String) -> Result<(), NoSchema> {
        self.allowance.step(1)?;
        let members = match schema {
            Value::Object(members) => members,
            Value::Bool(_) => return Ok(()),
            _ => {
                let message = "the schema can't be used: it must be an object, true or false";
                return Err(NoSchema::Bad(bad(pointer, message.to_owned())));
            }
        };
        self.allowance.hold(ENTRY)?;
        if !self.seen.insert(std::ptr::from_ref(schema)) {
            return Ok(());
        }
        for (name, value) in members {
            self.allowance.step(2)?;
            let Some(form) = keywords::form(name) else {
                continue;
            };
            let length = pointer.len();
            push(pointer, name);
            self.keyword(name, form, value, pointer)?;
            pointer.truncate(length);
        }
        Ok(())
    }

    fn keyword(
        &mut self,
        name: &'a str,
        form: Form,
        value: &'a Value,
        pointer: &mut String,
    ) -> Result<(), NoSchema> {
        let refuse = |what: &str, pointer: &str| {
            let message = format!("the schema can't be used: `{name}` must be {what}");
            NoSchema::Bad(bad(pointer, message))
        };
        match (form, value) {
            (Form::Id, _) => {
                let message = "the schema can't be used: only its root can have an `$id`";
                return Err(NoSchema::Bad(bad(pointer, message.to_owned())));
            }
            (Form::One, _) => self.schema(value, pointer)?,
            (Form::Many, Value::Array(schemas)) if !schemas.is_empty() => {
                for (index, schema) in schemas.iter().enumerate() {
                    let length = pointer.len();
                    push(pointer, &index.to_string());
                    self.schema(schema, pointer)?;
                    pointer.truncate(length);
                }
            }
            (Form::Named | Form::Dependencies, Value::Object(schemas)) => {
                for (key, schema) in schemas {
                    let length = pointer.len();
                    push(pointer, key);
                    if name == "patternProperties" {
                        self.pattern(key, pointer)?;
                    }
                    match (form, schema) {
                        (Form::Dependencies, Value::Array(names)) => self.names(names, pointer)?,
                        _ => self.schema(schema, pointer)?,
                    }
                    pointer.truncate(length);
                }
            }
            (Form::NamesByName, Value::Object(lists)) => {
                for (key, names) in lists {
                    let length = pointer.len();
                    push(pointer, key);
                    match names {
                        Value::Array(names) => self.names(names, pointer)?,
                        _ => return Err(refuse("lists of names, by names", pointer)),
                    }
                    pointer.truncate(length);
                }
            }
            (Form::Reference, Value::String(reference)) => self.reference(reference, pointer)?,
            (Form::Pattern, Value::String(pattern)) => self.pattern(pattern, pointer)?,
            (Form::Names, Value::Array(names)) => self.names(names, pointer)?,
            (Form::Type, Value::Array(names)) => {
                let known = |name: &Value| name.as_str().is_some_and(keywords::is_type);
                let distinct: BTreeSet<_> = names.iter().filter_map(Value::as_str).collect();
                self.allowance.step(4 * names.len() as u64)?;
                if names.is_empty() || !names.iter().all(known) || distinct.len() < names.len() {
                    return Err(refuse(form.expected(), pointer));
                }
            }
            (Form::Anchor, Value::String(anchor)) if keywords::is_anchor(anchor) => {}
            (Form::Text, Value::String(_)) | (Form::Flag, Value::Bool(_)) => {}
            (Form::List, Value::Array(_)) | (Form::Number, Value::Number(_)) => {}
            (Form::Type, Value::String(name)) if keywords::is_type(name) => {}
            (Form::Positive, Value::Number(number)) if number.as_f64().is_some_and(|n| n > 0.0) => {
            }
            (Form::Limit, value) if crate::value::limit(value).is_some() => {}
            (Form::Flags, Value::Object(members)) if members.values().all(Value::is_boolean) => {}
            _ => return Err(refuse(form.expected(), pointer)),
        }
        Ok(())
    }

    fn names(&mut self, names: &'a [Value], pointer: &str) -> Result<(), NoSchema> {
        self.allowance.hold(ENTRY * names.len())?;
        let mut seen = HashSet::with_capacity(names.len());
        for name in names {
            self.allowance.step(2)?;
            let text = name.as_str();
            self.allowance.read(text.map_or(0, str::len))?;
            if !text.is_some_and(|text| seen.insert(text)) {
                let message = "the schema can't be used: this must be a list of different names";
                return Err(NoSchema::Bad(bad(pointer, message.to_owned())));
            }
        }
        self.allowance.release(ENTRY * names.len());
        Ok(())
    }

    fn pattern(&mut self, pattern: &'a str, pointer: &str) -> Result<(), NoSchema> {
        self.allowance.read(pattern.len())?;
        if self.schema.patterns.contains_key(pattern) {
            return Ok(());
        }
        let made = Pattern::new(pattern, self.allowance).map_err(|error| match error {
            NoPattern::Stop(stop) => NoSchema::Stop(stop),
            NoPattern::Bad => {
                let pattern = brief(pattern, 80);
                let message = format!(
                    "the schema can't be used: `{pattern}` is no regular expression, or one too large"
                );
                NoSchema::Bad(bad(pointer, message))
            }
        })?;
        self.schema.patterns.insert(pattern, made);
        Ok(())
    }

    fn reference(&mut self, reference: &'a str, pointer: &str) -> Result<(), NoSchema> {
        let left = self.references.checked_sub(1);
        self.references = left.ok_or_else(|| {
            let message = format!("the schema has more than {REFERENCES} references");
            NoSchema::Bad(bad(pointer, message))
        })?;
        let refuse = |why: &str| {
            let reference = brief(reference, 80);
            let message = format!("the schema can't be used: `{reference}` {why}");
            Err(NoSchema::Bad(bad(pointer, message)))
        };
        if !reference.starts_with('#') {
            return refuse("leads out of it");
        }
        self.allowance.read(reference.len())?;
        if !keywords::is_fragment(&reference[1..]) {
            return refuse("is no URI reference: percent-encode it");
        }
        if self.schema.targets.contains_key(reference) {
            return Ok(());
        }
        self.allowance.read(4 * reference.len())?;
        match self.target(reference)? {
            Some(target) => {
                self.allowance.hold(ENTRY + pointer.len())?;
                self.schema.targets.insert(reference, target);
                self.waiting.push((target, pointer.to_owned()));
                Ok(())
            }
            None => refuse("leads to nothing in it"),
        }
    }

    /// What a reference into the schema leads to: a place, or an anchor.
    fn target(&mut self, reference: &str) -> Result<Option<&'a Value>, Stop> {
        let Ok(name) = percent_decode_str(&reference[1..]).decode_utf8() else {
            return Ok(None);
        };
        if name.is_empty() || name.starts_with('/') {
            return Ok(self.schema.root.pointer(&name));
        }
        if self.anchors.is_none() {
            let mut anchors = HashMap::new();
            find_anchors(self.schema.root, &mut anchors, self.allowance)?;
            self.anchors = Some(anchors);
        }
        let anchors = self.anchors.as_ref();
        Ok(anchors.and_then(|anchors| anchors.get(&*name).copied()))
    }
}

/// Finds the schemas that have an anchor; of several the first one.
fn find_anchors<'a>(
    schema: &'a Value,
    anchors: &mut HashMap<&'a str, &'a Value>,
    allowance: &mut Allowance,
) -> Result<(), Stop> {
    allowance.step(1)?;
    let Value::Object(members) = schema else {
        return Ok(());
    };
    for (name, value) in members {
        allowance.step(1)?;
        match (keywords::form(name), value) {
            (Some(Form::Anchor), Value::String(anchor)) if name != "$recursiveAnchor" => {
                allowance.hold(ENTRY)?;
                allowance.read(anchor.len())?;
                anchors.entry(anchor).or_insert(schema);
            }
            (Some(Form::One), schema) => find_anchors(schema, anchors, allowance)?,
            (Some(Form::Many), Value::Array(schemas)) => {
                for schema in schemas {
                    find_anchors(schema, anchors, allowance)?;
                }
            }
            (Some(Form::Named), Value::Object(schemas)) => {
                for schema in schemas.values() {
                    find_anchors(schema, anchors, allowance)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}
