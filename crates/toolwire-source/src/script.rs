//! Which file an interpreter runs.

use std::path::{Path, PathBuf};

use toolwire_host::Command;

/// What is known of an interpreter: the letters behind one `-` after which it runs no file.
fn ends_before_a_file(interpreter: &str) -> Option<&'static [char]> {
    Some(match interpreter {
        "python" | "pypy" | "pythonw" => &['c', 'm'],
        "sh" | "bash" | "dash" | "zsh" | "ksh" | "fish" => &['c'],
        "node" | "nodejs" | "deno" | "bun" | "tsx" | "ts-node" => &['e', 'p'],
        "ruby" | "perl" | "lua" | "luajit" => &['e'],
        "php" => &['r'],
        "Rscript" => &['e'],
        // `uv run`, which finds the Python for a script.
        "uv" => &['m'],
        _ => return None,
    })
}

/// The file that a command runs, if its program is an interpreter: the first word that is no option and names a file
/// in the folder in which it starts.
pub(crate) fn script(words: &[String], folder: &Path) -> Option<PathBuf> {
    let words = behind_env(words);
    let (program, arguments) = words.split_first()?;
    let name = Path::new(program).file_name()?.to_str()?;
    let name = name.strip_suffix(".exe").unwrap_or(name);
    // Such as `python3.12`.
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let ends = ends_before_a_file(name)?;
    // `deno run`, `bun run` and `uv run`.
    let commands = arguments.iter().take_while(|word| *word == "run").count();
    let arguments = match name {
        "uv" if commands == 0 => return None,
        "deno" | "bun" | "uv" => &arguments[commands.min(1)..],
        _ => arguments,
    };
    for word in arguments {
        match word.strip_prefix('-') {
            Some(letters) if !letters.starts_with('-') && letters.ends_with(ends) => return None,
            Some("-eval" | "-print" | "-command") => return None,
            Some(_) => {}
            None => {
                let file = folder.join(word);
                if file.is_file() {
                    return Some(file);
                }
            }
        }
    }
    None
}

/// The words of a command without `env`, its options and the variables that it sets.
fn behind_env(words: &[String]) -> &[String] {
    match words.split_first() {
        Some((program, rest)) if Path::new(program).file_name() == Some("env".as_ref()) => {
            let is_own = |word: &String| word.starts_with('-') || word.contains('=');
            let own = rest.iter().take_while(|word| is_own(word)).count();
            &rest[own..]
        }
        _ => words,
    }
}

/// The words of a command, with one name for Python.
pub(crate) fn spelled(command: &Command) -> Vec<String> {
    let mut words = command.words();
    if words[0] == "python3" {
        words[0] = "python".to_owned();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_script_of_an_interpreter_is_found_behind_its_options() {
        let folder = tempfile::tempdir().unwrap();
        for file in ["a.py", "b.txt", "run"] {
            fs::write(folder.path().join(file), "").unwrap();
        }
        for (command, file) in [
            ("python a.py", Some("a.py")),
            ("python3.12 -u ./a.py b.txt", Some("a.py")),
            ("/usr/bin/env python3 -W ignore ./a.py", Some("a.py")),
            ("env -S A=b python a.py", Some("a.py")),
            ("bash -e a.py", Some("a.py")),
            ("deno run --allow-read a.py", Some("a.py")),
            ("bun b.txt", Some("b.txt")),
            ("uv run --with httpx a.py", Some("a.py")),
            ("uv a.py", None),
            ("python -m json b.txt", None),
            ("sh -lc a.py", None),
            ("node --eval a.py", None),
            ("perl -e a.py", None),
            ("python none.py", None),
            ("cat b.txt", None),
            ("env", None),
        ] {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            let found = script(&words, folder.path());
            let found = found.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned());
            assert_eq!(found.as_deref(), file, "{command}");
        }
    }
}
