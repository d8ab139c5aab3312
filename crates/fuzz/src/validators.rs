//! Second opinions on schemas: two validators that share no code with ours nor with each other.

use jsonschema::{Draft, Validator};
use serde_json::{Map, Value, json};

use crate::generate::contract::each_schema;

/// The first integer whose successor is no double.
const TWO_53: i64 = 1 << 53;

/// One schema, as both validators understand it.
pub struct Validators {
    one: Validator,
    schemas: boon::Schemas,
    other: boon::SchemaIndex,
}

impl Validators {
    /// Both validators of a schema of 2020-12, with formats asserted; nothing if one refuses it.
    pub fn of(schema: &Value) -> Option<Self> {
        const PLACE: &str = "https://example.org/schema";
        let one = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .should_validate_formats(true)
            .build(schema)
            .ok()?;
        let mut schemas = boon::Schemas::new();
        let mut compiler = boon::Compiler::new();
        compiler.set_default_draft(boon::Draft::V2020_12);
        compiler.enable_format_assertions();
        compiler.add_resource(PLACE, for_doubles(schema)).ok()?;
        let other = compiler.compile(PLACE, &mut schemas).ok()?;
        Some(Self {
            one,
            schemas,
            other,
        })
    }

    /// Whether the schema allows a value; nothing if they disagree.
    pub fn allow(&self, value: &Value) -> Option<bool> {
        let one = self.one.is_valid(value);
        let other = self.schemas.validate(value, self.other).is_ok();
        (one == other).then_some(one)
    }
}

/// The schema with bounds a little past 2^53 written as lists of integers, which boon compares digit by
/// digit, where it compares bounds as doubles.
fn for_doubles(schema: &Value) -> Value {
    let mut schema = schema.clone();
    each_schema(&mut schema, &mut |inner| {
        let Value::Object(members) = inner else {
            return;
        };
        let mut all = Vec::new();
        let bounds = [
            ("maximum", 1, 0),
            ("exclusiveMaximum", 1, -1),
            ("minimum", -1, 0),
            ("exclusiveMinimum", -1, -1),
        ];
        for (word, sign, by) in bounds {
            all.extend(bound(members, word, sign, by));
        }
        if all.is_empty() {
            return;
        }
        let list = members.entry("allOf").or_insert_with(|| json!([]));
        if let Value::Array(list) = list {
            list.extend(all);
        }
    });
    schema
}

/// A bound that doubles can't hold, taken out and written otherwise; `sign` is -1 for one from below.
fn bound(members: &mut Map<String, Value>, word: &str, sign: i64, by: i64) -> Option<Value> {
    let bound = members.get(word)?.as_i64()?.checked_mul(sign)?;
    let near = -TWO_53 - 64..=TWO_53 + 64;
    if bound.abs() < TWO_53 || !near.contains(&bound) {
        return None;
    }
    members.remove(word);
    let (most, below) = (bound + by, ["minimum", "maximum"][usize::from(sign > 0)]);
    Some(match most > 0 {
        // Doubles up to here are exact, and what is above is listed.
        true => {
            let listed: Vec<i64> = (TWO_53 - 1..=most).map(|n| n * sign).collect();
            json!({"anyOf": [{below: (TWO_53 - 2) * sign}, {"enum": listed}]})
        }
        // What is not above the bound is all from it down: all but what is listed, and what is exact.
        false => {
            let above = ["maximum", "minimum"][usize::from(sign > 0)];
            let listed: Vec<i64> = (most + 1..=1 - TWO_53).map(|n| n * sign).collect();
            let more = json!([{above: (2 - TWO_53) * sign}, {"enum": listed}]);
            json!({"not": {"type": "number", "anyOf": more}})
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::contract::{Relation, pair, tool_schema, values};
    use crate::rng::Rng;
    use serde_json::json;

    #[test]
    fn both_know_what_is_allowed() {
        let schema = json!({"properties": {"a": {"type": "integer", "maximum": 3}}, "unevaluatedProperties": false});
        let both = Validators::of(&schema).expect("a schema");
        assert_eq!(both.allow(&json!({"a": 3.0})), Some(true));
        assert_eq!(both.allow(&json!({"a": 3.5})), Some(false));
        assert_eq!(both.allow(&json!({"b": 3})), Some(false));
        assert!(Validators::of(&json!({"type": 1})).is_none());
    }

    #[test]
    fn both_count_past_the_doubles() {
        let at = |by: i64| TWO_53 + by;
        for (word, bound, inside, outside) in [
            ("maximum", at(1), at(1), at(2)),
            ("maximum", at(0), at(0), at(1)),
            ("exclusiveMaximum", at(2), at(1), at(2)),
            ("minimum", at(1), at(1), at(0)),
            ("exclusiveMinimum", at(0), at(1), at(0)),
            ("minimum", -at(1), -at(1), -at(2)),
            ("exclusiveMinimum", -at(2), -at(1), -at(2)),
            ("maximum", -at(1), -at(1), -at(0)),
            ("exclusiveMaximum", -at(0), -at(1), -at(0)),
        ] {
            let both = Validators::of(&json!({ word: bound })).expect("a schema");
            assert_eq!(both.allow(&json!(inside)), Some(true), "{word} {bound}");
            assert_eq!(both.allow(&json!(outside)), Some(false), "{word} {bound}");
            let from_below = word.ends_with("inimum");
            assert_eq!(
                both.allow(&json!(0)),
                Some(from_below == (bound < 0)),
                "{word} {bound}"
            );
            assert_eq!(both.allow(&json!("a")), Some(true), "{word} {bound}");
        }
    }

    /// Without closing, for what is closed is the engine's to say.
    #[test]
    fn the_values_reach_both_sides_and_the_validators_agree() {
        let (mut allowed, mut refused, mut disputed) = (0, 0, Vec::new());
        for seed in 0..600 {
            let mut rng = Rng::with_seed(seed);
            let schema = tool_schema(&mut rng);
            let both = Validators::of(&schema).expect("a schema");
            for value in values(&schema, &schema, 10, &mut rng) {
                match both.allow(&value) {
                    Some(true) => allowed += 1,
                    Some(false) => refused += 1,
                    None => disputed.push(format!("{schema} {value}")),
                }
            }
        }
        println!(
            "{allowed} allowed, {refused} refused, {} disputed",
            disputed.len()
        );
        disputed.iter().take(10).for_each(|text| println!("{text}"));
        assert!(allowed > 2_000 && refused > 800, "{allowed} and {refused}");
        assert!(disputed.len() < 60, "{disputed:#?}");
    }

    /// In open schemas a new optional member may break, which is why they are closed.
    #[test]
    fn a_wider_schema_allows_what_the_narrower_does() {
        let (mut wider, mut shown) = (0, 0);
        for seed in 0..600 {
            let mut rng = Rng::with_seed(seed);
            let base = tool_schema(&mut rng);
            let (old, new, relation) = pair(&base, &mut rng);
            if relation == Relation::Unknown {
                continue;
            }
            let judges = (Validators::of(&old), Validators::of(&new));
            let (Some(before), Some(after)) = judges else {
                panic!("refused: {old} or {new}");
            };
            let of = |value: &Value| (before.allow(value), after.allow(value));
            let all = values(&old, &new, 24, &mut rng);
            match relation {
                Relation::Wider => {
                    wider += 1;
                    let added = ["verbose", "after", "n"];
                    let bad = all.iter().find(|value| {
                        of(value) == (Some(true), Some(false))
                            && !added.iter().any(|name| value.to_string().contains(name))
                    });
                    assert_eq!(bad, None, "{old} and {new}");
                }
                _ => {
                    shown += usize::from(
                        all.iter()
                            .any(|value| of(value) == (Some(true), Some(false))),
                    );
                }
            }
        }
        println!("{wider} wider, {shown} breaking");
        assert!(wider > 180 && shown > 120, "{wider} and {shown}");
    }
}
