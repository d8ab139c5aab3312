//! How a schema is written as alternatives.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::alternatives::{Alternative, Bound, Contains, Group, List, Opaque, Type, is_opaque};
use super::engine::{Engine, Stop};
use super::graph::{FALSE, Id, Keyword, Node, TRUE};
use super::value::Value;

/// The most alternatives of one schema; beyond it nothing is decided.
const MOST: usize = 256;

/// So much of an alternative is copied in one step.
const SIZE: u64 = 4;

impl Engine {
    /// The alternatives of all of some schemas together: what all of them allow, exactly.
    pub(super) fn all_of(&mut self, schemas: &[Id]) -> Result<Rc<Vec<Alternative>>, Stop> {
        if let [one] = schemas {
            return self.alternatives(*one, false);
        }
        let key = schemas.to_vec();
        if let Some(known) = self.together.get(&key) {
            return Ok(known.clone());
        }
        let mut all: Vec<_> = Type::ALL.map(Alternative::any).into();
        for schema in schemas {
            let other = self.alternatives(*schema, false)?;
            all = self.product(&all, &other)?;
        }
        let all = Rc::new(all);
        self.together.insert(key, all.clone());
        Ok(all)
    }

    /// The alternatives of a schema. Where a schema around it is closed, so that it matters which
    /// alternatives have looked at a member, those that can hold together are alternatives too.
    fn alternatives(&mut self, id: Id, closing: bool) -> Result<Rc<Vec<Alternative>>, Stop> {
        if let Some(known) = self.alternatives.get(&(id, closing)) {
            return Ok(known.clone());
        }
        self.step(1)?;
        if !self.active.insert((id, closing)) {
            return Err(Stop::Unknown("a schema is a part of itself".to_owned()));
        }
        let found = match &*self.graph.node(id) {
            Node::Bool(false) => Ok(Vec::new()),
            Node::Bool(true) => Ok(Type::ALL.map(Alternative::any).into()),
            Node::Case(case) => Ok(vec![(**case).clone()]),
            Node::Keywords(keywords) => {
                self.deeper(|engine| engine.of_keywords(id, keywords, closing))
            }
        };
        self.active.remove(&(id, closing));
        let found = Rc::new(found?);
        self.alternatives.insert((id, closing), found.clone());
        Ok(found)
    }

    fn of_keywords(
        &mut self,
        id: Id,
        keywords: &BTreeMap<String, Keyword>,
        closing: bool,
    ) -> Result<Vec<Alternative>, Stop> {
        let closed = keywords.contains_key("unevaluatedProperties");
        let inner = closing || closed;
        let mut all = self.own(id, keywords);
        if let Some(Keyword::One(target)) = keywords.get("$ref") {
            let target = self.alternatives(*target, inner)?;
            all = self.product(&all, &target)?;
        }
        for part in self.graph.many(id, "allOf").to_vec() {
            let part = self.alternatives(part, inner)?;
            all = self.product(&all, &part)?;
        }
        if keywords.contains_key("anyOf") {
            let any = self.any_of(id, inner)?;
            all = self.product(&all, &any)?;
        }
        if keywords.contains_key("oneOf") {
            let one = self.one_of(id, inner)?;
            all = self.product(&all, &one)?;
        }
        if keywords.contains_key("if") {
            let cases = self.conditional(id, inner)?;
            all = self.product(&all, &cases)?;
        }
        for (name, schema) in self
            .graph
            .named(id, "dependentSchemas")
            .cloned()
            .unwrap_or_default()
        {
            let then = self.alternatives(schema, inner)?;
            let cases = self.dependent(&name, &then);
            all = self.product(&all, &cases)?;
        }
        if let Some(Value::Object(lists)) = self.graph.value(id, "dependentRequired").cloned() {
            for (name, list) in lists {
                let mut then = Alternative::any(Type::Object);
                then.required = list
                    .elements()
                    .iter()
                    .filter_map(Value::text)
                    .map(str::to_owned)
                    .collect();
                let cases = self.dependent(&name, &[then]);
                all = self.product(&all, &cases)?;
            }
        }
        if closed {
            all.iter_mut().for_each(Alternative::shut);
        }
        all.iter_mut().for_each(Alternative::list_integers);
        all.retain(|one| !one.is_plainly_empty());
        Ok(all)
    }

    /// What a schema says by itself, type by type.
    fn own(&self, id: Id, keywords: &BTreeMap<String, Keyword>) -> Vec<Alternative> {
        let types = self
            .graph
            .value(id, "type")
            .map(|kind| kind.elements().to_vec());
        let mut all = Vec::new();
        for kind in Type::ALL {
            let mut one = Alternative::any(kind);
            if let Some(types) = &types {
                let has = |name: &str| types.iter().any(|kind| kind.text() == Some(name));
                let allowed = match kind {
                    Type::Null => has("null"),
                    Type::Bool => has("boolean"),
                    Type::Number => has("number") || has("integer"),
                    Type::Text => has("string"),
                    Type::Array => has("array"),
                    Type::Object => has("object"),
                };
                if !allowed {
                    continue;
                }
                one.integer = kind == Type::Number && !has("number");
            }
            for (name, keyword) in keywords {
                self.say(&mut one, id, name, keyword);
            }
            if let Some(values) = &mut one.values {
                values.sort();
                values.dedup();
                values.retain(|value| Type::of(value) == kind);
            }
            if !one.is_plainly_empty() {
                all.push(one);
            }
        }
        all
    }

    /// Adds what one keyword says.
    fn say(&self, one: &mut Alternative, id: Id, name: &str, keyword: &Keyword) {
        let keep = |one: &mut Alternative, values: Vec<Value>| {
            one.values = Some(match one.values.take() {
                Some(mut own) => {
                    own.retain(|value| values.binary_search(value).is_ok());
                    own
                }
                None => values,
            });
        };
        let bound = |exclusive| match keyword {
            Keyword::Value(Value::Number(at)) => Some(Bound { at: *at, exclusive }),
            _ => None,
        };
        let limit = match keyword {
            Keyword::Value(value) => value.limit(),
            _ => None,
        };
        match (name, keyword, one.kind) {
            ("enum", Keyword::Value(values), _) => keep(one, values.elements().to_vec()),
            ("const", Keyword::Value(value), _) => keep(one, vec![value.clone()]),
            ("minimum", _, Type::Number) => one.raise(bound(false)),
            ("exclusiveMinimum", _, Type::Number) => one.raise(bound(true)),
            ("maximum", _, Type::Number) => one.lower(bound(false)),
            ("exclusiveMaximum", _, Type::Number) => one.lower(bound(true)),
            ("multipleOf", Keyword::Value(Value::Number(of)), Type::Number) => {
                one.multiples.push(*of)
            }
            ("minLength", _, Type::Text)
            | ("minItems", _, Type::Array)
            | ("minProperties", _, Type::Object) => {
                one.least = limit.unwrap_or(0);
            }
            ("maxLength", _, Type::Text)
            | ("maxItems", _, Type::Array)
            | ("maxProperties", _, Type::Object) => {
                one.most = limit;
            }
            ("uniqueItems", Keyword::Value(Value::Bool(unique)), Type::Array) => {
                one.unique = *unique
            }
            ("prefixItems" | "items", _, Type::Array) => {
                let rest = self.graph.one(id, "items").unwrap_or(TRUE);
                let prefix = self.graph.many(id, "prefixItems").to_vec();
                one.lists = vec![List { prefix, rest }];
            }
            ("contains", Keyword::One(schema), Type::Array) => {
                let count = |name| self.graph.value(id, name).and_then(Value::limit);
                one.contains.push(Contains {
                    schema: *schema,
                    least: count("minContains").unwrap_or(1),
                    most: count("maxContains"),
                });
            }
            ("required", _, Type::Object) => one.required = self.graph.names(id, "required"),
            ("properties" | "patternProperties" | "additionalProperties", _, Type::Object) => {
                let named = |keyword| self.graph.named(id, keyword).cloned().unwrap_or_default();
                one.groups = vec![Rc::new(Group {
                    properties: named("properties"),
                    patterns: named("patternProperties"),
                    rest: self.graph.one(id, "additionalProperties"),
                })];
            }
            ("propertyNames", Keyword::One(schema), Type::Object) => one.names.push(*schema),
            _ if is_opaque(name) => {
                one.opaque.insert(Opaque {
                    keyword: name.to_owned(),
                    schema: id,
                    case: 0,
                });
            }
            _ => {}
        }
    }

    fn product(
        &mut self,
        left: &[Alternative],
        right: &[Alternative],
    ) -> Result<Vec<Alternative>, Stop> {
        self.step((left.len() * right.len()) as u64)?;
        let mut all: Vec<Alternative> = Vec::new();
        for one in left {
            let sizes = right.iter().filter(|other| other.kind == one.kind);
            let sizes: usize = sizes.map(|other| one.size() + other.size()).sum();
            self.step(sizes as u64 / SIZE)?;
            all.extend(right.iter().filter_map(|other| one.and(other)));
            if all.len() > MOST {
                return Err(Stop::Unknown("it has too many alternatives".to_owned()));
            }
        }
        Ok(all)
    }

    fn any_of(&mut self, id: Id, closing: bool) -> Result<Vec<Alternative>, Stop> {
        let mut all: Vec<Alternative> = Vec::new();
        for branch in self.graph.many(id, "anyOf").to_vec() {
            let branch = self.alternatives(branch, closing)?;
            let mut more = branch.to_vec();
            if closing {
                // A value that both allow may have the members that either declares.
                self.step((all.len() * branch.len()) as u64)?;
                for one in &all {
                    for other in branch.iter() {
                        let Some(both) = one.and(other) else {
                            continue;
                        };
                        let looks = both.looked_at();
                        let gains = both.kind == Type::Object
                            && looks != one.looked_at()
                            && looks != other.looked_at();
                        if gains && !self.is_empty(&both, 0)? {
                            more.push(both);
                        }
                    }
                    if more.len() > MOST {
                        return Err(Stop::Unknown("it has too many alternatives".to_owned()));
                    }
                }
            }
            all.extend(more);
            if all.len() > MOST {
                return Err(Stop::Unknown("it has too many alternatives".to_owned()));
            }
        }
        Ok(all)
    }

    /// Alternatives of which exactly one holds. That no other does is only compared, unless no value fits
    /// two of them.
    fn one_of(&mut self, id: Id, closing: bool) -> Result<Vec<Alternative>, Stop> {
        let branches = self.graph.many(id, "oneOf").to_vec();
        let mut distinct = true;
        let mut kept: Vec<Rc<Vec<Alternative>>> = Vec::new();
        for branch in &branches {
            let branch = self.alternatives(*branch, closing)?;
            for before in &kept {
                if distinct {
                    for both in self.product(before, &branch)? {
                        distinct &= self.is_empty(&both, 0)?;
                    }
                }
            }
            kept.push(branch);
        }
        let mut all = Vec::new();
        for (case, branch) in kept.iter().enumerate() {
            for one in branch.iter() {
                let mut one = one.clone();
                if !distinct {
                    let keyword = "oneOf".to_owned();
                    one.opaque.insert(Opaque {
                        keyword,
                        schema: id,
                        case,
                    });
                }
                all.push(one);
            }
        }
        match all.len() > MOST {
            true => Err(Stop::Unknown("it has too many alternatives".to_owned())),
            false => Ok(all),
        }
    }

    fn conditional(&mut self, id: Id, closing: bool) -> Result<Vec<Alternative>, Stop> {
        let condition = self.graph.one(id, "if").unwrap_or(TRUE);
        let condition = self.alternatives(condition, closing)?;
        let mut all = Vec::new();
        for (case, name) in ["then", "else"].into_iter().enumerate() {
            let schema = self.graph.one(id, name).unwrap_or(TRUE);
            let mut one = self.alternatives(schema, closing)?.to_vec();
            if name == "then" {
                one = self.product(&condition, &one)?;
            }
            for mut one in one {
                let keyword = "if".to_owned();
                one.opaque.insert(Opaque {
                    keyword,
                    schema: id,
                    case,
                });
                all.push(one);
            }
        }
        Ok(all)
    }

    /// What holds where an object has a member, and that it has it; or that it has not.
    fn dependent(&mut self, name: &str, then: &[Alternative]) -> Vec<Alternative> {
        let mut all: Vec<_> = Type::ALL.map(Alternative::any).into();
        all.retain(|one| one.kind != Type::Object);
        let mut without = Alternative::any(Type::Object);
        without.forbid(name);
        all.push(without);
        for one in then.iter().filter(|one| one.kind == Type::Object) {
            let mut one = one.clone();
            one.required.insert(name.to_owned());
            all.push(one);
        }
        all
    }

    /// Whether it is seen that no value is allowed.
    pub(super) fn is_empty(&mut self, one: &Alternative, depth: usize) -> Result<bool, Stop> {
        const DEEP: usize = 6;
        self.step(1)?;
        if one.is_plainly_empty() {
            return Ok(true);
        }
        if depth == DEEP || one.kind != Type::Object && one.kind != Type::Array {
            return Ok(false);
        }
        for name in &one.required {
            let member = one.member(name, &mut |pattern| self.matches(pattern, name));
            if self.allows_nothing(&member, depth + 1)? {
                return Ok(true);
            }
        }
        for index in 0..usize::try_from(one.least)
            .unwrap_or(0)
            .min(one.prefix() + 1)
        {
            if one.kind == Type::Array && self.allows_nothing(&one.element(index), depth + 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether it is seen that some schemas together allow no value.
    pub(super) fn allows_nothing(&mut self, schemas: &[Id], depth: usize) -> Result<bool, Stop> {
        if schemas.contains(&FALSE) {
            return Ok(true);
        }
        if schemas.is_empty() {
            return Ok(false);
        }
        let all = match self.all_of(schemas) {
            Ok(all) => all,
            // What is a part of itself is found again where it is looked at.
            Err(Stop::Unknown(_)) => return Ok(false),
            Err(stop) => return Err(stop),
        };
        for one in all.iter() {
            if !self.is_empty(one, depth)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
