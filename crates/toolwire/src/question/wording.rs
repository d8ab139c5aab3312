//! Which names are those of secrets, and which sentences ask for one (Q-24 to Q-26, Q-100, Q-101).

use std::collections::HashMap;
use std::sync::LazyLock;

use super::refusal::RefusalAbout;
use super::words::{
    ABOUT, ABOUT_OF, ARTICLES, BOUNDS, FILLERS, GIVING, HARMLESS_COUNTS, HARMLESS_PINS,
    HARMLESS_TOKENS, JOINING, NAMES, NEGATIONS, PASSWORDS, POSSESSIVES, QUESTIONING, TERMS,
};
use crate::format::hidden::is_hidden;

/// No term has more words.
const LONGEST: usize = 3;

/// The terms that are clear by themselves, folded and put together, and what they are about.
static CLEAR: LazyLock<HashMap<String, RefusalAbout>> = LazyLock::new(|| {
    let passwords = PASSWORDS.iter().map(|term| (term, RefusalAbout::Password));
    let others = TERMS.iter().map(|term| (term, RefusalAbout::Secret));
    passwords
        .chain(others)
        .map(|(term, about)| (fold(&term.replace(' ', "")), about))
        .collect()
});

/// What a name is about if it is that of a secret: a password or another one.
pub(super) fn name_asks(name: &str) -> Option<RefusalAbout> {
    let name = plain(name);
    let mut words: Vec<String> = name_words(&name)
        .iter()
        .map(|word| word.trim_end_matches(|c: char| c.is_ascii_digit()).into())
        .filter(|word: &String| !word.is_empty())
        .collect();
    let filler = |word: &String| FILLERS.contains(&word.as_str());
    let mut found = unspaced(&name);
    for (at, length, about) in clear_terms(&words) {
        let mut after = words[at + length..].iter();
        let next = after.find(|word| !filler(word) && !BOUNDS.contains(&word.as_str()));
        if !next.is_some_and(|next| ABOUT.contains(&next.as_str())) {
            found = worse(found, Some(about));
        }
    }
    while words.len() > 1 && words.last().is_some_and(filler) {
        words.pop();
    }
    match words.split_last() {
        Some((last, before)) if NAMES.contains(&last.as_str()) && !is_harmless(before, last) => {
            worse(found, Some(about(last)))
        }
        _ => found,
    }
}

/// What a text is about if one of its sentences asks for a secret.
pub(super) fn text_asks(text: &str) -> Option<RefusalAbout> {
    let text = plain(text);
    clauses(&text)
        .iter()
        .map(|clause| clause_asks(clause))
        .fold(unspaced(&text), worse)
}

fn clause_asks(clause: &[String]) -> Option<RefusalAbout> {
    let mut found = None;
    let clear = clear_terms(clause);
    for (at, length, about) in &clear {
        if !is_excepted(clause, *at, *length) {
            found = worse(found, Some(*about));
        }
    }
    let inside = |place: usize| {
        let mut clear = clear.iter();
        clear.any(|(at, length, _)| (*at..at + length).contains(&place))
    };
    for (at, word) in clause.iter().enumerate() {
        let known = [word.as_str(), word.strip_suffix('s').unwrap_or(word)];
        if !inside(at)
            && known.iter().any(|word| NAMES.contains(word))
            && (is_wanted(&clause[..at]) || is_title(clause, at))
            && !is_excepted(clause, at, 1)
            && !is_harmless(&clause[..at], word)
        {
            found = worse(found, Some(about(word)));
        }
    }
    found
}

/// A password is more to beware of than another secret, which is more than none.
fn worse(one: Option<RefusalAbout>, other: Option<RefusalAbout>) -> Option<RefusalAbout> {
    match one {
        Some(RefusalAbout::Password) => one,
        _ => other.or(one),
    }
}

fn about(name: &str) -> RefusalAbout {
    match name {
        "pwd" | "pwds" => RefusalAbout::Password,
        _ => RefusalAbout::Secret,
    }
}

/// The terms that stand in words, however they are divided: place, number of words, and about what.
fn clear_terms(words: &[String]) -> Vec<(usize, usize, RefusalAbout)> {
    let mut found = Vec::new();
    for at in 0..words.len() {
        let mut joined = String::new();
        for (length, word) in (1..=LONGEST).zip(&words[at..]) {
            joined.push_str(word);
            let plural = joined.strip_suffix('s').unwrap_or(&joined);
            if let Some(about) = CLEAR.get(&joined).or_else(|| CLEAR.get(plural)) {
                found.push((at, length, *about));
            }
        }
    }
    found
}

/// Whether a clause says of a term that something else is asked for, or that it is not to be given.
fn is_excepted(clause: &[String], at: usize, length: usize) -> bool {
    let holds = |words: &[&str], word: &String| words.contains(&word.as_str());
    let mut after = clause[at + length..].iter().filter(|word| *word != "s");
    let about = after.next().is_some_and(|next| holds(&ABOUT, next));
    let warned = clause[at.saturating_sub(3)..at]
        .iter()
        .any(|word| holds(&NEGATIONS, word));
    let idle = |word: &String| holds(&ARTICLES, word) || holds(&FILLERS, word);
    let about_of = |before: &[String]| {
        matches!(trimmed(before, idle), [.., what, of]
            if holds(&["of", "for", "to"], of) && holds(&ABOUT_OF, what))
    };
    let before = trimmed(&clause[..at], idle);
    // One word more says whose it is, such as the service.
    let about_of = about_of(before)
        || matches!(before, [rest @ .., word] if !holds(&JOINING, word) && about_of(rest));
    about || warned || about_of
}

/// Words without those at their end that are idle.
fn trimmed(mut words: &[String], idle: impl Fn(&String) -> bool) -> &[String] {
    while let [rest @ .., last] = words
        && idle(last)
    {
        words = rest;
    }
    words
}

/// Whether a word behind these others is no secret although it is one's name.
fn is_harmless(before: &[String], word: &str) -> bool {
    let before = before.last().map_or("", String::as_str);
    match word {
        "token" => HARMLESS_TOKENS.contains(&before),
        "tokens" => HARMLESS_TOKENS.contains(&before) || HARMLESS_COUNTS.contains(&before),
        "pin" | "pins" => HARMLESS_PINS.contains(&before),
        _ => false,
    }
}

/// Whether what follows is to be given, or is said to be somebody's: at most three words lie between.
fn is_wanted(before: &[String]) -> bool {
    (before.len().saturating_sub(4)..before.len()).any(|at| {
        let word = before[at].as_str();
        let what_is = ["is", "s"].contains(&word) && at > 0 && before[at - 1] == "what";
        what_is || GIVING.contains(&word) || POSSESSIVES.contains(&word)
    })
}

/// Whether a clause is but the name of a secret, as the title of a field is: `PIN`, `GitHub token`.
fn is_title(clause: &[String], at: usize) -> bool {
    let idle = |word: &&String| {
        let word = word.as_str();
        FILLERS.contains(&word) || ARTICLES.contains(&word)
    };
    let before = clause[..at].iter().filter(|word| !idle(word));
    let named = before.clone().count() <= 1
        && before.into_iter().all(|word| {
            !QUESTIONING.contains(&word.as_str()) && !ABOUT_OF.contains(&word.as_str())
        });
    named && NAMES.contains(&clause[at].as_str()) && clause[at + 1..].iter().all(|w| idle(&w))
}

/// What a text is about that holds a term in a script without spaces.
fn unspaced(text: &str) -> Option<RefusalAbout> {
    let written = |term: &str| term.chars().all(|c| c >= '\u{3000}') && text.contains(term);
    let terms = CLEAR.iter().filter(|(term, _)| written(term));
    terms.map(|(_, about)| Some(*about)).fold(None, worse)
}

/// A text without what hides a word from a program and not from a reader (Q-101).
fn plain(text: &str) -> String {
    text.chars()
        .filter_map(|c| match c {
            '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0),
            '\u{2028}' | '\u{2029}' => Some('\n'),
            '\u{300}'..='\u{36F}' => None,
            c if !c.is_control() && is_hidden(c) => None,
            c => Some(c),
        })
        .collect()
}

/// A word in lower case, without the accents that the terms have.
fn fold(word: &str) -> String {
    word.to_lowercase()
        .chars()
        .filter_map(|c| match c {
            'ñ' => Some('n'),
            'ö' => Some('o'),
            'ł' => Some('l'),
            '\u{300}'..='\u{36F}' => None,
            c => Some(c),
        })
        .collect()
}

/// The words of a text, clause by clause.
fn clauses(text: &str) -> Vec<Vec<String>> {
    let mut clauses = vec![vec![String::new()]];
    let mut previous = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let dash = c == '-'
            && previous.is_whitespace()
            && rest.peek().is_none_or(|next| next.is_whitespace());
        if dash || ".,:;()?!{}[]|…–—\n\r".contains(c) {
            clauses.push(vec![String::new()]);
        } else if let Some(clause) = clauses.last_mut() {
            match clause.last_mut() {
                Some(word) if c.is_alphanumeric() => word.push(c),
                _ => clause.push(String::new()),
            }
        }
        previous = c;
    }
    for clause in &mut clauses {
        clause.retain(|word| !word.is_empty());
        clause.iter_mut().for_each(|word| *word = fold(word));
    }
    clauses
}

/// The words of a name in snake_case, kebab-case or camelCase, folded.
fn name_words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let chars: Vec<char> = name.chars().collect();
    for (index, c) in chars.iter().enumerate() {
        let before = index.checked_sub(1).map(|i| chars[i]);
        let after = chars.get(index + 1);
        let hump = c.is_uppercase()
            && (before.is_some_and(|b| b.is_lowercase() || b.is_numeric())
                || before.is_some_and(char::is_uppercase)
                    && after.is_some_and(|a| a.is_lowercase()));
        if hump || !c.is_alphanumeric() {
            words.push(String::new());
        }
        if let (true, Some(word)) = (c.is_alphanumeric(), words.last_mut()) {
            word.push(*c);
        }
    }
    words.retain(|word| !word.is_empty());
    words.iter().map(|word| fold(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_into_words() {
        assert_eq!(
            name_words("bskyAPIKey_2-x"),
            ["bsky", "api", "key", "2", "x"]
        );
        assert!(name_words("--").is_empty());
    }

    #[test]
    fn clauses_end_at_marks_and_dashes() {
        let words = |text| clauses(text).concat().len();
        assert_eq!(clauses("one-time code - two").len(), 2);
        assert_eq!(words("one-time code - two"), 4);
        assert_eq!(clauses("a (b) c\nd").len(), 4);
    }

    #[test]
    fn no_term_is_longer_than_what_is_looked_at() {
        let terms = PASSWORDS.iter().chain(&TERMS);
        assert!(
            terms
                .into_iter()
                .all(|term| term.split(' ').count() <= LONGEST)
        );
    }
}
