//! Decisions, drawn from bytes or from a seed.
//!
//! Proptest and libFuzzer make bytes, and take them away again to find the smallest input that breaks a law. Bytes that
//! are missing count as zero, which everywhere stands for the end, or for what is plain.

use std::ops::{Bound, RangeBounds};

/// What decides.
#[derive(Debug, Clone)]
pub enum Rng {
    /// Bytes, the next one last.
    Bytes(Vec<u8>),
    /// Any number of decisions, for what is not to be made smaller.
    Seed(fastrand::Rng),
}

impl Rng {
    /// Decisions by bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Rng::Bytes(bytes.iter().rev().copied().collect())
    }

    /// Decisions by a seed.
    pub fn with_seed(seed: u64) -> Self {
        Rng::Seed(fastrand::Rng::with_seed(seed))
    }

    /// A number below this one.
    fn below(&mut self, end: u128) -> u128 {
        match self {
            Rng::Seed(rng) => rng.u128(..end),
            Rng::Bytes(bytes) => {
                let (mut number, mut range) = (0, 1);
                while range < end {
                    number = number << 8 | u128::from(bytes.pop().unwrap_or(0));
                    range <<= 8;
                }
                number % end
            }
        }
    }

    fn within<T: Copy + TryInto<i128> + TryFrom<i128>>(
        &mut self,
        range: impl RangeBounds<T>,
        all: (T, T),
    ) -> T {
        let wide = |number: T| number.try_into().unwrap_or(0);
        let first = match range.start_bound() {
            Bound::Included(first) => wide(*first),
            Bound::Excluded(before) => wide(*before) + 1,
            Bound::Unbounded => wide(all.0),
        };
        let last = match range.end_bound() {
            Bound::Included(last) => wide(*last),
            Bound::Excluded(end) => wide(*end) - 1,
            Bound::Unbounded => wide(all.1),
        };
        let count = u128::try_from(last - first + 1).expect("a range that is not empty");
        let number = first + self.below(count) as i128;
        T::try_from(number).unwrap_or(all.0)
    }

    /// A number in a range.
    pub fn usize(&mut self, range: impl RangeBounds<usize>) -> usize {
        self.within(range, (0, usize::MAX))
    }

    /// A number in a range.
    pub fn u8(&mut self, range: impl RangeBounds<u8>) -> u8 {
        self.within(range, (0, u8::MAX))
    }

    /// A number in a range.
    pub fn i8(&mut self, range: impl RangeBounds<i8>) -> i8 {
        self.within(range, (0, i8::MAX))
    }

    /// A number in a range.
    pub fn u32(&mut self, range: impl RangeBounds<u32>) -> u32 {
        self.within(range, (0, u32::MAX))
    }

    /// A number in a range.
    pub fn i32(&mut self, range: impl RangeBounds<i32>) -> i32 {
        self.within(range, (i32::MIN, i32::MAX))
    }

    /// A number in a range.
    pub fn u64(&mut self, range: impl RangeBounds<u64>) -> u64 {
        self.within(range, (0, u64::MAX))
    }

    /// Yes or no.
    pub fn bool(&mut self) -> bool {
        self.below(2) == 1
    }

    /// A number from 0 to 1.
    pub fn f64(&mut self) -> f64 {
        self.u64(..1 << 53) as f64 / (1_u64 << 53) as f64
    }

    /// A printable character of ASCII.
    pub fn ascii(&mut self) -> char {
        char::from(self.u8(b' '..=b'~'))
    }

    /// Any character.
    pub fn char(&mut self) -> char {
        char::from_u32(self.u32(..=u32::from(char::MAX))).unwrap_or('\u{fffd}')
    }

    /// A decimal digit.
    pub fn digit(&mut self) -> char {
        char::from(self.u8(b'0'..=b'9'))
    }

    /// Brings a list into another order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, end - self.usize(..=end));
        }
    }
}
