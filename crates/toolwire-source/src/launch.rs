//! What a launch URI starts or reaches (chapter 29).

use std::collections::BTreeMap;
use std::path::Path;

use toolwire_contract::launch::{Launch, Launcher, format_launch_uri, parse_launch_uri};
use toolwire_contract::lock::without_credentials;
use toolwire_host::clients::Consent;
use toolwire_host::{Command, Environment};

use crate::pending::{EMPTY, FOLDER, masked, quoted};
use crate::source::{Origin, Program};
use crate::{Folder, Pending, Reached, Source, SourceError, SourceErrorKind, launcher_variables};

/// A launch without the credentials in its words, which nobody but a person is shown.
fn without_secrets(launch: &Launch) -> Launch {
    let mut out = launch.clone();
    if let Some(words) = launch.command() {
        let kept = without_credentials(&words);
        out.words = kept[kept.len() - out.words.len()..].to_vec();
    }
    out
}

/// The source of a launch URI, for a process in this folder.
pub(crate) fn source(uri: &str, here: &Path) -> Result<Source, SourceError> {
    let bad = |error: toolwire::Error| {
        SourceError::new(SourceErrorKind::BadWord, error.message().to_owned())
    };
    let launch = parse_launch_uri(uri).map_err(bad)?;
    let bare = |launch: &Launch| {
        let launch = Launch {
            request: None,
            ..launch.clone()
        };
        format_launch_uri(&launch).map_err(bad)
    };
    let absolute = launch.resolved(&here.to_string_lossy());
    let source = match absolute.command() {
        None => Source {
            needed_headers: absolute.headers.clone(),
            ..Source::url(&absolute.target)
        },
        Some(words) => of_program(
            &absolute,
            &interpreted(words),
            label(&absolute, &bare(&without_secrets(&launch))?),
            &bare(&without_secrets(&absolute))?,
            here,
        )?,
    };
    Ok(Source {
        request: launch.request,
        ..source
    })
}

/// What messages call it: the name of a file without its extension, or else what stands behind the launcher.
fn label(launch: &Launch, uri: &str) -> String {
    if matches!(
        launch.launcher,
        Launcher::Python | Launcher::Node | Launcher::Exec
    ) {
        let stem = Path::new(&launch.target).file_stem().unwrap_or_default();
        return stem.to_string_lossy().into_owned();
    }
    let target = uri.split_once("://").map_or(uri, |(_, target)| target);
    target.split('?').next().unwrap_or_default().to_owned()
}

/// The interpreter that there is for `python`: some systems have no program of that name (29.4).
fn interpreter(program: &str, is_there: impl Fn(&str) -> bool) -> Option<&'static str> {
    (program == "python" && !is_there("python") && is_there("python3")).then_some("python3")
}

fn is_there(program: &str) -> bool {
    which::which(program).is_ok()
}

/// The words with the interpreter that there is.
fn interpreted(mut words: Vec<String>) -> Vec<String> {
    if let Some(first) = words.first_mut()
        && let Some(program) = interpreter(first, is_there)
    {
        *first = program.to_owned();
    }
    words
}

/// The same for a command.
pub(crate) fn interpret(command: &mut Command) {
    let program = command.program().to_str();
    if let Some(program) = program.and_then(|program| interpreter(program, is_there)) {
        *command = Command::new(program).args(command.arguments());
    }
}

fn of_program(
    launch: &Launch,
    words: &[String],
    label: String,
    uri: &str,
    here: &Path,
) -> Result<Source, SourceError> {
    let Some((name, arguments)) = words.split_first() else {
        let message = format!("`{uri}` names no program");
        return Err(SourceError::new(SourceErrorKind::BadWord, message));
    };
    let mut env = BTreeMap::new();
    for name in &launch.env {
        let value = std::env::var(name).map_err(|_| {
            let message = format!(
                "`{uri}` needs the environment variable `{name}`, which is not set, or is no text; set it and try again"
            );
            SourceError::new(SourceErrorKind::Unresolved, message)
        })?;
        env.insert(name.clone(), value);
    }
    let command = Command::new(name).args(arguments);
    let folder = folder(launch);
    let mut source = Source::new(
        label,
        Reached::Program(Box::new(Program {
            written: None,
            env: launcher_variables(&command)
                .into_iter()
                .chain(env)
                .collect(),
            named: launch.env.clone(),
            inherits: Some(Environment::standard()),
            folder: folder.clone(),
            names_folder: launch.cwd.is_some(),
            origin: Origin::Entry,
            command,
        })),
    );
    source.consent = Some(pending(launch, words, uri, &folder, here));
    Ok(source)
}

/// Where it starts.
fn folder(launch: &Launch) -> Folder {
    match (&launch.cwd, launch.launcher) {
        (Some(cwd), _) => Folder::Named(cwd.into()),
        (None, Launcher::Uvx | Launcher::Npx | Launcher::Docker) => Folder::Empty,
        (None, _) => Folder::Current,
    }
}

/// What a person agrees to. The URI is without credentials, since it is listed and told in logs; what tells
/// one command from another is the digest over its words.
fn pending(launch: &Launch, words: &[String], uri: &str, folder: &Folder, here: &Path) -> Pending {
    let shown_folder = match folder {
        Folder::Empty => EMPTY.to_owned(),
        Folder::Current => here.display().to_string(),
        Folder::Named(path) => path.display().to_string(),
    };
    let string = toolwire::json::string;
    let lines = |words: &[String]| {
        let mut lines = Vec::new();
        for (index, word) in words.iter().enumerate() {
            let part = if index == 0 { "program  " } else { "argument " };
            lines.push(format!("{part}{}", string(word)));
        }
        let names = launch.env.iter();
        lines.extend(names.map(|name| format!("variable {name}, as it is set here")));
        lines.push(format!("{FOLDER}{shown_folder}"));
        lines
    };
    let words_of = words.iter().map(String::as_str);
    let names = launch.env.iter().map(String::as_str);
    // Where one list ends and the next begins is part of it.
    let parts = words_of.chain(["", "variables"]).chain(names);
    let parts: Vec<&str> = parts.chain(["", "folder", shown_folder.as_str()]).collect();
    Pending {
        origin: format!("the launch URI `{uri}`"),
        shown: lines(words),
        told: lines(&without_credentials(words)),
        what: masked(words),
        word: quoted([&uri.to_owned()]),
        consent: Consent::new(uri, parts).for_program(&words[0]),
        starts: true,
        is_word: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn python_is_the_interpreter_that_there_is() {
        for (program, there, taken) in [
            ("python", &["python3"][..], Some("python3")),
            ("python", &["python", "python3"], None),
            ("python", &[], None),
            ("/usr/bin/python", &["python3"], None),
            ("node", &["python3"], None),
        ] {
            let is_there = |name: &str| there.contains(&name);
            assert_eq!(interpreter(program, is_there), taken, "{program} {there:?}");
        }
    }
}
