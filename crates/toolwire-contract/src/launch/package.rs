//! Packages, images and commands: characters that no launcher and no shell takes for something else, and where the
//! version begins (LAUNCH-10 to LAUNCH-16).

use super::Launcher;
use super::refusal::show;

/// What the bounds of a range of Python versions begin with.
const OPERATORS: [char; 5] = ['=', '!', '<', '>', '~'];

/// Files that a launcher would take from the folder in which it starts (LAUNCH-16).
const FILES: [&str; 10] = [
    ".whl", ".zip", ".tar", ".tgz", ".gz", ".bz2", ".xz", ".zst", ".txt", ".toml",
];

/// The package and the command of a target.
pub(super) fn split_command(target: &str) -> (&str, Option<&str>) {
    let scope = match target.starts_with('@') {
        true => target.find('/').map_or(target.len(), |slash| slash + 1),
        false => 0,
    };
    match target[scope..].split_once('/') {
        Some((package, command)) => (&target[..scope + package.len()], Some(command)),
        None => (target, None),
    }
}

/// The name of a package or an image, and its version, range, tag or digest.
pub(super) fn split(launcher: Launcher, text: &str) -> (&str, Option<&str>) {
    let end = match launcher {
        Launcher::Uvx => text.find(|c: char| !c.is_ascii_alphanumeric() && !"-_.".contains(c)),
        Launcher::Npx => text.rfind('@').filter(|at| *at > 0),
        _ => {
            let image = text.split('@').next().unwrap_or_default();
            let last = image.rfind('/').unwrap_or_default();
            let tag = image[last..].find(':').map(|colon| last + colon);
            Some(tag.unwrap_or(image.len()))
        }
    };
    let (name, rest) = text.split_at(end.unwrap_or(text.len()));
    let rest = rest.rsplit(']').next().unwrap_or_default();
    let version = rest.strip_prefix(['@', ':']).unwrap_or(rest);
    (name, Some(version).filter(|version| !version.is_empty()))
}

/// Whether a version can be only one.
pub(super) fn is_exact(launcher: Launcher, version: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    match launcher {
        Launcher::Uvx => version != "latest" && !version.starts_with(OPERATORS),
        Launcher::Npx => {
            let core = version.split(['-', '+']).next().unwrap_or_default();
            core.split('.').count() == 3 && core.split('.').all(is_number)
        }
        // Only a digest has a colon.
        _ => version.contains(':'),
    }
}

/// Whether uvx takes a package without `--from`.
pub(super) fn is_short(package: &str) -> bool {
    let (name, _) = split(Launcher::Uvx, package);
    matches!(package.as_bytes().get(name.len()), None | Some(b'@'))
}

/// The requirement that uvx takes behind `--from` and `--with`.
pub(super) fn requirement(package: &str) -> String {
    match package.split_once('@') {
        Some((name, version)) if version != "latest" => format!("{name}=={version}"),
        _ => package.to_owned(),
    }
}

/// Checks a package or an image, and writes it in the one form that a launch has.
pub(super) fn read(launcher: Launcher, text: &str) -> Result<String, String> {
    if launcher == Launcher::Docker {
        option_like(text, "image")?;
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:/@[]".contains(&byte);
        return match text.bytes().all(is_part) && !split(launcher, text).0.is_empty() {
            true => Ok(text.to_owned()),
            false => Err(format!(
                "`{}` is no image: write one as in `mcp/fetch`, `ghcr.io/owner/name:tag` or `name@sha256:…`",
                show(text)
            )),
        };
    }
    option_like(text, "package")?;
    // `==1.2.3` alone is that version.
    let text = match text.split_once("==") {
        Some((base, version))
            if launcher == Launcher::Uvx && !base.contains(OPERATORS) && is_number(version) =>
        {
            format!("{base}@{version}")
        }
        _ => text.to_owned(),
    };
    let (name, version) = split(launcher, &text);
    let rest = &text[name.len()..];
    let (extras, rest) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((extras, rest)) if launcher == Launcher::Uvx => (Some(extras), rest),
        _ => (None, rest),
    };
    let is_name = match name.strip_prefix('@').and_then(|name| name.split_once('/')) {
        Some((scope, name)) => is_word(scope) && is_word(name),
        None => is_word(name),
    };
    let is_version = match (launcher, rest.strip_prefix('@')) {
        (_, None) if rest.is_empty() => true,
        (Launcher::Npx, Some(version)) => {
            is_version(version.strip_prefix(['^', '~']).unwrap_or(version))
        }
        (_, Some(version)) => version == "latest" || is_number(version),
        (_, None) => rest.split(',').all(|bound| {
            bound.starts_with(OPERATORS) && is_version(bound.trim_start_matches(OPERATORS))
        }),
    };
    if !is_name || !is_version || !extras.is_none_or(|extras| extras.split(',').all(is_word)) {
        let exec = match launcher {
            Launcher::Uvx => "mcp+exec://uvx?command=--from&command=…",
            _ => "mcp+exec://npx?command=-y&command=…",
        };
        return Err(format!(
            "`{}` is no package: write its name, and a version as in `@1.2.3`, `@latest`, `>=1,<2` (uvx) or `@^1.2` \
             (npx); anything else that the launcher takes, such as the URL of a repository, is `{exec}`",
            show(&text)
        ));
    }
    let is_file = |text: &str| {
        FILES
            .iter()
            .any(|end| text.to_ascii_lowercase().ends_with(end))
    };
    if is_file(name) || version.is_some_and(is_file) {
        return Err(format!(
            "`{}` is taken for a file: a package of a registry has a name and a version",
            show(&text)
        ));
    }
    if launcher == Launcher::Uvx && is_interpreter(name) {
        return Err(format!(
            "uvx takes `{name}` for an interpreter: write `mcp+python://./file.py`"
        ));
    }
    Ok(text)
}

/// A letter or digit, and then also `-`, `_`, `.` and `~`.
fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte))
}

/// What can stand behind the operator of a version.
fn is_version(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '*')
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b".+!_-*".contains(&byte))
}

/// A version that uvx does not take for the path of a folder.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('v').unwrap_or(text);
    digits.starts_with(|c: char| c.is_ascii_digit()) && is_version(text) && !text.contains('*')
}

/// The names that `uvx --from` takes for interpreters of Python, as in `python3.12`.
fn is_interpreter(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let word = name.trim_end_matches(|c: char| c.is_ascii_digit() || ".t".contains(c));
    ["python", "pythonw", "cpython", "pypy", "graalpy", "pyodide"].contains(&word)
}

/// The name of a command in a package. npx gives it to a shell, so it has nothing that a shell would read.
pub(super) fn command(text: &str) -> Result<String, String> {
    option_like(text, "command")?;
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    match text.bytes().all(is_part) && !text.starts_with('.') {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "`{}` is no name of a command; further words are `command=…`, each its own",
            show(text)
        )),
    }
}

/// Refuses what a launcher would take for an option (LAUNCH-8), and nothing at all.
pub(super) fn option_like(text: &str, what: &str) -> Result<(), String> {
    if text.is_empty() {
        return Err(format!("there is no {what}: name one"));
    }
    if text.starts_with('-') {
        return Err(format!(
            "`{}` looks like an option, not like a {what}; words for the command itself are `command=…`",
            show(text)
        ));
    }
    Ok(())
}
