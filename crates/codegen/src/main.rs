//! Generates types and tables from schema/.

fn main() {}
