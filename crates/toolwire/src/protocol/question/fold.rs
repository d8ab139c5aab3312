//! Texts as they are compared: however a word is written, it is folded to the same letters.

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::secret_table::LOOKALIKES;
use crate::protocol::format::hidden::{is_hidden, looks_like};

/// What only folding takes for the same; what is drawn alike is in [`looks_like`].
static LETTERS: LazyLock<HashMap<char, &str>> =
    LazyLock::new(|| LOOKALIKES.iter().copied().collect());

/// A text in compatibility decomposition, without marks and invisible characters, with one letter for
/// all that look like it, in lower case.
pub(super) fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.nfkd() {
        let ends_line = c.is_control() || ('\u{2028}'..='\u{2029}').contains(&c);
        if is_combining_mark(c) || (is_hidden(c) && !ends_line) {
            continue;
        }
        match LETTERS.get(&c) {
            Some(letters) => out.push_str(letters),
            None => out.extend(looks_like(c).unwrap_or(c).to_lowercase()),
        }
    }
    out
}

/// The words of a text, folded.
pub(super) fn words(text: &str) -> Vec<String> {
    let folded = fold(text);
    let words = folded.split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// A name with a space where a capital begins a word: `bskyAPIKey` has three words.
pub(super) fn spaced(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 8);
    let mut before: Option<char> = None;
    let mut rest = name.chars().peekable();
    while let Some(c) = rest.next() {
        let small = rest.peek().is_some_and(|next| next.is_lowercase());
        let hump = c.is_uppercase()
            && before
                .is_some_and(|b| b.is_lowercase() || b.is_numeric() || (b.is_uppercase() && small));
        if hump {
            out.push(' ');
        }
        out.push(c);
        before = Some(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_in_many_spellings() {
        for text in [
            "password",
            "PASSWORD",
            "ｐａｓｓｗｏｒｄ",
            "𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝",
            "ⓟⓐⓢⓢⓦⓞⓡⓓ",
            "pаsswоrd",
            "pass\u{200b}word",
            "ṕáśśẃóŕd́",
            "p4$$w0rd",
            "🅿🅰🆂🆂🆆🅾🆁🅳",
        ] {
            assert_eq!(fold(text), "password", "{text}");
        }
        assert_eq!(fold("ﾊﾟｽﾜｰﾄﾞ"), fold("パスワード"));
        assert_eq!(fold("ŞİFRE"), fold("şifre"));
    }

    #[test]
    fn names_are_split_into_words() {
        let words = |name: &str| words(&spaced(name)).join(" ");
        assert_eq!(words("bskyAPIKey_x-y"), "bsky api key x y");
        assert_eq!(words("--"), "");
    }

    #[test]
    fn no_letter_looks_like_two() {
        assert!(LOOKALIKES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
