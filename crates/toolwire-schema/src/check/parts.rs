//! Keywords about the members of objects and the elements of arrays.

use serde_json::{Map, Value};

use super::{Check, Fits, MORE, Members, TOO_LONG, elements};
use crate::budget::Stop;
use crate::value::limit;
use crate::words::Segment;

impl<'s> Check<'s, '_> {
    pub(super) fn properties(&mut self, keyword: &'s Value, parts: &Members) -> Fits {
        let Some(schemas) = keyword.as_object() else {
            return Ok(true);
        };
        let mut fits = true;
        if self.marks.is_none() && schemas.len() < parts.len() {
            for (name, schema) in schemas {
                self.look_up(name)?;
                if let Some(part) = parts.get(name) {
                    fits &= self.part(schema, part, || Segment::Name(name.clone()))?;
                }
                if self.is_decided(fits) {
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
            self.mark(index);
            fits &= self.part(schema, part, || Segment::Name(name.clone()))?;
            if self.is_decided(fits) {
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

    pub(super) fn pattern_properties(&mut self, keyword: &'s Value, parts: &Members) -> Fits {
        let mut fits = true;
        for (pattern, schema) in keyword.as_object().into_iter().flatten() {
            for (index, (name, part)) in parts.iter().enumerate() {
                self.allowance.step(1)?;
                match self.matches(pattern, name)? {
                    Some(true) => {
                        self.mark(index);
                        fits &= self.part(schema, part, || Segment::Name(name.clone()))?;
                    }
                    Some(false) => {}
                    None => fits = self.no(Some(name), TOO_LONG)?,
                }
                if self.is_decided(fits) {
                    return Ok(false);
                }
            }
        }
        Ok(fits)
    }

    pub(super) fn additional_properties(
        &mut self,
        members: &'s Members,
        keyword: &'s Value,
        parts: &Members,
    ) -> Fits {
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
            self.mark(index);
            fits &= match keyword {
                Value::Bool(false) => {
                    self.unexpected(members, name, &|other| parts.contains_key(other))?
                }
                schema => self.part(schema, part, || Segment::Name(name.clone()))?,
            };
            if self.is_decided(fits) {
                break;
            }
        }
        Ok(fits)
    }

    fn matches_one(&mut self, patterns: Option<&Members>, name: &str) -> Fits {
        for pattern in patterns.into_iter().flat_map(Map::keys) {
            if self.matches(pattern, name)? == Some(true) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(super) fn property_names(&mut self, keyword: &'s Value, parts: &Members) -> Fits {
        let mut fits = true;
        for name in parts.keys() {
            self.allowance.step(2)?;
            self.allowance.read(name.len())?;
            self.allowance.hold(name.len())?;
            let held = self.fits(keyword, &Value::String(name.clone()))?;
            self.allowance.release(name.len());
            if !held {
                fits = self.no(Some(name), "has a name that is not allowed")?;
                if self.report.is_none() {
                    break;
                }
            }
        }
        Ok(fits)
    }

    /// Holds a schema against each of some elements, which have these places.
    pub(super) fn elements<'v>(
        &mut self,
        held: impl Iterator<Item = (usize, (&'s Value, &'v Value))>,
    ) -> Fits {
        let mut fits = true;
        for (index, (schema, part)) in held {
            self.mark(index);
            fits &= self.part(schema, part, || Segment::Index(index))?;
            if self.is_decided(fits) {
                break;
            }
        }
        Ok(fits)
    }

    pub(super) fn items(
        &mut self,
        members: &'s Members,
        schema: &'s Value,
        parts: &[Value],
    ) -> Fits {
        let tuple = members.get("prefixItems");
        let before = tuple.map_or(0, |all| elements(all).len());
        if *schema == Value::Bool(false) && before > 0 {
            return match parts.len() > before {
                true => self.no(None, MORE),
                false => Ok(true),
            };
        }
        let held = parts.iter().map(|part| (schema, part));
        self.elements(held.enumerate().skip(before))
    }

    pub(super) fn contains(
        &mut self,
        members: &'s Members,
        schema: &'s Value,
        parts: &[Value],
    ) -> Fits {
        let least = members.get("minContains").and_then(limit).unwrap_or(1);
        let most = members.get("maxContains").and_then(limit);
        let mut count = 0;
        for (index, part) in parts.iter().enumerate() {
            if self.marks.is_none() && most.is_none() && count >= least {
                break;
            }
            if self.fits(schema, part)? {
                count += 1;
                self.mark(index);
            }
        }
        match count >= least && most.is_none_or(|most| count <= most) {
            true => Ok(true),
            false => self.no(
                None,
                "has too few or too many of the elements that it must contain",
            ),
        }
    }
}
