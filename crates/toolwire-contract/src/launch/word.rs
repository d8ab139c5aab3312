//! Profile words: `@profile`, `@profile/tool?name=value`, `@profile?list=tools` (LAUNCH-70 to LAUNCH-73).

use toolwire::{Code, Error};

use super::Request;
use super::parse::{MAX_BYTES, characters};
use super::percent::{decode, encode, in_value};
use super::query::{Given, Pairs, Query, write_arguments, write_request};
use super::refusal::{Place, show};

/// A profile that is named in one word, and what is asked of its server.
///
/// ```
/// use toolwire_contract::launch::{Listing, Request, parse_profile_word};
///
/// let word = parse_profile_word("@biomcp?list=tools")?;
/// assert_eq!(word.profile, "biomcp");
/// assert_eq!(word.request, Some(Request::List(Listing::Tools)));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileWord {
    /// The name of the profile.
    pub profile: String,
    /// What is asked, if the word says so.
    pub request: Option<Request>,
}

/// Reads a profile word. Whether there is such a profile is for the caller to see.
///
/// # Errors
///
/// `bad_profile_word`, with the byte and a message that says what to write.
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
/// assert_eq!(parse_profile_word("biomcp").unwrap_err().offset(), Some(0));
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn parse_profile_word(word: &str) -> Result<ProfileWord, Error> {
    let whole = Place {
        code: Code::BadProfileWord,
        pointer: "",
        offset: 0,
    };
    characters(word, MAX_BYTES, whole)?;
    let Some(rest) = word.strip_prefix('@') else {
        return Err(whole.member("/profile").refuse(format!(
            "`{}` is no profile: its name begins with `@`",
            show(word)
        )));
    };
    let (target, query) = match rest.split_once('?') {
        Some((target, query)) => (target, Some(query)),
        None => (rest, None),
    };
    let (profile, tool) = match target.split_once('/') {
        Some((profile, tool)) => (profile, Some(tool)),
        None => (target, None),
    };
    let place = whole.member("/profile").at(1);
    let profile = decode(profile, place)?;
    if !is_profile_name(&profile) {
        return Err(place.refuse(format!(
            "`{}` is no name of a profile: it has letters, digits, `_`, `-` and `.`, begins with a letter or digit, and \
             is at most 128 characters long",
            show(&profile)
        )));
    }
    let tool = match tool {
        None => None,
        Some(tool) => {
            let place = whole
                .member("/tool")
                .at(word.len() - rest.len() + target.len() - tool.len());
            let text = place.visible(decode(tool, place)?)?;
            if text.is_empty() {
                return Err(place.refuse(
                    "there is no name of a tool behind the `/`: add it, or leave out the `/`",
                ));
            }
            Some(Given {
                text,
                key: place.offset,
                offset: place.offset,
            })
        }
    };
    let place = whole.at(target.len() + 2);
    let query = Query::read(query, tool, place)?;
    query.only(&[], "a profile", place)?;
    Ok(ProfileWord {
        profile,
        request: query.request,
    })
}

/// The canonical profile word (LAUNCH-73): reading it gives the same again.
///
/// # Errors
///
/// As [`parse_profile_word`], without a byte, for what no word says.
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
    let mut pairs = Pairs::default();
    match &word.request {
        Some(Request::Tool { name, arguments }) => {
            out.push('/');
            encode(&mut out, name, |byte| byte != b'?' && in_value(byte));
            write_arguments(&mut pairs, arguments);
        }
        other => write_request(&mut pairs, other.as_ref()),
    }
    out.push_str(&pairs.end());
    match parse_profile_word(&out) {
        Ok(read) if read == *word => Ok(out),
        Ok(_) => Err(Error::new(
            Code::BadProfileWord,
            "/profile",
            None,
            "the name of a profile has letters, digits, `_`, `-` and `.` only",
        )),
        Err(error) => Err(Error::new(
            error.code(),
            error.pointer(),
            None,
            error.message(),
        )),
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
