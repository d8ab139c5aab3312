//! Names of tools and ids of calls as a provider takes them. One that it takes stays; another is mapped so that no
//! two become the same.

use std::borrow::Cow;

use super::form::{Id, NameRule};
use super::media::short_digest;

/// What marks the difference between two names that are written alike otherwise.
const DIGITS: usize = 8;

/// The name of a tool for a provider.
pub(super) fn provider_name<'a>(name: &'a str, rule: &NameRule) -> Cow<'a, str> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || rule.others.contains(&byte);
    let first = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    let begins = |name: &str| !rule.begins_with_letter || name.bytes().next().is_some_and(first);
    if (1..=rule.max).contains(&name.len()) && name.bytes().all(fits) && begins(name) {
        return Cow::Borrowed(name);
    }
    let mut plain: String = if begins(name) { "" } else { "_" }.to_owned();
    let word = |c: char| u8::try_from(c).ok().filter(|byte| fits(*byte));
    plain.extend(name.chars().map(|c| word(c).map_or('_', char::from)));
    plain.truncate(rule.max - DIGITS - 1);
    Cow::Owned(format!("{plain}_{}", short_digest(name, DIGITS)))
}

/// The id of a call for a provider.
pub(super) fn provider_id(id: &str, rule: Id) -> Cow<'_, str> {
    let (max, others) = match rule {
        Id::Any if id.is_empty() => (1, &b""[..]),
        Id::Any => return Cow::Borrowed(id),
        Id::Word(max, others) => (max, others),
        Id::Nine => (9, &b""[..]),
    };
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || others.contains(&byte);
    let has_length = match rule {
        Id::Nine => id.len() == 9,
        _ => (1..=max).contains(&id.len()),
    };
    if has_length && id.bytes().all(fits) {
        return Cow::Borrowed(id);
    }
    match rule {
        Id::Nine => Cow::Owned(nine(id)),
        _ => Cow::Owned(format!("call_{}", short_digest(id, 24))),
    }
}

/// Nine letters and digits for an id: 53 bits of its digest.
fn nine(id: &str) -> String {
    const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut number = u64::from_str_radix(&short_digest(id, 16), 16).unwrap_or_default();
    let mut out = String::new();
    for _ in 0..9 {
        let digit = usize::try_from(number % 62).unwrap_or_default();
        out.push(char::from(ALPHABET[digit]));
        number /= 62;
    }
    out
}
