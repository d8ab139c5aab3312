//! How a launcher is asked which version of a package it has started (LOCK-16).

use super::LaunchFacts;
use super::usual::{npx_options, place, uvx_options};

/// The command that asks the launcher of `words` what it has started: an interpreter in the environment that the
/// launcher made for the package, which reads a program on stdin and gets the name of the package. The launcher's own
/// options stay, and it is told not to use the network. Nothing for a command that neither uvx nor npx starts.
///
/// The name is followed by `--installed` where npx would have started a package that is installed on the machine
/// itself.
///
/// ```
/// use toolwire_contract::launch::asking;
///
/// let of = |command: &str| {
///     let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
///     asking(&words).unwrap_or_default().join(" ")
/// };
/// assert_eq!(
///     of("uvx --python 3.12 Some_Server@1.2 --zone UTC"),
///     "uvx --python 3.12 --offline --from Some_Server@1.2 python -I - some-server"
/// );
/// assert_eq!(of("npx -y @a/b c"), "npx -y --offline --package=@a/b node - @a/b --installed");
/// assert_eq!(of("python server.py"), "");
/// ```
#[must_use]
pub fn asking(words: &[String]) -> Option<Vec<String>> {
    let facts = LaunchFacts::of_command(words)?;
    let package = facts.package?;
    let (before, rest) = place(words)?;
    let own = |text: &str| text.to_owned();
    let mut out: Vec<String> = before.to_vec();
    match facts.launcher {
        Some("uvx") => {
            let options = uvx_options(&rest)?;
            out.extend(options.kept.into_iter().map(own));
            let from = options.from.or(options.rest.first().copied())?;
            out.extend(["--offline", "--from", from].map(own));
            out.extend(["python", "-I", "-", &package].map(own));
        }
        Some("npx") => {
            let options = npx_options(&rest)?;
            out.extend(options.kept.into_iter().map(own));
            out.push(own("--offline"));
            let alone = options.packages.is_empty();
            let first = options.rest.first().copied();
            let packages = options.packages.into_iter().chain(first.filter(|_| alone));
            out.extend(packages.map(|package| format!("--package={package}")));
            // Unlike npx, npm reads options also behind the first word that is none.
            out.extend((before.len() > 1).then(|| own("--")));
            out.extend(["node", "-", &package].map(own));
            if alone {
                out.push(own("--installed"));
            }
        }
        _ => return None,
    }
    Some(out)
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
            let found = asking(&words).unwrap_or_default().join(" ");
            assert_eq!(found, asked, "{command}");
        }
        assert_eq!(asking(&[]), None);
    }
}
