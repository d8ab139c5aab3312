//! Keywords about the members of objects and the elements of arrays.

use serde_json::{Map, Value};

use super::{Check, MORE, TOO_LONG, elements};
use crate::budget::Stop;
use crate::marks::Marks;
use crate::value::limit;
use crate::words::{Report, Segment};

impl<'s> Check<'s, '_> {
    pub(super) fn properties(
        &mut self,
        keyword: &'s Value,
        parts: &Map<String, Value>,
        mut out: Option<&mut Report>,
        mut marks: Option<&mut Marks>,
    ) -> Result<bool, Stop> {
        let Some(schemas) = keyword.as_object() else {
            return Ok(true);
        };
        let mut fits = true;
        if marks.is_none() && schemas.len() < parts.len() {
            for (name, schema) in schemas {
                self.look_up(name)?;
                if let Some(part) = parts.get(name) {
                    let segment = || Segment::Name(name.clone());
                    fits &= self.part(schema, part, segment, out.as_deref_mut())?;
                }
                if !fits && out.is_none() {
                    break;
                }
            }
            return Ok(fits);
        }
        for (index, (name, part)) in parts.iter().enumerate() {
            self.look_up(name)?;
            let Some(schema) = schemas.get(name) else {
                continue;
            };
            if let Some(marks) = marks.as_deref_mut() {
                marks.add(index);
            }
            let segment = || Segment::Name(name.clone());
            fits &= self.part(schema, part, segment, out.as_deref_mut())?;
            if !fits && out.is_none() {
                break;
            }
        }
        Ok(fits)
    }

    /// Whether a name or a text matches a pattern; `None` if that takes too long.
    pub(super) fn matches(&mut self, pattern: &str, text: &str) -> Result<Option<bool>, Stop> {
        self.allowance.read(pattern.len())?;
        match self.schema.pattern(pattern) {
            Some(pattern) => pattern.matches(text, self.allowance),
            None => Ok(Some(true)),
        }
    }

    pub(super) fn pattern_properties(
        &mut self,
        keyword: &'s Value,
        parts: &Map<String, Value>,
        mut out: Option<&mut Report>,
        mut marks: Option<&mut Marks>,
    ) -> Result<bool, Stop> {
        let mut fits = true;
        for (pattern, schema) in keyword.as_object().into_iter().flatten() {
            for (index, (name, part)) in parts.iter().enumerate() {
                self.allowance.step(1)?;
                match self.matches(pattern, name)? {
                    Some(true) => {
                        if let Some(marks) = marks.as_deref_mut() {
                            marks.add(index);
                        }
                        let segment = || Segment::Name(name.clone());
                        fits &= self.part(schema, part, segment, out.as_deref_mut())?;
                    }
                    Some(false) => {}
                    None => fits = self.no(out.as_deref_mut(), Some(name), TOO_LONG)?,
                }
                if !fits && out.is_none() {
                    return Ok(false);
                }
            }
        }
        Ok(fits)
    }

    pub(super) fn additional_properties(
        &mut self,
        members: &'s Map<String, Value>,
        keyword: &'s Value,
        parts: &Map<String, Value>,
        mut out: Option<&mut Report>,
        mut marks: Option<&mut Marks>,
    ) -> Result<bool, Stop> {
        let named = members.get("properties").and_then(Value::as_object);
        let patterns = members.get("patternProperties").and_then(Value::as_object);
        let mut fits = true;
        for (index, (name, part)) in parts.iter().enumerate() {
            self.look_up(name)?;
            if named.is_some_and(|named| named.contains_key(name))
                || self.matches_one(patterns, name)?
            {
                continue;
            }
            if let Some(marks) = marks.as_deref_mut() {
                marks.add(index);
            }
            fits &= match keyword {
                Value::Bool(false) => {
                    let has = |other: &str| parts.contains_key(other);
                    self.unexpected(members, name, &has, out.as_deref_mut())?
                }
                schema => {
                    let segment = || Segment::Name(name.clone());
                    self.part(schema, part, segment, out.as_deref_mut())?
                }
            };
            if !fits && out.is_none() {
                break;
            }
        }
        Ok(fits)
    }

    fn matches_one(
        &mut self,
        patterns: Option<&'s Map<String, Value>>,
        name: &str,
    ) -> Result<bool, Stop> {
        for pattern in patterns.into_iter().flat_map(Map::keys) {
            if self.matches(pattern, name)? == Some(true) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(super) fn property_names(
        &mut self,
        keyword: &'s Value,
        parts: &Map<String, Value>,
        mut out: Option<&mut Report>,
    ) -> Result<bool, Stop> {
        let mut fits = true;
        for name in parts.keys() {
            self.allowance.step(2)?;
            self.allowance.read(name.len())?;
            self.allowance.hold(name.len())?;
            let held = self.hold(keyword, &Value::String(name.clone()), None, None)?;
            self.allowance.release(name.len());
            if !held {
                let message = "has a name that is not allowed";
                fits = self.no(out.as_deref_mut(), Some(name), message)?;
                if out.is_none() {
                    break;
                }
            }
        }
        Ok(fits)
    }

    pub(super) fn prefix_items(
        &mut self,
        keyword: &'s Value,
        parts: &[Value],
        out: Option<&mut Report>,
        marks: Option<&mut Marks>,
    ) -> Result<bool, Stop> {
        let schemas = elements(keyword).iter();
        self.elements(schemas.zip(parts).enumerate(), out, marks)
    }

    /// Holds a schema against each of some elements, which have these places.
    fn elements<'v>(
        &mut self,
        held: impl Iterator<Item = (usize, (&'s Value, &'v Value))>,
        mut out: Option<&mut Report>,
        mut marks: Option<&mut Marks>,
    ) -> Result<bool, Stop> {
        let mut fits = true;
        for (index, (schema, part)) in held {
            if let Some(marks) = marks.as_deref_mut() {
                marks.add(index);
            }
            fits &= self.part(schema, part, || Segment::Index(index), out.as_deref_mut())?;
            if !fits && out.is_none() {
                break;
            }
        }
        Ok(fits)
    }

    pub(super) fn items(
        &mut self,
        members: &'s Map<String, Value>,
        schema: &'s Value,
        parts: &[Value],
        out: Option<&mut Report>,
        marks: Option<&mut Marks>,
    ) -> Result<bool, Stop> {
        let before = members
            .get("prefixItems")
            .map_or(0, |all| elements(all).len());
        if *schema == Value::Bool(false) && before > 0 {
            return match parts.len() > before {
                true => self.no(out, None, MORE),
                false => Ok(true),
            };
        }
        let held = parts.iter().map(|part| (schema, part));
        self.elements(held.enumerate().skip(before), out, marks)
    }

    pub(super) fn contains(
        &mut self,
        members: &'s Map<String, Value>,
        schema: &'s Value,
        parts: &[Value],
        out: Option<&mut Report>,
        mut marks: Option<&mut Marks>,
    ) -> Result<bool, Stop> {
        let least = members.get("minContains").and_then(limit).unwrap_or(1);
        let most = members.get("maxContains").and_then(limit);
        let mut count = 0;
        for (index, part) in parts.iter().enumerate() {
            if marks.is_none() && most.is_none() && count >= least {
                break;
            }
            if self.hold(schema, part, None, None)? {
                count += 1;
                if let Some(marks) = marks.as_deref_mut() {
                    marks.add(index);
                }
            }
        }
        match count >= least && most.is_none_or(|most| count <= most) {
            true => Ok(true),
            false => {
                let message = "has too few or too many of the elements that it must contain";
                self.no(out, None, message)
            }
        }
    }
}
