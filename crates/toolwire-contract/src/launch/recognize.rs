//! The launch that a command stands for, in whatever way its launcher's options are written.

use super::package::{self, is_short, split};
use super::path::{Leads, has_drive, in_target, is_relative, is_windows, read};
use super::{Launch, Launcher};
use crate::lock::Launched;

impl Launch {
    /// The launch of a command, without variables and folder: by the launcher whose [`Launch::command`] gives
    /// exactly these words again, and otherwise as a program of its own. Only the path of a program, with a drive or
    /// a share, is written anew, with slashes. `None` without words.
    ///
    /// ```
    /// use toolwire_contract::launch::{Launch, format_launch_uri};
    ///
    /// let of = |words: &[&str]| {
    ///     let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    ///     format_launch_uri(&Launch::from_command(&words).unwrap())
    /// };
    /// assert_eq!(of(&["uvx", "--with", "mcp<2", "clock", "-v"])?, "mcp+uvx://clock?command=-v&with=mcp%3C2");
    /// assert_eq!(of(&["npx", "-y", "@a/b@1.0.0"])?, "mcp+npx://@a/b@1.0.0");
    /// assert_eq!(of(&["uv", "run", "server"])?, "mcp+exec://uv?command=run&command=server");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn from_command(words: &[String]) -> Option<Launch> {
        let known = recognize(words).filter(|launch| launch.command().as_deref() == Some(words));
        known.or_else(|| of_program(words))
    }
}

impl Launched {
    /// The facts of a command that a person or a file gave, in whatever way it is written. `None` without
    /// words.
    ///
    /// ```
    /// use toolwire_contract::lock::Launched;
    ///
    /// let of = |command: &str| {
    ///     let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
    ///     Launched::of_command(&words).unwrap().safety()
    /// };
    /// assert_eq!(of("npx --yes -p @a/b@1.0.0 c -v"), of("npx -y --package=@a/b c"));
    /// assert_eq!(of("uvx --python 3.12 a@1.0"), of("uv tool run a"));
    /// assert_eq!(of("uvx --index-url X a").as_str(), r#"{"launcher":"exec","program":"uvx","transport":"stdio"}"#);
    /// ```
    #[must_use]
    pub fn of_command(words: &[String]) -> Option<Launched> {
        let launch = recognize(words).or_else(|| of_program(words));
        launch.map(|launch| launch.facts())
    }
}

/// The command that asks the launcher of `words` which version of a package it has started: an interpreter
/// in the environment that the launcher made for the package, which reads a program on stdin and gets the name of the
/// package. The launcher's own options stay, and it is told not to use the network. `None` for a command that neither
/// uvx nor npx starts.
///
/// The name is followed by `--installed` where npx would have started a package that is installed on the machine
/// itself.
///
/// ```
/// use toolwire_contract::launch::version_probe;
///
/// let of = |command: &str| {
///     let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
///     version_probe(&words).unwrap_or_default().join(" ")
/// };
/// assert_eq!(
///     of("uvx --python 3.12 Some_Server@1.2 --zone UTC"),
///     "uvx --python 3.12 --offline --from Some_Server@1.2 python -I - some-server"
/// );
/// assert_eq!(of("npx -y @a/b c"), "npx -y --offline --package=@a/b node - @a/b --installed");
/// assert_eq!(of("python server.py"), "");
/// ```
#[must_use]
pub fn version_probe(words: &[String]) -> Option<Vec<String>> {
    let all: Vec<&str> = words.iter().map(String::as_str).collect();
    let (launcher, own) = launcher(&all)?;
    let (before, rest) = all.split_at(own);
    let name = recognize(words)?.facts().package?;
    let options = Options::read(launcher, rest)?;
    let alone = options.packages.is_empty();
    let first = options.rest.first().filter(|_| alone);
    let mut packages = options.packages.iter().chain(first);
    let mut out: Vec<String> = before
        .iter()
        .chain(&options.kept)
        .map(|word| (*word).to_owned())
        .collect();
    let mut add = |words: &[&str]| out.extend(words.iter().map(|word| (*word).to_owned()));
    add(&["--offline"]);
    if launcher == Launcher::Uvx {
        add(&["--from", packages.next()?, "python", "-I", "-", &name]);
        return Some(out);
    }
    packages.for_each(|package| add(&[&format!("--package={package}")]));
    // Unlike npx, npm reads options also behind the first word that is none.
    add(if before.len() > 1 { &["--"] } else { &[] });
    add(&["node", "-", &name]);
    add(if alone { &["--installed"] } else { &[] });
    Some(out)
}

/// What launches a command, and how many of its words say that.
fn launcher(words: &[&str]) -> Option<(Launcher, usize)> {
    let (program, rest) = words.split_first()?;
    Some(match (base(program).as_str(), rest) {
        ("uvx", _) => (Launcher::Uvx, 1),
        ("uv", ["tool", "run", ..]) => (Launcher::Uvx, 3),
        ("npx", _) => (Launcher::Npx, 1),
        ("npm", ["exec" | "x", ..]) => (Launcher::Npx, 2),
        ("docker", ["run", ..]) => (Launcher::Docker, 2),
        ("docker", ["container", "run", ..]) => (Launcher::Docker, 3),
        ("node", _) => (Launcher::Node, 1),
        (name, _) => {
            let version = name.strip_prefix("python")?;
            let is_number = version
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'.');
            is_number.then_some((Launcher::Python, 1))?
        }
    })
}

/// The name of a program without its folder, and without the ending of Windows.
fn base(program: &str) -> String {
    let name = program
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let endings = [".exe", ".cmd", ".bat"];
    let bare = endings.iter().find_map(|ending| name.strip_suffix(ending));
    bare.unwrap_or(&name).to_owned()
}

/// The launch that starts the same package, image or file. `None` if there is an option that may change what is
/// started, or one that is unknown.
fn recognize(words: &[String]) -> Option<Launch> {
    let all: Vec<&str> = words.iter().map(String::as_str).collect();
    let (launcher, own) = launcher(&all)?;
    let rest = &all[own..];
    let (mut command, mut with, mut env) = (None, Vec::new(), Vec::new());
    let (target, rest) = match launcher {
        Launcher::Uvx | Launcher::Npx => {
            let options = Options::read(launcher, rest)?;
            let (first, rest) = options.rest.split_first()?;
            let read = |text: &&str| package::read(launcher, text).ok();
            let mut packages = options.packages.iter();
            let target = match packages.next() {
                None => read(first)?,
                Some(package) => {
                    let target = read(package)?;
                    let name = package::command(first).ok()?;
                    // Where uvx would not take the package alone, its command has its name unless another is given.
                    let usual = launcher == Launcher::Uvx && !is_short(&target);
                    command =
                        Some(name).filter(|name| !usual || name != split(launcher, &target).0);
                    target
                }
            };
            with = options
                .with
                .iter()
                .chain(packages)
                .map(read)
                .collect::<Option<_>>()?;
            (target, rest)
        }
        Launcher::Docker => {
            let (first, rest) = behind_options(rest, &mut env)?;
            (package::read(launcher, first).ok()?, rest)
        }
        _ => {
            let (file, rest) = rest
                .split_first()
                .filter(|(file, _)| !file.starts_with('-'))?;
            let file = file.replace('\\', "/");
            let is_rooted = file.starts_with('/') || has_drive(&file) || is_relative(&file);
            let root = if is_rooted { "" } else { "./" };
            let file = in_target(&format!("{root}{file}"));
            (read(&file, Leads::ToFile).ok()?, rest)
        }
    };
    let words = rest.iter().map(|word| (*word).to_owned());
    Some(Launch {
        command,
        with,
        words: words.collect(),
        env,
        ..Launch::new(launcher, target)
    })
}

/// Any command, as a program of its own.
fn of_program(words: &[String]) -> Option<Launch> {
    let (first, rest) = words.split_first()?;
    let program = match is_windows(first) {
        true => first.replace('\\', "/"),
        false => first.clone(),
    };
    Some(Launch {
        words: rest.to_vec(),
        ..Launch::new(Launcher::Exec, program)
    })
}

/// The options of `uvx` or `npx`, none of which changes which package is started.
#[derive(Default)]
struct Options<'w> {
    /// All of them but packages, as they are.
    kept: Vec<&'w str>,
    packages: Vec<&'w str>,
    with: Vec<&'w str>,
    /// What stands behind them: the command.
    rest: &'w [&'w str],
}

/// The options that one of them has, with blanks between: flags, those with a value, those with the package, and those
/// with further ones.
type Known = [&'static str; 4];

const OF_UVX: Known = [
    "-q --quiet -v --verbose -n --no-cache -U --upgrade --isolated --offline --refresh --no-progress --no-config \
     --native-tls",
    "-p --python --color --cache-dir",
    "--from",
    "--with -w",
];

const OF_NPX: Known = [
    "-y --yes -q --quiet --offline --prefer-offline --prefer-online",
    "",
    "--package -p",
    "",
];

/// The options of `docker run` that have no value.
const OF_DOCKER: &str = "--detach --disable-content-trust --init --interactive --no-healthcheck --oom-kill-disable \
                         --privileged --publish-all --quiet --read-only --rm --sig-proxy --tty";

fn has(options: &str, word: &str) -> bool {
    options.split(' ').any(|option| option == word)
}

impl<'w> Options<'w> {
    fn read(launcher: Launcher, words: &'w [&'w str]) -> Option<Options<'w>> {
        let [flags, values, packages, with] = match launcher {
            Launcher::Uvx => OF_UVX,
            Launcher::Npx => OF_NPX,
            _ => return None,
        };
        let mut out = Options::default();
        let mut rest = words;
        while let [word, more @ ..] = rest
            && word.starts_with('-')
        {
            let begin = rest;
            rest = more;
            if *word == "--" {
                break;
            }
            if let Some(package) = value(word, packages, &mut rest) {
                out.packages.push(package);
                continue;
            }
            if let Some(package) = value(word, with, &mut rest) {
                out.with.push(package);
            } else if !has(flags, word) && value(word, values, &mut rest).is_none() {
                return None;
            }
            out.kept.extend(&begin[..begin.len() - rest.len()]);
        }
        out.rest = rest;
        Some(out)
    }
}

/// An option's value, in the same word or the next.
fn value<'w>(word: &'w str, names: &str, rest: &mut &[&'w str]) -> Option<&'w str> {
    let (name, value) = word
        .split_once('=')
        .map_or((word, None), |(name, value)| (name, Some(value)));
    if !has(names, name) {
        return None;
    }
    if value.is_some() {
        return value;
    }
    let (value, more) = rest.split_first()?;
    *rest = more;
    Some(value)
}

/// The image of a container, whatever it is given: the first word that belongs to no option. `env` gets what stands
/// behind `-e`.
fn behind_options<'w>(
    mut rest: &'w [&'w str],
    env: &mut Vec<String>,
) -> Option<(&'w &'w str, &'w [&'w str])> {
    while let [word, more @ ..] = rest
        && let Some(option) = word.strip_prefix('-')
    {
        rest = more;
        // `-it` is two options, `-eNAME` one with its value.
        let has_next = match option.strip_prefix('-') {
            Some(_) => !word.contains('=') && !has(OF_DOCKER, word),
            None => option.len() == 1 && !"ditPq".contains(option),
        };
        if has_next {
            let (value, more) = rest.split_first()?;
            env.extend((option == "e").then(|| (*value).to_owned()));
            rest = more;
        }
    }
    rest.split_first()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_of_the_launcher_stay() {
        for (command, asked) in [
            ("uvx a", "uvx --offline --from a python -I - a"),
            (
                "/opt/uvx -q -w=rich --with x -U --from A.b[c]>=1 cmd --from z",
                "/opt/uvx -q -w=rich --with x -U --offline --from A.b[c]>=1 python -I - a-b",
            ),
            (
                "uv tool run --python=3.12 a@latest",
                "uv tool run --python=3.12 --offline --from a@latest python -I - a",
            ),
            (
                "npx -y a@^1 -p z",
                "npx -y --offline --package=a@^1 node - a --installed",
            ),
            (
                "npx -p @a/b@1.0.0 --package=c d -v",
                "npx --offline --package=@a/b@1.0.0 --package=c node - @a/b",
            ),
            (
                "npm exec --yes -- a -v",
                "npm exec --yes --offline --package=a -- node - a --installed",
            ),
            (
                "uvx --from a@1.2 b",
                "uvx --offline --from a@1.2 python -I - a",
            ),
            ("uvx --from a@git b", ""),
            ("uvx --index-url x a", ""),
            ("uvx --from git+https://h/a a", ""),
            ("npx -c a", ""),
            ("docker run -i --rm a", ""),
            ("uv run a", ""),
            ("./uvx.sh a", ""),
            ("uvx", ""),
        ] {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            let found = version_probe(&words).unwrap_or_default().join(" ");
            assert_eq!(found, asked, "{command}");
        }
        assert_eq!(version_probe(&[]), None);
    }
}
