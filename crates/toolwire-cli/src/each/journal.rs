//! The file of `--resume`: which calls were begun, and which have ended.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::records::Record;
use crate::exit::{Failure, Result, reason};

/// The version of the format, and the member that says it.
const MARK: &str = "toolwireEach";
const VERSION: u64 = 1;

/// The beginning of the first line.
const HEAD: &str = "{\"toolwireEach\":";

/// What holds for all calls of a journal. With another of these the records would mean something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub source: String,
    pub tool: String,
    /// The digest of the arguments that hold for all records.
    pub arguments: String,
}

impl Header {
    fn line(&self) -> String {
        let Header {
            source,
            tool,
            arguments,
        } = self;
        // The mark comes first, so that even a piece of the line can be told from other files.
        let rest = json!({ "source": source, "tool": tool, "arguments": arguments }).to_string();
        format!("{HEAD}{VERSION},{}", &rest[1..])
    }
}

/// How far the call of a record has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Nobody knows how it ended.
    Begun,
    /// Its line was written, or a person has decided to pass over it.
    Ended,
    /// It was refused before anything was called, and its line says why.
    Refused,
}

/// What an earlier run has left behind.
#[derive(Debug, Default)]
struct Earlier {
    records: HashMap<u64, (String, State)>,
    last: u64,
}

/// The file, held by this process alone.
pub struct Journal {
    path: PathBuf,
    file: File,
    earlier: Earlier,
}

impl Journal {
    /// Opens the file, or makes it. What another input has left behind is refused.
    pub fn open(path: &Path, header: &Header) -> Result<Journal> {
        let mut file = hold(path)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text)
            .map_err(|error| Failure::reading(path, &error))?;
        // What stands behind the last line end was cut off by a crash, and counts as not written.
        let whole = memchr::memrchr(b'\n', &text).map_or(0, |end| end + 1);
        let begun = &text[whole..];
        let name = path.display();
        let foreign = || {
            Failure::Wrong(vec![format!(
                "`{name}` is no journal of `--each`, so it was left as it is; name a new file"
            )])
        };
        if whole == 0 && !begun.starts_with(HEAD.as_bytes()) && !HEAD.as_bytes().starts_with(begun)
        {
            return Err(foreign());
        }
        let mut earlier = Earlier::default();
        if whole > 0 {
            let lines = std::str::from_utf8(&text[..whole]).map_err(|_| foreign())?;
            let mut lines = lines.lines();
            let first: Value = lines
                .next()
                .and_then(|line| serde_json::from_str(line).ok())
                .ok_or_else(foreign)?;
            check_header(path, &first, header, &foreign)?;
            for (number, line) in lines.enumerate() {
                earlier.add(line).ok_or_else(|| {
                    let number = number + 2;
                    Failure::Wrong(vec![format!("line {number} of `{name}` is damaged")])
                })?;
            }
        }
        let mut journal = Journal {
            path: path.to_owned(),
            file,
            earlier,
        };
        if whole < text.len() {
            let cut = journal.file.set_len(whole as u64);
            let moved = cut.and_then(|()| journal.file.seek(SeekFrom::Start(whole as u64)));
            moved.map_err(|error| journal.failure(&error))?;
        }
        if whole == 0 {
            journal.write(&header.line(), true)?;
        }
        Ok(journal)
    }

    /// The number of the last record that was begun in an earlier run.
    pub fn last(&self) -> u64 {
        self.earlier.last
    }

    /// How far a record had come in an earlier run. One that is not the same as then is refused, unless nothing was
    /// called for it: then the record itself may have been mended.
    pub fn state(&self, record: &Record) -> Result<Option<State>> {
        match self.earlier.records.get(&record.number) {
            None => Ok(None),
            Some((_, State::Refused)) => Ok(Some(State::Refused)),
            Some((digest, state)) if *digest == record.digest() => Ok(Some(*state)),
            Some(_) => Err(self.other_input(&format!("its line {} differs", record.number))),
        }
    }

    /// That the records are not those of the earlier run.
    pub fn other_input(&self, why: &str) -> Failure {
        Failure::Wrong(vec![format!(
            "the input is another one than that of `{}`: {why}; nothing was called",
            self.path.display()
        )])
    }

    /// How many records were noted.
    pub fn len(&self) -> usize {
        self.earlier.records.len()
    }

    /// Notes that a call begins. It is on the disk when this returns.
    pub fn begin(&mut self, record: &Record) -> Result<()> {
        let (number, digest) = (record.number, record.digest());
        let line = json!({ "record": number, "digest": digest, "state": "begun" });
        self.write(&line.to_string(), true)
    }

    /// Notes that the line of a record was written.
    pub fn end(&mut self, number: u64, error: bool) -> Result<()> {
        let line = json!({ "record": number, "state": "ended", "error": error });
        self.write(&line.to_string(), false)
    }

    /// Notes that the line of a record was written, for which nothing was called.
    pub fn refuse(&mut self, number: u64) -> Result<()> {
        let line = json!({ "record": number, "state": "refused" });
        self.write(&line.to_string(), false)
    }

    /// Notes that a record is passed over from now on.
    pub fn pass_over(&mut self, number: u64) -> Result<()> {
        let line = json!({ "record": number, "state": "passed" });
        self.write(&line.to_string(), true)
    }

    fn write(&mut self, line: &str, sync: bool) -> Result<()> {
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        let kept = written.and_then(|()| match sync {
            true => self.file.sync_data(),
            false => Ok(()),
        });
        kept.map_err(|error| self.failure(&error))
    }

    fn failure(&self, error: &std::io::Error) -> Failure {
        Failure::Io(format!(
            "cannot write `{}`: {}",
            self.path.display(),
            reason(error)
        ))
    }
}

fn check_header(
    path: &Path,
    first: &Value,
    header: &Header,
    foreign: &dyn Fn() -> Failure,
) -> Result<()> {
    let name = path.display();
    match first[MARK].as_u64() {
        Some(VERSION) => {}
        Some(newer) => {
            return Err(Failure::Wrong(vec![format!(
                "`{name}` has the version {newer}, which a newer `toolwire` writes"
            )]));
        }
        None => return Err(foreign()),
    }
    let same = [
        ("source", &header.source),
        ("tool", &header.tool),
        ("arguments", &header.arguments),
    ];
    match same.into_iter().find(|(name, ours)| first[*name] != **ours) {
        None => Ok(()),
        Some(("arguments", _)) => Err(Failure::Wrong(vec![format!(
            "`{name}` is of calls with other arguments for all records; nothing was called"
        )])),
        Some((what, ours)) => {
            let theirs = first[what].as_str().unwrap_or_default();
            Err(Failure::Wrong(vec![format!(
                "`{name}` is of the {what} `{theirs}`, and this is `{ours}`; nothing was called"
            )]))
        }
    }
}

impl Earlier {
    /// Reads a line of a journal; nothing if it is none.
    fn add(&mut self, line: &str) -> Option<()> {
        let line: Value = serde_json::from_str(line).ok()?;
        let number = line["record"].as_u64()?;
        match line["state"].as_str()? {
            "begun" => {
                let digest = line["digest"].as_str()?.to_owned();
                self.records.insert(number, (digest, State::Begun));
                self.last = self.last.max(number);
            }
            "ended" | "passed" => self.records.get_mut(&number)?.1 = State::Ended,
            "refused" => {
                // Whatever it was, it may be another one now.
                let nothing = (String::new(), State::Refused);
                self.records.insert(number, nothing);
                self.last = self.last.max(number);
            }
            _ => return None,
        }
        Some(())
    }
}

fn held(path: &Path) -> Failure {
    Failure::Refused(format!(
        "another process is working with `{}`; wait until it has ended",
        path.display()
    ))
}

/// Opens the file for this process alone. The system lets go of it with the process, however it ends.
#[cfg(unix)]
fn hold(path: &Path) -> Result<File> {
    use rustix::fs::{FlockOperation, flock};
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(|error| Failure::reading(path, &error))?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(file),
        Err(rustix::io::Errno::WOULDBLOCK) => Err(held(path)),
        Err(error) => Err(Failure::reading(path, &error.into())),
    }
}

/// Nobody else can open it for writing meanwhile.
#[cfg(windows)]
fn hold(path: &Path) -> Result<File> {
    use std::os::windows::fs::OpenOptionsExt as _;
    const SHARE_READ: u32 = 1;
    const SHARING_VIOLATION: i32 = 32;
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .share_mode(SHARE_READ)
        .open(path)
        .map_err(|error| match error.raw_os_error() {
            Some(SHARING_VIOLATION) => held(path),
            _ => Failure::reading(path, &error),
        })
}
