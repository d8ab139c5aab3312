//! What a media type says about content: the language of its code fence, whether it is text, and
//! which type a file name stands for (FMT-11 to FMT-13). The facts are in `schema/mime.json`.

use super::mime_table::{EXTENSIONS, FILENAMES, KEYS, NAMES, SUFFIXES, TYPES};
use crate::base::uri::has_scheme;

/// The language of a code fence for a MIME type; nothing where the type is absent, unknown, or plain
/// text (FMT-11 to FMT-13).
///
/// Case and parameters don't count, nor does `x-` or whether a type stands under `text/` or
/// `application/`; an unknown type with a suffix such as `+json` has the suffix's language.
///
/// # Examples
///
/// ```
/// use toolwire::mime::language;
///
/// assert_eq!(language(Some("text/rust")), Some("rs"));
/// assert_eq!(language(Some("text/x-rust")), Some("rs"));
/// assert_eq!(language(Some("Application/JSON; charset=utf-8")), Some("json"));
/// assert_eq!(language(Some("application/vnd.example+json")), Some("json"));
/// assert_eq!(language(Some("text/plain")), None);
/// assert_eq!(language(None), None);
/// ```
#[must_use]
pub fn language(mime: Option<&str>) -> Option<&'static str> {
    let essence = essence(mime?)?;
    match find(&essence) {
        Some((_, language, _)) => *language,
        None => suffix(&essence).and_then(|(_, language, _)| *language),
    }
}

/// Whether a MIME type is one of text. An unknown type is text under `text/` and with a suffix that
/// is text, and otherwise not (FMT-13).
///
/// # Examples
///
/// ```
/// use toolwire::mime::is_text;
///
/// assert!(is_text("application/json"));
/// assert!(is_text("image/svg+xml"));
/// assert!(!is_text("image/png"));
/// assert!(!is_text("application/vnd.example"));
/// ```
#[must_use]
pub fn is_text(mime: &str) -> bool {
    let Some(essence) = essence(mime) else {
        return false;
    };
    match (find(&essence), suffix(&essence)) {
        (Some((_, _, binary)), _) | (None, Some((_, _, binary))) => !binary,
        (None, None) => essence.starts_with("text/"),
    }
}

/// The MIME type that a path's or URI's file name stands for (FMT-15): by the whole name, then by
/// the extension, then by the name without its last extension, and so on.
///
/// # Examples
///
/// ```
/// use toolwire::mime::from_path;
///
/// assert_eq!(from_path("src/main.rs"), Some("text/rust"));
/// assert_eq!(from_path(r"C:\work\Dockerfile"), Some("text/x-dockerfile"));
/// assert_eq!(from_path("Dockerfile.dev"), Some("text/x-dockerfile"));
/// assert_eq!(from_path("file:///a/b.json#L3"), Some("application/json"));
/// assert_eq!(from_path("file:///a/b"), None);
/// ```
#[must_use]
pub fn from_path(path: &str) -> Option<&'static str> {
    let path = if has_scheme(path) {
        path.split(['?', '#']).next().unwrap_or(path)
    } else {
        path
    };
    let name = path
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or(path)
        .to_ascii_lowercase();
    let mut rest = name.as_str();
    loop {
        if let Some(index) = position(FILENAMES, rest) {
            return Some(TYPES[index].0);
        }
        // A name that only begins with a dot, like `.json`, has no extension.
        let (stem, extension) = rest.rsplit_once('.').filter(|(stem, _)| !stem.is_empty())?;
        if let Some(index) = position(EXTENSIONS, extension) {
            return Some(TYPES[index].0);
        }
        rest = stem;
    }
}

/// The type without parameters, white space around it and capitals; `None` if it is not of the form
/// `type/subtype` (FMT-11).
fn essence(mime: &str) -> Option<String> {
    let text = mime
        .split(';')
        .next()?
        .trim_matches([' ', '\t', '\n', '\r']);
    let (kind, subtype) = text.split_once('/')?;
    (is_token(kind) && is_token(subtype)).then(|| text.to_ascii_lowercase())
}

/// A token of RFC 9110.
fn is_token(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    !text.is_empty() && text.chars().all(allowed)
}

fn find(essence: &str) -> Option<&'static (&'static str, Option<&'static str>, bool)> {
    let index = position(NAMES, essence).or_else(|| position(KEYS, key(essence)))?;
    TYPES.get(index)
}

/// FMT-12: the subtype without `x-` or `x.` for text/ and application/, and else the whole name.
fn key(essence: &str) -> &str {
    let Some(subtype) = essence
        .strip_prefix("text/")
        .or_else(|| essence.strip_prefix("application/"))
    else {
        return essence;
    };
    subtype
        .strip_prefix("x-")
        .or_else(|| subtype.strip_prefix("x."))
        .unwrap_or(subtype)
}

fn suffix(essence: &str) -> Option<&'static (&'static str, Option<&'static str>, bool)> {
    let (_, name) = essence.rsplit_once('+')?;
    let index = SUFFIXES
        .binary_search_by(|(suffix, _, _)| (*suffix).cmp(name))
        .ok()?;
    SUFFIXES.get(index)
}

fn position(list: &[(&str, u16)], name: &str) -> Option<usize> {
    let index = list.binary_search_by(|(text, _)| (*text).cmp(name)).ok()?;
    list.get(index).map(|(_, place)| usize::from(*place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_alias_and_spelling_has_the_language_of_its_entry() {
        for (name, index) in NAMES {
            let (_, language_of_entry, binary) = TYPES[usize::from(*index)];
            let shouted = format!("\t{}; charset=\"utf-8\"", name.to_ascii_uppercase());
            assert_eq!(language(Some(name)), language_of_entry, "{name}");
            assert_eq!(language(Some(&shouted)), language_of_entry, "{name}");
            assert_eq!(is_text(name), !binary, "{name}");
        }
        for (key, index) in KEYS.iter().filter(|(key, _)| !key.contains('/')) {
            let expected = TYPES[usize::from(*index)].1;
            for prefix in [
                "text/",
                "text/x-",
                "application/",
                "application/x-",
                "text/x.",
            ] {
                let name = format!("{prefix}{key}");
                // The one exception is a name that the table itself lists for another type.
                if position(NAMES, &name).is_none() {
                    assert_eq!(language(Some(&name)), expected, "{name}");
                }
            }
        }
        let with_language = TYPES
            .iter()
            .filter(|(_, language, _)| language.is_some())
            .count();
        assert!(
            with_language >= 120,
            "{with_language} types have a language"
        );
    }

    #[test]
    fn both_kinds_of_protobuf_keep_apart() {
        assert_eq!(language(Some("text/x-protobuf")), Some("proto"));
        assert_eq!(language(Some("application/x-protobuf")), None);
        assert!(!is_text("application/protobuf"));
    }

    #[test]
    fn suffixes_speak_for_unknown_types_only() {
        assert_eq!(language(Some("application/vnd.x+xml")), Some("xml"));
        assert_eq!(language(Some("image/svg+xml")), Some("svg"));
        assert_eq!(language(Some("application/vnd.x+zip")), None);
        assert_eq!(language(Some("application/vnd.x+json+zip")), None);
        assert_eq!(language(Some("application/vnd.x+unknown")), None);
        assert!(!is_text("text/vnd.x+zip"));
    }

    #[test]
    fn what_is_no_media_type_has_no_language() {
        for mime in [
            "",
            "rust",
            "text/",
            "/rust",
            "text/ru st",
            "te xt/rust",
            "text/rust/x",
            "a b/c+json",
        ] {
            assert_eq!(language(Some(mime)), None, "{mime}");
            assert!(!is_text(mime), "{mime}");
        }
    }

    #[test]
    fn paths() {
        for (path, expected) in [
            ("a.RS", Some("text/rust")),
            ("makefile", Some("text/x-makefile")),
            ("x/Makefile.am", Some("text/x-makefile")),
            ("a.tar.gz", Some("application/gzip")),
            ("page.html.erb", Some("application/x-erb")),
            ("main.rs.orig", Some("text/rust")),
            ("a.d.ts", Some("application/typescript")),
            (".gitignore", Some("text/x-gitignore")),
            (".env.local", Some("text/plain")),
            ("Cargo.lock", Some("application/toml")),
            ("package-lock.json", Some("application/json")),
            (".json", None),
            ("json", None),
            ("a.b/c", None),
            ("dir.rs/", None),
            ("", None),
            ("what?.rs", Some("text/rust")),
            (
                "https://example.com/a.py?x=b.rs#c.md",
                Some("text/x-python"),
            ),
            ("https://example.com/?x=b.rs", None),
            ("c:a.py", Some("text/x-python")),
        ] {
            assert_eq!(from_path(path), expected, "{path}");
        }
    }
}
