//! Second opinions: readers and writers that share no code with the core.

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::collections::HashSet;
use std::fmt;

/// What serde_json says of a text when it is asked to be as strict as I-JSON.
///
/// serde_json by itself accepts a name twice (the last wins), and it has a limit of depth instead of
/// a count of values. Everything else that makes a text strict it checks too: UTF-8, escapes, lone
/// surrogates, control characters, numbers past the doubles, what follows the text.
pub struct Judged {
    /// The deepest nesting of arrays and objects; a scalar has none.
    pub depth: usize,
    /// How many values the text has, itself counted, names not counted.
    pub values: usize,
    /// Whether there is an integer past 2^53 that fits into 64 bits: serde_json keeps all its digits,
    /// where RFC 8785 has only the double.
    pub big_integer: bool,
}

/// Reads `text` with serde_json, strictly: the counts if it is I-JSON, or serde_json's words.
pub fn judge(text: &[u8]) -> Result<Judged, serde_json::Error> {
    let mut judged = Judged {
        depth: 0,
        values: 0,
        big_integer: false,
    };
    let mut reader = serde_json::Deserializer::from_slice(text);
    reader.disable_recursion_limit();
    Strict {
        judged: &mut judged,
        depth: 0,
    }
    .deserialize(&mut reader)?;
    reader.end()?;
    Ok(judged)
}

struct Strict<'a> {
    judged: &'a mut Judged,
    depth: usize,
}

impl Strict<'_> {
    fn deeper(&mut self) -> Strict<'_> {
        Strict {
            depth: self.depth + 1,
            judged: self.judged,
        }
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        self.judged.values += 1;
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.judged.big_integer |= value > 1 << 53;
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.judged.big_integer |= value.unsigned_abs() > 1 << 53;
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut elements: A) -> Result<(), A::Error> {
        self.judged.depth = self.judged.depth.max(self.depth + 1);
        while elements.next_element_seed(self.deeper())?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<(), A::Error> {
        self.judged.depth = self.judged.depth.max(self.depth + 1);
        let mut names = HashSet::new();
        while let Some(name) = members.next_key::<String>()? {
            if !names.insert(name) {
                return Err(A::Error::custom("duplicate name"));
            }
            members.next_value_seed(self.deeper())?;
        }
        Ok(())
    }
}

/// The text that ECMAScript's `Number::toString` gives for a finite double.
///
/// The digits come from the standard library's shortest formatting, whose code shares nothing with
/// the core's; the layout is ECMA-262's, written out.
pub fn number_text(value: f64) -> String {
    if value == 0.0 {
        return "0".to_string();
    }
    let scientific = format!("{:e}", value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let mut digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    if let Some(even) = even_digits(value.abs(), &digits, exponent) {
        digits = even;
    }
    let count = digits.len() as i32;
    let point = exponent.parse::<i32>().unwrap_or(0) + 1;
    let body = if count <= point && point <= 21 {
        format!("{digits}{}", "0".repeat((point - count) as usize))
    } else if 0 < point && point <= 21 {
        format!(
            "{}.{}",
            &digits[..point as usize],
            &digits[point as usize..]
        )
    } else if -6 < point && point <= 0 {
        format!("0.{}{digits}", "0".repeat(-point as usize))
    } else {
        let sign = if point > 0 { '+' } else { '-' };
        let rest = if count > 1 {
            format!(".{}", &digits[1..])
        } else {
            String::new()
        };
        format!("{}{rest}e{sign}{}", &digits[..1], (point - 1).abs())
    };
    if value < 0.0 {
        format!("-{body}")
    } else {
        body
    }
}

/// The even one of two digit strings that are equally near to `value`, if that is not `digits`.
///
/// ECMA-262 asks for it; the standard library rounds such a tie up.
fn even_digits(value: f64, digits: &str, exponent: &str) -> Option<String> {
    // More digits than any double has, so all of them, exactly.
    let exact = format!("{value:.800e}");
    let exact: String = exact
        .split('e')
        .next()?
        .chars()
        .filter(char::is_ascii_digit)
        .collect();
    let (head, tail) = exact.split_at(digits.len());
    let tie = tail.starts_with('5') && tail[1..].bytes().all(|b| b == b'0');
    let shortest: u64 = digits.parse().ok()?;
    if !tie || shortest.is_multiple_of(2) {
        return None;
    }
    let below: u64 = head.parse().ok()?;
    let even = if below == shortest { below + 1 } else { below }.to_string();
    let point = exponent.parse::<i32>().ok()? + 1 - digits.len() as i32;
    (even.len() == digits.len() && format!("{even}e{point}").parse() == Ok(value)).then_some(even)
}

/// The parts of a JSON text that is known to be one, in turn such as are no number and such as are.
fn parts(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut parts = Vec::new();
    let (mut at, mut start, mut quoted) = (0, 0, false);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => quoted = !quoted,
            b'\\' => at += 1,
            b'-' | b'0'..=b'9' if !quoted => {
                parts.push(&text[start..at]);
                start = at;
                while at < bytes.len()
                    && matches!(bytes[at], b'+' | b'-' | b'.' | b'0'..=b'9' | b'e' | b'E')
                {
                    at += 1;
                }
                parts.push(&text[start..at]);
                start = at;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    parts.push(&text[start..]);
    parts
}

/// A JSON text with each number as its double is written.
pub fn with_canonical_numbers(text: &str) -> String {
    let part = |(index, part): (usize, &str)| match index % 2 {
        1 => part.parse().map_or_else(|_| part.to_owned(), number_text),
        _ => part.to_owned(),
    };
    parts(text).into_iter().enumerate().map(part).collect()
}

/// The integers of a JSON text that have more digits than any double keeps, sorted.
pub fn long_integers(text: &str) -> Vec<&str> {
    let numbers = parts(text).into_iter().skip(1).step_by(2);
    let long = |number: &&str| number.len() > 17 && !number.contains(['.', 'e', 'E']);
    let mut found: Vec<&str> = numbers.filter(long).collect();
    found.sort_unstable();
    found
}

/// The canonical form by the other canonicalizer, of the value as serde_json reads it.
pub fn canonical_text(text: &[u8]) -> Option<Vec<u8>> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    reader.disable_recursion_limit();
    let value: serde_json::Value = serde::Deserialize::deserialize(&mut reader).ok()?;
    serde_json_canonicalizer::to_vec(&value).ok()
}

/// The first thing in `text` that could do something to a terminal or hide there, if there is one.
///
/// Allowed are visible characters, line feed, tab, well-formed SGR (`ESC [ digits, ; and : m`) and,
/// behind a visible character that is not ASCII, the joiners that scripts and emoji need.
pub fn terminal_danger(text: &str) -> Option<String> {
    let mut rest = text;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let at = text.len() - rest.len();
        if c == '\u{1b}' {
            let Some(after) = sgr(rest) else {
                return Some(format!("an ESC that begins no SGR, at byte {at}"));
            };
            rest = after;
            before = c;
            continue;
        }
        let joins = matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}')
            && !before.is_ascii()
            && !before.is_whitespace();
        if is_hidden(c) && c != '\n' && c != '\t' && !joins {
            return Some(format!("the hidden character {c:?} at byte {at}"));
        }
        before = c;
        rest = &rest[c.len_utf8()..];
    }
    None
}

/// Whether a character does something instead of being seen (FMT-5).
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// Whether the last SGR of a text, if there is any, sets everything back.
pub fn colour_ends(text: &str) -> bool {
    text.rfind('\u{1b}')
        .is_none_or(|at| text[at..].starts_with("\u{1b}[0m") || text[at..].starts_with("\u{1b}[m"))
}

fn sgr(text: &str) -> Option<&str> {
    let body = text.strip_prefix("\u{1b}[")?;
    let end = body.find(|c: char| !(c.is_ascii_digit() || c == ';' || c == ':'))?;
    body[end..].strip_prefix('m')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_text_follows_the_published_table() {
        // The samples of RFC 8785, appendix B.
        for (bits, text) in [
            (0x0000000000000000u64, "0"),
            (0x8000000000000000, "0"),
            (0x0000000000000001, "5e-324"),
            (0x8000000000000001, "-5e-324"),
            (0x7fefffffffffffff, "1.7976931348623157e+308"),
            (0x4340000000000000, "9007199254740992"),
            (0x4430000000000000, "295147905179352830000"),
            (0x44b52d02c7e14af5, "9.999999999999997e+22"),
            (0x44b52d02c7e14af6, "1e+23"),
            (0x444b1ae4d6e2ef4e, "999999999999999700000"),
            (0x444b1ae4d6e2ef50, "1e+21"),
            (0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"),
            (0x3eb0c6f7a0b5ed8d, "0.000001"),
            (0x41b3de4355555553, "333333333.3333332"),
            (0xbecbf647612f3696, "-0.0000033333333333333333"),
            (0x43143ff3c1cb0959, "1424953923781206.2"),
            // Two texts of sixteen digits are equally near: the even one.
            (0x4305b225cb75de0a, "763356238494657.2"),
        ] {
            assert_eq!(number_text(f64::from_bits(bits)), text, "{bits:x}");
        }
    }

    #[test]
    fn judge_is_strict_and_counts() {
        for bad in [
            &b"{\"a\":1,\"a\":2}"[..],
            b"{\"a\":1,\"\\u0061\":2}",
            b"NaN",
            b"1e400",
            b"\"\\ud800\"",
            b"\"\xff\"",
            b"1 2",
            b"\xef\xbb\xbf1",
            b"",
            b"01",
            b"[1,]",
        ] {
            assert!(judge(bad).is_err(), "{}", String::from_utf8_lossy(bad));
        }
        let judged = judge(br#"{"a":[[1]],"b":9007199254740993}"#).expect("strict");
        assert_eq!(
            (judged.depth, judged.values, judged.big_integer),
            (3, 5, true)
        );
        assert_eq!(judge(b"1").map(|j| j.depth).ok(), Some(0));
    }

    #[test]
    fn terminal_danger_knows_colour_from_trouble() {
        assert_eq!(
            terminal_danger("plain\n\tand \u{1b}[1;31mred\u{1b}[0m"),
            None
        );
        assert_eq!(terminal_danger("👨‍👩‍👧 ❤\u{fe0f}"), None);
        assert!(
            colour_ends("\u{1b}[31mred\u{1b}[0m.")
                && colour_ends("")
                && !colour_ends("\u{1b}[31mred")
        );
        for bad in [
            "\u{1b}[2J",
            "\u{1b}]0;title\u{7}",
            "\u{1b}",
            "\u{9b}2J",
            "a\rb",
            "\u{202e}",
            "\u{7f}",
            "a\u{200d}",
            "\u{e0041}",
        ] {
            assert!(terminal_danger(bad).is_some(), "{bad:?}");
        }
    }
}
