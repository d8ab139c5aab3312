//! Which parts of a command's words and of URLs are credentials (LOCK-13).

use super::secret::{is_secret_name, is_secret_value};

/// What stands in the place of a credential where nobody is to read it.
const WITHHELD: &str = "***";

/// Options of programs that take `NAME=VALUE`, an environment variable.
const OF_VARIABLES: [&str; 3] = ["-e", "--env", "--environment"];

/// Options that take a header, `NAME: VALUE`.
const OF_HEADERS: [&str; 3] = ["-H", "--header", "--headers"];

/// Options that take a user, with a password behind a colon.
const OF_USERS: [&str; 2] = ["-u", "--user"];

/// Names that are those of secrets in an option, though not in a question: nobody is asked for a thing by them.
const OF_SECRETS: &str = "key auth authentication session session-id cookie cookies pass creds \
    signature connection-string";

/// What an option with one of these as its last word takes, whatever stands before.
const LAST_WORDS: [&str; 4] = ["key", "token", "secret", "password"];

/// What stands before `-key` or `-token` where no secret is meant.
const HARMLESS: &str = "public primary foreign sort partition host group row cache index object \
    next page max no";

/// A word of fewer characters is not taken for a token because of how it is spelt.
const SHORTEST_TOKEN: usize = 20;

fn has(words: &str, word: &str) -> bool {
    words.split(' ').any(|one| one == word)
}

/// A part of a word, and what is secret about it. The parts of a word put together are the word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part<'w> {
    pub text: &'w str,
    pub secret: Option<Secret<'w>>,
}

/// What is secret about a part of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Secret<'w> {
    /// It is the value of what has this name: an option, a variable, a header, a part of a query.
    Named(&'w str),
    /// It is the user of a URL, perhaps with a password.
    User,
    /// It is spelt as credentials are.
    Spelt,
}

/// The words of a command with `***` in the place of whatever holds a credential (LOCK-13). What a word is for
/// stays: the name of the option, the host of a URL.
///
/// ```
/// use toolwire_contract::lock::without_credentials;
///
/// let words = ["run", "--token=abc", "-e", "KEY=v", "-H", "X-Key: v", "https://u:p@h/?api_key=k&q=1"];
/// assert_eq!(
///     without_credentials(&words.map(str::to_owned)),
///     ["run", "--token=***", "-e", "KEY=***", "-H", "X-Key: ***", "https://***@h/?api_key=***&q=1"],
/// );
/// ```
#[must_use]
pub fn without_credentials(words: &[String]) -> Vec<String> {
    let mut kept = Vec::with_capacity(words.len());
    let mut before = None;
    for word in words {
        kept.push(withheld(parts(before, word)));
        before = Some(word.as_str());
    }
    kept
}

/// A word without the credentials of a URL; any other word as it is.
pub(crate) fn without_user(word: &str) -> String {
    withheld(url_parts(word))
}

fn withheld(parts: Vec<Part<'_>>) -> String {
    let texts = parts.iter().map(|part| match part.secret {
        Some(_) => WITHHELD,
        None => part.text,
    });
    texts.collect()
}

/// The parts of a word behind another.
pub(crate) fn parts<'w>(before: Option<&'w str>, word: &'w str) -> Vec<Part<'w>> {
    cut(word, argument(before.unwrap_or_default(), word))
}

/// The parts of a URL; any other word is one part.
pub(crate) fn url_parts(word: &str) -> Vec<Part<'_>> {
    let found = word.find("://").map(|at| url(word, at + 3));
    cut(word, found.unwrap_or_default())
}

/// Where a credential begins and ends, and what it is.
type Found<'w> = Vec<(usize, usize, Secret<'w>)>;

/// Cuts a word, though never within a variable such as `${TOKEN:-abc}`.
fn cut<'w>(word: &'w str, found: Found<'w>) -> Vec<Part<'w>> {
    let mut parts = Vec::new();
    let mut done = 0;
    let mut push = |from: usize, to: usize, secret: Option<Secret<'w>>| {
        if from < to {
            parts.push(Part {
                text: &word[from..to],
                secret,
            });
        }
    };
    for (start, end, secret) in found {
        let start = around(word, start).map_or(start, |(start, _)| start);
        let end = around(word, end).map_or(end, |(_, end)| end);
        push(done, start.max(done), None);
        push(start.max(done), end, Some(secret));
        done = end.max(done);
    }
    push(done, word.len(), None);
    parts
}

/// The variable within which a place of a word lies.
fn around(word: &str, at: usize) -> Option<(usize, usize)> {
    let start = word[..at].rfind("${")?;
    let end = start + word[start..].find('}')? + 1;
    (at < end).then_some((start, end))
}

fn argument<'w>(before: &'w str, word: &'w str) -> Found<'w> {
    // The value of an option, as a word of its own or behind `=`.
    let follows = before.starts_with('-') && !before.contains('=');
    let (option, start) = match (glued(word), word.split_once('=')) {
        _ if follows && is_of_secret(before) && !is_option(word) => (before, 0),
        (Some(option), _) => (option, option.len()),
        (_, Some((option, _))) if option.starts_with('-') => (option, option.len() + 1),
        _ if follows && !word.starts_with('-') => (before, 0),
        _ => ("", 0),
    };
    let value = &word[start..];
    if value.is_empty() || is_variable(value) {
        return Vec::new();
    }
    if OF_VARIABLES.contains(&option) {
        return match value.split_once('=') {
            Some((name, _)) => behind(word, start + name.len() + 1, name),
            None => text(word, start),
        };
    }
    if OF_HEADERS.contains(&option) {
        // A table of headers is one value.
        return match value.find([':', '=']).filter(|_| !value.starts_with('{')) {
            Some(at) => behind(word, start + at + 1, &value[..at]),
            None if value.starts_with('{') => vec![(start, word.len(), Secret::Named(option))],
            None => text(word, start),
        };
    }
    if OF_USERS.contains(&option) {
        let is_place = |at: usize| value[at + 1..].starts_with(['/', '\\']);
        return match value.find(':').filter(|at| !is_place(*at)) {
            Some(at) => behind(word, start + at + 1, option),
            None => text(word, start),
        };
    }
    if is_of_secret(option) {
        return vec![(start, word.len(), Secret::Named(option))];
    }
    text(word, start)
}

/// Whether a word is spelt as options are, `-v`, `--log-level` or `--level=…`, behind one that takes a secret: a
/// credential may begin with `-`, too.
fn is_option(word: &str) -> bool {
    let name = word.split('=').next().unwrap_or_default();
    let plain = |c: char| c.is_ascii_lowercase() || matches!(c, '-' | '_' | '.');
    match name.strip_prefix("--") {
        Some(name) => name.chars().all(plain) || is_secret_name(name),
        None => name.starts_with('-') && name.chars().count() == 2,
    }
}

/// Whether the name of an option says that it takes a secret.
fn is_of_secret(option: &str) -> bool {
    let name = option.trim_start_matches('-');
    let name = name.to_ascii_lowercase().replace('_', "-");
    // An option of one letter says nothing.
    if !option.starts_with('-') || name.len() < 2 {
        return false;
    }
    if is_secret_name(&name) || has(OF_SECRETS, &name) {
        return true;
    }
    let last = name.rsplit_once('-');
    last.is_some_and(|(before, last)| {
        let before = before.rsplit('-').next().unwrap_or_default();
        LAST_WORDS.contains(&last) && !has(HARMLESS, before)
    })
}

/// An option of one letter with its value in one word, such as `-eNAME=VALUE` or `-uNAME:PASSWORD`.
fn glued(word: &str) -> Option<&str> {
    let option = ["-e", "-H", "-u"]
        .into_iter()
        .find(|option| word.starts_with(option))?;
    let value = &word[option.len()..];
    let end = value.find(['=', ':'])?;
    let is_of_variable = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let fits = match option {
        "-e" => value[end..].starts_with('=') && value[..end].chars().all(is_of_variable),
        _ => value[end..].starts_with(':'),
    };
    (fits && end > 0).then_some(&word[..option.len()])
}

/// What stands behind a name and its separator, without white space and the name of a scheme; nothing if that is a
/// variable.
fn behind<'w>(word: &'w str, from: usize, name: &'w str) -> Found<'w> {
    let rest = word[from..].trim_start();
    let (_, value) = scheme(rest);
    match value.trim().is_empty() || is_variable(value.trim()) {
        true => Vec::new(),
        false => vec![(word.len() - value.len(), word.len(), Secret::Named(name))],
    }
}

/// The name of a scheme at the beginning of a header's value, with its space, and what follows.
pub(crate) fn scheme(value: &str) -> (&str, &str) {
    let at = value.find(' ').map_or(0, |at| at + 1);
    let known = ["bearer ", "basic ", "token ", "apikey "];
    match known
        .iter()
        .any(|scheme| value[..at].eq_ignore_ascii_case(scheme))
    {
        true => value.split_at(at),
        false => ("", value),
    }
}

/// The end of a word to which no option gives a meaning.
fn text(word: &str, start: usize) -> Found<'_> {
    let value = &word[start..];
    if let Some(at) = value.find("://") {
        return url(word, start + at + 3);
    }
    if let Some(at) = value.find(['=', ':'])
        && is_secret_name(&value[..at])
    {
        return behind(word, start + at + 1, &value[..at]);
    }
    match looks_secret(value) {
        true => vec![(start, word.len(), Secret::Spelt)],
        false => Vec::new(),
    }
}

/// The user of a URL, the values of its query and fragment that are credentials, and the parts of its path that are
/// spelt as credentials are.
fn url(word: &str, authority: usize) -> Found<'_> {
    let mut found = Vec::new();
    let end = word[authority..]
        .find(['/', '?', '#'])
        .map_or(word.len(), |length| authority + length);
    if let Some((user, _)) = word[authority..end].rsplit_once('@')
        && !user.is_empty()
        && !user.split(':').all(is_variable)
    {
        found.push((authority, authority + user.len(), Secret::User));
    }
    let query = word[end..]
        .find(['?', '#'])
        .map_or(word.len(), |at| end + at);
    let mut at = end;
    for part in word[end..query].split_inclusive('/') {
        let name = part.strip_suffix('/').unwrap_or(part);
        if looks_secret(name) {
            found.push((at, at + name.len(), Secret::Spelt));
        }
        at += part.len();
    }
    for part in word[query..].split_inclusive(['?', '#', '&', ';']) {
        let bare = part.trim_end_matches(['?', '#', '&', ';']);
        match bare.split_once('=') {
            Some((name, value)) => {
                let secret = is_secret_name(name) || looks_secret(value);
                if secret && !value.is_empty() && !is_variable(value) {
                    let start = at + name.len() + 1;
                    found.push((start, at + bare.len(), Secret::Named(name)));
                }
            }
            None if looks_secret(bare) => found.push((at, at + bare.len(), Secret::Spelt)),
            None => {}
        }
        at += part.len();
    }
    found
}

/// Whether a word is nothing but a variable, such as `${TOKEN}`, which says no value.
fn is_variable(word: &str) -> bool {
    let name = word
        .strip_prefix("${")
        .and_then(|rest| rest.strip_suffix('}'));
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':');
    name.is_some_and(|name| !name.contains(":-") && name.chars().all(plain))
}

/// Whether a word is spelt as tokens are: long, without spaces, of letters in both cases and digits, or of
/// hexadecimal digits alone. What ends as names of files do is none.
fn looks_secret(word: &str) -> bool {
    if is_secret_value(word) {
        return true;
    }
    let has = |of: fn(&char) -> bool| word.chars().any(|c| of(&c));
    let token = word.len() >= SHORTEST_TOKEN
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '=' | '.' | '~'));
    let is_file = word.rsplit_once('.').is_some_and(|(_, ending)| {
        (1..=5).contains(&ending.len()) && ending.chars().all(|c| c.is_ascii_lowercase())
    });
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let hex = word.len() >= 32 && word.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    token
        && !is_file
        && (hex || (digits >= 2 && has(char::is_ascii_lowercase) && has(char::is_ascii_uppercase)))
}
