//! Schemas that others have written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use toolwire_fuzz::laws::{Feed, judge};

fuzz_target!(|text: &[u8]| judge(Feed::Schema, text));
