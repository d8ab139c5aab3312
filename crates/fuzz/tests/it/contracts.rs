//! Verdicts on pairs of schemas. The long run is that of `cargo xtask fuzz --minutes N`, a million pairs.

use std::sync::atomic::{AtomicU64, Ordering};

use fastrand::Rng;
use serde_json::{Map, Value, json};
use toolwire::Json;
use toolwire_fuzz::generate::contract::{Relation, each_schema, tool_schema};
use toolwire_fuzz::run::on_a_deep_stack;
use toolwire_fuzz::subject::Toolwire;
use toolwire_fuzz::trial::{Containment, Trial};

/// What became of the pairs of a run.
#[derive(Debug, Default)]
struct Count {
    pairs: u64,
    /// Compatible by construction, and how many of them are decided.
    wider: u64,
    proven: u64,
    /// Breaking by construction, with a value that shows it, and how many of them are decided.
    broken: u64,
    shown: u64,
    wrong: Vec<String>,
}

impl Count {
    /// The pairs of these seeds.
    fn of(seeds: impl Iterator<Item = u64>) -> Self {
        let mut count = Count::default();
        for seed in seeds {
            let Some(trial) = trial(seed) else {
                continue;
            };
            count.pairs += 1;
            let said = Containment::of(&Toolwire, &trial.old, &trial.new, trial.open);
            if let Err(wrong) = trial.judge(&said) {
                count.wrong.push(format!("seed {seed}: {wrong}"));
            }
            if trial.relation == Relation::Wider {
                count.wider += 1;
                count.proven += u64::from(said == Containment::Contained);
            } else if trial.counterexample().is_some() {
                count.broken += 1;
                count.shown += u64::from(matches!(said, Containment::Witness(_)));
            }
        }
        count
    }

    fn check(&self) {
        println!(
            "{} pairs: {} wider ({} proven), {} breaking ({} shown), {} wrong",
            self.pairs,
            self.wider,
            self.proven,
            self.broken,
            self.shown,
            self.wrong.len()
        );
        assert!(self.wrong.is_empty(), "{:#?}", self.wrong);
        assert!(self.wider * 10 >= self.pairs * 3, "{self:?}");
        assert!(self.broken * 10 >= self.pairs * 3, "{self:?}");
    }
}

fn trial(seed: u64) -> Option<Trial> {
    let base = tool_schema(&mut Rng::with_seed(seed));
    Trial::of(&Toolwire, &base, seed)
}

#[test]
fn no_verdict_is_refuted_and_most_pairs_have_a_known_answer() {
    on_a_deep_stack(|| Count::of(0..250).check());
}

#[test]
#[ignore = "it takes minutes"]
fn no_verdict_of_a_million_is_refuted() {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let pairs = number("TOOLWIRE_FUZZ_PAIRS").unwrap_or(1_000_000);
    let from = number("TOOLWIRE_FUZZ_FROM").unwrap_or(0);
    let next = AtomicU64::new(0);
    let seeds = || {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        (seed < pairs).then_some(from + seed)
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let mut sum = Count::default();
    std::thread::scope(|scope| {
        let counts: Vec<_> = (0..workers)
            .map(|_| scope.spawn(|| on_a_deep_stack(|| Count::of(std::iter::from_fn(seeds)))))
            .collect();
        for count in counts {
            let count = count.join().expect("a count");
            sum.pairs += count.pairs;
            sum.wider += count.wider;
            sum.proven += count.proven;
            sum.broken += count.broken;
            sum.shown += count.shown;
            sum.wrong.extend(count.wrong);
        }
    });
    sum.check();
}

/// Changes an old and a new schema.
type Plant = Box<dyn Fn(&mut Value, &mut Value) + Sync>;

/// An unsound rule: what an engine that had it would see instead of the schemas.
struct Rule {
    name: String,
    plant: Plant,
}

/// The schemas as a rule has them; nothing if it changes neither.
fn seen(rule: &Rule, old: &Json, new: &Json) -> Option<(Json, Json)> {
    let value = |text: &Json| serde_json::from_str::<Value>(text.as_str()).ok();
    let (old, new) = (value(old)?, value(new)?);
    let (mut seen_old, mut seen_new) = (old.clone(), new.clone());
    (rule.plant)(&mut seen_old, &mut seen_new);
    if old == seen_old && new == seen_new {
        return None;
    }
    let json = |value: Value| Json::new(value.to_string()).ok();
    Some((json(seen_old)?, json(seen_new)?))
}

/// Changes the members of each schema in `schema`.
fn each(schema: &mut Value, change: impl Fn(&mut Map<String, Value>)) {
    each_schema(schema, &mut |inner| {
        if let Value::Object(members) = inner {
            change(members);
        }
    });
}

/// An engine that does not look at a keyword of the new schema.
fn blind(keyword: &'static str) -> Rule {
    rule(&format!("`{keyword}` is not looked at"), move |_, new| {
        each(new, |members| drop(members.remove(keyword)));
    })
}

fn rule(name: &str, plant: impl Fn(&mut Value, &mut Value) + Sync + 'static) -> Rule {
    Rule {
        name: name.to_owned(),
        plant: Box::new(plant),
    }
}

fn renamed(members: &mut Map<String, Value>, from: &str, to: &str) {
    if let Some(value) = members.remove(from) {
        members.insert(to.to_owned(), value);
    }
}

fn moved(members: &mut Map<String, Value>, name: &str, by: i64) {
    if let Some(number) = members.get(name).and_then(Value::as_i64) {
        members.insert(name.to_owned(), json!((number + by).max(0)));
    }
}

fn rounded(value: &mut Value) {
    match value {
        Value::Object(members) => members.values_mut().for_each(rounded),
        Value::Array(list) => list.iter_mut().for_each(rounded),
        Value::Number(number) => {
            if let Some(integer) = number.as_i64() {
                *value = json!(integer as f64 as i64);
            }
        }
        _ => {}
    }
}

fn only_first(members: &mut Map<String, Value>, name: &str) {
    if let Some(Value::Array(list)) = members.get_mut(name) {
        list.truncate(1);
    }
}

fn rules() -> Vec<Rule> {
    let blind = [
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "pattern",
        "format",
        "minItems",
        "maxItems",
        "uniqueItems",
        "contains",
        "items",
        "required",
        "propertyNames",
        "minProperties",
        "maxProperties",
        "dependentRequired",
        "enum",
        "const",
        "not",
        "anyOf",
        "oneOf",
        "$ref",
        "type",
    ]
    .map(blind);
    let wrong = [
        rule("integers are numbers", |_, new| {
            each(new, |members| {
                if members.get("type") == Some(&json!("integer")) {
                    members.insert("type".to_owned(), json!("number"));
                }
            });
        }),
        rule("numbers are integers", |old, _| {
            each(old, |members| {
                if members.get("type") == Some(&json!("number")) {
                    members.insert("type".to_owned(), json!("integer"));
                }
            });
        }),
        rule("`oneOf` is `anyOf`", |_, new| {
            each(new, |members| renamed(members, "oneOf", "anyOf"))
        }),
        rule("exclusive bounds are inclusive", |_, new| {
            each(new, |members| {
                renamed(members, "exclusiveMinimum", "minimum");
                renamed(members, "exclusiveMaximum", "maximum");
            });
        }),
        rule("numbers are doubles", |old, new| {
            rounded(old);
            rounded(new);
        }),
        rule("a maximum is one more", |_, new| {
            each(new, |members| moved(members, "maximum", 1))
        }),
        rule("a shortest length is one less", |_, new| {
            each(new, |members| moved(members, "minLength", -1))
        }),
        rule("members that are gone are still taken", |_, new| {
            each(new, |members| {
                if members.contains_key("properties") {
                    members.insert("additionalProperties".to_owned(), json!(true));
                }
            });
        }),
        rule("the old schema requires nothing", |old, _| {
            each(old, |members| drop(members.remove("required")))
        }),
        rule("the old schema has one alternative", |old, _| {
            each(old, |members| only_first(members, "anyOf"))
        }),
        rule("the old schema has one type", |old, _| {
            each(old, |members| only_first(members, "type"))
        }),
        rule("what is optional is not compared", |old, _| {
            each(old, |members| {
                let required = members.get("required").cloned().unwrap_or_default();
                let required = required.as_array().cloned().unwrap_or_default();
                if let Some(Value::Object(map)) = members.get_mut("properties") {
                    map.retain(|name, _| required.contains(&json!(name)));
                }
            });
        }),
        rule("members of members are not compared", |_, new| {
            if let Some(Value::Object(map)) = new.get_mut("properties") {
                for inner in map.values_mut() {
                    if inner.get("properties").is_some() {
                        *inner = json!({"type": "object"});
                    }
                }
            }
        }),
        rule(
            "a forbidden pattern of names forbids all names",
            |old, _| {
                each(old, |members| {
                    let patterns = members.get("patternProperties").and_then(Value::as_object);
                    if patterns.is_some_and(|all| all.values().any(|one| *one == json!(false))) {
                        members.insert("maxProperties".to_owned(), json!(0));
                    }
                });
            },
        ),
        rule("alternatives look at names, not at patterns", |old, _| {
            each(old, |members| {
                for one in members
                    .get_mut("anyOf")
                    .and_then(Value::as_array_mut)
                    .into_iter()
                    .flatten()
                {
                    if one.get("patternProperties").is_some() {
                        one["additionalProperties"] = json!(false);
                    }
                }
            });
        }),
        rule("a limit beyond 64 bits is none", |_, new| {
            each(new, |members| {
                members.retain(|_, value| *value != json!(1e20))
            });
        }),
        rule("`enum` has what `default` says", |old, _| {
            each(old, |members| {
                if let (Some(default), true) = (
                    members.get("default").cloned(),
                    members.contains_key("enum"),
                ) {
                    members.insert("enum".to_owned(), json!([default]));
                }
            });
        }),
    ];
    blind.into_iter().chain(wrong).collect()
}

/// So many pairs at most, until every rule is caught.
const PAIRS: u64 = 8_000;

#[test]
fn every_unsound_rule_is_caught() {
    let rules = rules();
    assert!(rules.len() >= 30, "{}", rules.len());
    let mut left: Vec<&Rule> = rules.iter().collect();
    let pairs = on_a_deep_stack(|| {
        (0..PAIRS).find(|seed| {
            catch(&mut left, *seed);
            left.is_empty()
        })
    });
    let left: Vec<&str> = left.iter().map(|rule| rule.name.as_str()).collect();
    assert!(left.is_empty(), "not caught: {left:#?}");
    println!("{} rules are caught by {pairs:?} pairs", rules.len());
}

/// Takes out the rules that the law sees in the pair of a seed.
///
/// Only where the answers differ the validators are asked: elsewhere the law holds, since it does for
/// the engine as it is.
fn catch(left: &mut Vec<&Rule>, seed: u64) {
    let base = tool_schema(&mut Rng::with_seed(seed));
    let Some((old, new, open)) = Trial::texts(&base, seed) else {
        return;
    };
    let right = Containment::of(&Toolwire, &old, &new, open);
    let mut judge = None;
    left.retain(|rule| {
        let Some((seen_old, seen_new)) = seen(rule, &old, &new) else {
            return true;
        };
        let said = Containment::of(&Toolwire, &seen_old, &seen_new, open);
        if said == right {
            return true;
        }
        let judge = judge.get_or_insert_with(|| trial(seed));
        judge
            .as_ref()
            .is_none_or(|judge| judge.judge(&said).is_ok())
    });
}

/// The schema with its definitions where no schemas are: in an unknown keyword, in a `default` or in a
/// `const`.
fn moved_away(schema: &Value, rng: &mut Rng) -> Option<Json> {
    let mut moved = schema.clone();
    let definitions = moved.as_object_mut()?.remove("$defs")?;
    let (keyword, holder) = [
        ("x-defs", json!({"x-defs": definitions})),
        (
            "properties/x/default",
            json!({"properties": {"x": {"default": definitions}}}),
        ),
        (
            "properties/x/const",
            json!({"properties": {"x": {"const": definitions}}}),
        ),
    ][rng.usize(..3)]
    .clone();
    for (name, value) in holder.as_object()? {
        match (moved.get_mut(name), value) {
            (Some(Value::Object(own)), Value::Object(more)) => own.extend(more.clone()),
            _ => moved[name] = value.clone(),
        }
    }
    let text = moved.to_string();
    Json::new(text.replace("\"#/$defs/", &format!("\"#/{keyword}/"))).ok()
}

#[test]
fn what_a_reference_finds_where_no_schemas_are_is_not_decided() {
    on_a_deep_stack(|| {
        let mut pairs = 0;
        for seed in 0..1_500 {
            let mut rng = Rng::with_seed(seed);
            let base = tool_schema(&mut rng);
            let (old, new, _) = toolwire_fuzz::generate::contract::pair(&base, &mut rng);
            let (Some(one), Some(two)) = (moved_away(&old, &mut rng), moved_away(&new, &mut rng))
            else {
                continue;
            };
            // Of equal schemas it may be said that they are.
            if one == two || !one.as_str().contains("$ref") || !two.as_str().contains("$ref") {
                continue;
            }
            let said = Containment::of(&Toolwire, &one, &two, false);
            let is_same = Containment::of(&Toolwire, &two, &one, false) == said;
            pairs += 1;
            assert!(
                matches!(said, Containment::Unknown) || said == Containment::Contained && is_same,
                "{one} and {two}: {said:?}"
            );
        }
        assert!(pairs > 100, "{pairs}");
    });
}
