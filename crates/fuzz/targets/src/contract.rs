//! Pairs of schemas, of which the bytes decide.
#![no_main]

use libfuzzer_sys::fuzz_target;
use toolwire_fuzz::generate::contract::tool_schema;
use toolwire_fuzz::laws::{Feed, judge};
use toolwire_fuzz::rng::Rng;

fuzz_target!(|bytes: &[u8]| {
    let schema = tool_schema(&mut Rng::of(bytes)).to_string();
    judge(Feed::Contract, schema.as_bytes());
});
