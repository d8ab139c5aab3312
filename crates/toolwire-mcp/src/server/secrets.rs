//! Where the server's own secrets come from: a file that nobody else could have written, or the environment
//!.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use toolwire_host::manifest::others;

use super::ServeError;

/// Reads the secrets of a file of at most so many bytes. What they are is for messages, which never have the
/// secrets.
pub(super) fn from_file<T>(
    path: &Path,
    max: u64,
    what: &str,
    parse: impl Fn(&str) -> Result<T, ServeError>,
) -> Result<T, ServeError> {
    let shown = path.display();
    let refuse = |why: String| ServeError::new(format!("{shown}: {why}"));
    let failed = |error: std::io::Error| refuse(error.to_string());
    let file = File::open(path).map_err(failed)?;
    if let Some(why) = others(path, &file).map_err(failed)? {
        return Err(refuse(format!("it is not used: {why}")));
    }
    let mut text = String::new();
    let read = file.take(max + 1).read_to_string(&mut text);
    read.map_err(failed)?;
    if text.len() as u64 > max {
        return Err(refuse(format!(
            "this is no file of {what}: it is too large"
        )));
    }
    parse(&text).map_err(|error| refuse(error.to_string()))
}

/// Reads the secrets of an environment variable, if it is set and not empty.
pub(super) fn from_environment<T>(
    variable: &str,
    parse: impl Fn(&str) -> Result<T, ServeError>,
) -> Result<Option<T>, ServeError> {
    let Some(text) = std::env::var_os(variable).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let parsed = parse(&text.to_string_lossy());
    let named = parsed.map_err(|error| ServeError::new(format!("{variable}: {error}")));
    named.map(Some)
}
