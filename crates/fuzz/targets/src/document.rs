//! What tools write, and the files that hosts keep.
#![no_main]

use libfuzzer_sys::fuzz_target;
use toolwire_fuzz::laws::{Feed, judge};

fuzz_target!(|text: &[u8]| {
    for feed in [Feed::Document, Feed::Log, Feed::Profile, Feed::Lock] {
        judge(feed, text);
    }
});
