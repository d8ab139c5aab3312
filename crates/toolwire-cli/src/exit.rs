//! How a run ends: the exit code and what is said on standard error.

use std::fmt::Display;
use std::io;
use std::path::Path;

#[cfg(unix)]
use rustix::process::Signal;
use toolwire::Verdict;
use toolwire_host::clients::{ClientError, ClientErrorKind};
use toolwire_host::handles::HandlesError;
use toolwire_host::{HostError, HostErrorKind};

/// The outcome of a run, in the order in which one outweighs another when there are several inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Outcome {
    Success = 0,
    /// The answer is no, or the call was refused.
    Negative = 1,
    /// What was asked for can't be meant like that.
    Usage = 2,
    Warnings = 3,
    Raw = 4,
    /// A file could not be read, or the output not be written.
    Io = 5,
    /// What was waited for did not come in time.
    Late = 6,
    /// A handle that was waited for needs somebody before it goes on.
    NeedsSomebody = 7,
    /// Ended by a signal, as shells tell it.
    #[cfg(unix)]
    HungUp = 128 + Signal::HUP.as_raw() as u8,
    Interrupted = 130,
    #[cfg(unix)]
    Quit = 128 + Signal::QUIT.as_raw() as u8,
    #[cfg(unix)]
    Alarmed = 128 + Signal::ALARM.as_raw() as u8,
    #[cfg(unix)]
    Terminated = 128 + Signal::TERM.as_raw() as u8,
    #[cfg(unix)]
    User1 = 128 + Signal::USR1.as_raw() as u8,
    #[cfg(unix)]
    User2 = 128 + Signal::USR2.as_raw() as u8,
}

impl Outcome {
    /// The outcome of the commands that tell apart how an output was read.
    pub fn of(verdict: Verdict) -> Outcome {
        match verdict {
            Verdict::Valid => Outcome::Success,
            Verdict::Warnings => Outcome::Warnings,
            Verdict::Raw => Outcome::Raw,
        }
    }
}

/// Why a command can't go on.
#[derive(Debug)]
pub enum Failure {
    /// The command line can't be meant like that; a sentence says why.
    Usage(String),
    /// Arguments of a tool, or a manifest, can't be meant like that; a sentence for each mistake.
    Wrong(Vec<String>),
    /// An option's value or the whole call was refused by the library.
    Refused(String),
    /// A file or stream failed; the text says which and how.
    Io(String),
    /// It was told to end once more, and did so at once.
    Ended(Option<Outcome>),
    /// Nobody reads the output any more, as in `toolwire parse FILE | head`. Not worth a word.
    Closed,
}

pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    pub fn usage(message: impl Into<String>) -> Self {
        Failure::Usage(message.into())
    }

    /// A file that could not be read.
    pub fn reading(path: &Path, error: &io::Error) -> Self {
        Failure::Io(format!(
            "cannot read `{}`: {}",
            path.display(),
            reason(error)
        ))
    }

    /// Standard output that could not be written.
    pub fn writing(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Io(format!("cannot write the output: {}", reason(error))),
        }
    }

    pub fn refused(error: &toolwire::Error) -> Self {
        Failure::Refused(error.to_string())
    }

    /// Why, on one line.
    pub fn message(&self) -> String {
        match self {
            Failure::Usage(message) | Failure::Refused(message) | Failure::Io(message) => {
                message.clone()
            }
            Failure::Wrong(messages) => messages.join("; "),
            Failure::Ended(_) | Failure::Closed => "it was told to end".to_owned(),
        }
    }
}

/// What a manifest that can't be used means for a command.
impl From<HostError> for Failure {
    fn from(error: HostError) -> Self {
        match error.kind() {
            HostErrorKind::BadManifest | HostErrorKind::UntrustedManifest => {
                Failure::Wrong(vec![error.to_string()])
            }
            _ => Failure::Io(error.to_string()),
        }
    }
}

/// What a handle, or a session host that can't be used, means for a command.
impl From<HandlesError> for Failure {
    fn from(error: HandlesError) -> Self {
        match error {
            HandlesError::Refused(message) => Failure::Refused(message),
            HandlesError::Unreached(message) => Failure::Io(message),
        }
    }
}

/// What a file of an MCP client that can't be used means for a command.
impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        match error.kind() {
            ClientErrorKind::System => Failure::Io(error.to_string()),
            _ => Failure::Wrong(vec![error.to_string()]),
        }
    }
}

/// The system's reason in the style of our own messages: without the error number.
pub fn reason(error: &io::Error) -> impl Display + use<> {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
        io::ErrorKind::StorageFull => "no space is left".to_owned(),
        _ => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or(&text).to_owned();
            let mut chars = text.chars();
            chars.next().map_or_else(String::new, |first| {
                first.to_lowercase().collect::<String>() + chars.as_str()
            })
        }
    }
}
