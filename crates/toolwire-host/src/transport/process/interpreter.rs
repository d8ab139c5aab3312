//! What runs a file that the system can't run by itself.

use std::ffi::OsStr;
use std::path::{self, Path, PathBuf};
use std::process::{Command, Stdio};

use super::{Environment, ProcessOptions};
use crate::{HostError, HostErrorKind};

/// The interpreter of a file with this extension, in lower case; nothing if no interpreter is known for it.
///
/// # Errors
///
/// `interpreter_not_found` if it is not there, or can't run the file.
pub(super) fn find(
    extension: &str,
    file: &OsStr,
    options: &ProcessOptions,
) -> Result<Option<PathBuf>, HostError> {
    let Some(found) = look_up(extension, options) else {
        return Ok(None);
    };
    let interpreter = found.map_err(|name| {
        let message = format!(
            "`{}` needs `{}`, which was not found; install it, or name another interpreter as the \
             program",
            file.display(),
            name.display()
        );
        HostError::new(HostErrorKind::NoInterpreter, message)
    })?;
    if matches!(extension, "ts" | "mts" | "cts") {
        check_node(&interpreter, file, &options.environment)?;
    }
    Ok(Some(interpreter))
}

/// Where the interpreter is, or the name of the one that is missing.
fn look_up(extension: &str, options: &ProcessOptions) -> Option<Result<PathBuf, PathBuf>> {
    let environment = &options.environment;
    if let Some(set) = options.interpreters.get(extension) {
        let found = match has_separator(set.as_os_str()) {
            true => Some(set.clone()).filter(|path| path.exists()),
            false => on_path(set.as_os_str(), environment),
        };
        return Some(found.ok_or_else(|| set.clone()));
    }
    if extension == "py"
        && let Some(python) = active_python(environment)
    {
        return Some(Ok(python));
    }
    let names: &[&str] = match extension {
        // On Windows the command is often called without its version.
        "py" if cfg!(windows) => &["python3", "python"],
        "py" => &["python3"],
        "js" | "mjs" | "cjs" | "ts" | "mts" | "cts" => &["node"],
        "sh" => &["sh"],
        _ => return None,
    };
    let mut found = names
        .iter()
        .filter_map(|name| on_path(OsStr::new(name), environment));
    Some(found.next().ok_or_else(|| names[0].into()))
}

/// The Python of the active virtual environment.
fn active_python(environment: &Environment) -> Option<PathBuf> {
    let places = match cfg!(windows) {
        true => [
            ("VIRTUAL_ENV", "Scripts\\python.exe"),
            ("CONDA_PREFIX", "python.exe"),
        ],
        false => [
            ("VIRTUAL_ENV", "bin/python"),
            ("CONDA_PREFIX", "bin/python"),
        ],
    };
    places.into_iter().find_map(|(variable, place)| {
        let folder = environment.set_or_own(variable)?;
        let python = Path::new(&folder).join(place);
        (python.is_absolute() && python.is_file()).then_some(python)
    })
}

/// Refuses a TypeScript file that this Node can't run, in place of the syntax error that Node would
/// report.
fn check_node(node: &Path, file: &OsStr, environment: &Environment) -> Result<(), HostError> {
    // With options of its own, as for a loader, Node may well run it.
    let is_node = node.file_stem().is_some_and(|name| name == "node");
    if !is_node || environment.set_or_own("NODE_OPTIONS").is_some() {
        return Ok(());
    }
    let asked = Command::new(node)
        .arg("--version")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    let said = asked.map(|output| output.stdout).unwrap_or_default();
    let version = String::from_utf8_lossy(&said);
    let version = version.trim().trim_start_matches('v');
    if runs_typescript(version) != Some(false) {
        return Ok(());
    }
    let message = format!(
        "`{}` is TypeScript, which Node runs from version 22.18 on, or 23.6 of Node 23; `{}` is \
         version {version}: install a newer Node, or run the JavaScript that it compiles to",
        file.display(),
        node.display(),
    );
    Err(HostError::new(HostErrorKind::NoInterpreter, message))
}

/// Whether Node of this version runs TypeScript without an option; nothing if it is no version.
fn runs_typescript(version: &str) -> Option<bool> {
    let mut numbers = version.split('.').map(|number| number.parse::<u32>().ok());
    let (major, minor) = (numbers.next()??, numbers.next()??);
    Some(match major {
        22 => minor >= 18,
        23 => minor >= 6,
        _ => major > 23,
    })
}

pub(super) fn has_separator(name: &OsStr) -> bool {
    let bytes = name.as_encoded_bytes();
    bytes.iter().any(|&byte| path::is_separator(byte.into()))
}

/// A program on the `PATH`.
pub(super) fn on_path(name: &OsStr, environment: &Environment) -> Option<PathBuf> {
    let here = std::env::current_dir().unwrap_or_default();
    which::which_in(name, environment.path(), here).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_that_run_typescript_are_known() {
        for (version, runs) in [
            ("20.20.2", Some(false)),
            ("22.17.1", Some(false)),
            ("22.18.0", Some(true)),
            ("23.5.0", Some(false)),
            ("23.6.0", Some(true)),
            ("24.0.0", Some(true)),
            ("100.0.0", Some(true)),
            ("", None),
            ("next", None),
        ] {
            assert_eq!(runs_typescript(version), runs, "{version}");
        }
    }
}
