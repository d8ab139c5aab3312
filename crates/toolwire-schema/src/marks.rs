//! Which members or elements of a value some schema has looked at.

use serde_json::Value;

use crate::budget::{Allowance, Stop};

#[derive(Debug)]
pub(crate) struct Marks {
    bits: Vec<u64>,
}

impl Marks {
    /// None of a value's parts. What they take is held until [`Marks::release`].
    pub(crate) fn new(value: &Value, allowance: &mut Allowance) -> Result<Self, Stop> {
        let parts = match value {
            Value::Array(elements) => elements.len(),
            Value::Object(members) => members.len(),
            _ => 0,
        };
        let words = parts.div_ceil(64);
        allowance.step(4 + words as u64)?;
        allowance.hold(8 * words)?;
        Ok(Marks {
            bits: vec![0; words],
        })
    }

    pub(crate) fn release(self, allowance: &mut Allowance) {
        allowance.release(8 * self.bits.len());
    }

    pub(crate) fn add(&mut self, index: usize) {
        if let Some(word) = self.bits.get_mut(index / 64) {
            *word |= 1 << (index % 64);
        }
    }

    pub(crate) fn has(&self, index: usize) -> bool {
        let word = self.bits.get(index / 64).copied().unwrap_or_default();
        word & (1 << (index % 64)) != 0
    }

    pub(crate) fn add_all(&mut self, other: &Marks) {
        for (word, more) in self.bits.iter_mut().zip(&other.bits) {
            *word |= more;
        }
    }
}
