//! What a lock holds of how a source is reached, and the name under which it stands there (LOCK-11).

use std::fs;
use std::path::{Component, Path, PathBuf, is_separator};

use toolwire::Limits;
use toolwire::json::{ObjectWriter, array, string};
use toolwire_contract::launch::{Launch, format_launch_uri, parse_launch_uri};
use toolwire_contract::lock::{Launched, without_credentials};
use toolwire_host::Who;
use toolwire_host::manifest::ManifestTool;

use crate::script::{script, spelled};
use crate::source::{Origin, Program};
use crate::word::{CLIENTS, Form};
use crate::{Folder, Reached, Source, SourceError, SourceErrorKind};

/// The most bytes of a file that is digested.
const MOST_CODE: u64 = 16 * 1024 * 1024;

/// Who answers the questions of a tool of the manifest, if it says so.
fn questions(tool: &ManifestTool) -> Option<String> {
    let mut out = ObjectWriter::new();
    if let Some(assistant) = &tool.assistant {
        let words = without_credentials(assistant);
        out.json("assistant", array(words.iter().map(|word| string(word))));
    }
    for (id, who) in &tool.questions {
        match who {
            Who::Value(value) => out.json(id, value.as_str()),
            Who::Default => out.text(id, "default"),
            Who::Decline => out.text(id, "decline"),
            who => out.optional(id, who.asked()),
        };
    }
    let text = out.end();
    (text != "{}").then_some(text)
}

/// A digest over what else the manifest sets for a tool.
fn settings(tool: &ManifestTool) -> Option<String> {
    let mut out = ObjectWriter::new();
    if !tool.arguments.is_empty() {
        out.json(
            "arguments",
            ObjectWriter::new().members(&tool.arguments).end(),
        );
    }
    if tool.options.as_str() != "{}" {
        out.json("options", tool.options.as_str());
    }
    if let Some(inherit) = &tool.inherit {
        out.json(
            "inherit",
            array(inherit.inherited().iter().map(|word| string(word))),
        );
    }
    if !tool.env.is_empty() {
        let words: Vec<String> = tool
            .env
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let words = without_credentials(&words);
        out.json("environment", array(words.iter().map(|word| string(word))));
    }
    let text = out.end();
    let digest = toolwire::digest(text.as_bytes(), &Limits::WIDEST).ok()?;
    (text != "{}").then_some(digest)
}

impl Source {
    /// What a lock in the folder `base` holds of how it is reached: facts by which another launch is told from this
    /// one, without anything that holds credentials (LOCK-13). Paths below the folder are relative to it, so that
    /// they say the same on every machine.
    ///
    /// ```
    /// use std::path::Path;
    /// use toolwire_source::{Places, resolve};
    ///
    /// let source = resolve("mcp+npx://clock@1.2.3?command=--zone&command=UTC".as_ref(), &Places::default())?;
    /// let launched = source.launched(Path::new("/project"));
    /// assert_eq!(launched.version.as_deref(), Some("1.2.3"));
    /// assert_eq!(launched.arguments, ["--zone", "UTC"]);
    /// # Ok::<(), toolwire_source::SourceError>(())
    /// ```
    #[must_use]
    pub fn launched(&self, base: &Path) -> Launched {
        let mut launched = self.facts();
        match &self.reached {
            Reached::Http { url, headers } => {
                launched.set_url(url);
                let names = headers.keys().chain(&self.needed_headers);
                launched.headers = names.cloned().collect();
                launched.headers.sort();
                launched.headers.dedup();
            }
            Reached::Tool(tool) => {
                launched.set_arguments(&arguments(&tool.words));
                launched.environment = tool.env.keys().cloned().collect();
                launched.cwd = tool.cwd.as_deref().map(|cwd| folder(base, cwd));
                launched.questions = questions(tool);
                launched.settings = settings(tool);
            }
            Reached::Program(program) => {
                let words = words(program);
                if let Some(facts) = Launched::of_command(&words) {
                    launched = facts;
                }
                let given = arguments(&words);
                let given: Vec<String> = given.iter().map(|word| below(base, word)).collect();
                launched.set_arguments(&given);
                launched.environment.clone_from(&program.named);
                launched.environment.sort();
                if let Folder::Named(cwd) = &program.folder
                    && program.names_folder
                {
                    launched.cwd = Some(folder(base, cwd));
                }
                // What a file writes is relative to that file, wherever this process is.
                launched.program = launched.program.map(|path| match program.written {
                    Some(_) => below(base, &path),
                    None => file(base, path),
                });
            }
        }
        launched.file = self.file().and_then(|file| digest(&file, base));
        launched
    }

    /// The file that is run: the program, or the script of an interpreter. Nothing if that depends on the folder of
    /// whoever starts it.
    fn file(&self) -> Option<PathBuf> {
        let (command, folder) = match &self.reached {
            Reached::Http { .. } => return None,
            // Without a folder of its own, a tool runs in the current one.
            Reached::Tool(tool) => {
                let here = || std::env::current_dir().ok();
                (&tool.command, tool.cwd.clone().or_else(here))
            }
            Reached::Program(program) => {
                let folder = match &program.folder {
                    Folder::Named(folder) => Some(folder.clone()),
                    Folder::Current if program.origin != Origin::Entry => {
                        std::env::current_dir().ok()
                    }
                    _ => None,
                };
                (&program.command, folder)
            }
        };
        // Of a path that is absolute, the folder does not matter.
        let here = folder.clone().unwrap_or_default();
        if let Some(script) = script(&spelled(command), &here) {
            return script.is_absolute().then_some(script);
        }
        let program = Path::new(command.program());
        match program.components().count() {
            0 | 1 => None,
            _ if program.is_absolute() => Some(program.to_owned()),
            _ => Some(folder?.join(program)),
        }
    }

    /// The name under which a lock in the folder `base` has the source: a word that means the same to whoever has the
    /// folder. A command without arguments has its path, and any other the launch URI that starts the same.
    ///
    /// # Errors
    ///
    /// `BadWord` for a word that holds a credential, or that means something else elsewhere.
    ///
    /// ```
    /// use std::path::Path;
    /// use toolwire_source::{Places, resolve};
    ///
    /// let name = |word: &str| resolve(word.as_ref(), &Places::default())?.lock_name(Path::new("/project"));
    /// assert_eq!(name("mcp+uvx://clock?tool=now&zone=UTC")?, "mcp+uvx://clock");
    /// assert_eq!(name("mcp+npx://@acme/clock@1.2.0")?, "mcp+npx://@acme/clock@1.2.0");
    /// assert_eq!(name("/project/tools/a.py")?, "./tools/a.py");
    /// assert!(name("https://example.org/mcp?token=abc").is_err());
    /// # Ok::<(), toolwire_source::SourceError>(())
    /// ```
    pub fn lock_name(&self, base: &Path) -> Result<String, SourceError> {
        let refuse = |message: &str| Err(SourceError::new(SourceErrorKind::BadWord, message));
        let bad =
            |error: toolwire::Error| SourceError::new(SourceErrorKind::BadWord, error.message());
        let word = match (&self.word, &self.reached) {
            (Some(word), _) => word.clone(),
            (None, Reached::Program(program)) => match &spelled(&program.command)[..] {
                [path] if Form::of(path) == Form::Path => path.clone(),
                words => Launch::from_command(words)
                    .map(|launch| format_launch_uri(&launch).map_err(bad))
                    .transpose()?
                    .unwrap_or_default(),
            },
            (None, _) => String::new(),
        };
        let word = word.as_str();
        let name = match (Form::of(word), &self.reached) {
            _ if self.in_manifest => self.label.clone(),
            (Form::Name, _) => format!("{CLIENTS}{word}"),
            (Form::Profile, _) => format!("@{}", self.label),
            (Form::Path, _) => file(base, word.to_owned()),
            (Form::Launch, _) => {
                let launch = parse_launch_uri(word).map_err(bad)?;
                let launch = Launch {
                    request: None,
                    ..launch
                };
                let here = std::env::current_dir().unwrap_or_default();
                let moves = launch.resolved(&here.to_string_lossy()) != launch;
                if moves && here != base {
                    return Err(SourceError::new(
                        SourceErrorKind::BadWord,
                        format!(
                            "a launch URI with a relative path is locked and checked in the folder of the lock, `{}`",
                            base.display()
                        ),
                    ));
                }
                let words = launch.command();
                let words = words.unwrap_or_else(|| vec![launch.target.clone()]);
                if without_credentials(&words) != words {
                    return refuse(CREDENTIAL);
                }
                // An `@` of a version is no credential: its words were looked at, and the rest is names.
                return format_launch_uri(&launch).map_err(bad);
            }
            _ => word.to_owned(),
        };
        let alone = [name];
        if without_credentials(&alone) != alone {
            return refuse(CREDENTIAL);
        }
        let [name] = alone;
        Ok(name)
    }
}

/// That a word can't stand in a lock, without the word.
const CREDENTIAL: &str = "what names the source seems to hold a credential, which never enters a lock: name the \
     server in the file of a client or in a profile, and lock it by that name";

/// The words of a command, without the values of variables, which may be credentials. Which of its names an
/// interpreter goes by differs from machine to machine.
fn words(program: &Program) -> Vec<String> {
    if let Some(written) = &program.written {
        return written.clone();
    }
    spelled(&program.command)
}

/// A digest over a file below a folder; nothing for one elsewhere, which differs from machine to machine, as what a
/// virtual environment has made does: its folder stands in it.
fn digest(file: &Path, base: &Path) -> Option<String> {
    let (file, base) = (fs::canonicalize(file).ok()?, fs::canonicalize(base).ok()?);
    let mut above = file.ancestors().take_while(|one| one.starts_with(&base));
    let about = fs::metadata(&file).ok()?;
    let fits = about.is_file() && about.len() <= MOST_CODE;
    if !fits || !file.starts_with(&base) || above.any(|one| one.join("pyvenv.cfg").is_file()) {
        return None;
    }
    Some(toolwire::digest_bytes(&fs::read(file).ok()?))
}

/// What the program is given, without what only says which one it is.
fn arguments(words: &[String]) -> Vec<String> {
    let launch = Launch::from_command(words);
    launch.map(|launch| launch.words).unwrap_or_default()
}

/// The folder in which a program starts, as a lock has it.
fn folder(base: &Path, cwd: &Path) -> String {
    let (cwd, base) = match (fs::canonicalize(cwd), fs::canonicalize(base)) {
        (Ok(cwd), Ok(base)) => (cwd, base),
        _ => (cwd.to_owned(), base.to_owned()),
    };
    match cwd == base {
        true => ".".to_owned(),
        false => below(&base, &cwd.to_string_lossy()),
    }
}

/// A path below a folder as one that is relative to it, with `/` between its parts; any other word as it is.
fn below(base: &Path, word: &str) -> String {
    let path = Path::new(word);
    match path.strip_prefix(base) {
        Ok(rest) if path.is_absolute() && rest != Path::new("") => {
            let parts: Vec<_> = rest.iter().map(|part| part.to_string_lossy()).collect();
            format!("./{}", parts.join("/"))
        }
        _ => word.to_owned(),
    }
}

/// The file of a program that was given by its path.
fn file(base: &Path, program: String) -> String {
    if !program.contains(is_separator) || program.contains("://") {
        return program;
    }
    let path = std::path::absolute(&program).unwrap_or_else(|_| PathBuf::from(&program));
    if !path.components().any(|part| part == Component::ParentDir) {
        return below(base, &path.to_string_lossy());
    }
    // Where `..` leads is known to the system alone. The program itself may be a link, which stays one.
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return program;
    };
    match (fs::canonicalize(folder), fs::canonicalize(base)) {
        (Ok(folder), Ok(base)) => below(&base, &folder.join(name).to_string_lossy()),
        _ => program,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Places, resolve};

    fn named(word: &str, base: &Path) -> Result<String, SourceError> {
        resolve(word.as_ref(), &Places::default())?.lock_name(base)
    }

    /// LOCK-13.
    #[test]
    fn the_values_of_headers_and_variables_stay_out() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("servers.json");
        let servers = r#"{"mcpServers": {
            "remote": {"url": "https://me:hunter2@example.org/mcp?key=hunter2",
                "headers": {"X-Key": "hunter2", "Authorization": "Bearer hunter2"}},
            "local": {"command": "files", "args": ["--auth", "${HOME}"], "env": {"KEY": "hunter2"}}}}"#;
        fs::write(&file, servers).unwrap();
        let places = Places {
            config: Some(file),
            ..Places::default()
        };
        let json = |name: &str| {
            let source = resolve(name.as_ref(), &places).unwrap();
            source.launched(folder.path()).to_json().to_string()
        };
        assert_eq!(
            json("remote"),
            r#"{"transport":"http","origin":"https://example.org","url":"https://example.org/mcp?key","headers":["Authorization","X-Key"]}"#
        );
        assert_eq!(
            json("local"),
            r#"{"transport":"stdio","launcher":"exec","program":"files","arguments":["--auth","${HOME}"],"environment":["KEY"]}"#
        );
    }

    #[test]
    fn a_file_of_the_folder_is_digested_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path();
        let elsewhere = tempfile::tempdir().unwrap();
        fs::create_dir_all(base.join("env/bin")).unwrap();
        fs::write(base.join("env/pyvenv.cfg"), "").unwrap();
        for file in ["a.py", "env/bin/a.py"] {
            fs::write(base.join(file), "print(1)").unwrap();
        }
        fs::write(elsewhere.path().join("a.py"), "print(1)").unwrap();
        fs::File::create(base.join("big"))
            .and_then(|file| file.set_len(MOST_CODE + 1))
            .unwrap();
        fs::File::create(base.join("most"))
            .and_then(|file| file.set_len(MOST_CODE))
            .unwrap();
        let digest = Some(toolwire::digest_bytes(b"print(1)"));
        let of = |word: &str| {
            let source = resolve(word.as_ref(), &Places::default()).unwrap();
            source.launched(base).file
        };
        let path = |folder: &Path, name: &str| folder.join(name).to_str().unwrap().to_owned();
        assert_eq!(of(&path(base, "a.py")), digest);
        let script = path(base, "a.py");
        for launcher in ["python", "node", "exec"] {
            assert_eq!(
                of(&format!("mcp+{launcher}://{script}")),
                digest,
                "{launcher}"
            );
        }
        let servers = base.join("servers.json");
        let text = r#"{"mcpServers": {
            "one": {"command": "python3", "args": ["-u", "./a.py"], "cwd": "BASE/env/.."},
            "two": {"command": "/usr/bin/env", "args": ["python3", "BASE/a.py"], "cwd": "BASE/env"},
            "three": {"command": "cat", "args": ["./a.py"], "cwd": "BASE"}}}"#;
        fs::write(&servers, text.replace("BASE", base.to_str().unwrap())).unwrap();
        let places = Places {
            config: Some(servers),
            ..Places::default()
        };
        for (name, file, cwd) in [
            ("one", digest.clone(), "."),
            ("two", digest.clone(), "./env"),
            ("three", None, "."),
        ] {
            let launched = resolve(name.as_ref(), &places).unwrap().launched(base);
            assert_eq!(launched.file, file, "{name}");
            assert_eq!(launched.cwd.as_deref(), Some(cwd), "{name}");
        }
        for other in ["env/bin/a.py", "none.py", "big", "env"] {
            assert_eq!(of(&path(base, other)), None, "{other}");
        }
        assert!(of(&path(base, "most")).is_some());
        assert_eq!(of(&path(elsewhere.path(), "a.py")), None);
        assert_eq!(of("mcp+uvx://clock"), None);
        assert_eq!(of("http://127.0.0.1:1/mcp"), None);
    }

    #[test]
    fn a_name_means_the_same_to_whoever_has_the_folder() {
        let here = std::env::current_dir().unwrap();
        let below = here.join("src");
        for (word, name) in [
            ("./src/lib.rs", "./src/lib.rs"),
            ("src/lib.rs", "./src/lib.rs"),
            ("src/../src/lib.rs", "./src/lib.rs"),
            ("mcp+python://./a.py?tool=x&b=1", "mcp+python://./a.py"),
            ("mcp+uvx://clock@1.2.3?tool=x", "mcp+uvx://clock@1.2.3"),
            ("mcp+npx://@a/clock@latest", "mcp+npx://@a/clock@latest"),
            ("https://example.org/mcp", "https://example.org/mcp"),
        ] {
            assert_eq!(named(word, &here).unwrap(), name, "{word}");
        }
        assert_eq!(named("./src/lib.rs", &below).unwrap(), "./lib.rs");
        let error = named("mcp+python://./a.py", &below).unwrap_err();
        assert!(
            error.to_string().contains("in the folder of the lock"),
            "{error}"
        );
        for word in [
            "https://example.org/mcp?token=hunter2",
            "mcp+exec://./a?command=--token%3Dhunter2",
            "mcp+https://example.org/mcp?query=api_key%3Dhunter2",
        ] {
            let error = named(word, &here).unwrap_err().to_string();
            assert!(
                error.contains("never enters a lock") && !error.contains("hunter2"),
                "{error}"
            );
        }
    }
}
