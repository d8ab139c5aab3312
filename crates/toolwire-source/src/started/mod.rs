//! What of a launch only its launcher or its interpreter knows: which version of a package was started, and with
//! what.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use toolwire::Json;
use toolwire::json::Document;
use toolwire_contract::launch::version_probe;
use toolwire_contract::lock::Launched;
use toolwire_host::{Command, ProcessOptions};

use crate::{Reached, Source};

const OF_PYTHON: &str = include_str!("says.py");
const OF_NODE: &str = include_str!("says.js");

/// The most bytes of the first line of a script.
const LONGEST_LINE: u64 = 256;

/// The most bytes of one fact.
const LONGEST_FACT: usize = 512;

/// A question to the launcher or the interpreter of a source that was started, which knows more of that than the
/// command says. Whoever has one runs it as the source was run, within limits, and reads its answer.
///
/// ```
/// use std::path::Path;
/// use toolwire_host::ProcessOptions;
/// use toolwire_source::{Places, resolve};
///
/// let source = resolve("mcp+uvx://clock".as_ref(), &Places::default())?;
/// let inquiry = source.inquiry(&ProcessOptions::default()).unwrap();
/// assert_eq!(inquiry.command().program(), "uvx");
///
/// let mut launched = source.launched(Path::new("/project"));
/// assert_eq!((launched.requested.as_deref(), &launched.version), (Some("*"), &None));
/// inquiry.read(br#"{"interpreter":"python 3.12","version":"1.4.0"}"#, &mut launched);
/// assert_eq!(launched.version.as_deref(), Some("1.4.0"));
/// # Ok::<(), toolwire_source::SourceError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Inquiry {
    command: Command,
    program: &'static str,
}

impl Source {
    /// What to ask once it was started as `options` say; nothing if nobody knows more of it than its command says.
    #[must_use]
    pub fn inquiry(&self, options: &ProcessOptions) -> Option<Inquiry> {
        let command = match &self.reached {
            Reached::Http { .. } => return None,
            Reached::Tool(tool) => &tool.command,
            Reached::Program(program) => &program.command,
        };
        let words = command.words();
        if let Some(probe) = version_probe(&words) {
            let is_npx = Launched::of_command(&words)?.launcher.as_deref() == Some("npx");
            return Some(Inquiry {
                command: Command::new(&probe[0]).args(&probe[1..]),
                program: if is_npx { OF_NODE } else { OF_PYTHON },
            });
        }
        of_interpreter(&command.resolve(options).ok()?)
    }
}

impl Inquiry {
    /// The command that is run. It uses no network.
    #[must_use]
    pub fn command(&self) -> &Command {
        &self.command
    }

    /// What it gets on stdin.
    #[must_use]
    pub fn stdin(&self) -> &'static [u8] {
        self.program.as_bytes()
    }

    /// Takes the facts from what it wrote on stdout. What is no answer, says nothing.
    pub fn read(&self, said: &[u8], launched: &mut Launched) {
        let said = String::from_utf8_lossy(said);
        let Ok(said) = Json::new(said.trim()) else {
            return;
        };
        let Ok(document) = Document::new(said.as_str()) else {
            return;
        };
        let fact = |name: &str| {
            let text = document.root().get(name)?.as_str()?.into_owned();
            is_fact(&text).then_some(text)
        };
        launched.interpreter = fact("interpreter");
        let version = fact("version");
        if launched.requested.is_some() {
            launched.version.clone_from(&version);
        }
        // It is the digest of this version and no other.
        if version.is_some() && launched.version == version {
            launched.integrity = fact("integrity");
        }
    }
}

/// Whether a text can be a fact that was asked for; who gives it runs beside the package.
fn is_fact(text: &str) -> bool {
    let is_plain = |byte: u8| byte == b' ' || byte.is_ascii_graphic();
    !text.is_empty() && text.len() <= LONGEST_FACT && text.bytes().all(is_plain)
}

/// What to ask of the interpreter that runs a program.
fn of_interpreter(command: &Command) -> Option<Inquiry> {
    let ask = |interpreter: &OsStr| {
        let (arguments, program) = match kind(interpreter)? {
            Kind::Python => (&["-I", "-"][..], OF_PYTHON),
            Kind::Node => (&["-"][..], OF_NODE),
        };
        Some(Inquiry {
            command: Command::new(interpreter).args(arguments),
            program,
        })
    };
    let program = command.program();
    ask(program).or_else(|| ask(OsStr::new(&named_by(Path::new(program))?)))
}

enum Kind {
    Python,
    Node,
}

/// Which language an interpreter is of, by its name.
fn kind(program: &OsStr) -> Option<Kind> {
    let name = Path::new(program).file_name()?.to_str()?;
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    match bare {
        "python" | "pypy" => Some(Kind::Python),
        "node" | "nodejs" if bare == name => Some(Kind::Node),
        _ => None,
    }
}

/// The interpreter that the first line of a script names.
fn named_by(script: &Path) -> Option<String> {
    let mut start = Vec::new();
    let file = File::open(script).ok()?;
    file.take(LONGEST_LINE).read_to_end(&mut start).ok()?;
    let line = start.strip_prefix(b"#!")?.split(|byte| *byte == b'\n');
    let line = String::from_utf8(line.take(1).next()?.to_vec()).ok()?;
    let mut words = line.split_ascii_whitespace();
    let first = words.next()?;
    if !first.ends_with("/env") {
        return Some(first.to_owned());
    }
    let named = words.find(|word| *word != "-S")?;
    (!named.starts_with('-') && !named.contains('=')).then(|| named.to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{Places, resolve};

    /// What of the facts was asked for.
    fn read(word: &str, said: &str) -> [Option<String>; 3] {
        let source = resolve(word.as_ref(), &Places::default()).unwrap();
        let mut launched = source.launched(Path::new("/project"));
        let inquiry = source.inquiry(&ProcessOptions::default()).unwrap();
        inquiry.read(said.as_bytes(), &mut launched);
        [launched.interpreter, launched.version, launched.integrity]
    }

    #[test]
    fn what_was_said_is_taken_only_where_it_can_be_true() {
        let some = |text: &str| Some(text.to_owned());
        let said = r#"{"interpreter":"node 20.1","version":"1.2.3","integrity":"sha512-AA=="}"#;
        let all = [some("node 20.1"), some("1.2.3"), some("sha512-AA==")];
        for word in ["mcp+npx://a", "mcp+npx://a@^1", "mcp+npx://a@1.2.3"] {
            assert_eq!(read(word, said), all, "{word}");
        }
        // Another version was asked for, so that the digest is not that of it.
        let other = [some("node 20.1"), some("1.2.4"), None];
        assert_eq!(read("mcp+npx://a@1.2.4", said), other);
        let long = format!(r#"{{"version":"{}"}}"#, "1".repeat(LONGEST_FACT + 1));
        let most = "1".repeat(LONGEST_FACT);
        for (said, version) in [
            ("", None),
            ("no answer", None),
            ("[]", None),
            (r#"{"version":1}"#, None),
            (r#"{"version":""}"#, None),
            (r#"{"version":"1\u001b[2J"}"#, None),
            (r#"{"version":"1\u202e"}"#, None),
            (&long, None),
            (&format!(r#"{{"version":"{most}"}}"#), Some(most.clone())),
        ] {
            assert_eq!(read("mcp+uvx://a", said), [None, version, None], "{said}");
        }
    }

    #[test]
    fn an_interpreter_is_known_by_its_name_or_by_the_first_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("script");
        for (line, named) in [
            ("#!/usr/bin/env python3", Some("python3")),
            ("#!/usr/bin/env -S node --no-warnings", Some("node")),
            ("#! /opt/python3.12 -u", Some("/opt/python3.12")),
            ("#!/usr/bin/env -i python3", None),
            ("#!/usr/bin/env A=1 python3", None),
            ("#!", None),
            ("print(1)", None),
        ] {
            fs::write(&path, format!("{line}\nmore")).unwrap();
            assert_eq!(named_by(&path).as_deref(), named, "{line}");
        }
        for (program, asked) in [
            ("/usr/bin/python3.12", true),
            ("C:/python.exe", true),
            ("node", true),
            ("pypy3", true),
            ("node18", false),
            ("bash", false),
            ("pythonic", false),
        ] {
            assert_eq!(kind(program.as_ref()).is_some(), asked, "{program}");
        }
    }
}
