//! Holds a value against a schema, in counted steps.

mod parts;
mod simple;
mod tag;

use serde_json::{Map, Value};

use crate::budget::{Allowance, Stop};
use crate::marks::Marks;
use crate::meant;
use crate::schema::Schema;
use crate::words::{About, Report, Segment};

/// Maximum depth of schemas at one time.
const DEEPEST: usize = 500;
/// Number of them that fits on the stack of any thread.
const SHALLOW: usize = 40;

/// A check that goes on.
pub(crate) struct Check<'s, 'b> {
    pub(super) schema: &'s Schema<'s>,
    pub(super) allowance: &'b mut Allowance,
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
            depth: 0,
            has_room,
        }
    }

    /// Whether the value fits. With a report, every mismatch is collected.
    pub(crate) fn run(&mut self, value: &Value, report: Option<&mut Report>) -> Result<bool, Stop> {
        self.hold(self.schema.root, value, report, None)
    }

    /// Holds a schema against a value. What the schema has looked at is marked.
    pub(super) fn hold(
        &mut self,
        schema: &'s Value,
        value: &Value,
        out: Option<&mut Report>,
        marks: Option<&mut Marks>,
    ) -> Result<bool, Stop> {
        self.allowance.step(1)?;
        let members = match schema {
            Value::Object(members) => members,
            Value::Bool(false) => return self.no(out, None, "is not expected"),
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
            Some(schema) => self.with_rest(members, schema, value, out, marks),
            None => self.keywords(members, value, out, marks),
        };
        self.depth -= 1;
        held
    }

    /// Holds a part of a value against a schema.
    pub(super) fn part(
        &mut self,
        schema: &'s Value,
        part: &Value,
        segment: impl FnOnce() -> Segment,
        out: Option<&mut Report>,
    ) -> Result<bool, Stop> {
        let Some(report) = out else {
            return self.hold(schema, part, None, None);
        };
        report.enter(segment());
        let held = self.hold(schema, part, Some(report), None);
        report.leave();
        held
    }

    /// The value does not fit.
    pub(super) fn no(
        &mut self,
        out: Option<&mut Report>,
        member: Option<&str>,
        predicate: &str,
    ) -> Result<bool, Stop> {
        if let Some(report) = out {
            report.tell(member, About::Other, predicate, self.allowance)?;
        }
        Ok(false)
    }

    /// Tells of a member that is not expected, and which one was probably meant (AUTH-74).
    pub(super) fn unexpected(
        &mut self,
        members: &'s Map<String, Value>,
        name: &str,
        has: &dyn Fn(&str) -> bool,
        out: Option<&mut Report>,
    ) -> Result<bool, Stop> {
        let predicate = match out.is_some() {
            true => meant::not_expected(self.schema.root, members, has, name, self.allowance)?,
            false => String::new(),
        };
        self.no(out, Some(name), &predicate)
    }

    fn keywords(
        &mut self,
        members: &'s Map<String, Value>,
        value: &Value,
        mut out: Option<&mut Report>,
        mut marks: Option<&mut Marks>,
    ) -> Result<bool, Stop> {
        let mut fits = true;
        for (name, keyword) in members {
            self.allowance.step(1)?;
            let (out, marks) = (out.as_deref_mut(), marks.as_deref_mut());
            let reports = out.is_some();
            fits &= match (name.as_str(), value) {
                ("$ref" | "$dynamicRef", _) => self.reference(keyword, value, out, marks)?,
                ("allOf", _) => self.all_of(keyword, value, out, marks)?,
                ("anyOf", _) => self.any_of(keyword, value, out, marks)?,
                ("oneOf", _) => self.one_of(keyword, value, out, marks)?,
                ("not", _) => self.not(keyword, value, out)?,
                ("if", _) => self.conditional(members, keyword, value, out, marks)?,
                ("dependentSchemas" | "dependentRequired" | "dependencies", Value::Object(_)) => {
                    self.dependent(keyword, value, out, marks)?
                }
                ("properties", Value::Object(parts)) => {
                    self.properties(keyword, parts, out, marks)?
                }
                ("patternProperties", Value::Object(parts)) => {
                    self.pattern_properties(keyword, parts, out, marks)?
                }
                ("additionalProperties", Value::Object(parts)) => {
                    self.additional_properties(members, keyword, parts, out, marks)?
                }
                ("propertyNames", Value::Object(parts)) => {
                    self.property_names(keyword, parts, out)?
                }
                ("required", Value::Object(parts)) => self.required(keyword, parts, out)?,
                ("prefixItems", Value::Array(parts)) => {
                    self.prefix_items(keyword, parts, out, marks)?
                }
                ("items", Value::Array(parts)) => {
                    self.items(members, keyword, parts, out, marks)?
                }
                ("contains", Value::Array(parts)) => {
                    self.contains(members, keyword, parts, out, marks)?
                }
                _ => self.simple(name, keyword, value, out)?,
            };
            // Without a report, no more is needed.
            if !fits && !reports {
                break;
            }
        }
        Ok(fits)
    }

    fn reference(
        &mut self,
        keyword: &'s Value,
        value: &Value,
        out: Option<&mut Report>,
        marks: Option<&mut Marks>,
    ) -> Result<bool, Stop> {
        let reference = keyword.as_str().unwrap_or_default();
        self.allowance.step(2)?;
        self.allowance.read(reference.len())?;
        match self.schema.target(reference) {
            Some(schema) => self.hold(schema, value, out, marks),
            None => Ok(true),
        }
    }

    /// Holds a schema whose marks count only if the value fits it.
    fn branch(
        &mut self,
        schema: &'s Value,
        value: &Value,
        out: Option<&mut Report>,
        marks: Option<&mut Marks>,
    ) -> Result<bool, Stop> {
        let Some(marks) = marks else {
            return self.hold(schema, value, out, None);
        };
        let mut own = Marks::new(value, self.allowance)?;
        let held = self.hold(schema, value, out, Some(&mut own))?;
        if held {
            marks.add_all(&own);
        }
        own.release(self.allowance);
        Ok(held)
    }

    fn all_of(
        &mut self,
        keyword: &'s Value,
        value: &Value,
        mut out: Option<&mut Report>,
        mut marks: Option<&mut Marks>,
    ) -> Result<bool, Stop> {
        let mut fits = true;
        for schema in elements(keyword) {
            fits &= self.branch(schema, value, out.as_deref_mut(), marks.as_deref_mut())?;
            if !fits && out.is_none() {
                break;
            }
        }
        Ok(fits)
    }

    fn any_of(
        &mut self,
        keyword: &'s Value,
        value: &Value,
        mut out: Option<&mut Report>,
        mut marks: Option<&mut Marks>,
    ) -> Result<bool, Stop> {
        let mut fits = false;
        let mut branches = Vec::new();
        for schema in elements(keyword) {
            let before = out.as_deref_mut().map(|report| report.replace(Vec::new()));
            fits |= self.branch(schema, value, out.as_deref_mut(), marks.as_deref_mut())?;
            if let (Some(before), Some(report)) = (before, out.as_deref_mut()) {
                self.allowance.hold(BRANCH)?;
                branches.push(report.replace(before));
            }
            // Each one that fits may have looked at something else.
            if fits && marks.is_none() {
                break;
            }
        }
        if let (false, Some(report)) = (fits, out)
            && !self.tell_tag(keyword, value, report)?
        {
            report.tell_alternatives(branches, self.allowance)?;
        }
        Ok(fits)
    }

    fn one_of(
        &mut self,
        keyword: &'s Value,
        value: &Value,
        mut out: Option<&mut Report>,
        marks: Option<&mut Marks>,
    ) -> Result<bool, Stop> {
        let mut count = 0;
        let mut branches = Vec::new();
        let mut own = match marks {
            Some(_) => Some(Marks::new(value, self.allowance)?),
            None => None,
        };
        for schema in elements(keyword) {
            let before = out.as_deref_mut().map(|report| report.replace(Vec::new()));
            let held = self.branch(schema, value, out.as_deref_mut(), own.as_mut())?;
            if let (Some(before), Some(report)) = (before, out.as_deref_mut()) {
                self.allowance.hold(BRANCH)?;
                branches.push(report.replace(before));
            }
            count += usize::from(held);
            if count > 1 {
                break;
            }
        }
        if let Some(own) = own {
            if let (1, Some(marks)) = (count, marks) {
                marks.add_all(&own);
            }
            own.release(self.allowance);
        }
        match (count, out) {
            (1, _) => Ok(true),
            (0, Some(report)) => {
                if !self.tell_tag(keyword, value, report)? {
                    report.tell_alternatives(branches, self.allowance)?;
                }
                Ok(false)
            }
            (_, out) => self.no(out, None, "fits more than one of the alternatives"),
        }
    }

    fn not(
        &mut self,
        keyword: &'s Value,
        value: &Value,
        out: Option<&mut Report>,
    ) -> Result<bool, Stop> {
        match self.hold(keyword, value, None, None)? {
            true => self.no(out, None, "is what it must not be"),
            false => Ok(true),
        }
    }

    fn conditional(
        &mut self,
        members: &'s Map<String, Value>,
        keyword: &'s Value,
        value: &Value,
        out: Option<&mut Report>,
        mut marks: Option<&mut Marks>,
    ) -> Result<bool, Stop> {
        let (then, otherwise) = (members.get("then"), members.get("else"));
        if then.is_none() && otherwise.is_none() && marks.is_none() {
            return Ok(true);
        }
        let next = match self.branch(keyword, value, None, marks.as_deref_mut())? {
            true => then,
            false => otherwise,
        };
        match next {
            Some(schema) => self.hold(schema, value, out, marks),
            None => Ok(true),
        }
    }

    /// What else counts, or has to be there, where there is a member of a name.
    fn dependent(
        &mut self,
        keyword: &'s Value,
        value: &Value,
        mut out: Option<&mut Report>,
        mut marks: Option<&mut Marks>,
    ) -> Result<bool, Stop> {
        let (Some(lists), Some(parts)) = (keyword.as_object(), value.as_object()) else {
            return Ok(true);
        };
        let mut fits = true;
        for (name, schema) in lists {
            self.look_up(name)?;
            if !parts.contains_key(name) {
                continue;
            }
            let out = out.as_deref_mut();
            let reports = out.is_some();
            fits &= match schema {
                Value::Array(_) => self.required(schema, parts, out)?,
                _ => self.hold(schema, value, out, marks.as_deref_mut())?,
            };
            if !fits && !reports {
                break;
            }
        }
        Ok(fits)
    }

    fn required(
        &mut self,
        names: &'s Value,
        parts: &Map<String, Value>,
        mut out: Option<&mut Report>,
    ) -> Result<bool, Stop> {
        let mut fits = true;
        for name in elements(names).iter().filter_map(Value::as_str) {
            self.look_up(name)?;
            if !parts.contains_key(name) {
                fits = self.no(out.as_deref_mut(), Some(name), "is missing")?;
                if out.is_none() {
                    break;
                }
            }
        }
        Ok(fits)
    }

    /// A name is looked for in a map.
    pub(super) fn look_up(&mut self, name: &str) -> Result<(), Stop> {
        self.allowance.step(2 + name.len() as u64 / 64)
    }

    /// Holds a schema whose last keyword is about what all others have not looked at.
    fn with_rest(
        &mut self,
        members: &'s Map<String, Value>,
        schema: &'s Value,
        value: &Value,
        mut out: Option<&mut Report>,
        marks: Option<&mut Marks>,
    ) -> Result<bool, Stop> {
        let mut own = Marks::new(value, self.allowance)?;
        let mut fits = self.keywords(members, value, out.as_deref_mut(), Some(&mut own))?;
        if fits || out.is_some() {
            fits &= match value {
                Value::Object(parts) => {
                    let has = |other: &str| parts.contains_key(other);
                    let parts = parts.iter().map(|(name, part)| (Some(&**name), part));
                    self.rest(members, schema, parts, &has, out, &mut own)?
                }
                Value::Array(parts) => {
                    let parts = parts.iter().map(|part| (None, part));
                    self.rest(members, schema, parts, &|_| false, out, &mut own)?
                }
                _ => true,
            };
        }
        if let Some(marks) = marks {
            marks.add_all(&own);
        }
        own.release(self.allowance);
        Ok(fits)
    }

    fn rest<'v>(
        &mut self,
        members: &'s Map<String, Value>,
        schema: &'s Value,
        parts: impl Iterator<Item = (Option<&'v str>, &'v Value)>,
        has: &dyn Fn(&str) -> bool,
        mut out: Option<&mut Report>,
        own: &mut Marks,
    ) -> Result<bool, Stop> {
        let mut fits = true;
        for (index, (name, part)) in parts.enumerate() {
            self.allowance.step(1)?;
            if own.has(index) {
                continue;
            }
            if self.hold(schema, part, None, None)? {
                own.add(index);
                continue;
            }
            fits = match name {
                Some(name) => self.unexpected(members, name, has, out.as_deref_mut())?,
                // Of elements the first one tells of all.
                None => return self.no(out, None, MORE),
            };
            if out.is_none() {
                break;
            }
        }
        Ok(fits)
    }
}

pub(super) const TOO_LONG: &str = "takes too long to be matched with its pattern";
pub(super) const MORE: &str = "has more elements than are expected";
/// What the list of one alternative's mismatches takes.
const BRANCH: usize = 64;

pub(super) fn elements(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
