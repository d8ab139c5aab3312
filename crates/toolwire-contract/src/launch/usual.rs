//! A command as its launcher's scheme would give it, for facts about commands that people wrote (LAUNCH-83).

use super::path::{has_drive, is_relative};

/// The words of a command that starts the same package, image or file, in the form of LAUNCH-30. Nothing if there
/// is an option that may change what is started, or one that is unknown.
pub(super) fn usual(words: &[String]) -> Option<Vec<String>> {
    let (program, rest) = words.split_first()?;
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    match (base(program).as_str(), &rest[..]) {
        ("uvx", rest) | ("uv", ["tool", "run", rest @ ..]) => uvx(rest),
        ("npx", rest) | ("npm", ["exec" | "x", rest @ ..]) => npx(rest),
        ("docker", ["run", rest @ ..] | ["container", "run", rest @ ..]) => docker(rest),
        ("node", [file, ..]) => script("node", file),
        (python, [file, ..]) if is_python(python) => script("python", file),
        _ => None,
    }
}

/// The name of a program without its folder, and without the ending of Windows.
fn base(program: &str) -> String {
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = name.to_ascii_lowercase();
    let endings = [".exe", ".cmd", ".bat"];
    let bare = endings.iter().find_map(|ending| name.strip_suffix(ending));
    bare.map_or_else(|| name.clone(), str::to_owned)
}

fn is_python(name: &str) -> bool {
    let version = name.strip_prefix("python");
    version.is_some_and(|version| {
        version
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.')
    })
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// An option's value, in the same word or the next.
fn value<'w>(word: &'w str, names: &[&str], rest: &mut &[&'w str]) -> Option<&'w str> {
    for name in names {
        let after = word.strip_prefix(name);
        if let Some(value) = after.and_then(|after| after.strip_prefix('=')) {
            return Some(value);
        }
        if after == Some("") {
            let (value, more) = rest.split_first()?;
            *rest = more;
            return Some(value);
        }
    }
    None
}

/// The launcher's own words, and what it is given.
pub(super) fn place(words: &[String]) -> Option<(&[String], Vec<&str>)> {
    let program = base(words.first()?);
    let own = match program.as_str() {
        "uvx" | "npx" => 1,
        "uv" => 3,
        "npm" => 2,
        _ => return None,
    };
    let (before, rest) = words.split_at_checked(own)?;
    Some((before, rest.iter().map(String::as_str).collect()))
}

/// The options of `uvx`, none of which changes which package is started.
pub(super) struct UvxOptions<'w> {
    /// All of them but `--from`, as they are.
    pub(super) kept: Vec<&'w str>,
    pub(super) with: Vec<&'w str>,
    pub(super) from: Option<&'w str>,
    /// What stands behind them: the command.
    pub(super) rest: &'w [&'w str],
}

pub(super) fn uvx_options<'w>(all: &'w [&'w str]) -> Option<UvxOptions<'w>> {
    const NEUTRAL: [&str; 14] = [
        "-q",
        "--quiet",
        "-v",
        "--verbose",
        "-n",
        "--no-cache",
        "-U",
        "--upgrade",
        "--isolated",
        "--offline",
        "--refresh",
        "--no-progress",
        "--no-config",
        "--native-tls",
    ];
    const WITH_VALUE: [&str; 4] = ["-p", "--python", "--color", "--cache-dir"];
    let (mut kept, mut with, mut from) = (Vec::new(), Vec::new(), None);
    let mut rest = all;
    while let [word, more @ ..] = rest {
        if !word.starts_with('-') {
            break;
        }
        let begin = rest;
        rest = more;
        if let Some(package) = value(word, &["--from"], &mut rest) {
            from = Some(package);
            continue;
        }
        if let Some(package) = value(word, &["--with", "-w"], &mut rest) {
            with.push(package);
        } else if !NEUTRAL.contains(word) && value(word, &WITH_VALUE, &mut rest).is_none() {
            return None;
        }
        kept.extend(&begin[..begin.len() - rest.len()]);
    }
    Some(UvxOptions {
        kept,
        with,
        from,
        rest,
    })
}

fn uvx(rest: &[&str]) -> Option<Vec<String>> {
    let options = uvx_options(rest)?;
    let mut out = owned(&["uvx"]);
    for package in options.with {
        out.extend(owned(&["--with", package]));
    }
    let command = options.rest.first()?;
    match options.from {
        Some(from) => out.extend(owned(&["--from", &requirement(from), command])),
        None => out.push((*command).to_owned()),
    }
    Some(out)
}

/// A package behind `--from` with `==` before its version, where it has `@`.
fn requirement(from: &str) -> String {
    match from.split_once('@') {
        Some((name, version)) if version != "latest" && !name.contains([' ', ':']) => {
            format!("{name}=={version}")
        }
        _ => from.to_owned(),
    }
}

/// The options of `npx`, none of which changes which package is started.
pub(super) struct NpxOptions<'w> {
    /// All of them but packages, as they are.
    pub(super) kept: Vec<&'w str>,
    pub(super) packages: Vec<&'w str>,
    /// What stands behind them: the command.
    pub(super) rest: &'w [&'w str],
}

pub(super) fn npx_options<'w>(all: &'w [&'w str]) -> Option<NpxOptions<'w>> {
    const NEUTRAL: [&str; 7] = [
        "-y",
        "--yes",
        "-q",
        "--quiet",
        "--offline",
        "--prefer-offline",
        "--prefer-online",
    ];
    let (mut kept, mut packages) = (Vec::new(), Vec::new());
    let mut rest = all;
    while let [word, more @ ..] = rest {
        if !word.starts_with('-') {
            break;
        }
        rest = more;
        if *word == "--" {
            break;
        }
        if let Some(package) = value(word, &["--package", "-p"], &mut rest) {
            packages.push(package);
        } else if NEUTRAL.contains(word) {
            kept.push(*word);
        } else {
            return None;
        }
    }
    Some(NpxOptions {
        kept,
        packages,
        rest,
    })
}

fn npx(rest: &[&str]) -> Option<Vec<String>> {
    let options = npx_options(rest)?;
    let mut out = owned(&["npx", "-y"]);
    for package in options.packages {
        out.push(format!("--package={package}"));
    }
    out.push((*options.rest.first()?).to_owned());
    Some(out)
}

/// Whatever a container is given, its image is the first word that belongs to no option.
fn docker(mut rest: &[&str]) -> Option<Vec<String>> {
    const ALONE: [&str; 13] = [
        "--detach",
        "--disable-content-trust",
        "--init",
        "--interactive",
        "--no-healthcheck",
        "--oom-kill-disable",
        "--privileged",
        "--publish-all",
        "--quiet",
        "--read-only",
        "--rm",
        "--sig-proxy",
        "--tty",
    ];
    while let [word, more @ ..] = rest {
        let Some(option) = word.strip_prefix('-') else {
            break;
        };
        rest = more;
        // `-it` is two options, `-eNAME` one with its value.
        let has_next = match option.strip_prefix('-') {
            Some(_) => !word.contains('=') && !ALONE.contains(word),
            None => option.len() == 1 && !"ditPq".contains(option),
        };
        if has_next {
            rest = rest.get(1..)?;
        }
    }
    Some(owned(&["docker", "run", "-i", "--rm", rest.first()?]))
}

/// A file that an interpreter runs.
fn script(interpreter: &str, file: &str) -> Option<Vec<String>> {
    if file.starts_with('-') {
        return None;
    }
    let file = file.replace('\\', "/");
    let is_rooted = file.starts_with('/') || has_drive(&file) || is_relative(&file);
    let file = if is_rooted { file } else { format!("./{file}") };
    Some(vec![interpreter.to_owned(), file])
}
