//! A pair of schemas, what two validators say of values for it, and whether a verdict stands up to that.

use crate::rng::Rng;
use serde_json::Value;
use toolwire::Json;
use toolwire::json::ObjectWriter;
use toolwire_contract::diff::{Verdict, What, Witness};

use crate::calls;
use crate::generate::contract::{Relation, pair, spell, values};
use crate::validators::Validators;

/// How many values are tried on a pair.
const VALUES: usize = 32;

/// What is said of two schemas of arguments, annotations aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Containment {
    /// Each value that the old one allows is allowed by the new one.
    Contained,
    /// This value is not.
    Witness(Json),
    /// It is not known.
    Unknown,
}

impl Containment {
    /// What a subject says of two schemas.
    pub fn of(old: &Json, new: &Json, open: bool) -> Self {
        let tool = |schema: &Json| {
            let mut tool = ObjectWriter::new();
            tool.text("name", "t").json("inputSchema", schema.as_str());
            Json::new(tool.end()).unwrap_or_else(|_| Json::empty_object())
        };
        let Ok(diff) = calls::diff_tools(&tool(old), &tool(new), open) else {
            return Containment::Unknown;
        };
        let annotations = [
            What::Title,
            What::Description,
            What::Remark,
            What::Default,
            What::Access,
        ];
        let mut changes = diff.changes;
        changes.retain(|change| !annotations.contains(&change.what));
        match changes.into_iter().max_by_key(|change| change.verdict) {
            None => Containment::Contained,
            Some(worst) => match (worst.verdict, worst.witness) {
                (Verdict::Compatible, _) => Containment::Contained,
                (_, Some(Witness::Arguments(value))) => Containment::Witness(value),
                _ => Containment::Unknown,
            },
        }
    }
}

/// A pair on trial.
pub struct Trial {
    /// The old schema, as a tool would state it.
    pub old: Json,
    /// The new one.
    pub new: Json,
    /// How they are related when they are closed.
    pub relation: Relation,
    /// Whether the schemas are taken literally, not closed.
    pub open: bool,
    before: Validators,
    after: Validators,
    values: Vec<Value>,
    /// Whether numbers are divided, of which one of the validators has doubles alone.
    divides: bool,
}

impl Trial {
    /// The pair that a base schema and a salt make; nothing if no schema comes of them that both
    /// validators take.
    pub fn of(base: &Value, salt: u64) -> Option<Self> {
        let made = Made::of(base, salt)?;
        let before = meant(&made.old_text, made.open)?;
        let after = meant(&made.new_text, made.open)?;
        let mut rng = made.rng;
        let values = values(&made.old, &made.new, VALUES, &mut rng);
        let divides = |schema: &Value| schema.to_string().contains("multipleOf");
        Some(Self {
            divides: divides(&before) || divides(&after),
            before: Validators::of(&before)?,
            after: Validators::of(&after)?,
            old: made.old_text,
            new: made.new_text,
            // What is known is known of closed schemas.
            relation: match made.open {
                true => Relation::Unknown,
                false => made.relation,
            },
            open: made.open,
            values,
        })
    }

    /// A value that the old schema allows and the new one does not.
    pub fn counterexample(&self) -> Option<&Value> {
        self.counterexamples().next()
    }

    /// Such values.
    pub fn counterexamples(&self) -> impl Iterator<Item = &Value> {
        let breaks = |value: &&Value| self.breaks(value) == Some(true);
        self.values.iter().filter(breaks)
    }

    /// Whether a value is allowed by the old schema and not by the new one; nothing if the validators
    /// disagree on that.
    fn breaks(&self, value: &Value) -> Option<bool> {
        match (self.before.allow(value), self.after.allow(value)) {
            (Some(false), _) | (_, Some(true)) => Some(false),
            (Some(true), Some(false)) => Some(true),
            _ => None,
        }
    }

    /// Whether what is said of the pair stands up to all that is known about it.
    ///
    /// # Errors
    ///
    /// What is wrong with it, as text.
    pub fn judge(&self, said: &Containment) -> Result<(), String> {
        let wrong = |why: String| Err(format!("{why}; old {}, new {}", self.old, self.new));
        match said {
            Containment::Contained => match self.counterexample() {
                Some(value) => wrong(format!("`contained`, but not {value}")),
                None => Ok(()),
            },
            Containment::Witness(_) if self.relation == Relation::Wider => {
                wrong(format!("the new one is wider, but {said:?}"))
            }
            Containment::Witness(witness) => self.witness(witness),
            Containment::Unknown => Ok(()),
        }
    }

    /// Whether a value is a witness: the old schema allows it, and the new one does not.
    ///
    /// # Errors
    ///
    /// That it is none, as text.
    pub fn witness(&self, witness: &Json) -> Result<(), String> {
        let value = serde_json::from_str(witness.as_str()).map_err(|error| error.to_string())?;
        match self.breaks(&value) {
            Some(true) => Ok(()),
            None if self.divides => Ok(()),
            // The validators did not see the number that was meant.
            Some(false) if !is_exact(witness.as_str()) => Ok(()),
            _ => Err(format!(
                "{witness} is no witness; old {}, new {}",
                self.old, self.new
            )),
        }
    }
}

/// What is drawn for a trial before anybody is asked.
struct Made {
    old: Value,
    new: Value,
    old_text: Json,
    new_text: Json,
    relation: Relation,
    open: bool,
    rng: Rng,
}

impl Made {
    fn of(base: &Value, salt: u64) -> Option<Self> {
        let mut rng = Rng::with_seed(salt);
        let (old, new, relation) = pair(base, &mut rng);
        let open = rng.u8(..12) == 0;
        Some(Self {
            old_text: Json::new(spell(&old, &mut rng)).ok()?,
            new_text: Json::new(spell(&new, &mut rng)).ok()?,
            old,
            new,
            relation,
            open,
            rng,
        })
    }
}

/// The schema that a verdict is about.
fn meant(schema: &Json, open: bool) -> Option<Value> {
    let text = match open {
        true => schema.clone(),
        false => toolwire_contract::diff::closed(schema).ok()?,
    };
    serde_json::from_str(text.as_str()).ok()
}

/// Whether the other readers keep every number of a text.
fn is_exact(text: &str) -> bool {
    let digits = |number: &str| number.bytes().filter(u8::is_ascii_digit).count();
    text.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E')))
        .all(|number| digits(number) < 16 || number.parse::<i64>().is_ok())
}
