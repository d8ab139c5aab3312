//! Runs the conformance cases against any implementation.

fn main() {}
