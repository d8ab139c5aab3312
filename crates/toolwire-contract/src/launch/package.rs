//! Names of packages, commands and images, as their registries allow them (LAUNCH-10 to LAUNCH-16).

use toolwire::Error;

use super::refusal::{Place, show};
use super::{Image, Package};

/// A package of the Python Package Index: `name`, `name[extra,…]`, and then nothing, `@version`, `@latest`
/// or `>=1,<2`.
pub(super) fn python(text: &str, place: Place) -> Result<Package, Error> {
    option_like(text, "package", place)?;
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let after = text.trim_start_matches(is_name);
    let name = text.strip_suffix(after).unwrap_or(text);
    let goes_on = after.is_empty() || after.starts_with(['[', '@']) || is_range(after);
    if !is_python_name(name) || !goes_on {
        return Err(place.refuse(format!(
            "`{}` is no Python package; anything else that uvx takes, such as the URL of a repository, is \
             `mcp+exec://uvx?command=--from&command=…`",
            show(text)
        )));
    }
    not_a_file(name, place)?;
    if is_interpreter(name) {
        return Err(place.refuse(format!(
            "uvx takes `{name}` for an interpreter: write `mcp+python://./file.py`"
        )));
    }
    let mut rest = after;
    let mut extras = Vec::new();
    if let Some(inside) = rest.strip_prefix('[') {
        let Some((list, after)) = inside.split_once(']') else {
            return Err(place.refuse(format!("`{}` has no `]` for its `[`", show(text))));
        };
        rest = after;
        for extra in list.split(',') {
            if !is_python_name(extra) {
                return Err(place.refuse(format!(
                    "`{}` is no name of an extra: write them as in `[cli,ws]`",
                    show(extra)
                )));
            }
            extras.push(extra.to_owned());
        }
    }
    let version = match (rest, rest.strip_prefix('@')) {
        ("", _) => None,
        (_, Some("latest")) => Some("latest".to_owned()),
        (_, Some(version)) if is_python_version(version) => Some(version.to_owned()),
        (_, Some(version)) => {
            return Err(place.refuse(format!(
                "`{}` is no version: write one as in `@1.2.3`, `@latest` or `>=1,<2`",
                show(version)
            )));
        }
        (range, None) => Some(python_range(range, place)?),
    };
    Ok(Package {
        name: name.to_owned(),
        extras,
        version,
    })
}

/// Letters, digits, and `-`, `_`, `.` between them.
fn is_python_name(name: &str) -> bool {
    let is_end = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
    is_end(name.bytes().next())
        && is_end(name.bytes().last())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// The names that `uvx --from` takes for interpreters of Python, as in `python3.12`.
fn is_interpreter(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let word = name.trim_end_matches(|c: char| c.is_ascii_digit() || ".t".contains(c));
    ["python", "pythonw", "cpython", "pypy", "graalpy", "pyodide"].contains(&word)
}

fn is_python_version(version: &str) -> bool {
    let digits = version.strip_prefix('v').unwrap_or(version);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && version
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b".+!_-".contains(&byte))
}

/// A list such as `>=1,<2`; `==1.2.3` alone is that version.
fn python_range(text: &str, place: Place) -> Result<String, Error> {
    const OPERATORS: [&str; 8] = ["===", "~=", "==", "!=", "<=", ">=", "<", ">"];
    for part in text.split(',') {
        let operator = OPERATORS
            .into_iter()
            .find(|operator| part.starts_with(operator));
        let version = operator.and_then(|operator| part.strip_prefix(operator));
        let wildcard = matches!(operator, Some("==" | "!="));
        let bare = version.map(|version| match version.strip_suffix(".*") {
            Some(bare) if wildcard => bare,
            _ => version,
        });
        if !bare.is_some_and(is_python_version) {
            return Err(place.refuse(format!(
                "`{}` is no version: write one as in `@1.2.3`, `==1.2.3`, `@latest` or `>=1,<2`",
                show(part)
            )));
        }
    }
    match text.strip_prefix("==") {
        Some(version) if is_python_version(version) => Ok(version.to_owned()),
        _ => Ok(text.to_owned()),
    }
}

/// The requirement that uvx takes behind `--from` and `--with`.
pub(super) fn requirement(package: &Package) -> String {
    let mut out = python_base(package);
    match package.version.as_deref() {
        None => {}
        Some("latest") => out.push_str("@latest"),
        Some(version) if is_range(version) => out.push_str(version),
        Some(version) => {
            out.push_str("==");
            out.push_str(version);
        }
    }
    out
}

/// A package as a launch URI has it; `==1.2.3` is written `@1.2.3`.
pub(super) fn text(package: &Package) -> String {
    let mut out = python_base(package);
    if let Some(version) = &package.version {
        if !is_range(version) {
            out.push('@');
        }
        out.push_str(version);
    }
    out
}

/// A package of npm as a launch URI and npx have it.
pub(super) fn npm_text(package: &Package) -> String {
    match &package.version {
        Some(version) => format!("{}@{version}", package.name),
        None => package.name.clone(),
    }
}

fn python_base(package: &Package) -> String {
    match package.extras.as_slice() {
        [] => package.name.clone(),
        extras => format!("{}[{}]", package.name, extras.join(",")),
    }
}

/// Whether the version of a Python package is a range.
pub(super) fn is_range(version: &str) -> bool {
    version.starts_with(['=', '!', '<', '>', '~'])
}

/// Whether a version of a Python package can be only one.
pub(super) fn is_exact_python(version: &str) -> bool {
    is_python_version(version)
}

/// What stands in front of the query of `mcp+npx`, or behind `with=`: `name`, `@scope/name`, then `@version`;
/// what follows the next slash is left.
pub(super) fn npm(text: &str, place: Place) -> Result<(Package, Option<&str>), Error> {
    option_like(text, "package", place)?;
    let refuse = || {
        place.refuse(format!(
            "`{}` is no npm package; anything else that npx takes, such as the URL of a repository, is \
             `mcp+exec://npx?command=-y&command=…`",
            show(text)
        ))
    };
    let scope_ends = match text.strip_prefix('@') {
        Some(rest) => text.len() - rest.len() + rest.find('/').ok_or_else(refuse)? + 1,
        None => 0,
    };
    let (scope, rest) = text.split_at(scope_ends);
    let (own, command) = match rest.split_once('/') {
        Some((own, command)) => (own, Some(command)),
        None => (rest, None),
    };
    let (name, version) = match own.split_once('@') {
        Some((name, version)) => (name, Some(version)),
        None => (own, None),
    };
    let scope_name = scope.trim_start_matches('@').trim_end_matches('/');
    if !is_npm_name(name) || (!scope.is_empty() && !is_npm_name(scope_name)) {
        return Err(refuse());
    }
    if let Some(version) = version.filter(|version| !is_npm_version(version)) {
        return Err(place.refuse(format!(
            "`{}` is no version or tag of npm: write one as in `@1.2.3`, `@^1.2` or `@latest`",
            show(version)
        )));
    }
    not_a_file(name, place)?;
    not_a_file(version.unwrap_or_default(), place)?;
    let package = Package {
        name: format!("{scope}{name}"),
        extras: Vec::new(),
        version: version.map(str::to_owned),
    };
    Ok((package, command))
}

fn is_npm_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte))
}

fn is_npm_version(version: &str) -> bool {
    let bare = version.strip_prefix(['^', '~']).unwrap_or(version);
    version == "*"
        || (bare.starts_with(|c: char| c.is_ascii_alphanumeric())
            && bare
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b".+_-*".contains(&byte)))
}

/// Whether a version of npm can be only one.
pub(super) fn is_exact_npm(version: &str) -> bool {
    let core = version.split(['-', '+']).next().unwrap_or_default();
    let numbers: Vec<&str> = core.split('.').collect();
    let is_number =
        |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    numbers.len() == 3 && numbers.iter().all(is_number)
}

/// The name of a command in a package. npx gives it to a shell, so it has nothing that a shell would read.
pub(super) fn command(text: &str, place: Place) -> Result<String, Error> {
    option_like(text, "command", place)?;
    let starts = text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if starts && text.bytes().all(is_part) {
        return Ok(text.to_owned());
    }
    Err(place.refuse(format!(
        "`{}` is no name of a command; further words are `command=…`, each its own",
        show(text)
    )))
}

/// An image: `name`, `registry/name`, then `:tag` and `@digest`.
pub(super) fn image(text: &str, place: Place) -> Result<Image, Error> {
    option_like(text, "image", place)?;
    let refuse = || {
        place.refuse(format!(
            "`{}` is no image: write one as in `mcp/fetch`, `ghcr.io/owner/name:tag` or `name@sha256:…`",
            show(text)
        ))
    };
    let (rest, digest) = match text.split_once('@') {
        Some((rest, digest)) => (rest, Some(digest)),
        None => (text, None),
    };
    let last = rest.rfind('/').map_or(0, |slash| slash + 1);
    let (name, tag) = match rest[last..].find(':') {
        Some(colon) => (&rest[..last + colon], Some(&rest[last + colon + 1..])),
        None => (rest, None),
    };
    let is_good =
        is_image_name(name) && tag.is_none_or(is_image_tag) && digest.is_none_or(is_image_digest);
    if !is_good {
        return Err(refuse());
    }
    Ok(Image {
        name: name.to_owned(),
        tag: tag.map(str::to_owned),
        digest: digest.map(str::to_owned),
    })
}

fn is_image_name(name: &str) -> bool {
    let path = match name.split_once('/') {
        Some((domain, path)) if is_domain(domain) => path,
        _ => name,
    };
    name.len() <= 255 && path.split('/').all(is_image_part)
}

/// Whether the first part of an image's name is a registry.
fn is_domain(part: &str) -> bool {
    let (host, port) = match part.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (part, None),
    };
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let looks =
        part.contains(['.', ':']) || part == "localhost" || part.contains(char::is_uppercase);
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let is_address = host
        .strip_prefix('[')
        .and_then(|inside| inside.strip_suffix(']'))
        .is_some_and(|inside| {
            !inside.is_empty()
                && inside
                    .bytes()
                    .all(|byte| byte.is_ascii_hexdigit() || byte == b':')
        });
    looks && port.is_none_or(is_port) && (is_address || host.split('.').all(is_label))
}

/// Lower-case letters and digits, with `.`, `_`, `__` or any number of `-` between them.
fn is_image_part(part: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let mut between = part.split(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
    part.bytes().next().is_some_and(is_word)
        && part.bytes().last().is_some_and(is_word)
        && between.all(|between| {
            matches!(between, "" | "." | "_" | "__") || between.bytes().all(|byte| byte == b'-')
        })
}

fn is_image_tag(tag: &str) -> bool {
    (1..=128).contains(&tag.len())
        && !tag.starts_with(['.', '-'])
        && tag
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte))
}

/// `sha256:` and 64 digits, or another algorithm with at least 32.
fn is_image_digest(digest: &str) -> bool {
    let Some((algorithm, digits)) = digest.split_once(':') else {
        return false;
    };
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let is_word = algorithm.starts_with(|c: char| c.is_ascii_alphabetic())
        && algorithm
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+._-".contains(&byte));
    let length = if algorithm == "sha256" {
        digits.len() == 64
    } else {
        digits.len() >= 32
    };
    is_word && length && digits.bytes().all(is_digit)
}

/// Refuses what a launcher would take for a file of the current folder (LAUNCH-16).
fn not_a_file(text: &str, place: Place) -> Result<(), Error> {
    const ENDINGS: [&str; 10] = [
        ".whl", ".zip", ".tar", ".tgz", ".gz", ".bz2", ".xz", ".zst", ".txt", ".toml",
    ];
    let text = text.to_ascii_lowercase();
    if ENDINGS.iter().any(|ending| text.ends_with(ending)) {
        return Err(place.refuse(format!(
            "`{}` is taken for a file: a package of a registry has a name and a version",
            show(&text)
        )));
    }
    Ok(())
}

/// Refuses what a launcher would take for an option (LAUNCH-8), and nothing at all.
pub(super) fn option_like(text: &str, what: &str, place: Place) -> Result<(), Error> {
    if text.is_empty() {
        return Err(place.refuse(format!("there is no {what}: name one")));
    }
    if text.starts_with('-') {
        return Err(place.refuse(format!(
            "`{}` looks like an option, not like a {what}; words for the command itself are `command=…`",
            show(text)
        )));
    }
    Ok(())
}
