//! Small damage to bytes: what a cut pipe, a wrong encoder or a second writer does to an output.

use fastrand::Rng;

/// Sequences worth putting anywhere.
const TOKENS: &[&[u8]] = &[
    b"\xef\xbb\xbf",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xc0\x80",
    b"\0",
    b"\x1b[31m",
    b"\x1b]0;",
    b"\x7f",
    b"\xc2\x9b",
    b"\\u0000",
    b"\\ud800",
    b"\\udfff",
    b"\\ud83d\\ude00",
    b"\\\"",
    b"\\",
    b"\"",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"null",
    b"true",
    b"NaN",
    b"-Infinity",
    b"1e400",
    b"-0",
    b"9007199254740993",
    b"1.5e-7",
    b"\n",
    b"\r",
    b" ",
    b"\"a\":1,",
    b"\"type\":\"text\",",
    b"\"content\":[],",
    b"{}",
    b"[]",
    b"{\"type\":\"text\",\"text\":\"\"}",
    b"```",
    b"</resource>",
    b"=",
    b"%2e%2e",
    b"/../",
    b"\xe2\x80\xae",
    b"\xf0\x9f\x98\x80",
    b"\xcc\x81",
    b"\xe2\x80\xa8",
];

/// Changes `input` in one to four places; `other` is an input to take pieces from.
pub fn mutate(rng: &mut Rng, input: &mut Vec<u8>, other: &[u8]) {
    for _ in 0..rng.usize(1..5) {
        let at = rng.usize(..=input.len());
        match rng.u8(..10) {
            0 if at < input.len() => input[at] ^= 1 << rng.u8(..8),
            1 if at < input.len() => input[at] = rng.u8(..),
            2 => {
                let end = (at + rng.usize(..16)).min(input.len());
                input.drain(at..end);
            }
            3 => input.truncate(at),
            4 => {
                // The same piece once more, right behind itself: members twice, blocks twice.
                let end = (at + rng.usize(..64)).min(input.len());
                let piece = input[at..end].to_vec();
                input.splice(end..end, piece);
            }
            5 if !other.is_empty() => {
                let from = rng.usize(..other.len());
                let to = (from + rng.usize(..64)).min(other.len());
                input.splice(at..at, other[from..to].iter().copied());
            }
            6 if at < input.len() => {
                let digit = input[at..].iter().position(u8::is_ascii_digit);
                if let Some(i) = digit {
                    input[at + i] = b'0' + rng.u8(..10);
                }
            }
            7 => {
                let quote = input[at..].iter().position(|&b| b == b'"');
                if let Some(i) = quote {
                    input.remove(at + i);
                }
            }
            _ => {
                let token = TOKENS[rng.usize(..TOKENS.len())];
                input.splice(at..at, token.iter().copied());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutation_follows_the_seed_and_changes_things() {
        let run = |seed| {
            let mut input = br#"{"content":[{"type":"text","text":"hi"}]}"#.to_vec();
            mutate(&mut Rng::with_seed(seed), &mut input, b"other");
            input
        };
        assert_eq!(run(3), run(3));
        let distinct: std::collections::HashSet<_> = (0..200).map(run).collect();
        assert!(distinct.len() > 150, "{} distinct", distinct.len());
    }
}
