//! The command line by which the same tools are served from any folder.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, Args as _, Command};
use toolwire_contract::launch::{format_launch_uri, parse_launch_uri};
use toolwire_host::manifest;
use toolwire_source::is_path;

use super::no_manifest;
use crate::args::ServeArgs;
use crate::exit::{Failure, Result};
use crate::{input, source};

/// Options whose value is the path of a file or folder that is there.
const PATHS: [&str; 4] = ["answers", "config", "jn_home", "state_keys"];

/// Options that are of this start alone, or written out by hand.
const NOT_PASSED_ON: [&str; 8] = [
    "cwd",
    "entry_name",
    "install",
    "manifest",
    "print_config",
    "root",
    "workspace",
    "yes",
];

/// The words after the name of this program, with all paths absolute. What `serve` takes from its
/// surroundings is written out: the manifest and the folder.
pub fn arguments(args: &ServeArgs, matches: &ArgMatches) -> Result<Vec<String>> {
    let mut words = vec!["serve".to_owned()];
    // A value in one word with its option, so that no value is taken for an option.
    let mut option = |name: &str, value: &str| words.push(format!("--{name}={value}"));
    let process = &args.process;
    if let Some(variable) = process.env.first() {
        // Others read the lists of processes, and often the file.
        let name = &variable.name;
        return Err(Failure::Wrong(vec![format!(
            "`--env {name}=…` would stand in clear in the client's file: set `{name}` where the client is started, \
             or in `env` of the manifest, and give `--inherit {name}`"
        )]));
    }
    let mut has_others = !args.command.is_empty();
    let mut has_names = false;
    for word in &args.programs {
        // One that was named is written out whatever the words mean.
        let named = args.source.manifest.manifest.is_some() && !is_path(word);
        match named || is_in_manifest(word, args)? {
            true => has_names = true,
            false => has_others = true,
        }
    }
    if let Some(path) = &args.source.manifest.manifest {
        option("manifest", &absolute(path)?);
    } else if has_names || !has_others {
        let path = manifest::nearest()?.ok_or_else(no_manifest)?;
        option("manifest", &absolute(&path)?);
    }
    match (&process.cwd, &process.root) {
        (Some(folder), _) => option("cwd", &absolute(folder)?),
        // Programs run in the root, if it is given.
        (None, Some(_)) => {}
        // A client starts its servers anywhere.
        (None, None) => option("cwd", &absolute(Path::new("."))?),
    }
    match &process.root {
        Some(root) => option("root", &input::root(root)),
        None if has_others && !has_names && args.source.manifest.manifest.is_none() => {
            option("root", &absolute(Path::new("."))?);
        }
        None => {}
    }
    let command = ServeArgs::augment_args(Command::new("serve"));
    for known in command.get_opts() {
        let (id, name) = (
            known.get_id().as_str(),
            known.get_long().unwrap_or_default(),
        );
        let given = matches.value_source(id) == Some(ValueSource::CommandLine);
        if !given || NOT_PASSED_ON.contains(&id) {
            continue;
        }
        if !known.get_action().takes_values() {
            words.push(format!("--{name}"));
            continue;
        }
        for value in matches.get_raw(id).into_iter().flatten() {
            let value = match PATHS.contains(&id) {
                true => absolute(Path::new(value))?,
                false => text(value)?,
            };
            words.push(format!("--{name}={value}"));
        }
    }
    for word in &args.programs {
        words.push(match is_path(word) {
            true => absolute(Path::new(word))?,
            false => from_anywhere(&text(word)?),
        });
    }
    if let [program, arguments @ ..] = &args.command[..] {
        words.push("--".to_owned());
        words.push(find(program)?);
        for argument in arguments {
            words.push(text(argument)?);
        }
    }
    Ok(words)
}

/// Whether a word is a name of the manifest.
fn is_in_manifest(word: &OsStr, args: &ServeArgs) -> Result<bool> {
    Ok(!is_path(word) && source::find(Some(word), &[], &args.source, "serve")?.in_manifest)
}

/// The same word where the current folder is another one: a launch URI has no relative paths then (29.4).
fn from_anywhere(word: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let launch = parse_launch_uri(word).ok();
    let launch = launch.map(|launch| launch.resolved(&here.to_string_lossy()));
    let uri = launch.and_then(|launch| format_launch_uri(&launch).ok());
    uri.unwrap_or_else(|| word.to_owned())
}

/// What an entry is called if nobody says: as the folder of the manifest, or as the first program or server.
pub fn name(args: &ServeArgs) -> String {
    let named = |word: &OsString| {
        let source = source::find(Some(word), &[], &args.source, "serve").ok()?;
        (!source.in_manifest).then(|| source.label.into())
    };
    let mut words = args.programs.iter();
    let program = words.find_map(|word| match is_path(word) {
        true => Some(word.clone()),
        false => named(word),
    });
    let program = program.or_else(|| args.command.first().cloned());
    let path = match (&program, &args.source.manifest.manifest) {
        (Some(program), _) => PathBuf::from(program).file_stem().map(PathBuf::from),
        (None, Some(path)) => std::path::absolute(path).ok(),
        (None, None) => manifest::nearest().ok().flatten(),
    };
    let path = path.unwrap_or_default();
    let name = match program {
        Some(_) => path.as_os_str(),
        None => path.parent().and_then(Path::file_name).unwrap_or_default(),
    };
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '_' {
            c
        } else {
            '-'
        }
    };
    let name: String = name.to_string_lossy().chars().map(plain).collect();
    match name.trim_matches('-') {
        "" => "toolwire".to_owned(),
        name => name.to_owned(),
    }
}

/// The program that a word names, as a system finds it now: the PATH of a client is another one.
fn find(program: &OsStr) -> Result<String> {
    if is_path(program) {
        return absolute(Path::new(program));
    }
    let found = which::which(program).map_err(|_| {
        let shown = program.display();
        Failure::Wrong(vec![format!("there is no program `{shown}` on the PATH")])
    })?;
    text(found.as_os_str())
}

/// An absolute path of something that is there. Links stay: what they lead to may change.
fn absolute(path: &Path) -> Result<String> {
    let failed = |error| Failure::reading(path, &error);
    std::fs::metadata(path).map_err(failed)?;
    let absolute = std::path::absolute(path).map_err(failed)?;
    // `..` is left to the system, which looks at links first.
    text(absolute.as_os_str())
}

/// A word as text, which is all that the file of a client can hold.
fn text(word: &OsStr) -> Result<String> {
    word.to_str().map(str::to_owned).ok_or_else(|| {
        Failure::Wrong(vec![format!(
            "`{}` is not valid Unicode, so it can't stand in the file of a client",
            word.display()
        )])
    })
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches as _;

    use super::*;
    use crate::args::HttpArgs;

    fn read(words: &[String]) -> (ServeArgs, ArgMatches) {
        let command = ServeArgs::augment_args(Command::new("serve"));
        let matches = command.try_get_matches_from(words).unwrap();
        (ServeArgs::from_arg_matches(&matches).unwrap(), matches)
    }

    fn again(words: &[String]) -> Result<Vec<String>> {
        let (args, matches) = read(words);
        arguments(&args, &matches)
    }

    /// Every option arrives at the server that the client starts, or this fails.
    #[test]
    fn the_same_is_served() {
        let here = std::env::current_dir().unwrap();
        let here = here.to_str().unwrap();
        let words = [
            "serve",
            "--only=a,b",
            "--except=c",
            "--prefix",
            "--ignore-schema",
            "--locked=refuse",
            "--jobs=2",
            "--queue=3",
            "--no-warm",
            "--no-session-host",
            "--page-size=4",
            "--poll=1.5s",
            "--state-lifetime=3s",
            "--tasks=required",
            "--task-after=2s",
            "--task-lifetime=4s",
            "--max-tasks=5",
            "--max-task-results=6",
            "--max-handles=7",
            "--handle-idle=8s",
            "--search-above=9",
            "--schemas=plain",
            "--keep-results=32KiB",
            "--timeout=250ms",
            "--max-time=9s",
            "--max-output=2kB",
            "--inherit=standard,A",
            "--answer=ok=true",
            "--non-interactive=decline",
        ];
        let paths = [
            "manifest",
            "config",
            "jn-home",
            "state-keys",
            "cwd",
            "root",
            "answers",
        ];
        let mut words: Vec<String> = words.map(str::to_owned).to_vec();
        words.extend(paths.map(|name| format!("--{name}={here}")));
        words.extend(["a-name", here, "--"].map(str::to_owned));
        words.extend([here, "-x", "--only"].map(str::to_owned));
        // What is given by `--env` would stand in clear.
        let mut with_env = words.clone();
        with_env.insert(1, "--env=B=c d".to_owned());
        let refused = again(&with_env).unwrap_err();
        assert!(
            format!("{refused:?}").contains("--inherit B"),
            "{refused:?}"
        );
        let known = [
            "print_config",
            "install",
            "workspace",
            "entry_name",
            "yes",
            "env",
        ];
        // Those of HTTP are of a server that no client starts.
        let http = HttpArgs::augment_args(Command::new("http"));
        let http: Vec<_> = http
            .get_arguments()
            .map(|one| one.get_id().clone())
            .collect();
        let command = ServeArgs::augment_args(Command::new("serve"));
        for argument in command.get_arguments() {
            let name = argument.get_id().as_str();
            let given = words
                .iter()
                .any(|word| word.starts_with(&format!("--{}", name.replace('_', "-"))));
            let is_word = ["programs", "command"].contains(&name);
            assert!(
                given || is_word || known.contains(&name) || http.contains(argument.get_id()),
                "give a value for `{name}` here"
            );
        }
        let (first, _) = read(&words);
        let (second, _) = read(&again(&words).unwrap());
        assert_eq!(format!("{first:?}"), format!("{second:?}"));
    }

    #[test]
    fn what_is_usual_is_not_written_out() {
        let tool = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let words = again(&["serve", tool].map(str::to_owned)).unwrap();
        let names: Vec<&str> = words
            .iter()
            .filter_map(|word| word.split('=').next())
            .collect();
        assert_eq!(names[..3], ["serve", "--cwd", "--root"]);
        assert_eq!(names.len(), 4, "{words:?}");
    }
}
