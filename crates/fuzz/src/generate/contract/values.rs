//! Values at the boundaries of two schemas.

use crate::rng::Rng;
use serde_json::{Map, Value, json};

use super::schema::{FORMATS, PATTERNS, is_named, name_of};

/// How deep a value nests before it takes nothing optional any more.
const DEEP: usize = 5;

/// Values that are mostly allowed by `old`, some by `new`, and some damaged in one place.
pub fn values(old: &Value, new: &Value, count: usize, rng: &mut Rng) -> Vec<Value> {
    let pools = Pools::of(&[old, new]);
    (0..count)
        .map(|index| {
            let root = if index % 6 == 5 { new } else { old };
            let mut sampler = Sampler {
                root,
                pools: &pools,
                rng,
            };
            let mut value = sampler.sample(&[root], 0);
            if index % 4 == 3 {
                sampler.damage(&mut value);
            }
            value
        })
        .collect()
}

/// What the schemas name: the stuff of values.
#[derive(Default)]
struct Pools {
    numbers: Vec<Value>,
    lengths: Vec<usize>,
    literals: Vec<Value>,
    names: Vec<String>,
}

impl Pools {
    fn of(schemas: &[&Value]) -> Self {
        let mut pools = Self {
            numbers: [json!(0), json!(1), json!(1.0), json!(2.5), json!(-1)].to_vec(),
            lengths: vec![0, 1, 2],
            literals: [
                json!(null),
                json!(true),
                json!(1),
                json!("a"),
                json!([]),
                json!({}),
            ]
            .to_vec(),
            names: vec!["zz".to_owned()],
        };
        schemas.iter().for_each(|schema| pools.collect(schema));
        pools.numbers.dedup();
        pools
    }

    fn collect(&mut self, schema: &Value) {
        let members = match schema {
            Value::Object(members) => members,
            Value::Array(list) => return list.iter().for_each(|inner| self.collect(inner)),
            _ => return,
        };
        for (keyword, value) in members {
            match (keyword.as_str(), value) {
                (
                    "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf",
                    bound,
                ) => self.numbers.extend(around(bound)),
                (_, Value::Number(count)) => {
                    let count = count.as_u64().unwrap_or(0).min(12) as usize;
                    self.lengths
                        .extend([count.saturating_sub(1), count, count + 1]);
                }
                ("enum", Value::Array(list)) => self.literals.extend(list.iter().cloned()),
                ("const" | "default", one) => self.literals.push(one.clone()),
                ("properties" | "dependentRequired", Value::Object(map)) => {
                    self.names.extend(map.keys().cloned());
                }
                ("patternProperties", Value::Object(map)) => {
                    let names = map.keys().filter_map(|pattern| name_of(pattern));
                    self.names.extend(names.map(str::to_owned));
                }
                _ => {}
            }
            if !matches!(keyword.as_str(), "enum" | "const" | "default") {
                self.collect(value);
            }
        }
    }
}

/// A bound and its neighbours, as integers past 2^53 and as fractions too.
fn around(bound: &Value) -> Vec<Value> {
    let mut all = vec![bound.clone()];
    match (bound.as_i64(), bound.as_f64()) {
        (Some(bound), _) => {
            all.extend([
                json!(bound.saturating_add(1)),
                json!(bound.saturating_sub(1)),
            ]);
            if bound.abs() < 1 << 40 {
                let bound = bound as f64;
                all.extend([json!(bound), json!(bound + 0.5), json!(bound - 0.5)]);
                all.push(json!(bound as i64 * 2));
            }
        }
        (None, Some(bound)) => {
            all.extend([json!(bound + 0.25), json!(bound - 0.25)]);
            all.extend([json!(bound.floor() as i64), json!(bound.ceil() as i64)]);
        }
        _ => {}
    }
    all
}

struct Sampler<'a, 'r> {
    root: &'a Value,
    pools: &'a Pools,
    rng: &'r mut Rng,
}

impl<'a> Sampler<'a, '_> {
    /// A value that tries to satisfy all of `schemas`, at one of their edges.
    fn sample(&mut self, schemas: &[&'a Value], depth: usize) -> Value {
        let mut facets = Vec::new();
        let mut fuel = 24;
        for schema in schemas {
            self.flatten(schema, &mut facets, &mut fuel);
        }
        if let Some(only) = find(&facets, "const") {
            return only.clone();
        }
        if let Some(Value::Array(list)) = find(&facets, "enum")
            && !list.is_empty()
        {
            return list[self.rng.usize(..list.len())].clone();
        }
        match self.kind(&facets) {
            "object" => self.object(&facets, depth),
            "array" => self.array(&facets, depth),
            "string" => self.text(&facets),
            "integer" => self.number(&facets, true),
            "number" => self.number(&facets, false),
            "boolean" => json!(self.rng.bool()),
            "null" => Value::Null,
            _ => self.literal(),
        }
    }

    fn literal(&mut self) -> Value {
        match self.rng.u8(..5) {
            0 => self.pools.numbers[self.rng.usize(..self.pools.numbers.len())].clone(),
            1 => json!({ (self.name()): 1 }),
            _ => self.pools.literals[self.rng.usize(..self.pools.literals.len())].clone(),
        }
    }

    fn name(&mut self) -> String {
        self.pools.names[self.rng.usize(..self.pools.names.len())].clone()
    }

    /// The schema and those that must hold with it, with one branch of each choice.
    fn flatten(
        &mut self,
        schema: &'a Value,
        facets: &mut Vec<&'a Map<String, Value>>,
        fuel: &mut u8,
    ) {
        let Value::Object(members) = schema else {
            return;
        };
        if *fuel == 0 {
            return;
        }
        *fuel -= 1;
        facets.push(members);
        if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
            let pointer = reference.strip_prefix('#').unwrap_or_default();
            if let Some(target) = self.root.pointer(pointer) {
                self.flatten(target, facets, fuel);
            }
        }
        if let Some(Value::Array(all)) = members.get("allOf") {
            all.iter()
                .for_each(|inner| self.flatten(inner, facets, fuel));
        }
        for choice in ["anyOf", "oneOf"] {
            let all = members.get(choice).and_then(Value::as_array);
            if let Some(all) = all.filter(|all| !all.is_empty()) {
                let chosen = &all[self.rng.usize(..all.len())];
                self.flatten(chosen, facets, fuel);
            }
        }
        let branches = [["if", "then"], ["else", "else"]];
        for word in branches[usize::from(self.rng.bool())] {
            if let Some(inner) = members.get(word) {
                self.flatten(inner, facets, fuel);
            }
        }
    }

    /// One type that all facets allow, or an empty word for any value.
    fn kind(&mut self, facets: &[&'a Map<String, Value>]) -> &'a str {
        let mut left: Option<Vec<&str>> = None;
        for facet in facets {
            let own: Vec<&str> = match facet.get("type") {
                Some(Value::String(one)) => vec![one],
                Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
                _ => continue,
            };
            left = Some(match left {
                None => own,
                Some(left) => {
                    let both = left.into_iter().chain(own.iter().copied());
                    let both: Vec<&str> = both.collect();
                    let twice = both.iter().enumerate().filter(|(index, kind)| {
                        both[index + 1..].contains(kind)
                            || (**kind == "integer" && both.contains(&"number"))
                    });
                    twice.map(|(_, kind)| *kind).collect()
                }
            });
        }
        if let Some(left) = left {
            return match left.len() {
                0 => "",
                count => left[self.rng.usize(..count)],
            };
        }
        let implied = [
            ("properties", "object"),
            ("required", "object"),
            ("items", "array"),
            ("maxLength", "string"),
            ("minimum", "number"),
            ("exclusiveMinimum", "number"),
        ];
        let implied = implied
            .iter()
            .filter(|(word, _)| find(facets, word).is_some());
        let implied: Vec<&str> = implied.map(|(_, kind)| *kind).collect();
        match implied.len() {
            0 => "",
            _ if self.rng.u8(..5) == 0 => "",
            count => implied[self.rng.usize(..count)],
        }
    }

    fn number(&mut self, facets: &[&'a Map<String, Value>], whole: bool) -> Value {
        let mut near: Vec<Value> = Vec::new();
        for facet in facets {
            for word in [
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "multipleOf",
            ] {
                near.extend(facet.get(word).into_iter().flat_map(around));
            }
        }
        let all = match near.is_empty() || self.rng.u8(..3) == 0 {
            true => &self.pools.numbers,
            false => &near,
        };
        let fits = |number: &&Value| {
            (!whole || number.as_f64().is_some_and(|n| n.fract() == 0.0)) && within(facets, number)
        };
        let good: Vec<&Value> = all.iter().filter(fits).collect();
        match good.len() {
            0 => self.pools.numbers[self.rng.usize(..self.pools.numbers.len())].clone(),
            count => good[self.rng.usize(..count)].clone(),
        }
    }

    /// A length between the counts of these keywords, at an edge if there is one.
    fn length(&mut self, facets: &[&'a Map<String, Value>], least: &str, most: &str) -> usize {
        let counts = |word: &str| {
            let all = facets.iter().filter_map(|facet| facet.get(word)?.as_u64());
            all.map(|count| count.min(12) as usize).collect::<Vec<_>>()
        };
        let least = counts(least).into_iter().max();
        let most = counts(most).into_iter().min();
        match (least, most, self.rng.u8(..3)) {
            (Some(least), _, 0) => least,
            (_, Some(most), 1) => most,
            _ => {
                let lengths = &self.pools.lengths;
                let length = lengths[self.rng.usize(..lengths.len())];
                length.clamp(
                    least.unwrap_or(0),
                    most.unwrap_or(12).max(least.unwrap_or(0)),
                )
            }
        }
    }

    fn text(&mut self, facets: &[&'a Map<String, Value>]) -> Value {
        let patterns = PATTERNS.iter().map(|known| ("pattern", known));
        let formats = FORMATS.iter().map(|known| ("format", known));
        for (word, (name, sample)) in patterns.chain(formats) {
            if find(facets, word).is_some_and(|own| own == name) && self.rng.u8(..5) > 0 {
                return json!(sample);
            }
        }
        let literals = &self.pools.literals;
        let known = &literals[self.rng.usize(..literals.len())];
        if known.is_string() && self.rng.u8(..3) == 0 {
            return known.clone();
        }
        let length = self.length(facets, "minLength", "maxLength");
        let letters = ['a', 'b', '\u{e9}', '\u{1f600}'];
        let text: String = (0..length).map(|_| letters[self.rng.usize(..4)]).collect();
        json!(text)
    }

    fn array(&mut self, facets: &[&'a Map<String, Value>], depth: usize) -> Value {
        let mut length = self.length(facets, "minItems", "maxItems").min(6);
        if depth > DEEP {
            length = 0;
        }
        let mut list: Vec<Value> = Vec::new();
        for index in 0..length {
            let mut schemas: Vec<&Value> = Vec::new();
            for facet in facets {
                let first = facet.get("prefixItems").and_then(|all| all.get(index));
                schemas.extend(first.or_else(|| facet.get("items")));
            }
            if let (0, Some(inner)) = (index, find(facets, "contains")) {
                schemas.push(inner);
            }
            let mut item = self.sample(&schemas, depth + 1);
            for _ in 0..3 {
                if list.contains(&item) && find(facets, "uniqueItems").is_some() {
                    item = self.sample(&schemas, depth + 1);
                }
            }
            // Twice the same, where only that is forbidden on one side.
            if let (Some(first), 0) = (list.first(), self.rng.u8(..6)) {
                item = first.clone();
            }
            list.push(item);
        }
        Value::Array(list)
    }

    fn object(&mut self, facets: &[&'a Map<String, Value>], depth: usize) -> Value {
        let mut names: Vec<String> = Vec::new();
        // Half of the values have nothing that they need not have, or everything.
        let share = [0, 1, 2, 2, 4][self.rng.usize(..5)];
        for facet in facets {
            if let Some(Value::Array(list)) = facet.get("required") {
                names.extend(list.iter().filter_map(Value::as_str).map(str::to_owned));
            }
            if let Some(Value::Object(map)) = facet.get("properties") {
                let some = map
                    .keys()
                    .filter(|_| self.rng.u8(..4) < share && depth <= DEEP);
                names.extend(some.cloned());
            }
        }
        let open = find(facets, "additionalProperties").is_some_and(|more| *more != json!(false));
        if find(facets, "patternProperties").is_some() {
            names.extend((0..self.rng.u8(1..4)).map(|_| self.name()));
        } else if self.rng.u8(..if open { 3 } else { 12 }) == 0 {
            names.push(self.name());
        }
        for facet in facets {
            if let Some(Value::Object(map)) = facet.get("dependentRequired") {
                for (name, more) in map {
                    if names.contains(name) {
                        let more = more.as_array().into_iter().flatten();
                        names.extend(more.filter_map(Value::as_str).map(str::to_owned));
                    }
                }
            }
        }
        let mut members = Map::new();
        for name in names {
            let mut schemas: Vec<&Value> = Vec::new();
            for facet in facets {
                let own = facet.get("properties").and_then(|map| map.get(&name));
                let patterns = facet.get("patternProperties").and_then(Value::as_object);
                let by_pattern = patterns.into_iter().flatten();
                let by_pattern = by_pattern.filter(|(pattern, _)| is_named(pattern, &name));
                let by_pattern = by_pattern.map(|(_, schema)| schema);
                let said: Vec<&Value> = own.into_iter().chain(by_pattern).collect();
                match said.is_empty() {
                    true => schemas.extend(facet.get("additionalProperties")),
                    false => schemas.extend(said),
                }
            }
            if !members.contains_key(&name) {
                let value = self.sample(&schemas, depth + 1);
                members.insert(name, value);
            }
        }
        Value::Object(members)
    }

    /// Something else in one place of a value.
    fn damage(&mut self, value: &mut Value) {
        let deeper = self.rng.u8(..3) > 0;
        match value {
            Value::Object(members) if !members.is_empty() => {
                let index = self.rng.usize(..members.len());
                let name = members.keys().nth(index).cloned().unwrap_or_default();
                if let (true, Some(inner)) = (deeper, members.get_mut(&name)) {
                    return self.damage(inner);
                }
                if self.rng.bool() {
                    members.remove(&name);
                } else {
                    let (name, inner) = (self.name(), self.literal());
                    members.insert(name, inner);
                }
            }
            Value::Array(list) if !list.is_empty() => {
                let index = self.rng.usize(..list.len());
                if deeper {
                    return self.damage(&mut list[index]);
                }
                match self.rng.bool() {
                    true => drop(list.remove(index)),
                    false => list.push(list[index].clone()),
                }
            }
            Value::Number(_) if deeper => {
                let near = around(value);
                *value = near[self.rng.usize(..near.len())].clone();
            }
            Value::String(text) if deeper => match self.rng.bool() {
                true => text.push('b'),
                false => drop(text.pop()),
            },
            other => *other = self.literal(),
        }
    }
}

fn find<'a>(facets: &[&'a Map<String, Value>], word: &str) -> Option<&'a Value> {
    facets.iter().find_map(|facet| facet.get(word))
}

/// Whether a number is within all bounds, roughly: as doubles, if both are not integers.
fn within(facets: &[&Map<String, Value>], number: &Value) -> bool {
    facets.iter().all(|facet| {
        let against = |word: &str| {
            let bound = facet.get(word)?;
            match (number.as_i64(), bound.as_i64()) {
                (Some(number), Some(bound)) => Some(number.cmp(&bound)),
                _ => number.as_f64()?.partial_cmp(&bound.as_f64()?),
            }
        };
        let divides = facet
            .get("multipleOf")
            .and_then(Value::as_f64)
            .is_none_or(|by| number.as_f64().is_some_and(|n| n % by == 0.0));
        against("minimum").is_none_or(|order| order.is_ge())
            && against("maximum").is_none_or(|order| order.is_le())
            && against("exclusiveMinimum").is_none_or(|order| order.is_gt())
            && against("exclusiveMaximum").is_none_or(|order| order.is_lt())
            && divides
    })
}
