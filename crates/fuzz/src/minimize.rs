//! Cuts an input that breaks a law down to what breaks it.

/// The smallest input found that is still `broken`, within `tries` checks.
///
/// Members, elements and whole values are taken out first, for as long as one can go, since a JSON
/// text seldom survives the loss of just any piece. Then pieces of bytes are, half of the input
/// first and ever smaller ones after that (delta debugging), and at last letters are replaced by
/// the dullest one. The result breaks the law too.
pub fn minimize(input: &[u8], tries: usize, broken: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut search = Search {
        best: input.to_vec(),
        tries,
        broken,
    };
    loop {
        let before = search.best.len();
        search.cut_values();
        search.cut_bytes();
        if search.best.len() == before || search.tries == 0 {
            break;
        }
    }
    search.dull_letters();
    search.best
}

struct Search<F> {
    best: Vec<u8>,
    tries: usize,
    broken: F,
}

impl<F: FnMut(&[u8]) -> bool> Search<F> {
    /// Takes the candidate if the law is broken by it too.
    fn take(&mut self, candidate: Vec<u8>) -> bool {
        if self.tries == 0 {
            return false;
        }
        self.tries -= 1;
        let broken = (self.broken)(&candidate);
        if broken {
            self.best = candidate;
        }
        broken
    }

    fn take_without(&mut self, from: usize, to: usize) -> bool {
        let candidate = [&self.best[..from], &self.best[to..]].concat();
        self.take(candidate)
    }

    fn cut_values(&mut self) {
        let mut at = 0;
        while at < self.best.len() && self.tries > 0 {
            let Some(end) = value_end(&self.best, at) else {
                at += 1;
                continue;
            };
            // A name goes with its value, an element with the comma behind it or before it.
            let member = match self.best.get(end) {
                Some(b':') => value_end(&self.best, end + 1).unwrap_or(end),
                _ => end,
            };
            let behind = member + usize::from(self.best.get(member) == Some(&b','));
            let before = at - usize::from(at > 0 && self.best[at - 1] == b',');
            let shorter = self.take_without(at, behind)
                || before < at && self.take_without(before, member)
                || end > at + 2 && self.take_without(at + 1, end - 1)
                || end > at + 2 && self.take([&self.best[..at], b"0", &self.best[end..]].concat());
            if !shorter {
                at += 1;
            }
        }
    }

    fn cut_bytes(&mut self) {
        let mut size = self.best.len().div_ceil(2);
        while size > 0 && self.tries > 0 {
            let mut at = 0;
            while at < self.best.len() && self.tries > 0 {
                let end = (at + size).min(self.best.len());
                if !self.take_without(at, end) {
                    at = end;
                }
            }
            size /= 2;
        }
    }

    fn dull_letters(&mut self) {
        for at in 0..self.best.len() {
            if self.best[at].is_ascii_alphanumeric() && self.best[at] != b'a' {
                let mut candidate = self.best.clone();
                candidate[at] = b'a';
                self.take(candidate);
            }
        }
    }
}

/// Where the value ends that begins at `at`, in text that may be broken: behind the closing quote or
/// bracket, or before what ends a bare word.
fn value_end(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at)? {
        b'"' => string_end(text, at),
        b'{' | b'[' => {
            let (mut depth, mut at) = (0usize, at);
            loop {
                match text.get(at)? {
                    b'"' => at = string_end(text, at)?,
                    b'{' | b'[' => {
                        depth += 1;
                        at += 1;
                    }
                    b'}' | b']' => {
                        depth -= 1;
                        at += 1;
                    }
                    _ => at += 1,
                }
                if depth == 0 {
                    return Some(at);
                }
            }
        }
        b'-' | b'0'..=b'9' | b'a'..=b'z' => {
            let length = text[at..]
                .iter()
                .take_while(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b));
            Some(at + length.count())
        }
        _ => None,
    }
}

fn string_end(text: &[u8], at: usize) -> Option<usize> {
    let mut at = at + 1;
    loop {
        match text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::minimize;

    #[test]
    fn what_does_not_matter_goes() {
        let input = b"some text with NEEDLE in it, and more of it behind".repeat(20);
        let broken = |text: &[u8]| text.windows(6).any(|w| w == b"NEEDLE");
        assert_eq!(minimize(&input, 10_000, broken), b"NEEDLE");
    }

    #[test]
    fn two_far_pieces_both_stay() {
        let input = [vec![b'('], vec![b'x'; 300], vec![b')']].concat();
        let broken = |text: &[u8]| text.contains(&b'(') && text.contains(&b')');
        assert_eq!(minimize(&input, 10_000, broken), b"()");
    }

    #[test]
    fn a_json_text_stays_one_on_its_way() {
        let input =
            br#"{"a":[{"b":"c, }","d":{"e":null}},{"f":[1,2.5,"\"]"]}],"g":true,"bad":"x"}"#;
        let broken = |text: &[u8]| {
            serde_json::from_slice::<serde_json::Value>(text)
                .is_ok_and(|v| v.to_string().contains("2.5"))
        };
        assert_eq!(minimize(input, 10_000, broken), br#"{"":[{"":[2.5]}]}"#);
        let named = |text: &[u8]| {
            serde_json::from_slice::<serde_json::Value>(text).is_ok_and(|v| v.get("bad").is_some())
        };
        assert_eq!(minimize(input, 10_000, named), br#"{"bad":""}"#);
    }

    #[test]
    fn tries_are_an_upper_bound() {
        let mut calls = 0;
        minimize(&[b'x'; 1000], 10, |_| {
            calls += 1;
            true
        });
        assert!(calls <= 10, "{calls}");
    }
}
