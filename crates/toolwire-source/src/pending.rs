//! What a person has to agree to before a source is used (SRC-10 to SRC-13).

use std::path::Path;

use toolwire_contract::lock::without_credentials;
use toolwire_host::clients::{Consent, Entry, Resolved, Surroundings, Target};

use crate::launcher::is_of_npm;
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
    /// (SRC-18).
    pub told: Vec<String>,
    /// The command in one line, or the URL of a server that a file of the workspace names, without credentials
    /// (SRC-18).
    pub what: String,
    /// The word by which `toolwire trust --server` finds it, as a shell reads it.
    pub word: String,
    /// What is remembered of it.
    pub consent: Consent,
    /// Whether a program would be started.
    pub starts: bool,
    /// Whether it is a path or a URL, so that whoever types it agrees to it (SRC-14).
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
        if let (
            Folder::Current,
            Target::Program {
                command, arguments, ..
            },
        ) = (folder, &resolved.target)
        {
            let words: Vec<&str> = std::iter::once(command)
                .chain(arguments)
                .map(String::as_str)
                .collect();
            let here = std::env::current_dir().unwrap_or_default();
            if depends_on(&words, &here) {
                consent = consent.within(&here);
            }
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

/// Whether the folder in which a command starts decides what it runs: one of its words is the path of something there,
/// or a module that Python looks for there first, or npm takes its packages from there (SRC-11).
fn depends_on(words: &[&str], folder: &Path) -> bool {
    let of_npm = words.first().is_some_and(|program| is_of_npm(program));
    if of_npm && has_packages(folder) {
        return true;
    }
    words.iter().enumerate().any(|(index, word)| {
        let value = match word.split_once('=') {
            Some((option, value)) if option.starts_with('-') => value,
            _ => word,
        };
        let path = Path::new(value);
        let is_program = index == 0;
        let looks_there = match is_program {
            true => path.components().count() > 1,
            false => !value.is_empty() && folder.join(path).exists(),
        };
        path.is_relative() && looks_there || (!is_program && *word == "-m")
    })
}

/// Whether a folder, or one above it, has what npm and its like look for before they fetch a package: packages, or
/// settings such as the registry. That of the home folder is the user's own.
fn has_packages(folder: &Path) -> bool {
    let home = Surroundings::current().home;
    folder
        .ancestors()
        .take_while(|above| home.as_deref() != Some(*above))
        .any(|above| above.join("node_modules").exists() || above.join("package.json").exists())
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

    /// SRC-11.
    #[test]
    fn the_folder_is_part_of_what_it_decides() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("server.py"), "").unwrap();
        for (words, depends) in [
            (&["./server.py"][..], true),
            (&["bin/server"], true),
            (&["python3", "server.py"], true),
            (&["python3", "--file=server.py"], true),
            (&["python3", "-m", "server"], true),
            (&["npx", "-y", "clock"], false),
            (&["server.py"], false),
            (&["python3", "/opt/server.py"], false),
            (&["/opt/server", "--root", "/tmp"], false),
        ] {
            assert_eq!(depends_on(words, folder.path()), depends, "{words:?}");
        }
        // What lies there comes before what `npx` would fetch.
        let inner = folder.path().join("inner");
        std::fs::create_dir_all(folder.path().join("node_modules")).unwrap();
        std::fs::create_dir(&inner).unwrap();
        assert!(depends_on(&["npx", "-y", "clock"], &inner));
        assert!(depends_on(&["/usr/bin/npx.cmd", "clock"], folder.path()));
        assert!(!depends_on(&["uvx", "clock"], folder.path()));
    }
}
