//! Arguments that a person types as options: `--path a`, `--path=a`, `--force` (CALL-60, CALL-61).

use super::arguments::{Spot, Word, unknown};
use crate::Error;
use crate::json::brief;

/// An option as it was typed.
#[derive(Clone, Copy)]
pub(super) struct Typed<'w> {
    /// The word's name, without its dashes.
    pub name: &'w str,
    /// What stands behind `=`.
    text: Option<&'w str>,
}

/// A word that begins with `--`, if it is one with a name.
pub(super) fn read(word: &str) -> Option<Typed<'_>> {
    let body = word.strip_prefix("--")?;
    let (name, text) = match body.split_once('=') {
        Some((name, text)) => (name, Some(text)),
        None => (body, None),
    };
    (!name.is_empty()).then_some(Typed { name, text })
}

/// The argument that an option stands for, and how many words it takes.
pub(super) fn resolve<'w>(
    whole: &Spot<'_>,
    option: Typed<'w>,
    next: Option<&'w str>,
) -> Result<(Word<'w>, usize), Error> {
    let Typed { name, text } = option;
    let word = |name, text, used| Ok((Word { name, text }, used));
    let Some(found) = find(whole, name) else {
        // `--no-force` is no more than the other half of `--force`.
        let positive = name.strip_prefix("no-").and_then(|rest| find(whole, rest));
        return match (positive.filter(|found| found.is_flag), text) {
            (Some(found), None) => word(found.name, "false", 1),
            (Some(found), Some(_)) => {
                let way = format!("write `--{name}`, or `{}=false`", found.name);
                Err(whole
                    .member(name)
                    .refuse(format!("`--{name}` takes no value: {way}")))
            }
            (None, _) => Err(not_known(whole, option, next)),
        };
    };
    match (text, next) {
        (Some(text), _) => word(found.name, text, 1),
        (None, _) if found.is_flag => word(found.name, "true", 1),
        (None, Some(next)) if !is_dashed(next) => word(found.name, next, 2),
        (None, Some(next)) if next.starts_with('-') && !next.starts_with("--") => {
            let way = format!("write `--{name}={}`", brief(next, 40));
            let message = format!(
                "`--{name}` needs a value, and `{}` looks like an option: {way}",
                brief(next, 40)
            );
            Err(found.spot.refuse(message))
        }
        (None, _) => {
            let kinds = found.spot.kinds();
            let what = match kinds.as_slice() {
                [] => "a value".to_owned(),
                kinds => found.spot.what(kinds),
            };
            Err(found
                .spot
                .refuse(format!("`--{name}` needs {what} behind it")))
        }
    }
}

/// A property to which an option leads.
struct Found<'a> {
    name: String,
    spot: Spot<'a>,
    /// Whether it is true or false, and nothing that would take a text.
    is_flag: bool,
}

/// Finds the property of an option's name: each part to the letter, or in the spelling of options.
fn find<'a>(whole: &Spot<'a>, name: &str) -> Option<Found<'a>> {
    let (names, _) = whole.names();
    let (path, rest) = match name.split_once('.') {
        Some((first, rest)) if property(&names, name).is_none() => (first, Some(rest)),
        _ => (name, None),
    };
    let path = property(&names, path)?;
    let spot = whole.member(path);
    let Some(rest) = rest else {
        let kinds = spot.kinds();
        let is_flag = kinds.contains(&"boolean")
            && kinds.iter().all(|kind| ["boolean", "null"].contains(kind));
        let name = path.to_owned();
        return Some(Found {
            name,
            spot,
            is_flag,
        });
    };
    let inner = find(&spot, rest)?;
    let name = format!("{path}.{}", inner.name);
    Some(Found { name, ..inner })
}

/// The property that an option names: `dry_run` and `dryRun` for `--dry-run`, if it is but one of them.
fn property<'n>(names: &'n [String], option: &str) -> Option<&'n str> {
    let mut alike = names.iter().filter(|name| spelling(name) == option);
    match names.iter().find(|name| *name == option) {
        Some(name) => Some(name),
        None => alike
            .next()
            .filter(|_| alike.next().is_none())
            .map(String::as_str),
    }
}

/// A property's name as options are written.
fn spelling(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '_' => out.push('-'),
            'A'..='Z' => {
                if !out.is_empty() && !out.ends_with('-') {
                    out.push('-');
                }
                out.push(c.to_ascii_lowercase());
            }
            c => out.push(c),
        }
    }
    out
}

/// Whether a word looks like an option, and not like a value: a number may be below zero.
fn is_dashed(word: &str) -> bool {
    let rest = word.strip_prefix('-');
    rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// That the schema has no such property, and how the argument is written where it takes others.
fn not_known(whole: &Spot<'_>, option: Typed<'_>, next: Option<&str>) -> Error {
    let Typed { name, text } = option;
    let next = next.filter(|next| !next.starts_with('-') && !next.contains('='));
    let value = brief(text.or(next).unwrap_or("VALUE"), 40);
    let (known, names, open) = known_beside(whole, name);
    let nothing = names.is_empty() && open && known.is_empty();
    let options = names
        .iter()
        .map(|name| format!("{known}{}", spelling(name)));
    let options: Vec<String> = options.collect();
    let place = whole.member(name);
    let message = unknown("--", name, &options);
    let name = brief(name, 40);
    place.refuse(match (nothing, open) {
        (true, _) => format!(
            "`--{name}` can't be taken, since nothing is known of the arguments: write `{name}={value}`"
        ),
        (false, false) => message,
        (false, true) if message.ends_with('?') => message,
        (false, true) => {
            format!("{message}; write `{name}={value}` for one that is not listed")
        }
    })
}

/// How far a name leads, as options are written, with the names that there are then, and whether there
/// may be others.
fn known_beside(whole: &Spot<'_>, name: &str) -> (String, Vec<String>, bool) {
    let (names, open) = whole.names();
    if let Some((first, rest)) = name.split_once('.')
        && let Some(first) = property(&names, first)
    {
        let (inner, names, open) = known_beside(&whole.member(first), rest);
        if !names.is_empty() || open {
            return (format!("{}.{inner}", spelling(first)), names, open);
        }
    }
    (String::new(), names, open)
}

#[cfg(test)]
mod tests {
    use crate::{Json, parse_arguments};

    fn refused(words: &[&str], schema: &str) -> String {
        let schema = Json::new(schema).unwrap();
        let error = parse_arguments(words, &schema).unwrap_err();
        error.message().to_owned()
    }

    #[test]
    fn messages_tell_what_to_write() {
        let closed = r#"{"properties":{"dry_run":{"type":"boolean"},"folder":{"type":"string"},
            "author":{"properties":{"name":{}},"additionalProperties":false}},
            "additionalProperties":false}"#;
        let open = r#"{"properties":{"folder":{}}}"#;
        for (words, schema, message) in [
            (
                &["--foldr", "a"][..],
                closed,
                "`--foldr` is not an argument; did you mean `--folder`?",
            ),
            (
                &["foldr=a"],
                closed,
                "`foldr` is not an argument; did you mean `folder`?",
            ),
            (
                &["dryrun=yes"],
                closed,
                "`dryrun` is not an argument; did you mean `dry_run`?",
            ),
            (
                &["--dryrun"],
                closed,
                "`--dryrun` is not an argument; did you mean `--dry-run`?",
            ),
            (
                &["--author.nme", "a"],
                closed,
                "`--author.nme` is not an argument; did you mean `--author.name`?",
            ),
            (
                &["--dry-run", "maybe"],
                closed,
                "`maybe` is not an argument: write `name=value`",
            ),
            (
                &["author.nme=a"],
                closed,
                "`author.nme` is not an argument; did you mean `author.name`?",
            ),
            (
                &["x=1"],
                closed,
                "`x` is not an argument: there are `dry_run`, `folder`, `author`",
            ),
            (
                &["--x"],
                closed,
                "`--x` is not an argument: there are `--dry-run`, `--folder`, `--author`",
            ),
            (
                &["--x", "1"],
                open,
                "`--x` is not an argument: there is `--folder`; write `x=1` for one that is not listed",
            ),
            (
                &["--folder", "/tmp"],
                "{}",
                "`--folder` can't be taken, since nothing is known of the arguments: write \
                 `folder=/tmp`",
            ),
            (&["--folder"], closed, "`--folder` needs a string behind it"),
            (
                &["--folder", "-x"],
                closed,
                "`--folder` needs a value, and `-x` looks like an option: write `--folder=-x`",
            ),
            (
                &["--dry-run", "false"],
                closed,
                "`false` is not an argument: write `--dry-run=false`",
            ),
            (
                &["--no-dry-run=1"],
                closed,
                "`--no-dry-run` takes no value: write `--no-dry-run`, or `dry_run=false`",
            ),
        ] {
            assert_eq!(refused(words, schema), message, "{words:?}");
        }
    }
}
