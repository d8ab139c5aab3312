//! Verdicts on pairs of schemas. The long run is that of `cargo xtask fuzz --minutes N`, a million pairs.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};
use toolwire::Json;
use toolwire_fuzz::generate::contract::{Relation, pair, tool_schema};
use toolwire_fuzz::rng::Rng;
use toolwire_fuzz::trial::{Containment, Trial};

use crate::on_a_deep_stack;

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
            let said = Containment::of(&trial.old, &trial.new, trial.open);
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
    Trial::of(&base, seed)
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
            let (old, new, _) = pair(&base, &mut rng);
            let (Some(one), Some(two)) = (moved_away(&old, &mut rng), moved_away(&new, &mut rng))
            else {
                continue;
            };
            // Of equal schemas it may be said that they are.
            if one == two || !one.as_str().contains("$ref") || !two.as_str().contains("$ref") {
                continue;
            }
            let said = Containment::of(&one, &two, false);
            let is_same = Containment::of(&two, &one, false) == said;
            pairs += 1;
            assert!(
                matches!(said, Containment::Unknown) || said == Containment::Contained && is_same,
                "{one} and {two}: {said:?}"
            );
        }
        assert!(pairs > 100, "{pairs}");
    });
}
