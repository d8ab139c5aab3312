//! The Rust implementation behind the conformance protocol.

fn main() {}
