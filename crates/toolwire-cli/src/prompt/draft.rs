//! The file that an editor works on. What was typed is never lost: the file stays until there is an
//! answer, and whoever ends without one is told where it is.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use super::frame::one_line;
use crate::exit::reason;
use crate::input::open_plain;
use crate::terminal::Terminal;
#[cfg(unix)]
use crate::terminal::keys;

/// How often it is looked whether the editor ended.
const TICK: Duration = Duration::from_millis(20);
/// How long an editor has to end when the question is withdrawn.
#[cfg(unix)]
const GRACE: Duration = Duration::from_secs(2);
/// How much older the file is made than it is, so that saving it shows whatever the clock's ticks.
const AGE: Duration = Duration::from_secs(3600);

/// How long after an editor died of a signal one that comes is the same.
#[cfg(unix)]
const SAME_KEY: Duration = Duration::from_millis(200);

static OPEN: AtomicBool = AtomicBool::new(false);

/// Whether an editor is open. Ctrl-C is its own then: many do not mean the end by it, though every
/// process of the terminal gets the signal.
pub fn is_open() -> bool {
    OPEN.load(Ordering::Relaxed)
}

/// How an editor ended.
pub enum Edited {
    Saved,
    Unsaved,
    Failed(String),
}

/// A text and, once it was edited, its file in a folder that only this user can read.
pub struct Draft {
    id: String,
    text: String,
    file: Option<Written>,
}

struct Written {
    folder: PathBuf,
    path: PathBuf,
    /// What is in it, and since when, as it says.
    bytes: Vec<u8>,
    time: Option<SystemTime>,
    /// The text that was the last to be brought into it, or taken from it.
    text: String,
    /// Whether something was saved that could not be taken.
    strange: bool,
}

impl Draft {
    pub fn new(id: &str, text: &str) -> Draft {
        Draft {
            id: id.to_owned(),
            text: text.to_owned(),
            file: None,
        }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// What the editor begins with the next time.
    pub fn set(&mut self, text: String) {
        self.text = text;
    }

    /// Where the file is, if there is one.
    pub fn place(&self) -> Option<String> {
        let file = self.file.as_ref()?;
        Some(one_line(&file.path.display().to_string()))
    }

    /// Opens the editor and waits until it ends. What was saved since it ended the last time is
    /// taken without opening it again.
    pub async fn edit(&mut self, command: &[String]) -> io::Result<Edited> {
        if let Some(edited) = self.take() {
            return Ok(edited);
        }
        if let Err(error) = self.write() {
            let why = reason(&error);
            return Ok(Edited::Failed(format!("the file can't be written: {why}")));
        }
        let Some(file) = &self.file else {
            return Ok(Edited::Unsaved);
        };
        let Some((program, arguments)) = command.split_first() else {
            return Ok(Edited::Unsaved);
        };
        let name = name(program);
        let mut command = Command::new(program);
        command.args(arguments).arg(&file.path);
        let ended = match run(&mut command).await {
            Ok(status) => status,
            Err(error) => {
                let why = reason(&error);
                return Ok(Edited::Failed(format!(
                    "the editor `{name}` can't be started: {why}"
                )));
            }
        };
        let saved = self.take();
        if !ended.success() {
            let ended = ended.to_string().replace(": ", " ");
            return Ok(Edited::Failed(format!(
                "the editor `{name}` ended with {ended}"
            )));
        }
        Ok(saved.unwrap_or(Edited::Unsaved))
    }

    /// Takes what was saved since the file was written, if anything was.
    fn take(&mut self) -> Option<Edited> {
        let file = self.file.as_mut()?;
        let mut bytes = Vec::new();
        let opened = open_plain(&file.path, File::options().read(true));
        match opened.and_then(|mut file| file.read_to_end(&mut bytes)) {
            Ok(_) => {}
            Err(error) => {
                let why = reason(&error);
                // It is written anew the next time, from what is known of it.
                let message = format!("`{}` can't be read: {why}", file.path.display());
                // It stays if there is anything else in it.
                let _ = fs::remove_dir(&file.folder);
                self.file = None;
                return Some(Edited::Failed(message));
            }
        }
        let time = modified(&file.path);
        if time == file.time && bytes == file.bytes {
            return None;
        }
        file.time = time;
        file.bytes.clone_from(&bytes);
        let text = String::from_utf8(bytes);
        file.strange = text.is_err();
        match text {
            Ok(text) => {
                file.text.clone_from(&text);
                self.text = text;
                Some(Edited::Saved)
            }
            Err(_) => Some(Edited::Failed("what was saved is not UTF-8".to_owned())),
        }
    }

    /// Brings the text into the file, if it is not there already.
    fn write(&mut self) -> io::Result<()> {
        if self.file.is_none() {
            let mut folder = tempfile::Builder::new();
            folder.prefix("toolwire-");
            #[cfg(unix)]
            folder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
            let folder = folder.tempdir()?.keep();
            self.file = Some(Written {
                path: folder.join(file_name(&self.id)),
                folder,
                bytes: Vec::new(),
                time: None,
                text: String::new(),
                strange: false,
            });
        }
        let Some(written) = &mut self.file else {
            return Ok(());
        };
        if written.text != self.text || !written.path.exists() {
            let mut options = File::options();
            options.write(true).create(true).truncate(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let mut file = open_plain(&written.path, &mut options)?;
            file.write_all(self.text.as_bytes())?;
            written.text.clone_from(&self.text);
            written.bytes = self.text.clone().into_bytes();
        }
        let file = open_plain(&written.path, File::options().write(true))?;
        // Where the time can't be set, saving is seen by what changed.
        let _ = SystemTime::now()
            .checked_sub(AGE)
            .map(|time| file.set_modified(time));
        written.time = modified(&written.path);
        Ok(())
    }

    /// Removes the file.
    pub fn remove(&mut self) {
        if let Some(file) = self.file.take() {
            // A temporary folder that can't be removed is the system's to remove.
            let _ = fs::remove_dir_all(file.folder);
        }
    }

    /// Ends without an answer: what was typed stays, and it is said where.
    pub fn end(&mut self, is_typed: impl Fn(&str) -> bool) -> io::Result<()> {
        // What was saved may not have been looked at yet.
        self.take();
        let strange = self.file.as_ref().is_some_and(|file| file.strange);
        if !strange && !self.has_more() && !is_typed(&self.text) {
            self.remove();
            return Ok(());
        }
        if let Some(place) = self.place() {
            let mut out = Terminal::open()?;
            writeln!(out, "What you typed is in {place}")?;
        }
        Ok(())
    }

    /// Whether an editor left a file beside ours, where it keeps what is not saved.
    fn has_more(&self) -> bool {
        let entries = self.file.as_ref().map(|file| fs::read_dir(&file.folder));
        entries.is_some_and(|entries| entries.is_ok_and(|entries| entries.count() > 1))
    }
}

/// The name of a program without its folder.
pub fn name(program: &str) -> String {
    one_line(program.rsplit(['/', '\\']).next().unwrap_or(program))
}

/// A name that tells the question; the ending makes editors expect comments in JSON.
fn file_name(id: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let id: String = id.chars().filter(|c| plain(*c)).take(40).collect();
    match id.as_str() {
        "" => "answer.jsonc".to_owned(),
        id => format!("{id}.jsonc"),
    }
}

fn modified(path: &std::path::Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|file| file.modified()).ok()
}

/// Runs an editor on the terminal. It is ended if this is dropped.
async fn run(command: &mut Command) -> io::Result<ExitStatus> {
    // The result of the tool may go where our standard output goes, so an editor must not.
    #[cfg(unix)]
    command.stdin(Stdio::from(keys()?));
    command.stdout(Stdio::from(Terminal::open()?.into_file()?));
    let mut open = Open {
        child: None,
        modes: Modes::save(),
    };
    OPEN.store(true, Ordering::Relaxed);
    let child = open.child.insert(command.spawn()?);
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None => tokio::time::sleep(TICK).await,
        }
    };
    open.child = None;
    // The signal that it died of was sent to this process too, and may not have been looked at yet.
    #[cfg(unix)]
    if std::os::unix::process::ExitStatusExt::signal(&status).is_some() {
        tokio::time::sleep(SAME_KEY).await;
    }
    Ok(status)
}

/// An editor that is open.
struct Open {
    child: Option<Child>,
    modes: Modes,
}

impl Drop for Open {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            end(child);
        }
        OPEN.store(false, Ordering::Relaxed);
        self.modes.restore();
    }
}

/// Asks an editor to end, which lets it keep what was not saved, and ends it if it does not.
fn end(child: &mut Child) {
    #[cfg(unix)]
    if let Some(id) = i32::try_from(child.id())
        .ok()
        .and_then(rustix::process::Pid::from_raw)
    {
        // If it has just ended, that is all that was wanted.
        let _ = rustix::process::kill_process(id, rustix::process::Signal::TERM);
        for _ in 0..GRACE.as_millis() / TICK.as_millis() {
            if !matches!(child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(TICK);
        }
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// The modes of the terminal, which an editor that dies leaves as it made them.
struct Modes {
    #[cfg(unix)]
    saved: Option<rustix::termios::Termios>,
}

impl Modes {
    fn save() -> Modes {
        Modes {
            #[cfg(unix)]
            saved: keys()
                .and_then(|keys| Ok(rustix::termios::tcgetattr(keys)?))
                .ok(),
        }
    }

    fn restore(&self) {
        #[cfg(unix)]
        if let Some(saved) = &self.saved {
            let when = rustix::termios::OptionalActions::Drain;
            // There is nothing to be done if the terminal is gone.
            let _ = keys().and_then(|keys| Ok(rustix::termios::tcsetattr(keys, when, saved)?));
        }
    }
}
