//! The verdicts that follow from where a proof fails (DIFF-10, DIFF-41).

use serde_json::{Value, json};
use toolwire::Json;

use super::contain::Failure;
use super::lower::{FEW, Prover};
use super::pair::{NEW, NEW_CLOSED, OLD, OLD_CLOSED};
use super::types::{Direction, Verdict};
use super::value::write;

pub(super) type Judged = (Verdict, Option<Json>);

/// What stands in the way of a proof.
#[derive(Debug)]
struct Finding {
    /// Pointers to keywords of the schema that has to allow more.
    at: Vec<String>,
    judged: Judged,
    is_reported: bool,
}

/// What follows for two schemas of a tool.
#[derive(Debug, Default)]
pub(super) struct Findings {
    all: Vec<Finding>,
    /// Why the proof was given up.
    pub(super) why: Option<&'static str>,
}

/// What allows every object: what holds of arguments and results.
fn object() -> &'static Value {
    static OBJECT: std::sync::LazyLock<Value> =
        std::sync::LazyLock::new(|| json!({"type": "object"}));
    &OBJECT
}

impl Findings {
    /// With `literal`, a result that the old schema only does not declare is another behaviour.
    pub(super) fn new(
        prover: &Prover<'_>,
        direction: Direction,
        literal: bool,
        budget: u64,
    ) -> Findings {
        let roots = match direction {
            Direction::Input => [OLD_CLOSED, NEW_CLOSED, NEW],
            Direction::Output => [NEW_CLOSED, OLD_CLOSED, OLD],
        };
        let [sub, sup, verbatim] = roots.map(|root| prover.root(root));
        let mut failures = prover.contain(&[object(), sub], &[sup], 0);
        let mut found = Findings::default();
        let mut refusing = vec![sup];
        if literal && direction == Direction::Output && !failures.is_empty() {
            found.why = prover.meter.refill(budget);
            let closed = failures.into_iter();
            found.all.extend(closed.map(|Failure { at, .. }| Finding {
                at,
                judged: (Verdict::Behaviour, None),
                is_reported: false,
            }));
            failures = prover.contain(&[object(), sub], &[verbatim], 0);
            refusing.push(verbatim);
        }
        found.why = found.why.or(prover.meter.refill(budget));
        for Failure { at, values } in failures {
            let witness = values.iter().take(FEW).find(|value| {
                value.is_object()
                    && prover.meter.stopped.get().is_none()
                    && prover.accepts(sub, value) == Some(true)
                    && refusing
                        .iter()
                        .all(|one| prover.accepts(one, value) == Some(false))
            });
            let witness = witness.and_then(write);
            let verdict = match witness {
                Some(_) => Verdict::Breaking,
                None => Verdict::Unknown,
            };
            found.all.push(Finding {
                at,
                judged: (verdict, witness),
                is_reported: false,
            });
        }
        // The walk over places pays for itself.
        prover.meter.refill(budget.saturating_mul(4));
        found
    }

    /// Whether the whole is proven, so that no change can be more than compatible.
    pub(super) fn is_contained(&self) -> bool {
        self.all.is_empty() && self.why.is_none()
    }

    /// The verdict on the values at some pointers and below.
    pub(super) fn claim(&mut self, pointers: &[String]) -> Judged {
        let is_below = |at: &String| {
            pointers.iter().any(|pointer| {
                let rest = at.strip_prefix(pointer.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
        };
        let mut worst = None;
        for finding in &mut self.all {
            if finding.at.iter().any(is_below) {
                finding.is_reported = true;
                if worst
                    .as_ref()
                    .is_none_or(|(verdict, _)| *verdict < finding.judged.0)
                {
                    worst = Some(finding.judged.clone());
                }
            }
        }
        let unseen = match self.why {
            Some(_) => Verdict::Unknown,
            None => Verdict::Compatible,
        };
        worst.unwrap_or((unseen, None))
    }

    /// The worst verdict that was claimed by nobody.
    pub(super) fn rest(&self) -> Judged {
        let rest = self.all.iter().filter(|finding| !finding.is_reported);
        let rest = rest.map(|finding| finding.judged.clone());
        rest.max_by_key(|judged| judged.0)
            .unwrap_or((Verdict::Same, None))
    }
}
