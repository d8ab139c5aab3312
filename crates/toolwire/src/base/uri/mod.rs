//! Canonical URIs (chapter 4 of the specification, rules URI-1 to URI-35).
//!
//! Everything here is a function of text alone: no disk, no network, no environment, and the rules
//! for Windows hold on every platform. So a host on Linux and a tool on Windows agree.

mod file;
mod generic;
mod percent;
mod web;

pub use web::WebUrl;

use file::Place;

use crate::{Code, Error};

/// Why a text has no canonical URI: a reason for a person, to stand after a colon.
type Reason = &'static str;

/// The canonical form of a URI, by pure text (URI rules).
///
/// `uri` is a URI or a reference without a scheme, such as `src/main.rs`, `/etc/hosts`,
/// `C:\dir\x.txt` or `\\server\share\x`. Every reference without a scheme means a file.
/// `root` is the workspace root, an absolute path or a `file:` URI; it is always a directory.
/// The result is a URI in ASCII; normalizing it again, with any root, gives the same text.
///
/// # Errors
///
/// - `bad_uri` if the text is empty, holds a control character, begins or ends with a space, breaks
///   the syntax of an authority, or is relative and there is no root;
/// - `bad_option` at `/root` if the root is neither an absolute path nor a `file:` URI.
///
/// # Examples
///
/// ```
/// use toolwire::normalize_uri;
///
/// let uri = normalize_uri("file:///project/./src/../src/main.rs#L10-20", None)?;
/// assert_eq!(uri, "file:///project/src/main.rs#L10-20");
/// assert_eq!(normalize_uri(r"c:\Project\a b.txt", None)?, "file:///C:/Project/a%20b.txt");
/// assert_eq!(normalize_uri("./src/lib.rs", Some("/project"))?, "file:///project/src/lib.rs");
/// assert_eq!(normalize_uri("HTTPS://Example.com:443/%7Euser", None)?, "https://example.com/~user");
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn normalize_uri(uri: &str, root: Option<&str>) -> Result<String, Error> {
    let root = root.map(Root::read).transpose()?;
    root_relative(uri, root.as_ref())
        .map_err(|reason| Error::new(Code::BadUri, "", None, refusal("the URI", uri, reason)))
}

/// The URI of a path, which is taken literally: `%`, `?` and `#` stand for themselves (URI-35).
///
/// An absolute path, of POSIX or Windows, gives its canonical `file:` URI. A relative path gives a
/// relative reference with forward slashes, to be resolved against a workspace root.
///
/// # Errors
///
/// `bad_uri` if the path is empty, holds a NUL character, or is bound to a drive's current
/// directory, as `C:x` is.
///
/// # Examples
///
/// ```
/// use toolwire::file_uri;
///
/// assert_eq!(file_uri("/tmp/100% #1.txt")?, "file:///tmp/100%25%20%231.txt");
/// assert_eq!(file_uri(r"\\?\C:\x\y.txt")?, "file:///C:/x/y.txt");
/// assert_eq!(file_uri(r"src\a#b.rs")?, "src/a%23b.rs");
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn file_uri(path: &str) -> Result<String, Error> {
    file::uri_of_path(path)
        .map_err(|reason| Error::new(Code::BadUri, "", None, refusal("the path", path, reason)))
}

/// A workspace root, read once and used for many references.
pub(crate) struct Root(Place);

impl Root {
    /// Reads an absolute path or a `file:` URI; anything else is a `bad_option` at `/root`.
    pub(crate) fn read(root: &str) -> Result<Self, Error> {
        let place = match split_scheme(root) {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("file") => check_text(root)
                .and_then(|()| file::parse(rest, true, None))
                .map(|(place, _)| place),
            Some(_) => Err("only the scheme `file` can be a workspace root"),
            None => file::place_of_path(root),
        };
        place.map(Root).map_err(|reason| {
            Error::new(
                Code::BadOption,
                "/root",
                None,
                refusal("the root", root, reason),
            )
        })
    }
}

/// [`normalize_uri`] with a root that has been read already.
pub(crate) fn root_relative(uri: &str, root: Option<&Root>) -> Result<String, Reason> {
    check_text(uri)?;
    let root = root.map(|root| &root.0);
    match split_scheme(uri) {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("file") => {
            file::parse(rest, true, root).map(|(place, tail)| place.to_uri(&tail))
        }
        Some((scheme, rest)) => generic::normalize(&scheme.to_ascii_lowercase(), rest),
        None => file::parse(uri, false, root).map(|(place, tail)| place.to_uri(&tail)),
    }
}

/// URI-2: what no URI may be.
fn check_text(uri: &str) -> Result<(), Reason> {
    if uri.is_empty() {
        return Err("it is empty");
    }
    if uri.bytes().any(|byte| byte.is_ascii_control()) {
        return Err("it holds a control character; percent-encode it");
    }
    if uri.starts_with(' ') || uri.ends_with(' ') {
        return Err("it begins or ends with a space; remove it, or write `%20`");
    }
    Ok(())
}

/// Whether a text is a URI and not a path.
pub(crate) fn has_scheme(text: &str) -> bool {
    split_scheme(text).is_some()
}

/// URI-4: a scheme has at least two characters, since one letter before a colon is a drive.
fn split_scheme(uri: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = uri.split_once(':')?;
    let mut bytes = scheme.bytes();
    let starts = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic());
    let goes_on = bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
    (starts && goes_on && scheme.len() > 1).then_some((scheme, rest))
}

/// The query and the fragment with their delimiters, in normal form (URI-15).
fn normal_tail(tail: &str) -> String {
    let (query, fragment) = match tail.split_once('#') {
        Some((query, fragment)) => (query, Some(fragment)),
        None => (tail, None),
    };
    let mut out = String::new();
    if let Some(query) = query.strip_prefix('?') {
        out.push('?');
        percent::push_normal(&mut out, query, percent::is_query, percent::is_unreserved);
    }
    if let Some(fragment) = fragment {
        out.push('#');
        percent::push_normal(
            &mut out,
            fragment,
            percent::is_query,
            percent::is_unreserved,
        );
    }
    out
}

/// Splits what comes before the query and the fragment from the rest, which keeps its delimiter.
fn split_tail(text: &str) -> (&str, &str) {
    text.split_at(text.find(['?', '#']).unwrap_or(text.len()))
}

/// `cannot use the URI `…`: reason`, with a long text shortened.
fn refusal(what: &str, text: &str, reason: Reason) -> String {
    const MAX_SHOWN: usize = 80;
    let shown: String = text
        .chars()
        .take(MAX_SHOWN)
        .flat_map(char::escape_debug)
        .collect();
    let more = if text.chars().nth(MAX_SHOWN).is_some() {
        "…"
    } else {
        ""
    };
    format!("{what} `{shown}{more}` has no canonical form: {reason}")
}
