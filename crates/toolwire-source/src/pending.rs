//! What a person has to agree to before a source is used.

use std::path::Path;

use toolwire_contract::lock::without_credentials;
use toolwire_host::clients::{Consent, Entry, Resolved, Target};

use crate::{Folder, SourceError, SourceErrorKind};

/// How the line about the folder begins, and how an empty one is called there.
pub(crate) const FOLDER: &str = "folder   ";
pub(crate) const EMPTY: &str = "an empty one";

/// A command that the user did not type, and that a person may have to agree to before it is started.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pending {
    /// Where it comes from, as in `` the launch URI `mcp+uvx://a` `` or `` `files` (/project/.mcp.json:3) ``.
    pub origin: String,
    /// All that a person has to see, a line for each part. The text is not ours: make it safe for a terminal.
    pub shown: Vec<String>,
    /// The same where nobody can be asked: without the values of variables and headers, and without credentials
    ///.
    pub told: Vec<String>,
    /// The command in one line, or the URL of a server that a file of the workspace names, without credentials
    ///.
    pub what: String,
    /// The word by which `toolwire trust --server` finds it, as a shell reads it.
    pub word: String,
    /// What is remembered of it.
    pub consent: Consent,
    /// Whether a program would be started.
    pub starts: bool,
    /// Whether it is a path or a URL, so that whoever types it agrees to it.
    pub is_word: bool,
}

impl Pending {
    /// What a server of a client's file waits for, if for anything.
    pub(crate) fn of_entry(
        entry: &Entry,
        resolved: &Resolved,
        folder: &Folder,
        word: String,
    ) -> Option<Pending> {
        let mut consent = entry.consent()?;
        if let Target::Program {
            command, arguments, ..
        } = &resolved.target
        {
            let words = std::iter::once(command).chain(arguments);
            let words: Vec<&str> = words.map(String::as_str).collect();
            consent = consent.for_program(command);
            consent = match folder {
                Folder::Empty => consent,
                Folder::Named(folder) => consent.within(folder),
                Folder::Current => {
                    let here = std::env::current_dir().unwrap_or_default();
                    match ignores_folder(&words, &here) {
                        true => consent,
                        false => consent.within(&here),
                    }
                }
            };
        }
        let (what, starts) = match &resolved.target {
            Target::Program { .. } => (entry_command(entry), true),
            Target::Url { url, .. } => (masked(std::slice::from_ref(url)), false),
        };
        let lines = |lines: Vec<String>| match folder {
            Folder::Empty => with_empty_folder(lines),
            _ => lines,
        };
        Some(Pending {
            origin: format!("`{}` ({})", entry.name, entry.place()),
            shown: lines(entry.shown()),
            told: lines(entry.told()),
            what,
            word,
            consent,
            starts,
            is_word: false,
        })
    }

    /// What a program or URL waits for that a file names by a word, such as a lock.
    pub(crate) fn of_word(whole: &str, starts: bool, word: &str) -> Pending {
        let part = if starts { "program " } else { "URL     " };
        let shown = |word: &str| vec![format!("{part} {}", toolwire::json::string(word))];
        let what = without_credentials(&[whole.to_owned()]).concat();
        Pending {
            origin: format!("a lock, which names `{word}`"),
            shown: shown(whole),
            told: shown(&what),
            word: quoted([&what]),
            consent: Consent::new(&what, ["word", whole]),
            what,
            starts,
            is_word: true,
        }
    }

    /// Why it is not used where nobody can be asked. `otherwise` says how else somebody can agree, as in
    /// ``or give `--yes` ``.
    #[must_use]
    pub fn refusal(&self, otherwise: &str) -> SourceError {
        let part = if self.starts { "command" } else { "URL" };
        let Pending {
            origin, what, word, ..
        } = self;
        let message = format!(
            "the {part} of {origin} was never agreed to here: `{what}`; run `toolwire trust --server {word}`, \
             {otherwise}"
        );
        SourceError::new(SourceErrorKind::Untrusted, message)
    }

    /// Whether somebody has agreed to it as it is.
    ///
    /// # Errors
    ///
    /// `System` if the list of agreements can't be read.
    pub fn is_agreed(&self) -> Result<bool, SourceError> {
        Ok(self.consent.is_given()?)
    }
}

/// The lines about an entry that does not start where its file says.
fn with_empty_folder(lines: Vec<String>) -> Vec<String> {
    let line = |line: String| match line.starts_with(FOLDER) {
        true => format!("{FOLDER}{EMPTY}"),
        false => line,
    };
    lines.into_iter().map(line).collect()
}

/// Programs that fetch what they start, and take nothing of the folder in which they start: neither packages nor
/// settings of a project.
const LOOK_ELSEWHERE: [&str; 3] = ["docker", "podman", "uvx"];

/// Whether nothing in the folder in which a command starts can decide what it runs. Of most programs nobody
/// can tell: `npx` reads `.npmrc`, `make` a `Makefile`, and Python takes a module from there first.
fn ignores_folder(words: &[&str], folder: &Path) -> bool {
    let Some((program, arguments)) = words.split_first() else {
        return false;
    };
    let name = Path::new(program)
        .file_stem()
        .and_then(|name| name.to_str());
    let known = name.is_some_and(|name| LOOK_ELSEWHERE.contains(&name));
    let is_relative = |word: &str| {
        let path = Path::new(word);
        path.is_relative() && path.components().count() > 1
    };
    let names_something = |word: &&str| {
        let value = match word.split_once('=') {
            Some((option, value)) if option.starts_with('-') => value,
            _ => word,
        };
        !value.is_empty() && Path::new(value).is_relative() && folder.join(value).exists()
    };
    known && !is_relative(program) && !arguments.iter().any(names_something)
}

/// A command as its file writes it, so that the values of variables are not told, and without credentials.
fn entry_command(entry: &Entry) -> String {
    match &entry.target {
        Target::Program {
            command, arguments, ..
        } => {
            let words: Vec<String> = std::iter::once(command).chain(arguments).cloned().collect();
            masked(&words)
        }
        Target::Url { url, .. } => masked(std::slice::from_ref(url)),
    }
}

/// Words as a shell reads them back, without the credentials in them.
pub(crate) fn masked(words: &[String]) -> String {
    quoted(&without_credentials(words))
}

/// Words as a shell reads them back.
pub(crate) fn quoted<'w>(words: impl IntoIterator<Item = &'w String>) -> String {
    let words = words.into_iter().map(|word| {
        let quoted = shlex::try_quote(word);
        quoted.map_or_else(|_| word.clone(), |quoted| quoted.into_owned())
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The baits that an attacker laid.
    #[test]
    fn the_folder_is_part_of_what_it_may_decide() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("server.py"), "").unwrap();
        for (words, ignores) in [
            (&["./server.py"][..], false),
            (&["bin/uvx", "clock"], false),
            (&["python3", "server.py"], false),
            (&["python3", "-c", "import m"], false),
            (&["python3", "-mm"], false),
            (&["python3", "-um", "m"], false),
            (&["node", "server"], false),
            (&["node", "-e", "require('m')"], false),
            (&["npx", "-y", "clock"], false),
            (&["/usr/bin/npx.cmd", "clock"], false),
            (&["pnpm", "dlx", "clock"], false),
            (&["uv", "run", "clock"], false),
            (&["uv", "run", "--with", "a", "clock"], false),
            (&["env", "npx", "clock"], false),
            (&["sh", "-c", "npx clock"], false),
            (&["yarn", "clock"], false),
            (&["make", "clock"], false),
            (&["deno", "task", "clock"], false),
            (&["/opt/server", "--root", "/tmp"], false),
            (&["uvx", "clock"], true),
            (&["/usr/bin/uvx", "clock"], true),
            (&["uvx", "--from", "server.py", "clock"], false),
            (&["uvx", "--from=server.py", "clock"], false),
            (&["docker", "run", "-i", "clock"], true),
        ] {
            assert_eq!(ignores_folder(words, folder.path()), ignores, "{words:?}");
        }
    }
}
