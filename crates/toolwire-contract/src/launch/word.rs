//! Profile words: `@profile`, `@profile/tool?name=value`, `@profile?list=tools` (LAUNCH-70 to LAUNCH-73).

use toolwire::{Code, Error};

use super::parse::characters;
use super::query::{self, Pairs};
use super::refusal::{show, visible};
use super::{ProfileWord, Request};
use crate::percent::{IN_TOOL, decode, encode};
use crate::unplaced;

/// Reads a profile word. Whether there is such a profile is for the caller to see.
///
/// # Errors
///
/// `bad_profile_word`, with a message that says what to write.
///
/// # Examples
///
/// ```
/// use toolwire_contract::launch::{Request, parse_profile_word};
///
/// let word = parse_profile_word("@biomcp/search?gene=BRAF")?;
/// let Some(Request::Tool { name, .. }) = &word.request else { panic!() };
/// assert_eq!(name, "search");
/// assert_eq!(parse_profile_word("@biomcp?tool=search&gene=BRAF")?, word);
///
/// assert!(parse_profile_word("biomcp").is_err());
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn parse_profile_word(word: &str) -> Result<ProfileWord, Error> {
    let refuse = |pointer: &str, message: String| {
        Error::new(Code::BadProfileWord, pointer, Some(0), message)
    };
    characters(word, Code::BadProfileWord)?;
    let Some(rest) = word.strip_prefix('@') else {
        let shown = show(word);
        return Err(refuse(
            "/profile",
            format!("`{shown}` is no profile: its name begins with `@`"),
        ));
    };
    let (target, query) = match rest.split_once('?') {
        Some((target, query)) => (target, Some(query)),
        None => (rest, None),
    };
    let (profile, tool) = match target.split_once('/') {
        Some((profile, tool)) => (profile, Some(tool)),
        None => (target, None),
    };
    let profile = decode(profile).map_err(|message| refuse("/profile", message))?;
    if !is_profile_name(&profile) {
        return Err(refuse(
            "/profile",
            format!(
                "`{}` is no name of a profile: it has letters, digits, `_`, `-` and `.`, begins with a letter or digit, and \
             is at most 128 characters long",
                show(&profile)
            ),
        ));
    }
    let tool = tool.map(|tool| match decode(tool).and_then(visible) {
        Ok(tool) if tool.is_empty() => Err(
            "there is no name of a tool behind the `/`: add it, or leave out the `/`".to_owned(),
        ),
        tool => tool,
    });
    let tool = tool
        .transpose()
        .map_err(|message| refuse("/tool", message))?;
    let query = query::read(query, target.len() + 2, None, tool)?;
    Ok(ProfileWord {
        profile,
        request: query.request,
    })
}

/// The canonical profile word (LAUNCH-73): reading it gives the same again.
///
/// # Errors
///
/// As [`parse_profile_word`], for what no word says.
///
/// # Examples
///
/// ```
/// use toolwire_contract::launch::{format_profile_word, parse_profile_word};
///
/// let word = parse_profile_word("@biomcp?tool=search&gene=BRAF")?;
/// assert_eq!(format_profile_word(&word)?, "@biomcp/search?gene=BRAF");
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn format_profile_word(word: &ProfileWord) -> Result<String, Error> {
    let mut out = format!("@{}", word.profile);
    if let Some(Request::Tool { name, .. }) = &word.request {
        out.push('/');
        encode(&mut out, name, IN_TOOL);
    }
    let mut pairs = Pairs::default();
    pairs.request(word.request.as_ref(), false);
    out.push_str(&pairs.0);
    match parse_profile_word(&out) {
        Ok(read) if read == *word => Ok(out),
        Ok(_) => Err(Error::new(
            Code::BadProfileWord,
            "/profile",
            None,
            "the name of a profile has letters, digits, `_`, `-` and `.` only",
        )),
        Err(error) => Err(unplaced(&error)),
    }
}

/// Whether a text can be the name of a profile, which is a folder.
fn is_profile_name(name: &str) -> bool {
    (1..=128).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && !name.ends_with('.')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}
