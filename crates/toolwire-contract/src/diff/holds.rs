//! Whether a value is allowed by a schema: yes, no, or not decided.

use std::collections::BTreeSet;

use super::alternatives::{Opaque, is_opaque};
use super::engine::{Engine, Stop};
use super::graph::{Id, Keyword, Node};
use super::value::{Members, Value};

/// The answer; nothing if it is not decided.
pub(super) type Holds = Option<bool>;

fn and(left: Holds, right: Holds) -> Holds {
    match (left, right) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn not(holds: Holds) -> Holds {
    holds.map(|holds| !holds)
}

/// The members of an object that were looked at.
#[derive(Debug, Default)]
struct Seen {
    names: BTreeSet<String>,
    /// Those that may have been.
    perhaps: BTreeSet<String>,
}

impl Seen {
    /// Adds what an alternative has looked at, if it holds.
    fn add(&mut self, other: Seen, holds: Holds) {
        match holds {
            Some(false) => {}
            Some(true) => {
                self.names.extend(other.names);
                self.perhaps.extend(other.perhaps);
            }
            None => {
                self.perhaps.extend(other.names);
                self.perhaps.extend(other.perhaps);
            }
        }
    }
}

/// What is known of keywords that are only compared: those that hold of the value itself. Nothing where
/// the validator's answer counts.
type Known<'a> = Option<&'a BTreeSet<Opaque>>;

impl Engine {
    /// Whether all of some schemas allow a value. With `known`, what is only compared is not decided unless
    /// it is known to hold; without, it is asked of the validator.
    pub(super) fn holds_all(
        &mut self,
        schemas: &[Id],
        value: &Value,
        known: Known<'_>,
    ) -> Result<Holds, Stop> {
        let mut all = Some(true);
        for schema in schemas {
            all = and(
                all,
                self.holds(*schema, value, known, &mut Seen::default(), 0)?,
            );
        }
        Ok(all)
    }

    fn holds(
        &mut self,
        id: Id,
        value: &Value,
        known: Known<'_>,
        seen: &mut Seen,
        depth: usize,
    ) -> Result<Holds, Stop> {
        const DEEP: usize = 80;
        self.step(1)?;
        if depth == DEEP {
            return Ok(None);
        }
        match &*self.graph.node(id) {
            Node::Bool(allows) => Ok(Some(*allows)),
            // Cases stand for what has been looked at before.
            Node::Case(case) => Ok(match (&case.values, value) {
                (Some(values), value) => Some(values.contains(value)),
                _ => None,
            }),
            Node::Keywords(keywords) => {
                let mut all = Some(true);
                for (name, keyword) in keywords {
                    let holds = self.keyword(id, name, keyword, value, known, seen, depth)?;
                    all = and(all, holds);
                    if all == Some(false) {
                        return Ok(all);
                    }
                }
                if let (Some(_), Value::Object(members)) =
                    (keywords.get("unevaluatedProperties"), value)
                {
                    for name in members.keys() {
                        if !seen.names.contains(name) {
                            let perhaps = seen.perhaps.contains(name);
                            all = and(all, if perhaps { None } else { Some(false) });
                        }
                    }
                    seen.names.extend(members.keys().cloned());
                }
                Ok(all)
            }
        }
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "a keyword is told by where it stands and what is held against it"
    )]
    fn keyword(
        &mut self,
        id: Id,
        name: &str,
        keyword: &Keyword,
        value: &Value,
        known: Known<'_>,
        seen: &mut Seen,
        depth: usize,
    ) -> Result<Holds, Stop> {
        let depth = depth + 1;
        // Of parts of the value nothing is known.
        let nothing = BTreeSet::new();
        let inner = known.map(|_| &nothing);
        Ok(match (name, keyword, value) {
            ("$ref", Keyword::One(target), _) => self.holds(*target, value, known, seen, depth)?,
            ("allOf", Keyword::Many(all), _) => {
                let mut holds = Some(true);
                for part in all {
                    holds = and(holds, self.holds(*part, value, known, seen, depth)?);
                }
                holds
            }
            ("anyOf", Keyword::Many(all), _) => {
                let mut holds = Some(false);
                for part in all {
                    let mut own = Seen::default();
                    let one = self.holds(*part, value, known, &mut own, depth)?;
                    seen.add(own, one);
                    holds = not(and(not(holds), not(one)));
                }
                holds
            }
            ("oneOf", Keyword::Many(all), _) => self.one_holds(all, value, known, seen, depth)?,
            ("not", Keyword::One(inner), _) => {
                not(self.holds(*inner, value, known, &mut Seen::default(), depth)?)
            }
            ("if", Keyword::One(condition), _) => {
                self.conditional_holds(id, *condition, value, known, seen, depth)?
            }
            ("dependentSchemas", Keyword::Named(all), Value::Object(members)) => {
                let mut holds = Some(true);
                for (_, schema) in all.iter().filter(|(name, _)| members.contains_key(*name)) {
                    holds = and(holds, self.holds(*schema, value, known, seen, depth)?);
                }
                holds
            }
            ("dependentRequired", Keyword::Value(Value::Object(lists)), Value::Object(members)) => {
                let lists = lists.iter().filter(|(name, _)| members.contains_key(*name));
                let mut needed = lists.flat_map(|(_, list)| list.elements());
                Some(needed.all(|name| name.text().is_some_and(|name| members.contains_key(name))))
            }
            ("properties", Keyword::Named(all), Value::Object(members)) => {
                let mut holds = Some(true);
                for (name, part) in members {
                    if let Some(schema) = all.get(name) {
                        seen.names.insert(name.clone());
                        holds = and(
                            holds,
                            self.holds(*schema, part, inner, &mut Seen::default(), depth)?,
                        );
                    }
                }
                holds
            }
            ("patternProperties", Keyword::Named(all), Value::Object(members)) => {
                let mut holds = Some(true);
                for (pattern, schema) in all {
                    for (name, part) in members {
                        if self.matches(pattern, name) {
                            seen.names.insert(name.clone());
                            holds = and(
                                holds,
                                self.holds(*schema, part, inner, &mut Seen::default(), depth)?,
                            );
                        }
                    }
                }
                holds
            }
            ("additionalProperties", Keyword::One(schema), Value::Object(members)) => {
                let mut holds = Some(true);
                for (name, part) in members {
                    if !self.is_named(id, name) {
                        seen.names.insert(name.clone());
                        holds = and(
                            holds,
                            self.holds(*schema, part, inner, &mut Seen::default(), depth)?,
                        );
                    }
                }
                holds
            }
            ("propertyNames", Keyword::One(schema), Value::Object(members)) => {
                let mut holds = Some(true);
                for name in members.keys() {
                    let name = Value::Text(name.clone());
                    holds = and(
                        holds,
                        self.holds(*schema, &name, inner, &mut Seen::default(), depth)?,
                    );
                }
                holds
            }
            ("prefixItems", Keyword::Many(all), Value::Array(parts)) => {
                let mut holds = Some(true);
                for (schema, part) in all.iter().zip(parts) {
                    holds = and(
                        holds,
                        self.holds(*schema, part, inner, &mut Seen::default(), depth)?,
                    );
                }
                holds
            }
            ("items", Keyword::One(schema), Value::Array(parts)) => {
                let before = self.graph.many(id, "prefixItems").len();
                let mut holds = Some(true);
                for part in parts.iter().skip(before) {
                    holds = and(
                        holds,
                        self.holds(*schema, part, inner, &mut Seen::default(), depth)?,
                    );
                }
                holds
            }
            ("contains", Keyword::One(schema), Value::Array(parts)) => {
                self.contained_holds(id, *schema, parts, inner, depth)?
            }
            (_, Keyword::Value(keyword), _) if !is_opaque(name) => {
                Some(simple(name, keyword, value)?)
            }
            _ if is_opaque(name) => self.opaque_holds(id, name, keyword, value, known),
            _ => Some(true),
        })
    }

    fn one_holds(
        &mut self,
        all: &[Id],
        value: &Value,
        known: Known<'_>,
        seen: &mut Seen,
        depth: usize,
    ) -> Result<Holds, Stop> {
        let (mut sure, mut perhaps) = (0, 0);
        let mut found = Vec::new();
        for part in all {
            let mut own = Seen::default();
            let one = self.holds(*part, value, known, &mut own, depth)?;
            sure += usize::from(one == Some(true));
            perhaps += usize::from(one.is_none());
            found.push((own, one));
        }
        let holds = match (sure, perhaps) {
            (1, 0) => Some(true),
            (0, 0) | (2.., _) => Some(false),
            _ => None,
        };
        for (own, one) in found {
            seen.add(
                own,
                if holds == Some(true) {
                    one
                } else {
                    and(one, None)
                },
            );
        }
        Ok(holds)
    }

    fn conditional_holds(
        &mut self,
        id: Id,
        condition: Id,
        value: &Value,
        known: Known<'_>,
        seen: &mut Seen,
        depth: usize,
    ) -> Result<Holds, Stop> {
        let mut own = Seen::default();
        let met = self.holds(condition, value, known, &mut own, depth)?;
        seen.add(own, met);
        let branch = |engine: &mut Engine, name, met: Holds, seen: &mut Seen| {
            let mut own = Seen::default();
            let holds = match (met, engine.graph.one(id, name)) {
                (Some(false), _) => return Ok(Some(true)),
                (_, Some(schema)) => engine.holds(schema, value, known, &mut own, depth)?,
                (_, None) => Some(true),
            };
            seen.add(own, and(met, holds));
            Ok(match met {
                Some(_) => holds,
                None if holds == Some(true) => holds,
                None => None,
            })
        };
        let then = branch(self, "then", met, seen)?;
        let otherwise = branch(self, "else", not(met), seen)?;
        Ok(and(then, otherwise))
    }

    fn contained_holds(
        &mut self,
        id: Id,
        schema: Id,
        parts: &[Value],
        inner: Known<'_>,
        depth: usize,
    ) -> Result<Holds, Stop> {
        let count = |engine: &Engine, name| engine.graph.value(id, name).and_then(Value::limit);
        let (least, most) = (
            count(self, "minContains").unwrap_or(1),
            count(self, "maxContains"),
        );
        let (mut sure, mut perhaps) = (0, 0);
        for part in parts {
            let one = self.holds(schema, part, inner, &mut Seen::default(), depth)?;
            sure += u64::from(one == Some(true));
            perhaps += u64::from(one != Some(false));
        }
        let (enough, few) = (sure >= least, most.is_none_or(|most| perhaps <= most));
        Ok(
            match (
                enough && few,
                perhaps < least || most.is_some_and(|most| sure > most),
            ) {
                (true, _) => Some(true),
                (_, true) => Some(false),
                _ => None,
            },
        )
    }

    fn opaque_holds(
        &mut self,
        id: Id,
        name: &str,
        keyword: &Keyword,
        value: &Value,
        known: Known<'_>,
    ) -> Holds {
        let Some(known) = known else {
            return Some(match (name, keyword, value) {
                ("pattern" | "format", Keyword::Value(Value::Text(what)), Value::Text(text)) => {
                    self.allows_text(name, what, text)
                }
                _ => true,
            });
        };
        let needed = Opaque {
            keyword: name.to_owned(),
            schema: id,
            case: 0,
        };
        self.has(known, &needed).then_some(true)
    }

    /// Whether `properties` or `patternProperties` of a schema are about a member.
    fn is_named(&mut self, id: Id, name: &str) -> bool {
        if self
            .graph
            .named(id, "properties")
            .is_some_and(|all| all.contains_key(name))
        {
            return true;
        }
        let patterns = self
            .graph
            .named(id, "patternProperties")
            .cloned()
            .unwrap_or_default();
        patterns.keys().any(|pattern| self.matches(pattern, name))
    }
}

/// A keyword that is decided by itself.
fn simple(name: &str, keyword: &Value, value: &Value) -> Result<bool, Stop> {
    let count = |count: usize| count as u64;
    let limit = keyword.limit();
    Ok(match (name, keyword, value) {
        ("type", kinds, value) => kinds.elements().iter().filter_map(Value::text).any(|kind| {
            matches!(
                (kind, value),
                ("null", Value::Null)
                    | ("boolean", Value::Bool(_))
                    | ("number", Value::Number(_))
                    | ("string", Value::Text(_))
                    | ("array", Value::Array(_))
                    | ("object", Value::Object(_))
            ) || matches!((kind, value), ("integer", Value::Number(number)) if number.is_whole())
        }),
        ("enum", values, value) => values.elements().binary_search(value).is_ok(),
        ("const", only, value) => only == value,
        ("minimum", Value::Number(bound), Value::Number(number)) => number >= bound,
        ("maximum", Value::Number(bound), Value::Number(number)) => number <= bound,
        ("exclusiveMinimum", Value::Number(bound), Value::Number(number)) => number > bound,
        ("exclusiveMaximum", Value::Number(bound), Value::Number(number)) => number < bound,
        ("multipleOf", Value::Number(of), Value::Number(number)) => {
            match number.is_multiple_of(*of) {
                Some(holds) => holds,
                None => {
                    return Err(Stop::Unknown(
                        "what `multipleOf` allows is not decided".to_owned(),
                    ));
                }
            }
        }
        ("minLength", _, Value::Text(text)) => {
            limit.is_none_or(|limit| count(text.chars().count()) >= limit)
        }
        ("maxLength", _, Value::Text(text)) => {
            limit.is_none_or(|limit| count(text.chars().count()) <= limit)
        }
        ("minItems", _, Value::Array(parts)) => {
            limit.is_none_or(|limit| count(parts.len()) >= limit)
        }
        ("maxItems", _, Value::Array(parts)) => {
            limit.is_none_or(|limit| count(parts.len()) <= limit)
        }
        ("minProperties", _, Value::Object(members)) => {
            limit.is_none_or(|limit| count(members.len()) >= limit)
        }
        ("maxProperties", _, Value::Object(members)) => {
            limit.is_none_or(|limit| count(members.len()) <= limit)
        }
        ("uniqueItems", Value::Bool(true), Value::Array(parts)) => {
            parts.iter().collect::<BTreeSet<_>>().len() == parts.len()
        }
        ("required", names, Value::Object(members)) => has_all(names, members),
        _ => true,
    })
}

fn has_all(names: &Value, members: &Members) -> bool {
    names
        .elements()
        .iter()
        .all(|name| name.text().is_some_and(|name| members.contains_key(name)))
}
