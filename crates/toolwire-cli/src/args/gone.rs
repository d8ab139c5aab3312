//! What to type in place of a command that went.

use std::ffi::OsString;

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Commands that went, and those that do what they did.
const GONE: [(&str, &str); 10] = [
    ("call", "run"),
    ("convert", "servers"),
    ("describe", "tools"),
    ("digest", "canonicalize --digest"),
    ("discover", "servers"),
    ("explore", "tools"),
    ("hash", "tools --fingerprint"),
    ("list", "tools"),
    ("schema", "tools --schema"),
    ("uri", "identify --uri"),
];

/// What to type, if the error is that such a command is unknown.
pub fn instead(
    error: &Error,
    arguments: &[OsString],
    quoted: fn(&str) -> String,
) -> Option<String> {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let (gone, now) = GONE.iter().find(|(gone, _)| gone == name)?;
    let is_unknown = error.kind() == ErrorKind::InvalidSubcommand;
    let words = arguments.iter().skip_while(|word| *word != gone).skip(1);
    let words = words.map(|word| format!(" {}", quoted(&word.to_string_lossy())));
    let line = format!("toolwire {now}{}", words.collect::<String>());
    is_unknown.then(|| format!("`toolwire {gone}` is `toolwire {now}` now: write `{line}`"))
}
