//! The file `toolwire.lock`: read, and written by one process at a time.

use std::fs::File;
use std::path::{Path, PathBuf};

use toolwire::Locator;
use toolwire_contract::lock::{Lock, ReadLock, read_lock, write_lock};
use toolwire_host::clients::{Scope, current_text, write_text};
use toolwire_host::{manifest, store};

use crate::{SourceError, SourceErrorKind};

/// The name of the file, which stands beside the manifest.
pub const LOCK_NAME: &str = "toolwire.lock";

/// The most bytes of the file (LOCK-1).
const MAX_BYTES: u64 = 64 * 1024 * 1024;

type Result<T> = std::result::Result<T, SourceError>;

/// A lock file, which need not be there yet.
///
/// ```
/// use toolwire_contract::lock::LockedSource;
/// use toolwire_source::{LOCK_NAME, LockFile};
///
/// let folder = tempfile::tempdir()?;
/// let file = LockFile::new(folder.path().join(LOCK_NAME));
/// assert!(file.read()?.is_none());
/// file.update(|lock| {
///     lock.sources.insert("clock".to_owned(), LockedSource::default());
///     Ok(())
/// })?;
/// assert!(file.read()?.unwrap().lock.sources.contains_key("clock"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockFile {
    path: PathBuf,
    /// Whether it was found by search, so that it can be a stranger's.
    found: bool,
}

impl LockFile {
    /// The lock file with this path, whoever wrote it: it was named, or stands beside a manifest that is trusted.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> LockFile {
        LockFile {
            path: path.into(),
            found: false,
        }
    }

    /// The lock file with this path, where it was found without a manifest: it is refused if others could have
    /// written it.
    ///
    /// ```
    /// use toolwire_source::LockFile;
    ///
    /// let folder = tempfile::tempdir()?;
    /// assert!(LockFile::found(folder.path().join("toolwire.lock")).read()?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn found(path: impl Into<PathBuf>) -> LockFile {
        LockFile {
            found: true,
            ..LockFile::new(path)
        }
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it says; nothing if there is none.
    ///
    /// # Errors
    ///
    /// `BadLock` for a mistake in it, and for one of a newer version; `Untrusted` if it was found and others could
    /// have written it; `System` if it can't be read.
    pub fn read(&self) -> Result<Option<ReadLock>> {
        Ok(self.text()?.map(|(_, read)| read))
    }

    /// Changes what it says. Other processes wait meanwhile, and what they wrote before is what is changed. It is
    /// replaced at once, so that whoever reads it finds the old one or the new one, also after a crash. If nothing
    /// changes, or `change` fails, it stays as it is.
    ///
    /// # Errors
    ///
    /// Those of [`LockFile::read`], those of `change`, and `System` if it can't be written, or another process holds
    /// it for too long.
    pub fn update<T>(&self, change: impl FnOnce(&mut Lock) -> Result<T>) -> Result<T> {
        let _held = store::lock(&self.path).map_err(|error| {
            let message = format!("cannot write `{}`: {error}", self.path.display());
            SourceError::new(SourceErrorKind::System, message)
        })?;
        let (before, mut lock) = match self.text()? {
            Some((text, read)) => (Some(text), read.lock),
            None => (None, Lock::default()),
        };
        let unchanged = lock.clone();
        let done = change(&mut lock)?;
        if before.is_some() && lock == unchanged {
            return Ok(done);
        }
        let text = write_lock(&lock).map_err(|error| self.bad(&error))?;
        write_text(
            &self.path,
            before.as_deref(),
            &text,
            Scope::Workspace,
            MAX_BYTES,
        )?;
        Ok(done)
    }

    /// Refuses what others could have written; they could not put another in its place then either.
    fn check_owner(&self) -> Result<()> {
        // Who reads it says what else is wrong with it.
        if !self.found || !self.path.is_file() {
            return Ok(());
        }
        let failed = |error: std::io::Error| {
            let message = format!("cannot read `{}`: {error}", self.path.display());
            SourceError::new(SourceErrorKind::System, message)
        };
        let file = File::open(&self.path).map_err(failed)?;
        let Some(why) = manifest::others(&self.path, &file).map_err(failed)? else {
            return Ok(());
        };
        let path = std::fs::canonicalize(&self.path).map_err(failed)?;
        if manifest::is_named_trusted(&path)? {
            return Ok(());
        }
        let message = format!(
            "{}: {why}; look at it, then name it with `--lock` of `check` and `lock`, or name its folder in \
             `TOOLWIRE_TRUSTED_MANIFESTS`",
            self.path.display()
        );
        Err(SourceError::new(SourceErrorKind::Untrusted, message))
    }

    fn text(&self) -> Result<Option<(String, ReadLock)>> {
        self.check_owner()?;
        let Some(text) = current_text(&self.path, MAX_BYTES)? else {
            return Ok(None);
        };
        let read = read_lock(&text.raw).map_err(|error| match error.offset() {
            Some(offset) if error.pointer().is_empty() => self.no_json(&text.raw, offset, &error),
            _ => self.bad(&error),
        })?;
        Ok(Some((text.raw, read)))
    }

    /// What a merge that was left unfinished, or an editor, has made of it.
    fn no_json(&self, text: &str, offset: u64, error: &toolwire::Error) -> SourceError {
        let place = Locator::new(text.as_bytes()).locate(offset);
        let hint = match text.lines().any(|line| line.starts_with("<<<<<<< ")) {
            true => "resolve its merge conflicts, then run `toolwire lock`",
            false => "restore it from version control, or delete it and run `toolwire lock`",
        };
        let message = format!(
            "{}:{}:{}: not a lock file: {}; {hint}",
            self.path.display(),
            place.line,
            place.column,
            error.message().replacen("the output", "the file", 1)
        );
        SourceError::new(SourceErrorKind::BadLock, message)
    }

    fn bad(&self, error: &toolwire::Error) -> SourceError {
        let place = match error.pointer() {
            "" => String::new(),
            pointer => format!("{pointer}: "),
        };
        let message = format!("{}: {place}{}", self.path.display(), error.message());
        SourceError::new(SourceErrorKind::BadLock, message)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use toolwire_contract::lock::LockedSource;

    use super::*;

    fn add(file: &LockFile, name: &str) {
        let added = file.update(|lock| {
            lock.sources
                .insert(name.to_owned(), LockedSource::default());
            Ok(())
        });
        added.expect("it is written");
    }

    #[test]
    fn writers_at_a_time_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(LOCK_NAME);
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let path = &path;
                scope.spawn(move || {
                    for nth in 0..8 {
                        add(&LockFile::new(path), &format!("{writer}-{nth}"));
                    }
                });
            }
        });
        let read = LockFile::new(&path).read().unwrap().unwrap();
        assert_eq!(read.lock.sources.len(), 64);
        let left: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|one| one.unwrap().file_name())
            .collect();
        assert_eq!(left, [LOCK_NAME]);
    }

    #[test]
    fn a_file_that_is_not_read_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let file = LockFile::new(folder.path().join(LOCK_NAME));
        for (text, part) in [
            (r#"{"lockVersion":2,"sources":{}}"#, "update Toolwire"),
            (r#"{"lockVersion":1,"sources":{"a":1}}"#, "/sources/a: "),
            ("{", "toolwire.lock:1:2: not a lock file: "),
            (
                "{\n  \"lockVersion\": 1,\n<<<<<<< ours\n",
                "toolwire.lock:3:1: not a lock file: the file is not JSON",
            ),
            ("{\n<<<<<<< ours\n", "resolve its merge conflicts"),
        ] {
            fs::write(file.path(), text).unwrap();
            let error = file.update(|_| Ok(())).unwrap_err();
            assert_eq!(error.kind(), SourceErrorKind::BadLock, "{text}");
            assert!(error.to_string().contains(part), "{error}");
            assert_eq!(fs::read_to_string(file.path()).unwrap(), text);
        }
    }

    #[test]
    fn what_a_killed_writer_leaves_is_in_nobodys_way() {
        let folder = tempfile::tempdir().unwrap();
        let file = LockFile::new(folder.path().join(LOCK_NAME));
        fs::write(folder.path().join(".toolwire.lock.writing"), "").unwrap();
        fs::write(folder.path().join(".tmp-left"), "{").unwrap();
        add(&file, "a");
        assert!(!folder.path().join(".toolwire.lock.writing").exists());
    }

    #[test]
    fn what_does_not_change_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let file = LockFile::new(folder.path().join(LOCK_NAME));
        let by_hand = r#"{"sources":{},"lockVersion":1}"#;
        fs::write(file.path(), by_hand).unwrap();
        file.update(|_| Ok(())).unwrap();
        assert_eq!(fs::read_to_string(file.path()).unwrap(), by_hand);
        add(&file, "a");
        let text = fs::read_to_string(file.path()).unwrap();
        assert!(text.starts_with("{\n  \"lockVersion\": 1,"), "{text}");
    }
}
