//! The command of a launch, and the launch of a command (LAUNCH-30 to LAUNCH-36).

use toolwire::Code;

use super::package::{self, npm_text, requirement};
use super::path::{has_drive, join};
use super::refusal::Place;
use super::{Launch, Launcher, Package, Program, Server};

impl Launch {
    /// The argument vector that starts the server, the program first; nothing for a server with a URL.
    ///
    /// Relative paths are as the URI has them; see [`Launch::resolved`]. `python` stands for the interpreter,
    /// whatever its name is on the machine.
    ///
    /// ```
    /// use toolwire_contract::launch::parse_launch_uri;
    ///
    /// let of = |uri| parse_launch_uri(uri).map(|launch| launch.command().unwrap_or_default().join(" "));
    /// assert_eq!(of("mcp+uvx://mcp-server-git@1.0")?, "uvx mcp-server-git@1.0");
    /// assert_eq!(of("mcp+uvx://mcp[cli]>=1/mcp?with=rich")?, "uvx --with rich --from mcp[cli]>=1 mcp");
    /// assert_eq!(of("mcp+npx://a/b?with=c@2")?, "npx -y --package=a --package=c@2 b");
    /// assert_eq!(of("mcp+docker://mcp/fetch?env=TOKEN")?, "docker run -i --rm -e TOKEN mcp/fetch");
    /// assert_eq!(of("mcp+https://example.org/mcp")?, "");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn command(&self) -> Option<Vec<String>> {
        match &self.server {
            Server::Program(program) => Some(program.command()),
            Server::Remote(_) => None,
        }
    }

    /// The launch with relative paths made absolute: from the folder where the URI was given. The folder is
    /// absolute and may be one of Windows; nothing is looked up, and `..` stays.
    ///
    /// ```
    /// use toolwire_contract::launch::parse_launch_uri;
    ///
    /// let launch = parse_launch_uri("mcp+python://./server.py")?;
    /// assert_eq!(launch.resolved("/srv").command().unwrap(), ["python", "/srv/server.py"]);
    /// assert_eq!(launch.resolved("C:\\srv").command().unwrap(), ["python", "C:/srv/server.py"]);
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn resolved(&self, folder: &str) -> Launch {
        let mut out = self.clone();
        if let Server::Program(program) = &mut out.server {
            program.cwd = program.cwd.as_deref().map(|cwd| join(folder, cwd));
            match &mut program.launcher {
                Launcher::Python { file: path }
                | Launcher::Node { file: path }
                | Launcher::Exec { program: path } => *path = join(folder, path),
                _ => {}
            }
        }
        out
    }

    /// The launch of a command, without variables and folder: by the launcher whose [`Launch::command`] gives
    /// exactly these words again, and otherwise as a program of its own. Only the path of a program, with a drive or
    /// a share, is written anew, with slashes. Nothing for no words.
    ///
    /// ```
    /// use toolwire_contract::launch::{Launch, format_launch_uri};
    ///
    /// let of = |words: &[&str]| {
    ///     let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    ///     format_launch_uri(&Launch::from_command(&words).unwrap())
    /// };
    /// assert_eq!(of(&["uvx", "mcp-server-git", "-v"])?, "mcp+uvx://mcp-server-git?command=-v");
    /// assert_eq!(of(&["npx", "-y", "@a/b@1.0.0"])?, "mcp+npx://@a/b@1.0.0");
    /// assert_eq!(of(&["uv", "run", "server"])?, "mcp+exec://uv?command=run&command=server");
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn from_command(words: &[String]) -> Option<Launch> {
        let (first, rest) = words.split_first()?;
        let known = match first.as_str() {
            "uvx" => uvx(rest),
            "npx" => npx(rest),
            "python" => file(rest, |file| Launcher::Python { file }),
            "node" => file(rest, |file| Launcher::Node { file }),
            "docker" => docker(rest),
            _ => None,
        };
        let program = known.filter(|program| program.command() == words);
        let is_windows = has_drive(first) || first.starts_with("\\\\");
        let program = program.unwrap_or_else(|| Program {
            launcher: Launcher::Exec {
                program: if is_windows {
                    first.replace('\\', "/")
                } else {
                    first.clone()
                },
            },
            words: rest.to_vec(),
            env: Vec::new(),
            cwd: None,
        });
        Some(Launch {
            server: Server::Program(program),
            request: None,
        })
    }
}

impl Program {
    /// The argument vector, the program first.
    fn command(&self) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        let mut add = |words: &[&str]| out.extend(words.iter().map(|word| (*word).to_owned()));
        match &self.launcher {
            Launcher::Uvx {
                package,
                command,
                with,
            } => {
                add(&["uvx"]);
                for with in with {
                    add(&["--with", &requirement(with)]);
                }
                match short_uvx(package).filter(|_| command.is_none()) {
                    Some(short) => add(&[&short]),
                    None => {
                        let command = command.as_ref().unwrap_or(&package.name);
                        add(&["--from", &requirement(package), command]);
                    }
                }
            }
            Launcher::Npx {
                package,
                command,
                with,
            } => {
                add(&["npx", "-y"]);
                match command {
                    None => add(&[&npm_text(package)]),
                    Some(command) => {
                        for package in std::iter::once(package).chain(with) {
                            add(&[&format!("--package={}", npm_text(package))]);
                        }
                        add(&[command]);
                    }
                }
            }
            Launcher::Python { file } => add(&["python", file]),
            Launcher::Node { file } => add(&["node", file]),
            Launcher::Docker { image } => {
                add(&["docker", "run", "-i", "--rm"]);
                for name in &self.env {
                    add(&["-e", name]);
                }
                add(&[&image.to_string()]);
            }
            Launcher::Exec { program } => add(&[program]),
        }
        out.extend(self.words.iter().cloned());
        out
    }
}

/// A package that uvx takes without `--from`.
fn short_uvx(package: &Package) -> Option<String> {
    let is_short = |version: &str| !package::is_range(version);
    match package.version.as_deref() {
        _ if !package.extras.is_empty() => None,
        None => Some(package.name.clone()),
        Some(version) => is_short(version).then(|| format!("{}@{version}", package.name)),
    }
}

/// A place for texts that no URI holds; what is refused here is a program of its own.
const NOWHERE: Place = Place {
    code: Code::BadLaunchUri,
    pointer: "",
    offset: 0,
};

fn program(launcher: Launcher, words: &[String]) -> Program {
    Program {
        launcher,
        words: words.to_vec(),
        env: Vec::new(),
        cwd: None,
    }
}

fn uvx(mut words: &[String]) -> Option<Program> {
    let mut with = Vec::new();
    let mut from = None;
    while let [option, value, rest @ ..] = words {
        match option.as_str() {
            "--with" => with.push(package::python(value, NOWHERE).ok()?),
            "--from" => from = Some(package::python(value, NOWHERE).ok()?),
            _ => break,
        }
        words = rest;
    }
    let (command, rest) = words.split_first()?;
    let (package, command) = match from {
        None => (package::python(command, NOWHERE).ok()?, None),
        // Where uvx would not take the package alone, its command has its name unless another is given.
        Some(package) if *command == package.name && short_uvx(&package).is_none() => {
            (package, None)
        }
        Some(package) => (package, Some(package::command(command, NOWHERE).ok()?)),
    };
    let launcher = Launcher::Uvx {
        package,
        command,
        with,
    };
    Some(program(launcher, rest))
}

fn npx(words: &[String]) -> Option<Program> {
    let (_, mut words) = words.split_first().filter(|(yes, _)| *yes == "-y")?;
    let mut packages = Vec::new();
    while let [option, rest @ ..] = words
        && let Some(value) = option.strip_prefix("--package=")
    {
        packages.push(package::npm(value, NOWHERE).ok()?.0);
        words = rest;
    }
    let (word, rest) = words.split_first()?;
    let (package, command) = match packages.is_empty() {
        true => (package::npm(word, NOWHERE).ok()?.0, None),
        false => (
            packages.remove(0),
            Some(package::command(word, NOWHERE).ok()?),
        ),
    };
    let launcher = Launcher::Npx {
        package,
        command,
        with: packages,
    };
    Some(program(launcher, rest))
}

fn file(words: &[String], launcher: fn(String) -> Launcher) -> Option<Program> {
    use super::path::{Leads, read};
    let (path, rest) = words.split_first()?;
    // A path with a drive stands behind a slash in a URI.
    let slash = if has_drive(path) { "/" } else { "" };
    let path = read(&format!("{slash}{path}"), Leads::ToFile, NOWHERE).ok()?;
    Some(program(launcher(path), rest))
}

fn docker(words: &[String]) -> Option<Program> {
    let [run, interactive, remove, words @ ..] = words else {
        return None;
    };
    let is_usual = (run.as_str(), interactive.as_str(), remove.as_str()) == ("run", "-i", "--rm");
    let mut words = words;
    let mut env = Vec::new();
    while let [option, name, rest @ ..] = words
        && option == "-e"
    {
        env.push(name.clone());
        words = rest;
    }
    let (image, rest) = words.split_first().filter(|_| is_usual)?;
    let image = package::image(image, NOWHERE).ok()?;
    let mut program = program(Launcher::Docker { image }, rest);
    program.env = env;
    Some(program)
}
