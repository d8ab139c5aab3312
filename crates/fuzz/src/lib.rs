//! Laws that hold for every input, tried on generated and mutated input.
//!
//! A fuzzer that only waits for a crash finds little in a program that cannot crash. This one states [`laws`], and makes
//! inputs by structure ([`generate`]) from the bytes of whoever looks for one that breaks a law: proptest in the tests,
//! and libFuzzer in `targets/`.

pub mod calls;
pub mod corpus;
pub mod generate;
pub mod laws;
pub mod oracle;
pub mod rng;
pub mod trial;
pub mod validators;
