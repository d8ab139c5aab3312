//! Short texts: numbers, URIs, launches, and what is in a format.
#![no_main]

use libfuzzer_sys::fuzz_target;
use toolwire_fuzz::laws::{Feed, judge};

fuzz_target!(|text: &[u8]| {
    for feed in [Feed::Number, Feed::Uri, Feed::Launch, Feed::Format] {
        judge(feed, text);
    }
});
