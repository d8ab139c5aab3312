//! Laws that every reader must keep, tried on generated and mutated input.
//!
//! A fuzzer that only waits for a crash finds little in a program that cannot crash. This one states
//! laws ([`laws`]) that hold for every input, makes inputs ([`generate`], [`mutate`], [`corpus`]),
//! and cuts an input that breaks a law down to its heart ([`minimize`]). It needs nothing but stable
//! Rust, and everything it does follows from one seed.

pub mod corpus;
pub mod generate;
pub mod laws;
pub mod minimize;
pub mod mutate;
pub mod oracle;
pub mod report;
pub mod run;
pub mod subject;
pub mod trial;
pub mod validators;
