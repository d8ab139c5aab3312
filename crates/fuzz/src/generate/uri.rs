//! URIs, paths and what people write for them.

use super::vocabulary::words;
use crate::rng::Rng;

/// A URI or what people write for one: drives, UNC, back slashes, escapes, dot segments, fragments.
pub fn uri(rng: &mut Rng) -> String {
    let mut uri = words("uri_starts")[rng.usize(..words("uri_starts").len())].to_string();
    for i in 0..rng.usize(..6) {
        if i > 0 {
            uri.push_str(["/", "/", "/", "\\", "//"][rng.usize(..5)]);
        }
        uri.push_str(words("uri_segments")[rng.usize(..words("uri_segments").len())]);
        if rng.u8(..12) == 0 {
            uri.push(rng.ascii());
        }
    }
    if rng.u8(..6) == 0 {
        uri.push_str(["?", "?q=%41&b=/../", "?%2f", "?a?b", "?é"][rng.usize(..5)]);
    }
    if rng.u8(..4) == 0 {
        uri.push_str(["#L10-20", "#", "#%41", "#a#b", "#/../x", "#é", "#L1 "][rng.usize(..7)]);
    }
    uri
}

/// A root that relative forms are resolved against.
pub fn root(rng: &mut Rng) -> String {
    words("uri_roots")[rng.usize(..words("uri_roots").len())].to_string()
}
