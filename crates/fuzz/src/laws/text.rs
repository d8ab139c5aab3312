//! Laws of what comes from files and servers: lock files, profiles, and texts that hide something.

use toolwire::Error;
use toolwire_contract::hidden::{HiddenKind, find_hidden};

use super::shown;
use crate::calls;

/// What is found stands in the text, in order, and what is shown hides nothing any more.
pub(super) fn hidden(input: &[u8], _: u64) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let mut end = 0;
    for found in find_hidden(&text) {
        let next = found.offset + found.length;
        if found.offset < end || found.length == 0 || text.get(found.offset..next).is_none() {
            return Err(format!("{found:?} is no place in {}", shown(input)));
        }
        end = next;
    }
    let seen = toolwire_contract::hidden::show(&text);
    let does_something = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if let Some(at) = seen.find(does_something) {
        return Err(format!("a control character at byte {at} of {seen:?}"));
    }
    // A letter that passes for another stands in its own name.
    let mut left = find_hidden(&seen).into_iter();
    if let Some(left) = left.find(|left| left.kind != HiddenKind::Homoglyph) {
        return Err(format!("{left:?} is left in {seen:?}"));
    }
    if end == 0 && !text.contains(['<', '\r']) && seen != text {
        return Err(format!("another text, though nothing is hidden: {seen:?}"));
    }
    Ok(())
}

/// A lock file that is read is written as one that is read as the same.
pub(super) fn lock(input: &[u8], _: u64) -> Result<(), String> {
    let Ok(text) = std::str::from_utf8(input) else {
        return Ok(());
    };
    comes_back(text, calls::rewrite_lock)
}

/// A profile that is read is written as one that is read as the same.
pub(super) fn profile(input: &[u8], _: u64) -> Result<(), String> {
    let Ok(text) = std::str::from_utf8(input) else {
        return Ok(());
    };
    comes_back(text, calls::rewrite_profile)
}

fn comes_back(text: &str, rewrite: impl Fn(&str) -> Result<String, Error>) -> Result<(), String> {
    let Ok(once) = rewrite(text) else {
        return Ok(());
    };
    match rewrite(&once) {
        Ok(twice) if twice == once => Ok(()),
        Ok(twice) => Err(format!("{once:?}, read and written, is {twice:?}")),
        Err(error) => Err(format!("what was written can't be read: {once:?}: {error}")),
    }
}
