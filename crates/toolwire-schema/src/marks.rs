//! Which members or elements of a value some schema has looked at.

use serde_json::Value;

use crate::budget::{Allowance, Stop};

#[derive(Debug)]
pub(crate) struct Marks(Vec<bool>);

impl Marks {
    /// None of a value's parts. What they take is held until [`Marks::release`].
    pub(crate) fn new(value: &Value, allowance: &mut Allowance) -> Result<Self, Stop> {
        let parts = match value {
            Value::Array(elements) => elements.len(),
            Value::Object(members) => members.len(),
            _ => 0,
        };
        allowance.step(4 + parts as u64 / 64)?;
        allowance.hold(parts)?;
        Ok(Marks(vec![false; parts]))
    }

    pub(crate) fn release(self, allowance: &mut Allowance) {
        allowance.release(self.0.len());
    }

    pub(crate) fn add(&mut self, index: usize) {
        if let Some(mark) = self.0.get_mut(index) {
            *mark = true;
        }
    }

    pub(crate) fn has(&self, index: usize) -> bool {
        self.0.get(index).copied().unwrap_or_default()
    }

    pub(crate) fn add_all(&mut self, other: &Marks) {
        for (mark, more) in self.0.iter_mut().zip(&other.0) {
            *mark |= more;
        }
    }
}
