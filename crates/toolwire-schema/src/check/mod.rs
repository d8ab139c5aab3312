//! Holds a value against a schema, in counted steps.

mod parts;
mod simple;
mod tag;

use serde_json::{Map, Value};

use crate::budget::{Allowance, Stop};
use crate::marks::Marks;
use crate::meant;
use crate::schema::Schema;
use crate::words::{About, Found, Report, Segment};

/// Maximum number of schemas that are inside of each other at one time.
const DEEPEST: usize = 500;
/// Number of them that fits on the stack of any thread.
const SHALLOW: usize = 40;

/// The members of an object.
type Members = Map<String, Value>;
/// Whether a value fits.
type Fits = Result<bool, Stop>;

/// A check that goes on.
pub(crate) struct Check<'s, 'b> {
    schema: &'s Schema<'s>,
    allowance: &'b mut Allowance,
    /// What does not fit. Without a report, the first mismatch decides.
    report: Option<Report>,
    /// The parts of the value at hand that were looked at, if a schema around asks for them.
    marks: Option<Marks>,
    depth: usize,
    has_room: bool,
}

impl<'s, 'b> Check<'s, 'b> {
    pub(crate) fn new(
        schema: &'s Schema<'s>,
        allowance: &'b mut Allowance,
        has_room: bool,
    ) -> Self {
        Check {
            schema,
            allowance,
            report: None,
            marks: None,
            depth: 0,
            has_room,
        }
    }

    /// Whether the value fits.
    pub(crate) fn run(&mut self, value: &Value) -> Fits {
        self.hold(self.schema.root, value)
    }

    /// All that does not fit.
    pub(crate) fn report(mut self, value: &Value) -> Result<Report, Stop> {
        self.report = Some(Report::default());
        self.run(value)?;
        Ok(self.report.unwrap_or_default())
    }

    /// Holds a schema against a value. What the schema has looked at is marked.
    pub(crate) fn hold(&mut self, schema: &'s Value, value: &Value) -> Fits {
        self.allowance.step(1)?;
        let members = match schema {
            Value::Object(members) => members,
            Value::Bool(false) => return self.no(None, "is not expected"),
            _ => return Ok(true),
        };
        if self.depth == DEEPEST {
            return Err(Stop::TooDeep);
        }
        if self.depth == SHALLOW && !self.has_room {
            return Err(Stop::NeedsRoom);
        }
        self.depth += 1;
        let unevaluated = match value {
            Value::Object(_) => members.get("unevaluatedProperties"),
            Value::Array(_) => members.get("unevaluatedItems"),
            _ => None,
        };
        let held = match unevaluated {
            Some(schema) => self.with_rest(members, schema, value),
            None => self.keywords(members, value),
        };
        self.depth -= 1;
        held
    }

    /// Holds a part of the value at hand against a schema.
    fn part(&mut self, schema: &'s Value, part: &Value, segment: impl FnOnce() -> Segment) -> Fits {
        let marks = self.marks.take();
        if let Some(report) = &mut self.report {
            report.enter(segment());
        }
        let held = self.hold(schema, part);
        if let Some(report) = &mut self.report {
            report.leave();
        }
        self.marks = marks;
        held
    }

    /// Whether any value fits a schema, without a report.
    fn fits(&mut self, schema: &'s Value, value: &Value) -> Fits {
        let (report, marks) = (self.report.take(), self.marks.take());
        let held = self.hold(schema, value);
        (self.report, self.marks) = (report, marks);
        held
    }

    /// The value does not fit.
    fn no(&mut self, member: Option<&str>, predicate: &str) -> Fits {
        if let Some(report) = &mut self.report {
            report.tell(member, About::Other, predicate, self.allowance)?;
        }
        Ok(false)
    }

    /// Whether nothing more is to be found out.
    fn is_decided(&self, fits: bool) -> bool {
        !fits && self.report.is_none()
    }

    fn mark(&mut self, index: usize) {
        if let Some(marks) = &mut self.marks {
            marks.add(index);
        }
    }

    /// Reports a member that is not expected, and which one was probably meant (AUTH-34).
    fn unexpected(&mut self, members: &Members, name: &str, has: &dyn Fn(&str) -> bool) -> Fits {
        let predicate = match self.report.is_some() {
            true => meant::not_expected(self.schema.root, members, has, name, self.allowance)?,
            false => String::new(),
        };
        self.no(Some(name), &predicate)
    }

    fn keywords(&mut self, members: &'s Members, value: &Value) -> Fits {
        let mut fits = true;
        for (name, keyword) in members {
            self.allowance.step(1)?;
            fits &= match (name.as_str(), value) {
                ("$ref" | "$dynamicRef", _) => self.reference(keyword, value)?,
                ("allOf", _) => self.all_of(keyword, value)?,
                ("anyOf", _) => self.any_of(keyword, value)?,
                ("oneOf", _) => self.one_of(keyword, value)?,
                ("not", _) => match self.fits(keyword, value)? {
                    true => self.no(None, "is what it must not be")?,
                    false => true,
                },
                ("if", _) => self.conditional(members, keyword, value)?,
                ("dependentSchemas" | "dependentRequired" | "dependencies", Value::Object(_)) => {
                    self.dependent(keyword, value)?
                }
                ("properties", Value::Object(parts)) => self.properties(keyword, parts)?,
                ("patternProperties", Value::Object(parts)) => {
                    self.pattern_properties(keyword, parts)?
                }
                ("additionalProperties", Value::Object(parts)) => {
                    self.additional_properties(members, keyword, parts)?
                }
                ("propertyNames", Value::Object(parts)) => self.property_names(keyword, parts)?,
                ("required", Value::Object(parts)) => self.required(keyword, parts)?,
                ("prefixItems", Value::Array(parts)) => {
                    let schemas = elements(keyword).iter();
                    self.elements(schemas.zip(parts).enumerate())?
                }
                ("items", Value::Array(parts)) => self.items(members, keyword, parts)?,
                ("contains", Value::Array(parts)) => self.contains(members, keyword, parts)?,
                _ => self.simple(name, keyword, value)?,
            };
            if self.is_decided(fits) {
                break;
            }
        }
        Ok(fits)
    }

    fn reference(&mut self, keyword: &'s Value, value: &Value) -> Fits {
        let reference = keyword.as_str().unwrap_or_default();
        self.allowance.step(2)?;
        self.allowance.read(reference.len())?;
        match self.schema.target(reference) {
            Some(schema) => self.hold(schema, value),
            None => Ok(true),
        }
    }

    /// Sets the marks aside for schemas whose own marks count only if the value fits.
    fn set_marks_aside(&mut self, value: &Value) -> Result<Option<Marks>, Stop> {
        let own = match self.marks {
            Some(_) => Some(Marks::new(value, self.allowance)?),
            None => None,
        };
        Ok(std::mem::replace(&mut self.marks, own))
    }

    /// Takes these marks again, with those that were made meanwhile if they count.
    fn take_marks_back(&mut self, marks: Option<Marks>, count: bool) {
        let Some(own) = std::mem::replace(&mut self.marks, marks) else {
            return;
        };
        if let (true, Some(marks)) = (count, &mut self.marks) {
            marks.add_all(&own);
        }
        own.release(self.allowance);
    }

    /// Holds a schema whose marks count only if the value fits it.
    fn branch(&mut self, schema: &'s Value, value: &Value) -> Fits {
        let marks = self.set_marks_aside(value)?;
        let held = self.hold(schema, value)?;
        self.take_marks_back(marks, held);
        Ok(held)
    }

    /// The same for an alternative, whose mismatches are reported only if no other one fits.
    fn alternative(
        &mut self,
        schema: &'s Value,
        value: &Value,
        mismatches: &mut Vec<Vec<Found>>,
    ) -> Fits {
        let report = self.report.as_mut();
        let before = report.map(|report| report.replace(Vec::new()));
        let held = self.branch(schema, value)?;
        if let (Some(before), Some(report)) = (before, &mut self.report) {
            self.allowance.hold(BRANCH)?;
            mismatches.push(report.replace(before));
        }
        Ok(held)
    }

    /// No alternative fits.
    fn none_fits(
        &mut self,
        keyword: &'s Value,
        value: &Value,
        mismatches: Vec<Vec<Found>>,
    ) -> Fits {
        if self.report.is_some()
            && !self.tell_tag(keyword, value)?
            && let Some(report) = &mut self.report
        {
            report.tell_alternatives(mismatches, self.allowance)?;
        }
        Ok(false)
    }

    fn all_of(&mut self, keyword: &'s Value, value: &Value) -> Fits {
        let mut fits = true;
        for schema in elements(keyword) {
            fits &= self.branch(schema, value)?;
            if self.is_decided(fits) {
                break;
            }
        }
        Ok(fits)
    }

    fn any_of(&mut self, keyword: &'s Value, value: &Value) -> Fits {
        let mut fits = false;
        let mut mismatches = Vec::new();
        for schema in elements(keyword) {
            fits |= self.alternative(schema, value, &mut mismatches)?;
            // Each one that fits may have looked at something else.
            if fits && self.marks.is_none() {
                break;
            }
        }
        match fits {
            true => Ok(true),
            false => self.none_fits(keyword, value, mismatches),
        }
    }

    fn one_of(&mut self, keyword: &'s Value, value: &Value) -> Fits {
        let mut count = 0;
        let mut mismatches = Vec::new();
        let marks = self.set_marks_aside(value)?;
        for schema in elements(keyword) {
            count += usize::from(self.alternative(schema, value, &mut mismatches)?);
            if count > 1 {
                break;
            }
        }
        self.take_marks_back(marks, count == 1);
        match count {
            0 => self.none_fits(keyword, value, mismatches),
            1 => Ok(true),
            _ => self.no(None, "fits more than one of the alternatives"),
        }
    }

    fn conditional(&mut self, members: &'s Members, keyword: &'s Value, value: &Value) -> Fits {
        let (then, otherwise) = (members.get("then"), members.get("else"));
        if then.is_none() && otherwise.is_none() && self.marks.is_none() {
            return Ok(true);
        }
        let report = self.report.take();
        let holds = self.branch(keyword, value)?;
        self.report = report;
        match if holds { then } else { otherwise } {
            Some(schema) => self.hold(schema, value),
            None => Ok(true),
        }
    }

    /// What else counts, or has to be there, where there is a member of a name.
    fn dependent(&mut self, keyword: &'s Value, value: &Value) -> Fits {
        let (Some(lists), Some(parts)) = (keyword.as_object(), value.as_object()) else {
            return Ok(true);
        };
        let mut fits = true;
        for (name, schema) in lists {
            self.look_up(name)?;
            if !parts.contains_key(name) {
                continue;
            }
            fits &= match schema {
                Value::Array(_) => self.required(schema, parts)?,
                _ => self.hold(schema, value)?,
            };
            if self.is_decided(fits) {
                break;
            }
        }
        Ok(fits)
    }

    fn required(&mut self, names: &'s Value, parts: &Members) -> Fits {
        let mut fits = true;
        for name in elements(names).iter().filter_map(Value::as_str) {
            self.look_up(name)?;
            if !parts.contains_key(name) {
                fits = self.no(Some(name), "is missing")?;
                if self.report.is_none() {
                    break;
                }
            }
        }
        Ok(fits)
    }

    /// A name is looked for in a map.
    fn look_up(&mut self, name: &str) -> Result<(), Stop> {
        self.allowance.step(2 + name.len() as u64 / 64)
    }

    /// Holds a schema whose last keyword is about what all others have not looked at.
    fn with_rest(&mut self, members: &'s Members, schema: &'s Value, value: &Value) -> Fits {
        let own = Marks::new(value, self.allowance)?;
        let marks = self.marks.replace(own);
        let mut fits = self.keywords(members, value)?;
        if !self.is_decided(fits) {
            fits &= match value {
                Value::Object(parts) => {
                    let has = |other: &str| parts.contains_key(other);
                    let parts = parts.iter().map(|(name, part)| (Some(&**name), part));
                    self.rest(members, schema, parts, &has)?
                }
                Value::Array(parts) => {
                    let parts = parts.iter().map(|part| (None, part));
                    self.rest(members, schema, parts, &|_| false)?
                }
                _ => true,
            };
        }
        self.take_marks_back(marks, true);
        Ok(fits)
    }

    fn rest<'v>(
        &mut self,
        members: &'s Members,
        schema: &'s Value,
        parts: impl Iterator<Item = (Option<&'v str>, &'v Value)>,
        has: &dyn Fn(&str) -> bool,
    ) -> Fits {
        let mut fits = true;
        for (index, (name, part)) in parts.enumerate() {
            self.allowance.step(1)?;
            if self.marks.as_ref().is_some_and(|marks| marks.has(index)) {
                continue;
            }
            if self.fits(schema, part)? {
                self.mark(index);
                continue;
            }
            fits = match name {
                Some(name) => self.unexpected(members, name, has)?,
                // Of elements the first one tells of all.
                None => return self.no(None, MORE),
            };
            if self.report.is_none() {
                break;
            }
        }
        Ok(fits)
    }
}

const TOO_LONG: &str = "takes too long to be matched with its pattern";
const MORE: &str = "has more elements than are expected";
/// What the list of one alternative's mismatches takes.
const BRANCH: usize = 64;

fn elements(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
