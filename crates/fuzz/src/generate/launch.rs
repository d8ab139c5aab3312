//! Launch URIs and profile words, right ones and such as people write.

use super::vocabulary::words;
use crate::rng::Rng;

/// A launch URI or a profile word, mostly one that can be read.
pub fn launch(rng: &mut Rng) -> String {
    let pick = |rng: &mut Rng, from: &[&'static str]| from[rng.usize(..from.len())];
    let mut text = format!(
        "{}{}",
        pick(rng, words("launch_starts")),
        pick(rng, words("launch_places"))
    );
    for index in 0..rng.usize(..5) {
        let between = match (index, rng.u8(..20)) {
            (_, 0) => "?",
            (0, _) => "?",
            (_, 1) => "&&",
            _ => "&",
        };
        text.push_str(between);
        text.push_str(pick(rng, words("launch_keys")));
        if rng.u8(..20) > 0 {
            text.push('=');
        }
        text.push_str(pick(rng, words("launch_values")));
    }
    if rng.u8(..20) == 0 {
        text.push_str("#fragment");
    }
    text
}
