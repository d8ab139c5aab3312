//! Toolwire beside its peers, in one run.

fn main() {}
