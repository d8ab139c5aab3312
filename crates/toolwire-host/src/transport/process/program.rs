//! From a tool to what the system is asked to start (PROC-2 to PROC-4).

use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::io::{self, Read as _};
use std::path::{self, Path, PathBuf};
use std::process::Stdio;

use tokio::process;

use super::channel::{Channel, Channels};
use super::interpreter::{self, has_separator};
use super::{Command, ProcessOptions};
use crate::{HostError, HostErrorKind, store};

/// What is started: a program, and the arguments that stand before the tool's own.
#[derive(Debug, PartialEq)]
pub(crate) struct Program {
    pub(crate) path: PathBuf,
    pub(crate) prefix: Vec<OsString>,
}

/// Enough bytes to tell text from an executable: every executable format has a zero among them.
const LOOK: usize = 256;

pub(crate) fn resolve(tool: &Command, options: &ProcessOptions) -> Result<Program, HostError> {
    let environment = &options.environment;
    let name = tool.program();
    let shown = name.display();
    if name.is_empty() {
        let message = "the tool has no program; give a name or a path".to_owned();
        return Err(HostError::new(HostErrorKind::BadArgument, message));
    }
    if !has_separator(name) {
        let path = interpreter::on_path(name, environment).ok_or_else(|| missing_name(name))?;
        return Ok(Program {
            path,
            prefix: Vec::new(),
        });
    }
    let path = path::absolute(name)
        .map_err(|error| HostError::system(&format!("`{shown}` has no absolute path"), error))?;
    let metadata = fs::metadata(&path).map_err(|error| missing_file(name, error))?;
    if metadata.is_dir() {
        let message = format!("`{shown}` is a folder; name the program in it");
        return Err(HostError::new(HostErrorKind::IsDirectory, message));
    }
    let executable = may_be_run(&path, &metadata);
    let start = match cfg!(windows) {
        true => Start::Program,
        false => Start::of(&path),
    };
    if executable && start == Start::Program {
        return Ok(Program {
            path,
            prefix: Vec::new(),
        });
    }
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let extension = extension.to_ascii_lowercase();
    let Some(interpreter) = interpreter::find(&extension, name, options)? else {
        let advice = if executable && start == Start::CarriageReturn {
            "has a first line that ends with a carriage return, so that the system finds no interpreter; save it with \
             the line ends of Unix"
        } else if executable {
            "has neither a first line such as `#!/bin/sh` nor an extension that tells what runs it"
        } else {
            "is not executable, and its extension does not tell what runs it; run `chmod +x` on it"
        };
        let message = format!("`{shown}` {advice}, or name the interpreter as the program");
        return Err(HostError::new(HostErrorKind::NotExecutable, message));
    };
    Ok(Program {
        path: interpreter,
        prefix: vec![path.into_os_string()],
    })
}

impl Program {
    /// The file of the program itself, not that of its interpreter.
    pub(crate) fn file(&self) -> &Path {
        self.prefix.first().map_or(&self.path, Path::new)
    }
}

fn missing_name(name: &OsStr) -> HostError {
    let shown = name.display();
    let advice = if Path::new(name).is_file() {
        format!("for the file in this folder write `./{shown}`")
    } else {
        "check its spelling, or give a path".to_owned()
    };
    let message = format!("there is no program `{shown}` on the PATH; {advice}");
    HostError::new(HostErrorKind::NotFound, message)
}

fn missing_file(name: &OsStr, error: io::Error) -> HostError {
    let shown = name.display();
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            let here = std::env::current_dir().ok();
            let message = match here.filter(|_| Path::new(name).is_relative()) {
                Some(here) => format!(
                    "there is no file `{shown}` in the current folder, `{}`",
                    here.display()
                ),
                None => format!("there is no file `{shown}`"),
            };
            HostError::new(HostErrorKind::NotFound, message)
        }
        _ => HostError::system(&format!("`{shown}` can't be looked at"), error),
    }
}

#[cfg(unix)]
fn may_be_run(_path: &Path, metadata: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    metadata.is_file() && metadata.permissions().mode() & 0o111 != 0
}

/// Windows goes by the extension alone.
#[cfg(not(unix))]
fn may_be_run(path: &Path, metadata: &Metadata) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let known = ["exe", "com", "bat", "cmd"];
    metadata.is_file() && known.contains(&extension.to_ascii_lowercase().as_str())
}

/// How an executable file begins.
#[derive(PartialEq)]
enum Start {
    /// So that the system knows how to run it.
    Program,
    /// With a line for its interpreter that ends as lines do on Windows: no system finds `python3\r`.
    CarriageReturn,
    /// As any text does. Some systems would give it to a shell, be it Python or prose.
    Text,
}

impl Start {
    fn of(path: &Path) -> Start {
        let mut start = Vec::with_capacity(LOOK);
        match store::open_at_once(path)
            .and_then(|file| file.take(LOOK as u64).read_to_end(&mut start))
        {
            Ok(_) if start.starts_with(b"#!") => {
                let line = start.split(|byte| *byte == b'\n').next();
                match line.is_some_and(|line| line.ends_with(b"\r")) {
                    true => Start::CarriageReturn,
                    false => Start::Program,
                }
            }
            Ok(_) if !start.contains(&0) => Start::Text,
            // A program may be executable without being readable.
            _ => Start::Program,
        }
    }
}

/// What the system is asked to start, with three pipes. `call` is the value of `TOOLWIRE_CALL`.
pub(super) fn system_command(
    command: &Command,
    options: &ProcessOptions,
    channels: &Channels,
    call: Option<&str>,
) -> Result<process::Command, HostError> {
    if let Some(name) = options.environment.bad_name() {
        let message = format!("`{}` can't be the name of a variable", name.display());
        return Err(HostError::new(HostErrorKind::BadArgument, message));
    }
    let program = resolve(command, options)?;
    // What starts the program would be given something else in its place.
    let has_zero = |text: &OsString| text.as_encoded_bytes().contains(&0);
    if command.arguments().iter().any(has_zero) || options.environment.values().any(has_zero) {
        return Err(not_started(command, io::ErrorKind::InvalidInput.into()));
    }
    let mut system = process::Command::new(&program.path);
    system.args(program.prefix).args(command.arguments());
    if let Some(cwd) = &options.cwd {
        if !cwd.is_dir() {
            let message = format!("there is no folder `{}` to run the tool in", cwd.display());
            return Err(HostError::new(HostErrorKind::BadDirectory, message));
        }
        system.current_dir(cwd);
    }
    let (result, events) = (channels.result.as_ref(), channels.events.as_ref());
    options.environment.apply(
        &mut system,
        result.map(Channel::path),
        events.map(Channel::path),
        call,
    );
    system
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Ok(system)
}

/// What it means that the system did not start what was found.
pub(crate) fn not_started(tool: &Command, error: io::Error) -> HostError {
    /// The numbers of ENOEXEC and E2BIG, which are the same on all Unix systems.
    const NO_FORMAT: i32 = 8;
    const TOO_LONG: i32 = 7;
    let shown = tool.program().display();
    let (kind, message) = match (error.kind(), error.raw_os_error()) {
        (io::ErrorKind::NotFound, _) => (
            HostErrorKind::NoInterpreter,
            format!("`{shown}` needs a program that is not there; look at its first line"),
        ),
        (io::ErrorKind::PermissionDenied, _) => (
            HostErrorKind::NotExecutable,
            format!("`{shown}` may not be run; look at its permissions"),
        ),
        (_, Some(NO_FORMAT)) if cfg!(unix) => (
            HostErrorKind::NotExecutable,
            format!("`{shown}` is in no format that this system runs"),
        ),
        (_, Some(TOO_LONG)) if cfg!(unix) => (
            HostErrorKind::BadArgument,
            format!("the arguments of `{shown}` are longer than the system allows; use stdin"),
        ),
        (io::ErrorKind::InvalidInput, _) => (
            HostErrorKind::BadArgument,
            format!(
                "an argument or variable of `{shown}` contains a zero byte, which cannot be passed to a process"
            ),
        ),
        _ => return HostError::system(&format!("`{shown}` can't be started"), error),
    };
    HostError::new(kind, message)
}
