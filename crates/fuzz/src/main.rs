//! Laws that every reader must keep, run on generated input.

fn main() {}
