//! A schema that many values are held against, at any place in it.

use serde_json::Value;
use toolwire::Error;

use crate::budget::{Allowance, Budget};
use crate::check::Check;
use crate::room::with_room;
use crate::schema::{NoSchema, Schema};

/// A schema of 2020-12 that is compiled once.
///
/// ```
/// use serde_json::json;
/// use toolwire_schema::Prepared;
///
/// let schema = json!({"$defs": {"a": {"items": {"$ref": "#/$defs/b"}}, "b": {"type": "string"}}});
/// let prepared = Prepared::new(&schema)?;
/// let (accepted, _) = prepared.accepts(&schema["$defs"]["a"], &json!(["x"]), 1_000);
/// assert_eq!(accepted, Some(true));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug)]
pub struct Prepared<'a>(Schema<'a>);

impl<'a> Prepared<'a> {
    /// Compiles a schema of any size, within the default budget.
    ///
    /// # Errors
    ///
    /// `bad_schema` if it can't be used, `over_budget` if that takes too long to find out.
    pub fn new(root: &'a Value) -> Result<Self, Error> {
        let mut allowance = Allowance::default();
        match Schema::compile(root, &mut allowance, usize::MAX) {
            Ok(schema) => Ok(Prepared(schema)),
            Err(NoSchema::Bad(error)) => Err(error),
            Err(NoSchema::Stop(_)) => Err(allowance.error()),
        }
    }

    /// The schema that a reference leads to.
    #[must_use]
    pub fn target(&self, reference: &str) -> Option<&'a Value> {
        self.0.target(reference)
    }

    /// Whether a place in the schema accepts a value, `None` if that is not known after so many steps; and how many it
    /// took. The place may also be a schema of its own with references and patterns of this one.
    #[must_use]
    pub fn accepts(&self, place: &Value, value: &Value, steps: u64) -> (Option<bool>, u64) {
        let budget = Budget {
            steps,
            ..Budget::default()
        };
        let mut allowance = Allowance::new(budget);
        let here = Check::new(&self.0, &mut allowance, false).hold(place, value);
        let held = match here {
            Err(crate::budget::Stop::NeedsRoom) => with_room(|| {
                Check::new(&self.0, &mut allowance, true)
                    .hold(place, value)
                    .ok()
            })
            .flatten(),
            here => here.ok(),
        };
        (held, steps - allowance.steps())
    }
}
